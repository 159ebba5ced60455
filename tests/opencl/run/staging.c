/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Uploads by way of pinned memory, by several threads.
 */

#include "opencl/run/staging.h"
#include "clfaults.h"
#include "cltest.h"

#include <string.h>

#define MIB ((gsize) 1 << 20)
#define OFFSET 100 /* in the buffer */

typedef struct
{
  AmphistoClCommandQueue queue;
  AmphistoClHost *staging;
} Fixture;

/* cl->data: the number of helping threads. */
static void
set_up (Fixture *self, TestCl *cl)
{
  *self = (Fixture){ 0 };
  cl->device->shares_host_memory = FALSE;
  cl->device->pins_memory = TRUE;
  cl->device->n_copiers = GPOINTER_TO_UINT (cl->data);
  g_assert_true (
      amphisto_cl_command_queue_init (&self->queue, cl->device, FALSE, NULL));
}

static void
tear_down (Fixture *self)
{
  amphisto_cl_command_queue_clear (&self->queue);
  g_clear_pointer (&self->staging, amphisto_cl_host_free);
}

/* Uploads, and overwrites the source at once. */
static gboolean
upload (Fixture *self, cl_mem buffer, const guint8 *expected, gsize size,
    GError **error)
{
  g_autofree guint8 *source = g_memdup2 (expected, size);
  const gboolean ok = amphisto_cl_staging_write (&self->staging, OFFSET + size,
      &self->queue, buffer, OFFSET, source, size, error);

  memset (source, 0xee, size);
  return ok;
}

static void
fill (guint8 *data, gsize size, guint seed)
{
  for (gsize i = 0; i < size; i++)
    data[i] = (i + seed) * 2654435761u >> 24;
}

/* Sizes of one piece and of several, with and without a rest. The log says once
 * that such memory comes. */
static void
test_sizes (TestCl *cl)
{
  static const gsize sizes[] = { 1, 65536, MIB / 4, MIB / 4 + 1, MIB - 1,
    2 * MIB, 2 * MIB + 1, 8 * MIB + 12345 };
  const gsize most = 8 * MIB + 12345;
  g_autofree guint8 *expected = g_malloc (most), *result = g_malloc (most);
  cl_mem buffer = test_cl_buffer (cl, NULL, OFFSET + most);
  Fixture fixture;

  set_up (&fixture, cl);
  test_log_begin ();
  for (guint i = 0; i < 10 * G_N_ELEMENTS (sizes); i++) {
    const gsize size = sizes[i % G_N_ELEMENTS (sizes)];

    fill (expected, size, i);
    g_assert_true (upload (&fixture, buffer, expected, size, NULL));
    assert_cl (clEnqueueReadBuffer (fixture.queue.handle, buffer, CL_TRUE,
        OFFSET, size, result, 0, NULL, NULL));
    g_assert_cmpmem (result, size, expected, size);
  }
  g_assert_cmpuint (test_log_count ("frames are not pinned"), ==, 1);
  tear_down (&fixture);
}

/* The error of any write is reported, after all threads have stopped reading.
 * Pieces that are ready together are one write. */
static void
test_refused (TestCl *cl)
{
  const gsize size = 4 * MIB;
  g_autofree guint8 *source = g_malloc0 (size);
  cl_mem buffer = test_cl_buffer (cl, NULL, OFFSET + size);
  Fixture fixture;

  set_up (&fixture, cl);
  for (guint n = 1; n <= 8; n++) {
    g_autoptr (GError) error = NULL;

    clfaults_set ("clEnqueueWriteBuffer", n);
    g_assert_cmpint (upload (&fixture, buffer, source, size, &error), ==,
        clfaults_failed () == NULL);
    g_assert_cmpint (error == NULL, ==, clfaults_failed () == NULL);
    g_assert_true (n > 1 || error != NULL);
  }
  clfaults_set (NULL, 0);
  g_assert_true (upload (&fixture, buffer, source, size, NULL));
  assert_cl (clFinish (fixture.queue.handle));
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint n = 0; n < AMPHISTO_CL_MAX_COPIERS; n++) {
    g_autofree char *sizes = g_strdup_printf ("/staging/sizes-%u", n);
    g_autofree char *refused = g_strdup_printf ("/staging/refused-%u", n);

    test_cl_add (
        sizes, AMPHISTO_CL_SHAPE_GPU, test_sizes, GUINT_TO_POINTER (n));
    test_cl_add (
        refused, AMPHISTO_CL_SHAPE_GPU, test_refused, GUINT_TO_POINTER (n));
  }
  return g_test_run ();
}
