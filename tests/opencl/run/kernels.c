/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All kernels build, and do nothing to an empty frame. Runs before other tests:
 * tests side by side would all compile the kernels that PoCL's cache lacks.
 */

#include "cltest.h"
#include "opencl/run/program.h"
#include "opencl/run/queue.h"

/* Kernels that take about equally long to compile. */
static const struct
{
  const char *path;
  AmphistoClShape shape;
  const char *first, *end; /* NULL: of all */
} parts[] = {
  { "/cpu", AMPHISTO_CL_SHAPE_CPU, NULL, NULL },
  { "/gpu/equalize", AMPHISTO_CL_SHAPE_GPU, NULL, "draw_exposure" },
  { "/gpu/draw", AMPHISTO_CL_SHAPE_GPU, "draw_exposure", NULL },
};

static AmphistoClKernel
find_kernel (const char *name, AmphistoClKernel otherwise)
{
  return name != NULL ? amphisto_cl_kernel_find (name) : otherwise;
}

/* Adds the kernels of a part that are built for `needs`. */
static void
add_kernels (AmphistoClQueue *queue, guint part, AmphistoNeeds needs)
{
  const AmphistoClKernel end =
      find_kernel (parts[part].end, amphisto_cl_n_kernels);
  g_autoptr (GError) error = NULL;

  for (guint k = find_kernel (parts[part].first, 0); k < end; k++)
    if (amphisto_cl_kernel_needs (queue->device, k, needs) == needs) {
      amphisto_cl_queue_add_kernel (queue, k, needs, &error);
      g_assert_no_error (error);
    }
}

static void
test_part (gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);
  g_autoptr (AmphistoClDevice) device = test_device_get (parts[i].shape, TRUE);
  g_autoptr (GError) error = NULL;
  AmphistoClQueue queue;

  if (device == NULL)
    return;
  amphisto_cl_queue_init (&queue, device, 1, NULL, NULL, &error);
  g_assert_no_error (error);
  for (AmphistoNeeds needs = 0; needs <= AMPHISTO_NEEDS_ALL; needs++)
    add_kernels (&queue, i, needs);
  amphisto_cl_queue_finish (&queue, &error);
  g_assert_no_error (error);
  amphisto_cl_queue_clear (&queue);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_test_add_data_func (parts[i].path, GUINT_TO_POINTER (i), test_part);
  return g_test_run ();
}
