/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory of others, pinned where it lies.
 */

#include "opencl/device/pin.h"
#include "opencl/device/host.h"
#include "clfaults.h"
#include "cltest.h"

#define SIZE ((gsize) 100000)

typedef struct
{
  gint n_alive;
  AmphistoClDevice *device;
  guint8 *memory; /* SIZE bytes */
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  (void) data;
  self->n_alive = clfaults_n_alive ();
  self->device = test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);
  self->memory = g_malloc0 (SIZE);
}

/* Nothing is left of the device and of the pins. */
static void
tear_down (Fixture *self, gconstpointer data)
{
  (void) data;
  g_clear_pointer (&self->device, amphisto_cl_device_unref);
  g_assert_cmpint (clfaults_n_alive (), ==, self->n_alive);
  g_free (self->memory);
}

/* Memory is pinned from its first byte to its last, as long as the pin is. */
static void
test_range (Fixture *self, gconstpointer data)
{
  const guint8 *memory = self->memory;
  AmphistoClPin *pin;

  (void) data;
  if (self->device == NULL)
    return;
  g_assert_false (amphisto_cl_is_pinned (self->device, memory, SIZE));
  pin = amphisto_cl_pin_new (self->device, self->memory, SIZE);
  g_assert_nonnull (pin);
  g_assert_true (amphisto_cl_pin_is_for (pin, self->device));
  g_assert_true (amphisto_cl_is_pinned (self->device, memory, SIZE));
  g_assert_true (amphisto_cl_is_pinned (self->device, memory + SIZE - 1, 1));
  g_assert_false (amphisto_cl_is_pinned (self->device, memory + 1, SIZE));
  g_assert_false (amphisto_cl_is_pinned (self->device, memory - 1, 2));
  g_assert_cmpuint (self->device->pinned.total, ==, SIZE);
  amphisto_cl_pin_free (pin);
  g_assert_false (amphisto_cl_is_pinned (self->device, memory, SIZE));
  g_assert_cmpuint (self->device->pinned.total, ==, 0);
}

/* The same memory may be pinned twice. */
static void
test_twice (Fixture *self, gconstpointer data)
{
  AmphistoClPin *pins[2];

  (void) data;
  if (self->device == NULL)
    return;
  for (guint i = 0; i < 2; i++)
    pins[i] = amphisto_cl_pin_new (self->device, self->memory, SIZE);
  amphisto_cl_pin_free (pins[0]);
  g_assert_true (amphisto_cl_is_pinned (self->device, self->memory, SIZE));
  amphisto_cl_pin_free (pins[1]);
  g_assert_false (amphisto_cl_is_pinned (self->device, self->memory, SIZE));
}

/* Pins end with their device, before or after it is lost; freeing them later
 * does no harm. */
static void
test_given_up (Fixture *self, gconstpointer is_lost)
{
  AmphistoClPin *pin;

  if (self->device == NULL)
    return;
  pin = amphisto_cl_pin_new (self->device, self->memory, SIZE);
  if (is_lost != NULL)
    amphisto_cl_device_mark_lost (self->device);
  amphisto_cl_device_unref (self->device);
  g_assert_cmpint (clfaults_n_alive (), ==, self->n_alive);
  g_assert_false (amphisto_cl_pin_is_for (pin, self->device));
  self->device = NULL;
  amphisto_cl_pin_free (pin);
}

/* Memory of others counts towards the limit, and is refused beyond. */
static void
test_bound (Fixture *self, gconstpointer data)
{
  const gsize most = AMPHISTO_CL_MAX_PINNED - SIZE;
  AmphistoClPin *pin;

  (void) data;
  if (self->device == NULL)
    return;
  g_assert_true (amphisto_cl_pinned_reserve (self->device, most));
  pin = amphisto_cl_pin_new (self->device, self->memory, SIZE);
  g_assert_nonnull (pin);
  g_assert_null (amphisto_cl_pin_new (self->device, self->memory, 1));
  amphisto_cl_pin_free (pin);
  g_assert_cmpuint (self->device->pinned.total, ==, most);
}

static void
test_refused (Fixture *self, gconstpointer data)
{
  (void) data;
  if (self->device == NULL)
    return;
  clfaults_set (CLFAULTS_IMPORT, 1);
  g_assert_null (amphisto_cl_pin_new (self->device, self->memory, SIZE));
  g_assert_nonnull (clfaults_failed ());
  g_assert_cmpuint (self->device->pinned.total, ==, 0);
  g_assert_false (amphisto_cl_is_pinned (self->device, self->memory, SIZE));
}

/* Frees pins while another thread gives up their device. */
static gpointer
free_pins (gpointer data)
{
  GPtrArray *pins = data;

  g_ptr_array_unref (pins);
  return NULL;
}

static void
test_threads (Fixture *self, gconstpointer data)
{
  (void) data;
  for (guint round = 0; round < 50 && self->device != NULL; round++) {
    GPtrArray *pins =
        g_ptr_array_new_with_free_func ((GDestroyNotify) amphisto_cl_pin_free);
    GThread *thread;

    for (guint i = 0; i < 50; i++)
      g_ptr_array_add (
          pins, amphisto_cl_pin_new (self->device, self->memory, SIZE));
    thread = g_thread_new ("pins", free_pins, pins);
    amphisto_cl_device_unref (self->device);
    g_thread_join (thread);
    g_assert_cmpint (clfaults_n_alive (), ==, self->n_alive);
    self->device = test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);
  }
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    gconstpointer data;
    void (*run) (Fixture *self, gconstpointer data);
  } tests[] = {
    { "/pin/range", NULL, test_range },
    { "/pin/twice", NULL, test_twice },
    { "/pin/given-up", NULL, test_given_up },
    { "/pin/given-up-lost", GINT_TO_POINTER (TRUE), test_given_up },
    { "/pin/bound", NULL, test_bound },
    { "/pin/refused", NULL, test_refused },
    { "/pin/threads", NULL, test_threads },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (
        tests[i].path, Fixture, tests[i].data, set_up, tests[i].run, tear_down);
  return g_test_run ();
}
