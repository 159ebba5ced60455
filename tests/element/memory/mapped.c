/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames in other memory than the system's, with planes in memories of their
 * own, or in files: only the planes that are needed are mapped, and memory that
 * can't be written is refused.
 */

#define _GNU_SOURCE /* memfd_create() */
#include <fcntl.h>
#include <gst/allocators/gstdmabuf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "othermemory.h"

/* --- planes in memories of their own --- */

static GstBuffer *
wrap_planes (OtherAllocator *allocator, Picture *picture)
{
  return other_allocator_move (allocator, picture_wrap_planes (picture, 0));
}

static const struct
{
  gint channels, equalization;
  gboolean keeps_colors, verifies;
  const gchar *read, *written; /* planes */
} planes_works[] = {
  { CHANNELS_LUMA, EQUALIZATION_NONE, TRUE, FALSE, "0", "" },
  { CHANNELS_CHROMA, EQUALIZATION_NONE, TRUE, FALSE, "12", "" },
  { CHANNELS_RGB, EQUALIZATION_NONE, TRUE, FALSE, "012", "" },
  { CHANNELS_LUMA, EQUALIZATION_NONE, TRUE, TRUE, "012", "" },
  { CHANNELS_LUMA, EQUALIZATION_GLOBAL, FALSE, FALSE, "0", "0" },
  { CHANNELS_CHROMA, EQUALIZATION_CLAHE, FALSE, FALSE, "012", "0" },
  { CHANNELS_LUMA, EQUALIZATION_GLOBAL, FALSE, TRUE, "012", "0" },
  { CHANNELS_LUMA, EQUALIZATION_GLOBAL, TRUE, FALSE, "012", "012" },
  { CHANNELS_LUMA, EQUALIZATION_CLAHE, TRUE, TRUE, "012", "012" },
};

/* Each plane is mapped once if it is needed, and for writing if it changes. */
static void
check_planes_mapped (
    guint work, const gchar *format, const gchar *interlace_mode)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture =
      picture_new (format, 33, 18, PICTURE_TIGHT, 20, 130, 1);
  g_autoptr (Harness) h = harness_new ("channels", planes_works[work].channels,
      "equalization", planes_works[work].equalization, "keep-colors",
      planes_works[work].keeps_colors, "verify", planes_works[work].verifies,
      NULL);
  g_autoptr (GstBuffer) out = NULL;
  GstCaps *caps = feature_caps (picture, FEATURE);

  gst_caps_set_simple (
      caps, "interlace-mode", G_TYPE_STRING, interlace_mode, NULL);
  gst_harness_set_src_caps (h, caps);
  out = harness_run (h, wrap_planes (allocator, picture));
  fail_unless_equals_int (gst_buffer_n_memory (out), 3);
  for (guint p = 0; p < 3; p++) {
    const OtherMaps maps = other_memory_maps (gst_buffer_peek_memory (out, p));
    const gboolean is_read = strchr (planes_works[work].read, '0' + p) != NULL;

    fail_unless_equals_int (maps.n, is_read);
    fail_unless_equals_int (maps.n_read, is_read);
    fail_unless_equals_int (
        maps.n_written, strchr (planes_works[work].written, '0' + p) != NULL);
  }
}

TEST (test_planes_mapped)
{
  check_planes_mapped (__i__, "I420", "progressive");
  check_planes_mapped (__i__, "I420", "interleaved");
  check_planes_mapped (__i__, "Y42B", "progressive");
}

