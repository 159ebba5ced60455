/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/report/warnings.h"

#include "element/report/measurement.h"

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

typedef enum
{
  WITHOUT_MATCH_BINS,
  WITHOUT_CHANNELS,
  WITHOUT_SHOWN_CHANNELS,
  WITHOUT_PIXELS,
  WITHOUT_ROOM,
  WITHOUT_PARADE,
  WITHOUT_VECTORS,
  WITHOUT_COLOURS,
  WITHOUT_GAMUT,
  WITHOUT_PICTURE_COLOURS,
  WITHOUT_LUMA,
  CROSSED_ZEBRA,
  TOO_MANY_REGIONS,
  WITHOUT_PICTURE /* and one for each further setting of the picture */
} Warning;

/* The frame, its plan and its settings. */
typedef struct
{
  GstAmphistoWarnings *warnings;
  GstElement *element;
  const GstAmphistoSettings *settings;
  const AmphistoPlan *plan;
  const GstVideoInfo *info;
} Request;

/* Posts the warning if `is_wrong` and it was right with the previous frame. */
G_GNUC_PRINTF (4, 5)
static void
warn_if (const Request *request, Warning warning, gboolean is_wrong,
    const gchar *format, ...)
{
  GstAmphistoWarnings *self = request->warnings;
  const gboolean is_posted = (self->posted & 1u << warning) != 0;
  g_autofree gchar *text = NULL;
  va_list args;

  self->posted &= ~(1u << warning);
  self->posted |= (is_wrong ? 1u : 0) << warning;
  if (!is_wrong || is_posted)
    return;
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  GST_ELEMENT_WARNING (
      request->element, RESOURCE, SETTINGS, ("%s", text), (NULL));
}

static void
check_measuring (const Request *request)
{
  const GstAmphistoSettings *settings = request->settings;
  const AmphistoPlan *plan = request->plan;
  const gboolean shows_channels = settings->attach_meta
      || settings->post_messages
      || settings->scopes.enabled != AMPHISTO_SCOPE_NONE;

  warn_if (request, WITHOUT_MATCH_BINS,
      settings->equalization == AMPHISTO_EQUALIZATION_MATCH
          && settings->match_bins == NULL,
      "equalization=match has no reference, and changes nothing.");
  warn_if (request, WITHOUT_CHANNELS,
      shows_channels && settings->groups != 0 && plan->reported == 0,
      "%s has none of the channels asked for; none is measured.",
      GST_VIDEO_INFO_NAME (request->info));
  warn_if (request, WITHOUT_PIXELS,
      plan->region.width == 0
          && !gst_amphisto_settings_is_passthrough (settings),
      "The region from (%u, %u) on is outside the frame of %dx%d; nothing is "
      "measured or changed.",
      settings->roi.x, settings->roi.y, GST_VIDEO_INFO_WIDTH (request->info),
      GST_VIDEO_INFO_HEIGHT (request->info));
}

/* Returns: (transfer full): "the histogram, the waveform and the vectorscope".
 */
static gchar *
name_scopes (AmphistoScopes scopes)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < AMPHISTO_N_SCOPES; i++) {
    if (!(scopes & 1u << i))
      continue;
    if (names->len > 0)
      g_string_append (names, scopes >> i > 1 ? ", " : " and ");
    g_string_append_printf (names, "the %s", amphisto_scopes[i]->name);
  }
  return g_string_free (names, FALSE);
}

/* Returns: (transfer full): the frame that scopes are drawn into, and its size.
 */
static gchar *
name_frame (const Request *request)
{
  const AmphistoSettings *settings = &request->plan->settings;

  if (amphisto_plan_is_scopes_only (request->plan))
    return g_strdup_printf (
        "output of %ux%u", settings->output_width, settings->output_height);
  return g_strdup_printf ("frame of %dx%d",
      GST_VIDEO_INFO_WIDTH (request->info),
      GST_VIDEO_INFO_HEIGHT (request->info));
}

static gboolean
was_posted (const Request *request, Warning warning)
{
  return (request->warnings->posted & 1u << warning) != 0;
}

