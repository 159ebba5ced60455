/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Kernels with several forms, chosen by the device's CPU: look-ups in
 * lut.cl, for each value at each place of a vector, luma in luma.cl, for all
 * orders of components, and bytes that are scaled in luma_delta.cl. All forms
 * that the device's CPU supports are compiled here. And saturation, in both
 * shapes, for all U and V.
 */

#include "core/pixels/samples.h"
#include "opencl/run/program.h"
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
  N_LUT_FORMS
} LutForm;

/* The forms of a program. */
typedef struct
{
  cl_uint lut;        /* a LutForm */
  cl_uint luma_words; /* as in luma.cl: 0, 4, 8 or 16; also for scaling */
} Forms;

#define N_VALUES 256

/* Vectors of the largest length, in which each place has the next value. */
#define VECTOR_LENGTH 64
#define N_TESTED (N_VALUES * VECTOR_LENGTH)

#define N_TESTED_PIXELS 4096

typedef struct
{
  AmphistoClDevice *device;
  cl_command_queue queue;
  cl_program program;
  guint8 lut[N_VALUES];
  cl_mem lut_buffer;
} Fixture;

/* forms: NULL for the program's choice. */
static void
build_program (Fixture *self, const Forms *forms)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *kernels = test_read_file (CL_TEST_DIR "/forms_kernels.cl");
  const gboolean is_gpu_shape = self->device->shape == AMPHISTO_CL_SHAPE_GPU;
  g_autofree char *options = forms == NULL
      ? g_strconcat (
          "-cl-std=CL1.2 -w", is_gpu_shape ? " -DAMPHISTO_GPU" : "", NULL)
      : g_strdup_printf ("-cl-std=CL1.2 -w -DLUT_FORM=%u -DN_LUMA_WORDS=%u",
          forms->lut, forms->luma_words);

  self->program =
      amphisto_cl_program_build (self->device, kernels, options, &error);
  g_assert_no_error (error);
}

