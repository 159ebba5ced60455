/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Host memory for copies to a device: pinned memory, kept and reused, and
 * ordinary memory.
 */

#include "opencl/device/host.h"
#include "clfaults.h"
#include "cltest.h"

#include <string.h>

#define MIB ((gsize) 1 << 20)

/* A device that is treated as one that pins memory, or as one that does not.
 *
 * Returns: NULL if the test is skipped. */
static AmphistoClDevice *
device_new (gboolean pins_memory)
{
  AmphistoClDevice *device = test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);

  if (device != NULL)
    device->pins_memory = pins_memory;
  return device;
}

/* The block is whole, aligned and writable. */
static void
check_block (const AmphistoClHost *host, gsize size)
{
  const gsize unit = size < 4096 ? 64 : 4096;

  g_assert_nonnull (host);
  g_assert_cmpuint (host->size, >=, size);
  g_assert_cmpuint (host->size, <, size + unit);
  g_assert_cmpuint (host->size % unit, ==, 0);
  g_assert_cmpuint ((guintptr) host->data % unit, ==, 0);
  memset (host->data, 0xa5, host->size);
}

static void
test_sizes (gconstpointer pins_memory)
{
  static const gsize sizes[] = { 1, 63, 64, 65, 4095, 4096, 4097, 8192, 99999 };
  AmphistoClDevice *device = device_new (GPOINTER_TO_INT (pins_memory));
  AmphistoClHost *hosts[G_N_ELEMENTS (sizes)];

  if (device == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    hosts[i] = amphisto_cl_host_new (device, sizes[i]);
    check_block (hosts[i], sizes[i]);
    g_assert_cmpint (hosts[i]->is_pinned, ==, GPOINTER_TO_INT (pins_memory));
  }
  g_assert_null (amphisto_cl_host_new (device, G_MAXSIZE));
  g_assert_null (amphisto_cl_host_new (device, G_MAXSSIZE));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    amphisto_cl_host_free (hosts[i]);
  g_assert_cmpint (device->ref_count, ==, 1);
  amphisto_cl_device_unref (device);
}

/* Content of the memory gets to the device and back. */
static void
test_copies (void)
{
  g_autoptr (AmphistoClDevice) device = device_new (TRUE);
  const gsize size = 100000;
  AmphistoClHost *from, *to;
  cl_command_queue queue;
  cl_mem buffer;

  if (device == NULL)
    return;
  from = amphisto_cl_host_new (device, size);
  to = amphisto_cl_host_new (device, size);
  queue = test_queue_new (device);
  buffer = test_buffer_new (device, size);
  for (gsize i = 0; i < size; i++)
    ((guint8 *) from->data)[i] = i * 31 >> 3;
  test_buffer_write (queue, buffer, from->data, size);
  test_buffer_read (queue, buffer, to->data, size);
  g_assert_cmpmem (from->data, size, to->data, size);
  assert_cl (clReleaseMemObject (buffer));
  assert_cl (clReleaseCommandQueue (queue));
  amphisto_cl_host_free (from);
  amphisto_cl_host_free (to);
}

/* A freed block is reused for the same size only. */
static void
test_kept (void)
{
  AmphistoClDevice *device = device_new (TRUE);
  AmphistoClHost *a, *b;
  gpointer data;

  if (device == NULL)
    return;
  a = amphisto_cl_host_new (device, 5000);
  data = a->data;
  amphisto_cl_host_free (a);
  clfaults_count ("clCreateBuffer");
  a = amphisto_cl_host_new (device, 8192);
  g_assert_true (a->data == data);
  g_assert_cmpuint (clfaults_n_calls (), ==, 0);
  b = amphisto_cl_host_new (device, 8192);
  g_assert_true (b->data != data);
  g_assert_cmpuint (clfaults_n_calls (), ==, 1);
  amphisto_cl_host_free (b);
  amphisto_cl_host_free (a);
  a = amphisto_cl_host_new (device, 8193);
  g_assert_cmpuint (clfaults_n_calls (), ==, 2);
  amphisto_cl_host_free (a);
  amphisto_cl_device_unref (device);
}

