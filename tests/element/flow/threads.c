/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams on the cores of a CPU: results are the same with any number of
 * threads, and of streams at once; and `n-threads` is kept.
 */

#include "streams.h"

#define N_STREAMS 16

/* A small frame, which is not divided among threads, and one that is. */
static const struct
{
  guint width, height;
} sizes[] = { { 160, 92 }, { 640, 416 } };

#define WORK                                                                   \
  "amphisto channels=luma+chroma equalization=global smoothing=0.5 "           \
  "scopes=histogram+waveform+vectorscope compare-frames=true "                 \
  "find-letterbox=true check-gamut=true "

/* Returns: the checksum of a stream of this size. */
static gchar *
run_stream (const gchar *launch, guint size)
{
  GstHarness *h = stream_new (launch, sizes[size].width, sizes[size].height);
  gchar *sum = stream_run (h);

  gst_harness_teardown (h);
  return sum;
}

/* --- results --- */

TEST (test_same_results)
{
  gchar *one = run_stream (WORK "n-threads=1", __i__);

  for (guint n = 0; n <= 9; n += 3) {
    gchar *launch = g_strdup_printf (WORK "verify=true n-threads=%u", n);
    gchar *other = run_stream (launch, __i__);

    fail_unless_equals_string (other, one);
    g_free (other);
    g_free (launch);
  }
  g_free (one);
}

static gpointer
check_stream (gpointer expected)
{
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    gchar *sum = run_stream (WORK "verify=true", i);

    fail_unless_equals_string (sum, ((gchar **) expected)[i]);
    g_free (sum);
  }
  return NULL;
}

/* Every frame is verified, and streams of the same frames have the same output.
 */
TEST (test_streams)
{
  gchar *expected[] = { run_stream (WORK, 0), run_stream (WORK, 1) };
  GThread *threads[N_STREAMS];

  for (guint i = 0; i < N_STREAMS; i++)
    threads[i] = g_thread_new ("stream", check_stream, expected);
  for (guint i = 0; i < N_STREAMS; i++)
    g_thread_join (threads[i]);
  g_free (expected[0]);
  g_free (expected[1]);
}

/* --- threads --- */

/* Returns: the number of threads of the process that help others. */
static guint
count_helpers (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *id;
  guint n = 0;

  while ((id = g_dir_read_name (dir)) != NULL) {
    gchar *path = g_strdup_printf ("/proc/self/task/%s/comm", id);
    gchar *name = NULL;

    if (g_file_get_contents (path, &name, NULL, NULL))
      n += g_str_has_prefix (name, "amphisto-helper");
    g_free (name);
    g_free (path);
  }
  g_dir_close (dir);
  return n;
}

/* On PoCL's driver without threads, small frames and n-threads=1 take the
 * streaming thread alone; other frames get help where there are cores. */
TEST (test_n_threads)
{
  const guint most = MIN (g_get_num_processors (), 3);
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  g_autofree gchar *name = NULL;

  element_set_state (element, GST_STATE_READY); /* keeps the device open */
  name = element_device_name (element);
  if (g_getenv ("POCL_DEVICES") != NULL
      || !(
          g_str_has_prefix (name, "pthread") || g_str_has_prefix (name, "cpu")))
    return;
  g_free (run_stream (WORK "n-threads=1", 1));
  g_free (run_stream (WORK, 0));
  fail_unless_equals_int (count_helpers (), 0);
  g_free (run_stream (WORK "n-threads=3", 1));
  fail_unless_equals_int (count_helpers (), most - 1);
}

const ElementTest element_tests[] = { ONCE (test_n_threads),
  EACH (test_same_results, sizes), ONCE (test_streams), { 0 } };
