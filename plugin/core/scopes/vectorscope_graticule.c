/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/pixels/arithmetic.h"
#include "core/scopes/font.h"
#include "core/scopes/vectorscope.h"

/* cos and sin of 123 degrees, in 1/65536; the cosine without its sign. */
#define SKIN_COSINE 35694
#define SKIN_SINE 54963
#define N_COLOURS 6

/* --- lines and boxes --- */

/* The pixel of a plot of `size` pixels for U or V. value: relative to 128, in
 * 1/256. */
static int
pixel_of (const vectorscope_params *params, uint32_t size, int value)
{
  const int64_t from_first = value + (int) params->n_values * 128 + 128;

  return (int) (from_first * size / (params->n_values * 256));
}

/* The column of the panel for U, and the row for V. */

static int
column_of (const vectorscope_params *params, int u)
{
  const scope_params *scope = &params->scope;

  return (int) scope->plot_left + pixel_of (params, scope->plot_width, u);
}

static int
row_of (const vectorscope_params *params, int v)
{
  const scope_params *scope = &params->scope;

  return (int) (scope->plot_top + scope->plot_height - 1)
      - pixel_of (params, scope->plot_height, v);
}

void
amphisto_vectorscope_target (const vectorscope_params *params, uint32_t colour,
    int percent, int *u, int *v)
{
  const uint32_t *weights = params->luma_weights;
  const int32_t range = (int32_t) params->range * 256;
  int64_t luma = 0;

  for (uint32_t c = 0; c < 3; c++)
    luma += colour >> c & 1 ? weights[c] : 0;
  /* U is (B - Y) / (2 (1 - Kb)), V is (R - Y) / (2 (1 - Kr)) */
  *u = (int) (((colour >> 2 & 1) * 65536 - luma) * range * percent
      / (200 * (65536 - (int64_t) weights[2])));
  *v = (int) (((colour & 1) * 65536 - luma) * range * percent
      / (200 * (65536 - (int64_t) weights[0])));
}

typedef struct
{
  const vectorscope_params *params;
  AmphistoGraticule *graticule;
  /* the position of neutral chroma, in 1/16 pixel */
  int middle_x;
  int middle_y;
} Panel;

/* The axes, and the line of skin tones: +I, at 123 degrees. reach: of the axes.
 * skin: the line's length, in 1/16 row. */
static void
draw_axes (const Panel *panel, AmphistoArea reach, int skin)
{
  const scope_params *scope = &panel->params->scope;
  const uint32_t gridline = scope->gridline_width;
  const int x = panel->middle_x, y = panel->middle_y;
  const int across = (int) amphisto_scope_columns (scope, (uint32_t) skin);

  amphisto_graticule_fill (panel->graticule, reach.left,
      y / 16 - (int) gridline / 2, (uint32_t) (reach.right - reach.left),
      gridline, AMPHISTO_SCOPE_QUARTER);
  amphisto_graticule_fill (panel->graticule, x / 16 - (int) gridline / 2,
      reach.top, gridline, (uint32_t) (reach.bottom - reach.top),
      AMPHISTO_SCOPE_QUARTER);
  amphisto_graticule_line (panel->graticule, x, y,
      x - (int) ((int64_t) across * SKIN_COSINE >> 16),
      y - (int) ((int64_t) skin * SKIN_SINE >> 16), 16 * gridline,
      AMPHISTO_SCOPE_LIMIT);
}

uint32_t
amphisto_vectorscope_box_size (uint32_t plot)
{
  return MAX (5, plot / 18 | 1);
}

/* at: the middle of the box, in a panel of `panel` pixels.
 *
 * Returns: pixels from the middle to the sides, less at the panel's edge. */
static int
half_of_box (uint32_t plot, int percent, int at, uint32_t panel)
{
  const int half =
      (int) amphisto_vectorscope_box_size (plot) / (percent == 75 ? 2 : 4);

  return MIN (half, MIN (at, (int) panel - 1 - at));
}

