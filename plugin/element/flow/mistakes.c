/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/private.h"

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

/* Checks that the text of GstAmphisto:expect was not refused. */
static gboolean
check_text (const GstAmphistoSettings *settings, GError **error)
{
  return settings->refused_expect == NULL
      || gst_amphisto_refuse (error, "%s", settings->refused_expect);
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
  if (check_text (settings, &error))
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
  if ((!settings->expect_error || check_text (settings, &error))
      && check_format (self, settings->conditions, info, &error))
    return TRUE;
  if (settings->expect_error)
    return post_error (self, error);
  GST_ELEMENT_WARNING (
      self, RESOURCE, SETTINGS, ("%s", error->message), (NULL));
  return TRUE;
}

/* Sets the conditions of the last frame again. */
static void
restore_conditions (GstAmphisto *self)
{
  GstAmphistoSettings *settings = gst_amphisto_settings_copy (self->settings);

  gst_amphisto_settings_take_conditions (
      settings, g_atomic_rc_box_acquire (self->frame_settings->conditions));
  gst_amphisto_replace_settings (self, settings);
}

gboolean
gst_amphisto_accept_conditions (GstAmphisto *self, GError **error)
{
  const GstAmphistoSettings *last = self->frame_settings;
  const GstVideoInfo *info = &GST_VIDEO_FILTER (self)->in_info;
  gboolean are_new = !gst_amphisto_conditions_equal (
      last->conditions, self->settings->conditions);

  if (are_new && !self->settings->expect_error
      && !check_format (self, self->settings->conditions, info, error)) {
    restore_conditions (self);
    are_new = FALSE;
  }
  return are_new || last->expect_error != self->settings->expect_error
      || (last->refused_expect == NULL)
      != (self->settings->refused_expect == NULL);
}

void
gst_amphisto_end_expectations (GstAmphisto *self)
{
  g_autoptr (GstAmphistoSettings) settings = gst_amphisto_get_settings (self);
  const gboolean posts_error = settings->expect_error && !self->has_failed;
  g_autoptr (GError) error = NULL;

  if (self->is_mistaken || self->jobs.executor == NULL)
    return;
  if (posts_error && !check_text (settings, &error))
    post_error (self, error);
  else
    gst_amphisto_expect_end (
        &self->report.expect, settings->conditions, posts_error);
}
