/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Helpers for pipelines in GLib's test framework.
 */

#pragma once

#include <gst/gst.h>

/* Videos and pictures of Debian's package opencv-doc. */
#define OPENCV_DATA "/usr/share/doc/opencv-doc/examples/data/"

/* Returns: whether the file (or NULL), the NULL-terminated `elements` and a
 * device for amphisto exist. If not, skips the test and names the missing one.
 */
gboolean pipeline_can_run (const gchar *file, const gchar *const *elements);

/* Returns: (transfer full): the pipeline of a launch line. Fails the test if
 * the line is wrong. */
GstElement *pipeline_new (const gchar *description);

/* Calls the probe for each buffer of an element's pad. */
void pipeline_add_probe (GstElement *pipeline, const gchar *element,
    const gchar *pad, GstPadProbeCallback probe, gpointer user_data);

/* Pulls the next frame of two appsinks, which must come.
 *
 * Returns: the largest difference of their bytes. */
gint pipeline_pull_difference (
    GstElement *pipeline, const gchar *a, const gchar *b);

/* Waits for EOS and sets the pipeline to NULL. Fails the test on an error. */
void pipeline_finish (GstElement *pipeline);
