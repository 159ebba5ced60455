/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes on each side of a picture. */
#define GUARD 64

/* clang-format off */
#define YUV(name, y, u, v) { name, false, { y, u, v } }
#define YUVA(name, y, u, v, a) { name, false, { y, u, v, a } }
#define RGB3(name, r, g, b) { name, true, { r, g, b } }
#define RGB4(name, r, g, b, a) { name, true, { r, g, b, a } }
#define Y(plane, offset, step) { "luma", plane, offset, step, 0, 0 }
#define U(plane, offset, step, x, y) { "u", plane, offset, step, x, y }
#define V(plane, offset, step, x, y) { "v", plane, offset, step, x, y }
#define R(plane, offset, step) { "red", plane, offset, step, 0, 0 }
#define G(plane, offset, step) { "green", plane, offset, step, 0, 0 }
#define B(plane, offset, step) { "blue", plane, offset, step, 0, 0 }
#define A(plane, offset, step) { "alpha", plane, offset, step, 0, 0 }

const PictureFormat picture_formats[PICTURE_N_FORMATS] = {
  { "GRAY8", false, { Y (0, 0, 1) } },
  YUV ("I420", Y (0, 0, 1), U (1, 0, 1, 1, 1), V (2, 0, 1, 1, 1)),
  YUV ("YV12", Y (0, 0, 1), U (2, 0, 1, 1, 1), V (1, 0, 1, 1, 1)),
  YUV ("Y41B", Y (0, 0, 1), U (1, 0, 1, 2, 0), V (2, 0, 1, 2, 0)),
  YUV ("Y42B", Y (0, 0, 1), U (1, 0, 1, 1, 0), V (2, 0, 1, 1, 0)),
  YUV ("Y444", Y (0, 0, 1), U (1, 0, 1, 0, 0), V (2, 0, 1, 0, 0)),
  YUV ("YUV9", Y (0, 0, 1), U (1, 0, 1, 2, 2), V (2, 0, 1, 2, 2)),
  YUV ("YVU9", Y (0, 0, 1), U (2, 0, 1, 2, 2), V (1, 0, 1, 2, 2)),
  YUVA ("A420", Y (0, 0, 1), U (1, 0, 1, 1, 1), V (2, 0, 1, 1, 1),
      A (3, 0, 1)),
  YUV ("NV12", Y (0, 0, 1), U (1, 0, 2, 1, 1), V (1, 1, 2, 1, 1)),
  YUV ("NV21", Y (0, 0, 1), U (1, 1, 2, 1, 1), V (1, 0, 2, 1, 1)),
  YUV ("NV16", Y (0, 0, 1), U (1, 0, 2, 1, 0), V (1, 1, 2, 1, 0)),
  YUV ("NV61", Y (0, 0, 1), U (1, 1, 2, 1, 0), V (1, 0, 2, 1, 0)),
  YUV ("NV24", Y (0, 0, 1), U (1, 0, 2, 0, 0), V (1, 1, 2, 0, 0)),
  YUV ("YUY2", Y (0, 0, 2), U (0, 1, 4, 1, 0), V (0, 3, 4, 1, 0)),
  YUV ("YVYU", Y (0, 0, 2), U (0, 3, 4, 1, 0), V (0, 1, 4, 1, 0)),
  YUV ("UYVY", Y (0, 1, 2), U (0, 0, 4, 1, 0), V (0, 2, 4, 1, 0)),
  /* U before V, as in GstVideoFormatInfo, in spite of the name */
  YUV ("VYUY", Y (0, 1, 2), U (0, 0, 4, 1, 0), V (0, 2, 4, 1, 0)),
  YUVA ("AYUV", Y (0, 1, 4), U (0, 2, 4, 0, 0), V (0, 3, 4, 0, 0),
      A (0, 0, 4)),
  YUVA ("VUYA", Y (0, 2, 4), U (0, 1, 4, 0, 0), V (0, 0, 4, 0, 0),
      A (0, 3, 4)),
  YUV ("IYU2", Y (0, 1, 3), U (0, 0, 3, 0, 0), V (0, 2, 3, 0, 0)),
  YUV ("v308", Y (0, 0, 3), U (0, 1, 3, 0, 0), V (0, 2, 3, 0, 0)),
  RGB3 ("RGB", R (0, 0, 3), G (0, 1, 3), B (0, 2, 3)),
  RGB3 ("BGR", R (0, 2, 3), G (0, 1, 3), B (0, 0, 3)),
  RGB3 ("RGBx", R (0, 0, 4), G (0, 1, 4), B (0, 2, 4)),
  RGB3 ("BGRx", R (0, 2, 4), G (0, 1, 4), B (0, 0, 4)),
  RGB3 ("xRGB", R (0, 1, 4), G (0, 2, 4), B (0, 3, 4)),
  RGB3 ("xBGR", R (0, 3, 4), G (0, 2, 4), B (0, 1, 4)),
  RGB4 ("RGBA", R (0, 0, 4), G (0, 1, 4), B (0, 2, 4), A (0, 3, 4)),
  RGB4 ("BGRA", R (0, 2, 4), G (0, 1, 4), B (0, 0, 4), A (0, 3, 4)),
  RGB4 ("ARGB", R (0, 1, 4), G (0, 2, 4), B (0, 3, 4), A (0, 0, 4)),
  RGB4 ("ABGR", R (0, 3, 4), G (0, 2, 4), B (0, 1, 4), A (0, 0, 4)),
  RGB3 ("GBR", R (2, 0, 1), G (0, 0, 1), B (1, 0, 1)),
  RGB4 ("GBRA", R (2, 0, 1), G (0, 0, 1), B (1, 0, 1), A (3, 0, 1)),
  RGB3 ("RGBP", R (0, 0, 1), G (1, 0, 1), B (2, 0, 1)),
  RGB3 ("BGRP", R (2, 0, 1), G (1, 0, 1), B (0, 0, 1)),
};
/* clang-format on */

