/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws zebra and false colour, which mark dark and bright areas of the source
 * in the picture itself.
 *
 * There are three ways of drawing: packed pixels of three components, and
 * planar RGB, are drawn pixel by pixel; zebra alone is drawn into rows of luma;
 * false colour of other YUV is drawn into all rows of a chroma row at once.
 */

#ifndef AMPHISTO_CLIPPING_CL
#define AMPHISTO_CLIPPING_CL

#ifndef AMPHISTO_COMPONENTS_CL
#include "components.cl"
#endif
#ifndef AMPHISTO_CLIPPING_PARAMS_H
#include "clipping_params.h"
#endif
#ifndef AMPHISTO_DRAWING_PARAMS_H
#include "drawing_params.h"
#endif
#ifndef AMPHISTO_LUMA_CL
#include "luma.cl"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif

/* --- lanes --- */

/* A chunk of grey or YUV: N_BYTES pixels, a byte each. CPU shape: a vector of
 * the CPU. GPU shape: the pixels of a word of chroma samples. `pairs` has one
 * number for two pixels. */
#ifdef AMPHISTO_GPU

#define N_BYTES 8
typedef uchar8 bytes;
typedef char8 signed_bytes; /* of comparisons of bytes */
typedef ulong byte_words;
typedef ushort4 pairs;
#define AS_BYTE_WORDS as_ulong
#define AS_PAIRS as_ushort4
#define FIRST_BYTES ((bytes) (0, 1, 2, 3, 4, 5, 6, 7))

#else

#if defined __AVX512BW__
#define N_BYTES 64
#elif defined __AVX2__
#define N_BYTES 32
#else
#define N_BYTES 16
#endif
typedef uchar bytes __attribute__ ((ext_vector_type (N_BYTES)));
typedef char signed_bytes __attribute__ ((ext_vector_type (N_BYTES)));
typedef ulong byte_words __attribute__ ((ext_vector_type (N_BYTES / 8)));
typedef ushort pairs __attribute__ ((ext_vector_type (N_BYTES / 2)));
#define AS_BYTE_WORDS(v) __builtin_astype (v, byte_words)
#define AS_PAIRS(v) __builtin_astype (v, pairs)

constant uchar first_bytes[64] __attribute__ ((aligned (64))) = { 0, 1, 2, 3, 4,
  5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
  26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44,
  45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63 };
#define FIRST_BYTES (*(constant bytes *) first_bytes)

#endif

/* Whether all lanes of a comparison are zero. Not any(); see are_zeros(). */
INLINE bool OVERLOAD
are_all_zeros (signed_pixels v)
{
  return are_zeros (pack_samples (AS_UNSIGNED (v)));
}

INLINE bool OVERLOAD
are_all_zeros (ulong v)
{
  return v == 0;
}

INLINE bool OVERLOAD
are_all_zeros (ulong2 v)
{
  return (v.x | v.y) == 0;
}

INLINE bool OVERLOAD
are_all_zeros (ulong4 v)
{
  return are_all_zeros (v.lo | v.hi);
}

INLINE bool OVERLOAD
are_all_zeros (ulong8 v)
{
  return are_all_zeros (v.lo | v.hi);
}

INLINE bool OVERLOAD
are_all_zeros (signed_bytes v)
{
  return are_all_zeros (AS_BYTE_WORDS (v));
}

/* For `pixels`, a word for each pixel, and for `bytes`:
 *
 *   band_samples (params, c, luma)  component c in false colour
 *   stripe_samples (params, luma, samples, x, y)  the samples of luma, or of R,
 *       G or B, with stripes; x, y: the chunk's first pixel
 *   has_no_stripes (params, luma)  whether none of the pixels gets stripes
 *
 * params: a private copy; the compiler knows that writing the target does not
 * change it. PoCL (3.1) unrolls the loop only with the pragma. */
