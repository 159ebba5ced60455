/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "crowd.h"

#define MAX_MEMBERS 16

typedef struct
{
  Contender parent;
  Contender *members[MAX_MEMBERS];
  guint n_members;
} Crowd;

typedef struct
{
  Contender *member;
  guint n_frames;
} Batch;

static gpointer
run_batch (gpointer data)
{
  const Batch *batch = data;

  batch->member->run (batch->member, batch->n_frames);
  return NULL;
}

static gdouble
crowd_run (Contender *contender, guint n_frames)
{
  Crowd *self = (Crowd *) contender;
  const gint64 start = g_get_monotonic_time ();
  GThread *threads[MAX_MEMBERS];
  Batch batches[MAX_MEMBERS];

  for (guint i = 0; i < self->n_members; i++) {
    batches[i] = (Batch){ self->members[i], n_frames };
    threads[i] = g_thread_new ("pipeline", run_batch, &batches[i]);
  }
  for (guint i = 0; i < self->n_members; i++)
    g_thread_join (threads[i]);
  return bench_seconds_since (start);
}

static void
crowd_free (Contender *contender)
{
  Crowd *self = (Crowd *) contender;

  for (guint i = 0; i < self->n_members; i++)
    contender_free (self->members[i]);
  g_free (self);
}

Contender *
crowd_new (Contender *const *members, guint n)
{
  Crowd *self = g_new0 (Crowd, 1);

  g_assert (n <= MAX_MEMBERS);
  self->parent = (Contender){ .run = crowd_run, .free = crowd_free };
  self->n_members = n;
  for (guint i = 0; i < n; i++)
    self->members[i] = members[i];
  return &self->parent;
}
