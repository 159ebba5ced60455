/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernels that make LUTs, and the gain of colours, launched alone, against
 * the C reference: with counts of huge frames, which show whether every
 * floating-point operation is rounded on its own, and whether sums of integers
 * have 64 bits.
 */

#include "cltest.h"
#include "core/change/chroma.h"
#include "core/change/equalize.h"
#include "cl/frame_params.h"
#include "frames.h"

#include <math.h>
#include <string.h>

#define BINS_SIZE (AMPHISTO_N_BINS * sizeof (uint32_t))

/* --- LUTs --- */

/* The kernels that make a LUT, and their arguments. */
typedef struct
{
  TestCl *cl;
  cl_mem params, bins, lut, match_bins;
  cl_kernel equalize, match, stretch;
} Luts;

static Luts
luts_new (TestCl *cl)
{
  Luts self = { .cl = cl,
    .params = test_cl_buffer (cl, NULL, sizeof (frame_params)),
    .bins = test_cl_buffer (cl, NULL, AMPHISTO_MAX_SLOTS * BINS_SIZE),
    .lut = test_cl_buffer (cl, NULL, AMPHISTO_N_BINS),
    .match_bins = test_cl_buffer (cl, NULL, BINS_SIZE) };

  self.equalize = test_cl_kernel (
      cl, "equalize_lut", self.params, self.bins, self.lut, NULL);
  self.match = test_cl_kernel (
      cl, "match_lut", self.params, self.bins, self.lut, self.match_bins, NULL);
  self.stretch = test_cl_kernel (
      cl, "stretch_lut", self.params, self.bins, self.lut, NULL);
  return self;
}

/* Runs the kernel with this number of work-items on `bins` in slot 0, with
 * other bins in the next slots. */
static void
check_lut (Luts *self, cl_kernel kernel, gsize items,
    const uint32_t bins[AMPHISTO_N_BINS], const frame_params *params,
    const uint8_t expected[AMPHISTO_N_BINS])
{
  uint32_t all[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS];
  uint8_t lut[AMPHISTO_N_BINS];

  memset (all, 1, sizeof all);
  memcpy (all[0], bins, sizeof all[0]);
  memset (lut, 0xff, sizeof lut);
  test_cl_write (self->cl, self->params, params, sizeof *params);
  test_cl_write (self->cl, self->bins, all, sizeof all);
  test_cl_write (self->cl, self->lut, lut, sizeof lut);
  test_cl_run (self->cl, kernel, items, items);
  test_cl_read (self->cl, self->lut, lut, sizeof lut);
  for (guint i = 0; i < AMPHISTO_N_BINS; i++)
    if (lut[i] != expected[i])
      g_error ("lut[%u] is %u where %u was expected; range %u to %u, strength "
               "%.9g",
          i, lut[i], expected[i], params->lo, params->hi,
          (double) params->strength);
}

static void
check_equalize (Luts *self, const uint32_t bins[AMPHISTO_N_BINS], uint8_t lo,
    uint8_t hi, float strength)
{
  const frame_params params = { .lo = lo, .hi = hi, .strength = strength };
  const gboolean is_gpu = self->cl->device->shape == AMPHISTO_CL_SHAPE_GPU;
  uint8_t expected[AMPHISTO_N_BINS];

  amphisto_equalize_lut (bins, lo, hi, strength, expected);
  check_lut (self, self->equalize, is_gpu ? AMPHISTO_N_BINS : 1, bins, &params,
      expected);
}

/* In full and limited range. */
static void
check_match (Luts *self, const uint32_t bins[AMPHISTO_N_BINS],
    const uint32_t match_bins[AMPHISTO_N_BINS], float strength)
{
  for (guint i = 0; i < 2; i++) {
    const frame_params params = {
      .lo = i == 0 ? 0 : 16, .hi = i == 0 ? 255 : 235, .strength = strength
    };
    uint8_t expected[AMPHISTO_N_BINS];

    amphisto_match_lut (
        bins, match_bins, params.lo, params.hi, strength, expected);
    test_cl_write (self->cl, self->match_bins, match_bins, BINS_SIZE);
    check_lut (self, self->match, AMPHISTO_N_BINS, bins, &params, expected);
  }
}

