/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Zebra and false colour: thresholds, bands, and the drawing of the C
 * reference.
 */

#include "core/change/exposure.h"
#include "layouts.h"
#include "placed.h"
#include "plans.h"
#include "suite.h"

#include <math.h>
#include <string.h>

static exposure_params
params_for (const AmphistoLayout *layout, AmphistoExposure exposure, double low,
    double high)
{
  const AmphistoExposureSettings settings = {
    .enabled = exposure, .zebra_low = low, .zebra_high = high
  };
  const drawing_params drawing = drawing_for (layout);
  exposure_params params;

  amphisto_exposure_fill_params (&settings, layout, &drawing, &params);
  return params;
}

static void
draw (const exposure_params *params, const AmphistoFrame *source,
    const AmphistoFrame *target)
{
  const drawing_params drawing = drawing_for (source->layout);

  amphisto_exposure_draw (&drawing, params, source, target);
}

/* --- thresholds --- */

static exposure_params
zebra_of (bool is_limited, double low, double high)
{
  AmphistoLayout layout = grey_layout (4, 4);

  set_range (&layout, is_limited);
  return params_for (&layout, ZEBRA, low, high);
}

/* Values at a threshold have stripes, like those below the lower one and above
 * the upper one. */
static void
test_thresholds (void)
{
  for (int i = 0; i < 2 * 101; i++) {
    const bool is_limited = i % 2;
    const int percent = i / 2;
    const exposure_params params = zebra_of (is_limited, percent, percent);

    g_assert_true (params.has_zebra);
    g_assert_false (params.has_bands);
    for (int v = 1; v < 255; v++) {
      const int percents = 100 * (v - (is_limited ? 16 : 0));
      const int threshold = percent * (is_limited ? 219 : 255);

      g_assert_true ((v <= (int) params.dark) == (percents <= threshold));
      g_assert_true ((v >= (int) params.bright) == (percents >= threshold));
    }
  }
}

/* 0 and 255 always have stripes. */
static void
test_extremes (void)
{
  for (int is_limited = 0; is_limited < 2; is_limited++) {
    const exposure_params least = zebra_of (is_limited, -10, 110);
    const exposure_params most = zebra_of (is_limited, 110, -10);

    g_assert_cmpuint (least.dark, ==, 0);
    g_assert_cmpuint (least.bright, ==, 255);
    g_assert_cmpuint (most.dark, ==, 255);
    g_assert_cmpuint (most.bright, ==, 0);
  }
}

/* Stripes are wider in large frames. */
static void
test_stripe_width (void)
{
  static const uint32_t widths[][2] = { { 1, 4 }, { 480, 4 }, { 799, 4 },
    { 1080, 8 }, { 2160, 16 }, { 4320, 32 }, { 65535, 128 } };

  for (gsize i = 0; IS_ROW (widths, i); i++) {
    const AmphistoLayout layout = grey_layout (16, widths[i][0]);

    g_assert_cmpuint (
        params_for (&layout, ZEBRA, 0, 100).stripe_width, ==, widths[i][1]);
  }
}

/* --- zebra --- */

/* Dark pixels become black stripes on grey, bright pixels white stripes on
 * grey; they lean in different directions. Only luma changes. */
static void
test_zebra (void)
{
  const AmphistoLayout layout = yuv_layout (16, 4, 1, 1);
  static const uint8_t luma[] = { 0, 16, 17, 100, 234, 235, 255 };
  exposure_params params = params_for (&layout, ZEBRA, 0, 100);

  params.stripe_phase = 3;
  for (gsize i = 0; IS_ROW (luma, i); i++) {
    g_autofree Picture *source = picture_new (&layout, luma[i]);
    g_autofree Picture *target = picture_new (&layout, luma[i]);

    draw (&params, &source->frame, &target->frame);
    for (int y = 0; y < 4; y++)
      for (int x = 0; x < 16; x++)
        g_assert_cmpuint (target->bytes[16 * y + x], ==,
            luma[i] <= 16        ? ((x + y + 3) & 4 ? 16 : 70)
                : luma[i] >= 235 ? ((x - y + 3) & 4 ? 235 : 181)
                                 : luma[i]);
    g_assert_cmpmem (target->bytes + 64, 32, source->bytes + 64, 32);
  }
}

/* RGB of limited range: values from 16 down and from 235 up have stripes, of 16
 * and 235. */