/* 65536 Kr, 65536 - 65536 Kr - 65536 Kb, 65536 Kb: Kr = 0.2126, Kb = 0.0722 */
const unsigned picture_bt709[3] = { 13933, 46871, 4732 };

const PictureFormat *
picture_format (const char *name)
{
  for (unsigned i = 0; i < PICTURE_N_FORMATS; i++)
    if (strcmp (picture_formats[i].name, name) == 0)
      return &picture_formats[i];
  abort ();
}

static unsigned
subsampled (unsigned n, unsigned shift)
{
  return (n + (1u << shift) - 1) >> shift;
}

static unsigned
round_up (unsigned n, unsigned unit)
{
  return (n + unit - 1) / unit * unit;
}

static void
find_planes (Picture *picture)
{
  for (unsigned i = 0; i < PICTURE_MAX_CHANNELS; i++) {
    const PictureComponent *c = &picture->format->component[i];
    const unsigned bytes =
        subsampled (picture->width, c->x_shift) * (c->channel ? c->step : 0);

    if (c->channel == NULL)
      break;
    if (c->plane >= picture->n_planes)
      picture->n_planes = c->plane + 1;
    if (bytes > picture->row_bytes[c->plane])
      picture->row_bytes[c->plane] = bytes;
    picture->rows[c->plane] = subsampled (picture->height, c->y_shift);
  }
}

static void
place_planes (Picture *picture, PictureShape shape)
{
  size_t at = shape == PICTURE_TIGHT ? 0 : shape == PICTURE_PADDED ? 128 : 5;

  for (unsigned i = 0; i < picture->n_planes; i++) {
    const unsigned p = shape == PICTURE_PADDED ? picture->n_planes - 1 - i : i;
    const unsigned bytes = picture->row_bytes[p];

    picture->stride[p] = (int) (shape == PICTURE_TIGHT ? round_up (bytes, 4)
            : shape == PICTURE_PADDED ? round_up (bytes, 64) + 64
                                      : (bytes | 1) + 2 * p);
    picture->offset[p] = at;
    picture->size =
        at + (size_t) picture->stride[p] * (picture->rows[p] - 1) + bytes;
    at += (size_t) picture->stride[p] * picture->rows[p];
    at += shape == PICTURE_TIGHT ? 0 : shape == PICTURE_PADDED ? 64 : 9 - p;
  }
}

