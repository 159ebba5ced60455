/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/**
 * SECTION:element-amphisto
 * @title: amphisto
 * @short_description: histograms, scopes and equalization of video with OpenCL
 *
 * Measures the histograms of each video frame on an OpenCL device: a GPU, or
 * the CPU through PoCL. The histograms are attached to the buffer as metadata,
 * and can be posted as messages, drawn into the picture as a scope, and used to
 * equalize the picture.
 *
 * ## Channels
 *
 * #GstAmphisto:channels selects the channels to measure. Luma of RGB, and red,
 * green and blue of YUV, are computed for each pixel; other channels that the
 * format lacks are skipped. The coefficients follow from Kr and Kb of the caps'
 * colorimetry and Kg = 1 - Kr - Kb. All arithmetic is in integers, with `>>`
 * rounding down:
 *
 * * luma of RGB: `(wr R + wg G + wb B + 32768) >> 16`, where
 *     * wr = round (65536 Kr), wb = round (65536 Kb), wg = 65536 - wr - wb
 * * red, green and blue of YUV, from the pixel's Y and the U and V samples that
 *   it shares: `(cy Y + cu U + cv V + c1) >> 16`, clamped to 0 to 255, where
 *     * cy = round (65536 * 255 / 219); full range: 65536
 *     * k = 65536 * 255 / 224; full range: 65536
 *     * cu = round (-k 2 Kb (1 - Kb) / Kg) for green, round (k 2 (1 - Kb)) for
 *       blue, 0 for red
 *     * cv = round (k 2 (1 - Kr)) for red, round (-k 2 Kr (1 - Kr) / Kg) for
 *       green, 0 for blue
 *     * c1 = 32768 - 16 cy - 128 (cu + cv); full range: without 16 cy
 *
 * In interlaced video, `interleaved` or `mixed`, each field has its own rows of
 * chroma. In 4:2:0, pixels of row y use chroma row `(y >> 2) * 2 + y % 2`, or
 * the last chroma row of their field if that row does not exist.
 *
 * ## Metadata
 *
 * With #GstAmphisto:attach-meta, each measured buffer has a #GstCustomMeta
 * named `AmphistoHistogramMeta`. It describes the frame as it arrived, before
 * any change. A second amphisto downstream replaces it. Its structure has these
 * fields:
 *
 * * #gchararray `format`: the video format of the frame
 * * #gint `width`, `height`: the size of the frame, in pixels
 * * #GstStructure `luma`, `u`, `v`, `red`, `green`, `blue`, `alpha`: the
 *   histogram of each measured channel, a structure named `histogram`:
 *     * #GBytes `bins`: 258 native-endian #guint32: the number of samples of
 *       each of the 256 values, and two zeros. Without the zeros, GStreamer
 *       could not read the metadata back from text, as unixfdsrc does
 *     * #guint64 `samples`: the number of samples: the sum of the bins
 *     * #guint `min`, `max`: the smallest and the greatest value that occurs
 *     * #guint `median`: the smallest value v such that at least half of the
 *       samples are at or below v
 *     * #gdouble `mean`, `stddev`: the mean, and the standard deviation of the
 *       population
 *     * #gdouble `entropy`: in bits per sample, 0 to 8
 *     * #gdouble `clipped-low`, `clipped-high`: the fraction of the samples, 0
 *       to 1, at or below the low end, and at or above the high end of the
 *       channel's range: 16 and 235 for limited-range luma, 16 and 240 for
 *       limited-range chroma, otherwise 0 and 255
 *     * #GstValueArray of #guint `percentiles`: for each p in
 *       #GstAmphisto:percentiles, the smallest value v that occurs such that
 *       at least p percent of the samples are at or below v
 * * #GstValueArray of #GstStructure `regions`, with #GstAmphisto:roi-meta: one
 *   structure named `region` per #GstVideoRegionOfInterestMeta of the buffer,
 *   in the same order. The first 1024 are measured; if a buffer has more, a
 *   warning is posted, once until new caps:
 *     * #gint `id`, #gchararray `roi-type`, #guint `x`, `y`, `w`, `h`: copied
 *       from the #GstVideoRegionOfInterestMeta
 *     * the histogram of each measured channel, as above, in the part of the
 *       region that is inside the frame
 *
 * ## Messages
 *
 * With #GstAmphisto:post-messages, the element posts element messages with a
 * structure named `amphisto`, at most one per #GstAmphisto:interval of stream
 * time. A frame without a stream time is taken to begin where the previous
 * frame ends, by its duration or by the framerate. Without either, the real
 * time between the frames counts. The fields are:
 *
 * * #guint64 `timestamp`, `stream-time`, `running-time`, `duration`: of the
 *   measured buffer, in nanoseconds
 * * the histogram of each measured channel, as in the metadata, but with `bins`
 *   as a #GstValueArray of 256 #guint
 *
 * ## Regions
 *
 * #GstAmphisto:roi-x, #GstAmphisto:roi-y, #GstAmphisto:roi-width and
 * #GstAmphisto:roi-height restrict the element to a region of the frame: only
 * the region is measured, equalized and drawn into. The region may move while
 * playing. With subsampled chroma, a chroma sample is measured if any of its
 * pixels is in the region; pixels that share a chroma sample with the rest of
 * the frame are not drawn over. In interlaced video, only whole pairs of chroma
 * rows are drawn over.
 *
 * Upstream elements are asked not to crop by #GstVideoCropMeta. If one does so
 * anyway, amphisto works on the part that the metadata show. Regions of
 * interest are still given in pixels of the whole frame.
 *
 * ## CLAHE
 *
 * #GstAmphisto:equalization `clahe` is contrast limited adaptive histogram
 * equalization: a look-up table (LUT) is made for each of
 * #GstAmphisto:tiles-x by #GstAmphisto:tiles-y tiles, and pixels are
 * interpolated between the LUTs of the four nearest tiles, so that no seams
 * show. Compared with `global`, it brings out details in dark and bright areas
 * of the same picture; more tiles bring out finer details.
 * #GstAmphisto:clip-limit limits the contrast, and with it the noise in flat
 * areas such as skies. On full-range GRAY8 the result is that of OpenCV's
 * createCLAHE(), bit for bit.
 *
 * ## Matching
 *
 * #GstAmphisto:equalization `match` maps luma so that its histogram approaches
 * #GstAmphisto:reference: 256 native-endian #guint32, or the 258 of the `bins`
 * in another frame's metadata. A value of any other size is refused with a
 * warning, as is a histogram without samples, or with more samples than 32 bits
 * can count. The reference is unset then, and luma stays unchanged. In numpy,
 * whose integers have 64 bits by default:
 * `numpy.bincount(luma.ravel(), minlength=256).astype(numpy.uint32)`.
 *
 * ## Smoothing
 *
 * The histogram of a video changes from frame to frame, and the equalized
 * picture flickers with it. With #GstAmphisto:smoothing s, equalization uses a
 * running mean of the histograms instead: `mean += (1 - s) (h - mean)` for each
 * bin h. The mean restarts after a flush, with new caps, and at a scene cut:
 * when the area between the CDFs of the frame's luma and of the mean shows that
 * luma changed by more than 32 per sample on average. It also restarts when the
 * equalization, the number of tiles or the size of the region changes, and
 * after frames that were not equalized with the mean.
 *
 * ## Scopes
 *
 * #GstAmphisto:scopes draws scopes into the picture. They describe the frame as
 * it arrived; to see the scopes of an equalized picture, add a second amphisto
 * downstream. Scopes are drawn side by side along the edge, from the corner
 * #GstAmphisto:scope-position on. Scopes without room for a legible size are
 * left out. #GstAmphisto:graticule adds lines, and the channels' letters and
 * the ends of their scale, where there is room.
 *
 * * `histogram`: a curve for each measured channel, scaled to the tallest bin
 *   between black and white. The bins of black and white may be taller: they
 *   are cut off then, with arrows above them. #GstAmphisto:clipping-bars draws
 *   bars at the sides if more than 1 % of the samples are at or beyond black or
 *   white.
 * * `waveform`: the values of the measured channels, from bottom to top, over
 *   the columns of the region, from left to right. The more samples of its
 *   columns have a value, the brighter its point. `scope-display=parade` with
 *   `channels=rgb` is the RGB parade. The graticule marks the quarters of the
 *   channel's range, and the ends of a limited range, 0 and 100 %. With
 *   `exposure=false-color`, luma has a legend of the bands at the left.
 * * `vectorscope`: U to the right and V upwards. Each point has its own hue;
 *   the more samples have its U and V, the brighter it is. The graticule has
 *   the axes, a circle around the range, boxes for the 75 % colour bars,
 *   smaller boxes for 100 % bars, and a line for skin tones (+I, 123°). RGB is
 *   converted with the caps' matrix; grey formats have no vectorscope.
 *
 * Counts saturate at 255. Their brightness depends on the size of the region
 * only: the scale does not change with the picture.
 *
 * ## Exposure
 *
 * #GstAmphisto:exposure shows where the frame as it arrived is dark or bright;
 * its flags may be combined:
 *
 * * `zebra`: moving stripes on the picture itself. Luma below
 *   #GstAmphisto:zebra-low gets black stripes; luma above
 *   #GstAmphisto:zebra-high gets white stripes, which lean the other way. Both
 *   thresholds are in percent of luma's range, so that legal black and white,
 *   16 and 235 in limited-range YUV, get no stripes by default; 0 and 255
 *   always do. `zebra-high=70` is usual for faces. In RGB, luma is computed
 *   with the caps' matrix.
 * * `false-color`: bands of luma in place of the picture, for judging exposure
 *   at a glance. In percent of luma's range: below 2 % (black and below) is
 *   purple, up to 8 % blue, 38 to 42 % (middle grey) green, 52 to 56 % (one
 *   stop above, such as fair skin) pink, 92 to 98 % yellow, and from 98 % on
 *   (white and above) red. All other pixels become grey and keep their luma. A
 *   legend of the bands is drawn below the histograms' plots. Grey formats have
 *   no colours to show, and stay unchanged.
 *
 * ## Frames in flight
 *
 * With #GstAmphisto:frames-in-flight n above 1, a device with memory of its own
 * works on one frame while the next frames are uploaded and the previous frame
 * is downloaded. A frame is sent on when n - 1 more have arrived, or earlier if
 * a serialized event or query, a changed property or a discontinuity follows
 * it. The element reports n - 1 frames of latency. Without a framerate in the
 * caps, no frame is held back. In live pipelines, no frame is held back for
 * longer than the latency: if the next frame is late, finished frames are sent
 * on. Devices that share the host's memory gain nothing from frames in flight.
 *
 * The driver of such a device pins memory for the frames, up to 1 GiB, so that
 * the device copies them itself. The element offers this memory to upstream
 * elements, and uses it for the frames that it sends on. Frames that arrive in
 * other memory are copied by the driver, at a fraction of the speed.
 *
 * ## Skipped frames
 *
 * Like other video filters, amphisto drops frames that a sink reports as late
 * (QoS); with `qos=false` it measures every frame. Buffers flagged
 * #GST_BUFFER_FLAG_GAP are measured like any other, since videorate flags the
 * frames that it repeats. Gap buffers without memory pass unchanged. The
 * element is in passthrough if metadata, messages, equalization, scope, zebra
 * and false colour are all disabled.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=1 ! amphisto post-messages=true !
 * fakesink
 * ]| Print the histogram of a test picture.
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! amphisto equalization=global !
 * videoconvert ! autovideosink
 * ]| Equalize the picture of a camera.
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! amphisto equalization=clahe !
 * videoconvert ! autovideosink
 * ]| Bring out details in the dark and bright areas of a camera's picture.
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! amphisto scopes=histogram
 * channels=luma+rgb ! videoconvert ! autovideosink
 * ]| Draw the histogram of a camera's picture into it.
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! amphisto scope-display=parade
 * channels=rgb scopes=waveform+vectorscope ! videoconvert ! autovideosink
 * ]| Draw the RGB parade and the vectorscope of a camera's picture into it.
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! amphisto exposure=zebra zebra-high=70
 * ! videoconvert ! autovideosink
 * ]| Draw stripes over everything brighter than a well exposed face.
 */

