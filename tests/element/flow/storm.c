/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Flushes that come while caps are being set: each frame is processed with its
 * own caps, whichever caps the pads had when the flush came.
 */

#include "harnesses.h"

static void
push_caps (GstHarness *h, const Picture *picture)
{
  g_autoptr (GstCaps) caps =
      video_caps (picture->format->name, picture->width, picture->height, NULL);

  gst_harness_push_event (h, gst_event_new_caps (caps));
}

/* --- interrupted caps --- */

/* The pads' caps when the flush comes, and thus what the base class does with
 * the next CAPS event. */
static const struct
{
  GstQueryType query; /* 0: the CAPS event */
} interruptions[] = {
  { GST_QUERY_ACCEPT_CAPS }, /* both pads keep the old caps */
  { 0 },                     /* the source pad has the new ones */
  { GST_QUERY_ALLOCATION },  /* so has downstream */
};

typedef struct
{
  GstHarness *h;
  GstQueryType query;
  guint n; /* interruptions so far */
} Interrupter;

static gpointer
start_flushing (gpointer harness)
{
  fail_unless (gst_harness_push_event (harness, gst_event_new_flush_start ()));
  return NULL;
}

static GstPadProbeReturn
interrupt (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Interrupter *self = user_data;
  const gboolean is_query =
      (info->type & GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM) != 0;

  (void) pad;
  if (self->n > 0
      || (is_query ? GST_QUERY_TYPE (info->data) != self->query
                   : self->query != 0
                  || GST_EVENT_TYPE (info->data) != GST_EVENT_CAPS))
    return GST_PAD_PROBE_OK;
  self->n++;
  g_thread_join (g_thread_new (NULL, start_flushing, self->h));
  return GST_PAD_PROBE_OK;
}

/* Sets the picture's caps. A flush comes meanwhile. */
static void
set_interrupted_caps (GstHarness *h, const Picture *picture, GstQueryType query)
{
  Interrupter self = { .h = h, .query = query };
  const gulong probe = gst_pad_add_probe (h->sinkpad,
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM
          | GST_PAD_PROBE_TYPE_PUSH,
      interrupt, &self, NULL);

  push_caps (h, picture);
  gst_pad_remove_probe (h->sinkpad, probe);
  fail_unless_equals_int (self.n, 1);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
}

static void
check_frame (GstHarness *h, Picture *picture)
{
  harness_check (h, picture_wrap (picture), picture, "luma", picture);
}

/* The stream goes on with the caps from before the flush, or with the
 * interrupted ones. */
static void
check_interrupted (
    Picture *before, Picture *after, GstQueryType query, gboolean goes_on)
{
  g_autoptr (Harness) h = harness_new_for (before, NULL, NULL);

  check_frame (h, before);
  set_interrupted_caps (h, after, query);
  push_caps (h, goes_on ? after : before);
  harness_begin_segment (h);
  check_frame (h, goes_on ? after : before);
  push_caps (h, goes_on ? before : after);
  check_frame (h, goes_on ? before : after);
}

TEST (test_interrupted)
{
  const GstQueryType query = interruptions[__i__].query;
  g_autoptr (Picture) large =
      picture_new ("I420", 64, 48, PICTURE_TIGHT, 0, 255, 1);
  g_autoptr (Picture) small =
      picture_new ("GRAY8", 16, 8, PICTURE_TIGHT, 0, 255, 2);

  for (guint goes_on = 0; goes_on < 2; goes_on++) {
    check_interrupted (large, small, query, goes_on);
    check_interrupted (small, large, query, goes_on);
  }
}

/* After caps that were refused, the old ones are set again: fields have chroma
 * of their own. */
TEST (test_refused)
{
  static const gchar *const refused[] = { "video/x-raw, format=I420",
    "video/x-raw, format=I420, width=16, height=8, framerate=25/1, "
    "interlace-mode=fields" };
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GstCaps) other = gst_caps_from_string (refused[__i__]);
  g_autoptr (Harness) h = harness_new ("channels", CHANNELS_RGB, NULL);
  GstBuffer *buffer = picture_wrap (picture);

  harness_set_fields (h, picture, "interlace-mode=mixed");
  caps = gst_pad_get_current_caps (h->srcpad);
  gst_harness_push_event (h, gst_event_new_caps (other));
  gst_harness_push_event (h, gst_event_new_caps (caps));
  GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  picture->is_interlaced = TRUE;
  harness_check (h, buffer, picture, "red green blue", NULL);
}

/* --- a storm --- */

#define N_PICTURES 3
#define N_FRAMES (test_size () < TEST_FULL ? 400 : 4000)
#define MAX_PAUSE (test_size () == TEST_SMALL ? 10000 : 1000) /* us */

/* One thread sends frames. The other thread interrupts them as a seek does,
 * sends caps, changes properties, and asks for reconfigurations. */
typedef struct
{
  GstHarness *h;
  GRand *random; /* of the thread with the frames */
  guint32 seed;  /* of the other thread */
  Picture *pictures[N_PICTURES];
  guint current; /* the picture of the caps */
  guint n_out;
  GAsyncQueue *parked; /* the thread with the frames sends nothing */
  GAsyncQueue *made;   /* the interruption is over */
} Storm;

