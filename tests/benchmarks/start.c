/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * start: how long it is from nothing to the first frame equalized, in a process
 * where GStreamer is initialized: making the element, which loads plugin and
 * driver, starting it, and the frame. Then the same for a second element while
 * the first is there. Each time in a new process (`start child`, which prints
 * both in milliseconds); with PoCL's cache of compiled kernels as the last
 * process left it, and with an empty one.
 */

#define _GNU_SOURCE /* nftw */

#include "contenders.h"
#include "pictures.h"

#include <ftw.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

#define N_WARM 9
#define N_COLD 5

static gdouble
start_element (
    const GstVideoInfo *info, GstBuffer *picture, Contender **contender)
{
  const gint64 start = g_get_monotonic_time ();

  *contender =
      contender_new_element ("amphisto equalization=global", info, picture);
  if (*contender == NULL)
    bench_fail ("The element amphisto is missing.");
  (*contender)->run (*contender, 1);
  return (gdouble) (g_get_monotonic_time () - start) / 1000;
}

static void
run_child (void)
{
  GstVideoInfo info;
  g_autoptr (GstBuffer) picture = NULL;
  Contender *contenders[2];
  gdouble ms[2];

  picture_info_init (&info, GST_VIDEO_FORMAT_GRAY8, (PictureSize){ 640, 480 });
  picture = picture_new (PICTURE_NOISE, &info);
  for (guint i = 0; i < 2; i++)
    ms[i] = start_element (&info, picture, &contenders[i]);
  g_print ("%f %f\n", ms[0], ms[1]);
  for (guint i = 0; i < 2; i++)
    contender_free (contenders[i]);
}

/* cache: a directory, or NULL for the environment's */
static void
run_process (const gchar *cache, gdouble *first, gdouble *second)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autofree gchar *answer = NULL;

  if (cache != NULL)
    g_subprocess_launcher_setenv (launcher, "POCL_CACHE_DIR", cache, TRUE);
  process = g_subprocess_launcher_spawn (
      launcher, &error, "/proc/self/exe", "child", NULL);
  if (process == NULL
      || !g_subprocess_communicate_utf8 (
          process, NULL, NULL, &answer, NULL, &error))
    bench_fail ("start child: %s", error->message);
  if (!g_subprocess_get_successful (process)
      || sscanf (answer, "%lf %lf", first, second) != 2)
    bench_fail ("start child failed.");
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

static void
run_with_empty_cache (gdouble *first, gdouble *second)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *cache = g_dir_make_tmp ("amphisto-XXXXXX", &error);

  if (cache == NULL)
    bench_fail ("%s", error->message);
  run_process (cache, first, second);
  if (nftw (cache, remove_entry, 8, FTW_DEPTH | FTW_PHYS) != 0)
    bench_fail ("%s can't be removed.", cache);
}

static void
print_row (const gchar *what, const gdouble *ms, guint n)
{
  const Quartiles quartiles = bench_quartiles (ms, n);

  g_print ("%-28s %7.1f (%.1f-%.1f)\n", what, quartiles.median, quartiles.lower,
      quartiles.upper);
}

int
main (int argc, char **argv)
{
  gdouble first[MAX (N_WARM, N_COLD)], second[MAX (N_WARM, N_COLD)];

  gst_init (&argc, &argv);
  if (argc > 1 && strcmp (argv[1], "child") == 0) {
    run_child ();
    return 0;
  }
  print_heading ("start to first frame, ms");
  run_process (NULL, first, second); /* fills the cache */
  for (guint i = 0; i < N_WARM; i++)
    run_process (NULL, &first[i], &second[i]);
  print_row ("first element, warm cache", first, N_WARM);
  print_row ("second element", second, N_WARM);
  for (guint i = 0; i < N_COLD; i++)
    run_with_empty_cache (&first[i], &second[i]);
  print_row ("first element, empty cache", first, N_COLD);
  return 0;
}