/* A box around the vector of a colour bar. */
static AmphistoArea
draw_box (const Panel *panel, uint32_t colour, int percent, uint32_t light)
{
  const scope_params *scope = &panel->params->scope;
  int u, v;

  amphisto_vectorscope_target (panel->params, colour, percent, &u, &v);

  const int x = column_of (panel->params, u), y = row_of (panel->params, v);
  const int across =
      half_of_box (scope->plot_width, percent, x, scope->panel_width);
  const int down =
      half_of_box (scope->plot_height, percent, y, scope->panel_height);
  const AmphistoArea box = { x - across, y - down, x + across + 1,
    y + down + 1 };

  amphisto_graticule_box (panel->graticule, box.left, box.top, 2 * across + 1,
      2 * down + 1, scope->gridline_width, light);
  return box;
}

/* --- names of colours --- */

/* The names' backings; those of names that are left out are empty. */
typedef struct
{
  uint32_t height; /* of text */
  uint32_t n;
  AmphistoArea backings[N_COLOURS];
} Names;

static const char colour_names[N_COLOURS][3] = { "R", "G", "Yl", "B", "Mg",
  "Cy" };

/* Whether the area is in the panel, touches no name, and is still dark. */
static bool
is_free (const Panel *panel, const Names *names, const AmphistoArea *area)
{
  const scope_params *scope = &panel->params->scope;
  const AmphistoGraticule *graticule = panel->graticule;

  if (area->left < 0 || area->top < 0 || area->right > (int) scope->panel_width
      || area->bottom > (int) scope->panel_height)
    return false;
  for (uint32_t i = 0; i < N_COLOURS; i++) {
    const AmphistoArea *name = &names->backings[i];

    if (area->left <= name->right && area->right >= name->left
        && area->top <= name->bottom && area->bottom >= name->top)
      return false;
  }
  for (int y = area->top; y < area->bottom; y++)
    for (int x = area->left; x < area->right; x++)
      if (graticule->light[(size_t) y * graticule->width + x] != 0)
        return false;
  return true;
}

/* The beginning of `size` pixels beside a box: side -2 is before it, -1 at its
 * beginning, 0 in its middle, 1 at its end, 2 after it. */
static int
beside (int side, int begin, int end, int size)
{
  if (side == -2)
    return begin - size;
  return side == 2 ? end : begin + (end - begin - size) * (side + 1) / 2;
}

/* Finds the first free place beside the colour's box. */
static void
place_name (
    const Panel *panel, uint32_t colour, const AmphistoArea *box, Names *names)
{
  /* horizontal and vertical side, the best first; 2 is away from the middle */
  static const int8_t sides[][2] = { { 2, 0 }, { 0, 2 }, { -2, 0 }, { 0, -2 },
    { 2, 1 }, { 2, -1 }, { 1, 2 }, { -1, 2 }, { -2, 1 }, { -2, -1 }, { 1, -2 },
    { -1, -2 }, { 2, 2 }, { 2, -2 }, { -2, 2 }, { -2, -2 } };
  const AmphistoArea text = amphisto_graticule_text_area (0, 0, names->height,
      colour_names[colour], panel->graticule->pixel_aspect);
  const int width = text.right - text.left, height = text.bottom - text.top;
  const int out_x = 16 * box->left < panel->middle_x ? -1 : 1;
  const int out_y = 16 * box->top < panel->middle_y ? -1 : 1;

  for (uint32_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
    const int x = beside (out_x * sides[i][0], box->left, box->right, width);
    const int y = beside (out_y * sides[i][1], box->top, box->bottom, height);
    const AmphistoArea area = { x, y, x + width, y + height };

    if (is_free (panel, names, &area)) {
      names->backings[colour] = area;
      names->n++;
      return;
    }
  }
}

/* Finds the largest text for which all names have a place, or the places of
 * some names if there are too few. */
static Names
place_names (const Panel *panel, const AmphistoArea boxes[N_COLOURS])
{
  Names names;
  uint32_t height = amphisto_scope_text_height (&panel->params->scope);

  do {
    names = (Names){ .height = height-- };
    for (uint32_t i = 0; i < N_COLOURS; i++)
      place_name (panel, i, &boxes[i], &names);
  } while (names.n < N_COLOURS && height >= AMPHISTO_TEXT_LEAST);
  return names;
}

