/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * LUTs of global equalization, matching and stretching, and their application,
 * against cases worked out by hand.
 */

#include "core/change/equalize.h"
#include "suite.h"

#include <math.h>
#include <string.h>

static void
assert_identity (const uint8_t lut[AMPHISTO_N_BINS])
{
  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
    g_assert_cmpuint (lut[i], ==, i);
}

static void
test_lut_flat (void)
{
  static const unsigned values[] = { 0, 100, 255 };
  uint8_t lut[AMPHISTO_N_BINS];

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++) {
    uint32_t bins[AMPHISTO_N_BINS] = { 0 };

    amphisto_equalize_lut (bins, 0, 255, 1.0f, lut);
    assert_identity (lut);
    bins[values[i]] = 12345;
    amphisto_equalize_lut (bins, 0, 255, 1.0f, lut);
    assert_identity (lut);
    amphisto_equalize_lut (bins, 16, 235, 0.5f, lut);
    assert_identity (lut);
  }
}

/* Values 10, 20, 30 and 40 occur 1, 2, 3 and 4 times. Without the first value,
 * the cumulative counts are 2, 5 and 9. */
static const uint32_t four_values[AMPHISTO_N_BINS] = {
  [10] = 1, [20] = 2, [30] = 3, [40] = 4
};

static void
assert_steps (const uint8_t lut[AMPHISTO_N_BINS], uint8_t from_0,
    uint8_t from_20, uint8_t from_30, uint8_t from_40)
{
  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
    g_assert_cmpuint (lut[i], ==,
        i < 20       ? from_0
            : i < 30 ? from_20
            : i < 40 ? from_30
                     : from_40);
}

static void
test_lut_full_range (void)
{
  uint8_t lut[AMPHISTO_N_BINS];

  amphisto_equalize_lut (four_values, 0, 255, 1.0f, lut);
  /* 255 * 2 / 9 = 56.7, 255 * 5 / 9 = 141.7 */
  assert_steps (lut, 0, 57, 142, 255);
}

static void
test_lut_limited_range (void)
{
  uint8_t lut[AMPHISTO_N_BINS];

  amphisto_equalize_lut (four_values, 16, 235, 1.0f, lut);
  /* 219 * 2 / 9 = 48.7, 219 * 5 / 9 = 121.7 */
  assert_steps (lut, 16, 65, 138, 235);
}

/* 255 * 1 / 2 = 127.5 is rounded to 128, 255 * 1 / 6 = 42.5 to 42. */
static void
test_lut_half_to_even (void)
{
  const uint32_t halves[AMPHISTO_N_BINS] = { [0] = 7, [1] = 1, [2] = 1 };
  const uint32_t sixths[AMPHISTO_N_BINS] = { [0] = 7, [1] = 1, [2] = 5 };
  uint8_t lut[AMPHISTO_N_BINS];

  amphisto_equalize_lut (halves, 0, 255, 1.0f, lut);
  g_assert_cmpuint (lut[0], ==, 0);
  g_assert_cmpuint (lut[1], ==, 128);
  g_assert_cmpuint (lut[2], ==, 255);
  amphisto_equalize_lut (sixths, 0, 255, 1.0f, lut);
  g_assert_cmpuint (lut[1], ==, 42);
  g_assert_cmpuint (lut[255], ==, 255);
}

static void
test_lut_strength (void)
{
  uint8_t lut[AMPHISTO_N_BINS];

  amphisto_equalize_lut (four_values, 0, 255, 0.0f, lut);
  assert_identity (lut);

  amphisto_equalize_lut (four_values, 0, 255, 0.5f, lut);
  /* half the way to: 0 -> 0, 10 -> 0, 20 -> 57, 30 -> 142, 40 and 200 -> 255 */
  g_assert_cmpuint (lut[0], ==, 0);
  g_assert_cmpuint (lut[10], ==, 5);
  g_assert_cmpuint (lut[40], ==, 148); /* 147.5 */
  g_assert_cmpuint (lut[20], ==, 38);  /* 38.5 */
  g_assert_cmpuint (lut[30], ==, 86);
  g_assert_cmpuint (lut[200], ==, 228); /* 227.5 */
  g_assert_cmpuint (lut[255], ==, 255);

  /* values below the first that occurs move up or down, to 16 */
  amphisto_equalize_lut (four_values, 16, 235, 0.5f, lut);
  g_assert_cmpuint (lut[0], ==, 8);
  g_assert_cmpuint (lut[1], ==, 8);  /* 8.5 */
  g_assert_cmpuint (lut[3], ==, 10); /* 9.5 */
  g_assert_cmpuint (lut[255], ==, 245);
}

