/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * start: the time to an element's first frame after gst_init(): making the
 * element (loads plugin and driver), starting it (builds kernels), and the
 * frame. A row is a launch line and a format; its times are the minimum and the
 * median, in milliseconds, of
 *
 * - the first element, with an empty kernel cache
 * - the first element, with a filled cache
 * - a second element, while the first exists
 * - another one, after both are gone
 *
 * Each time comes from a new process, `start child LAUNCH-LINE FORMAT`, which
 * prints the times of the three elements.
 */

#define _GNU_SOURCE /* nftw */

#include "contenders.h"
#include "pictures.h"

#include <ftw.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

#define N_COLD 5
#define N_WARM 9

#define SCOPES "amphisto scopes=histogram+waveform+vectorscope"

#define EVERYTHING                                                             \
  SCOPES " equalization=clahe smoothing=0.5 roi-meta=true "                    \
         "exposure=zebra+false-color"

static const struct
{
  const gchar *description;
  const gchar *format;
} works[] = {
  { "amphisto", "I420" },
  { "amphisto", "RGBx" },
  { "amphisto compare-frames=true", "I420" },
  { "amphisto equalization=global", "I420" },
  { "amphisto equalization=stretch", "I420" },
  { "amphisto equalization=clahe", "I420" },
  { "amphisto scopes=histogram", "I420" },
  { SCOPES, "I420" },
  { "amphisto exposure=false-color", "I420" },
  { EVERYTHING, "I420" },
  { EVERYTHING, "RGBx" },
};

/* --- the child --- */

static gdouble
start_element (const gchar *description, const GstVideoInfo *info,
    GstBuffer *picture, Contender **contender)
{
  const gint64 start = g_get_monotonic_time ();

  *contender = contender_new_element (description, info, picture);
  if (*contender == NULL)
    bench_fail ("%s: an element is missing.", description);
  (*contender)->run (*contender, 1);
  return 1000 * bench_seconds_since (start);
}

static void
run_child (const gchar *description, const gchar *format)
{
  GstVideoInfo info;
  g_autoptr (GstBuffer) picture = NULL;
  Contender *contenders[3];
  gdouble ms[3];

  picture = picture_new (PICTURE_NOISE, gst_video_format_from_string (format),
      (PictureSize){ 640, 480 }, &info);
  gst_buffer_add_video_region_of_interest_meta (
      picture, "face", 200, 100, 240, 280);
  for (guint i = 0; i < 2; i++)
    ms[i] = start_element (description, &info, picture, &contenders[i]);
  for (guint i = 0; i < 2; i++)
    contender_free (contenders[i]);
  ms[2] = start_element (description, &info, picture, &contenders[2]);
  contender_free (contenders[2]);
  g_print ("%f %f %f\n", ms[0], ms[1], ms[2]);
}

/* --- the parent --- */

/* The milliseconds of each element, in one child. */
typedef struct
{
  gdouble first;
  gdouble second;
  gdouble again;
} Start;

/* The kernel caches of PoCL, NVIDIA's driver and Mesa. */
static const gchar *const cache_variables[] = { "POCL_CACHE_DIR",
  "CUDA_CACHE_PATH", "MESA_SHADER_CACHE_DIR" };

/* cache: a directory, or NULL for the environment's caches */
static Start
run_process (guint work, const gchar *cache)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autofree gchar *answer = NULL;
  Start start;

  if (cache != NULL)
    for (guint i = 0; i < G_N_ELEMENTS (cache_variables); i++)
      g_subprocess_launcher_setenv (launcher, cache_variables[i], cache, TRUE);
  process = g_subprocess_launcher_spawn (launcher, &error, "/proc/self/exe",
      "child", works[work].description, works[work].format, NULL);
  if (process == NULL
      || !g_subprocess_communicate_utf8 (
          process, NULL, NULL, &answer, NULL, &error))
    bench_fail ("start child: %s", error->message);
  if (!g_subprocess_get_successful (process)
      || sscanf (
             answer, "%lf %lf %lf", &start.first, &start.second, &start.again)
          != 3)
    bench_fail ("start child failed.");
  return start;
}

static int
remove_entry (
    const char *path, const struct stat *status, int type, struct FTW *walk)
{
  (void) status;
  (void) type;
  (void) walk;
  return remove (path);
}

static Start
run_with_empty_cache (guint work)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *cache = g_dir_make_tmp ("amphisto-XXXXXX", &error);
  Start start;

  if (cache == NULL)
    bench_fail ("%s", error->message);
  start = run_process (work, cache);
  if (nftw (cache, remove_entry, 8, FTW_DEPTH | FTW_PHYS) != 0)
    bench_fail ("%s can't be removed.", cache);
  return start;
}

static void
print_times (const gchar *name, const gdouble *ms, guint n)
{
  gdouble minimum = ms[0];

  for (guint i = 1; i < n; i++)
    minimum = MIN (minimum, ms[i]);
  g_print ("  %s %6.1f (%.1f)", name, minimum, bench_quartiles (ms, n).median);
}

static void
print_row (guint work)
{
  gdouble cold[N_COLD], first[N_WARM], second[N_WARM], again[N_WARM];

  for (guint i = 0; i < N_COLD; i++)
    cold[i] = run_with_empty_cache (work).first;
  run_process (work, NULL); /* fills the cache */
  for (guint i = 0; i < N_WARM; i++) {
    const Start start = run_process (work, NULL);

    first[i] = start.first;
    second[i] = start.second;
    again[i] = start.again;
  }
  g_print ("%s", works[work].format);
  print_times ("empty cache", cold, N_COLD);
  print_times ("warm", first, N_WARM);
  print_times ("second element", second, N_WARM);
  print_times ("after both", again, N_WARM);
  g_print ("  %s\n", works[work].description);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  if (argc == 4 && strcmp (argv[1], "child") == 0) {
    run_child (argv[2], argv[3]);
    return 0;
  }
  print_heading ("start to first frame, ms, minimum (median)");
  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    print_row (i);
  return 0;
}
