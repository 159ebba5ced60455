/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/**
 * SECTION:element-amphisto
 * @title: amphisto
 * @short_description: histograms of video, and equalization, by OpenCL
 *
 * Measures the histograms of each video frame on an OpenCL device, the CPU
 * (by PoCL) or a GPU, and sends the frame on with the histograms as metadata,
 * equalized, or both. Every so often the histograms can be posted as messages
 * too.
 *
 * ## Metadata
 *
 * Each measured buffer has a #GstCustomMeta named `AmphistoHistogramMeta`. It
 * describes the frame as it arrived, before equalization. Its structure has
 *
 * * #gchararray `format`, #gint `width`, `height`: the frame's
 * * #GstStructure `luma`, `u`, `v`, `red`, `green`, `blue`, `alpha`: the
 *   histogram of each channel that is measured and that the format has:
 *     * #GBytes `bins`: 256 native-endian #guint32, the samples of each value
 *     * #guint64 `samples`: their sum
 *     * #guint `min`, `max`: the smallest and greatest value that occurs
 *     * #guint `median`: the smallest value that at least half of the samples
 *       do not exceed
 *     * #gdouble `mean`, `stddev`
 *     * #gdouble `entropy`: in bits
 *
 * ## Messages
 *
 * With #GstAmphisto:post-messages, element messages with a structure named
 * `amphisto` are posted, at most one each #GstAmphisto:interval:
 *
 * * #guint64 `timestamp`, `stream-time`, `running-time`, `duration`: of the
 *   buffer that was measured, in nanoseconds
 * * the channels as in the metadata; `bins` here is a #GstValueArray of 256
 *   #guint
 *
 * ## Which frames are measured
 *
 * As video filters do, amphisto skips frames that the sink says come too late;
 * with `qos=false` every frame is measured. Buffers flagged as gaps pass
 * unmeasured. With neither metadata, messages nor equalization the element is
 * in passthrough.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=1 ! amphisto post-messages=true !
 * fakesink
 * ]| The histogram of a test picture, in the terminal.
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! amphisto equalization=global !
 * videoconvert ! autovideosink
 * ]| A camera's picture, equalized.
 */

#include "gstamphisto.h"

#include "clframe.h"
#include "equalize.h"
#include "gstframe.h"
#include "gsthistogrammeta.h"
#include "verify.h"

#include <string.h>

GST_DEBUG_CATEGORY_STATIC (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

/* What the properties say. A frame is treated by one copy of it, taken when it
 * arrives. */
typedef struct
{
  GstAmphistoChannels channels;
  gboolean attach_meta;
  gboolean post_messages;
  guint64 interval;
  GstAmphistoEqualization equalization;
  gfloat strength;
  gboolean verify;
} Settings;

struct _GstAmphisto
{
  GstVideoFilter parent;

  /* guarded by the object lock */
  gchar *device_choice;
  gchar *device_name;
  Settings settings;

  /* from READY on; changed in state changes only */
  AmphistoClDevice *device;
  gchar *opened_choice; /* that it was opened for */

  /* the streaming thread's */
  AmphistoClFrame *cl_frame;
  AmphistoLayout layout;
  Settings frame_settings;
  GstClockTime last_message; /* stream time, or NONE */
};

enum
{
  PROP_0,
  PROP_DEVICE,
  PROP_DEVICE_NAME,
  PROP_CHANNELS,
  PROP_ATTACH_META,
  PROP_POST_MESSAGES,
  PROP_INTERVAL,
  PROP_EQUALIZATION,
  PROP_STRENGTH,
  PROP_VERIFY,
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

#define DEFAULT_CHANNELS GST_AMPHISTO_CHANNELS_LUMA
#define DEFAULT_ATTACH_META TRUE
#define DEFAULT_POST_MESSAGES FALSE
#define DEFAULT_INTERVAL (100 * GST_MSECOND)
#define DEFAULT_EQUALIZATION GST_AMPHISTO_EQUALIZATION_NONE
#define DEFAULT_STRENGTH 1.0f
#define DEFAULT_VERIFY FALSE

/* Every format whose samples are 8 bits in whole bytes. */
#define FORMATS                                                                \
  "{ I420, YV12, NV12, NV21, GRAY8, RGBA, BGRA, ARGB, ABGR, RGBx, BGRx, "      \
  "xRGB, xBGR, RGB, BGR, GBR, RGBP, BGRP, GBRA, YUY2, YVYU, UYVY, VYUY, "      \
  "Y444, Y42B, Y41B, YUV9, YVU9, A420, NV16, NV61, NV24, AYUV, VUYA, v308, "   \
  "IYU2 }"

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
        GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE (FORMATS)));

