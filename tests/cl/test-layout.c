/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * frame_params has one layout on host and device.
 */

#include "clprogram.h"
#include "cltest.h"
#include "frame_params.h"

/* Every member, and of arrays of structs the last one's members. */
#define EACH_MEMBER(MEMBER)                                                    \
  MEMBER (source)                                                              \
  MEMBER (source[3].offset)                                                    \
  MEMBER (source[3].stride)                                                    \
  MEMBER (target)                                                              \
  MEMBER (target[3].offset)                                                    \
  MEMBER (target[3].stride)                                                    \
  MEMBER (measured)                                                            \
  MEMBER (measured[4].plane)                                                   \
  MEMBER (measured[4].offset)                                                  \
  MEMBER (measured[4].pixel_stride)                                            \
  MEMBER (measured[4].width)                                                   \
  MEMBER (measured[4].height)                                                  \
  MEMBER (n_slots)                                                             \
  MEMBER (counts_pairs)                                                        \
  MEMBER (counts_pairs[4])                                                     \
  MEMBER (n_lanes)                                                             \
  MEMBER (n_partials)                                                          \
  MEMBER (luma_slot)                                                           \
  MEMBER (lo)                                                                  \
  MEMBER (hi)                                                                  \
  MEMBER (strength)                                                            \
  MEMBER (luma)                                                                \
  MEMBER (luma.height)                                                         \
  MEMBER (row_bytes)                                                           \
  MEMBER (rgb)                                                                 \
  MEMBER (rgb[2].height)                                                       \
  MEMBER (weights)                                                             \
  MEMBER (weights[2])

typedef struct
{
  const char *name;
  guint32 offset;
  guint32 size;
} Member;

#define HOST_MEMBER(m)                                                         \
  { #m, offsetof (frame_params, m), sizeof (((frame_params *) NULL)->m) },
static const Member members[] = { EACH_MEMBER (HOST_MEMBER) };

#define N_MEMBERS G_N_ELEMENTS (members)

#define DEVICE_MEMBER(m)                                                       \
  "*places++ = (uint) ((constant char *) &params->" #m                         \
  " - (constant char *) params);\n"                                            \
  "*places++ = sizeof (params->" #m ");\n"

static const char kernel_text[] =
    "kernel void write_layout (constant frame_params *params,\n"
    "    global uint *places)\n"
    "{\n" EACH_MEMBER (DEVICE_MEMBER) "*places = sizeof (frame_params);\n"
                                      "}\n";

static void
read_layout (AmphistoClDevice *device, guint32 places[2 * N_MEMBERS + 1])
{
  const char *sources[] = { amphisto_cl_source ("frame_params.h"), kernel_text,
    NULL };
  const gsize size = (2 * N_MEMBERS + 1) * sizeof *places;
  const gsize one = 1;
  g_autoptr (GError) error = NULL;
  cl_command_queue queue = test_queue_new (device);
  cl_mem params = test_buffer_new (device, sizeof (frame_params));
  cl_mem buffer = test_buffer_new (device, size);
  cl_program program =
      amphisto_cl_program_build (device, sources, "-cl-std=CL1.2", &error);
  cl_kernel kernel;
  cl_int status;

  g_assert_no_error (error);
  kernel = clCreateKernel (program, "write_layout", &status);
  assert_cl (status);
  assert_cl (clSetKernelArg (kernel, 0, sizeof params, &params));
  assert_cl (clSetKernelArg (kernel, 1, sizeof buffer, &buffer));
  assert_cl (clEnqueueNDRangeKernel (
      queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
  test_buffer_read (queue, buffer, places, size);
  assert_cl (clReleaseKernel (kernel));
  assert_cl (clReleaseProgram (program));
  assert_cl (clReleaseMemObject (buffer));
  assert_cl (clReleaseMemObject (params));
  assert_cl (clReleaseCommandQueue (queue));
}

static void
test_layout (void)
{
  g_autoptr (AmphistoClDevice) device =
      test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);
  guint32 places[2 * N_MEMBERS + 1] = { 0 };

  if (device == NULL)
    return;
  read_layout (device, places);
  for (gsize i = 0; i < N_MEMBERS; i++)
    if (places[2 * i] != members[i].offset
        || places[2 * i + 1] != members[i].size)
      g_error ("%s: %u bytes at %u on the device, %u bytes at %u on the host",
          members[i].name, places[2 * i + 1], places[2 * i], members[i].size,
          members[i].offset);
  g_assert_cmpuint (places[2 * N_MEMBERS], ==, sizeof (frame_params));
}

/* The list above is complete: from member to member there is no gap. */
static void
test_no_gap (void)
{
  guint32 end = 0;

  for (gsize i = 0; i < N_MEMBERS; i++) {
    g_assert_cmpuint (members[i].offset, <=, end);
    end = MAX (end, members[i].offset + members[i].size);
  }
  g_assert_cmpuint (end, ==, sizeof (frame_params));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/device", test_layout);
  g_test_add_func ("/layout/no-gap", test_no_gap);
  return g_test_run ();
}
