/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The structs of parameters have the same layout on host and device. Members of
 * four bytes, numbers and structs of such, leave nothing to either compiler: it
 * is enough that there are no others, and that the sizes are the same.
 */

#include "opencl/run/program.h"
#include "cltest.h"
#include "cl/clahe_params.h"
#include "cl/drawing_params.h"
#include "cl/exposure_params.h"
#include "cl/frame_params.h"
#include "cl/histogram_scope_params.h"
#include "cl/outline_params.h"
#include "cl/scope_params.h"
#include "cl/vectorscope_params.h"
#include "cl/waveform_params.h"

/* Each struct in the file of its name. */
#define STRUCTS(X)                                                             \
  X (frame_params)                                                             \
  X (clahe_params)                                                             \
  X (drawing_params)                                                           \
  X (exposure_params)                                                          \
  X (outline_params)                                                           \
  X (scope_params)                                                             \
  X (histogram_scope_params)                                                   \
  X (waveform_params)                                                          \
  X (vectorscope_params)

#define SIZE(type) sizeof (type),
#define FILE_NAME(type) #type ".h",
#define INCLUDE(type) "#include \"" #type ".h\"\n"
#define STORE_SIZE(type) "*sizes++ = sizeof (" #type ");\n"

static const guint32 host_sizes[] = { STRUCTS (SIZE) };
static const char *const files[] = { STRUCTS (FILE_NAME) };
static const char source[] =
    STRUCTS (INCLUDE) "kernel void store_sizes (global uint *sizes) "
                      "{\n" STRUCTS (STORE_SIZE) "}\n";

#define N G_N_ELEMENTS (files)

static void
test_sizes (TestCl *cl)
{
  cl_mem buffer = test_cl_buffer (cl, NULL, sizeof host_sizes);
  guint32 sizes[N];

  test_cl_build (cl, source, "");
  test_cl_run (cl, test_cl_kernel (cl, "store_sizes", buffer, NULL), 1, 1);
  test_cl_read (cl, buffer, sizes, sizeof sizes);
  g_assert_cmpmem (sizes, sizeof sizes, host_sizes, sizeof host_sizes);
}

/* A member is a number of four bytes, a struct, or an array of either; there is
 * no other line with a semicolon between the braces. */
static void
test_members (void)
{
  g_autoptr (GRegex) structs =
      g_regex_new ("typedef struct\n\\{(.*?)\n\\}", G_REGEX_DOTALL, 0, NULL);
  g_autoptr (GRegex) comments =
      g_regex_new ("/\\*.*?\\*/", G_REGEX_DOTALL, 0, NULL);
  g_autoptr (GRegex) wrong = g_regex_new (
      "^ *(?!(amphisto_u?int|float|\\w+_params) \\w+[][\\w +*/]*; *$)\\S.*$",
      G_REGEX_MULTILINE, 0, NULL);

  for (gsize i = 0; i < N; i++) {
    g_autoptr (GMatchInfo) match = NULL;
    g_autofree char *text = g_regex_replace_literal (
        comments, amphisto_cl_source (files[i]), -1, 0, "", 0, NULL);

    g_assert_true (g_regex_match (structs, text, 0, &match));
    for (; g_match_info_matches (match); g_match_info_next (match, NULL)) {
      g_autofree char *members = g_match_info_fetch (match, 1);
      g_autoptr (GMatchInfo) found = NULL;

      if (g_regex_match (wrong, members, 0, &found)) {
        g_autofree char *member = g_match_info_fetch (found, 0);

        g_error ("%s: %s", files[i], member);
      }
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_cl_add ("/params/sizes", AMPHISTO_CL_SHAPE_CPU, test_sizes, NULL);
  g_test_add_func ("/params/members", test_members);
  return g_test_run ();
}
