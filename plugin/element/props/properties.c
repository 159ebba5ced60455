/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/props/properties.h"

#include "element/props/types.h"
#include "opencl/run/launcher.h"

#include <string.h>

/* --- settings that are no plain numbers --- */

/* Zeros unset the reference. So does a refused value, so that luma is not
 * matched to the previous one by mistake. */
static gboolean
set_match_bins (GstAmphistoSettings *self, const GValue *value, GError **error)
{
  GBytes *bytes = g_value_get_boxed (value);
  guint32 bins[AMPHISTO_N_BINS];
  guint64 samples = 0;
  gconstpointer data;
  gsize size;

  g_clear_pointer (&self->match_bins, g_bytes_unref);
  if (bytes == NULL)
    return TRUE;
  data = g_bytes_get_data (bytes, &size);
  if (size != sizeof bins
      && size != GST_AMPHISTO_META_N_BINS * sizeof (guint32))
    return gst_amphisto_refuse (error,
        "the reference has %" G_GSIZE_FORMAT " bytes, not %d guint32 (in "
        "numpy: dtype=numpy.uint32), or %d as bins in the metadata; it is "
        "unset.",
        size, AMPHISTO_N_BINS, GST_AMPHISTO_META_N_BINS);
  memcpy (bins, data, sizeof bins);
  for (guint v = 0; v < AMPHISTO_N_BINS; v++)
    samples += bins[v];
  if (samples > G_MAXUINT32)
    return gst_amphisto_refuse (error,
        "the reference has %" G_GUINT64_FORMAT
        " samples, more than %u; it is unset.",
        samples, G_MAXUINT32);
  if (samples > 0)
    self->match_bins = gst_amphisto_bins_to_bytes (bins);
  return TRUE;
}

/* Projects of GStreamer Editing Services are saved with all properties as text:
 * no bytes, and 256 words, are text that can't be read back. */
static void
get_match_bins (const GstAmphistoSettings *self, GValue *value)
{
  static const guint32 none[AMPHISTO_N_BINS];

  if (self->match_bins != NULL)
    g_value_set_boxed (value, self->match_bins);
  else
    g_value_take_boxed (value, gst_amphisto_bins_to_bytes (none));
}

static gboolean
set_expect (GstAmphistoSettings *self, const GValue *value, GError **error)
{
  GstAmphistoConditions *conditions =
      gst_amphisto_conditions_new (g_value_get_string (value), error);

  g_clear_pointer (&self->refused_expect, g_ref_string_release);
  if (conditions != NULL)
    gst_amphisto_settings_take_conditions (self, conditions);
  else
    self->refused_expect = g_ref_string_new ((*error)->message);
  return conditions != NULL;
}

static void
get_expect (const GstAmphistoSettings *self, GValue *value)
{
  g_value_set_string (value, self->conditions->text);
}

/* --- the table --- */

/* GstDirectControlBinding can drive properties up to POWER. */
typedef enum
{
  BOOLEAN,
  UINT,
  UINT64,
  DOUBLE,
  ENUM,
  POWER, /* an enum of powers of two, whose exponent is stored */
  FLAGS,
  STRING,
  BYTES,
  ARRAY /* of gdouble, after a guint64 with their number */
} Kind;

typedef struct
{
  Kind kind;
  const gchar *name;
  const gchar *nick;
  const gchar *blurb;
  gsize offset;             /* of the field in GstAmphistoSettings */
  gdouble min, max;         /* UINT, DOUBLE, each number of ARRAY */
  guint most_numbers;       /* ARRAY */
  GType (*get_type) (void); /* ENUM, POWER, FLAGS */
  gboolean is_fixed;        /* after the start */

  /* for a setting that is not stored as the property's type */
  gboolean (*set) (
      GstAmphistoSettings *self, const GValue *value, GError **error);
  void (*get) (const GstAmphistoSettings *self, GValue *value);
} Property;

