/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The overlay: what is drawn into which frames, when, and into whose memory.
 * What it looks like is the C reference's, which the element's settings on each
 * frame is held against.
 */

#include "channels.h"
#include "element/frame.h"
#include "harnesses.h"
#include "core/reference.h"

#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>
#include <string.h>

/* The properties' defaults, but with a graph. */
static const AmphistoSettings usual = { .channels = LUMA,
  .strength = 1.0f,
  .overlay = { .mode = AMPHISTO_OVERLAY_OVERLAY,
      .position = AMPHISTO_OVERLAY_BOTTOM_RIGHT,
      .width = 0.33,
      .height = 0.25,
      .opacity = 0.7,
      .scale = AMPHISTO_OVERLAY_LINEAR,
      .graticule = true,
      .clipping = AMPHISTO_CLIPPING_BARS } };

/* --- the reference, from frame to frame --- */

typedef struct
{
  AmphistoLayout layout;
  AmphistoSettings settings;
  gboolean resets_scale;
  guint phase;
  AmphistoReferenceState state;
} Reference;

static void
reference_set_caps (Reference *self, GstCaps *caps)
{
  GstVideoInfo info;

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_amphisto_layout_init (&self->layout, &info);
  self->resets_scale = TRUE;
}

/* Other curves than the frame's before begin anew; the zebra moves on. */
static void
reference_set_settings (Reference *self, const AmphistoSettings *settings)
{
  if (self->settings.channels != settings->channels
      || self->settings.overlay.mode != settings->overlay.mode)
    self->resets_scale = TRUE;
  self->settings = *settings;
}

static AmphistoFrame
picture_frame (const Picture *picture, const AmphistoLayout *layout)
{
  AmphistoFrame frame = { .layout = layout };

  for (guint p = 0; p < picture->n_planes; p++)
    frame.plane[p] =
        (AmphistoPlane){ picture_row (picture, p, 0), picture->stride[p] };
  return frame;
}

/* What becomes of the picture, the stream's next. A frame that is neither
 * measured nor written does not move the zebra on. */
static Picture *
reference_run (Reference *self, const Picture *picture)
{
  Picture *result = picture_copy (picture);
  const AmphistoFrame source = picture_frame (picture, &self->layout);
  const AmphistoFrame target = picture_frame (result, &self->layout);

  const AmphistoDivision division = { .n_groups = 1, .n_slices = 1 };
  AmphistoPlan plan;
  const AmphistoJob job = { .plan = &plan,
    .source = source,
    .target = target,
    .resets_scale = self->resets_scale,
    .phase = self->phase };

  amphisto_plan_init (&plan, &self->layout, &self->settings, &division);
  if (plan.reported == 0 && plan.written == 0)
    return result;
  fail_unless (amphisto_reference_run (&job, &self->state));
  self->resets_scale = FALSE;
  self->phase++;
  return result;
}

/* --- the element beside it --- */

/* The caps that there are, again, change nothing. */
static void
set_caps (GstHarness *h, Reference *reference, GstCaps *caps)
{
  GstCaps *last = gst_pad_get_current_caps (h->srcpad);

  if (last == NULL || !gst_caps_is_equal (last, caps))
    reference_set_caps (reference, caps);
  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  gst_clear_caps (&last);
}

static void
set_settings (
    GstHarness *h, Reference *reference, const AmphistoSettings *settings)
{
  const AmphistoOverlay *overlay = &settings->overlay;
  const guint channels = (settings->channels & LUMA ? 1 : 0)
      | (settings->channels & CHROMA ? 2 : 0)
      | (settings->channels & RGB ? 4 : 0)
      | (settings->channels & ALPHA ? 8 : 0);

  g_object_set (h->element, "channels", channels, "equalization",
      settings->equalization, "strength", settings->strength, "overlay",
      overlay->mode, "overlay-position", overlay->position, "overlay-width",
      overlay->width, "overlay-height", overlay->height, "overlay-opacity",
      overlay->opacity, "overlay-scale", overlay->scale, "graticule",
      overlay->graticule, "clipping", overlay->clipping, "percentile-marks",
      overlay->percentile_marks, NULL);
  reference_set_settings (reference, settings);
}

