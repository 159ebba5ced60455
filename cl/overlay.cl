/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The histograms, drawn into the frame: from the bins to columns of curves,
 * from those to pixels. plugin/overlay.c is the same in plain C, and says why
 * things are as they are; what is said here is how they are made fast.
 *
 * A pixel is drawn in registers and blended at once, a unit of 16 neighbours
 * in vectors of 16-bit numbers, in both shapes: no picture of the graph is ever
 * in memory. What depends on the column or the row alone was calculated
 * before, once for each.
 */

/* Where in `columns` a panel's rows are, its three columns of light, and the
 * five of a curve. */
INLINE global ushort *
panel_rows (global ushort *columns, constant overlay_params *params, uint panel)
{
  return columns + panel * params->panel_height;
}

INLINE global ushort *
panel_columns (
    global ushort *columns, constant overlay_params *params, uint panel)
{
  const uint n_panels = params->panels_x * params->panels_y;

  return columns + n_panels * params->panel_height
      + panel * 3 * params->panel_width;
}

INLINE global ushort *
curve_columns (global ushort *columns, constant overlay_params *params, uint i)
{
  const uint n_panels = params->panels_x * params->panels_y;

  return columns + n_panels * (params->panel_height + 3 * params->panel_width)
      + i * 5 * params->panel_width;
}

/* Which of a curve's columns, panel_width numbers each. */
enum
{
  EDGE_UPPER,
  EDGE_LOWER,
  EDGE_SPAN,
  EDGE_SLOPE, /* 0xfffff / span */
  EDGE_HEIGHT
};

/* --- curves --- */

/* What a curve is drawn from. */
typedef struct
{
  uint bar[2];
  uint mark[OVERLAY_N_MARKS];
} curve_measures;

INLINE uint
overlay_log (uint n)
{
  const uint x = n + 1;
  const uint exponent = 31 - clz (x);
  const uint fraction = (x << (31 - exponent) & 0x7fffffff) >> 15;
  const uint bulge = fraction * (65536 - fraction) >> 16;

  return exponent << 10 | (fraction + (bulge * 11 >> 5)) >> 6;
}

/* How counts become levels. */
typedef struct
{
  uint is_log;
  uint shift;
  uint reciprocal;
} overlay_scale;

INLINE uint
scaled_count (overlay_scale scale, uint count)
{
  return scale.is_log ? overlay_log (count) : count >> scale.shift;
}

INLINE uint
level_of (overlay_scale scale, uint count)
{
  return scaled_count (scale, count) * scale.reciprocal >> 16;
}

INLINE overlay_scale
scale_to (constant overlay_params *params, uint peak)
{
  const uint bits = 32 - clz (peak);
  overlay_scale scale = { params->is_log, bits > 16 ? bits - 16 : 0, 0 };

  scale.reciprocal = UINT_MAX / max (scaled_count (scale, peak), 1u);
  return scale;
}

INLINE uint
height_of (constant overlay_params *params, uint level)
{
  return level * (params->plot_height * 16) >> 16;
}

/* The peak of the panel's last frame, moved on. */
INLINE uint
next_peak (constant overlay_params *params, uint panel, global const uint *bins,
    uint peak)
{
  uint tallest = 0;

  for (uint i = 0; i < params->panel_curves; i++) {
    const uint slot = params->curve[panel * params->panel_curves + i].slot;

    for (uint v = 0; v < AMPHISTO_BINS; v++)
      tallest = max (tallest, bins[slot * AMPHISTO_BINS + v]);
  }
  return params->reset || tallest >= peak ? tallest
                                          : peak - (peak - tallest + 15) / 16;
}

INLINE uint
bar_height (constant overlay_params *params, uint clipped, uint samples)
{
  const uint height = params->plot_height * 16;

  if ((ulong) clipped * 100 <= samples)
    return 0;
  return max (height / 16,
      height_of (params, (uint) ((ulong) clipped * 65535 / samples)));
}