static void
test_zebra_limited_rgb (void)
{
  static const uint8_t luma[] = { 0, 16, 17, 100, 234, 235, 255 };
  AmphistoLayout layout = rgb_layout (8, 1);
  exposure_params params;

  set_range (&layout, true);
  params = params_for (&layout, ZEBRA, 0, 100);
  for (gsize i = 0; IS_ROW (luma, i); i++) {
    g_autofree Picture *picture = picture_new (&layout, luma[i]);

    draw (&params, &picture->frame, &picture->frame);
    for (uint32_t x = 0; x < 8; x++)
      for (uint32_t c = 0; c < 3; c++)
        g_assert_cmpuint (picture->bytes[3 * x + c], ==,
            luma[i] <= 16        ? (x & 4 ? 16 : 70)
                : luma[i] >= 235 ? (x & 4 ? 235 : 181)
                                 : luma[i]);
  }
}

/* The source's luma is tested, not the target's: red is neither dark nor
 * bright. Stripes replace R, G and B; between them, each is kept within bounds.
 */
static void
test_zebra_rgb (void)
{
  static const uint8_t expected[2][12] = { { 1, 100, 192, 63, 100, 255, 1, 100,
                                               255, 1, 100, 192 },
    { 255, 255, 255, 0, 0, 0, 1, 100, 255, 255, 255, 255 } };
  const AmphistoLayout layout = rgb_layout (4, 1);
  uint8_t before[12] = { 255, 255, 255, 0, 0, 0, 255, 0, 0, 254, 255, 255 };
  const AmphistoFrame source = frame_in (&layout, before, 0);
  exposure_params params = params_for (&layout, ZEBRA, 0, 100);

  for (uint32_t i = 0; i < 2; i++) {
    uint8_t after[12] = { 1, 100, 255, 1, 100, 255, 1, 100, 255, 1, 100, 255 };
    const AmphistoFrame target = frame_in (&layout, after, 0);

    params.stripe_phase = i * params.stripe_width;
    draw (&params, &source, &target);
    g_assert_cmpmem (after, sizeof after, expected[i], sizeof expected[i]);
  }
}

/* --- false colour --- */

#define PURPLE 0x78005au
#define BLUE 0xff6e00u
#define GREEN 0x8ce43cu
#define PINK 0xe482ffu
#define YELLOW 0x00e1ffu
#define RED 0x0000ebu

#define N_SCALES AMPHISTO_N_FALSE_COLOR_SCALES

/* The bands, in per cent of the range: a band holds its lower end. */
static const struct
{
  double first, end;
  uint32_t light;
} bands[N_SCALES][6] = {
  [AMPHISTO_FALSE_COLOR_VIDEO] = { { -99, 2.5, PURPLE }, { 2.5, 4, BLUE },
      { 41, 48, GREEN }, { 61, 70, PINK }, { 97, 99, YELLOW },
      { 99, 999, RED } },
  [AMPHISTO_FALSE_COLOR_LOG] = { { -99, 2.5, PURPLE }, { 2.5, 4, BLUE },
      { 38, 42, GREEN }, { 52, 56, PINK }, { 97, 99, YELLOW },
      { 99, 999, RED } },
  [AMPHISTO_FALSE_COLOR_LIMITS] = { { -99, 2.5, PURPLE }, { 99, 999, RED } },
};

/* The light of v's band; 0: grey. */
static uint32_t
light_of (AmphistoFalseColorScale scale, int lo, int hi, uint32_t v)
{
  const double percent = 100.0 * ((int) v - lo) / (hi - lo);

  for (guint b = 0; b < 6; b++)
    if (percent >= bands[scale][b].first && percent < bands[scale][b].end)
      return bands[scale][b].light;
  return 0;
}

static void
test_bands (void)
{
  static const int ranges[][2] = { { 0, 255 }, { 16, 235 } };

  for (guint i = 0; i < 2 * N_SCALES; i++) {
    const int lo = ranges[i % 2][0], hi = ranges[i % 2][1];

    for (int v = 0; v < 256; v++) {
      const uint32_t light = light_of (i / 2, lo, hi, v);
      const double grey = 255.0 * (CLAMP (v, lo, hi) - lo) / (hi - lo);

      g_assert_cmphex (amphisto_exposure_light (i / 2, lo, hi, v), ==,
          light != 0 ? light : (uint32_t) (grey + 0.5) * 0x10101);
    }
  }
}

static exposure_params
false_color_params (const AmphistoLayout *layout, AmphistoFalseColorScale scale)
{
  const AmphistoExposureSettings settings = { .enabled = FALSE_COLOR,
    .scale = scale };
  const drawing_params drawing = drawing_for (layout);
  exposure_params params;

  amphisto_exposure_fill_params (&settings, layout, &drawing, &params);
  return params;
}

/* A pixel of luma v gets its band's colour, converted by the matrix; greys keep
 * their brightness. */
