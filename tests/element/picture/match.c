/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * equalization=match: luma gets the distribution of a reference.
 */

#include "harnesses.h"

#include <string.h>

static void
set_reference (GstHarness *h, GBytes *bytes)
{
  g_object_set (h->element, "reference", bytes, NULL);
}

static GBytes *
get_reference (GstHarness *h)
{
  GBytes *bytes;

  g_object_get (h->element, "reference", &bytes, NULL);
  return bytes;
}

/* Luma is a ramp of 64 values from `from` on; chroma must not change. */
static Picture *
ramp_new (guint from)
{
  Picture *picture = picture_small ("I420");
  guint8 *luma = picture_row (picture, 0, 0);

  for (guint i = 0; i < 128; i++)
    luma[i] = from + i / 2;
  picture_fill (picture, "u", 90);
  picture_fill (picture, "v", 160);
  return picture;
}

/* A copy of `picture` becomes `expected`. */
static void
assert_matched (GstHarness *h, const Picture *picture, const Picture *expected)
{
  g_autoptr (Picture) copy = picture_copy (picture);

  harness_check (h, picture_wrap (copy), NULL, NULL, expected);
}

/* The luma bins in the metadata of the picture's frame. */
static GBytes *
measure (GstHarness *h, const Picture *picture)
{
  g_autoptr (Picture) copy = picture_copy (picture);
  g_autoptr (GstBuffer) out = harness_run (h, picture_wrap (copy));
  GBytes *bins = NULL;

  fail_unless (gst_structure_get (
      buffer_histogram (out, "luma"), "bins", G_TYPE_BYTES, &bins, NULL));
  return bins;
}

/* The reference is read as 258 words, with two zeros behind the first 256 words
 * of `expected`; NULL: all are zeros. */
static void
assert_reference (GstHarness *h, GBytes *expected)
{
  g_autoptr (GBytes) got = get_reference (h);
  guint32 words[258] = { 0 };

  if (expected != NULL)
    memcpy (words, g_bytes_get_data (expected, NULL), 256 * 4);
  fail_unless_equals_int (g_bytes_get_size (got), sizeof words);
  fail_unless (memcmp (g_bytes_get_data (got, NULL), words, sizeof words) == 0);
}

/* NULL (0), and zeros, as the reference is read without one (1), or 256 of them
 * (2), unset it without a warning. */
TEST (test_unset)
{
  static const guint32 zeros[258];
  g_autoptr (Picture) dark = ramp_new (20);
  g_autoptr (Picture) bright = ramp_new (150);
  g_autoptr (Harness) h = harness_new_for (bright, NULL, NULL);
  g_autoptr (GBytes) bins = measure (h, bright);
  g_autoptr (GBytes) none = g_bytes_new (zeros, __i__ == 1 ? 258 * 4 : 256 * 4);

  assert_reference (h, NULL);
  g_object_set (h->element, "equalization", AMPHISTO_EQUALIZATION_MATCH, NULL);
  set_reference (h, bins);
  assert_reference (h, bins);
  assert_matched (h, dark, bright);
  set_reference (h, __i__ == 0 ? NULL : none);
  assert_not_warned (h->element);
  assert_reference (h, NULL);
  assert_matched (h, dark, dark);
  assert_refused (h->element, "equalization=match has no reference");
}

/* The bins in the metadata can be set as the reference, which uses their first
 * 256 words: the others are neither matched nor counted, which would be too
 * many samples. A frame does not change with its own bins. With the bins of
 * another ramp, a ramp becomes the other one. */
TEST (test_metadata)
{
  g_autoptr (Picture) dark = ramp_new (20);
  g_autoptr (Picture) bright = ramp_new (150);
  g_autoptr (Harness) h = harness_new_for (bright, "verify", TRUE, NULL);
  g_autoptr (GBytes) measured = measure (h, bright);
  g_autoptr (GBytes) bins = g_bytes_new_from_bytes (measured, 0, 256 * 4);
  g_autoptr (GBytes) words = NULL;
  guint32 numbers[258];

  memset (numbers, 0xff, sizeof numbers);
  memcpy (numbers, g_bytes_get_data (bins, NULL), 256 * 4);
  words = g_bytes_new (numbers, sizeof numbers);
  g_object_set (h->element, "equalization", AMPHISTO_EQUALIZATION_MATCH, NULL);
  set_reference (h, words);
  assert_reference (h, bins);
  assert_matched (h, bright, bright);
  assert_matched (h, dark, bright);

  g_object_set (h->element, "strength", 0.0f, NULL);
  assert_matched (h, dark, dark);
}

/* A number of bytes other than 256 or 258 words, or a sum of more than 32 bits
 * is refused with a warning. After that, nothing is matched, not even with the
 * previous reference. */
