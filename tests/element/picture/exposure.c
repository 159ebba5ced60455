/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Zebra, false colour, peaking, and stripes over pixels out of gamut.
 */

#include "harnesses.h"
#include "names.h"

/* Stripes of 4 pixels move by one pixel per frame, white and black ones in
 * different directions. */
TEST (test_zebra_moves)
{
  g_autoptr (Picture) picture =
      picture_new ("GRAY8", 64, 32, PICTURE_ODD, 255, 255, 1);
  g_autoptr (Picture) expected = picture_copy (picture);
  g_autoptr (Harness) h =
      harness_new_for (picture, "exposure", ZEBRA, "qos", FALSE, NULL);

  for (guint n = 0; n < 20; n++) {
    const gboolean is_dark = n % 2 == 0;

    for (guint y = 0; y < 32; y++)
      for (guint x = 0; x < 64; x++)
        picture_row (expected, 0, y)[x] = is_dark
            ? ((x + y + n) & 4 ? 0 : 63)
            : ((x - y + n) & 4 ? 255 : 192);
    picture_fill (picture, "luma", is_dark ? 0 : 255);
    harness_change (h, picture, n);
    fail_unless_same_picture (picture, expected, "frame %u", n);
  }
}

/* Each start begins with the same stripes. */
TEST (test_zebra_after_restart)
{
  g_autoptr (Picture) white =
      picture_new ("GRAY8", 64, 32, PICTURE_ODD, 255, 255, 1);
  g_autoptr (Picture) begin = picture_copy (white);
  g_autoptr (Harness) h =
      harness_new_for (white, "exposure", ZEBRA, "qos", FALSE, NULL);

  harness_change (h, begin, 0);
  fail_unless (!picture_equal (begin, white));
  for (guint i = 0; i < 2; i++) {
    g_autoptr (Picture) second = picture_copy (white);
    g_autoptr (Picture) again = picture_copy (white);

    harness_change (h, second, 0);
    fail_unless (!picture_equal (second, begin));
    element_set_state (h->element, i == 0 ? GST_STATE_READY : GST_STATE_NULL);
    harness_restart (h, white);
    harness_change (h, again, 0);
    fail_unless_same_picture (again, begin);
  }
}

/* The zebra shows clipping before equalization, not clipping by equalization.
 */
TEST (test_zebra_as_it_arrived)
{
  g_autoptr (Picture) picture =
      picture_new ("GRAY8", 64, 48, PICTURE_ODD, 100, 101, 1);
  g_autoptr (Picture) expected = picture_equalized (picture);
  g_autoptr (Harness) h = harness_new_for (picture, "equalization",
      AMPHISTO_EQUALIZATION_GLOBAL, "exposure", ZEBRA, NULL);

  harness_check (h, picture_wrap (picture), NULL, NULL, expected);
}

/* Black is purple, middle grey green, white red; other grey stays. */
TEST (test_false_color)
{
  static const guint8 greys[][4] = { { 16, 51, 167, 159 },
    { 110, 160, 114, 60 }, { 124, 124, 128, 128 }, { 235, 76, 93, 231 } };

  for (guint i = 0; IS_ROW (greys, i); i++) {
    g_autoptr (Picture) picture =
        picture_new ("I420", 33, 31, PICTURE_ODD, 0, 255, 1);
    g_autoptr (Picture) expected = picture_copy (picture);
    GstHarness *h = harness_new_for (picture, "exposure", FALSE_COLOR, NULL);

    picture_fill (picture, "luma", greys[i][0]);
    picture_fill (expected, "luma", greys[i][1]);
    picture_fill (expected, "u", greys[i][2]);
    picture_fill (expected, "v", greys[i][3]);
    harness_change (h, picture, i);
    fail_unless_same_picture (picture, expected, "grey %u", greys[i][0]);
    harness_free (h);
  }
}

/* A step of luma by 60 has the gradient 240 of 1530, 15.7 %, in the columns on
 * both sides: they become orange, in grey white. The step is in the middle of a
 * chroma sample. */
TEST (test_peaking)
{
  static const gchar *const formats[] = { "I420", "GRAY8" };
  const gboolean is_grey = __i__ % 2;
  const gdouble threshold = __i__ < 2 ? 15 : 16;
  const guint8 edge = is_grey ? 255 : 146;
  g_autoptr (Picture) picture =
      picture_new (formats[__i__ % 2], 64, 32, PICTURE_ODD, 128, 128, 1);
  g_autoptr (Picture) expected = picture_copy (picture);
  g_autoptr (Harness) h = harness_new_for (picture, "exposure", PEAKING,
      "peaking-threshold", threshold, "verify", TRUE, NULL);

  for (guint y = 0; y < 32; y++)
    for (guint x = 0; x < 64; x++) {
      const gboolean is_edge = threshold < 15.7 && (x == 32 || x == 33);

      picture_row (picture, 0, y)[x] = x < 33 ? 100 : 160;
      picture_row (expected, 0, y)[x] = is_edge ? edge : x < 33 ? 100 : 160;
      for (guint c = 1; !is_grey && is_edge && c < 3; c++)
        *picture_sample (expected, &picture->format->component[c], x / 2,
            y / 2) = c == 1 ? 53 : 193;
    }
  harness_change (h, picture, 0);
  fail_unless_same_picture (picture, expected);
}

static guint8 *
v_sample (const Picture *picture, guint x, guint y)
{
  return picture_sample (
      picture, picture_component (picture, "v"), x / 2, y / 2);
}

/* Upright stripes of 4 pixels move by one pixel per frame; chroma and pixels in
 * gamut stay. */
