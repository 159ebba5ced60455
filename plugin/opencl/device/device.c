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

static struct
{
  GMutex lock;
  /* AmphistoClDevice that are open, in use and not lost, or idle */
  GSList *devices;
  GSList *shared; /* AmphistoClShared of all devices, owned */
  GCond changed;
  gint closer; /* the process with a thread that closes idle devices, or 0 */
  gboolean is_closing; /* that thread calls the driver */
  gboolean is_exiting; /* it must not any more */
} table;

/* --- what contexts share --- */

static AmphistoClShared *
shared_new (cl_device_id id)
{
  AmphistoClShared *self = g_new0 (AmphistoClShared, 1);

  self->id = id;
  self->process = getpid ();
  g_rec_mutex_init (&self->build_lock);
  g_mutex_init (&self->imported.lock);
  return self;
}

static void
shared_free (AmphistoClShared *self)
{
  if (self->copiers != NULL)
    g_thread_pool_free (self->copiers, FALSE, TRUE);
  g_rec_mutex_clear (&self->build_lock);
  g_mutex_clear (&self->imported.lock);
  g_free (self);
}

/* Call with the table's lock held. */
static AmphistoClShared *
find_shared (cl_device_id id)
{
  for (GSList *link = table.shared; link != NULL; link = link->next) {
    AmphistoClShared *shared = link->data;

    if (shared->id == id && shared->process == getpid ())
      return shared;
  }
  return NULL;
}

/* Adds a context. */
static AmphistoClShared *
shared_join (cl_device_id id)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&table.lock);
  AmphistoClShared *shared = find_shared (id);

  if (shared == NULL) {
    shared = shared_new (id);
    table.shared = g_slist_prepend (table.shared, shared);
  }
  shared->n_contexts++;
  return shared;
}

/* Removes a context. */
static void
shared_leave (AmphistoClShared *shared)
{
  gboolean is_last;

  g_mutex_lock (&table.lock);
  is_last = --shared->n_contexts == 0;
  if (is_last)
    table.shared = g_slist_remove (table.shared, shared);
  g_mutex_unlock (&table.lock);
  if (is_last)
    shared_free (shared);
}

/* --- contexts --- */

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
  g_mutex_clear (&device->built.lock);
  if (device->home != device)
    amphisto_cl_device_unref (device->home);
  shared_leave (device->shared);
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

static cl_device_id
id_to_open (const AmphistoClDeviceId *which)
{
  return which->inline_id != NULL ? which->inline_id : which->id;
}

static AmphistoClDevice *
device_new (const AmphistoClDeviceId *which)
{
  static guint number = 0;
  AmphistoClDevice *device = g_new0 (AmphistoClDevice, 1);

  device->ref_count = 1;
  device->number = ++number;
  device->id = id_to_open (which);
  device->name = g_strdup (which->name);
  device->shared = shared_join (device->id);
  g_mutex_init (&device->built.lock);
  device->built.programs =
      g_hash_table_new_full (NULL, NULL, NULL, release_program);
  device->built.kernels = g_hash_table_new (NULL, NULL);
  device->home = device;
  amphisto_cl_host_init_device (device);
  return device;
}

/* --- the table --- */

/* Call the functions below with the table's lock held. */

/* Drivers have no threads in a child of fork(): it opens devices anew, and
 * leaves those of its parent as they are. */
static gboolean
is_own (const AmphistoClDevice *device)
{
  return device->shared->process == getpid ();
}

/* Whether a user had better join `a`: another one that has room for it becomes
 * idle, and others have users that wait for it. */
static gboolean
is_better (const AmphistoClDevice *a, const AmphistoClDevice *b)
{
  const gboolean a_has_room = a->n_users < AMPHISTO_CL_CONTEXT_USERS;
  const gboolean b_has_room = b->n_users < AMPHISTO_CL_CONTEXT_USERS;

  if (a_has_room != b_has_room)
    return a_has_room;
  return a_has_room ? a->n_users > b->n_users : a->n_users < b->n_users;
}

/* Returns: the context to join, and the number of contexts; or NULL. */
static AmphistoClDevice *
find_context (cl_device_id id, guint *n)
{
  AmphistoClDevice *best = NULL;

  *n = 0;
  for (GSList *link = table.devices; link != NULL; link = link->next) {
    AmphistoClDevice *device = link->data;

    if (device->id != id || !is_own (device)
        || amphisto_cl_device_is_lost (device))
      continue;
    ++*n;
    if (best == NULL || is_better (device, best))
      best = device;
  }
  return best;
}

/* Whether a user has reason to open a context beside the `n` that are open, of
 * which `best` is the one to join. */
static gboolean
deserves_another (const AmphistoClDevice *best, guint n)
{
  return !best->is_cpu && best->n_users >= AMPHISTO_CL_CONTEXT_USERS
      && n < AMPHISTO_CL_MAX_CONTEXTS;
}

