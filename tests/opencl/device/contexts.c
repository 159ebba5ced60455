/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The contexts of a device: how many its users get, and which; and what the
 * contexts share. The first device plays GPUs with memory of their own.
 */

#include "cldevices.h"
#include "clfaults.h"
#include "cltest.h"
#include "opencl/device/host.h"
#include "opencl/run/program.h"

#define MIB ((gsize) 1 << 20)
#define MAX_USERS 64

static const ClDevice gpus[] = { { "A", CL_DEVICE_TYPE_GPU, "gpu-0", NULL },
  { "A", CL_DEVICE_TYPE_GPU, "gpu-1", NULL } };

typedef struct
{
  AmphistoClDevice *user[MAX_USERS]; /* NULL: none */
} Users;

static AmphistoClDevice *
open_gpu (const char *name)
{
  g_autoptr (GError) error = NULL;
  AmphistoClDevice *device = test_open_device (name, &error);

  g_assert_no_error (error);
  return device;
}

static void
open_users (Users *self, guint n)
{
  for (guint i = 0; i < n; i++)
    self->user[i] = open_gpu ("gpu-0");
}

static void
close_users (Users *self)
{
  for (guint i = 0; i < MAX_USERS; i++)
    g_clear_pointer (&self->user[i], amphisto_cl_device_close);
}

/* Users of the same context as user `i`, which is one of them. */
static guint
count_companions (const Users *self, guint i)
{
  guint n = 0;

  for (guint k = 0; k < MAX_USERS; k++)
    n += self->user[k] == self->user[i];
  return n;
}

/* --- how many --- */

static const struct
{
  guint users, contexts, most; /* of the users of a context */
} numbers[] = { { 1, 1, 1 }, { 2, 1, 2 }, { 3, 2, 2 }, { 4, 2, 2 }, { 8, 4, 2 },
  { 15, 8, 2 }, { 16, 8, 2 }, { 17, 8, 3 }, { 24, 8, 3 }, { 64, 8, 8 } };

static void
check_numbers (const Users *self, guint row)
{
  g_assert_cmpuint (clfaults_n_calls (), ==, numbers[row].contexts);
  for (guint i = 0; i < numbers[row].users; i++) {
    const guint n = count_companions (self, i);

    g_assert_cmpuint (n, <=, numbers[row].most);
    g_assert_cmpuint (n, ==, self->user[i]->n_users);
  }
}

static void
test_numbers (void)
{
  for (guint row = 0; IS_ROW (numbers, row); row++) {
    Users users = { { NULL } };

    clfaults_count ("clCreateContext");
    open_users (&users, numbers[row].users);
    check_numbers (&users, row);
    close_users (&users);
  }
}

static gpointer
open_in_thread (gpointer data)
{
  *(AmphistoClDevice **) data = open_gpu ("gpu-0");
  return NULL;
}

/* Users that come at once get as many as users that come one by one. */
static void
test_at_once (void)
{
  for (guint row = 0; IS_ROW (numbers, row); row++) {
    Users users = { { NULL } };
    GThread *threads[MAX_USERS];

    clfaults_count ("clCreateContext");
    clfaults_delay ("clCreateContext", 20000);
    for (guint i = 0; i < numbers[row].users; i++)
      threads[i] = g_thread_new ("user", open_in_thread, &users.user[i]);
    for (guint i = 0; i < numbers[row].users; i++)
      g_thread_join (threads[i]);
    check_numbers (&users, row);
    close_users (&users);
  }
}

static void
test_cpu (void)
{
  Users users = { { NULL } };

  cldevices_set_kind (CL_KIND_CPU);
  clfaults_count ("clCreateContext");
  for (guint i = 0; i < MAX_USERS; i++)
    users.user[i] = open_gpu ("cpu");
  g_assert_cmpuint (clfaults_n_calls (), ==, 1);
  close_users (&users);
}

