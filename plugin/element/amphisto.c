/* SPDX-License-Identifier: LGPL-2.1-or-later */

/**
 * SECTION:element-amphisto
 * @title: amphisto
 * @short_description: histograms, scopes and equalization of video with OpenCL
 *
 * Measures the histograms of each video frame on an OpenCL device: a GPU, or
 * the CPU through PoCL. The histograms are attached to the buffer as metadata,
 * and can be posted as messages, tested against conditions, drawn into the
 * picture as a scope, and used to equalize the picture.
 *
 * README.md is the manual. plugin/reference.md says what programs need to know:
 * properties, fields with types and units, and what happens to buffers.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=1 ! \
 *   amphisto post-messages=true ! fakesink
 * ]| Print the histogram of a test picture.
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! \
 *   amphisto scopes=waveform+vectorscope channels=rgb scope-display=parade ! \
 *   videoconvert ! autovideosink
 * ]| Draw the RGB parade and the vectorscope of a camera's picture into it.
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! amphisto equalization=clahe ! \
 *   videoconvert ! autovideosink
 * ]| Bring out details in the dark and bright areas of a camera's picture.
 */

#include "element/flow/private.h"

#include "element/memory/caps.h"
#include "element/props/properties.h"
#include "opencl/device/log.h"

GST_DEBUG_CATEGORY (gst_amphisto_debug);
GST_DEBUG_CATEGORY_STATIC (opencl_debug);

enum
{
  PROP_0,
  PROP_DEVICE,
  PROP_DEVICE_NAME
};

/* All formats with 8-bit samples, each in a byte of its own. */
#define FORMATS                                                                \
  "{ I420, YV12, NV12, NV21, GRAY8, RGBA, BGRA, ARGB, ABGR, RGBx, BGRx, "      \
  "xRGB, xBGR, RGB, BGR, GBR, RGBP, BGRP, GBRA, YUY2, YVYU, UYVY, VYUY, "      \
  "Y444, Y42B, Y41B, YUV9, YVU9, A420, NV16, NV61, NV24, AYUV, VUYA, v308, "   \
  "IYU2 }"

/* --- logs --- */

G_STATIC_ASSERT ((gint) AMPHISTO_CL_LOG_WARNING == (gint) GST_LEVEL_WARNING
    && (gint) AMPHISTO_CL_LOG_INFO == (gint) GST_LEVEL_INFO
    && (gint) AMPHISTO_CL_LOG_DEBUG == (gint) GST_LEVEL_DEBUG);

static gboolean
is_logged (AmphistoClLogLevel level)
{
  return (GstDebugLevel) level
      <= gst_debug_category_get_threshold (opencl_debug);
}

G_GNUC_PRINTF (5, 0)
static void
write_log (AmphistoClLogLevel level, const gchar *file, const gchar *function,
    gint line, const gchar *format, va_list args)
{
  gst_debug_log_valist (opencl_debug, (GstDebugLevel) level, file, function,
      line, NULL, format, args);
}

static void
init_logs (void)
{
  static const AmphistoClLog log = { is_logged, write_log };

  GST_DEBUG_CATEGORY_INIT (
      gst_amphisto_debug, "amphisto", 0, "amphisto element");
  GST_DEBUG_CATEGORY_INIT (
      opencl_debug, "amphisto-opencl", 0, "amphisto's devices and kernels");
  amphisto_cl_log_set (&log);
}

/* --- the type --- */

/* System memory comes first, so that it is preferred. */
#define CAPS                                                                   \
  GST_VIDEO_CAPS_MAKE (FORMATS)                                                \
  "; " GST_VIDEO_CAPS_MAKE_WITH_FEATURES ("ANY", FORMATS)

#define gst_amphisto_parent_class parent_class
G_DEFINE_TYPE_WITH_CODE (
    GstAmphisto, gst_amphisto, GST_TYPE_VIDEO_FILTER, init_logs ())