/* Odd sizes change as in system memory: in place and elsewhere. */
TEST (test_planes_changed)
{
  static const guint changing[] = { 1, 2, 4, 5 };
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture = picture_new (
      picture_formats[__i__].name, 33, 17, PICTURE_TIGHT, 20, 130, 1);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (changing); i++) {
    GstHarness *h = harness_new_at_work (changing[i / 2]);
    g_autoptr (Picture) expected = picture_worked (picture, changing[i / 2]);
    GstBuffer *buffer = wrap_planes (allocator, picture);
    g_autoptr (GstBuffer) shared = i & 1 ? gst_buffer_ref (buffer) : NULL;
    g_autoptr (GstBuffer) out = NULL;

    set_feature (h, picture, FEATURE);
    out = harness_run (h, buffer);
    assert_histograms (out, picture, ALL_NAMES);
    assert_memory (out, OTHER_MEMORY);
    assert_pixels (out, expected);
    if (shared != NULL)
      assert_pixels (shared, picture);
    harness_free (h);
  }
}

/* A plane that exceeds its memory is an error even if the plan does not need
 * it. The first case removes the memory, the others falsify the stride. */
static const struct
{
  gint stride;
  const gchar *text; /* of the error */
} falsified[] = { { 0, "I420" }, { 1, "rows of plane 2 are 1 bytes apart" },
  { -16, "rows of plane 2 are -16 bytes apart" }, { 4096, "plane 2 with" } };

TEST (test_plane_falsified)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (Harness) h = harness_new (NULL, NULL);
  GstBuffer *buffer = wrap_planes (allocator, picture);

  if (falsified[__i__].stride == 0)
    gst_buffer_remove_memory (buffer, 2);
  else
    gst_buffer_get_video_meta (buffer)->stride[2] = falsified[__i__].stride;
  set_feature (h, picture, FEATURE);
  harness_fail (h, buffer, GST_RESOURCE_ERROR_READ, falsified[__i__].text);
}

/* --- several memories without a GstVideoMeta --- */

static GstBuffer *
wrap_planes_without_meta (OtherAllocator *allocator, Picture *picture)
{
  GstBuffer *buffer = wrap_planes (allocator, picture);

  gst_buffer_remove_meta (
      buffer, gst_buffer_get_meta (buffer, GST_VIDEO_META_API_TYPE));
  return buffer;
}

/* GStreamer merges memories without a GstVideoMeta to map them as one. The
 * frame keeps its own. */
TEST (test_measured_without_meta)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture =
      picture_new ("I420", 64, 32, PICTURE_TIGHT, 20, 130, 1);
  g_autoptr (Harness) h = harness_new_at_work (0);
  g_autoptr (GstBuffer) out = NULL;

  set_feature (h, picture, FEATURE);
  out = harness_run (h, wrap_planes_without_meta (allocator, picture));
  assert_histograms (out, picture, ALL_NAMES);
  fail_unless_equals_int (gst_buffer_n_memory (out), 3);
  assert_memory (out, OTHER_MEMORY);
}

/* Written, they would be merged in system memory: two (0, 1) or three (2, 3) of
 * them, in place (0, 2) and in a copy (1, 3). */
TEST (test_refused_without_meta)
{
  g_autoptr (OtherAllocator) allocator = other_allocator_new (TRUE);
  g_autoptr (Picture) picture = picture_new (
      __i__ < 2 ? "NV12" : "I420", 64, 32, PICTURE_TIGHT, 20, 130, 1);
  g_autoptr (Harness) h = harness_new_at_work (1);
  GstBuffer *buffer = wrap_planes_without_meta (allocator, picture);
  g_autoptr (GstBuffer) shared = __i__ & 1 ? gst_buffer_ref (buffer) : NULL;

  fail_unless_equals_int (gst_buffer_n_memory (buffer), __i__ < 2 ? 2 : 3);
  set_feature (h, picture, FEATURE);
  harness_fail (h, buffer, GST_RESOURCE_ERROR_WRITE,
      "several memories without a GstVideoMeta");
  fail_unless_equals_int (allocator->maps.n, 0);
}

/* --- DMABuf --- */

/* A frame with the picture's bytes in a file in memory, opened with `flags`.
 * DMABufs are files, too. */
