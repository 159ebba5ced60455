/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Histogram, waveform and vectorscope, zebra and false colour on a device
 * against the C reference: every byte is the same, in all formats, modes,
 * patterns, sizes and regions, with both shapes of the kernels, imported and
 * uploaded.
 */

#include "cases.h"
#include "channels.h"
#include "cltest.h"
#include "generator.h"
#include "opencl/run/program.h"

#include <string.h>

#define BOTH (AMPHISTO_SCOPE_WAVEFORM | AMPHISTO_SCOPE_VECTORSCOPE)

/* A part of the frame, or all of it. */
static AmphistoRegion
random_region (const guint size[2], guint32 *state)
{
  const guint32 r = test_random (state), q = test_random (state);

  if (r & 1)
    return (AmphistoRegion){ 0 };
  return (AmphistoRegion){ (r >> 1) % size[0] / 4, (r >> 16) % size[1] / 4,
    size[0] - q % size[0] / 4, size[1] - (q >> 16) % size[1] / 4 };
}

/* Format, size, display and scopes are given. Everything else is random, but
 * the same in every run. */
static Case
random_case (GstVideoFormat format, const guint size[2],
    AmphistoDisplay display, AmphistoScopes scopes, guint32 *state)
{
  const guint32 r = test_random (state), q = test_random (state);
  Case c = { format, size[0], size[1],
    .range = r & 1 ? GST_VIDEO_COLOR_RANGE_16_235 : GST_VIDEO_COLOR_RANGE_0_255,
    .matrix =
        r & 4096 ? GST_VIDEO_COLOR_MATRIX_BT601 : GST_VIDEO_COLOR_MATRIX_BT709,
    .pattern = (r >> 1) % N_FRAME_PATTERNS, .in_place = q & 1, .seed = q | 1,
    .settings = { .channels = q & 2 ? ALL_CHANNELS : q >> 8,
        .uses_canvas = q >> 30 & 1 },
    .phase = r >> 25 };

  test_settings_draw (&c.settings, TEST_SCOPES | TEST_EXPOSURE, state);
  c.settings.scopes.display = display;
  c.settings.scopes.enabled = scopes;
  if (scopes == AMPHISTO_SCOPE_NONE && c.settings.exposure.enabled == 0)
    c.settings.exposure.enabled = AMPHISTO_EXPOSURE_ZEBRA;
  c.settings.region = random_region (size, state);
  c.source = test_random_placement (state);
  c.target = test_random_placement (state);
  return c;
}

/* In the small size: oclgrind 21.10 takes a read of words for a race with
 * writes of other bytes of them. Rows of `width` bytes share no words, and
 * zebra and false colour are drawn alone: into few rows, but more than there
 * are slices, without a histogram, which takes longer to simulate. */
static void
simplify (Case *c, guint width)
{
  if (test_size () > TEST_SMALL)
    return;
  c->width = width;
  c->source = c->target = (FramePlacement){ .alignment = 16, .padding = 4 };
  if (c->settings.scopes.enabled == AMPHISTO_SCOPE_NONE) {
    c->settings.region = (AmphistoRegion){ 0 };
    c->settings.channels = 0;
    c->height = 18;
  } else
    c->settings.exposure.enabled = AMPHISTO_EXPOSURE_NONE;
}

/* Frames small and large, with fewer and with more samples than columns. */
static const guint sizes[][2] = { { 50, 37 }, { 50, 97 }, { 131, 67 },
  { 321, 243 }, { 640, 130 } };

/* In large frames, and in the smaller tiers, each format has a part of them.
 * None: zebra and false colour alone. */
static const AmphistoScopes drawn[] = { AMPHISTO_SCOPE_HISTOGRAM,
  AMPHISTO_SCOPE_WAVEFORM, AMPHISTO_SCOPE_VECTORSCOPE, AMPHISTO_ALL_SCOPES,
  AMPHISTO_SCOPE_NONE };

/* The histogram's scale decays from each frame with one to the next, now and
 * then it restarts. */
