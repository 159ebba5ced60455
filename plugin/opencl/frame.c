/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/frame.h"
#include "opencl/equalize.h"
#include "opencl/histogram.h"
#include "opencl/overlay.h"
#include "opencl/regions.h"
#include "core/equalize.h"

#include <string.h>

struct _AmphistoClFrame
{
  AmphistoClQueue queue;
  AmphistoClPlanes planes;
  AmphistoClHistogram histogram;
  AmphistoClRegions regions;
  AmphistoClEqualize equalize;
  AmphistoClOverlay overlay;

  frame_params params; /* what params_buffer holds */
  cl_mem params_buffer;

  /* of the frame in flight */
  AmphistoChannelMask channels;
  cl_event done;
};

/* --- set-up --- */

static gboolean
check_limits (AmphistoClDevice *device, GError **error)
{
  const gsize constant = MAX (sizeof (frame_params), sizeof (overlay_params));

  if (device->constant_memory < constant) {
    g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD,
        "\"%s\" has constant buffers of %" G_GSIZE_FORMAT " bytes; the kernels "
        "need %" G_GSIZE_FORMAT ".",
        device->name, device->constant_memory, constant);
    return FALSE;
  }
  if (device->max_work_group < AMPHISTO_CL_GROUP_SIZE) {
    g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD,
        "\"%s\" has work-groups of %" G_GSIZE_FORMAT " work-items; the kernels "
        "need %d.",
        device->name, device->max_work_group, AMPHISTO_CL_GROUP_SIZE);
    return FALSE;
  }
  return TRUE;
}

/* --- warming up --- */

#define SIDE 48

static const AmphistoLayout small_grey = { .n_planes = 1,
  .plane = { { .row_bytes = SIDE, .rows = SIDE } },
  .hi = 255,
  .channels = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA),
  .component = { [AMPHISTO_CHANNEL_LUMA] = {
                     .pixel_stride = 1, .width = SIDE, .height = SIDE } } };

#define RGBX_COMPONENT(i)                                                      \
  {                                                                            \
    .offset = (i), .pixel_stride = 4, .width = SIDE, .height = SIDE            \
  }

static const AmphistoLayout small_rgb = { .n_planes = 1,
  .plane = { { .row_bytes = 4 * SIDE, .rows = SIDE } },
  .hi = 255,
  .channels = AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA),
  .component = { [AMPHISTO_CHANNEL_LUMA] = { .width = SIDE, .height = SIDE },
      [AMPHISTO_CHANNEL_RED] = RGBX_COMPONENT (0),
      [AMPHISTO_CHANNEL_GREEN] = RGBX_COMPONENT (1),
      [AMPHISTO_CHANNEL_BLUE] = RGBX_COMPONENT (2) },
  .is_rgb = true,
  .weights = { 21845, 21846, 21845 } };

/* What launches all kernels between them. A single tile is counted in parts. */
static const struct
{
  const AmphistoLayout *layout;
  AmphistoEqualization equalization;
  guint tiles;
  float smoothing;
} warm_ups[] = { { &small_grey, AMPHISTO_EQUALIZATION_CLAHE, 3, 0.5f },
  { &small_grey, AMPHISTO_EQUALIZATION_GLOBAL, 1, 0 },
  { &small_rgb, AMPHISTO_EQUALIZATION_CLAHE, 1, 0 },
  { &small_rgb, AMPHISTO_EQUALIZATION_MATCH, 1, 0 } };

static gboolean
run_small (AmphistoClFrame *self, const AmphistoLayout *layout,
    const AmphistoWork *work, GError **error)
{
  g_autofree cl_uint *pixels = g_new0 (cl_uint, SIDE * SIDE);
  g_autofree cl_uint *results = g_new0 (cl_uint, SIDE * SIDE);
  const guint stride = layout->plane[0].row_bytes;
  const AmphistoFrame source = { layout, { { (uint8_t *) pixels, stride } } };
  const AmphistoFrame target = { layout, { { (uint8_t *) results, stride } } };
  AmphistoHistograms histograms, region_histograms;

  return amphisto_cl_frame_submit (self, &source, &target, work, error)
      && amphisto_cl_frame_finish (
          self, &histograms, &region_histograms, error);
}

/* Drivers compile a kernel when it is first launched: small pictures launch
 * them all. */
