/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/frame/executor.h"
#include "opencl/device/log.h"
#include "opencl/frame/bins.h"
#include "opencl/frame/planes.h"
#include "opencl/frame/regions.h"
#include "opencl/run/stages.h"

/* Bytes of the first plane: commands are held back for frames of at least this
 * size. */
#define MIN_HELD (128 * 128)

/* Microseconds between frames after which cores are cold. A live stream of 30
 * frames a second pauses for most of 33 ms. */
#define LONG_PAUSE 5000
/* As many frames in a row change the pace. */
#define N_OTHERWISE 8

/* Bytes of local memory: for the smallest part of its plane that the
 * vectorscope can count in, and for the driver. Histograms need less; other
 * kernels are checked when they are made. */
#define MIN_LOCAL_MEMORY (8 * 1024 + AMPHISTO_CL_SPARE_LOCAL_MEMORY)

/* An entry for a frame in flight. Its buffers are kept for the next frame. */
typedef struct
{
  const AmphistoJob *job; /* NULL: free */
  AmphistoClPlanes planes;
  AmphistoClParams params[AMPHISTO_CL_N_ARGS];
  cl_event done; /* or NULL */
} Entry;

struct _AmphistoClExecutor
{
  GMutex lock; /* protects the fields below, except the entry, bins and regions
                * of a frame that is finished */
  AmphistoClLauncher launcher;
  AmphistoClStages stages;
  AmphistoClBins bins;
  AmphistoClRegions regions;
  gboolean is_ready;  /* for the next job's plan */
  gboolean is_broken; /* buffers have unknown contents, and must be released */
  Entry *entries;     /* launcher.n_frames of them; owned */

  /* of the thread that plans and submits */
  gint64 idle_since;     /* monotonic time when the last frame was submitted */
  gboolean is_cold;      /* frames come after pauses */
  gboolean plan_is_cold; /* is_cold, as the last plan had it */
  guint n_otherwise;     /* last frames that came otherwise than is_cold says */
};

