/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames to test with: of any format and size, wherever in memory, among bytes
 * that are watched.
 */

#ifndef FRAMES_H
#define FRAMES_H

#include <gst/video/video.h>

#include "core/frame.h"

#define N_FRAME_FORMATS 36

/* All formats that amphisto takes. */
extern const GstVideoFormat frame_formats[N_FRAME_FORMATS];

/* Where a frame's planes lie in its memory: in turn, each at a multiple of
 * `alignment` (a power of two, up to 4096) and `misalignment` bytes, its rows'
 * ends `padding` bytes before the next row. */
typedef struct
{
  guint alignment;
  guint misalignment[AMPHISTO_N_PLANES];
  guint padding;
} FramePlacement;

/* A frame and its memory. All bytes that are no sample, before, between and
 * behind the planes, between rows and within pixels, differ from place to
 * place; a test compares them with those of a copy. */
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
  FRAME_FLAT,       /* one value in each channel */
  FRAME_TWO_VALUED, /* two values, by chance */
  FRAME_ZEROS,
  FRAME_ONES,    /* all 255 */
  FRAME_CHECKER, /* 0 and 255 */
  FRAME_RAMP,    /* one more from column to column and row to row, from 255
                    to 0 again */
  N_FRAME_PATTERNS
} FramePattern;

/* What FRAME_FLAT fills the channel with. */
guint8 test_frame_flat_value (AmphistoChannel channel);

/* Pseudo-random 32 bits from a state that is no 0; the same on any machine. */
guint32 test_random (guint32 *state);

/* Returns: (transfer full): a frame with nothing but watched bytes in it. */
TestFrame *test_frame_new (GstVideoFormat format, guint width, guint height,
    GstVideoColorRange range, const FramePlacement *placement);

/* Returns: (transfer full): a frame with the same bytes in the same places. */
TestFrame *test_frame_copy (const TestFrame *self);

void test_frame_free (TestFrame *self);

/* Fills the samples of all channels, and nothing else. */
void test_frame_fill (TestFrame *self, FramePattern pattern, guint32 seed);

/* Compares all bytes with those of a copy that was to become the same, watched
 * ones too.
 *
 * Returns: (transfer full): NULL if they are equal, else where they differ. */
char *test_frame_compare (const TestFrame *expected, const TestFrame *actual);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFrame, test_frame_free)

#endif
