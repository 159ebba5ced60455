/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "clframe.h"
#include "clprogram.h"
#include "equalize.h"
#include "frame_params.h"

#include <string.h>

G_STATIC_ASSERT (AMPHISTO_MAX_PLANES == AMPHISTO_N_PLANES);
G_STATIC_ASSERT (AMPHISTO_BINS == AMPHISTO_N_BINS);

enum
{
  CALCULATE_HISTOGRAM,
  MERGE_HISTOGRAM,
  EQUALIZE_LUT,
  APPLY_LUT,
  APPLY_LUMA_DELTA,
  N_KERNELS
};

static const char *const kernel_names[N_KERNELS] = { "calculate_histogram",
  "merge_histogram", "equalize_lut", "apply_lut", "apply_luma_delta" };

/* Work-items of a work-group in the GPU shape, and of equalize_lut in both. */
#define GROUP_SIZE 256
/* GPU shape: enough groups to keep the device busy; and so many that none has
 * more than 64 rows of 16384, since there are drivers (llvmpipe) that end a
 * work-item's loops after 65535 rounds. */
#define GROUPS_PER_UNIT 4
#define MIN_GROUPS 256
/* merge_histogram's MERGE_BINS: bins that a work-group merges */
#define MERGE_BINS 16
/* Local memory for the copies of the bins: several groups find room in one
 * compute unit's. */
#define LANES_SIZE (32 * 1024)
/* One copy a bank of local memory, of which common GPUs have 32. */
#define MAX_LANES 32

#define BINS_SIZE (AMPHISTO_BINS * sizeof (cl_uint))
#define LUT_SIZE (AMPHISTO_BINS * sizeof (cl_uchar))

/* CPU shape: a work-item, and run of rows, for each core, but no more than
 * there is memory for: PAIRS_SIZE for each, in which pairs of samples are
 * counted if a run has at least MIN_PAIRED of a channel. With less, clearing
 * and folding them takes longer than it saves. */
#define MAX_RUNS 16
#define PAIRS_SIZE (2 * 65536 * sizeof (cl_uint))
#define MIN_PAIRED (128 * 1024)
/* CPU shape: into how many shares a core's part of mapping pixels is divided.
 */
#define N_SHARES 8

struct _AmphistoClFrame
{
  AmphistoClDevice *device;
  cl_command_queue queue;
  cl_kernel kernel[N_KERNELS];
  guint n_groups; /* that share a frame's rows; CPU shape: work-items */

  /* params: what params_buffer holds */
  frame_params params;
  cl_mem params_buffer;
  /* GPU shape */
  cl_mem partials;
  /* CPU shape; NULL until there are samples enough */
  cl_mem pairs;
  /* Of the frame in flight, the first. CPU shape: AMPHISTO_COUNTS, those of the
   * other zeros, for the next frame, when that is done. */
  cl_mem bins[2];
  cl_mem lut;

  /* Staging: a device buffer for each plane, kept from frame to frame. */
  cl_mem staging[AMPHISTO_N_PLANES];
  gsize staging_size[AMPHISTO_N_PLANES];

  /* The frame in flight: its planes' buffers, referenced (in place: the same
   * in both), where those are mapped that come back by being mapped, the
   * channel in each slot, and the slots' bins. */
  cl_mem source[AMPHISTO_N_PLANES];
  cl_mem target[AMPHISTO_N_PLANES];
  void *mapped[AMPHISTO_N_PLANES];
  AmphistoChannel slot_channel[AMPHISTO_MAX_SLOTS];
  AmphistoChannelMask channels;
  cl_uint read_bins[AMPHISTO_MAX_SLOTS][AMPHISTO_BINS];
  cl_event done;
};

/* --- set-up --- */

static cl_mem
buffer_new (AmphistoClFrame *self, cl_mem_flags flags, gsize size, void *host,
    GError **error)
{
  cl_int status;
  cl_mem buffer =
      clCreateBuffer (self->device->context, flags, size, host, &status);

  return amphisto_cl_check (status, "clCreateBuffer", error) ? buffer : NULL;
}

