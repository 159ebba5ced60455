/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/scopes.h"
#include "core/pixels/arithmetic.h"
#include "core/pixels/channels.h"
#include "core/scopes/alone.h"
#include "core/scopes/drawing.h"
#include "core/scopes/places.h"

#include <string.h>

/* The size of a panel per pixel of a gridline's width. */
#define GRIDLINE_DIVISOR 240
/* Wide enough for all scopes at their least sizes. */
#define AMPLE_WIDTH 65536

const AmphistoScope *const amphisto_scopes[AMPHISTO_N_SCOPES] = {
  &amphisto_histogram_scope, &amphisto_waveform, &amphisto_vectorscope
};

void
amphisto_scopes_list (
    AmphistoScopeParams *params, scope_params *scopes[AMPHISTO_N_SCOPES])
{
  scopes[0] = &params->histogram.scope;
  scopes[1] = &params->waveform.scope;
  scopes[2] = &params->vectorscope.scope;
}

AmphistoScopes
amphisto_scopes_with_content (const AmphistoScopeWork *work)
{
  const AmphistoChannelMask coloured = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_U)
      | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_RED);
  AmphistoScopes scopes = AMPHISTO_SCOPE_NONE;

  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++)
    if (amphisto_scopes[i]->is_square ? work->layout->channels & coloured
                                      : work->shown)
      scopes |= work->settings->enabled & 1u << i;
  return scopes;
}

static uint32_t
gridline_width (const AmphistoScopeWork *work, const scope_params *scope)
{
  const AmphistoLayout *layout =
      work->filled != NULL ? work->filled : work->layout;
  const uint32_t size = MIN (scope->panel_width, scope->panel_height);

  return MAX (amphisto_drawing_least_line (layout),
      (size + GRIDLINE_DIVISOR / 2) / GRIDLINE_DIVISOR);
}

/* --- places --- */

/* Another display of the same work. */
typedef struct
{
  AmphistoScopeWork work;
  AmphistoScopeSettings settings;
} Displayed;

static void
displayed_init (
    Displayed *self, const AmphistoScopeWork *work, AmphistoDisplay display)
{
  self->work = *work;
  self->settings = *work->settings;
  self->settings.display = display;
  self->work.settings = &self->settings;
}

static AmphistoScopes
place (const AmphistoScopeWork *work, AmphistoScopes wanted,
    scope_params *scopes[AMPHISTO_N_SCOPES])
{
  return work->filled != NULL
      ? amphisto_alone_fill (work, wanted, amphisto_scopes, scopes)
      : amphisto_places_fill (work, wanted, amphisto_scopes, scopes);
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

AmphistoScopes
amphisto_scopes_fill_params (
    const AmphistoScopeWork *work, AmphistoScopeParams *params)
{
  scope_params *scopes[AMPHISTO_N_SCOPES];
  Displayed displayed;
  AmphistoScopes drawn;

  displayed_init (&displayed, work, amphisto_scopes_display (work));
  memset (params, 0, sizeof *params);
  amphisto_scopes_list (params, scopes);
  drawn = place (&displayed.work, amphisto_scopes_with_content (work), scopes);
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++) {
    scope_params *scope = scopes[i];

    if (!(drawn & 1u << i))
      continue;
    scope->gridline_width = gridline_width (work, scope);
    scope->background = work->filled != NULL
        ? 255
        : (uint32_t) (work->settings->opacity * 255 + 0.5);
    scope->has_graticule = work->settings->graticule;
    scope->has_legend = work->has_legend;
    amphisto_scopes[i]->fill_params (&displayed.work, scope);
  }
  return drawn;
}

/* --- room --- */

/* The same work in a frame, or on a canvas, of another size. */
typedef struct
{
  AmphistoScopeWork work;
  AmphistoLayout layout;
} Sized;

static void
sized_init (
    Sized *self, const AmphistoScopeWork *work, uint32_t width, uint32_t height)
{
  const bool is_alone = work->filled != NULL;

  self->work = *work;
  self->layout = is_alone ? *work->filled : *work->layout;
  for (uint32_t c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    self->layout.component[c].width = width;
    self->layout.component[c].height = height;
  }
  *(is_alone ? &self->work.filled : &self->work.layout) = &self->layout;
}

static bool
has_room (const AmphistoScopeWork *work, uint32_t width, uint32_t height)
{
  scope_params params[AMPHISTO_N_SCOPES] = { 0 };
  Sized sized;

  sized_init (&sized, work, width, height);
  return place_all (&sized.work, params);
}

/* A parade without room is an overlay. */
void
amphisto_scopes_find_room (
    const AmphistoScopeWork *work, uint32_t *width, uint32_t *height)
{
  const AmphistoDisplay display = work->settings->display;
  const AmphistoComponent *pixels = work->filled != NULL
      ? &work->filled->component[AMPHISTO_CHANNEL_RED]
      : &work->layout->component[AMPHISTO_CHANNEL_LUMA];
  Displayed displayed;

  displayed_init (&displayed, work,
      display == AMPHISTO_DISPLAY_PARADE ? AMPHISTO_DISPLAY_OVERLAY : display);
  *width = pixels->width;
  *height = pixels->height;
  while (!has_room (&displayed.work, AMPLE_WIDTH, *height))
    ++*height;
  while (!has_room (&displayed.work, *width, *height))
    ++*width;
}

/* Whether a frame of this size shows a parade. */
static bool
has_parade (const AmphistoScopeWork *work, uint32_t width, uint32_t height)
{
  Sized sized;

  sized_init (&sized, work, width, height);
  return amphisto_scopes_display (&sized.work) == AMPHISTO_DISPLAY_PARADE;
}

void
amphisto_scopes_find_parade (
    const AmphistoScopeWork *work, uint32_t *width, uint32_t *height)
{
  amphisto_scopes_find_room (work, width, height);
  while (*width < AMPLE_WIDTH && !has_parade (work, *width, *height))
    ++*width;
}
