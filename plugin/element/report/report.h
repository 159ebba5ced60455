/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Everything that is reported of a frame: metadata, messages, conditions, and
 * scopes that go along as an overlay composition.
 */

#pragma once

#include <gst/video/gstvideofilter.h>

#include "element/report/composition.h"
#include "element/report/expect.h"

/* The reports of a stream. */
typedef struct
{
  /*< public >*/
  gboolean begins_segment; /* the next frame does */
  GstAmphistoExpect expect;
  GstAmphistoComposition composition;

  /*< private >*/
  GstVideoFilter *filter;
  gboolean has_message;
  gint64 message; /* start of the last frame with a message */
} GstAmphistoReport;

/* `filter` must outlive `self`. */
void gst_amphisto_report_init (GstAmphistoReport *self, GstVideoFilter *filter);

/* After a flush, and at the start: a message is due with the next frame. */
void gst_amphisto_report_flush (GstAmphistoReport *self);

/* Whether a message is due with the next frame of the segment: the interval of
 * its settings has passed since the last frame with a message, in the direction
 * of playback. A jump against that direction ends it at once if it is as long,
 * or to a new segment; a shorter one does not, since timestamps may jitter, or
 * be in the order of decoding. */
gboolean gst_amphisto_report_next_posts (GstAmphistoReport *self,
    const GstSegment *segment, const GstAmphistoMeasurement *measurement);

/* Ends the measurement of a frame of the plan, and reports it: attaches
 * metadata and the canvas (NULL: none) to `buffer`, which must be writable if
 * there is something to attach, posts messages, and tests conditions.
 *
 * Returns: FALSE after posting an error. */
gboolean gst_amphisto_report_frame (GstAmphistoReport *self,
    GstAmphistoMeasurement *measurement, const AmphistoPlan *plan,
    GstBuffer *canvas, GstBuffer *buffer);
