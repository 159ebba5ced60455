/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The kernels of the overlay, launched alone, against the C reference: every
 * byte is the same, in all formats, modes, sizes and places in memory, and with
 * both shapes of the kernels.
 */

#include "opencl/program.h"
#include "channels.h"
#include "cltest.h"
#include "frames.h"
#include "core/captions.h"
#include "core/draw.h"

#include <string.h>

typedef enum
{
  CALCULATE_CURVES,
  DRAW_OVERLAY,
  N_KERNELS
} Kernel;

#define GROUP_SIZE 256
/* The rows are divided between so many work-items (CPU shape) or work-groups:
 * enough of them that the largest frame's loops are short enough for llvmpipe.
 */
#define N_GROUPS 16
#define ALL_BINS_SIZE (AMPHISTO_MAX_SLOTS * AMPHISTO_N_BINS * sizeof (uint32_t))

typedef struct
{
  AmphistoClDevice *device;
  gboolean takes_large_frames;
  cl_command_queue queue;
  cl_kernel kernel[N_KERNELS];
  cl_mem drawing;
  cl_mem params;
  cl_mem bins;
  cl_mem peaks;
} Fixture;

/* A frame, and what is drawn into it. */
typedef struct
{
  GstVideoFormat format;
  guint width;
  guint height;
  GstVideoColorRange range;
  GstVideoColorMatrix matrix;
  FramePlacement target;
  FramePattern pattern;
  AmphistoOverlay overlay;
  AmphistoChannelMask measured;
  AmphistoChannelMask shown;
  guint32 seed;
} Case;

static gboolean
set_up (Fixture *self, AmphistoClShape shape)
{
  static const AmphistoClKernel kernels[N_KERNELS] = {
    AMPHISTO_CL_CALCULATE_CURVES, AMPHISTO_CL_DRAW_OVERLAY
  };
  g_autoptr (GError) error = NULL;

  self->takes_large_frames = test_takes_large_frames (shape);
  self->device = test_device_get (shape, TRUE);
  if (self->device == NULL)
    return FALSE;
  self->queue = test_queue_new (self->device);
  for (guint k = 0; k < N_KERNELS; k++) {
    self->kernel[k] = amphisto_cl_kernel_new (self->device, kernels[k], &error);
    g_assert_no_error (error);
  }
  self->drawing = test_buffer_new (self->device, sizeof (drawing_params));
  self->params = test_buffer_new (self->device, sizeof (overlay_params));
  self->bins = test_buffer_new (self->device, ALL_BINS_SIZE);
  self->peaks =
      test_buffer_new (self->device, AMPHISTO_MAX_SLOTS * sizeof (uint32_t));
  return TRUE;
}

static void
tear_down (Fixture *self)
{
  assert_cl (clReleaseMemObject (self->peaks));
  assert_cl (clReleaseMemObject (self->bins));
  assert_cl (clReleaseMemObject (self->params));
  assert_cl (clReleaseMemObject (self->drawing));
  for (guint k = 0; k < N_KERNELS; k++)
    assert_cl (clReleaseKernel (self->kernel[k]));
  assert_cl (clReleaseCommandQueue (self->queue));
  amphisto_cl_device_unref (self->device);
}

static void
launch (Fixture *self, Kernel kernel)
{
  const gsize local =
      self->device->shape == AMPHISTO_CL_SHAPE_GPU ? GROUP_SIZE : 1;
  const gsize global = kernel == CALCULATE_CURVES ? local : N_GROUPS * local;

  assert_cl (clEnqueueNDRangeKernel (self->queue, self->kernel[kernel], 1, NULL,
      &global, &local, 0, NULL, NULL));
}

static TestFrame *
frame_new (const Case *c, const FramePlacement *placement)
{
  gdouble kr, kb;
  TestFrame *frame =
      test_frame_new (c->format, c->width, c->height, c->range, placement);

  g_assert_true (gst_video_color_matrix_get_Kr_Kb (c->matrix, &kr, &kb));
  amphisto_layout_set_matrix (&frame->layout, kr, kb);
  test_frame_fill (frame, c->pattern, c->seed);
  return frame;
}

