/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The metadata: its fields, the frame that it describes, and its effect on
 * other elements' metadata.
 */

#include "harnesses.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct
{
  const gchar *format;
  guint channels;
  const gchar *names;
} selections[] = {
  { "GRAY8", CHANNELS_LUMA, "luma" },
  { "GRAY8", CHANNELS_CHROMA, "" },
  { "GRAY8", CHANNELS_RGB, "" },
  { "GRAY8", CHANNELS_ALPHA, "" },
  { "GRAY8", CHANNELS_ALL, "luma" },
  { "GRAY8", 0, "" },
  { "I420", CHANNELS_LUMA, "luma" },
  { "I420", CHANNELS_CHROMA, "u v" },
  { "I420", CHANNELS_RGB, "red green blue" },
  { "I420", CHANNELS_ALPHA, "" },
  { "I420", CHANNELS_ALL, "luma u v red green blue saturation" },
  { "A420", CHANNELS_CHROMA | CHANNELS_ALPHA, "u v alpha" },
  { "VUYA", CHANNELS_ALL, "luma u v red green blue alpha saturation" },
  { "RGBA", CHANNELS_LUMA, "luma" },
  { "RGBA", CHANNELS_CHROMA, "" },
  { "RGBA", CHANNELS_RGB, "red green blue" },
  { "RGBA", CHANNELS_ALPHA, "alpha" },
  { "RGBA", CHANNELS_LUMA | CHANNELS_ALPHA, "luma alpha" },
  { "RGBA", CHANNELS_ALL, "luma red green blue alpha saturation" },
  { "RGBx", CHANNELS_RGB | CHANNELS_ALPHA, "red green blue" },
  { "RGBA", 0, "" },
};

static void
assert_frame_fields (GstBuffer *buffer, const Picture *picture, guint n_names)
{
  const GstStructure *structure = buffer_structure (buffer);

  fail_unless_equals_string (
      gst_structure_get_string (structure, "format"), picture->format->name);
  fail_unless (gst_structure_has_field_typed (structure, "width", G_TYPE_INT));
  fail_unless (gst_structure_has_field_typed (structure, "height", G_TYPE_INT));
  fail_unless_equals_float (
      structure_number (structure, "width"), picture->width);
  fail_unless_equals_float (
      structure_number (structure, "height"), picture->height);
  fail_unless_equals_int (
      gst_structure_n_fields (structure), (gint) (3 + n_names));
}

TEST (test_channels)
{
  const gchar *names = selections[__i__].names;
  g_auto (GStrv) wanted = g_strsplit (names, " ", -1);
  g_autoptr (Picture) picture = picture_new (
      selections[__i__].format, 33, 17, PICTURE_ODD, 0, 255, __i__);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h =
      harness_new_for (picture, "channels", selections[__i__].channels, NULL);

  out = harness_run (h, picture_wrap (picture));
  fail_unless_equals_int (buffer_n_metas (out), 1);
  assert_frame_fields (out, picture, g_strv_length (wanted));
  assert_histograms (out, picture, names);
  if (selections[__i__].channels != 0 && *names == '\0')
    assert_refused (h->element, "has none of the channels");
}

static void
assert_statistics (const GstStructure *histogram, guint64 samples, guint min,
    guint max, guint median, gdouble mean, gdouble stddev, gdouble entropy)
{
  fail_unless_equals_string (gst_structure_get_name (histogram), "histogram");
  fail_unless_equals_int (gst_structure_n_fields (histogram), 11);
  fail_unless (gst_structure_has_field_typed (histogram, "bins", G_TYPE_BYTES));
  fail_unless_equals_float (structure_number (histogram, "samples"), samples);
  fail_unless_equals_float (structure_number (histogram, "min"), min);
  fail_unless_equals_float (structure_number (histogram, "max"), max);
  fail_unless_equals_float (structure_number (histogram, "median"), median);
  fail_unless_equals_float (structure_number (histogram, "mean"), mean);
  fail_unless_equals_float (structure_number (histogram, "stddev"), stddev);
  fail_unless_equals_float (structure_number (histogram, "entropy"), entropy);
}

