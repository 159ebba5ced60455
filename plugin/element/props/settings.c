/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/props/settings.h"

#include "element/props/types.h"
#include "element/props/values.h"

static const GstAmphistoSettings defaults = {
  .channels = GST_AMPHISTO_CHANNELS_LUMA,
  .attach_meta = true,
  .interval = 100 * GST_MSECOND,
  .percentiles = { 1, 5, 25, 75, 95, 99 },
  .n_percentiles = 6,
  .expect_error = true,
  .equalization = AMPHISTO_EQUALIZATION_NONE,
  .strength = 1.0,
  .clahe = { .tiles_x = 8, .tiles_y = 8, .clip_limit = 3.0 },
  .stretch_low = 0.5,
  .stretch_high = 0.5,
  .scopes = { .enabled = AMPHISTO_SCOPE_NONE,
      .display = AMPHISTO_DISPLAY_OVERLAY,
      .position = AMPHISTO_SCOPE_BOTTOM_RIGHT,
      .width = 0.33,
      .height = 0.25,
      .opacity = 0.7,
      .scale = AMPHISTO_SCOPE_LINEAR,
      .graticule = true,
      .clipping_bars = true },
  .exposure = { .enabled = AMPHISTO_EXPOSURE_NONE,
      .zebra_low = 0.0,
      .zebra_high = 100.0 },
};

void
gst_amphisto_settings_init (GstAmphistoSettings *self)
{
  *self = defaults;
}

/* --- properties --- */

enum
{
  PROP_CHANNELS = GST_AMPHISTO_FIRST_SETTING,
  PROP_ATTACH_META,
  PROP_POST_MESSAGES,
  PROP_INTERVAL,
  PROP_PERCENTILES,
  PROP_COMPARE_FRAMES,
  PROP_EXPECT,
  PROP_EXPECT_DURATION,
  PROP_EXPECT_ERROR,
  PROP_VERIFY,
  PROP_ROI_X,
  PROP_ROI_Y,
  PROP_ROI_WIDTH,
  PROP_ROI_HEIGHT,
  PROP_ROI_META,
  PROP_EQUALIZATION,
  PROP_STRENGTH,
  PROP_CLIP_LIMIT,
  PROP_TILES_X,
  PROP_TILES_Y,
  PROP_REFERENCE,
  PROP_STRETCH_LOW,
  PROP_STRETCH_HIGH,
  PROP_SMOOTHING,
  PROP_SCOPES,
  PROP_SCOPE_DISPLAY,
  PROP_SCOPE_POSITION,
  PROP_SCOPE_WIDTH,
  PROP_SCOPE_HEIGHT,
  PROP_SCOPE_OPACITY,
  PROP_SCOPE_SCALE,
  PROP_VECTORSCOPE_ZOOM,
  PROP_GRATICULE,
  PROP_CLIPPING_BARS,
  PROP_PERCENTILE_MARKS,
  PROP_EXPOSURE,
  PROP_ZEBRA_LOW,
  PROP_ZEBRA_HIGH
};

#define LIVE                                                                   \
  (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)
/* Types that GstDirectControlBinding can drive: no flags, strings, arrays or
 * bytes. */
#define CONTROLLABLE (LIVE | GST_PARAM_CONTROLLABLE)

static void
install_boolean (GObjectClass *class, guint id, const gchar *name,
    const gchar *nick, const gchar *blurb, gboolean initial)
{
  g_object_class_install_property (class, id,
      g_param_spec_boolean (name, nick, blurb, initial, CONTROLLABLE));
}

static void
install_uint (GObjectClass *class, guint id, const gchar *name,
    const gchar *nick, const gchar *blurb, guint min, guint max, guint initial)
{
  g_object_class_install_property (class, id,
      g_param_spec_uint (name, nick, blurb, min, max, initial, CONTROLLABLE));
}

static void
install_double (GObjectClass *class, guint id, const gchar *name,
    const gchar *nick, const gchar *blurb, gdouble min, gdouble max,
    gdouble initial)
{
  g_object_class_install_property (class, id,
      g_param_spec_double (name, nick, blurb, min, max, initial, CONTROLLABLE));
}

static void
install_uint64 (GObjectClass *class, guint id, const gchar *name,
    const gchar *nick, const gchar *blurb, guint64 initial)
{
  g_object_class_install_property (class, id,
      g_param_spec_uint64 (
          name, nick, blurb, 0, G_MAXUINT64, initial, CONTROLLABLE));
}

