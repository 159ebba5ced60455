/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element's own memory and pools, which it offers to upstream
 * (allocation.c) and uses for new buffers: on a CPU (no pool), on a device that
 * shares the host's memory, and on one with memory of its own. The latter two
 * are made up.
 */

#include "clfaults.h"
#include "cldevices.h"
#include "harnesses.h"

#include <string.h>

#define MEMORY_TYPE "AmphistoMemory"

static gboolean
is_ours (GstBuffer *buffer)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    if (!gst_memory_is_type (gst_buffer_peek_memory (buffer, i), MEMORY_TYPE))
      return FALSE;
  return TRUE;
}

/* --- layout --- */

/* The proposed pool for these caps. Configures it as an upstream element does,
 * for buffers at addresses where the bits of `mask` are 0, and activates it. */
static GstBufferPool *
configured_pool (GstHarness *h, GstCaps *caps, gsize size, gsize mask,
    const GstVideoAlignment *align)
{
  g_autoptr (GstQuery) query = NULL;
  GstAllocationParams params;
  GstBufferPool *pool;
  GstStructure *config;

  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  query = harness_query_allocation (h, TRUE);
  pool = query_pool (query, 0);
  config = gst_buffer_pool_get_config (pool);

  gst_allocation_params_init (&params);
  params.align = mask;
  gst_buffer_pool_config_set_params (config, caps, size, 0, 0);
  gst_buffer_pool_config_set_allocator (config, NULL, &params);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (align != NULL) {
    gst_buffer_pool_config_add_option (
        config, GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
    gst_buffer_pool_config_set_video_alignment (config, align);
  }
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

/* A buffer of the proposed pool. */
static GstBuffer *
acquire (GstHarness *h, const gchar *format, guint width, guint height,
    const GstVideoAlignment *align)
{
  g_autoptr (GstCaps) caps = video_caps (format, width, height, NULL);
  g_autoptr (GstBufferPool) pool = NULL;
  GstBuffer *buffer;
  GstVideoInfo info;

  fail_unless (gst_video_info_from_caps (&info, caps));
  pool = configured_pool (h, caps, GST_VIDEO_INFO_SIZE (&info), 127, align);
  buffer = pool_acquire (pool);
  fail_unless (is_ours (buffer));
  /* buffers in use go back when the last one is freed */
  fail_unless (gst_buffer_pool_set_active (pool, FALSE));
  return buffer;
}

/* The buffer's memory begins at a multiple of `unit`, and has the size of its
 * planes. */
static void
assert_begins_at (GstBuffer *buffer, gsize unit)
{
  GstMapInfo map;

  fail_unless_equals_int (gst_buffer_n_memory (buffer), 1);
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READWRITE));
  fail_unless_equals_int ((guintptr) map.data % unit, 0);
  memset (map.data, 0x5a, map.size);
  gst_buffer_unmap (buffer, &map);
}

static const guint sizes[][2] = { { 1, 1 }, { 33, 17 }, { 720, 30 }, { 960, 8 },
  { 1366, 5 } };

/* Planes and rows begin at multiples of 64 bytes, or of the device's alignment,
 * as here. */
static void
assert_aligned_planes (GstBuffer *buffer)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  for (guint p = 0; p < meta->n_planes; p++)
    fail_unless (meta->offset[p] % 128 == 0 && meta->stride[p] % 128 == 0);
  assert_begins_at (buffer, 4096);
}

static void
assert_default_planes (GstBuffer *buffer)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstVideoInfo info;

  gst_video_info_set_format (&info, meta->format, meta->width, meta->height);
  fail_unless_equals_int (
      gst_buffer_get_size (buffer), GST_VIDEO_INFO_SIZE (&info));
  for (guint p = 0; p < meta->n_planes; p++)
    fail_unless (meta->offset[p] == GST_VIDEO_INFO_PLANE_OFFSET (&info, p)
        && meta->stride[p] == GST_VIDEO_INFO_PLANE_STRIDE (&info, p));
}

/* The layout is aligned if downstream supports GstVideoMeta and the device
 * imports planes (0). It is the default one if downstream does not (1) or the
 * device copies planes (2). The same if upstream configures an alignment of
 * zeros (3 to 5), as GstVideoFilter of GStreamer 1.28 does. */
