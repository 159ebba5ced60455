/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Contrast limited adaptive histogram equalization (Zuiderveld, Graphics Gems
 * IV) in plain C: the reference for cl/clahe_*.cl. On grey frames of full range
 * it equals OpenCV's createCLAHE (clip_limit, (tiles_x, tiles_y)).apply (), bit
 * for bit.
 *
 * Floats are float32, each operation rounded half to even.
 */

#pragma once

#include "core/change/chroma.h"
#include "cl/clahe_params.h"

typedef struct
{
  uint32_t tiles_x; /* 1 to 64 */
  uint32_t tiles_y; /* 1 to 64 */
  /* Maximum of a bin, in multiples of a flat tile histogram's bins; 0, or 256
   * and more: no limit. */
  double clip_limit;
} AmphistoClahe;

/* Stores the parameters for frames of the layout, which must not be empty.
 * Leaves n_slices at 0. */
void amphisto_clahe_fill_params (const AmphistoClahe *clahe,
    const AmphistoLayout *layout, clahe_params *params);

uint32_t amphisto_clahe_n_tiles (const clahe_params *params);

/* Whether the tiles divide frames of the layout without remainder: each pixel
 * is in exactly one tile then, and none is mirrored. */
bool amphisto_clahe_fits (
    const AmphistoClahe *clahe, const AmphistoLayout *layout);

/* Counts the luma of each tile, mirrored pixels included: each histogram in
 * `bins` has tile_width * tile_height samples. */
void amphisto_clahe_count (const AmphistoFrame *frame,
    const clahe_params *params, uint32_t bins[][AMPHISTO_N_BINS]);

/* Makes a LUT from each tile's bins. Bins are clipped to params->limit. The
 * number e of clipped samples is redistributed: e / 256 to each bin, and one
 * more to r = e % 256 bins, max (256 / r, 1) apart, from the first on. With CDF
 * of these bins, and n = tile_width * tile_height,
 *
 *   LUT[i] = min (lo + rint (float (CDF (i)) * (float (hi - lo) / n)), hi) */
void amphisto_clahe_luts (const AmphistoLayout *layout,
    const clahe_params *params, const uint32_t bins[][AMPHISTO_N_BINS],
    uint8_t luts[][AMPHISTO_N_BINS]);

/* Writes `source`, equalized, to `target`, as amphisto_equalize_apply() does.
 * Luma v becomes rint (v + strength * float (r - v)), `strength` 0 to 1, where
 * r is v looked up in the LUTs of the four nearest tiles, interpolated by the
 * distances to their centres. */
void amphisto_clahe_apply (const AmphistoFrame *source,
    const AmphistoFrame *target, const clahe_params *params,
    const uint8_t luts[][AMPHISTO_N_BINS], float strength, uint32_t gain);

/* Counts the tiles, makes their LUTs and applies them. `means`: the temporal
 * mean of each tile's bins, or NULL. If given, it is updated by `smoothing`,
 * and the LUTs are made from it. `colours`: gets the gain, by which colours of
 * RGB are scaled, within the gamut budget; or NULL for AMPHISTO_UNIT_GAIN.
 *
 * Returns: false if memory runs out; nothing is written then. */
bool amphisto_clahe_equalize (const AmphistoClahe *clahe,
    const AmphistoFrame *source, const AmphistoFrame *target, float strength,
    AmphistoSmoothing smoothing, float *means, AmphistoColours *colours);
