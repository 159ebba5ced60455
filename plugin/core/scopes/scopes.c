/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/scopes.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/channels.h"
#include "core/scopes/drawing.h"
#include "core/scopes/places.h"

#include <string.h>

/* The size of a panel per pixel of a gridline's width. */
#define GRIDLINE_DIVISOR 240
/* Text has a TEXT_DIVISOR'th of the height of the least tall panel or, in tall
 * ones, TEXT_ROWS and a SLOW_TEXT_DIVISOR'th. */
#define TEXT_DIVISOR 16
#define TEXT_ROWS 12
#define SLOW_TEXT_DIVISOR 60
/* Wide enough for all scopes at their least sizes. */
#define AMPLE_WIDTH 65536

const AmphistoScope *const amphisto_scopes[AMPHISTO_N_SCOPES] = {
  &amphisto_histogram_scope, &amphisto_waveform, &amphisto_vectorscope
};

void
amphisto_scopes_list (
    AmphistoScopeParams *params, scope_params *scopes[AMPHISTO_N_SCOPES])
{
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++)
    scopes[i] = (void *) ((char *) params + amphisto_scopes[i]->params);
}

AmphistoScopes
amphisto_scopes_with_content (const AmphistoScopeWork *work)
{
  const AmphistoChannelMask coloured = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_U)
      | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_RED);
  AmphistoScopes scopes = AMPHISTO_SCOPE_NONE;

  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++)
    if (amphisto_scopes[i]->is_square ? work->part->channels & coloured
                                      : work->shown)
      scopes |= work->settings->enabled & 1u << i;
  return scopes;
}

/* --- places --- */

/* The work in another display, or in frames of another size. */
typedef struct
{
  AmphistoScopeWork work;
  AmphistoScopeSettings settings;
  AmphistoLayout layout;
} Variant;

static void
variant_init (Variant *self, const AmphistoScopeWork *work)
{
  self->work = *work;
  self->settings = *work->settings;
  self->layout = *work->layout;
  self->work.settings = &self->settings;
  self->work.layout = &self->layout;
}

static void
variant_set_size (Variant *self, uint32_t width, uint32_t height)
{
  for (uint32_t c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    self->layout.component[c].width = width;
    self->layout.component[c].height = height;
  }
}

/* Divides scopes, whose parameters are 0, into panels, and places them. */
static AmphistoScopes
place (const AmphistoScopeWork *work, AmphistoScopes wanted,
    scope_params *scopes[AMPHISTO_N_SCOPES])
{
  const AmphistoDisplay display = work->settings->display;
  const uint32_t n_channels = amphisto_channels_count (work->shown);

  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++) {
    const uint32_t n = amphisto_scopes[i]->is_square ? 1 : n_channels;
    scope_params *scope = scopes[i];

    if (!(wanted & 1u << i))
      continue;
    scope->panels_x = display == AMPHISTO_DISPLAY_PARADE ? n : 1;
    scope->panels_y = display == AMPHISTO_DISPLAY_STACK ? n : 1;
    scope->pixel_aspect = amphisto_layout_pixel_aspect (work->layout);
  }
  return work->is_scopes_only ? amphisto_scopes_only_fill (work, wanted, scopes)
                              : amphisto_places_fill (work, wanted, scopes);
}

/* Places all scopes with content, whose parameters begin as 0.
 *
 * Returns: false if one does not fit. */
static bool
place_all (
    const AmphistoScopeWork *work, scope_params params[AMPHISTO_N_SCOPES])
{
  const AmphistoScopes wanted = amphisto_scopes_with_content (work);
  scope_params *scopes[AMPHISTO_N_SCOPES];

  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++)
    scopes[i] = &params[i];
  return place (work, wanted, scopes) == wanted;
}

/* Whether all scopes fit, with panels that are wide enough to read. */
static bool
is_legible_parade (const AmphistoScopeWork *work)
{
  scope_params params[AMPHISTO_N_SCOPES] = { 0 };

  if (!place_all (work, params))
    return false;
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++)
    if (params[i].panels_x > 1
        && params[i].panel_width < AMPHISTO_LEGIBLE_WIDTH)
      return false;
  return true;
}

