/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Seeks in files while frames are in flight. The sink gets the same frames,
 * times and segments as with identity in amphisto's place. Metadata and
 * messages are of these frames. The number of frames in flight makes no
 * difference.
 */

#include "pipeline.h"
#include "size.h"

#include <glib/gstdio.h>
#include <gst/video/video.h>
#include <string.h>

#define PATIENCE (120 * G_TIME_SPAN_SECOND)
#define FRAME_PAUSE                                                            \
  1000 /* us: so that seeks come while frames are in flight                    \
        */

/* --- files --- */

#define N_FRAMES 50
#define END 2000 /* ms */

typedef struct
{
  const gchar *name;
  const gchar *write, *read;
  const gchar *elements[5];
} File;

/* Both have an index, and each of their frames can be the first. */
static const File files[] = {
  { "raw", "avimux", "avidemux", { "avimux", "avidemux", NULL } },
  { "jpeg", "jpegenc ! matroskamux", "matroskademux ! jpegdec",
      { "jpegenc", "matroskamux", "matroskademux", "jpegdec", NULL } },
};

static gchar *
write_file (const File *file)
{
  g_autofree gchar *path =
      g_strdup_printf ("%s/amphisto-seek-XXXXXX", g_get_tmp_dir ());
  g_autofree gchar *launch = NULL;
  g_autoptr (GstElement) pipeline = NULL;

  g_close (g_mkstemp (path), NULL);
  launch = g_strdup_printf ("videotestsrc pattern=snow num-buffers=%u ! "
                            "video/x-raw,format=I420,width=64,height=48,"
                            "framerate=25/1 ! %s ! filesink location=%s",
      N_FRAMES, file->write, path);
  pipeline = pipeline_new (launch);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  pipeline_finish (pipeline);
  return g_steal_pointer (&path);
}

/* --- seeks --- */

typedef struct
{
  guint after; /* when to seek: frames since the last flush, or AT_END */
  gdouble rate;
  GstSeekFlags flags;
  gint start, stop; /* ms */
} Seek;

#define AT_END 1000 /* of the stream or segment */
#define FLUSH GST_SEEK_FLAG_FLUSH
#define SEGMENT GST_SEEK_FLAG_SEGMENT
#define ACCURATE GST_SEEK_FLAG_ACCURATE
#define KEY_UNITS GST_SEEK_FLAG_TRICKMODE_KEY_UNITS

typedef struct
{
  const gchar *name;
  gboolean is_abrupt; /* a seek without a flush comes before the end: only the
                       * last segment always has the same frames */
  Seek seeks[4];
} Case;

static const Case cases[] = {
  { "flushing", FALSE,
      { { 0, 1, FLUSH, 1000, END }, { 7, 1, FLUSH, 400, END },
          { 9, 1, FLUSH | ACCURATE, 1210, 1930 } } },
  { "segments", FALSE,
      { { 0, 1, FLUSH | SEGMENT, 400, 800 }, { AT_END, 1, SEGMENT, 200, 600 },
          { AT_END, 2, SEGMENT, 0, 400 }, { AT_END, 1, 0, 1000, 1400 } } },
  { "reverse", FALSE,
      { { 0, -1, FLUSH, 0, 1000 }, { 8, -2, FLUSH, 200, END },
          { 5, 1, FLUSH, 600, 1000 }, { 3, -1, FLUSH | ACCURATE, 90, 730 } } },
  { "reverse-segments", FALSE,
      { { 0, -1, FLUSH | SEGMENT, 400, 800 }, { AT_END, 1, SEGMENT, 400, 800 },
          { AT_END, -0.5, SEGMENT, 400, 800 }, { AT_END, 1, 0, 800, END } } },
  { "rates", FALSE,
      { { 0, 2, FLUSH, 0, END }, { 6, 0.5, FLUSH, 200, 600 },
          { 4, 8, FLUSH, 400, END } } },
  { "key-units", FALSE,
      { { 0, 4, FLUSH | KEY_UNITS, 0, END },
          { 4, -4, FLUSH | KEY_UNITS, 0, 1800 } } },
  { "abrupt", TRUE, { { 0, 1, FLUSH, 0, END }, { 6, 2, 0, 1000, END } } },
  { "abrupt-reverse", TRUE,
      { { 0, 1, FLUSH, 0, END }, { 6, -1, 0, 200, 1000 } } },
};

/* --- what the sink gets --- */

typedef struct
{
  const Case *row;
  gboolean keeps_pixels; /* the frames are those of the file */

  GMutex lock; /* protects the fields below */
  GCond changed;
  guint n_frames; /* since the last flush */
  guint n_ends;   /* the same, of streams and segments */
  GstSegment segment;
  GString *stream;                 /* a line for each segment, frame and end */
  GString *pixels, *metas, *times; /* a line for each frame */
  GString *messages;               /* the times of each message */
} Transcript;

