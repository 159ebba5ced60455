/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/report/regions.h"

#define ROI_META GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE

guint
gst_amphisto_regions_count (GstBuffer *buffer)
{
  return gst_buffer_get_n_meta (buffer, ROI_META);
}

void
gst_amphisto_regions_init (GstAmphistoRegions *self, GstBuffer *buffer,
    const GstAmphistoCrop *crop, const AmphistoLayout *layout)
{
  const guint n =
      MIN (gst_amphisto_regions_count (buffer), GST_AMPHISTO_MAX_REGIONS);
  gpointer state = NULL;

  *self = (GstAmphistoRegions){ .roi = g_new (GstAmphistoRoi, n),
    .clipped = g_new (AmphistoRegion, n),
    .histograms = g_new0 (AmphistoHistograms, n) };
  while (self->n < n) {
    const GstVideoRegionOfInterestMeta *meta =
        (const GstVideoRegionOfInterestMeta *)
            gst_buffer_iterate_meta_filtered (buffer, &state, ROI_META);
    guint x = meta->x, y = meta->y, w = meta->w, h = meta->h;
    AmphistoRegion region;

    gst_amphisto_crop_move (crop, &x, &y, &w, &h);
    region = (AmphistoRegion){ x, y, w, h };
    self->roi[self->n] = (GstAmphistoRoi){ meta->id, meta->roi_type, meta->x,
      meta->y, meta->w, meta->h };
    self->clipped[self->n] = amphisto_region_clip (&region, layout);
    self->n++;
  }
}

void
gst_amphisto_regions_clear (GstAmphistoRegions *self)
{
  g_clear_pointer (&self->roi, g_free);
  g_clear_pointer (&self->clipped, g_free);
  g_clear_pointer (&self->histograms, g_free);
  self->n = 0;
}
