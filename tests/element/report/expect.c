/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Expectations: the text, the messages, the error, and how long conditions
 * fail.
 */

#include "harnesses.h"

#include <string.h>

/* Tests have pictures of one value; this one fails by default. */
#define DARK 16
#define BRIGHT 100
#define USUAL "luma.mean >= 20"

#define NONE (-1)

/* --- frames and messages --- */

static GstHarness *
posting_new (const Picture *picture, const gchar *expect)
{
  return harness_new_for (
      picture, "expect", expect, "expect-error", FALSE, "qos", FALSE, NULL);
}

static GstBuffer *
flat_buffer (Picture *picture, guint8 value, GstClockTime pts)
{
  GstBuffer *buffer = picture_wrap (picture);

  picture_fill (picture, "luma", value);
  GST_BUFFER_PTS (buffer) = pts;
  return buffer;
}

/* Pushes a frame of one value, at `ms`. */
static void
push (GstHarness *h, Picture *picture, guint8 value, gint ms)
{
  harness_pass (h, flat_buffer (picture, value, ms * GST_MSECOND));
}

/* Returns: (transfer full): the next message, or NULL. Drops all others before
 * it, errors and warnings too. */
static GstMessage *
pop (GstHarness *h)
{
  GstMessage *message;

  while ((message = bus_pop (h->element, GST_MESSAGE_ELEMENT)) != NULL
      && !gst_message_has_name (message, "amphisto-expect"))
    gst_message_unref (message);
  return message;
}

static void
assert_time (const GstStructure *structure, const gchar *field, gint ms)
{
  guint64 time = 0;

  if (ms == NONE) {
    fail_unless (!gst_structure_has_field (structure, field), "%s", field);
    return;
  }
  fail_unless (gst_structure_get_uint64 (structure, field, &time));
  fail_unless_equals_uint64 (time / GST_MSECOND, ms);
}

/* The next message. `start`, `duration`: in ms. */
static void
assert_told (GstHarness *h, const gchar *condition, gboolean is_met,
    gdouble value, gint start, gint duration)
{
  g_autoptr (GstMessage) message = pop (h);
  const GstStructure *structure;
  gboolean met = !is_met;
  gdouble told = -1;

  fail_unless (message != NULL, "no message of %s", condition);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (h->element));
  structure = gst_message_get_structure (message);
  fail_unless_equals_string (
      gst_structure_get_string (structure, "condition"), condition);
  fail_unless (gst_structure_get_boolean (structure, "met", &met));
  fail_unless_equals_int (met, is_met);
  fail_unless (gst_structure_get_double (structure, "value", &told));
  fail_unless_equals_float (told, value);
  assert_time (structure, "timestamp", start);
  assert_time (structure, "stream-time", start);
  assert_time (structure, "running-time", start);
  assert_time (structure, "duration", duration);
}

static void
assert_none_told (GstHarness *h)
{
  GstMessage *message = pop (h);

  fail_unless (message == NULL, "%" GST_PTR_FORMAT, (gpointer) message);
}

/* The value fails for the first time at `start`. */
static void
assert_failed (GstHarness *h, gint start)
{
  assert_told (h, USUAL, FALSE, DARK, start, NONE);
  assert_none_told (h);
}

/* There is exactly one error, with this text. Returns: (transfer full): its
 * debug text. */
static gchar *
assert_stream_error (GstHarness *h, const gchar *text)
{
  gchar *debug = NULL;
  g_autoptr (GError) error = bus_pop_error (h->element, &debug);

  assert_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED, text);
  fail_unless_equals_string (error->message, text);
  return debug;
}

static void
push_segment (
    GstHarness *h, gdouble rate, GstClockTime start, GstClockTime time)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.rate = rate;
  segment.start = start;
  segment.stop = 100 * GST_SECOND;
  segment.time = time;
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
}

static void
push_eos (GstHarness *h)
{
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
}

/* --- the text --- */

TEST (test_spec)
{
  GstElement *element = element_new (NULL, NULL);
  GParamSpec *spec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), "expect");
  g_autofree gchar *expect = NULL;

  fail_unless (G_IS_PARAM_SPEC_STRING (spec));
  fail_unless (spec->flags & GST_PARAM_MUTABLE_PLAYING);
  fail_unless (!(spec->flags & GST_PARAM_CONTROLLABLE));
  g_object_get (element, "expect", &expect, NULL);
  fail_unless (expect == NULL);
  element_free (element);
}

