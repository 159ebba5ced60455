/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts samples, row by row: of a component, of luma of RGB, and of red, green
 * and blue of YUV.
 *
 * After "Histogram using C++ AMP" and the CUDA SDK's histogram256. Two shapes:
 *
 * GPU: a work-group counts in local memory by atomic adds. Each bin has several
 * replicas in different banks, and neighbouring work-items use neighbouring
 * replicas, so that they do not wait for each other in a flat picture. This
 * file counts parts of frames; passes.cl counts whole frames.
 *
 * CPU: a work-item, one per core, counts in its own memory, without atomics.
 * Most of the time is spent on the stores, one for each sample. So in large
 * frames *pairs* of neighbouring samples are counted, in 65536 bins, and folded
 * at the end. In smaller frames neighbours use different replicas of the bins:
 * with equal pixels, an increment would otherwise wait for the previous store.
 * For the same reason both halves of a row are counted alternately. Chunks of a
 * single value are counted at once.
 */

#ifndef AMPHISTO_COUNT_CL
#define AMPHISTO_COUNT_CL

#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif
#ifndef AMPHISTO_LUMA_CL
#include "luma.cl"
#endif
#ifndef AMPHISTO_YUV_CL
#include "yuv.cl"
#endif

#ifdef AMPHISTO_GPU

/* Replicas of each bin in a work-group's local memory. */
#define N_COPIES 8
#define COPY_OF_BIN(copy, v) ((v) *N_COPIES + (copy))

/* The bins of one channel; the work-item counts in replica `copy`. It counts
 * every n_columns'th chunk of a row, from chunk `column` on. */
typedef struct
{
  local uint *bins;
  uint copy;
  uint column;
  uint n_columns;
} counters;

#define FOR_COUNTED(x, n, c)                                                   \
  for (uint x = (c).column; x < (n); x += (c).n_columns)

INLINE void
count (counters c, uint value)
{
  atomic_inc (&c.bins[COPY_OF_BIN (c.copy, value)]);
}

INLINE void
count_samples (counters c, samples s)
{
  count (c, s & 0xff);
  count (c, s >> 8 & 0xff);
  count (c, s >> 16 & 0xff);
  count (c, s >> 24);
}

/* Counts the row's uchars 0 to 16 * n - 1. */
INLINE void
count_plain_steps (counters c, uchar_row row, uint n)
{
  FOR_COUNTED (i, n, c) {
    const uint4 words = read_4_words (row, i * 16);

    count_samples (c, words.x);
    count_samples (c, words.y);
    count_samples (c, words.z);
    count_samples (c, words.w);
  }
}

#else

#define N_COPIES 4
#define COPY_OF_BIN(copy, v) ((copy) *AMPHISTO_N_BINS + (v))

/* bins: N_COPIES * AMPHISTO_N_BINS; pairs: AMPHISTO_N_PAIRS, used only if
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
  c.bins[word & 0xff]++;
  c.bins[AMPHISTO_N_BINS + (word >> 8 & 0xff)]++;
  c.bins[2 * AMPHISTO_N_BINS + (word >> 16 & 0xff)]++;
  c.bins[3 * AMPHISTO_N_BINS + (word >> 24)]++;
}

INLINE void
count_step (counters c, samples s)
{
  count_word (c, s.x);
  count_word (c, s.y);
  count_word (c, s.z);
  count_word (c, s.w);
}

/* Counts the pairs of two words alternately, to avoid waiting for stores. */
INLINE void
count_pairs (counters c, uint word, uint other)
{
  c.pairs[word & 0xffff]++;
  c.pairs[other & 0xffff]++;
  c.pairs[word >> 16]++;
  c.pairs[other >> 16]++;
}

/* The chunk's first sample, sixteen times. */
INLINE samples
first_sample (samples s)
{
  return as_uint4 ((uchar16) (as_uchar16 (s).s0));
}

