/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The captions of the histogram's graph: what stands where, and when.
 */

#include "core/captions.h"

#include <glib.h>

static const AmphistoChannelMask all_channels = (1u << AMPHISTO_N_CHANNELS) - 1;

/* Panels of this size, with lines of a light of their own. */
static overlay_params
params_for (uint32_t width, uint32_t height, uint32_t panels_x,
    uint32_t panels_y, uint32_t panel_curves)
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
  params.caption_top = height - amphisto_captions_height (&params);
  return params;
}

static int
n_rows (const overlay_params *params)
{
  return params->panel_height - params->caption_top;
}

/* The first and the last column and row that have light. */
typedef struct
{
  int left, right, top, bottom;
} Bounds;

/* Of columns `left` up to `right` of panel p's caption. */
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

/* The scale's ends are at those of the plot, the letters in the middle, all in
 * the same rows, and nothing touches anything. */
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

/* Panels as they are in frames of 480, 720, 1080 and 2160 rows. */
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
      const overlay_params params = params_for (sizes[i].width, sizes[i].height,
          divisions[d][0], divisions[d][1], divisions[d][2]);
      const uint32_t n_panels = params.panels_x * params.panels_y;
      AmphistoGraticule captions;

      g_assert_true (amphisto_captions_init (
          &captions, &params, (1u << params.n_curves) - 1));
      g_assert_cmpuint (captions.width, ==, sizes[i].width);
      g_assert_cmpuint (captions.height, ==, n_panels * n_rows (&params));
      for (uint32_t p = 0; p < n_panels; p++)
        assert_caption (&captions, &params, p, sizes[i].scale);
      amphisto_graticule_clear (&captions);
    }
}

/* The letters are those of the channels, in order, in their curves' colours. */
static void
test_letters (void)
{
  static const char *const letters = "YUVRGBA";
  const overlay_params params = params_for (208, 120, 1, 1, 7);
  const int first = (208 - (8 * 7 - 3)) / 2;
  AmphistoGraticule captions, expected;

  g_assert_true (amphisto_captions_init (&captions, &params, all_channels));
  g_assert_true (
      amphisto_graticule_init (&expected, captions.width, captions.height));
  for (uint32_t i = 0; i < 7; i++) {
    const char text[2] = { letters[i], '\0' };
    uint32_t c[3] = { 63, 63, 63 };

    c[i % 3] += 3 * i;
    amphisto_graticule_text (&expected, first + 8 * i, 2, 1, text,
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
  const overlay_params two = params_for (96, 60, 2, 1, 1);
  overlay_params one = params_for (96, 60, 1, 1, 1);
  AmphistoGraticule parade, luma, blue;
  const gsize size = 96 * 4 * n_rows (&one);

  g_assert_true (amphisto_captions_init (&parade, &two, channels));
  g_assert_true (
      amphisto_captions_init (&luma, &one, 1u << AMPHISTO_CHANNEL_LUMA));
  one.curve[0] = two.curve[1];
  g_assert_true (
      amphisto_captions_init (&blue, &one, 1u << AMPHISTO_CHANNEL_BLUE));
  g_assert_cmpmem (parade.light, size, luma.light, size);
  g_assert_cmpmem (parade.light + size / 4, size, blue.light, size);
  g_assert_true (memcmp (luma.light, blue.light, size) != 0);
  amphisto_graticule_clear (&parade);
  amphisto_graticule_clear (&luma);
  amphisto_graticule_clear (&blue);
}

/* Text is never more than a quarter of a panel, nor wider than the plot: there
 * it is smaller, or there is none. */
static void
test_room (void)
{
  for (uint32_t curves = 1; curves <= 7; curves++)
    for (uint32_t width = 32; width < 700; width += 16)
      for (uint32_t height = 16; height < 700; height += 4) {
        const overlay_params params = params_for (width, height, 1, 1, curves);
        const uint32_t scale = n_rows (&params) / 11;

        g_assert_cmpuint (n_rows (&params), ==, 11 * scale);
        g_assert_cmpuint (11 * scale, <=, height / 4);
        g_assert_cmpuint ((31 + 8 * curves) * scale, <=, params.plot_width);
        g_assert_true (
            scale > 0 || height < 44 || (31 + 8 * curves) > params.plot_width);
      }
}

/* The least panel has none, and there is nothing to draw. */
static void
test_none (void)
{
  const overlay_params params = params_for (32, 16, 1, 1, 1);
  AmphistoGraticule captions;

  g_assert_cmpuint (params.caption_top, ==, 16);
  g_assert_true (amphisto_captions_init (&captions, &params, 1));
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
  g_test_add_func ("/captions/room", test_room);
  g_test_add_func ("/captions/none", test_none);
  return g_test_run ();
}
