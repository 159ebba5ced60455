/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Expectations: the text, the fields, and the error.
 */

#include "clfaults.h"
#include "core/measure/picture.h"
#include "core/measure/statistics.h"
#include "expectations.h"

#include <string.h>

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

/* --- the text --- */

TEST (test_spec)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  GParamSpec *spec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), "expect");
  g_autofree gchar *expect = NULL;

  fail_unless (G_IS_PARAM_SPEC_STRING (spec));
  fail_unless (spec->flags & GST_PARAM_MUTABLE_PLAYING);
  fail_unless (!(spec->flags & GST_PARAM_CONTROLLABLE));
  g_object_get (element, "expect", &expect, NULL);
  fail_unless (expect == NULL);
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
  { "luma.p0 < 16, luma.p100 = 16, luma.p98>37,luma.p0.50 = 16",
      { "luma.p0 < 16", "luma.p98>37" } },
  { "luma.p100.0 > 16, luma.p007 < 17, luma.p99.999 != 16",
      { "luma.p100.0 > 16", "luma.p99.999 != 16" } },
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
  g_autoptr (Harness) h = posting_new (picture, text);
  g_autofree gchar *got = NULL;

  g_object_get (h->element, "expect", &got, NULL);
  fail_unless_equals_string (got, text);
  pass_flat (h, picture, DARK, 0);
  for (guint i = 0; accepted[__i__].failed[i] != NULL; i++)
    assert_told (h, accepted[__i__].failed[i], FALSE, DARK, 0, NONE);
  assert_none_told (h);
}

#define ANY_OPERATOR "<, <=, =, !=, >= or >"

/* Texts, and the warning's words. */
static const struct
{
  const gchar *text, *part;
} refused[] = {
  { "luna.mean > 3", "\"luna.mean\" stands where CHANNEL.FIELD with one of" },
  { "luma.mean > 3, 3 > 2", "in \"3 > 2\", \"3\" stands where CHANNEL.FIELD" },
  { "luma.mean > 3,",
      "in \"luma.mean > 3,\", a condition is missing: CHANNEL.FIELD with one "
      "of the channels luma, u, " },
  { ", luma.mean > 3", "in \", luma.mean > 3\", a condition is missing" },
  { "   ", "a condition is missing: CHANNEL.FIELD" },
  { "luma > 3", "\"luma\" stands where luma.FIELD with one of the fields" },
  { "u.difference > 3", "\"u.difference\" stands where u.FIELD" },
  { "picture > 3", "\"picture\" stands where picture.FIELD with one of the" },
  { "luma.active-x > 3", "\"luma.active-x\" stands where luma.FIELD" },
  { "Luma.mean > 3", "\"Luma.mean\" stands" },
  { "luma.percentiles > 3", "\"luma.percentiles\" stands" },
  { "luma.p100.5 > 3", "\"luma.p100.5\" stands where luma.FIELD with one of" },
  { "luma.p101 > 3", "\"luma.p101\" stands where luma.FIELD" },
  { "luma.p > 3", "\"luma.p\" stands where luma.FIELD" },
  { "luma.p98. > 3", "\"luma.p98.\" stands where luma.FIELD" },
  { "luma.p.5 > 3", "\"luma.p.5\" stands where luma.FIELD" },
  { "luma.p9.8.7 > 3", "\"luma.p9.8.7\" stands where luma.FIELD" },
  { "luma.p-1 > 3", "\"luma.p-1\" stands where luma.FIELD" },
  { "luma.p1e1 > 3", "\"luma.p1e1\" stands where luma.FIELD" },
  { "luma.P98 > 3", "\"luma.P98\" stands where luma.FIELD" },
  { "picture.p98 > 3", "\"picture.p98\" stands where picture.FIELD" },
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
  g_autoptr (Harness) h = posting_new (picture, USUAL);
  g_autofree gchar *got = NULL;

  g_object_set (h->element, "expect", refused[__i__].text, NULL);
  assert_refused (h->element, refused[__i__].part);
  g_object_get (h->element, "expect", &got, NULL);
  fail_unless_equals_string (got, USUAL);
  pass_flat (h, picture, DARK, 0);
  assert_failed (h, 0);
}

