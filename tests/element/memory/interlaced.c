/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Interlaced video: if rows share chroma, each field has its own.
 */

#include "harnesses.h"

/* Formats with a row of chroma for 2 or 4 rows of luma; and one other format of
 * each kind. */
static const gchar *const formats[] = { "I420", "YV12", "NV12", "NV21", "A420",
  "YUV9", "YVU9", "GRAY8", "Y42B", "YUY2", "AYUV", "RGBA" };

#define N_SUBSAMPLED 7

static const gchar *const rgb_names[] = { "red", "green", "blue" };

static void
set_caps (GstHarness *h, const Picture *picture, const gchar *mode)
{
  GstCaps *caps =
      video_caps (picture->format->name, picture->width, picture->height, NULL);

  gst_caps_set_simple (caps, "interlace-mode", G_TYPE_STRING, mode, NULL);
  gst_harness_set_src_caps (h, caps);
}

/* Fills the rows of a component in one field of an interlaced picture. */
static void
fill_field (const Picture *picture, guint c, guint field, guint8 value)
{
  const PictureComponent *component = &picture->format->component[c];
  const guint n_columns =
      (picture->width + (1u << component->x_shift) - 1) >> component->x_shift;
  const guint n_rows = picture_rows (picture, component->y_shift);

  for (guint y = field; y < n_rows; y += 2)
    for (guint x = 0; x < n_columns; x++)
      picture_row (picture, component->plane,
          y)[component->offset + x * component->step] = value;
}

/* A picture with a red and a green field, in BT.601. */
static Picture *
red_and_green (const gchar *format, guint width, guint height)
{
  static const guint8 colours[2][3] = { { 81, 90, 240 }, { 145, 54, 34 } };
  Picture *picture = picture_new (format, width, height, 0, 0, 255, 1);

  picture->is_interlaced = true;
  for (guint field = 0; field < 2; field++)
    for (guint c = 0; c < 3; c++)
      fill_field (picture, c, field, colours[field][c]);
  return picture;
}

static void
get_bins (GstBuffer *buffer, const gchar *channel, guint32 bins[258])
{
  const GValue *value =
      gst_structure_get_value (buffer_histogram (buffer, channel), "bins");
  gsize size;
  const gpointer data =
      (gpointer) g_bytes_get_data (g_value_get_boxed (value), &size);

  fail_unless_equals_int (size, 258 * sizeof *bins);
  memcpy (bins, data, size);
}

/* --- two colours --- */

/* The channel has two values, one per field. */
static void
assert_two_values (
    GstBuffer *buffer, const gchar *channel, guint width, guint height)
{
  const guint rows[2] = { (height + 1) / 2, height / 2 };
  guint32 bins[258];
  guint n_values = 0;

  get_bins (buffer, channel, bins);
  for (guint v = 0; v < 256; v++) {
    if (bins[v] == 0)
      continue;
    fail_unless (bins[v] == rows[0] * width || bins[v] == rows[1] * width,
        "%s: %u samples have the value %u", channel, bins[v], v);
    n_values++;
  }
  fail_unless_equals_int (n_values, 2);
}

/* All numbers of rows modulo 4 and 8. */
TEST (test_two_colours)
{
  g_autoptr (Harness) h =
      harness_new ("channels", CHANNELS_RGB, "verify", TRUE, NULL);

  for (guint height = 5; height < 21; height++) {
    g_autoptr (Picture) picture = red_and_green (formats[__i__], 16, height);
    g_autoptr (GstBuffer) out = NULL;

    set_caps (h, picture, "interleaved");
    out = harness_run (h, picture_wrap (picture));
    assert_two_values (out, "red", 16, height);
    assert_two_values (out, "green", 16, height);
  }
}

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

/* All numbers of rows modulo 4 and 8. */
#define LEAST_CONVERTED 2
#define MOST_CONVERTED 19

/* GStreamer spreads chroma over the pixels of their field as the element does.
 */
