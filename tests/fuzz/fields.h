/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The fields of a channel, and of `picture`, in metadata, messages and
 * conditions: a row for each, with its model.
 */

#pragma once

#include "checks.h"

/* The samples of a channel in the selected part of a frame; of `picture`,
 * without channel and bins. */
typedef struct
{
  const FuzzFrame *frame;
  const FuzzChannel *channel;
  guint32 bins[256];
} FuzzSamples;

typedef struct
{
  const gchar *name; /* NULL: no more rows */
  GType type;
  gdouble (*value) (const FuzzSamples *self); /* NAN: there is none */
  gboolean is_rounded;                        /* may differ by rounding */
  gboolean is_comparison;                     /* not of regions of interest */
} FuzzField;

extern const FuzzField fuzz_channel_fields[];
extern const FuzzField fuzz_picture_fields[];

/* The smallest value v that occurs such that at least `percent` of the samples
 * are at or below v. */
guint fuzz_percentile (const guint32 bins[256], gdouble percent);
