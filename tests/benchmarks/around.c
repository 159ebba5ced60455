/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * around: the time that a frame takes besides its kernels. A line has the work
 * and the size; the milliseconds per frame and, in brackets, those of a second
 * element with profiled kernels; the sum of that element's kernels, in
 * milliseconds; and the difference, in microseconds and in percent of the
 * frame's time. The two elements run in alternating batches.
 */

#include "contenders.h"
#include "options.h"
#include "pictures.h"
#include "profiled.h"

typedef struct
{
  const gchar *name;
  GstVideoFormat format;
  const gchar *amphisto;
} Work;

static const Work works[] = {
  { "histogram-gray", GST_VIDEO_FORMAT_GRAY8, "amphisto" },
  { "histogram-i420", GST_VIDEO_FORMAT_I420, "amphisto channels=luma+chroma" },
  { "histogram-rgba", GST_VIDEO_FORMAT_RGBA, "amphisto" },
  { "equalize-gray", GST_VIDEO_FORMAT_GRAY8, "amphisto equalization=global" },
  { "equalize-i420", GST_VIDEO_FORMAT_I420, "amphisto equalization=global" },
  { "equalize-rgba", GST_VIDEO_FORMAT_RGBA, "amphisto equalization=global" },
};

static const PictureSize sizes[] = { { 64, 64 }, { 640, 480 }, { 1920, 1080 } };

static BenchTimes
sum_kernels (const Contender *profiled)
{
  const GArray *kernels = profiled_kernels (profiled);
  BenchTimes sum = { 0 };

  for (guint i = 0; i < kernels->len; i++)
    for (guint round = 0; round < BENCH_ROUNDS; round++)
      sum.ms[round] +=
          g_array_index (kernels, ProfiledKernel, i).times.ms[round];
  return sum;
}

static void
print_row (const Work *work, PictureSize size, const BenchTimes *plain,
    const BenchTimes *profiled, const BenchTimes *kernels)
{
  BenchTimes around, fraction;

  for (guint round = 0; round < BENCH_ROUNDS; round++) {
    around.ms[round] = plain->ms[round] - kernels->ms[round];
    fraction.ms[round] = around.ms[round] / plain->ms[round];
  }
  g_print ("%-15s %4ux%-4u  frame %6.3f (%6.3f)  kernels %6.3f  "
           "around %4.0f us  %3.0f %%\n",
      work->name, size.width, size.height, bench_median (plain),
      bench_median (profiled), bench_median (kernels),
      1000 * bench_median (&around), 100 * bench_median (&fraction));
}

static void
run_row (const Work *work, PictureSize size, PictureKind kind)
{
  GstVideoInfo info;
  g_autoptr (GstBuffer) picture = NULL;
  Contender *contenders[2]; /* plain, profiled */
  BenchTimes times[2], kernels;

  picture = picture_new (kind, work->format, size, &info);
  contenders[0] = contender_new_element (work->amphisto, &info, picture);
  profiled_enable (TRUE);
  contenders[1] =
      profiled_new (contender_new_element (work->amphisto, &info, picture));
  profiled_enable (FALSE);
  bench_alternate (contenders, 2, times, NULL);
  kernels = sum_kernels (contenders[1]);
  print_row (work, size, &times[0], &times[1], &kernels);
  contender_free (contenders[0]);
  contender_free (contenders[1]);
}

int
main (int argc, char **argv)
{
  PictureKind kind;

  parse_options (&argc, &argv, 0);
  print_heading ("around the kernels, ms per frame");
  kind = picture_ordinary ();
  for (guint w = 0; w < G_N_ELEMENTS (works); w++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      run_row (&works[w], sizes[s], kind);
  return 0;
}
