/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/legend.h"
#include "core/change/equalize.h"
#include "core/pixels/arithmetic.h"
#include "core/scopes/drawing.h"

#include <stdio.h>
#include <stdlib.h>

/* Pixels of the area's shorter side per row of text, and per pixel of the
 * legend's distance from its edges. */
#define TEXT_DIVISOR 60
#define MARGIN_DIVISOR 40
/* The legend takes at most this part of the area's height. */
#define HEIGHT_DIVISOR 4

/* The bands, and the greys between them. */
#define N_BLOCKS (2 * EXPOSURE_N_BANDS + 1)

/* Luma of text, in tenths of a per cent of its range, from the background to
 * full strokes. No band of any scale has one of these levels, so the soft edges
 * of strokes stay grey. */
static const uint32_t levels[] = { 140, 280, 500, 720, 860 };
#define N_LEVELS (sizeof levels / sizeof levels[0])

/* --- blocks --- */

/* Returns: the number of blocks, from 0 to 100 %. */
static uint32_t
list_blocks (AmphistoFalseColorScale scale, AmphistoBand blocks[N_BLOCKS])
{
  uint32_t n = 0;
  int32_t end = 0;

  for (uint32_t b = 0; b < EXPOSURE_N_BANDS; b++) {
    const AmphistoBand *band = &amphisto_exposure_bands[scale][b];
    const int32_t first = MAX (band->first, 0);

    if (band->first == band->end)
      continue;
    if (first > end)
      blocks[n++] = (AmphistoBand){ end, first };
    end = MIN (band->end, 1000);
    blocks[n++] = (AmphistoBand){ first, end };
  }
  return n;
}

/* A limit in per cent. */
#define FIGURE_SIZE 16

static void
print_figure (int32_t tenths, char figure[FIGURE_SIZE])
{
  if (tenths % 10 == 0)
    snprintf (figure, FIGURE_SIZE, "%d", (int) tenths / 10);
  else
    snprintf (
        figure, FIGURE_SIZE, "%d.%d", (int) tenths / 10, (int) tenths % 10);
}

/* --- sizes --- */

/* In pixels. Figures are below the blocks. */
typedef struct
{
  uint32_t n_blocks;
  uint32_t pad_x, pad_y;
  uint32_t block_width;
  uint32_t block_height;
} Size;

/* A block is wider than each figure. */
static Size
size_for (AmphistoFalseColorScale scale, const AmphistoLayout *layout,
    uint32_t text_height)
{
  const uint32_t aspect = amphisto_layout_pixel_aspect (layout);
  const uint32_t pad = MAX (2, text_height / 3);
  const uint32_t gap = text_height / 2 * AMPHISTO_SQUARE_PIXEL / aspect;
  AmphistoBand blocks[N_BLOCKS];
  const uint32_t n_blocks = list_blocks (scale, blocks);
  uint32_t widest = 0;

  for (uint32_t i = 1; i < n_blocks; i++) {
    char figure[FIGURE_SIZE];
    AmphistoArea text;

    print_figure (blocks[i].first, figure);
    text = amphisto_graticule_text_area (0, 0, text_height, figure, aspect);
    widest = MAX (widest, (uint32_t) (text.right - text.left));
  }
  return (Size){ n_blocks, pad * AMPHISTO_SQUARE_PIXEL / aspect, pad,
    round_up (widest + gap, 2), text_height };
}

/* --- place --- */

/* Whether a scope shares pixels with the region. */
static bool
is_covered (const AmphistoRegion *region, AmphistoScopeParams *params,
    const AmphistoRegion *origin)
{
  scope_params *scopes[AMPHISTO_N_SCOPES];

  amphisto_scopes_list (params, scopes);
  for (uint32_t i = 0; i < AMPHISTO_N_SCOPES; i++) {
    const uint32_t x = origin->x + scopes[i]->x, y = origin->y + scopes[i]->y;

    if (scopes[i]->panels_x > 0 && region->x < x + scopes[i]->width
        && x < region->x + region->width && region->y < y + scopes[i]->height
        && y < region->y + region->height)
      return true;
  }
  return false;
}

/* The beginning of `size` pixels in an area, at a multiple of `unit`, `margin`
 * pixels from its near or far side. */
static uint32_t
place (uint32_t begin, uint32_t area, uint32_t size, uint32_t margin,
    bool is_far, uint32_t unit)
{
  return is_far ? (begin + area - margin - size) / unit * unit
                : round_up (begin + margin, unit);
}

