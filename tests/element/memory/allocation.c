/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The answer to upstream's ALLOCATION query, and the buffers after it.
 */

#include "cldevices.h"
#include "othermemory.h"

/* --- answers --- */

typedef enum
{
  NO_ALLOCATOR,
  SYSTEM,
  DOWNSTREAMS /* of memory that only downstream supports */
} Allocator;

/* Downstream's answer to the query, and the element's: pools, their number, and
 * the allocator. Ours come first. [1]: on devices that are no CPUs. */
static const struct
{
  const gchar *properties; /* separated by blanks */
  gboolean needs_pool;
  guint size, min, max; /* of downstream's pool; 0: none */
  Allocator allocator;
  gsize align, padding;
  struct
  {
    guint n_pools, size, min, max;
    gboolean has_their_pool; /* as the last one */
    guint n_params;
    gboolean is_our_allocator;
  } answer[2];
} answers[] = {
  /* alone: upstream with its own pool gets the allocator */
  { "", TRUE, 0, 0, 0, NO_ALLOCATOR, 0, 0,
      { { 0, 0, 0, 0, FALSE, 1, FALSE },
          { 1, 100 * 17, 0, 0, FALSE, 1, TRUE } } },
  { "equalization=global", FALSE, 0, 0, 0, NO_ALLOCATOR, 0, 0,
      { { 0, 0, 0, 0, FALSE, 1, FALSE },
          { 1, 100 * 17, 0, 0, FALSE, 1, TRUE } } },
  /* with downstream's size, number and parameters; three more frames may be in
   * flight */
  { "frames-in-flight=4", TRUE, 5000, 5, 9, SYSTEM, 0, 32,
      { { 1, 5000, 5 + 3, 9, TRUE, 1, FALSE },
          { 2, 5000, 5 + 3, 0, TRUE, 2, TRUE } } },
  { "", TRUE, 5000, 5, 9, SYSTEM, 4095, 32,
      { { 1, 5000, 5, 9, TRUE, 1, FALSE }, { 2, 5000, 5, 0, TRUE, 2, TRUE } } },
  /* a pool with fewer buffers than that */
  { "frames-in-flight=6", TRUE, 5000, 5, 9, SYSTEM, 0, 0,
      { { 1, 5000, 9, 9, TRUE, 1, FALSE }, { 2, 5000, 9, 0, TRUE, 2, TRUE } } },
  /* downstream may support no memory but its allocator's */
  { "", TRUE, 0, 0, 0, DOWNSTREAMS, 0, 0,
      { { 0, 0, 0, 0, FALSE, 1, FALSE }, { 0, 0, 0, 0, FALSE, 1, FALSE } } },
  /* in passthrough, the answer is downstream's */
  { "attach-meta=false", TRUE, 0, 0, 0, NO_ALLOCATOR, 0, 0,
      { { 0, 0, 0, 0, FALSE, 1, FALSE }, { 0, 0, 0, 0, FALSE, 1, FALSE } } },
  { "attach-meta=false", TRUE, 0, 0, 0, SYSTEM, 15, 0,
      { { 0, 0, 0, 0, FALSE, 1, FALSE }, { 0, 0, 0, 0, FALSE, 1, FALSE } } },
};

/* The bits that are 0 in addresses with the device's alignment: PoCL wants
 * multiples of 128. */
static gsize
wanted_mask (GstHarness *h)
{
  g_autofree gchar *name = element_device_name (h->element);

  return g_str_has_prefix (name, "pthread") ? 127 : 3;
}

static gboolean
is_ours (gpointer object)
{
  return object != NULL
      && g_str_has_prefix (G_OBJECT_TYPE_NAME (object), "GstAmphisto");
}

static void
assert_pools (
    GstQuery *query, guint row, gboolean is_cpu, GstBufferPool *theirs)
{
  const guint n = gst_query_get_n_allocation_pools (query);
  g_autoptr (GstBufferPool) ours = query_pool (query, 0);
  g_autoptr (GstBufferPool) last = query_pool (query, n - 1);
  guint size, min, max;

  fail_unless_equals_int (n, answers[row].answer[!is_cpu].n_pools);
  if (n == 0)
    return;
  fail_unless_equals_int (is_ours (ours), !is_cpu && answers[row].needs_pool);
  fail_unless_equals_int (
      last == theirs, answers[row].answer[!is_cpu].has_their_pool);
  gst_query_parse_nth_allocation_pool (query, 0, NULL, &size, &min, &max);
  fail_unless_equals_int (size, answers[row].answer[!is_cpu].size);
  fail_unless_equals_int (min, answers[row].answer[!is_cpu].min);
  fail_unless_equals_int (max, answers[row].answer[!is_cpu].max);
}

