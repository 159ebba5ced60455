/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A sequence of frames: two elements that get the same ones, and what is
 * changed between them.
 */

#ifndef FUZZ_SEQUENCE_H
#define FUZZ_SEQUENCE_H

#include <gst/check/gstharness.h>

#include "checks.h"

/* A frame that was given to the tried element. */
typedef struct
{
  guint number;
  GstVideoInfo info;
  FuzzFrame frame;   /* `before` and `regions` are owned */
  FuzzBuffer buffer; /* that went in, around `input` */
  Picture *input;    /* owned */
  Picture
      *expected; /* owned: what the twin made of it, or NULL: that differs */
} FuzzSent;

typedef struct
{
  guint32 seed;
  GRand *random;
  guint n_frames; /* that were begun */

  GstElement *tried;
  GstHarness *tried_harness;
  GstHarness *twin_harness;
  FuzzControl controls[FUZZ_MAX_CONTROLS];
  guint n_controls;

  GstCaps *caps;
  GstBufferPool *pool; /* bounded; owned; NULL until it is used */
  GstVideoInfo info;
  GstSegment segment;
  GstClockTime time;

  guint n_in_flight; /* of the tried element, at most, since the last start */
  GQueue sent;       /* FuzzSent, owned: frames that have not come out of it */
  gboolean is_dropping; /* those that are not out yet will never be */

  FuzzFrame frame;         /* the last one, or the one that is processed */
  gboolean has_last;       /* frame.settings are those of the last one */
  gboolean is_out_of_step; /* the twin's zebra has another phase */
  FuzzBuffer buffer;
} FuzzSequence;

/* Adds the frame and self->buffer, around `input` (transfer full), to those
 * that were sent.
 *
 * Returns: (transfer none). */
FuzzSent *fuzz_sequence_add_sent (FuzzSequence *self, Picture *input);
void fuzz_sent_free (FuzzSent *sent);

/* Whether events are printed as they come. */
extern gboolean fuzz_is_verbose;

/* Two new elements with random caps and settings. All that is random follows
 * from the seed. */
void fuzz_sequence_init (FuzzSequence *self, guint32 seed);
void fuzz_sequence_clear (FuzzSequence *self);

/* Changes properties, controllers, caps, the segment, the state, or nothing. */
void fuzz_sequence_change (FuzzSequence *self);

/* Takes the tried element to READY or NULL, and both to a new start. */
void fuzz_sequence_restart (FuzzSequence *self);

/* Takes a buffer for a frame out of a pool that has as many as the tried
 * element asks for, and one more.
 *
 * Returns: (transfer full): the buffer, or NULL if the element holds too many.
 */
GstBuffer *fuzz_sequence_take_buffer (FuzzSequence *self);

/* Tells of an event, if asked to. */
void fuzz_sequence_tell (const FuzzSequence *self, const gchar *event);

#endif
