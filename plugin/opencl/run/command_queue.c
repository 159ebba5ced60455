/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/run/command_queue.h"

/* A wait that fails is tried again: a quarter of a second in all, longer than
 * the commands of a frame take. */
#define MAX_ATTEMPTS 250
#define PAUSE G_TIME_SPAN_MILLISECOND

gboolean
amphisto_cl_command_queue_init (AmphistoClCommandQueue *self,
    AmphistoClDevice *device, gboolean has_events, GError **error)
{
  cl_int status;

  *self =
      (AmphistoClCommandQueue){ .device = device, .has_events = has_events };
  self->handle = clCreateCommandQueue (device->context, device->id, 0, &status);
  return amphisto_cl_check (status, "clCreateCommandQueue", error);
}

void
amphisto_cl_command_queue_clear (AmphistoClCommandQueue *self)
{
  amphisto_cl_event_clear (&self->last);
  amphisto_cl_event_clear (&self->awaited);
  amphisto_cl_event_clear (&self->gate);
  if (self->handle != NULL)
    amphisto_cl_check_release (clReleaseCommandQueue (self->handle), "a queue");
  self->handle = NULL;
}

void
amphisto_cl_event_clear (cl_event *event)
{
  if (*event != NULL)
    amphisto_cl_check_release (clReleaseEvent (*event), "an event");
  *event = NULL;
}

cl_event *
amphisto_cl_command_queue_event (AmphistoClCommandQueue *self)
{
  if (!self->has_events)
    return NULL;
  amphisto_cl_event_clear (&self->last);
  return &self->last;
}

gboolean
amphisto_cl_command_queue_check (AmphistoClCommandQueue *self, cl_int status,
    const char *call, GError **error)
{
  /* the queue is in order: commands after this one need not wait */
  amphisto_cl_event_clear (&self->awaited);
  return amphisto_cl_check (status, call, error);
}

/* OpenCL requires that a queue is flushed if others wait for its events. */
gboolean
amphisto_cl_command_queue_join (
    AmphistoClCommandQueue *from, AmphistoClCommandQueue *to, GError **error)
{
  if (from == to || from->last == NULL)
    return TRUE;
  amphisto_cl_event_clear (&to->awaited);
  to->awaited = g_steal_pointer (&from->last);
  return amphisto_cl_command_queue_flush (from, error);
}

gboolean
amphisto_cl_command_queue_hold (AmphistoClCommandQueue *self, GError **error)
{
  cl_int status;

  self->gate = clCreateUserEvent (self->device->context, &status);
  if (!amphisto_cl_check (status, "clCreateUserEvent", error)
      || !amphisto_cl_check (
          clRetainEvent (self->gate), "clRetainEvent", error))
    return FALSE;
  /* the queue is in order: only the next command has to wait */
  self->awaited = self->gate;
  return TRUE;
}

/* Starts the commands that are held back. */
static gboolean
open_gate (AmphistoClCommandQueue *self, GError **error)
{
  if (self->gate != NULL
      && !amphisto_cl_check (clSetUserEventStatus (self->gate, CL_COMPLETE),
          "clSetUserEventStatus", error))
    return FALSE;
  amphisto_cl_event_clear (&self->gate);
  return TRUE;
}

gboolean
amphisto_cl_command_queue_flush (AmphistoClCommandQueue *self, GError **error)
{
  /* the gate first: clFlush() may wait for all commands (oclgrind) */
  return open_gate (self, error)
      && amphisto_cl_check (clFlush (self->handle), "clFlush", error);
}

/* The marker is needed since rusticl's clFinish() waits only for commands that
 * were enqueued after the last clFlush(). With a closed gate, clFinish() would
 * never return. */
static gboolean
try_to_finish (AmphistoClCommandQueue *self, GError **error)
{
  return open_gate (self, error)
      && amphisto_cl_check (
          clEnqueueMarkerWithWaitList (self->handle, 0, NULL, NULL),
          "clEnqueueMarkerWithWaitList", error)
      && amphisto_cl_check (clFinish (self->handle), "clFinish", error);
}

/* Without a wait, the caller would free memory that commands still use. The
 * calls may fail for lack of memory while the commands run, so they are tried
 * again. Where they fail for good, the context is dead: it runs nothing any
 * more. */
gboolean
amphisto_cl_command_queue_finish (AmphistoClCommandQueue *self, GError **error)
{
  amphisto_cl_event_clear (&self->last);
  amphisto_cl_event_clear (&self->awaited);
  if (try_to_finish (self, error))
    return TRUE;
  for (guint i = 1; i < MAX_ATTEMPTS; i++) {
    g_usleep (PAUSE);
    if (try_to_finish (self, NULL))
      break;
  }
  return FALSE;
}

gboolean
amphisto_cl_command_queue_write (AmphistoClCommandQueue *self, cl_mem buffer,
    gsize offset, const void *data, gsize size, GError **error)
{
  return amphisto_cl_command_queue_check (self,
      clEnqueueWriteBuffer (self->handle, buffer, CL_FALSE, offset, size, data,
          AMPHISTO_CL_ORDER (self)),
      "clEnqueueWriteBuffer", error);
}

gboolean
amphisto_cl_command_queue_read (AmphistoClCommandQueue *self, cl_mem buffer,
    gsize offset, void *data, gsize size, GError **error)
{
  return amphisto_cl_command_queue_check (self,
      clEnqueueReadBuffer (self->handle, buffer, CL_FALSE, offset, size, data,
          AMPHISTO_CL_ORDER (self)),
      "clEnqueueReadBuffer", error);
}
