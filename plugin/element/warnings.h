/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Warnings about settings that ask for nothing, or for too much, and about
 * frames that are not what their metadata say.
 */

#ifndef AMPHISTO_ELEMENT_WARNINGS_H
#define AMPHISTO_ELEMENT_WARNINGS_H

#include <gst/video/video.h>

#include "element/settings.h"

G_BEGIN_DECLS

/* What has been warned of; zeros before the first frame, and after new caps. */
typedef struct
{
  /*< private >*/
  guint posted;
  GstAmphistoChannels channels; /* that the format has none of */
  gboolean has_warned_of_crop;
} GstAmphistoWarnings;

/* Posts a warning for each setting that asks frames of `plan` for nothing:
 * equalization=match without a reference, channels of which the format has
 * none, a region outside the frame. Each is posted once, and again after it
 * asked for something, or for other channels. Regions of interest of `buffer`
 * that are too many to measure are told once until new caps. */
void gst_amphisto_warnings_post (GstAmphistoWarnings *self, GstElement *element,
    const GstAmphistoSettings *settings, const AmphistoPlan *plan,
    const GstVideoInfo *info, GstBuffer *buffer);

/* Posts a warning, once, that a GstVideoCropMeta can't be followed, and why. */
void gst_amphisto_warnings_post_crop (
    GstAmphistoWarnings *self, GstElement *element, const gchar *why);

G_END_DECLS

#endif