/* --- the other thread --- */

static void
change_something (Storm *self, GRand *random)
{
  g_object_set (self->h->element, "scopes", g_rand_int_range (random, 0, 2),
      "equalization", g_rand_int_range (random, 0, 2), NULL);
  if (g_rand_boolean (random))
    gst_harness_push_upstream_event (self->h, gst_event_new_reconfigure ());
}

/* As a seek does: frames go on when the other thread has sent all. */
static void
flush (Storm *self, GRand *random)
{
  gst_harness_push_event (self->h, gst_event_new_flush_start ());
  g_async_queue_pop (self->parked);
  gst_harness_push_event (self->h, gst_event_new_flush_stop (TRUE));
  self->current = g_rand_int_range (random, 0, N_PICTURES);
  push_caps (self->h, self->pictures[self->current]);
  harness_begin_segment (self->h);
}

static gpointer
interrupt_frames (gpointer data)
{
  Storm *self = data;
  GRand *random = g_rand_new_with_seed (self->seed);

  for (guint n = 0; n < (guint) N_FRAMES; n++) {
    g_usleep (g_rand_int_range (random, 0, MAX_PAUSE));
    change_something (self, random);
    flush (self, random);
    g_async_queue_push (self->made, self);
  }
  g_rand_free (random);
  return NULL;
}

/* --- the thread with the frames --- */

/* The frames that came out have the histograms of their pictures. */
static void
check_output (Storm *self)
{
  GstBuffer *out;

  while ((out = gst_harness_try_pull (self->h)) != NULL) {
    assert_histograms (out, self->pictures[GST_BUFFER_OFFSET (out)], "luma");
    gst_buffer_unref (out);
    self->n_out++;
  }
}

/* Sends caps and a few frames. Returns: FALSE if a flush came. */
static gboolean
send_frames (Storm *self, guint current)
{
  Picture *picture = self->pictures[current];
  g_autoptr (GstCaps) caps =
      video_caps (picture->format->name, picture->width, picture->height, NULL);
  gboolean goes_on =
      gst_harness_push_event (self->h, gst_event_new_caps (caps));

  for (guint n = g_rand_int_range (self->random, 0, 4); goes_on && n > 0; n--) {
    g_autoptr (GstBuffer) buffer = picture_wrap (picture);
    GstBuffer *copy = gst_buffer_copy_deep (buffer);

    GST_BUFFER_OFFSET (copy) = current;
    goes_on = gst_harness_push (self->h, copy) == GST_FLOW_OK;
    check_output (self);
  }
  return goes_on;
}

/* --- both --- */

static void
storm_init (Storm *self, guint32 seed, guint n_in_flight)
{
  static const struct
  {
    const gchar *format;
    guint width, height;
  } sizes[N_PICTURES] = { { "I420", 160, 120 }, { "GRAY8", 320, 240 },
    { "I420", 322, 242 } };

  *self = (Storm){ .random = g_rand_new_with_seed (seed),
    .seed = ~seed,
    .parked = g_async_queue_new (),
    .made = g_async_queue_new () };
  for (guint i = 0; i < N_PICTURES; i++)
    self->pictures[i] = picture_new (sizes[i].format, sizes[i].width,
        sizes[i].height, PICTURE_TIGHT, 0, 255, i);
  self->h = harness_new ("frames-in-flight", n_in_flight, "qos", FALSE, NULL);
  harness_set_caps (self->h, self->pictures[0]);
}

/* Drops the base class's warnings, with which it tells of flushes. */
static void
storm_clear (Storm *self)
{
  GstMessage *message;

  while ((message = bus_pop (self->h->element, GST_MESSAGE_WARNING)) != NULL)
    gst_message_unref (message);
  harness_free (self->h);
  for (guint i = 0; i < N_PICTURES; i++)
    picture_free (self->pictures[i]);
  g_rand_free (self->random);
  g_async_queue_unref (self->parked);
  g_async_queue_unref (self->made);
}

/* AMPHISTO_TEST_SEED in the environment begins another storm. How the threads
 * take turns is left to chance. */
TEST (test_storm)
{
  const gchar *chosen = g_getenv ("AMPHISTO_TEST_SEED");
  const guint32 seed = chosen != NULL ? g_ascii_strtoull (chosen, NULL, 10) : 1;
  GThread *thread;
  Storm self;

  storm_init (&self, seed, __i__);
  thread = g_thread_new (NULL, interrupt_frames, &self);
  for (guint n = 0; n < (guint) N_FRAMES; n++) {
    guint picture = self.current;

    while (send_frames (&self, picture))
      picture = g_rand_int_range (self.random, 0, N_PICTURES);
    g_async_queue_push (self.parked, &self);
    g_async_queue_pop (self.made);
  }
  g_thread_join (thread);
  harness_drain (self.h);
  check_output (&self);
  fail_unless (self.n_out > 0); /* few on slow devices: flushes drop them */
  storm_clear (&self);
}

const ElementTest element_tests[] = { EACH (test_interrupted, interruptions),
  TIMES (test_refused, 2), RANGE (test_storm, 1, 3), { 0 } };