static gboolean
set_buffer_arg (AmphistoClFrame *self, guint kernel, guint index, cl_mem buffer,
    GError **error)
{
  return amphisto_cl_check (
      clSetKernelArg (self->kernel[kernel], index, sizeof buffer, &buffer),
      "clSetKernelArg", error);
}

static gboolean
check_limits (AmphistoClDevice *device, GError **error)
{
  if (device->constant_memory < MAX (sizeof (frame_params), BINS_SIZE)) {
    g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD,
        "\"%s\" has constant buffers of %" G_GSIZE_FORMAT " bytes; the kernels "
        "need %" G_GSIZE_FORMAT ".",
        device->name, device->constant_memory,
        MAX (sizeof (frame_params), BINS_SIZE));
    return FALSE;
  }
  if (device->max_work_group < GROUP_SIZE) {
    g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD,
        "\"%s\" has work-groups of %" G_GSIZE_FORMAT " work-items; the kernels "
        "need %d.",
        device->name, device->max_work_group, GROUP_SIZE);
    return FALSE;
  }
  return TRUE;
}

static gboolean
is_gpu_shape (AmphistoClFrame *self)
{
  return self->device->shape == AMPHISTO_CL_SHAPE_GPU;
}

static gboolean
make_kernels (AmphistoClFrame *self, GError **error)
{
  for (guint i = 0; i < N_KERNELS; i++) {
    if (i == MERGE_HISTOGRAM && !is_gpu_shape (self))
      continue;
    self->kernel[i] =
        amphisto_cl_kernel_new (self->device, kernel_names[i], error);
    if (self->kernel[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

static gboolean
make_buffers (AmphistoClFrame *self, GError **error)
{
  return (self->params_buffer = buffer_new (
              self, CL_MEM_READ_ONLY, sizeof (frame_params), NULL, error))
      && (!is_gpu_shape (self)
          || (self->partials = buffer_new (self, CL_MEM_READ_WRITE,
                  self->n_groups * AMPHISTO_MAX_SLOTS * BINS_SIZE, NULL,
                  error)))
      && (self->lut =
              buffer_new (self, CL_MEM_READ_WRITE, LUT_SIZE, NULL, error));
}

/* The arguments that are the same for every frame. */
static gboolean
set_constant_args (AmphistoClFrame *self, GError **error)
{
  return set_buffer_arg (
             self, CALCULATE_HISTOGRAM, 4, self->params_buffer, error)
      && (!is_gpu_shape (self)
          || (set_buffer_arg (
                  self, CALCULATE_HISTOGRAM, 5, self->partials, error)
              && set_buffer_arg (
                  self, MERGE_HISTOGRAM, 0, self->params_buffer, error)
              && set_buffer_arg (
                  self, MERGE_HISTOGRAM, 1, self->partials, error)))
      && set_buffer_arg (self, EQUALIZE_LUT, 0, self->params_buffer, error)
      && set_buffer_arg (self, EQUALIZE_LUT, 2, self->lut, error)
      && set_buffer_arg (self, APPLY_LUT, 2, self->params_buffer, error)
      && set_buffer_arg (self, APPLY_LUT, 3, self->lut, error)
      && set_buffer_arg (self, APPLY_LUMA_DELTA, 6, self->params_buffer, error)
      && set_buffer_arg (self, APPLY_LUMA_DELTA, 7, self->lut, error);
}

/* Drivers compile a kernel when it is first launched: two small pictures, a
 * grey and an RGB one, launch them all. */
static gboolean
warm_up (AmphistoClFrame *self, GError **error)
{
  enum
  {
    SIDE = 16
  };
  const AmphistoLayout layouts[] = {
    { .n_planes = 1,
        .plane = { { SIDE, SIDE } },
        .hi = 255,
        .channels = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA),
        .component = { [AMPHISTO_CHANNEL_LUMA] = { 0, 0, 1, SIDE, SIDE } } },
    { .n_planes = 1,
        .plane = { { SIDE * 4, SIDE } },
        .hi = 255,
        .channels = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA),
        .component = { [AMPHISTO_CHANNEL_LUMA] = { 0, 0, 0, SIDE, SIDE },
            [AMPHISTO_CHANNEL_RED] = { 0, 0, 4, SIDE, SIDE },
            [AMPHISTO_CHANNEL_GREEN] = { 0, 1, 4, SIDE, SIDE },
            [AMPHISTO_CHANNEL_BLUE] = { 0, 2, 4, SIDE, SIDE } },
        .is_rgb = true,
        .weights = { 21845, 21846, 21845 } }
  };
  const AmphistoClWork work = { layouts[0].channels, TRUE, 1.0f };
  g_autofree cl_uint *pixels = g_new0 (cl_uint, SIDE * SIDE);
  AmphistoHistograms histograms;

  for (gsize i = 0; i < G_N_ELEMENTS (layouts); i++) {
    const AmphistoFrame frame = { &layouts[i],
      { { (uint8_t *) pixels, layouts[i].plane[0].row_bytes } } };

    if (!amphisto_cl_frame_submit (self, &frame, &frame, &work, error)
        || !amphisto_cl_frame_finish (self, &histograms, error))
      return FALSE;
  }
  return TRUE;
}

AmphistoClFrame *
amphisto_cl_frame_new (AmphistoClDevice *device, GError **error)
{
  AmphistoClFrame *self;
  cl_int status;

  if (!check_limits (device, error))
    return NULL;
  self = g_new0 (AmphistoClFrame, 1);
  self->device = amphisto_cl_device_ref (device);
  self->n_groups = is_gpu_shape (self)
      ? MAX (device->compute_units * GROUPS_PER_UNIT, MIN_GROUPS)
      : MIN (device->compute_units, MAX_RUNS);
  self->queue = clCreateCommandQueue (device->context, device->id, 0, &status);
  if (!amphisto_cl_check (status, "clCreateCommandQueue", error)
      || !make_kernels (self, error) || !make_buffers (self, error)
      || !set_constant_args (self, error) || !warm_up (self, error))
    g_clear_pointer (&self, amphisto_cl_frame_free);
  return self;
}

static void
release_buffer (cl_mem *buffer)
{
  if (*buffer != NULL && clReleaseMemObject (*buffer) != CL_SUCCESS)
    g_warning ("an OpenCL buffer was not released");
  *buffer = NULL;
}

/* Nothing may be in flight. */
static void
release_planes (AmphistoClFrame *self)
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    release_buffer (&self->source[p]);
    release_buffer (&self->target[p]);
  }
  if (self->done != NULL && clReleaseEvent (self->done) != CL_SUCCESS)
    g_warning ("an OpenCL event was not released");
  self->done = NULL;
}

