/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/offer.h"

void
gst_amphisto_offer_add_event (
    GstAmphistoOffer *self, GstAmphistoOfferEvents event)
{
  g_atomic_int_or (&self->events, event);
}

void
gst_amphisto_offer_ask (GstAmphistoOffer *self)
{
  const guint events = g_atomic_int_and (&self->events, 0);

  if ((events & GST_AMPHISTO_OFFER_REPLACED) != 0
      || (events != 0 && self->state == GST_AMPHISTO_OFFER_REFUSED))
    self->state = GST_AMPHISTO_OFFER_OPEN;
}

gboolean
gst_amphisto_offer_answer (
    GstAmphistoOffer *self, gboolean takes, gboolean is_offered)
{
  const GstAmphistoOfferState before = self->state;

  if (takes && self->state == GST_AMPHISTO_OFFER_OPEN)
    self->state = GST_AMPHISTO_OFFER_TAKEN;
  else if (!takes && is_offered)
    self->state = GST_AMPHISTO_OFFER_REFUSED;
  else if (!takes && before == GST_AMPHISTO_OFFER_TAKEN)
    self->state = GST_AMPHISTO_OFFER_OPEN;
  return self->state != before;
}
