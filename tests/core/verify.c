/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The functions behind verify=true accept right results and detect wrong ones.
 */

#include "channels.h"
#include "core/change/equalize.h"
#include "core/verify.h"
#include "suite.h"

#include <string.h>

/* xRGB, 2 x 2, in rows of 11 bytes */
#define STRIDE 11
#define SIZE (STRIDE + 8)

static const AmphistoLayout layout = { .n_planes = 1,
  .plane = { { 8, 2 } },
  .channels = LUMA | RGB,
  .component = { [AMPHISTO_CHANNEL_LUMA] = { .width = 2, .height = 2 },
      [AMPHISTO_CHANNEL_RED] = { 0, 1, 4, 2, 2 },
      [AMPHISTO_CHANNEL_GREEN] = { 0, 2, 4, 2, 2 },
      [AMPHISTO_CHANNEL_BLUE] = { 0, 3, 4, 2, 2 } },
  .is_rgb = true,
  .weights = { 13933, 46871, 4732 },
  .hi = 255 };

static const AmphistoRegion all = { 0, 0, 2, 2 };

static void
fill (uint8_t bytes[SIZE])
{
  for (unsigned i = 0; i < SIZE; i++)
    bytes[i] = i * 11;
}

static void
test_copy (void)
{
  uint8_t bytes[SIZE];
  const AmphistoFrame frame = { .layout = &layout,
    .plane = { { bytes, STRIDE } } };
  AmphistoVerifyCopy copy;

  fill (bytes);
  copy = amphisto_verify_copy_new (&frame);
  g_assert_nonnull (copy.memory);
  memset (bytes, 0, sizeof bytes);
  for (unsigned y = 0; y < 2; y++)
    for (unsigned x = 0; x < 8; x++)
      g_assert_cmpuint (amphisto_frame_row (&copy.frame, 0, y)[x], ==,
          (y * STRIDE + x) * 11 % 256);
  amphisto_verify_copy_clear (&copy);
  g_assert_null (copy.memory);
}

static void
test_region (void)
{
  uint8_t bytes[SIZE];
  const AmphistoFrame frame = { .layout = &layout,
    .plane = { { bytes, STRIDE } } };
  AmphistoHistograms histograms = { .channels = layout.channels };
  char text[100];

  fill (bytes);
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (layout.channels & AMPHISTO_CHANNEL_BIT (c))
      amphisto_histogram_count (&frame, c, histograms.bins[c]);
  g_assert_true (
      amphisto_verify_region (&frame, &all, &histograms, text, sizeof text));

  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    for (unsigned v = 0; v < AMPHISTO_N_BINS; v++) {
      histograms.bins[c][v]++;
      /* channels that are not measured are not compared */
      g_assert_cmpint (
          amphisto_verify_region (&frame, &all, &histograms, text, sizeof text),
          ==, !(layout.channels & AMPHISTO_CHANNEL_BIT (c)));
      histograms.bins[c][v]--;
    }
  histograms.bins[AMPHISTO_CHANNEL_GREEN][22] += 5;
  g_assert_false (
      amphisto_verify_region (&frame, &all, &histograms, text, sizeof text));
  g_assert_cmpstr (text, ==, "green, bin 22: 6 on the device, 1 on the CPU");
}

/* A wrong bin of a frame that is only measured is found. */
static void
test_measured (void)
{
  uint8_t bytes[SIZE];
  const AmphistoFrame frame = { .layout = &layout,
    .plane = { { bytes, STRIDE } } };
  const AmphistoSettings settings = { .channels = LUMA | RGB };
  const AmphistoDivision division = { .n_groups = 1, .n_slices = 1 };
  AmphistoHistograms histograms = { .channels = layout.channels };
  AmphistoReferenceState state = { 0 };
  AmphistoPlan plan;
  const AmphistoJob job = { .plan = &plan, .source = frame, .target = frame };
  char text[100];

  amphisto_plan_init (&plan, &layout, &settings, &division);
  fill (bytes);
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    if (!(layout.channels & AMPHISTO_CHANNEL_BIT (c)))
      continue;
    amphisto_histogram_count (&frame, c, histograms.bins[c]);
    histograms.bins[c][255]++;
    g_assert_cmpint (amphisto_verify_job (
                         &job, &frame, &histograms, &state, text, sizeof text),
        ==, AMPHISTO_VERIFY_DIFFERENT);
    histograms.bins[c][255]--;
  }
  g_assert_true (g_str_has_prefix (text, "blue, bin 255: "));
  g_assert_cmpint (amphisto_verify_job (
                       &job, &frame, &histograms, &state, text, sizeof text),
      ==, AMPHISTO_VERIFY_EQUAL);
}

/* Verifies an equalized frame with a wrong byte at `at` (SIZE: no wrong byte).
 */
static AmphistoVerifyResult
verify_changed (unsigned at, float strength, char *text, gsize size)
{
  uint8_t bytes[SIZE], result[SIZE];
  uint32_t bins[AMPHISTO_N_BINS];
  uint8_t lut[AMPHISTO_N_BINS];
  const AmphistoFrame frame = { .layout = &layout,
    .plane = { { bytes, STRIDE } } };
  const AmphistoFrame after = { .layout = &layout,
    .plane = { { result, STRIDE } } };
  const AmphistoSettings settings = {
    .equalization = AMPHISTO_EQUALIZATION_GLOBAL, .strength = strength
  };
  const AmphistoDivision division = { .n_groups = 1, .n_slices = 1 };
  AmphistoPlan plan;
  const AmphistoJob job = { &plan, frame, after, NULL, 0, false, false, false,
    0, { 0 } };
  const AmphistoHistograms histograms = { 0 };
  AmphistoReferenceState state = { 0 };

  amphisto_plan_init (&plan, &layout, &settings, &division);
  fill (bytes);
  memset (result, 0, sizeof result);
  amphisto_histogram_count (&frame, AMPHISTO_CHANNEL_LUMA, bins);
  amphisto_equalize_lut (bins, 0, 255, strength, lut);
  amphisto_equalize_apply (&frame, &after, lut, AMPHISTO_UNIT_GAIN);
  if (at < SIZE)
    result[at] ^= 1;
  return amphisto_verify_job (&job, &frame, &histograms, &state, text, size);
}