static void
install_enum (GObjectClass *class, guint id, const gchar *name,
    const gchar *nick, const gchar *blurb, GType type, gint initial)
{
  g_object_class_install_property (class, id,
      g_param_spec_enum (name, nick, blurb, type, initial, CONTROLLABLE));
  gst_type_mark_as_plugin_api (type, 0);
}

static void
install_flags (GObjectClass *class, guint id, const gchar *name,
    const gchar *nick, const gchar *blurb, GType type, guint initial)
{
  g_object_class_install_property (
      class, id, g_param_spec_flags (name, nick, blurb, type, initial, LIVE));
  gst_type_mark_as_plugin_api (type, 0);
}

static void
install_measurement (GObjectClass *class)
{
  install_flags (class, PROP_CHANNELS, "channels", "Channels",
      "Channels to measure; channels that the format lacks are skipped",
      gst_amphisto_channels_get_type (), defaults.channels);
  install_boolean (class, PROP_ATTACH_META, "attach-meta", "Attach metadata",
      "Whether to attach the histograms to buffers as AmphistoHistogramMeta",
      defaults.attach_meta);
  install_boolean (class, PROP_POST_MESSAGES, "post-messages", "Post messages",
      "Whether to post the histograms as element messages on the bus",
      defaults.post_messages);
  install_uint64 (class, PROP_INTERVAL, "interval", "Interval",
      "Minimum stream time between messages, in nanoseconds; 0 posts one per "
      "frame",
      defaults.interval);
  g_object_class_install_property (class, PROP_PERCENTILES,
      gst_param_spec_array ("percentiles", "Percentiles",
          "Percentiles to report in metadata and messages: numbers from 0 to "
          "100, in percent (at most 64)",
          NULL, /* accepts numbers of any type */
          LIVE));
  install_boolean (class, PROP_COMPARE_FRAMES, "compare-frames",
      "Compare frames",
      "Whether to compare luma with the previous frame, for the fields "
      "difference and distance in metadata and messages",
      defaults.compare_frames);
  install_boolean (class, PROP_VERIFY, "verify", "Verify",
      "Whether to recompute every result on the CPU and fail if the device's "
      "differs (slow)",
      defaults.verify);
}

static void
install_expectations (GObjectClass *class)
{
  g_object_class_install_property (class, PROP_EXPECT,
      g_param_spec_string ("expect", "Expect",
          "Conditions that each frame has to meet: CHANNEL.FIELD OPERATOR "
          "NUMBER, joined by commas (null = none), as in \"luma.mean >= 20, "
          "luma.clipped-high < 0.1\"; channels and fields are those of the "
          "metadata, operators <, <=, =, !=, >= and >. The channels are "
          "measured "
          "for it",
          NULL, LIVE));
  install_uint64 (class, PROP_EXPECT_DURATION, "expect-duration",
      "Expect duration",
      "How long a condition must fail before it is reported, in nanoseconds of "
      "stream time",
      defaults.expect_duration);
  install_boolean (class, PROP_EXPECT_ERROR, "expect-error", "Expect error",
      "Whether a condition that fails, or a mistake in expect, is an error, "
      "which ends the stream; otherwise, only messages and warnings are posted",
      defaults.expect_error);
}

static void
install_regions (GObjectClass *class)
{
  install_uint (class, PROP_ROI_X, "roi-x", "Region x",
      "Left edge of the region to measure, equalize, and draw zebra and false "
      "colour into, in pixels; the region is clipped to the frame",
      0, G_MAXUINT, defaults.roi.x);
  install_uint (class, PROP_ROI_Y, "roi-y", "Region y",
      "Top edge of the region, in pixels", 0, G_MAXUINT, defaults.roi.y);
  install_uint (class, PROP_ROI_WIDTH, "roi-width", "Region width",
      "Width of the region, in pixels (0 = to the right edge of the frame)", 0,
      G_MAXUINT, defaults.roi.width);
  install_uint (class, PROP_ROI_HEIGHT, "roi-height", "Region height",
      "Height of the region, in pixels (0 = to the bottom edge of the frame)",
      0, G_MAXUINT, defaults.roi.height);
  install_boolean (class, PROP_ROI_META, "roi-meta", "Regions of interest",
      "Whether to also measure the buffer's regions of interest "
      "(GstVideoRegionOfInterestMeta, the first 1024), for the metadata",
      defaults.roi_meta);
}

