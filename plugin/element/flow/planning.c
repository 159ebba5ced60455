/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/private.h"

#include "element/memory/caps.h"
#include "element/memory/fields.h"
#include "element/memory/layout.h"

/* --- settings --- */

static gboolean
has_scopes (const GstAmphisto *self)
{
  return self->frame_settings->scopes.enabled != AMPHISTO_SCOPE_NONE;
}

/* Takes the properties. If there are scopes from now on, or none, caps may get
 * overlay compositions, or lose them, before the frame.
 *
 * has_new_conditions: whether the conditions or expect-error have changed, and
 * new conditions that the format can never have are refused; in one step, since
 * any thread may set properties. NULL: they are checked later.
 *
 * Returns: whether the properties have changed. */
static gboolean
take_settings (GstAmphisto *self, gboolean *has_new_conditions)
{
  const gboolean had_scopes = has_scopes (self);
  g_autoptr (GError) error = NULL;
  gboolean have_changed;

  GST_OBJECT_LOCK (self);
  if (has_new_conditions != NULL)
    *has_new_conditions = gst_amphisto_accept_conditions (self, &error);
  have_changed = self->settings != self->frame_settings;
  if (have_changed) {
    gst_amphisto_settings_unref (self->frame_settings);
    self->frame_settings = g_atomic_rc_box_acquire (self->settings);
    self->warnings.is_current = FALSE;
  }
  GST_OBJECT_UNLOCK (self);
  if (error != NULL)
    gst_amphisto_warn_of_expect (self, error->message);
  if (has_scopes (self) != had_scopes)
    gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self));
  return have_changed;
}

/* --- the plan --- */

static void
make_plan_of (GstAmphisto *self, const AmphistoLayout *layout)
{
  gst_amphisto_jobs_make_plan (&self->jobs, self->frame_settings, layout);
  self->warnings.is_current = FALSE;
}

/* Whether to enter or leave passthrough. */
static gboolean
changes_passthrough (GstAmphisto *self)
{
  return gst_amphisto_settings_is_passthrough (self->frame_settings)
      != gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (self));
}

static void
toggle_passthrough (GstAmphisto *self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  const gboolean passthrough = !gst_base_transform_is_passthrough (trans);

  GST_DEBUG_OBJECT (
      self, "%s passthrough", passthrough ? "entering" : "leaving");
  gst_base_transform_set_passthrough (trans, passthrough);
}

static gboolean
has_all_rows (GstAmphisto *self, GstBuffer *buffer, const GstAmphistoCrop *crop)
{
  return gst_amphisto_fields_have_all_rows (
      &self->jobs.plan.layout, &GST_VIDEO_FILTER (self)->in_info, buffer, crop);
}

/* Stores the layout of the frame in `buffer`. In mixed streams, each frame may
 * be interlaced or progressive: the fields of an interlaced one have their own
 * rows of chroma.
 *
 * Returns: whether it is not the plan's. */
static gboolean
get_layout (GstAmphisto *self, GstBuffer *buffer, AmphistoLayout *layout)
{
  const gboolean lacks_rows =
      self->targets_lack_rows && self->jobs.plan.written != 0;

  *layout = self->jobs.plan.layout;
  return self->caps != NULL
      && amphisto_layout_set_interlaced (layout,
          gst_amphisto_fields_are_in (
              &GST_VIDEO_FILTER (self)->in_info, buffer),
          !lacks_rows && has_all_rows (self, buffer, &self->crop));
}

guint
gst_amphisto_find_changes (GstAmphisto *self, GstBuffer *buffer)
{
  AmphistoLayout layout;
  gboolean has_new_conditions;
  guint changes = 0;

  if ((take_settings (self, &has_new_conditions)
          && !gst_amphisto_jobs_has_plan_of (&self->jobs, self->frame_settings))
      || amphisto_cl_executor_has_other_pace (
          self->jobs.executor, &self->jobs.plan)
      || get_layout (self, buffer, &layout))
    changes |= GST_AMPHISTO_CHANGE_PLAN;
  if (has_new_conditions)
    changes |= GST_AMPHISTO_CHANGE_CONDITIONS;
  if (changes_passthrough (self))
    changes |= GST_AMPHISTO_CHANGE_PASSTHROUGH;
  return changes;
}

