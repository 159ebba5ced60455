/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The histograms of a frame, drawn into it: the geometry of the graph, and in
 * plain C the reference that the kernels in cl/overlay.cl are held against.
 */

#ifndef AMPHISTO_CORE_OVERLAY_H
#define AMPHISTO_CORE_OVERLAY_H

#include "core/frame.h"
#include "cl/overlay_params.h"

typedef enum
{
  AMPHISTO_OVERLAY_NONE,
  AMPHISTO_OVERLAY_OVERLAY, /* all curves in one graph */
  AMPHISTO_OVERLAY_STACK,   /* one under another */
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

typedef enum
{
  AMPHISTO_CLIPPING_NONE,
  AMPHISTO_CLIPPING_BARS,
  AMPHISTO_CLIPPING_ZEBRA
} AmphistoClipping;

/* What is drawn, and how. */
typedef struct
{
  AmphistoOverlayMode mode;
  AmphistoOverlayPosition position;
  /* shares of the frame, 0 to 1 */
  double width;
  double height;
  double opacity; /* of the graph's ground, 0 to 1 */
  AmphistoOverlayScale scale;
  bool graticule;
  AmphistoClipping clipping;
  bool percentile_marks;
} AmphistoOverlay;

/* Fills in all but the planes' places, `reset` and the zebra's `phase`. There
 * is a zebra if params->n_judged is not 0.
 *
 * The histograms of the channels `measured` are in slots in the channels'
 * order; those `shown` among them are drawn. layout->weights is the luma row
 * of the colour matrix, for YUV too.
 *
 * The graph has the share of the frame that is asked for, but is as large as
 * is legible, and within the frame; frames that have no room for 32x16 pixels
 * a panel get none (params->n_curves is 0). */
void amphisto_overlay_fill_params (const AmphistoOverlay *overlay,
    const AmphistoLayout *layout, AmphistoChannelMask measured,
    AmphistoChannelMask shown, overlay_params *params);

/* The planes that the graph changes, and that the zebra reads and changes; a
 * bit each. */
uint32_t amphisto_overlay_planes (const overlay_params *params);
uint32_t amphisto_overlay_zebra_planes (const overlay_params *params);

/* What draw_overlay needs from calculate_curves, in 16-bit numbers. */
size_t amphisto_overlay_n_columns (const overlay_params *params);

/* What is kept from frame to frame, by panel: the count of samples that the
 * plot's height stands for. It is the tallest bin's, at once if that grows, and
 * falls back to it by a sixteenth of the way with each frame. */
typedef struct
{
  uint32_t peak[AMPHISTO_MAX_SLOTS];
} AmphistoOverlayState;

/* log2 (n + 1) in 1/1024, for n < 2^32 - 1. Between powers of two it is a
 * parabola, less than 1/100 off; it never falls as n grows. */
uint32_t amphisto_overlay_log (uint32_t n);

/* Draws the graph of `bins`, by slot, into the frame, and moves the state on.
 * Pixels outside the graph are unchanged; so are alpha and padding. */
void amphisto_overlay_draw (const overlay_params *params,
    const uint32_t bins[][AMPHISTO_N_BINS], AmphistoOverlayState *state,
    const AmphistoFrame *frame);

/* Draws stripes onto those pixels of `target` that are clipped in `source`, of
 * the same layout; it may be the same frame. YUV and grey: Y is at or beyond
 * the ends of its range, and is replaced. RGB: the brightest of R, G and B is
 * 255 or 0, and all three are replaced by a grey. */
void amphisto_overlay_draw_zebra (const overlay_params *params,
    const AmphistoFrame *source, const AmphistoFrame *target);

#endif
