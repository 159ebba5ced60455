/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * When scopes are sent along as an overlay composition: where downstream's caps
 * and its answer to the ALLOCATION query take it. Every frame has its scopes,
 * drawn or sent along, but not both.
 */

#include "renderer.h"

#define WAVEFORM 2

/* --- caps --- */

static gboolean
takes (GstPad *pad, const gchar *string)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (string);
  g_autoptr (GstCaps) all = gst_pad_query_caps (pad, NULL);
  g_autoptr (GstCaps) filtered = gst_pad_query_caps (pad, caps);

  fail_unless (gst_caps_is_subset (filtered, caps));
  fail_unless_equals_int (
      gst_caps_can_intersect (all, caps), !gst_caps_is_empty (filtered));
  return !gst_caps_is_empty (filtered);
}

#define WITH "video/x-raw(memory:SystemMemory, " COMPOSITION "), format=NV12"
#define WITHOUT "video/x-raw, format=NV12"

/* Upstream may have compositions if downstream takes them. Downstream may get
 * them wherever it takes them. */
TEST (test_caps)
{
  static const struct
  {
    const gchar *caps;
    gboolean with, without;
  } downstreams[] = { { TAKES, TRUE, TRUE }, { REFUSES, FALSE, TRUE },
    { ANY, TRUE, TRUE }, { WITH, TRUE, TRUE } };
  g_autoptr (Harness) h = harness_new (NULL, NULL);
  g_autoptr (GstPad) sink = gst_element_get_static_pad (h->element, "sink");
  g_autoptr (GstPad) src = gst_element_get_static_pad (h->element, "src");

  for (guint i = 0; i < G_N_ELEMENTS (downstreams); i++) {
    gst_harness_set_sink_caps_str (h, downstreams[i].caps);
    fail_unless_equals_int (takes (sink, WITH), downstreams[i].with);
    fail_unless_equals_int (takes (sink, WITHOUT), downstreams[i].without);
    fail_unless (takes (src, WITH));
    fail_unless (takes (src, WITHOUT));
  }
}

/* Downstream whose caps always have compositions gets them, also without
 * scopes. */
TEST (test_only)
{
  g_auto (Renderer) r = { 0 };

  renderer_start (
      &r, "video/x-raw(memory:SystemMemory, " COMPOSITION ")", TRUE);
  renderer_check_composed (&r);
  g_object_set (r.h->element, "scopes", 0, NULL);
  renderer_check_none (&r);
  renderer_check_none (&r);
  fail_unless (renderer_has_compositions (&r));
}

/* Only the source pad's caps get compositions; where downstream's caps are ANY,
 * after its answer. */
TEST (test_taken)
{
  static const gchar *const caps[] = { TAKES, ANY };
  g_autoptr (GstCaps) upstream = NULL;
  g_auto (Renderer) r = { 0 };

  renderer_start (&r, caps[__i__], TRUE);
  for (guint n = 0; n < 3; n++)
    renderer_check_composed (&r);
  fail_unless_equals_int (r.n_caps, __i__ == 0 ? 1 : 2);
  upstream = gst_pad_get_current_caps (r.h->srcpad);
  fail_unless (!gst_caps_features_contains (
      gst_caps_get_features (upstream, 0), COMPOSITION));
}

/* Downstream's caps take compositions, but its answer to the ALLOCATION query
 * has none: every frame is drawn, also when scopes are switched on again, and
 * compositions are offered once, but not where caps are ANY. */
TEST (test_not_proposed)
{
  static const gchar *const caps[] = { TAKES, ANY };
  guint n_caps;
  g_auto (Renderer) r = { 0 };

  renderer_start (&r, caps[__i__], FALSE);
  renderer_check_drawn (&r);
  n_caps = r.n_caps;
  for (guint n = 0; n < 3; n++)
    renderer_check_drawn (&r);
  g_object_set (r.h->element, "scopes", 0, NULL);
  renderer_check_none (&r);
  renderer_check_none (&r);
  g_object_set (r.h->element, "scopes", WAVEFORM, NULL);
  for (guint n = 0; n < 3; n++)
    renderer_check_drawn (&r);
  fail_unless_equals_int (n_caps, __i__ == 0 ? 2 : 1);
  fail_unless_equals_int (r.n_caps, n_caps);
}

