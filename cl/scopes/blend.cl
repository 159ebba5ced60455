/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Blends light into the samples of a frame.
 *
 * A scope draws block by block: up to BLOCK_CHUNKS chunks, in all rows that use
 * the same sample row of the coarsest component. It calls blend_row() with the
 * light of each row, and blend_block() with the sum of the rows.
 *
 * CPU: the light of a block's row fits into the first-level cache, so it is
 * calculated once for all components.
 *
 * GPU: a block is one chunk wide, in registers.
 *
 * plugin/core/scopes/blend.c is the same in plain C.
 */

#pragma once

#include "pixels/components.cl"
#include "drawing_params.h"
#include "pixels/rgb.cl"
#include "pixels/slices.cl"

/* The light of a chunk of pixels, 0 to 255 each. When it is blended, r, g and b
 * do not exceed alpha. */
typedef struct
{
  shorts r, g, b, alpha;
} light_chunk;

/* The maximum width of a block, in chunks; the number of blocks side by side in
 * n_chunks chunks; and the width of the i-th. */
#ifdef AMPHISTO_GPU

#define BLOCK_CHUNKS 1
#define blocks_of_row(n_chunks) (n_chunks)
#define chunks_of_block(i, n_chunks) BLOCK_CHUNKS

#else

#define BLOCK_CHUNKS 32

INLINE uint
blocks_of_row (uint n_chunks)
{
  return (n_chunks + BLOCK_CHUNKS - 1) / BLOCK_CHUNKS;
}

INLINE uint
chunks_of_block (uint i, uint n_chunks)
{
  return min (n_chunks - i * BLOCK_CHUNKS, (uint) BLOCK_CHUNKS);
}

#endif

/* v / 255, rounded: exact for v up to 65025. */
INLINE shorts
divide_by_255 (shorts v)
{
  v += (shorts) (128);
  return (v + (v >> (shorts) (8))) >> (shorts) (8);
}

/* Red, green or blue of light of this brightness. */
INLINE shorts
light_in (shorts brightness, shorts colour)
{
  return (brightness * colour + (shorts) (255)) >> (shorts) (8);
}

/* Light of this brightness in a colour: red, green, blue. */
INLINE light_chunk
light_in_colour (shorts brightness, constant uint *colour)
{
  const light_chunk light = { light_in (brightness, (ushort) colour[0]),
    light_in (brightness, (ushort) colour[1]),
    light_in (brightness, (ushort) colour[2]), 0 };

  return light;
}

/* The brighter of both, for red, green and blue separately, with the first
 * one's alpha. */
INLINE light_chunk
max_light (light_chunk light, light_chunk other)
{
  light.r = max (light.r, other.r);
  light.g = max (light.g, other.g);
  light.b = max (light.b, other.b);
  return light;
}

/* Draws a scope's light, any numbers, over its graticule: of each, the brighter
 * stays. The graticule's alpha dims the scope. */
INLINE light_chunk
draw_over (light_chunk graticule, light_chunk light)
{
  /* most of a scope is dark */
  if (are_zero_shorts (light.r | light.g | light.b))
    return graticule;
  light.r = min (light.r, (shorts) (255));
  light.g = min (light.g, (shorts) (255));
  light.b = min (light.b, (shorts) (255));
  if (!are_zero_shorts (graticule.alpha)) {
    const shorts rest = (shorts) (255) - graticule.alpha;

    light.r = divide_by_255 (light.r * rest);
    light.g = divide_by_255 (light.g * rest);
    light.b = divide_by_255 (light.b * rest);
  }
  return max_light (graticule, light);
}

/* The graticule's light, raised where a trace of light `own` is strongest. */
INLINE shorts
raise_under (shorts graticule, shorts own, shorts strongest, shorts rise)
{
  return min (graticule + select ((shorts) (0), rise, own == strongest),
      (shorts) (255));
}

/* Draws a trace over its graticule. Under gridlines, too, it shows in its
 * strongest colours. light: of the trace at `brightness`. */
INLINE light_chunk
draw_trace_over (light_chunk graticule, light_chunk light, shorts brightness)
{
  const shorts strongest = max (max (light.r, light.g), light.b);
  const shorts rise = min (brightness, (shorts) (SCOPE_TRACE_LIGHT));

  graticule.r = raise_under (graticule.r, light.r, strongest, rise);
  graticule.g = raise_under (graticule.g, light.g, strongest, rise);
  graticule.b = raise_under (graticule.b, light.b, strongest, rise);
  return draw_over (graticule, light);
}

/* Raises alpha, so that light is opaque from SCOPE_OPAQUE_LIGHT on and hides at
 * least as much as the background, of alpha `background`. */
