/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernel calculate_difference, launched alone: its sums of 64 bits, around
 * the carry into the upper word, where sums of whole frames hardly ever end,
 * and of frames too large for lanes of 32 bits.
 */

#include "core/pixels/samples.h"
#include "core/plan.h"
#include "channels.h"
#include "cltest.h"
#include "size.h"

#include <string.h>

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

/* --- large frames --- */

#define LARGE_WIDTH 1100000
#define LARGE_HEIGHT 256

/* Compares rows that are all `row` with the copy, as luma or as bytes of other
 * channels, in one thread, and leaves them in the copy.
 *
 * Returns: the sum of the differences. */
static guint64
compare_large (TestCl *cl, const guint8 *row, gboolean is_luma, cl_mem copy)
{
  const frame_params params = {
    .compares_luma = is_luma,
    .luma = { .pixel_stride = 1, .width = LARGE_WIDTH, .height = LARGE_HEIGHT },
    .n_compared = is_luma ? 0 : 1,
    .compared = { { .width = LARGE_WIDTH,
        .height = LARGE_HEIGHT,
        .mask = G_MAXUINT32 } },
  };
  const cl_mem plane = test_cl_buffer (cl, row, LARGE_WIDTH);
  cl_uint counts[AMPHISTO_COUNTS] = { 0 };
  const cl_uint *words =
      &counts[is_luma ? AMPHISTO_DIFFERENCE : AMPHISTO_BYTE_DIFFERENCE];
  const cl_mem bins = test_cl_buffer (cl, counts, sizeof counts);

  test_cl_run (cl,
      test_cl_kernel (cl, "calculate_difference", plane, plane, plane,
          test_cl_buffer (cl, &params, sizeof params), copy, copy, bins, NULL),
      1, 1);
  test_cl_read (cl, bins, counts, sizeof counts);
  return words[0] | (guint64) words[1] << 32;
}

/* Luma turns from black to white, then bytes from white to black. */
static void
test_large (TestCl *cl)
{
  const gsize size = (gsize) LARGE_WIDTH * LARGE_HEIGHT;
  g_autofree guint8 *black = g_malloc0 (size);
  g_autofree guint8 *white = g_malloc (LARGE_WIDTH);
  cl_mem copy;

  if (test_size () == TEST_SMALL)
    return;
  memset (white, 255, LARGE_WIDTH);
  copy = test_cl_buffer (cl, black, size);
  g_assert_cmpuint (compare_large (cl, white, TRUE, copy), ==, 255 * size);
  g_assert_cmpuint (compare_large (cl, black, FALSE, copy), ==, 255 * size);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_cl_add_for_shapes ("/carry", test_carry);
  test_cl_add ("/large", AMPHISTO_CL_SHAPE_CPU, test_large, NULL);
  return g_test_run ();
}
