/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the element's properties say of frames.
 */

#ifndef AMPHISTO_ELEMENT_SETTINGS_H
#define AMPHISTO_ELEMENT_SETTINGS_H

#include <gst/gst.h>

#include "core/work.h"

G_BEGIN_DECLS

/**
 * GstAmphistoChannels:
 * @GST_AMPHISTO_CHANNELS_LUMA: Y; of RGB computed by the caps' matrix
 * @GST_AMPHISTO_CHANNELS_CHROMA: U and V
 * @GST_AMPHISTO_CHANNELS_RGB: R, G and B
 * @GST_AMPHISTO_CHANNELS_ALPHA: alpha
 *
 * What is measured. What a format lacks is left out.
 */
typedef enum
{
  GST_AMPHISTO_CHANNELS_LUMA = 1 << 0,
  GST_AMPHISTO_CHANNELS_CHROMA = 1 << 1,
  GST_AMPHISTO_CHANNELS_RGB = 1 << 2,
  GST_AMPHISTO_CHANNELS_ALPHA = 1 << 3
} GstAmphistoChannels;

/* Shares that percentiles are measured for, at most. */
#define GST_AMPHISTO_MAX_PERCENTILES 64

/* A frame is treated by one copy of them, taken when it arrives. */
typedef struct
{
  GstAmphistoChannels channels;
  gboolean attach_meta;
  gboolean post_messages;
  guint64 interval;
  gdouble percentiles[GST_AMPHISTO_MAX_PERCENTILES];
  guint n_percentiles;
  AmphistoRegion roi; /* 0 wide or high: to the frame's edge */
  gboolean roi_meta;
  AmphistoEqualization equalization;
  gdouble strength;
  AmphistoClahe clahe;
  guint32 reference[AMPHISTO_N_BINS];
  gboolean has_reference;
  gdouble smoothing;
  AmphistoOverlay overlay;
  gboolean verify;
} GstAmphistoSettings;

/* The properties' ids: from GST_AMPHISTO_FIRST_SETTING on. */
enum
{
  GST_AMPHISTO_FIRST_SETTING = 100
};

/* The defaults. */
void gst_amphisto_settings_init (GstAmphistoSettings *self);

/* Installs a property for each setting, and registers their types. */
void gst_amphisto_settings_install (GObjectClass *class);

/* Sets property `id` to `value`, and gets it.
 *
 * Returns: FALSE if there is no such property. */
gboolean gst_amphisto_settings_set (
    GstAmphistoSettings *self, guint id, const GValue *value);
gboolean gst_amphisto_settings_get (
    const GstAmphistoSettings *self, guint id, GValue *value);

/* The channels that are to be measured, of all formats. */
AmphistoChannelMask gst_amphisto_settings_channels (
    const GstAmphistoSettings *self);

/* How pixels are equalized: none are matched without a reference. */
AmphistoEqualization gst_amphisto_settings_equalization (
    const GstAmphistoSettings *self);

/* Whether pixels are equalized, or matched. */
gboolean gst_amphisto_settings_equalizes (const GstAmphistoSettings *self);

/* Whether a zebra is drawn. */
gboolean gst_amphisto_settings_has_zebra (const GstAmphistoSettings *self);

/* Whether pixels are changed. */
gboolean gst_amphisto_settings_changes_pixels (const GstAmphistoSettings *self);

/* Whether frames are neither measured nor changed. */
gboolean gst_amphisto_settings_has_nothing_to_do (
    const GstAmphistoSettings *self);

G_END_DECLS

#endif
