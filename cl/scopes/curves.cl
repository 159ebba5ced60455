/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Calculates the histograms' curves, from bins to columns of the scope.
 *
 * plugin/core/scopes/curves.c does the same in plain C, and explains the
 * drawing.
 */

#pragma once

#include "measure/cdf.cl"
#include "scopes/columns.cl"
#include "scopes/marks.cl"
#include "pixels/slices.cl"

/* The bins that decide about the top of the plot for a curve: those between
 * black and white, or all of them if those are empty. */
typedef struct
{
  uint is_inner; /* only those between black and white count */
  uint tallest;
  uint ranked; /* the bin of rank CURVES_RANK */
  uint tenth;  /* the bins no taller than it have a tenth of the samples */
  uint has_least_bins;
} curve_tops;

/* The work-group's data: the heights of bins, AMPHISTO_N_BINS per curve, and of
 * the curves' bars of black and white samples, the curves' marks, tops and
 * tallest bins, and the scales' peaks. */
typedef struct
{
  ushort heights[AMPHISTO_MAX_SLOTS * AMPHISTO_N_BINS];
  uint bars[AMPHISTO_MAX_SLOTS][2];
  curve_marks marks[AMPHISTO_MAX_SLOTS];
  curve_tops tops[AMPHISTO_MAX_SLOTS];
  uint tallest[AMPHISTO_MAX_SLOTS];
  uint peak[AMPHISTO_MAX_SLOTS];
  numbers_memory numbers;
  /* in the GPU shape */
  cdf_memory cdf;
  uint edges[2]; /* CDF of a curve up to black, and to below white */
} curves_memory;

INLINE uint
curves_log (uint n)
{
  const uint x = n + 1;
  const uint exponent = 31 - clz (x);
  const uint fraction = (x << (31 - exponent) & 0x7fffffff) >> 15;
  const uint bulge = fraction * (65536 - fraction) >> 16;

  return exponent << 10 | (fraction + (bulge * 11 >> 5)) >> 6;
}

/* The scale from counts to levels, 0 to 65535. */
typedef struct
{
  uint is_log;
  uint shift;
  uint reciprocal;
} curves_scale;

INLINE uint
scaled_count (curves_scale scale, uint count)
{
  return scale.is_log ? curves_log (count) : count >> scale.shift;
}

INLINE uint
level_of (curves_scale scale, uint count)
{
  return scaled_count (scale, count) * scale.reciprocal >> 16;
}

INLINE curves_scale
scale_to (constant histogram_scope_params *params, uint peak)
{
  const uint bits = 32 - clz (peak);
  curves_scale scale = { params->is_log, bits > 16 ? bits - 16 : 0, 0 };

  scale.reciprocal = UINT_MAX / max (scaled_count (scale, peak), 1u);
  return scale;
}

INLINE uint
height_of (constant histogram_scope_params *params, uint level)
{
  return level * (params->scope.plot_height * 16) >> 16;
}

/* The top of the plot for a curve; 0: too few of its bins are filled. See
 * plugin/core/scopes/scales.c. */
INLINE uint
curve_top (constant histogram_scope_params *params, const OWN curve_tops *tops)
{
  const ulong ranked = (ulong) tops->ranked * CURVES_RANK_FACTOR;
  const ulong tenth = (ulong) tops->tenth * CURVES_TENTH_FACTOR;

  if (params->is_log)
    return tops->tallest;
  return tops->has_least_bins
      ? (uint) min ((ulong) tops->tallest, max (ranked, tenth))
      : 0;
}

/* The top of the plot for all curves of a scale that have bins between black
 * and white, or for the others. 0: there are none, or they are empty. */
INLINE uint
top_of_scale (constant histogram_scope_params *params, uint scale,
    uint is_inner, const OWN curve_tops *tops)
{
  uint cut = 0, tallest = 0;

  for (uint i = 0; i < params->n_curves; i++)
    if (params->curve[i].scale == scale && tops[i].is_inner == is_inner) {
      cut = max (cut, curve_top (params, &tops[i]));
      tallest = max (tallest, tops[i].tallest);
    }
  return cut > 0 ? cut : tallest;
}

/* The scale's peak in this frame. It rises to `top` at once, and decays slowly.
 * peak: of the previous frame. */
INLINE uint
next_peak (constant histogram_scope_params *params, uint top, uint peak)
{
  return params->reset || top >= peak ? top : peak - (peak - top + 15) / 16;
}

