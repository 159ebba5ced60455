/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The legend of false colour: its place, and what it looks like when it is
 * drawn.
 */

#include "core/scopes/legend.h"
#include "core/change/exposure.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

/* The legend of frames of the layout, without scopes. */
static AmphistoLegend
legend_of_scale (AmphistoFalseColorScale scale, const AmphistoLayout *layout,
    const AmphistoRegion *area, AmphistoScopePosition position)
{
  static const AmphistoRegion origin;
  AmphistoScopeParams none = { 0 };
  AmphistoLegend legend;

  amphisto_legend_init (&legend, scale, layout, area, position, &none, &origin);
  return legend;
}

static AmphistoLegend
legend_for (const AmphistoLayout *layout, const AmphistoRegion *area,
    AmphistoScopePosition position)
{
  return legend_of_scale (AMPHISTO_FALSE_COLOR_VIDEO, layout, area, position);
}

/* --- place --- */

/* The first byte of planar luma is at the legend's first pixel. */
static AmphistoRegion
place_of (const AmphistoLegend *legend)
{
  const AmphistoPlaneLayout *plane = &legend->layout.plane[0];

  return (AmphistoRegion){ plane->first_byte, plane->first_row,
    legend->layout.component[AMPHISTO_CHANNEL_LUMA].width,
    legend->layout.component[AMPHISTO_CHANNEL_LUMA].height };
}

static void
assert_not_drawn (const AmphistoRegion *area)
{
  const AmphistoLayout layout = yuv_layout (area->width, area->height, 1, 1);
  const AmphistoLegend legend = legend_for (&layout, area, BOTTOM_RIGHT);

  g_assert_false (amphisto_legend_is_drawn (&legend));
}

/* The legend is near the corner opposite to the scopes, within the area. Areas
 * that are too narrow, or lower than four times the legend, have none. */
static void
test_place (void)
{
  static const AmphistoRegion areas[] = { { 0, 0, 320, 240 },
    { 0, 0, 1280, 720 }, { 0, 0, 720, 1280 }, { 0, 0, 3840, 2160 },
    { 100, 60, 400, 300 } };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (areas); i++) {
    const AmphistoRegion *area = &areas[i / 4];
    const AmphistoLayout layout =
        yuv_layout (area->x + area->width, area->y + area->height, 1, 1);
    const AmphistoScopePosition position = i % 4;
    const bool is_left = position == TOP_RIGHT || position == BOTTOM_RIGHT;
    const bool is_top = position == BOTTOM_LEFT || position == BOTTOM_RIGHT;
    const AmphistoLegend legend = legend_for (&layout, area, position);
    const AmphistoRegion at = place_of (&legend);
    const uint32_t left = at.x - area->x, top = at.y - area->y;
    const uint32_t right = area->width - left - at.width;
    const uint32_t bottom = area->height - top - at.height;

    g_assert_true (amphisto_legend_is_drawn (&legend));
    g_assert_cmpuint (MAX (left, right), <, area->width);
    g_assert_cmpuint (MAX (top, bottom), <, area->height);
    g_assert_cmpuint (is_left ? left : right, <=, area->height / 30 + 4);
    g_assert_cmpuint (is_top ? top : bottom, <=, area->height / 30 + 8);
    /* small, but legible */
    g_assert_cmpuint (legend.text_height, >=, 7);
    g_assert_cmpuint (at.height * 4, <=, area->height);
  }
  for (uint32_t side = 16; side < 87; side += 10) {
    const AmphistoRegion narrow = { 0, 0, side * 3 / 2, 240 };
    const AmphistoRegion low = { 0, 0, 1280, side };

    assert_not_drawn (&narrow);
    assert_not_drawn (&low);
  }
}

/* Scopes that reach to the other edge hide the legend, so there is none. */
static void
test_covered (void)
{
  const AmphistoLayout layout = yuv_layout (640, 480, 1, 1);
  const AmphistoRegion area = { 0, 0, 640, 480 }, origin = { 0 };
  AmphistoScopeSettings settings = settings_with (WAVEFORM);

  settings.width = 1;
  for (guint percent = 20; percent <= 100; percent += 10) {
    AmphistoScopeParams scopes;
    AmphistoLegend legend;

    settings.height = percent / 100.0;
    scopes = placed_scopes (&settings, true, &layout, ~0u, ~0u);
    amphisto_legend_init (&legend, AMPHISTO_FALSE_COLOR_VIDEO, &layout, &area,
        settings.position, &scopes, &origin);
    g_assert_true (percent > 80 || amphisto_legend_is_drawn (&legend));
    g_assert_true (percent < 100 || !amphisto_legend_is_drawn (&legend));
    if (amphisto_legend_is_drawn (&legend))
      g_assert_cmpuint (place_of (&legend).y + place_of (&legend).height, <=,
          scopes.waveform.scope.y);
  }
}

/* --- picture --- */

#define MAX_BLOCKS 9