#include "element/amphisto.h"

#include "opencl/frame.h"
#include "opencl/search.h"
#include "element/allocation.h"
#include "element/flight.h"
#include "element/frame.h"
#include "element/messages.h"
#include "element/progress.h"
#include "element/settings.h"
#include "element/warnings.h"
#include "element/watch.h"
#include "core/history.h"

#include <string.h>

GST_DEBUG_CATEGORY (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

struct _GstAmphisto
{
  GstVideoFilter parent;

  /* protected by the object lock */
  gchar *device_choice;
  gchar *device_name;
  GstAmphistoSettings settings;
  GSList *refused; /* GError *: settings refused before there was a bus */

  guint frames_in_flight;
  GstClockTime latency; /* of frames held back */
  gboolean is_live;     /* upstream, by the last latency query */

  /* from READY on; written by state changes, and when caps are set */
  AmphistoClDevice *device;
  AmphistoClSearch *search; /* that found `device` */
  gchar *opened_choice;     /* `device_choice` when `device` was opened */

  /* used by the streaming thread only */
  AmphistoClFrame *cl_frame;
  GstAmphistoAllocation allocation;
  AmphistoLayout layout;
  GstAmphistoSettings frame_settings; /* copied from `settings` per frame */
  AmphistoPlan plan;                  /* of `layout` and `frame_settings` */
  gboolean is_prepared;               /* `cl_frame` is ready for `plan` */
  GstAmphistoMessages messages;
  guint zebra_phase;                /* frames submitted since start */
  AmphistoHistory history;          /* of the device's state between frames */
  AmphistoReferenceState reference; /* the same state, as computed by the CPU */
  GstAmphistoWarnings warnings;

  GstAmphistoFlight *flights; /* a ring of n_frames; owned */
  guint n_frames;
  guint oldest;
  guint n_in_flight;
  GstClockTime frame_duration;
  gboolean is_discont;   /* the last buffer came after a discontinuity */
  GstFlowReturn drained; /* flow return of drain(), for the next buffer */

  GstAmphistoWatch watch; /* over frames that are held back */

  GstAmphistoProgress progress; /* of building kernels */
};

enum
{
  PROP_0,
  PROP_DEVICE,
  PROP_DEVICE_NAME,
  PROP_FRAMES_IN_FLIGHT
};

static GParamSpec *device_name_property;

/* All formats with 8-bit samples, each in a byte of its own. */
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
        gst_amphisto_debug, "amphisto", 0, "amphisto element"))
