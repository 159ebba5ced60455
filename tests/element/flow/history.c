/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element's state between frames: a table of the events that restart it. A
 * frame that uses no earlier state comes out as from a new element. The fuzzer
 * has random events.
 */

#include "harnesses.h"

#include <string.h>

/* Streams whose frames show whether a state has restarted. */
static const gchar *const shows[] = { "equalization=global smoothing=0.9",
  "equalization=clahe smoothing=0.9", "equalization=stretch smoothing=0.9",
  "scopes=histogram scope-width=1 scope-height=1", "compare-frames=true" };

enum
{
  GLOBAL = 1,
  TILES = 2,
  STRETCH = 4,
  MEAN = GLOBAL | TILES | STRETCH,
  SCALE = 8,
  PREVIOUS = 16,
  ALL = MEAN | SCALE | PREVIOUS
};

/* Events between two frames: those of run_event(), or new values. */
static const struct
{
  const gchar *events;
  guint restarts;
} restarts[] = {
  { "", 0 },
  { "flush", ALL },
  { "flush gap-frame", 0 },
  { "caps", 0 },
  { "colorimetry", ALL },
  { "colorimetry frame caps", ALL },
  { "ready", ALL },
  { "null", ALL },
  { "gap", 0 },
  { "gap-frame", 0 },
  { "late", 0 },
  /* outside the region, nothing is measured and no graph is drawn */
  { "roi-y=99 frame roi-y=0", ALL },
  { "roi-y=99 gap roi-y=0", 0 },
  { "flush roi-y=99 frame roi-y=0", ALL },
  { "colorimetry roi-y=99 frame roi-y=0", ALL },
  { "verify=true frame flush roi-y=99 frame roi-y=0", ALL },
  { "verify=true frame colorimetry roi-y=99 frame roi-y=0", ALL },
  /* the region's clipped size, and its place */
  { "roi-x=3 roi-width=40 frame roi-width=39", MEAN | PREVIOUS },
  { "roi-x=3 roi-width=40 frame roi-x=9", PREVIOUS },
  { "roi-x=3 frame roi-x=4", MEAN | PREVIOUS },
  { "roi-x=20 roi-width=44 frame roi-x=21", MEAN | PREVIOUS },
  { "roi-x=3 frame roi-width=61 roi-height=99", 0 },
  { "roi-height=47", MEAN | PREVIOUS },
  { "roi-x=3 smoothing=0 gap smoothing=0.9 roi-x=0", 0 },
  /* the mean's input */
  { "smoothing=0 frame smoothing=0.9", MEAN },
  { "smoothing=0.8", 0 },
  { "smoothing=1", 0 },
  { "smoothing=1 frame smoothing=0.9", 0 },
  { "smoothing=1 flush", ALL },
  { "smoothing=1 frame roi-x=3", MEAN | PREVIOUS },
  { "equalization=stretch frame equalization=global", MEAN },
  { "tiles-x=3", TILES },
  { "tiles-y=3", TILES },
  /* the graph's curves, and what only changes how they look */
  { "channels=luma+alpha", SCALE },
  { "channels=chroma+alpha frame channels=luma", SCALE | PREVIOUS },
  { "scope-display=parade", SCALE },
  { "scopes=none frame scopes=histogram", SCALE },
  { "scopes=none gap scopes=histogram", 0 },
  { "scope-width=0.8", 0 },
  { "scope-scale=log", SCALE },
  { "scope-scale=log frame scope-scale=linear", SCALE },
  /* the comparison, which passthrough leaves out */
  { "compare-frames=false frame compare-frames=true", PREVIOUS },
  { "compare-frames=false gap compare-frames=true", 0 },
  { "attach-meta=false frame attach-meta=true", PREVIOUS },
  { "attach-meta=false gap attach-meta=true", 0 },
  /* the reference of `verify` has not seen earlier frames */
  { "verify=true", ALL },
  { "verify=true frame verify=false", ALL },
  { "verify=true gap verify=false", 0 },
  { "exposure=zebra roi-meta=true interval=1 post-messages=true", 0 },
};

