/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts the traces of a waveform: two-dimensional histograms of column and
 * value.
 *
 * A work-group counts a strip of columns at a time, in all rows, in its own
 * memory. So there are no partial counts to add up, and the group turns its
 * counts into light at once.
 *
 * CPU: a strip's counts fit into the first-level cache. They are 16-bit
 * numbers, regularly clamped to 255 before they can overflow, so that counting
 * a sample is a plain increment.
 *
 * GPU: counts are in local memory, in as many replicas of a strip as fit. A
 * work-item counts the same chunk in all of its rows, so it looks up the
 * columns once.
 */

#ifndef AMPHISTO_TRACES_CL
#define AMPHISTO_TRACES_CL

#ifndef AMPHISTO_WAVEFORM_PARAMS_H
#include "waveform_params.h"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif
#ifndef AMPHISTO_LUMA_CL
#include "luma.cl"
#endif
#ifndef AMPHISTO_YUV_CL
#include "yuv.cl"
#endif

/* Samples of a run: samples of a row to count before the next row; limited by
 * the table of their columns. */
#define RUN_SAMPLES 512
/* A dummy column for samples past the strip, in the last chunk. */
#define NO_COLUMN WAVEFORM_MAX_STRIP
#define TABLE_SIZE (RUN_SAMPLES + N_PIXELS)
/* CPU shape: prefetch distance. */
#define ROWS_AHEAD 6
#define CACHE_LINE 64
/* A builtin of clang, for CPU targets only. */
#if defined __x86_64__ || defined __aarch64__
#define PREFETCH __builtin_prefetch
#else
#define PREFETCH(address) ((void) (address))
#endif

/* A strip: `width` columns of the panel from `first` on, and the trace's
 * columns for them, n_counted from first_counted on. n_counted is 0 if the
 * strip is outside the plot. */
typedef struct
{
  uint first;
  uint width;
  uint first_counted;
  uint n_counted;
} column_strip;

/* The first sample that belongs to the trace's column. */
INLINE uint
first_sample (constant trace_params *trace, uint column)
{
  return (uint) (((ulong) column * trace->samples.width + trace->columns - 1)
      / trace->columns);
}

/* The trace's column shown in column x of the plot. */
INLINE uint
shown_column (
    constant waveform_params *params, constant trace_params *trace, uint x)
{
  return (uint) ((ulong) x * trace->columns / params->plot_width);
}

/* The strip from column `first` of a panel on. */
INLINE column_strip
strip_of (
    constant waveform_params *params, constant trace_params *trace, uint first)
{
  const uint left = params->plot_left;
  const uint right = left + params->plot_width;
  column_strip strip = { first,
    min (params->strip, params->panel_width - first), 0, 0 };
  const uint begin = max (first, left);
  const uint end = min (first + strip.width, right);

  if (begin < end) {
    strip.first_counted = shown_column (params, trace, begin - left);
    strip.n_counted =
        shown_column (params, trace, end - 1 - left) + 1 - strip.first_counted;
  }
  return strip;
}

/* The samples of the strip, from begin_sample() to before end_sample(). */
INLINE uint
begin_sample (constant trace_params *trace, column_strip strip)
{
  return first_sample (trace, strip.first_counted);
}

INLINE uint
end_sample (constant trace_params *trace, column_strip strip)
{
  return first_sample (trace, strip.first_counted + strip.n_counted);
}

/* --- counters --- */

/* The maximum number of samples that a row of a run adds to a count. */
INLINE uint
most_in_row (constant trace_params *trace)
{
  return min (trace->samples.width / trace->columns + 1, (uint) RUN_SAMPLES);
}

/* The number of rows to count before cut_off(), without overflow of 16 bits. */
#define ROWS_BETWEEN_CUTS(trace) ((65535 - 255) / most_in_row (trace))

#ifdef AMPHISTO_GPU

/* A word has two counts of a slot: of value v in the lower half, of v +
 * VALUE_ROWS in the upper half. There are VALUE_ROWS rows of N_SLOTS words, so
 * that work-items that count in different slots use different memory banks,
 * whatever the values. */