/* The value that `percent` of the samples do not exceed. */
INLINE uint
percentile (global const uint *bins, uint samples, uint percent)
{
  const uint wanted = (uint) (((ulong) samples * percent + 99) / 100);
  uint sum = bins[0];
  uint v = 0;

  while (sum < wanted)
    sum += bins[++v];
  return v;
}

INLINE curve_measures
measure_curve (constant overlay_params *params, constant curve_params *curve,
    global const uint *bins)
{
  uint samples = 0, black = 0, white = 0;
  curve_measures measures;

  for (uint v = 0; v < AMPHISTO_BINS; v++) {
    samples += bins[v];
    black += v <= curve->black ? bins[v] : 0;
    white += v >= curve->white ? bins[v] : 0;
  }
  measures.bar[0] = bar_height (params, black, samples);
  measures.bar[1] = bar_height (params, white, samples);
  for (uint m = 0; m < OVERLAY_N_MARKS; m++)
    measures.mark[m] =
        params->has_marks ? percentile (bins, samples, OVERLAY_MARK (m)) : 0;
  return measures;
}

INLINE uint
curve_height (
    constant overlay_params *params, const local ushort *level, uint column)
{
  const uint width = params->plot_width;

  if (width < AMPHISTO_BINS) {
    const uint end = (column + 1) * AMPHISTO_BINS / width;
    uint most = 0;

    for (uint v = column * AMPHISTO_BINS / width; v < end; v++)
      most = max (most, (uint) level[v]);
    return height_of (params, most);
  }

  const uint at = column * params->step;
  const uint v = min (at >> 16, 254u);
  const uint share = min ((at - (v << 16)) >> 8, 256u);

  return height_of (
      params, (level[v] * (256 - share) + level[v + 1] * share) >> 8);
}

INLINE void
write_edge (constant overlay_params *params, global ushort *curve, uint x,
    uint upper, uint lower, uint span)
{
  curve[EDGE_UPPER * params->panel_width + x] = upper;
  curve[EDGE_LOWER * params->panel_width + x] = lower;
  curve[EDGE_SPAN * params->panel_width + x] = span;
  curve[EDGE_SLOPE * params->panel_width + x] = 0xfffff / span;
}

INLINE void
write_plot_edge (
    constant overlay_params *params, global ushort *curve, uint column)
{
  const global ushort *heights =
      curve + EDGE_HEIGHT * params->panel_width + params->plot_left;
  const int line = (int) params->line_width;
  const int left = heights[column == 0 ? 0 : column - 1];
  const int middle = heights[column];
  const int right = heights[min (column + 1, params->plot_width - 1)];
  const int high = max (middle, (middle + max (left, right)) / 2);
  const int low = min (middle, (middle + min (left, right)) / 2);
  const int slope = high - low;
  const int reach = line * (max (16, slope) + min (16, slope) * 3 / 8) / 32;
  const int top = max (middle, max (left, right)) + line / 2;
  const int bottom = min (middle, min (left, right)) - line / 2;

  write_edge (params, curve, params->plot_left + column,
      (uint) min (high + reach, top),
      (uint) max (0, max (high - reach, bottom)),
      (uint) min (slope + 16, 4095));
}

/* What stands beside the plot: the bars, and nothing. */
INLINE void
write_side_edge (constant overlay_params *params, const uint *bar,
    global ushort *curve, uint x)
{
  const uint rule = params->rule_width;
  uint upper = 0;

  if (x - rule < params->bar_width)
    upper = bar[0];
  else if (params->panel_width - 1 - x - rule < params->bar_width)
    upper = bar[1];
  write_edge (params, curve, x, upper, 0, 16);
}

/* --- graticule and marks --- */

INLINE bool
is_on_rule (constant overlay_params *params, uint at, uint rule)
{
  return at - rule < params->rule_width;
}

INLINE uint
value_column (constant overlay_params *params, uint v)
{
  return params->plot_left + (v * (params->plot_width - 1) + 127) / 255
      - params->rule_width / 2;
}