/* Nothing is left of a freed device, and ordinary memory is not kept. */
static void
test_released (gconstpointer pins_memory)
{
  const gint n_alive = clfaults_n_alive ();
  AmphistoClDevice *device = device_new (GPOINTER_TO_INT (pins_memory));
  AmphistoClHost *hosts[10];
  gint n_device;

  if (device == NULL)
    return;
  n_device = clfaults_n_alive ();
  for (guint i = 0; i < G_N_ELEMENTS (hosts); i++)
    hosts[i] = amphisto_cl_host_new (device, (i + 1) * 1000);
  /* the buffers, and a queue */
  g_assert_cmpint (clfaults_n_alive () - n_device, ==,
      pins_memory != NULL ? G_N_ELEMENTS (hosts) + 1 : 0);
  for (guint i = 0; i < G_N_ELEMENTS (hosts); i++)
    amphisto_cl_host_free (hosts[i]);
  g_assert_cmpint (clfaults_n_alive () - n_device, ==,
      pins_memory != NULL ? G_N_ELEMENTS (hosts) + 1 : 0);
  amphisto_cl_device_unref (device);
  g_assert_cmpint (clfaults_n_alive (), ==, n_alive);
}

/* A block outlives the device's last other user, and its loss. */
static void
test_outlives (gconstpointer is_lost)
{
  const gint n_alive = clfaults_n_alive ();
  AmphistoClDevice *device = device_new (TRUE);
  AmphistoClHost *host;

  if (device == NULL)
    return;
  host = amphisto_cl_host_new (device, MIB);
  if (is_lost != NULL)
    amphisto_cl_device_mark_lost (device);
  amphisto_cl_device_unref (device);
  check_block (host, MIB);
  amphisto_cl_host_free (host);
  g_assert_cmpint (clfaults_n_alive (), ==, n_alive);
}

/* Pins as much as allowed, in blocks of `size`.
 *
 * Returns: their number. */
static guint
fill (AmphistoClDevice *device, gsize size, GPtrArray *hosts)
{
  const guint n_before = hosts->len;
  AmphistoClHost *host;

  do {
    host = amphisto_cl_host_new (device, size);
    g_assert_nonnull (host);
    g_ptr_array_add (hosts, host);
    g_assert_cmpuint (hosts->len, <, 100);
  } while (host->is_pinned);
  return hosts->len - n_before - 1;
}

static void
test_bound (void)
{
  const gsize size = 64 * MIB;
  g_autoptr (AmphistoClDevice) device = device_new (TRUE);
  g_autoptr (GPtrArray) hosts =
      g_ptr_array_new_with_free_func ((GDestroyNotify) amphisto_cl_host_free);
  guint n;

  if (device == NULL)
    return;
  n = fill (device, size, hosts);
  g_assert_cmpuint (n * size, <=, AMPHISTO_CL_MAX_PINNED);
  g_assert_cmpuint ((n + 2) * size, >, AMPHISTO_CL_MAX_PINNED);
  /* ordinary memory works, too */
  check_block (g_ptr_array_index (hosts, n), size);

  /* kept blocks are reused, */
  g_ptr_array_set_size (hosts, 0);
  clfaults_count ("clCreateBuffer");
  g_assert_cmpuint (fill (device, size, hosts), ==, n);
  g_assert_cmpuint (clfaults_n_calls (), ==, 0);
  /* and freed for another size, unless in use */
  g_ptr_array_set_size (hosts, n / 2);
  g_assert_cmpuint (fill (device, size / 2, hosts), >=, n);
  g_assert_cmpuint (device->pinned.kept.length, ==, 0);
  g_assert_cmpuint (device->pinned.total, <=, AMPHISTO_CL_MAX_PINNED);
}

/* If the driver refuses a call, the memory is ordinary, and nothing leaks. */
static void
test_refused (gconstpointer call)
{
  const gint n_alive = clfaults_n_alive ();
  AmphistoClDevice *device = device_new (TRUE);
  AmphistoClHost *host, *other;

  if (device == NULL)
    return;
  clfaults_set (call, 1);
  host = amphisto_cl_host_new (device, MIB);
  g_assert_cmpstr (clfaults_failed (), ==, call);
  check_block (host, MIB);
  g_assert_false (host->is_pinned);
  g_assert_cmpuint (device->pinned.total, ==, 0);
  /* a later call may succeed */
  other = amphisto_cl_host_new (device, MIB);
  g_assert_true (other->is_pinned);
  amphisto_cl_host_free (host);
  amphisto_cl_host_free (other);
  amphisto_cl_device_unref (device);
  g_assert_cmpint (clfaults_n_alive (), ==, n_alive);
}

