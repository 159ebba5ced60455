/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: counts passes of several slots. A pass reads pixels once and
 * counts all slots that need them: the components of packed pixels, or the
 * colours of YUV.
 */

#pragma once

#include "measure/colour_rows_cpu.cl"
#include "measure/packed_rows_cpu.cl"
#include "pixels/colours_cpu.cl"

/* A run of pixels is read once and then counted slot by slot, while its samples
 * are in the first cache. */
#define RUN_CHUNKS 32

/* The samples of one component. */
typedef samples sample_run[RUN_CHUNKS];

INLINE void
convert_yuv (sample_run *runs, yuv_row row, constant int (*matrix)[4], uint n)
{
  for (uint i = 0; i < n; i++) {
    const colour_chunk c =
        calculate_chunk (row, i, matrix, (short16) (0), (short16) (255));

    for (uint k = 0; k < 3; k++)
      runs[k][i] = as_uint4 (convert_uchar16 (c.colour[k]));
  }
}

/* Stores red, green and blue of n chunks of YUV in the first three runs. */
INLINE void
read_colours (sample_run *runs, yuv_row row, constant int (*matrix)[4], uint n)
{
  if (is_half_planar (row))
    convert_yuv (runs, half_planar_row (row), matrix, n);
  else
    convert_yuv (runs, row, matrix, n);
}

/* Stores luma of n chunks of packed RGB. */
INLINE void
read_luma_run (samples *run, rgb_row row, constant frame_params *params, uint n)
{
  const luma_view view = view_luma (row, params->weights);

  for (uint i = 0; i < n; i++)
    run[i] = pack_samples (luma_of (view, read_packed_pixels (row, i)));
}

/* Stores `n_components` of n chunks of packed pixels, each in a run. */
INLINE void
read_components (sample_run *runs, component_row row,
    constant component_params *components, uint n_components, uint n)
{
  for (uint i = 0; i < n; i++) {
    const pixels packed = read_pixels (row.row, i, row.pixel_stride);

    for (uint k = 0; k < n_components; k++) {
      const uint offset =
          offset_in_item (components[k].offset, row.pixel_stride);

      runs[k][i] = pack_samples (packed >> (offset * 8) & 0xffu);
    }
  }
}

/* Stores n chunks of row y, from pixel x on, in a run for each slot, or for
 * each colour of YUV. */
INLINE void
read_runs (sample_run *runs, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes, uint y, uint x, uint n)
{
  constant component_params *measured = params->measured + pass->first_slot;
  const uint n_computed =
      HAS_RGB && measured->plane == AMPHISTO_RGB_LUMA ? 1 : 0;

  if (HAS_COLOURS && measured->plane >= AMPHISTO_YUV_RED) {
    read_colours (runs, yuv_row_from (frame_yuv_row (planes, params, y), x),
        params->matrix, n);
    return;
  }
  if (n_computed > 0)
    read_luma_run (runs[0],
        rgb_row_from (frame_rgb_row (planes, params->rgb, y), x), params, n);
  measured += n_computed;
  read_components (runs + n_computed,
      component_row_from (frame_component_row (planes, measured, y), x),
      measured, pass->n_slots - n_computed, n);
}

/* Counts n chunks of a run, alternately from its two halves. */
INLINE void
count_run (counters c, const samples *run, uint n)
{
  const ulong *words = (const ulong *) run;
  const ulong *others = (const ulong *) (run + n / 2);

  for (uint i = 0; i < n / 2 * 2; i += 2)
    count_two_chunks (c, words[i], words[i + 1], others[i], others[i + 1]);
  if (n % 2 > 0)
    count_samples (c, run[n - 1]);
}

INLINE void
count_runs (counters c, constant pass_params *pass,
    constant frame_params *params, const sample_run *runs, uint n)
{
  for (uint s = 0; s < pass->n_slots; s++) {
    const uint plane = params->measured[pass->first_slot + s].plane;

    count_run (slot_counters (c, s),
        runs[plane >= AMPHISTO_YUV_RED ? plane - AMPHISTO_YUV_RED : s], n);
  }
}

/* Counts pixels `first` to `end` - 1 of row y one by one. */
INLINE void
count_pixels (counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes, uint y, uint first,
    uint end)
{
  for (uint x = first; x < end; x++)
    for (uint s = 0; s < pass->n_slots; s++)
      count (slot_counters (c, s),
          read_channel (
              params, planes, &params->measured[pass->first_slot + s], x, y));
}

/* The number of pixels of row y before whole chunks. */
INLINE uint
pass_head (constant component_params *measured, constant frame_params *params,
    uchar_planes planes, uint y)
{
  return measured->plane >= AMPHISTO_YUV_RED
      ? min (yuv_row_head (frame_yuv_row (planes, params, y)), measured->width)
      : 0;
}

/* Counts n chunks of row y, from pixel x on. */
INLINE void
count_shared_chunks (counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes, uint y, uint x, uint n)
{
  sample_run runs[AMPHISTO_MAX_SLOTS];

  for (uint i = 0; i < n; i += RUN_CHUNKS) {
    const uint n_run = min (n - i, (uint) RUN_CHUNKS);

    read_runs (runs, pass, params, planes, y, x + i * N_PIXELS, n_run);
    count_runs (c, pass, params, runs, n_run);
  }
}

/* Counts rows of a pass with several slots. */
NOINLINE void
count_shared_rows (counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes, row_range rows)
{
  constant component_params *measured = params->measured + pass->first_slot;
  const bool has_colours = HAS_COLOURS && measured->plane >= AMPHISTO_YUV_RED;

  while (rows.first < rows.end) {
    const uint y = rows.first;
    const uint head = pass_head (measured, params, planes, y);
    const uint n = (measured->width - head) / N_PIXELS;

    if (has_colours && c.counts_pairs && y + 1 < rows.end
        && sample_row (params->chroma, y)
            == sample_row (params->chroma, y + 1)) {
      count_two_colour_rows (c, pass, params, planes, y, head, n);
      rows.first += 2;
    } else if (!has_colours && c.counts_pairs) {
      count_packed_row (c, pass, params, planes, y, n / 2);
      count_shared_chunks (
          c, pass, params, planes, y, n / 2 * 2 * N_PIXELS, n % 2);
      rows.first++;
    } else {
      count_shared_chunks (c, pass, params, planes, y, head, n);
      rows.first++;
    }
    for (uint k = y; k < rows.first; k++) {
      count_pixels (c, pass, params, planes, k, 0, head);
      count_pixels (
          c, pass, params, planes, k, head + n * N_PIXELS, measured->width);
    }
  }
}
