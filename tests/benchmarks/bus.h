/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the bus of the device allows: plain copies of pinned host memory.
 */

#ifndef BUS_H
#define BUS_H

#include "bench.h"

#include <stddef.h>

/* A contender that copies `up` bytes a frame to the device, and at the same
 * time, by a queue of their own, `down` bytes from it; 0: none.
 *
 * Returns: (transfer full): the contender, on the device that AMPHISTO_DEVICE
 * names. */
Contender *bus_new (gsize up, gsize down);

#endif
