/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Scopes that are sent along as an overlay composition: the same as the drawn
 * ones, above a frame that is left alone.
 */

#include "renderer.h"

#include <math.h>
#include <string.h>

/* Two elements with the same settings and frames: one draws, the other one
 * sends compositions. */
typedef struct
{
  Renderer drawn;
  Renderer composed;
  const gchar *colorimetry;
} Pair;

static void
pair_init (Pair *self, const Picture *picture, const gchar *colorimetry)
{
  Renderer *const both[] = { &self->drawn, &self->composed };

  self->colorimetry = colorimetry;
  for (guint i = 0; i < 2; i++) {
    renderer_init (both[i],
        harness_new ("scopes", AMPHISTO_ALL_SCOPES, "channels", CHANNELS_ALL,
            "qos", FALSE, NULL),
        i > 0 ? TAKES : REFUSES, i > 0);
    harness_set_colorimetry (both[i]->h, picture, colorimetry);
  }
}

static void
pair_set (Pair *self, const gchar *first_property, ...)
{
  Renderer *const both[] = { &self->drawn, &self->composed };

  for (guint i = 0; i < 2; i++) {
    va_list args;

    va_start (args, first_property);
    g_object_set_valist (G_OBJECT (both[i]->h->element), first_property, args);
    va_end (args);
  }
}

/* GRAY8 has nothing for the vectorscope. */
static void
pair_clear (Pair *self)
{
  Renderer *const both[] = { &self->drawn, &self->composed };

  for (guint i = 0; i < 2; i++) {
    drop_refused (both[i]->h->element, "vectorscope");
    harness_free (both[i]->h);
  }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pair, pair_clear)

/* The results of both elements. */
typedef struct
{
  Picture *drawn;
  Picture *frame; /* that has the composition */
  Picture *blended;
  GstBuffer *buffer; /* that has the composition */
} Results;

static Results
pair_run (Pair *self, const Picture *picture, guint n)
{
  g_autoptr (Picture) input = picture_copy (picture);
  Results results = { picture_copy (picture), picture_copy (picture),
    picture_copy (picture), NULL };

  harness_change (self->drawn.h, results.drawn, n);
  results.buffer = harness_run (self->composed.h, picture_wrap_nth (input, n));
  picture_read (results.frame, results.buffer);
  picture_read_blended (results.blended, results.buffer, self->colorimetry);
  fail_unless (!renderer_has_compositions (&self->drawn));
  fail_unless (renderer_has_compositions (&self->composed));
  return results;
}

static void
results_clear (Results *self)
{
  picture_free (self->drawn);
  picture_free (self->frame);
  picture_free (self->blended);
  gst_buffer_unref (self->buffer);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Results, results_clear)

/* Random samples; alpha, and the padding within pixels, which GStreamer's blend
 * reads as alpha, are opaque. */
static Picture *
opaque_picture (const gchar *format, guint width, guint height)
{
  Picture *picture =
      picture_new (format, width, height, PICTURE_TIGHT, 0, 255, 1);
  const gchar *x = strchr (format, 'x');
  const gboolean has_alpha = picture->format->component[3].channel != NULL;

  if (has_alpha)
    picture_fill (picture, "alpha", 255);
  for (guint i = 0; x != NULL && i < width * height; i++)
    picture_row (picture, 0, i / width)[i % width * 4 + (x - format)] = 255;
  return picture;
}

static guint8
sample (const Picture *picture, const PictureComponent *c, guint x, guint y)
{
  return picture_row (picture, c->plane,
      y >> c->y_shift)[c->offset + (x >> c->x_shift) * c->step];
}

/* --- blended --- */

/* B, G, R and alpha of the canvas above a pixel. */
static const guint8 *
pixel_above (
    GstVideoOverlayRectangle *rectangle, GBytes *canvas, guint x, guint y)
{
  static const guint8 transparent[4];
  gint left, top;
  guint width, height;

  gst_video_overlay_rectangle_get_render_rectangle (
      rectangle, &left, &top, &width, &height);
  x -= left;
  y -= top;
  if (x >= width || y >= height)
    return transparent;
  return (const guint8 *) g_bytes_get_data (canvas, NULL)
      + ((gsize) y * width + x) * 4;
}

/* Whether all pixels of the component's sample have the same light above them:
 * the element takes their mean, GStreamer one of them. */
static gboolean
is_even (GstVideoOverlayRectangle *rectangle, GBytes *canvas,
    const PictureComponent *c, guint x, guint y)
{
  const guint8 *first = pixel_above (rectangle, canvas, x, y);

  for (guint j = 0; j < 1u << c->y_shift; j++)
    for (guint i = 0; i < 1u << c->x_shift; i++)
      if (memcmp (first, pixel_above (rectangle, canvas, x + i, y + j), 4) != 0)
        return FALSE;
  return TRUE;
}

