/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * live: the CPU time that elements take in a live pipeline with N_FRAMES
 * frames, I420, 30 per second. The source keeps its frame, so that
 * drawing has to copy it. A line has the elements, the user and system seconds
 * that they add to a pipeline without them. If `composed`, the sink takes
 * overlay compositions.
 */

#include "contenders.h"
#include "options.h"
#include "pictures.h"

#define N_FRAMES 600 /* 20 seconds */

#define ALONE "identity" /* the others are compared with it */
#define TEXT "textoverlay text=text"
#define SCOPE "amphisto scopes=histogram"
#define SCOPES "amphisto scopes=histogram+waveform+vectorscope"

#define ROW "%4ux%-4u  %-57s  "

static const struct
{
  PictureSize size;
  const gchar *elements;
  gboolean is_composed; /* for a sink that takes overlay compositions */
} works[] = {
  { { 640, 480 }, ALONE, FALSE },
  { { 640, 480 }, SCOPES, FALSE },
  { { 1920, 1080 }, ALONE, FALSE },
  { { 1920, 1080 }, "amphisto", FALSE },
  { { 1920, 1080 }, SCOPE, FALSE },
  { { 1920, 1080 }, SCOPE, TRUE },
  { { 1920, 1080 }, SCOPES, FALSE },
  { { 1920, 1080 }, SCOPES, TRUE },
  { { 1920, 1080 }, TEXT, FALSE },
  { { 1920, 1080 }, TEXT, TRUE },
};

typedef struct
{
  gdouble start;   /* CPU seconds when the first frame arrives; 0 before */
  gdouble seconds; /* CPU seconds from then to the end of the stream */
  gboolean is_composed;
} Run;

/* --- the sink's pad --- */

static GstPadProbeReturn
on_frame (GstPad *pad, GstPadProbeInfo *probe, gpointer user_data)
{
  Run *run = user_data;

  (void) pad;
  if (run->start == 0)
    run->start = bench_cpu_seconds ();
  run->is_composed = gst_buffer_get_video_overlay_composition_meta (
                         GST_PAD_PROBE_INFO_BUFFER (probe))
      != NULL;
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_query (GstPad *pad, GstPadProbeInfo *probe, gpointer user_data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (probe);

  (void) pad;
  (void) user_data;
  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_query_add_allocation_meta (
      query, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

static void
probe_sink (GstElement *pipeline, gboolean takes_compositions, Run *run)
{
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_frame, run, NULL);
  if (takes_compositions)
    gst_pad_add_probe (
        pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, on_query, NULL, NULL);
}

/* --- pipelines --- */

/* Returns: (transfer full): the pipeline, or NULL if an element is missing. */
static GstElement *
pipeline_new (const gchar *elements)
{
  g_autofree gchar *description = g_strdup_printf (
      "appsrc name=source ! imagefreeze is-live=true num-buffers=%d ! "
      "video/x-raw,framerate=30/1 ! %s ! fakesink name=sink sync=true",
      N_FRAMES + 1, elements);
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch_full (
      description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);

  if (g_error_matches (error, GST_PARSE_ERROR, GST_PARSE_ERROR_NO_SUCH_ELEMENT))
    return NULL;
  if (error != NULL)
    bench_fail ("%s: %s", description, error->message);
  return pipeline;
}

static void
give_picture (GstElement *pipeline, PictureKind kind, PictureSize size)
{
  g_autoptr (GstElement) source =
      gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_autoptr (GstBuffer) picture = NULL;
  g_autoptr (GstCaps) caps = NULL;
  GstVideoInfo info;
  GstFlowReturn flow;

  picture = picture_new (kind, GST_VIDEO_FORMAT_I420, size, &info);
  caps = gst_video_info_to_caps (&info);
  g_object_set (source, "caps", caps, "format", GST_FORMAT_TIME, NULL);
  g_signal_emit_by_name (source, "push-buffer", picture, &flow);
}

static void
wait_for_end (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (
      bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    return;
  gst_message_parse_error (message, &error, NULL);
  bench_fail ("%s: %s", GST_MESSAGE_SRC_NAME (message), error->message);
}

/* Returns: FALSE if an element is missing. */
static gboolean
run_elements (guint work, PictureKind kind, Run *run)
{
  g_autoptr (GstElement) pipeline = pipeline_new (works[work].elements);

  if (pipeline == NULL)
    return FALSE;
  *run = (Run){ 0 };
  probe_sink (pipeline, works[work].is_composed, run);
  give_picture (pipeline, kind, works[work].size);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  wait_for_end (pipeline);
  run->seconds = bench_cpu_seconds () - run->start;
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return TRUE;
}

/* base: the seconds of ALONE at this size. */
static void
run_row (guint work, PictureKind kind, gdouble *base)
{
  const gboolean is_composed = works[work].is_composed;
  const gboolean is_base = g_str_equal (works[work].elements, ALONE);
  g_autofree gchar *name =
      g_strconcat (works[work].elements, is_composed ? ", composed" : "", NULL);
  Run run;

  g_print (ROW, works[work].size.width, works[work].size.height,
      is_base ? "the pipeline without them" : name);
  if (!run_elements (work, kind, &run) || run.is_composed != is_composed)
    g_print ("missing\n");
  else
    g_print ("%6.2f\n", is_base ? run.seconds : run.seconds - *base);
  if (is_base)
    *base = run.seconds;
}

int
main (int argc, char **argv)
{
  PictureKind kind;
  gdouble base = 0;

  parse_options (&argc, &argv, 0);
  print_heading ("live, CPU seconds of 20 s");
  kind = picture_ordinary ();
  for (guint w = 0; w < G_N_ELEMENTS (works); w++)
    run_row (w, kind, &base);
  return 0;
}
