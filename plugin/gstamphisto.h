/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#ifndef GST_AMPHISTO_H
#define GST_AMPHISTO_H

#include <gst/gst.h>
#include <gst/video/gstvideofilter.h>

G_BEGIN_DECLS

#define GST_TYPE_AMPHISTO (gst_amphisto_get_type ())
G_DECLARE_FINAL_TYPE (GstAmphisto, gst_amphisto, GST, AMPHISTO, GstVideoFilter)

/**
 * GstAmphistoChannels:
 * @GST_AMPHISTO_CHANNELS_LUMA: Y; of RGB computed by the caps' matrix
 * @GST_AMPHISTO_CHANNELS_CHROMA: U and V
 * @GST_AMPHISTO_CHANNELS_RGB: R, G and B
 * @GST_AMPHISTO_CHANNELS_ALPHA: alpha
 *
 * What is measured. What a format lacks is left out.
 */
typedef enum
{
  GST_AMPHISTO_CHANNELS_LUMA = 1 << 0,
  GST_AMPHISTO_CHANNELS_CHROMA = 1 << 1,
  GST_AMPHISTO_CHANNELS_RGB = 1 << 2,
  GST_AMPHISTO_CHANNELS_ALPHA = 1 << 3
} GstAmphistoChannels;

/**
 * GstAmphistoEqualization:
 * @GST_AMPHISTO_EQUALIZATION_NONE: pixels are left alone
 * @GST_AMPHISTO_EQUALIZATION_GLOBAL: by the whole frame's histogram
 *
 * How frames are equalized.
 */
typedef enum
{
  GST_AMPHISTO_EQUALIZATION_NONE,
  GST_AMPHISTO_EQUALIZATION_GLOBAL
} GstAmphistoEqualization;

GST_ELEMENT_REGISTER_DECLARE (amphisto);

G_END_DECLS

#endif
