/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The properties of the settings. To add one, add a field and its default
 * (settings.h, settings.c), and a row to the table in properties.c.
 */

#pragma once

#include "element/props/settings.h"

/* The first id of the properties that gst_amphisto_properties_install()
 * installs; the element's own come before. */
enum
{
  GST_AMPHISTO_FIRST_SETTING = 3
};

/* Installs a property for each setting, and registers their types. */
void gst_amphisto_properties_install (GObjectClass *class);

/* Sets the setting of property `id` to `value`, which has the property's type.
 *
 * Returns: FALSE if the value is refused in whole or in part; `error`, which is
 * not optional, says which. */
gboolean gst_amphisto_settings_set (
    GstAmphistoSettings *self, guint id, const GValue *value, GError **error);

/* Whether the setting of property `id` may change to `value` after the start.
 * scopes-only and frames-in-flight may not, and scopes-only needs a scope.
 *
 * Returns: FALSE with GST_RESOURCE_ERROR_SETTINGS, which says why it stays. */
gboolean gst_amphisto_settings_may_change (const GstAmphistoSettings *self,
    guint id, const GValue *value, GError **error);

/* Stores the setting of property `id` in `value`, which has the property's
 * type. */
void gst_amphisto_settings_get (
    const GstAmphistoSettings *self, guint id, GValue *value);
