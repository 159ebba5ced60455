/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/device.h"

#include <stdlib.h>
#include <string.h>

/* A device before it is opened. */
typedef struct
{
  guint platform_index;
  guint device_index;
  cl_platform_id platform;
  cl_device_id id;
  cl_device_type type;
  char *name;
  char *platform_name;
} Candidate;

static void
candidate_free (Candidate *candidate)
{
  g_free (candidate->name);
  g_free (candidate->platform_name);
  g_free (candidate);
}

/* Open devices: cl_device_id -> AmphistoClDevice, not owned. */
static GMutex devices_lock;
static GHashTable *devices;

#define DEVICE_INFO(id, param, value, error)                                   \
  amphisto_cl_check (                                                          \
      clGetDeviceInfo ((id), (param), sizeof *(value), (value), NULL),         \
      "clGetDeviceInfo (" #param ")", (error))

static char *
device_string (cl_device_id id, cl_device_info param, GError **error)
{
  gsize size = 0;
  cl_int status = clGetDeviceInfo (id, param, 0, NULL, &size);
  g_autofree char *value = g_malloc0 (size + 1);

  if (status == CL_SUCCESS)
    status = clGetDeviceInfo (id, param, size, value, NULL);
  if (!amphisto_cl_check (status, "clGetDeviceInfo", error))
    return NULL;
  return g_strdup (g_strstrip (value));
}

static char *
platform_name (cl_platform_id id, GError **error)
{
  gsize size = 0;
  cl_int status = clGetPlatformInfo (id, CL_PLATFORM_NAME, 0, NULL, &size);
  g_autofree char *value = g_malloc0 (size + 1);

  if (status == CL_SUCCESS)
    status = clGetPlatformInfo (id, CL_PLATFORM_NAME, size, value, NULL);
  if (!amphisto_cl_check (status, "clGetPlatformInfo", error))
    return NULL;
  return g_strdup (g_strstrip (value));
}

static Candidate *
candidate_new (cl_platform_id platform, cl_device_id id, GError **error)
{
  Candidate *candidate = g_new0 (Candidate, 1);

  candidate->platform = platform;
  candidate->id = id;
  candidate->platform_name = platform_name (platform, error);
  if (candidate->platform_name != NULL)
    candidate->name = device_string (id, CL_DEVICE_NAME, error);
  if (candidate->name == NULL
      || !DEVICE_INFO (id, CL_DEVICE_TYPE, &candidate->type, error))
    g_clear_pointer (&candidate, candidate_free);
  return candidate;
}

static gboolean
list_platform (
    GPtrArray *candidates, cl_platform_id platform, guint index, GError **error)
{
  cl_uint n = 0;
  g_autofree cl_device_id *ids = NULL;
  cl_int status = clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, 0, NULL, &n);

  if (status == CL_DEVICE_NOT_FOUND || (status == CL_SUCCESS && n == 0))
    return TRUE;
  ids = g_new0 (cl_device_id, MAX (n, 1));
  if (status == CL_SUCCESS)
    status = clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, n, ids, NULL);
  if (!amphisto_cl_check (status, "clGetDeviceIDs", error))
    return FALSE;
  for (cl_uint i = 0; i < n; i++) {
    Candidate *candidate = candidate_new (platform, ids[i], error);

    if (candidate == NULL)
      return FALSE;
    candidate->platform_index = index;
    candidate->device_index = i;
    g_ptr_array_add (candidates, candidate);
  }
  return TRUE;
}

/* All devices of all platforms, in the loader's order. */
static GPtrArray *
list_candidates (GError **error)
{
  g_autoptr (GPtrArray) candidates =
      g_ptr_array_new_with_free_func ((GDestroyNotify) candidate_free);
  cl_uint n = 0;
  g_autofree cl_platform_id *platforms = NULL;
  cl_int status = clGetPlatformIDs (0, NULL, &n);

  if (status == CL_PLATFORM_NOT_FOUND_KHR || (status == CL_SUCCESS && n == 0))
    return g_steal_pointer (&candidates);
  platforms = g_new0 (cl_platform_id, MAX (n, 1));
  if (status == CL_SUCCESS)
    status = clGetPlatformIDs (n, platforms, NULL);
  if (!amphisto_cl_check (status, "clGetPlatformIDs", error))
    return NULL;
  for (cl_uint i = 0; i < n; i++)
    if (!list_platform (candidates, platforms[i], i, error))
      return NULL;
  return g_steal_pointer (&candidates);
}

