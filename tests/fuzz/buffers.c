/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "buffers.h"
#include "settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096
/* Bytes before and after a picture. */
#define GUARD 192

/* --- pictures --- */

/* Takes memory for the picture, `misaligned` bytes after a guard. */
static void
allocate (Picture *picture, gsize misaligned)
{
  const gsize size = misaligned + picture->size + 2 * GUARD;

  picture->block_size = (size + PAGE - 1) / PAGE * PAGE;
  picture->block = aligned_alloc (PAGE, picture->block_size);
  g_assert_nonnull (picture->block);
  picture->data = picture->block + GUARD + misaligned;
}

static void
place_by_default (Picture *picture, const GstVideoInfo *info)
{
  for (guint p = 0; p < picture->n_planes; p++) {
    picture->offset[p] = GST_VIDEO_INFO_PLANE_OFFSET (info, p);
    picture->stride[p] = GST_VIDEO_INFO_PLANE_STRIDE (info, p);
  }
  picture->size = GST_VIDEO_INFO_SIZE (info);
}

static guint
random_stride (GRand *random, const Picture *picture, guint plane)
{
  const guint row_bytes = picture->row_bytes[plane];
  const guint paddings[] = { 0, 0, 1, 64, -row_bytes & 3, -row_bytes & 63,
    g_rand_int_range (random, 0, 70) };

  /* the stride of a single row does not matter */
  if (picture->rows[plane] == 1 && g_rand_boolean (random))
    return g_rand_int_range (random, 0, row_bytes + 1);
  return row_bytes + FUZZ_PICK (random, paddings);
}

/* Whether the rows of both planes may alternate. */
static gboolean
can_alternate (const Picture *picture, guint a, guint b)
{
  return picture->rows[a] == picture->rows[b]
      && picture->row_bytes[a] == picture->row_bytes[b];
}

/* Places the first row of a plane after the planes that are already placed. */
static void
place_behind (Picture *picture, guint plane, guint alignment, guint gap)
{
  picture->offset[plane] =
      (picture->size + alignment - 1) / alignment * alignment + gap;
}

/* Places each row of `next` after one row of `plane`. */
static void
place_in_turns (Picture *picture, guint plane, guint next, guint gap)
{
  picture->stride[plane] = (gint) (2 * picture->row_bytes[plane] + gap);
  picture->stride[next] = picture->stride[plane];
  picture->offset[next] = picture->offset[plane] + picture->row_bytes[plane];
}

/* The end of a plane's rows. */
static gsize
plane_end (const Picture *picture, guint plane)
{
  ptrdiff_t begin, end;

  picture_plane_extent (picture, plane, &begin, &end);
  return (gsize) end;
}

static void
shuffle_planes (GRand *random, guint order[PICTURE_MAX_PLANES], guint n)
{
  for (guint i = 0; i < n; i++) {
    const guint j = g_rand_int_range (random, 0, i + 1);

    order[i] = order[j];
    order[j] = i;
  }
}

static void
place_at_random (GRand *random, Picture *picture)
{
  static const guint alignments[] = { 1, 1, 4, 16, 64, PAGE };
  const guint alignment = FUZZ_PICK (random, alignments);
  guint order[PICTURE_MAX_PLANES];

  shuffle_planes (random, order, picture->n_planes);
  picture->size = 0;
  for (guint i = 0; i < picture->n_planes; i++) {
    const guint gap =
        g_rand_boolean (random) ? g_rand_int_range (random, 0, 9) : 0;

    place_behind (picture, order[i], alignment, gap);
    picture->stride[order[i]] =
        (gint) random_stride (random, picture, order[i]);
    if (i + 1 < picture->n_planes
        && can_alternate (picture, order[i], order[i + 1])
        && g_rand_int_range (random, 0, 4) == 0) {
      place_in_turns (picture, order[i], order[i + 1], gap);
      i++;
    }
    picture->size = plane_end (picture, order[i]);
  }
}

static void
fill_bytes (GRand *random, guint8 *bytes, gsize n, guint lo, guint n_values)
{
  for (gsize i = 0; i < n; i++) {
    const guint32 r = g_rand_int (random);

    for (guint j = 0; j < 4 && i + j < n; j++)
      bytes[i + j] = lo + ((r >> 8 * j & 0xff) * n_values >> 8);
    i += 3;
  }
}