static void
check_stretch (Luts *self, const uint32_t bins[AMPHISTO_N_BINS],
    const frame_params *params)
{
  uint8_t expected[AMPHISTO_N_BINS];

  amphisto_stretch_lut (bins, params->stretch_low, params->stretch_high,
      params->lo, params->hi, params->strength, expected);
  check_lut (self, self->stretch, AMPHISTO_N_BINS, bins, params, expected);
}

/* 1 to 2^28 samples, each order of magnitude equally likely, in all bins or in
 * few, with counts that are similar or differ by orders of magnitude. */
static void
fill_bins (uint32_t bins[AMPHISTO_N_BINS], guint32 *state)
{
  const guint magnitude = test_random (state) % 29;
  const guint one_in = 1 << test_random (state) % 9;
  const gboolean is_alike = test_random (state) & 1;
  uint64_t left = ((uint64_t) 1 << magnitude)
      | (test_random (state) & ((1u << magnitude) - 1));

  left = MIN (left, 1 << 28);
  memset (bins, 0, AMPHISTO_N_BINS * sizeof *bins);
  bins[test_random (state) % AMPHISTO_N_BINS] = 1;
  left--;
  for (guint i = 0; i < AMPHISTO_N_BINS && left > 0; i++) {
    const guint bin = is_alike ? i : test_random (state) % AMPHISTO_N_BINS;
    const uint64_t most = is_alike ? left * one_in / AMPHISTO_N_BINS : left;
    const uint32_t n = test_random (state) % (most + 1);

    if (test_random (state) % one_in != 0)
      continue;
    bins[bin] += n;
    left -= n;
  }
}

static void
test_random_bins (TestCl *cl)
{
  Luts luts = luts_new (cl);
  guint32 state = 4711;

  for (guint i = 0; i < test_by_size (4, 400, 4000); i++) {
    const gboolean is_limited = test_random (&state) & 1;
    const float strength = test_random (&state) & 1
        ? 1.0f
        : (float) (test_random (&state) >> 8) / 0x1p24f;
    uint32_t bins[AMPHISTO_N_BINS];

    fill_bins (bins, &state);
    check_equalize (
        &luts, bins, is_limited ? 16 : 0, is_limited ? 235 : 255, strength);
  }
}

/* Few values, with counts whose quotients and products are halfway between two
 * floats or two integers. */
static void
test_small_counts (TestCl *cl)
{
  const guint most = test_by_size (2, 12, 40);
  Luts luts = luts_new (cl);

  for (uint32_t a = 1; a < most; a++)
    for (uint32_t b = 1; b < most; b++) {
      const uint32_t bins[AMPHISTO_N_BINS] = { [3] = 5, [4] = a, [200] = b };

      check_equalize (&luts, bins, 0, 255, 1.0f);
      check_equalize (&luts, bins, 16, 235, 0.5f);
    }
}

/* One value, or two: the second with one sample, or with about as many as the
 * first. */
static void
test_extremes (TestCl *cl)
{
  static const uint32_t counts[] = { 1, 3, (1 << 24) - 1, 1 << 24,
    (1 << 24) + 1, (1 << 28) - 1, 1 << 28 };
  const gboolean is_small = test_size () == TEST_SMALL;
  Luts luts = luts_new (cl);

  for (gsize i = 0; i < G_N_ELEMENTS (counts); i += is_small ? 6 : 1)
    for (guint v = 0; v < AMPHISTO_N_BINS; v += is_small ? 255 : 51) {
      uint32_t bins[AMPHISTO_N_BINS] = { 0 };

      bins[v] = counts[i];
      check_equalize (&luts, bins, 0, 255, 1.0f);
      check_equalize (&luts, bins, 16, 235, 1.0f);
      bins[255 - v] = 1;
      check_equalize (&luts, bins, 0, 255, 1.0f);
      bins[255 - v] = counts[i] - 1;
      check_equalize (&luts, bins, 16, 235, 0.7f);
    }
}

