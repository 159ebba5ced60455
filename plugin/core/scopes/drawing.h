/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The components that scopes are drawn into, and the matrix from light to their
 * samples.
 */

#pragma once

#include "core/pixels/frame.h"
#include "cl/drawing_params.h"

/* Stores the parameters for frames of the layout; offsets and strides of planes
 * are 0. */
void amphisto_drawing_fill_params (
    const AmphistoLayout *layout, drawing_params *drawing);

/* Rows of a block: SCOPE_ROWS or SCOPE_MAX_ROWS. Scopes consist of whole
 * blocks, and blocks hold only whole samples of every component. */
uint32_t amphisto_drawing_rows (const AmphistoLayout *layout);

/* The least width of a line, in pixels. In frames with fields, it is two: a
 * line of one row would be in one field only, and flicker. */
uint32_t amphisto_drawing_least_line (const AmphistoLayout *layout);
