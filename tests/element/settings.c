/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The properties: their interface, and when they take effect.
 */

#include "harnesses.h"

#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>

GST_START_TEST (test_defaults)
{
  GstElement *element = element_new (NULL, NULL);
  g_autofree gchar *device = NULL;
  g_autofree gchar *device_name = NULL;
  guint channels;
  gint equalization;
  gboolean attach_meta, post_messages, verify, qos;
  guint64 interval;
  gdouble strength;

  g_object_get (element, "device", &device, "device-name", &device_name,
      "channels", &channels, "attach-meta", &attach_meta, "post-messages",
      &post_messages, "interval", &interval, "equalization", &equalization,
      "strength", &strength, "verify", &verify, "qos", &qos, NULL);
  fail_unless (device == NULL);
  fail_unless (device_name == NULL);
  fail_unless_equals_int (channels, 1);
  fail_unless (attach_meta);
  fail_unless (!post_messages);
  fail_unless_equals_uint64 (interval, 100000000);
  fail_unless_equals_int (equalization, 0);
  fail_unless_equals_float (strength, 1.0);
  fail_unless (!verify);
  fail_unless (qos);
  element_free (element);
}

GST_END_TEST

static const struct
{
  const gchar *name;
  GType fundamental;
  gboolean live;
} specs[] = {
  { "channels", G_TYPE_FLAGS, TRUE },
  { "attach-meta", G_TYPE_BOOLEAN, TRUE },
  { "post-messages", G_TYPE_BOOLEAN, TRUE },
  { "interval", G_TYPE_UINT64, TRUE },
  { "equalization", G_TYPE_ENUM, TRUE },
  { "strength", G_TYPE_DOUBLE, TRUE },
  { "clip-limit", G_TYPE_DOUBLE, TRUE },
  { "tiles-x", G_TYPE_UINT, TRUE },
  { "tiles-y", G_TYPE_UINT, TRUE },
  { "verify", G_TYPE_BOOLEAN, TRUE },
  { "device", G_TYPE_STRING, FALSE },
};

GST_START_TEST (test_specs)
{
  GstElement *element = element_new (NULL, NULL);
  GObjectClass *class = G_OBJECT_GET_CLASS (element);
  GParamSpec *spec;

  for (guint i = 0; i < G_N_ELEMENTS (specs); i++) {
    const GParamFlags wanted = G_PARAM_READWRITE
        | (specs[i].live ? GST_PARAM_MUTABLE_PLAYING | GST_PARAM_CONTROLLABLE
                         : GST_PARAM_MUTABLE_READY);
    const GParamFlags all = wanted | GST_PARAM_MUTABLE_PLAYING
        | GST_PARAM_MUTABLE_PAUSED | GST_PARAM_MUTABLE_READY
        | GST_PARAM_CONTROLLABLE | GST_PARAM_CONDITIONALLY_AVAILABLE;

    spec = g_object_class_find_property (class, specs[i].name);
    fail_unless (spec != NULL, "no %s", specs[i].name);
    fail_unless ((spec->flags & all) == wanted, "flags of %s", specs[i].name);
    fail_unless (G_TYPE_FUNDAMENTAL (spec->value_type) == specs[i].fundamental);
  }
  spec = g_object_class_find_property (class, "device-name");
  fail_unless (spec != NULL);
  fail_unless_equals_int (spec->flags & G_PARAM_READWRITE, G_PARAM_READABLE);
  element_free (element);
}

GST_END_TEST

/* As gst-launch-1.0 would write them. */
GST_START_TEST (test_nicks)
{
  GstElement *element = element_new (NULL, NULL);
  guint channels;
  gint equalization;
  gdouble strength;

  gst_util_set_object_arg (
      G_OBJECT (element), "channels", "luma+chroma+rgb+alpha");
  gst_util_set_object_arg (G_OBJECT (element), "equalization", "global");
  gst_util_set_object_arg (G_OBJECT (element), "strength", "0.25");
  g_object_get (element, "channels", &channels, "equalization", &equalization,
      "strength", &strength, NULL);
  fail_unless_equals_int (channels, 0xf);
  fail_unless_equals_int (equalization, 1);
  fail_unless_equals_float (strength, 0.25);
  gst_util_set_object_arg (G_OBJECT (element), "equalization", "clahe");
  g_object_get (element, "equalization", &equalization, NULL);
  fail_unless_equals_int (equalization, 2);
  gst_util_set_object_arg (G_OBJECT (element), "equalization", "match");
  g_object_get (element, "equalization", &equalization, NULL);
  fail_unless_equals_int (equalization, 3);
  gst_util_set_object_arg (G_OBJECT (element), "channels", "chroma");
  gst_util_set_object_arg (G_OBJECT (element), "equalization", "none");
  g_object_get (
      element, "channels", &channels, "equalization", &equalization, NULL);
  fail_unless_equals_int (channels, 2);
  fail_unless_equals_int (equalization, 0);
  element_free (element);
}

