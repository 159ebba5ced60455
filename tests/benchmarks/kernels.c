/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kernels: the throughput of each kernel, compared with copies of the same
 * frame by the host, on one core, and by the device. A line has the format, the
 * size, the work and the kernel; its microseconds per frame; and its gigabytes
 * (10^9 bytes) per second, counting each plane that the work reads once.
 * Kernels with a small part of the work's time get no such figure, since they
 * do not process pixels. Options choose one format, size, picture or work.
 */

#include "opencl/frame/executor.h"
#include "opendevice.h"
#include "channels.h"
#include "contenders.h"
#include "options.h"
#include "core/pixels/channels.h"
#include "element/memory/layout.h"
#include "element/memory/mapping.h"
#include "pictures.h"
#include "profiled.h"

#include <stdio.h>
#include <string.h>

/* Formats and sizes that are measured by default. Options may choose others. */
static const gchar *const formats[] = { "GRAY8", "I420", "RGBA", "RGB",
  "YUY2" };
static const gchar *const sizes[] = { "640x480", "1920x1080", "3840x2160" };

/* Kernels below this fraction of the work's time get no throughput. */
#define SMALL_FRACTION 0.1

/* A picture, and a frame for the result. */
typedef struct
{
  GstVideoInfo info;
  AmphistoLayout layout;
  GstBuffer *buffer[2];
  GstAmphistoMap map[2];
  AmphistoFrame source;
  AmphistoFrame target;
} Subject;

static void
map_frame (Subject *self, guint i, AmphistoFrame *frame)
{
  g_autoptr (GError) error = NULL;

  self->map[i] = (GstAmphistoMap){ .reads = GST_AMPHISTO_ALL_PLANES,
    .writes = GST_AMPHISTO_ALL_PLANES };
  if (!gst_amphisto_frame_map (&self->map[i], frame, &self->layout, &self->info,
          self->buffer[i], &error))
    bench_fail ("%s", error->message);
}

static void
subject_init (
    Subject *self, GstVideoFormat format, PictureSize size, PictureKind kind)
{
  self->buffer[0] = picture_new (kind, format, size, &self->info);
  gst_amphisto_layout_init (&self->layout, &self->info, NULL);
  self->buffer[1] = gst_buffer_copy_deep (self->buffer[0]);
  map_frame (self, 0, &self->source);
  map_frame (self, 1, &self->target);
}

static void
subject_clear (Subject *self)
{
  for (guint i = 0; i < 2; i++) {
    gst_amphisto_map_clear (&self->map[i]);
    gst_buffer_unref (self->buffer[i]);
  }
}

/* --- amphisto --- */

/* Regions of interest across and down, which cover the frame. */
#define REGIONS_SIDE 8
#define N_REGIONS (REGIONS_SIDE * REGIONS_SIDE)

typedef struct
{
  Contender parent;
  AmphistoClExecutor *executor;
  const Subject *subject;
  AmphistoPlan plan;
  AmphistoRegion regions[N_REGIONS];
  AmphistoHistograms region_histograms[N_REGIONS];
} FrameContender;

static gdouble
frame_run (Contender *contender, guint n_frames)
{
  FrameContender *self = (FrameContender *) contender;
  const gint64 start = g_get_monotonic_time ();
  const AmphistoJob job = { .plan = &self->plan,
    .source = self->subject->source,
    .target = self->subject->target,
    .regions = self->regions,
    .n_regions = self->plan.settings.measures_regions ? N_REGIONS : 0 };

  for (guint i = 0; i < n_frames; i++) {
    g_autoptr (GError) error = NULL;
    AmphistoHistograms histograms;

    if (!amphisto_cl_executor_submit (self->executor, 0, &job, &error)
        || !amphisto_cl_executor_finish (
            self->executor, 0, &histograms, self->region_histograms, &error))
      bench_fail ("%s", error->message);
  }
  return bench_seconds_since (start);
}

static void
frame_free (Contender *contender)
{
  FrameContender *self = (FrameContender *) contender;

  amphisto_cl_executor_free (self->executor);
  g_free (self);
}

static void
fill_regions (FrameContender *self)
{
  const guint width = self->subject->info.width / REGIONS_SIDE;
  const guint height = self->subject->info.height / REGIONS_SIDE;

  for (guint i = 0; i < N_REGIONS; i++)
    self->regions[i] = (AmphistoRegion){ i % REGIONS_SIDE * width,
      i / REGIONS_SIDE * height, width, height };
}