/* The matrix and the range for computed channels. */
static void
set_colorimetry (Picture *picture, const GstVideoInfo *info)
{
  if (!gst_video_color_matrix_get_Kr_Kb (
          info->colorimetry.matrix, &picture->kr, &picture->kb))
    gst_video_color_matrix_get_Kr_Kb (
        GST_VIDEO_COLOR_MATRIX_BT709, &picture->kr, &picture->kb);
  picture->is_limited = info->colorimetry.range == GST_VIDEO_COLOR_RANGE_16_235;
}

Picture *
fuzz_picture_new (GRand *random, const GstVideoInfo *info)
{
  /* only for the extents of its planes, which are placed elsewhere */
  Picture *picture = picture_new (GST_VIDEO_INFO_NAME (info), info->width,
      info->height, PICTURE_TIGHT, 0, 255, 1);
  static const guint misalignments[] = { 0, 0, 1, 2, 3, 4, 64, 1111 };

  free (picture->block);
  if (g_rand_int_range (random, 0, 4) == 0)
    place_by_default (picture, info);
  else
    place_at_random (random, picture);
  allocate (picture, FUZZ_PICK (random, misalignments));
  if (g_rand_int_range (random, 0, 4) == 0)
    picture_turn (picture, g_rand_int (random));
  set_colorimetry (picture, info);
  fill_bytes (random, picture->block, picture->block_size, 0, 256);
  return picture;
}

void
fuzz_picture_fill (GRand *random, Picture *picture)
{
  const guint lo = g_rand_int_range (random, 0, 256);
  guint n_values;

  switch (g_rand_int_range (random, 0, 4)) {
    case 0: /* one sample in ten is different */
      for (gsize n = picture->size / 10; n > 0; n--)
        picture->data[g_rand_int_range (random, 0, picture->size)] =
            g_rand_int (random);
      return;
    case 1:
      n_values = 1;
      break;
    case 2:
      n_values = 1 + g_rand_int_range (random, 0, 256 - lo);
      break;
    default:
      n_values = 256 - lo;
  }
  fill_bytes (random, picture->data, picture->size, lo, n_values);
}

Picture *
fuzz_picture_copy (const Picture *picture)
{
  Picture *copy = g_memdup2 (picture, sizeof *picture);

  allocate (copy, picture->data - picture->block - GUARD);
  memcpy (copy->block, picture->block, picture->block_size);
  return copy;
}

void
fuzz_picture_write (
    const Picture *picture, const GstVideoInfo *info, GstBuffer *buffer)
{
  Picture fields = *picture;
  GstVideoFrame map;

  fields.is_interlaced = GST_VIDEO_INFO_IS_INTERLACED (info);
  g_assert_true (gst_video_frame_map (&map, info, buffer, GST_MAP_WRITE));
  for (guint p = 0; p < picture->n_planes; p++) {
    guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (&map, p);

    for (guint y = 0; y < picture_plane_rows (&fields, p); y++)
      memcpy (data + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&map, p),
          picture_row (picture, p, y), picture->row_bytes[p]);
  }
  gst_video_frame_unmap (&map);
}

static guint
clip (guint at, guint length, guint size)
{
  return at >= size ? 0 : MIN (length, size - at);
}

void
fuzz_picture_set_part (
    Picture *picture, guint x, guint y, guint width, guint height)
{
  width = clip (x, width, picture->width);
  height = clip (y, height, picture->height);
  if (width == 0 || height == 0)
    picture_set_part (picture, 0, 0, 0, 0);
  else
    picture_set_part (picture, x, y, width, height);
}

gboolean
fuzz_picture_part_is_empty (const Picture *picture)
{
  return picture->part_width == 0;
}

/* --- buffers --- */

static gboolean
is_placed_by_default (const Picture *picture, const GstVideoInfo *info)
{
  for (guint p = 0; p < picture->n_planes; p++)
    if (picture->offset[p] != GST_VIDEO_INFO_PLANE_OFFSET (info, p)
        || picture->stride[p] != GST_VIDEO_INFO_PLANE_STRIDE (info, p))
      return FALSE;
  return picture->size == GST_VIDEO_INFO_SIZE (info);
}

/* A GstVideoMeta for the picture. */
typedef struct
{
  GstVideoFormat format;
  guint width, height, n_planes;
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
} Description;

