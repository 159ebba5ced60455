/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Compares luma of a frame with luma of the previous one: adds up the absolute
 * differences, and keeps a copy for the next frame.
 */

#pragma once

#include "pixels/channels.cl"
#include "pixels/slices.cl"

/* The copy of the previous frame's luma: chunks in rows of `stride` chunks.
 * is_new: there is none yet. */
typedef struct
{
  global samples *chunks;
  uint stride;
  bool is_new;
} luma_copy;

/* PoCL (3.1) compiles abs_diff() of vectors to a chain of branches. */
INLINE pixels
differences_of (samples a, samples b)
{
#ifdef AMPHISTO_GPU
  const pixels x = unpack_samples (a), y = unpack_samples (b);

  return x > y ? x - y : y - x;
#else
  const uchar16 x = as_uchar16 (a), y = as_uchar16 (b);

  return convert_uint16 (x > y ? x - y : y - x);
#endif
}

/* Chunk k of a work-item's chunks from chunk `first` on, or the last of n. */
INLINE uint
chunk_at (uint first, uint k, uint n)
{
  return k == 0 ? first : min (first + k * ROW_ITEMS, n - 1);
}

/* Replaces chunks of row y of the copy, from chunk `first` on, as far as there
 * are n. luma: chunks at chunk_at(). Returns the sums of the differences. */
INLINE pixels
compare_chunks (
    luma_copy copy, uint first, uint n, uint y, const samples luma[AT_ONCE])
{
  global samples *row = &copy.chunks[(size_t) y * copy.stride];
  samples before[AT_ONCE];
  pixels sums = 0;

#pragma unroll
  for (uint k = 0; k < AT_ONCE; k++) {
    const uint i = first + k * ROW_ITEMS;

    before[k] = i < n && !copy.is_new ? row[i] : luma[k];
  }
#pragma unroll
  for (uint k = 0; k < AT_ONCE; k++) {
    const uint i = first + k * ROW_ITEMS;

    if (i < n)
      row[i] = luma[k];
    sums += differences_of (luma[k], before[k]);
  }
  return sums;
}

/* Compares the last pixels of row y, from pixel `first` on, fewer than a chunk.
 */
INLINE pixels
compare_rest (luma_copy copy, constant frame_params *params,
    uchar_planes planes, uint first, uint y)
{
  const samples chunk[AT_ONCE] = { pack_samples (
      read_last_luma (params, planes, first, y)) };
  const uint i = first / N_PIXELS;

  return compare_chunks (copy, i, i + 1, y, chunk);
}

INLINE samples
read_luma_chunk (component_row row, uint i)
{
  return row.pixel_stride == 1 ? read_samples (row.row, i)
                               : pack_samples (read_component_samples (row, i));
}

/* Compares row y of luma that is in memory: n chunks. */
INLINE pixels
compare_samples (luma_copy copy, component_row row, uint n, uint y)
{
  pixels sums = 0;

  FOR_CHUNKS_AT_ONCE (i, n) {
    samples luma[AT_ONCE];

#pragma unroll
    for (uint k = 0; k < AT_ONCE; k++)
      luma[k] = read_luma_chunk (row, chunk_at (i, k, n));
    sums += compare_chunks (copy, i, n, y, luma);
  }
  return sums;
}

/* A function for each kind of luma, as in count.cl. They return the sums of the
 * differences in the rows, by lanes. The rows are an eighth of the frame or
 * less, so sums stay below 2^32 in frames of up to 2^31 pixels. */

NOINLINE pixels
compare_component_rows (luma_copy copy, uchar_planes planes,
    constant component_params *luma, row_range rows)
{
  pixels sums = 0;
  const uint n = luma->width / N_PIXELS;

  FOR_ROWS (y, rows) {
    const component_row row = frame_component_row (planes, luma, y);

    if (row.pixel_stride == 1)
      sums += compare_samples (copy, plain_row (row), n, y);
    else
      sums += compare_samples (copy, row, n, y);
  }
  return sums;
}

NOINLINE pixels
compare_rgb_rows (luma_copy copy, uchar_planes planes,
    constant frame_params *params, row_range rows)
{
  pixels sums = 0;
  const uint n = params->luma.width / N_PIXELS;

  FOR_ROWS (y, rows) {
    const rgb_row row = frame_rgb_row (planes, params->rgb, y);
    const luma_view view = view_luma (row, params->weights);

    FOR_CHUNKS_AT_ONCE (i, n) {
      samples luma[AT_ONCE];

#pragma unroll
      for (uint k = 0; k < AT_ONCE; k++)
        luma[k] = pack_samples (
            luma_of (view, read_rgb_pixels (row, chunk_at (i, k, n))));
      sums += compare_chunks (copy, i, n, y, luma);
    }
  }
  return sums;
}

/* Returns the sum of the differences in the rows. */
NOINLINE ulong
compare_rows (luma_copy copy, uchar_planes planes,
    constant frame_params *params, row_range rows)
{
  constant component_params *luma = &params->luma;
  const uint n = luma->width / N_PIXELS;
  pixels sums = HAS_RGB && luma->plane == AMPHISTO_RGB_LUMA
      ? compare_rgb_rows (copy, planes, params, rows)
      : compare_component_rows (copy, planes, luma, rows);
  ulong sum = 0;

  if (n * N_PIXELS < luma->width)
    FOR_ROWS (y, rows)
      FOR_ROW_CHUNKS (i, 1)
        sums += compare_rest (copy, params, planes, n * N_PIXELS, y);
  for (uint k = 0; k < N_PIXELS; k++)
    sum += ((const uint *) &sums)[k];
  return sum;
}

/* Adds to a sum of 64 bits. A lower word that passes 2^32 carries into the
 * upper one. */
INLINE void
add_to_sum (volatile global uint *words, ulong amount)
{
  const uint low = (uint) amount;
  const uint carry = atomic_add (&words[0], low) > UINT_MAX - low ? 1 : 0;
  const uint high = (uint) (amount >> 32) + carry;

  if (high > 0)
    atomic_add (&words[1], high);
}

/* previous: luma of the previous frame, which the kernel replaces by this
 * frame's. bins: as calculate_histogram() leaves them; the sum of the
 * differences is added at AMPHISTO_DIFFERENCE. */
kernel GROUP void
calculate_difference (global uint *plane0, global uint *plane1,
    global uint *plane2, constant frame_params *params, global uint *previous,
    volatile global uint *bins)
{
  const luma_copy copy = { (global samples *) previous,
    params->previous_stride / N_PIXELS, params->resets_comparison != 0 };
  const uchar_planes planes =
      planes_at (plane0, plane1, plane2, plane0, params->source);
  const ulong sum =
      compare_rows (copy, planes, params, own_chunk_rows (params->luma.height));

#ifdef AMPHISTO_GPU
  /* fits into 32 bits, since there are at least 256 groups */
  local uint group_sum;

  if (get_local_id (0) == 0)
    group_sum = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  atomic_add (&group_sum, (uint) sum);
  barrier (CLK_LOCAL_MEM_FENCE);
  if (get_local_id (0) == 0)
    add_to_sum (bins + AMPHISTO_DIFFERENCE, group_sum);
#else
  add_to_sum (bins + AMPHISTO_DIFFERENCE, sum);
#endif
}