#define FIELD(member) .offset = offsetof (GstAmphistoSettings, member)
#define TYPE(name) .get_type = gst_amphisto_##name##_get_type
#define VALUE(name) .set = set_##name, .get = get_##name

static const Property properties[] = {
  { UINT, "frames-in-flight", "Frames in flight",
      "Frames on the device at once: more than 1 raises throughput on devices "
      "with memory of their own, and adds up to n - 1 frames of latency",
      FIELD (frames_in_flight), 1, AMPHISTO_CL_MAX_FRAMES, .is_fixed = TRUE },
  { UINT, "n-threads", "Threads",
      "CPU threads to use at most; 0: as many as pay for a frame. No effect on "
      "GPUs",
      FIELD (n_threads), 0, G_MAXUINT, .is_fixed = TRUE },
  { FLAGS, "channels", "Channels",
      "Channels to measure; channels that the format lacks are skipped. Luma "
      "of RGB is BT.709's unless the caps have a matrix",
      FIELD (groups), TYPE (channels) },
  { BOOLEAN, "attach-meta", "Attach metadata",
      "Whether to attach the histograms to buffers as AmphistoHistogramMeta",
      FIELD (attach_meta) },
  { BOOLEAN, "post-messages", "Post messages",
      "Whether to post the histograms as element messages on the bus, which "
      "keeps them, about 7 KB for each channel, until it is read",
      FIELD (post_messages) },
  { UINT64, "interval", "Interval",
      "Minimum stream time between messages, in nanoseconds; 0 posts one per "
      "frame",
      FIELD (interval) },
  { ARRAY, "percentiles", "Percentiles",
      "Percentiles to report in metadata and messages: numbers from 0 to 100, "
      "in percent (at most 64)",
      FIELD (percentiles), 0, 100,
      .most_numbers = GST_AMPHISTO_MAX_PERCENTILES },
  { BOOLEAN, "compare-frames", "Compare frames",
      "Whether to compare with the previous frame, for luma's fields "
      "difference and distance and the picture's field difference in metadata "
      "and messages",
      FIELD (compare_frames) },
  { BOOLEAN, "check-gamut", "Check gamut",
      "Whether to count the pixels that are out of gamut (EBU R103), for the "
      "field out-of-gamut of picture in metadata and messages; RGB formats and "
      "GRAY8 of full range have none",
      FIELD (check_gamut) },
  { BOOLEAN, "find-letterbox", "Find letterbox",
      "Whether to find the picture between black bars: the smallest rectangle "
      "with all rows and columns whose mean luma is above 24, for the fields "
      "of picture in metadata and messages",
      FIELD (find_letterbox) },
  { BOOLEAN, "measure-sharpness", "Measure sharpness",
      "Whether to measure the variance of luma's Laplacian, as OpenCV has it, "
      "for the field sharpness of picture in metadata and messages: a blurred "
      "picture has less of it",
      FIELD (measure_sharpness) },
  { STRING, "expect", "Expect",
      "Conditions that each frame has to meet: CHANNEL.FIELD OPERATOR NUMBER, "
      "joined by commas (null = none), as in \"luma.mean >= 20, "
      "luma.clipped-high < 0.1\"; channels (or picture) and fields are "
      "those of the metadata, or percentiles, as in luma.p98; operators <, "
      "<=, =, !=, >= and >. They are measured for it",
      VALUE (expect) },
  { UINT64, "expect-duration", "Expect duration",
      "How long a condition must fail before it is reported, in nanoseconds of "
      "stream time",
      FIELD (expect_duration) },
  { BOOLEAN, "expect-error", "Expect error",
      "Whether a condition that fails, or a mistake in expect, is an error, "
      "which ends the stream; otherwise, only messages and warnings are posted",
      FIELD (expect_error) },
  { BOOLEAN, "verify", "Verify",
      "Whether to recompute every result on the CPU and fail if the device's "
      "differs (slow)",
      FIELD (verify) },

  { UINT, "roi-x", "Region x",
      "Left edge of the region to measure, equalize, and draw exposure aids "
      "into, in pixels; the region is clipped to the frame",
      FIELD (roi.x), 0, G_MAXUINT },
  { UINT, "roi-y", "Region y", "Top edge of the region, in pixels",
      FIELD (roi.y), 0, G_MAXUINT },
  { UINT, "roi-width", "Region width",
      "Width of the region, in pixels (0 = to the right edge of the frame)",
      FIELD (roi.width), 0, G_MAXUINT },
  { UINT, "roi-height", "Region height",
      "Height of the region, in pixels (0 = to the bottom edge of the frame)",
      FIELD (roi.height), 0, G_MAXUINT },
  { BOOLEAN, "roi-meta", "Regions of interest",
      "Whether to also measure the buffer's regions of interest "
      "(GstVideoRegionOfInterestMeta, the first 1024), for the metadata",
      FIELD (roi_meta) },

  { ENUM, "equalization", "Equalization",
      "Equalization of luma; pixels keep their hue where no color clips",
      FIELD (equalization), TYPE (equalization) },
  { DOUBLE, "strength", "Strength",
      "Strength of the equalization, from 0 (unchanged) to 1 (fully equalized)",
      FIELD (strength), 0, 1 },
  { DOUBLE, "clip-limit", "Clip limit",
      "CLAHE contrast limit, in multiples of a flat tile histogram; 2 to 4 "
      "suits video, 0 and 256 disable the limit",
      FIELD (clahe.clip_limit), 0, 256 },
  { UINT, "tiles-x", "Tiles x", "Number of CLAHE tiles from left to right",
      FIELD (clahe.tiles_x), 1, 64 },
  { UINT, "tiles-y", "Tiles y", "Number of CLAHE tiles from top to bottom",
      FIELD (clahe.tiles_y), 1, 64 },
  { BYTES, "reference", "Reference",
      "Luma histogram for equalization=match: the 258 native-endian guint32 of "
      "bins in the metadata, or the first 256, which count; zeros, or null: "
      "none",
      VALUE (match_bins) },
  { DOUBLE, "stretch-low", "Stretch low",
      "Darkest samples that equalization=stretch may clip, in percent of all",
      FIELD (stretch_low), 0, 50 },
  { DOUBLE, "stretch-high", "Stretch high",
      "Brightest samples that equalization=stretch may clip, in percent of "
      "all; it changes nothing if fewer are lit",
      FIELD (stretch_high), 0, 50 },
  { DOUBLE, "smoothing", "Smoothing",
      "Temporal smoothing of the equalization against flicker: weight of the "
      "previous frames, reset at scene cuts; 1 locks the levels",
      FIELD (smoothing), 0, 1 },
  { BOOLEAN, "keep-colors", "Keep colors",
      "Whether equalization scales colors with the contrast of luma, as far as "
      "few of them clip; otherwise U and V stay, and R, G and B change by as "
      "much as luma",
      FIELD (keep_colors) },

  { FLAGS, "scopes", "Scopes",
      "Scopes to draw, side by side; they shrink together if they do not fit",
      FIELD (scopes.enabled), TYPE (scopes) },
  { BOOLEAN, "scopes-only", "Scopes only",
      "Whether the scopes alone are the output, in BGRA or BGRx of any size "
      "that downstream asks for (otherwise 1280x720; a vectorscope 720x720): "
      "they fill it, and the picture is only measured",
      FIELD (scopes_only), .is_fixed = TRUE },
  { ENUM, "scope-display", "Scope display",
      "Layout of the channels within a scope; a parade that is too narrow to "
      "read is overlaid",
      FIELD (scopes.display), TYPE (scope_display) },
  { ENUM, "scope-position", "Scope position",
      "Corner of the picture for the scopes", FIELD (scopes.position),
      TYPE (scope_position) },
  { DOUBLE, "scope-width", "Scope width",
      "Width of histogram and waveform, as a fraction of the picture width, "
      "within legible and available sizes",
      FIELD (scopes.width), 0, 1 },
  { DOUBLE, "scope-height", "Scope height",
      "Height of each scope, as a fraction of the picture height, within "
      "legible and available sizes",
      FIELD (scopes.height), 0, 1 },
  { DOUBLE, "scope-opacity", "Scope opacity", "Opacity of the scope background",
      FIELD (scopes.opacity), 0, 1 },
  { DOUBLE, "scope-intensity", "Scope intensity",
      "Brightness of faint traces in waveform and vectorscope",
      FIELD (scopes.intensity), 0.25, 4 },
  { ENUM, "scope-scale", "Scope scale", "Vertical scale of the histogram",
      FIELD (scopes.scale), TYPE (scope_scale) },
  { ENUM, "waveform-colors", "Waveform colors", "Colours of the waveform",
      FIELD (scopes.waveform_colors), TYPE (waveform_colors) },
  { POWER, "vectorscope-zoom", "Vectorscope zoom",
      "Part of U and V that the vectorscope shows", FIELD (scopes.zoom_shift),
      TYPE (vectorscope_zoom) },
  { BOOLEAN, "graticule", "Graticule",
      "Whether to draw a frame, quarter lines, letters, figures, where there "
      "is room minimum, mean and maximum of each channel, and, for limited "
      "range, the legal limits into the scopes, an outline around the region "
      "that they measure, and the legend of false colour",
      FIELD (scopes.graticule) },
  { BOOLEAN, "clipping-bars", "Clipping bars",
      "Whether to draw bars at the sides of the histogram if 0.1 % of the "
      "samples or more are black or white",
      FIELD (scopes.clipping_bars) },
  { BOOLEAN, "percentile-marks", "Percentile marks",
      "Whether to mark the 1st, 50th and 99th percentile in the histogram",
      FIELD (scopes.percentile_marks) },
  { ARRAY, "reference-lines", "Reference lines",
      "Lines across the waveform, except in panels of U and V: numbers from "
      "-10 to 110, in percent (at most 16)",
      FIELD (scopes.reference_lines), -10, 110,
      .most_numbers = WAVEFORM_MAX_REFERENCE_LINES },

  { FLAGS, "exposure", "Exposure", "Exposure aids to draw on the picture",
      FIELD (exposure.enabled), TYPE (exposure) },
  { DOUBLE, "zebra-low", "Zebra low",
      "Luma at and below which exposure=zebra draws stripes, in percent of its "
      "range; the value 0 always gets them",
      FIELD (exposure.zebra_low), -10, 110 },
  { DOUBLE, "zebra-high", "Zebra high",
      "Luma at and above which exposure=zebra draws stripes, in percent of its "
      "range; the value 255 always gets them",
      FIELD (exposure.zebra_high), -10, 110 },
  { ENUM, "false-color-scale", "False colour scale",
      "Which luma has which colour with exposure=false-color, in percent of "
      "its range",
      FIELD (exposure.scale), TYPE (false_color_scale) },
  { DOUBLE, "peaking-threshold", "Peaking threshold",
      "Contrast from which exposure=peaking marks an edge, in percent of the "
      "greatest gradient of luma (3x3 Sobel operator)",
      FIELD (exposure.peaking_threshold), 0, 100 },
};

