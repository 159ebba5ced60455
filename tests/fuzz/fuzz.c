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
 * Both must output the same pixels, which must also pass the checks of
 * checks.h.
 *
 * A sequence's seed determines everything random. On failure, the fuzzer prints
 * the command that repeats the sequence alone.
 */

#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "element/clfaults.h"
#include "sequence.h"

#define SKIPPED 77
#define FRAME_DURATION (40 * GST_MSECOND)

static FuzzSequence *current;
static gchar command[128]; /* repeats the current sequence up to this frame */

/* --- failures --- */

static void
set_command (guint32 seed, guint n_frames)
{
  g_snprintf (command, sizeof command, "  fuzz --seed=%u --frames=%u\n", seed,
      n_frames);
}

static void
print_picture (const Picture *picture)
{
  g_printerr ("  picture: %zu bytes, %zu bytes from a page;", picture->size,
      (gsize) (picture->data - picture->block) % 4096);
  for (guint p = 0; p < picture->n_planes; p++)
    g_printerr (" plane %u: at %zu, stride %u, %u bytes in %u rows;", p,
        picture->offset[p], picture->stride[p], picture->row_bytes[p],
        picture->rows[p]);
  g_printerr ("\n");
}

static void
print_sequence (const FuzzSequence *self)
{
  g_autofree gchar *caps = gst_caps_to_string (self->caps);
  g_autofree gchar *settings = fuzz_describe_settings (self->tried);

  g_printerr ("  caps: %s\n  buffer: %s\n  in flight: %u\n  settings: %s\n",
      caps, self->buffer.text, self->n_in_flight, settings);
  if (self->frame.before != NULL)
    print_picture (self->frame.before);
  for (guint i = 0; i < self->n_controls; i++)
    g_printerr ("  control: %s from %f to %f\n", self->controls[i].property,
        self->controls[i].first, self->controls[i].last);
}

G_GNUC_PRINTF (1, 2) G_GNUC_NORETURN static void fail (const gchar *format, ...)
{
  const FuzzSequence *failed = g_steal_pointer (&current);
  va_list args;
  g_autofree gchar *text = NULL;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_printerr ("%s\n%s", text, command);
  alarm (5); /* the element may be locked, so its settings cannot be printed */
  if (failed != NULL)
    print_sequence (failed);
  _exit (1);
}

/* Fails if `wrong` (transfer full) is not NULL. */
static void
expect (const gchar *what, gchar *wrong)
{
  if (wrong != NULL)
    fail ("%s: %s", what, wrong);
}

static GLogWriterOutput
on_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields,
    gpointer user_data)
{
  (void) user_data;
  if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING))
    fail ("%s", g_log_writer_format_fields (level, fields, n_fields, FALSE));
  return G_LOG_WRITER_HANDLED;
}

static void
on_signal (int number)
{
  const ssize_t n = write (STDERR_FILENO, command, strlen (command));

  _exit (n > 0 ? 128 + number : 1);
}

static void
catch_signals (void)
{
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
    SIGTERM, SIGINT };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    signal (numbers[i], on_signal);
}

/* --- messages --- */

/* Messages since the last call. */
typedef struct
{
  guint n_errors;
  gchar *error;          /* owned: of the last error */
  GPtrArray *histograms; /* GstMessages, owned */
  GPtrArray *told;       /* the same, of conditions */
} Posted;

