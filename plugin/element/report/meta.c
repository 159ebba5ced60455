/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/report/meta.h"
#include "core/pixels/channels.h"

gboolean
gst_amphisto_meta_register (void)
{
  const gchar *tags[] = { NULL };
  const GstMetaInfo *info = gst_meta_get_info (GST_AMPHISTO_META_NAME);

  /* another copy of the plugin in this process may have registered it */
  if (info == NULL)
    info = gst_meta_register_custom (
        GST_AMPHISTO_META_NAME, tags, NULL, NULL, NULL);
  return info != NULL && gst_meta_info_is_custom (info);
}

gboolean
gst_amphisto_meta_is (GstMeta *meta)
{
  return gst_meta_info_is_custom (meta->info)
      && gst_custom_meta_has_name (
          (GstCustomMeta *) meta, GST_AMPHISTO_META_NAME);
}

static void
append_uint (GValue *array, guint number)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_UINT);
  g_value_set_uint (&value, number);
  gst_value_array_append_and_take_value (array, &value);
}

static void
add_field (GstStructure *structure, const gchar *name, AmphistoFieldType type,
    gdouble value)
{
  switch (type) {
    case AMPHISTO_FIELD_UINT64:
      gst_structure_set (structure, name, G_TYPE_UINT64, (guint64) value, NULL);
      break;
    case AMPHISTO_FIELD_UINT:
      gst_structure_set (structure, name, G_TYPE_UINT, (guint) value, NULL);
      break;
    case AMPHISTO_FIELD_DOUBLE:
      gst_structure_set (structure, name, G_TYPE_DOUBLE, value, NULL);
  }
}

static GstStructure *
histogram_structure_new (const uint32_t *counts,
    const AmphistoStatistics *statistics, const GstAmphistoSettings *settings,
    void (*init_bins) (GValue *, const uint32_t *))
{
  GstStructure *structure = gst_structure_new_empty ("histogram");
  GValue percentiles = G_VALUE_INIT;
  GValue bins = G_VALUE_INIT;
  gdouble value;

  for (guint f = 0; f < AMPHISTO_N_FIELDS; f++)
    if (amphisto_statistics_get (statistics, f, &value))
      add_field (
          structure, amphisto_field_name (f), amphisto_field_type (f), value);
  gst_value_array_init (&percentiles, settings->percentiles.n);
  for (guint i = 0; i < settings->percentiles.n; i++)
    append_uint (&percentiles,
        amphisto_histogram_percentile (
            counts, settings->percentiles.percent[i]));
  gst_structure_take_value (structure, "percentiles", &percentiles);
  init_bins (&bins, counts);
  gst_structure_take_value (structure, "bins", &bins);
  return structure;
}

static void
init_bins_as_bytes (GValue *value, const uint32_t *counts)
{
  g_value_init (value, G_TYPE_BYTES);
  g_value_take_boxed (value, gst_amphisto_bins_to_bytes (counts));
}

static void
init_bins_as_array (GValue *value, const uint32_t *counts)
{
  gst_value_array_init (value, AMPHISTO_N_BINS);
  for (guint v = 0; v < AMPHISTO_N_BINS; v++)
    append_uint (value, counts[v]);
}

static void
add_channels (GstStructure *structure, const AmphistoHistograms *histograms,
    const AmphistoStatistics statistics[AMPHISTO_N_CHANNELS],
    const GstAmphistoSettings *settings,
    void (*init_bins) (GValue *, const uint32_t *))
{
  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    GValue channel = G_VALUE_INIT;

    if (!(histograms->channels & AMPHISTO_CHANNEL_BIT (c)))
      continue;
    g_value_init (&channel, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&channel,
        histogram_structure_new (
            histograms->bins[c], &statistics[c], settings, init_bins));
    gst_structure_take_value (structure, amphisto_channel_name (c), &channel);
  }
}

