/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "picture.h"

static void
swap (uint8_t *a, uint8_t *b, unsigned n)
{
  for (unsigned i = 0; i < n; i++) {
    const uint8_t byte = a[i];

    a[i] = b[i];
    b[i] = byte;
  }
}

void
picture_turn (Picture *picture, unsigned planes)
{
  for (unsigned p = 0; p < picture->n_planes; p++) {
    const unsigned n = picture->rows[p];

    if (!(planes & 1u << p))
      continue;
    for (unsigned y = 0; y < n / 2; y++)
      swap (picture_row (picture, p, y), picture_row (picture, p, n - 1 - y),
          picture->row_bytes[p]);
    picture->offset[p] += (size_t) picture->stride[p] * (n - 1);
    picture->stride[p] = -picture->stride[p];
  }
}
