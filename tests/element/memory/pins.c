/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory of other elements that comes again, on a made-up device with memory of
 * its own: when it is pinned, how long, and which memory is not.
 */

#include "clfaults.h"
#include "cldevices.h"
#include "harnesses.h"

/* A picture of 76800 bytes, and a harness. */
typedef struct
{
  GstHarness *h;
  Picture *picture;
  Picture *equalized;
} Fixture;

/* device: NULL: the default. */
static Fixture
fixture_new_on (const gchar *device, guint equalization)
{
  Fixture self;

  self.picture = picture_new ("GRAY8", 320, 240, PICTURE_TIGHT, 20, 90, 1);
  self.equalized = picture_equalized (self.picture);
  self.h = harness_new_for (
      self.picture, "device", device, "equalization", equalization, NULL);
  clfaults_count (CLFAULTS_IMPORT);
  return self;
}

/* has_own_memory: the device's memory is not the host's. */
static Fixture
fixture_new (guint equalization, gboolean has_own_memory)
{
  cldevices_set_kind (
      has_own_memory ? CL_KIND_OWN_MEMORY : CL_KIND_SHARES_MEMORY);
  return fixture_new_on (NULL, equalization);
}

static void
fixture_clear (Fixture *self)
{
  harness_free (self->h);
  picture_free (self->equalized);
  picture_free (self->picture);
}

/* A frame in new system memory with these flags. */
static GstBuffer *
new_frame (const Fixture *self, GstMemoryFlags flags)
{
  const gsize size = 320 * 240;

  return gst_buffer_new_wrapped_full (flags,
      g_memdup2 (picture_row (self->picture, 0, 0), size), size, 0, size, NULL,
      g_free);
}

/* Sends the frame's memory, which stays as it is, once more. */
static void
send (Fixture *self, GstBuffer *frame)
{
  g_autoptr (GstBuffer) out = harness_run (self->h, gst_buffer_ref (frame));

  assert_pixels (out, self->equalized);
  assert_pixels (frame, self->picture);
}

/* Memory is pinned when it comes for the second time, once. */
TEST (test_recurs)
{
  Fixture self = fixture_new (AMPHISTO_EQUALIZATION_GLOBAL, TRUE);
  GstBuffer *frames[3];

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    frames[i] = new_frame (&self, 0);
    send (&self, frames[i]);
  }
  fail_unless_equals_int (clfaults_n_calls (), 0);
  for (guint n = 0; n < 3; n++)
    for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
      send (&self, frames[i]);
  fail_unless_equals_int (clfaults_n_calls (), G_N_ELEMENTS (frames));
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
    gst_buffer_unref (frames[i]);
  fixture_clear (&self);
}

/* A frame in pinned memory that nobody else sees changes in place. */
TEST (test_in_place)
{
  Fixture self = fixture_new (AMPHISTO_EQUALIZATION_GLOBAL, TRUE);
  GstBuffer *frame = new_frame (&self, 0);
  g_autoptr (GstBuffer) out = NULL;

  send (&self, frame);
  out = harness_run (self.h, frame);
  fail_unless (out == frame);
  assert_pixels (out, self.equalized);
  fixture_clear (&self);
}

/* Pins are freed with the memory, while the element runs. */
TEST (test_freed)
{
  Fixture self = fixture_new (AMPHISTO_EQUALIZATION_NONE, TRUE);
  GstBuffer *frame = new_frame (&self, 0);
  gint n_alive;

  gst_buffer_unref (harness_run (self.h, gst_buffer_ref (frame)));
  n_alive = clfaults_n_alive ();
  gst_buffer_unref (harness_run (self.h, gst_buffer_ref (frame)));
  fail_unless_equals_int (clfaults_n_alive (), n_alive + 1);
  gst_buffer_unref (frame);
  fail_unless_equals_int (clfaults_n_alive (), n_alive);
  fixture_clear (&self);
}

/* Memory outlives the element. An element that comes later pins it anew. */
TEST (test_outlives)
{
  const gint n_alive = clfaults_n_alive ();
  GstBuffer *frame = NULL;

  for (guint n = 0; n < 3; n++) {
    Fixture self = fixture_new (AMPHISTO_EQUALIZATION_GLOBAL, TRUE);

    if (frame == NULL)
      frame = new_frame (&self, 0);
    send (&self, frame);
    send (&self, frame);
    fail_unless_equals_int (clfaults_n_calls (), 1);
    fixture_clear (&self);
    fail_unless_equals_int (clfaults_n_alive (), n_alive);
  }
  gst_buffer_unref (frame);
  fail_unless_equals_int (clfaults_n_alive (), n_alive);
}

