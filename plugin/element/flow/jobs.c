/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/jobs.h"

#include <string.h>

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

/* When to announce a build. */
#define NOTICE_DELAY (500 * G_TIME_SPAN_MILLISECOND)

/* --- builds --- */

static void
post_progress (GstAmphistoJobs *self, GstProgressType type, const gchar *text)
{
  GST_INFO_OBJECT (self->element, "%s", text);
  gst_element_post_message (self->element,
      gst_message_new_progress (
          GST_OBJECT (self->element), type, "build-kernels", text));
}

/* A thread that announces the build if it takes long. */
static gpointer
announce_later (gpointer data)
{
  GstAmphistoJobs *self = data;
  const gint64 time = g_get_monotonic_time () + NOTICE_DELAY;

  g_mutex_lock (&self->lock);
  while (self->is_building && !self->is_announced)
    self->is_announced = !g_cond_wait_until (&self->built, &self->lock, time);
  g_mutex_unlock (&self->lock);
  if (self->is_announced)
    post_progress (self, GST_PROGRESS_TYPE_START, "Building OpenCL kernels");
  return NULL;
}

/* Called for each kernel to build. Without a thread, nothing is announced. */
static void
begin_build (gpointer user_data)
{
  GstAmphistoJobs *self = user_data;

  if (self->is_building)
    return;
  self->is_building = TRUE;
  self->is_announced = FALSE;
  self->notice =
      g_thread_try_new ("amphisto-notice", announce_later, self, NULL);
}

/* Ends the build, if any. */
static void
end_build (GstAmphistoJobs *self, gboolean succeeded)
{
  if (!self->is_building)
    return;
  g_mutex_lock (&self->lock);
  self->is_building = FALSE;
  g_cond_signal (&self->built);
  g_mutex_unlock (&self->lock);
  if (self->notice != NULL)
    g_thread_join (self->notice);
  if (self->is_announced && succeeded)
    post_progress (self, GST_PROGRESS_TYPE_COMPLETE, "Built OpenCL kernels");
  else if (self->is_announced)
    post_progress (
        self, GST_PROGRESS_TYPE_ERROR, "OpenCL kernels do not build");
}

void
gst_amphisto_jobs_init (GstAmphistoJobs *self, GstElement *element)
{
  *self = (GstAmphistoJobs){ .element = element };
  g_mutex_init (&self->lock);
  g_cond_init (&self->built);
}

void
gst_amphisto_jobs_clear (GstAmphistoJobs *self)
{
  g_cond_clear (&self->built);
  g_mutex_clear (&self->lock);
}

gboolean
gst_amphisto_jobs_open (
    GstAmphistoJobs *self, AmphistoClDevice *device, GError **error)
{
  amphisto_history_clear (&self->history);
  if (self->executor != NULL)
    return TRUE;
  self->executor = amphisto_cl_executor_new (
      device, self->n_frames, begin_build, self, error);
  if (self->executor == NULL)
    return FALSE;
  amphisto_cl_executor_limit_threads (self->executor, self->n_threads);
  return TRUE;
}

void
gst_amphisto_jobs_close (GstAmphistoJobs *self)
{
  g_clear_pointer (&self->executor, amphisto_cl_executor_free);
  amphisto_reference_state_clear (&self->reference_state);
  self->stripe_phase = 0;
}

/* --- the plan --- */

/* Asks for what the field needs. */
static void
ask_for_picture (AmphistoSettings *asked, AmphistoPictureField field)
{
  asked->checks_gamut |= field == AMPHISTO_PICTURE_OUT_OF_GAMUT;
  asked->compares_picture |= field == AMPHISTO_PICTURE_DIFFERENCE;
  asked->measures_sharpness |= field == AMPHISTO_PICTURE_SHARPNESS;
  asked->finds_letterbox |= field >= AMPHISTO_PICTURE_ACTIVE_X;
}

/* Measurements that conditions name, or that properties ask for while they are
 * reported. */