static gboolean
check_limits (AmphistoClDevice *device, GError **error)
{
  const gboolean is_gpu_shape = device->shape == AMPHISTO_CL_SHAPE_GPU;
  const struct
  {
    const char *what;
    gsize size;
    const char *unit;
    gsize needed;
  } limits[] = {
    { "constant buffers", device->constant_memory, "bytes",
        amphisto_cl_stages_max_params () },
    { "work-groups", device->max_work_group, "work-items",
        AMPHISTO_CL_GROUP_SIZE },
    { "local memory", device->local_memory, "bytes",
        is_gpu_shape ? MIN_LOCAL_MEMORY : 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    if (limits[i].size < limits[i].needed) {
      g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_BUILD,
          "\"%s\" has %s of %" G_GSIZE_FORMAT " %s; the kernels need "
          "%" G_GSIZE_FORMAT ".",
          device->name, limits[i].what, limits[i].size, limits[i].unit,
          limits[i].needed);
      return FALSE;
    }
  return TRUE;
}

AmphistoClExecutor *
amphisto_cl_executor_new (AmphistoClDevice *device, guint n_frames,
    AmphistoClBuildFunc on_build, gpointer user_data, GError **error)
{
  AmphistoClExecutor *self;

  if (!check_limits (device, error))
    return NULL;
  self = g_new0 (AmphistoClExecutor, 1);
  g_mutex_init (&self->lock);
  self->entries = g_new0 (Entry, n_frames);
  for (guint i = 0; i < n_frames; i++)
    amphisto_cl_planes_init (&self->entries[i].planes, &self->launcher);
  if (!amphisto_cl_launcher_init (
          &self->launcher, device, n_frames, on_build, user_data, error))
    g_clear_pointer (&self, amphisto_cl_executor_free);
  return self;
}

void
amphisto_cl_executor_limit_threads (AmphistoClExecutor *self, guint n_threads)
{
  amphisto_cl_launcher_limit_threads (&self->launcher, n_threads);
}

void
amphisto_cl_executor_plan (AmphistoClExecutor *self, AmphistoPlan *plan,
    const AmphistoLayout *layout, const AmphistoSettings *settings)
{
  AmphistoDivision division =
      amphisto_cl_launcher_division (&self->launcher, 1);
  guint n_threads;

  self->plan_is_cold = self->is_cold;
  amphisto_plan_init (plan, layout, settings, &division);
  if (division.is_gpu_shape)
    return;
  n_threads = amphisto_cl_stages_threads (plan, self->is_cold);
  AMPHISTO_CL_LOG (DEBUG, "threads that pay for a frame%s: %u",
      self->is_cold ? " after a pause" : "", n_threads);
  if (n_threads == 1)
    return;
  division = amphisto_cl_launcher_division (&self->launcher, n_threads);
  amphisto_plan_init (plan, layout, settings, &division);
}

/* Notes whether the frame comes after a pause. Call it only if there are
 * helpers: otherwise the driver has its own threads, and may still be at work
 * on the frame before. */
static void
note_pace (AmphistoClExecutor *self)
{
  const gboolean has_paused =
      g_get_monotonic_time () - self->idle_since > LONG_PAUSE;

  self->n_otherwise = has_paused == self->is_cold ? 0 : self->n_otherwise + 1;
  if (self->n_otherwise == N_OTHERWISE) {
    self->is_cold = has_paused;
    self->n_otherwise = 0;
  }
}

gboolean
amphisto_cl_executor_has_other_pace (
    const AmphistoClExecutor *self, const AmphistoPlan *plan)
{
  guint n_threads;

  if (self->is_cold == self->plan_is_cold || plan->division.is_gpu_shape)
    return FALSE;
  n_threads = amphisto_cl_stages_threads (plan, self->is_cold);
  return amphisto_cl_launcher_division (&self->launcher, n_threads).n_groups
      != plan->division.n_groups;
}

const AmphistoDivision *
amphisto_cl_executor_division (const AmphistoClExecutor *self)
{
  return &self->launcher.division;
}

/* The frame must be done. */
static void
release_entry (Entry *entry)
{
  amphisto_cl_planes_release (&entry->planes);
  amphisto_cl_event_clear (&entry->done);
  entry->job = NULL;
}

/* No command may be in flight. */
static void
release_all (AmphistoClExecutor *self)
{
  for (guint i = 0; i < self->launcher.n_frames; i++) {
    Entry *entry = &self->entries[i];

    release_entry (entry);
    amphisto_cl_planes_clear (&entry->planes);
    for (guint p = 0; p < AMPHISTO_CL_N_ARGS; p++)
      amphisto_cl_params_clear (&entry->params[p]);
  }
  amphisto_cl_stages_clear (&self->stages);
  amphisto_cl_bins_clear (&self->bins);
  amphisto_cl_regions_clear (&self->regions);
  self->is_ready = FALSE;
  self->is_broken = FALSE;
}

/* Waits for all commands, which may still use the buffers. */
static void
wait_for_all (AmphistoClExecutor *self)
{
  AmphistoClDevice *device = self->launcher.device;
  g_autoptr (GError) error = NULL;

  if (!amphisto_cl_launcher_finish (&self->launcher, &error)) {
    if (!amphisto_cl_device_is_lost (device))
      AMPHISTO_CL_LOG (WARNING, "waiting for \"%s\" failed: %s", device->name,
          error->message);
    amphisto_cl_device_mark_lost (device);
  }
}

/* After a failure, and to drop frames. */
static void
abandon (AmphistoClExecutor *self)
{
  wait_for_all (self);
  release_all (self);
}

/* After a frame could not be submitted. Other frames may still be in flight, so
 * the buffers that they share are released later. */
static void
abandon_entry (AmphistoClExecutor *self, Entry *entry)
{
  wait_for_all (self);
  release_entry (entry);
  self->is_ready = FALSE;
  self->is_broken = TRUE;
}

void
amphisto_cl_executor_free (AmphistoClExecutor *self)
{
  amphisto_cl_executor_drop (self);
  release_all (self);
  g_free (self->entries);
  amphisto_cl_launcher_clear (&self->launcher);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Waits for uploads: another plan, or the end, may come before a frame, and
 * free the host memory. Call with the lock held. */
static gboolean
prepare (AmphistoClExecutor *self, const AmphistoPlan *plan, GError **error)
{
  gboolean ok;

  if (self->is_broken)
    release_all (self);
  ok = amphisto_cl_bins_prepare (&self->bins, &self->launcher, error)
      && amphisto_cl_stages_prepare (
          &self->stages, &self->launcher, plan, error);
  self->is_ready = amphisto_cl_command_queue_finish (
                       self->launcher.uploads, ok ? error : NULL)
      && ok;
  if (!self->is_ready)
    abandon (self);
  return self->is_ready;
}

gboolean
amphisto_cl_executor_prepare (
    AmphistoClExecutor *self, const AmphistoPlan *plan, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&self->lock);

  return prepare (self, plan, error);
}

/* --- submit --- */

static gboolean
upload_params (AmphistoClExecutor *self, Entry *entry, GError **error)
{
  const AmphistoPlan *plan = entry->job->plan;
  plane_params unused[AMPHISTO_N_PLANES]; /* the legend has its own source */
  AmphistoParams params;

  amphisto_job_fill_params (entry->job, &params);
  amphisto_cl_planes_locate (
      &entry->planes, &plan->part, params.frame.source, params.frame.target);
  amphisto_cl_planes_locate (&entry->planes, &plan->drawn,
      params.exposure_drawing.source, params.exposure_drawing.target);
  if (amphisto_legend_is_drawn (&params.legend))
    amphisto_cl_planes_locate (&entry->planes, &params.legend.layout, unused,
        params.legend_drawing.target);
  if (amphisto_plan_has_canvas (plan))
    params.drawing.target[0] =
        amphisto_cl_planes_locate_canvas (&entry->planes);
  else
    amphisto_cl_planes_locate (&entry->planes, &plan->layout,
        params.drawing.source, params.drawing.target);
  return amphisto_cl_stages_upload_params (
      &self->stages, entry->params, &self->launcher, &params, error);
}

/* CPUs: a frame that keeps several cores busy does not start until all its
 * commands are enqueued, or until the host has to copy planes in between. */
static gboolean
hold_commands (
    const AmphistoClLauncher *launcher, const AmphistoJob *job, GError **error)
{
  const AmphistoPlaneLayout *plane = &job->plan->layout.plane[0];

  return launcher->division.is_gpu_shape || !launcher->device->can_hold
      || (gsize) plane->rows * plane->row_bytes < MIN_HELD
      || amphisto_cl_command_queue_hold (launcher->kernels, error);
}

static gboolean
enqueue_kernels (AmphistoClExecutor *self, Entry *entry, GError **error)
{
  AmphistoClLauncher *launcher = &self->launcher;
  const AmphistoJob *job = entry->job;

  return amphisto_cl_bins_next (&self->bins, launcher, job->plan, error)
      && amphisto_cl_stages_launch (
          &self->stages, launcher, job->plan, 0, AMPHISTO_STAGE_REGIONS, error)
      && amphisto_cl_regions_enqueue (&self->regions, launcher,
          entry - self->entries, &entry->planes, job, error)
      && amphisto_cl_planes_add_targets (&entry->planes, job, error)
      && amphisto_cl_stages_launch (&self->stages, launcher, job->plan,
          AMPHISTO_FIRST_WRITING_STAGE, AMPHISTO_STAGE_DRAW_SCOPES, error)
      && amphisto_cl_planes_add_canvas (&entry->planes, job, error)
      && amphisto_cl_stages_launch (&self->stages, launcher, job->plan,
          AMPHISTO_STAGE_DRAW_SCOPES, AMPHISTO_N_STAGES, error);
}

static gboolean
enqueue_frame (AmphistoClExecutor *self, Entry *entry, GError **error)
{
  const AmphistoClLauncher *launcher = &self->launcher;
  const AmphistoJob *job = entry->job;

  return hold_commands (launcher, job, error)
      && amphisto_cl_planes_add_sources (&entry->planes, job, error)
      && upload_params (self, entry, error)
      && amphisto_cl_command_queue_join (
          launcher->uploads, launcher->kernels, error)
      && enqueue_kernels (self, entry, error)
      && amphisto_cl_command_queue_join (
          launcher->kernels, launcher->downloads, error)
      && amphisto_cl_planes_map_or_download (&entry->planes, job, error)
      && amphisto_cl_bins_read (&self->bins, launcher, entry - self->entries,
          job->plan, &entry->done, error)
      && amphisto_cl_command_queue_flush (launcher->downloads, error);
}

void
amphisto_cl_executor_invalidate (AmphistoClExecutor *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&self->lock);

  self->is_ready = FALSE;
}

