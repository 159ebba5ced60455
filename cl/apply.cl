/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Applying a LUT: to luma of grey and YUV, and to RGB by its luma.
 */

#ifndef AMPHISTO_APPLY_CL
#define AMPHISTO_APPLY_CL

#ifndef AMPHISTO_LUMA_DELTA_CL
#include "luma_delta.cl"
#endif
#ifndef AMPHISTO_SLICES_CL
#include "slices.cl"
#endif

/* Which of bytes x to x + 3 of a row of pixels are samples of the component: a
 * mask of whole bytes. */
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

/* CPUs that permute vectors by an index for each element keep the LUT in four
 * vectors: that takes a tenth of the time of as many loads. */
#if !defined AMPHISTO_GPU && defined __AVX512BW__
#define PERMUTES
typedef ushort ushort32 __attribute__ ((ext_vector_type (32)));
#define as_ushort32(v) __builtin_astype (v, ushort32)
#endif

/* Where the LUT is read from: GPUs that have fast constant memory have it for
 * work-items that all read the same. */
#ifdef AMPHISTO_GPU
#define LUT const global
#else
#define LUT constant
#endif

/* The LUT, ready for look_up(). */
typedef struct
{
  LUT uchar *values;
#ifdef PERMUTES
  uint16 words0, words1, words2, words3;
#endif
} lut_view;

INLINE lut_view
view_lut (LUT uchar *values)
{
  lut_view lut;

  lut.values = values;
#ifdef PERMUTES
  lut.words0 = ((LUT words16 *) values)[0];
  lut.words1 = ((LUT words16 *) values)[1];
  lut.words2 = ((LUT words16 *) values)[2];
  lut.words3 = ((LUT words16 *) values)[3];
#endif
  return lut;
}

/* The word, each of its bytes mapped. */
INLINE uint
map_word (lut_view lut, uint word)
{
  return lut.values[word & 0xff] | (uint) lut.values[word >> 8 & 0xff] << 8
      | (uint) lut.values[word >> 16 & 0xff] << 16
      | (uint) lut.values[word >> 24] << 24;
}

INLINE uint4
map_4_words (lut_view lut, uint4 words)
{
  return (uint4) (map_word (lut, words.x), map_word (lut, words.y),
      map_word (lut, words.z), map_word (lut, words.w));
}

/* b where the mask is set, else a. */
#define MERGE(a, b, mask) (((a) & ~(mask)) | ((b) & (mask)))

#ifdef PERMUTES

/* Idioms that the compiler recognizes as permutations. */
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

/* The LUT's values at v, which has elements of 0 to 255. Their bits 7 and 6
 * choose the vector, the next ones its element, the last ones the byte in it.
 */
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

/* Words that are mapped in one step. */
#define N_WORDS 16
typedef words16 wide_words;
#define READ_WIDE_WORDS READ_16_WORDS
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
  LUT uchar *values = lut.values;

  return (uint16) (values[v.s0], values[v.s1], values[v.s2], values[v.s3],
      values[v.s4], values[v.s5], values[v.s6], values[v.s7], values[v.s8],
      values[v.s9], values[v.sa], values[v.sb], values[v.sc], values[v.sd],
      values[v.se], values[v.sf]);
}

#define N_WORDS 4
typedef words4 wide_words;
#define READ_WIDE_WORDS READ_4_WORDS
#define WIDE_MASK(masks) ((masks).s0120)

#define map_wide_words map_4_words

#endif

/* Maps byte x of the row if it is one of the component's samples, else copies
 * it. n: bytes of the row up to the end of the samples. */
INLINE void
map_byte (lut_view lut, uchar_row source, uchar_row target,
    constant component_params *component, uint x, uint n)
{
  const uint value = read_uchar (source, x);
  const bool is_sample = x < n && (sample_mask (component, x) & 0xff);

  write_uchar (target, x, is_sample ? lut.values[value] : value);
}

/* Maps n words of the target, which no other work-item may write. The rows
 * begin at the first of them, byte x of the whole row. */
