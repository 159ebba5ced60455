/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pixels side by side, N_PIXELS of them, as a work-item takes them in one step:
 * four in the GPU shape, sixteen in the CPU shape. And the luma of RGB, and
 * red, green and blue of YUV, packed or planar.
 *
 * For both shapes:
 *
 *   pixels                      a pixel, or one sample of each, in a lane
 *   samples                     one sample of each, packed, the first pixel's
 *                               in the first character
 *   pack_samples (pixels), unpack_samples (samples)
 *   read_samples (row, i)       step i of a row of samples side by side
 *   read_pixels (row, i, pixel_stride)   step i of a row whose pixels are 1 to
 *                               4 characters each
 *   write_pixels (row, i, pixel_stride, pixels)   the same; the row must begin
 *                               at a word's beginning, and the pixels have no
 *                               other writer
 *   signed_pixels               the same, of signed numbers
 *   AS_UNSIGNED (signed_pixels), AS_SIGNED (pixels)
 *   read_shared_samples (row, i, x_shift)   step i of a component's samples,
 *                               each in the lanes of the 2^x_shift pixels, 1, 2
 *                               or 4, that have it
 */

/* Vectors that lie at any word. By these, because vload16() and its like are
 * made of small pieces by PoCL (3.1), which the compiler does not put together
 * again. */
typedef uint2 words2 __attribute__ ((aligned (4)));
typedef uint4 words4 __attribute__ ((aligned (4)));
typedef uint8 words8 __attribute__ ((aligned (4)));
typedef uint16 words16 __attribute__ ((aligned (4)));

/* A component's samples in a row: each `offset` characters into its pixel, or
 * into what else the row has side by side, of pixel_stride characters. */
typedef struct
{
  uchar_row row;
  uint pixel_stride;
  uint offset;
} component_row;

INLINE component_row
frame_component_row (
    uchar_planes planes, constant component_params *component, uint y)
{
  const uint pixel_stride = component->pixel_stride;
  const uint offset = component->offset % pixel_stride;
  const uchar_row row = frame_row (frame_plane (planes, component->plane), y);
  const component_row samples = { row_from (row, component->offset - offset),
    pixel_stride, offset };

  return samples;
}

/* The row from sample x on. */
INLINE component_row
component_row_from (component_row row, uint x)
{
  row.row = row_from (row.row, (size_t) x * row.pixel_stride);
  return row;
}

INLINE uint
read_sample (component_row row, uint x)
{
  return read_uchar (row.row, (size_t) x * row.pixel_stride + row.offset);
}

#ifdef AMPHISTO_GPU

#define N_PIXELS 4
typedef uint4 pixels;
typedef int4 signed_pixels;
#define AS_UNSIGNED as_uint4
#define AS_SIGNED as_int4
typedef uint samples;

INLINE samples
pack_samples (pixels v)
{
  return v.x | v.y << 8 | v.z << 16 | v.w << 24;
}

INLINE pixels
unpack_samples (samples s)
{
  return ((uint4) (s) >> (uint4) (0, 8, 16, 24)) & 0xffu;
}

INLINE samples
read_samples (uchar_row row, size_t i)
{
  return read_word (row, i * 4);
}

INLINE pixels
read_pixels (uchar_row row, size_t i, uint pixel_stride)
{
  const size_t at = i * 4 * pixel_stride;

  if (pixel_stride == 1)
    return unpack_samples (read_word (row, at));

  const uint first = read_word (row, at);
  const uint second = read_word (row, at + 4);

  if (pixel_stride == 2)
    return (uint4) (first, first >> 16, second, second >> 16) & 0xffffu;

  const uint third = read_word (row, at + 8);

  if (pixel_stride == 3)
    return (uint4) (first, first >> 24 | second << 8,
               second >> 16 | third << 16, third >> 8)
        & 0xffffffu;
  return (uint4) (first, second, third, read_word (row, at + 12));
}

INLINE void
write_pixels (uchar_row row, size_t i, uint pixel_stride, pixels p)
{
  const size_t at = i * 4 * pixel_stride;

  if (pixel_stride == 1) {
    write_word (row, at, pack_samples (p));
  } else if (pixel_stride == 2) {
    write_word (row, at, p.x | p.y << 16);
    write_word (row, at + 4, p.z | p.w << 16);
  } else if (pixel_stride == 3) {
    write_word (row, at, p.x | p.y << 24);
    write_word (row, at + 4, p.y >> 8 | p.z << 16);
    write_word (row, at + 8, p.z >> 16 | p.w << 8);
  } else {
    write_word (row, at, p.x);
    write_word (row, at + 4, p.y);
    write_word (row, at + 8, p.z);
    write_word (row, at + 12, p.w);
  }
}