/* The same where scopes are switched on while playing. */
TEST (test_not_proposed_later)
{
  static const gchar *const caps[] = { TAKES, ANY };
  g_autoptr (Picture) picture = picture_grey (90);
  g_auto (Renderer) r = { 0 };

  renderer_init (&r, harness_new ("attach-meta", (__i__ & 2) != 0, NULL),
      caps[__i__ & 1], FALSE);
  harness_set_caps (r.h, picture);
  renderer_check_none (&r);
  g_object_set (r.h->element, "scopes", WAVEFORM, NULL);
  for (guint n = 0; n < 4; n++)
    renderer_check_drawn (&r);
}

static GstPadProbeReturn
reconfigure_meanwhile (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Renderer *self = user_data;

  (void) pad;
  if (GST_QUERY_TYPE (info->data) == GST_QUERY_ALLOCATION && self->n_caps == 1
      && !self->proposes) {
    self->proposes = TRUE;
    gst_harness_push_upstream_event (self->h, gst_event_new_reconfigure ());
  }
  return GST_PAD_PROBE_OK;
}

/* Downstream refuses compositions, but takes them while the answer is on its
 * way: the next frame has one. */
TEST (test_reconfigured_meanwhile)
{
  g_autoptr (Picture) picture = picture_grey (90);
  g_auto (Renderer) r = { 0 };

  renderer_init (&r, harness_new ("scopes", WAVEFORM, NULL), TAKES, FALSE);
  harness_probe_queries (r.h, reconfigure_meanwhile, &r);
  harness_set_caps (r.h, picture);
  fail_unless (r.proposes);
  renderer_check_composed (&r);
}

/* With other caps, downstream is asked again. */
TEST (test_not_proposed_before)
{
  g_autoptr (Picture) picture =
      picture_new ("RGB", 320, 240, PICTURE_TIGHT, 0, 255, 1);
  g_autoptr (GstBuffer) out = NULL;
  g_auto (Renderer) r = { 0 };

  renderer_start (&r, ANY, FALSE);
  renderer_check_drawn (&r);
  r.proposes = TRUE;
  harness_set_caps (r.h, picture);
  out = harness_run (r.h, picture_wrap (picture));
  buffer_rectangle (out, 0);
}

/* Downstream takes or refuses compositions from the next frame on. */
TEST (test_reconfigured)
{
  static const struct
  {
    const gchar *caps;
    gboolean proposes;
  } downstreams[] = { { TAKES, TRUE }, { REFUSES, FALSE }, { ANY, TRUE },
    { TAKES, FALSE }, { TAKES, TRUE }, { ANY, FALSE }, { REFUSES, TRUE } };
  g_auto (Renderer) r = { 0 };

  renderer_start (&r, REFUSES, FALSE);
  renderer_check_drawn (&r);
  for (guint n = 0; n < 2 * G_N_ELEMENTS (downstreams); n++) {
    const gchar *caps = downstreams[n % G_N_ELEMENTS (downstreams)].caps;
    const gboolean proposes =
        downstreams[n % G_N_ELEMENTS (downstreams)].proposes;

    renderer_change (&r, caps, proposes);
    for (guint i = 0; i < 2; i++)
      if (proposes && !g_str_equal (caps, REFUSES))
        renderer_check_composed (&r);
      else
        renderer_check_drawn (&r);
  }
}

