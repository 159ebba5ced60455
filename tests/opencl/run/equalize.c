/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernels that make LUTs, and the gain of colours, launched alone, against
 * the C reference: with counts of huge frames, which show whether every
 * floating-point operation is rounded on its own, and whether sums of integers
 * have 64 bits.
 */

#include "opencl/run/program.h"
#include "cltest.h"
#include "core/change/chroma.h"
#include "core/change/equalize.h"
#include "cl/frame_params.h"
#include "frames.h"

#include <string.h>

typedef struct
{
  AmphistoClDevice *device;
  cl_command_queue queue;
  cl_kernel equalize_lut;
  cl_kernel match_lut;
  cl_kernel stretch_lut;
  cl_kernel find_gain_of_lut;
  cl_kernel find_gain_of_tiles;
  cl_mem reference;
  cl_mem params;
  cl_mem bins;
  cl_mem lut;
  cl_mem gain;
  cl_mem chroma_lut;
} Fixture;

#define ALL_BINS_SIZE (AMPHISTO_MAX_SLOTS * AMPHISTO_N_BINS * sizeof (uint32_t))

static void
set_arguments (Fixture *self)
{
  const cl_mem buffers[] = { self->params, self->bins, self->lut,
    self->reference };
  const cl_mem of_lut[] = { self->params, self->bins, self->lut, self->gain,
    self->chroma_lut };
  const cl_mem of_tiles[] = { self->params, self->bins, self->gain,
    self->chroma_lut };

  test_kernel_set_buffers (self->equalize_lut, buffers, 3);
  test_kernel_set_buffers (self->match_lut, buffers, 4);
  test_kernel_set_buffers (self->stretch_lut, buffers, 3);
  test_kernel_set_buffers (self->find_gain_of_lut, of_lut, 5);
  test_kernel_set_buffers (self->find_gain_of_tiles, of_tiles, 4);
}

static cl_kernel
make_kernel (Fixture *self, const char *name)
{
  g_autoptr (GError) error = NULL;
  cl_kernel kernel = amphisto_cl_kernel_new (
      self->device, amphisto_cl_kernel_find (name), AMPHISTO_NEEDS_ALL, &error);

  g_assert_no_error (error);
  return kernel;
}

static gboolean
set_up (Fixture *self, AmphistoClShape shape)
{
  self->device = test_device_get (shape, TRUE);
  if (self->device == NULL)
    return FALSE;
  self->queue = test_queue_new (self->device);
  self->equalize_lut = make_kernel (self, "equalize_lut");
  self->match_lut = make_kernel (self, "match_lut");
  self->stretch_lut = make_kernel (self, "stretch_lut");
  self->find_gain_of_lut = make_kernel (self, "find_gain_of_lut");
  self->find_gain_of_tiles = make_kernel (self, "find_gain_of_tiles");
  self->params = test_buffer_new (self->device, sizeof (frame_params));
  self->bins = test_buffer_new (self->device, ALL_BINS_SIZE);
  self->lut = test_buffer_new (self->device, AMPHISTO_N_BINS);
  self->gain = test_buffer_new (self->device, sizeof (uint32_t));
  self->chroma_lut = test_buffer_new (self->device, AMPHISTO_N_BINS);
  self->reference =
      test_buffer_new (self->device, AMPHISTO_N_BINS * sizeof (uint32_t));
  set_arguments (self);
  return TRUE;
}

static void
tear_down (Fixture *self)
{
  assert_cl (clReleaseMemObject (self->chroma_lut));
  assert_cl (clReleaseMemObject (self->gain));
  assert_cl (clReleaseMemObject (self->lut));
  assert_cl (clReleaseMemObject (self->bins));
  assert_cl (clReleaseMemObject (self->params));
  assert_cl (clReleaseMemObject (self->reference));
  assert_cl (clReleaseKernel (self->find_gain_of_tiles));
  assert_cl (clReleaseKernel (self->find_gain_of_lut));
  assert_cl (clReleaseKernel (self->stretch_lut));
  assert_cl (clReleaseKernel (self->match_lut));
  assert_cl (clReleaseKernel (self->equalize_lut));
  assert_cl (clReleaseCommandQueue (self->queue));
  amphisto_cl_device_unref (self->device);
}

/* Runs the kernel with this number of work-items on `bins` in slot 0, with
 * other bins in the next slots. */
