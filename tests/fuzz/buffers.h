/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Pictures at random places in memory, in buffers of every kind.
 */

#pragma once

#include <gst/video/video.h>

#include "element/picture.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Picture, picture_free)

/* A picture for frames of `info`, sometimes with the default layout, else with
 * planes in any order, at any address, with any stride, side by side, with
 * alternating rows, or stored from the bottom up. All bytes are random:
 * samples, padding and guard bytes. */
Picture *fuzz_picture_new (GRand *random, const GstVideoInfo *info);

/* Replaces the samples by random ones with few or many values, or changes a few
 * of them. */
void fuzz_picture_fill (GRand *random, Picture *picture);

/* A copy at the same offset from a page. */
Picture *fuzz_picture_copy (const Picture *picture);

/* Copies the picture's samples to the frame in `buffer`, which has the default
 * layout. */
void fuzz_picture_write (
    const Picture *picture, const GstVideoInfo *info, GstBuffer *buffer);

/* Restricts the picture to the part of a region that is inside it; nothing is
 * left if width or height is 0. */
void fuzz_picture_set_part (
    Picture *picture, guint x, guint y, guint width, guint height);
gboolean fuzz_picture_part_is_empty (const Picture *picture);

/* A buffer with the memory of a picture, which must outlive it. */
typedef struct
{
  GstBuffer *buffer; /* owned */
  gint sharing;      /* if not 0, the picture must not be changed */
  GstBuffer *other;  /* owned: the buffer with the same memory, or NULL */
  gchar *text;       /* owned: description for reports */
} FuzzBuffer;

/* A buffer with one piece of writable memory. */
FuzzBuffer fuzz_buffer_plain (Picture *picture);

/* A random buffer: with one memory, one per plane, or memory divided anywhere;
 * writable, read-only or shared; with a GstVideoMeta unless the picture has the
 * default layout, then perhaps without. */
FuzzBuffer fuzz_buffer_random (
    GRand *random, Picture *picture, const GstVideoInfo *info);

/* A buffer that contradicts `info`: too little memory, or a wrong GstVideoMeta.
 * It cannot be read as a frame. */
FuzzBuffer fuzz_buffer_hostile (
    GRand *random, Picture *picture, const GstVideoInfo *info);

/* Shares the buffer or its memory as chosen before, or protects the pages of
 * its picture if the memory is read-only. */
void fuzz_buffer_share (FuzzBuffer *self, Picture *picture);

/* Ends the protection. */
void fuzz_picture_unprotect (Picture *picture);

void fuzz_buffer_clear (FuzzBuffer *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FuzzBuffer, fuzz_buffer_clear)
