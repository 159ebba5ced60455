/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element, for the files with its virtual methods. amphisto.c has its type,
 * properties and states; the other files are below, in an order in which each
 * calls only those before it.
 */

#pragma once

#include "element/amphisto.h"
#include "element/flow/device.h"
#include "element/flow/jobs.h"
#include "element/flow/ring.h"
#include "element/memory/allocation.h"
#include "element/report/report.h"
#include "element/report/warnings.h"

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

/* Whether downstream takes overlay compositions, by its answers to the
 * ALLOCATION query. */
typedef enum
{
  GST_AMPHISTO_OFFER_OPEN, /* offered only if downstream's caps name them */
  GST_AMPHISTO_OFFER_TAKEN,
  GST_AMPHISTO_OFFER_REFUSED /* the answer for caps with compositions had none
                              */
} GstAmphistoOffer;

/* Events that make an answer obsolete, as flags. */
typedef enum
{
  GST_AMPHISTO_OFFER_RECONFIGURED = 1, /* downstream may take them now */
  GST_AMPHISTO_OFFER_REPLACED = 2 /* other caps, or another element downstream:
                                     it may fail */
} GstAmphistoOfferEvents;

struct _GstAmphisto
{
  GstVideoFilter parent;

  GstPadActivateModeFunction activate_source; /* of the base class */

  /* protected by the object lock */
  GstAmphistoSettings *settings; /* referenced, and replaced when a property is
                                  * set */
  GstStructure *refused;  /* text of the warning for each property whose value
                           * was refused before the start */
  GstClockTime position;  /* stream time where the last frame that was sent on
                           * ends; or GST_CLOCK_TIME_NONE */
  gboolean is_activating; /* from READY to PAUSED: the streaming thread waits */
  GCond activated;        /* that is over */

  GstAmphistoDevice device;

  /* used by the streaming thread only */
  GstAmphistoSettings *frame_settings; /* of the newest frame; referenced */
  GstAmphistoTimes times;              /* of the newest buffer */
  GstAmphistoCrop crop;                /* of the newest buffer */
  GstAmphistoTimeline timeline;
  GstCaps *caps; /* of the plan and GstVideoFilter.in_info; owned; NULL: none */
  GstAmphistoJobs jobs;
  GstAmphistoRing ring;
  gboolean has_failed; /* an error was posted for the last frame */
  GstAmphistoReport report;
  GstAmphistoAllocation allocation;
  GstAmphistoOffer offer;
  guint offer_events; /* since the last question; atomic, set in any thread */
  gboolean offers_composition; /* caps have its feature on the source pad only
                                */
  gboolean is_mistaken; /* GstAmphisto:expect is, and the error is posted */
  GstAmphistoWarnings warnings;
  gboolean is_discont;        /* the last buffer came after a discontinuity */
  gboolean targets_lack_rows; /* new buffers lack rows of the fields; until the
                               * next ALLOCATION query */
};

/* Returns: (transfer full): the properties as they are now. */
static inline GstAmphistoSettings *
gst_amphisto_get_settings (GstAmphisto *self)
{
  GstAmphistoSettings *settings;

  GST_OBJECT_LOCK (self);
  settings = g_atomic_rc_box_acquire (self->settings);
  GST_OBJECT_UNLOCK (self);
  return settings;
}

/* Replaces the properties by `settings` (transfer full). Called with the object
 * lock. */
static inline void
gst_amphisto_replace_settings (GstAmphisto *self, GstAmphistoSettings *settings)
{
  gst_amphisto_settings_unref (self->settings);
  self->settings = settings;
}

/* --- mistakes.c: in GstAmphisto:expect --- */

/* Posts the warning that text or conditions were refused, and `why`. */
void gst_amphisto_warn_of_expect (GstAmphisto *self, const gchar *why);

/* Checks the text at the start. If it was refused, posts an error, or a warning
 * without expect-error.
 *
 * Returns: FALSE after posting the error. */
gboolean gst_amphisto_check_expect (
    GstAmphisto *self, const GstAmphistoSettings *settings);

/* Checks the next frame's text and conditions: with new caps, of frames of
 * `info`, or after gst_amphisto_accept_conditions(). Posts an error, or a
 * warning without expect-error, if the text was refused or the format can never
 * have the conditions.
 *
 * Returns: FALSE after posting the error. */
gboolean gst_amphisto_check_conditions (
    GstAmphisto *self, const GstVideoInfo *info);

/* Prepares the conditions for the next frame: without expect-error, refuses new
 * ones that the format can never have. Called with the object lock, which has
 * to be held until the frame has the settings.
 *
 * Returns: whether conditions or expect-error have changed. `error`: set if
 * conditions were refused; they are as they were then. */
gboolean gst_amphisto_accept_conditions (GstAmphisto *self, GError **error);

/* At EOS: posts messages and an error for conditions that fail, and an error
 * for text that was refused after the last frame. After a frame that could not
 * be processed, there is no second error. */
void gst_amphisto_end_expectations (GstAmphisto *self);

/* --- planning.c: plans and caps --- */

/* What the next frame needs, as flags. */
typedef enum
{
  GST_AMPHISTO_CHANGE_PLAN = 1 << 0,
  GST_AMPHISTO_CHANGE_PASSTHROUGH = 1 << 1, /* enter or leave it */
  GST_AMPHISTO_CHANGE_CONDITIONS = 1 << 2
} GstAmphistoChanges;

