/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "pipeline.h"

/* Longer than any run, even with a GPU emulated in software. */
#define END_TIMEOUT (600 * GST_SECOND)

static gboolean
have_device (void)
{
  GstElement *amphisto = gst_element_factory_make ("amphisto", NULL);
  GstStateChangeReturn ret;

  g_assert_nonnull (amphisto);
  ret = gst_element_set_state (amphisto, GST_STATE_READY);
  gst_element_set_state (amphisto, GST_STATE_NULL);
  gst_object_unref (amphisto);
  return ret == GST_STATE_CHANGE_SUCCESS;
}

gboolean
pipeline_can_run (const gchar *file, const gchar *const *elements)
{
  if (file != NULL && !g_file_test (file, G_FILE_TEST_EXISTS)) {
    g_autofree gchar *text =
        g_strdup_printf ("%s of the package opencv-doc is missing", file);

    g_test_skip (text);
    return FALSE;
  }
  for (; *elements != NULL; elements++) {
    g_autoptr (GstElementFactory) factory =
        gst_element_factory_find (*elements);

    if (factory == NULL) {
      g_autofree gchar *text =
          g_strdup_printf ("the element %s is missing", *elements);

      g_test_skip (text);
      return FALSE;
    }
  }
  if (!have_device ()) {
    g_test_skip ("there is no OpenCL device, or not the one asked for");
    return FALSE;
  }
  return TRUE;
}

GstElement *
pipeline_new (const gchar *description)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);

  g_assert_no_error (error);
  return pipeline;
}

void
pipeline_add_probe (GstElement *pipeline, const gchar *element,
    const gchar *pad, GstPadProbeCallback probe, gpointer user_data)
{
  g_autoptr (GstElement) found =
      gst_bin_get_by_name (GST_BIN (pipeline), element);
  g_autoptr (GstPad) probed = gst_element_get_static_pad (found, pad);

  gst_pad_add_probe (probed, GST_PAD_PROBE_TYPE_BUFFER, probe, user_data, NULL);
}

void
pipeline_finish (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (
      bus, END_TIMEOUT, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);

  g_assert_nonnull (message);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    g_autoptr (GError) error = NULL;
    g_autofree gchar *debug = NULL;

    gst_message_parse_error (message, &error, &debug);
    g_error (
        "%s: %s (%s)", GST_MESSAGE_SRC_NAME (message), error->message, debug);
  }
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_NULL), ==,
      GST_STATE_CHANGE_SUCCESS);
}
