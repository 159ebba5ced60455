/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "cases.h"
#include "cltest.h"
#include "core/pixels/channels.h"
#include "element/props/types.h"
#include "generator.h"
#include "nicks.h"

#include <string.h>

static const Path paths[] = {
  { "cpu-wrapped", AMPHISTO_CL_SHAPE_CPU, TRUE },
  { "cpu-staged", AMPHISTO_CL_SHAPE_CPU, FALSE },
  { "gpu-wrapped", AMPHISTO_CL_SHAPE_GPU, TRUE },
  { "gpu-staged", AMPHISTO_CL_SHAPE_GPU, FALSE },
};

/* Simulators take their time for each work-item: of the shape for GPUs, as few
 * groups as the passes of counting allow, and three slices of rows: the first
 * one, one in the middle, and the last one. */
static void
limit_division (AmphistoDivision *division)
{
  const guint most = AMPHISTO_MAX_SLOTS + 1;

  division->n_groups = MIN (division->n_groups, most);
  division->n_slices =
      MIN (division->n_slices, division->is_gpu_shape ? 3 : most);
}

typedef struct
{
  AmphistoClDevice *device;
  gsize constant_memory;
  gboolean shares_host_memory;
} Opened;

static Opened opened[AMPHISTO_CL_SHAPE_GPU + 1];

/* The device of the path's shape, which its paths share with the programs that
 * it has built, or NULL. Marked as lost, it is not opened again for the other
 * shape. */
static AmphistoClDevice *
path_device (const Path *path, gsize *constant_memory)
{
  Opened *own = &opened[path->shape];

  if (own->device == NULL) {
    own->device = test_device_get (path->shape, TRUE);
    if (own->device == NULL)
      return NULL;
    amphisto_cl_device_mark_lost (own->device);
    own->constant_memory = own->device->constant_memory;
    own->shares_host_memory = own->device->shares_host_memory;
  }
  test_device_set_shared (
      own->device, own->shares_host_memory && path->shares_host_memory);
  *constant_memory = MIN (*constant_memory, own->constant_memory);
  return own->device;
}

/* Returns: FALSE without a device. */
static gboolean
runner_open (CaseRunner *self, guint n_frames, gsize constant_memory)
{
  g_autoptr (GError) error = NULL;
  AmphistoClDevice *device = path_device (self->path, &constant_memory);

  if (device == NULL)
    return FALSE;
  device->constant_memory = constant_memory;
  /* the GPU shape takes the other path, if the device allows */
  device->ignores_host_stride |= self->path->shape == AMPHISTO_CL_SHAPE_CPU;
  self->executor =
      amphisto_cl_executor_new (device, n_frames, NULL, NULL, &error);
  g_assert_no_error (error);
  if (test_size () == TEST_SMALL)
    limit_division (
        (AmphistoDivision *) amphisto_cl_executor_division (self->executor));
  return TRUE;
}

static void
runner_close (CaseRunner *self)
{
  amphisto_reference_state_clear (&self->state);
  g_clear_pointer (&self->executor, amphisto_cl_executor_free);
}

void
case_restart (CaseRunner *self, guint n_frames, gsize constant_memory)
{
  runner_close (self);
  g_assert_true (runner_open (self, n_frames, constant_memory));
}

void
case_reopen (CaseRunner *self)
{
  runner_close (self);
  g_clear_pointer (&opened[self->path->shape].device, amphisto_cl_device_close);
  g_assert_true (runner_open (self, 1, G_MAXSIZE));
}

typedef struct
{
  const Path *path;
  CaseFunc test;
  CaseSize size;
} Added;

static void
run_added (gconstpointer data)
{
  const Added *added = data;
  CaseRunner runner = { .path = added->path, .turn = 1 };

  if (test_skips_shape (runner.path->shape, added->size == CASES_LARGE)
      || !runner_open (&runner, 1, G_MAXSIZE))
    return;
  g_test_message ("%s", g_test_get_path ()); /* before a failure */
  added->test (&runner);
  runner_close (&runner);
}