static const gchar *
nth_channel (guint n)
{
  return amphisto_channel_name (n);
}

static const gchar *
nth_field (guint n)
{
  return amphisto_field_name (n);
}

static const gchar *
nth_picture_field (guint n)
{
  return amphisto_picture_field_name (n);
}

/* The warning lists the names that are allowed there: channels, or fields.
 * Those of the comparison are the last, and only luma has them. */
#define OR_PICTURE ", or picture.FIELD"
#define OR_PERCENTILE ", or a percentile, p0 to p100,"
static const struct
{
  const gchar *text, *before;
  const gchar *(*nth_name) (guint n);
  guint n;
  const gchar *after;
} listed[] = {
  { "luna.mean > 3", "channels", nth_channel, AMPHISTO_N_CHANNELS, OR_PICTURE },
  { "luma.men > 3", "fields", nth_field, AMPHISTO_N_FIELDS, OR_PERCENTILE },
  { "u.men > 3", "fields", nth_field, AMPHISTO_FIELD_DIFFERENCE,
      OR_PERCENTILE },
  { "picture.men > 3", "fields", nth_picture_field, AMPHISTO_N_PICTURE_FIELDS,
      "" },
};

TEST (test_listed)
{
  g_autoptr (TestElement) element = element_new ("expect-error", FALSE, NULL);
  g_autoptr (GString) names = g_string_new (NULL);

  element_set_state (element, GST_STATE_PAUSED);
  g_object_set (element, "expect", listed[__i__].text, NULL);
  for (guint i = 0; i < listed[__i__].n; i++)
    g_string_append_printf (
        names, "%s%s", i == 0 ? " " : ", ", listed[__i__].nth_name (i));
  g_string_prepend (names, listed[__i__].before);
  g_string_append_printf (names, "%s is allowed", listed[__i__].after);
  assert_refused (element, names->str);
}

/* Up to 32 conditions in 1023 bytes. */
TEST (test_too_many)
{
  g_autoptr (TestElement) element = element_new ("expect-error", FALSE, NULL);
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
}

/* --- fields --- */

/* Each field of each channel but comparisons has the value of the metadata. */
TEST (test_fields)
{
  const gchar *channel = amphisto_channel_name (__i__);
  g_autoptr (Picture) picture = picture_small ("A420");
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (Harness) h = harness_new_for (
      picture, "expect-error", FALSE, "channels", CHANNELS_ALL, NULL);
  GstBuffer *out;

  for (guint f = 0; f < AMPHISTO_FIELD_DIFFERENCE; f++)
    g_string_append_printf (
        text, "%s%s.%s < -1", f > 0 ? "," : "", channel, nth_field (f));
  g_object_set (h->element, "expect", text->str, NULL);
  out = harness_run (h, picture_wrap (picture));
  for (guint f = 0; f < AMPHISTO_FIELD_DIFFERENCE; f++) {
    g_autofree gchar *condition =
        g_strdup_printf ("%s.%s < -1", channel, nth_field (f));

    assert_told (h, condition, FALSE,
        structure_number (buffer_histogram (out, channel), nth_field (f)), 0,
        NONE);
  }
  assert_none_told (h);
  gst_buffer_unref (out);
}

/* A condition on a percentile has its value, measures its channel, and leaves
 * the array as it was set. */
TEST (test_percentile)
{
  const gchar *channel = amphisto_channel_name (__i__);
  g_autoptr (Picture) picture = picture_small ("A420");
  g_autofree gchar *condition = g_strdup_printf ("%s.p62.5 < -1", channel);
  g_autoptr (Harness) h = posting_new (picture, condition);
  const GstStructure *histogram;
  const GValue *array;
  GstBuffer *out;

  gst_util_set_object_arg (G_OBJECT (h->element), "percentiles", "<3,62.5>");
  g_object_set (h->element, "channels", 0, NULL);
  out = harness_run (h, picture_wrap (picture));
  histogram = buffer_histogram (out, channel);
  array = gst_structure_get_value (histogram, "percentiles");
  fail_unless_equals_int (gst_value_array_get_size (array), 2);
  assert_told (h, condition, FALSE,
      g_value_get_uint (gst_value_array_get_value (array, 1)), 0, NONE);
  assert_none_told (h);
  gst_buffer_unref (out);
}

