/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element's state between frames: a table of the events that restart it;
 * then sequences of settings, caps, flushes and restarts at random. A frame
 * that uses no earlier state comes out as from a new element.
 */

#include "harnesses.h"

#include <string.h>

#define N_FRAMES 60

/* Values of "scope-display". */
enum
{
  DISPLAY_OVERLAY,
  DISPLAY_STACK,
  DISPLAY_PARADE
};

typedef struct
{
  guint channels, scopes;
  gint equalization, display;
  gdouble smoothing, scope_size;
  guint tiles, roi_x, roi_width;
  gboolean has_reference, attaches, verifies;
} Settings;

/* The input of a mean or a scale; all 0 if there is none. */
typedef struct
{
  guint numbers[5];
} Key;

typedef struct
{
  GRand *random;
  GstHarness *h;
  Settings settings;
  const gchar *format;
  guint width, height;
  GBytes *reference;
  /* state after the last frame */
  Key mean, scale;
} Stream;

static const struct
{
  const gchar *format;
  guint width, height;
} streams[] = { { "GRAY8", 64, 48 }, { "GRAY8", 100, 48 }, { "I420", 64, 64 },
  { "RGB", 97, 33 }, { "GRAY8", 24, 12 } };

static guint
any (Stream *self, guint n)
{
  return g_rand_int_range (self->random, 0, n);
}

/* --- settings --- */

static void
change_settings (Stream *self)
{
  Settings *settings = &self->settings;

  switch (any (self, 11)) {
    case 0:
      settings->channels = 1 + any (self, CHANNELS_ALL);
      break;
    case 1:
      settings->equalization = any (self, 4);
      break;
    case 2:
      settings->scopes = any (self, 4) > 0;
      settings->display = any (self, 3);
      break;
    case 3:
      settings->smoothing = any (self, 3) * 0.45;
      break;
    case 4:
      settings->scope_size = any (self, 3) * 0.5;
      break;
    case 5:
      settings->tiles = 1 + any (self, 3);
      break;
    case 6:
      settings->roi_x = any (self, 2) ? any (self, 8) : any (self, 110);
      break;
    case 7:
      settings->roi_width = any (self, 2) ? 0 : 30 + any (self, 8);
      break;
    case 8:
      settings->has_reference = !settings->has_reference;
      break;
    case 9:
      settings->attaches = !settings->attaches;
      break;
    default:
      settings->roi_x = settings->roi_width = 0;
  }
}

static void
apply_settings (const Stream *self, GstHarness *h)
{
  const Settings *settings = &self->settings;

  g_object_set (h->element, "channels", settings->channels, "equalization",
      settings->equalization, "scopes", settings->scopes, "scope-display",
      settings->display, "smoothing", settings->smoothing, "scope-width",
      settings->scope_size, "scope-height", settings->scope_size, "tiles-x",
      settings->tiles, "tiles-y", settings->tiles, "roi-x", settings->roi_x,
      "roi-width", settings->roi_width, "reference",
      settings->has_reference ? self->reference : NULL, "attach-meta",
      settings->attaches, "verify", settings->verifies, "qos", FALSE, NULL);
}

/* --- state --- */

static guint
region_width (const Stream *self)
{
  const Settings *settings = &self->settings;
  const guint rest =
      self->width > settings->roi_x ? self->width - settings->roi_x : 0;

  return settings->roi_width == 0 ? rest : MIN (settings->roi_width, rest);
}

static Key
mean_key (const Stream *self)
{
  const Settings *settings = &self->settings;
  const gboolean is_clahe = settings->equalization == EQUALIZATION_CLAHE;

  if (settings->equalization == EQUALIZATION_NONE || settings->smoothing == 0
      || region_width (self) == 0
      || (settings->equalization == EQUALIZATION_MATCH
          && !settings->has_reference))
    return (Key){ 0 };
  return (Key){ { settings->equalization, region_width (self),
      is_clahe ? settings->tiles : 0 } };
}

/* The channels with curves in the histogram scope. */
static guint
shown (const Stream *self)
{
  const gboolean is_yuv = g_str_equal (self->format, "I420");
  const guint had = CHANNELS_LUMA | (is_yuv ? CHANNELS_CHROMA : 0)
      | (g_str_equal (self->format, "GRAY8") ? 0 : CHANNELS_RGB);

  return self->settings.channels & had;
}

/* The smallest graph has 32 by 16 pixels per panel. It is a multiple of 16
 * pixels wide; panels have a multiple of 4 rows. The frames are too narrow for
 * a parade, which is overlaid. */