/* Gets the device ready for frames of `layout`. Before the caps are known
 * (NULL), builds kernels for the likely format: the first frame waits less
 * then. Tries the next devices if one fails and the user chose none. No frame
 * may be in flight.
 *
 * Returns: FALSE after posting an error. */
gboolean gst_amphisto_prepare_device (
    GstAmphisto *self, const AmphistoLayout *layout);

/* Takes the properties as they are now for the next frame, in `buffer`.
 *
 * Returns: GstAmphistoChanges, for gst_amphisto_change(). */
guint gst_amphisto_find_changes (GstAmphisto *self, GstBuffer *buffer);

/* Source and target have the same layout: notes whether the frame's new buffer
 * lacks rows of the fields.
 *
 * Returns: whether the frame needs another plan, because of that, or because
 * downstream has begun to offer other buffers. */
gboolean gst_amphisto_needs_other_plan (
    GstAmphisto *self, const GstAmphistoInFlight *frame);

/* Makes the changes for the frame in `buffer`. Frames in flight have the plan
 * before: there may be none, unless only conditions change. */
void gst_amphisto_change (GstAmphisto *self, GstBuffer *buffer, guint changes);

/* GstBaseTransformClass.transform_caps */
GstCaps *gst_amphisto_transform_caps (GstBaseTransform *trans,
    GstPadDirection direction, GstCaps *caps, GstCaps *filter);

/* GstBaseTransformClass.fixate_caps. Overlay compositions are chosen if there
 * are scopes to send along and downstream takes them. Scopes alone get the size
 * that downstream asks for. */
GstCaps *gst_amphisto_fixate_caps (GstBaseTransform *trans,
    GstPadDirection direction, GstCaps *caps, GstCaps *othercaps);

/* Begins a CAPS event. A flush may cut off the event of other caps after their
 * plan was made, so that the pads have kept their caps. The base class ignores
 * an event with the caps that both pads have; makes their plan then.
 *
 * Returns: FALSE if there is no plan for the caps. */
gboolean gst_amphisto_begin_caps (GstAmphisto *self, GstCaps *incaps);

/* Notes whether downstream's answer to the ALLOCATION query takes overlay
 * compositions. If so, or if not any more, the caps are negotiated again before
 * the next frame. While the pad is flushing, there is no answer. */
void gst_amphisto_note_composition (GstAmphisto *self, GstQuery *query);

/* Makes the plan for new caps, and stores the `info` of `incaps`. out_info: of
 * `outcaps`. No frame may be in flight.
 *
 * Returns: FALSE if the caps are refused. */
gboolean gst_amphisto_set_caps (GstAmphisto *self, GstCaps *incaps,
    GstVideoInfo *info, GstCaps *outcaps, const GstVideoInfo *out_info);

/* --- output.c: the buffers that frames are sent on in --- */

/* Sets the buffer to send on, which is writable if pixels or metadata will
 * change: the frame's own, a copy, or a new one.
 *
 * Returns: other than GST_FLOW_OK without a buffer. `error` is set if it is
 * still to be posted. */
GstFlowReturn gst_amphisto_prepare_output (
    GstAmphisto *self, GstAmphistoInFlight *frame, GError **error);

/* Sets the virtual methods for ALLOCATION queries and for metadata to copy. */
void gst_amphisto_output_class_init (GstBaseTransformClass *class);

/* --- sending.c: frames that have been submitted --- */

/* Waits for the oldest frame, and reports it. Stores its buffer (transfer full)
 * in `buffer`. Called by the source pad's task, or by the streaming thread
 * while no frame is in flight.
 *
 * Returns: GST_FLOW_ERROR after posting the error. */
GstFlowReturn gst_amphisto_finish (
    GstAmphisto *self, GstAmphistoInFlight *frame, GstBuffer **buffer);

/* Starts the task that finishes frames and sends them on; see
 * gst_amphisto_ring_start_task(). */
gboolean gst_amphisto_start_sending (GstAmphisto *self);

/* Waits until all frames in flight are sent on: before serialized events and
 * queries, discontinuities, and changes of plan and caps. */
void gst_amphisto_drain (GstAmphisto *self);

/* Waits until no frame is in flight, and sends the next ones on, whatever has
 * become of them. Forgets the frames before. */
void gst_amphisto_restart (GstAmphisto *self);

/* Returns: how sending has ended since the last call. If not GST_FLOW_OK, the
 * next buffer has to be refused with it. */
GstFlowReturn gst_amphisto_take_flow (GstAmphisto *self);

/* Posts the error of a new frame once the earlier ones are sent on, unless one
 * of these has failed, too. Returns: GST_FLOW_ERROR. */
GstFlowReturn gst_amphisto_fail (GstAmphisto *self, const GError *error);

/* Answers a POSITION query from this side, or asks on the other side until a
 * frame has been sent on. The base class knows only where buffers end that it
 * sends itself, and reads a segment that the stop changes. */
gboolean gst_amphisto_query_position (
    GstAmphisto *self, GstPadDirection side, GstQuery *query);

/* --- stream.c: frames, events and queries --- */

/* Sets the virtual methods for caps, buffers, events and queries. */
void gst_amphisto_stream_class_init (GstVideoFilterClass *filter_class);

/* Begins a stream with the number of frames in flight and threads of
 * `settings`. */
void gst_amphisto_stream_start (
    GstAmphisto *self, const GstAmphistoSettings *settings);
