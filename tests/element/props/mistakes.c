/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Mistakes in GstAmphisto:expect: text that is refused, and conditions that the
 * format can never have. They are errors or warnings.
 */

#include "expectations.h"

/* There is exactly one error, of a mistake, whose text contains `part`. */
static void
assert_mistake (gpointer element, const gchar *part)
{
  g_autoptr (GError) error = bus_pop_error (element, NULL);

  assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, part);
}

static void
assert_no_mistake (gpointer element)
{
  GstMessage *message =
      bus_pop (element, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);

  fail_unless (message == NULL, "%" GST_PTR_FORMAT, (gpointer) message);
}

/* An element whose text was refused does not start, until the text is
 * corrected. */
TEST (test_mistake_at_start)
{
  GstElement *element = element_new (NULL, NULL);

  g_object_set (element, "expect", "luma.meen > 3", NULL);
  element_set_state (element, GST_STATE_READY);
  assert_not_warned (element);
  for (guint i = 0; i < 2; i++) {
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
        GST_STATE_CHANGE_FAILURE);
    assert_mistake (element, "\"luma.meen\" stands where luma.FIELD");
    element_set_state (element, i > 0 ? GST_STATE_NULL : GST_STATE_READY);
  }
  g_object_set (element, "expect", "luma.mean > 3", NULL);
  element_set_state (element, GST_STATE_PAUSED);
  assert_no_mistake (element);
  element_free (element);
}

/* Without expect-error, which may be set later than the text, the mistake is a
 * warning at each start. */
TEST (test_warning_at_start)
{
  GstElement *element = element_new (NULL, NULL);
  g_autofree gchar *got = NULL;

  g_object_set (element, "expect", USUAL, NULL);
  g_object_set (element, "expect", "luma.mean >", "expect-error", FALSE, NULL);
  for (guint i = 0; i < 2; i++) {
    assert_not_warned (element);
    element_set_state (element, GST_STATE_PAUSED);
    assert_refused (element,
        "the end stands where a number is allowed. The conditions stay as they "
        "were.");
    element_set_state (element, GST_STATE_READY);
  }
  g_object_get (element, "expect", &got, NULL);
  fail_unless_equals_string (got, USUAL);
  g_object_set (element, "expect-error", TRUE, NULL);
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  assert_mistake (element, "the end stands where a number is allowed.");
  element_free (element);
}

/* Refused settings that are corrected before the start leave no trace: in NULL
 * without a bus, in NULL, in READY. */
TEST (test_corrected)
{
  GstElement *element = gst_element_factory_make ("amphisto", NULL);
  GstBus *bus = gst_bus_new ();
  g_autoptr (GBytes) nothing = g_bytes_new (NULL, 0);

  gst_object_ref_sink (element);
  if (__i__ > 0)
    gst_element_set_bus (element, bus);
  if (__i__ == 2)
    element_set_state (element, GST_STATE_READY);
  g_object_set (element, "expect", "luma", NULL);
  g_object_set (element, "reference", nothing, "reference", NULL, NULL);
  g_object_set (element, "expect", USUAL, NULL);
  gst_element_set_bus (element, bus);
  gst_object_unref (bus);
  element_set_state (element, GST_STATE_PAUSED);
  assert_no_mistake (element);
  element_free (element);
}

/* While playing, the next frame is refused, and all others until the mistake is
 * corrected (0), or is no error any more (1). */
TEST (test_mistake_while_playing)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h =
      harness_new_for (picture, "frames-in-flight", 1, "expect", USUAL, NULL);

  pass_flat (h, picture, BRIGHT, 0);
  g_object_set (h->element, "expect", "luna.mean > 3", NULL);
  assert_no_mistake (h->element);
  for (guint n = 1; n < 4; n++) {
    fail_unless_equals_int (
        push_flat (h, picture, BRIGHT, n * 40), GST_FLOW_ERROR);
    if (n == 1)
      assert_mistake (h->element, "\"luna.mean\" stands where CHANNEL.FIELD");
    assert_no_mistake (h->element);
    g_object_set (h->element, "verify", n & 1, NULL);
  }
  fail_unless_equals_int (gst_harness_buffers_received (h), 1);
  if (__i__ == 0)
    g_object_set (h->element, "expect", "luma.mean < 20", NULL);
  else
    g_object_set (h->element, "expect-error", FALSE, NULL);
  pass_flat (h, picture, __i__ == 0 ? DARK : BRIGHT, 160);
  assert_no_mistake (h->element);
  pass_flat (h, picture, DARK, 200);
  fail_unless_equals_int (
      gst_bus_have_pending (GST_ELEMENT_BUS (h->element)), __i__ == 1);
}

