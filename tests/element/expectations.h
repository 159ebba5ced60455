/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames of one value, and assertions about the messages of GstAmphisto:expect.
 */

#pragma once

#include "harnesses.h"

/* The dark frames fail by default. */
#define DARK 16
#define BRIGHT 100
#define USUAL "luma.mean >= 20"

#define NONE (-1)

/* A harness whose failed conditions are no errors. */
GstHarness *posting_new (const Picture *picture, const gchar *expect);

/* A buffer of the picture, filled with the value. */
GstBuffer *flat_buffer (Picture *picture, guint8 value, GstClockTime pts);

/* Pushes a frame of one value, at `ms`. */
GstFlowReturn push_flat (
    GstHarness *h, Picture *picture, guint8 value, gint ms);

/* The same, and drops the output buffer. */
void pass_flat (GstHarness *h, Picture *picture, guint8 value, gint ms);

void push_eos (GstHarness *h);

/* Returns: (transfer full): the next message, or NULL. Drops all others before
 * it. */
GstMessage *pop_told (GstHarness *h);

/* The field is a time in ms; NONE: it is missing. */
void assert_time (const GstStructure *structure, const gchar *field, gint ms);

/* The next message. `start`, `duration`: in ms; NONE: it has none. */
void assert_told (GstHarness *h, const gchar *condition, gboolean is_met,
    gdouble value, gint start, gint duration);
void assert_none_told (GstHarness *h);

/* The only message is of a dark frame, which fails first at `start`. */
void assert_failed (GstHarness *h, gint start);