gboolean
gst_amphisto_needs_other_plan (
    GstAmphisto *self, const GstAmphistoInFlight *frame)
{
  AmphistoLayout layout;

  if (frame->is_gap)
    return FALSE;
  if (frame->outbuf != frame->inbuf && self->jobs.plan.written != 0
      && !has_all_rows (self, frame->outbuf, &frame->out.crop))
    self->targets_lack_rows = TRUE;
  return get_layout (self, frame->inbuf, &layout);
}

/* Which rows the layout has depends on whether the plan for the settings writes
 * them. */
static void
make_plan (GstAmphisto *self, GstBuffer *buffer)
{
  AmphistoLayout layout;

  if (!gst_amphisto_jobs_has_plan_of (&self->jobs, self->frame_settings)
      || amphisto_cl_executor_has_other_pace (
          self->jobs.executor, &self->jobs.plan))
    make_plan_of (self, &self->jobs.plan.layout);
  if (get_layout (self, buffer, &layout))
    make_plan_of (self, &layout);
}

void
gst_amphisto_change (GstAmphisto *self, GstBuffer *buffer, guint changes)
{
  if (changes & GST_AMPHISTO_CHANGE_PLAN)
    make_plan (self, buffer);
  if (changes & GST_AMPHISTO_CHANGE_PASSTHROUGH)
    toggle_passthrough (self);
  if (changes & GST_AMPHISTO_CHANGE_CONDITIONS)
    gst_amphisto_check_conditions (self, &GST_VIDEO_FILTER (self)->in_info);
}

/* --- caps --- */

/* The size of scopes alone if downstream takes any. */
#define OUTPUT_WIDTH 1280
#define OUTPUT_HEIGHT 720

static guint
default_output_width (AmphistoScopes scopes)
{
  return scopes == AMPHISTO_SCOPE_VECTORSCOPE ? OUTPUT_HEIGHT : OUTPUT_WIDTH;
}

/* Whether the caps are not of single fields. */
static gboolean
are_of_frames (
    GstCapsFeatures *features, GstStructure *structure, gpointer user_data)
{
  (void) structure;
  (void) user_data;
  return gst_caps_features_is_any (features)
      || !gst_caps_features_contains (
          features, GST_CAPS_FEATURE_FORMAT_INTERLACED);
}

/* Caps and their features pass through unchanged, except that overlay
 * compositions may be added, and that scopes alone have caps of their own. Caps
 * of single fields are left out: the pad templates can't exclude their feature.
 */
GstCaps *
gst_amphisto_transform_caps (GstBaseTransform *trans, GstPadDirection direction,
    GstCaps *caps, GstCaps *filter)
{
  g_autoptr (GstCaps) frames = gst_caps_copy (caps);
  g_autoptr (GstCaps) sink =
      gst_pad_get_pad_template_caps (GST_BASE_TRANSFORM_SINK_PAD (trans));
  g_autoptr (GstAmphistoSettings) settings =
      gst_amphisto_get_settings (GST_AMPHISTO (trans));
  g_autoptr (GstCaps) all = NULL;

  gst_caps_filter_and_map_in_place (frames, are_of_frames, NULL);
  all = settings->scopes_only
      ? gst_amphisto_caps_transform_scopes_only (direction, frames, sink)
      : gst_amphisto_caps_transform (direction, frames);
  return filter == NULL
      ? g_steal_pointer (&all)
      : gst_caps_intersect_full (filter, all, GST_CAPS_INTERSECT_FIRST);
}

/* Whether downstream's caps name compositions, as a renderer's caps do. ANY
 * features do not name them: videocrop accepts any, but fails for good if it
 * gets compositions while it crops. */
static gboolean
names_composition (GstAmphisto *self)
{
  g_autoptr (GstCaps) caps =
      gst_pad_peer_query_caps (GST_BASE_TRANSFORM_SRC_PAD (self), NULL);

  return gst_amphisto_caps_have_composition (caps);
}

/* Decides whether caps for downstream have compositions, and forgets an answer
 * of downstream that events since the last decision have made obsolete. scopes:
 * of the next frame. */
static gboolean
offers_composition (GstAmphisto *self, AmphistoScopes scopes)
{
  const guint events = g_atomic_int_and (&self->offer_events, 0);

  if ((events & GST_AMPHISTO_OFFER_REPLACED) != 0
      || (events != 0 && self->offer == GST_AMPHISTO_OFFER_REFUSED))
    self->offer = GST_AMPHISTO_OFFER_OPEN;
  if (scopes == AMPHISTO_SCOPE_NONE)
    return FALSE;
  return self->offer == GST_AMPHISTO_OFFER_TAKEN
      || (self->offer == GST_AMPHISTO_OFFER_OPEN && names_composition (self));
}