static void
install_equalization (GObjectClass *class)
{
  install_enum (class, PROP_EQUALIZATION, "equalization", "Equalization",
      "Equalization of luma; RGB pixels keep their hue",
      gst_amphisto_equalization_get_type (), defaults.equalization);
  install_double (class, PROP_STRENGTH, "strength", "Strength",
      "Strength of the equalization, from 0 (unchanged) to 1 (fully equalized)",
      0.0, 1.0, defaults.strength);
  install_double (class, PROP_CLIP_LIMIT, "clip-limit", "Clip limit",
      "CLAHE contrast limit, in multiples of a flat tile histogram; 2 to 4 "
      "suits video, 0 and 256 disable the limit",
      0.0, 256.0, defaults.clahe.clip_limit);
  install_uint (class, PROP_TILES_X, "tiles-x", "Tiles x",
      "Number of CLAHE tiles from left to right", 1, 64,
      defaults.clahe.tiles_x);
  install_uint (class, PROP_TILES_Y, "tiles-y", "Tiles y",
      "Number of CLAHE tiles from top to bottom", 1, 64,
      defaults.clahe.tiles_y);
  g_object_class_install_property (class, PROP_REFERENCE,
      g_param_spec_boxed ("reference", "Reference",
          "Luma histogram for equalization=match: 256 native-endian guint32, "
          "or the 258 of bins in the metadata, whose first 256 count",
          G_TYPE_BYTES, LIVE));
  install_double (class, PROP_STRETCH_LOW, "stretch-low", "Stretch low",
      "Darkest samples that equalization=stretch may clip, in percent of all",
      0.0, 50.0, defaults.stretch_low);
  install_double (class, PROP_STRETCH_HIGH, "stretch-high", "Stretch high",
      "Brightest samples that equalization=stretch may clip, in percent of all",
      0.0, 50.0, defaults.stretch_high);
  install_double (class, PROP_SMOOTHING, "smoothing", "Smoothing",
      "Temporal smoothing of the equalization against flicker: weight of the "
      "previous frames, reset at scene cuts",
      0.0, 1.0, defaults.smoothing);
}

static void
install_scopes (GObjectClass *class)
{
  const AmphistoScopeSettings *scopes = &defaults.scopes;

  install_flags (class, PROP_SCOPES, "scopes", "Scopes",
      "Scopes to draw, side by side; they shrink together if they do not fit",
      gst_amphisto_scopes_get_type (), scopes->enabled);
  install_enum (class, PROP_SCOPE_DISPLAY, "scope-display", "Scope display",
      "Layout of the channels within a scope",
      gst_amphisto_scope_display_get_type (), scopes->display);
  install_enum (class, PROP_SCOPE_POSITION, "scope-position", "Scope position",
      "Corner of the picture for the scopes",
      gst_amphisto_scope_position_get_type (), scopes->position);
  install_double (class, PROP_SCOPE_WIDTH, "scope-width", "Scope width",
      "Width of histogram and waveform, as a fraction of the picture width, "
      "within legible and available sizes",
      0.0, 1.0, scopes->width);
  install_double (class, PROP_SCOPE_HEIGHT, "scope-height", "Scope height",
      "Height of each scope, as a fraction of the picture height, within "
      "legible and available sizes",
      0.0, 1.0, scopes->height);
  install_double (class, PROP_SCOPE_OPACITY, "scope-opacity", "Scope opacity",
      "Opacity of the scope background", 0.0, 1.0, scopes->opacity);
  install_enum (class, PROP_SCOPE_SCALE, "scope-scale", "Scope scale",
      "Vertical scale of the histogram", gst_amphisto_scope_scale_get_type (),
      scopes->scale);
  install_enum (class, PROP_VECTORSCOPE_ZOOM, "vectorscope-zoom",
      "Vectorscope zoom", "Part of U and V that the vectorscope shows",
      gst_amphisto_vectorscope_zoom_get_type (), 1 << scopes->zoom_shift);
  install_boolean (class, PROP_GRATICULE, "graticule", "Graticule",
      "Whether to draw a frame, quarter lines, letters, figures and, for "
      "limited-range YUV, the legal limits into the scopes, and an outline "
      "around the region that they measure",
      scopes->graticule);
  install_boolean (class, PROP_CLIPPING_BARS, "clipping-bars", "Clipping bars",
      "Whether to draw bars at the sides of the histogram if more than 1 % of "
      "the samples are black or white",
      scopes->clipping_bars);
  install_boolean (class, PROP_PERCENTILE_MARKS, "percentile-marks",
      "Percentile marks",
      "Whether to mark the 1st, 50th and 99th percentile in the histogram",
      scopes->percentile_marks);
}

