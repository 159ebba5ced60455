/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "fields.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define N_BINS 256
/* Regions of interest that are measured per buffer. */
#define MAX_REGIONS 1024

gboolean
fuzz_frame_count (
    const FuzzFrame *self, const gchar *channel, guint32 bins[N_BINS])
{
  if (self->before->format->is_rgb && strcmp (channel, "luma") == 0) {
    picture_count_luma (self->before, self->weights, bins);
    return TRUE;
  }
  if (strcmp (channel, "saturation") == 0)
    return picture_count_saturation (self->before, self->weights, bins);
  return picture_count (self->before, channel, bins);
}

void
fuzz_frame_select_region (const FuzzFrame *self)
{
  const FuzzSettings *settings = &self->settings;

  fuzz_picture_set_part (self->before, settings->roi_x, settings->roi_y,
      settings->roi_width > 0 ? settings->roi_width : G_MAXUINT,
      settings->roi_height > 0 ? settings->roi_height : G_MAXUINT);
}

gboolean
fuzz_frame_is_measured (const FuzzFrame *self)
{
  guint32 bins[N_BINS];

  for (guint c = 0; c < FUZZ_N_CHANNELS; c++)
    if (self->settings.channels & fuzz_channels[c].bit
        && fuzz_frame_count (self, fuzz_channels[c].name, bins))
      return TRUE;
  return FALSE;
}

/* --- fields --- */

gboolean
fuzz_is_near (gdouble a, gdouble b)
{
  return fabs (a - b) <= 1e-5;
}

/* Returns: NAN if the field is missing, or of another type. */
static gdouble
get_number (const GstStructure *structure, const FuzzField *field)
{
  const GValue *value = gst_structure_get_value (structure, field->name);
  g_auto (GValue) number = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_DOUBLE);
  if (value == NULL || !G_VALUE_HOLDS (value, field->type)
      || !g_value_transform (value, &number))
    return NAN;
  return g_value_get_double (&number);
}

/* NAN: missing. */
static gboolean
is_expected (const FuzzField *field, gdouble got, gdouble expected)
{
  if (isnan (got) || isnan (expected))
    return isnan (got) && isnan (expected);
  return got == expected || (field->is_rounded && fuzz_is_near (got, expected));
}

static const FuzzField *
find_field (const FuzzField *fields, const gchar *name)
{
  for (; fields->name != NULL; fields++)
    if (strcmp (fields->name, name) == 0)
      return fields;
  return NULL;
}

static const FuzzChannel *
find_channel (const gchar *name)
{
  for (guint c = 0; c < FUZZ_N_CHANNELS; c++)
    if (strcmp (fuzz_channels[c].name, name) == 0)
      return &fuzz_channels[c];
  return NULL;
}

/* The structure has nothing but fields, channels if `fields` is NULL, and
 * `others`, which ends with NULL. */
static void
check_known (const gchar *of, const GstStructure *structure,
    const FuzzField *fields, const gchar *const *others)
{
  for (gint i = 0; i < gst_structure_n_fields (structure); i++) {
    const gchar *name = gst_structure_nth_field_name (structure, i);
    const gboolean is_known = fields != NULL ? find_field (fields, name) != NULL
                                             : find_channel (name) != NULL;

    if (!is_known && !g_strv_contains (others, name))
      fuzz_fail ("the fuzzer does not know the field %s of %s", name, of);
  }
}

/* Checks the fields of a channel or of `picture`; a structure without fields
 * may be NULL. */
static void
check_fields (const gchar *of, const GstStructure *structure,
    const FuzzField *fields, const FuzzSamples *samples, gboolean is_frame)
{
  for (const FuzzField *field = fields; field->name != NULL; field++) {
    const gdouble got = structure != NULL ? get_number (structure, field) : NAN;
    const gdouble expected =
        is_frame || !field->is_comparison ? field->value (samples) : NAN;

    if (!is_expected (field, got, expected))
      fuzz_fail ("%s.%s is %.17g, not %.17g (NAN: none)", of, field->name, got,
          expected);
  }
}

static void
check_percentiles (const FuzzSamples *self, const GstStructure *histogram)
{
  const FuzzSettings *settings = &self->frame->settings;
  const gchar *channel = self->channel->name;
  const GValue *array = gst_structure_get_value (histogram, "percentiles");

  if (array == NULL
      || gst_value_array_get_size (array) != settings->n_percentiles)
    fuzz_fail ("%s has %u percentiles, not %u", channel,
        array != NULL ? gst_value_array_get_size (array) : 0,
        settings->n_percentiles);
  for (guint i = 0; i < settings->n_percentiles; i++) {
    const guint got = g_value_get_uint (gst_value_array_get_value (array, i));
    const guint expected =
        fuzz_percentile (self->bins, settings->percentiles[i]);

    if (got != expected)
      fuzz_fail ("percentile %.17g of %s is %u, not %u",
          settings->percentiles[i], channel, got, expected);
  }
}

