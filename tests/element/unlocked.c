/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define _GNU_SOURCE /* RTLD_NEXT */
#include "unlocked.h"

#include <dlfcn.h>

static __thread struct
{
  GMutex *mutex; /* NULL: the call has been made, or cancelled */
  guint n;
  void (*function) (gpointer data);
  gpointer data;
} call;

void
unlocked_call (
    GMutex *mutex, guint n, void (*function) (gpointer data), gpointer data)
{
  call.n = n;
  call.function = function;
  call.data = data;
  call.mutex = mutex;
}

gboolean
unlocked_end (void)
{
  const gboolean is_made = call.mutex == NULL;

  call.mutex = NULL;
  return is_made;
}

/* GLib's function */
void
g_mutex_unlock (GMutex *mutex)
{
  static __thread void (*unlock) (GMutex *);

  if (unlock == NULL)
    unlock = dlsym (RTLD_NEXT, "g_mutex_unlock");
  unlock (mutex);
  if (mutex != call.mutex || call.n-- > 0)
    return;
  call.mutex = NULL;
  call.function (call.data);
}
