/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <stdint.h>

/* As in GLib, which this layer does not use. */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* The smallest multiple of `unit` that is not less than n. */
static inline uint32_t
round_up (uint32_t n, uint32_t unit)
{
  return (n + unit - 1) / unit * unit;
}
