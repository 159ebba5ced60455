/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Layouts of frames from caps.
 */

#pragma once

#include <gst/video/video.h>

#include "core/pixels/frame.h"

/* Initializes `layout` for frames of `info`, in any format of the pad
 * templates: 8-bit samples, each in a byte of its own. Mixed streams get the
 * layout of progressive frames. `caps`, or NULL: for RGB formats, name the
 * matrix for converting to YUV, as `info` has GST_VIDEO_COLOR_MATRIX_RGB in its
 * place; for RGB and grey, name the range. */
void gst_amphisto_layout_init (
    AmphistoLayout *layout, const GstVideoInfo *info, const GstCaps *caps);
