/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Draws the histogram's graph in plain C: the reference for cl/curves.cl and
 * cl/overlay.cl.
 */

#ifndef AMPHISTO_CORE_DRAW_H
#define AMPHISTO_CORE_DRAW_H

#include "core/drawing.h"
#include "core/graticule.h"
#include "core/overlay.h"

/* The scope's decaying scale, kept from frame to frame: for each panel, the
 * number of samples at the top of the plot. The target is the tallest bin
 * between black and white, or of all bins if those in between are empty. The
 * scale rises to it at once, and decays to it by a sixteenth of the difference
 * each frame. Taller bins of black and white are cut off. */
typedef struct
{
  uint32_t peak[AMPHISTO_MAX_SLOTS];
} AmphistoOverlayState;

/* log2 (n + 1) in 1/1024, for n < 2^32 - 1. Monotonic; approximated by a
 * parabola between powers of two, with an error below 1/100. */
uint32_t amphisto_overlay_log (uint32_t n);

/* Draws the graph of `bins`, one histogram per slot, into the frame, and
 * updates `state`. captions: see amphisto_captions_init(). Leaves alpha,
 * padding and pixels outside the graph alone. */
void amphisto_overlay_draw (const drawing_params *drawing,
    const overlay_params *params, const AmphistoGraticule *captions,
    const uint32_t bins[][AMPHISTO_N_BINS], AmphistoOverlayState *state,
    const AmphistoFrame *frame);

#endif
