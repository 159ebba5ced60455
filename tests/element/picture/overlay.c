/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The scopes: every frame is compared with the drawing of the C reference,
 * including its state between frames.
 */

#include "channels.h"
#include "element/memory/layout.h"
#include "generator.h"
#include "harnesses.h"
#include "core/reference.h"

#include <string.h>

/* The properties' defaults, but with a scope. */
static const AmphistoSettings usual = { .channels = LUMA,
  .strength = 1.0f,
  .keeps_colors = true,
  .clahe = { 8, 8, 3 },
  .scopes = { .display = AMPHISTO_DISPLAY_OVERLAY,
      .enabled = AMPHISTO_SCOPE_HISTOGRAM,
      .position = AMPHISTO_SCOPE_BOTTOM_RIGHT,
      .width = 0.33,
      .height = 0.25,
      .opacity = 0.9,
      .scale = AMPHISTO_SCOPE_LINEAR,
      .graticule = true,
      .clipping_bars = true,
      .intensity = 1 },
  .exposure = { .zebra_high = 100 } };

/* --- a stream through the element, and through the reference --- */

typedef struct
{
  GstHarness *h;
  /* of the reference */
  AmphistoLayout layout;
  AmphistoSettings settings;
  gboolean resets_scale;
  guint phase;
  gboolean writes;   /* for the last frame */
  gboolean is_apart; /* needs the pixels as they arrived */
  AmphistoReferenceState state;
} Stream;

/* Caps that differ from the last ones restart the decaying scale. */
static void
stream_set_caps (Stream *self, const Picture *picture, const gchar *colorimetry)
{
  g_autoptr (GstCaps) caps = video_caps (
      picture->format->name, picture->width, picture->height, colorimetry);
  g_autoptr (GstCaps) last = gst_pad_get_current_caps (self->h->srcpad);
  GstVideoInfo info;

  if (last == NULL || !gst_caps_is_equal (last, caps)) {
    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_amphisto_layout_init (&self->layout, &info, NULL);
    self->resets_scale = TRUE;
  }
  gst_harness_set_src_caps (self->h, g_steal_pointer (&caps));
}

/* Other curves restart the scale; the zebra moves on anyway. */
static void
reference_set_settings (Stream *self, const AmphistoSettings *settings)
{
  if (self->settings.channels != settings->channels
      || self->settings.scopes.display != settings->scopes.display
      || ((self->settings.scopes.enabled ^ settings->scopes.enabled)
          & AMPHISTO_SCOPE_HISTOGRAM))
    self->resets_scale = TRUE;
  self->settings = *settings;
}

static void
stream_set_settings (Stream *self, const AmphistoSettings *settings)
{
  test_settings_apply (
      settings, TEST_ALL_SUBJECTS, G_OBJECT (self->h->element));
  reference_set_settings (self, settings);
}

/* A stream without caps and settings. Free self->h with harness_free(). */
static void
stream_init (Stream *self)
{
  *self = (Stream){ .h = harness_new ("qos", FALSE, NULL) };
}

/* A stream of frames like the picture. */
static void
stream_init_for (
    Stream *self, const Picture *picture, const AmphistoSettings *settings)
{
  stream_init (self);
  stream_set_settings (self, settings);
  stream_set_caps (self, picture, NULL);
}

static AmphistoFrame
picture_frame (const Picture *picture, const AmphistoLayout *layout)
{
  AmphistoFrame frame = { .layout = layout };

  for (guint p = 0; p < picture->n_planes; p++)
    frame.plane[p] = (AmphistoPlane){ picture_row (picture, p, 0),
      (guint) picture->stride[p] };
  return frame;
}

/* The reference's output for the picture as the next frame of the stream. A
 * frame that is neither measured nor written does not move the zebra. */
static Picture *
reference_run (Stream *self, const Picture *picture)
{
  Picture *result = picture_copy (picture);
  const AmphistoFrame source = picture_frame (picture, &self->layout);
  const AmphistoFrame target = picture_frame (result, &self->layout);
  const AmphistoDivision division = { .n_groups = 1, .n_slices = 1 };
  AmphistoPlan plan;
  const AmphistoJob job = { .plan = &plan,
    .source = source,
    .target = target,
    .resets_mean = true,
    .resets_scale = self->resets_scale,
    .resets_comparison = true,
    .stripe_phase = self->phase };

  amphisto_plan_init (&plan, &self->layout, &self->settings, &division);
  self->writes = plan.written != 0;
  self->is_apart = !amphisto_plan_can_be_in_place (&plan);
  if (plan.reported == 0 && plan.written == 0
      && !amphisto_plan_has_picture (&plan))
    return result;
  fail_unless (amphisto_reference_run (&job, &self->state));
  self->resets_scale = FALSE;
  self->phase++;
  return result;
}

