/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GPU shape: counts a strip of a waveform, and turns its counts into the
 * brightness of cells.
 *
 * Counts are in local memory, in as many replicas of a strip as fit. A
 * work-item counts the same chunk in all of its rows, so it looks up the
 * columns once.
 */

#pragma once

#include "scopes/strips.cl"
#include "pixels/slices.cl"
#include "pixels/channels.cl"

/* --- counters --- */

/* A word has two counts: of value v in the lower half, of v + VALUE_ROWS in the
 * upper half. There are VALUE_ROWS rows of N_COUNT_COLUMNS words, so that
 * work-items that count in different columns use different memory banks,
 * whatever the values. */
#define N_COUNT_COLUMNS WAVEFORM_GPU_STRIP
#define VALUE_ROWS (AMPHISTO_N_BINS / 2)
#define N_COUNTS (VALUE_ROWS * N_COUNT_COLUMNS)
#define N_BRIGHTNESS (4 * AMPHISTO_N_BINS / 4)
#define NO_COUNT_COLUMN N_COUNT_COLUMNS
/* Runs begin at whole words if the plane does. */
#define RUN_BEGIN(x) ((x) & ~(N_PIXELS - 1u))
/* Rows whose chunks a work-item reads at once, to hide the latency of memory.
 */
#define ROWS_AT_ONCE 2

/* A work-group's memory. columns: the strip's column of each sample of a run.
 * cells: of each column of the panel. */
typedef struct
{
  uint counts[N_COUNTS];
  uint brightness[N_BRIGHTNESS];
  ushort columns[TABLE_SIZE];
  strip_cell cells[N_COUNT_COLUMNS];
} strip_memory;

/* The counts of a strip: n_replicas replicas of `pitch` columns each, both
 * powers of two. */
typedef struct
{
  local strip_memory *own;
  uint pitch;
  uint n_replicas;
} strip_counter;

INLINE strip_counter
make_counter (local strip_memory *own, column_strip strip)
{
  strip_counter c = { own, 1, N_COUNT_COLUMNS };

  while (c.pitch < strip.n_counted) {
    c.pitch *= 2;
    c.n_replicas /= 2;
  }
  return c;
}

/* The count column of sample i of a run, in replica number `replica` modulo
 * n_replicas. */
INLINE uint
find_column (strip_counter c, uint replica, uint i)
{
  const uint column = c.own->columns[i];

  return column < c.pitch ? (replica & (c.n_replicas - 1)) * c.pitch + column
                          : NO_COUNT_COLUMN;
}

INLINE void
count_value (strip_counter c, uint column, uint value)
{
  if (column != NO_COUNT_COLUMN)
    atomic_add (&c.own->counts[value % VALUE_ROWS * N_COUNT_COLUMNS | column],
        1u << value / VALUE_ROWS * 16);
}

INLINE void
count_values (strip_counter c, pixels columns, samples values)
{
  count_value (c, columns.x, values & 0xff);
  count_value (c, columns.y, values >> 8 & 0xff);
  count_value (c, columns.z, values >> 16 & 0xff);
  count_value (c, columns.w, values >> 24);
}

INLINE uint
read_count (strip_counter c, uint column, uint value)
{
  return c.own->counts[value % VALUE_ROWS * N_COUNT_COLUMNS | column]
      >> value / VALUE_ROWS * 16
      & 0xffff;
}

/* Limits counts to 255. Waits for all work-items before and after. */
INLINE void
saturate_counts (local uint *counts)
{
  barrier (CLK_LOCAL_MEM_FENCE);
  FOR_COLUMNS (i, N_COUNTS)
    counts[i] =
        min (counts[i] & 0xffff, 255u) | min (counts[i] >> 16, 255u) << 16;
  barrier (CLK_LOCAL_MEM_FENCE);
}

/* --- rows --- */

/* A run of a trace's samples. kind: how to read them. In each row, from sample
 * x on, there are `head` single samples, n_chunks chunks, and further single
 * samples; n_rest is the number of all single samples. */
