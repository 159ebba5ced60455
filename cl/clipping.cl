/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Zebra and false colour: what is dark or bright in the frame as it arrived is
 * shown in the picture itself.
 *
 * There are three ways: stripes alone are drawn into rows of luma; false colour
 * of YUV into as many rows at once as share chroma samples; and anything into
 * pixels of three components that are packed, or RGB.
 */

#ifndef AMPHISTO_CLIPPING_CL
#define AMPHISTO_CLIPPING_CL

#ifndef AMPHISTO_CLIPPING_PARAMS_H
#include "clipping_params.h"
#endif
#ifndef AMPHISTO_DRAWING_PARAMS_H
#include "drawing_params.h"
#endif
#ifndef AMPHISTO_RGB_CL
#include "rgb.cl"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif

/* --- lanes --- */

/* A step of rows that share chroma: N_BYTES pixels, a byte each, as many as the
 * CPU has in a vector, and in the GPU shape as many as give a word of chroma
 * samples; `pairs` has a number for each two pixels. */
#ifdef AMPHISTO_GPU
#define N_BYTES 8
#elif defined __AVX512BW__
#define N_BYTES 64
#elif defined __AVX2__
#define N_BYTES 32
#else
#define N_BYTES 16
#endif
typedef uchar bytes __attribute__ ((ext_vector_type (N_BYTES)));
typedef ushort pairs __attribute__ ((ext_vector_type (N_BYTES / 2)));

constant uchar first_bytes[64] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
  14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
  33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51,
  52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63 };
#define FIRST_BYTES (*(constant bytes *) first_bytes)

/* For `pixels`, a word for each pixel, and for `bytes`:
 *
 *   band_samples (params, c, luma)  component c in false colour
 *   stripe_samples (params, luma, samples, x, y)  the samples of luma, or of R,
 *       G or B, with stripes; x, y: the step's first pixel
 *
 * params: a copy, of which the compiler knows that nothing else writes it. */
#define DEFINE_LANES(lanes, lane, FIRST)                                       \
                                                                               \
  INLINE lanes OVERLOAD band_samples (                                         \
      const clipping_params *params, uint c, lanes luma)                       \
  {                                                                            \
    lanes samples = c < params->n_luma ? luma : (lanes) ((lane) 128);          \
                                                                               \
    for (uint b = 0; b < CLIPPING_N_BANDS; b++) {                              \
      const band_params *band = &params->band[b];                              \
      const lanes above = luma - (lanes) ((lane) band->first);                 \
                                                                               \
      samples = above < (lanes) ((lane) band->size)                            \
          ? (lanes) ((lane) band->samples[c])                                  \
          : samples;                                                           \
    }                                                                          \
    return samples;                                                            \
  }                                                                            \
                                                                               \
  INLINE lanes OVERLOAD stripe_samples (const clipping_params *params,         \
      lanes luma, lanes samples, uint x, uint y)                               \
  {                                                                            \
    const lanes stripe = (lanes) ((lane) params->stripe);                      \
    const lanes rising = FIRST + (lanes) ((lane) (x + y + params->phase));     \
    const lanes falling = FIRST + (lanes) ((lane) (x - y + params->phase));    \
    const lanes least = (lanes) ((lane) params->dark_least);                   \
    const lanes most = (lanes) ((lane) params->bright_most);                   \
    const lanes dark = (rising & stripe) != (lanes) ((lane) 0)                 \
        ? (lanes) ((lane) params->black)                                       \
        : (samples < least ? least : samples);                                 \
    const lanes bright = (falling & stripe) != (lanes) ((lane) 0)              \
        ? (lanes) ((lane) params->white)                                       \
        : (samples > most ? most : samples);                                   \
    const lanes low = luma <= (lanes) ((lane) params->dark) ? dark : samples;  \
                                                                               \
    return luma >= (lanes) ((lane) params->bright) ? bright : low;             \
  }

