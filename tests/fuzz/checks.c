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

/* Returns: a field of a channel, NAN for others. */
static gdouble
statistic (const guint32 bins[N_BINS], const gchar *field)
{
  const Statistics s = statistics_of (bins);
  const struct
  {
    const gchar *field;
    gdouble value;
  } values[] = { { "samples", s.samples }, { "min", s.min }, { "max", s.max },
    { "median", s.median }, { "mean", s.mean }, { "stddev", s.stddev },
    { "entropy", s.entropy } };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    if (strcmp (field, values[i].field) == 0)
      return values[i].value;
  return NAN;
}

gboolean
fuzz_is_near (gdouble a, gdouble b)
{
  return fabs (a - b) <= 1e-5;
}

static void
check_statistics (const GstStructure *histogram, const guint32 bins[N_BINS])
{
  const Statistics expected = statistics_of (bins);
  Statistics s = { 0 };

  if (!gst_structure_get (histogram, "samples", G_TYPE_UINT64, &s.samples,
          "min", G_TYPE_UINT, &s.min, "max", G_TYPE_UINT, &s.max, "median",
          G_TYPE_UINT, &s.median, "mean", G_TYPE_DOUBLE, &s.mean, "stddev",
          G_TYPE_DOUBLE, &s.stddev, "entropy", G_TYPE_DOUBLE, &s.entropy, NULL))
    fuzz_fail ("a statistic is missing");
  if (s.samples != expected.samples || s.min != expected.min
      || s.max != expected.max || s.median != expected.median
      || s.mean != expected.mean || !fuzz_is_near (s.stddev, expected.stddev)
      || !fuzz_is_near (s.entropy, expected.entropy))
    fuzz_fail ("wrong statistics: %" GST_PTR_FORMAT, histogram);
}

static void
check_percentiles (const FuzzSettings *settings, const GstStructure *histogram,
    const guint32 bins[N_BINS], guint64 samples)
{
  const GValue *array = gst_structure_get_value (histogram, "percentiles");

  if (array == NULL
      || gst_value_array_get_size (array) != settings->n_percentiles)
    fuzz_fail ("wrong number of percentiles");
  for (guint i = 0; i < settings->n_percentiles; i++)
    if (g_value_get_uint (gst_value_array_get_value (array, i))
        != percentile (bins, samples, settings->percentiles[i]))
      fuzz_fail ("percentile %f", settings->percentiles[i]);
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
  gdouble low = -1, high = -1;

  gst_structure_get (histogram, "clipped-low", G_TYPE_DOUBLE, &low,
      "clipped-high", G_TYPE_DOUBLE, &high, NULL);
  if (low != clipped (self, channel, bins, FALSE)
      || high != clipped (self, channel, bins, TRUE))
    fuzz_fail ("clipped %f, %f", low, high);
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
    fuzz_fail ("%s %f, not %f", field, got, expected);
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
  check_statistics (histogram, bins);
  check_percentiles (&self->settings, histogram, bins, samples);
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
    fuzz_fail ("difference %f, not %f, or distance %f, not %f", got.difference,
        expected->difference, got.distance, expected->distance);
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
    fuzz_fail ("another region");
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
    fuzz_fail ("wrong number of regions");
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
    fuzz_fail ("wrong format, width or height");
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
    fuzz_fail ("metadata from upstream");
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
    fuzz_fail ("its metadata was changed");
}
