/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Global histogram equalization, and matching: the LUT from the bins, and its
 * application.
 *
 * Floats: every operation is rounded on its own, half to even, and none is
 * contracted, so that the LUT is the same on every device.
 */

#pragma OPENCL FP_CONTRACT OFF

/* a / b rounded half to even, for 1 <= a <= 255 and 1 <= b <= 2^32 a whole
 * float. In integers, because a device's own float division may be off by two
 * units in the last place. */
INLINE float
divide_rounded (uint a, float b)
{
  const int exponent = ilogb (b) - 23;
  const ulong divisor = (ulong) ldexp (b, -exponent); /* 24 bits */
  /* a quotient of 24 bits: a is scaled to 47 or 48 */
  const int scale = 47 - (31 - (int) clz (a));
  const ulong dividend = (ulong) a << scale;
  const int excess = dividend >= divisor << 24 ? 1 : 0;
  const ulong unit = divisor << excess;
  const ulong quotient = dividend / unit;
  const ulong rest = dividend % unit;
  const bool up = rest * 2 > unit || (rest * 2 == unit && (quotient & 1));

  return ldexp ((float) (uint) (quotient + up), excess - scale - exponent);
}

/* A histogram's samples up to a value, and all of them. */
typedef struct
{
  uint up_to_here;
  uint total;
} cumulated;

/* Cumulates a histogram of which each of AMPHISTO_BINS work-items has the bin
 * of its number. Sums of 16 first, because barriers are what takes the time.
 * counts: AMPHISTO_BINS; sums: AMPHISTO_BINS / 16. */
INLINE cumulated
cumulate (local uint *counts, local uint *sums, uint count)
{
  const uint i = get_local_id (0);
  cumulated c = { 0, 0 };

  counts[i] = count;
  barrier (CLK_LOCAL_MEM_FENCE);
  if (i < AMPHISTO_BINS / 16) {
    uint sum = 0;

    for (uint k = 0; k < 16; k++)
      sum += counts[i * 16 + k];
    sums[i] = sum;
  }
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < AMPHISTO_BINS / 16; k++) {
    c.total += sums[k];
    c.up_to_here += k < i / 16 ? sums[k] : 0;
  }
  for (uint k = 0; k < 16; k++)
    c.up_to_here += k <= i % 16 ? counts[i / 16 * 16 + k] : 0;
  return c;
}

/* i moved towards its value. */
INLINE uchar
move_value (constant frame_params *params, uint i, uint value)
{
  const float move = params->strength * (float) ((int) value - (int) i);

  return (uchar) rint ((float) i + move);
}

/* find -> cumulate -> normalise: one work-group of AMPHISTO_BINS work-items,
 * each one value of the LUT. lut: AMPHISTO_BINS values, lo to hi. */
