/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * peers [--work NAME] [--picture NAME] [--size WIDTHxHEIGHT] [--cpu NAME]:
 * amphisto compared with other software for the same work. A line has the work,
 * the picture and the size; the median milliseconds per frame of both; the
 * peer's time divided by amphisto's: the median and, in brackets, the
 * quartiles; and the CPU time of both, and amphisto's in percent of the peer's.
 * After the lines of a size, amphisto's throughput on the other pictures, in
 * percent of its throughput on the photograph.
 */

#include "bench.h"
#include "contenders.h"
#include "options.h"
#include "device_memory.h"
#include "pictures.h"

typedef struct
{
  const gchar *name;
  GstVideoFormat format;
  ContenderNew amphisto_new;
  const gchar *amphisto;
  ContenderNew peer_new;
  const gchar *peer;
  GstVideoFormat peer_format; /* 0: `format` */
  const gchar *base;      /* launch line whose time is subtracted, or NULL */
  const gchar *peer_name; /* NULL: `peer` */
  const gchar *needs;     /* what amphisto's contender may lack, or NULL */
} Work;

#define COMPARE "amphisto compare-frames=true"
#define COMPARE_LUMA "amphisto expect=luma.distance>=0"
#define EQUALIZE "amphisto equalization=global"
#define LUMA_ONLY " keep-colors=false"
#define HISTOGRAM "amphisto scopes=histogram"
#define TEXT "textoverlay text=text"

