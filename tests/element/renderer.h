/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Downstream of a harness that may render overlay compositions, and the
 * compositions that it gets.
 */

#pragma once

#include "harnesses.h"

#define COMPOSITION GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION

/* Caps of downstream: with compositions, also without; without only; any. */
#define TAKES "video/x-raw(memory:SystemMemory, " COMPOSITION "); video/x-raw"
#define REFUSES "video/x-raw"
#define ANY "ANY"

typedef struct
{
  GstHarness *h;
  gboolean proposes; /* compositions, in answers to ALLOCATION queries */
  guint n_caps;      /* caps events so far */
} Renderer;

/* Replaces downstream of `h`, which belongs to the renderer. */
void renderer_init (
    Renderer *self, GstHarness *h, const gchar *caps, gboolean proposes);

/* Frees the harness, as g_auto does. */
void renderer_clear (Renderer *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Renderer, renderer_clear)

/* Changes downstream, which asks for a reconfiguration. */
void renderer_change (Renderer *self, const gchar *caps, gboolean proposes);

/* Whether the current caps have compositions. */
gboolean renderer_has_compositions (const Renderer *self);

/* A playing harness whose renderer takes compositions, with the picture's caps
 * and `colorimetry` (or NULL). Properties as for g_object_new(). */
void renderer_new_for (Renderer *self, const Picture *picture,
    const gchar *colorimetry, const gchar *first_property,
    ...) G_GNUC_NULL_TERMINATED;

/* A flat picture of I420, 320 by 240. */
Picture *picture_grey (guint8 luma);

/* A renderer of picture_grey() with a waveform; downstream as for
 * renderer_init(). */
void renderer_start (Renderer *self, const gchar *caps, gboolean proposes);

/* Runs a frame of picture_grey(). Its scopes are drawn, or sent along with
 * caps that have compositions; or there are none. */
void renderer_check_drawn (Renderer *self);
void renderer_check_composed (Renderer *self);
void renderer_check_none (Renderer *self);

/* Returns: (transfer none): the buffer's composition, or NULL. */
GstVideoOverlayComposition *buffer_composition (GstBuffer *buffer);

/* Returns: (transfer none): the i-th rectangle of the buffer's composition; for
 * negative i, from the last. Fails without it. */
GstVideoOverlayRectangle *buffer_rectangle (GstBuffer *buffer, gint i);

/* Returns: (transfer full): a copy of the bytes of the scopes' canvas. */
GBytes *buffer_canvas (GstBuffer *buffer);

/* Copies the frame in the buffer, with the composition blended above it by
 * GStreamer, to the picture. */
void picture_read_blended (
    Picture *picture, GstBuffer *buffer, const gchar *colorimetry);

/* All bytes of plane 0 differ by no more than `tolerance`. */
void assert_near (const Picture *a, const Picture *b, gint tolerance);
