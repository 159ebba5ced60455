/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/device/host.h"
#include "opencl/device/log.h"

#include <stdlib.h>
#include <unistd.h>

#define PAGE 4096
#define SMALL_UNIT 64

/* Returns: the unit of a block of at least `size` bytes, in bytes: its size is
 * a multiple of the unit, and it is aligned to it. */
static gsize
unit_of (gsize size)
{
  return size < PAGE ? SMALL_UNIT : PAGE;
}

static gsize
round_up (gsize n, gsize unit)
{
  return (n + unit - 1) / unit * unit;
}

/* --- the account of pinned memory --- */

/* An eighth of the machine's memory, and at least 1 GiB: pinned memory can't be
 * swapped. */
static gsize
pinned_limit (void)
{
  const gsize memory =
      (gsize) sysconf (_SC_PHYS_PAGES) * (gsize) sysconf (_SC_PAGESIZE);

  return MAX (memory / 8, (gsize) 1 << 30);
}

/* Adds `size` to the pinned memory. Frames may try again and again, so the log
 * says only once that the limit is reached.
 *
 * Returns: FALSE if the limit would be exceeded. */
static gboolean
reserve_pinned (AmphistoClDevice *home, gsize size)
{
  gboolean fits, was_full;

  g_mutex_lock (&home->pinned.lock);
  fits = size <= home->pinned.limit - home->pinned.total;
  was_full = home->pinned.was_full;
  if (fits)
    home->pinned.total += size;
  else
    home->pinned.was_full = TRUE;
  g_mutex_unlock (&home->pinned.lock);
  if (!fits && !was_full)
    AMPHISTO_CL_LOG (INFO,
        "%" G_GSIZE_FORMAT
        " bytes are not pinned: the limit is reached, %" G_GSIZE_FORMAT,
        size, home->pinned.limit);
  return fits;
}

/* Adds memory whose size is reserved and that has been pinned. */
static void
add_pinned (AmphistoClDevice *home, const AmphistoClRange *range)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&home->pinned.lock);

  home->pinned.ranges = g_slist_prepend (home->pinned.ranges, (gpointer) range);
}

/* Subtracts what was reserved, and is not pinned. */
static void
return_pinned (AmphistoClDevice *home, gsize size)
{
  g_mutex_lock (&home->pinned.lock);
  home->pinned.total -= size;
  g_mutex_unlock (&home->pinned.lock);
}

/* Removes memory that was added, and subtracts its size. */
static void
remove_pinned (AmphistoClDevice *home, const AmphistoClRange *range)
{
  g_mutex_lock (&home->pinned.lock);
  home->pinned.ranges = g_slist_remove (home->pinned.ranges, range);
  home->pinned.total -= range->size;
  g_mutex_unlock (&home->pinned.lock);
}

gboolean
amphisto_cl_is_pinned (AmphistoClDevice *device, gconstpointer data, gsize size)
{
  AmphistoClDevice *home = device->home;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&home->pinned.lock);
  const guint8 *begin = data;

  for (GSList *link = home->pinned.ranges; link != NULL; link = link->next) {
    const AmphistoClRange *range = link->data;

    if (begin >= range->begin && begin + size <= range->begin + range->size)
      return TRUE;
  }
  return FALSE;
}

/* --- pinned memory --- */

/* Leaves room for aligning the block: drivers map memory at any address. */
static gsize
pinned_size (gsize size)
{
  return size + unit_of (size);
}

/* Returns: (transfer none): the queue for mapping and unmapping, or NULL with
 * CALL. */
static cl_command_queue
ensure_queue (AmphistoClDevice *device, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&device->pinned.queue_lock);
  cl_command_queue queue;
  cl_int status;

  if (device->pinned.queue == NULL) {
    queue = clCreateCommandQueue (device->context, device->id, 0, &status);
    if (amphisto_cl_check (status, "clCreateCommandQueue", error))
      device->pinned.queue = queue;
  }
  return device->pinned.queue;
}

static void
release_buffer (cl_mem buffer)
{
  amphisto_cl_check_release (clReleaseMemObject (buffer), "pinned memory");
}

/* Returns: a block that the driver has pinned, or NULL with CALL. */
static AmphistoClHost *
pin (AmphistoClDevice *device, gsize size, GError **error)
{
  const gsize whole = pinned_size (size);
  const cl_command_queue queue = ensure_queue (device, error);
  AmphistoClHost *host;
  cl_mem buffer;
  cl_int status;
  void *mapped;

  if (queue == NULL)
    return NULL;
  buffer = clCreateBuffer (device->context,
      CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, whole, NULL, &status);
  if (!amphisto_cl_check (status, "clCreateBuffer", error))
    return NULL;
  mapped = clEnqueueMapBuffer (queue, buffer, CL_TRUE,
      CL_MAP_READ | CL_MAP_WRITE, 0, whole, 0, NULL, NULL, &status);
  if (!amphisto_cl_check (status, "clEnqueueMapBuffer", error)) {
    release_buffer (buffer);
    return NULL;
  }
  host = g_new (AmphistoClHost, 1);
  *host = (AmphistoClHost){
    .data = (gpointer) round_up ((guintptr) mapped, unit_of (size)),
    .size = size,
    .is_pinned = TRUE,
    .range = { mapped, whole },
    .buffer = buffer,
  };
  return host;
}