GST_ELEMENT_REGISTER_DEFINE (
    amphisto, "amphisto", GST_RANK_NONE, GST_TYPE_AMPHISTO)

/* --- properties --- */

static void
warn_refused (GstAmphisto *self, const GError *error)
{
  GST_ELEMENT_WARNING (
      self, RESOURCE, SETTINGS, ("%s", error->message), (NULL));
}

/* Posts the warnings for settings of a launch line, which come before the
 * element has a bus. */
static void
warn_refused_before (GstAmphisto *self)
{
  GSList *refused;

  GST_OBJECT_LOCK (self);
  refused = g_steal_pointer (&self->refused);
  GST_OBJECT_UNLOCK (self);
  for (const GSList *item = refused; item != NULL; item = item->next)
    warn_refused (self, item->data);
  g_slist_free_full (refused, (GDestroyNotify) g_error_free);
}

/* Whether the element has started or is starting, so that it may have read
 * device and frames-in-flight. After a failed start, GStreamer leaves the next
 * state as it is. Called with the object lock. */
static gboolean
is_started (const GstAmphisto *self)
{
  return GST_STATE (self) > GST_STATE_READY
      || (GST_STATE_NEXT (self) > GST_STATE_READY
          && GST_STATE_RETURN (self) != GST_STATE_CHANGE_FAILURE);
}

/* Refuses another device after the start: the property would not show the one
 * in use. Called with the object lock, like set_frames_in_flight(). */
static void
set_device_choice (GstAmphisto *self, const gchar *choice, GError **error)
{
  if (g_strcmp0 (choice, self->device_choice) == 0)
    return;
  if (is_started (self)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "device stays %s: it can be changed in READY and NULL only.",
        self->device_choice != NULL ? self->device_choice : "null");
    return;
  }
  g_free (self->device_choice);
  self->device_choice = g_strdup (choice);
}

static void
set_frames_in_flight (GstAmphisto *self, guint n, GError **error)
{
  if (n != self->frames_in_flight && is_started (self))
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "frames-in-flight stays %u: it can be changed in READY and NULL only.",
        self->frames_in_flight);
  else
    self->frames_in_flight = n;
}

static void
gst_amphisto_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstAmphisto *self = GST_AMPHISTO (object);
  g_autoptr (GError) error = NULL;

  if (id != PROP_DEVICE && id != PROP_FRAMES_IN_FLIGHT
      && id < GST_AMPHISTO_FIRST_SETTING) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (self);
  if (id == PROP_DEVICE)
    set_device_choice (self, g_value_get_string (value), &error);
  else if (id == PROP_FRAMES_IN_FLIGHT)
    set_frames_in_flight (self, g_value_get_uint (value), &error);
  else
    gst_amphisto_settings_set (&self->settings, id, value, &error);
  if (error != NULL && GST_ELEMENT_BUS (self) == NULL
      && GST_STATE (self) == GST_STATE_NULL)
    self->refused = g_slist_append (self->refused, g_steal_pointer (&error));
  GST_OBJECT_UNLOCK (self);
  if (error != NULL)
    warn_refused (self, error);
}

static void
gst_amphisto_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstAmphisto *self = GST_AMPHISTO (object);

  if (id < GST_AMPHISTO_FIRST_SETTING && id != PROP_DEVICE
      && id != PROP_DEVICE_NAME && id != PROP_FRAMES_IN_FLIGHT) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (self);
  if (id == PROP_DEVICE)
    g_value_set_string (value, self->device_choice);
  else if (id == PROP_DEVICE_NAME)
    g_value_set_string (value, self->device_name);
  else if (id == PROP_FRAMES_IN_FLIGHT)
    g_value_set_uint (value, self->frames_in_flight);
  else
    gst_amphisto_settings_get (&self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
}

/* --- errors --- */

/* Posts `error` as an element error. The first line of its message becomes the
 * text; the rest, such as a build log, becomes the debug string. `call_code` is
 * the code for a failed OpenCL call. After an OpenCL error, the next start
 * opens the device anew. */
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
  if (error->domain == AMPHISTO_CL_ERROR && self->device != NULL) {
    amphisto_cl_device_mark_lost (self->device);
    g_free (text);
    text = g_strdup_printf (
        "OpenCL failed on %s: %s", self->device->name, parts[0]);
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
  g_object_notify_by_pspec (G_OBJECT (self), device_name_property);
}

static void
close_device (GstAmphisto *self)
{
  if (self->search == NULL)
    return;
  g_clear_pointer (&self->device, amphisto_cl_device_unref);
  g_clear_pointer (&self->search, amphisto_cl_search_free);
  g_clear_pointer (&self->opened_choice, g_free);
  set_device_name (self, NULL);
}

/* Opens the next device that the search finds. */
static gboolean
open_next_device (GstAmphisto *self)
{
  g_autoptr (GError) error = NULL;

  self->device = amphisto_cl_search_next (self->search, &error);
  if (self->device == NULL) {
    close_device (self);
    post_error (self, error, GST_LIBRARY_ERROR_INIT);
    return FALSE;
  }
  set_device_name (self, self->device->name);
  GST_INFO_OBJECT (self, "using device \"%s\"", self->device->name);
  return TRUE;
}

