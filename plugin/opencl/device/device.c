/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/device/device.h"
#include "opencl/device/host.h"
#include "opencl/device/log.h"
#include "opencl/device/query.h"

#include <stdlib.h>
#include <unistd.h>

/* How long a device other than a CPU stays open without users. */
#define KEEP_TIME (10 * G_TIME_SPAN_SECOND)

/* How long the process waits at its exit for a device that is being closed. */
#define EXIT_TIME (2 * G_TIME_SPAN_SECOND)

GMutex amphisto_cl_drivers_lock;

/* Devices that are open and not lost, in use or idle. */
static struct
{
  GMutex lock;
  GHashTable *devices; /* cl_device_id -> AmphistoClDevice */
  GCond changed;
  gint closer; /* the process with a thread that closes idle devices, or 0 */
  gboolean is_closing; /* that thread calls the driver */
  gboolean is_exiting; /* it must not any more */
} table;

static void
release_program (gpointer program)
{
  amphisto_cl_check_release (clReleaseProgram (program), "a program");
}

/* Don't call with a lock. */
static void
device_free (AmphistoClDevice *device)
{
  AMPHISTO_CL_LOG (DEBUG, "closing \"%s\"", device->name);
  if (device->copiers != NULL)
    g_thread_pool_free (device->copiers, FALSE, TRUE);
  g_clear_pointer (&device->helpers, amphisto_cl_helpers_free);
  amphisto_cl_host_clear_device (device);
  /* releasing fails only for invalid objects: nothing can be done then */
  for (guint i = 0; i < AMPHISTO_CL_N_EMPTY; i++)
    if (device->empty_frame[i] != NULL)
      amphisto_cl_check_release (
          clReleaseMemObject (device->empty_frame[i]), "a buffer");
  g_hash_table_unref (device->built.programs);
  g_hash_table_unref (device->built.kernels);
  g_mutex_lock (&amphisto_cl_drivers_lock);
  if (device->context != NULL)
    amphisto_cl_check_release (clReleaseContext (device->context), "a context");
  g_mutex_unlock (&amphisto_cl_drivers_lock);
  g_mutex_clear (&device->imported.lock);
  g_mutex_clear (&device->built.lock);
  g_rec_mutex_clear (&device->build_lock);
  g_free (device->name);
  g_free (device);
}

/* Call with amphisto_cl_drivers_lock held.
 *
 * Returns: FALSE with NOT_FOUND or CALL. */
static gboolean
make_context (
    AmphistoClDevice *device, const AmphistoClDeviceId *which, GError **error)
{
  const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM,
    (cl_context_properties) which->platform, 0 };
  cl_int status;

  if (!amphisto_cl_query (device, which, error))
    return FALSE;
  device->context =
      clCreateContext (properties, 1, &device->id, NULL, NULL, &status);
  if (!amphisto_cl_check (status, "clCreateContext", error))
    return FALSE;
  amphisto_cl_query_log (device);
  return TRUE;
}

static AmphistoClDevice *
device_new (const AmphistoClDeviceId *which)
{
  static guint number = 0;
  AmphistoClDevice *device = g_new0 (AmphistoClDevice, 1);

  device->ref_count = 1;
  device->number = ++number;
  device->process = getpid ();
  device->id = which->inline_id != NULL ? which->inline_id : which->id;
  device->name = g_strdup (which->name);
  g_rec_mutex_init (&device->build_lock);
  g_mutex_init (&device->built.lock);
  device->built.programs =
      g_hash_table_new_full (NULL, NULL, NULL, release_program);
  device->built.kernels = g_hash_table_new (NULL, NULL);
  g_mutex_init (&device->pinned.lock);
  g_mutex_init (&device->pinned.queue_lock);
  g_mutex_init (&device->imported.lock);
  return device;
}

/* --- the table --- */

/* Call the functions below with the table's lock held. */

static gboolean
is_open (const AmphistoClDevice *device)
{
  return table.devices != NULL
      && g_hash_table_lookup (table.devices, device->id) == device;
}

static void
remove_device (AmphistoClDevice *device)
{
  if (is_open (device))
    g_hash_table_remove (table.devices, device->id);
  if (table.devices != NULL && g_hash_table_size (table.devices) == 0)
    g_clear_pointer (&table.devices, g_hash_table_unref);
}

static void
add_device (AmphistoClDevice *device)
{
  if (table.devices == NULL)
    table.devices = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (table.devices, device->id, device);
}

/* Drivers have no threads in a child of fork(): it opens devices anew, and
 * leaves those of its parent as they are. */
static AmphistoClDevice *
find_device (cl_device_id id)
{
  AmphistoClDevice *device =
      table.devices != NULL ? g_hash_table_lookup (table.devices, id) : NULL;

  return device != NULL && device->process == getpid () ? device : NULL;
}

/* --- idle devices --- */

/* Returns: the idle device to close first, or NULL. */
static AmphistoClDevice *
find_idle (void)
{
  AmphistoClDevice *first = NULL, *device;
  GHashTableIter iter;

  if (table.devices == NULL)
    return NULL;
  g_hash_table_iter_init (&iter, table.devices);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &device))
    if (g_atomic_int_get (&device->ref_count) == 0
        && device->idle_until < G_MAXINT64 && device->process == getpid ()
        && (first == NULL || device->idle_until < first->idle_until))
      first = device;
  return first;
}

