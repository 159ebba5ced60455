/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Global histogram equalization: the LUT from the bins, and its application.
 *
 * Floats: every operation is rounded on its own, half to even, and none is
 * contracted, so that the LUT is the same on every device.
 */

#pragma OPENCL FP_CONTRACT OFF

/* a / b rounded half to even, for 1 <= a <= 255 and 1 <= b <= 2^32 a whole
 * float. In integers, because a device's own float division may be off by two
 * units in the last place. */
static inline float
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

/* find -> cumulate -> normalise: one work-group of AMPHISTO_BINS work-items,
 * each one value of the LUT. lut: AMPHISTO_BINS values, lo to hi. */
kernel __attribute__ ((reqd_work_group_size (AMPHISTO_BINS, 1, 1))) void
equalize_lut (
    constant frame_params *params, global const uint *bins, global uint *lut)
{
  local uint sums[2][AMPHISTO_BINS];
  /* the smallest value that occurs, and how often it does */
  local uint first[2];
  const uint i = get_local_id (0);
  const uint count = bins[params->luma_slot * AMPHISTO_BINS + i];
  uint from = 0;

  sums[0][i] = count;
  if (i == 0)
    first[0] = first[1] = 0; /* where there is no sample */
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < AMPHISTO_BINS; step *= 2) {
    sums[1 - from][i] = sums[from][i] + (i >= step ? sums[from][i - step] : 0);
    from = 1 - from;
    barrier (CLK_LOCAL_MEM_FENCE);
  }
  if (count > 0 && sums[from][i] == count) {
    first[0] = i;
    first[1] = count;
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  const uint others = sums[from][AMPHISTO_BINS - 1] - first[1];
  uint value = i;

  if (others > 0) {
    const float scale =
        divide_rounded (params->hi - params->lo, (float) others);

    value = params->lo;
    if (i > first[0])
      value += (uint) rint ((float) (sums[from][i] - first[1]) * scale);
  }

  const float move = params->strength * (float) ((int) value - (int) i);

  lut[i] = (uint) rint ((float) i + move);
}

static inline uchar_plane
target_plane (global uint *words, constant frame_params *params, uint p)
{
  const uchar_plane plane = { words, params->target[p].offset,
    params->target[p].stride };

  return plane;
}

/* Which of the row's characters x to x + 3 are samples of the component: a
 * mask of whole characters. */
static inline uint
sample_mask (constant component_params *component, uint x)
{
  const uint pixel_stride = component->pixel_stride;
  const uint past = x + pixel_stride - component->offset % pixel_stride;
  uint mask = 0;

  for (uint i = 0; i < 4; i++)
    if ((past + i) % pixel_stride == 0)
      mask |= 0xffu << (8 * i);
  return mask;
}

static inline uint
map_whole_word (constant uint *lut, uint word)
{
  return lut[word & 0xff] | lut[word >> 8 & 0xff] << 8
      | lut[word >> 16 & 0xff] << 16 | lut[word >> 24] << 24;
}

static inline uint
map_word (constant uint *lut, uint word, uint mask)
{
  return (map_whole_word (lut, word) & mask) | (word & ~mask);
}

/* The usual case: the characters of n words are all samples, and lie in words
 * of the source as they do in the target. */
static inline void
map_words (
    constant uint *lut, const global uint *source, global uint *target, uint n)
{
#ifdef AMPHISTO_GPU
  FOR_COLUMNS (i, n)
    target[i] = map_whole_word (lut, source[i]);
#else
  for (uint i = 0; i < n / 4; i++) {
    const uint4 four = vload4 (i, source);

    vstore4 (
        (uint4) (map_whole_word (lut, four.x), map_whole_word (lut, four.y),
            map_whole_word (lut, four.z), map_whole_word (lut, four.w)),
        i, target);
  }
  for (uint i = n & ~3u; i < n; i++)
    target[i] = map_whole_word (lut, source[i]);
#endif
}

/* Maps character x of the row if it is one of the component's samples, else
 * copies it. n: characters of the row up to which there are samples. */
static inline void
map_character (constant uint *lut, uchar_row source, uchar_row target,
    constant component_params *component, uint x, uint n)
{
  const uint value = read_uchar (source, x);
  const bool is_sample = x < n && (sample_mask (component, x) & 0xff);

  write_uchar (target, x, is_sample ? lut[value] : value);
}

