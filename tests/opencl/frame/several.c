/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Several frames in flight, and several threads on one device.
 */

#include "channels.h"
#include "cltest.h"
#include "random.h"

/* --- several frames in flight --- */

#define N_IN_FLIGHT 3

/* Random work on the frames of a stream. One plan is prepared for all of them,
 * whether they have regions of interest or not. */
static Case
stream_case (GstVideoFormat format, guint32 *random)
{
  const AmphistoReferenceState none = { 0 };
  Case c = { format, 33 + test_random (random) % 32,
    17 + test_random (random) % 16, GST_VIDEO_COLOR_RANGE_16_235,
    .source = { .alignment = 4 }, .target = { .alignment = 4 },
    .in_place = TRUE };

  case_draw_settings (&c, &none, random);
  c.settings.channels = test_random (random) & ALL_CHANNELS;
  c.settings.measures_regions = TRUE;
  return c;
}

/* Frame number `i` of a stream: a different picture, at a different place in
 * memory. */
static Case
nth_of_stream (const Case *stream, guint i, guint32 *random)
{
  const guint32 r = test_random (random);
  Case c = *stream;

  c.is_prepared = i > 0;
  c.resets_mean = c.resets_scale = c.resets_comparison = i == 0;
  c.pattern = i % N_FRAME_PATTERNS;
  c.seed = r;
  c.phase = i;
  c.source.padding = r & 7;
  c.source.misalignment[0] = r >> 3 & 3;
  c.in_place &= r >> 5 & 1;
  case_add_regions (&c, r >> 6 & 3, random);
  return c;
}

static void
check_stream (
    CaseRunner *self, const Case *stream, guint n_frames, guint32 *random)
{
  g_autofree CaseJob *jobs = g_new0 (CaseJob, N_IN_FLIGHT);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n_frames + N_IN_FLIGHT; i++) {
    CaseJob *job = &jobs[i % N_IN_FLIGHT];

    if (i >= N_IN_FLIGHT)
      case_end (self, job, &error);
    g_assert_no_error (error);
    case_job_clear (job);
    if (i < n_frames) {
      const Case c = nth_of_stream (stream, i, random);

      job->slot = i % N_IN_FLIGHT;
      case_begin (self, &c, job, &error);
    }
    g_assert_no_error (error);
  }
  amphisto_reference_state_clear (&self->state);
}

static void
test_flight (CaseRunner *self)
{
  const guint n_streams = test_by_size (1, 1, 3);
  const guint step = test_by_size (2, 2, 1); /* imported ones, or uploaded */
  guint32 random = 12;

  case_restart (self, N_IN_FLIGHT, G_MAXSIZE);
  for (gsize f = self->path->shares_host_memory % step; f < N_FRAME_FORMATS;
       f += step)
    for (guint i = 0; i < n_streams; i++) {
      const Case stream = stream_case (frame_formats[f], &random);

      if (case_takes_turn (self))
        check_stream (self, &stream, 10, &random);
    }
}

/* --- threads --- */

/* Each thread creates, uses and frees its own AmphistoClExecutor on the one
 * device, while the others do the same. */
static gpointer
work_beside_others (gpointer data)
{
  AmphistoClDevice *device = data;
  static gint n_threads = 0;
  const gint thread = g_atomic_int_add (&n_threads, 1);

  for (guint round = 0; round < test_by_size (3, 1, 3); round++) {
    g_autoptr (GError) error = NULL;
    CaseRunner self = { .executor = amphisto_cl_executor_new (
                            device, 1, NULL, NULL, &error) };

    g_assert_no_error (error);
    for (gsize f = 0; f < N_FRAME_FORMATS; f += test_by_size (12, 12, 4))
      case_check_size (&self, frame_formats[(f + thread) % N_FRAME_FORMATS],
          33 + thread, 17 + round, test_by_size (1, 1, 2));
    amphisto_reference_state_clear (&self.state);
    amphisto_cl_executor_free (self.executor);
  }
  return NULL;
}

static void
test_threads (CaseRunner *self)
{
  AmphistoClDevice *device;

  g_clear_pointer (&self->executor, amphisto_cl_executor_free);
  device = test_device_get (self->path->shape, self->path->shares_host_memory);
  test_run_threads (4, work_beside_others, device);
  g_assert_cmpint (device->ref_count, ==, 1);
  amphisto_cl_device_close (device);
}

/* Small frames are not worth a second thread, large ones several; a limit is
 * kept. */
