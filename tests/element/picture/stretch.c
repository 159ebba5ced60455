/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * equalization=stretch: every format, region and range, against levels that are
 * calculated apart, and changes of its properties.
 */

#include "harnesses.h"

#include <math.h>

static const struct
{
  gdouble low, high, strength;
} settings[] = {
  { 0, 0, 1 },
  { 0.5, 0.5, 1 },
  { 10, 0, 0.6 },
  { 0, 33.3, 1 },
  { 20, 20, 0 },
};

/* The element stretches a copy of the picture as picture_stretch() does. */
static void
check (GstHarness *h, const Picture *picture, gdouble low, gdouble high,
    gdouble strength)
{
  g_autoptr (Picture) frame = picture_copy (picture);
  g_autoptr (Picture) expected = picture_copy (picture);

  g_object_set (h->element, "stretch-low", low, "stretch-high", high,
      "strength", strength, NULL);
  picture_stretch (expected, low, high, (gfloat) strength);
  harness_change (h, frame, 0);
  fail_unless (picture_equal (frame, expected), "%s, %g and %g %%, by %g",
      picture->format->name, low, high, strength);
}

/* Each setting applies to the next frame. */
TEST (test_format)
{
  g_autoptr (Picture) picture = picture_new (
      picture_formats[__i__].name, 67, 35, PICTURE_ODD, 70, 150, 3);
  g_autoptr (Harness) h = harness_new_for (picture, "equalization",
      EQUALIZATION_STRETCH, "verify", TRUE, "qos", FALSE, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    check (h, picture, settings[i].low, settings[i].high, settings[i].strength);
}

/* YUV of full range is spread from 0 to 255. */
TEST (test_full_range)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 40, 30, PICTURE_TIGHT, 70, 150, 3);
  g_autoptr (Harness) h = harness_new_for (
      picture, "equalization", EQUALIZATION_STRETCH, "verify", TRUE, NULL);

  harness_set_colorimetry (h, picture, "1:4:0:0");
  picture->is_limited = false;
  check (h, picture, 1, 1, 1);
}

/* Only the region's samples count, and only they change. */
TEST (test_region)
{
  static const gchar *const formats[] = { "GRAY8", "I420", "YUY2", "RGB" };
  g_autoptr (Picture) picture =
      picture_new (formats[__i__], 64, 48, PICTURE_TIGHT, 20, 230, 3);
  g_autoptr (Harness) h = harness_new_for (picture, "equalization",
      EQUALIZATION_STRETCH, "verify", TRUE, "roi-x", 7, "roi-y", 5, "roi-width",
      20, "roi-height", 30, NULL);

  picture_set_part (picture, 7, 5, 20, 30);
  check (h, picture, 0, 0, 1);
  check (h, picture, 0.5, 7, 1);
}

/* A frame that has one value, or whose samples are all to be clipped, stays,
 * without a warning. */
TEST (test_nothing_to_stretch)
{
  g_autoptr (Picture) flat =
      picture_new ("NV12", 64, 48, PICTURE_TIGHT, 100, 100, 3);
  g_autoptr (Picture) picture =
      picture_new ("NV12", 64, 48, PICTURE_TIGHT, 20, 230, 3);
  g_autoptr (Harness) h = harness_new_for (
      picture, "equalization", EQUALIZATION_STRETCH, "verify", TRUE, NULL);
  g_autoptr (Picture) frame = picture_copy (picture);

  check (h, flat, 0, 0, 1);
  check (h, flat, 50, 50, 1);
  g_object_set (h->element, "stretch-low", 50.0, "stretch-high", 50.0, NULL);
  harness_change (h, frame, 0);
  fail_unless (picture_equal (frame, picture));
  assert_not_warned (h->element);
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
  g_autoptr (Harness) h =
      harness_new_for (picture, "equalization", EQUALIZATION_STRETCH, NULL);

  harness_change (h, picture, 0);
  for (guint y = 0; y < 200; y++) {
    const gdouble level = CLAMP ((y - 1.0) * 255 / 197, 0, 255);
    const gint change = picture_row (picture, 0, y)[0] - (gint) rint (level);

    fail_unless_equals_int (change, 0);
  }
}

/* A controlled end moves from frame to frame: from 0 % by 6.25 % of the levels.
 */
TEST (test_controlled)
{
  g_autoptr (Picture) picture = levels_new ();
  g_autoptr (Harness) h =
      harness_new_for (picture, "equalization", EQUALIZATION_STRETCH,
          "stretch-high", 0.0, "verify", TRUE, "qos", FALSE, NULL);

  element_control (h->element, "stretch-low", 0.0, 50.0);
  for (guint n = 0; n < 8; n += 2) {
    g_autoptr (Picture) frame = picture_copy (picture);

    harness_change (h, frame, n);
    /* n * 25 / 2 levels are clipped; the next one becomes black, too */
    fail_unless_equals_int (picture_row (frame, 0, n * 25 / 2)[0], 0);
    fail_unless (picture_row (frame, 0, n * 25 / 2 + 1)[0] > 0);
    fail_unless_equals_int (picture_row (frame, 0, 199)[0], 255);
  }
}

const ElementTest element_tests[] = { FORMATS (test_format),
  ONCE (test_full_range), TIMES (test_region, 4),
  ONCE (test_nothing_to_stretch), ONCE (test_default), ONCE (test_controlled),
  { NULL } };