/* Elements on the same device share the pin. */
TEST (test_shared)
{
  Fixture a = fixture_new (AMPHISTO_EQUALIZATION_GLOBAL, TRUE);
  Fixture b = fixture_new (AMPHISTO_EQUALIZATION_NONE, TRUE);
  GstBuffer *frame = new_frame (&a, 0);

  for (guint n = 0; n < 3; n++) {
    send (&a, frame);
    gst_buffer_unref (harness_run (b.h, gst_buffer_ref (frame)));
  }
  fail_unless_equals_int (clfaults_n_calls (), 1);
  fixture_clear (&a);
  send (&(Fixture){ b.h, b.picture, b.picture }, frame);
  gst_buffer_unref (frame);
  fixture_clear (&b);
}

/* Sends the memory to each element, and once more. */
static void
send_to_all (Fixture *fixtures, guint n, GstBuffer *frame)
{
  for (guint i = 0; i < 2 * n; i++)
    send (&fixtures[i % n], frame);
}

/* Elements in all contexts of the device share the pin. It holds after the
 * elements in the first context are gone. */
TEST (test_contexts)
{
  Fixture fixtures[4];
  GstBuffer *frame;

  for (guint i = 0; i < G_N_ELEMENTS (fixtures); i++)
    fixtures[i] = fixture_new (AMPHISTO_EQUALIZATION_GLOBAL, TRUE);
  frame = new_frame (&fixtures[0], 0);
  send_to_all (fixtures, G_N_ELEMENTS (fixtures), frame);
  fixture_clear (&fixtures[0]);
  fixture_clear (&fixtures[1]);
  send_to_all (&fixtures[2], 2, frame);
  fail_unless_equals_int (clfaults_n_calls (), 1);
  gst_buffer_unref (frame);
  fixture_clear (&fixtures[2]);
  fixture_clear (&fixtures[3]);
}

/* Memory is pinned for one device, and for another one when that is closed. */
TEST (test_devices)
{
  static const ClDevice gpus[] = { { "A", CL_DEVICE_TYPE_GPU, "gpu-0", NULL },
    { "A", CL_DEVICE_TYPE_GPU, "gpu-1", NULL } };
  Fixture fixtures[2];
  GstBuffer *frame;

  cldevices_set_kind (CL_KIND_OWN_MEMORY);
  cldevices_set (gpus, G_N_ELEMENTS (gpus));
  for (guint i = 0; i < G_N_ELEMENTS (gpus); i++)
    fixtures[i] = fixture_new_on (gpus[i].name, AMPHISTO_EQUALIZATION_GLOBAL);
  frame = new_frame (&fixtures[0], 0);
  send_to_all (fixtures, 2, frame);
  fail_unless_equals_int (clfaults_n_calls (), 1);
  fixture_clear (&fixtures[1]);
  send (&fixtures[0], frame);
  fail_unless_equals_int (clfaults_n_calls (), 2);
  gst_buffer_unref (frame);
  fixture_clear (&fixtures[0]);
}

/* All of the memory is pinned, whatever part of it the frame is. */
TEST (test_part)
{
  const gsize size = 320 * 240;
  guint8 *memory = g_malloc0 (2 * size);
  Fixture self = fixture_new (AMPHISTO_EQUALIZATION_GLOBAL, TRUE);
  g_autoptr (GstBuffer) frame = gst_buffer_new_wrapped_full (
      0, memory, 2 * size, size, size, memory, g_free);

  memcpy (memory + size, picture_row (self.picture, 0, 0), size);
  for (guint n = 0; n < 2; n++)
    send (&self, frame);
  fail_unless (clfaults_imported () == memory);
  fixture_clear (&self);
}

/* Read-only memory is not pinned. */
TEST (test_read_only)
{
  Fixture self = fixture_new (AMPHISTO_EQUALIZATION_GLOBAL, TRUE);
  g_autoptr (GstBuffer) frame = new_frame (&self, GST_MEMORY_FLAG_READONLY);

  for (guint n = 0; n < 4; n++)
    send (&self, frame);
  fail_unless_equals_int (clfaults_n_calls (), 0);
  fixture_clear (&self);
}