/* Whether the channels of a scope that is drawn share a panel, since there is
 * no room for the display that was asked for. Those of the vectorscope always
 * do. */
static gboolean
has_overlaid_parade (const AmphistoPlan *plan)
{
  return plan->display != plan->settings.scopes.display
      && (plan->scopes & ~AMPHISTO_SCOPE_VECTORSCOPE) != AMPHISTO_SCOPE_NONE;
}

static void
check_room (const Request *request)
{
  const AmphistoPlan *plan = request->plan;
  const gboolean lacks_room = plan->left_out != AMPHISTO_SCOPE_NONE;
  const gboolean is_overlaid = has_overlaid_parade (plan);
  g_autofree gchar *frame = name_frame (request);
  g_autofree gchar *names = name_scopes (plan->left_out);
  guint32 width = 0, height = 0;

  if (lacks_room && !was_posted (request, WITHOUT_ROOM))
    amphisto_plan_find_room (plan, FALSE, &width, &height);
  warn_if (request, WITHOUT_ROOM, lacks_room,
      "The %s has no room for %s; all scopes asked for fit from %ux%u on.",
      frame, names, width, height);
  if (is_overlaid && !was_posted (request, WITHOUT_PARADE))
    amphisto_plan_find_room (plan, TRUE, &width, &height);
  warn_if (request, WITHOUT_PARADE, is_overlaid,
      "The %s has no room for a parade that can be read, so the channels are "
      "overlaid; a parade fits from %ux%u on.",
      frame, width, height);
}

/* The vectorscope shows U and V, whatever the channels are. */
static void
check_shown_channels (const Request *request)
{
  const AmphistoPlan *plan = request->plan;
  const AmphistoScopes empty = request->settings->scopes.enabled
      & ~(plan->scopes | plan->left_out | AMPHISTO_SCOPE_VECTORSCOPE);
  g_autofree gchar *names = name_scopes (empty);

  warn_if (request, WITHOUT_SHOWN_CHANNELS,
      empty != AMPHISTO_SCOPE_NONE && plan->region.width > 0
          && !was_posted (request, WITHOUT_CHANNELS),
      "channels has nothing to show in %s; add luma, chroma or rgb to it.",
      names);
}

/* Warns of settings of the picture that are not as usual: scopes alone do not
 * show it. */
static void
check_scopes_only (const Request *request)
{
  const GstAmphistoSettings *set = request->settings;
  const GstAmphistoSettings *usual = &gst_amphisto_default_settings;
  const struct
  {
    const gchar *name;
    gboolean is_set;
  } settings[] = {
    { "equalization", set->equalization != usual->equalization },
    { "exposure", set->exposure.enabled != usual->exposure.enabled },
    { "scope-position", set->scopes.position != usual->scopes.position },
    { "scope-width", set->scopes.width != usual->scopes.width },
    { "scope-height", set->scopes.height != usual->scopes.height },
    { "scope-opacity", set->scopes.opacity != usual->scopes.opacity },
  };

  for (guint i = 0; i < G_N_ELEMENTS (settings) && set->scopes_only; i++)
    warn_if (request, WITHOUT_PICTURE + i, settings[i].is_set,
        "%s has no effect with scopes-only=true: the scopes fill the output.",
        settings[i].name);
}

/* Only luma's trace gets the colours of the picture. */
static void
check_waveform_colours (const Request *request)
{
  const AmphistoScopeSettings *scopes = &request->settings->scopes;
  const gboolean shows_colours = scopes->enabled & AMPHISTO_SCOPE_WAVEFORM
      && scopes->waveform_colors == AMPHISTO_WAVEFORM_PICTURE;
  const AmphistoChannelMask shown = request->plan->reported;

  warn_if (request, WITHOUT_PICTURE_COLOURS,
      shows_colours && GST_VIDEO_INFO_IS_GRAY (request->info),
      "%s has no colours; waveform-colors=picture has no effect.",
      GST_VIDEO_INFO_NAME (request->info));
  warn_if (request, WITHOUT_LUMA,
      shows_colours && shown != 0
          && !(shown & AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA)),
      "channels lacks luma; waveform-colors=picture has no effect.");
}

