/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: counts runs of samples in a strip of a waveform.
 *
 * Counts are 32-bit numbers, although a strip of them then exceeds the
 * first-level cache of some CPUs: they increment 16-bit numbers more slowly. An
 * increment waits for the previous increment of the same count, so samples of
 * two distant rows are counted alternately.
 */

#pragma once

#include "scopes/strips.cl"
#include "pixels/slices.cl"
#include "pixels/luma.cl"
#include "pixels/colours_cpu.cl"

/* --- counters --- */

/* A row of counts is of a value or, in a trace that is_unclamped, of a colour,
 * from least_colour() on. It has a strip's columns, the dummy column and
 * padding. */
#define PITCH (WAVEFORM_MAX_STRIP + 4)
#define N_COUNTS (WAVEFORM_N_COLOURS * PITCH)
/* The first column of trace i of a pass in a row of counts. */
#define TRACE_COLUMN(i) ((i) * (WAVEFORM_MAX_STRIP / WAVEFORM_PASS_TRACES))
/* The number of rows that are counted alternately, if a pass has one trace. */
#define ALTERNATE_ROWS 2
#define INDICES_AT_ONCE 4

/* counts: WAVEFORM_N_COLOURS rows of PITCH counts. columns: for each sample of
 * a run, in each trace of a pass. indices: in `counts`, for each sample of
 * ALTERNATE_ROWS rows of the frame, or of each trace. */
typedef struct
{
  uint counts[N_COUNTS] __attribute__ ((aligned (64)));
  ushort columns[WAVEFORM_PASS_TRACES * TABLE_SIZE];
  ushort indices[WAVEFORM_PASS_TRACES * TABLE_SIZE];
} strip_memory;

typedef struct
{
  uint *counts;
  const ushort *columns;
  ushort *indices;
} strip_counter;

INLINE strip_counter
make_counter (strip_memory *own, column_strip strip)
{
  const strip_counter c = { own->counts, own->columns, own->indices };

  (void) strip;
  return c;
}

INLINE strip_counter
counter_of_trace (strip_counter c, uint i)
{
  c.counts += TRACE_COLUMN (i);
  return c;
}

/* Counts runs of trace i; the columns include counter_of_trace(). */
INLINE strip_counter
counter_of_run (strip_counter c, uint i)
{
  c.columns += i * TABLE_SIZE;
  c.indices += i * TABLE_SIZE;
  return c;
}

/* The row to count at turn i: rows of the upper and of the lower half
 * alternately. */
INLINE uint
row_of_turn (uint i, uint height)
{
  return i / 2 + i % 2 * ((height + 1) / 2);
}

INLINE strip_counter
counter_of_turn (strip_counter c, uint i)
{
  c.indices += i % ALTERNATE_ROWS * TABLE_SIZE;
  return c;
}

/* The row of counts of the value's first colour, or of the value. */
INLINE uint
first_row (constant trace_params *trace, uint value)
{
  return trace->is_unclamped ? WAVEFORM_COLOURS_BELOW (value) : value;
}

/* row: of counts. */
INLINE void
count_value (strip_counter c, uint i, uint row)
{
  c.counts[row * PITCH + c.columns[i]]++;
}

/* Stores the indices of the counts of chunk i, in these rows of counts. */
INLINE void
index_chunk (strip_counter c, uint i, shorts rows)
{
  *(any_shorts *) (c.indices + i * N_PIXELS) =
      rows * (ushort) PITCH + *(const any_shorts *) (c.columns + i * N_PIXELS);
}

/* Increments n counts of both rows of a turn, after its second row or the last
 * row. n is rounded up to INDICES_AT_ONCE; it ends before any index past the
 * chunks.
 */
INLINE void
finish_row (strip_counter c, uint i, uint height, uint n)
{
  const ushort *other = c.indices + TABLE_SIZE;

  if (i % ALTERNATE_ROWS > 0)
    for (uint k = 0; k < n; k += INDICES_AT_ONCE) {
#pragma unroll
      for (uint p = k; p < k + INDICES_AT_ONCE; p++) {
        c.counts[c.indices[p]]++;
        c.counts[other[p]]++;
      }
    }
  else if (i + 1 == height)
    for (uint k = 0; k < n; k++)
      c.counts[c.indices[k]]++;
}

