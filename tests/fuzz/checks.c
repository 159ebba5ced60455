/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "checks.h"
#include "report.h"

#include <math.h>
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

/* --- statistics --- */

typedef struct
{
  guint64 samples;
  guint min, max, median;
  gdouble mean, stddev, entropy;
} Statistics;

/* The smallest value v that occurs such that at least `percent` of the samples
 * are at or below v. */
static guint
percentile (const guint32 bins[N_BINS], guint64 samples, gdouble percent)
{
  guint64 cdf = 0;

  for (guint v = 0; v < N_BINS; v++) {
    cdf += bins[v];
    if (bins[v] > 0 && 100.0 * cdf >= percent * samples)
      return v;
  }
  return 0;
}

static Statistics
statistics_of (const guint32 bins[N_BINS])
{
  Statistics self = { .min = N_BINS };
  gdouble sum = 0, squares = 0;

  for (guint v = 0; v < N_BINS; v++) {
    self.samples += bins[v];
    sum += (gdouble) bins[v] * v;
    squares += (gdouble) bins[v] * v * v;
    if (bins[v] > 0)
      self.max = v;
    if (bins[v] > 0 && self.min == N_BINS)
      self.min = v;
  }
  if (self.samples == 0)
    return (Statistics){ 0 };
  self.median = percentile (bins, self.samples, 50);
  self.mean = sum / self.samples;
  self.stddev = sqrt (MAX (squares / self.samples - self.mean * self.mean, 0));
  for (guint v = 0; v < N_BINS; v++)
    if (bins[v] > 0)
      self.entropy -= bins[v] / (gdouble) self.samples
          * log2 (bins[v] / (gdouble) self.samples);
  return self;
}

#define N_STATISTICS 7

/* Stored as `type`; a double is exact unless it is rounded. */
static const struct
{
  const gchar *field;
  GType type;
  gboolean is_rounded;
} statistics[N_STATISTICS] = { { "samples", G_TYPE_UINT64, FALSE },
  { "min", G_TYPE_UINT, FALSE }, { "max", G_TYPE_UINT, FALSE },
  { "median", G_TYPE_UINT, FALSE }, { "mean", G_TYPE_DOUBLE, FALSE },
  { "stddev", G_TYPE_DOUBLE, TRUE }, { "entropy", G_TYPE_DOUBLE, TRUE } };

static void
list_values (const Statistics *s, gdouble values[N_STATISTICS])
{
  const gdouble list[N_STATISTICS] = { s->samples, s->min, s->max, s->median,
    s->mean, s->stddev, s->entropy };

  memcpy (values, list, sizeof list);
}

/* Returns: a field of a channel, NAN for others. */
static gdouble
statistic (const guint32 bins[N_BINS], const gchar *field)
{
  const Statistics s = statistics_of (bins);
  gdouble values[N_STATISTICS];

  list_values (&s, values);
  for (guint i = 0; i < N_STATISTICS; i++)
    if (strcmp (field, statistics[i].field) == 0)
      return values[i];
  return NAN;
}

gboolean
fuzz_is_near (gdouble a, gdouble b)
{
  return fabs (a - b) <= 1e-5;
}

/* Returns: NAN if the field is missing, or of another type. */
static gdouble
get_number (const GstStructure *structure, const gchar *field, GType type)
{
  const GValue *value = gst_structure_get_value (structure, field);
  g_auto (GValue) number = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_DOUBLE);
  if (value == NULL || !G_VALUE_HOLDS (value, type)
      || !g_value_transform (value, &number))
    return NAN;
  return g_value_get_double (&number);
}

static void
check_statistics (const gchar *channel, const GstStructure *histogram,
    const guint32 bins[N_BINS])
{
  const Statistics s = statistics_of (bins);
  gdouble expected[N_STATISTICS];

  list_values (&s, expected);
  for (guint i = 0; i < N_STATISTICS; i++) {
    const gchar *field = statistics[i].field;
    const gdouble got = get_number (histogram, field, statistics[i].type);

    if (got != expected[i]
        && !(statistics[i].is_rounded && fuzz_is_near (got, expected[i])))
      fuzz_fail ("%s.%s is %.17g, not %.17g", channel, field, got, expected[i]);
  }
}

static void
check_percentiles (const FuzzSettings *settings, const gchar *channel,
    const GstStructure *histogram, const guint32 bins[N_BINS], guint64 samples)
{
  const GValue *array = gst_structure_get_value (histogram, "percentiles");

  if (array == NULL
      || gst_value_array_get_size (array) != settings->n_percentiles)
    fuzz_fail ("%s has %u percentiles, not %u", channel,
        array != NULL ? gst_value_array_get_size (array) : 0,
        settings->n_percentiles);
  for (guint i = 0; i < settings->n_percentiles; i++) {
    const guint got = g_value_get_uint (gst_value_array_get_value (array, i));
    const guint expected = percentile (bins, samples, settings->percentiles[i]);

    if (got != expected)
      fuzz_fail ("percentile %.17g of %s is %u, not %u",
          settings->percentiles[i], channel, got, expected);
  }
}

