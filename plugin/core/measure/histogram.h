/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "core/measure/picture.h"

/* How far luma of a frame is from luma of the previous one. */
typedef struct
{
  bool has_previous; /* false: the others are undefined */
  double difference; /* mean absolute difference of samples at the same
                      * positions, 0 to 255 */
  double distance;   /* area between the CDFs, 0 to 255 */
} AmphistoComparison;

/* Histograms of a frame. bins[c] is channel c's; it is undefined unless c is in
 * `channels`. */
typedef struct
{
  AmphistoChannelMask channels;
  uint32_t bins[AMPHISTO_N_CHANNELS][AMPHISTO_N_BINS];
  AmphistoComparison comparison;
  AmphistoPicture picture;
} AmphistoHistograms;

/* Stores the histogram of one of the layout's channels: the reference for
 * cl/measure/histogram.cl. */
void amphisto_histogram_count (const AmphistoFrame *frame,
    AmphistoChannel channel, uint32_t bins[AMPHISTO_N_BINS]);
