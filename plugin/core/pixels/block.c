/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/pixels/block.h"
#include "core/pixels/arithmetic.h"

#define WORD sizeof (uint32_t)

uint8_t *
amphisto_block_words (const AmphistoBlock *block)
{
  return block->begin - (uintptr_t) block->begin % WORD;
}

static uint8_t *
words_end (const AmphistoBlock *block)
{
  return block->end + (WORD - (uintptr_t) block->end % WORD) % WORD;
}

size_t
amphisto_block_size (const AmphistoBlock *block)
{
  return words_end (block) - amphisto_block_words (block);
}

bool
amphisto_blocks_share_words (const AmphistoBlock *a, const AmphistoBlock *b)
{
  return amphisto_block_words (a) < words_end (b)
      && amphisto_block_words (b) < words_end (a);
}

static bool
are_adjacent (const AmphistoBlock *a, const AmphistoBlock *b)
{
  return words_end (a) == amphisto_block_words (b)
      || words_end (b) == amphisto_block_words (a);
}

static AmphistoBlock
join (const AmphistoBlock *a, const AmphistoBlock *b)
{
  return (AmphistoBlock){ a->planes | b->planes, MIN (a->begin, b->begin),
    MAX (a->end, b->end), a->shares_words || b->shares_words };
}

AmphistoBlock
amphisto_plane_block (const AmphistoFrame *frame, uint32_t p)
{
  const AmphistoPlane *plane = &frame->plane[p];
  const uint64_t padded = frame->padded_planes & 1u << p
      ? (uint64_t) plane->stride * frame->layout->plane[p].rows
      : 0;
  /* the stride of a single row may be any number */
  const uint64_t size =
      MAX (amphisto_plane_span (frame->layout, p, plane->stride), padded);

  return (AmphistoBlock){ 1u << p, plane->data, plane->data + size, false };
}

/* Adds the block, joined with all blocks that share its words or are adjacent.
 * A joined block needs no second look: what touches it touched one of the two.
 *
 * Returns: the new number of blocks. */
static uint32_t
add_block (AmphistoBlock *blocks, uint32_t n, AmphistoBlock block)
{
  for (uint32_t i = 0; i < n;) {
    const bool shares = amphisto_blocks_share_words (&blocks[i], &block);
    const AmphistoBlock both = join (&blocks[i], &block);

    if (!shares && !are_adjacent (&blocks[i], &block)) {
      i++;
    } else if (amphisto_block_size (&both) <= AMPHISTO_MAX_BLOCK_SIZE) {
      block = both;
      blocks[i] = blocks[--n];
    } else {
      blocks[i].shares_words |= shares;
      block.shares_words |= shares;
      i++;
    }
  }
  blocks[n] = block;
  return n + 1;
}

uint32_t
amphisto_frame_blocks (const AmphistoFrame *frame, uint32_t planes,
    AmphistoBlock blocks[AMPHISTO_N_PLANES])
{
  uint32_t n = 0;

  for (uint32_t p = 0; p < frame->layout->n_planes; p++)
    if (planes & 1u << p)
      n = add_block (blocks, n, amphisto_plane_block (frame, p));
  return n;
}
