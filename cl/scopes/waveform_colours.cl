/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts luma's trace in the colours of the picture.
 *
 * A work-group adds up the pixels of a strip of columns, for each value of
 * luma, in its own memory, and turns the sums into cells and their colours.
 *
 * CPU shape: a row's pixels are made ready first, and then added from distant
 * places of the row alternately: an addition waits for the previous one of the
 * same sum.
 */

#pragma once

#include "pixels/luma.cl"
#include "pixels/slices.cl"
#include "pixels/yuv.cl"
#include "scopes/strips.cl"

/* The columns of a strip. */
#ifdef AMPHISTO_GPU
#define COLOUR_STRIP 4
#else
#define COLOUR_STRIP 16
#endif
/* The sums of a value: a strip's columns, and a dummy column for pixels past
 * the strip. */
#define SUM_COLUMNS (COLOUR_STRIP + 1)

/* Places of a row from which pixels are added alternately. */
#define PLACES 4

/* A work-group's memory. sums: of each value and column, the number of pixels,
 * and Y, U and V, or R, G and B. columns: the column of each pixel of a run.
 * cells: of the strip, with COLOUR_STRIP for no column. sum_indices,
 * pixels_of_row: of the run's chunks in a row. */
typedef struct
{
  uint4 sums[AMPHISTO_N_BINS * SUM_COLUMNS];
  ushort columns[TABLE_SIZE];
  strip_cell cells[COLOUR_STRIP];
#ifndef AMPHISTO_GPU
  ushort sum_indices[TABLE_SIZE];
  uint pixels_of_row[TABLE_SIZE];
#endif
} colour_memory;

/* --- pixels --- */

/* A pixel to be added to sums: 1, and three components, in bytes. */
#define PACK_PIXELS(a, b, c) (1u | (a) << 8 | (b) << 16 | (c) << 24)
/* PoCL (3.1) compiles convert_uint4() and the like to ten instructions, and x86
 * has one. */
#if __has_builtin(__builtin_convertvector)
#define CONVERT(type, v) __builtin_convertvector(v, type)
#else
#define CONVERT(type, v) convert_##type (v)
#endif

INLINE void
add_pixel (OWN colour_memory *own, uint index, uint pixel)
{
#ifdef AMPHISTO_GPU
  volatile local uint *sum = (volatile local uint *) &own->sums[index];

  atomic_add (&sum[0], 1);
  atomic_add (&sum[1], pixel >> 8 & 0xff);
  atomic_add (&sum[2], pixel >> 16 & 0xff);
  atomic_add (&sum[3], pixel >> 24);
#else
  own->sums[index] += CONVERT (uint4, as_uchar4 (pixel));
#endif
}

/* Adds pixel `at` of a run, if it is in the strip. */
INLINE void
add_single (OWN colour_memory *own, uint at, uint luma, uint pixel)
{
  const uint column = own->columns[at];

  if (column < COLOUR_STRIP)
    add_pixel (own, luma * SUM_COLUMNS + column, pixel);
}

/* Adds the chunk of pixels from pixel `at` of a run on. CPU shape: makes them
 * ready for finish_pixels(). */
INLINE void
add_chunk (OWN colour_memory *own, uint at, pixels luma, pixels packed)
{
#ifdef AMPHISTO_GPU
  add_single (own, at, luma.x, packed.x);
  add_single (own, at + 1, luma.y, packed.y);
  add_single (own, at + 2, luma.z, packed.z);
  add_single (own, at + 3, luma.w, packed.w);
#else
  *(any_shorts *) (own->sum_indices + at) =
      TO_SHORTS (luma) * (ushort) SUM_COLUMNS
      + *(const any_shorts *) (own->columns + at);
  *(any_pixels *) (own->pixels_of_row + at) = packed;
#endif
}

/* CPU shape: adds the n pixels of a row's chunks, from pixel `first` of the run
 * on. */
INLINE void
finish_pixels (OWN colour_memory *own, uint first, uint n)
{
#ifdef AMPHISTO_GPU
  (void) own, (void) first, (void) n;
#else
  const ushort *index = own->sum_indices + first;
  const uint *pixel = own->pixels_of_row + first;
  const uint apart = n / PLACES;

  for (uint k = 0; k < apart; k++) {
#pragma unroll
    for (uint p = 0; p < PLACES; p++)
      add_pixel (own, index[p * apart + k], pixel[p * apart + k]);
  }
#endif
}