#define N_SLOTS WAVEFORM_GPU_STRIP
#define VALUE_ROWS (AMPHISTO_N_BINS / 2)
#define N_COUNTS (VALUE_ROWS * N_SLOTS)
#define N_BRIGHTNESS (4 * AMPHISTO_N_BINS / 4)
#define NO_SLOT N_SLOTS
/* Runs begin at whole words if the plane does. */
#define RUN_BEGIN(x) ((x) & ~(N_PIXELS - 1u))
/* Rows whose chunks a work-item reads at once, to hide the latency of memory.
 */
#define ROWS_AT_ONCE 4

/* A work-group's memory. columns: for each sample of a run. slots: for each
 * column of the strip, in the first replica, or NO_SLOT. kinds: offset of the
 * column's table in `brightness`. */
typedef struct
{
  uint counts[N_COUNTS];
  uint brightness[N_BRIGHTNESS];
  ushort columns[TABLE_SIZE];
  ushort slots[N_SLOTS];
  ushort kinds[N_SLOTS];
} strip_memory;

/* The counts of a strip: n_copies replicas of `pitch` slots each, both powers
 * of two. */
typedef struct
{
  local strip_memory *own;
  uint pitch;
  uint n_copies;
} strip_counter;

INLINE strip_counter
make_counter (local strip_memory *own, column_strip strip)
{
  strip_counter c = { own, 1, N_SLOTS };

  while (c.pitch < strip.n_counted) {
    c.pitch *= 2;
    c.n_copies /= 2;
  }
  return c;
}

/* The slot of sample i of a run, in replica `copy` modulo n_copies. */
INLINE uint
slot_of (strip_counter c, uint copy, uint i)
{
  const uint column = c.own->columns[i];

  return column < c.pitch ? (copy & (c.n_copies - 1)) * c.pitch + column
                          : NO_SLOT;
}

INLINE void
count (strip_counter c, uint slot, uint value)
{
  if (slot != NO_SLOT)
    atomic_add (&c.own->counts[value % VALUE_ROWS * N_SLOTS | slot],
        1u << value / VALUE_ROWS * 16);
}

INLINE void
count_step (strip_counter c, pixels slots, samples values)
{
  count (c, slots.x, values & 0xff);
  count (c, slots.y, values >> 8 & 0xff);
  count (c, slots.z, values >> 16 & 0xff);
  count (c, slots.w, values >> 24);
}

INLINE uint
read_count (strip_counter c, uint slot, uint value)
{
  return c.own->counts[value % VALUE_ROWS * N_SLOTS | slot]
      >> value / VALUE_ROWS * 16
      & 0xffff;
}

/* Clamps the counts to 255. Waits for all work-items first. */
INLINE void
cut_off (local uint *counts)
{
  barrier (CLK_LOCAL_MEM_FENCE);
  FOR_COLUMNS (i, N_COUNTS)
    counts[i] =
        min (counts[i] & 0xffff, 255u) | min (counts[i] >> 16, 255u) << 16;
  barrier (CLK_LOCAL_MEM_FENCE);
}

#else

/* Counts per row, of which WAVEFORM_MAX_STRIP and the dummy column are used. */
#define PITCH 64
#define RUN_BEGIN(x) (x)
#define N_COUNTS (AMPHISTO_N_BINS * PITCH)

/* counts: AMPHISTO_N_BINS rows of PITCH counts. columns: for each sample of a
 * run. places: index in `counts` for each sample of two rows of the frame. */
typedef struct
{
  ushort counts[N_COUNTS] __attribute__ ((aligned (64)));
  ushort columns[TABLE_SIZE];
  ushort places[2 * TABLE_SIZE];
} strip_memory;

typedef struct
{
  ushort *counts;
  const ushort *columns;
  ushort *places;
} strip_counter;

#define FOR_COUNTED(x, n, c) for (uint x = 0; x < (n); x++)

/* Vectors for reading and writing at any number. */
typedef shorts any_shorts __attribute__ ((aligned (2)));

INLINE strip_counter
make_counter (strip_memory *own, column_strip strip)
{
  const strip_counter c = { own->counts, own->columns, own->places };

  (void) strip;
  return c;
}

#define own_run_rows(c, rows) (rows)

INLINE strip_counter
counter_of_row (strip_counter c, uint y)
{
  c.places += (y & 1) * TABLE_SIZE;
  return c;
}

