/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Scopes alone as the output: caps, pixels, metadata of the measured frame, and
 * the settings that they need.
 */

#include "harnesses.h"
#include "names.h"

#include <string.h>

/* Downstream's caps for a small output. */
#define SMALL "video/x-raw, width=320, height=200"

/* A harness with verified scopes of all channels, for the picture's caps. */
static GstHarness *
scopes_only_new (const Picture *picture, guint scopes, const gchar *out_caps)
{
  GstHarness *h = harness_new ("scopes-only", TRUE, "scopes", scopes,
      "channels", CHANNELS_ALL, "verify", TRUE, "qos", FALSE, NULL);

  if (out_caps != NULL)
    gst_harness_set_sink_caps_str (h, out_caps);
  harness_set_caps (h, picture);
  return h;
}

static GstCaps *
output_caps (GstHarness *h)
{
  return gst_pad_get_current_caps (h->sinkpad);
}

static void
assert_size (GstHarness *h, gint width, gint height)
{
  g_autoptr (GstCaps) caps = output_caps (h);
  GstVideoInfo info;

  fail_unless (caps != NULL && gst_video_info_from_caps (&info, caps));
  fail_unless (info.width == width && info.height == height, "%dx%d, not %dx%d",
      info.width, info.height, width, height);
}

/* The output as a picture, of BGRA or BGRx. */
static Picture *
read_output (GstHarness *h, GstBuffer *out)
{
  g_autoptr (GstCaps) caps = output_caps (h);
  GstVideoInfo info;
  Picture *picture;

  fail_unless (gst_video_info_from_caps (&info, caps));
  picture = picture_new (GST_VIDEO_INFO_NAME (&info), info.width, info.height,
      PICTURE_TIGHT, 0, 255, 1);
  picture_read (picture, out);
  return picture;
}

/* All pixels are opaque. Returns: how many are not black. */
static guint
assert_opaque (const Picture *picture)
{
  guint n = 0;

  for (guint y = 0; y < picture->height; y++)
    for (guint x = 0; x < picture->width; x++) {
      const guint8 *pixel = picture_row (picture, 0, y) + 4 * x;

      fail_unless (pixel[3] == 255, "alpha %u at (%u, %u)", pixel[3], x, y);
      n += pixel[0] + pixel[1] + pixel[2] > 0;
    }
  return n;
}

/* Runs frame `n`, which stays as it is and whose histograms go along. The
 * output is opaque. */
static void
check_frame (GstHarness *h, Picture *picture, guint n)
{
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (GstBuffer) out = harness_run (h, picture_wrap_nth (picture, n));
  g_autoptr (Picture) shown = read_output (h, out);

  fail_unless_same_picture (picture, before);
  assert_histograms (out, before, ALL_NAMES);
  fail_unless_equals_int64 (GST_BUFFER_PTS (out), n * 40 * GST_MSECOND);
  fail_unless (assert_opaque (shown) > 100);
}

/* --- pixels --- */

TEST (test_formats)
{
  for (guint shape = 0; shape < PICTURE_N_SHAPES; shape++) {
    g_autoptr (Picture) picture = picture_new (
        picture_formats[__i__].name, 131, 67, shape, 0, 255, __i__);
    g_autoptr (Harness) h = scopes_only_new (picture, ALL_SCOPES,
        shape % 2 ? "video/x-raw, format=BGRx, width=301, height=107"
                  : "video/x-raw, format=BGRA, width=110, height=233");

    for (guint n = 0; n < 2; n++)
      check_frame (h, picture, n);
    drop_refused (h->element, "no vectorscope is drawn");
  }
}

/* Scopes that are drawn above black, into RGB of the output's size, have the
 * light of scopes alone: the histogram and the waveform fill both, the
 * vectorscope is square and has a margin of 12, or is in the middle. */
