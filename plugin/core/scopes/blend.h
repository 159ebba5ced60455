/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Blends light into the samples of a frame: the reference for
 * cl/scopes/blend.cl.
 */

#pragma once

#include "core/pixels/frame.h"
#include "cl/drawing_params.h"

/* The light of a pixel: red, green, blue and alpha, 0 to 255. */
typedef struct
{
  uint32_t channel[4];
} AmphistoPixelLight;

/* The light of a block of pixels. Blocks hold only whole samples of every
 * component. */
typedef AmphistoPixelLight AmphistoLightBlock[SCOPE_MAX_ROWS][SCOPE_UNIT];

/* The light of a word of a graticule; see core/scopes/graticule.h. */
AmphistoPixelLight amphisto_light_of (uint32_t word);

/* A word of white light in a colour: red, green and blue, 0 to 255. Shade
 * stays. */
uint32_t amphisto_light_tinted (uint32_t word, const uint32_t colour[3]);

/* Draws a scope's red, green and blue, any numbers, over the light of its
 * graticule: of each, the brighter stays. The graticule's alpha dims the scope.
 */
void amphisto_light_draw_over (
    AmphistoPixelLight *graticule, const uint32_t rgb[3]);

/* Draws a trace over the light of its graticule. Under gridlines, too, it shows
 * in its strongest colours. rgb: of the trace at `brightness`. */
void amphisto_light_draw_trace_over (
    AmphistoPixelLight *graticule, const uint32_t rgb[3], uint32_t brightness);

/* Raises the light's alpha, so that it is opaque from SCOPE_OPAQUE_LIGHT on and
 * hides at least as much as a background of alpha `background`. */
AmphistoPixelLight amphisto_light_on (
    AmphistoPixelLight light, uint32_t background);

/* Blends the light into the frame; no colour may exceed its alpha. A subsampled
 * component gets the mean light of each sample's pixels. x, y: the block's
 * first pixel, multiples of SCOPE_UNIT and amphisto_drawing_rows(). */
void amphisto_blend_block (const drawing_params *drawing,
    const AmphistoLightBlock block, uint32_t x, uint32_t y,
    const AmphistoFrame *frame);
