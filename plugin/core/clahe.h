/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Contrast limited adaptive histogram equalization (Zuiderveld, Graphics Gems
 * IV) in plain C: the reference that the kernels are held against. Of grey
 * frames of full range it is OpenCV's createCLAHE (clip_limit, (tiles_x,
 * tiles_y)).apply (), bit for bit.
 *
 * Floats are float32, each operation rounded half to even.
 */

#ifndef AMPHISTO_CORE_CLAHE_H
#define AMPHISTO_CORE_CLAHE_H

#include "core/frame.h"
#include "core/smooth.h"
#include "cl/clahe_params.h"

typedef struct
{
  /* 1 to 64 */
  uint32_t tiles_x;
  uint32_t tiles_y;
  /* How often more than its share a tile's value may count; 0: as often as it
   * occurs. */
  double clip_limit;
} AmphistoClahe;

/* Fills in all but n_parts, for frames of the layout, which must not be empty.
 */
void amphisto_clahe_fill_params (const AmphistoClahe *clahe,
    const AmphistoLayout *layout, clahe_params *params);

uint32_t amphisto_clahe_n_tiles (const clahe_params *params);

/* Whether the tiles have each pixel of the layout's frames once. */
bool amphisto_clahe_fits (
    const AmphistoClahe *clahe, const AmphistoLayout *layout);

/* Counts the luma of each tile: `bins`, a histogram for each, in sum tile_width
 * * tile_height, what is mirrored counted in. */
void amphisto_clahe_count (const AmphistoFrame *frame,
    const clahe_params *params, uint32_t bins[][AMPHISTO_N_BINS]);

/* Makes a LUT of each tile's bins. With n = tile_width * tile_height, what of
 * the bins exceeds params->limit is cut off; 256 of it at a time are added to
 * every bin, of the rest r one to each of r bins, max (256 / r, 1) apart from
 * the first. With CDF that of the bins then,
 *
 *   LUT[i] = min (lo + rint (float (CDF (i)) * (float (hi - lo) / n)), hi) */
void amphisto_clahe_luts (const AmphistoLayout *layout,
    const clahe_params *params, const uint32_t bins[][AMPHISTO_N_BINS],
    uint8_t luts[][AMPHISTO_N_BINS]);

/* Writes `source`, equalized, to `target`, as amphisto_equalize_apply() does. A
 * pixel's luma v becomes r, what the LUTs of the four tiles whose centres are
 * next to it make of it, interpolated between these, then, with `strength` 0 to
 * 1, rint (v + strength * float (r - v)). */
void amphisto_clahe_apply (const AmphistoFrame *source,
    const AmphistoFrame *target, const clahe_params *params,
    const uint8_t luts[][AMPHISTO_N_BINS], float strength);

/* All of it. If `means` is not NULL, it has as many floats as the tiles have
 * bins, the LUTs are made from them, and they move on with the frame.
 *
 * Returns: FALSE if there is no memory for the tiles; nothing is written then.
 */
bool amphisto_clahe_equalize (const AmphistoClahe *clahe,
    const AmphistoFrame *source, const AmphistoFrame *target, float strength,
    AmphistoSmoothing smoothing, float *means);

#endif
