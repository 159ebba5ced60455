/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames in OpenGL's memory, on a virtual screen with Mesa's software renderer:
 * histograms and pixels equal those of frames in system memory.
 */

#include "pipeline.h"
#include "screen.h"
#include "size.h"

#define N_FRAMES 2

/* in fours of one kind */
static const gchar *const formats[] = { "RGBA", "BGRA", "ARGB", "ABGR", "RGBx",
  "BGRx", "xRGB", "xBGR", "GRAY8", "RGB", "BGR", "I420", "YV12", "Y444", "Y42B",
  "Y41B", "NV12", "NV21", "NV16", "NV61", "YUY2", "UYVY", "AYUV", "VUYA" };

static const gchar *const works[] = { "", "equalization=global",
  "equalization=clahe", "exposure=zebra", "scopes=histogram",
  /* reads the frame beside the changed one */
  "equalization=global exposure=zebra" };

/* --- histograms --- */

/* Collects the histograms of elements `a` and `b`. */
static GstBusSyncReply
on_message (GstBus *bus, GstMessage *message, gpointer queues)
{
  GAsyncQueue **both = queues;

  (void) bus;
  if (gst_message_has_name (message, "amphisto"))
    g_async_queue_push (
        g_str_equal (GST_MESSAGE_SRC_NAME (message), "a") ? both[0] : both[1],
        gst_structure_copy (gst_message_get_structure (message)));
  return GST_BUS_PASS;
}

/* `path` names the structures. */
static void
check_structures (
    const GstStructure *a, const GstStructure *b, const gchar *path)
{
  g_assert_cmpint (gst_structure_n_fields (a), ==, gst_structure_n_fields (b));
  for (gint i = 0; i < gst_structure_n_fields (a); i++) {
    const gchar *name = gst_structure_nth_field_name (a, i);
    const GValue *value = gst_structure_get_value (a, name);
    const GValue *other = gst_structure_get_value (b, name);
    g_autofree gchar *field = g_strdup_printf ("%s.%s", path, name);

    if (other == NULL)
      g_error ("%s is missing", field);
    if (GST_VALUE_HOLDS_STRUCTURE (value))
      check_structures (gst_value_get_structure (value),
          gst_value_get_structure (other), field);
    else if (gst_value_compare (value, other) != GST_VALUE_EQUAL)
      g_error ("%s is %s, not %s", field, gst_value_serialize (other),
          gst_value_serialize (value));
  }
}

static void
check_histograms (GAsyncQueue *queues[2])
{
  g_autoptr (GstStructure) a = g_async_queue_try_pop (queues[0]);
  g_autoptr (GstStructure) b = g_async_queue_try_pop (queues[1]);

  g_assert_nonnull (a);
  g_assert_nonnull (b);
  check_structures (a, b, gst_structure_get_name (a));
}

/* --- tests --- */

/* The frame in OpenGL's memory belongs to amphisto, or somebody else gets it as
 * well, unchanged. */
static void
check (const gchar *format, const gchar *work, gboolean is_shared)
{
  g_autofree gchar *description = g_strdup_printf (
      "videotestsrc num-buffers=%d pattern=ball background-color=0xff305070 ! "
      "video/x-raw,format=%s,width=162,height=122 ! tee name=source ! queue ! "
      "amphisto name=a channels=luma+chroma+rgb+alpha post-messages=true "
      "interval=0 qos=false %s ! appsink name=system sync=false "
      "source. ! queue ! glupload ! video/x-raw(memory:GLMemory),format=%s ! "
      "%s amphisto name=b channels=luma+chroma+rgb+alpha post-messages=true "
      "interval=0 qos=false frames-in-flight=%d %s ! "
      "video/x-raw(memory:GLMemory) ! gldownload ! video/x-raw ! "
      "appsink name=gl sync=false %s",
      N_FRAMES, format, work, format,
      is_shared ? "tee name=shared ! queue !" : "", is_shared ? 1 : 2, work,
      is_shared ? "source. ! queue ! appsink name=before sync=false "
                  "shared. ! queue ! gldownload ! video/x-raw ! "
                  "appsink name=after sync=false"
                : "");
  g_autoptr (GstElement) pipeline = pipeline_new (description);
  g_autoptr (GAsyncQueue) a = g_async_queue_new ();
  g_autoptr (GAsyncQueue) b = g_async_queue_new ();
  GAsyncQueue *queues[] = { a, b };
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  gst_bus_set_sync_handler (bus, on_message, queues, NULL);
  g_test_message ("%s, %s, %d", format, work, is_shared);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint n = 0; n < N_FRAMES; n++) {
    g_assert_cmpint (
        pipeline_pull_difference (pipeline, "system", "gl"), ==, 0);
    check_histograms (queues);
    if (is_shared)
      g_assert_cmpint (
          pipeline_pull_difference (pipeline, "before", "after"), ==, 0);
  }
  pipeline_finish (pipeline);
}

/* The first format of each kind has all works, both shared and not, the others
 * either. */
static void
test_format (gconstpointer data)
{
  const gchar *const *format = data;
  const guint f = (guint) (format - formats);
  const gchar *const elements[] = { "glupload", "gldownload", NULL };

  if (!pipeline_can_run (NULL, elements))
    return;
  for (guint w = 0; w < G_N_ELEMENTS (works); w++)
    for (guint shared = 0; shared < 2; shared++)
      if (f % 4 == 0 || (w + f) % 2 == shared)
        check (*format, works[w], shared);
}

int
main (int argc, char **argv)
{
  screen_init (&argc, &argv);
  for (guint f = 0; f < G_N_ELEMENTS (formats);
       f += test_size () < TEST_FULL ? 4 : 1) {
    g_autofree gchar *name = g_strdup_printf ("/gl/%s", formats[f]);

    g_test_add_data_func (name, &formats[f], test_format);
  }
  return g_test_run ();
}
