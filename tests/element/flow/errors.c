/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Users' errors: a device that does not exist, frames that contradict their
 * caps. The element works again afterwards.
 */

#include "harnesses.h"

/* A choice of no device, as the property, or in the environment; and the state
 * in which it is set, and in which it is corrected. */
static const struct
{
  const gchar *choice;
  gboolean is_variable;
  GstState set, corrected;
} missing[] = {
  { "nonsense", FALSE, GST_STATE_NULL, GST_STATE_NULL },
  { "77.0", FALSE, GST_STATE_NULL, GST_STATE_NULL },
  { "0.77", FALSE, GST_STATE_NULL, GST_STATE_NULL },
  { "nonsense", FALSE, GST_STATE_READY, GST_STATE_NULL },
  { "nonsense", FALSE, GST_STATE_READY, GST_STATE_READY },
  { "nonsense", TRUE, GST_STATE_NULL, GST_STATE_NULL },
};

/* The next change of state fails. The error names the choice and lists the
 * existing devices. The same element works with one of them afterwards. */
TEST (test_no_such_device)
{
  const gchar *choice = missing[__i__].choice;
  g_autofree gchar *before = g_strdup (g_getenv ("AMPHISTO_DEVICE"));
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  g_autofree gchar *name = NULL;
  g_autoptr (GError) error = NULL;

  element_set_state (element, GST_STATE_READY);
  name = element_device_name (element);
  element_set_state (element, missing[__i__].set);
  if (missing[__i__].is_variable)
    fail_unless (g_setenv ("AMPHISTO_DEVICE", choice, TRUE));
  else
    g_object_set (element, "device", choice, NULL);
  fail_unless_equals_int (
      gst_element_set_state (element, missing[__i__].set + 1),
      GST_STATE_CHANGE_FAILURE);
  error = bus_pop_error (element, NULL);
  for (guint i = 0; i < 3; i++)
    assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        i == 0       ? choice
            : i == 1 ? name
                     : "0.0");
  if (missing[__i__].corrected == GST_STATE_NULL)
    element_set_state (element, GST_STATE_NULL);
  g_object_set (element, "device", name, NULL);
  assert_not_warned (element);
  element_set_state (element, GST_STATE_PLAYING);
  if (before != NULL)
    g_setenv ("AMPHISTO_DEVICE", before, TRUE);
  else
    g_unsetenv ("AMPHISTO_DEVICE");
}

/* At EOS there is no second error, for a condition that no frame has met. */
static void
assert_one_error (GstHarness *h)
{
  GstMessage *message;

  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  message = bus_pop (h->element, GST_MESSAGE_ERROR);
  fail_unless (message == NULL, "%" GST_PTR_FORMAT, (gpointer) message);
}

/* The buffer is refused with RESOURCE/READ, for a reason that contains `part`.
 * A good buffer passes after a restart from NULL. */
static void
check_refused (
    GstBuffer *buffer, Picture *good, gint equalization, const gchar *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Harness) h = harness_new_for (
      good, "equalization", equalization, "expect", "luma.max >= 0", NULL);

  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
  error = bus_pop_error (h->element, NULL);
  assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
      "The frame can't be read: ");
  fail_unless (strstr (error->message, part) != NULL, "%s", error->message);
  assert_one_error (h);

  element_set_state (h->element, GST_STATE_NULL);
  harness_restart (h, good);
  harness_pass (h, picture_wrap (good));
}

/* Less memory than promised by the caps (0, 2) or by the GstVideoMeta (1, 3),
 * measured and equalized. */
TEST (test_too_small)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  GstBuffer *buffer = __i__ & 1 ? picture_wrap (picture)
                                : gst_buffer_new_memdup (picture->data, 192);

  gst_buffer_set_size (buffer, (gssize) picture->size - 1);
  check_refused (buffer, picture, __i__ >> 1, "bytes");
}

/* Applications store rows without the padding of GStreamer's own layout. The
 * error gives the sizes that differ, and the remedy. */
TEST (test_unpadded)
{
  g_autoptr (Picture) picture =
      picture_new ("GRAY8", 659, 494, PICTURE_TIGHT, 0, 255, 1);

  check_refused (gst_buffer_new_memdup (picture->data, 659 * 494), picture,
      __i__,
      "it has 325546 bytes, and GRAY8 of 659x494 needs 326040, in rows of 660 "
      "bytes; pad the rows, or describe them by a GstVideoMeta");
}

TEST (test_empty)
{
  g_autoptr (Picture) picture = picture_small ("I420");

  check_refused (gst_buffer_new (), picture, __i__, "0 bytes");
}