static void
check_false_color (AmphistoFalseColorScale scale, uint32_t matrix)
{
  AmphistoLayout yuv = yuv_layout (1, 1, 0, 0);
  const AmphistoLayout rgb = rgb_layout (1, 1);

  set_matrix (&yuv, matrix, true);

  const exposure_params yuv_params = false_color_params (&yuv, scale);
  const exposure_params rgb_params = false_color_params (&rgb, scale);

  g_assert_false (yuv_params.has_zebra);
  for (uint32_t v = 0; v < 256; v++) {
    uint8_t p[3] = { v, 1, 2 }, q[3] = { v, v, v };
    const AmphistoFrame f = frame_in (&yuv, p, 0), g = frame_in (&rgb, q, 0);
    const uint32_t light = amphisto_exposure_light (scale, 16, 235, v);
    const uint32_t colour[3] = { light & 255, light >> 8 & 255, light >> 16 };
    double real[3];

    draw (&yuv_params, &f, &f);
    yuv_of (matrix, true, (double[3]){ colour[0], colour[1], colour[2] }, real);
    for (guint c = 0; c < 3; c++)
      g_assert_cmpfloat (ABS (p[c] - real[c]), <, 1.5);
    if (colour[0] == colour[1] && colour[0] == colour[2])
      g_assert_cmpmem (p, 3, ((uint8_t[]){ v, 128, 128 }), 3);
    draw (&rgb_params, &g, &g);
    g_assert_cmphex (q[0] | q[1] << 8 | (uint32_t) q[2] << 16, ==,
        amphisto_exposure_light (scale, 0, 255, v));
  }
}

static void
test_false_color (void)
{
  for (uint32_t i = 0; i < N_MATRICES * N_SCALES; i++)
    check_false_color (i / N_MATRICES, i % N_MATRICES);
}

/* RGB of limited range has the bands of its range, in colours of its range, and
 * keeps its greys. */
static void
test_false_color_limited_rgb (void)
{
  AmphistoLayout layout = rgb_layout (1, 1);
  exposure_params params;

  set_range (&layout, true);
  params = false_color_params (&layout, AMPHISTO_FALSE_COLOR_LOG);
  for (uint32_t v = 0; v < 256; v++) {
    const uint32_t light = light_of (AMPHISTO_FALSE_COLOR_LOG, 16, 235, v);
    uint8_t pixel[3] = { v, v, v };
    const AmphistoFrame frame = frame_in (&layout, pixel, 0);

    draw (&params, &frame, &frame);
    for (uint32_t c = 0; c < 3; c++)
      g_assert_cmpint (pixel[c], ==,
          light == 0
              ? (int) v
              : (int) floor (16.5 + 219 * (light >> 8 * c & 255) / 255.0));
  }
}

/* A chroma sample is the rounded mean of its pixels; at odd edges, the last
 * column and the last row count twice. */
static void
test_chroma_means (void)
{
  const AmphistoLayout layout = yuv_layout (3, 3, 1, 1);
  const exposure_params params = params_for (&layout, FALSE_COLOR, 0, 100);
  /* grey, green, red; green, green, pink; yellow, blue, purple */
  uint8_t pixels[17] = { 60, 106, 240, 110, 121, 160, 230, 23, 0 };
  const AmphistoFrame frame = frame_in (&layout, pixels, 0);
  const band_params *band = params.band;

  draw (&params, &frame, &frame);
  for (uint32_t c = 1; c < 3; c++) {
    const uint32_t purple = band[0].samples[c], blue = band[1].samples[c];
    const uint32_t green = band[2].samples[c], pink = band[3].samples[c];
    const uint32_t yellow = band[4].samples[c], red = band[5].samples[c];
    const uint8_t expected[4] = { (128 + 3 * green + 2) / 4,
      (2 * red + 2 * pink + 2) / 4, (2 * yellow + 2 * blue + 2) / 4, purple };

    g_assert_cmpmem (frame.plane[c].data, 4, expected, 4);
  }
}

/* Stripes are on top of the colours. */
static void
test_both (void)
{
  const AmphistoLayout layout = yuv_layout (8, 1, 0, 0);
  const exposure_params params =
      params_for (&layout, ZEBRA | FALSE_COLOR, 0, 100);
  g_autofree Picture *picture = picture_new (&layout, 0);
  const uint8_t *pixels = picture->bytes;
  const band_params *purple = &params.band[0];

  draw (&params, &picture->frame, &picture->frame);
  for (uint32_t x = 0; x < 8; x++) {
    g_assert_cmpuint (pixels[x], ==, x & 4 ? 16 : MAX (purple->samples[0], 70));
    g_assert_cmpuint (pixels[8 + x], ==, purple->samples[1]);
    g_assert_cmpuint (pixels[16 + x], ==, purple->samples[2]);
  }
}