void
case_add_tests (const char *prefix, CaseFunc test, CaseSize size)
{
  const CaseSize all_paths =
      test_size () == TEST_QUICK ? CASES_SMALL : CASES_KERNELS;

  for (gsize i = 0; i<G_N_ELEMENTS (paths); i += size> all_paths ? 3 : 1) {
    g_autofree char *name = g_strdup_printf ("/%s%s", prefix, paths[i].name);
    Added *added = g_new (Added, 1);

    *added = (Added){ &paths[i], test, size };
    g_test_add_data_func_full (name, added, run_added, g_free);
  }
}

/* Cases that have begun in this process: the same cases in every run. */
static gint n_begun;

/* Returns: (transfer full): the channels' names. */
static char *
name_channels (AmphistoChannelMask channels)
{
  GString *names = g_string_new (channels == 0 ? "none" : NULL);

  for (guint channel = 0; channel < AMPHISTO_N_CHANNELS; channel++)
    if (channels & AMPHISTO_CHANNEL_BIT (channel))
      nicks_append (names, amphisto_channel_name (channel));
  return g_string_free (names, FALSE);
}

/* Returns: (transfer full): the value's name, or else the number. */
static char *
name_value (const char *property, double value)
{
  const struct
  {
    const char *property;
    GType type;
  } named[] = { { "equalization", gst_amphisto_equalization_get_type () },
    { "scopes", gst_amphisto_scopes_get_type () },
    { "scope-display", gst_amphisto_scope_display_get_type () },
    { "scope-position", gst_amphisto_scope_position_get_type () },
    { "scope-scale", gst_amphisto_scope_scale_get_type () },
    { "exposure", gst_amphisto_exposure_get_type () },
    { "false-color-scale", gst_amphisto_false_color_scale_get_type () } };

  for (gsize i = 0; i < G_N_ELEMENTS (named); i++)
    if (g_str_equal (property, named[i].property))
      return G_TYPE_IS_FLAGS (named[i].type)
          ? nicks_of_flags (named[i].type, (guint) value)
          : g_strdup (nick_of_enum (named[i].type, (int) value));
  return g_strdup_printf ("%g", value);
}

/* Appends a setting unless it is 0. */
static void
append_setting (
    GString *text, const TestSetting *self, const AmphistoSettings *settings)
{
  const guint8 *member = (const guint8 *) settings + self->offset;
  const double value = self->type == TEST_BOOLEAN ? *(const bool *) member
      : self->type == TEST_FLOAT                  ? *(const float *) member
      : self->type == TEST_DOUBLE                 ? *(const double *) member
                                                  : *(const uint32_t *) member;
  g_autofree char *name = NULL;

  if (value == 0 || self->type == TEST_GROUPS || self->type == TEST_BINS)
    return;
  name = name_value (
      self->property, self->type == TEST_POWER ? 1 << (guint) value : value);
  g_string_append_printf (text, " %s=%s", self->property, name);
}

/* Returns: (transfer full): the frame and the work on it. */
static char *
describe_case (const Case *c)
{
  const AmphistoSettings *settings = &c->settings;
  g_autofree char *channels = name_channels (settings->channels);
  GString *text = g_string_new (NULL);

  g_string_printf (text,
      "%s %ux%u, %s range, pattern %s, seed %u, %s, output %ux%u, channels=%s",
      gst_video_format_to_string (c->format), c->width, c->height,
      c->range == GST_VIDEO_COLOR_RANGE_16_235 ? "limited" : "full",
      test_frame_pattern_name (c->pattern), c->seed,
      c->in_place ? "in place" : "elsewhere", settings->output_width,
      settings->output_height, channels);
  for (guint i = 0; i < test_n_settings; i++)
    append_setting (text, &test_settings[i], settings);
  return g_string_free (text, FALSE);
}

/* Fails. With the case's number, a debugger stops at it. */
static void fail (const CaseRunner *self, const Case *c, const char *format,
    ...) G_GNUC_PRINTF (3, 4) G_GNUC_NORETURN;