static void
release_bins (AmphistoClFrame *self)
{
  release_buffer (&self->bins[0]);
  release_buffer (&self->bins[1]);
}

void
amphisto_cl_frame_free (AmphistoClFrame *self)
{
  release_planes (self);
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    release_buffer (&self->staging[p]);
  release_buffer (&self->params_buffer);
  release_buffer (&self->partials);
  release_buffer (&self->pairs);
  release_bins (self);
  release_buffer (&self->lut);
  for (guint i = 0; i < N_KERNELS; i++)
    if (self->kernel[i] != NULL
        && clReleaseKernel (self->kernel[i]) != CL_SUCCESS)
      g_warning ("the kernel %s was not released", kernel_names[i]);
  if (self->queue != NULL && clReleaseCommandQueue (self->queue) != CL_SUCCESS)
    g_warning ("an OpenCL queue was not released");
  amphisto_cl_device_unref (self->device);
  g_free (self);
}

/* --- submit --- */

static component_params
get_component (const AmphistoLayout *layout, AmphistoChannel channel)
{
  const AmphistoComponent *c = &layout->component[channel];

  return (component_params){ c->plane, c->offset, c->pixel_stride, c->width,
    c->height };
}

/* Gives the slots to the channels that are measured, or that the LUT is made
 * from. */