/* Data begins `misaligned` bytes after a multiple of 64. */
static void
allocate (Picture *picture, unsigned misaligned)
{
  picture->block_size = round_up (picture->size + misaligned + 2 * GUARD, 64);
  picture->block = aligned_alloc (64, picture->block_size);
  if (picture->block == NULL)
    abort ();
  picture->data = picture->block + GUARD + misaligned;
}

Picture *
picture_new (const char *format, unsigned width, unsigned height,
    PictureShape shape, uint8_t lo, uint8_t hi, unsigned seed)
{
  Picture *picture = calloc (1, sizeof *picture);
  uint32_t random = seed * 2654435761u | 1;

  if (picture == NULL)
    abort ();
  picture->format = picture_format (format);
  picture->width = width;
  picture->height = height;
  picture_set_part (picture, 0, 0, width, height);
  picture->kr = 0.299;
  picture->kb = 0.114;
  picture->is_limited = picture_component (picture, "u") != NULL;
  picture->keeps_colors = true;
  find_planes (picture);
  place_planes (picture, shape);
  allocate (picture, shape == PICTURE_ODD ? 1 + seed % 2 * 2 : 0);
  for (size_t i = 0; i < picture->block_size; i++) {
    /* Marsaglia's xorshift */
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    picture->block[i] = lo + (random >> 8) % (hi - lo + 1u);
  }
  return picture;
}

Picture *
picture_copy (const Picture *picture)
{
  Picture *copy = malloc (sizeof *copy);

  if (copy == NULL)
    abort ();
  *copy = *picture;
  allocate (copy, (unsigned) (picture->data - picture->block) - GUARD);
  memcpy (copy->block, picture->block, picture->block_size);
  return copy;
}

void
picture_plane_extent (
    const Picture *picture, unsigned plane, ptrdiff_t *begin, ptrdiff_t *end)
{
  const ptrdiff_t first = (ptrdiff_t) picture->offset[plane];
  const ptrdiff_t last =
      first + (ptrdiff_t) picture->stride[plane] * (picture->rows[plane] - 1);

  *begin = first < last ? first : last;
  *end = (first < last ? last : first) + picture->row_bytes[plane];
}

void
picture_free (Picture *picture)
{
  free (picture->block);
  free (picture);
}

void
picture_set_part (
    Picture *picture, unsigned x, unsigned y, unsigned width, unsigned height)
{
  picture->part_x = x;
  picture->part_y = y;
  picture->part_width = width;
  picture->part_height = height;
}

uint8_t *
picture_row (const Picture *picture, unsigned plane, unsigned y)
{
  return picture->data + picture->offset[plane]
      + (ptrdiff_t) picture->stride[plane] * y;
}

const PictureComponent *
picture_component (const Picture *picture, const char *channel)
{
  for (unsigned i = 0; i < PICTURE_MAX_CHANNELS; i++) {
    const PictureComponent *c = &picture->format->component[i];

    if (c->channel != NULL && strcmp (c->channel, channel) == 0)
      return c;
  }
  return NULL;
}

uint8_t *
picture_sample (
    const Picture *picture, const PictureComponent *c, unsigned x, unsigned y)
{
  return picture_row (picture, c->plane, y) + c->offset + (size_t) x * c->step;
}

/* Two planes may have the same next row, which is neither's. */
bool
picture_has_next_row (const Picture *picture, unsigned plane)
{
  const unsigned rows = picture->rows[plane];
  const ptrdiff_t begin = picture_row (picture, plane, rows) - picture->data;
  const ptrdiff_t end = begin + picture->row_bytes[plane];

  for (unsigned p = 0; p < picture->n_planes; p++) {
    const ptrdiff_t next = picture_row (picture, p, rows) - picture->data;
    ptrdiff_t first, last;

    picture_plane_extent (picture, p, &first, &last);
    if (p != plane
        && ((first < end && last > begin)
            || (picture->rows[p] == rows && next < end
                && next + (ptrdiff_t) picture->row_bytes[p] > begin)))
      return false;
  }
  return (unsigned) abs (picture->stride[plane]) >= picture->row_bytes[plane]
      && begin >= 0 && end <= (ptrdiff_t) picture->size;
}

