/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/commands.h"

gboolean
amphisto_cl_commands_init (AmphistoClCommands *self,
    const AmphistoClDevice *device, gboolean has_events, GError **error)
{
  cl_int status;

  *self = (AmphistoClCommands){ .has_events = has_events };
  self->queue = clCreateCommandQueue (device->context, device->id, 0, &status);
  return amphisto_cl_check (status, "clCreateCommandQueue", error);
}

void
amphisto_cl_commands_clear (AmphistoClCommands *self)
{
  amphisto_cl_event_clear (&self->last);
  amphisto_cl_event_clear (&self->awaited);
  if (self->queue != NULL && clReleaseCommandQueue (self->queue) != CL_SUCCESS)
    g_warning ("an OpenCL queue was not released");
  self->queue = NULL;
}

void
amphisto_cl_event_clear (cl_event *event)
{
  if (*event != NULL && clReleaseEvent (*event) != CL_SUCCESS)
    g_warning ("an OpenCL event was not released");
  *event = NULL;
}

cl_event *
amphisto_cl_commands_event (AmphistoClCommands *self)
{
  if (!self->has_events)
    return NULL;
  amphisto_cl_event_clear (&self->last);
  return &self->last;
}

gboolean
amphisto_cl_commands_check (
    AmphistoClCommands *self, cl_int status, const char *call, GError **error)
{
  /* those after it need not wait: they are carried out in order */
  amphisto_cl_event_clear (&self->awaited);
  return amphisto_cl_check (status, call, error);
}

/* A queue that others wait for has to be flushed. */
gboolean
amphisto_cl_commands_join (
    AmphistoClCommands *from, AmphistoClCommands *to, GError **error)
{
  if (from == to || from->last == NULL)
    return TRUE;
  amphisto_cl_event_clear (&to->awaited);
  to->awaited = g_steal_pointer (&from->last);
  return amphisto_cl_commands_flush (from, error);
}

gboolean
amphisto_cl_commands_flush (AmphistoClCommands *self, GError **error)
{
  return amphisto_cl_check (clFlush (self->queue), "clFlush", error);
}

/* The marker, because rusticl's clFinish() waits only for what was enqueued
 * since the last clFlush(). */
gboolean
amphisto_cl_commands_finish (AmphistoClCommands *self, GError **error)
{
  amphisto_cl_event_clear (&self->last);
  amphisto_cl_event_clear (&self->awaited);
  return amphisto_cl_check (
             clEnqueueMarkerWithWaitList (self->queue, 0, NULL, NULL),
             "clEnqueueMarkerWithWaitList", error)
      && amphisto_cl_check (clFinish (self->queue), "clFinish", error);
}

gboolean
amphisto_cl_commands_write (AmphistoClCommands *self, cl_mem buffer,
    const void *data, gsize size, GError **error)
{
  return amphisto_cl_commands_check (self,
      clEnqueueWriteBuffer (self->queue, buffer, CL_FALSE, 0, size, data,
          AMPHISTO_CL_ORDER (self)),
      "clEnqueueWriteBuffer", error);
}
