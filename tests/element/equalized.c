/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The equalization of pictures; see picture.h.
 */

#include "picture.h"

#include <math.h>
#include <stdlib.h>

/* --- look-up tables --- */

static void
apply_strength (float strength, int lut[256])
{
  for (int i = 0; i < 256; i++) {
    const float move = strength * (float) (lut[i] - i);

    lut[i] = (int) rintf ((float) i + move);
  }
}

static void
make_lut (
    const uint32_t bins[256], int lo, int hi, float strength, int lut[256])
{
  uint32_t n = 0, sum = 0;
  int i0 = 0;

  for (int i = 0; i < 256; i++)
    n += bins[i];
  while (i0 < 255 && bins[i0] == 0) /* a mean may be rounded to 0 */
    i0++;
  for (int i = 0; i < 256; i++) {
    lut[i] = i;
    if (bins[i0] != n) {
      const float scale = (float) (hi - lo) / (float) (n - bins[i0]);

      if (i > i0)
        sum += bins[i];
      lut[i] = lo + (int) rintf ((float) sum * scale);
    }
  }
  apply_strength (strength, lut);
}

/* Cuts off at most `low` percent of the samples at the lower end, and `high`
 * percent at the upper end. */
static void
make_stretch_lut (const uint32_t bins[256], double low, double high, int lo,
    int hi, float strength, int lut[256])
{
  double n = 0, below = 0, above = 0;
  int a = 0, b = 255;

  for (int i = 0; i < 256; i++)
    n += bins[i];
  while (below + bins[a] <= floor (n * low / 100))
    below += bins[a++];
  while (above + bins[b] <= floor (n * high / 100))
    above += bins[b--];
  for (int i = 0; i < 256; i++) {
    const int clamped = i < a ? a : i > b ? b : i;

    lut[i] = a < b ? lo
            + (int) rintf (
                (float) (clamped - a) * ((float) (hi - lo) / (float) (b - a)))
                   : i;
  }
  apply_strength (strength, lut);
}

/* --- colours --- */

/* Returns: the distances of the samples from their mean, in 1/16, added up.
 * luts: NULL for the identity. */
static uint64_t
find_spread (unsigned n, const uint32_t bins[][256], const int luts[][256])
{
  uint64_t samples = 0, sum = 0, spread = 0;

  for (unsigned t = 0; t < n; t++)
    for (unsigned i = 0; i < 256; i++) {
      samples += bins[t][i];
      sum += (uint64_t) bins[t][i] * (luts == NULL ? (int) i : luts[t][i]);
    }
  for (unsigned t = 0; t < n && samples > 0; t++)
    for (unsigned i = 0; i < 256; i++)
      spread += bins[t][i]
          * (uint64_t) llabs (16ll * (luts == NULL ? (int) i : luts[t][i])
              - (int64_t) ((16 * sum + samples / 2) / samples));
  return spread;
}

int
picture_find_gain (
    unsigned n, const uint32_t bins[][256], const int luts[][256])
{
  const uint64_t before = find_spread (n, bins, NULL);
  uint64_t gain = 256;

  if (before > 0)
    gain = (256 * find_spread (n, bins, luts) + before / 2) / before;
  return gain < 256 ? 256 : gain > 1024 ? 1024 : (int) gain;
}

/* How far red, green and blue of a pixel are from luma, of YUV in luma's range.
 */
static void
find_offsets (const Picture *picture, const unsigned weights[3], unsigned x,
    unsigned y, int offsets[3])
{
  const PictureComponent *component = picture->format->component;
  const int luma = (int) picture_luma (picture, weights, x, y);
  double codes[3];

  if (!picture->format->is_rgb)
    picture_read_colours (picture, x, y, codes);
  for (unsigned c = 0; c < 3; c++) {
    if (picture->format->is_rgb)
      codes[c] = *picture_sample (picture, &component[c], x, y);
    else if (picture->is_limited)
      codes[c] = floor ((219 * codes[c] + 4207) / 255);
    offsets[c] = (int) codes[c] - luma;
  }
}

/* The greatest gain that does not clip a pixel of the part, whose luma becomes
 * `to`. */
