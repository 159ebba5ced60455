/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Planes that a device uses in host memory, and planes that are copied to it.
 */

#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "opencl/frame/planes.h"
#include "channels.h"
#include "clfaults.h"
#include "cltest.h"
#include "frames.h"

#include <string.h>
#include <sys/mman.h>

/* Planes of 128 bytes' alignment and size: 16 rows of 32 and of 16 bytes. */
#define WIDTH 32
#define HEIGHT 16
#define ALIGNMENT 128

typedef struct
{
  AmphistoClLauncher launcher;
  AmphistoClPlanes planes;
  AmphistoPlan plan;
} Fixture;

/* With a device that is no CPU, and wants memory in multiples of ALIGNMENT. */
static void
fixture_init (Fixture *self, TestCl *cl, const AmphistoLayout *layout)
{
  static const AmphistoSettings settings = { .channels = LUMA | CHROMA,
    .equalization = AMPHISTO_EQUALIZATION_GLOBAL,
    .strength = 1.0f };
  g_autoptr (GError) error = NULL;

  cl->device->is_cpu = FALSE;
  cl->device->alignment = ALIGNMENT;
  amphisto_cl_launcher_init (
      &self->launcher, cl->device, 1, NULL, NULL, &error);
  g_assert_no_error (error);
  amphisto_cl_planes_init (&self->planes, &self->launcher);
  amphisto_plan_init (&self->plan, layout, &settings, &self->launcher.division);
}

/* Lets the device have memory of its own, to which frames are copied. */
static void
own_memory (AmphistoClDevice *device)
{
  device->shares_host_memory = FALSE;
  device->pins_memory = TRUE;
}

static void
fixture_clear (Fixture *self)
{
  amphisto_cl_planes_clear (&self->planes);
  amphisto_cl_launcher_clear (&self->launcher);
}

/* Adds the planes, and releases them again. Returns: bit p for each imported
 * plane of the source, bit 8 + p for each of the target. */
static guint
imported (Fixture *self, const TestFrame *source, const TestFrame *target)
{
  const AmphistoJob job = {
    .plan = &self->plan, .source = source->frame, .target = target->frame
  };
  g_autoptr (GError) error = NULL;
  guint planes = 0;

  amphisto_cl_planes_add_sources (&self->planes, &job, &error);
  g_assert_no_error (error);
  amphisto_cl_planes_add_targets (&self->planes, &job, &error);
  g_assert_no_error (error);
  for (guint p = 0; p < AMPHISTO_N_PLANES; p++) {
    const AmphistoClBlock *from = self->planes.source.block[p];
    const AmphistoClBlock *to = self->planes.target.block[p];

    planes |= (from != NULL && from->is_imported) << p;
    planes |= (to != NULL && to->is_imported) << (8 + p);
  }
  amphisto_cl_launcher_finish (&self->launcher, &error);
  g_assert_no_error (error);
  amphisto_cl_planes_release (&self->planes);
  return planes;
}

static TestFrame *
frame_new (guint luma, guint chroma, guint height)
{
  const FramePlacement placement = { .alignment = ALIGNMENT,
    .misalignment = { luma, chroma } };

  return test_frame_new (GST_VIDEO_FORMAT_I420, WIDTH, height,
      GST_VIDEO_COLOR_RANGE_0_255, &placement);
}

/* The planes' first bytes in source and target, the height, and the imported
 * planes. */
static const struct
{
  guint luma, chroma, target, height, imported;
} cases[] = {
  { 0, 0, 0, 16, 0x107 }, { 0, 0, 4, 16, 0x007 }, { 4, 0, 0, 16, 0x106 },
  { 0, 64, 0, 16, 0x105 }, { 4, 4, 4, 16, 0x004 },
  { 0, 0, 0, 15, 0x006 }, /* the size of luma is not a multiple of 128 bytes */
};

/* data: whether planes may be imported. */
static void
test_alignment (TestCl *cl)
{
  if (cl->data == NULL)
    own_memory (cl->device);
  for (gsize i = 0; IS_ROW (cases, i); i++) {
    const gboolean is_shared = cl->device->shares_host_memory;
    g_autoptr (TestFrame) source =
        frame_new (cases[i].luma, cases[i].chroma, cases[i].height);
    g_autoptr (TestFrame) target =
        frame_new (cases[i].target, 0, cases[i].height);
    Fixture fixture;

    fixture_init (&fixture, cl, &source->layout);
    test_log_begin ();
    g_assert_cmphex (imported (&fixture, source, target), ==,
        is_shared ? cases[i].imported : 0);
    g_assert_cmphex (imported (&fixture, source, source), ==,
        is_shared ? (cases[i].imported & 7) | (cases[i].imported & 1) << 8 : 0);
    g_assert_cmpuint (test_log_count ("frames are copied"), ==,
        is_shared && cases[i].imported != 0x107);
    g_assert_cmpuint (test_log_count (": they are not aligned"), ==,
        is_shared && cases[i].imported != 0x107);
    fixture_clear (&fixture);
  }
}

