/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The memory that planes of a frame lie in, as words of four bytes. Planes may
 * lie side by side, so that one begins in the word that another ends in.
 */

#ifndef AMPHISTO_CORE_BLOCK_H
#define AMPHISTO_CORE_BLOCK_H

#include "core/frame.h"

/* Kernels count bytes and words of a block in 32 bits. */
#define AMPHISTO_MAX_BLOCK_SIZE ((size_t) UINT32_MAX - 3)

/* Memory of one or several planes. */
typedef struct
{
  uint32_t planes; /* bit p: plane p lies in it */
  uint8_t *begin;  /* the first sample */
  uint8_t *end;    /* behind the last sample, or the last row's padding */
  /* Another block has some of its words. Together they would be too large. */
  bool shares_words;
} AmphistoBlock;

/* Finds the blocks of those planes of the frame that are in `planes`, bit p for
 * plane p. Each plane must span at most AMPHISTO_MAX_BLOCK_SIZE bytes. Planes
 * that share a word, or lie in adjacent words, are in one block.
 *
 * Returns: how many blocks there are. */
uint32_t amphisto_frame_blocks (const AmphistoFrame *frame, uint32_t planes,
    AmphistoBlock blocks[AMPHISTO_N_PLANES]);

/* The first of the words that hold the block. */
uint8_t *amphisto_block_words (const AmphistoBlock *block);

/* Bytes of the words that hold the block. */
size_t amphisto_block_size (const AmphistoBlock *block);

/* Whether the blocks have a word in common. */
bool amphisto_blocks_share_words (
    const AmphistoBlock *a, const AmphistoBlock *b);

/* The block of plane `p` of the frame alone. */
AmphistoBlock amphisto_plane_block (const AmphistoFrame *frame, uint32_t p);

#endif