static void
assert_exposure (const GstStructure *histogram, gdouble low, gdouble high,
    const guint *percentiles, guint n)
{
  const GValue *array = gst_structure_get_value (histogram, "percentiles");

  fail_unless_equals_float (structure_number (histogram, "clipped-low"), low);
  fail_unless_equals_float (structure_number (histogram, "clipped-high"), high);
  fail_unless (array != NULL && GST_VALUE_HOLDS_ARRAY (array));
  fail_unless_equals_int (gst_value_array_get_size (array), n);
  for (guint i = 0; i < n; i++)
    fail_unless_equals_int (
        g_value_get_uint (gst_value_array_get_value (array, i)),
        percentiles[i]);
}

/* 128 luma samples: 8 at 15, 24 at 16, 64 at 100, 31 at 235, 1 at 255. U is
 * 240, the end of chroma's range, but not of luma's; V is 239. */
static Picture *
exposure_picture (void)
{
  Picture *picture = picture_small ("I420");
  guint8 *luma = picture_row (picture, 0, 0);

  memset (luma, 15, 8);
  memset (luma + 8, 16, 24);
  memset (luma + 32, 100, 64);
  memset (luma + 96, 235, 31);
  luma[127] = 255;
  picture_fill (picture, "u", 240);
  picture_fill (picture, "v", 239);
  return picture;
}

/* The default percentiles, others while playing, and none at all. */
TEST (test_exposure)
{
  static const guint ends[] = { 255, 15 };
  static const guint of_luma[] = { 15, 15, 16, 100, 235, 235 };
  static const guint of_u[] = { 240, 240, 240, 240, 240, 240 };
  g_autoptr (Picture) picture = exposure_picture ();
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h = harness_new_for (
      picture, "channels", CHANNELS_LUMA | CHANNELS_CHROMA, NULL);

  out = harness_run (h, picture_wrap (picture));
  assert_exposure (buffer_histogram (out, "luma"), 0.25, 0.25, of_luma, 6);
  assert_exposure (buffer_histogram (out, "u"), 0, 1, of_u, 6);
  fail_unless_equals_float (
      structure_number (buffer_histogram (out, "v"), "clipped-high"), 0);
  for (gint n = 2; n >= 0; n -= 2) {
    g_autoptr (GstBuffer) next = NULL;

    element_set_properties (
        h->element, n > 0 ? "percentiles=<100,0>" : "percentiles=<>");
    next = harness_run (h, picture_wrap (picture));
    assert_exposure (buffer_histogram (next, "luma"), 0.25, 0.25, ends, n);
  }
}

/* Numbers that can be computed by hand and that floats represent exactly. */
TEST (test_statistics)
{
  g_autoptr (Picture) picture = picture_small ("I420");
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h = harness_new_for (
      picture, "channels", CHANNELS_LUMA | CHANNELS_CHROMA, NULL);

  picture_fill (picture, "luma", 255);
  memset (picture_row (picture, 0, 0), 0, 4 * 16);
  picture_fill (picture, "u", 7);
  picture_fill (picture, "v", 10);
  memset (picture_row (picture, 2, 0), 2, 8);
  out = harness_run (h, picture_wrap (picture));
  assert_statistics (
      buffer_histogram (out, "luma"), 128, 0, 255, 0, 127.5, 127.5, 1.0);
  assert_statistics (buffer_histogram (out, "u"), 32, 7, 7, 7, 7.0, 0.0, 0.0);
  assert_statistics (buffer_histogram (out, "v"), 32, 2, 10, 10, 8.0,
      sqrt (12.0), 2.0 - 0.75 * log2 (3.0));
}

#define FIRST "amphisto channels=luma+rgb equalization=global ! "
#define ONE "amphisto channels=luma+chroma ! "

/* Elements, and the histograms behind them, perhaps of the equalized picture.
 */