static GstBuffer *
picture_in_file (Picture *picture, GstAllocator *allocator, int flags)
{
  GstBuffer *buffer = picture_wrap (picture);
  const int file = memfd_create ("frame", MFD_CLOEXEC);
  g_autofree gchar *path = g_strdup_printf ("/proc/self/fd/%d", file);
  const int fd = open (path, flags | O_CLOEXEC);

  fail_unless (
      write (file, picture->data, picture->size) == (gssize) picture->size);
  close (file);
  fail_unless (fd >= 0);
  gst_buffer_replace_all_memory (buffer,
      GST_IS_DMABUF_ALLOCATOR (allocator)
          ? gst_dmabuf_allocator_alloc (allocator, fd, picture->size)
          : gst_fd_allocator_alloc (
              allocator, fd, picture->size, GST_FD_MEMORY_FLAG_NONE));
  return buffer;
}

/* Measured, or changed in place; in the same file. */
TEST (test_dmabuf)
{
  g_autoptr (GstAllocator) allocator = gst_dmabuf_allocator_new ();
  g_autoptr (Picture) picture =
      picture_new ("NV12", 322, 240, PICTURE_PADDED, 20, 130, 1);
  g_autoptr (Picture) expected = picture_worked (picture, __i__);
  g_autoptr (Harness) h = harness_new_at_work (__i__);
  GstBuffer *buffer = picture_in_file (picture, allocator, O_RDWR);
  const gint fd = gst_dmabuf_memory_get_fd (gst_buffer_peek_memory (buffer, 0));
  g_autoptr (GstBuffer) out = NULL;

  set_feature (h, picture, GST_CAPS_FEATURE_MEMORY_DMABUF);
  out = harness_run (h, buffer);
  assert_histograms (out, picture, ALL_NAMES);
  assert_memory (out, GST_ALLOCATOR_DMABUF);
  fail_unless_equals_int (
      gst_dmabuf_memory_get_fd (gst_buffer_peek_memory (out, 0)), fd);
  assert_pixels (out, expected);
}

/* A file that can only be read is measured. */
TEST (test_read_only_measured)
{
  g_autoptr (GstAllocator) allocator = gst_dmabuf_allocator_new ();
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Harness) h = harness_new_at_work (0);
  g_autoptr (GstBuffer) out = NULL;

  set_feature (h, picture, GST_CAPS_FEATURE_MEMORY_DMABUF);
  out = harness_run (h, picture_in_file (picture, allocator, O_RDONLY));
  assert_histograms (out, picture, ALL_NAMES);
  assert_memory (out, GST_ALLOCATOR_DMABUF);
}

/* GStreamer would replace it by a copy in system memory to write to it. */
TEST (test_read_only_refused)
{
  g_autoptr (GstAllocator) allocator = gst_dmabuf_allocator_new ();
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Harness) h = harness_new_at_work (1);

  set_feature (h, picture, GST_CAPS_FEATURE_MEMORY_DMABUF);
  harness_fail (h, picture_in_file (picture, allocator, O_RDONLY),
      GST_RESOURCE_ERROR_WRITE, "vapostproc");
}

/* Caps of system memory allow the copy. The file stays as it was. */
TEST (test_read_only_copied)
{
  g_autoptr (GstAllocator) allocator = gst_fd_allocator_new ();
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Picture) expected = picture_worked (picture, 1);
  g_autoptr (Harness) h = harness_new_at_work (1);
  GstBuffer *buffer = picture_in_file (picture, allocator, O_RDONLY);

  harness_set_caps (h, picture);
  harness_check (h, buffer, picture, ALL_NAMES, expected);
}

/* --- DMABufs by their names in Linux --- */

#if GST_CHECK_VERSION(1, 24, 0)

/* Work i is done in format i. */
static const struct
{
  const gchar *format, *name;
} drm_formats[] = { { "NV12", "NV12" }, { "I420", "YU12" }, { "BGRA", "AR24" },
  { "YUY2", "YUYV" }, { "RGB", "BG24" } };