INLINE uint
grey_light (constant overlay_params *params, uint x)
{
  if (is_on_rule (params, x, params->plot_left - params->rule_width)
      || is_on_rule (params, x, params->plot_left + params->plot_width))
    return OVERLAY_FRAME_LIGHT;
  for (uint v = 64; v < AMPHISTO_BINS; v += 64)
    if (is_on_rule (params, x, value_column (params, v)))
      return OVERLAY_QUARTER_LIGHT;
  return 0;
}

INLINE uint4
column_light (constant overlay_params *params, constant curve_params *curve,
    const curve_measures *measures, uint x)
{
  uint4 light = 0;

  if (params->has_graticule) {
    light = (uint4) (grey_light (params, x));
    if (curve->black > 0
        && (is_on_rule (params, x, value_column (params, curve->black))
            || is_on_rule (params, x, value_column (params, curve->white))))
      light = max (light,
          (uint4) (OVERLAY_LIMIT_R, OVERLAY_LIMIT_G, OVERLAY_LIMIT_B, 0));
  }
  if (params->has_marks)
    for (uint i = 0; i < params->panel_curves; i++)
      for (uint m = 0; m < OVERLAY_N_MARKS; m++)
        if (is_on_rule (params, x, value_column (params, measures[i].mark[m])))
          light = max (light,
              (uint4) (curve[i].line[0], curve[i].line[1], curve[i].line[2], 0)
                  * 3 / 4);
  return light;
}

INLINE uint
row_light (
    constant overlay_params *params, overlay_scale scale, uint peak, uint y)
{
  const uint up = params->plot_bottom - 1 - y;

  if (!params->has_graticule)
    return 0;
  if (is_on_rule (params, up, 0 - params->rule_width)
      || is_on_rule (params, up, params->plot_height))
    return OVERLAY_FRAME_LIGHT;
  if (!scale.is_log) {
    for (uint quarter = 1; quarter < 4; quarter++)
      if (is_on_rule (params, up, params->plot_height * quarter / 4))
        return OVERLAY_QUARTER_LIGHT;
  } else {
    for (uint count = 1; count < peak && count < 1000000000; count *= 10)
      if (is_on_rule (
              params, up, height_of (params, level_of (scale, count)) / 16))
        return OVERLAY_QUARTER_LIGHT;
  }
  return 0;
}

/* The stages of calculate_curves; what a stage writes, the next reads. */

INLINE void
calculate_levels (constant overlay_params *params, global const uint *bins,
    const uint *peak, local ushort *levels)
{
  for (uint i = 0; i < params->n_curves; i++) {
    const overlay_scale scale =
        scale_to (params, peak[i / params->panel_curves]);
    const uint slot = params->curve[i].slot;

    FOR_COLUMNS (v, AMPHISTO_BINS)
      levels[i * AMPHISTO_BINS + v] =
          level_of (scale, bins[slot * AMPHISTO_BINS + v]);
  }
}

INLINE void
calculate_heights (constant overlay_params *params, const local ushort *levels,
    global ushort *columns)
{
  for (uint i = 0; i < params->n_curves; i++) {
    global ushort *heights = curve_columns (columns, params, i)
        + EDGE_HEIGHT * params->panel_width + params->plot_left;

    FOR_COLUMNS (x, params->plot_width)
      heights[x] = curve_height (params, levels + i * AMPHISTO_BINS, x);
  }
}

INLINE void
calculate_edges (constant overlay_params *params,
    const curve_measures *measures, global ushort *columns)
{
  for (uint i = 0; i < params->n_curves; i++) {
    global ushort *curve = curve_columns (columns, params, i);

    FOR_COLUMNS (x, params->plot_width)
      write_plot_edge (params, curve, x);
    FOR_COLUMNS (x, params->plot_left) {
      write_side_edge (params, measures[i].bar, curve, x);
      write_side_edge (
          params, measures[i].bar, curve, params->panel_width - 1 - x);
    }
  }
}

