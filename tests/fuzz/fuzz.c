/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Sequences of random frames, with random changes of properties, caps, segments
 * and states between them. Each sequence has two elements, which get the same
 * frames:
 *
 * - the tried element gets buffers of every kind, has 1 to 8 frames in flight,
 *   and sometimes a failing OpenCL call;
 * - its twin gets plain buffers, and runs with `verify`. It is replaced by a
 *   new element whenever the tried element must reset its state between frames.
 *
 * Both must output the same pixels and scopes, which must also pass the checks
 * of checks.h and pixels.h. Twins of some sequences have only one of the states
 * between frames: it must be kept, or restart, without the others.
 *
 * A sequence's seed determines everything random. On failure, the fuzzer prints
 * the command that repeats the sequence alone.
 */

#include <locale.h>

#include "events.h"
#include "output.h"
#include "pixels.h"
#include "report.h"

#define SKIPPED 77

/* --- a frame --- */

static guint
random_coordinate (GRand *random, guint size)
{
  switch (g_rand_int_range (random, 0, 6)) {
    case 0:
      return 0;
    case 1:
      return G_MAXUINT - g_rand_int_range (random, 0, size + 1);
    case 2:
      return g_rand_int (random);
    default:
      return g_rand_int_range (random, 0, size + 2);
  }
}

static guint
random_n_regions (GRand *random, const GstVideoInfo *info)
{
  switch (g_rand_int_range (random, 0, 1000)) {
    case 0: /* more than the element measures */
      return info->width * info->height <= 64 * 64 ? 3300 : 0;
    case 1:
      return 40;
    default:
      return g_rand_boolean (random) ? 0 : g_rand_int_range (random, 0, 5);
  }
}

static void
choose_regions (FuzzSequence *self)
{
  GArray *regions = self->frame.regions;
  const guint n = random_n_regions (self->random, &self->info);

  g_array_set_size (regions, 0);
  for (guint i = 0; i < n; i++) {
    const FuzzRegion region = { (gint) g_rand_int (self->random),
      random_coordinate (self->random, self->info.width),
      random_coordinate (self->random, self->info.height),
      random_coordinate (self->random, self->info.width),
      random_coordinate (self->random, self->info.height) };

    g_array_append_val (regions, region);
  }
}

static void
add_metas (const FuzzFrame *frame, GstBuffer *buffer)
{
  for (guint i = 0; i < frame->regions->len; i++) {
    const FuzzRegion *region = &g_array_index (frame->regions, FuzzRegion, i);
    GstVideoRegionOfInterestMeta *meta =
        gst_buffer_add_video_region_of_interest_meta (buffer, FUZZ_ROI_TYPE,
            region->x, region->y, region->width, region->height);

    meta->id = region->id;
  }
  if (frame->has_upstream_meta)
    gst_structure_set (gst_custom_meta_get_structure (
                           gst_buffer_add_custom_meta (buffer, FUZZ_META_NAME)),
        FUZZ_UPSTREAM_FIELD, G_TYPE_BOOLEAN, TRUE, NULL);
}

static void
choose_flags (FuzzSequence *self, GstBuffer *buffer)
{
  const gint kind = g_rand_int_range (self->random, 0, 20);

  if (kind == 0)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  else if (kind == 1)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  if (g_rand_boolean (self->random))
    GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  if (kind != 2)
    GST_BUFFER_PTS (buffer) = self->time;
  if (kind != 3 || GST_VIDEO_INFO_FPS_N (&self->info) != FUZZ_RATE)
    GST_BUFFER_DURATION (buffer) = FUZZ_FRAME_DURATION;
  self->frame.is_discont = GST_BUFFER_IS_DISCONT (buffer);
  self->frame.pts = GST_BUFFER_PTS (buffer);
  self->frame.segment = self->segment;
}

/* A plain buffer for the twin, with the same times, flags and metadata. */
static GstBuffer *
twin_buffer_new (const FuzzSequence *self, Picture *picture)
{
  FuzzBuffer plain = fuzz_buffer_plain (picture);
  const GstBuffer *model = self->buffer.buffer;

  add_metas (&self->frame, plain.buffer);
  GST_BUFFER_PTS (plain.buffer) = GST_BUFFER_PTS (model);
  GST_BUFFER_DURATION (plain.buffer) = GST_BUFFER_DURATION (model);
  GST_BUFFER_FLAGS (plain.buffer) = GST_BUFFER_FLAGS (model);
  g_free (plain.text);
  return plain.buffer;
}

static void
push (GstHarness *h, GstBuffer *buffer, const gchar *which)
{
  const GstFlowReturn flow = gst_harness_push (h, buffer);

  if (flow != GST_FLOW_OK)
    fuzz_fail (
        "the %s element answers with %s", which, gst_flow_get_name (flow));
}

