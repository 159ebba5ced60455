/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The light of the vectorscope. Each point has the colour of its chroma.
 */

#ifndef AMPHISTO_VECTORSCOPE_CL
#define AMPHISTO_VECTORSCOPE_CL

#ifndef AMPHISTO_VECTORSCOPE_PARAMS_H
#include "vectorscope_params.h"
#endif
#ifndef AMPHISTO_BLEND_CL
#include "blend.cl"
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

/* See draw_scope.cl. light: from merge_vectors. */
INLINE light_chunk
add_scope (light_chunk graticule, constant vectorscope_params *params,
    const global uint *light, const global uint *picture, uint panel, int x,
    uint y)
{
  const uint size = params->scope.plot_width;
  const uint down = y - params->scope.plot_top;

  (void) picture;
  (void) panel;
  if (down >= size)
    return graticule;

  const uint row = down * params->size / size;
  const samples cells = *(const global samples *) (light
      + (row * params->scope.panel_width + (uint) x) / 4);

  /* most of the scope is dark */
  if (are_zeros (cells))
    return graticule;

  const shorts cell = TO_SHORTS (unpack_samples (cells));
  const signed_pixels u = AS_SIGNED (
      CHROMA_AT (params, FIRST_PIXELS + (uint) x - params->scope.plot_left));
  const int v = (int) CHROMA_AT (params, size - 1 - down);
  const light_chunk sum = { coloured (params->colours[0], u, v, cell),
    coloured (params->colours[1], u, v, cell),
    coloured (params->colours[2], u, v, cell), 0 };

  return add_scope_light (graticule, sum);
}

#define SCOPE_PARAMS vectorscope_params
#define DRAW_SCOPE draw_vectorscope

#endif
