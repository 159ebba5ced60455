/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts samples, row by row: of a component, of luma of RGB, of red, green and
 * blue of YUV, and of saturation.
 *
 * After "Histogram using C++ AMP" and the CUDA SDK's histogram256. This file
 * counts regions of interest and tiles; histogram_cpu.cl and histogram_gpu.cl
 * count frames.
 *
 * For both shapes:
 *
 *   N_REPLICAS                replicas of each bin of a channel;
 *                             REPLICA_OF_BIN (i, v) is the index of one
 *   counters                  the bins of a channel
 *   own_counters (counts)     counters for regions and tiles, in counts:
 *                             N_REPLICAS * AMPHISTO_N_BINS
 *   count (counters, value)   counts a sample
 *   count_samples (counters, samples)    counts a chunk of samples
 *   count_plain_chunks (counters, row, n)    counts uchars 0 to 16 * n - 1 of a
 *                             row
 *   count_row_pairs (counters, plane, width, rows)    may count the first
 *                             `width` uchars of rows, two rows alternately;
 *                             gives the rows left to be counted
 *   FOR_COUNTED (x, n, counters)    the work-item's chunks or samples, of n
 *   ITEM_ROW, GROUP_ROWS      the work-item's row, and the number of rows that
 *                             a work-group counts at once
 */

#pragma once

#include "pixels/channels.cl"
#ifdef AMPHISTO_GPU
#include "measure/count_gpu.cl"
#else
#include "measure/count_cpu.cl"
#endif

/* The work-item's rows, of the work-group's. */
INLINE row_range
own_item_rows (row_range rows)
{
  rows.first += ITEM_ROW;
  rows.stride = GROUP_ROWS;
  return rows;
}

INLINE void
clear_counts (OWN uint *counts)
{
  FOR_COLUMNS (i, N_REPLICAS * AMPHISTO_N_BINS)
    counts[i] = 0;
}

/* The count of value v, the sum of all replicas. */
INLINE uint
sum_replicas (const OWN uint *counts, uint v)
{
  uint sum = 0;

  for (uint replica = 0; replica < N_REPLICAS; replica++)
    sum += counts[REPLICA_OF_BIN (replica, v)];
  return sum;
}

/* Adds the counts to the bins. */
INLINE void
add_counts (const OWN uint *counts, volatile global uint *bins)
{
  FOR_COLUMNS (v, AMPHISTO_N_BINS) {
    const uint sum = sum_replicas (counts, v);

    if (sum > 0)
      atomic_add (&bins[v], sum);
  }
}

/* Counts `width` samples of the row. */
INLINE void
count_component (counters c, component_row row, uint width)
{
  const bool is_plain = row.pixel_stride == 1;
  const uint n = is_plain ? width / 16 : width / N_PIXELS;
  const uint end = is_plain ? n * 16 : n * N_PIXELS;

  if (is_plain)
    count_plain_chunks (c, row.row, n);
  else
    FOR_COUNTED (i, n, c)
      count_samples (c, pack_samples (read_component_samples (row, i)));
  FOR_COUNTED (i, width - end, c)
    count (c, read_sample (row, end + i));
}

INLINE void
count_rgb_luma_chunks (counters c, rgb_row row, uint n, constant uint *weights)
{
  const luma_view view = view_luma (row, weights);

  FOR_COUNTED (i, n, c)
    count_samples (c, pack_samples (luma_of (view, read_rgb_pixels (row, i))));
}

/* Counts luma of `width` pixels of the row. */
INLINE void
count_rgb_luma (counters c, rgb_row row, uint width, constant uint *weights)
{
  const uint n = width / N_PIXELS;

  if (IS_GPU && row.pixel_stride == 4)
    count_rgb_luma_chunks (c, packed_row (row, 4), n, weights);
  else if (IS_GPU && row.pixel_stride == 3)
    count_rgb_luma_chunks (c, packed_row (row, 3), n, weights);
  else
    count_rgb_luma_chunks (c, row, n, weights);
  FOR_COUNTED (i, width - n * N_PIXELS, c)
    count (c, read_rgb_luma (row, n * N_PIXELS + i, weights));
}

