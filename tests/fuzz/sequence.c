/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "sequence.h"

#include "caps.h"
#include "output.h"

#include <string.h>

/* What the twin of a focus does without, and the settings that matter to the
 * states. Conditions name channels to measure. Lists end with NULL. */
static const struct
{
  const gchar *left[4];
  TestSubjects subjects;
  const gchar *favourites[6];
} foci[FUZZ_N_FOCUSES] = {
  [FUZZ_FOCUS_ALL] = { { NULL }, TEST_ALL_SUBJECTS,
      { "roi-x", "roi-y", "roi-width", "roi-height", "expect-duration" } },
  [FUZZ_FOCUS_MEAN] = { { "scopes", "compare-frames", "expect" },
      TEST_EQUALIZATION,
      { "roi-x", "roi-width", "roi-height", "scopes", "compare-frames" } },
  [FUZZ_FOCUS_SCALE] = { { "equalization", "smoothing", "compare-frames" },
      TEST_SCOPES | TEST_CHANNELS,
      { "roi-x", "roi-width", "equalization", "smoothing", "compare-frames" } },
};

gboolean fuzz_is_verbose;

void
fuzz_sequence_tell (const FuzzSequence *self, const gchar *event)
{
  g_autofree gchar *settings = NULL;

  if (!fuzz_is_verbose)
    return;
  settings = fuzz_describe_settings (self->tried);
  g_printerr ("frame %u: %s: %s\n", self->n_frames, event, settings);
}

/* --- sent frames --- */

FuzzSent *
fuzz_sequence_add_sent (FuzzSequence *self, Picture *input)
{
  FuzzSent *sent = g_new0 (FuzzSent, 1);

  sent->number = self->n_frames;
  sent->info = self->info;
  sent->frame = self->frame;
  sent->frame.info = &sent->info;
  sent->frame.before = fuzz_picture_copy (self->frame.before);
  sent->frame.regions = g_array_copy (self->frame.regions);
  sent->buffer = self->buffer;
  sent->input = input;
  self->buffer = (FuzzBuffer){ 0 };
  g_queue_push_tail (&self->sent, sent);
  return sent;
}

void
fuzz_sent_free (FuzzSent *sent)
{
  fuzz_picture_unprotect (sent->input);
  fuzz_buffer_clear (&sent->buffer);
  picture_free (sent->input);
  g_clear_pointer (&sent->expected, picture_free);
  g_clear_pointer (&sent->scopes_only, picture_free);
  g_clear_pointer (&sent->scopes, gst_video_overlay_composition_unref);
  picture_free (sent->frame.before);
  g_array_unref (sent->frame.regions);
  g_free (sent);
}

/* --- the two elements --- */

static void
send_caps (FuzzSequence *self, GstHarness *h)
{
  gst_harness_set_src_caps (h, gst_caps_ref (self->caps));
  gst_harness_push_event (h, gst_event_new_segment (&self->segment));
}

/* Allows new buffers to begin at any address. */
static void
propose_allocation (FuzzSequence *self, GstHarness *h)
{
  static const gsize prefixes[] = { 0, 0, 1, 2, 7, 64 };
  GstAllocationParams params;

  gst_allocation_params_init (&params);
  params.align = (1 << g_rand_int_range (self->random, 0, 8)) - 1;
  params.prefix = FUZZ_PICK (self->random, prefixes);
  params.padding = g_rand_int_range (self->random, 0, 9);
  gst_harness_set_propose_allocator (h, NULL, &params);
  if (g_rand_boolean (self->random))
    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
}

static void
set_downstream (const FuzzSequence *self, GstHarness *h)
{
  g_autofree gchar *caps =
      g_strdup_printf ("video/x-raw, format=%s, width=%u, height=%u",
          self->output_width % 2 ? "BGRA" : "BGRx", self->output_width,
          self->output_height);

  if (self->scopes_only)
    gst_harness_set_sink_caps_str (h, caps);
  else
    gst_harness_set_sink_caps_str (h, self->composes ? "ANY" : "video/x-raw");
}