INLINE void
calculate_panel (constant overlay_params *params, uint panel, uint peak,
    const curve_measures *measures, global ushort *columns)
{
  const uint first = panel * params->panel_curves;
  const uint width = params->panel_width;
  const overlay_scale scale = scale_to (params, peak);
  global ushort *rows = panel_rows (columns, params, panel);
  global ushort *light = panel_columns (columns, params, panel);

  FOR_COLUMNS (y, params->panel_height)
    rows[y] = row_light (params, scale, peak, y);
  FOR_COLUMNS (x, width) {
    const uint4 rgb =
        column_light (params, &params->curve[first], &measures[first], x);

    light[x] = rgb.x;
    light[width + x] = rgb.y;
    light[2 * width + x] = rgb.z;
  }
}

/* From the bins to columns, and from the peaks, one a panel, to those that come
 * after them. GPU shape: one work-group; CPU shape: one work-item. columns:
 * amphisto_overlay_n_columns(). */
kernel void
calculate_curves (constant overlay_params *params, global const uint *bins,
    global uint *peaks, global ushort *columns)
{
  local ushort levels[AMPHISTO_MAX_SLOTS * AMPHISTO_BINS];
  curve_measures measures[AMPHISTO_MAX_SLOTS];
  uint peak[AMPHISTO_MAX_SLOTS];
  const uint n_panels = params->panels_x * params->panels_y;

  /* Every work-item measures for itself, what others do, too: a driver
   * (rusticl 22.3) goes wrong where but some do so before a barrier. */
  for (uint p = 0; p < n_panels; p++)
    peak[p] = next_peak (params, p, bins, peaks[p]);
  for (uint i = 0; i < params->n_curves; i++)
    measures[i] = measure_curve (params, &params->curve[i],
        bins + params->curve[i].slot * AMPHISTO_BINS);
  calculate_levels (params, bins, peak, levels);
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  FOR_COLUMNS (p, n_panels)
    peaks[p] = peak[p];
  calculate_heights (params, levels, columns);
  barrier (CLK_GLOBAL_MEM_FENCE);
  calculate_edges (params, measures, columns);
  for (uint p = 0; p < n_panels; p++)
    calculate_panel (params, p, peak[p], measures, columns);
}

/* --- pixels in memory --- */

/* Sixteen of the columns' numbers, from any of them on; see words16. */
typedef ushort16 shorts16 __attribute__ ((aligned (2)));

/* n words (4, 8, 12 or 16) from character `at` of the row on. */
INLINE uint16
read_words (uchar_row row, size_t at, uint n)
{
  const global uint *words = row.words + ((row.first + at) >> 2);
  uint read[16];

  if (row.first == 0)
    switch (n) {
      case 16:
        return *(const global words16 *) words;
      case 12:
        return (uint16) (*(const global words8 *) words,
            *(const global words4 *) (words + 8), (uint4) (0));
      case 8:
        return (uint16) (*(const global words8 *) words, (uint8) (0));
      default:
        return (
            uint16) (*(const global words4 *) words, (uint4) (0), (uint8) (0));
    }
  for (uint i = 0; i < n; i++)
    read[i] = read_word (row, at + i * 4);
  return vload16 (0, read);
}

/* Words that are shared with what is not the kernel's own are written by
 * character. */
INLINE void
write_words (uchar_row row, size_t at, uint n, uint16 v)
{
  global uint *words = row.words + ((row.first + at) >> 2);
  uint written[16];

  if (row.first == 0)
    switch (n) {
      case 16:
        *(global words16 *) words = v;
        return;
      case 12:
        *(global words8 *) words = v.lo;
        *(global words4 *) (words + 8) = v.s89ab;
        return;
      case 8:
        *(global words8 *) words = v.lo;
        return;
      default:
        *(global words4 *) words = v.s0123;
        return;
    }
  vstore16 (v, 0, written);
  for (uint i = 0; i < n * 4; i++)
    write_uchar (row, at + i, written[i >> 2] >> (i & 3) * 8);
}

/* The same for n neighbouring characters (4, 8 or 16). */
INLINE uchar16
read_unit_characters (uchar_row row, size_t at, uint n)
{
  const global uint *words = row.words + ((row.first + at) >> 2);
  uint4 read = 0;

  if (row.first == 0 && n == 16) {
    read = *(const global words4 *) words;
  } else if (row.first == 0 && n == 8) {
    read.lo = vload2 (0, words);
  } else {
    read.x = read_word (row, at);
    if (n > 4)
      read.y = read_word (row, at + 4);
    if (n > 8)
      read.zw = (uint2) (read_word (row, at + 8), read_word (row, at + 12));
  }
  return as_uchar16 (read);
}

