/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "fields.h"

#include "common/nicks.h"

#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>

const FuzzChannel fuzz_channels[FUZZ_N_CHANNELS] = {
  { "luma", 1, { 0, 255 }, { 16, 235 }, { 16, 235 } },
  { "u", 2, { 0, 255 }, { 16, 240 }, { 0 } },
  { "v", 2, { 0, 255 }, { 16, 240 }, { 0 } },
  { "red", 4, { 0, 255 }, { 0, 255 }, { 16, 235 } },
  { "green", 4, { 0, 255 }, { 0, 255 }, { 16, 235 } },
  { "blue", 4, { 0, 255 }, { 0, 255 }, { 16, 235 } },
  { "alpha", 8, { 0, 255 }, { 0, 255 }, { 0, 255 } },
  { "saturation", 16, { 0, 127 }, { 0, 112 }, { 0, 127 } },
};

/* Properties that do not change how a frame is processed, end the stream, or
 * can be changed in READY only. */
static const gchar *const left_alone[] = { "device", "expect-error",
  "frames-in-flight", "n-threads", "scopes-only", "verify", NULL };

/* Returns: (transfer container): the properties to set, of type GParamSpec. */
static GPtrArray *
list_properties (GstElement *element)
{
  GPtrArray *list = test_own_properties (G_OBJECT (element));

  for (guint i = list->len; i-- > 0;) {
    const GParamSpec *spec = g_ptr_array_index (list, i);

    if (g_strv_contains (left_alone, spec->name))
      g_ptr_array_remove_index (list, i);
  }
  return list;
}

/* --- random values --- */

static guint
random_uint (GRand *random, guint min, guint max)
{
  switch (g_rand_int_range (random, 0, 8)) {
    case 0:
      return min;
    case 1:
      return max - g_rand_int_range (random, 0, MIN (max - min, 70) + 1);
    case 2:
      return min + g_rand_int_range (random, 0, MIN (max - min, 70) + 1);
    default:
      return min + g_rand_int_range (random, 0, MIN (max - min, 8) + 1);
  }
}

static gdouble
random_double (GRand *random, gdouble min, gdouble max)
{
  switch (g_rand_int_range (random, 0, 5)) {
    case 0:
      return min;
    case 1:
      return max;
    default:
      return g_rand_double_range (random, min, max > 110 ? 10 : max);
  }
}

static guint64
random_interval (GRand *random)
{
  const guint64 intervals[] = { 0, 0, 1, 40 * GST_MSECOND, 80 * GST_MSECOND,
    100 * GST_MSECOND, G_MAXINT64, G_MAXUINT64 };

  return FUZZ_PICK (random, intervals);
}

/* Percentages: percentiles, or reference lines. */
static void
set_random_percentages (GRand *random, GValue *array)
{
  static const guint sizes[] = { 0, 1, 3, 6, 16, 17, 64, 65, 200 };
  const guint n = FUZZ_PICK (random, sizes);

  for (guint i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, G_TYPE_DOUBLE);
    g_value_set_double (&value,
        g_rand_boolean (random) ? g_rand_int_range (random, 0, 101)
                                : g_rand_double_range (random, 0, 100));
    gst_value_array_append_and_take_value (array, &value);
  }
}

/* One value in four has a size that is refused, and so are more samples than 32
 * bits can count. A value without samples is none. */
static GBytes *
random_reference (GRand *random)
{
  static const guint sizes[] = { 256, 256, 256, 256, 258, 258, 512, 0 };
  const guint n = FUZZ_PICK (random, sizes);
  const gint kind = g_rand_int_range (random, 0, 16);
  guint32 bins[512] = { 0 };

  if (kind == 0)
    bins[7] = bins[9] = G_MAXUINT32;
  else if (kind > 1)
    for (guint v = g_rand_int_range (random, 0, 256); v < 256; v += kind)
      bins[v] = g_rand_int (random) >> 9;
  return g_bytes_new (bins, n * sizeof *bins);
}

/* A field's name, or of a channel's, sometimes a percentile's, which may be
 * none. */
static const gchar *
random_field (GRand *random, const FuzzField *fields)
{
  static const gchar *const percentiles[] = { "p0", "p0.5", "p1", "p25", "p50",
    "p66.6", "p98", "p99.99", "p100", "p100.5", "p5." };
  guint n = 0;

  if (fields == fuzz_channel_fields && g_rand_int_range (random, 0, 4) == 0)
    return FUZZ_PICK (random, percentiles);
  while (fields[n].name != NULL)
    n++;
  return fields[g_rand_int_range (random, 0, n)].name;
}

