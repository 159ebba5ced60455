/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * transfer [--work NAME]: whole elements with several frames in flight, beside
 * plain copies of the same bytes between pinned memory and the device, up and
 * down at once: the bus. A line has the work, the size and the bus, in
 * milliseconds a frame; where the frames come from: a pool that the element
 * proposes, or foreign memory; and for each number of frames in flight the
 * milliseconds a frame and, in brackets, how much of the bus's throughput that
 * is.
 */

#include "bus.h"
#include "contenders.h"
#include "crowd.h"
#include "pictures.h"

#define MAX_IN_FLIGHT 3
#define N_CROWD 8

typedef struct
{
  const gchar *name;
  GstVideoFormat format;
  PictureSize size;
  const gchar *amphisto;
  /* bytes a pixel, in 1/2, that the work has to move */
  guint up;
  guint down;
  guint n_elements; /* at once, in a thread each */
} Work;

static const Work works[] = {
  { "equalize-gray", GST_VIDEO_FORMAT_GRAY8, { 640, 480 },
      "amphisto equalization=global", 2, 2, 1 },
  { "equalize-gray", GST_VIDEO_FORMAT_GRAY8, { 1920, 1080 },
      "amphisto equalization=global", 2, 2, 1 },
  { "equalize-gray", GST_VIDEO_FORMAT_GRAY8, { 3840, 2160 },
      "amphisto equalization=global", 2, 2, 1 },
  { "equalize-rgba", GST_VIDEO_FORMAT_RGBA, { 1920, 1080 },
      "amphisto equalization=global", 8, 8, 1 },
  { "histogram-gray", GST_VIDEO_FORMAT_GRAY8, { 3840, 2160 }, "amphisto", 2, 0,
      1 },
  { "histogram-i420", GST_VIDEO_FORMAT_I420, { 1920, 1080 }, "amphisto", 2, 0,
      1 },
  { "overlay-i420", GST_VIDEO_FORMAT_I420, { 1920, 1080 },
      "amphisto scopes=histogram", 3, 3, 1 },
  { "crowd-gray", GST_VIDEO_FORMAT_GRAY8, { 3840, 2160 },
      "amphisto equalization=global", 2, 2, N_CROWD },
};

static gchar *chosen_work;

/* --- a stream of frames --- */

/* An element that gets the same frames in turn, which it does not own. */
typedef struct
{
  Contender parent;
  GstHarness *harness;
  GPtrArray *frames; /* of GstBuffer */
  GstBufferPool *pool;
  guint n_pushed;
} Stream;

static void
drain (GstHarness *h)
{
  g_autoptr (GstQuery) query = gst_query_new_drain ();

  gst_pad_peer_query (h->srcpad, query);
}

/* Until the last frame is out. */
static gdouble
stream_run (Contender *contender, guint n_frames)
{
  Stream *self = (Stream *) contender;
  const gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < n_frames; i++) {
    GstBuffer *frame =
        g_ptr_array_index (self->frames, self->n_pushed++ % self->frames->len);
    const GstFlowReturn flow =
        gst_harness_push (self->harness, gst_buffer_ref (frame));

    if (flow != GST_FLOW_OK)
      bench_fail ("amphisto: %s", gst_flow_get_name (flow));
  }
  drain (self->harness);
  return bench_seconds_since (start);
}

static void
stream_free (Contender *contender)
{
  Stream *self = (Stream *) contender;

  gst_harness_teardown (self->harness);
  g_ptr_array_unref (self->frames);
  if (self->pool != NULL)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
  g_free (self);
}

static Stream *
stream_new (const Work *work, const GstVideoInfo *info, guint n_in_flight)
{
  g_autofree gchar *description = n_in_flight > 1
      ? g_strdup_printf ("%s frames-in-flight=%u", work->amphisto, n_in_flight)
      : g_strdup (work->amphisto);
  Stream *self = g_new0 (Stream, 1);

  self->parent = (Contender){ .run = stream_run, .free = stream_free };
  self->harness = harness_new (description);
  self->frames =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  gst_harness_add_propose_allocation_meta (
      self->harness, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_src_caps (self->harness, gst_video_info_to_caps (info));
  gst_harness_set_drop_buffers (self->harness, TRUE);
  return self;
}

/* Frames beyond those in flight: one that arrives and one that leaves. */
static guint
n_frames_for (guint n_in_flight)
{
  return n_in_flight + 2;
}

static Contender *
stream_new_foreign (const Work *work, const GstVideoInfo *info,
    GstBuffer *picture, guint n_in_flight)
{
  Stream *self = stream_new (work, info, n_in_flight);

  for (guint i = 0; i < n_frames_for (n_in_flight); i++)
    g_ptr_array_add (self->frames, gst_buffer_copy_deep (picture));
  return &self->parent;
}

/* --- the proposed pool --- */

/* Returns: (transfer full): the pool that the element proposes to upstream,
 * active, or NULL. */
static GstBufferPool *
negotiate_pool (GstHarness *h, const GstVideoInfo *info, guint n)
{
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  GstBufferPool *pool = NULL;
  GstStructure *config;
  guint size, min;

  if (!gst_pad_peer_query (h->srcpad, query)
      || gst_query_get_n_allocation_pools (query) == 0)
    return NULL;
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &min, NULL);
  if (pool == NULL)
    return NULL;
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, size, MAX (min, n), 0);
  if (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL))
    gst_buffer_pool_config_add_option (
        config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (!gst_buffer_pool_set_config (pool, config)
      || !gst_buffer_pool_set_active (pool, TRUE))
    bench_fail ("The pool that amphisto proposes does not start.");
  return pool;
}