/* Texts, and their conditions that a picture of 16 fails. */
static const struct
{
  const gchar *text;
  const gchar *failed[3];
} accepted[] = {
  { "luma.mean >= 20", { "luma.mean >= 20" } },
  { "luma.mean>=20", { "luma.mean>=20" } },
  { "  luma.mean\t>=\n20 ", { "luma.mean >= 20" } },
  { "luma.mean >= 20, luma.max > 30,luma.min<17",
      { "luma.mean >= 20", "luma.max > 30" } },
  { "luma.mean < 16, luma.mean <= 16, luma.mean = 16", { "luma.mean < 16" } },
  { "luma.mean > 16, luma.mean >= 16, luma.mean != 16",
      { "luma.mean > 16", "luma.mean != 16" } },
  { "luma.mean = 1.6e1, luma.mean = 16.5, luma.min > -1, luma.min < .5",
      { "luma.mean = 16.5", "luma.min < .5" } },
  { "luma.max < 0016, luma.max < 15", { "luma.max < 0016", "luma.max < 15" } },
  /* 2^63, 2^64 and beyond */
  { "luma.max < 9223372036854775808, luma.max > 9223372036854775808",
      { "luma.max > 9223372036854775808" } },
  { "luma.max > 18446744073709551616, luma.max < 18446744073709551616",
      { "luma.max > 18446744073709551616" } },
  { "luma.max < -9223372036854775808, luma.max < 99999999999999999999999",
      { "luma.max < -9223372036854775808" } },
  { "", { NULL } },
};

TEST (test_accepted)
{
  const gchar *text = accepted[__i__].text;
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = posting_new (picture, text);
  g_autofree gchar *got = NULL;

  g_object_get (h->element, "expect", &got, NULL);
  fail_unless_equals_string (got, *text != '\0' ? text : NULL);
  push (h, picture, DARK, 0);
  for (guint i = 0; accepted[__i__].failed[i] != NULL; i++)
    assert_told (h, accepted[__i__].failed[i], FALSE, DARK, 0, NONE);
  assert_none_told (h);
  harness_free (h);
}

#define ANY_OPERATOR "<, <=, =, !=, >= or >"
#define ANY_CHANNEL "luma, u, v, red, green, blue, alpha"
#define CHROMA_FIELDS                                                          \
  "samples, min, max, median, mean, stddev, entropy, clipped-low, "            \
  "clipped-high"

/* Texts, and the warning's words. */
static const struct
{
  const gchar *text, *part;
} refused[] = {
  { "luna.mean > 3", "\"luna.mean\" stands where CHANNEL.FIELD with one of" },
  { "luna.mean > 3", ANY_CHANNEL " is allowed" },
  { "luma.mean > 3, 3 > 2", "in \"3 > 2\", \"3\" stands where CHANNEL.FIELD" },
  { "luma.mean > 3,",
      "in \"luma.mean > 3,\", a condition is missing: CHANNEL.FIELD with one "
      "of "
      "the channels " ANY_CHANNEL "." },
  { ", luma.mean > 3", "in \", luma.mean > 3\", a condition is missing" },
  { "   ", "a condition is missing: CHANNEL.FIELD" },
  { "luma > 3", "\"luma\" stands where luma.FIELD with one of the fields" },
  { "luma.men > 3", CHROMA_FIELDS ", difference, distance is allowed" },
  { "u.difference > 3",
      "\"u.difference\" stands where u.FIELD with one of the "
      "fields " CHROMA_FIELDS " is allowed" },
  { "Luma.mean > 3", "\"Luma.mean\" stands" },
  { "luma.percentiles > 3", "\"luma.percentiles\" stands" },
  { "luma.mean", "the end stands where " ANY_OPERATOR " is allowed" },
  { "luma.mean 3", "\"3\" stands where " ANY_OPERATOR " is allowed" },
  { "luma.mean ≥ 3", "\"≥\" stands where " ANY_OPERATOR " is allowed" },
  { "luma.mean ! 3", "\"!\" stands where " ANY_OPERATOR " is allowed" },
  { "luma.mean >", "the end stands where a number is allowed" },
  { "luma.mean > dark", "\"dark\" stands where a number is allowed" },
  { "luma.mean == 3", "\"=\" stands where a number is allowed" },
  { "luma.mean > 3x", "\"3x\" stands where a number is allowed" },
  { "luma.mean > 0x10", "\"0x10\" stands where a number is allowed" },
  { "luma.mean > nan", "\"nan\" stands where a number is allowed" },
  { "luma.mean > inf", "\"inf\" stands where a number is allowed" },
  { "luma.mean > 1e999", "\"1e999\" stands where a number is allowed" },
  { "luma.mean > -", "\"-\" stands where a number is allowed" },
  { "luma.mean > 3e", "\"3e\" stands where a number is allowed" },
  { "luma.mean > 1-2", "\"1-2\" stands where a number is allowed" },
  { "luma.mean > \"3\"", "stands where a number is allowed" },
  { "luma.mean > 3 or", "\"or\" stands where a comma or the end is allowed" },
  { "luma.mean > 3; u.mean > 3", "\";\" stands where a comma or the end" },
};