/* A harness and a reference for frames like the picture. */
static GstHarness *
begin (Reference *reference, const Picture *picture,
    const AmphistoSettings *settings)
{
  GstHarness *h = harness_new ("qos", FALSE, NULL);
  GstCaps *caps =
      video_caps (picture->format->name, picture->width, picture->height, NULL);

  *reference = (Reference){ 0 };
  set_settings (h, reference, settings);
  set_caps (h, reference, caps);
  gst_caps_unref (caps);
  return h;
}

static gchar *
wanted_names (AmphistoChannelMask channels)
{
  GString *names = g_string_new (NULL);

  for (guint c = 0; c < N_CHANNELS; c++)
    if (channels & AMPHISTO_CHANNEL_BIT (c))
      g_string_append_printf (names, "%s ", channel_names[c]);
  return g_string_free (names, FALSE);
}

/* Runs the picture through the element: its memory becomes what the reference
 * says, if it is its buffer's own and nothing needs it as it was, and else that
 * of a new buffer does. The metadata is of the picture as it was. */
static void
check_frame (
    GstHarness *h, Reference *reference, Picture *picture, gboolean is_shared)
{
  const AmphistoSettings *settings = &reference->settings;
  const gboolean is_copied = is_shared
      || (settings->equalization
          && settings->overlay.clipping == AMPHISTO_CLIPPING_ZEBRA);
  g_autofree gchar *names = wanted_names (settings->channels);
  Picture *before = picture_copy (picture);
  Picture *expected = reference_run (reference, picture);
  GstCaps *caps = gst_pad_get_current_caps (h->srcpad);
  GstBuffer *buffer = picture_wrap (picture);
  GstBuffer *out =
      harness_run (h, is_shared ? gst_buffer_ref (buffer) : buffer);

  fail_unless_equals_int (out != buffer, is_copied);
  fail_unless (picture_equal (picture, is_copied ? before : expected));
  assert_pixels (out, caps, expected);
  assert_histograms (out, before, names);
  gst_buffer_unref (out);
  if (is_shared)
    gst_buffer_unref (buffer);
  gst_caps_unref (caps);
  picture_free (expected);
  picture_free (before);
}

/* --- formats and sizes --- */

static AmphistoSettings
random_settings (GRand *random)
{
  static const double shares[] = { 0.0, 0.33, 0.5, 1.0 };
  const AmphistoOverlayMode mode = g_rand_int_range (random, 0, 4);
  const gboolean has_luma =
      mode == AMPHISTO_OVERLAY_NONE || g_rand_boolean (random);

  return (AmphistoSettings){ .channels = (has_luma ? LUMA : 0)
        | (g_rand_boolean (random) ? CHROMA | RGB : 0)
        | (g_rand_boolean (random) ? ALPHA : 0),
    .equalization = g_rand_int_range (random, 0, 3) == 0,
    .strength = 0.5f * g_rand_int_range (random, 0, 3),
    .overlay = { .mode = mode,
        .position = g_rand_int_range (random, 0, 4),
        .width = shares[g_rand_int_range (random, 0, 4)],
        .height = shares[g_rand_int_range (random, 0, 4)],
        .opacity = g_rand_int_range (random, 0, 11) / 10.0,
        .scale = g_rand_int_range (random, 0, 2),
        .graticule = g_rand_boolean (random),
        .clipping = g_rand_int_range (random, 0, 3),
        .percentile_marks = g_rand_boolean (random) } };
}

static const guint sizes[][2] = { { 1, 1 }, { 31, 15 }, { 32, 16 }, { 33, 70 },
  { 163, 101 }, { 640, 480 } };

/* Limited and full range; RGB has none. */
static const gchar *
colorimetry (const gchar *format, guint seed)
{
  if (picture_format (format)->is_rgb || strcmp (format, "GRAY8") == 0)
    return NULL;
  return seed & 1 ? "2:4:16:4" : "1:4:7:1";
}

