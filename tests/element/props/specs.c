/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The properties' interface. Each property is in the table, and is drawn by the
 * generator of random settings, with all its values, unless another test varies
 * it.
 */

#include "generator.h"
#include "harnesses.h"

#include <stdlib.h>
#include <string.h>

/* The first N_FIXED properties change in READY only; the others can change
 * while playing. */
#define N_FIXED 4

typedef struct
{
  const gchar *name;
  const gchar *type;    /* the fundamental one */
  const gchar *initial; /* in the syntax of gst-launch-1.0; NULL: no value */
  /* All values of an enum, from 0 on, or numbers; of flags, none and each bit.
   */
  const gchar *texts;
  /* The test that varies the property; NULL: tests of random frames, which draw
   * it from the table in tests/common/generator.c. */
  const gchar *elsewhere;
} Spec;

static const Spec specs[] = {
  { "device", "gchararray", .elsewhere = "devices" },
  { "frames-in-flight", "guint", .initial = "1", .elsewhere = "flight" },
  { "n-threads", "guint", .initial = "0", .elsewhere = "threads" },
  { "scopes-only", "gboolean", .initial = "false", .elsewhere = "scopes_only" },
  { "channels", "GFlags", .initial = "luma",
      .texts = "none luma chroma rgb alpha saturation" },
  { "attach-meta", "gboolean", .initial = "true", .elsewhere = "meta" },
  { "post-messages", "gboolean", .initial = "false", .elsewhere = "messages" },
  { "interval", "guint64", .initial = "100000000", .elsewhere = "messages" },
  { "percentiles", "GstValueArray", .elsewhere = "meta" },
  { "compare-frames", "gboolean", .initial = "false" },
  { "check-gamut", "gboolean", .initial = "false" },
  { "measure-sharpness", "gboolean", .initial = "false" },
  { "find-letterbox", "gboolean", .initial = "false" },
  { "expect", "gchararray", .elsewhere = "expect" },
  { "expect-duration", "guint64", .initial = "0", .elsewhere = "durations" },
  { "expect-error", "gboolean", .initial = "true", .elsewhere = "expect" },
  { "roi-x", "guint", .initial = "0", .elsewhere = "regions" },
  { "roi-y", "guint", .initial = "0", .elsewhere = "regions" },
  { "roi-width", "guint", .initial = "0", .elsewhere = "regions" },
  { "roi-height", "guint", .initial = "0", .elsewhere = "regions" },
  { "roi-meta", "gboolean", .initial = "false", .elsewhere = "regions" },
  { "equalization", "GEnum", .initial = "none",
      .texts = "none global clahe match stretch" },
  { "strength", "gdouble", .initial = "1.0" },
  { "clip-limit", "gdouble", .initial = "3.0" },
  { "tiles-x", "guint", .initial = "8" },
  { "tiles-y", "guint", .initial = "8" },
  { "reference", "GBoxed", .initial = NULL },
  { "stretch-low", "gdouble", .initial = "0.5" },
  { "stretch-high", "gdouble", .initial = "0.5" },
  { "smoothing", "gdouble", .initial = "0.0" },
  { "keep-colors", "gboolean", .initial = "true" },
  { "scopes", "GFlags", .initial = "none",
      .texts = "none histogram waveform vectorscope" },
  { "scope-display", "GEnum", .initial = "overlay",
      .texts = "overlay stack parade" },
  { "scope-position", "GEnum", .initial = "bottom-right",
      .texts = "top-left top-right bottom-left bottom-right" },
  { "scope-width", "gdouble", .initial = "0.33" },
  { "scope-height", "gdouble", .initial = "0.25" },
  { "scope-opacity", "gdouble", .initial = "0.9" },
  { "scope-intensity", "gdouble", .initial = "1.0" },
  { "scope-scale", "GEnum", .initial = "linear", .texts = "linear log" },
  { "waveform-colors", "GEnum", .initial = "channels",
      .texts = "channels picture" },
  { "vectorscope-zoom", "GEnum", .initial = "1", .texts = "1 2 4" },
  { "graticule", "gboolean", .initial = "true" },
  { "clipping-bars", "gboolean", .initial = "true" },
  { "percentile-marks", "gboolean", .initial = "false" },
  { "reference-lines", "GstValueArray", .initial = NULL },
  { "exposure", "GFlags", .initial = "none",
      .texts = "none zebra false-color gamut peaking" },
  { "zebra-low", "gdouble", .initial = "0.0" },
  { "zebra-high", "gdouble", .initial = "100.0" },
  { "false-color-scale", "GEnum", .initial = "video",
      .texts = "video log limits" },
  { "peaking-threshold", "gdouble", .initial = "12.0" },
  { "verify", "gboolean", .initial = "false", .elsewhere = "faults" },
};

static const Spec *
find_spec (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    if (strcmp (specs[i].name, name) == 0)
      return &specs[i];
  return NULL;
}

static void
assert_flags (const GParamSpec *spec, GParamFlags wanted)
{
  const GParamFlags all = G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING
      | GST_PARAM_MUTABLE_PAUSED | GST_PARAM_MUTABLE_READY
      | GST_PARAM_CONTROLLABLE | GST_PARAM_CONDITIONALLY_AVAILABLE;

  fail_unless (spec != NULL);
  fail_unless ((spec->flags & all) == wanted, "flags of %s", spec->name);
}