/* The conditions stay as they were, and are still tested. */
TEST (test_refused)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = posting_new (picture, USUAL);
  g_autofree gchar *got = NULL;

  g_object_set (h->element, "expect", refused[__i__].text, NULL);
  assert_refused (h->element, refused[__i__].part);
  g_object_get (h->element, "expect", &got, NULL);
  fail_unless_equals_string (got, USUAL);
  push (h, picture, DARK, 0);
  assert_failed (h, 0);
  harness_free (h);
}

/* Up to 32 conditions in 1023 bytes. */
TEST (test_too_many)
{
  GstElement *element = element_new ("expect-error", FALSE, NULL);
  g_autoptr (GString) text = g_string_new (USUAL);
  g_autofree gchar *got = NULL;

  element_set_state (element, GST_STATE_PAUSED);
  for (guint i = 1; i < 32; i++)
    g_string_append (text, "," USUAL);
  g_object_set (element, "expect", text->str, NULL);
  assert_not_warned (element);
  g_string_append (text, "," USUAL);
  g_object_set (element, "expect", text->str, NULL);
  assert_refused (element, "33 conditions in 527 bytes are too many; 32 in");
  g_object_get (element, "expect", &got, NULL);
  fail_unless_equals_int (strlen (got), 32 * strlen ("," USUAL) - 1);

  g_string_printf (text, "%1023s", USUAL);
  g_object_set (element, "expect", text->str, NULL);
  assert_not_warned (element);
  g_string_printf (text, "%1024s", USUAL);
  g_object_set (element, "expect", text->str, NULL);
  assert_refused (element, "1 conditions in 1024 bytes");
  element_free (element);
}

/* --- fields --- */

static const gchar *const fields[] = { "samples", "min", "max", "median",
  "mean", "stddev", "entropy", "clipped-low", "clipped-high" };

static gdouble
get_number (const GstStructure *structure, const gchar *field)
{
  g_auto (GValue) number = G_VALUE_INIT;
  const GValue *value = gst_structure_get_value (structure, field);

  fail_unless (value != NULL, "no %s", field);
  g_value_init (&number, G_TYPE_DOUBLE);
  fail_unless (g_value_transform (value, &number));
  return g_value_get_double (&number);
}

/* Each field of each channel has the value of the metadata. */
TEST (test_fields)
{
  const gchar *channel = channel_names[__i__];
  g_autoptr (Picture) picture = picture_small ("A420");
  g_autoptr (GString) text = g_string_new (NULL);
  GstHarness *h = harness_new_for (
      picture, "expect-error", FALSE, "channels", CHANNELS_ALL, NULL);
  GstBuffer *out;

  for (guint f = 0; f < G_N_ELEMENTS (fields); f++)
    g_string_append_printf (
        text, "%s%s.%s < -1", f > 0 ? "," : "", channel, fields[f]);
  g_object_set (h->element, "expect", text->str, NULL);
  out = harness_run (h, picture_wrap (picture));
  for (guint f = 0; f < G_N_ELEMENTS (fields); f++) {
    g_autofree gchar *condition =
        g_strdup_printf ("%s.%s < -1", channel, fields[f]);

    assert_told (h, condition, FALSE,
        get_number (buffer_histogram (out, channel), fields[f]), 0, NONE);
  }
  assert_none_told (h);
  gst_buffer_unref (out);
  harness_free (h);
}

/* Conditions are on the frame as it arrived, and on the region. */
TEST (test_arrived)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h =
      harness_new_for (picture, "expect", "luma.min < 0, luma.samples < 0",
          "expect-error", FALSE, "roi-width", 4, "roi-height", 4,
          "equalization", EQUALIZATION_GLOBAL, "exposure", 1, NULL);
  guint32 bins[256];
  guint min = 0;

  picture_set_part (picture, 0, 0, 4, 4);
  picture_count (picture, "luma", bins);
  while (bins[min] == 0)
    min++;
  harness_pass (h, picture_wrap (picture));
  assert_told (h, "luma.min < 0", FALSE, min, 0, NONE);
  assert_told (h, "luma.samples < 0", FALSE, 16, 0, NONE);
  harness_free (h);
}

/* Without metadata and messages, frames are tested and pass untouched. */
TEST (test_passthrough)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = harness_new_for (picture, "expect", USUAL, "expect-error",
      FALSE, "attach-meta", FALSE, NULL);
  GstBuffer *buffer = gst_buffer_ref (flat_buffer (picture, DARK, 0)), *out;

  out = harness_run (h, buffer);
  fail_unless (out == buffer);
  fail_unless_equals_int (buffer_n_metas (out), 0);
  assert_failed (h, 0);
  fail_unless (
      !gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (h->element)));
  gst_buffer_unref (out);
  gst_buffer_unref (buffer);
  g_object_set (h->element, "expect", NULL, NULL);
  push (h, picture, DARK, 40);
  assert_none_told (h);
  fail_unless (
      gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (h->element)));
  harness_free (h);
}

