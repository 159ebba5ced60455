/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Several frames in flight: they come out in order with events and queries,
 * none is lost, and everything stays with its own frame.
 */

#include <string.h>

#include "clfaults.h"
#include "harnesses.h"
#include "monotonic.h"

#define WIDTH 16
#define MAX_IN_FLIGHT 8
#define UPSTREAM_LATENCY (10 * GST_MSECOND)

/* --- numbered frames --- */

/* Black and white pixels: the bits of the number, and one pixel of each.
 * Equalization keeps them, since both ends of the range occur. */
#define N_CODE 34

static void
fill (Picture *picture, guint number)
{
  guint8 *data = picture->data;
  guint32 random = number * 2654435761u + 1;

  for (guint i = 0; i < 32; i++)
    data[i] = number >> i & 1 ? 255 : 0;
  data[32] = 0;
  data[33] = 255;
  for (guint i = N_CODE; i < WIDTH * picture->height; i++) {
    random = random * 1664525 + 1013904223;
    data[i] = 20 + (random >> 24) % 128;
  }
}

static Picture *
numbered_new (guint height)
{
  return picture_new ("GRAY8", WIDTH, height, PICTURE_TIGHT, 0, 255, 1);
}

/* The frame has its number's bits; its other pixels may have changed. */
static void
assert_code (GstBuffer *buffer, const Picture *picture)
{
  GstVideoInfo info;
  GstVideoFrame frame;

  gst_video_info_set_format (
      &info, GST_VIDEO_FORMAT_GRAY8, WIDTH, picture->height);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (guint i = 0; i < N_CODE; i++) {
    const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
        + i / WIDTH * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);

    fail_unless (row[i % WIDTH] == picture->data[i], "pixel %u", i);
  }
  gst_video_frame_unmap (&frame);
}

/* --- latency --- */

static gboolean
answer_live (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, TRUE, UPSTREAM_LATENCY, 2 * UPSTREAM_LATENCY);
  return TRUE;
}

static gboolean
answer_not_live (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, FALSE, UPSTREAM_LATENCY, GST_CLOCK_TIME_NONE);
  return TRUE;
}

/* --- storms --- */

typedef struct
{
  gboolean attaches, posts, verifies;
  gint equalization;
  gdouble smoothing;
} Settings;

static gboolean
is_passthrough (const Settings *settings)
{
  return !settings->attaches && !settings->posts
      && settings->equalization == EQUALIZATION_NONE;
}

/* A frame or an event that was sent. */
typedef struct
{
  GstEventType event; /* 0: a frame */
  guint32 seqnum;     /* of an event, except caps, which are created anew */
  guint number;       /* of a frame */
  guint height;
  GstClockTime stream_time;
  gboolean is_empty; /* a gap without memory */
  gboolean is_discont;
  Settings settings;
  GstBuffer *shared; /* owned: the frame if it is shared, or NULL */
} Item;

typedef struct
{
  GRand *random;
  GstHarness *h;
  guint n_frames; /* maximum in flight */

  GQueue sent;     /* of Item, not out yet */
  guint n_held;    /* frames among them */
  guint n_sending; /* 1 while the last item is being pushed, else 0 */
  guint n_out;
  guint n_dropped;
  guint number; /* of the next frame */
  guint n_streams;

  Settings settings;
  Settings applied;     /* to the last frame */
  Picture *pictures[2]; /* one of each height */
  guint height;
  GstClockTime duration; /* of a frame, by the caps; 0: unknown */
  GstClockTime time;     /* stream time of running time 0 */
  gboolean is_discont;   /* the next frame comes after a discontinuity */
  gboolean may_drain;    /* the next frame may send the others on */

  GstFlowReturn answer; /* downstream's answer to the next frame */
  gboolean is_lossy;    /* frames may be missing */
  GQueue messages;      /* of GstMessage, owned: histograms */
  guint n_late;         /* frames dropped since this was reset */
  guint n_errors;
} Storm;

static gint
roll (Storm *self, gint n)
{
  return g_rand_int_range (self->random, 0, n);
}

static void
read_bus (Storm *self)
{
  GstBus *bus = GST_ELEMENT_BUS (self->h->element);

  for (GstMessage *message; (message = gst_bus_pop (bus)) != NULL;) {
    fail_if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING);
    self->n_late += GST_MESSAGE_TYPE (message) == GST_MESSAGE_QOS;
    self->n_errors += GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR;
    if (gst_message_has_name (message, "amphisto"))
      g_queue_push_tail (&self->messages, message);
    else
      gst_message_unref (message);
  }
}

/* Only the test holds the frames that it shared. */
static void
item_free (Item *item)
{
  if (item->shared != NULL) {
    fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (item->shared), 1);
    gst_buffer_unref (item->shared);
  }
  g_free (item);
}

static void
forget_sent (Storm *self)
{
  read_bus (self);
  g_queue_clear_full (&self->sent, (GDestroyNotify) item_free);
  g_queue_clear_full (&self->messages, (GDestroyNotify) gst_message_unref);
  self->n_held = 0;
  self->answer = GST_FLOW_OK;
  self->is_lossy = FALSE;
}

/* --- output --- */

static void
check_message (Storm *self, const Item *item, const Picture *picture)
{
  g_autoptr (GstMessage) message = g_queue_pop_head (&self->messages);
  guint64 timestamp = 0, stream_time = 0;
  const GstStructure *structure, *luma;
  const GValue *array;
  guint32 bins[256];

  fail_unless (message != NULL, "frame %u: no message", item->number);
  structure = gst_message_get_structure (message);
  gst_structure_get (structure, "timestamp", G_TYPE_UINT64, &timestamp,
      "stream-time", G_TYPE_UINT64, &stream_time, NULL);
  fail_unless_equals_uint64 (timestamp, item->number * GST_MSECOND);
  fail_unless_equals_uint64 (stream_time, item->stream_time);
  picture_count (picture, "luma", bins);
  luma = gst_value_get_structure (gst_structure_get_value (structure, "luma"));
  array = gst_structure_get_value (luma, "bins");
  for (guint v = 0; v < 256; v++)
    fail_unless_equals_int (
        g_value_get_uint (gst_value_array_get_value (array, v)), bins[v]);
}

static void
check_pixels (const Item *item, Picture *picture, GstBuffer *buffer)
{
  const Settings *settings = &item->settings;

  if (settings->equalization == EQUALIZATION_CLAHE)
    return;
  assert_code (buffer, picture);
  if (settings->equalization == EQUALIZATION_GLOBAL) {
    if (settings->smoothing > 0)
      return;
    picture_equalize (picture, 1.0f);
  }
  assert_pixels (buffer, picture);
}

