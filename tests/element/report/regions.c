/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The element's own region, and regions of interest.
 */

#include "harnesses.h"
#include "names.h"

/* Regions of a picture of 33x17; width or height 0: to the edge. */
static const struct
{
  guint x, y, width, height;
} regions[] = { { 0, 0, 0, 0 }, { 3, 5, 0, 0 }, { 7, 3, 18, 9 },
  { 8, 4, 16, 8 }, { 32, 16, 1, 1 }, { 1, 0, 1, 17 },
  { 30, 15, 99, G_MAXINT } };

#define N_REGIONS G_N_ELEMENTS (regions)

static void
set_region (GstHarness *h, guint i)
{
  g_object_set (h->element, "roi-x", regions[i].x, "roi-y", regions[i].y,
      "roi-width", regions[i].width, "roi-height", regions[i].height, NULL);
}

static guint
extent (guint first, guint n, guint size)
{
  return n == 0 ? size - first : MIN (n, size - first);
}

static void
set_part (Picture *picture, guint i)
{
  picture_set_part (picture, regions[i].x, regions[i].y,
      extent (regions[i].x, regions[i].width, picture->width),
      extent (regions[i].y, regions[i].height, picture->height));
}

static Picture *
picture_nth (guint format, guint i)
{
  return picture_new (picture_formats[format].name, 33, 17,
      i % PICTURE_N_SHAPES, 30 + i, 150 - i, i + 1);
}

/* The region moves from frame to frame. */
TEST (test_measured)
{
  g_autoptr (Harness) h =
      harness_new ("channels", CHANNELS_ALL, "verify", TRUE, NULL);

  for (guint i = 0; i < N_REGIONS; i++) {
    g_autoptr (Picture) picture = picture_nth (__i__, i);

    set_region (h, i);
    set_part (picture, i);
    harness_set_caps (h, picture);
    harness_check (h, picture_wrap (picture), picture, ALL_NAMES, NULL);
  }
}

/* With a graticule, the region has a white outline under the scope. */
TEST (test_outline)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 200, 130, PICTURE_TIGHT, 16, 200, 1);
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (Harness) h = harness_new_for (picture, "verify", TRUE, "scopes", 1,
      "roi-x", 21, "roi-y", 13, "roi-width", 150, "roi-height", 102, NULL);

  harness_change (h, picture, 0);
  for (guint y = 0; y < 130; y++)
    for (guint x = 0; x < 200; x++) {
      const gboolean is_in_region = x >= 21 && x < 171 && y >= 13 && y < 115;
      const gboolean is_inside = x > 21 && x < 170 && y > 13 && y < 114;

      if (x >= 104 && y >= 80 && y < 128)
        continue;
      fail_unless_equals_int (picture_row (picture, 0, y)[x],
          is_in_region && !is_inside ? 235 : picture_row (before, 0, y)[x]);
    }
}

/* --- which samples may change --- */

typedef struct
{
  guint x, y, end_x, end_y;
} Area;

static gboolean
is_in (const Area *area, guint x, guint y)
{
  return x >= area->x && x < area->end_x && y >= area->y && y < area->end_y;
}

/* Whether all pixels that use component c's sample of pixel (x, y) are in the
 * area. */
static gboolean
has_sample_alone (const GstVideoFormatInfo *format, guint c,
    const Picture *picture, const Area *area, guint x, guint y)
{
  const guint shift_x = GST_VIDEO_FORMAT_INFO_W_SUB (format, c);
  const guint shift_y = GST_VIDEO_FORMAT_INFO_H_SUB (format, c);

  for (guint j = y >> shift_y << shift_y;
       j >> shift_y == y >> shift_y && j < picture->height; j++)
    for (guint i = x >> shift_x << shift_x;
         i >> shift_x == x >> shift_x && i < picture->width; i++)
      if (!is_in (area, i, j))
        return FALSE;
  return TRUE;
}

/* Whether the pixel is drawn into: all its samples belong to the area alone. */
static gboolean
is_drawn (const GstVideoFormatInfo *format, const Picture *picture,
    const Area *area, guint x, guint y)
{
  for (guint c = 0; c < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (format); c++)
    if (!has_sample_alone (format, c, picture, area, x, y))
      return FALSE;
  return TRUE;
}

/* Scopes are drawn into alpha, zebra and false colour are not; zebra is not
 * drawn into chroma. */
