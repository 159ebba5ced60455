/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What treats frames: elements of GStreamer, and programs beside it.
 */

#ifndef CONTENDERS_H
#define CONTENDERS_H

#include "bench.h"

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

/* From now on an error that the element posts ends the program with its
 * message; other messages are dropped. */
void element_watch (GstElement *element);

/* Plays what the launch line says, watched, in a harness that is its source
 * and its sink, where it needs them.
 *
 * Returns: (transfer full): the harness, or NULL where an element is missing.
 */
GstHarness *harness_new (const gchar *description);

/* Prints a benchmark's first line: what it is and in what units, the device
 * that amphisto takes, and the number of cores. Ends the program where there is
 * no amphisto, or no device. */
void print_heading (const gchar *benchmark);

/* Makes a contender of what `description` says, for frames as `picture` is.
 *
 * Returns: (transfer full): the contender, or NULL if it is not installed. */
typedef Contender *(*ContenderNew) (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture);

/* An element, by its launch line, whose frames are not its own, as a tee or
 * imagefreeze gives them: to change pixels it has to write another frame. */
Contender *contender_new_element (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture);

/* An element whose frames are its own, and which gets back what it made of the
 * last one. */
Contender *contender_new_element_in_place (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture);

/* OpenCV's calcHist() or CLAHE, with a limit of 3 and 8 by 8 tiles, on GRAY8,
 * called from Python in a loop: `work` is "calcHist" or "CLAHE". */
Contender *contender_new_opencv (
    const gchar *work, const GstVideoInfo *info, GstBuffer *picture);

/* A filter of the program ffmpeg on GRAY8 or I420, by the times that ffmpeg
 * itself takes around it; conversions that the filter wants are counted in. */
Contender *contender_new_ffmpeg (
    const gchar *filter, const GstVideoInfo *info, GstBuffer *picture);

/* The same for a filter whose frames are not those that came in, which ffmpeg
 * can't time: by how much longer the program takes with more frames. */
Contender *contender_new_ffmpeg_program (
    const gchar *filter, const GstVideoInfo *info, GstBuffer *picture);

#endif
