/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "expectations.h"

#include <math.h>
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
}

void
fuzz_expectations_add_frame (FuzzExpectations *self, const FuzzFrame *frame,
    const FuzzComparison *comparison)
{
  g_auto (GStrv) parts = NULL;

  set_text (self, frame->settings.expect);
  parts = split (self->text);
  self->n_frames++;
  for (guint i = 0; parts[i] != NULL; i++)
    switch (fuzz_test_condition (frame, comparison, parts[i])) {
      case FUZZ_UNTESTED:
        break;
      case FUZZ_MET:
        self->condition[i].n_tested++;
        self->condition[i].was_met = TRUE;
        self->condition[i].fails = FALSE;
        break;
      case FUZZ_FAILED:
        self->condition[i].n_tested++;
        self->condition[i].fails = TRUE;
        break;
      default:
        self->condition[i].is_unknown = TRUE;
    }
}

void
fuzz_expectations_flush (FuzzExpectations *self)
{
  for (guint i = 0; i < FUZZ_MAX_CONDITIONS; i++)
    self->condition[i].fails = FALSE;
}

static gboolean
is_reported (const GPtrArray *messages, const gchar *condition)
{
  for (guint i = 0; i < messages->len; i++) {
    const GstStructure *structure =
        gst_message_get_structure (g_ptr_array_index (messages, i));

    if (strcmp (gst_structure_get_string (structure, "condition"), condition)
        == 0)
      return TRUE;
  }
  return FALSE;
}

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

gchar *
fuzz_expectations_check_end (FuzzExpectations *self, const gchar *text,
    gboolean is_error, const GPtrArray *messages, const gchar *error)
{
  g_auto (GStrv) parts = NULL;
  gboolean may_fail = FALSE;

  set_text (self, text);
  parts = split (text);
  for (guint i = 0; parts[i] != NULL; i++) {
    const guint n_tested = self->condition[i].n_tested;
    const gboolean was_met = self->condition[i].was_met;

    may_fail |= self->condition[i].is_unknown || !was_met;
    if (self->condition[i].is_unknown)
      continue;
    if (!was_met && !is_reported (messages, parts[i]))
      return g_strdup_printf ("%s was never met, without a message", parts[i]);
    if (!was_met && is_error
        && (error == NULL || !is_in_error (self, error, parts[i], n_tested)))
      return g_strdup_printf ("%s, tested by %u of %u, is not in the error %s",
          parts[i], n_tested, self->n_frames, error);
    if (was_met && !self->condition[i].fails && is_reported (messages, parts[i])
        && g_strrstr (text, parts[i]) == strstr (text, parts[i]))
      return g_strdup_printf ("%s was met, but has a message", parts[i]);
  }
  if (error != NULL && !(is_error && may_fail))
    return g_strdup_printf ("an error: %s", error);
  return NULL;
}
