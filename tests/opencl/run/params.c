/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The structs of parameters have the same layout on host and device. Members of
 * four bytes, numbers and structs of such, leave nothing to either compiler: it
 * is enough that there are no others, and that the sizes are the same.
 */

#include "opencl/run/program.h"
#include "cltest.h"
#include "core/plan.h"

#include <gio/gio.h>
#include <string.h>

/* Each struct that is no other's member. */
#define STRUCTS(X)                                                             \
  X (frame_params)                                                             \
  X (clahe_params)                                                             \
  X (drawing_params)                                                           \
  X (exposure_params)                                                          \
  X (outline_params)                                                           \
  X (histogram_scope_params)                                                   \
  X (waveform_params)                                                          \
  X (vectorscope_params)

#define SIZE(type) sizeof (type),
#define NAME(type) #type,
#define STORE_SIZE(type) "*sizes++ = sizeof (" #type ");\n"

static const guint32 host_sizes[] = { STRUCTS (SIZE) };
static const char *const names[] = { STRUCTS (NAME) NULL };

#define N G_N_ELEMENTS (host_sizes)

/* Returns: (transfer full): the files of cl/ with structs, which end with NULL.
 */
static GStrv
list_files (void)
{
  g_autoptr (GError) error = NULL;
  GStrv all = g_resources_enumerate_children (
      "/amphisto/cl", G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
  guint n = 0;

  g_assert_no_error (error);
  for (guint i = 0; all[i] != NULL; i++)
    if (g_str_has_suffix (all[i], "_params.h"))
      all[n++] = all[i];
    else
      g_free (all[i]);
  all[n] = NULL;
  return all;
}

static void
test_sizes (TestCl *cl)
{
  cl_mem buffer = test_cl_buffer (cl, NULL, sizeof host_sizes);
  g_auto (GStrv) files = list_files ();
  g_autoptr (GString) source = g_string_new (NULL);
  guint32 sizes[N];

  for (guint i = 0; files[i] != NULL; i++)
    g_string_append_printf (source, "#include \"%s\"\n", files[i]);
  g_string_append (source,
      "kernel void store_sizes (global uint *sizes) {\n" STRUCTS (
          STORE_SIZE) "}\n");
  test_cl_build (cl, source->str, "");
  test_cl_run (cl, test_cl_kernel (cl, "store_sizes", buffer, NULL), 1, 1);
  test_cl_read (cl, buffer, sizes, sizeof sizes);
  for (gsize i = 0; i < N; i++)
    if (sizes[i] != host_sizes[i])
      g_error ("%s has %u bytes on the device, %u on the host", names[i],
          sizes[i], host_sizes[i]);
}

/* Returns: (transfer full): the texts of all files, without comments. */
static char *
read_files (void)
{
  g_auto (GStrv) files = list_files ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GRegex) comments =
      g_regex_new ("/\\*.*?\\*/", G_REGEX_DOTALL, 0, NULL);

  for (guint i = 0; files[i] != NULL; i++)
    g_string_append (text, amphisto_cl_source (files[i]));
  return g_regex_replace_literal (comments, text->str, -1, 0, "", 0, NULL);
}

/* Every struct is in STRUCTS, or is a member of another. */
static void
test_names (void)
{
  g_autofree char *text = read_files ();
  g_autoptr (GRegex) structs =
      g_regex_new ("typedef struct\n\\{[^}]*\\} (\\w+);", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  g_assert_true (g_regex_match (structs, text, 0, &match));
  for (; g_match_info_matches (match); g_match_info_next (match, NULL)) {
    g_autofree char *name = g_match_info_fetch (match, 1);
    g_autofree char *member = g_strdup_printf ("\n  %s ", name);

    if (!g_strv_contains (names, name) && strstr (text, member) == NULL)
      g_error ("STRUCTS in %s lacks %s", __FILE__, name);
  }
}

/* A member is a number of four bytes, a struct, or an array of either; there is
 * no other line with a semicolon between the braces. */
static void
test_members (void)
{
  g_autofree char *text = read_files ();
  g_autoptr (GRegex) structs =
      g_regex_new ("typedef struct\n\\{(.*?)\n\\}", G_REGEX_DOTALL, 0, NULL);
  g_autoptr (GRegex) wrong = g_regex_new (
      "^ *(?!(amphisto_u?int|float|\\w+_params) \\w+[][\\w +*/]*; *$)\\S.*$",
      G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  g_assert_true (g_regex_match (structs, text, 0, &match));
  for (; g_match_info_matches (match); g_match_info_next (match, NULL)) {
    g_autofree char *members = g_match_info_fetch (match, 1);
    g_autoptr (GMatchInfo) found = NULL;

    if (g_regex_match (wrong, members, 0, &found)) {
      g_autofree char *member = g_match_info_fetch (found, 0);

      g_error ("not of four bytes: %s", member);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_cl_add ("/params/sizes", AMPHISTO_CL_SHAPE_CPU, test_sizes, NULL);
  g_test_add_func ("/params/names", test_names);
  g_test_add_func ("/params/members", test_members);
  return g_test_run ();
}
