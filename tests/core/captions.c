/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The captions of the histogram scope: their places, and their conditions.
 */

#include "core/captions.h"
#include "core/clipping.h"

#include <glib.h>
#include <string.h>

static const AmphistoOverlay text = { .graticule = true };
static const AmphistoOverlay key = { .exposure =
                                         AMPHISTO_EXPOSURE_FALSE_COLOR };
static const AmphistoOverlay both = { .graticule = true,
  .exposure = AMPHISTO_EXPOSURE_FALSE_COLOR };

static const AmphistoLayout yuv = {
  .channels = (1u << AMPHISTO_N_CHANNELS) - 1, .lo = 16, .hi = 235
};
static const AmphistoLayout grey = {
  .channels = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA), .lo = 0, .hi = 255
};

/* Panels of this size, whose lines have a light of their own. */
static overlay_params
params_for (const AmphistoOverlay *overlay, uint32_t width, uint32_t height,
    uint32_t panels_x, uint32_t panels_y, uint32_t panel_curves)
{
  overlay_params params = { .panel_width = width,
    .panel_height = height,
    .panels_x = panels_x,
    .panels_y = panels_y,
    .panel_curves = panel_curves,
    .n_curves = panels_x * panels_y * panel_curves,
    .plot_left = 7,
    .plot_width = width - 14 };

  for (uint32_t i = 0; i < params.n_curves; i++)
    params.curve[i].line[i % 3] = 4 * i;
  params.caption_top =
      height - amphisto_captions_height (&params, overlay, &yuv);
  return params;
}

static int
n_rows (const overlay_params *params)
{
  return params->panel_height - params->caption_top;
}

/* The first and the last lit column and row. */
typedef struct
{
  int left, right, top, bottom;
} Bounds;

/* The bounds of columns `left` to `right` (exclusive) of panel p's caption. */
static Bounds
lit_bounds (const AmphistoGraticule *captions, const overlay_params *params,
    int p, int left, int right)
{
  const int rows = n_rows (params);
  Bounds bounds = { right, left - 1, rows, -1 };

  for (int y = 0; y < rows; y++)
    for (int x = left; x < right; x++)
      if (captions->light[(p * rows + y) * params->panel_width + x] != 0) {
        bounds.left = MIN (bounds.left, x);
        bounds.right = MAX (bounds.right, x);
        bounds.top = MIN (bounds.top, y);
        bounds.bottom = MAX (bounds.bottom, y);
      }
  return bounds;
}

/* The scale's ends are at the left and right end of the plot, with the letters
 * between them in the same rows, and nothing touches. */
static void
assert_caption (const AmphistoGraticule *captions, const overlay_params *params,
    int p, int scale)
{
  const int width = params->panel_width;
  const int left = params->plot_left, right = width - left;
  const int zero = left + 5 * scale, end = right - 17 * scale;
  const Bounds all = lit_bounds (captions, params, p, 0, width);
  const Bounds letters = lit_bounds (captions, params, p, zero, end);

  g_assert_cmpint (all.left, ==, left);
  g_assert_cmpint (
      lit_bounds (captions, params, p, 0, zero).right, ==, zero - 1);
  g_assert_cmpint (lit_bounds (captions, params, p, end, width).left, ==, end);
  g_assert_cmpint (all.right, ==, right - 1);
  g_assert_cmpint (all.top, >, 0);
  g_assert_cmpint (all.bottom - all.top + 1, ==, 7 * scale);
  g_assert_cmpint (all.bottom, <, n_rows (params) - 1);
  g_assert_cmpint (letters.left - zero, >=, 6 * scale);
  g_assert_cmpint (end - 1 - letters.right, >=, 6 * scale);
  g_assert_cmpint (letters.right - letters.left + 1, ==,
      (8 * (int) params->panel_curves - 3) * scale);
  g_assert_cmpint (ABS (letters.left + letters.right + 1 - width), <=, 1);
}

/* Panels of frames with 480, 720, 1080 and 2160 rows. */
static const struct
{
  uint32_t width, height, scale;
} sizes[] = { { 208, 120, 1 }, { 416, 180, 2 }, { 640, 272, 2 },
  { 1264, 540, 5 } };

