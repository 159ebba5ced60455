/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "element/settings.h"

#include <string.h>

static const GstAmphistoSettings defaults = {
  .channels = GST_AMPHISTO_CHANNELS_LUMA,
  .attach_meta = true,
  .interval = 100 * GST_MSECOND,
  .percentiles = { 1, 5, 25, 75, 95, 99 },
  .n_percentiles = 6,
  .equalization = AMPHISTO_EQUALIZATION_NONE,
  .strength = 1.0,
  .clahe = { .tiles_x = 8, .tiles_y = 8, .clip_limit = 3.0 },
  .overlay = { .mode = AMPHISTO_OVERLAY_NONE,
      .position = AMPHISTO_OVERLAY_BOTTOM_RIGHT,
      .width = 0.33,
      .height = 0.25,
      .opacity = 0.7,
      .scale = AMPHISTO_OVERLAY_LINEAR,
      .graticule = true,
      .clipping = AMPHISTO_CLIPPING_BARS,
      .zebra_low = 0.0,
      .zebra_high = 100.0,
      .scopes = AMPHISTO_SCOPE_HISTOGRAM },
};

void
gst_amphisto_settings_init (GstAmphistoSettings *self)
{
  *self = defaults;
}

/* --- types --- */

#define DEFINE_TYPE(function, name, Value, register, ...)                      \
  static GType function (void)                                                 \
  {                                                                            \
    static GType type = 0;                                                     \
    static const Value values[] = { __VA_ARGS__, { 0, NULL, NULL } };          \
                                                                               \
    if (g_once_init_enter (&type))                                             \
      g_once_init_leave (&type, register(name, values));                       \
    return type;                                                               \
  }

#define DEFINE_ENUM(function, name, ...)                                       \
  DEFINE_TYPE (function, name, GEnumValue, g_enum_register_static, __VA_ARGS__)
#define DEFINE_FLAGS(function, name, ...)                                      \
  DEFINE_TYPE (                                                                \
      function, name, GFlagsValue, g_flags_register_static, __VA_ARGS__)

DEFINE_FLAGS (channels_get_type, "GstAmphistoChannels",
    { GST_AMPHISTO_CHANNELS_LUMA, "Luma; computed for RGB formats", "luma" },
    { GST_AMPHISTO_CHANNELS_CHROMA, "Chroma: U and V", "chroma" },
    { GST_AMPHISTO_CHANNELS_RGB,
        "Red, green and blue; computed for YUV formats", "rgb" },
    { GST_AMPHISTO_CHANNELS_ALPHA, "Alpha", "alpha" })

DEFINE_FLAGS (scopes_get_type, "GstAmphistoScopes",
    { AMPHISTO_SCOPE_HISTOGRAM, "Histogram", "histogram" },
    { AMPHISTO_SCOPE_WAVEFORM,
        "Waveform: values by their place from left to right", "waveform" },
    { AMPHISTO_SCOPE_VECTORSCOPE, "Vectorscope: hue and saturation",
        "vectorscope" })

DEFINE_ENUM (equalization_get_type, "GstAmphistoEqualization",
    { AMPHISTO_EQUALIZATION_NONE, "No equalization", "none" },
    { AMPHISTO_EQUALIZATION_GLOBAL, "Histogram equalization of the whole frame",
        "global" },
    { AMPHISTO_EQUALIZATION_CLAHE,
        "Contrast limited adaptive histogram equalization", "clahe" },
    { AMPHISTO_EQUALIZATION_MATCH,
        "Histogram matching to the reference (no equalization without one)",
        "match" })

DEFINE_ENUM (overlay_get_type, "GstAmphistoOverlay",
    { AMPHISTO_OVERLAY_NONE, "No scope", "none" },
    { AMPHISTO_OVERLAY_OVERLAY, "All channels in one graph", "overlay" },
    { AMPHISTO_OVERLAY_STACK, "A graph per channel, one below the other",
        "stack" },
    { AMPHISTO_OVERLAY_PARADE, "A graph per channel, side by side", "parade" })

DEFINE_ENUM (position_get_type, "GstAmphistoOverlayPosition",
    { AMPHISTO_OVERLAY_TOP_LEFT, "Top left", "top-left" },
    { AMPHISTO_OVERLAY_TOP_RIGHT, "Top right", "top-right" },
    { AMPHISTO_OVERLAY_BOTTOM_LEFT, "Bottom left", "bottom-left" },
    { AMPHISTO_OVERLAY_BOTTOM_RIGHT, "Bottom right", "bottom-right" })

