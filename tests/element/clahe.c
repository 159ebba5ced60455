/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * equalization=clahe: of every format, and while its properties change. What
 * pixels become is checked by the element itself, with verify=true; the test
 * cvclahe holds that against OpenCV.
 */

#include "harnesses.h"

#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>
#include <string.h>

#define CLAHE 2

static const struct
{
  guint width, height;
} sizes[] = { { 1, 1 }, { 9, 5 }, { 64, 33 }, { 320, 241 } };

/* In place and elsewhere, in all ways to lie in memory; what comes in is not
 * changed where it is shared. */
GST_START_TEST (test_format)
{
  const gchar *format = picture_formats[__i__].name;
  GstHarness *h = harness_new ("equalization", CLAHE, "channels", 0xf,
      "clip-limit", 3.0, "verify", TRUE, "qos", FALSE, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint shape = 0; shape < PICTURE_N_SHAPES; shape++) {
      Picture *picture = picture_new (
          format, sizes[i].width, sizes[i].height, shape, 30, 220, 7 + i);
      Picture *before = picture_copy (picture);
      GstBuffer *buffer = picture_wrap (picture);
      GstBuffer *out;

      harness_set_caps (h, picture);
      out = harness_run (h, gst_buffer_ref (buffer));
      fail_unless (out != buffer);
      fail_unless (picture_equal (picture, before));
      assert_histograms (out, before, "luma u v red green blue alpha");
      gst_buffer_unref (out);
      out = harness_run (h, buffer);
      fail_unless (out == buffer);
      gst_buffer_unref (out);
      picture_free (before);
      picture_free (picture);
    }
  harness_free (h);
}

GST_END_TEST

/* A picture of two halves, each of two values: a dark left, a bright right. */
static Picture *
halves_new (void)
{
  Picture *picture = picture_new ("GRAY8", 64, 32, PICTURE_TIGHT, 0, 255, 1);

  for (guint y = 0; y < 32; y++)
    for (guint x = 0; x < 64; x++)
      picture_row (picture, 0, y)[x] = (x < 32 ? 20 : 200) + (x + y) % 2 * 10;
  return picture;
}

/* How far apart neighbouring pixels at (x, y) are, once they are equalized. */
static gint
contrast (GstHarness *h, guint x, guint y)
{
  Picture *picture = halves_new ();
  GstBuffer *out = harness_run (h, picture_wrap (picture));
  const gint difference =
      picture_row (picture, 0, y)[x + 1] - picture_row (picture, 0, y)[x];

  gst_buffer_unref (out);
  picture_free (picture);
  return ABS (difference);
}

/* Properties set while playing are the next frame's: from as little contrast as
 * there was, by one tile's and a limit's, to two tiles', without a limit. */
GST_START_TEST (test_properties)
{
  GstHarness *h = harness_new ("verify", TRUE, "qos", FALSE, NULL);
  Picture *picture = halves_new ();

  harness_set_caps (h, picture);
  fail_unless_equals_int (contrast (h, 4, 4), 10);
  g_object_set (h->element, "equalization", CLAHE, "tiles-x", 1, "tiles-y", 1,
      "clip-limit", 0.0, NULL);
  /* a quarter of all pixels have each value */
  fail_unless_equals_int (contrast (h, 4, 4), 64);
  g_object_set (h->element, "tiles-x", 2, NULL);
  fail_unless_equals_int (contrast (h, 4, 4), 127);
  fail_unless_equals_int (contrast (h, 60, 4), 127);
  g_object_set (h->element, "strength", 0.0f, NULL);
  fail_unless_equals_int (contrast (h, 4, 4), 10);
  g_object_set (h->element, "strength", 1.0f, "clip-limit", 1.0, NULL);
  fail_unless (contrast (h, 4, 4) < 20);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

/* A controlled limit changes from frame to frame. */
GST_START_TEST (test_controlled)
{
  GstHarness *h = harness_new ("equalization", CLAHE, "tiles-x", 2, "tiles-y",
      1, "verify", TRUE, "qos", FALSE, NULL);
  GstControlSource *source = gst_interpolation_control_source_new ();
  Picture *picture = halves_new ();
  gdouble limit, last = -1;

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
  gst_timed_value_control_source_set (
      GST_TIMED_VALUE_CONTROL_SOURCE (source), 0, 1.0);
  gst_timed_value_control_source_set (
      GST_TIMED_VALUE_CONTROL_SOURCE (source), GST_SECOND, 40.0);
  gst_object_add_control_binding (GST_OBJECT (h->element),
      gst_direct_control_binding_new_absolute (
          GST_OBJECT (h->element), "clip-limit", source));
  gst_object_unref (source);

  harness_set_caps (h, picture);
  for (guint n = 0; n < 3; n++) {
    Picture *frame = picture_copy (picture);

    gst_buffer_unref (harness_run (h, picture_wrap_nth (frame, 10 * n)));
    g_object_get (h->element, "clip-limit", &limit, NULL);
    fail_unless (limit > last);
    last = limit;
    picture_free (frame);
  }
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

static Suite *
clahe_suite (void)
{
  Suite *suite = suite_create ("clahe");
  TCase *tc = tcase_create ("clahe");

  suite_add_tcase (suite, tc);
  tcase_set_timeout (tc, 120);
  tcase_add_loop_test (tc, test_format, 0, PICTURE_N_FORMATS);
  tcase_add_test (tc, test_properties);
  tcase_add_test (tc, test_controlled);
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "clahe", clahe_suite);
}
