/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The reference draws the scopes as in the pictures that were looked at. If a
 * picture changes on purpose, it has to be looked at again: the test stores it,
 * and says where.
 */

#include "channels.h"
#include "core/pixels/samples.h"
#include "core/reference.h"
#include "element/props/types.h"
#include "frames.h"
#include "nicks.h"
#include "size.h"

#include <errno.h>
#include <stdio.h>

typedef struct
{
  GstVideoFormat format;
  const char *sha1;
} Golden;

/* Checksums of the pictures when they were looked at, of all sizes and
 * displays: all channels but R, G and B of YUV. */
static const Golden golden[] = {
  { GST_VIDEO_FORMAT_GRAY8, "9f664e8f6bc81cef8c1728df384280f3e61b4b6d" },
  { GST_VIDEO_FORMAT_I420, "d01a6974960f89622a314390282016d171892b60" },
  { GST_VIDEO_FORMAT_NV12, "a44c784757d6a77c2ee2801a3f2e0a854f612723" },
  { GST_VIDEO_FORMAT_YUY2, "4b2f35654d7520b4ac3458f21bf0552193c14522" },
  { GST_VIDEO_FORMAT_RGB, "429ca08a840c0116763a340c1eb8ab8879b6b304" },
  { GST_VIDEO_FORMAT_BGRA, "53d3d628923ac777c131aada80a9ff161fbcbc07" },
  { GST_VIDEO_FORMAT_YUV9, "aa3d66bb2f0e849ab57ad4a99685b2e0acfdfb58" },
  { GST_VIDEO_FORMAT_AYUV, "9fbad34dd17526ac32dfadbdb200abaeeae7571e" },
  { GST_VIDEO_FORMAT_GBR, "7e0d8710b886e837eef1866ad212f17a3778d48d" },
};

static const guint sizes[][2] = { { 96, 64 }, { 321, 243 }, { 854, 480 },
  { 1920, 1080 } };

#define N_DISPLAYS (AMPHISTO_DISPLAY_PARADE - AMPHISTO_DISPLAY_OVERLAY + 1)
#define N_PICTURES (G_N_ELEMENTS (sizes) * N_DISPLAYS)

static AmphistoDisplay
display_of (guint i)
{
  return AMPHISTO_DISPLAY_OVERLAY + i % N_DISPLAYS;
}

/* Returns: (transfer full): the picture number `i`. */
static TestFrame *
draw_picture (GstVideoFormat format, guint i)
{
  const guint *size = sizes[i / N_DISPLAYS];
  static const AmphistoDivision division = { .n_groups = 1, .n_slices = 1 };
  const FramePlacement placement = { .alignment = 4 };
  const gboolean is_yuv =
      GST_VIDEO_FORMAT_INFO_IS_YUV (gst_video_format_get_info (format));
  TestFrame *frame = test_frame_new (format, size[0], size[1],
      is_yuv ? GST_VIDEO_COLOR_RANGE_16_235 : GST_VIDEO_COLOR_RANGE_0_255,
      &placement);
  AmphistoSettings settings = {
    .channels = frame->layout.is_rgb ? ALL_CHANNELS : ALL_CHANNELS & ~RGB,
    .scopes = { .enabled = AMPHISTO_ALL_SCOPES,
        .display = display_of (i),
        .position = AMPHISTO_SCOPE_BOTTOM_RIGHT,
        .width = 0.33,
        .height = 0.25,
        .opacity = 0.7,
        .scale = size[0] % 3 ? AMPHISTO_SCOPE_LINEAR : AMPHISTO_SCOPE_LOG,
        .graticule = TRUE,
        .clipping_bars = TRUE,
        .percentile_marks = size[1] & 1,
        .intensity = 1 }
  };
  AmphistoReferenceState state = { 0 };
  AmphistoPlan plan;
  const AmphistoJob job = {
    .plan = &plan, frame->frame, frame->frame, .resets_scale = TRUE
  };

  test_frame_fill (frame, FRAME_RAMP, 1);
  amphisto_plan_init (&plan, &frame->layout, &settings, &division);
  g_assert_true (amphisto_reference_run (&job, &state));
  amphisto_reference_state_clear (&state);
  return frame;
}

/* Stores a PPM, as the metadata sees R, G and B. */
static void
save_picture (const TestFrame *frame, const char *path)
{
  const AmphistoComponent *luma = &frame->layout.component[0];
  const gboolean is_grey = !(frame->layout.channels & RGB);
  FILE *file = fopen (path, "wb");

  if (file == NULL)
    g_error ("%s: %s", path, g_strerror (errno));
  fprintf (file, "P6 %u %u 255\n", luma->width, luma->height);
  for (guint y = 0; y < luma->height; y++)
    for (guint x = 0; x < luma->width; x++)
      for (guint c = 0; c < 3; c++)
        fputc (amphisto_frame_value (&frame->frame,
                   is_grey ? AMPHISTO_CHANNEL_LUMA : AMPHISTO_CHANNEL_RED + c,
                   x, y),
            file);
  g_assert_no_errno (fclose (file));
}

static void
save_pictures (GstVideoFormat format, const char *folder)
{
  for (guint i = 0; i < N_PICTURES; i++) {
    const guint *size = sizes[i / N_DISPLAYS];
    g_autoptr (TestFrame) frame = draw_picture (format, i);
    g_autofree char *path = g_strdup_printf ("%s/%s-%ux%u-%s.ppm", folder,
        gst_video_format_to_string (format), size[0], size[1],
        nick_of_enum (gst_amphisto_scope_display_get_type (), display_of (i)));

    save_picture (frame, path);
  }
}

static void
test_pictures (gconstpointer data)
{
  const Golden *self = data;
  const char *format = gst_video_format_to_string (self->format);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA1);
  g_autoptr (GError) error = NULL;
  static char *folder;

  for (guint i = 0; i < N_PICTURES; i++) {
    g_autoptr (TestFrame) frame = draw_picture (self->format, i);

    g_checksum_update (checksum, frame->memory, frame->size);
  }
  if (g_str_equal (g_checksum_get_string (checksum), self->sha1))
    return;
  if (folder == NULL)
    folder = g_dir_make_tmp ("amphisto-golden-XXXXXX", &error);
  g_assert_no_error (error);
  save_pictures (self->format, folder);
  g_test_fail_printf (
      "the scopes in %s changed: look at the pictures in %s; if "
      "they are right, their checksum is %s",
      format, folder, g_checksum_get_string (checksum));
}

int
main (int argc, char **argv)
{
  const gsize step = test_size () < TEST_FULL ? 2 : 1;

  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions (); /* all pictures are looked at together */
  for (gsize f = 0; f < G_N_ELEMENTS (golden); f += step) {
    g_autofree char *path = g_strconcat (
        "/golden/", gst_video_format_to_string (golden[f].format), NULL);

    g_test_add_data_func (path, &golden[f], test_pictures);
  }
  return g_test_run ();
}
