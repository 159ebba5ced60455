/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A model of GstAmphisto:expect at EOS: which conditions no frame has met since
 * the start, or since they were set.
 */

#pragma once

#include "checks.h"

#define FUZZ_MAX_CONDITIONS 32

/* All-zero at the start. */
typedef struct
{
  gchar text[1024];
  guint n_frames; /* since the text was set */
  struct
  {
    guint n_tested;
    gboolean was_met;
    gboolean fails;      /* since the last frame that tested it */
    gboolean is_unknown; /* too near to tell, or not modelled */
  } condition[FUZZ_MAX_CONDITIONS];
} FuzzExpectations;

/* Adds a frame that came out, and the comparison in its metadata. */
void fuzz_expectations_add_frame (FuzzExpectations *self,
    const FuzzFrame *frame, const FuzzComparison *comparison);

/* No condition fails any more. */
void fuzz_expectations_flush (FuzzExpectations *self);

/* Checks what was posted at EOS. `text`: the property's value. `messages`: of
 * amphisto-expect. `error`: NULL: none.
 *
 * Returns: (transfer full): a description of the failure, or NULL. */
gchar *fuzz_expectations_check_end (FuzzExpectations *self, const gchar *text,
    gboolean is_error, const GPtrArray *messages, const gchar *error);