static void
assign_slots (AmphistoClFrame *self, frame_params *params,
    const AmphistoLayout *layout, const AmphistoClWork *work)
{
  const AmphistoChannelMask luma = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA);
  const AmphistoChannelMask counted =
      layout->channels & (work->channels | (work->equalize ? luma : 0));

  self->channels = layout->channels & work->channels;
  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    component_params *measured = &params->measured[params->n_slots];

    if (!(counted & AMPHISTO_CHANNEL_BIT (c)))
      continue;
    *measured = get_component (layout, c);
    if (layout->is_rgb && c == AMPHISTO_CHANNEL_LUMA)
      measured->plane = AMPHISTO_RGB_LUMA;
    params->counts_pairs[params->n_slots] =
        (gsize) measured->width * measured->height / self->n_groups
        >= MIN_PAIRED;
    self->slot_channel[params->n_slots++] = c;
  }
}

static guint
choose_lanes (AmphistoClFrame *self, guint n_slots)
{
  const gsize room =
      MIN (self->device->local_memory, LANES_SIZE) / (n_slots * BINS_SIZE);
  guint lanes = MAX_LANES;

  while (lanes > 1 && lanes > room)
    lanes /= 2;
  return lanes;
}

/* All but where the planes lie. luma is the first channel: its slot is 0. */
static void
fill_params (AmphistoClFrame *self, frame_params *params,
    const AmphistoLayout *layout, const AmphistoClWork *work)
{
  assign_slots (self, params, layout, work);
  params->n_lanes = choose_lanes (self, params->n_slots);
  params->n_partials = self->n_groups;
  params->lo = layout->lo;
  params->hi = layout->hi;
  params->strength = work->strength;
  params->luma = get_component (layout, AMPHISTO_CHANNEL_LUMA);
  params->row_bytes = layout->plane[params->luma.plane].row_bytes;
  for (guint c = 0; c < 3; c++) {
    params->rgb[c] = get_component (layout, AMPHISTO_CHANNEL_RED + c);
    params->weights[c] = layout->weights[c];
  }
}

/* The planes that the work reads, a bit each. */
static guint
planes_read (const frame_params *params, const AmphistoLayout *layout)
{
  guint planes = 0;

  for (guint s = 0; s < params->n_slots; s++)
    planes |= params->measured[s].plane == AMPHISTO_RGB_LUMA
        ? amphisto_equalize_planes (layout)
        : 1u << params->measured[s].plane;
  return planes;
}

/* Whether the device can work on the planes where they lie. A CPU can
 * anywhere; of other devices' drivers some copy what does not begin where they
 * like it, and would then write back what others changed around it. */
static gboolean
can_wrap (AmphistoClFrame *self, const AmphistoFrame *frame, guint planes)
{
  if (!self->device->shares_host_memory)
    return FALSE;
  if (self->device->is_cpu)
    return TRUE;
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    if (planes & 1u << p
        && (gsize) frame->plane[p].data % self->device->alignment != 0)
      return FALSE;
  return TRUE;
}

static gsize
whole_words (gsize bytes)
{
  return (bytes + sizeof (cl_uint) - 1) / sizeof (cl_uint) * sizeof (cl_uint);
}

