/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define _GNU_SOURCE /* memfd_create */

#include "contenders.h"
#include "lesser_cpu.h"

#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define OPENCV_MISSING 77 /* exit status of opencv.py */
#define FFMPEG_SKIPPED 2  /* frames that are not timed */
#define FFMPEG_TIMES 8    /* factor to the number of frames */

/* --- elements --- */

/* Drops messages: some elements post one for each frame. */
static GstBusSyncReply
on_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  (void) bus;
  (void) user_data;
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    g_autoptr (GError) error = NULL;
    g_autofree gchar *debug = NULL;

    gst_message_parse_error (message, &error, &debug);
    bench_fail ("%s: %s\n%s", GST_MESSAGE_SRC_NAME (message), error->message,
        debug != NULL ? debug : "");
  }
  gst_message_unref (message);
  return GST_BUS_DROP;
}

void
element_watch (GstElement *element)
{
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_bus_set_sync_handler (bus, on_message, NULL, NULL);
  gst_element_set_bus (element, bus);
}

static GstElement *
parse (const gchar *description)
{
  g_autoptr (GError) error = NULL;
  GstElement *bin = gst_parse_bin_from_description_full (
      description, TRUE, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);

  if (g_error_matches (error, GST_PARSE_ERROR, GST_PARSE_ERROR_NO_SUCH_ELEMENT))
    return NULL;
  if (error != NULL)
    bench_fail ("%s: %s", description, error->message);
  return gst_object_ref_sink (bin);
}

