/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "fields.h"

#include <math.h>

#define N_BINS 256

/* --- channels --- */

/* The number of samples with values from `first` to `last`. */
static guint64
count (const guint32 bins[N_BINS], guint first, guint last)
{
  guint64 sum = 0;

  for (guint v = first; v <= last; v++)
    sum += bins[v];
  return sum;
}

/* 0 without samples. */
static gdouble
per_sample (const FuzzSamples *self, gdouble sum)
{
  const guint64 samples = count (self->bins, 0, N_BINS - 1);

  return samples > 0 ? sum / samples : 0;
}

guint
fuzz_percentile (const guint32 bins[N_BINS], gdouble percent)
{
  const guint64 samples = count (bins, 0, N_BINS - 1);
  guint64 cdf = 0;

  for (guint v = 0; v < N_BINS; v++) {
    cdf += bins[v];
    if (bins[v] > 0 && 100.0 * cdf >= percent * samples)
      return v;
  }
  return 0;
}

static gdouble
samples (const FuzzSamples *self)
{
  return count (self->bins, 0, N_BINS - 1);
}

static gdouble
minimum (const FuzzSamples *self)
{
  return fuzz_percentile (self->bins, 0);
}

static gdouble
maximum (const FuzzSamples *self)
{
  return fuzz_percentile (self->bins, 100);
}

static gdouble
median (const FuzzSamples *self)
{
  return fuzz_percentile (self->bins, 50);
}

static gdouble
mean (const FuzzSamples *self)
{
  gdouble sum = 0;

  for (guint v = 0; v < N_BINS; v++)
    sum += (gdouble) self->bins[v] * v;
  return per_sample (self, sum);
}

static gdouble
standard_deviation (const FuzzSamples *self)
{
  const gdouble middle = mean (self);
  gdouble squares = 0;

  for (guint v = 0; v < N_BINS; v++)
    squares += self->bins[v] * (v - middle) * (v - middle);
  return sqrt (per_sample (self, squares));
}

static gdouble
entropy (const FuzzSamples *self)
{
  const gdouble n = samples (self);
  gdouble bits = 0;

  for (guint v = 0; v < N_BINS; v++)
    if (self->bins[v] > 0)
      bits -= self->bins[v] / n * log2 (self->bins[v] / n);
  return bits;
}

static const guint *
range_of (const FuzzSamples *self)
{
  const Picture *picture = self->frame->before;

  return !picture->is_limited   ? self->channel->full
      : picture->format->is_rgb ? self->channel->limited_rgb
                                : self->channel->limited;
}

static gdouble
clipped_low (const FuzzSamples *self)
{
  return per_sample (self, count (self->bins, 0, range_of (self)[0]));
}

static gdouble
clipped_high (const FuzzSamples *self)
{
  return per_sample (self, count (self->bins, range_of (self)[1], N_BINS - 1));
}

static gdouble
compared (const FuzzSamples *self, gdouble value)
{
  return self->channel->bit == FUZZ_CHANNELS_LUMA && value != -1 ? value : NAN;
}

static gdouble
difference (const FuzzSamples *self)
{
  return compared (self, self->frame->comparison.difference);
}

static gdouble
distance (const FuzzSamples *self)
{
  return compared (self, self->frame->comparison.distance);
}

const FuzzField fuzz_channel_fields[] = {
  { "samples", G_TYPE_UINT64, samples, FALSE, FALSE },
  { "min", G_TYPE_UINT, minimum, FALSE, FALSE },
  { "max", G_TYPE_UINT, maximum, FALSE, FALSE },
  { "median", G_TYPE_UINT, median, FALSE, FALSE },
  { "mean", G_TYPE_DOUBLE, mean, FALSE, FALSE },
  { "stddev", G_TYPE_DOUBLE, standard_deviation, TRUE, FALSE },
  { "entropy", G_TYPE_DOUBLE, entropy, TRUE, FALSE },
  { "clipped-low", G_TYPE_DOUBLE, clipped_low, FALSE, FALSE },
  { "clipped-high", G_TYPE_DOUBLE, clipped_high, FALSE, FALSE },
  { "difference", G_TYPE_DOUBLE, difference, FALSE, TRUE },
  { "distance", G_TYPE_DOUBLE, distance, FALSE, TRUE },
  { NULL, G_TYPE_NONE, NULL, FALSE, FALSE },
};

/* --- the picture as a whole --- */