static void
run_kernel (Fixture *self, cl_kernel kernel, gsize items,
    const uint32_t bins[AMPHISTO_N_BINS], const frame_params *params,
    uint8_t lut[AMPHISTO_N_BINS])
{
  uint32_t all[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS];

  memset (all, 1, sizeof all);
  memcpy (all[0], bins, sizeof all[0]);
  memset (lut, 0xff, AMPHISTO_N_BINS);
  test_buffer_write (self->queue, self->params, params, sizeof *params);
  test_buffer_write (self->queue, self->bins, all, sizeof all);
  test_buffer_write (self->queue, self->lut, lut, AMPHISTO_N_BINS);
  assert_cl (clEnqueueNDRangeKernel (
      self->queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
  test_buffer_read (self->queue, self->lut, lut, AMPHISTO_N_BINS);
}

static void
assert_lut (const uint8_t lut[AMPHISTO_N_BINS],
    const uint8_t expected[AMPHISTO_N_BINS], const frame_params *params)
{
  for (guint i = 0; i < AMPHISTO_N_BINS; i++)
    if (lut[i] != expected[i])
      g_error ("lut[%u] is %u where %u was expected; range %u to %u, strength "
               "%.9g",
          i, lut[i], expected[i], params->lo, params->hi,
          (double) params->strength);
}

static void
check_lut (Fixture *self, const uint32_t bins[AMPHISTO_N_BINS], uint8_t lo,
    uint8_t hi, float strength)
{
  const frame_params params = { .lo = lo, .hi = hi, .strength = strength };
  const gsize items =
      self->device->shape == AMPHISTO_CL_SHAPE_GPU ? AMPHISTO_N_BINS : 1;
  uint8_t lut[AMPHISTO_N_BINS], expected[AMPHISTO_N_BINS];

  run_kernel (self, self->equalize_lut, items, bins, &params, lut);
  amphisto_equalize_lut (bins, lo, hi, strength, expected);
  assert_lut (lut, expected, &params);
}

static void
check_match (Fixture *self, const uint32_t bins[AMPHISTO_N_BINS],
    const uint32_t reference[AMPHISTO_N_BINS], float strength)
{
  const frame_params params = { .strength = strength };
  uint8_t lut[AMPHISTO_N_BINS], expected[AMPHISTO_N_BINS];

  test_buffer_write (self->queue, self->reference, reference,
      AMPHISTO_N_BINS * sizeof *reference);
  run_kernel (self, self->match_lut, AMPHISTO_N_BINS, bins, &params, lut);
  amphisto_match_lut (bins, reference, strength, expected);
  assert_lut (lut, expected, &params);
}

static void
check_stretch (Fixture *self, const uint32_t bins[AMPHISTO_N_BINS],
    const frame_params *params)
{
  uint8_t lut[AMPHISTO_N_BINS], expected[AMPHISTO_N_BINS];

  run_kernel (self, self->stretch_lut, AMPHISTO_N_BINS, bins, params, lut);
  amphisto_stretch_lut (bins, params->stretch_low, params->stretch_high,
      params->lo, params->hi, params->strength, expected);
  assert_lut (lut, expected, params);
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
test_random_bins (gconstpointer data)
{
  Fixture fixture;
  guint32 state = 4711;

  if (!set_up (&fixture, GPOINTER_TO_UINT (data)))
    return;
  for (guint i = 0; i < (test_size () == TEST_SMALL ? 10 : 4000); i++) {
    const gboolean is_limited = test_random (&state) & 1;
    const float strength = test_random (&state) & 1
        ? 1.0f
        : (float) (test_random (&state) >> 8) / 0x1p24f;
    uint32_t bins[AMPHISTO_N_BINS];

    fill_bins (bins, &state);
    check_lut (
        &fixture, bins, is_limited ? 16 : 0, is_limited ? 235 : 255, strength);
  }
  tear_down (&fixture);
}

/* Few values, with counts whose quotients and products are halfway between two
 * floats or two integers. */
static void
test_small_counts (gconstpointer data)
{
  const guint most = test_size () == TEST_SMALL ? 3 : 40;
  Fixture fixture;

  if (!set_up (&fixture, GPOINTER_TO_UINT (data)))
    return;
  for (uint32_t a = 1; a < most; a++)
    for (uint32_t b = 1; b < most; b++) {
      const uint32_t bins[AMPHISTO_N_BINS] = { [3] = 5, [4] = a, [200] = b };

      check_lut (&fixture, bins, 0, 255, 1.0f);
      check_lut (&fixture, bins, 16, 235, 0.5f);
    }
  tear_down (&fixture);
}

/* One value, or two: the second with one sample, or with about as many as the
 * first. */
static void
test_extremes (gconstpointer data)
{
  static const uint32_t counts[] = { 1, 3, (1 << 24) - 1, 1 << 24,
    (1 << 24) + 1, (1 << 28) - 1, 1 << 28 };
  const gboolean is_small = test_size () == TEST_SMALL;
  Fixture fixture;

  if (!set_up (&fixture, GPOINTER_TO_UINT (data)))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (counts); i += is_small ? 3 : 1)
    for (guint v = 0; v < AMPHISTO_N_BINS; v += is_small ? 255 : 51) {
      uint32_t bins[AMPHISTO_N_BINS] = { 0 };

      bins[v] = counts[i];
      check_lut (&fixture, bins, 0, 255, 1.0f);
      check_lut (&fixture, bins, 16, 235, 1.0f);
      bins[255 - v] = 1;
      check_lut (&fixture, bins, 0, 255, 1.0f);
      bins[255 - v] = counts[i] - 1;
      check_lut (&fixture, bins, 16, 235, 0.7f);
    }
  tear_down (&fixture);
}

/* Any distribution matched to any other and to itself, and the largest counts.
 */
static void
test_match (gconstpointer data)
{
  Fixture fixture;
  guint32 state = 1147;

  if (!set_up (&fixture, GPOINTER_TO_UINT (data)))
    return;
  for (guint i = 0; i < (test_size () == TEST_SMALL ? 10 : 2000); i++) {
    uint32_t bins[AMPHISTO_N_BINS], reference[AMPHISTO_N_BINS];

    fill_bins (bins, &state);
    fill_bins (reference, &state);
    check_match (&fixture, bins, reference, i % 2 ? 1.0f : 0.3f);
    check_match (&fixture, bins, bins, 1.0f);
  }
  for (guint v = 0; v < AMPHISTO_N_BINS; v += 85) {
    uint32_t bins[AMPHISTO_N_BINS] = { 0 }, reference[AMPHISTO_N_BINS] = { 0 };

    bins[v] = reference[255 - v] = UINT32_MAX;
    check_match (&fixture, bins, reference, 1.0f);
    bins[v] = 1;
    check_match (&fixture, bins, reference, 1.0f);
  }
  tear_down (&fixture);
}

/* Up to half of the samples clipped at either end, in most cases few. */
static void
test_stretch_random (gconstpointer data)
{
  Fixture fixture;
  guint32 state = 7411;

  if (!set_up (&fixture, GPOINTER_TO_UINT (data)))
    return;
  for (guint i = 0; i < (test_size () == TEST_SMALL ? 10 : 4000); i++) {
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
    check_stretch (&fixture, bins, &params);
  }
  tear_down (&fixture);
}

/* All pairs of ends: one of two values, or both, with the number of samples at
 * which a value is clipped, and with one less. Also one value, no samples, and
 * the most of them. */
static void
test_stretch_ends (gconstpointer data)
{
  static const uint32_t counts[] = { 0, 1, 7, UINT32_MAX / 2 };
  const guint jump = test_size () == TEST_SMALL ? 255 : 17;
  Fixture fixture;

  if (!set_up (&fixture, GPOINTER_TO_UINT (data)))
    return;
  for (guint a = 0; a < AMPHISTO_N_BINS; a += jump)
    for (guint b = a; b < AMPHISTO_N_BINS; b += jump)
      for (guint i = 0; i < G_N_ELEMENTS (counts) * 4; i++) {
        const uint32_t count = counts[i / 4];
        const frame_params params = { .hi = 255,
          .strength = 1.0f,
          .stretch_low = i & 1 ? count : MAX (count, 1) - 1,
          .stretch_high = i & 2 ? count : MAX (count, 1) - 1 };
        uint32_t bins[AMPHISTO_N_BINS] = { 0 };

        bins[a] = count;
        bins[b] += count;
        check_stretch (&fixture, bins, &params);
      }
  tear_down (&fixture);
}

/* Checks the results of a kernel that finds the gain from the buffers `bins`
 * and `lut`. */
static void
check_gain (Fixture *self, cl_kernel kernel, uint32_t expected)
{
  static const gsize items = AMPHISTO_N_BINS;
  const AmphistoLayout layout = { .lo = 16, .hi = 235 };
  uint32_t gain = 0;
  uint8_t lut[AMPHISTO_N_BINS], expected_lut[AMPHISTO_N_BINS];

  assert_cl (clEnqueueNDRangeKernel (
      self->queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
  test_buffer_read (self->queue, self->gain, &gain, sizeof gain);
  g_assert_cmpuint (gain, ==, expected);
  amphisto_chroma_lut (&layout, gain, expected_lut);
  test_buffer_read (self->queue, self->chroma_lut, lut, sizeof lut);
  g_assert_cmpmem (lut, sizeof lut, expected_lut, sizeof expected_lut);
}

static void
check_gain_of_lut (Fixture *self, const uint32_t bins[AMPHISTO_N_BINS],
    const uint8_t lut[AMPHISTO_N_BINS])
{
  test_buffer_write (
      self->queue, self->bins, bins, AMPHISTO_N_BINS * sizeof *bins);
  test_buffer_write (self->queue, self->lut, lut, AMPHISTO_N_BINS);
  check_gain (self, self->find_gain_of_lut,
      amphisto_chroma_gain (1, (const uint32_t (*)[AMPHISTO_N_BINS]) bins,
          (const uint8_t (*)[AMPHISTO_N_BINS]) lut, 1.0f));
}

/* The bins before and after, which the kernel clears. */
static void
check_gain_of_tiles (Fixture *self, const uint32_t bins[AMPHISTO_N_BINS],
    const uint8_t lut[AMPHISTO_N_BINS])
{
  static const uint32_t zeros[2][AMPHISTO_N_BINS];
  uint32_t both[2][AMPHISTO_N_BINS] = { { 0 } };

  for (guint i = 0; i < AMPHISTO_N_BINS; i++) {
    both[0][i] = bins[i];
    both[1][lut[i]] += bins[i];
  }
  test_buffer_write (self->queue, self->bins, both, sizeof both);
  check_gain (self, self->find_gain_of_tiles,
      amphisto_chroma_gain (1, (const uint32_t (*)[AMPHISTO_N_BINS]) bins,
          (const uint8_t (*)[AMPHISTO_N_BINS]) lut, 1.0f));
  test_buffer_read (self->queue, self->bins, both, sizeof both);
  g_assert_cmpmem (both, sizeof both, zeros, sizeof zeros);
}

/* LUTs of any slope, some of them not monotonic; and histograms of the most
 * samples, of one value, and of none, as means may be. */
static void
test_gain (gconstpointer data)
{
  const frame_params params = {
    .luma = { .height = 1 }, .chroma_lo = 16, .chroma_hi = 240
  };
  Fixture fixture;
  guint32 state = 1741;

  if (!set_up (&fixture, GPOINTER_TO_UINT (data)))
    return;
  test_buffer_write (fixture.queue, fixture.params, &params, sizeof params);
  for (guint i = 0; i < (test_size () == TEST_SMALL ? 12 : 1000); i++) {
    const guint slope = test_random (&state) % 1200;
    uint32_t bins[AMPHISTO_N_BINS] = { 0 };
    uint8_t lut[AMPHISTO_N_BINS];

    for (guint v = 0; v < AMPHISTO_N_BINS; v++)
      lut[v] = i % 3 == 0 ? test_random (&state) : MIN (v * slope / 256, 255);
    if (i > 1)
      fill_bins (bins, &state);
    if (i > 0)
      bins[i % AMPHISTO_N_BINS] |= 1u << (i % 31);
    if (i % 7 == 6)
      bins[0] = bins[254] = UINT32_MAX / 4;
    check_gain_of_lut (&fixture, bins, lut);
    check_gain_of_tiles (&fixture, bins, lut);
  }
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_add_for_shapes ("/lut/random", test_random_bins);
  test_add_for_shapes ("/lut/small", test_small_counts);
  test_add_for_shapes ("/lut/extremes", test_extremes);
  test_add_for_shapes ("/lut/match", test_match);
  test_add_for_shapes ("/lut/stretch-random", test_stretch_random);
  test_add_for_shapes ("/lut/stretch-ends", test_stretch_ends);
  test_add_for_shapes ("/gain", test_gain);
  return g_test_run ();
}
