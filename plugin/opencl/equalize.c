/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/equalize.h"

#include <string.h>

#define LUT_SIZE (AMPHISTO_BINS * sizeof (cl_uchar))

static gboolean
make_buffers (AmphistoClEqualize *self, GError **error)
{
  return (self->reference_buffer = amphisto_cl_queue_new_buffer (self->queue,
              CL_MEM_READ_ONLY, sizeof self->reference, NULL, error))
      && (self->lut = amphisto_cl_queue_new_buffer (
              self->queue, CL_MEM_READ_WRITE, LUT_SIZE, NULL, error));
}

/* The arguments that are the same for every frame. */
static gboolean
set_constant_args (AmphistoClEqualize *self, cl_mem params, GError **error)
{
  const struct
  {
    AmphistoClKernel kernel;
    guint params;
    guint lut;
  } args[] = { { AMPHISTO_EQUALIZE_LUT, 0, 2 }, { AMPHISTO_MATCH_LUT, 0, 2 },
    { AMPHISTO_APPLY_LUT, 2, 3 }, { AMPHISTO_APPLY_LUMA_DELTA, 6, 7 } };

  for (gsize i = 0; i < G_N_ELEMENTS (args); i++)
    if (!amphisto_cl_queue_set_buffer (
            self->queue, args[i].kernel, args[i].params, params, error)
        || !amphisto_cl_queue_set_buffer (
            self->queue, args[i].kernel, args[i].lut, self->lut, error))
      return FALSE;
  return amphisto_cl_queue_set_buffer (
      self->queue, AMPHISTO_MATCH_LUT, 3, self->reference_buffer, error);
}

gboolean
amphisto_cl_equalize_init (AmphistoClEqualize *self, AmphistoClQueue *queue,
    cl_mem params, GError **error)
{
  *self = (AmphistoClEqualize){ .queue = queue };
  return amphisto_cl_smooth_init (&self->smooth, queue, params, error)
      && make_buffers (self, error) && set_constant_args (self, params, error)
      && amphisto_cl_clahe_init (&self->clahe, queue, params, error);
}

void
amphisto_cl_equalize_clear (AmphistoClEqualize *self)
{
  amphisto_cl_clahe_clear (&self->clahe);
  amphisto_cl_smooth_clear (&self->smooth);
  amphisto_cl_buffer_clear (&self->lut);
  amphisto_cl_buffer_clear (&self->reference_buffer);
}

void
amphisto_cl_equalize_forget (AmphistoClEqualize *self)
{
  memset (self->reference, 0, sizeof self->reference);
  amphisto_cl_clahe_forget (&self->clahe);
}

void
amphisto_cl_equalize_fill_params (frame_params *params,
    const AmphistoLayout *layout, const AmphistoWork *work)
{
  params->lo = layout->lo;
  params->hi = layout->hi;
  params->strength = work->strength;
  params->renewal = amphisto_work_renewal (work);
  params->resets_mean = work->resets_mean;
  if (work->equalization == AMPHISTO_EQUALIZATION_CLAHE)
    amphisto_cl_clahe_fill_params (
        params, layout, &work->clahe, work->smoothing > 0);
  params->row_bytes =
      layout->plane[layout->component[AMPHISTO_CHANNEL_LUMA].plane].row_bytes;
}

static gboolean
enqueue_luma_delta (
    AmphistoClEqualize *self, const AmphistoClPlanes *planes, GError **error)
{
  if (!amphisto_cl_queue_set_planes (self->queue, AMPHISTO_APPLY_LUMA_DELTA, 0,
          planes->source, AMPHISTO_CL_N_LUMA_PLANES, self->lut, error)
      || !amphisto_cl_queue_set_planes (self->queue, AMPHISTO_APPLY_LUMA_DELTA,
          AMPHISTO_CL_N_LUMA_PLANES, planes->target, AMPHISTO_CL_N_LUMA_PLANES,
          self->lut, error))
    return FALSE;
  return amphisto_cl_queue_launch_on_rows (
      self->queue, AMPHISTO_APPLY_LUMA_DELTA, error);
}

static gboolean
upload_reference (
    AmphistoClEqualize *self, const uint32_t *reference, GError **error)
{
  if (memcmp (self->reference, reference, sizeof self->reference) == 0)
    return TRUE;
  memcpy (self->reference, reference, sizeof self->reference);
  return amphisto_cl_queue_write (self->queue, self->reference_buffer,
      self->reference, sizeof self->reference, error);
}

static gboolean
enqueue_lut (AmphistoClEqualize *self, const AmphistoWork *work, cl_mem bins,
    GError **error)
{
  const gboolean matches = work->equalization == AMPHISTO_EQUALIZATION_MATCH;
  const AmphistoClKernel kernel =
      matches ? AMPHISTO_MATCH_LUT : AMPHISTO_EQUALIZE_LUT;

  if (matches && !upload_reference (self, work->reference, error))
    return FALSE;
  return amphisto_cl_queue_set_buffer (self->queue, kernel, 1, bins, error)
      && amphisto_cl_queue_launch (
          self->queue, kernel, 1, AMPHISTO_BINS, error);
}

gboolean
amphisto_cl_equalize_enqueue (AmphistoClEqualize *self,
    const AmphistoLayout *layout, const AmphistoWork *work,
    const AmphistoClPlanes *planes, cl_mem bins, GError **error)
{
  const guint p = layout->component[AMPHISTO_CHANNEL_LUMA].plane;
  const gboolean smooths = work->smoothing > 0;

  if (!amphisto_work_equalizes (work))
    return TRUE;
  if (smooths && !amphisto_cl_smooth_enqueue (&self->smooth, bins, error))
    return FALSE;
  if (work->equalization == AMPHISTO_EQUALIZATION_CLAHE)
    return amphisto_cl_clahe_enqueue (&self->clahe, layout, &work->clahe,
        planes, bins, smooths ? &self->smooth : NULL, error);
  if (!enqueue_lut (self, work, smooths ? self->smooth.smoothed : bins, error))
    return FALSE;
  if (layout->is_rgb)
    return enqueue_luma_delta (self, planes, error);
  return amphisto_cl_queue_set_buffer (
             self->queue, AMPHISTO_APPLY_LUT, 0, planes->source[p], error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_APPLY_LUT, 1, planes->target[p], error)
      && amphisto_cl_queue_launch_on_rows (
          self->queue, AMPHISTO_APPLY_LUT, error);
}