static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
        GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE (FORMATS)));

#define gst_amphisto_parent_class parent_class
G_DEFINE_TYPE_WITH_CODE (GstAmphisto, gst_amphisto, GST_TYPE_VIDEO_FILTER,
    GST_DEBUG_CATEGORY_INIT (
        gst_amphisto_debug, "amphisto", 0, "histograms of video by OpenCL"))
GST_ELEMENT_REGISTER_DEFINE (
    amphisto, "amphisto", GST_RANK_NONE, GST_TYPE_AMPHISTO)

/* --- properties --- */

#define GST_TYPE_AMPHISTO_CHANNELS (gst_amphisto_channels_get_type ())
static GType
gst_amphisto_channels_get_type (void)
{
  static GType type = 0;
  static const GFlagsValue values[] = {
    { GST_AMPHISTO_CHANNELS_LUMA, "Luma, Y; of RGB by the caps' matrix",
        "luma" },
    { GST_AMPHISTO_CHANNELS_CHROMA, "Chroma, U and V", "chroma" },
    { GST_AMPHISTO_CHANNELS_RGB, "Red, green and blue", "rgb" },
    { GST_AMPHISTO_CHANNELS_ALPHA, "Alpha", "alpha" }, { 0, NULL, NULL }
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (
        &type, g_flags_register_static ("GstAmphistoChannels", values));
  return type;
}

#define GST_TYPE_AMPHISTO_EQUALIZATION (gst_amphisto_equalization_get_type ())
static GType
gst_amphisto_equalization_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = { { GST_AMPHISTO_EQUALIZATION_NONE,
                                           "Pixels are left alone", "none" },
    { GST_AMPHISTO_EQUALIZATION_GLOBAL, "By the whole frame's histogram",
        "global" },
    { 0, NULL, NULL } };

  if (g_once_init_enter (&type))
    g_once_init_leave (
        &type, g_enum_register_static ("GstAmphistoEqualization", values));
  return type;
}

static void
gst_amphisto_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstAmphisto *self = GST_AMPHISTO (object);
  Settings *settings = &self->settings;

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_DEVICE:
      g_free (self->device_choice);
      self->device_choice = g_value_dup_string (value);
      break;
    case PROP_CHANNELS:
      settings->channels = g_value_get_flags (value);
      break;
    case PROP_ATTACH_META:
      settings->attach_meta = g_value_get_boolean (value);
      break;
    case PROP_POST_MESSAGES:
      settings->post_messages = g_value_get_boolean (value);
      break;
    case PROP_INTERVAL:
      settings->interval = g_value_get_uint64 (value);
      break;
    case PROP_EQUALIZATION:
      settings->equalization = g_value_get_enum (value);
      break;
    case PROP_STRENGTH:
      settings->strength = g_value_get_float (value);
      break;
    case PROP_VERIFY:
      settings->verify = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_amphisto_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstAmphisto *self = GST_AMPHISTO (object);
  const Settings *settings = &self->settings;

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_DEVICE:
      g_value_set_string (value, self->device_choice);
      break;
    case PROP_DEVICE_NAME:
      g_value_set_string (value, self->device_name);
      break;
    case PROP_CHANNELS:
      g_value_set_flags (value, settings->channels);
      break;
    case PROP_ATTACH_META:
      g_value_set_boolean (value, settings->attach_meta);
      break;
    case PROP_POST_MESSAGES:
      g_value_set_boolean (value, settings->post_messages);
      break;
    case PROP_INTERVAL:
      g_value_set_uint64 (value, settings->interval);
      break;
    case PROP_EQUALIZATION:
      g_value_set_enum (value, settings->equalization);
      break;
    case PROP_STRENGTH:
      g_value_set_float (value, settings->strength);
      break;
    case PROP_VERIFY:
      g_value_set_boolean (value, settings->verify);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