static void
check_picture (const FuzzFrame *self, const GstStructure *structure)
{
  static const gchar *const others[] = { NULL };
  const GValue *value = gst_structure_get_value (structure, "picture");
  const GstStructure *picture =
      value != NULL ? gst_value_get_structure (value) : NULL;
  const FuzzSamples samples = { .frame = self };

  check_fields ("picture", picture, fuzz_picture_fields, &samples, TRUE);
  if (picture != NULL)
    check_known ("picture", picture, fuzz_picture_fields, others);
}

gboolean
fuzz_frame_get (const FuzzFrame *self, const gchar *channel, const gchar *name,
    gdouble *value)
{
  FuzzSamples samples = { .frame = self, .channel = find_channel (channel) };
  const FuzzField *field = find_field (
      samples.channel != NULL ? fuzz_channel_fields : fuzz_picture_fields,
      name);
  gdouble percent;

  fuzz_frame_select_region (self);
  if (samples.channel != NULL
      && (!fuzz_frame_count (self, channel, samples.bins)
          || find_field (fuzz_channel_fields, "samples")->value (&samples)
              == 0))
    return FALSE;
  if (samples.channel != NULL && sscanf (name, "p%lf", &percent) == 1)
    *value = fuzz_percentile (samples.bins, percent);
  else
    *value = field != NULL ? field->value (&samples) : NAN;
  return field == NULL || !isnan (*value);
}

/* --- bins --- */

/* From the 256 words of the metadata, perhaps followed by words of 0, or from
 * the array of a message. */
static gboolean
read_bins (const GValue *value, guint32 bins[N_BINS])
{
  if (value == NULL)
    return FALSE;
  if (G_VALUE_HOLDS (value, G_TYPE_BYTES)) {
    gsize size;
    const guint32 *words = g_bytes_get_data (g_value_get_boxed (value), &size);

    if (size < N_BINS * sizeof *words)
      return FALSE;
    memcpy (bins, words, N_BINS * sizeof *words);
    for (gsize i = N_BINS; i < size / sizeof *words; i++)
      if (words[i] != 0)
        return FALSE;
    return TRUE;
  }
  if (!GST_VALUE_HOLDS_ARRAY (value)
      || gst_value_array_get_size (value) != N_BINS)
    return FALSE;
  for (guint v = 0; v < N_BINS; v++)
    bins[v] = g_value_get_uint (gst_value_array_get_value (value, v));
  return TRUE;
}

static void
check_histogram (
    const FuzzSamples *self, const GstStructure *histogram, gboolean is_frame)
{
  static const gchar *const others[] = { "bins", "percentiles", NULL };
  const gchar *channel = self->channel->name;
  guint32 bins[N_BINS];

  if (!read_bins (gst_structure_get_value (histogram, "bins"), bins))
    fuzz_fail ("%s: no bins", channel);
  for (guint v = 0; v < N_BINS; v++)
    if (bins[v] != self->bins[v])
      fuzz_fail (
          "%s: bin %u is %u, not %u", channel, v, bins[v], self->bins[v]);
  check_fields (channel, histogram, fuzz_channel_fields, self, is_frame);
  check_percentiles (self, histogram);
  check_known (channel, histogram, fuzz_channel_fields, others);
}

/* Checks the channels in the selected part: the frame's, or a region of
 * interest. */
static void
check_channels (
    const FuzzFrame *self, const GstStructure *structure, gboolean is_frame)
{
  for (guint c = 0; c < FUZZ_N_CHANNELS; c++) {
    FuzzSamples samples = { .frame = self, .channel = &fuzz_channels[c] };
    const gchar *channel = fuzz_channels[c].name;
    const GValue *value = gst_structure_get_value (structure, channel);
    const gboolean is_measured =
        (self->settings.channels & fuzz_channels[c].bit) != 0
        && fuzz_frame_count (self, channel, samples.bins);

    if ((value != NULL) != is_measured)
      fuzz_fail (
          "%s is %s", channel, is_measured ? "missing" : "not asked for");
    if (is_measured)
      check_histogram (&samples, gst_value_get_structure (value), is_frame);
  }
}

/* Checks what messages and metadata have of the frame, beside `others`. */
static void
check_frame (const FuzzFrame *self, const GstStructure *structure,
    const gchar *const *others)
{
  check_known ("the frame", structure, NULL, others);
  fuzz_frame_select_region (self);
  check_channels (self, structure, TRUE);
  check_picture (self, structure);
}

