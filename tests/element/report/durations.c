/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How long conditions fail, and when they are reported.
 */

#include "expectations.h"

#include <string.h>

/* --- timelines --- */

/* A frame is `VALUE@MS`, `gVALUE@MS` if it is flagged as a gap. Behind an event
 * are its messages, `CONDITION:VALUE:START`, with the number of the condition
 * and the times in ms: `>` it fails, `<` it is met again, after `:DURATION`,
 * `$` it still fails at EOS. Other events are those of run_event(), or new
 * values. */
static const struct
{
  const gchar *expect, *events;
} timelines[] = {
  { USUAL ", luma.max != 100",
      "20@0 16@40 >0:16:40 15@80 100@120 <0:16:40:80 >1:100:120 "
      "14@160 >0:14:160 <1:100:120:40" },
  /* luma is measured for its condition, also without any channel */
  { USUAL, "channels=0 attach-meta=false 16@0 >0:16:0" },
  /* frames without samples do not test: the failure before them is neither
   * ended nor prolonged */
  { USUAL ", luma.samples > 0",
      "expect-duration=120000000 16@0 roi-x=1000 16@40 16@80 16@120 "
      "roi-x=0 16@160 16@200 >0:16:0 100@240 <0:16:0:120 eos" },
  /* at EOS, conditions that have failed for long enough or were never met */
  { USUAL ", luma.max > 50, luma.min > 0, luma.mean > 100, luma.distance >= 0, "
          "luma.difference < 0",
      "expect-duration=100000000 100@0 40@40 16@80 >3:100:0 16@120 >1:40:40 "
      ">5:60:40 eos $1:40:40:120 $3:100:0:160 $5:60:40:120" },
  /* not when the stream stops before */
  { USUAL, "expect-error=true expect-duration=1000000000 16@0 stop" },
  /* what begins anew */
  { USUAL, "16@0 >0:16:0 flush 16@40 >0:16:40 eos $0:16:40:40" },
  { USUAL, "16@0 >0:16:0 restart 16@40 >0:16:40 eos $0:16:40:40" },
  { USUAL, "16@0 >0:16:0 others 16@40 >0:16:40 eos $0:16:40:40" },
  { USUAL, "16@0 >0:16:0 none 16@20 same 16@40 >0:16:40 eos $0:16:40:40" },
  /* and what does not: the same conditions, and other properties */
  { USUAL,
      "expect-duration=1000000000 16@0 same 16@40 equalization=global 16@80 "
      "expect-duration=100000000 16@120 >0:16:0 100@160 <0:16:0:160" },
  /* a pause counts: the frame before is shown for longer */
  { USUAL, "expect-duration=1000000000 16@0 100@1000 >0:16:0 <0:16:0:1000" },
  /* a jump does not: to a new segment, forwards or back, or within one */
  { USUAL,
      "expect-duration=100000000 16@2000 segment=50000 16@50000 "
      "16@50040 >0:16:2000 100@50080 <0:16:2000:120" },
  { USUAL,
      "expect-duration=100000000 16@2000 segment=1000 16@1000 16@1040 "
      ">0:16:2000 100@1080 <0:16:2000:120" },
  { USUAL,
      "expect-duration=100000000 16@2000 16@1000 16@1040 >0:16:2000 "
      "100@1080 <0:16:2000:120" },
  /* no sink shows a frame before or behind the segment, so it does not test */
  { USUAL,
      "segment=1000 16@0 16@960 100@1000 16@99960 >0:16:99960 100@100000 "
      "100@100040 eos $0:16:99960:40" },
  { USUAL, "segment=1000 100@960 16@1000 >0:16:1000 eos $0:16:1000:40" },
  /* empty gaps are no frames; those flagged as gaps, videorate's, are */
  { USUAL, "expect-duration=120000000 16@0 gap g16@80 >0:16:0" },
};

/* New conditions: "none", "same" or "others", or not. */
static gboolean
set_conditions (GstHarness *h, const gchar *event)
{
  const gboolean is_none = g_str_equal (event, "none");
  const gboolean is_same = g_str_equal (event, "same");

  if (!is_none && !is_same && !g_str_equal (event, "others"))
    return FALSE;
  g_object_set (h->element, "expect",
      is_none       ? NULL
          : is_same ? USUAL
                    : "luma.max > 2, " USUAL,
      NULL);
  return TRUE;
}