static gboolean
is_component_drawn (const GstVideoFormatInfo *format, guint c, guint exposure)
{
  if (c == GST_VIDEO_COMP_A)
    return exposure == 0;
  return c == GST_VIDEO_COMP_Y || exposure != ZEBRA
      || GST_VIDEO_FORMAT_INFO_IS_RGB (format);
}

/* Samples of the drawn pixels differ from `before`, all of them if `is_full`,
 * and no others differ. `exposure`: 0 for scopes. */
static void
assert_drawn (const Picture *before, const Picture *after, const Area *area,
    guint exposure, gboolean is_full)
{
  const GstVideoFormatInfo *format = gst_video_format_get_info (
      gst_video_format_from_string (before->format->name));
  guint n_changed = 0;

  for (guint c = 0; c < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (format); c++)
    for (guint y = 0; y < before->height;
         y += 1 << GST_VIDEO_FORMAT_INFO_H_SUB (format, c))
      for (guint x = 0; x < before->width;
           x += 1 << GST_VIDEO_FORMAT_INFO_W_SUB (format, c)) {
        const guint plane = GST_VIDEO_FORMAT_INFO_PLANE (format, c);
        const guint row = y >> GST_VIDEO_FORMAT_INFO_H_SUB (format, c);
        const guint at = GST_VIDEO_FORMAT_INFO_POFFSET (format, c)
            + (x >> GST_VIDEO_FORMAT_INFO_W_SUB (format, c))
                * GST_VIDEO_FORMAT_INFO_PSTRIDE (format, c);
        const gboolean changes = is_component_drawn (format, c, exposure)
            && is_drawn (format, before, area, x, y);
        const gboolean differs = picture_row (before, plane, row)[at]
            != picture_row (after, plane, row)[at];

        n_changed += differs;
        fail_unless (is_full ? differs == changes : differs <= changes,
            "%s %ux%u, from (%u, %u) to (%u, %u), exposure %u: component %u of "
            "pixel (%u, %u) is%s changed",
            before->format->name, before->width, before->height, area->x,
            area->y, area->end_x, area->end_y, exposure, c, x, y,
            differs ? "" : " not");
      }
  fail_unless (is_full || n_changed > 0);
}

/* Sets the region. A region that ends at the right edge gets a width of 0, or
 * one beyond the edge. */
static void
set_area (GstHarness *h, const Picture *picture, const Area *area)
{
  g_object_set (h->element, "roi-x", area->x, "roi-y", area->y, "roi-width",
      area->end_x < picture->width ? area->end_x - area->x
          : area->y & 1            ? 0
                                   : G_MAXINT,
      "roi-height", area->end_y - area->y, NULL);
}

/* Region i of the picture: first, each of the four edges is moved in by 1 to 3
 * pixels; then all are, at random. */
static Area
area_nth (const Picture *picture, guint i, GRand *random)
{
  guint in[4] = { 0 };

  for (guint edge = 0; edge < 4; edge++)
    in[edge] = i >= 12  ? (guint) g_rand_int_range (random, 0, 6)
        : i % 4 == edge ? 1 + i / 4
                        : 0;
  return (
      Area){ in[0], in[1], picture->width - in[2], picture->height - in[3] };
}

static const struct
{
  guint width, height;
} drawn_sizes[] = { { 24, 16 }, { 23, 13 } };

/* Zebra (0), false colour (1) and both (2) draw exactly into the region's
 * pixels that share no chroma sample with others, even if an edge of the region
 * is inside a sample. All bytes are 1, which is dark. */
TEST (test_clipping)
{
  static const guint exposures[] = { ZEBRA, FALSE_COLOR, ZEBRA | FALSE_COLOR };
  g_autoptr (GRand) random = g_rand_new_with_seed (__i__);
  g_autoptr (Harness) h = harness_new ("qos", FALSE, "zebra-low", 10.0, NULL);

  for (guint s = 0; IS_ROW (drawn_sizes, s); s++)
    for (guint i = 0; i < 24; i++) {
      g_autoptr (Picture) picture =
          picture_new (picture_formats[__i__].name, drawn_sizes[s].width,
              drawn_sizes[s].height, i % PICTURE_N_SHAPES, 1, 1, 1);
      g_autoptr (Picture) before = picture_copy (picture);
      const Area area = area_nth (picture, i, random);
      /* grey has no false colour */
      const guint exposure = __i__ == 0 ? ZEBRA : exposures[i / 4 % 3];

      g_object_set (h->element, "exposure", exposure, NULL);
      set_area (h, picture, &area);
      harness_set_caps (h, picture);
      harness_change (h, picture, i);
      assert_drawn (before, picture, &area, exposure, TRUE);
    }
}