static int
find_limit (const Picture *picture, const unsigned weights[3], unsigned x,
    unsigned y, int to)
{
  const bool is_narrow = picture->is_limited && !picture->format->is_rgb;
  const int lo = is_narrow ? 16 : 0, hi = is_narrow ? 235 : 255;
  int limit = 1024;
  int offsets[3];

  find_offsets (
      picture, weights, picture->part_x + x, picture->part_y + y, offsets);
  for (unsigned c = 0; c < 3; c++) {
    const double room = offsets[c] > 0 ? hi - to : to - lo;

    if (offsets[c] != 0)
      limit =
          (int) fmin (limit, floor (256 * fmax (room, 0) / abs (offsets[c])));
  }
  return limit;
}

static int
compare_limits (const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}

int
picture_find_budget (const Picture *picture, const unsigned weights[3],
    int (*equalize) (unsigned x, unsigned y, int luma, const void *data),
    const void *data)
{
  int limits[64 * 64];
  unsigned n = 0;

  for (unsigned j = 0; j < 64; j++)
    for (unsigned i = 0; i < 64; i++) {
      const unsigned x = (unsigned) ((i + 0.5) * picture->part_width / 64);
      const unsigned y = (unsigned) ((j + 0.5) * picture->part_height / 64);
      const int luma = (int) picture_luma (
          picture, weights, picture->part_x + x, picture->part_y + y);
      const int limit =
          find_limit (picture, weights, x, y, equalize (x, y, luma, data));

      if (limit > 256)
        limits[n++] = limit;
    }
  qsort (limits, n, sizeof *limits, compare_limits);
  return n > 204 ? limits[204] : 1024;
}

static int
look_up (unsigned x, unsigned y, int luma, const void *lut)
{
  (void) x;
  (void) y;
  return ((const int *) lut)[luma];
}

static int
clamp (int value, int lo, int hi)
{
  return value < lo ? lo : value > hi ? hi : value;
}

static int
scale (int difference, int gain)
{
  const int size = (abs (difference) * gain + 128) / 256;

  return difference < 0 ? -size : size;
}

static void
scale_sample (const Picture *picture, uint8_t *value, int gain)
{
  const int lo = picture->is_limited ? 16 : 0;
  const int hi = picture->is_limited ? 240 : 255;
  const int c = *value;

  *value =
      clamp (128 + scale (c - 128, gain), c < lo ? c : lo, c > hi ? c : hi);
}

static bool
is_row_in_part (const Picture *picture, unsigned y)
{
  return y - picture->part_y < picture->part_height;
}

/* Whether the rows of pixels that share samples with this one are in the part.
 */
static bool
shares_in_part (const Picture *picture, unsigned y_shift, unsigned y)
{
  const bool has_fields = picture->is_interlaced || picture->has_fields;
  const unsigned n_rows = picture_rows (picture, y_shift);
  const unsigned row = picture_sample_row (has_fields, y_shift, n_rows, y);

  for (unsigned i = 0; i < picture->height; i++)
    if (picture_sample_row (has_fields, y_shift, n_rows, i) == row
        && !is_row_in_part (picture, i))
      return false;
  return true;
}

static unsigned
rows_of_unit (const Picture *picture, unsigned y_shift)
{
  const bool has_fields = picture->is_interlaced || picture->has_fields;

  return 1u << (y_shift + (has_fields && y_shift > 0));
}

/* Whether this holds for all rows that are drawn into together with row y. */
static bool
is_unit_in_part (const Picture *picture, unsigned y_shift, unsigned y)
{
  const unsigned unit = rows_of_unit (picture, y_shift);

  for (unsigned i = y / unit * unit;
       i < y / unit * unit + unit && i < picture->height; i++)
    if (!shares_in_part (picture, y_shift, i))
      return false;
  return true;
}

/* The lower field's last rows may use a row of samples of the unit before: then
 * both units are drawn into, or none. */
static bool
is_row_scaled (const Picture *picture, unsigned y_shift, unsigned y)
{
  const bool has_fields = picture->is_interlaced || picture->has_fields;
  const unsigned n_rows = picture_rows (picture, y_shift);
  const unsigned unit = rows_of_unit (picture, y_shift);
  const unsigned begin = y / unit * unit;

  for (unsigned i = begin; i < begin + unit && i < picture->height; i++)
    for (unsigned j = 0; j < picture->height; j++)
      if (picture_sample_row (has_fields, y_shift, n_rows, i)
              == picture_sample_row (has_fields, y_shift, n_rows, j)
          && !is_unit_in_part (picture, y_shift, j))
        return false;
  return true;
}

