/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * On a GPU that shares the host's memory, frames of the pools that the element
 * proposes or uses are never copied. The layer `caching` counts copies.
 */

#include <dlfcn.h>

#include "othermemory.h"

/* Copies of frames and planes so far. */
static guint
n_copies (void)
{
  static guint (*caching_n_copies) (void);

  if (caching_n_copies == NULL)
    caching_n_copies =
        dlsym (dlopen (g_getenv ("OPENCL_LAYERS"), RTLD_NOW | RTLD_NOLOAD),
            "caching_n_copies");
  fail_unless (caching_n_copies != NULL);
  return caching_n_copies ();
}

static const struct
{
  const gchar *format;
  guint width, height;
} frames[] = {
  { "GRAY8", 320, 240 },
  { "GRAY8", 323, 241 },
  { "I420", 320, 240 },
  { "I420", 323, 241 },
  { "NV12", 323, 241 },
  { "Y42B", 323, 241 },
  { "A420", 323, 241 },
  { "YUY2", 323, 241 },
  { "RGBA", 323, 241 },
  { "RGB", 323, 241 },
  { "GBR", 323, 241 },
};

/* In place, and to a frame of the element's own pool. */
static void
check_frame (guint f, guint work)
{
  g_autoptr (Picture) picture = picture_new (frames[f].format, frames[f].width,
      frames[f].height, PICTURE_TIGHT, 20, 130, 1 + f);
  g_autoptr (Harness) h = harness_new_at_work (work);
  g_autoptr (GstBufferPool) pool = NULL;

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  harness_set_caps (h, picture);
  pool = harness_propose_pool (h);
  fail_unless (pool != NULL, "no pool is proposed");
  for (guint n = 0; n < 8; n++) {
    g_autoptr (GstBuffer) buffer = picture_fill_pooled (picture, pool, n);
    const guint before = n_copies ();
    g_autoptr (GstBuffer) out = NULL;

    if (n % 2 == 0)
      out = harness_run (h, gst_buffer_ref (buffer));
    else
      out = harness_run (h, g_steal_pointer (&buffer));
    assert_histograms (out, picture, ALL_NAMES);
    fail_unless (n_copies () == before,
        "%s %ux%u, work %u: frame %u was copied", frames[f].format,
        frames[f].width, frames[f].height, work, n);
  }
  gst_buffer_pool_set_active (pool, FALSE);
}

TEST (test_pool)
{
  for (guint work = 0; work < N_WORKS; work++)
    check_frame (__i__, work);
}

/* Foreign memory at an odd address is copied. */
TEST (test_foreign)
{
  g_autoptr (Picture) picture =
      picture_new ("GRAY8", 320, 240, PICTURE_ODD, 20, 130, 1);
  g_autoptr (Harness) h = harness_new_for (picture, NULL, NULL);
  const guint before = n_copies ();

  harness_pass (h, picture_wrap (picture));
  fail_unless (n_copies () > before);
}

/* Pulls a frame that was in flight from the harness. */
static void
pull (GstHarness *h, const Picture *picture)
{
  g_autoptr (GstBuffer) out = gst_harness_try_pull (h);

  fail_unless (out != NULL);
  assert_histograms (out, picture, "luma");
}

/* Imported memory has only one buffer: other frames in it are copied, of the
 * same element (0) and of another one (1). Afterwards, it is imported again. */
TEST (test_same_memory)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 320, 240, PICTURE_TIGHT, 20, 130, 1);
  GstHarness *h = harness_new_for (picture, "frames-in-flight", 3, NULL);
  GstHarness *other = harness_new_for (picture, "frames-in-flight", 3, NULL);
  g_autoptr (GstBufferPool) pool = harness_propose_pool (h);
  g_autoptr (GstBuffer) buffer = picture_fill_pooled (picture, pool, 0);
  guint before = n_copies ();

  gst_harness_push (h, gst_buffer_ref (buffer));
  fail_unless_equals_int (n_copies (), before);
  for (guint n = 0; n < 2; n++)
    gst_harness_push (__i__ ? other : h, gst_buffer_ref (buffer));
  fail_unless (n_copies () > before);
  harness_drain (h);
  harness_drain (other);
  pull (h, picture);
  for (guint n = 0; n < 2; n++)
    pull (__i__ ? other : h, picture);

  before = n_copies ();
  gst_harness_push (other, gst_buffer_ref (buffer));
  fail_unless_equals_int (n_copies (), before);
  harness_drain (other);
  pull (other, picture);
  gst_clear_buffer (&buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  harness_free (h);
  harness_free (other);
}

const ElementTest element_tests[] = { EACH (test_pool, frames),
  ONCE (test_foreign), TIMES (test_same_memory, 2), { 0 } };
