/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Warnings about settings without effect, too many regions of interest, and
 * crop metadata that can't be followed.
 */

#pragma once

#include <gst/video/video.h>

#include "element/props/settings.h"

/* The warnings already posted; all-zero before the first frame and after new
 * caps. */
typedef struct
{
  /*< public >*/
  gboolean is_current; /* plan and settings are those of the last frame; cleared
                        * with each other plan and other settings */

  /*< private >*/
  guint posted;
  guint groups;            /* setting with the previous frame */
  AmphistoScopes left_out; /* of the previous frame */
  gboolean has_warned_of_crop;
} GstAmphistoWarnings;

/* Posts a warning for each setting that has no effect on frames of `plan`:
 * equalization=match without a reference, channels that the format lacks,
 * a region outside the frame, scopes without room, parades that are too narrow
 * to read, vectorscope and false colour of grey, gamut of RGB and grey of full
 * range, settings of the picture with scopes-only; and for zebra-low that is
 * not below zebra-high. Each warning is posted once, and again only if the
 * setting was right meanwhile, or other channels were set or other scopes left
 * out. Also warns, once until new caps, if `buffer` has more regions of
 * interest than can be measured, and if its GstVideoCropMeta can't be followed:
 * why_uncropped says why, or is NULL. */
void gst_amphisto_warnings_post (GstAmphistoWarnings *self, GstElement *element,
    const GstAmphistoSettings *settings, const AmphistoPlan *plan,
    const GstVideoInfo *info, GstBuffer *buffer, const gchar *why_uncropped);
