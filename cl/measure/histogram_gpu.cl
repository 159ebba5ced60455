/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GPU shape: counts a frame in passes. A pass reads samples once and counts all
 * slots that need them: the components of packed pixels, or the colours of YUV.
 * Passes run concurrently, each in its own work-groups, whose work-items divide
 * the chunks of all rows among them.
 *
 * With a replica of each bin in every bank of local memory, neighbouring
 * work-items do not wait for each other, whatever the picture.
 */

#pragma once

#include "measure/count.cl"

/* A work-item's replicas of the bins, AMPHISTO_N_BINS for each slot,
 * `n_replicas` words apart; and its chunks, every `stride`th from chunk `first`
 * on. */
typedef struct
{
  local uint *bins;
  uint n_replicas;
  uint first;
  uint stride;
} pass_counters;

INLINE void
count_bin (pass_counters c, uint bin)
{
  atomic_inc (&c.bins[bin * c.n_replicas]);
}

INLINE void
count_bins (pass_counters c, uint first, pixels values)
{
  count_bin (c, first + values.x);
  count_bin (c, first + values.y);
  count_bin (c, first + values.z);
  count_bin (c, first + values.w);
}

/* Where a row's whole chunks are: from pixel `head` to before pixel `end`. */
typedef struct
{
  uint head;
  uint end;
} whole_chunks;

/* --- samples that are in memory --- */

/* The component's plane, from its first item on. */
INLINE uchar_plane
item_plane (uchar_planes planes, constant component_params *component)
{
  uchar_plane plane = frame_plane (planes, component->plane);

  plane.offset += first_item (component);
  return plane;
}

/* Items, of `size` bytes each, are read in chunks of four words: 16 bytes, or
 * four items of 3 bytes, each padded with a byte of 0. */
#define CHUNK_BYTES(size) ((size) == 3 ? 12u : 16u)

INLINE uint4
read_item_chunk (uchar_plane plane, uint size, chunk_position at)
{
  const uchar_row row = frame_row (plane, at.y);
  const size_t x = at.x * CHUNK_BYTES (size);

  if (size == 3)
    return unpack_pixels3 (
        read_word (row, x), read_word (row, x + 4), read_word (row, x + 8));
  return read_4_words (row, x);
}

/* The bins for the bytes of a chunk's words: the first bin of the slot for byte
 * i of each word, or NO_BIN. If luma of packed RGB is counted, it is the first
 * slot, and a word is a pixel. */
typedef struct
{
  uint bin0, bin1, bin2, bin3;
  bool has_luma;
} chunk_bins;

#define NO_BIN UINT_MAX

INLINE uint
find_byte_bin (
    constant pass_params *pass, constant frame_params *params, uint byte)
{
  uint bin = NO_BIN;

  for (uint s = 0; s < pass->n_slots; s++) {
    constant component_params *samples =
        &params->measured[pass->first_slot + s];
    const uint size = samples->pixel_stride;
    const uint offset = offset_in_item (samples->offset, size);

    if (samples->plane < AMPHISTO_N_PLANES
        && (size == 3 ? byte : byte & (size - 1)) == offset)
      bin = s * AMPHISTO_N_BINS;
  }
  return bin;
}

INLINE chunk_bins
find_chunk_bins (constant pass_params *pass, constant frame_params *params)
{
  return (chunk_bins){ find_byte_bin (pass, params, 0),
    find_byte_bin (pass, params, 1), find_byte_bin (pass, params, 2),
    find_byte_bin (pass, params, 3),
    params->measured[pass->first_slot].plane == AMPHISTO_RGB_LUMA };
}

/* Counts a byte of each word. */
INLINE void
count_bytes (pass_counters c, uint bin, uint4 values)
{
  if (bin != NO_BIN)
    count_bins (c, bin, values & 0xffu);
}

/* The component's samples in a chunk of packed RGB. */
INLINE pixels
chunk_samples (constant component_params *component, uint4 words)
{
  return words >> (component->offset * 8) & 0xffu;
}

INLINE void
count_item_chunk (pass_counters c, chunk_bins bins,
    constant frame_params *params, uint4 words)
{
  count_bytes (c, bins.bin0, words);
  count_bytes (c, bins.bin1, words >> 8);
  count_bytes (c, bins.bin2, words >> 16);
  count_bytes (c, bins.bin3, words >> 24);
  if (bins.has_luma)
    count_bins (c, 0,
        LUMA (params->weights, chunk_samples (&params->rgb[0], words),
            chunk_samples (&params->rgb[1], words),
            chunk_samples (&params->rgb[2], words)));
}

/* Counts chunks of a plane with items of `size` bytes. Reads two chunks at
 * once, to hide the latency of memory. */
INLINE void
count_item_chunks (pass_counters c, chunk_bins bins,
    constant frame_params *params, uchar_plane plane, uint size, own_chunks own)
{
  FOR_CHUNKS (at, own) {
    const chunk_position second = next_position (own, at);
    const bool has_second = second.y < own.height;
    const uint4 words = read_item_chunk (plane, size, at);
    const uint4 second_words =
        has_second ? read_item_chunk (plane, size, second) : 0;

    count_item_chunk (c, bins, params, words);
    if (has_second)
      count_item_chunk (c, bins, params, second_words);
    at = second;
  }
}

