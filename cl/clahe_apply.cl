/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Contrast limited adaptive histogram equalization: maps each pixel by the LUTs
 * of the four nearest tiles, which clahe_tables.cl interleaves.
 *
 * Floats: as in equalize.cl, every operation is rounded separately.
 */

#ifndef AMPHISTO_CLAHE_APPLY_CL
#define AMPHISTO_CLAHE_APPLY_CL

#ifndef AMPHISTO_CLAHE_PARAMS_H
#include "clahe_params.h"
#endif
#ifndef AMPHISTO_LUMA_CL
#include "luma.cl"
#endif
#ifndef AMPHISTO_LUMA_DELTA_CL
#include "luma_delta.cl"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif

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
  const tile_row row = { tables
        + (size_t) (before + 1) * (clahe->tiles_x + 1) * AMPHISTO_N_BINS,
    clahe->per_x, at - (float) before, params->strength };

  return row;
}

INLINE uint OVERLOAD
read_table (global const uint *tables, uint i)
{
  return tables[i];
}

INLINE pixels OVERLOAD
read_table (global const uint *tables, pixels i)
{
#ifdef AMPHISTO_GPU
  return (uint4) (tables[i.x], tables[i.y], tables[i.z], tables[i.w]);
#else
  return (uint16) (tables[i.s0], tables[i.s1], tables[i.s2], tables[i.s3],
      tables[i.s4], tables[i.s5], tables[i.s6], tables[i.s7], tables[i.s8],
      tables[i.s9], tables[i.sa], tables[i.sb], tables[i.sc], tables[i.sd],
      tables[i.se], tables[i.sf]);
#endif
}

/* v, 0 to 255, rounded half to even: adding 2^23 leaves no fraction, and the
 * integer in the lowest bits. */
#define ROUND_TO_UINTN(uintN, v) (as_##uintN ((v) + 0x1p23f) & 255)

/* For one pixel, and for a chunk of N_PIXELS pixels:
 *
 *   find_place (row, x)         the place of pixel x among the tiles; n is the
 *                               centre of tile n
 *   find_before (place)         the tile before the place, or -1
 *   mix (row, word, right, v)   the equalized value of luma v. word: v's word
 *                               in the table; right: weight of the right tiles
 *   equalize (row, x, v)        the equalized value of luma v of pixel x
 */
