/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Values of properties as gst-launch-1.0 has them.
 */

#pragma once

#include <glib-object.h>

/* Appends a name to a list, "a+b". */
static inline void
nicks_append (GString *list, const char *nick)
{
  g_string_append_printf (list, "%s%s", list->len > 0 ? "+" : "", nick);
}

/* Returns: (transfer full): the names of the flags; "none" for 0. */
static inline char *
nicks_of_flags (GType type, guint flags)
{
  GFlagsClass *class = g_type_class_ref (type);
  GString *list = g_string_new (flags == 0 ? "none" : NULL);

  for (guint i = 0; i < class->n_values; i++)
    if (class->values[i].value & flags)
      nicks_append (list, class->values[i].value_nick);
  g_type_class_unref (class);
  return g_string_free (list, FALSE);
}

/* Returns: the value's name. */
static inline const char *
nick_of_enum (GType type, int value)
{
  GEnumClass *class = g_type_class_ref (type);
  const GEnumValue *found = g_enum_get_value (class, value);

  g_type_class_unref (class);
  return found != NULL ? found->value_nick : "unknown";
}
