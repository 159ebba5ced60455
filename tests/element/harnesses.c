/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "harnesses.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>
#include <string.h>

/* The environment's number applies to all elements (meson.build). */
static void
set_frames_in_flight (GstElement *element)
{
  const gchar *n = g_getenv ("AMPHISTO_TEST_IN_FLIGHT");

  if (n != NULL)
    g_object_set (element, "frames-in-flight",
        (guint) g_ascii_strtoull (n, NULL, 10), NULL);
}

static GstElement *
element_new_valist (const gchar *first_property, va_list args)
{
  GstElement *element = gst_element_factory_make ("amphisto", NULL);
  GstBus *bus = gst_bus_new ();

  fail_unless (element != NULL);
  gst_object_ref_sink (element);
  gst_element_set_bus (element, bus);
  gst_object_unref (bus);
  set_frames_in_flight (element);
  if (first_property != NULL)
    g_object_set_valist (G_OBJECT (element), first_property, args);
  return element;
}

GstElement *
element_new (const gchar *first_property, ...)
{
  GstElement *element;
  va_list args;

  va_start (args, first_property);
  element = element_new_valist (first_property, args);
  va_end (args);
  return element;
}

void
element_free (GstElement *element)
{
  element_set_state (element, GST_STATE_NULL);
  /* drops messages, which hold references to the element */
  gst_bus_set_flushing (GST_ELEMENT_BUS (element), TRUE);
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
}

void
element_set_properties (gpointer element, const gchar *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  for (guint i = 0; words[i] != NULL; i++) {
    g_auto (GStrv) pair = g_strsplit (words[i], "=", 2);

    if (pair[0] != NULL && pair[1] != NULL)
      gst_util_set_object_arg (element, pair[0], pair[1]);
  }
}

void
element_set_state (gpointer element, GstState state)
{
  const GstStateChangeReturn ret = gst_element_set_state (element, state);

  if (ret == GST_STATE_CHANGE_FAILURE)
    fail_for_error (element);
  fail_unless_equals_string (gst_element_state_change_return_get_name (ret),
      gst_element_state_change_return_get_name (GST_STATE_CHANGE_SUCCESS));
}

gchar *
element_device_name (gpointer element)
{
  gchar *name;

  g_object_get (element, "device-name", &name, NULL);
  return name;
}

void
element_control (
    gpointer element, const gchar *property, gdouble first, gdouble last)
{
  GstControlSource *source = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *values = GST_TIMED_VALUE_CONTROL_SOURCE (source);

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
  fail_unless (gst_timed_value_control_source_set (values, 0, first));
  fail_unless (
      gst_timed_value_control_source_set (values, 320 * GST_MSECOND, last));
  fail_unless (gst_object_add_control_binding (element,
      gst_direct_control_binding_new_absolute (element, property, source)));
  gst_object_unref (source);
}

static GstHarness *
harness_new_valist (const gchar *first_property, va_list args)
{
  GstElement *element = element_new_valist (first_property, args);
  GstHarness *h = gst_harness_new_with_element (element, "sink", "src");

  gst_object_unref (element);
  return h;
}

GstHarness *
harness_new (const gchar *first_property, ...)
{
  GstHarness *h;
  va_list args;

  va_start (args, first_property);
  h = harness_new_valist (first_property, args);
  va_end (args);
  return h;
}

GstHarness *
harness_new_for (const Picture *picture, const gchar *first_property, ...)
{
  GstHarness *h;
  va_list args;

  va_start (args, first_property);
  h = harness_new_valist (first_property, args);
  va_end (args);
  harness_set_caps (h, picture);
  return h;
}

void
harness_free (GstHarness *h)
{
  GstElement *element = gst_object_ref (h->element);
  GstMessage *message =
      bus_pop (element, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);

  if (message != NULL)
    fail_for_message (message);
  gst_harness_teardown (h);
  element_free (element);
}

GstCaps *
video_caps (
    const gchar *format, guint width, guint height, const gchar *colorimetry)
{
  GstCaps *caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      format, "width", G_TYPE_INT, width, "height", G_TYPE_INT, height,
      "framerate", GST_TYPE_FRACTION, 25, 1, NULL);

  if (colorimetry != NULL)
    gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING, colorimetry, NULL);
  return caps;
}

void
harness_set_caps (GstHarness *h, const Picture *picture)
{
  harness_set_colorimetry (h, picture, NULL);
}

