/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "expectations.h"

GstHarness *
posting_new (const Picture *picture, const gchar *expect)
{
  return harness_new_for (
      picture, "expect", expect, "expect-error", FALSE, "qos", FALSE, NULL);
}

GstBuffer *
flat_buffer (Picture *picture, guint8 value, GstClockTime pts)
{
  GstBuffer *buffer = picture_wrap (picture);

  picture_fill (picture, "luma", value);
  GST_BUFFER_PTS (buffer) = pts;
  return buffer;
}

GstFlowReturn
push_flat (GstHarness *h, Picture *picture, guint8 value, gint ms)
{
  return gst_harness_push (h, flat_buffer (picture, value, ms * GST_MSECOND));
}

void
pass_flat (GstHarness *h, Picture *picture, guint8 value, gint ms)
{
  harness_pass (h, flat_buffer (picture, value, ms * GST_MSECOND));
}

void
push_eos (GstHarness *h)
{
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
}

GstMessage *
pop_told (GstHarness *h)
{
  GstMessage *message;

  while ((message = bus_pop (h->element, GST_MESSAGE_ELEMENT)) != NULL
      && !gst_message_has_name (message, "amphisto-expect"))
    gst_message_unref (message);
  return message;
}

void
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

void
assert_told (GstHarness *h, const gchar *condition, gboolean is_met,
    gdouble value, gint start, gint duration)
{
  g_autoptr (GstMessage) message = pop_told (h);
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

void
assert_none_told (GstHarness *h)
{
  GstMessage *message = pop_told (h);

  fail_unless (message == NULL, "%" GST_PTR_FORMAT, (gpointer) message);
}

void
assert_failed (GstHarness *h, gint start)
{
  assert_told (h, USUAL, FALSE, DARK, start, NONE);
  assert_none_told (h);
}