static void
transcript_init (Transcript *self, const Case *row, gboolean keeps_pixels)
{
  *self = (Transcript){ .row = row,
    .keeps_pixels = keeps_pixels,
    .stream = g_string_new (NULL),
    .pixels = g_string_new (NULL),
    .metas = g_string_new (NULL),
    .times = g_string_new (NULL),
    .messages = g_string_new (NULL) };
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
}

static void
transcript_clear (Transcript *self)
{
  g_string_free (self->stream, TRUE);
  g_string_free (self->pixels, TRUE);
  g_string_free (self->metas, TRUE);
  g_string_free (self->times, TRUE);
  g_string_free (self->messages, TRUE);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
}

static void
begin_anew (Transcript *self)
{
  g_string_truncate (self->stream, 0);
  g_string_truncate (self->pixels, 0);
  g_string_truncate (self->metas, 0);
  g_string_truncate (self->times, 0);
  g_string_truncate (self->messages, 0);
}

static void
add_segment (Transcript *self, GstEvent *event)
{
  GstSegment *segment = &self->segment;

  gst_event_copy_segment (event, segment);
  if (self->row->is_abrupt) {
    begin_anew (self);
    segment->base = 0;
  }
  g_string_append_printf (self->stream,
      "segment: rate %g, applied %g, flags %x, start %" G_GUINT64_FORMAT
      ", stop %" G_GUINT64_FORMAT ", time %" G_GUINT64_FORMAT
      ", base %" G_GUINT64_FORMAT "\n",
      segment->rate, segment->applied_rate, segment->flags, segment->start,
      segment->stop, segment->time, segment->base);
}

static GstPadProbeReturn
on_event (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  const GstEventType type = GST_EVENT_TYPE (event);
  Transcript *self = user_data;

  (void) pad;
  g_mutex_lock (&self->lock);
  if (type == GST_EVENT_FLUSH_STOP) {
    begin_anew (self);
    self->n_frames = 0;
    self->n_ends = 0;
  } else if (type == GST_EVENT_SEGMENT) {
    add_segment (self, event);
  } else if (type == GST_EVENT_EOS || type == GST_EVENT_SEGMENT_DONE) {
    g_string_append_printf (
        self->stream, "%s\n", gst_event_type_get_name (type));
    self->n_ends++;
  }
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  return GST_PAD_PROBE_OK;
}

/* --- frames --- */

/* Adds the checksum of the frame's samples. `bins`: zeros; gets luma's
 * histogram. */
static void
add_pixels (Transcript *self, GstPad *pad, GstBuffer *buffer, guint32 bins[256])
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_MD5);
  GstVideoInfo info;
  GstVideoFrame frame;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (&frame); c++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c); y++) {
      const gint width = GST_VIDEO_FRAME_COMP_WIDTH (&frame, c);
      const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, c)
          + y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, c);

      g_checksum_update (checksum, row, width);
      for (gint x = 0; c == 0 && x < width; x++)
        bins[row[x]]++;
    }
  gst_video_frame_unmap (&frame);
  g_string_append_printf (
      self->pixels, "%s\n", g_checksum_get_string (checksum));
}

/* bins: of the frame, which the metadata has, too, if pixels are kept. */
static void
add_meta (Transcript *self, GstBuffer *buffer, const guint32 bins[256])
{
  GstCustomMeta *meta =
      gst_buffer_get_custom_meta (buffer, "AmphistoHistogramMeta");
  g_autofree gchar *text = NULL;
  const GstStructure *structure, *luma;
  GBytes *bytes;

  if (meta == NULL)
    return;
  structure = gst_custom_meta_get_structure (meta);
  text = gst_structure_to_string (structure);
  g_string_append_printf (self->metas, "%s\n", text);
  luma = gst_value_get_structure (gst_structure_get_value (structure, "luma"));
  bytes = g_value_get_boxed (gst_structure_get_value (luma, "bins"));
  if (self->keeps_pixels)
    g_assert_cmpmem (g_bytes_get_data (bytes, NULL), 256 * sizeof *bins, bins,
        256 * sizeof *bins);
}

static void
add_times (GString *lines, guint64 timestamp, guint64 stream_time,
    guint64 running_time, guint64 duration)
{
  g_string_append_printf (lines,
      "%" G_GUINT64_FORMAT ", stream %" G_GUINT64_FORMAT
      ", running %" G_GUINT64_FORMAT ", duration %" G_GUINT64_FORMAT "\n",
      timestamp, stream_time, running_time, duration);
}