TEST (test_layout)
{
  static const GstVideoAlignment zeros;
  const GstVideoAlignment *align = __i__ < 3 ? NULL : &zeros;
  const guint way = __i__ % 3;
  g_autoptr (Harness) h = NULL;

  cldevices_set_kind (way < 2 ? CL_KIND_SHARES_MEMORY : CL_KIND_OWN_MEMORY);
  h = harness_new (NULL, NULL);
  if (way != 1)
    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  for (guint f = 0; f < PICTURE_N_FORMATS; f++)
    for (guint s = 0; IS_ROW (sizes, s); s++) {
      g_autoptr (GstBuffer) buffer =
          acquire (h, picture_formats[f].name, sizes[s][0], sizes[s][1], align);

      fail_unless (gst_buffer_get_video_meta (buffer) != NULL);
      if (way == 0)
        assert_aligned_planes (buffer);
      else
        assert_default_planes (buffer);
    }
}

/* Strides that upstream requests are kept: libav's decoders insist. */
TEST (test_upstream_alignment)
{
  GstVideoAlignment align = { .padding_bottom = 8,
    .stride_align = { 31, 31, 31, 31 } };
  g_autoptr (GstBuffer) buffer = NULL;
  const GstVideoMeta *meta;
  g_autoptr (Harness) h = NULL;

  cldevices_set_kind (__i__);
  h = harness_new (NULL, NULL);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  buffer = acquire (h, "I420", 960, 8, &align);
  meta = gst_buffer_get_video_meta (buffer);
  fail_unless (meta != NULL);
  fail_unless_equals_int (meta->stride[0], 960);
  fail_unless_equals_int (meta->stride[1], 480);
  fail_unless_equals_int (meta->offset[1], 960 * 16);
  assert_begins_at (buffer, 4096);
}

/* Buffers of frames smaller than a page begin at upstream's alignment, too,
 * without a change of their strides. */
TEST (test_small_frames)
{
  static const gsize masks[] = { 127, 255, 1023, 4095 };
  const GstVideoAlignment align = { .stride_align = { 31, 31, 31, 31 } };
  const ClKind kind = __i__ < 4 ? CL_KIND_SHARES_MEMORY : CL_KIND_OWN_MEMORY;
  const gsize mask = masks[__i__ % 4];
  g_autoptr (GstCaps) caps = video_caps ("GRAY8", 40, 9, NULL);
  g_autoptr (GstBufferPool) pool = NULL;
  GstBuffer *frames[16];
  g_autoptr (Harness) h = NULL;

  cldevices_set_kind (kind);
  h = harness_new (NULL, NULL);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  pool = configured_pool (h, caps, 64 * 9, mask, &align);
  for (guint i = 0; IS_ROW (frames, i); i++) {
    frames[i] = pool_acquire (pool);
    fail_unless (is_ours (frames[i]));
    fail_unless_equals_int (
        gst_buffer_get_video_meta (frames[i])->stride[0], 64);
    assert_begins_at (frames[i], mask + 1);
  }
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
    gst_buffer_unref (frames[i]);
  fail_unless (gst_buffer_pool_set_active (pool, FALSE));
}

/* --- memory --- */

static GstAllocator *
find_allocator (GstHarness *h)
{
  g_autoptr (GstQuery) query = NULL;

  gst_harness_set_src_caps (h, video_caps ("GRAY8", 64, 64, NULL));
  query = harness_query_allocation (h, TRUE);
  return query_allocator (query);
}

static gboolean
is_filled (const guint8 *data, gsize size, guint8 value)
{
  for (gsize i = 0; i < size; i++)
    if (data[i] != value)
      return FALSE;
  return TRUE;
}

/* Prefix, padding and alignment are as requested. */
TEST (test_params)
{
  static const gsize memory_sizes[] = { 1, 100, 4096, 100000 };
  static const gsize aligns[] = { 0, 63, 127, 4095, 8191 };
  g_autoptr (GstAllocator) allocator = NULL;
  g_autoptr (Harness) h = NULL;

  cldevices_set_kind (__i__);
  h = harness_new (NULL, NULL);
  allocator = find_allocator (h);
  for (guint s = 0; IS_ROW (memory_sizes, s); s++)
    for (guint a = 0; IS_ROW (aligns, a); a++) {
      GstAllocationParams params = { .align = aligns[a],
        .prefix = 128,
        .padding = 64,
        .flags = GST_MEMORY_FLAG_ZERO_PREFIXED | GST_MEMORY_FLAG_ZERO_PADDED };
      GstMemory *memory =
          gst_allocator_alloc (allocator, memory_sizes[s], &params);
      gsize offset, max_size;
      GstMapInfo map;

      fail_unless (memory != NULL);
      fail_unless_equals_int (
          gst_memory_get_sizes (memory, &offset, &max_size), memory_sizes[s]);
      fail_unless_equals_int (offset, 128);
      fail_unless_equals_int (max_size, 128 + memory_sizes[s] + 64);
      fail_unless (gst_memory_map (memory, &map, GST_MAP_READWRITE));
      fail_unless_equals_int (((guintptr) map.data - 128) & aligns[a], 0);
      fail_unless (is_filled (map.data - 128, 128, 0));
      fail_unless (is_filled (map.data + map.size, 64, 0));
      memset (map.data, 0xff, map.size);
      gst_memory_unmap (memory, &map);
      gst_memory_unref (memory);
    }
  fail_unless (gst_allocator_alloc (allocator, G_MAXSIZE, NULL) == NULL);
}

