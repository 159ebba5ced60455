/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A sequence of frames for two elements, and the changes between the frames.
 */

#pragma once

#include <gst/check/gstharness.h>

#include "expectations.h"
#include "history.h"

/* The state between frames that the twin of a sequence has, and that is used
 * most. */
typedef enum
{
  FUZZ_FOCUS_ALL,
  FUZZ_FOCUS_MEAN,  /* smoothing; no scopes */
  FUZZ_FOCUS_SCALE, /* of the histogram; pixels are not compared */
  FUZZ_N_FOCUSES
} FuzzFocus;

/* A frame that was sent to the tried element. */
typedef struct
{
  guint number;
  GstVideoInfo info;
  FuzzFrame frame;   /* `before` and `regions` are owned */
  FuzzBuffer buffer; /* the input, with the memory of `input` */
  Picture *input;    /* owned */
  Picture *expected; /* owned: the twin's output; NULL: it may differ */
  GstVideoOverlayComposition *scopes; /* owned: sent along by the twin, or NULL
                                       */
  /* with scopes-only: the twin's output, of `out_info`; owned */
  Picture *scopes_only;
  GstVideoInfo out_info;
} FuzzSent;

typedef struct
{
  guint32 seed;
  GRand *random;
  FuzzFocus focus;
  guint n_frames; /* started so far */

  GstElement *tried;
  GstHarness *tried_harness;
  GstHarness *twin_harness;
  gboolean composes; /* downstream of both takes overlay compositions */
  gboolean scopes_only;
  guint output_width, output_height; /* that downstream of both wants then */
  FuzzControl controls[FUZZ_MAX_CONTROLS];
  guint n_controls;

  GstCaps *caps;
  GstBufferPool *pool; /* bounded; owned; NULL before its first use */
  GstVideoInfo info;
  GstSegment segment;
  GstClockTime time;

  guint n_in_flight;    /* the tried element's maximum since its start */
  GQueue sent;          /* owned FuzzSent: frames that have not come out */
  gboolean is_dropping; /* frames in `sent` that are not out yet are dropped */

  FuzzFrame frame;               /* the last frame, or the current one */
  gboolean has_last;             /* frame.settings are the last frame's */
  FuzzHistory history;           /* of frames that were sent */
  FuzzExpectations expectations; /* of frames that came out */
  gboolean is_out_of_step;       /* the twin's zebra has a different phase */
  FuzzBuffer buffer;
} FuzzSequence;

/* Adds the frame and self->buffer, with the memory of `input` (transfer full),
 * to the sent frames.
 *
 * Returns: (transfer none). */
FuzzSent *fuzz_sequence_add_sent (FuzzSequence *self, Picture *input);
void fuzz_sent_free (FuzzSent *sent);

/* Whether events are printed as they happen. */
extern gboolean fuzz_is_verbose;

/* Makes two new elements with random caps and settings. The seed determines
 * everything random. */
void fuzz_sequence_init (FuzzSequence *self, guint32 seed);
void fuzz_sequence_clear (FuzzSequence *self);

/* Changes properties, controllers, caps, the segment or the state, or nothing.
 */
void fuzz_sequence_change (FuzzSequence *self);

/* Flushes both elements. */
void fuzz_sequence_flush (FuzzSequence *self);

/* Takes the tried element to READY or NULL, and restarts both elements. */
void fuzz_sequence_restart (FuzzSequence *self);

/* Takes a buffer for a frame from a pool with at most one buffer more than the
 * tried element asks for.
 *
 * Returns: (transfer full): the buffer, or NULL if none is free now. */
GstBuffer *fuzz_sequence_take_buffer (FuzzSequence *self);

/* Prints an event if fuzz_is_verbose. */
void fuzz_sequence_tell (const FuzzSequence *self, const gchar *event);
