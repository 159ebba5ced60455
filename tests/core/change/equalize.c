/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * LUTs of global equalization, matching and stretching, and their application,
 * against cases worked out by hand.
 */

#include "core/change/equalize.h"
#include "core/pixels/channels.h"
#include "layouts.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

typedef uint32_t Bins[AMPHISTO_N_BINS];
typedef uint8_t Lut[AMPHISTO_N_BINS];

/* points: "value:result …", or NULL for the identity. LUTs never fall, so the
 * first and the last value of a step are enough. */
static void
assert_lut (const Lut lut, const char *points)
{
  unsigned value, result;
  int length;

  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
    if (points == NULL)
      g_assert_cmpuint (lut[i], ==, i);
    else if (i > 0)
      g_assert_cmpuint (lut[i], >=, lut[i - 1]);
  while (points != NULL
      && sscanf (points, "%u:%u%n", &value, &result, &length) == 2) {
    g_assert_cmpuint (lut[value], ==, result);
    points += length;
  }
  g_assert_true (points == NULL || *points == '\0');
}

/* Values 10, 20, 30 and 40 occur 1, 2, 3 and 4 times. Without the first value,
 * the cumulative counts are 2, 5 and 9. */
static const Bins four_values = { [10] = 1, [20] = 2, [30] = 3, [40] = 4 };

/* --- equalization --- */

static const struct
{
  Bins bins;
  uint8_t lo, hi;
  float strength;
  const char *points;
} luts[] = {
  /* 255 * 2 / 9 = 56.7, 255 * 5 / 9 = 141.7 */
  { { [10] = 1, [20] = 2, [30] = 3, [40] = 4 }, 0, 255, 1,
      "0:0 19:0 20:57 29:57 30:142 39:142 40:255 255:255" },
  /* 219 * 2 / 9 = 48.7, 219 * 5 / 9 = 121.7 */
  { { [10] = 1, [20] = 2, [30] = 3, [40] = 4 }, 16, 235, 1,
      "0:16 19:16 20:65 29:65 30:138 39:138 40:235 255:235" },
  /* half the way to 0, 0, 57, 142, 255 and 255; 148 is 147.5, 38 is 38.5 and
   * 228 is 227.5 */
  { { [10] = 1, [20] = 2, [30] = 3, [40] = 4 }, 0, 255, 0.5f,
      "0:0 10:5 20:38 30:86 40:148 200:228 255:255" },
  /* values below the first that occurs move up or down, to 16: 8.5, 9.5 */
  { { [10] = 1, [20] = 2, [30] = 3, [40] = 4 }, 16, 235, 0.5f,
      "0:8 1:8 3:10 255:245" },
  /* 255 * 1 / 2 = 127.5 is rounded to 128, 255 * 1 / 6 = 42.5 to 42 */
  { { [0] = 7, [1] = 1, [2] = 1 }, 0, 255, 1, "0:0 1:128 2:255" },
  { { [0] = 7, [1] = 1, [2] = 5 }, 0, 255, 1, "1:42 255:255" },
  { { [10] = 1, [20] = 2, [30] = 3, [40] = 4 }, 0, 255, 0, NULL },
  /* no samples, and samples of one value */
  { { 0 }, 0, 255, 1, NULL },
  { { [0] = 12345 }, 0, 255, 1, NULL },
  { { [100] = 12345 }, 16, 235, 0.5f, NULL },
  { { [255] = 12345 }, 0, 255, 1, NULL },
};

static void
test_lut (void)
{
  Bins uniform;
  Lut lut;

  for (guint i = 0; IS_ROW (luts, i); i++) {
    amphisto_equalize_lut (
        luts[i].bins, luts[i].lo, luts[i].hi, luts[i].strength, lut);
    assert_lut (lut, luts[i].points);
  }
  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
    uniform[i] = 1 << 20;
  amphisto_equalize_lut (uniform, 0, 255, 1, lut);
  assert_lut (lut, NULL);
}

static void
test_match (void)
{
  const Bins bins = { [10] = 1, [20] = 3 };
  const Bins match_bins = { [100] = 2, [200] = 2 };
  Lut lut;

  amphisto_match_lut (bins, match_bins, 0, 255, 1, lut);
  assert_lut (lut, "0:0 9:0 10:100 19:100 20:200 255:200");
  amphisto_match_lut (bins, match_bins, 0, 255, 0.5f, lut);
  assert_lut (lut, "10:55 20:110");
  amphisto_match_lut (bins, match_bins, 0, 255, 0, lut);
  assert_lut (lut, NULL);
}