/* Without metadata and messages, frames are tested and pass untouched. */
TEST (test_passthrough)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, "expect", USUAL,
      "expect-error", FALSE, "attach-meta", FALSE, NULL);
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
  pass_flat (h, picture, DARK, 40);
  assert_none_told (h);
  fail_unless (
      gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (h->element)));
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
  { "NV12", "saturation.mean < 0", "luma saturation" },
  { "RGBA", "alpha.mean < 0, red.max < 0", "luma red green blue alpha" },
};

TEST (test_named)
{
  g_autoptr (Picture) picture = picture_small (named[__i__].format);
  g_autoptr (Harness) h = posting_new (picture, named[__i__].expect);
  g_autoptr (GString) channels = g_string_new (NULL);
  GstBuffer *out = harness_run (h, picture_wrap (picture));
  g_autoptr (GstMessage) message = pop_told (h);

  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (gst_structure_has_field (
            buffer_structure (out), amphisto_channel_name (c)))
      g_string_append_printf (channels, "%s%s", channels->len > 0 ? " " : "",
          amphisto_channel_name (c));
  fail_unless_equals_string (channels->str, named[__i__].channels);
  fail_unless (message != NULL);
  gst_buffer_unref (out);
}

/* Frames are compared for a condition, which the first one does not test. */
TEST (test_difference)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h =
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
    pass_flat (h, picture, BRIGHT + 1, n * 40);
  assert_told (h, "luma.difference > 0.25", FALSE, 0, 80, NONE);
  pass_flat (h, picture, DARK, 160);
  assert_told (h, "luma.difference > 0.25", TRUE, 0, 80, 80);
  assert_told (h, "luma.distance < 32", FALSE, BRIGHT + 1 - DARK, 160, NONE);
  assert_none_told (h);
}

/* The error comes before EOS is sent on, and names all conditions. */
TEST (test_error_at_eos)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, "expect",
      "luma.max > 99, " USUAL ", luma.difference < 9", "expect-duration",
      GST_SECOND, NULL);

  pass_flat (h, picture, DARK, 0);
  gst_harness_set_drop_buffers (h, FALSE);
  push_eos (h);
  g_free (assert_stream_error (h,
      "luma.max > 99 is not met: 16 at 0:00:00.000, for the only frame; " USUAL
      " is not met: 16 at 0:00:00.000, for the only frame; "
      "luma.difference < 9 was never tested: 1 frame came"));
}

/* --- the error --- */

/* The frame is not sent on, nor are later ones. */
TEST (test_error)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstHarness *h = harness_new_for (picture, "frames-in-flight", 1, "expect",
      "luma.stddev < 1, " USUAL, NULL);
  g_autofree gchar *debug = NULL;

  pass_flat (h, picture, BRIGHT, 3160);
  fail_unless_equals_int (push_flat (h, picture, DARK, 3200), GST_FLOW_ERROR);
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 0);
  assert_told (h, USUAL, FALSE, DARK, 3200, NONE);
  debug = assert_stream_error (h, USUAL " is not met: 16 at 0:00:03.200");
  fail_unless (
      strstr (debug,
          "It has failed for 0:00:00.040. luma of the last frame: "
          "samples 128, min 16, max 16, median 16, mean 16, stddev 0, ")
          != NULL,
      "%s", debug);
  fail_unless_equals_int (push_flat (h, picture, DARK, 3240), GST_FLOW_ERROR);
  fail_unless_equals_int (push_flat (h, picture, BRIGHT, 3280), GST_FLOW_ERROR);
  assert_none_told (h);
  harness_free (h); /* without another error */
}

/* Frames are taken again after a flush (0), a restart (1), with other
 * conditions (2), and if a failed condition is no error any more (3). */
