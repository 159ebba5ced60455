/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* for faccessat() */
#define _POSIX_C_SOURCE 200809L

#include "opencl/device/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

/* Levels of subfolders down to the programs. */
#define DEPTH 2

char *
amphisto_cl_cache_folder (void)
{
  const char *chosen = g_getenv ("POCL_CACHE_DIR");
  const char *caches = g_getenv ("XDG_CACHE_HOME");
  const char *home = g_getenv ("HOME");

  if (chosen != NULL)
    return g_strdup (chosen);
  if (caches != NULL && *caches != '\0')
    return g_build_filename (caches, "pocl", "kcache", NULL);
  if (home != NULL)
    return g_build_filename (home, ".cache", "pocl", "kcache", NULL);
  return g_strdup ("/tmp/pocl/kcache");
}

static char *
user_name (uid_t id)
{
  struct passwd entry, *found = NULL;
  char memory[4096];

  if (getpwuid_r (id, &entry, memory, sizeof memory, &found) == 0
      && found != NULL)
    return g_strdup (found->pw_name);
  return g_strdup_printf ("%u", (guint) id);
}

/* Returns: (transfer full): a folder that can't be written to, either `folder`
 * or a subfolder down to `depth` levels; or NULL. */
static char *
find_unwritable (const char *folder, guint depth)
{
  g_autoptr (GDir) dir = NULL;
  char *found = NULL;
  const char *name;

  if (faccessat (AT_FDCWD, folder, R_OK | W_OK | X_OK, AT_EACCESS) != 0)
    return g_strdup (folder);
  if (depth > 0)
    dir = g_dir_open (folder, 0, NULL);
  while (dir != NULL && found == NULL && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    if (g_file_test (path, G_FILE_TEST_IS_DIR))
      found = find_unwritable (path, depth - 1);
  }
  return found;
}

/* Returns: (transfer full): the folder, or its closest parent that exists. */
static char *
find_existing (const char *folder)
{
  char *path = g_canonicalize_filename (folder, NULL);

  while (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    char *parent = g_path_get_dirname (path);

    g_free (path);
    path = parent;
  }
  return path;
}

/* Returns: (transfer full): what keeps the user from writing to `culprit`, as
 * the rest of a sentence. */
static char *
describe_culprit (const char *culprit)
{
  g_autofree char *owner = NULL;
  struct stat status;

  if (faccessat (AT_FDCWD, culprit, W_OK, AT_EACCESS) != 0 && errno == EROFS)
    return g_strdup ("is on a read-only file system");
  if (!g_file_test (culprit, G_FILE_TEST_IS_DIR))
    return g_strdup ("is no folder");
  owner = stat (culprit, &status) == 0 ? user_name (status.st_uid)
                                       : g_strdup ("unknown");
  return g_strdup_printf ("belongs to user %s", owner);
}

/* `culprit`: the folder because of which `folder` can't be written to, or
 * made. */
static char *
describe_problem (const char *folder, const char *culprit)
{
  g_autofree char *shown_folder = g_filename_display_name (folder);
  g_autofree char *shown_culprit = g_filename_display_name (culprit);
  g_autofree char *user = user_name (geteuid ());
  g_autofree char *why = describe_culprit (culprit);

  if (g_file_test (folder, G_FILE_TEST_EXISTS))
    return g_strdup_printf ("PoCL's cache folder %s %s and cannot be written "
                            "by user %s",
        shown_culprit, why, user);
  return g_strdup_printf ("PoCL's cache folder %s cannot be made by user %s, "
                          "because %s %s",
      shown_folder, user, shown_culprit, why);
}

char *
amphisto_cl_cache_problem (const char *folder)
{
  const gboolean exists = g_file_test (folder, G_FILE_TEST_EXISTS);
  g_autofree char *existing = find_existing (folder);
  g_autofree char *culprit = find_unwritable (existing, exists ? DEPTH : 0);

  return culprit != NULL ? describe_problem (folder, culprit) : NULL;
}