static gdouble
fraction (const guint32 bins[N_BINS], guint first, guint last, guint64 samples)
{
  guint64 sum = 0;

  for (guint v = first; v <= last; v++)
    sum += bins[v];
  return samples > 0 ? (gdouble) sum / samples : 0;
}

/* The fraction of the channel's samples at black and below, or at white and
 * above. */
static gdouble
clipped (const FuzzFrame *self, const gchar *channel,
    const guint32 bins[N_BINS], gboolean is_high)
{
  const gboolean is_rgb = self->before->format->is_rgb;
  const guint64 samples = statistics_of (bins).samples;
  const guint *range = NULL;

  for (guint c = 0; c < FUZZ_N_CHANNELS; c++)
    if (strcmp (channel, fuzz_channels[c].name) == 0)
      range = !self->before->is_limited ? fuzz_channels[c].full
          : is_rgb                      ? fuzz_channels[c].limited_rgb
                                        : fuzz_channels[c].limited;
  return is_high ? fraction (bins, range[1], N_BINS - 1, samples)
                 : fraction (bins, 0, range[0], samples);
}

static void
check_clipping (const FuzzFrame *self, const gchar *channel,
    const GstStructure *histogram, const guint32 bins[N_BINS])
{
  static const gchar *const fields[] = { "clipped-low", "clipped-high" };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    const gdouble got = get_number (histogram, fields[i], G_TYPE_DOUBLE);
    const gdouble expected = clipped (self, channel, bins, i == 1);

    if (got != expected)
      fuzz_fail (
          "%s.%s is %.17g, not %.17g", channel, fields[i], got, expected);
  }
}

/* --- the picture as a whole --- */

/* From the first to the last, `end` excluded; 0 to 0: none. */
typedef struct
{
  guint first, end;
} Extent;

/* The rows, or the columns, of the selected part whose mean luma is above 24.
 */
static Extent
find_bright (const FuzzFrame *self, gboolean are_rows)
{
  const Picture *part = self->before;
  const guint n = are_rows ? part->part_height : part->part_width;
  const guint length = are_rows ? part->part_width : part->part_height;
  Extent extent = { 0 };

  for (guint i = 0; i < n; i++) {
    guint64 sum = 0;

    for (guint k = 0; k < length; k++)
      sum += picture_luma (part, self->weights,
          part->part_x + (are_rows ? k : i), part->part_y + (are_rows ? i : k));
    if (sum <= (guint64) 24 * length)
      continue;
    if (extent.end == 0)
      extent.first = i;
    extent.end = i + 1;
  }
  return extent;
}

/* Stores a field of the picture, which was asked for.
 *
 * Returns: FALSE if there are no pixels. */
