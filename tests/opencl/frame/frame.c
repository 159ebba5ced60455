/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Whole frames on a device: histograms and pixels, equalized and drawn into,
 * equal the C reference's, and no other byte changes. All formats, many sizes
 * and places in memory, both shapes of the kernels, imported and copied.
 */

#include "random.h"
#include "channels.h"
#include "cltest.h"
#include "generator.h"

#include <string.h>

/* How many patterns frames have in each format, at random: few if the C
 * reference takes its time, and half of all if a pattern is hardly one. */
static guint
most_patterns (const guint size[2])
{
  return size[0] > 64         ? 2
      : size[0] * size[1] < 8 ? N_FRAME_PATTERNS / 2
                              : N_FRAME_PATTERNS;
}

/* Any format and size after any other, as caps may change. */
static void
check_all (CaseRunner *self)
{
  static const guint small[][2] = { { 9, 2 }, { 16, 5 } };
  static const guint sizes[][2] = { { 1, 1 }, { 3, 5 }, { 7, 1 }, { 17, 9 },
    { 64, 48 }, { 5, 130 }, { 2, 2 }, { 1, 7 }, { 321, 243 } };
  const gsize n_sizes =
      test_by_size (G_N_ELEMENTS (small), 6, G_N_ELEMENTS (sizes));
  for (gsize s = 0; s < n_sizes; s++) {
    const gsize step = test_by_size (s > 0 ? 3 : 1, 3, 1);

    for (gsize f = s % step; f < N_FRAME_FORMATS; f += step) {
      const guint *size = test_size () == TEST_SMALL ? small[s] : sizes[s];
      const guint n_patterns = test_by_size (1, 1, most_patterns (size));

      case_check_size (self, frame_formats[f], size[0], size[1], n_patterns);
    }
  }
}

/* Creates all kernels and buffers for the small frames: oclgrind 21.10 confuses
 * a buffer with a released one at the same address. */
static void
prepare_all (CaseRunner *self)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_GRAY8,
    GST_VIDEO_FORMAT_RGBx };
  const FramePlacement placement = { .alignment = 4 };
  AmphistoSettings settings = { .channels = LUMA,
    .clahe = { 3, 3, 0 },
    .smoothing = 0.5f,
    .measures_regions = true,
    .compares_luma = true,
    .compares_picture = true,
    .finds_letterbox = true,
    .checks_gamut = true,
    .measures_sharpness = true };

  for (gsize f = 0; IS_ROW (formats, f); f++) {
    g_autoptr (TestFrame) frame = test_frame_new (
        formats[f], 48, 48, GST_VIDEO_COLOR_RANGE_16_235, &placement);

    for (guint e = 0; e < AMPHISTO_N_EQUALIZATIONS; e++) {
      g_autoptr (GError) error = NULL;
      AmphistoPlan plan;

      settings.equalization = e;
      amphisto_plan_init (&plan, &frame->layout, &settings,
          amphisto_cl_executor_division (self->executor));
      amphisto_cl_executor_prepare (self->executor, &plan, &error);
      g_assert_no_error (error);
    }
  }
}

static void
test_sweep (CaseRunner *self)
{
  if (test_size () == TEST_SMALL)
    prepare_all (self);
  check_all (self);
}

/* --- single rows --- */

/* Frames of one row, with a stride that is shorter than the row: upload and
 * download take the whole row. To another frame with a longer stride, and in
 * place. */
static void
test_single_row (CaseRunner *self)
{
  for (gsize i = 0; i < 4 * N_FRAME_FORMATS; i++) {
    Case c = { frame_formats[i / 4], i & 1 ? 5 : 33, 1,
      GST_VIDEO_COLOR_RANGE_0_255, .pattern = FRAME_RANDOM, .seed = 1 + i,
      .in_place = i >> 1 & 1,
      .settings = { .channels = ALL_CHANNELS,
          .equalization = AMPHISTO_EQUALIZATION_GLOBAL,
          .strength = 1.0f },
      .short_stride = 1 + i % 4 };

    case_check (self, &c);
  }
}

/* --- regions in several launches --- */