TEST (test_as_drawn)
{
  static const guint scopes[] = { HISTOGRAM, WAVEFORM, VECTORSCOPE };
  const guint scope = scopes[__i__ % 3];
  const guint margin = scope == VECTORSCOPE ? 12 : 0;
  const guint middle = scope == VECTORSCOPE ? 80 : 0;
  g_autoptr (Picture) picture =
      picture_new ("RGB", 640, 480, PICTURE_TIGHT, 10, 240, 3);
  g_autoptr (Picture) drawn = picture_copy (picture);
  g_autoptr (Harness) into = harness_new_for (picture, "scopes", scope,
      "channels", CHANNELS_ALL, "scope-display", __i__ / 3, "scope-width", 1.0,
      "scope-height", 1.0, "scope-opacity", 1.0, "scope-position", 0, NULL);
  g_autoptr (Harness) h =
      scopes_only_new (picture, scope, "video/x-raw, width=640, height=480");
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Picture) shown = NULL;

  g_object_set (h->element, "scope-display", __i__ / 3, "verify", FALSE, NULL);
  harness_change (into, drawn, 0);
  out = harness_run (h, picture_wrap (picture));
  shown = read_output (h, out);
  for (guint y = 0; y < 480; y++)
    for (guint x = 0; x < 640 - 2 * middle; x++)
      for (guint c = 0; c < 3; c++) {
        const guint8 a = picture_row (drawn, 0, y)[3 * (x + margin) + c];
        const guint8 b = picture_row (shown, 0, y)[4 * (x + middle) + 2 - c];

        fail_unless (a == b, "(%u, %u): drawn %u, alone %u", x, y, a, b);
      }
  fail_unless (assert_opaque (shown) > 1000);
}

/* Frames of fields, a region, and a cropped buffer. */
TEST (test_parts)
{
  static const gchar *const modes[] = { "interlace-mode=progressive",
    "interlace-mode=interleaved", "interlace-mode=mixed" };
  g_autoptr (Picture) picture =
      picture_new ("I420", 180, 98, PICTURE_PADDED, 20, 230, 9);
  g_autoptr (Picture) cropped =
      picture_new ("I420", 100, 50, PICTURE_TIGHT, 20, 230, 9);
  g_autoptr (Harness) h = scopes_only_new (picture, ALL_SCOPES, SMALL);
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  g_object_set (h->element, "roi-x", 31, "roi-width", 59, "roi-y", 3, NULL);
  harness_set_fields (h, picture, modes[__i__]);
  harness_pass (h, picture_wrap (picture));
  g_object_set (h->element, "roi-x", 0, "roi-width", 0, "roi-y", 0, NULL);
  harness_set_fields (h, cropped, modes[__i__]);
  crop->x = 40;
  crop->y = 20;
  crop->width = 100;
  crop->height = 50;
  out = harness_run (h, buffer);
  fail_unless (gst_buffer_get_video_crop_meta (out) == NULL);
  fail_unless_equals_int (g_value_get_int (gst_structure_get_value (
                              buffer_structure (out), "width")),
      100);
}

/* --- sizes --- */

static const struct
{
  guint scopes;
  const gchar *caps; /* of downstream; NULL: any */
  gint width, height;
} sizes[] = {
  { WAVEFORM, NULL, 1280, 720 },
  { ALL_SCOPES, NULL, 1280, 720 },
  { VECTORSCOPE, NULL, 720, 720 },
  { WAVEFORM, "video/x-raw, width=800, height=400", 800, 400 },
  { VECTORSCOPE, "video/x-raw, width=800, height=400", 800, 400 },
  { WAVEFORM, "video/x-raw, width=[ 1, 500 ], height=[ 900, 1000 ]", 500, 900 },
  { HISTOGRAM, "video/x-raw, format=BGRx, width=77, height={ 51, 90 }", 77,
      90 },
  { HISTOGRAM, "video/x-raw, width=[ 32767, 74000 ], height=48", 32767, 48 },
  { HISTOGRAM,
      "video/x-raw, format=I420, width=64, height=64; "
      "video/x-raw, format=BGRA, width=96, height=48",
      96, 48 },
};

TEST (test_sizes)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Harness) h =
      scopes_only_new (picture, sizes[__i__].scopes, sizes[__i__].caps);

  g_object_set (h->element, "verify", FALSE, NULL);
  check_frame (h, picture, 0);
  assert_size (h, sizes[__i__].width, sizes[__i__].height);
}

