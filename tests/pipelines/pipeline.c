/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "pipeline.h"

#include <gst/app/gstappsink.h>
#include <gst/video/video.h>

/* Longer than building the kernels takes while other tests run. */
#define FRAME_TIMEOUT (120 * GST_SECOND)

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

/* --- frames --- */

/* Fails with the text of an error. */
static void
fail_for_message (GstMessage *message)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *debug = NULL;

  gst_message_parse_error (message, &error, &debug);
  g_error (
      "%s: %s (%s)", GST_MESSAGE_SRC_NAME (message), error->message, debug);
}

static void
check_bus (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message =
      gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

  if (message != NULL)
    fail_for_message (message);
}

/* Returns: (transfer full): the next sample of the appsink, and its `frame`. */
static GstSample *
pull (GstElement *pipeline, const gchar *sink, GstVideoFrame *frame)
{
  g_autoptr (GstElement) found = gst_bin_get_by_name (GST_BIN (pipeline), sink);
  GstSample *sample =
      gst_app_sink_try_pull_sample (GST_APP_SINK (found), FRAME_TIMEOUT);
  GstVideoInfo info;

  if (sample == NULL)
    check_bus (pipeline);
  g_assert_nonnull (sample);
  g_assert_true (
      gst_video_info_from_caps (&info, gst_sample_get_caps (sample)));
  g_assert_true (gst_video_frame_map (
      frame, &info, gst_sample_get_buffer (sample), GST_MAP_READ));
  return sample;
}

/* The largest difference of the bytes of component `c`'s pixels. */
static gint
component_difference (const GstVideoFrame *a, const GstVideoFrame *b, guint c)
{
  const guint p = GST_VIDEO_FRAME_COMP_PLANE (a, c);
  const gint size =
      GST_VIDEO_FRAME_COMP_WIDTH (a, c) * GST_VIDEO_FRAME_COMP_PSTRIDE (a, c);
  gint most = 0;

  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (a, c); y++) {
    const guint8 *row_a = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (a, p)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (a, p);
    const guint8 *row_b = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (b, p)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (b, p);

    for (gint i = 0; i < size; i++)
      most = MAX (most, ABS (row_a[i] - row_b[i]));
  }
  return most;
}

gint
pipeline_pull_difference (GstElement *pipeline, const gchar *a, const gchar *b)
{
  GstVideoFrame frame, other;
  G_GNUC_UNUSED g_autoptr (GstSample) sample = pull (pipeline, a, &frame);
  G_GNUC_UNUSED g_autoptr (GstSample) other_sample = pull (pipeline, b, &other);
  gint most = 0;

  g_assert_cmpuint (
      GST_BUFFER_PTS (frame.buffer), ==, GST_BUFFER_PTS (other.buffer));
  g_assert_cmpint (
      GST_VIDEO_FRAME_WIDTH (&frame), ==, GST_VIDEO_FRAME_WIDTH (&other));
  g_assert_cmpint (
      GST_VIDEO_FRAME_HEIGHT (&frame), ==, GST_VIDEO_FRAME_HEIGHT (&other));
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (&frame); c++)
    most = MAX (most, component_difference (&frame, &other, c));
  gst_video_frame_unmap (&frame);
  gst_video_frame_unmap (&other);
  return most;
}

void
pipeline_finish (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (
      bus, END_TIMEOUT, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);

  g_assert_nonnull (message);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    fail_for_message (message);
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_NULL), ==,
      GST_STATE_CHANGE_SUCCESS);
}
