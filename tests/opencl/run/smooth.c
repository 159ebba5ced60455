/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernel that finds the weight of a frame in the temporal mean, launched
 * alone, against the C reference: with counts of huge frames, which show
 * whether every floating-point operation is rounded on its own, and whether
 * sums of integers have 64 bits.
 */

#include "cltest.h"
#include "core/change/smooth.h"
#include "cl/frame_params.h"
#include "xorshift.h"

#include <string.h>

#define BINS_SIZE (AMPHISTO_N_BINS * sizeof (uint32_t))

/* The kernel and its arguments. */
typedef struct
{
  TestCl *cl;
  cl_mem params, bins, mean, previous, update;
  cl_kernel find;
} Finder;

static Finder
finder_new (TestCl *cl)
{
  Finder self = { .cl = cl,
    .params = test_cl_buffer (cl, NULL, sizeof (frame_params)),
    .bins = test_cl_buffer (cl, NULL, BINS_SIZE),
    .mean = test_cl_buffer (cl, NULL, BINS_SIZE),
    .previous = test_cl_buffer (cl, NULL, BINS_SIZE),
    .update = test_cl_buffer (cl, NULL, 2 * sizeof (uint32_t)) };

  self.find = test_cl_kernel (cl, "find_update", self.params, self.bins,
      self.mean, self.previous, self.update, NULL);
  return self;
}

static void
check_update (Finder *self, const frame_params *params,
    const uint32_t bins[AMPHISTO_N_BINS], AmphistoLumaMean luma)
{
  struct
  {
    float weight;
    uint32_t is_new;
  } update;
  uint32_t previous[AMPHISTO_N_BINS], smoothed[AMPHISTO_N_BINS];

  test_cl_write (self->cl, self->params, params, sizeof *params);
  test_cl_write (self->cl, self->bins, bins, BINS_SIZE);
  test_cl_write (self->cl, self->mean, luma.mean, BINS_SIZE);
  test_cl_write (self->cl, self->previous, luma.previous, BINS_SIZE);
  test_cl_run (self->cl, self->find, AMPHISTO_N_BINS, AMPHISTO_N_BINS);
  test_cl_read (self->cl, self->update, &update, sizeof update);
  test_cl_read (self->cl, self->previous, previous, sizeof previous);
  memcpy (smoothed, bins, sizeof smoothed);

  const AmphistoSmoothing expected = amphisto_smooth_luma (
      params->frame_weight, params->resets_mean, smoothed, &luma);

  g_assert_cmpfloat (update.weight, ==, expected.frame_weight);
  g_assert_cmpint (update.is_new != 0, ==, expected.is_new);
  g_assert_cmpmem (previous, sizeof previous, bins, BINS_SIZE);
}

/* The histogram `bins`, up to `shift` levels brighter or darker. */
static void
shift_bins (const uint32_t bins[AMPHISTO_N_BINS], int shift,
    uint32_t shifted[AMPHISTO_N_BINS])
{
  memset (shifted, 0, BINS_SIZE);
  for (int v = 0; v < AMPHISTO_N_BINS; v++)
    shifted[CLAMP (v + shift, 0, AMPHISTO_N_BINS - 1)] += bins[v];
}

/* Up to 2^31 samples: the mean is up to 120 levels away, the previous frame up
 * to 60. */
static void
test_random_updates (TestCl *cl)
{
  static const float weights[] = { 0.1f, 0.05f, 1.0f - 0.99f, 0.5f, 1, 0 };
  Finder finder = finder_new (cl);
  guint32 state = 1147;
  guint n_raised = 0, n_cuts = 0;

  for (guint i = 0; i < test_by_size (30, 600, 6000); i++) {
    const guint bits = 9 + test_random (&state) % 23;
    const frame_params params = { .frame_weight =
                                      weights[i % G_N_ELEMENTS (weights)],
      .resets_mean = test_random (&state) % 16 == 0 };
    const int first = test_random (&state) % 200;
    uint32_t bins[AMPHISTO_N_BINS] = { 0 }, shifted[AMPHISTO_N_BINS];
    AmphistoLumaMean luma, updated;

    for (int v = first; v < MIN (first + 100, AMPHISTO_N_BINS); v++)
      bins[v] = (test_random (&state) >> (32 - bits)) / 100;
    bins[first]++;
    shift_bins (bins, (int) (test_random (&state) % 120) - 60, luma.previous);
    shift_bins (bins, (int) (test_random (&state) % 240) - 120, shifted);
    for (guint v = 0; v < AMPHISTO_N_BINS; v++)
      luma.mean[v] =
          (float) shifted[v] * (1 + (test_random (&state) >> 8) / 0x1p28f);
    check_update (&finder, &params, bins, luma);

    updated = luma;
    memcpy (shifted, bins, sizeof shifted);
    const AmphistoSmoothing found =
        amphisto_smooth_luma (params.frame_weight, false, shifted, &updated);
    n_cuts += found.is_new;
    n_raised += !found.is_new && found.frame_weight > params.frame_weight;
  }
  g_assert_cmpuint (n_cuts, >, 3);
  g_assert_cmpuint (n_raised, >, 3);
}

/* All samples have one value, at every distance from the mean and the previous
 * frame: no samples, or the most of them, and more. */
static void
test_distances (TestCl *cl)
{
  static const uint32_t counts[] = { 0, 1, 1000, (1 << 24) + 1, UINT32_MAX };
  const int jump = (int) test_by_size (51, 8, 1);
  Finder finder = finder_new (cl);

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    for (int v = 0; v < AMPHISTO_N_BINS; v += jump) {
      const frame_params params = { .frame_weight = 0.1f };
      const uint32_t bins[AMPHISTO_N_BINS] = { [0] = counts[i] };
      AmphistoLumaMean luma = { 0 };

      luma.previous[v] = counts[i];
      luma.mean[v] = (float) (counts[i] / 2);
      check_update (&finder, &params, bins, luma);
      luma.previous[v] = 0;
      luma.previous[0] = counts[i];
      check_update (&finder, &params, bins, luma);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_cl_add_for_shapes ("/update/random", test_random_updates);
  test_cl_add_for_shapes ("/update/distances", test_distances);
  return g_test_run ();
}
