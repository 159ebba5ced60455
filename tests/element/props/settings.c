/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The properties: their control bindings, and the frames that they apply to.
 */

#include "harnesses.h"

#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>
#include <string.h>

static void
bind (GstElement *element, const gchar *property)
{
  GstControlSource *source = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *values = GST_TIMED_VALUE_CONTROL_SOURCE (source);

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
  fail_unless (gst_timed_value_control_source_set (values, 0, 0.0));
  fail_unless (gst_timed_value_control_source_set (values, GST_SECOND, 1.0));
  fail_unless (gst_object_add_control_binding (GST_OBJECT (element),
      gst_direct_control_binding_new (GST_OBJECT (element), property, source)));
  gst_object_unref (source);
}

/* Types that control bindings can set. */
static gboolean
is_bindable (const GParamSpec *spec)
{
  return G_IS_PARAM_SPEC_BOOLEAN (spec) || G_IS_PARAM_SPEC_UINT (spec)
      || G_IS_PARAM_SPEC_UINT64 (spec) || G_IS_PARAM_SPEC_DOUBLE (spec)
      || G_IS_PARAM_SPEC_ENUM (spec);
}

/* All controllable properties take their values from a control source, from one
 * end of their range to the other. Criticals fail the test. */
TEST (test_controllable)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  guint n, n_bound = 0;
  g_autofree GParamSpec **all =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++) {
    if (!(all[i]->flags & GST_PARAM_CONTROLLABLE))
      continue;
    fail_unless (is_bindable (all[i]), "%s is controllable", all[i]->name);
    bind (element, all[i]->name);
    n_bound++;
  }
  fail_unless (n_bound > 0);
  for (guint quarter = 0; quarter <= 4; quarter++)
    fail_unless (gst_object_sync_values (
        GST_OBJECT (element), quarter * GST_SECOND / 4));
}

/* Changes the value of a property. */
static void
change (GParamSpec *spec, GValue *value)
{
  if (G_IS_PARAM_SPEC_BOOLEAN (spec))
    g_value_set_boolean (value, !g_value_get_boolean (value));
  else if (G_IS_PARAM_SPEC_UINT (spec))
    g_value_set_uint (value, g_value_get_uint (value) + 1);
  else if (G_IS_PARAM_SPEC_UINT64 (spec))
    g_value_set_uint64 (value, g_value_get_uint64 (value) + 1);
  else if (G_IS_PARAM_SPEC_DOUBLE (spec))
    g_value_set_double (value, 0.75);
  else if (G_IS_PARAM_SPEC_ENUM (spec))
    g_value_set_enum (
        value, G_PARAM_SPEC_ENUM (spec)->enum_class->values[1].value);
  else
    g_value_set_flags (value,
        g_value_get_flags (value)
            ^ G_PARAM_SPEC_FLAGS (spec)->flags_class->mask);
}

static gboolean
is_equal (GstElement *element, GstElement *other, GParamSpec *spec)
{
  g_auto (GValue) value = G_VALUE_INIT, other_value = G_VALUE_INIT;

  g_object_get_property (G_OBJECT (element), spec->name, &value);
  g_object_get_property (G_OBJECT (other), spec->name, &other_value);
  return g_param_values_cmp (spec, &value, &other_value) == 0
      || gst_value_compare (&value, &other_value) == GST_VALUE_EQUAL;
}

/* Setting a property changes no other property. */
TEST (test_apart)
{
  GstElement *fresh = element_new ("name", "amphisto", NULL);
  guint n;
  g_autofree GParamSpec **all =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (fresh), &n);

  for (guint i = 0; i < n; i++) {
    GstElement *element = element_new ("name", "amphisto", NULL);
    g_auto (GValue) other = G_VALUE_INIT;

    if (is_bindable (all[i]) || G_IS_PARAM_SPEC_FLAGS (all[i])) {
      g_object_get_property (G_OBJECT (fresh), all[i]->name, &other);
      change (all[i], &other);
      g_object_set_property (G_OBJECT (element), all[i]->name, &other);
      for (guint k = 0; k < n; k++)
        fail_unless (is_equal (element, fresh, all[k]) == (k != i),
            "%s, after %s was set", all[k]->name, all[i]->name);
    }
    element_free (element);
  }
  element_free (fresh);
}

TEST (test_element)
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

/* Both pads (0, 1) take all formats and no others. */
TEST (test_formats)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  g_autoptr (GstPad) pad =
      gst_element_get_static_pad (element, __i__ ? "src" : "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_pad_template_caps (pad);
  const GValue *formats;

  /* in system memory, and in any other; as named in DMABufs, if at all */
  fail_unless (gst_caps_features_is_any (gst_caps_get_features (caps, 1)));
  for (guint i = 2; i < gst_caps_get_size (caps); i++)
    fail_unless_equals_string (
        gst_structure_get_string (gst_caps_get_structure (caps, i), "format"),
        "DMA_DRM");
  formats =
      gst_structure_get_value (gst_caps_get_structure (caps, 0), "format");
  fail_unless_equals_int (gst_value_list_get_size (formats), PICTURE_N_FORMATS);
  for (guint i = 0; i < PICTURE_N_FORMATS; i++) {
    g_autoptr (GstCaps) one = video_caps (picture_formats[i].name, 8, 8, NULL);

    fail_unless (gst_caps_is_subset (one, caps));
  }
}

