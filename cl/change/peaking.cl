/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws sharp edges in one colour, over false colour and under zebra.
 *
 * A block is a chunk of N_BYTES pixels in all rows of a chroma row. Blocks
 * without an edge, which are most of them, only cost finding that out.
 */

#pragma once

#include "change/exposure_yuv.cl"
#include "pixels/luma.cl"

/* Rows of pixels with the same chroma row: 4:1:0 has four. */
#define MAX_BLOCK_ROWS 4

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

/* The frames to read, in the region that is measured, and to draw into. */
typedef struct
{
  uchar_planes source, target;
  constant frame_params *region;
  constant drawn_params *drawn;
  uint n_drawn;
} peaking_frames;

/* n columns from column x on of n_rows rows: luma, and which pixels are edges.
 */
typedef struct
{
  uint x, n;
  uint y, y_stride, n_rows;
  bytes luma[MAX_BLOCK_ROWS];
  signed_bytes edges[MAX_BLOCK_ROWS];
} peaking_block;

/* A row of the region: stored luma, or red, green and blue. */
typedef struct
{
  component_row luma;
  rgb_row rgb;
  bool is_rgb;
} luma_row;

INLINE luma_row
luma_row_of (const peaking_frames *frames, uint y)
{
  constant frame_params *region = frames->region;
  luma_row row;

  row.is_rgb = HAS_RGB && region->luma.plane == AMPHISTO_RGB_LUMA;
  if (row.is_rgb)
    row.rgb = frame_rgb_row (frames->source, region->rgb, y);
  else
    row.luma = frame_component_row (frames->source, &region->luma, y);
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

/* Reads n pixels of row y of the region, from pixel x on, and their neighbours;
 * the region's edges repeat. */
INLINE luma_run
read_luma_run (const peaking_frames *frames, uint x, uint y, uint n)
{
  const uint last = frames->region->luma.width - 1;
  const luma_row row = luma_row_of (frames, y);
  uint words[N_BYTES / 4 + 2];
  uchar *luma = (uchar *) (words + 1);

#ifndef AMPHISTO_GPU
  if (n == N_BYTES && x > 0 && x + n <= last && !row.is_rgb
      && row.luma.pixel_stride == 1)
    return (luma_run){ TO_GRADIENTS (read_whole_bytes (row.luma, x - 1)),
      TO_GRADIENTS (read_whole_bytes (row.luma, x)),
      TO_GRADIENTS (read_whole_bytes (row.luma, x + 1)) };
#endif
  if (n == N_BYTES)
    read_luma_chunk (frames, row, x, words + 1);
  else
    for (uint i = 0; i < N_BYTES; i++)
      luma[i] = (uchar) read_luma (frames, row, min (x + i, last));
  luma[-1] = (uchar) read_luma (frames, row, x - min (x, 1u));
  luma[n] = (uchar) read_luma (frames, row, min (x + n, last));
  return (luma_run){ TO_GRADIENTS (LOAD_BYTES (luma - 1)),
    TO_GRADIENTS (LOAD_BYTES (luma)), TO_GRADIENTS (LOAD_BYTES (luma + 1)) };
}

INLINE gradients
absolute (gradients v)
{
  return v < (gradients) (0) ? -v : v;
}

INLINE signed_bytes
find_edges (const exposure_params *params, luma_run above, luma_run middle,
    luma_run below)
{
  const gradients gx = above.right - above.left
      + (gradients) (2) * (middle.right - middle.left) + below.right
      - below.left;
  const gradients gy = below.left - above.left
      + (gradients) (2) * (below.middle - above.middle) + below.right
      - above.right;

  return TO_SIGNED_BYTES (absolute (gx) + absolute (gy)
      >= (gradients) ((short) params->least_gradient));
}

/* Finds the edges of a block. Returns: whether there are any. */
INLINE bool
find_block_edges (const exposure_params *params, const peaking_frames *frames,
    peaking_block *block)
{
  const uint height = frames->region->luma.height, step = params->row_step;
  const uint x = block->x + params->peaking_x;
  luma_run above, middle, below;
  bool has_edge = false;

  for (uint i = 0; i < block->n_rows; i++) {
    const uint y = block->y + i * block->y_stride + params->peaking_y;

    if (i > 0 && block->y_stride == step) {
      above = middle;
      middle = below;
    } else {
      above = read_luma_run (frames, x, y < step ? y : y - step, block->n);
      middle = read_luma_run (frames, x, y, block->n);
    }
    below =
        read_luma_run (frames, x, y + step < height ? y + step : y, block->n);
    block->luma[i] = TO_BYTES (middle.middle);
    block->edges[i] = find_edges (params, above, middle, below);
    has_edge |= !are_all_zeros (block->edges[i]);
  }
  return has_edge;
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

/* Draws sample k of the block's row of chroma component c, unless none of its
 * pixels is an edge. Pixels past the block's last column or row are like those.
 * bands: the samples of the block's pixels in false colour, if that is drawn.
 */
INLINE void
draw_edge_chroma (const exposure_params *params, uint c, uint x_shift,
    uint y_shift, const peaking_block *block, const bytes *bands,
    component_row row, uint k)
{
  const uint x = (block->x >> x_shift) + k;
  const uint own = read_sample (row, x);
  uint sum = 1u << (x_shift + y_shift) >> 1;
  uint n_edges = 0;

  for (uint j = 0; j < 1u << y_shift; j++)
    for (uint i = 0; i < 1u << x_shift; i++) {
      const uint r = min (j, block->n_rows - 1);
      const uint at = min ((k << x_shift) + i, block->n - 1);
      const uint is_edge = ((const char *) &block->edges[r])[at] & 1;

      n_edges += is_edge;
      sum += is_edge          ? params->peaking_samples[c]
          : params->has_bands ? ((const uchar *) &bands[r])[at]
                              : own;
    }
  if (n_edges > 0)
    write_sample (row, x, sum >> (x_shift + y_shift));
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
    const uint x_shift = samples->x_shift;
    const uint n = (block->n + (1u << x_shift) - 1) >> x_shift;
    const component_row row =
        frame_component_row (frames->target, samples, chroma_row);
    bytes bands[MAX_BLOCK_ROWS];

    if (params->has_bands)
      for (uint i = 0; i < block->n_rows; i++)
        bands[i] = band_samples (params, c, block->luma[i]);
    if (chroma_row < samples->height)
      for (uint k = 0; k < n; k++)
        draw_edge_chroma (
            params, c, x_shift, samples->y_shift, block, bands, row, k);
  }
}

/* Draws the blocks, `per_item` side by side. coarsest: the component whose rows
 * blocks have. */
NOINLINE void
draw_peaking_blocks (peaking_frames frames, constant component_params *coarsest,
    constant exposure_params *exposure, own_chunks blocks, uint per_item)
{
  const exposure_params params = *exposure;
  constant component_params *luma = &frames.drawn[0].samples;

  FOR_CHUNKS (at, blocks) {
    for (uint i = 0; i < per_item; i++) {
      const uint x = (at.x * per_item + i) * N_BYTES;
      peaking_block block;

      block.x = x;
      block.n = min (luma->width - x, (uint) N_BYTES);
      block.y = first_pixel_row (coarsest, at.y);
      block.y_stride = pixel_row_stride (coarsest);
      block.n_rows = n_pixel_rows (coarsest, at.y, luma->height);
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
  const peaking_frames frames = { planes_at (source0, source1, source2, source0,
                                      region->source),
    planes_at (target0, target1, target2, target0, drawing->target), region,
    drawing->drawn, drawing->n_drawn };
  constant component_params *coarsest =
      &drawing->drawn[drawing->n_drawn - 1].samples;
  const uint n = (drawing->drawn[0].samples.width + N_BYTES - 1) / N_BYTES;

  draw_peaking_blocks (frames, coarsest, params,
      share_blocks (IS_GPU ? n : min (n, 1u), n_chroma_rows (drawing)),
      IS_GPU ? 1 : n);
}