static Description
describe (const Picture *picture)
{
  Description self = { gst_video_format_from_string (picture->format->name),
    picture->width, picture->height, picture->n_planes, { 0 }, { 0 } };

  for (guint p = 0; p < picture->n_planes; p++) {
    self.offset[p] = picture->offset[p];
    self.stride[p] = picture->stride[p];
  }
  return self;
}

static void
add_meta (GstBuffer *buffer, Description *description)
{
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      description->format, description->width, description->height,
      description->n_planes, description->offset, description->stride);
}

static void
append (GstBuffer *buffer, const Picture *picture, GstMemoryFlags flags,
    gsize begin, gsize end)
{
  gst_buffer_append_memory (buffer,
      gst_memory_new_wrapped (flags, picture->data + begin, end - begin, 0,
          end - begin, NULL, NULL));
}

static gint
compare_sizes (gconstpointer a, gconstpointer b)
{
  const gsize left = *(const gsize *) a, right = *(const gsize *) b;

  return left < right ? -1 : left > right;
}

/* The picture's memory, divided at `n` places. */
static GstBuffer *
buffer_new_cut (
    const Picture *picture, GstMemoryFlags flags, gsize *cuts, guint n)
{
  GstBuffer *buffer = gst_buffer_new ();
  gsize begin = 0;

  if (n > 1)
    qsort (cuts, n, sizeof *cuts, compare_sizes);
  for (guint i = 0; i < n; i++) {
    if (cuts[i] == begin)
      continue;
    append (buffer, picture, flags, begin, cuts[i]);
    begin = cuts[i];
  }
  append (buffer, picture, flags, begin, picture->size);
  return buffer;
}

enum
{
  IN_ONE_MEMORY,
  MEMORY_PER_PLANE,
  CUT_ANYWHERE,
  N_CUTS
};

enum
{
  NOT_SHARED,
  READ_ONLY,
  SHARED_BUFFER,
  SHARED_MEMORY,
  N_SHARINGS
};

/* The first byte and the end of the plane's rows; of one more if it could be a
 * field's. */
static void
find_fields (
    const Picture *picture, guint plane, ptrdiff_t *begin, ptrdiff_t *end)
{
  const gint stride =
      picture_has_next_row (picture, plane) ? picture->stride[plane] : 0;

  picture_plane_extent (picture, plane, begin, end);
  *begin += MIN (stride, 0);
  *end += MAX (stride, 0);
}

/* TRUE if no plane has bytes on both sides of `at`. */
static gboolean
is_between_planes (const Picture *picture, gsize at)
{
  for (guint p = 0; p < picture->n_planes; p++) {
    ptrdiff_t begin, end;

    find_fields (picture, p, &begin, &end);
    if ((ptrdiff_t) at > begin && (ptrdiff_t) at < end)
      return FALSE;
  }
  return TRUE;
}

/* With a GstVideoMeta, GStreamer maps only the memory in which a plane begins.
 */
static GstBuffer *
buffer_new_random (GRand *random, const Picture *picture, gint kind,
    GstMemoryFlags flags, gboolean has_meta)
{
  gsize cuts[PICTURE_MAX_PLANES];
  guint n = 0;

  for (guint i = 0; i < picture->n_planes && kind != IN_ONE_MEMORY; i++) {
    ptrdiff_t begin, end;

    find_fields (picture, i, &begin, &end);
    cuts[n] = kind == MEMORY_PER_PLANE
        ? (gsize) begin
        : (gsize) g_rand_int_range (random, 0, picture->size);
    if (!has_meta || is_between_planes (picture, cuts[n]))
      n++;
  }
  return buffer_new_cut (picture, flags, cuts, n);
}

FuzzBuffer
fuzz_buffer_plain (Picture *picture)
{
  Description description = describe (picture);
  FuzzBuffer self = { .buffer = buffer_new_cut (picture, 0, NULL, 0),
    .text = g_strdup ("plain") };

  add_meta (self.buffer, &description);
  return self;
}

