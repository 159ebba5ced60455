/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pictures at random places in memory, and buffers of every kind around them.
 */

#ifndef FUZZ_BUFFERS_H
#define FUZZ_BUFFERS_H

#include <gst/video/video.h>

#include "element/picture.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Picture, picture_free)

/* A picture for frames of `info`: planes in any order, at any address, with any
 * stride, side by side, or row by row in turns; at times laid out as
 * GstVideoInfo does. All bytes are random: samples, padding and guard bytes. */
Picture *fuzz_picture_new (GRand *random, const GstVideoInfo *info);

/* Fills the samples anew: random ones, of few or many values, or nearly those
 * from before. */
void fuzz_picture_fill (GRand *random, Picture *picture);

/* A copy at the same offset from a page. */
Picture *fuzz_picture_copy (const Picture *picture);

/* Sets the samples of the frame in the buffer, which is laid out by default, to
 * the picture's. */
void fuzz_picture_write (
    const Picture *picture, const GstVideoInfo *info, GstBuffer *buffer);

/* Restricts the picture to the part of a region that is inside; width or height
 * 0: nothing. */
void fuzz_picture_set_part (
    Picture *picture, guint x, guint y, guint width, guint height);
gboolean fuzz_picture_part_is_empty (const Picture *picture);

/* A buffer around a picture, which must outlive it. */
typedef struct
{
  GstBuffer *buffer; /* owned */
  gint sharing;      /* with whom; if not 0, the picture must not be changed */
  GstBuffer *other;  /* owned: the one that it is shared with, or NULL */
  gchar *text;       /* owned: what it is, for a report */
} FuzzBuffer;

/* A plain one, of writable memory in one piece. */
FuzzBuffer fuzz_buffer_plain (Picture *picture);

/* One of a random kind: in one memory, one for each plane or cut anywhere;
 * writable, read-only or shared; with a GstVideoMeta, or without if the picture
 * is laid out by default. */
FuzzBuffer fuzz_buffer_random (
    GRand *random, Picture *picture, const GstVideoInfo *info);

/* One that is not what `info` promises: too little memory, or a GstVideoMeta
 * that lies. It can't be read as a frame. */
FuzzBuffer fuzz_buffer_hostile (
    GRand *random, Picture *picture, const GstVideoInfo *info);

/* Makes the buffer what it is to be: shares it or its memory, or protects the
 * pages of the picture, which it is around, if it is read-only. */
void fuzz_buffer_share (FuzzBuffer *self, Picture *picture);

/* Ends the protection. */
void fuzz_picture_unprotect (Picture *picture);

void fuzz_buffer_clear (FuzzBuffer *self);

#endif
