/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: counts red, green and blue of two rows of YUV that have the same
 * chroma samples, whose terms are calculated once.
 */

#pragma once

#include "measure/staged_cpu.cl"
#include "pixels/colours_cpu.cl"

/* The chunks, clamped to 0 to 255. */
INLINE two_chunks
pack_two_chunks (short16 a, short16 b)
{
#if defined __AVX2__ && __has_builtin(__builtin_ia32_packuswb256)
  return __builtin_astype (__builtin_ia32_packuswb256 (a, b), ulong4);
#else
  const short16 lo = 0, hi = 255;

  return (two_chunks) (as_ulong2 (convert_uchar16 (clamp (a, lo, hi))),
      as_ulong2 (convert_uchar16 (clamp (b, lo, hi))));
#endif
}

/* Stores the three colours of chunk i of both rows. */
INLINE void
convert_two_chunks (two_chunks *colours, yuv_row row, component_row other,
    uint i, constant int (*matrix)[4])
{
  const fixed_shorts luma = read_luma_term (row.y, i, matrix);
  const fixed_shorts other_luma = read_luma_term (other, i, matrix);
  const chroma_terms chroma = read_chroma_terms (row, i, matrix);

  for (uint k = 0; k < 3; k++)
    colours[k] = pack_two_chunks (add_fixed (luma, chroma.colour[k]),
        add_fixed (other_luma, chroma.colour[k]));
}

/* The slots of a pass that count red, green and blue. */
typedef struct
{
  counters colour[3];
  bool is_counted[3];
} colour_counters;

INLINE colour_counters
find_colour_counters (
    counters c, constant component_params *measured, uint n_slots)
{
  colour_counters found = { { c, c, c }, { false, false, false } };

  for (uint s = 0; s < n_slots; s++) {
    const uint k = measured[s].plane - AMPHISTO_YUV_RED;

    found.colour[k] = slot_counters (c, s);
    found.is_counted[k] = true;
  }
  return found;
}

INLINE void
count_colours (const colour_counters *c, const two_chunks *colours)
{
#pragma unroll
  for (uint k = 0; k < 3; k++)
    if (c->is_counted[k])
      count_staged (c->colour[k], &colours[k]);
}

INLINE void
count_converted (const colour_counters *c, yuv_row row, component_row other,
    constant int (*matrix)[4], uint n)
{
  two_chunks staged[N_STAGED][3];

  for (uint i = 0; i < n + COUNTING_LAG; i++) {
    if (i < n)
      convert_two_chunks (staged[i % N_STAGED], row, other, i, matrix);
    if (i >= COUNTING_LAG)
      count_colours (c, staged[(i - COUNTING_LAG) % N_STAGED]);
  }
}

/* Counts n chunks of rows y and y + 1, from pixel x on. */
NOINLINE void
count_two_colour_rows (counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes, uint y, uint x, uint n)
{
  const colour_counters found = find_colour_counters (
      c, params->measured + pass->first_slot, pass->n_slots);
  const yuv_row row = yuv_row_from (frame_yuv_row (planes, params, y), x);
  const component_row other = component_row_from (
      frame_component_row (planes, &params->luma, y + 1), x);
  constant int (*matrix)[4] = params->matrix;

  if (is_half_planar (row))
    count_converted (
        &found, half_planar_row (row), plain_row (other), matrix, n);
  else
    count_converted (&found, row, other, matrix, n);
}