static const struct
{
  const gchar *launch, *format, *names;
  gboolean is_equalized;
} lines[] = {
  /* the second amphisto replaces all of the first one's metadata, including
   * channels that it does not measure */
  { FIRST "amphisto channels=alpha", "RGBA", "alpha", FALSE },
  { FIRST "amphisto channels=alpha equalization=global", "RGBA", "alpha",
      FALSE },
  { FIRST "tee name=t ! queue ! amphisto channels=alpha", "RGBA", "alpha",
      FALSE },
  /* it measures the output of the first */
  { "amphisto equalization=global ! amphisto", "GRAY8", "luma", TRUE },
  /* metadata survives other elements */
  { ONE "queue", "I420", "luma u v", FALSE },
  { ONE "tee ! queue", "I420", "luma u v", FALSE },
  { ONE "identity", "I420", "luma u v", FALSE },
  { ONE "videoconvert ! capsfilter caps=video/x-raw,format=RGBx", "I420",
      "luma u v", FALSE },
  { ONE "videoscale ! capsfilter caps=video/x-raw,width=33", "I420", "luma u v",
      FALSE },
  { FIRST "videoconvert ! video/x-raw,format=RGBA ! amphisto channels=alpha",
      "A420", "alpha", FALSE },
  { ONE "identity sleep-time=0 drop-probability=0 ! queue ! identity", "I420",
      "luma u v", FALSE },
};

/* The metadata also survives both kinds of copies. */
TEST (test_launch)
{
  g_autoptr (Picture) picture = picture_small (lines[__i__].format);
  g_autoptr (Picture) expected = lines[__i__].is_equalized
      ? picture_equalized (picture)
      : picture_copy (picture);
  GstHarness *h = gst_harness_new_parse (lines[__i__].launch);
  g_autoptr (GstBuffer) out = NULL, copy = NULL, deep = NULL;

  gst_harness_play (h);
  harness_set_caps (h, picture);
  harness_push (h, picture_wrap (picture));
  out = gst_harness_pull (h);
  gst_harness_teardown (h);
  fail_unless_equals_int (buffer_n_metas (out), 1);
  copy = gst_buffer_copy (out);
  deep = gst_buffer_copy_deep (out);
  gst_clear_buffer (&out);
  assert_histograms (copy, expected, lines[__i__].names);
  assert_histograms (deep, expected, lines[__i__].names);
}

/* The structure survives conversion to text and back, as unixfdsink and
 * unixfdsrc send it to another process. */
static void
assert_survives_text (const GstStructure *structure)
{
  g_autofree gchar *text = gst_structure_to_string (structure);
  g_autoptr (GstStructure) back = gst_structure_from_string (text, NULL);

  fail_unless (back != NULL, "can't be read: %s", text);
  fail_unless (
      gst_structure_is_equal (structure, back), "is read otherwise: %s", text);
}

/* Regions inside the frame, across its edge and outside; their types need
 * quotes, look like other types, or are missing. */
static void
add_regions (GstBuffer *buffer)
{
  static const gchar *const types[] = { "face", "", "NULL",
    "a \"b\", {c}; <d>\\", "(int)1", "\303\251t\303\251" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    gst_buffer_add_video_region_of_interest_meta (
        buffer, types[i], 9 * i, 5 * i, 1 + 2 * i, 1 + i)
        ->id = (gint) i - 1;
  gst_buffer_add_video_region_of_interest_meta_id (
      buffer, 0, 0, 0, G_MAXUINT, G_MAXUINT);
}

static void
assert_frame_survives_text (
    GstHarness *h, guint format, guint8 lo, guint8 hi, gboolean has_regions)
{
  const gchar *name = picture_formats[format].name;
  g_autoptr (Picture) picture =
      picture_new (name, 33, 17, PICTURE_TIGHT, lo, hi, format);
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;

  if (has_regions)
    add_regions (buffer);
  harness_set_caps (h, picture);
  out = harness_run (h, buffer);
  assert_survives_text (buffer_structure (out));
}

/* Channels of every kind, for noise, whose statistics are not round numbers,
 * and for one value: without regions (0), with some (1), and with empty arrays
 * of regions and percentiles (2). */
TEST (test_text)
{
  g_autoptr (Harness) h =
      harness_new ("channels", CHANNELS_ALL, "roi-meta", __i__ > 0, NULL);

  if (__i__ == 2)
    element_set_properties (h->element, "percentiles=<>");
  for (guint f = 0; f < PICTURE_N_FORMATS; f++) {
    assert_frame_survives_text (h, f, 0, 255, __i__ == 1);
    assert_frame_survives_text (h, f, 70, 70, __i__ == 1);
  }
}

/* Measuring (0, 2) and equalizing (1, 3) shared buffers (2, 3). */
TEST (test_others)
{
  const gboolean is_shared = __i__ >> 1;
  g_autoptr (Picture) picture = picture_small ("NV12");
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) other = NULL, out = NULL;
  g_autoptr (Harness) h =
      harness_new_for (picture, "equalization", __i__ & 1, NULL);
  const GstVideoRegionOfInterestMeta *roi;

  buffer_add_metas (buffer);
  if (is_shared)
    other = gst_buffer_ref (buffer);
  out = harness_run (h, buffer);
  assert_metas (out);
  roi = gst_buffer_get_video_region_of_interest_meta_id (out, 0);
  fail_unless (roi != NULL);
  fail_unless_equals_string (g_quark_to_string (roi->roi_type), "face");
  fail_unless_equals_int (roi->w, 3);
  fail_unless (gst_buffer_get_meta (out, GST_VIDEO_AFD_META_API_TYPE) != NULL);
  fail_unless_equals_int (buffer_n_metas (out), 1);
}