/* Fields of enum types are used as guint. */
G_STATIC_ASSERT (sizeof (AmphistoEqualization) == sizeof (guint));
/* Numbers of arrays follow their number. */
G_STATIC_ASSERT (
    offsetof (GstAmphistoPercentiles, percent) == sizeof (guint64));
G_STATIC_ASSERT (
    offsetof (AmphistoReferenceLines, percent) == sizeof (guint64));

static guint
flags_of (const Property *p)
{
  const guint flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  if (p->is_fixed)
    return flags | GST_PARAM_MUTABLE_READY;
  return flags | GST_PARAM_MUTABLE_PLAYING
      | (p->kind <= POWER ? GST_PARAM_CONTROLLABLE : 0);
}

/* usual: the default of the property's field. */
static GParamSpec *
new_param (const Property *p, gconstpointer usual)
{
  const guint flags = flags_of (p);

  switch (p->kind) {
    case BOOLEAN:
      return g_param_spec_boolean (
          p->name, p->nick, p->blurb, *(const bool *) usual, flags);
    case UINT:
      return g_param_spec_uint (p->name, p->nick, p->blurb, (guint) p->min,
          (guint) p->max, *(const guint *) usual, flags);
    case UINT64:
      return g_param_spec_uint64 (p->name, p->nick, p->blurb, 0, G_MAXUINT64,
          *(const guint64 *) usual, flags);
    case DOUBLE:
      return g_param_spec_double (p->name, p->nick, p->blurb, p->min, p->max,
          *(const gdouble *) usual, flags);
    case ENUM:
      return g_param_spec_enum (p->name, p->nick, p->blurb, p->get_type (),
          *(const gint *) usual, flags);
    case POWER:
      return g_param_spec_enum (p->name, p->nick, p->blurb, p->get_type (),
          1 << *(const guint *) usual, flags);
    case FLAGS:
      return g_param_spec_flags (p->name, p->nick, p->blurb, p->get_type (),
          *(const guint *) usual, flags);
    case STRING:
      return g_param_spec_string (p->name, p->nick, p->blurb, NULL, flags);
    case BYTES:
      return g_param_spec_boxed (
          p->name, p->nick, p->blurb, G_TYPE_BYTES, flags);
    case ARRAY: /* of numbers of any type */
      return gst_param_spec_array (p->name, p->nick, p->blurb, NULL, flags);
    default:
      g_assert_not_reached ();
  }
}