static GstHarness *
harness_new (const FuzzSequence *self, GstElement *element)
{
  GstHarness *h = gst_harness_new_with_element (element, "sink", "src");

  gst_harness_add_propose_allocation_meta (
      h, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
  set_downstream (self, h);
  return h;
}

static GstElement *
element_new (void)
{
  GstElement *element = gst_element_factory_make ("amphisto", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_object_ref_sink (element);
  gst_element_set_bus (element, bus);
  g_object_set (element, "expect-error", FALSE, NULL);
  return element;
}

static void
harness_free (GstHarness *h)
{
  g_autoptr (GstElement) element = gst_object_ref (h->element);

  gst_harness_teardown (h);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_bus_set_flushing (GST_ELEMENT_BUS (element), TRUE);
  gst_element_set_bus (element, NULL);
}

static void
set_like_tried (const FuzzSequence *self, GstElement *twin)
{
  fuzz_set_like (twin, self->tried, foci[self->focus].left);
}

/* Whether the twin has a property. */
static gboolean
is_of_focus (const FuzzSequence *self, const gchar *property)
{
  return !g_strv_contains (foci[self->focus].left, property);
}

static void
add_control_to_twin (const FuzzSequence *self, const FuzzControl *control)
{
  if (is_of_focus (self, control->property))
    fuzz_control_add (control, self->twin_harness->element);
}

/* Scopes alone must have something to show when the caps are set, as they are
 * for a new twin: every format has luma. */
static void
ensure_content (FuzzSequence *self)
{
  guint scopes, channels;

  g_object_get (self->tried, "scopes", &scopes, "channels", &channels, NULL);
  if (!self->scopes_only
      || (scopes & AMPHISTO_SCOPE_VECTORSCOPE
          && !GST_VIDEO_INFO_IS_GRAY (&self->info))
      || (scopes & ~AMPHISTO_SCOPE_VECTORSCOPE
          && channels & FUZZ_CHANNELS_LUMA))
    return;
  g_object_set (self->tried, "scopes", scopes | AMPHISTO_SCOPE_HISTOGRAM,
      "channels", channels | FUZZ_CHANNELS_LUMA, NULL);
}

/* Replaces the twin by a new element with the tried element's settings. */
static void
renew_twin (FuzzSequence *self)
{
  g_autoptr (GstElement) twin = element_new ();

  fuzz_sequence_tell (self, "a new twin");
  g_clear_pointer (&self->twin_harness, harness_free);
  set_like_tried (self, twin);
  g_object_set (twin, "verify", TRUE, "scopes-only", self->scopes_only, NULL);
  self->twin_harness = harness_new (self, twin);
  for (guint i = 0; i < self->n_controls; i++)
    add_control_to_twin (self, &self->controls[i]);
  send_caps (self, self->twin_harness);
  self->is_out_of_step = TRUE;
}

/* Takes effect when the tried element starts. */
static void
choose_in_flight (FuzzSequence *self)
{
  self->n_in_flight = g_rand_boolean (self->random)
      ? 1
      : (guint) g_rand_int_range (self->random, 2, 9);
  g_object_set (self->tried, "frames-in-flight", self->n_in_flight, NULL);
}

static void
choose_output_size (FuzzSequence *self)
{
  const guint most = g_rand_int_range (self->random, 0, 8) == 0 ? 400 : 130;

  self->output_width = g_rand_int_range (self->random, 1, most);
  self->output_height = g_rand_int_range (self->random, 1, most);
}

/* Takes effect when the tried element starts. The twin of means has no scopes.
 */
static void
choose_scopes_only (FuzzSequence *self)
{
  self->scopes_only = self->focus != FUZZ_FOCUS_MEAN
      && g_rand_int_range (self->random, 0, 4) == 0;
  choose_output_size (self);
  g_object_set (self->tried, "scopes-only", self->scopes_only, NULL);
  ensure_content (self);
}

/* The tried element sometimes verifies. This may begin or end only when it
 * resets its state between frames. */
static void
choose_verify (FuzzSequence *self)
{
  g_object_set (
      self->tried, "verify", g_rand_int_range (self->random, 0, 8) == 0, NULL);
}

/* Makes the tried element reset its state between frames. */
static void
forget_frames (FuzzSequence *self)
{
  fuzz_history_clear (&self->history);
  choose_verify (self);
  if (g_rand_boolean (self->random))
    renew_twin (self);
}

/* --- changes between frames --- */

static void
place_picture (FuzzSequence *self)
{
  g_clear_pointer (&self->frame.before, picture_free);
  self->frame.before = fuzz_picture_new (self->random, &self->info);
}

/* Downstream takes overlay compositions from now on, or no longer, and scopes
 * alone of another size. */
static void
change_downstream (FuzzSequence *self)
{
  fuzz_sequence_tell (self, "downstream");
  self->composes = !self->composes;
  choose_output_size (self);
  set_downstream (self, self->tried_harness);
  set_downstream (self, self->twin_harness);
}

/* --- a pool --- */

static void
drop_pool (FuzzSequence *self)
{
  if (self->pool != NULL)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
}

/* Makes a pool as a source does: with at most the number of buffers that the
 * element asks for, and one for the source to fill. */
static void
make_pool (FuzzSequence *self)
{
  g_autoptr (GstQuery) query = gst_query_new_allocation (self->caps, FALSE);
  const guint size = GST_VIDEO_INFO_SIZE (&self->info);
  GstStructure *config;
  guint min = 0;

  if (gst_pad_peer_query (self->tried_harness->srcpad, query)
      && gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, NULL, NULL, &min, NULL);
  self->pool = gst_buffer_pool_new ();
  config = gst_buffer_pool_get_config (self->pool);
  gst_buffer_pool_config_set_params (
      config, self->caps, size, 0, g_rand_int_range (self->random, 1, min + 2));
  g_assert_true (gst_buffer_pool_set_config (self->pool, config));
  g_assert_true (gst_buffer_pool_set_active (self->pool, TRUE));
}

GstBuffer *
fuzz_sequence_take_buffer (FuzzSequence *self)
{
  GstBufferPoolAcquireParams params = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };
  GstBuffer *buffer = NULL;

  if (gst_pad_check_reconfigure (self->tried_harness->srcpad))
    drop_pool (self);
  if (self->pool == NULL)
    make_pool (self);
  gst_buffer_pool_acquire_buffer (self->pool, &buffer, &params);
  return buffer;
}

static void
choose_caps (FuzzSequence *self)
{
  const gboolean is_large = self->focus == FUZZ_FOCUS_SCALE
      && g_rand_int_range (self->random, 0, 3) == 0;

  gst_clear_caps (&self->caps);
  self->caps = fuzz_caps_random (self->random, is_large);
  g_assert_true (gst_video_info_from_caps (&self->info, self->caps));
  fuzz_caps_weights (self->caps, self->frame.weights);
  place_picture (self);
}

static void
choose_segment (FuzzSequence *self)
{
  static const gdouble rates[] = { 1, 1, 0.5, -1 };

  gst_segment_init (&self->segment,
      g_rand_int_range (self->random, 0, 8) == 0 ? GST_FORMAT_BYTES
                                                 : GST_FORMAT_TIME);
  self->segment.rate = FUZZ_PICK (self->random, rates);
  if (g_rand_boolean (self->random))
    self->segment.applied_rate = -1;
  if (self->segment.rate < 0)
    self->segment.stop = GST_SECOND;
  else if (g_rand_boolean (self->random)) /* frames come before it */
    self->segment.start = g_rand_int_range (self->random, 0, 200) * GST_MSECOND;
  self->time = 0;
}

static void
change_caps (FuzzSequence *self)
{
  g_autoptr (GstCaps) last = gst_caps_ref (self->caps);

  fuzz_sequence_tell (self, "caps");
  drop_pool (self);
  do
    choose_caps (self);
  while (gst_caps_is_equal (last, self->caps));
  ensure_content (self);
  set_like_tried (self, self->twin_harness->element);
  send_caps (self, self->tried_harness);
  send_caps (self, self->twin_harness);
  forget_frames (self);
}

static void
change_segment (FuzzSequence *self)
{
  fuzz_sequence_tell (self, "segment");
  choose_segment (self);
  send_caps (self, self->tried_harness);
  send_caps (self, self->twin_harness);
}

static void
flush_harness (FuzzSequence *self, GstHarness *h)
{
  gst_harness_push_event (h, gst_event_new_flush_start ());
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (h, gst_event_new_segment (&self->segment));
}

/* Frames that are dropped may have been tested against conditions before: it is
 * unknown which. */
static void
drain_conditions (FuzzSequence *self)
{
  if (*self->expectations.text != '\0' || *self->frame.settings.expect != '\0')
    fuzz_drain (self);
}

void
fuzz_sequence_flush (FuzzSequence *self)
{
  fuzz_sequence_tell (self, "flush");
  drain_conditions (self);
  flush_harness (self, self->tried_harness);
  self->is_dropping = TRUE;
  fuzz_expectations_flush (&self->expectations);
  flush_harness (self, self->twin_harness);
  forget_frames (self);
}

void
fuzz_sequence_restart (FuzzSequence *self)
{
  fuzz_sequence_tell (self, "restart");
  drop_pool (self);
  self->expectations = (FuzzExpectations){ 0 };
  fuzz_history_clear (&self->history);
  gst_element_set_state (self->tried,
      g_rand_boolean (self->random) ? GST_STATE_READY : GST_STATE_NULL);
  self->is_dropping = TRUE;
  choose_verify (self);
  choose_in_flight (self);
  choose_scopes_only (self);
  set_downstream (self, self->tried_harness);
  gst_harness_play (self->tried_harness);
  gst_harness_push_event (
      self->tried_harness, gst_event_new_stream_start ("again"));
  send_caps (self, self->tried_harness);
  renew_twin (self);
  self->is_out_of_step = FALSE;
}

static void
add_control (FuzzSequence *self)
{
  const FuzzControl control = fuzz_control_random (self->random, self->tried);

  for (guint i = 0; i < self->n_controls; i++)
    if (self->controls[i].property == control.property)
      return;
  if (self->n_controls == FUZZ_MAX_CONTROLS)
    return;
  self->controls[self->n_controls++] = control;
  fuzz_control_add (&control, self->tried);
  add_control_to_twin (self, &control);
}

static void
remove_controls (FuzzSequence *self)
{
  for (guint i = 0; i < self->n_controls; i++) {
    fuzz_control_remove (&self->controls[i], self->tried);
    if (is_of_focus (self, self->controls[i].property))
      fuzz_control_remove (&self->controls[i], self->twin_harness->element);
  }
  self->n_controls = 0;
}

/* Whether all states that the twin has must restart. */
static gboolean
must_forget (const FuzzSequence *self, const FuzzSettings *now)
{
  FuzzFrame next = self->frame;

  next.settings = *now;
  return (self->focus == FUZZ_FOCUS_SCALE
             || !fuzz_history_continues_mean (&self->history, &next))
      && (self->focus == FUZZ_FOCUS_MEAN
          || fuzz_settings_forget_scale (&self->frame.settings, now));
}

/* Whether the frame has the channels of all conditions. */
static gboolean
has_channels (const FuzzFrame *frame, const gchar *expect)
{
  guint32 bins[256];

  for (guint c = 0; c < FUZZ_N_CHANNELS; c++)
    if (fuzz_channel_is_named (&fuzz_channels[c], expect)
        && !fuzz_frame_count (frame, fuzz_channels[c].name, bins))
      return FALSE;
  return TRUE;
}

/* Sets random properties of the tried element, without conditions that the
 * format can never have: it would refuse them, while a new twin, which gets
 * them before its caps, would keep them. */
static void
set_some (FuzzSequence *self)
{
  g_autofree gchar *last = NULL, *expect = NULL;

  g_object_get (self->tried, "expect", &last, NULL);
  fuzz_set_some (self->random, self->tried, foci[self->focus].subjects,
      foci[self->focus].favourites);
  g_object_get (self->tried, "expect", &expect, NULL);
  if (self->focus == FUZZ_FOCUS_SCALE)
    g_object_set (self->tried, "expect", NULL, NULL);
  else if (expect != NULL && !has_channels (&self->frame, expect))
    g_object_set (self->tried, "expect", last, NULL);
  ensure_content (self);
}

/* If the tried element must reset its state because of its new settings, the
 * twin is replaced. */
static void
change_settings (FuzzSequence *self)
{
  FuzzSettings now;

  /* a controller sets its property only when the controller's value changes */
  remove_controls (self);
  if (g_rand_int_range (self->random, 0, 10) == 0)
    fuzz_set_defaults (self->tried);
  set_some (self);
  set_like_tried (self, self->twin_harness->element);
  fuzz_settings_read (&now, self->tried);
  if (self->has_last && must_forget (self, &now)
      && g_rand_boolean (self->random))
    renew_twin (self);
}

void
fuzz_sequence_change (FuzzSequence *self)
{
  const gint kind = g_rand_int_range (self->random, 0, 1000);

  if (kind < 250)
    change_settings (self);
  else if (kind < 300)
    change_caps (self);
  else if (kind < 320)
    fuzz_sequence_flush (self);
  else if (kind < 340) {
    drain_conditions (self);
    fuzz_sequence_restart (self);
  } else if (kind < 350)
    change_segment (self);
  else if (kind < 400)
    add_control (self);
  else if (kind < 450)
    place_picture (self);
  else if (kind < 480)
    change_downstream (self);
  else if (kind < 490)
    gst_harness_push_upstream_event (
        self->tried_harness, gst_event_new_reconfigure ());
}

/* --- the sequence --- */

/* Most sequences use the state of their focus from the start. */
static void
use_focus (FuzzSequence *self)
{
  if (self->focus == FUZZ_FOCUS_MEAN)
    g_object_set (self->tried, "equalization",
        g_rand_int_range (self->random, AMPHISTO_EQUALIZATION_GLOBAL,
            AMPHISTO_EQUALIZATION_MATCH),
        "smoothing", g_rand_double_range (self->random, 0.5, 0.95), NULL);
  if (self->focus == FUZZ_FOCUS_SCALE)
    g_object_set (
        self->tried, "scopes", AMPHISTO_SCOPE_HISTOGRAM, "expect", NULL, NULL);
  self->composes =
      self->focus == FUZZ_FOCUS_SCALE || g_rand_boolean (self->random);
}

void
fuzz_sequence_init (FuzzSequence *self, guint32 seed)
{
  *self = (FuzzSequence){ .seed = seed, .random = g_rand_new_with_seed (seed) };
  self->frame.info = &self->info;
  self->frame.regions = g_array_new (FALSE, FALSE, sizeof (FuzzRegion));
  self->focus = g_rand_int_range (self->random, 0, FUZZ_N_FOCUSES);
  choose_caps (self);
  choose_segment (self);
  self->tried = element_new ();
  fuzz_set_some (self->random, self->tried, foci[self->focus].subjects,
      foci[self->focus].favourites);
  use_focus (self);
  choose_in_flight (self);
  choose_scopes_only (self);
  self->tried_harness = harness_new (self, self->tried);
  propose_allocation (self, self->tried_harness);
  send_caps (self, self->tried_harness);
  renew_twin (self);
  self->is_out_of_step = FALSE;
}

void
fuzz_sequence_clear (FuzzSequence *self)
{
  harness_free (self->tried_harness);
  harness_free (self->twin_harness);
  drop_pool (self);
  fuzz_history_clear (&self->history);
  g_queue_clear_full (&self->sent, (GDestroyNotify) fuzz_sent_free);
  gst_object_unref (self->tried);
  fuzz_buffer_clear (&self->buffer);
  picture_free (self->frame.before);
  g_array_unref (self->frame.regions);
  gst_caps_unref (self->caps);
  g_rand_free (self->random);
}