/* Only frame rates come from the sink's caps. */
TEST (test_fields_of_caps)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Harness) h = scopes_only_new (picture, WAVEFORM, SMALL);
  g_autoptr (GstCaps) expected = gst_caps_from_string (
      "video/x-raw, format=(string)BGRA, width=(int)320, height=(int)200, "
      "framerate=(fraction)25/1, max-framerate=(fraction)50/1, "
      "interlace-mode=(string)progressive, pixel-aspect-ratio=(fraction)1/1");
  g_autoptr (GstCaps) caps = NULL;

  harness_set_fields (h, picture,
      "interlace-mode=interleaved, pixel-aspect-ratio=12/11, "
      "colorimetry=bt709, chroma-site=mpeg2, multiview-mode=mono, "
      "field-order=top-field-first, max-framerate=50/1");
  harness_pass (h, picture_wrap (picture));
  caps = output_caps (h);
  fail_unless (
      gst_caps_is_equal (caps, expected), "%s", gst_caps_to_string (caps));
}

/* Formats that downstream takes for the sink pad, and for scopes. */
TEST (test_offered)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h =
      scopes_only_new (picture, WAVEFORM, "video/x-raw, width=9");
  g_autoptr (GstCaps) nothing = NULL;
  g_autoptr (GstCaps) sink = gst_pad_peer_query_caps (h->srcpad, NULL);
  g_autoptr (GstCaps) large = gst_caps_from_string (
      "video/x-raw, format=NV12, width=4000, height=3, framerate=7/1");

  fail_unless (gst_caps_is_subset (large, sink));
  gst_harness_set_sink_caps_str (h, "video/x-raw, format=I420");
  nothing = gst_pad_peer_query_caps (h->srcpad, NULL);
  fail_unless (gst_caps_is_empty (nothing));
}

static const gchar *const too_large[] = { "video/x-raw, width=32768",
  "video/x-raw, width=74000, height=64",
  "video/x-raw, height=[ 40000, 2147483647 ]" };

/* The output is at most as wide and as high as videoscale's. */
TEST (test_too_large)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h =
      scopes_only_new (picture, HISTOGRAM, too_large[__i__]);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->element, "src");
  g_autoptr (GstCaps) large = gst_caps_from_string (too_large[__i__]);
  g_autoptr (GstCaps) offered = gst_pad_query_caps (pad, NULL);

  fail_unless (!gst_caps_can_intersect (offered, large));
  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap (picture)), GST_FLOW_NOT_NEGOTIATED);
}

/* Scopes in a frame of more than 65536 columns. */
TEST (test_wide_frame)
{
  g_autoptr (Picture) picture =
      picture_new ("GRAY8", 70000, 48, PICTURE_PADDED, 0, 255, 3);
  g_autoptr (Harness) h =
      harness_new_for (picture, "scopes", HISTOGRAM | WAVEFORM, "scope-width",
          1.0, "scope-height", 1.0, "verify", TRUE, NULL);

  harness_pass (h, picture_wrap (picture));
}

/* --- what goes along --- */

static void
add_metas (GstBuffer *buffer)
{
  static const gchar *none[] = { NULL };
  static const gchar *size[] = { GST_META_TAG_VIDEO_SIZE_STR, NULL };
  static const gchar *colours[] = { GST_META_TAG_VIDEO_COLORSPACE_STR, NULL };
  static const struct
  {
    const gchar *name, **tags;
  } customs[] = { { "AloneTestPlain", none }, { "AloneTestSize", size },
    { "AloneTestColours", colours } };
  g_autoptr (GstVideoOverlayComposition) composition =
      gst_video_overlay_composition_new (NULL);

  buffer_add_metas (buffer);
  gst_buffer_add_video_overlay_composition_meta (buffer, composition);
  for (guint i = 0; i < G_N_ELEMENTS (customs); i++) {
    gst_meta_register_custom (
        customs[i].name, customs[i].tags, NULL, NULL, NULL);
    gst_buffer_add_custom_meta (buffer, customs[i].name);
  }
}

static guint
n_metas (GstBuffer *buffer)
{
  gpointer state = NULL;
  guint n = 0;

  while (gst_buffer_iterate_meta (buffer, &state) != NULL)
    n++;
  return n - (gst_buffer_get_video_meta (buffer) != NULL);
}

/* Times, offsets and flags are kept, except flags of fields. Metas of times and
 * captions go along, metas of the picture do not. */