static void
check_frame (Storm *self, const Item *item, GstBuffer *buffer)
{
  Picture *picture = self->pictures[item->height > 8];

  fail_unless_equals_uint64 (
      GST_BUFFER_PTS (buffer), item->number * GST_MSECOND);
  fail_unless (GST_BUFFER_IS_DISCONT (buffer) == item->is_discont,
      "frame %u has%s the flag DISCONT", item->number,
      item->is_discont ? " not" : "");
  if (item->is_empty) {
    fail_unless_equals_int (gst_buffer_get_size (buffer), 0);
    fail_unless_equals_int (buffer_n_metas (buffer), 0);
    return;
  }
  fill (picture, item->number);
  fail_unless_equals_int (buffer_n_metas (buffer), item->settings.attaches);
  if (item->settings.attaches)
    assert_histograms (buffer, picture, "luma");
  if (item->settings.posts)
    check_message (self, item, picture);
  if (item->shared != NULL && item->shared != buffer)
    assert_pixels (item->shared, picture);
  check_pixels (item, picture, buffer);
}

/* The item that comes out next; earlier items may be missing. */
static Item *
pop_sent (Storm *self, GstBuffer *buffer)
{
  Item *item = g_queue_pop_head (&self->sent);

  while (self->is_lossy && item != NULL
      && (item->event != 0
          || GST_BUFFER_PTS (buffer) != item->number * GST_MSECOND)) {
    self->n_held -= item->event == 0;
    item_free (item);
    item = g_queue_pop_head (&self->sent);
  }
  fail_unless (item != NULL, "a frame comes out that was not sent");
  return item;
}

static GstFlowReturn
take_frame (Storm *self, GstBuffer *buffer)
{
  Item *item = pop_sent (self, buffer);
  const GstFlowReturn answer = self->answer;

  fail_unless (item->event == 0, "frame %" GST_TIME_FORMAT " before a %s event",
      GST_TIME_ARGS (GST_BUFFER_PTS (buffer)),
      gst_event_type_get_name (item->event));
  read_bus (self);
  check_frame (self, item, buffer);
  if (!self->is_lossy)
    fail_unless (g_queue_is_empty (&self->messages));
  gst_buffer_unref (buffer);
  item_free (item);
  self->n_held--;
  self->n_out++;
  self->answer = GST_FLOW_OK;
  self->is_lossy |= answer != GST_FLOW_OK;
  return answer;
}

static void
take_event (Storm *self, GstEvent *event)
{
  Item *item;

  if (!GST_EVENT_IS_SERIALIZED (event))
    return;
  item = g_queue_pop_head (&self->sent);
  while (self->is_lossy && item != NULL && item->event == 0) {
    self->n_held--;
    item_free (item);
    item = g_queue_pop_head (&self->sent);
  }
  fail_unless (item != NULL && item->event != 0, "a %s event before frame %u",
      GST_EVENT_TYPE_NAME (event), item != NULL ? item->number : 0);
  fail_unless_equals_int (item->event, GST_EVENT_TYPE (event));
  if (item->event != GST_EVENT_CAPS)
    fail_unless_equals_int (item->seqnum, gst_event_get_seqnum (event));
  item_free (item);
}

static GstPadProbeReturn
on_output (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Storm *self = data;

  (void) pad;
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    GST_PAD_PROBE_INFO_FLOW_RETURN (info) = take_frame (self, info->data);
    return GST_PAD_PROBE_HANDLED;
  }
  if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM)
    take_event (self, info->data);
  else if (GST_QUERY_IS_SERIALIZED (info->data))
    fail_unless (self->is_lossy || self->n_held <= self->n_sending,
        "a %s query before frame %u", GST_QUERY_TYPE_NAME (info->data),
        ((Item *) g_queue_peek_head (&self->sent))->number);
  return GST_PAD_PROBE_OK;
}

/* --- input --- */

static void
send_event (Storm *self, GstEvent *event)
{
  Item *item = g_new0 (Item, 1);

  item->event = GST_EVENT_TYPE (event);
  item->seqnum = gst_event_get_seqnum (event);
  g_queue_push_tail (&self->sent, item);
  fail_unless (gst_harness_push_event (self->h, event));
  fail_unless (
      g_queue_is_empty (&self->sent), "an event is not sent on at once");
}

static void
send_caps (Storm *self)
{
  static const gint rates[] = { 25, 50, 0 };
  const gint rate = rates[roll (self, G_N_ELEMENTS (rates))];
  g_autoptr (GstCaps) caps = NULL;

  self->height = self->height == 8 ? 16 : 8;
  self->duration = rate > 0 ? GST_SECOND / rate : 0;
  caps = video_caps ("GRAY8", WIDTH, self->height, NULL);
  gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, rate, 1, NULL);
  send_event (self, gst_event_new_caps (caps));
  self->applied = self->settings;
}

static void
send_segment (Storm *self)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  self->time = segment.time = roll (self, 1000) * GST_SECOND;
  send_event (self, gst_event_new_segment (&segment));
}

/* Begins a new stream: pads keep the tags of a stream that begins again, and
 * send them again after a restart. */
static void
begin_stream (Storm *self)
{
  g_autofree gchar *id = g_strdup_printf ("stream %u", self->n_streams++);

  send_event (self, gst_event_new_stream_start (id));
  send_caps (self);
  send_segment (self);
}

static GstBuffer *
frame_new (Storm *self, Item *item)
{
  const gsize size = WIDTH * item->height;
  Picture *picture = self->pictures[item->height > 8];
  GstBuffer *buffer;

  fill (picture, item->number);
  if (item->is_empty) {
    buffer = gst_buffer_new ();
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  } else {
    buffer = gst_buffer_new_memdup (picture->data, size);
  }
  GST_BUFFER_PTS (buffer) = item->number * GST_MSECOND;
  GST_BUFFER_DURATION (buffer) = GST_MSECOND;
  if (self->is_discont)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  if (roll (self, 2) == 0 && !item->is_empty)
    item->shared = gst_buffer_ref (buffer);
  return buffer;
}

static Item *
item_new (Storm *self)
{
  Item *item = g_new0 (Item, 1);

  item->number = self->number++;
  item->height = self->height;
  item->stream_time = self->time + item->number * GST_MSECOND;
  item->is_empty = roll (self, 50) == 0;
  item->is_discont = self->is_discont;
  /* settings wait for a frame */
  item->settings = item->is_empty ? self->applied : self->settings;
  return item;
}

