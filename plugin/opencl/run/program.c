/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/run/program.h"
#include "cl/clresources.h"
#include "cl/frame_params.h"
#include "opencl/device/cache.h"
#include "opencl/device/log.h"

#include <string.h>

#define RESOURCE_PREFIX "/amphisto/cl/"
#define INCLUDE "#include \""

/* GLib registers the resource at the first call. Until then, other threads get
 * NULL. */
static GResource *
sources_resource (void)
{
  GResource *resource;

  while ((resource = amphisto_get_resource ()) == NULL)
    g_thread_yield ();
  return resource;
}

const char *
amphisto_cl_source (const char *name)
{
  g_autofree char *path = g_strconcat (RESOURCE_PREFIX, name, NULL);
  g_autoptr (GBytes) bytes = g_resource_lookup_data (
      sources_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  g_return_val_if_fail (bytes != NULL, NULL);
  /* static memory, followed by a NUL that the size does not include */
  return g_bytes_get_data (bytes, NULL);
}

/* Returns: (transfer full): why correct kernels may fail to build. */
static char *
describe_cache (const AmphistoClDevice *device)
{
  g_autofree char *folder = amphisto_cl_cache_folder ();
  g_autofree char *problem =
      device->is_pocl ? amphisto_cl_cache_problem (folder) : NULL;

  return problem != NULL
      ? g_strdup_printf ("%s: set POCL_CACHE_DIR to another folder", problem)
      : g_strdup (
          "The driver's cache of compiled kernels may be full, read-only or "
          "damaged: empty it (PoCL's is $POCL_CACHE_DIR, else ~/.cache/pocl)");
}

static void
set_build_error (const AmphistoClDevice *device, cl_int status, const char *log,
    GError **error)
{
  g_autofree char *text = g_utf8_make_valid (log, -1);
  g_autofree char *cache = describe_cache (device);

  g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD,
      "the kernels do not build: %s. %s.\n%s", amphisto_cl_status_name (status),
      cache, text);
}

static void
set_program_error (
    AmphistoClDevice *device, cl_program program, cl_int status, GError **error)
{
  gsize size = 0;
  cl_int found = clGetProgramBuildInfo (
      program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  g_autofree char *log = g_malloc0 (size + 1);

  if (found == CL_SUCCESS)
    found = clGetProgramBuildInfo (
        program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  set_build_error (device, status,
      found == CL_SUCCESS ? log : "There is no build log.", error);
}

/* Returns: (transfer full): the name of the file that the line includes, or
 * NULL. */
static char *
included_file (const char *line)
{
  const gsize length = strlen (INCLUDE);

  return g_str_has_prefix (line, INCLUDE)
      ? g_strndup (line + length, strcspn (line + length, "\""))
      : NULL;
}

/* Appends `text` and the files that it includes, unless they are in `included`
 * already, or their names end in `other_shape`. */
static void
append_source (GString *source, const char *text, const char *other_shape,
    GHashTable *included)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++) {
    char *file = included_file (lines[i]);

    if (file == NULL && !g_str_equal (lines[i], "#pragma once"))
      g_string_append_printf (source, "%s\n", lines[i]);
    if (file == NULL)
      continue;
    if (g_str_has_suffix (file, other_shape))
      g_free (file);
    else if (g_hash_table_add (included, file))
      append_source (source, amphisto_cl_source (file), other_shape, included);
  }
}

/* Returns: (transfer full): `text` with its includes replaced. */
static char *
resolve_includes (const AmphistoClDevice *device, const char *text)
{
  g_autoptr (GHashTable) included =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GString *source = g_string_new (NULL);

  append_source (source, text,
      device->shape == AMPHISTO_CL_SHAPE_GPU ? "_cpu.cl" : "_gpu.cl", included);
  return g_string_free (source, FALSE);
}

cl_program
amphisto_cl_program_build (AmphistoClDevice *device, const char *source,
    const char *options, GError **error)
{
  g_autofree char *resolved = resolve_includes (device, source);
  const char *text = resolved;
  cl_int status;
  cl_program program =
      clCreateProgramWithSource (device->context, 1, &text, NULL, &status);

  if (!amphisto_cl_check (status, "clCreateProgramWithSource", error))
    return NULL;
  status = clBuildProgram (program, 1, &device->id, options, NULL, NULL);
  if (status == CL_SUCCESS)
    return program;
  set_program_error (device, program, status, error);
  amphisto_cl_check_release (clReleaseProgram (program), "a program");
  return NULL;
}

static char *
build_options (const AmphistoClDevice *device, AmphistoNeeds needs)
{
  if (device->shape == AMPHISTO_CL_SHAPE_GPU)
    return g_strdup_printf (
        "-cl-std=CL1.2 -w -DAMPHISTO_GPU -DCOUNTING_ITEMS=%u",
        device->counting_items);
  return g_strdup_printf (
      "-cl-std=CL1.2 -w -DHAS_RGB=%d -DHAS_COLOURS=%d -DHAS_MULTI_SLOT=%d "
      "-DHAS_SATURATION=%d",
      (needs & AMPHISTO_NEEDS_RGB) != 0, (needs & AMPHISTO_NEEDS_COLOURS) != 0,
      (needs & AMPHISTO_NEEDS_MULTI_SLOT) != 0,
      (needs & AMPHISTO_NEEDS_SATURATION) != 0);
}

