/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams with scopes that are sent along as overlay compositions: each belongs
 * to its own frame and stays as it was, the state between frames stays when
 * downstream changes, and upstream's compositions are kept.
 */

#include "names.h"
#include "othermemory.h"
#include "renderer.h"

#include <string.h>

/* --- what stays --- */

/* Frames whose histograms and levels differ. */
static Picture *
nth_picture (guint n)
{
  return picture_new (
      "RGB", 320, 240, PICTURE_TIGHT, 7 * n % 40, 90 + n * 50 % 150, n);
}

/* Neither the mean that smoothing keeps nor the histogram's decaying scale
 * restarts when downstream changes, or with it (1) the scopes: frames are those
 * of an element that always draws. */
TEST (test_state_stays)
{
  g_autoptr (Picture) first = nth_picture (0);
  g_auto (Renderer) r = { 0 };
  GstHarness *drawing = harness_new_for (first, "scopes", HISTOGRAM,
      "equalization", AMPHISTO_EQUALIZATION_GLOBAL, "smoothing", 0.9, NULL);

  renderer_init (&r,
      harness_new ("scopes", HISTOGRAM, "equalization",
          AMPHISTO_EQUALIZATION_GLOBAL, "smoothing", 0.9, NULL),
      TAKES, TRUE);
  harness_set_caps (r.h, first);
  for (guint n = 0; n < 24; n++) {
    g_autoptr (Picture) drawn = nth_picture (n);
    g_autoptr (Picture) frame = nth_picture (n);
    g_autoptr (GstBuffer) out = NULL;

    if (n % 3 == 0)
      renderer_change (&r, n % 2 ? TAKES : ANY, n % 2);
    if (__i__ > 0 && n % 4 == 0) {
      g_object_set (r.h->element, "scopes", n % 8 > 0, NULL);
      g_object_set (drawing->element, "scopes", n % 8 > 0, NULL);
    }
    harness_change (drawing, drawn, n);
    out = harness_run (r.h, picture_wrap_nth (frame, n));
    if (buffer_composition (out) != NULL)
      picture_read_blended (frame, out, NULL);
    else
      picture_read (frame, out);
    assert_near (frame, drawn, buffer_composition (out) != NULL ? 2 : 0);
  }
  harness_free (drawing);
}

/* The warning that scopes have no room is posted once. */
TEST (test_warned_once)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_auto (Renderer) r = { 0 };

  renderer_init (&r, harness_new ("scopes", ALL_SCOPES, NULL), TAKES, TRUE);
  harness_set_caps (r.h, picture);
  for (guint n = 0; n < 6; n++) {
    harness_pass (r.h, picture_wrap (picture));
    renderer_change (&r, n % 2 ? TAKES : ANY, n % 3 == 0);
  }
  assert_refused (r.h->element, "has no room");
}

/* --- upstream's compositions --- */