INLINE void
count (strip_counter c, uint i, uint value)
{
  c.counts[value * PITCH + c.columns[i]]++;
}

INLINE void
count_step (strip_counter c, uint i, pixels values)
{
  *(any_shorts *) (c.places + i * N_PIXELS) =
      TO_SHORTS (values) * (ushort) PITCH
      + *(const any_shorts *) (c.columns + i * N_PIXELS);
}

/* Counts the places stored by count_step(). Called after all chunks of a row:
 * most stores of places are complete by then, so that loading them does not
 * stall. */
INLINE void
finish_steps (strip_counter c, uint n_steps)
{
  for (uint i = 0; i < n_steps * N_PIXELS; i += 8) {
#pragma unroll
    for (uint k = 0; k < 8; k++)
      c.counts[c.places[i + k]]++;
  }
}

/* Prefetches n samples, `distance` bytes further. The rows of a strip are too
 * short for the CPU's own prefetching. Harmless past the end of the frame. */
INLINE void
fetch_ahead (component_row row, uint n, size_t distance)
{
  for (uint at = 0; at < n * row.pixel_stride; at += CACHE_LINE)
    PREFETCH (row_bytes (row.row, at + distance));
}

INLINE void
cut_off (ushort *counts)
{
  shorts *vectors = (shorts *) counts;

  for (uint i = 0; i < N_COUNTS / N_PIXELS; i++)
    vectors[i] = min (vectors[i], (shorts) (255));
}

#endif

/* --- rows --- */

#ifdef AMPHISTO_GPU

/* A run of a trace's samples. kind: how to read them. In each row, from sample
 * x on, there are `head` single samples, n_steps chunks, and further single
 * samples; n_rest is the number of all single samples. */
typedef enum
{
  PLAIN_SAMPLES,
  ITEM_SAMPLES,
  RGB_LUMA,
  COLOURS
} trace_kind;

typedef struct
{
  uchar_planes planes;
  uchar_plane plane; /* PLAIN_SAMPLES: from the first chunk on */
  constant frame_params *params;
  constant component_params *samples;
  uint x;
  uint head;
  uint n_steps;
  uint n_rest;
} trace_run;

/* The run of n samples from x on. Its last chunk may extend past the run, but
 * not past the frame. */
INLINE trace_run
make_run (uchar_planes planes, constant frame_params *params,
    constant component_params *samples, uint x, uint n, uint head)
{
  const uint first = min (head, n);
  const uint width = samples->width;
  const uint n_steps = min (
      (n - first + N_PIXELS - 1) / N_PIXELS, (width - x - first) / N_PIXELS);
  trace_run run = { planes, component_plane (planes, samples), params, samples,
    x, first, n_steps, n - min (n - first, n_steps * N_PIXELS) };

  run.plane.offset += x + first;
  return run;
}

INLINE constant int *
matrix_row (trace_run run)
{
  return run.params->matrix[run.samples->plane - AMPHISTO_YUV_RED];
}

/* Chunk i of row y. */
INLINE samples
read_run_step (trace_run run, trace_kind kind, uint i, uint y)
{
  const uint x = run.x + run.head;

  if (kind == PLAIN_SAMPLES)
    return read_plane_word (run.plane, i, y);
  if (kind == COLOURS)
    return pack_samples (colours_of (
        read_yuv_pixels (
            yuv_row_from (frame_yuv_row (run.planes, run.params, y), x), i),
        matrix_row (run)));
  if (kind == RGB_LUMA) {
    const rgb_pixels p = read_rgb_pixels (
        rgb_row_from (frame_rgb_row (run.planes, run.params->rgb, y), x), i);

    return pack_samples (LUMA (run.params->weights, p.r, p.g, p.b));
  }

  return pack_samples (read_component_samples (
      component_row_from (frame_component_row (run.planes, run.samples, y), x),
      i));
}

/* Sample x of row y. */
INLINE uint
read_run_sample (trace_run run, trace_kind kind, uint x, uint y)
{
  if (kind == COLOURS)
    return read_colour (
        frame_yuv_row (run.planes, run.params, y), x, matrix_row (run));
  if (kind == RGB_LUMA) {
    const uint4 p =
        read_rgb (frame_rgb_row (run.planes, run.params->rgb, y), x);

    return LUMA (run.params->weights, p.x, p.y, p.z);
  }
  return read_sample (frame_component_row (run.planes, run.samples, y), x);
}

