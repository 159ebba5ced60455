/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Graticules on the device: drawn by the host when a plan is made ready.
 */

#ifndef AMPHISTO_OPENCL_GRATICULE_H
#define AMPHISTO_OPENCL_GRATICULE_H

#include "core/graticule.h"
#include "opencl/queue.h"

/* Uploads the light of all pixels, a word each, and binds the buffer to `arg`.
 * Clears the graticule.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_graticule_upload (AmphistoClQueue *queue,
    AmphistoClParams *buffer, AmphistoClArg arg, AmphistoGraticule *graticule,
    GError **error);

/* Returns: FALSE with CALL: the host has no memory to draw a graticule in. */
gboolean amphisto_cl_graticule_set_no_memory (GError **error);

#endif
