/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How counting is divided: pairs, passes and replicas, in plans.
 */

#include "channels.h"
#include "layouts.h"
#include "plans.h"
#include "suite.h"

static void
test_pairs (void)
{
  const AmphistoLayout small = yuv_layout (640, 480, 1, 1);
  const AmphistoLayout large = yuv_layout (1920, 1080, 1, 1);
  AmphistoSettings settings = { .channels = ALL_CHANNELS };
  AmphistoPlan plan;

  /* each of 2 groups has 150 KiB of luma and 38 of U; in large frames, 1012 and
   * 253 */
  amphisto_plan_init (&plan, &small, &settings, &cpu);
  g_assert_true (plan.params.frame.counts_pairs[0]);
  g_assert_false (plan.params.frame.counts_pairs[1]);
  g_assert_cmpuint (plan.sizes.counts, ==, 2 * 3 * 65536 * 4); /* R, G and B */
  amphisto_plan_init (&plan, &large, &settings, &cpu);
  g_assert_true (plan.params.frame.counts_pairs[1]);

  settings.channels = CHROMA;
  amphisto_plan_init (&plan, &small, &settings, &cpu);
  g_assert_cmpuint (plan.sizes.counts, ==, 0);
}

/* Slots with the same samples are one pass. Groups are divided by the number of
 * samples; computed samples count twice. */
static void
test_passes (void)
{
  const struct
  {
    AmphistoLayout layout;
    AmphistoSettings settings;
    guint n;
    pass_params passes[5]; /* first slot, number of slots, end of the groups */
  } cases[] = {
    /* of 32 parts, luma gets 4, U and V 1 each, R, G and B together 24, and
     * saturation 2 */
    { yuv_layout (1920, 1080, 1, 1), { .channels = ALL_CHANNELS }, 5,
        { { 0, 1, 32 }, { 1, 1, 40 }, { 2, 1, 48 }, { 3, 3, 237 },
            { 6, 1, 253 } } },
    { packed_layout ("RGBx", 1920, 1080), { .channels = ALL_CHANNELS }, 2,
        { { 0, 4, 182 }, { 4, 1, 255 } } },
    /* the tile histograms are luma's */
    { packed_layout ("RGBx", 1920, 1080),
        { .channels = ALL_CHANNELS,
            .equalization = CLAHE,
            .clahe = { 8, 8, 3 } },
        3, { { 0, 1, 0 }, { 1, 3, 152 }, { 4, 1, 254 } } },
    /* few samples are not worth many groups */
    { yuv_layout (64, 64, 1, 1), { .channels = LUMA | CHROMA }, 3,
        { { 0, 1, 1 }, { 1, 1, 2 }, { 2, 1, 3 } } },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    AmphistoPlan plan;

    amphisto_plan_init (&plan, &cases[i].layout, &cases[i].settings, &gpu);
    g_assert_cmpuint (plan.params.frame.n_passes, ==, cases[i].n);
    g_assert_cmpmem (plan.params.frame.pass, cases[i].n * sizeof (pass_params),
        cases[i].passes, cases[i].n * sizeof (pass_params));
  }
}

/* Replicas of the bins, for the pass with the most slots. */
static void
test_lanes (void)
{
  const AmphistoLayout layout = yuv_layout (1920, 1080, 1, 1);
  AmphistoSettings settings = { .channels = ALL_CHANNELS };
  AmphistoDivision division = gpu;
  AmphistoPlan plan;

  /* 32 KiB hold 10.7 replicas of 3 histograms, and 32 of one */
  amphisto_plan_init (&plan, &layout, &settings, &division);
  g_assert_cmpuint (plan.params.frame.n_replicas, ==, 8);
  g_assert_cmpuint (plan.sizes.counts, ==, 8 * 3 * 1024);
  settings.channels = LUMA | CHROMA;
  amphisto_plan_init (&plan, &layout, &settings, &division);
  g_assert_cmpuint (plan.params.frame.n_replicas, ==, 32);
  /* 8 KiB hold 4 replicas of 2 histograms */
  settings.channels = ALL_CHANNELS;
  division.local_memory = 8 * 1024;
  amphisto_plan_init (&plan, &layout, &settings, &division);
  g_assert_cmpuint (plan.params.frame.n_passes, ==, 6);
  g_assert_cmpuint (plan.params.frame.pass[3].n_slots, ==, 2);
  g_assert_cmpuint (plan.params.frame.n_replicas, ==, 4);
}

const CoreTest core_tests[] = {
  { "/pairs", test_pairs },
  { "/passes", test_passes },
  { "/lanes", test_lanes },
  { 0 },
};
