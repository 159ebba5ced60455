/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/report/expect.h"
#include "core/pixels/channels.h"

void
gst_amphisto_expect_reset (GstAmphistoExpect *self)
{
  g_clear_pointer (&self->conditions, gst_amphisto_conditions_unref);
  *self = (GstAmphistoExpect){ .element = self->element };
}

void
gst_amphisto_expect_flush (GstAmphistoExpect *self)
{
  for (guint i = 0; i < GST_AMPHISTO_MAX_CONDITIONS; i++)
    amphisto_condition_end_failure (&self->condition[i].state);
  self->has_failed = FALSE;
}

/* Begins anew if the conditions are others. */
static void
set_conditions (GstAmphistoExpect *self, GstAmphistoConditions *conditions)
{
  static const GstAmphistoTimes none = { .timestamp = GST_CLOCK_TIME_NONE,
    .stream_time = GST_CLOCK_TIME_NONE,
    .running_time = GST_CLOCK_TIME_NONE };

  if (self->conditions != NULL
      && gst_amphisto_conditions_equal (self->conditions, conditions))
    return;
  gst_amphisto_expect_reset (self);
  self->conditions = g_atomic_rc_box_acquire (conditions);
  for (guint i = 0; i < conditions->n; i++)
    self->condition[i].times = none;
}

/* --- texts --- */

/* "16" or "0.25", with a point in any locale. */
static const gchar *
format_number (gchar buffer[G_ASCII_DTOSTR_BUF_SIZE], gdouble number)
{
  return g_ascii_formatd (buffer, G_ASCII_DTOSTR_BUF_SIZE, "%.9g", number);
}

/* Returns: (transfer full): "0:00:03.200". */
static gchar *
format_time (guint64 time)
{
  return g_strdup_printf ("%u:%02u:%02u.%03u",
      (guint) (time / GST_SECOND / 3600), (guint) (time / GST_SECOND / 60 % 60),
      (guint) (time / GST_SECOND % 60), (guint) (time / GST_MSECOND % 1000));
}

/* Returns: (transfer full): "luma.mean >= 20 is not met: 16 at 0:00:03.200". */
static gchar *
describe (const GstAmphistoExpect *self, guint i)
{
  gchar value[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree gchar *time =
      format_time (MAX (self->condition[i].times.start, 0));

  return g_strdup_printf ("%s is not met: %s at %s", self->conditions->parts[i],
      format_number (value, self->condition[i].state.value), time);
}

/* Returns: (transfer full): "luma.mean >= 20 is not met: 16 at 0:00:00.000, for
 * all 12 frames" for a condition that no frame has met. */
static gchar *
describe_never_met (const GstAmphistoExpect *self, guint i)
{
  const guint64 n_tested = self->condition[i].state.n_tested;
  const gboolean tests_all = n_tested == self->n_frames;
  const gchar *condition = self->conditions->parts[i];
  g_autofree gchar *failure = describe (self, i);

  if (self->n_frames == 0)
    return g_strdup_printf ("%s was never tested: no frame came", condition);
  if (n_tested == 0)
    return g_strdup_printf ("%s was never tested: %" G_GUINT64_FORMAT
                            " %s came",
        condition, self->n_frames, self->n_frames == 1 ? "frame" : "frames");
  if (n_tested == 1)
    return g_strdup_printf (
        "%s, for the only frame%s", failure, tests_all ? "" : " that tests it");
  return g_strdup_printf ("%s, for all %" G_GUINT64_FORMAT " frames%s", failure,
      n_tested, tests_all ? "" : " that test it");
}

/* Appends " mean 16,". */
static void
append_field (GString *text, const gchar *name, gdouble value)
{
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, " %s %s,", name, format_number (number, value));
}

/* Appends " p98 16,". */
static void
append_percentile (GString *text, const AmphistoCondition *condition,
    const AmphistoHistograms *histograms)
{
  gchar name[G_ASCII_DTOSTR_BUF_SIZE + 1] = "p";

  format_number (name + 1, condition->percent);
  append_field (text, name,
      amphisto_histogram_percentile (
          histograms->bins[condition->channel], condition->percent));
}

static void
append_fields (GString *text, const AmphistoCondition *condition,
    const GstAmphistoMeasurement *measurement)
{
  const AmphistoStatistics *statistics =
      &measurement->statistics[condition->channel];
  const AmphistoPicture *picture = &measurement->histograms.picture;
  gdouble value;

  if (condition->is_percentile)
    append_percentile (text, condition, &measurement->histograms);

  for (guint f = 0; f < AMPHISTO_N_FIELDS; f++)
    if (!condition->is_of_picture
        && amphisto_statistics_get (statistics, f, &value))
      append_field (text, amphisto_field_name (f), value);
  for (guint f = 0; f < AMPHISTO_N_PICTURE_FIELDS; f++)
    if (condition->is_of_picture && amphisto_picture_get (picture, f, &value))
      append_field (text, amphisto_picture_field_name (f), value);
}

/* Returns: (transfer full): how long the condition has failed, and all fields
 * of its channel, or of the picture, in the last frame. */
