/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Zebra and false colour, which mark dark and bright areas in the picture
 * itself, peaking, which marks sharp edges, and stripes over pixels out of
 * gamut: their parameters, and the reference for cl/change/exposure.cl,
 * peaking.cl, gamut_stripes.cl and gamut_stripes_rgb.cl.
 */

#pragma once

#include "core/pixels/frame.h"
#include "cl/drawing_params.h"
#include "cl/exposure_params.h"

/* Flags. */
typedef enum
{
  AMPHISTO_EXPOSURE_NONE = 0,
  AMPHISTO_EXPOSURE_ZEBRA = 1 << 0, /* stripes on dark and bright pixels */
  AMPHISTO_EXPOSURE_FALSE_COLOR = 1 << 1, /* in place of the picture */
  AMPHISTO_EXPOSURE_GAMUT = 1 << 2,       /* stripes on pixels out of gamut */
  AMPHISTO_EXPOSURE_PEAKING = 1 << 3,     /* a colour on sharp edges */
  AMPHISTO_ALL_EXPOSURES = 2 * AMPHISTO_EXPOSURE_PEAKING - 1 /* the last flag */
} AmphistoExposure;

#define AMPHISTO_N_EXPOSURES 4
_Static_assert(AMPHISTO_ALL_EXPOSURES == (1 << AMPHISTO_N_EXPOSURES) - 1,
    "AMPHISTO_N_EXPOSURES is the number of flags");

/* Where the bands of false colour are. */
typedef enum
{
  AMPHISTO_FALSE_COLOR_VIDEO,  /* grey and skin as BT.709 shows them */
  AMPHISTO_FALSE_COLOR_LOG,    /* grey and skin as a log curve shows them */
  AMPHISTO_FALSE_COLOR_LIMITS, /* only the ends of the range */
  AMPHISTO_N_FALSE_COLOR_SCALES
} AmphistoFalseColorScale;

typedef struct
{
  AmphistoExposure enabled;
  AmphistoFalseColorScale scale;
  double zebra_low;  /* stripes at and below this, in % of luma's range */
  double zebra_high; /* stripes at and above this */
  double peaking_threshold; /* in % of the greatest gradient of luma */
} AmphistoExposureSettings;

/* A band of false colour, from `first` to below `end`, in tenths of a per cent
 * of luma's range; empty: the scale has no such band. */
typedef struct
{
  int32_t first;
  int32_t end;
} AmphistoBand;

/* From dark to bright. Values between bands are shown as grey. */
extern const AmphistoBand amphisto_exposure_bands[AMPHISTO_N_FALSE_COLOR_SCALES]
                                                 [EXPOSURE_N_BANDS];

/* The false colour of luma `v`, r | g << 8 | b << 16, for luma with the range
 * [lo, hi]. */
uint32_t amphisto_exposure_light (
    AmphistoFalseColorScale scale, uint8_t lo, uint8_t hi, uint8_t v);

/* Stores the parameters for drawing into frames of the layout; `stripe_phase`
 * is 0. Grey layouts have no false colour, and grey and RGB of full range no
 * pixels out of gamut. If there is nothing to draw, none of has_bands,
 * has_zebra, has_peaking and has_gamut is set. peaking_x and peaking_y are 0,
 * and row_step is 1.
 */
void amphisto_exposure_fill_params (const AmphistoExposureSettings *settings,
    const AmphistoLayout *layout, const drawing_params *drawing,
    exposure_params *params);

/* Whether zebra or false colour is drawn. */
static inline bool
amphisto_exposure_draws_tones (const exposure_params *params)
{
  return params->has_bands || params->has_zebra;
}

/* Draws the false colour of `source` into `target`, in place of the picture,
 * and zebra stripes on top. `target` has the same layout and may be the same
 * frame. A chroma sample gets the rounded mean of its pixels; at odd edges of
 * the frame, the last column or row stands in for the missing one. */
void amphisto_exposure_draw (const drawing_params *drawing,
    const exposure_params *params, const AmphistoFrame *source,
    const AmphistoFrame *target);

/* Draws the sharp edges of `region`, the measured part of the source, into
 * `target`, where amphisto_exposure_draw() has drawn: over false colour, and
 * under zebra. The target must be another frame. A chroma sample gets the mean
 * of its pixels, as in false colour, where only those of edges change. */
void amphisto_exposure_draw_peaking (const drawing_params *drawing,
    const exposure_params *params, const AmphistoFrame *region,
    const AmphistoFrame *target);

/* Draws stripes over the pixels of `source` that are out of gamut, into luma,
 * or red, green and blue, of `target`, which has the same layout and may be the
 * same frame. */
void amphisto_exposure_draw_gamut (const exposure_params *params,
    const AmphistoFrame *source, const AmphistoFrame *target);
