/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Compares luma and other channels of a frame with those of the previous one:
 * adds up the absolute differences, and keeps copies for the next frame.
 */

#pragma once

#include "measure/sums.cl"
#include "pixels/luma_rows.cl"
#include "pixels/slices.cl"

/* A copy of samples of the previous frame: chunks in rows of `stride` chunks.
 * is_new: there is none yet. */
typedef struct
{
  global samples *chunks;
  uint stride;
  bool is_new;
} sample_copy;

/* Sums of differences, by lanes. On GPUs, a work-item has so few chunks that
 * lanes of 32 bits do not overflow. A CPU's thread may have a whole frame. */
#ifdef AMPHISTO_GPU

typedef pixels difference_sums;

INLINE difference_sums
differences_of (samples a, samples b)
{
  const pixels x = unpack_samples (a), y = unpack_samples (b);

  return x > y ? x - y : y - x;
}

INLINE ulong
add_up_lanes (difference_sums sums)
{
  ulong sum = 0;

  for (uint k = 0; k < N_PIXELS; k++)
    sum += ((const uint *) &sums)[k];
  return sum;
}

#else

typedef ulong2 difference_sums;

/* Returns the sums of eight bytes each, which x86 has an instruction for. */
INLINE difference_sums
differences_of (samples a, samples b)
{
#if defined __SSE2__ && __has_builtin(__builtin_ia32_psadbw128)
  return __builtin_astype (
      __builtin_ia32_psadbw128 (as_char16 (a), as_char16 (b)), ulong2);
#else
  const uchar16 x = as_uchar16 (a), y = as_uchar16 (b);
  /* PoCL (3.1) compiles abs_diff() of vectors to a chain of branches. */
  const ulong2 bytes = as_ulong2 (x > y ? x - y : y - x);
  const ulong2 even = 0x00ff00ff00ff00ffUL;
  const ulong2 pairs = (bytes & even) + (bytes >> 8 & even);

  return pairs * 0x0001000100010001UL >> 48;
#endif
}

INLINE ulong
add_up_lanes (difference_sums sums)
{
  return sums.x + sums.y;
}

#endif

/* Chunk k of a work-item's chunks from chunk `first` on, or the last of n. */
INLINE uint
chunk_at (uint first, uint k, uint n)
{
  return k == 0 ? first : min (first + k * ROW_ITEMS, n - 1);
}

/* Replaces chunks of row y of the copy, from chunk `first` on, as far as there
 * are n. now: chunks at chunk_at(). Returns the sums of the differences. */
INLINE difference_sums
compare_chunks (
    sample_copy copy, uint first, uint n, uint y, const samples now[AT_ONCE])
{
  global samples *row = &copy.chunks[(size_t) y * copy.stride];
  samples before[AT_ONCE];
  difference_sums sums = 0;

#pragma unroll
  for (uint k = 0; k < AT_ONCE; k++) {
    const uint i = first + k * ROW_ITEMS;

    before[k] = i < n && !copy.is_new ? row[i] : now[k];
  }
#pragma unroll
  for (uint k = 0; k < AT_ONCE; k++) {
    const uint i = first + k * ROW_ITEMS;

    if (i < n)
      row[i] = now[k];
    sums += differences_of (now[k], before[k]);
  }
  return sums;
}

/* Compares the bytes of `mask` in n chunks of row y. */
INLINE difference_sums
compare_samples (sample_copy copy, luma_row row, uint mask, uint n, uint y)
{
  difference_sums sums = 0;

  FOR_CHUNKS_AT_ONCE (i, n) {
    samples now[AT_ONCE];

#pragma unroll
    for (uint k = 0; k < AT_ONCE; k++)
      now[k] = read_luma_samples (row, chunk_at (i, k, n)) & mask;
    sums += compare_chunks (copy, i, n, y, now);
  }
  return sums;
}

