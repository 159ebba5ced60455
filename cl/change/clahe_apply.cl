/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Contrast limited adaptive histogram equalization: maps each pixel by the LUTs
 * of the four nearest tiles, which clahe_tables.cl interleaves.
 *
 * Floats: as in equalize.cl, every operation is rounded separately.
 */

#pragma once

#include "clahe_params.h"
#include "pixels/luma.cl"
#include "change/luma_delta.cl"
#include "pixels/slices.cl"

#pragma OPENCL FP_CONTRACT OFF

/* The tables for a row of the picture: the first table in the row of tables,
 * and the weight of the lower tiles. */
typedef struct
{
  global const uint *tables;
  float tiles_a_pixel;
  float lower;
  float strength;
} tile_row;

INLINE tile_row
find_tile_row (constant frame_params *params, constant clahe_params *clahe,
    global const uint *tables, uint y)
{
  const float at = (float) y * clahe->per_y - 0.5f;
  const int before = (int) floor (at);

  return (tile_row){ tables
        + (size_t) (before + 1) * (clahe->tiles_x + 1) * AMPHISTO_N_BINS,
    clahe->per_x, at - (float) before, params->strength };
}

INLINE uint OVERLOAD
gather_words (global const uint *words, uint i)
{
  return words[i];
}

/* v, 0 to 255, rounded half to even: adding 2^23 leaves no fraction, and the
 * integer in the lowest bits. */
#define ROUND_TO_UINTN(uintN, v) (as_##uintN ((v) + 0x1p23f) & 255)

/* For one pixel, and for a chunk of N_PIXELS pixels:
 *
 *   find_position (row, x)      the position of pixel x among the tiles; n is
 *                               the centre of tile n
 *   find_before (position)      the tile before the position, or -1
 *   mix (row, word, right)      the value at the position. word: luma's word in
 *                               the table; right: weight of the right tiles
 *   move (row, v, equalized)    luma v, moved to its equalized value as far as
 *                               `strength` says
 *   equalize (row, x, v)        the equalized value of luma v of pixel x
 */