/* The GstVideoMeta of a new buffer describes its own planes, not the input's.
 * Its times, offset and flags are the input's. */
TEST (test_new_buffer)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 17, 9, PICTURE_PADDED, 30, 90, 3);
  g_autoptr (Picture) expected = picture_equalized (picture);
  g_autoptr (GstBuffer) buffer = picture_wrap_nth (picture, 3);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h = harness_new_for (
      picture, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  const GstVideoMeta *meta;

  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_MARKER);
  GST_BUFFER_OFFSET (buffer) = 3;
  out = harness_run (h, gst_buffer_ref (buffer));
  fail_unless (out != buffer);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (out), 120 * GST_MSECOND);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (out), 40 * GST_MSECOND);
  fail_unless_equals_uint64 (GST_BUFFER_OFFSET (out), 3);
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_MARKER));
  meta = gst_buffer_get_video_meta (out);
  fail_unless (meta != NULL);
  fail_unless_equals_int (meta->width, 17);
  fail_unless_equals_int (meta->height, 9);
  for (guint p = 0; p < 3; p++)
    fail_unless (meta->offset[p]
            + (gsize) meta->stride[p] * (picture->rows[p] - 1)
            + picture->row_bytes[p]
        <= gst_buffer_get_size (out));
  assert_pixels (out, expected);
}

/* Elements drop metadata with tags when they change what these name. */
TEST (test_tags)
{
  G_GNUC_UNUSED g_autoptr (TestElement) element = element_new (NULL, NULL);
  const GstMetaInfo *info = gst_meta_get_info (META_NAME);

  fail_unless (info != NULL);
  fail_unless (gst_meta_info_is_custom (info));
  fail_unless (gst_meta_api_type_get_tags (info->api) == NULL);
}

static gboolean
init_other (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  (void) meta;
  (void) params;
  (void) buffer;
  return TRUE;
}

/* In a process in which the name belongs to a different metadata. */
static gboolean
is_loaded_all_the_same (void)
{
  const gchar *tags[] = { NULL };
  const GType api = gst_meta_api_type_register ("OtherMetaAPI", tags);

  if (gst_meta_register (
          api, META_NAME, sizeof (GstMeta), init_other, NULL, NULL)
      == NULL)
    return TRUE;
  return gst_element_factory_make ("amphisto", NULL) != NULL;
}

/* Then the plugin does not load. This needs a separate process, since nothing
 * can be registered twice. */
TEST (test_name_is_taken)
{
  pid_t child;
  int status = 1;

  if (gst_meta_get_info (META_NAME) != NULL) {
    g_printerr ("The plugin was loaded to make the registry.\n");
    return;
  }
  child = fork ();
  if (child == 0)
    _exit (is_loaded_all_the_same ());
  fail_unless_equals_int (waitpid (child, &status, 0), child);
  fail_unless (WIFEXITED (status));
  fail_unless_equals_int (WEXITSTATUS (status), 0);
}

const ElementTest element_tests[] = { ONCE (test_name_is_taken),
  ONCE (test_tags), EACH (test_channels, selections), ONCE (test_statistics),
  ONCE (test_exposure), EACH (test_launch, lines), TIMES (test_text, 3),
  TIMES (test_others, 4), ONCE (test_new_buffer), { 0 } };