static void
run_frame (GstHarness *h, Picture *picture, const gchar *event)
{
  const gboolean is_gap = *event == 'g';
  const guint value = g_ascii_strtoull (event + is_gap, NULL, 10);
  const guint64 ms = g_ascii_strtoull (strchr (event, '@') + 1, NULL, 10);
  GstBuffer *buffer = flat_buffer (picture, value, ms * GST_MSECOND);

  GST_BUFFER_FLAG_SET (buffer, is_gap ? GST_BUFFER_FLAG_GAP : 0);
  harness_pass (h, buffer);
}

static void
run_event (GstHarness *h, Picture *picture, const gchar *event)
{
  g_auto (GStrv) pair = g_strsplit (event, "=", 2);

  if (strchr (event, '@') != NULL) {
    run_frame (h, picture, event);
  } else if (g_str_equal (pair[0], "segment")) {
    const GstClockTime start =
        g_ascii_strtoull (pair[1], NULL, 10) * GST_MSECOND;

    harness_push_segment (h, 1, 1, start, start, start);
  } else if (pair[1] != NULL) {
    element_set_properties (h->element, event);
  } else if (g_str_equal (event, "gap")) {
    harness_pass (h, gap_new ());
  } else if (g_str_equal (event, "flush")) {
    harness_flush (h);
  } else if (g_str_equal (event, "eos")) {
    push_eos (h);
  } else if (!set_conditions (h, event)) {
    element_set_state (h->element, GST_STATE_READY);
    if (g_str_equal (event, "restart"))
      harness_restart (h, picture);
  }
}

static void
check_told (GstHarness *h, gchar **conditions, const gchar *word)
{
  g_auto (GStrv) numbers = g_strsplit (word + 1, ":", -1);
  gint values[4] = { 0, 0, 0, NONE };

  for (guint i = 0; numbers[i] != NULL; i++)
    values[i] = g_ascii_strtoll (numbers[i], NULL, 10);
  assert_told (
      h, conditions[values[0]], *word == '<', values[1], values[2], values[3]);
}

TEST (test_timelines)
{
  g_auto (GStrv) conditions = g_strsplit (timelines[__i__].expect, ", ", -1);
  g_auto (GStrv) words = g_strsplit (timelines[__i__].events, " ", -1);
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = posting_new (picture, timelines[__i__].expect);

  for (guint i = 0; words[i] != NULL; i++)
    if (strchr ("<>$", *words[i]) != NULL) {
      check_told (h, conditions, words[i]);
    } else {
      assert_none_told (h);
      run_event (h, picture, words[i]);
    }
  assert_none_told (h);
}

/* --- conditions that no frame has met --- */

/* Streams of these frames, all of them shorter than expect-duration: 'b' is
 * bright, 'd' dark, 'e' a frame whose region is empty, 'g' an empty gap, 'f' a
 * flush, 's' a segment behind all frames, 'x' sets the condition to `expect`.
 * At EOS there is the error, if any, and a message with `n_fields` fields. */
static const struct
{
  const gchar *expect, *frames, *error;
  gint n_fields;
} ends[] = {
  { USUAL, "dddddddddddd",
      USUAL " is not met: 16 at 0:00:00.000, for all 12 frames", 7 },
  { USUAL, "d", USUAL " is not met: 16 at 0:00:00.000, for the only frame", 7 },
  { USUAL, "eded",
      USUAL " is not met: 16 at 0:00:00.040, for all 2 frames that "
            "test it",
      7 },
  { USUAL, "", USUAL " was never tested: no frame came", 6 },
  { USUAL, "gg", USUAL " was never tested: no frame came", 6 },
  { USUAL, "ee", USUAL " was never tested: 2 frames came", 6 },
  { USUAL, "sbd", USUAL " was never tested: 2 frames came", 6 },
  { "luma.difference > 0", "b",
      "luma.difference > 0 was never tested: 1 frame came", 6 },
  { "luma.difference > 0", "bb",
      "luma.difference > 0 is not met: 0 at 0:00:00.040, for the only "
      "frame that tests it",
      7 },
  /* since the start, whatever comes then */
  { USUAL, "bddd", NULL, 0 },
  { USUAL, "ddb", NULL, 0 },
  { USUAL, "bf", NULL, 0 },
  { USUAL, "bfdd", NULL, 0 },
  { USUAL, "dfd", USUAL " is not met: 16 at 0:00:00.080, for all 2 frames", 7 },
  { USUAL, "ddf", USUAL " is not met: 16 at 0:00:00.000, for all 2 frames", 7 },
  /* since the conditions were set */
  { USUAL, "bxd",
      "luma.mean >= 21 is not met: 16 at 0:00:00.080, for the only "
      "frame",
      7 },
  { USUAL, "bx", "luma.mean >= 21 was never tested: no frame came", 6 },
  { USUAL, "dxb", NULL, 0 },
};