/* Counts chunk i of the rows. */
INLINE void
count_step_of_rows (strip_counter c, trace_run run, trace_kind kind,
    pixels slots, uint i, row_range rows)
{
  for (uint first = rows.first; first < rows.end;
       first += ROWS_AT_ONCE * rows.step) {
    samples values[ROWS_AT_ONCE];

#pragma unroll
    for (uint k = 0; k < ROWS_AT_ONCE; k++)
      values[k] = read_run_step (
          run, kind, i, min (first + k * rows.step, rows.end - 1));
#pragma unroll
    for (uint k = 0; k < ROWS_AT_ONCE; k++)
      if (first + k * rows.step < rows.end)
        count_step (c, slots, values[k]);
  }
}

/* Counts the chunks of the rows. Each work-item counts one chunk in every
 * `n_rows`th row, so its slots stay the same. */
INLINE void
count_steps (
    strip_counter c, trace_run run, trace_kind kind, row_range all_rows)
{
  const uint item = (uint) get_local_id (0);
  const uint n_items = (uint) get_local_size (0);
  const uint n_columns = clamp (run.n_steps, 1u, n_items);
  const uint n_rows = n_items / n_columns;
  const uint row = item / n_columns;
  const row_range rows = { all_rows.first + row,
    row < n_rows ? all_rows.end : 0, n_rows };

  for (uint i = item % n_columns; i < run.n_steps; i += n_columns) {
    const uint at = run.head + i * N_PIXELS;
    const pixels slots = { slot_of (c, i + row, at),
      slot_of (c, i + row, at + 1), slot_of (c, i + row, at + 2),
      slot_of (c, i + row, at + 3) };

    count_step_of_rows (c, run, kind, slots, i, rows);
  }
}

/* Counts the few samples before and after the chunks. */
INLINE void
count_rest (strip_counter c, trace_run run, trace_kind kind, row_range rows)
{
  rows.first += get_local_id (0);
  rows.step = get_local_size (0);
  for (uint i = 0; i < run.n_rest; i++) {
    const uint at = i < run.head ? i : i + run.n_steps * N_PIXELS;
    const uint slot = slot_of (c, rows.first, at);

    FOR_ROWS (y, rows)
      count (c, slot, read_run_sample (run, kind, run.x + at, y));
  }
}

/* kind must be a constant, to keep tests of it out of the loops. */
INLINE void
count_kind (strip_counter c, trace_run run, trace_kind kind, row_range rows)
{
  count_steps (c, run, kind, rows);
  count_rest (c, run, kind, rows);
}

/* Counts samples x to x + n - 1 of the trace's rows. */
INLINE void
count_run (strip_counter c, uchar_planes planes, constant frame_params *params,
    constant trace_params *trace, uint x, uint n, row_range rows)
{
  constant component_params *samples = &trace->samples;

  if (samples->plane >= AMPHISTO_YUV_RED) {
    const uint head =
        yuv_row_head (yuv_row_from (frame_yuv_row (planes, params, 0), x));

    count_kind (
        c, make_run (planes, params, samples, x, n, head), COLOURS, rows);
    return;
  }

  const trace_run run = make_run (planes, params, samples, x, n, 0);

  if (samples->plane == AMPHISTO_RGB_LUMA)
    count_kind (c, run, RGB_LUMA, rows);
  else if (samples->pixel_stride == 1)
    count_kind (c, run, PLAIN_SAMPLES, rows);
  else
    count_kind (c, run, ITEM_SAMPLES, rows);
}

#else

/* The number of chunks for n samples from sample x of a row on. The last chunk
 * may extend past them, but not past the row; count_rest() samples are left to
 * be counted one by one. */
INLINE uint
count_steps (uint x, uint n, uint width)
{
  return min ((n + N_PIXELS - 1) / N_PIXELS, (width - x) / N_PIXELS);
}

INLINE uint
count_rest (uint n, uint n_steps)
{
  return n - min (n, n_steps * N_PIXELS);
}