unsigned
picture_rows (const Picture *picture, unsigned y_shift)
{
  const unsigned n_rows = subsampled (picture->height, y_shift);
  /* rows of pixels behind those with samples of both fields */
  const unsigned n_left = picture->height % (2u << y_shift);

  if (!picture->is_interlaced || y_shift == 0 || n_rows % 2 == 0 || n_left < 2)
    return n_rows;
  for (unsigned i = 0; i < PICTURE_MAX_CHANNELS; i++) {
    const PictureComponent *c = &picture->format->component[i];

    if (c->channel != NULL && c->y_shift > 0
        && !picture_has_next_row (picture, c->plane))
      return n_rows;
  }
  return n_rows + 1;
}

unsigned
picture_plane_rows (const Picture *picture, unsigned plane)
{
  for (unsigned i = 0; i < PICTURE_MAX_CHANNELS; i++) {
    const PictureComponent *c = &picture->format->component[i];

    if (c->channel != NULL && c->plane == plane && c->y_shift > 0)
      return picture_rows (picture, c->y_shift);
  }
  return picture->rows[plane];
}

/* Samples of a component: columns x to end_x - 1 of rows y to end_y - 1. */
typedef struct
{
  unsigned x, end_x, y, end_y;
} Span;

/* The row of a component's n_rows of samples that the pixels of row y use, in
 * pictures with fields or without. A field is a picture of every other row, of
 * pixels and of samples; if the lower field has no samples, there is only one
 * row. */
unsigned
picture_sample_row (
    bool is_interlaced, unsigned y_shift, unsigned n_rows, unsigned y)
{
  const unsigned field = n_rows > 1 ? y % 2 : 0;
  const unsigned n_field_rows = (n_rows + 1 - field) / 2;
  unsigned row = y / 2 / (1u << y_shift);

  if (!is_interlaced || y_shift == 0)
    return y / (1u << y_shift);
  if (row >= n_field_rows)
    row = n_field_rows - 1;
  return 2 * row + field;
}

void
picture_part_rows (
    const Picture *picture, unsigned y_shift, unsigned *first, unsigned *end)
{
  const unsigned end_y = picture->part_y + picture->part_height;
  const unsigned n_rows = picture_rows (picture, y_shift);

  *first = n_rows;
  *end = 0;
  for (unsigned y = picture->part_y; y < end_y; y++) {
    const unsigned row =
        picture_sample_row (picture->is_interlaced, y_shift, n_rows, y);

    *first = row < *first ? row : *first;
    *end = row >= *end ? row + 1 : *end;
  }
}

static Span
part_span (const Picture *picture, unsigned x_shift, unsigned y_shift)
{
  const unsigned end_x = picture->part_x + picture->part_width;
  Span span = { .x = picture->part_x >> x_shift,
    .end_x = subsampled (end_x, x_shift) };

  picture_part_rows (picture, y_shift, &span.y, &span.end_y);
  return span;
}

void
picture_fill (Picture *picture, const char *channel, uint8_t value)
{
  const PictureComponent *c = picture_component (picture, channel);
  const Span span = part_span (picture, c->x_shift, c->y_shift);

  for (unsigned y = span.y; y < span.end_y; y++)
    for (unsigned x = span.x; x < span.end_x; x++)
      *picture_sample (picture, c, x, y) = value;
}

unsigned
picture_luma (
    const Picture *picture, const unsigned weights[3], unsigned x, unsigned y)
{
  const PictureComponent *c = picture->format->component;
  unsigned sum = 32768;

  if (!picture->format->is_rgb)
    return *picture_sample (picture, c, x, y);
  for (unsigned i = 0; i < 3; i++)
    sum += weights[i] * *picture_sample (picture, &c[i], x, y);
  return sum >> 16;
}

