/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Equalization of a frame's planes on the device.
 */

#ifndef AMPHISTO_OPENCL_EQUALIZE_H
#define AMPHISTO_OPENCL_EQUALIZE_H

#include "opencl/clahe.h"
#include "opencl/planes.h"
#include "opencl/smooth.h"
#include "core/work.h"

typedef struct
{
  /*< private >*/
  AmphistoClQueue *queue;
  AmphistoClSmooth smooth;
  cl_mem lut;
  cl_uint reference[AMPHISTO_BINS]; /* what reference_buffer holds */
  cl_mem reference_buffer;
  AmphistoClClahe clahe;
} AmphistoClEqualize;

/* `params` will hold the frame's parameters. `queue` must outlive it.
 *
 * Returns: FALSE with CALL; to be cleared either way. */
gboolean amphisto_cl_equalize_init (AmphistoClEqualize *self,
    AmphistoClQueue *queue, cl_mem params, GError **error);

/* Nothing may be in flight. */
void amphisto_cl_equalize_clear (AmphistoClEqualize *self);

/* After a failure, when nothing is in flight: what the buffers hold is not
 * known. */
void amphisto_cl_equalize_forget (AmphistoClEqualize *self);

/* Says in `params` how frames of the layout are equalized. */
void amphisto_cl_equalize_fill_params (frame_params *params,
    const AmphistoLayout *layout, const AmphistoWork *work);

/* Enqueues the equalization, if there is to be one, of planes of the layout by
 * `bins`, of which those of luma are the first.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_equalize_enqueue (AmphistoClEqualize *self,
    const AmphistoLayout *layout, const AmphistoWork *work,
    const AmphistoClPlanes *planes, cl_mem bins, GError **error);

#endif
