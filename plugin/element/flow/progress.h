/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Progress messages on the bus for builds of kernels that take long.
 */

#pragma once

#include <gst/gst.h>

#include "element/flow/watch.h"

/* Builds of one element. Only one thread at a time may call begin and end. */
typedef struct
{
  /*< private >*/
  GstElement *element;
  GstAmphistoWatch notice; /* announces the build */
  gboolean is_building;
  gboolean is_announced; /* written while `notice` is on */
} GstAmphistoProgress;

/* `element` must outlive `self`, which must not be moved in memory. */
void gst_amphisto_progress_init (
    GstAmphistoProgress *self, GstElement *element);

/* No build may be in progress. */
void gst_amphisto_progress_clear (GstAmphistoProgress *self);

/* Begins a build, unless one is in progress. If it takes more than half a
 * second, posts START, once. */
void gst_amphisto_progress_begin (GstAmphistoProgress *self);

/* Ends the build, if any. If START was posted, posts COMPLETE, or ERROR if the
 * build failed. */
void gst_amphisto_progress_end (GstAmphistoProgress *self, gboolean succeeded);