/* Counts samples x to x + n - 1 of a component's rows. */
INLINE void
count_samples (strip_counter c, uchar_planes planes,
    constant component_params *samples, bool is_plain, uint x, uint n,
    row_range rows)
{
  const uint n_steps = count_steps (x, n, samples->width);
  const uint n_rest = count_rest (n, n_steps);
  const uint offset = offset_in_item (samples->offset, samples->pixel_stride);
  const size_t first =
      samples->offset - offset + (size_t) x * samples->pixel_stride;
  const uchar_plane plane = frame_plane (planes, samples->plane);

  FOR_ROWS (y, rows) {
    const strip_counter own = counter_of_row (c, y);
    component_row row = { row_from (frame_row (plane, y), first),
      samples->pixel_stride, offset };

    if (is_plain)
      row = plain_row (row);
    fetch_ahead (row, n, ROWS_AHEAD * plane.stride);
    FOR_COUNTED (i, n_steps, own)
      count_step (own, i, read_component_samples (row, i));
    finish_steps (own, n_steps);
    FOR_COUNTED (i, n_rest, own)
      count (own, n_steps * N_PIXELS + i,
          read_sample (row, n_steps * N_PIXELS + i));
  }
}

/* A function for each kind of component, so that the loops of all formats are
 * not inlined into one function. */

OUTLINE void
count_plain_samples (strip_counter c, uchar_planes planes,
    constant component_params *samples, uint x, uint n, row_range rows)
{
  count_samples (c, planes, samples, true, x, n, rows);
}

OUTLINE void
count_item_samples (strip_counter c, uchar_planes planes,
    constant component_params *samples, uint x, uint n, row_range rows)
{
  count_samples (c, planes, samples, false, x, n, rows);
}

OUTLINE void
count_rgb_luma (strip_counter c, uchar_planes planes,
    constant frame_params *params, uint x, uint n, row_range rows)
{
  const uint n_steps = count_steps (x, n, params->rgb[0].width);
  const uint n_rest = count_rest (n, n_steps);
  constant uint *weights = params->weights;

  FOR_ROWS (y, rows) {
    const strip_counter own = counter_of_row (c, y);
    const rgb_row row =
        rgb_row_from (frame_rgb_row (planes, params->rgb, y), x);
    const luma_view view = view_luma (row, weights);

    FOR_COUNTED (i, n_steps, own)
      count_step (own, i, luma_of (view, read_rgb_pixels (row, i)));
    finish_steps (own, n_steps);
    FOR_COUNTED (i, n_rest, own) {
      const uint4 p = read_rgb (row, n_steps * N_PIXELS + i);

      count (own, n_steps * N_PIXELS + i, LUMA (weights, p.x, p.y, p.z));
    }
  }
}

/* Counts red, green or blue of YUV. Pixels before the first whole chroma
 * sample, and after the last chunk, are counted one by one. */
OUTLINE void
count_colours (strip_counter c, uchar_planes planes,
    constant frame_params *params, constant int *matrix_row, uint x, uint n,
    row_range rows)
{
  FOR_ROWS (y, rows) {
    const strip_counter own = counter_of_row (c, y);
    const yuv_row row = yuv_row_from (frame_yuv_row (planes, params, y), x);
    const uint head = min (yuv_row_head (row), n);
    const uint n_steps = count_steps (x + head, n - head, params->luma.width);
    const uint n_rest = count_rest (n - head, n_steps);
    const yuv_row steps = yuv_row_from (row, head);
    strip_counter behind = own;

    behind.columns += head;
    FOR_COUNTED (i, n_steps, own)
      count_step (
          behind, i, colours_of (read_yuv_pixels (steps, i), matrix_row));
    finish_steps (own, n_steps);
    FOR_COUNTED (i, head + n_rest, own) {
      const uint at = i < head ? i : i + n_steps * N_PIXELS;

      count (own, at, read_colour (row, at, matrix_row));
    }
  }
}

/* Counts samples x to x + n - 1 of the trace's rows. */
INLINE void
count_run (strip_counter c, uchar_planes planes, constant frame_params *params,
    constant trace_params *trace, uint x, uint n, row_range all_rows)
{
  constant component_params *samples = &trace->samples;
  const row_range rows = own_run_rows (c, all_rows);

  if (samples->plane >= AMPHISTO_YUV_RED)
    count_colours (c, planes, params,
        params->matrix[samples->plane - AMPHISTO_YUV_RED], x, n, rows);
  else if (samples->plane == AMPHISTO_RGB_LUMA)
    count_rgb_luma (c, planes, params, x, n, rows);
  else if (samples->pixel_stride == 1)
    count_plain_samples (c, planes, samples, x, n, rows);
  else
    count_item_samples (c, planes, samples, x, n, rows);
}

