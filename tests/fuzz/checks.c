/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "checks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define N_BINS 256
/* Regions of interest that are measured per buffer. */
#define MAX_REGIONS 1024

/* `channel` belongs to the bit `channels` of the property. */
static const struct
{
  const gchar *channel;
  guint channels;
} all_channels[] = { { "luma", 1 }, { "u", 2 }, { "v", 2 }, { "red", 4 },
  { "green", 4 }, { "blue", 4 }, { "alpha", 8 } };

/* Counts the frame's samples in the selected part. */
static gboolean
count (const FuzzFrame *self, const gchar *channel, guint32 bins[N_BINS])
{
  if (self->before->format->is_rgb && strcmp (channel, "luma") == 0) {
    picture_count_luma (self->before, self->weights, bins);
    return TRUE;
  }
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

  for (guint c = 0; c < G_N_ELEMENTS (all_channels); c++)
    if (self->settings.channels & all_channels[c].channels
        && count (self, all_channels[c].channel, bins))
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

static gboolean
is_near (gdouble a, gdouble b)
{
  return fabs (a - b) <= 1e-5;
}

static gchar *
check_statistics (const GstStructure *histogram, const guint32 bins[N_BINS])
{
  const Statistics expected = statistics_of (bins);
  Statistics s = { 0 };

  if (!gst_structure_get (histogram, "samples", G_TYPE_UINT64, &s.samples,
          "min", G_TYPE_UINT, &s.min, "max", G_TYPE_UINT, &s.max, "median",
          G_TYPE_UINT, &s.median, "mean", G_TYPE_DOUBLE, &s.mean, "stddev",
          G_TYPE_DOUBLE, &s.stddev, "entropy", G_TYPE_DOUBLE, &s.entropy, NULL))
    return g_strdup ("a statistic is missing");
  if (s.samples != expected.samples || s.min != expected.min
      || s.max != expected.max || s.median != expected.median
      || s.mean != expected.mean || !is_near (s.stddev, expected.stddev)
      || !is_near (s.entropy, expected.entropy))
    return g_strdup_printf (
        "wrong statistics: %" GST_PTR_FORMAT, (gconstpointer) histogram);
  return NULL;
}

static gchar *
check_percentiles (const FuzzSettings *settings, const GstStructure *histogram,
    const guint32 bins[N_BINS], guint64 samples)
{
  const GValue *array = gst_structure_get_value (histogram, "percentiles");

  if (array == NULL
      || gst_value_array_get_size (array) != settings->n_percentiles)
    return g_strdup ("wrong number of percentiles");
  for (guint i = 0; i < settings->n_percentiles; i++)
    if (g_value_get_uint (gst_value_array_get_value (array, i))
        != percentile (bins, samples, settings->percentiles[i]))
      return g_strdup_printf ("percentile %f", settings->percentiles[i]);
  return NULL;
}

static gdouble
fraction (const guint32 bins[N_BINS], guint first, guint last, guint64 samples)
{
  guint64 sum = 0;

  for (guint v = first; v <= last; v++)
    sum += bins[v];
  return samples > 0 ? (gdouble) sum / samples : 0;
}

static gchar *
check_clipping (const FuzzFrame *self, const gchar *channel,
    const GstStructure *histogram, const guint32 bins[N_BINS], guint64 samples)
{
  const gboolean is_chroma = strlen (channel) == 1;
  const gboolean is_limited = GST_VIDEO_INFO_IS_YUV (self->info)
      && self->before->is_limited
      && (is_chroma || strcmp (channel, "luma") == 0);
  const guint low = is_limited ? 16 : 0;
  const guint high = !is_limited ? 255 : is_chroma ? 240 : 235;
  gdouble clipped_low = -1, clipped_high = -1;

  gst_structure_get (histogram, "clipped-low", G_TYPE_DOUBLE, &clipped_low,
      "clipped-high", G_TYPE_DOUBLE, &clipped_high, NULL);
  if (clipped_low != fraction (bins, 0, low, samples)
      || clipped_high != fraction (bins, high, N_BINS - 1, samples))
    return g_strdup_printf ("clipped %f, %f", clipped_low, clipped_high);
  return NULL;
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

static gchar *
check_histogram (const FuzzFrame *self, const gchar *channel,
    const GstStructure *histogram, const guint32 expected[N_BINS])
{
  guint32 bins[N_BINS];
  guint64 samples = 0;
  gchar *wrong;

  if (!read_bins (gst_structure_get_value (histogram, "bins"), bins))
    return g_strdup ("no bins");
  for (guint v = 0; v < N_BINS; v++) {
    if (bins[v] != expected[v])
      return g_strdup_printf ("bin %u is %u, not %u", v, bins[v], expected[v]);
    samples += bins[v];
  }
  wrong = check_statistics (histogram, bins);
  if (wrong == NULL)
    wrong = check_percentiles (&self->settings, histogram, bins, samples);
  if (wrong == NULL)
    wrong = check_clipping (self, channel, histogram, bins, samples);
  return wrong;
}

/* Checks the channels in the selected part. */
static gchar *
check_channels (const FuzzFrame *self, const GstStructure *structure)
{
  for (guint c = 0; c < G_N_ELEMENTS (all_channels); c++) {
    const gchar *channel = all_channels[c].channel;
    const GValue *value = gst_structure_get_value (structure, channel);
    guint32 bins[N_BINS];
    const gboolean is_measured =
        (self->settings.channels & all_channels[c].channels) != 0
        && count (self, channel, bins);
    g_autofree gchar *wrong = NULL;

    if ((value != NULL) != is_measured)
      return g_strdup_printf (
          "%s is %s", channel, is_measured ? "missing" : "not asked for");
    if (!is_measured)
      continue;
    wrong =
        check_histogram (self, channel, gst_value_get_structure (value), bins);
    if (wrong != NULL)
      return g_strdup_printf ("%s: %s", channel, wrong);
  }
  return NULL;
}

static gchar *
check_region (const FuzzFrame *self, const FuzzRegion *region,
    const GstStructure *structure)
{
  FuzzRegion got = { 0 };

  gst_structure_get (structure, "id", G_TYPE_INT, &got.id, "x", G_TYPE_UINT,
      &got.x, "y", G_TYPE_UINT, &got.y, "w", G_TYPE_UINT, &got.width, "h",
      G_TYPE_UINT, &got.height, NULL);
  if (memcmp (&got, region, sizeof got) != 0)
    return g_strdup ("another region");
  fuzz_picture_set_part (
      self->before, region->x, region->y, region->width, region->height);
  return check_channels (self, structure);
}

static gchar *
check_regions (const FuzzFrame *self, const GstStructure *structure)
{
  const GValue *array = gst_structure_get_value (structure, "regions");
  const guint n = MIN (self->regions->len, MAX_REGIONS);

  if ((array != NULL) != self->settings.roi_meta)
    return g_strdup_printf ("%s regions", array != NULL ? "unasked" : "no");
  if (array == NULL)
    return NULL;
  if (gst_value_array_get_size (array) != n)
    return g_strdup ("wrong number of regions");
  for (guint i = 0; i < n; i++) {
    const GValue *value = gst_value_array_get_value (array, i);
    g_autofree gchar *wrong =
        check_region (self, &g_array_index (self->regions, FuzzRegion, i),
            gst_value_get_structure (value));

    if (wrong != NULL)
      return g_strdup_printf ("region %u: %s", i, wrong);
  }
  return NULL;
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

static gchar *
check_structure (const FuzzFrame *self, const GstStructure *structure)
{
  const gchar *format = gst_structure_get_string (structure, "format");
  gint width = 0, height = 0;
  gchar *wrong;

  gst_structure_get (structure, "width", G_TYPE_INT, &width, "height",
      G_TYPE_INT, &height, NULL);
  if (g_strcmp0 (format, GST_VIDEO_INFO_NAME (self->info)) != 0
      || width != self->info->width || height != self->info->height)
    return g_strdup ("wrong format, width or height");
  fuzz_frame_select_region (self);
  wrong = check_channels (self, structure);
  return wrong != NULL ? wrong : check_regions (self, structure);
}

gchar *
fuzz_check_meta (const FuzzFrame *self, GstBuffer *out)
{
  guint n;
  const GstStructure *structure = only_structure (out, &n);
  const guint n_expected =
      self->settings.attach_meta || self->has_upstream_meta ? 1 : 0;

  if (n != n_expected)
    return g_strdup_printf ("%u metadata, not %u", n, n_expected);
  if (n == 0)
    return NULL;
  if (gst_structure_has_field (structure, FUZZ_UPSTREAM_FIELD)
      == self->settings.attach_meta)
    return g_strdup ("metadata from upstream");
  return self->settings.attach_meta ? check_structure (self, structure) : NULL;
}

FuzzComparison
fuzz_comparison_read (GstBuffer *out)
{
  FuzzComparison self = { -1, -1 };
  guint n;
  const GstStructure *structure = only_structure (out, &n);
  const GValue *luma =
      n == 1 ? gst_structure_get_value (structure, "luma") : NULL;

  if (luma != NULL) {
    const GstStructure *histogram = gst_value_get_structure (luma);

    gst_structure_get_double (histogram, "difference", &self.difference);
    gst_structure_get_double (histogram, "distance", &self.distance);
  }
  return self;
}

gchar *
fuzz_check_comparison (const FuzzFrame *self, const FuzzComparison *comparison)
{
  if (comparison->difference == -1 && comparison->distance == -1)
    return NULL;
  /* the CDFs differ no more than the samples */
  if (!self->settings.compare_frames || comparison->distance < 0
      || comparison->difference < comparison->distance
      || comparison->difference > 255)
    return g_strdup_printf ("difference %f, distance %f",
        comparison->difference, comparison->distance);
  return NULL;
}

gchar *
fuzz_check_other (const FuzzFrame *self, GstBuffer *other)
{
  guint n;
  const GstStructure *structure = only_structure (other, &n);

  if (n != (self->has_upstream_meta ? 1 : 0)
      || (n > 0 && !gst_structure_has_field (structure, FUZZ_UPSTREAM_FIELD)))
    return g_strdup ("its metadata was changed");
  return NULL;
}

gchar *
fuzz_check_message (const FuzzFrame *self, const GstStructure *structure)
{
  fuzz_frame_select_region (self);
  return check_channels (self, structure);
}

/* --- conditions --- */

/* Returns: the field of a channel, or NAN for fields that are checked
 * elsewhere.
 */
static gdouble
value_of (const guint32 bins[N_BINS], const gchar *field)
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

static gboolean
compare (gdouble value, const gchar *operator, gdouble number)
{
  const gboolean is_met = (strchr (operator, '<') != NULL && value < number)
      || (strchr (operator, '>') != NULL && value > number)
      || (strchr (operator, '=') != NULL && value == number);

  return operator[0] == '!' ? value != number : is_met;
}

/* Stores the field's value: NAN if it is checked elsewhere.
 *
 * Returns: FALSE if the frame lacks it, or has no samples. */
static gboolean
get_field (const FuzzFrame *self, const FuzzComparison *comparison,
    const gchar *channel, const gchar *field, gdouble *value)
{
  const gboolean is_difference = strcmp (field, "difference") == 0;
  guint32 bins[N_BINS];

  fuzz_frame_select_region (self);
  if (!count (self, channel, bins) || statistics_of (bins).samples == 0)
    return FALSE;
  *value = value_of (bins, field);
  if (!self->settings.attach_meta
      || (!is_difference && strcmp (field, "distance") != 0))
    return TRUE;
  *value = is_difference ? comparison->difference : comparison->distance;
  return *value >= 0;
}

FuzzTestResult
fuzz_test_condition (const FuzzFrame *self, const FuzzComparison *comparison,
    const gchar *condition)
{
  gchar channel[8] = "", field[16] = "", operator[4] = "";
  gdouble number = 0, value;

  if (sscanf (condition, "%7[a-z].%15[a-z-] %3[<>=!] %lf", channel,
          field, operator, & number)
      != 4)
    return FUZZ_UNKNOWN;
  if (!get_field (self, comparison, channel, field, &value))
    return FUZZ_UNTESTED;
  if (isnan (value) || (value != number && is_near (value, number)))
    return FUZZ_UNKNOWN;
  return compare (value, operator, number) ? FUZZ_MET : FUZZ_FAILED;
}

gchar *
fuzz_check_told (const FuzzFrame *self, const FuzzComparison *comparison,
    const GstStructure *structure)
{
  const gchar *condition = gst_structure_get_string (structure, "condition");
  gboolean met = FALSE;
  FuzzTestResult result;

  gst_structure_get_boolean (structure, "met", &met);
  if (strstr (self->settings.expect, condition) == NULL)
    return g_strdup ("not expected");
  result = fuzz_test_condition (self, comparison, condition);
  /* a failure may last for long enough with the frame after it */
  if (result == FUZZ_UNKNOWN || (result == FUZZ_UNTESTED && !met)
      || (result == FUZZ_MET) == met)
    return NULL;
  return g_strdup (met ? "told to be met" : "told to fail");
}

/* --- pixels --- */

static gchar *
describe_byte (const Picture *picture, gsize at)
{
  const gsize begin = picture->data - picture->block;

  for (guint p = 0; p < picture->n_planes; p++)
    for (guint y = 0; y < picture->rows[p]; y++) {
      const gsize row = begin + picture->offset[p] + y * picture->stride[p];

      if (at >= row && at < row + picture->row_bytes[p])
        return g_strdup_printf ("plane %u, row %u, byte %" G_GSIZE_FORMAT
                                " of %u",
            p, y, at - row, picture->row_bytes[p]);
    }
  return g_strdup_printf ("byte %" G_GSIZE_FORMAT " outside the rows", at);
}

gchar *
fuzz_compare (const Picture *expected, const Picture *actual)
{
  gsize at = 0;
  g_autofree gchar *place = NULL;

  if (memcmp (expected->block, actual->block, expected->block_size) == 0)
    return NULL;
  while (expected->block[at] == actual->block[at])
    at++;
  place = describe_byte (expected, at);
  return g_strdup_printf (
      "%s is %u, not %u", place, actual->block[at], expected->block[at]);
}

static gboolean
is_within (const Picture *picture, const guint8 *byte)
{
  return byte >= picture->block && byte < picture->block + picture->block_size;
}

static void
copy_plane (const Picture *source, const Picture *target, guint p)
{
  for (guint y = 0; y < picture_plane_rows (source, p); y++)
    memcpy (picture_row (target, p, y), picture_row (source, p, y),
        source->row_bytes[p]);
}

gchar *
fuzz_take_output (const FuzzFrame *self, GstBuffer *out, Picture *input,
    gboolean is_shared, Picture *result)
{
  GstVideoFrame map;

  if (is_shared) {
    gchar *wrong = fuzz_compare (self->before, input);

    if (wrong != NULL)
      return wrong;
  }
  if (!gst_video_frame_map (&map, self->info, out, GST_MAP_READ))
    return g_strdup ("the buffer that came out can't be mapped");
  for (guint p = 0; p < result->n_planes; p++) {
    const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (&map, p);

    for (guint y = 0; y < picture_plane_rows (result, p); y++)
      memcpy (picture_row (result, p, y),
          data + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&map, p),
          result->row_bytes[p]);
  }
  for (guint p = 0; p < result->n_planes; p++)
    if (is_within (input, GST_VIDEO_FRAME_PLANE_DATA (&map, p)))
      copy_plane (self->before, input, p);
  gst_video_frame_unmap (&map);
  return fuzz_compare (self->before, input);
}

static guint8 *
sample (const Picture *picture, const PictureComponent *c, guint x, guint y)
{
  return picture_row (picture, c->plane, y) + c->offset + (gsize) x * c->step;
}

/* Restores a component's samples in the selected part. */
static void
restore (const FuzzFrame *self, Picture *result, guint component)
{
  const PictureComponent *c = &result->format->component[component];
  const Picture *before = self->before;
  const guint end_x = before->part_x + before->part_width;
  guint y, end_y;

  if (c->channel == NULL || fuzz_picture_part_is_empty (before))
    return;
  picture_part_rows (before, c->y_shift, &y, &end_y);
  for (; y < end_y; y++)
    for (guint x = before->part_x >> c->x_shift; x << c->x_shift < end_x; x++)
      *sample (result, c, x, y) = *sample (before, c, x, y);
}

static gboolean
is_drawn_into (const FuzzSettings *settings)
{
  return settings->scopes != FUZZ_SCOPES_NONE
      || settings->exposure != FUZZ_EXPOSURE_NONE;
}

static gboolean
is_equalized_alone (const FuzzSettings *settings)
{
  return settings->equalization == FUZZ_EQUALIZATION_GLOBAL
      && settings->smoothing == 0;
}

static void
equalize (const FuzzFrame *self, Picture *picture)
{
  guint32 bins[N_BINS];

  if (fuzz_picture_part_is_empty (picture))
    return;
  if (picture->format->is_rgb) {
    picture_equalize_rgb (
        picture, self->weights, (gfloat) self->settings.strength);
    return;
  }
  picture_count (picture, "luma", bins);
  picture_equalize_by (picture, bins, (gfloat) self->settings.strength);
}

gchar *
fuzz_check_pixels (const FuzzFrame *self, const Picture *result)
{
  const FuzzSettings *settings = &self->settings;
  const gboolean has_scopes = settings->scopes != FUZZ_SCOPES_NONE;
  g_autoptr (Picture) expected = NULL;
  g_autoptr (Picture) restored = NULL;

  fuzz_frame_select_region (self);
  if (!is_drawn_into (settings)
      && settings->equalization == FUZZ_EQUALIZATION_NONE)
    return fuzz_compare (self->before, result);
  if (!is_drawn_into (settings) && is_equalized_alone (settings)) {
    expected = fuzz_picture_copy (self->before);
    equalize (self, expected);
    return fuzz_compare (expected, result);
  }
  restored = fuzz_picture_copy (result);
  /* scopes stand in the frame's corner, and are drawn into alpha */
  if (has_scopes && !fuzz_picture_part_is_empty (self->before))
    fuzz_picture_set_part (self->before, 0, 0, G_MAXUINT, G_MAXUINT);
  for (guint i = 0; i < 4; i++)
    if (i == 0 || has_scopes
        || (i < 3
            && (restored->format->is_rgb
                || settings->exposure & FUZZ_EXPOSURE_FALSE_COLOR)))
      restore (self, restored, i);
  return fuzz_compare (self->before, restored);
}

/* --- scopes --- */

static GstBuffer *
pixels_of (GstVideoOverlayRectangle *rectangle)
{
  return gst_video_overlay_rectangle_get_pixels_unscaled_raw (
      rectangle, GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
}

static gboolean
rectangles_equal (GstVideoOverlayRectangle *a, GstVideoOverlayRectangle *b)
{
  gint x[2], y[2];
  guint width[2], height[2];
  GstMapInfo map;
  gboolean are_equal;

  gst_video_overlay_rectangle_get_render_rectangle (
      a, &x[0], &y[0], &width[0], &height[0]);
  gst_video_overlay_rectangle_get_render_rectangle (
      b, &x[1], &y[1], &width[1], &height[1]);
  g_assert_true (gst_buffer_map (pixels_of (a), &map, GST_MAP_READ));
  are_equal = x[0] == x[1] && y[0] == y[1] && width[0] == width[1]
      && height[0] == height[1]
      && gst_buffer_memcmp (pixels_of (b), 0, map.data, map.size) == 0;
  gst_buffer_unmap (pixels_of (a), &map);
  return are_equal;
}

gchar *
fuzz_compare_scopes (
    GstVideoOverlayComposition *expected, GstVideoOverlayComposition *actual)
{
  const guint n = expected != NULL
      ? gst_video_overlay_composition_n_rectangles (expected)
      : 0;

  if ((actual != NULL ? gst_video_overlay_composition_n_rectangles (actual) : 0)
      != n)
    return g_strdup_printf ("not %u rectangles", n);
  for (guint i = 0; i < n; i++)
    if (!rectangles_equal (
            gst_video_overlay_composition_get_rectangle (expected, i),
            gst_video_overlay_composition_get_rectangle (actual, i)))
      return g_strdup_printf ("rectangle %u of %u differs", i, n);
  return NULL;
}