INLINE void
write_unit_characters (uchar_row row, size_t at, uint n, uchar16 v)
{
  global uint *words = row.words + ((row.first + at) >> 2);
  const uint4 as_words = as_uint4 (v);
  uchar written[16];

  if (row.first == 0 && n == 16) {
    *(global words4 *) words = as_words;
  } else if (row.first == 0 && n == 8) {
    vstore2 (as_words.lo, 0, words);
  } else if (row.first == 0) {
    words[0] = as_words.x;
  } else {
    vstore16 (v, 0, written);
    for (uint i = 0; i < n; i++)
      write_uchar (row, at + i, written[i]);
  }
}

/* Sixteen items of 2 to 4 bytes, out of words and back. */
INLINE uint4
unpack_3_words (uint a, uint b, uint c)
{
  return (uint4) (a, a >> 24 | b << 8, b >> 16 | c << 16, c >> 8) & 0xffffffu;
}

INLINE uint3
pack_3_words (uint4 p)
{
  return (uint3) (p.x | p.y << 24, p.y >> 8 | p.z << 16, p.z >> 16 | p.w << 8);
}

INLINE uint16
unpack_items (uint16 v, uint size)
{
  if (size == 2)
    return convert_uint16 (as_ushort16 (v.lo));
  if (size == 3)
    return (uint16) (unpack_3_words (v.s0, v.s1, v.s2),
        unpack_3_words (v.s3, v.s4, v.s5), unpack_3_words (v.s6, v.s7, v.s8),
        unpack_3_words (v.s9, v.sa, v.sb));
  return v;
}

INLINE uint16
pack_items (uint16 items, uint size)
{
  if (size == 2)
    return (uint16) (as_uint8 (convert_ushort16 (items)), (uint8) (0));
  if (size == 3)
    return (uint16) (pack_3_words (items.s0123), pack_3_words (items.s4567),
        pack_3_words (items.s89ab), pack_3_words (items.scdef), (uint4) (0));
  return items;
}

/* A unit's samples of one component: n (4, 8 or 16), each in an item of `size`
 * bytes (1 to 4), `shift` bits into it. */
typedef struct
{
  uchar_row row;
  size_t at; /* the first item, in characters */
  uint size;
  uint shift;
  uint n;
} unit_samples;

INLINE unit_samples
samples_at (
    uchar_planes planes, constant component_params *c, uint x, uint y, uint n)
{
  const unit_samples samples = { frame_row (frame_plane (planes, c->plane), y),
    (size_t) x * c->pixel_stride, c->pixel_stride, c->offset * 8, n };

  return samples;
}

INLINE uint16
read_items (unit_samples s)
{
  return unpack_items (read_words (s.row, s.at, s.n * s.size / 4), s.size);
}

INLINE void
write_items (unit_samples s, uint16 items)
{
  write_words (s.row, s.at, s.n * s.size / 4, pack_items (items, s.size));
}

INLINE ushort16
item_samples (uint16 items, uint shift)
{
  return convert_ushort16 (items >> shift & 0xffu);
}

/* What else is in the items stays. */
INLINE uint16
items_with (uint16 items, uint shift, ushort16 values)
{
  return (items & ~(0xffu << shift)) | convert_uint16 (values) << shift;
}

INLINE ushort16
read_unit (unit_samples s)
{
  if (s.size == 1)
    return convert_ushort16 (read_unit_characters (s.row, s.at, s.n));
  return item_samples (read_items (s), s.shift);
}

INLINE void
write_unit (unit_samples s, ushort16 values)
{
  if (s.size == 1)
    write_unit_characters (s.row, s.at, s.n, convert_uchar16 (values));
  else
    write_items (s, items_with (read_items (s), s.shift, values));
}

/* --- pixels --- */

/* Light of 16 pixels. */
typedef struct
{
  ushort16 r, g, b, alpha;
} unit_light;