static void
assert_allocators (GstQuery *query, guint row, gboolean is_cpu)
{
  g_autoptr (GstAllocator) allocator = NULL;
  const guint n = gst_query_get_n_allocation_params (query);

  fail_unless_equals_int (n, answers[row].answer[!is_cpu].n_params);
  if (n == 0)
    return;
  allocator = query_allocator (query);
  fail_unless_equals_int (
      is_ours (allocator), answers[row].answer[!is_cpu].is_our_allocator);
}

/* Frames that are measured or changed get the device's alignment. A stricter
 * one of downstream is kept, as is its padding. */
static void
assert_alignment (GstQuery *query, guint row, gsize wanted)
{
  GstAllocationParams params;

  if (gst_query_get_n_allocation_params (query) == 0)
    return;
  gst_query_parse_nth_allocation_param (query, 0, NULL, &params);
  fail_unless_equals_int (params.padding, answers[row].padding);
  fail_unless (g_str_has_prefix (answers[row].properties, "attach-meta")
          ? params.align == answers[row].align
          : (params.align & wanted) == wanted);
  fail_unless ((params.align & answers[row].align) == answers[row].align);
  fail_unless ((params.align & (params.align + 1)) == 0);
}

static void
check_answer (guint row, ClKind kind)
{
  g_autoptr (GstBufferPool) pool = gst_video_buffer_pool_new ();
  g_autoptr (GstAllocator) system = gst_allocator_find (GST_ALLOCATOR_SYSMEM);
  g_autoptr (OtherAllocator) other = other_allocator_new (TRUE);
  Proposal proposal = { answers[row].size > 0 ? pool : NULL, answers[row].size,
    answers[row].min, answers[row].max,
    answers[row].allocator == SYSTEM            ? system
        : answers[row].allocator == DOWNSTREAMS ? GST_ALLOCATOR (other)
                                                : NULL,
    { .align = answers[row].align, .padding = answers[row].padding } };
  g_autoptr (Harness) h = NULL;
  g_autoptr (GstQuery) query = NULL;

  cldevices_set_kind (kind);
  h = harness_new (NULL, NULL);
  element_set_state (h->element, GST_STATE_READY);
  element_set_properties (h->element, answers[row].properties);
  gst_harness_play (h);
  harness_propose (h, &proposal);
  gst_harness_set_src_caps (h, video_caps ("RGB", 33, 17, NULL));
  query = harness_query_allocation (h, answers[row].needs_pool);
  assert_alignment (query, row, kind == CL_KIND_REAL ? wanted_mask (h) : 0);
  if (kind != CL_KIND_REAL) {
    assert_pools (query, row, kind == CL_KIND_CPU, pool);
    assert_allocators (query, row, kind == CL_KIND_CPU);
  }
}

TEST (test_answers)
{
  for (ClKind kind = 0; kind < CL_N_KINDS; kind++)
    check_answer (__i__, kind);
  cldevices_set_kind (CL_KIND_REAL);
}

/* --- metadata --- */

static gboolean
has_meta (GstHarness *h, GType api)
{
  g_autoptr (GstQuery) query = NULL;

  gst_harness_set_src_caps (h, video_caps ("I420", 33, 17, NULL));
  query = harness_query_allocation (h, TRUE);
  return gst_query_find_allocation_meta (query, api, NULL);
}

/* Buffers pass downstream unchanged, so GstVideoMeta is supported if downstream
 * supports it. Metas that describe a different frame (crop, rotation) are not
 * supported (0 to 3); others are (4 to 6). In passthrough, all are. */
TEST (test_metas)
{
  const GType apis[] = { GST_VIDEO_CROP_META_API_TYPE,
    GST_VIDEO_AFFINE_TRANSFORMATION_META_API_TYPE,
    GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE,
    GST_VIDEO_GL_TEXTURE_UPLOAD_META_API_TYPE,
    GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE,
    GST_VIDEO_TIME_CODE_META_API_TYPE, GST_VIDEO_META_API_TYPE };
  const GType api = apis[__i__ / 4];
  const gboolean passes = __i__ % 2, all = __i__ / 2 % 2;
  g_autoptr (Harness) h = harness_new (
      "attach-meta", !passes, "equalization", all && !passes, NULL);

  fail_unless (!has_meta (h, api));
  for (guint i = 0; i < G_N_ELEMENTS (apis); i++)
    if (all || apis[i] == api)
      gst_harness_add_propose_allocation_meta (h, apis[i], NULL);
  fail_unless_equals_int (has_meta (h, api), passes || __i__ / 4 >= 4);
}

