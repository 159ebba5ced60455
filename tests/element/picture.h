/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pictures in memory, their histograms and their equalization: a reference that
 * shares no code with the plugin.
 */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PICTURE_N_FORMATS 36
#define PICTURE_MAX_PLANES 4
#define PICTURE_MAX_CHANNELS 4

/* The samples of a channel: from byte `offset` of each row of `plane` on,
 * `step` bytes apart, one per 2^x_shift by 2^y_shift pixels. */
typedef struct
{
  const char *channel; /* NULL: no more channels */
  unsigned plane, offset, step;
  unsigned x_shift, y_shift;
} PictureComponent;

/* Components in the order Y U V A, Y, or R G B A. */
typedef struct
{
  const char *name;
  bool is_rgb;
  PictureComponent component[PICTURE_MAX_CHANNELS];
} PictureFormat;

extern const PictureFormat picture_formats[PICTURE_N_FORMATS];

const PictureFormat *picture_format (const char *name);

/* The layout of the planes in memory. */
typedef enum
{
  PICTURE_TIGHT,  /* one after the other, rows rounded up to 4 bytes */
  PICTURE_PADDED, /* last plane first, rows rounded up to 64 bytes and more */
  PICTURE_ODD,    /* at odd addresses, odd strides, gaps between planes */
  PICTURE_N_SHAPES
} PictureShape;

typedef struct
{
  const PictureFormat *format;
  unsigned width, height;
  /* the pixels to fill, count and equalize; initially all */
  unsigned part_x, part_y, part_width, part_height;
  /* colorimetry of the caps: the matrix of YUV, initially BT.601, and the
   * range, initially limited for YUV, full for grey and RGB */
  double kr, kb;
  bool is_limited;
  /* rows belong to two fields alternately, chroma's, too; initially not */
  bool is_interlaced;
  /* of a stream that may be interlaced; interlaced pictures always are */
  bool has_fields;
  /* whether equalization scales colours with the contrast of luma; initially
   * it does; and the gamut budget, initially 0: the picture's own */
  bool keeps_colors;
  int budget;

  unsigned n_planes;
  unsigned row_bytes[PICTURE_MAX_PLANES];
  unsigned rows[PICTURE_MAX_PLANES]; /* of progressive pictures */
  int stride[PICTURE_MAX_PLANES];    /* negative: stored from the bottom up */
  size_t offset[PICTURE_MAX_PLANES]; /* of the first row, from data */

  uint8_t *data;
  size_t size;

  uint8_t *block; /* owned: data and guard bytes on both sides */
  size_t block_size;
} Picture;

/* A picture of random bytes from lo to hi; padding, gaps and guard bytes are
 * random too. */
Picture *picture_new (const char *format, unsigned width, unsigned height,
    PictureShape shape, uint8_t lo, uint8_t hi, unsigned seed);

Picture *picture_copy (const Picture *picture);
void picture_free (Picture *picture);

/* Stores planes, bit p for plane p, from the bottom up. Their pixels stay the
 * same. */
void picture_turn (Picture *picture, unsigned planes);

/* The first of a plane's bytes, and the end of its last, from data. */
void picture_plane_extent (
    const Picture *picture, unsigned plane, ptrdiff_t *begin, ptrdiff_t *end);

/* The rows of samples of a component with one row for 2^y_shift rows of pixels.
 * Interlaced, there may be one more, which only the lower field uses: if each
 * subsampled plane has room for it between the other planes. */
unsigned picture_rows (const Picture *picture, unsigned y_shift);

/* The rows of samples in the plane, the same way. */
unsigned picture_plane_rows (const Picture *picture, unsigned plane);

/* Whether one row more of the plane is in the picture, and none of the other
 * planes. */
bool picture_has_next_row (const Picture *picture, unsigned plane);

/* Whether all bytes are equal: samples, padding, gaps and guard bytes. */
bool picture_equal (const Picture *a, const Picture *b);

#define PICTURE_TEXT 160

/* Whether any byte differs. Describes the first that does. */
bool picture_differs (
    const Picture *actual, const Picture *expected, char text[PICTURE_TEXT]);

/* Restricts filling, counting and equalization to a part of the picture, which
 * must be within it. In subsampled channels, the part includes every sample
 * that one of its pixels uses. */
void picture_set_part (
    Picture *picture, unsigned x, unsigned y, unsigned width, unsigned height);

