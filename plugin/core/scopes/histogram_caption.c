/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/histogram_caption.h"
#include "core/change/exposure.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/channels.h"

#include <math.h>

/* Spaces in sevenths of the text's height: between texts in a row, and above
 * and below the legend and the text. */
#define TEXT_SPACE 6
#define LINE_SPACE 2
/* Height of the legend, in the same units. */
#define LEGEND_HEIGHT 3
/* Maximum heights of legend and text, as divisors of the panel's height. */
#define MOST_LEGEND_FRACTION 8
#define MOST_TEXT_FRACTION 4
/* Columns of a plot that shows all figures. */
#define WIDE_PLOT 150

/* A figure at a code or at a per cent of the axis. */
typedef struct
{
  const char *text;
  uint32_t at;
} Figure;

#define MOST_FIGURES 5

static const Figure code_figures[MOST_FIGURES] = { { "0", 0 }, { "64", 64 },
  { "128", 128 }, { "192", 192 }, { "255", 255 } };
static const Figure percent_figures[MOST_FIGURES] = { { "0", 0 }, { "25", 25 },
  { "50", 50 }, { "75", 75 }, { "100", 100 } };
static const Figure chroma_figures[] = { { "-100", 0 }, { "0", 50 },
  { "100", 100 } };

/* Which text is shown. */
typedef enum
{
  NOTHING,
  LETTERS,      /* alone */
  ENDS,         /* the first and the last figure, with the letters between */
  FIGURES,      /* all, with the letters right of the middle one */
  FIGURES_ABOVE /* all, with the letters in a row below */
} Arrangement;

/* Text and legend of a panel: the height of the text, in rows, and the height
 * from which the legend's is derived; see legend_rows(). 0: left out. */
typedef struct
{
  Arrangement arrangement;
  uint32_t text;
  uint32_t legend;
} Caption;

/* Text in a panel's row. */
typedef struct
{
  const char *text;
  uint32_t left;
  uint32_t right; /* exclusive */
} Place;

/* Rows. */
static uint32_t
sevenths (uint32_t n, uint32_t height)
{
  return (n * height + 3) / 7;
}

static uint32_t
text_width (const scope_params *scope, const char *text, uint32_t height)
{
  return amphisto_graticule_text_width (text, height, scope->pixel_aspect);
}

static uint32_t
letters_width (const histogram_scope_params *params, uint32_t height)
{
  const scope_params *scope = &params->scope;

  return (params->panel_curves - 1)
      * amphisto_scope_letter_advance (scope, height)
      + text_width (scope, "Y", height);
}

/* Includes the space below the text, but not above it. */
static uint32_t
text_rows (uint32_t height)
{
  return height + sevenths (LINE_SPACE, height);
}

static uint32_t
legend_rows (uint32_t height)
{
  return sevenths (LEGEND_HEIGHT, height) + sevenths (LINE_SPACE, height);
}

/* Columns between texts in a row. */
static uint32_t
text_space (const scope_params *scope, uint32_t height)
{
  return amphisto_scope_columns (scope, sevenths (TEXT_SPACE, height));
}

/* --- the row of figures --- */

uint32_t
amphisto_histogram_axis_column (
    const histogram_scope_params *params, uint32_t at)
{
  const scope_params *scope = &params->scope;
  const uint32_t last = scope->plot_width - 1;
  uint32_t position;

  if (!params->is_percent)
    return scope->plot_left + (at * last + 127) / 255;
  position = params->zero + (params->hundred - params->zero) * at / 100;
  return scope->plot_left + ((position * last + 32768) >> 16);
}

/* Centred at its column, but inside the plot. */
static Place
place_figure (
    const histogram_scope_params *params, const Figure *figure, uint32_t height)
{
  const scope_params *scope = &params->scope;
  const uint32_t width = text_width (scope, figure->text, height);
  const uint32_t end = scope->plot_left + scope->plot_width;
  const uint32_t middle = amphisto_histogram_axis_column (params, figure->at);
  uint32_t left = scope->plot_left;

  if (middle > left + width / 2)
    left = middle - width / 2;
  if (left + width > end)
    left = end > width ? end - width : 0;
  return (Place){ figure->text, left, left + width };
}