/* --- errors --- */

/* Posts `error` as the element error that it is: its first line as the text,
 * the others, a compiler's log, for debugging. `call_code`: the
 * GstLibraryError for an OpenCL call that failed. */
static void
post_error (GstAmphisto *self, const GError *error, GstLibraryError call_code)
{
  GQuark domain = error->domain;
  gint code = error->code;
  g_auto (GStrv) parts = g_strsplit (error->message, "\n", 2);
  gchar *text = g_strdup (parts[0]);

  if (g_error_matches (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND)) {
    domain = GST_RESOURCE_ERROR;
    code = GST_RESOURCE_ERROR_NOT_FOUND;
  } else if (error->domain == AMPHISTO_CL_ERROR) {
    domain = GST_LIBRARY_ERROR;
    code = error->code == AMPHISTO_CL_ERROR_BUILD ? GST_LIBRARY_ERROR_INIT
                                                  : call_code;
  }
  if (g_error_matches (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_CALL)) {
    g_free (text);
    text = g_strdup_printf ("OpenCL failed on %s: %s",
        self->device != NULL ? self->device->name : "this machine", parts[0]);
  }
  gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_ERROR, domain, code,
      text, g_strdup (parts[1]), __FILE__, GST_FUNCTION, __LINE__);
}

/* --- device --- */

static void
set_device_name (GstAmphisto *self, const gchar *name)
{
  GST_OBJECT_LOCK (self);
  g_free (self->device_name);
  self->device_name = g_strdup (name);
  GST_OBJECT_UNLOCK (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DEVICE_NAME]);
}

static void
close_device (GstAmphisto *self)
{
  if (self->device == NULL)
    return;
  g_clear_pointer (&self->device, amphisto_cl_device_unref);
  g_clear_pointer (&self->opened_choice, g_free);
  set_device_name (self, NULL);
}

/* Opens the device that the property names now, if it is not open. */
static gboolean
open_device (GstAmphisto *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *choice = NULL;

  GST_OBJECT_LOCK (self);
  choice = g_strdup (self->device_choice);
  GST_OBJECT_UNLOCK (self);

  if (self->device != NULL && g_strcmp0 (choice, self->opened_choice) == 0)
    return TRUE;
  close_device (self);
  self->device = amphisto_cl_device_get (choice, &error);
  if (self->device == NULL) {
    post_error (self, error, GST_LIBRARY_ERROR_INIT);
    return FALSE;
  }
  self->opened_choice = g_steal_pointer (&choice);
  set_device_name (self, self->device->name);
  GST_INFO_OBJECT (self, "on \"%s\"", self->device->name);
  return TRUE;
}

/* --- the work on a frame --- */

static gboolean
is_equalizing (const Settings *settings)
{
  return settings->equalization != GST_AMPHISTO_EQUALIZATION_NONE;
}

static gboolean
has_nothing_to_do (const Settings *settings)
{
  return !settings->attach_meta && !settings->post_messages
      && !is_equalizing (settings);
}

static AmphistoChannelMask
channel_mask (GstAmphistoChannels channels)
{
  AmphistoChannelMask mask = 0;

  if (channels & GST_AMPHISTO_CHANNELS_LUMA)
    mask |= AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA);
  if (channels & GST_AMPHISTO_CHANNELS_CHROMA)
    mask |= AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_U)
        | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_V);
  if (channels & GST_AMPHISTO_CHANNELS_RGB)
    mask |= AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_RED)
        | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_GREEN)
        | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_BLUE);
  if (channels & GST_AMPHISTO_CHANNELS_ALPHA)
    mask |= AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_ALPHA);
  return mask;
}

