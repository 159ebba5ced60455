/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/places.h"
#include "core/pixels/arithmetic.h"
#include "core/scopes/drawing.h"

/* Scopes shrink in steps of 1/N_STEPS of the sizes asked for. */
#define N_STEPS 256
/* Thirds of the frame's width to which parades are enlarged. One that asks for
 * more hides too much of the picture. */
#define PARADE_THIRDS 2

/* --- sizes --- */

/* A scope to place, and the size asked for: the width of all its panels, the
 * height of one. */
typedef struct
{
  scope_params *scope;
  bool is_square;
  uint32_t width;
  uint32_t panel_height;
} Request;

/* The edge along which scopes are placed from the corner on, side by side, in
 * one or two rows. */
typedef struct
{
  const AmphistoScopeSettings *settings;
  uint32_t width; /* of the frame */
  uint32_t height;
  uint32_t unit_x; /* scopes begin at multiples of unit_x by unit_y pixels */
  uint32_t unit_y; /* their heights are multiples, too */
  Request requests[AMPHISTO_N_SCOPES];
  uint32_t n;

  /* Distance to the frame's sides, if there is room, and between scopes. */
  uint32_t margin;
  uint32_t gap_x;
  uint32_t gap_y;
} Edge;

static uint32_t
round_nearest (uint32_t v, uint32_t unit)
{
  return (v + unit / 2) / unit * unit;
}

/* A multiple of `unit`: a fraction of the frame's size, but legible, and not
 * larger than the frame. */
static uint32_t
asked_size (uint32_t size, double fraction, uint32_t least, uint32_t unit)
{
  const uint32_t wanted = (uint32_t) (size * fraction / unit + 0.5) * unit;

  return MIN (MAX (wanted, least), size / unit * unit);
}

static Request
request_for (const Edge *edge, bool is_square, scope_params *scope)
{
  const AmphistoScopeSettings *settings = edge->settings;
  const uint32_t legible = scope->panels_x * AMPHISTO_LEGIBLE_WIDTH;
  const uint32_t most =
      edge->width * PARADE_THIRDS / 3 / SCOPE_UNIT * SCOPE_UNIT;

  return (Request){ scope, is_square,
    MIN (scope->panels_x * AMPHISTO_MOST_WIDTH,
        asked_size (edge->width, settings->width,
            scope->panels_x > 1 ? MIN (legible, most) : legible, SCOPE_UNIT)),
    MIN (AMPHISTO_MOST_HEIGHT,
        asked_size (edge->height / scope->panels_y, settings->height,
            AMPHISTO_LEGIBLE_HEIGHT, edge->unit_y)) };
}

static uint32_t
least_height (const Request *request)
{
  return request->is_square ? AMPHISTO_LEAST_SQUARE : AMPHISTO_LEAST_HEIGHT;
}

/* The size at `step` of N_STEPS, but at least `least` if the frame has room. */
static uint32_t
shrink (uint32_t asked, uint32_t step, uint32_t least, uint32_t unit)
{
  return MAX (MIN (asked, least), asked * step / N_STEPS / unit * unit);
}

/* A square is square on the display. */
static void
size_scope (const Edge *edge, const Request *request, uint32_t step)
{
  scope_params *scope = request->scope;

  scope->panel_height = shrink (
      request->panel_height, step, least_height (request), edge->unit_y);
  if (request->is_square)
    scope->panel_width = MAX (AMPHISTO_LEAST_SQUARE,
        round_up (
            scope->panel_height * AMPHISTO_SQUARE_PIXEL / scope->pixel_aspect,
            SCOPE_UNIT));
  else
    scope->panel_width = shrink (request->width, step,
                             scope->panels_x * AMPHISTO_LEAST_WIDTH, SCOPE_UNIT)
        / scope->panels_x / AMPHISTO_PANEL_UNIT * AMPHISTO_PANEL_UNIT;
  scope->width = round_up (scope->panels_x * scope->panel_width, SCOPE_UNIT);
  scope->height = scope->panels_y * scope->panel_height;
}

/* Sizes scopes, margins and gaps. */
static void
size_all (Edge *edge, uint32_t step)
{
  edge->margin = MIN (edge->width, edge->height) / 40 * step / N_STEPS;
  edge->gap_x = MAX (edge->unit_x, round_nearest (edge->margin, edge->unit_x));
  edge->gap_y = MAX (edge->unit_y, round_nearest (edge->margin, edge->unit_y));
  for (uint32_t i = 0; i < edge->n; i++)
    size_scope (edge, &edge->requests[i], step);
}

static bool
is_tiny (const Request *request)
{
  const scope_params *scope = request->scope;

  return scope->panel_width < AMPHISTO_LEAST_WIDTH
      || scope->panel_height < least_height (request);
}

/* Whether no scope has become less legible than was asked for. */
static bool
are_legible (const Edge *edge)
{
  for (uint32_t i = 0; i < edge->n; i++) {
    const Request *request = &edge->requests[i];
    const scope_params *scope = request->scope;

    if (scope->panel_height
            < MIN (request->panel_height, AMPHISTO_LEGIBLE_HEIGHT)
        || (!request->is_square
            && scope->width < MIN (
                   request->width, scope->panels_x * AMPHISTO_LEGIBLE_WIDTH)))
      return false;
  }
  return true;
}

/* --- places --- */

/* Scopes side by side, from `first` to before `end`. */
static uint32_t
row_width (const Edge *edge, uint32_t first, uint32_t end)
{
  uint32_t width = (end - first - 1) * edge->gap_x;

  for (uint32_t i = first; i < end; i++)
    width += edge->requests[i].scope->width;
  return width;
}