static Posted
read_bus (GstElement *element)
{
  Posted self = { .histograms = g_ptr_array_new_with_free_func (
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

static void
posted_clear (Posted *self)
{
  g_free (self->error);
  g_ptr_array_unref (self->histograms);
  g_ptr_array_unref (self->told);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Posted, posted_clear)

static void
posted_free (Posted *self)
{
  posted_clear (self);
  g_free (self);
}

/* Messages before each frame that came out of the tried element. */
static GQueue posted_before; /* of Posted, owned */

static GstPadProbeReturn
on_output (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Posted *posted = g_new (Posted, 1);

  (void) pad;
  (void) info;
  *posted = read_bus (user_data);
  g_queue_push_tail (&posted_before, posted);
  return GST_PAD_PROBE_OK;
}

static void
watch_output (GstElement *element)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_output, element, NULL);
}

/* A frame that fails after a pause may be told twice; the last message has to
 * be true of it. */
static void
check_told (const FuzzFrame *frame, const FuzzComparison *comparison,
    const GPtrArray *told)
{
  g_autoptr (GHashTable) last = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer condition, structure;

  for (guint i = 0; i < told->len; i++) {
    structure = (gpointer) gst_message_get_structure (told->pdata[i]);
    g_hash_table_insert (last,
        (gpointer) gst_structure_get_string (structure, "condition"),
        structure);
  }
  g_hash_table_iter_init (&iter, last);
  while (g_hash_table_iter_next (&iter, &condition, &structure))
    expect (condition, fuzz_check_told (frame, comparison, structure));
}

static void
check_posted (const FuzzFrame *frame, const FuzzComparison *comparison,
    const Posted *posted)
{
  const FuzzSettings *settings = &frame->settings;
  const guint n = posted->histograms->len;

  if (posted->n_errors > 0)
    fail ("an error: %s", posted->error);
  if (n > 1 || (n > 0 && !settings->post_messages)
      || (n == 0 && settings->post_messages && settings->interval == 0))
    fail ("%u messages", n);
  for (guint i = 0; i < n; i++)
    expect ("message",
        fuzz_check_message (frame,
            gst_message_get_structure (
                g_ptr_array_index (posted->histograms, i))));
  check_told (frame, comparison, posted->told);
}

/* --- output --- */

/* Returns: (transfer none): the composition, or NULL. */
static GstVideoOverlayComposition *
scopes_of (GstBuffer *buffer)
{
  GstVideoOverlayCompositionMeta *meta =
      gst_buffer_get_video_overlay_composition_meta (buffer);

  return meta != NULL ? meta->overlay : NULL;
}

static gchar *
compare_comparisons (
    const FuzzComparison *expected, const FuzzComparison *comparison)
{
  if (comparison->difference == expected->difference
      && comparison->distance == expected->distance)
    return NULL;
  return g_strdup_printf ("difference %f, not %f, or distance %f, not %f",
      comparison->difference, expected->difference, comparison->distance,
      expected->distance);
}

static void
check_output (
    FuzzSequence *self, FuzzSent *sent, GstBuffer *out, const Posted *posted)
{
  FuzzFrame *frame = &sent->frame;
  const FuzzComparison comparison = fuzz_comparison_read (out);
  g_autoptr (Picture) result = fuzz_picture_copy (frame->before);

  fuzz_picture_unprotect (sent->input);
  check_posted (frame, &comparison, posted);
  fuzz_expectations_add_frame (&self->expectations, frame, &comparison);
  expect ("metadata", fuzz_check_meta (frame, out));
  expect ("comparison", fuzz_check_comparison (frame, &comparison));
  expect ("not the twin's comparison",
      compare_comparisons (&sent->comparison, &comparison));
  if (sent->buffer.other != NULL)
    expect ("shared buffer", fuzz_check_other (frame, sent->buffer.other));
  expect ("memory",
      fuzz_take_output (
          frame, out, sent->input, sent->buffer.sharing != 0, result));
  expect ("scopes", fuzz_compare_scopes (sent->scopes, scopes_of (out)));
  if (sent->scopes != NULL) /* they are not drawn */
    frame->settings.scopes = FUZZ_SCOPES_NONE;
  expect ("pixels", fuzz_check_pixels (frame, result));
  if (sent->expected != NULL)
    expect ("not the twin's pixels", fuzz_compare (sent->expected, result));
}

/* Checks the frames that came out of the tried element against the oldest sent
 * frames. */
static void
collect (FuzzSequence *self)
{
  GstBuffer *out;

  while ((out = gst_harness_try_pull (self->tried_harness)) != NULL) {
    FuzzSent *sent = g_queue_pop_head (&self->sent);
    Posted *posted = g_queue_pop_head (&posted_before);

    if (sent == NULL)
      fail ("a frame that was not sent");
    set_command (self->seed, self->n_frames);
    check_output (self, sent, out, posted);
    gst_buffer_unref (out);
    fuzz_sent_free (sent);
    posted_free (posted);
  }
  if (self->is_dropping)
    g_queue_clear_full (&self->sent, (GDestroyNotify) fuzz_sent_free);
  self->is_dropping = FALSE;
  if (self->sent.length >= self->n_in_flight)
    fail ("%u frames are held back", self->sent.length);
}

static void
send_drain (FuzzSequence *self)
{
  g_autoptr (GstQuery) query = gst_query_new_drain ();

  gst_pad_peer_query (self->tried_harness->srcpad, query);
}

/* Gets all frames out of the tried element. */
static void
drain (FuzzSequence *self)
{
  send_drain (self);
  collect (self);
  if (self->sent.length > 0)
    fail ("%u frames do not come out", self->sent.length);
}

/* --- EOS --- */

/* Expects messages, and an error, of the conditions that no frame has met.
 * Setting the conditions again corrects a mistake, which would be an error. */
static void
end_stream (FuzzSequence *self)
{
  const gboolean is_error = g_rand_boolean (self->random);
  g_autofree gchar *text = NULL;
  g_auto (Posted) posted = { 0 };

  drain (self);
  fuzz_sequence_tell (self, "EOS");
  g_object_get (self->tried, "expect", &text, NULL);
  g_object_set (self->tried, "expect", text, "expect-error", is_error, NULL);
  gst_harness_push_event (self->tried_harness, gst_event_new_eos ());
  posted = read_bus (self->tried);
  if (posted.n_errors > 1)
    fail ("%u errors", posted.n_errors);
  expect ("EOS",
      fuzz_expectations_check_end (&self->expectations,
          text != NULL ? text : "", is_error, posted.told, posted.error));
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
  g_auto (Posted) posted = read_bus (self->tried);
  FuzzFrame *frame = &self->frame;

  fuzz_settings_read (&frame->settings, self->tried);
  if (posted.n_errors != (flow == GST_FLOW_OK ? 0 : 1)
      || (out != NULL) != (flow == GST_FLOW_OK))
    fail ("%s, %u errors, %s buffer", gst_flow_get_name (flow), posted.n_errors,
        out != NULL ? "a" : "no");
  if (flow == GST_FLOW_OK && frame->settings.attach_meta
      && fuzz_frame_is_measured (frame))
    fail ("a hostile buffer was measured");
  gst_clear_buffer (&out);
  g_queue_clear_full (&posted_before, (GDestroyNotify) posted_free);
}

static void
push_hostile_buffer (FuzzSequence *self)
{
  g_autoptr (Picture) input = fuzz_picture_copy (self->frame.before);
  GstFlowReturn flow;

  fuzz_buffer_clear (&self->buffer);
  self->buffer = fuzz_buffer_hostile (self->random, input, &self->info);
  drain (self);
  flow = gst_harness_push (
      self->tried_harness, g_steal_pointer (&self->buffer.buffer));
  send_drain (self);
  check_refused (self, flow);
  expect ("hostile buffer", fuzz_compare (self->frame.before, input));
  fuzz_sequence_restart (self);
}

/* --- failing calls --- */

/* Expects one error and no buffer, unless the element could do without the
 * failed call. */
static void
check_failed (FuzzSequence *self, GstFlowReturn flow)
{
  g_auto (Posted) posted = read_bus (self->tried);
  g_autoptr (GstBuffer) out = gst_harness_try_pull (self->tried_harness);
  const gboolean has_failed = posted.n_errors > 0;

  if (posted.n_errors > 1 || (out == NULL) != has_failed
      || (flow != GST_FLOW_OK && !has_failed)
      || (has_failed && clfaults_failed () == NULL))
    fail ("%s, %u errors, %s buffer, %s failed: %s", gst_flow_get_name (flow),
        posted.n_errors, out != NULL ? "a" : "no", clfaults_failed (),
        posted.error);
  g_queue_clear_full (&posted_before, (GDestroyNotify) posted_free);
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
  const gchar *call =
      calls[g_rand_int_range (self->random, 0, G_N_ELEMENTS (calls))];
  g_autoptr (Picture) input = fuzz_picture_copy (self->frame.before);
  GstFlowReturn flow;

  drain (self);
  fuzz_sequence_tell (self, call);
  clfaults_set (call, g_rand_int_range (self->random, 1, 12));
  fuzz_buffer_clear (&self->buffer);
  self->buffer = fuzz_buffer_plain (input);
  flow = gst_harness_push (
      self->tried_harness, g_steal_pointer (&self->buffer.buffer));
  send_drain (self);
  check_failed (self, flow);
  clfaults_set (NULL, 0);
  fuzz_sequence_restart (self);
}

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
        gst_buffer_add_video_region_of_interest_meta (buffer, "face", region->x,
            region->y, region->width, region->height);

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
  if (kind != 3)
    GST_BUFFER_DURATION (buffer) = FRAME_DURATION;
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

  if (flow != GST_FLOW_OK) {
    g_auto (Posted) posted = read_bus (h->element);

    fail ("the %s element ends with %s: %s", which, gst_flow_get_name (flow),
        posted.error);
  }
}