/* What light leaves on a sample of Y, U or V: the standards' constants, in
 * double. U and V of full range are 1 to 255. */
static gdouble
blended_sample (const Picture *picture, const PictureComponent *c, guint before,
    const guint8 *light)
{
  const gdouble b = light[0], g = light[1], r = light[2], alpha = light[3];
  const gdouble kr = picture->kr, kb = picture->kb;
  const gdouble luma = kr * r + (1 - kr - kb) * g + kb * b;
  const gdouble rest = before * (255 - alpha) / 255;
  const gboolean is_limited = picture->is_limited;

  if (strcmp (c->channel, "u") == 0)
    return rest + 128 * alpha / 255
        + (b - luma) / (2 * (1 - kb)) * (is_limited ? 224 : 254) / 255;
  if (strcmp (c->channel, "v") == 0)
    return rest + 128 * alpha / 255
        + (r - luma) / (2 * (1 - kr)) * (is_limited ? 224 : 254) / 255;
  return rest + (is_limited ? 16 * alpha / 255 + luma * 219 / 255 : luma);
}

/* Compares all samples under even light with the drawn ones: blended by
 * GStreamer, which takes BT.709 of limited range for any YUV, and by the
 * standard. Alpha of frames that were opaque stays. */
static void
check_blended (
    const Picture *picture, const Results *results, gboolean by_gstreamer)
{
  GstVideoOverlayRectangle *rectangle = buffer_rectangle (results->buffer, 0);
  g_autoptr (GBytes) canvas = buffer_canvas (results->buffer);
  const PictureComponent *c = picture->format->component;
  guint n = 0;

  for (; c->channel != NULL && c < picture->format->component + 4; c++)
    for (guint y = 0; y < picture->height; y += 1u << c->y_shift)
      for (guint x = 0; x < picture->width; x += 1u << c->x_shift) {
        const guint drawn = sample (results->drawn, c, x, y);
        const gdouble blended = by_gstreamer
            ? sample (results->blended, c, x, y)
            : blended_sample (picture, c, sample (picture, c, x, y),
                pixel_above (rectangle, canvas, x, y));

        if (!is_even (rectangle, canvas, c, x, y)
            || (!by_gstreamer && strcmp (c->channel, "alpha") == 0))
          continue;
        n += drawn != sample (picture, c, x, y);
        if (fabs (drawn - blended) > (by_gstreamer ? 2 : 1))
          fail ("%s (%u, %u): drawn %u, blended %f", c->channel, x, y, drawn,
              blended);
      }
  fail_unless (n > 1000, "only %u samples are drawn", n);
}

static const struct
{
  const gchar *format;
  const gchar *colorimetry; /* of YUV */
  gdouble kr, kb;
  gboolean is_limited;
} blends[] = {
  { "RGB", NULL, 0, 0, FALSE },
  { "BGRx", NULL, 0, 0, FALSE },
  { "xRGB", NULL, 0, 0, FALSE },
  { "RGBA", NULL, 0, 0, FALSE },
  { "BGRA", NULL, 0, 0, FALSE },
  { "GBR", NULL, 0, 0, FALSE },
  { "I420", "bt709", 0.2126, 0.0722, TRUE },
  { "NV12", "bt709", 0.2126, 0.0722, TRUE },
  { "YUY2", "bt709", 0.2126, 0.0722, TRUE },
  { "Y444", "bt709", 0.2126, 0.0722, TRUE },
  { "AYUV", "bt709", 0.2126, 0.0722, TRUE },
  { "I420", "bt601", 0.299, 0.114, TRUE },
  { "NV12", "1:4:7:1", 0.299, 0.114, FALSE },
  { "Y444", "1:3:5:1", 0.2126, 0.0722, FALSE },
  { "GRAY8", NULL, 0.299, 0.114, FALSE },
};

TEST (test_blended)
{
  const gchar *colorimetry = blends[__i__].colorimetry;
  g_autoptr (Picture) picture = opaque_picture (blends[__i__].format, 320, 240);
  g_auto (Results) results = { 0 };
  g_auto (Pair) pair = { 0 };

  picture->kr = blends[__i__].kr;
  picture->kb = blends[__i__].kb;
  picture->is_limited = blends[__i__].is_limited;
  pair_init (&pair, picture, colorimetry);
  results = pair_run (&pair, picture, 0);
  fail_unless_same_picture (results.frame, picture);
  if (picture->format->is_rgb || g_strcmp0 (colorimetry, "bt709") == 0)
    check_blended (picture, &results, TRUE);
  if (!picture->format->is_rgb)
    check_blended (picture, &results, FALSE);
}

/* --- rectangles --- */