/* Words of the target, which no other work-item has, are read from wherever
 * they lie in the source and written whole; characters of words that the row
 * shares with its surroundings, one by one. */
static inline void
map_row (constant frame_params *params, constant uint *lut, uchar_row source,
    uchar_row target)
{
  constant component_params *component = &params->luma;
  const uint row_bytes = params->row_bytes;
  const uint n = min (row_bytes,
      component->offset + component->width * component->pixel_stride);
  const uint head = min (row_head (target), row_bytes);
  const uint n_words = n > head ? (n - head) / 4 : 0;
  const uint tail = head + n_words * 4;
  /* where samples are in a word repeats after three words, or one */
  const uint masks[3] = { sample_mask (component, head),
    sample_mask (component, head + 4), sample_mask (component, head + 8) };

  FOR_COLUMNS (x, head)
    map_character (lut, source, target, component, x, n);
  if (component->pixel_stride == 1 && source.first == target.first)
    map_words (lut, source.words + ((source.first + head) >> 2),
        target.words + ((target.first + head) >> 2), n_words);
  else
    FOR_COLUMNS (i, n_words)
      write_word (target, head + i * 4,
          map_word (lut, read_word (source, head + i * 4), masks[i % 3]));
  FOR_COLUMNS (i, row_bytes - tail)
    map_character (lut, source, target, component, tail + i, n);
}

/* Grey and YUV: Y = lut[Y]. source, target: Y's plane, one buffer or two; of
 * the target, row_bytes of each row are written. */
kernel void
apply_lut (global uint *source, global uint *target,
    constant frame_params *params, constant uint *lut)
{
  const uint p = params->luma.plane;
  const uchar_plane from = source_plane (source, params, p);
  const uchar_plane to = target_plane (target, params, p);

  FOR_ROWS (y, params->luma.height)
    map_row (params, lut, frame_row (from, y), frame_row (to, y));
}

/* The components moved by delta. (All operands vectors: oclgrind 21.10 clamps
 * only the first component to a scalar.) */
static inline uint4
move_components (uint4 components, int4 delta)
{
  return as_uint4 (
      clamp (as_int4 (components) + delta, (int4) (0), (int4) (255)));
}

/* The pixels' components moved by what their luma moves; hue stays. */
static inline rgb_quad
move_quad (rgb_quad quad, constant uint *weights, constant uint *lut)
{
  const uint4 luma = LUMA (weights, quad.r, quad.g, quad.b);
  const int4 delta = (int4) ((int) lut[luma.x], (int) lut[luma.y],
                         (int) lut[luma.z], (int) lut[luma.w])
      - as_int4 (luma);

  quad.r = move_components (quad.r, delta);
  quad.g = move_components (quad.g, delta);
  quad.b = move_components (quad.b, delta);
  return quad;
}

/* One pixel, character by character; what of a packed one is neither R, G nor
 * B is copied. */
static inline void
move_pixel (rgb_row source, rgb_row target, uint x, constant uint *weights,
    constant uint *lut)
{
  const size_t at = (size_t) x * source.pixel_stride;
  const uint4 pixel = read_rgb (source, x);
  const uint luma = LUMA (weights, pixel.x, pixel.y, pixel.z);
  const int delta = (int) lut[luma] - (int) luma;
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
    global uint *target2, constant frame_params *params, constant uint *lut)
{
  const uchar_planes from = { source_plane (source0, params, 0),
    source_plane (source1, params, 1), source_plane (source2, params, 2),
    source_plane (source0, params, 0) };
  const uchar_planes to = { target_plane (target0, params, 0),
    target_plane (target1, params, 1), target_plane (target2, params, 2),
    target_plane (target0, params, 0) };
  const uint width = params->rgb[0].width;

  FOR_ROWS (y, params->rgb[0].height) {
    const rgb_row source = frame_rgb_row (from, params->rgb, y);
    const rgb_row target = frame_rgb_row (to, params->rgb, y);
    const bool whole_words =
        target.r.first == 0 && target.g.first == 0 && target.b.first == 0;
    const uint n_quads = whole_words ? width / 4 : 0;

    FOR_COLUMNS (i, n_quads) {
      const rgb_quad quad = read_rgb_quad (source, i * 4);

      write_rgb_quad (target, i * 4, move_quad (quad, params->weights, lut));
    }
    FOR_COLUMNS (i, width - n_quads * 4)
      move_pixel (source, target, n_quads * 4 + i, params->weights, lut);
  }
}
