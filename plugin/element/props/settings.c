/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/props/settings.h"

static const GstAmphistoSettings defaults = {
  .channels = GST_AMPHISTO_CHANNELS_LUMA,
  .attach_meta = true,
  .interval = 100 * GST_MSECOND,
  .percentiles = { 1, 5, 25, 75, 95, 99 },
  .n_percentiles = 6,
  .expect_error = true,
  .equalization = AMPHISTO_EQUALIZATION_NONE,
  .strength = 1.0,
  .clahe = { .tiles_x = 8, .tiles_y = 8, .clip_limit = 3.0 },
  .stretch_low = 0.5,
  .stretch_high = 0.5,
  .scopes = { .enabled = AMPHISTO_SCOPE_NONE,
      .display = AMPHISTO_DISPLAY_OVERLAY,
      .position = AMPHISTO_SCOPE_BOTTOM_RIGHT,
      .width = 0.33,
      .height = 0.25,
      .opacity = 0.7,
      .scale = AMPHISTO_SCOPE_LINEAR,
      .graticule = true,
      .clipping_bars = true },
  .exposure = { .enabled = AMPHISTO_EXPOSURE_NONE,
      .zebra_low = 0.0,
      .zebra_high = 100.0 },
};

void
gst_amphisto_settings_init (GstAmphistoSettings *self)
{
  *self = defaults;
}

#define BIT(channel) AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_##channel)

/* A condition on one channel of a flag asks for all of them. */
AmphistoChannelMask
gst_amphisto_settings_channels (const GstAmphistoSettings *self)
{
  static const struct
  {
    GstAmphistoChannels flag;
    AmphistoChannelMask channels;
  } flags[] = {
    { GST_AMPHISTO_CHANNELS_LUMA, BIT (LUMA) },
    { GST_AMPHISTO_CHANNELS_CHROMA, BIT (U) | BIT (V) },
    { GST_AMPHISTO_CHANNELS_RGB, BIT (RED) | BIT (GREEN) | BIT (BLUE) },
    { GST_AMPHISTO_CHANNELS_ALPHA, BIT (ALPHA) },
  };
  const AmphistoChannelMask expected =
      gst_amphisto_conditions_channels (&self->conditions);
  AmphistoChannelMask mask = 0;

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    if (self->channels & flags[i].flag || expected & flags[i].channels)
      mask |= flags[i].channels;
  return mask;
}

#undef BIT

AmphistoEqualization
gst_amphisto_settings_equalization (const GstAmphistoSettings *self)
{
  if (self->equalization == AMPHISTO_EQUALIZATION_MATCH && !self->has_reference)
    return AMPHISTO_EQUALIZATION_NONE;
  return self->equalization;
}

static bool
changes_pixels (const GstAmphistoSettings *self)
{
  return gst_amphisto_settings_equalization (self) != AMPHISTO_EQUALIZATION_NONE
      || self->exposure.enabled != AMPHISTO_EXPOSURE_NONE
      || self->scopes.enabled != AMPHISTO_SCOPE_NONE;
}

gboolean
gst_amphisto_settings_is_passthrough (const GstAmphistoSettings *self)
{
  return !self->attach_meta && !self->post_messages && self->conditions.n == 0
      && !changes_pixels (self);
}