/* Increments n counts of each of three traces, rounded up as in finish_row().
 */
INLINE void
finish_colours (strip_counter c, uint n)
{
  const ushort *g = c.indices + TABLE_SIZE;
  const ushort *b = g + TABLE_SIZE;

  for (uint k = 0; k < n; k += INDICES_AT_ONCE) {
#pragma unroll
    for (uint p = k; p < k + INDICES_AT_ONCE; p++) {
      c.counts[c.indices[p]]++;
      c.counts[g[p]]++;
      c.counts[b[p]]++;
    }
  }
}

/* --- rows --- */

/* Stores the indices of the counts of n_chunks chunks. */
INLINE void
index_chunks (strip_counter c, component_row row, uint n_chunks)
{
  FOR_COLUMNS (i, n_chunks)
    index_chunk (c, i, TO_SHORTS (read_component_samples (row, i)));
}

/* A function for each kind of component, so that the loops of all formats are
 * not inlined into one function. They count samples x to x + n - 1 of all
 * rows. */

NOINLINE void
count_component_run (strip_counter c, uchar_planes planes,
    constant component_params *samples, uint x, uint n)
{
  const uint height = samples->height;
  const uint n_chunks = chunks_of_run (x, n, samples->width);
  const uint n_rest = rest_of_run (n, n_chunks);
  const uint pixel_stride = samples->pixel_stride;
  const uint offset = samples->offset - first_item (samples);
  const size_t first = first_item (samples) + (size_t) x * pixel_stride;
  const uchar_plane plane = frame_plane (planes, samples->plane);

  FOR_COLUMNS (turn, height) {
    const uint y = row_of_turn (turn, height);
    const strip_counter own = counter_of_turn (c, turn);
    const component_row row = { row_from (frame_row (plane, y), first),
      pixel_stride, offset };

    fetch_ahead (row, n, ROWS_AHEAD * plane.stride);
    if (pixel_stride == 1)
      index_chunks (own, plain_row (row), n_chunks);
    else
      index_chunks (own, row, n_chunks);
    finish_row (c, turn, height, n - n_rest);
    FOR_COLUMNS (i, n_rest)
      count_value (own, n_chunks * N_PIXELS + i,
          read_sample (row, n_chunks * N_PIXELS + i));
  }
}

NOINLINE void
count_luma_run (strip_counter c, uchar_planes planes,
    constant frame_params *params, uint x, uint n)
{
  const uint height = params->rgb[0].height;
  const uint n_chunks = chunks_of_run (x, n, params->rgb[0].width);
  const uint n_rest = rest_of_run (n, n_chunks);
  constant uint *weights = params->weights;

  FOR_COLUMNS (turn, height) {
    const uint y = row_of_turn (turn, height);
    const strip_counter own = counter_of_turn (c, turn);
    const rgb_row row =
        rgb_row_from (frame_rgb_row (planes, params->rgb, y), x);
    const luma_view view = view_luma (row, weights);

    fetch_rgb_ahead (planes, params, row, n);
    FOR_COLUMNS (i, n_chunks)
      index_chunk (
          own, i, TO_SHORTS (luma_of (view, read_rgb_pixels (row, i))));
    finish_row (c, turn, height, n - n_rest);
    FOR_COLUMNS (i, n_rest)
      count_value (own, n_chunks * N_PIXELS + i,
          read_rgb_luma (row, n_chunks * N_PIXELS + i, weights));
  }
}

/* 0, 1 or 2: red, green or blue of YUV. */
INLINE uint
colour_of_trace (constant trace_params *trace)
{
  return trace->samples.plane - AMPHISTO_YUV_RED;
}

/* Counts pixel i of a run in each trace. */
INLINE void
count_colours_of_pixel (strip_counter c, constant frame_params *params,
    constant trace_params *trace, uint n_traces, yuv_row row, uint i)
{
  constant int (*matrix)[4] = params->matrix + colour_of_trace (trace);
  const int lo = least_colour (trace), hi = most_colour (trace);

  FOR_COLUMNS (k, n_traces)
    count_value (counter_of_run (c, k), i,
        (uint) (clamp (read_unclamped (row, i, matrix[k]), lo, hi) - lo));
}

