/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Waveform and vectorscope on a device against the C reference: every byte is
 * the same, in all formats, modes, patterns, sizes and regions, with both
 * shapes of the kernels, imported and uploaded.
 */

#include "cases.h"
#include "channels.h"
#include "cltest.h"
#include "opencl/program.h"

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
  static const double widths[] = { 0.0, 0.2, 0.4, 1.0 };
  static const double heights[] = { 0.0, 0.33, 0.6, 1.0 };
  const guint32 r = test_random (state), q = test_random (state);
  Case c = { .format = format,
    .width = size[0],
    .height = size[1],
    .range = r & 1 ? GST_VIDEO_COLOR_RANGE_16_235 : GST_VIDEO_COLOR_RANGE_0_255,
    .pattern = (r >> 1) % N_FRAME_PATTERNS,
    .in_place = q & 1,
    .resets_scale = TRUE,
    .seed = q | 1,
    .settings = { .channels = q & 2 ? ALL_CHANNELS : q >> 8,
        .overlay = { .display = display,
            .scopes = scopes,
            .position = r >> 8 & 3,
            .width = widths[r >> 10 & 3],
            .height = heights[r >> 12 & 3],
            .opacity = (r >> 14) % 11 / 10.0,
            .graticule = (r >> 19 & 3) > 0 } } };

  c.settings.region = random_region (size, state);
  c.source = test_random_placement (state);
  c.target = test_random_placement (state);
  return c;
}

/* Frames small and large, with fewer and with more samples than columns. */
static const guint sizes[][2] = { { 50, 97 }, { 131, 67 }, { 321, 243 },
  { 640, 130 } };

static void
test_formats (gconstpointer data)
{
  static const AmphistoScopes scopes[] = { AMPHISTO_SCOPE_WAVEFORM,
    AMPHISTO_SCOPE_VECTORSCOPE, BOTH };
  const gsize n_sizes = test_is_small () ? 1 : G_N_ELEMENTS (sizes);
  AmphistoClFrame *self = case_frame_new (data, 1, G_MAXSIZE);
  AmphistoReferenceState state = { 0 };
  guint32 random = 2718;

  if (self == NULL)
    return;
  for (gsize s = 0; s < n_sizes; s++)
    for (gsize f = 0; f < N_FRAME_FORMATS; f += test_is_small () ? 12 : 1)
      for (guint i = 0; i < 3; i++) {
        const Case c = random_case (frame_formats[f], sizes[s],
            AMPHISTO_DISPLAY_OVERLAY + (f + i) % 3, scopes[i], &random);

        case_check (self, &c, &state);
      }
  amphisto_reference_state_clear (&state);
  amphisto_cl_frame_free (self);
}

/* More samples of one value in a column than 16-bit numbers count. */
static void
test_saturation (gconstpointer data)
{
  static const FramePattern patterns[] = { FRAME_FLAT, FRAME_CHECKER };
  AmphistoClFrame *self;
  AmphistoReferenceState state = { 0 };

  if (test_is_small ()) {
    g_test_skip ("Large frames are not for this device.");
    return;
  }
  self = case_frame_new (data, 1, G_MAXSIZE);
  if (self == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++) {
    const Case c = { .format = GST_VIDEO_FORMAT_NV12,
      .width = 2048,
      .height = 4096,
      .pattern = patterns[i],
      .in_place = TRUE,
      .resets_scale = TRUE,
      .seed = 1,
      .source = { .alignment = 16 },
      .target = { .alignment = 16 },
      .settings = { .channels = LUMA,
          .overlay = {
              .display = AMPHISTO_DISPLAY_OVERLAY, .scopes = BOTH } } };

    case_check (self, &c, &state);
  }
  amphisto_reference_state_clear (&state);
  amphisto_cl_frame_free (self);
}

/* Whether the driver reports the waveform's local memory: PoCL 6 reports none
 * for all kernels. */
