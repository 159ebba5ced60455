/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Whole frames on a device: histograms and pixels, equalized and drawn into,
 * equal the C reference's, and no other byte changes. All formats, many sizes
 * and places in memory, both shapes of the kernels, imported and copied.
 */

#include "cases.h"
#include "channels.h"
#include "cltest.h"

#include <string.h>

static AmphistoClExecutor *
frame_new (const Path *path)
{
  return case_frame_new (path, 1, G_MAXSIZE);
}

static gboolean
equalizes (const Case *c)
{
  return c->settings.equalization != AMPHISTO_EQUALIZATION_NONE;
}

/* Places every plane at the beginning of a word, and pads its rows up to the
 * end of a word: if a word is uploaded partially, oclgrind takes the rest for
 * uninitialized. Returns: whether this is possible. */
static gboolean
pad_to_words (Case *c)
{
  c->source.alignment = MAX (c->source.alignment, 4);
  memset (c->source.misalignment, 0, sizeof c->source.misalignment);
  for (guint tries = 0; tries < 4; tries++, c->source.padding++) {
    g_autoptr (TestFrame) frame =
        test_frame_new (c->format, c->width, c->height, c->range, &c->source);
    gboolean is_whole = TRUE;

    for (guint p = 0; p < frame->layout.n_planes; p++)
      is_whole &=
          amphisto_plane_span (&frame->layout, p, frame->frame.plane[p].stride)
              % 4
          == 0;
    if (is_whole)
      return TRUE;
  }
  return FALSE;
}

/* One frame in three has scopes, zebra, false colour, or several. */
static void
random_overlay (Case *c, const AmphistoReferenceState *state, guint32 *random)
{
  static const double fractions[] = { 0.33, 0.33, 0.5, 1.0 };
  const guint32 r = test_random (random);
  const guint32 q = test_random (random);

  if (r % 3 > 0)
    return;
  c->settings.scopes = (AmphistoScopeSettings){ .enabled = r >> 5 & 7,
    .display = (r >> 2 & 3) % 3,
    .position = r >> 4 & 3,
    .width = fractions[r >> 6 & 3],
    .height = fractions[r >> 8 & 3],
    .opacity = (r >> 10) % 11 / 10.0,
    .scale = r >> 14 & 1,
    .graticule = r >> 15 & 1,
    .clipping_bars = q & 1,
    .percentile_marks = r >> 18 & 1 };
  c->settings.exposure = (AmphistoExposureSettings){ .enabled = q >> 1 & 3,
    .zebra_low = (q >> 3) % 50 - 10.0,
    .zebra_high = 110.0 - (q >> 9) % 50 };
  c->resets_scale = state->peaks[0] == 0 || (r >> 19 & 3) == 0;
  c->phase = r >> 21;
  if (equalizes (c) && c->settings.exposure.enabled)
    c->in_place = FALSE;
}

static AmphistoRegion
random_region (const Case *c, guint32 *random)
{
  const guint32 r = test_random (random), q = test_random (random);

  return (AmphistoRegion){ r % c->width, (r >> 16) % c->height,
    q % (c->width + 2), (q >> 16) % (c->height + 2) };
}

/* n regions inside the frame. */
static void
random_regions_of_interest (Case *c, guint n, guint32 *random)
{
  AmphistoLayout layout = { 0 };

  layout.component[AMPHISTO_CHANNEL_LUMA].width = c->width;
  layout.component[AMPHISTO_CHANNEL_LUMA].height = c->height;
  c->n_regions = n;
  for (guint i = 0; i < n; i++) {
    const AmphistoRegion region = random_region (c, random);

    c->regions[i] = amphisto_region_clip (&region, &layout);
  }
}

/* One frame in three has its own region; one region in 16 is outside the
 * frame. Half of all frames have regions of interest. */
static void
random_regions (Case *c, guint32 *random)
{
  const guint32 r = test_random (random);

  if (r % 3 == 0)
    c->settings.region = random_region (c, random);
  if (r % 3 == 0 && (r >> 8) % 16 == 0)
    c->settings.region.x = c->width;
  random_regions_of_interest (c, r >> 4 & 1 ? (r >> 16) % 10 : 0, random);
}

static gboolean
has_mean (const AmphistoReferenceState *state)
{
  for (guint v = 0; v < AMPHISTO_N_BINS; v++)
    if (state->mean[v] > 0)
      return TRUE;
  return FALSE;
}

