/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CPU shape: counts a strip of a waveform, and turns its counts into light.
 *
 * A strip's counts fit into the first-level cache. They are 16-bit numbers,
 * regularly clamped to 255 before they can overflow, so that counting a sample
 * is a plain increment.
 */

#ifndef AMPHISTO_TRACES_SHAPE
#define AMPHISTO_TRACES_SHAPE

#ifndef AMPHISTO_STRIPS_CL
#include "strips.cl"
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

/* Prefetch distance, in rows. */
#define ROWS_AHEAD 6
#define CACHE_LINE 64
/* A builtin of clang, for CPU targets only. */
#if defined __x86_64__ || defined __aarch64__
#define PREFETCH __builtin_prefetch
#else
#define PREFETCH(address) ((void) (address))
#endif

/* --- counters --- */

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

/* Vectors for reading and writing at any number. */
typedef shorts any_shorts __attribute__ ((aligned (2)));

INLINE strip_counter
make_counter (strip_memory *own, column_strip strip)
{
  const strip_counter c = { own->counts, own->columns, own->places };

  (void) strip;
  return c;
}

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
count_chunk (strip_counter c, uint i, pixels values)
{
  *(any_shorts *) (c.places + i * N_PIXELS) =
      TO_SHORTS (values) * (ushort) PITCH
      + *(const any_shorts *) (c.columns + i * N_PIXELS);
}

/* Counts the places stored by count_chunk(). Called after all chunks of a row:
 * most stores of places are complete by then, so that loading them does not
 * stall. */
INLINE void
finish_chunks (strip_counter c, uint n_chunks)
{
  for (uint i = 0; i < n_chunks * N_PIXELS; i += 8) {
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

/* --- rows --- */

/* The number of chunks for n samples from sample x of a row on. The last chunk
 * may extend past them, but not past the row; count_rest() samples are left to
 * be counted one by one. */
INLINE uint
count_chunks (uint x, uint n, uint width)
{
  return min ((n + N_PIXELS - 1) / N_PIXELS, (width - x) / N_PIXELS);
}

INLINE uint
count_rest (uint n, uint n_chunks)
{
  return n - min (n, n_chunks * N_PIXELS);
}

/* Counts samples x to x + n - 1 of a component's rows. */
INLINE void
count_samples (strip_counter c, uchar_planes planes,
    constant component_params *samples, bool is_plain, uint x, uint n,
    row_range rows)
{
  const uint n_chunks = count_chunks (x, n, samples->width);
  const uint n_rest = count_rest (n, n_chunks);
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
    FOR_COLUMNS (i, n_chunks)
      count_chunk (own, i, read_component_samples (row, i));
    finish_chunks (own, n_chunks);
    FOR_COLUMNS (i, n_rest)
      count (own, n_chunks * N_PIXELS + i,
          read_sample (row, n_chunks * N_PIXELS + i));
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
  const uint n_chunks = count_chunks (x, n, params->rgb[0].width);
  const uint n_rest = count_rest (n, n_chunks);
  constant uint *weights = params->weights;

  FOR_ROWS (y, rows) {
    const strip_counter own = counter_of_row (c, y);
    const rgb_row row =
        rgb_row_from (frame_rgb_row (planes, params->rgb, y), x);
    const luma_view view = view_luma (row, weights);

    FOR_COLUMNS (i, n_chunks)
      count_chunk (own, i, luma_of (view, read_rgb_pixels (row, i)));
    finish_chunks (own, n_chunks);
    FOR_COLUMNS (i, n_rest) {
      const uint4 p = read_rgb (row, n_chunks * N_PIXELS + i);

      count (own, n_chunks * N_PIXELS + i, LUMA (weights, p.x, p.y, p.z));
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
    const uint n_chunks = count_chunks (x + head, n - head, params->luma.width);
    const uint n_rest = count_rest (n - head, n_chunks);
    const yuv_row chunks = yuv_row_from (row, head);
    strip_counter behind = own;

    behind.columns += head;
    FOR_COLUMNS (i, n_chunks)
      count_chunk (
          behind, i, colours_of (read_yuv_pixels (chunks, i), matrix_row));
    finish_chunks (own, n_chunks);
    FOR_COLUMNS (i, head + n_rest) {
      const uint at = i < head ? i : i + n_chunks * N_PIXELS;

      count (own, at, read_colour (row, at, matrix_row));
    }
  }
}

INLINE void
count_run (strip_counter c, uchar_planes planes, constant frame_params *params,
    constant trace_params *trace, uint x, uint n, row_range rows)
{
  constant component_params *samples = &trace->samples;

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

/* --- light --- */

INLINE constant uchar *
brightness_of (constant trace_params *trace, uint kind)
{
  return (constant uchar *) trace->brightness[kind];
}

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
  return !are_zero_shorts (any);
}

#define ready_light(params, trace, strip, own)

/* Stores, for each column of the strip, the column of counts that it shows, and
 * the offset of its table in the trace's brightness. */
INLINE void
find_columns (constant waveform_params *params, constant trace_params *trace,
    column_strip strip, ushort *columns, ushort *kinds)
{
  for (uint i = 0; i < strip.width; i++) {
    const uint x = strip.first + i - params->scope.plot_left;
    const uint column =
        x < params->scope.plot_width ? shown_column (params, trace, x) : 0;

    columns[i] =
        x < params->scope.plot_width ? column - strip.first_counted : NO_COLUMN;
    kinds[i] = column_kind (trace, column) * AMPHISTO_N_BINS;
  }
}

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
        (global uchar *) light + row * params->scope.panel_width + strip.first;
    constant uchar *brightness =
        brightness_of (trace, 2 * row_kind (params, row));

    if (sum_row (c.counts, params, row, sums))
      for (uint i = 0; i < strip.width; i++)
        cells[i] = brightness[kinds[i] + sums[columns[i]]];
    else
      for (uint i = 0; i < strip.width; i += 4)
        *(global uint *) (cells + i) = 0;
  }
}

#endif
