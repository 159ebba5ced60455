/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Histograms of 256 bins: of all components asked for, of the luma of RGB, and
 * of red, green and blue of YUV, in one submission.
 *
 * After "Histogram using C++ AMP" and the CUDA SDK's histogram256. Two shapes:
 *
 * GPU: each work-group counts in local memory by atomic adds. Every bin is
 * there in n_lanes copies, neighbouring work-items use neighbouring ones, so
 * that a flat picture does not make them wait for each other and copies lie in
 * different banks. A second kernel merges what the groups counted.
 *
 * CPU: a work-item, one for each core, counts its run of rows in memory that
 * is its own, without atomics. A store for each sample is what takes the time:
 * so, where there are samples enough, *pairs* of neighbouring ones are counted,
 * in 65536 bins, and folded at the end. Neighbours use different copies of the
 * bins, so that an increment need not wait for the last one's store where
 * pixels are alike; where sixteen are the same, they are counted at once. In
 * the end all add up what they counted by atomic adds.
 */

#ifdef AMPHISTO_GPU

/* The counters of one channel, and which columns of a row the work-item counts:
 * every n_columns'th step of a row, from step `column` on. */
typedef struct
{
  local uint *bins;
  uint n_lanes;
  uint lane;
  uint column;
  uint n_columns;
} counters;

/* What counts are kept in that a group, or a CPU's work-item, has for itself;
 * and how many copies of each bin kernels keep there that count small parts. */
#define OWN local
#define N_COPIES 8
#define COPY_OF_BIN(copy, v) ((v) *N_COPIES + (copy))
#define GROUP_BARRIER() barrier (CLK_LOCAL_MEM_FENCE)

#define FOR_COUNTED(x, n, c)                                                   \
  for (uint x = (c).column; x < (n); x += (c).n_columns)

INLINE void
count (counters c, uint value)
{
  atomic_inc (&c.bins[value * c.n_lanes + c.lane]);
}

INLINE void
count_samples (counters c, samples s)
{
  count (c, s & 0xff);
  count (c, s >> 8 & 0xff);
  count (c, s >> 16 & 0xff);
  count (c, s >> 24);
}

#else

#define OWN
#define N_COPIES 4
#define COPY_OF_BIN(copy, v) ((copy) *AMPHISTO_BINS + (v))
#define GROUP_BARRIER()
#define N_PAIRS 65536

/* bins: N_COPIES times AMPHISTO_BINS; pairs: twice N_PAIRS, looked at only if
 * counts_pairs. */
typedef struct
{
  uint *bins;
  global uint *pairs;
  bool counts_pairs;
} counters;

#define FOR_COUNTED(x, n, c) for (uint x = 0; x < (n); x++)

INLINE void
count (counters c, uint value)
{
  c.bins[value]++;
}

INLINE void
count_word (counters c, uint word)
{
  if (c.counts_pairs) {
    c.pairs[word & 0xffff]++;
    c.pairs[N_PAIRS + (word >> 16)]++;
  } else {
    c.bins[word & 0xff]++;
    c.bins[AMPHISTO_BINS + (word >> 8 & 0xff)]++;
    c.bins[2 * AMPHISTO_BINS + (word >> 16 & 0xff)]++;
    c.bins[3 * AMPHISTO_BINS + (word >> 24)]++;
  }
}

INLINE void
count_samples (counters c, samples s)
{
  const ulong2 differences = as_ulong2 (s ^ rotate (s.xxxx, (uint4) (8)));

  if ((differences.x | differences.y) == 0) {
    c.bins[s.x & 0xff] += N_PIXELS;
    return;
  }
  count_word (c, s.x);
  count_word (c, s.y);
  count_word (c, s.z);
  count_word (c, s.w);
}

