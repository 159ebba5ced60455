/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Contenders whose frames are in OpenGL's or CUDA's memory. Every frame is new
 * there: each map for the CPU downloads it.
 */

#pragma once

#include "contenders.h"

/* The elements of a launch line. They get and do not own frames in OpenGL's
 * memory.
 *
 * Returns: (transfer full): the contender, or NULL if an element or the display
 * is missing. */
Contender *contender_new_gl (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture);

/* A map of a frame in OpenGL's memory; then the elements of a launch line,
 * which get a frame in system memory. The time of both is added up.
 *
 * Returns: (transfer full): the contender, or NULL if an element or the display
 * is missing. */
Contender *contender_new_gl_apart (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture);

/* The elements of a launch line. They get and do not own frames in CUDA's
 * memory.
 *
 * Returns: (transfer full): the contender, or NULL if an element or CUDA is
 * missing. */
Contender *contender_new_cuda (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture);