/* --- rows --- */

/* A run of n pixels, from pixel x of each row on: `head` single pixels, up to
 * the first whole chroma sample, n_chunks chunks, and other single pixels. A
 * work-item adds every chunk_stride-th chunk from first_chunk on, in every
 * row_stride-th row from first_row on. */
typedef struct
{
  uint x, n;
  uint head;
  uint n_chunks;
  uint first_row, row_stride;
  uint first_chunk, chunk_stride;
} pixel_run;

INLINE pixel_run
make_pixel_run (uint x, uint n, uint head, uint width, uint height)
{
  const uint first = min (head, n);
  pixel_run run = { x, n, first, chunks_of_run (x + first, n - first, width), 0,
    1, 0, 1 };

#ifdef AMPHISTO_GPU
  const uint item = (uint) get_local_id (0);
  const uint n_items = (uint) get_local_size (0);

  run.chunk_stride = clamp (run.n_chunks, 1u, n_items);
  run.row_stride = n_items / run.chunk_stride;
  run.first_chunk = item % run.chunk_stride;
  run.first_row = item / run.chunk_stride;
  if (run.first_row == run.row_stride)
    run.first_row = height;
#else
  (void) height;
#endif
  return run;
}

#define FOR_RUN_ROWS(y, run, height)                                           \
  for (uint y = (run).first_row; y < (height); y += (run).row_stride)
#define FOR_RUN_CHUNKS(i, run)                                                 \
  for (uint i = (run).first_chunk; i < (run).n_chunks; i += (run).chunk_stride)
/* The single pixels belong to the work-item with the first chunk. */
#define FOR_SINGLES(at, run)                                                   \
  for (uint at = (run).first_chunk > 0 ? (run).n : single_from (run, 0);       \
       at < (run).n; at = single_from (run, at + 1))

/* The first single pixel of a run from pixel `at` on. */
INLINE uint
single_from (pixel_run run, uint at)
{
  const uint rest = run.head + run.n_chunks * N_PIXELS;

  return at < run.head ? at : max (at, rest);
}

INLINE void
add_yuv_chunks (OWN colour_memory *own, yuv_row row, pixel_run run)
{
  FOR_RUN_CHUNKS (i, run) {
    const yuv_pixels p = read_yuv_pixels (row, i);

    add_chunk (own, run.head + i * N_PIXELS, AS_UNSIGNED (p.y),
        PACK_PIXELS (AS_UNSIGNED (p.y), AS_UNSIGNED (p.u), AS_UNSIGNED (p.v)));
  }
}

NOINLINE void
add_yuv_run (OWN colour_memory *own, uchar_planes planes,
    constant frame_params *params, uint x, uint n)
{
  const uint height = params->luma.height;
  const yuv_run rows = find_yuv_run (planes, params, x);
  const uint head = yuv_row_head (rows.first);
  const pixel_run run = make_pixel_run (x, n, head, params->luma.width, height);

  FOR_RUN_ROWS (y, run, height) {
    const yuv_row row = yuv_row_at (rows, y, sample_row (params->chroma, y));
    const yuv_row chunks = yuv_row_from (row, run.head);

    fetch_ahead (row.y, n, ROWS_AHEAD * rows.y_stride);
    if (is_half_planar (chunks))
      add_yuv_chunks (own, half_planar_row (chunks), run);
    else
      add_yuv_chunks (own, chunks, run);
    finish_pixels (own, run.head, run.n_chunks * N_PIXELS);
    FOR_SINGLES (at, run) {
      const uint4 p = as_uint4 (read_yuv (row, at));

      add_single (own, at, p.x, PACK_PIXELS (p.x, p.y, p.z));
    }
  }
}

