/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "cldevices.h"
#include "clfaults.h"

#include <string.h>

/* A made-up device's id is its place in the table; a platform's id is the
 * id of its first device. */
static const ClDevice *made_up;
static guint n_made_up;
static gboolean own_memory;
static const ClDevice *limited_device;
static const gchar *limited_kernel;
static gsize kernel_limit;
static const gchar *own_version;

void
cldevices_set (const ClDevice *devices, guint n)
{
  made_up = devices;
  n_made_up = n;
}

void
cldevices_set_kind (ClKind kind)
{
  static const ClDevice cpu = { "A", CL_DEVICE_TYPE_CPU, "cpu", NULL };
  static const ClDevice gpu = { "A", CL_DEVICE_TYPE_GPU, "gpu-0", NULL };

  cldevices_set (kind == CL_KIND_CPU ? &cpu : &gpu, kind != CL_KIND_REAL);
  cldevices_set_own_memory (kind == CL_KIND_OWN_MEMORY);
  if (kind != CL_KIND_REAL)
    g_unsetenv ("AMPHISTO_DEVICE");
}

void
cldevices_set_own_memory (gboolean has_own_memory)
{
  own_memory = has_own_memory;
}

void
cldevices_limit_kernel (
    const ClDevice *device, const gchar *kernel, gsize limit)
{
  limited_device = device;
  limited_kernel = kernel;
  kernel_limit = limit;
}

void
cldevices_set_version (const gchar *version)
{
  own_version = version;
}

static const ClDevice *
find (gconstpointer id)
{
  for (guint i = 0; i < n_made_up; i++)
    if (id == &made_up[i])
      return &made_up[i];
  return NULL;
}

gboolean
cldevices_fails (const gchar *name, cl_device_id device)
{
  const ClDevice *found = find (device);

  return found != NULL && g_strcmp0 (found->fails, name) == 0;
}

/* Whether PoCL's driver for the device has no threads. */
static gboolean
lacks_threads (cl_device_id device)
{
  gchar name[256] = "";

  return CLFAULTS_REAL (clGetDeviceInfo) (
             device, CL_DEVICE_NAME, sizeof name - 1, name, NULL)
      == CL_SUCCESS
      && (g_str_has_prefix (name, "basic-")
          || g_str_has_prefix (name, "cpu-minimal-"));
}

/* CPUs are played on the driver that the plugin chooses, GPUs on PoCL's driver
 * with threads, as in the tests of kernels: PoCL's cache has kernels for each
 * driver, and each shape would be compiled for both. */
cl_device_id
cldevices_real (cl_device_id device)
{
  const ClDevice *played = find (device);
  cl_platform_id platforms[16];
  cl_device_id ids[2];
  cl_uint n = 0, n_ids = 0;

  if (played == NULL)
    return device;
  CLFAULTS_REAL (clGetPlatformIDs) (G_N_ELEMENTS (platforms), platforms, &n);
  for (guint i = 0; i < MIN (n, G_N_ELEMENTS (platforms)); i++)
    if (CLFAULTS_REAL (clGetDeviceIDs) (
            platforms[i], CL_DEVICE_TYPE_ALL, 2, ids, &n_ids)
        == CL_SUCCESS)
      return ids[n_ids > 1 && played->type != CL_DEVICE_TYPE_CPU
          && lacks_threads (ids[0])];
  g_error ("There is no OpenCL device.");
}

/* Appends to a list of `size` ids, which may be NULL. */
static void
append (gpointer *ids, cl_uint size, cl_uint *n, gconstpointer id)
{
  if (ids != NULL && *n < size)
    ids[*n] = (gpointer) id;
  ++*n;
}

/* Copies an answer, as OpenCL does. */
static cl_int
answer (const void *from, size_t from_size, size_t size, void *value,
    size_t *value_size)
{
  if (value_size != NULL)
    *value_size = from_size;
  if (value != NULL && size < from_size)
    return CL_INVALID_VALUE;
  if (value != NULL)
    memcpy (value, from, from_size);
  return CL_SUCCESS;
}

cl_int
clGetPlatformIDs (cl_uint size, cl_platform_id *platforms, cl_uint *n_platforms)
{
  cl_uint n = 0;

  if (clfaults_fails ("clGetPlatformIDs"))
    return clfaults_status ();
  if (n_made_up == 0)
    return CLFAULTS_REAL (clGetPlatformIDs) (size, platforms, n_platforms);
  /* while the plugin asks PoCL for both drivers: it lists them once */
  cldevices_real ((cl_device_id) made_up);
  for (guint i = 0; i < n_made_up; i++)
    if (i == 0 || strcmp (made_up[i].platform, made_up[i - 1].platform) != 0)
      append ((gpointer *) platforms, size, &n, &made_up[i]);
  if (n_platforms != NULL)
    *n_platforms = n;
  return CL_SUCCESS;
}

