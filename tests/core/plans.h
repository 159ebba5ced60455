/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The divisions of a CPU and of a GPU, and what plans do to planes.
 */

#pragma once

#include "core/plan.h"

#include <glib.h>

/* Short names for tables. */
#define GLOBAL AMPHISTO_EQUALIZATION_GLOBAL
#define MATCH AMPHISTO_EQUALIZATION_MATCH
#define STRETCH AMPHISTO_EQUALIZATION_STRETCH
#define CLAHE AMPHISTO_EQUALIZATION_CLAHE
#define ZEBRA AMPHISTO_EXPOSURE_ZEBRA
#define FALSE_COLOR AMPHISTO_EXPOSURE_FALSE_COLOR
#define GAMUT AMPHISTO_EXPOSURE_GAMUT

#define STAGE(name) (1u << AMPHISTO_STAGE_##name)

extern const AmphistoDivision cpu, gpu;

/* Masks of planes, as in the plan. */
void assert_planes (const AmphistoPlan *plan, guint read, guint written,
    guint copied, guint needs_separate_target);
