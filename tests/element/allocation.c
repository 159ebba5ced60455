/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The answer to upstream's ALLOCATION query, and the buffers that follow it.
 */

#include "harnesses.h"

static GstQuery *
query_allocation (GstHarness *h, const gchar *format)
{
  GstCaps *caps = video_caps (format, 33, 17, NULL);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);

  gst_harness_set_src_caps (h, caps);
  fail_unless (gst_pad_peer_query (h->srcpad, query));
  return query;
}

/* Addresses that the device wants buffers to begin at have these bits 0: PoCL's
 * are multiples of 128. */
static gsize
wanted_mask (GstHarness *h)
{
  g_autofree gchar *name = element_device_name (h->element);

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

/* Without (0) and with (1) equalization. */
GST_START_TEST (test_alignment)
{
  GstHarness *h = harness_new ("equalization", __i__, NULL);
  g_autoptr (GstQuery) query = query_allocation (h, "I420");

  assert_alignment (h, query, 0);
  harness_free (h);
}

GST_END_TEST

/* A stricter alignment of downstream is kept, and so is its padding. */
GST_START_TEST (test_stricter_downstream)
{
  GstHarness *h = harness_new (NULL, NULL);
  g_autoptr (GstQuery) query = NULL;
  GstAllocationParams params;

  gst_allocation_params_init (&params);
  params.align = 4095;
  params.padding = 32;
  gst_harness_set_propose_allocator (h, NULL, &params);
  query = query_allocation (h, "I420");
  assert_alignment (h, query, 4095);
  gst_query_parse_nth_allocation_param (query, 0, NULL, &params);
  fail_unless_equals_int (params.padding, 32);
  harness_free (h);
}

GST_END_TEST

/* Buffers pass downstream as they come, so GstVideoMeta is supported if
 * downstream does (1, 3), without (0, 1) and with (2, 3) equalization. */
GST_START_TEST (test_video_meta)
{
  const gboolean is_supported = __i__ & 1;
  GstHarness *h = harness_new ("equalization", __i__ >> 1, NULL);
  g_autoptr (GstQuery) query = NULL;

  if (is_supported)
    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  query = query_allocation (h, "I420");
  fail_unless_equals_int (
      gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL),
      is_supported);
  harness_free (h);
}

GST_END_TEST

/* In passthrough the answer is downstream's. */
GST_START_TEST (test_passthrough)
{
  GstHarness *h = harness_new ("attach-meta", FALSE, NULL);
  g_autoptr (GstQuery) query = NULL;
  GstAllocationParams params;

  gst_allocation_params_init (&params);
  params.align = 15;
  gst_harness_set_propose_allocator (h, NULL, &params);
  query = query_allocation (h, "RGB");
  gst_query_parse_nth_allocation_param (query, 0, NULL, &params);
  fail_unless_equals_int (params.align, 15);
  harness_free (h);
}

GST_END_TEST

static void
assert_aligned (GstHarness *h, GstBuffer *buffer)
{
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  fail_unless (((guintptr) map.data & wanted_mask (h)) == 0);
  gst_buffer_unmap (buffer, &map);
}

/* New buffers of the element are aligned, and so are those of a source that
 * follows the answer to its query. */
GST_START_TEST (test_buffers)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 33, 17, PICTURE_ODD, 20, 90, 1);
  g_autoptr (GstBuffer) buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (GstBuffer) created = NULL;
  GstHarness *h =
      harness_new_for (picture, "equalization", EQUALIZATION_GLOBAL, NULL);

  out = harness_run (h, gst_buffer_ref (buffer));
  assert_aligned (h, out);
  created = gst_harness_create_buffer (h, 33 * 17 * 2);
  assert_aligned (h, created);
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
