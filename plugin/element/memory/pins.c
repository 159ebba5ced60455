/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/memory/pins.h"

#include "opencl/device/host.h"

/* Bytes. Copies of less memory gain too little to pin it. */
#define MIN_SIZE (64 * 1024)

/* What a memory's visits have left. It is pinned once, for one device: drivers
 * pin memory for all contexts of the process, and if one context unpins it, a
 * copy in another one fails (NVIDIA 580). */
typedef struct
{
  AmphistoClPin *pin;  /* or NULL */
  gboolean is_pinning; /* a thread is making the pin */
  guint refused_by;    /* the number of the device that refused it, or 0 */
} Visit;

/* Protects the visits of all memories: two elements may have the same. Not held
 * while a driver pins memory: other streams' frames would wait. */
static GMutex visits_lock;

static void
visit_free (gpointer data)
{
  Visit *visit = data;

  g_clear_pointer (&visit->pin, amphisto_cl_pin_free);
  g_free (visit);
}

static GQuark
visit_quark (void)
{
  return g_quark_from_static_string ("GstAmphistoVisit");
}

/* Returns: (transfer none): what former visits have left, or NULL. Call with
 * the lock held. */
static Visit *
find_visit (GstMemory *memory)
{
  return gst_mini_object_get_qdata (
      GST_MINI_OBJECT_CAST (memory), visit_quark ());
}

/* Notes that the memory has come.
 *
 * Returns: (transfer none): the visit, if the caller has to pin the memory now;
 * or NULL. */
static Visit *
note_visit (GstMemory *memory, const AmphistoClDevice *device)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&visits_lock);
  Visit *visit = find_visit (memory);

  if (visit == NULL) {
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (memory), visit_quark (),
        g_new0 (Visit, 1), visit_free);
    return NULL;
  }
  if (visit->is_pinning || visit->refused_by == device->home->number
      || (visit->pin != NULL && amphisto_cl_pin_holds (visit->pin)))
    return NULL;
  visit->is_pinning = TRUE;
  return visit;
}

/* Pins all of the memory, whatever part of it is in use now. If it can't be
 * mapped, or too much is pinned, the next visit tries again. */
static void
pin (Visit *visit, GstMemory *memory, AmphistoClDevice *device)
{
  AmphistoClPin *pin = NULL, *old;
  gboolean is_refused = FALSE;
  GstMapInfo map;

  if (gst_memory_map (memory, &map, GST_MAP_READ)) {
    pin = amphisto_cl_pin_new (
        device, map.data - memory->offset, memory->maxsize, &is_refused);
    gst_memory_unmap (memory, &map);
  }
  g_mutex_lock (&visits_lock);
  old = visit->pin; /* given up with the last user of its device */
  visit->pin = pin;
  visit->refused_by = is_refused ? device->home->number : 0;
  visit->is_pinning = FALSE;
  g_mutex_unlock (&visits_lock);
  g_clear_pointer (&old, amphisto_cl_pin_free);
}

/* Memory of other allocators may be at another address when it is mapped
 * again. */
static gboolean
can_pin (GstMemory *memory)
{
  return gst_memory_is_type (memory, GST_ALLOCATOR_SYSMEM)
      && !GST_MEMORY_IS_READONLY (memory) && memory->maxsize >= MIN_SIZE;
}

void
gst_amphisto_pins_note (GstBuffer *buffer, AmphistoClDevice *device)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);
    Visit *visit = can_pin (memory) ? note_visit (memory, device) : NULL;

    if (visit != NULL)
      pin (visit, memory, device);
  }
}

gboolean
gst_amphisto_pins_have (GstMemory *memory, const AmphistoClDevice *device)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&visits_lock);
  const Visit *visit = find_visit (memory);

  return visit != NULL && visit->pin != NULL
      && amphisto_cl_pin_is_for (visit->pin, device);
}
