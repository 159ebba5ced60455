/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "element/settings.h"

#include <string.h>

enum
{
  PROP_CHANNELS = GST_AMPHISTO_FIRST_SETTING,
  PROP_ATTACH_META,
  PROP_POST_MESSAGES,
  PROP_INTERVAL,
  PROP_PERCENTILES,
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
  PROP_SMOOTHING,
  PROP_OVERLAY,
  PROP_OVERLAY_POSITION,
  PROP_OVERLAY_WIDTH,
  PROP_OVERLAY_HEIGHT,
  PROP_OVERLAY_OPACITY,
  PROP_OVERLAY_SCALE,
  PROP_GRATICULE,
  PROP_CLIPPING,
  PROP_PERCENTILE_MARKS,
  PROP_VERIFY
};

static const GstAmphistoSettings defaults = {
  .channels = GST_AMPHISTO_CHANNELS_LUMA,
  .attach_meta = TRUE,
  .post_messages = FALSE,
  .interval = 100 * GST_MSECOND,
  .percentiles = { 1, 5, 25, 75, 95, 99 },
  .n_percentiles = 6,
  .roi = { 0, 0, 0, 0 },
  .roi_meta = FALSE,
  .equalization = AMPHISTO_EQUALIZATION_NONE,
  .strength = 1.0,
  .smoothing = 0.0,
  .clahe = { .tiles_x = 8, .tiles_y = 8, .clip_limit = 40.0 },
  .overlay = { .mode = AMPHISTO_OVERLAY_NONE,
      .position = AMPHISTO_OVERLAY_BOTTOM_RIGHT,
      .width = 0.33,
      .height = 0.25,
      .opacity = 0.7,
      .scale = AMPHISTO_OVERLAY_LINEAR,
      .graticule = true,
      .clipping = AMPHISTO_CLIPPING_BARS,
      .percentile_marks = false },
  .verify = FALSE,
};

void
gst_amphisto_settings_init (GstAmphistoSettings *self)
{
  *self = defaults;
}

/* --- types --- */