/* A thread: closes idle devices when their time has come, until none is left.
 */
static gpointer
close_idle (gpointer data)
{
  AmphistoClDevice *device;

  g_mutex_lock (&table.lock);
  while (!table.is_exiting && (device = find_idle ()) != NULL) {
    if (g_get_monotonic_time () < device->idle_until) {
      g_cond_wait_until (&table.changed, &table.lock, device->idle_until);
      continue;
    }
    remove_device (device);
    table.is_closing = TRUE;
    g_mutex_unlock (&table.lock);
    device_free (device);
    g_mutex_lock (&table.lock);
    table.is_closing = FALSE;
    g_cond_broadcast (&table.changed);
  }
  table.closer = 0;
  g_mutex_unlock (&table.lock);
  return data;
}

/* At the exit of the process, the driver may be gone when the time has come.
 * Registered after the driver was loaded, so that this runs before the driver's
 * own functions. */
static void
stop_closing (void)
{
  const gint64 end = g_get_monotonic_time () + EXIT_TIME;

  g_mutex_lock (&table.lock);
  table.is_exiting = TRUE;
  while (
      table.is_closing && g_cond_wait_until (&table.changed, &table.lock, end))
    continue;
  g_mutex_unlock (&table.lock);
}

static void
start_closer (void)
{
  static gboolean is_registered;
  GThread *thread;

  if (!is_registered)
    is_registered = atexit (stop_closing) == 0;
  if (table.closer == getpid ())
    return;
  thread = g_thread_try_new ("amphisto-idle", close_idle, NULL, NULL);
  if (thread == NULL) /* the device stays open */
    return;
  table.closer = getpid ();
  g_thread_unref (thread);
}

/* Returns: the microseconds that the device stays open without users, or
 * G_MAXINT64. */
static gint64
keep_time (const AmphistoClDevice *device)
{
  const char *seconds = g_getenv (AMPHISTO_CL_KEEP_OPEN);

  if (seconds != NULL && g_ascii_isdigit (*seconds))
    return MIN (g_ascii_strtoll (seconds, NULL, 10), G_MAXINT32)
        * G_TIME_SPAN_SECOND;
  return device->is_cpu ? G_MAXINT64 : KEEP_TIME;
}

/* The last user is gone.
 *
 * Returns: whether to free the device. */
static gboolean
rest (AmphistoClDevice *device)
{
  const gint64 time = keep_time (device);

  if (!is_open (device) || time == 0) {
    remove_device (device);
    return device->process == getpid ();
  }
  device->idle_until =
      time < G_MAXINT64 ? g_get_monotonic_time () + time : G_MAXINT64;
  if (time < G_MAXINT64)
    start_closer ();
  return FALSE;
}

/* --- users --- */

AmphistoClDevice *
amphisto_cl_device_open (const AmphistoClDeviceId *which, GError **error)
{
  AmphistoClDevice *device;
  gboolean ok;

  g_mutex_lock (&amphisto_cl_drivers_lock);
  g_mutex_lock (&table.lock);
  device =
      find_device (which->inline_id != NULL ? which->inline_id : which->id);
  if (device != NULL)
    g_atomic_int_inc (&device->ref_count);
  g_mutex_unlock (&table.lock);
  ok = device != NULL;
  if (!ok) {
    device = device_new (which);
    ok = make_context (device, which, error);
    g_mutex_lock (&table.lock);
    if (ok)
      add_device (device);
    g_mutex_unlock (&table.lock);
  }
  g_mutex_unlock (&amphisto_cl_drivers_lock);
  if (!ok)
    g_clear_pointer (&device, device_free);
  return device;
}

AmphistoClDevice *
amphisto_cl_device_ref (AmphistoClDevice *device)
{
  g_atomic_int_inc (&device->ref_count);
  return device;
}

/* Returns: FALSE, without unrefing the device, if it might be the last
 * reference. */
static gboolean
unref_other (AmphistoClDevice *device)
{
  gint n = g_atomic_int_get (&device->ref_count);

  while (n > 1) {
    if (g_atomic_int_compare_and_exchange (&device->ref_count, n, n - 1))
      return TRUE;
    n = g_atomic_int_get (&device->ref_count);
  }
  return FALSE;
}

void
amphisto_cl_device_unref (AmphistoClDevice *device)
{
  gboolean is_freed;

  if (unref_other (device))
    return;
  if (device->process == getpid ())
    amphisto_cl_host_trim (device);
  g_mutex_lock (&table.lock);
  is_freed = g_atomic_int_dec_and_test (&device->ref_count) && rest (device);
  g_mutex_unlock (&table.lock);
  if (is_freed)
    device_free (device);
}

void
amphisto_cl_device_mark_lost (AmphistoClDevice *device)
{
  AMPHISTO_CL_LOG (WARNING, "\"%s\" is lost", device->name);
  g_mutex_lock (&table.lock);
  g_atomic_int_set (&device->is_lost, TRUE);
  remove_device (device);
  g_mutex_unlock (&table.lock);
}

gboolean
amphisto_cl_device_is_lost (AmphistoClDevice *device)
{
  return g_atomic_int_get (&device->is_lost);
}