static void
set_up (Fixture *self, const Forms *forms, AmphistoClShape shape)
{
  guint32 state = 815;

  *self = (Fixture){ .device = test_device_get (shape, TRUE) };
  if (self->device == NULL)
    return;
  self->queue = test_queue_new (self->device);
  build_program (self, forms);
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

/* Runs the kernel with one work-item, and releases it. */
static void
run_kernel (Fixture *self, cl_kernel kernel)
{
  const gsize items = 1;

  assert_cl (clEnqueueNDRangeKernel (
      self->queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
  assert_cl (clFinish (self->queue));
  assert_cl (clReleaseKernel (kernel));
}

/* Lets the kernel change `words`, n of them. by: its first argument. */
static void
map_words (
    Fixture *self, const char *name, cl_mem by, guint32 *words, cl_uint n)
{
  cl_kernel kernel = kernel_new (self, name);
  cl_mem buffer = test_buffer_new (self->device, n * sizeof *words);
  const cl_mem buffers[] = { by, buffer };

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
  map_words (self, "map_bytes", self->lut_buffer, words, N_TESTED / 4);
  for (guint i = 0; i < N_TESTED; i++)
    g_assert_cmpuint (bytes[i], ==, self->lut[value_at (i)]);
}

static void
check_chunks (Fixture *self)
{
  g_autofree guint32 *values = g_new (guint32, N_TESTED);

  for (guint i = 0; i < N_TESTED; i++)
    values[i] = value_at (i);
  map_words (self, "map_chunks", self->lut_buffer, values, N_TESTED);
  for (guint i = 0; i < N_TESTED; i++)
    g_assert_cmpuint (values[i], ==, self->lut[value_at (i)]);
}

/* The forms of the program. */
static Forms
forms_of (Fixture *self)
{
  cl_kernel kernel = kernel_new (self, "store_forms");
  cl_mem buffer = test_buffer_new (self->device, sizeof (Forms));
  Forms forms;

  test_kernel_set_buffers (kernel, &buffer, 1);
  run_kernel (self, kernel);
  test_buffer_read (self->queue, buffer, &forms, sizeof forms);
  assert_cl (clReleaseMemObject (buffer));
  return forms;
}

/* The program's choice of forms for the device. Returns: FALSE if there is
 * none. */
static gboolean
find_chosen_forms (Forms *chosen)
{
  Fixture fixture;

  set_up (&fixture, NULL, AMPHISTO_CL_SHAPE_CPU);
  if (fixture.device == NULL)
    return FALSE;
  *chosen = forms_of (&fixture);
  tear_down (&fixture);
  return TRUE;
}

static void
set_up_forms (Fixture *self, const Forms *forms)
{
  Forms built;

  set_up (self, forms, AMPHISTO_CL_SHAPE_CPU);
  built = forms_of (self);
  g_assert_cmpmem (&built, sizeof built, forms, sizeof *forms);
}

/* --- look-ups --- */

/* Whether a CPU with one chosen form also supports another one. */
static gboolean
has_lut_form (LutForm chosen, LutForm form)
{
  return form == LOADS || form == chosen || (form > TABLES && form < chosen);
}

static void
test_lut (void)
{
  Forms chosen;

  if (!find_chosen_forms (&chosen))
    return;
  g_assert_cmpuint (chosen.lut, <, N_LUT_FORMS);
  for (LutForm form = LOADS; form < N_LUT_FORMS; form++)
    if (has_lut_form (chosen.lut, form)) {
      const Forms forms = { form, chosen.luma_words };
      Fixture fixture;

      g_test_message ("form %u", form);
      set_up_forms (&fixture, &forms);
      check_bytes (&fixture);
      check_chunks (&fixture);
      tear_down (&fixture);
    }
}

/* --- luma --- */

/* Places of red, green and blue in a pixel of four bytes. */
static const cl_uint3 orders[] = { { { 0, 1, 2 } }, { { 2, 1, 0 } },
  { { 1, 2, 3 } }, { { 3, 2, 1 } }, { { 0, 2, 3 } }, { { 2, 0, 1 } } };

/* BT.601, with the smallest weight of green, and BT.709. */
static const guint32 weights[][3] = { { 19595, 38470, 7471 },
  { 13933, 46871, 4732 } };

static guint8
byte_of (guint32 pixel, guint i)
{
  return pixel >> (8 * i);
}

/* Pixels of random bytes, of 0 and of 255. */
static void
fill_pixels (guint32 *pixels)
{
  guint32 state = 4711;

  for (guint i = 0; i < N_TESTED_PIXELS; i++) {
    pixels[i] = test_random (&state);
    if (i % 4 == 0)
      for (guint k = 0; k < 4; k++)
        pixels[i] |= (i >> (2 + k) & 1 ? 0xffu : 0) << (8 * k);
    if (i % 8 == 0)
      for (guint k = 0; k < 4; k++)
        pixels[i] &= ~((i >> (3 + k) & 1 ? 0xffu : 0) << (8 * k));
  }
}

static void
check_luma (Fixture *self, const guint32 *row, cl_uint3 order)
{
  guint32 pixels[N_TESTED_PIXELS];
  guint32 luma[N_TESTED_PIXELS] = { 0 };
  const cl_uint n = N_TESTED_PIXELS;
  cl_kernel kernel = kernel_new (self, "make_luma");
  cl_mem buffers[] = { test_buffer_new (self->device, sizeof pixels),
    test_buffer_new (self->device, sizeof luma),
    test_buffer_new (self->device, 3 * sizeof *row) };

  fill_pixels (pixels);
  test_buffer_write (self->queue, buffers[0], pixels, sizeof pixels);
  test_buffer_write (self->queue, buffers[2], row, 3 * sizeof *row);
  test_kernel_set_buffers (kernel, buffers, 3);
  assert_cl (clSetKernelArg (kernel, 3, sizeof order, &order));
  assert_cl (clSetKernelArg (kernel, 4, sizeof n, &n));
  run_kernel (self, kernel);
  test_buffer_read (self->queue, buffers[1], luma, sizeof luma);
  for (guint i = 0; i < N_TESTED_PIXELS; i++)
    g_assert_cmpuint (luma[i], ==,
        amphisto_rgb_luma (row, byte_of (pixels[i], order.s[0]),
            byte_of (pixels[i], order.s[1]), byte_of (pixels[i], order.s[2])));
  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    assert_cl (clReleaseMemObject (buffers[i]));
}

/* All bytes at all places, by gains of all kinds. */
static void
check_scaling (Fixture *self)
{
  cl_mem buffer = test_buffer_new (self->device, sizeof (guint32));

  for (guint32 gain = 256; gain <= 1024; gain += gain % 3 + 1) {
    guint32 words[N_TESTED / 4];
    guint8 *bytes = (guint8 *) words;

    for (guint i = 0; i < N_TESTED; i++)
      bytes[i] = value_at (i);
    test_buffer_write (self->queue, buffer, &gain, sizeof gain);
    map_words (self, "scale_words", buffer, words, N_TESTED / 4);
    for (guint i = 0; i < N_TESTED; i++)
      g_assert_cmpuint (
          bytes[i], ==, MIN ((value_at (i) * gain + 128) / 256, 255));
  }
  assert_cl (clReleaseMemObject (buffer));
}

static void
test_luma (void)
{
  static const cl_uint n_words[] = { 0, 4, 8, 16 };
  Forms chosen;

  if (!find_chosen_forms (&chosen))
    return;
  g_assert_cmpuint (chosen.luma_words, <=, 16);
  for (guint i = 0; i < G_N_ELEMENTS (n_words); i++)
    if (n_words[i] <= chosen.luma_words) {
      const Forms forms = { chosen.lut, n_words[i] };
      Fixture fixture;

      g_test_message ("%u words", n_words[i]);
      set_up_forms (&fixture, &forms);
      for (guint k = 0; k < G_N_ELEMENTS (weights); k++)
        for (guint o = 0; o < G_N_ELEMENTS (orders); o++)
          check_luma (&fixture, weights[k], orders[o]);
      check_scaling (&fixture);
      tear_down (&fixture);
    }
}

/* --- saturation --- */

static void
check_saturation (Fixture *self, const char *name)
{
  const cl_uint n = N_VALUES * N_VALUES;
  const gsize size = n * sizeof (guint32);
  g_autofree guint32 *words = g_new (guint32, n);
  cl_kernel kernel = kernel_new (self, name);
  const cl_mem buffers[] = { test_buffer_new (self->device, size),
    test_buffer_new (self->device, size),
    test_buffer_new (self->device, size) };

  for (guint i = 0; i < n; i++)
    words[i] = i % N_VALUES;
  test_buffer_write (self->queue, buffers[0], words, size);
  for (guint i = 0; i < n; i++)
    words[i] = i / N_VALUES;
  test_buffer_write (self->queue, buffers[1], words, size);
  test_kernel_set_buffers (kernel, buffers, 3);
  assert_cl (clSetKernelArg (kernel, 3, sizeof n, &n));
  run_kernel (self, kernel);
  test_buffer_read (self->queue, buffers[2], words, size);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (
        words[i], ==, amphisto_saturation (i % N_VALUES, i / N_VALUES));
  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    assert_cl (clReleaseMemObject (buffers[i]));
}

static void
test_saturation (gconstpointer shape)
{
  Fixture fixture;

  set_up (&fixture, NULL, GPOINTER_TO_UINT (shape));
  if (fixture.device == NULL)
    return;
  check_saturation (&fixture, "make_saturation");
  check_saturation (&fixture, "make_single_saturation");
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/forms/lut", test_lut);
  g_test_add_func ("/forms/luma", test_luma);
  g_test_add_data_func ("/saturation/cpu",
      GUINT_TO_POINTER (AMPHISTO_CL_SHAPE_CPU), test_saturation);
  g_test_add_data_func ("/saturation/gpu",
      GUINT_TO_POINTER (AMPHISTO_CL_SHAPE_GPU), test_saturation);
  return g_test_run ();
}
