/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/memory/allocation.h"

#include "element/memory/caps.h"
#include "element/memory/memory.h"
#include "element/memory/pins.h"
#include "element/memory/pool.h"

/* Bytes. Intel's driver imports memory only if its address and size are
 * multiples of this. */
#define MIN_ALIGNMENT 64

void
gst_amphisto_allocation_start (
    GstAmphistoAllocation *self, AmphistoClDevice *device)
{
  if (self->device == device)
    return;
  gst_amphisto_allocation_stop (self);
  *self = (GstAmphistoAllocation){ .device = amphisto_cl_device_ref (device) };
  if (!device->is_cpu)
    self->allocator = gst_amphisto_allocator_new (device);
}

void
gst_amphisto_allocation_stop (GstAmphistoAllocation *self)
{
  gst_clear_object (&self->allocator);
  g_clear_pointer (&self->device, amphisto_cl_device_unref);
}

/* --- the ALLOCATION query --- */

static gboolean
is_other (GstAllocator *allocator)
{
  return allocator != NULL && !GST_IS_AMPHISTO_ALLOCATOR (allocator)
      && g_strcmp0 (allocator->mem_type, GST_ALLOCATOR_SYSMEM) != 0;
}

/* Raises the alignment of downstream's allocation parameters, or adds some.
 *
 * Returns: whether downstream names an allocator of its own, whose memory it
 * may need: unixfdsink, for example, sends file descriptors. */
static gboolean
raise_alignment (GstQuery *query, gsize alignment)
{
  GstAllocationParams params;
  gboolean has_other = FALSE;

  gst_allocation_params_init (&params);
  if (gst_query_get_n_allocation_params (query) == 0)
    gst_query_add_allocation_param (query, NULL, &params);
  for (guint i = 0; i < gst_query_get_n_allocation_params (query); i++) {
    g_autoptr (GstAllocator) allocator = NULL;

    gst_query_parse_nth_allocation_param (query, i, &allocator, &params);
    params.align |= alignment - 1;
    gst_query_set_nth_allocation_param (query, i, allocator, &params);
    has_other |= is_other (allocator);
  }
  return has_other;
}

/* Puts the allocator before downstream's. The query must have allocation
 * parameters. */
static void
add_allocator (GstQuery *query, GstAllocator *allocator)
{
  g_autoptr (GstAllocator) theirs = NULL;
  GstAllocationParams params;

  gst_query_parse_nth_allocation_param (query, 0, &theirs, &params);
  gst_query_set_nth_allocation_param (query, 0, allocator, &params);
  if (theirs != NULL)
    gst_query_add_allocation_param (query, theirs, &params);
}

/* Alignment of planes and rows for importing them, in bytes; 0 for the default
 * layout, if the device copies frames or downstream does not support
 * GstVideoMeta. */
static gsize
layout_alignment (const AmphistoClDevice *device, GstQuery *query)
{
  if (!device->shares_host_memory
      || !gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL))
    return 0;
  return MAX (device->alignment, MIN_ALIGNMENT);
}

/* Returns: (transfer full): a pool for frames of `caps`. */
static GstBufferPool *
pool_new (const GstAmphistoAllocation *self, GstQuery *query, GstCaps *caps,
    guint size, guint min)
{
  GstBufferPool *pool = gst_amphisto_pool_new (
      self->allocator, layout_alignment (self->device, query));
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, size, min, 0);
  gst_buffer_pool_set_config (pool, config);
  return pool;
}

/* Adds an entry without a pool, to name a number of buffers. */
static void
add_minimum (GstQuery *query)
{
  GstVideoInfo info;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  if (caps != NULL && gst_amphisto_caps_parse (caps, &info))
    gst_query_add_allocation_pool (
        query, NULL, GST_VIDEO_INFO_SIZE (&info), 0, 0);
}

gboolean
gst_amphisto_allocation_is_of_other_memory (GstQuery *query)
{
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  return caps != NULL && gst_amphisto_caps_memory (caps) != NULL;
}

/* Asks for `n_others` buffers more than downstream does, as far as its pools
 * allow: with fewer buffers, fewer frames are in flight. */
