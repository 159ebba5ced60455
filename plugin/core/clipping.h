/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Zebra and false colour, which show in the picture itself where it is dark or
 * bright: their parameters, and the reference for cl/clipping.cl.
 */

#ifndef AMPHISTO_CORE_CLIPPING_H
#define AMPHISTO_CORE_CLIPPING_H

#include "core/overlay.h"
#include "cl/clipping_params.h"
#include "cl/drawing_params.h"

/* The colour of luma `v` in false colour, r | g << 8 | b << 16, of luma with
 * the range [lo, hi]. Of the range, 0 % and less up to 2 % are purple, up to
 * 8 % blue, 38 to 42 % green, 52 to 56 % pink, 92 to 98 % yellow, and from
 * there on red; the rest is the grey that it is. */
uint32_t amphisto_clipping_light (uint8_t lo, uint8_t hi, uint8_t v);

/* Stores the parameters for frames of the layout, with what is drawn into;
 * `phase` is 0. Grey layouts have no false colour. If there is nothing to draw,
 * neither has_bands nor has_zebra is set. */
void amphisto_clipping_fill_params (const AmphistoOverlay *overlay,
    const AmphistoLayout *layout, const drawing_params *drawing,
    clipping_params *params);

/* Draws into `target` what `source`, which has the same layout and may be the
 * same frame, shows: false colour in place of the picture, and stripes on top.
 * A chroma sample gets the rounded mean of its pixels; at odd edges of the
 * frame, the last column or row counts for those that are missing. */
void amphisto_clipping_draw (const drawing_params *drawing,
    const clipping_params *params, const AmphistoFrame *source,
    const AmphistoFrame *target);

#endif