/* A buffer over the whole words that hold the plane. */
static gboolean
wrap_plane (AmphistoClFrame *self, const AmphistoFrame *frame, guint p,
    cl_mem_flags flags, cl_mem *buffer, plane_params *place, GError **error)
{
  const AmphistoPlane *plane = &frame->plane[p];
  const gsize offset = (gsize) plane->data % sizeof (cl_uint);
  const gsize size =
      offset + amphisto_plane_span (frame->layout, p, plane->stride);

  *place = (plane_params){ offset, plane->stride };
  *buffer = buffer_new (self, flags | CL_MEM_USE_HOST_PTR, whole_words (size),
      plane->data - offset, error);
  return *buffer != NULL;
}

static gboolean
wrap_planes (AmphistoClFrame *self, const AmphistoFrame *source,
    const AmphistoFrame *target, guint read, guint written,
    frame_params *params, GError **error)
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    const gboolean in_place =
        written & 1u << p && target->plane[p].data == source->plane[p].data;

    if (read & 1u << p
        && !wrap_plane (self, source, p,
            in_place ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY, &self->source[p],
            &params->source[p], error))
      return FALSE;
    if (in_place) {
      self->target[p] = self->source[p];
      params->target[p] = params->source[p];
      if (!amphisto_cl_check (clRetainMemObject (self->target[p]),
              "clRetainMemObject", error)) {
        self->target[p] = NULL;
        return FALSE;
      }
    } else if (written & 1u << p
        && !wrap_plane (self, target, p, CL_MEM_READ_WRITE, &self->target[p],
            &params->target[p], error)) {
      return FALSE;
    }
  }
  return TRUE;
}

/* Copies the plane to a buffer of whole rows, padding behind the last one too:
 * drivers (NVIDIA's) refuse to read rectangles from less. */
static gboolean
stage_plane (
    AmphistoClFrame *self, const AmphistoFrame *source, guint p, GError **error)
{
  const AmphistoPlaneLayout *plane = &source->layout->plane[p];
  const guint stride = source->plane[p].stride;
  const gsize size =
      whole_words ((gsize) MAX (stride, plane->row_bytes) * plane->rows);

  if (self->staging_size[p] < size) {
    release_buffer (&self->staging[p]);
    self->staging_size[p] = 0;
    self->staging[p] = buffer_new (self, CL_MEM_READ_WRITE, size, NULL, error);
    if (self->staging[p] == NULL)
      return FALSE;
    self->staging_size[p] = size;
  }
  return amphisto_cl_check (
      clEnqueueWriteBuffer (self->queue, self->staging[p], CL_FALSE, 0,
          amphisto_plane_span (source->layout, p, stride),
          source->plane[p].data, 0, NULL, NULL),
      "clEnqueueWriteBuffer", error);
}

/* Copies the planes to the device, where they are worked on in place. */
static gboolean
stage_planes (AmphistoClFrame *self, const AmphistoFrame *source, guint read,
    guint written, frame_params *params, GError **error)
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    if (!(read & 1u << p))
      continue;
    if (!stage_plane (self, source, p, error)
        || !amphisto_cl_check (
            clRetainMemObject (self->staging[p]), "clRetainMemObject", error))
      return FALSE;
    self->source[p] = self->staging[p];
    params->source[p] = (plane_params){ 0, source->plane[p].stride };
    if (!(written & 1u << p))
      continue;
    if (!amphisto_cl_check (
            clRetainMemObject (self->staging[p]), "clRetainMemObject", error))
      return FALSE;
    self->target[p] = self->staging[p];
    params->target[p] = params->source[p];
  }
  return TRUE;
}

static gboolean
upload_params (
    AmphistoClFrame *self, const frame_params *params, GError **error)
{
  if (memcmp (&self->params, params, sizeof *params) == 0)
    return TRUE;
  self->params = *params;
  return amphisto_cl_check (
      clEnqueueWriteBuffer (self->queue, self->params_buffer, CL_FALSE, 0,
          sizeof self->params, &self->params, 0, NULL, NULL),
      "clEnqueueWriteBuffer", error);
}

