/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What is tested of lut.cl, which has its forms in the CPU shape, by one
 * work-item.
 */

#ifndef AMPHISTO_GPU

/* The form of the program. */
kernel void
store_form (global uint *form)
{
  *form = LUT_FORM;
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

/* Maps n values, a multiple of N_LUT_STEPS * N_PIXELS, in place. */
kernel void
map_steps (LUT uchar *lut, global uint *values, uint n)
{
  const lut_view view = view_lut (lut);
  pixels from[N_LUT_STEPS], to[N_LUT_STEPS];

  for (uint i = 0; i < n; i += N_LUT_STEPS * N_PIXELS) {
    global pixels *at = (global pixels *) (values + i);

    for (uint k = 0; k < N_LUT_STEPS; k++)
      from[k] = at[k];
    look_up_steps (view, from, to);
    for (uint k = 0; k < N_LUT_STEPS; k++)
      at[k] = to[k];
  }
}

#endif
