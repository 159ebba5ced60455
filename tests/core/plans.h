/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The divisions of a CPU and of a GPU, and what plans do to planes.
 */

#pragma once

#include "names.h"

#include <glib.h>

#define STAGE(name) (1u << AMPHISTO_STAGE_##name)

extern const AmphistoDivision cpu, gpu;

/* Masks of planes, as in the plan. */
void assert_planes (const AmphistoPlan *plan, guint read, guint written,
    guint copied, guint needs_separate_target);