/* Regions of interest in a random frame, measured in place. */
static Case
regions_case (GstVideoFormat format, guint width, guint height, guint32 seed,
    AmphistoChannelMask channels)
{
  return (Case){ format, width, height, GST_VIDEO_COLOR_RANGE_0_255,
    .pattern = FRAME_RANDOM, .seed = seed, .in_place = TRUE,
    .settings = { .channels = channels } };
}

/* The device has just enough constant memory for the largest parameters, ten
 * regions at once: up to 41 regions are counted in up to five launches. With
 * different channels, their histograms have different places. */
static void
test_regions (CaseRunner *self)
{
  static const AmphistoChannelMask channels[] = { ALL_CHANNELS, LUMA, RGB,
    ALL_CHANNELS & ~LUMA };
  guint32 random = 1;

  case_restart (self, 1, sizeof (waveform_params));
  for (guint i = 0; i < 4 * N_FRAME_FORMATS; i++) {
    Case c =
        regions_case (frame_formats[i / 4], 33, 17, 1 + i, channels[i % 4]);

    case_add_regions (&c, 1 + i % 9 * 5, &random);
    case_check (self, &c);
  }
}

/* One launch has more histograms than the GPU shape has groups, so that groups
 * count several: 630, where an NVIDIA H200 has 528 groups; in the small size
 * 28, with 8 groups. */
static void
test_many_regions (CaseRunner *self)
{
  const gboolean is_small = test_size () == TEST_SMALL;
  guint32 random = 1;

  for (guint i = 0; i < (is_small ? 1 : 4); i++) {
    Case c = regions_case (GST_VIDEO_FORMAT_AYUV, is_small ? 4 : 100,
        is_small ? 4 : 70, 1 + i, ALL_CHANNELS);

    case_add_regions (&c, is_small ? 4 : MAX_REGIONS, &random);
    case_check (self, &c);
  }
}

/* --- large frames --- */

/* Large enough for CPUs to count all channels in pairs, even if 16 cores share
 * the frame; in every second format, if two cores do. GPUs do not count in
 * pairs: fewer formats. */
static void
test_wide (CaseRunner *self)
{
  const gboolean is_cpu = self->path->shape == AMPHISTO_CL_SHAPE_CPU;
  const gsize step = is_cpu ? 1 : 5;

  for (gsize f = 0; f < N_FRAME_FORMATS; f += step) {
    const guint height = is_cpu && f % 2 == 0 ? 2201 : 735;
    Case c = { frame_formats[f], 3843, height, GST_VIDEO_COLOR_RANGE_16_235,
      .pattern = f % N_FRAME_PATTERNS, .seed = 1 + f,
      .source = { .alignment = 16, .padding = f % 3 },
      .target = { .alignment = 16, .padding = f % 5 }, .in_place = f % 2,
      .settings = { .channels = ALL_CHANNELS,
          .equalization = f % 5 == 2 ? AMPHISTO_EQUALIZATION_CLAHE
                                     : AMPHISTO_EQUALIZATION_GLOBAL,
          .strength = 1.0f,
          .clahe = { 1 + f, 8, 40 } },
      .regions = { { 7, 9, 3211, height - 201 } } };

    c.n_regions = f % 4 == 0;
    /* the reference is slow for the colours of YUV, and for saturation of RGB:
     * only some formats */
    if (GST_VIDEO_FORMAT_INFO_IS_YUV (
            gst_video_format_get_info (frame_formats[f])))
      c.settings.channels &= f % 5 == 1 ? ALL_CHANNELS : ~RGB;
    else
      c.settings.channels &= f % 3 == 1 ? ALL_CHANNELS : ~SATURATION;
    case_check (self, &c);
  }
}

static void
run_job (
    CaseRunner *self, const AmphistoJob *job, AmphistoHistograms *histograms)
{
  g_autoptr (GError) error = NULL;

  amphisto_cl_executor_submit (self->executor, 0, job, &error);
  g_assert_no_error (error);
  amphisto_cl_executor_finish (self->executor, 0, histograms, NULL, &error);
  g_assert_no_error (error);
}

/* One bin with 2^28 samples, more than 2^20 of them in each sub-histogram; and
 * differences that 32 bits cannot count. */
