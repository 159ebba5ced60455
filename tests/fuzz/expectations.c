/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "expectations.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns: (transfer full): the conditions as the element writes them. */
static GStrv
split (const gchar *text)
{
  GStrv parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    g_strstrip (parts[i]);
  return parts;
}

static void
set_text (FuzzExpectations *self, const gchar *text)
{
  if (strcmp (self->text, text) == 0)
    return;
  *self = (FuzzExpectations){ 0 };
  g_strlcpy (self->text, text, sizeof self->text);
  for (guint i = 0; i < FUZZ_MAX_CONDITIONS; i++)
    self->condition[i].timestamp = self->condition[i].stream_time =
        self->condition[i].running_time = GST_CLOCK_TIME_NONE;
}

/* --- a frame --- */

typedef enum
{
  UNTESTED,
  MET,
  FAILED,
  UNKNOWN
} Result;

static gboolean
compare (gdouble value, const gchar *operator, gdouble number)
{
  const gboolean is_met = (strchr (operator, '<') != NULL && value < number)
      || (strchr (operator, '>') != NULL && value > number)
      || (strchr (operator, '=') != NULL && value == number);

  return operator[0] == '!' ? value != number : is_met;
}

static gboolean
is_outside_segment (const FuzzFrame *frame)
{
  return frame->segment.format == GST_FORMAT_TIME
      && GST_CLOCK_TIME_IS_VALID (frame->pts)
      && !gst_segment_clip (&frame->segment, GST_FORMAT_TIME, frame->pts,
          frame->pts + FUZZ_FRAME_DURATION, NULL, NULL);
}

/* Stores the field's value unless the condition is untested. */
static Result
test (const FuzzFrame *frame, const gchar *condition, gdouble *value)
{
  gchar channel[16] = "", field[16] = "", operator[4] = "";
  gdouble number = 0;

  if (sscanf (condition, "%15[a-z].%15[a-z0-9.-] %3[<>=!] %lf", channel,
          field, operator, & number)
      != 4)
    return UNKNOWN;
  if (is_outside_segment (frame)
      || !fuzz_frame_get (frame, channel, field, value))
    return UNTESTED;
  if (isnan (*value) || (*value != number && fuzz_is_near (*value, number)))
    return UNKNOWN;
  return compare (*value, operator, number) ? MET : FAILED;
}

static void
begin_failure (FuzzCondition *self, const FuzzFrame *frame, gdouble value)
{
  const GstSegment *segment = &frame->segment;
  const gboolean has_time = segment->format == GST_FORMAT_TIME;

  self->fails = TRUE;
  self->is_reported = FALSE;
  self->value = value;
  self->elapsed = 0;
  self->timestamp = frame->pts;
  self->stream_time = has_time
      ? gst_segment_to_stream_time (segment, GST_FORMAT_TIME, frame->pts)
      : GST_CLOCK_TIME_NONE;
  self->running_time = has_time
      ? gst_segment_to_running_time (segment, GST_FORMAT_TIME, frame->pts)
      : GST_CLOCK_TIME_NONE;
}

static void
end_failure (FuzzCondition *self)
{
  self->fails = FALSE;
  self->last_failed = FALSE;
}

/* --- messages --- */

/* Messages, of which those from `at` on are left to check. */
typedef struct
{
  const GPtrArray *messages;
  guint at;
} Reports;

static const GstStructure *
next_structure (const Reports *self)
{
  return self->at < self->messages->len
      ? gst_message_get_structure (self->messages->pdata[self->at])
      : NULL;
}

/* Returns: (transfer full): the message to expect. */
static GstStructure *
message_new (const FuzzCondition *condition, const gchar *text, gboolean is_met,
    gboolean has_duration)
{
  GstStructure *structure = gst_structure_new ("amphisto-expect", "timestamp",
      G_TYPE_UINT64, condition->timestamp, "stream-time", G_TYPE_UINT64,
      condition->stream_time, "running-time", G_TYPE_UINT64,
      condition->running_time, "condition", G_TYPE_STRING, text, "met",
      G_TYPE_BOOLEAN, is_met, NULL);

  if (condition->n_tested > 0)
    gst_structure_set (
        structure, "value", G_TYPE_DOUBLE, condition->value, NULL);
  if (has_duration)
    gst_structure_set (
        structure, "duration", G_TYPE_UINT64, condition->duration, NULL);
  return structure;
}

static gboolean
values_equal (const GValue *a, const GValue *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  if (G_VALUE_HOLDS_DOUBLE (a) && G_VALUE_HOLDS_DOUBLE (b))
    return fuzz_is_near (g_value_get_double (a), g_value_get_double (b));
  return gst_value_compare (a, b) == GST_VALUE_EQUAL;
}

/* Expects the next message. */
static void
expect (Reports *self, const FuzzCondition *condition, const gchar *text,
    gboolean is_met, gboolean has_duration)
{
  static const gchar *const fields[] = { "condition", "met", "value",
    "timestamp", "stream-time", "running-time", "duration" };
  const GstStructure *got = next_structure (self);
  g_autoptr (GstStructure) expected =
      message_new (condition, text, is_met, has_duration);

  if (got == NULL)
    fuzz_fail ("no message %" GST_PTR_FORMAT, expected);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (!values_equal (gst_structure_get_value (got, fields[i]),
            gst_structure_get_value (expected, fields[i])))
      fuzz_fail ("%s differs in %" GST_PTR_FORMAT ", not %" GST_PTR_FORMAT,
          fields[i], got, expected);
  self->at++;
}