/* Adds the pairs to the bins of the values they are made of. */
INLINE void
fold_pairs (counters c)
{
  uint16 low[AMPHISTO_BINS / 16];

  for (uint i = 0; i < AMPHISTO_BINS / 16; i++)
    low[i] = 0;
  for (uint high = 0; high < AMPHISTO_BINS; high++) {
    uint16 sums = 0;

    for (uint i = 0; i < AMPHISTO_BINS / 16; i++) {
      const global words16 *pairs =
          (const global words16 *) c.pairs + high * (AMPHISTO_BINS / 16) + i;
      const uint16 n = pairs[0] + pairs[N_PAIRS / 16];

      low[i] += n;
      sums += n;
    }

    const uint8 sums8 = sums.lo + sums.hi;
    const uint4 sums4 = sums8.lo + sums8.hi;

    c.bins[high] += sums4.x + sums4.y + sums4.z + sums4.w;
  }
  for (uint i = 0; i < AMPHISTO_BINS / 16; i++)
    ((words16 *) c.bins)[i] += low[i];
}

#endif

INLINE void
clear_counts (OWN uint *counts)
{
  FOR_COLUMNS (i, N_COPIES * AMPHISTO_BINS)
    counts[i] = 0;
}

/* What was counted of value v. counts: N_COPIES of each bin. */
INLINE uint
sum_copies (const OWN uint *counts, uint v)
{
  uint sum = 0;

  for (uint copy = 0; copy < N_COPIES; copy++)
    sum += counts[COPY_OF_BIN (copy, v)];
  return sum;
}

/* Adds the counts to the bins. */
INLINE void
add_counts (const OWN uint *counts, volatile global uint *bins)
{
  FOR_COLUMNS (v, AMPHISTO_BINS) {
    const uint sum = sum_copies (counts, v);

    if (sum > 0)
      atomic_add (&bins[v], sum);
  }
}

INLINE void
count_component (counters c, component_row row, uint width)
{
  const uint n = width / N_PIXELS;

  if (row.pixel_stride == 1)
    FOR_COUNTED (i, n, c)
      count_samples (c, read_samples (row.row, i));
  else
    FOR_COUNTED (i, n, c)
      count_samples (c, pack_samples (read_component_samples (row, i)));
  FOR_COUNTED (i, width - n * N_PIXELS, c)
    count (c, read_sample (row, n * N_PIXELS + i));
}

INLINE void
count_rgb_luma (counters c, rgb_row row, uint width, constant uint *weights)
{
  const uint n = width / N_PIXELS;

  FOR_COUNTED (i, n, c) {
    const rgb_pixels p = read_rgb_pixels (row, i);

    count_samples (c, pack_samples (LUMA (weights, p.r, p.g, p.b)));
  }
  FOR_COUNTED (i, width - n * N_PIXELS, c) {
    const uint4 pixel = read_rgb (row, n * N_PIXELS + i);

    count (c, LUMA (weights, pixel.x, pixel.y, pixel.z));
  }
}

/* A colour of YUV. The pixels before and behind whole steps are counted one by
 * one. */
INLINE void
count_colour (counters c, yuv_row row, uint width, constant int *matrix_row)
{
  const uint head = min (yuv_row_head (row), width);
  const uint n = (width - head) / N_PIXELS;
  const yuv_row steps = yuv_row_from (row, head);

  FOR_COUNTED (i, n, c)
    count_samples (c, pack_samples (read_colours (steps, i, matrix_row)));
  FOR_COUNTED (i, width - n * N_PIXELS, c)
    count (c, read_colour (row, i < head ? i : i + n * N_PIXELS, matrix_row));
}

/* Counts what is measured in the slot in row y. */
INLINE void
count_row (counters c, uint slot, uint y, constant frame_params *params,
    uchar_planes planes)
{
  constant component_params *component = &params->measured[slot];
  const uint plane = component->plane;
  const uint width = component->width;

  if (plane < AMPHISTO_MAX_PLANES)
    count_component (c, frame_component_row (planes, component, y), width);
  else if (plane == AMPHISTO_RGB_LUMA)
    count_rgb_luma (
        c, frame_rgb_row (planes, params->rgb, y), width, params->weights);
  else
    count_colour (c, frame_yuv_row (planes, params, y), width,
        params->matrix[plane - AMPHISTO_YUV_RED]);
}

INLINE uchar_plane
source_plane (global uint *words, constant frame_params *params, uint p)
{
  const uchar_plane plane = { words, params->source[p].offset,
    params->source[p].stride };

  return plane;
}