static void
install_exposure (GObjectClass *class)
{
  const AmphistoExposureSettings *exposure = &defaults.exposure;

  install_flags (class, PROP_EXPOSURE, "exposure", "Exposure",
      "Exposure aids to draw on the picture", gst_amphisto_exposure_get_type (),
      exposure->enabled);
  install_double (class, PROP_ZEBRA_LOW, "zebra-low", "Zebra low",
      "Luma below which exposure=zebra draws stripes, in percent of its range; "
      "the value 0 always gets them",
      -10.0, 110.0, exposure->zebra_low);
  install_double (class, PROP_ZEBRA_HIGH, "zebra-high", "Zebra high",
      "Luma above which exposure=zebra draws stripes, in percent of its range; "
      "the value 255 always gets them",
      -10.0, 110.0, exposure->zebra_high);
}

void
gst_amphisto_settings_install (GObjectClass *class)
{
  install_measurement (class);
  install_expectations (class);
  install_regions (class);
  install_equalization (class);
  install_scopes (class);
  install_exposure (class);
}

static bool *
boolean_field (GstAmphistoSettings *self, guint id)
{
  switch (id) {
    case PROP_ATTACH_META:
      return &self->attach_meta;
    case PROP_POST_MESSAGES:
      return &self->post_messages;
    case PROP_COMPARE_FRAMES:
      return &self->compare_frames;
    case PROP_EXPECT_ERROR:
      return &self->expect_error;
    case PROP_VERIFY:
      return &self->verify;
    case PROP_ROI_META:
      return &self->roi_meta;
    case PROP_GRATICULE:
      return &self->scopes.graticule;
    case PROP_CLIPPING_BARS:
      return &self->scopes.clipping_bars;
    case PROP_PERCENTILE_MARKS:
      return &self->scopes.percentile_marks;
    default:
      g_assert_not_reached ();
  }
}

static guint32 *
uint_field (GstAmphistoSettings *self, guint id)
{
  switch (id) {
    case PROP_ROI_X:
      return &self->roi.x;
    case PROP_ROI_Y:
      return &self->roi.y;
    case PROP_ROI_WIDTH:
      return &self->roi.width;
    case PROP_ROI_HEIGHT:
      return &self->roi.height;
    case PROP_TILES_X:
      return &self->clahe.tiles_x;
    case PROP_TILES_Y:
      return &self->clahe.tiles_y;
    default:
      g_assert_not_reached ();
  }
}

static guint64 *
uint64_field (GstAmphistoSettings *self, guint id)
{
  return id == PROP_INTERVAL ? &self->interval : &self->expect_duration;
}

static gdouble *
double_field (GstAmphistoSettings *self, guint id)
{
  switch (id) {
    case PROP_STRENGTH:
      return &self->strength;
    case PROP_CLIP_LIMIT:
      return &self->clahe.clip_limit;
    case PROP_STRETCH_LOW:
      return &self->stretch_low;
    case PROP_STRETCH_HIGH:
      return &self->stretch_high;
    case PROP_SMOOTHING:
      return &self->smoothing;
    case PROP_SCOPE_WIDTH:
      return &self->scopes.width;
    case PROP_SCOPE_HEIGHT:
      return &self->scopes.height;
    case PROP_SCOPE_OPACITY:
      return &self->scopes.opacity;
    case PROP_ZEBRA_LOW:
      return &self->exposure.zebra_low;
    case PROP_ZEBRA_HIGH:
      return &self->exposure.zebra_high;
    default:
      g_assert_not_reached ();
  }
}

/* Sets an enum or flags. Their fields have enum types, whose size the compiler
 * chooses. */
static void
set_enum (GstAmphistoSettings *self, guint id, guint value)
{
  switch (id) {
    case PROP_CHANNELS:
      self->channels = value;
      break;
    case PROP_EQUALIZATION:
      self->equalization = value;
      break;
    case PROP_SCOPES:
      self->scopes.enabled = value;
      break;
    case PROP_SCOPE_DISPLAY:
      self->scopes.display = value;
      break;
    case PROP_SCOPE_POSITION:
      self->scopes.position = value;
      break;
    case PROP_SCOPE_SCALE:
      self->scopes.scale = value;
      break;
    case PROP_VECTORSCOPE_ZOOM:
      self->scopes.zoom_shift = (guint32) g_bit_nth_lsf (value, -1);
      break;
    case PROP_EXPOSURE:
      self->exposure.enabled = value;
      break;
    default:
      g_assert_not_reached ();
  }
}