/* One format of each subsampling, planar and packed. */
static const gchar *const scope_formats[] = { "GRAY8", "I420", "Y41B", "Y42B",
  "YUV9", "NV12", "YUY2", "AYUV", "RGB", "GBR" };

/* The pixels of a rectangle around all changes of the first component. */
static Area
changed_area (const Picture *before, const Picture *after)
{
  const GstVideoFormatInfo *format = gst_video_format_get_info (
      gst_video_format_from_string (before->format->name));
  const guint plane = GST_VIDEO_FORMAT_INFO_PLANE (format, 0);
  Area area = { G_MAXUINT, G_MAXUINT, 0, 0 };

  for (guint y = 0; y < before->height; y++)
    for (guint x = 0; x < before->width; x++) {
      const guint at = GST_VIDEO_FORMAT_INFO_POFFSET (format, 0)
          + x * GST_VIDEO_FORMAT_INFO_PSTRIDE (format, 0);

      if (picture_row (before, plane, y)[at]
          == picture_row (after, plane, y)[at])
        continue;
      area = (Area){ MIN (area.x, x), MIN (area.y, y), MAX (area.end_x, x + 1),
        MAX (area.end_y, y + 1) };
    }
  return area;
}

/* Scopes, in any corner, draw into the same pixels with every region. */
TEST (test_scopes)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (__i__);
  g_autoptr (Harness) h = harness_new ("qos", FALSE, "channels", CHANNELS_ALL,
      "graticule", FALSE, "scope-opacity", 1.0, NULL);

  for (guint i = 0; i < 6; i++) {
    g_autoptr (Picture) before = picture_new (
        scope_formats[__i__], 133, 67, i % PICTURE_N_SHAPES, 100, 200, i);
    g_autoptr (Picture) whole = picture_copy (before);
    g_autoptr (Picture) picture = picture_copy (before);
    const Area area = area_nth (picture, i + 9, random);
    const Area everything = { 0, 0, 133, 67 };
    Area changed;

    /* histogram, waveform, and, except for grey, vectorscope */
    g_object_set (h->element, "scopes", 1 << i % (__i__ == 0 ? 2 : 3),
        "scope-position", i % 4, "scope-width", i & 1 ? 1.0 : 0.3,
        "scope-height", i & 2 ? 1.0 : 0.3, NULL);
    harness_set_caps (h, picture);
    set_area (h, picture, &everything);
    harness_change (h, whole, i);
    changed = changed_area (before, whole);
    set_area (h, picture, &area);
    harness_change (h, picture, i);
    assert_drawn (before, picture, &changed, 0, FALSE);
  }
}

static void
assert_empty (const GstStructure *histogram)
{
  fail_unless_equals_float (structure_number (histogram, "samples"), 0);
}

/* A region outside the frame has no samples, and nothing changes. */
TEST (test_outside)
{
  g_autoptr (Picture) picture = picture_small ("RGBA");
  g_autoptr (Picture) before = picture_copy (picture);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h = harness_new_for (picture, "verify", TRUE,
      "equalization", AMPHISTO_EQUALIZATION_GLOBAL, "scopes", 1, "exposure", 3,
      "roi-x", 16, "channels", CHANNELS_ALL, NULL);

  out = harness_run (h, picture_wrap (picture));
  assert_pixels (out, before);
  assert_empty (buffer_histogram (out, "red"));
  assert_refused (h->element, "from (16, 0) on is outside the frame of 16x8");
}

/* --- regions of interest --- */

static const GValue *
get_regions (GstBuffer *buffer)
{
  const GValue *value =
      gst_structure_get_value (buffer_structure (buffer), "regions");

  fail_unless (value == NULL || GST_VALUE_HOLDS_ARRAY (value));
  return value;
}

static const GstStructure *
get_region (GstBuffer *buffer, guint i)
{
  const GstStructure *region = buffer_region (buffer, i);

  fail_unless (gst_structure_has_name (region, "region"));
  return region;
}

static void
add_region (GstBuffer *buffer, gint id, const gchar *type, guint i)
{
  GstVideoRegionOfInterestMeta *meta =
      gst_buffer_add_video_region_of_interest_meta (buffer, type, regions[i].x,
          regions[i].y, regions[i].width, regions[i].height);

  fail_unless (meta != NULL);
  meta->id = id;
}

