/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/captions.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/channels.h"
#include "core/scopes/axis.h"

#include <stdlib.h>

/* Pixels of an axis from which on it has all figures, and the middle one if
 * they are per cent. */
#define ALL_LENGTH 150
#define MIDDLE_LENGTH 100
/* The last tick. */
#define LAST (SCOPE_N_TICKS - 1)
/* A plot keeps this part of its panel's height, in fifths. */
#define PLOT_FIFTHS 2
/* An axis has limits if its ends are farther from the ticks, as a divisor of
 * its length. */
#define LIMIT_DIVISOR 32

static const uint32_t codes[SCOPE_N_TICKS] = { 0, 64, 128, 192, 255 };

static const char *const code_texts[SCOPE_N_TICKS] = { "0", "64", "128", "192",
  "255" };
static const char *const percent_texts[SCOPE_N_TICKS] = { "0", "25", "50", "75",
  "100" };
static const char *const signed_texts[SCOPE_N_TICKS] = { "-100", "-50", "0",
  "50", "100" };

void
amphisto_captions_init (const AmphistoScopeWork *work, scope_params *scope)
{
  scope->channels = work->shown;
  scope->is_percent = amphisto_axis_is_percent (work->part, work->shown);
}

uint32_t
amphisto_captions_tick (
    const AmphistoScopeWork *work, const scope_params *scope, uint32_t i)
{
  return amphisto_axis_percent (work->part, work->shown,
      scope->is_percent ? 100. * i / LAST : codes[i] / 2.55);
}

bool
amphisto_captions_have_limits (const scope_params *scope, uint32_t length)
{
  return scope->ticks[0] > length / LIMIT_DIVISOR;
}

/* --- rows --- */

uint32_t
amphisto_captions_row (const scope_params *scope)
{
  return scope->text_height + amphisto_scope_text_gap (scope);
}

bool
amphisto_captions_take_row (const scope_params *scope, uint32_t *room)
{
  const uint32_t row = amphisto_captions_row (scope);

  if (!scope->has_graticule
      || *room < row + scope->panel_height * PLOT_FIFTHS / 5)
    return false;
  *room -= row;
  return true;
}

/* --- letters --- */

static uint32_t
n_channels (const scope_params *scope)
{
  return amphisto_channels_count (scope->channels)
      / (scope->panels_x * scope->panels_y);
}

/* The channel that has `n` of the scope's channels before it. */
static AmphistoChannel
channel_at (const scope_params *scope, uint32_t n)
{
  AmphistoChannel channel = 0;

  while (!(scope->channels & AMPHISTO_CHANNEL_BIT (channel)) || n-- > 0)
    channel++;
  return channel;
}

/* Columns from a letter to the next. */
static uint32_t
letter_advance (const scope_params *scope)
{
  return amphisto_scope_text_width (scope, "Y")
      + amphisto_scope_columns (scope, scope->text_height * 3 / 7);
}

bool
amphisto_captions_letters_fit (const scope_params *scope)
{
  return (n_channels (scope) - 1) * letter_advance (scope)
      + amphisto_scope_text_width (scope, "Y")
      <= scope->plot_width;
}

/* Red, green or blue of text: a little whiter than the channel's line, because
 * letters are small. */
static uint32_t
letter_channel (const AmphistoChannelStyle *style, uint32_t c)
{
  return style->line[c] * 3 / 4 + 63;
}

void
amphisto_captions_draw_letters (
    const scope_params *scope, uint32_t panel, AmphistoGraticule *graticule)
{
  const uint32_t n = n_channels (scope);

  for (uint32_t i = 0; i < n; i++) {
    const AmphistoChannelStyle *style =
        &amphisto_channel_styles[channel_at (scope, panel * n + i)];

    amphisto_graticule_text (graticule,
        scope->plot_left + i * scope->letter_advance, scope->letters_top,
        scope->text_height, style->letter,
        AMPHISTO_LIGHT (letter_channel (style, 0), letter_channel (style, 1),
            letter_channel (style, 2)));
  }
}

/* --- numbers --- */

static const char glyphs[SCOPE_N_GLYPHS][2] = { "0", "1", "2", "3", "4", "5",
  "6", "7", "8", "9", "-", ".", " " };

static uint32_t
n_cells (const scope_params *scope)
{
  return 3 * scope->digits + 4;
}

/* Codes 0 to 255 have three digits, and so have per cent from -7 to 109; those
 * of U and V have a sign. */
