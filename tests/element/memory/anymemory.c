/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames in other memory than the system's, in one memory, with one for each
 * plane, or in files: they give the same results, stay in their memory, and
 * only the planes that are needed are mapped, once.
 */

#include "othermemory.h"

#include <fcntl.h>

/* --- downstream --- */

/* Downstream has a pool of two buffers. */
static Proposal
pool_of_two (GstBufferPool *pool)
{
  return (Proposal){ .pool = pool, .min = 2, .max = 2 };
}

static void
propose_pool (GstHarness *h, Proposal *proposal, OtherAllocator *allocator)
{
  GstAllocationParams params;

  gst_allocation_params_init (&params);
  gst_harness_set_propose_allocator (h, gst_object_ref (allocator), &params);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  harness_propose (h, proposal);
}

/* --- measured and changed --- */

/* How a frame comes: ALONE, it may change in place. */
enum
{
  ALONE,
  SHARED,
  READ_ONLY,
  N_WAYS
};

/* A measured frame is mapped once for reading, and goes on as it came. ALONE, a
 * frame changes in place if its work can. Otherwise it changes in a buffer of
 * downstream's pool, or in a copy of itself if there is none; the frame that
 * came stays as it was. Only a frame that has to be read beside its copy is
 * mapped, too. */
static void
check_frame (Picture *picture, const Picture *expected, guint work,
    MemoryKind kind, guint way, gboolean has_pool)
{
  const gboolean stays = work == 0 || (way == ALONE && work < N_WORKS - 1);
  const gboolean reads = has_pool || work == N_WORKS - 1;
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (GstBufferPool) pool = gst_video_buffer_pool_new ();
  Proposal proposal = pool_of_two (pool);
  g_autoptr (Harness) h = harness_new_at_work (work);
  GstBuffer *buffer = frame_new (allocator, kind, picture, O_RDWR);
  const guint n = gst_buffer_n_memory (buffer);
  g_autoptr (GstMemory) memory = gst_buffer_get_memory (buffer, 0);
  g_autoptr (GstBuffer) shared = way == SHARED ? gst_buffer_ref (buffer) : NULL;
  g_autoptr (GstBuffer) out = NULL;

  if (way == READ_ONLY)
    GST_MINI_OBJECT_FLAG_SET (memory, GST_MEMORY_FLAG_READONLY);
  if (has_pool)
    propose_pool (h, &proposal, allocator);
  set_feature (
      h, picture, kind == DMABUF ? GST_CAPS_FEATURE_MEMORY_DMABUF : FEATURE);
  out = harness_run (h, buffer);
  if (kind == OTHER || (kind == PLANES && work == 0)) {
    fail_unless_equals_int (allocator->maps.n, stays || !reads ? n : 2 * n);
    fail_unless_equals_int (allocator->maps.n_read, n);
    fail_unless_equals_int (allocator->maps.n_written, work > 0 ? n : 0);
  }
  fail_unless (out == buffer || !stays || way == SHARED);
  fail_unless_equals_int (gst_buffer_peek_memory (out, 0) == memory, stays);
  fail_unless (out->pool == (has_pool && !stays ? pool : NULL));
  fail_unless (!stays || gst_buffer_n_memory (out) == n);
  assert_histograms (out, picture, ALL_NAMES);
  assert_memory (out, kind == DMABUF ? GST_ALLOCATOR_DMABUF : OTHER_MEMORY);
  assert_pixels (out, expected);
  if (shared != NULL)
    assert_pixels (shared, picture);
}

/* Each format with each work. One comes in more ways. */
TEST (test_frames)
{
  const gchar *format = picture_formats[__i__].name;
  const guint n_ways = g_str_equal (format, "NV12") ? 2 * N_WAYS : 2;

  for (guint work = 0; work < N_WORKS; work++) {
    g_autoptr (Picture) picture =
        picture_new (format, 161, 35, PICTURE_TIGHT, 20, 130, 1);
    g_autoptr (Picture) expected = picture_worked (picture, work);

    for (guint way = 0; way < n_ways; way++)
      for (MemoryKind kind = OTHER; kind <= PLANES; kind++)
        check_frame (
            picture, expected, work, kind, way % N_WAYS, way >= N_WAYS);
    if (work < N_WORKS - 1)
      check_frame (picture, expected, work, DMABUF, ALONE, FALSE);
  }
}

/* --- planes in memories of their own --- */

