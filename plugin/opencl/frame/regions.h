/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The histograms of regions of interest: a launch for as many of them as the
 * device has constant memory for.
 */

#pragma once

#include "core/measure/histogram.h"
#include "opencl/frame/planes.h"

/* All-zero at first. Buffers are kept for the next frames. */
typedef struct
{
  /*< private >*/
  AmphistoClReserve bins;
  AmphistoClReserve params;
  /* transfer memory of each frame in flight: the parameters, and the bins by
   * region and slot */
  struct
  {
    AmphistoClHost *params;
    AmphistoClHost *read;
  } transfers[AMPHISTO_CL_MAX_FRAMES];
} AmphistoClRegions;

/* Enqueues the measurement of the job's regions, in entry `index`, if the plan
 * measures them. The sources are added.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_regions_enqueue (AmphistoClRegions *self,
    AmphistoClLauncher *launcher, guint index, const AmphistoClPlanes *planes,
    const AmphistoJob *job, GError **error);

/* Stores the histograms of the job in entry `index`, which is done, one for
 * each region. */
void amphisto_cl_regions_collect (const AmphistoClRegions *self, guint index,
    const AmphistoJob *job, AmphistoHistograms *histograms);

/* Releases everything. No frame may be in flight. */
void amphisto_cl_regions_clear (AmphistoClRegions *self);