typedef enum
{
  PLAIN_SAMPLES,
  ITEM_SAMPLES,
  RGB_LUMA,
  COLOURS,
  HALF_PLANAR_COLOURS
} trace_kind;

/* plane: of PLAIN_SAMPLES. y, u, v: of HALF_PLANAR_COLOURS. All from the first
 * chunk on. */
typedef struct
{
  uchar_planes planes;
  uchar_plane plane;
  uchar_plane y, u, v;
  constant frame_params *params;
  constant trace_params *trace;
  uint x;
  uint head;
  uint n_chunks;
  uint n_rest;
} trace_run;

/* The component's plane, from its sample x on. */
INLINE uchar_plane
plane_from (uchar_planes planes, constant component_params *component, uint x)
{
  uchar_plane plane = component_plane (planes, component);

  plane.offset += x;
  return plane;
}

/* The run of n samples from x on. Its last chunk may extend past the run, but
 * not past the frame. */
INLINE trace_run
make_run (uchar_planes planes, constant frame_params *params,
    constant trace_params *trace, uint x, uint n, uint head)
{
  constant component_params *samples = &trace->samples;
  const uint first = min (head, n);
  const uint n_chunks = chunks_of_run (x + first, n - first, samples->width);
  constant component_params *chroma = params->chroma;
  const uint at = x + first;
  const uint chroma_at = (chroma->x_phase + at) >> 1;
  const trace_run run = { planes, plane_from (planes, samples, at),
    plane_from (planes, &params->luma, at),
    plane_from (planes, &chroma[0], chroma_at),
    plane_from (planes, &chroma[1], chroma_at), params, trace, x, first,
    n_chunks, first + rest_of_run (n - first, n_chunks) };

  return run;
}

/* Row y of U or V for the pixels of chunk i, with fewer instructions than
 * read_yuv_pixels(). */
INLINE pixels
read_half_chunk (uchar_plane plane, uint i, uint y)
{
  plane.offset += i * 2;
  return read_two_uchars (frame_row (plane, y), 0).xxyy;
}

INLINE yuv_pixels
read_half_planar_chunk (trace_run run, uint i, uint y)
{
  const uint chroma_y = sample_row (run.params->chroma, y);
  const yuv_pixels p = { AS_SIGNED (
                             unpack_samples (read_plane_word (run.y, i, y))),
    AS_SIGNED (read_half_chunk (run.u, i, chroma_y)),
    AS_SIGNED (read_half_chunk (run.v, i, chroma_y)) };

  return p;
}

INLINE constant int *
matrix_row (trace_run run)
{
  return run.params->matrix[run.trace->samples.plane - AMPHISTO_YUV_RED];
}

/* The trace's values of colours that are not clamped yet. */
INLINE pixels
values_of_colours (constant trace_params *trace, signed_pixels colours)
{
  const signed_pixels c =
      clamp (colours, (signed_pixels) (least_colour (trace)),
          (signed_pixels) (most_colour (trace)));

  return AS_UNSIGNED (trace->is_unclamped ? WAVEFORM_CODE (c) : c);
}

INLINE samples
values_of_yuv (trace_run run, yuv_pixels p)
{
  return pack_samples (
      values_of_colours (run.trace, unclamped_of (p, matrix_row (run))));
}

/* Chunk i of row y. */
INLINE samples
read_run_chunk (trace_run run, trace_kind kind, uint i, uint y)
{
  const uint x = run.x + run.head;

  if (kind == PLAIN_SAMPLES)
    return read_plane_word (run.plane, i, y);
  if (kind == HALF_PLANAR_COLOURS)
    return values_of_yuv (run, read_half_planar_chunk (run, i, y));
  if (kind == COLOURS)
    return values_of_yuv (run,
        read_yuv_pixels (
            yuv_row_from (frame_yuv_row (run.planes, run.params, y), x), i));
  if (kind == RGB_LUMA) {
    const rgb_pixels p = read_rgb_pixels (
        rgb_row_from (frame_rgb_row (run.planes, run.params->rgb, y), x), i);

    return pack_samples (LUMA (run.params->weights, p.r, p.g, p.b));
  }

  return pack_samples (read_component_samples (
      component_row_from (
          frame_component_row (run.planes, &run.trace->samples, y), x),
      i));
}

