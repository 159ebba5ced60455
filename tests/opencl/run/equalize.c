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
#include "core/plan.h"
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

/* A picture whose pixels are its probes, and tables for one tile. */
#define SIDE AMPHISTO_PROBE_ROWS
#define N_TABLE_WORDS (4 * AMPHISTO_N_BINS)

/* The kernels that find the gain, and their arguments. */
typedef struct
{
  TestCl *cl;
  TestFrame *picture;
  AmphistoPlan plan;
  cl_mem plane[3];
  cl_mem params, clahe, tables, bins, lut, limits, update, mean, gain;
  cl_mem chroma_lut;
  cl_kernel of_lut, of_tiles;
} Gains;

/* How the mean of the budget is updated. */
typedef struct
{
  float frame_weight;
  gboolean resets_budget;
  struct
  {
    float weight;
    uint32_t is_new;
  } update;
  float mean;
} Budget;

static gsize
plane_size (const TestFrame *picture)
{
  return SIDE * picture->frame.plane[0].stride;
}

static void
gains_init (Gains *self, TestCl *cl)
{
  const AmphistoSettings settings = { .channels = 1,
    .strength = 1,
    .equalization = AMPHISTO_EQUALIZATION_GLOBAL,
    .keeps_colors = true };
  const AmphistoDivision division = { .n_groups = 1, .n_slices = 1 };
  const clahe_params clahe = { .tiles_x = 1,
    .tiles_y = 1,
    .tile_width = SIDE,
    .tile_height = SIDE,
    .per_x = 1.0f / SIDE,
    .per_y = 1.0f / SIDE };

  self->cl = cl;
  self->picture = test_frame_new (GST_VIDEO_FORMAT_Y444, SIDE, SIDE,
      GST_VIDEO_COLOR_RANGE_16_235, &(FramePlacement){ .alignment = 4 });
  amphisto_plan_init (
      &self->plan, &self->picture->layout, &settings, &division);
  for (guint p = 0; p < 3; p++)
    self->plane[p] = test_cl_buffer (cl, NULL, plane_size (self->picture));
  self->params = test_cl_buffer (cl, NULL, sizeof (frame_params));
  self->clahe = test_cl_buffer (cl, &clahe, sizeof clahe);
  self->tables = test_cl_buffer (cl, NULL, N_TABLE_WORDS * sizeof (uint32_t));
  self->bins = test_cl_buffer (cl, NULL, 2 * BINS_SIZE);
  self->lut = test_cl_buffer (cl, NULL, AMPHISTO_N_BINS);
  self->limits =
      test_cl_buffer (cl, NULL, AMPHISTO_N_PROBES * sizeof (uint16_t));
  self->update = test_cl_buffer (cl, NULL, 2 * sizeof (uint32_t));
  self->mean = test_cl_buffer (cl, NULL, sizeof (float));
  self->gain = test_cl_buffer (cl, NULL, sizeof (uint32_t));
  self->chroma_lut = test_cl_buffer (cl, NULL, AMPHISTO_N_BINS);
  self->of_lut =
      test_cl_kernel (cl, "find_gain_of_lut", self->plane[0], self->plane[1],
          self->plane[2], self->params, self->bins, self->lut, self->limits,
          self->update, self->mean, self->gain, self->chroma_lut, NULL);
  self->of_tiles = test_cl_kernel (cl, "find_gain_of_tiles", self->plane[0],
      self->plane[1], self->plane[2], self->params, self->clahe, self->tables,
      self->bins, self->limits, self->update, self->mean, self->gain,
      self->chroma_lut, NULL);
}

/* Runs a kernel on the buffers and checks its results. spread: the gain without
 * a budget. allowed: the budget of the frame. */
static void
check_gain (Gains *self, cl_kernel kernel, uint32_t spread, uint32_t allowed,
    const Budget *budget)
{
  const gboolean is_new = budget->resets_budget || budget->update.is_new;
  AmphistoColours expected = { .mean_budget = budget->mean,
    .smoothing = {
        budget->update.weight, is_new || budget->frame_weight == 1 } };
  uint32_t gain = 0;
  float mean;
  uint8_t lut[AMPHISTO_N_BINS], expected_lut[AMPHISTO_N_BINS];

  amphisto_chroma_limit_gain (&expected, spread, allowed);
  test_cl_write (self->cl, self->mean, &budget->mean, sizeof budget->mean);
  test_cl_run (self->cl, kernel, AMPHISTO_N_BINS, AMPHISTO_N_BINS);
  test_cl_read (self->cl, self->gain, &gain, sizeof gain);
  g_assert_cmpuint (gain, ==, expected.gain);
  test_cl_read (self->cl, self->mean, &mean, sizeof mean);
  g_assert_cmpfloat (mean, ==, expected.mean_budget);
  amphisto_chroma_lut (&self->picture->layout, gain, expected_lut);
  test_cl_read (self->cl, self->chroma_lut, lut, sizeof lut);
  g_assert_cmpmem (lut, sizeof lut, expected_lut, sizeof expected_lut);
}