TEST (test_after_error)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h =
      harness_new_for (picture, "frames-in-flight", 1, "expect", USUAL, NULL);

  push_flat (h, picture, DARK, 0);
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
  pass_flat (h, picture, BRIGHT, 40);
}

/* A failure that was no error any more ends with a frame that meets the
 * condition, and the next one is an error again. */
TEST (test_error_again)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h =
      harness_new_for (picture, "frames-in-flight", 1, "expect", USUAL, NULL);

  push_flat (h, picture, DARK, 0);
  g_free (assert_stream_error (h, USUAL " is not met: 16 at 0:00:00.000"));
  g_object_set (h->element, "expect-error", FALSE, NULL);
  pass_flat (h, picture, __i__ == 0 ? DARK : BRIGHT, 40);
  g_object_set (h->element, "expect-error", TRUE, NULL);
  pass_flat (h, picture, BRIGHT, 80);
  pass_flat (h, picture, BRIGHT, 120);
  fail_unless_equals_int (push_flat (h, picture, DARK, 160), GST_FLOW_ERROR);
  g_free (assert_stream_error (h, USUAL " is not met: 16 at 0:00:00.160"));
}

/* Conditions that are told with the same frame are one error. The locale does
 * not matter. */
TEST (test_one_error)
{
  g_autoptr (Picture) picture =
      picture_new ("GRAY8", 16, 8, PICTURE_TIGHT, 0, 0, 1);
  g_autoptr (Harness) h =
      harness_new_for (picture, "frames-in-flight", 1, "expect",
          "luma.mean > 0.75, luma.p99.50 < 2, luma.samples=8294400", NULL);
  g_autofree gchar *debug = NULL;

  picture->data[0] = 64;
  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap_nth (picture, 91000)), GST_FLOW_ERROR);
  debug = assert_stream_error (h,
      "luma.mean > 0.75 is not met: 0.5 at 1:00:40.000; "
      "luma.p99.50 < 2 is not met: 64 at 1:00:40.000; "
      "luma.samples=8294400 is not met: 128 at 1:00:40.000");
  fail_unless (g_strstr_len (debug, -1, "\nIt has failed for") != NULL);
  fail_unless (strstr (debug, "frame: p99.5 64, samples 128, ") != NULL);
  push_eos (h); /* no second error, of conditions that were never met */
}

/* Frames after the one that fails are dropped. */
TEST (test_error_in_flight)
{
  g_autoptr (Picture) bright = picture_small ("GRAY8");
  g_autoptr (Picture) dark = picture_small ("GRAY8");
  g_autoptr (Harness) h =
      harness_new_for (bright, "frames-in-flight", 4, "expect", USUAL, NULL);

  clfaults_hold_frames (TRUE);
  for (guint n = 0; n < 4; n++)
    fail_unless_equals_int (n == 1 ? push_flat (h, dark, DARK, n * 40)
                                   : push_flat (h, bright, BRIGHT, n * 40),
        GST_FLOW_OK);
  clfaults_hold_frames (FALSE);
  harness_drain (h);
  fail_unless_equals_int (push_flat (h, bright, BRIGHT, 160), GST_FLOW_ERROR);
  assert_told (h, USUAL, FALSE, DARK, 40, NONE);
  g_free (assert_stream_error (h, USUAL " is not met: 16 at 0:00:00.040"));
  push_eos (h);
  assert_told (h, USUAL, FALSE, DARK, 40, 40);
  fail_unless_equals_int (gst_harness_buffers_received (h), 1);
}

const ElementTest element_tests[] = { ONCE (test_spec),
  EACH (test_accepted, accepted), EACH (test_refused, refused),
  EACH (test_listed, listed), ONCE (test_too_many),
  TIMES (test_fields, AMPHISTO_N_CHANNELS),
  TIMES (test_percentile, AMPHISTO_N_CHANNELS), ONCE (test_passthrough),
  EACH (test_named, named), TIMES (test_difference, 2),
  ONCE (test_error_at_eos), ONCE (test_error), TIMES (test_after_error, 4),
  TIMES (test_error_again, 2), ONCE (test_one_error),
  ONCE (test_error_in_flight), { 0 } };
