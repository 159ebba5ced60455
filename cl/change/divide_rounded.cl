/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Divides floats, correctly rounded on every device.
 */

#pragma once

#include "pixels/slices.cl"

/* a / b rounded to the nearest float, for integral a and b from 1 on. Uses
 * integers, because float division of devices may be off by two units of the
 * lowest bit. */
NOINLINE float
divide_rounded (float a, float b)
{
  const int a_exponent = ilogb (a) - 23;
  const int b_exponent = ilogb (b) - 23;
  const ulong dividend = (ulong) ldexp (a, -a_exponent) << 24; /* 48 bits */
  const ulong divisor = (ulong) ldexp (b, -b_exponent);        /* 24 bits */
  /* a quotient of 24 bits */
  const int excess = dividend >= divisor << 24 ? 1 : 0;
  const ulong unit = divisor << excess;
  const ulong quotient = dividend / unit;
  const ulong rest = dividend % unit;
  /* no tie: an odd number of 25 bits would divide a */
  const bool up = rest * 2 > unit;

  return ldexp (
      (float) (uint) (quotient + up), excess - 24 + a_exponent - b_exponent);
}
