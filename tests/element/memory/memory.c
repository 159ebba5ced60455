/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory of all kinds: planes that share words, memory that is reused for one
 * frame after another, planes of 4 GiB. The fuzzer has read-only pages.
 */

#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "harnesses.h"

#include <string.h>
#include <sys/mman.h>

static void *
map_pages (gsize size)
{
  void *pages = mmap (NULL, size, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  fail_unless (pages != MAP_FAILED);
  return pages;
}

/* A buffer with memory that nobody else uses. */
static GstBuffer *
wrap_pages (void *pages, gsize size)
{
  return gst_buffer_new_wrapped_full (0, pages, size, 0, size, NULL, NULL);
}

/* The same memory holds one frame after another, changed in place. */
TEST (test_reused)
{
  const gsize size = 64 * 48;
  void *pages = map_pages (size);
  GstHarness *h =
      harness_new ("equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);

  for (guint seed = 0; seed < 20; seed++) {
    g_autoptr (Picture) picture =
        picture_new ("GRAY8", 64, 48, PICTURE_TIGHT, seed, 200 - seed, seed);
    g_autoptr (Picture) equalized = picture_equalized (picture);

    if (seed == 0)
      harness_set_caps (h, picture);
    memcpy (pages, picture->data, size);
    harness_check (h, wrap_pages (pages, size), NULL, NULL, equalized);
  }
  harness_free (h);
  fail_unless (munmap (pages, size) == 0);
}

/* The three planes of a picture without gaps between them, in place (0) and in
 * a new buffer (1); the picture is so small that they share words. */
TEST (test_side_by_side)
{
  static const guint sizes[][2] = { { 1, 1 }, { 3, 1 }, { 5, 3 }, { 7, 5 } };

  for (guint i = 0; IS_ROW (sizes, i); i++) {
    const guint width = sizes[i][0], height = sizes[i][1];
    const gsize plane = (gsize) width * height;
    gsize offset[4] = { 0, plane, 2 * plane };
    gint stride[4] = { width, width, width };
    g_autoptr (Picture) picture =
        picture_new ("GBR", width, height, PICTURE_TIGHT, 20, 200, i);
    g_autoptr (Picture) equalized = picture_equalized (picture);
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, 3 * plane, NULL);
    g_autoptr (GstBuffer) shared = NULL;
    GstHarness *h = harness_new_for (
        picture, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);

    for (guint p = 0; p < 3; p++)
      for (guint y = 0; y < height; y++)
        gst_buffer_fill (buffer, offset[p] + (gsize) y * width,
            picture_row (picture, p, y), width);
    gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_FORMAT_GBR, width, height, 3, offset, stride);
    if (__i__ == 1)
      shared = gst_buffer_ref (buffer);
    harness_check (h, buffer, NULL, NULL, equalized);
    if (shared != NULL)
      assert_pixels (shared, picture);
    harness_free (h);
  }
}

#if GLIB_SIZEOF_SIZE_T > 4

/* A plane with more bytes than kernels can count. */
TEST (test_4_gib)
{
  const gsize size = (gsize) 5 << 30;
  gsize offset[4] = { 0 };
  gint stride[4] = { G_MAXINT };
  void *pages = map_pages (size);
  g_autoptr (Picture) picture =
      picture_new ("GRAY8", 64, 3, PICTURE_TIGHT, 20, 200, 1);
  GstBuffer *buffer = wrap_pages (pages, size);
  GstHarness *h = harness_new_for (picture, "equalization", __i__, NULL);

  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_GRAY8, 64, 3, 1, offset, stride);
  harness_fail (h, buffer, GST_RESOURCE_ERROR_READ,
      "plane 0 spans 4294967358 bytes, 4 GiB or more");
  harness_free (h);
  fail_unless (munmap (pages, size) == 0);
}

#endif

const ElementTest element_tests[] = { ONCE (test_reused),
  TIMES (test_side_by_side, 2),
#if GLIB_SIZEOF_SIZE_T > 4
  TIMES (test_4_gib, 2),
#endif
  { 0 } };
