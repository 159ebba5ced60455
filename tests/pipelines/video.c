/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A video of moving people, decoded by libav. The histograms of all frames
 * equal those counted here. With smoothing, the equalized background flickers
 * less.
 */

#include "pipeline.h"

#include <gst/video/video.h>
#include <math.h>
#include <string.h>

#define VIDEO OPENCV_DATA "vtest.avi"
#define WIDTH 768
#define HEIGHT 576
#define LUMA_SIZE (WIDTH * HEIGHT)
#define BLOCK_WIDTH 48
#define BLOCK_HEIGHT 48

#define N_FRAMES 795

static const gchar *const elements[] = { "avidemux", "avdec_msmpeg4", NULL };

/* Runs n frames of the video through amphisto, with probes on its pads. */
static void
run_video (const gchar *properties, guint n, GstPadProbeCallback on_arrival,
    GstPadProbeCallback on_departure, gpointer data)
{
  g_autofree gchar *launch =
      g_strdup_printf ("filesrc location=" VIDEO " ! avidemux ! avdec_msmpeg4 "
                       "! video/x-raw,format=I420 ! identity eos-after=%u "
                       "! amphisto name=amphisto qos=false %s ! fakesink",
          n + 1, properties);
  g_autoptr (GstElement) pipeline = pipeline_new (launch);

  pipeline_add_probe (pipeline, "amphisto", "sink", on_arrival, data);
  pipeline_add_probe (pipeline, "amphisto", "src", on_departure, data);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  pipeline_finish (pipeline);
}

/* Copies a plane of a frame of the pad. */
static void
copy_plane (GstPad *pad, GstBuffer *buffer, guint p, guint8 *samples)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  GstVideoInfo video;
  GstVideoFrame frame;
  gint width;

  g_assert_true (gst_video_info_from_caps (&video, caps));
  g_assert_true (gst_video_frame_map (&frame, &video, buffer, GST_MAP_READ));
  g_assert_cmpint (GST_VIDEO_FRAME_WIDTH (&frame), ==, WIDTH);
  g_assert_cmpint (GST_VIDEO_FRAME_HEIGHT (&frame), ==, HEIGHT);
  width = GST_VIDEO_FRAME_COMP_WIDTH (&frame, p);
  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, p); y++)
    memcpy (samples + y * width,
        (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, p)
            + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, p),
        width);
  gst_video_frame_unmap (&frame);
}

static const GstStructure *
meta_structure (GstPadProbeInfo *info)
{
  GstCustomMeta *meta = gst_buffer_get_custom_meta (
      GST_PAD_PROBE_INFO_BUFFER (info), "AmphistoHistogramMeta");

  g_assert_nonnull (meta);
  return gst_custom_meta_get_structure (meta);
}

/* A channel's bins in the structure of a frame or a region. */
static void
assert_bins (const GstStructure *structure, const gchar *channel,
    const guint32 expected[256])
{
  const GValue *value = gst_structure_get_value (structure, channel);
  const guint32 *bins;
  GBytes *bytes;
  gsize size;

  g_assert_nonnull (value);
  value = gst_structure_get_value (gst_value_get_structure (value), "bins");
  bytes = g_value_get_boxed (value);
  bins = g_bytes_get_data (bytes, &size);
  g_assert_cmpuint (size, ==, 258 * sizeof *bins);
  for (guint v = 0; v < 256; v++)
    g_assert_cmpuint (bins[v], ==, expected[v]);
}

/* --- all frames --- */

typedef struct
{
  guint32 bins[3][256]; /* of the frame that is in amphisto */
  guint n_arrived, n_measured;
} Count;

static GstPadProbeReturn
count_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  g_autofree guint8 *samples = g_malloc (LUMA_SIZE);
  Count *self = user_data;

  memset (self->bins, 0, sizeof self->bins);
  for (guint p = 0; p < 3; p++) {
    copy_plane (pad, GST_PAD_PROBE_INFO_BUFFER (info), p, samples);
    for (guint i = 0; i < (p == 0 ? LUMA_SIZE : LUMA_SIZE / 4); i++)
      self->bins[p][samples[i]]++;
  }
  self->n_arrived++;
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
check_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  static const gchar *const channels[] = { "luma", "u", "v" };
  const GstStructure *structure = meta_structure (info);
  Count *self = user_data;
  gint width, height;

  (void) pad;
  g_assert_cmpstr (gst_structure_get_string (structure, "format"), ==, "I420");
  g_assert_true (gst_structure_get (structure, "width", G_TYPE_INT, &width,
      "height", G_TYPE_INT, &height, NULL));
  g_assert_cmpint (width, ==, WIDTH);
  g_assert_cmpint (height, ==, HEIGHT);
  for (guint c = 0; c < G_N_ELEMENTS (channels); c++)
    assert_bins (structure, channels[c], self->bins[c]);
  self->n_measured++;
  return GST_PAD_PROBE_OK;
}

