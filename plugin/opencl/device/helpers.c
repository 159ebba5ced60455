/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/device/helpers.h"

/* How long a thread waits for another one before it sleeps. Waking it takes up
 * to 50 microseconds on virtual machines, as long as a kernel that makes a LUT.
 */
#define AWAKE_TIME 50

/* On the stack of the thread that shares it. */
typedef struct
{
  AmphistoClPartFunc func;
  gpointer data;
  guint n_parts;
  guint n_threads; /* at most */
  gboolean is_last;
  gint n_taken;   /* atomic; parts */
  guint n_joined; /* helpers, since the beginning */
  gint n_helpers; /* atomic; at work */
} Job;

struct _AmphistoClHelpers
{
  guint n_cores;
  gint n_busy;   /* atomic; threads at work */
  gint n_posted; /* atomic; jobs, so far */

  GMutex lock; /* protects the fields below, and the list's jobs */
  GCond posted;
  GCond left; /* a job has no helper any more */
  GSList *jobs;
  GPtrArray *threads;
  guint n_awake; /* helpers that wait for a job without sleeping */
  guint n_helping;
  gboolean is_exiting;
};

AmphistoClHelpers *
amphisto_cl_helpers_new (guint n_cores)
{
  AmphistoClHelpers *self = g_new0 (AmphistoClHelpers, 1);

  self->n_cores = n_cores;
  self->threads = g_ptr_array_new ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->posted);
  g_cond_init (&self->left);
  return self;
}

void
amphisto_cl_helpers_free (AmphistoClHelpers *self)
{
  g_mutex_lock (&self->lock);
  self->is_exiting = TRUE;
  g_cond_broadcast (&self->posted);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < self->threads->len; i++)
    g_thread_join (g_ptr_array_index (self->threads, i));
  g_ptr_array_unref (self->threads);
  g_cond_clear (&self->left);
  g_cond_clear (&self->posted);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
amphisto_cl_helpers_begin (AmphistoClHelpers *self)
{
  g_atomic_int_inc (&self->n_busy);
}

void
amphisto_cl_helpers_end (AmphistoClHelpers *self)
{
  g_atomic_int_add (&self->n_busy, -1);
}

/* --- jobs --- */

/* Takes a thread's share of the parts that are left: many at first, then fewer,
 * so that all threads end at about the same time.
 *
 * Returns: the number of parts, 0 if none is left. */
static guint
take_parts (Job *job, guint *first)
{
  guint n, left;

  do {
    *first = (guint) g_atomic_int_get (&job->n_taken);
    left = job->n_parts - *first;
    n = (left + job->n_threads - 1) / job->n_threads;
  } while (n > 0
      && !g_atomic_int_compare_and_exchange (
          &job->n_taken, (gint) *first, (gint) (*first + n)));
  return n;
}

static void
work (Job *job, guint lane)
{
  guint first, n;

  while ((n = take_parts (job, &first)) > 0)
    job->func (job->data, lane, first, n);
}

/* Waits, awake, until *value is not `old` any more, or for AWAKE_TIME. */
static void
wait_awake (gint *value, gint old)
{
  const gint64 end = g_get_monotonic_time () + AWAKE_TIME;

  while (g_atomic_int_get (value) == old && g_get_monotonic_time () < end)
    g_thread_yield ();
}

/* --- helpers; call with the lock held --- */

/* Returns: a job that may have another helper, or NULL. */
static Job *
find_job (AmphistoClHelpers *self)
{
  for (GSList *link = self->jobs; link != NULL; link = link->next) {
    Job *job = link->data;

    if (job->n_joined + 1 < job->n_threads
        && (guint) g_atomic_int_get (&job->n_taken) < job->n_parts)
      return job;
  }
  return NULL;
}

/* Returns: whether another job will follow soon. */
static gboolean
help_with (AmphistoClHelpers *self, Job *job)
{
  const guint lane = ++job->n_joined;
  const gboolean is_last = job->is_last;

  g_atomic_int_inc (&job->n_helpers);
  self->n_helping++;
  g_mutex_unlock (&self->lock);
  g_atomic_int_inc (&self->n_busy);
  work (job, lane);
  g_atomic_int_add (&self->n_busy, -1);
  g_mutex_lock (&self->lock);
  self->n_helping--;
  /* with the lock, so that the job's thread keeps the job until here */
  if (g_atomic_int_dec_and_test (&job->n_helpers))
    g_cond_broadcast (&self->left);
  return !is_last;
}

static void
await_next (AmphistoClHelpers *self)
{
  const gint n_posted = g_atomic_int_get (&self->n_posted);

  self->n_awake++;
  g_mutex_unlock (&self->lock);
  wait_awake (&self->n_posted, n_posted);
  g_mutex_lock (&self->lock);
  self->n_awake--;
}

static gpointer
help (gpointer data)
{
  AmphistoClHelpers *self = data;
  gboolean expects_job = FALSE;

  g_mutex_lock (&self->lock);
  while (!self->is_exiting) {
    Job *job = find_job (self);

    if (job != NULL) {
      expects_job = help_with (self, job);
    } else if (expects_job) {
      await_next (self);
      expects_job = FALSE;
    } else {
      g_cond_wait (&self->posted, &self->lock);
    }
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* Makes n helpers look for a job: starts missing threads, wakes sleeping ones.
 */
static void
call_helpers (AmphistoClHelpers *self, guint n)
{
  const guint n_wanted = MIN (self->n_helping + n, self->n_cores - 1);

  while (self->threads->len < n_wanted) {
    GThread *thread = g_thread_try_new ("amphisto-helper", help, self, NULL);

    if (thread == NULL)
      break;
    g_ptr_array_add (self->threads, thread);
  }
  for (guint i = self->n_awake; i < n; i++)
    g_cond_signal (&self->posted);
}

/* --- sharing --- */

static void
post (AmphistoClHelpers *self, Job *job)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&self->lock);

  self->jobs = g_slist_prepend (self->jobs, job);
  g_atomic_int_inc (&self->n_posted);
  call_helpers (self, job->n_threads - 1);
}

/* Waits for the helpers that are still at work. */
static void
withdraw (AmphistoClHelpers *self, Job *job)
{
  g_mutex_lock (&self->lock);
  self->jobs = g_slist_remove (self->jobs, job);
  g_mutex_unlock (&self->lock);
  for (gint n = g_atomic_int_get (&job->n_helpers); n > 0; n--)
    wait_awake (&job->n_helpers, n);
  g_mutex_lock (&self->lock);
  while (g_atomic_int_get (&job->n_helpers) > 0)
    g_cond_wait (&self->left, &self->lock);
  g_mutex_unlock (&self->lock);
}

void
amphisto_cl_helpers_share (AmphistoClHelpers *self, guint n_threads,
    guint n_parts, AmphistoClPartFunc func, gpointer data, gboolean is_last)
{
  const gint n_idle = (gint) self->n_cores - g_atomic_int_get (&self->n_busy);
  Job job = { .func = func,
    .data = data,
    .n_parts = n_parts,
    .n_threads = MIN (MIN (n_threads, n_parts), (guint) MAX (n_idle, 0) + 1),
    .is_last = is_last };

  if (job.n_threads > 1)
    post (self, &job);
  work (&job, 0);
  if (job.n_threads > 1)
    withdraw (self, &job);
}