/* Conditions that may be met or not, and sometimes nonsense. */
static gchar *
random_expectations (GRand *random)
{
  static const gchar *const words[] = { "luma", "u", "v", "red", "alpha",
    "saturation", "picture", ".active-x", ".mean", ".min", ".max", ".stddev",
    ".difference", ".samples", ".p98", "0.5", " <", ">=", " !=", "=", " 16",
    " 1e2", " -0.5", ",", ", ", "\"", "\303\251", "9999999999999999999999" };
  static const gchar *const operators[] = { "<", "<=", "=", "!=", ">=", ">" };
  GString *text = g_string_new (NULL);

  if (g_rand_int_range (random, 0, 4) == 0)
    for (gint n = g_rand_int_range (random, 1, 9); n > 0; n--)
      g_string_append (text, FUZZ_PICK (random, words));
  else
    for (gint n = g_rand_int_range (random, 1, 5); n > 0; n--) {
      const gboolean is_picture = g_rand_int_range (random, 0, 4) == 0;

      g_string_append_printf (text, "%s.%s %s %d%s",
          is_picture ? "picture" : FUZZ_PICK (random, fuzz_channels).name,
          random_field (
              random, is_picture ? fuzz_picture_fields : fuzz_channel_fields),
          FUZZ_PICK (random, operators), g_rand_int_range (random, 0, 256),
          n > 1 ? ", " : "");
    }
  return g_string_free (text, FALSE);
}

static void
set_random_value (GRand *random, const GParamSpec *spec, GValue *value)
{
  if (G_IS_PARAM_SPEC_BOOLEAN (spec)) {
    g_value_set_boolean (value, g_rand_boolean (random));
  } else if (G_IS_PARAM_SPEC_UINT (spec)) {
    const GParamSpecUInt *range = G_PARAM_SPEC_UINT (spec);

    g_value_set_uint (
        value, random_uint (random, range->minimum, range->maximum));
  } else if (G_IS_PARAM_SPEC_UINT64 (spec)) {
    g_value_set_uint64 (value, random_interval (random));
  } else if (G_IS_PARAM_SPEC_DOUBLE (spec)) {
    const GParamSpecDouble *range = G_PARAM_SPEC_DOUBLE (spec);

    g_value_set_double (
        value, random_double (random, range->minimum, range->maximum));
  } else if (G_IS_PARAM_SPEC_ENUM (spec)) {
    const GEnumClass *class = G_PARAM_SPEC_ENUM (spec)->enum_class;

    g_value_set_enum (value,
        class->values[g_rand_int_range (random, 0, class->n_values)].value);
  } else if (G_IS_PARAM_SPEC_FLAGS (spec)) {
    g_value_set_flags (value,
        g_rand_int (random) & G_PARAM_SPEC_FLAGS (spec)->flags_class->mask);
  } else if (GST_IS_PARAM_SPEC_ARRAY_LIST (spec)) {
    set_random_percentages (random, value);
  } else if (G_IS_PARAM_SPEC_STRING (spec)) {
    g_value_take_string (
        value, g_rand_boolean (random) ? random_expectations (random) : NULL);
  } else if (spec->value_type == G_TYPE_BYTES) {
    g_value_take_boxed (
        value, g_rand_boolean (random) ? random_reference (random) : NULL);
  } else {
    g_error ("%s has a type that is not fuzzed yet", spec->name);
  }
}

static const GParamSpec *
random_property (GRand *random, GstElement *element)
{
  g_autoptr (GPtrArray) list = list_properties (element);

  return g_ptr_array_index (list, g_rand_int_range (random, 0, list->len));
}

/* Whether the element may refuse or change a value: too many percentiles or
 * lines, references, conditions, and no scopes. */
static gboolean
may_be_refused (const GParamSpec *spec, const GValue *value)
{
  const guint most = strcmp (spec->name, "percentiles") == 0
      ? FUZZ_MAX_PERCENTILES
      : FUZZ_MAX_LINES;

  return G_VALUE_HOLDS (value, G_TYPE_BYTES) || G_VALUE_HOLDS_STRING (value)
      || (G_VALUE_HOLDS_FLAGS (value) && g_value_get_flags (value) == 0)
      || (GST_VALUE_HOLDS_ARRAY (value)
          && gst_value_array_get_size (value) > most);
}

static void
set_random (GRand *random, GstElement *element, const GParamSpec *spec)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) got = G_VALUE_INIT;

  g_value_init (&value, spec->value_type);
  set_random_value (random, spec, &value);
  g_object_set_property (G_OBJECT (element), spec->name, &value);
  if (may_be_refused (spec, &value))
    return;
  g_object_get_property (G_OBJECT (element), spec->name, &got);
  if (gst_value_compare (&value, &got) != GST_VALUE_EQUAL) {
    g_autofree gchar *was_set = gst_value_serialize (&value);
    g_autofree gchar *is_now = gst_value_serialize (&got);

    g_error ("%s was set to %s, and is %s", spec->name, was_set, is_now);
  }
}

/* Sets one property of the subjects, or now and then all, to values that
 * kernels are tested with. */