void
picture_count_luma (
    const Picture *picture, const unsigned weights[3], uint32_t bins[256])
{
  const Span span = part_span (picture, 0, 0);

  memset (bins, 0, 256 * sizeof *bins);
  for (unsigned y = span.y; y < span.end_y; y++)
    for (unsigned x = span.x; x < span.end_x; x++)
      bins[picture_luma (picture, weights, x, y)]++;
}

/* 65536 times the coefficient, for samples with `range` steps instead of 255.
 */
static long
fixed_point (double coefficient, int range)
{
  return lround (coefficient * 255 / range * 65536);
}

/* Red, green or blue of a pixel, not clamped; u and v are chroma minus 128. */
static double
yuv_colour (const Picture *picture, const char *channel, int y, int u, int v)
{
  const double kr = picture->kr, kb = picture->kb, kg = 1 - kr - kb;
  const int range = picture->is_limited ? 224 : 255;
  const int black = picture->is_limited ? 16 : 0;
  long sum =
      32768 + fixed_point (1, picture->is_limited ? 219 : 255) * (y - black);

  if (strcmp (channel, "red") == 0)
    sum += fixed_point (2 - 2 * kr, range) * v;
  else if (strcmp (channel, "blue") == 0)
    sum += fixed_point (2 - 2 * kb, range) * u;
  else
    sum += fixed_point ((2 * kb * kb - 2 * kb) / kg, range) * u
        + fixed_point ((2 * kr * kr - 2 * kr) / kg, range) * v;
  return floor (sum / 65536.0);
}

/* Y, and U and V minus 128, of a pixel. */
static void
read_yuv (const Picture *picture, unsigned x, unsigned y, int yuv[3])
{
  const PictureComponent *c = picture->format->component;
  const unsigned i = x / (1u << c[1].x_shift);
  const unsigned j = picture_sample_row (picture->is_interlaced, c[1].y_shift,
      picture_rows (picture, c[1].y_shift), y);

  yuv[0] = *picture_sample (picture, &c[0], x, y);
  yuv[1] = *picture_sample (picture, &c[1], i, j) - 128;
  yuv[2] = *picture_sample (picture, &c[2], i, j) - 128;
}

static void
count_colour (const Picture *picture, const char *channel, uint32_t bins[256])
{
  const Span span = part_span (picture, 0, 0);

  memset (bins, 0, 256 * sizeof *bins);
  for (unsigned y = span.y; y < span.end_y; y++)
    for (unsigned x = span.x; x < span.end_x; x++) {
      int yuv[3];

      read_yuv (picture, x, y, yuv);
      bins[(unsigned) fmax (0,
          fmin (255, yuv_colour (picture, channel, yuv[0], yuv[1], yuv[2])))]++;
    }
}

/* Whether luma, or a component of RGB, of limited range is out of the gamut. */
static bool
is_illegal (const Picture *picture, unsigned x, unsigned y)
{
  const PictureComponent *c = picture->format->component;
  bool is_outside = false;

  for (unsigned i = 0; i < (picture->format->is_rgb ? 3 : 1); i++) {
    const uint8_t sample = *picture_sample (picture, &c[i], x, y);

    is_outside |= picture->is_limited && (sample < 5 || sample > 246);
  }
  return is_outside;
}

void
picture_read_colours (
    const Picture *picture, unsigned x, unsigned y, double colours[3])
{
  static const char *const channels[] = { "red", "green", "blue" };
  int yuv[3];

  read_yuv (picture, x, y, yuv);
  for (unsigned c = 0; c < 3; c++)
    colours[c] = yuv_colour (picture, channels[c], yuv[0], yuv[1], yuv[2]);
}

/* Whether a colour of YUV is out of the gamut. */
static bool
has_colour_outside (const Picture *picture, unsigned x, unsigned y)
{
  bool is_outside = false;
  double colours[3];

  if (picture_component (picture, "u") == NULL)
    return false;
  picture_read_colours (picture, x, y, colours);
  for (unsigned c = 0; c < 3; c++)
    is_outside |= colours[c] < -12 || colours[c] > 267;
  return is_outside;
}

