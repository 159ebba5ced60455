/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "events.h"

#include "element/clfaults.h"
#include "output.h"
#include "pixels.h"
#include "report.h"

/* --- events and queries --- */

/* Serialized events send on the frames in flight. */
static void
send_event (FuzzSequence *self)
{
  const gint kind = g_rand_int_range (self->random, 0, 3);

  if (kind == 0)
    fuzz_push_event (self, gst_event_new_gap (self->time, FUZZ_FRAME_DURATION));
  else if (kind == 1)
    fuzz_push_event (self,
        gst_event_new_tag (
            gst_tag_list_new (GST_TAG_TRACK_NUMBER, self->n_frames, NULL)));
  else
    fuzz_push_event (self,
        gst_event_new_custom (
            GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty ("fuzz")));
}

/* Other events and queries overtake frames. */
static void
send_in_between (FuzzSequence *self)
{
  g_autoptr (GstQuery) query = gst_query_new_caps (NULL);

  gst_harness_push_event (self->tried_harness,
      gst_event_new_custom (
          GST_EVENT_CUSTOM_DOWNSTREAM_OOB, gst_structure_new_empty ("fuzz")));
  gst_pad_peer_query (self->tried_harness->srcpad, query);
  fuzz_collect (self);
}

static void
check_latency (FuzzSequence *self)
{
  const gint rate = GST_VIDEO_INFO_FPS_N (&self->info);
  const GstClockTime latency = gst_harness_query_latency (self->tried_harness);
  const GstClockTime expected = rate == 0
          || gst_base_transform_is_passthrough (
              GST_BASE_TRANSFORM (self->tried))
      ? 0
      : (self->n_in_flight - 1) * (GST_SECOND / rate);

  if (latency != expected)
    fuzz_fail ("the latency is %" GST_TIME_FORMAT ", not %" GST_TIME_FORMAT,
        GST_TIME_ARGS (latency), GST_TIME_ARGS (expected));
}

/* --- refused frames --- */

/* Downstream's answer to a frame comes with that frame or a later one. */
static void
refuse_frame (FuzzSequence *self)
{
  static const GstFlowReturn answers[] = { GST_FLOW_EOS, GST_FLOW_ERROR,
    GST_FLOW_FLUSHING, GST_FLOW_NOT_LINKED };
  const GstFlowReturn answer = FUZZ_PICK (self->random, answers);
  g_autoptr (Picture) input = fuzz_picture_copy (self->frame.before);
  g_auto (FuzzBuffer) plain = fuzz_buffer_plain (input);
  GstFlowReturn flow = GST_FLOW_OK;

  fuzz_drain (self);
  fuzz_sequence_tell (self, "refused");
  fuzz_output_set_answer (answer);
  for (guint i = 0; flow == GST_FLOW_OK && i < self->n_in_flight + 2; i++) {
    if (i > 0 && g_rand_boolean (self->random))
      fuzz_send_drain (self);
    flow = gst_harness_push (
        self->tried_harness, gst_buffer_copy_deep (plain.buffer));
  }
  if (flow == GST_FLOW_OK) { /* the answer comes with the next frame */
    fuzz_send_drain (self);
    flow = gst_harness_push (
        self->tried_harness, gst_buffer_copy_deep (plain.buffer));
  }
  if (flow != answer)
    fuzz_fail (
        "%s, not %s", gst_flow_get_name (flow), gst_flow_get_name (answer));
  if (gst_harness_buffers_in_queue (self->tried_harness) > 0)
    fuzz_fail ("a frame after one that was refused");
  fuzz_sequence_restart (self);
  fuzz_drop_output (self);
}

/* Downstream refuses a frame that is drained. The next frame gets the answer,
 * unless a segment ends EOS, or a flush any answer. */
static void
refuse_drained (FuzzSequence *self)
{
  const gboolean is_eos = g_rand_boolean (self->random);
  const gboolean is_over = g_rand_boolean (self->random);
  const GstFlowReturn answer = is_eos ? GST_FLOW_EOS : GST_FLOW_FLUSHING;
  g_autoptr (Picture) input = fuzz_picture_copy (self->frame.before);
  g_auto (FuzzBuffer) plain = fuzz_buffer_plain (input);
  GstHarness *h = self->tried_harness;
  GstFlowReturn flow, expected = answer;

  fuzz_drain (self);
  fuzz_sequence_tell (self, "refused when drained");
  fuzz_output_set_answer (answer);
  flow = gst_harness_push (h, gst_buffer_copy_deep (plain.buffer));
  gst_harness_push_event (h, gst_event_new_gap (self->time, 0));
  if (is_over && !is_eos) {
    gst_harness_push_event (h, gst_event_new_flush_start ());
    gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  }
  if (is_over)
    gst_harness_push_event (h, gst_event_new_segment (&self->segment));
  if (flow == GST_FLOW_OK) { /* a task sends the frame */
    flow = gst_harness_push (h, g_steal_pointer (&plain.buffer));
    expected = is_over ? GST_FLOW_OK : answer;
  }
  if (flow != expected)
    fuzz_fail (
        "%s, not %s", gst_flow_get_name (flow), gst_flow_get_name (expected));
  fuzz_sequence_restart (self);
  fuzz_drop_output (self);
}

/* --- EOS --- */

/* Expects messages, and an error, of the conditions that no frame has met.
 * Setting the conditions again corrects a mistake, which would be an error. */
