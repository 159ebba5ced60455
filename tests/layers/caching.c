/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A driver that keeps host memory elsewhere from the creation of a buffer until
 * the buffer is mapped, or read into the same memory, as OpenCL allows. Ends
 * the process if the host writes to such memory meanwhile, or if two buffers
 * overlap and one may be written to.
 *
 * With CACHING_AS_GPU in the environment, the device is a GPU that shares the
 * host's memory, and no two buffers may overlap. Like Intel's driver, it
 * imports memory at multiples of 64 bytes with a size in multiples of 64 bytes,
 * and copies other memory. Copies of frames are counted.
 */

#include <string.h>

#include "layer.h"

typedef struct
{
  guint8 *host;
  gsize size;
  gboolean is_read_only;
  gboolean is_hidden; /* the host may not access it */
  guint8 *seen;       /* the last known content of the host's memory */
  gint n_references;
  gint n_mapped;
} Cached;

static GMutex lock;
static GHashTable *cached_buffers; /* cl_mem -> Cached */
static gboolean is_gpu;

/* --- copies of frames --- */

#define IMPORTED_UNIT 64
/* Bytes; parameters have less. */
#define MIN_FRAME 4096

static gint n_copies;

guint caching_n_copies (void);

/* Called by tests. Returns: the number of frames or planes that were copied so
 * far: imported by a copy, uploaded or downloaded. */
guint
caching_n_copies (void)
{
  return g_atomic_int_get (&n_copies);
}

static gboolean
takes_copy (gconstpointer host, gsize size)
{
  return (guintptr) host % IMPORTED_UNIT != 0 || size % IMPORTED_UNIT != 0;
}

static cl_int
write_buffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t size, const void *data, cl_uint n_events,
    const cl_event *events, cl_event *event)
{
  if (size >= MIN_FRAME)
    g_atomic_int_inc (&n_copies);
  return driver->clEnqueueWriteBuffer (
      queue, buffer, blocking, offset, size, data, n_events, events, event);
}

static cl_int
read_buffer_rect (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    const size_t *from, const size_t *to, const size_t *region, size_t from_row,
    size_t from_slice, size_t to_row, size_t to_slice, void *data,
    cl_uint n_events, const cl_event *events, cl_event *event)
{
  g_atomic_int_inc (&n_copies);
  return driver->clEnqueueReadBufferRect (queue, buffer, blocking, from, to,
      region, from_row, from_slice, to_row, to_slice, data, n_events, events,
      event);
}

/* --- buffers of host memory --- */

static void
check_untouched (const Cached *cached)
{
  for (gsize i = 0; i < cached->size; i++)
    if (cached->host[i] != cached->seen[i])
      g_error ("the host has written to byte %" G_GSIZE_FORMAT
               " of %" G_GSIZE_FORMAT " bytes in a buffer",
          i, cached->size);
}

static void
check_apart (const guint8 *host, gsize size, gboolean is_read_only)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, cached_buffers);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const Cached *other = value;

    if (host < other->host + other->size && other->host < host + size
        && (is_gpu || !(is_read_only && other->is_read_only)))
      g_error ("two buffers overlap");
  }
}

static void
cached_free (gpointer data)
{
  Cached *cached = data;

  g_free (cached->seen);
  g_free (cached);
}

static void
remember (cl_mem buffer, cl_mem_flags flags, gsize size, void *host)
{
  Cached *cached = g_new0 (Cached, 1);

  cached->host = host;
  cached->size = size;
  cached->is_read_only = (flags & CL_MEM_READ_ONLY) != 0;
  cached->is_hidden = (flags & CL_MEM_HOST_NO_ACCESS) != 0;
  cached->seen = g_memdup2 (host, size);
  cached->n_references = 1;
  g_mutex_lock (&lock);
  check_apart (host, size, cached->is_read_only);
  g_hash_table_insert (cached_buffers, buffer, cached);
  g_mutex_unlock (&lock);
}

static cl_mem
create_buffer (cl_context context, cl_mem_flags flags, size_t size, void *host,
    cl_int *status)
{
  const cl_mem_flags access =
      CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | CL_MEM_READ_WRITE;
  cl_mem buffer;

  if (!(flags & CL_MEM_USE_HOST_PTR))
    return driver->clCreateBuffer (context, flags, size, host, status);
  if (takes_copy (host, size))
    g_atomic_int_inc (&n_copies);
  buffer = driver->clCreateBuffer (
      context, (flags & access) | CL_MEM_COPY_HOST_PTR, size, host, status);
  if (buffer != NULL)
    remember (buffer, flags, size, host);
  return buffer;
}