#define DEFINE_EQUALIZE(uintN, intN, floatN)                                   \
  INLINE floatN OVERLOAD find_place (tile_row row, uintN x)                    \
  {                                                                            \
    return convert_##floatN (as_##intN (x)) * row.tiles_a_pixel - 0.5f;        \
  }                                                                            \
                                                                               \
  INLINE intN OVERLOAD find_before (floatN place)                              \
  {                                                                            \
    /* conversion is towards 0; -1/2 is the least */                           \
    return convert_##intN (place) - (place < 0 ? (intN) (1) : 0);              \
  }                                                                            \
                                                                               \
  INLINE floatN OVERLOAD byte_of (uintN word, uint i)                          \
  {                                                                            \
    return convert_##floatN (as_##intN (word >> (8 * i) & 255));               \
  }                                                                            \
                                                                               \
  INLINE uintN OVERLOAD mix (tile_row row, uintN word, floatN right, uintN v)  \
  {                                                                            \
    const floatN left = 1.0f - right;                                          \
    const floatN upper = byte_of (word, 0) * left + byte_of (word, 1) * right; \
    const floatN lower = byte_of (word, 2) * left + byte_of (word, 3) * right; \
    const floatN sum = upper * (1.0f - row.lower) + lower * row.lower;         \
    const uintN equalized = ROUND_TO_UINTN (uintN, sum);                       \
                                                                               \
    if (row.strength == 1.0f)                                                  \
      return equalized;                                                        \
                                                                               \
    const floatN move =                                                        \
        convert_##floatN (as_##intN (equalized - v)) * row.strength;           \
    return ROUND_TO_UINTN (uintN, convert_##floatN (as_##intN (v)) + move);    \
  }                                                                            \
                                                                               \
  INLINE uintN OVERLOAD equalize (tile_row row, uintN x, uintN v)              \
  {                                                                            \
    const floatN place = find_place (row, x);                                  \
    const intN before = find_before (place);                                   \
                                                                               \
    return mix (row,                                                           \
        read_table (                                                           \
            row.tables, as_##uintN (before + 1) * AMPHISTO_N_BINS + v),        \
        place - convert_##floatN (before), v);                                 \
  }

DEFINE_EQUALIZE (uint, int, float)
#ifdef AMPHISTO_GPU
DEFINE_EQUALIZE (uint4, int4, float4)
#else
DEFINE_EQUALIZE (uint16, int16, float16)
#endif

/* The places of a row's chunks among the tiles. In the CPU shape they are kept
 * for the following rows.
 *
 *   x                       the first chunk's first pixel; NO_PLACES: not set
 *   find_places (places, row, x, n)   finds the places of n chunks from pixel x
 *                           on
 *   equalize_samples (row, places, source, i)   equalizes chunk i of a row of
 *                           samples
 */
#define NO_PLACES UINT_MAX

#ifdef AMPHISTO_GPU

typedef struct
{
  uint x;
} chunk_places;

INLINE void
find_places (chunk_places *places, tile_row row, uint x, uint n)
{
  (void) row;
  (void) n;
  places->x = x;
}

INLINE pixels
equalize_samples (
    tile_row row, const chunk_places *places, uchar_row source, uint i)
{
  return equalize (
      row, places->x + i * N_PIXELS + FIRST_PIXELS, read_pixels (source, i, 1));
}

#else

/* The number of chunks with a kept place: 4096 pixels. */
#define N_PLACES 256

/* The tile before each chunk, or SEVERAL_TILES if it is not the same for all of
 * the chunk's pixels, and the weights of the right tiles. */
typedef struct
{
  uint x;
  int before[N_PLACES];
  float16 right[N_PLACES];
} chunk_places;

#define SEVERAL_TILES INT_MAX

INLINE void
find_places (chunk_places *places, tile_row row, uint x, uint n)
{
  places->x = x;
  for (uint i = 0; i < min (n, (uint) N_PLACES); i++) {
    const float16 place = find_place (row, x + i * N_PIXELS + FIRST_PIXELS);
    const int16 before = find_before (place);

    places->before[i] = before.s0 == before.sf ? before.s0 : SEVERAL_TILES;
    places->right[i] = place - convert_float16 (before);
  }
}

/* If all samples use the same table, loading them as single bytes is faster on
 * CPUs than extracting the elements of a vector. */
INLINE pixels
equalize_samples (
    tile_row row, const chunk_places *places, uchar_row source, uint i)
{
  const pixels v = read_pixels (source, i, 1);
  const int before = i < N_PLACES ? places->before[i] : SEVERAL_TILES;

  if (before == SEVERAL_TILES)
    return equalize (row, places->x + i * N_PIXELS + FIRST_PIXELS, v);

  global const uint *t = row.tables + (before + 1) * AMPHISTO_N_BINS;
  global const uchar *c = row_bytes (source, i * N_PIXELS);
  const pixels words = (uint16) (t[c[0]], t[c[1]], t[c[2]], t[c[3]], t[c[4]],
      t[c[5]], t[c[6]], t[c[7]], t[c[8]], t[c[9]], t[c[10]], t[c[11]], t[c[12]],
      t[c[13]], t[c[14]], t[c[15]]);

  return mix (row, words, places->right[i], v);
}

#endif

/* Equalizes pixel x, byte by byte. */
INLINE void
equalize_pixel (tile_row tiles, uchar_row source, uchar_row target, uint x,
    uint pixel_stride, uint offset)
{
  for (uint i = 0; i < pixel_stride; i++) {
    const size_t at = (size_t) x * pixel_stride + i;
    const uint value = read_uchar (source, at);

    write_uchar (target, at, i == offset ? equalize (tiles, x, value) : value);
  }
}

/* Equalizes n chunks of a row of planar luma. The target must begin at a whole
 * word. equalize_packed() does the same for packed pixels, from pixel x on. */
INLINE void
equalize_planar (tile_row tiles, const chunk_places *places, uchar_row source,
    uchar_row target, uint n)
{
  FOR_COLUMNS (i, n)
    write_pixels (target, i, 1, equalize_samples (tiles, places, source, i));
}

INLINE void
equalize_packed (tile_row tiles, uchar_row source, uchar_row target, uint x,
    uint n, uint pixel_stride, uint offset)
{
  const uint shift = offset * 8;

  FOR_COLUMNS (i, n) {
    const pixels p = read_pixels (source, i, pixel_stride);
    const pixels luma =
        equalize (tiles, x + i * N_PIXELS + FIRST_PIXELS, p >> shift & 255);

    write_pixels (
        target, i, pixel_stride, (p & ~(255u << shift)) | luma << shift);
  }
}

/* source and target begin at the first pixel with luma. Writes n_bytes of the
 * target. */
INLINE void
equalize_row (tile_row tiles, chunk_places *places, uchar_row source,
    uchar_row target, constant component_params *luma, uint n_bytes)
{
  const uint pixel_stride = luma->pixel_stride;
  const uint offset = luma->offset % pixel_stride;
  const uint width = luma->width;
  const uint head = head_pixels (target, pixel_stride, width);
  const uint n = (width - head) / N_PIXELS;
  const uchar_row from = row_from (source, head * pixel_stride);
  const uchar_row to = row_from (target, head * pixel_stride);

  if (pixel_stride == 1) {
    if (places->x != head)
      find_places (places, tiles, head, n);
    equalize_planar (tiles, places, from, to, n);
  } else
    equalize_packed (tiles, from, to, head, n, pixel_stride, offset);
  FOR_COLUMNS (i, width - n * N_PIXELS)
    equalize_pixel (tiles, source, target, i < head ? i : i + n * N_PIXELS,
        pixel_stride, offset);
  /* samples of other components may follow the last pixel with luma */
  FOR_COLUMNS (i, n_bytes - width * pixel_stride)
    write_uchar (target, width * pixel_stride + i,
        read_uchar (source, width * pixel_stride + i));
}

OUTLINE void
equalize_rows (uchar_plane source, uchar_plane target,
    constant frame_params *params, constant clahe_params *clahe,
    global const uint *tables, row_range rows)
{
  constant component_params *luma = &params->luma;
  const uint first = luma->offset - luma->offset % luma->pixel_stride;
  chunk_places places;

  places.x = NO_PLACES;
  FOR_ROWS (y, rows)
    equalize_row (find_tile_row (params, clahe, tables, y), &places,
        row_from (frame_row (source, y), first),
        row_from (frame_row (target, y), first), luma,
        params->row_bytes - first);
}

/* Grey and YUV. source, target: Y's plane; may be the same buffer. Writes the
 * target's rows up to row_bytes, from the first pixel with luma on. */
kernel GROUP void
apply_tiles (global uint *source, global uint *target,
    constant frame_params *params, constant clahe_params *clahe,
    global const uint *tables)
{
  equalize_rows (plane_at (source, &params->source[params->luma.plane]),
      plane_at (target, &params->target[params->luma.plane]), params, clahe,
      tables, own_rows (params->luma.height));
}

/* Equalizes n chunks of a row, from pixel x on. */
INLINE void
equalize_rgb_chunks (tile_row tiles, rgb_row source, rgb_row target, uint x,
    uint n, constant uint *weights)
{
  const luma_view view = view_luma (source, weights);

  FOR_COLUMNS (i, n) {
    const rgb_pixels p = read_rgb_pixels (source, i);
    const pixels luma = luma_of (view, p);

    write_moved_pixels (target, i, p, luma,
        equalize (tiles, x + i * N_PIXELS + FIRST_PIXELS, luma));
  }
}

INLINE void
equalize_rgb_row (tile_row tiles, rgb_row source, rgb_row target, uint width,
    constant uint *weights)
{
  const uint head = rgb_head_pixels (target, width);
  const uint n = (width - head) / N_PIXELS;
  const rgb_row from = rgb_row_from (source, head);
  const rgb_row to = rgb_row_from (target, head);

  if (IS_GPU && source.pixel_stride == 4)
    equalize_rgb_chunks (
        tiles, packed_row (from, 4), packed_row (to, 4), head, n, weights);
  else if (IS_GPU && source.pixel_stride == 3)
    equalize_rgb_chunks (
        tiles, packed_row (from, 3), packed_row (to, 3), head, n, weights);
  else
    equalize_rgb_chunks (tiles, from, to, head, n, weights);
  FOR_COLUMNS (i, width - n * N_PIXELS) {
    const uint x = i < head ? i : i + n * N_PIXELS;
    const uint4 pixel = read_rgb (source, x);
    const uint luma = LUMA (weights, pixel.x, pixel.y, pixel.z);

    move_pixel (source, target, x, pixel, luma, equalize (tiles, x, luma));
  }
}

OUTLINE void
equalize_rgb_rows (uchar_planes source, uchar_planes target,
    constant frame_params *params, constant clahe_params *clahe,
    global const uint *tables, row_range rows)
{
  FOR_ROWS (y, rows)
    equalize_rgb_row (find_tile_row (params, clahe, tables, y),
        frame_rgb_row (source, params->rgb, y),
        frame_rgb_row (target, params->rgb, y), params->rgb[0].width,
        params->weights);
}

/* RGB: R, G and B change by as much as luma. Planes as for apply_luma_delta. */
kernel GROUP void
apply_tiles_delta (global uint *source0, global uint *source1,
    global uint *source2, global uint *target0, global uint *target1,
    global uint *target2, constant frame_params *params,
    constant clahe_params *clahe, global const uint *tables)
{
  equalize_rgb_rows (
      planes_at (source0, source1, source2, source0, params->source),
      planes_at (target0, target1, target2, target0, params->target), params,
      clahe, tables, own_rows (params->rgb[0].height));
}

#endif