void
gst_amphisto_properties_install (GObjectClass *class)
{
  const guint8 *defaults = (const guint8 *) &gst_amphisto_default_settings;

  for (guint i = 0; i < G_N_ELEMENTS (properties); i++) {
    const Property *p = &properties[i];

    g_object_class_install_property (class, GST_AMPHISTO_FIRST_SETTING + i,
        new_param (p, defaults + p->offset));
    if (p->get_type != NULL)
      gst_type_mark_as_plugin_api (p->get_type (), 0);
  }
}

static const Property *
find_property (guint id)
{
  g_assert (id - GST_AMPHISTO_FIRST_SETTING < G_N_ELEMENTS (properties));
  return &properties[id - GST_AMPHISTO_FIRST_SETTING];
}

/* --- arrays of numbers --- */

/* Stores an element of the array: a number of any type. */
static gboolean
get_number (const Property *p, const GValue *element, gdouble *number)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_DOUBLE);
  if (!g_value_transform (element, &value))
    return FALSE;
  *number = g_value_get_double (&value);
  return *number >= p->min && *number <= p->max;
}

/* The first of the numbers of a field that begins with their number. */
#define FIRST_NUMBER(field) ((gdouble *) ((guint64 *) (field) + 1))

/* Refuses all values if one is no number, or out of range; otherwise stores as
 * many as the field has room for, and refuses the rest. */