void
harness_set_colorimetry (
    GstHarness *h, const Picture *picture, const gchar *colorimetry)
{
  gst_harness_set_src_caps (h,
      video_caps (
          picture->format->name, picture->width, picture->height, colorimetry));
}

void
harness_set_fields (GstHarness *h, const Picture *picture, const gchar *fields)
{
  g_autofree gchar *text =
      g_strdup_printf ("video/x-raw, format=%s, width=%u, height=%u, "
                       "framerate=25/1, %s",
          picture->format->name, picture->width, picture->height, fields);

  gst_harness_set_src_caps_str (h, text);
}

void
harness_push_segment (GstHarness *h, gdouble rate, gdouble applied_rate,
    GstClockTime start, GstClockTime base, GstClockTime time)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.rate = rate;
  segment.applied_rate = applied_rate;
  segment.start = start;
  segment.stop = 100 * GST_SECOND;
  segment.base = base;
  segment.time = time;
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
}

void
harness_begin_segment (GstHarness *h)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
}

void
harness_flush (GstHarness *h)
{
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  harness_begin_segment (h);
}

void
harness_restart (GstHarness *h, const Picture *picture)
{
  gst_harness_play (h);
  fail_unless (
      gst_harness_push_event (h, gst_event_new_stream_start ("again")));
  harness_set_caps (h, picture);
  harness_begin_segment (h);
}

void
harness_drain (GstHarness *h)
{
  g_autoptr (GstQuery) query = gst_query_new_drain ();

  gst_pad_peer_query (h->srcpad, query);
}

static GstFlowReturn
drop_at_end (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) pad;
  (void) parent;
  gst_buffer_unref (buffer);
  return GST_FLOW_EOS;
}

void
harness_end_stream (GstHarness *h)
{
  gst_pad_set_chain_function (h->sinkpad, drop_at_end);
}

void
harness_push (GstHarness *h, GstBuffer *buffer)
{
  const GstFlowReturn flow = gst_harness_push (h, buffer);

  if (flow != GST_FLOW_OK)
    fail_for_error (h->element);
  fail_unless_equals_string (
      gst_flow_get_name (flow), gst_flow_get_name (GST_FLOW_OK));
}

GstBuffer *
harness_run (GstHarness *h, GstBuffer *buffer)
{
  GstBuffer *out;

  harness_push (h, buffer);
  if (gst_harness_buffers_in_queue (h) == 0)
    harness_drain (h);
  out = gst_harness_try_pull (h);
  if (out == NULL)
    fail_for_error (h->element);
  fail_unless (out != NULL, "no buffer comes out");
  return out;
}

void
harness_pass (GstHarness *h, GstBuffer *buffer)
{
  gst_buffer_unref (harness_run (h, buffer));
}

void
harness_change (GstHarness *h, Picture *picture, guint n)
{
  GstBuffer *out = harness_run (h, picture_wrap_nth (picture, n));

  picture_read (picture, out);
  gst_buffer_unref (out);
}

void
harness_check (GstHarness *h, GstBuffer *buffer, const Picture *picture,
    const gchar *names, const Picture *expected)
{
  g_autoptr (GstBuffer) out = harness_run (h, buffer);

  if (names != NULL)
    assert_histograms (out, picture, names);
  if (expected != NULL)
    assert_pixels (out, expected);
}

void
harness_fail (GstHarness *h, GstBuffer *buffer, gint code, const gchar *part)
{
  g_autoptr (GError) error = NULL;

  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  error = bus_pop_error (h->element, NULL);
  assert_error (error, GST_RESOURCE_ERROR, code, part);
}

static gboolean
is_named (cl_device_id device, const gchar *name)
{
  gchar found[1024] = "";

  clGetDeviceInfo (device, CL_DEVICE_NAME, sizeof found - 1, found, NULL);
  return g_str_equal (g_strstrip (found), name);
}