/* Every other frame is equalized by the temporal mean. The first frame restarts
 * the mean, and so does a frame with more tiles than the mean has. */
static void
random_smoothing (Case *c, const AmphistoReferenceState *state, guint32 *random)
{
  static const float smoothings[] = { 0.5f, 0.9f, 1.0f, 0.01f };
  const guint32 r = test_random (random);

  if (r & 1)
    c->settings.smoothing = smoothings[r >> 1 & 3];
  c->resets_mean = !has_mean (state) || (r >> 3 & 7) == 0
      || (gsize) c->settings.clahe.tiles_x * c->settings.clahe.tiles_y
              * sizeof (float[AMPHISTO_N_BINS])
          > state->tile_means.size;
}

static void
random_clahe (Case *c, guint32 *random)
{
  static const guint tiles[] = { 1, 2, 3, 8, 8, 17, 64 };
  const guint n_tiles = test_size () == TEST_SMALL ? 3 : G_N_ELEMENTS (tiles);
  static const double limits[] = { 0, 0.5, 1, 2.5, 4, 40 };
  const guint32 r = test_random (random);

  if (c->settings.equalization)
    c->settings.equalization = AMPHISTO_EQUALIZATION_CLAHE;
  c->settings.clahe = (AmphistoClahe){ tiles[r % n_tiles],
    tiles[(r >> 8) % n_tiles], limits[(r >> 16) % G_N_ELEMENTS (limits)] };
}

static void
random_match (Case *c, guint32 *random)
{
  for (guint v = 0; v < AMPHISTO_N_BINS; v++)
    c->settings.reference[v] = test_random (random) % 1000;
  if (equalizes (c))
    c->settings.equalization = AMPHISTO_EQUALIZATION_MATCH;
}

static void
random_stretch (Case *c, guint32 *random)
{
  static const double percents[] = { 0.5, 0, 0.1, 5, 33.3, 50 };
  const guint32 r = test_random (random);

  if (equalizes (c))
    c->settings.equalization = AMPHISTO_EQUALIZATION_STRETCH;
  c->settings.stretch_low = percents[r % G_N_ELEMENTS (percents)];
  c->settings.stretch_high = percents[(r >> 8) % G_N_ELEMENTS (percents)];
}

static void
random_equalization (Case *c, guint i, guint32 *random)
{
  switch (i % 4) {
    case 0:
      random_match (c, random);
      break;
    case 1:
      random_clahe (c, random);
      break;
    case 2:
      random_stretch (c, random);
      break;
    default: /* global */
      break;
  }
  if (!equalizes (c))
    c->settings.channels |= LUMA;
}

/* n patterns, each in place and into another frame. Everything else is random,
 * but the same in every run. */
static void
check_size (AmphistoClExecutor *self, GstVideoFormat format, guint width,
    guint height, guint n_patterns, AmphistoReferenceState *kept)
{
  static const float strengths[] = { 1.0f, 0.0f, 0.5f, 0.3f, 0.999f };
  guint32 state = 1 + format * 7919 + width * 31 + height;
  const guint first = n_patterns < N_FRAME_PATTERNS ? state : 0;

  for (guint i = 0; i < n_patterns * 2; i++) {
    const guint32 r = test_random (&state);
    Case c = { .format = format,
      .width = width,
      .height = height,
      .range =
          i & 1 ? GST_VIDEO_COLOR_RANGE_16_235 : GST_VIDEO_COLOR_RANGE_0_255,
      .has_fields = (r >> 24 & 3) > 1,
      .is_interlaced = (r >> 24 & 3) > 2,
      .has_all_rows = r >> 26 & 1,
      .pattern = (first + i / 2) % N_FRAME_PATTERNS,
      .seed = r,
      .in_place = i & 1,
      .settings = {
          .channels = r % 3 == 0 ? (r >> 8) % (ALL_CHANNELS + 1) : ALL_CHANNELS,
          .equalization = (r >> 16) % 5 > 0,
          .strength = strengths[(r >> 20) % G_N_ELEMENTS (strengths)] } };

    random_equalization (&c, first + i, &state);
    c.source = test_random_placement (&state);
    c.target = test_random_placement (&state);
    random_regions (&c, &state);
    if (test_size () > TEST_SMALL)
      random_overlay (&c, kept, &state);
    random_smoothing (&c, kept, &state);
    c.settings.compares = (r >> 27 & 1) != 0;
    c.resets_comparison = TRUE;
    if (test_size () > TEST_SMALL || pad_to_words (&c))
      case_check (self, &c, kept);
  }
}

