/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Caps: formats of DMABufs, which memory frames are in, whether overlay
 * compositions go along with them, and scopes alone.
 */

#pragma once

#include <gst/video/video.h>

/* Appends the formats of the first structure as GStreamer names them in DMABufs
 * from 1.24 on: `format=DMA_DRM`, and in `drm-format` Linux's name. A name
 * without a modifier stands for the linear layout. */
void gst_amphisto_caps_append_drm_formats (GstCaps *caps);

/* Reads fixed caps like gst_video_info_from_caps(); of a DMABuf, the format
 * that `drm-format` names. Returns: whether there is such a format. */
gboolean gst_amphisto_caps_parse (const GstCaps *caps, GstVideoInfo *info);

/* Returns: (nullable): the feature that names the memory, such as
 * "memory:GLMemory", interned; NULL for system memory. */
const gchar *gst_amphisto_caps_memory (const GstCaps *caps);

/* In the answer to a CAPS query, moves structures in system memory to the
 * front; otherwise, the order stays. */
void gst_amphisto_caps_prefer_system_memory (GstQuery *query);

/* Adds advice to a message about frames in `memory`: the element that downloads
 * them. Does nothing for system memory, NULL. */
void gst_amphisto_caps_advise (const gchar *memory, GError *error);

/* Whether the feature of overlay compositions is in the caps, other than by
 * ANY: frames of fixed caps may have compositions then, which downstream
 * shows. */
gboolean gst_amphisto_caps_have_composition (const GstCaps *caps);

/* Returns: (transfer full): the caps of the other pad for `caps` of the pad
 * with `direction`: the same, and behind them variants. The source pad's may
 * have overlay compositions where the sink pad's have none. */
GstCaps *gst_amphisto_caps_transform (
    GstPadDirection direction, const GstCaps *caps);

/* Returns: (transfer full): the caps of the other pad for `caps` of the pad
 * with `direction` where scopes alone are the output: BGRA or BGRx of any size.
 * The frame rate is the only field that both pads share. sink: the caps that
 * the sink pad takes. */
GstCaps *gst_amphisto_caps_transform_scopes_only (
    GstPadDirection direction, const GstCaps *caps, const GstCaps *sink);

/* Fixates the first structure of `caps` (transfer full) of scopes alone, with a
 * size as close to this one as possible. Returns: (transfer full): the caps. */
GstCaps *gst_amphisto_caps_fixate_scopes_only (
    GstCaps *caps, gint width, gint height);

/* Reduces `caps` (transfer full) to the first structure that has overlay
 * compositions, or has none, as wanted; the first one if there is no such. */
GstCaps *gst_amphisto_caps_choose (GstCaps *caps, gboolean has_composition);
