/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/props/conditions.h"
#include "core/pixels/channels.h"

#include <math.h>
#include <string.h>

gboolean
gst_amphisto_refuse (GError **error, const gchar *format, ...)
{
  va_list args;

  va_start (args, format);
  g_propagate_error (error,
      g_error_new_valist (
          GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, format, args));
  va_end (args);
  return FALSE;
}

/* A condition being read. */
typedef struct
{
  const gchar *text; /* all of it, without commas */
  const gchar *rest; /* not yet read; begins with a word, or is the end */
} Reader;

/* What a condition on the picture as a whole begins with. */
#define PICTURE "picture"

/* Sets an error that names the word at `at`, in the text, and what belongs
 * there. */
static gboolean
refuse_at (
    const Reader *self, const gchar *at, const gchar *allowed, GError **error)
{
  const gint length = (gint) strcspn (at, " ");

  return gst_amphisto_refuse (error,
      "expect: in \"%s\", %s%.*s%s stands where %s is allowed.", self->text,
      length > 0 ? "\"" : "the end", length, at, length > 0 ? "\"" : "",
      allowed);
}

/* Goes on to the next word, behind `length` bytes. */
static void
skip (Reader *self, gsize length)
{
  self->rest += length;
  self->rest += strspn (self->rest, " ");
}

/* Returns: (transfer full): "luma, u, v". */
static gchar *
name_channels (AmphistoChannelMask channels)
{
  GString *names = g_string_new (NULL);

  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (channels & AMPHISTO_CHANNEL_BIT (c))
      g_string_append_printf (
          names, "%s%s", names->len > 0 ? ", " : "", amphisto_channel_name (c));
  return g_string_free (names, FALSE);
}

/* Returns: (transfer full): the names that a condition may begin with. */
static gchar *
describe_names (void)
{
  g_autofree gchar *channels =
      name_channels (AMPHISTO_CHANNEL_BIT (AMPHISTO_N_CHANNELS) - 1);

  return g_strdup_printf (
      "CHANNEL.FIELD with one of the channels %s, or " PICTURE ".FIELD",
      channels);
}

/* Sets the channel, or that the condition is on the picture. */
static gboolean
find_subject (AmphistoCondition *condition, const gchar *name)
{
  condition->is_of_picture = g_str_equal (name, PICTURE);
  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (g_str_equal (name, amphisto_channel_name (c))) {
      condition->channel = c;
      return TRUE;
    }
  return condition->is_of_picture;
}

/* Returns: the name of field `f` of the condition's channel, or of the picture;
 * NULL behind the last one. Comparisons are the last, and only luma has them.
 */
static const gchar *
field_name (const AmphistoCondition *condition, guint f)
{
  if (condition->is_of_picture)
    return f < AMPHISTO_N_PICTURE_FIELDS ? amphisto_picture_field_name (f)
                                         : NULL;
  if (f == AMPHISTO_N_FIELDS
      || (condition->channel != AMPHISTO_CHANNEL_LUMA
          && amphisto_field_is_comparison (f)))
    return NULL;
  return amphisto_field_name (f);
}

/* "p98", "p0.5": a percentile. */
static gboolean
find_percentile (AmphistoCondition *condition, const gchar *name)
{
  condition->is_percentile = !condition->is_of_picture
      && g_regex_match_simple ("^p[0-9]+(\\.[0-9]+)?$", name, 0, 0);
  if (condition->is_percentile)
    condition->percent = g_ascii_strtod (name + 1, NULL);
  return condition->is_percentile && condition->percent <= 100;
}

static gboolean
find_field (AmphistoCondition *condition, const gchar *name)
{
  const gchar *known;

  if (find_percentile (condition, name))
    return TRUE;
  for (guint f = 0; (known = field_name (condition, f)) != NULL; f++)
    if (g_str_equal (name, known)) {
      if (condition->is_of_picture)
        condition->picture_field = f;
      else
        condition->field = f;
      return TRUE;
    }
  return FALSE;
}

/* Returns: (transfer full): the names that the condition may begin with, now
 * that its channel is known. */
static gchar *
describe_fields (const AmphistoCondition *condition)
{
  GString *names = g_string_new (NULL);
  const gchar *name;

  g_string_printf (names, "%s.FIELD with one of the fields ",
      condition->is_of_picture ? PICTURE
                               : amphisto_channel_name (condition->channel));
  for (guint f = 0; (name = field_name (condition, f)) != NULL; f++)
    g_string_append_printf (names, "%s%s", f > 0 ? ", " : "", name);
  if (!condition->is_of_picture)
    g_string_append (names, ", or a percentile, p0 to p100,");
  return g_string_free (names, FALSE);
}

/* CHANNEL.FIELD, or picture.FIELD */
static gboolean
read_names (Reader *self, AmphistoCondition *condition, GError **error)
{
  const gchar *at = self->rest;
  const gsize length =
      strspn (at, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS ".-");
  g_autofree gchar *subject = g_strndup (at, length);
  gchar *field = subject + strcspn (subject, ".");
  g_autofree gchar *allowed = NULL;

  if (*field == '.')
    *field++ = '\0';
  if (!find_subject (condition, subject))
    allowed = describe_names ();
  else if (!find_field (condition, field))
    allowed = describe_fields (condition);
  if (allowed != NULL)
    return refuse_at (self, at, allowed, error);
  skip (self, length);
  return TRUE;
}

