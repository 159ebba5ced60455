/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The settings whose properties are no plain numbers, as GValues.
 */

#pragma once

#include "element/props/settings.h"

/* Sets the percentiles from a GstValueArray of numbers.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_SETTINGS if one is not a percentage,
 * and none is taken, or if there are too many, and the first are taken. */
gboolean gst_amphisto_set_percentiles (
    GstAmphistoSettings *self, const GValue *array, GError **error);

/* Appends the percentiles to a GstValueArray. */
void gst_amphisto_get_percentiles (
    const GstAmphistoSettings *self, GValue *array);

/* Sets the reference from the counts in GBytes; NULL unsets it. A refused
 * value unsets it too, so that luma is not matched to the previous one by
 * mistake.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_SETTINGS. */
gboolean gst_amphisto_set_reference (
    GstAmphistoSettings *self, const GValue *value, GError **error);

/* Stores the reference in `value` as GBytes, NULL if there is none. */
void gst_amphisto_get_reference (
    const GstAmphistoSettings *self, GValue *value);

/* Sets the conditions from text; see gst_amphisto_conditions_set(). */
gboolean gst_amphisto_set_expect (
    GstAmphistoSettings *self, const GValue *value, GError **error);

/* Stores the text of the conditions, NULL if there are none. */
void gst_amphisto_get_expect (const GstAmphistoSettings *self, GValue *value);
