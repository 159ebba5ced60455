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

typedef struct
{
  guint64 n;
  gdouble percent[GST_AMPHISTO_MAX_PERCENTILES]; /* 0 to 100 */
} GstAmphistoPercentiles;

/* One field per property, of the property's type: `bool` for a boolean, an enum
 * for an enum or flags. Referenced by g_atomic_rc_box_acquire(), and immutable
 * once other threads may have a reference: a property that is set makes new
 * settings. Their pointers refer to immutable data, which copies share. */
typedef struct
{
  guint frames_in_flight;
  guint n_threads; /* 0: as many as pay for a frame */
  guint groups;    /* bit i: amphisto_channel_groups[i] */
  bool attach_meta;
  bool post_messages;
  guint64 interval; /* ns of stream time */
  GstAmphistoPercentiles percentiles;
  GstAmphistoConditions *conditions;
  gchar *refused_expect;   /* GRefString: why the newest text was refused;
                            * NULL: `conditions` are of the newest text */
  guint64 expect_duration; /* ns of stream time */
  bool expect_error;
  bool compare_frames;
  bool check_gamut;
  bool find_letterbox;
  bool measure_sharpness;
  AmphistoRegion roi; /* width, height 0: to the frame's edge */
  bool roi_meta;
  AmphistoEqualization equalization;
  gdouble strength; /* 0 to 1 */
  AmphistoClahe clahe;
  GBytes *match_bins; /* GST_AMPHISTO_META_N_BINS words; NULL: none */
  gdouble stretch_low, stretch_high; /* 0 to 50 % of the samples */
  gdouble smoothing;                 /* 0 to 1: weight of the previous mean */
  bool keep_colors;
  AmphistoScopeSettings scopes;
  bool scopes_only; /* without the picture */
  AmphistoExposureSettings exposure;
  bool verify;
} GstAmphistoSettings;

/* The default values, without conditions and reference. */
extern const GstAmphistoSettings gst_amphisto_default_settings;

/* Returns: (transfer full): the default settings. */
GstAmphistoSettings *gst_amphisto_settings_new (void);

/* Returns: (transfer full): a copy, which may be changed. */
GstAmphistoSettings *gst_amphisto_settings_copy (
    const GstAmphistoSettings *self);

void gst_amphisto_settings_unref (GstAmphistoSettings *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstAmphistoSettings, gst_amphisto_settings_unref)

/* Replaces the conditions by others (transfer full). */
void gst_amphisto_settings_take_conditions (
    GstAmphistoSettings *self, GstAmphistoConditions *conditions);

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
