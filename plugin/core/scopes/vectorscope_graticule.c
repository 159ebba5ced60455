/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/pixels/arithmetic.h"
#include "core/scopes/vectorscope.h"

#include <stdlib.h>

/* cos and sin of 123 degrees, in 1/65536. */
#define SKIN_COSINE -35694
#define SKIN_SINE 54963
#define N_COLOURS 6
/* The names of colours, and the figures 75 and 100 beside the boxes of one.
 * Plots with fewer than LEAST_FIGURED rows have no figures. */
#define N_TEXTS (N_COLOURS + 2)
#define LEAST_FIGURED 150
/* Names are on the rays of their colours, within these percentages of a colour
 * bar, from the box of 75 % on. */
#define NEAREST 35
#define FARTHEST 200
#define BOX 75

/* --- lines and boxes --- */

/* The pixel of a plot of `size` pixels, with the inner n_values, for U or V.
 * value: relative to 128, in 1/256. */
static int
pixel_of (uint32_t n_values, uint32_t size, int value)
{
  const int64_t from_first = value + (int) n_values * 128 + 128;

  return (int) (from_first * size / (n_values * 256));
}

/* The column of the panel for U, and the row for V. */

static int
column_of (const scope_params *scope, uint32_t n_values, int u)
{
  return (int) scope->plot_left + pixel_of (n_values, scope->plot_width, u);
}

