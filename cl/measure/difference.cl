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

/* Replaces a chunk of the copy. Returns the differences. */
INLINE pixels
compare_chunk (luma_copy copy, uint i, uint y, samples luma)
{
  global samples *chunk = &copy.chunks[(size_t) y * copy.stride + i];
  const samples before = copy.is_new ? luma : *chunk;

  *chunk = luma;
  return differences_of (luma, before);
}

/* Compares the last pixels of row y, from pixel `first` on, fewer than a chunk.
 */
INLINE pixels
compare_rest (luma_copy copy, constant frame_params *params,
    uchar_planes planes, uint first, uint y)
{
  constant component_params *luma = &params->luma;
  pixels values = 0;

  for (uint k = 0; k < N_PIXELS; k++)
    if (first + k < luma->width)
      ((uint *) &values)[k] = read_channel (params, planes, luma, first + k, y);
  return compare_chunk (copy, first / N_PIXELS, y, pack_samples (values));
}

/* A function for each kind of luma, as in count.cl. They return the sums of the
 * differences in the rows, by lanes. The rows are an eighth of the frame or
 * less, so sums stay below 2^32 in frames of up to 2^31 pixels. */

OUTLINE pixels
compare_component_rows (luma_copy copy, uchar_planes planes,
    constant component_params *luma, row_range rows)
{
  pixels sums = 0;
  const uint n = luma->width / N_PIXELS;

  FOR_ROWS (y, rows) {
    const component_row row = frame_component_row (planes, luma, y);

    if (row.pixel_stride == 1)
      FOR_ROW_CHUNKS (i, n)
        sums += compare_chunk (copy, i, y, read_samples (row.row, i));
    else
      FOR_ROW_CHUNKS (i, n)
        sums += compare_chunk (
            copy, i, y, pack_samples (read_component_samples (row, i)));
  }
  return sums;
}

OUTLINE pixels
compare_rgb_rows (luma_copy copy, uchar_planes planes,
    constant frame_params *params, row_range rows)
{
  pixels sums = 0;
  const uint n = params->luma.width / N_PIXELS;

  FOR_ROWS (y, rows) {
    const rgb_row row = frame_rgb_row (planes, params->rgb, y);
    const luma_view view = view_luma (row, params->weights);

    FOR_ROW_CHUNKS (i, n)
      sums += compare_chunk (
          copy, i, y, pack_samples (luma_of (view, read_rgb_pixels (row, i))));
  }
  return sums;
}

/* Returns the sum of the differences in the rows. */
OUTLINE ulong
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