static void
write_picture (Gains *self, const Budget *budget)
{
  frame_params params = self->plan.params.frame;

  for (guint p = 0; p < 3; p++) {
    const AmphistoPlane *plane = &self->picture->frame.plane[p];

    params.source[p] = (plane_params){ 0, plane->stride };
    test_cl_write (
        self->cl, self->plane[p], plane->data, plane_size (self->picture));
  }
  params.frame_weight = budget->frame_weight;
  params.resets_budget = budget->resets_budget;
  test_cl_write (self->cl, self->params, &params, sizeof params);
}

/* The gain of a LUT, and of tiles with the same bins before, and after it. The
 * kernel clears the bins of tiles. */
static void
check_gains (Gains *self, const uint32_t bins[AMPHISTO_N_BINS],
    const uint8_t lut[AMPHISTO_N_BINS], const Budget *budget)
{
  static const uint32_t zeros[2][AMPHISTO_N_BINS];
  const uint32_t spread =
      amphisto_chroma_gain (1, (const uint32_t (*)[AMPHISTO_N_BINS]) bins,
          (const uint8_t (*)[AMPHISTO_N_BINS]) lut, 1.0f);
  const uint32_t allowed =
      amphisto_equalize_budget (&self->picture->frame, lut);
  uint32_t both[2][AMPHISTO_N_BINS] = { { 0 } };
  uint32_t tables[N_TABLE_WORDS];

  for (guint i = 0; i < AMPHISTO_N_BINS; i++) {
    both[0][i] = bins[i];
    both[1][lut[i]] += bins[i];
  }
  for (guint i = 0; i < N_TABLE_WORDS; i++)
    tables[i] = lut[i % AMPHISTO_N_BINS] * 0x01010101u;
  write_picture (self, budget);
  test_cl_write (self->cl, self->bins, both, sizeof both);
  test_cl_write (self->cl, self->lut, lut, AMPHISTO_N_BINS);
  test_cl_write (self->cl, self->tables, tables, sizeof tables);
  test_cl_write (
      self->cl, self->update, &budget->update, sizeof budget->update);
  check_gain (self, self->of_lut, spread, allowed, budget);
  check_gain (self, self->of_tiles, spread, allowed, budget);
  test_cl_read (self->cl, self->bins, both, sizeof both);
  g_assert_cmpmem (both, sizeof both, zeros, sizeof zeros);
}

/* Without smoothing, the update has not been written. */
static void
draw_budget (Budget *budget, guint32 *state)
{
  const guint r = test_random (state);

  budget->mean = (float) (256 + test_random (state) % 768 / 3.0);
  budget->frame_weight = r & 8 ? 0.1f : 1;
  budget->resets_budget = (r & 0x70) == 0;
  budget->update.weight = r & 8 ? 0.1f + (float) (r >> 24) / 300 : NAN;
  budget->update.is_new = (r & 0x700) == 0;
}

static void
set_pixel (TestFrame *picture, guint k, guint8 y, guint8 u, guint8 v)
{
  const guint8 samples[3] = { y, u, v };

  for (guint p = 0; p < 3; p++)
    amphisto_frame_row (&picture->frame, p, k / SIDE)[k % SIDE] = samples[p];
}

/* Three kinds of pictures: random pixels; grey ones with 203 to 205 coloured
 * pixels, each clipped by a gain between 1.3 and 3.7, around the limit of 204;
 * or pixels that are all alike. */
static void
draw_picture (TestFrame *picture, guint i, guint32 *state)
{
  const guint n_coloured = 203 + test_random (state) % 3;
  const guint alike = test_random (state);

  if (i % 3 == 0)
    test_frame_fill (picture, FRAME_RANDOM, test_random (state));
  for (guint k = 0; k < AMPHISTO_N_PROBES && i % 3 != 0; k++)
    if (i % 3 == 2)
      set_pixel (picture, k, alike, alike >> 8, alike >> 16);
    else if (k < n_coloured)
      set_pixel (picture, k, 128, 128, 128 + 21 + test_random (state) % 40);
    else
      set_pixel (picture, k, 128, 128, 128);
}

/* LUTs of any slope, some of them not monotonic, and the identity; and
 * histograms of the most samples, of one value, and of none, as means may be;
 * with any budget. */
static void
test_gain (TestCl *cl)
{
  Gains gains;
  guint32 state = 1741;

  gains_init (&gains, cl);
  for (guint i = 0; i < test_by_size (4, 100, 1000); i++) {
    const guint slope = i % 3 == 1 ? 256 : test_random (&state) % 1200;
    uint32_t bins[AMPHISTO_N_BINS] = { 0 };
    uint8_t lut[AMPHISTO_N_BINS];
    Budget budget;

    draw_budget (&budget, &state);
    draw_picture (gains.picture, i, &state);
    for (guint v = 0; v < AMPHISTO_N_BINS; v++)
      lut[v] = i % 6 == 0 ? test_random (&state) : MIN (v * slope / 256, 255);
    if (i > 1)
      fill_bins (bins, &state);
    if (i > 0)
      bins[i % AMPHISTO_N_BINS] |= 1u << (i % 31);
    if (i % 7 == 6)
      bins[0] = bins[254] = UINT32_MAX / 4;
    check_gains (&gains, bins, lut, &budget);
  }
  test_frame_free (gains.picture);
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