/* Call with the lock held. Some drivers of CPUs carry the job out in here. */
static gboolean
submit (AmphistoClExecutor *self, Entry *entry, const AmphistoJob *job,
    GError **error)
{
  g_return_val_if_fail (entry->job == NULL, FALSE);
  if (!self->is_ready && !prepare (self, job->plan, error))
    return FALSE;
  entry->job = job;
  if (enqueue_frame (self, entry, error))
    return TRUE;
  abandon_entry (self, entry);
  return FALSE;
}

gboolean
amphisto_cl_executor_submit (AmphistoClExecutor *self, guint index,
    const AmphistoJob *job, GError **error)
{
  AmphistoClHelpers *helpers = self->launcher.device->helpers;
  Entry *entry = &self->entries[index];
  guint unwritten = 0;
  gboolean ok;

  if (helpers != NULL) {
    note_pace (self);
    amphisto_cl_helpers_begin (helpers);
  }
  g_mutex_lock (&self->lock);
  ok = submit (self, entry, job, error);
  if (ok)
    unwritten = amphisto_cl_planes_find_unwritten (&entry->planes, job);
  g_mutex_unlock (&self->lock);
  /* the job may be dropped meanwhile */
  amphisto_cl_planes_copy (&entry->planes, job, unwritten, TRUE);
  if (helpers != NULL)
    amphisto_cl_helpers_end (helpers);
  self->idle_since = g_get_monotonic_time ();
  return ok;
}