DEFINE_ENUM (scale_get_type, "GstAmphistoOverlayScale",
    { AMPHISTO_OVERLAY_LINEAR, "Linear", "linear" },
    { AMPHISTO_OVERLAY_LOG,
        "Logarithmic; the graticule marks 1, 10, 100, ... samples", "log" })

DEFINE_FLAGS (clipping_get_type, "GstAmphistoClipping",
    { AMPHISTO_CLIPPING_NONE, "No indicator", "none" },
    { AMPHISTO_CLIPPING_BARS,
        "Bars at the sides of each graph, for more than 1 % of the samples",
        "bars" },
    { AMPHISTO_CLIPPING_ZEBRA,
        "Moving stripes on pixels below zebra-low (black) and above zebra-high "
        "(white)",
        "zebra" },
    { AMPHISTO_CLIPPING_FALSE_COLOR,
        "Luma as bands of colour in place of the picture: purple below 2 %, "
        "blue to 8 %, green 38 to 42 %, pink 52 to 56 %, yellow 92 to 98 %, "
        "red above, else grey (grey formats stay as they are)",
        "false-color" })

/* --- an array of numbers --- */

/* Leaves the elements as they are: GstParamSpecArray would replace integers by
 * the default of a double. */
static void
numbers_class_init (gpointer class, gpointer data)
{
  (void) data;
  ((GParamSpecClass *) class)->value_validate = NULL;
}

static GType
numbers_get_type (void)
{
  static GType type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_type_register_static_simple (GST_TYPE_PARAM_ARRAY_LIST,
            "GstAmphistoParamNumbers", sizeof (GParamSpecClass),
            numbers_class_init, sizeof (GstParamSpecArray), NULL, 0));
  return type;
}

/* As gst_param_spec_array(), but takes elements of any type. */
static GParamSpec *
param_spec_numbers (const gchar *name, const gchar *nick, const gchar *blurb,
    GParamSpec *element, GParamFlags flags)
{
  GstParamSpecArray *spec =
      g_param_spec_internal (numbers_get_type (), name, nick, blurb, flags);

  spec->element_spec = g_param_spec_ref_sink (element);
  return G_PARAM_SPEC (spec);
}

/* --- properties --- */

#define LIVE                                                                   \
  (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)
/* Types that GstDirectControlBinding can drive: not flags, strings, arrays nor
 * bytes. */
#define CONTROLLABLE (LIVE | GST_PARAM_CONTROLLABLE)

/* Installs a property for `field`, a field of `defaults`. The property's id is
 * GST_AMPHISTO_FIRST_SETTING plus the field's offset, by which the setting is
 * found again. */
static void
install (GObjectClass *class, gconstpointer field, GParamSpec *spec)
{
  const gsize offset = (const guint8 *) field - (const guint8 *) &defaults;

  g_object_class_install_property (
      class, GST_AMPHISTO_FIRST_SETTING + offset, spec);
  if (G_IS_PARAM_SPEC_ENUM (spec) || G_IS_PARAM_SPEC_FLAGS (spec))
    gst_type_mark_as_plugin_api (spec->value_type, 0);
}

static void
install_boolean (GObjectClass *class, const bool *field, const gchar *name,
    const gchar *nick, const gchar *blurb)
{
  install (class, field,
      g_param_spec_boolean (name, nick, blurb, *field, CONTROLLABLE));
}

static void
install_uint (GObjectClass *class, const guint *field, const gchar *name,
    const gchar *nick, const gchar *blurb, guint min, guint max)
{
  install (class, field,
      g_param_spec_uint (name, nick, blurb, min, max, *field, CONTROLLABLE));
}

static void
install_double (GObjectClass *class, const gdouble *field, const gchar *name,
    const gchar *nick, const gchar *blurb, gdouble min, gdouble max)
{
  install (class, field,
      g_param_spec_double (name, nick, blurb, min, max, *field, CONTROLLABLE));
}

static void
install_enum (GObjectClass *class, const guint *field, const gchar *name,
    const gchar *nick, const gchar *blurb, GType type)
{
  install (class, field,
      g_param_spec_enum (name, nick, blurb, type, *field, CONTROLLABLE));
}

