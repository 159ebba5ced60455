/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The linear scale of the histogram's scope, on photographs: it cuts few bins
 * of luma, and does not flatten the others.
 */

#include "core/scopes/scales.h"
#include "pipeline.h"

#include <gst/app/app.h>
#include <gst/video/video.h>
#include <math.h>
#include <stdlib.h>

#define END_TIMEOUT (60 * GST_SECOND)

static const gchar *const photographs[] = { "aero1.jpg", "aloeL.jpg",
  "apple.jpg", "baboon.jpg", "basketball1.png", "blox.jpg", "board.jpg",
  "box.png", "box_in_scene.png", "building.jpg", "butterfly.jpg",
  "chicky_512.png", "ela_original.jpg", "fruits.jpg", "graf1.png", "home.jpg",
  "left.jpg", "left01.jpg", "leuvenA.jpg", "licenseplate_motion.jpg",
  "messi5.jpg", "orange.jpg", "pca_test1.jpg", "rubberwhale1.png",
  "squirrel_cls.jpg", "stuff.jpg", "sudoku.png", "text_defocus.jpg" };

#define N_PHOTOGRAPHS G_N_ELEMENTS (photographs)

typedef uint32_t Bins[AMPHISTO_N_BINS];

/* The standard normal distribution. */
static gdouble
random_normal (GRand *rand)
{
  const gdouble radius = sqrt (-2 * log (1 - g_rand_double (rand)));

  return radius * cos (2 * G_PI * g_rand_double (rand));
}

/* Adds the frame's luma, with noise of a standard deviation, to the bins. */
static void
count_luma (const GstVideoFrame *frame, gdouble sigma, Bins bins)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  for (gint y = 0; y < GST_VIDEO_FRAME_HEIGHT (frame); y++) {
    const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 0)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0);

    for (gint x = 0; x < GST_VIDEO_FRAME_WIDTH (frame); x++) {
      const gdouble luma = rint (row[x] + sigma * random_normal (rand));

      bins[(guint8) CLAMP (luma, 0, 255)]++;
    }
  }
}

static void
count_photograph (const gchar *path, gdouble sigma, Bins bins)
{
  g_autofree gchar *description = g_strdup_printf (
      "filesrc location=%s ! %s ! videoconvert ! video/x-raw,format=GRAY8 ! "
      "appsink name=sink sync=false",
      path, g_str_has_suffix (path, ".png") ? "pngdec" : "jpegdec");
  g_autoptr (GstElement) pipeline = pipeline_new (description);
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstSample) sample = NULL;
  GstVideoFrame frame;
  GstVideoInfo info;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  sample = gst_app_sink_try_pull_sample (GST_APP_SINK (sink), END_TIMEOUT);
  g_assert_nonnull (sample);
  g_assert_true (
      gst_video_info_from_caps (&info, gst_sample_get_caps (sample)));
  g_assert_true (gst_video_frame_map (
      &frame, &info, gst_sample_get_buffer (sample), GST_MAP_READ));
  count_luma (&frame, sigma, bins);
  gst_video_frame_unmap (&frame);
  pipeline_finish (pipeline);
}

static int
compare_ascending (const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

  return (x > y) - (x < y);
}

/* How the scale fits a photograph: the number of bins between black and white
 * that are cut, and the share of the plot's height that the median of the
 * filled ones has. */
typedef struct
{
  uint32_t n_cut;
  gdouble median;
} Fit;

static Fit
find_fit (const Bins bins)
{
  const histogram_scope_params params = {
    .n_curves = 1, .n_scales = 1, .reset = 1, .curve = { { .white = 255 } }
  };
  uint32_t top, n_filled = 0;
  Fit fit = { 0 };
  Bins filled;

  amphisto_scales_move (&params, (const Bins *) bins, &top);
  for (guint v = 1; v < 255; v++) {
    fit.n_cut += bins[v] > top;
    if (bins[v] > 0)
      filled[n_filled++] = bins[v];
  }
  qsort (filled, n_filled, sizeof *filled, compare_ascending);
  fit.median = (gdouble) filled[n_filled / 2] / top;
  return fit;
}

/* Half of the photographs have at most one bin cut, and nine of ten at most ten
 * bins. */
static void
test_photographs (gconstpointer sigma)
{
  static const gchar *const decoders[] = { "jpegdec", "pngdec", NULL };
  uint32_t n_cut[N_PHOTOGRAPHS];

  for (guint i = 0; i < N_PHOTOGRAPHS; i++) {
    g_autofree gchar *path = g_strconcat (OPENCV_DATA, photographs[i], NULL);
    Bins bins = { 0 };
    Fit fit;

    if (!pipeline_can_run (path, decoders))
      return;
    count_photograph (path, *(const gdouble *) sigma, bins);
    fit = find_fit (bins);
    g_test_message (
        "%s: %u bins, median %.3f", photographs[i], fit.n_cut, fit.median);
    g_assert_cmpfloat (fit.median, >=, 0.04);
    n_cut[i] = fit.n_cut;
  }
  qsort (n_cut, N_PHOTOGRAPHS, sizeof *n_cut, compare_ascending);
  g_assert_cmpuint (n_cut[N_PHOTOGRAPHS / 2], <=, 1);
  g_assert_cmpuint (n_cut[N_PHOTOGRAPHS * 9 / 10], <=, 10);
}

int
main (int argc, char **argv)
{
  static const gdouble none = 0, camera = 2;

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/scale/as-stored", &none, test_photographs);
  g_test_add_data_func ("/scale/with-noise", &camera, test_photographs);
  return g_test_run ();
}
