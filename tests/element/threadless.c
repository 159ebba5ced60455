/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define _GNU_SOURCE /* RTLD_NEXT */
#include "threadless.h"

#include <dlfcn.h>

static gint is_set, n_refused; /* atomic */

void
threadless_set (gboolean is_threadless)
{
  g_atomic_int_set (&n_refused, 0);
  g_atomic_int_set (&is_set, is_threadless);
}

guint
threadless_n_refused (void)
{
  return (guint) g_atomic_int_get (&n_refused);
}

/* --- GLib's functions --- */

GThread *
g_thread_try_new (
    const gchar *name, GThreadFunc func, gpointer data, GError **error)
{
  GThread *(*call) (const gchar *, GThreadFunc, gpointer, GError **) =
      dlsym (RTLD_NEXT, "g_thread_try_new");

  if (!g_atomic_int_get (&is_set))
    return call (name, func, data, error);
  g_atomic_int_inc (&n_refused);
  g_set_error_literal (error, G_THREAD_ERROR, G_THREAD_ERROR_AGAIN,
      "the system has no more threads");
  return NULL;
}

/* As in GLib, it ends the process if there is no thread. */
GThread *
g_thread_new (const gchar *name, GThreadFunc func, gpointer data)
{
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_try_new (name, func, data, &error);

  if (thread == NULL)
    g_error ("%s", error->message);
  return thread;
}
