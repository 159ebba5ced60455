/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "numbered.h"

#define N_CODE 34 /* pixels */

void
numbered_fill (Picture *picture, guint number)
{
  guint8 *data = picture->data;
  guint32 random = number * 2654435761u + 1;

  for (guint i = 0; i < 32; i++)
    data[i] = number >> i & 1 ? 255 : 0;
  data[32] = 0;
  data[33] = 255;
  for (guint i = N_CODE; i < NUMBERED_WIDTH * picture->height; i++) {
    random = random * 1664525 + 1013904223;
    data[i] = 20 + (random >> 24) % 128;
  }
}

Picture *
numbered_new (guint height)
{
  return picture_new (
      "GRAY8", NUMBERED_WIDTH, height, PICTURE_TIGHT, 0, 255, 1);
}

void
assert_number (GstBuffer *buffer, const Picture *picture)
{
  g_autoptr (Picture) got = picture_copy (picture);

  picture_read (got, buffer);
  for (guint i = 0; i < N_CODE; i++)
    fail_unless (got->data[i] == picture->data[i], "pixel %u", i);
}

GstBuffer *
numbered_buffer (Picture *picture, guint number)
{
  GstBuffer *buffer;

  numbered_fill (picture, number);
  buffer =
      gst_buffer_new_memdup (picture->data, NUMBERED_WIDTH * picture->height);
  GST_BUFFER_PTS (buffer) = number * 40 * GST_MSECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  return buffer;
}

void
harness_await (GstHarness *h, guint n)
{
  const gint64 end = g_get_monotonic_time () + G_TIME_SPAN_MINUTE;

  while (gst_harness_buffers_received (h) < n && g_get_monotonic_time () < end)
    g_usleep (1000);
  fail_unless_equals_int (gst_harness_buffers_received (h), n);
}

void
harness_drop (GstHarness *h)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (h)) != NULL)
    gst_buffer_unref (buffer);
}