static void
install_measurement (GObjectClass *class)
{
  install (class, &defaults.channels,
      g_param_spec_flags ("channels", "Channels",
          "Channels to measure; channels that the format lacks are skipped",
          channels_get_type (), defaults.channels, LIVE));
  install_boolean (class, &defaults.attach_meta, "attach-meta",
      "Attach metadata",
      "Whether to attach the histograms to buffers as AmphistoHistogramMeta");
  install_boolean (class, &defaults.post_messages, "post-messages",
      "Post messages",
      "Whether to post the histograms as element messages on the bus");
  install (class, &defaults.interval,
      g_param_spec_uint64 ("interval", "Interval",
          "Minimum stream time between messages, in nanoseconds; 0 posts one "
          "per frame",
          0, G_MAXUINT64, defaults.interval, CONTROLLABLE));
  install (class, &defaults.percentiles,
      param_spec_numbers ("percentiles", "Percentiles",
          "Percentiles to report in metadata and messages, in percent (at most "
          "64)",
          g_param_spec_double ("percentile", "Percentile",
              "Percentage of the samples", 0.0, 100.0, 50.0,
              G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS),
          LIVE));
  install_boolean (class, &defaults.verify, "verify", "Verify",
      "Whether to recompute every result on the CPU and fail if the device's "
      "differs (slow)");
}

static void
install_regions (GObjectClass *class)
{
  install_uint (class, &defaults.roi.x, "roi-x", "Region x",
      "Left edge of the region to measure, equalize and draw into, in pixels; "
      "the region is clipped to the frame",
      0, G_MAXUINT);
  install_uint (class, &defaults.roi.y, "roi-y", "Region y",
      "Top edge of the region, in pixels", 0, G_MAXUINT);
  install_uint (class, &defaults.roi.width, "roi-width", "Region width",
      "Width of the region, in pixels (0 = to the right edge of the frame)", 0,
      G_MAXUINT);
  install_uint (class, &defaults.roi.height, "roi-height", "Region height",
      "Height of the region, in pixels (0 = to the bottom edge of the frame)",
      0, G_MAXUINT);
  install_boolean (class, &defaults.roi_meta, "roi-meta", "Regions of interest",
      "Whether to also measure the buffer's regions of interest "
      "(GstVideoRegionOfInterestMeta), for the metadata");
}

static void
install_equalization (GObjectClass *class)
{
  install_enum (class, &defaults.equalization, "equalization", "Equalization",
      "Equalization of luma; RGB pixels keep their hue",
      equalization_get_type ());
  install_double (class, &defaults.strength, "strength", "Strength",
      "Strength of the equalization, from 0 (unchanged) to 1 (fully equalized)",
      0.0, 1.0);
  install_double (class, &defaults.clahe.clip_limit, "clip-limit", "Clip limit",
      "CLAHE contrast limit, in multiples of a flat tile histogram; 2 to 4 "
      "suits video, 0 disables the limit, and so does 256",
      0.0, 256.0);
  install_uint (class, &defaults.clahe.tiles_x, "tiles-x", "Tiles x",
      "Number of CLAHE tiles from left to right", 1, 64);
  install_uint (class, &defaults.clahe.tiles_y, "tiles-y", "Tiles y",
      "Number of CLAHE tiles from top to bottom", 1, 64);
  install (class, &defaults.reference,
      g_param_spec_boxed ("reference", "Reference",
          "Luma histogram for equalization=match: 256 or more native-endian "
          "guint32, of which the first 256 count, such as bins in the metadata",
          G_TYPE_BYTES, LIVE));
  install_double (class, &defaults.smoothing, "smoothing", "Smoothing",
      "Temporal smoothing of the equalization against flicker: weight of the "
      "previous frames, reset at scene cuts",
      0.0, 1.0);
}