static GstBuffer *
acquire_copy (GstBufferPool *pool, const GstVideoInfo *info, GstBuffer *picture)
{
  GstBuffer *buffer = NULL;
  GstVideoFrame from, to;

  if (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL) != GST_FLOW_OK
      || !gst_video_frame_map (&from, info, picture, GST_MAP_READ)
      || !gst_video_frame_map (&to, info, buffer, GST_MAP_WRITE)
      || !gst_video_frame_copy (&to, &from))
    bench_fail ("The pool that amphisto proposes gives no frames.");
  gst_video_frame_unmap (&to);
  gst_video_frame_unmap (&from);
  return buffer;
}

/* Returns: NULL where the element proposes no pool. */
static Contender *
stream_new_pool (const Work *work, const GstVideoInfo *info, GstBuffer *picture,
    guint n_in_flight)
{
  Stream *self = stream_new (work, info, n_in_flight);
  const guint n = n_frames_for (n_in_flight);

  self->pool = negotiate_pool (self->harness, info, n);
  if (self->pool == NULL) {
    stream_free (&self->parent);
    return NULL;
  }
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (self->frames, acquire_copy (self->pool, info, picture));
  return &self->parent;
}

/* --- rows --- */

typedef Contender *(*StreamNew) (const Work *work, const GstVideoInfo *info,
    GstBuffer *picture, guint n_in_flight);

static const struct
{
  const gchar *name;
  StreamNew new;
} sources[] = { { "pool", stream_new_pool },
  { "foreign", stream_new_foreign } };

/* Returns: NULL where the source is missing. */
static Contender *
elements_new (const Work *work, const GstVideoInfo *info, GstBuffer *picture,
    StreamNew stream, guint n_in_flight)
{
  Contender *members[N_CROWD];

  for (guint i = 0; i < work->n_elements; i++) {
    members[i] = stream (work, info, picture, n_in_flight);
    if (members[i] == NULL)
      return NULL;
  }
  return crowd_new (members, work->n_elements);
}

/* Runs one number of frames in flight beside the bus. */
static void
run_cell (const Work *work, const GstVideoInfo *info, GstBuffer *picture,
    StreamNew stream, guint n_in_flight)
{
  const gsize n_pixels = (gsize) work->size.width * work->size.height;
  Contender *pair[2] = { NULL,
    elements_new (work, info, picture, stream, n_in_flight) };
  BenchTimes times[2];
  gdouble throughput;

  if (pair[1] == NULL) {
    g_print ("  none");
    return;
  }
  pair[0] = bus_new (n_pixels * work->up / 2, n_pixels * work->down / 2);
  bench_alternate (pair, 2, times, NULL);
  throughput =
      100 * work->n_elements * bench_ratio (&times[0], &times[1]).median;
  g_print ("  %u: %6.3f of %6.3f (%3.0f %%)", n_in_flight,
      bench_median (&times[1]) / work->n_elements, bench_median (&times[0]),
      throughput);
  contender_free (pair[0]);
  contender_free (pair[1]);
}

static void
run_row (const Work *work, PictureKind kind, guint max_in_flight)
{
  g_autoptr (GstBuffer) picture = NULL;
  GstVideoInfo info;

  picture_info_init (&info, work->format, work->size);
  picture = picture_new (kind, &info);
  for (guint s = 0; s < G_N_ELEMENTS (sources); s++) {
    g_print ("%-14s %4ux%-4u %-7s", work->name, work->size.width,
        work->size.height, sources[s].name);
    for (guint n = 1; n <= max_in_flight; n++)
      run_cell (work, &info, picture, sources[s].new, n);
    g_print ("\n");
  }
}

/* --- the program --- */

/* Elements without the property have one frame in flight. */
static guint
find_max_in_flight (void)
{
  GstElement *element = gst_element_factory_make ("amphisto", NULL);
  const gboolean has_property =
      g_object_class_find_property (
          G_OBJECT_GET_CLASS (element), "frames-in-flight")
      != NULL;

  gst_object_unref (element);
  if (!has_property)
    g_print ("amphisto has no property frames-in-flight\n");
  return has_property ? MAX_IN_FLIGHT : 1;
}

static void
parse_arguments (int *argc, char ***argv)
{
  const GOptionEntry entries[] = {
    { "work", 0, 0, G_OPTION_ARG_STRING, &chosen_work, "One work", "NAME" },
    { 0 },
  };

  parse_options (argc, argv, entries);
}

int
main (int argc, char **argv)
{
  guint max_in_flight, n_rows = 0;
  PictureKind kind;

  parse_arguments (&argc, &argv);
  print_heading ("transfer, ms a frame, of the bus");
  max_in_flight = find_max_in_flight ();
  kind = picture_ordinary ();
  for (guint w = 0; w < G_N_ELEMENTS (works); w++)
    if (chosen_work == NULL || g_str_equal (chosen_work, works[w].name)) {
      run_row (&works[w], kind, max_in_flight);
      n_rows++;
    }
  if (n_rows == 0)
    bench_fail ("Nothing is called that.");
  return 0;
}
