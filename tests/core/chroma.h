/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Frames of chroma, and their trace in a vectorscope.
 */

#pragma once

#include "core/scopes/vectorscope.h"
#include "layouts.h"

#include <glib.h>

/* A frame of planar YUV, or of packed RGB, and its scope. */
typedef struct
{
  Picture *picture;
  vectorscope_params params;
  void *trace;
} ChromaScope;

void chroma_scope_clear (ChromaScope *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ChromaScope, chroma_scope_clear)

/* height: of the scope, as a fraction of the frame's. The frame must be filled.
 */
ChromaScope chroma_scope_of (
    const AmphistoLayout *layout, double height, guint zoom_shift);

void chroma_scope_measure (ChromaScope *self);

/* The number of samples of U. */
size_t chroma_samples (const ChromaScope *self);

/* Stores sample i, or all samples, of U and V. */
void chroma_set (ChromaScope *self, size_t i, int u, int v);
void chroma_fill (ChromaScope *self, int u, int v);

/* The brightness of pixel (x, y) of the plot. */
uint32_t chroma_brightness (const ChromaScope *self, int x, int y);
