/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams at once, all of the same few random frames.
 */

#pragma once

#include "harnesses.h"

/* Returns: (transfer full): a harness with the elements of a launch line,
 * playing, for I420 frames of this size. Free with gst_harness_teardown(). */
GstHarness *stream_new (const gchar *launch, guint width, guint height);

/* Pushes the frames. Returns: (transfer full): the checksum of the pixels and
 * of the metadata that come out. */
gchar *stream_run (GstHarness *h);
