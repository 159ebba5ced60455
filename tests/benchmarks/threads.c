/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * threads [--work NAME] [--size WIDTHxHEIGHT]: whether threads pay. The first
 * rows compare the element with n-threads=1: its milliseconds per frame, those
 * of one thread, their ratio (quartiles), and CPU time likewise. The others
 * have several streams, each with an element and a thread of its own: frames
 * per second of all, compared with one stream, and the milliseconds of CPU time
 * per frame.
 */

#include "contenders.h"
#include "options.h"
#include "pictures.h"

#define EQUALIZE "amphisto equalization=global"
#define SCOPES "amphisto scopes=histogram+waveform"

typedef struct
{
  const gchar *name;
  GstVideoFormat format;
  const gchar *elements;
  PictureSize size;
} Work;

static const Work works[] = {
  { "histogram", GST_VIDEO_FORMAT_GRAY8, "amphisto", { 640, 480 } },
  { "equalize", GST_VIDEO_FORMAT_GRAY8, EQUALIZE, { 640, 480 } },
  { "equalize", GST_VIDEO_FORMAT_GRAY8, EQUALIZE, { 1920, 1080 } },
  { "equalize", GST_VIDEO_FORMAT_GRAY8, EQUALIZE, { 3840, 2160 } },
  { "scopes", GST_VIDEO_FORMAT_I420, SCOPES, { 640, 480 } },
  { "scopes", GST_VIDEO_FORMAT_I420, SCOPES, { 1920, 1080 } },
};

static const Work streams[] = {
  { "streams", GST_VIDEO_FORMAT_GRAY8, EQUALIZE, { 640, 480 } },
  { "streams", GST_VIDEO_FORMAT_GRAY8, EQUALIZE, { 1920, 1080 } },
};

static const guint numbers[] = { 4, 16, 64 };

/* --- several streams --- */

typedef struct
{
  Contender parent;
  GPtrArray *streams; /* of Contender */
  gint n_left;        /* frames to do; atomic */
} Streams;

typedef struct
{
  Streams *all;
  Contender *own;
} Stream;

static gpointer
run_stream (gpointer data)
{
  Stream *self = data;

  while (g_atomic_int_add (&self->all->n_left, -1) > 0)
    self->own->run (self->own, 1);
  g_free (self);
  return NULL;
}

/* The first frame of each stream is not timed. */
static gdouble
streams_run (Contender *contender, guint n_frames)
{
  Streams *self = (Streams *) contender;
  g_autofree GThread **threads = g_new (GThread *, self->streams->len);
  const gint64 start = g_get_monotonic_time ();

  self->n_left = n_frames;
  for (guint i = 0; i < self->streams->len; i++) {
    Stream *stream = g_new (Stream, 1);

    *stream = (Stream){ self, g_ptr_array_index (self->streams, i) };
    threads[i] = g_thread_new ("stream", run_stream, stream);
  }
  for (guint i = 0; i < self->streams->len; i++)
    g_thread_join (threads[i]);
  return bench_seconds_since (start);
}

static void
streams_free (Contender *contender)
{
  Streams *self = (Streams *) contender;

  g_ptr_array_unref (self->streams);
  g_free (self);
}

static Contender *
streams_new (
    const Work *work, const GstVideoInfo *info, GstBuffer *picture, guint n)
{
  Streams *self = g_new0 (Streams, 1);

  self->parent.run = streams_run;
  self->parent.free = streams_free;
  self->streams =
      g_ptr_array_new_with_free_func ((GDestroyNotify) contender_free);
  for (guint i = 0; i < n; i++) {
    Contender *stream = contender_new_element (work->elements, info, picture);

    stream->run (stream, 1);
    g_ptr_array_add (self->streams, stream);
  }
  return &self->parent;
}

/* --- rows --- */

static gboolean
is_wanted (const Work *work)
{
  g_autofree gchar *size =
      g_strdup_printf ("%ux%u", work->size.width, work->size.height);

  return is_chosen (CHOICE_WORK, work->name) && is_chosen (CHOICE_SIZE, size);
}

static void
print_name (const Work *work)
{
  g_print ("%-10s %4ux%-4u  ", work->name, work->size.width, work->size.height);
}

static void
print_comparison (
    const gchar *what, const BenchTimes *times, const BenchTimes *one)
{
  const Quartiles ratio = bench_ratio (times, one);

  g_print ("  %s %6.3f of %6.3f (%4.2f, %4.2f-%4.2f)", what,
      bench_median (times), bench_median (one), ratio.median, ratio.lower,
      ratio.upper);
}

static void
compare_with_one_thread (const Work *work, PictureKind kind)
{
  GstVideoInfo info;
  g_autoptr (GstBuffer) picture =
      picture_new (kind, work->format, work->size, &info);
  g_autofree gchar *limited =
      g_strdup_printf ("%s n-threads=1", work->elements);
  Contender *contenders[] = {
    contender_new_element (work->elements, &info, picture),
    contender_new_element (limited, &info, picture),
  };
  BenchTimes times[2], cpu_times[2];

  bench_alternate (contenders, 2, times, cpu_times);
  print_name (work);
  print_comparison ("time", &times[0], &times[1]);
  print_comparison ("CPU", &cpu_times[0], &cpu_times[1]);
  g_print ("\n");
  contender_free (contenders[0]);
  contender_free (contenders[1]);
}

static void
compare_with_one_stream (const Work *work, PictureKind kind, guint n)
{
  GstVideoInfo info;
  g_autoptr (GstBuffer) picture =
      picture_new (kind, work->format, work->size, &info);
  Contender *contenders[] = { streams_new (work, &info, picture, n),
    streams_new (work, &info, picture, 1) };
  BenchTimes times[2], cpu_times[2];

  bench_alternate (contenders, 2, times, cpu_times);
  print_name (work);
  g_print ("  %2u streams %8.0f frames/s, one %8.0f  CPU %6.3f, one %6.3f\n", n,
      1000 / bench_median (&times[0]), 1000 / bench_median (&times[1]),
      bench_median (&cpu_times[0]), bench_median (&cpu_times[1]));
  contender_free (contenders[0]);
  contender_free (contenders[1]);
}

int
main (int argc, char **argv)
{
  PictureKind kind;

  parse_options (&argc, &argv, CHOICE_SIZE + 1);
  print_heading ("threads, ms per frame");
  kind = picture_ordinary ();
  for (guint w = 0; w < G_N_ELEMENTS (works); w++)
    if (is_wanted (&works[w]))
      compare_with_one_thread (&works[w], kind);
  for (guint w = 0; w < G_N_ELEMENTS (streams); w++)
    for (guint n = 0; n < G_N_ELEMENTS (numbers); n++)
      if (is_wanted (&streams[w]))
        compare_with_one_stream (&streams[w], kind, numbers[n]);
  return 0;
}