static guint
count_pixels (const FuzzSamples *self)
{
  return self->frame->before->part_width * self->frame->before->part_height;
}

static gdouble
out_of_gamut (const FuzzSamples *self)
{
  const guint n = count_pixels (self);

  return self->frame->settings.check_gamut && n > 0
      ? picture_count_outside (self->frame->before) / (gdouble) n
      : NAN;
}

static gdouble
picture_difference (const FuzzSamples *self)
{
  const gdouble value = self->frame->comparison.of_picture;

  return value != -1 ? value : NAN;
}

/* Luma of a pixel of the part, or beyond its border, which is reflected within
 * the pixel's field. */
static gint
luma_around (const FuzzFrame *self, guint x, guint y, gint dx, gint dy)
{
  const Picture *part = self->before;
  const gint stride = part->is_interlaced ? 2 : 1;
  gint column = (gint) x + dx, row = (gint) y + dy * stride;

  if (column < 0 || column >= (gint) part->part_width)
    column = (gint) x - dx;
  if (column < 0 || column >= (gint) part->part_width)
    column = (gint) x;
  if (row < 0 || row >= (gint) part->part_height)
    row = (gint) y - dy * stride;
  if (row < 0 || row >= (gint) part->part_height)
    row = (gint) y;
  return (gint) picture_luma (part, self->weights,
      part->part_x + (guint) column, part->part_y + (guint) row);
}

static gdouble
sharpness (const FuzzSamples *self)
{
  const FuzzFrame *frame = self->frame;
  const gdouble n = count_pixels (self);
  gint64 sum = 0, squares = 0;

  if (!frame->settings.measure_sharpness || n == 0)
    return NAN;
  for (guint y = 0; y < frame->before->part_height; y++)
    for (guint x = 0; x < frame->before->part_width; x++) {
      const gint64 laplacian = luma_around (frame, x, y, -1, 0)
          + luma_around (frame, x, y, 1, 0) + luma_around (frame, x, y, 0, -1)
          + luma_around (frame, x, y, 0, 1)
          - 4 * luma_around (frame, x, y, 0, 0);

      sum += laplacian;
      squares += laplacian * laplacian;
    }
  return ((gdouble) squares - (gdouble) sum * (gdouble) sum / n) / n;
}

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

/* Stores the rows, or the columns, between black bars: 0 to 0 if all rows or
 * all columns are black.
 *
 * Returns: FALSE if nobody asked, or there are no pixels. */
static gboolean
find_active (const FuzzSamples *self, gboolean are_rows, Extent *extent)
{
  if (!self->frame->settings.find_letterbox || count_pixels (self) == 0)
    return FALSE;
  *extent = find_bright (self->frame, are_rows);
  if (find_bright (self->frame, !are_rows).end == 0)
    *extent = (Extent){ 0 };
  return TRUE;
}

static gdouble
active_x (const FuzzSamples *self)
{
  Extent e;

  return !find_active (self, FALSE, &e) ? NAN
      : e.end > 0                       ? self->frame->before->part_x + e.first
                                        : 0;
}

static gdouble
active_y (const FuzzSamples *self)
{
  Extent e;

  return !find_active (self, TRUE, &e) ? NAN
      : e.end > 0                      ? self->frame->before->part_y + e.first
                                       : 0;
}

static gdouble
active_width (const FuzzSamples *self)
{
  Extent e;

  return find_active (self, FALSE, &e) ? e.end - e.first : NAN;
}

static gdouble
active_height (const FuzzSamples *self)
{
  Extent e;

  return find_active (self, TRUE, &e) ? e.end - e.first : NAN;
}

const FuzzField fuzz_picture_fields[] = {
  { "out-of-gamut", G_TYPE_DOUBLE, out_of_gamut, FALSE, FALSE },
  { "difference", G_TYPE_DOUBLE, picture_difference, FALSE, TRUE },
  { "sharpness", G_TYPE_DOUBLE, sharpness, TRUE, FALSE },
  { "active-x", G_TYPE_UINT, active_x, FALSE, FALSE },
  { "active-y", G_TYPE_UINT, active_y, FALSE, FALSE },
  { "active-width", G_TYPE_UINT, active_width, FALSE, FALSE },
  { "active-height", G_TYPE_UINT, active_height, FALSE, FALSE },
  { NULL, G_TYPE_NONE, NULL, FALSE, FALSE },
};