static Contender *
frame_contender_new (AmphistoClDevice *device, const Subject *subject,
    const AmphistoSettings *settings)
{
  g_autoptr (GError) error = NULL;
  FrameContender *self = g_new0 (FrameContender, 1);

  self->parent = (Contender){ .run = frame_run, .free = frame_free };
  self->subject = subject;
  fill_regions (self);
  self->executor = amphisto_cl_executor_new (device, 1, NULL, NULL, &error);
  if (self->executor == NULL)
    bench_fail ("%s", error->message);
  amphisto_plan_init (&self->plan, &subject->layout, settings,
      amphisto_cl_executor_division (self->executor));
  if (!amphisto_cl_executor_prepare (self->executor, &self->plan, &error))
    bench_fail ("%s", error->message);
  return profiled_new (&self->parent);
}

/* --- copies --- */

typedef struct
{
  Contender parent;
  const Subject *subject;
} HostCopy;

static gdouble
host_copy_run (Contender *contender, guint n_frames)
{
  const Subject *subject = ((HostCopy *) contender)->subject;
  const gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < n_frames; i++)
    memcpy (subject->target.plane[0].data, subject->source.plane[0].data,
        subject->info.size);
  return bench_seconds_since (start);
}

static Contender *
host_copy_new (const Subject *subject)
{
  HostCopy *self = g_new0 (HostCopy, 1);

  self->parent.run = host_copy_run;
  self->subject = subject;
  return &self->parent;
}

typedef struct
{
  Contender parent;
  gsize size;
  cl_command_queue queue;
  cl_mem source;
  cl_mem target;
} DeviceCopy;

/* Times the commands on the device alone, as for kernels. */
static gdouble
device_copy_run (Contender *contender, guint n_frames)
{
  DeviceCopy *self = (DeviceCopy *) contender;
  gdouble ms = 0;

  for (guint i = 0; i < n_frames; i++) {
    cl_event event;

    bench_check (clEnqueueCopyBuffer (self->queue, self->source, self->target,
                     0, 0, self->size, 0, NULL, &event),
        "clEnqueueCopyBuffer");
    ms += profiled_event_ms (event);
  }
  return ms / 1000;
}

static void
device_copy_free (Contender *contender)
{
  DeviceCopy *self = (DeviceCopy *) contender;

  clReleaseMemObject (self->source);
  clReleaseMemObject (self->target);
  clReleaseCommandQueue (self->queue);
  g_free (self);
}

static Contender *
device_copy_new (AmphistoClDevice *device, const Subject *subject)
{
  DeviceCopy *self = g_new0 (DeviceCopy, 1);
  cl_int status;

  self->parent =
      (Contender){ .run = device_copy_run, .free = device_copy_free };
  self->size = subject->info.size;
  self->queue = clCreateCommandQueue (device->context, device->id, 0, &status);
  bench_check (status, "clCreateCommandQueue");
  self->source =
      clCreateBuffer (device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
          self->size, subject->source.plane[0].data, &status);
  bench_check (status, "clCreateBuffer");
  self->target = clCreateBuffer (
      device->context, CL_MEM_READ_WRITE, self->size, NULL, &status);
  bench_check (status, "clCreateBuffer");
  return &self->parent;
}

/* --- rows --- */

/* The size in bytes of `planes` (bit p: plane p), without padding of rows. */
static gsize
planes_size (const AmphistoLayout *layout, guint planes)
{
  gsize size = 0;

  for (guint p = 0; p < layout->n_planes; p++)
    if (planes & 1u << p)
      size += (gsize) layout->plane[p].row_bytes * layout->plane[p].rows;
  return size;
}

/* rate: gigabytes per second; 0 is not printed */
static void
print_row (const Subject *subject, const gchar *work, const gchar *kernel,
    gdouble ms, gdouble rate)
{
  g_print ("%-5s %4dx%-4d  %-8s  %-22s %8.1f us",
      GST_VIDEO_INFO_NAME (&subject->info), subject->info.width,
      subject->info.height, work, kernel, 1000 * ms);
  if (rate > 0)
    g_print ("  %6.2f GB/s", rate);
  g_print ("\n");
}

static void
print_copy (const Subject *subject, const gchar *call, const BenchTimes *times)
{
  const gdouble ms = bench_median (times);

  print_row (subject, "copy", call, ms, subject->info.size / (1e6 * ms));
}

static void
print_kernels (const Subject *subject, const gchar *work, gsize size,
    const Contender *contender)
{
  const GArray *kernels = profiled_kernels (contender);
  gdouble sum = 0;

  for (guint i = 0; i < kernels->len; i++)
    sum += bench_median (&g_array_index (kernels, ProfiledKernel, i).times);
  for (guint i = 0; i < kernels->len; i++) {
    const ProfiledKernel *kernel = &g_array_index (kernels, ProfiledKernel, i);
    const gdouble ms = bench_median (&kernel->times);

    print_row (subject, work, kernel->name, ms,
        ms > SMALL_FRACTION * sum ? size / (1e6 * ms) : 0);
  }
}