static void
assert_same (const Case *c, const TestFrame *expected, const TestFrame *actual)
{
  g_autofree char *difference = test_frame_compare (expected, actual);

  if (difference != NULL)
    g_error (
        "%s %ux%u, range %d, pattern %d, padding %u, misaligned %u %u %u, "
        "display %d, position %d, %g x %g, opacity %g, scale %d, graticule "
        "%d, bars %d, marks %d, channels %x of %x, seed %u: %s",
        gst_video_format_to_string (c->format), c->width, c->height, c->range,
        c->pattern, c->target.padding, c->target.misalignment[0],
        c->target.misalignment[1], c->target.misalignment[2],
        c->overlay.display, c->overlay.position, c->overlay.width,
        c->overlay.height, c->overlay.opacity, c->overlay.scale,
        c->overlay.graticule, c->overlay.clipping_bars,
        c->overlay.percentile_marks, c->shown, c->measured, c->seed,
        difference);
}

/* --- the graph --- */

/* Counts of any order of magnitude, sometimes with high ones at either end. */
static void
fill_bins (uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS], guint32 *state)
{
  for (guint s = 0; s < AMPHISTO_MAX_SLOTS; s++) {
    const guint magnitude = test_random (state) % 21;
    const guint one_in = 1 + test_random (state) % 8;

    for (guint v = 0; v < AMPHISTO_N_BINS; v++)
      bins[s][v] = test_random (state) % one_in == 0
          ? test_random (state) & ((1u << magnitude) - 1)
          : 0;
    for (guint end = 0; end < 2; end++)
      if (test_random (state) & 1)
        bins[s][end * 255] = test_random (state) % (1 << 24);
  }
}

/* The captions for the kernel; a word that it does not look at, if there are
 * none. */
static cl_mem
captions_buffer_new (Fixture *self, const AmphistoGraticule *captions)
{
  const gsize n = (gsize) 3 * captions->width * captions->height;
  g_autofree uint16_t *columns = g_new (uint16_t, n);
  cl_mem buffer = test_buffer_new (self->device, MAX (n * sizeof *columns, 4));

  amphisto_captions_split (captions, columns);
  if (n > 0)
    test_buffer_write (self->queue, buffer, columns, n * sizeof *columns);
  return buffer;
}

/* Draws into `frame` by the reference and into `buffer` by the kernels. */
static void
draw (Fixture *self, const drawing_params *drawing,
    const overlay_params *params, const AmphistoGraticule *captions,
    const uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS],
    AmphistoOverlayState *state, TestFrame *frame, cl_mem buffer)
{
  cl_mem columns = test_buffer_new (
      self->device, amphisto_overlay_n_columns (params) * sizeof (uint16_t));
  const cl_mem curves_args[] = { self->params, self->bins, self->peaks,
    columns };
  cl_mem light = captions_buffer_new (self, captions);
  const cl_mem draw_args[] = { buffer, buffer, buffer, self->drawing,
    self->params, columns, light };
  uint32_t peaks[AMPHISTO_MAX_SLOTS];

  amphisto_overlay_draw (drawing, params, captions, bins, state, &frame->frame);
  test_buffer_write (self->queue, self->drawing, drawing, sizeof *drawing);
  test_buffer_write (self->queue, self->params, params, sizeof *params);
  test_buffer_write (self->queue, self->bins, bins, ALL_BINS_SIZE);
  test_kernel_set_buffers (
      self->kernel[CALCULATE_CURVES], curves_args, G_N_ELEMENTS (curves_args));
  test_kernel_set_buffers (
      self->kernel[DRAW_OVERLAY], draw_args, G_N_ELEMENTS (draw_args));
  launch (self, CALCULATE_CURVES);
  launch (self, DRAW_OVERLAY);
  test_buffer_read (self->queue, self->peaks, peaks, sizeof peaks);
  for (guint p = 0; p < params->panels_x * params->panels_y; p++)
    g_assert_cmpuint (peaks[p], ==, state->peak[p]);
  assert_cl (clReleaseMemObject (light));
  assert_cl (clReleaseMemObject (columns));
}

/* The overlays of two frames, one upon the other. The second one's scale
 * depends on the first. */