static void
on_pass_over (const char *text, gpointer user_data)
{
  GST_WARNING_OBJECT (user_data, "passed over: %s", text);
}

/* Opens the device that #GstAmphisto:device names, unless it is open. */
static gboolean
open_device (GstAmphisto *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *choice = NULL;

  GST_OBJECT_LOCK (self);
  choice = g_strdup (self->device_choice);
  GST_OBJECT_UNLOCK (self);

  if (self->device != NULL && g_strcmp0 (choice, self->opened_choice) == 0
      && !amphisto_cl_device_is_lost (self->device))
    return TRUE;
  close_device (self);
  self->search = amphisto_cl_search_new (choice, on_pass_over, self, &error);
  if (self->search == NULL) {
    post_error (self, error, GST_LIBRARY_ERROR_INIT);
    return FALSE;
  }
  self->opened_choice = g_steal_pointer (&choice);
  return open_next_device (self);
}

/* Replaces a device that failed by the next one of the search. Fails if a
 * device was chosen. */
static gboolean
replace_device (GstAmphisto *self, const GError *why)
{
  amphisto_cl_search_reject (self->search, why);
  amphisto_cl_device_mark_lost (self->device);
  g_clear_pointer (&self->device, amphisto_cl_device_unref);
  return open_next_device (self);
}

/* --- building kernels --- */

/* Called for each kernel to build. */
static void
on_build (gpointer user_data)
{
  gst_amphisto_progress_begin (&GST_AMPHISTO (user_data)->progress);
}

/* Makes `cl_frame` ready for the plan. This can take seconds if kernels have to
 * be built. */
static gboolean
prepare_plan (GstAmphisto *self, GError **error)
{
  if (self->is_prepared)
    return TRUE;
  self->is_prepared =
      amphisto_cl_frame_prepare (self->cl_frame, &self->plan, error);
  gst_amphisto_progress_end (&self->progress, self->is_prepared);
  return self->is_prepared;
}

/* --- buffers --- */

/* Whether the buffer is a gap without a frame. */
static gboolean
is_empty_gap (GstBuffer *buffer)
{
  return GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP)
      && gst_buffer_n_memory (buffer) == 0;
}

/* Pixels change in place if memory and plan allow it, otherwise in a new buffer
 * from the pool. Metadata alone needs a writable buffer, but no new memory. */
static GstFlowReturn
gst_amphisto_prepare_output_buffer (
    GstBaseTransform *trans, GstBuffer *inbuf, GstBuffer **outbuf)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  const GstAmphistoSettings *settings = &self->frame_settings;

  if (is_empty_gap (inbuf) || gst_amphisto_settings_is_passthrough (settings)) {
    *outbuf = inbuf;
  } else if (self->plan.written != 0) {
    if (!gst_amphisto_allocation_is_in_place (&self->allocation, inbuf)
        || !amphisto_plan_can_be_in_place (&self->plan))
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

/* If `meta` is a region of interest and `inbuf` is cropped, adds the region to
 * `outbuf`, which holds only the cropped frame.
 *
 * Returns: whether the region was added. */
static gboolean
copy_moved_region (
    GstAmphisto *self, GstBuffer *outbuf, const GstMeta *meta, GstBuffer *inbuf)
{
  g_autofree gchar *ignored = NULL;
  GstAmphistoCrop crop;

  if (meta->info->api != GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)
    return FALSE;
  ignored =
      gst_amphisto_crop_init (&crop, inbuf, &GST_VIDEO_FILTER (self)->in_info);
  if (!gst_amphisto_crop_is_shifted (&crop))
    return FALSE;
  gst_amphisto_crop_copy_region (
      &crop, outbuf, (const GstVideoRegionOfInterestMeta *) meta);
  return TRUE;
}

/* Whether to copy `meta` to a new buffer: except the element's own meta when a
 * new one is attached. The base class never asks for GST_META_TAG_MEMORY. */
static gboolean
gst_amphisto_transform_meta (
    GstBaseTransform *trans, GstBuffer *outbuf, GstMeta *meta, GstBuffer *inbuf)
{
  if (copy_moved_region (GST_AMPHISTO (trans), outbuf, meta, inbuf))
    return FALSE;
  return gst_amphisto_allocation_keeps_meta (meta)
      && (!GST_AMPHISTO (trans)->frame_settings.attach_meta
          || !gst_amphisto_meta_is (meta));
}

/* Returns: the number of frames held back. It is 0 without a framerate, as
 * their latency would be unknown. */
static guint
n_held (const GstAmphisto *self)
{
  return self->frame_duration > 0 ? self->n_frames - 1 : 0;
}

/* Most buffers are passed on, so upstream gets downstream's proposal, as in
 * passthrough. Metas that describe a different frame (crop, rotation) are
 * removed, and the requirements of the device are added. */
static gboolean
gst_amphisto_propose_allocation (
    GstBaseTransform *trans, GstQuery *decide_query, GstQuery *query)
{
  const GstAmphisto *self = GST_AMPHISTO (trans);

  (void) decide_query;
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)
           ->propose_allocation (trans, NULL, query))
    GST_DEBUG_OBJECT (trans, "downstream proposes no allocation");
  if (!gst_base_transform_is_passthrough (trans)) {
    gst_amphisto_allocation_remove_metas (query);
    gst_amphisto_allocation_complete (&self->allocation, query, n_held (self));
  }
  return TRUE;
}

static gboolean
gst_amphisto_decide_allocation (GstBaseTransform *trans, GstQuery *query)
{
  GstAmphisto *self = GST_AMPHISTO (trans);

  gst_amphisto_allocation_complete (&self->allocation, query, n_held (self));
  return GST_BASE_TRANSFORM_CLASS (parent_class)
      ->decide_allocation (trans, query);
}

/* --- frames in flight --- */

static GstAmphistoFlight *
nth_flight (GstAmphisto *self, guint n)
{
  return &self->flights[(self->oldest + n) % self->n_frames];
}

/* Also resets smoothing and the scope's decaying scale. */
static void
drop_in_flight (GstAmphisto *self)
{
  if (self->cl_frame != NULL)
    amphisto_cl_frame_drop (self->cl_frame);
  while (self->n_in_flight > 0)
    gst_amphisto_flight_clear (nth_flight (self, --self->n_in_flight));
  amphisto_history_clear (&self->history);
}

static GstFlowReturn
fail (GstAmphisto *self, const GError *error)
{
  drop_in_flight (self);
  post_error (self, error, GST_LIBRARY_ERROR_FAILED);
  return GST_FLOW_ERROR;
}