/* Any format and size after any other, as caps may change. The full tier takes
 * a minute: the C reference takes its time for the largest frames. */
static void
check_all (AmphistoClExecutor *self)
{
  static const guint small[][2] = { { 9, 2 }, { 16, 5 } };
  static const guint sizes[][2] = { { 1, 1 }, { 3, 5 }, { 7, 1 }, { 17, 9 },
    { 64, 48 }, { 5, 130 }, { 2, 2 }, { 1, 7 }, { 321, 243 } };
  const gsize n_sizes = test_size () == TEST_SMALL ? G_N_ELEMENTS (small)
      : test_size () == TEST_QUICK                 ? 6
                                                   : G_N_ELEMENTS (sizes);
  AmphistoReferenceState state = { 0 };

  for (gsize s = 0; s < n_sizes; s++)
    for (gsize f = 0; f < N_FRAME_FORMATS;
         f += test_size () == TEST_SMALL && s > 0 ? 3 : 1) {
      const guint *size = test_size () == TEST_SMALL ? small[s] : sizes[s];

      check_size (self, frame_formats[f], size[0], size[1],
          test_size () < TEST_FULL ? 1 : N_FRAME_PATTERNS, &state);
    }
  amphisto_reference_state_clear (&state);
}

/* Creates all kernels and buffers for the small frames: oclgrind 21.10 confuses
 * a buffer with a released one at the same address. */
static void
prepare_all (AmphistoClExecutor *self)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_GRAY8,
    GST_VIDEO_FORMAT_RGBx };
  const FramePlacement placement = { .alignment = 4 };
  AmphistoSettings settings = { .channels = LUMA,
    .clahe = { 3, 3, 0 },
    .smoothing = 0.5f,
    .measures_regions = true,
    .compares = true };

  for (gsize f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autoptr (TestFrame) frame = test_frame_new (
        formats[f], 48, 48, GST_VIDEO_COLOR_RANGE_0_255, &placement);

    for (guint e = 0; e <= AMPHISTO_EQUALIZATION_STRETCH; e++) {
      g_autoptr (GError) error = NULL;
      AmphistoPlan plan;

      settings.equalization = e;
      amphisto_plan_init (&plan, &frame->layout, &settings,
          amphisto_cl_executor_division (self));
      amphisto_cl_executor_prepare (self, &plan, &error);
      g_assert_no_error (error);
    }
  }
}

static void
test_sweep (gconstpointer data)
{
  AmphistoClExecutor *self = frame_new (data);

  if (self == NULL)
    return;
  if (test_size () == TEST_SMALL)
    prepare_all (self);
  check_all (self);
  amphisto_cl_executor_free (self);
}

/* --- single rows --- */

/* Frames of one row, with a stride that is shorter than the row: upload and
 * download take the whole row. To another frame with a longer stride, and in
 * place. */
static void
test_single_row (gconstpointer data)
{
  AmphistoClExecutor *self = frame_new (data);
  AmphistoReferenceState state = { 0 };

  for (gsize i = 0; self != NULL && i < 4 * N_FRAME_FORMATS; i++) {
    Case c = { .format = frame_formats[i / 4],
      .width = i & 1 ? 5 : 33,
      .height = 1,
      .range = GST_VIDEO_COLOR_RANGE_0_255,
      .pattern = FRAME_RANDOM,
      .seed = 1 + i,
      .source = { .alignment = 16 },
      .target = { .alignment = 16 },
      .in_place = i >> 1 & 1,
      .settings = { ALL_CHANNELS, AMPHISTO_EQUALIZATION_GLOBAL, 1.0f },
      .short_stride = 1 + i % 4 };

    case_check (self, &c, &state);
  }
  amphisto_reference_state_clear (&state);
  g_clear_pointer (&self, amphisto_cl_executor_free);
}

/* --- regions in several launches --- */

/* Regions of interest in a random frame, measured in place. */
static Case
regions_case (GstVideoFormat format, guint width, guint height, guint32 seed,
    AmphistoChannelMask channels)
{
  return (Case){ .format = format,
    .width = width,
    .height = height,
    .range = GST_VIDEO_COLOR_RANGE_0_255,
    .pattern = FRAME_RANDOM,
    .seed = seed,
    .source = { .alignment = 16 },
    .target = { .alignment = 16 },
    .in_place = TRUE,
    .settings = { .channels = channels } };
}

