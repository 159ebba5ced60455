/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Reads and writes the rows of a frame's planes in chunks of N_PIXELS
 * neighbouring pixels: 4 in the GPU shape, 16 in the CPU shape.
 *
 * A row is a sequence of *items* of 1 to 4 bytes: a sample, a packed pixel, or
 * the repeating unit of packed pixels (YUY2). An item may belong to 2^x_shift
 * pixels: 1, 2 or 4. A chunk then has N_PIXELS >> x_shift items, in the first
 * lanes.
 *
 * For both shapes:
 *
 *   pixels                    an item or a sample in a lane for each pixel
 *   signed_pixels             signed pixels; AS_SIGNED, AS_UNSIGNED convert
 *   samples                   a sample for each pixel, packed, the first in the
 *                             lowest byte
 *   pack_samples (pixels), unpack_samples (samples)
 *   read_samples (row, i)     reads chunk i of a row of samples
 *   read_pixels (row, i, size)           reads chunk i of a row of items of
 *                             `size` bytes, one for each pixel
 *   write_pixels (row, i, size, pixels)  writes it; no other work-item may
 *                             write the items. GPU shape: the row must begin at
 *                             a word
 *   read_items (row, i, size, x_shift), write_items (row, i, size, x_shift,
 *                             pixels)    read and write shared items
 *   gather_words (words, pixels)         words at these indices
 *   gather_uchars (row, pixels)          bytes of the row at these indices
 *   spread_samples (pixels, x_shift)     copies shared samples to the lanes of
 *                             all their pixels
 *   put_uchar (row, x, value)            writes a byte that no other work-item
 *                             writes; others may write the rest of its word
 *   are_zeros (samples), are_zero_shorts (shorts)    whether all are zero
 *   PIXEL_INDICES             0, 1, 2 ... in the lanes
 *   shorts                    16-bit numbers; 32-bit in the GPU shape, since
 *                             GPUs calculate with 32 bits. TO_SHORTS, TO_PIXELS
 *                             convert vectors, TO_SHORT a number
 *   any_samples, any_pixels, any_shorts  chunks in memory. CPU shape: aligned
 *                             only as a word or, any_shorts, a 16-bit number.
 *                             UNPACK_SHORTS converts any_shorts to shorts
 *   IS_GPU                    compile loops separately for each frequent item
 *                             size. Otherwise GPUs would test the size in each
 *                             chunk, and execute both branches
 *
 * No format has shared items of 3 bytes. Items shared by four pixels are single
 * bytes in all formats.
 */

#pragma once

#include "frame_params.h"
#include "pixels/packed_uchar.cl"
#ifdef AMPHISTO_GPU
#include "pixels/pixels_gpu.cl"
#else
#include "pixels/pixels_cpu.cl"
#endif

/* Compilers without __has_builtin have no builtins for CPU instructions. */
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif

/* A row of a colour matrix, in 1/65536, times (a, b, c, 1), and the same,
 * clamped to 0 to 255. The fourth element includes 1/2 for rounding. a, b and c
 * are of `type`, a number or a vector. */
#define UNCLAMPED_ROW(row, a, b, c)                                            \
  (((row)[0] * (a) + (row)[1] * (b) + (row)[2] * (c) + (row)[3]) >> 16)
#define MATRIX_ROW(type, row, a, b, c)                                         \
  clamp (UNCLAMPED_ROW (row, a, b, c), (type) (0), (type) (255))

INLINE uchar_plane
plane_at (global uint *words, constant plane_params *params)
{
  return (uchar_plane){ words, params->offset, params->stride };
}

INLINE uchar_planes
planes_at (global uint *plane0, global uint *plane1, global uint *plane2,
    global uint *plane3, constant plane_params *params)
{
  return (uchar_planes){ plane_at (plane0, &params[0]),
    plane_at (plane1, &params[1]), plane_at (plane2, &params[2]),
    plane_at (plane3, &params[3]) };
}

/* The number of the row's n pixels, of 1 to 4 bytes, before the first chunk
 * that can be written. GPU shape: before the first pixel at the beginning of a
 * word, 0 to 3, or n if there is none. */
INLINE uint
head_pixels (uchar_row row, uint pixel_stride, uint n)
{
  if (!IS_GPU)
    return 0;
  for (uint x = 0; x < min (n, 4u); x++)
    if ((row.first + x * pixel_stride) % 4 == 0)
      return x;
  return n;
}