static guint
get_enum (const GstAmphistoSettings *self, guint id)
{
  switch (id) {
    case PROP_CHANNELS:
      return self->channels;
    case PROP_EQUALIZATION:
      return self->equalization;
    case PROP_SCOPES:
      return self->scopes.enabled;
    case PROP_SCOPE_DISPLAY:
      return self->scopes.display;
    case PROP_SCOPE_POSITION:
      return self->scopes.position;
    case PROP_SCOPE_SCALE:
      return self->scopes.scale;
    case PROP_VECTORSCOPE_ZOOM:
      return 1u << self->scopes.zoom_shift;
    case PROP_EXPOSURE:
      return self->exposure.enabled;
    default:
      g_assert_not_reached ();
  }
}

gboolean
gst_amphisto_settings_set (
    GstAmphistoSettings *self, guint id, const GValue *value, GError **error)
{
  if (id == PROP_PERCENTILES)
    return gst_amphisto_set_percentiles (self, value, error);
  if (id == PROP_REFERENCE)
    return gst_amphisto_set_reference (self, g_value_get_boxed (value), error);
  if (id == PROP_EXPECT)
    return gst_amphisto_conditions_set (
        &self->conditions, g_value_get_string (value), error);
  if (G_VALUE_HOLDS_BOOLEAN (value))
    *boolean_field (self, id) = g_value_get_boolean (value);
  else if (G_VALUE_HOLDS_UINT (value))
    *uint_field (self, id) = g_value_get_uint (value);
  else if (G_VALUE_HOLDS_UINT64 (value))
    *uint64_field (self, id) = g_value_get_uint64 (value);
  else if (G_VALUE_HOLDS_DOUBLE (value))
    *double_field (self, id) = g_value_get_double (value);
  else if (G_VALUE_HOLDS_ENUM (value))
    set_enum (self, id, g_value_get_enum (value));
  else
    set_enum (self, id, g_value_get_flags (value));
  return TRUE;
}

void
gst_amphisto_settings_get (GstAmphistoSettings *self, guint id, GValue *value)
{
  if (id == PROP_PERCENTILES)
    gst_amphisto_get_percentiles (self, value);
  else if (id == PROP_REFERENCE)
    gst_amphisto_get_reference (self, value);
  else if (id == PROP_EXPECT)
    g_value_set_string (
        value, self->conditions.n > 0 ? self->conditions.text : NULL);
  else if (G_VALUE_HOLDS_BOOLEAN (value))
    g_value_set_boolean (value, *boolean_field (self, id));
  else if (G_VALUE_HOLDS_UINT (value))
    g_value_set_uint (value, *uint_field (self, id));
  else if (G_VALUE_HOLDS_UINT64 (value))
    g_value_set_uint64 (value, *uint64_field (self, id));
  else if (G_VALUE_HOLDS_DOUBLE (value))
    g_value_set_double (value, *double_field (self, id));
  else if (G_VALUE_HOLDS_ENUM (value))
    g_value_set_enum (value, get_enum (self, id));
  else
    g_value_set_flags (value, get_enum (self, id));
}

/* --- queries --- */

#define BIT(channel) AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_##channel)

/* A condition on one channel of a flag asks for all of them. */
AmphistoChannelMask
gst_amphisto_settings_channels (const GstAmphistoSettings *self)
{
  static const struct
  {
    GstAmphistoChannels flag;
    AmphistoChannelMask channels;
  } flags[] = {
    { GST_AMPHISTO_CHANNELS_LUMA, BIT (LUMA) },
    { GST_AMPHISTO_CHANNELS_CHROMA, BIT (U) | BIT (V) },
    { GST_AMPHISTO_CHANNELS_RGB, BIT (RED) | BIT (GREEN) | BIT (BLUE) },
    { GST_AMPHISTO_CHANNELS_ALPHA, BIT (ALPHA) },
  };
  const AmphistoChannelMask expected =
      gst_amphisto_conditions_channels (&self->conditions);
  AmphistoChannelMask mask = 0;

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    if (self->channels & flags[i].flag || expected & flags[i].channels)
      mask |= flags[i].channels;
  return mask;
}

#undef BIT

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
      || self->exposure.enabled != AMPHISTO_EXPOSURE_NONE
      || self->scopes.enabled != AMPHISTO_SCOPE_NONE;
}

gboolean
gst_amphisto_settings_is_passthrough (const GstAmphistoSettings *self)
{
  return !self->attach_meta && !self->post_messages && self->conditions.n == 0
      && !changes_pixels (self);
}