static void
assert_initial (GstElement *element, GParamSpec *spec, const gchar *text)
{
  GValue initial = G_VALUE_INIT, expected = G_VALUE_INIT;

  g_value_init (&initial, spec->value_type);
  g_value_init (&expected, spec->value_type);
  g_object_get_property (G_OBJECT (element), spec->name, &initial);
  fail_unless (gst_value_deserialize (&expected, text));
  fail_unless (g_param_values_cmp (spec, &initial, &expected) == 0,
      "%s is not %s", spec->name, text);
  fail_unless (g_param_value_defaults (spec, &expected));
  g_value_unset (&initial);
  g_value_unset (&expected);
}

/* The text sets the property to a number. */
static void
check_text (
    GstElement *element, const gchar *property, const gchar *text, gint number)
{
  gint value = -1;

  gst_util_set_object_arg (G_OBJECT (element), property, text);
  g_object_get (element, property, &value, NULL);
  fail_unless (value == number, "%s=%s is %d", property, text, value);
}

/* Whether control bindings can set the property. */
static gboolean
is_number (const Spec *self)
{
  static const gchar *const numbers[] = { "gboolean", "guint", "guint64",
    "gdouble", "GEnum", NULL };

  return g_strv_contains (numbers, self->type);
}

static GParamFlags
wanted_flags (const Spec *self)
{
  if (self - specs < N_FIXED)
    return G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY;
  return G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING
      | (is_number (self) ? GST_PARAM_CONTROLLABLE : 0);
}

/* Not of element_new(), which may set frames-in-flight. */
TEST (test_specs)
{
  g_autoptr (GstElement) element =
      gst_object_ref_sink (gst_element_factory_make ("amphisto", NULL));

  for (guint i = 0; IS_ROW (specs, i); i++) {
    GParamSpec *spec = g_object_class_find_property (
        G_OBJECT_GET_CLASS (element), specs[i].name);

    assert_flags (spec, wanted_flags (&specs[i]));
    fail_unless_equals_string (
        g_type_name (G_TYPE_FUNDAMENTAL (spec->value_type)), specs[i].type);
    if (specs[i].initial != NULL)
      assert_initial (element, spec, specs[i].initial);
  }
}

/* --- nothing is missing --- */

/* Returns: (transfer container): the names of all values of an enum or flags;
 * empty for other types. */
static GPtrArray *
value_names (const GParamSpec *spec)
{
  GPtrArray *names = g_ptr_array_new ();

  if (G_IS_PARAM_SPEC_ENUM (spec)) {
    const GEnumClass *class = G_PARAM_SPEC_ENUM (spec)->enum_class;

    for (guint i = 0; i < class->n_values; i++)
      g_ptr_array_add (names, (gpointer) class->values[i].value_nick);
  }
  if (G_IS_PARAM_SPEC_FLAGS (spec)) {
    const GFlagsClass *class = G_PARAM_SPEC_FLAGS (spec)->flags_class;

    for (guint i = 0; i < class->n_values; i++)
      g_ptr_array_add (names, (gpointer) class->values[i].value_nick);
  }
  return names;
}

/* The number of text i: of flags 0, 1, 2, 4 and so on. */
static gint
number_of (const Spec *self, const gchar *text, guint i)
{
  if (strcmp (self->type, "GFlags") == 0)
    return i > 0 ? 1 << (i - 1) : 0;
  return g_ascii_isdigit (text[0]) ? atoi (text) : (gint) i;
}

/* The texts are all values, with their numbers. */
static void
check_texts (GstElement *element, const Spec *self)
{
  g_auto (GStrv) texts =
      g_strsplit (self->texts != NULL ? self->texts : "", " ", -1);
  g_autoptr (GPtrArray) names = value_names (
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), self->name));

  for (guint i = 0; i < names->len; i++)
    fail_unless (
        g_strv_contains ((const gchar *const *) texts, names->pdata[i]),
        "the table of specs lacks the value %s=%s", self->name,
        (const gchar *) names->pdata[i]);
  for (guint i = 0; texts[i] != NULL; i++)
    check_text (element, self->name, texts[i], number_of (self, texts[i], i));
}

/* The table has all properties, and all values of enums and flags. */
TEST (test_table)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  g_autoptr (GPtrArray) own = test_own_properties (G_OBJECT (element));

  for (guint i = 0; i < own->len; i++) {
    const gchar *name = ((const GParamSpec *) own->pdata[i])->name;

    fail_unless (find_spec (name) != NULL,
        "the table of specs lacks the property %s", name);
    check_texts (element, find_spec (name));
  }
}

static const TestSetting *
find_setting (const gchar *property)
{
  for (guint i = 0; i < test_n_settings; i++)
    if (strcmp (test_settings[i].property, property) == 0)
      return &test_settings[i];
  return NULL;
}