static gboolean
set_numbers (
    const Property *p, gpointer field, const GValue *array, GError **error)
{
  const guint size = gst_value_array_get_size (array);
  const guint n = MIN (size, p->most_numbers);
  g_autofree gdouble *numbers = g_new0 (gdouble, p->most_numbers);

  for (guint i = 0; i < n; i++) {
    const GValue *element = gst_value_array_get_value (array, i);

    if (!get_number (p, element, &numbers[i])) {
      g_autofree gchar *text = g_strdup_value_contents (element);

      return gst_amphisto_refuse (error,
          "%s are numbers from %g to %g, not %s; they stay as they were.",
          p->name, p->min, p->max, text);
    }
  }
  *(guint64 *) field = n;
  memcpy (FIRST_NUMBER (field), numbers, p->most_numbers * sizeof *numbers);
  return size == n
      || gst_amphisto_refuse (error,
          "%u %s are too many; the first %u are taken.", size, p->name, n);
}

static void
get_numbers (gconstpointer field, GValue *array)
{
  for (guint i = 0; i < *(const guint64 *) field; i++) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, G_TYPE_DOUBLE);
    g_value_set_double (&value, FIRST_NUMBER (field)[i]);
    gst_value_array_append_and_take_value (array, &value);
  }
}

/* --- setting and getting --- */

