/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws the vectorscope from its light into the frame. Each point has the
 * colour of its chroma.
 */

#ifndef AMPHISTO_VECTORSCOPE_CL
#define AMPHISTO_VECTORSCOPE_CL

#ifndef AMPHISTO_VECTORSCOPE_PARAMS_H
#include "vectorscope_params.h"
#endif
#ifndef AMPHISTO_BLEND_CL
#include "blend.cl"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif

/* Red, green or blue of chroma (u, v), scaled by `light`/255. */
INLINE shorts
coloured (constant int *row, signed_pixels u, int v, shorts light)
{
  const signed_pixels colour =
      clamp ((row[0] * u + (row[1] * v + row[2])) >> (signed_pixels) (16),
          (signed_pixels) (0), (signed_pixels) (255));

  return (light * TO_SHORTS (AS_UNSIGNED (colour)) + (shorts) (255))
      >> (shorts) (8);
}

/* The chroma in the middle of pixel i of the plot, from the left or the bottom.
 */
#define CHROMA_AT(params, i)                                                   \
  (((i) * (params)->chroma_per_column + (params)->chroma_per_column / 2) >> 16)

/* The light of a chunk of row y of the graph, from column x on. */
INLINE light_chunk
graph_light (constant vectorscope_params *params, const global uint *light,
    const global uint *graticule, uint x, uint y)
{
  const uint down = y - params->plot_top;
  light_chunk sum = graticule_light (graticule + y * params->width + x);

  if (down < params->plot_size) {
    const uint row = down * params->size / params->plot_size;
    const samples cells =
        *(const global samples *) (light + (row * params->width + x) / 4);

    /* most of the graph is dark */
    if (!are_zeros (cells)) {
      const shorts cell = TO_SHORTS (unpack_samples (cells));
      const signed_pixels u =
          AS_SIGNED (CHROMA_AT (params, FIRST_PIXELS + x - params->plot_left));
      const int v = (int) CHROMA_AT (params, params->plot_size - 1 - down);

      sum.r = max (sum.r, coloured (params->colours[0], u, v, cell));
      sum.g = max (sum.g, coloured (params->colours[1], u, v, cell));
      sum.b = max (sum.b, coloured (params->colours[2], u, v, cell));
    }
  }
  return light_on (sum.r, sum.g, sum.b, params->background);
}

/* Draws a block of n_chunks chunks of the graph, from its pixel (x, y) on. */
INLINE void
draw_block (uchar_planes planes, constant drawing_params *drawing,
    constant vectorscope_params *params, const global uint *light,
    const global uint *graticule, uint x, uint y, uint n_chunks)
{
  const uint n_rows = 1u << coarsest (drawing)->y_shift;
  const uint stride = pixel_row_stride (coarsest (drawing));
  light_chunk chunks[RUN_CHUNKS], sum[RUN_CHUNKS];

  clear_light (sum, n_chunks);
  for (uint i = 0; i < n_rows; i++) {
    for (uint k = 0; k < n_chunks; k++) {
      chunks[k] = graph_light (
          params, light, graticule, x + k * N_PIXELS, y + i * stride);
      add_light (&sum[k], chunks[k]);
    }
    blend_row (planes, drawing, params->x + x, params->y + y + i * stride,
        chunks, n_chunks);
  }
  blend_block (planes, drawing, params->x + x, params->y + y, sum, n_chunks);
}

OUTLINE void
draw_blocks (uchar_planes planes, constant drawing_params *drawing,
    constant vectorscope_params *params, const global uint *light,
    const global uint *graticule, own_chunks blocks)
{
  FOR_CHUNKS (at, blocks)
    draw_block (planes, drawing, params, light, graticule,
        at.x * RUN_CHUNKS * N_PIXELS,
        first_pixel_row (coarsest (drawing), at.y),
        chunks_of_run (at.x, params->width / N_PIXELS));
}

/* Draws the graph into the target's planes. light: from merge_vectors. */
kernel GROUP void
draw_vectorscope (global uint *target0, global uint *target1,
    global uint *target2, constant drawing_params *drawing,
    constant vectorscope_params *params, const global uint *light,
    const global uint *graticule)
{
  draw_blocks (planes_at (target0, target1, target2, target0, drawing->target),
      drawing, params, light, graticule,
      share_blocks (count_runs (params->width / N_PIXELS),
          params->height >> coarsest (drawing)->y_shift));
}

#endif
