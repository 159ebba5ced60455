/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: counts a strip of a waveform, adds its counts to the bins, and
 * turns them into the brightness of cells.
 */

#pragma once

#include "scopes/trace_runs_cpu.cl"

/* --- strips --- */

/* Stores the columns of n samples from x on, in each of the traces, and
 * NO_COLUMN for the rest of the last chunk. */
INLINE void
find_columns (constant trace_params *trace, uint n_traces, column_strip strip,
    uint x, uint n, ushort *columns)
{
  for (uint i = 0; i < n + N_PIXELS; i++) {
    const uint column = (ulong) (x + i) * trace->columns / trace->samples.width
        - strip.first_counted;

    for (uint k = 0; k < n_traces; k++)
      columns[k * TABLE_SIZE + i] = i < n && column < strip.n_counted
          ? TRACE_COLUMN (k) + column
          : NO_COLUMN;
  }
}

INLINE uint
begin_run (constant frame_params *params, constant trace_params *trace,
    column_strip strip)
{
  const uint x = begin_sample (trace, strip);

  return trace->samples.plane < AMPHISTO_YUV_RED ? x : whole_chroma (params, x);
}

INLINE void
count_strip (strip_counter c, uchar_planes planes,
    constant frame_params *params, constant trace_params *trace, uint n_traces,
    column_strip strip, strip_memory *own)
{
  const uint end = end_sample (trace, strip);

  for (uint x = begin_run (params, trace, strip); x < end; x += RUN_SAMPLES) {
    const uint n = min (end - x, (uint) RUN_SAMPLES);

    find_columns (trace, n_traces, strip, x, n, own->columns);
    count_trace_run (c, planes, params, trace, n_traces, x, n);
  }
}

/* --- bins --- */

/* The number of samples in a row of counts. n_chunks: of columns; past the
 * strip's columns, counts are zero. */
INLINE uint
sum_columns (const uint *counts, uint n_chunks)
{
  pixels sum = 0;

  for (uint i = 0; i < n_chunks; i++)
    sum += ((const any_pixels *) counts)[i];
  return add_up (sum);
}

INLINE void
add_to_bins (strip_counter c, constant waveform_params *params,
    constant trace_params *trace, column_strip strip,
    volatile global uint *bins)
{
  const bool shares = shares_first_column (params, trace, strip);
  const uint n_chunks = (strip.n_counted + N_PIXELS - 1) / N_PIXELS;

  const int least = least_colour (trace);
  const int n_rows = (int) first_row (trace, AMPHISTO_N_BINS);

  for (int row = 0; row < n_rows; row++) {
    const uint *counts = c.counts + row * PITCH;
    const uint sum = sum_columns (counts, n_chunks) - (shares ? counts[0] : 0);

    if (sum > 0)
      atomic_add (&bins[clamp (row + least, 0, 255)], sum);
  }
}

/* --- cells --- */

/* Stores the row's counts, up to 255, in chunks of `sums`. oclgrind (21.10)
 * limits only the first component to a number. */
INLINE void
sum_trace_row (const uint *counts, constant trace_params *trace, uint row,
    uint n_chunks, ushort *sums)
{
  const uint first = first_row (trace, first_value (trace, row));
  const uint end = first_row (trace, first_value (trace, row + 1));

  for (uint i = 0; i < n_chunks; i++) {
    pixels sum = 0;

    for (uint k = first; k < end; k++)
      sum += ((const any_pixels *) (counts + k * PITCH))[i];
    ((shorts *) sums)[i] = TO_SHORTS (min (sum, (pixels) (255)));
  }
}

/* A chunk of n cells. columns: the columns of counts that they show; they are
 * neighbours, from first_column on. kinds: the offsets of their tables in the
 * trace's brightness. is_plain: each cell shows another column. */
typedef struct
{
  shorts kinds;
  ushort columns[N_PIXELS];
  uint first_column;
  uint n;
  bool is_plain;
} cell_chunk;

/* The strip's cells, from cell i on. */
INLINE cell_chunk
find_cells (constant waveform_params *params, constant trace_params *trace,
    column_strip strip, uint i)
{
  cell_chunk cells = { 0, { 0 }, NO_COLUMN,
    min (strip.width - i, (uint) N_PIXELS), true };

  for (uint k = 0; k < cells.n; k++) {
    const strip_cell cell = strip_cell_at (params, trace, strip, i + k);

    cells.columns[k] = cell.column;
    ((ushort *) &cells.kinds)[k] = cell.kind;
    cells.first_column = min (cells.first_column, (uint) cell.column);
    cells.is_plain &= cells.columns[k] == cells.columns[0] + k;
  }
  return cells;
}

/* The brightness of 16 counts. */
INLINE samples
look_up_brightness (constant uchar *brightness, shorts n)
{
  return as_uint4 ((uchar16) (brightness[n.s0], brightness[n.s1],
      brightness[n.s2], brightness[n.s3], brightness[n.s4], brightness[n.s5],
      brightness[n.s6], brightness[n.s7], brightness[n.s8], brightness[n.s9],
      brightness[n.sa], brightness[n.sb], brightness[n.sc], brightness[n.sd],
      brightness[n.se], brightness[n.sf]));
}

/* The brightness of cells, for counts `sums` of the strip's columns. */
INLINE samples
brightness_of_cells (
    const cell_chunk *cells, const ushort *sums, constant uchar *brightness)
{
  shorts counts = *(const any_shorts *) (sums + cells->first_column);

  /* much of a waveform is dark */
  if (are_zero_shorts (counts))
    return 0;
  if (!cells->is_plain)
    for (uint i = 0; i < N_PIXELS; i++)
      ((ushort *) &counts)[i] = sums[cells->columns[i]];
  return look_up_brightness (brightness, counts + cells->kinds);
}

INLINE void
write_cells (global uint *words, samples brightness, uint n)
{
  if (n == N_PIXELS)
    *(global any_samples *) words = brightness;
  else
    for (uint i = 0; i < n / 4; i++)
      words[i] = ((const uint *) &brightness)[i];
}

INLINE void
write_brightness (strip_counter c, constant waveform_params *params,
    constant trace_params *trace, column_strip strip, global uint *cells)
{
  const uint n_chunks = (strip.width + N_PIXELS - 1) / N_PIXELS;
  cell_chunk chunks[WAVEFORM_MAX_STRIP / N_PIXELS];
  ushort sums[WAVEFORM_MAX_STRIP + N_PIXELS]
      __attribute__ ((aligned (32))) = { 0 };

  for (uint i = 0; i < n_chunks; i++)
    chunks[i] = find_cells (params, trace, strip, i * N_PIXELS);
  for (uint row = 0; row < trace->rows; row++) {
    global uint *words =
        cells + (row * params->scope.panel_width + strip.first) / 4;
    constant uchar *brightness =
        (constant uchar *) trace->brightness[2 * row_kind (trace, row)];

    sum_trace_row (c.counts, trace, row, n_chunks, sums);
    for (uint i = 0; i < n_chunks; i++)
      write_cells (words + i * N_PIXELS / 4,
          brightness_of_cells (&chunks[i], sums, brightness), chunks[i].n);
  }
}
