/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernel calculate_difference, launched alone: its sums of 64 bits, around
 * the carry into the upper word. Sums of whole frames hardly ever end there.
 */

#include "core/pixels/samples.h"
#include "core/plan.h"
#include "channels.h"
#include "cltest.h"

#define WIDTH 40
#define HEIGHT 4

/* A frame in a buffer, to compare with a black one. */
typedef struct
{
  cl_mem plane;
  frame_params params;
  gsize luma_size, bytes_size; /* of copies */
  guint64 luma, picture;       /* sums */
} Frame;

static Frame
frame_new (TestCl *cl)
{
  static const AmphistoDivision division = { .n_groups = 1, .n_slices = 1 };
  const AmphistoSettings settings = {
    .channels = LUMA, .compares_luma = TRUE, .compares_picture = TRUE
  };
  const FramePlacement placement = { .alignment = 16 };
  g_autoptr (TestFrame) frame = test_frame_new (GST_VIDEO_FORMAT_RGB, WIDTH,
      HEIGHT, GST_VIDEO_COLOR_RANGE_0_255, &placement);
  const AmphistoPlane *plane = &frame->frame.plane[0];
  AmphistoPlan plan;
  Frame self = { 0 };

  test_frame_fill (frame, FRAME_RANDOM, 1);
  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++)
      self.luma += amphisto_frame_luma (&frame->frame, x, y);
  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < 3 * WIDTH; x++)
      self.picture += amphisto_frame_row (&frame->frame, 0, y)[x];
  amphisto_plan_init (&plan, &frame->layout, &settings, &division);
  self.plane = test_cl_buffer (cl, frame->memory, frame->size);
  self.params = plan.params.frame;
  self.luma_size = plan.sizes.previous_luma;
  self.bytes_size = plan.sizes.previous_bytes;
  self.params.source[0] =
      (plane_params){ plane->data - frame->memory, plane->stride };
  return self;
}

/* One work-group adds the frame's sums to sums before. */
static void
test_carry (TestCl *cl)
{
  static const guint8 black[WIDTH * HEIGHT * 6];
  const Frame frame = frame_new (cl);
  const gsize items =
      cl->device->shape == AMPHISTO_CL_SHAPE_GPU ? AMPHISTO_N_BINS : 1;
  const guint64 most = G_MAXUINT32;
  /* the second and third: to the largest sum of one word */
  const guint64 sums[] = { 0, most - frame.luma, most - frame.picture,
    most - frame.luma + 1, most, most << 8 | 0xff };

  g_assert_cmpuint (frame.bytes_size, <=, sizeof black);
  for (guint i = 0; IS_ROW (sums, i); i++) {
    cl_uint counts[AMPHISTO_COUNTS] = { 0 };
    cl_uint *words = &counts[AMPHISTO_DIFFERENCE];
    cl_mem bins;

    words[0] = words[2] = (cl_uint) sums[i];
    words[1] = words[3] = sums[i] >> 32;
    bins = test_cl_buffer (cl, counts, sizeof counts);
    test_cl_run (cl,
        test_cl_kernel (cl, "calculate_difference", frame.plane, frame.plane,
            frame.plane,
            test_cl_buffer (cl, &frame.params, sizeof frame.params),
            test_cl_buffer (cl, black, frame.luma_size),
            test_cl_buffer (cl, black, frame.bytes_size), bins, NULL),
        items, items);
    test_cl_read (cl, bins, counts, sizeof counts);
    g_assert_cmpuint (
        words[0] | (guint64) words[1] << 32, ==, sums[i] + frame.luma);
    g_assert_cmpuint (
        words[2] | (guint64) words[3] << 32, ==, sums[i] + frame.picture);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_cl_add_for_shapes ("/carry", test_carry);
  return g_test_run ();
}