TEST (test_converted)
{
  g_autoptr (Harness) h =
      harness_new ("channels", CHANNELS_RGB, "verify", TRUE, NULL);

  for (guint height = LEAST_CONVERTED; height <= MOST_CONVERTED; height++) {
    GstVideoInfo from = info_new (formats[__i__], 32, height, "interleaved");
    GstVideoInfo to = info_new ("Y444", 32, height, "interleaved");
    g_autoptr (GstBuffer) buffer = random_buffer (&from, __i__ + height);
    g_autoptr (GstBuffer) spread = convert (buffer, &from, &to);
    g_autoptr (GstBuffer) out = NULL, expected = NULL;

    gst_harness_set_src_caps (h, gst_video_info_to_caps (&from));
    out = harness_run (h, g_steal_pointer (&buffer));
    gst_harness_set_src_caps (h, gst_video_info_to_caps (&to));
    expected = harness_run (h, g_steal_pointer (&spread));
    for (guint c = 0; c < G_N_ELEMENTS (rgb_names); c++) {
      guint32 bins[2][258];

      get_bins (out, rgb_names[c], bins[0]);
      get_bins (expected, rgb_names[c], bins[1]);
      fail_unless (memcmp (bins[0], bins[1], sizeof bins[0]) == 0,
          "%s, %u rows: %s differs", formats[__i__], height, rgb_names[c]);
    }
  }
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

/* A frame that is equalized into a new buffer keeps its colours, those of the
 * last rows, too. */
TEST (test_colours_kept)
{
  g_autoptr (Harness) h = harness_new ("equalization", 1 /* global */, NULL);

  for (guint height = LEAST_CONVERTED; height <= MOST_CONVERTED; height++) {
    GstVideoInfo from = info_new (formats[__i__], 32, height, "interleaved");
    GstVideoInfo to = info_new ("Y444", 32, height, "interleaved");
    g_autoptr (GstBuffer) buffer = random_buffer (&from, __i__ + height);
    g_autoptr (GstBuffer) before = convert (buffer, &from, &to);
    g_autoptr (GstBuffer) out = NULL, after = NULL;

    gst_harness_set_src_caps (h, gst_video_info_to_caps (&from));
    out = harness_run (h, gst_buffer_ref (buffer));
    fail_unless (out != buffer);
    after = convert (out, &from, &to);
    assert_same_colours (before, after, 32 * height);
  }
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

/* GStreamer reads the row in the new buffer, which has it. */
TEST (test_tight_source)
{
  g_autoptr (Harness) h =
      harness_new ("equalization", 1 /* global */, "verify", TRUE, NULL);

  for (guint height = LEAST_CONVERTED; height <= MOST_CONVERTED; height++) {
    GstVideoInfo from = info_new (formats[__i__], 32, height, "interleaved");
    GstVideoInfo to = info_new ("Y444", 32, height, "interleaved");
    g_autoptr (GstBuffer) buffer = random_buffer (&from, __i__ + height);
    g_autoptr (GstBuffer) tight = tight_buffer_new (&from);
    g_autoptr (GstBuffer) before = NULL, out = NULL, after = NULL;

    copy_rows (buffer, tight, &from);
    repeat_rows (buffer, &from);
    before = convert (buffer, &from, &to);
    gst_harness_set_src_caps (h, gst_video_info_to_caps (&from));
    out = harness_run (h, gst_buffer_ref (tight));
    fail_unless (out != tight);
    after = convert (out, &from, &to);
    assert_same_colours (before, after, 32 * height);
  }
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

static GstPadProbeReturn
propose_tight_pool (GstPad *pad, GstPadProbeInfo *info, gpointer size)
{
  g_autoptr (GstBufferPool) pool = NULL;

  (void) pad;
  if (GST_QUERY_TYPE (info->data) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  pool = gst_object_ref_sink (g_object_new (tight_pool_get_type (), NULL));
  gst_query_add_allocation_pool (
      info->data, pool, GPOINTER_TO_UINT (size), 0, 0);
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
  harness_probe_queries (h, propose_tight_pool, GUINT_TO_POINTER (info->size));
  gst_harness_set_src_caps (h, gst_video_info_to_caps (info));
  return h;
}

static void
assert_n_samples (GstBuffer *buffer, const gchar *channel, guint expected)
{
  guint32 bins[258];
  guint n = 0;

  get_bins (buffer, channel, bins);
  for (guint v = 0; v < 256; v++)
    n += bins[v];
  fail_unless_equals_int (n, expected);
}

/* Frames that are copied to downstream's buffers are measured without the row,
 * others with it. */
TEST (test_tight_target)
{
  GstVideoInfo info;
  g_autoptr (Harness) h = tight_harness_new (&info, 1);
  g_autoptr (GstBuffer) buffer = random_buffer (&info, 3);
  g_autoptr (GstBuffer) tight = tight_buffer_new (&info);

  copy_rows (buffer, tight, &info);
  for (guint i = 0; i < 6; i++) {
    const gboolean equalizes = i % 3 > 0;
    g_autoptr (GstBuffer) out = NULL;
    GstMapInfo map;

    g_object_set (h->element, "equalization", equalizes, NULL);
    out = harness_run (h, gst_buffer_ref (buffer));
    assert_n_samples (out, "u", equalizes ? 8 * 7 : 8 * 8);
    assert_n_samples (out, "v", equalizes ? 8 * 7 : 8 * 8);
    if (!equalizes)
      continue;
    fail_unless (gst_buffer_map (tight, &map, GST_MAP_READ));
    fail_unless_equals_int (gst_buffer_get_size (out), map.size);
    fail_unless (
        gst_buffer_memcmp (out, 16 * 14, map.data + 16 * 14, map.size - 16 * 14)
        == 0);
    gst_buffer_unmap (tight, &map);
  }
}

static GstFlowReturn
end_stream (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) pad;
  (void) parent;
  gst_buffer_unref (buffer);
  return GST_FLOW_EOS;
}

/* The plan changes with the first of them only: later ones are held back. */
TEST (test_tight_targets_held)
{
  GstVideoInfo info;
  g_autoptr (Harness) h = tight_harness_new (&info, 4);
  g_autoptr (GstBuffer) buffer = random_buffer (&info, 3);

  g_object_set (h->element, "equalization", 1 /* global */, NULL);
  for (guint i = 0; i < 4; i++)
    fail_unless_equals_int (
        gst_harness_push (h, gst_buffer_ref (buffer)), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_buffers_received (h), 1);
  harness_drain (h);
  fail_unless_equals_int (gst_harness_buffers_received (h), 4);
}

/* Downstream refuses the frames in flight that the new buffer sends on. */
TEST (test_refused_before)
{
  GstVideoInfo info;
  g_autoptr (Harness) h = tight_harness_new (&info, 4);
  g_autoptr (GstBuffer) buffer = random_buffer (&info, 3);

  g_object_set (h->element, "equalization", 1 /* global */, NULL);
  for (guint i = 0; i < 3; i++) /* in place */
    fail_unless_equals_int (
        gst_harness_push (h, random_buffer (&info, i)), GST_FLOW_OK);
  gst_pad_set_chain_function (h->sinkpad, end_stream);
  fail_unless_equals_int (
      gst_harness_push (h, gst_buffer_ref (buffer)), GST_FLOW_EOS);
  fail_unless_equals_int (
      gst_harness_push (h, gst_buffer_ref (buffer)), GST_FLOW_OK);
  harness_drain (h);
}

/* --- all formats, regions --- */

/* Regions of pictures of each size, some with odd edges. */
static const struct
{
  guint x, y, width, height;
} regions[] = { { 0, 0, 99, 99 }, { 1, 1, 9, 1 }, { 0, 3, 99, 2 },
  { 2, 2, 7, 3 }, { 3, 5, 5, 99 }, { 0, 4, 99, 4 } };

static const guint sizes[][2] = { { 1, 1 }, { 5, 2 }, { 9, 6 }, { 16, 9 },
  { 33, 18 }, { 21, 20 }, { 17, 31 } };

static void
check_region (GstHarness *h, Picture *picture, guint r)
{
  const guint x = MIN (regions[r].x, picture->width - 1);
  const guint y = MIN (regions[r].y, picture->height - 1);

  g_object_set (h->element, "roi-x", x, "roi-y", y, "roi-width",
      regions[r].width, "roi-height", regions[r].height, NULL);
  picture_set_part (picture, x, y, MIN (regions[r].width, picture->width - x),
      MIN (regions[r].height, picture->height - y));
  harness_check (h, picture_wrap (picture), picture, ALL_NAMES, NULL);
}

TEST (test_format)
{
  const gchar *format = formats[__i__];
  g_autoptr (Harness) h =
      harness_new ("channels", CHANNELS_ALL, "verify", TRUE, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (Picture) picture = picture_new (format, sizes[i][0], sizes[i][1],
        i % PICTURE_N_SHAPES, 0, 255, __i__ * 100 + i);

    picture->is_interlaced = true;
    set_caps (h, picture, "interleaved");
    for (guint r = 0; r < G_N_ELEMENTS (regions); r++)
      check_region (h, picture, r);
  }
}

/* Regions of interest, with edges of all kinds. */
TEST (test_regions_of_interest)
{
  g_autoptr (Harness) h = harness_new (
      "channels", CHANNELS_ALL, "roi-meta", TRUE, "verify", TRUE, NULL);
  g_autoptr (Picture) picture =
      picture_new (formats[__i__], 13, 14, PICTURE_ODD, 0, 255, 5);
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;
  const GValue *array;
  guint i = 0;

  picture->is_interlaced = true;
  set_caps (h, picture, "interleaved");
  for (guint y = 0; y < 14; y++)
    for (guint n = 1; n <= 14 - y; n++)
      gst_buffer_add_video_region_of_interest_meta (buffer, "a", 1, y, 5, n);
  out = harness_run (h, buffer);
  array = gst_structure_get_value (buffer_structure (out), "regions");
  for (guint y = 0; y < 14; y++)
    for (guint n = 1; n <= 14 - y; n++) {
      picture_set_part (picture, 1, y, 5, n);
      assert_channels (
          gst_value_get_structure (gst_value_array_get_value (array, i++)),
          picture, ALL_NAMES);
    }
}

/* --- mixed streams --- */

/* In a mixed stream, buffers with the flag are interlaced. They have one row of
 * chroma more, if they are not tight. */
static void
check_mixed (guint n_in_flight, PictureShape shape)
{
  g_autoptr (Harness) h = harness_new ("channels", CHANNELS_ALL,
      "frames-in-flight", n_in_flight, "verify", TRUE, NULL);
  g_autoptr (Picture) picture = picture_new ("I420", 16, 14, shape, 0, 255, 3);

  set_caps (h, picture, "mixed");
  for (guint i = 0; i < 8; i++) {
    GstBuffer *buffer = picture_wrap_nth (picture, i);

    if (i % 3 > 0)
      GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
    fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  }
  harness_drain (h);
  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) out = gst_harness_pull (h);

    picture->is_interlaced = i % 3 > 0;
    fail_unless_equals_uint64 (GST_BUFFER_PTS (out), i * 40 * GST_MSECOND);
    assert_histograms (out, picture, ALL_NAMES);
  }
}

TEST (test_mixed)
{
  for (guint shape = 0; shape < PICTURE_N_SHAPES; shape++) {
    check_mixed (1, shape);
    check_mixed (4, shape);
  }
}

/* The flag has an effect in mixed streams only. */
TEST (test_progressive)
{
  g_autoptr (Harness) h =
      harness_new ("channels", CHANNELS_RGB, "verify", TRUE, NULL);
  g_autoptr (Picture) picture =
      picture_new ("NV12", 16, 12, PICTURE_TIGHT, 0, 255, 3);
  GstBuffer *buffer = picture_wrap (picture);

  GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  set_caps (h, picture, "progressive");
  harness_check (h, buffer, picture, "red green blue", NULL);
}

static void
check_cropped (GstHarness *h, guint shape, guint height, guint crop_height)
{
  for (guint y = 0; y <= 8; y += 2) {
    g_autoptr (Picture) picture =
        picture_new ("I420", 16, height, shape, 0, 255, 7);
    GstBuffer *buffer = picture_wrap (picture);
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);
    g_autoptr (GstCaps) caps = video_caps ("I420", 16, crop_height, NULL);
    g_autoptr (GstBuffer) out = NULL;

    crop->y = y;
    crop->width = 16;
    crop->height = crop_height;
    gst_caps_set_simple (
        caps, "interlace-mode", G_TYPE_STRING, "interleaved", NULL);
    gst_harness_set_src_caps (h, gst_caps_copy (caps));
    out = harness_run (h, buffer);
    picture->is_interlaced = true;
    picture_set_part (picture, 0, y % 4 == 0 ? y : 0, 16, crop_height);
    assert_histograms (out, picture, ALL_NAMES);
    if (y % 4 != 0) {
      g_autoptr (GstMessage) warning =
          bus_pop (h->element, GST_MESSAGE_WARNING);

      fail_unless (warning != NULL);
    }
    /* other caps, so that the next crop is warned of, too */
    gst_caps_set_simple (caps, "height", G_TYPE_INT, 10, NULL);
    gst_harness_set_src_caps (h, gst_caps_ref (caps));
  }
}