static void
test_worth (TestCl *cl)
{
  static const struct
  {
    GstVideoFormat format;
    guint32 width, height;
    AmphistoEqualization equalization;
    AmphistoScopes scopes;
    guint least, most;
  } works[] = {
    { GST_VIDEO_FORMAT_GRAY8, 16, 16, AMPHISTO_EQUALIZATION_GLOBAL, 0, 1, 1 },
    { GST_VIDEO_FORMAT_GRAY8, 640, 480, AMPHISTO_EQUALIZATION_GLOBAL, 0, 1, 1 },
    { GST_VIDEO_FORMAT_GRAY8, 1920, 1080, AMPHISTO_EQUALIZATION_GLOBAL, 0, 2,
        4 },
    { GST_VIDEO_FORMAT_GRAY8, 3840, 2160, AMPHISTO_EQUALIZATION_GLOBAL, 0, 4,
        5 },
    { GST_VIDEO_FORMAT_I420, 1920, 1080, AMPHISTO_EQUALIZATION_NONE,
        AMPHISTO_SCOPE_HISTOGRAM | AMPHISTO_SCOPE_WAVEFORM, 3, 4 },
    { GST_VIDEO_FORMAT_I420, 3840, 2160, AMPHISTO_EQUALIZATION_CLAHE,
        AMPHISTO_SCOPE_HISTOGRAM | AMPHISTO_SCOPE_WAVEFORM, 6,
        AMPHISTO_CL_MAX_THREADS },
  };

  cl->device->compute_units = 128;
  for (gsize i = 0; i < G_N_ELEMENTS (works); i++)
    for (guint limit = 0; limit <= 5; limit += 5) {
      AmphistoClExecutor *executor =
          amphisto_cl_executor_new (cl->device, 1, NULL, NULL, NULL);
      const AmphistoSettings settings = { .channels = 1,
        .equalization = works[i].equalization,
        .clahe = { 8, 8, 2 },
        .scopes = { .enabled = works[i].scopes, .width = 0.3, .height = 0.3 } };
      const guint most = limit > 0 ? MIN (works[i].most, limit) : works[i].most;
      g_autoptr (TestFrame) frame =
          test_frame_new (works[i].format, works[i].width, works[i].height,
              GST_VIDEO_COLOR_RANGE_0_255, &(FramePlacement){ .alignment = 4 });
      AmphistoPlan plan;

      amphisto_cl_executor_limit_threads (executor, limit);
      amphisto_cl_executor_plan (executor, &plan, &frame->layout, &settings);
      g_assert_cmpuint (plan.division.n_groups, >=, MIN (works[i].least, most));
      g_assert_cmpuint (plan.division.n_groups, <=, most);
      amphisto_cl_executor_free (executor);
    }
}

/* A stream of one frame over and over, and its plan. */
typedef struct
{
  AmphistoClExecutor *executor;
  TestFrame *frame;
  AmphistoPlan plan;
} Stream;

/* Returns: whether the plan has been made again, for the stream's pace. */
static gboolean
submit_frame (Stream *self, gulong pause)
{
  static AmphistoHistograms histograms, regions;
  const AmphistoSettings settings = self->plan.settings;
  const AmphistoLayout layout = self->plan.layout;
  const AmphistoJob job = { .plan = &self->plan,
    .source = self->frame->frame,
    .target = self->frame->frame };
  g_autoptr (GError) error = NULL;

  g_usleep (pause);
  amphisto_cl_executor_submit (self->executor, 0, &job, &error);
  g_assert_no_error (error);
  amphisto_cl_executor_finish (
      self->executor, 0, &histograms, &regions, &error);
  g_assert_no_error (error);
  if (!amphisto_cl_executor_has_other_pace (self->executor, &self->plan))
    return FALSE;
  amphisto_cl_executor_plan (self->executor, &self->plan, &layout, &settings);
  amphisto_cl_executor_invalidate (self->executor);
  g_assert_false (
      amphisto_cl_executor_has_other_pace (self->executor, &self->plan));
  return TRUE;
}

/* After eight pauses, a second thread does not pay any more; without pauses, it
 * soon does. A busy machine may pause. */
static void
test_pace (TestCl *cl)
{
  const AmphistoSettings settings = { .channels = 1,
    .equalization = AMPHISTO_EQUALIZATION_GLOBAL };
  Stream stream = { .frame = test_frame_new (GST_VIDEO_FORMAT_GRAY8, 1920, 1080,
                        GST_VIDEO_COLOR_RANGE_0_255,
                        &(FramePlacement){ .alignment = 4 }) };

  if (cl->device->helpers == NULL) {
    g_test_skip ("The driver has its own threads.");
    test_frame_free (stream.frame);
    return;
  }
  cl->device->compute_units = 8;
  stream.executor = amphisto_cl_executor_new (cl->device, 1, NULL, NULL, NULL);
  amphisto_cl_executor_plan (
      stream.executor, &stream.plan, &stream.frame->layout, &settings);
  for (guint i = 0; i < 7; i++)
    g_assert_false (submit_frame (&stream, 6000));
  g_assert_cmpuint (stream.plan.division.n_groups, >, 1);
  g_assert_true (submit_frame (&stream, 6000));
  g_assert_cmpuint (stream.plan.division.n_groups, ==, 1);
  for (guint i = 0; i < 1000 && !submit_frame (&stream, 0); i++)
    ;
  g_assert_cmpuint (stream.plan.division.n_groups, >, 1);
  amphisto_cl_executor_free (stream.executor);
  test_frame_free (stream.frame);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  case_add_tests ("flight/", test_flight, CASES_SMALL);
  case_add_tests ("threads/", test_threads, CASES_KERNELS);
  test_cl_add ("/threads/worth", AMPHISTO_CL_SHAPE_CPU, test_worth, NULL);
  test_cl_add ("/threads/pace", AMPHISTO_CL_SHAPE_CPU, test_pace, NULL);
  return g_test_run ();
}
