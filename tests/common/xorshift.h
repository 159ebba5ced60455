/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random numbers of tests.
 */

#pragma once

#include <glib.h>

/* Returns: 32 pseudo-random bits, the same on every machine. The state must not
 * be 0. */
static inline guint32
test_random (guint32 *state)
{
  guint32 x = *state;

  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  *state = x;
  /* Marsaglia's xorshift, mixed because its low bits alone are poor */
  return (x * 0x9e3779b1u) ^ (x >> 15);
}
