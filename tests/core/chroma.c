/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "chroma.h"
#include "placed.h"

void
chroma_scope_clear (ChromaScope *self)
{
  g_free (self->memory);
  g_free (self->trace);
}

ChromaScope
chroma_scope_of (const AmphistoLayout *layout, double height, guint zoom_shift)
{
  const AmphistoScopeSettings settings = { .enabled =
                                               AMPHISTO_SCOPE_VECTORSCOPE,
    .height = height,
    .opacity = 0.5,
    .zoom_shift = zoom_shift };
  ChromaScope self = { .layout = *layout,
    .memory = g_malloc (3 * (size_t) layout->component[0].width
        * layout->component[0].height) };
  size_t at = 0;

  for (guint p = 0; p < layout->n_planes; p++) {
    self.frame.plane[p] =
        (AmphistoPlane){ self.memory + at, layout->plane[p].row_bytes };
    at += (size_t) layout->plane[p].row_bytes * layout->plane[p].rows;
  }
  self.params = placed_scopes (&settings, false, layout, ~0u, ~0u).vectorscope;
  g_assert_cmpuint (self.params.scope.panels_x, ==, 1);
  return self;
}

void
chroma_scope_measure (ChromaScope *self)
{
  self->frame.layout = &self->layout;
  self->trace =
      measured_trace (&amphisto_vectorscope, &self->params.scope, &self->frame);
}

size_t
chroma_samples (const ChromaScope *self)
{
  return (size_t) self->layout.component[AMPHISTO_CHANNEL_U].width
      * self->layout.component[AMPHISTO_CHANNEL_U].height;
}

void
chroma_set (ChromaScope *self, size_t i, int u, int v)
{
  self->frame.plane[1].data[i] = (uint8_t) u;
  self->frame.plane[2].data[i] = (uint8_t) v;
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
  amphisto_vectorscope.add_light (&params.scope, NULL, self->trace, 0,
      params.scope.plot_left + (uint32_t) x,
      params.scope.plot_top + (uint32_t) y, &sum);
  return sum.channel[0];
}
