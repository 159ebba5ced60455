/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * When scopes are sent along as an overlay composition: where downstream's caps
 * and its answer to the ALLOCATION query take it. Every frame has its scopes,
 * drawn or sent along, but not both.
 */

#include "names.h"
#include "renderer.h"

#include <string.h>

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

  for (guint i = 0; IS_ROW (downstreams, i); i++) {
    gst_harness_set_sink_caps_str (h, downstreams[i].caps);
    fail_unless_equals_int (takes (sink, WITH), downstreams[i].with);
    fail_unless_equals_int (takes (sink, WITHOUT), downstreams[i].without);
    fail_unless (takes (src, WITH));
    fail_unless (takes (src, WITHOUT));
  }
}

/* --- streams --- */

#define ONLY "video/x-raw(memory:SystemMemory, " COMPOSITION ")"

/* Downstream, and events in a stream with a waveform: frames that are
 * `composed`, `drawn` or have `none`; new values; downstream's next caps, which
 * propose compositions (+) or not (-); and those of run_event(). */
static const struct
{
  const gchar *caps;
  gboolean proposes;
  const gchar *properties; /* before the caps; NULL: the waveform at once */
  const gchar *events;
} streams[] = {
  { TAKES, TRUE, NULL, "composed composed composed n-caps:1" },
  /* where downstream's caps are ANY, after its answer */
  { ANY, TRUE, NULL, "composed composed composed n-caps:2" },
  /* caps that always have compositions, also without scopes */
  { ONLY, TRUE, NULL, "composed scopes=none none none has:1" },
  /* caps take compositions, but the answer has none: they are offered once, but
   * not where caps are ANY */
  { TAKES, FALSE, NULL,
      "drawn n-caps:2 drawn drawn drawn scopes=none none none scopes=waveform "
      "drawn drawn drawn n-caps:2" },
  { ANY, FALSE, NULL,
      "drawn n-caps:1 drawn drawn drawn scopes=none none none scopes=waveform "
      "drawn drawn drawn n-caps:1" },
  { TAKES, FALSE, "", "none scopes=waveform drawn drawn drawn drawn" },
  { ANY, FALSE, "", "none scopes=waveform drawn drawn drawn drawn" },
  { TAKES, FALSE, "attach-meta=false",
      "none scopes=waveform drawn drawn drawn drawn" },
  { ANY, FALSE, "attach-meta=false",
      "none scopes=waveform drawn drawn drawn drawn" },
  /* with other caps, downstream is asked again */
  { ANY, FALSE, NULL, "drawn proposes rgb" },
  /* downstream takes or refuses them from the next frame on */
  { REFUSES, FALSE, NULL,
      "drawn TAKES+ composed composed REFUSES- drawn drawn ANY+ composed "
      "composed TAKES- drawn drawn TAKES+ composed composed ANY- drawn drawn "
      "REFUSES+ drawn drawn TAKES+ composed composed REFUSES- drawn drawn" },
  /* from the first frame with scopes on; from the first one without, caps have
   * no compositions */
  { TAKES, TRUE, NULL,
      "composed scopes=none none has:0 none scopes=histogram composed composed "
      "scopes=none none has:0 none scopes=vectorscope composed composed" },
  { TAKES, TRUE, NULL,
      "attach-meta=false composed scopes=none none has:0 none scopes=histogram "
      "composed composed scopes=none none has:0 none scopes=waveform "
      "composed" },
  /* scopes are switched on after the start: before the caps, and behind them */
  { TAKES, TRUE, "scopes=waveform", "composed composed" },
  { TAKES, TRUE, "", "scopes=waveform composed composed" },
  /* a flush, a restart and new caps change nothing */
  { TAKES, TRUE, NULL,
      "composed flush composed restart composed rgb composed" },
};