INLINE void
count_samples (counters c, samples s)
{
  if (are_zeros (s ^ first_sample (s))) {
    c.bins[s.x & 0xff] += N_PIXELS;
  } else if (c.counts_pairs) {
    count_pairs (c, s.x, s.z);
    count_pairs (c, s.y, s.w);
  } else {
    count_step (c, s);
  }
}

INLINE void
count_two_steps (counters c, samples s, samples t)
{
  const samples first = first_sample (s);

  if (are_zeros ((s ^ first) | (t ^ first))) {
    c.bins[s.x & 0xff] += 2 * N_PIXELS;
  } else if (c.counts_pairs) {
    count_pairs (c, s.x, t.x);
    count_pairs (c, s.y, t.y);
    count_pairs (c, s.z, t.z);
    count_pairs (c, s.w, t.w);
  } else {
    count_step (c, s);
    count_step (c, t);
  }
}

/* Counts the row's uchars 0 to 16 * n - 1. */
INLINE void
count_plain_steps (counters c, uchar_row row, uint n)
{
  for (uint i = 0; i < n / 2; i++)
    count_two_steps (c, read_samples (row, i), read_samples (row, n / 2 + i));
  if (n % 2 > 0)
    count_step (c, read_samples (row, n - 1));
}

INLINE void
clear_pairs (counters c)
{
  for (uint i = 0; i < AMPHISTO_N_PAIRS; i++)
    c.pairs[i] = 0;
}

/* Adds the count of each pair to the bins of both its values. */
OUTLINE void
fold_pairs (counters c)
{
  const global words16 *pairs = (const global words16 *) c.pairs;
  uint16 low[AMPHISTO_N_BINS / 16];

  for (uint i = 0; i < AMPHISTO_N_BINS / 16; i++)
    low[i] = 0;
  for (uint high = 0; high < AMPHISTO_N_BINS; high++) {
    uint16 sums = 0;

    for (uint i = 0; i < AMPHISTO_N_BINS / 16; i++) {
      const uint16 n = pairs[high * (AMPHISTO_N_BINS / 16) + i];

      low[i] += n;
      sums += n;
    }

    const uint8 sums8 = sums.lo + sums.hi;
    const uint4 sums4 = sums8.lo + sums8.hi;

    c.bins[high] += sums4.x + sums4.y + sums4.z + sums4.w;
  }
  for (uint i = 0; i < AMPHISTO_N_BINS / 16; i++)
    ((words16 *) c.bins)[i] += low[i];
}

#endif

/* The number of work-items that count a row together; the work-item's row, and
 * the number of rows that a work-group counts at once. */
#ifdef AMPHISTO_GPU
#define PART_COLUMNS 16
#define PART_ROW (uint) (get_local_id (0) / PART_COLUMNS)
#define PART_ROWS (uint) (get_local_size (0) / PART_COLUMNS)
#else
#define PART_ROW 0
#define PART_ROWS 1
#endif

/* The part's rows counted by the work-item. */
INLINE row_range
own_part_rows (row_range rows)
{
  rows.first += PART_ROW;
  rows.step = PART_ROWS;
  return rows;
}

/* Counters for parts of frames. counts: N_COPIES * AMPHISTO_N_BINS. */
INLINE counters
own_counters (OWN uint *counts)
{
#ifdef AMPHISTO_GPU
  const uint item = (uint) get_local_id (0);
  const counters c = { counts, item % N_COPIES, item % PART_COLUMNS,
    PART_COLUMNS };
#else
  const counters c = { counts, 0, false };
#endif

  return c;
}

INLINE void
clear_counts (OWN uint *counts)
{
  FOR_COLUMNS (i, N_COPIES * AMPHISTO_N_BINS)
    counts[i] = 0;
}

/* The count of value v, the sum of all replicas. */
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
  FOR_COLUMNS (v, AMPHISTO_N_BINS) {
    const uint sum = sum_copies (counts, v);

    if (sum > 0)
      atomic_add (&bins[v], sum);
  }
}

