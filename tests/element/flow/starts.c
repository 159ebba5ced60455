/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Starts and stops while other threads push frames and events, ask, and read
 * properties: as in a pipeline that plays while an element is put into it, or
 * that is stopped in its first moment. GStreamer lets the sink pad take frames
 * before the element has started, and does not refuse queries after its stop.
 */

#include "numbered.h"

#define HEIGHT 64

/* Settings with different threads, plans and buffers. */
static const gchar *const settings[] = {
  "channels=all",
  "equalization=global",
  "equalization=clahe smoothing=0.5",
  "scopes=histogram+waveform+vectorscope exposure=zebra",
  "frames-in-flight=4 equalization=global verify=true",
  "scopes=waveform scopes-only=true frames-in-flight=2",
};

/* Properties that are set meanwhile: of each kind, and with other plans. */
static const gchar *const changes[] = {
  "zebra-high=90 percentiles=<2,98>",
  "expect=luma.samples>0 interval=0",
  "roi-x=1",
  "strength=0.5 zebra-high=95",
  "expect= percentiles=<50>",
  "roi-x=0 strength=1",
};

/* GStreamer warns where frames and events come while pads are activated: of
 * frames before their events, and of events in another order. */
static void
ignore (const gchar *domain, GLogLevelFlags level, const gchar *message,
    gpointer user_data)
{
  (void) domain;
  (void) level;
  (void) message;
  (void) user_data;
}

typedef struct
{
  GstHarness *h;
  Picture *picture;
  gint n_changes; /* odd while the state changes */
  gint is_playing;
  gint is_over;
  GThread *threads[3];
} Storm;

static void
ask (GstPad *pad, GstQuery *query)
{
  gst_pad_peer_query (pad, query);
  gst_query_unref (query);
}

/* Whether the element has got caps. GStreamer may lose track of the events to
 * send again if the pad is activated as one of them arrives. */
static gboolean
has_caps (Storm *self)
{
  g_autoptr (GstPad) pad = gst_pad_get_peer (self->h->srcpad);
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);

  return caps != NULL;
}

/* Frames go through while the element plays. As it starts and stops, they may
 * be refused as any transform refuses them. Serialized queries come at any
 * time. */
static gpointer
push_all_the_time (gpointer data)
{
  Storm *self = data;
  GstPad *pad = self->h->srcpad;
  g_autoptr (GstCaps) caps = video_caps (self->picture->format->name,
      self->picture->width, self->picture->height, NULL);

  for (guint k = 0; !g_atomic_int_get (&self->is_over); k++) {
    const gint before = g_atomic_int_get (&self->n_changes);
    const gboolean plays =
        before % 2 == 0 && g_atomic_int_get (&self->is_playing);
    const GstFlowReturn flow =
        gst_pad_push (pad, numbered_buffer (self->picture, k));
    const gboolean is_steady =
        plays && before == g_atomic_int_get (&self->n_changes);

    if (flow != GST_FLOW_OK && is_steady && has_caps (self))
      g_error ("frame %u: %s", k, gst_flow_get_name (flow));
    if (flow != GST_FLOW_OK || k % 8 == 0)
      ask (pad, gst_query_new_allocation (caps, TRUE));
    if (k % 16 == 0)
      ask (pad, gst_query_new_drain ());
  }
  return NULL;
}

static void
read_properties (gpointer element)
{
  guint n;
  g_autofree GParamSpec **properties =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    g_object_get_property (element, properties[i]->name, &value);
    g_value_unset (&value);
  }
}

static gpointer
ask_all_the_time (gpointer data)
{
  Storm *self = data;
  g_autoptr (GstCaps) caps = video_caps (self->picture->format->name,
      self->picture->width, self->picture->height, NULL);
  GstPad *source = self->h->srcpad, *sink = self->h->sinkpad;

  while (!g_atomic_int_get (&self->is_over)) {
    ask (source, gst_query_new_caps (NULL));
    ask (source, gst_query_new_accept_caps (caps));
    ask (sink, gst_query_new_caps (NULL));
    ask (sink, gst_query_new_latency ());
    ask (sink, gst_query_new_position (GST_FORMAT_TIME));
    read_properties (self->h->element);
  }
  return NULL;
}

static gpointer
send_all_the_time (gpointer data)
{
  Storm *self = data;

  for (guint n = 0; !g_atomic_int_get (&self->is_over); n++) {
    element_set_properties (
        self->h->element, changes[n % G_N_ELEMENTS (changes)]);
    gst_pad_push_event (self->h->sinkpad, gst_event_new_reconfigure ());
    gst_pad_push_event (
        self->h->sinkpad, gst_event_new_qos (GST_QOS_TYPE_OVERFLOW, 1, 0, 0));
    gst_pad_push_event (self->h->srcpad,
        gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_OOB,
            gst_structure_new_empty ("starts")));
  }
  return NULL;
}

static void
storm_init (Storm *self, guint s)
{
  static const GThreadFunc functions[] = { push_all_the_time, ask_all_the_time,
    send_all_the_time };

  g_log_set_handler ("GStreamer", G_LOG_LEVEL_WARNING, ignore, NULL);
  self->picture = numbered_new (HEIGHT);
  self->h = harness_new (NULL, NULL);
  element_set_properties (self->h->element, settings[s]);
  harness_set_caps (self->h, self->picture);
  harness_begin_segment (self->h);
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    self->threads[i] = g_thread_new ("storm", functions[i], self);
}

static void
storm_clear (Storm *self)
{
  g_atomic_int_set (&self->is_over, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (self->threads); i++)
    g_thread_join (self->threads[i]);
  harness_free (self->h);
  picture_free (self->picture);
}

static void
set_state (Storm *self, GstState state)
{
  g_atomic_int_inc (&self->n_changes);
  element_set_state (self->h->element, state);
  g_atomic_int_set (&self->is_playing, state == GST_STATE_PLAYING);
  g_atomic_int_inc (&self->n_changes);
}

/* Starts and stops the element, with this many microseconds in between. */
static void
start_and_stop (Storm *self, GstState stop, gulong us)
{
  set_state (self, GST_STATE_PLAYING);
  if (us > 0)
    g_usleep (us);
  set_state (self, stop);
  harness_drop (self->h);
  fail_unless (bus_pop (self->h->element, GST_MESSAGE_ERROR) == NULL);
}

/* The element plays long enough for some frames. */
TEST (test_starts)
{
  const guint n = test_size () < TEST_FULL ? 5 : 30;
  Storm self = { 0 };

  storm_init (&self, __i__);
  for (guint i = 0; i < n; i++)
    start_and_stop (
        &self, i % 2 == 0 ? GST_STATE_NULL : GST_STATE_READY, 10000);
  storm_clear (&self);
}

/* The element is stopped in its first moment. */
TEST (test_stops)
{
  const guint n = test_size () < TEST_FULL ? 20 : 250;
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  Storm self = { 0 };

  storm_init (&self, __i__);
  for (guint i = 0; i < n; i++)
    start_and_stop (&self, GST_STATE_READY, g_rand_int_range (random, 0, 1500));
  storm_clear (&self);
}

const ElementTest element_tests[] = { EACH (test_starts, settings),
  EACH (test_stops, settings), { 0 } };