/* The last frame came too late: earlier frames are out. */
static void
drop_late (Storm *self)
{
  fail_unless_equals_int (self->n_late, 1);
  fail_unless (self->is_lossy || self->n_held == 1);
  item_free (g_queue_pop_tail (&self->sent));
  self->n_held--;
  self->n_dropped++;
  self->is_discont = TRUE;
}

/* Whether the frame needs another plan than the frames in flight. */
static gboolean
changes_plan (const Storm *self, const Item *item)
{
  return item->settings.equalization != self->applied.equalization
      || item->settings.smoothing != self->applied.smoothing
      || is_passthrough (&item->settings) != is_passthrough (&self->applied);
}

/* The number of frames that are held back after the frame. */
static guint
expected_held (const Storm *self, const Item *item)
{
  if (self->is_discont || is_passthrough (&item->settings)
      || self->duration == 0)
    return 0;
  return MIN (
      (changes_plan (self, item) ? 0 : self->n_held) + 1, self->n_frames - 1);
}

static GstFlowReturn
send_frame (Storm *self)
{
  Item *item = item_new (self);
  const Settings settings = item->settings;
  GstBuffer *buffer = frame_new (self, item);
  const guint n_held = expected_held (self, item);
  const gboolean passes =
      is_passthrough (&settings) != is_passthrough (&self->applied);
  GstFlowReturn flow;

  self->n_late = 0;
  g_queue_push_tail (&self->sent, item);
  self->n_held++;
  self->n_sending = 1;
  flow = gst_harness_push (self->h, buffer);
  self->n_sending = 0;
  read_bus (self);
  if (self->n_late > 0) {
    drop_late (self);
  } else if (flow == GST_FLOW_OK && !self->is_lossy) {
    if (!self->may_drain)
      fail_unless_equals_int (self->n_held, n_held);
    fail_unless (self->n_held < self->n_frames);
    self->is_discont = FALSE;
  }
  self->may_drain = passes;
  self->applied = settings;
  return flow;
}

static void
send_good_frame (Storm *self)
{
  fail_unless_equals_int (send_frame (self), GST_FLOW_OK);
}

/* --- between frames --- */

static void
send_gap (Storm *self)
{
  send_event (
      self, gst_event_new_gap (self->number * GST_MSECOND, GST_MSECOND));
}

static void
send_some_event (Storm *self)
{
  switch (roll (self, 6)) {
    case 0:
      send_gap (self);
      break;
    case 1:
      send_event (self,
          gst_event_new_tag (
              gst_tag_list_new (GST_TAG_TRACK_NUMBER, self->number + 1, NULL)));
      break;
    case 2:
      send_event (self,
          gst_event_new_custom (
              GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty ("storm")));
      break;
    case 3:
      send_caps (self);
      break;
    case 4:
      begin_stream (self);
      break;
    default:
      send_segment (self);
      break;
  }
}

/* Events and queries that are not serialized overtake frames. */
static void
send_in_between (Storm *self)
{
  const guint n_held = self->n_held;
  g_autoptr (GstQuery) query = gst_query_new_caps (NULL);

  fail_unless (gst_harness_push_event (self->h,
      gst_event_new_custom (
          GST_EVENT_CUSTOM_DOWNSTREAM_OOB, gst_structure_new_empty ("storm"))));
  fail_unless (gst_pad_peer_query (self->h->srcpad, query));
  fail_unless_equals_int (self->n_held, n_held);
}

static void
send_query (Storm *self)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (self->h->srcpad);
  g_autoptr (GstQuery) query = roll (self, 2) == 0
      ? gst_query_new_drain ()
      : gst_query_new_allocation (caps, TRUE);

  gst_pad_peer_query (self->h->srcpad, query);
  fail_unless_equals_int (self->n_held, 0);
}

static void
check_latency (Storm *self)
{
  const GstClockTime held = is_passthrough (&self->applied)
      ? 0
      : (self->n_frames - 1) * self->duration;

  fail_unless_equals_uint64 (
      gst_harness_query_latency (self->h), UPSTREAM_LATENCY + held);
}

static void
change_settings (Storm *self)
{
  Settings *settings = &self->settings;

  settings->attaches = roll (self, 4) > 0;
  settings->posts = roll (self, 4) == 0;
  settings->verifies = roll (self, 4) == 0;
  settings->equalization = roll (self, EQUALIZATION_CLAHE + 1);
  settings->smoothing = roll (self, 2) * 0.5;
  if (roll (self, 8) == 0) {
    settings->attaches = settings->posts = FALSE;
    settings->equalization = EQUALIZATION_NONE;
  }
  g_object_set (self->h->element, "attach-meta", settings->attaches,
      "post-messages", settings->posts, "verify", settings->verifies,
      "equalization", settings->equalization, "smoothing", settings->smoothing,
      NULL);
}

/* A frame was displayed late, and so will be the next frames. */
static void
report_late (Storm *self)
{
  gst_harness_push_upstream_event (self->h,
      gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 2.0,
          (1 + roll (self, 4)) * GST_MSECOND, self->number * GST_MSECOND));
}

/* Downstream requests a new negotiation. */
static void
reconfigure (Storm *self)
{
  gst_harness_push_upstream_event (self->h, gst_event_new_reconfigure ());
  self->may_drain = TRUE;
}

/* --- interruptions --- */

static gpointer
start_flushing (gpointer data)
{
  GstHarness *h = data;

  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  return NULL;
}

/* Another thread starts the flush while frames are sent. It is unknown whether
 * one of them reached the element, and changed settings; the frame after the
 * flush does. */
static void
flush (Storm *self)
{
  GThread *thread;

  self->is_lossy = TRUE;
  thread = g_thread_new ("flush", start_flushing, self->h);
  while (send_frame (self) != GST_FLOW_FLUSHING)
    ;
  g_thread_join (thread);
  fail_unless (
      gst_harness_push_event (self->h, gst_event_new_flush_stop (TRUE)));
  forget_sent (self);
  self->is_discont = roll (self, 2);
  send_segment (self);
  send_good_frame (self);
  self->may_drain = TRUE;
}

static void
restart (Storm *self)
{
  element_set_state (self->h->element, GST_STATE_READY);
  forget_sent (self);
  gst_harness_play (self->h);
  self->applied = self->settings;
  self->is_discont = roll (self, 2);
  begin_stream (self);
}