static void
fill_measuring (AmphistoSettings *asked, const GstAmphistoSettings *settings)
{
  const GstAmphistoConditions *conditions = settings->conditions;
  const bool reports = settings->attach_meta || settings->post_messages;

  asked->compares_luma = settings->compare_frames && reports;
  asked->compares_picture = asked->compares_luma;
  asked->checks_gamut = settings->check_gamut && reports;
  asked->finds_letterbox = settings->find_letterbox && reports;
  asked->measures_sharpness = settings->measure_sharpness && reports;
  for (guint i = 0; i < conditions->n; i++) {
    const AmphistoCondition *condition = &conditions->condition[i];

    if (condition->is_of_picture)
      ask_for_picture (asked, condition->picture_field);
    else
      asked->compares_luma |= amphisto_field_is_comparison (condition->field);
  }
}

/* Clears `asked` first, padding included, as it is compared by bytes. */
static void
fill_settings (const GstAmphistoJobs *self, AmphistoSettings *asked,
    const GstAmphistoSettings *settings)
{
  memset (asked, 0, sizeof *asked);
  asked->channels = gst_amphisto_settings_channels (settings);
  asked->strength = (float) settings->strength;
  asked->clahe = settings->clahe;
  if (settings->match_bins != NULL)
    memcpy (asked->match_bins, g_bytes_get_data (settings->match_bins, NULL),
        sizeof asked->match_bins);
  asked->stretch_low = settings->stretch_low;
  asked->stretch_high = settings->stretch_high;
  asked->smoothing = (float) settings->smoothing;
  asked->keeps_colors = settings->keep_colors;
  asked->region = settings->roi;
  asked->measures_regions = settings->attach_meta && settings->roi_meta;
  asked->scopes = settings->scopes;
  asked->uses_canvas = self->composes;
  if (settings->scopes_only) { /* there is no picture to change */
    asked->output_width = self->output_width;
    asked->output_height = self->output_height;
  } else {
    asked->equalization = gst_amphisto_settings_equalization (settings);
    asked->exposure = settings->exposure;
  }
  fill_measuring (asked, settings);
}

void
gst_amphisto_jobs_make_plan (GstAmphistoJobs *self,
    const GstAmphistoSettings *settings, const AmphistoLayout *layout)
{
  AmphistoSettings asked;
  AmphistoLayout frames = *layout; /* it may be the plan's, which is cleared */

  fill_settings (self, &asked, settings);
  if (frames.n_planes == 0)
    asked.region = (AmphistoRegion){ 0 }; /* it may be beside the frame */
  amphisto_cl_executor_plan (self->executor, &self->plan, &frames, &asked);
  amphisto_history_set_plan (&self->history, &self->plan);
  amphisto_cl_executor_invalidate (self->executor);
}

gboolean
gst_amphisto_jobs_has_plan_of (
    const GstAmphistoJobs *self, const GstAmphistoSettings *settings)
{
  AmphistoSettings asked;

  fill_settings (self, &asked, settings);
  return memcmp (&asked, &self->plan.settings, sizeof asked) == 0;
}

gboolean
gst_amphisto_jobs_prepare (GstAmphistoJobs *self, GError **error)
{
  const gboolean ok =
      amphisto_cl_executor_prepare (self->executor, &self->plan, error);

  end_build (self, ok);
  return ok;
}

/* --- jobs --- */

gboolean
gst_amphisto_jobs_submit (
    GstAmphistoJobs *self, GstAmphistoInFlight *frame, GError **error)
{
  const gboolean verifies = frame->measurement.settings->verify;
  gboolean ok;

  /* the CPU does not know the state after frames that were not verified */
  if (verifies != self->verifies)
    amphisto_history_clear (&self->history);
  self->verifies = verifies;
  frame->job.stripe_phase = self->stripe_phase++;
  amphisto_history_begin_job (&self->history, &frame->job);
  ok = gst_amphisto_in_flight_submit_job (frame, error);
  end_build (self, ok);
  if (ok)
    amphisto_history_end_job (&self->history, &frame->job);
  return ok;
}