static void
fail (const CaseRunner *self, const Case *c, const char *format, ...)
{
  const gboolean is_gpu_shape =
      amphisto_cl_executor_division (self->executor)->is_gpu_shape;
  g_autofree char *text = NULL;
  g_autofree char *which = describe_case (c);
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_error ("%s shape, case %d of case_begin(), %s: %s",
      is_gpu_shape ? "GPU" : "CPU", g_atomic_int_get (&n_begun), which, text);
}

static void
assert_histograms (const CaseRunner *self, const Case *c,
    const AmphistoFrame *frame, const AmphistoRegion *region,
    const AmphistoHistograms *histograms)
{
  AmphistoLayout layout;
  AmphistoFrame before;

  amphisto_layout_crop (frame->layout, region, &layout);
  before = amphisto_frame_crop (frame, &layout);

  if (histograms->channels != (c->settings.channels & layout.channels))
    fail (self, c, "%s were measured", name_channels (histograms->channels));
  for (guint channel = 0; channel < AMPHISTO_N_CHANNELS; channel++) {
    uint32_t expected[AMPHISTO_N_BINS];

    if (!(histograms->channels & AMPHISTO_CHANNEL_BIT (channel)))
      continue;
    amphisto_histogram_count (&before, channel, expected);
    for (guint v = 0; v < AMPHISTO_N_BINS; v++)
      if (histograms->bins[channel][v] != expected[v])
        fail (self, c, "%s, bin %u: %u where %u was expected",
            amphisto_channel_name (channel), v, histograms->bins[channel][v],
            expected[v]);
  }
}

/* The fields that the picture must have, as bits. */
static guint32
picture_fields (const CaseJob *job)
{
  const AmphistoSettings *settings = &job->c.settings;

  if (job->plan.region.width == 0)
    return 0;
  return (guint32) settings->checks_gamut << AMPHISTO_PICTURE_OUT_OF_GAMUT
      | (guint32) (settings->compares_picture && !job->job.resets_picture)
      << AMPHISTO_PICTURE_DIFFERENCE
      | (guint32) settings->measures_sharpness << AMPHISTO_PICTURE_SHARPNESS
      | (settings->finds_letterbox ? 15u << AMPHISTO_PICTURE_ACTIVE_X : 0);
}

/* After the reference has run. */
static void
assert_picture (
    const CaseRunner *self, const CaseJob *job, const AmphistoPicture *expected)
{
  const Case *c = &job->c;
  const AmphistoPicture *picture = &job->histograms.picture;

  for (guint i = 0; i < c->n_regions; i++)
    g_assert_cmphex (job->regions[i].picture.fields, ==, 0);
  if (picture->fields != picture_fields (job))
    fail (self, c, "the picture has fields 0x%x where 0x%x were expected",
        picture->fields, picture_fields (job));
  for (guint f = 0; f < AMPHISTO_N_PICTURE_FIELDS; f++) {
    gdouble value, wanted;

    if (amphisto_picture_get (picture, f, &value)
        && (!amphisto_picture_get (expected, f, &wanted) || value != wanted))
      fail (self, c, "the picture's %s is %.17g where %.17g was expected",
          amphisto_picture_field_name (f), value, wanted);
  }
}

/* After the reference has run. */
static void
assert_comparison (const CaseRunner *self, const CaseJob *job,
    const AmphistoComparison *expected)
{
  const Case *c = &job->c;
  const AmphistoComparison *comparison = &job->histograms.comparison;
  const gboolean compares = c->settings.compares_luma
      && job->plan.region.width > 0
      && c->settings.channels & AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA);

  for (guint i = 0; i < c->n_regions; i++)
    g_assert_false (job->regions[i].comparison.has_previous);
  if (comparison->has_previous != (compares && !c->resets_comparison))
    fail (self, c, "has_previous is %d", comparison->has_previous);
  if (comparison->has_previous
      && (comparison->difference != expected->difference
          || comparison->distance != expected->distance))
    fail (self, c,
        "difference %.17g, distance %.17g where %.17g and %.17g were expected",
        comparison->difference, comparison->distance, expected->difference,
        expected->distance);
}

