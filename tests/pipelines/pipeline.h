/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the tests of whole pipelines share. They run under GLib's test
 * framework: what is missing on the machine skips the running test.
 */

#ifndef TESTS_PIPELINE_H
#define TESTS_PIPELINE_H

#include <gst/gst.h>

/* Where Debian's package opencv-doc has its video and pictures. */
#define OPENCV_DATA "/usr/share/doc/opencv-doc/examples/data/"

/* Whether `file` is there, each of the NULL-terminated `elements` too, and
 * amphisto finds a device; else skips the test and says what is missing. `file`
 * may be NULL. */
gboolean pipeline_can_run (const gchar *file, const gchar *const *elements);

/* Returns: (transfer full): the pipeline; aborts the test where `description`
 * is wrong. */
GstElement *pipeline_new (const gchar *description);

/* Waits for the pipeline's end, which must be EOS and not an error, and sets it
 * to NULL. */
void pipeline_finish (GstElement *pipeline);

#endif