/* Blends above RGB as drawn, within 2 of 255. */
static void
assert_as_drawn (const Results *results)
{
  assert_near (results->drawn, results->blended, 2);
}

/* Runs an RGB frame, which is left alone. */
static void
check_as_drawn (Pair *pair, const Picture *picture, guint n)
{
  g_auto (Results) results = pair_run (pair, picture, n);

  assert_as_drawn (&results);
  fail_unless_same_picture (results.frame, picture);
}

/* By scope-position, as in ./overlay.c: left, top, width and height. */
static const guint rectangles[][4] = {
  { 16, 12, 208, 120 },
  { 416, 12, 208, 120 },
  { 16, 348, 208, 120 },
  { 416, 348, 208, 120 },
};

/* One rectangle of BGRA with premultiplied alpha, not scaled. The frame has the
 * same memory, with its bytes, whether it is shared or not. */
static void
check_rectangle (
    GstHarness *h, Picture *picture, guint position, gboolean is_shared)
{
  g_autoptr (Picture) before = picture_copy (picture);
  GstBuffer *buffer = picture_wrap (picture);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  g_autoptr (GstBuffer) shared = is_shared ? gst_buffer_ref (buffer) : NULL;
  g_autoptr (GstBuffer) out = harness_run (h, buffer);
  GstVideoOverlayRectangle *rectangle = buffer_rectangle (out, 0);
  const guint *expected = rectangles[position];
  const GstVideoMeta *pixels;
  gint x, y;
  guint width, height;

  fail_unless_equals_int (out != buffer, is_shared);
  fail_unless_equals_int (gst_buffer_n_memory (out), 1);
  fail_unless (gst_buffer_peek_memory (out, 0) == memory);
  fail_unless_same_picture (picture, before);
  fail_unless (!is_shared || buffer_composition (shared) == NULL);
  fail_unless_equals_int (
      gst_video_overlay_composition_n_rectangles (buffer_composition (out)), 1);
  fail_unless_equals_int (gst_video_overlay_rectangle_get_flags (rectangle),
      GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
  gst_video_overlay_rectangle_get_render_rectangle (
      rectangle, &x, &y, &width, &height);
  fail_unless ((guint) x == expected[0] && (guint) y == expected[1]
          && width == expected[2] && height == expected[3],
      "%ux%u at (%d, %d)", width, height, x, y);
  pixels = gst_buffer_get_video_meta (
      gst_video_overlay_rectangle_get_pixels_unscaled_raw (
          rectangle, GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA));
  fail_unless_equals_int (
      pixels->format, GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB);
  fail_unless_equals_int (pixels->width, width);
  fail_unless_equals_int (pixels->height, height);
}

TEST (test_rectangle)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 640, 480, PICTURE_ODD, 0, 255, 1);
  g_auto (Renderer) r = { 0 };

  renderer_new_for (
      &r, picture, NULL, "scopes", 1, "scope-position", __i__, NULL);
  for (guint shared = 0; shared < 2; shared++)
    check_rectangle (r.h, picture, __i__, shared);
}

/* One to three scopes, in each corner, with room for a parade. */
TEST (test_scopes)
{
  g_autoptr (Picture) picture = opaque_picture ("RGB", 960, 120);
  g_auto (Pair) pair = { 0 };

  pair_init (&pair, picture, NULL);
  pair_set (&pair, "scopes", __i__, NULL);
  for (guint position = 0; position < 4; position++) {
    pair_set (&pair, "scope-position", position, "scope-opacity",
        position / 3.0, "scope-display", position % 3, NULL);
    check_as_drawn (&pair, picture, position);
  }
}

/* The composition has these lines (x, y, width, height), and the scopes. */
static void
assert_lines (const Results *results, const gint lines[4][4])
{
  fail_unless_equals_int (gst_video_overlay_composition_n_rectangles (
                              buffer_composition (results->buffer)),
      5);
  for (guint i = 0; i < 4; i++) {
    gint x, y;
    guint width, height;

    gst_video_overlay_rectangle_get_render_rectangle (
        buffer_rectangle (results->buffer, i), &x, &y, &width, &height);
    fail_unless (x == lines[i][0] && y == lines[i][1]
            && (gint) width == lines[i][2] && (gint) height == lines[i][3],
        "line %u: %ux%u at (%d, %d)", i, width, height, x, y);
  }
}

/* The outline of the region is four white lines below the scopes: just inside
 * the region, one row thick. */