static void
test_places (void)
{
  static const uint32_t divisions[][3] = { { 1, 1, 1 }, { 1, 1, 4 },
    { 1, 1, 7 }, { 3, 1, 1 }, { 1, 6, 1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (gsize d = 0; d < G_N_ELEMENTS (divisions); d++) {
      const overlay_params params = params_for (&text, sizes[i].width,
          sizes[i].height, divisions[d][0], divisions[d][1], divisions[d][2]);
      const uint32_t n_panels = params.panels_x * params.panels_y;
      AmphistoGraticule captions;

      g_assert_true (amphisto_captions_init (
          &captions, &params, &text, &yuv, (1u << params.n_curves) - 1));
      g_assert_cmpuint (captions.width, ==, sizes[i].width);
      g_assert_cmpuint (captions.height, ==, n_panels * n_rows (&params));
      for (uint32_t p = 0; p < n_panels; p++)
        assert_caption (&captions, &params, p, sizes[i].scale);
      amphisto_graticule_clear (&captions);
    }
}

/* The letters name the channels, in order, in the colours of their curves. */
static void
test_letters (void)
{
  static const char *const letters = "YUVRGBA";
  const overlay_params params = params_for (&text, 208, 120, 1, 1, 7);
  const int first = (208 - (8 * 7 - 3)) / 2;
  AmphistoGraticule captions, expected;

  g_assert_true (
      amphisto_captions_init (&captions, &params, &text, &yuv, yuv.channels));
  g_assert_true (
      amphisto_graticule_init (&expected, captions.width, captions.height));
  for (uint32_t i = 0; i < 7; i++) {
    const char letter[2] = { letters[i], '\0' };
    uint32_t c[3] = { 63, 63, 63 };

    c[i % 3] += 3 * i;
    amphisto_graticule_text (&expected, first + 8 * i, 2, 1, letter,
        AMPHISTO_LIGHT (c[0], c[1], c[2]));
  }
  for (int y = 0; y < n_rows (&params); y++)
    g_assert_cmpmem (captions.light + y * 208 + first, (8 * 7 - 3) * 4,
        expected.light + y * 208 + first, (8 * 7 - 3) * 4);
  amphisto_graticule_clear (&expected);
  amphisto_graticule_clear (&captions);
}

/* Each panel of a parade has the letter of its channel. */
static void
test_letters_of_panels (void)
{
  static const AmphistoChannelMask channels =
      1u << AMPHISTO_CHANNEL_LUMA | 1u << AMPHISTO_CHANNEL_BLUE;
  const overlay_params two = params_for (&text, 96, 60, 2, 1, 1);
  overlay_params one = params_for (&text, 96, 60, 1, 1, 1);
  AmphistoGraticule parade, luma, blue;
  const gsize size = 96 * 4 * n_rows (&one);

  g_assert_true (amphisto_captions_init (&parade, &two, &text, &yuv, channels));
  g_assert_true (amphisto_captions_init (
      &luma, &one, &text, &yuv, 1u << AMPHISTO_CHANNEL_LUMA));
  one.curve[0] = two.curve[1];
  g_assert_true (amphisto_captions_init (
      &blue, &one, &text, &yuv, 1u << AMPHISTO_CHANNEL_BLUE));
  g_assert_cmpmem (parade.light, size, luma.light, size);
  g_assert_cmpmem (parade.light + size / 4, size, blue.light, size);
  g_assert_true (memcmp (luma.light, blue.light, size) != 0);
  amphisto_graticule_clear (&parade);
  amphisto_graticule_clear (&luma);
  amphisto_graticule_clear (&blue);
}

/* The legend: `n` rows from the first lit row on, as wide as the plot, in the
 * colours of the values. */
static void
assert_key (
    const AmphistoGraticule *captions, const overlay_params *params, int n)
{
  const int width = params->panel_width, left = params->plot_left;
  const int last = params->plot_width - 1;
  const int top = lit_bounds (captions, params, 0, 0, width).top;

  g_assert_cmpint (top, >, 0);
  for (int y = top; y < top + n; y++)
    for (int x = 0; x < width; x++) {
      const int v = ((x - left) * 255 + last / 2) / last;

      g_assert_cmphex (captions->light[y * width + x], ==,
          x >= left && x <= left + last ? amphisto_clipping_light (16, 235, v)
                                        : 0);
    }
  for (int x = 0; x < width; x++)
    g_assert_cmphex (captions->light[(top + n) * width + x], ==, 0);
}

/* With false colour, each panel has a legend above the text. */
static void
test_key (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const int scale = sizes[i].scale;
    const overlay_params alone =
        params_for (&key, sizes[i].width, sizes[i].height, 1, 2, 1);
    const overlay_params with_text =
        params_for (&both, sizes[i].width, sizes[i].height, 1, 2, 1);
    const gsize size = 4 * sizes[i].width * n_rows (&alone);
    AmphistoGraticule captions;

    g_assert_true (amphisto_captions_init (&captions, &alone, &key, &yuv, 3));
    g_assert_cmpint (n_rows (&alone), ==, 7 * scale);
    assert_key (&captions, &alone, 3 * scale);
    g_assert_cmpmem (captions.light, size, captions.light + size / 4, size);
    amphisto_graticule_clear (&captions);

    g_assert_true (
        amphisto_captions_init (&captions, &with_text, &both, &yuv, 3));
    g_assert_cmpint (n_rows (&with_text), ==, 16 * scale);
    assert_key (&captions, &with_text, 3 * scale);
    g_assert_cmpint (
        lit_bounds (&captions, &with_text, 1, 0, sizes[i].width).bottom, ==,
        14 * scale - 1);
    amphisto_graticule_clear (&captions);
  }
}

/* Grey formats have no false colour. */
static void
test_grey_key (void)
{
  overlay_params params = params_for (&text, 208, 120, 1, 1, 1);

  g_assert_cmpuint (
      amphisto_captions_height (&params, &both, &grey), ==, n_rows (&params));
  g_assert_cmpuint (amphisto_captions_height (&params, &key, &grey), ==, 0);
}

/* Text takes at most a quarter of a panel's height, and the plot's width. With
 * less room it is smaller, or missing. */
static void
test_room (void)
{
  for (uint32_t curves = 1; curves <= 7; curves++)
    for (uint32_t width = 32; width < 700; width += 16)
      for (uint32_t height = 16; height < 700; height += 4) {
        const overlay_params params =
            params_for (&text, width, height, 1, 1, curves);
        const uint32_t scale = n_rows (&params) / 11;

        g_assert_cmpuint (n_rows (&params), ==, 11 * scale);
        g_assert_cmpuint (9 * scale, <=, height / 4);
        g_assert_cmpuint ((31 + 8 * curves) * scale, <=, params.plot_width);
        g_assert_true (
            scale > 0 || height < 36 || (31 + 8 * curves) > params.plot_width);
      }
}

/* The legend takes at most an eighth. */
static void
test_room_for_key (void)
{
  for (uint32_t height = 16; height < 700; height += 4) {
    const overlay_params params = params_for (&key, 96, height, 1, 1, 1);
    const uint32_t scale = n_rows (&params) / 7;

    g_assert_cmpuint (n_rows (&params), ==, 7 * scale);
    g_assert_cmpuint (5 * scale, <=, height / 8);
    g_assert_true (scale > 0 || height < 40);
  }
}

/* The smallest panel has no captions, and there is nothing to draw. */
static void
test_none (void)
{
  const overlay_params params = params_for (&text, 32, 16, 1, 1, 1);
  AmphistoGraticule captions;

  g_assert_cmpuint (params.caption_top, ==, 16);
  g_assert_true (amphisto_captions_init (&captions, &params, &text, &yuv, 1));
  g_assert_cmpuint (captions.height, ==, 0);
  amphisto_graticule_clear (&captions);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/captions/places", test_places);
  g_test_add_func ("/captions/letters", test_letters);
  g_test_add_func ("/captions/letters-of-panels", test_letters_of_panels);
  g_test_add_func ("/captions/key", test_key);
  g_test_add_func ("/captions/grey-key", test_grey_key);
  g_test_add_func ("/captions/room", test_room);
  g_test_add_func ("/captions/room-for-key", test_room_for_key);
  g_test_add_func ("/captions/none", test_none);
  return g_test_run ();
}