#endif

/* --- light --- */

/* The first value that belongs to the row. */
INLINE uint
first_value (constant waveform_params *params, uint row)
{
  return (row * AMPHISTO_N_BINS + params->rows - 1) / params->rows;
}

/* 1 if the column spans one sample more than the narrowest columns, otherwise
 * 0; row_kind() is the same for a row's values. See trace_params.brightness. */
INLINE uint
column_kind (constant trace_params *trace, uint column)
{
  return first_sample (trace, column + 1) - first_sample (trace, column)
      - trace->samples.width / trace->columns;
}

INLINE uint
row_kind (constant waveform_params *params, uint row)
{
  return first_value (params, row + 1) - first_value (params, row)
      - AMPHISTO_N_BINS / params->rows;
}

INLINE constant uchar *
brightness_of (constant trace_params *trace, uint kind)
{
  return (constant uchar *) trace->brightness[kind];
}

#ifdef AMPHISTO_GPU

/* Prepares slots, kinds and brightness for write_light(). */
INLINE void
ready_light (constant waveform_params *params, constant trace_params *trace,
    column_strip strip, local strip_memory *own)
{
  FOR_COLUMNS (i, strip.width) {
    const uint x = strip.first + i - params->plot_left;
    const bool is_shown = x < params->plot_width;
    const uint column = is_shown ? shown_column (params, trace, x) : 0;

    own->slots[i] = is_shown ? column - strip.first_counted : NO_SLOT;
    own->kinds[i] = column_kind (trace, column) * AMPHISTO_N_BINS;
  }
  FOR_COLUMNS (i, N_BRIGHTNESS)
    own->brightness[i] = ((constant uint *) trace->brightness)[i];
}

/* The count of values `first` to before `end` in the slot, in all replicas, up
 * to 255. */
INLINE uint
sum_cell (strip_counter c, uint first, uint end, uint slot)
{
  uint sum = 0;

  for (uint v = first; v < end; v++)
    for (uint copy = 0; copy < N_SLOTS; copy += c.pitch)
      sum += read_count (c, copy + slot, v);
  return min (sum, 255u);
}

/* Stores the light of the strip. light: of the whole trace. */
INLINE void
write_light (strip_counter c, constant waveform_params *params,
    constant trace_params *trace, column_strip strip, global uint *light)
{
  const local uint *brightness = c.own->brightness;
  const uint n = strip.width / 4;

  (void) trace;
  FOR_COLUMNS (i, n * params->rows) {
    const uint row = i / n;
    const uint x = i % n * 4;
    const uint first = first_value (params, row);
    const uint end = first_value (params, row + 1);
    const uint kind = 2 * row_kind (params, row) * AMPHISTO_N_BINS;
    uint word = 0;

    for (uint k = 0; k < 4; k++)
      if (c.own->slots[x + k] != NO_SLOT)
        word |= read_uchar (brightness,
                    kind + c.own->kinds[x + k]
                        + sum_cell (c, first, end, c.own->slots[x + k]))
            << k * 8;
    light[(row * params->panel_width + strip.first + x) / 4] = word;
  }
}

#else

/* Stores the row's counts, up to 255, in `sums`.
 *
 * Returns: whether any count is not 0. */
INLINE bool
sum_row (const ushort *counts, constant waveform_params *params, uint row,
    ushort *sums)
{
  const uint end = first_value (params, row + 1);
  shorts *sum = (shorts *) sums;
  shorts any = 0;

  for (uint i = 0; i < WAVEFORM_MAX_STRIP / N_PIXELS; i++) {
    sum[i] = 0;
    for (uint v = first_value (params, row); v < end; v++)
      sum[i] +=
          min (((const shorts *) (counts + v * PITCH))[i], (shorts) (255));
    any |= sum[i] = min (sum[i], (shorts) (255));
  }

  const ulong4 words = as_ulong4 (any);

  return (words.x | words.y | words.z | words.w) != 0;
}

