/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory blocks of planes: no two blocks share a word.
 */

#include "core/pixels/block.h"
#include "suite.h"

/* Three planes of two rows of 7 bytes. */
static const AmphistoLayout layout = { .n_planes = 3,
  .plane = { { 7, 2 }, { 7, 2 }, { 7, 2 } } };

#define ALL 7u

/* An address that is never dereferenced. */
static uint8_t *
at (uintptr_t address)
{
  return (uint8_t *) (UINTPTR_MAX / 8 + 1 + address);
}

static AmphistoFrame
frame_at (uintptr_t a, uintptr_t b, uintptr_t c, uint32_t stride)
{
  return (AmphistoFrame){ .layout = &layout,
    .plane = { { at (a), stride }, { at (b), stride }, { at (c), stride } } };
}

static void
assert_block (
    const AmphistoBlock *block, uint32_t planes, uintptr_t begin, uintptr_t end)
{
  g_assert_cmphex (block->planes, ==, planes);
  g_assert_true (block->begin == at (begin));
  g_assert_true (block->end == at (end));
  g_assert_false (block->shares_words);
}

static void
test_words (void)
{
  const AmphistoFrame frame = frame_at (5, 0, 0, 10);
  const AmphistoBlock block = amphisto_plane_block (&frame, 0);

  assert_block (&block, 1, 5, 5 + 10 + 7);
  g_assert_true (amphisto_block_words (&block) == at (4));
  g_assert_cmpuint (amphisto_block_size (&block), ==, 20);
}

/* The planes have a word or more between them. */
static void
test_apart (void)
{
  const AmphistoFrame frame = frame_at (100, 0, 22, 7);
  AmphistoBlock blocks[AMPHISTO_N_PLANES];

  g_assert_cmpuint (amphisto_frame_blocks (&frame, ALL, blocks), ==, 3);
  assert_block (&blocks[0], 1, 100, 114);
  assert_block (&blocks[1], 2, 0, 14);
  assert_block (&blocks[2], 4, 22, 36);
  g_assert_cmpuint (amphisto_frame_blocks (&frame, 2, blocks), ==, 1);
  assert_block (&blocks[0], 2, 0, 14);
}

/* The last row's padding, up to the stride of 64, belongs to the plane. */
static void
test_padded (void)
{
  AmphistoFrame frame = frame_at (0, 128, 1000, 64);
  AmphistoBlock blocks[AMPHISTO_N_PLANES];

  g_assert_cmpuint (amphisto_frame_blocks (&frame, ALL, blocks), ==, 3);
  assert_block (&blocks[0], 1, 0, 64 + 7);
  frame.padded_planes = 5;
  g_assert_cmpuint (amphisto_frame_blocks (&frame, ALL, blocks), ==, 2);
  assert_block (&blocks[0], 3, 0, 128 + 64 + 7);
  assert_block (&blocks[1], 4, 1000, 1128);
}

/* A single row with a shorter stride. */
static void
test_padded_row (void)
{
  const AmphistoLayout row = { .n_planes = 1, .plane = { { 7, 1 } } };
  const AmphistoFrame frame = {
    .layout = &row, .plane = { { at (0), 4 } }, .padded_planes = 1
  };
  AmphistoBlock blocks[AMPHISTO_N_PLANES];

  g_assert_cmpuint (amphisto_frame_blocks (&frame, 1, blocks), ==, 1);
  assert_block (&blocks[0], 1, 0, 7);
}

static void
test_one_word (void)
{
  const AmphistoFrame frame = frame_at (15, 0, 100, 7);
  AmphistoBlock blocks[AMPHISTO_N_PLANES];

  g_assert_cmpuint (amphisto_frame_blocks (&frame, ALL, blocks), ==, 2);
  assert_block (&blocks[0], 3, 0, 29);
  assert_block (&blocks[1], 4, 100, 114);
}

static void
test_adjacent_words (void)
{
  const AmphistoFrame frame = frame_at (16, 0, 32, 8);
  AmphistoBlock blocks[AMPHISTO_N_PLANES];

  g_assert_cmpuint (amphisto_frame_blocks (&frame, ALL, blocks), ==, 1);
  assert_block (&blocks[0], ALL, 0, 32 + 15);
}

/* Planes with alternating rows, and a plane that joins both neighbours. */
static void
test_joined (void)
{
  const AmphistoFrame alternating = frame_at (0, 50, 100, 200);
  const AmphistoFrame middle = frame_at (0, 28, 14, 7);
  AmphistoBlock blocks[AMPHISTO_N_PLANES];

  g_assert_cmpuint (amphisto_frame_blocks (&alternating, ALL, blocks), ==, 1);
  assert_block (&blocks[0], ALL, 0, 307);
  g_assert_cmpuint (amphisto_frame_blocks (&middle, ALL, blocks), ==, 1);
  assert_block (&blocks[0], ALL, 0, 42);
}

/* Planes that are too large for one block. */
static void
test_too_large (void)
{
  const uint32_t stride = 3000000000u;
  const AmphistoFrame touching =
      frame_at (0, (uintptr_t) stride + 8, 4 * (uintptr_t) stride, stride);
  const AmphistoFrame sharing =
      frame_at (0, (uintptr_t) stride + 6, 4 * (uintptr_t) stride, stride);
  AmphistoBlock blocks[AMPHISTO_N_PLANES];

  if (sizeof (size_t) <= sizeof stride) {
    g_test_skip ("32-bit addresses");
    return;
  }
  g_assert_cmpuint (amphisto_frame_blocks (&touching, ALL, blocks), ==, 3);
  for (unsigned i = 0; i < 3; i++)
    g_assert_false (blocks[i].shares_words);
  g_assert_cmpuint (amphisto_frame_blocks (&sharing, ALL, blocks), ==, 3);
  g_assert_true (blocks[0].shares_words);
  g_assert_true (blocks[1].shares_words);
  g_assert_false (blocks[2].shares_words);
}

const CoreTest core_tests[] = {
  { "/block/words", test_words },
  { "/block/apart", test_apart },
  { "/block/padded", test_padded },
  { "/block/padded-row", test_padded_row },
  { "/block/one-word", test_one_word },
  { "/block/adjacent-words", test_adjacent_words },
  { "/block/joined", test_joined },
  { "/block/too-large", test_too_large },
  { NULL },
};