static gboolean
finish_job (GstAmphisto *self, GstAmphistoFlight *flight, GError **error)
{
  if (!flight->has_job)
    return TRUE;
  if (!amphisto_cl_frame_finish (self->cl_frame, &flight->histograms,
          flight->regions.histograms, error)
      || !gst_amphisto_flight_verify (flight, &self->reference, error))
    return FALSE;
  gst_amphisto_flight_end_job (flight);
  return TRUE;
}

static GstAmphistoStatisticsOptions
statistics_options (GstAmphisto *self)
{
  return (GstAmphistoStatisticsOptions){ .layout = &self->layout,
    .percentiles = self->frame_settings.percentiles,
    .n_percentiles = self->frame_settings.n_percentiles };
}

static gboolean
attach_histograms (
    GstAmphisto *self, const GstAmphistoFlight *flight, GError **error)
{
  const GstAmphistoStatisticsOptions options = statistics_options (self);

  if (!flight->attaches
      || gst_amphisto_meta_attach (flight->outbuf,
          &GST_VIDEO_FILTER (self)->in_info, &flight->histograms,
          self->frame_settings.roi_meta ? &flight->regions : NULL, &options))
    return TRUE;
  g_set_error_literal (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED,
      "The histogram can't be attached to the buffer.");
  return FALSE;
}

static void
post_histograms (GstAmphisto *self, const GstAmphistoFlight *flight)
{
  const GstAmphistoStatisticsOptions options = statistics_options (self);

  if (flight->posts)
    gst_amphisto_messages_post (GST_ELEMENT (self),
        &GST_BASE_TRANSFORM (self)->segment, flight->outbuf,
        &flight->histograms, &options);
}

/* Waits for the oldest frame in flight, and reports its histograms. */
static GstFlowReturn
finish_frame (GstAmphisto *self, GstBuffer **outbuf)
{
  GstAmphistoFlight *flight = nth_flight (self, 0);
  g_autoptr (GError) error = NULL;

  if (!finish_job (self, flight, &error)
      || !attach_histograms (self, flight, &error))
    return fail (self, error);
  post_histograms (self, flight);
  GST_LOG_OBJECT (self,
      "measured %" GST_PTR_FORMAT ", sent on %" GST_PTR_FORMAT, flight->inbuf,
      flight->outbuf);
  *outbuf = gst_amphisto_flight_take_buffer (flight);
  self->oldest = (self->oldest + 1) % self->n_frames;
  self->n_in_flight--;
  return GST_FLOW_OK;
}

static GstFlowReturn
send_oldest (GstAmphisto *self)
{
  GstBuffer *buffer;
  const GstFlowReturn ret = finish_frame (self, &buffer);

  if (ret != GST_FLOW_OK)
    return ret;
  return gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (self), buffer);
}

/* Keeps a flow return other than GST_FLOW_OK for the next
 * submit_input_buffer(), which returns it to the base class. */
static void
keep_flow (GstAmphisto *self, GstFlowReturn ret)
{
  if (ret == GST_FLOW_OK)
    return;
  GST_DEBUG_OBJECT (self, "draining ends with %s", gst_flow_get_name (ret));
  self->drained = ret;
  drop_in_flight (self);
}

/* Sends on all frames in flight: before serialized events and queries, and
 * before settings or caps change. */
static void
drain (GstAmphisto *self)
{
  GstFlowReturn ret = GST_FLOW_OK;

  while (self->n_in_flight > 0 && ret == GST_FLOW_OK)
    ret = send_oldest (self);
  keep_flow (self, ret);
}

/* --- frames held back in live pipelines --- */

/* A live source may send frames more slowly than its caps say, or none at all
 * for a while. A frame is held back no longer than the reported latency. If the
 * next frame does not come in time, finished frames are sent on at once; the
 * device may go on with the others. */

static gboolean
is_live (GstAmphisto *self)
{
  gboolean is_live;

  GST_OBJECT_LOCK (self);
  is_live = self->is_live;
  GST_OBJECT_UNLOCK (self);
  return is_live;
}

/* In microseconds. */
static gint64
held_duration (const GstAmphisto *self, guint n)
{
  return (gint64) (n * self->frame_duration / GST_USECOND);
}

/* Latest time to send on the oldest frame in flight. */
static gint64
last_time (const GstAmphisto *self, const GstAmphistoFlight *flight)
{
  return flight->arrival + held_duration (self, self->n_frames - 1);
}

/* Sets the watch to check the frames held back at `time`, or earlier if the
 * oldest one has to be sent on by then. */
static void
watch_frames (GstAmphisto *self, gint64 time)
{
  if (self->n_in_flight == 0 || !is_live (self))
    return;
  gst_amphisto_watch_set (
      &self->watch, MIN (time, last_time (self, nth_flight (self, 0))));
}

static void
watch_for_next (GstAmphisto *self)
{
  if (self->n_in_flight > 0)
    watch_frames (self,
        nth_flight (self, self->n_in_flight - 1)->arrival
            + held_duration (self, 1));
}

/* Whether to send on the oldest frame without waiting for the next one. */
static gboolean
is_due (GstAmphisto *self, gint64 now)
{
  const GstAmphistoFlight *oldest = nth_flight (self, 0);
  const GstAmphistoFlight *newest = nth_flight (self, self->n_in_flight - 1);

  if (now >= last_time (self, oldest))
    return TRUE;
  return now >= newest->arrival + held_duration (self, 1)
      && (!oldest->has_job || amphisto_cl_frame_is_done (self->cl_frame));
}

/* Called by the watch's thread. */
static void
send_due_frames (gpointer user_data)
{
  GstAmphisto *self = user_data;
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (self);
  GstFlowReturn ret = GST_FLOW_OK;
  gint64 now;

  GST_PAD_STREAM_LOCK (pad);
  now = g_get_monotonic_time ();
  while (self->n_in_flight > 0 && ret == GST_FLOW_OK && is_due (self, now)) {
    ret = send_oldest (self);
    now = g_get_monotonic_time ();
  }
  keep_flow (self, ret);
  watch_frames (self, now + held_duration (self, 1));
  GST_PAD_STREAM_UNLOCK (pad);
}

/* --- submitting frames --- */

/* Submits the frame to the device. If it can't be mapped, earlier frames are
 * still delivered. */
static gboolean
submit_job (GstAmphisto *self, GstAmphistoFlight *flight, GError **error)
{
  if (!gst_amphisto_flight_begin_job (
          flight, &self->plan, &GST_VIDEO_FILTER (self)->in_info, error)) {
    drain (self);
    return FALSE;
  }
  flight->job.phase = self->zebra_phase++;
  amphisto_history_begin_job (&self->history, &flight->job);
  if (!prepare_plan (self, error)
      || (self->frame_settings.verify
          && !gst_amphisto_flight_keep_source (flight, error))
      || !amphisto_cl_frame_submit (self->cl_frame, &flight->job, error))
    return FALSE;
  amphisto_history_end_job (&self->history, &flight->job);
  return TRUE;
}

