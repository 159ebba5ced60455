/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Test frames of any format and size, anywhere in memory. A test detects
 * changes of any byte around their samples.
 */

#pragma once

#include <gst/video/video.h>

#include "core/pixels/frame.h"
#include "xorshift.h"

#define N_FRAME_FORMATS 36

/* All formats that amphisto takes. */
extern const GstVideoFormat frame_formats[N_FRAME_FORMATS];

/* The places of a frame's planes in its memory, one after the other. Each
 * begins `misalignment` bytes after a multiple of `alignment`, a power of two
 * up to 4096. `padding`: bytes between rows. has_all_rows: with room for all
 * rows of interlaced frames (amphisto_layout_set_interlaced()).
 * is_at_end: as close to the end of the memory as the alignment allows; no byte
 * behind can be accessed. */
typedef struct
{
  guint alignment;
  guint misalignment[AMPHISTO_N_PLANES];
  guint padding;
  gboolean has_all_rows;
  gboolean is_at_end;
} FramePlacement;

/* A frame and its memory. Bytes that are not samples (around planes, between
 * rows, within pixels) have varying values, so that a comparison with a copy
 * shows changes. */
typedef struct
{
  AmphistoLayout layout;
  AmphistoFrame frame;
  guint8 *memory;
  gsize size;
} TestFrame;

typedef enum
{
  FRAME_RANDOM,
  FRAME_FLAT,       /* one value per channel */
  FRAME_TWO_VALUED, /* one of two values, at random */
  FRAME_ZEROS,
  FRAME_ONES,    /* all 255 */
  FRAME_CHECKER, /* 0 and 255 */
  FRAME_RAMP,    /* x + y, modulo 256 */
  FRAME_DIM,     /* around the limit of black bars, at random */
  N_FRAME_PATTERNS
} FramePattern;

const char *test_frame_pattern_name (FramePattern pattern);

/* The value of FRAME_FLAT. */
guint8 test_frame_flat_value (AmphistoChannel channel);

/* A random placement. */
FramePlacement test_random_placement (guint32 *state);

/* Returns: (transfer full): a frame with undefined samples. */
TestFrame *test_frame_new (GstVideoFormat format, guint width, guint height,
    GstVideoColorRange range, const FramePlacement *placement);

/* Returns: (transfer full): a copy, at the same alignment. */
TestFrame *test_frame_copy (const TestFrame *self);

void test_frame_free (TestFrame *self);

/* Fills the samples of all channels, and changes no other byte. */
void test_frame_fill (TestFrame *self, FramePattern pattern, guint32 seed);

/* Compares all bytes of two copies of one frame.
 *
 * Returns: (transfer full): NULL if they are equal, else the first difference.
 */
char *test_frame_compare (const TestFrame *expected, const TestFrame *actual);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFrame, test_frame_free)
