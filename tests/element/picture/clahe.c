/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * equalization=clahe: every format, and changes of its properties. The element
 * itself verifies its pixels against the C reference, which the test cvclahe
 * compares with OpenCV.
 */

#include "harnesses.h"

static const struct
{
  guint width, height;
} sizes[] = { { 1, 1 }, { 9, 5 }, { 64, 33 }, { 320, 241 } };

/* Each picture is first in a shared buffer, which must not change, then in
 * place. */
TEST (test_format)
{
  const gchar *format = picture_formats[__i__].name;
  g_autoptr (Harness) h =
      harness_new ("equalization", EQUALIZATION_CLAHE, "channels", CHANNELS_ALL,
          "clip-limit", 3.0, "verify", TRUE, "qos", FALSE, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint n = 0; n < (test_size () < TEST_FULL ? 1 : PICTURE_N_SHAPES);
         n++) {
      g_autoptr (Picture) picture = picture_new (format, sizes[i].width,
          sizes[i].height, (i + n) % PICTURE_N_SHAPES, 30, 220, 7 + i);
      g_autoptr (Picture) before = picture_copy (picture);
      GstBuffer *buffer = picture_wrap (picture);
      g_autoptr (GstBuffer) out = NULL;

      harness_set_caps (h, picture);
      out = harness_run (h, gst_buffer_ref (buffer));
      fail_unless (out != buffer);
      fail_unless (picture_equal (picture, before));
      assert_histograms (out, before, ALL_NAMES);
      gst_buffer_unref (out);
      out = harness_run (h, buffer);
      if (!harness_pins_memory (h))
        fail_unless (out == buffer);
    }
}

/* A dark left half and a bright right half, each a chessboard of two values. */
static Picture *
halves_new (void)
{
  Picture *picture = picture_new ("GRAY8", 64, 32, PICTURE_TIGHT, 0, 255, 1);

  for (guint y = 0; y < 32; y++)
    for (guint x = 0; x < 64; x++)
      picture_row (picture, 0, y)[x] = (x < 32 ? 20 : 200) + (x + y) % 2 * 10;
  return picture;
}

/* The difference between pixel (x, y) and the next one, after equalization. */
static gint
contrast (GstHarness *h, guint x, guint y)
{
  g_autoptr (Picture) picture = halves_new ();
  const guint8 *pixel = picture_row (picture, 0, y) + x;

  harness_change (h, picture, 0);
  return ABS (pixel[1] - pixel[0]);
}

/* Properties that are set while playing apply to the next frame. */
TEST (test_properties)
{
  g_autoptr (Picture) picture = halves_new ();
  g_autoptr (Harness) h =
      harness_new_for (picture, "verify", TRUE, "qos", FALSE, NULL);

  fail_unless_equals_int (contrast (h, 4, 4), 10);
  g_object_set (h->element, "equalization", EQUALIZATION_CLAHE, "tiles-x", 1,
      "tiles-y", 1, "clip-limit", 0.0, NULL);
  /* each of four values is a quarter of the pixels */
  fail_unless_equals_int (contrast (h, 4, 4), 64);
  g_object_set (h->element, "tiles-x", 2, NULL);
  fail_unless_equals_int (contrast (h, 4, 4), 127);
  fail_unless_equals_int (contrast (h, 60, 4), 127);
  g_object_set (h->element, "strength", 0.0f, NULL);
  fail_unless_equals_int (contrast (h, 4, 4), 10);
  g_object_set (h->element, "strength", 1.0f, "clip-limit", 1.0, NULL);
  fail_unless (contrast (h, 4, 4) < 20);
}

/* At the largest limit, nothing is clipped: each of a tile's two values has
 * half of its pixels, 128 times the count in a flat histogram. */
TEST (test_largest_limit)
{
  g_autoptr (Picture) picture = halves_new ();
  g_autoptr (Harness) h =
      harness_new_for (picture, "equalization", EQUALIZATION_CLAHE, "tiles-x",
          2, "tiles-y", 1, "clip-limit", 256.0, NULL);

  fail_unless_equals_int (contrast (h, 4, 4), 127);
  g_object_set (h->element, "clip-limit", 100.0, NULL);
  fail_unless (contrast (h, 4, 4) < 127);
}

const ElementTest element_tests[] = { FORMATS (test_format),
  ONCE (test_properties), ONCE (test_largest_limit), { NULL } };