/* --- measured because a condition names it --- */

/* Whatever `channels` is, and as if it had the channels' flags. */
static const struct
{
  const gchar *format, *expect, *channels;
} named[] = {
  { "I420", "u.mean < 0", "luma u v" },
  { "I420", "v.mean < 0", "luma u v" },
  { "I420", "blue.mean < 0", "luma red green blue" },
  { "RGBA", "alpha.mean < 0", "luma alpha" },
  { "RGBA", "alpha.mean < 0, red.max < 0", "luma red green blue alpha" },
};

TEST (test_named)
{
  g_autoptr (Picture) picture = picture_small (named[__i__].format);
  GstHarness *h = posting_new (picture, named[__i__].expect);
  g_autoptr (GString) channels = g_string_new (NULL);
  GstBuffer *out = harness_run (h, picture_wrap (picture));
  g_autoptr (GstMessage) message = pop (h);

  for (guint c = 0; c < N_CHANNELS; c++)
    if (gst_structure_has_field (buffer_structure (out), channel_names[c]))
      g_string_append_printf (
          channels, "%s%s", channels->len > 0 ? " " : "", channel_names[c]);
  fail_unless_equals_string (channels->str, named[__i__].channels);
  fail_unless (message != NULL);
  gst_buffer_unref (out);
  harness_free (h);
}

/* Luma is measured for its condition, also without any channel. */
TEST (test_named_alone)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = posting_new (picture, USUAL);

  g_object_set (h->element, "channels", 0, "attach-meta", FALSE, NULL);
  push (h, picture, DARK, 0);
  assert_failed (h, 0);
  harness_free (h);
}

/* Frames are compared for a condition, which the first one does not test. */
TEST (test_difference)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h =
      posting_new (picture, "luma.difference > 0.25, luma.distance < 32");

  g_object_set (h->element, "channels", CHANNELS_ALPHA, NULL);
  if (__i__ > 0)
    g_object_set (h->element, "attach-meta", FALSE, NULL);
  for (guint n = 0; n < 2; n++) {
    GstBuffer *buffer = flat_buffer (picture, BRIGHT + n, n * 40 * GST_MSECOND);
    GstBuffer *out = harness_run (h, buffer);

    if (__i__ == 0)
      fail_unless_equals_int (gst_structure_has_field (
                                  buffer_histogram (out, "luma"), "difference"),
          n > 0);
    gst_buffer_unref (out);
  }
  assert_none_told (h);
  for (guint n = 2; n < 4; n++)
    push (h, picture, BRIGHT + 1, n * 40);
  assert_told (h, "luma.difference > 0.25", FALSE, 0, 80, NONE);
  push (h, picture, DARK, 160);
  assert_told (h, "luma.difference > 0.25", TRUE, 0, 80, 80);
  assert_told (h, "luma.distance < 32", FALSE, BRIGHT + 1 - DARK, 160, NONE);
  assert_none_told (h);
  harness_free (h);
}

/* Frames whose region has no samples do not test: the failure before them is
 * neither ended nor prolonged. */
TEST (test_without_samples)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = posting_new (picture, USUAL ", luma.samples > 0");

  g_object_set (h->element, "expect-duration", 120 * GST_MSECOND, NULL);
  push (h, picture, DARK, 0);
  for (guint n = 1; n < 6; n++) {
    g_object_set (h->element, "roi-x", n < 4 ? 1000 : 0, NULL);
    assert_none_told (h);
    push (h, picture, DARK, n * 40);
  }
  assert_failed (h, 0);
  push (h, picture, BRIGHT, 240);
  assert_told (h, USUAL, TRUE, DARK, 0, 120);
  push_eos (h);
  assert_none_told (h);
  harness_free (h);
}

/* --- messages --- */

TEST (test_messages)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = posting_new (picture, USUAL ", luma.max != 100");

  push (h, picture, 20, 0);
  assert_none_told (h);
  push (h, picture, 16, 40);
  assert_told (h, USUAL, FALSE, 16, 40, NONE);
  push (h, picture, 15, 80);
  assert_none_told (h);
  push (h, picture, 100, 120);
  assert_told (h, USUAL, TRUE, 16, 40, 80);
  assert_told (h, "luma.max != 100", FALSE, 100, 120, NONE);
  push (h, picture, 14, 160);
  assert_told (h, USUAL, FALSE, 14, 160, NONE);
  assert_told (h, "luma.max != 100", TRUE, 100, 120, 40);
  assert_none_told (h);
  harness_free (h);
}

/* Conditions that fail at EOS are reported with their duration, if they have
 * failed for long enough or no frame has met them. */
