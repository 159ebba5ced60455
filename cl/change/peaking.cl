/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws sharp edges in one colour, over false colour and under zebra.
 *
 * A block is a chunk of N_BYTES pixels in all rows of a chroma row, or in a few
 * rows without chroma. Blocks without an edge only cost finding that out.
 */

#pragma once

#include "change/exposure_yuv.cl"
#include "pixels/luma.cl"

/* Rows of pixels with the same chroma row: 4:1:0 has four. Without chroma, the
 * rows of a block, which have neighbours in common; GPUs need many blocks. */
#define MAX_BLOCK_ROWS 4
#define N_PLAIN_ROWS (IS_GPU ? 1u : (uint) MAX_BLOCK_ROWS)

/* The gradients of a chunk. */
#ifdef AMPHISTO_GPU
typedef short8 gradients;
#define TO_GRADIENTS convert_short8
#define TO_SIGNED_BYTES convert_char8
#define TO_BYTES convert_uchar8
#define LOAD_BYTES(from) vload8 (0, from)
#else
typedef short gradients __attribute__ ((ext_vector_type (N_BYTES)));
#define TO_GRADIENTS(v) __builtin_convertvector(v, gradients)
#define TO_SIGNED_BYTES(v) __builtin_convertvector(v, signed_bytes)
#define TO_BYTES(v) __builtin_convertvector(v, bytes)
typedef uchar any_bytes
    __attribute__ ((ext_vector_type (N_BYTES), aligned (1)));
#define LOAD_BYTES(from) (*(const any_bytes *) (from))
#endif

/* The pixels of a chunk, and those on the left and on the right of them. */
typedef struct
{
  gradients left, middle, right;
} luma_run;

/* A row of the region: stored luma, or red, green and blue. */
typedef struct
{
  component_row luma;
  rgb_row rgb;
  bool is_rgb;
} luma_row;

/* The frames to read, in the region that is measured, and to draw into.
 * first_row, stride: of stored luma. */
typedef struct
{
  uchar_planes source, target;
  constant frame_params *region;
  luma_row first_row;
  uint stride;
  constant drawn_params *drawn;
  uint n_drawn;
} peaking_frames;

/* n columns from column x on of n_rows rows: luma, and which pixels are edges.
 * The remaining lanes repeat the last column. */
typedef struct
{
  uint x, n;
  uint y, y_stride, n_rows;
  bytes luma[MAX_BLOCK_ROWS];
  signed_bytes edges[MAX_BLOCK_ROWS];
} peaking_block;

INLINE luma_row
luma_row_of (const peaking_frames *frames, uint y)
{
  luma_row row = frames->first_row;

  if (row.is_rgb)
    row.rgb = frame_rgb_row (frames->source, frames->region->rgb, y);
  else
    row.luma.row = row_from (row.luma.row, (size_t) y * frames->stride);
  return row;
}

INLINE uint
read_luma (const peaking_frames *frames, luma_row row, uint x)
{
  return row.is_rgb ? read_rgb_luma (row.rgb, x, frames->region->weights)
                    : read_sample (row.luma, x);
}

/* Stores luma of a whole chunk, from pixel x on, at a word. */
INLINE void
read_luma_chunk (
    const peaking_frames *frames, luma_row row, uint x, uint *words)
{
  any_samples *to = (any_samples *) words;

  if (row.is_rgb) {
    const rgb_row rgb = rgb_row_from (row.rgb, x);
    const luma_view view = view_luma (rgb, frames->region->weights);

    for (uint i = 0; i < N_BYTES / N_PIXELS; i++)
      to[i] = pack_samples (luma_of (view, read_rgb_pixels (rgb, i)));
  } else {
    const component_row luma = component_row_from (row.luma, x);

    for (uint i = 0; i < N_BYTES / N_PIXELS; i++)
      to[i] = luma.pixel_stride == 1
          ? read_samples (luma.row, i)
          : pack_samples (read_component_samples (luma, i));
  }
}

INLINE luma_run
run_of (bytes left, bytes middle, bytes right)
{
  return (luma_run){ TO_GRADIENTS (left), TO_GRADIENTS (middle),
    TO_GRADIENTS (right) };
}

/* Whether a block's pixels, from pixel x of the region on, and their neighbours
 * can be loaded at once in each row. */
INLINE bool
is_inner (const peaking_frames *frames, uint x, uint n)
{
  return !IS_GPU && n == N_BYTES && x > 0 && x + n < frames->region->luma.width
      && !frames->first_row.is_rgb && frames->first_row.luma.pixel_stride == 1;
}

/* Reads n pixels of row y of the region, from pixel x on, and their neighbours;
 * the region's edges repeat. */