static const struct
{
  gint channels, equalization;
  gboolean keeps_colors, verifies;
  const gchar *read, *written; /* planes */
} planes_works[] = {
  { CHANNELS_LUMA, AMPHISTO_EQUALIZATION_NONE, TRUE, FALSE, "0", "" },
  { CHANNELS_CHROMA, AMPHISTO_EQUALIZATION_NONE, TRUE, FALSE, "12", "" },
  { CHANNELS_RGB, AMPHISTO_EQUALIZATION_NONE, TRUE, FALSE, "012", "" },
  { CHANNELS_LUMA, AMPHISTO_EQUALIZATION_NONE, TRUE, TRUE, "012", "" },
  { CHANNELS_LUMA, AMPHISTO_EQUALIZATION_GLOBAL, FALSE, FALSE, "0", "0" },
  { CHANNELS_CHROMA, AMPHISTO_EQUALIZATION_CLAHE, FALSE, FALSE, "012", "0" },
  { CHANNELS_LUMA, AMPHISTO_EQUALIZATION_GLOBAL, FALSE, TRUE, "012", "0" },
  { CHANNELS_LUMA, AMPHISTO_EQUALIZATION_GLOBAL, TRUE, FALSE, "012", "012" },
  { CHANNELS_LUMA, AMPHISTO_EQUALIZATION_CLAHE, TRUE, TRUE, "012", "012" },
};

/* Each plane is mapped once if it is needed, and for writing if it changes. */
static void
check_planes_mapped (
    guint work, const gchar *format, const gchar *interlace_mode)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture =
      picture_new (format, 33, 18, PICTURE_TIGHT, 20, 130, 1);
  g_autoptr (Harness) h = harness_new ("channels", planes_works[work].channels,
      "equalization", planes_works[work].equalization, "keep-colors",
      planes_works[work].keeps_colors, "verify", planes_works[work].verifies,
      NULL);
  g_autoptr (GstBuffer) out = NULL;
  GstCaps *caps = feature_caps (picture, FEATURE);

  gst_caps_set_simple (
      caps, "interlace-mode", G_TYPE_STRING, interlace_mode, NULL);
  gst_harness_set_src_caps (h, caps);
  out = harness_run (h, frame_new (allocator, PLANES, picture, 0));
  fail_unless_equals_int (gst_buffer_n_memory (out), 3);
  for (guint p = 0; p < 3; p++) {
    const OtherMaps maps = other_memory_maps (gst_buffer_peek_memory (out, p));
    const gboolean is_read = strchr (planes_works[work].read, '0' + p) != NULL;

    fail_unless_equals_int (maps.n, is_read);
    fail_unless_equals_int (maps.n_read, is_read);
    fail_unless_equals_int (
        maps.n_written, strchr (planes_works[work].written, '0' + p) != NULL);
  }
}

TEST (test_planes_mapped)
{
  check_planes_mapped (__i__, "I420", "progressive");
  check_planes_mapped (__i__, "I420", "interleaved");
  check_planes_mapped (__i__, "Y42B", "progressive");
}

/* Scopes alone are in system memory. The frame is only read. */
TEST (test_scopes_alone)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (FALSE);
  g_autoptr (Picture) picture =
      picture_new ("NV12", 322, 240, PICTURE_PADDED, 20, 130, 1);
  g_autoptr (Harness) h = harness_new ("scopes", AMPHISTO_ALL_SCOPES,
      "scopes-only", TRUE, "channels", CHANNELS_ALL, "verify", TRUE, NULL);
  GstBuffer *buffer = frame_new (allocator, OTHER, picture, 0);
  g_autoptr (GstBuffer) shared = gst_buffer_ref (buffer);
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GstBuffer) out = NULL;

  gst_harness_set_sink_caps_str (h, "video/x-raw, width=300, height=100");
  set_feature (h, picture, FEATURE);
  out = harness_run (h, buffer);
  caps = gst_pad_get_current_caps (h->sinkpad);
  fail_unless (gst_caps_features_is_equal (
      gst_caps_get_features (caps, 0), GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY));
  assert_histograms (out, picture, ALL_NAMES);
  assert_memory (shared, OTHER_MEMORY);
  fail_unless_equals_int (allocator->maps.n, 1);
  fail_unless_equals_int (allocator->maps.n_written, 0);
}

/* --- restricted memory --- */

#define MERGED "several memories without a GstVideoMeta"