gboolean
gst_amphisto_settings_set (
    GstAmphistoSettings *self, guint id, const GValue *value, GError **error)
{
  const Property *p = find_property (id);
  gpointer field = (guint8 *) self + p->offset;

  if (p->set != NULL)
    return p->set (self, value, error);
  if (p->kind == ARRAY)
    return set_numbers (p, field, value, error);
  if (p->kind == BOOLEAN)
    *(bool *) field = g_value_get_boolean (value);
  else if (p->kind == UINT)
    *(guint *) field = g_value_get_uint (value);
  else if (p->kind == UINT64)
    *(guint64 *) field = g_value_get_uint64 (value);
  else if (p->kind == DOUBLE)
    *(gdouble *) field = g_value_get_double (value);
  else if (p->kind == ENUM)
    *(guint *) field = (guint) g_value_get_enum (value);
  else if (p->kind == POWER)
    *(guint *) field =
        (guint) g_bit_nth_lsf ((gulong) g_value_get_enum (value), -1);
  else
    *(guint *) field = g_value_get_flags (value);
  return TRUE;
}

void
gst_amphisto_settings_get (
    const GstAmphistoSettings *self, guint id, GValue *value)
{
  const Property *p = find_property (id);
  gconstpointer field = (const guint8 *) self + p->offset;

  if (p->get != NULL)
    p->get (self, value);
  else if (p->kind == ARRAY)
    get_numbers (field, value);
  else if (p->kind == BOOLEAN)
    g_value_set_boolean (value, *(const bool *) field);
  else if (p->kind == UINT)
    g_value_set_uint (value, *(const guint *) field);
  else if (p->kind == UINT64)
    g_value_set_uint64 (value, *(const guint64 *) field);
  else if (p->kind == DOUBLE)
    g_value_set_double (value, *(const gdouble *) field);
  else if (p->kind == ENUM)
    g_value_set_enum (value, (gint) * (const guint *) field);
  else if (p->kind == POWER)
    g_value_set_enum (value, 1 << *(const guint *) field);
  else
    g_value_set_flags (value, *(const guint *) field);
}

static gboolean
check_equal (const GstAmphistoSettings *self, guint id, const GValue *value,
    GError **error)
{
  g_auto (GValue) now = G_VALUE_INIT;
  g_autofree gchar *text = NULL;

  g_value_init (&now, G_VALUE_TYPE (value));
  gst_amphisto_settings_get (self, id, &now);
  if (gst_value_compare (&now, value) == GST_VALUE_EQUAL)
    return TRUE;
  text = gst_value_serialize (&now);
  return gst_amphisto_refuse (error,
      "%s stays %s: it can be changed in READY and NULL only.",
      find_property (id)->name, text);
}

gboolean
gst_amphisto_settings_may_change (const GstAmphistoSettings *self, guint id,
    const GValue *value, GError **error)
{
  const Property *p = find_property (id);

  if (p->is_fixed && !check_equal (self, id, value, error))
    return FALSE;
  if (p->get_type == gst_amphisto_scopes_get_type && self->scopes_only
      && g_value_get_flags (value) == AMPHISTO_SCOPE_NONE)
    return gst_amphisto_refuse (error,
        "%s stays as it is: with scopes-only=true, nothing else is shown.",
        p->name);
  return TRUE;
}
