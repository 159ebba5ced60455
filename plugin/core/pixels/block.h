/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The memory of a frame's planes, in words of four bytes. Planes may be
 * adjacent: one may begin in the word in which another ends.
 */

#pragma once

#include "core/pixels/frame.h"

/* Kernels use 32-bit offsets into a block. */
#define AMPHISTO_MAX_BLOCK_SIZE ((size_t) UINT32_MAX - 3)

/* Memory of one or several planes. */
typedef struct
{
  uint32_t planes; /* bit p: plane p is in this block */
  uint8_t *begin;  /* the first sample */
  uint8_t *end;    /* past the last sample, or past the last row's padding */
  /* Another block also holds some of its words: joined, they would exceed
   * AMPHISTO_MAX_BLOCK_SIZE. */
  bool shares_words;
} AmphistoBlock;

/* Finds the blocks of the given planes of the frame, bit p of `planes` for
 * plane p. Each plane must span at most AMPHISTO_MAX_BLOCK_SIZE bytes. Planes
 * with a word in common, or in adjacent words, are joined into one block.
 *
 * Returns: the number of blocks. */
uint32_t amphisto_frame_blocks (const AmphistoFrame *frame, uint32_t planes,
    AmphistoBlock blocks[AMPHISTO_N_PLANES]);

/* The block's first word: `begin`, rounded down to a multiple of four. */
uint8_t *amphisto_block_words (const AmphistoBlock *block);

/* The block's size in bytes, in whole words. */
size_t amphisto_block_size (const AmphistoBlock *block);

/* Whether the blocks have a word in common. */
bool amphisto_blocks_share_words (
    const AmphistoBlock *a, const AmphistoBlock *b);

/* The block of plane `p`, not joined with other planes. */
AmphistoBlock amphisto_plane_block (const AmphistoFrame *frame, uint32_t p);
