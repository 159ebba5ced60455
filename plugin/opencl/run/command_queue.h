/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An in-order queue of commands for a device. Another queue can wait for its
 * commands by means of their events.
 */

#pragma once

#include "opencl/device/device.h"

typedef struct
{
  /*< read-only >*/
  AmphistoClDevice *device; /* not referenced */
  cl_command_queue handle;

  /*< private >*/
  gboolean has_events; /* whether commands get an event */
  cl_event last;       /* of the command enqueued last, or NULL */
  cl_event awaited;    /* by the next command, or NULL */
  cl_event gate;       /* holds commands back, or NULL */
} AmphistoClCommandQueue;

/* Makes a queue on `device`. Other queues can wait for its commands if
 * `has_events`.
 *
 * Returns: FALSE with CALL. Clear `self` either way. */
gboolean amphisto_cl_command_queue_init (AmphistoClCommandQueue *self,
    AmphistoClDevice *device, gboolean has_events, GError **error);

/* No command may be in flight. */
void amphisto_cl_command_queue_clear (AmphistoClCommandQueue *self);

/* The wait list of clEnqueue…(): two arguments. */
#define AMPHISTO_CL_AFTER(queue)                                               \
  (queue)->awaited != NULL, (queue)->awaited != NULL ? &(queue)->awaited : NULL

/* The wait list and the event of clEnqueue…(): the last three arguments. */
#define AMPHISTO_CL_ORDER(queue)                                               \
  AMPHISTO_CL_AFTER (queue), amphisto_cl_command_queue_event (queue)

/* For AMPHISTO_CL_ORDER. Returns: where to store the next command's event, or
 * NULL. */
cl_event *amphisto_cl_command_queue_event (AmphistoClCommandQueue *self);

/* Checks the `status` of clEnqueue…() with either macro, like
 * amphisto_cl_check(). Required after each call. */
gboolean amphisto_cl_command_queue_check (AmphistoClCommandQueue *self,
    cl_int status, const char *call, GError **error);

/* Makes commands that are enqueued on `to` from now on wait for those enqueued
 * on `from` before, and flushes `from`. Does nothing if both are the same.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_command_queue_join (
    AmphistoClCommandQueue *from, AmphistoClCommandQueue *to, GError **error);

/* Holds back commands that are enqueued from now on, until the queue is flushed
 * or finished. Otherwise, drivers of CPUs start each command at once, and wake
 * their workers while this thread still holds a core: some workers then wait
 * for each other on the same core.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_command_queue_hold (
    AmphistoClCommandQueue *self, GError **error);

/* Starts all enqueued commands. Returns: FALSE with CALL. */
gboolean amphisto_cl_command_queue_flush (
    AmphistoClCommandQueue *self, GError **error);

/* Waits for all enqueued commands, also if a call fails on the way: they are
 * over, unless the calls fail for a quarter of a second.
 *
 * Returns: FALSE with CALL if a call failed. */
gboolean amphisto_cl_command_queue_finish (
    AmphistoClCommandQueue *self, GError **error);

/* Enqueue a transfer of `size` bytes, from byte `offset` of the buffer on.
 * `data` must stay valid until it is done. Until then, data to write must not
 * change, and data to read are undefined.
 *
 * Return: FALSE with CALL. */
gboolean amphisto_cl_command_queue_write (AmphistoClCommandQueue *self,
    cl_mem buffer, gsize offset, const void *data, gsize size, GError **error);
gboolean amphisto_cl_command_queue_read (AmphistoClCommandQueue *self,
    cl_mem buffer, gsize offset, void *data, gsize size, GError **error);

/* Releases the event unless it is NULL, and sets it to NULL. */
void amphisto_cl_event_clear (cl_event *event);