/* Whether the panel has only U or V. */
static bool
is_chroma (const histogram_scope_params *params, uint32_t panel)
{
  const curve_params *curve = &params->curve[panel * params->panel_curves];

  for (uint32_t i = 0; i < params->panel_curves; i++)
    if (!amphisto_channel_is_chroma (curve[i].channel))
      return false;
  return true;
}

/* Stores the places of a panel's figures, from left to right.
 *
 * Returns: their number. */
static uint32_t
place_figures (const histogram_scope_params *params, uint32_t panel,
    Arrangement arrangement, uint32_t height, Place places[MOST_FIGURES])
{
  const bool has_signs = params->is_percent && is_chroma (params, panel);
  const Figure *figures = has_signs ? chroma_figures
      : params->is_percent          ? percent_figures
                                    : code_figures;
  const uint32_t last = has_signs ? 2 : MOST_FIGURES - 1;
  const uint32_t step = arrangement == ENDS ? last : 1;
  uint32_t n = 0;

  if (arrangement == LETTERS)
    return 0;
  for (uint32_t i = 0; i <= last; i += step)
    places[n++] = place_figure (params, &figures[i], height);
  return n;
}

/* The first column of a panel's letters: midway between two figures, or in the
 * middle of the panel. */
static uint32_t
letters_left (const histogram_scope_params *params, Arrangement arrangement,
    uint32_t height, const Place *places, uint32_t n)
{
  const uint32_t width = letters_width (params, height);
  uint32_t sum = params->scope.panel_width;

  if (arrangement == ENDS || arrangement == FIGURES)
    sum = places[(n - 1) / 2].right + places[(n - 1) / 2 + 1].left;
  return sum > width ? (sum - width) / 2 : 0;
}

/* Whether there is space between the places, and beside the letters. */
static bool
have_space (const histogram_scope_params *params, Arrangement arrangement,
    uint32_t height, const Place *places, uint32_t n)
{
  const uint32_t space = text_space (&params->scope, height);
  const bool shares_row = arrangement == ENDS || arrangement == FIGURES;
  const uint32_t letters = letters_width (params, height);

  for (uint32_t i = 0; i + 1 < n; i++) {
    const uint32_t room =
        shares_row && i == (n - 1) / 2 ? letters + 2 * space : space;

    if (places[i].right + room > places[i + 1].left)
      return false;
  }
  return true;
}

/* --- arrangements --- */

/* Whether text of this height has room in all panels. Figures at the plot's
 * ends need space from those of the next panel. */
static bool
text_fits (const histogram_scope_params *params, Arrangement arrangement,
    uint32_t height)
{
  const scope_params *scope = &params->scope;
  const uint32_t n_rows = arrangement == FIGURES_ABOVE ? 2 : 1;
  Place places[MOST_FIGURES];

  if (letters_width (params, height) > scope->plot_width
      || n_rows * text_rows (height) > scope->panel_height / MOST_TEXT_FRACTION)
    return false;
  if (arrangement != LETTERS && scope->panels_x > 1
      && text_space (scope, height) > 2 * scope->plot_left)
    return false;
  for (uint32_t p = 0; p < scope->panels_x * scope->panels_y; p++) {
    const uint32_t n = place_figures (params, p, arrangement, height, places);

    if (!have_space (params, arrangement, height, places, n))
      return false;
  }
  return true;
}

/* Text is smaller if there is too little room.
 *
 * Returns: its height, or 0. */
static uint32_t
text_height (const histogram_scope_params *params, Arrangement arrangement)
{
  uint32_t height = amphisto_scope_text_height (&params->scope);

  while (
      height >= AMPHISTO_TEXT_LEAST && !text_fits (params, arrangement, height))
    height--;
  return height >= AMPHISTO_TEXT_LEAST ? height : 0;
}

/* Uses the arrangement if its text is larger. */
static void
arrange (const histogram_scope_params *params, Arrangement arrangement,
    Caption *caption)
{
  const uint32_t height = text_height (params, arrangement);

  if (height > caption->text) {
    caption->arrangement = arrangement;
    caption->text = height;
  }
}

