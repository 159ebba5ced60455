/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Calculates the samples of zebra and false colour, for pixels of any format.
 */

#pragma once

#include "exposure_params.h"
#include "pixels/rgb.cl"
#include "pixels/slices.cl"

/* A chunk of grey or YUV: N_BYTES pixels, a byte each. CPU shape: a vector of
 * the CPU. GPU shape: the pixels of a word of chroma samples. `pairs` has one
 * number for two pixels. */
#ifdef AMPHISTO_GPU

#define N_BYTES 8
typedef uchar8 bytes;
typedef char8 signed_bytes; /* of comparisons of bytes */
typedef ushort4 pairs;
#define ARE_ZERO_BYTES(v) (as_ulong (v) == 0)
#define AS_PAIRS as_ushort4
#define BYTE_INDICES ((bytes) (0, 1, 2, 3, 4, 5, 6, 7))

#else

#if defined __AVX512BW__
#define N_BYTES 64
#define ARE_ZERO_BYTES(v)                                                      \
  are_zero_shorts (as_ushort16 ((v).lo) | as_ushort16 ((v).hi))
#elif defined __AVX2__
#define N_BYTES 32
#define ARE_ZERO_BYTES(v) are_zero_shorts (__builtin_astype (v, shorts))
#else
#define N_BYTES 16
#define ARE_ZERO_BYTES(v) are_zeros (as_uint4 (v))
#endif
typedef uchar bytes __attribute__ ((ext_vector_type (N_BYTES)));
typedef char signed_bytes __attribute__ ((ext_vector_type (N_BYTES)));
typedef ushort pairs __attribute__ ((ext_vector_type (N_BYTES / 2)));
#define AS_PAIRS(v) __builtin_astype (v, pairs)

constant uchar byte_indices[64]
    __attribute__ ((aligned (64))) = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
      13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
      31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48,
      49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63 };
#define BYTE_INDICES (*(constant bytes *) byte_indices)

#endif

/* Whether all lanes of a comparison are zero. Not any(); see are_zeros(). */
INLINE bool OVERLOAD
are_all_zeros (signed_pixels v)
{
  return are_zeros (pack_samples (AS_UNSIGNED (v)));
}

INLINE bool OVERLOAD
are_all_zeros (signed_bytes v)
{
  return ARE_ZERO_BYTES (v);
}

/* For `pixels`, a word for each pixel, and for `bytes`:
 *
 *   band_samples (params, c, luma)  component c in false colour
 *   stripe_samples (params, luma, samples, x, y)  the samples of luma, or of R,
 *       G or B, with stripes; x, y: the chunk's first pixel
 *   has_no_stripes (params, luma)  whether none of the pixels gets stripes
 *
 * params: a private copy; the compiler knows that writing the target does not
 * change it. PoCL (3.1) unrolls the loop only with the pragma. */
#define DEFINE_LANES(lanes, lane, INDICES)                                     \
                                                                               \
  INLINE lanes OVERLOAD band_samples (                                         \
      const exposure_params *params, uint c, lanes luma)                       \
  {                                                                            \
    lanes samples = c < params->n_luma ? luma : (lanes) ((lane) 128);          \
                                                                               \
    _Pragma ("unroll") for (uint b = 0; b < EXPOSURE_N_BANDS; b++)             \
    {                                                                          \
      const band_params *band = &params->band[b];                              \
      const lanes above = luma - (lanes) ((lane) band->first);                 \
                                                                               \
      samples = above < (lanes) ((lane) band->size)                            \
          ? (lanes) ((lane) band->samples[c])                                  \
          : samples;                                                           \
    }                                                                          \
    return samples;                                                            \
  }                                                                            \
                                                                               \
  INLINE lanes OVERLOAD stripe_samples (const exposure_params *params,         \
      lanes luma, lanes samples, uint x, uint y)                               \
  {                                                                            \
    const lanes mask = (lanes) ((lane) params->stripe_width);                  \
    const lanes rising =                                                       \
        INDICES + (lanes) ((lane) (x + y + params->stripe_phase));             \
    const lanes falling =                                                      \
        INDICES + (lanes) ((lane) (x - y + params->stripe_phase));             \
    const lanes least = (lanes) ((lane) params->dark_least);                   \
    const lanes most = (lanes) ((lane) params->bright_most);                   \
    const lanes dark = (rising & mask) != (lanes) ((lane) 0)                   \
        ? (lanes) ((lane) params->black)                                       \
        : (samples < least ? least : samples);                                 \
    const lanes bright = (falling & mask) != (lanes) ((lane) 0)                \
        ? (lanes) ((lane) params->white)                                       \
        : (samples > most ? most : samples);                                   \
    const lanes low = luma <= (lanes) ((lane) params->dark) ? dark : samples;  \
                                                                               \
    return luma >= (lanes) ((lane) params->bright) ? bright : low;             \
  }                                                                            \
                                                                               \
  INLINE bool OVERLOAD has_no_stripes (                                        \
      const exposure_params *params, lanes luma)                               \
  {                                                                            \
    return are_all_zeros (luma <= (lanes) ((lane) params->dark)                \
        | luma >= (lanes) ((lane) params->bright));                            \
  }

