/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "caps.h"

#include "checks.h"

/* range and matrix; the last two are for RGB only */
static const gchar *const colorimetries[] = { NULL, NULL, NULL, "bt601",
  "bt709", "bt2020", "1:4:7:1", "1:3:5:1", "2:4:7:1", "sRGB", "2:1:5:1" };

static const gchar *const interlacings[] = { NULL, "progressive", "interleaved",
  "mixed" };

static guint
random_length (GRand *random)
{
  switch (g_rand_int_range (random, 0, 4)) {
    case 0:
      return g_rand_int_range (random, 1, 9);
    case 1:
      return 64;
    default:
      return g_rand_int_range (random, 1, 65);
  }
}

static void
random_size (GRand *random, guint *width, guint *height)
{
  const gint kind = g_rand_int_range (random, 0, 1000);

  *width = random_length (random);
  *height = random_length (random);
  if (kind == 0) {
    *width = g_rand_int_range (random, 1, 1000);
    *height = g_rand_int_range (random, 1, 1000);
  } else if (kind < 50) {
    *width *= g_rand_int_range (random, 1, 5);
    *height *= g_rand_int_range (random, 1, 5);
  } else if (kind < 100) {
    *width = 1;
  } else if (kind < 150) {
    *height = 1;
  }
}

GstCaps *
fuzz_caps_random (GRand *random, gboolean is_large)
{
  const gchar *format = FUZZ_PICK (random, picture_formats).name;
  const gboolean is_rgb =
      gst_video_format_get_info (gst_video_format_from_string (format))->flags
      & GST_VIDEO_FORMAT_FLAG_RGB;
  const gchar *colorimetry = colorimetries[g_rand_int_range (
      random, 0, G_N_ELEMENTS (colorimetries) - (is_rgb ? 0 : 2))];
  /* half of all streams are progressive */
  const gchar *interlacing = FUZZ_PICK (random, interlacings);
  static const gint rates[] = { FUZZ_RATE, FUZZ_RATE, 2 * FUZZ_RATE, 0 };
  const gint rate = FUZZ_PICK (random, rates);
  GstCaps *caps;
  guint width, height;

  random_size (random, &width, &height);
  if (is_large) {
    width *= 4;
    height *= 3;
  }
  caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, format,
      "width", G_TYPE_INT, width, "height", G_TYPE_INT, height, "framerate",
      GST_TYPE_FRACTION, rate, 1, NULL);
  if (colorimetry != NULL)
    gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING, colorimetry, NULL);
  if (interlacing != NULL)
    gst_caps_set_simple (
        caps, "interlace-mode", G_TYPE_STRING, interlacing, NULL);
  return caps;
}

void
fuzz_caps_weights (const GstCaps *caps, guint weights[3])
{
  const gchar *colorimetry = gst_structure_get_string (
      gst_caps_get_structure (caps, 0), "colorimetry");
  GstVideoColorimetry parsed = { 0 };
  gdouble kr, kb;

  if (colorimetry != NULL)
    gst_video_colorimetry_from_string (&parsed, colorimetry);
  if (!gst_video_color_matrix_get_Kr_Kb (parsed.matrix, &kr, &kb))
    gst_video_color_matrix_get_Kr_Kb (GST_VIDEO_COLOR_MATRIX_BT709, &kr, &kb);
  weights[0] = (guint) (65536 * kr + 0.5);
  weights[2] = (guint) (65536 * kb + 0.5);
  weights[1] = 65536 - weights[0] - weights[2];
}
