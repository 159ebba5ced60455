/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "report.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const FuzzSequence *current;
static gchar command[128]; /* repeats the current sequence up to this frame */
static const gchar *checked;

void
fuzz_report_begin_frame (FuzzSequence *sequence)
{
  current = sequence;
  if (sequence != NULL)
    g_snprintf (command, sizeof command, "  fuzz --seed=%u --frames=%u\n",
        sequence->seed, sequence->n_frames);
}

void
fuzz_report_begin_check (const gchar *what)
{
  checked = what;
}

/* Errors that no check has read: missing frames have their cause here. */
static void
print_errors (const gchar *which, GstElement *element)
{
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (
              GST_ELEMENT_BUS (element), GST_MESSAGE_ERROR))
      != NULL) {
    g_autoptr (GError) error = NULL;

    gst_message_parse_error (message, &error, NULL);
    g_printerr ("error of the %s element: %s\n", which, error->message);
    gst_message_unref (message);
  }
}

static void
print_frame (guint number, const gchar *buffer, const Picture *picture)
{
  g_printerr ("  frame %u: %s; %zu bytes, %zu bytes from a page;", number,
      buffer, picture->size, (gsize) (picture->data - picture->block) % 4096);
  for (guint p = 0; p < picture->n_planes; p++)
    g_printerr (" plane %u: at %zu, stride %d, %u bytes in %u rows;", p,
        picture->offset[p], picture->stride[p], picture->row_bytes[p],
        picture->rows[p]);
  g_printerr ("\n");
}

static void
print_sequence (const FuzzSequence *self)
{
  g_autofree gchar *caps = gst_caps_to_string (self->caps);
  g_autofree gchar *settings = fuzz_describe_settings (self->tried);

  g_printerr ("  caps: %s\n  settings: %s\n", caps, settings);
  if (self->scopes_only)
    g_printerr (
        "  scopes alone: %ux%u\n", self->output_width, self->output_height);
  for (const GList *item = self->sent.head; item != NULL; item = item->next) {
    const FuzzSent *sent = item->data;

    print_frame (sent->number, sent->buffer.text, sent->frame.before);
  }
  if (self->buffer.text != NULL)
    print_frame (self->n_frames, self->buffer.text, self->frame.before);
  for (guint i = 0; i < self->n_controls; i++)
    g_printerr ("  control: %s from %f to %f\n", self->controls[i].property,
        self->controls[i].first, self->controls[i].last);
}

void
fuzz_fail (const gchar *format, ...)
{
  const FuzzSequence *failed = g_steal_pointer (&current);
  va_list args;
  g_autofree gchar *text = NULL;

  va_start (args, format);
  text = gst_info_strdup_vprintf (format, args);
  va_end (args);
  if (failed != NULL) {
    print_errors ("tried", failed->tried);
    if (failed->twin_harness != NULL)
      print_errors ("twin", failed->twin_harness->element);
  }
  if (checked != NULL)
    g_printerr ("%s: ", checked);
  g_printerr ("%s\n%s", text, command);
  alarm (5); /* the element may be locked, so its settings cannot be printed */
  if (failed != NULL)
    print_sequence (failed);
  _exit (1);
}

static GLogWriterOutput
on_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields,
    gpointer user_data)
{
  (void) user_data;
  if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING))
    fuzz_fail (
        "%s", g_log_writer_format_fields (level, fields, n_fields, FALSE));
  return G_LOG_WRITER_HANDLED;
}

static void
on_signal (int number)
{
  const ssize_t n = write (STDERR_FILENO, command, strlen (command));

  _exit (n > 0 ? 128 + number : 1);
}

void
fuzz_report_catch (void)
{
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
    SIGTERM, SIGINT };

  g_log_set_writer_func (on_log, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    signal (numbers[i], on_signal);
}