static void
assert_same (const CaseRunner *self, const Case *c, const char *which,
    const TestFrame *expected, const TestFrame *actual)
{
  g_autofree char *difference = test_frame_compare (expected, actual);

  if (difference != NULL)
    fail (self, c, "%s: %s", which, difference);
}

/* Copies the frame to the reference's target. The job copies the device's. */
static void
copy_frame (const AmphistoFrame *source, const AmphistoFrame *target)
{
  for (guint p = 0; p < source->layout->n_planes; p++)
    amphisto_frame_copy_plane (source, target, p);
}

static void
run_reference (const AmphistoJob *job, const AmphistoFrame *source,
    const AmphistoFrame *target, const TestFrame *canvas,
    AmphistoReferenceState *state)
{
  AmphistoJob again = *job;

  again.source = *source;
  again.target = *target;
  if (canvas != NULL)
    again.canvas = canvas->frame;
  g_assert_true (amphisto_reference_run (&again, state));
}

/* Without a next row, every stride is allowed. */
static void
set_stride_of_single_rows (TestFrame *frame, guint stride)
{
  for (guint p = 0; p < frame->layout.n_planes; p++)
    if (frame->layout.plane[p].rows == 1)
      frame->frame.plane[p].stride = stride;
}

static TestFrame *
frame_new (const Case *c, const FramePlacement *placement)
{
  FramePlacement placed = *placement;
  TestFrame *frame;
  gdouble kr, kb;

  placed.has_all_rows = c->is_interlaced && c->has_all_rows;
  if (placed.alignment == 0)
    placed.alignment = 16;
  frame = test_frame_new (c->format, c->width, c->height, c->range, &placed);
  if (gst_video_color_matrix_get_Kr_Kb (c->matrix, &kr, &kb))
    amphisto_layout_set_matrix (&frame->layout, kr, kb);
  frame->layout.has_fields = c->has_fields;
  frame->layout.pixel_aspect = c->pixel_aspect;
  amphisto_layout_set_interlaced (
      &frame->layout, c->is_interlaced, c->has_all_rows);
  return frame;
}

/* For oclgrind, which checks rows by themselves wrongly. */
static void
use_whole_planes (AmphistoPlan *plan)
{
  for (guint p = 0; p < plan->layout.n_planes; p++)
    plan->used_rows[p] = (AmphistoRows){ 0, plan->layout.plane[p].rows };
}

/* Makes a canvas with random contents. GStreamer's BGRA has the same layout.
 * The canvas of scopes alone may be placed like any frame. */
static void
make_canvas (CaseJob *job)
{
  const AmphistoCanvas *canvas = &job->plan.canvas;
  FramePlacement placement = { .alignment = MAX (job->c.target.alignment, 4) };
  TestFrame *frame;

  if (amphisto_plan_is_scopes_only (&job->plan)) {
    placement.padding = job->c.target.padding;
    placement.misalignment[0] = job->c.target.misalignment[0];
  }
  frame = test_frame_new (GST_VIDEO_FORMAT_BGRA, canvas->region.width,
      canvas->region.height, GST_VIDEO_COLOR_RANGE_0_255, &placement);

  test_frame_fill (frame, FRAME_RANDOM, 77);
  for (guint c = AMPHISTO_CHANNEL_RED; c <= AMPHISTO_CHANNEL_ALPHA; c++)
    g_assert_cmpmem (&frame->layout.component[c], sizeof (AmphistoComponent),
        &canvas->layout.component[c], sizeof (AmphistoComponent));
  job->canvas = frame;
  job->expected_canvas = test_frame_copy (frame);
  job->job.canvas = frame->frame;
}