static gboolean
has_room (const Stream *self)
{
  const guint mask = shown (self);
  const guint n = ((mask & CHANNELS_LUMA) != 0)
      + 2 * ((mask & CHANNELS_CHROMA) != 0) + 3 * ((mask & CHANNELS_RGB) != 0);
  const guint rows = self->settings.display == DISPLAY_STACK ? n : 1;

  return n > 0 && region_width (self) > 0 && self->width >= 32
      && self->height / rows / 4 * 4 >= 16;
}

static Key
scale_key (const Stream *self)
{
  if (self->settings.scopes == 0 || !has_room (self))
    return (Key){ 0 };
  return (Key){ { self->settings.channels, self->settings.display } };
}

/* Whether the frame uses no state of `last`: it uses none, or belongs to
 * different input. */
static gboolean
is_new (const Key *last, const Key *now)
{
  const Key none = { 0 };

  return memcmp (now, &none, sizeof none) == 0
      || memcmp (now, last, sizeof none) != 0;
}

/* --- frames --- */

static void
forget (Stream *self)
{
  self->mean = self->scale = (Key){ 0 };
}

/* The same caps as before change nothing. */
static void
set_caps (Stream *self)
{
  const guint i = any (self, G_N_ELEMENTS (streams));

  if (self->format != streams[i].format || self->width != streams[i].width)
    forget (self);
  self->format = streams[i].format;
  self->width = streams[i].width;
  self->height = streams[i].height;
}

/* Dim frames that differ too little for a cut; some have one tall bin. */
static Picture *
next_picture (Stream *self)
{
  const guint lo = 60 + any (self, 30);
  const guint hi = any (self, 4) == 0 ? lo : lo + 20;

  return picture_new (self->format, self->width, self->height,
      any (self, PICTURE_N_SHAPES), lo, hi, g_rand_int (self->random));
}

/* The frame as it comes out of a new element. */
static Picture *
run_new (const Stream *self, const Picture *picture)
{
  Picture *result = picture_copy (picture);
  GstHarness *h = harness_new (NULL, NULL);

  apply_settings (self, h);
  g_object_set (h->element, "verify", FALSE, NULL);
  harness_set_caps (h, picture);
  harness_change (h, result, 0);
  drop_refused (h->element, "");
  harness_free (h);
  return result;
}

/* Returns: whether the frame had to come out as from a new element. */
static gboolean
run_frame (Stream *self, guint n)
{
  g_autoptr (Picture) picture = next_picture (self);
  const Key mean = mean_key (self), scale = scale_key (self);
  const gboolean is_independent =
      is_new (&self->mean, &mean) && is_new (&self->scale, &scale);
  g_autoptr (Picture) expected =
      is_independent ? run_new (self, picture) : NULL;

  harness_set_caps (self->h, picture);
  harness_change (self->h, picture, 0);
  if (is_independent)
    fail_unless (picture_equal (picture, expected),
        "frame %u: %s, %ux%u, channels %u, equalization %u, scopes %u, display "
        "%d, smoothing %f, size %f, tiles %u, roi %u %u, reference %d",
        n, self->format, self->width, self->height, self->settings.channels,
        self->settings.equalization, self->settings.scopes,
        self->settings.display, self->settings.smoothing,
        self->settings.scope_size, self->settings.tiles, self->settings.roi_x,
        self->settings.roi_width, self->settings.has_reference);
  self->mean = mean;
  self->scale = scale;
  return is_independent && (mean.numbers[0] != 0 || scale.numbers[0] != 0);
}

/* Random events between two frames. */
static void
change (Stream *self, gboolean may_verify)
{
  const guint lot = any (self, 24);
  g_autoptr (Picture) picture = NULL;

  if (lot < 12)
    change_settings (self);
  if (lot == 12) {
    set_caps (self);
  } else if (lot == 13) {
    harness_flush (self->h);
    forget (self);
  } else if (lot == 14) {
    picture = next_picture (self);
    element_set_state (
        self->h->element, any (self, 2) ? GST_STATE_READY : GST_STATE_NULL);
    harness_restart (self->h, picture);
    forget (self);
  } else if (lot == 15 && may_verify) {
    self->settings.verifies = !self->settings.verifies;
    forget (self);
  }
  apply_settings (self, self->h);
}

/* Without verify (0), with it (1), and with it sometimes (2); it never fails.
 * The seeds are fixed. */
