/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "screen.h"

#include <gst/gst.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The screen also ends when a test aborts. */
static void
end_with_parent (gpointer user_data)
{
  (void) user_data;
  prctl (PR_SET_PDEATHSIG, SIGTERM);
}

/* Returns: whether the program exists. */
static gboolean
start (void)
{
  gchar *argv[] = { (gchar *) "Xvfb", (gchar *) "-displayfd", (gchar *) "1",
    (gchar *) "-screen", (gchar *) "0", (gchar *) "640x480x24",
    (gchar *) "-nolisten", (gchar *) "tcp", NULL };
  gchar name[16] = ":";
  gsize length = 1;
  gint output;

  if (!g_spawn_async_with_pipes (NULL, argv, NULL,
          G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL
              | G_SPAWN_DO_NOT_REAP_CHILD,
          end_with_parent, NULL, NULL, NULL, &output, NULL, NULL))
    return FALSE;
  while (length < sizeof name - 1 && read (output, name + length, 1) == 1
      && name[length] != '\n')
    length++;
  close (output);
  name[length] = '\0';
  g_setenv ("DISPLAY", name, TRUE);
  return length > 1;
}

void
screen_init (int *argc, char ***argv)
{
  g_test_init (argc, argv, NULL);
  if (!start ()) {
    g_print ("1..0 # SKIP the program Xvfb is missing\n");
    exit (0);
  }
  gst_init (argc, argv);
}
