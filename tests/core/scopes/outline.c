/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The outline of a region, as the C reference draws it.
 */

#include "core/scopes/outline.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

#include <string.h>

#define WIDTH 24
#define HEIGHT 20
#define BEFORE 100

/* A frame of this size, of samples of BEFORE. */
typedef struct
{
  AmphistoLayout layout;
  AmphistoFrame frame;
  uint8_t planes[AMPHISTO_N_PLANES][HEIGHT][3 * WIDTH];
} Picture;

static void
picture_init (Picture *self, const AmphistoLayout *layout)
{
  self->layout = *layout;
  self->frame = (AmphistoFrame){ .layout = &self->layout };
  memset (self->planes, BEFORE, sizeof self->planes);
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    self->frame.plane[p] =
        (AmphistoPlane){ self->planes[p][0], sizeof self->planes[p][0] };
}

static void
picture_draw (Picture *self, const AmphistoRegion *region)
{
  const drawing_params drawing = drawing_for (&self->layout);
  outline_params params;

  amphisto_outline_fill_params (&self->layout, region, &params);
  amphisto_outline_draw (&drawing, &params, &self->frame);
}

/* Rows of a plane from the top: '#' for `full`, '.' for BEFORE, otherwise the
 * quarters of the way between them. */
static void
assert_plane (
    const Picture *self, guint p, guint8 full, const char *const *rows)
{
  const AmphistoPlaneLayout *plane = &self->layout.plane[p];

  for (guint y = 0; y < plane->rows; y++)
    for (guint x = 0; x < plane->row_bytes; x++) {
      const char c = rows[y][x];
      const guint quarters = c == '#' ? 4 : c == '.' ? 0 : c - '0';

      g_assert_cmpint (ABS (4 * (self->planes[p][y][x] - BEFORE)
                           - (int) quarters * (full - BEFORE)),
          <=, 2);
    }
}

static void
test_line (void)
{
  static const char *const rows[] = { "........", "..#####.", "..#...#.",
    "..#...#.", "..#####.", "........" };
  static const AmphistoRegion region = { 2, 1, 5, 4 };
  const AmphistoLayout layout = grey_layout (8, 6);
  Picture picture;

  picture_init (&picture, &layout);
  picture_draw (&picture, &region);
  assert_plane (&picture, 0, 255, rows);
}

/* Two rows, so that both fields have the line. */
static void
test_fields (void)
{
  static const char *const rows[] = { "########", "########", "##....##",
    "########", "########" };
  static const AmphistoRegion region = { 0, 0, 8, 5 };
  AmphistoLayout layout = grey_layout (8, 5);
  Picture picture;

  layout.has_fields = true;
  picture_init (&picture, &layout);
  picture_draw (&picture, &region);
  assert_plane (&picture, 0, 255, rows);
}

static void
test_smallest (void)
{
  static const char *const rows[] = { "....", "....", "...#" };
  static const AmphistoRegion region = { 3, 2, 1, 1 };
  AmphistoLayout layout = grey_layout (4, 3);
  Picture picture;

  for (guint has_fields = 0; has_fields < 2; has_fields++) {
    layout.has_fields = has_fields;
    picture_init (&picture, &layout);
    picture_draw (&picture, &region);
    assert_plane (&picture, 0, 255, rows);
  }
}

/* Chroma is neutral by as much as the line covers it. Beyond the frame's odd
 * edges, the last column and row stand in. */
static void
test_chroma (void)
{
  static const char *const luma[] = { ".........", ".########", ".#......#",
    ".#......#", ".#......#", ".#......#", ".########" };
  static const char *const chroma[] = { "12222", "2...#", "2...#", "2####" };
  static const AmphistoRegion region = { 1, 1, 8, 6 };
  const AmphistoLayout layout = yuv_layout (9, 7, 1, 1);
  Picture picture;

  picture_init (&picture, &layout);
  picture_draw (&picture, &region);
  assert_plane (&picture, 0, 235, luma);
  assert_plane (&picture, 1, 128, chroma);
  assert_plane (&picture, 2, 128, chroma);
}

/* Rows of chroma belong to the fields alternately: rows 0 and 2 of the frame
 * share one. */
static void
test_interlaced_chroma (void)
{
  static const char *const luma[] = { "........", "........", "########",
    "########", "##....##", "##....##", "########", "########" };
  static const char *const chroma[] = { "2222", "2222", "#22#", "#22#" };
  static const AmphistoRegion region = { 0, 2, 8, 6 };
  AmphistoLayout layout = yuv_layout (8, 8, 1, 1);
  Picture picture;

  layout.has_fields = true;
  amphisto_layout_set_interlaced (&layout, true, false);
  picture_init (&picture, &layout);
  picture_draw (&picture, &region);
  assert_plane (&picture, 0, 235, luma);
  assert_plane (&picture, 1, 128, chroma);
}

static void
test_rgb (void)
{
  static const char *const rows[] = { "......######", "......######" };
  static const AmphistoRegion region = { 2, 0, 2, 2 };
  const AmphistoLayout layout = rgb_layout (4, 2);
  Picture picture;

  picture_init (&picture, &layout);
  picture_draw (&picture, &region);
  assert_plane (&picture, 0, 255, rows);
}

/* The line is opaque over transparent video, too. */
static void
test_alpha (void)
{
  static const char *const rows[] = { "....", ".###", ".#.#", ".###" };
  static const AmphistoRegion region = { 1, 1, 3, 3 };
  AmphistoLayout layout = yuv_layout (4, 4, 1, 1);
  Picture picture;

  layout.n_planes = 4;
  layout.plane[3] = layout.plane[0];
  layout.channels |= AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_ALPHA);
  layout.component[AMPHISTO_CHANNEL_ALPHA] = layout.component[0];
  layout.component[AMPHISTO_CHANNEL_ALPHA].plane = 3;
  picture_init (&picture, &layout);
  picture_draw (&picture, &region);
  assert_plane (&picture, 0, 235, rows);
  assert_plane (&picture, 3, 255, rows);
}

const CoreTest core_tests[] = {
  { "/line", test_line },
  { "/fields", test_fields },
  { "/smallest", test_smallest },
  { "/chroma", test_chroma },
  { "/interlaced-chroma", test_interlaced_chroma },
  { "/rgb", test_rgb },
  { "/alpha", test_alpha },
  { NULL },
};