static void
check_graph (Fixture *self, const Case *c)
{
  g_autoptr (TestFrame) expected = frame_new (c, &c->target);
  g_autoptr (TestFrame) actual = test_frame_copy (expected);
  guint32 random = c->seed;
  AmphistoOverlayState state;
  AmphistoGraticule captions;
  drawing_params drawing;
  overlay_params params;
  cl_mem buffer;

  amphisto_overlay_fill_params (
      &c->overlay, &expected->layout, c->measured, c->shown, &params);
  if (params.n_curves == 0)
    return;
  g_assert_true (amphisto_captions_init (&captions, &params, &c->overlay,
      &expected->layout, expected->layout.channels & c->measured & c->shown));
  amphisto_drawing_fill_params (&expected->layout, &drawing);
  test_frame_place (expected, drawing.target);
  buffer = test_frame_buffer_new (self->device, self->queue, actual);
  memset (&state, 0xff, sizeof state);
  test_buffer_write (self->queue, self->peaks, &state, sizeof state);
  for (guint i = 0; i < 2; i++) {
    uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS];

    fill_bins (bins, &random);
    params.reset = i == 0;
    draw (self, &drawing, &params, &captions, bins, &state, expected, buffer);
    test_buffer_read (self->queue, buffer, actual->memory, actual->size);
    assert_same (c, expected, actual);
  }
  amphisto_graticule_clear (&captions);
  assert_cl (clReleaseMemObject (buffer));
}

/* Format, size and display are given. All else is random, but the same in every
 * run.
 */
static Case
random_case (GstVideoFormat format, const guint size[2],
    AmphistoDisplay display, guint32 *state)
{
  static const double fractions[] = { 0.0, 0.33, 0.5, 1.0 };
  const guint32 r = test_random (state);
  const guint32 q = test_random (state);
  Case c = { .format = format,
    .width = size[0],
    .height = size[1],
    .range = r & 1 ? GST_VIDEO_COLOR_RANGE_16_235 : GST_VIDEO_COLOR_RANGE_0_255,
    .matrix =
        r & 2 ? GST_VIDEO_COLOR_MATRIX_BT601 : GST_VIDEO_COLOR_MATRIX_BT709,
    .pattern = (r >> 2) % N_FRAME_PATTERNS,
    .measured = r & 32 ? ~0u : q >> 8,
    .shown = r & 64 ? ~0u : q >> 16,
    .seed = q | 1,
    .overlay = { .display = display,
        .scopes = AMPHISTO_SCOPE_HISTOGRAM,
        .position = r >> 8 & 3,
        .width = fractions[r >> 10 & 3],
        .height = fractions[r >> 12 & 3],
        .opacity = (r >> 14) % 11 / 10.0,
        .scale = r >> 18 & 1,
        .graticule = (r >> 19 & 3) > 0,
        .clipping_bars = r >> 21 & 1,
        .percentile_marks = r >> 24 & 1 } };

  c.target = test_random_placement (state);
  return c;
}

static const guint sizes[][2] = { { 131, 67 }, { 1, 1 }, { 34, 19 }, { 50, 97 },
  { 321, 243 }, { 640, 360 } };
#define N_SMALL_SIZES 4

static gsize
n_sizes (const Fixture *self)
{
  if (test_is_small ())
    return 1;
  return self->takes_large_frames ? G_N_ELEMENTS (sizes) : N_SMALL_SIZES;
}

static void
test_graph (gconstpointer data)
{
  guint32 state = 4711;
  Fixture fixture;

  if (!set_up (&fixture, GPOINTER_TO_UINT (data)))
    return;
  for (gsize s = 0; s < n_sizes (&fixture); s++)
    for (gsize f = 0; f < N_FRAME_FORMATS; f += test_is_small () ? 12 : 1)
      for (AmphistoDisplay display = AMPHISTO_DISPLAY_OVERLAY;
           display <= AMPHISTO_DISPLAY_PARADE; display++) {
        const Case c =
            random_case (frame_formats[f], sizes[s], display, &state);

        check_graph (&fixture, &c);
      }
  tear_down (&fixture);
}

/* The largest overlay, and the greatest counts. */
static void
test_large (gconstpointer data)
{
  const FramePlacement placement = { .alignment = 16 };
  const Case c = { .format = GST_VIDEO_FORMAT_I420,
    .width = 2050,
    .height = 4100,
    .range = GST_VIDEO_COLOR_RANGE_16_235,
    .matrix = GST_VIDEO_COLOR_MATRIX_BT709,
    .target = placement,
    .overlay = { AMPHISTO_SCOPE_HISTOGRAM, AMPHISTO_DISPLAY_OVERLAY,
        AMPHISTO_SCOPE_TOP_LEFT, 1, 1, 0.7, AMPHISTO_SCOPE_LOG, TRUE, TRUE,
        TRUE, AMPHISTO_EXPOSURE_NONE, 0, 100 },
    .measured = ~0u,
    .shown = ~0u,
    .seed = 1 };
  Fixture fixture;

  if (!set_up (&fixture, GPOINTER_TO_UINT (data)))
    return;
  if (fixture.takes_large_frames)
    check_graph (&fixture, &c);
  else
    g_test_skip ("Large frames are not for the CPU shape on this device.");
  tear_down (&fixture);
}