static GstPadProbeReturn
on_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  const GstClockTime pts = GST_BUFFER_PTS (buffer);
  guint32 bins[256] = { 0 };
  const GstSegment *segment;
  Transcript *self = user_data;

  g_usleep (FRAME_PAUSE);
  g_mutex_lock (&self->lock);
  segment = &self->segment;
  g_string_append_printf (self->stream,
      "frame: %" G_GUINT64_FORMAT ", flags %x\n", pts,
      GST_BUFFER_FLAGS (buffer));
  add_times (self->times, pts,
      gst_segment_to_stream_time (segment, GST_FORMAT_TIME, pts),
      gst_segment_to_running_time (segment, GST_FORMAT_TIME, pts),
      GST_BUFFER_DURATION (buffer));
  add_pixels (self, pad, buffer, bins);
  add_meta (self, buffer, bins);
  self->n_frames++;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  return GST_PAD_PROBE_OK;
}

/* --- messages --- */

static void
add_message (Transcript *self, const GstStructure *structure)
{
  guint64 timestamp, stream_time, running_time, duration;

  g_assert_true (gst_structure_get (structure, "timestamp", G_TYPE_UINT64,
      &timestamp, "stream-time", G_TYPE_UINT64, &stream_time, "running-time",
      G_TYPE_UINT64, &running_time, "duration", G_TYPE_UINT64, &duration,
      NULL));
  g_mutex_lock (&self->lock);
  if (self->row->is_abrupt) /* the base is not always the same */
    running_time = gst_segment_to_running_time (
        &self->segment, GST_FORMAT_TIME, timestamp);
  add_times (self->messages, timestamp, stream_time, running_time, duration);
  g_mutex_unlock (&self->lock);
}

static GstBusSyncReply
on_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  Transcript *self = user_data;

  (void) bus;
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_error ("%s", error->message);
  }
  if (gst_message_has_name (message, "amphisto"))
    add_message (self, gst_message_get_structure (message));
  return GST_BUS_PASS;
}

/* --- playing --- */

static GstElement *
open_file (const File *file, const gchar *path, const gchar *element,
    Transcript *transcript)
{
  g_autofree gchar *launch = g_strdup_printf (
      "filesrc location=%s ! %s ! %s ! fakesink name=sink sync=false", path,
      file->read, element);
  GstElement *pipeline = pipeline_new (launch);
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      on_event, transcript, NULL);
  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER, on_frame, transcript, NULL);
  gst_bus_set_sync_handler (bus, on_message, transcript, NULL);
  return pipeline;
}

static void
set_state (GstElement *pipeline, GstState state)
{
  gst_element_set_state (pipeline, state);
  g_assert_cmpint (
      gst_element_get_state (pipeline, NULL, NULL, PATIENCE * GST_USECOND), ==,
      GST_STATE_CHANGE_SUCCESS);
}

/* Waits until `n_frames` frames have come, or `n_ends` ends. */
static void
await (Transcript *self, guint n_frames, guint n_ends)
{
  const gint64 end = g_get_monotonic_time () + PATIENCE;

  g_mutex_lock (&self->lock);
  while (self->n_frames < n_frames && self->n_ends < n_ends)
    if (!g_cond_wait_until (&self->changed, &self->lock, end))
      g_error ("%s: only %u frames and %u ends come", self->row->name,
          self->n_frames, self->n_ends);
  g_mutex_unlock (&self->lock);
}

static void
make_seek (GstElement *pipeline, const Seek *seek)
{
  g_assert_true (gst_element_seek (pipeline, seek->rate, GST_FORMAT_TIME,
      seek->flags, GST_SEEK_TYPE_SET, seek->start * GST_MSECOND,
      GST_SEEK_TYPE_SET, seek->stop * GST_MSECOND));
}

/* Seeks at any time, without waiting for what comes. */
static void
make_random_seeks (GstElement *pipeline, guint n)
{
  static const gdouble rates[] = { 1, 0.5, 2, 8, -1, -0.5, -4 };
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint i = 0; i < n; i++) {
    const gint start = g_rand_int_range (random, 0, END - 40);
    const Seek seek = {
      .rate = rates[g_rand_int_range (random, 0, G_N_ELEMENTS (rates))],
      .flags = FLUSH | g_rand_int_range (random, 0, 2) * ACCURATE,
      .start = start,
      .stop = g_rand_int_range (random, start + 40, END + 1),
    };

    make_seek (pipeline, &seek);
    g_usleep (g_rand_int_range (random, 0, 10 * FRAME_PAUSE));
  }
}

/* Makes the seek when it is its turn. `n_ends`: ends before what plays now, and
 * before what the seek lets play. */
static void
follow (GstElement *pipeline, const Seek *seek, Transcript *transcript,
    guint *n_ends)
{
  if (seek->after > 0)
    await (transcript, seek->after == AT_END ? G_MAXUINT : seek->after,
        *n_ends + 1);
  if (seek->flags & FLUSH)
    *n_ends = 0;
  else if (seek->after == AT_END)
    (*n_ends)++;
  make_seek (pipeline, seek);
}

