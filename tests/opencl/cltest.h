/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the tests on a device have in common.
 */

#ifndef CLTEST_H
#define CLTEST_H

#include "opencl/device.h"

/* The device that the environment chooses, or the default one; skips the test
 * and returns NULL where there is none. It must not be in use: it is made to
 * have `shape`, and its memory to be its own if `shares_host_memory` is FALSE.
 *
 * Returns: (transfer full). */
AmphistoClDevice *test_device_get (
    AmphistoClShape shape, gboolean shares_host_memory);

/* Whether the environment asks for few and small cases, as in a simulator. */
gboolean test_is_small (void);

/* A device's queue, and kernels' buffers by it; every failure aborts. */
cl_command_queue test_queue_new (AmphistoClDevice *device);
cl_mem test_buffer_new (AmphistoClDevice *device, gsize size);
void test_buffer_write (
    cl_command_queue queue, cl_mem buffer, const void *data, gsize size);
void test_buffer_read (
    cl_command_queue queue, cl_mem buffer, void *data, gsize size);

#define assert_cl(status)                                                      \
  g_assert_cmpstr (amphisto_cl_status_name (status), ==,                       \
      amphisto_cl_status_name (CL_SUCCESS))

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AmphistoClDevice, amphisto_cl_device_unref)

#endif