/* Not any(), which PoCL (3.1) makes a chain of branches of. */
INLINE bool
is_all_zeros (ushort16 v)
{
  const ulong4 words = as_ulong4 (v);

  return (words.x | words.y | words.z | words.w) == 0;
}

/* (below * slope) >> 16: mul_hi() is taken apart into 16-bit products (PoCL
 * 3.1), this is one instruction where there is one. */
INLINE ushort16
cover (ushort16 edge, ushort16 span, ushort16 slope, ushort bottom)
{
  const ushort16 below = min (sub_sat (edge, (ushort16) (bottom)), span)
      << (ushort16) (4);

  return convert_ushort16 (
      (convert_uint16 (below) * convert_uint16 (slope)) >> (uint16) (16));
}

INLINE ushort16
curve_light (ushort16 fill, ushort16 line, constant curve_params *curve, uint c)
{
  return (fill * (ushort) curve->fill[c] + line * (ushort) curve->line[c]
             + (ushort16) (255))
      >> (ushort16) (8);
}

INLINE unit_light
add_curve (unit_light light, constant curve_params *curve,
    const global ushort *columns, uint width, ushort bottom)
{
  const ushort16 upper =
      *(const global shorts16 *) (columns + EDGE_UPPER * width);

  /* most of a graph is above its curves */
  if (is_all_zeros (sub_sat (upper, (ushort16) (bottom))))
    return light;

  const ushort16 lower =
      *(const global shorts16 *) (columns + EDGE_LOWER * width);
  const ushort16 span =
      *(const global shorts16 *) (columns + EDGE_SPAN * width);
  const ushort16 slope =
      *(const global shorts16 *) (columns + EDGE_SLOPE * width);
  const ushort16 fill = cover (lower, span, slope, bottom);
  const ushort16 line = cover (upper, span, slope, bottom) - fill;

  light.r += curve_light (fill, line, curve, 0);
  light.g += curve_light (fill, line, curve, 1);
  light.b += curve_light (fill, line, curve, 2);
  return light;
}

/* Row y of a panel, 16 pixels from column x on. */
INLINE unit_light
panel_light (constant overlay_params *params, global ushort *columns,
    uint panel, uint x, uint y)
{
  const uint width = params->panel_width;
  const uint first = panel * params->panel_curves;
  const global ushort *light = panel_columns (columns, params, panel) + x;
  const ushort16 row = panel_rows (columns, params, panel)[y];
  unit_light sum = { max (row, *(const global shorts16 *) (light)),
    max (row, *(const global shorts16 *) (light + width)),
    max (row, *(const global shorts16 *) (light + 2 * width)), 0 };

  if (y < params->plot_bottom)
    for (uint i = first; i < first + params->panel_curves; i++)
      sum = add_curve (sum, &params->curve[i],
          curve_columns (columns, params, i) + x, width,
          (ushort) ((params->plot_bottom - 1 - y) * 16));
  sum.r = min (sum.r, (ushort16) (255));
  sum.g = min (sum.g, (ushort16) (255));
  sum.b = min (sum.b, (ushort16) (255));
  sum.alpha = max (
      max (sum.r, sum.g), max (sum.b, (ushort16) ((ushort) params->ground)));
  return sum;
}

INLINE unit_light
add_light (unit_light a, unit_light b)
{
  a.r += b.r;
  a.g += b.g;
  a.b += b.b;
  a.alpha += b.alpha;
  return a;
}

/* The sums of neighbouring columns, in half as many; the rest is 0. */
INLINE ushort16
add_columns (ushort16 v)
{
  return (ushort16) (v.even + v.odd, (ushort8) (0));
}

/* The mean of a sum of 2^shift_y rows and of each 2^shift_x columns. */
INLINE ushort16
mean_of (ushort16 sum, uint shift_x, uint shift_y)
{
  const uint shift = shift_x + shift_y;

  for (uint i = 0; i < shift_x; i++)
    sum = add_columns (sum);
  return (sum + (ushort16) ((ushort) (1 << shift >> 1)))
      >> (ushort16) ((ushort) shift);
}