/* Counts chunk i of the rows. */
INLINE void
count_values_of_rows (strip_counter c, trace_run run, trace_kind kind,
    pixels columns, uint i, row_range rows)
{
  for (uint first = rows.first; first < rows.end;
       first += ROWS_AT_ONCE * rows.stride) {
    samples values[ROWS_AT_ONCE];

#pragma unroll
    for (uint k = 0; k < ROWS_AT_ONCE; k++)
      values[k] = read_run_chunk (
          run, kind, i, min (first + k * rows.stride, rows.end - 1));
#pragma unroll
    for (uint k = 0; k < ROWS_AT_ONCE; k++)
      if (first + k * rows.stride < rows.end)
        count_values (c, columns, values[k]);
  }
}

/* Counts the chunks of the rows. Each work-item counts one chunk in every
 * `n_rows`th row, so its columns stay the same. kind must be a constant, to
 * keep tests of it out of the loops. */
INLINE void
count_run_chunks (
    strip_counter c, trace_run run, trace_kind kind, row_range all_rows)
{
  const uint item = (uint) get_local_id (0);
  const uint n_items = (uint) get_local_size (0);
  const uint n_columns = clamp (run.n_chunks, 1u, n_items);
  const uint n_rows = n_items / n_columns;
  const uint row = item / n_columns;
  const row_range rows = { all_rows.first + row,
    row < n_rows ? all_rows.end : 0, n_rows };

  for (uint i = item % n_columns; i < run.n_chunks; i += n_columns) {
    const uint at = run.head + i * N_PIXELS;
    const pixels columns = { find_column (c, i + row, at),
      find_column (c, i + row, at + 1), find_column (c, i + row, at + 2),
      find_column (c, i + row, at + 3) };

    count_values_of_rows (c, run, kind, columns, i, rows);
  }
}

/* The trace's value of sample (x, y). */
INLINE uint
read_value (trace_run run, uint x, uint y)
{
  if (!run.trace->is_unclamped)
    return read_channel (run.params, run.planes, &run.trace->samples, x, y);
  return values_of_colours (run.trace,
      (signed_pixels) (read_unclamped (
          frame_yuv_row (run.planes, run.params, y), x, matrix_row (run))))
      .x;
}

/* Counts the few samples before and after the chunks. */
INLINE void
count_run_rest (strip_counter c, trace_run run, row_range rows)
{
  rows.first += get_local_id (0);
  rows.stride = get_local_size (0);
  for (uint i = 0; i < run.n_rest; i++) {
    const uint at = i < run.head ? i : i + run.n_chunks * N_PIXELS;
    const uint column = find_column (c, rows.first, at);

    FOR_ROWS (y, rows)
      count_value (c, column, read_value (run, run.x + at, y));
  }
}

INLINE void
count_trace_run (strip_counter c, uchar_planes planes,
    constant frame_params *params, constant trace_params *trace, uint x, uint n,
    row_range rows)
{
  constant component_params *samples = &trace->samples;
  const bool is_colour = samples->plane >= AMPHISTO_YUV_RED;
  const yuv_row first = yuv_row_from (frame_yuv_row (planes, params, 0), x);
  const trace_run run = make_run (
      planes, params, trace, x, n, is_colour ? yuv_row_head (first) : 0);

  if (is_colour && is_half_planar (first))
    count_run_chunks (c, run, HALF_PLANAR_COLOURS, rows);
  else if (is_colour)
    count_run_chunks (c, run, COLOURS, rows);
  else if (samples->plane == AMPHISTO_RGB_LUMA)
    count_run_chunks (c, run, RGB_LUMA, rows);
  else if (samples->pixel_stride == 1)
    count_run_chunks (c, run, PLAIN_SAMPLES, rows);
  else
    count_run_chunks (c, run, ITEM_SAMPLES, rows);
  count_run_rest (c, run, rows);
}