static void
grow_pools (GstQuery *query, guint n_others)
{
  if (n_others > 0 && gst_query_get_n_allocation_pools (query) == 0)
    add_minimum (query);
  for (guint i = 0; i < gst_query_get_n_allocation_pools (query); i++) {
    g_autoptr (GstBufferPool) pool = NULL;
    guint size, min, max;

    gst_query_parse_nth_allocation_pool (query, i, &pool, &size, &min, &max);
    min += n_others;
    if (max > 0)
      min = MIN (min, max);
    gst_query_set_nth_allocation_pool (query, i, pool, size, min, max);
  }
}

/* Puts the element's pool before downstream's, with the same number of buffers,
 * or `n_others` if downstream proposes none. */
static void
add_pool (const GstAmphistoAllocation *self, GstQuery *query, guint n_others)
{
  g_autoptr (GstBufferPool) pool = NULL;
  g_autoptr (GstBufferPool) theirs = NULL;
  guint size = 0, min = n_others, max = 0;
  gboolean needs_pool;
  GstVideoInfo info;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, &needs_pool);
  if (caps == NULL || !gst_video_info_from_caps (&info, caps))
    return;
  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, &theirs, &size, &min, &max);
  else
    gst_query_add_allocation_pool (query, NULL, 0, 0, 0);
  if (theirs != NULL)
    gst_query_add_allocation_pool (query, theirs, size, min, max);
  size = MAX (size, GST_VIDEO_INFO_SIZE (&info));
  if (needs_pool)
    pool = pool_new (self, query, caps, size, min);
  gst_query_set_nth_allocation_pool (query, 0, pool, size, min, 0);
}

void
gst_amphisto_allocation_complete (
    const GstAmphistoAllocation *self, GstQuery *query, guint n_others)
{
  grow_pools (query, n_others);
  if (gst_amphisto_allocation_is_of_other_memory (query))
    return;
  if (raise_alignment (query, self->device->alignment)
      || self->allocator == NULL)
    return;
  add_allocator (query, self->allocator);
  add_pool (self, query, n_others);
}

/* --- metadata --- */

/* Whether upstream may attach metas of type `api`, which downstream
 * understands.
 *
 * The element follows GstVideoMeta: strides, offsets, padding. Regions of
 * interest, time codes, captions and the like describe the frame, and stay
 * true. Four do not:
 *
 * - GstVideoCropMeta: the caps describe a part of the buffer's frame. As with
 *   videoconvert, upstream crops; a part that begins within a chroma sample
 *   could not be followed here.
 * - GstVideoAffineTransformationMeta: the viewer sees the frame turned, and the
 *   scope with it.
 * - GstVideoOverlayCompositionMeta: text that upstream attaches is not in the
 *   frame. Whether it is measured and equalized, and whether the scope is above
 *   it, must not depend on the sink.
 * - GstVideoGLTextureUploadMeta: the texture holds the frame as it was before
 *   the change. */
static gboolean
may_come (GType api)
{
  return api != GST_VIDEO_CROP_META_API_TYPE
      && api != GST_VIDEO_AFFINE_TRANSFORMATION_META_API_TYPE
      && api != GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE
      && api != GST_VIDEO_GL_TEXTURE_UPLOAD_META_API_TYPE;
}

void
gst_amphisto_allocation_remove_metas (GstQuery *query)
{
  for (guint i = gst_query_get_n_allocation_metas (query); i-- > 0;)
    if (!may_come (gst_query_parse_nth_allocation_meta (query, i, NULL)))
      gst_query_remove_nth_allocation_meta (query, i);
}

/* Overlay compositions have no tags in GStreamer 1.22. */
gboolean
gst_amphisto_allocation_is_of_picture (const GstMeta *meta)
{
  static const gchar *const tags[] = { GST_META_TAG_VIDEO_STR,
    GST_META_TAG_VIDEO_SIZE_STR, GST_META_TAG_VIDEO_ORIENTATION_STR,
    GST_META_TAG_VIDEO_COLORSPACE_STR, GST_META_TAG_MEMORY_STR };
  const GType api = meta->info->api;

  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    if (gst_meta_api_type_has_tag (api, g_quark_from_string (tags[i])))
      return TRUE;
  return api == GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE;
}

