/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Applies a LUT to luma of grey and YUV, and to R, G and B by the change in
 * luma.
 */

#pragma once

#include "pixels/luma.cl"
#include "change/luma_delta.cl"
#include "change/lut.cl"
#include "pixels/slices.cl"

/* Mask of the component's bytes among bytes x to x + 3 of a row. */
INLINE uint
sample_mask (constant component_params *component, uint x)
{
  const uint pixel_stride = component->pixel_stride;
  const uint offset = component->offset % pixel_stride;
  uint mask = 0;

  if (pixel_stride == 1)
    return ~0u;
  for (uint i = 0; i < 4; i++)
    if ((x + i) % pixel_stride == offset)
      mask |= 0xffu << (8 * i);
  return mask;
}

/* b where the mask is set, otherwise a. */
#define MERGE(a, b, mask) (((a) & ~(mask)) | ((b) & (mask)))

/* Maps byte x of the row if it is one of the component's samples, otherwise
 * copies it. n: bytes of the row up to the end of the samples. */
INLINE void
map_byte (lut_view lut, uchar_row source, uchar_row target,
    constant component_params *component, uint x, uint n)
{
  const uint value = read_uchar (source, x);
  const bool is_sample = x < n && (sample_mask (component, x) & 0xff);

  write_uchar (target, x, is_sample ? lut.values[value] : value);
}

#ifndef AMPHISTO_GPU

/* Maps n words, a multiple of N_LUT_WORDS. masks: of the first three words,
 * unless all bytes are samples. Returns the masks of the next words. */
INLINE uint4
map_vectors (lut_view lut, uchar_row source, uchar_row target, uint4 masks,
    uint n, bool are_samples)
{
  for (uint i = 0; i < n; i += N_LUT_WORDS) {
    const lut_words words =
        *(const global lut_words_at_byte *) row_bytes (source, i * 4);
    const lut_words mapped = map_lut_words (lut, words);

    *(global lut_words_at_word *) (target.words + i) =
        are_samples ? mapped : MERGE (words, mapped, REPEAT_THREE (masks));
    masks = N_LUT_WORDS % 3 == 1 ? masks.yzxw : masks.zxyw;
  }
  return masks;
}

#endif

/* Maps n whole words of the target, which no other work-item may write. source
 * and target begin at the first word, byte x of the whole row. */
INLINE void
map_words (lut_view lut, uchar_row source, uchar_row target,
    constant component_params *component, uint x, uint n)
{
  /* the pattern of samples in words repeats after three words, or after one */
  uint4 masks = (uint4) (sample_mask (component, x),
      sample_mask (component, x + 4), sample_mask (component, x + 8), 0);
  uint done = 0;

#ifdef AMPHISTO_GPU
  FOR_ROW_CHUNKS (i, n / 4) {
    const uint4 words = read_4_words (source, i * 16);
    const uint4 mask = i % 3 == 0 ? masks.xyzx
        : i % 3 == 1              ? masks.yzxy
                                  : masks.zxyz;

    write_4_words (
        target, i * 16, MERGE (words, map_4_words (lut, words), mask));
  }
  done = n / 4 * 4;
  masks = done % 3 == 0 ? masks : done % 3 == 1 ? masks.yzxw : masks.zxyw;
#else
  done = n - n % N_LUT_WORDS;
  if (component->pixel_stride == 1)
    map_vectors (lut, source, target, 0, done, true);
  else
    masks = map_vectors (lut, source, target, masks, done, false);
#endif
  FOR_ROW_CHUNKS (i, n - done) {
    const uint word = read_word (source, (done + i) * 4);
    const uint mask = i % 3 == 0 ? masks.x : i % 3 == 1 ? masks.y : masks.z;

    write_word (
        target, (done + i) * 4, MERGE (word, map_word (lut, word), mask));
  }
}

/* Maps a row. Bytes of incomplete words at the row's ends are written one by
 * one: other work-items may write the rest of these words. Leaves bytes before
 * the component's first pixel alone. */
INLINE void
map_row (constant frame_params *params, lut_view lut, uchar_row source,
    uchar_row target)
{
  constant component_params *component = &params->luma;
  const uint pixel_stride = component->pixel_stride;
  const uint first = component->offset - component->offset % pixel_stride;
  const uint row_bytes = params->row_bytes - first;
  const uint n = min (
      row_bytes, component->offset - first + component->width * pixel_stride);

  source = row_from (source, first);
  target = row_from (target, first);

  const uint head = min (row_head (target), row_bytes);
  const uint n_words = n > head ? (n - head) / 4 : 0;
  const uint tail = head + n_words * 4;

  FOR_ROW_CHUNKS (x, head)
    map_byte (lut, source, target, component, x, n);
  map_words (lut, row_from (source, head), row_from (target, head), component,
      head, n_words);
  FOR_ROW_CHUNKS (i, row_bytes - tail)
    map_byte (lut, source, target, component, tail + i, n);
}

