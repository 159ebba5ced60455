/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Scopes and drawing in frames of a layout, without a plan.
 */

#pragma once

#include "core/scopes/scopes.h"
#include "lights.h"
#include "names.h"

#define BOTH_GRAPHS (HISTOGRAM | WAVEFORM)

/* The properties' defaults, but with these scopes. */
AmphistoScopeSettings settings_with (AmphistoScopes scopes);

/* The work of scopes that measure the whole frame. Counts the layout's channels
 * among `counted`. */
AmphistoScopeWork scope_work_for (const AmphistoScopeSettings *settings,
    const AmphistoLayout *layout, AmphistoChannelMask counted,
    AmphistoChannelMask shown);

/* The parameters of the enabled scopes; see scope_work_for(). */
AmphistoScopeParams placed_scopes (const AmphistoScopeSettings *settings,
    bool has_legend, const AmphistoLayout *layout, AmphistoChannelMask counted,
    AmphistoChannelMask shown);

/* Compares x, y, width and height. */
void assert_place (const scope_params *scope, const uint32_t expected[4]);

/* Whether two scopes have pixels in common. */
bool have_common_pixels (const scope_params *a, const scope_params *b);

bool is_in_scope (const scope_params *scope, uint32_t x, uint32_t y);

/* The parameters of a vectorscope with a graticule, a quarter of the frame
 * high, zoomed by 2^zoom_shift. */
vectorscope_params placed_vectorscope (
    const AmphistoLayout *layout, uint32_t zoom_shift);

/* The parameters for drawing into the whole frame. */
drawing_params drawing_for (const AmphistoLayout *layout);

/* Returns: (transfer full): the scope's trace of the input, or of the frame;
 * free with g_free(). */
void *measured_trace (const AmphistoScope *scope, const scope_params *params,
    const AmphistoScopeInput *input);
void *trace_of_frame (const AmphistoScope *scope, const scope_params *params,
    const AmphistoFrame *frame);

/* The graticule of the scope; free it with amphisto_graticule_clear(). */
AmphistoGraticule graticule_of (
    const AmphistoScope *scope, const scope_params *params);

/* Draws the scope, with its graticule and trace, into the frame. */
void draw_scope (const AmphistoScope *scope, const scope_params *params,
    const void *trace, const AmphistoFrame *frame);

/* The parameters of a waveform; sizes are fractions of the frame's. */
waveform_params placed_waveform (const AmphistoLayout *layout, double width,
    double height, AmphistoDisplay display, AmphistoChannelMask shown,
    bool has_graticule);

/* The parameters of a histogram of all channels whose scale begins anew, and
 * the row below its plot. */
histogram_scope_params placed_histogram (
    const AmphistoScopeSettings *settings, const AmphistoLayout *layout);
uint32_t plot_bottom (const histogram_scope_params *params);

/* The row of a waveform's plot, from its top, with a fraction of the axis:
 * luma's codes 16 to 235 or, in full range, codes from -1 to 255, for U and V
 * of 0. Rows begin with their upper edge. */
double row_of (bool is_limited, uint32_t height, double fraction);
