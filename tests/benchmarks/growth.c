/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * growth: the time per frame by its size, in milliseconds per megapixel; and
 * the memory of one more element, compared with `identity`.
 */

#include "contenders.h"
#include "pictures.h"

#include <malloc.h>

#define N_ELEMENTS 8 /* whose memory is measured */

typedef struct
{
  const gchar *name;
  const gchar *amphisto;
} Work;

static const Work works[] = {
  { "histogram-gray", "amphisto" },
  { "compare-gray", "amphisto compare-frames=true" },
  { "equalize-gray", "amphisto equalization=global" },
};

/* --- time --- */

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

    picture = picture_new (kind, GST_VIDEO_FORMAT_GRAY8, sizes[s], &info);
    contenders[s] = contender_new_element (work->amphisto, &info, picture);
  }
  bench_alternate (contenders, G_N_ELEMENTS (sizes), times, NULL);
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    const gdouble ms = bench_median (&times[s]);

    g_print ("%-15s %4ux%-4u  %7.3f ms per frame  %6.3f ms per megapixel\n",
        work->name, sizes[s].width, sizes[s].height, ms,
        ms * 1e6 / (sizes[s].width * sizes[s].height));
    contender_free (contenders[s]);
  }
}

/* --- memory --- */

/* Bytes on the heap. */
static gdouble
allocated (void)
{
  const struct mallinfo2 heap = mallinfo2 ();

  return (gdouble) heap.uordblks + heap.hblkhd;
}

/* Bytes of each of N_ELEMENTS more elements, including its harness. */
static gdouble
memory_each (const gchar *description)
{
  Contender *contenders[N_ELEMENTS + 1];
  GstVideoInfo info;
  g_autoptr (GstBuffer) picture = NULL;
  gdouble before = 0, after;

  /* frames so small that their memory hardly matters */
  picture = picture_new (
      PICTURE_NOISE, GST_VIDEO_FORMAT_GRAY8, (PictureSize){ 64, 64 }, &info);
  for (guint i = 0; i <= N_ELEMENTS; i++) {
    contenders[i] = contender_new_element (description, &info, picture);
    contenders[i]->run (contenders[i], 10);
    if (i == 0)
      before = allocated ();
  }
  after = allocated ();
  for (guint i = 0; i <= N_ELEMENTS; i++)
    contender_free (contenders[i]);
  return (after - before) / N_ELEMENTS;
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
    print_memory (works[w].amphisto);
  print_memory ("amphisto frames-in-flight=2");
  print_memory ("identity");
  return 0;
}
