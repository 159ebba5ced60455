/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "frames.h"
#include "element/memory/layout.h"
#include "core/pixels/channels.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes before the first plane and after each plane. An OpenCL buffer of whole
 * words around a plane may be 3 bytes larger, and still stays within the
 * memory. */
#define GAP 13

const GstVideoFormat frame_formats[N_FRAME_FORMATS] = { GST_VIDEO_FORMAT_GRAY8,
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_YV12, GST_VIDEO_FORMAT_Y41B,
  GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_Y444, GST_VIDEO_FORMAT_YUV9,
  GST_VIDEO_FORMAT_YVU9, GST_VIDEO_FORMAT_A420, GST_VIDEO_FORMAT_NV12,
  GST_VIDEO_FORMAT_NV21, GST_VIDEO_FORMAT_NV16, GST_VIDEO_FORMAT_NV61,
  GST_VIDEO_FORMAT_NV24, GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_YVYU,
  GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_VYUY, GST_VIDEO_FORMAT_AYUV,
  GST_VIDEO_FORMAT_VUYA, GST_VIDEO_FORMAT_IYU2, GST_VIDEO_FORMAT_v308,
  GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGR, GST_VIDEO_FORMAT_RGBx,
  GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_xBGR,
  GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_BGRA, GST_VIDEO_FORMAT_ARGB,
  GST_VIDEO_FORMAT_ABGR, GST_VIDEO_FORMAT_GBR, GST_VIDEO_FORMAT_GBRA,
  GST_VIDEO_FORMAT_RGBP, GST_VIDEO_FORMAT_BGRP };

const char *
test_frame_pattern_name (FramePattern pattern)
{
  static const char *const names[N_FRAME_PATTERNS] = { "random", "flat",
    "two-valued", "zeros", "ones", "checker", "ramp", "dim" };

  return names[pattern];
}

guint8
test_frame_flat_value (AmphistoChannel channel)
{
  return 77 + 13 * channel;
}

FramePlacement
test_random_placement (guint32 *state)
{
  static const guint alignments[] = { 1, 4, 16, 4096 };
  const guint32 r = test_random (state);
  FramePlacement placement = { .alignment = alignments[r & 3],
    .padding = (r >> 2 & 3) == 0 ? 0 : (r >> 4) % 70,
    .is_at_end = r >> 31 };

  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    placement.misalignment[p] =
        (r >> 12 & 3) == 0 ? 0 : test_random (state) >> 8 & 3;
  return placement;
}

static void
layout_init (AmphistoLayout *layout, GstVideoFormat format, guint width,
    guint height, GstVideoColorRange range)
{
  GstVideoInfo info;

  gst_video_info_init (&info);
  g_assert_true (gst_video_info_set_format (&info, format, width, height));
  info.colorimetry.range = range;
  gst_amphisto_layout_init (layout, &info, NULL);
}

/* The byte after the memory is in a page that can't be accessed. size: a
 * multiple of a page's. */
