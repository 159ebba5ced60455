/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams on the cores of a CPU: results are the same with any number of
 * threads, and of streams at once; and `n-threads` is kept.
 */

#include "harnesses.h"

#include <string.h>

#define N_STREAMS 16
#define N_FRAMES 4

/* A small frame, which is not divided among threads, and one that is. */
static const gchar *const sizes[] = {
  "video/x-raw,format=I420,width=160,height=92,framerate=30/1",
  "video/x-raw,format=I420,width=640,height=416,framerate=30/1",
};

#define WORK                                                                   \
  "amphisto channels=luma+chroma equalization=global smoothing=0.5 "           \
  "scopes=histogram+waveform+vectorscope compare-frames=true "                 \
  "find-letterbox=true check-gamut=true "

static GstBuffer *
frame_new (GstHarness *h, gsize size, guint i)
{
  GstBuffer *buffer = gst_harness_create_buffer (h, size);
  GstMapInfo map;
  guint32 random = i + 1;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize k = 0; k < map.size; k++) {
    random = random * 1103515245 + 12345;
    map.data[k] = (guint8) (k / 11 % 160 + i * 8 + (random >> 27));
  }
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = i * GST_SECOND / 30;
  return buffer;
}

/* Returns: the checksum of the pixels and bins of a stream's frames. */
static gchar *
run_stream (const gchar *launch, const gchar *caps)
{
  GChecksum *sum = g_checksum_new (G_CHECKSUM_SHA256);
  GstHarness *h = gst_harness_new_parse (launch);
  gchar *text;

  gst_harness_set_src_caps_str (h, caps);
  for (guint i = 0; i < N_FRAMES; i++) {
    const gsize size = caps == sizes[1] ? 640 * 416 * 3 / 2 : 160 * 92 * 3 / 2;
    GstBuffer *out = gst_harness_push_and_pull (h, frame_new (h, size, i));
    GstCustomMeta *meta;
    GstMapInfo map;

    fail_unless (out != NULL);
    fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
    g_checksum_update (sum, map.data, (gssize) map.size);
    gst_buffer_unmap (out, &map);
    meta = gst_buffer_get_custom_meta (out, "AmphistoHistogramMeta");
    fail_unless (meta != NULL);
    text = gst_structure_to_string (gst_custom_meta_get_structure (meta));
    g_checksum_update (sum, (const guchar *) text, -1);
    g_free (text);
    gst_buffer_unref (out);
  }
  gst_harness_teardown (h);
  text = g_strdup (g_checksum_get_string (sum));
  g_checksum_free (sum);
  return text;
}

/* --- results --- */

TEST (test_same_results)
{
  const gchar *caps = sizes[__i__];
  gchar *one = run_stream (WORK "n-threads=1", caps);

  for (guint n = 0; n <= 9; n += 3) {
    gchar *launch = g_strdup_printf (WORK "verify=true n-threads=%u", n);
    gchar *other = run_stream (launch, caps);

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
    gchar *sum = run_stream (WORK "verify=true", sizes[i]);

    fail_unless_equals_string (sum, ((gchar **) expected)[i]);
    g_free (sum);
  }
  return NULL;
}

/* Every frame is verified, and streams of the same frames have the same output.
 */
TEST (test_streams)
{
  gchar *expected[] = { run_stream (WORK, sizes[0]),
    run_stream (WORK, sizes[1]) };
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
  g_free (run_stream (WORK "n-threads=1", sizes[1]));
  g_free (run_stream (WORK, sizes[0]));
  fail_unless_equals_int (count_helpers (), 0);
  g_free (run_stream (WORK "n-threads=3", sizes[1]));
  fail_unless_equals_int (count_helpers (), most - 1);
}

const ElementTest element_tests[] = { ONCE (test_n_threads),
  EACH (test_same_results, sizes), ONCE (test_streams), { 0 } };
