/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Streams that get the same buffer at once, as behind a `tee`, and whose
 * elements come and go. On a GPU they have several contexts, and the buffer's
 * memory is pinned while others copy it.
 */

#include "harnesses.h"

#define N_STREAMS 8
#define N_ROUNDS 3
#define N_FRAMES 20

typedef struct
{
  Picture *picture;
  Picture *expected;
  GstBuffer *buffer;
} Frame;

static gpointer
run_stream (gpointer data)
{
  const Frame *frame = data;

  for (guint round = 0; round < N_ROUNDS; round++) {
    g_autoptr (Harness) h = harness_new_for (frame->picture, "equalization",
        AMPHISTO_EQUALIZATION_GLOBAL, "frames-in-flight", 3, NULL);

    for (guint i = 0; i < N_FRAMES; i++)
      harness_push (h, gst_buffer_copy (frame->buffer));
    harness_drain (h);
    for (guint i = 0; i < N_FRAMES; i++) {
      g_autoptr (GstBuffer) out = gst_harness_pull (h);

      assert_pixels (out, frame->expected);
    }
  }
  return NULL;
}

TEST (test_streams)
{
  g_autoptr (Picture) picture =
      picture_new ("GRAY8", 640, 480, PICTURE_TIGHT, 20, 90, 1);
  g_autoptr (Picture) expected = picture_equalized (picture);
  g_autoptr (GstBuffer) buffer = picture_wrap (picture);
  Frame frame = { picture, expected, buffer };
  GThread *threads[N_STREAMS];

  for (guint i = 0; i < N_STREAMS; i++)
    threads[i] = g_thread_new ("stream", run_stream, &frame);
  for (guint i = 0; i < N_STREAMS; i++)
    g_thread_join (threads[i]);
  assert_pixels (buffer, picture);
}

const ElementTest element_tests[] = { ONCE (test_streams), { 0 } };