DEFINE_LANES (pixels, uint, FIRST_PIXELS)
DEFINE_LANES (bytes, uchar, FIRST_BYTES)

/* Writes one byte, which is the work-item's own. On CPUs others may be writing
 * its neighbours: it is the word that is shared. */
INLINE void
put_uchar (uchar_row row, size_t x, uint value)
{
#ifdef AMPHISTO_GPU
  write_uchar (row, x, value);
#else
  ((global uchar *) row.words)[row.first + x] = (uchar) value;
#endif
}

INLINE void
put_sample (component_row row, uint x, uint value)
{
  put_uchar (row.row, (size_t) x * row.pixel_stride + row.offset, value);
}

INLINE void
put_rgb (rgb_row row, uint x, uint r, uint g, uint b)
{
  const size_t at = (size_t) x * row.pixel_stride;

  put_uchar (row.r, at + row.r_offset, r);
  put_uchar (row.g, at + row.g_offset, g);
  put_uchar (row.b, at + row.b_offset, b);
}

/* Step i of a row that may begin anywhere. */
INLINE void
put_rgb_pixels (rgb_row row, uint i, rgb_pixels p)
{
  const uint *r = (const uint *) &p.r;
  const uint *g = (const uint *) &p.g;
  const uint *b = (const uint *) &p.b;

  if (begins_at_words (row))
    write_rgb_pixels (row, i, p);
  else
    for (uint k = 0; k < N_PIXELS; k++)
      put_rgb (row, i * N_PIXELS + k, r[k], g[k], b[k]);
}

/* Whether no pixel of the step gets stripes; most have none. */
INLINE bool
has_no_stripes (const clipping_params *params, pixels luma)
{
  const signed_pixels striped =
      luma <= (pixels) (params->dark) | luma >= (pixels) (params->bright);

  return are_zeros (pack_samples (AS_UNSIGNED (striped)));
}

/* --- luma alone --- */

INLINE void
draw_luma_steps (const clipping_params *params, component_row from,
    component_row to, uint n, uint y)
{
  FOR_COLUMNS (i, n) {
    const pixels luma = read_component_samples (from, i);

    if (!has_no_stripes (params, luma))
      write_shared_samples (to, i, 0,
          stripe_samples (
              params, luma, read_component_samples (to, i), i * N_PIXELS, y));
  }
}

INLINE void
draw_luma_row (const clipping_params *params, component_row from,
    component_row to, uint width, uint y)
{
  const uint n = width / N_PIXELS;

  if (IS_GPU && from.pixel_stride == 1)
    draw_luma_steps (params, plain_row (from), plain_row (to), n, y);
  else
    draw_luma_steps (params, from, to, n, y);
  FOR_COLUMNS (i, width - n * N_PIXELS) {
    const uint x = n * N_PIXELS + i;
    const pixels luma = read_sample (from, x);

    if (!has_no_stripes (params, luma))
      write_sample (to, x,
          stripe_samples (params, luma, (pixels) (read_sample (to, x)), x, y)
              .s0);
  }
}

OUTLINE void
draw_luma_rows (uchar_planes source, uchar_planes target,
    constant drawing_params *drawing, constant clipping_params *clipping,
    row_range rows)
{
  constant component_params *samples = &drawing->drawn[0].samples;
  const clipping_params params = *clipping;

  FOR_ROWS (y, rows)
    draw_luma_row (&params, frame_component_row (source, samples, y),
        frame_component_row (target, samples, y), samples->width, y);
}

/* --- pixels of three components --- */

INLINE pixels
pixel_luma (const clipping_params *params, rgb_pixels p)
{
  return params->n_luma == 1 ? p.r : LUMA (params->weights, p.r, p.g, p.b);
}