static GstClockTime
stream_time (GstAmphisto *self, GstBuffer *buffer)
{
  return gst_segment_to_stream_time (&GST_BASE_TRANSFORM (self)->segment,
      GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
}

/* Whether the interval since the last message is over, in the direction of
 * playback; a step the other way begins a new one. */
static gboolean
is_message_due (GstAmphisto *self, GstBuffer *buffer)
{
  const GstClockTime now = stream_time (self, buffer);
  GstClockTimeDiff elapsed;

  if (!self->frame_settings.post_messages)
    return FALSE;
  if (!GST_CLOCK_TIME_IS_VALID (now)
      || !GST_CLOCK_TIME_IS_VALID (self->last_message))
    return TRUE;
  elapsed = GST_CLOCK_DIFF (self->last_message, now);
  if (GST_BASE_TRANSFORM (self)->segment.rate < 0)
    elapsed = -elapsed;
  return elapsed < 0 || (GstClockTime) elapsed >= self->frame_settings.interval;
}

static void
post_histograms (
    GstAmphisto *self, GstBuffer *buffer, const AmphistoHistograms *histograms)
{
  const GstClockTime time = stream_time (self, buffer);
  GstStructure *structure = gst_structure_new ("amphisto", "timestamp",
      G_TYPE_UINT64, GST_BUFFER_PTS (buffer), "stream-time", G_TYPE_UINT64,
      time, "running-time", G_TYPE_UINT64,
      gst_segment_to_running_time (&GST_BASE_TRANSFORM (self)->segment,
          GST_FORMAT_TIME, GST_BUFFER_PTS (buffer)),
      "duration", G_TYPE_UINT64, GST_BUFFER_DURATION (buffer), NULL);

  gst_histogram_add_channels (structure, histograms);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), structure));
  self->last_message = time;
}

/* A frame on its way: as it arrived, and where its equalized pixels go. */
typedef struct
{
  AmphistoFrame source;
  AmphistoFrame target;
  AmphistoClWork work;
  gboolean in_place;
} Frame;

static gboolean
verify_frame (const Frame *frame, const AmphistoFrame *before,
    const AmphistoHistograms *histograms, GError **error)
{
  char text[128];

  if (amphisto_verify_histograms (before, histograms, text, sizeof text)
      && (!frame->work.equalize
          || amphisto_verify_equalized (
              before, &frame->target, frame->work.strength, text, sizeof text)))
    return TRUE;
  g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED,
      "The device's result is wrong: %s.", text);
  return FALSE;
}

/* The planes that the device does not write are copied while it is at work. */
static gboolean
run_frame (GstAmphisto *self, const Frame *frame,
    AmphistoHistograms *histograms, GError **error)
{
  const guint written = amphisto_equalize_planes (&self->layout);

  if (!amphisto_cl_frame_submit (
          self->cl_frame, &frame->source, &frame->target, &frame->work, error))
    return FALSE;
  if (frame->work.equalize && !frame->in_place)
    for (guint p = 0; p < self->layout.n_planes; p++)
      if (!(written & 1u << p))
        amphisto_frame_copy_plane (&frame->source, &frame->target, p);
  return amphisto_cl_frame_finish (self->cl_frame, histograms, error);
}

static gboolean
run_verified (GstAmphisto *self, const Frame *frame,
    AmphistoHistograms *histograms, GError **error)
{
  AmphistoVerifyCopy copy = amphisto_verify_copy_new (&frame->source);
  gboolean ok;

  if (copy.memory == NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
        "There is no memory for a copy of the frame to verify it by.");
    return FALSE;
  }
  ok = run_frame (self, frame, histograms, error)
      && verify_frame (frame, &copy.frame, histograms, error);
  amphisto_verify_copy_clear (&copy);
  return ok;
}