TEST (test_metas)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Harness) h = scopes_only_new (picture, WAVEFORM, SMALL);
  GstBuffer *buffer = picture_wrap_nth (picture, 3);
  g_autoptr (GstBuffer) out = NULL;

  add_metas (buffer);
  GST_BUFFER_OFFSET (buffer) = 41;
  GST_BUFFER_OFFSET_END (buffer) = 42;
  GST_BUFFER_FLAG_SET (buffer,
      GST_BUFFER_FLAG_MARKER | GST_BUFFER_FLAG_DELTA_UNIT
          | GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF
          | GST_VIDEO_BUFFER_FLAG_RFF);
  out = harness_run (h, buffer);
  fail_unless_equals_int64 (GST_BUFFER_PTS (out), 120 * GST_MSECOND);
  fail_unless_equals_int64 (GST_BUFFER_DURATION (out), 40 * GST_MSECOND);
  fail_unless_equals_int64 (GST_BUFFER_OFFSET (out), 41);
  fail_unless_equals_int64 (GST_BUFFER_OFFSET_END (out), 42);
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_MARKER));
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_DELTA_UNIT));
  fail_unless (!GST_BUFFER_FLAG_IS_SET (out, GST_VIDEO_BUFFER_FLAG_INTERLACED));
  fail_unless (!GST_BUFFER_FLAG_IS_SET (out, GST_VIDEO_BUFFER_FLAG_TFF));
  fail_unless (!GST_BUFFER_FLAG_IS_SET (out, GST_VIDEO_BUFFER_FLAG_RFF));
  assert_metas (out);
  fail_unless (gst_buffer_get_custom_meta (out, "AloneTestPlain") != NULL);
  fail_unless_equals_int (buffer_n_metas (out), 1);
  fail_unless_equals_int (n_metas (out), 5);
}

/* Regions of interest are measured although they do not go along. */
TEST (test_regions)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Harness) h = scopes_only_new (picture, WAVEFORM, SMALL);
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;

  g_object_set (h->element, "roi-meta", TRUE, NULL);
  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 2, 2, 4, 4);
  out = harness_run (h, buffer);
  picture_set_part (picture, 2, 2, 4, 4);
  assert_channels (buffer_region (out, 0), picture, ALL_NAMES);
}

/* Upstream gets no buffers of downstream's size. */
TEST (test_upstream_allocation)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Harness) h = scopes_only_new (picture, WAVEFORM, SMALL);
  g_autoptr (GstQuery) query = harness_query_allocation (h, TRUE);
  g_autoptr (GstBuffer) out =
      harness_run (h, picture_fill_proposed (picture, h));

  assert_histograms (out, picture, ALL_NAMES);
  fail_unless (
      gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  for (guint i = 0; i < gst_query_get_n_allocation_pools (query); i++) {
    guint size;

    gst_query_parse_nth_allocation_pool (query, i, NULL, &size, NULL, NULL);
    fail_unless (size < 1000, "%u", size);
  }
}

/* --- settings --- */

/* The element does not start without scopes. While it plays, the last one
 * stays, and the output is the scopes'. */
TEST (test_without_scopes)
{
  g_autoptr (TestElement) element = element_new ("scopes-only", TRUE, NULL);
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Harness) h = scopes_only_new (picture, WAVEFORM, SMALL);
  g_autoptr (GError) error = NULL;
  guint scopes;

  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  error = bus_pop_error (element, NULL);
  assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "scopes-only=true shows nothing with scopes=none");
  g_object_set (h->element, "scopes", 0, NULL);
  assert_refused (h->element, "scopes stays as it is: ");
  g_object_get (h->element, "scopes", &scopes, NULL);
  fail_unless_equals_int (scopes, WAVEFORM);
  check_frame (h, picture, 0);
  g_object_set (h->element, "scopes", VECTORSCOPE, NULL);
  check_frame (h, picture, 1);
  assert_size (h, 320, 200);
}

TEST (test_set_while_playing)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Harness) h = scopes_only_new (picture, WAVEFORM, SMALL);
  gboolean scopes_only;

  g_object_set (h->element, "scopes-only", TRUE, NULL);
  assert_not_warned (h->element);
  g_object_set (h->element, "scopes-only", FALSE, NULL);
  assert_refused (h->element, "scopes-only stays true: ");
  g_object_get (h->element, "scopes-only", &scopes_only, NULL);
  fail_unless (scopes_only);
  check_frame (h, picture, 0);
  element_set_state (h->element, GST_STATE_READY);
  g_object_set (h->element, "scopes-only", FALSE, "scopes", 0, NULL);
  gst_harness_set_sink_caps_str (h, "ANY");
  harness_restart (h, picture);
  harness_check (h, picture_wrap (picture), picture, ALL_NAMES, picture);
}