static void
fill (GstMemory *memory)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = i >> 4;
  gst_memory_unmap (memory, &map);
}

static void
assert_at (GstMemory *memory, gsize size, guint8 value)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  fail_unless_equals_int (map.size, size);
  fail_unless_equals_int (map.data[0], value);
  gst_memory_unmap (memory, &map);
}

/* Parts, parts of parts and copies, which outlive the allocator's other users;
 * memory with parts is not writable. */
TEST (test_parts)
{
  GstMemory *memory, *part, *part_of_part, *copy;
  GstAllocator *allocator;
  GstMapInfo map;
  GstHarness *h;

  cldevices_set_kind (__i__);
  h = harness_new (NULL, NULL);
  allocator = find_allocator (h);
  memory = gst_allocator_alloc (allocator, 4000, NULL);
  fill (memory);
  part = gst_memory_share (memory, 1600, 800);
  part_of_part = gst_memory_share (part, 160, -1);
  copy = gst_memory_copy (part, 320, 480);
  gst_object_unref (allocator);
  harness_free (h);
  fail_unless (!gst_memory_map (memory, &map, GST_MAP_WRITE));
  gst_memory_unref (memory);
  assert_at (part, 800, 100);
  gst_memory_unref (part);
  assert_at (part_of_part, 640, 110);
  gst_memory_unref (part_of_part);
  assert_at (copy, 480, 120);
  fail_unless (gst_memory_is_type (copy, MEMORY_TYPE));
  gst_memory_unref (copy);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

/* --- changes in place --- */

static GstHarness *
equalizer_new (const Picture *picture)
{
  return harness_new_for (
      picture, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
}

/* The frame changes in its own buffer or not, and the result is in our memory
 * or not. */
static void
check_change (GstHarness *h, GstBuffer *buffer, gboolean in_place,
    gboolean in_ours, const Picture *expected)
{
  g_autoptr (GstBuffer) out = harness_run (h, buffer);

  fail_unless_equals_int (out == buffer, in_place);
  fail_unless_equals_int (is_ours (out), in_ours);
  assert_pixels (out, expected);
}

/* Pixels in foreign memory are changed in a new buffer if the device has memory
 * of its own. In our memory, of any amphisto element, they are changed in place
 * unless the memory is shared. */
TEST (test_in_place)
{
  const gboolean has_pool = __i__ != CL_KIND_CPU;
  g_autoptr (Picture) picture =
      picture_new ("I420", 33, 17, PICTURE_PADDED, 20, 90, 1);
  g_autoptr (Picture) equalized = picture_equalized (picture);
  g_autoptr (Harness) h = NULL, other = NULL;
  g_autoptr (GstBuffer) shared = NULL;

  cldevices_set_kind (__i__);
  h = equalizer_new (picture);
  other = equalizer_new (picture);
  check_change (
      h, picture_fill_proposed (picture, h), TRUE, has_pool, equalized);
  check_change (
      h, picture_fill_proposed (picture, other), TRUE, has_pool, equalized);
  shared = picture_fill_proposed (picture, h);
  check_change (h, gst_buffer_ref (shared), FALSE, has_pool, equalized);
  assert_pixels (shared, picture);
  check_change (h, picture_wrap (picture), __i__ != CL_KIND_OWN_MEMORY,
      __i__ == CL_KIND_OWN_MEMORY, equalized);
}

/* A device that shares the host's memory imports every plane of our frames, in
 * place and in a new buffer. */
TEST (test_imported)
{
  g_autoptr (Harness) h = NULL;

  cldevices_set_kind (CL_KIND_SHARES_MEMORY);
  h = harness_new ("equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  for (guint f = 0; f < PICTURE_N_FORMATS; f++)
    for (guint s = 0; IS_ROW (sizes, s); s++) {
      const gchar *format = picture_formats[f].name;
      g_autoptr (Picture) picture = picture_new (
          format, sizes[s][0], sizes[s][1], PICTURE_TIGHT, 20, 90, f);
      g_autoptr (Picture) equalized = picture_equalized (picture);
      GstBuffer *buffer = acquire (h, format, sizes[s][0], sizes[s][1], NULL);

      picture_write (picture, buffer);
      clfaults_count ("clEnqueueReadBufferRect");
      check_change (h, gst_buffer_ref (buffer), FALSE, TRUE, equalized);
      check_change (h, buffer, TRUE, TRUE, equalized);
      fail_unless (clfaults_n_calls () == 0, "%s of %ux%u", format, sizes[s][0],
          sizes[s][1]);
    }
}

/* --- upstream elements --- */

static const struct
{
  const gchar *launch;
  gboolean is_asked; /* for its allocations; a tee's upstream is not asked */
} streams[] = {
  { "videotestsrc num-buffers=6 ! "
    "video/x-raw,format=I420,width=66,height=17 ! ",
      TRUE },
  { "videotestsrc num-buffers=6 ! video/x-raw,format=RGB,width=66,height=17 ! "
    "videoconvert ! video/x-raw,format=YUY2 ! ",
      TRUE },
  { "videotestsrc num-buffers=6 ! "
    "video/x-raw,format=I420,width=66,height=17 ! gamma gamma=2 ! ",
      TRUE },
  { "videotestsrc num-buffers=6 ! "
    "video/x-raw,format=I420,width=66,height=34 ! jpegenc ! jpegdec ! ",
      TRUE },
  { "videotestsrc num-buffers=6 ! "
    "video/x-raw,format=I420,width=960,height=34 ! "
    "avenc_mpeg4 ! avdec_mpeg4 max-threads=1 ! ",
      TRUE },
  { "videotestsrc num-buffers=6 ! "
    "video/x-raw,format=I420,width=66,height=17 ! tee ! ",
      FALSE },
};

static GstPadProbeReturn
count_foreign (GstPad *pad, GstPadProbeInfo *info, gpointer n)
{
  (void) pad;
  if (!is_ours (GST_PAD_PROBE_INFO_BUFFER (info)))
    ++*(guint *) n;
  return GST_PAD_PROBE_OK;
}

/* Elements that send the query deliver frames in our memory, with (1) or
 * without (0) GstVideoMeta downstream, and frames leave in it. The element
 * verifies its changes. */
static void
check_stream (guint i, gboolean has_meta)
{
  g_autofree gchar *launch = g_strconcat (streams[i].launch,
      "amphisto name=a equalization=global verify=true", NULL);
  GstHarness *h = gst_harness_new_parse (launch);
  g_autoptr (GstElement) element =
      gst_bin_get_by_name (GST_BIN (h->element), "a");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  guint n_foreign = 0;

  if (has_meta)
    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER, count_foreign, &n_foreign, NULL);
  gst_harness_play (h);
  for (guint n = 0; n < 6; n++) {
    g_autoptr (GstBuffer) out = gst_harness_pull (h);

    fail_unless (out != NULL);
    fail_unless (is_ours (out));
    fail_unless_equals_int (buffer_n_metas (out), 1);
  }
  gst_harness_teardown (h);
  fail_unless_equals_int (n_foreign, streams[i].is_asked ? 0 : 6);
}

TEST (test_streams)
{
  cldevices_set_kind (CL_KIND_OWN_MEMORY);
  for (guint has_meta = 0; has_meta < 2; has_meta++)
    check_stream (__i__, has_meta);
}

/* --- lifetimes --- */

/* Buffers of our memory stay valid when their device is lost (0), another one
 * is chosen (1), or the element is gone (2). They are foreign to the element on
 * another device. */
TEST (test_outlives)
{
  static const ClDevice devices[] = { { "A", CL_DEVICE_TYPE_GPU, "gpu-0",
                                          NULL },
    { "B", CL_DEVICE_TYPE_GPU, "gpu-1", NULL } };
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Picture) equalized = picture_equalized (picture);
  GstBuffer *in, *out, *again;
  GstHarness *h;

  cldevices_set (devices, G_N_ELEMENTS (devices));
  cldevices_set_own_memory (TRUE);
  h = harness_new_for (picture, "equalization", AMPHISTO_EQUALIZATION_GLOBAL,
      "device", "0.0", NULL);
  in = picture_fill_proposed (picture, h);
  out = harness_run (h, gst_buffer_ref (in));
  if (__i__ == 0) {
    clfaults_set ("clEnqueueNDRangeKernel", 1);
    fail_unless_equals_int (
        gst_harness_push (h, picture_wrap (picture)), GST_FLOW_ERROR);
    g_error_free (bus_pop_error (h->element, NULL));
  }
  if (__i__ < 2) {
    element_set_state (h->element, GST_STATE_READY);
    g_object_set (h->element, "device", __i__ == 0 ? "0.0" : "1.0", NULL);
    harness_restart (h, picture);
    again = harness_run (h, in);
    fail_unless (again != in);
    assert_pixels (again, equalized);
    gst_buffer_unref (again);
    in = picture_fill_proposed (picture, h);
  }
  harness_free (h);
  assert_pixels (in, picture);
  assert_pixels (out, equalized);
  fail_unless (is_ours (in) && is_ours (out));
  gst_buffer_unref (in);
  gst_buffer_unref (out);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

/* --- pinning --- */

/* A shared frame of this width, in a new buffer. */
static void
check_width (GstHarness *h, guint width)
{
  g_autoptr (Picture) picture =
      picture_new ("GRAY8", width, 64, PICTURE_TIGHT, 20, 90, width);
  g_autoptr (Picture) equalized = picture_equalized (picture);

  harness_set_caps (h, picture);
  harness_check (h, picture_wrap (picture), NULL, NULL, equalized);
}

/* If the driver refuses to pin, there is one warning per start, and the stream
 * goes on. */
TEST (test_refused)
{
  g_autoptr (Harness) h = NULL;

  cldevices_set_kind (CL_KIND_OWN_MEMORY);
  h = harness_new ("equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  check_width (h, 100);
  check_width (h, 100);
  assert_not_warned (h->element);
  clfaults_refuse_pinned (TRUE);
  for (guint start = 0; start < 2; start++) {
    check_width (h, 200);
    check_width (h, 200);
    assert_warned (h->element, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_NO_SPACE_LEFT, "\"gpu-0\" pins no more memory");
    check_width (h, 300);
    check_width (h, 300);
    assert_not_warned (h->element);
    element_set_state (h->element, GST_STATE_READY);
    gst_harness_play (h);
    fail_unless (
        gst_harness_push_event (h, gst_event_new_stream_start ("again")));
  }
  clfaults_refuse_pinned (FALSE);
  check_width (h, 400);
  check_width (h, 400);
  assert_not_warned (h->element);
}

/* Starts and changes of size leave nothing behind: the number of pinned blocks
 * does not grow after the first ones, and is 0 when the element is gone. */
TEST (test_cycles)
{
  const guint n_cycles = test_size () < TEST_FULL ? 100 : 1000;
  gint n_alive = 0;
  GstHarness *h;

  cldevices_set_kind (CL_KIND_OWN_MEMORY);
  h = harness_new ("equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  for (guint n = 0; n < n_cycles; n++) {
    g_autoptr (Picture) picture = picture_new (
        "GRAY8", n % 3 == 0 ? 64 : 1000, 64, PICTURE_TIGHT, 20, 90, n);
    g_autoptr (Picture) equalized = picture_equalized (picture);

    if (n == 10) {
      n_alive = clfaults_n_alive ();
      clfaults_count ("clEnqueueMapBuffer");
    }
    if (n == 0)
      harness_set_caps (h, picture);
    else
      harness_restart (h, picture);
    check_change (h, picture_fill_proposed (picture, h), TRUE, TRUE, equalized);
    element_set_state (h->element, GST_STATE_READY);
  }
  fail_unless_equals_int (clfaults_n_calls (), 0);
  fail_unless_equals_int (clfaults_n_alive (), n_alive);
  harness_free (h);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

const ElementTest element_tests[] = { TIMES (test_layout, 6),
  RANGE (test_upstream_alignment, CL_KIND_SHARES_MEMORY, CL_N_KINDS),
  TIMES (test_small_frames, 8),
  RANGE (test_params, CL_KIND_SHARES_MEMORY, CL_N_KINDS),
  RANGE (test_parts, CL_KIND_SHARES_MEMORY, CL_N_KINDS),
  RANGE (test_in_place, CL_KIND_CPU, CL_N_KINDS), ONCE (test_imported),
  EACH (test_streams, streams), TIMES (test_outlives, 3), ONCE (test_refused),
  ONCE (test_cycles), { 0 } };
