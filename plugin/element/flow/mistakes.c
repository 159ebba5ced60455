/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/private.h"

#include <string.h>

void
gst_amphisto_warn_of_expect (GstAmphisto *self, const gchar *why)
{
  GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
      ("%s The conditions stay as they were.", why), (NULL));
}

/* Refuses all frames until the mistake is corrected. */
static gboolean
post_error (GstAmphisto *self, const GError *error)
{
  self->is_mistaken = TRUE;
  GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s", error->message), (NULL));
  return FALSE;
}

/* Checks that the text of GstAmphisto:expect was not refused when the settings
 * with `conditions` were copied, or has been corrected since. */
static gboolean
check_text (
    GstAmphisto *self, const GstAmphistoConditions *conditions, GError **error)
{
  g_autofree gchar *why = NULL;

  if (!conditions->is_refused)
    return TRUE;
  GST_OBJECT_LOCK (self);
  why = g_strdup (self->refused_expect);
  GST_OBJECT_UNLOCK (self);
  return why == NULL || gst_amphisto_refuse (error, "%s", why);
}

/* Checks that the format has the conditions' channels. */
static gboolean
check_format (GstAmphisto *self, const GstAmphistoConditions *conditions,
    const GstVideoInfo *info, GError **error)
{
  const AmphistoLayout *layout = &self->jobs.plan.layout;

  return layout->n_planes == 0
      || gst_amphisto_conditions_check (
          conditions, layout->channels, GST_VIDEO_INFO_NAME (info), error);
}

gboolean
gst_amphisto_check_expect (
    GstAmphisto *self, const GstAmphistoSettings *settings)
{
  g_autoptr (GError) error = NULL;

  self->is_mistaken = FALSE;
  if (check_text (self, &settings->conditions, &error))
    return TRUE;
  if (settings->expect_error)
    return post_error (self, error);
  gst_amphisto_warn_of_expect (self, error->message);
  return TRUE;
}

gboolean
gst_amphisto_check_conditions (GstAmphisto *self, const GstVideoInfo *info)
{
  const GstAmphistoSettings *settings = self->frame_settings;
  g_autoptr (GError) error = NULL;

  self->is_mistaken = FALSE;
  if ((!settings->expect_error
          || check_text (self, &settings->conditions, &error))
      && check_format (self, &settings->conditions, info, &error))
    return TRUE;
  if (settings->expect_error)
    return post_error (self, error);
  GST_ELEMENT_WARNING (
      self, RESOURCE, SETTINGS, ("%s", error->message), (NULL));
  return TRUE;
}

gboolean
gst_amphisto_accept_conditions (GstAmphisto *self, GError **error)
{
  const GstAmphistoSettings *last = self->frame_settings;
  GstAmphistoConditions *conditions = &self->settings.conditions;
  const GstVideoInfo *info = &GST_VIDEO_FILTER (self)->in_info;
  gboolean are_new =
      memcmp (&last->conditions, conditions, sizeof *conditions) != 0;

  if (are_new && !self->settings.expect_error
      && !check_format (self, conditions, info, error)) {
    *conditions = last->conditions;
    are_new = FALSE;
  }
  return are_new || last->expect_error != self->settings.expect_error;
}

void
gst_amphisto_end_expectations (GstAmphisto *self)
{
  GstAmphistoSettings settings = gst_amphisto_get_settings (self);
  g_autoptr (GError) error = NULL;

  if (self->is_mistaken || self->jobs.executor == NULL)
    return;
  if (self->has_failed) /* that is the error */
    settings.expect_error = FALSE;
  if (settings.expect_error && !check_text (self, &settings.conditions, &error))
    post_error (self, error);
  else
    gst_amphisto_expect_end (&self->report.expect, &settings);
}