/* The blocks' colours; 0: grey. */
static const struct
{
  uint32_t n;
  uint32_t colours[MAX_BLOCKS];
} blocks[AMPHISTO_N_FALSE_COLOR_SCALES] = {
  [AMPHISTO_FALSE_COLOR_VIDEO] = { 9,
      { 0x78005a, 0xff6e00, 0, 0x8ce43c, 0, 0xe482ff, 0, 0x00e1ff, 0x0000eb } },
  [AMPHISTO_FALSE_COLOR_LOG] = { 9,
      { 0x78005a, 0xff6e00, 0, 0x8ce43c, 0, 0xe482ff, 0, 0x00e1ff, 0x0000eb } },
  [AMPHISTO_FALSE_COLOR_LIMITS] = { 3, { 0x78005a, 0, 0x0000eb } },
};

/* A legend, drawn in false colour. */
typedef struct
{
  AmphistoLegend legend;
  uint8_t *memory;
  AmphistoFrame frame;
  uint32_t width, height;
} Drawn;

static void
drawn_init (Drawn *self, AmphistoFalseColorScale scale, uint32_t frame_height)
{
  const AmphistoRegion area = { 0, 0, frame_height * 4 / 3, frame_height };
  const AmphistoLayout layout = rgb_layout (area.width, area.height);
  const AmphistoExposureSettings settings = {
    .enabled = AMPHISTO_EXPOSURE_FALSE_COLOR, .scale = scale
  };
  const AmphistoLayout *drawn = &self->legend.layout;
  drawing_params drawing;
  exposure_params params;
  size_t size;

  self->legend = legend_of_scale (scale, &layout, &area, BOTTOM_RIGHT);
  self->memory = amphisto_legend_draw (&self->legend, &size);
  g_assert_nonnull (self->memory);
  g_assert_cmpuint (size, ==, amphisto_packed_size (drawn, drawn->n_planes));
  self->frame = amphisto_packed_frame (drawn, self->memory);
  self->width = drawn->component[AMPHISTO_CHANNEL_RED].width;
  self->height = drawn->component[AMPHISTO_CHANNEL_RED].height;
  drawing = drawing_for (drawn);
  amphisto_exposure_fill_params (&settings, drawn, &drawing, &params);
  amphisto_exposure_draw (&drawing, &params, &self->frame, &self->frame);
}

/* The colour of the pixel, red in the lowest byte. */
static uint32_t
pixel_of (const Drawn *self, uint32_t x, uint32_t y)
{
  const uint8_t *pixel = amphisto_frame_row (&self->frame, 0, y) + 3 * x;

  return pixel[0] | pixel[1] << 8 | (uint32_t) pixel[2] << 16;
}

static bool
is_grey (uint32_t colour)
{
  return colour == (colour & 0xff) * 0x10101;
}

/* The brightest of the pixels, which are grey, below the blocks. */
static uint32_t
brightest_grey (const Drawn *self, uint32_t begin, uint32_t end, uint32_t top)
{
  uint32_t brightest = 0;

  for (uint32_t y = top; y < self->height; y++)
    for (uint32_t x = begin; x < end; x++) {
      g_assert_true (is_grey (pixel_of (self, x, y)));
      brightest = MAX (brightest, pixel_of (self, x, y) & 0xff);
    }
  return brightest;
}

/* The legend has a block of each band and of the greys between them, as wide as
 * each other, from dark to bright. All other pixels are grey: the figures,
 * which are bright on both sides of each limit, and their background. */
static void
check_picture (AmphistoFalseColorScale scale)
{
  static const uint32_t heights[] = { 240, 480, 720, 1080, 2160 };
  const uint32_t *colours = blocks[scale].colours, n_blocks = blocks[scale].n;

  for (guint i = 0; IS_ROW (heights, i); i++) {
    uint32_t begin[MAX_BLOCKS + 1], n = 0, top = 0, last;
    Drawn drawn;

    drawn_init (&drawn, scale, heights[i]);
    while (is_grey (pixel_of (&drawn, drawn.width / 18, top)))
      top++;
    last = pixel_of (&drawn, 0, 0);
    for (uint32_t x = 0; x < drawn.width && n <= n_blocks; x++)
      if (pixel_of (&drawn, x, top) != last) {
        last = pixel_of (&drawn, x, top);
        begin[n] = x;
        if (n < n_blocks)
          g_assert_true (colours[n] > 0 ? last == colours[n] : is_grey (last));
        n++;
      }
    g_assert_cmpuint (n, ==, n_blocks + 1);

    const uint32_t bottom = top + drawn.legend.text_height;
    const uint32_t reach = drawn.legend.text_height / 2;

    brightest_grey (&drawn, 0, drawn.width, bottom);
    for (guint b = 1; b < n; b++) {
      g_assert_cmpuint (begin[b] - begin[b - 1], ==, begin[1] - begin[0]);
      if (b + 1 < n)
        g_assert_cmpuint (
            brightest_grey (&drawn, begin[b] - reach, begin[b] + reach, bottom),
            >=, 210);
    }
    free (drawn.memory);
  }
}

static void
test_picture (void)
{
  for (guint scale = 0; IS_ROW (blocks, scale); scale++)
    check_picture (scale);
}

const CoreTest core_tests[] = {
  { "/legend/place", test_place },
  { "/legend/covered", test_covered },
  { "/legend/picture", test_picture },
  { 0 },
};
