/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Host memory for copies to a device: pinned memory, kept and reused, ordinary
 * memory, and memory of others, pinned where it lies.
 */

#include "opencl/device/host.h"
#include "clfaults.h"
#include "cltest.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((gsize) 1 << 20)
#define SIZE ((gsize) 100000)

/* Memory of others, SIZE bytes. */
static guint8 whole[1 + SIZE], *const memory = whole + 1;

typedef struct
{
  gconstpointer data; /* of the test */
  gint n_alive;       /* without the device */
  AmphistoClDevice *device;
} Fixture;

/* --- blocks --- */

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

/* Blocks of a device that pins memory, or does not. Afterwards, pinned ones are
 * kept, and ordinary ones are not. */
static void
test_sizes (Fixture *self)
{
  static const gsize sizes[] = { 1, 63, 64, 65, 4095, 4096, 4097, 8192, 99999 };
  const gboolean pins_memory = self->data != NULL;
  const gint n_device = clfaults_n_alive ();
  /* the buffers, and a queue */
  const gint n_pinned = pins_memory ? G_N_ELEMENTS (sizes) + 1 : 0;
  AmphistoClHost *hosts[G_N_ELEMENTS (sizes)];

  self->device->pins_memory = pins_memory;
  for (guint i = 0; IS_ROW (sizes, i); i++) {
    hosts[i] = amphisto_cl_host_new (self->device, sizes[i]);
    check_block (hosts[i], sizes[i]);
    g_assert_cmpint (hosts[i]->is_pinned, ==, pins_memory);
  }
  g_assert_cmpint (clfaults_n_alive () - n_device, ==, n_pinned);
  g_assert_null (amphisto_cl_host_new (self->device, G_MAXSIZE));
  g_assert_null (amphisto_cl_host_new (self->device, G_MAXSSIZE));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    amphisto_cl_host_free (hosts[i]);
  g_assert_cmpint (clfaults_n_alive () - n_device, ==, n_pinned);
}

/* Content of the memory gets to the device and back. */
static void
test_copies (TestCl *cl)
{
  AmphistoClHost *from, *to;
  cl_mem buffer;

  cl->device->pins_memory = TRUE;
  from = amphisto_cl_host_new (cl->device, SIZE);
  to = amphisto_cl_host_new (cl->device, SIZE);
  for (gsize i = 0; i < SIZE; i++)
    ((guint8 *) from->data)[i] = i * 31 >> 3;
  buffer = test_cl_buffer (cl, from->data, SIZE);
  test_cl_read (cl, buffer, to->data, SIZE);
  g_assert_cmpmem (from->data, SIZE, to->data, SIZE);
  amphisto_cl_host_free (from);
  amphisto_cl_host_free (to);
}

/* A freed block is reused for the same size only. */
static void
test_kept (Fixture *self)
{
  AmphistoClHost *a = amphisto_cl_host_new (self->device, 5000), *b;
  const gpointer data = a->data;

  amphisto_cl_host_free (a);
  clfaults_count ("clCreateBuffer");
  a = amphisto_cl_host_new (self->device, 8192);
  g_assert_true (a->data == data);
  g_assert_cmpuint (clfaults_n_calls (), ==, 0);
  b = amphisto_cl_host_new (self->device, 8192);
  g_assert_true (b->data != data);
  g_assert_cmpuint (clfaults_n_calls (), ==, 1);
  amphisto_cl_host_free (b);
  amphisto_cl_host_free (a);
  a = amphisto_cl_host_new (self->device, 8193);
  g_assert_cmpuint (clfaults_n_calls (), ==, 2);
  amphisto_cl_host_free (a);
}

