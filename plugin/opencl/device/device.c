/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/device/device.h"
#include "opencl/device/drivers.h"
#include "opencl/device/host.h"
#include "opencl/device/log.h"

#include <stdlib.h>
#include <string.h>
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

#define DEVICE_INFO(id, NAME, value, error)                                    \
  amphisto_cl_check (clGetDeviceInfo ((id), CL_DEVICE_##NAME, sizeof *(value), \
                         (value), NULL),                                       \
      "clGetDeviceInfo (CL_DEVICE_" #NAME ")", (error))

static gboolean
check_usable (
    cl_bool little_endian, cl_bool available, cl_bool compiler, GError **error)
{
  if (little_endian && available && compiler)
    return TRUE;
  g_set_error_literal (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND,
      !little_endian   ? "it is big-endian"
          : !available ? "its driver says that it is not available"
                       : "its driver has no compiler");
  return FALSE;
}

/* PoCL has several drivers. The remote driver (6.0) does not send the host's
 * stride to the server. Commands are held back only on the CPU driver with
 * threads: on the one without threads (3.1), clSetUserEventStatus() never
 * returns.
 *
 * NVIDIA's driver (580) reports a limit of 256 work-items for every kernel, but
 * launches kernels that were compiled for 1024. */
static gboolean
query_driver (AmphistoClDevice *device, GError **error)
{
  char version[1024] = "", driver[1024] = "";

  if (!DEVICE_INFO (device->id, VERSION, &version, error)
      || !amphisto_cl_check (clGetDeviceInfo (device->id, CL_DRIVER_VERSION,
                                 sizeof driver, driver, NULL),
          "clGetDeviceInfo (CL_DRIVER_VERSION)", error))
    return FALSE;
  AMPHISTO_CL_LOG (INFO, "opening \"%s\": %s, driver version %s", device->name,
      version, driver);
  device->ignores_host_stride = strstr (version, "pocl-remote") != NULL;
  device->is_pocl = strstr (version, "PoCL") != NULL;
  device->understates_groups = g_str_has_suffix (version, " CUDA");
  device->can_hold =
      device->is_pocl && amphisto_cl_drivers_is_usual (device->name);
  return TRUE;
}

static gboolean
query_device (
    AmphistoClDevice *device, const AmphistoClDeviceId *which, GError **error)
{
  const cl_device_id id = device->id;
  cl_bool little_endian, available, compiler, unified;
  cl_uint units, align_bits, vector_width;
  cl_ulong local_size, constant_size;
  cl_device_type type;

  if (!DEVICE_INFO (id, TYPE, &type, error)
      || !DEVICE_INFO (id, ENDIAN_LITTLE, &little_endian, error)
      || !DEVICE_INFO (id, AVAILABLE, &available, error)
      || !DEVICE_INFO (id, COMPILER_AVAILABLE, &compiler, error)
      || !DEVICE_INFO (id, HOST_UNIFIED_MEMORY, &unified, error)
      || !DEVICE_INFO (which->id, MAX_COMPUTE_UNITS, &units, error)
      || !DEVICE_INFO (id, NATIVE_VECTOR_WIDTH_INT, &vector_width, error)
      || !DEVICE_INFO (id, MEM_BASE_ADDR_ALIGN, &align_bits, error)
      || !DEVICE_INFO (id, LOCAL_MEM_SIZE, &local_size, error)
      || !DEVICE_INFO (id, MAX_CONSTANT_BUFFER_SIZE, &constant_size, error)
      || !DEVICE_INFO (id, MAX_WORK_GROUP_SIZE, &device->max_work_group, error)
      || !query_driver (device, error))
    return FALSE;

  if (!check_usable (little_endian, available, compiler, error))
    return FALSE;
  device->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  device->shape = device->is_cpu && vector_width > 1 ? AMPHISTO_CL_SHAPE_CPU
                                                     : AMPHISTO_CL_SHAPE_GPU;
  device->compute_units = MAX (units, 1);
  if (which->inline_id != NULL) {
    device->can_hold = FALSE;
    device->compute_units =
        MIN (device->compute_units, g_get_num_processors ());
    device->helpers = amphisto_cl_helpers_new (device->compute_units);
  }
  device->counting_items =
      MIN (device->max_work_group, AMPHISTO_CL_MAX_COUNTING_ITEMS);
  device->alignment = MAX (align_bits / 8, sizeof (cl_uint));
  device->local_memory = local_size;
  device->constant_memory = constant_size;
  device->shares_host_memory = unified;
  device->pins_memory = !device->is_cpu && !unified;
  /* half of the cores are left to the rest of the pipeline */
  device->n_copiers =
      CLAMP (g_get_num_processors () / 2, 1, AMPHISTO_CL_MAX_COPIERS) - 1;
  return TRUE;
}

/* Logs what decides how fast the device can be. */
static void
log_device (const AmphistoClDevice *device)
{
  AMPHISTO_CL_LOG (INFO,
      "%u compute units, kernels in the %s shape, work-groups of up to "
      "%" G_GSIZE_FORMAT " work-items, %" G_GSIZE_FORMAT " bytes of local and "
      "%" G_GSIZE_FORMAT " of constant memory; alignment: %" G_GSIZE_FORMAT
      " bytes; frames are %s",
      device->compute_units,
      device->shape == AMPHISTO_CL_SHAPE_GPU ? "GPU" : "CPU",
      device->max_work_group, device->local_memory, device->constant_memory,
      device->alignment,
      !device->shares_host_memory ? "copied"
          : device->is_cpu        ? "imported"
                                  : "imported if they are aligned");
}

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

  if (!query_device (device, which, error))
    return FALSE;
  device->context =
      clCreateContext (properties, 1, &device->id, NULL, NULL, &status);
  if (!amphisto_cl_check (status, "clCreateContext", error))
    return FALSE;
  log_device (device);
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