static void
assert_region (const GstStructure *region, gint id, const gchar *type, guint i)
{
  static const gchar *const fields[] = { "id", "x", "y", "w", "h" };
  const gdouble expected[] = { id, regions[i].x, regions[i].y, regions[i].width,
    regions[i].height };

  for (guint f = 0; IS_ROW (fields, f); f++)
    fail_unless_equals_float (
        structure_number (region, fields[f]), expected[f]);
  fail_unless_equals_string (
      gst_structure_get_string (region, "roi-type"), type);
}

/* Regions of interest besides the element's own region. The first one is empty.
 */
TEST (test_regions)
{
  g_autoptr (Picture) picture = picture_nth (__i__, 3);
  g_autoptr (Picture) before = picture_copy (picture);
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h =
      harness_new_for (picture, "channels", CHANNELS_ALL, "roi-meta", TRUE,
          "verify", TRUE, "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);

  set_region (h, 2);
  for (guint i = 0; i < N_REGIONS; i++)
    add_region (buffer, 100 - i, i & 1 ? "face" : "car", i);
  out = harness_run (h, buffer);
  fail_unless_equals_int (
      gst_value_array_get_size (get_regions (out)), N_REGIONS);
  for (guint i = 0; i < N_REGIONS; i++) {
    const GstStructure *region = get_region (out, i);

    assert_region (region, 100 - i, i & 1 ? "face" : "car", i);
    if (regions[i].width == 0)
      continue;
    set_part (before, i);
    assert_channels (region, before, ALL_NAMES);
  }
  assert_empty (structure_field (get_region (out, 0), "luma"));
  set_part (before, 2);
  assert_histograms (out, before, ALL_NAMES);
}

/* Types may be any bytes, and missing. GStreamer refuses a structure's strings
 * that are not valid UTF-8. */
TEST (test_types)
{
  static const struct
  {
    const gchar *type, *shown;
  } types[] = { { "Stra\337e", "Stra\357\277\275e" },
    { "Gr\303\274n", "Gr\303\274n" }, { NULL, NULL } };
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, "roi-meta", TRUE, NULL);
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    add_region (buffer, i, types[i].type, 1);
  out = harness_run (h, buffer);
  for (guint i = 0; IS_ROW (types, i); i++)
    assert_region (get_region (out, i), i, types[i].shown, 1);
}

/* The first 1024 regions are measured, in their order. */
static void
check_limit (GstHarness *h, Picture *picture, guint n)
{
  g_autoptr (GstBuffer) out =
      harness_run (h, picture_wrap_regions (picture, n));

  fail_unless_equals_int (gst_value_array_get_size (get_regions (out)), 1024);
  for (guint i = 0; i < 1024; i++) {
    const GstStructure *region = get_region (out, i);

    fail_unless_equals_float (structure_number (region, "id"), i);
    picture_set_part (picture, i % 16, i / 16 % 8, 1, 1);
    assert_channels (region, picture, "luma");
  }
}

/* A warning is posted once, and again after new caps. */
TEST (test_too_many)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, "roi-meta", TRUE, NULL);

  check_limit (h, picture, 1024);
  assert_not_warned (h->element);
  for (guint i = 0; i < 2; i++) {
    check_limit (h, picture, 1025);
    assert_refused (h->element, "1025 regions of interest; the first 1024");
    check_limit (h, picture, 1024);
    check_limit (h, picture, 1030);
    assert_not_warned (h->element);
    harness_set_colorimetry (h, picture, i == 0 ? "1:4:0:0" : "bt709");
  }

  /* they are not measured */
  g_object_set (h->element, "roi-meta", FALSE, NULL);
  harness_pass (h, picture_wrap_regions (picture, 1025));
  assert_not_warned (h->element);
}

/* Without roi-meta (0), regions are not measured. A frame without regions gets
 * an empty list (1). */
TEST (test_none)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  GstBuffer *buffer = picture_wrap (picture);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (Harness) h = harness_new_for (picture, "roi-meta", __i__, NULL);

  if (__i__ == 0)
    add_region (buffer, 1, "face", 1);
  out = harness_run (h, buffer);
  if (__i__ == 0)
    fail_unless (get_regions (out) == NULL);
  else
    fail_unless_equals_int (gst_value_array_get_size (get_regions (out)), 0);
}

const ElementTest element_tests[] = { FORMATS (test_measured),
  ONCE (test_outline), FORMATS (test_clipping),
  EACH (test_scopes, scope_formats), ONCE (test_outside),
  FORMATS (test_regions), ONCE (test_types), ONCE (test_too_many),
  TIMES (test_none, 2), { 0 } };
