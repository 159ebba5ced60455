/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "chroma.h"
#include "placed.h"

void
chroma_scope_clear (ChromaScope *self)
{
  g_free (self->picture);
  g_free (self->trace);
}

ChromaScope
chroma_scope_of (const AmphistoLayout *layout, double height, guint zoom_shift)
{
  AmphistoScopeSettings settings = settings_with (VECTORSCOPE);
  ChromaScope self = { .picture = picture_new (layout, 0) };

  settings.height = height;
  settings.opacity = 0.5;
  settings.zoom_shift = zoom_shift;
  self.params = placed_scopes (&settings, false, layout, ~0u, ~0u).vectorscope;
  g_assert_cmpuint (self.params.scope.panels_x, ==, 1);
  return self;
}

void
chroma_scope_measure (ChromaScope *self)
{
  self->trace = trace_of_frame (
      &amphisto_vectorscope, &self->params.scope, &self->picture->frame);
}

size_t
chroma_samples (const ChromaScope *self)
{
  const AmphistoPlaneLayout *u = &self->picture->layout.plane[1];

  return (size_t) u->row_bytes * u->rows;
}

void
chroma_set (ChromaScope *self, size_t i, int u, int v)
{
  self->picture->frame.plane[1].data[i] = (uint8_t) u;
  self->picture->frame.plane[2].data[i] = (uint8_t) v;
}

void
chroma_fill (ChromaScope *self, int u, int v)
{
  for (size_t i = 0; i < chroma_samples (self); i++)
    chroma_set (self, i, u, v);
}

uint32_t
chroma_brightness (const ChromaScope *self, int x, int y)
{
  vectorscope_params params = self->params;
  AmphistoPixelLight sum = { 0 };

  for (guint c = 0; c < 3; c++) {
    params.colours[c][0] = params.colours[c][1] = 0;
    params.colours[c][2] = 255 << 16;
  }
  amphisto_vectorscope.draw_pixel (&params.scope, self->trace, 0,
      params.scope.plot_left + (uint32_t) x,
      params.scope.plot_top + (uint32_t) y, &sum);
  return sum.channel[0];
}