/* Measures `inbuf`, and equalizes it into `outbuf`, which may be the same. */
static gboolean
process (GstAmphisto *self, GstBuffer *inbuf, GstBuffer *outbuf,
    AmphistoHistograms *histograms, GError **error)
{
  const Settings *settings = &self->frame_settings;
  const GstVideoInfo *info = &GST_VIDEO_FILTER (self)->in_info;
  Frame frame = {
    .work = { channel_mask (settings->channels), is_equalizing (settings),
        settings->strength },
    .in_place = inbuf == outbuf,
  };
  const gboolean writes_in_place = frame.work.equalize && frame.in_place;
  const gboolean writes_elsewhere = frame.work.equalize && !frame.in_place;
  GstVideoFrame in, out;
  gboolean ok;

  if (!gst_frame_map (&in, &frame.source, &self->layout, info, inbuf,
          writes_in_place ? GST_MAP_READWRITE : GST_MAP_READ, error))
    return FALSE;
  if (writes_elsewhere
      && !gst_frame_map (&out, &frame.target, &self->layout, info, outbuf,
          GST_MAP_WRITE, error)) {
    gst_video_frame_unmap (&in);
    return FALSE;
  }
  if (writes_in_place)
    frame.target = frame.source;

  ok = settings->verify ? run_verified (self, &frame, histograms, error)
                        : run_frame (self, &frame, histograms, error);

  if (writes_elsewhere)
    gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&in);
  return ok;
}

/* Whether the frame's settings ask for something that the format has. */
static gboolean
has_work (GstAmphisto *self)
{
  return is_equalizing (&self->frame_settings)
      || (channel_mask (self->frame_settings.channels) & self->layout.channels);
}

static GstFlowReturn
gst_amphisto_transform (
    GstBaseTransform *trans, GstBuffer *inbuf, GstBuffer *outbuf)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  const gboolean attaches = self->frame_settings.attach_meta;
  const gboolean posts = is_message_due (self, inbuf);
  AmphistoHistograms histograms = { 0 };
  g_autoptr (GError) error = NULL;

  if (GST_BUFFER_FLAG_IS_SET (inbuf, GST_BUFFER_FLAG_GAP))
    return GST_FLOW_OK;
  if (!attaches && !posts && !is_equalizing (&self->frame_settings))
    return GST_FLOW_OK;

  if (has_work (self) && !process (self, inbuf, outbuf, &histograms, &error)) {
    post_error (self, error, GST_LIBRARY_ERROR_FAILED);
    return GST_FLOW_ERROR;
  }
  GST_LOG_OBJECT (self, "measured%s %" GST_PTR_FORMAT,
      !is_equalizing (&self->frame_settings) ? ""
          : inbuf == outbuf                  ? ", equalized in place"
                                             : ", equalized into a new buffer",
      inbuf);
  if (attaches
      && !gst_histogram_meta_attach (
          outbuf, &GST_VIDEO_FILTER (self)->in_info, &histograms)) {
    GST_ELEMENT_ERROR (self, LIBRARY, FAILED,
        ("The histogram can't be attached to the buffer."), (NULL));
    return GST_FLOW_ERROR;
  }
  if (posts)
    post_histograms (self, outbuf, &histograms);
  return GST_FLOW_OK;
}

/* --- buffers --- */

/* Whether nobody else sees what is written to the buffer's memory. */
static gboolean
has_own_memory (GstBuffer *buffer)
{
  if (!gst_buffer_is_writable (buffer)
      || !gst_buffer_is_all_memory_writable (buffer))
    return FALSE;
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    if (GST_MEMORY_IS_READONLY (gst_buffer_peek_memory (buffer, i)))
      return FALSE;
  return TRUE;
}

/* Pixels are changed where they are if nobody else sees them, and go to a new
 * buffer otherwise; for metadata a new buffer around the same memory will do.
 */
