/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "bus.h"
#include "opendevice.h"

/* Buffers per direction, so that no copy waits for the memory of another. */
#define N_COPIES 3

typedef struct
{
  cl_command_queue queue;
  gsize size;
  cl_mem memory[N_COPIES]; /* on the device */
  cl_mem pinned[N_COPIES];
  void *host[N_COPIES]; /* where `pinned` is mapped */
} Direction;

typedef struct
{
  Contender parent;
  AmphistoClDevice *device;
  Direction up;
  Direction down;
} Bus;

static cl_mem
buffer_new (const Bus *self, cl_mem_flags flags, gsize size)
{
  cl_int status;
  cl_mem buffer =
      clCreateBuffer (self->device->context, flags, size, NULL, &status);

  bench_check (status, "clCreateBuffer");
  return buffer;
}

static void
direction_init (const Bus *bus, Direction *self, gsize size)
{
  cl_int status;

  self->size = size;
  self->queue =
      clCreateCommandQueue (bus->device->context, bus->device->id, 0, &status);
  bench_check (status, "clCreateCommandQueue");
  for (guint i = 0; size > 0 && i < N_COPIES; i++) {
    self->memory[i] = buffer_new (bus, CL_MEM_READ_WRITE, size);
    self->pinned[i] = buffer_new (bus, CL_MEM_ALLOC_HOST_PTR, size);
    self->host[i] = clEnqueueMapBuffer (self->queue, self->pinned[i], CL_TRUE,
        CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, NULL, NULL, &status);
    bench_check (status, "clEnqueueMapBuffer");
  }
}

static void
direction_clear (Direction *self)
{
  for (guint i = 0; self->size > 0 && i < N_COPIES; i++)
    bench_check (clEnqueueUnmapMemObject (self->queue, self->pinned[i],
                     self->host[i], 0, NULL, NULL),
        "clEnqueueUnmapMemObject");
  bench_check (clFinish (self->queue), "clFinish");
  for (guint i = 0; self->size > 0 && i < N_COPIES; i++) {
    bench_check (clReleaseMemObject (self->pinned[i]), "clReleaseMemObject");
    bench_check (clReleaseMemObject (self->memory[i]), "clReleaseMemObject");
  }
  bench_check (clReleaseCommandQueue (self->queue), "clReleaseCommandQueue");
}

static void
enqueue_copies (Bus *self, guint i)
{
  const Direction *up = &self->up, *down = &self->down;

  if (up->size > 0)
    bench_check (clEnqueueWriteBuffer (up->queue, up->memory[i], CL_FALSE, 0,
                     up->size, up->host[i], 0, NULL, NULL),
        "clEnqueueWriteBuffer");
  if (down->size > 0)
    bench_check (clEnqueueReadBuffer (down->queue, down->memory[i], CL_FALSE, 0,
                     down->size, down->host[i], 0, NULL, NULL),
        "clEnqueueReadBuffer");
  bench_check (clFlush (up->queue), "clFlush");
  bench_check (clFlush (down->queue), "clFlush");
}

static gdouble
bus_run (Contender *contender, guint n_frames)
{
  Bus *self = (Bus *) contender;
  const gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < n_frames; i++)
    enqueue_copies (self, i % N_COPIES);
  bench_check (clFinish (self->up.queue), "clFinish");
  bench_check (clFinish (self->down.queue), "clFinish");
  return bench_seconds_since (start);
}

static void
bus_free (Contender *contender)
{
  Bus *self = (Bus *) contender;

  direction_clear (&self->up);
  direction_clear (&self->down);
  amphisto_cl_device_close (self->device);
  g_free (self);
}

Contender *
bus_new (gsize up, gsize down)
{
  Bus *self = g_new0 (Bus, 1);
  g_autoptr (GError) error = NULL;

  self->parent = (Contender){ .run = bus_run, .free = bus_free };
  self->device = test_open_device (NULL, &error);
  if (self->device == NULL)
    bench_fail ("%s", error->message);
  direction_init (self, &self->up, up);
  direction_init (self, &self->down, down);
  return &self->parent;
}
