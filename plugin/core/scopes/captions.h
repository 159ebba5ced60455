/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The text around the plots of waveform and histogram: the letters of the
 * channels, with their numbers, in a row above each plot, and the figures of
 * the axis at its left or below it. No text is where a sample can be.
 */

#pragma once

#include "core/scopes/scope.h"

/* Stores what figures and letters depend on besides sizes: the channels and the
 * unit. */
void amphisto_captions_init (
    const AmphistoScopeWork *work, scope_params *scope);

/* The position of tick i on the axis, in 1/65536 of its length. */
uint32_t amphisto_captions_tick (
    const AmphistoScopeWork *work, const scope_params *scope, uint32_t i);

/* Whether codes beyond the first and the last tick are on the axis, which then
 * have gridlines. length: of the axis, in pixels. */
bool amphisto_captions_have_limits (const scope_params *scope, uint32_t length);

/* Rows of text, and the space between it and the plot. */
uint32_t amphisto_captions_row (const scope_params *scope);

/* Takes a row of text from the `room` rows for the plot of a panel, if enough
 * are left for the plot.
 *
 * Returns: whether there was room. */
bool amphisto_captions_take_row (const scope_params *scope, uint32_t *room);

/* Whether the letters of a panel fit into the plot's width. */
bool amphisto_captions_letters_fit (const scope_params *scope);

/* Places the letters and, if there is room for them, the numbers of the
 * channels, whose glyphs are below the scope from column glyphs_left on.
 * Requires scope->has_letters, and glyph_rows for other glyphs there. */
void amphisto_captions_place (
    const AmphistoScopeWork *work, scope_params *scope, uint32_t glyphs_left);

/* Draws the glyphs of numbers below the scope. */
void amphisto_captions_draw_glyphs (
    const scope_params *scope, AmphistoGraticule *graticule);

/* Copies the numbers of all channels from there to their places. */
void amphisto_captions_draw_numbers (const scope_params *scope,
    const AmphistoScopeInput *input, AmphistoGraticule *graticule);

/* Draws the letters of a panel in row scope->letters_top, from the plot's left
 * end on. The panel begins at the graticule's (left, top). */
void amphisto_captions_draw_letters (
    const scope_params *scope, uint32_t panel, AmphistoGraticule *graticule);

/* A figure: the columns, or for an upright axis the rows, of the panel that its
 * text takes. */
typedef struct
{
  const char *text;
  int begin;
  int end;
} AmphistoFigure;

/* Stores the figures of a panel's axis, each in the middle of its tick, but
 * inside the panel's margin: as many as the axis' length asks for, fewer if
 * they have too little room.
 *
 * Returns: their number; 0: none has room. */
uint32_t amphisto_captions_figures (const scope_params *scope, uint32_t panel,
    bool is_upright, AmphistoFigure figures[SCOPE_N_TICKS]);

/* The columns of the widest figure of a panel. */
uint32_t amphisto_captions_width (const scope_params *scope, uint32_t panel);

/* Whether a panel has U and V alone, whose axis has 0 in the middle. */
bool amphisto_captions_are_signed (const scope_params *scope, uint32_t panel);

/* Whether figures of these panels are the same: per cent of U and V have signs.
 */
bool amphisto_captions_are_same (
    const scope_params *scope, uint32_t panel, uint32_t other);
