/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * clfaults.h: OpenCL's functions, and the names of kernels.
 */

#include "builds.h"
#include "clfaults.h"

#include <string.h>

gpointer
clfaults_real (const gchar *name)
{
  const gpointer keeping = test_builds_find (name);

  return keeping != NULL ? keeping : test_builds_next (name);
}

/* --- the names of kernels --- */

static GMutex kernels_lock;
static GTree *made_kernels, *launched_kernels; /* of gchar *, owned */

static gint
compare_names (gconstpointer a, gconstpointer b, gpointer data)
{
  (void) data;
  return strcmp (a, b);
}

static void
note_kernel (GTree **names, const char *name)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&kernels_lock);

  if (*names != NULL)
    g_tree_insert (*names, g_strdup (name), NULL);
}

const gchar *
clfaults_note_made (const gchar *name)
{
  note_kernel (&made_kernels, name);
  return name;
}

cl_kernel
clfaults_note_launched (cl_kernel kernel)
{
  char name[64] = "";

  if (clGetKernelInfo (
          kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL)
      == CL_SUCCESS)
    note_kernel (&launched_kernels, name);
  return kernel;
}

static void
forget_names (GTree **names)
{
  g_clear_pointer (names, g_tree_unref);
  *names = g_tree_new_full (compare_names, NULL, g_free, NULL);
}

void
clfaults_forget_kernels (void)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&kernels_lock);

  forget_names (&made_kernels);
  forget_names (&launched_kernels);
}

static gboolean
append_name (gpointer name, gpointer value, gpointer text)
{
  (void) value;
  g_string_append_printf (text, "%s ", (const gchar *) name);
  return FALSE;
}

static gchar *
join_names (GTree *names)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&kernels_lock);
  GString *text = g_string_new (NULL);

  g_tree_foreach (names, append_name, text);
  return g_string_free (text, FALSE);
}

gchar *
clfaults_made_kernels (void)
{
  return join_names (made_kernels);
}

gchar *
clfaults_launched_kernels (void)
{
  return join_names (launched_kernels);
}
