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

static uint32_t
letter_width (const scope_params *scope)
{
  return amphisto_graticule_text_width (
      "Y", scope->text_height, scope->pixel_aspect);
}

/* Columns from a letter to the next. */
static uint32_t
letter_advance (const scope_params *scope)
{
  return letter_width (scope)
      + amphisto_scope_columns (scope, scope->text_height * 3 / 7);
}

bool
amphisto_captions_letters_fit (const scope_params *scope)
{
  return (n_channels (scope) - 1) * letter_advance (scope)
      + letter_width (scope)
      <= scope->plot_width;
}

/* A little whiter than the channel's line, because letters are small. */
static uint32_t
letter_light (const uint32_t line[3])
{
  return AMPHISTO_LIGHT (
      line[0] * 3 / 4 + 63, line[1] * 3 / 4 + 63, line[2] * 3 / 4 + 63);
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
        scope->plot_left + i * letter_advance (scope), scope->letters_top,
        scope->text_height, style->letter, letter_light (style->line));
  }
}

/* --- figures --- */

/* Whether the panel has only U or V, with 0 in the middle of their axis. */
static bool
is_signed (const scope_params *scope, uint32_t panel)
{
  const uint32_t n = n_channels (scope);

  for (uint32_t i = 0; i < n; i++)
    if (!amphisto_channel_is_chroma (channel_at (scope, panel * n + i)))
      return false;
  return scope->is_percent;
}

static const char *const *
texts_of (const scope_params *scope, uint32_t panel)
{
  if (!scope->is_percent)
    return code_texts;
  return is_signed (scope, panel) ? signed_texts : percent_texts;
}

static uint32_t
text_width (const scope_params *scope, const char *text)
{
  return amphisto_graticule_text_width (
      text, scope->text_height, scope->pixel_aspect);
}

/* A tick's figure, in the middle of the tick or, at the panel's sides, inside
 * its margin. */
static AmphistoFigure
place_figure (
    const scope_params *scope, uint32_t tick, bool is_upright, const char *text)
{
  const int first = (int) (is_upright ? amphisto_scope_margin (scope)
                                      : amphisto_scope_side_margin (scope));
  const int size = is_upright ? scope->text_height : text_width (scope, text);
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

  return MAX (text_width (scope, texts[0]), text_width (scope, texts[LAST]));
}

bool
amphisto_captions_are_same (
    const scope_params *scope, uint32_t panel, uint32_t other)
{
  return texts_of (scope, panel) == texts_of (scope, other);
}