/* A composition of one rectangle of 16 by 8 at (3, 5). */
static GstVideoOverlayComposition *
composition_new (void)
{
  GstBuffer *pixels = gst_buffer_new_allocate (NULL, 16 * 8 * 4, NULL);
  GstVideoOverlayComposition *composition;
  GstVideoOverlayRectangle *rectangle;

  gst_buffer_memset (pixels, 0, 0x40, 16 * 8 * 4);
  gst_buffer_add_video_meta (pixels, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 16, 8);
  rectangle = gst_video_overlay_rectangle_new_raw (
      pixels, 3, 5, 16, 8, GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
  composition = gst_video_overlay_composition_new (rectangle);
  gst_video_overlay_rectangle_unref (rectangle);
  gst_buffer_unref (pixels);
  return composition;
}

/* Runs a frame with a composition of upstream's: its rectangle stays, below the
 * scopes if they are sent along. The composition itself, which others may have,
 * does not change. */
static void
check_upstream (Renderer *self, guint n_expected)
{
  g_autoptr (Picture) picture = picture_grey (90);
  GstVideoOverlayComposition *composition = composition_new ();
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;

  gst_buffer_add_video_overlay_composition_meta (buffer, composition);
  out = harness_run (self->h, buffer);
  fail_unless_equals_int (
      gst_video_overlay_composition_n_rectangles (buffer_composition (out)),
      n_expected);
  fail_unless (buffer_rectangle (out, 0)
      == gst_video_overlay_composition_get_rectangle (composition, 0));
  fail_unless_equals_int (
      gst_video_overlay_composition_n_rectangles (composition), 1);
  gst_video_overlay_composition_unref (composition);
}

static void
set_composition_caps (GstHarness *h)
{
  GstCaps *caps = video_caps ("I420", 320, 240, NULL);

  gst_caps_set_features_simple (caps,
      gst_caps_features_new (
          GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY, COMPOSITION, NULL));
  gst_harness_set_src_caps (h, caps);
}

TEST (test_upstream)
{
  g_auto (Renderer) r = { 0 };

  renderer_start (&r, TAKES, TRUE);
  check_upstream (&r, 2);
  /* upstream's caps have the feature: then downstream's answer does not
   * matter, since upstream has asked for it */
  for (guint proposes = 0; proposes < 2; proposes++) {
    renderer_change (&r, TAKES, proposes);
    set_composition_caps (r.h);
    check_upstream (&r, 2);
    renderer_check_composed (&r);
  }
  g_object_set (r.h->element, "scopes", 0, NULL);
  check_upstream (&r, 1);
  check_upstream (&r, 1);
  fail_unless (renderer_has_compositions (&r));
}

/* Where scopes are drawn, upstream's composition stays on the buffer, in place
 * or in a new one. */
TEST (test_upstream_drawn)
{
  g_auto (Renderer) r = { 0 };

  renderer_start (&r, REFUSES, FALSE);
  check_upstream (&r, 1);
  g_object_set (r.h->element, "equalization", AMPHISTO_EQUALIZATION_GLOBAL,
      "exposure", 1, NULL);
  check_upstream (&r, 1);
}

/* --- frames --- */

/* A GAP buffer has a composition, an empty one has none. */
TEST (test_gap)
{
  g_autoptr (Picture) picture = picture_grey (90);
  GstBuffer *gap = picture_wrap (picture);
  GstBuffer *empty = gap_new ();
  g_autoptr (GstBuffer) out = NULL;
  g_auto (Renderer) r = { 0 };

  GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP);
  renderer_new_for (&r, picture, NULL, "scopes", 1, NULL);
  out = harness_run (r.h, gap);
  buffer_rectangle (out, 0);
  gst_buffer_unref (out);
  out = harness_run (r.h, empty);
  fail_unless (out == empty);
  fail_unless (buffer_composition (out) == NULL);
}

/* A renderer that gets waveforms of frames like the picture, which do not
 * depend on earlier frames. */
static void
start_waveform (Renderer *self, const Picture *picture, guint n_in_flight)
{
  renderer_init (self,
      harness_new ("scopes", WAVEFORM, "frames-in-flight", n_in_flight, NULL),
      TAKES, TRUE);
  harness_set_caps (self->h, picture);
}

static GBytes *
run_canvas (Renderer *self, Picture *picture)
{
  g_autoptr (GstBuffer) out = harness_run (self->h, picture_wrap (picture));

  return buffer_canvas (out);
}

#define N_GREYS 12

/* With several frames in flight: while somebody holds a rectangle, its pixels
 * stay. Those of neighbouring frames differ. */