/* A block outlives the device's last other user, and its loss. */
static void
test_outlives (Fixture *self)
{
  AmphistoClHost *host = amphisto_cl_host_new (self->device, MIB);

  if (self->data != NULL)
    amphisto_cl_device_mark_lost (self->device);
  g_clear_pointer (&self->device, amphisto_cl_device_close);
  check_block (host, MIB);
  amphisto_cl_host_free (host);
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
test_bound (Fixture *self)
{
  const gsize size = 64 * MIB;
  g_autoptr (GPtrArray) hosts =
      g_ptr_array_new_with_free_func ((GDestroyNotify) amphisto_cl_host_free);
  const gsize limit = 16 * size;
  guint n;

  g_assert_cmpuint (self->device->pinned.limit, >=, limit);
  self->device->pinned.limit = limit;
  n = fill (self->device, size, hosts);
  g_assert_cmpuint (n * size, <=, limit);
  g_assert_cmpuint ((n + 2) * size, >, limit);
  /* ordinary memory works, too */
  check_block (g_ptr_array_index (hosts, n), size);

  /* kept blocks are reused, */
  g_ptr_array_set_size (hosts, 0);
  clfaults_count ("clCreateBuffer");
  g_assert_cmpuint (fill (self->device, size, hosts), ==, n);
  g_assert_cmpuint (clfaults_n_calls (), ==, 0);
  /* and freed for another size, unless in use */
  g_ptr_array_set_size (hosts, n / 2);
  g_assert_cmpuint (fill (self->device, size / 2, hosts), >=, n);
  g_assert_cmpuint (self->device->pinned.kept.length, ==, 0);
  g_assert_cmpuint (self->device->pinned.total, <=, limit);
}

/* If the driver refuses a call, the memory is ordinary, and nothing leaks. */
static void
test_refused (Fixture *self)
{
  AmphistoClHost *host, *other;

  clfaults_set (self->data, 1);
  test_log_begin ();
  host = amphisto_cl_host_new (self->device, MIB);
  g_assert_cmpuint (test_log_count ("1048576 bytes of amphisto are not pinned: "
                                    "cl"),
      ==, 1);
  g_assert_cmpuint (test_log_count (self->data), ==, 1);
  g_assert_cmpstr (clfaults_failed (), ==, self->data);
  check_block (host, MIB);
  g_assert_false (host->is_pinned);
  g_assert_cmpuint (self->device->pinned.total, ==, 0);
  /* a later call may succeed */
  other = amphisto_cl_host_new (self->device, MIB);
  g_assert_true (other->is_pinned);
  g_assert_cmpuint (test_log_count ("pinned 1048576 bytes"), ==, 1);
  amphisto_cl_host_free (host);
  amphisto_cl_host_free (other);
}

/* If the driver refuses, kept blocks are freed to make room, first the one that
 * was used longest ago. */
static void
test_makes_room (Fixture *self)
{
  AmphistoClHost *host, *kept;

  amphisto_cl_host_free (amphisto_cl_host_new (self->device, MIB));
  amphisto_cl_host_free (amphisto_cl_host_new (self->device, 3 * MIB));
  clfaults_set ("clCreateBuffer", 1);
  host = amphisto_cl_host_new (self->device, 2 * MIB);
  g_assert_nonnull (clfaults_failed ());
  g_assert_true (host->is_pinned);
  g_assert_cmpuint (self->device->pinned.kept.length, ==, 1);
  kept = g_queue_peek_head (&self->device->pinned.kept);
  g_assert_cmpuint (kept->size, ==, 3 * MIB);
  amphisto_cl_host_free (host);
}

static AmphistoClHost *slots[16];

/* Puts a block, or NULL, into a slot, and frees the one that was there. */
static void
exchange (AmphistoClHost **slot, AmphistoClHost *host)
{
  AmphistoClHost *old;

  do
    old = g_atomic_pointer_get (slot);
  while (!g_atomic_pointer_compare_and_exchange (slot, old, host));
  if (old != NULL)
    amphisto_cl_host_free (old);
}

/* Creates blocks of a few sizes for other threads to free, and frees theirs. */
static gpointer
exchange_blocks (gpointer device)
{
  for (guint i = 0; i < 5000; i++) {
    const gsize size = (i % 5 + 1) * 3000;
    AmphistoClHost *host = amphisto_cl_host_new (device, size);

    check_block (host, size);
    exchange (&slots[i * 7 % G_N_ELEMENTS (slots)], host);
  }
  for (guint i = 0; i < G_N_ELEMENTS (slots); i++)
    exchange (&slots[i], NULL);
  return NULL;
}

static void
test_threads (Fixture *self)
{
  test_run_threads (4, exchange_blocks, self->device);
  /* at most those in use at once: in slots, and one per thread */
  g_assert_cmpuint (self->device->pinned.kept.length, <=, 5 * (16 + 4));
}

/* --- memory of others --- */

/* Returns: a pin, or NULL. The driver has refused nothing. */
static AmphistoClPin *
pin_new (AmphistoClDevice *device, gpointer data, gsize size)
{
  gboolean is_refused = TRUE;
  AmphistoClPin *pin = amphisto_cl_pin_new (device, data, size, &is_refused);

  g_assert_false (is_refused);
  return pin;
}

/* Memory is pinned from its first byte to its last, as long as the pin is. */
static void
test_range (Fixture *self)
{
  AmphistoClDevice *device = self->device;
  AmphistoClPin *pin;

  g_assert_false (amphisto_cl_is_pinned (device, memory, SIZE));
  pin = pin_new (device, memory, SIZE);
  g_assert_nonnull (pin);
  g_assert_true (amphisto_cl_pin_is_for (pin, device));
  g_assert_true (amphisto_cl_is_pinned (device, memory, SIZE));
  g_assert_true (amphisto_cl_is_pinned (device, memory + SIZE - 1, 1));
  g_assert_false (amphisto_cl_is_pinned (device, memory + 1, SIZE));
  g_assert_false (amphisto_cl_is_pinned (device, memory - 1, 2));
  g_assert_cmpuint (device->pinned.total, ==, SIZE);
  amphisto_cl_pin_free (pin);
  g_assert_false (amphisto_cl_is_pinned (device, memory, SIZE));
  g_assert_cmpuint (device->pinned.total, ==, 0);
}

/* Pins end with their device, before or after it is lost; freeing them later
 * does no harm. */
static void
test_given_up (Fixture *self)
{
  AmphistoClPin *pin = pin_new (self->device, memory, SIZE);

  g_assert_true (amphisto_cl_pin_holds (pin));
  if (self->data != NULL)
    amphisto_cl_device_mark_lost (self->device);
  g_clear_pointer (&self->device, amphisto_cl_device_close);
  g_assert_cmpint (clfaults_n_alive (), ==, self->n_alive);
  g_assert_false (amphisto_cl_pin_holds (pin));
  amphisto_cl_pin_free (pin);
}

/* Memory of others counts towards the limit, and is refused beyond, which the
 * log says once. */
static void
test_pin_bound (Fixture *self)
{
  const gsize most = self->device->pinned.limit - SIZE;
  AmphistoClPin *pin;

  self->device->pinned.total += most;
  pin = pin_new (self->device, memory, SIZE);
  g_assert_nonnull (pin);
  test_log_begin ();
  for (guint i = 0; i < 2; i++)
    g_assert_null (pin_new (self->device, memory, 1));
  g_assert_cmpuint (test_log_count ("the limit is reached"), ==, 1);
  g_assert_cmpuint (test_log_n_calls (), ==, 1);
  amphisto_cl_pin_free (pin);
  g_assert_cmpuint (self->device->pinned.total, ==, most);
}

static void
test_pin_refused (Fixture *self)
{
  gboolean is_refused = FALSE;

  clfaults_set (CLFAULTS_IMPORT, 1);
  test_log_begin ();
  g_assert_null (amphisto_cl_pin_new (self->device, memory, SIZE, &is_refused));
  g_assert_cmpuint (
      test_log_count ("100000 bytes of an element are not pinned: "
                      "clCreateBuffer failed: CL_OUT_OF_RESOURCES (-5)"),
      ==, 1);
  g_assert_true (is_refused);
  g_assert_nonnull (clfaults_failed ());
  g_assert_cmpuint (self->device->pinned.total, ==, 0);
  g_assert_false (amphisto_cl_is_pinned (self->device, memory, SIZE));
}

static gpointer
free_pins (gpointer pins)
{
  g_ptr_array_unref (pins);
  return NULL;
}

/* Frees pins while another thread gives up their device. */
static void
test_pin_threads (Fixture *self)
{
  for (guint round = 0; round < 50; round++) {
    GPtrArray *pins =
        g_ptr_array_new_with_free_func ((GDestroyNotify) amphisto_cl_pin_free);
    GThread *thread;

    for (guint i = 0; i < 50; i++)
      g_ptr_array_add (pins, pin_new (self->device, memory, SIZE));
    thread = g_thread_new ("pins", free_pins, pins);
    amphisto_cl_device_close (self->device);
    g_thread_join (thread);
    g_assert_cmpint (clfaults_n_alive (), ==, self->n_alive);
    self->device = test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);
  }
}

