/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The planes of a frame that a plan reads, writes and copies.
 */

#pragma once

#include "core/plan.h"

/* Stores the masks of planes in the plan. Regions, stages and drawing must be
 * planned. */
void amphisto_planes_plan (AmphistoPlan *plan);