/* Whether the frame is measured or changed; other frames pass unchanged. */
static gboolean
needs_job (const GstAmphisto *self, const GstAmphistoFlight *flight)
{
  if (is_empty_gap (flight->inbuf))
    return FALSE;
  return self->plan.written != 0
      || (self->plan.reported != 0 && (flight->attaches || flight->posts));
}

/* Warns if the buffer's GstVideoCropMeta can't be followed. */
static void
find_crop (GstAmphisto *self, GstBuffer *buffer, GstAmphistoCrop *crop)
{
  g_autofree gchar *why =
      gst_amphisto_crop_init (crop, buffer, &GST_VIDEO_FILTER (self)->in_info);

  if (why != NULL
      && !gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (self)))
    gst_amphisto_warnings_post_crop (&self->warnings, GST_ELEMENT (self), why);
}

/* Puts a frame in flight. Takes ownership of `inbuf`. */
static GstFlowReturn
submit_frame (GstAmphisto *self, GstBuffer *inbuf)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  const GstAmphistoSettings *settings = &self->frame_settings;
  GstAmphistoFlight *flight = nth_flight (self, self->n_in_flight);
  const gboolean is_frame = !is_empty_gap (inbuf);
  GstAmphistoCrop crop = { 0 };
  g_autoptr (GError) error = NULL;
  GstFlowReturn ret;

  gst_amphisto_messages_add_frame (
      &self->messages, segment, inbuf, self->frame_duration);
  *flight = (GstAmphistoFlight){ .inbuf = inbuf,
    .arrival = g_get_monotonic_time (),
    .attaches = is_frame && settings->attach_meta,
    .posts = is_frame && settings->post_messages
        && gst_amphisto_messages_next (
            &self->messages, segment, settings->interval) };
  ret = gst_amphisto_prepare_output_buffer (
      GST_BASE_TRANSFORM (self), inbuf, &flight->outbuf);
  if (ret != GST_FLOW_OK) {
    gst_amphisto_flight_clear (flight);
    drop_in_flight (self);
    return ret;
  }
  if (is_frame)
    find_crop (self, inbuf, &crop);
  if (flight->attaches && settings->roi_meta)
    gst_amphisto_regions_init (&flight->regions, inbuf, &crop, &self->layout);
  if (needs_job (self, flight) && !submit_job (self, flight, &error)) {
    ret = fail (self, error);
    gst_amphisto_flight_clear (flight);
    return ret;
  }
  self->n_in_flight++;
  return GST_FLOW_OK;
}

/* After a discontinuity, the base class flags the next buffer that it gets from
 * generate_output(). Earlier frames have to be sent on before. */
static GstFlowReturn
gst_amphisto_submit_input_buffer (
    GstBaseTransform *trans, gboolean is_discont, GstBuffer *inbuf)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  GstFlowReturn ret;

  if (self->cl_frame == NULL) { /* the caps were refused */
    gst_buffer_unref (inbuf);
    return GST_FLOW_NOT_NEGOTIATED;
  }
  /* the base class is about to renegotiate the allocation */
  if (gst_pad_needs_reconfigure (GST_BASE_TRANSFORM_SRC_PAD (trans)))
    drain (self);
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)
            ->submit_input_buffer (trans, is_discont, inbuf);

  self->is_discont = is_discont;
  if (ret == GST_BASE_TRANSFORM_FLOW_DROPPED) /* late: a discontinuity */
    drain (self);
  if (self->drained != GST_FLOW_OK) {
    gst_clear_buffer (&trans->queued_buf);
    ret = self->drained;
    self->drained = GST_FLOW_OK;
  }
  return ret;
}

/* The first frame after a discontinuity is sent on at once, since the base
 * class flags the next buffer that it gets. */
static GstFlowReturn
gst_amphisto_generate_output (GstBaseTransform *trans, GstBuffer **outbuf)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  GstBuffer *inbuf = g_steal_pointer (&trans->queued_buf);
  GstFlowReturn ret;

  *outbuf = NULL;
  if (inbuf == NULL)
    return GST_FLOW_OK;
  ret = submit_frame (self, inbuf);
  if (ret != GST_FLOW_OK)
    return ret;
  if (self->n_in_flight > n_held (self) || self->is_discont
      || gst_base_transform_is_passthrough (trans))
    ret = finish_frame (self, outbuf);
  watch_for_next (self);
  return ret;
}

/* --- latency --- */

/* Returns: how long frames are held back: until the ring of frames in flight is
 * full. */
static GstClockTime
calculate_latency (GstAmphisto *self)
{
  if (gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (self)))
    return 0;
  return (self->n_frames - 1) * self->frame_duration;
}

static void
update_latency (GstAmphisto *self)
{
  const GstClockTime latency = calculate_latency (self);
  gboolean is_new;

  GST_OBJECT_LOCK (self);
  is_new = latency != self->latency;
  self->latency = latency;
  GST_OBJECT_UNLOCK (self);
  if (!is_new)
    return;
  GST_DEBUG_OBJECT (self, "latency %" GST_TIME_FORMAT, GST_TIME_ARGS (latency));
  gst_element_post_message (
      GST_ELEMENT (self), gst_message_new_latency (GST_OBJECT (self)));
}

/* Once a query shows that upstream is live, the frames in flight are watched,
 * too. */
static void
add_latency (GstAmphisto *self, GstQuery *query)
{
  GstClockTime min, max, latency;
  gboolean is_live, is_new;

  gst_query_parse_latency (query, &is_live, &min, &max);
  GST_OBJECT_LOCK (self);
  latency = self->latency;
  is_new = is_live && !self->is_live;
  self->is_live = is_live;
  GST_OBJECT_UNLOCK (self);
  if (is_new && latency > 0)
    gst_amphisto_watch_set (&self->watch, 0);
  min += latency;
  if (GST_CLOCK_TIME_IS_VALID (max))
    max += latency;
  gst_query_set_latency (query, is_live, min, max);
}

static gboolean
gst_amphisto_query (
    GstBaseTransform *trans, GstPadDirection direction, GstQuery *query)
{
  GstAmphisto *self = GST_AMPHISTO (trans);

  if (direction == GST_PAD_SINK && GST_QUERY_IS_SERIALIZED (query))
    drain (self);
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->query (trans, direction, query))
    return FALSE;
  if (direction == GST_PAD_SRC && GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    add_latency (self, query);
  return TRUE;
}

