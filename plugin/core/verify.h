/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The CPU's word against the device's.
 */

#ifndef AMPHISTO_CORE_VERIFY_H
#define AMPHISTO_CORE_VERIFY_H

#include "core/histogram.h"
#include "core/reference.h"

/* A frame as it was before the device had it. */
typedef struct
{
  AmphistoFrame frame;
  uint8_t *memory; /* owned; NULL where there was not enough */
} AmphistoVerifyCopy;

/* Copies `frame`, whose layout must outlive the copy. */
AmphistoVerifyCopy amphisto_verify_copy_new (const AmphistoFrame *frame);
void amphisto_verify_copy_clear (AmphistoVerifyCopy *copy);

/* Whether `histograms` are those of the region, which is within the frame, of
 * `before`; else `text`, of `size` bytes,
 * says where they differ. */
bool amphisto_verify_histograms (const AmphistoFrame *before,
    const AmphistoRegion *region, const AmphistoHistograms *histograms,
    char *text, size_t size);

/* Whether the job's target, after the device's work, is what becomes of
 * `before`, a copy of its source from before that. If not, `text`, of `size`
 * bytes, says where they differ, or that memory has run out. Moves `state` on.
 */
bool amphisto_verify_pixels (const AmphistoJob *job,
    const AmphistoFrame *before, AmphistoReferenceState *state, char *text,
    size_t size);

#endif