/* Makes `n_random` random seeks and those of the transcript's case, and plays
 * to the end. */
static void
play (const File *file, const gchar *path, const gchar *element, guint n_random,
    Transcript *transcript)
{
  const Case *row = transcript->row;
  g_autoptr (GstElement) pipeline = open_file (file, path, element, transcript);
  guint n_ends = 0;

  g_test_message ("%s: %s", row->name, element);
  set_state (pipeline, GST_STATE_PAUSED);
  if (n_random > 0)
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
  make_random_seeks (pipeline, n_random);
  for (const Seek *seek = row->seeks;
       seek < row->seeks + G_N_ELEMENTS (row->seeks) && seek->rate != 0;
       seek++) {
    follow (pipeline, seek, transcript, &n_ends);
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
  }
  await (transcript, G_MAXUINT, n_ends + 1);
  set_state (pipeline, GST_STATE_NULL);
}

/* --- tests --- */

typedef struct
{
  const gchar *properties;
  gboolean keeps_pixels;
} Settings;

static const Settings settings[] = {
  { "compare-frames=true find-letterbox=true", TRUE },
  { "equalization=clahe smoothing=0.5 scopes=histogram", FALSE },
};

/* The lines are the same. */
static void
assert_same (
    const gchar *what, const GString *lines, const GString *expected_lines)
{
  g_auto (GStrv) got = g_strsplit (lines->str, "\n", -1);
  g_auto (GStrv) expected = g_strsplit (expected_lines->str, "\n", -1);

  for (guint i = 0; got[i] != NULL || expected[i] != NULL; i++)
    if (g_strcmp0 (got[i], expected[i]) != 0)
      g_error ("line %u of %s: \"%s\" instead of \"%s\"", i, what, got[i],
          expected[i]);
}

static void
play_amphisto (const File *file, const gchar *path, const Settings *these,
    guint n_in_flight, guint n_random, Transcript *transcript)
{
  g_autofree gchar *element = g_strdup_printf (
      "amphisto frames-in-flight=%u post-messages=true interval=0 verify=true "
      "%s",
      n_in_flight, these->properties);

  play (file, path, element, n_random, transcript);
  assert_same ("messages", transcript->messages, transcript->times);
}

/* One and four frames in flight give the same, and what identity gives. */
static void
check_settings (const File *file, const gchar *path, const Settings *these,
    guint n_random, const Transcript *expected)
{
  Transcript one, four;

  transcript_init (&one, expected->row, these->keeps_pixels);
  transcript_init (&four, expected->row, these->keeps_pixels);
  play_amphisto (file, path, these, 1, 0, &one);
  play_amphisto (file, path, these, 4, n_random, &four);
  assert_same ("stream", four.stream, expected->stream);
  assert_same ("stream", one.stream, expected->stream);
  assert_same ("times", four.times, expected->times);
  if (these->keeps_pixels)
    assert_same ("pixels", four.pixels, expected->pixels);
  if (!expected->row->is_abrupt) { /* else frames depend on the one before */
    assert_same ("pixels", four.pixels, one.pixels);
    assert_same ("metas", four.metas, one.metas);
  }
  transcript_clear (&four);
  transcript_clear (&one);
}

static void
check_case (const File *file, const Case *row, guint n_random)
{
  g_autofree gchar *path = write_file (file);
  Transcript expected;

  transcript_init (&expected, row, TRUE);
  play (file, path, "identity", 0, &expected);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    check_settings (file, path, &settings[i], n_random, &expected);
  transcript_clear (&expected);
  g_unlink (path);
}

static void
test_seeks (gconstpointer data)
{
  const File *file = data;

  if (!pipeline_can_run (NULL, file->elements))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_case (file, &cases[i], 0);
}

/* Seeks in quick succession. What comes after the last is right. */
static void
test_storm (gconstpointer data)
{
  static const Case last = { "storm", FALSE, { { 0, 1, FLUSH, 400, 1200 } } };
  const File *file = data;

  if (pipeline_can_run (NULL, file->elements))
    check_case (file, &last, test_size () < TEST_FULL ? 20 : 200);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < (test_size () < TEST_FULL ? 1 : G_N_ELEMENTS (files));
       i++) {
    g_autofree gchar *seeks = g_strdup_printf ("/seek/%s/cases", files[i].name);
    g_autofree gchar *storm = g_strdup_printf ("/seek/%s/storm", files[i].name);

    g_test_add_data_func (seeks, &files[i], test_seeks);
    g_test_add_data_func (storm, &files[i], test_storm);
  }
  return g_test_run ();
}
