/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/props/conditions.h"
#include "core/pixels/channels.h"

#include <math.h>
#include <string.h>

/* A condition being read. */
typedef struct
{
  GScanner *scanner; /* of names and operators */
  const gchar *text; /* without commas */
} Reader;

/* "luma.clipped-low" is one word. */
static const GScannerConfig scanner_config = {
  .cset_skip_characters = (gchar *) " ",
  .cset_identifier_first = (gchar *) G_CSET_a_2_z G_CSET_A_2_Z,
  .cset_identifier_nth = (gchar *) G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS ".-",
  .case_sensitive = TRUE,
  .scan_identifier = TRUE,
  .scan_identifier_1char = TRUE,
  .char_2_token = TRUE,
};

/* What a condition on the picture as a whole begins with. */
#define PICTURE "picture"

static const gchar operators[] = "<, <=, =, !=, >= or >";

/* Sets an error that names the word at `position`, and what belongs there. */
static gboolean
refuse_at (
    const Reader *self, guint position, const gchar *allowed, GError **error)
{
  const gchar *word =
      self->text + position + strspn (self->text + position, " ");
  const gint length = (gint) strcspn (word, " ");

  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "expect: in \"%s\", %s%.*s%s stands where %s is allowed.", self->text,
      length > 0 ? "\"" : "the end", length, word, length > 0 ? "\"" : "",
      allowed);
  return FALSE;
}

static gint
find_channel (const gchar *name)
{
  for (gint c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (g_str_equal (name, amphisto_channel_name (c)))
      return c;
  return -1;
}

static gboolean
has_field (AmphistoChannel channel, AmphistoField field)
{
  return channel == AMPHISTO_CHANNEL_LUMA
      || !amphisto_field_is_comparison (field);
}

static gint
find_field (AmphistoChannel channel, const gchar *name)
{
  for (gint f = 0; f < AMPHISTO_N_FIELDS; f++)
    if (has_field (channel, f) && g_str_equal (name, amphisto_field_name (f)))
      return f;
  return -1;
}

static gint
find_picture_field (const gchar *name)
{
  for (gint f = 0; f < AMPHISTO_N_PICTURE_FIELDS; f++)
    if (g_str_equal (name, amphisto_picture_field_name (f)))
      return f;
  return -1;
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

static gboolean
refuse_channel (const Reader *self, guint position, GError **error)
{
  g_autofree gchar *allowed = describe_names ();

  return refuse_at (self, position, allowed, error);
}

static gboolean
refuse_field (
    const Reader *self, guint position, AmphistoChannel channel, GError **error)
{
  const gchar *name = amphisto_channel_name (channel);
  GString *allowed = g_string_new (NULL);

  g_string_printf (allowed, "%s.FIELD with one of the fields ", name);
  for (guint f = 0; f < AMPHISTO_N_FIELDS; f++)
    if (has_field (channel, f))
      g_string_append_printf (
          allowed, "%s%s", f > 0 ? ", " : "", amphisto_field_name (f));
  refuse_at (self, position, allowed->str, error);
  g_string_free (allowed, TRUE);
  return FALSE;
}

static gboolean
refuse_picture_field (const Reader *self, guint position, GError **error)
{
  g_autoptr (GString) allowed =
      g_string_new (PICTURE ".FIELD with one of the fields ");

  for (guint f = 0; f < AMPHISTO_N_PICTURE_FIELDS; f++)
    g_string_append_printf (
        allowed, "%s%s", f > 0 ? ", " : "", amphisto_picture_field_name (f));
  return refuse_at (self, position, allowed->str, error);
}

/* The rest of "picture.FIELD"; `name` may be NULL. */
static gboolean
read_picture_field (const Reader *self, guint position, const gchar *name,
    AmphistoCondition *condition, GError **error)
{
  const gint field = name != NULL ? find_picture_field (name) : -1;

  if (field < 0)
    return refuse_picture_field (self, position, error);
  condition->is_of_picture = true;
  condition->picture_field = field;
  return TRUE;
}

/* CHANNEL.FIELD, or picture.FIELD */
static gboolean
read_names (const Reader *self, AmphistoCondition *condition, GError **error)
{
  const guint position = g_scanner_cur_position (self->scanner);
  g_auto (GStrv) names = NULL;
  gint channel, field;

  if (g_scanner_get_next_token (self->scanner) != G_TOKEN_IDENTIFIER)
    return refuse_channel (self, position, error);
  names = g_strsplit (self->scanner->value.v_identifier, ".", 2);
  if (g_str_equal (names[0], PICTURE))
    return read_picture_field (self, position, names[1], condition, error);
  channel = find_channel (names[0]);
  if (channel < 0)
    return refuse_channel (self, position, error);
  field = names[1] != NULL ? find_field (channel, names[1]) : -1;
  if (field < 0)
    return refuse_field (self, position, channel, error);
  condition->channel = channel;
  condition->field = field;
  return TRUE;
}

/* Reads '=' if it is next. */
static gboolean
read_equals (const Reader *self)
{
  if (g_scanner_peek_next_token (self->scanner) != '=')
    return FALSE;
  g_scanner_get_next_token (self->scanner);
  return TRUE;
}

static gboolean
read_operator (const Reader *self, AmphistoCondition *condition, GError **error)
{
  const guint position = g_scanner_cur_position (self->scanner);

  switch ((guint) g_scanner_get_next_token (self->scanner)) {
    case '<':
      condition->operator= read_equals (self) ? AMPHISTO_OPERATOR_LESS_OR_EQUAL
                                              : AMPHISTO_OPERATOR_LESS;
      return TRUE;
    case '>':
      condition->operator= read_equals (self)
          ? AMPHISTO_OPERATOR_GREATER_OR_EQUAL
          : AMPHISTO_OPERATOR_GREATER;
      return TRUE;
    case '=':
      condition->operator= AMPHISTO_OPERATOR_EQUAL;
      return TRUE;
    case '!':
      condition->operator= AMPHISTO_OPERATOR_NOT_EQUAL;
      return read_equals (self) || refuse_at (self, position, operators, error);
    default:
      return refuse_at (self, position, operators, error);
  }
}

/* The last part of a condition. GScanner reads integers from 2^63 on wrong. */
static gboolean
read_number (const Reader *self, AmphistoCondition *condition, GError **error)
{
  const guint position = g_scanner_cur_position (self->scanner);
  const gchar *word =
      self->text + position + strspn (self->text + position, " ");
  const gsize length = strspn (word, "+-.0123456789eE");
  g_autofree gchar *number = g_strndup (word, length);
  const gchar *rest = word + length + strspn (word + length, " ");
  gchar *end;

  condition->number = g_ascii_strtod (number, &end);
  if (length == 0 || *end != '\0' || g_ascii_isalpha (word[length])
      || !isfinite (condition->number))
    return refuse_at (self, position, "a number", error);
  return *rest == '\0'
      || refuse_at (
          self, (guint) (rest - self->text), "a comma or the end", error);
}

static gboolean
read_condition (const gchar *text, AmphistoCondition *condition, GError **error)
{
  const Reader reader = { g_scanner_new (&scanner_config), text };
  gboolean ok;

  g_scanner_input_text (reader.scanner, text, (guint) strlen (text));
  ok = read_names (&reader, condition, error)
      && read_operator (&reader, condition, error)
      && read_number (&reader, condition, error);
  g_scanner_destroy (reader.scanner);
  return ok;
}

/* Returns: (transfer full): the conditions in one line each, so that positions
 * in a line are positions in the text. */
static GStrv
split (const gchar *text)
{
  GStrv parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    g_strstrip (g_strdelimit (parts[i], "\t\r\n\v\f", ' '));
  return parts;
}

static gboolean
refuse_missing (const gchar *text, GError **error)
{
  g_autofree gchar *allowed = describe_names ();

  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "expect: in \"%s\", a condition is missing: %s.", text, allowed);
  return FALSE;
}

static gboolean
refuse_length (guint n, gsize size, GError **error)
{
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "expect: %u conditions in %" G_GSIZE_FORMAT " bytes are too many; %d in "
      "%d are allowed.",
      n, size, GST_AMPHISTO_MAX_CONDITIONS,
      GST_AMPHISTO_MAX_CONDITIONS_TEXT - 1);
  return FALSE;
}

