/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Test kernels: each function of packed_uchar.cl, called in each form, by many
 * work-items at once. access_params.h comes before this file.
 */

#include "pixels/packed_uchar.cl"
#include "pixels/slices.cl"

/* The ways to address a uchar, with `row` and `column` of ITEM. */
#define AT_1D(words)                                                           \
  words, access->offset + (size_t) row * access->step + column
#define AT_2D(words) words, row, access->offset + column, access->step
#define AT_ROW(words)                                                          \
  frame_row ((uchar_plane){ words, access->offset, access->step }, row), column

static inline uint
spread_item (constant access_params *access)
{
  return access->is_spread
      ? get_local_id (0) * get_num_groups (0) + get_group_id (0)
      : get_global_id (0);
}

/* The row and column of work-item i, and whether it accesses them. PoCL 7.1
 * miscompiles loops behind such a test with ||. */
#define ITEM(i)                                                                \
  const uint row = (i) % access->n_uchars / access->width;                     \
  const uint column = (i) % access->n_uchars % access->width;                  \
  const bool is_active = (access->lane == LANES)                               \
      | (((access->offset + row * access->step + column) & 3) == access->lane)

#define EACH_ROUND                                                             \
  for (uint round = 0; is_active && round < access->rounds; round++)

/* seen: the value that each work-item read. */
#define GLOBAL_KERNEL(NAME, CALL)                                              \
  kernel void NAME (                                                           \
      global uint *words, constant access_params *access, global uint *seen)   \
  {                                                                            \
    const uint i = spread_item (access);                                       \
    ITEM (i);                                                                  \
    EACH_ROUND                                                                 \
    {                                                                          \
      CALL;                                                                    \
    }                                                                          \
    (void) seen;                                                               \
  }

/* Each work-group copies its own words to local memory and back. */
#define LOCAL_KERNEL(NAME, CALL)                                               \
  kernel void NAME (global uint *group_words, constant access_params *access,  \
      global uint *group_seen, local uint *words)                              \
  {                                                                            \
    const uint i = get_local_id (0);                                           \
    global uint *const block =                                                 \
        group_words + get_group_id (0) * access->group_words;                  \
    global uint *const seen =                                                  \
        group_seen + get_group_id (0) * get_local_size (0);                    \
    ITEM (i);                                                                  \
    for (uint w = i; w < access->group_words; w += get_local_size (0))         \
      words[w] = block[w];                                                     \
    barrier (CLK_LOCAL_MEM_FENCE);                                             \
    EACH_ROUND                                                                 \
    {                                                                          \
      CALL;                                                                    \
    }                                                                          \
    (void) seen;                                                               \
    barrier (CLK_LOCAL_MEM_FENCE);                                             \
    for (uint w = i; w < access->group_words; w += get_local_size (0))         \
      block[w] = words[w];                                                     \
  }