static void
end_stream (FuzzSequence *self)
{
  const gboolean is_error = g_rand_boolean (self->random);
  g_autofree gchar *text = NULL;
  g_auto (FuzzPosted) posted = { 0 };

  g_object_get (self->tried, "expect", &text, NULL);
  g_object_set (self->tried, "expect", text, "expect-error", is_error, NULL);
  fuzz_push_event (self, gst_event_new_eos ());
  posted = fuzz_read_bus (self->tried);
  if (posted.n_errors > 1)
    fuzz_fail ("%u errors, the last: %s", posted.n_errors, posted.error);
  fuzz_report_begin_check ("EOS");
  fuzz_expectations_check_end (&self->expectations, text != NULL ? text : "",
      is_error, posted.told, posted.error);
  fuzz_report_begin_check (NULL);
  g_object_set (self->tried, "expect-error", FALSE, NULL);
  fuzz_sequence_flush (self);
}

/* --- hostile buffers --- */

/* Expects one error and no buffer, unless the element had nothing to do with
 * the frame. */
static void
check_refused (FuzzSequence *self, GstFlowReturn flow)
{
  GstBuffer *out = gst_harness_try_pull (self->tried_harness);
  g_auto (FuzzPosted) posted = fuzz_read_bus (self->tried);
  FuzzFrame *frame = &self->frame;

  fuzz_settings_read (&frame->settings, self->tried);
  if (posted.n_errors != (flow == GST_FLOW_OK ? 0 : 1)
      || (out != NULL) != (flow == GST_FLOW_OK))
    fuzz_fail ("a hostile buffer: %s, %u errors, %s buffer: %s",
        gst_flow_get_name (flow), posted.n_errors, out != NULL ? "a" : "no",
        posted.error);
  if (flow == GST_FLOW_OK && frame->settings.attach_meta
      && fuzz_frame_is_measured (frame))
    fuzz_fail ("a hostile buffer was measured");
  gst_clear_buffer (&out);
  fuzz_drop_output (self);
}

/* Frames in flight come out before one that is refused. */
static void
push_hostile_buffer (FuzzSequence *self)
{
  const gboolean is_alone = g_rand_boolean (self->random);
  g_autoptr (Picture) input = fuzz_picture_copy (self->frame.before);
  GstFlowReturn flow;

  fuzz_buffer_clear (&self->buffer);
  self->buffer = fuzz_buffer_hostile (self->random, input, &self->info);
  if (is_alone)
    fuzz_drain (self);
  flow = gst_harness_push (
      self->tried_harness, g_steal_pointer (&self->buffer.buffer));
  if (flow != GST_FLOW_OK)
    fuzz_collect_all (self, "a hostile buffer");
  fuzz_send_drain (self);
  if (is_alone || flow != GST_FLOW_OK)
    check_refused (self, flow);
  fuzz_compare (self->frame.before, input);
  fuzz_sequence_restart (self);
  fuzz_drop_output (self);
}

/* --- failing calls --- */

/* Expects one error and no buffer, unless the element could do without the
 * failed call. */
static void
check_failed (FuzzSequence *self, GstFlowReturn flow)
{
  g_auto (FuzzPosted) posted = fuzz_read_bus (self->tried);
  g_autoptr (GstBuffer) out = gst_harness_try_pull (self->tried_harness);
  const gboolean has_failed = posted.n_errors > 0;

  if (posted.n_errors > 1 || (out == NULL) != has_failed
      || (flow != GST_FLOW_OK && !has_failed)
      || (has_failed && clfaults_failed () == NULL))
    fuzz_fail ("%s, %u errors, %s buffer, %s failed: %s",
        gst_flow_get_name (flow), posted.n_errors, out != NULL ? "a" : "no",
        clfaults_failed (), posted.error);
  fuzz_drop_output (self);
}

/* Lets a random call fail while the frame is processed, or none. Expects one
 * error, and that the element works again after a restart. Leaves out calls
 * that release something: their failures are only warned of. */
static void
fail_call (FuzzSequence *self)
{
  static const gchar *const calls[] = { "clCreateBuffer", "clSetKernelArg",
    "clEnqueueNDRangeKernel", "clEnqueueWriteBuffer", "clEnqueueReadBuffer",
    "clEnqueueReadBufferRect", "clEnqueueFillBuffer", "clEnqueueMapBuffer",
    "clFlush", "clWaitForEvents", "clCreateKernel", "clBuildProgram" };
  const gchar *call = FUZZ_PICK (self->random, calls);
  g_autoptr (Picture) input = fuzz_picture_copy (self->frame.before);
  GstFlowReturn flow;

  fuzz_drain (self);
  fuzz_sequence_tell (self, call);
  clfaults_set (call, g_rand_int_range (self->random, 1, 12));
  fuzz_buffer_clear (&self->buffer);
  self->buffer = fuzz_buffer_plain (input);
  flow = gst_harness_push (
      self->tried_harness, g_steal_pointer (&self->buffer.buffer));
  fuzz_send_drain (self);
  check_failed (self, flow);
  clfaults_set (NULL, 0);
  fuzz_sequence_restart (self);
}

/* --- one of them --- */

void
fuzz_send_something (FuzzSequence *self)
{
  static const struct
  {
    gint frequency; /* per 1000 frames */
    void (*send) (FuzzSequence *self);
  } kinds[] = { { 20, push_hostile_buffer }, { 2, fail_call },
    { 20, end_stream }, { 30, send_event }, { 20, send_in_between },
    { 20, check_latency }, { 5, refuse_frame }, { 10, refuse_drained } };
  gint lot = g_rand_int_range (self->random, 0, 1000);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    lot -= kinds[i].frequency;
    if (lot < 0) {
      kinds[i].send (self);
      return;
    }
  }
}
