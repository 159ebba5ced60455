/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The numbers of channels in the captions of a scope, in its graticule.
 *
 * plugin/core/scopes/captions.c does the same in plain C.
 */

#pragma once

#include "scope_params.h"
#include "pixels/slices.cl"

/* The work-group's data: the bins of a channel, and the glyphs of its numbers.
 */
typedef struct
{
  uint bins[AMPHISTO_N_BINS];
  uint cells[SCOPE_MAX_CELLS];
} numbers_memory;

/* A word of white light in a colour. */
INLINE uint
tint (uint word, constant uint *colour)
{
  const uint r = ((word & 0xff) * colour[0] + 127) / 255;
  const uint g = ((word >> 8 & 0xff) * colour[1] + 127) / 255;
  const uint b = ((word >> 16 & 0xff) * colour[2] + 127) / 255;

  /* most of a glyph is dark */
  return word << 8 == 0 ? word : (word & 0xff000000) | r | g << 8 | b << 16;
}

/* Stores a number of tenths in cells up to before `cell`, without decimals or
 * with one. */
INLINE void
write_number (ulong tenths, bool is_negative, bool has_decimal, uint cell,
    OWN uint *cells)
{
  uint rest = (uint) tenths;

  if (has_decimal) {
    cells[--cell] = rest % 10;
    cells[--cell] = SCOPE_POINT;
    rest /= 10;
  }
  do {
    cells[--cell] = rest % 10;
    rest /= 10;
  } while (rest > 0);
  if (is_negative && tenths > 0)
    cells[cell - 1] = SCOPE_MINUS;
}

/* Stores the number of a mean code, sum / n. */
INLINE void
write_code (constant number_params *number, ulong sum, ulong n,
    bool has_decimal, uint cell, OWN uint *cells)
{
  const ulong zero = number->zero * n, whole = number->range * n;
  const bool is_negative = sum < zero;
  const ulong distance =
      (is_negative ? zero - sum : sum - zero) * (has_decimal ? 1000 : 100);

  write_number ((2 * distance + whole) / (2 * whole), is_negative, has_decimal,
      cell, cells);
}

/* Finds the glyphs of a channel's numbers. */
INLINE void
find_glyphs (constant scope_params *scope, constant number_params *number,
    OWN numbers_memory *own)
{
  const uint digits = scope->digits;
  ulong sum = 0, n = 0;
  uint first = AMPHISTO_N_BINS, last = 0;

  for (uint i = 0; i < SCOPE_MAX_CELLS; i++)
    own->cells[i] = SCOPE_SPACE;
  for (uint v = 0; v < AMPHISTO_N_BINS; v++) {
    const uint bin = own->bins[v];

    sum += (ulong) bin * v;
    n += bin;
    first = bin > 0 ? min (first, v) : first;
    last = bin > 0 ? v : last;
  }
  if (n == 0)
    return;
  write_code (number, first, 1, false, digits, own->cells);
  write_code (number, sum, n, true, 2 * digits + 3, own->cells);
  write_code (number, last, 1, false, 3 * digits + 4, own->cells);
}

/* The first word of the numbers of channel i. */
INLINE global uint *
numbers_at (constant scope_params *scope, uint i, global uint *graticule)
{
  const uint n = scope->n_numbers / (scope->panels_x * scope->panels_y);
  const uint panel = i / n;
  const uint x = scope->panels_left
      + panel % scope->panels_x * scope->panel_width + scope->plot_left
      + i % n * scope->letter_advance + scope->numbers_left;
  const uint y = scope->panels_top
      + panel / scope->panels_x * scope->panel_height + scope->letters_top
      - (scope->glyph_rows - scope->text_height) / 2;

  return graticule + y * scope->width + x;
}

/* Copies the glyphs of channel i to their places: each work-item rows of cells.
 */
INLINE void
copy_glyphs (constant scope_params *scope, uint i, const OWN uint *cells,
    global uint *graticule)
{
  const uint n_cells = 3 * scope->digits + 4;
  const uint width = scope->cell_width;
  const global uint *glyphs =
      graticule + scope->height * scope->width + scope->glyphs_left;
  global uint *numbers = numbers_at (scope, i, graticule);

  FOR_COLUMNS (k, scope->glyph_rows * n_cells) {
    const uint row = k / n_cells * scope->width;
    const global uint *glyph = glyphs + row + cells[k % n_cells] * width;
    global uint *place = numbers + row + k % n_cells * width;

    for (uint x = 0; x < width; x++)
      place[x] = tint (glyph[x], scope->number[i].colour);
  }
}

/* Writes all numbers into the graticule. */
INLINE void
write_numbers (constant scope_params *scope, global const uint *bins,
    global uint *graticule, OWN numbers_memory *own)
{
  for (uint i = 0; i < scope->n_numbers; i++) {
    constant number_params *number = &scope->number[i];

    FOR_COLUMNS (v, AMPHISTO_N_BINS)
      own->bins[v] = bins[number->slot * AMPHISTO_N_BINS + v];
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    FOR_COLUMNS (item, 1)
      find_glyphs (scope, number, own);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    copy_glyphs (scope, i, own->cells, graticule);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  }
}