static void
draw_names (const Panel *panel, const Names *names)
{
  for (uint32_t i = 0; i < N_COLOURS; i++) {
    const AmphistoArea text = amphisto_graticule_text_area (
        0, 0, names->height, colour_names[i], panel->graticule->pixel_aspect);

    if (names->backings[i].right > 0)
      amphisto_graticule_text (panel->graticule,
          names->backings[i].left - text.left,
          names->backings[i].top - text.top, names->height, colour_names[i],
          AMPHISTO_SCOPE_TEXT);
  }
}

/* --- graticules --- */

/* The graticule of the whole plane: a circle around the range, axes, boxes and
 * their names, which are off the axes if there is room. The circle's radius is
 * in whole rows, so that it is crisp at its top. */
static void
draw_plane (const Panel *panel)
{
  const scope_params *scope = &panel->params->scope;
  const int x = panel->middle_x, y = panel->middle_y;
  const int down = 16 * (int) (scope->plot_height * panel->params->range / 512);
  const int across = (int) amphisto_scope_columns (scope, (uint32_t) down);
  const AmphistoArea circle = { (x - across) / 16, (y - down) / 16,
    (x + across + 15) / 16, (y + down + 15) / 16 };
  AmphistoArea boxes[N_COLOURS];
  Names crossing, apart;

  amphisto_graticule_circle (panel->graticule, x, y, (uint32_t) down,
      16 * scope->gridline_width, AMPHISTO_SCOPE_BORDER);
  for (uint32_t i = 0; i < N_COLOURS; i++) {
    draw_box (panel, i + 1, 100, AMPHISTO_SCOPE_QUARTER);
    boxes[i] = draw_box (panel, i + 1, 75, AMPHISTO_SCOPE_BOX);
  }
  amphisto_graticule_fill (
      panel->graticule, x / 16, y / 16, 1, 1, AMPHISTO_SCOPE_QUARTER);
  crossing = place_names (panel, boxes);
  draw_axes (panel, circle, down);
  apart = place_names (panel, boxes);
  if (crossing.n >= N_COLOURS / 2)
    draw_names (panel, apart.n == N_COLOURS ? &apart : &crossing);
}

/* The zoom in the plot's upper right corner, away from the line of skin tones,
 * if there is room. */
static void
draw_zoom (const Panel *panel, const AmphistoArea *plot)
{
  const scope_params *scope = &panel->params->scope;
  const uint32_t height =
      MIN (amphisto_scope_text_height (scope), scope->plot_height / 5);
  const uint32_t space = height * 2 / 7;
  const char *text = panel->params->n_values == 128 ? "x2" : "x4";
  const uint32_t width = amphisto_scope_columns (scope, space)
      + amphisto_graticule_text_width (text, height, scope->pixel_aspect);

  if (height >= AMPHISTO_TEXT_LEAST)
    amphisto_graticule_text (panel->graticule, plot->right - (int) width,
        plot->top + (int) space, height, text, AMPHISTO_SCOPE_TEXT);
}

/* The graticule of the inner values: a border where the plane is cut
 * off, and the axes. The circle and the boxes are outside. */
static void
draw_inner (const Panel *panel)
{
  const scope_params *scope = &panel->params->scope;
  const int left = scope->plot_left, top = scope->plot_top;
  const AmphistoArea plot = { left, top, left + (int) scope->plot_width,
    top + (int) scope->plot_height };
  const int64_t up = panel->middle_y - 16 * top;

  amphisto_scope_draw_border (scope, panel->graticule);
  draw_axes (panel, plot, (int) (up * 65536 / SKIN_SINE));
  draw_zoom (panel, &plot);
}

void
amphisto_vectorscope_draw_graticule (
    const scope_params *scope, uint32_t p, AmphistoGraticule *graticule)
{
  const vectorscope_params *params = (const vectorscope_params *) scope;
  const int odd = (int) scope->gridline_width % 2 * 8;
  const Panel panel = { params, graticule, 16 * column_of (params, 0) + odd,
    16 * row_of (params, 0) + odd };

  (void) p;
  if (!scope->has_graticule)
    return;
  if (params->first == 0)
    draw_plane (&panel);
  else
    draw_inner (&panel);
}