NOINLINE void
add_rgb_run (OWN colour_memory *own, uchar_planes planes,
    constant frame_params *params, uint x, uint n)
{
  const uint height = params->rgb[0].height;
  const pixel_run run = make_pixel_run (x, n, 0, params->rgb[0].width, height);
  constant uint *weights = params->weights;

  FOR_RUN_ROWS (y, run, height) {
    const rgb_row row =
        rgb_row_from (frame_rgb_row (planes, params->rgb, y), x);
    const luma_view view = view_luma (row, weights);

    fetch_rgb_ahead (planes, params, row, n);
    FOR_RUN_CHUNKS (i, run) {
      const rgb_pixels p = read_rgb_pixels (row, i);

      add_chunk (
          own, i * N_PIXELS, luma_of (view, p), PACK_PIXELS (p.r, p.g, p.b));
    }
    finish_pixels (own, 0, run.n_chunks * N_PIXELS);
    FOR_SINGLES (at, run) {
      const uint4 p = read_rgb (row, at);

      add_single (
          own, at, LUMA (weights, p.x, p.y, p.z), PACK_PIXELS (p.x, p.y, p.z));
    }
  }
}

/* --- strips --- */

INLINE bool
is_of_rgb (constant trace_params *luma)
{
  return luma->samples.plane == AMPHISTO_RGB_LUMA;
}

INLINE void
find_columns_of_run (OWN colour_memory *own, constant trace_params *luma,
    column_strip strip, uint x, uint n)
{
  FOR_COLUMNS (i, n + N_PIXELS) {
    const uint column = (ulong) (x + i) * luma->columns / luma->samples.width
        - strip.first_counted;

    own->columns[i] = i < n && column < strip.n_counted ? column : COLOUR_STRIP;
  }
}

INLINE void
add_strip (OWN colour_memory *own, uchar_planes planes,
    constant frame_params *params, constant trace_params *luma,
    column_strip strip)
{
  const uint end = end_sample (luma, strip);

  FOR_COLUMNS (i, AMPHISTO_N_BINS * SUM_COLUMNS)
    own->sums[i] = 0;
  for (uint x = whole_chroma (params, begin_sample (luma, strip)); x < end;
       x += RUN_SAMPLES) {
    const uint n = min (end - x, (uint) RUN_SAMPLES);

    find_columns_of_run (own, luma, strip, x, n);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    if (HAS_RGB && is_of_rgb (luma))
      add_rgb_run (own, planes, params, x, n);
    else
      add_yuv_run (own, planes, params, x, n);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  }
}

/* --- cells --- */

/* The quotients, which are below 256, rounded down. For few pixels, in float:
 * with the half, a quotient is farther from any integer than a device may round
 * it. */
#define MOST_DIVIDED_IN_FLOAT 4096

INLINE uint4
divide_sums (uint4 sums, uint divisor)
{
  if (divisor > MOST_DIVIDED_IN_FLOAT)
    return sums / divisor;

  const float4 quotients =
      (CONVERT (float4, as_int4 (sums)) + 0.5f) / (float) divisor;

  return as_uint4 (CONVERT (int4, quotients));
}

/* The mean of a cell's pixels, to the nearest, in red, green and blue. */
INLINE uint4
mean_colour (
    constant frame_params *params, constant trace_params *luma, uint4 sum)
{
  const uint n = sum.x;
  const int4 mean = as_int4 (divide_sums (sum.yzwx + n / 2, n));
  constant int (*matrix)[4] = params->matrix;

  if (HAS_RGB && is_of_rgb (luma))
    return as_uint4 (mean);
  return (uint4) ((uint) MATRIX_ROW (int, matrix[0], mean.x, mean.y, mean.z),
      (uint) MATRIX_ROW (int, matrix[1], mean.x, mean.y, mean.z),
      (uint) MATRIX_ROW (int, matrix[2], mean.x, mean.y, mean.z), 0);
}

/* The colour, as bright as the light: its greatest component has the light, and
 * the others are to the nearest. */
INLINE uint4
at_light (uint4 colour, uint light)
{
  const uint greatest = max (max (colour.x, colour.y), colour.z);

  return greatest == 0 ? (uint4) (light)
                       : divide_sums (colour * light + greatest / 2, greatest);
}

/* The sum of the pixels of values `first` to before `end`. */
INLINE uint4
sum_of_values (const OWN colour_memory *own, uint column, uint first, uint end)
{
  uint4 sum = 0;

  for (uint v = first; v < end; v++)
    sum += own->sums[v * SUM_COLUMNS + column];
  return sum;
}

/* Four cells of a row, a byte each: their brightness and their colours. */
typedef struct
{
  uint light;
  uint4 colours;
} coloured_cells;

