/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "picture.h"

#include <stdio.h>
#include <stdlib.h>
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

/* Adds the differences of the component's samples, and their number. */
static void
compare_component (const Picture *a, const Picture *b,
    const PictureComponent *c, uint64_t *sum, uint64_t *n_samples)
{
  const unsigned unit = 1u << c->x_shift;
  const unsigned first = a->part_x / unit;
  const unsigned end = (a->part_x + a->part_width + unit - 1) / unit;
  unsigned first_row, end_row;

  picture_part_rows (a, c->y_shift, &first_row, &end_row);
  for (unsigned y = first_row; y < end_row; y++)
    for (unsigned x = first; x < end; x++) {
      *sum += (unsigned) abs (
          *picture_sample (a, c, x, y) - *picture_sample (b, c, x, y));
      ++*n_samples;
    }
}

uint64_t
picture_compare (const Picture *a, const Picture *b, uint64_t *n_samples)
{
  uint64_t sum = 0;

  *n_samples = 0;
  for (unsigned i = 0; i < 3 && a->format->component[i].channel != NULL; i++)
    compare_component (a, b, &a->format->component[i], &sum, n_samples);
  return sum;
}