static void
assert_aligned (GstHarness *h, GstBuffer *buffer)
{
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  fail_unless (((guintptr) map.data & wanted_mask (h)) == 0);
  gst_buffer_unmap (buffer, &map);
}

/* New buffers of the element are aligned, and so are those of a source that
 * follows the answer to its query. */
TEST (test_buffers)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 33, 17, PICTURE_ODD, 20, 90, 1);
  g_autoptr (GstBuffer) buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL, created = NULL;
  g_autoptr (Harness) h = harness_new_for (
      picture, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);

  out = harness_run (h, gst_buffer_ref (buffer));
  assert_aligned (h, out);
  created = gst_harness_create_buffer (h, 33 * 17 * 2);
  assert_aligned (h, created);
}

/* --- one pool for upstream and the element --- */

/* Refuses a buffer where other pools would wait for one. */
typedef GstVideoBufferPool StrictPool;
typedef GstVideoBufferPoolClass StrictPoolClass;
GType strict_pool_get_type (void);
G_DEFINE_TYPE (StrictPool, strict_pool, GST_TYPE_VIDEO_BUFFER_POOL)

static GstFlowReturn
strict_pool_acquire (
    GstBufferPool *pool, GstBuffer **buffer, GstBufferPoolAcquireParams *params)
{
  GstBufferPoolAcquireParams at_once = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };

  (void) params;
  return GST_BUFFER_POOL_CLASS (strict_pool_parent_class)
      ->acquire_buffer (pool, buffer, &at_once);
}

static void
strict_pool_class_init (StrictPoolClass *class)
{
  GST_BUFFER_POOL_CLASS (class)->acquire_buffer = strict_pool_acquire;
}

static void
strict_pool_init (StrictPool *self)
{
  (void) self;
}

/* Number of frames that are pushed. */
#define N_SHARED 12

/* Pulls frames until downstream has `n`. Returns: how many are in the pool. */
static guint
pull_until (
    GstHarness *h, guint n, const GstBufferPool *pool, const Picture *expected)
{
  guint n_of_pool = 0;

  while (gst_harness_buffers_in_queue (h) > n) {
    g_autoptr (GstBuffer) out = gst_harness_pull (h);

    assert_pixels (out, expected);
    n_of_pool += out->pool == pool;
  }
  return n_of_pool;
}

/* Takes a buffer of the pool, or all that are free, into `taken`. */
static void
take_free (GstBufferPool *pool, GQueue *taken, gboolean takes_all)
{
  GstBuffer *buffer;

  while ((takes_all || g_queue_is_empty (taken))
      && gst_buffer_pool_acquire_buffer (pool, &buffer, NULL) == GST_FLOW_OK)
    g_queue_push_tail (taken, buffer);
}

/* Pushes frames from the pool. Downstream keeps the last one, as sinks do.
 * Upstream keeps a reference to it if it `keeps`, as decoders do, until the
 * next one. If it `takes`, it first takes all buffers that are free, as a queue
 * does, and later drops them.
 *
 * Returns: how many frames downstream got in buffers of the pool. */
static guint
run_shared (GstHarness *h, GstBufferPool *pool, const Picture *picture,
    const Picture *expected, gboolean keeps, gboolean takes)
{
  g_autoptr (GstBuffer) kept = NULL;
  GQueue taken = G_QUEUE_INIT;
  guint n_of_pool = 0;

  for (guint n = 0; n < N_SHARED; n++) {
    GstBuffer *buffer;

    n_of_pool += pull_until (h, 1, pool, expected);
    gst_clear_buffer (&kept);
    if (n == N_SHARED / 2)
      g_queue_clear_full (&taken, (GDestroyNotify) gst_buffer_unref);
    take_free (pool, &taken, takes && n < N_SHARED / 2);
    if (g_queue_is_empty (&taken)) { /* until frames in flight are sent on */
      harness_drain (h);
      n_of_pool += pull_until (h, 1, pool, expected);
      take_free (pool, &taken, FALSE);
    }
    buffer = g_queue_pop_head (&taken);
    fail_unless (buffer != NULL, "frame %u waits for a buffer", n);
    picture_write (picture, buffer);
    GST_BUFFER_PTS (buffer) = n * 40 * GST_MSECOND;
    gst_buffer_replace (&kept, keeps ? buffer : NULL);
    harness_push (h, buffer);
  }
  harness_drain (h);
  return n_of_pool + pull_until (h, 0, pool, expected);
}