/* The strip's cells from x to x + 3 in a row of the trace. */
INLINE coloured_cells
colour_cells (const OWN colour_memory *own, constant frame_params *params,
    constant trace_params *luma, uint row, uint x)
{
  const uint first = first_value (luma, row);
  const uint end = first_value (luma, row + 1);
  constant uint *brightness = luma->brightness[2 * row_kind (luma, row)];
  coloured_cells cells = { 0, 0 };

  for (uint k = 0; k < 4; k++) {
    const strip_cell cell = own->cells[x + k];
    const uint4 sum = sum_of_values (own, cell.column, first, end);
    const uint at = cell.kind + min (sum.x, 255u);
    const uint light = brightness[at / 4] >> at % 4 * 8 & 0xff;

    if (sum.x == 0 || cell.column == COLOUR_STRIP)
      continue;
    cells.light |= light << k * 8;
    cells.colours |= at_light (mean_colour (params, luma, sum), light) << k * 8;
  }
  return cells;
}

INLINE void
find_cells_of_strip (OWN colour_memory *own, constant waveform_params *params,
    constant trace_params *luma, column_strip strip)
{
  FOR_COLUMNS (i, strip.width) {
    strip_cell cell = strip_cell_at (params, luma, strip, i);

    cell.column = min ((uint) cell.column, (uint) COLOUR_STRIP);
    own->cells[i] = cell;
  }
}

/* Stores the strip's cells. planes: of luma's trace, and of its colours. */
INLINE void
write_strip (OWN colour_memory *own, constant frame_params *params,
    constant waveform_params *waveform, column_strip strip, global uint *planes)
{
  constant trace_params *luma = &waveform->trace[0];
  const uint row_words = waveform->scope.panel_width / 4;
  const uint plane_words = waveform->most_rows * row_words;
  global uint *colours = planes + waveform->n_traces * plane_words;
  const uint n = strip.width / 4;

  find_cells_of_strip (own, waveform, luma, strip);
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  FOR_COLUMNS (i, n * luma->rows) {
    const uint row = i / n;
    const uint at = row * row_words + strip.first / 4 + i % n;
    const coloured_cells cells =
        colour_cells (own, params, luma, row, i % n * 4);

    planes[at] = cells.light;
    colours[at] = cells.colours.x;
    colours[plane_words + at] = cells.colours.y;
    colours[2 * plane_words + at] = cells.colours.z;
  }
}

/* CPU shape: adds the strip's pixels to luma's bins. */
INLINE void
add_pixels_to_bins (const OWN colour_memory *own,
    constant waveform_params *waveform, column_strip strip,
    volatile global uint *bins)
{
#ifdef AMPHISTO_GPU
  (void) own, (void) waveform, (void) strip, (void) bins;
#else
  constant trace_params *luma = &waveform->trace[0];
  const bool shares = shares_first_column (waveform, luma, strip);

  for (uint v = 0; v < AMPHISTO_N_BINS; v++) {
    uint n = 0;

    for (uint i = shares; i < strip.n_counted; i++)
      n += own->sums[v * SUM_COLUMNS + i].x;
    if (n > 0)
      atomic_add (&bins[luma->slot * AMPHISTO_N_BINS + v], n);
  }
#endif
}

NOINLINE void
colour_strips (uchar_planes planes, constant frame_params *params,
    constant waveform_params *waveform, OWN colour_memory *own,
    volatile global uint *bins, global uint *traces, row_range strips)
{
  constant trace_params *luma = &waveform->trace[0];

  FOR_ROWS (s, strips) {
    const column_strip strip =
        strip_of (waveform, luma, s * COLOUR_STRIP, COLOUR_STRIP);

    add_strip (own, planes, params, luma, strip);
    add_pixels_to_bins (own, waveform, strip, bins);
    write_strip (own, params, waveform, strip, traces);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  }
}

/* Counts luma's trace, and stores its cells and their colours. CPU shape: adds
 * luma's histogram to bins, as calculate_histogram would. */
kernel COUNTING_GROUP void
colour_waveform (global uint *plane0, global uint *plane1, global uint *plane2,
    constant frame_params *params, constant waveform_params *waveform,
    volatile global uint *bins, global uint *traces)
{
  OWN colour_memory own;
  const uint width = waveform->scope.panel_width;

  colour_strips (planes_at (plane0, plane1, plane2, plane0, params->source),
      params, waveform, &own, bins, traces,
      own_rows ((width + COLOUR_STRIP - 1) / COLOUR_STRIP));
}
