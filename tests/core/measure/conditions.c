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
static const AmphistoPicture no_picture;

/* The operators with a number below, at and above the mean. */
static void
test_operators (void)
{
  static const struct
  {
    AmphistoOperator operator;
    bool is_met[3];
  } cases[] = {
    { AMPHISTO_OPERATOR_LESS, { false, false, true } },
    { AMPHISTO_OPERATOR_LESS_OR_EQUAL, { false, true, true } },
    { AMPHISTO_OPERATOR_EQUAL, { false, true, false } },
    { AMPHISTO_OPERATOR_NOT_EQUAL, { true, false, true } },
    { AMPHISTO_OPERATOR_GREATER_OR_EQUAL, { true, true, false } },
    { AMPHISTO_OPERATOR_GREATER, { true, false, false } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint n = 0; n < 3; n++) {
      const AmphistoCondition condition = { .channel = AMPHISTO_CHANNEL_LUMA,
        .field = AMPHISTO_FIELD_MEAN,
        .operator= cases[i].operator,
        .number = 100 + n * 0.5 };
      double value = -1;

      g_assert_cmpint (
          amphisto_condition_test (&condition, statistics, &no_picture, &value),
          ==, cases[i].is_met[n] ? AMPHISTO_MET : AMPHISTO_FAILED);
      g_assert_cmpfloat (value, ==, 100.5);
    }
}

/* The first frame has no difference and no distance: it neither meets nor fails
 * their conditions. */
static void
test_missing_field (void)
{
  static const AmphistoField fields[] = { AMPHISTO_FIELD_DIFFERENCE,
    AMPHISTO_FIELD_DISTANCE };
  AmphistoStatistics first[AMPHISTO_N_CHANNELS];

  memcpy (first, statistics, sizeof first);
  first[AMPHISTO_CHANNEL_LUMA].has_difference = false;
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    const AmphistoCondition condition = { .channel = AMPHISTO_CHANNEL_LUMA,
      .field = fields[i],
      .operator= AMPHISTO_OPERATOR_LESS,
      .number = 0 };
    double value = -1;

    g_assert_cmpint (
        amphisto_condition_test (&condition, statistics, &no_picture, &value),
        ==, AMPHISTO_FAILED);
    g_assert_cmpfloat (value, >, 0);
    g_assert_cmpint (
        amphisto_condition_test (&condition, first, &no_picture, &value), ==,
        AMPHISTO_UNTESTED);
  }
}

/* Without samples, no field tests a condition, not even their number. */
static void
test_no_samples (void)
{
  const AmphistoStatistics nothing[AMPHISTO_N_CHANNELS] = {
    [AMPHISTO_CHANNEL_LUMA] = { .has_difference = true }
  };

  for (guint f = 0; f < AMPHISTO_N_FIELDS; f++)
    for (guint n = 0; n < 2; n++) {
      const AmphistoCondition condition = { .channel = AMPHISTO_CHANNEL_LUMA,
        .field = f,
        .operator= n> 0 ? AMPHISTO_OPERATOR_EQUAL : AMPHISTO_OPERATOR_GREATER };
      double value;

      g_assert_cmpint (
          amphisto_condition_test (&condition, nothing, &no_picture, &value),
          ==, AMPHISTO_UNTESTED);
    }
}

/* A condition on the picture needs no samples, but the field. */
static void
test_picture (void)
{
  const AmphistoStatistics nothing[AMPHISTO_N_CHANNELS] = { 0 };
  const AmphistoPicture picture = { .has_active = true,
    .active = { 1, 2, 30, 40 } };
  const AmphistoCondition condition = { .is_of_picture = true,
    .picture_field = AMPHISTO_PICTURE_ACTIVE_HEIGHT,
    .operator= AMPHISTO_OPERATOR_GREATER_OR_EQUAL,
    .number = 41 };
  double value = -1;

  g_assert_cmpint (
      amphisto_condition_test (&condition, nothing, &no_picture, &value), ==,
      AMPHISTO_UNTESTED);
  g_assert_cmpint (
      amphisto_condition_test (&condition, nothing, &picture, &value), ==,
      AMPHISTO_FAILED);
  g_assert_cmpfloat (value, ==, 40);
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

  for (guint i = 0; i < G_N_ELEMENTS (timelines); i++) {
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

/* The value is the first failing frame's; the duration lasts from its start to
 * the end of the last frame, or to the start of the frame that meets the
 * condition. */
static void
test_duration (void)
{
  AmphistoConditionState state = { 0 };
  AmphistoOutcome outcome = {
    .result = AMPHISTO_FAILED, .value = 16, .step = 50, .duration = 40
  };

  amphisto_condition_add_frame (&state, &outcome, 0);
  g_assert_cmpuint (state.duration, ==, 40);
  outcome.value = 15;
  amphisto_condition_add_frame (&state, &outcome, 0);
  g_assert_cmpuint (state.duration, ==, 90);
  g_assert_cmpfloat (state.value, ==, 16);
  outcome.result = AMPHISTO_MET;
  amphisto_condition_add_frame (&state, &outcome, 0);
  g_assert_cmpuint (state.duration, ==, 100);
  g_assert_cmpfloat (state.value, ==, 16);
  outcome.result = AMPHISTO_FAILED;
  amphisto_condition_add_frame (&state, &outcome, 0);
  g_assert_cmpuint (state.duration, ==, 40);
  g_assert_cmpfloat (state.value, ==, 15);
}

/* A frame counts if it tests. Ending a failure forgets neither whether the
 * condition was met nor its last value, and the time up to the next failure is
 * no part of that. */
static void
test_ever_met (void)
{
  AmphistoConditionState state = { 0 };
  AmphistoOutcome outcome = {
    .result = AMPHISTO_FAILED, .value = 16, .step = 50, .duration = 40
  };

  amphisto_condition_add_frame (&state, &outcome, 0);
  outcome.result = AMPHISTO_UNTESTED;
  amphisto_condition_add_frame (&state, &outcome, 0);
  g_assert_cmpuint (state.duration, ==, 50);
  amphisto_condition_end_failure (&state);
  g_assert_false (state.fails);
  g_assert_false (state.was_met);
  g_assert_cmpuint (state.n_tested, ==, 1);
  g_assert_cmpfloat (state.value, ==, 16);
  outcome.result = AMPHISTO_FAILED;
  g_assert_cmpuint (amphisto_condition_add_frame (&state, &outcome, 41), ==, 0);
  outcome.result = AMPHISTO_MET;
  amphisto_condition_add_frame (&state, &outcome, 0);
  amphisto_condition_end_failure (&state);
  g_assert_true (state.was_met);
  g_assert_cmpuint (state.n_tested, ==, 3);
}

const CoreTest core_tests[] = {
  { "/operators", test_operators },
  { "/missing-field", test_missing_field },
  { "/no-samples", test_no_samples },
  { "/picture", test_picture },
  { "/timelines", test_timelines },
  { "/duration", test_duration },
  { "/ever-met", test_ever_met },
  { NULL },
};
