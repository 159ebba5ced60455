/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Checks the device's results against the reference.
 */

#pragma once

#include "core/measure/histogram.h"
#include "core/reference.h"

/* A copy of a frame, made before the device changes it. */
typedef struct
{
  AmphistoFrame frame;
  uint8_t *memory; /* owned; NULL if memory ran out */
} AmphistoVerifyCopy;

/* Copies `frame`, whose layout must outlive the copy. */
AmphistoVerifyCopy amphisto_verify_copy_new (const AmphistoFrame *frame);
void amphisto_verify_copy_clear (AmphistoVerifyCopy *copy);

/* Whether `histograms` are those of these channels in the region of interest,
 * which must be within the frame. If not, describes the first difference in
 * `text`, of `size` bytes. */
bool amphisto_verify_region (const AmphistoFrame *before,
    const AmphistoRegion *region, AmphistoChannelMask channels,
    const AmphistoHistograms *histograms, char *text, size_t size);

typedef enum
{
  AMPHISTO_VERIFY_EQUAL,
  AMPHISTO_VERIFY_DIFFERENT,
  AMPHISTO_VERIFY_NO_MEMORY
} AmphistoVerifyResult;

/* Carries out the job again, on `before`, a copy of the source made before the
 * device's work, and updates `state`. Compares `histograms`, with the
 * comparison with the previous frame and the picture, and the job's target and
 * canvas, as the device left them. Describes the first difference in `text`, of
 * `size` bytes, and otherwise leaves it alone. */
AmphistoVerifyResult amphisto_verify_job (const AmphistoJob *job,
    const AmphistoFrame *before, const AmphistoHistograms *histograms,
    AmphistoReferenceState *state, char *text, size_t size);
