/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Announces builds of kernels that take long, by progress messages on the bus.
 */

#ifndef AMPHISTO_ELEMENT_PROGRESS_H
#define AMPHISTO_ELEMENT_PROGRESS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* One element's. begin and end are called by one thread at a time. */
typedef struct
{
  /*< private >*/
  GstElement *element;
  GstClockID notice; /* when to announce the build, or NULL */
  GMutex lock;       /* protects what follows */
  gboolean is_building;
  gboolean is_announced;
} GstAmphistoProgress;

/* `element` must outlive it. */
void gst_amphisto_progress_init (
    GstAmphistoProgress *self, GstElement *element);

/* No build may be going on. */
void gst_amphisto_progress_clear (GstAmphistoProgress *self);

/* A build begins, unless one is going on already. If it takes more than half a
 * second, posts START, once. */
void gst_amphisto_progress_begin (GstAmphistoProgress *self);

/* The build, if any, has ended. If START was posted, posts COMPLETE, or ERROR
 * if the build failed. */
void gst_amphisto_progress_end (GstAmphistoProgress *self, gboolean succeeded);

G_END_DECLS

#endif