/* Samples of one value, and no samples, stay as they are, beyond the range as
 * well. */
static void
test_match_flat (void)
{
  const Bins match_bins = { [100] = 2, [200] = 2 };
  Lut lut;

  for (unsigned v = 0; v < AMPHISTO_N_BINS; v += 51) {
    Bins bins = { 0 };

    bins[v] = v == 102 ? 0 : 12345;
    amphisto_match_lut (bins, match_bins, 16, 235, 1, lut);
    assert_lut (lut, NULL);
    bins[v] += 12345;
    bins[255 - v] += 1;
    amphisto_match_lut (bins, match_bins, 16, 235, 1, lut);
    g_assert_cmpuint (lut[255], ==, 200);
  }
}

/* Values stay within the range, whatever match_bins has beyond it; strength
 * then moves towards these. */
static void
test_match_range (void)
{
  const Bins bins = { [10] = 1, [20] = 1, [30] = 1 };
  const Bins match_bins = { [4] = 1, [100] = 1, [250] = 1 };
  Lut lut;

  amphisto_match_lut (bins, match_bins, 16, 235, 1, lut);
  assert_lut (lut, "0:16 9:16 10:16 20:100 29:100 30:235 255:235");
  amphisto_match_lut (bins, match_bins, 16, 235, 0.5f, lut);
  assert_lut (lut, "0:8 10:13 20:60 30:132 255:245");
}

/* Matching to the same histogram, or to a multiple of it, changes no value that
 * occurs. */
static void
test_match_self (void)
{
  Bins bins = { 0 }, multiple = { 0 };
  Lut lut;

  for (unsigned i = 3; i < AMPHISTO_N_BINS; i += 1 + i % 4) {
    bins[i] = 1 + i * 7919 % 10007;
    multiple[i] = bins[i] * 3301;
  }
  for (unsigned k = 0; k < 2; k++) {
    amphisto_match_lut (bins, k == 0 ? bins : multiple, 0, 255, 1, lut);
    for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
      if (bins[i] > 0)
        g_assert_cmpuint (lut[i], ==, i);
  }
}

/* --- stretching --- */

/* Which values become black and white, by the samples that may be clipped. */
static void
test_stretch (void)
{
  static const struct
  {
    uint32_t low, high;
    float strength;
    const char *points;
  } cases[] = {
    { 0, 0, 1, "10:0 11:8 39:246 40:255" },
    { 1, 0, 1, "20:0 21:13 39:242 40:255" },
    { 2, 3, 1, "20:0 21:13 39:242 40:255" },
    { 3, 3, 1, "30:0 31:26 39:230 40:255" },
    { 0, 4, 1, "10:0 11:13 29:242 30:255" },
    { 0, 6, 1, "10:0 11:13 29:242 30:255" },
    { 0, 7, 1, "10:0 11:26 19:230 20:255" },
    /* half of the samples each: 30 and 30, and between two values */
    { 5, 5, 1, NULL },
    { 3, 7, 1, NULL },
    /* more than there are, as the rounded mean may have fewer samples */
    { 10, 0, 1, NULL },
    { 0, 10, 1, NULL },
    { 0, 0, 0, NULL },
    /* half the way to 0, 85, 255 and 255; 52 is 52.5 */
    { 0, 0, 0.5f, "10:5 20:52 40:148 255:255" },
  };
  Lut lut;

  for (guint i = 0; IS_ROW (cases, i); i++) {
    amphisto_stretch_lut (four_values, cases[i].low, cases[i].high, 0, 255,
        cases[i].strength, lut);
    assert_lut (lut, cases[i].points);
  }
}

/* 255 / 2 = 127.5 is rounded to 128, and 3 * 255 / 6 to 128 as well; 255 / 10 =
 * 25.5 to 26, 3 * 255 / 10 = 76.5 to 76. */
static void
test_stretch_half_to_even (void)
{
  static const char *const points[] = { "2:26 4:76", "4:128", "2:128" };
  const Bins bins = { [1] = 1, [3] = 1, [7] = 1, [11] = 1 };
  Lut lut;

  for (guint high = 0; IS_ROW (points, high); high++) {
    amphisto_stretch_lut (bins, 0, high, 0, 255, 1, lut);
    assert_lut (lut, points[high]);
  }
}

