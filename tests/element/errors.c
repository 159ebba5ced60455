/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What users are told when something is wrong with the device that they chose
 * or with the frames that they send; and that the element goes on afterwards.
 */

#include "harnesses.h"

/* The one error on the element's bus, which has such a domain and code; its
 * text, to be freed. */
static gchar *
pop_error (GstElement *element, GQuark domain, gint code)
{
  GstMessage *message = bus_pop (element, GST_MESSAGE_ERROR);
  GError *error = NULL;
  gchar *text;

  fail_unless (message != NULL, "no error");
  gst_message_parse_error (message, &error, NULL);
  gst_message_unref (message);
  fail_unless (g_error_matches (error, domain, code), "%s (%d): %s",
      g_quark_to_string (error->domain), error->code, error->message);
  text = g_strdup (error->message);
  g_error_free (error);
  message = bus_pop (element, GST_MESSAGE_ERROR);
  fail_unless (message == NULL, "a second error");
  return text;
}

static void
assert_contains (const gchar *text, const gchar *part)
{
  fail_unless (strstr (text, part) != NULL, "no \"%s\" in: %s", part, text);
}

static void
assert_state (GstElement *element, GstState state, GstStateChangeReturn ret)
{
  fail_unless_equals_int (gst_element_set_state (element, state), ret);
}

static gchar *
device_name (gpointer element)
{
  gchar *name;

  g_object_get (element, "device-name", &name, NULL);
  return name;
}

/* No such device; the devices there are, are in the text; then another choice
 * in the same element works. */
GST_START_TEST (test_no_such_device)
{
  static const gchar *const choices[] = { "nonsense", "77.0", "0.77" };
  GstElement *element = element_new (NULL, NULL);
  g_autofree gchar *name = NULL;
  g_autofree gchar *text = NULL;

  assert_state (element, GST_STATE_READY, GST_STATE_CHANGE_SUCCESS);
  name = device_name (element);
  assert_state (element, GST_STATE_NULL, GST_STATE_CHANGE_SUCCESS);

  g_object_set (element, "device", choices[__i__], NULL);
  assert_state (element, GST_STATE_READY, GST_STATE_CHANGE_FAILURE);
  text = pop_error (element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND);
  assert_contains (text, choices[__i__]);
  assert_contains (text, name);
  assert_contains (text, "0.0");
  assert_state (element, GST_STATE_NULL, GST_STATE_CHANGE_SUCCESS);

  g_object_set (element, "device", name, NULL);
  assert_state (element, GST_STATE_PAUSED, GST_STATE_CHANGE_SUCCESS);
  element_free (element);
}

GST_END_TEST

/* Changed in READY to none that there is: READY to PAUSED fails. */
GST_START_TEST (test_changed_in_ready)
{
  GstElement *element = element_new (NULL, NULL);
  g_autofree gchar *name = NULL;
  g_autofree gchar *text = NULL;

  assert_state (element, GST_STATE_READY, GST_STATE_CHANGE_SUCCESS);
  name = device_name (element);
  g_object_set (element, "device", "nonsense", NULL);
  assert_state (element, GST_STATE_PAUSED, GST_STATE_CHANGE_FAILURE);
  text = pop_error (element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND);
  assert_contains (text, "nonsense");
  assert_state (element, GST_STATE_NULL, GST_STATE_CHANGE_SUCCESS);
  g_object_set (element, "device", name, NULL);
  assert_state (element, GST_STATE_PLAYING, GST_STATE_CHANGE_SUCCESS);
  element_free (element);
}

GST_END_TEST

/* Where the property says nothing, the environment does. */
GST_START_TEST (test_environment)
{
  GstElement *element = element_new (NULL, NULL);
  g_autofree gchar *name = NULL;
  g_autofree gchar *text = NULL;

  assert_state (element, GST_STATE_READY, GST_STATE_CHANGE_SUCCESS);
  name = device_name (element);
  assert_state (element, GST_STATE_NULL, GST_STATE_CHANGE_SUCCESS);
  fail_unless (g_setenv ("AMPHISTO_DEVICE", "nonsense", TRUE));
  assert_state (element, GST_STATE_READY, GST_STATE_CHANGE_FAILURE);
  text = pop_error (element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND);
  assert_contains (text, "nonsense");
  g_object_set (element, "device", name, NULL);
  assert_state (element, GST_STATE_READY, GST_STATE_CHANGE_SUCCESS);
  element_free (element);
}

GST_END_TEST

/* Sends the buffer, which is refused with RESOURCE/READ, and then, after NULL,
 * a good one. */
