/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory blocks of planes: no two blocks share a word.
 */

#include "core/pixels/block.h"
#include "suite.h"

/* Three planes of two rows of 7 bytes. */
static const AmphistoLayout layout = { .n_planes = 3,
  .plane = { { .row_bytes = 7, .rows = 2 }, { .row_bytes = 7, .rows = 2 },
      { .row_bytes = 7, .rows = 2 } } };

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

/* The blocks of planes at these addresses. */
static const struct
{
  uintptr_t planes[3];
  uint32_t stride, padded_planes, wanted;
  uintptr_t blocks[3][3]; /* planes, begin, end */
} frames[] = {
  /* a word or more between them */
  { { 100, 0, 22 }, 7, 0, ALL,
      { { 1, 100, 114 }, { 2, 0, 14 }, { 4, 22, 36 } } },
  { { 100, 0, 22 }, 7, 0, 2, { { 2, 0, 14 } } },
  /* the last row's padding, up to the stride of 64, belongs to the plane */
  { { 0, 128, 1000 }, 64, 0, ALL,
      { { 1, 0, 64 + 7 }, { 2, 128, 128 + 64 + 7 },
          { 4, 1000, 1000 + 64 + 7 } } },
  { { 0, 128, 1000 }, 64, 5, ALL,
      { { 3, 0, 128 + 64 + 7 }, { 4, 1000, 1128 } } },
  /* one word in common, and adjacent words */
  { { 15, 0, 100 }, 7, 0, ALL, { { 3, 0, 29 }, { 4, 100, 114 } } },
  { { 16, 0, 32 }, 8, 0, ALL, { { ALL, 0, 32 + 15 } } },
  /* alternating rows, and a plane that joins both neighbours */
  { { 0, 50, 100 }, 200, 0, ALL, { { ALL, 0, 307 } } },
  { { 0, 28, 14 }, 7, 0, ALL, { { ALL, 0, 42 } } },
};

static void
test_blocks (void)
{
  for (guint i = 0; IS_ROW (frames, i); i++) {
    const uintptr_t *planes = frames[i].planes;
    AmphistoFrame frame =
        frame_at (planes[0], planes[1], planes[2], frames[i].stride);
    AmphistoBlock blocks[AMPHISTO_N_PLANES];
    uint32_t n;

    frame.padded_planes = frames[i].padded_planes;
    n = amphisto_frame_blocks (&frame, frames[i].wanted, blocks);
    for (guint b = 0; b < 3; b++) {
      const uintptr_t *block = frames[i].blocks[b];

      g_assert_true ((b < n) == (block[0] > 0));
      if (b < n)
        assert_block (&blocks[b], block[0], block[1], block[2]);
    }
  }
}

/* A single row with a shorter stride. */
static void
test_padded_row (void)
{
  const AmphistoLayout row = { .n_planes = 1,
    .plane = { { .row_bytes = 7, .rows = 1 } } };
  const AmphistoFrame frame = {
    .layout = &row, .plane = { { at (0), 4 } }, .padded_planes = 1
  };
  AmphistoBlock blocks[AMPHISTO_N_PLANES];

  g_assert_cmpuint (amphisto_frame_blocks (&frame, 1, blocks), ==, 1);
  assert_block (&blocks[0], 1, 0, 7);
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
  { "/block/blocks", test_blocks },
  { "/block/padded-row", test_padded_row },
  { "/block/too-large", test_too_large },
  { 0 },
};
