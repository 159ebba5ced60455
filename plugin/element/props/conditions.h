/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The text of GstAmphisto:expect as conditions.
 */

#pragma once

#include <gst/gst.h>

#include "core/measure/conditions.h"

#define GST_AMPHISTO_MAX_CONDITIONS 32
#define GST_AMPHISTO_MAX_CONDITIONS_TEXT 1024 /* bytes, with the final 0 */

/* Plain data, with zeros after the text's end and after the last condition. */
typedef struct
{
  gchar text[GST_AMPHISTO_MAX_CONDITIONS_TEXT]; /* as set; "": no conditions */
  bool is_set;                                  /* the text is not NULL */
  AmphistoCondition condition[GST_AMPHISTO_MAX_CONDITIONS];
  guint n;
  bool is_refused; /* text set since then was refused */
} GstAmphistoConditions;

/* Sets `error` to GST_RESOURCE_ERROR_SETTINGS. Returns: FALSE. */
G_GNUC_PRINTF (2, 3)
gboolean gst_amphisto_refuse (GError **error, const gchar *format, ...);

/* Reads the conditions in `text`: `CHANNEL.FIELD OPERATOR NUMBER`, joined by
 * commas; CHANNEL may be "picture". NULL and "" are none.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_SETTINGS, and the conditions as they
 * were (with `is_refused` set), if the text has another grammar, a name is
 * unknown, or conditions or text do not fit. */
gboolean gst_amphisto_conditions_set (
    GstAmphistoConditions *self, const gchar *text, GError **error);

/* Returns: (transfer full): the text of condition `n`, as written. */
gchar *gst_amphisto_conditions_text (
    const GstAmphistoConditions *self, guint n);

/* Returns: a bit for each channel in the conditions. */
AmphistoChannelMask gst_amphisto_conditions_channels (
    const GstAmphistoConditions *self);

/* Checks that frames of `format`, with the `available` channels, have the
 * channels of all conditions.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_SETTINGS if they never do. */
gboolean gst_amphisto_conditions_check (const GstAmphistoConditions *self,
    AmphistoChannelMask available, const gchar *format, GError **error);