static void
check_refused (GstBuffer *buffer, Picture *good, gint equalization)
{
  GstHarness *h = harness_new ("equalization", equalization, NULL);
  g_autofree gchar *text = NULL;

  harness_set_caps (h, good);
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
  text = pop_error (h->element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ);
  assert_contains (text, "The frame can't be read");

  assert_state (h->element, GST_STATE_NULL, GST_STATE_CHANGE_SUCCESS);
  gst_harness_play (h);
  fail_unless (
      gst_harness_push_event (h, gst_event_new_stream_start ("again")));
  harness_set_caps (h, good);
  fail_unless (gst_harness_push_event (h,
      gst_event_new_segment (&(GstSegment){ .rate = 1.0,
          .applied_rate = 1.0,
          .format = GST_FORMAT_TIME,
          .stop = GST_CLOCK_TIME_NONE,
          .duration = GST_CLOCK_TIME_NONE })));
  gst_buffer_unref (harness_run (h, picture_wrap (good)));
  harness_free (h);
}

/* Less memory than the caps say, as one piece and behind a GstVideoMeta. */
GST_START_TEST (test_too_small)
{
  Picture *picture = picture_small ("I420");
  GstBuffer *buffer = __i__ & 1 ? picture_wrap (picture)
                                : gst_buffer_new_memdup (picture->data, 192);

  gst_buffer_set_size (buffer, (gssize) picture->size - 1);
  check_refused (buffer, picture, __i__ >> 1);
  picture_free (picture);
}

GST_END_TEST

GST_START_TEST (test_empty)
{
  Picture *picture = picture_small ("I420");

  check_refused (gst_buffer_new (), picture, __i__);
  picture_free (picture);
}

GST_END_TEST

/* A GstVideoMeta that contradicts the caps. */
static struct
{
  GstVideoFormat format;
  guint width, height, n_planes;
  gsize offset[4];
  gint stride[4];
} metas[] = {
  { GST_VIDEO_FORMAT_YV12, 16, 8, 3, { 0, 128, 160 }, { 16, 8, 8 } },
  { GST_VIDEO_FORMAT_I420, 15, 8, 3, { 0, 128, 160 }, { 16, 8, 8 } },
  { GST_VIDEO_FORMAT_I420, 16, 7, 3, { 0, 128, 160 }, { 16, 8, 8 } },
  { GST_VIDEO_FORMAT_I420, 16, 8, 3, { 0, 128, 161 }, { 16, 8, 8 } },
  { GST_VIDEO_FORMAT_I420, 16, 8, 3, { 0, 128, 160 }, { 100, 8, 8 } },
  { GST_VIDEO_FORMAT_I420, 16, 8, 3, { 0, 128, 160 }, { 15, 8, 8 } },
  { GST_VIDEO_FORMAT_I420, 16, 8, 3, { 0, 128, 160 }, { -16, 8, 8 } },
  { GST_VIDEO_FORMAT_I420, 16, 8, 3, { 0, 128, 192 }, { 16, 8, 8 } },
  { GST_VIDEO_FORMAT_I420, 16, 8, 3, { 0, 128, 100000 }, { 16, 8, 8 } },
  { GST_VIDEO_FORMAT_GRAY8, 16, 8, 1, { 0 }, { 16 } },
};

GST_START_TEST (test_wrong_meta)
{
  Picture *picture = picture_small ("I420");
  GstBuffer *buffer = gst_buffer_new_memdup (picture->data, picture->size);

  fail_unless_equals_int (picture->size, 192);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      metas[__i__].format, metas[__i__].width, metas[__i__].height,
      metas[__i__].n_planes, metas[__i__].offset, metas[__i__].stride);
  check_refused (buffer, picture, __i__ & 1);
  picture_free (picture);
}

GST_END_TEST

/* Caps that it can't take fail negotiation, without an error of its own. */
GST_START_TEST (test_caps)
{
  static const gchar *const wrong[] = {
    "video/x-raw, format=GRAY16_LE, width=8, height=8, framerate=25/1",
    "video/x-raw, format=I420_10LE, width=8, height=8, framerate=25/1",
    "video/x-raw, format=RGB16, width=8, height=8, framerate=25/1",
    "video/x-raw, format=NV12_64Z32, width=8, height=8, framerate=25/1",
    "video/x-raw(memory:GLMemory), format=RGBA, width=8, height=8, "
    "framerate=25/1",
    "audio/x-raw, format=S16LE, rate=8000, channels=1, layout=interleaved",
  };
  GstHarness *h = harness_new (NULL, NULL);

  gst_harness_set_src_caps (h, gst_caps_from_string (wrong[__i__]));
  fail_unless_equals_int (
      gst_harness_push (h, gst_buffer_new_allocate (NULL, 4096, NULL)),
      GST_FLOW_NOT_NEGOTIATED);
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
  harness_free (h);
}

GST_END_TEST

static Suite *
errors_suite (void)
{
  Suite *suite = suite_create ("errors");
  TCase *tc = tcase_create ("errors");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_no_such_device, 0, 3);
  tcase_add_test (tc, test_changed_in_ready);
  tcase_add_test (tc, test_environment);
  tcase_add_loop_test (tc, test_too_small, 0, 4);
  tcase_add_loop_test (tc, test_empty, 0, 2);
  tcase_add_loop_test (tc, test_wrong_meta, 0, G_N_ELEMENTS (metas));
  tcase_add_loop_test (tc, test_caps, 0, 6);
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "errors", errors_suite);
}
