/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gst.h>

#include "element/amphisto.h"

static gboolean
plugin_init (GstPlugin *plugin)
{
  return GST_ELEMENT_REGISTER (amphisto, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, amphisto,
    "Histograms of video by OpenCL: as metadata, messages and equalization",
    plugin_init, PACKAGE_VERSION, "LGPL", "amphisto", "amphisto")
