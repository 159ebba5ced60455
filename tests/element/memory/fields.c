/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The fields of interlaced frames: their chroma is where GStreamer's converter
 * has it, also in buffers without the lower field's last row.
 */

#include "harnesses.h"

#include <string.h>

/* Formats with a row of chroma for 2 or 4 rows of luma. */
static const gchar *const formats[] = { "I420", "YV12", "NV12", "NV21", "A420",
  "YUV9", "YVU9" };

static const gchar *const rgb_names[] = { "red", "green", "blue" };

/* --- GStreamer's converter --- */

static GstVideoInfo
info_new (const gchar *format, guint width, guint height, const gchar *mode)
{
  g_autoptr (GstCaps) caps = video_caps (format, width, height, NULL);
  GstVideoInfo info;

  gst_caps_set_simple (caps, "interlace-mode", G_TYPE_STRING, mode, NULL);
  fail_unless (gst_video_info_from_caps (&info, caps));
  return info;
}

/* Returns: (transfer full): the buffer converted by GStreamer, which repeats
 * shared samples. */
static GstBuffer *
convert (GstBuffer *buffer, GstVideoInfo *from, GstVideoInfo *to)
{
  GstVideoConverter *converter = gst_video_converter_new (from, to,
      gst_structure_new ("options", GST_VIDEO_CONVERTER_OPT_CHROMA_MODE,
          GST_TYPE_VIDEO_CHROMA_MODE, GST_VIDEO_CHROMA_MODE_NONE, NULL));
  GstBuffer *converted = gst_buffer_new_allocate (NULL, to->size, NULL);
  GstVideoFrame source, target;

  fail_unless (gst_video_frame_map (&source, from, buffer, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&target, to, converted, GST_MAP_WRITE));
  gst_video_converter_frame (converter, &source, &target);
  gst_video_frame_unmap (&source);
  gst_video_frame_unmap (&target);
  gst_video_converter_free (converter);
  return converted;
}

/* A frame of random bytes in the layout of the caps. It may have one row of
 * chroma more than the component's height. */
static GstBuffer *
random_buffer (const GstVideoInfo *info, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = g_rand_int (random) >> 24;
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static void
assert_same_colours (GstBuffer *a, GstBuffer *b, guint n_pixels)
{
  GstMapInfo maps[2];

  fail_unless (gst_buffer_map (a, &maps[0], GST_MAP_READ));
  fail_unless (gst_buffer_map (b, &maps[1], GST_MAP_READ));
  /* U and V of Y444, behind Y */
  fail_unless (memcmp (maps[0].data + n_pixels, maps[1].data + n_pixels,
                   (gsize) 2 * n_pixels)
      == 0);
  gst_buffer_unmap (a, &maps[0]);
  gst_buffer_unmap (b, &maps[1]);
}

/* --- buffers without the lower field's last row of chroma --- */

/* Returns: (transfer full): a buffer in the layout of progressive frames. */
static GstBuffer *
tight_buffer_new (const GstVideoInfo *info)
{
  GstBuffer *buffer;
  GstVideoInfo tight;

  gst_video_info_set_format (&tight, GST_VIDEO_INFO_FORMAT (info),
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  buffer = gst_buffer_new_allocate (NULL, tight.size, NULL);
  gst_buffer_add_video_meta_full (buffer, 0, GST_VIDEO_INFO_FORMAT (info),
      tight.width, tight.height, GST_VIDEO_INFO_N_PLANES (&tight), tight.offset,
      tight.stride);
  return buffer;
}

/* Copies the rows of progressive frames. */
static void
copy_rows (GstBuffer *from, GstBuffer *to, const GstVideoInfo *info)
{
  GstVideoFrame source, target;

  fail_unless (gst_video_frame_map (&source, info, from, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&target, info, to, GST_MAP_WRITE));
  fail_unless (gst_video_frame_copy (&target, &source));
  gst_video_frame_unmap (&source);
  gst_video_frame_unmap (&target);
}

/* Sets the lower field's last row of chroma to the previous one. */
static void
repeat_rows (GstBuffer *buffer, const GstVideoInfo *info)
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READWRITE));
  for (guint p = 1; p < GST_VIDEO_FRAME_N_PLANES (&frame); p++) {
    const guint stride = GST_VIDEO_FRAME_PLANE_STRIDE (&frame, p);
    const guint n_rows = GST_VIDEO_FRAME_COMP_HEIGHT (&frame, MIN (p, 3));
    guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (&frame, p);

    if (p < 3 && n_rows % 2 == 1)
      memcpy (data + (gsize) n_rows * stride,
          data + (gsize) (MAX (n_rows, 2) - 2) * stride, stride);
  }
  gst_video_frame_unmap (&frame);
}

/* The channels R, G and B of both are the same. */
static void
assert_same_bins (GstBuffer *a, GstBuffer *b)
{
  for (guint c = 0; IS_ROW (rgb_names, c); c++) {
    guint32 bins[2][258];

    buffer_bins (a, rgb_names[c], bins[0]);
    buffer_bins (b, rgb_names[c], bins[1]);
    fail_unless (memcmp (bins[0], bins[1], sizeof bins[0]) == 0, "%s differs",
        rgb_names[c]);
  }
}

