/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * growth: how the time of a frame grows with its size, in milliseconds a
 * megapixel; the throughput of eight elements, in a thread each, beside that of
 * one; and the memory that one more element takes, beside one of `identity`.
 */

#include "contenders.h"
#include "crowd.h"
#include "pictures.h"

#include <malloc.h>

#define N_CROWD 8

typedef struct
{
  const gchar *name;
  const gchar *amphisto;
} Work;

static const Work works[] = {
  { "histogram-gray", "amphisto" },
  { "equalize-gray", "amphisto equalization=global" },
};

/* --- with the size --- */

static const PictureSize sizes[] = { { 640, 480 }, { 1280, 720 },
  { 1920, 1080 }, { 3840, 2160 }, { 7680, 4320 } };

static void
print_sizes (const Work *work, PictureKind kind)
{
  Contender *contenders[G_N_ELEMENTS (sizes)];
  BenchTimes times[G_N_ELEMENTS (sizes)];

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autoptr (GstBuffer) picture = NULL;
    GstVideoInfo info;

    picture_info_init (&info, GST_VIDEO_FORMAT_GRAY8, sizes[s]);
    picture = picture_new (kind, &info);
    contenders[s] = contender_new_element (work->amphisto, &info, picture);
  }
  bench_alternate (contenders, G_N_ELEMENTS (sizes), times, NULL);
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    const gdouble ms = bench_median (&times[s]);

    g_print ("%-15s %4ux%-4u  %7.3f ms a frame  %6.3f ms a megapixel\n",
        work->name, sizes[s].width, sizes[s].height, ms,
        ms * 1e6 / (sizes[s].width * sizes[s].height));
    contender_free (contenders[s]);
  }
}

/* --- with the number of elements --- */

static Contender *
crowd_of (
    const gchar *description, const GstVideoInfo *info, GstBuffer *picture)
{
  Contender *members[N_CROWD];

  for (guint i = 0; i < N_CROWD; i++)
    members[i] = contender_new_element (description, info, picture);
  return crowd_new (members, N_CROWD);
}

static void
print_crowd (const Work *work, PictureKind kind)
{
  g_autoptr (GstBuffer) picture = NULL;
  Contender *contenders[2]; /* one, crowd */
  BenchTimes times[2];
  GstVideoInfo info;
  Quartiles ratio;

  picture_info_init (
      &info, GST_VIDEO_FORMAT_GRAY8, (PictureSize){ 1920, 1080 });
  picture = picture_new (kind, &info);
  contenders[0] = contender_new_element (work->amphisto, &info, picture);
  contenders[1] = crowd_of (work->amphisto, &info, picture);
  bench_alternate (contenders, 2, times, NULL);
  ratio = bench_ratio (&times[0], &times[1]);
  g_print ("%-15s 1920x1080  %d elements: %.0f frames/s, %.0f %% (%.0f-%.0f) "
           "of what one does\n",
      work->name, N_CROWD, 1000 * N_CROWD / bench_median (&times[1]),
      100 * N_CROWD * ratio.median, 100 * N_CROWD * ratio.lower,
      100 * N_CROWD * ratio.upper);
  contender_free (contenders[0]);
  contender_free (contenders[1]);
}

/* --- memory --- */

/* Bytes on the heap. */
static gdouble
allocated (void)
{
  const struct mallinfo2 heap = mallinfo2 ();

  return (gdouble) heap.uordblks + heap.hblkhd;
}

/* Bytes that each of N_CROWD more elements takes, its harness included. */
static gdouble
memory_each (const gchar *description)
{
  Contender *contenders[N_CROWD + 1];
  GstVideoInfo info;
  g_autoptr (GstBuffer) picture = NULL;
  gdouble before = 0, after;

  /* so small that frames hardly count */
  picture_info_init (&info, GST_VIDEO_FORMAT_GRAY8, (PictureSize){ 64, 64 });
  picture = picture_new (PICTURE_NOISE, &info);
  for (guint i = 0; i <= N_CROWD; i++) {
    contenders[i] = contender_new_element (description, &info, picture);
    contenders[i]->run (contenders[i], 10);
    if (i == 0)
      before = allocated ();
  }
  after = allocated ();
  for (guint i = 0; i <= N_CROWD; i++)
    contender_free (contenders[i]);
  return (after - before) / N_CROWD;
}

static void
print_memory (const gchar *description)
{
  g_print ("one more \"%s\" at 64x64: %.0f KiB allocated\n", description,
      memory_each (description) / 1024);
}

int
main (int argc, char **argv)
{
  PictureKind kind;

  gst_init (&argc, &argv);
  print_heading ("growth");
  kind = picture_ordinary ();
  for (guint w = 0; w < G_N_ELEMENTS (works); w++)
    print_sizes (&works[w], kind);
  for (guint w = 0; w < G_N_ELEMENTS (works); w++)
    print_crowd (&works[w], kind);
  print_memory ("identity");
  for (guint w = 0; w < G_N_ELEMENTS (works); w++)
    print_memory (works[w].amphisto);
  print_memory ("amphisto frames-in-flight=2");
  return 0;
}
