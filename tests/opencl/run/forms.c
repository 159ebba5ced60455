/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Kernels with several forms, chosen by the device's CPU: look-ups in
 * lut.cl, for each value at each place of a vector, luma in luma.cl, for all
 * orders of components, and bytes that are scaled in luma_delta.cl. All forms
 * that the device's CPU supports are compiled here. And in both shapes,
 * saturation, for all U and V, and slices.
 */

#include "core/pixels/samples.h"
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

/* Builds the program for the `forms`; NULL: for its own choice. */
static void
build (TestCl *cl, const Forms *forms)
{
  g_autofree char *kernels = test_read_file (CL_TEST_DIR "/forms_kernels.cl");
  g_autofree char *defines = forms == NULL
      ? g_strdup ("-w")
      : g_strdup_printf (
          "-w -DLUT_FORM=%u -DN_LUMA_WORDS=%u", forms->lut, forms->luma_words);

  test_cl_build (cl, kernels, defines);
}

/* Runs the kernel with one work-item. `n`: its number of elements, the argument
 * at `place`. */
static void
run (TestCl *cl, cl_kernel kernel, cl_uint place, cl_uint n)
{
  assert_cl (clSetKernelArg (kernel, place, sizeof n, &n));
  test_cl_run (cl, kernel, 1, 1);
}

/* Lets the kernel change `words`, n of them. by: its first argument. */
static void
map_words (TestCl *cl, const char *name, cl_mem by, guint32 *words, cl_uint n)
{
  cl_mem buffer = test_cl_buffer (cl, words, n * sizeof *words);

  run (cl, test_cl_kernel (cl, name, by, buffer, NULL), 2, n);
  test_cl_read (cl, buffer, words, n * sizeof *words);
}

/* The value at place i: each place of a vector has each value in turn. */
static guint8
value_at (guint i)
{
  return i / VECTOR_LENGTH + i % VECTOR_LENGTH * 37;
}

/* The forms of the program. */
static Forms
built_forms (TestCl *cl)
{
  cl_mem buffer = test_cl_buffer (cl, NULL, sizeof (Forms));
  Forms forms;

  test_cl_run (cl, test_cl_kernel (cl, "store_forms", buffer, NULL), 1, 1);
  test_cl_read (cl, buffer, &forms, sizeof forms);
  return forms;
}

/* The program's choice of forms for the device. */
static Forms
chosen_forms (TestCl *cl)
{
  build (cl, NULL);
  return built_forms (cl);
}

static void
build_forms (TestCl *cl, const Forms *forms)
{
  Forms built;

  build (cl, forms);
  built = built_forms (cl);
  g_assert_cmpmem (&built, sizeof built, forms, sizeof *forms);
}

/* --- look-ups --- */

static void
check_bytes (TestCl *cl, const guint8 *lut)
{
  guint32 words[N_TESTED / 4];
  guint8 *bytes = (guint8 *) words;

  for (guint i = 0; i < N_TESTED; i++)
    bytes[i] = value_at (i);
  map_words (
      cl, "map_bytes", test_cl_buffer (cl, lut, N_VALUES), words, N_TESTED / 4);
  for (guint i = 0; i < N_TESTED; i++)
    g_assert_cmpuint (bytes[i], ==, lut[value_at (i)]);
}

static void
check_chunks (TestCl *cl, const guint8 *lut)
{
  guint32 values[N_TESTED];

  for (guint i = 0; i < N_TESTED; i++)
    values[i] = value_at (i);
  map_words (
      cl, "map_chunks", test_cl_buffer (cl, lut, N_VALUES), values, N_TESTED);
  for (guint i = 0; i < N_TESTED; i++)
    g_assert_cmpuint (values[i], ==, lut[value_at (i)]);
}

/* Whether a CPU with one chosen form also supports another one. */
static gboolean
has_lut_form (LutForm chosen, LutForm form)
{
  return form == LOADS || form == chosen || (form > TABLES && form < chosen);
}