TEST (test_eos)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = posting_new (picture,
      USUAL ", luma.max > 50, luma.min > 0, luma.mean > 100, "
            "luma.distance >= 0, luma.difference < 0");

  g_object_set (h->element, "expect-duration", 100 * GST_MSECOND, NULL);
  push (h, picture, BRIGHT, 0);
  push (h, picture, 40, 40);
  push (h, picture, DARK, 80);
  assert_told (h, "luma.mean > 100", FALSE, BRIGHT, 0, NONE);
  push (h, picture, DARK, 120);
  assert_told (h, "luma.max > 50", FALSE, 40, 40, NONE);
  assert_told (h, "luma.difference < 0", FALSE, BRIGHT - 40, 40, NONE);
  assert_none_told (h);
  push_eos (h);
  assert_told (h, "luma.max > 50", FALSE, 40, 40, 120);
  assert_told (h, "luma.mean > 100", FALSE, BRIGHT, 0, 160);
  assert_told (h, "luma.difference < 0", FALSE, BRIGHT - 40, 40, 120);
  assert_none_told (h);
  harness_free (h);
}

/* --- conditions that no frame has met --- */

/* Streams of these frames, all of them shorter than expect-duration: 'b' is
 * bright, 'd' dark, 'e' a frame whose region is empty, 'g' an empty gap, 'f' a
 * flush, 'x' sets the condition to `expect`. At EOS there is the error, if any,
 * and a message with `n_fields` fields. */
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
    GstBuffer *gap;

    g_object_set (h->element, "roi-x", frames[n] == 'e' ? 1000 : 0, NULL);
    switch (frames[n]) {
      case 'g':
        gap = gst_buffer_new ();
        GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP);
        harness_pass (h, gap);
        break;
      case 'f':
        harness_flush (h);
        break;
      case 'x':
        g_object_set (h->element, "expect", "luma.mean >= 21", NULL);
        break;
      default:
        push (h, picture, frames[n] == 'd' ? DARK : BRIGHT, n * 40);
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
  GstHarness *h = harness_new_for (picture, "expect", ends[end].expect,
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
  harness_free (h);
}

/* The error comes before EOS is sent on, and names all conditions. */
TEST (test_error_at_eos)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = harness_new_for (picture, "expect",
      "luma.max > 99, " USUAL ", luma.difference < 9", "expect-duration",
      GST_SECOND, NULL);

  push (h, picture, DARK, 0);
  gst_harness_set_drop_buffers (h, FALSE);
  push_eos (h);
  g_free (assert_stream_error (h,
      "luma.max > 99 is not met: 16 at 0:00:00.000, for the only frame; " USUAL
      " is not met: 16 at 0:00:00.000, for the only frame; "
      "luma.difference < 9 was never tested: 1 frame came"));
  harness_free (h);
}

/* A condition that was never tested has no times. */
TEST (test_never_tested)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = posting_new (picture, USUAL);
  g_autoptr (GstMessage) message = NULL;
  const GstStructure *structure;
  guint64 time = 0, duration = 1;

  push_eos (h);
  message = pop (h);
  fail_unless (message != NULL);
  structure = gst_message_get_structure (message);
  fail_unless (!gst_structure_has_field (structure, "value"));
  fail_unless (gst_structure_get (structure, "stream-time", G_TYPE_UINT64,
      &time, "duration", G_TYPE_UINT64, &duration, NULL));
  fail_unless_equals_uint64 (time, GST_CLOCK_TIME_NONE);
  fail_unless_equals_uint64 (duration, 0);
  harness_free (h);
}

/* Stopping before EOS says nothing. */
TEST (test_stop)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = harness_new_for (
      picture, "expect", USUAL, "expect-duration", GST_SECOND, NULL);

  push (h, picture, DARK, 0);
  element_set_state (h->element, GST_STATE_READY);
  assert_none_told (h);
  harness_free (h);
}

/* A flush (0), a stop (1), and new conditions (2) begin anew, also without any
 * in between (3). */
TEST (test_begins_anew)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = posting_new (picture, USUAL);

  push (h, picture, DARK, 0);
  assert_failed (h, 0);
  switch (__i__) {
    case 0:
      harness_flush (h);
      break;
    case 1:
      element_set_state (h->element, GST_STATE_READY);
      harness_restart (h, picture);
      break;
    case 2:
      g_object_set (h->element, "expect", "luma.max > 2, " USUAL, NULL);
      break;
    default:
      g_object_set (h->element, "expect", NULL, NULL);
      push (h, picture, DARK, 20);
      g_object_set (h->element, "expect", USUAL, NULL);
  }
  push (h, picture, DARK, 40);
  assert_failed (h, 40);
  push_eos (h);
  assert_told (h, USUAL, FALSE, DARK, 40, 40);
  harness_free (h);
}