DEFINE_LANES (pixels, uint, PIXEL_INDICES)
DEFINE_LANES (bytes, uchar, BYTE_INDICES)

/* The samples of YUV pixels in false colour:
 *
 *   band_view                    the bands, prepared for draw_bands()
 *   view_bands (params, own)     prepares them; own: AMPHISTO_N_BINS words of
 *                                the work-group, used in the GPU shape
 *   draw_bands (view, luma)      the samples of a chunk of this luma
 */
typedef struct
{
  bytes y, u, v;
} yuv_bytes;

/* Looks up each byte in a table of 16. Not with AVX-512, which has registers
 * for all bands and their samples. */
#if N_BYTES == 32 && __has_builtin(__builtin_ia32_pshufb256)
#define SHUFFLE_BYTES __builtin_ia32_pshufb256
#elif N_BYTES == 16 && defined __SSSE3__                                       \
    && __has_builtin(__builtin_ia32_pshufb128)
#define SHUFFLE_BYTES __builtin_ia32_pshufb128
#endif

#ifdef SHUFFLE_BYTES

#define AS_SIGNED_BYTES(v) __builtin_astype (v, signed_bytes)

/* The first value and the size of each band, with bit 7 inverted, because these
 * CPUs compare only signed bytes. Tables by the band's number, 0 between the
 * bands: the samples of each component, and a mask that selects luma for Y
 * between the bands. */
typedef struct
{
  bytes first[EXPOSURE_N_BANDS];
  signed_bytes size[EXPOSURE_N_BANDS];
  bytes y, u, v;
  bytes luma_mask;
} band_view;

/* The table of component c, whose sample between the bands is `grey`. */
INLINE bytes
band_table (const exposure_params *params, uint c, uchar grey)
{
  bytes table = grey;

  for (uint i = 0; i < N_BYTES; i++)
    if (i % 16 > 0 && i % 16 <= EXPOSURE_N_BANDS)
      ((uchar *) &table)[i] = (uchar) params->band[i % 16 - 1].samples[c];
  return table;
}

INLINE band_view
view_bands (const exposure_params *params, uint *own)
{
  band_view view;

  (void) own;

  for (uint b = 0; b < EXPOSURE_N_BANDS; b++) {
    view.first[b] = (bytes) ((uchar) (params->band[b].first ^ 128));
    view.size[b] = (signed_bytes) ((char) (params->band[b].size ^ 128));
  }
  view.y = band_table (params, 0, 0);
  view.u = band_table (params, 1, 128);
  view.v = band_table (params, 2, 128);
  view.luma_mask = 0;
  for (uint i = 0; i < N_BYTES; i += 16)
    ((uchar *) &view.luma_mask)[i] = 255;
  return view;
}

/* The number of the band of each pixel. */
INLINE bytes
find_bands (const band_view *view, bytes luma)
{
  bytes number = 0;

  _Pragma ("unroll") for (uint b = 0; b < EXPOSURE_N_BANDS; b++) number =
      AS_SIGNED_BYTES (luma - view->first[b]) < view->size[b]
      ? (bytes) ((uchar) (b + 1))
      : number;
  return number;
}

INLINE bytes
look_up_bytes (bytes table, bytes i)
{
  return __builtin_astype (
      SHUFFLE_BYTES (AS_SIGNED_BYTES (table), AS_SIGNED_BYTES (i)), bytes);
}

INLINE yuv_bytes
draw_bands (const band_view *view, bytes luma)
{
  const bytes number = find_bands (view, luma);
  const yuv_bytes p = { look_up_bytes (view->y, number)
        | (luma & look_up_bytes (view->luma_mask, number)),
    look_up_bytes (view->u, number), look_up_bytes (view->v, number) };

  return p;
}

#elif defined AMPHISTO_GPU

/* The samples of each luma: Y, U and V, from the lowest byte on. */
typedef const local uint *band_view;

INLINE band_view
view_bands (const exposure_params *params, local uint *own)
{
  FOR_COLUMNS (luma, AMPHISTO_N_BINS)
    own[luma] = band_samples (params, 0, (pixels) (luma)).x
        | band_samples (params, 1, (pixels) (luma)).x << 8
        | band_samples (params, 2, (pixels) (luma)).x << 16;
  barrier (CLK_LOCAL_MEM_FENCE);
  return own;
}

INLINE yuv_bytes
draw_bands (const band_view *view, bytes luma)
{
  const uchar *from = (const uchar *) &luma;
  yuv_bytes p;

#pragma unroll
  for (uint i = 0; i < N_BYTES; i++) {
    const uint samples = (*view)[from[i]];

    ((uchar *) &p.y)[i] = (uchar) samples;
    ((uchar *) &p.u)[i] = (uchar) (samples >> 8);
    ((uchar *) &p.v)[i] = (uchar) (samples >> 16);
  }
  return p;
}

#else

typedef const exposure_params *band_view;

#define view_bands(params, own) ((void) (own), (params))

INLINE yuv_bytes
draw_bands (const band_view *view, bytes luma)
{
  const yuv_bytes p = { band_samples (*view, 0, luma),
    band_samples (*view, 1, luma), band_samples (*view, 2, luma) };

  return p;
}

#endif
