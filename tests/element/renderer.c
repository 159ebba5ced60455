/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "renderer.h"
#include "names.h"

static GstPadProbeReturn
answer (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  const Renderer *self = user_data;

  (void) pad;
  if (GST_QUERY_TYPE (info->data) == GST_QUERY_ALLOCATION && self->proposes)
    gst_query_add_allocation_meta (
        info->data, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
count_caps (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Renderer *self = user_data;

  (void) pad;
  self->n_caps += GST_EVENT_TYPE (info->data) == GST_EVENT_CAPS;
  return GST_PAD_PROBE_OK;
}

void
renderer_init (
    Renderer *self, GstHarness *h, const gchar *caps, gboolean proposes)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->element, "src");

  *self = (Renderer){ .h = h };
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  harness_probe_queries (h, answer, self);
  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, count_caps, self, NULL);
  renderer_change (self, caps, proposes);
}

void
renderer_clear (Renderer *self)
{
  harness_free (self->h);
}

void
renderer_change (Renderer *self, const gchar *caps, gboolean proposes)
{
  self->proposes = proposes;
  gst_harness_set_sink_caps_str (self->h, caps);
}

gboolean
renderer_has_compositions (const Renderer *self)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (self->h->sinkpad);

  return gst_caps_features_contains (
      gst_caps_get_features (caps, 0), COMPOSITION);
}

void
renderer_new_for (Renderer *self, const Picture *picture,
    const gchar *colorimetry, const gchar *first_property, ...)
{
  GstHarness *h = harness_new (NULL, NULL);
  va_list args;

  va_start (args, first_property);
  g_object_set_valist (G_OBJECT (h->element), first_property, args);
  va_end (args);
  renderer_init (self, h, TAKES, TRUE);
  harness_set_colorimetry (h, picture, colorimetry);
}

Picture *
picture_grey (guint8 luma)
{
  Picture *picture = picture_new ("I420", 320, 240, PICTURE_TIGHT, 128, 128, 1);

  picture_fill (picture, "luma", luma);
  return picture;
}

void
renderer_start (Renderer *self, const gchar *caps, gboolean proposes)
{
  g_autoptr (Picture) picture = picture_grey (90);

  renderer_init (self, harness_new ("scopes", WAVEFORM, NULL), caps, proposes);
  harness_set_caps (self->h, picture);
}

/* Runs a frame. Scopes change the frame or are sent along. */
static void
check_scopes (Renderer *self, gboolean draws, gboolean composes)
{
  g_autoptr (Picture) picture = picture_grey (90);
  g_autoptr (Picture) frame = picture_copy (picture);
  g_autoptr (GstBuffer) out = harness_run (self->h, picture_wrap (frame));

  picture_read (frame, out);
  fail_unless_equals_int (!picture_equal (frame, picture), draws);
  fail_unless_equals_int (buffer_composition (out) != NULL, composes);
}

void
renderer_check_drawn (Renderer *self)
{
  check_scopes (self, TRUE, FALSE);
  fail_unless (!renderer_has_compositions (self));
}

void
renderer_check_composed (Renderer *self)
{
  check_scopes (self, FALSE, TRUE);
  fail_unless (renderer_has_compositions (self));
}

void
renderer_check_none (Renderer *self)
{
  check_scopes (self, FALSE, FALSE);
}

/* --- compositions --- */

GstVideoOverlayComposition *
buffer_composition (GstBuffer *buffer)
{
  GstVideoOverlayCompositionMeta *meta =
      gst_buffer_get_video_overlay_composition_meta (buffer);

  return meta != NULL ? meta->overlay : NULL;
}

GstVideoOverlayRectangle *
buffer_rectangle (GstBuffer *buffer, gint i)
{
  GstVideoOverlayComposition *composition = buffer_composition (buffer);
  guint n;

  fail_unless (composition != NULL, "no composition");
  n = gst_video_overlay_composition_n_rectangles (composition);
  fail_unless (i < (gint) n && i + (gint) n >= 0, "%u rectangles", n);
  return gst_video_overlay_composition_get_rectangle (
      composition, i < 0 ? i + n : (guint) i);
}

GBytes *
buffer_canvas (GstBuffer *buffer)
{
  GstBuffer *pixels = gst_video_overlay_rectangle_get_pixels_unscaled_raw (
      buffer_rectangle (buffer, -1),
      GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
  gpointer bytes;
  gsize size;

  gst_buffer_extract_dup (pixels, 0, -1, &bytes, &size);
  return g_bytes_new_take (bytes, size);
}

void
picture_read_blended (
    Picture *picture, GstBuffer *buffer, const gchar *colorimetry)
{
  g_autoptr (GstCaps) caps = video_caps (
      picture->format->name, picture->width, picture->height, colorimetry);
  g_autoptr (GstBuffer) copy = NULL;
  GstVideoFrame frame;
  GstVideoInfo info;

  fail_unless (buffer_composition (buffer) != NULL, "no composition");
  picture_read (picture, buffer);
  copy = picture_wrap (picture);
  fail_unless (gst_video_info_from_caps (&info, caps));
  fail_unless (gst_video_frame_map (&frame, &info, copy, GST_MAP_READWRITE));
  fail_unless (gst_video_overlay_composition_blend (
      buffer_composition (buffer), &frame));
  gst_video_frame_unmap (&frame);
}

void
assert_near (const Picture *a, const Picture *b, gint tolerance)
{
  for (guint y = 0; y < a->height; y++)
    for (guint i = 0; i < a->row_bytes[0]; i++) {
      const gint difference =
          picture_row (a, 0, y)[i] - picture_row (b, 0, y)[i];

      if (ABS (difference) > tolerance)
        fail ("row %u, byte %u: %d", y, i, difference);
    }
}