/* Frame 0 is flat; the others have more values, but are no cuts. */
static Picture *
nth_picture (guint n)
{
  return picture_new (
      "GRAY8", 64, 48, PICTURE_TIGHT, 80 - 20 * n, 80 + 20 * n, 1);
}

/* Pushes a frame that is dropped. */
static void
push_late (GstHarness *h, Picture *picture)
{
  g_object_set (h->element, "qos", TRUE, NULL);
  gst_harness_push_upstream_event (h,
      gst_event_new_qos (
          GST_QOS_TYPE_UNDERFLOW, 2.0, 20 * GST_MSECOND, 40 * GST_MSECOND));
  harness_push (h, picture_wrap (picture));
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 0);
  g_object_set (h->element, "qos", FALSE, NULL);
}

static void
run_event (GstHarness *h, const gchar *event)
{
  g_autoptr (Picture) picture = nth_picture (0);
  const gboolean is_gap = g_str_has_prefix (event, "gap");

  if (strchr (event, '=') != NULL) {
    element_set_properties (h->element, event);
  } else if (is_gap || g_str_equal (event, "frame")) {
    GstBuffer *buffer =
        g_str_equal (event, "gap") ? gap_new () : picture_wrap (picture);

    GST_BUFFER_FLAG_SET (buffer, is_gap ? GST_BUFFER_FLAG_GAP : 0);
    harness_pass (h, buffer);
  } else if (g_str_equal (event, "late")) {
    push_late (h, picture);
  } else if (g_str_equal (event, "flush")) {
    harness_flush (h);
  } else if (g_str_equal (event, "caps")) {
    harness_set_caps (h, picture);
  } else if (g_str_equal (event, "colorimetry")) {
    harness_set_colorimetry (h, picture, "1:3:5:1"); /* full range */
  } else {
    element_set_state (h->element,
        g_str_equal (event, "ready") ? GST_STATE_READY : GST_STATE_NULL);
    harness_restart (h, picture);
  }
}

/* Whether frame `n` is like the first of a new element with these properties.
 */
static gboolean
is_first (GstHarness *h, const gchar *stream, const gchar *events, guint n)
{
  g_autoptr (Picture) picture = nth_picture (n);
  g_autoptr (Picture) first = picture_copy (picture);
  g_autoptr (GstBuffer) out = harness_run (h, picture_wrap (picture));
  GstHarness *new;

  if (g_str_has_prefix (stream, "compare"))
    return !gst_structure_has_field (
        buffer_histogram (out, "luma"), "difference");
  picture_read (picture, out);
  new = harness_new_for (picture, NULL, NULL);
  element_set_properties (new->element, stream);
  element_set_properties (new->element, events);
  harness_change (new, first, 0);
  harness_free (new);
  return picture_equal (picture, first);
}

static void
check_restart (const gchar *stream, const gchar *events, gboolean is_restart)
{
  g_auto (GStrv) words = g_strsplit (events, " ", -1);
  g_autoptr (Picture) picture = nth_picture (0);
  g_autoptr (Harness) h = harness_new_for (picture, "qos", FALSE, NULL);

  element_set_properties (h->element, stream);
  harness_pass (h, picture_wrap (picture));
  for (guint i = 0; words[i] != NULL; i++)
    run_event (h, words[i]);
  fail_unless (
      is_first (h, stream, events, 1) == is_restart, "%s: %s", stream, events);
  if (is_restart)
    fail_unless (!is_first (h, stream, events, 2), "%s: %s", stream, events);
  drop_refused (h->element, "");
}

/* An element that plays on keeps the programs. */
TEST (test_restarts)
{
  g_autoptr (Picture) picture = nth_picture (0);
  G_GNUC_UNUSED g_autoptr (Harness) h = harness_new_for (picture, NULL, NULL);

  for (guint r = 0; IS_ROW (restarts, r); r++)
    check_restart (shows[__i__], restarts[r].events,
        (restarts[r].restarts & 1u << __i__) != 0);
}

const ElementTest element_tests[] = { EACH (test_restarts, shows), { 0 } };