#define ready_light(params, trace, strip, own)

/* Stores, for each column of the strip, the column of counts that it shows, and
 * the offset of its table in the trace's brightness. */
INLINE void
find_columns (constant waveform_params *params, constant trace_params *trace,
    column_strip strip, ushort *columns, ushort *kinds)
{
  for (uint i = 0; i < strip.width; i++) {
    const uint x = strip.first + i - params->plot_left;
    const uint column =
        x < params->plot_width ? shown_column (params, trace, x) : 0;

    columns[i] =
        x < params->plot_width ? column - strip.first_counted : NO_COLUMN;
    kinds[i] = column_kind (trace, column) * AMPHISTO_N_BINS;
  }
}

/* Stores the light of the strip. light: of the whole trace. */
INLINE void
write_light (strip_counter c, constant waveform_params *params,
    constant trace_params *trace, column_strip strip, global uint *light)
{
  ushort columns[WAVEFORM_MAX_STRIP], kinds[WAVEFORM_MAX_STRIP];
  ushort sums[WAVEFORM_MAX_STRIP + N_PIXELS] __attribute__ ((aligned (32)));

  find_columns (params, trace, strip, columns, kinds);
  sums[NO_COLUMN] = 0;
  for (uint row = 0; row < params->rows; row++) {
    global uchar *cells =
        (global uchar *) light + row * params->panel_width + strip.first;
    constant uchar *brightness =
        brightness_of (trace, 2 * row_kind (params, row));

    if (sum_row (c.counts, params, row, sums))
      for (uint i = 0; i < strip.width; i++)
        cells[i] = brightness[kinds[i] + sums[columns[i]]];
    else
      for (uint i = 0; i < strip.width; i += 16)
        *(global uchar16 *) (cells + i) = 0;
  }
}

#endif

/* --- strips --- */

/* Counts all samples of the strip. */
INLINE void
count_strip (strip_counter c, uchar_planes planes,
    constant frame_params *params, constant trace_params *trace,
    column_strip strip, OWN strip_memory *own)
{
  const uint height = trace->samples.height;
  const uint end = end_sample (trace, strip);

  for (uint x = RUN_BEGIN (begin_sample (trace, strip)); x < end;
       x += RUN_SAMPLES) {
    const uint n = min (end - x, (uint) RUN_SAMPLES);
    const uint n_rows = ROWS_BETWEEN_CUTS (trace);

    FOR_COLUMNS (i, n + N_PIXELS)
      own->columns[i] = i >= n
          ? NO_COLUMN
          : (ulong) (x + i) * trace->columns / trace->samples.width
              - strip.first_counted;
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    for (uint y = 0; y < height; y += min (n_rows, height - y)) {
      const row_range rows = { y, y + min (n_rows, height - y), 1 };

      count_run (c, planes, params, trace, x, n, rows);
      cut_off (own->counts);
    }
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  }
}

OUTLINE void
measure_strips (uchar_planes planes, constant frame_params *params,
    constant waveform_params *waveform, OWN strip_memory *own,
    global uint *light, row_range strips)
{
  const uint n_strips = waveform->n_strips;
  const uint trace_words = waveform->rows * waveform->panel_width / 4;

  FOR_ROWS (s, strips) {
    constant trace_params *trace = &waveform->trace[s / n_strips];
    const column_strip strip =
        strip_of (waveform, trace, s % n_strips * waveform->strip);
    const strip_counter c = make_counter (own, strip);

    FOR_COLUMNS (i, N_COUNTS)
      own->counts[i] = 0;
    ready_light (waveform, trace, strip, own);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    count_strip (c, planes, params, trace, strip, own);
    write_light (c, waveform, trace, strip, light + s / n_strips * trace_words);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  }
}

/* Counts the traces, and stores their light. */
kernel COUNTING_GROUP void
measure_waveform (global uint *plane0, global uint *plane1, global uint *plane2,
    global uint *plane3, constant frame_params *params,
    constant waveform_params *waveform, global uint *light)
{
  OWN strip_memory own;

  measure_strips (planes_at (plane0, plane1, plane2, plane3, params->source),
      params, waveform, &own, light,
      own_rows (waveform->n_traces * waveform->n_strips));
}

#endif
