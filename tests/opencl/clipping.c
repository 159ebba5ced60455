/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernel of the clipping indicators, launched alone, against the C
 * reference: every byte is the same, in all formats, sizes and places in
 * memory, in place and not, and with both shapes of the kernel.
 */

#include "opencl/program.h"
#include "cltest.h"
#include "frames.h"
#include "core/clipping.h"
#include "core/drawing.h"

#define GROUP_SIZE 256
#define N_GROUPS 16

typedef struct
{
  AmphistoClDevice *device;
  gboolean takes_large_frames;
  cl_command_queue queue;
  cl_kernel kernel;
  cl_mem drawing;
  cl_mem params;
} Fixture;

typedef struct
{
  GstVideoFormat format;
  guint width;
  guint height;
  GstVideoColorRange range;
  gboolean is_interlaced;
  GstVideoColorMatrix matrix;
  FramePlacement source;
  FramePlacement target;
  FramePattern pattern;
  AmphistoOverlay overlay;
  guint phase;
  guint32 seed;
} Case;

static gboolean
set_up (Fixture *self, AmphistoClShape shape)
{
  g_autoptr (GError) error = NULL;

  self->takes_large_frames = test_takes_large_frames (shape);
  self->device = test_device_get (shape, TRUE);
  if (self->device == NULL)
    return FALSE;
  self->queue = test_queue_new (self->device);
  self->kernel =
      amphisto_cl_kernel_new (self->device, AMPHISTO_CL_DRAW_CLIPPING, &error);
  g_assert_no_error (error);
  self->drawing = test_buffer_new (self->device, sizeof (drawing_params));
  self->params = test_buffer_new (self->device, sizeof (clipping_params));
  return TRUE;
}

static void
tear_down (Fixture *self)
{
  assert_cl (clReleaseMemObject (self->params));
  assert_cl (clReleaseMemObject (self->drawing));
  assert_cl (clReleaseKernel (self->kernel));
  assert_cl (clReleaseCommandQueue (self->queue));
  amphisto_cl_device_unref (self->device);
}

static void
launch (Fixture *self)
{
  const gsize local =
      self->device->shape == AMPHISTO_CL_SHAPE_GPU ? GROUP_SIZE : 1;
  const gsize global = N_GROUPS * local;

  assert_cl (clEnqueueNDRangeKernel (
      self->queue, self->kernel, 1, NULL, &global, &local, 0, NULL, NULL));
}

static TestFrame *
frame_new (const Case *c, const FramePlacement *placement)
{
  gdouble kr, kb;
  TestFrame *frame =
      test_frame_new (c->format, c->width, c->height, c->range, placement);

  g_assert_true (gst_video_color_matrix_get_Kr_Kb (c->matrix, &kr, &kb));
  amphisto_layout_set_matrix (&frame->layout, kr, kb);
  amphisto_layout_set_interlaced (&frame->layout, c->is_interlaced);
  test_frame_fill (frame, c->pattern, c->seed);
  return frame;
}

static void
assert_same (const Case *c, const TestFrame *expected, const TestFrame *actual)
{
  g_autofree char *difference = test_frame_compare (expected, actual);

  if (difference != NULL)
    g_error (
        "%s %ux%u, range %d, interlaced %d, matrix %d, pattern %d, padding %u, "
        "misaligned %u %u %u, exposure %x from %g to %g, phase %u, seed "
        "%u: %s",
        gst_video_format_to_string (c->format), c->width, c->height, c->range,
        c->is_interlaced, c->matrix, c->pattern, c->target.padding,
        c->target.misalignment[0], c->target.misalignment[1],
        c->target.misalignment[2], c->overlay.exposure, c->overlay.zebra_low,
        c->overlay.zebra_high, c->phase, c->seed, difference);
}