static gboolean
read_conditions (GstAmphistoConditions *self, const gchar *text, GError **error)
{
  g_auto (GStrv) parts = split (text);
  const guint n = g_strv_length (parts);

  memset (self, 0, sizeof *self); /* padding, too */
  if (n > GST_AMPHISTO_MAX_CONDITIONS
      || g_strlcpy (self->text, text, sizeof self->text) >= sizeof self->text)
    return refuse_length (n, strlen (text), error);
  for (; self->n < n; self->n++) {
    if (parts[self->n][0] == '\0')
      return refuse_missing (text, error);
    if (!read_condition (parts[self->n], &self->condition[self->n], error))
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_amphisto_conditions_set (
    GstAmphistoConditions *self, const gchar *text, GError **error)
{
  GstAmphistoConditions conditions;

  self->is_refused =
      !read_conditions (&conditions, text != NULL ? text : "", error);
  if (!self->is_refused)
    *self = conditions;
  return !self->is_refused;
}

gchar *
gst_amphisto_conditions_text (const GstAmphistoConditions *self, guint n)
{
  g_auto (GStrv) parts = split (self->text);

  return g_strdup (parts[n]);
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

/* Whether a condition is on the picture's gamut, or on another of its fields.
 */
static gboolean
has_picture (const GstAmphistoConditions *self, gboolean is_of_gamut)
{
  for (guint i = 0; i < self->n; i++) {
    const AmphistoCondition *condition = &self->condition[i];

    if (condition->is_of_picture
        && (condition->picture_field == AMPHISTO_PICTURE_OUT_OF_GAMUT)
            == is_of_gamut)
      return TRUE;
  }
  return FALSE;
}

gboolean
gst_amphisto_conditions_gamut (const GstAmphistoConditions *self)
{
  return has_picture (self, TRUE);
}

gboolean
gst_amphisto_conditions_letterbox (const GstAmphistoConditions *self)
{
  return has_picture (self, FALSE);
}

gboolean
gst_amphisto_conditions_compare (const GstAmphistoConditions *self)
{
  for (guint i = 0; i < self->n; i++)
    if (amphisto_field_is_comparison (self->condition[i].field))
      return TRUE;
  return FALSE;
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
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "expect=\"%s\": conditions on %s are not tested. %s has %s.", self->text,
      missing_names, format, available_names);
  return FALSE;
}
