/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How kernels divide their work, and how they are divided into functions.
 *
 * GPU shape: work-groups take rows in turn; their work-items take neighbouring
 * columns. CPU shape: a work-group is one work-item, which takes a slice of
 * neighbouring rows.
 */

#pragma once

#include "pixels/packed_uchar.cl"

/* A function to be compiled once and called: the body of a kernel, or a loop
 * over rows. PoCL (3.1) compiles three copies of each kernel with all its
 * inlined functions; so in the CPU shape kernels only call their bodies. In the
 * GPU shape the functions are inlined, because calls are slow on GPUs.
 *
 * In the CPU shape these functions must not ask for the work-item's ids or have
 * barriers, or PoCL inlines them nevertheless. */
#ifdef AMPHISTO_GPU
#define NOINLINE INLINE
#else
#define NOINLINE static __attribute__ ((noinline))
#endif

/* The work-group's index in its launch, and the number of groups. In the CPU
 * shape, the host may divide a launch among threads: in each part, the global
 * offset holds the index of the first group, and the number of all groups. */
#ifdef AMPHISTO_GPU
#define GROUP_INDEX ((uint) get_group_id (0))
#define N_GROUPS ((uint) get_num_groups (0))
#else
#define GROUP_INDEX ((uint) get_global_id (0))
#define N_GROUPS ((uint) get_global_offset (1))
#endif

/* Rows, or other things divided like rows: every `stride`th from `first` to
 * before `end`. */
typedef struct
{
  uint first;
  uint end;
  uint stride;
} row_range;

#define FOR_ROWS(y, rows)                                                      \
  for (uint y = (rows).first; y < (rows).end; y += (rows).stride)

/* Slice `index` of n slices, whose sizes differ by one at most. Larger slices
 * are spread evenly among smaller ones, since threads take ranges of slices: of
 * ten strips in 32 slices, any eight slices have two or three. */
INLINE row_range
slice_of (uint total, uint index, uint n)
{
  const uint first = (ulong) total * index / n;
  const uint end = (ulong) total * (index + 1) / n;

  return (row_range){ first, end, 1 };
}

/* The work-group's rows, of `total`. */
INLINE row_range
own_rows (uint total)
{
#ifdef AMPHISTO_GPU
  const row_range rows = { GROUP_INDEX, total, N_GROUPS };

  return rows;
#else
  return slice_of (total, GROUP_INDEX, N_GROUPS);
#endif
}

/* The next n of `total` rows, for work-items that take rows in turn. taken: the
 * number of rows that all have taken. */
INLINE row_range
take_rows (volatile global uint *taken, uint n, uint total)
{
  const uint first = atomic_add (taken, n);

  return (row_range){ first, min (first + n, total), 1 };
}

/* CPU shape: about how often a work-item takes rows. So a core that starts late
 * or is busy delays the others less. */
#define N_TAKES 16

/* Chunk x of row y. */
typedef struct
{
  uint x;
  uint y;
} chunk_position;

/* The work-item's chunks in `height` rows of n chunks: the first, and the
 * distance to the next. */
typedef struct
{
  chunk_position first;
  chunk_position stride;
  uint n;
  uint height;
} own_chunks;

/* Gives the work-item every `stride`th chunk, counted row by row, from chunk
 * `first` on. */
INLINE own_chunks
share_chunks (uint first, uint stride, uint n, uint height)
{
  const uint divisor = max (n, 1u);

  return (own_chunks){ { first % divisor, first / divisor },
    { stride % divisor, stride / divisor }, n, n > 0 ? height : 0 };
}

INLINE chunk_position
next_position (own_chunks own, chunk_position at)
{
  at.x += own.stride.x;
  at.y += own.stride.y;
  if (at.x >= own.n) {
    at.x -= own.n;
    at.y++;
  }
  return at;
}

#define FOR_CHUNKS(at, own)                                                    \
  for (chunk_position at = (own).first; at.y < (own).height;                   \
       at = next_position (own, at))

/* The work-item's chunks in `height` rows of n chunks, for chunks that take
 * long. GPU: neighbouring work-items have neighbouring chunks, even across the
 * ends of rows. */
INLINE own_chunks
share_blocks (uint n, uint height)
{
#ifdef AMPHISTO_GPU
  return share_chunks (
      (uint) get_global_id (0), (uint) get_global_size (0), n, height);
#else
  const row_range rows = own_rows (height);

  return (own_chunks){ { 0, rows.first }, { 1, 0 }, n, n > 0 ? rows.end : 0 };
#endif
}

/* OWN: address space of the work-group's own memory.
 *
 * FOR_COLUMNS: the work-item's columns, of `total`, if a work-group takes one
 * row at a time.
 *
 * FOR_ROW_CHUNKS: the work-item's chunks in a row, if a work-group takes
 * several rows at a time; see own_chunk_rows().
 *
 * FOR_CHUNKS_AT_ONCE: the same, AT_ONCE chunks at a time: x and the next ones,
 * ROW_ITEMS apart. AT_ONCE is more than 1 in the GPU shape: loads before the
 * first store hide the latency of memory.
 *
 * GROUP_BARRIER: barrier(), if a work-group has more than one work-item.
 *
 * COUNTING_GROUP: the work-group size of kernels that count frames; build
 * options set COUNTING_ITEMS to a size that the device supports.
 *
 * GROUP: the work-group size of other kernels. All kernels state their size, so
 * that drivers can use all registers. */
#ifdef AMPHISTO_GPU

#ifndef COUNTING_ITEMS
#define COUNTING_ITEMS 256
#endif
#define COUNTING_GROUP                                                         \
  __attribute__ ((reqd_work_group_size (COUNTING_ITEMS, 1, 1)))
#define GROUP __attribute__ ((reqd_work_group_size (256, 1, 1)))
#define OWN local
#define FOR_COLUMNS(x, total)                                                  \
  for (uint x = get_local_id (0); x < (total); x += get_local_size (0))
#define GROUP_BARRIER(flags) barrier (flags)

/* Work-items per row: 1920 bytes are 120 chunks of 16. */
#define ROW_ITEMS 128
#define FOR_ROW_CHUNKS(x, total)                                               \
  for (uint x = get_local_id (0) % ROW_ITEMS; x < (total); x += ROW_ITEMS)
#define AT_ONCE 4
#define FOR_CHUNKS_AT_ONCE(x, total)                                           \
  for (uint x = get_local_id (0) % ROW_ITEMS; x < (total);                     \
       x += ROW_ITEMS * AT_ONCE)

/* The work-item's rows, of `total`, if a work-group takes several rows at a
 * time. */
INLINE row_range
own_chunk_rows (uint total)
{
  const uint n = (uint) get_local_size (0) / ROW_ITEMS;
  const row_range rows = {
    GROUP_INDEX * n + (uint) get_local_id (0) / ROW_ITEMS, total, N_GROUPS * n
  };

  return rows;
}

#else

#define COUNTING_GROUP
#define GROUP
#define OWN
#define FOR_COLUMNS(x, total) for (uint x = 0; x < (total); x++)
#define ROW_ITEMS 1
#define FOR_ROW_CHUNKS(x, total) FOR_COLUMNS (x, total)
#define AT_ONCE 1
#define FOR_CHUNKS_AT_ONCE(x, total) FOR_COLUMNS (x, total)
#define GROUP_BARRIER(flags)
#define own_chunk_rows(total) own_rows (total)

#endif