/* A harness whose frames can't change in place: upstream keeps them, or they
 * get equalization and a zebra. */
static GstHarness *
harness_new_elsewhere (guint n_frames, gboolean keeps)
{
  return harness_new ("frames-in-flight", n_frames, "equalization",
      AMPHISTO_EQUALIZATION_GLOBAL, "exposure", !keeps, NULL);
}

static void
check_shared (guint n_frames, const Picture *picture, const Picture *expected,
    gboolean keeps, gboolean takes, guint n_more)
{
  g_autoptr (GstBufferPool) pool =
      g_object_ref_sink (g_object_new (strict_pool_get_type (), NULL));
  const guint max = 2 + (n_frames - 1) + keeps + n_more;
  Proposal proposal = { .pool = pool, .min = 2, .max = max };
  g_autoptr (GstCaps) caps =
      video_caps (picture->format->name, picture->width, picture->height, NULL);
  GstHarness *h = harness_new_elsewhere (n_frames, keeps);
  guint n_of_pool;

  harness_propose (h, &proposal);
  harness_set_caps (h, picture);
  /* upstream takes the pool, too */
  pool_activate (pool, caps, picture->size, 0, max, NULL);
  n_of_pool = run_shared (h, pool, picture, expected, keeps, takes);
  if (!takes && n_frames == 1 && n_more > 0 && !harness_pins_memory (h))
    fail_unless_equals_int (n_of_pool, N_SHARED);
  harness_free (h);
  fail_unless (gst_buffer_pool_set_active (pool, FALSE));
}

/* Downstream's pool, which upstream has, too, has buffers for the frame that
 * downstream keeps, for the frames in flight, for the frame that upstream
 * keeps (0) or not (1), for the next one, and perhaps one more. The element
 * never waits for one, and upstream only for frames in flight. Frames are
 * written into the pool if it has a free buffer. */
TEST (test_shared_pool)
{
  const gboolean keeps = __i__ == 0;
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Picture) expected = picture_copy (picture);
  GstHarness *h = harness_new_elsewhere (1, keeps);

  harness_set_caps (h, picture);
  harness_change (h, expected, 0);
  harness_free (h);
  for (guint i = 0; i < 8; i++)
    check_shared (i & 1 ? 4 : 1, picture, expected, keeps, i & 2, i >> 2);
}

typedef struct
{
  guint n_frames, n_queries;
  GstElement *element;
} Counts;

/* Leaves passthrough with frame 4, and enters it again with frame 8. */
static GstPadProbeReturn
count_inputs (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Counts *counts = data;

  (void) pad;
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    g_object_set (
        counts->element, "attach-meta", counts->n_frames++ / 4 == 1, NULL);
  else if (info->type & GST_PAD_PROBE_TYPE_PUSH
      && GST_QUERY_TYPE (info->data) == GST_QUERY_ALLOCATION)
    counts->n_queries++;
  return GST_PAD_PROBE_OK;
}

/* Upstream sends the query at the start, and again whenever passthrough is left
 * or entered. No frame is lost, and metadata follows the property. */
TEST (test_asked_anew)
{
  GstHarness *h = gst_harness_new_parse (
      "videotestsrc num-buffers=12 ! video/x-raw,format=GRAY8 ! "
      "amphisto name=a attach-meta=false");
  g_autoptr (GstElement) element =
      gst_bin_get_by_name (GST_BIN (h->element), "a");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  Counts counts = { .element = element };

  gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      count_inputs, &counts, NULL);
  gst_harness_play (h);
  for (guint n = 0; n < 12; n++) {
    g_autoptr (GstBuffer) out = gst_harness_pull (h);

    fail_unless_equals_int (buffer_n_metas (out), n / 4 == 1);
  }
  gst_harness_teardown (h);
  fail_unless_equals_int (counts.n_frames, 12);
  fail_unless_equals_int (counts.n_queries, 3);
}

const ElementTest element_tests[] = { EACH (test_answers, answers),
  TIMES (test_metas, 4 * 7), TIMES (test_shared_pool, 2),
  ONCE (test_asked_anew), ONCE (test_buffers), { 0 } };