/* Frames in memory whose `refused` maps fail, else whose allocator makes no
 * copies, or in files that can only be read; and the error, which also names
 * the feature, or NULL: such frames are measured, and changed if the caps are
 * of system memory. The stride of plane 2 may be falsified. */
static const struct
{
  MemoryKind kind;
  const gchar *format;
  guint work;
  gboolean is_shared;
  GstMapFlags refused;
  gint stride; /* 0: as it is */
  const gchar *feature;
  gint code;
  const gchar *error;
} restricted[] = {
  /* the error names the element that downloads the memory */
  { OTHER, "NV12", 0, FALSE, GST_MAP_READ, 0, "memory:GLMemory",
      GST_RESOURCE_ERROR_READ, "gldownload" },
  { OTHER, "NV12", 1, FALSE, GST_MAP_WRITE, 0, "memory:CUDAMemory",
      GST_RESOURCE_ERROR_READ, "cudadownload" },
  { OTHER, "NV12", 0, FALSE, GST_MAP_READ, 0, "memory:VAMemory",
      GST_RESOURCE_ERROR_READ, "vapostproc" },
  { OTHER, "NV12", 1, FALSE, GST_MAP_WRITE, 0, FEATURE, GST_RESOURCE_ERROR_READ,
      "an element that downloads it" },
  { OTHER, "NV12", 0, FALSE, GST_MAP_WRITE, 0, FEATURE, 0, NULL },
  /* a copy in system memory would contradict the caps */
  { OTHER, "NV12", 1, TRUE, 0, 0, FEATURE, GST_RESOURCE_ERROR_WRITE,
      "makes no copies" },
  /* GStreamer merges memories without a GstVideoMeta to map them as one, in
   * system memory if they are written */
  { WITHOUT_META, "I420", 0, FALSE, 0, 0, FEATURE, 0, NULL },
  { WITHOUT_META, "NV12", 1, FALSE, 0, 0, FEATURE, GST_RESOURCE_ERROR_WRITE,
      MERGED },
  { WITHOUT_META, "NV12", 1, TRUE, 0, 0, FEATURE, GST_RESOURCE_ERROR_WRITE,
      MERGED },
  { WITHOUT_META, "I420", 1, FALSE, 0, 0, FEATURE, GST_RESOURCE_ERROR_WRITE,
      MERGED },
  { WITHOUT_META, "I420", 1, TRUE, 0, 0, FEATURE, GST_RESOURCE_ERROR_WRITE,
      MERGED },
  /* and would replace a file by a copy in system memory to write to it */
  { DMABUF, "NV12", 0, FALSE, 0, 0, GST_CAPS_FEATURE_MEMORY_DMABUF, 0, NULL },
  { DMABUF, "NV12", 1, FALSE, 0, 0, GST_CAPS_FEATURE_MEMORY_DMABUF,
      GST_RESOURCE_ERROR_WRITE, "vapostproc" },
  { FD, "NV12", 1, FALSE, 0, 0, NULL, 0, NULL },
  /* a plane that exceeds its memory is an error even if it is not needed */
  { TWO_PLANES, "I420", 0, FALSE, 0, 0, FEATURE, GST_RESOURCE_ERROR_READ,
      "I420" },
  { PLANES, "I420", 0, FALSE, 0, 1, FEATURE, GST_RESOURCE_ERROR_READ,
      "rows of plane 2 are 1 bytes apart" },
  { PLANES, "I420", 0, FALSE, 0, -16, FEATURE, GST_RESOURCE_ERROR_READ,
      "rows of plane 2 are -16 bytes apart" },
  { PLANES, "I420", 0, FALSE, 0, 4096, FEATURE, GST_RESOURCE_ERROR_READ,
      "plane 2 with" },
};

/* The frame keeps its memories, unless the caps allow another one. */
static void
check_run (GstHarness *h, GstBuffer *buffer, const Picture *picture,
    const Picture *expected, gboolean keeps_memory)
{
  const guint n = gst_buffer_n_memory (buffer);
  g_autoptr (GstMemory) memory = gst_buffer_get_memory (buffer, 0);
  g_autoptr (GstBuffer) out = harness_run (h, buffer);

  fail_unless (!keeps_memory
      || (gst_buffer_n_memory (out) == n
          && gst_buffer_peek_memory (out, 0) == memory));
  assert_histograms (out, picture, "luma");
  assert_pixels (out, expected);
}