/* --- buffers --- */

GstBufferPool *
gst_amphisto_allocation_new_pool (
    const GstAmphistoAllocation *self, const GstVideoInfo *info)
{
  GstBufferPool *pool = gst_video_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);
  GstAllocationParams params;

  gst_allocation_params_init (&params);
  params.align = self->device->alignment - 1;
  gst_buffer_pool_config_set_params (
      config, caps, GST_VIDEO_INFO_SIZE (info), 0, 0);
  gst_buffer_pool_config_set_allocator (config, self->allocator, &params);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (!gst_buffer_pool_set_config (pool, config)
      || !gst_buffer_pool_set_active (pool, TRUE))
    gst_clear_object (&pool);
  return pool;
}

void
gst_amphisto_allocation_note (
    const GstAmphistoAllocation *self, GstBuffer *buffer)
{
  if (self->memory == NULL && self->device->pins_memory)
    gst_amphisto_pins_note (buffer, self->device);
}

/* Whether the memory is writable and nobody else sees it. */
static gboolean
is_own (GstBuffer *buffer)
{
  if (!gst_buffer_is_writable (buffer)
      || !gst_buffer_is_all_memory_writable (buffer))
    return FALSE;
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    if (GST_MEMORY_IS_READONLY (gst_buffer_peek_memory (buffer, i)))
      return FALSE;
  return TRUE;
}

/* Whether writing would bring the frame to system memory: GStreamer maps
 * several memories without a GstVideoMeta as one, and replaces them by it. */
static gboolean
would_be_merged (const GstAmphistoAllocation *self, GstBuffer *buffer)
{
  return self->memory != NULL && gst_buffer_n_memory (buffer) > 1
      && gst_buffer_get_video_meta (buffer) == NULL;
}

/* Downloads to memory that is not pinned are slow; new buffers are pinned, in
 * system memory. */
gboolean
gst_amphisto_allocation_is_in_place (
    const GstAmphistoAllocation *self, GstBuffer *buffer)
{
  return is_own (buffer) && !would_be_merged (self, buffer)
      && (self->memory != NULL || !self->device->pins_memory
          || gst_amphisto_buffer_is_pinned (buffer, self->device));
}

/* GStreamer copies to system memory where an allocator can't make more. */
static gboolean
have_same_memory (GstBuffer *a, GstBuffer *b)
{
  for (guint i = 0; i < gst_buffer_n_memory (a); i++)
    if (!gst_memory_is_type (gst_buffer_peek_memory (b, i),
            gst_buffer_peek_memory (a, i)->allocator->mem_type))
      return FALSE;
  return TRUE;
}

GstBuffer *
gst_amphisto_allocation_copy (
    const GstAmphistoAllocation *self, GstBuffer *buffer, GError **error)
{
  const gboolean is_merged = would_be_merged (self, buffer);
  GstBuffer *copy = is_merged ? NULL : gst_buffer_copy_deep (buffer);

  if (copy != NULL && (self->memory == NULL || have_same_memory (buffer, copy)))
    return copy;
  gst_clear_buffer (&copy);
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE,
      "The frame can't be changed: %s, and downstream has no pool.",
      is_merged ? "it has several memories without a GstVideoMeta"
                : "it is not writable, its allocator makes no copies");
  gst_amphisto_caps_advise (self->memory, *error);
  return NULL;
}

void
gst_amphisto_allocation_warn (GstAmphistoAllocation *self, GstElement *element)
{
  if (self->has_warned || self->allocator == NULL
      || !gst_amphisto_allocator_was_refused (
          GST_AMPHISTO_ALLOCATOR (self->allocator)))
    return;
  self->has_warned = TRUE;
  GST_ELEMENT_WARNING (element, RESOURCE, NO_SPACE_LEFT,
      ("The driver of \"%s\" pins no more memory, or %" G_GSIZE_FORMAT
       " MiB are pinned already: some frames are in ordinary memory, which is "
       "copied to the device and back more slowly. Shorter queues need less.",
          self->device->name, self->device->home->pinned.limit >> 20),
      (NULL));
}