/* Any distribution matched to any other and to itself, and the largest counts.
 */
static void
test_match (TestCl *cl)
{
  Luts luts = luts_new (cl);
  guint32 state = 1147;

  for (guint i = 0; i < test_by_size (1, 200, 2000); i++) {
    uint32_t bins[AMPHISTO_N_BINS], match_bins[AMPHISTO_N_BINS];

    fill_bins (bins, &state);
    fill_bins (match_bins, &state);
    check_match (&luts, bins, match_bins, i % 2 ? 1.0f : 0.3f);
    check_match (&luts, bins, bins, 1.0f);
  }
  for (guint v = 0; v < AMPHISTO_N_BINS; v += test_by_size (255, 85, 85)) {
    uint32_t bins[AMPHISTO_N_BINS] = { 0 }, match_bins[AMPHISTO_N_BINS] = { 0 };

    bins[v] = match_bins[255 - v] = UINT32_MAX;
    check_match (&luts, bins, match_bins, 1.0f);
    bins[v] = 1;
    check_match (&luts, bins, match_bins, 1.0f);
  }
}

/* Up to half of the samples clipped at either end, in most cases few. */
static void
test_stretch_random (TestCl *cl)
{
  Luts luts = luts_new (cl);
  guint32 state = 7411;

  for (guint i = 0; i < test_by_size (1, 400, 4000); i++) {
    uint32_t bins[AMPHISTO_N_BINS], samples = 0;
    frame_params params = { .lo = i & 1 ? 16 : 0,
      .hi = i & 1 ? 235 : 255,
      .strength =
          i & 2 ? 1.0f : (float) (test_random (&state) >> 8) / 0x1p24f };

    fill_bins (bins, &state);
    for (guint v = 0; v < AMPHISTO_N_BINS; v++)
      samples += bins[v];
    params.stretch_low =
        samples / 2 >> (i & 4 ? test_random (&state) % 29 : 28);
    params.stretch_high = samples / 2 >> test_random (&state) % 29;
    check_stretch (&luts, bins, &params);
  }
}

/* All pairs of ends: one of two values, or both, with the number of samples at
 * which a value is clipped, and with one less. Also one value, no samples, and
 * the most of them. */
static void
test_stretch_ends (TestCl *cl)
{
  static const uint32_t counts[] = { 0, 1, 7, UINT32_MAX / 2 };
  const guint jump = test_by_size (255, 51, 17);
  Luts luts = luts_new (cl);

  for (guint a = 0; a < AMPHISTO_N_BINS; a += jump)
    for (guint b = a; b < AMPHISTO_N_BINS; b += jump)
      for (guint i = 0; i < G_N_ELEMENTS (counts) * 4;
           i += test_by_size (7, 1, 1)) {
        const uint32_t count = counts[i / 4];
        const frame_params params = { .hi = 255,
          .strength = 1.0f,
          .stretch_low = i & 1 ? count : MAX (count, 1) - 1,
          .stretch_high = i & 2 ? count : MAX (count, 1) - 1 };
        uint32_t bins[AMPHISTO_N_BINS] = { 0 };

        bins[a] = count;
        bins[b] += count;
        check_stretch (&luts, bins, &params);
      }
}

/* --- the gain of colours --- */

/* The kernels that find the gain, and their arguments. */
typedef struct
{
  TestCl *cl;
  cl_mem params, bins, lut, limits, update, mean, gain, chroma_lut;
  cl_kernel of_lut, of_tiles;
} Gains;

/* The limits of probes, and how the mean of the budget is updated. */
typedef struct
{
  uint16_t limits[AMPHISTO_N_PROBES];
  float frame_weight;
  gboolean resets_budget;
  struct
  {
    float weight;
    uint32_t is_new;
  } update;
  float mean;
} Budget;

