/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame's planes on the device: wrapped where they lie, or staged on a device
 * with a memory of its own, and brought back.
 */

#ifndef AMPHISTO_OPENCL_PLANES_H
#define AMPHISTO_OPENCL_PLANES_H

#include "opencl/queue.h"
#include "core/frame.h"
#include "cl/frame_params.h"

/* Planes that luma, or R, G and B can be in: the first. */
#define AMPHISTO_CL_N_LUMA_PLANES 3

typedef struct
{
  /*< read-only >*/
  /* The planes' buffers, NULL where a plane is not needed, and where in them
   * the planes begin. What is changed in place is the same in both. */
  cl_mem source[AMPHISTO_N_PLANES];
  cl_mem target[AMPHISTO_N_PLANES];
  plane_params source_place[AMPHISTO_N_PLANES];
  plane_params target_place[AMPHISTO_N_PLANES];

  guint written; /* the planes that are, a bit each */

  /*< private >*/
  AmphistoClQueue *queue;
  gboolean is_wrapped;
  /* Wrapped: where the target's planes are mapped. */
  void *mapped[AMPHISTO_N_PLANES];
  /* Staged: buffers for the source's planes, and the target's where they are
   * apart, kept from frame to frame. */
  cl_mem staging[2][AMPHISTO_N_PLANES];
  gsize staging_size[2][AMPHISTO_N_PLANES];
} AmphistoClPlanes;

/* Where the channel's samples lie, as the kernels are told. */
component_params amphisto_cl_component (
    const AmphistoLayout *layout, AmphistoChannel channel);

/* `queue` must outlive it. */
void amphisto_cl_planes_init (AmphistoClPlanes *self, AmphistoClQueue *queue);

/* Nothing may be in flight. */
void amphisto_cl_planes_clear (AmphistoClPlanes *self);

/* Brings planes to the device, masks with a bit each: those `read` of `source`,
 * and those `written` of `target`, which is `source` itself or another frame of
 * its layout. Where the two have buffers of their own, the target's hold
 * nothing yet: all of their rows are to be written, or copied. They always have
 * if they are `apart`, so that the source's stay as they are; source and target
 * must then not be the same.
 *
 * Returns: FALSE with CALL; to be released either way. */
gboolean amphisto_cl_planes_bring (AmphistoClPlanes *self,
    const AmphistoFrame *source, const AmphistoFrame *target, guint read,
    guint written, guint apart, GError **error);

/* Where the planes of a part of the frame begin, if those of the frame do at
 * `whole`. Of planes that are not there, it is not looked at. */
void amphisto_cl_planes_place (
    const plane_params *whole, const AmphistoLayout *part, plane_params *place);

/* Copies those of `planes`, of those written, that are in buffers of their own
 * from source to target, while what was enqueued goes on.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_planes_copy (AmphistoClPlanes *self,
    const AmphistoFrame *source, const AmphistoFrame *target, guint planes,
    GError **error);

/* Enqueues that what was written comes back to `target`: of wrapped planes what
 * was, of staged ones whole rows, and not what lies between them.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_planes_enqueue_back (
    AmphistoClPlanes *self, const AmphistoFrame *target, GError **error);

/* When all that was enqueued is done: ends what bringing back began.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_planes_finish (AmphistoClPlanes *self, GError **error);

/* Forgets the frame; nothing may be in flight. */
void amphisto_cl_planes_release (AmphistoClPlanes *self);

#endif