/* A crop must begin with chroma rows of both fields, else it is ignored. The
 * last row of chroma of 14 rows is below those of progressive frames. It lies
 * outside only if the crop reaches the last row of a tight picture. */
TEST (test_cropped)
{
  g_autoptr (Harness) h =
      harness_new ("channels", CHANNELS_ALL, "verify", TRUE, NULL);

  for (guint shape = 0; shape < PICTURE_N_SHAPES; shape++) {
    check_cropped (h, shape, 24, 12);
    check_cropped (h, shape, 24, 14);
    check_cropped (h, shape, 22, 14);
  }
}

/* Fields that are stored separately. */
TEST (test_fields_refused)
{
  g_autoptr (Harness) h = harness_new (NULL, NULL);
  g_autoptr (Picture) picture = picture_small ("I420");

  set_caps (h, picture, "fields");
  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap (picture)), GST_FLOW_NOT_NEGOTIATED);
}

TEST (test_alternate_refused)
{
  GstElement *element = element_new (NULL, NULL);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstCaps) caps = gst_caps_from_string (
      "video/x-raw(format:Interlaced), format=I420, width=16, height=16, "
      "framerate=25/1, interlace-mode=alternate");

  element_set_state (element, GST_STATE_PAUSED);
  fail_if (gst_pad_query_accept_caps (pad, caps));
  element_free (element);
}