GST_ELEMENT_REGISTER_DEFINE (
    amphisto, "amphisto", GST_RANK_NONE, GST_TYPE_AMPHISTO)

/* --- properties --- */

static void
warn_refused (GstAmphisto *self, const gchar *text)
{
  GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s", text), (NULL));
}

/* Posts the warnings for settings that were refused before the start, and not
 * corrected. In a launch line, the element has no bus yet; in NULL, the bus of
 * a pipeline drops all messages. */
static void
warn_refused_before (GstAmphisto *self)
{
  g_autoptr (GstStructure) refused = NULL;

  GST_OBJECT_LOCK (self);
  refused = self->refused;
  self->refused = gst_structure_new_empty ("refused");
  GST_OBJECT_UNLOCK (self);
  for (gint i = 0; i < gst_structure_n_fields (refused); i++)
    warn_refused (self,
        gst_structure_get_string (
            refused, gst_structure_nth_field_name (refused, (guint) i)));
}

/* Whether the element has started or is starting, so that it may have read
 * the settings that are fixed then. After a failed start, GStreamer leaves the
 * next state as it is. Called with the object lock. */
static gboolean
is_started (const GstAmphisto *self)
{
  return GST_STATE (self) > GST_STATE_READY
      || (GST_STATE_NEXT (self) > GST_STATE_READY
          && GST_STATE_RETURN (self) != GST_STATE_CHANGE_FAILURE);
}

/* Refuses another device after the start: the property would not show the one
 * in use. Called with the object lock. */
static void
set_device_choice (GstAmphisto *self, const gchar *choice, GError **error)
{
  if (g_strcmp0 (choice, self->device.choice) == 0)
    return;
  if (is_started (self)) {
    gst_amphisto_refuse (error,
        "device stays %s: it can be changed in READY and NULL only.",
        self->device.choice != NULL ? self->device.choice : "null");
    return;
  }
  g_free (self->device.choice);
  self->device.choice = g_strdup (choice);
}

/* Keeps or forgets why a value of a property other than expect was refused.
 * Called with the object lock.
 *
 * Returns: whether to post a warning at once. */
static gboolean
refuse_value (GstAmphisto *self, const gchar *property, const GError *error)
{
  gst_structure_remove_field (self->refused, property);
  if (error == NULL)
    return FALSE;
  if (is_started (self))
    return TRUE;
  gst_structure_set (
      self->refused, property, G_TYPE_STRING, error->message, NULL);
  return FALSE;
}

/* Replaces the settings by a changed copy: frames in flight keep the old ones.
 * Called with the object lock. */
static void
set_setting (GstAmphisto *self, guint id, const GValue *value, GError **error)
{
  GstAmphistoSettings *settings = gst_amphisto_settings_copy (self->settings);

  gst_amphisto_settings_set (settings, id, value, error);
  gst_amphisto_replace_settings (self, settings);
}

/* A mistake in expect is kept with the settings: at the start and with each
 * frame it may be an error. */
static void
gst_amphisto_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstAmphisto *self = GST_AMPHISTO (object);
  const gboolean is_expect = g_str_equal (pspec->name, "expect");
  g_autoptr (GError) error = NULL;
  gboolean warns;

  GST_OBJECT_LOCK (self);
  if (id == PROP_DEVICE)
    set_device_choice (self, g_value_get_string (value), &error);
  else if (!is_started (self)
      || gst_amphisto_settings_may_change (self->settings, id, value, &error))
    set_setting (self, id, value, &error);
  if (is_expect)
    warns = error != NULL && is_started (self) && !self->settings->expect_error;
  else
    warns = refuse_value (self, pspec->name, error);
  GST_OBJECT_UNLOCK (self);
  if (warns && is_expect)
    gst_amphisto_warn_of_expect (self, error->message);
  else if (warns)
    warn_refused (self, error->message);
}

