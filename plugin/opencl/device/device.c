/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/device/device.h"
#include "opencl/device/host.h"

#include <string.h>

GMutex amphisto_cl_devices_lock;

/* Devices that are open and not lost: cl_device_id -> AmphistoClDevice, not
 * owned. */
static GHashTable *devices;

#define DEVICE_INFO(device, NAME, value, error)                                \
  amphisto_cl_check (clGetDeviceInfo ((device)->id, CL_DEVICE_##NAME,          \
                         sizeof *(value), (value), NULL),                      \
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
  char version[1024] = "";

  if (!amphisto_cl_check (clGetDeviceInfo (device->id, CL_DEVICE_VERSION,
                              sizeof version - 1, version, NULL),
          "clGetDeviceInfo (CL_DEVICE_VERSION)", error))
    return FALSE;
  device->ignores_host_stride = strstr (version, "pocl-remote") != NULL;
  device->is_pocl = strstr (version, "PoCL") != NULL;
  device->understates_groups = g_str_has_suffix (version, " CUDA");
  device->can_hold = device->is_pocl
      && g_regex_match_simple (
          "^(pthread|cpu)-(?!minimal|tbb)", device->name, 0, 0);
  return TRUE;
}

static gboolean
query_device (AmphistoClDevice *device, GError **error)
{
  cl_bool little_endian, available, compiler, unified;
  cl_uint units, align_bits, vector_width;
  cl_ulong local_size, constant_size;
  cl_device_type type;

  if (!DEVICE_INFO (device, TYPE, &type, error)
      || !DEVICE_INFO (device, ENDIAN_LITTLE, &little_endian, error)
      || !DEVICE_INFO (device, AVAILABLE, &available, error)
      || !DEVICE_INFO (device, COMPILER_AVAILABLE, &compiler, error)
      || !DEVICE_INFO (device, HOST_UNIFIED_MEMORY, &unified, error)
      || !DEVICE_INFO (device, MAX_COMPUTE_UNITS, &units, error)
      || !DEVICE_INFO (device, NATIVE_VECTOR_WIDTH_INT, &vector_width, error)
      || !DEVICE_INFO (device, MEM_BASE_ADDR_ALIGN, &align_bits, error)
      || !DEVICE_INFO (device, LOCAL_MEM_SIZE, &local_size, error)
      || !DEVICE_INFO (device, MAX_CONSTANT_BUFFER_SIZE, &constant_size, error)
      || !DEVICE_INFO (
          device, MAX_WORK_GROUP_SIZE, &device->max_work_group, error)
      || !query_driver (device, error))
    return FALSE;

  if (!check_usable (little_endian, available, compiler, error))
    return FALSE;
  device->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  device->shape = device->is_cpu && vector_width > 1 ? AMPHISTO_CL_SHAPE_CPU
                                                     : AMPHISTO_CL_SHAPE_GPU;
  device->compute_units = MAX (units, 1);
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

static void
release_program (gpointer program)
{
  if (clReleaseProgram (program) != CL_SUCCESS)
    g_warning ("a program was not released");
}

static void
device_free (AmphistoClDevice *device)
{
  if (device->copiers != NULL)
    g_thread_pool_free (device->copiers, FALSE, TRUE);
  amphisto_cl_host_clear_device (device);
  /* releasing fails only for invalid objects: nothing can be done then */
  for (guint i = 0; i < AMPHISTO_CL_N_EMPTY; i++)
    if (device->empty_frame[i] != NULL
        && clReleaseMemObject (device->empty_frame[i]) != CL_SUCCESS)
      g_warning ("a buffer of %s was not released", device->name);
  g_hash_table_unref (device->programs);
  g_hash_table_unref (device->launched);
  if (device->context != NULL && clReleaseContext (device->context) != 0)
    g_warning ("the context of %s was not released", device->name);
  g_mutex_clear (&device->imported.lock);
  g_rec_mutex_clear (&device->lock);
  g_free (device->name);
  g_free (device);
}

static AmphistoClDevice *
device_new (
    cl_platform_id platform, cl_device_id id, const char *name, GError **error)
{
  const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM,
    (cl_context_properties) platform, 0 };
  AmphistoClDevice *device = g_new0 (AmphistoClDevice, 1);
  cl_int status;

  device->ref_count = 1;
  device->id = id;
  device->name = g_strdup (name);
  g_rec_mutex_init (&device->lock);
  device->programs = g_hash_table_new_full (NULL, NULL, NULL, release_program);
  device->launched = g_hash_table_new (NULL, NULL);
  g_mutex_init (&device->pinned.lock);
  g_mutex_init (&device->imported.lock);
  if (!query_device (device, error))
    goto failed;
  device->context =
      clCreateContext (properties, 1, &device->id, NULL, NULL, &status);
  if (!amphisto_cl_check (status, "clCreateContext", error))
    goto failed;
  return device;

failed:
  device_free (device);
  return NULL;
}

AmphistoClDevice *
amphisto_cl_device_open (
    cl_platform_id platform, cl_device_id id, const char *name, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&amphisto_cl_devices_lock);
  AmphistoClDevice *device;

  if (devices == NULL)
    devices = g_hash_table_new (NULL, NULL);
  device = g_hash_table_lookup (devices, id);
  if (device != NULL) {
    device->ref_count++;
    return device;
  }
  device = device_new (platform, id, name, error);
  if (device != NULL)
    g_hash_table_insert (devices, id, device);
  return device;
}

AmphistoClDevice *
amphisto_cl_device_ref (AmphistoClDevice *device)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&amphisto_cl_devices_lock);

  device->ref_count++;
  return device;
}

/* Removes the device from the table. Call with amphisto_cl_devices_lock
 * held. */
static void
mark_lost (AmphistoClDevice *device)
{
  if (device->is_lost)
    return;
  device->is_lost = TRUE;
  g_hash_table_remove (devices, device->id);
  if (g_hash_table_size (devices) == 0)
    g_clear_pointer (&devices, g_hash_table_unref);
}

void
amphisto_cl_device_unref (AmphistoClDevice *device)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&amphisto_cl_devices_lock);

  if (--device->ref_count > 0)
    return;
  mark_lost (device);
  device_free (device);
}

void
amphisto_cl_device_mark_lost (AmphistoClDevice *device)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&amphisto_cl_devices_lock);

  mark_lost (device);
}

gboolean
amphisto_cl_device_is_lost (AmphistoClDevice *device)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&amphisto_cl_devices_lock);

  return device->is_lost;
}