/* Returns: (transfer none): the frame, which the tried element may hold until
 * more frames have followed. */
static FuzzSent *
push_tried (FuzzSequence *self, Picture *input)
{
  FuzzSent *sent = fuzz_sequence_add_sent (self, input);

  push (self->tried_harness, g_steal_pointer (&sent->buffer.buffer), "tried");
  fuzz_settings_read (&sent->frame.settings, self->tried);
  self->frame.settings = sent->frame.settings;
  self->has_last = TRUE;
  fuzz_sequence_tell (self, sent->buffer.text);
  return sent;
}

/* Stores the comparison in the twin's metadata. scopes: (transfer full): sent
 * along with the frame, or NULL.
 *
 * Returns: (transfer full): the twin's output for the frame. */
static Picture *
run_twin (FuzzSequence *self, GstBuffer *buffer, Picture *input,
    FuzzComparison *comparison, GstVideoOverlayComposition **scopes)
{
  GstHarness *h = self->twin_harness;
  g_autoptr (Picture) result = fuzz_picture_copy (self->frame.before);
  g_autoptr (GstBuffer) out = NULL;

  push (h, buffer, "twin");
  out = gst_harness_try_pull (h);
  if (out == NULL)
    fail ("the twin sends nothing on");
  gst_bus_set_flushing (GST_ELEMENT_BUS (h->element), TRUE);
  gst_bus_set_flushing (GST_ELEMENT_BUS (h->element), FALSE);
  expect ("twin's metadata", fuzz_check_meta (&self->frame, out));
  *comparison = fuzz_comparison_read (out);
  expect ("twin's memory",
      fuzz_take_output (&self->frame, out, input, FALSE, result));
  *scopes = scopes_of (out);
  if (*scopes != NULL)
    gst_video_overlay_composition_ref (*scopes);
  return g_steal_pointer (&result);
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
  const FuzzBuffer buffer = { .buffer = fuzz_sequence_take_buffer (self),
    .text = g_strdup ("of a bounded pool") };

  if (buffer.buffer == NULL)
    fail ("more buffers are held than were asked for");
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
  FuzzFrame *frame = &self->frame;
  Picture *input = fuzz_picture_copy (frame->before);
  g_autoptr (Picture) twin_input = fuzz_picture_copy (frame->before);
  g_autoptr (Picture) twin_result = NULL;
  GstBuffer *twin_buffer;
  FuzzSent *sent;

  choose_buffer (self, input);
  twin_buffer = twin_buffer_new (self, twin_input);
  fuzz_buffer_share (&self->buffer, input);
  sent = push_tried (self, input);
  twin_result = run_twin (
      self, twin_buffer, twin_input, &sent->comparison, &sent->scopes);
  if (!self->is_out_of_step
      || !(frame->settings.exposure & FUZZ_EXPOSURE_ZEBRA))
    sent->expected = g_steal_pointer (&twin_result);
  collect (self);
}

