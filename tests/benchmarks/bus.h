/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The throughput of the device's bus: plain copies of pinned host memory.
 */

#pragma once

#include "bench.h"

#include <stddef.h>

/* Copies `up` bytes per frame to the device and, at the same time on a second
 * queue, `down` bytes from it. Either may be 0. The device is the one that
 * AMPHISTO_DEVICE names.
 *
 * Returns: (transfer full): a contender. */
Contender *bus_new (gsize up, gsize down);