INLINE void
map_words (lut_view lut, uchar_row source, uchar_row target,
    constant component_params *component, uint x, uint n)
{
  /* the places of samples in words repeat after three words, or after one */
  uint4 masks = (uint4) (sample_mask (component, x),
      sample_mask (component, x + 4), sample_mask (component, x + 8), 0);
  uint done = 0;

#ifdef AMPHISTO_GPU
  FOR_ROW_STEPS (i, n / 4) {
    const uint4 words = read_4_words (source, i * 16);
    const uint4 mask = i % 3 == 0 ? masks.xyzx
        : i % 3 == 1              ? masks.yzxy
                                  : masks.zxyz;

    write_4_words (
        target, i * 16, MERGE (words, map_4_words (lut, words), mask));
  }
  done = n / 4 * 4;
  masks = done % 3 == 0 ? masks : done % 3 == 1 ? masks.yzxw : masks.zxyw;
#else
  done = n - n % N_WORDS;
  for (uint i = 0; i < done; i += N_WORDS) {
    const wide_words words = READ_WIDE_WORDS (source, i);

    *(global wide_words *) (target.words + i) =
        MERGE (words, map_wide_words (lut, words), WIDE_MASK (masks));
    /* 4 words, and 16, are one more than a multiple of 3 */
    masks = masks.yzxw;
  }
#endif
  FOR_ROW_STEPS (i, n - done) {
    const uint word = read_word (source, (done + i) * 4);
    const uint mask = i % 3 == 0 ? masks.x : i % 3 == 1 ? masks.y : masks.z;

    write_word (
        target, (done + i) * 4, MERGE (word, map_word (lut, word), mask));
  }
}

/* Maps a row: whole words of the target at once, and one by one the bytes of
 * words that the row shares with its surroundings. Bytes before the component's
 * first pixel stay as they are. */
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

  FOR_ROW_STEPS (x, head)
    map_byte (lut, source, target, component, x, n);
  map_words (lut, row_from (source, head), row_from (target, head), component,
      head, n_words);
  FOR_ROW_STEPS (i, row_bytes - tail)
    map_byte (lut, source, target, component, tail + i, n);
}

OUTLINE void
map_rows (uchar_plane source, uchar_plane target, constant frame_params *params,
    LUT uchar *lut, row_range rows)
{
  const lut_view view = view_lut (lut);

  FOR_ROWS (y, rows)
    map_row (params, view, frame_row (source, y), frame_row (target, y));
}

/* Grey and YUV: Y = lut[Y]. source, target: Y's plane, one buffer or two; of
 * the target, row_bytes of each row are written. */
kernel void
apply_lut (global uint *source, global uint *target,
    constant frame_params *params, LUT uchar *lut)
{
  map_rows (plane_at (source, &params->source[params->luma.plane]),
      plane_at (target, &params->target[params->luma.plane]), params, lut,
      own_step_rows (params->luma.height));
}

INLINE void
move_steps (rgb_row source, rgb_row target, constant uint *weights,
    lut_view lut, uint n)
{
  FOR_COLUMNS (i, n) {
    const rgb_pixels p = read_rgb_pixels (source, i);
    const pixels luma = LUMA (weights, p.r, p.g, p.b);

    write_rgb_pixels (target, i, move_pixels (p, luma, look_up (lut, luma)));
  }
}

INLINE void
move_row (
    rgb_row source, rgb_row target, constant frame_params *params, lut_view lut)
{
  const uint width = params->rgb[0].width;
  const uint n = begins_at_words (target) ? width / N_PIXELS : 0;

  if (IS_GPU && source.pixel_stride == 4)
    move_steps (packed_row (source, 4), packed_row (target, 4), params->weights,
        lut, n);
  else if (IS_GPU && source.pixel_stride == 3)
    move_steps (packed_row (source, 3), packed_row (target, 3), params->weights,
        lut, n);
  else
    move_steps (source, target, params->weights, lut, n);
  FOR_COLUMNS (i, width - n * N_PIXELS) {
    const uint x = n * N_PIXELS + i;
    const uint4 pixel = read_rgb (source, x);
    const uint luma = LUMA (params->weights, pixel.x, pixel.y, pixel.z);

    move_pixel (source, target, x, pixel, luma, lut.values[luma]);
  }
}

OUTLINE void
move_rows (uchar_planes source, uchar_planes target,
    constant frame_params *params, LUT uchar *lut, row_range rows)
{
  const lut_view view = view_lut (lut);

  FOR_ROWS (y, rows)
    move_row (frame_rgb_row (source, params->rgb, y),
        frame_rgb_row (target, params->rgb, y), params, view);
}

/* RGB: with d = lut[Y] - Y of each pixel, R, G and B become clamp (c + d, 0,
 * 255). Planes as in the frame; source and target may be the same. Of a packed
 * target whole pixels are written, of a planar one R, G and B. */
kernel void
apply_luma_delta (global uint *source0, global uint *source1,
    global uint *source2, global uint *target0, global uint *target1,
    global uint *target2, constant frame_params *params, LUT uchar *lut)
{
  move_rows (planes_at (source0, source1, source2, source0, params->source),
      planes_at (target0, target1, target2, target0, params->target), params,
      lut, own_rows (params->rgb[0].height));
}

#endif