/* What becomes of a component of pixels of this luma. */
INLINE pixels
draw_component (const clipping_params *params, uint c, pixels luma,
    pixels samples, uint x, uint y)
{
  if (params->has_bands)
    samples = band_samples (params, c, luma);
  if (params->has_zebra && c < params->n_luma)
    samples = stripe_samples (params, luma, samples, x, y);
  return samples;
}

INLINE rgb_pixels
draw_pixels (
    const clipping_params *params, pixels luma, rgb_pixels p, uint x, uint y)
{
  p.r = draw_component (params, 0, luma, p.r, x, y);
  p.g = draw_component (params, 1, luma, p.g, x, y);
  p.b = draw_component (params, 2, luma, p.b, x, y);
  return p;
}

INLINE void
draw_rgb_steps (
    const clipping_params *params, rgb_row from, rgb_row to, uint n, uint y)
{
  FOR_COLUMNS (i, n) {
    const pixels luma = pixel_luma (params, read_rgb_pixels (from, i));

    if (!params->has_bands && has_no_stripes (params, luma))
      continue;
    put_rgb_pixels (to, i,
        draw_pixels (params, luma, read_rgb_pixels (to, i), i * N_PIXELS, y));
  }
}

/* One pixel, in the first lane. */
INLINE void
draw_rgb_pixel (
    const clipping_params *params, rgb_row from, rgb_row to, uint x, uint y)
{
  const uint4 source = read_rgb (from, x);
  const uint4 target = read_rgb (to, x);
  const rgb_pixels s = { source.x, source.y, source.z, 0 };
  const rgb_pixels t = { target.x, target.y, target.z, 0 };
  const pixels luma = pixel_luma (params, s);

  if (params->has_bands || !has_no_stripes (params, luma)) {
    const rgb_pixels p = draw_pixels (params, luma, t, x, y);

    put_rgb (to, x, p.r.s0, p.g.s0, p.b.s0);
  }
}

INLINE void
draw_rgb_row (
    const clipping_params *params, rgb_row from, rgb_row to, uint width, uint y)
{
  const uint n = width / N_PIXELS;

  if (IS_GPU && from.pixel_stride == 4)
    draw_rgb_steps (params, packed_row (from, 4), packed_row (to, 4), n, y);
  else if (IS_GPU && from.pixel_stride == 3)
    draw_rgb_steps (params, packed_row (from, 3), packed_row (to, 3), n, y);
  else
    draw_rgb_steps (params, from, to, n, y);
  FOR_COLUMNS (i, width - n * N_PIXELS)
    draw_rgb_pixel (params, from, to, n * N_PIXELS + i, y);
}

OUTLINE void
draw_rgb_rows (uchar_planes source, uchar_planes target,
    constant drawing_params *drawing, constant clipping_params *clipping,
    row_range rows)
{
  constant drawn_params *drawn = drawing->drawn;
  const clipping_params params = *clipping;

  FOR_ROWS (y, rows)
    draw_rgb_row (&params,
        rgb_row_of (
            source, &drawn[0].samples, &drawn[1].samples, &drawn[2].samples, y),
        rgb_row_of (
            target, &drawn[0].samples, &drawn[1].samples, &drawn[2].samples, y),
        drawn[0].samples.width, y);
}

/* --- YUV --- */

#ifdef AMPHISTO_GPU

INLINE bytes
read_whole_bytes (component_row row, uint x)
{
  const uint i = x / N_PIXELS;

  return (bytes) (convert_uchar4 (read_component_samples (row, i)),
      convert_uchar4 (read_component_samples (row, i + 1)));
}

INLINE void
write_whole_bytes (component_row row, uint x, bytes samples)
{
  const uint i = x / N_PIXELS;

  write_shared_samples (row, i, 0, convert_uint4 (samples.lo));
  write_shared_samples (row, i + 1, 0, convert_uint4 (samples.hi));
}

INLINE void
write_whole_pairs (component_row row, uint x, pairs samples)
{
  write_shared_samples (row, x / N_PIXELS, 0, convert_uint4 (samples));
}

