/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The geometry of the histogram's graph: its place in the frame, and its parts.
 */

#ifndef AMPHISTO_CORE_OVERLAY_H
#define AMPHISTO_CORE_OVERLAY_H

#include "core/frame.h"
#include "cl/overlay_params.h"

typedef enum
{
  AMPHISTO_DISPLAY_OVERLAY, /* all channels in one panel */
  AMPHISTO_DISPLAY_STACK,   /* one below another */
  AMPHISTO_DISPLAY_PARADE   /* side by side */
} AmphistoDisplay;

typedef enum
{
  AMPHISTO_SCOPE_TOP_LEFT,
  AMPHISTO_SCOPE_TOP_RIGHT,
  AMPHISTO_SCOPE_BOTTOM_LEFT,
  AMPHISTO_SCOPE_BOTTOM_RIGHT
} AmphistoScopePosition;

typedef enum
{
  AMPHISTO_SCOPE_LINEAR,
  AMPHISTO_SCOPE_LOG
} AmphistoScopeScale;

/* Flags. */
typedef enum
{
  AMPHISTO_EXPOSURE_NONE = 0,
  AMPHISTO_EXPOSURE_ZEBRA = 1 << 0,      /* stripes on dark and bright pixels */
  AMPHISTO_EXPOSURE_FALSE_COLOR = 1 << 1 /* in place of the picture */
} AmphistoExposure;

/* Flags. */
typedef enum
{
  AMPHISTO_SCOPE_NONE = 0,
  AMPHISTO_SCOPE_HISTOGRAM = 1 << 0,
  AMPHISTO_SCOPE_WAVEFORM = 1 << 1,
  AMPHISTO_SCOPE_VECTORSCOPE = 1 << 2
} AmphistoScopes;

/* The settings of scopes and exposure aids, which are drawn over the picture.
 */
typedef struct
{
  AmphistoScopes scopes;
  AmphistoDisplay display; /* layout of the channels within a scope */
  AmphistoScopePosition position;
  double width;   /* fraction of the frame's width, 0 to 1 */
  double height;  /* fraction of the frame's height, 0 to 1 */
  double opacity; /* of the scope background, 0 to 1 */
  AmphistoScopeScale scale;
  bool graticule;
  bool clipping_bars; /* beside the histogram */
  bool percentile_marks;
  AmphistoExposure exposure;
  double zebra_low;  /* stripes below this, in % of luma's range */
  double zebra_high; /* stripes above this */
} AmphistoOverlay;

/* The channel's colour: red, green and blue, 0 to 255. */
const uint32_t *amphisto_channel_light (AmphistoChannel channel);

/* Stores the parameters for frames of the layout; `reset` is 0. Slots hold the
 * histograms of the channels `measured`, in the order of the channels; the
 * channels `shown` are drawn.
 *
 * The graph has the requested size, but is kept legible and within the frame.
 * Without room for panels of 32x16 pixels there is no graph: params->n_curves
 * is 0. */
void amphisto_overlay_fill_params (const AmphistoOverlay *overlay,
    const AmphistoLayout *layout, AmphistoChannelMask measured,
    AmphistoChannelMask shown, overlay_params *params);

/* The length, in 16-bit numbers, of the array that calculate_curves writes and
 * draw_overlay reads. */
size_t amphisto_overlay_n_columns (const overlay_params *params);

#endif
