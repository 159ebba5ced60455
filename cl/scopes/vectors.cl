/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts the vectorscope: the two-dimensional histogram of U and V.
 *
 * For both shapes:
 *
 *   SUBPLANE                  a work-group's memory for counts; GPU shape:
 *                             VECTORSCOPE_ROW_WORDS words for each row of its
 *                             sub-plane
 *   count_own_rows (planes, params, vectorscope, subplane, counts, taken)
 *                             counts the work-group's rows. GPU shape: a slice
 *                             of the frame's rows, in one of its sub-planes.
 *                             CPU shape: rows that it takes; taken: their
 *                             number for all work-groups, 0 at first. counts:
 *                             all planes
 *   row_memory                a work-group's memory for make_row_trace()
 *   make_row_trace (vectorscope, counts, probes, row, own, trace)
 *                             adds up a row of all planes and stores its cells,
 *                             spots and arrows in the trace
 */

#pragma once

#ifdef AMPHISTO_GPU
#include "scopes/vectors_gpu.cl"
#else
#include "scopes/vectors_cpu.cl"
#endif

/* Stores the cells of the probes of rows of the grid: the cell's row in the
 * upper byte, its column in the lower one, or VECTORSCOPE_NO_CELL. */
NOINLINE void
probe_rows (uchar_planes planes, constant component_params *samples,
    constant vectorscope_params *vectorscope, global ushort *probes,
    row_range rows)
{
  const uint size = vectorscope->size;
  const uint n = vectorscope->probe_columns;

  FOR_ROWS (j, rows)
    FOR_COLUMNS (i, n) {
      const uint2 vector = vector_at (planes, samples, vectorscope,
          PROBE_POSITION (vectorscope->probe_width, i, j),
          PROBE_POSITION (vectorscope->probe_height, j, i));
      const uint2 cell =
          cell_of (vectorscope, vector) - vectorscope->first_cell;

      probes[j * n + i] = max (cell.x, cell.y) < size
          ? (ushort) ((size - 1 - cell.y) << 8 | cell.x)
          : VECTORSCOPE_NO_CELL;
    }
}

/* Clears near_spots of rows of cells, and the arrows behind the last, for
 * merge_vectors. */
NOINLINE void
clear_near_spots (constant vectorscope_params *vectorscope, global uint *trace,
    row_range rows)
{
  FOR_ROWS (row, rows)
    FOR_COLUMNS (i, 1)
      trace[near_spots_offset (vectorscope, row)] = 0;
}

/* Counts U and V in several planes, and probes the frame. bins: as
 * calculate_histogram() leaves them; CPU shape: the number of rows taken is
 * added at AMPHISTO_VECTOR_ROWS. */
kernel COUNTING_GROUP void
count_vectors (global uint *plane0, global uint *plane1, global uint *plane2,
    constant frame_params *params, constant vectorscope_params *vectorscope,
    SUBPLANE *subplane, global uint *counts, global ushort *probes,
    global uint *trace, volatile global uint *bins)
{
  const uchar_planes planes =
      planes_at (plane0, plane1, plane2, plane0, params->source);

  count_own_rows (planes, params, vectorscope, subplane, counts,
      &bins[AMPHISTO_VECTOR_ROWS]);
  probe_rows (planes, vector_samples (params, vectorscope), vectorscope, probes,
      own_rows (vectorscope->probe_rows));
  clear_near_spots (vectorscope, trace, own_rows (vectorscope->size + 1));
}

NOINLINE void
make_trace (constant vectorscope_params *vectorscope, const global uint *counts,
    const global ushort *probes, OWN row_memory *own, global uint *trace,
    row_range rows)
{
  FOR_ROWS (row, rows)
    make_row_trace (vectorscope, counts, probes, row, own, trace);
}

/* Adds up the planes of all slices and stores the trace. */
kernel GROUP void
merge_vectors (constant vectorscope_params *vectorscope,
    const global uint *counts, const global ushort *probes, global uint *trace)
{
  OWN row_memory own;

  make_trace (vectorscope, counts, probes, &own, trace,
      own_rows (vectorscope->plane_size));
}
