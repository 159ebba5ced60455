/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A queue of a device's commands, which are carried out in order, and how they
 * wait for those of another queue: by an event of each command that may be
 * waited for.
 */

#ifndef AMPHISTO_OPENCL_COMMANDS_H
#define AMPHISTO_OPENCL_COMMANDS_H

#include "opencl/device.h"

typedef struct
{
  /*< read-only >*/
  cl_command_queue queue;

  /*< private >*/
  gboolean has_events; /* commands have */
  cl_event last;       /* of the command enqueued last, or NULL */
  cl_event awaited;    /* by the command to be enqueued next, or NULL */
  cl_event gate;       /* that holds commands back, or NULL */
} AmphistoClCommands;

/* Makes a queue on `device`. Others can wait for its commands if `has_events`.
 *
 * Returns: FALSE with CALL; to be cleared either way. */
gboolean amphisto_cl_commands_init (AmphistoClCommands *self,
    const AmphistoClDevice *device, gboolean has_events, GError **error);

/* Nothing may be in flight. */
void amphisto_cl_commands_clear (AmphistoClCommands *self);

/* Arguments of clEnqueue…(): what the command waits for. */
#define AMPHISTO_CL_AFTER(commands)                                            \
  (commands)->awaited != NULL,                                                 \
      (commands)->awaited != NULL ? &(commands)->awaited : NULL

/* The same, and where the command's event goes: the last three arguments. */
#define AMPHISTO_CL_ORDER(commands)                                            \
  AMPHISTO_CL_AFTER (commands), amphisto_cl_commands_event (commands)

/* For AMPHISTO_CL_ORDER. Returns: where the next command's event goes, or NULL.
 */
cl_event *amphisto_cl_commands_event (AmphistoClCommands *self);

/* After clEnqueue…() with either, whose `status` it is: as amphisto_cl_check().
 */
gboolean amphisto_cl_commands_check (
    AmphistoClCommands *self, cl_int status, const char *call, GError **error);

/* What is enqueued on `to` from now on waits for what was enqueued on `from`
 * before, and starts. Nothing to do if they are one.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_commands_join (
    AmphistoClCommands *from, AmphistoClCommands *to, GError **error);

/* Holds back what is enqueued from now on, until the queue is flushed or
 * finished: drivers of CPUs start commands as they are enqueued, and while this
 * thread has a core they put theirs on the others, where some then wait for
 * each other.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_commands_hold (AmphistoClCommands *self, GError **error);

/* Starts what was enqueued. Returns: FALSE with CALL. */
gboolean amphisto_cl_commands_flush (AmphistoClCommands *self, GError **error);

/* Waits for what was enqueued. Returns: FALSE with CALL. */
gboolean amphisto_cl_commands_finish (AmphistoClCommands *self, GError **error);

/* Enqueues that `size` bytes from `data`, which must stay until that is done,
 * are written to the buffer's beginning.
 *
 * Returns: FALSE with CALL. */
gboolean amphisto_cl_commands_write (AmphistoClCommands *self, cl_mem buffer,
    const void *data, gsize size, GError **error);

/* Releases the event, if it is not NULL, and makes it NULL. */
void amphisto_cl_event_clear (cl_event *event);

#endif