static void
check_case (Fixture *self, const Case *c, gboolean in_place)
{
  g_autoptr (TestFrame) source = frame_new (c, &c->source);
  g_autoptr (TestFrame) expected =
      in_place ? test_frame_copy (source) : frame_new (c, &c->target);
  g_autoptr (TestFrame) actual = test_frame_copy (expected);
  cl_mem from = test_frame_buffer_new (self->device, self->queue, source);
  cl_mem to = in_place
      ? from
      : test_frame_buffer_new (self->device, self->queue, actual);
  const cl_mem args[] = { from, from, from, to, to, to, self->drawing,
    self->params };
  drawing_params drawing;
  clipping_params params;

  amphisto_drawing_fill_params (&source->layout, &drawing);
  test_frame_place (source, drawing.source);
  test_frame_place (expected, drawing.target);
  amphisto_clipping_fill_params (
      &c->overlay, &source->layout, &drawing, &params);
  params.phase = c->phase;
  amphisto_clipping_draw (&drawing, &params,
      in_place ? &expected->frame : &source->frame, &expected->frame);
  test_buffer_write (self->queue, self->drawing, &drawing, sizeof drawing);
  test_buffer_write (self->queue, self->params, &params, sizeof params);
  test_kernel_set_buffers (self->kernel, args, G_N_ELEMENTS (args));
  launch (self);
  test_buffer_read (self->queue, to, actual->memory, actual->size);
  assert_same (c, expected, actual);
  if (!in_place)
    assert_cl (clReleaseMemObject (to));
  assert_cl (clReleaseMemObject (from));
}

/* Format, size and what is drawn are given. All else is random, but the same in
 * every run. */
static Case
random_case (GstVideoFormat format, const guint size[2],
    AmphistoExposure exposure, guint32 *state)
{
  static const gdouble thresholds[] = { 0, 10, 47.5, -10, 100, 70, 30, 110 };
  const guint32 r = test_random (state);
  Case c = { .format = format,
    .width = size[0],
    .height = size[1],
    .range = r & 1 ? GST_VIDEO_COLOR_RANGE_16_235 : GST_VIDEO_COLOR_RANGE_0_255,
    .matrix =
        r & 2 ? GST_VIDEO_COLOR_MATRIX_BT601 : GST_VIDEO_COLOR_MATRIX_BT709,
    .pattern = (r >> 2) % N_FRAME_PATTERNS,
    .overlay = { .exposure = exposure,
        .zebra_low = thresholds[r >> 14 & 3],
        .zebra_high = thresholds[4 + (r >> 16 & 3)] },
    .is_interlaced = r >> 18 & 1,
    .phase = r >> 8 & 63,
    .seed = test_random (state) | 1 };

  c.source = test_random_placement (state);
  c.target = test_random_placement (state);
  return c;
}

static void
test_formats (gconstpointer data)
{
  static const guint sizes[][2] = { { 67, 38 }, { 131, 67 }, { 1, 1 },
    { 34, 18 }, { 34, 19 }, { 50, 97 }, { 321, 243 }, { 640, 360 } };
  static const AmphistoExposure drawn[] = { AMPHISTO_EXPOSURE_ZEBRA,
    AMPHISTO_EXPOSURE_FALSE_COLOR,
    AMPHISTO_EXPOSURE_ZEBRA | AMPHISTO_EXPOSURE_FALSE_COLOR };
  guint32 state = 815;
  Fixture fixture;

  if (!set_up (&fixture, GPOINTER_TO_UINT (data)))
    return;

  const gsize n_sizes = test_is_small () ? 1
      : fixture.takes_large_frames       ? G_N_ELEMENTS (sizes)
                                         : 6;

  for (gsize s = 0; s < n_sizes; s++)
    for (gsize f = 0; f < N_FRAME_FORMATS; f += test_is_small () ? 9 : 1)
      for (gsize i = 0; i < 2 * G_N_ELEMENTS (drawn); i++) {
        const Case c =
            random_case (frame_formats[f], sizes[s], drawn[i / 2], &state);

        /* grey has no false colour */
        if (c.format != GST_VIDEO_FORMAT_GRAY8
            || c.overlay.exposure & AMPHISTO_EXPOSURE_ZEBRA)
          check_case (&fixture, &c, i % 2 != 0);
      }
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_add_for_shapes ("/clipping/formats", test_formats);
  return g_test_run ();
}
