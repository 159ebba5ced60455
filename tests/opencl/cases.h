/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames on a device, in place and from one to another, held against the C
 * reference.
 */

#ifndef CASES_H
#define CASES_H

#include "core/reference.h"
#include "opencl/frame.h"
#include "frames.h"

/* How a device is used, whatever its own way is. */
typedef struct
{
  const char *name;
  AmphistoClShape shape;
  gboolean shares_host_memory;
} Path;

/* Regions of interest, at most. */
#define MAX_REGIONS 90

/* One frame and what is done with it. */
typedef struct
{
  GstVideoFormat format;
  guint width;
  guint height;
  GstVideoColorRange range;
  gboolean has_fields; /* of a stream that may be interlaced */
  gboolean is_interlaced;
  FramePattern pattern;
  guint32 seed;
  FramePlacement source;
  FramePlacement target;
  gboolean in_place;
  AmphistoSettings settings;
  AmphistoRegion regions[MAX_REGIONS];
  guint n_regions;
  /* stride of the source's planes of one row; 0: as placed */
  guint short_stride;
  gboolean counts_in_one_group; /* the waveform */
  gboolean is_prepared;         /* the plan is the one of the case before */
  gboolean resets_mean;
  gboolean resets_scale;
  guint phase;
} Case;

/* Adds a test for each path, which it gets as its data: "/PREFIX" and the
 * path's name. */
void case_add_tests (const char *prefix, GTestDataFunc test);

/* Returns: (transfer full): a new object on the default device, used that way,
 * for `n_frames` in flight, with constant memory of `constant_memory` bytes at
 * most; NULL where the test is skipped. */
AmphistoClFrame *case_frame_new (
    const Path *path, guint n_frames, gsize constant_memory);

/* A case that is in flight, and what is expected of it. */
typedef struct
{
  Case c;
  AmphistoPlan plan;
  AmphistoJob job;
  guint slot;        /* set by the caller: of the frames in flight */
  TestFrame *source; /* owned, as the others */
  TestFrame *target;
  TestFrame *expected_source;
  TestFrame *expected_target;
  AmphistoHistograms histograms;
  AmphistoHistograms regions[MAX_REGIONS];
} CaseJob;

/* Submits the case. Clear `job`, also after a failure, once it is done.
 *
 * Returns: FALSE if a call failed. */
gboolean case_begin (
    AmphistoClFrame *self, const Case *c, CaseJob *job, GError **error);

/* Finishes the case that was submitted first, which is the job's, and aborts as
 * case_try() does.
 *
 * Returns: FALSE if a call failed. */
gboolean case_end (AmphistoClFrame *self, CaseJob *job,
    AmphistoReferenceState *state, GError **error);

void case_job_clear (CaseJob *job);

/* Runs the case, and aborts if its histograms or pixels are not the
 * reference's, or if another byte changes. `state`: what the reference keeps
 * from frame to frame.
 *
 * Returns: FALSE if a call failed. */
gboolean case_try (AmphistoClFrame *self, const Case *c,
    AmphistoReferenceState *state, GError **error);

/* The same; no call may fail. */
void case_check (
    AmphistoClFrame *self, const Case *c, AmphistoReferenceState *state);

#endif
