/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws zebra into rows of luma, and false colour of YUV into all rows of a
 * chroma row at once.
 */

#pragma once

#include "change/exposure_samples.cl"
#include "drawing_params.h"
#include "pixels/components.cl"
#include "pixels/slices.cl"

#ifdef AMPHISTO_GPU

/* Tells the compiler that the row's items have 1 or 2 bytes. */
INLINE component_row
small_items_row (component_row row)
{
  row.pixel_stride = row.pixel_stride == 1 ? 1 : 2;
  return row;
}

INLINE bytes
read_whole_bytes (component_row row, uint x)
{
  const component_row items = small_items_row (row);
  const uint i = x / N_PIXELS;

  return as_uchar8 ((uint2) (pack_samples (read_component_samples (items, i)),
      pack_samples (read_component_samples (items, i + 1))));
}

INLINE void
write_whole_bytes (component_row row, uint x, bytes samples)
{
  const component_row items = small_items_row (row);
  const uint2 words = as_uint2 (samples);
  const uint i = x / N_PIXELS;

  write_shared_samples (items, i, 0, unpack_samples (words.x));
  write_shared_samples (items, i + 1, 0, unpack_samples (words.y));
}

INLINE pairs
read_whole_pairs (component_row row, uint x)
{
  return convert_ushort4 (read_component_samples (row, x / N_PIXELS));
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

INLINE pairs
read_whole_pairs (component_row row, uint x)
{
  const uint shift = row.offset * 8;

  if (row.pixel_stride == 1)
    return __builtin_convertvector(*ITEMS_AT (pair_items1, row, x), pairs);
  if (row.pixel_stride == 2)
    return *ITEMS_AT (pair_items2, row, x) >> (pairs) ((ushort) shift)
        & (pairs) ((ushort) 255);
  return __builtin_convertvector(
      *ITEMS_AT (pair_items4, row, x) >> (pair_items4) (shift)
          & (pair_items4) (255u),
      pairs);
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
      write_sample (row, x + i, lane[i]);
}

/* The sums of pairs of neighbouring lanes. */
INLINE pairs
add_pairs (bytes v)
{
  const pairs p = AS_PAIRS (v);

  return (p & (pairs) ((ushort) 255)) + (p >> (pairs) ((ushort) 8));
}

INLINE void
draw_luma_chunk (const exposure_params *params, component_row from,
    component_row to, uint x, uint y, uint n)
{
  const bytes luma = read_bytes (from, x, n);

  if (!has_no_stripes (params, luma))
    write_bytes (
        to, x, n, stripe_samples (params, luma, read_bytes (to, x, n), x, y));
}

NOINLINE void
draw_luma_rows (uchar_planes source, uchar_planes target,
    constant drawing_params *drawing, constant exposure_params *exposure,
    row_range rows)
{
  constant component_params *samples = &drawing->drawn[0].samples;
  const exposure_params params = *exposure;
  const uint n_whole = samples->width / N_BYTES;
  const uint rest = samples->width % N_BYTES;

  FOR_ROWS (y, rows) {
    const component_row from = frame_component_row (source, samples, y);
    const component_row to = frame_component_row (target, samples, y);

    FOR_COLUMNS (i, n_whole)
      draw_luma_chunk (&params, from, to, i * N_BYTES, y, N_BYTES);
    FOR_COLUMNS (i, rest > 0 ? 1 : 0)
      draw_luma_chunk (&params, from, to, n_whole * N_BYTES, y, rest);
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
n_pixel_rows (constant component_params *component, uint block, uint height)
{
  const uint first = first_pixel_row (component, block);
  const uint stride = pixel_row_stride (component);

  return first < height
      ? min (1u << component->y_shift, (height - first + stride - 1) / stride)
      : 0;
}

/* The rows of chroma, and one more if the lower field of an interlaced frame
 * ends with rows of luma without a chroma row of their own: only their luma is
 * drawn. */
INLINE uint
n_chroma_rows (constant drawing_params *drawing)
{
  constant component_params *chroma =
      &drawing->drawn[drawing->n_drawn - 1].samples;
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
  rows.n_rows = n_pixel_rows (chroma, block, luma->height);
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
    component_row row, uint x_shift, uint y_shift, uint x, uint n, pairs sums)
{
  const uint shift = x_shift + y_shift;
  const uint bias = 1u << shift >> 1;
  const uint n_samples = (n + (1u << x_shift) - 1) >> x_shift;
  const ushort *sum = (const ushort *) &sums;

  x >>= x_shift;
  if (x_shift == 1 && n == N_BYTES)
    write_whole_pairs (
        row, x, (sums + (pairs) ((ushort) bias)) >> (pairs) ((ushort) shift));
  else if (x_shift == 1)
    for (uint i = 0; i < n_samples; i++)
      write_sample (row, x + i, (sum[i] + bias) >> shift);
  else
    for (uint i = 0; i < n_samples; i++)
      write_sample (row, x + i, (sum[2 * i] + sum[2 * i + 1] + bias) >> shift);
}

/* Draws n pixels of each row, from pixel x on. */
INLINE void
draw_yuv_chunk (const exposure_params *params, const band_view *view,
    const yuv_rows *rows, uint x, uint n)
{
  component_row from = rows->from, to = rows->to;
  yuv_bytes p;
  pairs u_sums = 0, v_sums = 0;

  for (uint i = 0; i < rows->n_rows; i++) {
    const bytes luma = read_bytes (from, x, n);

    p = draw_bands (view, luma);
    if (params->has_zebra)
      p.y = stripe_samples (params, luma, p.y, x, rows->y + i * rows->y_stride);
    write_bytes (to, x, n, p.y);
    u_sums += add_pairs (p.u);
    v_sums += add_pairs (p.v);
    from = next_row (from, rows->from_stride);
    to = next_row (to, rows->to_stride);
  }
  if (rows->x_shift == 0) {
    write_bytes (rows->u, x, n, p.u);
    write_bytes (rows->v, x, n, p.v);
    return;
  }
  if (!rows->has_chroma)
    return;
  if (rows->n_missing > 0) {
    u_sums += add_pairs (p.u) * (pairs) ((ushort) rows->n_missing);
    v_sums += add_pairs (p.v) * (pairs) ((ushort) rows->n_missing);
  }
  write_chroma (rows->u, rows->x_shift, rows->y_shift, x, n, u_sums);
  write_chroma (rows->v, rows->x_shift, rows->y_shift, x, n, v_sums);
}

/* Whether the rows are planar 4:2:0, with two rows of luma. */
INLINE bool
are_planar_420 (const yuv_rows *rows)
{
  return rows->from.pixel_stride == 1 && rows->to.pixel_stride == 1
      && rows->u.pixel_stride == 1 && rows->x_shift == 1 && rows->y_shift == 1
      && rows->n_rows == 2;
}

/* Tells the compiler that the rows are planar 4:2:0. */
INLINE yuv_rows
planar_420_rows (yuv_rows rows)
{
  rows.from = plain_row (rows.from);
  rows.to = plain_row (rows.to);
  rows.u = plain_row (rows.u);
  rows.v = plain_row (rows.v);
  rows.x_shift = 1;
  rows.y_shift = 1;
  rows.n_rows = 2;
  rows.n_missing = 0;
  return rows;
}

/* Draws chunks `first` to before `end` of each row. */
INLINE void
draw_yuv_chunks (const exposure_params *params, const band_view *view,
    yuv_rows rows, uint first, uint end)
{
  for (uint i = first; i < end; i++)
    draw_yuv_chunk (params, view, &rows, i * N_BYTES, N_BYTES);
}

/* How the chunks of a frame are shared, for draw_yuv(): a block is one chunk in
 * the GPU shape, the chunks of a row in the CPU shape. */
INLINE own_chunks
share_yuv_blocks (constant drawing_params *drawing)
{
  const uint n = (drawing->drawn[0].samples.width + N_BYTES - 1) / N_BYTES;

  return share_blocks (IS_GPU ? n : 1, n_chroma_rows (drawing));
}

/* Draws the blocks. own: for view_bands(). */
NOINLINE void
draw_yuv (uchar_planes source, uchar_planes target,
    constant drawn_params *drawn, constant exposure_params *exposure,
    OWN uint *own, own_chunks blocks)
{
  const exposure_params params = *exposure;
  const band_view view = view_bands (&params, own);
  const uint n = drawn[0].samples.width / N_BYTES;
  const uint rest = drawn[0].samples.width % N_BYTES;

  FOR_CHUNKS (at, blocks) {
    const yuv_rows rows = yuv_rows_at (source, target, drawn, at.y);
    const uint first = IS_GPU ? at.x : 0;
    const uint end = IS_GPU ? min (at.x + 1, n) : n;
    const uint n_rest = IS_GPU && at.x < n ? 0 : rest;

    if (are_planar_420 (&rows))
      draw_yuv_chunks (&params, &view, planar_420_rows (rows), first, end);
    else
      draw_yuv_chunks (&params, &view, rows, first, end);
    if (n_rest > 0)
      draw_yuv_chunk (&params, &view, &rows, n * N_BYTES, n_rest);
  }
}