gboolean
case_begin (CaseRunner *self, const Case *c, CaseJob *job, GError **error)
{
  AmphistoPlan *plan = &job->plan;

  g_atomic_int_inc (&n_begun);
  job->c = *c;
  job->c.settings.measures_regions |= c->n_regions > 0;
  job->source = frame_new (c, &c->source);
  job->target = frame_new (c, &c->target);
  if (c->short_stride > 0)
    set_stride_of_single_rows (job->source, c->short_stride);
  test_frame_fill (job->source, c->pattern, c->seed);
  job->expected_source = test_frame_copy (job->source);
  job->expected_target = test_frame_copy (job->target);
  amphisto_plan_init (plan, &job->source->layout, &job->c.settings,
      amphisto_cl_executor_division (self->executor));
  job->c.in_place &= amphisto_plan_can_be_in_place (plan);
  if (g_getenv ("AMPHISTO_TEST_WHOLE_ROWS") != NULL)
    use_whole_planes (plan);
  if (c->counts_in_one_group)
    amphisto_waveform_divide (&plan->params.scopes.waveform, 1,
        amphisto_cl_executor_division (self->executor)->is_gpu_shape);
  job->job = (AmphistoJob){ plan, job->source->frame,
    job->c.in_place ? job->source->frame : job->target->frame, job->c.regions,
    c->n_regions, c->resets_mean, c->resets_budget, c->resets_scale,
    c->resets_comparison, c->resets_comparison || c->resets_picture,
    c->is_interlaced, c->phase, { 0 } };
  if (amphisto_plan_has_canvas (plan))
    make_canvas (job);
  return (c->is_prepared
             || amphisto_cl_executor_prepare (self->executor, plan, error))
      && amphisto_cl_executor_submit (
          self->executor, job->slot, &job->job, error);
}

static void
check_job (CaseRunner *self, const CaseJob *job)
{
  AmphistoReferenceState *state = &self->state;
  const Case *c = &job->c;
  const AmphistoFrame *source = &job->expected_source->frame;
  const AmphistoFrame *target = &job->expected_target->frame;

  assert_histograms (self, c, source, &job->plan.region, &job->histograms);
  for (guint i = 0; i < c->n_regions; i++)
    assert_histograms (self, c, source, &c->regions[i], &job->regions[i]);
  if (!c->in_place && job->plan.written != 0)
    copy_frame (source, target);
  run_reference (&job->job, source, c->in_place ? source : target,
      job->expected_canvas, state);
  assert_comparison (self, job, &state->comparison);
  assert_picture (self, job, &state->picture);
  assert_same (self, c, "source", job->expected_source, job->source);
  assert_same (self, c, "target", job->expected_target, job->target);
  if (job->canvas != NULL)
    assert_same (self, c, "canvas", job->expected_canvas, job->canvas);
}

gboolean
case_end (CaseRunner *self, CaseJob *job, GError **error)
{
  memset (&job->histograms, 0xff, sizeof job->histograms);
  memset (job->regions, 0xff, sizeof job->regions);
  if (!amphisto_cl_executor_finish (
          self->executor, job->slot, &job->histograms, job->regions, error))
    return FALSE;
  check_job (self, job);
  return TRUE;
}

void
case_job_clear (CaseJob *job)
{
  g_clear_pointer (&job->source, test_frame_free);
  g_clear_pointer (&job->target, test_frame_free);
  g_clear_pointer (&job->expected_source, test_frame_free);
  g_clear_pointer (&job->expected_target, test_frame_free);
  g_clear_pointer (&job->canvas, test_frame_free);
  g_clear_pointer (&job->expected_canvas, test_frame_free);
}

gboolean
case_try (CaseRunner *self, const Case *c, GError **error)
{
  g_autofree CaseJob *job = g_new0 (CaseJob, 1);
  const gboolean ok =
      case_begin (self, c, job, error) && case_end (self, job, error);

  case_job_clear (job);
  return ok;
}

void
case_check (CaseRunner *self, const Case *c)
{
  g_autoptr (GError) error = NULL;

  if (!case_try (self, c, &error))
    fail (self, c, "%s", error->message);
}

gboolean
case_takes_turn (CaseRunner *self)
{
  if (test_size () < TEST_FULL || self->turn == 0)
    return TRUE;
  return (test_random (&self->turn) & 1)
      == (guint32) self->path->shares_host_memory;
}

void
case_check_in_turn (CaseRunner *self, const Case *c)
{
  if (case_takes_turn (self))
    case_check (self, c);
}
