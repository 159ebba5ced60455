/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/frame/side.h"

#include "opencl/run/staging.h"

#include <string.h>

/* Bytes between rows to upload, less than which are uploaded with them. */
#define MAX_GAP 4096

#define WORD sizeof (cl_uint)

void
amphisto_cl_side_clear (AmphistoClSide *side)
{
  for (guint i = 0; i < AMPHISTO_N_PLANES; i++) {
    amphisto_cl_reserve_clear (&side->copies[i]);
    g_clear_pointer (&side->staging[i], amphisto_cl_host_free);
  }
}

void
amphisto_cl_side_find_blocks (
    AmphistoClSide *side, const AmphistoFrame *frame, guint planes)
{
  AmphistoBlock blocks[AMPHISTO_N_PLANES];

  /* parameters are compared with the last frame's byte by byte */
  memset (side->plane, 0, sizeof side->plane);
  side->n_blocks = amphisto_frame_blocks (frame, planes, blocks);
  for (guint i = 0; i < side->n_blocks; i++) {
    side->blocks[i] = (AmphistoClBlock){ .block = blocks[i] };
    for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
      const AmphistoPlane *plane = &frame->plane[p];

      if (!(blocks[i].planes & 1u << p))
        continue;
      side->block[p] = &side->blocks[i];
      side->plane[p] =
          (plane_params){ plane->data - amphisto_block_words (&blocks[i]),
            plane->stride };
    }
  }
}

/* Leaves room for another row behind the last one: NVIDIA's driver refuses to
 * read rectangles from buffers that end with the last sample. */
static gsize
copy_size (const AmphistoClSide *side, const AmphistoClBlock *block)
{
  guint stride = 0;

  for (guint p = 0; p < AMPHISTO_N_PLANES; p++)
    if (side->block[p] == block)
      stride = MAX (stride, side->plane[p].stride);
  return amphisto_block_size (&block->block) + stride;
}

gboolean
amphisto_cl_side_reserve (AmphistoClSide *side, AmphistoClBlock *block,
    const AmphistoClDevice *device, GError **error)
{
  AmphistoClReserve *copy = &side->copies[block - side->blocks];

  if (!amphisto_cl_reserve_grow (
          copy, device, copy_size (side, block), FALSE, error)
      || !amphisto_cl_check (
          clRetainMemObject (copy->buffer), "clRetainMemObject", error))
    return FALSE;
  block->buffer = copy->buffer;
  return TRUE;
}

/* --- uploads --- */

/* Uploads bytes of the block, from `begin` to before `end`, and the other bytes
 * of the words that they begin and end in: kernels read words. */
static gboolean
write_bytes (AmphistoClSide *side, const AmphistoClBlock *block,
    AmphistoClCommandQueue *queue, const guint8 *begin, const guint8 *end,
    GError **error)
{
  const AmphistoBlock *memory = &block->block;
  AmphistoClDevice *device = queue->device;
  gsize offset, size;

  begin = MAX (memory->begin, begin - (guintptr) begin % WORD);
  end = MIN (memory->end, end + (WORD - (guintptr) end % WORD) % WORD);
  offset = begin - amphisto_block_words (memory);
  size = end - begin;

  if (device->pins_memory && size >= AMPHISTO_CL_MIN_STAGED
      && !amphisto_cl_is_pinned (device, begin, size))
    return amphisto_cl_staging_write (&side->staging[block - side->blocks],
        amphisto_block_size (memory), queue, block->buffer, offset, begin, size,
        error);
  return amphisto_cl_command_queue_write (
      queue, block->buffer, offset, begin, size, error);
}

gboolean
amphisto_cl_side_write_block (AmphistoClSide *side,
    const AmphistoClBlock *block, AmphistoClCommandQueue *queue, GError **error)
{
  return write_bytes (
      side, block, queue, block->block.begin, block->block.end, error);
}

gboolean
amphisto_cl_side_write_rows (AmphistoClSide *side, const AmphistoClBlock *block,
    AmphistoClCommandQueue *queue, const AmphistoFrame *frame,
    const AmphistoRows rows[AMPHISTO_N_PLANES], GError **error)
{
  const guint8 *begin = NULL, *end = NULL;

  for (guint p = 0; p < frame->layout->n_planes; p++) {
    const guint8 *first, *last;

    if (!(block->block.planes & 1u << p) || rows[p].first == rows[p].end)
      continue;
    first = amphisto_frame_row (frame, p, rows[p].first);
    last = amphisto_frame_row (frame, p, rows[p].end - 1)
        + frame->layout->plane[p].row_bytes;
    if (end != NULL && first >= end && first - end < MAX_GAP) {
      end = last;
      continue;
    }
    if (end != NULL && !write_bytes (side, block, queue, begin, end, error))
      return FALSE;
    begin = first;
    end = last;
  }
  return end == NULL || write_bytes (side, block, queue, begin, end, error);
}

/* --- downloads --- */

static gboolean
download_each_row (const AmphistoClSide *side, AmphistoClCommandQueue *queue,
    const AmphistoFrame *frame, guint p, AmphistoRows rows, GError **error)
{
  const AmphistoPlaneLayout *layout = &frame->layout->plane[p];
  const plane_params *plane = &side->plane[p];

  for (guint y = rows.first; y < rows.end; y++)
    if (!amphisto_cl_command_queue_read (queue, side->block[p]->buffer,
            plane->offset + (gsize) y * plane->stride,
            amphisto_frame_row (frame, p, y), layout->row_bytes, error))
      return FALSE;
  return TRUE;
}

gboolean
amphisto_cl_side_read_rows (const AmphistoClSide *side,
    AmphistoClCommandQueue *queue, const AmphistoFrame *frame, guint p,
    AmphistoRows rows, GError **error)
{
  const AmphistoPlaneLayout *layout = &frame->layout->plane[p];
  const plane_params *plane = &side->plane[p];
  const gsize begin = plane->offset + (gsize) rows.first * plane->stride;
  const gsize from = MAX (plane->stride, layout->row_bytes);
  const gsize to = MAX (frame->plane[p].stride, layout->row_bytes);
  const gsize origin[3] = { begin % from, begin / from, 0 };
  const gsize to_origin[3] = { 0, 0, 0 };
  const gsize region[3] = { layout->row_bytes, rows.end - rows.first, 1 };

  if (queue->device->ignores_host_stride && to != layout->row_bytes)
    return download_each_row (side, queue, frame, p, rows, error);
  return amphisto_cl_command_queue_check (queue,
      clEnqueueReadBufferRect (queue->handle, side->block[p]->buffer, CL_FALSE,
          origin, to_origin, region, from, 0, to, 0,
          amphisto_frame_row (frame, p, rows.first), AMPHISTO_CL_ORDER (queue)),
      "clEnqueueReadBufferRect", error);
}