static void
run_frame (FuzzSequence *self)
{
  set_command (self->seed, ++self->n_frames);
  if (g_rand_int_range (self->random, 0, 50) == 0)
    push_hostile_buffer (self);
  if (g_rand_int_range (self->random, 0, 500) == 0)
    fail_call (self);
  if (g_rand_int_range (self->random, 0, 50) == 0)
    end_stream (self);
  fuzz_sequence_change (self);
  collect (self);
  if (g_rand_int_range (self->random, 0, 4) > 0)
    fuzz_picture_fill (self->random, self->frame.before);
  choose_regions (self);
  self->frame.has_upstream_meta = g_rand_int_range (self->random, 0, 8) == 0;
  self->time += FRAME_DURATION;
  run_both (self);
}

/* --- sequences --- */

/* Returns: the number of frames, at most `max`. */
static guint
run_sequence (guint32 seed, guint max)
{
  FuzzSequence self;
  guint n;

  set_command (seed, 1);
  fuzz_sequence_init (&self, seed);
  current = &self;
  watch_output (self.tried);
  n = g_rand_int_range (self.random, 1, 100);
  n = MIN (n, max);
  while (self.n_frames < n)
    run_frame (&self);
  drain (&self);
  current = NULL;
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
  g_log_set_writer_func (on_log, NULL, NULL);
  catch_signals ();
  run_sequences ((guint32) seed, (guint) n_frames, n_seconds);
  gst_element_set_state (keeper, GST_STATE_NULL);
  gst_object_unref (keeper);
  gst_deinit ();
  return 0;
}