/* --- drawing --- */

static guint8
first_sample (const Picture *picture, guint c, guint y)
{
  const PictureComponent *component = &picture->format->component[c];

  return picture_row (picture, component->plane, y)[component->offset];
}

/* White in one field and black in the other: each has its own colour, without
 * any mixture. */
TEST (test_false_color)
{
  g_autoptr (Harness) h =
      harness_new ("exposure", 2 /* false-color */, "verify", TRUE, NULL);

  for (guint height = 5; height < 21; height++) {
    g_autoptr (Picture) picture = picture_new (
        formats[__i__], 24, height, height % PICTURE_N_SHAPES, 0, 255, 3);

    picture->is_interlaced = true;
    for (guint c = 0; c < 3; c++) {
      fill_field (picture, c, 0, c == 0 ? 235 : 128);
      fill_field (picture, c, 1, c == 0 ? 16 : 128);
    }
    set_caps (h, picture, "interleaved");
    harness_change (h, picture, 0);
    for (guint c = 0; c < 3; c++) {
      const guint n_rows =
          picture_rows (picture, picture->format->component[c].y_shift);

      /* red, and purple; in BT.601 */
      fail_unless (first_sample (picture, 2, 0) > 200);
      for (guint y = 2; y < n_rows; y++)
        fail_unless_equals_int (
            first_sample (picture, c, y), first_sample (picture, c, y % 2));
      if (n_rows > 1 && c > 0)
        fail_unless (
            first_sample (picture, c, 0) != first_sample (picture, c, 1));
    }
  }
}