static gchar *
wanted_names (AmphistoChannelMask channels)
{
  GString *names = g_string_new (NULL);

  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (channels & AMPHISTO_CHANNEL_BIT (c))
      g_string_append_printf (names, "%s ", amphisto_channel_name (c));
  return g_string_free (names, FALSE);
}

/* Runs the picture through element and reference, which must agree. The result
 * is in the picture's own memory, unless the memory is shared, the device pins
 * memory, or zebra or false colour need the pixels before equalization. The
 * metadata describes the picture before. A picture that is not shared gets the
 * result. */
static void
check_frame (Stream *self, Picture *picture, gboolean is_shared)
{
  const AmphistoSettings *settings = &self->settings;
  g_autofree gchar *names = wanted_names (settings->channels);
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (Picture) expected = reference_run (self, picture);
  GstBuffer *buffer = picture_wrap (picture);
  G_GNUC_UNUSED g_autoptr (GstBuffer) other =
      is_shared ? gst_buffer_ref (buffer) : NULL;
  g_autoptr (GstBuffer) out = harness_run (self->h, buffer);
  const gboolean is_copied = is_shared
      || (self->writes && harness_pins_memory (self->h)) || self->is_apart;

  fail_unless_equals_int (out != buffer, is_copied);
  fail_unless_same_picture (picture, is_copied ? before : expected);
  assert_pixels (out, expected);
  assert_histograms (out, before, names);
  if (!is_shared)
    picture_read (picture, out);
}

/* --- formats and sizes --- */

/* Measures luma or draws a scope: the zebra moves only with frames that are
 * measured or drawn into. Each frame is equalized by its own histogram. */
static AmphistoSettings
random_settings (guint32 *random)
{
  AmphistoSettings settings = { 0 };

  test_settings_draw (&settings, TEST_ALL_SUBJECTS, random);
  settings.smoothing = 0;
  if (settings.scopes.enabled == AMPHISTO_SCOPE_NONE)
    settings.channels |= LUMA;
  return settings;
}

static const guint sizes[][2] = { { 1, 1 }, { 31, 15 }, { 32, 16 }, { 33, 70 },
  { 163, 101 }, { 640, 480 } };

/* Whether pictures of the format have the nth size and shape. The references
 * are slow: pictures of the largest size have one shape in each format. */
static gboolean
has_nth (guint n, guint format)
{
  if (test_size () < TEST_FULL)
    return n % PICTURE_N_SHAPES == 0;
  return n / PICTURE_N_SHAPES < G_N_ELEMENTS (sizes) - 1
      || (n + format) % PICTURE_N_SHAPES == 0;
}

/* Limited and full range. */
static const gchar *
colorimetry (const gchar *format, guint seed)
{
  if (picture_format (format)->is_rgb)
    return seed & 1 ? "2:1:5:1" : "sRGB";
  return seed & 1 ? "2:4:16:4" : "1:4:7:1";
}

/* Properties change from frame to frame. */
TEST (test_format)
{
  const gchar *format = picture_formats[__i__].name;
  guint32 random = 1 + __i__;
  Stream stream;

  stream_init (&stream);
  for (guint n = 0; n < G_N_ELEMENTS (sizes) * PICTURE_N_SHAPES; n++) {
    if (!has_nth (n, (guint) __i__))
      continue;

    const guint *size = sizes[n / PICTURE_N_SHAPES];
    const guint8 lo = n % 4 * 8, hi = 255 - n % 5 * 10;
    g_autoptr (Picture) picture =
        picture_new (format, size[0], size[1], n % PICTURE_N_SHAPES, lo, hi, n);
    const AmphistoSettings settings = random_settings (&random);

    picture->is_limited = n & 1;
    stream_set_caps (&stream, picture, colorimetry (format, n));
    stream_set_settings (&stream, &settings);
    check_frame (&stream, picture, TRUE);
    check_frame (&stream, picture, FALSE);
  }
  drop_refused (stream.h->element, "");
  harness_free (stream.h);
}

/* The first and last column and row of the plane's bytes that differ. */
static void
find_changes (const Picture *a, const Picture *b, guint plane, guint bounds[4])
{
  bounds[0] = bounds[1] = G_MAXUINT;
  bounds[2] = bounds[3] = 0;
  for (guint y = 0; y < a->rows[plane]; y++)
    for (guint x = 0; x < a->row_bytes[plane]; x++)
      if (picture_row (a, plane, y)[x] != picture_row (b, plane, y)[x]) {
        bounds[0] = MIN (bounds[0], x);
        bounds[1] = MIN (bounds[1], y);
        bounds[2] = MAX (bounds[2], x);
        bounds[3] = MAX (bounds[3], y);
      }
}

/* By scope-position: a third by a quarter of the frame, with a margin of 1/40,
 * at multiples of 16 by 4 pixels. */