GstCaps *
gst_amphisto_fixate_caps (GstBaseTransform *trans, GstPadDirection direction,
    GstCaps *caps, GstCaps *othercaps)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  g_autoptr (GstAmphistoSettings) settings = gst_amphisto_get_settings (self);
  const AmphistoScopes scopes = settings->scopes.enabled;

  (void) caps;
  if (!settings->scopes_only)
    return gst_caps_fixate (gst_amphisto_caps_choose (
        othercaps, offers_composition (self, scopes)));
  if (direction == GST_PAD_SRC)
    return gst_caps_fixate (othercaps);
  return gst_amphisto_caps_fixate_scopes_only (
      othercaps, default_output_width (scopes), OUTPUT_HEIGHT);
}

/* The first format that upstream offers, or GRAY8 if it offers all. If it sends
 * another one, kernels are built again. */
static GstVideoFormat
find_likely_format (GstAmphisto *self)
{
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (self);
  g_autoptr (GstCaps) all = gst_pad_get_pad_template_caps (pad);
  g_autoptr (GstCaps) offered = gst_pad_peer_query_caps (pad, all);
  g_autoptr (GstCaps) first = NULL;
  GstVideoInfo info;

  if (gst_caps_is_empty (offered) || gst_caps_is_subset (all, offered))
    return GST_VIDEO_FORMAT_GRAY8;
  first = gst_caps_fixate (g_steal_pointer (&offered));
  return gst_amphisto_caps_parse (first, &info) ? GST_VIDEO_INFO_FORMAT (&info)
                                                : GST_VIDEO_FORMAT_GRAY8;
}

static gboolean
prepare_open_device (
    GstAmphisto *self, const AmphistoLayout *layout, GError **error)
{
  GstAmphistoJobs *jobs = &self->jobs;

  if (!gst_amphisto_jobs_open (jobs, self->device.device, error))
    return FALSE;
  make_plan_of (self, layout);
  if (gst_amphisto_settings_is_passthrough (self->frame_settings)
      || gst_amphisto_jobs_prepare (jobs, error))
    return TRUE;
  gst_amphisto_jobs_close (jobs);
  return FALSE;
}

gboolean
gst_amphisto_prepare_device (GstAmphisto *self, const AmphistoLayout *layout)
{
  g_autoptr (GError) error = NULL;
  AmphistoLayout start;
  GstVideoInfo info;

  if (layout == NULL) {
    gst_video_info_set_format (&info, find_likely_format (self), 320, 240);
    gst_amphisto_layout_init (&start, &info, NULL);
    start.n_planes = 0;
    layout = &start;
  }

  take_settings (self, NULL);
  if (changes_passthrough (self))
    toggle_passthrough (self);
  if (self->jobs.output_width == 0) {
    self->jobs.output_width =
        default_output_width (self->frame_settings->scopes.enabled);
    self->jobs.output_height = OUTPUT_HEIGHT;
  }
  while (!prepare_open_device (self, layout, &error)) {
    if (!gst_amphisto_device_replace (&self->device, error))
      return FALSE;
    g_clear_error (&error);
  }
  gst_amphisto_allocation_start (&self->allocation, self->device.device);
  return TRUE;
}

/* Whether the plan is for frames of these caps. After a flush, the pad's
 * current caps may be older ones. */
static gboolean
has_plan_of (const GstAmphisto *self, const GstCaps *incaps)
{
  return self->caps != NULL && gst_caps_is_equal (self->caps, incaps);
}

gboolean
gst_amphisto_begin_caps (GstAmphisto *self, GstCaps *incaps)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  g_autoptr (GstCaps) in =
      gst_pad_get_current_caps (GST_BASE_TRANSFORM_SINK_PAD (trans));
  g_autoptr (GstCaps) out =
      gst_pad_get_current_caps (GST_BASE_TRANSFORM_SRC_PAD (trans));

  if (has_plan_of (self, incaps))
    return TRUE;
  g_atomic_int_or (&self->offer_events, GST_AMPHISTO_OFFER_REPLACED);
  if (in == NULL || out == NULL || !gst_caps_is_equal (in, incaps))
    return TRUE;
  return GST_BASE_TRANSFORM_GET_CLASS (trans)->set_caps (trans, incaps, out);
}

/* Ends a question: notes whether the answer has compositions.
 *
 * Returns: whether this is news. */