static void
test_equalized (void)
{
  char text[100];

  g_assert_cmpint (verify_changed (SIZE, 1.0f, text, sizeof text), ==,
      AMPHISTO_VERIFY_EQUAL);
  g_assert_cmpint (verify_changed (SIZE, 0.3f, text, sizeof text), ==,
      AMPHISTO_VERIFY_EQUAL);
  for (unsigned i = 0; i < SIZE; i++)
    /* padding between the rows is not compared */
    g_assert_cmpint (verify_changed (i, 1.0f, text, sizeof text), ==,
        i >= 8 && i < STRIDE ? AMPHISTO_VERIFY_EQUAL
                             : AMPHISTO_VERIFY_DIFFERENT);
  g_assert_cmpint (verify_changed (STRIDE + 4, 0.0f, text, sizeof text), ==,
      AMPHISTO_VERIFY_DIFFERENT);
  g_assert_cmpstr (
      text, ==, "plane 0, row 1, byte 4: 164 on the device, 165 on the CPU");
}

/* Verifies a frame with all samples, and so its bins, 11 above the previous
 * frame's. Without a previous frame, no number is compared. */
static AmphistoVerifyResult
verify_compared (
    bool is_first, double difference, double distance, char *text, size_t size)
{
  uint8_t bytes[SIZE];
  const AmphistoFrame frame = { .layout = &layout,
    .plane = { { bytes, STRIDE } } };
  const AmphistoSettings settings = { .channels = LUMA, .compares = true };
  const AmphistoDivision division = { .n_groups = 1, .n_slices = 1 };
  const AmphistoHistograms histograms = { .comparison = { !is_first, difference,
                                              distance } };
  AmphistoPlan plan;
  AmphistoJob job = {
    .plan = &plan, .source = frame, .target = frame, .resets_comparison = true
  };
  AmphistoReferenceState state = { 0 };
  AmphistoVerifyResult result;

  amphisto_plan_init (&plan, &layout, &settings, &division);
  fill (bytes);
  g_assert_cmpint (
      amphisto_verify_job (&job, &frame, &histograms, &state, text, size), ==,
      AMPHISTO_VERIFY_EQUAL);
  job.resets_comparison = is_first;
  for (unsigned i = 0; i < SIZE; i++)
    bytes[i] += 11;
  result = amphisto_verify_job (&job, &frame, &histograms, &state, text, size);
  amphisto_reference_state_clear (&state);
  return result;
}

static void
test_compared (void)
{
  char text[100];

  g_assert_cmpint (verify_compared (false, 11, 11, text, sizeof text), ==,
      AMPHISTO_VERIFY_EQUAL);
  g_assert_cmpint (verify_compared (true, 5, 6, text, sizeof text), ==,
      AMPHISTO_VERIFY_EQUAL);
  g_assert_cmpint (verify_compared (false, 11.25, 11, text, sizeof text), ==,
      AMPHISTO_VERIFY_DIFFERENT);
  g_assert_cmpstr (
      text, ==, "luma's difference: 11.25 on the device, 11 on the CPU");
  g_assert_cmpint (verify_compared (false, 11, 0, text, sizeof text), ==,
      AMPHISTO_VERIFY_DIFFERENT);
  g_assert_cmpstr (text, ==, "luma's distance: 0 on the device, 11 on the CPU");
}

/* Verifies the active picture of a frame without black bars. */
static AmphistoVerifyResult
verify_active (AmphistoRegion active, char *text, size_t size)
{
  uint8_t bytes[SIZE];
  const AmphistoFrame frame = { .layout = &layout,
    .plane = { { bytes, STRIDE } } };
  const AmphistoSettings settings = { .finds_letterbox = true };
  const AmphistoDivision division = { .n_groups = 1, .n_slices = 1 };
  const AmphistoHistograms histograms = { .picture = { .has_active = true,
                                              .active = active } };
  AmphistoPlan plan;
  const AmphistoJob job = { .plan = &plan, .source = frame, .target = frame };
  AmphistoReferenceState state = { 0 };
  AmphistoVerifyResult result;

  amphisto_plan_init (&plan, &layout, &settings, &division);
  memset (bytes, 255, sizeof bytes);
  result = amphisto_verify_job (&job, &frame, &histograms, &state, text, size);
  amphisto_reference_state_clear (&state);
  return result;
}

static void
test_active (void)
{
  char text[100];

  g_assert_cmpint (
      verify_active ((AmphistoRegion){ 0, 0, 2, 2 }, text, sizeof text), ==,
      AMPHISTO_VERIFY_EQUAL);
  g_assert_cmpint (
      verify_active ((AmphistoRegion){ 1, 0, 2, 2 }, text, sizeof text), ==,
      AMPHISTO_VERIFY_DIFFERENT);
  g_assert_cmpstr (
      text, ==, "the picture's active-x: 1 on the device, 0 on the CPU");
}

const CoreTest core_tests[] = {
  { "/verify/copy", test_copy },
  { "/verify/region", test_region },
  { "/verify/measured", test_measured },
  { "/verify/equalized", test_equalized },
  { "/verify/compared", test_compared },
  { "/verify/active", test_active },
  { NULL },
};