INLINE luma_run
read_luma_run (const peaking_frames *frames, bool inner, uint x, uint y, uint n)
{
  const uint last = frames->region->luma.width - 1;
  const luma_row row = luma_row_of (frames, y);
  uint words[N_BYTES / 4 + 2];
  uchar *luma = (uchar *) (words + 1);

  if (inner) {
    const component_row plain = plain_row (row.luma);

    return run_of (read_whole_bytes (plain, x - 1), read_whole_bytes (plain, x),
        read_whole_bytes (plain, x + 1));
  }
  if (n == N_BYTES)
    read_luma_chunk (frames, row, x, words + 1);
  else
    for (uint i = 0; i < N_BYTES; i++)
      luma[i] = (uchar) read_luma (frames, row, min (x + i, last));
  luma[-1] = (uchar) read_luma (frames, row, x - min (x, 1u));
  luma[n] = (uchar) read_luma (frames, row, min (x + n, last));
  return run_of (
      LOAD_BYTES (luma - 1), LOAD_BYTES (luma), LOAD_BYTES (luma + 1));
}

INLINE gradients
absolute (gradients v)
{
  return v < (gradients) (0) ? -v : v;
}

/* |gx| + |gy| is the greater one of |gx + gy| and |gx - gy|. Both are even:
 * half of each is a sum of differences along a diagonal, the row and the
 * column. */
INLINE signed_bytes
find_edges (const exposure_params *params, luma_run above, luma_run middle,
    luma_run below)
{
  const gradients across = middle.right - middle.left;
  const gradients down = below.middle - above.middle;
  const gradients falling = absolute (below.right - above.left + across + down);
  const gradients rising = absolute (above.right - below.left + across - down);
  const short least = (short) ((params->least_gradient + 1) / 2);

  return TO_SIGNED_BYTES (
      (falling > rising ? falling : rising) >= (gradients) (least));
}

/* Lanes from n on repeat the last one before them. */
INLINE void
repeat_last_lane (uchar *lanes, uint n)
{
  for (uint i = n; i < N_BYTES; i++)
    lanes[i] = lanes[n - 1];
}

/* Finds the edges of a block, which is_inner() or not. Returns: whether there
 * are any. */
INLINE bool
find_edges_in_rows (const exposure_params *params, const peaking_frames *frames,
    bool inner, peaking_block *block)
{
  const uint height = frames->region->luma.height, step = params->row_step;
  const uint x = block->x + params->peaking_x;
  luma_run above, middle, below;
  signed_bytes all = 0;

  for (uint i = 0; i < block->n_rows; i++) {
    const uint y = block->y + i * block->y_stride + params->peaking_y;

    if (i > 0 && block->y_stride == step) {
      above = middle;
      middle = below;
    } else {
      above =
          read_luma_run (frames, inner, x, y < step ? y : y - step, block->n);
      middle = read_luma_run (frames, inner, x, y, block->n);
    }
    below = read_luma_run (
        frames, inner, x, y + step < height ? y + step : y, block->n);
    block->luma[i] = TO_BYTES (middle.middle);
    block->edges[i] = find_edges (params, above, middle, below);
    if (!inner) {
      repeat_last_lane ((uchar *) &block->luma[i], block->n);
      repeat_last_lane ((uchar *) &block->edges[i], block->n);
    }
    all |= block->edges[i];
  }
  return !are_all_zeros (all);
}

INLINE bool
find_block_edges (const exposure_params *params, const peaking_frames *frames,
    peaking_block *block)
{
  return is_inner (frames, block->x + params->peaking_x, block->n)
      ? find_edges_in_rows (params, frames, true, block)
      : find_edges_in_rows (params, frames, false, block);
}

/* Draws n samples of a row, from pixel x on, where there are edges. */
INLINE void
draw_edge_samples (
    component_row row, uint x, uint n, signed_bytes edges, bytes samples)
{
  if (row.pixel_stride <= 2)
    write_bytes (row, x, n, edges ? samples : read_bytes (row, x, n));
  else
    for (uint i = 0; i < n; i++)
      if (((const char *) &edges)[i] != 0)
        write_sample (row, x + i, ((const uchar *) &samples)[i]);
}

/* Draws luma, or red, green and blue. */
INLINE void
draw_edges (const exposure_params *params, const peaking_frames *frames,
    const peaking_block *block)
{
  for (uint c = 0; c < params->n_luma; c++)
    for (uint i = 0; i < block->n_rows; i++) {
      const uint y = block->y + i * block->y_stride;
      const component_row row =
          frame_component_row (frames->target, &frames->drawn[c].samples, y);
      bytes samples = (uchar) params->peaking_samples[c];

      if (params->has_zebra)
        samples = stripe_samples (params, block->luma[i], samples, block->x, y);
      draw_edge_samples (row, block->x, block->n, block->edges[i], samples);
    }
}

/* The chroma sample of each pair of n pixels from pixel x on. */
INLINE pairs
read_pairs (component_row row, uint x_shift, uint x, uint n)
{
  const uint last = (n - 1) >> x_shift;
  pairs own;

  if (x_shift == 1 && n == N_BYTES)
    return read_whole_pairs (row, x >> 1);
  for (uint i = 0; i < N_BYTES / 2; i++)
    ((ushort *) &own)[i] = (ushort) read_sample (
        row, (x >> x_shift) + min (i >> (x_shift - 1), last));
  return own;
}

