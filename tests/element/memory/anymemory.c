/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames in other memory than the system's: they give the same results, stay in
 * their memory, and are mapped once.
 */

#include "othermemory.h"

/* --- measured and changed --- */

/* A frame that is only measured is mapped once, for reading, and goes on as it
 * came: one memory or one for each plane, shared with others or not. */
static void
check_measured (GstHarness *h, OtherAllocator *allocator, Picture *picture,
    gboolean in_planes, gboolean is_shared)
{
  GstBuffer *buffer = other_allocator_move (allocator,
      in_planes ? picture_wrap_planes (picture, 0) : picture_wrap (picture));
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  const guint n = gst_buffer_n_memory (buffer);
  g_autoptr (GstBuffer) shared = is_shared ? gst_buffer_ref (buffer) : NULL;
  g_autoptr (GstBuffer) out = NULL;

  set_feature (h, picture, FEATURE);
  allocator->maps = (OtherMaps){ 0 };
  out = harness_run (h, buffer);
  fail_unless_equals_int (allocator->maps.n, n);
  fail_unless_equals_int (allocator->maps.n_written, 0);
  assert_histograms (out, picture, ALL_NAMES);
  fail_unless (is_shared || out == buffer);
  fail_unless_equals_int (gst_buffer_n_memory (out), n);
  fail_unless (gst_buffer_peek_memory (out, 0) == memory);
}

TEST (test_measured)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture = picture_new (
      picture_formats[__i__].name, 161, 35, PICTURE_TIGHT, 20, 130, 1);
  g_autoptr (Harness) h = harness_new_at_work (0);

  for (guint i = 0; i < 4; i++)
    check_measured (h, allocator, picture, i & 1, i & 2);
}

/* The frame of a buffer that nobody else has changes in place. */
TEST (test_changed_in_place)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture =
      picture_new ("NV12", 322, 240, PICTURE_PADDED, 20, 130, 1);
  g_autoptr (Picture) expected = picture_worked (picture, __i__);
  g_autoptr (Harness) h = harness_new_at_work (__i__);
  GstBuffer *buffer = other_allocator_move (allocator, picture_wrap (picture));
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  const gboolean is_in_place = __i__ < (gint) N_WORKS - 1;
  g_autoptr (GstBuffer) out = NULL;

  set_feature (h, picture, FEATURE);
  out = harness_run (h, buffer);
  assert_histograms (out, picture, ALL_NAMES);
  assert_memory (out, OTHER_MEMORY);
  fail_unless_equals_int (allocator->maps.n, is_in_place ? 1 : 2);
  fail_unless_equals_int (allocator->maps.n_written, 1);
  fail_unless ((gst_buffer_peek_memory (out, 0) == memory) == is_in_place);
  assert_pixels (out, expected);
}

/* Scopes alone are in system memory. The frame is only read. */
TEST (test_scopes_alone)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (FALSE);
  g_autoptr (Picture) picture =
      picture_new ("NV12", 322, 240, PICTURE_PADDED, 20, 130, 1);
  g_autoptr (Harness) h = harness_new ("scopes", 7, "scopes-only", TRUE,
      "channels", CHANNELS_ALL, "verify", TRUE, NULL);
  GstBuffer *buffer = other_allocator_move (allocator, picture_wrap (picture));
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

/* --- changed elsewhere --- */

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

/* Why the frame can't be changed in place. */
typedef enum
{
  SHARED,
  READ_ONLY,
  N_REASONS
} Reason;

/* The frame changes in a buffer of downstream's pool, or in a copy of itself if
 * there is none; the frame that came stays as it was. Only a frame that has to
 * be read beside its copy is mapped, too. */
static void
check_changed_elsewhere (guint work, Reason reason, gboolean has_pool)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture =
      picture_new ("I420", 322, 240, PICTURE_PADDED, 20, 130, 1);
  g_autoptr (Picture) expected = picture_worked (picture, work);
  g_autoptr (GstBufferPool) pool = gst_video_buffer_pool_new ();
  Proposal proposal = pool_of_two (pool);
  g_autoptr (Harness) h = harness_new_at_work (work);
  GstBuffer *buffer = other_allocator_move (allocator, picture_wrap (picture));
  const gboolean reads = has_pool || work == (gint) N_WORKS - 1;
  g_autoptr (GstMemory) memory = gst_buffer_get_memory (buffer, 0);
  g_autoptr (GstBuffer) shared = NULL, out = NULL;

  if (reason == SHARED)
    shared = gst_buffer_ref (buffer);
  else
    GST_MINI_OBJECT_FLAG_SET (memory, GST_MEMORY_FLAG_READONLY);
  if (has_pool)
    propose_pool (h, &proposal, allocator);
  set_feature (h, picture, FEATURE);
  out = harness_run (h, buffer);
  fail_unless_equals_int (allocator->maps.n, reads ? 2 : 1);
  fail_unless_equals_int (allocator->maps.n_read, 1);
  fail_unless_equals_int (allocator->maps.n_written, 1);
  assert_histograms (out, picture, ALL_NAMES);
  assert_pixels (out, expected);
  assert_memory (out, OTHER_MEMORY);
  fail_unless (out->pool == (has_pool ? pool : NULL));
  fail_unless (gst_buffer_peek_memory (out, 0) != memory);
  if (shared != NULL)
    assert_pixels (shared, picture);
}