static Candidate *
first_of_type (GPtrArray *candidates, cl_device_type type)
{
  for (guint i = 0; i < candidates->len; i++) {
    Candidate *candidate = g_ptr_array_index (candidates, i);

    if (candidate->type & type)
      return candidate;
  }
  return NULL;
}

static Candidate *
first_by_default (GPtrArray *candidates)
{
  static const cl_device_type order[] = { CL_DEVICE_TYPE_GPU,
    CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CPU };
  Candidate *candidate = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (order) && candidate == NULL; i++)
    candidate = first_of_type (candidates, order[i]);
  return candidate;
}

static Candidate *
at_index (GPtrArray *candidates, const char *choice)
{
  for (guint i = 0; i < candidates->len; i++) {
    Candidate *candidate = g_ptr_array_index (candidates, i);
    g_autofree char *index = g_strdup_printf (
        "%u.%u", candidate->platform_index, candidate->device_index);

    if (strcmp (index, choice) == 0)
      return candidate;
  }
  return NULL;
}

static Candidate *
first_by_name (GPtrArray *candidates, const char *choice)
{
  g_autofree char *wanted = g_utf8_casefold (choice, -1);

  for (guint i = 0; i < candidates->len; i++) {
    Candidate *candidate = g_ptr_array_index (candidates, i);
    g_autofree char *name = g_utf8_casefold (candidate->name, -1);
    g_autofree char *platform = g_utf8_casefold (candidate->platform_name, -1);

    if (strstr (name, wanted) != NULL || strstr (platform, wanted) != NULL)
      return candidate;
  }
  return NULL;
}

static Candidate *
find_candidate (GPtrArray *candidates, const char *choice)
{
  if (choice == NULL)
    return first_by_default (candidates);
  if (g_ascii_strcasecmp (choice, "cpu") == 0)
    return first_of_type (candidates, CL_DEVICE_TYPE_CPU);
  if (g_ascii_strcasecmp (choice, "gpu") == 0)
    return first_of_type (candidates, CL_DEVICE_TYPE_GPU);
  if (g_ascii_strcasecmp (choice, "accelerator") == 0)
    return first_of_type (candidates, CL_DEVICE_TYPE_ACCELERATOR);
  if (g_regex_match_simple ("^[0-9]+\\.[0-9]+$", choice, 0, 0))
    return at_index (candidates, choice);
  return first_by_name (candidates, choice);
}

static void
set_not_found (GPtrArray *candidates, const char *choice, GError **error)
{
  g_autoptr (GString) seen = g_string_new (NULL);

  if (candidates->len == 0) {
    g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND,
        "There is no OpenCL device on this machine. Install a driver: "
        "the package pocl-opencl-icd has one for the CPU.");
    return;
  }
  for (guint i = 0; i < candidates->len; i++) {
    Candidate *candidate = g_ptr_array_index (candidates, i);

    g_string_append_printf (seen, "%s%u.%u \"%s\" (%s)", i > 0 ? ", " : "",
        candidate->platform_index, candidate->device_index, candidate->name,
        candidate->platform_name);
  }
  g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND,
      "No OpenCL device matches \"%s\". There are: %s.",
      choice != NULL ? choice : "gpu, accelerator or cpu", seen->str);
}

static gboolean
check_usable (const AmphistoClDevice *device, cl_bool little_endian,
    cl_bool available, cl_bool compiler, GError **error)
{
  if (little_endian && available && compiler)
    return TRUE;
  g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND,
      "The OpenCL device \"%s\" can't be used: %s.", device->name,
      !little_endian   ? "it is big-endian"
          : !available ? "its driver says that it is not available"
                       : "its driver has no compiler");
  return FALSE;
}