/* --- the stream --- */

/* Makes the plan of the frame settings for frames of `layout`, within
 * `region`. */
static void
make_plan (GstAmphisto *self, const AmphistoLayout *layout,
    const AmphistoRegion *region)
{
  const GstAmphistoSettings *settings = &self->frame_settings;
  AmphistoSettings asked = { .channels =
                                 gst_amphisto_settings_channels (settings),
    .equalization = gst_amphisto_settings_equalization (settings),
    .strength = (float) settings->strength,
    .smoothing = (float) settings->smoothing,
    .clahe = settings->clahe,
    .region = *region,
    .measures_regions = settings->attach_meta && settings->roi_meta,
    .overlay = settings->overlay };

  memcpy (asked.reference, settings->reference, sizeof asked.reference);
  amphisto_plan_init (
      &self->plan, layout, &asked, amphisto_cl_frame_division (self->cl_frame));
  amphisto_history_set_plan (&self->history, &self->plan);
  self->is_prepared = FALSE;
}

/* Copies the properties for the next frame, after draining. Clears the history
 * when `verify` changes, as the CPU has not followed frames that were not
 * verified.
 *
 * Returns: whether this enters or leaves passthrough. */
static gboolean
update_frame_settings (GstAmphisto *self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  const GstAmphistoSettings last = self->frame_settings;
  GstAmphistoSettings next;
  gboolean passthrough;

  GST_OBJECT_LOCK (self);
  next = self->settings;
  GST_OBJECT_UNLOCK (self);

  if (memcmp (&last, &next, sizeof last) != 0) {
    drain (self);
    self->frame_settings = next;
    if (last.verify != next.verify)
      amphisto_history_clear (&self->history);
    make_plan (self, &self->layout, &next.roi);
  }
  passthrough = gst_amphisto_settings_is_passthrough (&self->frame_settings);
  if (passthrough == gst_base_transform_is_passthrough (trans))
    return FALSE;
  GST_DEBUG_OBJECT (
      self, "%s passthrough", passthrough ? "entering" : "leaving");
  gst_base_transform_set_passthrough (trans, passthrough);
  return TRUE;
}

/* In mixed streams, each frame may be interlaced or progressive: the fields of
 * an interlaced one have their own rows of chroma. */
static void
update_fields (GstAmphisto *self, GstBuffer *buffer)
{
  const GstVideoFilter *filter = GST_VIDEO_FILTER (self);

  if (!filter->negotiated
      || !amphisto_layout_set_interlaced (&self->layout,
          gst_amphisto_frame_is_interlaced (&filter->in_info, buffer)))
    return;
  /* frames in flight have the plan's layout, which is still the last one */
  drain (self);
  make_plan (self, &self->layout, &self->frame_settings.roi);
}

static void
warn (GstAmphisto *self, GstBuffer *buffer)
{
  GstVideoFilter *filter = GST_VIDEO_FILTER (self);

  if (filter->negotiated)
    gst_amphisto_warnings_post (&self->warnings, GST_ELEMENT (self),
        &self->frame_settings, &self->plan, &filter->in_info, buffer);
}

/* Entering or leaving passthrough changes which pools are proposed, so upstream
 * has to renegotiate its allocation once this frame is done. */
static void
gst_amphisto_before_transform (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstAmphisto *self = GST_AMPHISTO (trans);
  const GstClockTime time = gst_amphisto_stream_time (&trans->segment, buffer);

  if (self->cl_frame == NULL) /* the caps were refused */
    return;
  if (GST_BUFFER_IS_DISCONT (buffer))
    drain (self);
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_object_sync_values (GST_OBJECT (self), time);
  if (update_frame_settings (self)) {
    update_latency (self);
    gst_base_transform_reconfigure_src (trans);
    gst_base_transform_reconfigure_sink (trans);
  }
  update_fields (self, buffer);
  warn (self, buffer);
  gst_amphisto_allocation_warn (&self->allocation, GST_ELEMENT (self));
}

/* Returns: the matrix of the caps' colorimetry. For RGB formats, GstVideoInfo
 * replaces it by GST_VIDEO_COLOR_MATRIX_RGB. */
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

/* Returns: the duration of a frame, or 0 without a framerate. */
static GstClockTime
frame_duration (const GstVideoInfo *info)
{
  if (info->fps_n <= 0 || info->fps_d <= 0)
    return 0;
  return gst_util_uint64_scale (GST_SECOND, info->fps_d, info->fps_n);
}

/* Refuses `fields`, which GStreamer has in caps without a feature. The other
 * mode with separate fields, `alternate`, needs a caps feature that the pad
 * templates lack. */
static gboolean
check_interlacing (GstAmphisto *self, const GstVideoInfo *info)
{
  if (GST_VIDEO_INFO_INTERLACE_MODE (info) != GST_VIDEO_INTERLACE_MODE_FIELDS)
    return TRUE;
  GST_ERROR_OBJECT (self, "interlace-mode=fields is not supported");
  return FALSE;
}

/* Makes a plan with the stages that do not depend on the caps, before these are
 * known. The caps decide how LUTs are applied and whether there is colour. */
static void
make_start_plan (GstAmphisto *self)
{
  const AmphistoRegion whole = { 0 };
  AmphistoLayout layout;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 320, 240);
  gst_amphisto_layout_init (&layout, &info);
  layout.n_planes = 0;
  make_plan (self, &layout, &whole);
}

/* Makes queues on the open device, unless there are some, and gets ready for
 * frames of the caps. Before there are caps, builds the kernels that all
 * formats need, so that the first frame waits less. No frame may be in
 * flight. */
static gboolean
start_on_device (GstAmphisto *self, GError **error)
{
  if (self->cl_frame == NULL)
    self->cl_frame = amphisto_cl_frame_new (
        self->device, self->n_frames, on_build, self, error);
  if (self->cl_frame == NULL)
    return FALSE;
  update_frame_settings (self);
  if (self->layout.n_planes > 0)
    make_plan (self, &self->layout, &self->frame_settings.roi);
  else
    make_start_plan (self);
  if (gst_amphisto_settings_is_passthrough (&self->frame_settings)
      || prepare_plan (self, error))
    return TRUE;
  g_clear_pointer (&self->cl_frame, amphisto_cl_frame_free);
  return FALSE;
}

/* Like start_on_device(), but tries the next devices if one fails and the user
 * chose none. Posts an error if all fail. */
static gboolean
start_on_some_device (GstAmphisto *self)
{
  g_autoptr (GError) error = NULL;

  while (!start_on_device (self, &error)) {
    if (!replace_device (self, error))
      return FALSE;
    g_clear_error (&error);
  }
  gst_amphisto_allocation_start (&self->allocation, self->device);
  return TRUE;
}