/* A GstVideoMeta that contradicts the caps. */
static struct
{
  GstVideoFormat format;
  guint width, height, n_planes;
  gsize offset[4];
  gint stride[4];
  const gchar *part; /* of the message: the mismatch */
} metas[] = {
  { GST_VIDEO_FORMAT_YV12, 16, 8, 3, { 0, 128, 160 }, { 16, 8, 8 },
      "its GstVideoMeta has the format YV12, its caps I420" },
  { GST_VIDEO_FORMAT_GRAY8, 16, 8, 1, { 0 }, { 16 },
      "its GstVideoMeta has the format GRAY8, its caps I420" },
  { GST_VIDEO_FORMAT_I420, 16, 8, 2, { 0, 128 }, { 16, 8 },
      "its GstVideoMeta has 2 planes, its caps 3" },
  { GST_VIDEO_FORMAT_I420, 15, 8, 3, { 0, 128, 160 }, { 16, 8, 8 },
      "its GstVideoMeta has a width of 15, its caps 16" },
  { GST_VIDEO_FORMAT_I420, 16, 7, 3, { 0, 128, 160 }, { 16, 8, 8 },
      "its GstVideoMeta has a height of 7, its caps 8" },
  { GST_VIDEO_FORMAT_I420, 16, 8, 3, { 0, 128, 161 }, { 16, 8, 8 },
      "plane 2 with 4 rows of 8 bytes" },
  { GST_VIDEO_FORMAT_I420, 16, 8, 3, { 0, 128, 160 }, { 100, 8, 8 },
      "plane 0 with 8 rows of 100 bytes" },
  { GST_VIDEO_FORMAT_I420, 16, 8, 3, { 0, 128, 160 }, { 15, 8, 8 },
      "the rows of plane 0 are 15 bytes apart" },
  { GST_VIDEO_FORMAT_I420, 16, 8, 3, { 0, 128, 160 }, { -16, 8, 8 },
      "the rows of plane 0 are -16 bytes apart" },
  { GST_VIDEO_FORMAT_I420, 16, 8, 3, { 0, 128, 192 }, { 16, 8, 8 }, "bytes" },
  { GST_VIDEO_FORMAT_I420, 16, 8, 3, { 0, 128, 100000 }, { 16, 8, 8 },
      "bytes" },
};

TEST (test_wrong_meta)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  GstBuffer *buffer = gst_buffer_new_memdup (picture->data, picture->size);

  fail_unless_equals_int (picture->size, 192);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      metas[__i__].format, metas[__i__].width, metas[__i__].height,
      metas[__i__].n_planes, metas[__i__].offset, metas[__i__].stride);
  check_refused (buffer, picture, __i__ & 1, metas[__i__].part);
}

#define DRM_CAPS                                                               \
  "video/x-raw(memory:DMABuf), format=DMA_DRM, width=8, height=8, "            \
  "framerate=25/1"

static const gchar *const wrong_caps[] = {
  "video/x-raw, format=GRAY16_LE, width=8, height=8, framerate=25/1",
  "video/x-raw, format=I420_10LE, width=8, height=8, framerate=25/1",
  "video/x-raw, format=RGB16, width=8, height=8, framerate=25/1",
  "video/x-raw, format=NV12_64Z32, width=8, height=8, framerate=25/1",
  /* fields that are stored separately */
  "video/x-raw, format=I420, width=8, height=8, framerate=25/1, "
  "interlace-mode=fields",
  "video/x-raw(format:Interlaced), format=I420, width=8, height=8, "
  "framerate=25/1, interlace-mode=alternate",
  "video/x-raw(memory:GLMemory), format=RGB16, width=8, height=8, "
  "framerate=25/1",
  DRM_CAPS ", drm-format=NV12:0x0100000000000002", /* tiled */
  DRM_CAPS ", drm-format=P010",
  DRM_CAPS,
  "audio/x-raw, format=S16LE, rate=8000, channels=1, layout=interleaved",
};

/* Caps that the element does not support fail negotiation. The element itself
 * posts no error. */
TEST (test_caps)
{
  g_autoptr (Harness) h = harness_new (NULL, NULL);

  gst_harness_set_src_caps (h, gst_caps_from_string (wrong_caps[__i__]));
  fail_unless_equals_int (
      gst_harness_push (h, gst_buffer_new_allocate (NULL, 4096, NULL)),
      GST_FLOW_NOT_NEGOTIATED);
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
}

const ElementTest element_tests[] = { EACH (test_no_such_device, missing),
  TIMES (test_too_small, 4), TIMES (test_unpadded, 2), TIMES (test_empty, 2),
  EACH (test_wrong_meta, metas), EACH (test_caps, wrong_caps), { 0 } };
