/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The rows of a frame that a plan's kernels use. A device with memory of its
 * own needs no other rows, and changes no other.
 */

#pragma once

#include "core/plan.h"

/* Stores in the plan the rows of each plane that are used, and that change. All
 * else must be planned. */
void amphisto_rows_plan (AmphistoPlan *plan);
