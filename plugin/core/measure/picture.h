/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Properties of the whole picture, beside its histograms; in plain C, the
 * reference for cl/measure/letterbox.cl, gamut.cl and gamut_rgb.cl.
 */

#pragma once

#include "core/measure/sharpness.h"

/* The properties by name: fields of metadata and messages, in their order, and
 * of conditions. */
typedef enum
{
  AMPHISTO_PICTURE_OUT_OF_GAMUT, /* fraction of the pixels, 0 to 1 */
  AMPHISTO_PICTURE_DIFFERENCE,   /* mean absolute difference of the samples from
                                  * the previous frame's at the same positions,
                                  * 0 to 255 */
  AMPHISTO_PICTURE_SHARPNESS,    /* variance of luma's Laplacian */
  /* The picture between black bars, in the frame: the smallest rectangle that
   * has all rows and all columns whose mean luma is above AMPHISTO_BLACK_BAR;
   * all 0 if all rows, or all columns, are black bars. */
  AMPHISTO_PICTURE_ACTIVE_X,
  AMPHISTO_PICTURE_ACTIVE_Y,
  AMPHISTO_PICTURE_ACTIVE_WIDTH,
  AMPHISTO_PICTURE_ACTIVE_HEIGHT,
  AMPHISTO_N_PICTURE_FIELDS
} AmphistoPictureField;

typedef struct
{
  uint32_t fields;                         /* bit f: the picture has field f */
  double value[AMPHISTO_N_PICTURE_FIELDS]; /* undefined without the field */
} AmphistoPicture;

/* The field's name: "out-of-gamut", "difference", … "active-height". */
const char *amphisto_picture_field_name (AmphistoPictureField field);

/* Stores the field's value.
 *
 * Returns: false if the picture lacks the field. */
bool amphisto_picture_get (
    const AmphistoPicture *picture, AmphistoPictureField field, double *value);

/* The channels of the picture's difference: Y, U and V; R, G and B; or grey. */
AmphistoChannelMask amphisto_picture_channels (const AmphistoLayout *layout);

/* Stores the difference of a part of a frame from the previous frame. sum: of
 * the absolute differences of all channels of the picture. */
void amphisto_picture_set_difference (
    AmphistoPicture *picture, const AmphistoLayout *part, uint64_t sum);

/* Stores the sharpness of a part of a frame, which is not empty. */
void amphisto_picture_set_sharpness (AmphistoPicture *picture,
    const AmphistoLayout *part, const AmphistoLaplacian *sums);

/* Stores the active picture of a frame's `region`, which is not empty.
 * `extents`: the words at AMPHISTO_LETTERBOX; see cl/frame_params.h. */
void amphisto_picture_set_active (AmphistoPicture *picture,
    const AmphistoRegion *region, const uint32_t extents[4]);

/* Finds the active picture of a part of a frame, and stores its `extents` as
 * the device does. */
void amphisto_picture_find_active (
    const AmphistoFrame *part, uint32_t extents[4]);

/* Stores the fraction of a frame's `region`, which is not empty, that n_outside
 * pixels are. */
void amphisto_picture_set_out_of_gamut (
    AmphistoPicture *picture, const AmphistoRegion *region, uint32_t n_outside);

/* Whether pixels of the layout can be out of gamut: not if it is grey or RGB of
 * full range. */
bool amphisto_picture_has_gamut (const AmphistoLayout *layout);

/* Whether pixel (x, y) is out of gamut: a sample of limited range, of chroma
 * excepted, or red, green or blue of YUV before clamping, is out of its bounds;
 * see cl/frame_params.h. */
bool amphisto_picture_is_outside (
    const AmphistoFrame *part, uint32_t x, uint32_t y);

/* Counts the pixels of a part of a frame that are out of gamut. */
uint32_t amphisto_picture_count_outside (const AmphistoFrame *part);
