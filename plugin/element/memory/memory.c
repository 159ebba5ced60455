/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/memory/memory.h"

#include "element/memory/pins.h"
#include "opencl/device/host.h"

#include <string.h>

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

typedef struct
{
  GstMemory parent;

  AmphistoClHost *host; /* owned, or the parent's */
  guint8 *data;         /* aligned, in `host` */
} Memory;

struct _GstAmphistoAllocator
{
  GstAllocator parent;

  AmphistoClDevice *device;
  gint was_refused; /* atomic */
};

G_DEFINE_TYPE (GstAmphistoAllocator, gst_amphisto_allocator, GST_TYPE_ALLOCATOR)

/* --- memory --- */

static GstMemory *
allocate (GstAllocator *allocator, gsize size, GstAllocationParams *params)
{
  GstAmphistoAllocator *self = GST_AMPHISTO_ALLOCATOR (allocator);
  const gsize align = params->align | gst_memory_alignment;
  const gsize extra = params->prefix + params->padding;
  Memory *memory;
  AmphistoClHost *host;

  if (size > G_MAXSSIZE - extra - align)
    return NULL;
  /* blocks of a page or more begin at a page boundary */
  host = amphisto_cl_host_new (
      self->device, MAX (size + extra + align, GST_AMPHISTO_PAGE_MASK + 1));
  if (host == NULL)
    return NULL;
  GST_DEBUG_OBJECT (self, "%" G_GSIZE_FORMAT " bytes, %s", host->size,
      host->is_pinned ? "pinned" : "not pinned");
  if (self->device->pins_memory && !host->is_pinned)
    g_atomic_int_set (&self->was_refused, TRUE);

  memory = g_new0 (Memory, 1);
  memory->host = host;
  memory->data = (guint8 *) (((guintptr) host->data + align) & ~align);
  if (params->flags & GST_MEMORY_FLAG_ZERO_PREFIXED)
    memset (memory->data, 0, params->prefix);
  if (params->flags & GST_MEMORY_FLAG_ZERO_PADDED)
    memset (memory->data + params->prefix + size, 0, params->padding);
  gst_memory_init (GST_MEMORY_CAST (memory), params->flags, allocator, NULL,
      size + extra, align, params->prefix, size);
  return GST_MEMORY_CAST (memory);
}

static void
memory_free (GstAllocator *allocator, GstMemory *memory)
{
  Memory *self = (Memory *) memory;

  (void) allocator;
  if (memory->parent == NULL)
    amphisto_cl_host_free (self->host);
  g_free (self);
}

static gpointer
memory_map (GstMemory *memory, gsize size, GstMapFlags flags)
{
  (void) size;
  (void) flags;
  return ((Memory *) memory)->data;
}

static void
memory_unmap (GstMemory *memory)
{
  (void) memory;
}

/* The parent owns the bytes. */
static GstMemory *
memory_share (GstMemory *memory, gssize offset, gssize size)
{
  GstMemory *whole = memory->parent != NULL ? memory->parent : memory;
  Memory *self = g_new0 (Memory, 1);

  self->host = ((Memory *) memory)->host;
  self->data = ((Memory *) memory)->data;
  gst_memory_init (GST_MEMORY_CAST (self),
      GST_MINI_OBJECT_FLAGS (whole) | GST_MINI_OBJECT_FLAG_LOCK_READONLY,
      memory->allocator, whole, memory->maxsize, memory->align,
      memory->offset + offset, size < 0 ? memory->size - offset : (gsize) size);
  return GST_MEMORY_CAST (self);
}

static gboolean
is_own_pinned (GstMemory *memory, const AmphistoClDevice *device)
{
  return GST_IS_AMPHISTO_ALLOCATOR (memory->allocator)
      && GST_AMPHISTO_ALLOCATOR (memory->allocator)->device->home
      == device->home
      && ((Memory *) memory)->host->is_pinned;
}

gboolean
gst_amphisto_buffer_is_pinned (
    GstBuffer *buffer, const AmphistoClDevice *device)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);

    if (!is_own_pinned (memory, device)
        && !gst_amphisto_pins_have (memory, device))
      return FALSE;
  }
  return TRUE;
}

/* --- the allocator --- */

static void
gst_amphisto_allocator_finalize (GObject *object)
{
  GstAmphistoAllocator *self = GST_AMPHISTO_ALLOCATOR (object);

  amphisto_cl_device_unref (self->device);
  G_OBJECT_CLASS (gst_amphisto_allocator_parent_class)->finalize (object);
}

static void
gst_amphisto_allocator_class_init (GstAmphistoAllocatorClass *class)
{
  G_OBJECT_CLASS (class)->finalize = gst_amphisto_allocator_finalize;
  GST_ALLOCATOR_CLASS (class)->alloc = allocate;
  GST_ALLOCATOR_CLASS (class)->free = memory_free;
}

static void
gst_amphisto_allocator_init (GstAmphistoAllocator *self)
{
  GstAllocator *allocator = GST_ALLOCATOR (self);

  allocator->mem_type = "AmphistoMemory";
  allocator->mem_map = memory_map;
  allocator->mem_unmap = memory_unmap;
  allocator->mem_share = memory_share;
}

GstAllocator *
gst_amphisto_allocator_new (AmphistoClDevice *device)
{
  GstAmphistoAllocator *self = g_object_new (GST_TYPE_AMPHISTO_ALLOCATOR, NULL);

  gst_object_ref_sink (self);
  self->device = amphisto_cl_device_ref (device);
  return GST_ALLOCATOR (self);
}

gboolean
gst_amphisto_allocator_was_refused (GstAmphistoAllocator *self)
{
  return g_atomic_int_and ((guint *) &self->was_refused, 0) != 0;
}