static Caption
caption_of (const histogram_scope_params *params)
{
  const scope_params *scope = &params->scope;
  Caption caption = { NOTHING, 0, 0 };

  if (scope->has_graticule && scope->plot_width >= WIDE_PLOT) {
    arrange (params, FIGURES, &caption);
    arrange (params, FIGURES_ABOVE, &caption);
  }
  if (scope->has_graticule && caption.text == 0)
    arrange (params, ENDS, &caption);
  if (scope->has_graticule && caption.text == 0)
    arrange (params, LETTERS, &caption);
  if (scope->has_legend)
    caption.legend = amphisto_scope_text_height (scope);
  while (
      legend_rows (caption.legend) > scope->panel_height / MOST_LEGEND_FRACTION)
    caption.legend--;
  if (caption.legend < AMPHISTO_TEXT_LEAST)
    caption.legend = 0;
  return caption;
}

/* Rows above the legend, or the text. */
static uint32_t
rows_above (const Caption *caption)
{
  return sevenths (LINE_SPACE, MAX (caption->legend, caption->text));
}

uint32_t
amphisto_histogram_caption_height (const histogram_scope_params *params)
{
  const Caption caption = caption_of (params);
  const uint32_t n_rows = caption.arrangement == FIGURES_ABOVE ? 2 : 1;

  return rows_above (&caption) + legend_rows (caption.legend)
      + n_rows * text_rows (caption.text);
}

/* --- drawing --- */

/* Luma at a column of the plot. */
static uint32_t
luma_at (const histogram_scope_params *params, uint32_t column)
{
  const double position = 65536.0 * column / (params->scope.plot_width - 1);
  const long v = lround (params->lo
      + (position - params->zero) / (params->hundred - params->zero)
          * (params->hi - params->lo));

  return (uint32_t) MAX (0, MIN (v, AMPHISTO_N_BINS - 1));
}

/* The legend of false colour. y: the first row. */
static void
draw_legend (const histogram_scope_params *params, uint32_t height, uint32_t y,
    AmphistoGraticule *graticule)
{
  const scope_params *scope = &params->scope;

  for (uint32_t x = 0; x < scope->plot_width; x++)
    amphisto_graticule_fill (graticule, scope->plot_left + x, y, 1,
        sevenths (LEGEND_HEIGHT, height),
        amphisto_exposure_light (params->scope.legend_scale, params->lo,
            params->hi, luma_at (params, x)));
}

/* A little whiter than the line, because letters are small. */
static uint32_t
letter_light (const uint32_t line[3])
{
  return AMPHISTO_LIGHT (
      line[0] * 3 / 4 + 63, line[1] * 3 / 4 + 63, line[2] * 3 / 4 + 63);
}

/* The letters of the panel's channels. x: the first column. */
static void
draw_letters (const histogram_scope_params *params, uint32_t panel,
    uint32_t height, uint32_t x, uint32_t y, AmphistoGraticule *graticule)
{
  const curve_params *curve = &params->curve[panel * params->panel_curves];

  for (uint32_t i = 0; i < params->panel_curves; i++) {
    amphisto_graticule_text (graticule, x, y, height,
        amphisto_channel_styles[curve[i].channel].letter,
        letter_light (curve[i].line));
    x += amphisto_scope_letter_advance (&params->scope, height);
  }
}

/* Figures and letters. y: the first row. */
static void
draw_text (const histogram_scope_params *params, uint32_t panel,
    const Caption *caption, uint32_t y, AmphistoGraticule *graticule)
{
  const uint32_t height = caption->text;
  Place places[MOST_FIGURES];
  const uint32_t n =
      place_figures (params, panel, caption->arrangement, height, places);
  const uint32_t letters =
      letters_left (params, caption->arrangement, height, places, n);

  for (uint32_t i = 0; i < n; i++)
    amphisto_graticule_text (graticule, places[i].left, y, height,
        places[i].text, AMPHISTO_SCOPE_TEXT);
  if (caption->arrangement == FIGURES_ABOVE)
    y += text_rows (height);
  draw_letters (params, panel, height, letters, y, graticule);
}

void
amphisto_histogram_caption_draw (const histogram_scope_params *params,
    uint32_t panel, AmphistoGraticule *graticule)
{
  const Caption caption = caption_of (params);
  const uint32_t legend_y = params->caption_top + rows_above (&caption);
  const uint32_t text_y = legend_y + legend_rows (caption.legend);

  if (caption.legend > 0)
    draw_legend (params, caption.legend, legend_y, graticule);
  if (caption.text > 0)
    draw_text (params, panel, &caption, text_y, graticule);
}