TEST (test_restricted)
{
  const gchar *feature = restricted[__i__].feature;
  g_autoptr (OtherAllocator) allocator =
      other_allocator_new (restricted[__i__].refused != 0);
  g_autoptr (Picture) picture = picture_small (restricted[__i__].format);
  g_autoptr (Picture) expected =
      picture_worked (picture, restricted[__i__].work);
  g_autoptr (Harness) h = harness_new_at_work (restricted[__i__].work);
  GstBuffer *buffer =
      frame_new (allocator, restricted[__i__].kind, picture, O_RDONLY);
  G_GNUC_UNUSED g_autoptr (GstBuffer) shared =
      restricted[__i__].is_shared ? gst_buffer_ref (buffer) : NULL;
  g_autoptr (GError) error = NULL;

  g_object_set (h->element, "channels", CHANNELS_LUMA, NULL);
  allocator->refused = restricted[__i__].refused;
  if (restricted[__i__].stride != 0)
    gst_buffer_get_video_meta (buffer)->stride[2] = restricted[__i__].stride;
  if (feature != NULL)
    set_feature (h, picture, feature);
  else
    harness_set_caps (h, picture);
  if (restricted[__i__].error == NULL) {
    check_run (h, buffer, picture, expected, feature != NULL);
    return;
  }
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  fail_unless_equals_int (allocator->maps.n_written, 0);
  error = bus_pop_error (h->element, NULL);
  assert_error (error, GST_RESOURCE_ERROR, restricted[__i__].code,
      restricted[__i__].error);
  assert_error (error, GST_RESOURCE_ERROR, restricted[__i__].code, feature);
}

/* --- pools of few buffers --- */

/* Returns: (transfer full): an active pool of `n` frames of other memory. */
static GstBufferPool *
pool_new (const Picture *picture, OtherAllocator *allocator, guint n)
{
  g_autoptr (GstCaps) caps = feature_caps (picture, FEATURE);
  GstBufferPool *pool = gst_video_buffer_pool_new ();
  GstVideoInfo info;

  fail_unless (gst_video_info_from_caps (&info, caps));
  pool_activate (
      pool, caps, GST_VIDEO_INFO_SIZE (&info), n, n, GST_ALLOCATOR (allocator));
  return pool;
}

/* With four frames in flight, upstream's pool of two to six buffers has one for
 * the next frame sooner or later, though downstream holds one: measured (0) and
 * changed in place (1). */
TEST (test_few_buffers)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Harness) h =
      harness_new ("frames-in-flight", 4, "equalization", __i__, NULL);

  set_feature (h, picture, FEATURE);
  for (guint size = 2; size <= 6; size++) {
    g_autoptr (GstBufferPool) pool = pool_new (picture, allocator, size);

    for (guint n = 0; n < 12; n++) {
      GstBuffer *buffer = NULL;

      if (n >= size) /* or the harness would have all buffers */
        gst_buffer_unref (gst_harness_pull (h));
      fail_unless_equals_int (
          gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), GST_FLOW_OK);
      picture_write (picture, buffer);
      harness_push (h, buffer);
    }
    harness_drain (h);
    while (gst_harness_buffers_in_queue (h) > 0)
      gst_buffer_unref (gst_harness_pull (h));
    gst_buffer_pool_set_active (pool, FALSE);
  }
}

/* Upstream is offered the pool, with these numbers of buffers. */
static void
assert_offered (GstHarness *h, GstBufferPool *pool, guint min, guint max)
{
  g_autoptr (GstQuery) query = harness_query_allocation (h, TRUE);
  g_autoptr (GstBufferPool) offered = NULL;
  guint least, most;

  gst_query_parse_nth_allocation_pool (query, 0, &offered, NULL, &least, &most);
  fail_unless (offered == pool);
  fail_unless_equals_int (least, min);
  fail_unless_equals_int (most, max);
}

/* Downstream's pool always has a buffer for the next target, and upstream gets
 * that pool, too; if it is large, with buffers for the frames in flight. */
