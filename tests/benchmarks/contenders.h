/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Contenders: GStreamer elements, OpenCV and FFmpeg.
 */

#pragma once

#include "bench.h"

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

/* Ends the program if the element posts an error from now on; drops all other
 * messages. */
void element_watch (GstElement *element);

/* Plays the elements of a launch line under element_watch(). The harness has
 * pads for the elements' unlinked pads.
 *
 * Returns: (transfer full): the harness, or NULL if an element is missing. */
GstHarness *harness_new (const gchar *description);

/* Makes the harness's sink take overlay compositions from now on. The elements
 * may send them instead of drawing into frames. */
void harness_take_compositions (GstHarness *h);

/* Pushes a copy of the frame and drops the result, and all further ones.
 *
 * Returns: whether a composition came with the result. */
gboolean harness_gives_composition (GstHarness *h, GstBuffer *frame);

/* Prints a benchmark's first line: `benchmark` (its name and unit), amphisto's
 * device and the number of cores. Ends the program if the element or the device
 * is missing, or if the device does not compile for the CPU of --cpu. */
void print_heading (const gchar *benchmark);

/* Makes a contender that processes copies of the picture.
 *
 * Returns: (transfer full): the contender, or NULL if it is not installed. */
typedef Contender *(*ContenderNew) (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture);

/* The elements of a launch line. They do not own their frames, as behind a tee
 * or imagefreeze, and must write changed pixels into a new frame. */
Contender *contender_new_element (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture);

/* The elements of a launch line. They own their frames and may overwrite them;
 * each frame is the result of the previous one. */
Contender *contender_new_element_in_place (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture);

/* As contender_new_element(), before a sink that takes overlay compositions.
 * Also NULL if the elements send none. */
Contender *contender_new_element_composing (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture);

/* OpenCV in a loop in Python, on GRAY8. `work`: "calcHist", or "CLAHE" with 8x8
 * tiles and a limit of 3. */
Contender *contender_new_opencv (
    const gchar *work, const GstVideoInfo *info, GstBuffer *picture);

/* A filter of ffmpeg on GRAY8, I420, Y444, GBR or RGBA, timed by ffmpeg's
 * filter `bench`, including the conversions that the filter needs. */
Contender *contender_new_ffmpeg (
    const gchar *filter, const GstVideoInfo *info, GstBuffer *picture);

/* The same for a filter that makes new frames, which `bench` cannot time: the
 * difference between two runs of the program, with more and with fewer frames.
 */
Contender *contender_new_ffmpeg_program (
    const gchar *filter, const GstVideoInfo *info, GstBuffer *picture);
