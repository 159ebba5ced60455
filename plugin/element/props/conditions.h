/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The text of GstAmphisto:expect as conditions.
 */

#pragma once

#include <gst/gst.h>

#include "core/measure/conditions.h"

#define GST_AMPHISTO_MAX_CONDITIONS 32
#define GST_AMPHISTO_MAX_CONDITIONS_TEXT 1023 /* bytes */

/* Immutable; referenced by g_atomic_rc_box_acquire(). */
typedef struct
{
  gchar *text; /* as set; NULL or "": no conditions */
  GStrv parts; /* the text of each condition */
  AmphistoCondition condition[GST_AMPHISTO_MAX_CONDITIONS];
  guint n;
} GstAmphistoConditions;

/* Sets `error` to GST_RESOURCE_ERROR_SETTINGS. Returns: FALSE. */
G_GNUC_PRINTF (2, 3)
gboolean gst_amphisto_refuse (GError **error, const gchar *format, ...);

/* Reads the conditions in `text`: `CHANNEL.FIELD OPERATOR NUMBER`, joined by
 * commas; CHANNEL may be "picture", FIELD "p" and a number from 0 to 100. NULL
 * and "" are none.
 *
 * Returns: (transfer full): NULL with GST_RESOURCE_ERROR_SETTINGS if the text
 * has another grammar, a name is unknown, or conditions or text are too long.
 */
GstAmphistoConditions *gst_amphisto_conditions_new (
    const gchar *text, GError **error);

void gst_amphisto_conditions_unref (GstAmphistoConditions *self);

/* Whether both have the same text. */
gboolean gst_amphisto_conditions_equal (
    const GstAmphistoConditions *a, const GstAmphistoConditions *b);

/* Returns: a bit for each channel in the conditions. */
AmphistoChannelMask gst_amphisto_conditions_channels (
    const GstAmphistoConditions *self);

/* Checks that frames of `format`, with the `available` channels, have the
 * channels of all conditions.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_SETTINGS if they never do. */
gboolean gst_amphisto_conditions_check (const GstAmphistoConditions *self,
    AmphistoChannelMask available, const gchar *format, GError **error);