INLINE light_chunk
light_on (light_chunk light, uint background)
{
  const shorts most = max (max (light.r, light.g), light.b);

  light.alpha = max (max (light.alpha, (shorts) ((ushort) background)),
      min (most * (shorts) (256 / SCOPE_OPAQUE_LIGHT), (shorts) (255)));
  return light;
}

/* The light of words of a graticule; see plugin/core/scopes/graticule.h. */
INLINE light_chunk
light_of (pixels light)
{
  const light_chunk chunk = { TO_SHORTS (light & 0xffu),
    TO_SHORTS (light >> 8 & 0xffu), TO_SHORTS (light >> 16 & 0xffu),
    TO_SHORTS (light >> 24) };

  return chunk;
}

/* Light from a graticule: a chunk from `words` on, which must be a multiple of
 * N_PIXELS after the graticule's first word. */
INLINE light_chunk
graticule_light (const global uint *words)
{
  return light_of (*(const global any_pixels *) words);
}

INLINE void
clear_light (light_chunk *light, uint n_chunks)
{
  for (uint i = 0; i < n_chunks; i++)
    light[i] = (light_chunk){ 0, 0, 0, 0 };
}

INLINE void
add_light (light_chunk *sum, light_chunk light)
{
  sum->r += light.r;
  sum->g += light.g;
  sum->b += light.b;
  sum->alpha += light.alpha;
}

/* The sums of pairs of neighbouring lanes, in the first half of the lanes. The
 * second half is unused. */
INLINE shorts
add_columns (shorts v)
{
  return (shorts) (v.even + v.odd, v.even + v.odd);
}

/* The means of 2^x_shift neighbouring lanes. sum: of 2^y_shift rows. */
INLINE shorts
mean_of (shorts sum, uint x_shift, uint y_shift)
{
  const uint shift = x_shift + y_shift;

  for (uint i = 0; i < x_shift; i++)
    sum = add_columns (sum);
  return (sum + (shorts) ((ushort) (1 << shift >> 1)))
      >> (shorts) ((ushort) shift);
}

/* Has a shortcut for the bare background, which is most frequent. */
INLINE light_chunk
mean_light (light_chunk sum, uint background, uint x_shift, uint y_shift)
{
  const shorts bare = (shorts) ((ushort) (background << y_shift));

  if (are_zero_shorts (sum.r | sum.g | sum.b | (sum.alpha ^ bare))) {
    sum.alpha = (shorts) ((ushort) background);
    return sum;
  }
  sum.r = mean_of (sum.r, x_shift, y_shift);
  sum.g = mean_of (sum.g, x_shift, y_shift);
  sum.b = mean_of (sum.b, x_shift, y_shift);
  sum.alpha = mean_of (sum.alpha, x_shift, y_shift);
  return sum;
}

/* drawn_params of a component, in the lanes of a chunk. */
typedef struct
{
  shorts r, g, b, offset;
} blend_weights;

INLINE blend_weights
weights_of (constant drawn_params *drawn)
{
  const blend_weights weights = { TO_SHORT (drawn->weights[0]),
    TO_SHORT (drawn->weights[1]), TO_SHORT (drawn->weights[2]),
    TO_SHORT (drawn->offset) };

  return weights;
}

/* Blends light into the samples of a component. */
INLINE pixels
blend (blend_weights weights, pixels samples, light_chunk light)
{
  return TO_PIXELS (
      divide_by_255 (TO_SHORTS (samples) * ((shorts) (255) - light.alpha)
          + light.r * weights.r + light.g * weights.g + light.b * weights.b
          + light.alpha * weights.offset));
}

/* Blends light into n chunks of a component, from pixel (x, y) on. The
 * component must not be in packed pixels of three components. */
NOINLINE void
blend_component (uchar_planes planes, constant drawn_params *drawn, uint x,
    uint y, const light_chunk *light, uint n)
{
  const uint x_shift = drawn->samples.x_shift;
  const component_row row =
      component_row_from (frame_component_row (planes, &drawn->samples,
                              sample_row (&drawn->samples, y)),
          x >> x_shift);
  const blend_weights weights = weights_of (drawn);

  if (row.pixel_stride == 1 && row.row.first == 0)
    for (uint i = 0; i < n; i++)
      write_items (row.row, i, 1, x_shift,
          blend (weights, read_items (row.row, i, 1, x_shift), light[i]));
  else
    for (uint i = 0; i < n; i++)
      write_shared_samples (row, i, x_shift,
          blend (weights, read_shared_samples (row, i, x_shift), light[i]));
}

/* The alpha samples, raised to the light's. */
INLINE pixels
raise_alpha (pixels alpha, light_chunk light)
{
  return max (alpha, TO_PIXELS (light.alpha));
}