static bool
is_column_scaled (const Picture *picture, unsigned x_shift, unsigned x)
{
  for (unsigned i = x << x_shift; i < (x + 1) << x_shift && i < picture->width;
       i++)
    if (i - picture->part_x >= picture->part_width)
      return false;
  return true;
}

/* Whether the rows of pixels that use the row of samples are scaled. */
static bool
is_sample_row_scaled (
    const Picture *picture, unsigned y_shift, unsigned n_rows, unsigned row)
{
  for (unsigned y = 0; y < picture->height; y++)
    if (picture_sample_row (picture->is_interlaced, y_shift, n_rows, y) == row)
      return is_row_scaled (picture, y_shift, y);
  return false;
}

static void
scale_component (Picture *picture, const PictureComponent *c, int gain)
{
  const unsigned n_rows = picture_rows (picture, c->y_shift);

  for (unsigned y = 0; y < n_rows; y++) {
    if (!is_sample_row_scaled (picture, c->y_shift, n_rows, y))
      continue;
    for (unsigned x = 0; x << c->x_shift < picture->width; x++)
      if (is_column_scaled (picture, c->x_shift, x))
        scale_sample (picture, picture_sample (picture, c, x, y), gain);
  }
}

void
picture_scale_chroma (Picture *picture, int gain)
{
  for (unsigned i = 1; i < 3; i++)
    scale_component (picture, &picture->format->component[i], gain);
}

/* Moves luma, or R, G and B with luma of these weights. */
static void
apply_lut (Picture *picture, const unsigned weights[3],
    const uint32_t bins[256], const int lut[256])
{
  const PictureComponent *c = picture->format->component;
  const bool is_rgb = picture->format->is_rgb;
  const unsigned end_x = picture->part_x + picture->part_width;
  const unsigned end_y = picture->part_y + picture->part_height;
  int gain = 256;

  if (picture->keeps_colors && (is_rgb || c[1].channel != NULL)) {
    const int budget = picture->budget != 0
        ? picture->budget
        : picture_find_budget (picture, weights, look_up, lut);

    gain = picture_find_gain (
        1, (const uint32_t (*)[256]) bins, (const int (*)[256]) lut);
    gain = gain < budget ? gain : budget;
  }
  for (unsigned y = picture->part_y; y < end_y; y++)
    for (unsigned x = picture->part_x; x < end_x; x++) {
      const int luma = (int) picture_luma (picture, weights, x, y);

      for (unsigned i = 0; i < (is_rgb ? 3 : 1); i++) {
        uint8_t *value = picture_sample (picture, &c[i], x, y);

        *value = clamp (
            lut[luma] + (is_rgb ? scale (*value - luma, gain) : 0), 0, 255);
      }
    }
  if (!is_rgb && c[1].channel != NULL)
    picture_scale_chroma (picture, gain);
}

void
picture_equalize_weighted (Picture *picture, const unsigned weights[3],
    const uint32_t bins[256], float strength)
{
  const bool is_limited = picture->is_limited;
  int lut[256];

  make_lut (bins, is_limited ? 16 : 0, is_limited ? 235 : 255, strength, lut);
  apply_lut (picture, weights, bins, lut);
}

int
picture_find_own_budget (const Picture *picture, const unsigned weights[3],
    const uint32_t bins[256], float strength)
{
  const bool is_limited = picture->is_limited;
  int lut[256];

  make_lut (bins, is_limited ? 16 : 0, is_limited ? 235 : 255, strength, lut);
  return picture_find_budget (picture, weights, look_up, lut);
}

void
picture_equalize_by (Picture *picture, const uint32_t bins[256], float strength)
{
  picture_equalize_weighted (picture, picture_bt709, bins, strength);
}

void
picture_stretch (Picture *picture, double low, double high, float strength)
{
  const bool is_limited = picture->is_limited;
  uint32_t bins[256];
  int lut[256];

  picture_count (picture, "luma", bins);
  make_stretch_lut (bins, low, high, is_limited ? 16 : 0,
      is_limited ? 235 : 255, strength, lut);
  apply_lut (picture, picture_bt709, bins, lut);
}

void
picture_equalize (Picture *picture, float strength)
{
  uint32_t bins[256];

  picture_count (picture, "luma", bins);
  picture_equalize_by (picture, bins, strength);
}

Picture *
picture_equalized (const Picture *picture)
{
  Picture *equalized = picture_copy (picture);

  picture_equalize (equalized, 1.0f);
  return equalized;
}