static gboolean
get_picture_field (const FuzzFrame *self, const gchar *field, gdouble *value)
{
  const Extent x = find_bright (self, FALSE), y = find_bright (self, TRUE);
  const gboolean is_black = x.end == 0 || y.end == 0;
  const guint n_pixels = self->before->part_width * self->before->part_height;
  const struct
  {
    const gchar *field;
    guint value;
  } values[] = { { "active-x", self->before->part_x + x.first },
    { "active-y", self->before->part_y + y.first },
    { "active-width", x.end - x.first }, { "active-height", y.end - y.first } };

  if (n_pixels == 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    if (strcmp (field, values[i].field) == 0)
      *value = is_black ? 0 : values[i].value;
  if (strcmp (field, "out-of-gamut") == 0)
    *value = picture_count_outside (self->before) / (gdouble) n_pixels;
  return TRUE;
}

/* Checks a field of the picture, which may be NULL. */
static void
check_picture_field (const FuzzFrame *self, const GstStructure *picture,
    const gchar *field, gboolean is_asked_for)
{
  const GValue *value =
      picture != NULL ? gst_structure_get_value (picture, field) : NULL;
  gdouble expected = -1, got = -1;

  if ((value != NULL)
      != (is_asked_for && get_picture_field (self, field, &expected)))
    fuzz_fail ("picture %s %s", value != NULL ? "has" : "lacks", field);
  if (value != NULL && G_VALUE_HOLDS_UINT (value))
    got = g_value_get_uint (value);
  else if (value != NULL && G_VALUE_HOLDS_DOUBLE (value))
    got = g_value_get_double (value);
  if (got != expected)
    fuzz_fail ("picture.%s is %.17g, not %.17g", field, got, expected);
}

static void
check_picture (const FuzzFrame *self, const GstStructure *structure)
{
  static const gchar *const fields[] = { "active-x", "active-y", "active-width",
    "active-height" };
  const GValue *value = gst_structure_get_value (structure, "picture");
  const GstStructure *picture =
      value != NULL ? gst_value_get_structure (value) : NULL;

  check_picture_field (
      self, picture, "out-of-gamut", self->settings.check_gamut);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    check_picture_field (
        self, picture, fields[i], self->settings.find_letterbox);
}

gboolean
fuzz_frame_get (const FuzzFrame *self, const gchar *channel, const gchar *field,
    gdouble *value)
{
  guint32 bins[N_BINS];

  fuzz_frame_select_region (self);
  if (strcmp (channel, "picture") == 0)
    return get_picture_field (self, field, value);
  if (!fuzz_frame_count (self, channel, bins)
      || statistics_of (bins).samples == 0)
    return FALSE;
  if (g_str_has_prefix (field, "clipped"))
    *value = clipped (self, channel, bins, strcmp (field, "clipped-high") == 0);
  else
    *value = statistic (bins, field);
  return TRUE;
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
check_histogram (const FuzzFrame *self, const gchar *channel,
    const GstStructure *histogram, const guint32 expected[N_BINS])
{
  guint32 bins[N_BINS];
  guint64 samples = 0;

  if (!read_bins (gst_structure_get_value (histogram, "bins"), bins))
    fuzz_fail ("%s: no bins", channel);
  for (guint v = 0; v < N_BINS; v++) {
    if (bins[v] != expected[v])
      fuzz_fail ("%s: bin %u is %u, not %u", channel, v, bins[v], expected[v]);
    samples += bins[v];
  }
  check_statistics (channel, histogram, bins);
  check_percentiles (&self->settings, channel, histogram, bins, samples);
  check_clipping (self, channel, histogram, bins);
}

/* Checks the channels in the selected part. */
static void
check_channels (const FuzzFrame *self, const GstStructure *structure)
{
  for (guint c = 0; c < FUZZ_N_CHANNELS; c++) {
    const gchar *channel = fuzz_channels[c].name;
    const GValue *value = gst_structure_get_value (structure, channel);
    guint32 bins[N_BINS];
    const gboolean is_measured =
        (self->settings.channels & fuzz_channels[c].bit) != 0
        && fuzz_frame_count (self, channel, bins);

    if ((value != NULL) != is_measured)
      fuzz_fail (
          "%s is %s", channel, is_measured ? "missing" : "not asked for");
    if (is_measured)
      check_histogram (self, channel, gst_value_get_structure (value), bins);
  }
}

/* Checks luma's difference and distance from the previous frame. */
static void
check_comparison (const FuzzFrame *self, const GstStructure *structure)
{
  const GValue *luma = gst_structure_get_value (structure, "luma");
  const FuzzComparison *expected = &self->comparison;
  FuzzComparison got = { -1, -1 };

  if (luma != NULL)
    gst_structure_get (gst_value_get_structure (luma), "difference",
        G_TYPE_DOUBLE, &got.difference, "distance", G_TYPE_DOUBLE,
        &got.distance, NULL);
  if (got.difference != expected->difference
      || got.distance != expected->distance)
    fuzz_fail ("luma.difference is %.17g, not %.17g, or luma.distance %.17g, "
               "not %.17g",
        got.difference, expected->difference, got.distance, expected->distance);
}

void
fuzz_check_message (const FuzzFrame *self, const GstStructure *structure)
{
  fuzz_frame_select_region (self);
  check_channels (self, structure);
  check_picture (self, structure);
  check_comparison (self, structure);
}

static void
check_region (const FuzzFrame *self, const FuzzRegion *region,
    const GstStructure *structure)
{
  FuzzRegion got = { 0 };

  gst_structure_get (structure, "id", G_TYPE_INT, &got.id, "x", G_TYPE_UINT,
      &got.x, "y", G_TYPE_UINT, &got.y, "w", G_TYPE_UINT, &got.width, "h",
      G_TYPE_UINT, &got.height, NULL);
  if (memcmp (&got, region, sizeof got) != 0)
    fuzz_fail ("region %d at (%u, %u), %ux%u, not %d at (%u, %u), %ux%u",
        got.id, got.x, got.y, got.width, got.height, region->id, region->x,
        region->y, region->width, region->height);
  fuzz_picture_set_part (
      self->before, region->x, region->y, region->width, region->height);
  check_channels (self, structure);
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
  const gchar *format = gst_structure_get_string (structure, "format");
  gint width = 0, height = 0;

  gst_structure_get (structure, "width", G_TYPE_INT, &width, "height",
      G_TYPE_INT, &height, NULL);
  if (g_strcmp0 (format, GST_VIDEO_INFO_NAME (self->info)) != 0
      || width != self->info->width || height != self->info->height)
    fuzz_fail ("%s %dx%d, not %s %dx%d", format, width, height,
        GST_VIDEO_INFO_NAME (self->info), self->info->width,
        self->info->height);
  fuzz_check_message (self, structure);
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