static GstStaticPadTemplate source_template = GST_STATIC_PAD_TEMPLATE (
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE (
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

GstHarness *
harness_new (const gchar *description)
{
  g_autoptr (GstElement) bin = parse (description);
  GstHarness *h;

  if (bin == NULL)
    return NULL;
  element_watch (bin);
  h = gst_harness_new_empty ();
  gst_harness_add_element_full (h, bin,
      bin->numsinkpads > 0 ? &source_template : NULL, "sink",
      bin->numsrcpads > 0 ? &sink_template : NULL, "src");
  return h;
}

void
harness_take_compositions (GstHarness *h)
{
  gst_harness_add_propose_allocation_meta (
      h, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
  gst_harness_set_sink_caps_str (h,
      "video/x-raw(memory:SystemMemory, meta:GstVideoOverlayComposition); "
      "video/x-raw");
}

gboolean
harness_gives_composition (GstHarness *h, GstBuffer *frame)
{
  g_autoptr (GstQuery) drain = gst_query_new_drain ();
  g_autoptr (GstBuffer) result = NULL;

  gst_harness_set_drop_buffers (h, FALSE);
  gst_harness_push (h, gst_buffer_copy (frame));
  gst_pad_peer_query (h->srcpad, drain);
  result = gst_harness_try_pull (h);
  gst_harness_set_drop_buffers (h, TRUE);
  return result != NULL
      && gst_buffer_get_video_overlay_composition_meta (result) != NULL;
}

void
print_heading (const gchar *benchmark)
{
  GstElement *element = gst_element_factory_make ("amphisto", NULL);
  g_autofree gchar *device = NULL;

  if (element == NULL)
    bench_fail ("The element amphisto is missing.");
  element_watch (element);
  if (gst_element_set_state (element, GST_STATE_READY)
      != GST_STATE_CHANGE_SUCCESS)
    bench_fail ("amphisto does not open its device.");
  g_object_get (element, "device-name", &device, NULL);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
  lesser_cpu_check (device);
  g_print ("%s: %s, %u cores\n", benchmark, device, g_get_num_processors ());
}

typedef struct
{
  Contender parent;
  GstHarness *harness;
  gchar *description;
  GstBuffer *frame;
} ElementContender;

static void
push (ElementContender *self, GstBuffer *buffer)
{
  const GstFlowReturn flow = gst_harness_push (self->harness, buffer);

  if (flow != GST_FLOW_OK)
    bench_fail ("%s: %s", self->description, gst_flow_get_name (flow));
}

static gdouble
element_run (Contender *contender, guint n_frames)
{
  ElementContender *self = (ElementContender *) contender;
  const gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < n_frames; i++)
    push (self, gst_buffer_copy (self->frame));
  return bench_seconds_since (start);
}

static gdouble
element_run_in_place (Contender *contender, guint n_frames)
{
  ElementContender *self = (ElementContender *) contender;
  const gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < n_frames; i++) {
    push (self, g_steal_pointer (&self->frame));
    self->frame = gst_harness_pull (self->harness);
    if (self->frame == NULL)
      bench_fail ("%s: no frame comes out.", self->description);
  }
  return bench_seconds_since (start);
}

static void
element_free (Contender *contender)
{
  ElementContender *self = (ElementContender *) contender;

  gst_harness_teardown (self->harness);
  gst_buffer_unref (self->frame);
  g_free (self->description);
  g_free (self);
}

static ElementContender *
element_contender_new (const gchar *description, const GstVideoInfo *info)
{
  GstHarness *h = harness_new (description);
  ElementContender *self;

  if (h == NULL)
    return NULL;
  gst_harness_set_src_caps (h, gst_video_info_to_caps (info));
  self = g_new0 (ElementContender, 1);
  self->parent.free = element_free;
  self->harness = h;
  self->description = g_strdup (description);
  return self;
}

Contender *
contender_new_element (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture)
{
  ElementContender *self = element_contender_new (description, info);

  if (self == NULL)
    return NULL;
  gst_harness_set_drop_buffers (self->harness, TRUE);
  self->frame = gst_buffer_ref (picture);
  self->parent.run = element_run;
  return &self->parent;
}

Contender *
contender_new_element_composing (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture)
{
  Contender *contender = contender_new_element (description, info, picture);
  GstHarness *h;

  if (contender == NULL)
    return NULL;
  h = ((ElementContender *) contender)->harness;
  harness_take_compositions (h);
  if (harness_gives_composition (h, picture))
    return contender;
  contender_free (contender);
  return NULL;
}

Contender *
contender_new_element_in_place (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture)
{
  ElementContender *self = element_contender_new (description, info);

  if (self == NULL)
    return NULL;
  self->frame = gst_buffer_copy_deep (picture);
  self->parent.run = element_run_in_place;
  return &self->parent;
}

/* --- programs --- */

/* Writes the picture to a file in memory. `path`: (transfer full): its name for
 * other programs. Returns: its descriptor; closing it deletes the file. */
static int
picture_file_new (GstBuffer *picture, gchar **path)
{
  const int fd = memfd_create ("picture", MFD_CLOEXEC);
  GstMapInfo map;

  if (fd < 0 || !gst_buffer_map (picture, &map, GST_MAP_READ)
      || write (fd, map.data, map.size) != (gssize) map.size)
    bench_fail ("The picture can't be written to a file in memory.");
  gst_buffer_unmap (picture, &map);
  *path = g_strdup_printf ("/proc/%d/fd/%d", (int) getpid (), fd);
  return fd;
}

typedef struct
{
  Contender parent;
  GSubprocess *process;
  GOutputStream *requests;
  GDataInputStream *answers;
  int fd;
} OpencvContender;

/* Returns: (transfer full): the next line, or NULL if the program ended. */
static gchar *
opencv_read (OpencvContender *self)
{
  g_autoptr (GError) error = NULL;
  gchar *line =
      g_data_input_stream_read_line (self->answers, NULL, NULL, &error);

  if (error != NULL)
    bench_fail ("opencv.py: %s", error->message);
  return line;
}

static gdouble
opencv_run (Contender *contender, guint n_frames)
{
  OpencvContender *self = (OpencvContender *) contender;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *answer = NULL;

  if (!g_output_stream_printf (
          self->requests, NULL, NULL, &error, "%u\n", n_frames))
    bench_fail ("opencv.py: %s", error->message);
  answer = opencv_read (self);
  if (answer == NULL)
    bench_fail ("opencv.py ended.");
  return g_ascii_strtod (answer, NULL);
}

static gdouble
opencv_cpu_seconds (Contender *contender)
{
  OpencvContender *self = (OpencvContender *) contender;
  const pid_t pid = atoi (g_subprocess_get_identifier (self->process));
  struct timespec time;
  clockid_t clock;

  if (clock_getcpuclockid (pid, &clock) != 0
      || clock_gettime (clock, &time) != 0)
    bench_fail ("opencv.py's CPU time is unknown.");
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void
opencv_free (Contender *contender)
{
  OpencvContender *self = (OpencvContender *) contender;

  /* the program ends at the end of its input */
  g_output_stream_close (self->requests, NULL, NULL);
  g_subprocess_wait (self->process, NULL, NULL);
  g_object_unref (self->answers);
  g_object_unref (self->process);
  close (self->fd);
  g_free (self);
}

/* Returns: FALSE if OpenCV is missing. */
static gboolean
opencv_start (OpencvContender *self, const gchar *work, const gchar *path,
    const gchar *width, const gchar *height)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *ready = NULL;

  self->process = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
      PYTHON, OPENCV_PY, work, path, width, height, NULL);
  if (self->process == NULL)
    bench_fail ("opencv.py: %s", error->message);
  self->requests = g_subprocess_get_stdin_pipe (self->process);
  self->answers =
      g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->process));
  ready = opencv_read (self);
  if (ready != NULL)
    return TRUE;

  g_subprocess_wait (self->process, NULL, NULL);
  if (!g_subprocess_get_if_exited (self->process)
      || g_subprocess_get_exit_status (self->process) != OPENCV_MISSING)
    bench_fail ("opencv.py failed.");
  return FALSE;
}