/* Unmaps and releases a pinned block that is neither in use nor kept. */
static void
unpin (AmphistoClHost *host)
{
  const cl_command_queue queue = host->device->pinned.queue;
  cl_int status = clEnqueueUnmapMemObject (
      queue, host->buffer, host->range.begin, 0, NULL, NULL);

  if (status == CL_SUCCESS)
    status = clFinish (queue);
  amphisto_cl_check_release (status, "the map of pinned memory");
  release_buffer (host->buffer);
  remove_pinned (host->device, &host->range);
  g_free (host);
}

/* --- kept blocks --- */

/* Takes the last used of the kept blocks of exactly `size` bytes; NULL if there
 * is none. */
static AmphistoClHost *
take_kept (AmphistoClDevice *home, gsize size)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&home->pinned.lock);
  GQueue *kept = &home->pinned.kept;

  for (GList *link = kept->head; link != NULL; link = link->next) {
    AmphistoClHost *host = link->data;

    if (host->size == size) {
      g_queue_delete_link (kept, link);
      return host;
    }
  }
  return NULL;
}

/* Releases the least recently used of the kept blocks.
 *
 * Returns: FALSE if none is kept. */
static gboolean
give_up_kept (AmphistoClDevice *home)
{
  AmphistoClHost *host;

  g_mutex_lock (&home->pinned.lock);
  host = g_queue_pop_tail (&home->pinned.kept);
  g_mutex_unlock (&home->pinned.lock);
  if (host == NULL)
    return FALSE;
  unpin (host);
  return TRUE;
}

/* `refusal`: NULL, if memory was pinned. */
static void
log_pinned (const char *whose, gsize size, const GError *refusal)
{
  if (refusal != NULL)
    AMPHISTO_CL_LOG (INFO, "%" G_GSIZE_FORMAT " bytes of %s are not pinned: %s",
        size, whose, refusal->message);
  else
    AMPHISTO_CL_LOG (
        DEBUG, "pinned %" G_GSIZE_FORMAT " bytes of %s", size, whose);
}

/* Does not hold the lock while pinning, so that other threads can free blocks.
 *
 * Returns: a new block, or NULL if the limit is reached or the driver
 * refuses. */
static AmphistoClHost *
pin_counted (AmphistoClDevice *home, gsize size)
{
  g_autoptr (GError) error = NULL;
  AmphistoClHost *host;

  if (!reserve_pinned (home, pinned_size (size)))
    return NULL;
  host = pin (home, size, &error);
  log_pinned ("amphisto", size, error);
  if (host == NULL)
    return_pinned (home, pinned_size (size));
  else
    add_pinned (home, &host->range);
  return host;
}

/* Releases kept blocks of other sizes if they leave no room for a new one.
 *
 * Returns: a kept block or a new one, or NULL if no more memory can be
 * pinned. */
static AmphistoClHost *
new_pinned (AmphistoClDevice *home, gsize size)
{
  AmphistoClHost *host = take_kept (home, size);

  while (host == NULL) {
    host = pin_counted (home, size);
    if (host == NULL && !give_up_kept (home))
      return NULL;
  }
  return host;
}

/* --- blocks --- */

static AmphistoClHost *
new_ordinary (gsize size)
{
  gpointer data = aligned_alloc (unit_of (size), size);
  AmphistoClHost *host;

  if (data == NULL)
    return NULL;
  host = g_new (AmphistoClHost, 1);
  *host = (AmphistoClHost){ .data = data, .size = size };
  return host;
}

AmphistoClHost *
amphisto_cl_host_new (AmphistoClDevice *device, gsize size)
{
  AmphistoClHost *host = NULL;

  if (size > G_MAXSSIZE - 2 * PAGE)
    return NULL;
  size = round_up (MAX (size, 1), unit_of (size));
  if (device->pins_memory)
    host = new_pinned (device->home, size);
  if (host == NULL)
    host = new_ordinary (size);
  if (host != NULL)
    host->device = amphisto_cl_device_ref (device->home);
  return host;
}