static void
run_rgb (Renderer *self)
{
  g_autoptr (Picture) grey = picture_grey (90);
  g_autoptr (Picture) rgb =
      picture_new ("RGB", 640, 480, PICTURE_TIGHT, 0, 255, 1);
  g_autoptr (GstBuffer) out = NULL;

  harness_set_caps (self->h, rgb);
  out = harness_run (self->h, picture_wrap (rgb));
  buffer_rectangle (out, 0);
  harness_set_caps (self->h, grey);
}

/* Frames, or what the renderer has got. */
static gboolean
check_event (Renderer *self, const gchar *event)
{
  const guint n = event[strlen (event) - 1] - '0';

  if (g_str_equal (event, "composed"))
    renderer_check_composed (self);
  else if (g_str_equal (event, "drawn"))
    renderer_check_drawn (self);
  else if (g_str_equal (event, "none"))
    renderer_check_none (self);
  else if (g_str_equal (event, "rgb"))
    run_rgb (self);
  else if (g_str_has_prefix (event, "n-caps:"))
    fail_unless (self->n_caps == n, "%u caps", self->n_caps);
  else if (g_str_has_prefix (event, "has:"))
    fail_unless (renderer_has_compositions (self) == (gboolean) n);
  else
    return FALSE;
  return TRUE;
}

static void
run_event (Renderer *self, const gchar *event)
{
  g_autoptr (Picture) picture = picture_grey (90);

  if (strchr (event, '=') != NULL) {
    element_set_properties (self->h->element, event);
  } else if (g_str_equal (event, "flush")) {
    harness_flush (self->h);
  } else if (g_str_equal (event, "restart")) {
    element_set_state (self->h->element, GST_STATE_READY);
    harness_restart (self->h, picture);
  } else if (g_str_equal (event, "proposes")) {
    self->proposes = TRUE;
  } else {
    renderer_change (self,
        *event == 'T'       ? TAKES
            : *event == 'A' ? ANY
                            : REFUSES,
        g_str_has_suffix (event, "+"));
  }
}

/* Only the source pad's caps get compositions. */
TEST (test_streams)
{
  g_auto (GStrv) events = g_strsplit (streams[__i__].events, " ", -1);
  g_autoptr (Picture) picture = picture_grey (90);
  g_auto (Renderer) r = { 0 };
  g_autoptr (GstCaps) upstream = NULL;

  if (streams[__i__].properties == NULL) {
    renderer_start (&r, streams[__i__].caps, streams[__i__].proposes);
  } else {
    renderer_init (&r, harness_new (NULL, NULL), streams[__i__].caps,
        streams[__i__].proposes);
    element_set_properties (r.h->element, streams[__i__].properties);
    harness_set_caps (r.h, picture);
  }
  for (guint i = 0; events[i] != NULL; i++)
    if (!check_event (&r, events[i]))
      run_event (&r, events[i]);
  upstream = gst_pad_get_current_caps (r.h->srcpad);
  fail_unless (!gst_caps_features_contains (
      gst_caps_get_features (upstream, 0), COMPOSITION));
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
    harness_push (r.h, picture_wrap_nth (frames[n], n));
  }
  harness_drain (r.h);
  for (guint n = 0; IS_ROW (frames, n); n++) {
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

/* In passthrough, frames and caps stay as they are. */
TEST (test_passthrough)
{
  g_autoptr (Picture) picture = picture_grey (90);
  GstBuffer *buffer = picture_wrap (picture);
  G_GNUC_UNUSED g_autoptr (GstBuffer) shared = gst_buffer_ref (buffer);
  g_autoptr (GstBuffer) out = NULL;
  g_auto (Renderer) r = { 0 };

  renderer_init (&r, harness_new ("attach-meta", FALSE, NULL), TAKES, TRUE);
  harness_set_caps (r.h, picture);
  out = harness_run (r.h, buffer);
  fail_unless (out == buffer);
  fail_unless (!renderer_has_compositions (&r));
}

const ElementTest element_tests[] = { ONCE (test_caps),
  EACH (test_streams, streams), ONCE (test_reconfigured_meanwhile),
  ONCE (test_reconfigured_in_flight), ONCE (test_passthrough), { 0 } };