#define DEFINE_LANES(lanes, lane, FIRST)                                       \
                                                                               \
  INLINE lanes OVERLOAD band_samples (                                         \
      const clipping_params *params, uint c, lanes luma)                       \
  {                                                                            \
    lanes samples = c < params->n_luma ? luma : (lanes) ((lane) 128);          \
                                                                               \
    _Pragma ("unroll") for (uint b = 0; b < CLIPPING_N_BANDS; b++)             \
    {                                                                          \
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
  }                                                                            \
                                                                               \
  INLINE bool OVERLOAD has_no_stripes (                                        \
      const clipping_params *params, lanes luma)                               \
  {                                                                            \
    return are_all_zeros (luma <= (lanes) ((lane) params->dark)                \
        | luma >= (lanes) ((lane) params->bright));                            \
  }

DEFINE_LANES (pixels, uint, FIRST_PIXELS)
DEFINE_LANES (bytes, uchar, FIRST_BYTES)

/* Writes a byte that no other work-item writes. Other work-items may write the
 * rest of its word, so GPUs need an atomic operation; CPUs do not. */
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

/* Writes chunk i of a row that may begin at any byte. */
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

/* --- pixels of three components --- */

INLINE pixels
pixel_luma (const clipping_params *params, rgb_pixels p)
{
  return params->n_luma == 1 ? p.r : LUMA (params->weights, p.r, p.g, p.b);
}

/* Draws component c of pixels of this luma. */
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

/* Draws one pixel, in the first lane. */
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

/* --- luma alone, and YUV --- */

#ifdef AMPHISTO_GPU

INLINE bytes
read_whole_bytes (component_row row, uint x)
{
  const uint i = x / N_PIXELS;

  return as_uchar8 ((uint2) (pack_samples (read_component_samples (row, i)),
      pack_samples (read_component_samples (row, i + 1))));
}

INLINE void
write_whole_bytes (component_row row, uint x, bytes samples)
{
  const uint2 words = as_uint2 (samples);
  const uint i = x / N_PIXELS;

  write_shared_samples (row, i, 0, unpack_samples (words.x));
  write_shared_samples (row, i + 1, 0, unpack_samples (words.y));
}

INLINE void
write_whole_pairs (component_row row, uint x, pairs samples)
{
  write_shared_samples (row, x / N_PIXELS, 0, convert_uint4 (samples));
}

#else

/* Items of 1, 2 or 4 bytes, unaligned. */
#define ITEMS(lane, n) lane __attribute__ ((ext_vector_type (n), aligned (1)))
typedef ITEMS (uchar, N_BYTES) byte_items1;
typedef ITEMS (ushort, N_BYTES) byte_items2;
typedef ITEMS (uchar, N_BYTES / 2) pair_items1;
typedef ITEMS (ushort, N_BYTES / 2) pair_items2;
typedef ITEMS (uint, N_BYTES / 2) pair_items4;

#define ITEMS_AT(items, row, x)                                                \
  ((global items *) row_bytes ((row).row, (size_t) (x) * (row).pixel_stride))

/* Writes samples into items, and leaves other bytes of the items alone. */
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

/* n samples of luma from pixel x on; the remaining lanes repeat the last. */
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
  const pairs p = AS_PAIRS (v);

  return (p & (pairs) ((ushort) 255)) + (p >> (pairs) ((ushort) 8));
}

INLINE void
draw_luma_step (const clipping_params *params, component_row from,
    component_row to, uint x, uint y, uint n)
{
  const bytes luma = read_bytes (from, x, n);

  if (!has_no_stripes (params, luma))
    write_bytes (
        to, x, n, stripe_samples (params, luma, read_bytes (to, x, n), x, y));
}

OUTLINE void
draw_luma_rows (uchar_planes source, uchar_planes target,
    constant drawing_params *drawing, constant clipping_params *clipping,
    row_range rows)
{
  constant component_params *samples = &drawing->drawn[0].samples;
  const clipping_params params = *clipping;
  const uint n_whole = samples->width / N_BYTES;
  const uint rest = samples->width % N_BYTES;

  FOR_ROWS (y, rows) {
    const component_row from = frame_component_row (source, samples, y);
    const component_row to = frame_component_row (target, samples, y);

    FOR_COLUMNS (i, n_whole)
      draw_luma_step (&params, from, to, i * N_BYTES, y, N_BYTES);
    FOR_COLUMNS (i, rest > 0 ? 1 : 0)
      draw_luma_step (&params, from, to, n_whole * N_BYTES, y, rest);
  }
}

/* The rows of a chroma row: the first row of luma, in the source and in the
 * target, and the rows of U and V. */
typedef struct
{
  component_row from, to, u, v;
  bool has_chroma; /* U and V have such a row */
  uint from_stride, to_stride;
  uint y;         /* of the first row */
  uint y_stride;  /* 2 in a field */
  uint n_rows;    /* of luma */
  uint n_missing; /* past the frame's last row, which stands in for them */
  uint x_shift;
  uint y_shift;
} yuv_rows;

/* The number of pixel rows, of a frame of `height` rows, covered by the
 * component's sample row `block`. */
INLINE uint
count_pixel_rows (constant component_params *component, uint block, uint height)
{
  const uint first = first_pixel_row (component, block);
  const uint stride = pixel_row_stride (component);

  return first < height
      ? min (1u << component->y_shift, (height - first + stride - 1) / stride)
      : 0;
}

/* The rows of chroma, and one more if the lower field of an interlaced frame
 * has rows of luma left: these use the chroma of rows above, which is made for
 * others. */
INLINE uint
count_chroma_rows (constant drawing_params *drawing)
{
  constant component_params *chroma = &drawing->drawn[1].samples;
  const uint height = drawing->drawn[0].samples.height;
  const bool has_more = chroma->is_interlaced
      && first_pixel_row (chroma, chroma->height) < height;

  return chroma->height + (has_more ? 1 : 0);
}