static void
interrupt (Storm *self)
{
  if (roll (self, 2) == 0)
    flush (self);
  else
    restart (self);
}

/* After EOS comes another stream. */
static void
end_stream (Storm *self)
{
  send_event (self, gst_event_new_eos ());
  fail_unless_equals_int (
      gst_harness_push (self->h, gst_buffer_new ()), GST_FLOW_EOS);
  if (roll (self, 2) == 0)
    interrupt (self);
  else
    begin_stream (self);
}

/* Downstream's answer to a frame reaches upstream with this frame or a later
 * one. */
static void
refuse_frame (Storm *self)
{
  static const GstFlowReturn answers[] = { GST_FLOW_EOS, GST_FLOW_ERROR,
    GST_FLOW_FLUSHING, GST_FLOW_NOT_LINKED };
  const GstFlowReturn answer = answers[roll (self, G_N_ELEMENTS (answers))];
  GstFlowReturn flow = GST_FLOW_OK;

  self->answer = answer;
  for (guint i = 0; flow == GST_FLOW_OK && i < 4 * MAX_IN_FLIGHT; i++)
    flow = send_frame (self);
  fail_unless_equals_int (flow, answer);
  if (roll (self, 2) == 0)
    send_event (self, gst_event_new_eos ());
  interrupt (self);
}

/* Downstream answers EOS to a frame that is drained before the next stream or
 * segment, which must lose no frame. */
static void
end_early (Storm *self)
{
  self->answer = GST_FLOW_EOS;
  if (roll (self, 2) == 0)
    send_gap (self);
  if (roll (self, 2) == 0)
    begin_stream (self);
  else
    send_segment (self);
  self->answer = GST_FLOW_OK;
  self->is_lossy = FALSE;
  send_good_frame (self);
}

/* Downstream answers FLUSHING to a drained frame, and no frame follows before
 * the flush: the first frame after the flush gets a different answer. */
static void
flush_drained (Storm *self)
{
  self->answer = GST_FLOW_FLUSHING;
  send_gap (self);
  fail_unless (gst_harness_push_event (self->h, gst_event_new_flush_start ()));
  fail_unless (
      gst_harness_push_event (self->h, gst_event_new_flush_stop (TRUE)));
  forget_sent (self);
  send_segment (self);
  send_good_frame (self);
  self->may_drain = TRUE;
}

/* Frames before a hostile buffer come out. */
static void
send_hostile_buffer (Storm *self)
{
  GstFlowReturn flow;

  if (is_passthrough (&self->settings))
    return;
  self->n_late = self->n_errors = 0;
  flow = gst_harness_push (self->h, gst_buffer_new_allocate (NULL, 7, NULL));
  fail_unless_equals_int (self->n_held, 0);
  read_bus (self);
  fail_unless_equals_int (self->n_errors, self->n_late == 0);
  fail_unless_equals_int (
      flow, self->n_late == 0 ? GST_FLOW_ERROR : GST_FLOW_OK);
  restart (self);
}

/* --- a storm --- */

static void
step (Storm *self)
{
  static const struct
  {
    gint frequency; /* per 1000 steps */
    void (*step) (Storm *self);
  } steps[] = {
    { 60, send_some_event },
    { 20, send_in_between },
    { 20, send_query },
    { 20, check_latency },
    { 40, change_settings },
    { 10, reconfigure },
    { 10, report_late },
    { 4, end_stream },
    { 4, interrupt },
    { 4, refuse_frame },
    { 4, end_early },
    { 4, flush_drained },
    { 2, send_hostile_buffer },
  };
  gint lot = roll (self, 1000);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    lot -= steps[i].frequency;
    if (lot < 0) {
      steps[i].step (self);
      return;
    }
  }
  self->is_discont |= roll (self, 50) == 0;
  send_good_frame (self);
}

static void
storm_init (Storm *self, guint32 seed, guint n_frames)
{
  g_autoptr (GstPad) pad = NULL;

  *self = (Storm){ .random = g_rand_new_with_seed (seed),
    .h = harness_new ("frames-in-flight", n_frames, NULL),
    .n_frames = n_frames,
    .pictures = { numbered_new (8), numbered_new (16) },
    .settings = { .attaches = TRUE },
    .is_discont = TRUE };
  gst_pad_set_query_function (self->h->srcpad, answer_not_live);
  g_object_set (self->h->element, "interval", (guint64) 0, NULL);
  pad = gst_element_get_static_pad (self->h->element, "src");
  gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM
          | GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      on_output, self, NULL);
  begin_stream (self);
}

static void
storm_clear (Storm *self)
{
  send_event (self, gst_event_new_eos ());
  read_bus (self);
  harness_free (self->h);
  picture_free (self->pictures[0]);
  picture_free (self->pictures[1]);
  g_rand_free (self->random);
}

static guint
n_storm_frames (void)
{
  return test_size () < TEST_FULL ? 500 : 12500;
}

/* 100000 frames in all, which take half a minute. AMPHISTO_TEST_SEED in the
 * environment repeats a storm. */
GST_START_TEST (test_storm)
{
  const gchar *chosen = g_getenv ("AMPHISTO_TEST_SEED");
  const guint32 seed = chosen != NULL ? g_ascii_strtoull (chosen, NULL, 10)
                                      : (guint32) (1000 + __i__);
  Storm self;

  g_printerr ("%d frames in flight, seed %u\n", __i__, seed);
  storm_init (&self, seed, __i__);
  while (self.n_out < n_storm_frames ())
    step (&self);
  storm_clear (&self);
  /* short storms may drop none */
  fail_unless (self.n_dropped > 0 || test_size () < TEST_FULL);
}

GST_END_TEST

/* --- one thing at a time --- */

static GstBuffer *
numbered_buffer (Picture *picture, guint number)
{
  GstBuffer *buffer;

  fill (picture, number);
  buffer = gst_buffer_new_memdup (picture->data, WIDTH * picture->height);
  GST_BUFFER_PTS (buffer) = number * 40 * GST_MSECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  return buffer;
}

/* Frame k comes out when frame k + n - 1 was pushed; the rest when drained. */
GST_START_TEST (test_held_back)
{
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new_for (
      picture, "frames-in-flight", __i__, "equalization", 1, NULL);

  for (gint k = 0; k < 20; k++) {
    fail_unless_equals_int (
        gst_harness_push (h, numbered_buffer (picture, k)), GST_FLOW_OK);
    fail_unless_equals_int (
        gst_harness_buffers_received (h), MAX (k + 2 - __i__, 0));
  }
  harness_drain (h);
  fail_unless_equals_int (gst_harness_buffers_received (h), 20);
  harness_free (h);
}

