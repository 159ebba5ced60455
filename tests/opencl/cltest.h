/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A device for tests, its buffers and kernels.
 */

#pragma once

#include "opencl/device/search.h"
#include "frames.h"
#include "size.h"

/* Adds a test for each shape, with the shape as its data (GUINT_TO_POINTER()).
 */
void test_add_for_shapes (const char *path, GTestDataFunc func);

/* The device that the environment chooses, or the default one, which must not
 * be in use. Skips the test without a device. Its kernels get the `shape`;
 * unless `shares_host_memory`, frames are copied to it, even on a device that
 * shares memory.
 *
 * Returns: (transfer full): the device, or NULL if the test is skipped. */
AmphistoClDevice *test_device_get (
    AmphistoClShape shape, gboolean shares_host_memory);

/* Whether the default device, which must not be in use, can run the kernels of
 * the shape on large frames. The CPU shape has long loops, which other devices,
 * such as llvmpipe, end too early. */
gboolean test_takes_large_frames (AmphistoClShape shape);

/* Returns: (transfer full): the file's text. */
char *test_read_file (const char *path);

/* A queue on the device, buffers, and copies to and from them; every failure
 * aborts. Copies block until they have ended. */
cl_command_queue test_queue_new (AmphistoClDevice *device);
cl_mem test_buffer_new (AmphistoClDevice *device, gsize size);
void test_buffer_write (
    cl_command_queue queue, cl_mem buffer, const void *data, gsize size);
void test_buffer_read (
    cl_command_queue queue, cl_mem buffer, void *data, gsize size);

/* A buffer with a copy of the frame's memory. */
cl_mem test_frame_buffer_new (
    AmphistoClDevice *device, cl_command_queue queue, const TestFrame *frame);

/* Stores the places of the frame's planes in such a buffer. */
void test_frame_place (
    const TestFrame *frame, plane_params places[AMPHISTO_N_PLANES]);

/* Makes the `n` buffers the kernel's first arguments. */
void test_kernel_set_buffers (cl_kernel kernel, const cl_mem *buffers, guint n);

#define assert_cl(status)                                                      \
  g_assert_cmpstr (amphisto_cl_status_name (status), ==,                       \
      amphisto_cl_status_name (CL_SUCCESS))

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AmphistoClDevice, amphisto_cl_device_unref)