GST_END_TEST

GST_START_TEST (test_element)
{
  GstElementFactory *factory = gst_element_factory_find ("amphisto");

  fail_unless (factory != NULL);
  fail_unless_equals_string (
      gst_element_factory_get_metadata (factory, GST_ELEMENT_METADATA_KLASS),
      "Filter/Effect/Analyzer/Video");
  fail_unless_equals_int (
      gst_element_factory_get_num_pad_templates (factory), 2);
  gst_object_unref (factory);
}

GST_END_TEST

/* Every format of the design, and those only. */
GST_START_TEST (test_formats)
{
  GstElement *element = element_new (NULL, NULL);
  GstPad *pad = gst_element_get_static_pad (element, __i__ ? "src" : "sink");
  GstCaps *caps = gst_pad_get_pad_template_caps (pad);
  const GValue *formats;

  fail_unless_equals_int (gst_caps_get_size (caps), 1);
  formats =
      gst_structure_get_value (gst_caps_get_structure (caps, 0), "format");
  fail_unless_equals_int (gst_value_list_get_size (formats), PICTURE_N_FORMATS);
  for (guint i = 0; i < PICTURE_N_FORMATS; i++) {
    GstCaps *one = video_caps (picture_formats[i].name, 8, 8, NULL);

    fail_unless (gst_caps_is_subset (one, caps));
    gst_caps_unref (one);
  }
  gst_caps_unref (caps);
  gst_object_unref (pad);
  element_free (element);
}

GST_END_TEST

/* What the properties say when a frame comes. */
typedef struct
{
  guint channels;
  gboolean attach_meta, post_messages;
  gint equalization;
  gfloat strength;
  const gchar *names;
} Setting;

static const Setting settings[] = {
  { 1, TRUE, FALSE, 0, 1.0f, "luma" },
  { 2, TRUE, TRUE, 0, 1.0f, "u v" },
  { 3, TRUE, FALSE, 1, 0.5f, "luma u v" },
  { 1, FALSE, FALSE, 0, 1.0f, NULL },
  { 1, FALSE, FALSE, 1, 1.0f, NULL },
  { 1, FALSE, TRUE, 0, 1.0f, NULL },
  { 0, TRUE, TRUE, 1, 0.25f, "" },
  { 1, FALSE, FALSE, 0, 1.0f, NULL },
  { 1, TRUE, FALSE, 0, 1.0f, "luma" },
};

static void
check_setting (GstHarness *h, Picture *picture, const Setting *setting)
{
  Picture *expected = picture_copy (picture);
  GstMessage *message;
  GstBuffer *out;

  g_object_set (h->element, "channels", setting->channels, "attach-meta",
      setting->attach_meta, "post-messages", setting->post_messages,
      "equalization", setting->equalization, "strength", setting->strength,
      NULL);
  out = harness_run (h, picture_wrap (picture));
  fail_unless_equals_int (buffer_n_metas (out), setting->attach_meta);
  if (setting->attach_meta)
    assert_histograms (out, expected, setting->names);
  message = bus_pop (h->element, GST_MESSAGE_ELEMENT);
  fail_unless_equals_int (message != NULL, setting->post_messages);
  if (message != NULL)
    gst_message_unref (message);
  if (setting->equalization)
    picture_equalize (expected, TRUE, setting->strength);
  fail_unless (picture_equal (picture, expected));
  gst_buffer_unref (out);
  picture_free (expected);
}

/* Each frame by what is set when it comes, to and from passthrough too. */
GST_START_TEST (test_live)
{
  GstHarness *h =
      harness_new ("interval", G_GUINT64_CONSTANT (0), "qos", FALSE, NULL);

  for (guint n = 0; n < 3 * G_N_ELEMENTS (settings); n++) {
    Picture *picture = picture_new ("I420", 40, 30, PICTURE_TIGHT, 60, 150, n);

    if (n == 0)
      harness_set_caps (h, picture);
    check_setting (h, picture, &settings[n % G_N_ELEMENTS (settings)]);
    picture_free (picture);
  }
  harness_free (h);
}

GST_END_TEST

typedef struct
{
  GstElement *element;
  gint stop;
} Changer;

static gpointer
change_settings (gpointer data)
{
  Changer *changer = data;

  while (!g_atomic_int_get (&changer->stop)) {
    g_object_set (changer->element, "strength", 0.0f, "channels", 2, NULL);
    g_object_set (changer->element, "strength", 1.0f, "channels", 1, NULL);
  }
  return NULL;
}

