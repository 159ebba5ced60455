/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame's planes on the device. Each block of memory that planes lie in is
 * imported, where the device works on host memory, or else copied: uploaded to
 * memory of its own and downloaded again. Places in a block are the same either
 * way.
 *
 * OpenCL lets a driver keep imported memory elsewhere until it is mapped. So
 * the host writes to such memory only before it is imported, and reads what the
 * device has written only while it is mapped or when it was given back.
 */

#ifndef AMPHISTO_OPENCL_PLANES_H
#define AMPHISTO_OPENCL_PLANES_H

#include "core/block.h"
#include "opencl/queue.h"

typedef struct
{
  AmphistoBlock block;
  cl_mem buffer; /* its words, or NULL: not on the device yet */
  gboolean is_imported;
} AmphistoClBlock;

/* Planes of a frame. */
typedef struct
{
  AmphistoClBlock blocks[AMPHISTO_N_PLANES];
  guint n_blocks;
  /* each plane's block, or NULL, and where it begins there */
  AmphistoClBlock *block[AMPHISTO_N_PLANES];
  plane_params place[AMPHISTO_N_PLANES];
  /* kept from frame to frame, for blocks that are copied */
  AmphistoClReserve copies[AMPHISTO_N_PLANES];
} AmphistoClSide;

typedef struct
{
  /*< private >*/
  AmphistoClQueue *queue;
  AmphistoClSide source;
  AmphistoClSide target; /* its planes may be in blocks of the source */
  void *mapped[AMPHISTO_N_PLANES]; /* the target's planes */
} AmphistoClPlanes;

/* `queue` must outlive it. */
void amphisto_cl_planes_init (AmphistoClPlanes *self, AmphistoClQueue *queue);

/* Nothing may be in flight. */
void amphisto_cl_planes_clear (AmphistoClPlanes *self);

/* Gets the planes onto the device that the job's plan reads or changes in
 * place, on the upload queue, and binds them to their arguments' names. Decides
 * where the planes that it writes will be.
 *
 * Returns: FALSE with CALL; to be released either way. */
gboolean amphisto_cl_planes_add_sources (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error);

/* Stores where the planes of a part of the frame begin in their buffers, of the
 * source and of the target; planes written in place begin at the same place in
 * both. Entries of planes that are not there are undefined. */
void amphisto_cl_planes_place (const AmphistoClPlanes *self,
    const AmphistoLayout *part, plane_params source[AMPHISTO_N_PLANES],
    plane_params target[AMPHISTO_N_PLANES]);

/* Once the sources are added: gets the planes that the plan writes onto the
 * device, and binds them. Where a plane is written in part, the rest is the
 * source's; else what it holds is undefined. Host memory is copied while the
 * device carries out what was enqueued before.
 *
 * Returns: FALSE with CALL; to be released either way. */
gboolean amphisto_cl_planes_add_targets (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error);

/* Enqueues that the host sees in the target what was written, once the frame is
 * done, on the download queue: maps imported planes, downloads whole rows of
 * copied ones, without what lies between the rows.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_planes_map_or_download (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error);

/* Once the targets are added: copies the planes that the plan does not write to
 * a target that is not the source. */
void amphisto_cl_planes_copy_unwritten (
    const AmphistoClPlanes *self, const AmphistoJob *job);

/* Once the frame is done: unmaps what is still mapped, and waits until the
 * device has done with the memory.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_planes_unmap (AmphistoClPlanes *self, GError **error);

/* Releases the frame's planes; nothing may be in flight. */
void amphisto_cl_planes_release (AmphistoClPlanes *self);

#endif