/* Compares the bytes of `mask` in row y. */
INLINE difference_sums
compare_row (sample_copy copy, luma_row row, uint mask, uint width, uint y)
{
  const uint n = width / N_PIXELS;
  difference_sums sums = is_plain_luma (row)
      ? compare_samples (copy, plain_luma_row (row), mask, n, y)
      : compare_samples (copy, row, mask, n, y);

  if (n * N_PIXELS < width)
    FOR_ROW_CHUNKS (i, 1) {
      const samples now[AT_ONCE] = {
        pack_samples (read_last_luma (row, n * N_PIXELS, width)) & mask
      };

      sums += compare_chunks (copy, n, n + 1, y, now);
    }
  return sums;
}

/* A function for each kind of luma, as in count.cl. They return the sum of the
 * differences in the rows. */

NOINLINE ulong
compare_stored_luma (sample_copy copy, uchar_planes planes,
    constant frame_params *params, row_range rows)
{
  const uint width = params->luma.width;
  difference_sums sums = 0;

  FOR_ROWS (y, rows)
    sums += compare_row (
        copy, stored_luma_row (planes, params, y), UINT_MAX, width, y);
  return add_up_lanes (sums);
}

NOINLINE ulong
compare_rgb_luma (sample_copy copy, uchar_planes planes,
    constant frame_params *params, row_range rows)
{
  const uint width = params->luma.width;
  difference_sums sums = 0;

  FOR_ROWS (y, rows)
    sums += compare_row (
        copy, rgb_luma_row (planes, params, y), UINT_MAX, width, y);
  return add_up_lanes (sums);
}

INLINE ulong
compare_luma (sample_copy copy, uchar_planes planes,
    constant frame_params *params, row_range rows)
{
  return is_luma_of_rgb (params)
      ? compare_rgb_luma (copy, planes, params, rows)
      : compare_stored_luma (copy, planes, params, rows);
}

/* Returns the sum of the bytes' differences in the rows. */
NOINLINE ulong
compare_bytes (sample_copy copy, uchar_planes planes,
    constant bytes_params *bytes, row_range rows)
{
  const uchar_plane plane = frame_plane (planes, bytes->plane);
  difference_sums sums = 0;

  FOR_ROWS (y, rows) {
    const uchar_row row = row_from (frame_row (plane, y), bytes->offset);

    sums +=
        compare_row (copy, row_of_bytes (row), bytes->mask, bytes->width, y);
  }
  return add_up_lanes (sums);
}

INLINE sample_copy
copy_of_rows (global samples *chunks, uint width, bool is_new)
{
  return (sample_copy){ chunks, (width + N_PIXELS - 1) / N_PIXELS, is_new };
}

/* previous_luma, previous_bytes: copies of the previous frame's, of the bytes
 * one after another, which the kernel replaces by this frame's. bins: as
 * calculate_histogram() leaves them; the sums of the differences are added at
 * AMPHISTO_DIFFERENCE and AMPHISTO_BYTE_DIFFERENCE. */
kernel GROUP void
calculate_difference (global uint *plane0, global uint *plane1,
    global uint *plane2, constant frame_params *params,
    global uint *previous_luma, global uint *previous_bytes,
    volatile global uint *bins)
{
  const uchar_planes planes =
      planes_at (plane0, plane1, plane2, plane0, params->source);
  global samples *chunks = (global samples *) previous_bytes;
  ulong luma = 0, others = 0;
  OWN uint group_sum[2];

  if (params->compares_luma)
    luma = compare_luma (copy_of_rows ((global samples *) previous_luma,
                             params->luma.width, params->resets_luma != 0),
        planes, params, own_chunk_rows (params->luma.height));
  for (uint i = 0; i < params->n_compared; i++) {
    constant bytes_params *bytes = &params->compared[i];
    const sample_copy copy =
        copy_of_rows (chunks, bytes->width, params->resets_bytes != 0);

    others +=
        compare_bytes (copy, planes, bytes, own_chunk_rows (bytes->height));
    chunks += (size_t) copy.stride * bytes->height;
  }
  add_group_to_sum (bins + AMPHISTO_DIFFERENCE, group_sum, luma);
  add_group_to_sum (bins + AMPHISTO_BYTE_DIFFERENCE, group_sum, others);
}