void
amphisto_cl_host_free (AmphistoClHost *host)
{
  AmphistoClDevice *device = host->device;

  if (host->is_pinned) {
    g_mutex_lock (&device->pinned.lock);
    g_queue_push_head (&device->pinned.kept, host);
    g_mutex_unlock (&device->pinned.lock);
  } else {
    free (host->data);
    g_free (host);
  }
  amphisto_cl_device_unref (device);
}

/* --- memory of others --- */

/* A buffer is made of the memory, and no command ever uses it: drivers pin the
 * memory of such a buffer, and then copy from and to these addresses as fast as
 * from and to memory of their own. The device can't write to the buffer, so the
 * driver never writes to the memory. */
struct _AmphistoClPin
{
  AmphistoClDevice *home; /* NULL: given up */
  cl_mem buffer;          /* owned; NULL: given up */
  AmphistoClRange range;
  gboolean is_releasing; /* the thread that gives it up releases the buffer */
};

/* Protects the pins, and the devices' lists of pins: memory may be freed while
 * another thread gives up the device's pins. Not held while a driver is called:
 * every upload asks whether its memory is pinned. */
static GMutex pins_lock;
static GCond pins_changed;

/* Takes the pin from its device. Call with the lock held.
 *
 * Returns: (transfer full): the buffer to release. */
static cl_mem
take_pin (AmphistoClPin *pin)
{
  AmphistoClDevice *home = g_steal_pointer (&pin->home);

  home->pins = g_slist_remove (home->pins, pin);
  remove_pinned (home, &pin->range);
  return g_steal_pointer (&pin->buffer);
}

AmphistoClPin *
amphisto_cl_pin_new (
    AmphistoClDevice *device, gpointer data, gsize size, gboolean *is_refused)
{
  AmphistoClDevice *home = device->home;
  g_autoptr (GError) error = NULL;
  AmphistoClPin *pin;
  cl_int status;
  cl_mem buffer;

  *is_refused = FALSE;
  if (!reserve_pinned (home, size))
    return NULL;
  buffer = clCreateBuffer (home->context,
      CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_USE_HOST_PTR, size,
      data, &status);
  *is_refused = !amphisto_cl_check (status, "clCreateBuffer", &error);
  log_pinned ("an element", size, error);
  if (*is_refused) {
    return_pinned (home, size);
    return NULL;
  }
  pin = g_new (AmphistoClPin, 1);
  *pin = (AmphistoClPin){ home, buffer, { data, size }, FALSE };
  add_pinned (home, &pin->range);
  g_mutex_lock (&pins_lock);
  home->pins = g_slist_prepend (home->pins, pin);
  g_mutex_unlock (&pins_lock);
  return pin;
}

gboolean
amphisto_cl_pin_holds (const AmphistoClPin *pin)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&pins_lock);

  return pin->home != NULL;
}

gboolean
amphisto_cl_pin_is_for (
    const AmphistoClPin *pin, const AmphistoClDevice *device)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&pins_lock);

  return pin->home == device->home;
}

/* The caller frees the memory next, so this waits for another thread that is
 * giving up the pin. */
void
amphisto_cl_pin_free (AmphistoClPin *pin)
{
  cl_mem buffer = NULL;

  g_mutex_lock (&pins_lock);
  while (pin->is_releasing)
    g_cond_wait (&pins_changed, &pins_lock);
  if (pin->home != NULL)
    buffer = take_pin (pin);
  g_mutex_unlock (&pins_lock);
  if (buffer != NULL)
    release_buffer (buffer);
  g_free (pin);
}

static void
give_up_pins (AmphistoClDevice *home)
{
  g_mutex_lock (&pins_lock);
  while (home->pins != NULL) {
    AmphistoClPin *pin = home->pins->data;
    const cl_mem buffer = take_pin (pin);

    pin->is_releasing = TRUE;
    g_mutex_unlock (&pins_lock);
    release_buffer (buffer);
    g_mutex_lock (&pins_lock);
    pin->is_releasing = FALSE;
    g_cond_broadcast (&pins_changed);
  }
  g_mutex_unlock (&pins_lock);
}

/* --- the device --- */

void
amphisto_cl_host_init_device (AmphistoClDevice *device)
{
  g_mutex_init (&device->pinned.lock);
  g_mutex_init (&device->pinned.queue_lock);
  device->pinned.limit = pinned_limit ();
}

void
amphisto_cl_host_trim (AmphistoClDevice *device)
{
  give_up_pins (device);
  while (give_up_kept (device))
    continue;
}

void
amphisto_cl_host_clear_device (AmphistoClDevice *device)
{
  amphisto_cl_host_trim (device);
  if (device->pinned.queue != NULL)
    amphisto_cl_check_release (
        clReleaseCommandQueue (device->pinned.queue), "a queue");
  g_mutex_clear (&device->pinned.queue_lock);
  g_mutex_clear (&device->pinned.lock);
}