static GstFlowReturn
gst_amphisto_prepare_output_buffer (
    GstBaseTransform *trans, GstBuffer *inbuf, GstBuffer **outbuf)
{
  const Settings *settings = &GST_AMPHISTO (trans)->frame_settings;
  const gboolean is_gap = GST_BUFFER_FLAG_IS_SET (inbuf, GST_BUFFER_FLAG_GAP);

  if (is_gap || has_nothing_to_do (settings)) {
    *outbuf = inbuf;
  } else if (is_equalizing (settings)) {
    if (!has_own_memory (inbuf))
      return GST_BASE_TRANSFORM_CLASS (parent_class)
          ->prepare_output_buffer (trans, inbuf, outbuf);
    *outbuf = inbuf;
  } else if (gst_buffer_is_writable (inbuf) || !settings->attach_meta) {
    *outbuf = inbuf;
  } else {
    *outbuf = gst_buffer_copy (inbuf);
  }
  return *outbuf != NULL ? GST_FLOW_OK : GST_FLOW_ERROR;
}

/* Into a new buffer, all metadata goes along but an older histogram. (That
 * which describes the memory is not asked about.) */
static gboolean
gst_amphisto_transform_meta (
    GstBaseTransform *trans, GstBuffer *outbuf, GstMeta *meta, GstBuffer *inbuf)
{
  (void) outbuf;
  (void) inbuf;
  return !GST_AMPHISTO (trans)->frame_settings.attach_meta
      || !gst_histogram_meta_is (meta);
}

static void
propose_alignment (GstAmphisto *self, GstQuery *query)
{
  const gsize mask = self->device->alignment - 1;
  const guint n = gst_query_get_n_allocation_params (query);
  GstAllocationParams params;

  if (n == 0) {
    gst_allocation_params_init (&params);
    params.align = mask;
    gst_query_add_allocation_param (query, NULL, &params);
  }
  for (guint i = 0; i < n; i++) {
    GstAllocator *allocator = NULL;

    gst_query_parse_nth_allocation_param (query, i, &allocator, &params);
    params.align |= mask;
    gst_query_set_nth_allocation_param (query, i, allocator, &params);
    gst_clear_object (&allocator);
  }
}

/* Buffers go downstream as they came from upstream, but for those that are
 * shared and equalized: what downstream proposes is right for upstream too, as
 * if this element were not there. */
static gboolean
gst_amphisto_propose_allocation (
    GstBaseTransform *trans, GstQuery *decide_query, GstQuery *query)
{
  (void) decide_query;
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)
           ->propose_allocation (trans, NULL, query))
    GST_DEBUG_OBJECT (trans, "downstream proposes no allocation");
  if (!gst_base_transform_is_passthrough (trans))
    propose_alignment (GST_AMPHISTO (trans), query);
  return TRUE;
}

static gboolean
gst_amphisto_decide_allocation (GstBaseTransform *trans, GstQuery *query)
{
  propose_alignment (GST_AMPHISTO (trans), query);
  return GST_BASE_TRANSFORM_CLASS (parent_class)
      ->decide_allocation (trans, query);
}

/* --- the stream --- */

/* Takes the settings for the frames to come; the base gets its buffer pool
 * only if it is not in passthrough. */
static void
take_settings (GstAmphisto *self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  gboolean passthrough;

  GST_OBJECT_LOCK (self);
  self->frame_settings = self->settings;
  GST_OBJECT_UNLOCK (self);

  passthrough = has_nothing_to_do (&self->frame_settings);
  if (passthrough == gst_base_transform_is_passthrough (trans))
    return;
  GST_DEBUG_OBJECT (self, "%s passthrough", passthrough ? "to" : "from");
  gst_base_transform_set_passthrough (trans, passthrough);
  gst_base_transform_reconfigure_src (trans);
}

static void
gst_amphisto_before_transform (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  const GstClockTime time = stream_time (self, buffer);

  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_object_sync_values (GST_OBJECT (self), time);
  take_settings (self);
}

/* The matrix of the caps' colorimetry, which a GstVideoInfo has not for RGB. */
static GstVideoColorMatrix
caps_matrix (GstCaps *caps)
{
  const gchar *colorimetry = gst_structure_get_string (
      gst_caps_get_structure (caps, 0), "colorimetry");
  GstVideoColorimetry parsed;

  if (colorimetry == NULL
      || !gst_video_colorimetry_from_string (&parsed, colorimetry))
    return GST_VIDEO_COLOR_MATRIX_UNKNOWN;
  return parsed.matrix;
}

