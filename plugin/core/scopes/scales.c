/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/scopes/scales.h"
#include "core/pixels/arithmetic.h"

#include <stdlib.h>
#include <string.h>

static int
compare_descending (const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

  return (x < y) - (x > y);
}

/* The top of the plot for some of the bins of curves, and their tallest bin. */
typedef struct
{
  uint32_t cut;
  uint32_t tallest;
} Top;

/* The smallest height such that the bins no taller than it have at least a
 * tenth of the samples. sorted: n bins, the tallest first. */
static uint32_t
tenth_height (const uint32_t *sorted, uint32_t n)
{
  uint64_t samples = 0, sum = 0;
  uint32_t i = n;

  for (uint32_t k = 0; k < n; k++)
    samples += sorted[k];
  do
    sum += sorted[--i];
  while (sum * 10 < samples);
  return sorted[i];
}

/* The top of the plot for n bins of a curve, the tallest first; 0: too few are
 * filled. On a linear scale, a few tall bins must not flatten the others, be
 * they one spike or a background with noise. */
static uint32_t
curve_top (
    const histogram_scope_params *params, const uint32_t *sorted, uint32_t n)
{
  uint64_t ranked, tenth;

  if (params->is_log)
    return sorted[0];
  if (sorted[CURVES_LEAST_BINS - 1] == 0)
    return 0;
  ranked = (uint64_t) CURVES_RANK_FACTOR * sorted[CURVES_RANK];
  tenth = (uint64_t) CURVES_TENTH_FACTOR * tenth_height (sorted, n);
  return (uint32_t) MIN (sorted[0], MAX (ranked, tenth));
}

/* The top of the scale's curves for all bins, or for those between black and
 * white. */
static Top
find_top (const histogram_scope_params *params, uint32_t scale, bool is_whole,
    const uint32_t bins[][AMPHISTO_N_BINS])
{
  Top top = { 0 };

  for (uint32_t i = 0; i < params->n_curves; i++) {
    const curve_params *curve = &params->curve[i];
    const uint32_t first = is_whole ? 0 : curve->black + 1;
    const uint32_t n = is_whole ? AMPHISTO_N_BINS : curve->white - first;
    uint32_t sorted[AMPHISTO_N_BINS];

    if (curve->scale != scale)
      continue;
    memcpy (sorted, bins[curve->slot] + first, n * sizeof *sorted);
    qsort (sorted, n, sizeof *sorted, compare_descending);
    top.cut = MAX (top.cut, curve_top (params, sorted, n));
    top.tallest = MAX (top.tallest, sorted[0]);
  }
  return top;
}

/* Black and white are often tall, so they count only if the others are empty.
 * Curves with few bins count only if no other does. */
void
amphisto_scales_move (const histogram_scope_params *params,
    const uint32_t bins[][AMPHISTO_N_BINS], uint32_t *peaks)
{
  for (uint32_t s = 0; s < params->n_scales; s++) {
    Top found = find_top (params, s, false, bins);

    if (found.tallest == 0)
      found = find_top (params, s, true, bins);

    const uint32_t top = found.cut > 0 ? found.cut : found.tallest;

    if (params->reset || top >= peaks[s])
      peaks[s] = top;
    else
      peaks[s] -= (peaks[s] - top + 15) / 16;
  }
}