kernel __attribute__ ((reqd_work_group_size (AMPHISTO_BINS, 1, 1))) void
equalize_lut (
    constant frame_params *params, global const uint *bins, global uchar *lut)
{
  local uint counts[AMPHISTO_BINS];
  local uint sums[AMPHISTO_BINS / 16];
  /* the smallest value that occurs, how often it does, and how far each of the
   * other samples moves the value */
  local uint first, count_of_first;
  local float scale;
  const uint i = get_local_id (0);
  const uint count = bins[params->luma_slot * AMPHISTO_BINS + i];

  if (i == 0)
    first = count_of_first = 0; /* where there is no sample */

  const cumulated c = cumulate (counts, sums, count);

  if (count > 0 && c.up_to_here == count) {
    first = i;
    count_of_first = count;
    if (c.total > count)
      scale =
          divide_rounded (params->hi - params->lo, (float) (c.total - count));
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  uint value = i;

  if (c.total > count_of_first) {
    value = params->lo;
    if (i > first)
      value += (uint) rint ((float) (c.up_to_here - count_of_first) * scale);
  }
  lut[i] = move_value (params, i, value);
}

/* The smallest value up to which the reference has as great a share of its
 * samples as the frame has of its own. Launched as equalize_lut; reference:
 * AMPHISTO_BINS bins, in sum less than 2^32. */
kernel __attribute__ ((reqd_work_group_size (AMPHISTO_BINS, 1, 1))) void
match_lut (constant frame_params *params, global const uint *bins,
    global uchar *lut, constant uint *reference)
{
  local uint counts[AMPHISTO_BINS];
  local uint sums[AMPHISTO_BINS / 16];
  local uint reference_cdf[AMPHISTO_BINS];
  const uint i = get_local_id (0);
  const cumulated own =
      cumulate (counts, sums, bins[params->luma_slot * AMPHISTO_BINS + i]);

  barrier (CLK_LOCAL_MEM_FENCE);

  const cumulated wanted = cumulate (counts, sums, reference[i]);

  reference_cdf[i] = wanted.up_to_here;
  barrier (CLK_LOCAL_MEM_FENCE);

  const ulong reached = (ulong) own.up_to_here * wanted.total;
  uint value = 0;

  for (uint step = AMPHISTO_BINS / 2; step > 0; step /= 2)
    if ((ulong) reference_cdf[value + step - 1] * own.total < reached)
      value += step;
  lut[i] = move_value (params, i, value);
}

INLINE uchar_plane
target_plane (global uint *words, constant frame_params *params, uint p)
{
  const uchar_plane plane = { words, params->target[p].offset,
    params->target[p].stride };

  return plane;
}

/* R, G and B are in no fourth one. */
INLINE uchar_planes
target_planes (global uint *plane0, global uint *plane1, global uint *plane2,
    constant frame_params *params)
{
  const uchar_planes planes = { target_plane (plane0, params, 0),
    target_plane (plane1, params, 1), target_plane (plane2, params, 2),
    target_plane (plane0, params, 0) };

  return planes;
}

/* Which of characters x to x + 3 of a row of pixels are samples of the
 * component: a mask of whole characters. */
INLINE uint
sample_mask (constant component_params *component, uint x)
{
  const uint pixel_stride = component->pixel_stride;
  const uint offset = component->offset % pixel_stride;
  uint mask = 0;

  if (pixel_stride == 1)
    return ~0u;
  for (uint i = 0; i < 4; i++)
    if ((x + i) % pixel_stride == offset)
      mask |= 0xffu << (8 * i);
  return mask;
}

/* CPUs that permute vectors by an index for each element do so in a tenth of
 * the time that as many loads take: the LUT is in four vectors. */
#if !defined AMPHISTO_GPU && defined __AVX512BW__
#define PERMUTES
typedef ushort ushort32 __attribute__ ((ext_vector_type (32)));
#define as_ushort32(v) __builtin_astype (v, ushort32)
#endif

/* The LUT, as the kernels look things up in it. */
typedef struct
{
  constant uchar *values;
#ifdef PERMUTES
  uint16 words0, words1, words2, words3;
#endif
} lut_view;

INLINE lut_view
view_lut (constant uchar *values)
{
  lut_view lut;

  lut.values = values;
#ifdef PERMUTES
  lut.words0 = ((constant words16 *) values)[0];
  lut.words1 = ((constant words16 *) values)[1];
  lut.words2 = ((constant words16 *) values)[2];
  lut.words3 = ((constant words16 *) values)[3];
#endif
  return lut;
}

/* The word's characters mapped. */
INLINE uint
map_word (lut_view lut, uint word)
{
  return lut.values[word & 0xff] | (uint) lut.values[word >> 8 & 0xff] << 8
      | (uint) lut.values[word >> 16 & 0xff] << 16
      | (uint) lut.values[word >> 24] << 24;
}

/* b where the mask is set, else a. */
#define MERGE(a, b, mask) (((a) & ~(mask)) | ((b) & (mask)))

#ifdef PERMUTES

/* Idioms that the compiler knows for permutations. */
INLINE uint16 OVERLOAD
permute (uint16 v, uint16 i)
{
  return (uint16) (v[i.s0], v[i.s1], v[i.s2], v[i.s3], v[i.s4], v[i.s5],
      v[i.s6], v[i.s7], v[i.s8], v[i.s9], v[i.sa], v[i.sb], v[i.sc], v[i.sd],
      v[i.se], v[i.sf]);
}

INLINE ushort32 OVERLOAD
permute (ushort32 v, ushort32 i)
{
  return (ushort32) (v[i[0]], v[i[1]], v[i[2]], v[i[3]], v[i[4]], v[i[5]],
      v[i[6]], v[i[7]], v[i[8]], v[i[9]], v[i[10]], v[i[11]], v[i[12]],
      v[i[13]], v[i[14]], v[i[15]], v[i[16]], v[i[17]], v[i[18]], v[i[19]],
      v[i[20]], v[i[21]], v[i[22]], v[i[23]], v[i[24]], v[i[25]], v[i[26]],
      v[i[27]], v[i[28]], v[i[29]], v[i[30]], v[i[31]]);
}

/* The values for sixteen words, and for 32 short words, of 0 to 255. Their bits
 * 7 and 6 say in which vector it is, the next in which element, the last in
 * which character of it. */
INLINE uint16 OVERLOAD
look_up (lut_view lut, uint16 v)
{
  const uint16 i = v >> 2 & 15;
  const uint16 shift = v % 4 * 8;
  const uint16 low =
      (v & 64) != 0 ? permute (lut.words1, i) : permute (lut.words0, i);
  const uint16 high =
      (v & 64) != 0 ? permute (lut.words3, i) : permute (lut.words2, i);

  return ((v & 128) != 0 ? high : low) >> shift & 255;
}

INLINE ushort32 OVERLOAD
look_up (lut_view lut, ushort32 v)
{
  const ushort32 i = v >> (ushort) 1 & (ushort) 31;
  const ushort32 shift = v % (ushort) 2 * (ushort) 8;
  const ushort32 low = (v & (ushort) 64) != (ushort) 0
      ? permute (as_ushort32 (lut.words1), i)
      : permute (as_ushort32 (lut.words0), i);
  const ushort32 high = (v & (ushort) 64) != (ushort) 0
      ? permute (as_ushort32 (lut.words3), i)
      : permute (as_ushort32 (lut.words2), i);

  return ((v & (ushort) 128) != (ushort) 0 ? high : low) >> shift
      & (ushort) 255;
}

/* N_WORDS words that are mapped in one step. */
#define N_WORDS 16
typedef words16 wide_words;
#define READ_WIDE_WORDS read_16_words
#define WIDE_MASK(masks) ((masks).s0120120120120120)

INLINE uint16
map_wide_words (lut_view lut, uint16 words)
{
  const ushort32 v = as_ushort32 (words);

  return as_uint16 (look_up (lut, v & (ushort) 255)
      | look_up (lut, v >> (ushort) 8) << (ushort) 8);
}

#elif defined AMPHISTO_GPU

INLINE pixels
look_up (lut_view lut, pixels v)
{
  return (uint4) (lut.values[v.x], lut.values[v.y], lut.values[v.z],
      lut.values[v.w]);
}

#else

INLINE pixels
look_up (lut_view lut, pixels v)
{
  constant uchar *values = lut.values;

  return (uint16) (values[v.s0], values[v.s1], values[v.s2], values[v.s3],
      values[v.s4], values[v.s5], values[v.s6], values[v.s7], values[v.s8],
      values[v.s9], values[v.sa], values[v.sb], values[v.sc], values[v.sd],
      values[v.se], values[v.sf]);
}

#define N_WORDS 4
typedef words4 wide_words;
#define READ_WIDE_WORDS read_4_words
#define WIDE_MASK(masks) ((masks).s0120)

INLINE uint4
map_wide_words (lut_view lut, uint4 words)
{
  return (uint4) (map_word (lut, words.x), map_word (lut, words.y),
      map_word (lut, words.z), map_word (lut, words.w));
}

#endif

/* Maps character x of the row if it is one of the component's samples, else
 * copies it. n: characters of the row up to which there are samples. */
INLINE void
map_character (lut_view lut, uchar_row source, uchar_row target,
    constant component_params *component, uint x, uint n)
{
  const uint value = read_uchar (source, x);
  const bool is_sample = x < n && (sample_mask (component, x) & 0xff);

  write_uchar (target, x, is_sample ? lut.values[value] : value);
}

/* Maps n words of the target, which no other work-item has. Rows: from the
 * first of them on; x: its place in the whole row. */
INLINE void
map_words (lut_view lut, uchar_row source, uchar_row target,
    constant component_params *component, uint x, uint n)
{
  /* where samples are in a word repeats after three words, or one */
  uint4 masks = (uint4) (sample_mask (component, x),
      sample_mask (component, x + 4), sample_mask (component, x + 8), 0);
  uint done = 0;

#ifndef AMPHISTO_GPU
  done = n - n % N_WORDS;
  for (uint i = 0; i < done; i += N_WORDS) {
    const wide_words words = READ_WIDE_WORDS (source, i);

    *(global wide_words *) (target.words + i) =
        MERGE (words, map_wide_words (lut, words), WIDE_MASK (masks));
    /* 4 words, and 16, are one more than a multiple of 3 */
    masks = masks.yzxw;
  }
#endif
  FOR_COLUMNS (i, n - done) {
    const uint word = read_word (source, (done + i) * 4);
    const uint mask = i % 3 == 0 ? masks.x : i % 3 == 1 ? masks.y : masks.z;

    write_word (
        target, (done + i) * 4, MERGE (word, map_word (lut, word), mask));
  }
}

/* Words of the target are read from wherever they lie in the source and
 * written whole; characters of words that the row shares with its
 * surroundings, one by one. What is before the component's first pixel is left
 * alone. */
INLINE void
map_row (constant frame_params *params, lut_view lut, uchar_row source,
    uchar_row target)
{
  constant component_params *component = &params->luma;
  const uint pixel_stride = component->pixel_stride;
  const uint first = component->offset - component->offset % pixel_stride;
  const uint row_bytes = params->row_bytes - first;
  const uint n = min (
      row_bytes, component->offset - first + component->width * pixel_stride);

  source = row_from (source, first);
  target = row_from (target, first);

  const uint head = min (row_head (target), row_bytes);
  const uint n_words = n > head ? (n - head) / 4 : 0;
  const uint tail = head + n_words * 4;

  FOR_COLUMNS (x, head)
    map_character (lut, source, target, component, x, n);
  map_words (lut, row_from (source, head), row_from (target, head), component,
      head, n_words);
  FOR_COLUMNS (i, row_bytes - tail)
    map_character (lut, source, target, component, tail + i, n);
}

/* Grey and YUV: Y = lut[Y]. source, target: Y's plane, one buffer or two; of
 * the target, row_bytes of each row are written. */
kernel void
apply_lut (global uint *source, global uint *target,
    constant frame_params *params, constant uchar *lut)
{
  const uint p = params->luma.plane;
  const uchar_plane from = source_plane (source, params, p);
  const uchar_plane to = target_plane (target, params, p);
  const lut_view view = view_lut (lut);

  FOR_ROWS (y, params->luma.height)
    map_row (params, view, frame_row (from, y), frame_row (to, y));
}

/* The components moved by delta. (All operands vectors: oclgrind 21.10 clamps
 * only the first component to a scalar.) */
INLINE uint4 OVERLOAD
move_components (uint4 components, int4 delta)
{
  return as_uint4 (
      clamp (as_int4 (components) + delta, (int4) (0), (int4) (255)));
}

#ifndef AMPHISTO_GPU

INLINE uint16 OVERLOAD
move_components (uint16 components, int16 delta)
{
  return as_uint16 (
      clamp (as_int16 (components) + delta, (int16) (0), (int16) (255)));
}

#endif

/* The pixels' components moved from luma to another; hue stays. */
INLINE rgb_pixels
move_pixels (rgb_pixels p, pixels luma, pixels to)
{
  const signed_pixels delta = AS_SIGNED (to) - AS_SIGNED (luma);

  p.r = move_components (p.r, delta);
  p.g = move_components (p.g, delta);
  p.b = move_components (p.b, delta);
  return p;
}

/* Pixel x, as read_rgb() has it, from luma to another, character by character;
 * what of a packed one is neither R, G nor B is copied. */
INLINE void
move_pixel (
    rgb_row source, rgb_row target, uint x, uint4 pixel, uint luma, uint to)
{
  const size_t at = (size_t) x * source.pixel_stride;
  const int delta = (int) to - (int) luma;
  const uint4 moved = move_components (pixel, (int4) (delta));

  if (source.pixel_stride == 4) {
    const size_t other =
        at + 6 - source.r_offset - source.g_offset - source.b_offset;

    write_uchar (target.r, other, read_uchar (source.r, other));
  }
  write_uchar (target.r, at + source.r_offset, moved.x);
  write_uchar (target.g, at + source.g_offset, moved.y);
  write_uchar (target.b, at + source.b_offset, moved.z);
}

/* RGB: with d = lut[Y] - Y of each pixel, R, G and B become clamp (c + d, 0,
 * 255). Planes as in the frame; source and target may be the same. Of a packed
 * target whole pixels are written, of a planar one R, G and B. */
kernel void
apply_luma_delta (global uint *source0, global uint *source1,
    global uint *source2, global uint *target0, global uint *target1,
    global uint *target2, constant frame_params *params, constant uchar *lut)
{
  const uchar_planes from =
      source_planes (source0, source1, source2, source0, params);
  const uchar_planes to = target_planes (target0, target1, target2, params);
  const uint width = params->rgb[0].width;
  const lut_view view = view_lut (lut);

  FOR_ROWS (y, params->rgb[0].height) {
    const rgb_row source = frame_rgb_row (from, params->rgb, y);
    const rgb_row target = frame_rgb_row (to, params->rgb, y);
    const bool whole_words =
        target.r.first == 0 && target.g.first == 0 && target.b.first == 0;
    const uint n = whole_words ? width / N_PIXELS : 0;

    FOR_COLUMNS (i, n) {
      const rgb_pixels p = read_rgb_pixels (source, i);
      const pixels luma = LUMA (params->weights, p.r, p.g, p.b);

      write_rgb_pixels (target, i, move_pixels (p, luma, look_up (view, luma)));
    }
    FOR_COLUMNS (i, width - n * N_PIXELS) {
      const uint x = n * N_PIXELS + i;
      const uint4 pixel = read_rgb (source, x);
      const uint luma = LUMA (params->weights, pixel.x, pixel.y, pixel.z);

      move_pixel (source, target, x, pixel, luma, lut[luma]);
    }
  }
}