/* A uniform distribution does not change. */
static void
test_lut_uniform (void)
{
  uint32_t bins[AMPHISTO_N_BINS];
  uint8_t lut[AMPHISTO_N_BINS];

  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
    bins[i] = 1 << 20;
  amphisto_equalize_lut (bins, 0, 255, 1.0f, lut);
  assert_identity (lut);
}

/* A LUT of different values: x -> 255 - x. */
static void
fill_inverse (uint8_t lut[AMPHISTO_N_BINS])
{
  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
    lut[i] = 255 - i;
}

/* Applies the LUT into a target of 0xaa bytes, and in place. */
static void
assert_applied (const AmphistoLayout *layout, uint32_t stride,
    const uint8_t *bytes, const uint8_t *in_place, const uint8_t *elsewhere,
    gsize size, const uint8_t lut[AMPHISTO_N_BINS])
{
  g_autofree uint8_t *source = g_memdup2 (bytes, size);
  g_autofree uint8_t *target = g_malloc (size);
  const AmphistoFrame from = { .layout = layout,
    .plane = { { source, stride } } };
  const AmphistoFrame to = { .layout = layout,
    .plane = { { target, stride } } };

  memset (target, 0xaa, size);
  amphisto_equalize_apply (&from, &to, lut, AMPHISTO_UNIT_GAIN);
  g_assert_cmpmem (source, size, bytes, size);
  g_assert_cmpmem (target, size, elsewhere, size);
  amphisto_equalize_apply (&from, &from, lut, AMPHISTO_UNIT_GAIN);
  g_assert_cmpmem (source, size, in_place, size);
}

static void
test_apply_grey (void)
{
  const AmphistoLayout layout = { .n_planes = 1,
    .plane = { { 3, 2 } },
    .component = { [AMPHISTO_CHANNEL_LUMA] = { 0, 0, 1, 3, 2 } } };
  const uint8_t before[] = { 0, 255, 7, 99, 1, 2, 3, 99 };
  const uint8_t in_place[] = { 255, 0, 248, 99, 254, 253, 252, 99 };
  const uint8_t elsewhere[] = { 255, 0, 248, 0xaa, 254, 253, 252, 0xaa };
  uint8_t lut[AMPHISTO_N_BINS];

  fill_inverse (lut);
  g_assert_cmpuint (amphisto_equalize_planes (&layout), ==, 1);
  assert_applied (&layout, 4, before, in_place, elsewhere, sizeof before, lut);
}

static void
test_apply_packed_yuv (void)
{
  /* UYVY, three pixels wide: there is no fourth Y (98); then padding */
  const AmphistoLayout layout = { .n_planes = 1,
    .plane = { { 8, 1 } },
    .component = { [AMPHISTO_CHANNEL_LUMA] = { 0, 1, 2, 3, 1 },
        [AMPHISTO_CHANNEL_U] = { 0, 0, 4, 2, 1 },
        [AMPHISTO_CHANNEL_V] = { 0, 2, 4, 2, 1 } } };
  const uint8_t before[] = { 101, 1, 201, 2, 102, 3, 202, 98, 99 };
  const uint8_t in_place[] = { 101, 254, 201, 253, 102, 252, 202, 98, 99 };
  const uint8_t elsewhere[] = { 101, 254, 201, 253, 102, 252, 202, 98, 0xaa };
  uint8_t lut[AMPHISTO_N_BINS];

  fill_inverse (lut);
  assert_applied (&layout, 9, before, in_place, elsewhere, sizeof before, lut);
}