static void
test_lut (TestCl *cl)
{
  const Forms chosen = chosen_forms (cl);
  guint8 lut[N_VALUES];
  guint32 state = 815;

  for (guint i = 0; i < N_VALUES; i++)
    lut[i] = test_random (&state);
  g_assert_cmpuint (chosen.lut, <, N_LUT_FORMS);
  for (LutForm form = LOADS; form < N_LUT_FORMS; form++)
    if (has_lut_form (chosen.lut, form)) {
      g_test_message ("form %u", form);
      build_forms (cl, &(const Forms){ form, chosen.luma_words });
      check_bytes (cl, lut);
      check_chunks (cl, lut);
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
check_luma (TestCl *cl, const guint32 *row, cl_uint3 order)
{
  guint32 pixels[N_TESTED_PIXELS];
  guint32 luma[N_TESTED_PIXELS] = { 0 };
  cl_mem buffer = test_cl_buffer (cl, luma, sizeof luma);
  cl_kernel kernel;

  fill_pixels (pixels);
  kernel = test_cl_kernel (cl, "make_luma",
      test_cl_buffer (cl, pixels, sizeof pixels), buffer,
      test_cl_buffer (cl, row, 3 * sizeof *row), NULL);
  assert_cl (clSetKernelArg (kernel, 3, sizeof order, &order));
  run (cl, kernel, 4, N_TESTED_PIXELS);
  test_cl_read (cl, buffer, luma, sizeof luma);
  for (guint i = 0; i < N_TESTED_PIXELS; i++)
    g_assert_cmpuint (luma[i], ==,
        amphisto_rgb_luma (row, byte_of (pixels[i], order.s[0]),
            byte_of (pixels[i], order.s[1]), byte_of (pixels[i], order.s[2])));
}

/* All bytes at all places, by gains of all kinds, or a few. */
static void
check_scaling (TestCl *cl)
{
  for (guint32 gain = 256; gain <= 1024;
       gain += test_by_size (96, gain % 3 + 1, gain % 3 + 1)) {
    guint32 words[N_TESTED / 4];
    guint8 *bytes = (guint8 *) words;

    for (guint i = 0; i < N_TESTED; i++)
      bytes[i] = value_at (i);
    map_words (cl, "scale_words", test_cl_buffer (cl, &gain, sizeof gain),
        words, N_TESTED / 4);
    for (guint i = 0; i < N_TESTED; i++)
      g_assert_cmpuint (
          bytes[i], ==, MIN ((value_at (i) * gain + 128) / 256, 255));
  }
}

static void
test_luma (TestCl *cl)
{
  static const cl_uint n_words[] = { 0, 4, 8, 16 };
  const Forms chosen = chosen_forms (cl);

  g_assert_cmpuint (chosen.luma_words, <=, 16);
  for (guint i = 0; IS_ROW (n_words, i); i++)
    if (n_words[i] <= chosen.luma_words) {
      g_test_message ("%u words", n_words[i]);
      build_forms (cl, &(const Forms){ chosen.lut, n_words[i] });
      for (guint k = 0; IS_ROW (weights, k); k++)
        for (guint o = 0; IS_ROW (orders, o); o++)
          check_luma (cl, weights[k], orders[o]);
      check_scaling (cl);
    }
}

/* --- saturation --- */

static void
test_saturation (TestCl *cl)
{
  static const char *const names[] = { "make_saturation",
    "make_single_saturation" };
  const guint step = test_by_size (5, 1, 1); /* to 255, too */
  const cl_uint n_values = (N_VALUES - 1) / step + 1, n = n_values * n_values;
  const gsize size = n * sizeof (guint32);
  g_autofree guint32 *u = g_malloc (size), *v = g_malloc (size),
                     *saturation = g_malloc (size);

  for (guint i = 0; i < n; i++) {
    u[i] = i % n_values * step;
    v[i] = i / n_values * step;
  }
  build (cl, NULL);
  for (guint k = 0; IS_ROW (names, k); k++) {
    cl_mem buffer = test_cl_buffer (cl, NULL, size);

    run (cl,
        test_cl_kernel (cl, names[k], test_cl_buffer (cl, u, size),
            test_cl_buffer (cl, v, size), buffer, NULL),
        3, n);
    test_cl_read (cl, buffer, saturation, size);
    for (guint i = 0; i < n; i++)
      g_assert_cmpuint (saturation[i], ==, amphisto_saturation (u[i], v[i]));
  }
}

/* --- slices --- */

/* Slices follow each other, and any range of them has its share of the total.
 */
static void
check_slices (const guint32 (*slices)[2], guint n, guint total)
{
  g_assert_cmpuint (slices[0][0], ==, 0);
  g_assert_cmpuint (slices[n - 1][1], ==, total);
  for (guint i = 1; i < n; i++)
    g_assert_cmpuint (slices[i][0], ==, slices[i - 1][1]);
  for (guint i = 0; i < n; i++)
    for (guint k = i; k < n; k++) {
      const guint size = slices[k][1] - slices[i][0];
      const guint share = (k - i + 1) * total / n;

      g_assert_cmpuint (size, >=, share);
      g_assert_cmpuint (size, <=, share + 1);
    }
}

static void
test_slices (TestCl *cl)
{
  static const cl_uint numbers[] = { 1, 3, 16, 32 };
  const cl_uint n_totals = 70;

  build (cl, NULL);
  for (guint i = 0; IS_ROW (numbers, i); i++) {
    const cl_uint n = numbers[i];
    const gsize size = n_totals * n * 2 * sizeof (guint32);
    g_autofree guint32 (*slices)[2] = g_malloc (size);
    cl_mem buffer = test_cl_buffer (cl, NULL, size);
    cl_kernel kernel = test_cl_kernel (cl, "find_slices", buffer, NULL);

    assert_cl (clSetKernelArg (kernel, 1, sizeof n, &n));
    run (cl, kernel, 2, n_totals);
    test_cl_read (cl, buffer, slices, size);
    for (guint total = 0; total < n_totals; total++)
      check_slices (&slices[total * n], n, total);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_cl_add ("/forms/lut", AMPHISTO_CL_SHAPE_CPU, test_lut, NULL);
  test_cl_add ("/forms/luma", AMPHISTO_CL_SHAPE_CPU, test_luma, NULL);
  test_cl_add_for_shapes ("/saturation", test_saturation);
  test_cl_add_for_shapes ("/slices", test_slices);
  return g_test_run ();
}