static gboolean
tells_local_memory (AmphistoClDevice *device)
{
  cl_kernel kernel =
      amphisto_cl_kernel_new (device, AMPHISTO_CL_MEASURE_WAVEFORM, NULL);
  cl_ulong size = 0;

  g_assert_nonnull (kernel);
  g_assert_cmpint (clGetKernelWorkGroupInfo (kernel, device->id,
                       CL_KERNEL_LOCAL_MEM_SIZE, sizeof size, &size, NULL),
      ==, CL_SUCCESS);
  g_assert_cmpint (clReleaseKernel (kernel), ==, CL_SUCCESS);
  return size > 16 * 1024;
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

  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    for (guint waveform = 0; waveform < 2; waveform++) {
      const char *wanted =
          waveform ? devices[i].waveform_error : devices[i].vectorscope_error;
      g_autoptr (AmphistoClDevice) device =
          test_device_get (AMPHISTO_CL_SHAPE_GPU, TRUE);
      guint32 random = 31;
      const Case c = random_case (GST_VIDEO_FORMAT_I420, sizes[3],
          AMPHISTO_DISPLAY_OVERLAY,
          waveform ? BOTH : AMPHISTO_SCOPE_VECTORSCOPE, &random);
      g_autoptr (GError) error = NULL;
      AmphistoReferenceState state = { 0 };
      AmphistoClFrame *self;

      if (device == NULL)
        return;
      if (wanted != NULL && strstr (wanted, "measure_waveform") != NULL
          && !tells_local_memory (device))
        wanted = NULL;
      device->local_memory = MIN (device->local_memory, devices[i].size);
      self = amphisto_cl_frame_new (device, 1, NULL, NULL, &error);
      if (self != NULL) {
        case_try (self, &c, &state, &error);
        amphisto_cl_frame_free (self);
      }
      amphisto_reference_state_clear (&state);
      if (wanted == NULL)
        g_assert_no_error (error);
      else
        g_assert_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD);
      g_assert_true (wanted == NULL || strstr (error->message, wanted) != NULL);
    }
}

/* Columns of a few samples, with enough rows for a count of a multiple of
 * 65536: at once, or after saturation at 255. The remainder must not show. A
 * work-group counts all columns, so that its counts are not divided among
 * replicas. */
static void
test_tall (gconstpointer data)
{
  static const struct
  {
    guint width, height;
  } frames[] = { /* two samples of a row in the widest of 28 columns */
    { 33, 32800 }, { 33, 65408 },
    /* more than the 512 of a row that are counted at once */
    { 92 * 515, 128 }
  };
  AmphistoClFrame *self;
  AmphistoReferenceState state = { 0 };

  if (test_is_small ()) {
    g_test_skip ("Large frames are not for this device.");
    return;
  }
  self = case_frame_new (data, 1, G_MAXSIZE);
  if (self == NULL)
    return;
  for (guint i = 0; i < 2 * G_N_ELEMENTS (frames); i++) {
    const Case c = { .format = GST_VIDEO_FORMAT_GRAY8,
      .width = frames[i / 2].width,
      .height = frames[i / 2].height,
      /* in the GPU shape, halves of words: values up to 127, and above */
      .pattern = i & 1 ? FRAME_ONES : FRAME_FLAT,
      .in_place = TRUE,
      .resets_scale = TRUE,
      .seed = 1,
      .counts_in_one_group = TRUE,
      .source = { .alignment = 16 },
      .target = { .alignment = 16 },
      .settings = { .channels = LUMA,
          .overlay = { .display = AMPHISTO_DISPLAY_OVERLAY,
              .scopes = AMPHISTO_SCOPE_WAVEFORM } } };

    case_check (self, &c, &state);
  }
  amphisto_reference_state_clear (&state);
  amphisto_cl_frame_free (self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  case_add_tests ("formats/", test_formats);
  case_add_tests ("saturation/", test_saturation);
  g_test_add_func ("/local-memory", test_local_memory);
  case_add_tests ("tall/", test_tall);
  return g_test_run ();
}
