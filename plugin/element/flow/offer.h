/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Whether downstream takes overlay compositions, by its answers to the
 * ALLOCATION query.
 */

#pragma once

#include <glib.h>

typedef enum
{
  GST_AMPHISTO_OFFER_OPEN, /* offered only if downstream's caps name them */
  GST_AMPHISTO_OFFER_TAKEN,
  GST_AMPHISTO_OFFER_REFUSED /* the answer for caps with compositions had none
                              */
} GstAmphistoOfferState;

/* Events that make an answer obsolete. */
typedef enum
{
  GST_AMPHISTO_OFFER_RECONFIGURED = 1, /* downstream may take them now */
  GST_AMPHISTO_OFFER_REPLACED = 2 /* other caps, or another element downstream:
                                     it may fail */
} GstAmphistoOfferEvents;

/* Zero is a valid value: open, without events. */
typedef struct
{
  GstAmphistoOfferState state; /* read-only */
  guint events;                /* since the last question; atomic */
} GstAmphistoOffer;

/* Makes the answer obsolete from the next question on. An event that comes
 * between a question and its answer is not lost. May be called in any thread.
 */
void gst_amphisto_offer_add_event (
    GstAmphistoOffer *self, GstAmphistoOfferEvents event);

/* Begins a question: call before the caps for it are chosen. */
void gst_amphisto_offer_ask (GstAmphistoOffer *self);

/* Ends a question. `takes`: the answer has compositions. `is_offered`: so have
 * the caps.
 *
 * Returns: whether this is news. */
gboolean gst_amphisto_offer_answer (
    GstAmphistoOffer *self, gboolean takes, gboolean is_offered);