AmphistoDisplay
amphisto_scopes_display (const AmphistoScopeWork *work)
{
  const AmphistoDisplay display = work->settings->display;
  const bool is_parade = display == AMPHISTO_DISPLAY_PARADE
      && amphisto_channels_count (work->shown) > 1;

  return is_parade && !is_legible_parade (work) ? AMPHISTO_DISPLAY_OVERLAY
                                                : display;
}

/* Stores the widths of gridlines, and the height of text, which is the same in
 * all scopes. Its strokes are at least as thick as gridlines. scopes: n placed
 * ones. */
static void
fill_sizes (
    const AmphistoLayout *layout, scope_params *const *scopes, uint32_t n)
{
  uint32_t panel = UINT32_MAX, gridline = 0, text;

  for (uint32_t i = 0; i < n; i++) {
    const uint32_t size = MIN (scopes[i]->panel_width, scopes[i]->panel_height);

    scopes[i]->gridline_width = MAX (amphisto_drawing_least_line (layout),
        (size + GRIDLINE_DIVISOR / 2) / GRIDLINE_DIVISOR);
    gridline = MAX (gridline, scopes[i]->gridline_width);
    panel = MIN (panel, scopes[i]->panel_height);
  }
  text = MAX (MIN (panel / TEXT_DIVISOR, TEXT_ROWS + panel / SLOW_TEXT_DIVISOR),
      AMPHISTO_TEXT_LEAST * gridline);
  for (uint32_t i = 0; i < n; i++)
    scopes[i]->text_height = text;
}

AmphistoScopes
amphisto_scopes_fill_params (
    const AmphistoScopeWork *work, AmphistoScopeParams *params)
{
  scope_params *scopes[AMPHISTO_N_SCOPES], *placed[AMPHISTO_N_SCOPES];
  Variant variant;
  AmphistoScopes drawn;
  uint32_t n = 0;

  variant_init (&variant, work);
  variant.settings.display = amphisto_scopes_display (work);
  memset (params, 0, sizeof *params);
  amphisto_scopes_list (params, scopes);
  drawn = place (&variant.work, amphisto_scopes_with_content (work), scopes);
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++)
    if (drawn & 1u << i)
      placed[n++] = scopes[i];
  fill_sizes (work->layout, placed, n);
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++) {
    scope_params *scope = scopes[i];

    if (!(drawn & 1u << i))
      continue;
    scope->background = work->is_scopes_only
        ? 255
        : (uint32_t) (work->settings->opacity * 255 + 0.5);
    scope->has_graticule = work->settings->graticule;
    scope->has_legend = work->has_legend;
    scope->legend_scale = work->legend_scale;
    amphisto_scopes[i]->fill_params (&variant.work, scope);
  }
  return drawn;
}

/* --- room --- */

static bool
has_room (Variant *variant, uint32_t width, uint32_t height)
{
  scope_params params[AMPHISTO_N_SCOPES] = { 0 };

  variant_set_size (variant, width, height);
  return place_all (&variant->work, params);
}

/* Whether a frame of this size shows a parade. */
static bool
has_parade (Variant *variant, uint32_t width, uint32_t height)
{
  variant_set_size (variant, width, height);
  return amphisto_scopes_display (&variant->work) == AMPHISTO_DISPLAY_PARADE;
}

void
amphisto_scopes_find_room (const AmphistoScopeWork *work, bool needs_parade,
    uint32_t *width, uint32_t *height)
{
  const AmphistoDisplay display = work->settings->display;
  Variant variant;

  variant_init (&variant, work);
  if (display == AMPHISTO_DISPLAY_PARADE)
    variant.settings.display = AMPHISTO_DISPLAY_OVERLAY;
  *width = amphisto_layout_luma (work->layout)->width;
  *height = amphisto_layout_luma (work->layout)->height;
  while (!has_room (&variant, AMPLE_WIDTH, *height))
    ++*height;
  while (!has_room (&variant, *width, *height))
    ++*width;
  variant.settings.display = display;
  while (needs_parade && *width < AMPLE_WIDTH
      && !has_parade (&variant, *width, *height))
    ++*width;
}