TEST (test_changed_elsewhere)
{
  for (guint i = 0; i < 2 * N_REASONS; i++)
    check_changed_elsewhere (__i__, i >> 1, i & 1);
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

/* With four frames in flight, upstream's pool of two to six buffers always has
 * one for the next frame, though downstream holds one: measured (0) and changed
 * in place (1). */
TEST (test_few_buffers)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Harness) h =
      harness_new ("frames-in-flight", 4, "equalization", __i__, NULL);

  set_feature (h, picture, FEATURE);
  for (guint size = 2; size <= 6; size++) {
    g_autoptr (GstBufferPool) pool = pool_new (picture, allocator, size);
    const guint before = gst_harness_buffers_received (h);
    guint n_held = 0;

    for (guint n = 0; n < 12; n++) {
      GstBuffer *buffer;

      while (gst_harness_buffers_in_queue (h) > 1)
        gst_buffer_unref (gst_harness_pull (h));
      buffer = pool_acquire (pool);
      picture_write (picture, buffer);
      GST_BUFFER_PTS (buffer) = n * 40 * GST_MSECOND;
      fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
      n_held = before + n + 1 - gst_harness_buffers_received (h);
    }
    fail_unless_equals_int (n_held, MIN (size - 2, 3));
    harness_drain (h);
    while (gst_harness_buffers_in_queue (h) > 0)
      gst_buffer_unref (gst_harness_pull (h));
    gst_buffer_pool_set_active (pool, FALSE);
  }
}

/* Downstream's pool always has a buffer for the next target, and upstream gets
 * that pool, too. */
TEST (test_few_targets)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Picture) expected = picture_worked (picture, 1);
  g_autoptr (GstBufferPool) pool = gst_video_buffer_pool_new ();
  Proposal proposal = pool_of_two (pool);
  g_autoptr (GstBuffer) shared =
      other_allocator_move (allocator, picture_wrap (picture));
  g_autoptr (GstQuery) query = NULL;
  g_autoptr (GstBufferPool) proposed = NULL;
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h = harness_new (
      "frames-in-flight", 4, "equalization", EQUALIZATION_GLOBAL, NULL);
  guint min, max;

  propose_pool (h, &proposal, allocator);
  set_feature (h, picture, FEATURE);
  for (guint n = 0; n < 8; n++) {
    GstBuffer *buffer = gst_buffer_copy (shared);

    GST_BUFFER_PTS (buffer) = n * 40 * GST_MSECOND;
    fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
    fail_unless_equals_int (gst_harness_buffers_received (h), n + 1);
    if (n > 0)
      gst_buffer_unref (gst_harness_pull (h));
  }
  out = gst_harness_pull (h);
  assert_pixels (out, expected);
  fail_unless (out->pool == pool);
  query = harness_query_allocation (h, TRUE);
  gst_query_parse_nth_allocation_pool (query, 0, &proposed, NULL, &min, &max);
  fail_unless (proposed == pool);
  fail_unless_equals_int (min, 2);
  fail_unless_equals_int (max, 2);
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
    taken[i] = pool_acquire (pool);
  gst_buffer_pool_set_flushing (pool, TRUE);
  picture_write (picture, taken[0]);
  GST_BUFFER_PTS (taken[0]) = 0;
  out = harness_run (h, taken[0]);
  assert_memory (out, OTHER_MEMORY);
  fail_unless (out->pool == NULL);
  assert_pixels (out, expected);
  gst_buffer_unref (taken[1]);
}

/* --- negotiation --- */

