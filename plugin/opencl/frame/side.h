/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Planes of one side of a job, the source, the target or the canvas, in blocks
 * of memory, and the copies of blocks on a device with memory of its own.
 */

#pragma once

#include "core/pixels/block.h"
#include "core/plan.h"
#include "opencl/run/buffers.h"

typedef struct
{
  AmphistoBlock block;
  cl_mem buffer; /* the block's words; NULL before it is on the device */
  gboolean is_imported;
} AmphistoClBlock;

typedef struct
{
  AmphistoClBlock blocks[AMPHISTO_N_PLANES];
  guint n_blocks;
  /* each plane's block, or NULL, and where it begins there */
  AmphistoClBlock *block[AMPHISTO_N_PLANES];
  plane_params plane[AMPHISTO_N_PLANES];
  /* buffers of copied blocks, kept from frame to frame */
  AmphistoClReserve copies[AMPHISTO_N_PLANES];
  /* pinned copies of ordinary memory, or NULL, kept from frame to frame */
  AmphistoClHost *staging[AMPHISTO_N_PLANES];
  void *mapped[AMPHISTO_N_PLANES]; /* planes with results, for the host */
} AmphistoClSide;

/* Releases the copies. No frame may be in flight. */
void amphisto_cl_side_clear (AmphistoClSide *side);

/* Finds the blocks of the planes, bit p for plane p, and where each plane
 * begins in its block. */
void amphisto_cl_side_find_blocks (
    AmphistoClSide *side, const AmphistoFrame *frame, guint planes);

/* Gives the block a buffer that is kept from frame to frame.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_side_reserve (AmphistoClSide *side, AmphistoClBlock *block,
    const AmphistoClDevice *device, GError **error);

/* Enqueue uploads of the block to its buffer: of all of it, or of some rows of
 * its planes. Neighbouring rows of two planes are uploaded at once.
 *
 * Return: FALSE with CALL. */
gboolean amphisto_cl_side_write_block (AmphistoClSide *side,
    const AmphistoClBlock *block, AmphistoClCommandQueue *queue,
    GError **error);
gboolean amphisto_cl_side_write_rows (AmphistoClSide *side,
    const AmphistoClBlock *block, AmphistoClCommandQueue *queue,
    const AmphistoFrame *frame, const AmphistoRows rows[AMPHISTO_N_PLANES],
    GError **error);

/* Enqueues a download of rows of plane `p` to the frame; at least one. Bytes
 * between the rows stay as they are.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_side_read_rows (const AmphistoClSide *side,
    AmphistoClCommandQueue *queue, const AmphistoFrame *frame, guint p,
    AmphistoRows rows, GError **error);