/* The settings when a frame arrives, and the channels that are measured. */
typedef struct
{
  guint channels;
  gboolean attach_meta, post_messages;
  gint equalization;
  gdouble strength;
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
check_setting (GstHarness *h, const Setting *setting, guint seed)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 40, 30, PICTURE_TIGHT, 60, 150, seed);
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (Picture) expected = picture_copy (picture);
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GstBuffer) out = NULL;

  g_object_set (h->element, "channels", setting->channels, "attach-meta",
      setting->attach_meta, "post-messages", setting->post_messages,
      "equalization", setting->equalization, "strength", setting->strength,
      NULL);
  harness_set_caps (h, picture);
  out = harness_run (h, picture_wrap (picture));
  fail_unless_equals_int (buffer_n_metas (out), setting->attach_meta);
  if (setting->attach_meta)
    assert_histograms (out, before, setting->names);
  message = bus_pop (h->element, GST_MESSAGE_ELEMENT);
  fail_unless_equals_int (message != NULL, setting->post_messages);
  if (setting->equalization)
    picture_equalize (expected, setting->strength);
  assert_pixels (out, expected);
}

/* Each frame is processed with the settings at its arrival, including
 * passthrough and back. */
TEST (test_live)
{
  g_autoptr (Harness) h =
      harness_new ("interval", G_GUINT64_CONSTANT (0), "qos", FALSE, NULL);

  for (guint n = 0; n < 3 * G_N_ELEMENTS (settings); n++)
    check_setting (h, &settings[n % G_N_ELEMENTS (settings)], n);
}

/* --- settings that frames share --- */

static const gchar *const conditions[] = { "luma.max >= 0",
  "luma.max >= 0, luma.max <= 255, luma.min >= 0" };

static gint is_over;

static gpointer
set_shared (gpointer element)
{
  const guint32 words[258] = { [7] = 1 };
  g_autoptr (GBytes) reference = g_bytes_new (words, sizeof words);

  for (guint i = 0; !g_atomic_int_get (&is_over); i++) {
    gst_util_set_object_arg (
        element, "percentiles", i % 2 == 0 ? "<100>" : "<0,50,100>");
    g_object_set (element, "expect", conditions[i % 2], "reference",
        i % 2 == 0 ? reference : NULL, NULL);
  }
  return NULL;
}

/* The last percentile is the 100th: the maximum. */
static void
assert_percentiles (GstBuffer *buffer)
{
  const GstStructure *luma = buffer_histogram (buffer, "luma");
  const GValue *array = gst_structure_get_value (luma, "percentiles");
  const guint n = gst_value_array_get_size (array);
  const GValue *last = gst_value_array_get_value (array, n - 1);

  fail_unless (n == 1 || n == 3, "%u percentiles", n);
  fail_unless_equals_float (
      g_value_get_uint (last), structure_number (luma, "max"));
}

/* While frames are in flight, another thread sets what their settings refer to,
 * and this one gets it. */
TEST (test_shared)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (
      picture, "frames-in-flight", 4, "expect", conditions[0], NULL);
  GThread *thread;

  gst_util_set_object_arg (G_OBJECT (h->element), "percentiles", "<100>");
  g_atomic_int_set (&is_over, FALSE);
  thread = g_thread_new ("settings", set_shared, h->element);
  for (guint n = 0; n < 100; n++) {
    g_autofree gchar *expect = NULL;
    g_autoptr (GBytes) reference = NULL;
    GstBuffer *out;

    harness_push (h, picture_wrap_nth (picture, n));
    while ((out = gst_harness_try_pull (h)) != NULL) {
      assert_percentiles (out);
      gst_buffer_unref (out);
    }
    g_object_get (h->element, "expect", &expect, "reference", &reference, NULL);
    fail_unless (g_str_equal (expect, conditions[0])
        || g_str_equal (expect, conditions[1]));
    fail_unless_equals_int (g_bytes_get_size (reference), 258 * 4);
  }
  g_atomic_int_set (&is_over, TRUE);
  g_thread_join (thread);
  harness_drain (h);
  fail_unless_equals_int (gst_harness_buffers_received (h), 100);
}

/* --- controlled settings --- */

/* strength rises from 0 to 1 in 8 frames. */
TEST (test_controlled_strength)
{
  g_autoptr (Picture) before = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (
      before, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);

  element_control (h->element, "strength", 0.0, 1.0);
  for (guint n = 0; n <= 8; n++) {
    g_autoptr (Picture) picture = picture_copy (before);
    g_autoptr (Picture) expected = picture_copy (before);

    harness_change (h, picture, n);
    picture_equalize (expected, n / 8.0f);
    fail_unless_same_picture (picture, expected, "frame %u", n);
  }
}

/* attach-meta ends passthrough half-way, by stream time, which is 1 s less than
 * the timestamps. */
TEST (test_controlled_passthrough)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, "attach-meta", FALSE, NULL);

  element_control (h->element, "attach-meta", 0.0, 1.0);
  harness_push_segment (h, 1, 1, GST_SECOND, 0, 0);
  for (guint n = 0; n <= 8; n++) {
    g_autoptr (GstBuffer) out =
        harness_run (h, picture_wrap_nth (picture, 25 + n));

    fail_unless_equals_int (buffer_n_metas (out), n >= 4);
  }
}

const ElementTest element_tests[] = { ONCE (test_controllable),
  ONCE (test_apart), ONCE (test_element), TIMES (test_formats, 2),
  ONCE (test_live), ONCE (test_shared), ONCE (test_controlled_strength),
  ONCE (test_controlled_passthrough), { 0 } };