FuzzBuffer
fuzz_buffer_random (GRand *random, Picture *picture, const GstVideoInfo *info)
{
  static const gchar *const cuts[] = { "one memory", "a memory per plane",
    "memory cut anywhere" };
  static const gchar *const sharings[] = { "writable", "read-only",
    "buffer shared", "memory shared" };
  const gint cut = g_rand_int_range (random, 0, N_CUTS);
  const gint sharing = g_rand_int_range (random, 0, N_SHARINGS);
  const gboolean has_meta =
      !is_placed_by_default (picture, info) || g_rand_boolean (random);
  Description description = describe (picture);
  FuzzBuffer self = { .buffer = buffer_new_random (random, picture, cut,
                          sharing == READ_ONLY ? GST_MEMORY_FLAG_READONLY : 0,
                          has_meta),
    .sharing = sharing };

  if (has_meta)
    add_meta (self.buffer, &description);
  self.text = g_strdup_printf ("%s, %s, %s GstVideoMeta", cuts[cut],
      sharings[sharing], has_meta ? "with" : "without");
  return self;
}

static void
protect (Picture *picture, int protection)
{
  if (mprotect (picture->block, picture->block_size, protection) != 0)
    g_error ("mprotect: %s", g_strerror (errno));
}

void
fuzz_buffer_share (FuzzBuffer *self, Picture *picture)
{
  if (self->sharing == READ_ONLY)
    protect (picture, PROT_READ);
  else if (self->sharing == SHARED_BUFFER)
    self->other = gst_buffer_ref (self->buffer);
  else if (self->sharing == SHARED_MEMORY)
    self->other = gst_buffer_copy (self->buffer);
}

void
fuzz_picture_unprotect (Picture *picture)
{
  protect (picture, PROT_READ | PROT_WRITE);
}

/* --- hostile buffers --- */

/* Makes the description too large for the picture's memory, or one of a
 * different picture. */
static const gchar *
falsify (GRand *random, Description *self, const Picture *picture)
{
  const guint p = g_rand_int_range (random, 0, picture->n_planes);
  const gsize offsets[] = { picture->size, picture->size + 1, G_MAXSIZE,
    G_MAXSIZE / 2, G_MAXSIZE - picture->size };
  const gint strides[] = { 1 - (gint) picture->row_bytes[p],
    -1 - (gint) picture->size, G_MININT, G_MAXINT,
    (gint) picture->row_bytes[p] - 1 };

  switch (g_rand_int_range (random, 0, 6)) {
    case 0:
      self->format = self->format == GST_VIDEO_FORMAT_RGB
          ? GST_VIDEO_FORMAT_BGR
          : GST_VIDEO_FORMAT_RGB;
      return "another format";
    case 1:
      self->width--;
      return "less width";
    case 2:
      self->height--;
      return "less height";
    case 3:
      self->n_planes--;
      return "a plane less";
    case 4:
      if (picture->rows[p] > 1) {
        self->stride[p] = FUZZ_PICK (random, strides);
        return "a wrong stride";
      }
      G_GNUC_FALLTHROUGH; /* the stride of a single row does not matter */
    default:
      self->offset[p] = FUZZ_PICK (random, offsets);
      return "a plane outside";
  }
}

FuzzBuffer
fuzz_buffer_hostile (GRand *random, Picture *picture, const GstVideoInfo *info)
{
  Description description = describe (picture);
  FuzzBuffer self = { 0 };

  switch (g_rand_int_range (random, 0, 5)) {
    case 0:
      self.buffer = gst_buffer_new ();
      self.text = g_strdup ("hostile: empty");
      break;
    case 1:
      self.buffer = gst_buffer_new_allocate (
          NULL, g_rand_int_range (random, 0, GST_VIDEO_INFO_SIZE (info)), NULL);
      self.text = g_strdup ("hostile: too small for its caps");
      break;
    case 2:
      self = fuzz_buffer_plain (picture);
      gst_buffer_set_size (self.buffer,
          g_rand_int_range (random, 0,
              plane_end (
                  picture, g_rand_int_range (random, 0, picture->n_planes))));
      g_free (self.text);
      self.text = g_strdup ("hostile: too small for its GstVideoMeta");
      break;
    default:
      self.buffer = buffer_new_random (
          random, picture, g_rand_int_range (random, 0, N_CUTS), 0, TRUE);
      self.text = g_strdup_printf ("hostile: GstVideoMeta with %s",
          falsify (random, &description, picture));
      add_meta (self.buffer, &description);
  }
  return self;
}

void
fuzz_buffer_clear (FuzzBuffer *self)
{
  gst_clear_buffer (&self->buffer);
  gst_clear_buffer (&self->other);
  g_clear_pointer (&self->text, g_free);
}
