/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Conditions: their operators, and when they are reported over time.
 */

#include "core/measure/conditions.h"
#include "suite.h"

#include <string.h>

static const AmphistoStatistics statistics[AMPHISTO_N_CHANNELS] = {
  [AMPHISTO_CHANNEL_LUMA] = { .samples = 1000,
      .mean = 100.5,
      .has_difference = true,
      .difference = 3.5,
      .distance = 2.5 }
};
static const AmphistoHistograms no_bins;

/* The operators with a number below, at and above the mean. */
static void
test_operators (void)
{
  static const char *const met[] = { [AMPHISTO_OPERATOR_LESS] = "..x",
    [AMPHISTO_OPERATOR_LESS_OR_EQUAL] = ".xx",
    [AMPHISTO_OPERATOR_EQUAL] = ".x.",
    [AMPHISTO_OPERATOR_NOT_EQUAL] = "x.x",
    [AMPHISTO_OPERATOR_GREATER_OR_EQUAL] = "xx.",
    [AMPHISTO_OPERATOR_GREATER] = "x.." };

  for (guint i = AMPHISTO_OPERATOR_LESS; i < G_N_ELEMENTS (met); i++)
    for (guint n = 0; n < 3; n++) {
      const AmphistoCondition condition = { .channel = AMPHISTO_CHANNEL_LUMA,
        .field = AMPHISTO_FIELD_MEAN,
        .operator= i,
        .number = 100 + n * 0.5 };
      double value = -1;

      g_assert_cmpint (
          amphisto_condition_test (&condition, statistics, &no_bins, &value),
          ==, met[i][n] == 'x' ? AMPHISTO_MET : AMPHISTO_FAILED);
      g_assert_cmpfloat (value, ==, 100.5);
    }
}

/* Without samples, no field tests a condition, not even their number. The first
 * frame has no difference and no distance: it neither meets nor fails their
 * conditions. */
static void
test_missing (void)
{
  AmphistoStatistics none[AMPHISTO_N_CHANNELS] = { 0 };
  AmphistoStatistics first[AMPHISTO_N_CHANNELS];

  none[AMPHISTO_CHANNEL_LUMA].has_difference = true;
  memcpy (first, statistics, sizeof first);
  first[AMPHISTO_CHANNEL_LUMA].has_difference = false;
  for (guint f = 0; f < AMPHISTO_N_FIELDS; f++)
    for (guint n = 0; n < 2; n++) {
      const AmphistoCondition condition = { .channel = AMPHISTO_CHANNEL_LUMA,
        .field = f,
        .operator= n> 0 ? AMPHISTO_OPERATOR_EQUAL : AMPHISTO_OPERATOR_LESS };
      const bool is_comparison = amphisto_field_is_comparison (f);
      double value = -1;

      g_assert_cmpint (
          amphisto_condition_test (&condition, none, &no_bins, &value), ==,
          AMPHISTO_UNTESTED);
      g_assert_true (
          (amphisto_condition_test (&condition, first, &no_bins, &value)
              == AMPHISTO_UNTESTED)
          == is_comparison);
      g_assert_true (
          amphisto_condition_test (&condition, statistics, &no_bins, &value)
          != AMPHISTO_UNTESTED);
      g_assert_true (!is_comparison || value > 0);
    }
}

/* A condition on the picture needs no samples, but the field. */
static void
test_picture (void)
{
  const AmphistoStatistics nothing[AMPHISTO_N_CHANNELS] = { 0 };
  const AmphistoHistograms histograms = {
    .picture = { .fields = 1u << AMPHISTO_PICTURE_ACTIVE_HEIGHT,
        .value = { [AMPHISTO_PICTURE_ACTIVE_WIDTH] = 30,
            [AMPHISTO_PICTURE_ACTIVE_HEIGHT] = 40 } }
  };
  const AmphistoCondition condition = { .is_of_picture = true,
    .picture_field = AMPHISTO_PICTURE_ACTIVE_HEIGHT,
    .operator= AMPHISTO_OPERATOR_GREATER_OR_EQUAL,
    .number = 41 };
  double value = -1;

  g_assert_cmpint (
      amphisto_condition_test (&condition, nothing, &no_bins, &value), ==,
      AMPHISTO_UNTESTED);
  g_assert_cmpint (
      amphisto_condition_test (&condition, nothing, &histograms, &value), ==,
      AMPHISTO_FAILED);
  g_assert_cmpfloat (value, ==, 40);
}

/* 98 of 100 samples are 37 at most: p98 is 37, and the next one is 200. */
static void
test_percentile (void)
{
  static const struct
  {
    double percent, value;
  } percentiles[] = { { 0, 16 }, { 50, 16 }, { 50.5, 37 }, { 98, 37 },
    { 98.001, 200 }, { 99, 200 }, { 99.5, 255 }, { 100, 255 } };
  AmphistoStatistics of[AMPHISTO_N_CHANNELS] = { 0 };
  AmphistoHistograms histograms = { 0 };
  uint32_t *bins = histograms.bins[AMPHISTO_CHANNEL_BLUE];

  bins[16] = 50;
  bins[37] = 48;
  bins[200] = bins[255] = 1;
  for (guint i = 0; IS_ROW (percentiles, i); i++) {
    const AmphistoCondition condition = { .is_percentile = true,
      .channel = AMPHISTO_CHANNEL_BLUE,
      .percent = percentiles[i].percent,
      .operator= AMPHISTO_OPERATOR_GREATER,
      .number = 37 };
    double value = -1;

    of[AMPHISTO_CHANNEL_BLUE].samples = 0;
    g_assert_cmpint (
        amphisto_condition_test (&condition, of, &histograms, &value), ==,
        AMPHISTO_UNTESTED);
    of[AMPHISTO_CHANNEL_BLUE].samples = 100;
    g_assert_cmpint (
        amphisto_condition_test (&condition, of, &histograms, &value), ==,
        percentiles[i].value > 37 ? AMPHISTO_MET : AMPHISTO_FAILED);
    g_assert_cmpfloat (value, ==, percentiles[i].value);
  }
}