/* The generator draws each property that is not varied elsewhere. */
TEST (test_drawn)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  g_autoptr (GPtrArray) own = test_own_properties (G_OBJECT (element));

  for (guint i = 0; i < own->len; i++) {
    const gchar *name = ((const GParamSpec *) own->pdata[i])->name;
    const Spec *spec = find_spec (name);

    fail_unless (find_setting (name) != NULL
            || (spec != NULL && spec->elsewhere != NULL),
        "%s is not drawn: the table in tests/common/generator.c lacks it",
        name);
  }
}

static guint
get_value (GstElement *element, const gchar *property)
{
  guint value;

  g_object_get (element, property, &value, NULL);
  return value;
}

/* The generator draws all values of an enum, and all flags. A value beyond the
 * property's range is a warning of GLib, which fails the test. */
static void
check_drawn (GstElement *element, const TestSetting *self)
{
  GParamSpec *spec = g_object_class_find_property (
      G_OBJECT_GET_CLASS (element), self->property);
  const gboolean are_flags = G_IS_PARAM_SPEC_FLAGS (spec);
  g_autoptr (GPtrArray) names = value_names (spec);
  guint32 random = 1;
  guint drawn = 0; /* flags, or a bit for each value */

  for (guint i = 0; i < 500; i++) {
    AmphistoSettings settings;

    test_settings_draw (&settings, self->subject, &random);
    test_setting_apply (self, &settings, G_OBJECT (element));
    if (names->len > 0)
      drawn |= are_flags ? get_value (element, self->property)
                         : 1u << get_value (element, self->property);
  }
  for (guint i = 0; i < names->len; i++) {
    const gchar *name = names->pdata[i];
    guint value;

    gst_util_set_object_arg (G_OBJECT (element), self->property, name);
    value = get_value (element, self->property);
    fail_unless (are_flags ? (drawn & value) == value : drawn & 1u << value,
        "%s=%s is not drawn: see tests/common/generator.c", self->property,
        name);
  }
}

TEST (test_values)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);

  for (guint i = 0; i < test_n_settings; i++)
    check_drawn (element, &test_settings[i]);
}

/* --- other rules --- */

/* Numbers, fractions, and the default of GstVideoFilter. */
TEST (test_parsed)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  gboolean qos = FALSE;
  gdouble strength;

  check_text (element, "frames-in-flight", "8", 8);
  check_text (element, "n-threads", "4294967295", (gint) G_MAXUINT);
  gst_util_set_object_arg (G_OBJECT (element), "strength", "0.25");
  g_object_get (element, "strength", &strength, "qos", &qos, NULL);
  fail_unless_equals_float (strength, 0.25f);
  fail_unless (qos);
}

/* GStreamer's own kinds of properties, so that programs recognize them. */
TEST (test_kinds)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  guint n;
  g_autofree GParamSpec **all =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++)
    fail_unless (strstr (G_PARAM_SPEC_TYPE_NAME (all[i]), "Amphisto") == NULL,
        "%s is a %s", all[i]->name, G_PARAM_SPEC_TYPE_NAME (all[i]));
  for (guint i = 0; IS_ROW (specs, i); i++)
    if (strcmp (specs[i].type, "GstValueArray") == 0)
      fail_unless (G_PARAM_SPEC_TYPE (g_object_class_find_property (
                       G_OBJECT_GET_CLASS (element), specs[i].name))
          == GST_TYPE_PARAM_ARRAY_LIST);
}

TEST (test_device_name)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  const GParamSpec *spec = g_object_class_find_property (
      G_OBJECT_GET_CLASS (element), "device-name");

  fail_unless (spec != NULL);
  fail_unless_equals_int (spec->flags & G_PARAM_READWRITE, G_PARAM_READABLE);
  fail_unless (element_device_name (element) == NULL);
}

/* Thresholds are in percent of the range, and may be a little beyond it. With a
 * clip limit of 256, a bin may have all samples: a control source reaches every
 * limit that has an effect. */
TEST (test_ranges)
{
  static const struct
  {
    const gchar *name;
    gdouble minimum, maximum;
  } ranges[] = { { "zebra-low", -10, 110 }, { "zebra-high", -10, 110 },
    { "peaking-threshold", 0, 100 }, { "clip-limit", 0, 256 },
    { "strength", 0, 1 } };
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  const GParamSpecUInt *frames =
      G_PARAM_SPEC_UINT (g_object_class_find_property (
          G_OBJECT_GET_CLASS (element), "frames-in-flight"));

  fail_unless (frames->minimum == 1 && frames->maximum == 8);
  for (guint i = 0; IS_ROW (ranges, i); i++) {
    const GParamSpecDouble *range =
        G_PARAM_SPEC_DOUBLE (g_object_class_find_property (
            G_OBJECT_GET_CLASS (element), ranges[i].name));

    fail_unless_equals_float (range->minimum, ranges[i].minimum);
    fail_unless_equals_float (range->maximum, ranges[i].maximum);
  }
}

const ElementTest element_tests[] = { ONCE (test_specs), ONCE (test_table),
  ONCE (test_drawn), ONCE (test_values), ONCE (test_parsed), ONCE (test_kinds),
  ONCE (test_device_name), ONCE (test_ranges), { 0 } };
