/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "profiled.h"
#include "clprofile.h"

#include <string.h>

typedef struct
{
  Contender parent;
  Contender *inner;
  GArray *kernels;
} Profiled;

static ProfiledKernel *
find_kernel (Profiled *self, const gchar *name)
{
  ProfiledKernel new = { 0 };

  for (guint i = 0; i < self->kernels->len; i++) {
    ProfiledKernel *kernel = &g_array_index (self->kernels, ProfiledKernel, i);

    if (strcmp (kernel->name, name) == 0)
      return kernel;
  }
  new.name = g_strdup (name);
  g_array_append_val (self->kernels, new);
  return &g_array_index (self->kernels, ProfiledKernel, self->kernels->len - 1);
}

/* Adds the launch to the last batch. */
static void
add_launch (const gchar *name, gdouble ms, gpointer data)
{
  find_kernel (data, name)->times.ms[BENCH_ROUNDS - 1] += ms;
}

static gdouble
profiled_run (Contender *contender, guint n_frames)
{
  Profiled *self = (Profiled *) contender;
  const gdouble seconds = self->inner->run (self->inner, n_frames);

  for (guint i = 0; i < self->kernels->len; i++) {
    gdouble *ms = g_array_index (self->kernels, ProfiledKernel, i).times.ms;

    memmove (ms, ms + 1, (BENCH_ROUNDS - 1) * sizeof *ms);
    ms[BENCH_ROUNDS - 1] = 0;
  }
  clprofile_take (add_launch, self);
  for (guint i = 0; i < self->kernels->len; i++)
    g_array_index (self->kernels, ProfiledKernel, i)
        .times.ms[BENCH_ROUNDS - 1] /= n_frames;
  return seconds;
}

static void
ignore_launch (const gchar *name, gdouble ms, gpointer data)
{
  (void) name;
  (void) ms;
  (void) data;
}

static void
clear_kernel (gpointer kernel)
{
  g_free (((ProfiledKernel *) kernel)->name);
}

static void
profiled_free (Contender *contender)
{
  Profiled *self = (Profiled *) contender;

  contender_free (self->inner);
  g_array_unref (self->kernels);
  g_free (self);
}

Contender *
profiled_new (Contender *inner)
{
  Profiled *self = g_new0 (Profiled, 1);

  self->parent = (Contender){ .run = profiled_run, .free = profiled_free };
  self->inner = inner;
  self->kernels = g_array_new (FALSE, FALSE, sizeof (ProfiledKernel));
  g_array_set_clear_func (self->kernels, clear_kernel);
  /* drops the launches so far */
  clprofile_take (ignore_launch, NULL);
  return &self->parent;
}

const GArray *
profiled_kernels (const Contender *self)
{
  return ((const Profiled *) self)->kernels;
}