/* A frame's histograms and pixels are of one setting, though they change
 * while it is at work: strength is one of the two that were ever set. */
GST_START_TEST (test_changed_meanwhile)
{
  GstHarness *h = harness_new ("equalization", 1, "qos", FALSE, NULL);
  Changer changer = { h->element, 0 };
  GThread *thread = g_thread_new ("changer", change_settings, &changer);
  Picture *first = picture_small ("I420");

  harness_set_caps (h, first);
  for (guint n = 0; n < 200; n++) {
    Picture *picture = picture_copy (first);
    Picture *equalized = picture_copy (first);
    GstBuffer *out = harness_run (h, picture_wrap (picture));

    assert_histograms (
        out, first, buffer_histogram (out, "luma") != NULL ? "luma" : "u v");
    picture_equalize (equalized, TRUE, 1.0f);
    fail_unless (
        picture_equal (picture, first) || picture_equal (picture, equalized));
    gst_buffer_unref (out);
    picture_free (equalized);
    picture_free (picture);
  }
  g_atomic_int_set (&changer.stop, 1);
  g_thread_join (thread);
  picture_free (first);
  harness_free (h);
}

GST_END_TEST

static void
control (
    GstElement *element, const gchar *property, gdouble first, gdouble last)
{
  GstControlSource *source = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *values = GST_TIMED_VALUE_CONTROL_SOURCE (source);

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
  fail_unless (gst_timed_value_control_source_set (values, 0, first));
  fail_unless (
      gst_timed_value_control_source_set (values, 320 * GST_MSECOND, last));
  fail_unless (gst_object_add_control_binding (GST_OBJECT (element),
      gst_direct_control_binding_new (GST_OBJECT (element), property, source)));
  gst_object_unref (source);
}

/* strength rises from 0 to 1 in 8 frames. */
GST_START_TEST (test_controlled_strength)
{
  GstHarness *h = harness_new ("equalization", 1, NULL);

  control (h->element, "strength", 0.0, 1.0);
  for (guint n = 0; n <= 8; n++) {
    Picture *picture = picture_small ("GRAY8");
    Picture *expected = picture_copy (picture);

    if (n == 0)
      harness_set_caps (h, picture);
    gst_buffer_unref (harness_run (h, picture_wrap_nth (picture, n)));
    picture_equalize (expected, FALSE, n / 8.0f);
    fail_unless (picture_equal (picture, expected), "frame %u", n);
    picture_free (expected);
    picture_free (picture);
  }
  harness_free (h);
}

GST_END_TEST

/* attach-meta goes from passthrough to work by stream time, not by pts. */
GST_START_TEST (test_controlled_passthrough)
{
  GstHarness *h = harness_new ("attach-meta", FALSE, NULL);
  Picture *picture = picture_small ("GRAY8");
  GstSegment segment;

  control (h->element, "attach-meta", 0.0, 1.0);
  harness_set_caps (h, picture);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = GST_SECOND;
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  for (guint n = 0; n <= 8; n++) {
    GstBuffer *out = harness_run (h, picture_wrap_nth (picture, 25 + n));

    fail_unless_equals_int (buffer_n_metas (out), n >= 4);
    gst_buffer_unref (out);
  }
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* verify agrees, whatever there is to do. */
GST_START_TEST (test_verify)
{
  GstHarness *h =
      harness_new ("verify", TRUE, "channels", 0xf, "qos", FALSE, NULL);

  for (guint i = 0; i < PICTURE_N_FORMATS; i++) {
    Picture *picture =
        picture_new (picture_formats[i].name, 23, 11, PICTURE_ODD, 10, 250, i);
    GstBuffer *buffer = picture_wrap (picture);

    harness_set_caps (h, picture);
    g_object_set (h->element, "equalization", 0, NULL);
    gst_buffer_unref (harness_run (h, gst_buffer_ref (buffer)));
    g_object_set (h->element, "equalization", 1, NULL);
    gst_buffer_unref (harness_run (h, gst_buffer_ref (buffer)));
    gst_buffer_unref (harness_run (h, buffer));
    picture_free (picture);
  }
  harness_free (h);
}

GST_END_TEST

static Suite *
settings_suite (void)
{
  Suite *suite = suite_create ("settings");
  TCase *tc = tcase_create ("settings");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_defaults);
  tcase_add_test (tc, test_specs);
  tcase_add_test (tc, test_nicks);
  tcase_add_test (tc, test_element);
  tcase_add_loop_test (tc, test_formats, 0, 2);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_changed_meanwhile);
  tcase_add_test (tc, test_controlled_strength);
  tcase_add_test (tc, test_controlled_passthrough);
  tcase_add_test (tc, test_verify);
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "settings", settings_suite);
}