/* Each device has its own, and its own account. */
static void
test_devices (void)
{
  Users users = { { NULL } };

  for (guint i = 0; i < 6; i++)
    users.user[i] = open_gpu (gpus[i % 2].name);
  for (guint i = 0; i < 6; i++) {
    g_assert_true (users.user[i]->id == (cl_device_id) &gpus[i % 2]);
    g_assert_true (users.user[i]->shared == users.user[i % 2]->shared);
    g_assert_cmpuint (users.user[i]->n_users, ==, i < 4 ? 2 : 1);
  }
  g_assert_true (users.user[0]->shared != users.user[1]->shared);
  close_users (&users);
}

/* --- which --- */

/* Users join the context with the fewest. */
static void
test_least (void)
{
  Users users = { { NULL } };

  open_users (&users, 40); /* five each */
  for (guint i = 0; i < 40; i++)
    if (users.user[i] == users.user[7] && i != 7)
      g_clear_pointer (&users.user[i], amphisto_cl_device_close);
  for (guint i = 40; i < 44; i++) {
    users.user[i] = open_gpu ("gpu-0");
    g_assert_true (users.user[i] == users.user[7]);
  }
  users.user[44] = open_gpu ("gpu-0");
  users.user[45] = open_gpu ("gpu-0");
  g_assert_cmpuint (users.user[44]->n_users, ==, 6);
  g_assert_cmpuint (users.user[45]->n_users, ==, 6);
  close_users (&users);
}

/* Users join a context with a user before an idle one, and an idle one before
 * there is another. */
static void
test_room (void)
{
  Users users = { { NULL } };
  AmphistoClDevice *idle;

  g_setenv (AMPHISTO_CL_KEEP_OPEN, "100", TRUE);
  open_users (&users, 6);
  idle = users.user[0];
  g_clear_pointer (&users.user[0], amphisto_cl_device_close);
  g_clear_pointer (&users.user[1], amphisto_cl_device_close);
  g_clear_pointer (&users.user[3], amphisto_cl_device_close);
  clfaults_count ("clCreateContext");
  users.user[0] = open_gpu ("gpu-0");
  g_assert_true (users.user[0] == users.user[2]);
  users.user[1] = open_gpu ("gpu-0");
  g_assert_true (users.user[1] == idle);
  users.user[3] = open_gpu ("gpu-0");
  g_assert_true (users.user[3] == idle);
  g_assert_cmpuint (clfaults_n_calls (), ==, 0);
  users.user[6] = open_gpu ("gpu-0");
  g_assert_cmpuint (clfaults_n_calls (), ==, 1);
  g_setenv (AMPHISTO_CL_KEEP_OPEN, "0", TRUE);
  close_users (&users);
}

/* If the driver refuses another context, users share the open ones, and the log
 * says why. */
static void
test_refused (void)
{
  Users users = { { NULL } };

  open_users (&users, 2);
  clfaults_set ("clCreateContext", 1);
  test_log_begin ();
  users.user[2] = open_gpu ("gpu-0");
  g_assert_nonnull (clfaults_failed ());
  g_assert_true (users.user[2] == users.user[0]);
  g_assert_cmpuint (
      test_log_count ("no other context of \"gpu-0\": clCreateContext failed"),
      ==, 1);
  /* the next user tries again */
  users.user[3] = open_gpu ("gpu-0");
  g_assert_true (users.user[3] != users.user[0]);
  close_users (&users);
}

/* --- loss --- */

/* After a loss, new users get new contexts, which no user of the old ones
 * loses. The old ones stay as long as their users. */
