/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Other memory than the system's, such as a GPU has: its allocator counts maps
 * and may refuse them. Memory in files. Work to try on frames in them.
 */

#pragma once

#include <gst/allocators/gstdmabuf.h>

#include "harnesses.h"

#define OTHER_MEMORY "OtherMemory"
#define FEATURE "memory:Other" /* of caps */

G_DECLARE_FINAL_TYPE (
    OtherAllocator, other_allocator, OTHER, ALLOCATOR, GstAllocator)

/* Maps of memory that was not mapped. A GPU would download it for reading, and
 * upload it after writing. */
typedef struct
{
  guint n;
  guint n_read;
  guint n_written;
} OtherMaps;

struct _OtherAllocator
{
  GstAllocator parent;

  GstMapFlags refused; /* maps with one of these flags fail */
  OtherMaps maps;      /* of all memories */
};

/* Returns: (transfer full): an allocator. `makes_copies`: else its memory is
 * copied to system memory. */
OtherAllocator *other_allocator_new (gboolean makes_copies);

/* Replaces the memories of the buffer by copies in other memory. */
GstBuffer *other_allocator_move (OtherAllocator *self, GstBuffer *buffer);

/* Returns: the maps of a memory of this kind. */
OtherMaps other_memory_maps (GstMemory *memory);

/* --- kinds of memory --- */

typedef enum
{
  OTHER,
  PLANES,       /* a memory for each plane */
  TWO_PLANES,   /* the same, without the last one */
  WITHOUT_META, /* the same, without a GstVideoMeta */
  DMABUF,
  FD /* a file that is no DMABuf */
} MemoryKind;

/* A frame in memory of the kind, with the picture's bytes. For files,
 * `allocator` may be NULL, and `flags` are those of open(). */
GstBuffer *frame_new (
    OtherAllocator *allocator, MemoryKind kind, Picture *picture, int flags);

/* --- works --- */

/* Work 0 measures, the others change pixels; the last one can't be in place. */
#define N_WORKS 6

/* A harness that does work `work`, and measures all channels. */
GstHarness *harness_new_at_work (guint work);

/* Caps of the picture with the feature. */
GstCaps *feature_caps (const Picture *picture, const gchar *feature);

void set_feature (GstHarness *h, const Picture *picture, const gchar *feature);

/* The picture as the element makes it of a frame in system memory. */
Picture *picture_worked (const Picture *picture, guint work);

/* All memories of the buffer are of the type. */
void assert_memory (GstBuffer *buffer, const gchar *type);
