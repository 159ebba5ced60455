/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How kernels divide their work, and how they are divided into functions.
 *
 * GPU shape: work-groups take rows in turn, their work-items neighbouring
 * columns. CPU shape: a work-group is one work-item, which has a slice of
 * neighbouring rows to itself.
 */

#ifndef AMPHISTO_SLICES_CL
#define AMPHISTO_SLICES_CL

#ifndef AMPHISTO_PACKED_UCHAR_CL
#include "packed_uchar.cl"
#endif

/* A function that is compiled once and called: the body of a kernel, or a loop
 * over rows. PoCL (3.1) makes three copies of each kernel and compiles them
 * all, with what was inlined into them; so in the CPU shape kernels only call
 * their bodies. In the GPU shape they are inlined, because GPUs are slow at
 * calls.
 *
 * PoCL inlines functions all the same that ask for the work-item's ids or have
 * barriers: in the CPU shape, these functions must not. */
#ifdef AMPHISTO_GPU
#define OUTLINE INLINE
#else
#define OUTLINE static __attribute__ ((noinline))
#endif

/* Rows, or whatever is divided like them: every `step`th from `first` on, up to
 * but not including `end`. */
typedef struct
{
  uint first;
  uint end;
  uint step;
} row_range;

#define FOR_ROWS(y, rows)                                                      \
  for (uint y = (rows).first; y < (rows).end; y += (rows).step)

/* Slice `index` of n slices of about one size. */
INLINE row_range
slice_of (uint total, uint index, uint n)
{
  const uint each = total / n;
  const uint rest = total % n;
  const uint first = index * each + min (index, rest);
  const row_range rows = { first, first + each + (index < rest ? 1 : 0), 1 };

  return rows;
}

/* The rows, of `total`, that are the work-group's own. */
INLINE row_range
own_rows (uint total)
{
  const uint group = (uint) get_group_id (0);
  const uint n_groups = (uint) get_num_groups (0);
#ifdef AMPHISTO_GPU
  const row_range rows = { group, total, n_groups };

  return rows;
#else
  return slice_of (total, group, n_groups);
#endif
}

/* A step of a row. */
typedef struct
{
  uint x;
  uint y;
} step_place;

/* The steps of `height` rows of n steps each that are the work-item's own: the
 * first, and how far it is from one to the next. */
typedef struct
{
  step_place place;
  step_place stride;
  uint n;
  uint height;
} own_steps;

/* Of all steps, row by row, the work-item has every `stride`th from `first` on.
 */
INLINE own_steps
share_steps (uint first, uint stride, uint n, uint height)
{
  const uint divisor = max (n, 1u);
  const own_steps own = { { first % divisor, first / divisor },
    { stride % divisor, stride / divisor }, n, n > 0 ? height : 0 };

  return own;
}

INLINE step_place
next_place (own_steps own, step_place place)
{
  place.x += own.stride.x;
  place.y += own.stride.y;
  if (place.x >= own.n) {
    place.x -= own.n;
    place.y++;
  }
  return place;
}

#define FOR_STEPS(at, own)                                                     \
  for (step_place at = (own).place; at.y < (own).height;                       \
       at = next_place (own, at))

/* The steps of `height` rows of n steps each that are the work-item's own,
 * where each takes long. GPU: work-items that are next to each other have
 * neighbouring steps, over the ends of rows. */
INLINE own_steps
share_blocks (uint n, uint height)
{
#ifdef AMPHISTO_GPU
  return share_steps (
      (uint) get_global_id (0), (uint) get_global_size (0), n, height);
#else
  const row_range rows = own_rows (height);
  const own_steps own = { { 0, rows.first }, { 1, 0 }, n,
    n > 0 ? rows.end : 0 };

  return own;
#endif
}

/* OWN: the memory that a work-group has to itself.
 * FOR_COLUMNS: the columns, of `total`, that are the work-item's own, if a
 * work-group takes a row.
 * FOR_ROW_STEPS: the steps of one of own_step_rows(), of which a work-group
 * takes several at once.
 * GROUP_BARRIER: barrier(), where there is more than one work-item.
 * COUNTING_GROUP: says how many work-items a group has that counts a frame. The
 * build options say how many the device can have.
 * GROUP: says how many other groups have. Every kernel is told its number: then
 * drivers compile it for just as many, and leave no registers unused. */
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

/* Work-items that take a row: 1920 bytes are 120 steps of 16. */
#define ROW_ITEMS 128
#define FOR_ROW_STEPS(x, total)                                                \
  for (uint x = get_local_id (0) % ROW_ITEMS; x < (total); x += ROW_ITEMS)

/* The rows, of `total`, that are the work-item's own, if a work-group takes
 * several at once. */
INLINE row_range
own_step_rows (uint total)
{
  const uint n = (uint) get_local_size (0) / ROW_ITEMS;
  const row_range rows = { (uint) get_group_id (0) * n
        + (uint) get_local_id (0) / ROW_ITEMS,
    total, (uint) get_num_groups (0) * n };

  return rows;
}

#else

#define COUNTING_GROUP
#define GROUP
#define OWN
#define FOR_COLUMNS(x, total) for (uint x = 0; x < (total); x++)
#define FOR_ROW_STEPS(x, total) FOR_COLUMNS (x, total)
#define GROUP_BARRIER(flags)
#define own_step_rows(total) own_rows (total)

#endif

#endif
