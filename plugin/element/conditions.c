/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "element/conditions.h"

#include <string.h>

/* A condition being read. */
typedef struct
{
  GScanner *scanner;
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
  .scan_float = TRUE,
  .int_2_float = TRUE,
  .store_int64 = TRUE,
  .char_2_token = TRUE,
};

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
      "expect: in \"%s\", %s%.*s%s stands where %s is allowed; the conditions "
      "stay as they were.",
      self->text, length > 0 ? "\"" : "the end", length, word,
      length > 0 ? "\"" : "", allowed);
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

static gboolean
refuse_channel (const Reader *self, guint position, GError **error)
{
  GString *allowed = g_string_new ("CHANNEL.FIELD with one of the channels ");

  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++)
    g_string_append_printf (
        allowed, "%s%s", c > 0 ? ", " : "", amphisto_channel_name (c));
  refuse_at (self, position, allowed->str, error);
  g_string_free (allowed, TRUE);
  return FALSE;
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

/* CHANNEL.FIELD */
static gboolean
read_names (const Reader *self, AmphistoCondition *condition, GError **error)
{
  const guint position = g_scanner_cur_position (self->scanner);
  g_auto (GStrv) names = NULL;
  gint channel, field;

  if (g_scanner_get_next_token (self->scanner) != G_TOKEN_IDENTIFIER)
    return refuse_channel (self, position, error);
  names = g_strsplit (self->scanner->value.v_identifier, ".", 2);
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

static gboolean
read_number (const Reader *self, AmphistoCondition *condition, GError **error)
{
  const guint position = g_scanner_cur_position (self->scanner);
  GTokenType token = g_scanner_get_next_token (self->scanner);
  const gboolean is_negative = (guint) token == '-';

  if (is_negative)
    token = g_scanner_get_next_token (self->scanner);
  if (token != G_TOKEN_FLOAT)
    return refuse_at (self, position, "a number", error);
  condition->number = self->scanner->value.v_float * (is_negative ? -1.0 : 1.0);
  return TRUE;
}

static gboolean
read_end (const Reader *self, GError **error)
{
  const guint position = g_scanner_cur_position (self->scanner);

  return g_scanner_get_next_token (self->scanner) == G_TOKEN_EOF
      || refuse_at (self, position, "a comma or the end", error);
}

static gboolean
read_condition (const gchar *text, AmphistoCondition *condition, GError **error)
{
  const Reader reader = { g_scanner_new (&scanner_config), text };
  gboolean ok;

  g_scanner_input_text (reader.scanner, text, (guint) strlen (text));
  ok = read_names (&reader, condition, error)
      && read_operator (&reader, condition, error)
      && read_number (&reader, condition, error) && read_end (&reader, error);
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

gboolean
gst_amphisto_conditions_set (
    GstAmphistoConditions *self, const gchar *text, GError **error)
{
  const gchar *given = text != NULL ? text : "";
  g_auto (GStrv) parts = split (given);
  const guint n = g_strv_length (parts);
  GstAmphistoConditions conditions;

  memset (&conditions, 0, sizeof conditions); /* padding, too */
  if (n > GST_AMPHISTO_MAX_CONDITIONS
      || g_strlcpy (conditions.text, given, sizeof conditions.text)
          >= sizeof conditions.text) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "expect: %u conditions in %" G_GSIZE_FORMAT " bytes are too many; %d "
        "in %d are allowed. The conditions stay as they were.",
        n, strlen (given), GST_AMPHISTO_MAX_CONDITIONS,
        GST_AMPHISTO_MAX_CONDITIONS_TEXT - 1);
    return FALSE;
  }
  for (; conditions.n < n; conditions.n++)
    if (!read_condition (
            parts[conditions.n], &conditions.condition[conditions.n], error))
      return FALSE;
  *self = conditions;
  return TRUE;
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
    mask |= AMPHISTO_CHANNEL_BIT (self->condition[i].channel);
  return mask;
}

gboolean
gst_amphisto_conditions_compare (const GstAmphistoConditions *self)
{
  for (guint i = 0; i < self->n; i++)
    if (amphisto_field_is_comparison (self->condition[i].field))
      return TRUE;
  return FALSE;
}