/* Stores the indices of the counts of one colour, or of all three. */
INLINE void
index_colours (strip_counter c, yuv_row row, uint n_chunks,
    constant frame_params *params, constant trace_params *trace, uint n_traces)
{
  const uint colour = colour_of_trace (trace);
  const short16 lo = (short) least_colour (trace);
  const short16 hi = (short) most_colour (trace);

  FOR_COLUMNS (i, n_chunks) {
    const colour_chunk p = calculate_chunk (row, i, params->matrix, lo, hi);
    const shorts r = p.colour[0], g = p.colour[1], b = p.colour[2];

    if (n_traces == 1) {
      index_chunk (c, i, colour == 0 ? r : colour == 1 ? g : b);
    } else {
      index_chunk (c, i, r);
      index_chunk (counter_of_run (c, 1), i, g);
      index_chunk (counter_of_run (c, 2), i, b);
    }
  }
}

/* Counts one, or all, of red, green and blue of YUV. Pixels before the first
 * whole chroma sample, and after the last chunk, are counted one by one. */
NOINLINE void
count_colour_run (strip_counter c, uchar_planes planes,
    constant frame_params *params, constant trace_params *trace, uint n_traces,
    uint x, uint n)
{
  constant component_params *chroma = params->chroma;
  const yuv_run rows = find_yuv_run (planes, params, x);
  const uint head = min (yuv_row_head (rows.first), n);
  const uint n_chunks = chunks_of_run (x + head, n - head, params->luma.width);
  const uint n_rest = rest_of_run (n - head, n_chunks);
  strip_counter behind = c;

  behind.columns += head;
  FOR_COLUMNS (y, params->luma.height) {
    const yuv_row row = yuv_row_at (rows, y, sample_row (chroma, y));
    const yuv_row chunks = yuv_row_from (row, head);

    if (is_half_planar (chunks))
      index_colours (
          behind, half_planar_row (chunks), n_chunks, params, trace, n_traces);
    else
      index_colours (behind, chunks, n_chunks, params, trace, n_traces);
    if (n_traces == 1)
      finish_row (c, 0, 1, n - head - n_rest);
    else
      finish_colours (c, n - head - n_rest);
    FOR_COLUMNS (i, head + n_rest)
      count_colours_of_pixel (c, params, trace, n_traces, row,
          i < head ? i : i + n_chunks * N_PIXELS);
  }
}

/* Counts red, green and blue of packed pixels. */
NOINLINE void
count_rgb_run (strip_counter c, uchar_planes planes,
    constant frame_params *params, uint x, uint n)
{
  const uint n_chunks = chunks_of_run (x, n, params->rgb[0].width);
  const uint n_rest = rest_of_run (n, n_chunks);

  FOR_COLUMNS (y, params->rgb[0].height) {
    const rgb_row row =
        rgb_row_from (frame_rgb_row (planes, params->rgb, y), x);

    fetch_rgb_ahead (planes, params, row, n);
    FOR_COLUMNS (i, n_chunks) {
      const rgb_pixels p = read_packed_pixels (row, i);

      index_chunk (c, i, TO_SHORTS (p.r));
      index_chunk (counter_of_run (c, 1), i, TO_SHORTS (p.g));
      index_chunk (counter_of_run (c, 2), i, TO_SHORTS (p.b));
    }
    finish_colours (c, n - n_rest);
    FOR_COLUMNS (i, n_rest) {
      const uint at = n_chunks * N_PIXELS + i;
      const uint4 p = read_rgb (row, at);

      count_value (c, at, p.x);
      count_value (counter_of_run (c, 1), at, p.y);
      count_value (counter_of_run (c, 2), at, p.z);
    }
  }
}

INLINE void
count_trace_run (strip_counter c, uchar_planes planes,
    constant frame_params *params, constant trace_params *trace, uint n_traces,
    uint x, uint n)
{
  constant component_params *samples = &trace->samples;

  if (HAS_COLOURS && samples->plane >= AMPHISTO_YUV_RED)
    count_colour_run (c, planes, params, trace, n_traces, x, n);
  else if (HAS_RGB && n_traces > 1)
    count_rgb_run (c, planes, params, x, n);
  else if (HAS_RGB && samples->plane == AMPHISTO_RGB_LUMA)
    count_luma_run (c, planes, params, x, n);
  else
    count_component_run (c, planes, samples, x, n);
}
