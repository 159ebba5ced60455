/* SPDX-License-Identifier: LGPL-2.1-or-later */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr() */
#endif

#include "opencl/device/drivers.h"
#include "opencl/device/vendors.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "POCL_DEVICES"
#define BOTH "basic pthread"
#define LAYERS "OPENCL_LAYERS"

/* Names of their devices. */
#define USUAL "^(pthread|cpu)-(?!minimal|tbb)"
#define WITHOUT_THREADS "^(basic|cpu-minimal)-"

/* PoCL loads its drivers from files of these names, beside its library. */
#define FOLDER "pocl"
#define PREFIX "libpocl-devices-"
#define SUFFIX ".so"

extern char **environ;

static gboolean was_listed, has_asked;

/* --- PoCL's drivers --- */

/* Whether the folder has both drivers for CPUs, and no driver for devices that
 * PoCL would offer without the variable. */
static gboolean
has_cpu_drivers_alone (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    if (!g_str_has_prefix (name, PREFIX))
      continue;
    if (strcmp (name, PREFIX "basic" SUFFIX) == 0
        || strcmp (name, PREFIX "pthread" SUFFIX) == 0)
      n++;
    else if (strcmp (name, PREFIX "remote" SUFFIX) != 0)
      return FALSE;
  }
  return n == 2;
}

typedef struct
{
  gboolean has_pocl;
  gboolean has_others; /* a PoCL with drivers for other devices */
} Found;

/* Loads PoCL, which the OpenCL loader does next, and keeps it. */
static void
look_for_drivers (
    const char *file, const char *library, const char *why, gpointer user_data)
{
  Found *found = user_data;
  g_autofree char *path = NULL, *folder = NULL;
  void *handle, *function;
  Dl_info info;

  (void) file;
  (void) why;
  if (library == NULL || strstr (library, "pocl") == NULL)
    return;
  handle = dlopen (library, RTLD_LAZY | RTLD_LOCAL);
  function =
      handle != NULL ? dlsym (handle, "clGetExtensionFunctionAddress") : NULL;
  if (function == NULL || dladdr (function, &info) == 0)
    return;
  path = g_path_get_dirname (info.dli_fname);
  folder = g_build_filename (path, FOLDER, NULL);
  found->has_pocl = TRUE;
  found->has_others |= !has_cpu_drivers_alone (folder);
}

/* --- the environment --- */

/* Threads of the application may read the environment meanwhile. setenv() may
 * free what they read (glibc before 2.41); so the environment becomes a copy,
 * whose last entry is the variable, and which is never freed. */
static void
add_variable (void)
{
  const guint n = g_strv_length (environ);
  char **copy = g_new (char *, n + 2);

  memcpy (copy, environ, n * sizeof *copy);
  copy[n] = (char *) VARIABLE "=" BOTH;
  copy[n + 1] = NULL;
  environ = copy;
}

void
amphisto_cl_drivers_begin_listing (void)
{
  Found found = { FALSE, FALSE };

  if (was_listed || g_getenv (VARIABLE) != NULL || g_getenv (LAYERS) != NULL)
    return;
  amphisto_cl_vendors_foreach (look_for_drivers, &found);
  has_asked = found.has_pocl && !found.has_others;
  if (has_asked)
    add_variable ();
}

void
amphisto_cl_drivers_end_listing (void)
{
  if (!was_listed && has_asked)
    unsetenv (VARIABLE);
  was_listed = TRUE;
}

const char *
amphisto_cl_drivers_chosen (void)
{
  return !was_listed && has_asked ? NULL : g_getenv (VARIABLE);
}

/* --- devices --- */

gboolean
amphisto_cl_drivers_is_usual (const char *name)
{
  return g_regex_match_simple (USUAL, name, 0, 0);
}

static gboolean
is_cpu_named (cl_device_id id, const char *pattern)
{
  cl_device_type type = 0;
  char name[256] = "";

  return clGetDeviceInfo (id, CL_DEVICE_TYPE, sizeof type, &type, NULL)
      == CL_SUCCESS
      && (type & CL_DEVICE_TYPE_CPU) != 0
      && clGetDeviceInfo (id, CL_DEVICE_NAME, sizeof name - 1, name, NULL)
      == CL_SUCCESS
      && g_regex_match_simple (pattern, name, 0, 0);
}

gboolean
amphisto_cl_drivers_has_inline (const cl_device_id *ids, cl_uint n)
{
  return has_asked && n > 1 && is_cpu_named (ids[0], WITHOUT_THREADS)
      && is_cpu_named (ids[1], USUAL);
}
