/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <gst/gst.h>

#include "element/amphisto.h"
#include "element/report/meta.h"

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);

/* The metadata is registered here, not by the element: a process that reads it
 * through unixfdsrc may have no amphisto element. */
static gboolean
plugin_init (GstPlugin *plugin)
{
  g_autofree gchar *gstreamer = gst_version_string ();

  if (!gst_amphisto_meta_register ()
      || !GST_ELEMENT_REGISTER (amphisto, plugin))
    return FALSE;
  GST_CAT_INFO (
      gst_amphisto_debug, "amphisto %s, %s", PACKAGE_VERSION, gstreamer);
  return TRUE;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, amphisto,
    "Video histograms, scopes and equalization with OpenCL", plugin_init,
    PACKAGE_VERSION, "LGPL", "amphisto", "The amphisto developers")
