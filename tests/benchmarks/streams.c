/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * streams [--work NAME] [--size WIDTHxHEIGHT]: many streams on one GPU, each
 * with a picture, an element, three frames in flight and a thread of its own. A
 * line has the work, the size, the number of streams, the frames per second of
 * all, and their ratio to those of one stream.
 */

#include "contenders.h"
#include "opendevice.h"
#include "options.h"
#include "pictures.h"

#define EQUALIZE "amphisto equalization=global frames-in-flight=3"
#define WARM_UP (G_TIME_SPAN_SECOND / 2)
#define TIME (2 * G_TIME_SPAN_SECOND)

typedef struct
{
  const gchar *name;
  GstVideoFormat format;
  PictureSize size;
} Work;

static const Work works[] = {
  { "equalize-i420", GST_VIDEO_FORMAT_I420, { 1920, 1080 } },
  { "equalize-gray", GST_VIDEO_FORMAT_GRAY8, { 640, 480 } },
};

static const guint numbers[] = { 1, 8, 64 };

typedef struct
{
  Contender *element;
  GThread *thread;
  gint n_frames; /* pushed; atomic */
} Stream;

static gint is_over; /* atomic */

static gpointer
run_stream (gpointer data)
{
  Stream *self = data;

  while (!g_atomic_int_get (&is_over)) {
    self->element->run (self->element, 1);
    g_atomic_int_inc (&self->n_frames);
  }
  return NULL;
}

static guint
count_frames (Stream *streams, guint n)
{
  guint sum = 0;

  for (guint i = 0; i < n; i++)
    sum += g_atomic_int_get (&streams[i].n_frames);
  return sum;
}

/* Returns: the frames per second of all streams. */
static gdouble
measure (Stream *streams, guint n)
{
  guint n_before, n_frames;
  gdouble seconds;
  gint64 start;

  g_atomic_int_set (&is_over, FALSE);
  for (guint i = 0; i < n; i++)
    streams[i].thread = g_thread_new ("stream", run_stream, &streams[i]);
  g_usleep (WARM_UP);
  n_before = count_frames (streams, n);
  start = g_get_monotonic_time ();
  g_usleep (TIME);
  n_frames = count_frames (streams, n) - n_before;
  seconds = bench_seconds_since (start);
  g_atomic_int_set (&is_over, TRUE);
  for (guint i = 0; i < n; i++)
    g_thread_join (streams[i].thread);
  return n_frames / seconds;
}

static gdouble
run_streams (const GstVideoInfo *info, GstBuffer *picture, guint n)
{
  g_autofree Stream *streams = g_new0 (Stream, n);
  gdouble rate;

  for (guint i = 0; i < n; i++) {
    g_autoptr (GstBuffer) own = gst_buffer_copy_deep (picture);

    streams[i].element = contender_new_element (EQUALIZE, info, own);
  }
  rate = measure (streams, n);
  for (guint i = 0; i < n; i++)
    contender_free (streams[i].element);
  return rate;
}

static void
run_work (const Work *work, PictureKind kind)
{
  GstVideoInfo info;
  g_autoptr (GstBuffer) picture =
      picture_new (kind, work->format, work->size, &info);
  gdouble one = 0;

  info.fps_n = 30; /* without a rate, no frames are held back */
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    const gdouble rate = run_streams (&info, picture, numbers[i]);

    if (i == 0)
      one = rate;
    g_print ("%-14s %4ux%-4u  %2u streams  %7.0f frames/s (%4.2f)\n",
        work->name, work->size.width, work->size.height, numbers[i], rate,
        rate / one);
  }
}

/* Streams on a CPU are rows of `threads`. */
static gboolean
is_gpu (void)
{
  AmphistoClDevice *device = test_open_device (NULL, NULL);
  gboolean is_gpu;

  if (device == NULL)
    return FALSE;
  is_gpu = !device->is_cpu;
  amphisto_cl_device_close (device);
  return is_gpu;
}

int
main (int argc, char **argv)
{
  PictureKind kind;

  parse_options (&argc, &argv, CHOICE_SIZE + 1);
  print_heading ("streams, frames per second");
  if (!is_gpu ()) {
    g_print ("skipped: the device is no GPU\n");
    return 0;
  }
  kind = picture_ordinary ();
  for (guint w = 0; w < G_N_ELEMENTS (works); w++) {
    const PictureSize size = works[w].size;
    g_autofree gchar *name = g_strdup_printf ("%ux%u", size.width, size.height);

    if (is_chosen (CHOICE_WORK, works[w].name) && is_chosen (CHOICE_SIZE, name))
      run_work (&works[w], kind);
  }
  return 0;
}
