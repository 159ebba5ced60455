/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Tests of lut.cl, luma.cl and luma_delta.cl, which have several forms in the
 * CPU shape, and of saturation.cl and slices.cl, with one work-item.
 */

#include "pixels/luma.cl"
#include "pixels/saturation.cl"
#include "pixels/slices.cl"
#include "change/lut.cl"
#include "change/luma_delta.cl"

/* Calculates the saturation of n samples, a multiple of N_PIXELS. */
kernel void
make_saturation (
    const global uint *u, const global uint *v, global uint *saturation, uint n)
{
  for (uint i = 0; i < n / N_PIXELS; i++) {
    const chroma_pixels chroma = { ((const global pixels *) u)[i],
      ((const global pixels *) v)[i] };

    ((global pixels *) saturation)[i] = saturation_of (chroma);
  }
}

kernel void
make_single_saturation (
    const global uint *u, const global uint *v, global uint *saturation, uint n)
{
  for (uint i = 0; i < n; i++)
    saturation[i] = saturation_at ((uint2) (u[i], v[i]));
}

/* Stores the first and the end of each of n slices of each total below
 * n_totals.
 */
kernel void
find_slices (global uint *ranges, uint n, uint n_totals)
{
  for (uint i = 0; i < n_totals * n; i++) {
    const row_range slice = slice_of (i / n, i % n, n);

    ranges[2 * i] = slice.first;
    ranges[2 * i + 1] = slice.end;
  }
}

#ifndef AMPHISTO_GPU

/* The forms of the program. */
kernel void
store_forms (global uint *forms)
{
  forms[0] = LUT_FORM;
  forms[1] = N_LUMA_WORDS;
}

/* Maps the bytes of n words, a multiple of N_LUT_WORDS, in place. */
kernel void
map_bytes (LUT uchar *lut, global uint *words, uint n)
{
  const lut_view view = view_lut (lut);

  for (uint i = 0; i < n; i += N_LUT_WORDS) {
    global lut_words *at = (global lut_words *) (words + i);

    *at = map_lut_words (view, *at);
  }
}

/* Maps n values, a multiple of N_LUT_CHUNKS * N_PIXELS, in place. */
kernel void
map_chunks (LUT uchar *lut, global uint *values, uint n)
{
  const lut_view view = view_lut (lut);
  pixels from[N_LUT_CHUNKS], to[N_LUT_CHUNKS];

  for (uint i = 0; i < n; i += N_LUT_CHUNKS * N_PIXELS) {
    global pixels *at = (global pixels *) (values + i);

    for (uint k = 0; k < N_LUT_CHUNKS; k++)
      from[k] = at[k];
    look_up_chunks (view, from, to);
    for (uint k = 0; k < N_LUT_CHUNKS; k++)
      at[k] = to[k];
  }
}

/* Computes luma of n pixels of four bytes, a multiple of N_PIXELS. order: the
 * bytes of red, green and blue. */
kernel void
make_luma (global uint *words, global uint *luma, constant uint *weights,
    uint3 order, uint n)
{
  const uchar_row bytes = { words, 0 };
  const rgb_row row = { bytes, bytes, bytes, order.x, order.y, order.z, 4 };
  const luma_view view = view_luma (row, weights);

  for (uint i = 0; i < n / N_PIXELS; i++)
    ((global pixels *) luma)[i] = luma_of (view, read_rgb_pixels (row, i));
}

/* Scales the bytes of n words, a multiple of VECTOR_BYTES / 4, in place. */
kernel void
scale_words (constant uint *gain, global uint *words, uint n)
{
  for (uint i = 0; i < n / (VECTOR_BYTES / 4); i++) {
    global byte_vector *at = (global byte_vector *) words + i;

    *at = scale_bytes (*at, *gain);
  }
}

#endif
