/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Takes frames, messages and events from the tried element, and checks them.
 */

#pragma once

#include "sequence.h"

/* Messages since the last call. */
typedef struct
{
  guint n_errors;
  gchar *error;          /* owned: of the last error */
  GPtrArray *histograms; /* GstMessages, owned */
  GPtrArray *told;       /* the same, of conditions */
} FuzzPosted;

FuzzPosted fuzz_read_bus (GstElement *element);
void fuzz_posted_clear (FuzzPosted *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FuzzPosted, fuzz_posted_clear)

/* Watches the tried element of a new sequence. */
void fuzz_output_begin (FuzzSequence *sequence);

/* Checks the frames that came out of the tried element against the oldest sent
 * frames. */
void fuzz_collect (FuzzSequence *sequence);

/* The same; no frame may be held back after `event`. */
void fuzz_collect_all (FuzzSequence *sequence, const gchar *event);

/* Gets all frames out of the tried element by a query. */
void fuzz_send_drain (FuzzSequence *sequence);
void fuzz_drain (FuzzSequence *sequence);

/* Drops frames that are not checked, and all messages. */
void fuzz_drop_output (FuzzSequence *sequence);

/* Pushes a serialized event, which must come out at once, after all frames.
 * event: (transfer full) */
void fuzz_push_event (FuzzSequence *sequence, GstEvent *event);

/* Downstream's answer to the next frame, which is dropped unless it is
 * GST_FLOW_OK. */
void fuzz_output_set_answer (GstFlowReturn answer);

/* Returns: (transfer none): the composition, or NULL. */
GstVideoOverlayComposition *fuzz_scopes_of (GstBuffer *buffer);