/* Draws the block's row of a subsampled component. Samples none of whose pixels
 * is an edge keep their value, which false colour, if drawn, has given them.
 * Rows past the block's last one are like that. */
INLINE void
draw_edge_chroma (const exposure_params *params, uint c,
    constant component_params *samples, const peaking_block *block,
    component_row row)
{
  const uint n_rows = 1u << samples->y_shift;
  const ushort peak = (ushort) params->peaking_samples[c];
  pairs n_edges = 0, sums = 0;

  for (uint i = 0; i < n_rows; i++) {
    const uint r = min (i, block->n_rows - 1);
    const signed_bytes edges = block->edges[r];

    n_edges += add_pairs (edges ? (bytes) ((uchar) 1) : (bytes) ((uchar) 0));
    if (params->has_bands)
      sums += add_pairs (edges ? (bytes) ((uchar) 0)
                               : band_samples (params, c, block->luma[r]));
  }
  if (!params->has_bands)
    sums = read_pairs (row, samples->x_shift, block->x, block->n)
        * ((pairs) ((ushort) (2 * n_rows)) - n_edges);
  write_chroma (row, samples->x_shift, samples->y_shift, block->x, block->n,
      sums + n_edges * (pairs) (peak));
}

INLINE void
draw_peaking_block (const exposure_params *params, const peaking_frames *frames,
    peaking_block *block, uint chroma_row)
{
  if (!find_block_edges (params, frames, block))
    return;
  draw_edges (params, frames, block);
  for (uint c = params->n_luma; c < frames->n_drawn; c++) {
    constant component_params *samples = &frames->drawn[c].samples;
    const component_row row =
        frame_component_row (frames->target, samples, chroma_row);

    if (samples->x_shift == 0)
      draw_edge_samples (row, block->x, block->n, block->edges[0],
          (bytes) ((uchar) params->peaking_samples[c]));
    else if (chroma_row < samples->height)
      draw_edge_chroma (params, c, samples, block, row);
  }
}

/* The number of rows of blocks: of chroma rows, if there is chroma. */
INLINE uint
n_block_rows (constant drawing_params *drawing, uint n_luma)
{
  return drawing->n_drawn > n_luma
      ? n_chroma_rows (drawing)
      : (drawing->drawn[0].samples.height + N_PLAIN_ROWS - 1) / N_PLAIN_ROWS;
}

/* The first one of row `row` of blocks. */
INLINE peaking_block
first_block (constant drawing_params *drawing, uint n_luma, uint row)
{
  constant component_params *coarsest =
      &drawing->drawn[drawing->n_drawn - 1].samples;
  const uint height = drawing->drawn[0].samples.height;
  peaking_block block;

  block.x = 0;
  if (drawing->n_drawn > n_luma) {
    block.y = first_pixel_row (coarsest, row);
    block.y_stride = pixel_row_stride (coarsest);
    block.n_rows = n_pixel_rows (coarsest, row, height);
  } else {
    block.y = row * N_PLAIN_ROWS;
    block.y_stride = 1;
    block.n_rows = min (height - block.y, N_PLAIN_ROWS);
  }
  return block;
}

/* Draws the blocks, `per_item` side by side. */
NOINLINE void
draw_peaking_blocks (peaking_frames frames, constant drawing_params *drawing,
    constant exposure_params *exposure, own_chunks blocks, uint per_item)
{
  const exposure_params params = *exposure;
  const uint width = drawing->drawn[0].samples.width;

  FOR_CHUNKS (at, blocks) {
    peaking_block block = first_block (drawing, params.n_luma, at.y);

    for (uint i = 0; i < per_item; i++) {
      block.x = (at.x * per_item + i) * N_BYTES;
      block.n = min (width - block.x, (uint) N_BYTES);
      draw_peaking_block (&params, &frames, &block, at.y);
    }
  }
}

/* Draws the edges of the source, in the region, into the target, another frame.
 */
kernel GROUP void
draw_peaking (global uint *source0, global uint *source1, global uint *source2,
    global uint *target0, global uint *target1, global uint *target2,
    constant frame_params *region, constant drawing_params *drawing,
    constant exposure_params *params)
{
  constant component_params *luma = &region->luma;
  peaking_frames frames = {
    .region = region, .drawn = drawing->drawn, .n_drawn = drawing->n_drawn
  };
  const uint n = (drawing->drawn[0].samples.width + N_BYTES - 1) / N_BYTES;

  frames.source =
      planes_at (source0, source1, source2, source0, region->source);
  frames.target =
      planes_at (target0, target1, target2, target0, drawing->target);
  frames.first_row.is_rgb = HAS_RGB && luma->plane == AMPHISTO_RGB_LUMA;
  if (!frames.first_row.is_rgb) {
    frames.first_row.luma = frame_component_row (frames.source, luma, 0);
    frames.stride = frame_plane (frames.source, luma->plane).stride;
  }
  draw_peaking_blocks (frames, drawing, params,
      share_blocks (
          IS_GPU ? n : min (n, 1u), n_block_rows (drawing, params->n_luma)),
      IS_GPU ? 1 : n);
}