static void
check_size (CaseRunner *self, guint s, guint32 *random)
{
  const guint *size = sizes[s];
  const guint step = test_by_size (12, s > 0 ? 3 : 1, 1);
  const guint n_scopes =
      test_by_size (1, 1, size[0] > 200 ? 2 : G_N_ELEMENTS (drawn));

  for (gsize f = s % step; f < N_FRAME_FORMATS; f += step)
    for (guint i = f / test_by_size (step, 1, 1), end = i + n_scopes; i < end;
         i++) {
      Case c =
          random_case (frame_formats[f], size, AMPHISTO_DISPLAY_OVERLAY + i % 3,
              drawn[i % G_N_ELEMENTS (drawn)], random);

      simplify (&c, 64);
      c.resets_scale = self->state.peaks[0] == 0 || c.seed % 8 < 3;
      case_check_in_turn (self, &c);
    }
}

static void
test_formats (CaseRunner *self)
{
  const gsize n_sizes = test_by_size (1, 3, G_N_ELEMENTS (sizes));
  guint32 random = 2718;

  for (gsize s = 0; s < n_sizes; s++)
    check_size (self, s, &random);
}

/* Waveforms of rows with an incomplete chunk. The last row ends with the
 * memory, at any place within a word: on devices that use the host's memory,
 * reading too far is a fault. */
static void
test_end (CaseRunner *self)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_GRAY8,
    GST_VIDEO_FORMAT_Y444, GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_RGB };
  guint32 random = 7;

  for (guint i = 0; i < G_N_ELEMENTS (formats) * 4; i++) {
    const guint last = i % 4;
    Case c = random_case (formats[i / 4], sizes[2], AMPHISTO_DISPLAY_OVERLAY,
        AMPHISTO_SCOPE_WAVEFORM, &random);

    c.settings.channels = ALL_CHANNELS;
    c.settings.scopes.width = c.settings.scopes.height = 1;
    c.settings.region = (AmphistoRegion){ 0 };
    c.resets_scale = TRUE;
    c.source = (FramePlacement){
      .alignment = 4, .misalignment = { last, last, last }, .is_at_end = TRUE
    };
    case_check (self, &c);
  }
}

/* Stripes over pixels of grey and RGB of limited range that are out of gamut,
 * alone and over zebra and false colour. */
static void
test_stripes (CaseRunner *self)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_GRAY8,
    GST_VIDEO_FORMAT_BGR, GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_GBRA };
  const guint n = test_by_size (1, N_FRAME_PATTERNS, 4 * N_FRAME_PATTERNS);
  guint32 random = 246;

  for (guint i = 0; i < n * G_N_ELEMENTS (formats); i++) {
    const guint pattern = i / G_N_ELEMENTS (formats);
    Case c =
        random_case (formats[i % G_N_ELEMENTS (formats)], sizes[pattern % 3],
            AMPHISTO_DISPLAY_OVERLAY, AMPHISTO_SCOPE_NONE, &random);

    c.range = GST_VIDEO_COLOR_RANGE_16_235;
    c.pattern = pattern % N_FRAME_PATTERNS;
    c.settings.exposure.enabled |= AMPHISTO_EXPOSURE_GAMUT;
    c.settings.checks_gamut = true;
    simplify (&c, 64);
    case_check_in_turn (self, &c);
  }
}

/* Peaking of all formats, alone and with the other aids, in whole frames and
 * regions, with fields and without. */
static void
test_peaking (CaseRunner *self)
{
  const guint n = test_by_size (4, N_FRAME_FORMATS, 8 * N_FRAME_FORMATS);
  guint32 random = 1530;

  for (guint i = 0; i < n; i += test_by_size (1, 4, 1)) {
    Case c = random_case (frame_formats[i % N_FRAME_FORMATS],
        sizes[i % G_N_ELEMENTS (sizes)], AMPHISTO_DISPLAY_OVERLAY,
        AMPHISTO_SCOPE_NONE, &random);

    c.settings.exposure.enabled |= AMPHISTO_EXPOSURE_PEAKING;
    c.has_fields = i % 3 > 0;
    c.is_interlaced = i % 3 > 1;
    c.has_all_rows = i & 4;
    simplify (&c, 64);
    case_check_in_turn (self, &c);
  }
}