void
amphisto_legend_init (AmphistoLegend *self, AmphistoFalseColorScale scale,
    const AmphistoLayout *layout, const AmphistoRegion *area,
    AmphistoScopePosition scopes_position, AmphistoScopeParams *scopes,
    const AmphistoRegion *origin)
{
  const uint32_t unit_x = 1u << layout->component[AMPHISTO_CHANNEL_U].x_shift;
  const uint32_t unit_y = amphisto_drawing_rows (layout);
  const uint32_t side = MIN (area->width, area->height);
  const uint32_t text = MAX (side / TEXT_DIVISOR,
      AMPHISTO_TEXT_LEAST * amphisto_drawing_least_line (layout));
  const uint32_t margin = side / MARGIN_DIVISOR;
  const Size size = size_for (scale, layout, text);
  const bool is_left = (scopes_position & AMPHISTO_SCOPE_TOP_RIGHT) == 0;
  const bool is_top = (scopes_position & AMPHISTO_SCOPE_BOTTOM_LEFT) == 0;
  AmphistoRegion region = {
    .width =
        round_up (size.n_blocks * size.block_width + 2 * size.pad_x, unit_x),
    .height = round_up (size.block_height + text + 3 * size.pad_y, unit_y)
  };

  *self = (AmphistoLegend){ .text_height = text, .scale = scale };
  if (region.width + 2 * margin + 2 * unit_x > area->width
      || region.height * HEIGHT_DIVISOR + 2 * unit_y > area->height)
    return;
  region.x =
      place (area->x, area->width, region.width, margin, is_left, unit_x);
  region.y =
      place (area->y, area->height, region.height, margin, is_top, unit_y);
  if (!is_covered (&region, scopes, origin))
    amphisto_layout_crop (layout, &region, &self->layout);
}

/* --- the frame --- */

/* Luma of n / 2 tenths of a per cent. */
static uint8_t
luma_of (const AmphistoLayout *layout, uint32_t n)
{
  return (uint8_t) (layout->lo
      + (n * (uint32_t) (layout->hi - layout->lo) + 1000) / 2000);
}

/* Pixels of RGB are grey before, so they stay grey. */
static void
fill (const AmphistoFrame *frame, AmphistoArea area, uint8_t luma)
{
  for (int y = area.top; y < area.bottom; y++)
    for (int x = area.left; x < area.right; x++)
      amphisto_frame_set_luma (frame, x, y, luma, AMPHISTO_UNIT_GAIN);
}

/* Draws text below the blocks. x: of its middle, in half columns. */
static void
draw_text (const AmphistoLegend *self, const Size *size, uint32_t x,
    const char *text, AmphistoGraticule *graticule)
{
  const int width = (int) amphisto_graticule_text_width (
      text, self->text_height, graticule->pixel_aspect);

  amphisto_graticule_text (graticule, ((int) x - width) / 2,
      (int) (size->block_height + 2 * size->pad_y), self->text_height, text,
      AMPHISTO_LIGHT (255, 255, 255));
}

/* Draws the limits between blocks, and the unit. */
static void
draw_figures (const AmphistoLegend *self, const Size *size,
    const AmphistoBand blocks[N_BLOCKS], AmphistoGraticule *graticule)
{
  const uint32_t n = size->n_blocks, width = 2 * size->block_width;

  for (uint32_t i = 1; i < n; i++) {
    char figure[FIGURE_SIZE];

    print_figure (blocks[i].first, figure);
    draw_text (self, size, 2 * size->pad_x + i * width, figure, graticule);
  }
  draw_text (
      self, size, 2 * size->pad_x + n * width - width / 4, "%", graticule);
}

/* memory: zeros. Returns: false if memory runs out. */
static bool
draw (const AmphistoLegend *self, uint8_t *memory)
{
  const AmphistoFrame frame = amphisto_packed_frame (&self->layout, memory);
  const AmphistoLayout *layout = &self->layout;
  const Size size = size_for (self->scale, layout, self->text_height);
  const int width = (int) amphisto_layout_luma (layout)->width;
  const int height = (int) amphisto_layout_luma (layout)->height;
  const int top = (int) size.pad_y, bottom = top + (int) size.block_height;
  AmphistoBand blocks[N_BLOCKS];
  AmphistoGraticule figures;

  list_blocks (self->scale, blocks);
  if (!amphisto_graticule_init (
          &figures, width, height, amphisto_layout_pixel_aspect (layout)))
    return false;
  draw_figures (self, &size, blocks, &figures);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const uint32_t light = figures.light[y * width + x] & 0xff;

      fill (&frame, (AmphistoArea){ x, y, x + 1, y + 1 },
          luma_of (layout, 2 * levels[light * (N_LEVELS - 1) / 255]));
    }
  for (uint32_t i = 0; i < size.n_blocks; i++) {
    const int left = (int) (size.pad_x + i * size.block_width);

    fill (&frame,
        (AmphistoArea){ left, top, left + (int) size.block_width, bottom },
        luma_of (layout, (uint32_t) (blocks[i].first + blocks[i].end)));
  }
  amphisto_graticule_clear (&figures);
  return true;
}

uint8_t *
amphisto_legend_draw (const AmphistoLegend *self, size_t *size)
{
  uint8_t *memory;

  *size = amphisto_packed_size (&self->layout, self->layout.n_planes);
  memory = calloc (1, *size);
  if (memory != NULL && draw (self, memory))
    return memory;
  free (memory);
  return NULL;
}
