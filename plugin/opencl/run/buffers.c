/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/run/buffers.h"

#include <string.h>

cl_mem
amphisto_cl_buffer_new (const AmphistoClDevice *device, cl_mem_flags flags,
    gsize size, void *host, GError **error)
{
  cl_int status;
  cl_mem buffer = clCreateBuffer (device->context, flags, size, host, &status);

  return amphisto_cl_check (status, "clCreateBuffer", error) ? buffer : NULL;
}

cl_mem
amphisto_cl_buffer_new_zeroed (
    const AmphistoClDevice *device, gsize size, GError **error)
{
  g_autofree gpointer zeros = g_malloc0 (size);

  return amphisto_cl_buffer_new (
      device, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, zeros, error);
}

void
amphisto_cl_buffer_clear (cl_mem *buffer)
{
  if (*buffer != NULL)
    amphisto_cl_check_release (clReleaseMemObject (*buffer), "a buffer");
  *buffer = NULL;
}

gboolean
amphisto_cl_reserve_grow (AmphistoClReserve *self,
    const AmphistoClDevice *device, gsize size, gboolean is_zeroed,
    GError **error)
{
  cl_mem buffer;

  if (self->size >= size)
    return TRUE;
  buffer = is_zeroed
      ? amphisto_cl_buffer_new_zeroed (device, size, error)
      : amphisto_cl_buffer_new (device, CL_MEM_READ_WRITE, size, NULL, error);
  if (buffer == NULL)
    return FALSE;
  amphisto_cl_buffer_clear (&self->buffer);
  *self = (AmphistoClReserve){ buffer, size };
  return TRUE;
}

void
amphisto_cl_reserve_clear (AmphistoClReserve *self)
{
  amphisto_cl_buffer_clear (&self->buffer);
  self->size = 0;
}

gboolean
amphisto_cl_host_grow (
    AmphistoClHost **host, AmphistoClDevice *device, gsize size, GError **error)
{
  AmphistoClHost *larger;

  if (*host != NULL && (*host)->size >= size)
    return TRUE;
  larger = amphisto_cl_host_new (device, size);
  if (larger == NULL) {
    g_set_error_literal (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_CALL,
        "there is no host memory for transfers");
    return FALSE;
  }
  g_clear_pointer (host, amphisto_cl_host_free);
  *host = larger;
  return TRUE;
}

gboolean
amphisto_cl_params_upload (AmphistoClParams *self,
    AmphistoClCommandQueue *queue, const void *data, gsize size, GError **error)
{
  AmphistoClDevice *device = queue->device;

  if (self->size != size)
    amphisto_cl_params_clear (self);
  if (!amphisto_cl_host_grow (&self->host, device, size, error))
    return FALSE;
  /* kernels write text into graticules */
  if (self->buffer == NULL)
    self->buffer =
        amphisto_cl_buffer_new (device, CL_MEM_READ_WRITE, size, NULL, error);
  if (self->buffer == NULL)
    return FALSE;
  self->size = size;
  if (self->is_uploaded && memcmp (self->host->data, data, size) == 0)
    return TRUE;
  memcpy (self->host->data, data, size);
  self->is_uploaded = amphisto_cl_command_queue_write (
      queue, self->buffer, 0, self->host->data, size, error);
  return self->is_uploaded;
}

void
amphisto_cl_params_clear (AmphistoClParams *self)
{
  amphisto_cl_buffer_clear (&self->buffer);
  g_clear_pointer (&self->host, amphisto_cl_host_free);
  self->is_uploaded = FALSE;
}