/* The rows of samples that the part's pixels use, from `first` to `end`
 * (exclusive), of a component with one row for 2^y_shift rows of pixels. */
void picture_part_rows (
    const Picture *picture, unsigned y_shift, unsigned *first, unsigned *end);

/* The row of a component's `n_rows` rows of samples that the pixels of row `y`
 * use; see picture_rows(). */
unsigned picture_sample_row (
    bool is_interlaced, unsigned y_shift, unsigned n_rows, unsigned y);

uint8_t *picture_row (const Picture *picture, unsigned plane, unsigned y);

/* The channel's component, or NULL. */
const PictureComponent *picture_component (
    const Picture *picture, const char *channel);

uint8_t *picture_sample (
    const Picture *picture, const PictureComponent *c, unsigned x, unsigned y);

/* BT.709's weights of R, G and B in luma, in 1/65536. */
extern const unsigned picture_bt709[3];

/* Sets all samples of a channel. */
void picture_fill (Picture *picture, const char *channel, uint8_t value);

/* Counts the samples of each value. Computed channels: "luma" and "saturation"
 * of RGB by BT.709, "red", "green" and "blue" of YUV by the picture's
 * colorimetry. Returns false if the format lacks the channel. */
bool picture_count (
    const Picture *picture, const char *channel, uint32_t bins[256]);

/* Counts saturation, of RGB with these weights of R, G and B in luma, in
 * 1/65536. Returns false if the format has no colours. */
bool picture_count_saturation (
    const Picture *picture, const unsigned weights[3], uint32_t bins[256]);

/* Counts the pixels whose red, green or blue is out of EBU R103's gamut, or
 * whose luma is, in limited range. RGB and grey of full range have none. */
unsigned picture_count_outside (const Picture *picture);

/* The sum of the absolute differences between the samples of both pictures'
 * parts, alpha excepted, and the number of samples. Both pictures have the same
 * format and size, and the same part and rows of samples. */
uint64_t picture_compare (
    const Picture *a, const Picture *b, uint64_t *n_samples);

/* Luma of a pixel; of RGB with these weights of R, G and B, in 1/65536. */
unsigned picture_luma (
    const Picture *picture, const unsigned weights[3], unsigned x, unsigned y);

/* Red, green and blue of a pixel of YUV, in full range and not clamped. */
void picture_read_colours (
    const Picture *picture, unsigned x, unsigned y, double colours[3]);

/* Counts the luma of RGB with other weights of R, G and B, in 1/65536. */
void picture_count_luma (
    const Picture *picture, const unsigned weights[3], uint32_t bins[256]);

/* Equalizes luma over its range: 16 to 235 in limited range, else 0 to 255; and
 * scales colours. U and V are scaled where all pixels that share them
 * are in the part; in a stream that may be interlaced, where all pixels that
 * share chroma with the rows of both fields are. */
void picture_equalize (Picture *picture, float strength);

/* A copy of the picture, equalized at full strength. */
Picture *picture_equalized (const Picture *picture);

/* Equalizes with the LUT for another histogram; RGB by BT.709. */
void picture_equalize_by (
    Picture *picture, const uint32_t bins[256], float strength);

/* The same, RGB with other weights of R, G and B, in 1/65536. */
void picture_equalize_weighted (Picture *picture, const unsigned weights[3],
    const uint32_t bins[256], float strength);

/* Stretches luma over its range. The darkest `low` percent and the brightest
 * `high` percent of the samples may be clipped. RGB by BT.709. */
void picture_stretch (
    Picture *picture, double low, double high, float strength);

/* How much more contrast luma has after equalization, in 1/256, 256 to 1024:
 * for n tiles with these bins and LUTs. */
int picture_find_gain (
    unsigned n, const uint32_t bins[][256], const int luts[][256]);

/* The gamut budget of the part, 256 to 1024, if luma of a pixel becomes
 * equalize (x, y, luma, data), x and y within the part. Of RGB with these
 * weights of R, G and B in luma, in 1/65536. */
int picture_find_budget (const Picture *picture, const unsigned weights[3],
    int (*equalize) (unsigned x, unsigned y, int luma, const void *data),
    const void *data);

/* The gamut budget of the part for picture_equalize_weighted(). */
int picture_find_own_budget (const Picture *picture, const unsigned weights[3],
    const uint32_t bins[256], float strength);

/* Scales U and V, as equalization does. */
void picture_scale_chroma (Picture *picture, int gain);
