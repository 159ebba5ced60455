/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A driver that runs non-blocking commands as late as possible: when the host
 * waits for them, or for a command of another queue that waits for them.
 * Sometimes, by lot, it runs the commands of a queue as soon as the queue is
 * flushed. So queues run in any order that their events allow, and results show
 * if the host changes or frees memory too early. Unmapping writes the mapped
 * content to the host's memory once more. Like rusticl (22.3), clFinish() waits
 * only if a command was enqueued since the last clFlush(). Ends the process if
 * the host waits for a command of another queue that was not flushed, which
 * might take for ever.
 */

#include <string.h>

#include "layer.h"

/* One of this many flushes runs the flushed commands. */
#define EAGER_ONE_IN 4

/* A command of a queue; the first has number 1. */
typedef struct
{
  cl_command_queue queue;
  guint number;
} Place;

/* A command that the host has not waited for. */
typedef struct
{
  cl_event gate;   /* the command waits for this; NULL: it may run */
  GArray *awaited; /* of Place: the commands of its wait list */
  guint8 *host;    /* memory that the command unmaps, or NULL */
  GBytes *mapped;  /* the content of that memory */
} Command;

typedef struct
{
  GQueue commands; /* pending, in order */
  guint n_enqueued;
  guint n_flushed;
  guint n_awaited;    /* commands that the host has waited for */
  GHashTable *mapped; /* host pointer -> Mapping */
} Queue;

typedef struct
{
  gsize size;
  guint number; /* of the command */
} Mapping;

static GRecMutex lock; /* held while a command is enqueued, or allowed to run */
static GHashTable *queues; /* cl_command_queue -> Queue */
static GHashTable *events; /* cl_event -> Place */
static GRand *lots;

static void
check (cl_int status, const char *call)
{
  if (status != CL_SUCCESS)
    g_error ("%s failed: %d", call, status);
}

static Queue *
lookup (cl_command_queue id)
{
  Queue *queue;

  g_rec_mutex_lock (&lock);
  queue = g_hash_table_lookup (queues, id);
  if (queue == NULL) {
    queue = g_new0 (Queue, 1);
    queue->mapped = g_hash_table_new_full (NULL, NULL, NULL, g_free);
    g_hash_table_insert (queues, id, queue);
  }
  g_rec_mutex_unlock (&lock);
  return queue;
}

static void
queue_free (gpointer data)
{
  Queue *queue = data;

  g_hash_table_unref (queue->mapped);
  g_free (queue);
}

/* --- commands --- */

/* Allows the command to run. */
static void
open_gate (Command *command)
{
  gsize size;

  if (command->gate == NULL)
    return;
  if (command->host != NULL) {
    gconstpointer data = g_bytes_get_data (command->mapped, &size);

    memcpy (command->host, data, size);
  }
  check (driver->clSetUserEventStatus (command->gate, CL_COMPLETE),
      "clSetUserEventStatus");
  check (driver->clReleaseEvent (command->gate), "clReleaseEvent");
  command->gate = NULL;
}

static void
command_free (Command *command)
{
  g_array_unref (command->awaited);
  g_clear_pointer (&command->mapped, g_bytes_unref);
  g_free (command);
}

static gboolean
find_place (cl_event event, Place *place)
{
  const Place *found;

  g_rec_mutex_lock (&lock);
  found = g_hash_table_lookup (events, event);
  if (found != NULL)
    *place = *found;
  g_rec_mutex_unlock (&lock);
  return found != NULL;
}

/* Allows the command at `place` and all commands that it waits for to run. */
static void
let_run (Place place)
{
  Queue *queue = lookup (place.queue);

  while (queue->n_awaited < place.number) {
    Command *command = g_queue_pop_head (&queue->commands);

    queue->n_awaited++;
    for (guint i = 0; i < command->awaited->len; i++) {
      const Place *other = &g_array_index (command->awaited, Place, i);

      if (other->queue != place.queue
          && lookup (other->queue)->n_flushed < other->number)
        g_error ("the host waits for a queue that was not flushed");
      let_run (*other);
    }
    open_gate (command);
    command_free (command);
  }
}

/* The host waits for the queue, which flushes it. */
static void
let_queue_run (cl_command_queue id)
{
  Queue *queue = lookup (id);

  queue->n_flushed = queue->n_enqueued;
  let_run ((Place){ id, queue->n_enqueued });
}

/* The wait list of a command. */
typedef struct
{
  cl_uint n;
  cl_event *events; /* owned; NULL: none */
} WaitList;

static cl_event
add_gate (cl_command_queue id, Command *command)
{
  cl_context context;
  cl_int status;

  check (driver->clGetCommandQueueInfo (
             id, CL_QUEUE_CONTEXT, sizeof context, &context, NULL),
      "clGetCommandQueueInfo");
  command->gate = driver->clCreateUserEvent (context, &status);
  check (status, "clCreateUserEvent");
  return command->gate;
}

/* Begins a command. Before a blocking command, all earlier commands run; a
 * non-blocking command gets a gate. */
