/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * CLAHE of a frame's planes on the device.
 */

#ifndef AMPHISTO_OPENCL_CLAHE_H
#define AMPHISTO_OPENCL_CLAHE_H

#include "core/clahe.h"
#include "opencl/planes.h"
#include "opencl/smooth.h"

typedef struct
{
  /*< private >*/
  AmphistoClQueue *queue;
  clahe_params params; /* what params_buffer holds */
  cl_mem params_buffer;
  AmphistoClReserve parts;  /* bins of parts of tiles */
  AmphistoClReserve bins;   /* AMPHISTO_BINS a tile */
  AmphistoClReserve means;  /* of the bins over time, floats */
  AmphistoClReserve tables; /* AMPHISTO_BINS words where tiles meet */
} AmphistoClClahe;

/* `params` will hold the frame's parameters. `queue` must outlive it.
 *
 * Returns: FALSE with CALL; to be cleared either way. */
gboolean amphisto_cl_clahe_init (AmphistoClClahe *self, AmphistoClQueue *queue,
    cl_mem params, GError **error);

/* Nothing may be in flight. */
void amphisto_cl_clahe_clear (AmphistoClClahe *self);

/* After a failure: what the parameters' buffer holds is not known. */
void amphisto_cl_clahe_forget (AmphistoClClahe *self);

/* Says in `params`, in which luma is to be counted, that it is not where the
 * tiles will be added up instead, which they are not if anything is smoothed.
 */
void amphisto_cl_clahe_fill_params (frame_params *params,
    const AmphistoLayout *layout, const AmphistoClahe *clahe, gboolean smooths);

/* Enqueues the equalization of planes of the layout, if that is not empty: by
 * the mean of the tiles' bins over time if `smooth`, where luma's mean has
 * moved on, is not NULL. Else `bins` get those of luma if they have not got
 * them.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_clahe_enqueue (AmphistoClClahe *self,
    const AmphistoLayout *layout, const AmphistoClahe *clahe,
    const AmphistoClPlanes *planes, cl_mem bins, AmphistoClSmooth *smooth,
    GError **error);

#endif