/* The new buffer of an equalized frame has the colours of `before`. */
static void
check_colours (GstHarness *h, GstBuffer *buffer, GstBuffer *before,
    GstVideoInfo *from, GstVideoInfo *to)
{
  g_autoptr (GstBuffer) out = harness_run (h, gst_buffer_ref (buffer));
  g_autoptr (GstBuffer) after = convert (out, from, to);

  fail_unless (out != buffer);
  assert_same_colours (before, after, from->width * from->height);
}

/* GStreamer spreads chroma over the pixels of their field as the element does.
 * A frame that is equalized into a new buffer keeps its colours, those of the
 * last rows, too. GStreamer reads the lower field's last row in the new buffer,
 * also if the frame's buffer lacks it. */
static void
check_converted (
    GstHarness *measuring, GstHarness *equalizing, guint height, guint f)
{
  GstVideoInfo from = info_new (formats[f], 32, height, "interleaved");
  GstVideoInfo to = info_new ("Y444", 32, height, "interleaved");
  g_autoptr (GstBuffer) buffer = random_buffer (&from, f + height);
  g_autoptr (GstBuffer) spread = convert (buffer, &from, &to);
  g_autoptr (GstBuffer) tight = tight_buffer_new (&from);
  g_autoptr (GstBuffer) repeated = NULL, out = NULL, expected = NULL;

  gst_harness_set_src_caps (measuring, gst_video_info_to_caps (&from));
  out = harness_run (measuring, gst_buffer_ref (buffer));
  gst_harness_set_src_caps (measuring, gst_video_info_to_caps (&to));
  expected = harness_run (measuring, gst_buffer_ref (spread));
  assert_same_bins (out, expected);

  gst_harness_set_src_caps (equalizing, gst_video_info_to_caps (&from));
  check_colours (equalizing, buffer, spread, &from, &to);
  gst_clear_buffer (&out);
  copy_rows (buffer, tight, &from);
  repeat_rows (buffer, &from);
  repeated = convert (buffer, &from, &to);
  check_colours (equalizing, tight, repeated, &from, &to);
}

/* All numbers of rows modulo 4 and 8. */
TEST (test_converted)
{
  g_autoptr (Harness) measuring =
      harness_new ("channels", CHANNELS_RGB, "verify", TRUE, NULL);
  g_autoptr (Harness) equalizing = harness_new ("equalization",
      AMPHISTO_EQUALIZATION_GLOBAL, "keep-colors", FALSE, "verify", TRUE, NULL);

  for (guint height = 2; height < 20; height++)
    check_converted (measuring, equalizing, height, __i__);
}

/* A single row of chroma may have any stride: it tells of no second row. */
TEST (test_single_row)
{
  g_autoptr (Harness) h =
      harness_new ("channels", CHANNELS_ALL, "verify", TRUE, NULL);
  GstVideoInfo info = info_new ("NV12", 16, 2, "interleaved");
  g_autoptr (GstBuffer) out = NULL;
  GstBuffer *buffer = random_buffer (&info, 3);

  info.stride[1] = 0;
  gst_buffer_add_video_meta_full (
      buffer, 0, GST_VIDEO_FORMAT_NV12, 16, 2, 2, info.offset, info.stride);
  gst_harness_set_src_caps (h, gst_video_info_to_caps (&info));
  out = harness_run (h, buffer);
  fail_unless (buffer_histogram (out, "u") != NULL);
}

/* A pool of buffers in the layout of progressive frames. */
typedef GstBufferPool TightPool;
typedef GstBufferPoolClass TightPoolClass;
GType tight_pool_get_type (void);
G_DEFINE_TYPE (TightPool, tight_pool, GST_TYPE_BUFFER_POOL)

static GstFlowReturn
tight_pool_alloc (
    GstBufferPool *pool, GstBuffer **buffer, GstBufferPoolAcquireParams *params)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstVideoInfo info;
  GstCaps *caps;

  (void) params;
  fail_unless (
      gst_buffer_pool_config_get_params (config, &caps, NULL, NULL, NULL));
  fail_unless (gst_video_info_from_caps (&info, caps));
  *buffer = tight_buffer_new (&info);
  gst_structure_free (config);
  return GST_FLOW_OK;
}

static void
tight_pool_class_init (TightPoolClass *class)
{
  class->alloc_buffer = tight_pool_alloc;
}

static void
tight_pool_init (TightPool *self)
{
  (void) self;
}