static const guint rectangles[][4] = {
  { 16, 12, 223, 131 },
  { 416, 12, 623, 131 },
  { 16, 348, 223, 467 },
  { 416, 348, 623, 467 },
};

/* Pixels change in the whole rectangle, up to all its edges, and nowhere else.
 */
TEST (test_rectangle)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 640, 480, PICTURE_ODD, 0, 255, 1);
  g_autoptr (Picture) before = NULL;
  AmphistoSettings settings = usual;
  Stream stream;

  picture_fill (picture, "luma", 200);
  picture_fill (picture, "u", 200);
  picture_fill (picture, "v", 60);
  before = picture_copy (picture);
  settings.scopes.position = __i__;
  stream_init_for (&stream, picture, &settings);
  harness_change (stream.h, picture, 0);
  for (guint p = 0; p < 3; p++) {
    guint bounds[4];

    find_changes (before, picture, p, bounds);
    for (guint i = 0; i < 4; i++)
      fail_unless_equals_int (bounds[i], rectangles[__i__][i] >> (p > 0));
  }
  harness_free (stream.h);
}

static const struct
{
  gint numerator, denominator;
  guint width; /* of the vectorscope, 144 pixels high */
} aspects[] = { { 1, 1, 144 }, { 64, 45, 112 }, { 16, 22, 208 },
  { G_MAXINT, 1, 32 }, { 1, 17, 704 } };

/* The vectorscope is square on the display. If pixels are too narrow for that,
 * it is at most as wide as the frame. */
TEST (test_pixel_aspect)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 720, 576, PICTURE_ODD, 0, 255, 1);
  g_autoptr (Picture) before = NULL;
  g_autofree gchar *aspect = g_strdup_printf ("pixel-aspect-ratio=%d/%d",
      aspects[__i__].numerator, aspects[__i__].denominator);
  g_autoptr (Harness) h = harness_new (
      "scopes", AMPHISTO_SCOPE_VECTORSCOPE, "scope-opacity", 1.0, NULL);
  guint bounds[4];

  picture_fill (picture, "luma", 200);
  before = picture_copy (picture);
  harness_set_fields (h, picture, aspect);
  harness_change (h, picture, 0);
  find_changes (before, picture, 0, bounds);
  fail_unless_equals_int (bounds[2] - bounds[0] + 1, aspects[__i__].width);
}

/* --- from frame to frame --- */

/* All samples in one bin. */
static Picture *
flat_picture (void)
{
  return picture_new ("GRAY8", 320, 240, PICTURE_TIGHT, 99, 99, 0);
}

/* Bins of about the same size. */
static Picture *
even_picture (guint seed)
{
  return picture_new ("GRAY8", 320, 240, PICTURE_TIGHT, 0, 255, seed);
}

/* A scale that one bin with all samples has set falls from frame to frame. */
TEST (test_peak_falls)
{
  g_autoptr (Picture) flat = flat_picture ();
  Stream stream;
  guint last;

  stream_init_for (&stream, flat, &usual);
  check_frame (&stream, flat, FALSE);
  last = stream.state.peaks[0];
  fail_unless_equals_int (last, 320 * 240);
  for (guint n = 0; n < 40; n++) {
    g_autoptr (Picture) picture = even_picture (n);

    check_frame (&stream, picture, n & 1);
    fail_unless (stream.state.peaks[0] < last - last / 20);
    last = stream.state.peaks[0];
  }
  harness_free (stream.h);
}

/* Without metadata, the element draws only with a scope, zebra or false colour;
 * without a scope, there are no bars. */
TEST (test_passthrough)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 64, 48, PICTURE_TIGHT, 0, 255, 1);
  AmphistoSettings settings = usual;
  Stream stream;

  stream_init_for (&stream, picture, &settings);
  g_object_set (stream.h->element, "attach-meta", FALSE, NULL);
  for (guint i = 0; i < 16; i++) {
    const gboolean draws = i >= 2;
    g_autoptr (GstBuffer) buffer = picture_wrap (picture);
    g_autoptr (GstBuffer) out = NULL;

    settings.scopes.clipping_bars = i & 1;
    settings.exposure.enabled = i >> 1 & 3;
    settings.scopes.enabled = i >> 3;
    stream_set_settings (&stream, &settings);
    out = harness_run (stream.h, gst_buffer_ref (buffer));
    fail_unless_equals_int (out != buffer, draws);
    fail_unless_equals_int (buffer_n_metas (out), 0);
  }
  harness_free (stream.h);
}

const ElementTest element_tests[] = { FORMATS (test_format),
  EACH (test_rectangle, rectangles), EACH (test_pixel_aspect, aspects),
  ONCE (test_peak_falls), ONCE (test_passthrough), { 0 } };