/* Counts saturation of `width` samples of U and V. */
INLINE void
count_saturation (counters c, chroma_row row, uint width)
{
  const uint n = width / N_PIXELS;

  FOR_COUNTED (i, n, c)
    count_samples (
        c, pack_samples (saturation_of (read_chroma_pixels (row, i))));
  FOR_COUNTED (i, width - n * N_PIXELS, c)
    count (c, saturation_at (read_chroma (row, n * N_PIXELS + i)));
}

/* A function for each kind of component, so that the loops of all formats are
 * not inlined into one kernel. */

NOINLINE void
count_component_rows (counters c, uchar_planes planes,
    constant component_params *component, row_range rows)
{
  if (component->pixel_stride == 1)
    rows = count_row_pairs (
        c, component_plane (planes, component), component->width, rows);
  FOR_ROWS (y, rows)
    count_component (
        c, frame_component_row (planes, component, y), component->width);
}

NOINLINE void
count_rgb_luma_rows (counters c, uchar_planes planes,
    constant frame_params *params, row_range rows)
{
  FOR_ROWS (y, rows)
    count_rgb_luma (c, frame_rgb_row (planes, params->rgb, y),
        params->rgb[0].width, params->weights);
}

/* Counts red, green or blue. Pixels before and after whole chunks are counted
 * one by one. */
NOINLINE void
count_colour_rows (counters c, uchar_planes planes,
    constant frame_params *params, constant int *matrix_row, row_range rows)
{
  const uint width = params->luma.width;

  FOR_ROWS (y, rows) {
    const yuv_row row = frame_yuv_row (planes, params, y);
    const uint head = min (yuv_row_head (row), width);
    const uint n = (width - head) / N_PIXELS;
    const yuv_row chunks = yuv_row_from (row, head);

    FOR_COUNTED (i, n, c)
      count_samples (c,
          pack_samples (colours_of (read_yuv_pixels (chunks, i), matrix_row)));
    FOR_COUNTED (i, width - n * N_PIXELS, c)
      count (c, read_colour (row, i < head ? i : i + n * N_PIXELS, matrix_row));
  }
}

NOINLINE void
count_saturation_rows (counters c, uchar_planes planes,
    constant component_params *chroma, row_range rows)
{
  FOR_ROWS (y, rows) {
    const chroma_row row = frame_chroma_row (planes, chroma, y);

    if (chroma->pixel_stride == 1)
      count_saturation (c, plain_chroma_row (row), chroma->width);
    else
      count_saturation (c, row, chroma->width);
  }
}

NOINLINE void
count_rgb_saturation_rows (counters c, uchar_planes planes,
    constant frame_params *params, row_range rows)
{
  constant int (*matrix)[4] = params->chroma_matrix;
  const uint width = params->rgb[0].width;
  const uint n = width / N_PIXELS;

  FOR_ROWS (y, rows) {
    const rgb_row row = frame_rgb_row (planes, params->rgb, y);

    FOR_COUNTED (i, n, c)
      count_samples (c,
          pack_samples (
              saturation_of (read_rgb_chroma_pixels (row, i, matrix))));
    FOR_COUNTED (i, width - n * N_PIXELS, c)
      count (
          c, saturation_at (read_rgb_chroma (row, n * N_PIXELS + i, matrix)));
  }
}

/* Counts rows of the slot's component. */
INLINE void
count_rows (counters c, uint slot, constant frame_params *params,
    uchar_planes planes, row_range rows)
{
  constant component_params *component = &params->measured[slot];

  if (HAS_RGB && component->plane == AMPHISTO_RGB_LUMA)
    count_rgb_luma_rows (c, planes, params, rows);
  else if (HAS_SATURATION && HAS_RGB
      && component->plane == AMPHISTO_RGB_SATURATION)
    count_rgb_saturation_rows (c, planes, params, rows);
  else if (HAS_SATURATION && component->plane == AMPHISTO_YUV_SATURATION)
    count_saturation_rows (c, planes, params->chroma, rows);
  else if (HAS_COLOURS && component->plane >= AMPHISTO_YUV_RED)
    count_colour_rows (c, planes, params,
        params->matrix[component->plane - AMPHISTO_YUV_RED], rows);
  else
    count_component_rows (c, planes, component, rows);
}