/* Reads the character if it is next. */
static gboolean
reads (Reader *self, gchar character)
{
  if (*self->rest != character)
    return FALSE;
  skip (self, 1);
  return TRUE;
}

static gboolean
read_operator (Reader *self, AmphistoCondition *condition, GError **error)
{
  const gchar *at = self->rest;

  if (reads (self, '<'))
    condition->operator= reads (self, '=') ? AMPHISTO_OPERATOR_LESS_OR_EQUAL
                                           : AMPHISTO_OPERATOR_LESS;
  else if (reads (self, '>'))
    condition->operator= reads (self, '=') ? AMPHISTO_OPERATOR_GREATER_OR_EQUAL
                                           : AMPHISTO_OPERATOR_GREATER;
  else if (reads (self, '='))
    condition->operator= AMPHISTO_OPERATOR_EQUAL;
  else if (reads (self, '!') && reads (self, '='))
    condition->operator= AMPHISTO_OPERATOR_NOT_EQUAL;
  else
    return refuse_at (self, at, "<, <=, =, !=, >= or >", error);
  return TRUE;
}

/* The last part of a condition. */
static gboolean
read_number (Reader *self, AmphistoCondition *condition, GError **error)
{
  const gchar *at = self->rest;
  const gsize length = strspn (at, "+-.0123456789eE");
  g_autofree gchar *number = g_strndup (at, length);
  gchar *end;

  condition->number = g_ascii_strtod (number, &end);
  if (length == 0 || *end != '\0' || g_ascii_isalpha (at[length])
      || !isfinite (condition->number))
    return refuse_at (self, at, "a number", error);
  skip (self, length);
  return *self->rest == '\0'
      || refuse_at (self, self->rest, "a comma or the end", error);
}

/* Returns: (transfer full): the conditions, without other white space than
 * spaces between words. */
static GStrv
split (const gchar *text)
{
  GStrv parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    g_strstrip (g_strdelimit (parts[i], "\t\r\n\v\f", ' '));
  return parts;
}

static gboolean
read_conditions (GstAmphistoConditions *self, const gchar *text, GError **error)
{
  const guint n = g_strv_length (self->parts);

  if (n > GST_AMPHISTO_MAX_CONDITIONS
      || strlen (text) > GST_AMPHISTO_MAX_CONDITIONS_TEXT)
    return gst_amphisto_refuse (error,
        "expect: %u conditions in %" G_GSIZE_FORMAT " bytes are too many; %d "
        "in %d are allowed.",
        n, strlen (text), GST_AMPHISTO_MAX_CONDITIONS,
        GST_AMPHISTO_MAX_CONDITIONS_TEXT);
  for (; self->n < n; self->n++) {
    AmphistoCondition *condition = &self->condition[self->n];
    Reader reader = { self->parts[self->n], self->parts[self->n] };

    if (*reader.text == '\0') {
      g_autofree gchar *allowed = describe_names ();

      return gst_amphisto_refuse (error,
          "expect: in \"%s\", a condition is missing: %s.", text, allowed);
    }
    if (!read_names (&reader, condition, error)
        || !read_operator (&reader, condition, error)
        || !read_number (&reader, condition, error))
      return FALSE;
  }
  return TRUE;
}

GstAmphistoConditions *
gst_amphisto_conditions_new (const gchar *text, GError **error)
{
  GstAmphistoConditions *self = g_atomic_rc_box_new0 (GstAmphistoConditions);
  const gchar *words = text != NULL ? text : "";

  self->text = g_strdup (text);
  self->parts = split (words);
  if (read_conditions (self, words, error))
    return self;
  gst_amphisto_conditions_unref (self);
  return NULL;
}

static void
conditions_clear (gpointer data)
{
  GstAmphistoConditions *self = data;

  g_free (self->text);
  g_strfreev (self->parts);
}

void
gst_amphisto_conditions_unref (GstAmphistoConditions *self)
{
  g_atomic_rc_box_release_full (self, conditions_clear);
}

gboolean
gst_amphisto_conditions_equal (
    const GstAmphistoConditions *a, const GstAmphistoConditions *b)
{
  return a == b || g_strcmp0 (a->text, b->text) == 0;
}

AmphistoChannelMask
gst_amphisto_conditions_channels (const GstAmphistoConditions *self)
{
  AmphistoChannelMask mask = 0;

  for (guint i = 0; i < self->n; i++)
    if (!self->condition[i].is_of_picture)
      mask |= AMPHISTO_CHANNEL_BIT (self->condition[i].channel);
  return mask;
}

gboolean
gst_amphisto_conditions_check (const GstAmphistoConditions *self,
    AmphistoChannelMask available, const gchar *format, GError **error)
{
  const AmphistoChannelMask missing =
      gst_amphisto_conditions_channels (self) & ~available;
  g_autofree gchar *missing_names = name_channels (missing);
  g_autofree gchar *available_names = name_channels (available);

  if (missing == 0)
    return TRUE;
  return gst_amphisto_refuse (error,
      "expect=\"%s\": conditions on %s are not tested. %s has %s.", self->text,
      missing_names, format, available_names);
}