/* Raises the picture's alpha in n chunks, from pixel (x, y) on. */
NOINLINE void
raise_alpha_plane (uchar_planes planes, constant component_params *alpha,
    uint x, uint y, const light_chunk *light, uint n)
{
  const component_row row =
      component_row_from (frame_component_row (planes, alpha, y), x);

  for (uint i = 0; i < n; i++)
    write_shared_samples (
        row, i, 0, raise_alpha (read_shared_samples (row, i, 0), light[i]));
}

/* Packed pixels with their alpha raised, in byte `shift` / 8. */
INLINE pixels
raise_packed_alpha (pixels packed, uint shift, light_chunk light)
{
  return (packed & ~(0xffu << shift))
      | raise_alpha (packed >> shift & 0xffu, light) << shift;
}

/* Writes light to n chunks of a canvas, from pixel (x, y) on: B, G, R, A. The
 * canvas may be in a buffer of any alignment. */
NOINLINE void
write_canvas (uchar_planes planes, constant drawing_params *drawing, uint x,
    uint y, const light_chunk *light, uint n)
{
  const component_row row = component_row_from (
      frame_component_row (planes, &drawing->drawn[2].samples, y), x);

  for (uint i = 0; i < n; i++) {
    const shorts low = light[i].b | light[i].g << (shorts) (8);
    const shorts high = light[i].r | light[i].alpha << (shorts) (8);

    write_pixels_anywhere (
        row.row, i, 4, TO_PIXELS (low) | TO_PIXELS (high) << 16);
  }
}

/* Blends light into n chunks of packed pixels, all components at once. */
NOINLINE void
blend_packed (uchar_planes planes, constant drawing_params *drawing, uint x,
    uint y, const light_chunk *light, uint n)
{
  constant drawn_params *drawn = drawing->drawn;
  const rgb_row row =
      rgb_row_from (rgb_row_of (planes, &drawn[0].samples, &drawn[1].samples,
                        &drawn[2].samples, y),
          x);
  const blend_weights weights[3] = { weights_of (&drawn[0]),
    weights_of (&drawn[1]), weights_of (&drawn[2]) };
  const uint has_alpha = drawing->has_alpha;
  const uint alpha_shift = drawing->alpha.offset * 8;

  for (uint i = 0; i < n; i++) {
    rgb_pixels p = read_packed_pixels (row, i);

    p.r = blend (weights[0], p.r, light[i]);
    p.g = blend (weights[1], p.g, light[i]);
    p.b = blend (weights[2], p.b, light[i]);
    if (has_alpha)
      p.packed = raise_packed_alpha (p.packed, alpha_shift, light[i]);
    write_pixels_anywhere (row.r, i, row.pixel_stride, pack_rgb (row, p));
  }
}

/* The component with the fewest samples. A block covers one row of its samples.
 */
INLINE constant component_params *
coarsest (constant drawing_params *drawing)
{
  return &drawing->drawn[drawing->n_drawn - 1].samples;
}

/* Blends the light of a block's row, from pixel x of row y on, into the
 * components that are not subsampled, and alpha. */
INLINE void
blend_row (uchar_planes planes, constant drawing_params *drawing, uint x,
    uint y, const light_chunk *light, uint n_chunks)
{
  const uint n = drawing->n_whole;

  if (drawing->is_canvas) {
    write_canvas (planes, drawing, x, y, light, n_chunks);
    return;
  }
  if (HAS_RGB && drawing->drawn[0].samples.pixel_stride > 2) {
    blend_packed (planes, drawing, x, y, light, n_chunks);
    return;
  }
  for (uint c = 0; c < n; c++)
    blend_component (planes, &drawing->drawn[c], x, y, light, n_chunks);
  if (drawing->has_alpha)
    raise_alpha_plane (planes, &drawing->alpha, x, y, light, n_chunks);
}

/* Blends the sum of the light of a block's rows, from row y on, into the
 * subsampled components. Overwrites `sum`. background: alpha of the scope's
 * background. */
INLINE void
blend_block (uchar_planes planes, constant drawing_params *drawing, uint x,
    uint y, light_chunk *sum, uint n_chunks, uint background)
{
  const uint n_drawn = drawing->n_drawn;
  const uint n = drawing->n_whole;
  const uint x_shift = coarsest (drawing)->x_shift;
  const uint y_shift = coarsest (drawing)->y_shift;

  if (n == n_drawn)
    return;
  for (uint i = 0; i < n_chunks; i++)
    sum[i] = mean_light (sum[i], background, x_shift, y_shift);
  for (uint c = n; c < n_drawn; c++)
    blend_component (planes, &drawing->drawn[c], x, y, sum, n_chunks);
}