INLINE unit_light
mean_light (unit_light sum, uint shift_x, uint shift_y)
{
  sum.r = mean_of (sum.r, shift_x, shift_y);
  sum.g = mean_of (sum.g, shift_x, shift_y);
  sum.b = mean_of (sum.b, shift_x, shift_y);
  sum.alpha = mean_of (sum.alpha, shift_x, shift_y);
  return sum;
}

/* v / 255, rounded: exact for v up to 65025. */
INLINE ushort16
divide_by_255 (ushort16 v)
{
  v += (ushort16) (128);
  return (v + (v >> (ushort16) (8))) >> (ushort16) (8);
}

INLINE ushort16
blend (constant drawn_params *drawn, ushort16 samples, unit_light light)
{
  return divide_by_255 (samples * ((ushort16) (255) - light.alpha)
      + light.r * (ushort) drawn->weights[0]
      + light.g * (ushort) drawn->weights[1]
      + light.b * (ushort) drawn->weights[2]
      + light.alpha * (ushort) drawn->offset);
}

INLINE void
blend_component (uchar_planes planes, constant drawn_params *drawn, uint x,
    uint y, unit_light light)
{
  const unit_samples s = samples_at (planes, &drawn->samples,
      x >> drawn->shift_x, y >> drawn->shift_y, OVERLAY_UNIT >> drawn->shift_x);

  write_unit (s, blend (drawn, read_unit (s), light));
}

/* The components of packed pixels, which are in the same items. */
INLINE void
blend_pixels (uchar_planes planes, constant drawn_params *drawn, uint x, uint y,
    unit_light light)
{
  const unit_samples s =
      samples_at (planes, &drawn->samples, x, y, OVERLAY_UNIT);
  uint16 items = read_items (s);

  for (uint c = 0; c < 3; c++) {
    const uint shift = drawn[c].samples.offset * 8;

    items = items_with (
        items, shift, blend (&drawn[c], item_samples (items, shift), light));
  }
  write_items (s, items);
}

/* A unit of as many rows as a sample of the coarsest component has. `row` is
 * the first of them in the panel, x and y are the first pixel in the frame. */
INLINE void
draw_block (uchar_planes planes, constant overlay_params *params,
    global ushort *columns, uint panel, uint column, uint row, uint x, uint y)
{
  const uint n_drawn = params->n_drawn;
  const uint shift_x = params->drawn[n_drawn - 1].shift_x;
  const uint shift_y = params->drawn[n_drawn - 1].shift_y;
  const uint n_whole = shift_x + shift_y > 0 ? 1 : n_drawn;
  unit_light sum = { 0, 0, 0, 0 };

  for (uint i = 0; i < 1u << shift_y; i++) {
    const unit_light light =
        panel_light (params, columns, panel, column, row + i);

    if (params->drawn[0].samples.pixel_stride > 2)
      blend_pixels (planes, params->drawn, x, y + i, light);
    else
      for (uint c = 0; c < n_whole; c++)
        blend_component (planes, &params->drawn[c], x, y + i, light);
    sum = add_light (sum, light);
  }
  if (n_whole == n_drawn)
    return;
  sum = mean_light (sum, shift_x, shift_y);
  for (uint c = n_whole; c < n_drawn; c++)
    blend_component (planes, &params->drawn[c], x, y, sum);
}

INLINE uchar_planes
overlay_planes (global uint *words0, global uint *words1, global uint *words2,
    constant plane_params *places)
{
  const uchar_planes planes = { { words0, places[0].offset, places[0].stride },
    { words1, places[1].offset, places[1].stride },
    { words2, places[2].offset, places[2].stride },
    { words0, places[0].offset, places[0].stride } };

  return planes;
}