static cl_mem_flags
flags_of (const AmphistoClBlock *block)
{
  cl_mem_flags flags;

  assert_cl (clGetMemObjectInfo (
      block->buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
  return flags;
}

/* A plane that the driver refuses is copied, and may be imported next time. The
 * log says once that the driver refuses. Devices with memory of their own
 * import none. */
static void
test_refused (TestCl *cl)
{
  g_autoptr (TestFrame) source = frame_new (0, 0, HEIGHT);
  g_autoptr (TestFrame) target = frame_new (0, 0, HEIGHT);
  Fixture fixture;

  fixture_init (&fixture, cl, &source->layout);
  if (cl->device->shares_host_memory) {
    test_log_begin ();
    for (guint i = 0; i < 2; i++) {
      clfaults_set (CLFAULTS_IMPORT, 1);
      g_assert_cmphex (imported (&fixture, source, target), ==, 0x106);
      g_assert_cmpstr (clfaults_failed (), ==, CLFAULTS_IMPORT);
      g_assert_null (cl->device->shared->imported.blocks);
      g_assert_cmphex (imported (&fixture, source, target), ==, 0x107);
    }
    g_assert_cmpuint (test_log_count (": CL_OUT_OF_RESOURCES"), ==, 1);
    g_assert_cmpuint (test_log_n_calls (), ==, 1);
  }
  fixture_clear (&fixture);
}

/* Memory that is imported for a frame is copied for the next one, which the log
 * says once. */
static void
test_in_use (TestCl *cl)
{
  g_autoptr (TestFrame) frame = frame_new (0, 0, HEIGHT);
  AmphistoClPlanes planes;
  Fixture fixture;
  const AmphistoJob job = {
    .plan = &fixture.plan, .source = frame->frame, .target = frame->frame
  };

  fixture_init (&fixture, cl, &frame->layout);
  amphisto_cl_planes_init (&planes, &fixture.launcher);
  test_log_begin ();
  g_assert_true (amphisto_cl_planes_add_sources (&planes, &job, NULL));
  g_assert_cmpuint (test_log_n_calls (), ==, 0);
  for (guint i = 0; i < 2; i++)
    g_assert_cmphex (imported (&fixture, frame, frame), ==, 0);
  g_assert_cmpuint (test_log_count (": they are in use for a frame"), ==,
      cl->device->shares_host_memory);
  amphisto_cl_planes_clear (&planes);
  fixture_clear (&fixture);
}

/* Memory that is imported for a frame is copied for a frame of another context
 * of the device. */
static void
test_in_use_elsewhere (TestCl *cl)
{
  g_autoptr (TestFrame) frame = frame_new (0, 0, HEIGHT);
  g_autoptr (AmphistoClDevice) other = NULL;
  g_autoptr (GError) error = NULL;
  const gboolean shares = cl->device->shares_host_memory;
  Fixture here, elsewhere;
  const AmphistoJob job = {
    .plan = &here.plan, .source = frame->frame, .target = frame->frame
  };

  fixture_init (&here, cl, &frame->layout);
  cl->device->n_users = AMPHISTO_CL_CONTEXT_USERS;
  other = test_device_get (cl->device->shape, shares);
  cl->device->n_users = 1;
  g_assert_true (other != cl->device && other->id == cl->device->id);
  fixture_init (&elsewhere, &(TestCl){ .device = other }, &frame->layout);
  g_assert_true (amphisto_cl_planes_add_sources (&here.planes, &job, NULL));
  g_assert_cmphex (imported (&elsewhere, frame, frame), ==, 0);
  amphisto_cl_launcher_finish (&here.launcher, &error);
  g_assert_no_error (error);
  amphisto_cl_planes_release (&here.planes);
  g_assert_cmphex (imported (&elsewhere, frame, frame), ==, shares ? 0x107 : 0);
  fixture_clear (&elsewhere);
  fixture_clear (&here);
}

/* Memory that is only read is imported as read-only for the device and without
 * access for the host: it may be in read-only pages, for which Intel's driver
 * creates no other buffers. Written memory is accessible to the host. */
static void
test_access (TestCl *cl)
{
  g_autoptr (TestFrame) frame = frame_new (0, 0, HEIGHT);
  Fixture fixture;
  const AmphistoJob job = {
    .plan = &fixture.plan, .source = frame->frame, .target = frame->frame
  };

  fixture_init (&fixture, cl, &frame->layout);
  if (fixture.launcher.device->shares_host_memory) {
    g_assert_true (
        amphisto_cl_planes_add_sources (&fixture.planes, &job, NULL));
    for (guint p = 0; p < 3; p++) {
      const AmphistoClBlock *block = fixture.planes.source.block[p];

      g_assert_true (block->is_imported);
      /* luma is equalized in place */
      g_assert_cmphex (flags_of (block), ==,
          CL_MEM_USE_HOST_PTR
              | (p == 0 ? CL_MEM_READ_WRITE
                        : CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
    }
    amphisto_cl_planes_release (&fixture.planes);
  }
  fixture_clear (&fixture);
}

/* If a target begins in the last word of the source, it is copied. */
static void
test_overlap (TestCl *cl)
{
  const FramePlacement placement = { .alignment = 1 };
  g_autoptr (TestFrame) source = test_frame_new (
      GST_VIDEO_FORMAT_GRAY8, 33, 2, GST_VIDEO_COLOR_RANGE_0_255, &placement);
  TestFrame target = *source;
  Fixture fixture;

  target.frame.plane[0].data += 2 * 33;
  fixture_init (&fixture, cl, &source->layout);
  fixture.launcher.device->is_cpu = TRUE;
  test_log_begin ();
  g_assert_cmphex (imported (&fixture, source, &target), ==,
      fixture.launcher.device->shares_host_memory);
  g_assert_cmpuint (test_log_count (": the source has some of them"), ==,
      fixture.launcher.device->shares_host_memory);
  fixture_clear (&fixture);
}

/* Two planes have a word in common, and are too large for one buffer: a plane
 * of 768 bytes, and one of nearly 4 GiB. The first one has the device's
 * alignment, but is not imported: the device would write to the word, and the
 * other plane's samples in it are copied. The buffer for the copies is refused
 * here, so that no large page is touched. */
static void
test_4_gib (TestCl *cl)
{
  const gsize size = (gsize) 5 << 30;
  const FramePlacement placement = { .alignment = ALIGNMENT };
  g_autoptr (TestFrame) frame = test_frame_new (GST_VIDEO_FORMAT_NV12,
      ALIGNMENT, 6, GST_VIDEO_COLOR_RANGE_0_255, &placement);
  AmphistoPlane *plane = frame->frame.plane;
  Fixture fixture;
  guint8 *pages;

  fixture_init (&fixture, cl, &frame->layout);
  pages = mmap (NULL, size, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  g_assert_true (pages != MAP_FAILED);
  plane[0] = (AmphistoPlane){ pages, ALIGNMENT };
  plane[1] =
      (AmphistoPlane){ pages + 6 * ALIGNMENT - 4, (1u << 31) - ALIGNMENT };
  clfaults_set ("clCreateBuffer", 1);
  test_log_begin ();
  g_assert_false (amphisto_cl_planes_add_sources (&fixture.planes,
      &(AmphistoJob){ .plan = &fixture.plan,
          .source = frame->frame,
          .target = frame->frame },
      NULL));
  g_assert_cmpstr (clfaults_failed (), ==, "clCreateBuffer");
  clfaults_set (NULL, 0);
  g_assert_cmpuint (fixture.planes.source.n_blocks, ==, 2);
  g_assert_false (fixture.planes.source.block[0]->is_imported);
  g_assert_cmpuint (test_log_count (": another plane has some of them"), ==,
      fixture.launcher.device->shares_host_memory);
  fixture_clear (&fixture);
  g_assert_true (munmap (pages, size) == 0);
}

/* Overwrites all samples, and no byte between them. */
static void
blank (const TestFrame *frame)
{
  for (guint p = 0; p < frame->layout.n_planes; p++)
    for (guint y = 0; y < frame->layout.plane[p].rows; y++)
      memset (amphisto_frame_row (&frame->frame, p, y), 0x77,
          frame->layout.plane[p].row_bytes);
}

/* Uploads the frame and downloads it again. */
static void
check_download (TestCl *cl, TestFrame *frame)
{
  g_autoptr (TestFrame) before = test_frame_copy (frame);
  g_autoptr (GError) error = NULL;
  g_autofree char *difference = NULL;
  Fixture fixture;
  const AmphistoJob job = {
    .plan = &fixture.plan, .source = frame->frame, .target = frame->frame
  };

  fixture_init (&fixture, cl, &frame->layout);
  fixture.plan.written = (1u << frame->layout.n_planes) - 1;
  for (guint p = 0; p < frame->layout.n_planes; p++)
    fixture.plan.used_rows[p] = fixture.plan.changed_rows[p] =
        (AmphistoRows){ 0, frame->layout.plane[p].rows };
  amphisto_cl_planes_add_sources (&fixture.planes, &job, &error);
  g_assert_no_error (error);
  amphisto_cl_planes_add_targets (&fixture.planes, &job, &error);
  g_assert_no_error (error);
  amphisto_cl_launcher_finish (&fixture.launcher, &error);
  g_assert_no_error (error);
  blank (frame);
  amphisto_cl_planes_map_or_download (&fixture.planes, &job, &error);
  g_assert_no_error (error);
  /* flushed commands are waited for, too */
  amphisto_cl_command_queue_flush (fixture.launcher.downloads, &error);
  g_assert_no_error (error);
  amphisto_cl_launcher_finish (&fixture.launcher, &error);
  g_assert_no_error (error);
  difference = test_frame_compare (before, frame);
  g_assert_cmpstr (difference, ==, NULL);
  fixture_clear (&fixture);
}

/* Planes come back wherever their last rows end: at the end of their buffer,
 * with or without padding of rows, or before other planes. A driver may refuse
 * rectangles whose last row has its padding beyond the buffer. */
static void
test_download (TestCl *cl)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_GRAY8,
    GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_RGB,
    GST_VIDEO_FORMAT_GBRA };
  static const guint paddings[] = { 0, 1, 3, 32, 100 };
  static const guint sizes[][2] = { { 1, 1 }, { 33, 1 }, { 32, 2 },
    { 33, 17 } };

  own_memory (cl->device);
  for (gsize i = 0; IS_ROW (formats, i); i++)
    for (gsize j = 0; IS_ROW (paddings, j); j++)
      for (gsize k = 0; IS_ROW (sizes, k); k++) {
        const FramePlacement placement = { .alignment = k & 1 ? 64 : 1,
          .misalignment = { j, k, i },
          .padding = paddings[j] };
        g_autoptr (TestFrame) frame = test_frame_new (formats[i], sizes[k][0],
            sizes[k][1], GST_VIDEO_COLOR_RANGE_0_255, &placement);

        check_download (cl, frame);
      }
}

/* Planes of one block with different strides: the last in memory is the first
 * or the second plane, with the longer rows; and two blocks. */
static void
test_download_strides (TestCl *cl)
{
  static const struct
  {
    guint place, stride;
  } planes[][2] = { { { 256, 100 }, { 0, 32 } }, { { 0, 32 }, { 512, 100 } },
    { { 0, 100 }, { 3000, 32 } }, { { 0, 32 }, { 3000, 100 } } };
  const FramePlacement placement = { .alignment = 4096, .padding = 200 };

  own_memory (cl->device);
  for (gsize i = 0; IS_ROW (planes, i); i++) {
    g_autoptr (TestFrame) frame = test_frame_new (GST_VIDEO_FORMAT_NV12, WIDTH,
        HEIGHT, GST_VIDEO_COLOR_RANGE_0_255, &placement);

    for (guint p = 0; p < 2; p++)
      frame->frame.plane[p] =
          (AmphistoPlane){ frame->memory + planes[i][p].place,
            planes[i][p].stride };
    check_download (cl, frame);
  }
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    TestClFunc test;
    gconstpointer data;
  } tests[] = { { "/planes/alignment/shared", test_alignment, "" },
    { "/planes/alignment/own", test_alignment, NULL },
    { "/planes/refused", test_refused, NULL },
    { "/planes/in-use", test_in_use, NULL },
    { "/planes/in-use-elsewhere", test_in_use_elsewhere, NULL },
    { "/planes/access", test_access, NULL },
    { "/planes/overlap", test_overlap, NULL },
    { "/planes/4-gib", test_4_gib, NULL },
    { "/planes/download", test_download, NULL },
    { "/planes/download-strides", test_download_strides, NULL } };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    if (sizeof (gsize) > 4 || tests[i].test != test_4_gib)
      test_cl_add (
          tests[i].path, AMPHISTO_CL_SHAPE_GPU, tests[i].test, tests[i].data);
  return g_test_run ();
}