static guint8 *
memory_new (gsize size)
{
  const gsize guard = sysconf (_SC_PAGESIZE);
  guint8 *memory = mmap (NULL, size + guard, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  g_assert_true (memory != MAP_FAILED);
  g_assert_no_errno (mprotect (memory + size, guard, PROT_NONE));
  return memory;
}

/* Allocates the memory and places the planes. */
static void
place_planes (TestFrame *self, const FramePlacement *placement)
{
  const gsize mask = placement->alignment - 1;
  const gsize page = sysconf (_SC_PAGESIZE);
  AmphistoLayout layout = self->layout;
  gsize at[AMPHISTO_N_PLANES];
  gsize end = 0, before = 0;

  if (placement->has_all_rows)
    amphisto_layout_set_interlaced (&layout, TRUE, TRUE);
  self->size = GAP;
  for (guint p = 0; p < self->layout.n_planes; p++) {
    const guint stride = self->layout.plane[p].row_bytes + placement->padding;

    at[p] = ((self->size + mask) & ~mask) + placement->misalignment[p];
    self->frame.plane[p].stride = stride;
    end = at[p] + amphisto_plane_span (&layout, p, stride);
    self->size = end + GAP;
  }
  self->size = (self->size + page - 1) & ~(page - 1);
  self->memory = memory_new (self->size);
  if (placement->is_at_end)
    before = (self->size - end) & ~MAX (mask, 3);
  for (guint p = 0; p < self->layout.n_planes; p++)
    self->frame.plane[p].data = self->memory + before + at[p];
}

TestFrame *
test_frame_new (GstVideoFormat format, guint width, guint height,
    GstVideoColorRange range, const FramePlacement *placement)
{
  TestFrame *self = g_new0 (TestFrame, 1);
  guint32 state = 0x5eed;

  layout_init (&self->layout, format, width, height, range);
  self->frame.layout = &self->layout;
  place_planes (self, placement);
  for (gsize i = 0; i < self->size; i += sizeof state) {
    const guint32 word = test_random (&state);

    memcpy (self->memory + i, &word, sizeof word);
  }
  return self;
}

TestFrame *
test_frame_copy (const TestFrame *self)
{
  TestFrame *copy = g_new (TestFrame, 1);

  *copy = *self;
  copy->frame.layout = &copy->layout;
  copy->memory = memory_new (self->size);
  memcpy (copy->memory, self->memory, self->size);
  for (guint p = 0; p < self->layout.n_planes; p++)
    copy->frame.plane[p].data =
        copy->memory + (self->frame.plane[p].data - self->memory);
  return copy;
}

void
test_frame_free (TestFrame *self)
{
  g_assert_no_errno (
      munmap (self->memory, self->size + sysconf (_SC_PAGESIZE)));
  g_free (self);
}

static guint8
pattern_value (FramePattern pattern, AmphistoChannel channel, guint x, guint y,
    guint32 *state)
{
  switch (pattern) {
    case FRAME_RANDOM:
      return test_random (state);
    case FRAME_FLAT:
      return test_frame_flat_value (channel);
    case FRAME_TWO_VALUED:
      return test_random (state) & 1 ? 201 : 31;
    case FRAME_ZEROS:
      return 0;
    case FRAME_ONES:
      return 255;
    case FRAME_CHECKER:
      return (x + y) & 1 ? 255 : 0;
    case FRAME_RAMP:
      return x + y + 17 * channel;
    case FRAME_DIM:
      return (test_random (state) & 0xff) % 49;
    default:
      g_assert_not_reached ();
  }
}

void
test_frame_fill (TestFrame *self, FramePattern pattern, guint32 seed)
{
  const AmphistoLayout *layout = &self->layout;
  guint32 state = seed | 1;

  for (guint channel = 0; channel < AMPHISTO_N_CHANNELS; channel++) {
    const AmphistoComponent *c = &layout->component[channel];

    if (!(layout->channels & AMPHISTO_CHANNEL_BIT (channel))
        || amphisto_channel_is_computed (layout, channel))
      continue;
    for (guint y = 0; y < c->height; y++) {
      guint8 *sample =
          amphisto_frame_row (&self->frame, c->plane, y) + c->offset;

      for (guint x = 0; x < c->width; x++, sample += c->pixel_stride)
        *sample = pattern_value (pattern, channel, x, y, &state);
    }
  }
}

/* Returns: (transfer full): a description of the byte's place. */
static char *
describe_byte (const TestFrame *self, gsize at)
{
  for (guint p = 0; p < self->layout.n_planes; p++) {
    const AmphistoPlane *plane = &self->frame.plane[p];
    const gsize begin = plane->data - self->memory;
    const gsize span = amphisto_plane_span (&self->layout, p, plane->stride);

    if (at >= begin && at < begin + span)
      return g_strdup_printf ("plane %u, row %" G_GSIZE_FORMAT
                              ", byte %" G_GSIZE_FORMAT " of %u",
          p, (at - begin) / plane->stride, (at - begin) % plane->stride,
          self->layout.plane[p].row_bytes);
  }
  return g_strdup_printf ("byte %" G_GSIZE_FORMAT ", outside the planes", at);
}

char *
test_frame_compare (const TestFrame *expected, const TestFrame *actual)
{
  gsize at = 0;
  g_autofree char *place = NULL;

  g_assert_cmpuint (expected->size, ==, actual->size);
  if (memcmp (expected->memory, actual->memory, expected->size) == 0)
    return NULL;
  while (expected->memory[at] == actual->memory[at])
    at++;
  place = describe_byte (actual, at);
  return g_strdup_printf ("%s: %u where %u was expected", place,
      actual->memory[at], expected->memory[at]);
}
