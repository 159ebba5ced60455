/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <gst/gst.h>

#include "element/amphisto.h"
#include "element/report/meta.h"

/* The metadata is registered here, not by the element: a process that reads it
 * through unixfdsrc may have no amphisto element. */
static gboolean
plugin_init (GstPlugin *plugin)
{
  return gst_amphisto_meta_register ()
      && GST_ELEMENT_REGISTER (amphisto, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, amphisto,
    "Video histograms, scopes and equalization with OpenCL", plugin_init,
    PACKAGE_VERSION, "LGPL", "amphisto", "The amphisto developers")