/* Marks of all channels, with labels; for simulators, of a few, in a frame that
 * has just enough room. */
static void
test_marks (CaseRunner *self)
{
  static const guint size[2] = { 211, 131 };
  const guint n = test_by_size (1, 6, 6);
  guint32 random = 99;

  for (guint i = 0; i < n; i++) {
    Case c = random_case (
        i % 2 == 0 ? GST_VIDEO_FORMAT_NV12 : GST_VIDEO_FORMAT_RGB, size,
        AMPHISTO_DISPLAY_OVERLAY + i / 2, AMPHISTO_SCOPE_HISTOGRAM, &random);

    simplify (&c, 192);
    if (test_size () == TEST_SMALL) {
      c.height = 80;
      c.settings.region = (AmphistoRegion){ 0 };
      c.settings.channels = RGB;
    }
    c.settings.scopes.width = c.settings.scopes.height = 1;
    c.settings.scopes.graticule = c.settings.scopes.percentile_marks = TRUE;
    c.settings.exposure.enabled = AMPHISTO_EXPOSURE_NONE;
    case_check (self, &c);
  }
}

/* Waveforms in the colours of the picture. */
static void
test_picture_colours (CaseRunner *self)
{
  const guint n = test_by_size (1, 1, 4);
  guint32 random = 4711;

  for (gsize f = 0; f < N_FRAME_FORMATS; f += test_by_size (12, 1, 1))
    for (guint i = f; i < f + n; i++) {
      Case c = random_case (frame_formats[f], sizes[i % 3],
          AMPHISTO_DISPLAY_OVERLAY + i % 3, AMPHISTO_SCOPE_WAVEFORM, &random);

      simplify (&c, 64);
      c.settings.channels |= LUMA;
      c.settings.scopes.waveform_colors = AMPHISTO_WAVEFORM_PICTURE;
      c.has_fields = i % 4 > 1;
      c.is_interlaced = i % 4 > 2;
      c.has_all_rows = i & 8;
      c.resets_scale = TRUE;
      case_check_in_turn (self, &c);
    }
}

/* Panels side by side, for which most other frames are too narrow. Three or six
 * of them are no whole chunks, and neither are they together. */
static void
test_parade (CaseRunner *self)
{
  static const guint size[2] = { 854, 41 };
  const guint n = test_by_size (1, 6, 6);
  guint32 random = 5;

  for (guint i = 0; i < n; i++) {
    Case c = random_case (
        i % 3 == 0 ? GST_VIDEO_FORMAT_NV12 : GST_VIDEO_FORMAT_RGB, size,
        AMPHISTO_DISPLAY_PARADE,
        i & 1 ? AMPHISTO_SCOPE_HISTOGRAM : AMPHISTO_SCOPE_WAVEFORM, &random);

    c.settings.channels =
        i & 2 || test_size () == TEST_SMALL ? RGB : ALL_CHANNELS;
    simplify (&c, 304);
    if (test_size () == TEST_SMALL) {
      c.height = 24;
      c.settings.scopes.height = 1;
      c.settings.region = (AmphistoRegion){ 0 };
    }
    c.settings.scopes.width = 1;
    case_check (self, &c);
  }
}

/* Vectorscopes of less and of more than a pixel per cell, zoomed, also with
 * pixels that are not square. */
static void
test_vectors (CaseRunner *self)
{
  static const guint aspects[] = { 0, 5825, 3641 };
  static const guint heights[] = { 60, 300, 420, 660 };
  const guint n = G_N_ELEMENTS (aspects) * G_N_ELEMENTS (heights);
  guint32 random = 17;

  for (guint i = 0; i < n; i += test_by_size (1, 5, 1)) {
    const guint size[2] = { 700, heights[i / G_N_ELEMENTS (aspects)] };
    Case c = random_case (i & 1 ? GST_VIDEO_FORMAT_NV12 : GST_VIDEO_FORMAT_RGB,
        size, AMPHISTO_DISPLAY_OVERLAY, AMPHISTO_SCOPE_VECTORSCOPE, &random);

    c.pattern = i % N_FRAME_PATTERNS;
    c.settings.scopes.zoom_shift = i / 2 % 3;
    c.pixel_aspect = aspects[i % G_N_ELEMENTS (aspects)];
    c.settings.scopes.height = 1;
    case_check (self, &c);
  }
}

