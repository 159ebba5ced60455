/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Where in the picture the scopes are: side by side along one of its edges.
 */

#ifndef AMPHISTO_CORE_SCOPES_H
#define AMPHISTO_CORE_SCOPES_H

#include "core/graticule.h"
#include "core/overlay.h"

/* A rectangle of panels_x by panels_y panels, all of one size; 0 by 0 if the
 * scope is not drawn. x and y are its first pixel, in what is drawn into. It
 * begins and ends at multiples of OVERLAY_UNIT and of the rows of a block. */
typedef struct
{
  uint32_t x;
  uint32_t y;
  uint32_t panel_width;
  uint32_t panel_height;
  uint32_t panels_x;
  uint32_t panels_y;
} AmphistoScopePlace;

typedef struct
{
  AmphistoScopePlace histogram;
  AmphistoScopePlace waveform;
  AmphistoScopePlace vectorscope;
} AmphistoScopePlaces;

/* Stores the places of the scopes that are asked for, in pictures of the layout
 * of which `n_channels` channels are shown: from the corner along the edge,
 * histogram, waveform, vectorscope. Each is as large as asked for, but legible
 * and within the picture; a scope that has no room beside those before it, or
 * nothing to show, is left out. */
void amphisto_scopes_place (const AmphistoOverlay *overlay,
    const AmphistoLayout *layout, uint32_t n_channels,
    AmphistoScopePlaces *places);

/* Light of what is drawn into graticules. */
#define AMPHISTO_SCOPE_FRAME AMPHISTO_LIGHT (88, 88, 88)
#define AMPHISTO_SCOPE_QUARTER AMPHISTO_LIGHT (44, 44, 44)
#define AMPHISTO_SCOPE_LIMIT AMPHISTO_LIGHT (168, 112, 16)
#define AMPHISTO_SCOPE_TEXT AMPHISTO_LIGHT (160, 160, 160)

#define AMPHISTO_SCOPE_BOX AMPHISTO_LIGHT (128, 128, 128)

/* The size of a plot of 256 values, for which there are `most` pixels: if it
 * takes little away, a multiple of 256, so that all values are equally large.
 */
uint32_t amphisto_scope_plot_size (uint32_t most);

/* The width of rules in a panel, in pixels. Frames with fields have no lines of
 * a single row, which would be in one of the fields alone, and flicker. */
uint32_t amphisto_scope_rule (
    const AmphistoLayout *layout, uint32_t width, uint32_t height);

/* The scale of text in a panel of `height` rows whose rules are `rule` pixels
 * wide: letters have no thinner strokes. */
uint32_t amphisto_scope_text_scale (uint32_t height, uint32_t rule);

/* Stores the light, 0 to 255, of cells with n = 0 to 255 samples, a byte each
 * in words from the lowest byte on:
 *
 *   n (255 + half / 256) / (n + half / 256)
 *
 * It grows with n, the less the brighter the cell is already. About half / 256
 * samples make half of the light. */
void amphisto_scope_fill_brightness (
    uint64_t half, uint32_t brightness[AMPHISTO_N_BINS / 4]);

#endif