/* Counts `width` samples of the row. */
INLINE void
count_component (counters c, component_row row, uint width)
{
  const bool is_plain = row.pixel_stride == 1;
  const uint n = is_plain ? width / 16 : width / N_PIXELS;
  const uint end = is_plain ? n * 16 : n * N_PIXELS;

  if (is_plain)
    count_plain_steps (c, row.row, n);
  else
    FOR_COUNTED (i, n, c)
      count_samples (c, pack_samples (read_component_samples (row, i)));
  FOR_COUNTED (i, width - end, c)
    count (c, read_sample (row, end + i));
}

INLINE void
count_rgb_luma_steps (counters c, rgb_row row, uint n, constant uint *weights)
{
  const luma_view view = view_luma (row, weights);

  FOR_COUNTED (i, n, c)
    count_samples (c, pack_samples (luma_of (view, read_rgb_pixels (row, i))));
}

/* Counts luma of `width` pixels of the row. */
INLINE void
count_rgb_luma (counters c, rgb_row row, uint width, constant uint *weights)
{
  const uint n = width / N_PIXELS;

  if (IS_GPU && row.pixel_stride == 4)
    count_rgb_luma_steps (c, packed_row (row, 4), n, weights);
  else if (IS_GPU && row.pixel_stride == 3)
    count_rgb_luma_steps (c, packed_row (row, 3), n, weights);
  else
    count_rgb_luma_steps (c, row, n, weights);
  FOR_COUNTED (i, width - n * N_PIXELS, c) {
    const uint4 pixel = read_rgb (row, n * N_PIXELS + i);

    count (c, LUMA (weights, pixel.x, pixel.y, pixel.z));
  }
}

/* Counts red, green or blue of `width` pixels of the row. Pixels before and
 * after whole chunks are counted one by one. */
INLINE void
count_colour (counters c, yuv_row row, uint width, constant int *matrix_row)
{
  const uint head = min (yuv_row_head (row), width);
  const uint n = (width - head) / N_PIXELS;
  const yuv_row steps = yuv_row_from (row, head);

  FOR_COUNTED (i, n, c)
    count_samples (
        c, pack_samples (colours_of (read_yuv_pixels (steps, i), matrix_row)));
  FOR_COUNTED (i, width - n * N_PIXELS, c)
    count (c, read_colour (row, i < head ? i : i + n * N_PIXELS, matrix_row));
}

/* A function for each kind of component, so that the loops of all formats are
 * not inlined into one kernel. */

OUTLINE void
count_component_rows (counters c, uchar_planes planes,
    constant component_params *component, row_range rows)
{
  FOR_ROWS (y, rows)
    count_component (
        c, frame_component_row (planes, component, y), component->width);
}

OUTLINE void
count_rgb_luma_rows (counters c, uchar_planes planes,
    constant frame_params *params, row_range rows)
{
  FOR_ROWS (y, rows)
    count_rgb_luma (c, frame_rgb_row (planes, params->rgb, y),
        params->rgb[0].width, params->weights);
}

OUTLINE void
count_colour_rows (counters c, uchar_planes planes,
    constant frame_params *params, constant int *matrix_row, row_range rows)
{
  FOR_ROWS (y, rows)
    count_colour (
        c, frame_yuv_row (planes, params, y), params->luma.width, matrix_row);
}

/* Counts rows of the slot's component. */
INLINE void
count_rows (counters c, uint slot, constant frame_params *params,
    uchar_planes planes, row_range rows)
{
  constant component_params *component = &params->measured[slot];

  if (component->plane < AMPHISTO_N_PLANES)
    count_component_rows (c, planes, component, rows);
  else if (component->plane == AMPHISTO_RGB_LUMA)
    count_rgb_luma_rows (c, planes, params, rows);
  else
    count_colour_rows (c, planes, params,
        params->matrix[component->plane - AMPHISTO_YUV_RED], rows);
}

#endif