static gboolean
warm_up (AmphistoClFrame *self, GError **error)
{
  const uint32_t reference[AMPHISTO_N_BINS] = { 1 };
  const AmphistoRegion region = { 0, 0, SIDE, SIDE };
  AmphistoWork work = { .channels = small_grey.channels,
    .strength = 1.0f,
    .reference = reference,
    .overlay = { .mode = AMPHISTO_OVERLAY_OVERLAY,
        .width = 1,
        .height = 1,
        .clipping = AMPHISTO_CLIPPING_ZEBRA },
    .regions = &region,
    .n_regions = 1,
    .reset = TRUE };

  for (gsize i = 0; i < G_N_ELEMENTS (warm_ups); i++) {
    const guint tiles = warm_ups[i].tiles;

    work.equalization = warm_ups[i].equalization;
    work.clahe = (AmphistoClahe){ tiles, tiles, 0 };
    work.smoothing = warm_ups[i].smoothing;
    if (!run_small (self, warm_ups[i].layout, &work, error))
      return FALSE;
  }
  return TRUE;
}

AmphistoClFrame *
amphisto_cl_frame_new (AmphistoClDevice *device, GError **error)
{
  AmphistoClFrame *self;

  if (!check_limits (device, error))
    return NULL;
  self = g_new0 (AmphistoClFrame, 1);
  amphisto_cl_planes_init (&self->planes, &self->queue);
  amphisto_cl_regions_init (&self->regions, &self->queue);
  if (!amphisto_cl_queue_init (&self->queue, device, error)
      || !(self->params_buffer = amphisto_cl_queue_new_buffer (&self->queue,
               CL_MEM_READ_ONLY, sizeof (frame_params), NULL, error))
      || !amphisto_cl_histogram_init (
          &self->histogram, &self->queue, self->params_buffer, error)
      || !amphisto_cl_equalize_init (
          &self->equalize, &self->queue, self->params_buffer, error)
      || !amphisto_cl_overlay_init (&self->overlay, &self->queue, error)
      || !warm_up (self, error))
    g_clear_pointer (&self, amphisto_cl_frame_free);
  return self;
}

/* Nothing may be in flight. */
static void
release_frame (AmphistoClFrame *self)
{
  amphisto_cl_planes_release (&self->planes);
  if (self->done != NULL && clReleaseEvent (self->done) != CL_SUCCESS)
    g_warning ("an OpenCL event was not released");
  self->done = NULL;
}

void
amphisto_cl_frame_free (AmphistoClFrame *self)
{
  release_frame (self);
  amphisto_cl_overlay_clear (&self->overlay);
  amphisto_cl_equalize_clear (&self->equalize);
  amphisto_cl_regions_clear (&self->regions);
  amphisto_cl_histogram_clear (&self->histogram);
  amphisto_cl_planes_clear (&self->planes);
  amphisto_cl_buffer_clear (&self->params_buffer);
  amphisto_cl_queue_clear (&self->queue);
  g_free (self);
}

/* --- submit --- */

/* The planes that counting reads, a bit each. */
static guint
planes_counted (const AmphistoWork *work, const AmphistoLayout *layout)
{
  const AmphistoChannelMask counted = amphisto_work_counted (work, layout);
  guint planes = 0;

  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (counted & AMPHISTO_CHANNEL_BIT (c))
      planes |= amphisto_channel_planes (layout, c);
  return planes;
}

/* Brings the frame's planes, and says where in them its part is. */
static gboolean
bring_planes (AmphistoClFrame *self, const AmphistoFrame *source,
    const AmphistoFrame *target, const AmphistoWork *work,
    const AmphistoLayout *part, const overlay_params *overlay,
    frame_params *params, GError **error)
{
  const guint equalized =
      amphisto_work_equalizes (work) ? amphisto_equalize_planes (part) : 0;
  const guint judged = amphisto_overlay_zebra_planes (overlay);
  const guint drawn = judged | amphisto_overlay_planes (overlay);

  if (!amphisto_cl_planes_bring (&self->planes, source, target,
          planes_counted (work, part) | judged, equalized | drawn,
          judged != 0 ? equalized : 0, error))
    return FALSE;
  amphisto_cl_planes_place (self->planes.source_place, part, params->source);
  amphisto_cl_planes_place (self->planes.target_place, part, params->target);
  return TRUE;
}

