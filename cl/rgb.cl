/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RGB pixels, packed or planar, and their luma.
 */

/* A row of RGB pixels: the rows that its components lie in (packed: the same
 * one three times), and their places in a pixel. */
typedef struct
{
  uchar_row r, g, b;
  uint r_offset, g_offset, b_offset;
  uint pixel_stride;
} rgb_row;

/* Four neighbouring pixels. Packed ones keep their words, one a pixel, in
 * `pixels`, so that what is neither R, G nor B can be written back as it was.
 */
typedef struct
{
  uint4 r, g, b;
  uint4 pixels;
} rgb_quad;

static inline rgb_row
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

static inline uint4
unpack_word (uint word)
{
  return ((uint4) (word) >> (uint4) (0, 8, 16, 24)) & 0xffu;
}

static inline uint
pack_word (uint4 v)
{
  return v.x | v.y << 8 | v.z << 16 | v.w << 24;
}

/* Four pixels of 3 bytes are three words: w of `words` does not count. */
static inline uint4
unpack_pixels3 (uint4 words)
{
  return (uint4) (words.x, words.x >> 24 | words.y << 8,
             words.y >> 16 | words.z << 16, words.z >> 8)
      & 0xffffffu;
}

static inline uint4
pack_pixels3 (uint4 p)
{
  return (
      uint4) (p.x | p.y << 24, p.y >> 8 | p.z << 16, p.z >> 16 | p.w << 8, 0);
}

/* Pixels x to x + 3. */
static inline rgb_quad
read_rgb_quad (rgb_row row, uint x)
{
  rgb_quad quad;

  if (row.pixel_stride == 1) {
    quad.pixels = 0;
    quad.r = unpack_word (read_word (row.r, x));
    quad.g = unpack_word (read_word (row.g, x));
    quad.b = unpack_word (read_word (row.b, x));
    return quad;
  }

  const size_t at = (size_t) x * row.pixel_stride;
  const bool is_packed3 = row.pixel_stride == 3;
  const uint4 words = (uint4) (read_word (row.r, at), read_word (row.r, at + 4),
      read_word (row.r, at + 8), is_packed3 ? 0 : read_word (row.r, at + 12));

  quad.pixels = is_packed3 ? unpack_pixels3 (words) : words;
  quad.r = quad.pixels >> (row.r_offset * 8) & 0xffu;
  quad.g = quad.pixels >> (row.g_offset * 8) & 0xffu;
  quad.b = quad.pixels >> (row.b_offset * 8) & 0xffu;
  return quad;
}

/* Writes pixels x to x + 3 of a row that begins at a word's beginning, and
 * whose pixels have no other writer. */
static inline void
write_rgb_quad (rgb_row row, uint x, rgb_quad quad)
{
  if (row.pixel_stride == 1) {
    write_word (row.r, x, pack_word (quad.r));
    write_word (row.g, x, pack_word (quad.g));
    write_word (row.b, x, pack_word (quad.b));
    return;
  }

  const uint r_shift = row.r_offset * 8;
  const uint g_shift = row.g_offset * 8;
  const uint b_shift = row.b_offset * 8;
  const uint mask = 0xffu << r_shift | 0xffu << g_shift | 0xffu << b_shift;
  const uint4 pixels = (quad.pixels & ~mask) | quad.r << r_shift
      | quad.g << g_shift | quad.b << b_shift;
  const bool is_packed3 = row.pixel_stride == 3;
  const uint4 words = is_packed3 ? pack_pixels3 (pixels) : pixels;
  const size_t at = (size_t) x * row.pixel_stride;

  write_word (row.r, at, words.x);
  write_word (row.r, at + 4, words.y);
  write_word (row.r, at + 8, words.z);
  if (!is_packed3)
    write_word (row.r, at + 12, words.w);
}

/* One pixel: R, G, B, 0. */
static inline uint4
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
