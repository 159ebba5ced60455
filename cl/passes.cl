/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GPU shape: counting a frame in passes. A pass reads samples once and counts
 * all the slots that are made of them: the components of packed pixels, or the
 * colours of YUV. Passes run side by side, each by work-groups of its own,
 * whose work-items share out the steps of all rows.
 *
 * As many copies of each bin as memory has banks let neighbouring work-items
 * count at once, whatever the picture.
 */

#ifndef AMPHISTO_PASSES_CL
#define AMPHISTO_PASSES_CL

#ifndef AMPHISTO_COUNT_CL
#include "count.cl"
#endif

#ifdef AMPHISTO_GPU

/* The work-item's copies of the bins of a pass: AMPHISTO_N_BINS for each slot,
 * `n_lanes` words from one to the next. */
typedef struct
{
  local uint *bins;
  uint n_lanes;
} lane_counters;

/* The steps, of those of all rows, that are the work-item's own: every `step`th
 * from `first` on. */
typedef struct
{
  uint first;
  uint step;
} own_steps;

INLINE void
count_bin (lane_counters c, uint bin)
{
  atomic_inc (&c.bins[bin * c.n_lanes]);
}

INLINE void
count_bins (lane_counters c, uint first, pixels values)
{
  count_bin (c, first + values.x);
  count_bin (c, first + values.y);
  count_bin (c, first + values.z);
  count_bin (c, first + values.w);
}

/* --- pixels one by one --- */

/* The sample of pixel (x, y) that is measured in the slot. */
INLINE uint
read_measured (constant frame_params *params, uchar_planes planes, uint slot,
    uint x, uint y)
{
  constant component_params *component = &params->measured[slot];

  if (component->plane < AMPHISTO_N_PLANES)
    return read_sample (frame_component_row (planes, component, y), x);
  if (component->plane == AMPHISTO_RGB_LUMA) {
    const uint4 p = read_rgb (frame_rgb_row (planes, params->rgb, y), x);

    return LUMA (params->weights, p.x, p.y, p.z);
  }
  return read_colour (frame_yuv_row (planes, params, y), x,
      params->matrix[component->plane - AMPHISTO_YUV_RED]);
}

/* Counts the pixels of all rows before the first step, `head` of them, and
 * behind the last, which ends at pixel `end`. */
INLINE void
count_rest (lane_counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes, own_steps own,
    uint head, uint end)
{
  constant component_params *samples = &params->measured[pass->first_slot];
  const uint n = samples->width - (end - head);

  for (uint i = own.first; i < n * samples->height; i += own.step) {
    const uint y = i / n;
    const uint k = i % n;
    const uint x = k < head ? k : k - head + end;

    for (uint s = 0; s < pass->n_slots; s++)
      count_bin (c,
          s * AMPHISTO_N_BINS
              + read_measured (params, planes, pass->first_slot + s, x, y));
  }
}

/* --- samples that are in memory --- */

/* A row's items, of `size` bytes each, are read in steps of four words: 16
 * bytes, or four items of 3 bytes with a byte of 0 behind each. */
#define STEP_BYTES(size) ((size) == 3 ? 12u : 16u)

/* What the bytes of a step's words are: the first bin of the slot that byte i
 * of a word is counted in, or NO_BIN. */
typedef struct
{
  uint bin0, bin1, bin2, bin3;
} byte_bins;

#define NO_BIN UINT_MAX

INLINE uint
byte_bin (constant pass_params *pass, constant frame_params *params, uint byte)
{
  uint bin = NO_BIN;

  for (uint s = 0; s < pass->n_slots; s++) {
    constant component_params *samples =
        &params->measured[pass->first_slot + s];
    const uint size = samples->pixel_stride;
    const uint place = offset_in_item (samples->offset, size);

    if (samples->plane < AMPHISTO_N_PLANES
        && (size == 3 ? byte : byte & (size - 1)) == place)
      bin = s * AMPHISTO_N_BINS;
  }
  return bin;
}

INLINE void
count_byte (lane_counters c, uint bin, uint value)
{
  if (bin != NO_BIN)
    count_bin (c, bin + value);
}

INLINE void
count_word (lane_counters c, byte_bins bins, uint word)
{
  count_byte (c, bins.bin0, word & 0xff);
  count_byte (c, bins.bin1, word >> 8 & 0xff);
  count_byte (c, bins.bin2, word >> 16 & 0xff);
  count_byte (c, bins.bin3, word >> 24);
}

/* The row's uchars x to x + 15. */
INLINE uint4
read_4_words (uchar_row row, size_t x)
{
  const global uint *words = row.words + (x >> 2);

  if (row.first == 0 && ((uintptr_t) words & 15) == 0)
    return *(const global uint4 *) words;
  return (uint4) (read_word (row, x), read_word (row, x + 4),
      read_word (row, x + 8), read_word (row, x + 12));
}

/* Step i of all rows, of which each has n. */
INLINE uint4
read_step (
    uchar_planes planes, constant component_params *items, uint i, uint n)
{
  const uint size = items->pixel_stride;
  const size_t at = i % n * STEP_BYTES (size);
  const uchar_row row = frame_component_row (planes, items, i / n).row;

  if (size == 3)
    return unpack_pixels3 (
        read_word (row, at), read_word (row, at + 4), read_word (row, at + 8));
  return read_4_words (row, at);
}

/* The component's samples in a step of packed RGB. */
INLINE pixels
step_samples (constant component_params *component, uint4 words)
{
  return words >> (component->offset * 8) & 0xffu;
}

/* Counts a step. Where luma of packed RGB is counted, it is the first slot, and
 * a word is a pixel. */
