/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * peers [--work NAME] [--picture NAME] [--size WIDTHxHEIGHT]: amphisto beside
 * other software that does the same. A line has the work, the picture and the
 * size; the median milliseconds a frame of both; and the other's time divided
 * by amphisto's: the median and, in brackets, the quartiles. After the lines of
 * a size, amphisto's throughput on the other pictures, in per cent of that on
 * the photograph.
 */

#include "bench.h"
#include "contenders.h"
#include "pictures.h"

typedef struct
{
  const gchar *name;
  GstVideoFormat format;
  ContenderNew amphisto_new;
  const gchar *amphisto;
  ContenderNew peer_new;
  const gchar *peer;
} Work;

static const Work works[] = {
  { "equalize-gray", GST_VIDEO_FORMAT_GRAY8, contender_new_element,
      "amphisto equalization=global", contender_new_element, "cvequalizehist" },
  { "equalize-gray-in-place", GST_VIDEO_FORMAT_GRAY8,
      contender_new_element_in_place, "amphisto equalization=global",
      contender_new_element_in_place, "cvequalizehist" },
  { "clahe-gray", GST_VIDEO_FORMAT_GRAY8, contender_new_element,
      "amphisto equalization=clahe clip-limit=3", contender_new_opencv,
      "CLAHE" },
  { "histogram-gray", GST_VIDEO_FORMAT_GRAY8, contender_new_element, "amphisto",
      contender_new_opencv, "calcHist" },
  { "histogram-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      "amphisto channels=luma+chroma", contender_new_element, "videoanalyse" },
  { "histogram-i420-luma", GST_VIDEO_FORMAT_I420, contender_new_element,
      "amphisto", contender_new_element, "videoanalyse" },
  { "equalize-rgba", GST_VIDEO_FORMAT_RGBA, contender_new_element,
      "amphisto equalization=global", contender_new_element,
      "frei0r-filter-equaliz0r" },
  { "equalize-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      "amphisto equalization=global", contender_new_ffmpeg, "histeq" },
  { "overlay-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      "amphisto overlay=overlay", contender_new_ffmpeg_program, "histogram" },
  /* beside what the frame takes without them */
  { "zebra-i420", GST_VIDEO_FORMAT_I420, contender_new_element_in_place,
      "amphisto clipping=zebra", contender_new_element_in_place, "amphisto" },
  { "false-color-i420", GST_VIDEO_FORMAT_I420, contender_new_element_in_place,
      "amphisto clipping=false-color", contender_new_element_in_place,
      "amphisto" },
};

static const PictureSize sizes[] = { { 640, 480 }, { 1920, 1080 },
  { 3840, 2160 } };

static gchar *chosen_work;
static gchar *chosen_picture;
static gchar *chosen_size;

static gboolean
is_chosen (const gchar *choice, const gchar *name)
{
  return choice == NULL || g_str_equal (choice, name);
}

/* One work at one size, by picture. Contenders are NULL, and their times
 * undefined, where pictures or peers are missing or not chosen. */
typedef struct
{
  const Work *work;
  const gchar *size;
  Contender *contender[N_PICTURES][2]; /* amphisto, peer */
  BenchTimes times[N_PICTURES][2];
} Group;

static void
add_contenders (Group *group, PictureKind kind, const GstVideoInfo *info)
{
  const Work *work = group->work;
  g_autoptr (GstBuffer) picture = picture_new (kind, info);
  Contender **pair = group->contender[kind];

  pair[0] = work->amphisto_new (work->amphisto, info, picture);
  pair[1] = work->peer_new (work->peer, info, picture);
}

static void
print_row (const Group *group, PictureKind kind)
{
  const BenchTimes *amphisto = &group->times[kind][0];
  const BenchTimes *peer = &group->times[kind][1];
  Quartiles ratio;

  g_print ("%-22s %-10s %-9s  amphisto %7.3f  ", group->work->name,
      picture_name (kind), group->size, bench_median (amphisto));
  if (group->contender[kind][1] == NULL) {
    g_print ("%s missing\n", group->work->peer);
    return;
  }
  ratio = bench_ratio (peer, amphisto);
  g_print ("%-23s %7.3f  ratio %5.2f (%.2f-%.2f)\n", group->work->peer,
      bench_median (peer), ratio.median, ratio.lower, ratio.upper);
}

/* The throughput on other pictures beside that on the photograph. */
static void
print_throughputs (const Group *group)
{
  if (group->contender[PICTURE_PHOTOGRAPH][0] == NULL)
    return;
  g_print ("%-22s amphisto's throughput at %s, photograph 100 %%:",
      group->work->name, group->size);
  for (guint kind = PICTURE_PHOTOGRAPH + 1; kind < N_PICTURES; kind++)
    if (group->contender[kind][0] != NULL)
      g_print ("  %s %.0f %%", picture_name (kind),
          100
              * bench_ratio (
                  &group->times[PICTURE_PHOTOGRAPH][0], &group->times[kind][0])
                    .median);
  g_print ("\n");
}

/* Returns: the number of rows that it printed. */
static guint
run_group (const Work *work, PictureSize size)
{
  g_autofree gchar *size_text =
      g_strdup_printf ("%ux%u", size.width, size.height);
  Group group = { .work = work, .size = size_text };
  GstVideoInfo info;
  guint n_rows = 0;

  if (!is_chosen (chosen_size, size_text))
    return 0;
  picture_info_init (&info, work->format, size);
  for (guint kind = 0; kind < N_PICTURES; kind++)
    if (is_chosen (chosen_picture, picture_name (kind))
        && picture_is_there (kind))
      add_contenders (&group, kind, &info);
  bench_alternate (&group.contender[0][0], 2 * N_PICTURES, &group.times[0][0]);
  for (guint kind = 0; kind < N_PICTURES; kind++)
    if (group.contender[kind][0] != NULL) {
      print_row (&group, kind);
      n_rows++;
    }
  if (chosen_picture == NULL)
    print_throughputs (&group);
  for (guint kind = 0; kind < N_PICTURES; kind++) {
    contender_free (group.contender[kind][0]);
    contender_free (group.contender[kind][1]);
  }
  return n_rows;
}

static void
parse_arguments (int *argc, char ***argv)
{
  const GOptionEntry entries[] = {
    { "work", 0, 0, G_OPTION_ARG_STRING, &chosen_work, "One work", "NAME" },
    { "picture", 0, 0, G_OPTION_ARG_STRING, &chosen_picture, "One picture",
        "NAME" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &chosen_size, "One size",
        "WIDTHxHEIGHT" },
    { 0 },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, argc, argv, &error))
    bench_fail ("%s", error->message);
}

int
main (int argc, char **argv)
{
  guint n_rows = 0;

  parse_arguments (&argc, &argv);
  print_heading ("peers, ms a frame");
  if (!picture_is_there (PICTURE_PHOTOGRAPH))
    g_print ("photograph missing (" PICTURE_PACKAGES ")\n");
  for (guint w = 0; w < G_N_ELEMENTS (works); w++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      if (is_chosen (chosen_work, works[w].name))
        n_rows += run_group (&works[w], sizes[s]);
  if (n_rows == 0)
    bench_fail ("Nothing is called that.");
  return 0;
}