static void
install_overlay (GObjectClass *class)
{
  const AmphistoOverlay *overlay = &defaults.overlay;

  install_enum (class, &overlay->mode, "overlay", "Overlay",
      "How the channels share the scopes that are drawn into the picture",
      overlay_get_type ());
  install (class, &overlay->scopes,
      g_param_spec_flags ("scopes", "Scopes",
          "Scopes to draw, side by side, unless overlay is none; those that "
          "have no room are left out",
          scopes_get_type (), overlay->scopes, LIVE));
  install_enum (class, &overlay->position, "overlay-position",
      "Overlay position", "Corner of the picture for the scope",
      position_get_type ());
  install_double (class, &overlay->width, "overlay-width", "Overlay width",
      "Width of the scope, as a fraction of the picture width (limited to what "
      "is legible and fits)",
      0.0, 1.0);
  install_double (class, &overlay->height, "overlay-height", "Overlay height",
      "Height of the scope, as a fraction of the picture height (limited to "
      "what is legible and fits)",
      0.0, 1.0);
  install_double (class, &overlay->opacity, "overlay-opacity",
      "Overlay opacity", "Opacity of the scope background", 0.0, 1.0);
  install_enum (class, &overlay->scale, "overlay-scale", "Overlay scale",
      "Vertical scale of the scope", scale_get_type ());
  install_boolean (class, &overlay->graticule, "graticule", "Graticule",
      "Whether to draw a frame, quarter lines, letters, figures and, for "
      "limited-range YUV, the legal limits into the scope");
  install (class, &overlay->clipping,
      g_param_spec_flags ("clipping", "Clipping",
          "Indicators of dark and bright samples; zebra and false-color need "
          "no scope",
          clipping_get_type (), overlay->clipping, LIVE));
  install_double (class, &overlay->zebra_low, "zebra-low", "Zebra low",
      "Luma below which clipping=zebra draws stripes, in percent of its range; "
      "the value 0 always gets them",
      -10.0, 110.0);
  install_double (class, &overlay->zebra_high, "zebra-high", "Zebra high",
      "Luma above which clipping=zebra draws stripes, in percent of its range; "
      "the value 255 always gets them",
      -10.0, 110.0);
  install_boolean (class, &overlay->percentile_marks, "percentile-marks",
      "Percentile marks",
      "Whether to mark the 1st, 50th and 99th percentile in the scope");
}

void
gst_amphisto_settings_install (GObjectClass *class)
{
  install_measurement (class);
  install_regions (class);
  install_equalization (class);
  install_overlay (class);
}

G_GNUC_PRINTF (2, 3)
static gboolean
refuse (GError **error, const gchar *format, ...)
{
  va_list args;

  va_start (args, format);
  *error = g_error_new_valist (
      GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, format, args);
  va_end (args);
  return FALSE;
}

/* Stores an element of "percentiles": a number of any type. */
static gboolean
get_percentile (const GValue *element, gdouble *percentile)
{
  GValue number = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_DOUBLE);
  if (!g_value_transform (element, &number))
    return FALSE;
  *percentile = g_value_get_double (&number);
  return *percentile >= 0 && *percentile <= 100;
}

static gboolean
set_percentiles (GstAmphistoSettings *self, const GValue *array, GError **error)
{
  const guint n = gst_value_array_get_size (array);
  gdouble percentiles[GST_AMPHISTO_MAX_PERCENTILES] = { 0 };

  for (guint i = 0; i < MIN (n, GST_AMPHISTO_MAX_PERCENTILES); i++) {
    const GValue *element = gst_value_array_get_value (array, i);

    if (!get_percentile (element, &percentiles[i])) {
      g_autofree gchar *text = g_strdup_value_contents (element);

      return refuse (error,
          "percentiles are numbers from 0 to 100, not %s; they stay as they "
          "were.",
          text);
    }
  }
  memcpy (self->percentiles, percentiles, sizeof self->percentiles);
  self->n_percentiles = MIN (n, GST_AMPHISTO_MAX_PERCENTILES);
  return n <= GST_AMPHISTO_MAX_PERCENTILES
      || refuse (error, "%u percentiles are too many; the first %d are taken.",
          n, GST_AMPHISTO_MAX_PERCENTILES);
}

static void
get_percentiles (const GstAmphistoSettings *self, GValue *array)
{
  for (guint i = 0; i < self->n_percentiles; i++) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, G_TYPE_DOUBLE);
    g_value_set_double (&value, self->percentiles[i]);
    gst_value_array_append_and_take_value (array, &value);
  }
}

static gboolean
set_reference (GstAmphistoSettings *self, GBytes *bytes, GError **error)
{
  guint64 samples = 0;
  gconstpointer data;
  gsize size;

  self->has_reference = FALSE;
  if (bytes == NULL)
    return TRUE;
  data = g_bytes_get_data (bytes, &size);
  if (size < sizeof self->reference || size % sizeof (guint32) != 0)
    return refuse (error,
        "the reference has %" G_GSIZE_FORMAT " bytes, not %d guint32 or more.",
        size, AMPHISTO_N_BINS);
  memcpy (self->reference, data, sizeof self->reference);
  for (guint v = 0; v < AMPHISTO_N_BINS; v++)
    samples += self->reference[v];
  self->has_reference = samples > 0 && samples <= G_MAXUINT32;
  return self->has_reference
      || refuse (error,
          "the reference has %" G_GUINT64_FORMAT " samples, not 1 to %u.",
          samples, G_MAXUINT32);
}