/* Returns: (transfer none): the frame, which the tried element may hold until
 * more frames have followed. */
static FuzzSent *
push_tried (FuzzSequence *self, Picture *input)
{
  FuzzSent *sent = fuzz_sequence_add_sent (self, input);

  push (self->tried_harness, g_steal_pointer (&sent->buffer.buffer), "tried");
  fuzz_settings_read (&sent->frame.settings, self->tried);
  fuzz_history_add_frame (&self->history, &sent->frame, &sent->frame.comparison,
      sent->frame.smoothed, &sent->frame.budget);
  self->frame.settings = sent->frame.settings;
  self->has_last = TRUE;
  /* it may be measured for conditions or a message alone, which the twin
   * lacks: stripes move on */
  if (sent->frame.settings.post_messages
      || *sent->frame.settings.expect != '\0')
    self->is_out_of_step = TRUE;
  fuzz_sequence_tell (self, sent->buffer.text);
  return sent;
}

/* Stores the scopes alone that the twin has sent on. */
static void
take_scopes_only (const FuzzSequence *self, FuzzSent *sent, GstBuffer *out,
    const Picture *input)
{
  g_autoptr (GstCaps) caps =
      gst_pad_get_current_caps (self->twin_harness->sinkpad);

  if (!gst_video_info_from_caps (&sent->out_info, caps)
      || (guint) sent->out_info.width != self->output_width
      || (guint) sent->out_info.height != self->output_height)
    fuzz_fail ("the twin's scopes have %" GST_PTR_FORMAT ", not %ux%u", caps,
        self->output_width, self->output_height);
  sent->scopes_only =
      fuzz_take_scopes_only (&self->frame, out, &sent->out_info, input);
}

/* Stores the twin's output for the frame. */
static void
run_twin (FuzzSequence *self, FuzzSent *sent, GstBuffer *buffer, Picture *input)
{
  GstHarness *h = self->twin_harness;
  g_autoptr (Picture) result = fuzz_picture_copy (self->frame.before);
  g_autoptr (GstBuffer) out = NULL;

  push (h, buffer, "twin");
  out = gst_harness_try_pull (h);
  if (out == NULL)
    fuzz_fail ("the twin sends nothing on");
  gst_bus_set_flushing (GST_ELEMENT_BUS (h->element), TRUE);
  gst_bus_set_flushing (GST_ELEMENT_BUS (h->element), FALSE);
  fuzz_report_begin_check ("twin's memory");
  if (self->scopes_only) {
    take_scopes_only (self, sent, out, input);
    return;
  }
  fuzz_take_output (&self->frame, out, input, FALSE, result);
  sent->scopes = fuzz_scopes_of (out);
  if (sent->scopes != NULL)
    gst_video_overlay_composition_ref (sent->scopes);
  if (!self->is_out_of_step
      || !(sent->frame.settings.exposure
          & (AMPHISTO_EXPOSURE_ZEBRA | AMPHISTO_EXPOSURE_GAMUT)))
    sent->expected = g_steal_pointer (&result);
}

