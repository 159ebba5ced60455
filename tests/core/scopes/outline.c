/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The outline of a region, as the C reference draws it.
 */

#include "channels.h"
#include "core/scopes/outline.h"
#include "layouts.h"
#include "placed.h"
#include "suite.h"

#define BEFORE 100

/* A frame of samples of BEFORE, with an outline. */
static Picture *
draw (const AmphistoLayout *layout, const AmphistoRegion *region)
{
  const drawing_params drawing = drawing_for (layout);
  Picture *picture = picture_new (layout, BEFORE);
  outline_params params;

  amphisto_outline_fill_params (layout, region, &params);
  amphisto_outline_draw (&drawing, &params, &picture->frame);
  return picture;
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

      g_assert_cmpint (
          ABS (4 * (amphisto_frame_row (&self->frame, p, y)[x] - BEFORE)
              - (int) quarters * (full - BEFORE)),
          <=, 2);
    }
}

static void
test_one_plane (void)
{
  const struct
  {
    AmphistoLayout layout;
    bool has_fields;
    AmphistoRegion region;
    const char *rows[6];
  } cases[] = {
    { grey_layout (8, 6), false, { 2, 1, 5, 4 },
        { "........", "..#####.", "..#...#.", "..#...#.", "..#####.",
            "........" } },
    /* two rows, so that both fields have the line */
    { grey_layout (8, 5), true, { 0, 0, 8, 5 },
        { "########", "########", "##....##", "########", "########" } },
    { grey_layout (4, 3), false, { 3, 2, 1, 1 }, { "....", "....", "...#" } },
    { grey_layout (4, 3), true, { 3, 2, 1, 1 }, { "....", "....", "...#" } },
    { rgb_layout (4, 2), false, { 2, 0, 2, 2 },
        { "......######", "......######" } },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    AmphistoLayout layout = cases[i].layout;
    g_autofree Picture *picture = NULL;

    layout.has_fields = cases[i].has_fields;
    picture = draw (&layout, &cases[i].region);
    assert_plane (picture, 0, 255, cases[i].rows);
  }
}

/* White is 235 in grey and RGB of limited range. */
static void
test_limited (void)
{
  static const char *const grey[] = { "........", "..####..", "..####..",
    "........" };
  static const char *const rgb[] = { "......", "...###" };
  AmphistoLayout layouts[] = { grey_layout (8, 4), rgb_layout (2, 2) };
  static const AmphistoRegion regions[] = { { 2, 1, 4, 2 }, { 1, 1, 1, 1 } };

  for (guint i = 0; IS_ROW (layouts, i); i++) {
    g_autofree Picture *picture = NULL;

    set_range (&layouts[i], true);
    picture = draw (&layouts[i], &regions[i]);
    assert_plane (picture, 0, 235, i == 0 ? grey : rgb);
  }
}

/* Chroma is neutral by as much as the line covers it. Beyond the frame's odd
 * edges, the last column and row stand in. Rows of interlaced chroma belong to
 * the fields alternately: rows 0 and 2 of the frame share one, and the last row
 * of a field stands in. */
static void
test_chroma (void)
{
  static const struct
  {
    guint width, height;
    bool has_fields;
    AmphistoRegion region;
    const char *luma[8], *chroma[4];
  } cases[] = {
    { 9, 7, false, { 1, 1, 8, 6 },
        { ".........", ".########", ".#......#", ".#......#", ".#......#",
            ".#......#", ".########" },
        { "12222", "2...#", "2...#", "2####" } },
    { 8, 8, true, { 0, 2, 8, 6 },
        { "........", "........", "########", "########", "##....##",
            "##....##", "########", "########" },
        { "2222", "2222", "#22#", "#22#" } },
    { 8, 7, true, { 0, 0, 8, 6 },
        { "########", "########", "##....##", "##....##", "########",
            "########", "........" },
        { "#22#", "#22#", "2222", "####" } },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    AmphistoLayout layout = yuv_layout (cases[i].width, cases[i].height, 1, 1);
    g_autofree Picture *picture = NULL;

    layout.has_fields = cases[i].has_fields;
    amphisto_layout_set_interlaced (&layout, layout.has_fields, false);
    picture = draw (&layout, &cases[i].region);
    assert_plane (picture, 0, 235, cases[i].luma);
    assert_plane (picture, 1, 128, cases[i].chroma);
    assert_plane (picture, 2, 128, cases[i].chroma);
  }
}

/* The line is opaque over transparent video, too. */
static void
test_alpha (void)
{
  static const char *const rows[] = { "....", ".###", ".#.#", ".###" };
  static const AmphistoRegion region = { 1, 1, 3, 3 };
  AmphistoLayout layout = yuv_layout (4, 4, 1, 1);
  g_autofree Picture *picture = NULL;

  layout.n_planes = 4;
  layout.plane[3] = layout.plane[0];
  layout.channels |= ALPHA;
  layout.component[AMPHISTO_CHANNEL_ALPHA] = layout.component[0];
  layout.component[AMPHISTO_CHANNEL_ALPHA].plane = 3;
  picture = draw (&layout, &region);
  assert_plane (picture, 0, 235, rows);
  assert_plane (picture, 3, 255, rows);
}

const CoreTest core_tests[] = {
  { "/one-plane", test_one_plane },
  { "/limited", test_limited },
  { "/chroma", test_chroma },
  { "/alpha", test_alpha },
  { 0 },
};