#define KERNELS(NAME, CALL_1D, CALL_2D, CALL_ROW)                              \
  GLOBAL_KERNEL (NAME##_1d, CALL_1D)                                           \
  GLOBAL_KERNEL (NAME##_2d, CALL_2D)                                           \
  GLOBAL_KERNEL (NAME##_row, CALL_ROW)                                         \
  LOCAL_KERNEL (NAME##_local_1d, CALL_1D)                                      \
  LOCAL_KERNEL (NAME##_local_2d, CALL_2D)

KERNELS (read, seen[i] = read_uchar (AT_1D (words)),
    seen[i] = read_uchar (AT_2D (words)), seen[i] = read_uchar (AT_ROW (words)))

KERNELS (increment, increment_uchar (AT_1D (words)),
    increment_uchar (AT_2D (words)), increment_uchar (AT_ROW (words)))

KERNELS (addto, addto_uchar (AT_1D (words), ACCESS_VALUE (i, round)),
    addto_uchar (AT_2D (words), ACCESS_VALUE (i, round)),
    addto_uchar (AT_ROW (words), ACCESS_VALUE (i, round)))

KERNELS (addto_sat,
    addto_uchar_sat (AT_1D (words), ACCESS_VALUE_8BIT (i, round)),
    addto_uchar_sat (AT_2D (words), ACCESS_VALUE_8BIT (i, round)),
    addto_uchar_sat (AT_ROW (words), ACCESS_VALUE_8BIT (i, round)))

KERNELS (addto_no_carry,
    addto_uchar_no_carry (AT_1D (words), ACCESS_VALUE_SMALL (i, round)),
    addto_uchar_no_carry (AT_2D (words), ACCESS_VALUE_SMALL (i, round)),
    addto_uchar_no_carry (AT_ROW (words), ACCESS_VALUE_SMALL (i, round)))

KERNELS (write, write_uchar (AT_1D (words), ACCESS_VALUE (i, round)),
    write_uchar (AT_2D (words), ACCESS_VALUE (i, round)),
    write_uchar (AT_ROW (words), ACCESS_VALUE (i, round)))

KERNELS (write_atomic,
    write_uchar_atomic (AT_1D (words), ACCESS_VALUE (i, round)),
    write_uchar_atomic (AT_2D (words), ACCESS_VALUE (i, round)),
    write_uchar_atomic (AT_ROW (words), ACCESS_VALUE (i, round)))

/* Neighbours are accessed in different ways, by i % 6. */
#define CHANGE_MIXED(AT)                                                       \
  switch (i % 6) {                                                             \
    case 0:                                                                    \
      increment_uchar (AT (words));                                            \
      break;                                                                   \
    case 1:                                                                    \
      addto_uchar (AT (words), ACCESS_VALUE (i, round));                       \
      break;                                                                   \
    case 2:                                                                    \
      addto_uchar_sat (AT (words), ACCESS_VALUE_8BIT (i, round));              \
      break;                                                                   \
    case 3:                                                                    \
      write_uchar (AT (words), ACCESS_VALUE (i, round));                       \
      break;                                                                   \
    case 4:                                                                    \
      write_uchar_atomic (AT (words), ACCESS_VALUE (i, round));                \
      break;                                                                   \
    default:                                                                   \
      seen[i] = read_uchar (AT (words));                                       \
  }

KERNELS (
    mixed, CHANGE_MIXED (AT_1D), CHANGE_MIXED (AT_2D), CHANGE_MIXED (AT_ROW))

/* All work-items write one of two values to one uchar. seen[i]: how often
 * work-item i then read a different value. */
kernel void
write_race (
    global uint *words, constant access_params *access, global uint *seen)
{
  const uint i = get_global_id (0);
  uint n_wrong = 0;

  for (uint round = 0; round < access->rounds; round++) {
    write_uchar_atomic (words, access->offset, i & 1 ? 0x0fu : 0xf0u);

    const uint found = read_uchar (words, access->offset);

    n_wrong += found != 0x0f && found != 0xf0;
  }
  seen[i] = n_wrong;
}

/* Each of n_uchars work-items writes `rounds` uchars, each once, so that a lost
 * write is not repeated. In a round, they write neighbours, after waiting for
 * each other; not for ever, since they need not run at once. seen: the number
 * of work-items that have come to each round, and then, for each work-item, the
 * number of rounds in which it waited until all had come. */
kernel void
write_once (
    global uint *words, constant access_params *access, global uint *seen)
{
  const uint i = get_global_id (0);
  uint n_waited = 0;

  for (uint round = 0; round < access->rounds; round++) {
    volatile global uint *const n_here = &seen[round];
    uint looks = 0;

    atomic_inc (n_here);
    while (*n_here < access->n_uchars && looks < access->patience)
      looks++;
    /* one a little later than the other, by a different time in each round */
    for (uint delay = round * (2 * i + 1) % 16; delay > 0 && *n_here > 0;)
      delay--;
    write_uchar (words, access->n_uchars * round + i, ACCESS_VALUE (i, round));
    n_waited += looks > 0 && looks < access->patience;
  }
  seen[access->rounds + i] = n_waited;
}

/* seen[i]: uchars i to i + 3 of row 0. */
kernel void
read_words (
    global uint *words, constant access_params *access, global uint *seen)
{
  const uint i = get_global_id (0);

  if (i + 4 <= access->width)
    seen[i] = read_word (
        frame_row ((uchar_plane){ words, access->offset, access->step }, 0), i);
}

/* Each work-item writes ACCESS_VALUE to the whole words of a row; the uchars
 * before and after them stay. */
kernel void
write_words (
    global uint *words, constant access_params *access, global uint *seen)
{
  const uint y = get_global_id (0);
  const uchar_row row =
      frame_row ((uchar_plane){ words, access->offset, access->step }, y);

  seen[y] = row_head (row);
  for (uint x = row_head (row); x + 4 <= access->width; x += 4)
    write_word (row, x, ACCESS_VALUE (y, x));
}

/* Counts in `seen` how often a row is given to a work-group, and in `words` how
 * often a uchar is given to a work-item. There are n_uchars rows. */
kernel void
divide_rows (
    global uint *words, constant access_params *access, global uint *seen)
{
  const row_range rows = own_rows (access->n_uchars);

  FOR_ROWS (y, rows) {
    if (get_local_id (0) == 0)
      atomic_inc (&seen[y]);
    FOR_COLUMNS (x, access->width)
      atomic_inc (&words[y * access->width + x]);
  }
}