/* Skips messages about a condition that is not modelled. */
static void
skip (Reports *self, const gchar *text)
{
  const GstStructure *structure;

  while ((structure = next_structure (self)) != NULL
      && strcmp (gst_structure_get_string (structure, "condition"), text) == 0)
    self->at++;
}

/* Expects no more messages. */
static void
end_reports (const Reports *self)
{
  const GstStructure *structure = next_structure (self);

  if (structure != NULL)
    fuzz_fail ("unexpected: %" GST_PTR_FORMAT, structure);
}

/* Each frame follows the previous one directly, and has the usual duration. */
static void
add_result (FuzzCondition *self, const FuzzFrame *frame, Result result,
    gdouble value, const gchar *text, Reports *reports)
{
  const gboolean is_met = result == MET, has_failed = result == FAILED;

  self->was_met |= is_met;
  self->n_tested += result != UNTESTED;
  if (self->last_failed)
    self->elapsed += FUZZ_FRAME_DURATION;
  if (has_failed && !self->fails)
    begin_failure (self, frame, value);
  self->last_failed = has_failed;
  if (!self->fails)
    return;
  self->duration = self->elapsed + (has_failed ? FUZZ_FRAME_DURATION : 0);
  if (!self->is_reported && self->duration >= frame->settings.expect_duration) {
    self->is_reported = TRUE;
    expect (reports, self, text, FALSE, FALSE);
  }
  if (!is_met)
    return;
  if (self->is_reported)
    expect (reports, self, text, TRUE, TRUE);
  end_failure (self);
}

void
fuzz_expectations_add_frame (
    FuzzExpectations *self, const FuzzFrame *frame, const GPtrArray *messages)
{
  Reports reports = { .messages = messages };
  g_auto (GStrv) parts = NULL;

  set_text (self, frame->settings.expect);
  parts = split (self->text);
  self->n_frames++;
  for (guint i = 0; parts[i] != NULL; i++) {
    FuzzCondition *condition = &self->condition[i];
    gdouble value;
    const Result result = test (frame, parts[i], &value);

    condition->is_unknown |= result == UNKNOWN;
    if (condition->is_unknown)
      skip (&reports, parts[i]);
    else
      add_result (condition, frame, result, value, parts[i], &reports);
  }
  end_reports (&reports);
}

void
fuzz_expectations_flush (FuzzExpectations *self)
{
  for (guint i = 0; i < FUZZ_MAX_CONDITIONS; i++)
    end_failure (&self->condition[i]);
}

/* --- EOS --- */

/* Returns: (transfer full): the end of the error's text for the condition. */
static gchar *
describe_never_met (const FuzzExpectations *self, guint n_tested)
{
  const gboolean tests_all = n_tested == self->n_frames;

  if (self->n_frames == 0)
    return g_strdup ("was never tested: no frame came");
  if (n_tested == 0)
    return g_strdup_printf ("was never tested: %u frame%s came", self->n_frames,
        self->n_frames > 1 ? "s" : "");
  if (n_tested == 1)
    return g_strdup_printf (
        ", for the only frame%s", tests_all ? "" : " that tests it");
  return g_strdup_printf (
      ", for all %u frames%s", n_tested, tests_all ? "" : " that test it");
}

/* Finds the condition's sentence in the error. */
static gboolean
is_in_error (const FuzzExpectations *self, const gchar *error,
    const gchar *condition, guint n_tested)
{
  g_auto (GStrv) sentences = g_strsplit (error, "; ", -1);
  g_autofree gchar *end = describe_never_met (self, n_tested);

  for (guint i = 0; sentences[i] != NULL; i++)
    if (g_str_has_prefix (sentences[i], condition)
        && g_str_has_suffix (sentences[i], end))
      return TRUE;
  return FALSE;
}

static void
check_last_messages (
    const FuzzExpectations *self, GStrv parts, const GPtrArray *messages)
{
  Reports reports = { .messages = messages };

  for (guint i = 0; parts[i] != NULL; i++) {
    const FuzzCondition *condition = &self->condition[i];

    if (condition->is_unknown)
      skip (&reports, parts[i]);
    else if (!condition->was_met
        || (condition->fails && condition->is_reported))
      expect (&reports, condition, parts[i], FALSE, TRUE);
  }
  end_reports (&reports);
}

static void
check_error (const FuzzExpectations *self, GStrv parts, const gchar *error)
{
  gboolean may_fail = FALSE;

  for (guint i = 0; parts[i] != NULL; i++) {
    const FuzzCondition *condition = &self->condition[i];

    may_fail |= condition->is_unknown || !condition->was_met;
    if (!condition->is_unknown && !condition->was_met
        && (error == NULL
            || !is_in_error (self, error, parts[i], condition->n_tested)))
      fuzz_fail ("%s, tested by %u of %u, is not in the error %s", parts[i],
          condition->n_tested, self->n_frames, error);
  }
  if (error != NULL && !may_fail)
    fuzz_fail ("an error: %s", error);
}

void
fuzz_expectations_check_end (FuzzExpectations *self, const gchar *text,
    gboolean is_error, const GPtrArray *messages, const gchar *error)
{
  g_auto (GStrv) parts = NULL;

  set_text (self, text);
  parts = split (text);
  check_last_messages (self, parts, messages);
  if (is_error)
    check_error (self, parts, error);
  else if (error != NULL)
    fuzz_fail ("an error: %s", error);
}
