/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/clahe.h"

#include <string.h>

#define BINS_SIZE (AMPHISTO_BINS * sizeof (cl_uint))
/* Tiles are divided until there are so many parts for each share, so that all
 * shares are of about one size; but into none of fewer pixels, lest clearing
 * and adding up bins take longer than counting. */
#define PARTS_PER_SHARE 2
#define MIN_PART 1024

/* The arguments that are the same for every frame. */
static gboolean
set_constant_args (AmphistoClClahe *self, cl_mem params, GError **error)
{
  const struct
  {
    AmphistoClKernel kernel;
    guint index;
    cl_mem buffer;
  } args[] = {
    { AMPHISTO_COUNT_TILES, 3, params },
    { AMPHISTO_COUNT_TILES, 4, self->params_buffer },
    { AMPHISTO_MERGE_TILES, 0, self->params_buffer },
    { AMPHISTO_SUM_TILES, 0, params },
    { AMPHISTO_SUM_TILES, 1, self->params_buffer },
    { AMPHISTO_EQUALIZE_TILES, 0, params },
    { AMPHISTO_EQUALIZE_TILES, 1, self->params_buffer },
    { AMPHISTO_APPLY_TILES, 2, params },
    { AMPHISTO_APPLY_TILES, 3, self->params_buffer },
    { AMPHISTO_APPLY_TILES_DELTA, 6, params },
    { AMPHISTO_APPLY_TILES_DELTA, 7, self->params_buffer },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (args); i++)
    if (!amphisto_cl_queue_set_buffer (
            self->queue, args[i].kernel, args[i].index, args[i].buffer, error))
      return FALSE;
  return TRUE;
}

gboolean
amphisto_cl_clahe_init (AmphistoClClahe *self, AmphistoClQueue *queue,
    cl_mem params, GError **error)
{
  *self = (AmphistoClClahe){ .queue = queue };
  return (self->params_buffer = amphisto_cl_queue_new_buffer (
              queue, CL_MEM_READ_ONLY, sizeof self->params, NULL, error))
      && set_constant_args (self, params, error);
}

void
amphisto_cl_clahe_clear (AmphistoClClahe *self)
{
  amphisto_cl_buffer_clear (&self->params_buffer);
  amphisto_cl_buffer_clear (&self->parts.buffer);
  amphisto_cl_buffer_clear (&self->bins.buffer);
  amphisto_cl_buffer_clear (&self->means.buffer);
  amphisto_cl_buffer_clear (&self->tables.buffer);
}

void
amphisto_cl_clahe_forget (AmphistoClClahe *self)
{
  memset (&self->params, 0, sizeof self->params);
}

/* Whether luma's histogram is the sum of the tiles': it is wanted before them
 * where means move on by it. */
static gboolean
sums_tiles (
    const AmphistoClahe *clahe, const AmphistoLayout *layout, gboolean smooths)
{
  return !smooths && amphisto_clahe_fits (clahe, layout);
}

void
amphisto_cl_clahe_fill_params (frame_params *params,
    const AmphistoLayout *layout, const AmphistoClahe *clahe, gboolean smooths)
{
  if (!sums_tiles (clahe, layout, smooths))
    return;
  params->measured[params->luma_slot].height = 0;
  params->counts_pairs[params->luma_slot] = FALSE;
}

static guint
choose_parts (const AmphistoClQueue *queue, const clahe_params *params)
{
  const guint n_tiles = amphisto_clahe_n_tiles (params);
  const guint wanted =
      (PARTS_PER_SHARE * queue->n_shares + n_tiles - 1) / n_tiles;
  const guint64 n_pixels = (guint64) params->tile_width * params->tile_height;
  const guint64 most = MIN (n_pixels / MIN_PART, params->tile_height);

  return CLAMP (most, 1, wanted);
}

static gboolean
upload_params (
    AmphistoClClahe *self, const clahe_params *params, GError **error)
{
  if (memcmp (&self->params, params, sizeof *params) == 0)
    return TRUE;
  self->params = *params;
  return amphisto_cl_queue_write (self->queue, self->params_buffer,
      &self->params, sizeof self->params, error);
}

static gboolean
reserve_all (AmphistoClClahe *self, GError **error)
{
  const clahe_params *params = &self->params;
  const gsize n_tiles = amphisto_clahe_n_tiles (params);
  const gsize n_tables = (params->tiles_x + 1) * (params->tiles_y + 1);

  return (params->n_parts == 1
             || amphisto_cl_queue_reserve (self->queue, &self->parts,
                 n_tiles * params->n_parts * BINS_SIZE, error))
      && amphisto_cl_queue_reserve (
          self->queue, &self->bins, n_tiles * BINS_SIZE, error)
      && amphisto_cl_queue_reserve (
          self->queue, &self->tables, n_tables * BINS_SIZE, error);
}