static const struct
{
  const gchar *format;
  guint scopes, channels;
} empty[] = {
  { "GRAY8", VECTORSCOPE, CHANNELS_LUMA },
  { "I420", HISTOGRAM, CHANNELS_ALPHA },
  { "RGB", WAVEFORM, 0 },
};

/* Frames that the scopes have nothing to show of are refused. */
TEST (test_without_content)
{
  g_autoptr (Picture) picture = picture_small (empty[__i__].format);
  g_autoptr (Harness) h = harness_new ("scopes-only", TRUE, "scopes",
      empty[__i__].scopes, "channels", empty[__i__].channels, NULL);
  g_autoptr (GError) error = NULL;

  harness_set_caps (h, picture);
  fail_unless_equals_int (
      gst_harness_push (h, picture_wrap (picture)), GST_FLOW_NOT_NEGOTIATED);
  error = bus_pop_error (h->element, NULL);
  assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "the scopes have nothing to show of");
}

/* If some scopes have nothing to show, the others fill the output. If nothing
 * is legible, or the region is outside the frame, it is black. */
TEST (test_left_out)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = scopes_only_new (picture, ALL_SCOPES, SMALL);
  g_autoptr (GstBuffer) small = NULL, outside = NULL;
  g_autoptr (Picture) black = NULL, nothing = NULL;

  check_frame (h, picture, 0);
  assert_refused (h->element, "no vectorscope is drawn");
  gst_harness_set_sink_caps_str (h, "video/x-raw, width=31, height=15");
  gst_harness_push_upstream_event (h, gst_event_new_reconfigure ());
  harness_pass (h, picture_wrap_nth (picture, 1));
  small = harness_run (h, picture_wrap_nth (picture, 2));
  assert_refused (h->element,
      "The output of 31x15 has no room for the histogram and the waveform; "
      "all scopes asked for fit from 192x48 on.");
  black = read_output (h, small);
  fail_unless_equals_int (assert_opaque (black), 0);
  g_object_set (h->element, "roi-x", 1000, NULL);
  outside = harness_run (h, picture_wrap_nth (picture, 3));
  assert_refused (h->element, "outside the frame");
  nothing = read_output (h, outside);
  fail_unless_equals_int (assert_opaque (nothing), 0);
}

/* Settings of the picture are warned of once each, and change nothing. */
TEST (test_without_effect)
{
  static const gchar *const settings[] = { "equalization=clahe",
    "exposure=zebra+false-color", "scope-position=top-left", "scope-width=0.5",
    "scope-height=0.5", "scope-opacity=0.2" };
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Harness) h = scopes_only_new (picture, ALL_SCOPES, SMALL);
  g_autoptr (GstBuffer) out = harness_run (h, picture_wrap_nth (picture, 0));
  g_autoptr (Picture) before = read_output (h, out);

  g_object_set (h->element, "verify", FALSE, NULL); /* which restarts scales */
  for (guint i = 0; IS_ROW (settings, i); i++) {
    g_autofree gchar *text = g_strdup_printf (
        "%.*s has no effect", (gint) strcspn (settings[i], "="), settings[i]);
    g_autoptr (GstBuffer) again = NULL;
    g_autoptr (Picture) after = NULL;

    element_set_properties (h->element, settings[i]);
    again = harness_run (h, picture_wrap_nth (picture, i + 1));
    assert_refused (h->element, text);
    after = read_output (h, again);
    fail_unless_same_picture (before, after, "%s", settings[i]);
  }
}

const ElementTest element_tests[] = {
  FORMATS (test_formats),
  TIMES (test_as_drawn, 9),
  TIMES (test_parts, 3),
  EACH (test_sizes, sizes),
  ONCE (test_fields_of_caps),
  ONCE (test_offered),
  EACH (test_too_large, too_large),
  ONCE (test_wide_frame),
  ONCE (test_metas),
  ONCE (test_regions),
  ONCE (test_upstream_allocation),
  ONCE (test_without_scopes),
  ONCE (test_set_while_playing),
  EACH (test_without_content, empty),
  ONCE (test_left_out),
  ONCE (test_without_effect),
  { 0 },
};