/* --- the works --- */

/* Channels that the format lacks are skipped; complete_settings() adds the
 * rest, equal for all works. */
static const struct
{
  const gchar *name;
  AmphistoSettings settings;
  gboolean is_of_luma; /* else of all planes */
} works[] = {
  { "equalize",
      { .channels = LUMA, .equalization = AMPHISTO_EQUALIZATION_GLOBAL },
      TRUE },
  { "equalize-colors",
      { .channels = LUMA,
          .equalization = AMPHISTO_EQUALIZATION_GLOBAL,
          .keeps_colors = true },
      TRUE },
  { "clahe", { .channels = LUMA, .equalization = AMPHISTO_EQUALIZATION_CLAHE },
      TRUE },
  { "clahe-colors",
      { .channels = LUMA,
          .equalization = AMPHISTO_EQUALIZATION_CLAHE,
          .keeps_colors = true },
      TRUE },
  { "smooth",
      { .channels = LUMA,
          .equalization = AMPHISTO_EQUALIZATION_CLAHE,
          .strength = 0.5,
          .smoothing = 0.5 },
      TRUE },
  { "match",
      { .channels = LUMA,
          .equalization = AMPHISTO_EQUALIZATION_MATCH,
          .match_bins = { 1, 2, 3 } },
      TRUE },
  { "stretch",
      { .channels = LUMA, .equalization = AMPHISTO_EQUALIZATION_STRETCH },
      TRUE },
  { "regions", { .channels = LUMA, .measures_regions = true }, TRUE },
  { "compare", { .channels = LUMA, .compares_luma = true }, TRUE },
  { "compare-picture", { .channels = LUMA, .compares_picture = true }, TRUE },
  { "gamut", { .channels = RGB, .checks_gamut = true }, FALSE },
  { "letterbox", { .channels = LUMA, .finds_letterbox = true }, TRUE },
  { "sharpness", { .channels = LUMA, .measures_sharpness = true }, TRUE },
  { "measure", { .channels = ALL_CHANNELS }, FALSE },
  { "colour", { .channels = RGB }, FALSE },
  { "chroma", { .channels = CHROMA }, FALSE },
  { "saturation", { .channels = SATURATION }, FALSE },
  { "draw",
      { .channels = LUMA,
          .scopes = { .enabled = AMPHISTO_SCOPE_HISTOGRAM,
              .clipping_bars = true } },
      TRUE },
  { "zebra",
      { .channels = LUMA,
          .exposure = { .enabled = AMPHISTO_EXPOSURE_ZEBRA,
              .zebra_low = 5,
              .zebra_high = 95 } },
      TRUE },
  { "false-color",
      { .channels = LUMA,
          .exposure = { .enabled = AMPHISTO_EXPOSURE_FALSE_COLOR } },
      TRUE },
  { "peaking",
      { .channels = LUMA,
          .exposure = { .enabled = AMPHISTO_EXPOSURE_PEAKING,
              .peaking_threshold = 12 } },
      TRUE },
  { "gamut-stripes",
      { .channels = LUMA, .exposure = { .enabled = AMPHISTO_EXPOSURE_GAMUT } },
      TRUE },
  { "waveform",
      { .channels = LUMA, .scopes = { .enabled = AMPHISTO_SCOPE_WAVEFORM } },
      TRUE },
  { "picture-colors",
      { .channels = LUMA,
          .scopes = { .enabled = AMPHISTO_SCOPE_WAVEFORM,
              .waveform_colors = AMPHISTO_WAVEFORM_PICTURE } },
      TRUE },
  { "parade",
      { .channels = RGB,
          .scopes = { .enabled = AMPHISTO_SCOPE_WAVEFORM,
              .display = AMPHISTO_DISPLAY_PARADE } },
      FALSE },
  { "vectorscope",
      { .channels = LUMA, .scopes = { .enabled = AMPHISTO_SCOPE_VECTORSCOPE } },
      TRUE },
};

#define N_WORKS G_N_ELEMENTS (works)

enum
{
  HOST_COPY = N_WORKS,
  DEVICE_COPY,
  N_CONTENDERS
};

/* Only "colour" and "gamut" measure the computed red, green and blue of YUV;
 * "measure" leaves them out. "colour" also measures those stored in RGB. */