/* System memory comes first, and all caps pass with their features. */
TEST (test_caps)
{
  GstElement *element = element_new (NULL, NULL);
  g_autoptr (Harness) h = gst_harness_new_with_element (element, "sink", "src");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstCaps) any = NULL, both = NULL;

  any = gst_pad_query_caps (pad, NULL);
  fail_unless (gst_caps_features_is_equal (
      gst_caps_get_features (any, 0), GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY));
  fail_unless (gst_caps_features_is_any (gst_caps_get_features (any, 1)));

  gst_harness_set_sink_caps_str (h,
      "video/x-raw(" FEATURE "), format=NV12, "
      "width=16");
  both = gst_pad_query_caps (pad, NULL);
  fail_unless_equals_int (gst_caps_get_size (both), 1);
  fail_unless (
      gst_caps_features_contains (gst_caps_get_features (both, 0), FEATURE));
  gst_object_unref (element);
}

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
    GstBuffer *buffer = picture_wrap_nth (copy, n);
    g_autoptr (GstBuffer) shared = gst_buffer_ref (buffer);
    g_autoptr (GstBuffer) out = NULL;

    if (n % 2 == 0) {
      harness_set_caps (h, picture);
    } else {
      set_feature (h, picture, FEATURE);
      gst_buffer_unref (g_steal_pointer (&shared));
      shared = gst_buffer_ref (other_allocator_move (allocator, buffer));
    }
    out = harness_run (h, buffer);
    assert_histograms (out, picture, ALL_NAMES);
    assert_pixels (out, expected);
    fail_unless (
        gst_memory_is_type (gst_buffer_peek_memory (out, 0), OTHER_MEMORY)
        == (n % 2 != 0));
  }
}

/* Nothing is mapped in passthrough. */
TEST (test_passthrough)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Harness) h = harness_new ("attach-meta", FALSE, NULL);

  set_feature (h, picture, FEATURE);
  harness_pass (h, other_allocator_move (allocator, picture_wrap (picture)));
  fail_unless_equals_int (allocator->maps.n, 0);
}

/* A gap without a frame has nothing to map or to copy. */
TEST (test_gap)
{
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Harness) h = harness_new_at_work (__i__);
  GstBuffer *gap = gap_new ();

  GST_BUFFER_PTS (gap) = 0;
  GST_BUFFER_DURATION (gap) = 40 * GST_MSECOND;
  set_feature (h, picture, FEATURE);
  fail_unless (harness_run (h, gst_buffer_ref (gap)) == gap);
  gst_buffer_unref (gap);
  gst_buffer_unref (gap);
}

/* --- errors --- */

static void
push_failing (GstHarness *h, OtherAllocator *allocator, Picture *picture,
    const gchar *feature, gboolean is_shared)
{
  GstBuffer *buffer = other_allocator_move (allocator, picture_wrap (picture));
  g_autoptr (GstBuffer) shared = is_shared ? gst_buffer_ref (buffer) : NULL;

  set_feature (h, picture, feature);
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
}

/* Memory that can't be mapped for reading, or for writing in place: the error
 * names it, and the element that downloads it. */
TEST (test_refused)
{
  static const gchar *const elements[][2] = {
    { "memory:GLMemory", "gldownload" },
    { "memory:CUDAMemory", "cudadownload" },
    { "memory:VAMemory", "vapostproc" },
    { FEATURE, "an element that downloads it" },
  };
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture = picture_small ("NV12");
  const gboolean writes = __i__ & 1;
  const guint e = __i__ >> 1;
  g_autoptr (Harness) h = harness_new ("equalization", writes, NULL);
  g_autoptr (GError) error = NULL;

  allocator->refused = writes ? GST_MAP_WRITE : GST_MAP_READ;
  push_failing (h, allocator, picture, elements[e][0], FALSE);
  error = bus_pop_error (h->element, NULL);
  for (guint i = 0; i < 2; i++)
    assert_error (
        error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ, elements[e][i]);
}

/* Memory that can only be read is measured. */
TEST (test_writing_refused)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (FALSE);
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Harness) h = harness_new (NULL, NULL);

  allocator->refused = GST_MAP_WRITE;
  set_feature (h, picture, FEATURE);
  harness_check (h, other_allocator_move (allocator, picture_wrap (picture)),
      picture, "luma", NULL);
}

/* A copy in system memory would contradict the caps. */
TEST (test_not_copied)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (FALSE);
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Harness) h =
      harness_new ("equalization", EQUALIZATION_GLOBAL, NULL);
  g_autoptr (GError) error = NULL;

  push_failing (h, allocator, picture, FEATURE, TRUE);
  error = bus_pop_error (h->element, NULL);
  assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE, FEATURE);
}

const ElementTest element_tests[] = { FORMATS (test_measured),
  RANGE (test_changed_in_place, 1, N_WORKS), ONCE (test_scopes_alone),
  RANGE (test_changed_elsewhere, 1, N_WORKS), TIMES (test_few_buffers, 2),
  ONCE (test_few_targets), ONCE (test_shared_pool), ONCE (test_caps),
  ONCE (test_system_memory_first), TIMES (test_renegotiation, 2),
  ONCE (test_passthrough), TIMES (test_gap, 2), TIMES (test_refused, 8),
  ONCE (test_writing_refused), ONCE (test_not_copied), { NULL } };
