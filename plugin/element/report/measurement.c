/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/report/measurement.h"

#define ROI_META GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE

void
gst_amphisto_regions_init (GstAmphistoRegions *self, GstBuffer *buffer,
    const GstAmphistoCrop *crop, const AmphistoLayout *layout)
{
  const guint n =
      MIN (gst_buffer_get_n_meta (buffer, ROI_META), GST_AMPHISTO_MAX_REGIONS);
  gpointer state = NULL;

  *self = (GstAmphistoRegions){ .metas = g_new (
                                    const GstVideoRegionOfInterestMeta *, n),
    .clipped = g_new (AmphistoRegion, n),
    .histograms = g_new0 (AmphistoHistograms, n) };
  for (; self->n < n; self->n++) {
    const GstVideoRegionOfInterestMeta *meta =
        (gconstpointer) gst_buffer_iterate_meta_filtered (
            buffer, &state, ROI_META);
    AmphistoRegion region = { meta->x, meta->y, meta->w, meta->h };

    gst_amphisto_crop_move (
        crop, &region.x, &region.y, &region.width, &region.height);
    self->metas[self->n] = meta;
    self->clipped[self->n] = amphisto_region_clip (&region, layout);
  }
}

void
gst_amphisto_statistics_init (
    AmphistoStatistics statistics[AMPHISTO_N_CHANNELS],
    const AmphistoHistograms *histograms, const AmphistoLayout *layout,
    AmphistoChannelMask channels)
{
  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (histograms->channels & channels & AMPHISTO_CHANNEL_BIT (c))
      amphisto_histograms_statistics (histograms, layout, c, &statistics[c]);
}

void
gst_amphisto_measurement_end (
    GstAmphistoMeasurement *self, const AmphistoLayout *layout)
{
  const GstAmphistoSettings *settings = self->settings;
  const AmphistoChannelMask channels = settings->attach_meta || self->posts
      ? self->histograms.channels
      : gst_amphisto_conditions_channels (settings->conditions);

  gst_amphisto_statistics_init (
      self->statistics, &self->histograms, layout, channels);
}

void
gst_amphisto_measurement_clear (GstAmphistoMeasurement *self)
{
  g_clear_pointer (&self->settings, gst_amphisto_settings_unref);
  g_clear_pointer (&self->regions.metas, g_free);
  g_clear_pointer (&self->regions.clipped, g_free);
  g_clear_pointer (&self->regions.histograms, g_free);
}