unsigned
picture_count_outside (const Picture *picture)
{
  const Span span = part_span (picture, 0, 0);
  unsigned count = 0;

  for (unsigned y = span.y; y < span.end_y; y++)
    for (unsigned x = span.x; x < span.end_x; x++)
      count += is_illegal (picture, x, y) || has_colour_outside (picture, x, y);
  return count;
}

/* U or V, of full range, of a pixel that has R, G and B in the order in which
 * chroma is highest for the first: (B, G, R) or (R, G, B). The weights, in
 * 1/65536, are those of the pixel's colours in luma, in the same order. */
static int
rgb_chroma (bool is_limited, const int pixel[3], const unsigned weights[3])
{
  const double first = is_limited ? 38155 : 32768; /* 32768 * 255 / 219 */
  const long last = lround (-first * weights[2] / (65536 - weights[0]));
  const double sum = first * pixel[0] + (-first - (double) last) * pixel[1]
      + (double) last * pixel[2];

  return (int) fmax (0, fmin (255, floor (128.5 + sum / 65536)));
}

/* U and V of sample (x, y) of chroma, or of a pixel of RGB. */
static void
sample_chroma (const Picture *picture, const unsigned weights[3], unsigned x,
    unsigned y, int chroma[2])
{
  const PictureComponent *c = picture->format->component;
  const bool is_rgb = picture->format->is_rgb;
  int s[3] = { 0 };

  for (unsigned i = is_rgb ? 0 : 1; i < 3; i++)
    s[i] = *picture_sample (picture, &c[i], x, y);
  chroma[0] = s[1];
  chroma[1] = s[2];
  if (!is_rgb)
    return;
  chroma[0] =
      rgb_chroma (picture->is_limited, (const int[3]){ s[2], s[1], s[0] },
          (const unsigned[3]){ weights[2], weights[1], weights[0] });
  chroma[1] = rgb_chroma (picture->is_limited, s, weights);
}

/* The largest integer that is not longer than (u - 128, v - 128). */
static int
saturation (const int chroma[2])
{
  const int u = chroma[0] - 128, v = chroma[1] - 128;
  int length = 0;

  while ((length + 1) * (length + 1) <= u * u + v * v)
    length++;
  return length;
}

bool
picture_count_saturation (
    const Picture *picture, const unsigned weights[3], uint32_t bins[256])
{
  const PictureComponent *c = &picture->format->component[1];
  const Span span = part_span (picture, c->x_shift, c->y_shift);

  if (c->channel == NULL)
    return false;
  memset (bins, 0, 256 * sizeof *bins);
  for (unsigned y = span.y; y < span.end_y; y++)
    for (unsigned x = span.x; x < span.end_x; x++) {
      int chroma[2];

      sample_chroma (picture, weights, x, y, chroma);
      bins[saturation (chroma)]++;
    }
  return true;
}

static bool
is_colour (const char *channel)
{
  return strcmp (channel, "red") == 0 || strcmp (channel, "green") == 0
      || strcmp (channel, "blue") == 0;
}

bool
picture_count (const Picture *picture, const char *channel, uint32_t bins[256])
{
  const PictureComponent *c = picture_component (picture, channel);

  if (picture->format->is_rgb && strcmp (channel, "luma") == 0) {
    picture_count_luma (picture, picture_bt709, bins);
    return true;
  }
  if (strcmp (channel, "saturation") == 0)
    return picture_count_saturation (picture, picture_bt709, bins);
  if (!picture->format->is_rgb && is_colour (channel)
      && picture_component (picture, "u") != NULL) {
    count_colour (picture, channel, bins);
    return true;
  }
  if (c == NULL)
    return false;

  const Span span = part_span (picture, c->x_shift, c->y_shift);

  memset (bins, 0, 256 * sizeof *bins);
  for (unsigned y = span.y; y < span.end_y; y++)
    for (unsigned x = span.x; x < span.end_x; x++)
      bins[*picture_sample (picture, c, x, y)]++;
  return true;
}
