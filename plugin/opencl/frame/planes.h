/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame's planes on the device. Planes lie in blocks of memory. A block is
 * imported if the device works on host memory; otherwise it is copied: uploaded
 * to memory of the device, and downloaded again. Offsets in a block are the
 * same either way.
 *
 * OpenCL lets a driver keep imported memory elsewhere until it is mapped. So
 * the host writes to a block only before it is imported, and reads the device's
 * results only while it is mapped or after it is released.
 */

#pragma once

#include "opencl/frame/side.h"
#include "opencl/run/launcher.h"

typedef struct
{
  /*< private >*/
  AmphistoClLauncher *launcher;
  AmphistoClSide source;
  AmphistoClSide target; /* its planes may lie in blocks of the source */
  AmphistoClSide canvas;
} AmphistoClPlanes;

/* `launcher` must outlive `self`. */
void amphisto_cl_planes_init (
    AmphistoClPlanes *self, AmphistoClLauncher *launcher);

/* No frame may be in flight. */
void amphisto_cl_planes_clear (AmphistoClPlanes *self);

/* Imports or uploads the planes that the job's plan reads or changes in place,
 * on the upload queue, and binds them to their arguments' names. Also decides
 * where the written planes will be.
 *
 * Returns: FALSE with CALL. Release the planes either way. */
gboolean amphisto_cl_planes_add_sources (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error);

/* Stores where the planes of a part of the frame begin in the buffers of source
 * and target. Planes that are changed in place have the same offset in both.
 * Entries of missing planes are undefined. */
void amphisto_cl_planes_locate (const AmphistoClPlanes *self,
    const AmphistoLayout *part, plane_params source[AMPHISTO_N_PLANES],
    plane_params target[AMPHISTO_N_PLANES]);

/* Imports or uploads the planes that the plan writes, and binds them. The
 * sources must be added. A plane that is only partially written is copied from
 * the source first; the contents of others are undefined. The host copies while
 * the device carries out earlier commands.
 *
 * Returns: FALSE with CALL. Release the planes either way. */
gboolean amphisto_cl_planes_add_targets (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error);

/* Returns: where the canvas begins in its buffer, if the plan has one. The
 * sources must be added. */
plane_params amphisto_cl_planes_locate_canvas (const AmphistoClPlanes *self);

/* Imports the job's canvas, or makes memory for it on the device, and binds it
 * in place of the target. Gaps between scopes show its background. Does nothing
 * if the plan has no canvas.
 *
 * Returns: FALSE with CALL. Release the planes either way. */
gboolean amphisto_cl_planes_add_canvas (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error);

/* Enqueues commands, on the download queue, that make the written planes and
 * the canvas visible to the host once the frame is done. Imported planes are
 * mapped. Of copied planes, whole rows are downloaded, but nothing between the
 * rows.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_planes_map_or_download (
    AmphistoClPlanes *self, const AmphistoJob *job, GError **error);

/* Returns: as a mask, the planes that the host copies while the device works:
 * planes that the plan does not write, if the target is not the source. The
 * targets must be added. */
guint amphisto_cl_planes_find_unwritten (
    const AmphistoClPlanes *self, const AmphistoJob *job);

/* Copies the planes in the mask from source to target; helpers take a part.
 * `is_last`: the frame has no kernel after it. */
void amphisto_cl_planes_copy (const AmphistoClPlanes *self,
    const AmphistoJob *job, guint planes, gboolean is_last);

/* Whether planes are mapped, so that the frame has to unmap them when it is
 * done. */
gboolean amphisto_cl_planes_are_mapped (const AmphistoClPlanes *self);

/* Unmaps the planes that are still mapped, and waits until the device no longer
 * uses their memory. The frame must be done.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_planes_unmap (AmphistoClPlanes *self, GError **error);

/* Releases the frame's planes. The frame must not be in flight. */
void amphisto_cl_planes_release (AmphistoClPlanes *self);
