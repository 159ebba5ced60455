/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Assertions that say where they fail: in which row of a table, at which byte.
 */

#pragma once

#include <glib.h>

/* Whether `i` is a row of the table, an array: in the condition of a loop
 * without `break` and `return`. An assertion that fails in the loop prints the
 * row, as "cases[3]". */
#define IS_ROW(table, i) table_row (#table, i, G_N_ELEMENTS (table))

gboolean table_row (const char *table, gsize i, gsize n);

/* Prints the rows of this thread's loops, the outer ones first. */
void table_rows_print (void);

/* Forgets the rows of a test that has failed. */
void table_rows_forget (void);

/* GLib's says only that the bytes differ. */
#undef g_assert_cmpmem
#define g_assert_cmpmem(actual, actual_size, expected, expected_size)          \
  assert_same_bytes (__FILE__, __LINE__, G_STRFUNC, #actual, actual,           \
      actual_size, expected, expected_size)

void assert_same_bytes (const char *file, int line, const char *function,
    const char *name, gconstpointer actual, gsize actual_size,
    gconstpointer expected, gsize expected_size);