TEST (test_by_lot)
{
  const guint n_streams = test_size () < TEST_FULL ? 2 : 12;
  guint n_independent = 0;
  guint32 bins[256];

  for (guint v = 0; v < 256; v++)
    bins[v] = 256 - v;
  for (guint i = 0; i < n_streams; i++) {
    Stream stream = { .random = g_rand_new_with_seed (3 * i + __i__),
      .h = harness_new (NULL, NULL),
      .reference = g_bytes_new (bins, sizeof bins),
      .settings = { .channels = CHANNELS_LUMA,
          .equalization = EQUALIZATION_GLOBAL,
          .scopes = 1,
          .smoothing = 0.9,
          .scope_size = 0.5,
          .tiles = 2,
          .attaches = TRUE,
          .verifies = __i__ == 1 } };

    set_caps (&stream);
    apply_settings (&stream, stream.h);
    for (guint n = 0; n < N_FRAMES; n++) {
      n_independent += run_frame (&stream, n);
      change (&stream, __i__ == 2);
    }
    drop_refused (stream.h->element, "");
    harness_free (stream.h);
    g_bytes_unref (stream.reference);
    g_rand_free (stream.random);
  }
  /* otherwise too little was compared */
  fail_unless (n_independent > n_streams * N_FRAMES / 8, "%u", n_independent);
}

/* --- events one by one --- */

/* Streams whose frames show whether a state has restarted. */
static const gchar *const shows[] = { "equalization=global smoothing=0.9",
  "equalization=clahe smoothing=0.9", "equalization=stretch smoothing=0.9",
  "scopes=histogram scope-width=1 scope-height=1", "compare-frames=true" };

enum
{
  GLOBAL = 1,
  TILES = 2,
  STRETCH = 4,
  MEAN = GLOBAL | TILES | STRETCH,
  SCALE = 8,
  PREVIOUS = 16,
  ALL = MEAN | SCALE | PREVIOUS
};

/* Events between two frames: those of run_event(), or new values. */
static const struct
{
  const gchar *events;
  guint restarts;
} restarts[] = {
  { "", 0 },
  { "flush", ALL },
  { "flush gap-frame", 0 },
  { "caps", 0 },
  { "colorimetry", ALL },
  { "colorimetry frame caps", ALL },
  { "ready", ALL },
  { "null", ALL },
  { "gap", 0 },
  { "gap-frame", 0 },
  { "late", 0 },
  /* outside the region, nothing is measured and no graph is drawn */
  { "roi-y=99 frame roi-y=0", ALL },
  { "roi-y=99 gap roi-y=0", 0 },
  { "flush roi-y=99 frame roi-y=0", ALL },
  { "colorimetry roi-y=99 frame roi-y=0", ALL },
  { "verify=true frame flush roi-y=99 frame roi-y=0", ALL },
  { "verify=true frame colorimetry roi-y=99 frame roi-y=0", ALL },
  /* the region's clipped size, and its place */
  { "roi-x=3 roi-width=40 frame roi-width=39", MEAN | PREVIOUS },
  { "roi-x=3 roi-width=40 frame roi-x=9", PREVIOUS },
  { "roi-x=3 frame roi-x=4", MEAN | PREVIOUS },
  { "roi-x=20 roi-width=44 frame roi-x=21", MEAN | PREVIOUS },
  { "roi-x=3 frame roi-width=61 roi-height=99", 0 },
  { "roi-height=47", MEAN | PREVIOUS },
  { "roi-x=3 smoothing=0 gap smoothing=0.9 roi-x=0", 0 },
  /* the mean's input */
  { "smoothing=0 frame smoothing=0.9", MEAN },
  { "smoothing=0.8", 0 },
  { "equalization=stretch frame equalization=global", MEAN },
  { "tiles-x=3", TILES },
  { "tiles-y=3", TILES },
  /* the graph's curves, and what only changes how they look */
  { "channels=luma+alpha", SCALE },
  { "channels=chroma+alpha frame channels=luma", SCALE | PREVIOUS },
  { "scope-display=parade", SCALE },
  { "scopes=none frame scopes=histogram", SCALE },
  { "scopes=none gap scopes=histogram", 0 },
  { "scope-scale=log scope-width=0.8", 0 },
  /* the comparison, which passthrough leaves out */
  { "compare-frames=false frame compare-frames=true", PREVIOUS },
  { "compare-frames=false gap compare-frames=true", 0 },
  { "attach-meta=false frame attach-meta=true", PREVIOUS },
  { "attach-meta=false gap attach-meta=true", 0 },
  /* the reference of `verify` has not seen earlier frames */
  { "verify=true", ALL },
  { "verify=true frame verify=false", ALL },
  { "verify=true gap verify=false", 0 },
  { "exposure=zebra roi-meta=true interval=1 post-messages=true", 0 },
};