/* The same conditions again, another duration, and other properties do not. */
TEST (test_goes_on)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = posting_new (picture, USUAL);

  g_object_set (h->element, "expect-duration", GST_SECOND, NULL);
  push (h, picture, DARK, 0);
  g_object_set (h->element, "expect", USUAL, NULL);
  push (h, picture, DARK, 40);
  g_object_set (h->element, "equalization", EQUALIZATION_GLOBAL, NULL);
  push (h, picture, DARK, 80);
  assert_none_told (h);
  g_object_set (h->element, "expect-duration", 100 * GST_MSECOND, NULL);
  push (h, picture, DARK, 120);
  assert_failed (h, 0);
  push (h, picture, BRIGHT, 160);
  assert_told (h, USUAL, TRUE, DARK, 0, 160);
  harness_free (h);
}

/* --- durations --- */

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
  g_autoptr (GstMessage) message = pop (h);
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
  GstHarness *h = posting_new (picture, USUAL);
  GstCaps *caps = video_caps ("GRAY8", picture->width, picture->height, NULL);
  const guint end = rates[__i__].first + rates[__i__].n_failing;

  gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, rates[__i__].fps_n,
      rates[__i__].fps_d, NULL);
  gst_harness_set_src_caps (h, caps);
  g_object_set (h->element, "expect-duration", rates[__i__].min_duration, NULL);
  for (guint n = 0; n < end + 3; n++) {
    GstBuffer *buffer = flat_buffer (picture,
        n >= rates[__i__].first && n < end ? DARK : BRIGHT,
        rates[__i__].has_times ? nth_time (__i__, n) : GST_CLOCK_TIME_NONE);

    GST_BUFFER_DURATION (buffer) = rates[__i__].has_durations
        ? nth_time (__i__, n + 1) - nth_time (__i__, n)
        : GST_CLOCK_TIME_NONE;
    harness_pass (h, buffer);
  }
  if (rates[__i__].start != NONE) {
    assert_told_at_rate (h, __i__, FALSE);
    assert_told_at_rate (h, __i__, TRUE);
  }
  assert_none_told (h);
  harness_free (h);
}

/* Frames without timestamps, durations and framerate last until the next one
 * arrives. */
TEST (test_real_time)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = posting_new (picture, USUAL);
  GstCaps *caps = video_caps ("GRAY8", picture->width, picture->height, NULL);

  gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, 0, 1, NULL);
  gst_harness_set_src_caps (h, caps);
  g_object_set (h->element, "expect-duration", 20 * GST_MSECOND, NULL);
  for (guint n = 0; n < 2; n++) {
    GstBuffer *buffer = flat_buffer (picture, DARK, 0);
    GstMessage *message = pop (h);

    fail_unless (message == NULL);
    GST_BUFFER_PTS (buffer) = GST_BUFFER_DURATION (buffer) =
        GST_CLOCK_TIME_NONE;
    harness_pass (h, buffer);
    g_usleep (30000);
  }
  fail_unless_equals_int (
      gst_bus_have_pending (GST_ELEMENT_BUS (h->element)), TRUE);
  harness_free (h);
}

/* A pause counts: the frame before is shown for longer. */
TEST (test_pause)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = posting_new (picture, USUAL);

  g_object_set (h->element, "expect-duration", GST_SECOND, NULL);
  push (h, picture, DARK, 0);
  push (h, picture, BRIGHT, 1000);
  assert_told (h, USUAL, FALSE, DARK, 0, NONE);
  assert_told (h, USUAL, TRUE, DARK, 0, 1000);
  harness_free (h);
}

/* A jump to a new segment, forwards (0) or back (1), and a jump back within a
 * segment (2) do not. */
TEST (test_jump)
{
  const gint to = __i__ == 0 ? 50000 : 1000;
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = posting_new (picture, USUAL);

  g_object_set (h->element, "expect-duration", 100 * GST_MSECOND, NULL);
  push (h, picture, DARK, 2000);
  if (__i__ < 2)
    push_segment (h, 1.0, to * GST_MSECOND, to * GST_MSECOND);
  push (h, picture, DARK, to);
  assert_none_told (h);
  push (h, picture, DARK, to + 40);
  assert_failed (h, 2000);
  push (h, picture, BRIGHT, to + 80);
  assert_told (h, USUAL, TRUE, DARK, 2000, 120);
  harness_free (h);
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
  /* before the segment, and below stream time 0 */
  { 1, 1, 10000, 10000, { 9960, 10000, 10040, 10080 }, 120, 2 },
  { 1, 1, 10000, 0, { 9920, 9960, 10000, 10040 }, 160, 3 },
  { 1, 1, 10000, 0, { 9920, 10040, 10080, 10120 }, 160, 1 },
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
  GstHarness *h = posting_new (picture, USUAL);
  GstSegment segment;
  guint n = 0;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.rate = times[__i__].rate;
  segment.applied_rate = times[__i__].applied_rate;
  segment.start = times[__i__].start * GST_MSECOND;
  segment.stop = 100 * GST_SECOND;
  segment.time = times[__i__].time * GST_MSECOND;
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  g_object_set (
      h->element, "expect-duration", times[__i__].duration * GST_MSECOND, NULL);
  for (gboolean is_told = FALSE; !is_told; n++) {
    const gint pts = times[__i__].pts[n];
    g_autoptr (GstMessage) message = NULL;

    harness_pass (h,
        flat_buffer (picture, DARK,
            pts == NO_PTS ? GST_CLOCK_TIME_NONE : (guint) pts * GST_MSECOND));
    message = pop (h);
    is_told = message != NULL;
    fail_unless_equals_int (is_told, n == times[__i__].last);
  }
  harness_free (h);
}