/* --- finish --- */

/* Without the lock, as nothing is shared with a frame that is submitted
 * meanwhile; only planes that are still mapped have to wait for it. */
static gboolean
finish (AmphistoClExecutor *self, Entry *entry, GError **error)
{
  gboolean ok;

  if (!amphisto_cl_check (
          clWaitForEvents (1, &entry->done), "clWaitForEvents", error))
    return FALSE;
  if (!amphisto_cl_planes_are_mapped (&entry->planes))
    return TRUE;
  g_mutex_lock (&self->lock);
  ok = amphisto_cl_planes_unmap (&entry->planes, error);
  g_mutex_unlock (&self->lock);
  return ok;
}

gboolean
amphisto_cl_executor_finish (AmphistoClExecutor *self, guint index,
    AmphistoHistograms *histograms, AmphistoHistograms *regions, GError **error)
{
  Entry *entry = &self->entries[index];
  const AmphistoJob *job = entry->job;

  g_return_val_if_fail (job != NULL, FALSE);
  if (!finish (self, entry, error)) {
    g_mutex_lock (&self->lock);
    abandon (self);
    g_mutex_unlock (&self->lock);
    return FALSE;
  }
  release_entry (entry);
  amphisto_cl_bins_collect (&self->bins, index, job, histograms);
  amphisto_cl_regions_collect (&self->regions, index, job, regions);
  return TRUE;
}

void
amphisto_cl_executor_drop (AmphistoClExecutor *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&self->lock);

  for (guint i = 0; i < self->launcher.n_frames; i++)
    if (self->entries[i].job != NULL) {
      abandon (self);
      return;
    }
}
