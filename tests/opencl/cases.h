/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames on a device, in place and from one to another, compared with the C
 * reference.
 */

#pragma once

#include "core/reference.h"
#include "opencl/frame/executor.h"
#include "frames.h"

/* How a device is used, regardless of its own properties. */
typedef struct
{
  const char *name;
  AmphistoClShape shape;
  gboolean shares_host_memory;
} Path;

/* Maximum number of regions of interest. */
#define MAX_REGIONS 90

/* A frame and the work on it. */
typedef struct
{
  GstVideoFormat format;
  guint width;
  guint height;
  GstVideoColorRange range;
  GstVideoColorMatrix matrix; /* unknown: the format's */
  gboolean has_fields;        /* in a stream that may be interlaced */
  gboolean is_interlaced;
  gboolean has_all_rows; /* of both fields */
  guint pixel_aspect;    /* see AmphistoLayout */
  FramePattern pattern;
  guint32 seed;
  FramePlacement source; /* alignment 0: of 16 bytes */
  FramePlacement target;
  gboolean in_place; /* if the plan can */
  AmphistoSettings settings;
  AmphistoRegion regions[MAX_REGIONS];
  guint n_regions;
  /* stride of the source's planes with one row; 0: as placed */
  guint short_stride;
  gboolean counts_in_one_group; /* for the waveform */
  gboolean is_prepared;         /* same plan as the previous case */
  gboolean resets_mean;
  gboolean resets_budget;
  gboolean resets_scale;
  gboolean resets_comparison;
  gboolean resets_picture; /* even if the comparison goes on */
  guint phase;
} Case;

/* A device with a path, and the reference's state between frames. */
typedef struct
{
  const Path *path;
  AmphistoClExecutor *executor;
  AmphistoReferenceState state;
  guint32 turn; /* random; 0: takes every turn */
} CaseRunner;

typedef enum
{
  CASES_SMALL,
  CASES_KERNELS, /* little depends on how frames are in memory: in the quick
                  * size, as CASES_SLOW */
  CASES_SLOW,    /* for the C reference: one path of each shape, imported in one
                  * and copied in the other */
  CASES_LARGE    /* the same; without devices that end long loops too early */
} CaseSize;

typedef void (*CaseFunc) (CaseRunner *self);

/* Adds a test for each path, "/PREFIX" and the path's name, with one frame in
 * flight. Tests are skipped without a device. */
void case_add_tests (const char *prefix, CaseFunc test, CaseSize size);

/* Replaces the executor by one for `n_frames` in flight and at most
 * `constant_memory` bytes of constant memory, and forgets all frames. */
void case_restart (CaseRunner *self, guint n_frames, gsize constant_memory);

/* The same on a device that has not built anything, with one frame in flight.
 */
void case_reopen (CaseRunner *self);

/* A case in flight, and the expected result. */
typedef struct
{
  Case c;
  AmphistoPlan plan;
  AmphistoJob job;
  guint slot;        /* set by the caller: of the frames in flight */
  TestFrame *source; /* owned, like the others */
  TestFrame *target;
  TestFrame *expected_source;
  TestFrame *expected_target;
  TestFrame *canvas; /* NULL: the plan has none */
  TestFrame *expected_canvas;
  AmphistoHistograms histograms;
  AmphistoHistograms regions[MAX_REGIONS];
} CaseJob;

/* Submits the case. Clear `job` when it is finished, also after a failure.
 *
 * Returns: FALSE if a call failed. */
gboolean case_begin (
    CaseRunner *self, const Case *c, CaseJob *job, GError **error);

/* Finishes the case that was submitted first, which must be the job's, and
 * aborts like case_try().
 *
 * Returns: FALSE if a call failed. */
gboolean case_end (CaseRunner *self, CaseJob *job, GError **error);

void case_job_clear (CaseJob *job);

/* Runs the case, and aborts if its histograms or pixels differ from the
 * reference's, or if another byte changes.
 *
 * Returns: FALSE if a call failed. */
gboolean case_try (CaseRunner *self, const Case *c, GError **error);

/* The same; no call may fail. */
void case_check (CaseRunner *self, const Case *c);

/* In the full size, the two paths of a shape may take turns, at random: they
 * run the same kernels, and differ in how frames get to them.
 *
 * Returns: whether the next case is this path's. */
gboolean case_takes_turn (CaseRunner *self);

/* Checks the case if it is this path's turn. */
void case_check_in_turn (CaseRunner *self, const Case *c);