#else

/* Items of 1, 2 or 4 bytes, anywhere in memory. */
#define ITEMS(lane, n) lane __attribute__ ((ext_vector_type (n), aligned (1)))
typedef ITEMS (uchar, N_BYTES) byte_items1;
typedef ITEMS (ushort, N_BYTES) byte_items2;
typedef ITEMS (uchar, N_BYTES / 2) pair_items1;
typedef ITEMS (ushort, N_BYTES / 2) pair_items2;
typedef ITEMS (uint, N_BYTES / 2) pair_items4;

#define ITEMS_AT(items, row, x)                                                \
  ((global items *) row_bytes ((row).row, (size_t) (x) * (row).pixel_stride))

/* Puts samples into items, whose other bytes stay. */
#define MERGE_ITEMS(items, lane, row, x, samples)                              \
  do {                                                                         \
    global items *const at = ITEMS_AT (items, row, x);                         \
    const uint shift = (row).offset * 8;                                       \
                                                                               \
    *at = (*at & (items) ((lane) ~(0xffu << shift)))                           \
        | __builtin_convertvector(samples, items) << (items) ((lane) shift);   \
  } while (0)

INLINE bytes
read_whole_bytes (component_row row, uint x)
{
  if (row.pixel_stride == 1)
    return *ITEMS_AT (byte_items1, row, x);
  return __builtin_convertvector(*ITEMS_AT (byte_items2, row, x)
          >> (byte_items2) ((ushort) (row.offset * 8)),
      bytes);
}

INLINE void
write_whole_bytes (component_row row, uint x, bytes samples)
{
  if (row.pixel_stride == 1)
    *ITEMS_AT (byte_items1, row, x) = samples;
  else
    MERGE_ITEMS (byte_items2, ushort, row, x, samples);
}

INLINE void
write_whole_pairs (component_row row, uint x, pairs samples)
{
  if (row.pixel_stride == 1)
    *ITEMS_AT (pair_items1, row, x) =
        __builtin_convertvector(samples, pair_items1);
  else if (row.pixel_stride == 2)
    MERGE_ITEMS (pair_items2, ushort, row, x, samples);
  else
    MERGE_ITEMS (pair_items4, uint, row, x, samples);
}

#endif

/* n samples of luma from pixel x on; the lanes behind them repeat the last. */
INLINE bytes
read_bytes (component_row row, uint x, uint n)
{
  bytes luma;
  uchar *lane = (uchar *) &luma;

  if (n == N_BYTES)
    return read_whole_bytes (row, x);
  for (uint i = 0; i < N_BYTES; i++)
    lane[i] = read_sample (row, x + min (i, n - 1));
  return luma;
}

INLINE void
write_bytes (component_row row, uint x, uint n, bytes samples)
{
  const uchar *lane = (const uchar *) &samples;

  if (n == N_BYTES)
    write_whole_bytes (row, x, samples);
  else
    for (uint i = 0; i < n; i++)
      put_sample (row, x + i, lane[i]);
}

/* The sums of pairs of neighbouring lanes. */
INLINE pairs
add_pairs (bytes v)
{
  const pairs p = __builtin_astype (v, pairs);

  return (p & (pairs) ((ushort) 255)) + (p >> (pairs) ((ushort) 8));
}

/* Writes the means of n samples from sample x on; sums: of pairs of pixels, and
 * of all rows. */
INLINE void
write_chroma (component_row row, constant component_params *samples, uint x,
    uint n, pairs sums)
{
  const uint shift = samples->x_shift + samples->y_shift;
  const uint bias = 1u << shift >> 1;
  const ushort *sum = (const ushort *) &sums;

  if (n == N_BYTES / 2 && samples->x_shift == 1)
    write_whole_pairs (
        row, x, (sums + (pairs) ((ushort) bias)) >> (pairs) ((ushort) shift));
  else if (samples->x_shift == 1)
    for (uint i = 0; i < n; i++)
      put_sample (row, x + i, (sum[i] + bias) >> shift);
  else
    for (uint i = 0; i < n; i++)
      put_sample (row, x + i, (sum[2 * i] + sum[2 * i + 1] + bias) >> shift);
}

