/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A driver that carries out what does not block as late as it may: when the
 * host waits. Memory that the host changes or frees before shows in the
 * results. Unmapping writes what was mapped to the host's memory once more.
 */

#include <string.h>

#include "layer.h"

/* Memory that is unmapped when the queue goes on. */
typedef struct
{
  guint8 *host;
  GBytes *contents;
} Unmapped;

/* What a queue holds back. */
typedef struct
{
  cl_event gate;      /* its commands wait for it; NULL: it is open */
  GHashTable *mapped; /* host pointer -> bytes */
  GPtrArray *unmapped;
} Held;

static GMutex lock;
static GHashTable *queues; /* cl_command_queue -> Held */

static void
unmapped_free (gpointer data)
{
  Unmapped *unmapped = data;

  g_bytes_unref (unmapped->contents);
  g_free (unmapped);
}

static void
held_free (gpointer data)
{
  Held *held = data;

  g_hash_table_unref (held->mapped);
  g_ptr_array_unref (held->unmapped);
  g_free (held);
}

static void
check (cl_int status, const char *call)
{
  if (status != CL_SUCCESS)
    g_error ("%s failed: %d", call, status);
}

/* What the queue holds back. */
static Held *
held_by (cl_command_queue queue)
{
  Held *held;

  g_mutex_lock (&lock);
  held = g_hash_table_lookup (queues, queue);
  if (held == NULL) {
    held = g_new0 (Held, 1);
    held->mapped = g_hash_table_new (NULL, NULL);
    held->unmapped = g_ptr_array_new_with_free_func (unmapped_free);
    g_hash_table_insert (queues, queue, held);
  }
  g_mutex_unlock (&lock);
  return held;
}

/* From now on, the queue's commands wait. */
static void
hold (cl_command_queue queue)
{
  Held *held = held_by (queue);
  cl_context context;
  cl_int status;

  if (held->gate != NULL)
    return;
  check (driver->clGetCommandQueueInfo (
             queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL),
      "clGetCommandQueueInfo");
  held->gate = driver->clCreateUserEvent (context, &status);
  check (status, "clCreateUserEvent");
  check (driver->clEnqueueBarrierWithWaitList (queue, 1, &held->gate, NULL),
      "clEnqueueBarrierWithWaitList");
}

/* The queue goes on, until it holds back something else. */
static void
let_go (cl_command_queue queue)
{
  Held *held = held_by (queue);

  if (held->gate == NULL)
    return;
  check (driver->clSetUserEventStatus (held->gate, CL_COMPLETE),
      "clSetUserEventStatus");
  check (driver->clFinish (queue), "clFinish");
  check (driver->clReleaseEvent (held->gate), "clReleaseEvent");
  held->gate = NULL;
  for (guint i = 0; i < held->unmapped->len; i++) {
    const Unmapped *unmapped = g_ptr_array_index (held->unmapped, i);
    gsize size;
    gconstpointer contents = g_bytes_get_data (unmapped->contents, &size);

    memcpy (unmapped->host, contents, size);
  }
  g_ptr_array_set_size (held->unmapped, 0);
}

static void
hold_unless (cl_bool blocking, cl_command_queue queue)
{
  if (blocking)
    let_go (queue);
  else
    hold (queue);
}

static cl_int
write_buffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t size, const void *data, cl_uint n_events,
    const cl_event *events, cl_event *event)
{
  hold_unless (blocking, queue);
  return driver->clEnqueueWriteBuffer (
      queue, buffer, blocking, offset, size, data, n_events, events, event);
}

static cl_int
read_buffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t size, void *data, cl_uint n_events,
    const cl_event *events, cl_event *event)
{
  hold_unless (blocking, queue);
  return driver->clEnqueueReadBuffer (
      queue, buffer, blocking, offset, size, data, n_events, events, event);
}

static cl_int
read_buffer_rect (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    const size_t *from, const size_t *to, const size_t *region, size_t from_row,
    size_t from_slice, size_t to_row, size_t to_slice, void *data,
    cl_uint n_events, const cl_event *events, cl_event *event)
{
  hold_unless (blocking, queue);
  return driver->clEnqueueReadBufferRect (queue, buffer, blocking, from, to,
      region, from_row, from_slice, to_row, to_slice, data, n_events, events,
      event);
}

static void *
map_buffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    cl_map_flags flags, size_t offset, size_t size, cl_uint n_events,
    const cl_event *events, cl_event *event, cl_int *status)
{
  void *mapped;

  hold_unless (blocking, queue);
  mapped = driver->clEnqueueMapBuffer (queue, buffer, blocking, flags, offset,
      size, n_events, events, event, status);
  g_hash_table_insert (
      held_by (queue)->mapped, mapped, GSIZE_TO_POINTER (size));
  return mapped;
}

/* What is unmapped while its mapping waits holds nothing yet. */
static cl_int
unmap (cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint n_events,
    const cl_event *events, cl_event *event)
{
  Held *held = held_by (queue);

  if (held->gate == NULL) {
    Unmapped *unmapped = g_new (Unmapped, 1);
    gpointer size = g_hash_table_lookup (held->mapped, mapped);

    unmapped->host = mapped;
    unmapped->contents = g_bytes_new (mapped, GPOINTER_TO_SIZE (size));
    g_ptr_array_add (held->unmapped, unmapped);
    hold (queue);
  }
  g_hash_table_remove (held->mapped, mapped);
  return driver->clEnqueueUnmapMemObject (
      queue, buffer, mapped, n_events, events, event);
}

static cl_int
finish (cl_command_queue queue)
{
  let_go (queue);
  return driver->clFinish (queue);
}

static cl_int
wait_for_events (cl_uint n, const cl_event *events)
{
  for (cl_uint i = 0; i < n; i++) {
    cl_command_queue queue;

    check (driver->clGetEventInfo (
               events[i], CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL),
        "clGetEventInfo");
    if (queue != NULL)
      let_go (queue);
  }
  return driver->clWaitForEvents (n, events);
}

static cl_int
release_queue (cl_command_queue queue)
{
  let_go (queue);
  g_mutex_lock (&lock);
  g_hash_table_remove (queues, queue);
  g_mutex_unlock (&lock);
  return driver->clReleaseCommandQueue (queue);
}

static void
layer_init (void)
{
  queues = g_hash_table_new_full (NULL, NULL, NULL, held_free);
  calls.clEnqueueWriteBuffer = write_buffer;
  calls.clEnqueueReadBuffer = read_buffer;
  calls.clEnqueueReadBufferRect = read_buffer_rect;
  calls.clEnqueueMapBuffer = map_buffer;
  calls.clEnqueueUnmapMemObject = unmap;
  calls.clFinish = finish;
  calls.clWaitForEvents = wait_for_events;
  calls.clReleaseCommandQueue = release_queue;
}
