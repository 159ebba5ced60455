/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/places.h"
#include "core/pixels/arithmetic.h"

/* Alignment of scopes, in pixels. */
#define UNIT 4

/* The scopes that fill a frame of their own: graphs, which have a common size,
 * and at most one square, the last. */
typedef struct
{
  uint32_t width;
  uint32_t height;
  scope_params *graphs[AMPHISTO_N_SCOPES];
  uint32_t n_graphs;
  scope_params *square;
} Board;

/* Graphs in a row or in a column, and the square right of them or below. */
typedef struct
{
  bool is_row;
  bool is_beside;
} Arrangement;

/* In the order of preference for equal sizes: a row, two by two, a column. */
static const Arrangement arrangements[] = { { true, true }, { false, true },
  { true, false }, { false, false } };

static uint32_t
floor_unit (uint32_t v)
{
  return v / UNIT * UNIT;
}

/* The side of the square, 0 without one. Right of the graphs, it is as high as
 * they are together, which are at least 4:3. Below them, it is as high as each,
 * or takes the rows that they do not need to be 4:3. */
static uint32_t
square_side (const Board *board, const Arrangement *arrangement)
{
  const uint32_t across = arrangement->is_row ? board->n_graphs : 1;
  const uint32_t down = arrangement->is_row ? 1 : board->n_graphs;
  const uint32_t width = board->width, height = board->height;
  uint32_t needed;

  if (board->square == NULL)
    return 0;
  if (board->n_graphs == 0)
    return MIN (width, height);
  if (arrangement->is_beside)
    return MIN (height,
        (uint32_t) ((uint64_t) width * 3 * down / (3 * down + 4 * across)));
  needed =
      MIN (height, (uint32_t) ((uint64_t) width * 3 * down / (4 * across)));
  return MIN (width, MAX (height / (down + 1), height - needed));
}

/* Places a graph in columns `left` to before `right`, and rows likewise. */
static void
place_graph (scope_params *scope, uint32_t left, uint32_t top, uint32_t right,
    uint32_t bottom)
{
  const uint32_t width = MIN (scope->panels_x * AMPHISTO_MOST_WIDTH,
      (right - left) / SCOPE_UNIT * SCOPE_UNIT);

  scope->panel_width =
      width / scope->panels_x / AMPHISTO_PANEL_UNIT * AMPHISTO_PANEL_UNIT;
  scope->panel_height =
      MIN (AMPHISTO_MOST_HEIGHT, floor_unit ((bottom - top) / scope->panels_y));
  scope->width = round_up (scope->panels_x * scope->panel_width, SCOPE_UNIT);
  scope->height = scope->panels_y * scope->panel_height;
  scope->x = left + floor_unit ((right - left - scope->width) / 2);
  scope->y = top + floor_unit ((bottom - top - scope->height) / 2);
}

/* Places the square, `side` pixels high, in the middle of the rectangle. */
static void
place_square (scope_params *scope, uint32_t side, uint32_t left, uint32_t top,
    uint32_t right, uint32_t bottom)
{
  scope->panel_height =
      floor_unit (MIN (side, (right - left) / SCOPE_UNIT * SCOPE_UNIT));
  scope->panel_width = round_up (scope->panel_height, SCOPE_UNIT);
  scope->width = scope->panel_width;
  scope->height = scope->panel_height;
  scope->x = left + floor_unit ((right - left - scope->width) / 2);
  scope->y = top + floor_unit ((bottom - top - scope->height) / 2);
}

