/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The settings of the element: the values of its properties, except device.
 */

#pragma once

#include <gst/gst.h>

#include "element/props/conditions.h"
#include "core/plan.h"

/* Words in `bins` of metadata, and in the reference: the bins and two zeros.
 * GStreamer (1.22 to 1.28) writes bytes as base64, which it can't read back if
 * there are none, or if their number is not a multiple of 3: unixfdsrc would
 * drop the whole metadata, and a project with the element could not be opened.
 */
#define GST_AMPHISTO_META_N_BINS (AMPHISTO_N_BINS + 2)

/* Returns: (transfer full): `bins` as GST_AMPHISTO_META_N_BINS words. */
GBytes *gst_amphisto_bins_to_bytes (const guint32 bins[AMPHISTO_N_BINS]);

/* The most percentiles that GstAmphisto:percentiles may have. */
#define GST_AMPHISTO_MAX_PERCENTILES 64

/* One field per property, of the property's type: `bool` for a boolean, an enum
 * for an enum or flags. Plain data: assignment copies the settings. */
typedef struct
{
  guint frames_in_flight;
  guint groups; /* bit i: amphisto_channel_groups[i] */
  bool attach_meta;
  bool post_messages;
  guint64 interval;                                  /* ns of stream time */
  gdouble percentiles[GST_AMPHISTO_MAX_PERCENTILES]; /* 0 to 100 % */
  guint n_percentiles;
  GstAmphistoConditions conditions;
  guint64 expect_duration; /* ns of stream time */
  bool expect_error;
  bool compare_frames;
  bool check_gamut;
  bool find_letterbox;
  AmphistoRegion roi; /* width, height 0: to the frame's edge */
  bool roi_meta;
  AmphistoEqualization equalization;
  gdouble strength; /* 0 to 1 */
  AmphistoClahe clahe;
  guint32 match_bins[AMPHISTO_N_BINS]; /* zeros unless has_match_bins */
  bool has_match_bins;
  gdouble stretch_low, stretch_high; /* 0 to 50 % of the samples */
  gdouble smoothing;                 /* 0 to 1: weight of the previous mean */
  bool keep_colors;
  AmphistoScopeSettings scopes;
  bool scopes_only; /* without the picture */
  AmphistoExposureSettings exposure;
  bool verify;
} GstAmphistoSettings;

extern const GstAmphistoSettings gst_amphisto_default_settings;

/* Returns: a bit for each channel to measure, whether the format has it or not:
 * for channels, and for expect. */
AmphistoChannelMask gst_amphisto_settings_channels (
    const GstAmphistoSettings *self);

/* Returns: the equalization to apply: AMPHISTO_EQUALIZATION_NONE for a match
 * without a reference. */
AmphistoEqualization gst_amphisto_settings_equalization (
    const GstAmphistoSettings *self);

/* Whether buffers are neither measured nor changed. */
gboolean gst_amphisto_settings_is_passthrough (const GstAmphistoSettings *self);
