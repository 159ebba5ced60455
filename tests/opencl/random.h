/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random cases, the same in every run.
 */

#pragma once

#include "cases.h"

/* Draws the settings of all subjects, with scopes and exposure in one frame of
 * three. `state`: of the reference before the frame. */
void case_draw_settings (
    Case *c, const AmphistoReferenceState *state, guint32 *random);

/* Adds n regions of interest inside the frame. */
void case_add_regions (Case *c, guint n, guint32 *random);

/* Checks frames of n patterns, each in place and into another frame, in turn
 * with the shape's other path. Everything else is random. */
void case_check_size (CaseRunner *self, GstVideoFormat format, guint width,
    guint height, guint n_patterns);