/* Draws a step from pixel x on of as many rows from y on as share chroma
 * samples. Rows and columns that are missing at the frame's edges are as the
 * last ones. */
INLINE void
draw_yuv_step (const clipping_params *params, uchar_planes source,
    uchar_planes target, constant drawn_params *drawn, uint x, uint y)
{
  constant component_params *pixels_at = &drawn[0].samples;
  constant component_params *chroma = &drawn[1].samples;
  const uint n = min (pixels_at->width - x, (uint) N_BYTES);
  const uint x_shift = chroma->x_shift, y_shift = chroma->y_shift;
  const uint n_chroma = (n + (1u << x_shift) - 1) >> x_shift;
  const component_row u_row =
      frame_component_row (target, chroma, y >> y_shift);
  const component_row v_row =
      frame_component_row (target, &drawn[2].samples, y >> y_shift);
  bytes luma = 0;
  pairs u = 0, v = 0;

  for (uint row = y; row < y + (1u << y_shift); row++) {
    if (row < pixels_at->height) {
      bytes shown;

      luma = read_bytes (frame_component_row (source, pixels_at, row), x, n);
      shown = band_samples (params, 0, luma);
      if (params->has_zebra)
        shown = stripe_samples (params, luma, shown, x, row);
      write_bytes (frame_component_row (target, pixels_at, row), x, n, shown);
    }
    u += add_pairs (band_samples (params, 1, luma));
    v += add_pairs (band_samples (params, 2, luma));
  }
  if (x_shift == 0) {
    write_bytes (u_row, x, n, band_samples (params, 1, luma));
    write_bytes (v_row, x, n, band_samples (params, 2, luma));
  } else {
    write_chroma (u_row, chroma, x >> x_shift, n_chroma, u);
    write_chroma (v_row, chroma, x >> x_shift, n_chroma, v);
  }
}

OUTLINE void
draw_yuv_rows (uchar_planes source, uchar_planes target,
    constant drawing_params *drawing, constant clipping_params *clipping,
    row_range rows)
{
  constant drawn_params *drawn = drawing->drawn;
  const clipping_params params = *clipping;
  const uint y_shift = drawn[1].samples.y_shift;
  const uint n_steps = (drawn[0].samples.width + N_BYTES - 1) / N_BYTES;

  FOR_ROWS (block, rows)
    FOR_COLUMNS (i, n_steps)
      draw_yuv_step (
          &params, source, target, drawn, i * N_BYTES, block << y_shift);
}

/* --- the kernel --- */

/* Draws into the target what is dark and bright in the source; the two may be
 * one. */
kernel void
draw_clipping (global uint *source0, global uint *source1, global uint *source2,
    global uint *target0, global uint *target1, global uint *target2,
    constant drawing_params *drawing, constant clipping_params *params)
{
  const uchar_planes source =
      planes_at (source0, source1, source2, source0, drawing->source);
  const uchar_planes target =
      planes_at (target0, target1, target2, target0, drawing->target);
  constant component_params *coarsest =
      &drawing->drawn[drawing->n_drawn - 1].samples;
  const row_range rows = own_rows (coarsest->height);

  if (params->n_luma == 1 && !params->has_bands)
    draw_luma_rows (source, target, drawing, params,
        own_rows (drawing->drawn[0].samples.height));
  else if (params->n_luma == 1 && drawing->drawn[0].samples.pixel_stride <= 2)
    draw_yuv_rows (source, target, drawing, params, rows);
  else
    draw_rgb_rows (source, target, drawing, params, rows);
}

#endif
