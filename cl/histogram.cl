/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Histograms of 256 bins: of all components asked for, and the luma of RGB, in
 * one pass over the frame, into partial histograms; then their merge.
 *
 * After "Histogram using C++ AMP" and the CUDA SDK's histogram256. Two shapes:
 *
 * GPU: each work-group counts in local memory by atomic adds. Every bin is
 * there in n_lanes copies, neighbouring work-items use neighbouring ones, so
 * that a flat picture does not make them wait for each other and copies lie in
 * different banks.
 *
 * CPU: a work-item counts its run of rows in private memory without atomics.
 * Neighbouring samples use different copies of the bin, so that on a flat
 * picture an increment need not wait for the last one's store.
 */

#ifdef AMPHISTO_GPU

typedef struct
{
  local uint *bins;
  uint n_lanes;
  uint lane;
} counters;

static inline void
count (counters c, uint slot, uint copy, uint value)
{
  (void) copy;
  atomic_inc (&c.bins[(slot * AMPHISTO_BINS + value) * c.n_lanes + c.lane]);
}

#else

#define N_COPIES 4

typedef struct
{
  uint *bins;
} counters;

static inline void
count (counters c, uint slot, uint copy, uint value)
{
  c.bins[(slot * N_COPIES + copy) * AMPHISTO_BINS + value]++;
}

#endif

static inline void
count_word (counters c, uint slot, uint word)
{
  count (c, slot, 0, word & 0xff);
  count (c, slot, 1, word >> 8 & 0xff);
  count (c, slot, 2, word >> 16 & 0xff);
  count (c, slot, 3, word >> 24);
}

static inline void
count_words (counters c, uint slot, const global uint *words, uint n)
{
#ifdef AMPHISTO_GPU
  FOR_COLUMNS (i, n)
    count_word (c, slot, words[i]);
#else
  /* One load for four words: the compiler does not join them by itself, and
   * loads are what this loop is short of. */
  for (uint i = 0; i < n / 4; i++) {
    const uint4 four = vload4 (i, words);

    count_word (c, slot, four.x);
    count_word (c, slot, four.y);
    count_word (c, slot, four.z);
    count_word (c, slot, four.w);
  }
  for (uint i = n & ~3u; i < n; i++)
    count_word (c, slot, words[i]);
#endif
}

/* The `width` characters of the row from `offset` on, word by word. */
static inline void
count_characters (counters c, uint slot, uchar_row row, uint offset, uint width)
{
  const uint head = min ((4 - (row.first + offset)) & 3, width);
  const uint n_words = (width - head) / 4;
  const uint tail = offset + head + n_words * 4;
  const global uint *words = row.words + ((row.first + offset + head) >> 2);

  FOR_COLUMNS (x, head)
    count (c, slot, x, read_uchar (row, offset + x));
  count_words (c, slot, words, n_words);
  FOR_COLUMNS (x, width - head - n_words * 4)
    count (c, slot, x, read_uchar (row, tail + x));
}

static inline void
count_component (
    counters c, uint slot, uchar_row row, constant component_params *component)
{
  const uint pixel_stride = component->pixel_stride;
  const uint offset = component->offset;
  const uint width = component->width;

  if (pixel_stride == 1) {
    count_characters (c, slot, row, offset, width);
    return;
  }
  FOR_COLUMNS (x, width)
    count (
        c, slot, x & 3, read_uchar (row, offset + (size_t) x * pixel_stride));
}

static inline void
count_rgb_luma (
    counters c, uint slot, rgb_row row, uint width, constant uint *weights)
{
  const uint n_quads = width / 4;

  FOR_COLUMNS (i, n_quads) {
    const rgb_quad quad = read_rgb_quad (row, i * 4);
    const uint4 luma = LUMA (weights, quad.r, quad.g, quad.b);

    count (c, slot, 0, luma.x);
    count (c, slot, 1, luma.y);
    count (c, slot, 2, luma.z);
    count (c, slot, 3, luma.w);
  }
  FOR_COLUMNS (i, width & 3) {
    const uint4 pixel = read_rgb (row, n_quads * 4 + i);

    count (c, slot, i, LUMA (weights, pixel.x, pixel.y, pixel.z));
  }
}

static inline void
count_row (counters c, uint slot, uint y, constant frame_params *params,
    uchar_planes planes)
{
  constant component_params *component = &params->measured[slot];

  if (component->plane == AMPHISTO_RGB_LUMA)
    count_rgb_luma (c, slot, frame_rgb_row (planes, params->rgb, y),
        component->width, params->weights);
  else
    count_component (c, slot,
        frame_row (frame_plane (planes, component->plane), y), component);
}

/* Whether an earlier slot's component has the same height. */
static inline bool
height_was_seen (constant frame_params *params, uint slot)
{
  for (uint s = 0; s < slot; s++)
    if (params->measured[s].height == params->measured[slot].height)
      return true;
  return false;
}

/* Counts all that is measured in the rows that are this work-group's
 * (work-item's). Components of one height are counted in turn row by row, so
 * that what they share comes from memory once. */