/* It is still a mistake at EOS, and when it becomes an error. */
TEST (test_mistake_stays)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h =
      harness_new_for (picture, "expect", USUAL, "expect-error", FALSE, NULL);

  pass_flat (h, picture, BRIGHT, 0);
  g_object_set (h->element, "expect", "luma", NULL);
  assert_refused (h->element, "\"luma\" stands where luma.FIELD");
  pass_flat (h, picture, BRIGHT, 40);
  assert_no_mistake (h->element);
  g_object_set (h->element, "expect-error", TRUE, NULL);
  if (__i__ == 0)
    fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  else
    fail_unless_equals_int (push_flat (h, picture, BRIGHT, 80), GST_FLOW_ERROR);
  assert_mistake (h->element, "\"luma\" stands where luma.FIELD");
}

/* Conditions on channels that a format never has. */
static const struct
{
  const gchar *format, *expect, *part;
} impossible[] = {
  { "I420", "alpha.max < 3",
      "expect=\"alpha.max < 3\": conditions on alpha are not tested. I420 has "
      "luma, u, v, red, green, blue." },
  { "GRAY8", "luma.mean > 3, red.min < 3, v.mean < 3",
      "conditions on v, red are not tested. GRAY8 has luma." },
  { "RGBA", "u.mean < 3",
      "conditions on u are not tested. RGBA has luma, red, green, blue, "
      "alpha." },
};

/* They are an error with the caps. */
TEST (test_impossible)
{
  g_autoptr (Picture) picture = picture_small (impossible[__i__].format);
  g_autoptr (Harness) h = harness_new (
      "expect", impossible[__i__].expect, "frames-in-flight", 1, NULL);

  harness_set_caps (h, picture);
  for (guint n = 0; n < 2; n++)
    fail_unless_equals_int (
        gst_harness_push (h, picture_wrap (picture)), GST_FLOW_NOT_NEGOTIATED);
  assert_mistake (h->element, impossible[__i__].part);
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  assert_no_mistake (h->element);
}

/* With another frame if they are set while playing: an error (0), or a warning,
 * and the old conditions stay (1). */
TEST (test_impossible_while_playing)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, "frames-in-flight", 1,
      "expect", USUAL, "expect-error", __i__ == 0, NULL);
  g_autofree gchar *got = NULL;

  pass_flat (h, picture, BRIGHT, 0);
  g_object_set (h->element, "expect", "luma.max > 3, u.mean < 3", NULL);
  assert_no_mistake (h->element);
  if (__i__ == 0) {
    fail_unless_equals_int (push_flat (h, picture, DARK, 40), GST_FLOW_ERROR);
    assert_mistake (h->element, "conditions on u are not tested");
  } else {
    pass_flat (h, picture, DARK, 40);
    assert_refused_first (h->element,
        "conditions on u are not tested. GRAY8 has luma. The conditions stay "
        "as "
        "they were.");
    assert_failed (h, 40);
    g_object_get (h->element, "expect", &got, NULL);
    fail_unless_equals_string (got, USUAL);
  }
}

/* Without expect-error, conditions that new caps do not have are warned of, and
 * the others are tested. */
TEST (test_impossible_caps)
{
  g_autoptr (Picture) yuv = picture_small ("I420");
  g_autoptr (Picture) grey = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (yuv, "frames-in-flight", 1, "expect",
      "u.mean < 3, " USUAL, "expect-error", FALSE, NULL);

  picture_fill (yuv, "u", 2);
  pass_flat (h, yuv, BRIGHT, 0);
  assert_not_warned (h->element);
  harness_set_caps (h, grey);
  pass_flat (h, grey, DARK, 40);
  assert_refused_first (h->element, "conditions on u are not tested");
  assert_failed (h, 40);
}

const ElementTest element_tests[] = { ONCE (test_mistake_at_start),
  ONCE (test_warning_at_start), TIMES (test_corrected, 3),
  TIMES (test_mistake_while_playing, 2), TIMES (test_mistake_stays, 2),
  EACH (test_impossible, impossible), TIMES (test_impossible_while_playing, 2),
  ONCE (test_impossible_caps), { NULL } };
