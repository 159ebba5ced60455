/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame's planes on the device: imported, where it works on host memory, or
 * uploaded to memory of its own and downloaded again.
 */

#ifndef AMPHISTO_OPENCL_PLANES_H
#define AMPHISTO_OPENCL_PLANES_H

#include "opencl/queue.h"

typedef struct
{
  /*< private >*/
  AmphistoClQueue *queue;
  gboolean is_imported;
  /* NULL where the plan needs no such plane */
  cl_mem source[AMPHISTO_N_PLANES];
  cl_mem target[AMPHISTO_N_PLANES];
  /* where they begin in these buffers */
  plane_params source_place[AMPHISTO_N_PLANES];
  plane_params target_place[AMPHISTO_N_PLANES];
  void *mapped[AMPHISTO_N_PLANES]; /* imported: the target's planes */
  /* Uploaded: buffers for the source's planes, and for the target's where they
   * are apart, kept from frame to frame. */
  AmphistoClReserve staging[2][AMPHISTO_N_PLANES];
} AmphistoClPlanes;

/* `queue` must outlive it. */
void amphisto_cl_planes_init (AmphistoClPlanes *self, AmphistoClQueue *queue);

/* Nothing may be in flight. */
void amphisto_cl_planes_clear (AmphistoClPlanes *self);

/* Gets the planes that the job's plan reads and writes onto the device, all of
 * them imported or all uploaded, and binds them to their arguments' names.
 * Where a plane of the target has a buffer of its own, that is undefined: it is
 * to be written whole, or copied to.
 *
 * Returns: FALSE with CALL; to be released either way. */
gboolean amphisto_cl_planes_import_or_upload (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error);

/* Stores where the planes of a part of the frame begin in their buffers, of the
 * source and of the target; planes written in place begin at the same place in
 * both. Entries of planes that are not there are undefined. */
void amphisto_cl_planes_place (const AmphistoClPlanes *self,
    const AmphistoLayout *part, plane_params source[AMPHISTO_N_PLANES],
    plane_params target[AMPHISTO_N_PLANES]);

/* Copies the planes that the plan writes in part from source to target, where
 * these have buffers of their own. Host memory is copied while the device
 * carries out what was enqueued before.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_planes_copy (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error);

/* Enqueues that the host sees in the target what was written: maps imported
 * planes, downloads whole rows of uploaded ones, without what lies between the
 * rows.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_planes_map_or_download (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error);

/* Once that is done: unmaps what was mapped. On GPUs it waits for it, since the
 * driver may access host memory until then. CPUs work on host memory directly.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_planes_unmap (AmphistoClPlanes *self, GError **error);

/* Releases the frame's planes; nothing may be in flight. */
void amphisto_cl_planes_release (AmphistoClPlanes *self);

#endif