TEST (test_gamut_moves)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 64, 32, PICTURE_ODD, 128, 128, 1);
  g_autoptr (Picture) expected = picture_copy (picture);
  g_autoptr (Harness) h =
      harness_new_for (picture, "exposure", GAMUT, "qos", FALSE, NULL);

  for (guint n = 0; n < 20; n++) {
    picture_fill (picture, "luma", n % 2 == 0 ? 60 : 200);
    for (guint y = 0; y < 32; y++)
      for (guint x = 0; x < 64; x++) {
        const gboolean is_outside = y < 16 && x < 48;

        *v_sample (picture, x, y) = is_outside ? 250 : 128;
        *v_sample (expected, x, y) = is_outside ? 250 : 128;
        picture_row (expected, 0, y)[x] = !is_outside || (x + n) / 4 % 2 == 0
            ? (n % 2 == 0 ? 60 : 200)
            : (n % 2 == 0 ? 235 : 16);
      }
    harness_change (h, picture, n);
    fail_unless_same_picture (picture, expected, "frame %u", n);
  }
}

/* Grey and RGB of limited range: 4 and 247 in one component are out of gamut,
 * all components get the stripes, and padding bytes none. */
TEST (test_gamut_rgb)
{
  static const struct
  {
    const gchar *format, *channel;
  } cases[] = { { "GRAY8", "luma" }, { "xRGB", "red" }, { "BGR", "green" },
    { "GBR", "blue" } };
  const gchar *channel = cases[__i__ % 4].channel;
  const guint8 illegal = __i__ < 4 ? 4 : 247, legal = __i__ < 4 ? 5 : 246;
  g_autoptr (Picture) picture = picture_new (
      cases[__i__ % 4].format, 64, 32, PICTURE_ODD, legal, legal, 1);
  g_autoptr (Picture) expected = picture_copy (picture);
  g_autoptr (Harness) h =
      harness_new ("exposure", GAMUT, "qos", FALSE, "verify", TRUE, NULL);
  const PictureComponent *c = picture_component (picture, channel);
  const guint n = picture->format->is_rgb ? 3 : 1;

  harness_set_colorimetry (h, picture, "2:0:5:1");
  for (guint y = 0; y < 32; y++)
    for (guint x = 0; x < 64; x += y < 16 ? 1 : 3) {
      *picture_sample (picture, c, x, y) = illegal;
      *picture_sample (expected, c, x, y) = illegal;
      for (guint i = 0; i < n && x / 4 % 2 == 1; i++)
        *picture_sample (expected, &picture->format->component[i], x, y) =
            illegal == 4 ? 235 : 16;
    }
  harness_change (h, picture, 0);
  fail_unless_same_picture (picture, expected);
}

/* Grey and RGB of limited range are black from 16 down and white from 235 up:
 * zebra stripes what clipped-low and clipped-high count, and stripes are 16 and
 * 235. */
TEST (test_zebra_limited)
{
  static const gchar *const formats[] = { "GRAY8", "RGBA", "BGRx", "RGBP" };
  static const guint8 greys[] = { 16, 17, 234, 235 };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (formats); i++) {
    const guint8 grey = greys[i % 4];
    const gboolean is_dark = grey <= 16, is_bright = grey >= 235;
    g_autoptr (Picture) picture =
        picture_new (formats[i / 4], 64, 32, PICTURE_ODD, grey, grey, 1);
    g_autoptr (Picture) expected = picture_copy (picture);
    GstHarness *h = harness_new ("exposure", ZEBRA, "verify", TRUE, NULL);

    harness_set_colorimetry (h, picture, "2:0:5:1");
    for (guint p = 0; p < 64 * 32 && (is_dark || is_bright); p++) {
      const guint x = p % 64, y = p / 64;

      for (guint c = 0; c < (picture->format->is_rgb ? 3 : 1); c++)
        *picture_sample (expected, &picture->format->component[c], x, y) =
            is_dark ? ((x + y) & 4 ? 16 : 70) : ((x - y) & 4 ? 235 : 181);
    }
    harness_change (h, picture, 0);
    fail_unless_same_picture (
        picture, expected, "%u in %s", grey, formats[i / 4]);
    harness_free (h);
  }
}

/* Formats without colours, or without a gamut. */
static const struct
{
  const gchar *format;
  guint exposure;
  const gchar *warning;
} nothings[] = {
  { "GRAY8", FALSE_COLOR, "exposure=false-color changes nothing" },
  { "GRAY8", GAMUT, "exposure=gamut draws nothing" },
  { "RGB", GAMUT, "exposure=gamut draws nothing" },
};

/* They stay unchanged, in their buffers. */
TEST (test_nothing)
{
  g_autoptr (Picture) picture =
      picture_new (nothings[__i__].format, 64, 48, PICTURE_ODD, 0, 255, 1);
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (Harness) h =
      harness_new_for (picture, "exposure", nothings[__i__].exposure, NULL);
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = harness_run (h, buffer);

  fail_unless (out == buffer);
  fail_unless_same_picture (picture, before);
  assert_refused (h->element, nothings[__i__].warning);
}

const ElementTest element_tests[] = { ONCE (test_zebra_moves),
  ONCE (test_zebra_after_restart), ONCE (test_zebra_as_it_arrived),
  ONCE (test_false_color), TIMES (test_peaking, 4), ONCE (test_gamut_moves),
  TIMES (test_gamut_rgb, 8), ONCE (test_zebra_limited),
  EACH (test_nothing, nothings), { 0 } };