INLINE uint
bar_height (constant histogram_scope_params *params, uint clipped, uint samples)
{
  const uint height = params->scope.plot_height * 16;

  if (clipped == 0 || (ulong) clipped * CURVES_CLIPPED < samples)
    return 0;
  return max (height / 16,
      height_of (params, (uint) ((ulong) clipped * 65535 / samples)));
}

/* `percent` % of the samples, rounded up. */
INLINE uint
percentage (uint samples, uint percent)
{
  return (uint) (((ulong) samples * percent + 99) / 100);
}

INLINE bool
is_inner (constant curve_params *curve, uint v)
{
  return v > curve->black && v < curve->white;
}

#ifdef AMPHISTO_GPU

/* Finds the tops of curve i: each work-item finds the rank of its own bin, and
 * the samples of the bins that rank after it. Equal bins rank by value.
 * samples: of all bins; inner: of those between black and white. */
INLINE void
find_tops (constant curve_params *curve, uint i, uint samples, uint inner,
    OWN curves_memory *own)
{
  const local uint *bins = own->cdf.counts;
  OWN curve_tops *tops = &own->tops[i];
  const uint v = (uint) get_local_id (0);
  const uint bin = bins[v];
  const uint counted = inner > 0 ? inner : samples;
  uint rank = 0, lower = 0, tallest = 0;

  for (uint k = 0; k < AMPHISTO_N_BINS; k++) {
    const bool is_taller = bins[k] > bin || (bins[k] == bin && k < v);
    const bool counts = inner == 0 || is_inner (curve, k);

    rank += counts && is_taller;
    lower += counts && !is_taller && k != v ? bins[k] : 0;
    tallest = max (tallest, bins[k]);
  }
  if (v == 0) {
    own->tallest[i] = tallest;
    tops->is_inner = inner > 0;
  }
  if (inner == 0 || is_inner (curve, v)) {
    if (rank == 0)
      tops->tallest = bin;
    if (rank == CURVES_LEAST_BINS - 1)
      tops->has_least_bins = bin > 0;
    if (rank == CURVES_RANK)
      tops->ranked = bin;
    if ((ulong) lower * 10 < counted && (ulong) (lower + bin) * 10 >= counted)
      tops->tenth = bin;
  }
}

/* Measures curve i, in a work-group of AMPHISTO_N_BINS work-items, one per
 * value. */
