/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Calculates luma of RGB, 0 to 255.
 *
 * For chunks of pixels:
 *
 *   luma_view                    the weights, prepared for luma_of()
 *   view_luma (row, weights)     prepares the weights for pixels of the row
 *   luma_of (view, rgb_pixels)   luma of each pixel
 */

#pragma once

#include "pixels/components.cl"
#include "pixels/rgb.cl"

/* Luma of a pixel, rounded. weights: in 1/65536. */
#define LUMA(weights, r, g, b)                                                 \
  (((weights)[0] * (r) + (weights)[1] * (g) + (weights)[2] * (b) + 32768) >> 16)

/* Luma of pixel x of a row. */
INLINE uint
read_rgb_luma (rgb_row row, uint x, constant uint *weights)
{
  const uint4 p = read_rgb (row, x);

  return LUMA (weights, p.x, p.y, p.z);
}

/* N_LUMA_WORDS: the number of words in which one CPU instruction adds products
 * of 16-bit numbers; 0 if there is no such instruction. CPUs with 16 also have
 * 8 and 4. */
#ifndef N_LUMA_WORDS
#if defined AMPHISTO_GPU
#define N_LUMA_WORDS 0
#elif defined __AVX512BW__ && __has_builtin(__builtin_ia32_pmaddwd512)
#define N_LUMA_WORDS 16
#elif defined __AVX2__ && __has_builtin(__builtin_ia32_pmaddwd256)
#define N_LUMA_WORDS 8
#elif defined __SSE2__ && __has_builtin(__builtin_ia32_pmaddwd128)
#define N_LUMA_WORDS 4
#else
#define N_LUMA_WORDS 0
#endif
#endif

#if N_LUMA_WORDS == 0

typedef constant uint *luma_view;

#define view_luma(row, weights) (weights)

INLINE pixels
luma_of (luma_view weights, rgb_pixels p)
{
  return LUMA (weights, p.r, p.g, p.b);
}

#else

#if N_LUMA_WORDS == 16
typedef uint16 luma_words;
typedef short luma_shorts __attribute__ ((ext_vector_type (32)));
#define ADD_PRODUCTS __builtin_ia32_pmaddwd512
#elif N_LUMA_WORDS == 8
typedef uint8 luma_words;
typedef short16 luma_shorts;
#define ADD_PRODUCTS __builtin_ia32_pmaddwd256
#else
typedef uint4 luma_words;
typedef short8 luma_shorts;
#define ADD_PRODUCTS __builtin_ia32_pmaddwd128
#endif

/* The weights; for packed pixels also the weights of their bytes, two in a
 * word. Green's weight is more than 1/2 in every matrix, too much for a signed
 * 16-bit number. It is stored as weight - 65536, and luma_of() adds green
 * again. */
typedef struct
{
  uint weights[3];
  uint even_bytes; /* weights of bytes 0 and 2 */
  uint odd_bytes;  /* weights of bytes 1 and 3 */
  uint g_shift;
  bool is_packed;
} luma_view;

INLINE luma_view
view_luma (rgb_row row, constant uint *weights)
{
  const uint offsets[3] = { row.r_offset, row.g_offset, row.b_offset };
  luma_view view = { { weights[0], weights[1], weights[2] }, 0, 0,
    row.g_offset * 8, row.pixel_stride > 1 };

  for (uint i = 0; i < 3; i++) {
    const uint weight = (weights[i] & 0xffffu) << (offsets[i] / 2 % 2 * 16);

    if (offsets[i] % 2 == 0)
      view.even_bytes |= weight;
    else
      view.odd_bytes |= weight;
  }
  return view;
}

/* Multiplies the two signed 16-bit numbers of each word by the two of
 * `weights`, and adds the two products. */
INLINE pixels
add_products (pixels words, uint weights)
{
  const luma_shorts factors =
      __builtin_astype ((luma_words) (weights), luma_shorts);
  const luma_words *v = (const luma_words *) &words;
  pixels sums;

  for (uint i = 0; i < N_PIXELS / N_LUMA_WORDS; i++)
    ((luma_words *) &sums)[i] = __builtin_astype (
        ADD_PRODUCTS (__builtin_astype (v[i], luma_shorts), factors),
        luma_words);
  return sums;
}

INLINE pixels
luma_of (luma_view view, rgb_pixels p)
{
  if (!view.is_packed)
    return LUMA (view.weights, p.r, p.g, p.b);

  /* luma - green, in 1/65536 */
  const pixels difference = add_products (p.packed & 0xff00ffu, view.even_bytes)
      + add_products (p.packed >> 8 & 0xff00ffu, view.odd_bytes);

  return (((difference + 32768) >> 16) + (p.packed >> view.g_shift)) & 0xffu;
}

#endif
