/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernel calculate_difference, launched alone: its sum of 64 bits, around
 * the carry into the upper word. Sums of whole frames hardly ever end there.
 */

#include "core/pixels/samples.h"
#include "core/plan.h"
#include "opencl/run/program.h"
#include "cltest.h"

#define WIDTH 40
#define HEIGHT 4

typedef struct
{
  AmphistoClDevice *device;
  cl_command_queue queue;
  cl_kernel kernel;
  cl_mem plane;
  cl_mem params;
  cl_mem previous;
  cl_mem bins;
  guint64 sum; /* of the frame's luma, which is compared with black */
} Fixture;

static void
add_frame (Fixture *self)
{
  static const AmphistoDivision division = { .n_groups = 1, .n_slices = 1 };
  const AmphistoSettings settings = {
    .channels = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA), .compares = TRUE
  };
  const FramePlacement placement = { .alignment = 16 };
  g_autoptr (TestFrame) frame = test_frame_new (GST_VIDEO_FORMAT_GRAY8, WIDTH,
      HEIGHT, GST_VIDEO_COLOR_RANGE_0_255, &placement);
  AmphistoPlan plan;

  test_frame_fill (frame, FRAME_RANDOM, 1);
  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++)
      self->sum += amphisto_frame_luma (&frame->frame, x, y);
  amphisto_plan_init (&plan, &frame->layout, &settings, &division);
  test_frame_place (frame, plan.params.frame.source);
  self->plane = test_frame_buffer_new (self->device, self->queue, frame);
  self->params = test_buffer_new (self->device, sizeof plan.params.frame);
  test_buffer_write (
      self->queue, self->params, &plan.params.frame, sizeof plan.params.frame);
  self->previous = test_buffer_new (
      self->device, plan.params.frame.previous_stride * HEIGHT);
}

static gboolean
set_up (Fixture *self, AmphistoClShape shape)
{
  g_autoptr (GError) error = NULL;

  *self = (Fixture){ .device = test_device_get (shape, TRUE) };
  if (self->device == NULL)
    return FALSE;
  self->queue = test_queue_new (self->device);
  self->kernel = amphisto_cl_kernel_new (self->device,
      amphisto_cl_kernel_find ("calculate_difference"), AMPHISTO_NEEDS_ALL,
      &error);
  g_assert_no_error (error);
  add_frame (self);
  self->bins =
      test_buffer_new (self->device, AMPHISTO_COUNTS * sizeof (cl_uint));
  return TRUE;
}

static void
tear_down (Fixture *self)
{
  assert_cl (clReleaseMemObject (self->bins));
  assert_cl (clReleaseMemObject (self->previous));
  assert_cl (clReleaseMemObject (self->params));
  assert_cl (clReleaseMemObject (self->plane));
  assert_cl (clReleaseKernel (self->kernel));
  assert_cl (clReleaseCommandQueue (self->queue));
  amphisto_cl_device_unref (self->device);
}

/* One work-group adds the frame's sum to `before`. */
static void
check_sum (Fixture *self, guint64 before)
{
  static const guint8 black[WIDTH * HEIGHT * 2];
  const cl_mem buffers[] = { self->plane, self->plane, self->plane,
    self->params, self->previous, self->bins };
  const gsize items =
      self->device->shape == AMPHISTO_CL_SHAPE_GPU ? AMPHISTO_N_BINS : 1;
  cl_uint counts[AMPHISTO_COUNTS] = { 0 };
  cl_uint *words = &counts[AMPHISTO_DIFFERENCE];
  gsize size;

  words[0] = (cl_uint) before;
  words[1] = before >> 32;
  assert_cl (clGetMemObjectInfo (
      self->previous, CL_MEM_SIZE, sizeof size, &size, NULL));
  g_assert_cmpuint (size, <=, sizeof black);
  test_buffer_write (self->queue, self->previous, black, size);
  test_buffer_write (self->queue, self->bins, counts, sizeof counts);
  test_kernel_set_buffers (self->kernel, buffers, G_N_ELEMENTS (buffers));
  assert_cl (clEnqueueNDRangeKernel (
      self->queue, self->kernel, 1, NULL, &items, &items, 0, NULL, NULL));
  test_buffer_read (self->queue, self->bins, counts, sizeof counts);
  g_assert_cmpuint (
      words[0] | (guint64) words[1] << 32, ==, before + self->sum);
}

static void
test_carry (gconstpointer data)
{
  const guint64 most = G_MAXUINT32;
  Fixture fixture;

  if (!set_up (&fixture, GPOINTER_TO_UINT (data)))
    return;
  check_sum (&fixture, 0);
  check_sum (&fixture, most - fixture.sum); /* the largest sum of one word */
  check_sum (&fixture, most - fixture.sum + 1);
  check_sum (&fixture, most);
  check_sum (&fixture, most << 8 | 0xff);
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_add_for_shapes ("/carry", test_carry);
  return g_test_run ();
}