/* --- idle devices --- */

/* A device that stays open, not used as a CPU from now on. */
static void
keep_open (AmphistoClDevice *device, const char *seconds)
{
  g_setenv (AMPHISTO_CL_KEEP_OPEN, seconds, TRUE);
  device->is_cpu = FALSE;
}

/* An idle device holds no pinned memory, and is used again. */
static void
test_idle (Fixture *self)
{
  AmphistoClDevice *device = self->device;
  AmphistoClPin *pin = pin_new (device, memory, SIZE);

  keep_open (device, "100");
  amphisto_cl_host_free (amphisto_cl_host_new (device, MIB));
  g_assert_cmpuint (device->pinned.kept.length, ==, 1);
  amphisto_cl_device_close (device);
  g_assert_cmpuint (device->pinned.kept.length, ==, 0);
  g_assert_cmpuint (device->pinned.total, ==, 0);
  g_assert_false (amphisto_cl_pin_holds (pin));
  amphisto_cl_pin_free (pin);
  g_assert_true (test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE) == device);
}

/* --- exits, each of a process of its own --- */

/* The process ends while a device is idle (0), or being closed (1). */
static void
exit_idle (gboolean is_closing)
{
  AmphistoClDevice *device = test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);

  if (device == NULL)
    return;
  keep_open (device, is_closing ? "1" : "100");
  clfaults_delay ("clReleaseContext", 500000);
  amphisto_cl_device_close (device);
  if (is_closing)
    g_usleep (1200000);
}