Contender *
contender_new_opencv (
    const gchar *work, const GstVideoInfo *info, GstBuffer *picture)
{
  g_autofree gchar *width = g_strdup_printf ("%d", info->width);
  g_autofree gchar *height = g_strdup_printf ("%d", info->height);
  g_autofree gchar *path = NULL;
  OpencvContender *self;

  if (!g_file_test (PYTHON, G_FILE_TEST_IS_EXECUTABLE))
    return NULL;
  self = g_new0 (OpencvContender, 1);
  self->parent = (Contender){
    .run = opencv_run, .free = opencv_free, .cpu_seconds = opencv_cpu_seconds
  };
  self->fd = picture_file_new (picture, &path);
  if (opencv_start (self, work, path, width, height))
    return &self->parent;
  opencv_free (&self->parent);
  return NULL;
}

typedef struct
{
  Contender parent;
  gchar *program;
  gchar *size;
  gchar *filter;
  gchar *path;
  const gchar *pixel_format;
  gdouble cpu_seconds;
  int fd;
} FfmpegContender;

/* Adds up the times that ffmpeg's filter `bench` logs. Skips the first frames,
 * for which filters allocate memory. */
static gdouble
sum_times (const gchar *log, guint n_frames)
{
  gdouble seconds = 0;
  guint n = 0;

  for (const gchar *at = strstr (log, " t:"); at != NULL;
       at = strstr (at + 1, " t:"))
    if (n++ >= FFMPEG_SKIPPED)
      seconds += g_ascii_strtod (at + strlen (" t:"), NULL);
  if (n != n_frames + FFMPEG_SKIPPED)
    bench_fail ("ffmpeg processed %u frames:\n%s", n, log);
  return seconds;
}

/* Runs ffmpeg on n_frames copies of the picture. Returns: (transfer full): its
 * log. */
static gchar *
ffmpeg_log (FfmpegContender *self, guint n_frames, const gchar *filters)
{
  g_autofree gchar *graph =
      g_strdup_printf ("loop=loop=%u:size=1,%s", n_frames - 1, filters);
  g_autoptr (GError) error = NULL;
  gchar *log = NULL;
  g_autoptr (GSubprocess) process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_PIPE, &error, self->program,
          "-nostdin", "-nostats", "-hide_banner",
          /* a line for each frame, even if two are equal */
          "-loglevel", "repeat+info", "-f", "rawvideo", "-pixel_format",
          self->pixel_format, "-video_size", self->size, "-i", self->path,
          "-vf", graph, "-f", "null", "-", NULL);

  if (process == NULL
      || !g_subprocess_communicate_utf8 (
          process, NULL, NULL, NULL, &log, &error))
    bench_fail ("ffmpeg: %s", error->message);
  if (!g_subprocess_get_successful (process))
    bench_fail ("ffmpeg failed:\n%s", log);
  return log;
}

