/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What upstream is told of the memory that is wanted, and what a real upstream
 * makes of it.
 */

#include "harnesses.h"

static GstQuery *
query_allocation (GstHarness *h, const gchar *format)
{
  GstCaps *caps = video_caps (format, 33, 17, NULL);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);

  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  fail_unless (gst_pad_peer_query (h->srcpad, query));
  gst_caps_unref (caps);
  return query;
}

/* The device's own words on where buffers should begin: PoCL's 128 bytes. */
static gsize
wanted_mask (GstHarness *h)
{
  g_autofree gchar *name = NULL;

  g_object_get (h->element, "device-name", &name, NULL);
  return g_str_has_prefix (name, "pthread") ? 127 : 3;
}

static void
assert_alignment (GstHarness *h, GstQuery *query, gsize mask)
{
  GstAllocationParams params;

  fail_unless_equals_int (gst_query_get_n_allocation_params (query), 1);
  gst_query_parse_nth_allocation_param (query, 0, NULL, &params);
  fail_unless ((params.align & wanted_mask (h)) == wanted_mask (h));
  fail_unless ((params.align & mask) == mask);
  fail_unless ((params.align & (params.align + 1)) == 0);
}

GST_START_TEST (test_alignment)
{
  GstHarness *h = harness_new ("equalization", __i__, NULL);
  GstQuery *query = query_allocation (h, "I420");

  assert_alignment (h, query, 0);
  gst_query_unref (query);
  harness_free (h);
}

GST_END_TEST

/* What downstream wants is kept. */
GST_START_TEST (test_stricter_downstream)
{
  GstHarness *h = harness_new (NULL, NULL);
  GstAllocationParams params;
  GstQuery *query;

  gst_allocation_params_init (&params);
  params.align = 4095;
  params.padding = 32;
  gst_harness_set_propose_allocator (h, NULL, &params);
  query = query_allocation (h, "I420");
  assert_alignment (h, query, 4095);
  gst_query_parse_nth_allocation_param (query, 0, NULL, &params);
  fail_unless_equals_int (params.padding, 32);
  gst_query_unref (query);
  harness_free (h);
}

GST_END_TEST

/* Buffers go downstream as they come: any layout only if downstream takes
 * it. */
GST_START_TEST (test_video_meta)
{
  const gboolean downstream_takes_it = __i__ & 1;
  GstHarness *h = harness_new ("equalization", __i__ >> 1, NULL);
  GstQuery *query;

  if (downstream_takes_it)
    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  query = query_allocation (h, "I420");
  fail_unless_equals_int (
      gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL),
      downstream_takes_it);
  gst_query_unref (query);
  harness_free (h);
}

GST_END_TEST

/* With nothing to do, the answer is downstream's. */
GST_START_TEST (test_passthrough)
{
  GstHarness *h = harness_new ("attach-meta", FALSE, NULL);
  GstAllocationParams params;
  GstQuery *query;

  gst_allocation_params_init (&params);
  params.align = 15;
  gst_harness_set_propose_allocator (h, NULL, &params);
  query = query_allocation (h, "RGB");
  gst_query_parse_nth_allocation_param (query, 0, NULL, &params);
  fail_unless_equals_int (params.align, 15);
  gst_query_unref (query);
  harness_free (h);
}

GST_END_TEST

/* Buffers that amphisto makes, and those of a source that asks, are aligned. */
GST_START_TEST (test_buffers)
{
  GstHarness *h = harness_new ("equalization", 1, NULL);
  Picture *picture = picture_new ("I420", 33, 17, PICTURE_ODD, 20, 90, 1);
  GstBuffer *buffer = picture_wrap (picture);
  GstMapInfo map;
  GstBuffer *out;

  harness_set_caps (h, picture);
  out = harness_run (h, gst_buffer_ref (buffer));
  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  fail_unless (((guintptr) map.data & wanted_mask (h)) == 0);
  gst_buffer_unmap (out, &map);
  gst_buffer_unref (out);
  gst_buffer_unref (buffer);

  buffer = gst_harness_create_buffer (h, 33 * 17 * 2);
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  fail_unless (((guintptr) map.data & wanted_mask (h)) == 0);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  picture_free (picture);
  harness_free (h);
}

GST_END_TEST

static Suite *
allocation_suite (void)
{
  Suite *suite = suite_create ("allocation");
  TCase *tc = tcase_create ("allocation");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_alignment, 0, 2);
  tcase_add_test (tc, test_stricter_downstream);
  tcase_add_loop_test (tc, test_video_meta, 0, 4);
  tcase_add_test (tc, test_passthrough);
  tcase_add_test (tc, test_buffers);
  return suite;
}

int
main (int argc, char **argv)
{
  return run_suite (argc, argv, "allocation", allocation_suite);
}