static const Work works[] = {
  { "equalize-gray", GST_VIDEO_FORMAT_GRAY8, contender_new_element,
      "amphisto equalization=global", contender_new_element,
      .peer = "cvequalizehist" },
  { "equalize-gray-in-place", GST_VIDEO_FORMAT_GRAY8,
      contender_new_element_in_place, "amphisto equalization=global",
      contender_new_element_in_place, .peer = "cvequalizehist" },
  { "clahe-gray", GST_VIDEO_FORMAT_GRAY8, contender_new_element,
      "amphisto equalization=clahe clip-limit=3", contender_new_opencv,
      .peer = "CLAHE" },
  { "histogram-gray", GST_VIDEO_FORMAT_GRAY8, contender_new_element, "amphisto",
      contender_new_opencv, .peer = "calcHist" },
  { "sharpness-gray", GST_VIDEO_FORMAT_GRAY8, contender_new_element,
      "amphisto measure-sharpness=true", contender_new_opencv,
      .peer = "Laplacian", .base = "amphisto" },
  { "histogram-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      "amphisto channels=luma+chroma", contender_new_element,
      .peer = "videoanalyse" },
  { "histogram-i420-luma", GST_VIDEO_FORMAT_I420, contender_new_element,
      "amphisto", contender_new_element, .peer = "videoanalyse" },
  { "equalize-rgba", GST_VIDEO_FORMAT_RGBA, contender_new_element,
      EQUALIZE LUMA_ONLY, contender_new_element,
      .peer = "frei0r-filter-equaliz0r" },
  { "equalize-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      EQUALIZE LUMA_ONLY, contender_new_ffmpeg, .peer = "histeq" },
  { "equalize-colors-rgba", GST_VIDEO_FORMAT_RGBA, contender_new_element,
      EQUALIZE, contender_new_element, .peer = EQUALIZE LUMA_ONLY },
  { "equalize-colors-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      EQUALIZE, contender_new_element, .peer = EQUALIZE LUMA_ONLY },
  { "equalize-colors-yuy2", GST_VIDEO_FORMAT_YUY2, contender_new_element,
      EQUALIZE, contender_new_element, .peer = EQUALIZE LUMA_ONLY },
  { "stretch-rgba", GST_VIDEO_FORMAT_RGBA, contender_new_element,
      "amphisto equalization=stretch stretch-low=0 stretch-high=0" LUMA_ONLY,
      contender_new_ffmpeg, .peer = "normalize=smoothing=0:independence=0",
      .peer_name = "normalize" },
  { "compare-gray", GST_VIDEO_FORMAT_GRAY8, contender_new_element, COMPARE,
      contender_new_ffmpeg, .peer = "freezedetect", .base = "amphisto" },
  { "compare-i420", GST_VIDEO_FORMAT_I420, contender_new_element, COMPARE_LUMA,
      contender_new_ffmpeg, .peer = "scdet", .base = "amphisto" },
  { "compare-picture-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      COMPARE, contender_new_ffmpeg, .peer = "freezedetect",
      .base = "amphisto" },
  { "scope-i420", GST_VIDEO_FORMAT_I420, contender_new_element, HISTOGRAM,
      contender_new_ffmpeg_program, .peer = "histogram" },
  { "waveform-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      HISTOGRAM "+waveform", contender_new_ffmpeg_program, "waveform",
      .base = HISTOGRAM },
  { "vectorscope-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      HISTOGRAM "+vectorscope", contender_new_ffmpeg_program, "vectorscope",
      .peer_format = GST_VIDEO_FORMAT_Y444, .base = HISTOGRAM },
  { "rgb-scope-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      HISTOGRAM " channels=rgb", contender_new_ffmpeg_program,
      "format=gbrp,histogram", .peer_name = "histogram of GBR" },
  { "rgb-waveform-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      "amphisto scopes=waveform channels=rgb scope-display=parade",
      contender_new_ffmpeg_program,
      "format=gbrp,waveform=components=7:display=parade",
      .peer_name = "waveform of GBR" },
  { "alone-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      "amphisto scopes=waveform scopes-only=true", contender_new_ffmpeg_program,
      .peer = "waveform" },
  { "zebra-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      HISTOGRAM " exposure=zebra", contender_new_ffmpeg, "signalstats=out=brng",
      .base = HISTOGRAM },
  { "false-color-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      HISTOGRAM " exposure=false-color", contender_new_ffmpeg,
      "pseudocolor=preset=magma", .base = HISTOGRAM },
  { "peaking-i420", GST_VIDEO_FORMAT_I420, contender_new_element,
      HISTOGRAM " exposure=peaking", contender_new_ffmpeg, "sobel=planes=1",
      .base = HISTOGRAM },
  { "drawn-i420", GST_VIDEO_FORMAT_I420, contender_new_element, HISTOGRAM,
      contender_new_element, TEXT, .base = "amphisto" },
  { "composed-i420", GST_VIDEO_FORMAT_I420, contender_new_element_composing,
      HISTOGRAM, contender_new_element_composing, TEXT, .base = "amphisto",
      .needs = "composition" },
  { "measure-gl", GST_VIDEO_FORMAT_RGBA, contender_new_gl, "amphisto",
      contender_new_gl_apart, "amphisto", .peer_name = "map + system memory",
      .needs = "OpenGL" },
  { "measure-cuda", GST_VIDEO_FORMAT_NV12, contender_new_cuda, "amphisto",
      contender_new_cuda,
      "cudadownload ! video/x-raw ! amphisto ! cudaupload ! "
      "capsfilter caps=\"video/x-raw(memory:CUDAMemory)\"",
      .peer_name = "cudadownload, cudaupload", .needs = "CUDA" },
};

static const PictureSize sizes[] = { { 640, 480 }, { 1920, 1080 },
  { 3840, 2160 } };

/* The contenders of a row. */
enum
{
  AMPHISTO,
  PEER,
  BASE,
  N_CONTENDERS
};

/* One work at one size, by picture. The contenders of pictures and peers that
 * are missing or not chosen are NULL, and their times undefined. */
typedef struct
{
  const Work *work;
  const gchar *size;
  Contender *contender[N_PICTURES][N_CONTENDERS];
  BenchTimes times[N_PICTURES][N_CONTENDERS];
  BenchTimes cpu_times[N_PICTURES][N_CONTENDERS];
} Group;

static Contender *
contender_new (ContenderNew make, const gchar *description, PictureKind kind,
    GstVideoFormat format, PictureSize size)
{
  g_autoptr (GstBuffer) picture = NULL;
  GstVideoInfo info;

  picture = picture_new (kind, format, size, &info);
  return make (description, &info, picture);
}

static void
add_contenders (Group *group, PictureKind kind, PictureSize size)
{
  const Work *work = group->work;
  const GstVideoFormat peer_format =
      work->peer_format != 0 ? work->peer_format : work->format;
  Contender **contender = group->contender[kind];

  contender[AMPHISTO] = contender_new (
      work->amphisto_new, work->amphisto, kind, work->format, size);
  if (contender[AMPHISTO] == NULL)
    return;
  contender[PEER] =
      contender_new (work->peer_new, work->peer, kind, peer_format, size);
  if (work->base != NULL)
    contender[BASE] = contender_new (
        contender_new_element, work->base, kind, work->format, size);
}

/* Leaves only the time that the work adds to its base. */
static void
subtract_base (BenchTimes times[N_CONTENDERS])
{
  for (guint i = 0; i < BENCH_ROUNDS; i++)
    times[AMPHISTO].ms[i] -= times[BASE].ms[i];
}

static void
print_row (const Group *group, PictureKind kind)
{
  const BenchTimes *amphisto = &group->times[kind][AMPHISTO];
  const BenchTimes *peer = &group->times[kind][PEER];
  const BenchTimes *amphisto_cpu = &group->cpu_times[kind][AMPHISTO];
  const BenchTimes *peer_cpu = &group->cpu_times[kind][PEER];
  const gchar *peer_name = group->work->peer_name != NULL
      ? group->work->peer_name
      : group->work->peer;
  Quartiles ratio;

  g_print ("%-22s %-10s %-9s  ", group->work->name, picture_name (kind),
      group->size);
  if (group->contender[kind][AMPHISTO] == NULL) {
    g_print ("%s missing\n", group->work->needs);
    return;
  }
  g_print ("amphisto %7.3f  ", bench_median (amphisto));
  if (group->contender[kind][PEER] == NULL) {
    g_print ("%s missing\n", peer_name);
    return;
  }
  ratio = bench_ratio (peer, amphisto);
  g_print (
      "%-23s %7.3f  ratio %5.2f (%.2f-%.2f)  CPU %7.3f of %7.3f (%.0f %%)\n",
      peer_name, bench_median (peer), ratio.median, ratio.lower, ratio.upper,
      bench_median (amphisto_cpu), bench_median (peer_cpu),
      100 * bench_ratio (amphisto_cpu, peer_cpu).median);
}

/* The throughput on other pictures, relative to the photograph. */
static void
print_throughputs (const Group *group)
{
  if (group->contender[PICTURE_PHOTOGRAPH][AMPHISTO] == NULL)
    return;
  g_print ("%-22s amphisto's throughput at %s, photograph 100 %%:",
      group->work->name, group->size);
  for (guint kind = PICTURE_PHOTOGRAPH + 1; kind < N_PICTURES; kind++)
    if (group->contender[kind][AMPHISTO] != NULL)
      g_print ("  %s %.0f %%", picture_name (kind),
          100
              * bench_ratio (&group->times[PICTURE_PHOTOGRAPH][AMPHISTO],
                  &group->times[kind][AMPHISTO])
                    .median);
  g_print ("\n");
}

static gboolean
picture_is_wanted (PictureKind kind)
{
  return is_chosen (CHOICE_PICTURE, picture_name (kind))
      && picture_is_there (kind);
}

/* Returns: the number of printed rows. */
static guint
run_group (const Work *work, PictureSize size)
{
  g_autofree gchar *size_text =
      g_strdup_printf ("%ux%u", size.width, size.height);
  Group group = { .work = work, .size = size_text };
  guint n_rows = 0;

  if (!is_chosen (CHOICE_SIZE, size_text))
    return 0;
  for (guint kind = 0; kind < N_PICTURES; kind++)
    if (picture_is_wanted (kind))
      add_contenders (&group, kind, size);
  bench_alternate (&group.contender[0][0], N_CONTENDERS * N_PICTURES,
      &group.times[0][0], &group.cpu_times[0][0]);
  for (guint kind = 0; kind < N_PICTURES; kind++)
    if (picture_is_wanted (kind)) {
      if (work->base != NULL) {
        subtract_base (group.times[kind]);
        subtract_base (group.cpu_times[kind]);
      }
      print_row (&group, kind);
      n_rows++;
    }
  if (chosen (CHOICE_PICTURE) == NULL)
    print_throughputs (&group);
  for (guint i = 0; i < N_CONTENDERS * N_PICTURES; i++)
    contender_free ((&group.contender[0][0])[i]);
  return n_rows;
}

int
main (int argc, char **argv)
{
  guint n_rows = 0;

  parse_options (&argc, &argv, CHOICE_SIZE + 1);
  print_heading ("peers, ms per frame");
  if (!picture_is_there (PICTURE_PHOTOGRAPH))
    g_print ("photograph missing (" PICTURE_PACKAGES ")\n");
  for (guint w = 0; w < G_N_ELEMENTS (works); w++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      if (is_chosen (CHOICE_WORK, works[w].name))
        n_rows += run_group (&works[w], sizes[s]);
  if (n_rows == 0)
    bench_fail ("No row has this name.");
  return 0;
}
