/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/device/vendors.h"

#include <dlfcn.h>
#include <string.h>

#define FOLDER "/etc/OpenCL/vendors"

/* Returns: the variable's value, or `otherwise` if it is unset or empty. */
static const char *
value_of (const char *variable, const char *otherwise)
{
  const char *value = g_getenv (variable);

  return value != NULL && *value != '\0' ? value : otherwise;
}

static void
append_problem (GString *text, const char *file, const char *why)
{
  g_autofree char *shown = g_filename_display_name (file);
  g_autofree char *valid = g_utf8_make_valid (why, -1);

  g_string_append_printf (text, "%sthe driver of %s can't be loaded: %s",
      text->len > 0 ? "; " : "", shown, valid);
}

/* file: that names the library. */
static void
try_library (GString *text, const char *file, const char *library)
{
  void *handle = dlopen (library, RTLD_LAZY | RTLD_LOCAL);

  if (handle == NULL)
    append_problem (text, file, dlerror ());
  else
    dlclose (handle);
}

static void
try_icd (GString *text, const char *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *library = NULL;

  if (!g_file_get_contents (file, &library, NULL, &error))
    append_problem (text, file, error->message);
  else if (*g_strstrip (library) == '\0')
    append_problem (text, file, "it names no library");
  else
    try_library (text, file, library);
}

static void
try_folder (GString *text, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *file = g_build_filename (folder, name, NULL);

    if (g_str_has_suffix (name, ".icd"))
      try_icd (text, file);
  }
}

/* As libOpenCL(7) says, the variable names a folder, a file (in the folder, if
 * it has no slash), or a library. */
char *
amphisto_cl_vendors_problem (void)
{
  const char *folder = value_of ("OPENCL_VENDOR_PATH", FOLDER);
  const char *chosen = value_of ("OCL_ICD_VENDORS", folder);
  g_autofree char *in_folder = g_build_filename (folder, chosen, NULL);
  GString *text = g_string_new (NULL);

  if (g_file_test (chosen, G_FILE_TEST_IS_DIR) || chosen == folder)
    try_folder (text, chosen);
  else if (!g_str_has_suffix (chosen, ".icd"))
    try_library (text, chosen, chosen);
  else if (strchr (chosen, '/') == NULL
      && g_file_test (in_folder, G_FILE_TEST_EXISTS))
    try_icd (text, in_folder);
  else
    try_icd (text, chosen);
  return g_string_free (text, text->len == 0);
}