/* Frame 0 is flat; the others have more values, but are no cuts. */
static Picture *
nth_picture (guint n)
{
  return picture_new (
      "GRAY8", 64, 48, PICTURE_TIGHT, 80 - 20 * n, 80 + 20 * n, 1);
}

/* Pushes a frame that is dropped. */
static void
push_late (GstHarness *h, Picture *picture)
{
  g_object_set (h->element, "qos", TRUE, NULL);
  gst_harness_push_upstream_event (h,
      gst_event_new_qos (
          GST_QOS_TYPE_UNDERFLOW, 2.0, 20 * GST_MSECOND, 40 * GST_MSECOND));
  harness_push (h, picture_wrap (picture));
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 0);
  g_object_set (h->element, "qos", FALSE, NULL);
}

static void
run_event (GstHarness *h, const gchar *event)
{
  g_autoptr (Picture) picture = nth_picture (0);
  const gboolean is_gap = g_str_has_prefix (event, "gap");

  if (strchr (event, '=') != NULL) {
    element_set_properties (h->element, event);
  } else if (is_gap || g_str_equal (event, "frame")) {
    GstBuffer *buffer =
        g_str_equal (event, "gap") ? gap_new () : picture_wrap (picture);

    GST_BUFFER_FLAG_SET (buffer, is_gap ? GST_BUFFER_FLAG_GAP : 0);
    harness_pass (h, buffer);
  } else if (g_str_equal (event, "late")) {
    push_late (h, picture);
  } else if (g_str_equal (event, "flush")) {
    harness_flush (h);
  } else if (g_str_equal (event, "caps")) {
    harness_set_caps (h, picture);
  } else if (g_str_equal (event, "colorimetry")) {
    harness_set_colorimetry (h, picture, "bt709");
  } else {
    element_set_state (h->element,
        g_str_equal (event, "ready") ? GST_STATE_READY : GST_STATE_NULL);
    harness_restart (h, picture);
  }
}

/* Whether frame `n` is like the first of a new element with these properties.
 */
static gboolean
is_first (GstHarness *h, const gchar *stream, const gchar *events, guint n)
{
  g_autoptr (Picture) picture = nth_picture (n);
  g_autoptr (Picture) first = picture_copy (picture);
  g_autoptr (GstBuffer) out = harness_run (h, picture_wrap (picture));
  GstHarness *new;

  if (g_str_has_prefix (stream, "compare"))
    return !gst_structure_has_field (
        buffer_histogram (out, "luma"), "difference");
  picture_read (picture, out);
  new = harness_new_for (picture, NULL, NULL);
  element_set_properties (new->element, stream);
  element_set_properties (new->element, events);
  harness_change (new, first, 0);
  harness_free (new);
  return picture_equal (picture, first);
}

static void
check_restart (const gchar *stream, const gchar *events, gboolean is_restart)
{
  g_auto (GStrv) words = g_strsplit (events, " ", -1);
  g_autoptr (Picture) picture = nth_picture (0);
  g_autoptr (Harness) h = harness_new_for (picture, "qos", FALSE, NULL);

  element_set_properties (h->element, stream);
  harness_pass (h, picture_wrap (picture));
  for (guint i = 0; words[i] != NULL; i++)
    run_event (h, words[i]);
  fail_unless (
      is_first (h, stream, events, 1) == is_restart, "%s: %s", stream, events);
  if (is_restart)
    fail_unless (!is_first (h, stream, events, 2), "%s: %s", stream, events);
  drop_refused (h->element, "");
}

/* An element that plays on keeps the programs. */
TEST (test_restarts)
{
  g_autoptr (Picture) picture = nth_picture (0);
  g_autoptr (Harness) h = harness_new_for (picture, NULL, NULL);

  for (guint r = 0; r < G_N_ELEMENTS (restarts); r++)
    check_restart (shows[__i__], restarts[r].events,
        (restarts[r].restarts & 1u << __i__) != 0);
}

const ElementTest element_tests[] = { EACH (test_restarts, shows),
  TIMES (test_by_lot, 3), { NULL } };
