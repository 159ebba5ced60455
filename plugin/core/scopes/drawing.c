/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/drawing.h"

#include <string.h>

static uint32_t
divide_rounded (uint32_t a, uint32_t b)
{
  return (a + b / 2) / b;
}

/* The rows of the matrix from R, G, B to the YUV of the layout. The weights of
 * U and of V add up to 0, so that grey stays grey. */
static void
fill_yuv_weights (const AmphistoLayout *layout, drawing_params *drawing)
{
  const uint32_t range = layout->hi - layout->lo;
  const uint32_t chroma = range < 255 ? 112 : 127;
  const uint32_t kr = layout->weights[0], kb = layout->weights[2];
  const uint32_t r = divide_rounded (range * kr, 65536);
  const uint32_t b = divide_rounded (range * kb, 65536);
  const uint32_t u_r = divide_rounded (chroma * kr, 65536 - kb);
  const uint32_t v_b = divide_rounded (chroma * kb, 65536 - kr);
  const uint32_t rows[3][3] = { { r, range - r - b, b },
    { -u_r, u_r - chroma, chroma }, { chroma, v_b - chroma, -v_b } };

  for (uint32_t c = 0; c < drawing->n_drawn; c++) {
    memcpy (drawing->drawn[c].weights, rows[c], sizeof rows[c]);
    drawing->drawn[c].offset = c == 0 ? layout->lo : 128;
  }
}

void
amphisto_drawing_fill_params (
    const AmphistoLayout *layout, drawing_params *drawing)
{
  const AmphistoChannel first =
      layout->is_rgb ? AMPHISTO_CHANNEL_RED : AMPHISTO_CHANNEL_LUMA;

  memset (drawing, 0, sizeof *drawing);
  for (uint32_t c = 0; c < 3; c++) {
    const AmphistoComponent *samples = &layout->component[first + c];

    if (!(layout->channels & AMPHISTO_CHANNEL_BIT (first + c)))
      break;
    drawing->drawn[c] =
        (drawn_params){ .samples = *samples, .offset = layout->lo };
    drawing->drawn[c].weights[c] = layout->hi - layout->lo;
    drawing->n_drawn++;
    drawing->n_whole += samples->x_shift + samples->y_shift == 0;
  }
  drawing->has_alpha =
      (layout->channels & AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_ALPHA)) != 0;
  drawing->alpha = layout->component[AMPHISTO_CHANNEL_ALPHA];
  if (!layout->is_rgb)
    fill_yuv_weights (layout, drawing);
}

uint32_t
amphisto_drawing_rows (const AmphistoLayout *layout)
{
  const uint32_t unit = amphisto_layout_row_unit (layout);

  return unit > SCOPE_ROWS ? unit : SCOPE_ROWS;
}

uint32_t
amphisto_drawing_least_line (const AmphistoLayout *layout)
{
  return layout->has_fields ? 2 : 1;
}