TEST (test_few_targets)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Picture) expected = picture_worked (picture, 1);
  g_autoptr (GstBufferPool) pool = gst_video_buffer_pool_new ();
  Proposal proposal = pool_of_two (pool);
  g_autoptr (GstBuffer) shared = frame_new (allocator, OTHER, picture, 0);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h = harness_new ("frames-in-flight", 4, "equalization",
      AMPHISTO_EQUALIZATION_GLOBAL, NULL);

  propose_pool (h, &proposal, allocator);
  set_feature (h, picture, FEATURE);
  for (guint n = 0; n < 8; n++) {
    GstBuffer *buffer = gst_buffer_copy (shared);

    GST_BUFFER_PTS (buffer) = n * 40 * GST_MSECOND;
    harness_push (h, buffer);
    if (n > 0)
      gst_buffer_unref (gst_harness_pull (h));
  }
  out = gst_harness_pull (h);
  assert_pixels (out, expected);
  fail_unless (out->pool == pool);
  assert_offered (h, pool, 2, 2);
  proposal.max = 9;
  assert_offered (h, pool, 2 + 3, 9);
}

/* Upstream has all buffers of downstream's pool, and returns none: the frame
 * changes in a copy, although a pool that is flushing gives nobody a buffer. */
TEST (test_shared_pool)
{
  const guint work = N_WORKS - 1;
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Picture) expected = picture_worked (picture, work);
  g_autoptr (GstBufferPool) pool = gst_video_buffer_pool_new ();
  Proposal proposal = pool_of_two (pool);
  g_autoptr (Harness) h = harness_new_at_work (work);
  GstBuffer *taken[2];
  g_autoptr (GstBuffer) out = NULL;

  propose_pool (h, &proposal, allocator);
  set_feature (h, picture, FEATURE);
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  for (guint i = 0; i < G_N_ELEMENTS (taken); i++)
    taken[i] = picture_fill_pooled (picture, pool, i);
  gst_buffer_pool_set_flushing (pool, TRUE);
  out = harness_run (h, taken[0]);
  assert_memory (out, OTHER_MEMORY);
  fail_unless (out->pool == NULL);
  assert_pixels (out, expected);
  gst_buffer_unref (taken[1]);
}

/* --- negotiation --- */

/* Upstream that offers both is told of system memory first, whatever it prefers
 * itself, and whatever downstream prefers. */
TEST (test_system_memory_first)
{
  static const gchar *const wanted[] = {
    "video/x-raw(" FEATURE "), width=16; video/x-raw, width=16",
    "video/x-raw, width=16; video/x-raw(" FEATURE "), width=16",
    "video/x-raw(" FEATURE "), width=16",
  };
  static const gchar *const offered[] = { NULL,
    "video/x-raw(" FEATURE "), format=NV12; video/x-raw, format=NV12",
    "video/x-raw, format=NV12; video/x-raw(" FEATURE "), format=NV12",
    "video/x-raw(" FEATURE "), format=NV12" };
  g_autoptr (Harness) h = harness_new (NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (wanted) * G_N_ELEMENTS (offered); i++) {
    const guint w = i / G_N_ELEMENTS (offered), o = i % G_N_ELEMENTS (offered);
    const guint n_system = w < 2 && o < 3;
    g_autoptr (GstCaps) offer =
        offered[o] != NULL ? gst_caps_from_string (offered[o]) : NULL;
    g_autoptr (GstCaps) caps = NULL;

    gst_harness_set_sink_caps_str (h, wanted[w]);
    caps = gst_pad_peer_query_caps (h->srcpad, offer);
    fail_unless_equals_int (gst_caps_get_size (caps), n_system + 1);
    for (guint n = 0; n <= n_system; n++)
      fail_unless (
          gst_caps_features_contains (gst_caps_get_features (caps, n), FEATURE)
          == (n == n_system));
  }
}

/* Memory changes in the middle of a stream; frames in flight come first. */
TEST (test_renegotiation)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture =
      picture_new ("NV12", 322, 240, PICTURE_TIGHT, 20, 130, 1);
  g_autoptr (Picture) expected = picture_worked (picture, __i__);
  g_autoptr (Harness) h = harness_new_at_work (__i__);

  for (guint n = 0; n < 6; n++) {
    g_autoptr (Picture) copy = picture_copy (picture);
    GstBuffer *buffer = n % 2 == 0 ? picture_wrap (copy)
                                   : frame_new (allocator, OTHER, copy, 0);
    G_GNUC_UNUSED g_autoptr (GstBuffer) shared = gst_buffer_ref (buffer);
    g_autoptr (GstBuffer) out = NULL;

    if (n % 2 == 0)
      harness_set_caps (h, picture);
    else
      set_feature (h, picture, FEATURE);
    out = harness_run (h, buffer);
    assert_histograms (out, picture, ALL_NAMES);
    assert_pixels (out, expected);
    fail_unless_equals_int (
        gst_memory_is_type (gst_buffer_peek_memory (out, 0), OTHER_MEMORY),
        n % 2 != 0);
  }
}

