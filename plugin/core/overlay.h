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
  AMPHISTO_OVERLAY_NONE,
  AMPHISTO_OVERLAY_OVERLAY, /* all curves in one graph */
  AMPHISTO_OVERLAY_STACK,   /* one below another */
  AMPHISTO_OVERLAY_PARADE   /* side by side */
} AmphistoOverlayMode;

typedef enum
{
  AMPHISTO_OVERLAY_TOP_LEFT,
  AMPHISTO_OVERLAY_TOP_RIGHT,
  AMPHISTO_OVERLAY_BOTTOM_LEFT,
  AMPHISTO_OVERLAY_BOTTOM_RIGHT
} AmphistoOverlayPosition;

typedef enum
{
  AMPHISTO_OVERLAY_LINEAR,
  AMPHISTO_OVERLAY_LOG
} AmphistoOverlayScale;

/* Flags. */
typedef enum
{
  AMPHISTO_CLIPPING_NONE = 0,
  AMPHISTO_CLIPPING_BARS = 1 << 0,       /* beside the graph */
  AMPHISTO_CLIPPING_ZEBRA = 1 << 1,      /* on dark and on bright pixels */
  AMPHISTO_CLIPPING_FALSE_COLOR = 1 << 2 /* in place of the picture */
} AmphistoClipping;

typedef enum
{
  AMPHISTO_SCOPE_HISTOGRAM = 1 << 0,
  AMPHISTO_SCOPE_WAVEFORM = 1 << 1,
  AMPHISTO_SCOPE_VECTORSCOPE = 1 << 2
} AmphistoScopes;

/* The user's settings. */
typedef struct
{
  AmphistoOverlayMode mode;
  AmphistoOverlayPosition position;
  double width;   /* fraction of the frame's width, 0 to 1 */
  double height;  /* fraction of the frame's height, 0 to 1 */
  double opacity; /* of the graph's background, 0 to 1 */
  AmphistoOverlayScale scale;
  bool graticule;
  AmphistoClipping clipping;
  bool percentile_marks;
  double zebra_low;      /* stripes below this, in % of luma's range */
  double zebra_high;     /* stripes above this */
  AmphistoScopes scopes; /* scopes to draw, unless the mode is none */
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