static void
play (GstHarness *h, Picture *picture, const gchar *frames)
{
  for (gint n = 0; frames[n] != '\0'; n++) {
    g_object_set (h->element, "roi-x", frames[n] == 'e' ? 1000 : 0, NULL);
    switch (frames[n]) {
      case 'g':
        harness_pass (h, gap_new ());
        break;
      case 'f':
        harness_flush (h);
        break;
      case 's':
        harness_push_segment (h, 1, 1, 10 * GST_SECOND, 0, 10 * GST_SECOND);
        break;
      case 'x':
        g_object_set (h->element, "expect", "luma.mean >= 21", NULL);
        break;
      default:
        pass_flat (h, picture, frames[n] == 'd' ? DARK : BRIGHT, n * 40);
    }
  }
}

/* Also without expect-error, with the message alone; and once, although EOS
 * comes twice. */
TEST (test_never_met)
{
  const guint end = (guint) __i__ / 2;
  const gboolean is_error = (__i__ & 1) != 0;
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, "expect", ends[end].expect,
      "expect-error", is_error, "expect-duration", 100 * GST_SECOND, NULL);
  g_autoptr (GstMessage) message = NULL;
  GstMessage *error;

  play (h, picture, ends[end].frames);
  fail_unless (gst_bus_pop_filtered (GST_ELEMENT_BUS (h->element),
                   GST_MESSAGE_ELEMENT | GST_MESSAGE_ERROR)
      == NULL);
  push_eos (h);
  message = gst_bus_pop_filtered (
      GST_ELEMENT_BUS (h->element), GST_MESSAGE_ELEMENT | GST_MESSAGE_ERROR);
  fail_unless_equals_int (message != NULL, ends[end].n_fields > 0);
  if (message != NULL)
    fail_unless_equals_int (
        gst_structure_n_fields (gst_message_get_structure (message)),
        ends[end].n_fields);
  error = bus_pop (h->element, GST_MESSAGE_ERROR);
  fail_unless_equals_int (error != NULL, is_error && ends[end].error != NULL);
  if (error != NULL) {
    g_autoptr (GError) parsed = NULL;

    gst_message_parse_error (error, &parsed, NULL);
    fail_unless (
        g_error_matches (parsed, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED));
    fail_unless_equals_string (parsed->message, ends[end].error);
    gst_message_unref (error);
  }
}

/* A condition that was never tested has no times. */
TEST (test_never_tested)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = posting_new (picture, USUAL);
  g_autoptr (GstMessage) message = NULL;
  const GstStructure *structure;
  guint64 time = 0, duration = 1;

  push_eos (h);
  message = pop_told (h);
  fail_unless (message != NULL);
  structure = gst_message_get_structure (message);
  fail_unless (!gst_structure_has_field (structure, "value"));
  fail_unless (gst_structure_get (structure, "stream-time", G_TYPE_UINT64,
      &time, "duration", G_TYPE_UINT64, &duration, NULL));
  fail_unless_equals_uint64 (time, GST_CLOCK_TIME_NONE);
  fail_unless_equals_uint64 (duration, 0);
}

/* --- how long frames last --- */

/* Streams with `n_failing` dark frames from `first` on, and a bright one behind
 * them. `start` and `duration` are in ms; the last message has `duration`. */