static void
test_flat_16384 (CaseRunner *self)
{
  const AmphistoSettings settings = { .channels = LUMA, .compares_luma = true };
  const FramePlacement placement = { .alignment = 4096 };
  AmphistoHistograms histograms;
  AmphistoPlan plan;

  g_autoptr (TestFrame) source = test_frame_new (GST_VIDEO_FORMAT_GRAY8, 16384,
      16384, GST_VIDEO_COLOR_RANGE_0_255, &placement);

  memset (source->frame.plane[0].data, 255, 16384 * 16384);
  amphisto_plan_init (&plan, &source->layout, &settings,
      amphisto_cl_executor_division (self->executor));

  AmphistoJob job = { .plan = &plan,
    .source = source->frame,
    .target = source->frame,
    .resets_comparison = true };

  /* prepared only when submitted */
  run_job (self, &job, &histograms);
  for (guint v = 0; v < AMPHISTO_N_BINS; v++)
    g_assert_cmpuint (histograms.bins[AMPHISTO_CHANNEL_LUMA][v], ==,
        v == 255 ? 16384 * 16384 : 0);
  job.resets_comparison = false;
  memset (source->frame.plane[0].data, 1, 16384 * 16384);
  run_job (self, &job, &histograms);
  g_assert_cmpfloat (histograms.comparison.difference, ==, 254);
  g_assert_cmpfloat (histograms.comparison.distance, ==, 254);
}

/* Rows with more chunks than the CPU kernel stores places for. */
static void
test_clahe_5003 (CaseRunner *self)
{
  Case c = { GST_VIDEO_FORMAT_GRAY8, 5003, 40, GST_VIDEO_COLOR_RANGE_0_255,
    .pattern = FRAME_RANDOM, .seed = 5,
    .settings = {
        LUMA, AMPHISTO_EQUALIZATION_CLAHE, 1.0f, .clahe = { 8, 8, 3.0 } } };

  case_check (self, &c);
}

/* More than 2^24 samples, the limit up to which a float counts exactly. */
static void
test_equalize_4099 (CaseRunner *self)
{
  static const FramePattern patterns[] = { FRAME_TWO_VALUED, FRAME_RANDOM };

  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++) {
    Case c = { GST_VIDEO_FORMAT_GRAY8, 4099, 4099, GST_VIDEO_COLOR_RANGE_0_255,
      .pattern = patterns[i], .seed = 99, .in_place = i,
      .settings = { .channels = LUMA,
          .equalization = AMPHISTO_EQUALIZATION_GLOBAL,
          .strength = 1.0f } };

    case_check (self, &c);
  }
}

/* --- counting alone --- */

/* A few frames of whole words, for simulators, which are slow with the many
 * work-items of the GPU shape. Every other format has a first frame that is
 * only kept, to compare the second one with it. Of the last three, one has more
 * tiles of 8 rows, to find the letterbox, than there are groups; one, more
 * tiles than groups measure sharpness; and one, as many samples as it takes for
 * two groups to add up the same bins. */
static void
test_counting (CaseRunner *self)
{
  const Case tall = { GST_VIDEO_FORMAT_GRAY8, 16, 8 * (AMPHISTO_MAX_SLOTS + 2),
    GST_VIDEO_COLOR_RANGE_16_235, .pattern = FRAME_RANDOM,
    .source = { .alignment = 4 }, .target = { .alignment = 4 },
    .in_place = TRUE,
    .settings = { .channels = LUMA, .finds_letterbox = true } };
  const Case tiles = { GST_VIDEO_FORMAT_GRAY8, 16, 36,
    GST_VIDEO_COLOR_RANGE_16_235, .pattern = FRAME_RANDOM,
    .source = { .alignment = 4 }, .target = { .alignment = 4 },
    .in_place = TRUE, .settings = { .measures_sharpness = true } };
  const Case square = { GST_VIDEO_FORMAT_GRAY8, 128, 128,
    GST_VIDEO_COLOR_RANGE_16_235, .pattern = FRAME_RANDOM,
    .source = { .alignment = 4 }, .target = { .alignment = 4 },
    .in_place = TRUE, .settings = { .channels = LUMA } };
  /* from most to fewest bytes to compare, so that no buffer grows; see
   * prepare_all() */
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_AYUV,
    GST_VIDEO_FORMAT_GBR, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_YUY2,
    GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_GRAY8 };

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (formats); i++) {
    const bool measures = i % 2 == 1;
    const Case c = { formats[i / 2], 40, 8, GST_VIDEO_COLOR_RANGE_16_235,
      .pattern = FRAME_RANDOM, .seed = i, .source = { .alignment = 4 },
      .target = { .alignment = 4 }, .in_place = TRUE,
      .settings = { .channels = measures ? ALL_CHANNELS
              : i == 0                   ? LUMA
                                         : 0,
          .finds_letterbox = measures,
          .checks_gamut = measures,
          .measures_sharpness = measures,
          .compares_luma = measures || i == 0,
          .compares_picture = true },
      .resets_comparison = i == 0, .resets_picture = i % 4 != 1 };

    if (measures || i % 4 == 0)
      case_check (self, &c);
  }
  case_check (self, &tall);
  case_check (self, &tiles);
  case_check (self, &square);
}