static int
row_of (const scope_params *scope, uint32_t n_values, int v)
{
  return (int) (scope->plot_top + scope->plot_height - 1)
      - pixel_of (n_values, scope->plot_height, v);
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

/* A vector of length 1, in 1/65536: to the right, and upwards. */
typedef struct
{
  int32_t x;
  int32_t y;
} Direction;

/* In 1/16 pixel. */
typedef struct
{
  int x;
  int y;
} Point;

/* The point at a distance, in 1/16 row, from the middle. */
static Point
point_at (const Panel *panel, Direction to, int distance)
{
  const int64_t across = (int64_t) distance * AMPHISTO_SQUARE_PIXEL
      / panel->params->scope.pixel_aspect;

  return (Point){ panel->middle_x + (int) (to.x * across / 65536),
    panel->middle_y - (int) ((int64_t) to.y * distance / 65536) };
}

/* The axes, and the line of skin tones: +I, at 123 degrees. reach: of the axes.
 * skin: the line's length, in 1/16 row. */
static void
draw_axes (const Panel *panel, AmphistoArea reach, int skin)
{
  static const Direction to_skin = { SKIN_COSINE, SKIN_SINE };
  const uint32_t gridline = panel->params->scope.gridline_width;
  const int x = panel->middle_x, y = panel->middle_y;
  const Point end = point_at (panel, to_skin, skin);

  amphisto_graticule_fill (panel->graticule, reach.left,
      y / 16 - (int) gridline / 2, (uint32_t) (reach.right - reach.left),
      gridline, AMPHISTO_SCOPE_QUARTER);
  amphisto_graticule_fill (panel->graticule, x / 16 - (int) gridline / 2,
      reach.top, gridline, (uint32_t) (reach.bottom - reach.top),
      AMPHISTO_SCOPE_QUARTER);
  amphisto_graticule_line (panel->graticule, x, y, end.x, end.y, 16 * gridline,
      AMPHISTO_SCOPE_LIMIT);
}

/* A circle around the middle, with ticks inside it: one for each 10 degrees,
 * twice as long for each 30, if there is room. radius: in 1/16 row. */
static void
draw_ring (const Panel *panel, int radius)
{
  /* of 0 to 90 degrees, in 1/65536 */
  static const int32_t cosines[] = { 65536, 64540, 61584, 56756, 50203, 42126,
    32768, 22415, 11380, 0 };
  const scope_params *scope = &panel->params->scope;
  const int thickness = 16 * (int) scope->gridline_width;
  const int tick = radius / 20;

  amphisto_graticule_circle (panel->graticule, panel->middle_x, panel->middle_y,
      (uint32_t) radius, (uint32_t) thickness, AMPHISTO_SCOPE_BORDER);
  for (int i = 0; i < 36 && tick >= 2 * thickness; i++) {
    Direction to = { cosines[i % 9], cosines[9 - i % 9] };

    for (int quarter = 0; quarter < i / 9; quarter++)
      to = (Direction){ -to.y, to.x };

    const Point end = point_at (panel, to, radius);
    const Point begin =
        point_at (panel, to, radius - (i % 3 == 0 ? 2 : 1) * tick);

    amphisto_graticule_line (panel->graticule, begin.x, begin.y, end.x, end.y,
        (uint32_t) thickness, AMPHISTO_SCOPE_QUARTER);
  }
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

/* Draws a box around the vector of a colour bar, and returns its area. */
static AmphistoArea
draw_box (const Panel *panel, uint32_t colour, int percent, uint32_t light)
{
  const scope_params *scope = &panel->params->scope;
  int u, v;

  amphisto_vectorscope_target (panel->params, colour, percent, &u, &v);

  const int x = column_of (scope, AMPHISTO_N_BINS, u);
  const int y = row_of (scope, AMPHISTO_N_BINS, v);
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

/* The areas of texts, empty if they are left out, and of boxes, which no text
 * covers; and the area that all texts are in. */
typedef struct
{
  AmphistoArea areas[N_TEXTS + 2 * N_COLOURS];
  AmphistoArea room;
} Names;

static const char texts[N_TEXTS][4] = { "R", "G", "Yl", "B", "Mg", "Cy", "75",
  "100" };

/* The radius of the ring, in 1/16 row. It is in whole rows, so that the ring is
 * crisp at its top. */
static int
ring_radius (const vectorscope_params *params)
{
  return 16 * (int) (params->scope.plot_height * params->range / 512);
}

/* Whether the area is in the room for names, touches no name and no box, and is
 * still dark. */
static bool
is_free (const Panel *panel, const Names *names, const AmphistoArea *area)
{
  const AmphistoGraticule *graticule = panel->graticule;
  const AmphistoArea *room = &names->room;

  if (area->left < room->left || area->top < room->top
      || area->right > room->right || area->bottom > room->bottom)
    return false;
  for (uint32_t i = 0; i < N_TEXTS + 2 * N_COLOURS; i++) {
    const AmphistoArea *name = &names->areas[i];

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

/* Whether all of the area is outside the ring. */
static bool
is_outside_ring (const Panel *panel, const AmphistoArea *area)
{
  const int x = MAX (MAX (16 * area->left - panel->middle_x,
                         panel->middle_x - 16 * area->right),
      0);
  const int y = MAX (MAX (16 * area->top - panel->middle_y,
                         panel->middle_y - 16 * area->bottom),
      0);
  const int64_t across =
      (int64_t) x * panel->params->scope.pixel_aspect / AMPHISTO_SQUARE_PIXEL;
  const int64_t radius = ring_radius (panel->params);

  return across * across + (int64_t) y * y > radius * radius;
}

/* A text, and where it may be: on the ray of a colour, within percentages of
 * the colour bar, the first one first. */
typedef struct
{
  uint32_t text;
  uint32_t colour;
  int first;
  int last;
  bool is_outside; /* of the ring */
} Wish;

/* The area of a text in the middle of a colour bar's vector, but `shift` pixels
 * beside the ray. */
static AmphistoArea
area_at (const Panel *panel, const Wish *wish, int percent, int shift)
{
  const AmphistoArea text =
      amphisto_scope_text_area (&panel->params->scope, texts[wish->text]);
  const int width = text.right - text.left, rows = text.bottom - text.top;
  int u, v, left, top;

  amphisto_vectorscope_target (panel->params, wish->colour, percent, &u, &v);
  left = column_of (&panel->params->scope, AMPHISTO_N_BINS, u) - width / 2;
  top = row_of (&panel->params->scope, AMPHISTO_N_BINS, v) - rows / 2;
  if (abs (u) > abs (v))
    top += shift;
  else
    left += shift;
  return (AmphistoArea){ left, top, left + width, top + rows };
}

/* Finds the first free place.
 *
 * Returns: false if there is none. */
static bool
find_place (const Panel *panel, const Wish *wish, int shift, Names *names)
{
  const int step = wish->first < wish->last ? 1 : -1;

  for (int percent = wish->first; percent != wish->last + step;
       percent += step) {
    const AmphistoArea area = area_at (panel, wish, percent, shift);

    if ((!wish->is_outside || is_outside_ring (panel, &area))
        && is_free (panel, names, &area)) {
      names->areas[wish->text] = area;
      return true;
    }
  }
  return false;
}

/* Stores the text's area in `names`: as near to its ray as it is free.
 *
 * Returns: false if there is no room. */
static bool
place_text (const Panel *panel, Wish wish, Names *names)
{
  const int most = (int) panel->params->scope.text_height;

  for (int shift = 0; shift <= most; shift++)
    if (find_place (panel, &wish, shift, names)
        || find_place (panel, &wish, -shift, names))
      return true;
  return false;
}

/* A name is outside the ring or, without room there, beyond its box or nearer
 * than it. */
static void
place_names (const Panel *panel, Names *names)
{
  for (uint32_t i = 0; i < N_COLOURS; i++)
    if (!place_text (panel, (Wish){ i, i + 1, BOX, FARTHEST, true }, names)
        && !place_text (panel, (Wish){ i, i + 1, BOX, FARTHEST, false }, names))
      place_text (panel, (Wish){ i, i + 1, BOX, NEAREST, false }, names);
}

/* 75 is nearer than its box, and 100 beyond its box, of the first colour that
 * has room for both. */
static void
place_figures (const Panel *panel, Names *names)
{
  for (uint32_t i = 0; i < N_COLOURS; i++) {
    const Wish near = { N_COLOURS, i + 1, BOX, NEAREST, false };
    const Wish far = { N_COLOURS + 1, i + 1, 100, FARTHEST, false };

    if (place_text (panel, near, names) && place_text (panel, far, names))
      return;
    names->areas[N_COLOURS] = (AmphistoArea){ 0 };
  }
}

/* Draws text in an area that begins at (left, top). Traces show through. */
static void
draw_text (const Panel *panel, int left, int top, const char *text)
{
  const scope_params *scope = &panel->params->scope;
  const AmphistoArea area = amphisto_scope_text_area (scope, text);

  amphisto_graticule_bare_text (panel->graticule, left - area.left,
      top - area.top, scope->text_height, text, AMPHISTO_SCOPE_TEXT);
}

static void
draw_names (const Panel *panel, const Names *names)
{
  for (uint32_t i = 0; i < N_TEXTS; i++)
    if (names->areas[i].right > 0)
      draw_text (panel, names->areas[i].left, names->areas[i].top, texts[i]);
}

/* --- graticules --- */

/* The boxes of colour bars. Names keep off them. */
static void
draw_boxes (const Panel *panel, Names *names)
{
  AmphistoArea *areas = &names->areas[N_TEXTS];

  for (uint32_t i = 0; i < N_COLOURS; i++) {
    areas[2 * i] = draw_box (panel, i + 1, 100, AMPHISTO_SCOPE_QUARTER);
    areas[2 * i + 1] = draw_box (panel, i + 1, BOX, AMPHISTO_SCOPE_BOX);
  }
}

/* The panel without its margin. */
static AmphistoArea
panel_room (const scope_params *scope)
{
  const int down = (int) amphisto_scope_margin (scope) - 1;
  const int across = (int) amphisto_scope_columns (scope, (uint32_t) down);

  return (AmphistoArea){ across, down, (int) scope->panel_width - across,
    (int) scope->panel_height - down };
}

/* The graticule of the whole plane: a ring around the range, axes, boxes, their
 * names, and figures. */
static void
draw_plane (const Panel *panel)
{
  const scope_params *scope = &panel->params->scope;
  const int x = panel->middle_x, y = panel->middle_y;
  const int down = ring_radius (panel->params);
  const int across = (int) amphisto_scope_columns (scope, (uint32_t) down);
  const AmphistoArea ring = { (x - across) / 16, (y - down) / 16,
    (x + across + 15) / 16, (y + down + 15) / 16 };
  Names names = { .room = panel_room (scope) };

  draw_ring (panel, down);
  draw_boxes (panel, &names);
  draw_axes (panel, ring, down);
  place_names (panel, &names);
  if (scope->plot_height >= LEAST_FIGURED)
    place_figures (panel, &names);
  draw_names (panel, &names);
}

/* --- zoomed graticules --- */

/* The plot, less a margin of `rows` on the display. */
static AmphistoArea
plot_without (const scope_params *scope, uint32_t rows)
{
  const int down = (int) rows;
  const int across = (int) amphisto_scope_columns (scope, rows);
  const int left = scope->plot_left, top = scope->plot_top;

  return (AmphistoArea){ left + across, top + down,
    left + (int) scope->plot_width - across,
    top + (int) scope->plot_height - down };
}

/* A colour's spoke: from (0, 0), the middle, to the side of the plot, in 1/16
 * pixel. */
static Point
find_spoke (const vectorscope_params *params, uint32_t colour)
{
  const scope_params *scope = &params->scope;
  int u, v;

  amphisto_vectorscope_target (params, colour, 100, &u, &v);

  /* neutral chroma is half a value beyond the middle of the values shown */
  const int64_t most = MAX (abs (u), abs (v));
  const int64_t reach = (int64_t) params->n_values * 128
      + ((abs (u) > abs (v) ? u : v) > 0 ? -128 : 128);
  const int64_t divisor = most * params->n_values * 16;

  return (Point){ (int) (u * reach * scope->plot_width / divisor),
    (int) -(v * reach * scope->plot_height / divisor) };
}

/* Spokes towards the colours, which leave the middle free for neutral chroma.
 */
static void
draw_spokes (const Panel *panel)
{
  const int x = panel->middle_x, y = panel->middle_y;

  for (uint32_t i = 0; i < N_COLOURS; i++) {
    const Point spoke = find_spoke (panel->params, i + 1);

    amphisto_graticule_line (panel->graticule, x + spoke.x * 3 / 8,
        y + spoke.y * 3 / 8, x + spoke.x, y + spoke.y,
        16 * panel->params->scope.gridline_width, AMPHISTO_SCOPE_QUARTER);
  }
}

/* The saturation of the ring in per cent, on the ring, between the spokes of
 * blue and cyan. */
static void
draw_saturation (const Panel *panel)
{
  /* -40 degrees */
  static const Direction to = { 50203, -42126 };
  const Point at = point_at (panel, to, ring_radius (panel->params));
  const char *text = panel->params->n_values == 128 ? "50" : "25";
  const AmphistoArea area =
      amphisto_scope_text_area (&panel->params->scope, text);

  draw_text (panel, at.x / 16 - (area.right - area.left) / 2,
      at.y / 16 - (area.bottom - area.top) / 2, text);
}

/* The zoom in the area's lower right corner, away from all other lines. */
static void
draw_zoom (const Panel *panel, const AmphistoArea *area)
{
  const char *text = panel->params->n_values == 128 ? "x2" : "x4";
  const AmphistoArea own =
      amphisto_scope_text_area (&panel->params->scope, text);

  draw_text (panel, area->right - (own.right - own.left),
      area->bottom - (own.bottom - own.top), text);
}

/* The graticule of the inner values: a border where the plane is cut off, axes,
 * spokes, and the ring, which has the same size whatever the zoom. So have the
 * boxes: at zoom 2, they are where bars of half the saturation are. Text is
 * within the arrows' tips. */
static void
draw_inner (const Panel *panel)
{
  const scope_params *scope = &panel->params->scope;
  const uint32_t plot = scope->plot_height;
  const uint32_t arrow = (uint32_t) ((uint64_t) plot * VECTORSCOPE_ARROW
      / (65536 * VECTORSCOPE_N_ARROWS));
  const AmphistoArea whole = plot_without (scope, 0);
  const AmphistoArea inner = plot_without (scope, arrow + 1);
  const int64_t up = panel->middle_y - 16 * whole.top;
  Names names = { .room = inner };

  amphisto_scope_draw_border (scope, panel->graticule);
  draw_ring (panel, ring_radius (panel->params));
  draw_axes (panel, whole, (int) (up * 65536 / SKIN_SINE));
  if (panel->params->n_values == AMPHISTO_N_BINS / 2)
    draw_boxes (panel, &names);
  if (plot >= 8 * scope->text_height)
    place_names (panel, &names);
  draw_spokes (panel);
  draw_names (panel, &names);
  if (plot >= LEAST_FIGURED)
    draw_saturation (panel);
  if (plot >= 5 * scope->text_height)
    draw_zoom (panel, &inner);
}

void
amphisto_vectorscope_draw_graticule (
    const scope_params *scope, uint32_t p, AmphistoGraticule *graticule)
{
  const vectorscope_params *params = (const vectorscope_params *) scope;
  const int odd = (int) scope->gridline_width % 2 * 8;
  const Panel panel = { params, graticule,
    16 * column_of (scope, params->n_values, 0) + odd,
    16 * row_of (scope, params->n_values, 0) + odd };

  (void) p;
  if (!scope->has_graticule)
    return;
  if (params->first == 0)
    draw_plane (&panel);
  else
    draw_inner (&panel);
}