/* Nothing is mapped in passthrough. */
TEST (test_passthrough)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Harness) h = harness_new ("attach-meta", FALSE, NULL);

  set_feature (h, picture, FEATURE);
  harness_pass (h, frame_new (allocator, OTHER, picture, 0));
  fail_unless_equals_int (allocator->maps.n, 0);
}

/* --- DMABufs by their names in Linux --- */

#if GST_CHECK_VERSION(1, 24, 0)

/* Work i is done in format i. */
static const struct
{
  const gchar *format, *name;
} drm_formats[] = { { "NV12", "NV12" }, { "I420", "YU12" }, { "BGRA", "AR24" },
  { "YUY2", "YUYV" }, { "RGB", "BG24" } };

static GstCaps *
drm_caps (const Picture *picture, const gchar *name)
{
  GstCaps *caps = feature_caps (picture, GST_CAPS_FEATURE_MEMORY_DMABUF);

  gst_caps_set_simple (caps, "format", G_TYPE_STRING, "DMA_DRM", "drm-format",
      G_TYPE_STRING, name, NULL);
  return caps;
}

/* Measured, or changed in place, where neither neighbour knows other names. */
TEST (test_drm)
{
  g_autoptr (Picture) picture = picture_new (
      drm_formats[__i__].format, 322, 240, PICTURE_PADDED, 20, 130, 1);
  g_autoptr (Picture) expected = picture_worked (picture, __i__);
  g_autoptr (GstCaps) caps = drm_caps (picture, drm_formats[__i__].name);
  g_autoptr (GstCaps) out_caps = NULL;
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h = harness_new_at_work (__i__);

  gst_harness_set_sink_caps (h, gst_caps_ref (caps));
  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  out = harness_run (h, frame_new (NULL, DMABUF, picture, O_RDWR));
  assert_histograms (out, picture, ALL_NAMES);
  assert_memory (out, GST_ALLOCATOR_DMABUF);
  assert_pixels (out, expected);
  out_caps = gst_pad_get_current_caps (h->sinkpad);
  fail_unless (gst_caps_is_equal (out_caps, caps));
}

/* A frame that somebody else sees changes in a buffer of downstream's pool. */
TEST (test_drm_shared)
{
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Picture) expected = picture_worked (picture, 1);
  g_autoptr (GstBufferPool) pool = gst_buffer_pool_new ();
  Proposal proposal = { pool, 16 * 8 * 3 / 2, 1, 1, NULL, { 0 } };
  g_autoptr (Harness) h = harness_new_at_work (1);
  g_autoptr (GstBuffer) shared = frame_new (NULL, DMABUF, picture, O_RDWR);
  g_autoptr (GstBuffer) out = NULL;

  harness_propose (h, &proposal);
  gst_harness_set_src_caps (h, drm_caps (picture, "NV12"));
  out = harness_run (h, gst_buffer_ref (shared));
  fail_unless (out->pool == pool);
  assert_pixels (out, expected);
  assert_pixels (shared, picture);
}

/* Several frames in flight need buffers of the frame's size. */
TEST (test_drm_size)
{
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (GstQuery) query = NULL;
  g_autoptr (Harness) h = harness_new ("frames-in-flight", 4, NULL);
  guint size;

  gst_harness_set_src_caps (h, drm_caps (picture, "NV12"));
  query = harness_query_allocation (h, TRUE);
  fail_unless_equals_int (gst_query_get_n_allocation_pools (query), 1);
  gst_query_parse_nth_allocation_pool (query, 0, NULL, &size, NULL, NULL);
  fail_unless_equals_int (size, 16 * 8 * 3 / 2);
}

#endif

const ElementTest element_tests[] = { FORMATS (test_frames),
  EACH (test_planes_mapped, planes_works), ONCE (test_scopes_alone),
  TIMES (test_few_buffers, 2), ONCE (test_few_targets), ONCE (test_shared_pool),
  ONCE (test_system_memory_first), TIMES (test_renegotiation, 2),
  ONCE (test_passthrough), EACH (test_restricted, restricted),
#if GST_CHECK_VERSION(1, 24, 0)
  EACH (test_drm, drm_formats), ONCE (test_drm_shared), ONCE (test_drm_size),
#endif
  { 0 } };