#else

#define N_PIXELS 16
typedef uint16 pixels;
typedef int16 signed_pixels;
#define AS_UNSIGNED as_uint16
#define AS_SIGNED as_int16
typedef uint4 samples;

INLINE samples
pack_samples (pixels v)
{
  return as_uint4 (convert_uchar16 (v));
}

INLINE pixels
unpack_samples (samples s)
{
  return convert_uint16 (as_uchar16 (s));
}

/* Words i to i + n - 1 of the row, counted from its beginning, however they
 * lie in memory. The word behind the last of them is not touched. */
#define DEFINE_READ_WORDS(n)                                                   \
  INLINE uint##n read_##n##_words (uchar_row row, size_t i)                    \
  {                                                                            \
    const uint shift = uchar_shift (row.first);                                \
    const global uint *words = row.words + i;                                  \
    const uint##n low = *(const global words##n *) words;                      \
                                                                               \
    return shift == 0 ? low                                                    \
                      : (low >> shift)                                         \
            | (*(const global words##n *) (words + 1) << (32 - shift));        \
  }

DEFINE_READ_WORDS (2)
DEFINE_READ_WORDS (4)
DEFINE_READ_WORDS (8)
DEFINE_READ_WORDS (16)

/* Pixels of three characters: in which word, and how many bits into it, each
 * begins. To the left in two steps, because a shift by 32 would be none. */
#define UNPACK_PIXELS3(begin, end)                                             \
  (((begin) >> (uint8) (0, 24, 16, 8, 0, 24, 16, 8)                            \
       | (end) << (uint8) (31, 7, 15, 23, 31, 7, 15, 23) << 1)                 \
      & 0xffffffu)

/* (uint16) (first, last), and v.hi, for oclgrind (21.10), which has faults
 * where more than eight elements of a vector are moved. */
INLINE uint16
join_halves (uint8 first, uint8 last)
{
  return (uint16) (first.s0, first.s1, first.s2, first.s3, first.s4, first.s5,
      first.s6, first.s7, last.s0, last.s1, last.s2, last.s3, last.s4, last.s5,
      last.s6, last.s7);
}

INLINE uint8
last_half (uint16 v)
{
  return (uint8) (v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, v.se, v.sf);
}

/* Eight pixels from the first six words, eight from the last six of twelve. */
INLINE pixels
read_pixels3 (uchar_row row, size_t i)
{
  const uint8 first = read_8_words (row, i * 12);
  const uint8 last = read_8_words (row, i * 12 + 4);

  return join_halves (UNPACK_PIXELS3 (first.s00123345, first.s11234456),
      UNPACK_PIXELS3 (last.s22345567, last.s33456677));
}

/* Eight pixels in the first six words. */
INLINE uint8
pack_pixels3 (uint8 p)
{
  return p.s01245677 >> (uint8) (0, 8, 16, 0, 8, 16, 0, 0)
      | p.s12356777 << (uint8) (24, 16, 8, 24, 16, 8, 0, 0);
}

INLINE void
write_pixels3 (global uint *words, pixels p)
{
  const uint8 first = pack_pixels3 (p.lo);
  const uint8 last = pack_pixels3 (last_half (p));

  *(global words8 *) words = (uint8) (first.s0, first.s1, first.s2, first.s3,
      first.s4, first.s5, last.s0, last.s1);
  *(global words4 *) (words + 8) = last.s2345;
}

INLINE samples
read_samples (uchar_row row, size_t i)
{
  return read_4_words (row, i * 4);
}

INLINE pixels
read_pixels (uchar_row row, size_t i, uint pixel_stride)
{
  if (pixel_stride == 1)
    return unpack_samples (read_4_words (row, i * 4));
  if (pixel_stride == 2)
    return convert_uint16 (as_ushort16 (read_8_words (row, i * 8)));
  if (pixel_stride == 3)
    return read_pixels3 (row, i);
  return read_16_words (row, i * 16);
}

INLINE void
write_pixels (uchar_row row, size_t i, uint pixel_stride, pixels p)
{
  global uint *words = row.words + i * 4 * pixel_stride;

  if (pixel_stride == 1) {
    *(global words4 *) words = pack_samples (p);
  } else if (pixel_stride == 2) {
    *(global words8 *) words = as_uint8 (convert_ushort16 (p));
  } else if (pixel_stride == 3) {
    write_pixels3 (words, p);
  } else {
    *(global words16 *) words = p;
  }
}

#endif

/* Step i of the row. */
INLINE pixels
read_component_samples (component_row row, uint i)
{
  return read_pixels (row.row, i, row.pixel_stride) >> (row.offset * 8) & 0xffu;
}

#ifdef AMPHISTO_GPU

INLINE pixels
read_shared_samples (component_row row, uint i, uint x_shift)
{
  if (x_shift == 0)
    return read_component_samples (row, i);
  if (x_shift == 1)
    return ((uint2) (read_sample (row, i * 2), read_sample (row, i * 2 + 1)))
        .xxyy;
  return (pixels) (read_sample (row, i));
}

#else

/* Eight samples, of a pixel_stride that goes with samples that pixels share. */
INLINE uint8
read_8_samples (component_row row, uint i)
{
  const uint8 shared = row.pixel_stride == 1
      ? convert_uint8 (as_uchar8 (read_2_words (row.row, (size_t) i * 2)))
      : row.pixel_stride == 2
      ? convert_uint8 (as_ushort8 (read_4_words (row.row, (size_t) i * 4)))
      : read_8_words (row.row, (size_t) i * 8);

  return shared >> (row.offset * 8) & 0xffu;
}

INLINE pixels
read_shared_samples (component_row row, uint i, uint x_shift)
{
  if (x_shift == 0)
    return read_component_samples (row, i);
  if (x_shift == 1) {
    const uint8 s = read_8_samples (row, i);

    return join_halves (s.s00112233, s.s44556677);
  }

  const uint4 s =
      (uint4) (read_sample (row, i * 4), read_sample (row, i * 4 + 1),
          read_sample (row, i * 4 + 2), read_sample (row, i * 4 + 3));

  return join_halves (s.xxxxyyyy, s.zzzzwwww);
}

#endif

/* How many of n pixels of 1 to 4 characters stand before the first that begins
 * at a word's beginning: 0 to 3, or all of them if there is none. */
INLINE uint
head_pixels (uchar_row row, uint pixel_stride, uint n)
{
  for (uint x = 0; x < min (n, 4u); x++)
    if ((row.first + x * pixel_stride) % 4 == 0)
      return x;
  return n;
}

/* A row of RGB pixels: the rows that its components lie in (packed: the same
 * one three times), and their places in a pixel. */
typedef struct
{
  uchar_row r, g, b;
  uint r_offset, g_offset, b_offset;
  uint pixel_stride;
} rgb_row;

/* Packed pixels keep what they are read from in `packed`, so that what is
 * neither R, G nor B can be written back as it was. */
typedef struct
{
  pixels r, g, b;
  pixels packed;
} rgb_pixels;

INLINE rgb_row
frame_rgb_row (uchar_planes planes, constant component_params *rgb, uint y)
{
  rgb_row row;

  row.r = frame_row (frame_plane (planes, rgb[0].plane), y);
  row.g = frame_row (frame_plane (planes, rgb[1].plane), y);
  row.b = frame_row (frame_plane (planes, rgb[2].plane), y);
  row.r_offset = rgb[0].offset;
  row.g_offset = rgb[1].offset;
  row.b_offset = rgb[2].offset;
  row.pixel_stride = rgb[0].pixel_stride;
  return row;
}

/* The row from its pixel x on. */
INLINE rgb_row
rgb_row_from (rgb_row row, uint x)
{
  const size_t at = (size_t) x * row.pixel_stride;

  row.r = row_from (row.r, at);
  row.g = row_from (row.g, at);
  row.b = row_from (row.b, at);
  return row;
}

/* head_pixels() of a row whose components may lie apart. */
INLINE uint
rgb_head_pixels (rgb_row row, uint n)
{
  return row.r.first == row.g.first && row.r.first == row.b.first
      ? head_pixels (row.r, row.pixel_stride, n)
      : n;
}

/* Step i of the row. */
INLINE rgb_pixels
read_rgb_pixels (rgb_row row, uint i)
{
  rgb_pixels p;

  if (row.pixel_stride == 1) {
    p.r = read_pixels (row.r, i, 1);
    p.g = read_pixels (row.g, i, 1);
    p.b = read_pixels (row.b, i, 1);
    p.packed = 0;
    return p;
  }
  p.packed = row.pixel_stride == 3 ? read_pixels (row.r, i, 3)
                                   : read_pixels (row.r, i, 4);
  p.r = p.packed >> (row.r_offset * 8) & 0xffu;
  p.g = p.packed >> (row.g_offset * 8) & 0xffu;
  p.b = p.packed >> (row.b_offset * 8) & 0xffu;
  return p;
}

/* Step i of a row as write_pixels() wants it. */
INLINE void
write_rgb_pixels (rgb_row row, uint i, rgb_pixels p)
{
  if (row.pixel_stride == 1) {
    write_pixels (row.r, i, 1, p.r);
    write_pixels (row.g, i, 1, p.g);
    write_pixels (row.b, i, 1, p.b);
    return;
  }

  const uint r_shift = row.r_offset * 8;
  const uint g_shift = row.g_offset * 8;
  const uint b_shift = row.b_offset * 8;
  const uint mask = 0xffu << r_shift | 0xffu << g_shift | 0xffu << b_shift;

  write_pixels (row.r, i, row.pixel_stride,
      (p.packed & ~mask) | p.r << r_shift | p.g << g_shift | p.b << b_shift);
}

/* One pixel: R, G, B, 0. */
INLINE uint4
read_rgb (rgb_row row, uint x)
{
  const size_t at = (size_t) x * row.pixel_stride;

  return (uint4) (read_uchar (row.r, at + row.r_offset),
      read_uchar (row.g, at + row.g_offset),
      read_uchar (row.b, at + row.b_offset), 0);
}

/* The matrix's row times the pixel's vector, in 1/65536, rounded; 0 to 255. */
#define LUMA(weights, r, g, b)                                                 \
  (((weights)[0] * (r) + (weights)[1] * (g) + (weights)[2] * (b) + 32768) >> 16)

/* A row of YUV pixels. Pixel x has chroma sample (x_phase + x) >> x_shift. */
typedef struct
{
  component_row y, u, v;
  uint x_shift;
  uint x_phase;
} yuv_row;

INLINE yuv_row
frame_yuv_row (uchar_planes planes, constant frame_params *params, uint y)
{
  const uint chroma_y = (params->y_phase + y) >> params->y_shift;
  yuv_row row;

  row.y = frame_component_row (planes, &params->luma, y);
  row.u = frame_component_row (planes, &params->chroma[0], chroma_y);
  row.v = frame_component_row (planes, &params->chroma[1], chroma_y);
  row.x_shift = params->x_shift;
  row.x_phase = params->x_phase;
  return row;
}

/* How many pixels, 0 to 3, stand before the first that does not share its
 * chroma with one before it. */
INLINE uint
yuv_row_head (yuv_row row)
{
  return -row.x_phase & ((1u << row.x_shift) - 1);
}

/* The row from its pixel x on. */
INLINE yuv_row
yuv_row_from (yuv_row row, uint x)
{
  const uint at = row.x_phase + x;

  row.y = component_row_from (row.y, x);
  row.u = component_row_from (row.u, at >> row.x_shift);
  row.v = component_row_from (row.v, at >> row.x_shift);
  row.x_phase = at & ((1u << row.x_shift) - 1);
  return row;
}

/* Red, green or blue, 0 to 255: the matrix's row times the vector (y, u, v, 1),
 * in 1/65536, rounded. Of numbers, or of vectors of them, of `type`. */
#define COLOUR(type, matrix_row, y, u, v)                                      \
  clamp (((matrix_row)[0] * (y) + (matrix_row)[1] * (u)                        \
             + (matrix_row)[2] * (v) + (matrix_row)[3])                        \
          >> 16,                                                               \
      (type) (0), (type) (255))

/* Step i of a row whose x_phase is 0. */
INLINE pixels
read_colours (yuv_row row, uint i, constant int *matrix_row)
{
  const signed_pixels y = AS_SIGNED (read_component_samples (row.y, i));
  const signed_pixels u =
      AS_SIGNED (read_shared_samples (row.u, i, row.x_shift));
  const signed_pixels v =
      AS_SIGNED (read_shared_samples (row.v, i, row.x_shift));

  return AS_UNSIGNED (COLOUR (signed_pixels, matrix_row, y, u, v));
}

/* One pixel. */
INLINE uint
read_colour (yuv_row row, uint x, constant int *matrix_row)
{
  const uint chroma_x = (row.x_phase + x) >> row.x_shift;
  const int y = (int) read_sample (row.y, x);
  const int u = (int) read_sample (row.u, chroma_x);
  const int v = (int) read_sample (row.v, chroma_x);

  return (uint) COLOUR (int, matrix_row, y, u, v);
}