/* A kernel must always be launched with the same sizes: PoCL (3.1 to 6) mixes
 * up the work-group functions that it makes for different ones when threads
 * launch them at once, and aborts the process. */
static gboolean
launch (AmphistoClFrame *self, guint kernel, gsize global, gsize local,
    GError **error)
{
  const cl_int status = clEnqueueNDRangeKernel (self->queue,
      self->kernel[kernel], 1, NULL, &global, &local, 0, NULL, NULL);

  if (status == CL_SUCCESS)
    return TRUE;
  g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_CALL,
      "clEnqueueNDRangeKernel (%s) failed: %s (%d)", kernel_names[kernel],
      amphisto_cl_status_name (status), status);
  return FALSE;
}

/* A kernel that changes pixels; its work-groups have rows each. CPU shape:
 * several for each core, which the driver gives to whichever has time. */
static gboolean
launch_on_rows (AmphistoClFrame *self, guint kernel, GError **error)
{
  if (is_gpu_shape (self))
    return launch (
        self, kernel, self->n_groups * GROUP_SIZE, GROUP_SIZE, error);
  return launch (self, kernel, self->n_groups * N_SHARES, 1, error);
}

/* Sets planes `from` to `from + n - 1` as arguments from `index` on; where the
 * frame has no such plane, or it is not used, the kernel does not look. */
static gboolean
set_plane_args (AmphistoClFrame *self, guint kernel, guint index,
    const cl_mem *planes, guint n, GError **error)
{
  for (guint p = 0; p < n; p++)
    if (!set_buffer_arg (self, kernel, index + p,
            planes[p] != NULL ? planes[p] : self->lut, error))
      return FALSE;
  return TRUE;
}

/* The bins that the last frame left as zeros become this one's. */
static gboolean
turn_bins (AmphistoClFrame *self, GError **error)
{
  cl_uint zeros[AMPHISTO_COUNTS] = { 0 };
  const cl_mem last = self->bins[0];

  self->bins[0] = self->bins[1];
  self->bins[1] = last;
  for (guint i = 0; i < 2; i++)
    if (self->bins[i] == NULL
        && !(self->bins[i] =
                 buffer_new (self, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                     sizeof zeros, zeros, error)))
      return FALSE;
  return TRUE;
}

static gboolean
enqueue_gpu_histogram (AmphistoClFrame *self, GError **error)
{
  return amphisto_cl_check (
             clSetKernelArg (self->kernel[CALCULATE_HISTOGRAM], 6,
                 self->params.n_slots * BINS_SIZE * self->params.n_lanes, NULL),
             "clSetKernelArg", error)
      && set_buffer_arg (self, MERGE_HISTOGRAM, 2, self->bins[0], error)
      && launch (self, CALCULATE_HISTOGRAM, self->n_groups * GROUP_SIZE,
          GROUP_SIZE, error)
      && launch (self, MERGE_HISTOGRAM, AMPHISTO_BINS / MERGE_BINS * GROUP_SIZE,
          GROUP_SIZE, error);
}

/* The buffer that pairs are counted in, if any are; else one that is not
 * looked at. */
static cl_mem
pairs_buffer (AmphistoClFrame *self, GError **error)
{
  gboolean counts_pairs = FALSE;

  for (guint s = 0; s < self->params.n_slots; s++)
    counts_pairs = counts_pairs || self->params.counts_pairs[s];
  if (!counts_pairs)
    return self->lut;
  if (self->pairs == NULL)
    self->pairs = buffer_new (
        self, CL_MEM_READ_WRITE, self->n_groups * PAIRS_SIZE, NULL, error);
  return self->pairs;
}

static gboolean
enqueue_cpu_histogram (AmphistoClFrame *self, GError **error)
{
  const cl_mem pairs = pairs_buffer (self, error);

  return pairs != NULL
      && set_buffer_arg (self, CALCULATE_HISTOGRAM, 5, pairs, error)
      && set_buffer_arg (self, CALCULATE_HISTOGRAM, 6, self->bins[0], error)
      && set_buffer_arg (self, CALCULATE_HISTOGRAM, 7, self->bins[1], error)
      && launch (self, CALCULATE_HISTOGRAM, self->n_groups, 1, error);
}