/* A region's false colour changes the rows that have two chroma rows, of both
 * fields, to themselves. It changes no other row's chroma. */
static void
check_drawn_region (GstHarness *h, Picture *picture, guint y, guint n)
{
  const gchar *format = picture->format->name;
  const guint height = picture->height;
  const guint shift = picture->format->component[1].y_shift;
  const guint n_rows = picture_rows (picture, shift);
  const guint unit = 2u << shift;

  picture_fill (picture, "luma", 110);
  picture_fill (picture, "u", 110);
  picture_fill (picture, "v", 110);
  set_caps (h, picture, "interleaved");
  g_object_set (h->element, "roi-y", y, "roi-height", n, NULL);
  harness_change (h, picture, 0);
  for (guint row = 0; row < n_rows; row++) {
    guint first = row / 2 * unit, end = first + unit;
    gboolean is_drawn;

    /* the last rows, where the lower field has no chroma of its own: the
     * planes lie close together */
    if (n_rows % 2 == 1 && height % unit > 1 && end + unit > height) {
      first = height - height % unit - unit;
      end = height;
    }
    is_drawn = y <= first && y + n >= MIN (end, height);

    fail_unless (first_sample (picture, 1, row) == (is_drawn ? 128 : 110),
        "%s, %u rows: the region of %u rows from %u on: row %u of chroma: %u",
        format, height, n, y, row, first_sample (picture, 1, row));
  }
}