/* Frames every `step` ms: '#' fails, '.' is met, ' ' does not test. `told`: the
 * news of each frame, 'F' for failed, 'M' for met, 'B' for both. */
static const struct
{
  const gchar *frames, *told;
  guint step, duration, min_duration; /* ms */
} timelines[] = {
  { ".....", ".....", 40, 40, 0 },
  { ".##..#", ".F.M.F", 40, 40, 0 },
  { "#.#.", "FMFM", 40, 40, 40 },
  /* the end of the third frame is 120 ms after the start of the first */
  { "##..###.", "......FM", 40, 40, 120 },
  { "##.####.##", ".....F.M..", 40, 40, 81 },
  { "####", "...F", 40, 0, 120 },
  { "####", "...F", 40, 40, 121 },
  /* shown for longer than its duration */
  { "#..", ".B.", 1000, 40, 1000 },
  { "#..", "...", 1000, 40, 1001 },
  { "##..", "..B.", 40, 0, 80 },
  { "###", "...", 40, 40, 3600000 },
  /* frames that do not test neither end a failure nor prolong it */
  { " # #.", ".F..M", 40, 40, 0 },
  { "# ## .", "...F.M", 40, 40, 120 },
  { "#   #.", "......", 40, 40, 81 },
  { "#    .", "......", 40, 40, 41 },
  { "#  .", ".F.M", 40, 0, 40 },
  { "   ", "...", 40, 40, 0 },
};

static AmphistoTestResult
result_of (gchar frame)
{
  return frame == '#' ? AMPHISTO_FAILED
      : frame == '.'  ? AMPHISTO_MET
                      : AMPHISTO_UNTESTED;
}

static void
test_timelines (void)
{
  static const gchar letters[] = ".FMB";

  for (guint i = 0; IS_ROW (timelines, i); i++) {
    AmphistoConditionState state = { 0 };
    g_autoptr (GString) told = g_string_new (NULL);

    for (const gchar *frame = timelines[i].frames; *frame != '\0'; frame++) {
      const AmphistoOutcome outcome = { .result = result_of (*frame),
        .value = 16,
        .step = timelines[i].step,
        .duration = timelines[i].duration };

      g_string_append_c (told,
          letters[amphisto_condition_add_frame (
              &state, &outcome, timelines[i].min_duration)]);
    }
    g_assert_cmpstr (told->str, ==, timelines[i].told);
  }
}

/* Frames every 50 ms, which last 40: their results and values, and the state
 * that follows. */
typedef struct
{
  AmphistoTestResult result;
  double value;
  uint64_t duration;
  double first_value;
} Step;

static void
add_frames (AmphistoConditionState *state, const Step *steps, guint n)
{
  for (guint i = 0; i < n; i++) {
    const AmphistoOutcome outcome = { .result = steps[i].result,
      .value = steps[i].value,
      .step = 50,
      .duration = 40 };

    amphisto_condition_add_frame (state, &outcome, 0);
    g_assert_cmpuint (state->duration, ==, steps[i].duration);
    g_assert_cmpfloat (state->value, ==, steps[i].first_value);
  }
}

/* The value is the first failing frame's; the duration lasts from its start to
 * the end of the last frame, or to the start of the frame that meets the
 * condition. */
static void
test_duration (void)
{
  static const Step steps[] = { { AMPHISTO_FAILED, 16, 40, 16 },
    { AMPHISTO_FAILED, 15, 90, 16 }, { AMPHISTO_MET, 15, 100, 16 },
    { AMPHISTO_FAILED, 15, 40, 15 } };
  AmphistoConditionState state = { 0 };

  add_frames (&state, steps, G_N_ELEMENTS (steps));
}

/* A frame counts if it tests. Ending a failure forgets neither whether the
 * condition was met nor its last value, and the time up to the next failure is
 * no part of that. */
static void
test_ever_met (void)
{
  static const Step steps[] = { { AMPHISTO_FAILED, 16, 40, 16 },
    { AMPHISTO_UNTESTED, 16, 50, 16 }, { AMPHISTO_FAILED, 16, 40, 16 },
    { AMPHISTO_MET, 16, 50, 16 } };
  AmphistoConditionState state = { 0 };

  add_frames (&state, steps, 2);
  amphisto_condition_end_failure (&state);
  g_assert_false (state.fails);
  g_assert_false (state.was_met);
  g_assert_cmpuint (state.n_tested, ==, 1);
  g_assert_cmpfloat (state.value, ==, 16);
  add_frames (&state, steps + 2, 2);
  amphisto_condition_end_failure (&state);
  g_assert_true (state.was_met);
  g_assert_cmpuint (state.n_tested, ==, 3);
}

const CoreTest core_tests[] = {
  { "/operators", test_operators },
  { "/missing", test_missing },
  { "/picture", test_picture },
  { "/percentile", test_percentile },
  { "/timelines", test_timelines },
  { "/duration", test_duration },
  { "/ever-met", test_ever_met },
  { 0 },
};