static GType
channels_get_type (void)
{
  static GType type = 0;
  static const GFlagsValue values[] = {
    { GST_AMPHISTO_CHANNELS_LUMA, "Luma, Y; of RGB by the caps' matrix",
        "luma" },
    { GST_AMPHISTO_CHANNELS_CHROMA, "Chroma, U and V", "chroma" },
    { GST_AMPHISTO_CHANNELS_RGB,
        "Red, green and blue; of YUV computed by the caps' matrix", "rgb" },
    { GST_AMPHISTO_CHANNELS_ALPHA, "Alpha", "alpha" }, { 0, NULL, NULL }
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (
        &type, g_flags_register_static ("GstAmphistoChannels", values));
  return type;
}

#define DEFINE_ENUM(function, name, ...)                                       \
  static GType function (void)                                                 \
  {                                                                            \
    static GType type = 0;                                                     \
    static const GEnumValue values[] = { __VA_ARGS__, { 0, NULL, NULL } };     \
                                                                               \
    if (g_once_init_enter (&type))                                             \
      g_once_init_leave (&type, g_enum_register_static (name, values));        \
    return type;                                                               \
  }

DEFINE_ENUM (equalization_get_type, "GstAmphistoEqualization",
    { AMPHISTO_EQUALIZATION_NONE, "Pixels are left alone", "none" },
    { AMPHISTO_EQUALIZATION_GLOBAL, "By the whole frame's histogram",
        "global" },
    { AMPHISTO_EQUALIZATION_CLAHE,
        "By the histograms of tiles, with limited contrast", "clahe" },
    { AMPHISTO_EQUALIZATION_MATCH,
        "Luma is given the distribution of the reference, if there is one",
        "match" })

DEFINE_ENUM (overlay_get_type, "GstAmphistoOverlay",
    { AMPHISTO_OVERLAY_NONE, "No graph", "none" },
    { AMPHISTO_OVERLAY_OVERLAY, "All channels in one graph", "overlay" },
    { AMPHISTO_OVERLAY_STACK, "A graph for each channel, one under another",
        "stack" },
    { AMPHISTO_OVERLAY_PARADE, "A graph for each channel, side by side",
        "parade" })

DEFINE_ENUM (position_get_type, "GstAmphistoOverlayPosition",
    { AMPHISTO_OVERLAY_TOP_LEFT, "Top left", "top-left" },
    { AMPHISTO_OVERLAY_TOP_RIGHT, "Top right", "top-right" },
    { AMPHISTO_OVERLAY_BOTTOM_LEFT, "Bottom left", "bottom-left" },
    { AMPHISTO_OVERLAY_BOTTOM_RIGHT, "Bottom right", "bottom-right" })

DEFINE_ENUM (scale_get_type, "GstAmphistoOverlayScale",
    { AMPHISTO_OVERLAY_LINEAR, "Heights are counts of samples", "linear" },
    { AMPHISTO_OVERLAY_LOG,
        "Heights are logarithms of counts; the graticule marks 1, 10, 100, ...",
        "log" })

DEFINE_ENUM (clipping_get_type, "GstAmphistoClipping",
    { AMPHISTO_CLIPPING_NONE, "Clipping is not shown", "none" },
    { AMPHISTO_CLIPPING_BARS,
        "Bars at the graph's sides: the share of samples at or beyond black "
        "and white, from 1 % on",
        "bars" },
    { AMPHISTO_CLIPPING_ZEBRA,
        "Moving stripes on the picture's pixels at or beyond black and white, "
        "with or without a graph",
        "zebra" })

/* --- properties --- */

#define LIVE                                                                   \
  (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING      \
      | GST_PARAM_CONTROLLABLE)

static void
install (GObjectClass *class, guint id, GParamSpec *spec)
{
  g_object_class_install_property (class, id, spec);
  if (G_IS_PARAM_SPEC_ENUM (spec) || G_IS_PARAM_SPEC_FLAGS (spec))
    gst_type_mark_as_plugin_api (spec->value_type, 0);
}

static void
install_measurement (GObjectClass *class)
{
  install (class, PROP_CHANNELS,
      g_param_spec_flags ("channels", "Channels",
          "What is measured; what a format lacks is left out",
          channels_get_type (), defaults.channels, LIVE));
  install (class, PROP_ATTACH_META,
      g_param_spec_boolean ("attach-meta", "Attach metadata",
          "Attach AmphistoHistogramMeta to each buffer: the histograms of the "
          "frame as it arrived",
          defaults.attach_meta, LIVE));
  install (class, PROP_POST_MESSAGES,
      g_param_spec_boolean ("post-messages", "Post messages",
          "Post element messages with the histograms", defaults.post_messages,
          LIVE));
  install (class, PROP_INTERVAL,
      g_param_spec_uint64 ("interval", "Interval",
          "Least stream time between messages, in nanoseconds; 0 posts for "
          "every frame",
          0, G_MAXUINT64, defaults.interval, LIVE));
  install (class, PROP_PERCENTILES,
      gst_param_spec_array ("percentiles", "Percentiles",
          "Of which shares of the samples, in per cent, the metadata and "
          "messages have percentiles, 64 at most (default: 1, 5, 25, 75, 95, "
          "99)",
          g_param_spec_double ("percentile", "Percentile", "A share", 0.0,
              100.0, 50.0, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS),
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
              | GST_PARAM_MUTABLE_PLAYING));
  install (class, PROP_VERIFY,
      g_param_spec_boolean ("verify", "Verify",
          "Recompute every result on the CPU, and stop with an error where the "
          "device's differs (slow)",
          defaults.verify, LIVE));
}

static void
install_regions (GObjectClass *class)
{
  install (class, PROP_ROI_X,
      g_param_spec_uint ("roi-x", "Region x",
          "Left edge of the region that is measured, equalized and drawn into, "
          "in pixels; what of it is outside the frame is left out",
          0, G_MAXUINT, defaults.roi.x, LIVE));
  install (class, PROP_ROI_Y,
      g_param_spec_uint ("roi-y", "Region y", "Top edge of the region", 0,
          G_MAXUINT, defaults.roi.y, LIVE));
  install (class, PROP_ROI_WIDTH,
      g_param_spec_uint ("roi-width", "Region width",
          "Width of the region; 0: to the frame's right edge", 0, G_MAXUINT,
          defaults.roi.width, LIVE));
  install (class, PROP_ROI_HEIGHT,
      g_param_spec_uint ("roi-height", "Region height",
          "Height of the region; 0: to the frame's bottom edge", 0, G_MAXUINT,
          defaults.roi.height, LIVE));
  install (class, PROP_ROI_META,
      g_param_spec_boolean ("roi-meta", "Regions' metadata",
          "Measure each region of interest that the buffer has a "
          "GstVideoRegionOfInterestMeta of too; in the metadata, as regions",
          defaults.roi_meta, LIVE));
}

static void
install_equalization (GObjectClass *class)
{
  install (class, PROP_EQUALIZATION,
      g_param_spec_enum ("equalization", "Equalization",
          "How frames are equalized: luma is spread over its range; of RGB "
          "each pixel's components move with its luma, so that hue stays",
          equalization_get_type (), defaults.equalization, LIVE));
  install (class, PROP_STRENGTH,
      g_param_spec_double ("strength", "Strength",
          "How far equalization moves pixels, from 0, not at all, to 1, to "
          "their equalized value",
          0.0, 1.0, defaults.strength, LIVE));
  install (class, PROP_CLIP_LIMIT,
      g_param_spec_double ("clip-limit", "Clip limit",
          "equalization=clahe: how often more than its even share of a tile's "
          "pixels, 1/256, a value may count for; the more, the higher the "
          "contrast: 2 to 4 for video; 0: without limit",
          0.0, G_MAXDOUBLE, defaults.clahe.clip_limit, LIVE));
  install (class, PROP_TILES_X,
      g_param_spec_uint ("tiles-x", "Tiles across",
          "equalization=clahe: how many tiles the picture is divided into, "
          "from left to right",
          1, 64, defaults.clahe.tiles_x, LIVE));
  install (class, PROP_TILES_Y,
      g_param_spec_uint ("tiles-y", "Tiles down",
          "equalization=clahe: the same, from top to bottom", 1, 64,
          defaults.clahe.tiles_y, LIVE));
  install (class, PROP_REFERENCE,
      g_param_spec_boxed ("reference", "Reference",
          "The distribution of luma for equalization=match: 256 guint32 in the "
          "machine's byte order, as `bins` of the metadata has them",
          G_TYPE_BYTES,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
              | GST_PARAM_MUTABLE_PLAYING));
}

static void
install_smoothing (GObjectClass *class)
{
  install (class, PROP_SMOOTHING,
      g_param_spec_double ("smoothing", "Smoothing",
          "Against flicker, equalize by a mean of the histograms over time: "
          "how "
          "much of it is of the frames before, from 0, nothing, to 1, all; it "
          "begins anew when luma changes by more than 32 levels on average",
          0.0, 1.0, defaults.smoothing, LIVE));
}

static void
install_overlay (GObjectClass *class)
{
  install (class, PROP_OVERLAY,
      g_param_spec_enum ("overlay", "Overlay",
          "Draw the histograms of the channels measured, of the frame as it "
          "arrived, into the picture",
          overlay_get_type (), defaults.overlay.mode, LIVE));
  install (class, PROP_OVERLAY_POSITION,
      g_param_spec_enum ("overlay-position", "Overlay position",
          "In which corner of the picture the graph is", position_get_type (),
          defaults.overlay.position, LIVE));
  install (class, PROP_OVERLAY_WIDTH,
      g_param_spec_double ("overlay-width", "Overlay width",
          "The graph's width as a share of the picture's; never less than is "
          "legible, or more than there is",
          0.0, 1.0, defaults.overlay.width, LIVE));
  install (class, PROP_OVERLAY_HEIGHT,
      g_param_spec_double ("overlay-height", "Overlay height",
          "The graph's height as a share of the picture's; never less than is "
          "legible, or more than there is",
          0.0, 1.0, defaults.overlay.height, LIVE));
  install (class, PROP_OVERLAY_OPACITY,
      g_param_spec_double ("overlay-opacity", "Overlay opacity",
          "How far the graph's ground hides the picture", 0.0, 1.0,
          defaults.overlay.opacity, LIVE));
  install (class, PROP_OVERLAY_SCALE,
      g_param_spec_enum ("overlay-scale", "Overlay scale",
          "What the graph's heights stand for", scale_get_type (),
          defaults.overlay.scale, LIVE));
  install (class, PROP_GRATICULE,
      g_param_spec_boolean ("graticule", "Graticule",
          "Draw a frame and quarter lines into the graph, and for YUV of "
          "limited range the legal limits, 16 and 235",
          defaults.overlay.graticule, LIVE));
  install (class, PROP_CLIPPING,
      g_param_spec_enum ("clipping", "Clipping",
          "How samples at or beyond black and white are shown",
          clipping_get_type (), defaults.overlay.clipping, LIVE));
  install (class, PROP_PERCENTILE_MARKS,
      g_param_spec_boolean ("percentile-marks", "Percentile marks",
          "Mark the values that 1, 50 and 99 % of the samples do not exceed",
          defaults.overlay.percentile_marks, LIVE));
}

void
gst_amphisto_settings_install (GObjectClass *class)
{
  install_measurement (class);
  install_regions (class);
  install_equalization (class);
  install_smoothing (class);
  install_overlay (class);
}

static void
set_percentiles (GstAmphistoSettings *self, const GValue *array)
{
  const guint n = gst_value_array_get_size (array);

  if (n > GST_AMPHISTO_MAX_PERCENTILES)
    g_warning ("%u percentiles are too many; %d are taken", n,
        GST_AMPHISTO_MAX_PERCENTILES);
  self->n_percentiles = MIN (n, GST_AMPHISTO_MAX_PERCENTILES);
  for (guint i = 0; i < self->n_percentiles; i++)
    self->percentiles[i] =
        g_value_get_double (gst_value_array_get_value (array, i));
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

static void
set_reference (GstAmphistoSettings *self, GBytes *bytes)
{
  guint64 samples = 0;

  self->has_reference = FALSE;
  if (bytes == NULL)
    return;
  if (g_bytes_get_size (bytes) != sizeof self->reference) {
    g_warning ("the reference has %" G_GSIZE_FORMAT " bytes, not %d guint32",
        g_bytes_get_size (bytes), AMPHISTO_N_BINS);
    return;
  }
  memcpy (
      self->reference, g_bytes_get_data (bytes, NULL), sizeof self->reference);
  for (guint v = 0; v < AMPHISTO_N_BINS; v++)
    samples += self->reference[v];
  self->has_reference = samples > 0 && samples <= G_MAXUINT32;
  if (!self->has_reference)
    g_warning ("the reference has %" G_GUINT64_FORMAT " samples, not 1 to %u",
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
    GstAmphistoSettings *self, guint id, const GValue *value)
{
  AmphistoOverlay *overlay = &self->overlay;

  switch (id) {
    case PROP_CHANNELS:
      self->channels = g_value_get_flags (value);
      return TRUE;
    case PROP_ATTACH_META:
      self->attach_meta = g_value_get_boolean (value);
      return TRUE;
    case PROP_POST_MESSAGES:
      self->post_messages = g_value_get_boolean (value);
      return TRUE;
    case PROP_INTERVAL:
      self->interval = g_value_get_uint64 (value);
      return TRUE;
    case PROP_PERCENTILES:
      set_percentiles (self, value);
      return TRUE;
    case PROP_ROI_X:
      self->roi.x = g_value_get_uint (value);
      return TRUE;
    case PROP_ROI_Y:
      self->roi.y = g_value_get_uint (value);
      return TRUE;
    case PROP_ROI_WIDTH:
      self->roi.width = g_value_get_uint (value);
      return TRUE;
    case PROP_ROI_HEIGHT:
      self->roi.height = g_value_get_uint (value);
      return TRUE;
    case PROP_ROI_META:
      self->roi_meta = g_value_get_boolean (value);
      return TRUE;
    case PROP_EQUALIZATION:
      self->equalization = g_value_get_enum (value);
      return TRUE;
    case PROP_STRENGTH:
      self->strength = g_value_get_double (value);
      return TRUE;
    case PROP_CLIP_LIMIT:
      self->clahe.clip_limit = g_value_get_double (value);
      return TRUE;
    case PROP_TILES_X:
      self->clahe.tiles_x = g_value_get_uint (value);
      return TRUE;
    case PROP_TILES_Y:
      self->clahe.tiles_y = g_value_get_uint (value);
      return TRUE;
    case PROP_REFERENCE:
      set_reference (self, g_value_get_boxed (value));
      return TRUE;
    case PROP_SMOOTHING:
      self->smoothing = g_value_get_double (value);
      return TRUE;
    case PROP_OVERLAY:
      overlay->mode = g_value_get_enum (value);
      return TRUE;
    case PROP_OVERLAY_POSITION:
      overlay->position = g_value_get_enum (value);
      return TRUE;
    case PROP_OVERLAY_WIDTH:
      overlay->width = g_value_get_double (value);
      return TRUE;
    case PROP_OVERLAY_HEIGHT:
      overlay->height = g_value_get_double (value);
      return TRUE;
    case PROP_OVERLAY_OPACITY:
      overlay->opacity = g_value_get_double (value);
      return TRUE;
    case PROP_OVERLAY_SCALE:
      overlay->scale = g_value_get_enum (value);
      return TRUE;
    case PROP_GRATICULE:
      overlay->graticule = g_value_get_boolean (value);
      return TRUE;
    case PROP_CLIPPING:
      overlay->clipping = g_value_get_enum (value);
      return TRUE;
    case PROP_PERCENTILE_MARKS:
      overlay->percentile_marks = g_value_get_boolean (value);
      return TRUE;
    case PROP_VERIFY:
      self->verify = g_value_get_boolean (value);
      return TRUE;
    default:
      return FALSE;
  }
}

gboolean
gst_amphisto_settings_get (
    const GstAmphistoSettings *self, guint id, GValue *value)
{
  const AmphistoOverlay *overlay = &self->overlay;

  switch (id) {
    case PROP_CHANNELS:
      g_value_set_flags (value, self->channels);
      return TRUE;
    case PROP_ATTACH_META:
      g_value_set_boolean (value, self->attach_meta);
      return TRUE;
    case PROP_POST_MESSAGES:
      g_value_set_boolean (value, self->post_messages);
      return TRUE;
    case PROP_INTERVAL:
      g_value_set_uint64 (value, self->interval);
      return TRUE;
    case PROP_PERCENTILES:
      get_percentiles (self, value);
      return TRUE;
    case PROP_ROI_X:
      g_value_set_uint (value, self->roi.x);
      return TRUE;
    case PROP_ROI_Y:
      g_value_set_uint (value, self->roi.y);
      return TRUE;
    case PROP_ROI_WIDTH:
      g_value_set_uint (value, self->roi.width);
      return TRUE;
    case PROP_ROI_HEIGHT:
      g_value_set_uint (value, self->roi.height);
      return TRUE;
    case PROP_ROI_META:
      g_value_set_boolean (value, self->roi_meta);
      return TRUE;
    case PROP_EQUALIZATION:
      g_value_set_enum (value, self->equalization);
      return TRUE;
    case PROP_STRENGTH:
      g_value_set_double (value, self->strength);
      return TRUE;
    case PROP_CLIP_LIMIT:
      g_value_set_double (value, self->clahe.clip_limit);
      return TRUE;
    case PROP_TILES_X:
      g_value_set_uint (value, self->clahe.tiles_x);
      return TRUE;
    case PROP_TILES_Y:
      g_value_set_uint (value, self->clahe.tiles_y);
      return TRUE;
    case PROP_REFERENCE:
      get_reference (self, value);
      return TRUE;
    case PROP_SMOOTHING:
      g_value_set_double (value, self->smoothing);
      return TRUE;
    case PROP_OVERLAY:
      g_value_set_enum (value, overlay->mode);
      return TRUE;
    case PROP_OVERLAY_POSITION:
      g_value_set_enum (value, overlay->position);
      return TRUE;
    case PROP_OVERLAY_WIDTH:
      g_value_set_double (value, overlay->width);
      return TRUE;
    case PROP_OVERLAY_HEIGHT:
      g_value_set_double (value, overlay->height);
      return TRUE;
    case PROP_OVERLAY_OPACITY:
      g_value_set_double (value, overlay->opacity);
      return TRUE;
    case PROP_OVERLAY_SCALE:
      g_value_set_enum (value, overlay->scale);
      return TRUE;
    case PROP_GRATICULE:
      g_value_set_boolean (value, overlay->graticule);
      return TRUE;
    case PROP_CLIPPING:
      g_value_set_enum (value, overlay->clipping);
      return TRUE;
    case PROP_PERCENTILE_MARKS:
      g_value_set_boolean (value, overlay->percentile_marks);
      return TRUE;
    case PROP_VERIFY:
      g_value_set_boolean (value, self->verify);
      return TRUE;
    default:
      return FALSE;
  }
}

/* --- what they ask for --- */

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

gboolean
gst_amphisto_settings_equalizes (const GstAmphistoSettings *self)
{
  return gst_amphisto_settings_equalization (self)
      != AMPHISTO_EQUALIZATION_NONE;
}

gboolean
gst_amphisto_settings_has_zebra (const GstAmphistoSettings *self)
{
  return self->overlay.clipping == AMPHISTO_CLIPPING_ZEBRA;
}

gboolean
gst_amphisto_settings_changes_pixels (const GstAmphistoSettings *self)
{
  return gst_amphisto_settings_equalizes (self)
      || gst_amphisto_settings_has_zebra (self)
      || self->overlay.mode != AMPHISTO_OVERLAY_NONE;
}

gboolean
gst_amphisto_settings_has_nothing_to_do (const GstAmphistoSettings *self)
{
  return !self->attach_meta && !self->post_messages
      && !gst_amphisto_settings_changes_pixels (self);
}