/* The device has just enough constant memory for the largest parameters, ten
 * regions at once: up to 41 regions are counted in up to five launches. With
 * different channels, their histograms have different places. */
static void
test_regions (gconstpointer data)
{
  static const AmphistoChannelMask channels[] = { ALL_CHANNELS, LUMA, RGB,
    ALL_CHANNELS & ~LUMA };
  AmphistoClExecutor *self = case_frame_new (data, 1, sizeof (waveform_params));
  AmphistoReferenceState state = { 0 };
  guint32 random = 1;

  for (guint i = 0; self != NULL && i < 4 * N_FRAME_FORMATS; i++) {
    Case c =
        regions_case (frame_formats[i / 4], 33, 17, 1 + i, channels[i % 4]);

    random_regions_of_interest (&c, 1 + i % 9 * 5, &random);
    case_check (self, &c, &state);
  }
  amphisto_reference_state_clear (&state);
  g_clear_pointer (&self, amphisto_cl_executor_free);
}

/* One launch has more histograms than the GPU shape has groups, so that groups
 * count several: 630, where an NVIDIA H200 has 528 groups; in the small size
 * 28, with 8 groups. */
static void
test_many_regions (gconstpointer data)
{
  const gboolean is_small = test_size () == TEST_SMALL;
  AmphistoClExecutor *self = case_frame_new (data, 1, G_MAXSIZE);
  AmphistoReferenceState state = { 0 };
  guint32 random = 1;

  for (guint i = 0; self != NULL && i < (is_small ? 1 : 4); i++) {
    Case c = regions_case (GST_VIDEO_FORMAT_AYUV, is_small ? 4 : 100,
        is_small ? 4 : 70, 1 + i, ALL_CHANNELS);

    random_regions_of_interest (&c, is_small ? 4 : MAX_REGIONS, &random);
    case_check (self, &c, &state);
  }
  amphisto_reference_state_clear (&state);
  g_clear_pointer (&self, amphisto_cl_executor_free);
}

/* --- large frames --- */

static AmphistoClExecutor *
large_frame_new (const Path *path)
{
  if (test_takes_large_frames (path->shape))
    return frame_new (path);
  g_test_skip ("Large frames are not for the CPU shape on this device.");
  return NULL;
}

/* Large enough for CPUs to count all channels in pairs, even if 16 cores share
 * the frame. GPUs do not count in pairs: fewer formats. */
static void
test_wide (gconstpointer data)
{
  const Path *path = data;
  const gsize step = path->shape == AMPHISTO_CL_SHAPE_CPU ? 1 : 5;
  AmphistoClExecutor *self = large_frame_new (data);
  AmphistoReferenceState state = { 0 };

  if (self == NULL)
    return;
  for (gsize f = 0; f < N_FRAME_FORMATS; f += step) {
    Case c = { .format = frame_formats[f],
      .width = 3843,
      .height = 2201,
      .range = GST_VIDEO_COLOR_RANGE_16_235,
      .pattern = f % N_FRAME_PATTERNS,
      .seed = 1 + f,
      .source = { 16, { 0 }, f % 3 },
      .target = { 16, { 0 }, f % 5 },
      .in_place = f % 2,
      .settings = { ALL_CHANNELS,
          f % 5 == 2 ? AMPHISTO_EQUALIZATION_CLAHE
                     : AMPHISTO_EQUALIZATION_GLOBAL,
          1.0f, { 1 + f, 8, 40 } },
      .regions = { { 7, 9, 3211, 2000 } } };

    c.n_regions = f % 4 == 0;
    /* the reference is slow for the colours of YUV: only some formats */
    if (f % 5 != 1
        && GST_VIDEO_FORMAT_INFO_IS_YUV (
            gst_video_format_get_info (frame_formats[f])))
      c.settings.channels &= ~RGB;
    case_check (self, &c, &state);
  }
  amphisto_reference_state_clear (&state);
  amphisto_cl_executor_free (self);
}

static void
run_job (AmphistoClExecutor *self, const AmphistoJob *job,
    AmphistoHistograms *histograms)
{
  g_autoptr (GError) error = NULL;

  amphisto_cl_executor_submit (self, 0, job, &error);
  g_assert_no_error (error);
  amphisto_cl_executor_finish (self, 0, histograms, NULL, &error);
  g_assert_no_error (error);
}