/* items: the component whose items contain the pass's samples. The loop is
 * bound by instructions; so it is compiled with constants for the frequent case
 * of a plane of plain samples and AMPHISTO_MAX_REPLICAS replicas. */
INLINE whole_chunks
count_items (pass_counters c, constant pass_params *pass,
    constant component_params *items, constant frame_params *params,
    uchar_planes planes)
{
  const chunk_bins plain = { 0, 0, 0, 0, false };
  const uint size = items->pixel_stride;
  const uint chunk_items = CHUNK_BYTES (size) / size;
  const own_chunks own = share_chunks (
      c.first, c.stride, items->width / chunk_items, items->height);
  const uchar_plane plane = item_plane (planes, items);

  if (size == 1 && c.n_replicas == AMPHISTO_MAX_REPLICAS) {
    pass_counters all = c;

    all.n_replicas = AMPHISTO_MAX_REPLICAS;
    count_item_chunks (all, plain, params, plane, 1, own);
  } else {
    count_item_chunks (
        c, find_chunk_bins (pass, params), params, plane, size, own);
  }
  return (whole_chunks){ 0, own.n * chunk_items };
}

/* --- samples that are computed --- */

/* Counts saturation of RGB, or luma of planar RGB. */
INLINE whole_chunks
count_rgb (pass_counters c, constant frame_params *params, uchar_planes planes,
    bool is_saturation)
{
  constant component_params *rgb = params->rgb;
  const own_chunks own =
      share_chunks (c.first, c.stride, rgb->width / N_PIXELS, rgb->height);

  FOR_CHUNKS (at, own) {
    const rgb_row row = frame_rgb_row (planes, rgb, at.y);

    if (is_saturation)
      count_bins (c, 0,
          saturation_of (
              read_rgb_chroma_pixels (row, at.x, params->chroma_matrix)));
    else
      count_bins (c, 0,
          luma_of (
              view_luma (row, params->weights), read_rgb_pixels (row, at.x)));
  }
  return (whole_chunks){ 0, own.n * N_PIXELS };
}

#define ITEMS_PER_LANE(size) ((size) < 3 ? 2u : 1u)

/* Counts saturation of chunks of U and V with items of `size` bytes. A lane has
 * two items of 1 or 2 bytes, and one of 3 or 4. Longer chunks would leave
 * work-items without any, because each takes long. */
INLINE void
count_saturation_chunks (pass_counters c, constant component_params *chroma,
    uchar_planes planes, uint size, own_chunks own)
{
  const uint n_items = ITEMS_PER_LANE (size);
  const uchar_plane us = item_plane (planes, &chroma[0]);
  const uchar_plane vs = item_plane (planes, &chroma[1]);
  const uint u_shift = offset_in_item (chroma[0].offset, size) * 8;
  const uint v_shift = offset_in_item (chroma[1].offset, size) * 8;

  FOR_CHUNKS (at, own) {
    const pixels u = read_pixels (frame_row (us, at.y), at.x, n_items * size);
    const pixels v = read_pixels (frame_row (vs, at.y), at.x, n_items * size);

    for (uint i = 0; i < n_items; i++) {
      const chroma_pixels chunk = { u >> (u_shift + i * size * 8) & 0xffu,
        v >> (v_shift + i * size * 8) & 0xffu };

      count_bins (c, 0, saturation_of (chunk));
    }
  }
}

/* Counts saturation of U and V. Compiled with constants for plain samples, as
 * count_items() is. */
INLINE whole_chunks
count_saturations (
    pass_counters c, constant frame_params *params, uchar_planes planes)
{
  constant component_params *chroma = params->chroma;
  const uint size = chroma->pixel_stride;
  const uint chunk_items = N_PIXELS * ITEMS_PER_LANE (size);
  const own_chunks own = share_chunks (
      c.first, c.stride, chroma->width / chunk_items, chroma->height);

  if (size == 1)
    count_saturation_chunks (c, chroma, planes, 1, own);
  else
    count_saturation_chunks (c, chroma, planes, size, own);
  return (whole_chunks){ 0, own.n * chunk_items };
}

INLINE void
count_colour_chunk (pass_counters c, constant pass_params *pass,
    constant frame_params *params, yuv_pixels p)
{
  for (uint s = 0; s < pass->n_slots; s++) {
    const uint colour =
        params->measured[pass->first_slot + s].plane - AMPHISTO_YUV_RED;

    count_bins (c, s * AMPHISTO_N_BINS, colours_of (p, params->matrix[colour]));
  }
}

/* Reads chunk `at` of rows, from pixel `head` on. */
INLINE yuv_pixels
read_colour_chunk (uchar_planes planes, constant frame_params *params,
    uint head, bool is_half, chunk_position at)
{
  const yuv_row row = yuv_row_from (frame_yuv_row (planes, params, at.y), head);

  return read_yuv_pixels (is_half ? half_planar_row (row) : row, at.x);
}