/* Regions with odd edges, of one pixel, at the frame's edges, and of one column
 * or row: scopes measure them, and they have an outline. */
static const AmphistoRegion outlined[] = { { 3, 5, 20, 17 }, { 0, 0, 49, 37 },
  { 1, 1, 1, 1 }, { 49, 36, 1, 1 }, { 7, 0, 1, 37 }, { 12, 10, 2, 2 },
  { 0, 36, 50, 1 }, { 2, 2, 48, 35 }, { 5, 3, 3, 3 } };

static Case
outline_case (GstVideoFormat format, guint i, guint32 *state)
{
  Case c = random_case (format, sizes[0], AMPHISTO_DISPLAY_OVERLAY,
      1u << test_random (state) % 3, state);

  c.settings.channels = ALL_CHANNELS;
  c.settings.scopes.graticule = TRUE;
  c.settings.region = outlined[i % G_N_ELEMENTS (outlined)];
  c.has_fields = i % 4 > 1;
  c.is_interlaced = i % 4 > 2;
  c.has_all_rows = i & 4;
  c.resets_scale = TRUE;
  return c;
}

static void
test_outline (CaseRunner *self)
{
  const guint n = test_by_size (1, 3, 2 * G_N_ELEMENTS (outlined));
  guint32 random = 1618;

  for (gsize f = 0; f < N_FRAME_FORMATS; f += test_by_size (12, 1, 1))
    for (guint i = 0; i < n; i++) {
      Case c = outline_case (frame_formats[f], f * n + i, &random);

      simplify (&c, 64);
      if (test_size () == TEST_SMALL) {
        c.settings.scopes.enabled = AMPHISTO_SCOPE_HISTOGRAM;
        c.settings.channels = LUMA;
      }
      case_check_in_turn (self, &c);
    }
}

/* The legend of false colour, in frames and regions with and without room for
 * it.
 */
static void
test_legend (CaseRunner *self)
{
  static const guint key_sizes[][2] = { { 323, 243 }, { 200, 150 },
    { 192, 256 } };
  const guint n = test_by_size (2, N_FRAME_FORMATS, 4 * N_FRAME_FORMATS);
  guint32 random = 2718;

  for (guint i = 0; i < n; i++) {
    Case c = random_case (frame_formats[i % N_FRAME_FORMATS],
        key_sizes[i % G_N_ELEMENTS (key_sizes)], AMPHISTO_DISPLAY_OVERLAY,
        i % 3 ? AMPHISTO_SCOPE_NONE : AMPHISTO_SCOPE_VECTORSCOPE, &random);

    c.settings.scopes.graticule = TRUE;
    c.settings.exposure.enabled = AMPHISTO_EXPOSURE_FALSE_COLOR
        | (i % 4 ? AMPHISTO_EXPOSURE_NONE : AMPHISTO_EXPOSURE_ZEBRA);
    if (i % 5 == 1)
      c.settings.region = (AmphistoRegion){ 5, 7, 191, 131 };
    c.has_fields = i % 7 > 3;
    c.is_interlaced = i % 7 > 5;
    c.resets_scale = TRUE;
    case_check_in_turn (self, &c);
  }
}

/* Scopes alone, in frames of any size, address and stride; the smallest have no
 * scope. */
static void
test_scopes_only (CaseRunner *self)
{
  static const guint outputs[][2] = { { 331, 97 }, { 96, 150 }, { 203, 48 },
    { 64, 31 }, { 7, 5 }, { 1, 1 } };
  static const guint small[][2] = { { 97, 33 }, { 64, 40 }, { 70, 48 } };
  const guint n =
      test_by_size (G_N_ELEMENTS (small), N_FRAME_FORMATS, 4 * N_FRAME_FORMATS);
  guint32 random = 38;

  for (guint i = 0; i < n; i++) {
    const guint *output = test_size () == TEST_SMALL
        ? small[i]
        : outputs[i % G_N_ELEMENTS (outputs)];
    Case c = random_case (frame_formats[i % N_FRAME_FORMATS], sizes[i % 3],
        AMPHISTO_DISPLAY_OVERLAY + i % 3, drawn[i % 4], &random);

    simplify (&c, 64);
    c.settings.output_width = output[0];
    c.settings.output_height = output[1];
    c.settings.exposure.enabled = AMPHISTO_EXPOSURE_NONE;
    c.resets_scale = self->state.peaks[0] == 0 || c.seed % 8 < 3;
    case_check_in_turn (self, &c);
  }
}