/* One bin with 2^28 samples, more than 2^20 of them in each sub-histogram; and
 * differences that 32 bits cannot count. */
static void
test_flat_16384 (gconstpointer data)
{
  AmphistoClExecutor *self = large_frame_new (data);
  const AmphistoSettings settings = { .channels = LUMA, .compares = true };
  const FramePlacement placement = { .alignment = 4096 };
  AmphistoHistograms histograms;
  AmphistoPlan plan;

  if (self == NULL)
    return;

  g_autoptr (TestFrame) source = test_frame_new (GST_VIDEO_FORMAT_GRAY8, 16384,
      16384, GST_VIDEO_COLOR_RANGE_0_255, &placement);

  memset (source->frame.plane[0].data, 255, 16384 * 16384);
  amphisto_plan_init (
      &plan, &source->layout, &settings, amphisto_cl_executor_division (self));

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
  amphisto_cl_executor_free (self);
}

/* Rows with more chunks than the CPU kernel stores places for. */
static void
test_clahe_5003 (gconstpointer data)
{
  AmphistoClExecutor *self = large_frame_new (data);
  AmphistoReferenceState state = { 0 };
  Case c = { .format = GST_VIDEO_FORMAT_GRAY8,
    .width = 5003,
    .height = 40,
    .range = GST_VIDEO_COLOR_RANGE_0_255,
    .pattern = FRAME_RANDOM,
    .seed = 5,
    .source = { .alignment = 16 },
    .target = { .alignment = 16 },
    .settings = {
        LUMA, AMPHISTO_EQUALIZATION_CLAHE, 1.0f, .clahe = { 8, 8, 3.0 } } };

  if (self == NULL)
    return;
  case_check (self, &c, &state);
  amphisto_reference_state_clear (&state);
  amphisto_cl_executor_free (self);
}

/* More than 2^24 samples, the limit up to which a float counts exactly. */
static void
test_equalize_4099 (gconstpointer data)
{
  AmphistoClExecutor *self = large_frame_new (data);
  static const FramePattern patterns[] = { FRAME_TWO_VALUED, FRAME_RANDOM };
  AmphistoReferenceState state = { 0 };

  if (self == NULL)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++) {
    Case c = { .format = GST_VIDEO_FORMAT_GRAY8,
      .width = 4099,
      .height = 4099,
      .range = GST_VIDEO_COLOR_RANGE_0_255,
      .pattern = patterns[i],
      .seed = 99,
      .source = { .alignment = 16 },
      .target = { .alignment = 16 },
      .in_place = i,
      .settings = { LUMA, AMPHISTO_EQUALIZATION_GLOBAL, 1.0f } };

    case_check (self, &c, &state);
  }
  amphisto_reference_state_clear (&state);
  amphisto_cl_executor_free (self);
}

/* --- counting alone --- */

/* A few frames of whole words, for simulators, which are slow with the many
 * work-items of the GPU shape. */
static void
test_counting (gconstpointer data)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_GRAY8,
    GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_AYUV,
    GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_GBR };
  AmphistoClExecutor *self = frame_new (data);
  AmphistoReferenceState state = { 0 };

  if (self == NULL)
    return;
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (formats); i++) {
    const Case c = { .format = formats[i / 2],
      .width = 40,
      .height = 8,
      .range = GST_VIDEO_COLOR_RANGE_16_235,
      .pattern = FRAME_RANDOM,
      .seed = i,
      .source = { .alignment = 4 },
      .target = { .alignment = 4 },
      .in_place = TRUE,
      .settings = { .channels = ALL_CHANNELS, .compares = true },
      .resets_comparison = i == 0 };

    case_check (self, &c, &state);
  }
  amphisto_reference_state_clear (&state);
  amphisto_cl_executor_free (self);
}

/* --- comparison with the previous frame --- */

/* A frame is compared with the one before, also if that was equalized in place.
 * A repeated picture has no difference. All have the same size and region: the
 * format may change between them. */
