/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "element/warnings.h"

#include "element/regions.h"

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

enum
{
  WITHOUT_REFERENCE = 1 << 0,
  WITHOUT_CHANNELS = 1 << 1,
  WITHOUT_PIXELS = 1 << 2,
  TOO_MANY_REGIONS = 1 << 3
};

static gboolean
shows_channels (const GstAmphistoSettings *settings)
{
  return settings->attach_meta || settings->post_messages
      || settings->scopes.enabled != AMPHISTO_SCOPE_NONE;
}

static guint
find (const GstAmphistoSettings *settings, const AmphistoPlan *plan,
    GstBuffer *buffer)
{
  guint found = 0;

  if (settings->equalization == AMPHISTO_EQUALIZATION_MATCH
      && !settings->has_reference)
    found |= WITHOUT_REFERENCE;
  if (settings->channels != 0 && plan->reported == 0
      && shows_channels (settings))
    found |= WITHOUT_CHANNELS;
  if (plan->region.width == 0
      && !gst_amphisto_settings_is_passthrough (settings))
    found |= WITHOUT_PIXELS;
  if (settings->attach_meta && settings->roi_meta
      && gst_amphisto_regions_count (buffer) > GST_AMPHISTO_MAX_REGIONS)
    found |= TOO_MANY_REGIONS;
  return found;
}

void
gst_amphisto_warnings_post (GstAmphistoWarnings *self, GstElement *element,
    const GstAmphistoSettings *settings, const AmphistoPlan *plan,
    const GstVideoInfo *info, GstBuffer *buffer)
{
  const guint found = find (settings, plan, buffer);
  guint new;

  if (settings->channels != self->channels)
    self->posted &= ~WITHOUT_CHANNELS;
  new = found & ~self->posted;
  self->posted = found | (self->posted & TOO_MANY_REGIONS);
  self->channels = settings->channels;

  if (new &WITHOUT_REFERENCE)
    GST_ELEMENT_WARNING (element, RESOURCE, SETTINGS,
        ("equalization=match has no reference, and changes nothing."), (NULL));
  if (new &WITHOUT_CHANNELS)
    GST_ELEMENT_WARNING (element, RESOURCE, SETTINGS,
        ("%s has none of the channels asked for; none is measured.",
            GST_VIDEO_INFO_NAME (info)),
        (NULL));
  if (new &WITHOUT_PIXELS)
    GST_ELEMENT_WARNING (element, RESOURCE, SETTINGS,
        ("The region from (%u, %u) on is outside the frame of %dx%d; nothing "
         "is measured or changed.",
            settings->roi.x, settings->roi.y, GST_VIDEO_INFO_WIDTH (info),
            GST_VIDEO_INFO_HEIGHT (info)),
        (NULL));
  if (new &TOO_MANY_REGIONS)
    GST_ELEMENT_WARNING (element, RESOURCE, SETTINGS,
        ("A buffer has %u regions of interest; the first %d are measured.",
            gst_amphisto_regions_count (buffer), GST_AMPHISTO_MAX_REGIONS),
        (NULL));
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
       "the "
       "buffer's frame is treated instead.",
          why),
      (NULL));
}