GST_END_TEST

/* The number cannot be changed while the element plays. It can in READY, and
 * applies from the next start on. */
GST_START_TEST (test_set_while_playing)
{
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new_for (picture, "frames-in-flight", 1, NULL);

  g_object_set (h->element, "frames-in-flight", 3, NULL);
  assert_refused (h->element, "frames-in-flight stays 1");
  for (guint k = 0; k < 5; k++)
    gst_harness_push (h, numbered_buffer (picture, k));
  fail_unless_equals_int (gst_harness_buffers_received (h), 5);
  element_set_state (h->element, GST_STATE_READY);
  g_object_set (h->element, "frames-in-flight", 3, NULL);
  harness_restart (h, picture);
  for (guint k = 0; k < 5; k++)
    gst_harness_push (h, numbered_buffer (picture, k));
  fail_unless_equals_int (gst_harness_buffers_received (h), 5 + 3);
  harness_free (h);
}

GST_END_TEST

/* The latency is `held` more than upstream's; if that is `new`, there was a
 * message. */
static void
assert_latency (GstHarness *h, GstClockTime held, gboolean is_new)
{
  g_autoptr (GstMessage) message = bus_pop (h->element, GST_MESSAGE_LATENCY);
  g_autoptr (GstMessage) another = bus_pop (h->element, GST_MESSAGE_LATENCY);
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  GstClockTime min, max;

  fail_unless_equals_int (message != NULL, is_new);
  fail_unless (another == NULL);
  fail_unless (gst_pad_peer_query (h->sinkpad, query));
  gst_query_parse_latency (query, NULL, &min, &max);
  fail_unless_equals_uint64 (min, UPSTREAM_LATENCY + held);
  if (GST_CLOCK_TIME_IS_VALID (max))
    fail_unless_equals_uint64 (max, 2 * UPSTREAM_LATENCY + held);
}

static void
set_rate (GstHarness *h, const Picture *picture, gint rate)
{
  GstCaps *caps = video_caps ("GRAY8", WIDTH, picture->height, NULL);

  gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, rate, 1, NULL);
  gst_harness_set_src_caps (h, caps);
}

/* Three frames are held back, of a stream that is not live (0) or live (1). */
GST_START_TEST (test_latency)
{
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new ("frames-in-flight", 4, NULL);

  gst_pad_set_query_function (h->srcpad, __i__ ? answer_live : answer_not_live);
  assert_latency (h, 0, FALSE);
  set_rate (h, picture, 25);
  assert_latency (h, 3 * 40 * GST_MSECOND, TRUE);
  set_rate (h, picture, 50);
  assert_latency (h, 3 * 20 * GST_MSECOND, TRUE);
  gst_harness_push (h, numbered_buffer (picture, 0));
  assert_latency (h, 3 * 20 * GST_MSECOND, FALSE);
  g_object_set (h->element, "attach-meta", FALSE, NULL);
  gst_harness_push (h, numbered_buffer (picture, 1));
  assert_latency (h, 0, TRUE);
  set_rate (h, picture, 25);
  assert_latency (h, 0, FALSE);
  g_object_set (h->element, "attach-meta", TRUE, NULL);
  gst_harness_push (h, numbered_buffer (picture, 2));
  assert_latency (h, 3 * 40 * GST_MSECOND, TRUE);
  set_rate (h, picture, 0);
  assert_latency (h, 0, TRUE);
  harness_free (h);
}

GST_END_TEST

/* One frame in flight holds back none. */
GST_START_TEST (test_no_latency)
{
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new ("frames-in-flight", 1, NULL);

  gst_pad_set_query_function (h->srcpad, answer_live);
  set_rate (h, picture, 25);
  assert_latency (h, 0, FALSE);
  harness_free (h);
}

GST_END_TEST

/* Without a framerate, no latency can be reported: no frame is held back, in a
 * stream that is not live (0) or live (1). */
GST_START_TEST (test_no_framerate)
{
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new ("frames-in-flight", 4, NULL);

  gst_pad_set_query_function (h->srcpad, __i__ ? answer_live : answer_not_live);
  set_rate (h, picture, 0);
  assert_latency (h, 0, FALSE);
  for (guint k = 0; k < 10; k++) {
    gst_harness_push (h, numbered_buffer (picture, k));
    fail_unless_equals_int (gst_harness_buffers_received (h), k + 1);
  }
  harness_free (h);
}

GST_END_TEST

/* --- reports --- */

static void
set_percentiles (GstHarness *h, gdouble percentile)
{
  GValue array = G_VALUE_INIT, number = G_VALUE_INIT;

  g_value_init (&array, GST_TYPE_ARRAY);
  g_value_init (&number, G_TYPE_DOUBLE);
  g_value_set_double (&number, percentile);
  gst_value_array_append_and_take_value (&array, &number);
  g_object_set_property (G_OBJECT (h->element), "percentiles", &array);
  g_value_unset (&array);
}

/* Sets the reports of frame `k` and the next ones: alternately a message
 * only and metadata only, with the percentile k + 1. */
static void
change_reports (GstHarness *h, guint k)
{
  g_object_set (h->element, "post-messages", k % 2 == 0, "attach-meta",
      k % 2 == 1, "interval", (guint64) k % 3 * 40 * GST_MSECOND, NULL);
  set_percentiles (h, k + 1);
}

static void
assert_percentile (const GstStructure *luma, const Picture *picture, guint k)
{
  const GValue *array = gst_structure_get_value (luma, "percentiles");
  guint32 bins[256];
  guint64 n = 0;
  guint value = 0;

  picture_count (picture, "luma", bins);
  while ((n += bins[value]) * 100 < (guint64) (k + 1) * WIDTH * picture->height)
    value++;
  fail_unless_equals_int (gst_value_array_get_size (array), 1);
  fail_unless_equals_int (
      g_value_get_uint (gst_value_array_get_value (array, 0)), value);
}