/* A child of fork() opens devices anew, and leaves its parent's alone. */
static void
exit_forked (void)
{
  AmphistoClDevice *device = test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);
  const gint n_alive = clfaults_n_alive ();
  int status;
  pid_t child;

  if (device == NULL)
    return;
  keep_open (device, "100");
  child = fork ();
  if (child == 0) {
    amphisto_cl_device_close (device);
    if (clfaults_n_alive () != n_alive)
      _exit (1);
    clfaults_set ("clCreateContext", 1);
    _exit (test_open_device (NULL, NULL) != NULL);
  }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  amphisto_cl_device_close (device);
}

static void
test_exit (gconstpointer data)
{
  if (!g_test_subprocess ()) {
    g_test_trap_subprocess (
        NULL, 60 * G_TIME_SPAN_SECOND, G_TEST_SUBPROCESS_INHERIT_STDERR);
    g_test_trap_assert_passed ();
  } else if (data == NULL) {
    exit_forked ();
  } else {
    exit_idle (g_str_equal (data, "closing"));
  }
}

/* --- the tests --- */

static const struct
{
  const char *path;
  void (*run) (Fixture *self);
  gconstpointer data;
} tests[] = {
  { "/host/sizes-pinned", test_sizes, GINT_TO_POINTER (TRUE) },
  { "/host/sizes-ordinary", test_sizes, NULL },
  { "/host/kept", test_kept, NULL },
  { "/host/outlives", test_outlives, NULL },
  { "/host/outlives-lost", test_outlives, GINT_TO_POINTER (TRUE) },
  { "/host/bound", test_bound, NULL },
  { "/host/refused-queue", test_refused, "clCreateCommandQueue" },
  { "/host/refused-buffer", test_refused, "clCreateBuffer" },
  { "/host/refused-map", test_refused, "clEnqueueMapBuffer" },
  { "/host/makes-room", test_makes_room, NULL },
  { "/host/threads", test_threads, NULL },
  { "/pin/range", test_range, NULL },
  { "/pin/given-up", test_given_up, NULL },
  { "/pin/given-up-lost", test_given_up, GINT_TO_POINTER (TRUE) },
  { "/pin/bound", test_pin_bound, NULL },
  { "/pin/refused", test_pin_refused, NULL },
  { "/pin/threads", test_pin_threads, NULL },
  { "/idle/trimmed", test_idle, NULL },
};

/* Runs the test on a device that pins memory. Nothing is left of the device,
 * and of what was made of it. */
static void
run_test (gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);
  Fixture self = { .data = tests[i].data, .n_alive = clfaults_n_alive () };

  self.device = test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);
  if (self.device == NULL)
    return;
  self.device->pins_memory = TRUE;
  tests[i].run (&self);
  if (self.device != NULL) {
    g_assert_cmpint (self.device->ref_count, ==, 1);
    amphisto_cl_device_close (self.device);
  }
  clfaults_set (NULL, 0);
  g_assert_cmpint (clfaults_n_alive (), ==, self.n_alive);
}

/* The devices that pin memory. */
static void
test_devices (void)
{
  g_autoptr (AmphistoClDevice) device = test_open_device (NULL, NULL);

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
  /* Threads share the queue that maps pinned memory. PoCL's driver without
   * threads, which never pins memory in the product, hangs if a command waits
   * for one of another thread. */
  g_setenv ("POCL_DEVICES", "pthread", FALSE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/host/devices", test_devices);
  test_cl_add ("/host/copies", AMPHISTO_CL_SHAPE_CPU, test_copies, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_data_func (tests[i].path, GUINT_TO_POINTER (i), run_test);
  g_test_add_data_func ("/idle/exit-waiting", "waiting", test_exit);
  g_test_add_data_func ("/idle/exit-closing", "closing", test_exit);
  g_test_add_data_func ("/idle/fork", NULL, test_exit);
  return g_test_run ();
}
