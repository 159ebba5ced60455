/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * equalization=stretch: full range, frames that stay, and the default, against
 * levels that are calculated apart. Formats and regions are in colors.c.
 */

#include "harnesses.h"

#include <math.h>

/* The element stretches a copy of the picture as picture_stretch() does. */
static void
check (GstHarness *h, const Picture *picture, gdouble low, gdouble high)
{
  g_autoptr (Picture) frame = picture_copy (picture);
  g_autoptr (Picture) expected = picture_copy (picture);

  g_object_set (h->element, "stretch-low", low, "stretch-high", high, NULL);
  picture_stretch (expected, low, high, 1.0f);
  harness_change (h, frame, 0);
  fail_unless_same_picture (frame, expected, "%g and %g %%", low, high);
}

/* YUV of full range is spread from 0 to 255. */
TEST (test_full_range)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 40, 30, PICTURE_TIGHT, 70, 150, 3);
  g_autoptr (Harness) h = harness_new_for (picture, "equalization",
      AMPHISTO_EQUALIZATION_STRETCH, "verify", TRUE, NULL);

  harness_set_colorimetry (h, picture, "1:4:0:0");
  picture->is_limited = false;
  check (h, picture, 1, 1);
}

/* A frame that has one value, or whose samples are all to be clipped, stays,
 * without a warning. */
TEST (test_nothing_to_stretch)
{
  g_autoptr (Picture) flat =
      picture_new ("NV12", 64, 48, PICTURE_TIGHT, 100, 100, 3);
  g_autoptr (Picture) picture =
      picture_new ("NV12", 64, 48, PICTURE_TIGHT, 20, 230, 3);
  g_autoptr (Harness) h = harness_new_for (picture, "equalization",
      AMPHISTO_EQUALIZATION_STRETCH, "verify", TRUE, NULL);
  g_autoptr (Picture) frame = picture_copy (picture);

  check (h, flat, 0, 0);
  check (h, flat, 50, 50);
  g_object_set (h->element, "stretch-low", 50.0, "stretch-high", 50.0, NULL);
  harness_change (h, frame, 0);
  fail_unless_same_picture (frame, picture);
  assert_not_warned (h->element);
}

/* Stars at night: 8 of 1600 samples, half a percent, are lit. By default, all
 * of them may be clipped, and the frame stays; they are spread if fewer may. */
TEST (test_stars)
{
  g_autoptr (Picture) picture =
      picture_new ("GRAY8", 40, 40, PICTURE_TIGHT, 10, 10, 1);
  g_autoptr (Picture) frame = NULL;
  g_autoptr (Harness) h = harness_new_for (
      picture, "equalization", AMPHISTO_EQUALIZATION_STRETCH, NULL);

  memset (picture_row (picture, 0, 20), 90, 8);
  frame = picture_copy (picture);
  harness_change (h, frame, 0);
  fail_unless_same_picture (frame, picture);
  assert_not_warned (h->element);
  g_object_set (h->element, "stretch-high", 0.4, NULL);
  harness_change (h, frame, 1);
  fail_unless_equals_int (picture_row (frame, 0, 20)[0], 255);
  fail_unless_equals_int (picture_row (frame, 0, 0)[0], 0);
}

/* Grey levels 0 to 199, one row each. */
static Picture *
levels_new (void)
{
  Picture *picture = picture_new ("GRAY8", 8, 200, PICTURE_TIGHT, 0, 0, 1);

  for (guint y = 0; y < 200; y++)
    for (guint x = 0; x < 8; x++)
      picture_row (picture, 0, y)[x] = y;
  return picture;
}

/* By default, half a percent is clipped at either end: here one of 200 values.
 */
TEST (test_default)
{
  g_autoptr (Picture) picture = levels_new ();
  g_autoptr (Harness) h = harness_new_for (
      picture, "equalization", AMPHISTO_EQUALIZATION_STRETCH, NULL);

  harness_change (h, picture, 0);
  for (guint y = 0; y < 200; y++) {
    const gdouble level = CLAMP ((y - 1.0) * 255 / 197, 0, 255);
    const gint change = picture_row (picture, 0, y)[0] - (gint) rint (level);

    fail_unless_equals_int (change, 0);
  }
}

const ElementTest element_tests[] = { ONCE (test_full_range),
  ONCE (test_nothing_to_stretch), ONCE (test_stars), ONCE (test_default),
  { 0 } };