INLINE uchar_planes
source_planes (global uint *plane0, global uint *plane1, global uint *plane2,
    global uint *plane3, constant frame_params *params)
{
  const uchar_planes planes = { source_plane (plane0, params, 0),
    source_plane (plane1, params, 1), source_plane (plane2, params, 2),
    source_plane (plane3, params, 3) };

  return planes;
}

#ifdef AMPHISTO_GPU

/* Counts the frame's measured components. partials: a uint for each partial
 * histogram (a work-group makes one), slot and bin in that order, all of them
 * written. bins: n_slots * AMPHISTO_BINS * n_lanes. */
kernel void
calculate_histogram (global uint *plane0, global uint *plane1,
    global uint *plane2, global uint *plane3, constant frame_params *params,
    global uint *partials, local uint *bins)
{
  const uchar_planes planes =
      source_planes (plane0, plane1, plane2, plane3, params);
  const uint n_lanes = params->n_lanes;
  const uint n_bins = params->n_slots * AMPHISTO_BINS;
  const uint item = get_local_id (0);

  for (uint i = item; i < n_bins * n_lanes; i += get_local_size (0))
    bins[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint slot = 0; slot < params->n_slots; slot++) {
    const counters c = { bins + slot * AMPHISTO_BINS * n_lanes, n_lanes,
      item & (n_lanes - 1), item, get_local_size (0) };

    FOR_ROWS (y, params->measured[slot].height)
      count_row (c, slot, y, params, planes);
  }
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

/* Work-items take rows as they get along, so many at a time that each has
 * about so many turns: a core that is late, or busy with something else, holds
 * up the others less. */
#define N_TURNS 16

/* Counts the slot's rows from `first` on that are this work-item's, n at a
 * time. taken: how many rows are. */
INLINE void
count_taken_rows (counters c, uint slot, uint first, uint n,
    volatile global uint *taken, constant frame_params *params,
    uchar_planes planes)
{
  const uint height = params->measured[slot].height;

  do {
    const uint end = min (first + n, height);

    for (uint y = first; y < end; y++)
      count_row (c, slot, y, params, planes);
    first = atomic_add (taken, n);
  } while (first < height);
}

/* Counts the frame's measured components. pairs: 2 * N_PAIRS for each
 * work-item, if params->counts_pairs for any slot. bins: a uint for each slot
 * and bin, then one for each slot, how many rows work-items have taken; all of
 * AMPHISTO_COUNTS are 0 when the kernel begins, and those of next_bins, for the
 * next frame, when it ends. */
kernel void
calculate_histogram (global uint *plane0, global uint *plane1,
    global uint *plane2, global uint *plane3, constant frame_params *params,
    global uint *pairs, volatile global uint *bins, global uint *next_bins)
{
  const uchar_planes planes =
      source_planes (plane0, plane1, plane2, plane3, params);
  const size_t item = get_global_id (0);
  uint own[N_COPIES * AMPHISTO_BINS];
  counters c = { own, pairs + item * 2 * N_PAIRS, false };

  if (item == 0)
    for (uint i = 0; i < AMPHISTO_COUNTS; i++)
      next_bins[i] = 0;
  for (uint slot = 0; slot < params->n_slots; slot++) {
    volatile global uint *taken =
        bins + AMPHISTO_MAX_SLOTS * AMPHISTO_BINS + slot;
    const uint height = params->measured[slot].height;
    const uint n = height / (uint) (get_global_size (0) * N_TURNS) + 1;
    const uint first = atomic_add (taken, n);

    if (first >= height)
      continue;
    clear_counts (own);
    if (params->counts_pairs[slot]) {
      for (uint i = 0; i < 2 * N_PAIRS; i++)
        c.pairs[i] = 0;
      c.counts_pairs = true;
      count_taken_rows (c, slot, first, n, taken, params, planes);
      fold_pairs (c);
    } else {
      c.counts_pairs = false;
      count_taken_rows (c, slot, first, n, taken, params, planes);
    }
    add_counts (own, bins + slot * AMPHISTO_BINS);
  }
}

#endif