static void
set_drawn (GRand *random, GstElement *element, TestSubjects subjects)
{
  const TestSetting *one;
  guint32 state = g_rand_int (random) | 1;
  AmphistoSettings settings;

  test_settings_draw (&settings, subjects, &state);
  if (g_rand_int_range (random, 0, 8) == 0) {
    test_settings_apply (&settings, subjects, G_OBJECT (element));
    return;
  }
  do
    one = &test_settings[g_rand_int_range (random, 0, test_n_settings)];
  while (!(one->subject & subjects));
  test_setting_apply (one, &settings, G_OBJECT (element));
}

/* Conditions are as likely as all other properties together: they have rules
 * of their own. */
void
fuzz_set_some (GRand *random, GstElement *element, TestSubjects subjects,
    const gchar *const *favourites)
{
  const guint n_favourites = g_strv_length ((GStrv) favourites);

  for (gint n = g_rand_int_range (random, 1, 6); n > 0; n--)
    switch (g_rand_int_range (random, 0, 4)) {
      case 0:
        set_random (random, element, random_property (random, element));
        break;
      case 1:
        set_random (random, element,
            g_object_class_find_property (G_OBJECT_GET_CLASS (element),
                favourites[g_rand_int_range (random, 0, n_favourites)]));
        break;
      default:
        set_drawn (random, element, subjects);
        break;
    }
  if (g_rand_boolean (random)) {
    g_autofree gchar *text = random_expectations (random);

    g_object_set (element, "expect", text, NULL);
  }
}

/* --- all settings --- */

void
fuzz_set_defaults (GstElement *element)
{
  g_autoptr (GstElement) fresh =
      gst_object_ref_sink (gst_element_factory_make ("amphisto", NULL));

  fuzz_set_like (element, fresh, (const gchar *const[]){ NULL });
}

void
fuzz_set_like (GstElement *element, GstElement *model, const gchar *const *left)
{
  g_autoptr (GPtrArray) list = list_properties (model);

  for (guint i = 0; i < list->len; i++) {
    const GParamSpec *spec = g_ptr_array_index (list, i);
    g_auto (GValue) value = G_VALUE_INIT;

    if (g_strv_contains (left, spec->name))
      continue;
    g_object_get_property (G_OBJECT (model), spec->name, &value);
    g_object_set_property (G_OBJECT (element), spec->name, &value);
  }
}

/* Returns: (transfer full): the value in the syntax of gst-launch-1.0. */
static gchar *
describe (const GValue *value)
{
  if (G_VALUE_HOLDS (value, G_TYPE_BYTES))
    return g_strdup ("...");
  if (G_VALUE_HOLDS_FLAGS (value))
    return nicks_of_flags (G_VALUE_TYPE (value), g_value_get_flags (value));
  return gst_value_serialize (value);
}

gchar *
fuzz_describe_settings (GstElement *element)
{
  g_autoptr (GPtrArray) list = test_own_properties (G_OBJECT (element));
  GString *text = g_string_new ("amphisto");

  for (guint i = 0; i < list->len; i++) {
    GParamSpec *spec = g_ptr_array_index (list, i);
    g_auto (GValue) value = G_VALUE_INIT;
    g_autofree gchar *string = NULL;

    g_object_get_property (G_OBJECT (element), spec->name, &value);
    if (g_param_value_defaults (spec, &value))
      continue;
    string = describe (&value);
    g_string_append_printf (text, " %s=%s", spec->name, string);
  }
  return g_string_free (text, FALSE);
}

static void
read_percentiles (FuzzSettings *self, GstElement *element)
{
  g_auto (GValue) array = G_VALUE_INIT;

  g_object_get_property (G_OBJECT (element), "percentiles", &array);
  self->n_percentiles = gst_value_array_get_size (&array);
  g_assert_cmpuint (self->n_percentiles, <=, FUZZ_MAX_PERCENTILES);
  for (guint i = 0; i < self->n_percentiles; i++)
    self->percentiles[i] =
        g_value_get_double (gst_value_array_get_value (&array, i));
}

gboolean
fuzz_channel_is_named (const FuzzChannel *self, const gchar *expect)
{
  g_autofree gchar *name = g_strconcat (self->name, ".", NULL);

  return strstr (expect, name) != NULL;
}

/* Channels and comparisons that conditions name are measured. */
static void
add_named (FuzzSettings *self)
{
  const gboolean is_shown = self->attach_meta || self->post_messages;

  for (guint i = 0; i < FUZZ_N_CHANNELS; i++)
    if (fuzz_channel_is_named (&fuzz_channels[i], self->expect))
      self->channels |= fuzz_channels[i].bit;
  self->compare_picture = strstr (self->expect, "picture.di") != NULL
      || (self->compare_luma && is_shown);
  self->compare_luma = strstr (self->expect, "luma.di") != NULL
      || (self->compare_luma && is_shown);
  self->check_gamut = strstr (self->expect, "picture.out") != NULL
      || (self->check_gamut && is_shown);
  self->measure_sharpness = strstr (self->expect, "picture.sharp") != NULL
      || (self->measure_sharpness && is_shown);
  self->find_letterbox = strstr (self->expect, "picture.active") != NULL
      || (self->find_letterbox && is_shown);
}