static gboolean
enqueue_histogram (AmphistoClFrame *self, GError **error)
{
  return turn_bins (self, error)
      && set_plane_args (
          self, CALCULATE_HISTOGRAM, 0, self->source, AMPHISTO_N_PLANES, error)
      && (is_gpu_shape (self) ? enqueue_gpu_histogram (self, error)
                              : enqueue_cpu_histogram (self, error));
}

static gboolean
enqueue_equalization (
    AmphistoClFrame *self, const AmphistoLayout *layout, GError **error)
{
  const guint luma_plane = self->params.luma.plane;

  if (!set_buffer_arg (self, EQUALIZE_LUT, 1, self->bins[0], error)
      || !launch (self, EQUALIZE_LUT, GROUP_SIZE, GROUP_SIZE, error))
    return FALSE;
  if (layout->is_rgb)
    return set_plane_args (self, APPLY_LUMA_DELTA, 0, self->source, 3, error)
        && set_plane_args (self, APPLY_LUMA_DELTA, 3, self->target, 3, error)
        && launch_on_rows (self, APPLY_LUMA_DELTA, error);
  return set_buffer_arg (self, APPLY_LUT, 0, self->source[luma_plane], error)
      && set_buffer_arg (self, APPLY_LUT, 1, self->target[luma_plane], error)
      && launch_on_rows (self, APPLY_LUT, error);
}

/* Wrapped: mapping makes what the device wrote visible to the host. */
static gboolean
map_plane (
    AmphistoClFrame *self, const AmphistoFrame *target, guint p, GError **error)
{
  const gsize size = self->params.target[p].offset
      + amphisto_plane_span (target->layout, p, target->plane[p].stride);
  cl_int status;

  self->mapped[p] = clEnqueueMapBuffer (self->queue, self->target[p], CL_FALSE,
      CL_MAP_READ, 0, size, 0, NULL, NULL, &status);
  return amphisto_cl_check (status, "clEnqueueMapBuffer", error);
}

/* Staged: the rows, and not what lies between them, are copied back. */
static gboolean
fetch_plane (
    AmphistoClFrame *self, const AmphistoFrame *target, guint p, GError **error)
{
  const AmphistoPlaneLayout *plane = &target->layout->plane[p];
  const gsize origin[3] = { 0, 0, 0 };
  const gsize region[3] = { plane->row_bytes, plane->rows, 1 };
  const gsize from = MAX (self->params.target[p].stride, plane->row_bytes);
  const gsize to = MAX (target->plane[p].stride, plane->row_bytes);

  return amphisto_cl_check (
      clEnqueueReadBufferRect (self->queue, self->target[p], CL_FALSE, origin,
          origin, region, from, 0, to, 0, target->plane[p].data, 0, NULL, NULL),
      "clEnqueueReadBufferRect", error);
}

static gboolean
enqueue_planes_back (AmphistoClFrame *self, const AmphistoFrame *target,
    guint written, gboolean wrapped, GError **error)
{
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    if (written & 1u << p
        && !(wrapped ? map_plane (self, target, p, error)
                     : fetch_plane (self, target, p, error)))
      return FALSE;
  return TRUE;
}

/* Behind all else: when the bins are there, the frame is done. */
static gboolean
enqueue_bins_back (AmphistoClFrame *self, GError **error)
{
  return amphisto_cl_check (clEnqueueReadBuffer (self->queue, self->bins[0],
                                CL_FALSE, 0, self->params.n_slots * BINS_SIZE,
                                self->read_bins, 0, NULL, &self->done),
      "clEnqueueReadBuffer", error);
}