/* From any value to any other, in double. */
static void
test_stretch_formula (void)
{
  for (int a = 0; a < AMPHISTO_N_BINS; a++)
    for (int b = a + 1; b < AMPHISTO_N_BINS; b++) {
      Bins bins = { 0 };
      Lut lut;

      bins[a] = bins[b] = 1;
      amphisto_stretch_lut (bins, 0, 0, 16, 235, 1, lut);
      for (int i = 0; i < AMPHISTO_N_BINS; i++)
        g_assert_cmpfloat_with_epsilon (
            lut[i], 16 + (CLAMP (i, a, b) - a) * 219.0 / (b - a), 0.5001);
    }
}

/* Pictures that are empty, of one value, or of the whole range stay. */
static void
test_stretch_identity (void)
{
  static const Bins all[] = { { 0 }, { [0] = UINT32_MAX },
    { [100] = UINT32_MAX }, { [255] = UINT32_MAX },
    { [0] = 1, [100] = 1, [255] = 1 } };
  Lut lut;

  for (guint i = 0; IS_ROW (all, i); i++) {
    amphisto_stretch_lut (all[i], 0, 0, 0, 255, 1, lut);
    assert_lut (lut, NULL);
    amphisto_stretch_lut (all[i], 1u << 31, 1u << 31, 16, 235, 0.5f, lut);
    assert_lut (lut, NULL);
  }
}

/* --- pixels --- */

#define SIZE 13

/* Applies a LUT that inverts, into other memory or in place. */
static void
check_apply (const AmphistoLayout *layout, uint32_t padding,
    const uint8_t before[SIZE], const uint8_t after[SIZE], bool is_in_place)
{
  const uint32_t stride = layout->plane[0].row_bytes + padding;
  uint8_t source[SIZE], target[SIZE];
  const AmphistoFrame from = frame_in (layout, source, padding);
  const AmphistoFrame to = frame_in (layout, target, padding);
  const uint8_t *result = is_in_place ? source : target;
  Lut lut;

  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
    lut[i] = 255 - i;
  memcpy (source, before, SIZE);
  memset (target, 0xaa, SIZE);
  amphisto_equalize_apply (
      &from, is_in_place ? &from : &to, lut, AMPHISTO_UNIT_GAIN);
  for (uint32_t i = 0; i < SIZE; i++) {
    const bool is_written = i < stride * layout->plane[0].rows
        && i % stride < layout->plane[0].row_bytes;

    g_assert_cmpuint (result[i], ==,
        is_written        ? after[i]
            : is_in_place ? before[i]
                          : 0xaa);
    g_assert_true (is_in_place || source[i] == before[i]);
  }
}

/* Other planes, samples and padding (99) stay. */
static void
test_apply (void)
{
  const struct
  {
    AmphistoLayout layout;
    uint32_t padding;
    uint8_t before[SIZE], after[SIZE];
  } cases[] = {
    { grey_layout (3, 2), 1, { 0, 255, 7, 99, 1, 2, 3, 99 },
        { 255, 0, 248, 99, 254, 253, 252, 99 } },
    { yuv_layout (2, 2, 1, 1), 0, { 1, 2, 3, 4, 55, 66 },
        { 254, 253, 252, 251, 55, 66 } },
    /* there is no fourth Y */
    { packed_layout ("UYVY", 3, 1), 1, { 101, 1, 201, 2, 102, 3, 202, 98, 99 },
        { 101, 254, 201, 253, 102, 252, 202, 98, 99 } },
    /* luma is green: 100 becomes 155, 50 becomes 205 and 200 becomes 55 */
    { packed_layout ("ARGB", 3, 1), 1,
        { 98, 10, 100, 200, 98, 0, 50, 255, 98, 7, 200, 8, 99 },
        { 98, 65, 155, 255, 98, 155, 205, 255, 98, 0, 55, 0, 99 } },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++) {
    AmphistoLayout layout = cases[i / 2].layout;

    if (layout.is_rgb)
      memcpy (
          layout.weights, (uint32_t[3]){ 0, 65536, 0 }, sizeof layout.weights);
    g_assert_cmpuint (
        amphisto_channel_planes (&layout, AMPHISTO_CHANNEL_LUMA), ==, 1);
    check_apply (&layout, cases[i / 2].padding, cases[i / 2].before,
        cases[i / 2].after, i % 2);
  }
}

const CoreTest core_tests[] = {
  { "/lut", test_lut },
  { "/match/lut", test_match },
  { "/match/self", test_match_self },
  { "/match/range", test_match_range },
  { "/match/flat", test_match_flat },
  { "/stretch/range", test_stretch },
  { "/stretch/half-to-even", test_stretch_half_to_even },
  { "/stretch/formula", test_stretch_formula },
  { "/stretch/identity", test_stretch_identity },
  { "/apply", test_apply },
  { 0 },
};
