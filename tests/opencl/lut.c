/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The forms of look-ups in lut.cl: all that the device's CPU has, for each
 * value at each place of a vector.
 */

#include "opencl/program.h"
#include "cltest.h"

#include <string.h>

/* As in lut.cl. */
typedef enum
{
  LOADS,
  TABLES,
  SHUFFLES_16,
  SHUFFLES_32,
  PERMUTES,
  N_FORMS
} Form;

/* The program's choice of a form. */
#define DEFAULT_FORM N_FORMS

#define N_VALUES 256

/* Vectors of the greatest length, in each of which a place has the next value.
 */
#define VECTOR_LENGTH 64
#define N_TESTED (N_VALUES * VECTOR_LENGTH)

typedef struct
{
  AmphistoClDevice *device;
  cl_command_queue queue;
  cl_program program;
  guint8 lut[N_VALUES];
  cl_mem lut_buffer;
} Fixture;

static void
build_program (Fixture *self, Form form)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *kernels = NULL;
  g_autofree char *options = form == DEFAULT_FORM
      ? g_strdup ("-cl-std=CL1.2 -w")
      : g_strdup_printf ("-cl-std=CL1.2 -w -DLUT_FORM=%u", form);

  g_file_get_contents (CL_TEST_DIR "/lut_kernels.cl", &kernels, NULL, &error);
  g_assert_no_error (error);

  const char *sources[] = { amphisto_cl_source ("frame_params.h"),
    amphisto_cl_source ("packed_uchar.cl"), amphisto_cl_source ("pixels.cl"),
    amphisto_cl_source ("lut.cl"), kernels, NULL };

  self->program =
      amphisto_cl_program_build (self->device, sources, options, &error);
  g_assert_no_error (error);
}

static void
set_up (Fixture *self, Form form)
{
  guint32 state = 815;

  *self = (Fixture){ .device = test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE) };
  if (self->device == NULL)
    return;
  self->queue = test_queue_new (self->device);
  build_program (self, form);
  for (guint i = 0; i < N_VALUES; i++)
    self->lut[i] = test_random (&state);
  self->lut_buffer = test_buffer_new (self->device, N_VALUES);
  test_buffer_write (self->queue, self->lut_buffer, self->lut, N_VALUES);
}

static void
tear_down (Fixture *self)
{
  if (self->device == NULL)
    return;
  assert_cl (clReleaseMemObject (self->lut_buffer));
  assert_cl (clReleaseProgram (self->program));
  assert_cl (clReleaseCommandQueue (self->queue));
  amphisto_cl_device_unref (self->device);
}

static cl_kernel
kernel_new (Fixture *self, const char *name)
{
  cl_int status;
  cl_kernel kernel = clCreateKernel (self->program, name, &status);

  assert_cl (status);
  return kernel;
}

/* Runs the kernel by one work-item, and releases it. */
static void
run_kernel (Fixture *self, cl_kernel kernel)
{
  const gsize items = 1;

  assert_cl (clEnqueueNDRangeKernel (
      self->queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
  assert_cl (clFinish (self->queue));
  assert_cl (clReleaseKernel (kernel));
}

/* Has the kernel change `words`, n of them. */
static void
map_words (Fixture *self, const char *name, guint32 *words, cl_uint n)
{
  cl_kernel kernel = kernel_new (self, name);
  cl_mem buffer = test_buffer_new (self->device, n * sizeof *words);
  const cl_mem buffers[] = { self->lut_buffer, buffer };

  test_buffer_write (self->queue, buffer, words, n * sizeof *words);
  test_kernel_set_buffers (kernel, buffers, 2);
  assert_cl (clSetKernelArg (kernel, 2, sizeof n, &n));
  run_kernel (self, kernel);
  test_buffer_read (self->queue, buffer, words, n * sizeof *words);
  assert_cl (clReleaseMemObject (buffer));
}

/* The value at place i: each place of a vector has each value in turn. */
static guint8
value_at (guint i)
{
  return i / VECTOR_LENGTH + i % VECTOR_LENGTH * 37;
}

static void
check_bytes (Fixture *self)
{
  guint32 words[N_TESTED / 4];
  guint8 *bytes = (guint8 *) words;

  for (guint i = 0; i < N_TESTED; i++)
    bytes[i] = value_at (i);
  map_words (self, "map_bytes", words, N_TESTED / 4);
  for (guint i = 0; i < N_TESTED; i++)
    g_assert_cmpuint (bytes[i], ==, self->lut[value_at (i)]);
}

static void
check_steps (Fixture *self)
{
  g_autofree guint32 *values = g_new (guint32, N_TESTED);

  for (guint i = 0; i < N_TESTED; i++)
    values[i] = value_at (i);
  map_words (self, "map_steps", values, N_TESTED);
  for (guint i = 0; i < N_TESTED; i++)
    g_assert_cmpuint (values[i], ==, self->lut[value_at (i)]);
}

/* The form that the program chooses for the device. */
static Form
chosen_form (Fixture *self)
{
  cl_kernel kernel = kernel_new (self, "store_form");
  cl_mem buffer = test_buffer_new (self->device, sizeof (cl_uint));
  cl_uint form;

  test_kernel_set_buffers (kernel, &buffer, 1);
  run_kernel (self, kernel);
  test_buffer_read (self->queue, buffer, &form, sizeof form);
  assert_cl (clReleaseMemObject (buffer));
  return form;
}

/* Whether a CPU for which one form is chosen has another one, too. */
static gboolean
has_form (Form chosen, Form form)
{
  return form == LOADS || form == chosen || (form > TABLES && form < chosen);
}

static void
test_forms (void)
{
  Fixture fixture;
  Form chosen;

  set_up (&fixture, DEFAULT_FORM);
  if (fixture.device == NULL)
    return;
  chosen = chosen_form (&fixture);
  g_assert_cmpuint (chosen, <, N_FORMS);
  tear_down (&fixture);
  for (Form form = LOADS; form < N_FORMS; form++)
    if (has_form (chosen, form)) {
      set_up (&fixture, form);
      g_assert_cmpuint (chosen_form (&fixture), ==, form);
      g_test_message ("form %u", form);
      check_bytes (&fixture);
      check_steps (&fixture);
      tear_down (&fixture);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lut/forms", test_forms);
  return g_test_run ();
}