/* Without a reference, the bytes are zeros. */
static gboolean
is_reference (GBytes *bytes)
{
  static const guint8 zeros[258 * 4];

  g_assert (g_bytes_get_size (bytes) == sizeof zeros);
  return memcmp (g_bytes_get_data (bytes, NULL), zeros, sizeof zeros) != 0;
}

void
fuzz_settings_read (FuzzSettings *self, GstElement *element)
{
  g_autoptr (GBytes) reference = NULL;
  g_autofree gchar *expect = NULL;

  g_object_get (element, "channels", &self->channels, "attach-meta",
      &self->attach_meta, "post-messages", &self->post_messages, "roi-meta",
      &self->roi_meta, "compare-frames", &self->compare_luma, "check-gamut",
      &self->check_gamut, "find-letterbox", &self->find_letterbox,
      "measure-sharpness", &self->measure_sharpness, "interval",
      &self->interval, "expect-duration", &self->expect_duration, "roi-x",
      &self->roi_x, "roi-y", &self->roi_y, "roi-width", &self->roi_width,
      "roi-height", &self->roi_height, "equalization", &self->equalization,
      "strength", &self->strength, "smoothing", &self->smoothing, "keep-colors",
      &self->keep_colors, "tiles-x", &self->tiles_x, "tiles-y", &self->tiles_y,
      "scopes", &self->scopes, "scopes-only", &self->scopes_only,
      "scope-display", &self->display, "scope-scale", &self->scale, "exposure",
      &self->exposure, "scope-position", &self->position, "reference",
      &reference, "expect", &expect, NULL);
  g_strlcpy (self->expect, expect != NULL ? expect : "", sizeof self->expect);
  if (self->equalization == AMPHISTO_EQUALIZATION_MATCH
      && !is_reference (reference))
    self->equalization = AMPHISTO_EQUALIZATION_NONE;
  add_named (self);
  read_percentiles (self, element);
}

/* --- state between frames --- */

gboolean
fuzz_settings_forget_scale (const FuzzSettings *last, const FuzzSettings *now)
{
  const gboolean has_expectations = last->expect[0] != 0 || now->expect[0] != 0;

  return !(now->scopes & AMPHISTO_SCOPE_HISTOGRAM)
      || !(last->scopes & AMPHISTO_SCOPE_HISTOGRAM)
      || last->display != now->display || last->scale != now->scale
      || (last->channels != now->channels && !has_expectations);
}

/* --- controls --- */

/* For enums and booleans, values are fractions of the way from the first to the
 * last value. */
FuzzControl
fuzz_control_random (GRand *random, GstElement *element)
{
  const GParamSpec *spec;
  gdouble min = 0, max = 1;

  do
    spec = random_property (random, element);
  while ((spec->flags & GST_PARAM_CONTROLLABLE) == 0);
  if (G_IS_PARAM_SPEC_UINT (spec)) {
    min = G_PARAM_SPEC_UINT (spec)->minimum;
    max = MIN (G_PARAM_SPEC_UINT (spec)->maximum, 70);
  } else if (G_IS_PARAM_SPEC_UINT64 (spec)) {
    max = 100 * GST_MSECOND;
  } else if (G_IS_PARAM_SPEC_DOUBLE (spec)) {
    min = G_PARAM_SPEC_DOUBLE (spec)->minimum;
    max = MIN (G_PARAM_SPEC_DOUBLE (spec)->maximum, 10);
  }
  return (FuzzControl){ spec->name, g_rand_double_range (random, min, max),
    g_rand_double_range (random, min, max) };
}

void
fuzz_control_add (const FuzzControl *self, GstElement *element)
{
  GstControlSource *source = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *values = GST_TIMED_VALUE_CONTROL_SOURCE (source);

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
  gst_timed_value_control_source_set (values, 0, self->first);
  gst_timed_value_control_source_set (values, GST_SECOND, self->last);
  gst_object_add_control_binding (GST_OBJECT (element),
      gst_direct_control_binding_new_absolute (
          GST_OBJECT (element), self->property, source));
  gst_object_unref (source);
}

void
fuzz_control_remove (const FuzzControl *self, GstElement *element)
{
  GstControlBinding *binding =
      gst_object_get_control_binding (GST_OBJECT (element), self->property);

  gst_object_remove_control_binding (GST_OBJECT (element), binding);
  gst_object_unref (binding);
}