static Gains
gains_new (TestCl *cl)
{
  Gains self = { .cl = cl,
    .params = test_cl_buffer (cl, NULL, sizeof (frame_params)),
    .bins = test_cl_buffer (cl, NULL, 2 * BINS_SIZE),
    .lut = test_cl_buffer (cl, NULL, AMPHISTO_N_BINS),
    .limits = test_cl_buffer (cl, NULL, AMPHISTO_N_PROBES * sizeof (uint16_t)),
    .update = test_cl_buffer (cl, NULL, 2 * sizeof (uint32_t)),
    .mean = test_cl_buffer (cl, NULL, sizeof (float)),
    .gain = test_cl_buffer (cl, NULL, sizeof (uint32_t)),
    .chroma_lut = test_cl_buffer (cl, NULL, AMPHISTO_N_BINS) };

  self.of_lut = test_cl_kernel (cl, "find_gain_of_lut", self.params, self.bins,
      self.lut, self.limits, self.update, self.mean, self.gain, self.chroma_lut,
      NULL);
  self.of_tiles = test_cl_kernel (cl, "find_gain_of_tiles", self.params,
      self.bins, self.limits, self.update, self.mean, self.gain,
      self.chroma_lut, NULL);
  return self;
}

/* The greatest gain that clips no more probes than are allowed, by its
 * definition. */
static uint32_t
find_budget (const Budget *budget)
{
  uint32_t gain = AMPHISTO_MAX_GAIN;

  for (;; gain--) {
    guint n = 0;

    for (guint k = 0; k < AMPHISTO_N_PROBES; k++)
      n += budget->limits[k] > 256 && budget->limits[k] < gain;
    if (n <= 204)
      return gain;
  }
}

/* Checks the results of a kernel that finds the gain from the buffers `bins`
 * and `lut`. spread: the gain without a budget. */
static void
check_gain (
    Gains *self, cl_kernel kernel, uint32_t spread, const Budget *budget)
{
  const AmphistoLayout layout = { .lo = 16, .hi = 235 };
  const gboolean is_new = budget->resets_budget || budget->update.is_new;
  AmphistoColours expected = { .mean_budget = budget->mean,
    .smoothing = {
        budget->update.weight, is_new || budget->frame_weight == 1 } };
  uint32_t gain = 0;
  float mean;
  uint8_t lut[AMPHISTO_N_BINS], expected_lut[AMPHISTO_N_BINS];

  amphisto_chroma_limit_gain (&expected, spread, find_budget (budget));
  test_cl_write (self->cl, self->mean, &budget->mean, sizeof budget->mean);
  test_cl_run (self->cl, kernel, AMPHISTO_N_BINS, AMPHISTO_N_BINS);
  test_cl_read (self->cl, self->gain, &gain, sizeof gain);
  g_assert_cmpuint (gain, ==, expected.gain);
  test_cl_read (self->cl, self->mean, &mean, sizeof mean);
  g_assert_cmpfloat (mean, ==, expected.mean_budget);
  amphisto_chroma_lut (&layout, gain, expected_lut);
  test_cl_read (self->cl, self->chroma_lut, lut, sizeof lut);
  g_assert_cmpmem (lut, sizeof lut, expected_lut, sizeof expected_lut);
}

/* The gain of a LUT, and of tiles with the same bins before, and after it. The
 * kernel clears the bins of tiles. */