static void
check_drawn_regions (
    GstHarness *h, const gchar *format, guint height, PictureShape shape)
{
  g_autoptr (Picture) picture =
      picture_new (format, 16, height, shape, 110, 110, 1);

  picture->is_interlaced = true;
  for (guint y = 0; y < height; y++)
    for (guint n = 1; n <= height - y; n++)
      check_drawn_region (h, picture, y, n);
}

/* With 14 rows, the lower field uses one row of chroma more than progressive
 * frames have. Only padded pictures have it. */
TEST (test_drawn_regions)
{
  const gchar *format = formats[__i__];
  g_autoptr (Harness) h =
      harness_new ("exposure", 2 /* false-color */, "verify", TRUE, NULL);

  check_drawn_regions (h, format, 14, PICTURE_TIGHT);
  check_drawn_regions (h, format, 14, PICTURE_PADDED);
  for (guint height = 13; height < 17 && test_size () == TEST_FULL; height++)
    check_drawn_regions (h, format, height, PICTURE_TIGHT);
  while (bus_pop (h->element, GST_MESSAGE_WARNING) != NULL)
    continue;
}

/* Scopes over a picture with different fields, in place and in a new buffer: as
 * in the reference. Their place does not depend on the frame's fields. */
TEST (test_scopes)
{
  static const gchar *const modes[] = { "interleaved", "mixed" };

  for (guint m = 0; m < G_N_ELEMENTS (modes); m++) {
    GstHarness *h = harness_new ("scope-display", (guint) __i__ % 3, "scopes",
        7, "channels", CHANNELS_LUMA | CHANNELS_RGB, "exposure", 3, "verify",
        TRUE, NULL);

    for (guint i = 0; i < 4; i++) {
      g_autoptr (Picture) picture =
          red_and_green (formats[__i__], 480, 230 + i);
      GstBuffer *buffer = picture_wrap_nth (picture, i);
      g_autoptr (GstBuffer) out = NULL;

      if (i & 1)
        GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
      set_caps (h, picture, modes[m]);
      out = harness_run (h, buffer);
    }
    harness_free (h);
  }
}

const ElementTest element_tests[] = { TIMES (test_two_colours, N_SUBSAMPLED),
  TIMES (test_converted, N_SUBSAMPLED), TIMES (test_colours_kept, N_SUBSAMPLED),
  TIMES (test_tight_source, N_SUBSAMPLED), ONCE (test_single_row),
  ONCE (test_tight_target), ONCE (test_tight_targets_held),
  ONCE (test_refused_before), EACH (test_format, formats),
  TIMES (test_regions_of_interest, N_SUBSAMPLED), ONCE (test_mixed),
  ONCE (test_progressive), ONCE (test_cropped), ONCE (test_fields_refused),
  ONCE (test_alternate_refused), TIMES (test_false_color, N_SUBSAMPLED),
  TIMES (test_drawn_regions, N_SUBSAMPLED), TIMES (test_scopes, N_SUBSAMPLED),
  { NULL } };
