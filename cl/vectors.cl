/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts the vectorscope: the two-dimensional histogram of U and V.
 *
 * For both shapes:
 *
 *   PART                      a work-group's memory for counts; GPU shape:
 *                             VECTORSCOPE_ROW_WORDS words for each row of its
 *                             part
 *   count_part (planes, params, vectorscope, part, counts)    counts the
 * work-group's slice, or a part of it. counts: the planes of all slices
 *   row_memory                a work-group's memory for make_row_light()
 *   make_row_light (vectorscope, counts, row, row_kind, own, light)    adds up
 * a row of all planes and stores its light
 */

#ifndef AMPHISTO_VECTORS_CL
#define AMPHISTO_VECTORS_CL

#ifndef AMPHISTO_VECTORS_SHAPE
#ifdef AMPHISTO_GPU
#include "vectors_gpu.cl"
#else
#include "vectors_cpu.cl"
#endif
#endif

/* Counts U and V in a plane for each slice of the frame's rows. */
kernel COUNTING_GROUP void
count_vectors (global uint *plane0, global uint *plane1, global uint *plane2,
    constant frame_params *params, constant vectorscope_params *vectorscope,
    PART *part, global uint *counts)
{
  count_part (planes_at (plane0, plane1, plane2, plane0, params->source),
      params, vectorscope, part, counts);
}

OUTLINE void
make_light (constant vectorscope_params *vectorscope, const global uint *counts,
    OWN row_memory *own, global uint *light, row_range rows)
{
  FOR_ROWS (row, rows)
    make_row_light (vectorscope, counts, row,
        cell_kind (vectorscope, vectorscope->size - 1 - row), own,
        light + row * vectorscope->scope.panel_width / 4);
}

/* Adds up the planes of all slices and stores their light. */
kernel GROUP void
merge_vectors (constant vectorscope_params *vectorscope,
    const global uint *counts, global uint *light)
{
  OWN row_memory own;

  make_light (vectorscope, counts, &own, light, own_rows (vectorscope->size));
}

#endif
