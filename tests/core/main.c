/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The main program of all tests here.
 */

#include "suite.h"

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (const CoreTest *test = core_tests; test->path != NULL; test++)
    g_test_add_func (test->path, test->run);
  return g_test_run ();
}