/* The CPU time of all child processes that have ended, in seconds. */
static gdouble
children_cpu_seconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_CHILDREN, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
      + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* A run of the program; times in seconds. */
typedef struct
{
  gdouble wall;
  gdouble cpu;
  gchar *log; /* owned */
} FfmpegRun;

static FfmpegRun
ffmpeg_time (FfmpegContender *self, guint n_frames, const gchar *filters)
{
  const gdouble cpu_start = children_cpu_seconds ();
  const gint64 start = g_get_monotonic_time ();
  gchar *log = ffmpeg_log (self, n_frames, filters);

  return (FfmpegRun){ bench_seconds_since (start),
    children_cpu_seconds () - cpu_start, log };
}

/* The difference between two runs of the program, with more and with fewer
 * frames. More means FFMPEG_TIMES as many as asked for, because the program's
 * start-up time varies by several frame times. */
static FfmpegRun
ffmpeg_time_frames (FfmpegContender *self, guint n_frames, const gchar *filters)
{
  FfmpegRun less = ffmpeg_time (self, FFMPEG_SKIPPED, filters);
  FfmpegRun more =
      ffmpeg_time (self, FFMPEG_TIMES * n_frames + FFMPEG_SKIPPED, filters);

  g_free (less.log);
  self->cpu_seconds += (more.cpu - less.cpu) / FFMPEG_TIMES;
  more.wall = (more.wall - less.wall) / FFMPEG_TIMES;
  return more;
}

static gdouble
ffmpeg_run (Contender *contender, guint n_frames)
{
  FfmpegContender *self = (FfmpegContender *) contender;
  g_autofree gchar *filters =
      g_strdup_printf ("bench=start,%s,bench=stop", self->filter);
  FfmpegRun run = ffmpeg_time_frames (self, n_frames, filters);
  const gdouble seconds =
      sum_times (run.log, FFMPEG_TIMES * n_frames) / FFMPEG_TIMES;

  g_free (run.log);
  return seconds;
}

static gdouble
ffmpeg_run_program (Contender *contender, guint n_frames)
{
  FfmpegContender *self = (FfmpegContender *) contender;
  FfmpegRun run = ffmpeg_time_frames (self, n_frames, self->filter);

  g_free (run.log);
  return run.wall;
}

static gdouble
ffmpeg_cpu_seconds (Contender *contender)
{
  return ((FfmpegContender *) contender)->cpu_seconds;
}

static void
ffmpeg_free (Contender *contender)
{
  FfmpegContender *self = (FfmpegContender *) contender;

  close (self->fd);
  g_free (self->program);
  g_free (self->size);
  g_free (self->filter);
  g_free (self->path);
  g_free (self);
}

static const gchar *
ffmpeg_pixel_format (GstVideoFormat format)
{
  switch (format) {
    case GST_VIDEO_FORMAT_GRAY8:
      return "gray";
    case GST_VIDEO_FORMAT_I420:
      return "yuv420p";
    case GST_VIDEO_FORMAT_Y444:
      return "yuv444p";
    case GST_VIDEO_FORMAT_RGBA:
      return "rgba";
    default:
      g_assert_not_reached ();
  }
}

Contender *
contender_new_ffmpeg (
    const gchar *filter, const GstVideoInfo *info, GstBuffer *picture)
{
  gchar *program = g_find_program_in_path ("ffmpeg");
  FfmpegContender *self;

  if (program == NULL)
    return NULL;
  self = g_new0 (FfmpegContender, 1);
  self->parent = (Contender){
    .run = ffmpeg_run, .free = ffmpeg_free, .cpu_seconds = ffmpeg_cpu_seconds
  };
  self->program = program;
  self->size = g_strdup_printf ("%dx%d", info->width, info->height);
  self->filter = g_strdup (filter);
  self->pixel_format = ffmpeg_pixel_format (GST_VIDEO_INFO_FORMAT (info));
  self->fd = picture_file_new (picture, &self->path);
  return &self->parent;
}

Contender *
contender_new_ffmpeg_program (
    const gchar *filter, const GstVideoInfo *info, GstBuffer *picture)
{
  Contender *self = contender_new_ffmpeg (filter, info, picture);

  if (self != NULL)
    self->run = ffmpeg_run_program;
  return self;
}
