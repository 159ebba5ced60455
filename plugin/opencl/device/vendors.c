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
visit_icd (AmphistoClVendorFunc func, gpointer user_data, const char *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *library = NULL;

  if (!g_file_get_contents (file, &library, NULL, &error))
    func (file, NULL, error->message, user_data);
  else if (*g_strstrip (library) == '\0')
    func (file, NULL, "it names no library", user_data);
  else
    func (file, library, NULL, user_data);
}

static void
visit_folder (AmphistoClVendorFunc func, gpointer user_data, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *file = g_build_filename (folder, name, NULL);

    if (g_str_has_suffix (name, ".icd"))
      visit_icd (func, user_data, file);
  }
}

/* As libOpenCL(7) says, the variable names a folder, a file (in the folder, if
 * it has no slash), or a library. */
void
amphisto_cl_vendors_foreach (AmphistoClVendorFunc func, gpointer user_data)
{
  const char *folder = value_of ("OPENCL_VENDOR_PATH", FOLDER);
  const char *chosen = value_of ("OCL_ICD_VENDORS", folder);
  g_autofree char *in_folder = g_build_filename (folder, chosen, NULL);

  if (g_file_test (chosen, G_FILE_TEST_IS_DIR) || chosen == folder)
    visit_folder (func, user_data, chosen);
  else if (!g_str_has_suffix (chosen, ".icd"))
    func (chosen, chosen, NULL, user_data);
  else if (strchr (chosen, '/') == NULL
      && g_file_test (in_folder, G_FILE_TEST_EXISTS))
    visit_icd (func, user_data, in_folder);
  else
    visit_icd (func, user_data, chosen);
}

/* --- problems --- */

static void
append_problem (GString *text, const char *file, const char *why)
{
  g_autofree char *shown = g_filename_display_name (file);
  g_autofree char *valid = g_utf8_make_valid (why, -1);

  g_string_append_printf (text, "%sthe driver of %s can't be loaded: %s",
      text->len > 0 ? "; " : "", shown, valid);
}

static void
try_library (
    const char *file, const char *library, const char *why, gpointer text)
{
  void *handle =
      library != NULL ? dlopen (library, RTLD_LAZY | RTLD_LOCAL) : NULL;

  if (handle == NULL)
    append_problem (text, file, why != NULL ? why : dlerror ());
  else
    dlclose (handle);
}

char *
amphisto_cl_vendors_problem (void)
{
  GString *text = g_string_new (NULL);

  amphisto_cl_vendors_foreach (try_library, text);
  return g_string_free (text, text->len == 0);
}
