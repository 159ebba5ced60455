/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "picture.h"

#include <stdio.h>
#include <string.h>

bool
picture_equal (const Picture *a, const Picture *b)
{
  return a->block_size == b->block_size
      && memcmp (a->block, b->block, a->block_size) == 0;
}

static void
describe_place (const Picture *picture, size_t at, char *text, size_t size)
{
  for (unsigned p = 0; p < picture->n_planes; p++)
    for (unsigned y = 0; y < picture_plane_rows (picture, p); y++) {
      const size_t row =
          (size_t) (picture_row (picture, p, y) - picture->block);

      if (at >= row && at < row + picture->row_bytes[p]) {
        snprintf (text, size, "plane %u, row %u, byte %zu of %u", p, y,
            at - row, picture->row_bytes[p]);
        return;
      }
    }
  snprintf (text, size, "byte %zu outside the rows", at);
}

bool
picture_differs (
    const Picture *actual, const Picture *expected, char text[PICTURE_TEXT])
{
  char place[PICTURE_TEXT / 2];
  size_t at = 0;

  if (picture_equal (actual, expected))
    return false;
  if (actual->block_size != expected->block_size) {
    snprintf (text, PICTURE_TEXT, "%zu bytes, not %zu", actual->block_size,
        expected->block_size);
    return true;
  }
  while (actual->block[at] == expected->block[at])
    at++;
  describe_place (expected, at, place, sizeof place);
  snprintf (text, PICTURE_TEXT, "%s %ux%u, %s is %u, not %u",
      expected->format->name, expected->width, expected->height, place,
      actual->block[at], expected->block[at]);
  return true;
}