/* The maximum number of samples that a row of a run adds to a count. */
INLINE uint
most_in_row (constant trace_params *trace)
{
  return min (trace->samples.width / trace->columns + 1, (uint) RUN_SAMPLES);
}

/* The number of rows to count before saturate_counts(), without overflow
 * of 16 bits. */
#define ROWS_TO_SATURATION(trace) ((65535 - 255) / most_in_row (trace))

/* Each trace is a pass of its own. */
#define counter_of_trace(c, i) (c)

INLINE void
count_strip (strip_counter c, uchar_planes planes,
    constant frame_params *params, constant trace_params *trace, uint n_traces,
    column_strip strip, local strip_memory *own)
{
  const uint height = trace->samples.height;
  const uint end = end_sample (trace, strip);

  (void) n_traces;
  for (uint x = RUN_BEGIN (begin_sample (trace, strip)); x < end;
       x += RUN_SAMPLES) {
    const uint n = min (end - x, (uint) RUN_SAMPLES);
    const uint n_rows = ROWS_TO_SATURATION (trace);

    FOR_COLUMNS (i, n + N_PIXELS)
      own->columns[i] = i >= n
          ? NO_COLUMN
          : (ulong) (x + i) * trace->columns / trace->samples.width
              - strip.first_counted;
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    for (uint y = 0; y < height; y += min (n_rows, height - y)) {
      const row_range rows = { y, y + min (n_rows, height - y), 1 };

      count_trace_run (c, planes, params, trace, x, n, rows);
      saturate_counts (own->counts);
    }
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  }
}

/* Counts saturate: calculate_histogram counts the bins. */
#define add_to_bins(counter, params, trace, strip, bins) ((void) (bins))

/* --- cells --- */

/* Prepares the cells and their brightness. */
INLINE void
ready_cells (constant waveform_params *params, constant trace_params *trace,
    column_strip strip, local strip_memory *own)
{
  FOR_COLUMNS (i, strip.width)
    own->cells[i] = strip_cell_at (params, trace, strip, i);
  FOR_COLUMNS (i, N_BRIGHTNESS)
    own->brightness[i] = ((constant uint *) trace->brightness)[i];
}

/* The count of values `first` to before `end` in the column, in all
 * replicas, up to 255. */
INLINE uint
sum_trace_cell (strip_counter c, uint first, uint end, uint column)
{
  uint sum = 0;

  for (uint v = first; v < end; v++)
    for (uint replica = 0; replica < N_COUNT_COLUMNS; replica += c.pitch)
      sum += read_count (c, replica + column, v);
  return min (sum, 255u);
}

INLINE void
write_brightness (strip_counter c, constant waveform_params *params,
    constant trace_params *trace, column_strip strip, global uint *cells)
{
  const local uint *brightness = c.own->brightness;
  const uint n = strip.width / 4;

  ready_cells (params, trace, strip, c.own);
  barrier (CLK_LOCAL_MEM_FENCE);
  FOR_COLUMNS (i, n * trace->rows) {
    const uint row = i / n;
    const uint x = i % n * 4;
    const uint first = first_value (trace, row);
    const uint end = first_value (trace, row + 1);
    const uint kind = 2 * row_kind (trace, row) * AMPHISTO_N_BINS;
    uint word = 0;

    for (uint k = 0; k < 4; k++) {
      const strip_cell cell = c.own->cells[x + k];

      if (cell.column != NO_COLUMN)
        word |=
            read_uchar (brightness,
                kind + cell.kind + sum_trace_cell (c, first, end, cell.column))
            << k * 8;
    }
    cells[(row * params->scope.panel_width + strip.first + x) / 4] = word;
  }
}