static void
check_comparison (
    AmphistoClExecutor *self, guint width, guint height, AmphistoRegion region)
{
  AmphistoReferenceState state = { 0 };
  guint32 random = width * 31 + height;
  Case last = { 0 };

  for (guint i = 0; i < 3 * N_FRAME_FORMATS; i++) {
    Case c = { .format = frame_formats[i / 3],
      .width = width,
      .height = height,
      .range = GST_VIDEO_COLOR_RANGE_16_235,
      .is_interlaced = i & 1,
      .has_all_rows = i & 2,
      .pattern = test_random (&random) % N_FRAME_PATTERNS,
      .seed = test_random (&random) | 1,
      .source = test_random_placement (&random),
      .target = test_random_placement (&random),
      .in_place = test_random (&random) & 1,
      .settings = { .channels = LUMA,
          .equalization = test_random (&random) % 3,
          .strength = 1.0f,
          .clahe = { 2, 2, 3 },
          .region = region,
          .compares = true },
      .resets_comparison = i == 0 };

    if (i % 3 == 2) {
      c.pattern = last.pattern;
      c.seed = last.seed;
    }
    case_check (self, &c, &state);
    if (i % 3 == 2)
      g_assert_cmpfloat (state.comparison.difference, ==, 0);
    last = c;
  }
  amphisto_reference_state_clear (&state);
}

static void
test_comparison (gconstpointer data)
{
  static const struct
  {
    guint width, height;
    AmphistoRegion region;
  } sizes[] = { { 33, 17, { 0 } }, { 128, 9, { 0 } }, { 1, 1, { 0 } },
    { 70, 33, { 3, 5, 31, 20 } }, { 15, 130, { 0 } },
    { 640, 48, { 1, 1, 16, 40 } } };
  const guint n_sizes = test_size () < TEST_FULL ? 4 : G_N_ELEMENTS (sizes);
  AmphistoClExecutor *self = frame_new (data);

  for (guint i = 0; self != NULL && i < n_sizes; i++)
    check_comparison (self, sizes[i].width, sizes[i].height, sizes[i].region);
  g_clear_pointer (&self, amphisto_cl_executor_free);
}

/* --- tile histograms alone --- */

/* CLAHE whose tiles fit the frame sums luma from them, and counts nothing else.
 * Each of its frames, and every frame after it, still finds empty bins. */
static void
test_tiles_alone (gconstpointer data)
{
  static const AmphistoEqualization equalizations[] = {
    AMPHISTO_EQUALIZATION_CLAHE, AMPHISTO_EQUALIZATION_CLAHE,
    AMPHISTO_EQUALIZATION_CLAHE, AMPHISTO_EQUALIZATION_NONE,
    AMPHISTO_EQUALIZATION_CLAHE, AMPHISTO_EQUALIZATION_GLOBAL,
    AMPHISTO_EQUALIZATION_NONE
  };
  AmphistoClExecutor *self = frame_new (data);
  AmphistoReferenceState state = { 0 };

  for (guint i = 0; self != NULL && i < G_N_ELEMENTS (equalizations); i++) {
    const Case c = { .format = GST_VIDEO_FORMAT_I420,
      .width = 64,
      .height = 48,
      .range = GST_VIDEO_COLOR_RANGE_16_235,
      .pattern = FRAME_RANDOM,
      .seed = i + 1,
      .source = { .alignment = 64 },
      .target = { .alignment = 64 },
      .in_place = TRUE,
      .settings = { .channels = LUMA,
          .equalization = equalizations[i],
          .strength = 1.0f,
          .clahe = { 8, 8, 3 },
          .compares = true },
      .resets_comparison = i == 0 };

    case_check (self, &c, &state);
  }
  amphisto_reference_state_clear (&state);
  g_clear_pointer (&self, amphisto_cl_executor_free);
}

/* --- several frames in flight --- */

#define N_IN_FLIGHT 3

/* Random work on the frames of a stream. One plan is prepared for all of them,
 * whether they have regions of interest or not. */
static Case
stream_case (GstVideoFormat format, guint32 *random)
{
  const AmphistoReferenceState none = { 0 };
  Case c = { .format = format,
    .width = 33 + test_random (random) % 32,
    .height = 17 + test_random (random) % 16,
    .range = GST_VIDEO_COLOR_RANGE_16_235,
    .source = { .alignment = 4 },
    .target = { .alignment = 4 },
    .in_place = TRUE,
    .settings = { .channels = test_random (random) & ALL_CHANNELS,
        .equalization = test_random (random) % 3,
        .strength = 1.0f,
        .smoothing = 0.5f,
        .clahe = { 2, 3, 3.0 },
        .measures_regions = true,
        .compares = test_random (random) & 1 } };

  random_overlay (&c, &none, random);
  return c;
}

