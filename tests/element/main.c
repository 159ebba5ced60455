/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "size.h"
#include "suite.h"

/* gst-check's would look for names with formats in GST_CHECKS. */
#undef _tcase_add_test

/* Adds the test with this __i__, under a name that failures print. */
static void
add_nth (TCase *tc, const ElementTest *test, gint i)
{
  g_autofree gchar *name = test->is_of_formats
      ? g_strconcat (test->name, " of ", picture_formats[i].name, NULL)
      : g_strdup (test->name);

  _tcase_add_test (tc, test->run, g_intern_string (name), 0, 0, i, i + 1);
}

static void
add_test (TCase *tc, const ElementTest *test)
{
  const gint step = test_size () < TEST_FULL ? test->quick_step : 1;

  if (test->run == NULL)
    tcase_add_checked_fixture (tc, test->setup, test->teardown);
  else if (_gst_check_run_test_func (test->name))
    for (gint i = test->first; i < test->end; i += step)
      add_nth (tc, test, i);
}

static Suite *
tests_suite (void)
{
  Suite *suite = suite_create (g_get_prgname ());
  TCase *tc = tcase_create ("tests");

  suite_add_tcase (suite, tc);
  for (const ElementTest *test = element_tests; test->name != NULL; test++)
    add_test (tc, test);
  return suite;
}

int
main (int argc, char **argv)
{
  g_autofree gchar *name = g_path_get_basename (argv[0]);

  g_set_prgname (name);
  return run_suite (argc, argv, name, tests_suite);
}