static gboolean
query_device (AmphistoClDevice *device, GError **error)
{
  cl_bool little_endian, available, compiler, unified;
  cl_uint units, align_bits, vector_width;
  cl_ulong local_size, constant_size;
  cl_device_type type;

  if (!DEVICE_INFO (device->id, CL_DEVICE_TYPE, &type, error)
      || !DEVICE_INFO (
          device->id, CL_DEVICE_ENDIAN_LITTLE, &little_endian, error)
      || !DEVICE_INFO (device->id, CL_DEVICE_AVAILABLE, &available, error)
      || !DEVICE_INFO (
          device->id, CL_DEVICE_COMPILER_AVAILABLE, &compiler, error)
      || !DEVICE_INFO (
          device->id, CL_DEVICE_HOST_UNIFIED_MEMORY, &unified, error)
      || !DEVICE_INFO (device->id, CL_DEVICE_MAX_COMPUTE_UNITS, &units, error)
      || !DEVICE_INFO (
          device->id, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, &vector_width, error)
      || !DEVICE_INFO (
          device->id, CL_DEVICE_MEM_BASE_ADDR_ALIGN, &align_bits, error)
      || !DEVICE_INFO (device->id, CL_DEVICE_LOCAL_MEM_SIZE, &local_size, error)
      || !DEVICE_INFO (
          device->id, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, &constant_size, error)
      || !DEVICE_INFO (device->id, CL_DEVICE_MAX_WORK_GROUP_SIZE,
          &device->max_work_group, error))
    return FALSE;

  if (!check_usable (device, little_endian, available, compiler, error))
    return FALSE;
  device->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  device->shape = device->is_cpu && vector_width > 1 ? AMPHISTO_CL_SHAPE_CPU
                                                     : AMPHISTO_CL_SHAPE_GPU;
  device->compute_units = MAX (units, 1);
  device->alignment = MAX (align_bits / 8, sizeof (cl_uint));
  device->local_memory = local_size;
  device->constant_memory = constant_size;
  device->shares_host_memory = unified;
  return TRUE;
}

static void
device_free (AmphistoClDevice *device)
{
  /* these fail only for what is not an object: nothing can be done then */
  for (guint i = 0; i < AMPHISTO_CL_N_EMPTY; i++)
    if (device->empty_frame[i] != NULL
        && clReleaseMemObject (device->empty_frame[i]) != CL_SUCCESS)
      g_warning ("a buffer of %s was not released", device->name);
  for (guint p = 0; p < AMPHISTO_CL_N_PROGRAMS; p++)
    if (device->program[p] != NULL
        && clReleaseProgram (device->program[p]) != CL_SUCCESS)
      g_warning ("a program of %s was not released", device->name);
  if (device->context != NULL && clReleaseContext (device->context) != 0)
    g_warning ("the context of %s was not released", device->name);
  g_rec_mutex_clear (&device->lock);
  g_free (device->name);
  g_free (device);
}

static AmphistoClDevice *
device_open (const Candidate *candidate, GError **error)
{
  const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM,
    (cl_context_properties) candidate->platform, 0 };
  AmphistoClDevice *device = g_new0 (AmphistoClDevice, 1);
  cl_int status;

  device->ref_count = 1;
  device->id = candidate->id;
  device->name = g_strdup (candidate->name);
  g_rec_mutex_init (&device->lock);
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

/* Call with devices_lock held. */
static AmphistoClDevice *
device_ref_or_open (const Candidate *candidate, GError **error)
{
  AmphistoClDevice *device;

  if (devices == NULL)
    devices = g_hash_table_new (NULL, NULL);
  device = g_hash_table_lookup (devices, candidate->id);
  if (device != NULL) {
    device->ref_count++;
    return device;
  }
  device = device_open (candidate, error);
  if (device != NULL)
    g_hash_table_insert (devices, device->id, device);
  return device;
}

AmphistoClDevice *
amphisto_cl_device_get (const char *choice, GError **error)
{
  /* listing too: PoCL (3.1) shows a device while it is being initialized */
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&devices_lock);
  g_autoptr (GPtrArray) candidates = list_candidates (error);
  Candidate *candidate;

  if (candidates == NULL)
    return NULL;
  if (choice == NULL || *choice == '\0')
    choice = g_getenv ("AMPHISTO_DEVICE");
  if (choice != NULL && *choice == '\0')
    choice = NULL;
  candidate = find_candidate (candidates, choice);
  if (candidate == NULL) {
    set_not_found (candidates, choice, error);
    return NULL;
  }
  return device_ref_or_open (candidate, error);
}

AmphistoClDevice *
amphisto_cl_device_ref (AmphistoClDevice *device)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&devices_lock);

  device->ref_count++;
  return device;
}

void
amphisto_cl_device_unref (AmphistoClDevice *device)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&devices_lock);

  if (--device->ref_count > 0)
    return;
  g_hash_table_remove (devices, device->id);
  if (g_hash_table_size (devices) == 0)
    g_clear_pointer (&devices, g_hash_table_unref);
  device_free (device);
}