/* --- comparison with the previous frame --- */

/* Checks frames wider than a strip or a tile, higher than a tile, and narrower
 * than a chunk; some have a region. */
static void
check_sizes (CaseRunner *self,
    void (*check) (
        CaseRunner *self, guint width, guint height, AmphistoRegion region))
{
  static const struct
  {
    guint width, height;
    AmphistoRegion region;
  } sizes[] = { { 33, 17, { 0 } }, { 2085, 9, { 0 } }, { 1, 1, { 0 } },
    { 70, 33, { 3, 5, 31, 20 } }, { 15, 530, { 0 } },
    { 640, 48, { 1, 1, 16, 40 } } };
  const guint n_sizes = test_by_size (4, 4, G_N_ELEMENTS (sizes));

  for (guint i = 0; i < n_sizes; i++)
    check (self, sizes[i].width, sizes[i].height, sizes[i].region);
}

/* How many formats frames of one size have: all, or every third one. */
static guint
n_formats (void)
{
  return N_FRAME_FORMATS / test_by_size (3, 3, 1);
}

/* Of every third one, others for frames of another height. */
static GstVideoFormat
nth_format (guint n, guint height)
{
  const guint step = N_FRAME_FORMATS / n_formats ();

  return frame_formats[n * step + height % step];
}

/* Equalizes a frame, or does not, by its own histogram. */
static void
draw_equalization (Case *c, guint32 *random)
{
  test_settings_draw (&c->settings, TEST_EQUALIZATION, random);
  c->settings.smoothing = 0;
}

/* A frame is compared with the one before, also if that was equalized in place.
 * A repeated picture has no difference. All have the same size and region: the
 * format may change between them, and luma is still compared. */
static void
check_comparison (
    CaseRunner *self, guint width, guint height, AmphistoRegion region)
{
  guint32 random = width * 31 + height;
  Case last = { 0 };

  for (guint i = 0; i < 3 * n_formats (); i++) {
    Case c = { nth_format (i / 3, height), width, height,
      GST_VIDEO_COLOR_RANGE_16_235, .is_interlaced = i / 3 & 1,
      .has_all_rows = i / 3 & 2,
      .pattern = test_random (&random) % N_FRAME_PATTERNS,
      .seed = test_random (&random) | 1,
      .source = test_random_placement (&random),
      .target = test_random_placement (&random),
      .in_place = test_random (&random) & 1,
      .settings = { .channels = LUMA,
          .region = region,
          .compares_luma = true,
          .compares_picture = true },
      .resets_comparison = i == 0, .resets_picture = i % 3 == 0 };

    draw_equalization (&c, &random);
    if (i % 3 == 2) {
      c.pattern = last.pattern;
      c.seed = last.seed;
    }
    case_check (self, &c);
    if (i % 3 == 2) {
      g_assert_cmpfloat (self->state.comparison.difference, ==, 0);
      g_assert_cmpfloat (
          self->state.picture.value[AMPHISTO_PICTURE_DIFFERENCE], ==, 0);
    }
    last = c;
  }
}

/* The picture alone, without luma. */
static void
check_picture_comparison (
    CaseRunner *self, guint width, guint height, AmphistoRegion region)
{
  for (guint i = 0; i < 2 * n_formats (); i++) {
    const Case c = { nth_format (i / 2, height), width, height,
      GST_VIDEO_COLOR_RANGE_16_235, .pattern = FRAME_RANDOM, .seed = i + 1,
      .in_place = TRUE,
      .settings = { .region = region, .compares_picture = true },
      .resets_comparison = i % 2 == 0 };

    case_check (self, &c);
  }
}