/* Tiles that are counted whole need no merging. */
static gboolean
enqueue_count (
    AmphistoClClahe *self, const AmphistoClPlanes *planes, GError **error)
{
  const gboolean is_whole = self->params.n_parts == 1;
  const cl_mem bins = self->bins.buffer;
  const cl_mem parts = is_whole ? bins : self->parts.buffer;

  if (!amphisto_cl_queue_set_planes (self->queue, AMPHISTO_COUNT_TILES, 0,
          planes->source, AMPHISTO_CL_N_LUMA_PLANES, bins, error)
      || !amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_COUNT_TILES, 5, parts, error)
      || !amphisto_cl_queue_launch_on_rows (
          self->queue, AMPHISTO_COUNT_TILES, error))
    return FALSE;
  if (is_whole)
    return TRUE;
  return amphisto_cl_queue_set_buffer (
             self->queue, AMPHISTO_MERGE_TILES, 1, parts, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_MERGE_TILES, 2, bins, error)
      && amphisto_cl_queue_launch_on_rows (
          self->queue, AMPHISTO_MERGE_TILES, error);
}

static gboolean
enqueue_smoothing (
    AmphistoClClahe *self, AmphistoClSmooth *smooth, GError **error)
{
  const guint n_bins = amphisto_clahe_n_tiles (&self->params) * AMPHISTO_BINS;

  return amphisto_cl_queue_reserve (
             self->queue, &self->means, n_bins * sizeof (cl_float), error)
      && amphisto_cl_smooth_enqueue_bins (smooth, n_bins, self->bins.buffer,
          self->means.buffer, self->bins.buffer, error);
}

static gboolean
enqueue_sum (AmphistoClClahe *self, cl_mem bins, GError **error)
{
  return amphisto_cl_queue_set_buffer (
             self->queue, AMPHISTO_SUM_TILES, 2, self->bins.buffer, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_SUM_TILES, 3, bins, error)
      && amphisto_cl_queue_launch_on_rows (
          self->queue, AMPHISTO_SUM_TILES, error);
}

static gboolean
enqueue_tables (AmphistoClClahe *self, GError **error)
{
  return amphisto_cl_queue_set_buffer (
             self->queue, AMPHISTO_EQUALIZE_TILES, 2, self->bins.buffer, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_EQUALIZE_TILES, 3, self->tables.buffer, error)
      && amphisto_cl_queue_launch_on_rows (
          self->queue, AMPHISTO_EQUALIZE_TILES, error);
}

static gboolean
enqueue_apply (AmphistoClClahe *self, const AmphistoLayout *layout,
    const AmphistoClPlanes *planes, GError **error)
{
  const guint p = layout->component[AMPHISTO_CHANNEL_LUMA].plane;
  const cl_mem tables = self->tables.buffer;

  if (!layout->is_rgb)
    return amphisto_cl_queue_set_buffer (
               self->queue, AMPHISTO_APPLY_TILES, 0, planes->source[p], error)
        && amphisto_cl_queue_set_buffer (
            self->queue, AMPHISTO_APPLY_TILES, 1, planes->target[p], error)
        && amphisto_cl_queue_set_buffer (
            self->queue, AMPHISTO_APPLY_TILES, 4, tables, error)
        && amphisto_cl_queue_launch_on_rows (
            self->queue, AMPHISTO_APPLY_TILES, error);
  return amphisto_cl_queue_set_planes (self->queue, AMPHISTO_APPLY_TILES_DELTA,
             0, planes->source, AMPHISTO_CL_N_LUMA_PLANES, tables, error)
      && amphisto_cl_queue_set_planes (self->queue, AMPHISTO_APPLY_TILES_DELTA,
          AMPHISTO_CL_N_LUMA_PLANES, planes->target, AMPHISTO_CL_N_LUMA_PLANES,
          tables, error)
      && amphisto_cl_queue_set_buffer (
          self->queue, AMPHISTO_APPLY_TILES_DELTA, 8, tables, error)
      && amphisto_cl_queue_launch_on_rows (
          self->queue, AMPHISTO_APPLY_TILES_DELTA, error);
}

gboolean
amphisto_cl_clahe_enqueue (AmphistoClClahe *self, const AmphistoLayout *layout,
    const AmphistoClahe *clahe, const AmphistoClPlanes *planes, cl_mem bins,
    AmphistoClSmooth *smooth, GError **error)
{
  const AmphistoComponent *luma = &layout->component[AMPHISTO_CHANNEL_LUMA];
  clahe_params params;

  if (luma->width == 0 || luma->height == 0)
    return TRUE;
  amphisto_clahe_fill_params (clahe, layout, &params);
  params.n_parts = choose_parts (self->queue, &params);
  return upload_params (self, &params, error) && reserve_all (self, error)
      && enqueue_count (self, planes, error)
      && (smooth == NULL || enqueue_smoothing (self, smooth, error))
      && (!sums_tiles (clahe, layout, smooth != NULL)
          || enqueue_sum (self, bins, error))
      && enqueue_tables (self, error)
      && enqueue_apply (self, layout, planes, error);
}
