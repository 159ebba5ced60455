/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The cells of the vectorscope: their span and brightness.
 */

#ifndef AMPHISTO_CELLS_CL
#define AMPHISTO_CELLS_CL

#ifndef AMPHISTO_VECTORSCOPE_PARAMS_H
#include "vectorscope_params.h"
#endif
#ifndef AMPHISTO_PACKED_UCHAR_CL
#include "packed_uchar.cl"
#endif

/* 1 if column or row i of cells spans one more value than the narrowest ones,
 * otherwise 0. */
INLINE uint
cell_kind (constant vectorscope_params *vectorscope, uint i)
{
  const uint size = vectorscope->size;
  const uint first = (i * AMPHISTO_N_BINS + size - 1) / size;
  const uint end = ((i + 1) * AMPHISTO_N_BINS + size - 1) / size;

  return end - first - AMPHISTO_N_BINS / size;
}

/* The cell of pixel i of the plot. */
INLINE uint
cell_at (constant vectorscope_params *vectorscope, uint i)
{
  return i * vectorscope->size / vectorscope->scope.plot_width;
}

INLINE uint
cell_brightness (constant vectorscope_params *vectorscope, uint row_kind,
    uint column, uint count)
{
  const uint kind = row_kind + cell_kind (vectorscope, column);

  return ((constant uchar *) vectorscope->brightness[kind])[count];
}

#endif
