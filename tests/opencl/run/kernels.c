/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All kernels build, do nothing to an empty frame, and suit their launches.
 * Runs before other tests: tests side by side would all compile the kernels
 * that PoCL's cache lacks.
 */

#include "cltest.h"
#include "opencl/run/program.h"
#include "opencl/run/launcher.h"

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

/* In the GPU shape, every kernel fixes its work-group size to the size of its
 * launches, which the driver must allow. No kernel uses more local memory than
 * OpenCL 1.2 guarantees, minus a reserve for drivers. */
static void
check_kernel (const AmphistoClLauncher *launcher, AmphistoClKernel k)
{
  const AmphistoClDevice *device = launcher->device;
  cl_ulong local_memory;
  gsize fixed[3];

  assert_cl (clGetKernelWorkGroupInfo (launcher->kernel[0][k], device->id,
      CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof fixed, fixed, NULL));
  if (device->shape == AMPHISTO_CL_SHAPE_GPU
      && (fixed[0] != amphisto_cl_kernel_group_size (device, k) || fixed[1] != 1
          || fixed[2] != 1))
    g_error ("%s is made for groups of %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT
             " x %" G_GSIZE_FORMAT,
        amphisto_cl_kernel_infos[k].name, fixed[0], fixed[1], fixed[2]);
  assert_cl (clGetKernelWorkGroupInfo (launcher->kernel[0][k], device->id,
      CL_KERNEL_LOCAL_MEM_SIZE, sizeof local_memory, &local_memory, NULL));
  g_assert_cmpuint (local_memory, <=, 32768 - AMPHISTO_CL_SPARE_LOCAL_MEMORY);
}

/* A kernel may fill its arguments of one item on an empty frame. */
static void
check_items (AmphistoClKernel k)
{
  for (guint a = 0; a < AMPHISTO_CL_MAX_ARGS; a++) {
    const AmphistoClArgInfo *info =
        &amphisto_cl_arg_infos[amphisto_cl_kernel_infos[k].args[a]];

    if (info->offset == AMPHISTO_CL_ONE_ITEM
        && info->kind != AMPHISTO_CL_KIND_NUMBER)
      g_assert_cmpuint (info->size, <=, AMPHISTO_CL_SCRATCH_SIZE);
  }
}

/* Whether there is a variant of the kernel for `needs`. In the quick size, its
 * variants are all alike: the last one is enough (builds.h). */
static gboolean
has_variant (
    const AmphistoClDevice *device, AmphistoClKernel k, AmphistoNeeds needs)
{
  const AmphistoNeeds most =
      amphisto_cl_kernel_needs (device, k, AMPHISTO_NEEDS_ALL);

  return test_size () == TEST_QUICK
      ? needs == most
      : amphisto_cl_kernel_needs (device, k, needs) == needs;
}

/* Adds the kernels of a part that are built for `needs`. */
static void
add_kernels (AmphistoClLauncher *launcher, guint part, AmphistoNeeds needs)
{
  const AmphistoClKernel end =
      find_kernel (parts[part].end, amphisto_cl_n_kernels);
  g_autoptr (GError) error = NULL;

  for (guint k = find_kernel (parts[part].first, 0); k < end; k++)
    if (has_variant (launcher->device, k, needs)) {
      amphisto_cl_launcher_add_kernel (launcher, k, needs, &error);
      g_assert_no_error (error);
      check_kernel (launcher, k);
      check_items (k);
    }
}

static void
test_part (TestCl *cl)
{
  const guint i = GPOINTER_TO_UINT (cl->data);
  g_autoptr (GError) error = NULL;
  AmphistoClLauncher launcher;

  amphisto_cl_launcher_init (&launcher, cl->device, 1, NULL, NULL, &error);
  g_assert_no_error (error);
  for (AmphistoNeeds needs = 0; needs <= AMPHISTO_NEEDS_ALL; needs++)
    add_kernels (&launcher, i, needs);
  amphisto_cl_launcher_finish (&launcher, &error);
  g_assert_no_error (error);
  amphisto_cl_launcher_clear (&launcher);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    test_cl_add (
        parts[i].path, parts[i].shape, test_part, GUINT_TO_POINTER (i));
  return g_test_run ();
}
