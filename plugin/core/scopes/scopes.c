/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/scopes.h"
#include "core/pixels/arithmetic.h"
#include "core/scopes/alone.h"
#include "core/scopes/drawing.h"
#include "core/scopes/places.h"

#include <string.h>

/* The size of a panel per pixel of a gridline's width. */
#define GRIDLINE_DIVISOR 240

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

AmphistoScopes
amphisto_scopes_fill_params (
    const AmphistoScopeWork *work, AmphistoScopeParams *params)
{
  const bool are_alone = work->filled != NULL;
  const AmphistoScopes wanted = amphisto_scopes_with_content (work);
  scope_params *scopes[AMPHISTO_N_SCOPES];
  AmphistoScopes drawn;

  memset (params, 0, sizeof *params);
  amphisto_scopes_list (params, scopes);
  drawn = are_alone
      ? amphisto_alone_fill (work, wanted, amphisto_scopes, scopes)
      : amphisto_places_fill (work, wanted, amphisto_scopes, scopes);
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++) {
    scope_params *scope = scopes[i];

    if (!(drawn & 1u << i))
      continue;
    scope->gridline_width = gridline_width (work, scope);
    scope->background =
        are_alone ? 255 : (uint32_t) (work->settings->opacity * 255 + 0.5);
    scope->has_graticule = work->settings->graticule;
    scope->has_legend = work->has_legend;
    amphisto_scopes[i]->fill_params (work, scope);
  }
  return drawn;
}

void
amphisto_scopes_find_room (
    const AmphistoScopeWork *work, uint32_t *width, uint32_t *height)
{
  const AmphistoScopes wanted = amphisto_scopes_with_content (work);

  if (work->filled != NULL)
    amphisto_alone_find_room (work, wanted, amphisto_scopes, width, height);
  else
    amphisto_places_find_room (work, wanted, amphisto_scopes, width, height);
}
