/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "assertions.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- rows --- */

#define MAX_LOOPS 4

static _Thread_local struct
{
  const char *table; /* a literal */
  gsize i;
} rows[MAX_LOOPS];
static _Thread_local guint n_rows;

/* GLib's assertions end in abort(), which goes on when this returns. */
static void
on_abort (int number)
{
  (void) number;
  table_rows_print ();
}

gboolean
table_row (const char *table, gsize i, gsize n)
{
  guint loop = 0;

  if (i == 0)
    signal (SIGABRT, on_abort); /* drivers install handlers, too */
  while (loop < n_rows && rows[loop].table != table)
    loop++;
  n_rows = loop;
  if (i < n && loop < MAX_LOOPS) {
    rows[loop].table = table;
    rows[loop].i = i;
    n_rows++;
  }
  return i < n;
}

void
table_rows_print (void)
{
  char text[256];

  for (guint loop = 0; loop < n_rows; loop++) {
    const int size = snprintf (text, sizeof text,
        "# in %s[%" G_GSIZE_FORMAT "]\n", rows[loop].table, rows[loop].i);

    if (write (STDERR_FILENO, text, (size_t) size) < 0)
      return;
  }
}

void
table_rows_forget (void)
{
  n_rows = 0;
}

/* --- bytes --- */

/* Whole words, too: most are numbers of 32 bits. */
void
assert_same_bytes (const char *file, int line, const char *function,
    const char *name, gconstpointer actual, gsize actual_size,
    gconstpointer expected, gsize expected_size)
{
  const guint8 *a = actual, *e = expected;
  g_autofree char *text = NULL;
  guint32 words[2] = { 0 };
  gsize at = 0;

  while (at < MIN (actual_size, expected_size) && a[at] == e[at])
    at++;
  if (at == actual_size && at == expected_size)
    return;
  if (at / 4 < MIN (actual_size, expected_size) / 4) {
    memcpy (&words[0], a + at / 4 * 4, 4);
    memcpy (&words[1], e + at / 4 * 4, 4);
  }
  text = at == MIN (actual_size, expected_size)
      ? g_strdup_printf ("%s has %" G_GSIZE_FORMAT
                         " bytes, not %" G_GSIZE_FORMAT,
          name, actual_size, expected_size)
      : g_strdup_printf ("byte %" G_GSIZE_FORMAT
                         " of %s is %u, not %u (word %" G_GSIZE_FORMAT
                         ": %u, not %u)",
          at, name, a[at], e[at], at / 4, words[0], words[1]);
  g_assertion_message (G_LOG_DOMAIN, file, line, function, text);
}
