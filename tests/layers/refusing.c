/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A driver that refuses two of three host pointers, as Intel's refuses pages
 * that are read-only or mapped from a device.
 */

#include <string.h>

#include "layer.h"

static cl_mem
create_buffer (cl_context context, cl_mem_flags flags, size_t size, void *host,
    cl_int *status)
{
  static gint n_wrapped;

  if (flags & CL_MEM_USE_HOST_PTR && g_atomic_int_add (&n_wrapped, 1) % 3 > 0) {
    if (status != NULL)
      *status = CL_INVALID_HOST_PTR;
    return NULL;
  }
  return driver->clCreateBuffer (context, flags, size, host, status);
}

static void
layer_init (void)
{
  calls.clCreateBuffer = create_buffer;
}