static gboolean
upload_params (
    AmphistoClFrame *self, const frame_params *params, GError **error)
{
  if (memcmp (&self->params, params, sizeof *params) == 0)
    return TRUE;
  self->params = *params;
  return amphisto_cl_queue_write (&self->queue, self->params_buffer,
      &self->params, sizeof self->params, error);
}

/* Counting begins, and while that goes on, what is not wholly written is
 * copied. */
static gboolean
enqueue_histogram (AmphistoClFrame *self, const AmphistoFrame *source,
    const AmphistoFrame *target, const AmphistoWork *work, GError **error)
{
  const gboolean writes_all = amphisto_work_equalizes (work)
      && amphisto_work_is_on_all (work, source->layout);
  const guint equalized =
      writes_all ? amphisto_equalize_planes (source->layout) : 0;

  return amphisto_cl_histogram_enqueue (
             &self->histogram, &self->params, &self->planes, error)
      && amphisto_cl_regions_enqueue (&self->regions, &self->histogram,
          source->layout, work, &self->planes, error)
      && amphisto_cl_planes_copy (
          &self->planes, source, target, ~equalized, error);
}

/* The bins come back behind all else: when they are there, the frame is done.
 */
static gboolean
enqueue_all (AmphistoClFrame *self, const AmphistoFrame *source,
    const AmphistoFrame *target, const AmphistoWork *work, GError **error)
{
  AmphistoLayout part, drawn;
  overlay_params overlay;
  frame_params params;

  /* all bytes are compared with the last frame's */
  memset (&params, 0, sizeof params);
  amphisto_work_crop (work, source->layout, &part, &drawn);
  self->channels = part.channels & work->channels;
  amphisto_cl_histogram_fill_params (
      &self->histogram, &params, &part, amphisto_work_counted (work, &part));
  amphisto_cl_equalize_fill_params (&params, &part, work);
  amphisto_work_fill_overlay (work, &drawn, &overlay);
  return bring_planes (
             self, source, target, work, &part, &overlay, &params, error)
      && upload_params (self, &params, error)
      && enqueue_histogram (self, source, target, work, error)
      && amphisto_cl_equalize_enqueue (&self->equalize, &part, work,
          &self->planes, self->histogram.bins[0], error)
      && amphisto_cl_overlay_enqueue (&self->overlay, &overlay, &drawn,
          &self->planes, self->histogram.bins[0], error)
      && amphisto_cl_planes_enqueue_back (&self->planes, target, error)
      && amphisto_cl_regions_enqueue_back (&self->regions, error)
      && amphisto_cl_histogram_enqueue_back (
          &self->histogram, &self->done, error)
      && amphisto_cl_check (clFlush (self->queue.queue), "clFlush", error);
}

/* After a failure: what was enqueued may still be at work on the frames, and
 * what the buffers hold is not known. */
static void
abandon (AmphistoClFrame *self)
{
  amphisto_cl_queue_finish (&self->queue);
  memset (&self->params, 0, sizeof self->params);
  amphisto_cl_equalize_forget (&self->equalize);
  amphisto_cl_histogram_forget (&self->histogram);
  amphisto_cl_overlay_forget (&self->overlay);
  release_frame (self);
}

gboolean
amphisto_cl_frame_submit (AmphistoClFrame *self, const AmphistoFrame *source,
    const AmphistoFrame *target, const AmphistoWork *work, GError **error)
{
  if (enqueue_all (self, source, target, work, error))
    return TRUE;
  abandon (self);
  return FALSE;
}

guint
amphisto_cl_frame_planes_written (AmphistoClFrame *self)
{
  return self->planes.written;
}

/* --- finish --- */

gboolean
amphisto_cl_frame_finish (AmphistoClFrame *self, AmphistoHistograms *histograms,
    AmphistoHistograms *regions, GError **error)
{
  if (!amphisto_cl_check (
          clWaitForEvents (1, &self->done), "clWaitForEvents", error)
      || !amphisto_cl_planes_finish (&self->planes, error)) {
    abandon (self);
    return FALSE;
  }
  release_frame (self);
  amphisto_cl_histogram_store (&self->histogram, self->channels, histograms);
  amphisto_cl_regions_store (&self->regions, self->channels, regions);
  return TRUE;
}