static gboolean
enqueue_all (AmphistoClFrame *self, const AmphistoFrame *source,
    const AmphistoFrame *target, const AmphistoClWork *work, GError **error)
{
  frame_params params;
  guint read, written;
  gboolean wrapped;

  /* all bytes are compared with the last frame's */
  memset (&params, 0, sizeof params);
  fill_params (self, &params, source->layout, work);
  read = planes_read (&params, source->layout);
  written = work->equalize ? amphisto_equalize_planes (source->layout) : 0;
  wrapped = can_wrap (self, source, read)
      && (written == 0 || can_wrap (self, target, written));

  return (wrapped ? wrap_planes (
              self, source, target, read, written, &params, error)
                  : stage_planes (self, source, read, written, &params, error))
      && upload_params (self, &params, error) && enqueue_histogram (self, error)
      && (!work->equalize
          || (enqueue_equalization (self, source->layout, error)
              && enqueue_planes_back (self, target, written, wrapped, error)))
      && enqueue_bins_back (self, error)
      && amphisto_cl_check (clFlush (self->queue), "clFlush", error);
}

/* After a failure: what was enqueued may still be at work on the frames, and
 * what the parameters' buffer holds is not known. */
static void
abandon (AmphistoClFrame *self)
{
  /* the marker, because rusticl's clFinish() waits only for what was enqueued
   * since the last clFlush() */
  if (clEnqueueMarkerWithWaitList (self->queue, 0, NULL, NULL) != CL_SUCCESS
      || clFinish (self->queue) != CL_SUCCESS)
    g_warning ("waiting for the device failed");
  memset (&self->params, 0, sizeof self->params);
  memset (self->mapped, 0, sizeof self->mapped);
  release_bins (self);
  release_planes (self);
}

gboolean
amphisto_cl_frame_submit (AmphistoClFrame *self, const AmphistoFrame *source,
    const AmphistoFrame *target, const AmphistoClWork *work, GError **error)
{
  g_return_val_if_fail (
      work->equalize || (work->channels & source->layout->channels), FALSE);

  if (enqueue_all (self, source, target, work, error))
    return TRUE;
  abandon (self);
  return FALSE;
}

/* --- finish --- */

/* Gives the planes back to the device that were mapped. Only now that they
 * are: some drivers know of a mapping once it was carried out. Then waits, lest
 * the driver look at the host's memory when it is somebody else's; but not for
 * a core, whose own memory it is. */
static gboolean
unmap_planes (AmphistoClFrame *self, GError **error)
{
  gboolean unmaps = FALSE;

  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    void *mapped = g_steal_pointer (&self->mapped[p]);

    if (mapped == NULL)
      continue;
    if (!amphisto_cl_check (clEnqueueUnmapMemObject (self->queue,
                                self->target[p], mapped, 0, NULL, NULL),
            "clEnqueueUnmapMemObject", error))
      return FALSE;
    unmaps = TRUE;
  }
  if (!unmaps)
    return TRUE;
  if (self->device->shape == AMPHISTO_CL_SHAPE_CPU)
    return amphisto_cl_check (clFlush (self->queue), "clFlush", error);
  return amphisto_cl_check (clFinish (self->queue), "clFinish", error);
}

static void
store_bins (AmphistoClFrame *self, AmphistoHistograms *histograms)
{
  histograms->channels = self->channels;
  for (guint s = 0; s < self->params.n_slots; s++)
    memcpy (
        histograms->bins[self->slot_channel[s]], self->read_bins[s], BINS_SIZE);
}

gboolean
amphisto_cl_frame_finish (
    AmphistoClFrame *self, AmphistoHistograms *histograms, GError **error)
{
  if (!amphisto_cl_check (
          clWaitForEvents (1, &self->done), "clWaitForEvents", error)
      || !unmap_planes (self, error)) {
    abandon (self);
    return FALSE;
  }
  release_planes (self);
  store_bins (self, histograms);
  return TRUE;
}