gsize
amphisto_cl_kernel_group_size (
    const AmphistoClDevice *device, AmphistoClKernel kernel)
{
  const AmphistoClLaunch launch = amphisto_cl_kernel_infos[kernel].launch;
  const gboolean counts = launch == AMPHISTO_CL_LAUNCH_GROUPS
      || launch == AMPHISTO_CL_LAUNCH_STRIPS;

  if (launch == AMPHISTO_CL_LAUNCH_BINS)
    return AMPHISTO_N_BINS;
  if (device->shape == AMPHISTO_CL_SHAPE_CPU)
    return 1;
  return counts ? device->counting_items : AMPHISTO_CL_GROUP_SIZE;
}

/* A kernel may allow fewer work-items than the device, if it needs many
 * registers. Without these checks, drivers would fail at each launch. */
static gboolean
check_kernel (const AmphistoClDevice *device, AmphistoClKernel kernel,
    cl_kernel made, GError **error)
{
  const char *name = amphisto_cl_kernel_infos[kernel].name;
  const gsize items = amphisto_cl_kernel_group_size (device, kernel);
  gsize most_items = 0;
  cl_ulong memory = 0;

  if (!amphisto_cl_check (
          clGetKernelWorkGroupInfo (made, device->id, CL_KERNEL_WORK_GROUP_SIZE,
              sizeof most_items, &most_items, NULL),
          "clGetKernelWorkGroupInfo", error)
      || !amphisto_cl_check (
          clGetKernelWorkGroupInfo (made, device->id, CL_KERNEL_LOCAL_MEM_SIZE,
              sizeof memory, &memory, NULL),
          "clGetKernelWorkGroupInfo", error))
    return FALSE;
  if (most_items < items && !device->understates_groups)
    g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD,
        "the driver allows work-groups of %" G_GSIZE_FORMAT " work-items for "
        "the kernel %s, which needs %" G_GSIZE_FORMAT ".",
        most_items, name, items);
  else if (memory > device->local_memory)
    g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD,
        "the device has %" G_GSIZE_FORMAT " bytes of local memory; the kernel "
        "%s needs %" G_GUINT64_FORMAT ".",
        device->local_memory, name, (guint64) memory);
  else
    return TRUE;
  return FALSE;
}

AmphistoNeeds
amphisto_cl_kernel_needs (const AmphistoClDevice *device,
    AmphistoClKernel kernel, AmphistoNeeds needs)
{
  if (device->shape == AMPHISTO_CL_SHAPE_GPU)
    needs = AMPHISTO_NEEDS_ALL;
  return needs
      & amphisto_cl_program_infos[amphisto_cl_kernel_infos[kernel].program]
            .needs;
}

gpointer
amphisto_cl_built_find (
    AmphistoClDevice *device, GHashTable *built, gpointer key)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&device->built.lock);

  return g_hash_table_lookup (built, key);
}

void
amphisto_cl_built_add (
    AmphistoClDevice *device, GHashTable *built, gpointer key, gpointer value)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&device->built.lock);

  g_hash_table_insert (built, key, value);
}

/* Returns: (transfer none): the kernel's program, or NULL with BUILD or CALL.
 * Waits for a build of another thread only if the program is missing. */
static cl_program
ensure_program (AmphistoClDevice *device, const AmphistoClKernelInfo *info,
    AmphistoNeeds built, GError **error)
{
  GHashTable *programs = device->built.programs;
  const gpointer key = amphisto_cl_needs_key (info->program, built);
  cl_program program = amphisto_cl_built_find (device, programs, key);
  G_GNUC_UNUSED g_autoptr (GRecMutexLocker) locker = NULL;
  g_autofree char *options = NULL;
  gint64 start;

  if (program != NULL)
    return program;
  locker = g_rec_mutex_locker_new (&device->shared->build_lock);
  program = amphisto_cl_built_find (device, programs, key);
  if (program != NULL)
    return program;
  options = build_options (device, built);
  start = g_get_monotonic_time ();
  program = amphisto_cl_program_build (
      device, amphisto_cl_program_infos[info->program].source, options, error);
  AMPHISTO_CL_LOG (INFO, "building the program of %s took %.1f ms: %s",
      info->name, (g_get_monotonic_time () - start) / 1000.0, options);
  if (program != NULL)
    amphisto_cl_built_add (device, programs, key, program);
  return program;
}

cl_kernel
amphisto_cl_kernel_new (AmphistoClDevice *device, AmphistoClKernel kernel,
    AmphistoNeeds needs, GError **error)
{
  const AmphistoClKernelInfo *info = &amphisto_cl_kernel_infos[kernel];
  const cl_program program = ensure_program (
      device, info, amphisto_cl_kernel_needs (device, kernel, needs), error);
  cl_kernel made;
  cl_int status;

  if (program == NULL)
    return NULL;
  made = clCreateKernel (program, info->name, &status);
  /* PoCL (3.1) makes a program without kernels if the file in its cache is
   * empty */
  if (status == CL_INVALID_KERNEL_NAME) {
    set_build_error (device, status, info->name, error);
    return NULL;
  }
  if (!amphisto_cl_check (status, "clCreateKernel", error))
    return NULL;
  if (check_kernel (device, kernel, made, error))
    return made;
  amphisto_cl_check_release (clReleaseKernel (made), info->name);
  return NULL;
}
