/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The planes of a frame that a plan reads, writes and copies, and the rows that
 * its kernels use. A device with memory of its own needs no other rows, and
 * changes no other.
 */

#pragma once

#include "core/plan.h"

/* Stores planes and rows in the plan. All else but sizes and needs must be
 * planned. */
void amphisto_planes_plan (AmphistoPlan *plan);