static void
check_gains (Gains *self, const uint32_t bins[AMPHISTO_N_BINS],
    const uint8_t lut[AMPHISTO_N_BINS], const Budget *budget)
{
  const frame_params params = { .luma = { .height = 1 },
    .chroma_lo = 16,
    .chroma_hi = 240,
    .frame_weight = budget->frame_weight,
    .resets_budget = budget->resets_budget };
  static const uint32_t zeros[2][AMPHISTO_N_BINS];
  const uint32_t expected =
      amphisto_chroma_gain (1, (const uint32_t (*)[AMPHISTO_N_BINS]) bins,
          (const uint8_t (*)[AMPHISTO_N_BINS]) lut, 1.0f);
  uint32_t both[2][AMPHISTO_N_BINS] = { { 0 } };

  for (guint i = 0; i < AMPHISTO_N_BINS; i++) {
    both[0][i] = bins[i];
    both[1][lut[i]] += bins[i];
  }
  test_cl_write (self->cl, self->params, &params, sizeof params);
  test_cl_write (self->cl, self->bins, both, sizeof both);
  test_cl_write (self->cl, self->lut, lut, AMPHISTO_N_BINS);
  test_cl_write (self->cl, self->limits, budget->limits, sizeof budget->limits);
  test_cl_write (
      self->cl, self->update, &budget->update, sizeof budget->update);
  check_gain (self, self->of_lut, expected, budget);
  check_gain (self, self->of_tiles, expected, budget);
  test_cl_read (self->cl, self->bins, both, sizeof both);
  g_assert_cmpmem (both, sizeof both, zeros, sizeof zeros);
}

/* Limits up to 300, up to 1024, or all alike, and so few or many within reach
 * that the budget is almost, exactly or more than used up. Without smoothing,
 * the update has not been written. */
static void
draw_budget (Budget *budget, guint32 *state)
{
  const guint most = test_random (state) % 2 ? 300 : AMPHISTO_MAX_GAIN;
  const guint alike = test_random (state) % (AMPHISTO_MAX_GAIN + 1);
  const guint n_within = 203 + test_random (state) % 3;
  const guint r = test_random (state);

  for (guint k = 0; k < AMPHISTO_N_PROBES; k++)
    if (r % 3 == 0)
      budget->limits[k] = test_random (state) % (most + 1);
    else if (r % 3 == 1)
      budget->limits[k] =
          k < n_within ? 257 + test_random (state) % 767 : AMPHISTO_MAX_GAIN;
    else
      budget->limits[k] = alike;
  budget->mean = (float) (256 + test_random (state) % 768 / 3.0);
  budget->frame_weight = r & 8 ? 0.1f : 1;
  budget->resets_budget = (r & 0x70) == 0;
  budget->update.weight = r & 8 ? 0.1f + (float) (r >> 24) / 300 : NAN;
  budget->update.is_new = (r & 0x700) == 0;
}

/* LUTs of any slope, some of them not monotonic; and histograms of the most
 * samples, of one value, and of none, as means may be; with any budget. */
static void
test_gain (TestCl *cl)
{
  Gains gains = gains_new (cl);
  guint32 state = 1741;

  for (guint i = 0; i < test_by_size (4, 100, 1000); i++) {
    const guint slope = test_random (&state) % 1200;
    uint32_t bins[AMPHISTO_N_BINS] = { 0 };
    uint8_t lut[AMPHISTO_N_BINS];
    Budget budget;

    draw_budget (&budget, &state);
    for (guint v = 0; v < AMPHISTO_N_BINS; v++)
      lut[v] = i % 3 == 0 ? test_random (&state) : MIN (v * slope / 256, 255);
    if (i > 1)
      fill_bins (bins, &state);
    if (i > 0)
      bins[i % AMPHISTO_N_BINS] |= 1u << (i % 31);
    if (i % 7 == 6)
      bins[0] = bins[254] = UINT32_MAX / 4;
    check_gains (&gains, bins, lut, &budget);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_cl_add_for_shapes ("/lut/random", test_random_bins);
  test_cl_add_for_shapes ("/lut/small", test_small_counts);
  test_cl_add_for_shapes ("/lut/extremes", test_extremes);
  test_cl_add_for_shapes ("/lut/match", test_match);
  test_cl_add_for_shapes ("/lut/stretch-random", test_stretch_random);
  test_cl_add_for_shapes ("/lut/stretch-ends", test_stretch_ends);
  test_cl_add_for_shapes ("/gain", test_gain);
  return g_test_run ();
}
