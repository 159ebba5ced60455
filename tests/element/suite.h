/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The tests of a program: functions, in a table that the main program runs.
 */

#pragma once

#include <gst/check/gstcheck.h>

#include "picture.h"
#include "assertions.h"

/* gst-check's writes to a file also if the assertion holds: for each pixel,
 * that takes longer than the test. */
#undef fail_unless
#define fail_unless(expr, ...)                                                 \
  ((expr) ? (void) 0                                                           \
          : (table_rows_print (),                                              \
              _ck_assert_failed (__FILE__, __LINE__,                           \
                  "Assertion '" #expr "' failed", ##__VA_ARGS__, NULL)))

/* All bytes of the pictures are equal. After them, a format and its arguments
 * may say which pictures. */
#define fail_unless_same_picture(actual, expected, ...)                        \
  G_STMT_START                                                                 \
  {                                                                            \
    char difference_[PICTURE_TEXT];                                            \
                                                                               \
    if (picture_differs (actual, expected, difference_)) {                     \
      g_autofree gchar *which_ =                                               \
          g_strchomp (g_strdup_printf (" " __VA_ARGS__));                      \
                                                                               \
      table_rows_print ();                                                     \
      fail ("%s differs from %s%s: %s", #actual, #expected, which_,            \
          difference_);                                                        \
    }                                                                          \
  }                                                                            \
  G_STMT_END

typedef void (*ElementTestFunc) (gint i);

/* A row of the table: a test, or what runs before and after each test. */
typedef struct
{
  const gchar *name; /* NULL: no more rows */
  ElementTestFunc run;
  gint first, end;        /* the test's __i__, `end` excluded */
  gint quick_step;        /* from one __i__ to the next in the quick tier */
  gboolean is_of_formats; /* __i__ is an index of picture_formats */
  void (*setup) (void);
  void (*teardown) (void);
} ElementTest;

/* The program's table, which ends with { 0 }. */
extern const ElementTest element_tests[];

/* Rows: once, `n` times, for each row of a table, for each format. In the quick
 * tier, each third format: there is one of each kind. */
/* clang-format off */
#define RANGE(test, first, end) { #test, test, first, end, 1, FALSE, NULL, NULL }
#define FORMATS(test) { #test, test, 0, PICTURE_N_FORMATS, 3, TRUE, NULL, NULL }
#define FIXTURE(setup, teardown) { "", NULL, 0, 0, 0, FALSE, setup, teardown }
/* clang-format on */
#define ONCE(test) RANGE (test, 0, 1)
#define TIMES(test, n) RANGE (test, 0, n)
#define EACH(test, table) RANGE (test, 0, G_N_ELEMENTS (table))

/* Around each test: waits for GStreamer's threads, unless a test has failed and
 * left its elements playing. */
void suite_begin_test (void);
void suite_end_test (void);

/* Begins a test's definition: its body follows, with __i__ as its parameter. */
#define TEST(name)                                                             \
  static void name##_body (gint __i__);                                        \
  static void name (gint __i__)                                                \
  {                                                                            \
    tcase_fn_start (#name, __FILE__, __LINE__);                                \
    suite_begin_test ();                                                       \
    name##_body (__i__);                                                       \
    suite_end_test ();                                                         \
  }                                                                            \
  static void name##_body (G_GNUC_UNUSED gint __i__)

/* Runs the suite, or skips it without an OpenCL device. Looks for a device in a
 * separate process: every test is a fork, which OpenCL's threads do not
 * survive. */
gint run_suite (
    gint argc, gchar **argv, const gchar *name, Suite *(*suite) (void) );