static void
test_comparison (CaseRunner *self)
{
  check_sizes (self, check_comparison);
  check_sizes (self, check_picture_comparison);
}

/* --- the picture --- */

/* Random and dim frames of all formats, with and without equalization in place,
 * which must not change the result. */
static void
check_picture (
    CaseRunner *self, guint width, guint height, AmphistoRegion region)
{
  guint32 random = width * 31 + height;

  for (guint i = 0; i < 2 * n_formats (); i++) {
    Case c = { nth_format (i / 2, height), width, height,
      i & 2 ? GST_VIDEO_COLOR_RANGE_16_235 : GST_VIDEO_COLOR_RANGE_0_255,
      .matrix = test_random (&random) % 6, .is_interlaced = i & 1,
      .has_all_rows = test_random (&random) & 1,
      .pattern = i & 1 ? test_random (&random) % N_FRAME_PATTERNS : FRAME_DIM,
      .seed = test_random (&random) | 1,
      .source = test_random_placement (&random),
      .target = test_random_placement (&random),
      .in_place = test_random (&random) & 1,
      .settings = { .channels = test_random (&random) & ALL_CHANNELS,
          .region = region,
          .finds_letterbox = true,
          .checks_gamut = true,
          .measures_sharpness = true } };

    draw_equalization (&c, &random);
    case_check_in_turn (self, &c);
  }
}

static void
test_picture (CaseRunner *self)
{
  check_sizes (self, check_picture);
}

/* --- tile histograms alone --- */

/* CLAHE whose tiles fit the frame sums luma from them, and counts nothing else.
 * Each of its frames, and every frame after it, still finds empty bins. */
static void
test_tiles_alone (CaseRunner *self)
{
  static const AmphistoEqualization equalizations[] = {
    AMPHISTO_EQUALIZATION_CLAHE, AMPHISTO_EQUALIZATION_CLAHE,
    AMPHISTO_EQUALIZATION_CLAHE, AMPHISTO_EQUALIZATION_NONE,
    AMPHISTO_EQUALIZATION_CLAHE, AMPHISTO_EQUALIZATION_GLOBAL,
    AMPHISTO_EQUALIZATION_NONE
  };

  for (guint i = 0; i < G_N_ELEMENTS (equalizations); i++) {
    const Case c = { GST_VIDEO_FORMAT_I420, 64, 48,
      GST_VIDEO_COLOR_RANGE_16_235, .pattern = FRAME_RANDOM, .seed = i + 1,
      .source = { .alignment = 64 }, .target = { .alignment = 64 },
      .in_place = TRUE,
      .settings = { .channels = LUMA,
          .equalization = equalizations[i],
          .strength = 1.0f,
          .clahe = { 8, 8, 3 },
          .compares_luma = true },
      .resets_comparison = i == 0 };

    case_check (self, &c);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  case_add_tests ("frame/sweep-", test_sweep, CASES_SMALL);
  case_add_tests ("counting/", test_counting, CASES_KERNELS);
  case_add_tests ("frame/comparison-", test_comparison, CASES_KERNELS);
  case_add_tests ("frame/picture-", test_picture, CASES_KERNELS);
  case_add_tests ("frame/tiles-alone-", test_tiles_alone, CASES_KERNELS);
  case_add_tests ("frame/regions-", test_regions, CASES_KERNELS);
  case_add_tests ("frame/regions-many-", test_many_regions, CASES_KERNELS);
  case_add_tests ("frame/single-row-", test_single_row, CASES_SMALL);
  if (test_size () > TEST_SMALL) {
    case_add_tests ("large/wide-", test_wide, CASES_LARGE);
    case_add_tests ("large/flat-16384-", test_flat_16384, CASES_LARGE);
    case_add_tests ("large/clahe-5003-", test_clahe_5003, CASES_LARGE);
    case_add_tests ("large/equalize-4099-", test_equalize_4099, CASES_LARGE);
  }
  return g_test_run ();
}