/* Whether the frame in self->buffer has two fields. */
static gboolean
is_interlaced (const FuzzSequence *self)
{
  switch (GST_VIDEO_INFO_INTERLACE_MODE (&self->info)) {
    case GST_VIDEO_INTERLACE_MODE_INTERLEAVED:
      return TRUE;
    case GST_VIDEO_INTERLACE_MODE_MIXED:
      return GST_BUFFER_FLAG_IS_SET (
          self->buffer.buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
    default:
      return FALSE;
  }
}

/* A copy of the picture in a buffer of a small pool. */
static FuzzBuffer
buffer_of_pool (FuzzSequence *self, const Picture *picture)
{
  FuzzBuffer buffer = { .text = g_strdup ("of a bounded pool") };

  for (guint i = 0; (buffer.buffer = fuzz_sequence_take_buffer (self)) == NULL;
       i++) {
    if (i == 60000)
      fuzz_fail ("no buffer of the pool comes back");
    fuzz_collect (self);
    g_usleep (1000);
  }
  fuzz_picture_write (picture, &self->info, buffer.buffer);
  return buffer;
}

/* Whether buffers of a pool have no more rows of chroma than the picture. */
static gboolean
suits_pool (const FuzzSequence *self, const Picture *picture)
{
  Picture fields = *picture;

  if (!GST_VIDEO_INFO_IS_INTERLACED (&self->info))
    return TRUE;
  fields.is_interlaced = true;
  for (guint i = 0; i < PICTURE_MAX_CHANNELS; i++) {
    const guint shift = picture->format->component[i].y_shift;
    const guint unit = 2u << shift;
    const guint n_rows =
        picture->height / unit * 2 + MIN (picture->height % unit, 2);

    if (shift > 0 && picture_rows (&fields, shift) != n_rows)
      return FALSE;
  }
  return TRUE;
}

static void
choose_buffer (FuzzSequence *self, Picture *input)
{
  fuzz_buffer_clear (&self->buffer);
  self->buffer =
      suits_pool (self, input) && g_rand_int_range (self->random, 0, 8) == 0
      ? buffer_of_pool (self, input)
      : fuzz_buffer_random (self->random, input, &self->info);
  choose_flags (self, self->buffer.buffer);
  self->frame.before->is_interlaced = is_interlaced (self);
  add_metas (&self->frame, self->buffer.buffer);
}

static void
run_both (FuzzSequence *self)
{
  Picture *input = fuzz_picture_copy (self->frame.before);
  g_autoptr (Picture) twin_input = fuzz_picture_copy (self->frame.before);
  GstBuffer *twin_buffer;

  choose_buffer (self, input);
  twin_buffer = twin_buffer_new (self, twin_input);
  fuzz_buffer_share (&self->buffer, input);
  run_twin (self, push_tried (self, input), twin_buffer, twin_input);
  fuzz_collect (self);
}

static void
run_frame (FuzzSequence *self)
{
  self->n_frames++;
  fuzz_report_begin_frame (self);
  fuzz_send_something (self);
  fuzz_sequence_change (self);
  fuzz_collect (self);
  if (g_rand_int_range (self->random, 0, 4) > 0)
    fuzz_picture_fill (self->random, self->frame.before);
  choose_regions (self);
  self->frame.has_upstream_meta = g_rand_int_range (self->random, 0, 8) == 0;
  self->time += FUZZ_FRAME_DURATION;
  run_both (self);
}

/* --- sequences --- */

/* Returns: the number of frames, at most `max`. */
static guint
run_sequence (guint32 seed, guint max)
{
  FuzzSequence self;
  guint n;

  fuzz_sequence_init (&self, seed);
  fuzz_report_begin_frame (&self);
  fuzz_output_begin (&self);
  n = g_rand_int_range (self.random, 1, 100);
  n = MIN (n, max);
  while (self.n_frames < n)
    run_frame (&self);
  fuzz_drain (&self);
  fuzz_report_begin_frame (NULL);
  fuzz_sequence_clear (&self);
  return n;
}

/* Runs sequences for `n_frames` frames, or for `n_seconds`. */
static void
run_sequences (guint32 seed, guint n_frames, gint64 n_seconds)
{
  const gint64 start = g_get_monotonic_time ();
  gint64 passed = 0, told = 0;
  guint n = 0;

  while (n < n_frames && passed < n_seconds * G_USEC_PER_SEC) {
    n += run_sequence (seed, n_frames - n);
    seed = seed * 1664525 + 1013904223; /* visits all 2^32 seeds */
    passed = g_get_monotonic_time () - start;
    if (passed - told > 60 * G_USEC_PER_SEC || n == n_frames) {
      g_print ("%u frames in %.0f s; next seed %u\n", n,
          (gdouble) passed / G_USEC_PER_SEC, seed);
      told = passed;
    }
  }
}

int
main (int argc, char **argv)
{
  gint64 seed = 1, n_frames = 10000, n_seconds = G_MAXINT;
  const GOptionEntry entries[] = { { "seed", 0, 0, G_OPTION_ARG_INT64, &seed,
                                       "of the first sequence", "N" },
    { "frames", 0, 0, G_OPTION_ARG_INT64, &n_frames, "to stop after", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_INT64, &n_seconds, "to stop after", "N" },
    { "verbose", 0, 0, G_OPTION_ARG_NONE, &fuzz_is_verbose,
        "tells of all events", NULL },
    G_OPTION_ENTRY_NULL };
  g_autoptr (GOptionContext) options = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  GstElement *keeper;

  setlocale (LC_ALL, "C");
  g_option_context_add_main_entries (options, entries, NULL);
  g_option_context_add_group (options, gst_init_get_option_group ());
  if (!g_option_context_parse (options, &argc, &argv, &error))
    g_error ("%s", error->message);
  /* keeps the device open between sequences */
  keeper = gst_object_ref_sink (gst_element_factory_make ("amphisto", NULL));
  if (gst_element_set_state (keeper, GST_STATE_READY)
      == GST_STATE_CHANGE_FAILURE) {
    g_printerr ("There is no OpenCL device.\n");
    return SKIPPED;
  }
  fuzz_report_catch ();
  run_sequences ((guint32) seed, (guint) n_frames, n_seconds);
  gst_element_set_state (keeper, GST_STATE_NULL);
  gst_object_unref (keeper);
  gst_deinit ();
  return 0;
}
