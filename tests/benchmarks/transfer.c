/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * transfer [--work NAME]: whole elements with several frames in flight,
 * compared with the bus: plain copies of the same bytes between pinned memory
 * and the device, in both directions at once. A line has the work, the size,
 * and the memory of the frames: the pool that the element proposes, in buffers
 * that the element owns and may change in place, or that are shared; foreign
 * memory that comes again, or that comes once. For each number
 * of frames in flight follow the milliseconds per frame of the element and of
 * the bus and, in brackets, the element's throughput in percent of the bus's.
 * In the rows `drawn` and `composed`, an element without scopes takes the place
 * of the bus.
 */

#include "bus.h"
#include "contenders.h"
#include "options.h"
#include "pictures.h"

#define MAX_IN_FLIGHT 3

typedef struct
{
  const gchar *name;
  GstVideoFormat format;
  PictureSize size;
  const gchar *amphisto;
  /* half bytes per pixel to upload and download */
  guint up;
  guint down;
  const gchar *base; /* launch line to compare with instead of the bus */
  gboolean composes; /* behind the element, a sink takes compositions */
} Work;

static const Work works[] = {
  { "equalize-gray", GST_VIDEO_FORMAT_GRAY8, { 640, 480 },
      "amphisto equalization=global", .up = 2, .down = 2 },
  { "equalize-gray", GST_VIDEO_FORMAT_GRAY8, { 1920, 1080 },
      "amphisto equalization=global", .up = 2, .down = 2 },
  { "equalize-gray", GST_VIDEO_FORMAT_GRAY8, { 3840, 2160 },
      "amphisto equalization=global", .up = 2, .down = 2 },
  { "equalize-rgba", GST_VIDEO_FORMAT_RGBA, { 1920, 1080 },
      "amphisto equalization=global", .up = 8, .down = 8 },
  { "equalize-i420", GST_VIDEO_FORMAT_I420, { 1920, 1080 },
      "amphisto equalization=global", .up = 3, .down = 3 },
  { "equalize-i420", GST_VIDEO_FORMAT_I420, { 3840, 2160 },
      "amphisto equalization=global", .up = 3, .down = 3 },
  { "histogram-gray", GST_VIDEO_FORMAT_GRAY8, { 3840, 2160 }, "amphisto",
      .up = 2, .down = 0 },
  { "histogram-i420", GST_VIDEO_FORMAT_I420, { 1920, 1080 }, "amphisto",
      .up = 2, .down = 0 },
  { "scope-i420", GST_VIDEO_FORMAT_I420, { 1920, 1080 },
      "amphisto scopes=histogram", .up = 3, .down = 3 },
  { "drawn-i420", GST_VIDEO_FORMAT_I420, { 3840, 2160 },
      "amphisto scopes=histogram", .base = "amphisto" },
  { "composed-i420", GST_VIDEO_FORMAT_I420, { 3840, 2160 },
      "amphisto scopes=histogram", .base = "amphisto", .composes = TRUE },
};

/* Where frames come from. */
typedef struct
{
  const gchar *name;
  gboolean is_pool;  /* that the element proposes; else foreign memory */
  gboolean is_owned; /* without another reference */
  gboolean renews;   /* each frame comes as new memory */
} Source;

static const Source sources[] = {
  { "owned", .is_pool = TRUE, .is_owned = TRUE },
  { "pool", .is_pool = TRUE },
  { .name = "foreign" },
  { "new", .renews = TRUE },
};

/* --- a stream of frames --- */

/* An element that gets the same frames in turn. The stream keeps a reference to
 * each, so the element does not own them; if it does, it gets buffers of the
 * pool. */