OUTLINE void
map_rows (uchar_plane source, uchar_plane target, constant frame_params *params,
    LUT uchar *lut, row_range rows)
{
  const lut_view view = view_lut (lut);

  FOR_ROWS (y, rows)
    map_row (params, view, frame_row (source, y), frame_row (target, y));
}

/* Grey and YUV: Y = lut[Y]. source, target: Y's plane; may be the same buffer.
 * Writes row_bytes of each row of the target. */
kernel GROUP void
apply_lut (global uint *source, global uint *target,
    constant frame_params *params, LUT uchar *lut)
{
  map_rows (plane_at (source, &params->source[params->luma.plane]),
      plane_at (target, &params->target[params->luma.plane]), params, lut,
      own_chunk_rows (params->luma.height));
}

#ifdef AMPHISTO_GPU

INLINE void
move_chunks (rgb_row source, rgb_row target, constant uint *weights,
    lut_view lut, uint n)
{
  const luma_view view = view_luma (source, weights);

  FOR_COLUMNS (i, n) {
    const rgb_pixels p = read_rgb_pixels (source, i);
    const pixels luma = luma_of (view, p);

    write_moved_pixels (target, i, p, luma, look_up (lut, luma));
  }
}

#else

/* Takes N_LUT_CHUNKS chunks per look-up. At the end of the row the last chunk
 * is repeated to fill the look-up, but written only once. */
INLINE void
move_chunks (rgb_row source, rgb_row target, constant uint *weights,
    lut_view lut, uint n)
{
  const luma_view view = view_luma (source, weights);
  pixels luma[N_LUT_CHUNKS], to[N_LUT_CHUNKS];

  for (uint i = 0; i < n; i += N_LUT_CHUNKS) {
    for (uint k = 0; k < N_LUT_CHUNKS; k++)
      luma[k] = luma_of (view, read_rgb_pixels (source, min (i + k, n - 1)));
    look_up_chunks (lut, luma, to);
    for (uint k = 0; k < min (n - i, (uint) N_LUT_CHUNKS); k++)
      write_moved_pixels (
          target, i + k, read_rgb_pixels (source, i + k), luma[k], to[k]);
  }
}

#endif

INLINE void
move_row (
    rgb_row source, rgb_row target, constant frame_params *params, lut_view lut)
{
  const uint width = params->rgb[0].width;
  const uint n = begins_at_words (target) ? width / N_PIXELS : 0;

  if (source.pixel_stride == 4)
    move_chunks (packed_row (source, 4), packed_row (target, 4),
        params->weights, lut, n);
  else if (IS_GPU && source.pixel_stride == 3)
    move_chunks (packed_row (source, 3), packed_row (target, 3),
        params->weights, lut, n);
  else
    move_chunks (source, target, params->weights, lut, n);
  FOR_COLUMNS (i, width - n * N_PIXELS) {
    const uint x = n * N_PIXELS + i;
    const uint luma = read_rgb_luma (source, x, params->weights);

    move_pixel (source, target, x, luma, lut.values[luma]);
  }
}

OUTLINE void
move_rows (uchar_planes source, uchar_planes target,
    constant frame_params *params, LUT uchar *lut, row_range rows)
{
  const lut_view view = view_lut (lut);

  FOR_ROWS (y, rows)
    move_row (frame_rgb_row (source, params->rgb, y),
        frame_rgb_row (target, params->rgb, y), params, view);
}

/* RGB: with d = lut[Y] - Y of each pixel, R, G and B become clamp (c + d, 0,
 * 255). Planes as in the frame; source and target may be the same. Writes whole
 * pixels of a packed target; R, G and B of a planar one. */
kernel GROUP void
apply_luma_delta (global uint *source0, global uint *source1,
    global uint *source2, global uint *target0, global uint *target1,
    global uint *target2, constant frame_params *params, LUT uchar *lut)
{
  if (HAS_RGB)
    move_rows (planes_at (source0, source1, source2, source0, params->source),
        planes_at (target0, target1, target2, target0, params->target), params,
        lut, own_rows (params->rgb[0].height));
}