INLINE void
measure_curve (constant histogram_scope_params *params, uint i,
    global const uint *bins, OWN curves_memory *own)
{
  constant curve_params *curve = &params->curve[i];
  const uint v = (uint) get_local_id (0);
  const uint bin = bins[v];
  const cdf_value cdf = find_cdf (&own->cdf, bin);
  const uint below = cdf.samples - bin;

  if (v == curve->black) {
    own->bars[i][0] = bar_height (params, cdf.samples, cdf.total);
    own->edges[0] = cdf.samples;
  }
  if (v == curve->white) {
    own->bars[i][1] = bar_height (params, cdf.total - below, cdf.total);
    own->edges[1] = below;
  }
  if (v == 0)
    own->tops[i].tenth = 0; /* nobody finds it if all bins are empty */
  for (uint m = 0; m < CURVES_N_MARKS; m++) {
    const uint wanted = percentage (cdf.total, CURVES_MARK (m));

    if (cdf.samples >= wanted && (v == 0 || below < wanted))
      own->marks[i].line[m] = mark_column (params, curve, v);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  find_tops (curve, i, cdf.total, own->edges[1] - own->edges[0], own);
  barrier (CLK_LOCAL_MEM_FENCE);
}

#else

/* The smallest value v with CDF (v) >= `percent` % of the samples. */
INLINE uint
percentile (global const uint *bins, uint samples, uint percent)
{
  const uint wanted = percentage (samples, percent);
  uint sum = bins[0];
  uint v = 0;

  while (sum < wanted)
    sum += bins[++v];
  return v;
}

/* The number of bins that are at least as tall as `height`. */
INLINE uint
count_from (const uint *bins, uint height)
{
  uint n = 0;

  for (uint v = 0; v < AMPHISTO_N_BINS; v++)
    n += bins[v] >= height;
  return n;
}

/* The samples of the bins that are less tall than `height`. */
INLINE uint
add_up_below (const uint *bins, uint height)
{
  uint sum = 0;

  for (uint v = 0; v < AMPHISTO_N_BINS; v++)
    sum += bins[v] < height ? bins[v] : 0;
  return sum;
}

/* Finds the tops of a curve, height by height from the highest bit on, as
 * sorting takes longer. inner: the samples of bins between black and white. */
INLINE void
find_tops (constant curve_params *curve, global const uint *bins, uint samples,
    uint inner, OWN curve_tops *tops)
{
  const uint counted = inner > 0 ? inner : samples;
  uint own[AMPHISTO_N_BINS];
  uint tallest = 0, ranked = 0, tenth = 0;

  for (uint v = 0; v < AMPHISTO_N_BINS; v++) {
    own[v] = inner == 0 || is_inner (curve, v) ? bins[v] : 0;
    tallest = max (tallest, own[v]);
  }
  for (uint bit = 1u << (31 - clz (tallest | 1)); bit > 0; bit >>= 1) {
    if (count_from (own, ranked | bit) > CURVES_RANK)
      ranked |= bit;
    if ((ulong) add_up_below (own, tenth | bit) * 10 < counted)
      tenth |= bit;
  }
  *tops = (curve_tops){ inner > 0, tallest, ranked, tenth,
    count_from (own, 1) >= CURVES_LEAST_BINS };
}

/* Measures curve i. */
INLINE void
measure_curve (constant histogram_scope_params *params, uint i,
    global const uint *bins, OWN curves_memory *own)
{
  constant curve_params *curve = &params->curve[i];
  uint samples = 0, black = 0, white = 0, tallest = 0;

  for (uint v = 0; v < AMPHISTO_N_BINS; v++) {
    samples += bins[v];
    black += v <= curve->black ? bins[v] : 0;
    white += v >= curve->white ? bins[v] : 0;
    tallest = max (tallest, bins[v]);
  }
  own->tallest[i] = tallest;
  find_tops (curve, bins, samples, samples - black - white, &own->tops[i]);
  own->bars[i][0] = bar_height (params, black, samples);
  own->bars[i][1] = bar_height (params, white, samples);
  for (uint m = 0; m < CURVES_N_MARKS; m++)
    own->marks[i].line[m] = params->has_marks ? mark_column (params, curve,
                                percentile (bins, samples, CURVES_MARK (m)))
                                              : 0;
}

#endif

/* Whether neither neighbour of bin v is taller. */
INLINE bool
is_summit (const OWN ushort *heights, uint v)
{
  return heights[v - min (v, 1u)] <= heights[v]
      && heights[min (v + 1, AMPHISTO_N_BINS - 1u)] <= heights[v];
}

/* The height of a curve in one of its columns. heights: of its bins. */
INLINE uint
curve_height (
    constant curve_params *curve, const OWN ushort *heights, uint column)
{
  const uint width = curve->width;

  if (width < AMPHISTO_N_BINS) {
    const uint end = (column + 1) * AMPHISTO_N_BINS / width;
    uint most = 0;

    for (uint v = column * AMPHISTO_N_BINS / width; v < end; v++)
      most = max (most, (uint) heights[v]);
    return most;
  }

  const uint at = column * curve->bins_per_column;
  const uint v = min (at >> 16, 254u);
  const uint weight = min ((at - (v << 16)) >> 8, 256u);
  const uint nearest = v + (weight >= 128);

  if (is_summit (heights, nearest)
      && (nearest * (width - 1) + 127) / 255 == column)
    return heights[nearest];
  return (heights[v] * (256 - weight) + heights[v + 1] * weight) >> 8;
}

INLINE void
write_edge (constant histogram_scope_params *params, global ushort *edges,
    uint x, uint upper, uint lower, uint span)
{
  edges[EDGE_UPPER * params->scope.panel_width + x] = upper;
  edges[EDGE_LOWER * params->scope.panel_width + x] = lower;
  edges[EDGE_SPAN * params->scope.panel_width + x] = span;
  edges[EDGE_SLOPE * params->scope.panel_width + x] = 0xfffff / span;
}

/* Writes the edge of the curve in one of its `n_columns` columns. first: the
 * panel's column with the first of them. */
INLINE void
write_curve_edge (constant histogram_scope_params *params, global ushort *edges,
    uint first, uint n_columns, uint column)
{
  const global ushort *heights = height_columns (edges, params) + first;
  const int line = (int) params->line_width;
  const int left = heights[column == 0 ? 0 : column - 1];
  const int middle = heights[column];
  const int right = heights[min (column + 1, n_columns - 1)];
  const int high = max (middle, (middle + max (left, right)) / 2);
  const int low = min (middle, (middle + min (left, right)) / 2);
  const int slope = high - low;
  const int reach = line * (max (16, slope) + min (16, slope) * 3 / 8) / 32;
  const int top = max (middle, max (left, right)) + line / 2;
  const int bottom = min (middle, min (left, right)) - line / 2;

  write_edge (params, edges, first + column, (uint) min (high + reach, top),
      (uint) max (0, max (high - reach, bottom)),
      (uint) min (slope + 16, 4095));
}

/* Writes the edge of column x beside the curve, which is in a bar or empty. */
INLINE void
write_side_edge (constant histogram_scope_params *params, const OWN uint *bar,
    global ushort *edges, uint x)
{
  uint upper = 0;

  if (x - params->bar_left < params->bar_width)
    upper = bar[0];
  else if (params->scope.panel_width - 1 - x - params->bar_left
      < params->bar_width)
    upper = bar[1];
  write_edge (params, edges, x, upper, 0, 16);
}

/* The upper edge, in column x, of the arrow of the nearest cut-off bin; 0: none
 * is near. */
INLINE uint
arrow_edge (constant histogram_scope_params *params,
    constant curve_params *curve, global const uint *bins, uint peak, uint x)
{
  const int top = (int) (params->scope.plot_top + params->scope.plot_height - 1
                      - params->arrow_top)
      * 16;
  const uint first = params->scope.plot_left + curve->left;
  const uint column = x > first ? min (x - first, curve->width - 1) : 0;
  const uint v = column * curve->bins_per_column >> 16;
  const uint end = min (v + curve->arrow_bins + 1, (uint) AMPHISTO_N_BINS);
  int edge = 0;

  for (uint k = v - min (v, curve->arrow_bins); k < end; k++)
    if (bins[k] > peak) {
      const int distance = (int) abs_diff (x, value_column (params, curve, k));

      edge = max (edge, top - distance * CURVES_ARROW_SLOPE);
    }
  return (uint) edge;
}

/* Writes the arrows of a curve. tallest: of its bins. Without arrows, writes
 * only the upper and lower edges: at 0, they hide an arrow of any span and
 * slope. */
INLINE void
write_arrows (constant histogram_scope_params *params,
    constant curve_params *curve, global const uint *bins, uint tallest,
    uint peak, global ushort *edges)
{
  const uint width = params->scope.panel_width;

  if (tallest <= peak) {
    FOR_COLUMNS (x, width)
      edges[EDGE_UPPER * width + x] = edges[EDGE_LOWER * width + x] = 0;
    return;
  }
  FOR_COLUMNS (x, width)
    write_edge (
        params, edges, x, arrow_edge (params, curve, bins, peak, x), 0, 16);
}

/* --- moving gridlines --- */

INLINE uint
row_light (constant histogram_scope_params *params, curves_scale scale,
    uint peak, uint y)
{
  const uint up = params->scope.plot_top + params->scope.plot_height - 1 - y;

  if (params->scope.has_graticule && scale.is_log)
    for (uint count = 1; count < peak && count < 1000000000; count *= 10)
      if (is_on_gridline (
              params, up, height_of (params, level_of (scale, count)) / 16))
        return SCOPE_GRIDLINE_LIGHT;
  return 0;
}

/* --- the stages of calculate_curves; each needs the results of the previous
 * one --- */

/* peaks: the previous frame's; replaced by this frame's. */
INLINE void
measure_curves (constant histogram_scope_params *params,
    global const uint *bins, global uint *peaks, OWN curves_memory *own)
{
  for (uint i = 0; i < params->n_curves; i++)
    measure_curve (
        params, i, bins + params->curve[i].slot * AMPHISTO_N_BINS, own);
  FOR_COLUMNS (s, params->n_scales) {
    const uint inner = top_of_scale (params, s, 1, own->tops);
    const uint top = inner > 0 ? inner : top_of_scale (params, s, 0, own->tops);

    own->peak[s] = peaks[s] = next_peak (params, top, peaks[s]);
  }
}

INLINE void
calculate_bin_heights (constant histogram_scope_params *params,
    global const uint *bins, OWN curves_memory *own)
{
  for (uint i = 0; i < params->n_curves; i++) {
    const uint peak = own->peak[params->curve[i].scale];
    const curves_scale scale = scale_to (params, peak);
    global const uint *curve_bins =
        bins + params->curve[i].slot * AMPHISTO_N_BINS;

    FOR_COLUMNS (v, AMPHISTO_N_BINS)
      own->heights[i * AMPHISTO_N_BINS + v] =
          height_of (params, level_of (scale, min (curve_bins[v], peak)));
  }
}

INLINE void
calculate_heights (constant histogram_scope_params *params,
    const OWN ushort *bin_heights, global ushort *columns)
{
  for (uint i = 0; i < params->n_curves; i++) {
    constant curve_params *curve = &params->curve[i];
    global ushort *heights =
        height_columns (curve_columns (columns, params, i), params)
        + params->scope.plot_left + curve->left;

    FOR_COLUMNS (x, curve->width)
      heights[x] = curve_height (curve, bin_heights + i * AMPHISTO_N_BINS, x);
  }
}

/* Calculates the edges. */
INLINE void
calculate_edges (constant histogram_scope_params *params,
    global const uint *bins, const OWN curves_memory *own,
    global ushort *columns)
{
  for (uint i = 0; i < params->n_curves; i++) {
    constant curve_params *curve = &params->curve[i];
    const uint first = params->scope.plot_left + curve->left;
    const uint n_columns = curve->width;
    global ushort *edges = curve_columns (columns, params, i);

    /* must come first: after the last loop, rusticl (22.3) loses plot_left */
    write_arrows (params, curve, bins + curve->slot * AMPHISTO_N_BINS,
        own->tallest[i], own->peak[curve->scale],
        arrow_columns (edges, params));
    FOR_COLUMNS (x, params->scope.panel_width) {
      if (x - first < n_columns)
        write_curve_edge (params, edges, first, n_columns, x - first);
      else
        write_side_edge (params, own->bars[i], edges, x);
    }
  }
}

INLINE void
calculate_panel (constant histogram_scope_params *params, uint panel,
    const OWN curves_memory *own, global ushort *columns)
{
  const OWN curve_marks *curves = &own->marks[panel * params->panel_curves];
  const uint peak =
      own->peak[params->curve[panel * params->panel_curves].scale];
  const curves_scale scale = scale_to (params, peak);
  global ushort *rows = panel_rows (columns, params, panel);
  global ushort *marks = mark_columns (columns, params, panel);

  FOR_COLUMNS (y, params->scope.panel_height)
    rows[y] = row_light (params, scale, peak, y)
        | (params->has_marks ? row_has_dash (params, y) : 0);
  if (params->has_marks)
    FOR_COLUMNS (x, params->scope.panel_width)
      marks[x] = column_marks (params, curves, x);
}

NOINLINE void
calculate_columns (constant histogram_scope_params *params,
    global const uint *bins, global uint *peaks, global ushort *columns,
    global uint *graticule, OWN curves_memory *own)
{
  const uint n_panels = params->scope.panels_x * params->scope.panels_y;

  measure_curves (params, bins, peaks, own);
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  calculate_bin_heights (params, bins, own);
  if (params->has_labels)
    FOR_COLUMNS (p, n_panels)
      place_labels (params, &own->marks[p * params->panel_curves]);
  for (uint p = 0; params->has_labels && p < n_panels; p++)
    clear_labels (params, p, graticule);
  GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  calculate_heights (params, own->heights, columns);
  GROUP_BARRIER (CLK_GLOBAL_MEM_FENCE);
  calculate_edges (params, bins, own, columns);
  for (uint p = 0; p < n_panels; p++)
    calculate_panel (params, p, own, columns);
  for (uint p = 0; params->has_labels && p < n_panels; p++)
    copy_labels (params, &own->marks[p * params->panel_curves], p, graticule);
  write_numbers (&params->scope, bins, graticule, &own->numbers);
}

/* Calculates `columns`, see columns.cl, from the bins, updates the scales'
 * peaks, and writes the labels of marks and the numbers into the graticule. One
 * work-group. */
kernel GROUP void
calculate_curves (constant histogram_scope_params *params,
    global const uint *bins, global uint *peaks, global ushort *columns,
    global uint *graticule)
{
  OWN curves_memory own;

  calculate_columns (params, bins, peaks, columns, graticule, &own);
}
