/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How much a test program tries. AMPHISTO_TEST_SIZE in the environment says it;
 * meson's test setups set it.
 */

#pragma once

#include <glib.h>

typedef enum
{
  TEST_SMALL, /* "small": for simulators and valgrind, and drivers that delay */
  TEST_QUICK, /* "quick": each thing once, in formats of each kind */
  TEST_FULL   /* all formats, sizes and rounds */
} TestSize;

static inline TestSize
test_size (void)
{
  const char *size = g_getenv ("AMPHISTO_TEST_SIZE");

  return g_strcmp0 (size, "small") == 0 ? TEST_SMALL
      : g_strcmp0 (size, "quick") == 0  ? TEST_QUICK
                                        : TEST_FULL;
}
