/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames in OpenGL's memory, on a virtual screen with Mesa's software renderer:
 * histograms and pixels equal those of frames in system memory.
 */

#include "pipeline.h"
#include "screen.h"
#include "size.h"

#include <gst/app/gstappsink.h>
#include <gst/video/video.h>
#include <string.h>

#define N_FRAMES 2

/* Longer than building the kernels takes while other tests run. */
#define FRAME_TIMEOUT (120 * GST_SECOND)

/* the first of each four: one of each kind */
static const gchar *const formats[] = { "RGBA", "BGRA", "ARGB", "ABGR", "RGBx",
  "BGRx", "xRGB", "xBGR", "GRAY8", "RGB", "BGR", "I420", "YV12", "Y444", "Y42B",
  "Y41B", "NV12", "NV21", "NV16", "NV61", "YUY2", "UYVY", "AYUV", "VUYA" };

static const gchar *const works[] = { "", "equalization=global",
  "equalization=clahe", "exposure=zebra", "scopes=histogram",
  /* reads the frame beside the changed one */
  "equalization=global exposure=zebra" };

/* --- frames --- */

static gboolean
plane_rows_equal (const GstVideoFrame *a, const GstVideoFrame *b, guint c)
{
  const guint p = GST_VIDEO_FRAME_COMP_PLANE (a, c);
  const gsize size = (gsize) GST_VIDEO_FRAME_COMP_WIDTH (a, c)
      * GST_VIDEO_FRAME_COMP_PSTRIDE (a, c);

  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (a, c); y++)
    if (memcmp ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (a, p)
                + y * GST_VIDEO_FRAME_PLANE_STRIDE (a, p),
            (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (b, p)
                + y * GST_VIDEO_FRAME_PLANE_STRIDE (b, p),
            size)
        != 0)
      return FALSE;
  return TRUE;
}

static gboolean
samples_equal (GstSample *sample, GstSample *other)
{
  GstVideoInfo info, other_info;
  GstVideoFrame frame, other_frame;
  gboolean are_equal = TRUE;

  g_assert_true (
      gst_video_info_from_caps (&info, gst_sample_get_caps (sample)));
  g_assert_true (
      gst_video_info_from_caps (&other_info, gst_sample_get_caps (other)));
  g_assert_true (gst_video_frame_map (
      &frame, &info, gst_sample_get_buffer (sample), GST_MAP_READ));
  g_assert_true (gst_video_frame_map (
      &other_frame, &other_info, gst_sample_get_buffer (other), GST_MAP_READ));
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&info); c++)
    are_equal = are_equal && plane_rows_equal (&frame, &other_frame, c);
  gst_video_frame_unmap (&frame);
  gst_video_frame_unmap (&other_frame);
  return are_equal;
}

/* The next frames of both sinks are equal. */
static void
check_frames (GstElement *pipeline, const gchar *a, const gchar *b)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), a);
  g_autoptr (GstElement) other = gst_bin_get_by_name (GST_BIN (pipeline), b);
  g_autoptr (GstSample) sample =
      gst_app_sink_try_pull_sample (GST_APP_SINK (sink), FRAME_TIMEOUT);
  g_autoptr (GstSample) other_sample =
      gst_app_sink_try_pull_sample (GST_APP_SINK (other), FRAME_TIMEOUT);

  g_assert_nonnull (sample);
  g_assert_nonnull (other_sample);
  if (!samples_equal (sample, other_sample))
    g_error ("%s and %s differ", a, b);
}

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

static void
check_histograms (GAsyncQueue *queues[2])
{
  g_autoptr (GstStructure) a = g_async_queue_try_pop (queues[0]);
  g_autoptr (GstStructure) b = g_async_queue_try_pop (queues[1]);

  g_assert_nonnull (a);
  g_assert_nonnull (b);
  g_assert_true (gst_structure_is_equal (a, b));
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
    check_frames (pipeline, "system", "gl");
    check_histograms (queues);
    if (is_shared)
      check_frames (pipeline, "before", "after");
  }
  pipeline_finish (pipeline);
}

static void
test_format (gconstpointer format)
{
  const gchar *const elements[] = { "glupload", "gldownload", NULL };

  if (!pipeline_can_run (NULL, elements))
    return;
  for (guint w = 0; w < G_N_ELEMENTS (works); w++)
    for (guint shared = 0; shared < 2; shared++)
      check (format, works[w], shared);
}

int
main (int argc, char **argv)
{
  screen_init (&argc, &argv);
  for (guint f = 0; f < G_N_ELEMENTS (formats);
       f += test_size () < TEST_FULL ? 4 : 1) {
    g_autofree gchar *name = g_strdup_printf ("/gl/%s", formats[f]);

    g_test_add_data_func (name, formats[f], test_format);
  }
  return g_test_run ();
}