/* More samples of one value in a column than 16-bit numbers count, and as large
 * a graph as there is. */
static void
test_large (CaseRunner *self)
{
  static const FramePattern patterns[] = { FRAME_FLAT, FRAME_CHECKER };

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++) {
    const Case c = { GST_VIDEO_FORMAT_NV12, 2050, 4100, .pattern = patterns[i],
      .in_place = TRUE, .resets_scale = TRUE, .seed = 1,
      .settings = { .channels = LUMA | CHROMA,
          .scopes = { .display = AMPHISTO_DISPLAY_OVERLAY,
              .enabled = i == 0 ? BOTH : AMPHISTO_ALL_SCOPES,
              .width = 1,
              .height = 1,
              .opacity = 0.7,
              .scale = AMPHISTO_SCOPE_LOG,
              .waveform_colors = AMPHISTO_WAVEFORM_PICTURE,
              .graticule = TRUE,
              .clipping_bars = TRUE,
              .percentile_marks = TRUE,
              .intensity = 1 } } };

    case_check (self, &c);
  }
}

/* Frames of more than 65536 columns or rows, and scopes alone that are wider
 * than their greatest panel. */
static void
test_wide (CaseRunner *self)
{
  static const struct
  {
    GstVideoFormat format;
    guint size[2];
    guint output_width;
  } wide[] = { { GST_VIDEO_FORMAT_NV12, { 70001, 48 }, 0 },
    { GST_VIDEO_FORMAT_RGB, { 66000, 32 }, 74000 },
    { GST_VIDEO_FORMAT_RGB, { 48, 70000 }, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (wide); i++) {
    guint32 random = 65536 + i;
    Case c = random_case (wide[i].format, wide[i].size,
        AMPHISTO_DISPLAY_OVERLAY, AMPHISTO_ALL_SCOPES, &random);

    c.settings.scopes.width = c.settings.scopes.height = 1;
    c.settings.region = (AmphistoRegion){ 0 };
    c.settings.exposure.enabled = AMPHISTO_EXPOSURE_NONE;
    c.settings.output_width = wide[i].output_width;
    c.settings.output_height = 64;
    c.resets_scale = TRUE;
    case_check (self, &c);
  }
}

/* Whether the driver reports the waveform's local memory: PoCL 6 reports none
 * for all kernels. */
static gboolean
tells_local_memory (AmphistoClDevice *device)
{
  cl_kernel kernel = amphisto_cl_kernel_new (device,
      amphisto_cl_kernel_find ("measure_waveform"), AMPHISTO_NEEDS_ALL, NULL);
  cl_ulong size = 0;

  g_assert_nonnull (kernel);
  g_assert_cmpint (clGetKernelWorkGroupInfo (kernel, device->id,
                       CL_KERNEL_LOCAL_MEM_SIZE, sizeof size, &size, NULL),
      ==, CL_SUCCESS);
  g_assert_cmpint (clReleaseKernel (kernel), ==, CL_SUCCESS);
  return size > 16 * 1024;
}

/* Draws the vectorscope, and the waveform too if `has_waveform`, on a device
 * with at most `size` bytes of local memory. The error is as `wanted`, NULL:
 * none. */
static void
check_local_memory (gsize size, gboolean has_waveform, const char *wanted)
{
  g_autoptr (AmphistoClDevice) device =
      test_device_get (AMPHISTO_CL_SHAPE_GPU, TRUE);
  guint32 random = 31;
  const Case c =
      random_case (GST_VIDEO_FORMAT_I420, sizes[4], AMPHISTO_DISPLAY_OVERLAY,
          has_waveform ? BOTH : AMPHISTO_SCOPE_VECTORSCOPE, &random);
  g_autoptr (GError) error = NULL;
  CaseRunner self = { 0 };

  if (device == NULL)
    return;
  if (wanted != NULL && strstr (wanted, "measure_waveform") != NULL
      && !tells_local_memory (device))
    wanted = NULL;
  device->local_memory = MIN (device->local_memory, size);
  self.executor = amphisto_cl_executor_new (device, 1, NULL, NULL, &error);
  if (self.executor != NULL)
    case_try (&self, &c, &error);
  g_clear_pointer (&self.executor, amphisto_cl_executor_free);
  amphisto_reference_state_clear (&self.state);
  if (wanted == NULL)
    g_assert_no_error (error);
  else
    g_assert_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD);
  g_assert_true (wanted == NULL || strstr (error->message, wanted) != NULL);
}