TEST (test_outline)
{
  static const gint lines[4][4] = { { 20, 30, 100, 1 }, { 20, 109, 100, 1 },
    { 20, 30, 1, 80 }, { 119, 30, 1, 80 } };
  g_autoptr (Picture) picture = opaque_picture ("RGB", 320, 240);
  Results results;
  g_auto (Pair) pair = { 0 };

  pair_init (&pair, picture, NULL);
  pair_set (&pair, "roi-x", 20, "roi-y", 30, "roi-width", 100, "roi-height", 80,
      NULL);
  for (guint n = 0; n < 2; n++) {
    results = pair_run (&pair, picture, n);
    assert_as_drawn (&results);
    assert_lines (&results, lines);
    results_clear (&results);
  }
  /* without the graticule there is no outline */
  pair_set (&pair, "graticule", FALSE, NULL);
  results = pair_run (&pair, picture, 2);
  assert_as_drawn (&results);
  fail_unless_equals_int (gst_video_overlay_composition_n_rectangles (
                              buffer_composition (results.buffer)),
      1);
  results_clear (&results);
}

/* Two rows thick in interlaced frames, and no larger than the region. */
TEST (test_outline_of_fields)
{
  static const struct
  {
    gint width, height, lines[4][4];
  } regions[] = {
    { 100, 80,
        { { 20, 30, 100, 2 }, { 20, 108, 100, 2 }, { 20, 30, 2, 80 },
            { 118, 30, 2, 80 } } },
    { 100, 1,
        { { 20, 30, 100, 1 }, { 20, 30, 100, 1 }, { 20, 30, 2, 1 },
            { 118, 30, 2, 1 } } },
    { 1, 80,
        { { 20, 30, 1, 2 }, { 20, 108, 1, 2 }, { 20, 30, 1, 80 },
            { 20, 30, 1, 80 } } },
    { 1, 1,
        { { 20, 30, 1, 1 }, { 20, 30, 1, 1 }, { 20, 30, 1, 1 },
            { 20, 30, 1, 1 } } },
  };
  g_autoptr (Picture) picture = opaque_picture ("RGB", 320, 240);
  g_auto (Pair) pair = { 0 };

  pair_init (&pair, picture, NULL);
  harness_set_fields (pair.drawn.h, picture, "interlace-mode=interleaved");
  harness_set_fields (pair.composed.h, picture, "interlace-mode=interleaved");
  for (guint i = 0; IS_ROW (regions, i); i++) {
    g_auto (Results) results = { 0 };

    pair_set (&pair, "roi-x", 20, "roi-y", 30, "roi-width", regions[i].width,
        "roi-height", regions[i].height, NULL);
    results = pair_run (&pair, picture, i);
    assert_as_drawn (&results);
    assert_lines (&results, regions[i].lines);
  }
}

/* --- other work --- */

static const struct
{
  gint equalization, exposure;
} works[] = { { AMPHISTO_EQUALIZATION_GLOBAL, 0 },
  { AMPHISTO_EQUALIZATION_CLAHE, 0 }, { AMPHISTO_EQUALIZATION_NONE, 1 },
  { AMPHISTO_EQUALIZATION_NONE, 2 }, { AMPHISTO_EQUALIZATION_GLOBAL, 3 } };

/* Equalization, zebra and false colour change the frame, below the composition.
 */
TEST (test_other_work)
{
  g_autoptr (Picture) picture = opaque_picture ("RGB", 320, 240);
  g_autoptr (Picture) without = picture_copy (picture);
  g_autoptr (Harness) h =
      harness_new_for (picture, "equalization", works[__i__].equalization,
          "exposure", works[__i__].exposure, "zebra-high", 60.0, NULL);
  g_auto (Results) results = { 0 };
  g_auto (Pair) pair = { 0 };

  harness_change (h, without, 0);
  fail_unless (!picture_equal (without, picture));
  pair_init (&pair, picture, NULL);
  pair_set (&pair, "equalization", works[__i__].equalization, "exposure",
      works[__i__].exposure, "zebra-high", 60.0, NULL);
  results = pair_run (&pair, picture, 0);
  assert_as_drawn (&results);
  fail_unless_same_picture (results.frame, without);
}

/* Compositions do not need metadata, and leave a shared buffer alone. */
TEST (test_no_meta)
{
  g_autoptr (Picture) picture = opaque_picture ("RGB", 320, 240);
  g_autoptr (GstBuffer) shared = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;
  g_auto (Renderer) r = { 0 };

  renderer_new_for (&r, picture, NULL, "scopes", 1, "attach-meta", FALSE, NULL);
  out = harness_run (r.h, gst_buffer_ref (shared));
  buffer_rectangle (out, 0);
  fail_unless_equals_int (buffer_n_metas (out), 0);
  fail_unless (buffer_composition (shared) == NULL);
}

const ElementTest element_tests[] = { EACH (test_blended, blends),
  EACH (test_rectangle, rectangles),
  RANGE (test_scopes, 1, AMPHISTO_ALL_SCOPES + 1), ONCE (test_outline),
  ONCE (test_outline_of_fields), EACH (test_other_work, works),
  ONCE (test_no_meta), { 0 } };