static const struct
{
  gint fps_n, fps_d;
  gboolean has_times, has_durations;
  guint first, n_failing;
  guint64 min_duration; /* ns */
  gint start, duration; /* of the message; NONE: not told */
} rates[] = {
  { 25, 1, TRUE, TRUE, 5, 25, GST_SECOND, 200, 1000 },
  { 25, 1, TRUE, FALSE, 5, 25, GST_SECOND, 200, 1000 },
  { 25, 1, TRUE, TRUE, 5, 24, GST_SECOND, NONE, NONE },
  { 25, 1, TRUE, TRUE, 5, 25, GST_SECOND + 1, NONE, NONE },
  { 30000, 1001, TRUE, TRUE, 30, 30, GST_SECOND, 1001, 1001 },
  { 30000, 1001, TRUE, TRUE, 30, 29, GST_SECOND, NONE, NONE },
  { 60, 1, TRUE, FALSE, 0, 6, 100 * GST_MSECOND, 0, 100 },
  { 10, 1, TRUE, TRUE, 0, 1, 100 * GST_MSECOND, 0, 100 },
  { 10, 1, TRUE, TRUE, 3, 1, 0, 300, 100 },
  { 1, 2, TRUE, TRUE, 1, 2, 4 * GST_SECOND, 2000, 4000 },
  { 25, 1, FALSE, TRUE, 5, 25, GST_SECOND, 200, 1000 },
  { 25, 1, FALSE, FALSE, 5, 25, GST_SECOND, 200, 1000 },
  { 25, 1, FALSE, FALSE, 5, 24, GST_SECOND, NONE, NONE },
};

static GstClockTime
nth_time (guint rate, guint n)
{
  return gst_util_uint64_scale (
      n, rates[rate].fps_d * GST_SECOND, rates[rate].fps_n);
}

/* Without timestamps, the times in the message are none. */
static void
assert_told_at_rate (GstHarness *h, guint rate, gboolean is_met)
{
  g_autoptr (GstMessage) message = pop_told (h);
  const GstStructure *structure;
  guint64 start = 0;

  fail_unless (message != NULL);
  structure = gst_message_get_structure (message);
  if (rates[rate].has_times)
    assert_time (structure, "stream-time", rates[rate].start);
  fail_unless (gst_structure_get_uint64 (structure, "timestamp", &start));
  if (!rates[rate].has_times)
    fail_unless_equals_uint64 (start, GST_CLOCK_TIME_NONE);
  assert_time (structure, "duration", is_met ? rates[rate].duration : NONE);
}

TEST (test_rates)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = posting_new (picture, USUAL);
  const guint end = rates[__i__].first + rates[__i__].n_failing;
  g_autofree gchar *framerate = g_strdup_printf (
      "framerate=%d/%d", rates[__i__].fps_n, rates[__i__].fps_d);

  harness_set_fields (h, picture, framerate);
  g_object_set (h->element, "expect-duration", rates[__i__].min_duration, NULL);
  for (guint n = 0; n < end + 3; n++) {
    GstBuffer *buffer = flat_buffer (picture,
        n >= rates[__i__].first && n < end ? DARK : BRIGHT,
        rates[__i__].has_times ? nth_time (__i__, n) : GST_CLOCK_TIME_NONE);

    GST_BUFFER_DURATION (buffer) = rates[__i__].has_durations
        ? nth_time (__i__, n + 1) - nth_time (__i__, n)
        : n % 2 == 0 ? GST_CLOCK_TIME_NONE
                     : 0; /* unknown, too */
    harness_pass (h, buffer);
  }
  if (rates[__i__].start != NONE) {
    assert_told_at_rate (h, __i__, FALSE);
    assert_told_at_rate (h, __i__, TRUE);
  }
  assert_none_told (h);
}

/* Frames without timestamps, durations and framerate last until the next one
 * arrives. */
TEST (test_real_time)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = posting_new (picture, USUAL);

  harness_set_fields (h, picture, "framerate=0/1");
  g_object_set (h->element, "expect-duration", 20 * GST_MSECOND, NULL);
  for (guint n = 0; n < 2; n++) {
    GstBuffer *buffer = flat_buffer (picture, DARK, 0);
    GstMessage *message = pop_told (h);

    fail_unless (message == NULL);
    GST_BUFFER_PTS (buffer) = GST_BUFFER_DURATION (buffer) =
        GST_CLOCK_TIME_NONE;
    harness_pass (h, buffer);
    g_usleep (30000);
  }
  fail_unless_equals_int (
      gst_bus_have_pending (GST_ELEMENT_BUS (h->element)), TRUE);
}