static void
gst_amphisto_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstAmphisto *self = GST_AMPHISTO (object);

  (void) pspec;
  GST_OBJECT_LOCK (self);
  if (id == PROP_DEVICE)
    g_value_set_string (value, self->device.choice);
  else if (id == PROP_DEVICE_NAME)
    g_value_set_string (value, self->device.name);
  else
    gst_amphisto_settings_get (self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
}

/* --- states --- */

/* Returns: FALSE after posting an error: there are no scopes, and nothing else
 * is shown. */
static gboolean
check_scopes (GstAmphisto *self, const GstAmphistoSettings *settings)
{
  if (!settings->scopes_only || settings->scopes.enabled != AMPHISTO_SCOPE_NONE)
    return TRUE;
  GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS,
      ("scopes-only=true shows nothing with scopes=none; set scopes, for "
       "example to waveform+vectorscope."),
      (NULL));
  return FALSE;
}

/* READY to PAUSED */
static gboolean
gst_amphisto_start (GstBaseTransform *trans)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  g_autoptr (GstAmphistoSettings) settings = gst_amphisto_get_settings (self);

  if (!gst_amphisto_check_expect (self, settings)
      || !check_scopes (self, settings))
    return FALSE;
  gst_amphisto_stream_start (self, settings);
  if (gst_amphisto_device_open (&self->device)
      && gst_amphisto_prepare_device (self, NULL))
    return TRUE;
  gst_amphisto_ring_stop (&self->ring);
  return FALSE;
}

static gboolean
gst_amphisto_stop (GstBaseTransform *trans)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (trans);

  gst_amphisto_ring_stop (&self->ring);
  GST_PAD_STREAM_LOCK (pad); /* a query may still come */
  gst_amphisto_jobs_close (&self->jobs);
  gst_amphisto_allocation_stop (&self->allocation);
  gst_amphisto_composition_clear (&self->report.composition);
  gst_caps_replace (&self->caps, NULL);
  self->jobs.composes = FALSE;
  self->jobs.output_width = 0;
  self->offer = GST_AMPHISTO_OFFER_OPEN;
  g_atomic_int_set (&self->offer_events, 0);
  GST_PAD_STREAM_UNLOCK (pad);
  return TRUE;
}

static void
set_activating (GstAmphisto *self, gboolean is_activating)
{
  GST_OBJECT_LOCK (self);
  self->is_activating = is_activating;
  g_cond_broadcast (&self->activated);
  GST_OBJECT_UNLOCK (self);
}

/* GStreamer lets the sink pad take frames before it calls start(), and the base
 * class forgets caps and segment after that. Queries that have come before are
 * over when the stream lock is free. */
static GstStateChangeReturn
activate (GstAmphisto *self, GstStateChange transition)
{
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (self);
  GstStateChangeReturn ret;

  warn_refused_before (self);
  GST_PAD_STREAM_LOCK (pad);
  set_activating (self, TRUE);
  GST_PAD_STREAM_UNLOCK (pad);
  ret = GST_ELEMENT_CLASS (parent_class)
            ->change_state (GST_ELEMENT (self), transition);
  set_activating (self, FALSE);
  return ret;
}

static GstStateChangeReturn
gst_amphisto_change_state (GstElement *element, GstStateChange transition)
{
  GstAmphisto *self = GST_AMPHISTO (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY
      && !gst_amphisto_device_open (&self->device))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    return activate (self, transition);
  ret = GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL
      || (transition == GST_STATE_CHANGE_NULL_TO_READY
          && ret == GST_STATE_CHANGE_FAILURE))
    gst_amphisto_device_close (&self->device);
  return ret;
}

/* --- the class --- */

