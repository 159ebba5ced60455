/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * amphisto in a GstHarness, fed with pictures.
 */

#ifndef HARNESSES_H
#define HARNESSES_H

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "picture.h"

#define META_NAME "AmphistoHistogramMeta"
#define N_CHANNELS 7
extern const gchar *const channel_names[N_CHANNELS];

/* Runs the tests of `suite`, or skips them where there is no OpenCL device.
 * OpenCL's threads do not survive a fork, and each test is a fork: only there
 * may OpenCL be used. */
gint run_suite (
    gint argc, gchar **argv, const gchar *name, Suite *(*suite) (void) );

/* An amphisto in NULL, with a bus; to be given to element_free(). The
 * properties are given as to g_object_new(). */
GstElement *element_new (
    const gchar *first_property, ...) G_GNUC_NULL_TERMINATED;
void element_free (GstElement *element);

/* An amphisto with a bus, playing, on which no errors or warnings may be left
 * in the end. */
GstHarness *harness_new (
    const gchar *first_property, ...) G_GNUC_NULL_TERMINATED;
void harness_free (GstHarness *h);

/* Caps of `format`, with 25 frames a second; colorimetry: NULL for none. */
GstCaps *video_caps (
    const gchar *format, guint width, guint height, const gchar *colorimetry);

/* Those of the picture, without colorimetry. */
void harness_set_caps (GstHarness *h, const Picture *picture);

/* Pushes `buffer` and returns what comes out of it; fails if nothing does. */
GstBuffer *harness_run (GstHarness *h, GstBuffer *buffer);

/* The next message of a type on the element's bus, or NULL. */
GstMessage *bus_pop (gpointer element, GstMessageType type);

/* A buffer of the picture's own memory, with a GstVideoMeta, to be unreferenced
 * before the picture is freed. It begins at 0 and lasts 40 ms. */
GstBuffer *picture_wrap (Picture *picture);

/* As picture_wrap(), each plane in a memory of its own, with `flags`. */
GstBuffer *picture_wrap_planes (Picture *picture, GstMemoryFlags flags);

/* A buffer with the memory, and times, of frame `n` of 25 a second. */
GstBuffer *picture_wrap_nth (Picture *picture, guint n);

/* A random picture of the format, 16x8, whose equalization is not itself. */
Picture *picture_small (const gchar *format);

/* The structure of the channel in the buffer's metadata, or NULL. */
const GstStructure *buffer_histogram (GstBuffer *buffer, const gchar *channel);
guint buffer_n_metas (GstBuffer *buffer);

/* That the metadata has the histogram, and the right one, of those channels
 * of the picture that are in `names` (separated by blanks), and no others. */
void assert_histograms (
    GstBuffer *buffer, const Picture *picture, const gchar *names);

/* The same of a structure of the metadata. */
void assert_channels (
    const GstStructure *structure, const Picture *picture, const gchar *names);

/* That the frame in the buffer has the picture's rows. */
void assert_pixels (GstBuffer *buffer, GstCaps *caps, const Picture *picture);

#endif
