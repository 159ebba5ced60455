/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gst/video/gstvideofilter.h>

#define GST_TYPE_AMPHISTO (gst_amphisto_get_type ())
G_DECLARE_FINAL_TYPE (GstAmphisto, gst_amphisto, GST, AMPHISTO, GstVideoFilter)

GST_ELEMENT_REGISTER_DECLARE (amphisto);