/* Planes without luma are not written. */
static void
test_apply_planar_yuv (void)
{
  const AmphistoLayout layout = { .n_planes = 3,
    .plane = { { 2, 2 }, { 1, 1 }, { 1, 1 } },
    .component = { [AMPHISTO_CHANNEL_LUMA] = { 0, 0, 1, 2, 2 },
        [AMPHISTO_CHANNEL_U] = { 1, 0, 1, 1, 1 },
        [AMPHISTO_CHANNEL_V] = { 2, 0, 1, 1, 1 } } };
  uint8_t source[] = { 1, 2, 3, 4, 55, 66 };
  uint8_t target[] = { 9, 9, 9, 9, 77, 88 };
  const uint8_t expected[] = { 254, 253, 252, 251, 77, 88 };
  const AmphistoFrame from = { .layout = &layout,
    .plane = { { source, 2 }, { source + 4, 1 }, { source + 5, 1 } } };
  const AmphistoFrame to = { .layout = &layout,
    .plane = { { target, 2 }, { target + 4, 1 }, { target + 5, 1 } } };
  uint8_t lut[AMPHISTO_N_BINS];

  fill_inverse (lut);
  g_assert_cmpuint (amphisto_equalize_planes (&layout), ==, 1);
  amphisto_equalize_apply (&from, &to, lut, AMPHISTO_UNIT_GAIN);
  g_assert_cmpmem (target, sizeof target, expected, sizeof expected);
}

static void
test_apply_rgb (void)
{
  /* ARGB, luma is green alone; alpha is 98; then padding */
  const AmphistoLayout layout = { .n_planes = 1,
    .plane = { { 12, 1 } },
    .component = { [AMPHISTO_CHANNEL_LUMA] = { .width = 3, .height = 1 },
        [AMPHISTO_CHANNEL_RED] = { 0, 1, 4, 3, 1 },
        [AMPHISTO_CHANNEL_GREEN] = { 0, 2, 4, 3, 1 },
        [AMPHISTO_CHANNEL_BLUE] = { 0, 3, 4, 3, 1 },
        [AMPHISTO_CHANNEL_ALPHA] = { 0, 0, 4, 3, 1 } },
    .is_rgb = true,
    .weights = { 0, 65536, 0 } };
  const uint8_t before[] = { 98, 10, 100, 200, 98, 0, 50, 255, 98, 7, 60, 8,
    99 };
  /* 100 -> 160: 60 up; 50 -> 20: 30 down; 60 -> 60: stays; clamped */
  const uint8_t in_place[] = { 98, 70, 160, 255, 98, 0, 20, 225, 98, 7, 60, 8,
    99 };
  uint8_t elsewhere[sizeof in_place];
  uint8_t lut[AMPHISTO_N_BINS] = { [100] = 160, [50] = 20, [60] = 60 };

  memcpy (elsewhere, in_place, sizeof elsewhere);
  elsewhere[12] = 0xaa;
  g_assert_cmpuint (amphisto_equalize_planes (&layout), ==, 1);
  assert_applied (&layout, 13, before, in_place, elsewhere, sizeof before, lut);
}

static void
test_planes_of_planar_rgb (void)
{
  /* GBRA: alpha is in plane 3 */
  const AmphistoLayout layout = { .n_planes = 4,
    .component = { [AMPHISTO_CHANNEL_RED] = { .plane = 2 },
        [AMPHISTO_CHANNEL_GREEN] = { .plane = 0 },
        [AMPHISTO_CHANNEL_BLUE] = { .plane = 1 },
        [AMPHISTO_CHANNEL_ALPHA] = { .plane = 3 } },
    .is_rgb = true };

  g_assert_cmpuint (amphisto_equalize_planes (&layout), ==, 7);
}