static uint32_t
row_height (const Edge *edge, uint32_t first, uint32_t end)
{
  uint32_t height = 0;

  for (uint32_t i = first; i < end; i++)
    height = MAX (height, edge->requests[i].scope->height);
  return height;
}

/* A scope alone in its row may use the margins. */
static bool
row_fits (const Edge *edge, uint32_t first, uint32_t end)
{
  const uint32_t margins =
      end - first > 1 ? 2 * round_nearest (edge->margin, edge->unit_x) : 0;

  for (uint32_t i = first; i < end; i++)
    if (is_tiny (&edge->requests[i]))
      return false;
  return row_width (edge, first, end) + margins <= edge->width
      && row_height (edge, first, end) <= edge->height;
}

/* Whether all scopes fit, n_first of them in the first row. */
static bool
rows_fit (const Edge *edge, uint32_t n_first)
{
  if (n_first == edge->n)
    return row_fits (edge, 0, n_first);
  return row_fits (edge, 0, n_first) && row_fits (edge, n_first, edge->n)
      && row_height (edge, 0, n_first) + edge->gap_y
          + row_height (edge, n_first, edge->n)
          + 2 * round_nearest (edge->margin, edge->unit_y)
      <= edge->height;
}

/* Finds the largest sizes, at most those of step `most`, at which all scopes
 * fit into `n_rows` rows, 1 or 2.
 *
 * Returns: the number of scopes in the first row; 0: they do not fit. */
static uint32_t
fit_rows (Edge *edge, uint32_t n_rows, uint32_t most)
{
  const uint32_t last = n_rows == 1 ? edge->n : 1;

  for (uint32_t step = most + 1; step-- > 0;) {
    size_all (edge, step);
    for (uint32_t n_first = edge->n + 1 - n_rows; n_first >= last; n_first--)
      if (rows_fit (edge, n_first))
        return n_first;
  }
  return 0;
}

/* Like fit_rows(), but finds the number of rows: two if the frame is higher
 * than wide, and scopes would not be legible in one. */
static uint32_t
fit (Edge *edge, uint32_t most)
{
  const uint32_t aspect = edge->requests[0].scope->pixel_aspect;
  const bool is_high = (uint64_t) edge->width * aspect
      < (uint64_t) edge->height * AMPHISTO_SQUARE_PIXEL;
  uint32_t n_first = fit_rows (edge, 1, most);

  if (is_high && (n_first == 0 || !are_legible (edge))) {
    n_first = fit_rows (edge, 2, most);
    if (n_first == 0)
      n_first = fit_rows (edge, 1, most);
  }
  return n_first;
}

/* The beginning of `size` pixels, at a distance of `margin` from the frame's
 * near or far side, or in the middle if there is less room. */
static uint32_t
place (
    uint32_t frame, uint32_t size, uint32_t margin, bool is_far, uint32_t unit)
{
  const uint32_t rest = frame - size;
  const uint32_t inset = MIN (margin, rest / 2);
  const uint32_t begin =
      is_far ? rest - inset + unit / 2 - 1 : inset + unit / 2;

  return MIN (begin, rest) / unit * unit;
}

/* Places scopes side by side, from `first` to before `end`. taken: rows between
 * the frame's margin and the scopes. */
static void
place_row (const Edge *edge, uint32_t first, uint32_t end, uint32_t taken)
{
  const AmphistoScopePosition position = edge->settings->position;
  const bool is_right = (position & AMPHISTO_SCOPE_TOP_RIGHT) != 0;
  const bool is_bottom = (position & AMPHISTO_SCOPE_BOTTOM_LEFT) != 0;
  uint32_t x = place (edge->width, row_width (edge, first, end), edge->margin,
      is_right, edge->unit_x);

  for (uint32_t i = 0; i < end - first; i++) {
    scope_params *scope =
        edge->requests[is_right ? end - 1 - i : first + i].scope;
    const uint32_t y = place (
        edge->height, scope->height, edge->margin, is_bottom, edge->unit_y);

    scope->x = x;
    scope->y = is_bottom ? y - taken : y + taken;
    x += scope->width + edge->gap_x;
  }
}

/* Adds the wanted scopes. Leaves out a scope that does not fit beside the
 * previous ones even if all become tiny.
 *
 * Returns: the scopes added. */
static AmphistoScopes
add_scopes (
    AmphistoScopes wanted, Edge *edge, scope_params *scopes[AMPHISTO_N_SCOPES])
{
  AmphistoScopes added = AMPHISTO_SCOPE_NONE;

  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++) {
    if (!(wanted & 1u << i))
      continue;
    edge->requests[edge->n++] =
        request_for (edge, amphisto_scopes[i]->is_square, scopes[i]);
    if (fit (edge, 0) > 0) {
      added |= 1u << i;
    } else {
      edge->n--;
      *scopes[i] = (scope_params){ 0 };
    }
  }
  return added;
}

AmphistoScopes
amphisto_places_fill (const AmphistoScopeWork *work, AmphistoScopes wanted,
    scope_params *scopes[AMPHISTO_N_SCOPES])
{
  const AmphistoLayout *layout = work->layout;
  Edge edge = { .settings = work->settings,
    .width = amphisto_layout_luma (layout)->width,
    .height = amphisto_layout_luma (layout)->height,
    .unit_x = 4u << layout->component[AMPHISTO_CHANNEL_U].x_shift,
    .unit_y = amphisto_drawing_rows (layout) };
  const AmphistoScopes added = add_scopes (wanted, &edge, scopes);
  uint32_t n_first;

  if (added == AMPHISTO_SCOPE_NONE)
    return added;
  n_first = fit (&edge, N_STEPS);
  place_row (&edge, 0, n_first, 0);
  if (n_first < edge.n)
    place_row (
        &edge, n_first, edge.n, row_height (&edge, 0, n_first) + edge.gap_y);
  return added;
}