static void
place_all (const Board *board, const Arrangement *arrangement)
{
  const uint32_t side = square_side (board, arrangement);
  const uint32_t n = board->n_graphs;
  const bool is_beside = n > 0 && side > 0 && arrangement->is_beside;
  const bool is_below = n > 0 && side > 0 && !arrangement->is_beside;
  /* what the graphs have together */
  const uint32_t right = is_beside
      ? (board->width - side) / SCOPE_UNIT * SCOPE_UNIT
      : board->width;
  const uint32_t bottom =
      is_below ? floor_unit (board->height - side) : board->height;
  const uint32_t top = is_beside ? floor_unit ((board->height - side) / 2) : 0;
  const uint32_t height = is_beside ? side : bottom;

  for (uint32_t i = 0; i < n; i++)
    if (arrangement->is_row)
      place_graph (board->graphs[i], floor_unit (right * i / n), top,
          floor_unit (right * (i + 1) / n), top + height);
    else
      place_graph (board->graphs[i], 0, top + floor_unit (height * i / n),
          right, top + floor_unit (height * (i + 1) / n));
  if (side > 0)
    place_square (board->square, side, is_beside ? right : 0,
        is_below ? bottom : 0, board->width, board->height);
}

/* --- the best arrangement --- */

static bool
is_legible (const scope_params *scope, bool is_square, bool is_alone)
{
  uint32_t width = AMPHISTO_LEGIBLE_WIDTH, height = AMPHISTO_LEGIBLE_HEIGHT;

  if (is_alone) {
    width = AMPHISTO_LEAST_WIDTH;
    height = AMPHISTO_LEAST_HEIGHT;
  }
  if (is_square)
    width = height = MAX (height, AMPHISTO_LEAST_SQUARE);
  return scope->panel_width >= width && scope->panel_height >= height;
}

/* The pixels of a panel. Rows that make a graph narrower than 4:3 do not count.
 */
static uint64_t
good_area (const scope_params *scope)
{
  return (uint64_t) scope->width * MIN (4 * scope->height, 3 * scope->width) / 4
      / (scope->panels_x * scope->panels_y);
}

/* Returns: the good area of the smallest panel; 0 if one is illegible. */
static uint64_t
smallest_area (const Board *board)
{
  const bool is_alone = board->n_graphs + (board->square != NULL) == 1;
  const scope_params *square = board->square;
  uint64_t least = UINT64_MAX;

  for (uint32_t i = 0; i < board->n_graphs; i++)
    least = MIN (least,
        is_legible (board->graphs[i], false, is_alone)
            ? good_area (board->graphs[i])
            : 0);
  if (square == NULL)
    return least;
  return MIN (least,
      is_legible (square, true, is_alone)
          ? (uint64_t) square->panel_height * square->panel_height
          : 0);
}

/* Places the scopes in the best arrangement.
 *
 * Returns: false if they do not fit. */
static bool
fit (const Board *board)
{
  const Arrangement *best = NULL;
  uint64_t largest = 0;

  for (uint32_t i = 0; i < sizeof arrangements / sizeof arrangements[0]; i++) {
    uint64_t area;

    place_all (board, &arrangements[i]);
    area = smallest_area (board);
    if (area > largest) {
      largest = area;
      best = &arrangements[i];
    }
  }
  if (best != NULL)
    place_all (board, best);
  return best != NULL;
}

/* The scopes of `flags`. */
static Board
board_for (const AmphistoScopeWork *work, AmphistoScopes flags,
    scope_params *scopes[AMPHISTO_N_SCOPES])
{
  const AmphistoComponent *pixels = amphisto_layout_luma (work->layout);
  Board board = { .width = pixels->width, .height = pixels->height };

  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++)
    if (flags & 1u << i && amphisto_scopes[i]->is_square)
      board.square = scopes[i];
    else if (flags & 1u << i)
      board.graphs[board.n_graphs++] = scopes[i];
  return board;
}

AmphistoScopes
amphisto_scopes_only_fill (const AmphistoScopeWork *work, AmphistoScopes wanted,
    scope_params *scopes[AMPHISTO_N_SCOPES])
{
  AmphistoScopes fitting = wanted;

  for (uint32_t i = AMPHISTO_N_SCOPES; i-- > 0;) {
    const Board board = board_for (work, fitting, scopes);

    if (fitting == AMPHISTO_SCOPE_NONE || fit (&board))
      break;
    if (fitting & 1u << i) {
      *scopes[i] = (scope_params){ 0 };
      fitting &= ~(1u << i);
    }
  }
  return fitting;
}