static gboolean
note_answer (GstAmphisto *self, gboolean takes)
{
  const GstAmphistoOffer before = self->offer;

  if (takes && before == GST_AMPHISTO_OFFER_OPEN)
    self->offer = GST_AMPHISTO_OFFER_TAKEN;
  else if (!takes && self->offers_composition)
    self->offer = GST_AMPHISTO_OFFER_REFUSED;
  else if (!takes && before == GST_AMPHISTO_OFFER_TAKEN)
    self->offer = GST_AMPHISTO_OFFER_OPEN;
  return self->offer != before;
}

void
gst_amphisto_note_composition (GstAmphisto *self, GstQuery *query)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  const gboolean takes = gst_query_find_allocation_meta (
      query, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
  gboolean asks_again = TRUE;

  if (self->frame_settings->scopes_only)
    return;
  GST_DEBUG_OBJECT (self, "downstream's answer to the ALLOCATION query has %s",
      takes ? "overlay compositions" : "no overlay compositions");
  if (!GST_PAD_IS_FLUSHING (GST_BASE_TRANSFORM_SRC_PAD (trans)))
    asks_again = note_answer (self, takes) && has_scopes (self)
        && (self->offer == GST_AMPHISTO_OFFER_TAKEN) != self->jobs.composes;
  if (asks_again)
    gst_base_transform_reconfigure_src (trans);
}

/* Decides whether scopes are drawn into frames from now on. */
static void
set_composition (GstAmphisto *self, const GstCaps *incaps, GstCaps *outcaps)
{
  const gboolean composes = gst_amphisto_caps_have_composition (outcaps);

  self->offers_composition =
      composes && !gst_amphisto_caps_have_composition (incaps);
  self->jobs.composes = composes;
  GST_INFO_OBJECT (self, "scopes are %s",
      self->frame_settings->scopes_only ? "the output"
          : composes                    ? "sent along as an overlay composition"
                                        : "drawn into the frame");
}

/* Whether scopes alone have something to show in frames of the caps. In a
 * region outside the frame, no scope has.
 *
 * Returns: FALSE after posting an error. */
static gboolean
check_scopes_only (GstAmphisto *self, const GstVideoInfo *info)
{
  const AmphistoPlan *plan = &self->jobs.plan;

  if (!amphisto_plan_is_scopes_only (plan) || plan->region.width == 0
      || (plan->scopes | plan->left_out) != AMPHISTO_SCOPE_NONE)
    return TRUE;
  GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
      ("scopes-only=true shows nothing: the scopes have nothing to show of %s. "
       "Set other scopes or channels, or put \"videoconvert ! "
       "video/x-raw,format=I420\" before amphisto.",
          GST_VIDEO_INFO_NAME (info)),
      (NULL));
  return FALSE;
}

gboolean
gst_amphisto_set_caps (GstAmphisto *self, GstCaps *incaps, GstVideoInfo *info,
    GstCaps *outcaps, const GstVideoInfo *out_info)
{
  const gboolean has_plan = has_plan_of (self, incaps);
  AmphistoLayout layout;

  gst_caps_replace (&self->caps, NULL);
  if (self->jobs.executor == NULL || !gst_amphisto_caps_parse (incaps, info))
    return FALSE;
  /* GStreamer has this mode in caps without a feature */
  if (GST_VIDEO_INFO_INTERLACE_MODE (info) == GST_VIDEO_INTERLACE_MODE_FIELDS) {
    GST_ERROR_OBJECT (self, "interlace-mode=fields is not supported");
    return FALSE;
  }
  set_composition (self, incaps, outcaps);
  self->jobs.output_width = GST_VIDEO_INFO_WIDTH (out_info);
  self->jobs.output_height = GST_VIDEO_INFO_HEIGHT (out_info);
  if (has_plan) {
    make_plan_of (self, &self->jobs.plan.layout);
    gst_caps_replace (&self->caps, incaps);
    return TRUE;
  }
  gst_amphisto_layout_init (&layout, info, incaps);
  if (!gst_amphisto_prepare_device (self, &layout))
    return FALSE;
  if (!gst_amphisto_check_conditions (self, info)
      || !check_scopes_only (self, info)) {
    gst_amphisto_jobs_close (&self->jobs);
    return FALSE;
  }
  self->allocation.memory = gst_amphisto_caps_memory (incaps);
  self->warnings = (GstAmphistoWarnings){ 0 };
  gst_caps_replace (&self->caps, incaps);
  GST_DEBUG_OBJECT (self, "%" GST_PTR_FORMAT ", luma to [%u, %u]", incaps,
      layout.lo, layout.hi);
  return TRUE;
}