TEST (test_invalid)
{
  g_autoptr (Picture) picture = ramp_new (20);
  g_autoptr (Picture) bright = ramp_new (150);
  g_autoptr (Harness) h = harness_new_for (picture, NULL, NULL);
  static const struct
  {
    gsize size;
    guint32 bin;
    const gchar *warning;
  } invalid[] = { { 255 * 4, 1, "1020 bytes" }, { 256 * 4 + 2, 1, "1026" },
    { 257 * 4, 1, "1028 bytes" }, { 258 * 4 - 1, 1, "1031" },
    { 300 * 4, 1, "1200" }, { 256 * 8, 1, "dtype=numpy.uint32" },
    { 0, 1, "0 bytes" }, { 256 * 4, G_MAXUINT32, "more than 4294967295" } };
  g_autoptr (GBytes) good = NULL;
  guint32 bins[512];

  good = measure (h, bright);
  g_object_set (h->element, "equalization", AMPHISTO_EQUALIZATION_MATCH, NULL);
  for (guint i = 0; IS_ROW (invalid, i); i++) {
    g_autoptr (GBytes) bytes = NULL;

    set_reference (h, good);
    assert_matched (h, picture, bright);
    for (guint v = 0; v < G_N_ELEMENTS (bins); v++)
      bins[v] = invalid[i].bin;
    bytes = g_bytes_new (bins, invalid[i].size);
    set_reference (h, bytes);
    assert_refused (h->element, invalid[i].warning);
    assert_reference (h, NULL);
    assert_matched (h, picture, picture);
    assert_refused (h->element, "equalization=match has no reference");
  }
}

/* Luma of limited range stays within it, whatever the reference has beyond. */
TEST (test_range)
{
  static const gchar *const formats[] = { "GRAY8", "I420", "BGRx" };
  guint32 bins[256] = { [2] = 1, [253] = 1 };
  g_autoptr (GBytes) reference = g_bytes_new (bins, sizeof bins);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (formats); i++) {
    const gboolean is_limited = i % 2 == 1;
    g_autoptr (Picture) picture = picture_small (formats[i / 2]);
    g_autoptr (Picture) expected = picture_copy (picture);
    const guint n = picture->format->is_rgb ? 3 : 1;
    g_autoptr (Harness) h = harness_new (
        "equalization", AMPHISTO_EQUALIZATION_MATCH, "verify", TRUE, NULL);

    harness_set_colorimetry (h, picture, is_limited ? "2:4:5:1" : "1:4:5:1");
    set_reference (h, reference);
    for (guint c = 0; c < n; c++)
      for (guint p = 0; p < picture->width * picture->height; p++) {
        const PictureComponent *luma = &picture->format->component[c];
        const guint x = p % picture->width, y = p / picture->width;
        const gboolean is_bright = (x + y) % 2 == 1;

        *picture_sample (picture, luma, x, y) = is_bright ? 130 : 120;
        *picture_sample (expected, luma, x, y) =
            is_limited ? (is_bright ? 235 : 16) : (is_bright ? 253 : 2);
      }
    if (formats[i / 2][0] == 'I')
      for (guint c = 1; c < 3; c++) {
        picture_fill (picture, c == 1 ? "u" : "v", 128);
        picture_fill (expected, c == 1 ? "u" : "v", 128);
      }
    assert_matched (h, picture, expected);
  }
}

/* A black frame stays black: the smallest value with all samples is the
 * reference's largest. */
TEST (test_black)
{
  static const gchar *const formats[] = { "GRAY8", "I420", "BGRx" };
  guint32 bins[256] = { [20] = 1, [235] = 1 };
  g_autoptr (GBytes) reference = g_bytes_new (bins, sizeof bins);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (formats); i++) {
    g_autoptr (Picture) picture =
        picture_new (formats[i / 2], 16, 8, PICTURE_TIGHT, 16, 16, 1);
    g_autoptr (Picture) expected = NULL;
    g_autoptr (Harness) h =
        harness_new_for (picture, "equalization", AMPHISTO_EQUALIZATION_MATCH,
            "smoothing", i % 2 * 0.9, "verify", TRUE, NULL);

    if (!picture->format->is_rgb && i / 2 > 0) {
      picture_fill (picture, "u", 128);
      picture_fill (picture, "v", 128);
    }
    expected = picture_copy (picture);
    set_reference (h, reference);
    assert_matched (h, picture, expected);
    assert_matched (h, picture, expected);
  }
}

const ElementTest element_tests[] = { ONCE (test_metadata),
  TIMES (test_unset, 3), ONCE (test_invalid), ONCE (test_range),
  ONCE (test_black), { 0 } };