/* Frame `k` comes out with its metadata, or without and with a message. */
static void
assert_reports (GstHarness *h, Picture *picture, guint k)
{
  g_autoptr (GstBuffer) out = gst_harness_pull (h);
  g_autoptr (GstMessage) message = NULL;
  const GstStructure *structure;
  guint64 timestamp;

  fill (picture, k);
  assert_code (out, picture);
  fail_unless_equals_int (buffer_n_metas (out), k % 2 == 1);
  if (k % 2 == 1) {
    assert_percentile (buffer_histogram (out, "luma"), picture, k);
    return;
  }
  message = bus_pop (h->element, GST_MESSAGE_ELEMENT);
  structure = gst_message_get_structure (message);
  fail_unless (gst_structure_get_uint64 (structure, "timestamp", &timestamp));
  fail_unless_equals_uint64 (timestamp, k * 40 * GST_MSECOND);
  assert_percentile (
      gst_value_get_structure (gst_structure_get_value (structure, "luma")),
      picture, k);
}

/* A change of the reports alone sends no frame on: each frame is reported as
 * set when it arrived. */
GST_START_TEST (test_change_reports)
{
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h =
      harness_new_for (picture, "frames-in-flight", 4, "equalization", 1, NULL);

  for (guint k = 0; k < 20; k++) {
    change_reports (h, k);
    fail_unless_equals_int (
        gst_harness_push (h, numbered_buffer (picture, k)), GST_FLOW_OK);
    fail_unless_equals_int (
        gst_harness_buffers_received (h), k < 3 ? 0 : k - 2);
    if (k >= 3)
      assert_reports (h, picture, k - 3);
  }
  harness_drain (h);
  for (guint k = 17; k < 20; k++)
    assert_reports (h, picture, k);
  fail_unless (bus_pop (h->element, GST_MESSAGE_ELEMENT) == NULL);
  harness_free (h);
}

GST_END_TEST

/* A change of the work on frames sends those in flight on: of the equalization
 * (1), or of attach-meta with regions of interest, which are measured for the
 * metadata alone (0). */
GST_START_TEST (test_change_plan)
{
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new_for (picture, "frames-in-flight", 4, "roi-meta",
      TRUE, "equalization", 1, NULL);

  for (guint k = 0; k < 6; k++) {
    if (k % 3 == 2)
      g_object_set (h->element, __i__ == 0 ? "attach-meta" : "equalization",
          k == 5, NULL);
    fail_unless_equals_int (
        gst_harness_push (h, numbered_buffer (picture, k)), GST_FLOW_OK);
    fail_unless_equals_int (gst_harness_buffers_received (h),
        k < 2       ? 0
            : k < 5 ? 2
                    : 5);
  }
  harness_free (h);
}

GST_END_TEST

/* --- live streams --- */

static void
drop_received (GstHarness *h)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (h)) != NULL)
    gst_buffer_unref (buffer);
}

/* Waits up to a minute until this many frames are out. */
static void
await_received (GstHarness *h, guint n)
{
  const gint64 end = g_get_monotonic_time () + G_TIME_SPAN_MINUTE;

  while (gst_harness_buffers_received (h) < n && g_get_monotonic_time () < end)
    g_usleep (1000);
  fail_unless_equals_int (gst_harness_buffers_received (h), n);
}

static GstHarness *
harness_new_live (const Picture *picture, guint n_frames, gint rate)
{
  GstHarness *h = harness_new (
      "frames-in-flight", n_frames, "equalization", EQUALIZATION_GLOBAL, NULL);

  gst_pad_set_query_function (h->srcpad, answer_live);
  set_rate (h, picture, rate);
  return h;
}

/* Frames come out although no frame follows, in order and with their events: if
 * the LATENCY query comes before the first (0) or after the last (1), and if
 * the driver does not report finished frames (2). */
GST_START_TEST (test_live)
{
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new_live (picture, 4, 100);

  if (__i__ != 1)
    gst_harness_query_latency (h);
  if (__i__ == 2)
    clfaults_set ("clGetEventInfo", 1);
  for (guint k = 0; k < 3; k++)
    gst_harness_push (h, numbered_buffer (picture, k));
  if (__i__ == 1)
    gst_harness_query_latency (h);
  await_received (h, 3);
  for (guint k = 0; k < 3; k++) {
    g_autoptr (GstBuffer) out = gst_harness_pull (h);

    fill (picture, k);
    assert_histograms (out, picture, "luma");
    assert_code (out, picture);
  }
  gst_harness_push (h, numbered_buffer (picture, 3));
  await_received (h, 4);
  harness_free (h);
}

GST_END_TEST

/* Waits up to a minute until somebody waits for a later time than `now`, or
 * this many frames are out. Returns: whether they are. */
static gboolean
await_time_or_received (GstHarness *h, gint64 now, guint n)
{
  for (guint i = 0; i < 60000; i++) {
    if (gst_harness_buffers_received (h) == n)
      return TRUE;
    if (monotonic_awaited () > now)
      return FALSE;
    g_usleep (1000);
  }
  fail ("nobody waits");
  return FALSE;
}

/* A frame that the device has not finished yet is sent on when it has been held
 * back for as long as the LATENCY query says, and no earlier, with `__i__`
 * frames in flight. */
GST_START_TEST (test_live_latency)
{
  const cl_int running = CL_RUNNING;
  const gint64 ms = G_TIME_SPAN_MILLISECOND;
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new_live (picture, __i__, 100);
  const gint64 latency =
      (gst_harness_query_latency (h) - UPSTREAM_LATENCY) / GST_USECOND;

  fail_unless_equals_int (latency, (__i__ - 1) * 10 * ms);
  gst_harness_push (h, numbered_buffer (picture, 0)); /* sent on at once */
  clfaults_set_event_status (&running);
  monotonic_stop ();
  gst_harness_push (h, numbered_buffer (picture, 1));
  for (gint64 now = 0; now < latency; now += 10 * ms) {
    if (now > 0)
      monotonic_set (now);
    fail_unless (!await_time_or_received (h, now, 2));
    fail_unless_equals_int64 (monotonic_awaited (), now + 10 * ms);
  }
  monotonic_set (latency);
  fail_unless (await_time_or_received (h, latency, 2));
  monotonic_continue ();
  clfaults_set_event_status (NULL);
  harness_free (h);
}

GST_END_TEST

/* Without a live source, nobody waits for frames. */
GST_START_TEST (test_not_live)
{
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new ("frames-in-flight", 4, NULL);

  gst_pad_set_query_function (h->srcpad, answer_not_live);
  set_rate (h, picture, 100);
  gst_harness_query_latency (h);
  for (guint k = 0; k < 3; k++)
    gst_harness_push (h, numbered_buffer (picture, k));
  g_usleep (100000);
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
  harness_free (h);
}

GST_END_TEST