INLINE yuv_rows
yuv_rows_at (uchar_planes source, uchar_planes target,
    constant drawn_params *drawn, uint block)
{
  constant component_params *luma = &drawn[0].samples;
  constant component_params *chroma = &drawn[1].samples;
  yuv_rows rows;

  rows.x_shift = chroma->x_shift;
  rows.y_shift = chroma->y_shift;
  rows.y = first_pixel_row (chroma, block);
  rows.y_stride = pixel_row_stride (chroma);
  rows.n_rows = count_pixel_rows (chroma, block, luma->height);
  rows.n_missing = (1u << rows.y_shift) - rows.n_rows;
  rows.from = frame_component_row (source, luma, rows.y);
  rows.to = frame_component_row (target, luma, rows.y);
  rows.has_chroma = block < chroma->height;
  rows.u = frame_component_row (target, chroma, block);
  rows.v = frame_component_row (target, &drawn[2].samples, block);
  rows.from_stride = rows.y_stride * frame_plane (source, luma->plane).stride;
  rows.to_stride = rows.y_stride * frame_plane (target, luma->plane).stride;
  return rows;
}

INLINE component_row
next_row (component_row row, uint stride)
{
  row.row = row_from (row.row, stride);
  return row;
}

/* Writes the chroma of n pixels, from pixel x on. sums: of pairs of pixels in
 * all rows. */
INLINE void
write_chroma (
    const yuv_rows *rows, component_row row, uint x, uint n, pairs sums)
{
  const uint x_shift = rows->x_shift;
  const uint shift = x_shift + rows->y_shift;
  const uint bias = 1u << shift >> 1;
  const uint n_samples = (n + (1u << x_shift) - 1) >> x_shift;
  const ushort *sum = (const ushort *) &sums;

  x >>= x_shift;
  if (x_shift == 1 && n == N_BYTES)
    write_whole_pairs (
        row, x, (sums + (pairs) ((ushort) bias)) >> (pairs) ((ushort) shift));
  else if (x_shift == 1)
    for (uint i = 0; i < n_samples; i++)
      put_sample (row, x + i, (sum[i] + bias) >> shift);
  else
    for (uint i = 0; i < n_samples; i++)
      put_sample (row, x + i, (sum[2 * i] + sum[2 * i + 1] + bias) >> shift);
}

/* Draws n pixels of each row, from pixel x on. */
INLINE void
draw_yuv_step (
    const clipping_params *params, const yuv_rows *rows, uint x, uint n)
{
  component_row from = rows->from, to = rows->to;
  bytes u, v;
  pairs u_sums = 0, v_sums = 0;

  for (uint i = 0; i < rows->n_rows; i++) {
    const bytes luma = read_bytes (from, x, n);
    bytes samples = band_samples (params, 0, luma);

    u = band_samples (params, 1, luma);
    v = band_samples (params, 2, luma);
    if (params->has_zebra)
      samples = stripe_samples (
          params, luma, samples, x, rows->y + i * rows->y_stride);
    write_bytes (to, x, n, samples);
    u_sums += add_pairs (u);
    v_sums += add_pairs (v);
    from = next_row (from, rows->from_stride);
    to = next_row (to, rows->to_stride);
  }
  if (rows->x_shift == 0) {
    write_bytes (rows->u, x, n, u);
    write_bytes (rows->v, x, n, v);
    return;
  }
  if (!rows->has_chroma)
    return;
  if (rows->n_missing > 0) {
    u_sums += add_pairs (u) * (pairs) ((ushort) rows->n_missing);
    v_sums += add_pairs (v) * (pairs) ((ushort) rows->n_missing);
  }
  write_chroma (rows, rows->u, x, n, u_sums);
  write_chroma (rows, rows->v, x, n, v_sums);
}

OUTLINE void
draw_yuv_rows (uchar_planes source, uchar_planes target,
    constant drawing_params *drawing, constant clipping_params *clipping,
    row_range range)
{
  const clipping_params params = *clipping;
  const uint width = drawing->drawn[0].samples.width;
  const uint n_whole = width / N_BYTES;
  const uint rest = width % N_BYTES;

  FOR_ROWS (block, range) {
    const yuv_rows rows = yuv_rows_at (source, target, drawing->drawn, block);

    FOR_COLUMNS (i, n_whole)
      draw_yuv_step (&params, &rows, i * N_BYTES, N_BYTES);
    FOR_COLUMNS (i, rest > 0 ? 1 : 0)
      draw_yuv_step (&params, &rows, n_whole * N_BYTES, rest);
  }
}

/* --- the kernel --- */

/* Draws zebra and false colour of the source into the target, which may be the
 * same frame. */
kernel GROUP void
draw_clipping (global uint *source0, global uint *source1, global uint *source2,
    global uint *target0, global uint *target1, global uint *target2,
    constant drawing_params *drawing, constant clipping_params *params)
{
  const uchar_planes source =
      planes_at (source0, source1, source2, source0, drawing->source);
  const uchar_planes target =
      planes_at (target0, target1, target2, target0, drawing->target);
  constant component_params *luma = &drawing->drawn[0].samples;

  if (params->n_luma > 1 || luma->pixel_stride > 2)
    draw_rgb_rows (source, target, drawing, params, own_rows (luma->height));
  else if (params->has_bands)
    draw_yuv_rows (source, target, drawing, params,
        own_rows (count_chroma_rows (drawing)));
  else
    draw_luma_rows (source, target, drawing, params, own_rows (luma->height));
}

#endif