static void
gst_amphisto_finalize (GObject *object)
{
  GstAmphisto *self = GST_AMPHISTO (object);

  g_cond_clear (&self->activated);
  gst_amphisto_ring_clear (&self->ring);
  gst_amphisto_settings_unref (self->settings);
  gst_amphisto_settings_unref (self->frame_settings);
  gst_amphisto_expect_reset (&self->report.expect);
  gst_amphisto_jobs_clear (&self->jobs);
  gst_amphisto_device_clear (&self->device);
  gst_structure_free (self->refused);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *class)
{
  g_object_class_install_property (class, PROP_DEVICE,
      g_param_spec_string ("device", "Device",
          "OpenCL device: cpu, gpu, accelerator, PLATFORM.DEVICE as numbered "
          "by clinfo -l, or part of a name (null = $AMPHISTO_DEVICE, else the "
          "first GPU, accelerator or CPU)",
          NULL,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
              | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (class, PROP_DEVICE_NAME,
      g_param_spec_string ("device-name", "Device name",
          "Name of the OpenCL device in use, from READY on", NULL,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  gst_amphisto_properties_install (class);
}

static void
describe_element (GstElementClass *class)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (CAPS);

  gst_element_class_set_static_metadata (class, "Video histogram",
      "Filter/Effect/Analyzer/Video",
      "Measures, shows and equalizes the histograms of a video stream with "
      "OpenCL",
      "The amphisto developers");
  gst_amphisto_caps_append_drm_formats (caps);
  gst_element_class_add_pad_template (
      class, gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (
      class, gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
}

static void
gst_amphisto_class_init (GstAmphistoClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GstElementClass *element_class = GST_ELEMENT_CLASS (class);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (class);

  object_class->set_property = gst_amphisto_set_property;
  object_class->get_property = gst_amphisto_get_property;
  object_class->finalize = gst_amphisto_finalize;
  install_properties (object_class);

  element_class->change_state = gst_amphisto_change_state;
  describe_element (element_class);

  transform_class->start = gst_amphisto_start;
  transform_class->stop = gst_amphisto_stop;
  transform_class->transform_caps = gst_amphisto_transform_caps;
  transform_class->fixate_caps = gst_amphisto_fixate_caps;
  gst_amphisto_output_class_init (transform_class);
  gst_amphisto_stream_class_init (GST_VIDEO_FILTER_CLASS (class));
}

/* The next element downstream may fail if it gets caps with overlay
 * compositions before it has been asked. */
static void
gst_amphisto_src_unlink (GstPad *pad, GstObject *parent)
{
  (void) pad;
  g_atomic_int_or (
      &GST_AMPHISTO (parent)->offer_events, GST_AMPHISTO_OFFER_REPLACED);
}

/* The pad waits for its task when it is deactivated, and the task for frames.
 */
static gboolean
gst_amphisto_src_activate_mode (
    GstPad *pad, GstObject *parent, GstPadMode mode, gboolean active)
{
  GstAmphisto *self = GST_AMPHISTO (parent);

  if (!active)
    gst_amphisto_ring_interrupt (&self->ring);
  return self->activate_source (pad, parent, mode, active);
}

static void
gst_amphisto_init (GstAmphisto *self)
{
  GstElement *element = GST_ELEMENT (self);
  GstVideoFilter *filter = GST_VIDEO_FILTER (self);
  GstPad *source = GST_BASE_TRANSFORM_SRC_PAD (self);

  g_cond_init (&self->activated);
  self->settings = gst_amphisto_settings_new ();
  self->frame_settings = g_atomic_rc_box_acquire (self->settings);
  self->refused = gst_structure_new_empty ("refused");
  gst_amphisto_device_init (&self->device, element);
  gst_amphisto_jobs_init (&self->jobs, element);
  gst_amphisto_ring_init (&self->ring, filter);
  gst_amphisto_report_init (&self->report, filter);
  gst_base_transform_set_gap_aware (GST_BASE_TRANSFORM (self), TRUE);
  gst_pad_set_unlink_function (source, gst_amphisto_src_unlink);
  self->activate_source = GST_PAD_ACTIVATEMODEFUNC (source);
  gst_pad_set_activatemode_function (source, gst_amphisto_src_activate_mode);
}
