/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames with their numbers in their pixels, for streams of frames in flight.
 */

#pragma once

#include "harnesses.h"

#define NUMBERED_WIDTH 16

/* A grey picture without a number. */
Picture *numbered_new (guint height);

/* Writes a number: black and white pixels, the bits of the number and one pixel
 * of each, which equalization keeps, since both ends of the range occur. */
void numbered_fill (Picture *picture, guint number);

/* Writes the number. Returns: (transfer full): a copy in a buffer, with the
 * times of this frame at 25 frames a second. */
GstBuffer *numbered_buffer (Picture *picture, guint number);

/* The frame has the picture's number; its other pixels may have changed. */
void assert_number (GstBuffer *buffer, const Picture *picture);

/* Waits up to a minute until this many frames have come out since the harness
 * was made. */
void harness_await (GstHarness *h, guint n);

/* Drops the frames that came out. */
void harness_drop (GstHarness *h);