static WaitList
begin (cl_command_queue id, cl_bool blocking, cl_uint n, const cl_event *list)
{
  Command *command = g_new0 (Command, 1);
  WaitList self = { n, g_new0 (cl_event, n + 1) };
  Queue *queue;

  g_rec_mutex_lock (&lock); /* until end() */
  queue = lookup (id);
  command->awaited = g_array_new (FALSE, FALSE, sizeof (Place));
  for (cl_uint i = 0; i < n; i++) {
    Place place;

    self.events[i] = list[i];
    if (find_place (list[i], &place))
      g_array_append_val (command->awaited, place);
  }
  queue->n_enqueued++;
  g_queue_push_tail (&queue->commands, command);
  if (blocking)
    let_queue_run (id);
  else
    self.events[self.n++] = add_gate (id, command);
  return self;
}

/* Ends a command after begin(). `event`: of the command, or NULL. */
static cl_int
end (cl_command_queue id, WaitList *list, cl_int status, const cl_event *event)
{
  g_free (list->events);
  if (status == CL_SUCCESS && event != NULL) {
    Place *place = g_new (Place, 1);

    *place = (Place){ id, lookup (id)->n_enqueued };
    g_hash_table_replace (events, *event, place);
  }
  g_rec_mutex_unlock (&lock);
  return status;
}

/* The wait list as arguments for the driver. */
#define WAITS(list) (list).n, ((list).n > 0 ? (list).events : NULL)

/* --- transfers --- */

static cl_int
write_buffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t size, const void *data, cl_uint n_events,
    const cl_event *waits, cl_event *event)
{
  WaitList list = begin (queue, blocking, n_events, waits);

  return end (queue, &list,
      driver->clEnqueueWriteBuffer (
          queue, buffer, blocking, offset, size, data, WAITS (list), event),
      event);
}

static cl_int
write_buffer_rect (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    const size_t *to, const size_t *from, const size_t *region, size_t to_row,
    size_t to_slice, size_t from_row, size_t from_slice, const void *data,
    cl_uint n_events, const cl_event *waits, cl_event *event)
{
  WaitList list = begin (queue, blocking, n_events, waits);

  return end (queue, &list,
      driver->clEnqueueWriteBufferRect (queue, buffer, blocking, to, from,
          region, to_row, to_slice, from_row, from_slice, data, WAITS (list),
          event),
      event);
}

static cl_int
read_buffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t size, void *data, cl_uint n_events,
    const cl_event *waits, cl_event *event)
{
  WaitList list = begin (queue, blocking, n_events, waits);

  return end (queue, &list,
      driver->clEnqueueReadBuffer (
          queue, buffer, blocking, offset, size, data, WAITS (list), event),
      event);
}

static cl_int
read_buffer_rect (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    const size_t *from, const size_t *to, const size_t *region, size_t from_row,
    size_t from_slice, size_t to_row, size_t to_slice, void *data,
    cl_uint n_events, const cl_event *waits, cl_event *event)
{
  WaitList list = begin (queue, blocking, n_events, waits);

  return end (queue, &list,
      driver->clEnqueueReadBufferRect (queue, buffer, blocking, from, to,
          region, from_row, from_slice, to_row, to_slice, data, WAITS (list),
          event),
      event);
}

static cl_int
copy_buffer (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
    size_t to_offset, size_t size, cl_uint n_events, const cl_event *waits,
    cl_event *event)
{
  WaitList list = begin (queue, CL_FALSE, n_events, waits);

  return end (queue, &list,
      driver->clEnqueueCopyBuffer (
          queue, from, to, from_offset, to_offset, size, WAITS (list), event),
      event);
}

static cl_int
fill_buffer (cl_command_queue queue, cl_mem buffer, const void *pattern,
    size_t pattern_size, size_t offset, size_t size, cl_uint n_events,
    const cl_event *waits, cl_event *event)
{
  WaitList list = begin (queue, CL_FALSE, n_events, waits);

  return end (queue, &list,
      driver->clEnqueueFillBuffer (queue, buffer, pattern, pattern_size, offset,
          size, WAITS (list), event),
      event);
}

/* --- mapping --- */

static void *
map_buffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    cl_map_flags flags, size_t offset, size_t size, cl_uint n_events,
    const cl_event *waits, cl_event *event, cl_int *status)
{
  WaitList list = begin (queue, blocking, n_events, waits);
  Queue *self = lookup (queue);
  Mapping *mapping = g_new (Mapping, 1);
  cl_int result;
  void *mapped = driver->clEnqueueMapBuffer (queue, buffer, blocking, flags,
      offset, size, WAITS (list), event, &result);

  *mapping = (Mapping){ size, self->n_enqueued };
  g_hash_table_insert (self->mapped, mapped, mapping);
  end (queue, &list, result, event);
  if (status != NULL)
    *status = result;
  return mapped;
}