/* With several frames in flight, too. */
TEST (test_reconfigured_in_flight)
{
  g_autoptr (Picture) picture = picture_grey (90);
  guint n_composed = 0;
  Picture *frames[24];
  g_auto (Renderer) r = { 0 };

  renderer_start (&r, TAKES, TRUE);
  element_set_state (r.h->element, GST_STATE_READY);
  g_object_set (r.h->element, "frames-in-flight", 4, NULL);
  harness_restart (r.h, picture);
  for (guint n = 0; n < G_N_ELEMENTS (frames); n++) {
    frames[n] = picture_copy (picture);
    if (n % 5 == 2)
      renderer_change (&r, n % 10 == 2 ? REFUSES : TAKES, n % 10 != 2);
    fail_unless_equals_int (
        gst_harness_push (r.h, picture_wrap_nth (frames[n], n)), GST_FLOW_OK);
  }
  harness_drain (r.h);
  for (guint n = 0; n < G_N_ELEMENTS (frames); n++) {
    g_autoptr (GstBuffer) out = gst_harness_try_pull (r.h);
    const gboolean has_composition = buffer_composition (out) != NULL;

    fail_unless_equals_int64 (GST_BUFFER_PTS (out), n * 40 * GST_MSECOND);
    picture_read (frames[n], out);
    fail_unless_equals_int (
        picture_equal (frames[n], picture), has_composition);
    n_composed += has_composition;
    picture_free (frames[n]);
  }
  fail_unless_equals_int (n_composed, 2 + 5 + 5);
}

/* --- scopes on and off --- */

/* From the first frame with scopes on, they are sent along. From the first one
 * without scopes on, caps have no compositions. */
TEST (test_switched)
{
  g_auto (Renderer) r = { 0 };

  renderer_start (&r, TAKES, TRUE);
  g_object_set (r.h->element, "attach-meta", __i__, NULL);
  renderer_check_composed (&r);
  for (guint n = 0; n < 3; n++) {
    g_object_set (r.h->element, "scopes", 0, NULL);
    renderer_check_none (&r);
    fail_unless (!renderer_has_compositions (&r));
    renderer_check_none (&r);
    g_object_set (r.h->element, "scopes", n + 1, NULL);
    renderer_check_composed (&r);
    renderer_check_composed (&r);
  }
}

/* Scopes are switched on after the start, before the caps (0), or after the
 * caps, before the first frame (1). */
TEST (test_switched_first)
{
  g_autoptr (Picture) picture = picture_grey (90);
  g_auto (Renderer) r = { 0 };

  renderer_init (&r, harness_new (NULL, NULL), TAKES, TRUE);
  if (__i__ == 1)
    harness_set_caps (r.h, picture);
  g_object_set (r.h->element, "scopes", WAVEFORM, NULL);
  if (__i__ == 0)
    harness_set_caps (r.h, picture);
  renderer_check_composed (&r);
  renderer_check_composed (&r);
}

/* In passthrough, frames and caps stay as they are. */
TEST (test_passthrough)
{
  g_autoptr (Picture) picture = picture_grey (90);
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) shared = gst_buffer_ref (buffer);
  g_autoptr (GstBuffer) out = NULL;
  g_auto (Renderer) r = { 0 };

  renderer_init (&r, harness_new ("attach-meta", FALSE, NULL), TAKES, TRUE);
  harness_set_caps (r.h, picture);
  out = harness_run (r.h, buffer);
  fail_unless (out == buffer);
  fail_unless (!renderer_has_compositions (&r));
}

/* A flush, a restart and new caps change nothing. */
TEST (test_restarted)
{
  g_autoptr (Picture) picture = picture_grey (90);
  g_autoptr (Picture) large =
      picture_new ("RGB", 640, 480, PICTURE_TIGHT, 0, 255, 1);
  g_autoptr (GstBuffer) out = NULL;
  g_auto (Renderer) r = { 0 };

  renderer_start (&r, TAKES, TRUE);
  renderer_check_composed (&r);
  harness_flush (r.h);
  renderer_check_composed (&r);
  element_set_state (r.h->element, GST_STATE_READY);
  harness_restart (r.h, picture);
  renderer_check_composed (&r);
  harness_set_caps (r.h, large);
  out = harness_run (r.h, picture_wrap (large));
  buffer_rectangle (out, 0);
  harness_set_caps (r.h, picture);
  renderer_check_composed (&r);
}

const ElementTest element_tests[] = { ONCE (test_caps), ONCE (test_only),
  TIMES (test_taken, 2), TIMES (test_not_proposed, 2),
  TIMES (test_not_proposed_later, 4), ONCE (test_reconfigured_meanwhile),
  ONCE (test_not_proposed_before), ONCE (test_reconfigured),
  ONCE (test_reconfigured_in_flight), TIMES (test_switched, 2),
  TIMES (test_switched_first, 2), ONCE (test_passthrough),
  ONCE (test_restarted), { NULL } };