static gchar *
describe_frame (const GstAmphistoExpect *self, guint i,
    const GstAmphistoMeasurement *measurement)
{
  const AmphistoCondition *condition = &self->conditions->condition[i];
  g_autofree gchar *duration = format_time (self->condition[i].state.duration);
  GString *text = g_string_new (NULL);

  g_string_printf (text,
      "It has failed for %s. %s of the last frame:", duration,
      condition->is_of_picture ? "The picture"
                               : amphisto_channel_name (condition->channel));
  append_fields (text, condition, measurement);
  g_string_truncate (text, text->len - 1); /* the last comma */
  return g_string_free (text, FALSE);
}

/* --- messages --- */

/* `has_duration`: whether the failure has ended. A condition that was never
 * tested has no value. */
static void
post (const GstAmphistoExpect *self, guint i, gboolean is_met,
    gboolean has_duration)
{
  const AmphistoConditionState *state = &self->condition[i].state;
  GstStructure *structure =
      gst_structure_new ("amphisto-expect", "condition", G_TYPE_STRING,
          self->conditions->parts[i], "met", G_TYPE_BOOLEAN, is_met, NULL);

  if (state->n_tested > 0)
    gst_structure_set (structure, "value", G_TYPE_DOUBLE, state->value, NULL);
  gst_amphisto_times_add (&self->condition[i].times, structure);
  if (has_duration)
    gst_structure_set (
        structure, "duration", G_TYPE_UINT64, (guint64) state->duration, NULL);
  gst_element_post_message (self->element,
      gst_message_new_element (GST_OBJECT (self->element), structure));
}

/* --- frames --- */

/* Tests the frame against condition `i`, and posts messages.
 *
 * Returns: whether it has failed for long enough with this frame. */
static gboolean
test_condition (
    GstAmphistoExpect *self, guint i, const GstAmphistoMeasurement *measurement)
{
  const AmphistoCondition *condition = &self->conditions->condition[i];
  const GstAmphistoTimes *times = &measurement->times;
  AmphistoConditionState *state = &self->condition[i].state;
  AmphistoOutcome outcome = { .step = times->position - self->position,
    .result = AMPHISTO_UNTESTED,
    .duration = times->length };
  guint news;

  if (!times->is_outside)
    outcome.result = amphisto_condition_test (condition,
        measurement->statistics, &measurement->histograms, &outcome.value);
  if (!state->fails && outcome.result == AMPHISTO_FAILED)
    self->condition[i].times = *times;
  news = amphisto_condition_add_frame (
      state, &outcome, measurement->settings->expect_duration);
  if (news & AMPHISTO_NEWS_FAILED)
    post (self, i, FALSE, FALSE);
  if (news & AMPHISTO_NEWS_MET)
    post (self, i, TRUE, TRUE);
  return (news & AMPHISTO_NEWS_FAILED) != 0;
}

static void
append_line (GString *text, const gchar *separator, gchar *line)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? separator : "", line);
  g_free (line);
}

static void
fail (GstAmphistoExpect *self, const gchar *text, const gchar *debug)
{
  self->has_failed = TRUE;
  GST_ELEMENT_ERROR (
      self->element, STREAM, FAILED, ("%s", text), ("%s", debug));
}

G_STATIC_ASSERT (GST_AMPHISTO_MAX_CONDITIONS <= 32);

/* Posts the error. failed: a bit for each condition. */
static void
fail_frame (GstAmphistoExpect *self, guint32 failed,
    const GstAmphistoMeasurement *measurement)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) debug = g_string_new (NULL);

  for (guint i = 0; i < self->conditions->n; i++)
    if ((failed & 1u << i) != 0) {
      append_line (text, "; ", describe (self, i));
      append_line (debug, "\n", describe_frame (self, i, measurement));
    }
  fail (self, text->str, debug->str);
}

gboolean
gst_amphisto_expect_add_frame (
    GstAmphistoExpect *self, const GstAmphistoMeasurement *measurement)
{
  guint32 failed = 0;

  set_conditions (self, measurement->settings->conditions);
  self->has_failed = FALSE;
  self->n_frames++;
  for (guint i = 0; i < self->conditions->n; i++)
    if (test_condition (self, i, measurement))
      failed |= 1u << i;
  self->position = measurement->times.position;
  if (failed != 0 && measurement->settings->expect_error)
    fail_frame (self, failed, measurement);
  return !self->has_failed;
}

gboolean
gst_amphisto_expect_has_failed (
    const GstAmphistoExpect *self, const GstAmphistoSettings *settings)
{
  return self->has_failed && settings->expect_error
      && gst_amphisto_conditions_equal (self->conditions, settings->conditions);
}

void
gst_amphisto_expect_end (GstAmphistoExpect *self,
    GstAmphistoConditions *conditions, gboolean posts_error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  set_conditions (self, conditions);
  for (guint i = 0; i < conditions->n; i++) {
    const AmphistoConditionState *state = &self->condition[i].state;

    if (!state->was_met || (state->fails && state->is_reported))
      post (self, i, FALSE, TRUE);
    if (!state->was_met)
      append_line (text, "; ", describe_never_met (self, i));
  }
  if (text->len > 0 && posts_error && !self->has_failed)
    fail (self, text->str, "");
  gst_amphisto_expect_flush (self);
}