void
fuzz_check_message (const FuzzFrame *self, const GstStructure *structure)
{
  static const gchar *const others[] = { "picture", "timestamp", "stream-time",
    "running-time", "duration", NULL };

  check_frame (self, structure, others);
}

static void
check_region (const FuzzFrame *self, const FuzzRegion *region,
    const GstStructure *structure)
{
  static const gchar *const others[] = { "roi-type", "id", "x", "y", "w", "h",
    NULL };
  FuzzRegion got = { 0 };

  gst_structure_get (structure, "id", G_TYPE_INT, &got.id, "x", G_TYPE_UINT,
      &got.x, "y", G_TYPE_UINT, &got.y, "w", G_TYPE_UINT, &got.width, "h",
      G_TYPE_UINT, &got.height, NULL);
  if (memcmp (&got, region, sizeof got) != 0
      || g_strcmp0 (
             gst_structure_get_string (structure, "roi-type"), FUZZ_ROI_TYPE)
          != 0)
    fuzz_fail ("region %d at (%u, %u), %ux%u, not %d at (%u, %u), %ux%u",
        got.id, got.x, got.y, got.width, got.height, region->id, region->x,
        region->y, region->width, region->height);
  fuzz_picture_set_part (
      self->before, region->x, region->y, region->width, region->height);
  check_channels (self, structure, FALSE);
  check_known ("a region", structure, NULL, others);
}

static void
check_regions (const FuzzFrame *self, const GstStructure *structure)
{
  const GValue *array = gst_structure_get_value (structure, "regions");
  const guint n = MIN (self->regions->len, MAX_REGIONS);

  fuzz_report_begin_check ("regions");
  if ((array != NULL) != self->settings.roi_meta)
    fuzz_fail ("%s regions", array != NULL ? "unasked" : "no");
  if (array == NULL)
    return;
  if (gst_value_array_get_size (array) != n)
    fuzz_fail ("%u regions, not %u", gst_value_array_get_size (array), n);
  for (guint i = 0; i < n; i++)
    check_region (self, &g_array_index (self->regions, FuzzRegion, i),
        gst_value_get_structure (gst_value_array_get_value (array, i)));
}

/* --- metadata and messages --- */

/* The structure of the only metadata, or NULL if there are none or several. */
static const GstStructure *
only_structure (GstBuffer *buffer, guint *n)
{
  const GstStructure *structure = NULL;
  gpointer state = NULL;
  GstMeta *meta;

  *n = 0;
  while ((meta = gst_buffer_iterate_meta (buffer, &state)) != NULL)
    if (gst_meta_info_is_custom (meta->info)
        && gst_custom_meta_has_name ((GstCustomMeta *) meta, FUZZ_META_NAME)) {
      structure = gst_custom_meta_get_structure ((GstCustomMeta *) meta);
      ++*n;
    }
  return structure;
}

static void
check_structure (const FuzzFrame *self, const GstStructure *structure)
{
  static const gchar *const others[] = { "picture", "format", "width", "height",
    "regions", NULL };
  const gchar *format = gst_structure_get_string (structure, "format");
  gint width = 0, height = 0;

  gst_structure_get (structure, "width", G_TYPE_INT, &width, "height",
      G_TYPE_INT, &height, NULL);
  if (g_strcmp0 (format, GST_VIDEO_INFO_NAME (self->info)) != 0
      || width != self->info->width || height != self->info->height)
    fuzz_fail ("%s %dx%d, not %s %dx%d", format, width, height,
        GST_VIDEO_INFO_NAME (self->info), self->info->width,
        self->info->height);
  check_frame (self, structure, others);
  check_regions (self, structure);
}

void
fuzz_check_meta (const FuzzFrame *self, GstBuffer *out)
{
  const gboolean is_attached = self->settings.attach_meta;
  const guint n_expected = is_attached || self->has_upstream_meta ? 1 : 0;
  guint n;
  const GstStructure *structure = only_structure (out, &n);

  if (n != n_expected)
    fuzz_fail ("%u metadata, not %u", n, n_expected);
  if (n == 0)
    return;
  if (gst_structure_has_field (structure, FUZZ_UPSTREAM_FIELD) == is_attached)
    fuzz_fail (
        "the metadata %s upstream", is_attached ? "is still of" : "is not of");
  if (is_attached)
    check_structure (self, structure);
}

void
fuzz_check_other (const FuzzFrame *self, GstBuffer *other)
{
  guint n;
  const GstStructure *structure = only_structure (other, &n);

  if (n != (self->has_upstream_meta ? 1 : 0)
      || (n > 0 && !gst_structure_has_field (structure, FUZZ_UPSTREAM_FIELD)))
    fuzz_fail ("%u metadata, not %d of upstream: %" GST_PTR_FORMAT, n,
        self->has_upstream_meta, structure);
}