static void
test_lost (void)
{
  Users users = { { NULL } };

  open_users (&users, 3);
  amphisto_cl_device_mark_lost (users.user[0]);
  for (guint i = 0; i < 3; i++)
    g_assert_true (amphisto_cl_device_is_lost (users.user[i]));
  clfaults_count ("clCreateContext");
  for (guint i = 3; i < 6; i++)
    users.user[i] = open_gpu ("gpu-0");
  g_assert_cmpuint (clfaults_n_calls (), ==, 2);
  amphisto_cl_device_mark_lost (users.user[2]);
  for (guint i = 3; i < 6; i++) {
    g_assert_false (amphisto_cl_device_is_lost (users.user[i]));
    g_assert_true (users.user[i]->shared == users.user[0]->shared);
  }
  close_users (&users);
}

/* Another thread closes idle devices, and then what they have kept open. */
static void
await_alive (gint n)
{
  const gint64 end = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;

  while (clfaults_n_alive () > n) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_usleep (1000);
  }
}

/* A device that is lost has no idle context any more. */
static void
test_lost_idle (void)
{
  const gint n_before = clfaults_n_alive ();
  Users users = { { NULL } };
  gint n_alive;

  open_users (&users, 2);
  n_alive = clfaults_n_alive ();
  users.user[2] = open_gpu ("gpu-0");
  g_setenv (AMPHISTO_CL_KEEP_OPEN, "1000", TRUE);
  g_clear_pointer (&users.user[2], amphisto_cl_device_close);
  g_assert_cmpint (clfaults_n_alive (), >, n_alive);
  amphisto_cl_device_mark_lost (users.user[0]);
  await_alive (n_alive);
  g_setenv (AMPHISTO_CL_KEEP_OPEN, "0", TRUE);
  close_users (&users);
  await_alive (n_before);
}

/* --- pinned memory --- */

static guint8 memory[64 * 1024];

/* Returns: (transfer full): a pin of the memory. */
static AmphistoClPin *
pin_memory (AmphistoClDevice *device)
{
  gboolean is_refused = TRUE;
  AmphistoClPin *pin =
      amphisto_cl_pin_new (device, memory, sizeof memory, &is_refused);

  g_assert_nonnull (pin);
  g_assert_false (is_refused);
  return pin;
}

/* Memory that one context pins is pinned for all. The limit is the device's. */
static void
test_pinned (void)
{
  gboolean is_refused = TRUE;
  Users users = { { NULL } };
  AmphistoClDevice *home;
  AmphistoClHost *host;
  AmphistoClPin *pin;

  open_users (&users, 3);
  home = users.user[0];
  g_assert_true (users.user[2] != home);
  g_assert_true (users.user[2]->home == home);
  host = amphisto_cl_host_new (users.user[2], MIB);
  pin = pin_memory (users.user[2]);
  for (guint i = 0; i < 3; i++) {
    g_assert_true (amphisto_cl_is_pinned (users.user[i], host->data, MIB));
    g_assert_true (
        amphisto_cl_is_pinned (users.user[i], memory, sizeof memory));
    g_assert_true (amphisto_cl_pin_is_for (pin, users.user[i]));
  }
  home->pinned.limit = home->pinned.total;
  g_assert_null (
      amphisto_cl_pin_new (users.user[1], memory + 1, 1, &is_refused));
  g_assert_false (is_refused);
  amphisto_cl_host_free (host);
  g_assert_true (amphisto_cl_host_new (users.user[0], MIB) == host);
  amphisto_cl_host_free (host);
  amphisto_cl_pin_free (pin);
  close_users (&users);
}

/* Memory stays pinned, and its context open, until no context has a user. */
static void
test_home (void)
{
  Users users = { { NULL } };
  AmphistoClPin *pin;

  open_users (&users, 3);
  pin = pin_memory (users.user[0]);
  clfaults_count ("clReleaseContext");
  g_clear_pointer (&users.user[0], amphisto_cl_device_close);
  g_clear_pointer (&users.user[1], amphisto_cl_device_close);
  g_assert_cmpuint (clfaults_n_calls (), ==, 0);
  g_assert_true (amphisto_cl_pin_is_for (pin, users.user[2]));
  g_assert_true (amphisto_cl_is_pinned (users.user[2], memory, sizeof memory));
  g_clear_pointer (&users.user[2], amphisto_cl_device_close);
  g_assert_cmpuint (clfaults_n_calls (), ==, 2);
  g_assert_false (amphisto_cl_pin_holds (pin));
  amphisto_cl_pin_free (pin);
}

