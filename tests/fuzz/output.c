/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "output.h"

#include "pixels.h"
#include "report.h"

/* --- messages --- */

FuzzPosted
fuzz_read_bus (GstElement *element)
{
  FuzzPosted self = { .histograms = g_ptr_array_new_with_free_func (
                          (GDestroyNotify) gst_message_unref),
    .told =
        g_ptr_array_new_with_free_func ((GDestroyNotify) gst_message_unref) };
  GstMessage *message;

  while ((message = gst_bus_pop (GST_ELEMENT_BUS (element))) != NULL) {
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
      g_autoptr (GError) error = NULL;

      gst_message_parse_error (message, &error, NULL);
      self.n_errors++;
      g_free (self.error);
      self.error = g_strdup (error->message);
    }
    if (gst_message_has_name (message, "amphisto"))
      g_ptr_array_add (self.histograms, gst_message_ref (message));
    if (gst_message_has_name (message, "amphisto-expect"))
      g_ptr_array_add (self.told, gst_message_ref (message));
    gst_message_unref (message);
  }
  return self;
}

void
fuzz_posted_clear (FuzzPosted *self)
{
  g_free (self->error);
  g_ptr_array_unref (self->histograms);
  g_ptr_array_unref (self->told);
}

static void
posted_free (FuzzPosted *self)
{
  fuzz_posted_clear (self);
  g_free (self);
}

/* --- at the source pad --- */

static GMutex lock; /* protects the variables below: a task sends frames */

/* Messages before each frame that came out. */
static GQueue posted_before; /* of FuzzPosted, owned */
static guint n_out;          /* frames */
static GstFlowReturn answer;

/* The last serialized event, and the frames that came out before it. */
static guint32 last_seqnum;
static guint n_before;

void
fuzz_output_set_answer (GstFlowReturn next)
{
  g_mutex_lock (&lock);
  answer = next;
  g_mutex_unlock (&lock);
}

static GstPadProbeReturn
on_buffer (GstPadProbeInfo *info, GstElement *element)
{
  FuzzPosted *posted;

  if (answer != GST_FLOW_OK) {
    gst_clear_buffer ((GstBuffer **) &info->data);
    GST_PAD_PROBE_INFO_FLOW_RETURN (info) = answer;
    answer = GST_FLOW_OK;
    return GST_PAD_PROBE_HANDLED;
  }
  n_out++;
  posted = g_new (FuzzPosted, 1);
  *posted = fuzz_read_bus (element);
  g_queue_push_tail (&posted_before, posted);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_output (GstPad *pad, GstPadProbeInfo *info, gpointer element)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  (void) pad;
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    return on_buffer (info, element);
  if (GST_EVENT_IS_SERIALIZED (info->data)) {
    last_seqnum = gst_event_get_seqnum (info->data);
    n_before = n_out;
  }
  return GST_PAD_PROBE_OK;
}

void
fuzz_output_begin (FuzzSequence *sequence)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sequence->tried, "src");

  gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      on_output, sequence->tried, NULL);
}

void
fuzz_drop_output (FuzzSequence *self)
{
  G_GNUC_UNUSED g_auto (FuzzPosted) rest = fuzz_read_bus (self->tried);
  GstBuffer *out;

  while ((out = gst_harness_try_pull (self->tried_harness)) != NULL)
    gst_buffer_unref (out);
  g_mutex_lock (&lock);
  g_queue_clear_full (&posted_before, (GDestroyNotify) posted_free);
  g_mutex_unlock (&lock);
}

/* --- frames --- */

static void
check_posted (const FuzzFrame *frame, const FuzzPosted *posted)
{
  const FuzzSettings *settings = &frame->settings;
  const guint n = posted->histograms->len;

  if (posted->n_errors > 0)
    fuzz_fail ("an error: %s", posted->error);
  if (n > 1 || (n > 0 && !settings->post_messages)
      || (n == 0 && settings->post_messages && settings->interval == 0))
    fuzz_fail ("%u messages, post-messages=%d interval=%" G_GUINT64_FORMAT, n,
        settings->post_messages, settings->interval);
  fuzz_report_begin_check ("message");
  for (guint i = 0; i < n; i++)
    fuzz_check_message (frame,
        gst_message_get_structure (g_ptr_array_index (posted->histograms, i)));
}

GstVideoOverlayComposition *
fuzz_scopes_of (GstBuffer *buffer)
{
  GstVideoOverlayCompositionMeta *meta =
      gst_buffer_get_video_overlay_composition_meta (buffer);

  return meta != NULL ? meta->overlay : NULL;
}

static void
check_flags (const FuzzFrame *frame, GstBuffer *out)
{
  if (GST_BUFFER_PTS (out) != frame->pts)
    fuzz_fail ("the frame of %" GST_TIME_FORMAT ", not %" GST_TIME_FORMAT,
        GST_TIME_ARGS (GST_BUFFER_PTS (out)), GST_TIME_ARGS (frame->pts));
  if (GST_BUFFER_IS_DISCONT (out) != frame->is_discont)
    fuzz_fail ("%s flag DISCONT", frame->is_discont ? "no" : "an unasked");
}