/* Downstream's answer reaches upstream with the next buffer. */
static GstPadProbeReturn
answer_eos (GstPad *pad, GstPadProbeInfo *info, gpointer n_asked)
{
  (void) pad;
  gst_buffer_unref (info->data);
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;
  g_atomic_int_inc ((gint *) n_asked);
  return GST_PAD_PROBE_HANDLED;
}

GST_START_TEST (test_live_refused)
{
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new_live (picture, 4, 100);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->element, "src");
  gint n_asked = 0;

  gst_harness_query_latency (h);
  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER, answer_eos, &n_asked, NULL);
  gst_harness_push (h, numbered_buffer (picture, 0));
  while (g_atomic_int_get (&n_asked) == 0)
    g_usleep (1000);
  fail_unless_equals_int (
      gst_harness_push (h, numbered_buffer (picture, 1)), GST_FLOW_EOS);
  harness_free (h);
}

GST_END_TEST

/* The device fails meanwhile: one error, and the next buffer is refused. */
GST_START_TEST (test_live_failure)
{
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new_live (picture, 4, 100);
  g_autoptr (GstMessage) message = NULL;

  gst_harness_query_latency (h);
  clfaults_set ("clWaitForEvents", 1);
  gst_harness_push (h, numbered_buffer (picture, 0));
  message = gst_bus_timed_pop_filtered (
      GST_ELEMENT_BUS (h->element), GST_SECOND * 60, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  clfaults_set (NULL, 0);
  fail_unless_equals_int (
      gst_harness_push (h, numbered_buffer (picture, 1)), GST_FLOW_ERROR);
  harness_free (h);
}

GST_END_TEST

static GstPadProbeReturn
block (GstPad *pad, GstPadProbeInfo *info, gpointer n_blocked)
{
  (void) pad;
  (void) info;
  g_atomic_int_inc ((gint *) n_blocked);
  return GST_PAD_PROBE_OK;
}

/* Downstream blocks a frame until the flush (0), or the stop in READY (1) or in
 * NULL (2), which must reach the blocked thread. */
GST_START_TEST (test_live_blocked)
{
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new_live (picture, 4, 100);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->element, "src");
  gint n_blocked = 0;
  gulong id;

  gst_harness_query_latency (h);
  gst_harness_push (h, numbered_buffer (picture, 0));
  await_received (h, 1);
  id = gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, block, &n_blocked,
      NULL);
  gst_harness_push (h, numbered_buffer (picture, 1));
  gst_harness_push (h, numbered_buffer (picture, 2));
  while (g_atomic_int_get (&n_blocked) == 0)
    g_usleep (1000);
  if (__i__ == 0)
    harness_flush (h);
  else
    element_set_state (
        h->element, __i__ == 1 ? GST_STATE_READY : GST_STATE_NULL);
  gst_pad_remove_probe (pad, id);
  fail_unless_equals_int (gst_harness_buffers_received (h), 1);
  if (__i__ > 0)
    harness_restart (h, picture);
  gst_harness_query_latency (h);
  gst_harness_push (h, numbered_buffer (picture, 3));
  await_received (h, 2);
  harness_free (h);
}

GST_END_TEST

static void
interrupt_live (GstHarness *h, const Picture *picture, guint n)
{
  switch (n % 6) {
    case 0:
      harness_flush (h);
      break;
    case 1:
      element_set_state (h->element, GST_STATE_READY);
      harness_restart (h, picture);
      break;
    case 2:
      set_rate (h, picture, n % 12 == 2 ? 500 : 1000);
      break;
    case 3:
      harness_drain (h);
      break;
    case 4:
      g_object_set (h->element, "equalization", n % 4, NULL);
      break;
    default:
      element_set_state (h->element, GST_STATE_NULL);
      harness_restart (h, picture);
      break;
  }
}

/* Frames come and go at all times, between interruptions of all kinds. */
GST_START_TEST (test_live_storm)
{
  const guint n_rounds = test_size () < TEST_FULL ? 60 : 600;
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new_live (picture, 4, 1000);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint n = 0; n < n_rounds; n++) {
    const guint n_pushed = g_rand_int_range (random, 0, 6);

    gst_harness_query_latency (h);
    for (guint k = 0; k < n_pushed; k++) {
      fail_unless_equals_int (
          gst_harness_push (h, numbered_buffer (picture, k)), GST_FLOW_OK);
      g_usleep (g_rand_int_range (random, 0, 1500));
    }
    drop_received (h);
    interrupt_live (h, picture, g_rand_int_range (random, 0, 12));
  }
  harness_free (h);
}

GST_END_TEST

static void
push_live (GstElement *source, Picture *picture, guint n)
{
  GstBuffer *buffer = numbered_buffer (picture, n);
  GstFlowReturn ret;

  GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
  g_signal_emit_by_name (source, "push-buffer", buffer, &ret);
  fail_unless_equals_int (ret, GST_FLOW_OK);
  gst_buffer_unref (buffer);
}

/* Handles messages for a time, as applications do. */
static void
handle_messages (GstElement *pipeline, GstClockTime duration)
{
  const gint64 end = g_get_monotonic_time () + duration / GST_USECOND;
  gint64 now;

  while ((now = g_get_monotonic_time ()) < end) {
    g_autoptr (GstMessage) message =
        gst_bus_timed_pop_filtered (GST_ELEMENT_BUS (pipeline),
            (end - now) * GST_USECOND, GST_MESSAGE_LATENCY | GST_MESSAGE_ERROR);

    if (message == NULL)
      continue;
    fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_LATENCY);
    gst_bin_recalculate_latency (GST_BIN (pipeline));
  }
}

static guint64
sink_count (GstElement *sink, const gchar *name)
{
  g_autoptr (GstStructure) stats = NULL;
  guint64 n = 0;

  g_object_get (sink, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &n));
  return n;
}

/* Two frames a second, with no framerate (0) or 60 (1) in the caps, and none
 * after the last: the sink drops none. Frames that waited for the next one
 * would be a second late. */
