/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/canvas.h"
#include "core/pixels/arithmetic.h"

#include <string.h>

#define PIXEL_SIZE 4
#define OPAQUE_BLACK 0xff000000u

/* The channels of a pixel's bytes. */
static const AmphistoChannel channels[PIXEL_SIZE] = { AMPHISTO_CHANNEL_BLUE,
  AMPHISTO_CHANNEL_GREEN, AMPHISTO_CHANNEL_RED, AMPHISTO_CHANNEL_ALPHA };

static void
init_layout (AmphistoLayout *layout, uint32_t width, uint32_t height)
{
  *layout = (AmphistoLayout){ .n_planes = 1,
    .plane = { { .row_bytes = width * PIXEL_SIZE, .rows = height } },
    .component = { [AMPHISTO_CHANNEL_LUMA] = { .width = width,
                       .height = height } },
    .is_rgb = true,
    .hi = 255 };
  for (uint32_t i = 0; i < PIXEL_SIZE; i++) {
    layout->channels |= AMPHISTO_CHANNEL_BIT (channels[i]);
    layout->component[channels[i]] = (AmphistoComponent){
      .offset = i, .pixel_stride = PIXEL_SIZE, .width = width, .height = height
    };
  }
}

static bool
is_drawn (const scope_params *scope)
{
  return scope->panels_x > 0;
}

/* Returns: the smallest region of the frame that holds all scopes. */
static AmphistoRegion
find_region (scope_params *const scopes[AMPHISTO_N_SCOPES])
{
  uint32_t left = UINT32_MAX, top = UINT32_MAX, right = 0, bottom = 0;

  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++)
    if (is_drawn (scopes[i])) {
      left = MIN (left, scopes[i]->x);
      top = MIN (top, scopes[i]->y);
      right = MAX (right, scopes[i]->x + scopes[i]->width);
      bottom = MAX (bottom, scopes[i]->y + scopes[i]->height);
    }
  return (AmphistoRegion){ left, top, right - left, bottom - top };
}

void
amphisto_canvas_init (AmphistoCanvas *self, AmphistoScopeParams *scopes)
{
  scope_params *placed[AMPHISTO_N_SCOPES];

  amphisto_scopes_list (scopes, placed);
  self->region = find_region (placed);
  init_layout (&self->layout, self->region.width, self->region.height);
  self->background = 0;
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++)
    if (is_drawn (placed[i])) {
      placed[i]->x -= self->region.x;
      placed[i]->y -= self->region.y;
    }
  amphisto_canvas_find_gaps (self, scopes);
}

void
amphisto_canvas_init_opaque (
    AmphistoCanvas *self, uint32_t width, uint32_t height)
{
  self->region = (AmphistoRegion){ 0, 0, width, height };
  init_layout (&self->layout, width, height);
  self->background = OPAQUE_BLACK;
}

void
amphisto_canvas_find_gaps (AmphistoCanvas *self, AmphistoScopeParams *scopes)
{
  scope_params *placed[AMPHISTO_N_SCOPES];
  uint64_t n_pixels = 0;

  amphisto_scopes_list (scopes, placed);
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++)
    n_pixels += (uint64_t) placed[i]->width * placed[i]->height;
  self->has_gaps =
      n_pixels < (uint64_t) self->region.width * self->region.height;
}

void
amphisto_canvas_clear (const AmphistoCanvas *self, const AmphistoFrame *frame)
{
  uint8_t pixel[PIXEL_SIZE];

  for (uint32_t i = 0; i < PIXEL_SIZE; i++)
    pixel[i] = (uint8_t) (self->background >> i * 8);
  for (uint32_t y = 0; y < self->region.height; y++) {
    uint8_t *row = amphisto_frame_row (frame, 0, y);

    for (uint32_t x = 0; x < self->region.width; x++)
      memcpy (row + (size_t) x * PIXEL_SIZE, pixel, PIXEL_SIZE);
  }
}