/* Pixels out of gamut get upright stripes that move, black or white, whichever
 * differs more; others stay. In place and to another frame. */
static void
test_gamut (void)
{
  static const uint8_t luma[2] = { 60, 180 };
  AmphistoLayout layout = yuv_layout (16, 2, 0, 0);
  exposure_params params;

  set_matrix (&layout, 0, true);
  params = params_for (&layout, GAMUT, 0, 100);
  g_assert_cmpuint (params.has_gamut, ==, 1);
  g_assert_cmpuint (params.stripe_width, ==, 4);
  params.stripe_phase = 1;
  for (unsigned i = 0; i < 2; i++) {
    g_autofree Picture *source = picture_new (&layout, 128);
    g_autofree Picture *target = picture_new (&layout, 0);
    Picture *drawn = i == 0 ? target : source;

    for (unsigned y = 0; y < 2; y++) {
      memset (amphisto_frame_row (&source->frame, 0, y), luma[y], 16);
      memset (amphisto_frame_row (&source->frame, 2, y), y ? 250 : 10, 13);
    }
    memcpy (target->bytes, source->bytes, source->size);
    amphisto_exposure_draw_gamut (&params, &source->frame, &drawn->frame);
    for (unsigned y = 0; y < 2; y++)
      for (unsigned x = 0; x < 16; x++) {
        const bool is_striped = x < 13 && (x + 1) / 4 % 2 == 1;

        g_assert_cmpuint (drawn->bytes[16 * y + x], ==,
            !is_striped  ? luma[y]
                : y == 0 ? 235
                         : 16);
      }
  }
}

/* Grey and RGB of limited range: one sample out of its bounds is enough for a
 * stripe in all of them. Bytes that are no samples stay. */
static void
test_gamut_rgb (void)
{
  static const uint8_t samples[][2] = { { 5, 4 }, { 246, 247 } };
  AmphistoLayout layouts[] = { grey_layout (16, 1),
    packed_layout ("aRGB", 16, 1) };

  for (guint i = 0; i < 4; i++) {
    AmphistoLayout *layout = &layouts[i / 2];
    const uint8_t *sample = samples[i % 2];
    const uint32_t size = layout->plane[0].row_bytes / 16;
    g_autofree Picture *picture = picture_new (layout, sample[0]);
    exposure_params params;

    set_range (layout, true);
    picture->layout = *layout;
    params = params_for (layout, GAMUT, 0, 100);
    for (uint32_t x = 0; x < 16; x += 2)
      picture->bytes[x * size + size - 1] = sample[1];
    amphisto_exposure_draw_gamut (&params, &picture->frame, &picture->frame);
    for (uint32_t x = 0; x < 16; x++)
      for (uint32_t c = 0; c < size; c++) {
        const bool is_sample = layout == layouts || c > 0;
        const bool is_striped = is_sample && x % 2 == 0 && x / 4 % 2 == 1;

        g_assert_cmpuint (picture->bytes[x * size + c], ==,
            is_striped ? (i % 2 == 0 ? 235 : 16)
                       : sample[x % 2 == 0 && c == size - 1]);
      }
  }
}

/* Grey formats have no colours to show, and neither they nor RGB are ever out
 * of gamut, unless they have limited range; their zebra stays. */
static void
test_formats (void)
{
  AmphistoLayout layouts[] = { grey_layout (8, 8), rgb_layout (8, 8),
    yuv_layout (8, 8, 1, 1) };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (layouts); i++) {
    set_range (&layouts[i / 2], i % 2 == 1);

    const exposure_params params =
        params_for (&layouts[i / 2], ZEBRA | FALSE_COLOR | GAMUT, 0, 100);

    g_assert_true (params.has_zebra);
    g_assert_true (params.has_bands == (i / 2 > 0));
    g_assert_true (params.has_gamut == (i / 2 > 1 || i % 2 == 1));
  }
}

const CoreTest core_tests[] = {
  { "/thresholds/values", test_thresholds },
  { "/thresholds/extremes", test_extremes },
  { "/thresholds/stripe-width", test_stripe_width },
  { "/zebra/yuv", test_zebra },
  { "/zebra/rgb", test_zebra_rgb },
  { "/zebra/limited-rgb", test_zebra_limited_rgb },
  { "/false-color/bands", test_bands },
  { "/false-color/colours", test_false_color },
  { "/false-color/limited-rgb", test_false_color_limited_rgb },
  { "/false-color/chroma", test_chroma_means },
  { "/false-color/zebra", test_both },
  { "/gamut/stripes", test_gamut },
  { "/gamut/rgb", test_gamut_rgb },
  { "/formats", test_formats },
  { 0 },
};