TEST (test_held)
{
  GstVideoOverlayRectangle *held[N_GREYS];
  GBytes *canvases[N_GREYS];
  Renderer r;

  for (guint n = 0; n < 2 * N_GREYS; n++) {
    g_autoptr (Picture) picture = picture_grey (20 * n % 240);
    g_autoptr (GstBuffer) out = NULL;

    if (n == 0)
      start_waveform (&r, picture, __i__);
    out = harness_run (r.h, picture_wrap_nth (picture, n));
    if (n >= N_GREYS)
      continue;
    canvases[n] = buffer_canvas (out);
    fail_unless (n == 0 || !g_bytes_equal (canvases[n], canvases[n - 1]));
    held[n] = buffer_rectangle (out, 0);
    gst_mini_object_ref ((GstMiniObject *) held[n]);
  }
  harness_free (r.h);
  for (guint n = 0; n < N_GREYS; n++) {
    GstBuffer *pixels = gst_video_overlay_rectangle_get_pixels_unscaled_raw (
        held[n], GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);

    fail_unless_equals_int (
        gst_buffer_memcmp (pixels, 0, g_bytes_get_data (canvases[n], NULL),
            g_bytes_get_size (canvases[n])),
        0);
    gst_video_overlay_rectangle_unref (held[n]);
    g_bytes_unref (canvases[n]);
  }
}

/* A frame in other memory is mapped once, for reading, and goes on as it came.
 * Its scopes are those of system memory. */
TEST (test_other_memory)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture = picture_grey (90);
  GstBuffer *buffer = other_allocator_move (allocator, picture_wrap (picture));
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  G_GNUC_UNUSED g_autoptr (GstBuffer) shared =
      __i__ ? gst_buffer_ref (buffer) : NULL;
  GstCaps *caps = video_caps ("I420", 320, 240, NULL);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (GBytes) expected = NULL, canvas = NULL;
  Renderer system, r;

  start_waveform (&system, picture, 1);
  expected = run_canvas (&system, picture);
  harness_free (system.h);
  gst_caps_set_features_simple (
      caps, gst_caps_features_new ("memory:Other", NULL));
  renderer_init (&r, harness_new ("scopes", WAVEFORM, NULL),
      "video/x-raw(memory:Other, " COMPOSITION "); video/x-raw(memory:Other)",
      TRUE);
  gst_harness_set_src_caps (r.h, caps);
  allocator->maps = (OtherMaps){ 0 };
  out = harness_run (r.h, buffer);
  fail_unless_equals_int (allocator->maps.n, 1);
  fail_unless_equals_int (allocator->maps.n_written, 0);
  fail_unless (gst_buffer_peek_memory (out, 0) == memory);
  canvas = buffer_canvas (out);
  fail_unless (g_bytes_equal (canvas, expected));
  harness_free (r.h);
}

#if GST_CHECK_VERSION(1, 24, 0)
#define DRM_CAPS                                                               \
  "format=DMA_DRM, drm-format=YU12, width=320, height=240, framerate=25/1"

/* DMABufs by their names in Linux have compositions, too. */
TEST (test_drm)
{
  g_autoptr (Picture) picture = picture_grey (90);
  g_autoptr (GstBuffer) out = NULL;
  g_auto (Renderer) r = { 0 };

  renderer_init (&r, harness_new ("scopes", WAVEFORM, NULL),
      "video/x-raw(memory:DMABuf, " COMPOSITION "), " DRM_CAPS
      "; video/x-raw(memory:DMABuf), " DRM_CAPS,
      TRUE);
  gst_harness_set_src_caps_str (r.h, "video/x-raw(memory:DMABuf), " DRM_CAPS);
  out = harness_run (r.h, picture_wrap (picture));
  fail_unless (renderer_has_compositions (&r));
  buffer_rectangle (out, 0);
  assert_pixels (out, picture);
}
#endif

const ElementTest element_tests[] = { TIMES (test_state_stays, 2),
  ONCE (test_warned_once), ONCE (test_upstream), ONCE (test_upstream_drawn),
  ONCE (test_gap), RANGE (test_held, 1, 5), TIMES (test_other_memory, 2),
#if GST_CHECK_VERSION(1, 24, 0)
  ONCE (test_drm),
#endif
  { 0 } };