/* --- idle devices --- */

/* Returns: the idle device to close first, or NULL. */
static AmphistoClDevice *
find_idle (void)
{
  AmphistoClDevice *first = NULL;

  for (GSList *link = table.devices; link != NULL; link = link->next) {
    AmphistoClDevice *device = link->data;

    if (g_atomic_int_get (&device->ref_count) == 0
        && device->idle_until < G_MAXINT64 && is_own (device)
        && (first == NULL || device->idle_until < first->idle_until))
      first = device;
  }
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
    table.devices = g_slist_remove (table.devices, device);
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

  if (g_slist_find (table.devices, device) == NULL || time == 0) {
    table.devices = g_slist_remove (table.devices, device);
    return is_own (device);
  }
  device->idle_until =
      time < G_MAXINT64 ? g_get_monotonic_time () + time : G_MAXINT64;
  if (time < G_MAXINT64)
    start_closer ();
  return FALSE;
}

/* --- users --- */

/* Joins an open context, but, if `may_add`, none that deserves another one
 * beside it.
 *
 * Returns: (transfer full): the context, or NULL. */
static AmphistoClDevice *
join (cl_device_id id, gboolean may_add)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&table.lock);
  guint n;
  AmphistoClDevice *device = find_context (id, &n);

  if (device == NULL || (may_add && deserves_another (device, n)))
    return NULL;
  g_atomic_int_inc (&device->ref_count);
  device->n_users++;
  return device;
}

/* The device has got its context. */
static void
add_device (AmphistoClDevice *device)
{
  const AmphistoClDevice *other;
  guint n;

  g_mutex_lock (&table.lock);
  other = find_context (device->id, &n);
  if (other != NULL)
    device->home = amphisto_cl_device_ref (other->home);
  device->n_users = 1;
  table.devices = g_slist_append (table.devices, device);
  g_mutex_unlock (&table.lock);
  if (other != NULL)
    AMPHISTO_CL_LOG (INFO, "\"%s\" has %u contexts now", device->name, n + 1);
}

/* The lock of the drivers lets only one user at a time find out that another
 * context is needed. */
AmphistoClDevice *
amphisto_cl_device_open (const AmphistoClDeviceId *which, GError **error)
{
  const cl_device_id id = id_to_open (which);
  AmphistoClDevice *device, *failed = NULL;
  g_autoptr (GError) why = NULL;

  g_mutex_lock (&amphisto_cl_drivers_lock);
  device = join (id, TRUE);
  if (device == NULL) {
    device = device_new (which);
    if (make_context (device, which, &why)) {
      add_device (device);
    } else {
      failed = device;
      device = join (id, FALSE);
    }
  }
  g_mutex_unlock (&amphisto_cl_drivers_lock);
  g_clear_pointer (&failed, device_free);
  if (why != NULL && device != NULL)
    AMPHISTO_CL_LOG (
        WARNING, "no other context of \"%s\": %s", device->name, why->message);
  else if (why != NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  return device;
}

void
amphisto_cl_device_close (AmphistoClDevice *device)
{
  g_mutex_lock (&table.lock);
  device->n_users--;
  g_mutex_unlock (&table.lock);
  amphisto_cl_device_unref (device);
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
  if (is_own (device))
    amphisto_cl_host_trim (device);
  g_mutex_lock (&table.lock);
  is_freed = g_atomic_int_dec_and_test (&device->ref_count) && rest (device);
  g_mutex_unlock (&table.lock);
  if (is_freed)
    device_free (device);
}

/* Frees the lost device with its last user; the closer does so if it has none.
 * Call with the table's lock held. */
static void
lose (AmphistoClDevice *device)
{
  g_atomic_int_set (&device->is_lost, TRUE);
  if (g_atomic_int_get (&device->ref_count) > 0) {
    table.devices = g_slist_remove (table.devices, device);
  } else {
    device->idle_until = 0;
    start_closer ();
    g_cond_broadcast (&table.changed);
  }
}

/* The contexts that were opened after a loss are not the lost ones' concern. */
void
amphisto_cl_device_mark_lost (AmphistoClDevice *device)
{
  GSList *link, *next;

  AMPHISTO_CL_LOG (WARNING, "\"%s\" is lost", device->name);
  g_mutex_lock (&table.lock);
  for (link = amphisto_cl_device_is_lost (device) ? NULL : table.devices;
       link != NULL; link = next) {
    AmphistoClDevice *context = link->data;

    next = link->next;
    if (context->shared == device->shared)
      lose (context);
  }
  g_mutex_unlock (&table.lock);
}

gboolean
amphisto_cl_device_is_lost (AmphistoClDevice *device)
{
  return g_atomic_int_get (&device->is_lost);
}
