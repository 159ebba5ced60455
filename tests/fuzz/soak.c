/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * soak [FRAMES [CYCLES]]: resident memory, threads and file descriptors after
 * very many frames of one element with every feature, and after very many
 * cycles from NULL to PLAYING and back, with a few frames each, on a device
 * that stays open, and on one that each cycle closes. Fails if they grow after
 * the first tenth.
 */

#include <gst/check/gstharness.h>
#include <gst/video/video.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#define SKIPPED 77
#define KIB 1024.0
#define CAPS                                                                   \
  "video/x-raw, format=I420, width=64, height=64, framerate=25/1, "            \
  "colorimetry=bt601"
#define FRAME_BYTES (64 * 64 * 3 / 2)
#define FRAMES_PER_CYCLE 3

/* Allowed growth after the first tenth, in bytes. With PoCL 3.1, opening and
 * closing a context leaks about 1.4 KiB. */
#define MAX_FRAMES_GROWTH (512 * KIB)
#define MAX_CYCLES_GROWTH (4096 * KIB)

/* Resources of the process. */
typedef struct
{
  gdouble resident; /* bytes */
  guint threads, files;
} Holdings;

static guint
count_entries (const gchar *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static Holdings
holdings (void)
{
  g_autofree gchar *statm = NULL;
  gulong total, resident;

  malloc_trim (0);
  g_assert_true (g_file_get_contents ("/proc/self/statm", &statm, NULL, NULL));
  g_assert_cmpint (sscanf (statm, "%lu %lu", &total, &resident), ==, 2);
  return (Holdings){ (gdouble) resident * sysconf (_SC_PAGESIZE),
    count_entries ("/proc/self/task"), count_entries ("/proc/self/fd") };
}

/* --- frames --- */

static GstElement *
element_new (void)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstElement *element = gst_parse_launch (
      "amphisto channels=luma+chroma+rgb equalization=clahe smoothing=0.5 "
      "scopes=histogram scope-display=parade compare-frames=true "
      "roi-meta=true post-messages=true interval=0",
      NULL);

  gst_object_ref_sink (element);
  gst_element_set_bus (element, bus);
  return element;
}

static void
element_free (GstElement *element)
{
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
}

static void
push_frame (GstHarness *h, guint n)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, FRAME_BYTES, NULL);

  gst_buffer_memset (buffer, 0, n % 256, FRAME_BYTES / 2);
  gst_buffer_memset (buffer, FRAME_BYTES / 2, n / 256 % 256, FRAME_BYTES / 2);
  gst_buffer_add_video_region_of_interest_meta (
      buffer, "face", n % 64, n % 64, 32, 32);
  GST_BUFFER_PTS (buffer) = n * 40 * GST_MSECOND;
  g_assert_cmpint (gst_harness_push (h, buffer), ==, GST_FLOW_OK);
  gst_buffer_unref (gst_harness_pull (h));
}

static void
empty_bus (GstElement *element)
{
  GstMessage *message;

  while ((message = gst_bus_pop (GST_ELEMENT_BUS (element))) != NULL) {
    g_assert_cmpint (GST_MESSAGE_TYPE (message), !=, GST_MESSAGE_ERROR);
    gst_message_unref (message);
  }
}

/* Runs frames through one element, which plays on from call to call. */
static void
run_frames (GstHarness *h, guint n)
{
  for (guint i = 0; i < n; i++) {
    push_frame (h, i);
    empty_bus (h->element);
  }
}

static void
run_cycle (void)
{
  GstElement *element = element_new ();
  GstHarness *h = gst_harness_new_with_element (element, "sink", "src");

  gst_harness_set_src_caps_str (h, CAPS);
  run_frames (h, FRAMES_PER_CYCLE);
  gst_harness_teardown (h);
  element_free (element);
}

/* --- growth --- */

static gboolean
has_grown (const gchar *what, guint n, gdouble max, const Holdings *before)
{
  const Holdings after = holdings ();

  g_print ("%u %s: resident %.0f KiB, grown by %.0f KiB (at most %.0f); "
           "threads %u, then %u; file descriptors %u, then %u\n",
      n, what, after.resident / KIB, (after.resident - before->resident) / KIB,
      max / KIB, before->threads, after.threads, before->files, after.files);
  return after.resident - before->resident > max
      || after.threads > before->threads || after.files > before->files;
}

static gboolean
grows_by_frames (guint n)
{
  GstElement *element = element_new ();
  GstHarness *h = gst_harness_new_with_element (element, "sink", "src");
  Holdings before;
  gboolean has;

  gst_harness_set_src_caps_str (h, CAPS);
  run_frames (h, n / 10);
  before = holdings ();
  run_frames (h, n - n / 10);
  has = has_grown ("frames", n, MAX_FRAMES_GROWTH, &before);
  gst_harness_teardown (h);
  element_free (element);
  return has;
}

/* seconds: that the device stays open, or NULL */
static gboolean
grows_by_cycles (guint n, const gchar *seconds)
{
  Holdings before;

  if (seconds != NULL)
    g_setenv ("AMPHISTO_KEEP_OPEN", seconds, TRUE);

  for (guint i = 0; i < n / 10; i++)
    run_cycle ();
  before = holdings ();
  for (guint i = n / 10; i < n; i++)
    run_cycle ();
  return has_grown (seconds == NULL ? "cycles" : "cycles that close the device",
      n, MAX_CYCLES_GROWTH, &before);
}

static gboolean
has_device (void)
{
  GstElement *element = element_new ();
  const gboolean has = gst_element_set_state (element, GST_STATE_READY)
      == GST_STATE_CHANGE_SUCCESS;

  gst_element_set_state (element, GST_STATE_NULL);
  element_free (element);
  return has;
}

int
main (int argc, char **argv)
{
  const gint n_cycles = argc > 2 ? atoi (argv[2]) : 1000;
  gboolean grows;

  gst_init (&argc, &argv);
  if (!has_device ()) {
    g_printerr ("There is no OpenCL device.\n");
    return SKIPPED;
  }
  grows = grows_by_frames (argc > 1 ? atoi (argv[1]) : 1000000);
  grows |= grows_by_cycles (n_cycles, NULL);
  return grows_by_cycles (n_cycles, "0") || grows;
}
