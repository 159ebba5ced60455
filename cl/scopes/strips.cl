/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The strips of a waveform: their columns and samples, and the span of cells.
 */

#pragma once

#include "waveform_params.h"
#include "pixels/rgb.cl"
#include "pixels/components.cl"

/* Maximum length of a run: of the samples of a row that are counted before the
 * next row's. Limited by the table of their columns. */
#define RUN_SAMPLES 512
/* A dummy column for samples past the strip, in the last chunk. */
#define NO_COLUMN WAVEFORM_MAX_STRIP
#define TABLE_SIZE (RUN_SAMPLES + N_PIXELS)

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
  return (uint) ((ulong) x * trace->columns / params->scope.plot_width);
}

/* The strip of up to `most` columns from column `first` of a panel on. */
INLINE column_strip
strip_of (constant waveform_params *params, constant trace_params *trace,
    uint first, uint most)
{
  const uint left = params->scope.plot_left;
  const uint right = left + params->scope.plot_width;
  column_strip strip = { first, min (most, params->scope.panel_width - first),
    0, 0 };
  const uint begin = max (first, left);
  const uint end = min (first + strip.width, right);

  if (begin < end) {
    strip.first_counted = shown_column (params, trace, begin - left);
    strip.n_counted =
        shown_column (params, trace, end - 1 - left) + 1 - strip.first_counted;
  }
  return strip;
}

/* Whether the previous strip shows, and counts, the first column, too. */
INLINE bool
shares_first_column (constant waveform_params *params,
    constant trace_params *trace, column_strip strip)
{
  const uint left = params->scope.plot_left;

  return strip.first > left
      && shown_column (params, trace, strip.first - 1 - left)
      == strip.first_counted;
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

/* Pixel x or, if possible, an earlier one that begins a whole chroma sample. */
INLINE uint
whole_chroma (constant frame_params *params, uint x)
{
  const uint phase = params->chroma->x_phase + x;

  return x - min (x, phase & ((1u << params->chroma->x_shift) - 1));
}

/* --- prefetching --- */

#ifdef AMPHISTO_GPU

#define fetch_ahead(row, n, distance) ((void) (n))
#define fetch_rgb_ahead(planes, params, row, n) ((void) (n))

#else

/* Prefetch distance, in rows. */
#define ROWS_AHEAD 6
#define CACHE_LINE 64
/* A builtin of clang, for CPU targets only. */
#if defined __x86_64__ || defined __aarch64__
#define PREFETCH __builtin_prefetch
#else
#define PREFETCH(address) ((void) (address))
#endif

/* Prefetches n samples, `distance` bytes further. The rows of a strip are too
 * short for the CPU's own prefetching. Harmless past the end of the frame. */
INLINE void
fetch_ahead (component_row row, uint n, size_t distance)
{
  for (uint at = 0; at < n * row.pixel_stride; at += CACHE_LINE)
    PREFETCH (row_bytes (row.row, at + distance));
}

/* Prefetches n packed pixels, for the rows to come. */
INLINE void
fetch_rgb_ahead (
    uchar_planes planes, constant frame_params *params, rgb_row row, uint n)
{
  const component_row pixels_of_row = { row.r, row.pixel_stride, 0 };

  fetch_ahead (pixels_of_row, n,
      ROWS_AHEAD * frame_plane (planes, params->rgb[0].plane).stride);
}

#endif

/* --- rows --- */

/* The number of chunks for n samples from sample x of a row on. The last chunk
 * may extend past them, but not past the row; the rest_of_run() samples are
 * counted one by one. */
INLINE uint
chunks_of_run (uint x, uint n, uint width)
{
  return min ((n + N_PIXELS - 1) / N_PIXELS, (width - x) / N_PIXELS);
}

INLINE uint
rest_of_run (uint n, uint n_chunks)
{
  return n - min (n, n_chunks * N_PIXELS);
}

/* The first value that belongs to the row. */
INLINE uint
first_value (constant trace_params *trace, uint row)
{
  return (row * 2 * AMPHISTO_N_BINS + trace->rows - 1) / (2 * trace->rows);
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
row_kind (constant trace_params *trace, uint row)
{
  return first_value (trace, row + 1) - first_value (trace, row)
      - AMPHISTO_N_BINS / trace->rows;
}

/* The least and the greatest of the colours that a trace counts. */
INLINE int
least_colour (constant trace_params *trace)
{
  return trace->is_unclamped ? WAVEFORM_LEAST_COLOUR : 0;
}

INLINE int
most_colour (constant trace_params *trace)
{
  return trace->is_unclamped ? WAVEFORM_MOST_COLOUR : 255;
}

/* A cell in each row of a strip: the strip's column that it shows, or
 * NO_COLUMN, and the offset of its table in the trace's brightness. */
typedef struct
{
  ushort column;
  ushort kind;
} strip_cell;

INLINE strip_cell
strip_cell_at (constant waveform_params *params, constant trace_params *trace,
    column_strip strip, uint i)
{
  const uint x = strip.first + i - params->scope.plot_left;
  const bool is_shown = x < params->scope.plot_width;
  const uint column = is_shown ? shown_column (params, trace, x) : 0;

  return (strip_cell){ is_shown ? column - strip.first_counted : NO_COLUMN,
    column_kind (trace, column) * AMPHISTO_N_BINS };
}