GST_START_TEST (test_slow_camera)
{
  g_autoptr (Picture) picture = numbered_new (16);
  g_autofree gchar *line = g_strdup_printf (
      "appsrc name=source is-live=true do-timestamp=true format=time "
      "caps=video/x-raw,format=GRAY8,width=%u,height=%u,framerate=%u/1 ! "
      "amphisto frames-in-flight=3 ! "
      "fakesink name=sink sync=true qos=true max-lateness=700000000",
      WIDTH, picture->height, __i__ ? 60 : 0);
  g_autoptr (GstElement) pipeline = gst_parse_launch (line, NULL);
  g_autoptr (GstElement) source = NULL, sink = NULL;

  fail_unless (pipeline != NULL);
  source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint n = 0; n < 5; n++) {
    push_live (source, picture, n);
    handle_messages (pipeline, GST_SECOND / 2);
  }
  for (guint i = 0; i < 60 && sink_count (sink, "rendered") < 5; i++)
    handle_messages (pipeline, GST_SECOND);
  fail_unless_equals_uint64 (sink_count (sink, "rendered"), 5);
  fail_unless_equals_uint64 (sink_count (sink, "dropped"), 0);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST

static const gchar *const verified_formats[] = { "GRAY8", "I420", "RGBA" };

/* State between frames is updated in order although four are in flight: the
 * mean, the scope's scale and the zebra's phase. */
GST_START_TEST (test_verify)
{
  const gchar *format = verified_formats[__i__ / 2];
  Picture *pictures[8];
  GstHarness *h;

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    pictures[i] = picture_new (
        format, 160, 120, PICTURE_PADDED, 10 * i, 100 + 20 * i, 1 + i);
  h = harness_new_for (pictures[0], "frames-in-flight", 4, "verify", TRUE,
      "equalization", __i__ % 2 ? EQUALIZATION_CLAHE : EQUALIZATION_GLOBAL,
      "smoothing", 0.9, "scopes", 1, "exposure", 1, NULL);
  for (guint n = 0; n < 40; n++)
    fail_unless_equals_int (
        gst_harness_push (h, picture_wrap_nth (pictures[n * 3 % 8], n)),
        GST_FLOW_OK);
  harness_drain (h);
  fail_unless_equals_int (gst_harness_buffers_received (h), 40);
  harness_free (h);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    picture_free (pictures[i]);
}

GST_END_TEST

static gint is_over;

static gpointer
toggle_equalization (gpointer element)
{
  for (guint i = 0; !g_atomic_int_get (&is_over); i++)
    g_object_set (element, "equalization", i % 2, NULL);
  return NULL;
}

/* Another thread sets a property all the time: each frame is processed with one
 * value or the other. */
GST_START_TEST (test_set_meanwhile)
{
  const guint n_frames = test_size () < TEST_FULL ? 1000 : 10000;
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h = harness_new_for (
      picture, "frames-in-flight", 4, "verify", TRUE, "qos", FALSE, NULL);
  GThread *thread = g_thread_new ("toggle", toggle_equalization, h->element);
  guint n_out = 0;

  for (guint k = 0; k < n_frames; k++) {
    GstBuffer *out;

    fail_unless_equals_int (
        gst_harness_push (h, numbered_buffer (picture, k)), GST_FLOW_OK);
    while ((out = gst_harness_try_pull (h)) != NULL) {
      fill (picture, n_out++);
      assert_histograms (out, picture, "luma");
      assert_code (out, picture);
      gst_buffer_unref (out);
    }
  }
  g_atomic_int_set (&is_over, TRUE);
  g_thread_join (thread);
  fail_unless (n_out + 4 > n_frames);
  harness_free (h);
}

GST_END_TEST

/* --- leaks --- */

static void
push_some (GstHarness *h, Picture *picture, guint n)
{
  g_autoptr (GstBufferPool) pool = harness_propose_pool (h);

  for (guint k = 0; k < n; k++) {
    GstBuffer *buffer = numbered_buffer (picture, k);

    if (pool != NULL && k % 2 == 0) {
      gst_buffer_unref (buffer);
      fail_unless_equals_int (
          gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), GST_FLOW_OK);
      GST_BUFFER_PTS (buffer) = k * 40 * GST_MSECOND;
    }
    fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  }
  if (pool != NULL)
    gst_buffer_pool_set_active (pool, FALSE);
}

/* A flush, a stop in READY or, every 50th time, in NULL drops the frames in
 * flight, 1000 times. Between any two stops in NULL, there are as many OpenCL
 * objects as between the first two, including pinned memory. */
GST_START_TEST (test_cycles)
{
  const guint n_cycles = test_size () < TEST_FULL ? 100 : 1000;
  g_autoptr (Picture) picture = numbered_new (16);
  GstHarness *h =
      harness_new_for (picture, "frames-in-flight", 4, "equalization", 1, NULL);
  gint n_alive[50];

  for (guint i = 0; i < n_cycles; i++) {
    push_some (h, picture, 6);
    drop_received (h);
    if (i % 2 == 0) {
      harness_flush (h);
    } else {
      element_set_state (
          h->element, i % 50 == 49 ? GST_STATE_NULL : GST_STATE_READY);
      harness_restart (h, picture);
    }
    if (i < 50)
      n_alive[i] = clfaults_n_alive ();
    else
      fail_unless_equals_int (clfaults_n_alive (), n_alive[i % 50]);
  }
  harness_free (h);
  fail_unless_equals_int (clfaults_n_alive (), 0);
}

GST_END_TEST

static Suite *
flight_suite (void)
{
  Suite *suite = suite_create ("flight");
  TCase *tc = tcase_create ("flight");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_storm, 1, MAX_IN_FLIGHT + 1);
  tcase_add_loop_test (tc, test_held_back, 1, MAX_IN_FLIGHT + 1);
  tcase_add_test (tc, test_set_while_playing);
  tcase_add_test (tc, test_change_reports);
  tcase_add_loop_test (tc, test_change_plan, 0, 2);
  tcase_add_loop_test (tc, test_latency, 0, 2);
  tcase_add_test (tc, test_no_latency);
  tcase_add_loop_test (tc, test_no_framerate, 0, 2);
  tcase_add_loop_test (tc, test_live, 0, 3);
  tcase_add_loop_test (tc, test_live_latency, 2, 5);
  tcase_add_test (tc, test_not_live);
  tcase_add_test (tc, test_live_refused);
  tcase_add_test (tc, test_live_failure);
  tcase_add_loop_test (tc, test_live_blocked, 0, 3);
  tcase_add_test (tc, test_live_storm);
  tcase_add_loop_test (
      tc, test_slow_camera, 0, test_size () < TEST_FULL ? 1 : 2);
  tcase_add_loop_test (tc, test_verify, 0, 2 * G_N_ELEMENTS (verified_formats));
  tcase_add_test (tc, test_set_meanwhile);
  tcase_add_test (tc, test_cycles);
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "flight", flight_suite);
}
