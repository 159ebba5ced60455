/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * equalization=clahe: changes of its properties. The element itself verifies
 * its pixels against the C reference, which the test cvclahe compares with
 * OpenCV.
 */

#include "harnesses.h"

/* A dark left half and a bright right half, each a chessboard of two values. */
static Picture *
halves_new (void)
{
  Picture *picture = picture_new ("GRAY8", 64, 32, PICTURE_TIGHT, 0, 255, 1);

  for (guint y = 0; y < 32; y++)
    for (guint x = 0; x < 64; x++)
      picture_row (picture, 0, y)[x] = (x < 32 ? 20 : 200) + (x + y) % 2 * 10;
  return picture;
}

/* The difference between pixel (x, y) and the next one, after equalization. */
static gint
contrast (GstHarness *h, guint x, guint y)
{
  g_autoptr (Picture) picture = halves_new ();
  const guint8 *pixel = picture_row (picture, 0, y) + x;

  harness_change (h, picture, 0);
  return ABS (pixel[1] - pixel[0]);
}

/* Properties that are set while playing apply to the next frame. */
TEST (test_properties)
{
  g_autoptr (Picture) picture = halves_new ();
  g_autoptr (Harness) h =
      harness_new_for (picture, "verify", TRUE, "qos", FALSE, NULL);

  fail_unless_equals_int (contrast (h, 4, 4), 10);
  g_object_set (h->element, "equalization", AMPHISTO_EQUALIZATION_CLAHE,
      "tiles-x", 1, "tiles-y", 1, "clip-limit", 0.0, NULL);
  /* each of four values is a quarter of the pixels */
  fail_unless_equals_int (contrast (h, 4, 4), 64);
  g_object_set (h->element, "tiles-x", 2, NULL);
  fail_unless_equals_int (contrast (h, 4, 4), 127);
  fail_unless_equals_int (contrast (h, 60, 4), 127);
  g_object_set (h->element, "strength", 0.0f, NULL);
  fail_unless_equals_int (contrast (h, 4, 4), 10);
  g_object_set (h->element, "strength", 1.0f, "clip-limit", 1.0, NULL);
  fail_unless (contrast (h, 4, 4) < 20);
}

/* At the largest limit, nothing is clipped: each of a tile's two values has
 * half of its pixels, 128 times the count in a flat histogram. */
TEST (test_largest_limit)
{
  g_autoptr (Picture) picture = halves_new ();
  g_autoptr (Harness) h =
      harness_new_for (picture, "equalization", AMPHISTO_EQUALIZATION_CLAHE,
          "tiles-x", 2, "tiles-y", 1, "clip-limit", 256.0, NULL);

  fail_unless_equals_int (contrast (h, 4, 4), 127);
  g_object_set (h->element, "clip-limit", 100.0, NULL);
  fail_unless (contrast (h, 4, 4) < 127);
}

const ElementTest element_tests[] = { ONCE (test_properties),
  ONCE (test_largest_limit), { 0 } };