/* With any amount of local memory, the graph is the same, or the error gives
 * the available and the required amount. */
static void
test_local_memory (void)
{
  static const struct
  {
    gsize size;
    const char *vectorscope_error, *waveform_error;
  } devices[] = {
    { 48 * 1024, NULL, NULL },
    { 32 * 1024, NULL, NULL },
    { 16 * 1024, NULL,
        "the device has 16384 bytes of local memory; the kernel "
        "measure_waveform needs" },
    { 9 * 1024, NULL, "measure_waveform needs" },
    { 8 * 1024, "local memory of 8192 bytes; the kernels need 9216",
        "the kernels need 9216" },
  };

  for (guint i = test_by_size (0, 3, 0); IS_ROW (devices, i); i++) {
    check_local_memory (devices[i].size, FALSE, devices[i].vectorscope_error);
    check_local_memory (devices[i].size, TRUE, devices[i].waveform_error);
  }
}

/* Columns of a few samples, with enough rows for a count of a multiple of
 * 65536: at once, or after saturation at 255. The remainder must not show. A
 * work-group counts all columns, so that its counts are not divided among
 * replicas. */
static void
test_tall (CaseRunner *self)
{
  static const struct
  {
    guint width, height;
  } frames[] = { /* two samples of a row in the widest of 28 columns */
    { 33, 32800 }, { 33, 65408 },
    /* more than the 512 of a row that are counted at once */
    { 92 * 515, 128 }
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (frames); i++) {
    const Case c = { GST_VIDEO_FORMAT_GRAY8, frames[i / 2].width,
      frames[i / 2].height,
      /* in the GPU shape, halves of words: values up to 127, and above */
      .pattern = i & 1 ? FRAME_ONES : FRAME_FLAT, .in_place = TRUE,
      .resets_scale = TRUE, .seed = 1, .counts_in_one_group = TRUE,
      .settings = { .channels = LUMA,
          .scopes = { .display = AMPHISTO_DISPLAY_OVERLAY,
              .enabled = AMPHISTO_SCOPE_WAVEFORM } } };

    case_check (self, &c);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  case_add_tests ("formats/", test_formats, CASES_KERNELS);
  case_add_tests ("end/", test_end, CASES_KERNELS);
  case_add_tests ("stripes/", test_stripes, CASES_KERNELS);
  case_add_tests ("peaking/", test_peaking, CASES_KERNELS);
  case_add_tests ("marks/", test_marks, CASES_KERNELS);
  case_add_tests ("picture-colours/", test_picture_colours, CASES_KERNELS);
  case_add_tests ("parade/", test_parade, CASES_KERNELS);
  case_add_tests ("vectors/", test_vectors, CASES_SLOW);
  case_add_tests ("outline/", test_outline, CASES_KERNELS);
  case_add_tests ("scopes-only/", test_scopes_only, CASES_KERNELS);
  case_add_tests ("legend/", test_legend, CASES_KERNELS);
  g_test_add_func ("/local-memory", test_local_memory);
  if (test_size () == TEST_FULL) {
    case_add_tests ("large/", test_large, CASES_SLOW);
    case_add_tests ("tall/", test_tall, CASES_SLOW);
    case_add_tests ("wide/", test_wide, CASES_SLOW);
  }
  return g_test_run ();
}