static gboolean
gst_amphisto_set_info (GstVideoFilter *filter, GstCaps *incaps,
    GstVideoInfo *in_info, GstCaps *outcaps, GstVideoInfo *out_info)
{
  GstAmphisto *self = GST_AMPHISTO (filter);

  (void) outcaps;
  (void) out_info;
  gst_frame_layout_init (&self->layout, in_info);
  gst_frame_layout_set_matrix (&self->layout, caps_matrix (incaps));
  GST_DEBUG_OBJECT (self, "%" GST_PTR_FORMAT ", luma to [%u, %u]", incaps,
      self->layout.lo, self->layout.hi);
  return TRUE;
}

static gboolean
gst_amphisto_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    GST_AMPHISTO (trans)->last_message = GST_CLOCK_TIME_NONE;
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

/* READY to PAUSED: the kernels are compiled here, so that the first frame
 * finds them ready. */
static gboolean
gst_amphisto_start (GstBaseTransform *trans)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  g_autoptr (GError) error = NULL;

  self->last_message = GST_CLOCK_TIME_NONE;
  if (!open_device (self))
    return FALSE;
  self->cl_frame = amphisto_cl_frame_new (self->device, &error);
  if (self->cl_frame == NULL) {
    post_error (self, error, GST_LIBRARY_ERROR_INIT);
    return FALSE;
  }
  take_settings (self);
  return TRUE;
}

static gboolean
gst_amphisto_stop (GstBaseTransform *trans)
{
  GstAmphisto *self = GST_AMPHISTO (trans);

  g_clear_pointer (&self->cl_frame, amphisto_cl_frame_free);
  return TRUE;
}

static GstStateChangeReturn
gst_amphisto_change_state (GstElement *element, GstStateChange transition)
{
  GstAmphisto *self = GST_AMPHISTO (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !open_device (self))
    return GST_STATE_CHANGE_FAILURE;
  ret = GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL
      || (transition == GST_STATE_CHANGE_NULL_TO_READY
          && ret == GST_STATE_CHANGE_FAILURE))
    close_device (self);
  return ret;
}

/* --- the class --- */

static void
gst_amphisto_finalize (GObject *object)
{
  GstAmphisto *self = GST_AMPHISTO (object);

  g_free (self->device_choice);
  g_free (self->device_name);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *class)
{
  const GParamFlags readwrite = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  const GParamFlags live =
      readwrite | GST_PARAM_MUTABLE_PLAYING | GST_PARAM_CONTROLLABLE;

  properties[PROP_DEVICE] = g_param_spec_string ("device", "Device",
      "OpenCL device: unset, what the environment's AMPHISTO_DEVICE says, else "
      "the first GPU, accelerator or CPU; cpu, gpu, accelerator: the first of "
      "these; P.D: platform and device as counted by clinfo -l; else a part of "
      "the device's or platform's name",
      NULL, readwrite | GST_PARAM_MUTABLE_READY);
  properties[PROP_DEVICE_NAME] = g_param_spec_string ("device-name",
      "Device name", "The OpenCL device in use, from READY on", NULL,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_CHANNELS] = g_param_spec_flags ("channels", "Channels",
      "What is measured; what a format lacks is left out",
      GST_TYPE_AMPHISTO_CHANNELS, DEFAULT_CHANNELS, live);
  properties[PROP_ATTACH_META] =
      g_param_spec_boolean ("attach-meta", "Attach metadata",
          "Attach AmphistoHistogramMeta to each buffer: the histograms of the "
          "frame as it arrived",
          DEFAULT_ATTACH_META, live);
  properties[PROP_POST_MESSAGES] = g_param_spec_boolean ("post-messages",
      "Post messages", "Post element messages with the histograms",
      DEFAULT_POST_MESSAGES, live);
  properties[PROP_INTERVAL] = g_param_spec_uint64 ("interval", "Interval",
      "Least stream time between messages, in nanoseconds; 0 posts for every "
      "frame",
      0, G_MAXUINT64, DEFAULT_INTERVAL, live);
  properties[PROP_EQUALIZATION] = g_param_spec_enum ("equalization",
      "Equalization",
      "How frames are equalized: luma is spread over its range; of RGB each "
      "pixel's components move with its luma, so that hue stays",
      GST_TYPE_AMPHISTO_EQUALIZATION, DEFAULT_EQUALIZATION, live);
  properties[PROP_STRENGTH] = g_param_spec_float ("strength", "Strength",
      "How far equalization moves pixels, from 0, not at all, to 1, to their "
      "equalized value",
      0.0f, 1.0f, DEFAULT_STRENGTH, live);
  properties[PROP_VERIFY] = g_param_spec_boolean ("verify", "Verify",
      "Recompute every result on the CPU, and stop with an error where the "
      "device's differs (slow)",
      DEFAULT_VERIFY, live);
  g_object_class_install_properties (class, N_PROPERTIES, properties);
}

