/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define _GNU_SOURCE /* memfd_create() */
#include "othermemory.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct
{
  GstMemory parent;

  guint8 *data;
  gint n_mapped; /* atomic: frames in flight may share the memory */
  OtherMaps maps;
} OtherMemory;

G_DEFINE_TYPE (OtherAllocator, other_allocator, GST_TYPE_ALLOCATOR)

static GstMemory *
memory_new (GstAllocator *allocator, gconstpointer data, gsize size)
{
  OtherMemory *memory = g_new0 (OtherMemory, 1);

  memory->data = g_malloc0 (size);
  if (data != NULL)
    memcpy (memory->data, data, size);
  gst_memory_init (
      GST_MEMORY_CAST (memory), 0, allocator, NULL, size, 0, 0, size);
  return GST_MEMORY_CAST (memory);
}

static GstMemory *
memory_alloc (GstAllocator *allocator, gsize size, GstAllocationParams *params)
{
  return memory_new (allocator, NULL, size + params->prefix + params->padding);
}

static void
memory_free (GstAllocator *allocator, GstMemory *memory)
{
  (void) allocator;
  g_assert_cmpint (
      g_atomic_int_get (&((OtherMemory *) memory)->n_mapped), ==, 0);
  g_free (((OtherMemory *) memory)->data);
  g_free (memory);
}

static void
count (OtherMaps *maps, GstMapFlags flags)
{
  maps->n++;
  maps->n_read += (flags & GST_MAP_READ) != 0;
  maps->n_written += (flags & GST_MAP_WRITE) != 0;
}

static gpointer
memory_map (GstMemory *memory, GstMapInfo *info, gsize size)
{
  OtherAllocator *self = OTHER_ALLOCATOR (memory->allocator);
  OtherMemory *other = (OtherMemory *) memory;

  (void) size;
  if (info->flags & self->refused)
    return NULL;
  if (g_atomic_int_add (&other->n_mapped, 1) == 0) {
    count (&self->maps, info->flags);
    count (&other->maps, info->flags);
  }
  return other->data;
}

static void
memory_unmap (GstMemory *memory)
{
  g_atomic_int_add (&((OtherMemory *) memory)->n_mapped, -1);
}

/* Without a map, as a GPU copies. */
static GstMemory *
memory_copy (GstMemory *memory, gssize offset, gssize size)
{
  g_assert_cmpint (offset, ==, 0);
  return memory_new (memory->allocator, ((OtherMemory *) memory)->data,
      size < 0 ? memory->size : (gsize) size);
}

static void
other_allocator_class_init (OtherAllocatorClass *class)
{
  GST_ALLOCATOR_CLASS (class)->alloc = memory_alloc;
  GST_ALLOCATOR_CLASS (class)->free = memory_free;
}

static void
other_allocator_init (OtherAllocator *self)
{
  GstAllocator *allocator = GST_ALLOCATOR (self);

  allocator->mem_type = OTHER_MEMORY;
  allocator->mem_map_full = memory_map;
  allocator->mem_unmap = memory_unmap;
}

OtherAllocator *
other_allocator_new (gboolean makes_copies)
{
  OtherAllocator *self = g_object_new (other_allocator_get_type (), NULL);

  gst_object_ref_sink (self);
  if (makes_copies)
    GST_ALLOCATOR (self)->mem_copy = memory_copy;
  else
    GST_OBJECT_FLAG_SET (self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
  return self;
}

OtherMaps
other_memory_maps (GstMemory *memory)
{
  return ((OtherMemory *) memory)->maps;
}

GstBuffer *
other_allocator_move (OtherAllocator *self, GstBuffer *buffer)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);
    GstMapInfo map;

    g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ));
    memory = memory_new (GST_ALLOCATOR (self), map.data, map.size);
    gst_memory_unmap (map.memory, &map);
    gst_buffer_replace_memory (buffer, i, memory);
  }
  return buffer;
}

/* --- kinds of memory --- */

/* A frame with the picture's bytes in a file in memory, opened with `flags`.
 * DMABufs are files, too. */
static GstBuffer *
picture_in_file (Picture *picture, MemoryKind kind, int flags)
{
  g_autoptr (GstAllocator) allocator =
      kind == DMABUF ? gst_dmabuf_allocator_new () : gst_fd_allocator_new ();
  GstBuffer *buffer = picture_wrap (picture);
  const int file = memfd_create ("frame", MFD_CLOEXEC);
  g_autofree gchar *path = g_strdup_printf ("/proc/self/fd/%d", file);
  const int fd = open (path, flags | O_CLOEXEC);

  fail_unless (
      write (file, picture->data, picture->size) == (gssize) picture->size);
  close (file);
  fail_unless (fd >= 0);
  gst_buffer_replace_all_memory (buffer,
      kind == DMABUF ? gst_dmabuf_allocator_alloc (allocator, fd, picture->size)
                     : gst_fd_allocator_alloc (allocator, fd, picture->size,
                         GST_FD_MEMORY_FLAG_NONE));
  return buffer;
}

GstBuffer *
frame_new (
    OtherAllocator *allocator, MemoryKind kind, Picture *picture, int flags)
{
  GstBuffer *buffer;

  if (kind >= DMABUF)
    return picture_in_file (picture, kind, flags);
  buffer = other_allocator_move (allocator,
      kind == OTHER ? picture_wrap (picture)
                    : picture_wrap_planes (picture, 0));
  if (kind == TWO_PLANES)
    gst_buffer_remove_memory (buffer, 2);
  else if (kind == WITHOUT_META)
    gst_buffer_remove_meta (
        buffer, gst_buffer_get_meta (buffer, GST_VIDEO_META_API_TYPE));
  return buffer;
}

/* --- works --- */

static const struct
{
  gint equalization, scopes, exposure;
} works[N_WORKS] = {
  { AMPHISTO_EQUALIZATION_NONE, 0, 0 }, { AMPHISTO_EQUALIZATION_GLOBAL, 0, 0 },
  { AMPHISTO_EQUALIZATION_CLAHE, 0, 0 }, { AMPHISTO_EQUALIZATION_NONE, 1, 0 },
  { AMPHISTO_EQUALIZATION_NONE, 0, 1 },
  { AMPHISTO_EQUALIZATION_GLOBAL, 0, 1 }, /* can't be in place */
};

GstHarness *
harness_new_at_work (guint work)
{
  return harness_new ("channels", CHANNELS_ALL, "equalization",
      works[work].equalization, "scopes", works[work].scopes, "exposure",
      works[work].exposure, "qos", FALSE, NULL);
}

GstCaps *
feature_caps (const Picture *picture, const gchar *feature)
{
  GstCaps *caps =
      video_caps (picture->format->name, picture->width, picture->height, NULL);

  gst_caps_set_features (caps, 0, gst_caps_features_new (feature, NULL));
  return caps;
}

void
set_feature (GstHarness *h, const Picture *picture, const gchar *feature)
{
  gst_harness_set_src_caps (h, feature_caps (picture, feature));
}

Picture *
picture_worked (const Picture *picture, guint work)
{
  GstHarness *h = harness_new_at_work (work);
  Picture *worked = picture_copy (picture);

  harness_set_caps (h, worked);
  harness_change (h, worked, 0);
  harness_free (h);
  return worked;
}

void
assert_memory (GstBuffer *buffer, const gchar *type)
{
  fail_unless (gst_buffer_n_memory (buffer) > 0);
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    fail_unless (gst_memory_is_type (gst_buffer_peek_memory (buffer, i), type));
}