INLINE void
count_step (lane_counters c, byte_bins bins, bool has_luma,
    constant frame_params *params, uint4 words)
{
  count_word (c, bins, words.x);
  count_word (c, bins, words.y);
  count_word (c, bins, words.z);
  count_word (c, bins, words.w);
  if (has_luma)
    count_bins (c, 0,
        LUMA (params->weights, step_samples (&params->rgb[0], words),
            step_samples (&params->rgb[1], words),
            step_samples (&params->rgb[2], words)));
}

/* items: which of the plane's bytes the pass' slots are made of. Two steps are
 * read at once, for the time that memory takes. */
INLINE void
count_items (lane_counters c, constant pass_params *pass,
    constant component_params *items, constant frame_params *params,
    uchar_planes planes, own_steps own)
{
  const bool has_luma =
      params->measured[pass->first_slot].plane == AMPHISTO_RGB_LUMA;
  const byte_bins bins = { byte_bin (pass, params, 0),
    byte_bin (pass, params, 1), byte_bin (pass, params, 2),
    byte_bin (pass, params, 3) };
  const uint step_items =
      STEP_BYTES (items->pixel_stride) / items->pixel_stride;
  const uint n = items->width / step_items;
  const uint n_steps = n * items->height;
  uint i = own.first;

  for (; i + own.step < n_steps; i += 2 * own.step) {
    const uint4 words = read_step (planes, items, i, n);
    const uint4 next_words = read_step (planes, items, i + own.step, n);

    count_step (c, bins, has_luma, params, words);
    count_step (c, bins, has_luma, params, next_words);
  }
  if (i < n_steps)
    count_step (c, bins, has_luma, params, read_step (planes, items, i, n));
  count_rest (c, pass, params, planes, own, 0, n * step_items);
}

/* --- samples that are computed --- */

/* Luma of planar RGB. */
INLINE void
count_planar_luma (lane_counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes, own_steps own)
{
  constant component_params *rgb = params->rgb;
  const uint n = rgb->width / N_PIXELS;

  for (uint i = own.first; i < n * rgb->height; i += own.step) {
    const rgb_pixels p =
        read_rgb_pixels (frame_rgb_row (planes, rgb, i / n), i % n);

    count_bins (c, 0, LUMA (params->weights, p.r, p.g, p.b));
  }
  count_rest (c, pass, params, planes, own, 0, n * N_PIXELS);
}

/* Red, green and blue of YUV. */
INLINE void
count_colours (lane_counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes, own_steps own)
{
  constant component_params *luma = &params->luma;
  const uint head =
      min (yuv_row_head (frame_yuv_row (planes, params, 0)), luma->width);
  const uint n = (luma->width - head) / N_PIXELS;

  for (uint i = own.first; i < n * luma->height; i += own.step) {
    const yuv_pixels p = read_yuv_pixels (
        yuv_row_from (frame_yuv_row (planes, params, i / n), head), i % n);

    for (uint s = 0; s < pass->n_slots; s++) {
      const uint colour =
          params->measured[pass->first_slot + s].plane - AMPHISTO_YUV_RED;

      count_bins (
          c, s * AMPHISTO_N_BINS, colours_of (p, params->matrix[colour]));
    }
  }
  count_rest (c, pass, params, planes, own, head, head + n * N_PIXELS);
}

/* --- passes --- */

INLINE void
count_pass (lane_counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes, own_steps own)
{
  constant component_params *first = &params->measured[pass->first_slot];

  if (first->plane >= AMPHISTO_YUV_RED)
    count_colours (c, pass, params, planes, own);
  else if (first->plane < AMPHISTO_N_PLANES)
    count_items (c, pass, first, params, planes, own);
  else if (params->rgb[0].pixel_stride > 1)
    count_items (c, pass, params->rgb, params, planes, own);
  else
    count_planar_luma (c, pass, params, planes, own);
}

/* Adds all copies of the pass' bins to those of its slots. */
INLINE void
add_lanes (const local uint *lanes, uint n_lanes, uint n_bins,
    volatile global uint *bins)
{
  const uint item = get_local_id (0);

  FOR_COLUMNS (i, n_bins) {
    uint sum = 0;

    for (uint lane = 0; lane < n_lanes; lane++)
      sum += lanes[i * n_lanes + ((lane + item) & (n_lanes - 1))];
    if (sum > 0)
      atomic_add (&bins[i], sum);
  }
}

/* Counts the work-group's part of its pass; does nothing if it has none. lanes:
 * AMPHISTO_N_BINS * n_lanes for each slot of the pass. */
INLINE void
count_own_pass (constant frame_params *params, uchar_planes planes,
    local uint *lanes, volatile global uint *bins)
{
  const uint group = (uint) get_group_id (0);
  const uint n_items = (uint) get_local_size (0);
  const uint item = (uint) get_local_id (0);
  const uint n_lanes = params->n_lanes;
  const lane_counters c = { lanes + (item & (n_lanes - 1)), n_lanes };
  constant pass_params *pass = params->pass;
  uint first_group = 0;

  for (uint p = 1; p < params->n_passes && group >= pass->end_group; p++) {
    first_group = pass->end_group;
    pass = &params->pass[p];
  }

  const uint n_bins =
      group < pass->end_group ? pass->n_slots * AMPHISTO_N_BINS : 0;
  const own_steps own = { (group - first_group) * n_items + item,
    (pass->end_group - first_group) * n_items };

  FOR_COLUMNS (i, n_bins * n_lanes)
    lanes[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (n_bins > 0)
    count_pass (c, pass, params, planes, own);
  barrier (CLK_LOCAL_MEM_FENCE);
  add_lanes (lanes, n_lanes, n_bins, bins + pass->first_slot * AMPHISTO_N_BINS);
}

#endif

#endif
