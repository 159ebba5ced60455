/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A device for tests, its buffers and kernels.
 */

#pragma once

#include "opendevice.h"
#include "frames.h"
#include "size.h"
#include "assertions.h"

/* The device that the environment chooses, or the default one, which must not
 * be in use. Skips the test without a device. Its kernels get the `shape`;
 * unless `shares_host_memory`, frames are copied to it, even on a device that
 * shares memory.
 *
 * Returns: (transfer full): the device, or NULL if the test is skipped. */
AmphistoClDevice *test_device_get (
    AmphistoClShape shape, gboolean shares_host_memory);

/* Has frames copied to the device, unless `shares_host_memory`. */
void test_device_set_shared (
    AmphistoClDevice *device, gboolean shares_host_memory);

/* Skips the test, and returns TRUE, if the default device, which must not be in
 * use, can't run the kernels of the shape, on large frames or any. The CPU
 * shape has tables in private memory, which GPUs run out of, and long loops,
 * which simulated CPUs, such as llvmpipe, end too early. */
gboolean test_skips_shape (AmphistoClShape shape, gboolean is_large);

/* Returns: `small`, `quick` or `full`, by the size of the tests. */
gsize test_by_size (gsize small, gsize quick, gsize full);

/* Returns: (transfer full): the file's text. */
char *test_read_file (const char *path);

/* Runs the function with `data` in `n` threads, until all have ended. */
void test_run_threads (guint n, GThreadFunc func, gpointer data);

/* --- the log --- */

/* Collects the log from now on, of all levels. */
void test_log_begin (void);

/* Returns: the number of messages since test_log_begin() that contain `part`.
 */
guint test_log_count (const char *part);

/* Returns: how often the log was called since test_log_begin(), also to ask for
 * a level. */
guint test_log_n_calls (void);

/* --- tests of kernels --- */

/* A device, shared with the host, and a queue. Every failing call aborts. */
typedef struct
{
  AmphistoClDevice *device;
  cl_command_queue queue;
  cl_program program; /* NULL: the plugin's */
  GPtrArray *buffers;
  GPtrArray *kernels;
  gconstpointer data; /* of the test */
} TestCl;

typedef void (*TestClFunc) (TestCl *self);

/* Adds a test on a device of its own. The test is skipped without a device. */
void test_cl_add (const char *path, AmphistoClShape shape, TestClFunc func,
    gconstpointer data);

/* The same without data, for each shape: PATH/cpu and PATH/gpu. */
void test_cl_add_for_shapes (const char *path, TestClFunc func);

/* Builds a program in the device's shape. `defines`: compiler options. Further
 * kernels are of this program. */
void test_cl_build (TestCl *self, const char *source, const char *defines);

/* Returns: (transfer none): a kernel with the buffers, which end with NULL, as
 * its first arguments. */
cl_kernel test_cl_kernel (
    TestCl *self, const char *name, ...) G_GNUC_NULL_TERMINATED;

/* Runs the kernel until it has ended. */
void test_cl_run (
    TestCl *self, cl_kernel kernel, gsize n_items, gsize group_size);

/* Returns: (transfer none): a buffer with a copy of `data`, unless NULL. */
cl_mem test_cl_buffer (TestCl *self, const void *data, gsize size);

/* Copies to and from a buffer, blocking. */
void test_cl_write (TestCl *self, cl_mem buffer, const void *data, gsize size);
void test_cl_read (TestCl *self, cl_mem buffer, void *data, gsize size);

/* Releases the kernels and buffers so far, as the end of the test does. */
void test_cl_release (TestCl *self);

#define assert_cl(status)                                                      \
  g_assert_cmpstr (amphisto_cl_status_name (status), ==,                       \
      amphisto_cl_status_name (CL_SUCCESS))

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AmphistoClDevice, amphisto_cl_device_close)