typedef struct
{
  Contender parent;
  const Source *source;
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

/* Returns: (transfer full): the frame's bytes as new memory. */
static GstBuffer *
renew (GstBuffer *frame)
{
  GstBuffer *buffer;
  GstMapInfo map;

  if (!gst_buffer_map (frame, &map, GST_MAP_READ))
    bench_fail ("A frame can't be mapped.");
  buffer = gst_buffer_new_wrapped_full (0, map.data, map.size, 0, map.size,
      gst_buffer_ref (frame), (GDestroyNotify) gst_buffer_unref);
  gst_buffer_unmap (frame, &map);
  return buffer;
}

/* Returns: (transfer full): the next frame to push. */
static GstBuffer *
next_frame (Stream *self)
{
  GstBuffer *frame = NULL;

  if (self->source->is_owned) {
    if (gst_buffer_pool_acquire_buffer (self->pool, &frame, NULL)
        != GST_FLOW_OK)
      bench_fail ("The pool that amphisto proposes gives no frames.");
    return frame;
  }
  frame =
      g_ptr_array_index (self->frames, self->n_pushed++ % self->frames->len);
  return self->source->renews ? renew (frame) : gst_buffer_ref (frame);
}

/* Runs until the last frame is out. */
static gdouble
stream_run (Contender *contender, guint n_frames)
{
  Stream *self = (Stream *) contender;
  const gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < n_frames; i++) {
    const GstFlowReturn flow =
        gst_harness_push (self->harness, next_frame (self));

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

/* --- rows --- */

static GstHarness *
element_new (const Work *work, const GstVideoInfo *info, guint n_in_flight)
{
  g_autofree gchar *description = n_in_flight > 1
      ? g_strdup_printf ("%s frames-in-flight=%u", work->amphisto, n_in_flight)
      : g_strdup (work->amphisto);
  GstHarness *h = harness_new (description);

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  if (work->composes)
    harness_take_compositions (h);
  gst_harness_set_src_caps (h, gst_video_info_to_caps (info));
  gst_harness_set_drop_buffers (h, TRUE);
  return h;
}

/* Returns: NULL if the source is a pool and the element proposes none. */
static Contender *
stream_new (const Work *work, const Source *source, const GstVideoInfo *info,
    GstBuffer *picture, guint n_in_flight)
{
  /* besides the frames in flight, one arrives and one leaves */
  const guint n = n_in_flight + 2;
  Stream *self = g_new0 (Stream, 1);

  self->parent = (Contender){ .run = stream_run, .free = stream_free };
  self->source = source;
  self->harness = element_new (work, info, n_in_flight);
  self->frames =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  if (source->is_pool) {
    self->pool = negotiate_pool (self->harness, info, n);
    if (self->pool == NULL) {
      stream_free (&self->parent);
      return NULL;
    }
  }
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (self->frames,
        source->is_pool ? acquire_copy (self->pool, info, picture)
                        : gst_buffer_copy_deep (picture));
  /* all buffers of the pool have the picture now */
  if (source->is_owned)
    g_ptr_array_set_size (self->frames, 0);
  return &self->parent;
}

/* The bus, or a stream of the work's base. */
static Contender *
scale_new (const Work *work, const Source *source, const GstVideoInfo *info,
    GstBuffer *picture, guint n_in_flight)
{
  const gsize n_pixels = (gsize) work->size.width * work->size.height;
  const Work base = { .amphisto = work->base };

  return work->base != NULL
      ? stream_new (&base, source, info, picture, n_in_flight)
      : bus_new (n_pixels * work->up / 2, n_pixels * work->down / 2);
}

/* Compares one number of frames in flight with the bus or the base. */
static void
run_cell (const Work *work, const Source *source, const GstVideoInfo *info,
    GstBuffer *picture, guint n_in_flight)
{
  Contender *pair[2] = { NULL,
    stream_new (work, source, info, picture, n_in_flight) };
  BenchTimes times[2];

  if (pair[1] == NULL) {
    g_print ("  none");
    return;
  }
  if (work->composes
      && !harness_gives_composition (((Stream *) pair[1])->harness, picture)) {
    g_print ("  no composition");
    contender_free (pair[1]);
    return;
  }
  pair[0] = scale_new (work, source, info, picture, n_in_flight);
  bench_alternate (pair, 2, times, NULL);
  g_print ("  %u: %6.3f of %6.3f (%3.0f %%)", n_in_flight,
      bench_median (&times[1]), bench_median (&times[0]),
      100 * bench_ratio (&times[0], &times[1]).median);
  contender_free (pair[0]);
  contender_free (pair[1]);
}

static void
run_row (const Work *work, PictureKind kind)
{
  g_autoptr (GstBuffer) picture = NULL;
  GstVideoInfo info;

  picture = picture_new (kind, work->format, work->size, &info);
  info.fps_n = 30; /* without a rate, no frames are held back */
  for (guint s = 0; s < G_N_ELEMENTS (sources); s++) {
    g_print ("%-14s %4ux%-4u %-7s", work->name, work->size.width,
        work->size.height, sources[s].name);
    for (guint n = 1; n <= MAX_IN_FLIGHT; n++)
      run_cell (work, &sources[s], &info, picture, n);
    g_print ("\n");
  }
}

int
main (int argc, char **argv)
{
  guint n_rows = 0;
  PictureKind kind;

  parse_options (&argc, &argv, CHOICE_WORK + 1);
  print_heading ("transfer, ms per frame, of the bus or of measuring");
  kind = picture_ordinary ();
  for (guint w = 0; w < G_N_ELEMENTS (works); w++)
    if (is_chosen (CHOICE_WORK, works[w].name)) {
      run_row (&works[w], kind);
      n_rows++;
    }
  if (n_rows == 0)
    bench_fail ("No row has this name.");
  return 0;
}
