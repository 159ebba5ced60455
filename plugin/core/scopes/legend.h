/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The legend of false colour: a block of each band, with the limits between
 * them in per cent, at an edge of the picture. It is a small frame of grey,
 * which is drawn in false colour like the picture, in its place: see
 * exposure.h.
 */

#pragma once

#include "core/change/exposure.h"
#include "core/pixels/frame.h"
#include "core/scopes/scopes.h"

typedef struct
{
  /* of the legend's part of the frame; 0 planes: no legend */
  AmphistoLayout layout;
  uint32_t text_height; /* in rows */
  AmphistoFalseColorScale scale;
} AmphistoLegend;

/* Places the legend in the corner of `area`, of frames of the layout, that is
 * opposite to the corner of scopes. The area must consist of whole chroma
 * samples. There is no legend if the area is too small, or scopes would cover
 * it. `origin` is the position of the scopes' canvas, or 0, 0. */
void amphisto_legend_init (AmphistoLegend *self, AmphistoFalseColorScale scale,
    const AmphistoLayout *layout, const AmphistoRegion *area,
    AmphistoScopePosition scopes_position, AmphistoScopeParams *scopes,
    const AmphistoRegion *origin);

static inline bool
amphisto_legend_is_drawn (const AmphistoLegend *self)
{
  return self->layout.n_planes > 0;
}

/* Draws luma, or grey of RGB, into a packed frame of `size` bytes.
 *
 * Returns: (transfer full): the frame, for free(); NULL if memory runs out. */
uint8_t *amphisto_legend_draw (const AmphistoLegend *self, size_t *size);
