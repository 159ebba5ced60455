/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "suite.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SKIPPED 77

/* GLib ends the process by SIGTRAP at a fatal warning. LLVM, which PoCL loads,
 * installs a handler that returns, so the process would survive warnings and
 * criticals, also of leaks at exit. gst-check's handlers ignore fatal ones. */
static void
abort_at_warnings (const gchar *domain, GLogLevelFlags level,
    const gchar *message, gpointer user_data)
{
  g_log_default_handler (domain, level, message, user_data);
  if (level & (G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL))
    abort ();
}

static guint n_begun, n_ended;

void
suite_begin_test (void)
{
  table_rows_forget ();
  n_begun++;
}

void
suite_end_test (void)
{
  if (++n_ended == n_begun)
    gst_task_cleanup_all ();
}

/* Whether the loader has loaded the layers that the environment requests
 * (../layers). */
static gboolean
has_layers (void)
{
  const gchar *names = g_getenv ("OPENCL_LAYERS");
  g_auto (GStrv) layers = g_strsplit (names != NULL ? names : "", ":", -1);

  for (guint i = 0; layers[i] != NULL; i++)
    if (dlopen (layers[i], RTLD_NOW | RTLD_NOLOAD) == NULL)
      return FALSE;
  return TRUE;
}

/* Returns: (transfer full): an amphisto with an open device, or NULL. */
static GstElement *
open_device (void)
{
  GstElement *element = gst_element_factory_make ("amphisto", NULL);

  if (gst_element_set_state (element, GST_STATE_READY)
      == GST_STATE_CHANGE_SUCCESS)
    return element;
  gst_object_unref (element);
  return NULL;
}

static void
close_device (GstElement *element)
{
  if (element == NULL)
    return;
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
}

/* Whether the device stays open between cases, so that they share the programs
 * that it has built. OpenCL does not survive their fork(). */
static gboolean
keeps_device_open (void)
{
  return g_strcmp0 (g_getenv ("CK_FORK"), "no") == 0
      && g_strcmp0 (g_getenv ("AMPHISTO_TEST_DEVICE"), "closed") != 0;
}

static const gchar *const complaints[] = { NULL, "There is no OpenCL device.",
  "The OpenCL loader takes no layers." };

/* Returns: the index of the complaint about what the tests lack; 0: nothing.
 * element: with its device open, or NULL. */
static gint
find_missing (const GstElement *element)
{
  return element == NULL ? 1 : !has_layers () ? 2 : 0;
}

/* The same, without opening a device in this process. */
static gint
find_missing_apart (void)
{
  const pid_t child = fork ();
  int status = 1;

  if (child == 0) {
    GstElement *element = open_device ();

    status = find_missing (element);
    close_device (element);
    _exit (status);
  }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1;
}

gint
run_suite (gint argc, gchar **argv, const gchar *name, Suite *(*suite) (void) )
{
  GstElementFactory *factory;
  GstElement *holder = NULL;
  gint missing, n_failed;

  gst_check_init (&argc, &argv);
  g_log_set_default_handler (abort_at_warnings, NULL);
  factory = gst_element_factory_find ("amphisto");
  g_assert_nonnull (factory);
  gst_object_unref (factory);
  if (keeps_device_open ()) {
    holder = open_device ();
    missing = find_missing (holder);
  } else {
    missing = find_missing_apart ();
  }
  if (missing != 0) {
    g_printerr ("%s\n", complaints[missing]);
    close_device (holder);
    return SKIPPED;
  }
  n_failed = gst_check_run_suite (suite (), name, __FILE__);
  if (n_ended < n_begun) { /* GStreamer would wait for elements that play */
    fflush (NULL);
    _exit (n_failed);
  }
  close_device (holder);
  return n_failed;
}
