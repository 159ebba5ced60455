/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames in memory, and what the design says of them: a reference that shares
 * nothing with the plugin.
 */

#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PICTURE_N_FORMATS 36
#define PICTURE_MAX_PLANES 4
#define PICTURE_MAX_CHANNELS 4

/* The samples of a channel: `offset` bytes into the rows of `plane`, `step`
 * bytes apart; 1 for 2^x_shift by 2^y_shift pixels. */
typedef struct
{
  const char *channel; /* NULL behind the last */
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

/* How the planes lie in memory. */
typedef enum
{
  PICTURE_TIGHT,  /* one after the other, rows rounded up to 4 bytes */
  PICTURE_PADDED, /* last plane first, rows rounded up to 64 bytes and more */
  PICTURE_ODD,    /* at odd addresses, with odd strides and gaps */
  PICTURE_N_SHAPES
} PictureShape;

typedef struct
{
  const PictureFormat *format;
  unsigned width, height;
  /* the pixels that are filled, counted and equalized: at first, all */
  unsigned part_x, part_y, part_width, part_height;
  /* what the caps are to say of YUV; BT.601 and limited range unless set */
  double kr, kb;
  bool is_limited;

  unsigned n_planes;
  unsigned row_bytes[PICTURE_MAX_PLANES];
  unsigned rows[PICTURE_MAX_PLANES];
  unsigned stride[PICTURE_MAX_PLANES];
  size_t offset[PICTURE_MAX_PLANES]; /* from data */

  uint8_t *data;
  size_t size;

  uint8_t *block; /* owned: data, and bytes around it that nobody may touch */
  size_t block_size;
} Picture;

/* A picture whose bytes, those between and around the planes too, are random
 * from lo to hi. */
Picture *picture_new (const char *format, unsigned width, unsigned height,
    PictureShape shape, uint8_t lo, uint8_t hi, unsigned seed);

Picture *picture_copy (const Picture *picture);
void picture_free (Picture *picture);

/* Whether all bytes are equal, those between and around the planes too. */
bool picture_equal (const Picture *a, const Picture *b);

/* Makes a part of the picture, within it, what is filled, counted and
 * equalized: of coarser channels all samples that any of its pixels has. */
void picture_set_part (
    Picture *picture, unsigned x, unsigned y, unsigned width, unsigned height);

uint8_t *picture_row (const Picture *picture, unsigned plane, unsigned y);

/* Sets all samples of a channel. */
void picture_fill (Picture *picture, const char *channel, uint8_t value);

/* Samples of each value; "luma" of RGB by BT.709's matrix, "red", "green" and
 * "blue" of YUV by the picture's. FALSE where the format lacks the channel. */
bool picture_count (
    const Picture *picture, const char *channel, uint32_t bins[256]);

/* As picture_count() of the luma of RGB, by other weights of R, G and B. */
void picture_count_luma (
    const Picture *picture, const unsigned weights[3], uint32_t bins[256]);

/* Equalizes luma, over [16, 235] where `limited` (of YUV only). */
void picture_equalize (Picture *picture, bool limited, float strength);

/* As picture_equalize() of grey and YUV, by the distribution `bins`. */
void picture_equalize_by (
    Picture *picture, const uint32_t bins[256], bool limited, float strength);

/* As picture_equalize() of RGB, by other weights of R, G and B. */
void picture_equalize_rgb (
    Picture *picture, const unsigned weights[3], float strength);

#endif
