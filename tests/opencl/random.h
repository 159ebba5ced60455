/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random cases, the same in every run.
 */

#pragma once

#include "cases.h"

/* One frame in three gets scopes, zebra, false colour, or several. `state`: of
 * the reference before the frame. */
void case_add_overlay (
    Case *c, const AmphistoReferenceState *state, guint32 *random);

/* Adds n regions of interest inside the frame. */
void case_add_regions (Case *c, guint n, guint32 *random);

/* Checks frames of n patterns, each in place and into another frame. Everything
 * else is random. */
void case_check_size (CaseRunner *self, GstVideoFormat format, guint width,
    guint height, guint n_patterns);
