/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/props/values.h"

#include <string.h>

G_GNUC_PRINTF (2, 3)
static gboolean
refuse (GError **error, const gchar *format, ...)
{
  va_list args;

  va_start (args, format);
  *error = g_error_new_valist (
      GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, format, args);
  va_end (args);
  return FALSE;
}

/* Stores an element of "percentiles": a number of any type. */
static gboolean
get_percentile (const GValue *element, gdouble *percentile)
{
  GValue number = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_DOUBLE);
  if (!g_value_transform (element, &number))
    return FALSE;
  *percentile = g_value_get_double (&number);
  return *percentile >= 0 && *percentile <= 100;
}

gboolean
gst_amphisto_set_percentiles (
    GstAmphistoSettings *self, const GValue *array, GError **error)
{
  const guint n = gst_value_array_get_size (array);
  gdouble percentiles[GST_AMPHISTO_MAX_PERCENTILES] = { 0 };

  for (guint i = 0; i < MIN (n, GST_AMPHISTO_MAX_PERCENTILES); i++) {
    const GValue *element = gst_value_array_get_value (array, i);

    if (!get_percentile (element, &percentiles[i])) {
      g_autofree gchar *text = g_strdup_value_contents (element);

      return refuse (error,
          "percentiles are numbers from 0 to 100, not %s; they stay as they "
          "were.",
          text);
    }
  }
  memcpy (self->percentiles, percentiles, sizeof self->percentiles);
  self->n_percentiles = MIN (n, GST_AMPHISTO_MAX_PERCENTILES);
  return n <= GST_AMPHISTO_MAX_PERCENTILES
      || refuse (error, "%u percentiles are too many; the first %d are taken.",
          n, GST_AMPHISTO_MAX_PERCENTILES);
}

void
gst_amphisto_get_percentiles (const GstAmphistoSettings *self, GValue *array)
{
  for (guint i = 0; i < self->n_percentiles; i++) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, G_TYPE_DOUBLE);
    g_value_set_double (&value, self->percentiles[i]);
    gst_value_array_append_and_take_value (array, &value);
  }
}

gboolean
gst_amphisto_set_reference (
    GstAmphistoSettings *self, const GValue *value, GError **error)
{
  GBytes *bytes = g_value_get_boxed (value);
  guint64 samples = 0;
  gconstpointer data;
  gsize size;

  self->has_reference = FALSE;
  if (bytes == NULL)
    return TRUE;
  data = g_bytes_get_data (bytes, &size);
  if (size != sizeof self->reference
      && size != GST_AMPHISTO_META_N_BINS * sizeof (guint32))
    return refuse (error,
        "the reference has %" G_GSIZE_FORMAT " bytes, not %d guint32 (in "
        "numpy: dtype=numpy.uint32), or %d as bins in the metadata; it is "
        "unset.",
        size, AMPHISTO_N_BINS, GST_AMPHISTO_META_N_BINS);
  memcpy (self->reference, data, sizeof self->reference);
  for (guint v = 0; v < AMPHISTO_N_BINS; v++)
    samples += self->reference[v];
  self->has_reference = samples > 0 && samples <= G_MAXUINT32;
  return self->has_reference
      || refuse (error,
          "the reference has %" G_GUINT64_FORMAT
          " samples, not 1 to %u; it is unset.",
          samples, G_MAXUINT32);
}

void
gst_amphisto_get_reference (const GstAmphistoSettings *self, GValue *value)
{
  if (self->has_reference)
    g_value_take_boxed (
        value, g_bytes_new (self->reference, sizeof self->reference));
}

gboolean
gst_amphisto_set_expect (
    GstAmphistoSettings *self, const GValue *value, GError **error)
{
  return gst_amphisto_conditions_set (
      &self->conditions, g_value_get_string (value), error);
}

void
gst_amphisto_get_expect (const GstAmphistoSettings *self, GValue *value)
{
  g_value_set_string (
      value, self->conditions.n > 0 ? self->conditions.text : NULL);
}