static void
test_match (void)
{
  const uint32_t bins[AMPHISTO_N_BINS] = { [10] = 1, [20] = 3 };
  const uint32_t reference[AMPHISTO_N_BINS] = { [100] = 2, [200] = 2 };
  uint8_t lut[AMPHISTO_N_BINS];

  amphisto_match_lut (bins, reference, 1.0f, lut);
  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
    g_assert_cmpuint (lut[i], ==, i < 10 ? 0 : i < 20 ? 100 : 200);
  amphisto_match_lut (bins, reference, 0.5f, lut);
  g_assert_cmpuint (lut[10], ==, 55);
  g_assert_cmpuint (lut[20], ==, 110);
  amphisto_match_lut (bins, reference, 0.0f, lut);
  for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
    g_assert_cmpuint (lut[i], ==, i);
}

/* Matching to the same histogram, or to a multiple of it, changes no value that
 * occurs. */
static void
test_match_self (void)
{
  uint32_t bins[AMPHISTO_N_BINS] = { 0 }, multiple[AMPHISTO_N_BINS] = { 0 };
  uint8_t lut[AMPHISTO_N_BINS];

  for (unsigned i = 3; i < AMPHISTO_N_BINS; i += 1 + i % 4) {
    bins[i] = 1 + i * 7919 % 10007;
    multiple[i] = bins[i] * 3301;
  }
  for (unsigned k = 0; k < 2; k++) {
    amphisto_match_lut (bins, k == 0 ? bins : multiple, 1.0f, lut);
    for (unsigned i = 0; i < AMPHISTO_N_BINS; i++)
      if (bins[i] > 0)
        g_assert_cmpuint (lut[i], ==, i);
  }
}

/* --- stretching --- */

static void
assert_stretched (uint32_t low, uint32_t high, int a, int b)
{
  uint8_t lut[AMPHISTO_N_BINS];

  amphisto_stretch_lut (four_values, low, high, 0, 255, 1.0f, lut);
  for (int i = 0; i < AMPHISTO_N_BINS; i++)
    g_assert_cmpuint (lut[i], ==,
        i <= a       ? 0
            : i >= b ? 255
                     : (unsigned) rint ((i - a) * (255.0 / (b - a))));
}

/* Which values become black and white, by the samples that may be clipped. */
static void
test_stretch_range (void)
{
  uint8_t lut[AMPHISTO_N_BINS];

  assert_stretched (0, 0, 10, 40);
  assert_stretched (1, 0, 20, 40);
  assert_stretched (2, 3, 20, 40);
  assert_stretched (3, 3, 30, 40);
  assert_stretched (0, 4, 10, 30);
  assert_stretched (0, 6, 10, 30);
  assert_stretched (0, 7, 10, 20);
  /* half of the samples each: 30 and 30, and between two values */
  amphisto_stretch_lut (four_values, 5, 5, 0, 255, 1.0f, lut);
  assert_identity (lut);
  amphisto_stretch_lut (four_values, 3, 7, 0, 255, 1.0f, lut);
  assert_identity (lut);
  /* more than there are, as the rounded mean may have fewer samples */
  amphisto_stretch_lut (four_values, 10, 0, 0, 255, 1.0f, lut);
  assert_identity (lut);
  amphisto_stretch_lut (four_values, 0, 10, 0, 255, 1.0f, lut);
  assert_identity (lut);
}

static void
test_stretch_limited_range (void)
{
  uint8_t lut[AMPHISTO_N_BINS];

  amphisto_stretch_lut (four_values, 0, 0, 16, 235, 1.0f, lut);
  /* 219 / 30 = 7.3 */
  g_assert_cmpuint (lut[0], ==, 16);
  g_assert_cmpuint (lut[10], ==, 16);
  g_assert_cmpuint (lut[11], ==, 23);
  g_assert_cmpuint (lut[12], ==, 31); /* 30.6 */
  g_assert_cmpuint (lut[39], ==, 228);
  g_assert_cmpuint (lut[40], ==, 235);
  g_assert_cmpuint (lut[255], ==, 235);
}

/* 255 / 2 = 127.5 is rounded to 128, and 3 * 255 / 6 to 128 as well; 255 / 10 =
 * 25.5 to 26, 3 * 255 / 10 = 76.5 to 76. */
