/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: counts components of packed pixels, and luma of packed RGB, in
 * pairs. The next pixels are read from memory while others are counted.
 */

#pragma once

#include "measure/staged_cpu.cl"

/* The slots of a pass. `shift`: of a stored component in its pixel; luma is the
 * first slot if there is one. */
typedef struct
{
  uint shift[AMPHISTO_MAX_SLOTS];
  uint n;
  bool has_luma;
} packed_slots;

/* A row of packed pixels. `rgb` and `luma`: for luma. */
typedef struct
{
  uchar_row row;
  uint pixel_stride;
  rgb_row rgb;
  luma_view luma;
} packed_view;

INLINE packed_slots
find_packed_slots (constant pass_params *pass, constant frame_params *params)
{
  constant component_params *measured = params->measured + pass->first_slot;
  packed_slots slots;

  slots.n = pass->n_slots;
  slots.has_luma = HAS_RGB && measured->plane == AMPHISTO_RGB_LUMA;
  for (uint s = 0; s < slots.n; s++)
    slots.shift[s] =
        8 * offset_in_item (measured[s].offset, measured[s].pixel_stride);
  return slots;
}

INLINE two_chunks
pack_chunks (pixels a, pixels b)
{
  return (
      two_chunks) (as_ulong2 (pack_samples (a)), as_ulong2 (pack_samples (b)));
}

/* Stores chunks i and i + 1 for each slot. */
INLINE void
separate_two_chunks (
    two_chunks *staged, const packed_slots *slots, packed_view view, uint i)
{
  const pixels a = read_pixels (view.row, i, view.pixel_stride);
  const pixels b = read_pixels (view.row, i + 1, view.pixel_stride);

  for (uint s = slots->has_luma ? 1 : 0; s < slots->n; s++)
    staged[s] = pack_chunks (
        a >> slots->shift[s] & 0xffu, b >> slots->shift[s] & 0xffu);
  if (slots->has_luma)
    staged[0] =
        pack_chunks (luma_of (view.luma, read_packed_pixels (view.rgb, i)),
            luma_of (view.luma, read_packed_pixels (view.rgb, i + 1)));
}

INLINE void
count_separated (
    counters c, const packed_slots *slots, packed_view view, uint n)
{
  two_chunks staged[N_STAGED][AMPHISTO_MAX_SLOTS];

  for (uint i = 0; i < n + COUNTING_LAG; i++) {
    if (i < n)
      separate_two_chunks (staged[i % N_STAGED], slots, view, 2 * i);
    if (i >= COUNTING_LAG)
      for (uint s = 0; s < slots->n; s++)
        count_staged (
            slot_counters (c, s), &staged[(i - COUNTING_LAG) % N_STAGED][s]);
  }
}

/* Counts 2 n chunks of row y. */
NOINLINE void
count_packed_row (counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes, uint y, uint n)
{
  const packed_slots slots = find_packed_slots (pass, params);
  const component_row row = frame_component_row (planes,
      &params->measured[pass->first_slot + (slots.has_luma ? 1 : 0)], y);
  const rgb_row rgb = frame_rgb_row (planes, params->rgb, y);
  packed_view view = { row.row, row.pixel_stride, rgb,
    view_luma (rgb, params->weights) };

  if (view.pixel_stride == 4) { /* tells the compiler */
    view.pixel_stride = 4;
    view.rgb = packed_row (rgb, 4);
    count_separated (c, &slots, view, n);
  } else {
    count_separated (c, &slots, view, n);
  }
}