static void
get_reference (const GstAmphistoSettings *self, GValue *value)
{
  if (self->has_reference)
    g_value_take_boxed (
        value, g_bytes_new (self->reference, sizeof self->reference));
}

gboolean
gst_amphisto_settings_set (
    GstAmphistoSettings *self, guint id, const GValue *value, GError **error)
{
  gpointer field = (guint8 *) self + (id - GST_AMPHISTO_FIRST_SETTING);

  if (field == self->percentiles)
    return set_percentiles (self, value, error);
  if (field == self->reference)
    return set_reference (self, g_value_get_boxed (value), error);
  if (G_VALUE_HOLDS_BOOLEAN (value))
    *(bool *) field = g_value_get_boolean (value);
  else if (G_VALUE_HOLDS_UINT (value))
    *(guint *) field = g_value_get_uint (value);
  else if (G_VALUE_HOLDS_UINT64 (value))
    *(guint64 *) field = g_value_get_uint64 (value);
  else if (G_VALUE_HOLDS_DOUBLE (value))
    *(gdouble *) field = g_value_get_double (value);
  else if (G_VALUE_HOLDS_ENUM (value))
    *(guint *) field = g_value_get_enum (value);
  else if (G_VALUE_HOLDS_FLAGS (value))
    *(guint *) field = g_value_get_flags (value);
  else
    g_return_val_if_reached (TRUE);
  return TRUE;
}

void
gst_amphisto_settings_get (
    const GstAmphistoSettings *self, guint id, GValue *value)
{
  gconstpointer field =
      (const guint8 *) self + (id - GST_AMPHISTO_FIRST_SETTING);

  if (field == self->percentiles)
    get_percentiles (self, value);
  else if (field == self->reference)
    get_reference (self, value);
  else if (G_VALUE_HOLDS_BOOLEAN (value))
    g_value_set_boolean (value, *(const bool *) field);
  else if (G_VALUE_HOLDS_UINT (value))
    g_value_set_uint (value, *(const guint *) field);
  else if (G_VALUE_HOLDS_UINT64 (value))
    g_value_set_uint64 (value, *(const guint64 *) field);
  else if (G_VALUE_HOLDS_DOUBLE (value))
    g_value_set_double (value, *(const gdouble *) field);
  else if (G_VALUE_HOLDS_ENUM (value))
    g_value_set_enum (value, *(const guint *) field);
  else if (G_VALUE_HOLDS_FLAGS (value))
    g_value_set_flags (value, *(const guint *) field);
  else
    g_return_if_reached ();
}

/* --- queries --- */

AmphistoChannelMask
gst_amphisto_settings_channels (const GstAmphistoSettings *self)
{
  AmphistoChannelMask mask = 0;

  if (self->channels & GST_AMPHISTO_CHANNELS_LUMA)
    mask |= AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA);
  if (self->channels & GST_AMPHISTO_CHANNELS_CHROMA)
    mask |= AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_U)
        | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_V);
  if (self->channels & GST_AMPHISTO_CHANNELS_RGB)
    mask |= AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_RED)
        | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_GREEN)
        | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_BLUE);
  if (self->channels & GST_AMPHISTO_CHANNELS_ALPHA)
    mask |= AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_ALPHA);
  return mask;
}

AmphistoEqualization
gst_amphisto_settings_equalization (const GstAmphistoSettings *self)
{
  if (self->equalization == AMPHISTO_EQUALIZATION_MATCH && !self->has_reference)
    return AMPHISTO_EQUALIZATION_NONE;
  return self->equalization;
}

static bool
changes_pixels (const GstAmphistoSettings *self)
{
  return gst_amphisto_settings_equalization (self) != AMPHISTO_EQUALIZATION_NONE
      || (self->overlay.clipping
          & (AMPHISTO_CLIPPING_ZEBRA | AMPHISTO_CLIPPING_FALSE_COLOR))
      || self->overlay.mode != AMPHISTO_OVERLAY_NONE;
}

gboolean
gst_amphisto_settings_is_passthrough (const GstAmphistoSettings *self)
{
  return !self->attach_meta && !self->post_messages && !changes_pixels (self);
}
