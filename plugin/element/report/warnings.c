/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/report/warnings.h"

#include "element/report/regions.h"

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

typedef enum
{
  WITHOUT_REFERENCE,
  WITHOUT_CHANNELS,
  WITHOUT_LUMA,
  WITHOUT_PIXELS,
  WITHOUT_ROOM,
  WITHOUT_VECTORS,
  WITHOUT_COLOURS,
  CROSSED_ZEBRA,
  TOO_MANY_REGIONS,
  N_WARNINGS
} Warning;

/* The frame, its plan and its settings. */
typedef struct
{
  const GstAmphistoSettings *settings;
  const AmphistoPlan *plan;
  const GstVideoInfo *info;
  GstBuffer *buffer;
} Request;

static gboolean
shows_channels (const GstAmphistoSettings *settings)
{
  return settings->attach_meta || settings->post_messages
      || settings->scopes.enabled != AMPHISTO_SCOPE_NONE;
}

/* Returns: bit i for Warning i. */
static guint
find (const Request *request)
{
  const GstAmphistoSettings *settings = request->settings;
  const AmphistoPlan *plan = request->plan;
  const AmphistoExposureSettings *exposure = &settings->exposure;
  const gboolean is_grey = GST_VIDEO_INFO_IS_GRAY (request->info);
  const gboolean found[N_WARNINGS] = {
    [WITHOUT_REFERENCE] = settings->equalization == AMPHISTO_EQUALIZATION_MATCH
        && !settings->has_reference,
    [WITHOUT_CHANNELS] = settings->channels != 0 && plan->reported == 0
        && shows_channels (settings),
    [WITHOUT_LUMA] = plan->settings.compares
        && !(plan->reported & AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA)),
    [WITHOUT_PIXELS] = plan->region.width == 0
        && !gst_amphisto_settings_is_passthrough (settings),
    [WITHOUT_ROOM] = plan->left_out != AMPHISTO_SCOPE_NONE,
    [WITHOUT_VECTORS] =
        is_grey && settings->scopes.enabled & AMPHISTO_SCOPE_VECTORSCOPE,
    [WITHOUT_COLOURS] =
        is_grey && exposure->enabled & AMPHISTO_EXPOSURE_FALSE_COLOR,
    [CROSSED_ZEBRA] = exposure->enabled & AMPHISTO_EXPOSURE_ZEBRA
        && exposure->zebra_low > exposure->zebra_high,
    [TOO_MANY_REGIONS] = settings->attach_meta && settings->roi_meta
        && gst_amphisto_regions_count (request->buffer)
            > GST_AMPHISTO_MAX_REGIONS,
  };
  guint mask = 0;

  for (guint i = 0; i < N_WARNINGS; i++)
    mask |= (found[i] ? 1u : 0) << i;
  return mask;
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

static gchar *
describe_lack_of_room (const Request *request)
{
  g_autofree gchar *names = name_scopes (request->plan->left_out);
  guint32 width, height;

  amphisto_plan_find_room (request->plan, &width, &height);
  return g_strdup_printf ("The frame of %dx%d has no room for %s; all scopes "
                          "asked for fit from %ux%u on.",
      GST_VIDEO_INFO_WIDTH (request->info),
      GST_VIDEO_INFO_HEIGHT (request->info), names, width, height);
}

/* Returns: (transfer full): the text of the warning. */
static gchar *
describe (Warning warning, const Request *request)
{
  const GstAmphistoSettings *settings = request->settings;
  const GstVideoInfo *info = request->info;

  switch (warning) {
    case WITHOUT_REFERENCE:
      return g_strdup (
          "equalization=match has no reference, and changes nothing.");
    case WITHOUT_CHANNELS:
      return g_strdup_printf (
          "%s has none of the channels asked for; none is measured.",
          GST_VIDEO_INFO_NAME (info));
    case WITHOUT_LUMA:
      return g_strdup ("compare-frames compares luma, which channels does not "
                       "include; nothing is compared.");
    case WITHOUT_PIXELS:
      return g_strdup_printf ("The region from (%u, %u) on is outside the "
                              "frame of %dx%d; nothing is measured or changed.",
          settings->roi.x, settings->roi.y, GST_VIDEO_INFO_WIDTH (info),
          GST_VIDEO_INFO_HEIGHT (info));
    case WITHOUT_ROOM:
      return describe_lack_of_room (request);
    case WITHOUT_VECTORS:
      return g_strdup_printf ("%s has no colours, and no vectorscope is drawn.",
          GST_VIDEO_INFO_NAME (info));
    case WITHOUT_COLOURS:
      return g_strdup_printf (
          "%s has no colours; exposure=false-color changes nothing. Put "
          "\"videoconvert ! video/x-raw,format=I420\" before amphisto.",
          GST_VIDEO_INFO_NAME (info));
    case CROSSED_ZEBRA:
      return g_strdup_printf ("zebra-low, %g %%, is above zebra-high, %g %%; "
                              "exposure=zebra draws stripes everywhere.",
          settings->exposure.zebra_low, settings->exposure.zebra_high);
    case TOO_MANY_REGIONS:
      return g_strdup_printf (
          "A buffer has %u regions of interest; the first %d are measured.",
          gst_amphisto_regions_count (request->buffer),
          GST_AMPHISTO_MAX_REGIONS);
    default:
      g_assert_not_reached ();
  }
}

void
gst_amphisto_warnings_post (GstAmphistoWarnings *self, GstElement *element,
    const GstAmphistoSettings *settings, const AmphistoPlan *plan,
    const GstVideoInfo *info, GstBuffer *buffer)
{
  const Request request = { settings, plan, info, buffer };
  const guint found = find (&request);
  guint new;

  if (settings->channels != self->channels)
    self->posted &= ~(1u << WITHOUT_CHANNELS);
  if (plan->left_out != self->left_out)
    self->posted &= ~(1u << WITHOUT_ROOM);
  new = found & ~self->posted;
  self->posted = found | (self->posted & 1u << TOO_MANY_REGIONS);
  self->channels = settings->channels;
  self->left_out = plan->left_out;

  for (guint i = 0; i < N_WARNINGS; i++)
    if (new & 1u << i) {
      g_autofree gchar *text = describe (i, &request);

      GST_ELEMENT_WARNING (element, RESOURCE, SETTINGS, ("%s", text), (NULL));
    }
}

void
gst_amphisto_warnings_post_crop (
    GstAmphistoWarnings *self, GstElement *element, const gchar *why)
{
  if (self->has_warned_of_crop)
    return;
  self->has_warned_of_crop = TRUE;
  GST_ELEMENT_WARNING (element, STREAM, FORMAT,
      ("The frame's GstVideoCropMeta can't be followed: %s. The top left of "
       "the buffer's frame is treated instead.",
          why),
      (NULL));
}