static void
fill_numbers (const AmphistoScopeWork *work, scope_params *scope)
{
  scope->digits = 3;
  for (uint32_t i = 0; i < amphisto_channels_count (scope->channels); i++) {
    const AmphistoChannel channel = channel_at (scope, i);
    const AmphistoRange range = amphisto_channel_range (work->part, channel);
    number_params *number = &scope->number[i];

    number->slot = amphisto_scope_slot (work, channel);
    number->range = 100;
    if (scope->is_percent && amphisto_channel_is_chroma (channel)) {
      number->zero = 128;
      number->range = (range.hi - range.lo) / 2;
      scope->digits = 4;
    } else if (scope->is_percent) {
      number->zero = range.lo;
      number->range = range.hi - range.lo;
    }
    for (uint32_t c = 0; c < 3; c++)
      number->colour[c] = letter_channel (&amphisto_channel_styles[channel], c);
  }
}

void
amphisto_captions_place (
    const AmphistoScopeWork *work, scope_params *scope, uint32_t glyphs_left)
{
  const AmphistoArea area = amphisto_scope_text_area (scope, glyphs[0]);
  const uint32_t n = n_channels (scope);
  uint32_t width, space;

  fill_numbers (work, scope);
  scope->letter_advance = letter_advance (scope);
  scope->cell_width = amphisto_scope_text_width (scope, "00")
      - amphisto_scope_text_width (scope, "0");
  scope->numbers_left =
      amphisto_scope_text_width (scope, "Y") + scope->cell_width / 2;
  space = 2 * scope->cell_width; /* between channels */
  scope->glyphs_left = glyphs_left;
  width = scope->numbers_left + n_cells (scope) * scope->cell_width;
  if (n * width + (n - 1) * space > scope->plot_width
      || glyphs_left + SCOPE_N_GLYPHS * scope->cell_width > scope->width)
    return;
  scope->letter_advance = width + space;
  scope->n_numbers = amphisto_channels_count (scope->channels);
  scope->glyph_rows = (uint32_t) (area.bottom - area.top);
}

/* Each glyph is in the middle of its cell, and the whole cell has a backing. */
void
amphisto_captions_draw_glyphs (
    const scope_params *scope, AmphistoGraticule *graticule)
{
  const AmphistoArea area = amphisto_scope_text_area (scope, glyphs[0]);

  graticule->left = graticule->top = 0;
  for (uint32_t i = 0; i < SCOPE_N_GLYPHS; i++) {
    const int left = (int) (scope->glyphs_left + i * scope->cell_width);
    const int width = (int) amphisto_scope_text_width (scope, glyphs[i]);
    const AmphistoArea cell = { left, (int) scope->height,
      left + (int) scope->cell_width,
      (int) (scope->height + scope->glyph_rows) };

    amphisto_graticule_shade (graticule, cell, AMPHISTO_TEXT_BACKING);
    amphisto_graticule_text (graticule,
        left + ((int) scope->cell_width - width) / 2,
        (int) scope->height - area.top, scope->text_height, glyphs[i],
        AMPHISTO_LIGHT (255, 255, 255));
  }
}

/* Stores a number of tenths in `n` cells, aligned right, without decimals or
 * with one. */
static void
write_number (uint64_t tenths, bool is_negative, bool has_decimal, uint32_t n,
    uint32_t *cells)
{
  uint64_t rest = tenths;
  uint32_t cell = n, least = 1;

  if (has_decimal) {
    cells[--cell] = rest % 10;
    cells[--cell] = SCOPE_POINT;
    rest /= 10;
  }
  for (; rest > 0 || least > 0; rest /= 10, least = 0)
    cells[--cell] = rest % 10;
  if (is_negative && tenths > 0)
    cells[--cell] = SCOPE_MINUS;
  while (cell > 0)
    cells[--cell] = SCOPE_SPACE;
}

/* Stores the number of a mean code, sum / n. */
static void
write_code (const number_params *number, uint64_t sum, uint64_t n,
    bool has_decimal, uint32_t n_cells, uint32_t *cells)
{
  const uint64_t zero = number->zero * n, whole = number->range * n;
  const bool is_negative = sum < zero;
  const uint64_t distance =
      (is_negative ? zero - sum : sum - zero) * (has_decimal ? 1000 : 100);

  write_number ((2 * distance + whole) / (2 * whole), is_negative, has_decimal,
      n_cells, cells);
}

/* Stores the glyphs of the numbers of a histogram. */
static void
write_numbers (const scope_params *scope, const number_params *number,
    const uint32_t bins[AMPHISTO_N_BINS], uint32_t cells[SCOPE_MAX_CELLS])
{
  const uint32_t digits = scope->digits;
  uint64_t sum = 0, n = 0;
  uint32_t first = AMPHISTO_N_BINS, last = 0;

  for (uint32_t i = 0; i < SCOPE_MAX_CELLS; i++)
    cells[i] = SCOPE_SPACE;
  for (uint32_t v = 0; v < AMPHISTO_N_BINS; v++) {
    sum += (uint64_t) bins[v] * v;
    n += bins[v];
    first = bins[v] > 0 ? MIN (first, v) : first;
    last = bins[v] > 0 ? v : last;
  }
  if (n == 0)
    return;
  write_code (number, first, 1, false, digits, cells);
  write_code (number, sum, n, true, digits + 2, cells + digits + 1);
  write_code (number, last, 1, false, digits, cells + 2 * digits + 4);
}