static void
test_stretch_half_to_even (void)
{
  const uint32_t bins[AMPHISTO_N_BINS] = {
    [1] = 1, [3] = 1, [7] = 1, [11] = 1
  };
  uint8_t lut[AMPHISTO_N_BINS];

  amphisto_stretch_lut (bins, 0, 2, 0, 255, 1.0f, lut);
  g_assert_cmpuint (lut[2], ==, 128);
  amphisto_stretch_lut (bins, 0, 1, 0, 255, 1.0f, lut);
  g_assert_cmpuint (lut[4], ==, 128);
  amphisto_stretch_lut (bins, 0, 0, 0, 255, 1.0f, lut);
  g_assert_cmpuint (lut[2], ==, 26);
  g_assert_cmpuint (lut[4], ==, 76);
}

static void
test_stretch_strength (void)
{
  uint8_t lut[AMPHISTO_N_BINS];

  amphisto_stretch_lut (four_values, 0, 0, 0, 255, 0.0f, lut);
  assert_identity (lut);
  amphisto_stretch_lut (four_values, 0, 0, 0, 255, 0.5f, lut);
  /* half the way to: 10 -> 0, 20 -> 85, 40 and 255 -> 255 */
  g_assert_cmpuint (lut[10], ==, 5);
  g_assert_cmpuint (lut[20], ==, 52); /* 52.5 */
  g_assert_cmpuint (lut[40], ==, 148);
  g_assert_cmpuint (lut[255], ==, 255);
}

/* From any value to any other, in double. */
static void
test_stretch_formula (void)
{
  for (int a = 0; a < AMPHISTO_N_BINS; a++)
    for (int b = a + 1; b < AMPHISTO_N_BINS; b++) {
      uint32_t bins[AMPHISTO_N_BINS] = { 0 };
      uint8_t lut[AMPHISTO_N_BINS];

      bins[a] = bins[b] = 1;
      amphisto_stretch_lut (bins, 0, 0, 16, 235, 1.0f, lut);
      for (int i = 0; i < AMPHISTO_N_BINS; i++)
        g_assert_cmpfloat_with_epsilon (
            lut[i], 16 + (CLAMP (i, a, b) - a) * 219.0 / (b - a), 0.5001);
    }
}

/* Pictures that are empty, of one value, or of the whole range stay. */
static void
test_stretch_identity (void)
{
  static const unsigned values[] = { 0, 100, 255 };
  uint8_t lut[AMPHISTO_N_BINS];

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++) {
    uint32_t bins[AMPHISTO_N_BINS] = { 0 };

    amphisto_stretch_lut (bins, 0, 0, 0, 255, 1.0f, lut);
    assert_identity (lut);
    bins[values[i]] = UINT32_MAX;
    amphisto_stretch_lut (bins, 0, 0, 16, 235, 1.0f, lut);
    assert_identity (lut);
    amphisto_stretch_lut (bins, 1u << 31, 1u << 31, 0, 255, 0.5f, lut);
    assert_identity (lut);
    bins[values[i]] = 1;
    bins[0]++;
    bins[255]++;
    amphisto_stretch_lut (bins, 0, 0, 0, 255, 1.0f, lut);
    assert_identity (lut);
  }
}

const CoreTest core_tests[] = {
  { "/lut/flat", test_lut_flat },
  { "/lut/full-range", test_lut_full_range },
  { "/lut/limited-range", test_lut_limited_range },
  { "/lut/half-to-even", test_lut_half_to_even },
  { "/lut/strength", test_lut_strength },
  { "/lut/uniform", test_lut_uniform },
  { "/apply/grey", test_apply_grey },
  { "/apply/packed-yuv", test_apply_packed_yuv },
  { "/apply/planar-yuv", test_apply_planar_yuv },
  { "/apply/rgb", test_apply_rgb },
  { "/apply/planes-of-planar-rgb", test_planes_of_planar_rgb },
  { "/match/lut", test_match },
  { "/match/self", test_match_self },
  { "/stretch/range", test_stretch_range },
  { "/stretch/limited-range", test_stretch_limited_range },
  { "/stretch/half-to-even", test_stretch_half_to_even },
  { "/stretch/strength", test_stretch_strength },
  { "/stretch/formula", test_stretch_formula },
  { "/stretch/identity", test_stretch_identity },
  { NULL },
};