/* After a failure, upstream sends the caps again with each buffer. They are
 * refused until the element is restarted. */
static gboolean
gst_amphisto_set_info (GstVideoFilter *filter, GstCaps *incaps,
    GstVideoInfo *in_info, GstCaps *outcaps, GstVideoInfo *out_info)
{
  GstAmphisto *self = GST_AMPHISTO (filter);

  (void) outcaps;
  (void) out_info;
  if (self->cl_frame == NULL)
    return FALSE;
  drain (self);
  if (!check_interlacing (self, in_info))
    return FALSE;
  gst_amphisto_layout_init (&self->layout, in_info);
  if (self->layout.is_rgb)
    gst_amphisto_layout_set_matrix (&self->layout, caps_matrix (incaps));
  if (!start_on_some_device (self))
    return FALSE;
  amphisto_history_clear (&self->history);
  self->warnings = (GstAmphistoWarnings){ 0 };
  self->frame_duration = frame_duration (in_info);
  update_latency (self);
  GST_DEBUG_OBJECT (self, "%" GST_PTR_FORMAT ", luma to [%u, %u]", incaps,
      self->layout.lo, self->layout.hi);
  return TRUE;
}

/* Whether pads and sinks that returned GST_FLOW_EOS take buffers again after
 * the event. */
static gboolean
ends_eos (GstEvent *event)
{
  return GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START
      || GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT;
}

static gboolean
gst_amphisto_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstAmphisto *self = GST_AMPHISTO (trans);

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    drop_in_flight (self);
    self->drained = GST_FLOW_OK;
    gst_amphisto_messages_init (&self->messages);
  } else if (GST_EVENT_IS_SERIALIZED (event)) {
    drain (self);
  }
  if (ends_eos (event) && self->drained == GST_FLOW_EOS)
    self->drained = GST_FLOW_OK;
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

/* READY to PAUSED */
static gboolean
gst_amphisto_start (GstBaseTransform *trans)
{
  GstAmphisto *self = GST_AMPHISTO (trans);

  gst_amphisto_messages_init (&self->messages);
  self->zebra_phase = 0;
  self->drained = GST_FLOW_OK;
  self->layout = (AmphistoLayout){ 0 };
  GST_OBJECT_LOCK (self);
  self->n_frames = self->frames_in_flight;
  self->is_live = FALSE;
  GST_OBJECT_UNLOCK (self);
  amphisto_history_clear (&self->history);
  if (!open_device (self) || !start_on_some_device (self))
    return FALSE;
  self->flights = g_new0 (GstAmphistoFlight, self->n_frames);
  gst_amphisto_watch_start (&self->watch);
  return TRUE;
}

static gboolean
gst_amphisto_stop (GstBaseTransform *trans)
{
  GstAmphisto *self = GST_AMPHISTO (trans);

  gst_amphisto_watch_stop (&self->watch);
  drop_in_flight (self);
  g_clear_pointer (&self->flights, g_free);
  gst_amphisto_allocation_stop (&self->allocation);
  g_clear_pointer (&self->cl_frame, amphisto_cl_frame_free);
  amphisto_reference_state_clear (&self->reference);
  return TRUE;
}

static GstStateChangeReturn
gst_amphisto_change_state (GstElement *element, GstStateChange transition)
{
  GstAmphisto *self = GST_AMPHISTO (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY)
    warn_refused_before (self);
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

  gst_amphisto_progress_clear (&self->progress);
  gst_amphisto_watch_clear (&self->watch);
  g_free (self->device_choice);
  g_free (self->device_name);
  g_slist_free_full (self->refused, (GDestroyNotify) g_error_free);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *class)
{
  device_name_property = g_param_spec_string ("device-name", "Device name",
      "Name of the OpenCL device in use, from READY on", NULL,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_property (class, PROP_DEVICE,
      g_param_spec_string ("device", "Device",
          "OpenCL device: cpu, gpu, accelerator, PLATFORM.DEVICE as numbered "
          "by clinfo -l, or part of a name (null = $AMPHISTO_DEVICE, else the "
          "first GPU, accelerator or CPU)",
          NULL,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
              | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (
      class, PROP_DEVICE_NAME, device_name_property);
  g_object_class_install_property (class, PROP_FRAMES_IN_FLIGHT,
      g_param_spec_uint ("frames-in-flight", "Frames in flight",
          "Frames on the device at once: more than 1 raises throughput on "
          "devices with memory of their own, and adds n - 1 frames of latency",
          1, AMPHISTO_CL_MAX_FRAMES, 1,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
              | GST_PARAM_MUTABLE_READY));
  gst_amphisto_settings_install (class);
}

static void
describe_element (GstElementClass *class)
{
  gst_element_class_set_static_metadata (class, "Video histogram",
      "Filter/Effect/Analyzer/Video",
      "Measures, shows and equalizes the histograms of a video stream with "
      "OpenCL",
      "The amphisto developers");
  gst_element_class_add_static_pad_template (class, &sink_template);
  gst_element_class_add_static_pad_template (class, &src_template);
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
  describe_element (element_class);

  transform_class->start = GST_DEBUG_FUNCPTR (gst_amphisto_start);
  transform_class->stop = GST_DEBUG_FUNCPTR (gst_amphisto_stop);
  transform_class->sink_event = GST_DEBUG_FUNCPTR (gst_amphisto_sink_event);
  transform_class->query = GST_DEBUG_FUNCPTR (gst_amphisto_query);
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
  /* Several frames may be in flight, so submit_input_buffer and generate_output
   * replace transform. With GstVideoFilter's transform_ip, the base class would
   * only work in place. */
  transform_class->transform_ip = NULL;
  transform_class->submit_input_buffer =
      GST_DEBUG_FUNCPTR (gst_amphisto_submit_input_buffer);
  transform_class->generate_output =
      GST_DEBUG_FUNCPTR (gst_amphisto_generate_output);
  filter_class->set_info = GST_DEBUG_FUNCPTR (gst_amphisto_set_info);
}

static void
gst_amphisto_init (GstAmphisto *self)
{
  gst_amphisto_settings_init (&self->settings);
  self->frame_settings = self->settings;
  gst_amphisto_messages_init (&self->messages);
  self->frames_in_flight = 1;
  gst_amphisto_progress_init (&self->progress, GST_ELEMENT (self));
  gst_amphisto_watch_init (&self->watch, send_due_frames, self);
  gst_base_transform_set_gap_aware (GST_BASE_TRANSFORM (self), TRUE);
}