void
amphisto_captions_draw_numbers (const scope_params *scope,
    const AmphistoScopeInput *input, AmphistoGraticule *graticule)
{
  const uint32_t n = n_channels (scope);

  for (uint32_t i = 0; i < scope->n_numbers; i++) {
    const number_params *number = &scope->number[i];
    const uint32_t panel = i / n;
    const uint32_t x = scope->panels_left
        + panel % scope->panels_x * scope->panel_width + scope->plot_left
        + i % n * scope->letter_advance + scope->numbers_left;
    const uint32_t y = scope->panels_top
        + panel / scope->panels_x * scope->panel_height + scope->letters_top
        - (scope->glyph_rows - scope->text_height) / 2;
    uint32_t cells[SCOPE_MAX_CELLS];

    write_numbers (scope, number, input->bins[number->slot], cells);
    for (uint32_t c = 0; c < n_cells (scope); c++)
      amphisto_scope_copy_glyphs (scope,
          scope->glyphs_left + cells[c] * scope->cell_width, scope->cell_width,
          number->colour, x + c * scope->cell_width, y, graticule);
  }
}

/* --- figures --- */

bool
amphisto_captions_are_signed (const scope_params *scope, uint32_t panel)
{
  const uint32_t n = n_channels (scope);

  for (uint32_t i = 0; i < n; i++)
    if (!amphisto_channel_is_chroma (channel_at (scope, panel * n + i)))
      return false;
  return true;
}

static const char *const *
texts_of (const scope_params *scope, uint32_t panel)
{
  if (!scope->is_percent)
    return code_texts;
  return amphisto_captions_are_signed (scope, panel) ? signed_texts
                                                     : percent_texts;
}

/* A tick's figure, in the middle of the tick or, at the panel's sides, inside
 * its margin. */
static AmphistoFigure
place_figure (
    const scope_params *scope, uint32_t tick, bool is_upright, const char *text)
{
  const int first = (int) (is_upright ? amphisto_scope_margin (scope)
                                      : amphisto_scope_side_margin (scope));
  const int size =
      is_upright ? scope->text_height : amphisto_scope_text_width (scope, text);
  const int last =
      (is_upright ? scope->panel_height : scope->panel_width) - first - size;
  const int middle = is_upright
      ? scope->plot_top + scope->plot_height - 1 - scope->ticks[tick]
      : scope->plot_left + scope->ticks[tick];
  const int begin = MAX (MIN (middle - (size - 1) / 2, last), first);

  return (AmphistoFigure){ text, begin, begin + size };
}

/* Whether there is space between figures side by side, or below each other. */
static bool
are_apart (const AmphistoFigure *figures, uint32_t n, int space)
{
  for (uint32_t i = 0; i + 1 < n; i++)
    if (figures[i].end + space > figures[i + 1].begin
        && figures[i + 1].end + space > figures[i].begin)
      return false;
  return true;
}

uint32_t
amphisto_captions_figures (const scope_params *scope, uint32_t panel,
    bool is_upright, AmphistoFigure figures[SCOPE_N_TICKS])
{
  const char *const *texts = texts_of (scope, panel);
  const uint32_t length = is_upright ? scope->plot_height : scope->plot_width;
  const uint32_t text = scope->text_height;
  const int space = is_upright ? amphisto_scope_text_gap (scope)
                               : amphisto_scope_columns (scope, text * 6 / 7);

  for (uint32_t step = 1; step <= LAST; step *= 2) {
    uint32_t n = 0;

    if (step < LAST
        && length
            < (step == 1 || !scope->is_percent ? ALL_LENGTH : MIDDLE_LENGTH))
      continue;
    for (uint32_t i = 0; i <= LAST; i += step)
      figures[n++] = place_figure (scope, i, is_upright, texts[i]);
    if (are_apart (figures, n, space))
      return n;
  }
  return 0;
}

uint32_t
amphisto_captions_width (const scope_params *scope, uint32_t panel)
{
  const char *const *texts = texts_of (scope, panel);

  return MAX (amphisto_scope_text_width (scope, texts[0]),
      amphisto_scope_text_width (scope, texts[LAST]));
}

bool
amphisto_captions_are_same (
    const scope_params *scope, uint32_t panel, uint32_t other)
{
  return texts_of (scope, panel) == texts_of (scope, other);
}