/* Empty gaps are no frames. Frames flagged as gaps, videorate's, are. */
TEST (test_gap)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = posting_new (picture, USUAL);
  GstBuffer *gap = gst_buffer_new ();
  GstBuffer *repeated = flat_buffer (picture, DARK, 80 * GST_MSECOND);

  g_object_set (h->element, "expect-duration", 120 * GST_MSECOND, NULL);
  push (h, picture, DARK, 0);
  GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP);
  GST_BUFFER_PTS (gap) = 40 * GST_MSECOND;
  harness_pass (h, gap);
  assert_none_told (h);
  GST_BUFFER_FLAG_SET (repeated, GST_BUFFER_FLAG_GAP);
  harness_pass (h, repeated);
  assert_failed (h, 0);
  harness_free (h);
}

/* --- the error --- */

static GstFlowReturn
try_push (GstHarness *h, Picture *picture, guint8 value, gint ms)
{
  return gst_harness_push (h, flat_buffer (picture, value, ms * GST_MSECOND));
}

/* The frame is not sent on, nor are later ones. */
TEST (test_error)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = harness_new_for (picture, "frames-in-flight", 1, "expect",
      "luma.stddev < 1, " USUAL, NULL);
  g_autofree gchar *debug = NULL;

  push (h, picture, BRIGHT, 3160);
  fail_unless_equals_int (try_push (h, picture, DARK, 3200), GST_FLOW_ERROR);
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 0);
  assert_told (h, USUAL, FALSE, DARK, 3200, NONE);
  debug = assert_stream_error (h, USUAL " is not met: 16 at 0:00:03.200");
  fail_unless (
      strstr (debug,
          "It has failed for 0:00:00.040. luma of the last frame: "
          "samples 128, min 16, max 16, median 16, mean 16, stddev 0, ")
          != NULL,
      "%s", debug);
  fail_unless_equals_int (try_push (h, picture, DARK, 3240), GST_FLOW_ERROR);
  fail_unless_equals_int (try_push (h, picture, BRIGHT, 3280), GST_FLOW_ERROR);
  assert_none_told (h);
  harness_free (h); /* without another error */
}

/* Frames are taken again after a flush (0), a restart (1), with other
 * conditions (2), and if a failed condition is no error any more (3). */
TEST (test_after_error)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h =
      harness_new_for (picture, "frames-in-flight", 1, "expect", USUAL, NULL);

  try_push (h, picture, DARK, 0);
  g_free (assert_stream_error (h, USUAL " is not met: 16 at 0:00:00.000"));
  switch (__i__) {
    case 0:
      harness_flush (h);
      break;
    case 1:
      element_set_state (h->element, GST_STATE_READY);
      harness_restart (h, picture);
      break;
    case 2:
      g_object_set (h->element, "expect", "luma.mean <= 100", NULL);
      break;
    default:
      g_object_set (h->element, "expect-error", FALSE, NULL);
  }
  push (h, picture, BRIGHT, 40);
  harness_free (h);
}

/* A failure that was no error any more ends with a frame that meets the
 * condition, and the next one is an error again. */
TEST (test_error_again)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h =
      harness_new_for (picture, "frames-in-flight", 1, "expect", USUAL, NULL);

  try_push (h, picture, DARK, 0);
  g_free (assert_stream_error (h, USUAL " is not met: 16 at 0:00:00.000"));
  g_object_set (h->element, "expect-error", FALSE, NULL);
  push (h, picture, __i__ == 0 ? DARK : BRIGHT, 40);
  g_object_set (h->element, "expect-error", TRUE, NULL);
  push (h, picture, BRIGHT, 80);
  push (h, picture, BRIGHT, 120);
  fail_unless_equals_int (try_push (h, picture, DARK, 160), GST_FLOW_ERROR);
  g_free (assert_stream_error (h, USUAL " is not met: 16 at 0:00:00.160"));
  harness_free (h);
}

/* Conditions that are told with the same frame are one error. The locale does
 * not matter. */
