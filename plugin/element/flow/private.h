/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element, for the files with its virtual methods: amphisto.c has its type,
 * properties and states, planning.c its caps, mistakes.c checks expectations,
 * stream.c has buffers, events and queries.
 */

#pragma once

#include "element/memory/allocation.h"
#include "element/amphisto.h"
#include "element/report/composition.h"
#include "element/flow/device.h"
#include "element/report/expect.h"
#include "element/flow/jobs.h"
#include "element/report/messages.h"
#include "element/flow/offer.h"
#include "element/flow/ring.h"
#include "element/props/settings.h"
#include "element/report/warnings.h"

struct _GstAmphisto
{
  GstVideoFilter parent;

  /* protected by the object lock */
  GstAmphistoSettings settings;
  guint frames_in_flight;
  GstStructure *refused; /* text of the warning for each property whose value
                          * was refused before the start */
  gchar *refused_expect; /* why text for GstAmphisto:expect was refused */

  GstAmphistoDevice device;

  /* used by the streaming thread only */
  GstAmphistoSettings frame_settings; /* of the newest frame */
  GstCaps *caps; /* of the plan and GstVideoFilter.in_info; owned; NULL: none */
  GstAmphistoJobs jobs;
  GstAmphistoRing ring;
  GstAmphistoAllocation allocation;
  GstAmphistoComposition composition;
  GstAmphistoOffer offer;
  gboolean offers_composition; /* caps have its feature on the source pad only
                                */
  GstAmphistoMessages messages;
  GstAmphistoExpect expect;
  gboolean is_mistaken; /* GstAmphisto:expect is, and the error is posted */
  GstAmphistoWarnings warnings;
  gboolean is_discont;        /* the last buffer came after a discontinuity */
  gboolean targets_lack_rows; /* new buffers lack rows of the fields; until the
                               * next ALLOCATION query */
};

/* --- planning.c --- */

/* Gets the device ready for frames of `layout`. Before the caps are known
 * (NULL), builds kernels for the format that upstream will likely send: the
 * first frame waits less then. Tries the next devices if one fails and the user
 * chose none. No frame may be in flight.
 *
 * Returns: FALSE after posting an error. */
gboolean gst_amphisto_prepare_device (
    GstAmphisto *self, const AmphistoLayout *layout);

/* Copies the properties for the next frame, in `buffer`. If they change the
 * work on frames, sends on the frames in flight and makes a new plan.
 *
 * Returns: whether this enters or leaves passthrough. */
gboolean gst_amphisto_update_plan (GstAmphisto *self, GstBuffer *buffer);

/* Source and target have the same layout. If the slot's new buffer lacks rows
 * of the fields, sends on the frames in flight and makes a plan without these
 * rows.
 *
 * Returns: whether it did. */
gboolean gst_amphisto_update_target (
    GstAmphisto *self, const GstAmphistoSlot *slot);

/* GstBaseTransformClass.transform_caps */
GstCaps *gst_amphisto_transform_caps (GstBaseTransform *trans,
    GstPadDirection direction, GstCaps *caps, GstCaps *filter);

/* GstBaseTransformClass.fixate_caps. Overlay compositions are chosen if there
 * are scopes to send along and downstream takes them. */
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
void gst_amphisto_check_composition (GstAmphisto *self, GstQuery *query);

/* GstVideoFilterClass.set_info */
gboolean gst_amphisto_set_info (GstVideoFilter *filter, GstCaps *incaps,
    GstVideoInfo *in_info, GstCaps *outcaps, GstVideoInfo *out_info);

/* --- mistakes.c: in GstAmphisto:expect --- */

/* Posts the warning that text or conditions were refused, and `why`. */
void gst_amphisto_warn_of_expect (GstAmphisto *self, const gchar *why);

/* Checks the text at the start. If it was refused, posts an error, or a warning
 * without expect-error.
 *
 * Returns: FALSE after posting the error. */
gboolean gst_amphisto_check_expect (GstAmphisto *self);

/* Checks the next frame's text and conditions: with new caps, of frames of
 * `info`, or after gst_amphisto_update_conditions(). Posts an error, or a
 * warning without expect-error, if the text was refused or the format can never
 * have the conditions.
 *
 * Returns: FALSE after posting the error. */
gboolean gst_amphisto_check_conditions (
    GstAmphisto *self, const GstVideoInfo *info);

/* Prepares the conditions for the next frame, before its settings are copied:
 * without expect-error, new ones that the format can never have are refused
 * with a warning.
 *
 * Returns: whether conditions or expect-error have changed. */
gboolean gst_amphisto_update_conditions (GstAmphisto *self);

/* At EOS: posts messages and an error for conditions that fail, and an error
 * for text that was refused after the last frame. After a frame that could not
 * be processed, there is no second error. */
void gst_amphisto_end_expectations (GstAmphisto *self);

/* --- stream.c --- */

/* Sets the virtual methods for buffers, events and queries. */
void gst_amphisto_stream_class_init (GstBaseTransformClass *class);