/* If the driver refuses, kept blocks are freed to make room. */
static void
test_makes_room (void)
{
  g_autoptr (AmphistoClDevice) device = device_new (TRUE);
  AmphistoClHost *host;

  if (device == NULL)
    return;
  amphisto_cl_host_free (amphisto_cl_host_new (device, MIB));
  clfaults_set ("clCreateBuffer", 1);
  host = amphisto_cl_host_new (device, 2 * MIB);
  g_assert_nonnull (clfaults_failed ());
  g_assert_true (host->is_pinned);
  g_assert_cmpuint (device->pinned.kept.length, ==, 0);
  amphisto_cl_host_free (host);
}

/* Creates blocks of a few sizes for other threads to free, and frees theirs. */
static gpointer
exchange (gpointer data)
{
  static AmphistoClHost *slots[16];
  AmphistoClDevice *device = data;

  for (guint i = 0; i < 5000; i++) {
    AmphistoClHost *host = amphisto_cl_host_new (device, (i % 5 + 1) * 3000),
                   *old;
    const guint slot = i * 7 % G_N_ELEMENTS (slots);

    check_block (host, (i % 5 + 1) * 3000);
    do
      old = g_atomic_pointer_get (&slots[slot]);
    while (!g_atomic_pointer_compare_and_exchange (&slots[slot], old, host));
    if (old != NULL)
      amphisto_cl_host_free (old);
  }
  for (guint i = 0; i < G_N_ELEMENTS (slots); i++) {
    AmphistoClHost *old;

    do
      old = g_atomic_pointer_get (&slots[i]);
    while (!g_atomic_pointer_compare_and_exchange (&slots[i], old, NULL));
    if (old != NULL)
      amphisto_cl_host_free (old);
  }
  return NULL;
}

static void
test_threads (void)
{
  const gint n_alive = clfaults_n_alive ();
  AmphistoClDevice *device = device_new (TRUE);
  GThread *threads[4];

  if (device == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("host", exchange, device);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (device->ref_count, ==, 1);
  /* at most those in use at once: in slots, and one per thread */
  g_assert_cmpuint (device->pinned.kept.length, <=, 5 * (16 + 4));
  amphisto_cl_device_unref (device);
  g_assert_cmpint (clfaults_n_alive (), ==, n_alive);
}

/* The devices that pin memory. */
static void
test_devices (void)
{
  g_autoptr (AmphistoClDevice) device = amphisto_cl_device_get (NULL, NULL);

  if (device == NULL) {
    g_test_skip ("There is no OpenCL device.");
    return;
  }
  g_assert_cmpint (
      device->pins_memory, ==, !device->is_cpu && !device->shares_host_memory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/host/devices", test_devices);
  g_test_add_data_func (
      "/host/sizes-pinned", GINT_TO_POINTER (TRUE), test_sizes);
  g_test_add_data_func ("/host/sizes-ordinary", NULL, test_sizes);
  g_test_add_func ("/host/copies", test_copies);
  g_test_add_func ("/host/kept", test_kept);
  g_test_add_data_func (
      "/host/released-pinned", GINT_TO_POINTER (TRUE), test_released);
  g_test_add_data_func ("/host/released-ordinary", NULL, test_released);
  g_test_add_data_func ("/host/outlives", NULL, test_outlives);
  g_test_add_data_func (
      "/host/outlives-lost", GINT_TO_POINTER (TRUE), test_outlives);
  g_test_add_func ("/host/bound", test_bound);
  g_test_add_data_func (
      "/host/refused-queue", "clCreateCommandQueue", test_refused);
  g_test_add_data_func ("/host/refused-buffer", "clCreateBuffer", test_refused);
  g_test_add_data_func (
      "/host/refused-map", "clEnqueueMapBuffer", test_refused);
  g_test_add_func ("/host/makes-room", test_makes_room);
  g_test_add_func ("/host/threads", test_threads);
  return g_test_run ();
}
