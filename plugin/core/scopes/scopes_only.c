/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/places.h"
#include "core/pixels/arithmetic.h"

/* Alignment of scopes, in pixels. */
#define UNIT 4

/* Scopes in rows, from left to right. All rows have the same height, and the
 * scopes of a row divide its width evenly. */
typedef struct
{
  uint32_t width;
  uint32_t height;
  bool is_square[AMPHISTO_N_SCOPES];
  scope_params *scopes[AMPHISTO_N_SCOPES];
  uint32_t n;
} Board;

/* Where part i of n of `size` pixels begins. */
static uint32_t
part_begin (uint32_t size, uint32_t i, uint32_t n)
{
  return i == n ? size : (uint32_t) ((uint64_t) size * i / n) / UNIT * UNIT;
}

/* The part of the board for scope i. */
static AmphistoRegion
part_of (const Board *board, uint32_t i, uint32_t n_columns)
{
  const uint32_t row = i / n_columns, column = i % n_columns;
  const uint32_t n_rows = (board->n + n_columns - 1) / n_columns;
  const uint32_t in_row = MIN (n_columns, board->n - row * n_columns);
  const uint32_t x = part_begin (board->width, column, in_row);
  const uint32_t y = part_begin (board->height, row, n_rows);

  return (AmphistoRegion){ x, y,
    part_begin (board->width, column + 1, in_row) - x,
    part_begin (board->height, row + 1, n_rows) - y };
}

/* Makes the scope as large as possible within the part, in its middle. */
static void
place_scope (const AmphistoRegion *part, bool is_square, scope_params *scope)
{
  const uint32_t width = MIN (scope->panels_x * AMPHISTO_MOST_WIDTH,
      part->width / SCOPE_UNIT * SCOPE_UNIT);
  const uint32_t height = part->height / scope->panels_y;
  const uint32_t most = is_square ? MIN (width, height) : height;

  scope->panel_height = MIN (AMPHISTO_MOST_HEIGHT, most / UNIT * UNIT);
  scope->panel_width = is_square
      ? round_up (scope->panel_height, SCOPE_UNIT)
      : width / scope->panels_x / AMPHISTO_PANEL_UNIT * AMPHISTO_PANEL_UNIT;
  scope->width = round_up (scope->panels_x * scope->panel_width, SCOPE_UNIT);
  scope->height = scope->panels_y * scope->panel_height;
  scope->x = part->x + (part->width - scope->width) / 2 / UNIT * UNIT;
  scope->y = part->y + (part->height - scope->height) / 2 / UNIT * UNIT;
}

static bool
is_legible (const Board *board, uint32_t i)
{
  const scope_params *scope = board->scopes[i];
  uint32_t width = AMPHISTO_LEGIBLE_WIDTH, height = AMPHISTO_LEGIBLE_HEIGHT;

  if (board->n == 1) {
    width = AMPHISTO_LEAST_WIDTH;
    height = AMPHISTO_LEAST_HEIGHT;
  }
  if (board->is_square[i])
    width = height = MAX (height, AMPHISTO_LEAST_SQUARE);
  return scope->panel_width >= width && scope->panel_height >= height;
}

/* The pixels of the largest rectangle of the good shape within a panel. */
static uint64_t
good_area (bool is_square, const scope_params *scope)
{
  const uint64_t width = scope->panel_width, height = scope->panel_height;
  const uint64_t side = MIN (width, height);
  const uint64_t twelfths = MIN (3 * width, 4 * height);

  return is_square ? side * side : twelfths * twelfths / 12;
}

/* Places the scopes in rows of `n_columns`.
 *
 * Returns: the good area of the smallest panel; 0 if one is illegible. */
static uint64_t
place_all (const Board *board, uint32_t n_columns)
{
  uint64_t least = UINT64_MAX;

  for (uint32_t i = 0; i < board->n; i++) {
    const AmphistoRegion part = part_of (board, i, n_columns);

    place_scope (&part, board->is_square[i], board->scopes[i]);
    least = MIN (least,
        is_legible (board, i)
            ? good_area (board->is_square[i], board->scopes[i])
            : 0);
  }
  return least;
}

/* Places the scopes in the best number of columns.
 *
 * Returns: FALSE if they do not fit. */
static bool
fit (const Board *board)
{
  uint64_t best = 0;
  uint32_t best_columns = 0;

  for (uint32_t n_columns = board->n; n_columns > 0; n_columns--) {
    const uint64_t area = place_all (board, n_columns);

    if (area > best) {
      best = area;
      best_columns = n_columns;
    }
  }
  if (best > 0)
    place_all (board, best_columns);
  return best > 0;
}

AmphistoScopes
amphisto_scopes_only_fill (const AmphistoScopeWork *work, AmphistoScopes wanted,
    scope_params *scopes[AMPHISTO_N_SCOPES])
{
  const AmphistoComponent *pixels = amphisto_layout_luma (work->layout);
  Board board = { .width = pixels->width, .height = pixels->height };
  AmphistoScopes fitting = wanted;

  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++)
    if (wanted & 1u << i) {
      board.is_square[board.n] = amphisto_scopes[i]->is_square;
      board.scopes[board.n++] = scopes[i];
    }
  for (uint32_t i = AMPHISTO_N_SCOPES; i-- > 0 && board.n > 0 && !fit (&board);)
    if (fitting & 1u << i) {
      *board.scopes[--board.n] = (scope_params){ 0 };
      fitting &= ~(1u << i);
    }
  return fitting;
}
