/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The tests of a program: functions, in a table that the main program runs.
 */

#pragma once

#include "assertions.h"

typedef struct
{
  const gchar *path; /* NULL: no more tests */
  void (*run) (void);
} CoreTest;

extern const CoreTest core_tests[];
