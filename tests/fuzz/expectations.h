/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A model of GstAmphisto:expect: the messages that each frame and EOS cause,
 * and the error at EOS. All checks end with fuzz_fail().
 */

#pragma once

#include "checks.h"

#define FUZZ_MAX_CONDITIONS 32

/* A condition over time. Values and times stay when a failure ends. */
typedef struct
{
  guint n_tested;
  gboolean was_met;
  gboolean is_unknown; /* too near to tell, or not a condition */

  gboolean fails; /* since the last frame that met it */
  gboolean is_reported, last_failed;
  gdouble value; /* of the failure's first frame, like its times */
  GstClockTime timestamp, stream_time, running_time;
  GstClockTime elapsed;  /* to the start of the last frame */
  GstClockTime duration; /* to its end */
} FuzzCondition;

/* All-zero at the start. */
typedef struct
{
  gchar text[1024];
  guint n_frames; /* since the text was set */
  FuzzCondition condition[FUZZ_MAX_CONDITIONS];
} FuzzExpectations;

/* Adds a frame that came out. Checks the messages, of amphisto-expect, that
 * were posted for it. */
void fuzz_expectations_add_frame (
    FuzzExpectations *self, const FuzzFrame *frame, const GPtrArray *messages);

/* No condition fails any more. */
void fuzz_expectations_flush (FuzzExpectations *self);

/* Checks what was posted at EOS. `text`: the property's value. `error`: NULL:
 * none. */
void fuzz_expectations_check_end (FuzzExpectations *self, const gchar *text,
    gboolean is_error, const GPtrArray *messages, const gchar *error);