#define DEFINE_EQUALIZE(uintN, intN, floatN)                                   \
  INLINE floatN OVERLOAD find_position (tile_row row, uintN x)                 \
  {                                                                            \
    return convert_##floatN (as_##intN (x)) * row.tiles_a_pixel - 0.5f;        \
  }                                                                            \
                                                                               \
  INLINE intN OVERLOAD find_before (floatN position)                           \
  {                                                                            \
    /* conversion is towards 0; -1/2 is the least */                           \
    return convert_##intN (position) - (position < 0 ? (intN) (1) : 0);        \
  }                                                                            \
                                                                               \
  INLINE floatN OVERLOAD byte_of (uintN word, uint i)                          \
  {                                                                            \
    return convert_##floatN (as_##intN (word >> (8 * i) & 255));               \
  }                                                                            \
                                                                               \
  INLINE uintN OVERLOAD mix (tile_row row, uintN word, floatN right)           \
  {                                                                            \
    const floatN left = 1.0f - right;                                          \
    const floatN upper = byte_of (word, 0) * left + byte_of (word, 1) * right; \
    const floatN lower = byte_of (word, 2) * left + byte_of (word, 3) * right; \
                                                                               \
    return ROUND_TO_UINTN (                                                    \
        uintN, upper * (1.0f - row.lower) + lower * row.lower);                \
  }                                                                            \
                                                                               \
  INLINE uintN OVERLOAD move (tile_row row, uintN v, uintN equalized)          \
  {                                                                            \
    const floatN distance =                                                    \
        convert_##floatN (as_##intN (equalized - v)) * row.strength;           \
                                                                               \
    return row.strength == 1.0f                                                \
        ? equalized                                                            \
        : ROUND_TO_UINTN (uintN, convert_##floatN (as_##intN (v)) + distance); \
  }                                                                            \
                                                                               \
  INLINE uintN OVERLOAD equalize (tile_row row, uintN x, uintN v)              \
  {                                                                            \
    const floatN position = find_position (row, x);                            \
    const intN before = find_before (position);                                \
                                                                               \
    const uintN word = gather_words (                                          \
        row.tables, as_##uintN (before + 1) * AMPHISTO_N_BINS + v);            \
                                                                               \
    return move (                                                              \
        row, v, mix (row, word, position - convert_##floatN (before)));        \
  }

DEFINE_EQUALIZE (uint, int, float)
#ifdef AMPHISTO_GPU
DEFINE_EQUALIZE (uint4, int4, float4)
#else
DEFINE_EQUALIZE (uint16, int16, float16)
#endif

/* Equalizes pixel x, byte by byte. */
INLINE void
equalize_pixel (tile_row tiles, uchar_row source, uchar_row target, uint x,
    uint pixel_stride, uint offset)
{
  for (uint i = 0; i < pixel_stride; i++) {
    const size_t at = (size_t) x * pixel_stride + i;
    const uint value = read_uchar (source, at);

    put_uchar (target, at, i == offset ? equalize (tiles, x, value) : value);
  }
}

/* Equalizes n chunks of a row, from pixel x on; see write_pixels() for the
 * target. */
INLINE void
equalize_chunks (tile_row tiles, uchar_row source, uchar_row target, uint x,
    uint n, uint pixel_stride, uint offset)
{
  const uint shift = offset * 8;

  FOR_COLUMNS (i, n) {
    const pixels p = read_pixels (source, i, pixel_stride);
    const pixels luma =
        equalize (tiles, x + i * N_PIXELS + PIXEL_INDICES, p >> shift & 255);

    write_pixels (
        target, i, pixel_stride, (p & ~(255u << shift)) | luma << shift);
  }
}

/* source and target begin at the first pixel with luma. Writes n_bytes of the
 * target. */
INLINE void
equalize_row (tile_row tiles, uchar_row source, uchar_row target,
    constant component_params *luma, uint n_bytes)
{
  const uint pixel_stride = luma->pixel_stride;
  /* offset_in_item() makes NVIDIA's kernel slower by a twentieth */
  const uint offset = luma->offset % pixel_stride;
  const uint width = luma->width;
  const uint head = head_pixels (target, pixel_stride, width);
  const uint n = (width - head) / N_PIXELS;
  const uchar_row from = row_from (source, head * pixel_stride);
  const uchar_row to = row_from (target, head * pixel_stride);

  if (IS_GPU && pixel_stride == 1)
    equalize_chunks (tiles, from, to, head, n, 1, 0);
  else
    equalize_chunks (tiles, from, to, head, n, pixel_stride, offset);
  FOR_COLUMNS (i, width - n * N_PIXELS)
    equalize_pixel (tiles, source, target, i < head ? i : i + n * N_PIXELS,
        pixel_stride, offset);
  /* samples of other components may follow the last pixel with luma */
  FOR_COLUMNS (i, n_bytes - width * pixel_stride)
    put_uchar (target, width * pixel_stride + i,
        read_uchar (source, width * pixel_stride + i));
}

NOINLINE void
equalize_rows (uchar_plane source, uchar_plane target,
    constant frame_params *params, constant clahe_params *clahe,
    global const uint *tables, row_range rows)
{
  constant component_params *luma = &params->luma;
  const uint first = first_item (luma);

  FOR_ROWS (y, rows)
    equalize_row (find_tile_row (params, clahe, tables, y),
        row_from (frame_row (source, y), first),
        row_from (frame_row (target, y), first), luma,
        params->row_bytes - first);
}

#ifndef AMPHISTO_GPU

/* Chunks of a row of planar luma, the same in each row. A chunk begins at pixel
 * x. All its `n` pixels from lane `first` on use one table; its other pixels
 * are in other chunks. `table` is relative to tile_row.tables, `right` has the
 * weights of the right tiles. */
#define MAX_CHUNKS 256
typedef struct
{
  uint n_chunks;
  uint x[MAX_CHUNKS];
  uint table[MAX_CHUNKS];
  uchar first[MAX_CHUNKS];
  uchar n[MAX_CHUNKS];
  float16 right[MAX_CHUNKS];
} planar_chunks;

/* Divides pixels x to width - 1 into chunks, at most MAX_CHUNKS. Returns the
 * first pixel that is left. The last chunk of a row ends with the row. */
INLINE uint
find_chunks (planar_chunks *chunks, tile_row tiles, uint x, uint width)
{
  uint i = 0;

  for (; i < MAX_CHUNKS && x < width; i++) {
    const uint begin = min (x, width - N_PIXELS);
    const uint first = x;
    const int before = find_before (find_position (tiles, x));

    while (x < begin + N_PIXELS
        && find_before (find_position (tiles, x)) == before)
      x++;
    chunks->x[i] = begin;
    chunks->table[i] = (uint) (before + 1) * AMPHISTO_N_BINS;
    chunks->first[i] = (uchar) (first - begin);
    chunks->n[i] = (uchar) (x - first);
    chunks->right[i] =
        find_position (tiles, begin + PIXEL_INDICES) - (float) before;
  }
  chunks->n_chunks = i;
  return x;
}

/* The words of 16 samples. These are volatile, or the compiler would gather the
 * words, which takes longer on many CPUs. */
INLINE pixels
read_words (global const uint *table, const volatile global uchar *v)
{
  return (uint16) (table[v[0]], table[v[1]], table[v[2]], table[v[3]],
      table[v[4]], table[v[5]], table[v[6]], table[v[7]], table[v[8]],
      table[v[9]], table[v[10]], table[v[11]], table[v[12]], table[v[13]],
      table[v[14]], table[v[15]]);
}

/* Writes the samples of a chunk's pixels, and leaves the others alone. */
INLINE void
write_chunk (
    const planar_chunks *chunks, uint i, uchar_row target, samples equalized)
{
  global bytes16 *to = (global bytes16 *) row_bytes (target, chunks->x[i]);
  const uchar16 lane = convert_uchar16 (PIXEL_INDICES) - chunks->first[i];

  if (chunks->n[i] == N_PIXELS)
    *to = equalized;
  else
    *to = as_uint4 (lane < (uchar16) (chunks->n[i]) ? as_uchar16 (equalized)
                                                    : as_uchar16 (*to));
}

/* Equalizes the chunks of a row. The rows may begin at any byte. is_full:
 * whether the strength is 1. */
INLINE void
equalize_planar_chunks (tile_row tiles, const planar_chunks *chunks,
    uchar_row source, uchar_row target, bool is_full)
{
  for (uint i = 0; i < chunks->n_chunks; i++) {
    const global uchar *from = row_bytes (source, chunks->x[i]);
    const pixels equalized = mix (tiles,
        read_words (tiles.tables + chunks->table[i], from), chunks->right[i]);

    write_chunk (chunks, i, target,
        pack_samples (is_full
                ? equalized
                : move (tiles, unpack_samples (*(const global bytes16 *) from),
                    equalized)));
  }
}

/* The same as equalize_rows(), for planar luma at least a chunk wide. */
NOINLINE void
equalize_planar_rows (uchar_plane source, uchar_plane target,
    constant frame_params *params, constant clahe_params *clahe,
    global const uint *tables, row_range rows)
{
  constant component_params *luma = &params->luma;
  planar_chunks chunks;

  for (uint x = 0; x < luma->width;) {
    x = find_chunks (
        &chunks, find_tile_row (params, clahe, tables, 0), x, luma->width);
    FOR_ROWS (y, rows) {
      const tile_row tiles = find_tile_row (params, clahe, tables, y);
      const uchar_row from = row_from (frame_row (source, y), luma->offset);
      const uchar_row to = row_from (frame_row (target, y), luma->offset);

      if (tiles.strength == 1.0f)
        equalize_planar_chunks (tiles, &chunks, from, to, true);
      else
        equalize_planar_chunks (tiles, &chunks, from, to, false);
    }
  }
}

#endif

/* Grey and YUV. source, target: Y's plane; may be the same buffer. Writes the
 * target's rows up to row_bytes, from the first pixel with luma on. */
kernel GROUP void
apply_tiles (global uint *source, global uint *target,
    constant frame_params *params, constant clahe_params *clahe,
    global const uint *tables)
{
  const uchar_plane from =
      plane_at (source, &params->source[params->luma.plane]);
  const uchar_plane to = plane_at (target, &params->target[params->luma.plane]);
  const row_range rows = own_rows (params->luma.height);

#ifndef AMPHISTO_GPU
  if (params->luma.pixel_stride == 1 && params->luma.width >= N_PIXELS)
    equalize_planar_rows (from, to, params, clahe, tables, rows);
  else
#endif
    equalize_rows (from, to, params, clahe, tables, rows);
}

/* Equalizes n chunks of a row, from pixel x on. */
INLINE void
equalize_rgb_chunks (tile_row tiles, rgb_row source, rgb_row target, uint x,
    uint n, constant uint *weights, uint gain)
{
  const luma_view view = view_luma (source, weights);

  FOR_COLUMNS (i, n) {
    const rgb_pixels p = read_rgb_pixels (source, i);
    const pixels luma = luma_of (view, p);

    write_moved_pixels (target, i, p, luma,
        equalize (tiles, x + i * N_PIXELS + PIXEL_INDICES, luma), gain);
  }
}

INLINE void
equalize_rgb_row (tile_row tiles, rgb_row source, rgb_row target, uint width,
    constant uint *weights, uint gain)
{
  const uint head = rgb_head_pixels (target, width);
  const uint n = (width - head) / N_PIXELS;
  const rgb_row from = rgb_row_from (source, head);
  const rgb_row to = rgb_row_from (target, head);

  if (IS_GPU && source.pixel_stride == 4)
    equalize_rgb_chunks (tiles, packed_row (from, 4), packed_row (to, 4), head,
        n, weights, gain);
  else if (IS_GPU && source.pixel_stride == 3)
    equalize_rgb_chunks (tiles, packed_row (from, 3), packed_row (to, 3), head,
        n, weights, gain);
  else
    equalize_rgb_chunks (tiles, from, to, head, n, weights, gain);
  FOR_COLUMNS (i, width - n * N_PIXELS) {
    const uint x = i < head ? i : i + n * N_PIXELS;
    const uint luma = read_rgb_luma (source, x, weights);

    move_pixel (source, target, x, luma, equalize (tiles, x, luma), gain);
  }
}

NOINLINE void
equalize_rgb_rows (uchar_planes source, uchar_planes target,
    constant frame_params *params, constant clahe_params *clahe,
    global const uint *tables, uint gain, row_range rows)
{
  FOR_ROWS (y, rows)
    equalize_rgb_row (find_tile_row (params, clahe, tables, y),
        frame_rgb_row (source, params->rgb, y),
        frame_rgb_row (target, params->rgb, y), params->rgb[0].width,
        params->weights, gain);
}

/* RGB: R, G and B change with luma. Planes and gain as for apply_luma_delta. */
kernel GROUP void
apply_tiles_delta (global uint *source0, global uint *source1,
    global uint *source2, global uint *target0, global uint *target1,
    global uint *target2, constant frame_params *params,
    constant clahe_params *clahe, global const uint *tables,
    global const uint *gain)
{
  if (HAS_RGB)
    equalize_rgb_rows (
        planes_at (source0, source1, source2, source0, params->source),
        planes_at (target0, target1, target2, target0, params->target), params,
        clahe, tables, read_gain (params, gain),
        own_rows (params->rgb[0].height));
}
