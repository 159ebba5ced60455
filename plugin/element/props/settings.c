/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/props/settings.h"

#include "core/pixels/channels.h"

#include <string.h>

const GstAmphistoSettings gst_amphisto_default_settings = {
  .frames_in_flight = 1,
  .groups = 1, /* luma */
  .attach_meta = true,
  .interval = 100 * GST_MSECOND,
  .percentiles = { 6, { 1, 5, 25, 75, 95, 99 } },
  .expect_error = true,
  .equalization = AMPHISTO_EQUALIZATION_NONE,
  .strength = 1.0,
  .clahe = { .tiles_x = 8, .tiles_y = 8, .clip_limit = 3.0 },
  .stretch_low = 0.5,
  .stretch_high = 0.5,
  .keep_colors = true,
  .scopes = { .enabled = AMPHISTO_SCOPE_NONE,
      .display = AMPHISTO_DISPLAY_OVERLAY,
      .position = AMPHISTO_SCOPE_BOTTOM_RIGHT,
      .width = 0.33,
      .height = 0.25,
      .opacity = 0.9,
      .scale = AMPHISTO_SCOPE_LINEAR,
      .waveform_colors = AMPHISTO_WAVEFORM_CHANNELS,
      .graticule = true,
      .clipping_bars = true,
      .intensity = 1.0 },
  .exposure = { .enabled = AMPHISTO_EXPOSURE_NONE,
      .scale = AMPHISTO_FALSE_COLOR_VIDEO,
      .zebra_low = 0.0,
      .zebra_high = 100.0,
      .peaking_threshold = 12.0 },
};

GBytes *
gst_amphisto_bins_to_bytes (const guint32 bins[AMPHISTO_N_BINS])
{
  guint32 words[GST_AMPHISTO_META_N_BINS] = { 0 };

  memcpy (words, bins, AMPHISTO_N_BINS * sizeof *words);
  return g_bytes_new (words, sizeof words);
}

/* --- references --- */

GstAmphistoSettings *
gst_amphisto_settings_new (void)
{
  GstAmphistoSettings *self = g_atomic_rc_box_new (GstAmphistoSettings);

  *self = gst_amphisto_default_settings;
  self->conditions = gst_amphisto_conditions_new (NULL, NULL);
  return self;
}

GstAmphistoSettings *
gst_amphisto_settings_copy (const GstAmphistoSettings *self)
{
  GstAmphistoSettings *copy = g_atomic_rc_box_new (GstAmphistoSettings);

  *copy = *self;
  g_atomic_rc_box_acquire (copy->conditions);
  if (copy->refused_expect != NULL)
    g_ref_string_acquire (copy->refused_expect);
  if (copy->match_bins != NULL)
    g_bytes_ref (copy->match_bins);
  return copy;
}

static void
settings_clear (gpointer data)
{
  GstAmphistoSettings *self = data;

  gst_amphisto_conditions_unref (self->conditions);
  g_clear_pointer (&self->refused_expect, g_ref_string_release);
  g_clear_pointer (&self->match_bins, g_bytes_unref);
}

void
gst_amphisto_settings_unref (GstAmphistoSettings *self)
{
  g_atomic_rc_box_release_full (self, settings_clear);
}

void
gst_amphisto_settings_take_conditions (
    GstAmphistoSettings *self, GstAmphistoConditions *conditions)
{
  gst_amphisto_conditions_unref (self->conditions);
  self->conditions = conditions;
}

/* --- what they ask for --- */

/* A condition on one channel of a group asks for all of them. */
AmphistoChannelMask
gst_amphisto_settings_channels (const GstAmphistoSettings *self)
{
  const AmphistoChannelMask expected =
      gst_amphisto_conditions_channels (self->conditions);
  AmphistoChannelMask mask = 0;

  for (guint i = 0; i < AMPHISTO_N_CHANNEL_GROUPS; i++) {
    const AmphistoChannelMask group = amphisto_channel_groups[i].channels;

    if (self->groups & 1u << i || expected & group)
      mask |= group;
  }
  return mask;
}

AmphistoEqualization
gst_amphisto_settings_equalization (const GstAmphistoSettings *self)
{
  if (self->equalization == AMPHISTO_EQUALIZATION_MATCH
      && self->match_bins == NULL)
    return AMPHISTO_EQUALIZATION_NONE;
  return self->equalization;
}

gboolean
gst_amphisto_settings_is_passthrough (const GstAmphistoSettings *self)
{
  return !self->attach_meta && !self->post_messages && self->conditions->n == 0
      && !self->scopes_only && self->scopes.enabled == AMPHISTO_SCOPE_NONE
      && self->exposure.enabled == AMPHISTO_EXPOSURE_NONE
      && gst_amphisto_settings_equalization (self)
      == AMPHISTO_EQUALIZATION_NONE;
}