/* Frame number `i` of a stream: a different picture, at a different place in
 * memory. */
static Case
nth_of_stream (const Case *stream, guint i, guint32 *random)
{
  const guint32 r = test_random (random);
  Case c = *stream;

  c.is_prepared = i > 0;
  c.resets_mean = c.resets_scale = c.resets_comparison = i == 0;
  c.pattern = i % N_FRAME_PATTERNS;
  c.seed = r;
  c.phase = i;
  c.source.padding = r & 7;
  c.source.misalignment[0] = r >> 3 & 3;
  c.in_place &= r >> 5 & 1;
  random_regions_of_interest (&c, r >> 6 & 3, random);
  return c;
}

static void
check_stream (AmphistoClExecutor *self, const Case *stream, guint n_frames,
    guint32 *random)
{
  g_autofree CaseJob *jobs = g_new0 (CaseJob, N_IN_FLIGHT);
  AmphistoReferenceState state = { 0 };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n_frames + N_IN_FLIGHT; i++) {
    CaseJob *job = &jobs[i % N_IN_FLIGHT];

    if (i >= N_IN_FLIGHT)
      case_end (self, job, &state, &error);
    g_assert_no_error (error);
    case_job_clear (job);
    if (i < n_frames) {
      const Case c = nth_of_stream (stream, i, random);

      job->slot = i % N_IN_FLIGHT;
      case_begin (self, &c, job, &error);
    }
    g_assert_no_error (error);
  }
  amphisto_reference_state_clear (&state);
}

static void
test_flight (gconstpointer data)
{
  AmphistoClExecutor *self = case_frame_new (data, N_IN_FLIGHT, G_MAXSIZE);
  const guint n_streams = test_size () < TEST_FULL ? 1 : 3;
  guint32 random = 12;

  if (self == NULL)
    return;
  for (gsize f = 0; f < N_FRAME_FORMATS; f++)
    for (guint i = 0; i < n_streams; i++) {
      const Case stream = stream_case (frame_formats[f], &random);

      check_stream (self, &stream, 10, &random);
    }
  amphisto_cl_executor_free (self);
}

/* --- threads --- */

/* Each thread creates, uses and frees its own AmphistoClExecutor on the one
 * device, while the others do the same. */
static gpointer
work_beside_others (gpointer data)
{
  AmphistoClDevice *device = data;
  static gint n_threads = 0;
  const gint thread = g_atomic_int_add (&n_threads, 1);

  for (guint round = 0; round < 3; round++) {
    g_autoptr (GError) error = NULL;
    AmphistoClExecutor *self =
        amphisto_cl_executor_new (device, 1, NULL, NULL, &error);
    AmphistoReferenceState state = { 0 };

    g_assert_no_error (error);
    for (gsize f = 0; f < N_FRAME_FORMATS;
         f += test_size () < TEST_FULL ? 12 : 4)
      check_size (self, frame_formats[(f + thread) % N_FRAME_FORMATS],
          33 + thread, 17 + round,
          test_size () < TEST_FULL ? 1 : N_FRAME_PATTERNS, &state);
    amphisto_reference_state_clear (&state);
    amphisto_cl_executor_free (self);
  }
  return NULL;
}

static void
test_threads (gconstpointer data)
{
  const Path *path = data;
  AmphistoClDevice *device =
      test_device_get (path->shape, path->shares_host_memory);
  GThread *threads[4];

  if (device == NULL)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("frames", work_beside_others, device);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (device->ref_count, ==, 1);
  amphisto_cl_device_unref (device);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  case_add_tests ("sweep/", test_sweep);
  case_add_tests ("counting/", test_counting);
  case_add_tests ("comparison/", test_comparison);
  case_add_tests ("tiles-alone/", test_tiles_alone);
  case_add_tests ("flight/", test_flight);
  case_add_tests ("threads/", test_threads);
  case_add_tests ("regions/", test_regions);
  case_add_tests ("regions/many-", test_many_regions);
  case_add_tests ("single-row/", test_single_row);
  if (test_size () > TEST_SMALL) {
    case_add_large_tests ("large/wide-", test_wide);
    case_add_large_tests ("large/flat-16384-", test_flat_16384);
    case_add_large_tests ("large/clahe-5003-", test_clahe_5003);
    case_add_large_tests ("large/equalize-4099-", test_equalize_4099);
  }
  return g_test_run ();
}
