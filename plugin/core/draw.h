/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The scope's graph, drawn in plain C: the reference for cl/curves.cl and
 * cl/overlay.cl.
 */

#ifndef AMPHISTO_CORE_DRAW_H
#define AMPHISTO_CORE_DRAW_H

#include "core/drawing.h"
#include "core/graticule.h"
#include "core/overlay.h"

/* The scope's decaying scale, kept from frame to frame: for each panel the
 * count of samples that the plot's height stands for. It rises at once to the
 * tallest bin between black and white (where these are empty, of all bins), and
 * falls to it by a sixteenth of the way with each frame. Bins of black and
 * white may be higher, and are cut off then. */
typedef struct
{
  uint32_t peak[AMPHISTO_MAX_SLOTS];
} AmphistoOverlayState;

/* log2 (n + 1) in 1/1024, for n < 2^32 - 1: a parabola between powers of two,
 * less than 1/100 off, monotonic. */
uint32_t amphisto_overlay_log (uint32_t n);

/* Draws the graph of `bins`, one histogram a slot, into the frame, and moves
 * `state` on. captions: see amphisto_captions_init(). Leaves pixels outside the
 * graph, alpha and padding alone. */
void amphisto_overlay_draw (const drawing_params *drawing,
    const overlay_params *params, const AmphistoGraticule *captions,
    const uint32_t bins[][AMPHISTO_N_BINS], AmphistoOverlayState *state,
    const AmphistoFrame *frame);

#endif
