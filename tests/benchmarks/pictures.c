/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "pictures.h"
#include "bench.h"
#include "contenders.h"
#include "frames.h"
#include "element/memory/layout.h"
#include "element/memory/mapping.h"

#define PHOTOGRAPH "/usr/share/doc/opencv-doc/examples/data/aloeL.jpg"
#define SEED 1

const gchar *
picture_name (PictureKind kind)
{
  static const gchar *const names[N_PICTURES] = { "photograph", "noise", "flat",
    "ramp" };

  return names[kind];
}

gboolean
picture_is_there (PictureKind kind)
{
  g_autoptr (GstElementFactory) decoder = gst_element_factory_find ("jpegdec");

  return kind != PICTURE_PHOTOGRAPH
      || (decoder != NULL && g_file_test (PHOTOGRAPH, G_FILE_TEST_EXISTS));
}

PictureKind
picture_ordinary (void)
{
  if (picture_is_there (PICTURE_PHOTOGRAPH))
    return PICTURE_PHOTOGRAPH;
  g_print ("photograph missing (" PICTURE_PACKAGES "), using noise\n");
  return PICTURE_NOISE;
}

static GstBuffer *
photograph_new (const GstVideoInfo *info)
{
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);
  g_autofree gchar *caps_text = gst_caps_to_string (caps);
  g_autofree gchar *description =
      g_strdup_printf ("filesrc location=" PHOTOGRAPH " ! jpegdec ! "
                       "videoconvert ! videoscale add-borders=false ! "
                       "capsfilter caps=\"%s\"",
          caps_text);
  GstHarness *h = harness_new (description);
  GstBuffer *frame, *buffer;

  if (h == NULL)
    bench_fail ("The photograph can't be decoded.");
  gst_harness_play (h);
  frame = gst_harness_pull (h);
  if (frame == NULL)
    bench_fail ("The photograph was not decoded.");
  buffer = gst_buffer_new ();
  /* system memory that outlives the pipeline */
  gst_buffer_copy_into (
      buffer, frame, GST_BUFFER_COPY_MEMORY | GST_BUFFER_COPY_DEEP, 0, -1);
  gst_buffer_unref (frame);
  gst_harness_teardown (h);
  return buffer;
}

static GstBuffer *
pattern_new (FramePattern pattern, const GstVideoInfo *info)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  g_autoptr (GError) error = NULL;
  TestFrame frame = { 0 };
  GstAmphistoMap map = { .writes = GST_AMPHISTO_ALL_PLANES };

  gst_amphisto_layout_init (&frame.layout, info, NULL);
  if (!gst_amphisto_frame_map (
          &map, &frame.frame, &frame.layout, info, buffer, &error))
    bench_fail ("%s", error->message);
  test_frame_fill (&frame, pattern, SEED);
  gst_amphisto_map_clear (&map);
  return buffer;
}

GstBuffer *
picture_new (PictureKind kind, GstVideoFormat format, PictureSize size,
    GstVideoInfo *info)
{
  static const FramePattern patterns[N_PICTURES] = {
    [PICTURE_NOISE] = FRAME_RANDOM,
    [PICTURE_FLAT] = FRAME_FLAT,
    [PICTURE_RAMP] = FRAME_RAMP,
  };
  GstBuffer *buffer;

  gst_video_info_init (info);
  if (!gst_video_info_set_format (info, format, size.width, size.height))
    g_assert_not_reached ();
  buffer = kind == PICTURE_PHOTOGRAPH ? photograph_new (info)
                                      : pattern_new (patterns[kind], info);
  if (gst_buffer_get_size (buffer) != info->size)
    bench_fail (
        "The %s does not have the default layout.", picture_name (kind));
  GST_BUFFER_PTS (buffer) = 0;
  return buffer;
}
