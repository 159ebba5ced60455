/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The OpenCL device of an element: choosing, opening and losing it.
 */

#pragma once

#include <gst/gst.h>

#include "opencl/device/search.h"

/* Opened and closed by state changes. A device that fails before the first
 * frame may be replaced when caps are set. */
typedef struct
{
  /*< public >*/
  gchar *choice; /* the property `device`; protected by the object lock */

  /*< read-only >*/
  gchar *name; /* the property `device-name`; protected by the object lock */
  AmphistoClDevice *device; /* referenced; NULL: not open */

  /*< private >*/
  GstElement *element;
  AmphistoClSearch *search; /* that found `device` */
  gchar *opened_choice;     /* `choice` when `device` was opened */
} GstAmphistoDevice;

/* `element` must outlive `self`, and have a property `device-name`. */
void gst_amphisto_device_init (GstAmphistoDevice *self, GstElement *element);

/* Frees the strings. The device must be closed. */
void gst_amphisto_device_clear (GstAmphistoDevice *self);

/* Opens the chosen device, unless it is open.
 *
 * Returns: FALSE after posting an error. */
gboolean gst_amphisto_device_open (GstAmphistoDevice *self);

void gst_amphisto_device_close (GstAmphistoDevice *self);

/* Replaces the device, which failed with `why`, by the next one of the search.
 *
 * Returns: FALSE after posting an error, with no device open: none is left, or
 * the user chose this one. */
gboolean gst_amphisto_device_replace (
    GstAmphistoDevice *self, const GError *why);

/* Posts `error` as an element error. The first line of its message becomes the
 * text; the rest, such as a build log, becomes the debug string. `call_code` is
 * the code for a failed OpenCL call. With AMPHISTO_CL_ERROR_LOST, the device
 * counts as lost, and the next start opens it anew. */
void gst_amphisto_device_post_error (
    GstAmphistoDevice *self, const GError *error, GstLibraryError call_code);