static Cached *
lookup (cl_mem buffer)
{
  Cached *cached;

  g_mutex_lock (&lock);
  cached = g_hash_table_lookup (cached_buffers, buffer);
  g_mutex_unlock (&lock);
  return cached;
}

static void *
map_buffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    cl_map_flags flags, size_t offset, size_t size, cl_uint n_events,
    const cl_event *events, cl_event *event, cl_int *status)
{
  Cached *cached = lookup (buffer);
  cl_int result;

  if (cached == NULL)
    return driver->clEnqueueMapBuffer (queue, buffer, blocking, flags, offset,
        size, n_events, events, event, status);
  if (cached->is_hidden || flags != CL_MAP_READ)
    g_error ("a buffer is mapped for what it was not made for");
  check_untouched (cached);
  result = driver->clEnqueueReadBuffer (queue, buffer, CL_TRUE, offset, size,
      cached->host + offset, n_events, events, event);
  memcpy (cached->seen + offset, cached->host + offset, size);
  cached->n_mapped++;
  if (status != NULL)
    *status = result;
  return result == CL_SUCCESS ? cached->host + offset : NULL;
}

/* Reads into the host memory of the buffer, and remembers its content. */
static cl_int
read_in_place (cl_command_queue queue, cl_mem buffer, Cached *cached,
    cl_bool blocking, size_t offset, size_t size, cl_uint n_events,
    const cl_event *events, cl_event *event)
{
  cl_int status;

  if (cached->is_hidden || cached->n_mapped > 0)
    g_error ("a buffer is read that the host may not look at, or is mapped");
  status = driver->clEnqueueReadBuffer (queue, buffer, CL_FALSE, offset, size,
      cached->host + offset, n_events, events, NULL);
  if (status != CL_SUCCESS)
    return status;
  return driver->clEnqueueReadBuffer (queue, buffer, blocking, offset, size,
      cached->seen + offset, 0, NULL, event);
}

static cl_int
read_buffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t size, void *data, cl_uint n_events,
    const cl_event *events, cl_event *event)
{
  Cached *cached = lookup (buffer);

  if (cached != NULL && data == cached->host + offset)
    return read_in_place (
        queue, buffer, cached, blocking, offset, size, n_events, events, event);
  return driver->clEnqueueReadBuffer (
      queue, buffer, blocking, offset, size, data, n_events, events, event);
}

static cl_int
unmap (cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint n_events,
    const cl_event *events, cl_event *event)
{
  Cached *cached = lookup (buffer);

  if (cached == NULL)
    return driver->clEnqueueUnmapMemObject (
        queue, buffer, mapped, n_events, events, event);
  if (cached->n_mapped-- == 0)
    g_error ("a buffer is unmapped that is not mapped");
  return driver->clEnqueueMarkerWithWaitList (queue, n_events, events, event);
}

static cl_int
retain (cl_mem buffer)
{
  Cached *cached = lookup (buffer);

  if (cached != NULL)
    g_atomic_int_inc (&cached->n_references);
  return driver->clRetainMemObject (buffer);
}

/* The driver may still hold a reference, but no longer uses the host's memory.
 */
static cl_int
release (cl_mem buffer)
{
  Cached *cached = lookup (buffer);

  if (cached != NULL && g_atomic_int_dec_and_test (&cached->n_references)) {
    check_untouched (cached);
    g_mutex_lock (&lock);
    g_hash_table_remove (cached_buffers, buffer);
    g_mutex_unlock (&lock);
  }
  return driver->clReleaseMemObject (buffer);
}

static void
layer_init (void)
{
  cached_buffers = g_hash_table_new_full (NULL, NULL, NULL, cached_free);
  calls.clCreateBuffer = create_buffer;
  calls.clRetainMemObject = retain;
  calls.clReleaseMemObject = release;
  calls.clEnqueueMapBuffer = map_buffer;
  calls.clEnqueueUnmapMemObject = unmap;
  calls.clEnqueueWriteBuffer = write_buffer;
  calls.clEnqueueReadBuffer = read_buffer;
  calls.clEnqueueReadBufferRect = read_buffer_rect;
  is_gpu = g_getenv ("CACHING_AS_GPU") != NULL;
  gpu_shares_memory = CL_TRUE;
  if (is_gpu)
    calls.clGetDeviceInfo = get_gpu_info;
}