/* Properties are changed while playing, and take effect on the next frame. */
GST_START_TEST (test_format)
{
  const gchar *format = picture_formats[__i__].name;
  GstHarness *h = harness_new ("qos", FALSE, NULL);
  GRand *random = g_rand_new_with_seed (__i__);
  Reference reference = { 0 };

  for (guint n = 0; n < G_N_ELEMENTS (sizes) * PICTURE_N_SHAPES; n++) {
    const guint *size = sizes[n / PICTURE_N_SHAPES];
    const guint8 lo = n % 4 * 8, hi = 255 - n % 5 * 10;
    Picture *picture =
        picture_new (format, size[0], size[1], n % PICTURE_N_SHAPES, lo, hi, n);
    GstCaps *caps =
        video_caps (format, size[0], size[1], colorimetry (format, n));
    const AmphistoSettings settings = random_settings (random);

    picture->is_limited = n & 1;
    set_caps (h, &reference, caps);
    set_settings (h, &reference, &settings);
    check_frame (h, &reference, picture, TRUE);
    check_frame (h, &reference, picture, FALSE);
    gst_caps_unref (caps);
    picture_free (picture);
  }
  g_rand_free (random);
  harness_free (h);
}

GST_END_TEST

/* The first and the last column and row of the plane's bytes that differ. */
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

/* A third by a quarter of the frame, and a margin of 1/40 of it, in steps of 16
 * by 4 pixels; by overlay-position. */
static const guint rectangles[][4] = {
  { 16, 12, 223, 131 },
  { 416, 12, 623, 131 },
  { 16, 348, 223, 467 },
  { 416, 348, 623, 467 },
};