/* Compares pixels and scopes with the twin's, those that both have. */
static void
compare_with_twin (const FuzzSequence *self, const FuzzSent *sent,
    GstBuffer *out, const Picture *result)
{
  GstVideoOverlayComposition *scopes = fuzz_scopes_of (out);
  const gboolean draws_scopes =
      scopes == NULL && sent->frame.settings.scopes != AMPHISTO_SCOPE_NONE;

  fuzz_report_begin_check ("not the twin's scopes");
  if (self->focus != FUZZ_FOCUS_MEAN)
    fuzz_compare_scopes (sent->scopes, scopes);
  fuzz_report_begin_check ("not the twin's pixels");
  if (sent->expected != NULL && self->focus != FUZZ_FOCUS_SCALE
      && (self->focus == FUZZ_FOCUS_ALL || !draws_scopes))
    fuzz_compare (sent->expected, result);
}

/* Compares scopes alone with the twin's. */
static void
check_scopes_only (const FuzzSent *sent, GstBuffer *out)
{
  g_autoptr (Picture) result = NULL;

  fuzz_report_begin_check ("scopes alone");
  result =
      fuzz_take_scopes_only (&sent->frame, out, &sent->out_info, sent->input);
  fuzz_report_begin_check ("not the twin's scopes alone");
  fuzz_compare (sent->scopes_only, result);
}

static void
check_output (FuzzSequence *self, FuzzSent *sent, GstBuffer *out,
    const FuzzPosted *posted)
{
  FuzzFrame *frame = &sent->frame;
  g_autoptr (Picture) result = fuzz_picture_copy (frame->before);

  fuzz_picture_unprotect (sent->input);
  check_flags (frame, out);
  check_posted (frame, posted);
  fuzz_report_begin_check ("conditions");
  fuzz_expectations_add_frame (&self->expectations, frame, posted->told);
  fuzz_report_begin_check ("metadata");
  fuzz_check_meta (frame, out);
  fuzz_report_begin_check ("shared buffer");
  if (sent->buffer.other != NULL)
    fuzz_check_other (frame, sent->buffer.other);
  if (frame->settings.scopes_only) {
    check_scopes_only (sent, out);
    return;
  }
  fuzz_report_begin_check ("memory");
  fuzz_take_output (frame, out, sent->input, sent->buffer.sharing != 0, result);
  fuzz_report_begin_check ("scopes");
  fuzz_check_scopes (frame, fuzz_scopes_of (out));
  fuzz_report_begin_check ("pixels");
  fuzz_check_pixels (frame, result, fuzz_scopes_of (out) != NULL);
  compare_with_twin (self, sent, out, result);
}

/* Returns: (transfer full): the messages before the next frame. */
static FuzzPosted *
take_posted (void)
{
  FuzzPosted *posted;

  g_mutex_lock (&lock);
  posted = g_queue_pop_head (&posted_before);
  g_mutex_unlock (&lock);
  return posted;
}

/* A flush may drop a frame that was reported, or has passed the source pad. */
static void
forget_dropped (FuzzSequence *self)
{
  const guint n = gst_harness_buffers_in_queue (self->tried_harness);
  G_GNUC_UNUSED g_auto (FuzzPosted) rest = fuzz_read_bus (self->tried);

  g_mutex_lock (&lock);
  while (posted_before.length > n)
    posted_free (g_queue_pop_tail (&posted_before));
  g_mutex_unlock (&lock);
}

void
fuzz_collect (FuzzSequence *self)
{
  GstBuffer *out;

  if (self->is_dropping)
    forget_dropped (self);
  while ((out = gst_harness_try_pull (self->tried_harness)) != NULL) {
    FuzzSent *sent = g_queue_peek_head (&self->sent);
    FuzzPosted *posted = take_posted ();

    if (sent == NULL)
      fuzz_fail ("a frame that was not sent");
    check_output (self, sent, out, posted);
    gst_buffer_unref (out);
    fuzz_sent_free (g_queue_pop_head (&self->sent));
    posted_free (posted);
  }
  fuzz_report_begin_check (NULL);
  if (self->is_dropping)
    g_queue_clear_full (&self->sent, (GDestroyNotify) fuzz_sent_free);
  self->is_dropping = FALSE;
  if (self->sent.length > self->n_in_flight + 1) /* and one is sent on */
    fuzz_fail ("%u frames are in flight, not at most %u", self->sent.length,
        self->n_in_flight + 1);
}

void
fuzz_collect_all (FuzzSequence *self, const gchar *event)
{
  fuzz_collect (self);
  if (self->sent.length > 0)
    fuzz_fail ("%u frames do not come out before %s", self->sent.length, event);
}

void
fuzz_send_drain (FuzzSequence *self)
{
  g_autoptr (GstQuery) query = gst_query_new_drain ();

  gst_pad_peer_query (self->tried_harness->srcpad, query);
}

void
fuzz_drain (FuzzSequence *self)
{
  fuzz_send_drain (self);
  fuzz_collect_all (self, "a query");
}

void
fuzz_push_event (FuzzSequence *self, GstEvent *event)
{
  const guint32 seqnum = gst_event_get_seqnum (event);
  const gchar *name = GST_EVENT_TYPE_NAME (event);

  fuzz_sequence_tell (self, name);
  gst_harness_push_event (self->tried_harness, event);
  if (last_seqnum != seqnum)
    fuzz_fail ("no %s event comes out", name);
  if (n_before != n_out)
    fuzz_fail ("a %s event after %u of %u frames", name, n_before, n_out);
  fuzz_collect_all (self, name);
}