/* Memory that the driver refuses is not tried again, and copied as before. */
TEST (test_refused)
{
  Fixture self = fixture_new (AMPHISTO_EQUALIZATION_GLOBAL, TRUE);
  g_autoptr (GstBuffer) frame = new_frame (&self, 0);

  send (&self, frame);
  clfaults_set (CLFAULTS_IMPORT, 1);
  send (&self, frame);
  fail_unless (clfaults_failed () != NULL);
  clfaults_count (CLFAULTS_IMPORT);
  send (&self, frame);
  fail_unless_equals_int (clfaults_n_calls (), 0);
  fixture_clear (&self);
}

/* Another device is asked anew, whatever its address. */
TEST (test_refused_before)
{
  GstBuffer *frame = NULL;

  for (guint n = 0; n < 2; n++) {
    Fixture self = fixture_new (AMPHISTO_EQUALIZATION_GLOBAL, TRUE);

    if (frame == NULL)
      frame = new_frame (&self, 0);
    send (&self, frame);
    clfaults_set (n == 0 ? CLFAULTS_IMPORT : NULL, n == 0);
    send (&self, frame);
    fail_unless_equals_int (clfaults_n_calls (), 1);
    fixture_clear (&self);
  }
  gst_buffer_unref (frame);
}

/* --- memory that can't be mapped --- */

static guint n_refused_maps; /* how many of the next maps fail */

static gpointer
map_some (GstMemory *memory, gsize size, GstMapFlags flags)
{
  (void) size;
  (void) flags;
  if (n_refused_maps == 0)
    return (guint8 *) memory + sizeof (GstMemory);
  n_refused_maps--;
  return NULL;
}

static void
unmap (GstMemory *memory)
{
  (void) memory;
}

static GstMemory *
allocate (GstAllocator *allocator, gsize size, GstAllocationParams *params)
{
  GstMemory *memory = g_malloc (sizeof (GstMemory) + size);

  (void) params;
  gst_memory_init (memory, 0, allocator, NULL, size, 0, 0, size);
  return memory;
}

static void
free_memory (GstAllocator *allocator, GstMemory *memory)
{
  (void) allocator;
  g_free (memory);
}

typedef GstAllocator Allocator;
typedef GstAllocatorClass AllocatorClass;

GType allocator_get_type (void);
G_DEFINE_TYPE (Allocator, allocator, GST_TYPE_ALLOCATOR)

static void
allocator_class_init (AllocatorClass *class)
{
  class->alloc = allocate;
  class->free = free_memory;
}

static void
allocator_init (Allocator *self)
{
  self->mem_type = GST_ALLOCATOR_SYSMEM;
  self->mem_map = map_some;
  self->mem_unmap = unmap;
}

/* Memory whose map fails once is pinned the next time. */
TEST (test_map)
{
  Fixture self = fixture_new (AMPHISTO_EQUALIZATION_GLOBAL, TRUE);
  GstAllocator *allocator =
      gst_object_ref_sink (g_object_new (allocator_get_type (), NULL));
  g_autoptr (GstBuffer) frame =
      gst_buffer_new_allocate (allocator, 320 * 240, NULL);

  gst_buffer_fill (frame, 0, picture_row (self.picture, 0, 0), 320 * 240);
  send (&self, frame);
  n_refused_maps = 1;
  send (&self, frame);
  fail_unless_equals_int (n_refused_maps, 0);
  fail_unless_equals_int (clfaults_n_calls (), 0);
  send (&self, frame);
  fail_unless_equals_int (clfaults_n_calls (), 1);
  gst_object_unref (allocator);
  fixture_clear (&self);
}

/* Devices that share the host's memory pin nothing. */
TEST (test_shares_memory)
{
  Fixture self = fixture_new (AMPHISTO_EQUALIZATION_NONE, FALSE);
  g_autoptr (GstBuffer) frame = new_frame (&self, 0);
  gint n_alive;

  gst_buffer_unref (harness_run (self.h, gst_buffer_ref (frame)));
  n_alive = clfaults_n_alive ();
  for (guint n = 0; n < 3; n++)
    gst_buffer_unref (harness_run (self.h, gst_buffer_ref (frame)));
  fail_unless_equals_int (clfaults_n_alive (), n_alive);
  fixture_clear (&self);
}

const ElementTest element_tests[] = { ONCE (test_recurs), ONCE (test_in_place),
  ONCE (test_freed), ONCE (test_outlives), ONCE (test_shared),
  ONCE (test_contexts), ONCE (test_devices), ONCE (test_part),
  ONCE (test_read_only), ONCE (test_refused), ONCE (test_refused_before),
  ONCE (test_map), ONCE (test_shares_memory), { 0 } };