/* After a loss, memory is pinned anew, for the new contexts. */
static void
test_lost_home (void)
{
  Users users = { { NULL } };
  AmphistoClHost *hosts[2];

  open_users (&users, 3);
  hosts[0] = amphisto_cl_host_new (users.user[2], MIB);
  amphisto_cl_device_mark_lost (users.user[2]);
  for (guint i = 3; i < 6; i++)
    users.user[i] = open_gpu ("gpu-0");
  g_assert_true (users.user[5]->home == users.user[3]);
  g_assert_false (amphisto_cl_is_pinned (users.user[5], hosts[0]->data, MIB));
  hosts[1] = amphisto_cl_host_new (users.user[5], MIB);
  amphisto_cl_host_free (hosts[0]);
  close_users (&users);
  amphisto_cl_host_free (hosts[1]);
}

/* --- programs --- */

static gpointer
build (gpointer device)
{
  g_autoptr (GError) error = NULL;
  cl_kernel kernel = amphisto_cl_kernel_new (device,
      amphisto_cl_kernel_find ("equalize_lut"), AMPHISTO_NEEDS_ALL, &error);

  g_assert_no_error (error);
  assert_cl (clReleaseKernel (kernel));
  return NULL;
}

/* A context waits for another one's build, which fills the driver's cache. */
static void
test_builds (void)
{
  Users users = { { NULL } };
  GThread *threads[2];

  open_users (&users, 4);
  clfaults_count ("clBuildProgram");
  clfaults_block ("clBuildProgram");
  threads[0] = g_thread_new ("build", build, users.user[0]);
  while (!clfaults_is_blocking ())
    g_usleep (1000);
  threads[1] = g_thread_new ("build", build, users.user[2]);
  g_usleep (100000);
  g_assert_cmpuint (clfaults_n_calls (), ==, 1);
  clfaults_block (NULL);
  for (guint i = 0; i < 2; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < 4; i++)
    build (users.user[i]);
  g_assert_cmpuint (clfaults_n_calls (), ==, 2);
  close_users (&users);
}

/* --- the tests --- */

static const struct
{
  const char *path;
  void (*run) (void);
} tests[] = {
  { "/contexts/numbers", test_numbers },
  { "/contexts/at-once", test_at_once },
  { "/contexts/cpu", test_cpu },
  { "/contexts/devices", test_devices },
  { "/contexts/least", test_least },
  { "/contexts/room", test_room },
  { "/contexts/refused", test_refused },
  { "/contexts/lost", test_lost },
  { "/contexts/lost-idle", test_lost_idle },
  { "/contexts/pinned", test_pinned },
  { "/contexts/home", test_home },
  { "/contexts/lost-home", test_lost_home },
  { "/contexts/builds", test_builds },
};

/* Nothing is left of the devices, and of what was made of them. */
static void
run_test (gconstpointer data)
{
  const gint n_alive = clfaults_n_alive ();

  cldevices_set_kind (CL_KIND_OWN_MEMORY);
  cldevices_set (gpus, G_N_ELEMENTS (gpus));
  tests[GPOINTER_TO_UINT (data)].run ();
  clfaults_set (NULL, 0);
  clfaults_delay (NULL, 0);
  g_assert_cmpint (clfaults_n_alive (), ==, n_alive);
}

int
main (int argc, char **argv)
{
  /* see host.c */
  g_setenv ("POCL_DEVICES", "pthread", FALSE);
  g_setenv (AMPHISTO_CL_KEEP_OPEN, "0", TRUE);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_data_func (tests[i].path, GUINT_TO_POINTER (i), run_test);
  return g_test_run ();
}
