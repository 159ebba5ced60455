/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/measure/sharpness.h"
#include "core/pixels/samples.h"

/* The position before 0, or behind the last of n. */
static uint32_t
reflect (int64_t at, int64_t n)
{
  if (n == 1)
    return 0;
  return (uint32_t) (at < 0 ? -at : at < n ? at : 2 * n - 2 - at);
}

/* Luma of pixel (x, y) of a field, or of the column or row beside it. */
static int32_t
field_luma (const AmphistoFrame *part, uint32_t field, uint32_t n_fields,
    int64_t x, int64_t y)
{
  const AmphistoComponent *luma = amphisto_layout_luma (part->layout);
  const uint32_t height = (luma->height + n_fields - 1 - field) / n_fields;

  return amphisto_frame_luma (
      part, reflect (x, luma->width), field + n_fields * reflect (y, height));
}

AmphistoLaplacian
amphisto_sharpness_add_up (const AmphistoFrame *part, uint32_t n_fields)
{
  const AmphistoComponent *luma = amphisto_layout_luma (part->layout);
  AmphistoLaplacian sums = { 0, 0 };

  for (uint32_t row = 0; row < luma->height; row++)
    for (int64_t x = 0; x < luma->width; x++) {
      const uint32_t field = row % n_fields;
      const int64_t y = row / n_fields;
      const int32_t laplacian = field_luma (part, field, n_fields, x, y - 1)
          + field_luma (part, field, n_fields, x, y + 1)
          + field_luma (part, field, n_fields, x - 1, y)
          + field_luma (part, field, n_fields, x + 1, y)
          - 4 * field_luma (part, field, n_fields, x, y);

      sums.sum += laplacian;
      sums.squares += (uint64_t) (laplacian * laplacian);
    }
  return sums;
}

double
amphisto_sharpness_variance (const AmphistoLaplacian *sums, uint64_t n)
{
  const double sum = (double) sums->sum;

  return ((double) sums->squares - sum * sum / (double) n) / (double) n;
}