#define NO_PTS (-1)

/* Segments with dark frames at these timestamps, in ms of the segment, each
 * 40 ms long. Frame `last` is the one with which they have failed for
 * `duration`. */
static const struct
{
  gdouble rate, applied_rate;
  gint start, time; /* of the segment */
  gint pts[4];
  gint duration;
  guint last;
} times[] = {
  { 1, 1, 0, 0, { 0, 40, 80, 120 }, 120, 2 },
  { 1, 1, 0, 0, { 0, 40, 80, 120 }, 121, 3 },
  /* backwards, also with a hole between frames */
  { -1, 1, 0, 0, { 400, 360, 320, 280 }, 120, 2 },
  { -1, 1, 0, 0, { 400, 200, 160, 120 }, 240, 1 },
  { 1, -1, 0, 4000, { 0, 200, 240, 280 }, 240, 1 },
  { -1, -1, 0, 4000, { 400, 200, 160, 120 }, 240, 1 },
  /* a jump against the direction */
  { -1, 1, 0, 0, { 400, 800, 760, 720 }, 120, 2 },
  { 1, -1, 0, 4000, { 400, 200, 240, 280 }, 120, 2 },
  /* before the segment, where frames do not test; across its start, and below
   * stream time 0 */
  { 1, 1, 10000, 10000, { 9960, 10000, 10040, 10080 }, 120, 3 },
  { 1, 1, 10000, 10000, { 9961, 10001, 10041, 10081 }, 120, 2 },
  { 1, 1, 10000, 0, { 9980, 10020, 10060, 10100 }, 160, 3 },
  { 1, 1, 10000, 0, { 9980, 10100, 10140, 10180 }, 160, 1 },
  /* no timestamp: directly behind the last frame, and before the next one */
  { 1, 1, 0, 0, { NO_PTS, 10000, 10040, 10080 }, 120, 2 },
  { 1, 1, 0, 0, { NO_PTS, NO_PTS, 10000, 10040 }, 121, 3 },
  { 1, 1, 0, 0, { 10000, NO_PTS, 90, 130 }, 120, 2 },
  { 1, 1, 0, 0, { NO_PTS, 10000, 10200, 10240 }, 280, 2 },
  { -1, 1, 0, 0, { NO_PTS, 10000, 9960, 9920 }, 120, 2 },
  /* frames in stream time are twice, or half, as long as in the segment */
  { 1, 2, 0, 0, { 0, 40, 80, 120 }, 160, 1 },
  { 1, 2, 0, 0, { NO_PTS, NO_PTS, NO_PTS, NO_PTS }, 161, 2 },
  { 2, 0.5, 0, 0, { 0, 40, 80, 120 }, 60, 2 },
  { 1, -2, 0, 4000, { 0, 40, 80, 120 }, 240, 2 },
};

TEST (test_times)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = posting_new (picture, USUAL);
  guint n = 0;

  harness_push_segment (h, times[__i__].rate, times[__i__].applied_rate,
      times[__i__].start * GST_MSECOND, 0, times[__i__].time * GST_MSECOND);
  g_object_set (
      h->element, "expect-duration", times[__i__].duration * GST_MSECOND, NULL);
  for (gboolean is_told = FALSE; !is_told; n++) {
    const gint pts = times[__i__].pts[n];
    g_autoptr (GstMessage) message = NULL;

    harness_pass (h,
        flat_buffer (picture, DARK,
            pts == NO_PTS ? GST_CLOCK_TIME_NONE : (guint) pts * GST_MSECOND));
    message = pop_told (h);
    is_told = message != NULL;
    fail_unless_equals_int (is_told, n == times[__i__].last);
  }
}

const ElementTest element_tests[] = { EACH (test_timelines, timelines),
  TIMES (test_never_met, 2 * G_N_ELEMENTS (ends)), ONCE (test_never_tested),
  EACH (test_rates, rates), ONCE (test_real_time), EACH (test_times, times),
  { 0 } };