/* Reads two chunks at once, as count_item_chunks() does. */
INLINE void
count_colour_chunks (pass_counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes, uint head, bool is_half,
    own_chunks own)
{
  FOR_CHUNKS (at, own) {
    const chunk_position second = next_position (own, at);
    const bool has_second = second.y < own.height;
    const yuv_pixels p = read_colour_chunk (planes, params, head, is_half, at);
    yuv_pixels q = p;

    if (has_second)
      q = read_colour_chunk (planes, params, head, is_half, second);
    count_colour_chunk (c, pass, params, p);
    if (has_second)
      count_colour_chunk (c, pass, params, q);
    at = second;
  }
}

/* Counts red, green and blue of YUV. */
INLINE whole_chunks
count_colours (pass_counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes)
{
  constant component_params *luma = &params->luma;
  const yuv_row first = frame_yuv_row (planes, params, 0);
  const uint head = min (yuv_row_head (first), luma->width);
  const own_chunks own = share_chunks (
      c.first, c.stride, (luma->width - head) / N_PIXELS, luma->height);

  if (is_half_planar (first))
    count_colour_chunks (c, pass, params, planes, head, true, own);
  else
    count_colour_chunks (c, pass, params, planes, head, false, own);
  return (whole_chunks){ head, head + own.n * N_PIXELS };
}

/* --- passes --- */

/* Counts the whole chunks of all rows. Returns: where they are. */
INLINE whole_chunks
count_whole_chunks (pass_counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes)
{
  constant component_params *first = &params->measured[pass->first_slot];

  if (first->plane >= AMPHISTO_YUV_RED)
    return count_colours (c, pass, params, planes);
  if (first->plane == AMPHISTO_RGB_SATURATION)
    return count_rgb (c, params, planes, true);
  if (first->plane == AMPHISTO_YUV_SATURATION)
    return count_saturations (c, params, planes);
  if (first->plane >= AMPHISTO_N_PLANES && params->rgb[0].pixel_stride == 1)
    return count_rgb (c, params, planes, false);
  return count_items (c, pass,
      first->plane < AMPHISTO_N_PLANES ? first : params->rgb, params, planes);
}

/* Counts the pixels of all rows outside whole chunks. */
INLINE void
count_single_pixels (pass_counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes, whole_chunks whole)
{
  constant component_params *samples = &params->measured[pass->first_slot];
  const own_chunks own = share_chunks (c.first, c.stride,
      samples->width - (whole.end - whole.head), samples->height);

  FOR_CHUNKS (at, own) {
    const uint x = at.x < whole.head ? at.x : at.x - whole.head + whole.end;

    for (uint s = 0; s < pass->n_slots; s++)
      count_bin (c,
          s * AMPHISTO_N_BINS
              + read_channel (params, planes,
                  &params->measured[pass->first_slot + s], x, at.y));
  }
}

INLINE void
count_pass (pass_counters c, constant pass_params *pass,
    constant frame_params *params, uchar_planes planes)
{
  count_single_pixels (
      c, pass, params, planes, count_whole_chunks (c, pass, params, planes));
}

/* Adds all replicas of the pass's bins to the bins of its slots. replicas:
 * n_replicas of each bin, four in a vector. */
INLINE void
add_replicas (const local uint4 *replicas, uint n_replicas, uint n_bins,
    volatile global uint *bins)
{
  const uint item = get_local_id (0);
  const uint n = n_replicas / 4;

  FOR_COLUMNS (i, n_bins) {
    uint4 sums = 0;

    for (uint k = 0; k < n; k++)
      sums += replicas[i * n + ((k + item) & (n - 1))];

    const uint sum = sums.x + sums.y + sums.z + sums.w;

    if (sum > 0)
      atomic_add (&bins[i], sum);
  }
}

#define COUNTS local uint4

/* Counts the work-group's chunks of its pass; does nothing in surplus groups.
 * replicas: n_replicas * AMPHISTO_N_BINS uints for each slot of the largest
 * pass. */
INLINE void
count_slots (uchar_planes planes, constant frame_params *params,
    local uint4 *replicas, volatile global uint *bins)
{
  const uint group = GROUP_INDEX;
  const uint n_items = (uint) get_local_size (0);
  const uint item = (uint) get_local_id (0);
  const uint n_replicas = params->n_replicas;
  constant pass_params *pass = params->pass;
  uint first_group = 0;

  for (uint p = 1; p < params->n_passes && group >= pass->end_group; p++) {
    first_group = pass->end_group;
    pass = &params->pass[p];
  }

  const uint n_bins =
      group < pass->end_group ? pass->n_slots * AMPHISTO_N_BINS : 0;
  const pass_counters c = { (local uint *) replicas + (item & (n_replicas - 1)),
    n_replicas, (group - first_group) * n_items + item,
    (pass->end_group - first_group) * n_items };

  FOR_COLUMNS (i, n_bins * n_replicas / 4)
    replicas[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (n_bins > 0)
    count_pass (c, pass, params, planes);
  barrier (CLK_LOCAL_MEM_FENCE);
  add_replicas (
      replicas, n_replicas, n_bins, bins + pass->first_slot * AMPHISTO_N_BINS);
}