TEST (test_one_error)
{
  g_autoptr (Picture) picture =
      picture_new ("GRAY8", 16, 8, PICTURE_TIGHT, 0, 0, 1);
  GstHarness *h = harness_new_for (picture, "frames-in-flight", 1, "expect",
      "luma.mean > 0.75, luma.max < 2, luma.samples=8294400", NULL);
  g_autofree gchar *debug = NULL;

  picture->data[0] = 64;
  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap_nth (picture, 91000)), GST_FLOW_ERROR);
  debug = assert_stream_error (h,
      "luma.mean > 0.75 is not met: 0.5 at 1:00:40.000; "
      "luma.max < 2 is not met: 64 at 1:00:40.000; "
      "luma.samples=8294400 is not met: 128 at 1:00:40.000");
  fail_unless (g_strstr_len (debug, -1, "\nIt has failed for") != NULL);
  harness_free (h);
}

/* With several frames in flight, they are tested in order, each against its own
 * conditions; the error comes when the frame is sent on, at the latest at EOS.
 */
TEST (test_in_flight)
{
  static const guint8 values[] = { BRIGHT, DARK, DARK, BRIGHT, 50, 50 };
  Picture *pictures[G_N_ELEMENTS (values)];
  GstHarness *h;

  for (guint n = 0; n < G_N_ELEMENTS (values); n++)
    pictures[n] = picture_small ("GRAY8");
  h = harness_new_for (pictures[0], "frames-in-flight", 8, "expect", USUAL,
      "expect-error", FALSE, NULL);
  for (guint n = 0; n < G_N_ELEMENTS (values); n++) {
    if (n == 4)
      g_object_set (h->element, "expect", "luma.max < 40", NULL);
    if (n == 5)
      g_object_set (h->element, "expect-error", TRUE, "expect-duration",
          80 * GST_MSECOND, NULL);
    fail_unless_equals_int (
        try_push (h, pictures[n], values[n], n * 40), GST_FLOW_OK);
  }
  /* setting them sends on no frames */
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
  assert_none_told (h);
  push_eos (h);
  assert_told (h, USUAL, FALSE, DARK, 40, NONE);
  assert_told (h, USUAL, TRUE, DARK, 40, 80);
  assert_told (h, "luma.max < 40", FALSE, 50, 160, NONE);
  assert_told (h, "luma.max < 40", FALSE, 50, 160, 80);
  assert_none_told (h);
  fail_unless_equals_int (gst_harness_buffers_received (h), 6);
  harness_free (h);
  for (guint n = 0; n < G_N_ELEMENTS (values); n++)
    picture_free (pictures[n]);
}

/* Frames after the one that fails are dropped. */
TEST (test_error_in_flight)
{
  g_autoptr (Picture) bright = picture_small ("GRAY8");
  g_autoptr (Picture) dark = picture_small ("GRAY8");
  GstHarness *h =
      harness_new_for (bright, "frames-in-flight", 4, "expect", USUAL, NULL);

  for (guint n = 0; n < 4; n++)
    fail_unless_equals_int (n == 1 ? try_push (h, dark, DARK, n * 40)
                                   : try_push (h, bright, BRIGHT, n * 40),
        GST_FLOW_OK);
  fail_unless_equals_int (try_push (h, bright, BRIGHT, 160), GST_FLOW_ERROR);
  assert_told (h, USUAL, FALSE, DARK, 40, NONE);
  g_free (assert_stream_error (h, USUAL " is not met: 16 at 0:00:00.040"));
  push_eos (h);
  assert_told (h, USUAL, FALSE, DARK, 40, 40);
  fail_unless_equals_int (gst_harness_buffers_received (h), 1);
  harness_free (h);
}

const ElementTest element_tests[] = { ONCE (test_spec),
  EACH (test_accepted, accepted), EACH (test_refused, refused),
  ONCE (test_too_many), TIMES (test_fields, N_CHANNELS), ONCE (test_arrived),
  ONCE (test_passthrough), EACH (test_named, named), ONCE (test_named_alone),
  TIMES (test_difference, 2), ONCE (test_without_samples), ONCE (test_messages),
  ONCE (test_eos), TIMES (test_never_met, 2 * G_N_ELEMENTS (ends)),
  ONCE (test_error_at_eos), ONCE (test_never_tested), ONCE (test_stop),
  TIMES (test_begins_anew, 4), ONCE (test_goes_on), EACH (test_rates, rates),
  ONCE (test_real_time), ONCE (test_pause), TIMES (test_jump, 3),
  EACH (test_times, times), ONCE (test_gap), ONCE (test_error),
  TIMES (test_after_error, 4), TIMES (test_error_again, 2),
  ONCE (test_one_error), ONCE (test_in_flight), ONCE (test_error_in_flight),
  { NULL } };
