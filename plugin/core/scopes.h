/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The places of the scopes, side by side along an edge of the picture, and
 * sizes and light that all scopes have in common.
 */

#ifndef AMPHISTO_CORE_SCOPES_H
#define AMPHISTO_CORE_SCOPES_H

#include "core/graticule.h"
#include "core/overlay.h"

/* A rectangle of panels_x by panels_y panels of equal size; 0 by 0 panels if
 * the scope is not drawn. x and y are its first pixel, relative to the area
 * drawn into. Its edges are multiples of OVERLAY_UNIT and of
 * amphisto_drawing_rows(). */
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

/* Stores the places of the requested scopes in pictures of the layout, with
 * `n_channels` channels shown: histogram, waveform, vectorscope, from the
 * corner along the edge. Each has the requested size, but is kept legible and
 * within the picture. Skips scopes that no longer fit, or have nothing to show.
 */
void amphisto_scopes_place (const AmphistoOverlay *overlay,
    const AmphistoLayout *layout, uint32_t n_channels,
    AmphistoScopePlaces *places);

/* The light of graticules. */
#define AMPHISTO_SCOPE_FRAME AMPHISTO_LIGHT (88, 88, 88)
#define AMPHISTO_SCOPE_QUARTER AMPHISTO_LIGHT (44, 44, 44)
#define AMPHISTO_SCOPE_LIMIT AMPHISTO_LIGHT (168, 112, 16)
#define AMPHISTO_SCOPE_TEXT AMPHISTO_LIGHT (160, 160, 160)

#define AMPHISTO_SCOPE_BOX AMPHISTO_LIGHT (128, 128, 128)

/* The size of a plot of 256 values, at most `most` pixels. It is a multiple of
 * 256 if little is lost by that, so that all values are equally wide. */
uint32_t amphisto_scope_plot_size (uint32_t most);

/* The width of gridlines in a panel, in pixels; at least two for frames with
 * fields: a line of one row would be in one field only, and flicker. */
uint32_t amphisto_scope_rule (
    const AmphistoLayout *layout, uint32_t width, uint32_t height);

/* The scale of text in a panel of `height` rows. Strokes of letters are at
 * least as wide as gridlines, `rule` pixels. */
uint32_t amphisto_scope_text_scale (uint32_t height, uint32_t rule);

/* Stores the light, 0 to 255, of cells with n = 0 to 255 samples, a byte each
 * in words from the lowest byte on:
 *
 *   n (255 + half / 256) / (n + half / 256)
 *
 * Each further sample adds less light. About half / 256 samples give half of
 * the light. */
void amphisto_scope_fill_brightness (
    uint64_t half, uint32_t brightness[AMPHISTO_N_BINS / 4]);

#endif