/* size: of its buffers, in bytes; 0: no pool. */
static GstPadProbeReturn
propose_tight_pool (GstPad *pad, GstPadProbeInfo *info, gpointer size)
{
  g_autoptr (GstBufferPool) pool = NULL;

  (void) pad;
  if (GST_QUERY_TYPE (info->data) != GST_QUERY_ALLOCATION
      || *(gsize *) size == 0)
    return GST_PAD_PROBE_OK;
  pool = gst_object_ref_sink (g_object_new (tight_pool_get_type (), NULL));
  gst_query_add_allocation_pool (info->data, pool, *(gsize *) size, 0, 0);
  gst_query_add_allocation_meta (info->data, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_OK;
}

/* A harness for frames of I420 with 14 rows, of which downstream's buffers lack
 * one row of chroma. `info` is of these frames. */
static GstHarness *
tight_harness_new (GstVideoInfo *info, guint n_in_flight)
{
  GstHarness *h = harness_new ("channels", CHANNELS_ALL, "frames-in-flight",
      n_in_flight, "verify", TRUE, NULL);

  *info = info_new ("I420", 16, 14, "interleaved");
  harness_probe_queries (h, propose_tight_pool, &info->size);
  gst_harness_set_src_caps (h, gst_video_info_to_caps (info));
  return h;
}

static void
assert_n_samples (GstBuffer *buffer, const gchar *channel, guint expected)
{
  guint32 bins[258];
  guint n = 0;

  buffer_bins (buffer, channel, bins);
  for (guint v = 0; v < 256; v++)
    n += bins[v];
  fail_unless_equals_int (n, expected);
}

/* Frames that are copied to downstream's buffers are measured without the row,
 * others with it. Pinned memory takes the place of downstream's buffers. */
TEST (test_tight_target)
{
  GstVideoInfo info;
  g_autoptr (Harness) h = tight_harness_new (&info, 1);
  const gboolean is_tight = !harness_pins_memory (h);
  g_autoptr (GstBuffer) buffer = random_buffer (&info, 3);
  g_autoptr (GstBuffer) tight = tight_buffer_new (&info);

  copy_rows (buffer, tight, &info);
  for (guint i = 0; i < 6; i++) {
    const gboolean equalizes = i % 3 > 0;
    g_autoptr (GstBuffer) out = NULL;
    GstMapInfo map;

    g_object_set (h->element, "equalization", equalizes, NULL);
    out = harness_run (h, gst_buffer_ref (buffer));
    assert_n_samples (out, "u", equalizes && is_tight ? 8 * 7 : 8 * 8);
    assert_n_samples (out, "v", equalizes && is_tight ? 8 * 7 : 8 * 8);
    if (!equalizes || !is_tight)
      continue;
    fail_unless (gst_buffer_map (tight, &map, GST_MAP_READ));
    fail_unless_equals_int (gst_buffer_get_size (out), map.size);
    fail_unless (
        gst_buffer_memcmp (out, 16 * 14, map.data + 16 * 14, map.size - 16 * 14)
        == 0);
    gst_buffer_unmap (tight, &map);
  }
}

/* Downstream gives up the pool, and the new buffers have the row: it is
 * measured again. */
TEST (test_tight_targets_end)
{
  GstVideoInfo info;
  g_autoptr (Harness) h = tight_harness_new (&info, 1);
  g_autoptr (GstBuffer) buffer = random_buffer (&info, 3);

  g_object_set (h->element, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) out = harness_run (h, gst_buffer_ref (buffer));

    assert_n_samples (
        out, "u", i == 0 && !harness_pins_memory (h) ? 8 * 7 : 8 * 8);
    info.size = 0;
    gst_harness_push_upstream_event (h, gst_event_new_reconfigure ());
  }
}

/* The plan changes with the first of them only. */
TEST (test_tight_targets_held)
{
  GstVideoInfo info;
  g_autoptr (Harness) h = tight_harness_new (&info, 4);
  g_autoptr (GstBuffer) buffer = random_buffer (&info, 3);

  g_object_set (h->element, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  for (guint i = 0; i < 4; i++)
    harness_push (h, gst_buffer_ref (buffer));
  harness_drain (h);
  fail_unless_equals_int (gst_harness_buffers_received (h), 4);
}

static GstPadProbeReturn
hold (GstPad *pad, GstPadProbeInfo *info, gpointer is_ended)
{
  (void) pad;
  (void) info;
  while (!g_atomic_int_get ((gint *) is_ended))
    g_usleep (1000);
  return GST_PAD_PROBE_REMOVE;
}

/* Downstream refuses the frames in flight that the new buffer sends on. */
TEST (test_refused_before)
{
  GstVideoInfo info;
  g_autoptr (Harness) h = tight_harness_new (&info, 4);
  g_autoptr (GstBuffer) buffer = random_buffer (&info, 3);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->element, "src");
  gint is_ended = FALSE;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, hold, &is_ended, NULL);

  g_object_set (h->element, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  for (guint i = 0; i < 3; i++) /* in place */
    harness_push (h, random_buffer (&info, i));
  harness_end_stream (h);
  g_atomic_int_set (&is_ended, TRUE);
  if (harness_pins_memory (h)) /* no other plan, so none is sent on first */
    return;
  fail_unless_equals_int (
      gst_harness_push (h, gst_buffer_ref (buffer)), GST_FLOW_EOS);
  harness_push (h, gst_buffer_ref (buffer));
  harness_drain (h);
}

const ElementTest element_tests[] = { EACH (test_converted, formats),
  ONCE (test_single_row), ONCE (test_tight_target),
  ONCE (test_tight_targets_held), ONCE (test_tight_targets_end),
  ONCE (test_refused_before), { 0 } };