/* If the mapping is still pending, the unmapped memory has no content yet. */
static cl_int
unmap (cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint n_events,
    const cl_event *waits, cl_event *event)
{
  WaitList list = begin (queue, CL_FALSE, n_events, waits);
  Queue *self = lookup (queue);
  Command *command = g_queue_peek_tail (&self->commands);
  const Mapping *mapping = g_hash_table_lookup (self->mapped, mapped);

  if (mapping != NULL && mapping->number <= self->n_awaited) {
    command->host = mapped;
    command->mapped = g_bytes_new (mapped, mapping->size);
  }
  g_hash_table_remove (self->mapped, mapped);
  return end (queue, &list,
      driver->clEnqueueUnmapMemObject (
          queue, buffer, mapped, WAITS (list), event),
      event);
}

/* --- the rest --- */

static cl_int
launch (cl_command_queue queue, cl_kernel kernel, cl_uint n_dimensions,
    const size_t *offset, const size_t *global_size, const size_t *local_size,
    cl_uint n_events, const cl_event *waits, cl_event *event)
{
  WaitList list = begin (queue, CL_FALSE, n_events, waits);

  return end (queue, &list,
      driver->clEnqueueNDRangeKernel (queue, kernel, n_dimensions, offset,
          global_size, local_size, WAITS (list), event),
      event);
}

static cl_int
marker (cl_command_queue queue, cl_uint n_events, const cl_event *waits,
    cl_event *event)
{
  WaitList list = begin (queue, CL_FALSE, n_events, waits);

  return end (queue, &list,
      driver->clEnqueueMarkerWithWaitList (queue, WAITS (list), event), event);
}

static cl_int
barrier (cl_command_queue queue, cl_uint n_events, const cl_event *waits,
    cl_event *event)
{
  WaitList list = begin (queue, CL_FALSE, n_events, waits);

  return end (queue, &list,
      driver->clEnqueueBarrierWithWaitList (queue, WAITS (list), event), event);
}

static gboolean
is_eager (void)
{
  gboolean is_eager;

  g_rec_mutex_lock (&lock);
  is_eager = g_rand_int_range (lots, 0, EAGER_ONE_IN) == 0;
  g_rec_mutex_unlock (&lock);
  return is_eager;
}

static cl_int
flush (cl_command_queue id)
{
  Queue *queue;

  g_rec_mutex_lock (&lock);
  queue = lookup (id);
  queue->n_flushed = queue->n_enqueued;
  if (is_eager ())
    for (GList *each = queue->commands.head; each != NULL; each = each->next)
      open_gate (each->data);
  g_rec_mutex_unlock (&lock);
  return driver->clFlush (id);
}

static cl_int
finish (cl_command_queue id)
{
  const Queue *queue;
  gboolean waits;

  g_rec_mutex_lock (&lock);
  queue = lookup (id);
  waits = queue->n_flushed != queue->n_enqueued;
  if (waits)
    let_queue_run (id);
  g_rec_mutex_unlock (&lock);
  return waits ? driver->clFinish (id) : CL_SUCCESS;
}

static cl_int
wait_for_events (cl_uint n, const cl_event *list)
{
  g_rec_mutex_lock (&lock);
  for (cl_uint i = 0; i < n; i++) {
    Place place;

    if (!find_place (list[i], &place))
      continue;
    lookup (place.queue)->n_flushed = lookup (place.queue)->n_enqueued;
    let_run (place);
  }
  g_rec_mutex_unlock (&lock);
  return driver->clWaitForEvents (n, list);
}

static gboolean
is_of_queue (gpointer event, gpointer place, gpointer queue)
{
  (void) event;
  return ((const Place *) place)->queue == queue;
}

/* Forgets the queue's events, since new events may have the same addresses. */
static cl_int
release_queue (cl_command_queue queue)
{
  g_rec_mutex_lock (&lock);
  let_queue_run (queue);
  g_hash_table_remove (queues, queue);
  g_hash_table_foreach_remove (events, is_of_queue, queue);
  g_rec_mutex_unlock (&lock);
  return driver->clReleaseCommandQueue (queue);
}

static void
layer_init (void)
{
  queues = g_hash_table_new_full (NULL, NULL, NULL, queue_free);
  events = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  lots = g_rand_new_with_seed (1);
  calls.clEnqueueWriteBuffer = write_buffer;
  calls.clEnqueueWriteBufferRect = write_buffer_rect;
  calls.clEnqueueReadBuffer = read_buffer;
  calls.clEnqueueReadBufferRect = read_buffer_rect;
  calls.clEnqueueCopyBuffer = copy_buffer;
  calls.clEnqueueFillBuffer = fill_buffer;
  calls.clEnqueueMapBuffer = map_buffer;
  calls.clEnqueueUnmapMemObject = unmap;
  calls.clEnqueueNDRangeKernel = launch;
  calls.clEnqueueMarkerWithWaitList = marker;
  calls.clEnqueueBarrierWithWaitList = barrier;
  calls.clFlush = flush;
  calls.clFinish = finish;
  calls.clWaitForEvents = wait_for_events;
  calls.clReleaseCommandQueue = release_queue;
}