static void
check_drawing (const Request *request)
{
  const AmphistoExposureSettings *exposure = &request->settings->exposure;
  const AmphistoScopeSettings *scopes = &request->settings->scopes;
  const AmphistoExposure drawn = request->settings->scopes_only
      ? AMPHISTO_EXPOSURE_NONE
      : exposure->enabled;
  const gboolean is_grey = GST_VIDEO_INFO_IS_GRAY (request->info);
  const gchar *format = GST_VIDEO_INFO_NAME (request->info);

  check_shown_channels (request);
  check_room (request);
  check_scopes_only (request);
  warn_if (request, WITHOUT_VECTORS,
      is_grey && scopes->enabled & AMPHISTO_SCOPE_VECTORSCOPE,
      "%s has no colours, and no vectorscope is drawn.", format);
  check_waveform_colours (request);
  warn_if (request, WITHOUT_COLOURS,
      is_grey && drawn & AMPHISTO_EXPOSURE_FALSE_COLOR,
      "%s has no colours; exposure=false-color changes nothing. Put "
      "\"videoconvert ! video/x-raw,format=I420\" before amphisto.",
      format);
  warn_if (request, WITHOUT_GAMUT,
      !amphisto_picture_has_gamut (&request->plan->layout)
          && drawn & AMPHISTO_EXPOSURE_GAMUT,
      "%s of full range is never out of gamut; exposure=gamut draws nothing.",
      format);
  warn_if (request, CROSSED_ZEBRA,
      drawn & AMPHISTO_EXPOSURE_ZEBRA
          && exposure->zebra_low >= exposure->zebra_high,
      "zebra-low, %g %%, is not below zebra-high, %g %%; exposure=zebra draws "
      "stripes everywhere.",
      exposure->zebra_low, exposure->zebra_high);
}

static void
check_settings (const Request *request)
{
  GstAmphistoWarnings *self = request->warnings;
  const AmphistoScopes left_out = request->plan->left_out;

  if (request->settings->groups != self->groups)
    self->posted &= ~(1u << WITHOUT_CHANNELS);
  if (left_out != self->left_out)
    self->posted &= ~(1u << WITHOUT_ROOM);
  self->groups = request->settings->groups;
  self->left_out = left_out;
  check_measuring (request);
  check_drawing (request);
  self->is_current = TRUE;
}

/* Warns only once: detectors find more regions in some frames than in others.
 */
static void
check_regions (const Request *request, GstBuffer *buffer)
{
  const GstAmphistoSettings *settings = request->settings;
  const guint n = gst_buffer_get_n_meta (
      buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);

  if (settings->attach_meta && settings->roi_meta
      && n > GST_AMPHISTO_MAX_REGIONS)
    warn_if (request, TOO_MANY_REGIONS, TRUE,
        "A buffer has %u regions of interest; the first %d are measured.", n,
        GST_AMPHISTO_MAX_REGIONS);
}

/* Warns only once until new caps. */
static void
warn_of_crop (const Request *request, const gchar *why)
{
  if (request->warnings->has_warned_of_crop)
    return;
  request->warnings->has_warned_of_crop = TRUE;
  GST_ELEMENT_WARNING (request->element, STREAM, FORMAT,
      ("The frame's GstVideoCropMeta can't be followed: %s. The top left of "
       "the buffer's frame is treated instead.",
          why),
      (NULL));
}

void
gst_amphisto_warnings_post (GstAmphistoWarnings *self, GstElement *element,
    const GstAmphistoSettings *settings, const AmphistoPlan *plan,
    const GstVideoInfo *info, GstBuffer *buffer, const gchar *why_uncropped)
{
  const Request request = { self, element, settings, plan, info };

  if (!self->is_current)
    check_settings (&request);
  check_regions (&request, buffer);
  if (why_uncropped != NULL)
    warn_of_crop (&request, why_uncropped);
}