/* All that changes is in the rectangle, and that does from corner to corner. */
GST_START_TEST (test_rectangle)
{
  Picture *picture = picture_new ("I420", 640, 480, PICTURE_ODD, 0, 255, 1);
  Picture *before;
  AmphistoSettings settings = usual;
  Reference reference;
  GstHarness *h;

  picture_fill (picture, "luma", 200);
  picture_fill (picture, "u", 200);
  picture_fill (picture, "v", 60);
  before = picture_copy (picture);
  settings.overlay.position = __i__;
  h = begin (&reference, picture, &settings);
  gst_buffer_unref (harness_run (h, picture_wrap (picture)));
  for (guint p = 0; p < 3; p++) {
    guint bounds[4];

    find_changes (before, picture, p, bounds);
    for (guint i = 0; i < 4; i++)
      fail_unless_equals_int (bounds[i], rectangles[__i__][i] >> (p > 0));
  }
  picture_free (before);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* The curves of red, green and blue, into planes of Y, U and V. */
GST_START_TEST (test_colours_of_yuv)
{
  Picture *picture = picture_new ("I420", 640, 480, PICTURE_ODD, 0, 255, 2);
  Picture *before = picture_copy (picture);
  AmphistoSettings settings = usual;
  Reference reference;
  GstHarness *h;

  settings.channels = RGB;
  settings.overlay.mode = AMPHISTO_OVERLAY_OVERLAY + __i__;
  h = begin (&reference, picture, &settings);
  check_frame (h, &reference, picture, FALSE);
  fail_unless (!picture_equal (picture, before));
  picture_free (before);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

static const struct
{
  const gchar *format;
  guint width, height;
  AmphistoChannelMask channels;
} lacking[] = {
  { "GRAY8", 320, 240, CHROMA },
  { "GRAY8", 320, 240, RGB | ALPHA },
  { "I420", 320, 240, ALPHA },
  { "RGBA", 320, 240, CHROMA },
  { "NV12", 320, 240, 0 },
  { "RGB", 1, 1, LUMA },
  { "YUY2", 31, 480, LUMA },
  { "AYUV", 640, 15, LUMA | CHROMA | ALPHA },
};

/* Where the format lacks what is to be shown, or there is no room for it. */
GST_START_TEST (test_lacking)
{
  Picture *picture = picture_new (lacking[__i__].format, lacking[__i__].width,
      lacking[__i__].height, PICTURE_ODD, 0, 255, __i__);
  Picture *before = picture_copy (picture);
  AmphistoSettings settings = usual;
  Reference reference;
  GstHarness *h;

  settings.channels = lacking[__i__].channels;
  settings.overlay.width = settings.overlay.height = 1.0;
  h = begin (&reference, picture, &settings);
  for (guint is_shared = 0; is_shared < 2; is_shared++) {
    check_frame (h, &reference, picture, is_shared);
    fail_unless (picture_equal (picture, before));
  }
  picture_free (before);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* --- from frame to frame --- */

/* All samples in one bin, or in many. */
static Picture *
flat_picture (void)
{
  return picture_new ("GRAY8", 320, 240, PICTURE_TIGHT, 99, 99, 0);
}

static Picture *
even_picture (guint seed)
{
  return picture_new ("GRAY8", 320, 240, PICTURE_TIGHT, 0, 255, seed);
}

/* A harness after a frame whose tallest bin has all of its samples. */
static GstHarness *
begin_tall (Reference *reference)
{
  Picture *picture = flat_picture ();
  GstHarness *h = begin (reference, picture, &usual);

  check_frame (h, reference, picture, FALSE);
  fail_unless_equals_int (reference->state.overlay.peak[0], 320 * 240);
  picture_free (picture);
  return h;
}

/* The frame that follows is drawn on its own scale, or on that of the one
 * before. */
static void
check_next (GstHarness *h, Reference *reference, gboolean on_its_own)
{
  Picture *picture = even_picture (1);

  check_frame (h, reference, picture, FALSE);
  fail_unless_equals_int (reference->state.overlay.peak[0] < 1000, on_its_own);
  picture_free (picture);
}

GST_START_TEST (test_peak_falls)
{
  Reference reference;
  GstHarness *h = begin_tall (&reference);
  guint last = reference.state.overlay.peak[0];

  for (guint n = 0; n < 40; n++) {
    Picture *picture = even_picture (n);

    check_frame (h, &reference, picture, n & 1);
    fail_unless (reference.state.overlay.peak[0] < last - last / 20);
    last = reference.state.overlay.peak[0];
    picture_free (picture);
  }
  harness_free (h);
}

GST_END_TEST

GST_START_TEST (test_peak_after_gap)
{
  Reference reference;
  GstHarness *h = begin_tall (&reference);
  Picture *picture = even_picture (2);
  Picture *before = picture_copy (picture);
  GstBuffer *buffer = picture_wrap (picture);
  GstBuffer *out;

  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  out = harness_run (h, buffer);
  fail_unless (out == buffer);
  fail_unless (picture_equal (picture, before));
  gst_buffer_unref (out);
  picture_free (before);
  picture_free (picture);
  check_next (h, &reference, FALSE);
  harness_free (h);
}

GST_END_TEST

GST_START_TEST (test_peak_after_flush)
{
  Reference reference;
  GstHarness *h = begin_tall (&reference);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  reference.resets_scale = TRUE;
  check_next (h, &reference, TRUE);
  harness_free (h);
}

GST_END_TEST

GST_START_TEST (test_peak_after_caps)
{
  Reference reference;
  GstHarness *h = begin_tall (&reference);
  GstCaps *caps = video_caps ("GRAY8", 320, 240, "1:4:0:0");

  set_caps (h, &reference, caps);
  gst_caps_unref (caps);
  check_next (h, &reference, TRUE);
  harness_free (h);
}

GST_END_TEST

/* Other curves, and no curves in between, begin anew; another way to draw the
 * same ones does not. */
GST_START_TEST (test_peak_after_change)
{
  Reference reference;
  GstHarness *h = begin_tall (&reference);
  AmphistoSettings settings = usual;

  settings.overlay.scale = AMPHISTO_OVERLAY_LOG;
  settings.overlay.width = 0.5;
  set_settings (h, &reference, &settings);
  check_next (h, &reference, FALSE);
  settings.channels |= ALPHA;
  set_settings (h, &reference, &settings);
  check_next (h, &reference, TRUE);
  harness_free (h);

  h = begin_tall (&reference);
  settings = usual;
  settings.overlay.mode = AMPHISTO_OVERLAY_NONE;
  set_settings (h, &reference, &settings);
  check_next (h, &reference, FALSE);
  set_settings (h, &reference, &usual);
  check_next (h, &reference, TRUE);
  harness_free (h);
}

GST_END_TEST

/* The CPU, which has not seen the frames before, agrees from the first on. */
GST_START_TEST (test_peak_after_verify)
{
  Reference reference;
  GstHarness *h = begin_tall (&reference);

  g_object_set (h->element, "verify", TRUE, NULL);
  reference.resets_scale = TRUE;
  check_next (h, &reference, TRUE);
  check_next (h, &reference, TRUE);
  harness_free (h);
}

GST_END_TEST

/* Stripes of 4 pixels, that move by one from frame to frame; no graph. */
GST_START_TEST (test_zebra_moves)
{
  Picture *picture = picture_new ("GRAY8", 64, 32, PICTURE_ODD, 255, 255, 1);
  Picture *expected = picture_copy (picture);
  AmphistoSettings settings = usual;
  Reference reference;
  GstHarness *h;

  settings.overlay.mode = AMPHISTO_OVERLAY_NONE;
  settings.overlay.clipping = AMPHISTO_CLIPPING_ZEBRA;
  h = begin (&reference, picture, &settings);
  for (guint n = 0; n < 20; n++) {
    for (guint y = 0; y < 32; y++)
      for (guint x = 0; x < 64; x++)
        picture_row (expected, 0, y)[x] = (x + y + n) / 4 % 2 ? 63 : 255;
    picture_fill (picture, "luma", 255);
    gst_buffer_unref (harness_run (h, picture_wrap_nth (picture, n)));
    fail_unless (picture_equal (picture, expected), "frame %u", n);
  }
  picture_free (expected);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* --- equalization --- */

/* What is clipped as it arrived shows, and not what equalization clips. */
GST_START_TEST (test_zebra_as_it_arrived)
{
  Picture *picture = picture_new ("GRAY8", 64, 48, PICTURE_ODD, 100, 101, 1);
  Picture *expected = picture_copy (picture);
  AmphistoSettings settings = usual;
  Reference reference;
  GstHarness *h;
  GstBuffer *out;
  GstCaps *caps;

  settings.equalization = AMPHISTO_EQUALIZATION_GLOBAL;
  settings.overlay.mode = AMPHISTO_OVERLAY_NONE;
  settings.overlay.clipping = AMPHISTO_CLIPPING_ZEBRA;
  h = begin (&reference, picture, &settings);
  caps = gst_pad_get_current_caps (h->srcpad);
  out = harness_run (h, picture_wrap (picture));
  picture_equalize (expected, FALSE, 1.0f);
  assert_pixels (out, caps, expected);
  gst_caps_unref (caps);
  gst_buffer_unref (out);
  picture_free (expected);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* Behind an equalizing amphisto the result's histogram is shown. */
GST_START_TEST (test_of_equalized)
{
  GstHarness *h = gst_harness_new_parse (
      "amphisto equalization=global ! amphisto overlay=overlay");
  Picture *picture = picture_new ("I420", 320, 240, PICTURE_ODD, 40, 90, 1);
  Picture *equalized = picture_copy (picture);
  GstCaps *caps = video_caps ("I420", 320, 240, NULL);
  Reference reference = { 0 };
  Picture *expected;
  GstBuffer *out;

  gst_harness_play (h);
  set_caps (h, &reference, caps);
  reference_set_settings (&reference, &usual);
  picture_equalize (equalized, TRUE, 1.0f);
  expected = reference_run (&reference, equalized);
  out = harness_run (h, picture_wrap (picture));
  fail_unless_equals_int (buffer_n_metas (out), 1);
  assert_histograms (out, equalized, "luma");
  fail_unless (picture_equal (picture, expected));
  gst_buffer_unref (out);
  gst_caps_unref (caps);
  picture_free (expected);
  picture_free (equalized);
  picture_free (picture);
  gst_harness_teardown (h);
}

GST_END_TEST

/* --- properties --- */

/* As gst-launch-1.0 would write them. */
static const struct
{
  const gchar *name;
  const gchar *unset;
  const gchar *nicks; /* of the values from 0 on */
} specs[] = {
  { "overlay", "none", "none overlay stack parade" },
  { "overlay-position", "bottom-right",
      "top-left top-right bottom-left bottom-right" },
  { "overlay-width", "0.33", NULL },
  { "overlay-height", "0.25", NULL },
  { "overlay-opacity", "0.7", NULL },
  { "overlay-scale", "linear", "linear log" },
  { "graticule", "true", NULL },
  { "clipping", "bars", "none bars zebra" },
  { "percentile-marks", "false", NULL },
};

static void
check_nicks (GstElement *element, const gchar *name, const gchar *nicks)
{
  g_auto (GStrv) parts = g_strsplit (nicks, " ", -1);
  gint value;

  for (guint i = 0; parts[i] != NULL; i++) {
    gst_util_set_object_arg (G_OBJECT (element), name, parts[i]);
    g_object_get (element, name, &value, NULL);
    fail_unless_equals_int (value, i);
  }
}

GST_START_TEST (test_specs)
{
  const GParamFlags wanted =
      G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING | GST_PARAM_CONTROLLABLE;
  const gchar *name = specs[__i__].name;
  GstElement *element = element_new (NULL, NULL);
  GParamSpec *spec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), name);
  GValue initial = G_VALUE_INIT, unset = G_VALUE_INIT;

  fail_unless (spec != NULL);
  fail_unless_equals_int (spec->flags & wanted, wanted);
  g_value_init (&unset, spec->value_type);
  g_value_init (&initial, spec->value_type);
  g_object_get_property (G_OBJECT (element), name, &initial);
  fail_unless (gst_value_deserialize (&unset, specs[__i__].unset));
  fail_unless_equals_int (g_param_values_cmp (spec, &initial, &unset), 0);
  fail_unless (g_param_value_defaults (spec, &unset));
  g_value_unset (&initial);
  g_value_unset (&unset);
  if (specs[__i__].nicks != NULL)
    check_nicks (element, name, specs[__i__].nicks);
  element_free (element);
}

GST_END_TEST

static void
control (GstElement *element, const gchar *property, gdouble last)
{
  GstControlSource *source = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *values = GST_TIMED_VALUE_CONTROL_SOURCE (source);

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
  fail_unless (gst_timed_value_control_source_set (values, 0, 0.0));
  fail_unless (
      gst_timed_value_control_source_set (values, 320 * GST_MSECOND, last));
  fail_unless (gst_object_add_control_binding (GST_OBJECT (element),
      gst_direct_control_binding_new (GST_OBJECT (element), property, source)));
  gst_object_unref (source);
}

/* In 8 frames the ground gets darker, and the graph goes from none through all
 * there are. */
GST_START_TEST (test_controlled)
{
  Picture *first = picture_new ("RGB", 160, 120, PICTURE_TIGHT, 0, 255, 1);
  AmphistoSettings settings = usual;
  Reference reference;
  GstHarness *h = begin (&reference, first, &settings);

  control (h->element, "overlay", 1.0);
  control (h->element, "overlay-opacity", 0.75);
  for (guint n = 0; n <= 8; n++) {
    Picture *picture = picture_copy (first);
    Picture *expected;

    settings.overlay.mode = n * AMPHISTO_OVERLAY_PARADE / 8;
    settings.overlay.opacity = n * 0.75 / 8;
    reference_set_settings (&reference, &settings);
    expected = reference_run (&reference, picture);
    gst_buffer_unref (harness_run (h, picture_wrap_nth (picture, n)));
    fail_unless (picture_equal (picture, expected), "frame %u", n);
    picture_free (expected);
    picture_free (picture);
  }
  picture_free (first);
  harness_free (h);
}

GST_END_TEST

/* Without metadata, frames pass as long as nothing is drawn; the way a graph
 * would be drawn is none. */
GST_START_TEST (test_passthrough)
{
  static const AmphistoClipping clippings[] = { AMPHISTO_CLIPPING_NONE,
    AMPHISTO_CLIPPING_BARS, AMPHISTO_CLIPPING_ZEBRA };
  Picture *picture = picture_new ("GRAY8", 64, 48, PICTURE_TIGHT, 0, 255, 1);
  AmphistoSettings settings = usual;
  Reference reference;
  GstHarness *h = begin (&reference, picture, &settings);

  g_object_set (h->element, "attach-meta", FALSE, NULL);
  for (guint i = 0; i < 6; i++) {
    const gboolean draws = i >= 3 || i % 3 == 2;
    GstBuffer *buffer = picture_wrap (picture);
    GstBuffer *out;

    settings.overlay.mode =
        i >= 3 ? AMPHISTO_OVERLAY_STACK : AMPHISTO_OVERLAY_NONE;
    settings.overlay.clipping = clippings[i % 3];
    set_settings (h, &reference, &settings);
    out = harness_run (h, gst_buffer_ref (buffer));
    fail_unless_equals_int (out != buffer, draws);
    fail_unless_equals_int (buffer_n_metas (out), 0);
    gst_buffer_unref (out);
    gst_buffer_unref (buffer);
  }
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* verify agrees on every way to draw, in every format. */
GST_START_TEST (test_verify)
{
  GstHarness *h = harness_new ("verify", TRUE, "qos", FALSE, NULL);
  GRand *random = g_rand_new_with_seed (__i__);
  Reference reference = { 0 };

  for (guint i = __i__; i < PICTURE_N_FORMATS; i += 6)
    for (AmphistoOverlayMode mode = AMPHISTO_OVERLAY_NONE;
         mode <= AMPHISTO_OVERLAY_PARADE; mode++)
      for (guint n = 0; n < 4; n++) {
        Picture *picture = picture_new (
            picture_formats[i].name, 131, 83, PICTURE_ODD, 10, 250, n);
        AmphistoSettings settings = random_settings (random);

        settings.overlay.mode = mode;
        set_settings (h, &reference, &settings);
        harness_set_caps (h, picture);
        gst_buffer_unref (harness_run (h, picture_wrap (picture)));
        gst_buffer_unref (harness_run (h, picture_wrap (picture)));
        picture_free (picture);
      }
  g_rand_free (random);
  harness_free (h);
}

GST_END_TEST

/* --- pipelines --- */

#define DRAWING                                                                \
  "amphisto channels=luma+chroma+rgb+alpha overlay=parade clipping=zebra "     \
  "percentile-marks=true verify=true qos=false "

/* A picture beside itself with the graph, a live one, and one that is converted
 * to another format. */
static const gchar *const pipelines[] = {
  "videotestsrc num-buffers=10 ! video/x-raw,format=AYUV ! tee name=t ! queue "
  "! " DRAWING "! mix. t. ! queue ! mix. compositor name=mix sink_1::xpos=320 "
  "! fakesink",
  "videotestsrc is-live=true num-buffers=10 ! video/x-raw,format=I420 "
  "! " DRAWING "! compositor ! fakesink sync=true",
  "videotestsrc num-buffers=10 ! video/x-raw,format=NV12 ! " DRAWING
  "! videoconvert ! video/x-raw,format=RGB ! " DRAWING "! fakesink",
};

GST_START_TEST (test_pipeline)
{
  GstElement *pipeline = gst_parse_launch (pipelines[__i__], NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (
      bus, 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  fail_unless (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS,
      "%" GST_PTR_FORMAT, message);
  gst_message_unref (message);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

GST_END_TEST

static Suite *
overlay_suite (void)
{
  Suite *suite = suite_create ("overlay");
  TCase *tc = tcase_create ("overlay");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_format, 0, PICTURE_N_FORMATS);
  tcase_add_loop_test (tc, test_rectangle, 0, G_N_ELEMENTS (rectangles));
  tcase_add_loop_test (tc, test_colours_of_yuv, 0, 3);
  tcase_add_loop_test (tc, test_lacking, 0, G_N_ELEMENTS (lacking));
  tcase_add_test (tc, test_peak_falls);
  tcase_add_test (tc, test_peak_after_gap);
  tcase_add_test (tc, test_peak_after_flush);
  tcase_add_test (tc, test_peak_after_caps);
  tcase_add_test (tc, test_peak_after_change);
  tcase_add_test (tc, test_peak_after_verify);
  tcase_add_test (tc, test_zebra_moves);
  tcase_add_test (tc, test_zebra_as_it_arrived);
  tcase_add_test (tc, test_of_equalized);
  tcase_add_loop_test (tc, test_specs, 0, G_N_ELEMENTS (specs));
  tcase_add_test (tc, test_controlled);
  tcase_add_test (tc, test_passthrough);
  tcase_add_loop_test (tc, test_verify, 0, 6);
  tcase_add_loop_test (tc, test_pipeline, 0, G_N_ELEMENTS (pipelines));
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "overlay", overlay_suite);
}