static inline void
count_frame (counters c, constant frame_params *params, uchar_planes planes)
{
  for (uint s = 0; s < params->n_slots; s++) {
    const uint height = params->measured[s].height;

    if (height_was_seen (params, s))
      continue;
    FOR_ROWS (y, height)
      for (uint t = s; t < params->n_slots; t++)
        if (params->measured[t].height == height)
          count_row (c, t, y, params, planes);
  }
}

static inline uchar_plane
source_plane (global uint *words, constant frame_params *params, uint p)
{
  const uchar_plane plane = { words, params->source[p].offset,
    params->source[p].stride };

  return plane;
}

/* Counts the frame's measured components. partials: a uint for each partial
 * histogram, slot and bin in that order, all of them written. */

#ifdef AMPHISTO_GPU

/* bins: n_slots * AMPHISTO_BINS * n_lanes. A work-group, a partial. */
kernel void
calculate_histogram (global uint *plane0, global uint *plane1,
    global uint *plane2, global uint *plane3, constant frame_params *params,
    global uint *partials, local uint *bins)
{
  const uchar_planes planes = { source_plane (plane0, params, 0),
    source_plane (plane1, params, 1), source_plane (plane2, params, 2),
    source_plane (plane3, params, 3) };
  const uint n_lanes = params->n_lanes;
  const uint n_bins = params->n_slots * AMPHISTO_BINS;
  const uint item = get_local_id (0);
  const counters c = { bins, n_lanes, item & (n_lanes - 1) };

  for (uint i = item; i < n_bins * n_lanes; i += get_local_size (0))
    bins[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  count_frame (c, params, planes);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < n_bins; i += get_local_size (0)) {
    uint sum = 0;

    for (uint lane = 0; lane < n_lanes; lane++)
      sum += bins[i * n_lanes + ((lane + item) & (n_lanes - 1))];
    partials[get_group_id (0) * n_bins + i] = sum;
  }
}

/* Adds up the partials: a work-group takes MERGE_BINS neighbouring bins of each
 * slot, each of its rows of work-items adds up every MERGE_ROWS'th partial,
 * then the rows are added in a tree. Launched with AMPHISTO_BINS / MERGE_BINS
 * groups of MERGE_BINS * MERGE_ROWS. */
#define MERGE_BINS 16
#define MERGE_ROWS 16

kernel void
merge_histogram (constant frame_params *params, global const uint *partials,
    global uint *bins)
{
  local uint sums[MERGE_ROWS][MERGE_BINS];
  const uint column = get_local_id (0) % MERGE_BINS;
  const uint row = get_local_id (0) / MERGE_BINS;
  const uint n_bins = params->n_slots * AMPHISTO_BINS;

  for (uint s = 0; s < params->n_slots; s++) {
    const uint bin = s * AMPHISTO_BINS + get_group_id (0) * MERGE_BINS + column;
    uint sum = 0;

    for (uint p = row; p < params->n_partials; p += MERGE_ROWS)
      sum += partials[p * n_bins + bin];
    sums[row][column] = sum;
    barrier (CLK_LOCAL_MEM_FENCE);
    for (uint n = MERGE_ROWS / 2; n > 0; n /= 2) {
      if (row < n)
        sums[row][column] += sums[row + n][column];
      barrier (CLK_LOCAL_MEM_FENCE);
    }
    if (row == 0)
      bins[bin] = sums[0][column];
    barrier (CLK_LOCAL_MEM_FENCE);
  }
}

#else

/* A work-item, a partial. */
kernel void
calculate_histogram (global uint *plane0, global uint *plane1,
    global uint *plane2, global uint *plane3, constant frame_params *params,
    global uint *partials)
{
  const uchar_planes planes = { source_plane (plane0, params, 0),
    source_plane (plane1, params, 1), source_plane (plane2, params, 2),
    source_plane (plane3, params, 3) };
  uint bins[AMPHISTO_MAX_SLOTS * N_COPIES * AMPHISTO_BINS];
  const counters c = { bins };
  const uint n_slots = params->n_slots;
  global uint *partial = partials + get_global_id (0) * n_slots * AMPHISTO_BINS;

  for (uint i = 0; i < n_slots * N_COPIES * AMPHISTO_BINS; i++)
    bins[i] = 0;
  count_frame (c, params, planes);
  for (uint s = 0; s < n_slots; s++)
    for (uint v = 0; v < AMPHISTO_BINS; v++) {
      uint sum = 0;

      for (uint copy = 0; copy < N_COPIES; copy++)
        sum += bins[(s * N_COPIES + copy) * AMPHISTO_BINS + v];
      partial[s * AMPHISTO_BINS + v] = sum;
    }
}

/* Adds up the partials; launched with one work-item, since there are but as
 * many partials as cores. */
kernel void
merge_histogram (constant frame_params *params, global const uint *partials,
    global uint *bins)
{
  const uint n_bins = params->n_slots * AMPHISTO_BINS;

  for (uint i = 0; i < n_bins; i++)
    bins[i] = partials[i];
  for (uint p = 1; p < params->n_partials; p++)
    for (uint i = 0; i < n_bins; i++)
      bins[i] += partials[p * n_bins + i];
}

#endif
