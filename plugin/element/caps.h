/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Caps features: which memory frames are in.
 */

#ifndef AMPHISTO_ELEMENT_CAPS_H
#define AMPHISTO_ELEMENT_CAPS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Returns: (nullable): the feature that names the memory, such as
 * "memory:GLMemory", interned; NULL for system memory. */
const gchar *gst_amphisto_caps_memory (const GstCaps *caps);

/* In the answer to a CAPS query, moves structures in system memory to the
 * front; otherwise, the order stays. */
void gst_amphisto_caps_prefer_system_memory (GstQuery *query);

/* Adds advice to a message about frames in `memory`: the element that downloads
 * them. Does nothing for system memory, NULL. */
void gst_amphisto_caps_advise (const gchar *memory, GError *error);

G_END_DECLS

#endif