static GstCaps *
drm_caps (const Picture *picture, const gchar *name)
{
  GstCaps *caps = feature_caps (picture, GST_CAPS_FEATURE_MEMORY_DMABUF);

  gst_caps_set_simple (caps, "format", G_TYPE_STRING, "DMA_DRM", "drm-format",
      G_TYPE_STRING, name, NULL);
  return caps;
}

/* Measured, or changed in place, where neither neighbour knows other names. */
TEST (test_drm)
{
  g_autoptr (GstAllocator) allocator = gst_dmabuf_allocator_new ();
  g_autoptr (Picture) picture = picture_new (
      drm_formats[__i__].format, 322, 240, PICTURE_PADDED, 20, 130, 1);
  g_autoptr (Picture) expected = picture_worked (picture, __i__);
  g_autoptr (GstCaps) caps = drm_caps (picture, drm_formats[__i__].name);
  g_autoptr (GstCaps) out_caps = NULL;
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h = harness_new_at_work (__i__);

  gst_harness_set_sink_caps (h, gst_caps_ref (caps));
  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  out = harness_run (h, picture_in_file (picture, allocator, O_RDWR));
  assert_histograms (out, picture, ALL_NAMES);
  assert_memory (out, GST_ALLOCATOR_DMABUF);
  assert_pixels (out, expected);
  out_caps = gst_pad_get_current_caps (h->sinkpad);
  fail_unless (gst_caps_is_equal (out_caps, caps));
}

/* A frame that somebody else sees changes in a buffer of downstream's pool. */
TEST (test_drm_shared)
{
  g_autoptr (GstAllocator) allocator = gst_dmabuf_allocator_new ();
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (Picture) expected = picture_worked (picture, 1);
  g_autoptr (GstBufferPool) pool = gst_buffer_pool_new ();
  Proposal proposal = { pool, 16 * 8 * 3 / 2, 1, 1, NULL, { 0 } };
  g_autoptr (Harness) h = harness_new_at_work (1);
  g_autoptr (GstBuffer) shared = picture_in_file (picture, allocator, O_RDWR);
  g_autoptr (GstBuffer) out = NULL;

  harness_propose (h, &proposal);
  gst_harness_set_src_caps (h, drm_caps (picture, "NV12"));
  out = harness_run (h, gst_buffer_ref (shared));
  fail_unless (out->pool == pool);
  assert_pixels (out, expected);
  assert_pixels (shared, picture);
}

/* Several frames in flight need buffers of the frame's size. */
TEST (test_drm_size)
{
  g_autoptr (Picture) picture = picture_small ("NV12");
  g_autoptr (GstQuery) query = NULL;
  g_autoptr (Harness) h = harness_new ("frames-in-flight", 4, NULL);
  guint size;

  gst_harness_set_src_caps (h, drm_caps (picture, "NV12"));
  query = harness_query_allocation (h, TRUE);
  fail_unless_equals_int (gst_query_get_n_allocation_pools (query), 1);
  gst_query_parse_nth_allocation_pool (query, 0, NULL, &size, NULL, NULL);
  fail_unless_equals_int (size, 16 * 8 * 3 / 2);
}

#endif

const ElementTest element_tests[] = { EACH (test_planes_mapped, planes_works),
  FORMATS (test_planes_changed), EACH (test_plane_falsified, falsified),
  ONCE (test_measured_without_meta), TIMES (test_refused_without_meta, 4),
  TIMES (test_dmabuf, N_WORKS - 1), ONCE (test_read_only_measured),
  ONCE (test_read_only_refused), ONCE (test_read_only_copied),
#if GST_CHECK_VERSION(1, 24, 0)
  EACH (test_drm, drm_formats), ONCE (test_drm_shared), ONCE (test_drm_size),
#endif
  { NULL } };
