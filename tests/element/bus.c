/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "harnesses.h"

#include <string.h>

GstMessage *
bus_pop (gpointer element, GstMessageType type)
{
  return gst_bus_pop_filtered (GST_ELEMENT_BUS (element), type);
}

void
fail_for_message (GstMessage *message)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *debug = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, &debug);
  else
    gst_message_parse_warning (message, &error, &debug);
  fail ("%s of %s: %s (%s)", GST_MESSAGE_TYPE_NAME (message),
      GST_MESSAGE_SRC_NAME (message), error->message, debug);
}

void
fail_for_error (gpointer element)
{
  g_autoptr (GstMessage) message = GST_ELEMENT_BUS (element) != NULL
      ? bus_pop (element, GST_MESSAGE_ERROR)
      : NULL;

  if (message != NULL)
    fail_for_message (message);
}

void
pipeline_run (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (
      bus, 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL, "no end of stream");
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    fail_for_message (message);
}

GError *
bus_pop_error (gpointer element, gchar **debug)
{
  g_autoptr (GstMessage) message = bus_pop (element, GST_MESSAGE_ERROR);
  GError *error = NULL;

  fail_unless (message != NULL, "no error");
  gst_message_parse_error (message, &error, debug);
  fail_unless (bus_pop (element, GST_MESSAGE_ERROR) == NULL, "a second error");
  return error;
}

void
assert_error (const GError *error, GQuark domain, gint code, const gchar *part)
{
  fail_unless (g_error_matches (error, domain, code), "%s (%d): %s",
      g_quark_to_string (error->domain), error->code, error->message);
  fail_unless (strstr (error->message, part) != NULL, "no \"%s\" in: %s", part,
      error->message);
}

/* Returns: (transfer full): the next warning on the element's bus, or NULL. */
static GError *
bus_pop_warning (gpointer element)
{
  g_autoptr (GstMessage) message = bus_pop (element, GST_MESSAGE_WARNING);
  GError *warning = NULL;

  if (message != NULL)
    gst_message_parse_warning (message, &warning, NULL);
  return warning;
}

void
assert_warned (gpointer element, GQuark domain, gint code, const gchar *part)
{
  g_autoptr (GError) warning = bus_pop_warning (element);

  fail_unless (warning != NULL, "no warning of %s", part);
  assert_error (warning, domain, code, part);
}

void
assert_refused_first (gpointer element, const gchar *part)
{
  assert_warned (
      element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, part);
}

void
assert_refused (gpointer element, const gchar *part)
{
  assert_refused_first (element, part);
  assert_not_warned (element);
}

void
drop_refused (gpointer element, const gchar *part)
{
  for (GError *warning; (warning = bus_pop_warning (element)) != NULL;) {
    assert_error (
        warning, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, part);
    g_error_free (warning);
  }
}

void
assert_not_warned (gpointer element)
{
  g_autoptr (GError) warning = bus_pop_warning (element);

  if (warning != NULL)
    fail ("a warning: %s", warning->message);
}
