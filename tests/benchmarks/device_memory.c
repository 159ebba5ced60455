/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "device_memory.h"

/* GST_MAP_GL and GST_MAP_CUDA, whose headers are not always installed: access
 * by the device. */
#define MAP_DEVICE (GST_MAP_FLAG_LAST << 1)

typedef struct
{
  Contender parent;
  GstHarness *harness; /* only for push_frames() */
  Contender *system;   /* only for download_frames() */
  GstBuffer *frame;    /* in the device's memory */
  GstVideoInfo info;
} DeviceContender;

/* Uploads a copy of the picture. Returns: (transfer full): the frame and its
 * `caps`, or NULL if the element or its device is missing. */
static GstBuffer *
upload (const gchar *element, const gchar *feature, const GstVideoInfo *info,
    GstBuffer *picture, GstCaps **caps)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (element);
  g_autofree gchar *description = g_strdup_printf (
      "%s ! capsfilter caps=\"video/x-raw(%s)\"", element, feature);
  GstBuffer *frame = NULL;
  GstHarness *h;

  if (factory == NULL)
    return NULL;
  h = gst_harness_new_parse (description);
  gst_harness_set_src_caps (h, gst_video_info_to_caps (info));
  if (gst_harness_push (h, gst_buffer_copy_deep (picture)) == GST_FLOW_OK) {
    frame = gst_harness_try_pull (h);
    *caps = gst_pad_get_current_caps (h->sinkpad);
  }
  gst_harness_teardown (h);
  return frame;
}

/* Makes the next map download the frame, as after a write by the device. */
static void
renew (GstBuffer *frame)
{
  for (guint i = 0; i < gst_buffer_n_memory (frame); i++) {
    GstMemory *memory = gst_buffer_peek_memory (frame, i);
    GstMapInfo map;

    if (!gst_memory_map (memory, &map, GST_MAP_WRITE | MAP_DEVICE))
      bench_fail ("%s can't be mapped.", memory->allocator->mem_type);
    gst_memory_unmap (memory, &map);
  }
}

static gdouble
push_frames (Contender *contender, guint n_frames)
{
  DeviceContender *self = (DeviceContender *) contender;
  gdouble seconds = 0;

  for (guint i = 0; i < n_frames; i++) {
    GstFlowReturn flow;
    gint64 start;

    renew (self->frame);
    start = g_get_monotonic_time ();
    flow = gst_harness_push (self->harness, gst_buffer_copy (self->frame));
    seconds += bench_seconds_since (start);
    if (flow != GST_FLOW_OK)
      bench_fail ("A frame can't be pushed: %s", gst_flow_get_name (flow));
  }
  return seconds;
}

static gdouble
download_frames (Contender *contender, guint n_frames)
{
  DeviceContender *self = (DeviceContender *) contender;
  gdouble seconds = 0;

  for (guint i = 0; i < n_frames; i++) {
    GstVideoFrame map;
    gint64 start;

    renew (self->frame);
    start = g_get_monotonic_time ();
    if (!gst_video_frame_map (&map, &self->info, self->frame, GST_MAP_READ))
      bench_fail ("The frame can't be downloaded.");
    gst_video_frame_unmap (&map);
    seconds +=
        bench_seconds_since (start) + self->system->run (self->system, 1);
  }
  return seconds;
}

static void
device_free (Contender *contender)
{
  DeviceContender *self = (DeviceContender *) contender;

  g_clear_pointer (&self->harness, gst_harness_teardown);
  contender_free (self->system);
  gst_buffer_unref (self->frame);
  g_free (self);
}

static DeviceContender *
device_contender_new (GstBuffer *frame, const GstVideoInfo *info)
{
  DeviceContender *self = g_new0 (DeviceContender, 1);

  self->parent.free = device_free;
  self->frame = frame;
  self->info = *info;
  return self;
}

/* frame: (transfer full) (nullable): from upload(), with its caps */
static Contender *
contender_new_pushing (const gchar *description, const GstVideoInfo *info,
    GstBuffer *frame, GstCaps *caps)
{
  DeviceContender *self;

  if (frame == NULL)
    return NULL;
  self = device_contender_new (frame, info);
  self->parent.run = push_frames;
  self->harness = harness_new (description);
  if (self->harness == NULL) {
    device_free (&self->parent);
    return NULL;
  }
  gst_harness_set_src_caps (self->harness, gst_caps_ref (caps));
  gst_harness_set_drop_buffers (self->harness, TRUE);
  return &self->parent;
}

static GstBuffer *
upload_gl (const GstVideoInfo *info, GstBuffer *picture, GstCaps **caps)
{
  return upload ("glupload", "memory:GLMemory", info, picture, caps);
}

Contender *
contender_new_gl (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture)
{
  g_autoptr (GstCaps) caps = NULL;
  GstBuffer *frame = upload_gl (info, picture, &caps);

  return contender_new_pushing (description, info, frame, caps);
}

Contender *
contender_new_gl_apart (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture)
{
  g_autoptr (GstCaps) caps = NULL;
  GstBuffer *frame = upload_gl (info, picture, &caps);
  DeviceContender *self;

  if (frame == NULL)
    return NULL;
  self = device_contender_new (frame, info);
  self->parent.run = download_frames;
  self->system = contender_new_element (description, info, picture);
  return &self->parent;
}

Contender *
contender_new_cuda (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture)
{
  g_autoptr (GstCaps) caps = NULL;
  GstBuffer *frame =
      upload ("cudaupload", "memory:CUDAMemory", info, picture, &caps);

  return contender_new_pushing (description, info, frame, caps);
}
