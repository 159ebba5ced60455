/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define _GNU_SOURCE /* RTLD_NEXT */

#include "builds.h"
#include "size.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>

const char *
test_build_options (const char *options)
{
  g_autofree char *text = NULL;

  if (test_size () != TEST_QUICK || options == NULL)
    return options;
  text = g_strdup (options);
  for (char *at = text; (at = strstr (at, "-DHAS_")) != NULL;) {
    at = strchr (at, '=') + 1;
    *at = '1';
  }
  return g_intern_string (text);
}

/* Returns: the function of a library that is loaded before OpenCL's (oclgrind);
 * or OpenCL's, which the tests of elements do not link. */
static __typeof__ (&clBuildProgram)
find_next (void)
{
  void *next = dlsym (RTLD_NEXT, "clBuildProgram");

  if (next == NULL)
    next = dlsym (
        dlopen ("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL), "clBuildProgram");
  return next;
}

/* The plugin calls this before the library's. Weak: clfaults.c has its own. */
__attribute__ ((weak)) cl_int
clBuildProgram (cl_program program, cl_uint n, const cl_device_id *devices,
    const char *options, void (CL_CALLBACK *notify) (cl_program, void *),
    void *data)
{
  static __typeof__ (&clBuildProgram) build;

  if (build == NULL)
    build = find_next ();
  return build (
      program, n, devices, test_build_options (options), notify, data);
}