static gboolean
has_own_memory (cl_device_id device)
{
  cl_device_type type = 0;
  cl_bool is_unified = CL_FALSE;

  clGetDeviceInfo (device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  clGetDeviceInfo (device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof is_unified,
      &is_unified, NULL);
  return !(type & CL_DEVICE_TYPE_CPU) && !is_unified;
}

gboolean
harness_pins_memory (GstHarness *h)
{
  g_autofree gchar *name = element_device_name (h->element);
  cl_platform_id platforms[16];
  cl_uint n_platforms = 0;

  clGetPlatformIDs (G_N_ELEMENTS (platforms), platforms, &n_platforms);
  for (guint p = 0; p < MIN (n_platforms, G_N_ELEMENTS (platforms)); p++) {
    cl_device_id devices[16];
    cl_uint n = 0;

    clGetDeviceIDs (
        platforms[p], CL_DEVICE_TYPE_ALL, G_N_ELEMENTS (devices), devices, &n);
    for (guint d = 0; d < MIN (n, G_N_ELEMENTS (devices)); d++)
      if (is_named (devices[d], name))
        return has_own_memory (devices[d]);
  }
  fail ("there is no device named %s", name);
  return FALSE;
}

const GstStructure *
buffer_structure (GstBuffer *buffer)
{
  GstCustomMeta *meta = gst_buffer_get_custom_meta (buffer, META_NAME);

  fail_unless (meta != NULL);
  return gst_custom_meta_get_structure (meta);
}

const GstStructure *
structure_field (const GstStructure *structure, const gchar *field)
{
  const GValue *value = gst_structure_get_value (structure, field);

  return value != NULL ? gst_value_get_structure (value) : NULL;
}

gdouble
structure_number (const GstStructure *structure, const gchar *field)
{
  g_auto (GValue) number = G_VALUE_INIT;
  const GValue *value = gst_structure_get_value (structure, field);

  fail_unless (value != NULL, "no %s", field);
  g_value_init (&number, G_TYPE_DOUBLE);
  fail_unless (g_value_transform (value, &number));
  return g_value_get_double (&number);
}

const GstStructure *
buffer_histogram (GstBuffer *buffer, const gchar *channel)
{
  return structure_field (buffer_structure (buffer), channel);
}

const GstStructure *
buffer_region (GstBuffer *buffer, guint i)
{
  const GValue *regions =
      gst_structure_get_value (buffer_structure (buffer), "regions");

  fail_unless (regions != NULL && GST_VALUE_HOLDS_ARRAY (regions));
  return gst_value_get_structure (gst_value_array_get_value (regions, i));
}

guint
buffer_n_metas (GstBuffer *buffer)
{
  gpointer state = NULL;
  GstMeta *meta;
  guint n = 0;

  while ((meta = gst_buffer_iterate_meta (buffer, &state)) != NULL)
    n += gst_meta_info_is_custom (meta->info)
        && gst_custom_meta_has_name ((GstCustomMeta *) meta, META_NAME);
  return n;
}

void
structure_bins (const GstStructure *histogram, guint32 bins[258])
{
  const GValue *value = gst_structure_get_value (histogram, "bins");
  gconstpointer data;
  gsize size;

  fail_unless (value != NULL);
  if (GST_VALUE_HOLDS_ARRAY (value)) {
    fail_unless_equals_int (gst_value_array_get_size (value), 256);
    for (guint v = 0; v < 256; v++)
      bins[v] = g_value_get_uint (gst_value_array_get_value (value, v));
    bins[256] = bins[257] = 0;
    return;
  }
  fail_unless (G_VALUE_HOLDS (value, G_TYPE_BYTES));
  data = g_bytes_get_data (g_value_get_boxed (value), &size);
  fail_unless_equals_int (size, 258 * sizeof *bins);
  memcpy (bins, data, size);
}

void
buffer_bins (GstBuffer *buffer, const gchar *channel, guint32 bins[258])
{
  structure_bins (buffer_histogram (buffer, channel), bins);
}

static void
assert_bins (const GstStructure *histogram, const gchar *channel,
    const guint32 expected[256])
{
  guint32 bins[258];

  fail_unless (histogram != NULL, "no histogram of %s", channel);
  structure_bins (histogram, bins);
  for (guint v = 0; v < 258; v++)
    fail_unless (bins[v] == (v < 256 ? expected[v] : 0),
        "%s, word %u is %u, not %u", channel, v, bins[v],
        v < 256 ? expected[v] : 0);
}

void
assert_channels (
    const GstStructure *structure, const Picture *picture, const gchar *names)
{
  g_auto (GStrv) wanted = g_strsplit (names, " ", -1);
  guint32 bins[256];

  for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    const gchar *name = amphisto_channel_name (c);
    const GstStructure *histogram = structure_field (structure, name);

    if (g_strv_contains ((const gchar *const *) wanted, name)
        && picture_count (picture, name, bins))
      assert_bins (histogram, name, bins);
    else
      fail_unless (histogram == NULL, "unwanted histogram of %s", name);
  }
}

void
assert_histograms (
    GstBuffer *buffer, const Picture *picture, const gchar *names)
{
  assert_channels (buffer_structure (buffer), picture, names);
}