cl_int
clGetPlatformInfo (cl_platform_id platform, cl_platform_info name, size_t size,
    void *value, size_t *value_size)
{
  const ClDevice *first = find (platform);

  if (clfaults_fails ("clGetPlatformInfo")
      || cldevices_fails ("clGetPlatformInfo", (cl_device_id) platform))
    return clfaults_status ();
  if (first == NULL)
    return CLFAULTS_REAL (clGetPlatformInfo) (
        platform, name, size, value, value_size);
  return answer (
      first->platform, strlen (first->platform) + 1, size, value, value_size);
}

cl_int
clGetDeviceIDs (cl_platform_id platform, cl_device_type type, cl_uint size,
    cl_device_id *devices, cl_uint *n_devices)
{
  const ClDevice *first = find (platform);
  cl_uint n = 0;

  if (clfaults_fails ("clGetDeviceIDs")
      || cldevices_fails ("clGetDeviceIDs", (cl_device_id) platform))
    return clfaults_status ();
  if (first == NULL)
    return CLFAULTS_REAL (clGetDeviceIDs) (
        platform, type, size, devices, n_devices);
  for (const ClDevice *d = first; d < made_up + n_made_up; d++)
    if (strcmp (d->platform, first->platform) == 0 && (d->type & type) != 0)
      append ((gpointer *) devices, size, &n, d);
  if (n_devices != NULL)
    *n_devices = n;
  return n > 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

/* Whether the device answers this question with no. */
static gboolean
denies (const ClDevice *device, cl_device_info name)
{
  const gchar *denied = name == CL_DEVICE_AVAILABLE ? "available"
      : name == CL_DEVICE_COMPILER_AVAILABLE        ? "compiler"
      : name == CL_DEVICE_ENDIAN_LITTLE             ? "little-endian"
                                                    : NULL;

  return denied != NULL && g_strcmp0 (device->fails, denied) == 0;
}

cl_int
clGetDeviceInfo (cl_device_id device, cl_device_info name, size_t size,
    void *value, size_t *value_size)
{
  const ClDevice *found = find (device);

  if (clfaults_fails ("clGetDeviceInfo")
      || cldevices_fails ("clGetDeviceInfo", device))
    return clfaults_status ();
  if (found != NULL && name == CL_DEVICE_NAME)
    return answer (
        found->name, strlen (found->name) + 1, size, value, value_size);
  if (found != NULL && name == CL_DEVICE_TYPE)
    return answer (&found->type, sizeof found->type, size, value, value_size);
  if (found != NULL && own_version != NULL && name == CL_DEVICE_VERSION)
    return answer (
        own_version, strlen (own_version) + 1, size, value, value_size);
  if (found != NULL
      && (denies (found, name)
          || (own_memory && name == CL_DEVICE_HOST_UNIFIED_MEMORY)))
    return answer (
        &(cl_bool){ CL_FALSE }, sizeof (cl_bool), size, value, value_size);
  return CLFAULTS_REAL (clGetDeviceInfo) (
      cldevices_real (device), name, size, value, value_size);
}

static gboolean
is_limited (cl_kernel kernel, cl_device_id device)
{
  gchar name[64] = "";

  return limited_kernel != NULL && (gconstpointer) device == limited_device
      && clGetKernelInfo (
             kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL)
      == CL_SUCCESS
      && strcmp (name, limited_kernel) == 0;
}

cl_int
clGetKernelWorkGroupInfo (cl_kernel kernel, cl_device_id device,
    cl_kernel_work_group_info name, size_t size, void *value,
    size_t *value_size)
{

  if (clfaults_fails ("clGetKernelWorkGroupInfo")
      || cldevices_fails ("clGetKernelWorkGroupInfo", device))
    return clfaults_status ();
  if (name == CL_KERNEL_WORK_GROUP_SIZE && is_limited (kernel, device))
    return answer (&kernel_limit, sizeof kernel_limit, size, value, value_size);
  return CLFAULTS_REAL (clGetKernelWorkGroupInfo) (
      kernel, cldevices_real (device), name, size, value, value_size);
}