static void
test_frames (void)
{
  Count count = { 0 };

  if (!pipeline_can_run (VIDEO, elements))
    return;
  run_video (
      "channels=luma+chroma", N_FRAMES, count_frame, check_frame, &count);
  g_assert_cmpuint (count.n_arrived, ==, N_FRAMES);
  g_assert_cmpuint (count.n_measured, ==, N_FRAMES);
}

/* --- flicker --- */

/* This frame and the previous one, before and after amphisto. */
typedef struct
{
  guint8 before[2][LUMA_SIZE];
  guint8 after[2][LUMA_SIZE];
  guint n;
  gdouble flicker;
} Flicker;

static GstPadProbeReturn
keep_before (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Flicker *self = user_data;

  copy_plane (
      pad, GST_PAD_PROBE_INFO_BUFFER (info), 0, self->before[self->n % 2]);
  return GST_PAD_PROBE_OK;
}

/* The change of the mean level of a block's pixels that are the same in both
 * arriving frames. */
static gdouble
block_move (const Flicker *self, guint x, guint y)
{
  const guint now = self->n % 2;
  gint64 sum = 0, n_equal = 0;

  for (guint row = y; row < y + BLOCK_HEIGHT; row++)
    for (guint column = x; column < x + BLOCK_WIDTH; column++) {
      const guint i = row * WIDTH + column;

      if (self->before[0][i] != self->before[1][i])
        continue;
      sum += self->after[now][i] - self->after[!now][i];
      n_equal++;
    }
  return n_equal > 0 ? fabs ((gdouble) sum / n_equal) : 0;
}

/* The mean over all blocks. */
static gdouble
level_move (const Flicker *self)
{
  gdouble sum = 0;

  for (guint y = 0; y < HEIGHT; y += BLOCK_HEIGHT)
    for (guint x = 0; x < WIDTH; x += BLOCK_WIDTH)
      sum += block_move (self, x, y);
  return sum * BLOCK_WIDTH * BLOCK_HEIGHT / LUMA_SIZE;
}

static GstPadProbeReturn
measure_flicker (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Flicker *self = user_data;

  copy_plane (
      pad, GST_PAD_PROBE_INFO_BUFFER (info), 0, self->after[self->n % 2]);
  if (self->n > 0)
    self->flicker += level_move (self);
  self->n++;
  return GST_PAD_PROBE_OK;
}

/* The mean over all frames. */
static gdouble
video_flicker (const gchar *equalization, gdouble smoothing)
{
  g_autofree Flicker *flicker = g_new0 (Flicker, 1);
  g_autofree gchar *properties =
      g_strdup_printf ("%s smoothing=%g", equalization, smoothing);

  run_video (properties, 200, keep_before, measure_flicker, flicker);
  g_assert_cmpuint (flicker->n, ==, 200);
  return flicker->flicker / 199;
}

static void
test_flicker (gconstpointer equalization)
{
  gdouble without, with;

  if (!pipeline_can_run (VIDEO, elements))
    return;
  without = video_flicker (equalization, 0.0);
  with = video_flicker (equalization, 0.9);
  g_test_message ("%s: the level of the background changes by %.4f a frame, "
                  "with smoothing by %.4f",
      (const gchar *) equalization, without, with);
  g_assert_cmpfloat (without, >, 0);
  g_assert_cmpfloat (with, <, without * 0.75);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/video/frames", test_frames);
  g_test_add_data_func (
      "/video/flicker/global", "equalization=global", test_flicker);
  g_test_add_data_func (
      "/video/flicker/clahe", "equalization=clahe clip-limit=4", test_flicker);
  return g_test_run ();
}