/* --- golden pictures --- */

/* Checksums of what the reference drew when its pictures were looked at: all
 * channels but R, G and B of YUV. */
static const struct
{
  GstVideoFormat format;
  const char *sha1;
} golden[] = {
  { GST_VIDEO_FORMAT_GRAY8, "1902bd22f8a5a3e83b1980901e7c7644304897d7" },
  { GST_VIDEO_FORMAT_I420, "99476d238815f4437465bd57c7897a6464d3f4ce" },
  { GST_VIDEO_FORMAT_NV12, "dfa29c64e97081a607052bea546efb4331e07dc4" },
  { GST_VIDEO_FORMAT_YUY2, "488a30bcb17990737d99e0dee5c07315ae95e435" },
  { GST_VIDEO_FORMAT_RGB, "70d234535337071db5f6401a77760aa7df686a35" },
  { GST_VIDEO_FORMAT_BGRA, "c0c844f1ba8ad091a4067c6cc90a0942c958eae1" },
  { GST_VIDEO_FORMAT_YUV9, "23e2c31ad7eea4bd9f8142ccc23c11d6cebb81e8" },
  { GST_VIDEO_FORMAT_AYUV, "4df560345ff91b3d96ce973442a791ce266fbe9c" },
  { GST_VIDEO_FORMAT_GBR, "6f13fa8d2b1123d1841d415a8cf6a343a6e56bae" },
};

static void
add_golden (GChecksum *checksum, GstVideoFormat format, const guint size[2],
    AmphistoDisplay display)
{
  const Case c = { .format = format,
    .width = size[0],
    .height = size[1],
    .range = GST_VIDEO_COLOR_RANGE_16_235,
    .matrix = GST_VIDEO_COLOR_MATRIX_BT709,
    .target = { .alignment = 4 },
    .pattern = FRAME_RAMP,
    .overlay = { AMPHISTO_SCOPE_HISTOGRAM, display, AMPHISTO_SCOPE_BOTTOM_RIGHT,
        0.33, 0.25, 0.7,
        size[0] % 3 ? AMPHISTO_SCOPE_LINEAR : AMPHISTO_SCOPE_LOG, TRUE, TRUE,
        size[1] & 1, AMPHISTO_EXPOSURE_NONE, 0, 100 } };
  g_autoptr (TestFrame) frame = frame_new (&c, &c.target);
  const AmphistoChannelMask channels = frame->layout.is_rgb ? ~0u : ~RGB;
  uint32_t bins[AMPHISTO_MAX_SLOTS][AMPHISTO_N_BINS];
  AmphistoOverlayState state = { { 0 } };
  AmphistoGraticule captions;
  guint32 random = 42;
  drawing_params drawing;
  overlay_params params;

  amphisto_overlay_fill_params (
      &c.overlay, &frame->layout, channels, channels, &params);
  fill_bins (bins, &random);
  amphisto_drawing_fill_params (&frame->layout, &drawing);
  g_assert_true (amphisto_captions_init (&captions, &params, &c.overlay,
      &frame->layout, frame->layout.channels & channels));
  amphisto_overlay_draw (&drawing, &params, &captions,
      (const uint32_t (*)[AMPHISTO_N_BINS]) bins, &state, &frame->frame);
  amphisto_graticule_clear (&captions);
  g_checksum_update (checksum, frame->memory, frame->size);
}

static void
test_golden (void)
{
  static const guint golden_sizes[][2] = { { 96, 64 }, { 321, 243 },
    { 854, 480 }, { 1920, 1080 } };

  for (gsize f = 0; f < G_N_ELEMENTS (golden); f++) {
    g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA1);

    for (gsize s = 0; s < G_N_ELEMENTS (golden_sizes); s++)
      for (AmphistoDisplay display = AMPHISTO_DISPLAY_OVERLAY;
           display <= AMPHISTO_DISPLAY_PARADE; display++)
        add_golden (checksum, golden[f].format, golden_sizes[s], display);
    g_assert_cmpstr (g_checksum_get_string (checksum), ==, golden[f].sha1);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_add_for_shapes ("/overlay/graph", test_graph);
  if (!test_is_small ()) {
    test_add_for_shapes ("/overlay/large", test_large);
    g_test_add_func ("/overlay/golden", test_golden);
  }
  return g_test_run ();
}