static void
gst_amphisto_class_init (GstAmphistoClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GstElementClass *element_class = GST_ELEMENT_CLASS (class);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (class);
  GstVideoFilterClass *filter_class = GST_VIDEO_FILTER_CLASS (class);

  object_class->set_property = GST_DEBUG_FUNCPTR (gst_amphisto_set_property);
  object_class->get_property = GST_DEBUG_FUNCPTR (gst_amphisto_get_property);
  object_class->finalize = GST_DEBUG_FUNCPTR (gst_amphisto_finalize);
  install_properties (object_class);

  element_class->change_state = GST_DEBUG_FUNCPTR (gst_amphisto_change_state);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Video histogram",
      "Filter/Effect/Analyzer/Video",
      "Attaches the histograms of each frame as metadata, posts them as "
      "messages, and equalizes frames, by OpenCL on a CPU or GPU",
      "The amphisto developers");

  transform_class->start = GST_DEBUG_FUNCPTR (gst_amphisto_start);
  transform_class->stop = GST_DEBUG_FUNCPTR (gst_amphisto_stop);
  transform_class->sink_event = GST_DEBUG_FUNCPTR (gst_amphisto_sink_event);
  transform_class->before_transform =
      GST_DEBUG_FUNCPTR (gst_amphisto_before_transform);
  transform_class->propose_allocation =
      GST_DEBUG_FUNCPTR (gst_amphisto_propose_allocation);
  transform_class->decide_allocation =
      GST_DEBUG_FUNCPTR (gst_amphisto_decide_allocation);
  transform_class->prepare_output_buffer =
      GST_DEBUG_FUNCPTR (gst_amphisto_prepare_output_buffer);
  transform_class->transform_meta =
      GST_DEBUG_FUNCPTR (gst_amphisto_transform_meta);
  /* GstVideoFilter's own would map frames that are only read for writing, and
   * so copy those that a tee shares out. */
  transform_class->transform = GST_DEBUG_FUNCPTR (gst_amphisto_transform);
  transform_class->transform_ip = NULL;
  filter_class->set_info = GST_DEBUG_FUNCPTR (gst_amphisto_set_info);

  if (!gst_histogram_meta_register ())
    GST_ERROR ("%s is the name of another metadata", GST_HISTOGRAM_META_NAME);
  gst_type_mark_as_plugin_api (GST_TYPE_AMPHISTO_CHANNELS, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_AMPHISTO_EQUALIZATION, 0);
}

static void
gst_amphisto_init (GstAmphisto *self)
{
  self->settings = (Settings){
    .channels = DEFAULT_CHANNELS,
    .attach_meta = DEFAULT_ATTACH_META,
    .post_messages = DEFAULT_POST_MESSAGES,
    .interval = DEFAULT_INTERVAL,
    .equalization = DEFAULT_EQUALIZATION,
    .strength = DEFAULT_STRENGTH,
    .verify = DEFAULT_VERIFY,
  };
  self->frame_settings = self->settings;
  self->last_message = GST_CLOCK_TIME_NONE;
  gst_base_transform_set_gap_aware (GST_BASE_TRANSFORM (self), TRUE);
}
