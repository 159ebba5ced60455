/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/memory/pins.h"

#include "opencl/device/host.h"

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

/* Bytes. Copies of less memory gain too little to pin it. */
#define MIN_SIZE (64 * 1024)

/* What a memory's visits have left for one device. */
typedef struct
{
  AmphistoClPin *pin; /* NULL: not pinned, or refused */
  gboolean is_refused;
} Visit;

/* Protects the visits of all memories: two elements may have the same. */
static GMutex visits_lock;

static void
visit_free (gpointer data)
{
  Visit *visit = data;

  g_clear_pointer (&visit->pin, amphisto_cl_pin_free);
  g_free (visit);
}

static GQuark
visits_quark (void)
{
  return g_quark_from_static_string ("GstAmphistoVisits");
}

/* Returns: the memory's visits by device. Devices are not referenced, only
 * compared. Call with the lock held. */
static GHashTable *
visits_of (GstMemory *memory)
{
  GHashTable *visits = gst_mini_object_get_qdata (
      GST_MINI_OBJECT_CAST (memory), visits_quark ());

  if (visits == NULL) {
    visits = g_hash_table_new_full (NULL, NULL, NULL, visit_free);
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (memory), visits_quark (),
        visits, (GDestroyNotify) g_hash_table_unref);
  }
  return visits;
}

/* Pins all of the memory, whatever part of it is in use now. */
static void
pin (Visit *visit, GstMemory *memory, AmphistoClDevice *device)
{
  GstMapInfo map;

  g_clear_pointer (&visit->pin, amphisto_cl_pin_free);
  if (gst_memory_map (memory, &map, GST_MAP_READ)) {
    visit->pin = amphisto_cl_pin_new (
        device, map.data - memory->offset, memory->maxsize);
    gst_memory_unmap (memory, &map);
  }
  visit->is_refused = visit->pin == NULL;
  GST_CAT_DEBUG (GST_CAT_DEFAULT, "%s %" G_GSIZE_FORMAT " bytes of an element",
      visit->is_refused ? "can't pin" : "pinned", memory->maxsize);
}

/* Memory of other allocators may be at another address when it is mapped
 * again. */
static gboolean
can_pin (GstMemory *memory)
{
  return gst_memory_is_type (memory, GST_ALLOCATOR_SYSMEM)
      && !GST_MEMORY_IS_READONLY (memory) && memory->maxsize >= MIN_SIZE;
}

static gboolean
is_pinned (const Visit *visit, const AmphistoClDevice *device)
{
  return visit != NULL && visit->pin != NULL
      && amphisto_cl_pin_is_for (visit->pin, device);
}

static void
note_memory (GstMemory *memory, AmphistoClDevice *device)
{
  GHashTable *visits = visits_of (memory);
  Visit *visit = g_hash_table_lookup (visits, device);

  if (visit == NULL)
    g_hash_table_insert (visits, device, g_new0 (Visit, 1));
  else if (!visit->is_refused && !is_pinned (visit, device))
    pin (visit, memory, device);
}

void
gst_amphisto_pins_note (GstBuffer *buffer, AmphistoClDevice *device)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&visits_lock);

  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);

    if (can_pin (memory))
      note_memory (memory, device);
  }
}

gboolean
gst_amphisto_pins_have (GstMemory *memory, const AmphistoClDevice *device)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&visits_lock);

  return is_pinned (g_hash_table_lookup (visits_of (memory), device), device);
}