/* Adds what was measured of the picture; nothing if nothing was. */
static void
add_picture (GstStructure *structure, const AmphistoPicture *picture)
{
  g_autoptr (GstStructure) fields = gst_structure_new_empty ("picture");
  gdouble value;

  for (guint f = 0; f < AMPHISTO_N_PICTURE_FIELDS; f++)
    if (amphisto_picture_get (picture, f, &value))
      add_field (fields, amphisto_picture_field_name (f),
          f < AMPHISTO_PICTURE_ACTIVE_X ? AMPHISTO_FIELD_DOUBLE
                                        : AMPHISTO_FIELD_UINT,
          value);
  if (gst_structure_n_fields (fields) > 0)
    gst_structure_set (structure, "picture", GST_TYPE_STRUCTURE, fields, NULL);
}

static GstStructure *
region_structure_new (const GstVideoRegionOfInterestMeta *meta,
    const AmphistoHistograms *histograms, const AmphistoLayout *layout,
    const GstAmphistoSettings *settings)
{
  const gchar *roi_type = g_quark_to_string (meta->roi_type); /* or NULL */
  /* GStreamer refuses strings that are not valid UTF-8, with a warning */
  g_autofree gchar *type =
      roi_type != NULL ? g_utf8_make_valid (roi_type, -1) : NULL;
  GstStructure *structure =
      gst_structure_new ("region", "id", G_TYPE_INT, meta->id, "roi-type",
          G_TYPE_STRING, type, "x", G_TYPE_UINT, meta->x, "y", G_TYPE_UINT,
          meta->y, "w", G_TYPE_UINT, meta->w, "h", G_TYPE_UINT, meta->h, NULL);
  AmphistoStatistics statistics[AMPHISTO_N_CHANNELS];

  gst_amphisto_statistics_init (
      statistics, histograms, layout, histograms->channels);
  add_channels (
      structure, histograms, statistics, settings, init_bins_as_bytes);
  return structure;
}

static void
add_regions (GstStructure *structure, const AmphistoLayout *layout,
    const GstAmphistoMeasurement *measurement)
{
  const GstAmphistoRegions *regions = &measurement->regions;
  GValue array = G_VALUE_INIT;

  gst_value_array_init (&array, regions->n);
  for (guint i = 0; i < regions->n; i++) {
    GValue region = G_VALUE_INIT;

    g_value_init (&region, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&region,
        region_structure_new (regions->metas[i], &regions->histograms[i],
            layout, measurement->settings));
    gst_value_array_append_and_take_value (&array, &region);
  }
  gst_structure_take_value (structure, "regions", &array);
}

gboolean
gst_amphisto_meta_attach (GstBuffer *buffer, const GstVideoInfo *info,
    const AmphistoLayout *layout, const GstAmphistoMeasurement *measurement)
{
  GstCustomMeta *meta =
      gst_buffer_get_custom_meta (buffer, GST_AMPHISTO_META_NAME);
  GstStructure *structure;

  if (meta != NULL && !gst_buffer_remove_meta (buffer, &meta->meta))
    return FALSE;
  meta = gst_buffer_add_custom_meta (buffer, GST_AMPHISTO_META_NAME);
  if (meta == NULL)
    return FALSE;
  structure = gst_custom_meta_get_structure (meta);
  gst_structure_set (structure, "format", G_TYPE_STRING,
      GST_VIDEO_INFO_NAME (info), "width", G_TYPE_INT,
      GST_VIDEO_INFO_WIDTH (info), "height", G_TYPE_INT,
      GST_VIDEO_INFO_HEIGHT (info), NULL);
  add_channels (structure, &measurement->histograms, measurement->statistics,
      measurement->settings, init_bins_as_bytes);
  add_picture (structure, &measurement->histograms.picture);
  if (measurement->settings->roi_meta)
    add_regions (structure, layout, measurement);
  return TRUE;
}

void
gst_amphisto_structure_add_channels (
    GstStructure *structure, const GstAmphistoMeasurement *measurement)
{
  add_channels (structure, &measurement->histograms, measurement->statistics,
      measurement->settings, init_bins_as_array);
  add_picture (structure, &measurement->histograms.picture);
}
