/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/memory/layout.h"

/* Pixels are at most this many times as wide or as high as square ones. */
#define MOST_PIXEL_ASPECT 16

static void
add_component (AmphistoLayout *layout, const GstVideoInfo *info, guint c)
{
  const GstVideoFormatInfo *format = info->finfo;
  const AmphistoChannel first =
      layout->is_rgb ? AMPHISTO_CHANNEL_RED : AMPHISTO_CHANNEL_LUMA;
  const AmphistoChannel channel =
      c == GST_VIDEO_COMP_A ? AMPHISTO_CHANNEL_ALPHA : first + c;
  const AmphistoComponent component = { .plane = GST_VIDEO_FORMAT_INFO_PLANE (
                                            format, c),
    .offset = GST_VIDEO_FORMAT_INFO_POFFSET (format, c),
    .pixel_stride = GST_VIDEO_FORMAT_INFO_PSTRIDE (format, c),
    .width = GST_VIDEO_FORMAT_INFO_SCALE_WIDTH (format, c, info->width),
    .height = GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (format, c, info->height),
    .x_shift = GST_VIDEO_FORMAT_INFO_W_SUB (format, c),
    .y_shift = GST_VIDEO_FORMAT_INFO_H_SUB (format, c) };
  AmphistoPlaneLayout *plane = &layout->plane[component.plane];

  layout->channels |= AMPHISTO_CHANNEL_BIT (channel);
  layout->component[channel] = component;
  plane->row_bytes =
      MAX (plane->row_bytes, component.width * component.pixel_stride);
  plane->rows = component.height;
}

/* Adds a channel that is computed for each pixel, and is in no plane. */
static void
add_computed (
    AmphistoLayout *layout, const GstVideoInfo *info, AmphistoChannel channel)
{
  layout->channels |= AMPHISTO_CHANNEL_BIT (channel);
  layout->component[channel] =
      (AmphistoComponent){ .width = info->width, .height = info->height };
}

/* Adds saturation to the channels of colour formats. */
static void
add_saturation (AmphistoLayout *layout, const GstVideoInfo *info)
{
  if (layout->is_rgb) {
    add_computed (layout, info, AMPHISTO_CHANNEL_SATURATION);
  } else if (GST_VIDEO_INFO_IS_YUV (info)) {
    layout->channels |= AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_SATURATION);
    layout->component[AMPHISTO_CHANNEL_SATURATION] =
        layout->component[AMPHISTO_CHANNEL_U];
  }
}

/* Sets BT.709's matrix if `matrix` is RGB or unknown. */
static void
set_matrix (AmphistoLayout *layout, GstVideoColorMatrix matrix)
{
  gdouble kr, kb;

  if (!gst_video_color_matrix_get_Kr_Kb (matrix, &kr, &kb)
      && !gst_video_color_matrix_get_Kr_Kb (
          GST_VIDEO_COLOR_MATRIX_BT709, &kr, &kb))
    g_assert_not_reached ();
  amphisto_layout_set_matrix (layout, kr, kb);
}

/* See AmphistoLayout. */
static uint32_t
pixel_aspect (const GstVideoInfo *info)
{
  const guint64 aspect = (guint64) AMPHISTO_SQUARE_PIXEL
      * GST_VIDEO_INFO_PAR_N (info) / GST_VIDEO_INFO_PAR_D (info);

  return CLAMP (aspect, AMPHISTO_SQUARE_PIXEL / MOST_PIXEL_ASPECT,
      AMPHISTO_SQUARE_PIXEL * MOST_PIXEL_ASPECT);
}

/* The colorimetry of the caps, if they have one, or of `info`, which lacks the
 * matrix of RGB, and the range of grey with the matrix of RGB. */
static GstVideoColorimetry
find_colorimetry (const GstVideoInfo *info, const GstCaps *caps)
{
  const gchar *colorimetry = caps == NULL
      ? NULL
      : gst_structure_get_string (
          gst_caps_get_structure (caps, 0), "colorimetry");
  GstVideoColorimetry parsed;

  if (colorimetry == NULL
      || !gst_video_colorimetry_from_string (&parsed, colorimetry))
    return info->colorimetry;
  return parsed;
}

void
gst_amphisto_layout_init (
    AmphistoLayout *layout, const GstVideoInfo *info, const GstCaps *caps)
{
  const GstVideoColorimetry stated = find_colorimetry (info, caps);
  const GstVideoColorRange range =
      GST_VIDEO_INFO_IS_YUV (info) ? info->colorimetry.range : stated.range;
  const gboolean is_limited = range == GST_VIDEO_COLOR_RANGE_16_235;

  *layout = (AmphistoLayout){
    .n_planes = GST_VIDEO_INFO_N_PLANES (info),
    .is_rgb = GST_VIDEO_INFO_IS_RGB (info),
    .has_fields = GST_VIDEO_INFO_IS_INTERLACED (info),
    .pixel_aspect = pixel_aspect (info),
    .lo = is_limited ? 16 : 0,
    .hi = is_limited ? 235 : 255,
  };
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (info); c++)
    add_component (layout, info, c);
  set_matrix (
      layout, layout->is_rgb ? stated.matrix : info->colorimetry.matrix);
  if (layout->is_rgb)
    add_computed (layout, info, AMPHISTO_CHANNEL_LUMA);
  else if (GST_VIDEO_INFO_IS_YUV (info))
    for (guint c = 0; c < 3; c++)
      add_computed (layout, info, AMPHISTO_CHANNEL_RED + c);
  add_saturation (layout, info);
  amphisto_layout_set_interlaced (layout,
      GST_VIDEO_INFO_INTERLACE_MODE (info)
          == GST_VIDEO_INTERLACE_MODE_INTERLEAVED,
      TRUE);
}
