/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Contenders: elements of GStreamer, OpenCV and FFmpeg.
 */

#ifndef CONTENDERS_H
#define CONTENDERS_H

#include "bench.h"

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

/* From now on an error message of the element ends the program; all other
 * messages are dropped. */
void element_watch (GstElement *element);

/* Plays the elements of a launch line, watched by element_watch(). The harness
 * has source and sink pads where the elements do.
 *
 * Returns: (transfer full): the harness, or NULL where an element is missing.
 */
GstHarness *harness_new (const gchar *description);

/* Parses `entries`, which may be NULL, --cpu and GStreamer's options, and
 * starts GStreamer. Ends the program where they are wrong. */
void parse_options (int *argc, char ***argv, const GOptionEntry *entries);

/* Prints a benchmark's first line: its name and units, amphisto's device and
 * the number of cores. Ends the program where element or device is missing, or
 * the device is not for the CPU that was asked for. */
void print_heading (const gchar *benchmark);

/* Makes a contender that processes copies of the picture.
 *
 * Returns: (transfer full): the contender, or NULL if it is not installed. */
typedef Contender *(*ContenderNew) (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture);

/* The elements of a launch line. Their frames are shared, as behind a tee or
 * imagefreeze: to change pixels they have to write a new frame. */
Contender *contender_new_element (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture);

/* The elements of a launch line, which own their frames. Each frame is the
 * result for the last one. */
Contender *contender_new_element_in_place (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture);

/* OpenCV in a loop in Python, on GRAY8. `work`: "calcHist", or "CLAHE" with 8x8
 * tiles and a limit of 3. */
Contender *contender_new_opencv (
    const gchar *work, const GstVideoInfo *info, GstBuffer *picture);

/* A filter of ffmpeg on GRAY8, I420 or Y444, timed by ffmpeg's filter `bench`.
 * Conversions that the filter needs are part of the time. */
Contender *contender_new_ffmpeg (
    const gchar *filter, const GstVideoInfo *info, GstBuffer *picture);

/* The same for a filter that puts out other frames than come in, which `bench`
 * can't time: the difference between two runs of the program, with more frames
 * and with fewer. */
Contender *contender_new_ffmpeg_program (
    const gchar *filter, const GstVideoInfo *info, GstBuffer *picture);

#endif