/* Draws the graph into the target's planes. */
kernel void
draw_overlay (global uint *target0, global uint *target1, global uint *target2,
    constant overlay_params *params, global ushort *columns)
{
  const uchar_planes planes =
      overlay_planes (target0, target1, target2, params->target);
  const uint shift_y = params->drawn[params->n_drawn - 1].shift_y;
  const uint n_blocks = params->panels_y * params->panel_height >> shift_y;
  const uint n_units = params->panels_x * params->panel_width / OVERLAY_UNIT;

  FOR_ROWS (block, n_blocks) {
    const uint y = block << shift_y;
    const uint panel = y / params->panel_height * params->panels_x;
    const uint row = y % params->panel_height;

    FOR_COLUMNS (unit, n_units) {
      const uint x = unit * OVERLAY_UNIT;

      draw_block (planes, params, columns, panel + x / params->panel_width,
          x % params->panel_width, row, params->x + x, params->y + y);
    }
  }
}

/* --- zebra --- */

/* All ones where the pixel is clipped. */
INLINE ushort16
clipped_mask (constant overlay_params *params, ushort16 brightest)
{
  return as_ushort16 (brightest <= (ushort16) ((ushort) params->black)
      || brightest >= (ushort16) ((ushort) params->white));
}

/* All ones where there is a stripe. */
INLINE ushort16
stripe_mask (constant overlay_params *params, uint xy)
{
  const ushort16 lanes =
      (ushort16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

  return as_ushort16 (
      ((lanes + (ushort) xy) & (ushort) params->stripe) != (ushort16) (0));
}

INLINE void
draw_zebra_unit (uchar_planes from, uchar_planes to,
    constant overlay_params *params, uint x, uint y)
{
  ushort16 brightest = 0;

  for (uint c = 0; c < params->n_judged; c++)
    brightest = max (brightest,
        read_unit (
            samples_at (from, &params->drawn[c].samples, x, y, OVERLAY_UNIT)));

  const ushort16 clipped = clipped_mask (params, brightest);

  if (is_all_zeros (clipped))
    return;

  const ushort16 mask = clipped & stripe_mask (params, x + y + params->phase);
  const ushort16 grey = select ((ushort16) ((ushort) params->on_black),
      (ushort16) ((ushort) params->on_white),
      as_ushort16 (brightest >= (ushort16) ((ushort) params->white)));

  for (uint c = 0; c < params->n_judged; c++) {
    const unit_samples s =
        samples_at (to, &params->drawn[c].samples, x, y, OVERLAY_UNIT);

    write_unit (s, select (read_unit (s), grey, mask));
  }
}

/* One pixel, of which no more than itself may be read and written. */
INLINE void
draw_zebra_pixel (uchar_planes from, uchar_planes to,
    constant overlay_params *params, uint x, uint y)
{
  uint brightest = 0;

  if (!((x + y + params->phase) & params->stripe))
    return;
  for (uint c = 0; c < params->n_judged; c++) {
    const unit_samples s =
        samples_at (from, &params->drawn[c].samples, x, y, 1);

    brightest = max (brightest, read_uchar (s.row, s.at + s.shift / 8));
  }
  if (brightest > params->black && brightest < params->white)
    return;
  for (uint c = 0; c < params->n_judged; c++) {
    const unit_samples s = samples_at (to, &params->drawn[c].samples, x, y, 1);

    write_uchar (s.row, s.at + s.shift / 8,
        brightest >= params->white ? params->on_white : params->on_black);
  }
}

/* Draws stripes over the target's pixels that are clipped in the source; the
 * two may be one. */
kernel void
draw_zebra (global uint *source0, global uint *source1, global uint *source2,
    global uint *target0, global uint *target1, global uint *target2,
    constant overlay_params *params)
{
  const uchar_planes from =
      overlay_planes (source0, source1, source2, params->source);
  const uchar_planes to =
      overlay_planes (target0, target1, target2, params->target);
  const uint width = params->drawn[0].samples.width;
  const uint n_units = width / OVERLAY_UNIT;

  FOR_ROWS (y, params->drawn[0].samples.height) {
    FOR_COLUMNS (unit, n_units)
      draw_zebra_unit (from, to, params, unit * OVERLAY_UNIT, y);
    FOR_COLUMNS (i, width % OVERLAY_UNIT)
      draw_zebra_pixel (from, to, params, n_units * OVERLAY_UNIT + i, y);
  }
}