static AmphistoChannelMask
work_channels (const AmphistoSettings *settings, const AmphistoLayout *layout)
{
  const AmphistoChannelMask channels = settings->channels & layout->channels;
  const AmphistoChannelMask colours = layout->is_rgb ? 0 : RGB;

  if (settings->channels != RGB)
    return channels & ~colours;
  return settings->checks_gamut ? channels & colours : channels;
}

static void
complete_settings (AmphistoSettings *settings, const AmphistoLayout *layout)
{
  AmphistoScopeSettings *scopes = &settings->scopes;

  settings->channels = work_channels (settings, layout);
  if (settings->strength == 0)
    settings->strength = 1;
  settings->clahe = (AmphistoClahe){ 8, 8, 3 };
  if (scopes->enabled == AMPHISTO_SCOPE_NONE)
    return;
  if (scopes->display != AMPHISTO_DISPLAY_PARADE)
    scopes->display = AMPHISTO_DISPLAY_OVERLAY;
  scopes->width = 0.33;
  scopes->height = 0.25;
  scopes->opacity = 0.9;
  scopes->intensity = 1;
  scopes->graticule = true;
}

/* Returns: NULL if the work is not chosen, if it would measure nothing, or if
 * it would repeat "equalize" for a grey format. */
static Contender *
work_contender_new (AmphistoClDevice *device, const Subject *subject, guint w)
{
  AmphistoSettings settings = works[w].settings;

  complete_settings (&settings, &subject->layout);
  if (!is_chosen (CHOICE_WORK, works[w].name) || settings.channels == 0
      || (!works[w].is_of_luma && settings.channels == LUMA))
    return NULL;
  return frame_contender_new (device, subject, &settings);
}

static void
run_subject (AmphistoClDevice *device, const Subject *subject)
{
  const AmphistoLayout *layout = &subject->layout;
  Contender *contenders[N_CONTENDERS];
  BenchTimes times[N_CONTENDERS];

  for (guint w = 0; w < N_WORKS; w++)
    contenders[w] = work_contender_new (device, subject, w);
  contenders[HOST_COPY] = host_copy_new (subject);
  contenders[DEVICE_COPY] = device_copy_new (device, subject);
  bench_alternate (contenders, N_CONTENDERS, times, NULL);

  print_copy (subject, "memcpy", &times[HOST_COPY]);
  print_copy (subject, "clEnqueueCopyBuffer", &times[DEVICE_COPY]);
  for (guint w = 0; w < N_WORKS; w++) {
    const guint planes = works[w].is_of_luma
        ? amphisto_channel_planes (layout, AMPHISTO_CHANNEL_LUMA)
        : ~0u;

    if (contenders[w] != NULL)
      print_kernels (
          subject, works[w].name, planes_size (layout, planes), contenders[w]);
  }
  for (guint i = 0; i < N_CONTENDERS; i++)
    contender_free (contenders[i]);
}

/* --- options --- */

static PictureKind
chosen_kind (void)
{
  const gchar *name = chosen (CHOICE_PICTURE);

  if (name == NULL)
    return picture_ordinary ();
  for (guint kind = 0; kind < N_PICTURES; kind++)
    if (g_str_equal (picture_name (kind), name))
      return kind;
  bench_fail ("There is no picture \"%s\".", name);
}

static void
run_row (AmphistoClDevice *device, const gchar *format_name,
    const gchar *size_text, PictureKind kind)
{
  const GstVideoFormat format = gst_video_format_from_string (format_name);
  PictureSize size;
  Subject subject;

  if (format == GST_VIDEO_FORMAT_UNKNOWN
      || sscanf (size_text, "%ux%u", &size.width, &size.height) != 2)
    bench_fail ("There is no %s of %s.", format_name, size_text);
  subject_init (&subject, format, size, kind);
  run_subject (device, &subject);
  subject_clear (&subject);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  AmphistoClDevice *device;
  const gchar *format, *size;
  PictureKind kind;

  parse_options (&argc, &argv, CHOICE_FORMAT + 1);
  format = chosen (CHOICE_FORMAT);
  size = chosen (CHOICE_SIZE);
  device = test_open_device (NULL, &error);
  if (device == NULL)
    bench_fail ("%s", error->message);
  print_heading ("kernels");
  kind = chosen_kind ();
  profiled_enable (TRUE);
  for (guint f = 0; f < (format != NULL ? 1 : G_N_ELEMENTS (formats)); f++)
    for (guint s = 0; s < (size != NULL ? 1 : G_N_ELEMENTS (sizes)); s++)
      run_row (device, format != NULL ? format : formats[f],
          size != NULL ? size : sizes[s], kind);
  amphisto_cl_device_close (device);
  return 0;
}
