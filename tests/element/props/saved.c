/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Properties as text. An editor, such as Pitivi, saves its projects with all
 * properties of all elements as text, and a project is lost if one of them
 * can't be read back.
 */

#include "harnesses.h"

/* Values of properties besides the ends of ranges, booleans and enums; an array
 * is in the syntax of gst-launch-1.0. Strings need quotes, or look like other
 * types. */
static const struct
{
  const gchar *property;
  const gchar *values[6];
} texts[] = {
  { "device", { "", "NULL", "(int)1", "0.1", "a \"b\", {c}; <d>\\" } },
  { "expect",
      { "", "luma.mean >= 20", "  luma.mean\t>=\n20 ",
          "u.mean != 1e-3,picture.out-of-gamut <= .5" } },
  { "percentiles",
      { "<>", "<50>", "<0,33.3,100>", "<(float)0.1,(int)2,(guint64)3>" } },
  { "reference-lines", { "<>", "<-10>", "<(int)5,70.5,110>" } },
  { "strength", { "0.1", "0.30000000000000004", "1e-300" } },
};

/* Returns: (transfer full): a structure with the property of the element. */
static GstStructure *
structure_of (GstElement *element, const gchar *property)
{
  GstStructure *structure = gst_structure_new_empty ("properties");
  GValue value = G_VALUE_INIT;

  g_object_get_property (G_OBJECT (element), property, &value);
  gst_structure_take_value (structure, property, &value);
  return structure;
}

/* The property is saved as text, and another element gets it from that. */
static void
assert_is_restored (GstElement *element, const gchar *property)
{
  g_autoptr (TestElement) other = element_new (NULL, NULL);
  g_autoptr (GstStructure) saved = structure_of (element, property);
  g_autofree gchar *text = gst_structure_to_string (saved);
  g_autoptr (GstStructure) back = gst_structure_from_string (text, NULL);
  g_autoptr (GstStructure) restored = NULL;

  fail_unless (back != NULL, "can't be read: %s", text);
  g_object_set_property (
      G_OBJECT (other), property, gst_structure_get_value (back, property));
  restored = structure_of (other, property);
  fail_unless (gst_structure_is_equal (saved, restored),
      "is restored otherwise: %s", text);
}

/* Stores a value of the property, an end of its range or one of an enum's.
 *
 * Returns: FALSE if there are no more values, or the type is another one. */
static gboolean
get_value (const GParamSpec *spec, guint n, GValue *value)
{
  const gboolean is_upper = n == 1;

  g_value_init (value, spec->value_type);
  if (G_IS_PARAM_SPEC_BOOLEAN (spec))
    g_value_set_boolean (value, is_upper);
  else if (G_IS_PARAM_SPEC_UINT (spec))
    g_value_set_uint (value,
        is_upper ? G_PARAM_SPEC_UINT (spec)->maximum
                 : G_PARAM_SPEC_UINT (spec)->minimum);
  else if (G_IS_PARAM_SPEC_UINT64 (spec))
    g_value_set_uint64 (value, is_upper ? G_MAXUINT64 : 0);
  else if (G_IS_PARAM_SPEC_DOUBLE (spec))
    g_value_set_double (value,
        is_upper ? G_PARAM_SPEC_DOUBLE (spec)->maximum
                 : G_PARAM_SPEC_DOUBLE (spec)->minimum);
  else if (!G_IS_PARAM_SPEC_ENUM (spec))
    return FALSE;
  else if (n < G_PARAM_SPEC_ENUM (spec)->enum_class->n_values) {
    g_value_set_enum (
        value, G_PARAM_SPEC_ENUM (spec)->enum_class->values[n].value);
    return TRUE;
  }
  return n < 2;
}

/* Its default, and all values above. */
static void
check_values (GstElement *element, const GParamSpec *spec)
{
  gboolean has_value = TRUE;

  assert_is_restored (element, spec->name);
  for (guint n = 0; has_value; n++) {
    g_auto (GValue) value = G_VALUE_INIT;

    has_value = get_value (spec, n, &value);
    if (has_value) {
      g_object_set_property (G_OBJECT (element), spec->name, &value);
      assert_is_restored (element, spec->name);
    }
  }
}

/* All but flags: GStreamer writes their descriptions, which it can't read back
 * for any element, and editors save their numbers. */
TEST (test_properties)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  guint n, n_saved = 0;
  g_autofree GParamSpec **all =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++)
    if ((all[i]->flags & G_PARAM_WRITABLE) && !G_IS_PARAM_SPEC_FLAGS (all[i])
        && !G_IS_PARAM_SPEC_OBJECT (all[i])) {
      check_values (element, all[i]);
      n_saved++;
    }
  fail_unless (n_saved > 30);
}

/* GStreamer 1.22 writes into the text of an array. */
static void
set_text (GstElement *element, const gchar *property, const gchar *text)
{
  g_autofree gchar *copy = g_strdup (text);

  if (G_IS_PARAM_SPEC_STRING (g_object_class_find_property (
          G_OBJECT_GET_CLASS (element), property)))
    g_object_set (element, property, copy, NULL);
  else
    gst_util_set_object_arg (G_OBJECT (element), property, copy);
}

TEST (test_texts)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);

  for (guint i = 0; texts[__i__].values[i] != NULL; i++) {
    set_text (element, texts[__i__].property, texts[__i__].values[i]);
    assert_is_restored (element, texts[__i__].property);
  }
}

/* The reference, for which GStreamer can't write every number of bytes. */
TEST (test_reference)
{
  static const guint32 words[258] = { [0] = 1, [100] = 77, [255] = 1 << 31 };
  g_autoptr (TestElement) element = element_new (NULL, NULL);

  for (guint n = 256; n <= 258; n += 2) {
    g_autoptr (GBytes) bytes = g_bytes_new (words, n * sizeof *words);

    g_object_set (element, "reference", bytes, NULL);
    assert_is_restored (element, "reference");
  }
}

const ElementTest element_tests[] = { ONCE (test_properties),
  EACH (test_texts, texts), ONCE (test_reference), { 0 } };
