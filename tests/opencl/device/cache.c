/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The place of PoCL's cache, and the reports if it is not writable.
 */

#define _GNU_SOURCE /* RTLD_NEXT */

#include "opencl/device/cache.h"
#include "assertions.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

/* --- the folder --- */

static const struct
{
  const char *chosen, *caches, *home, *folder;
} choices[] = {
  { "/a/b", "/c", "/d", "/a/b" },
  { NULL, "/c", "/d", "/c/pocl/kcache" },
  { NULL, "", "/d", "/d/.cache/pocl/kcache" },
  { NULL, NULL, "/d", "/d/.cache/pocl/kcache" },
  { NULL, NULL, NULL, "/tmp/pocl/kcache" },
};

static void
set_variable (const char *name, const char *value)
{
  if (value != NULL)
    g_setenv (name, value, TRUE);
  else
    g_unsetenv (name);
}

static void
test_folder (void)
{
  for (guint i = 0; IS_ROW (choices, i); i++) {
    g_autofree char *folder = NULL;

    set_variable ("POCL_CACHE_DIR", choices[i].chosen);
    set_variable ("XDG_CACHE_HOME", choices[i].caches);
    set_variable ("HOME", choices[i].home);
    folder = amphisto_cl_cache_folder ();
    g_assert_cmpstr (folder, ==, choices[i].folder);
  }
}

/* --- reports --- */

/* Folders that everybody may write to, one within the other; and the user who
 * asks. The superuser asks as another user, since everything is writable for
 * the superuser. */
typedef struct
{
  char *path[3];
  uid_t user;
} Fixture;

static void
fixture_init (Fixture *self, gconstpointer data)
{
  (void) data;
  self->path[0] = g_dir_make_tmp ("cache-XXXXXX", NULL);
  self->path[1] = g_build_filename (self->path[0], "FD", NULL);
  self->path[2] = g_build_filename (self->path[1], "program", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (self->path); i++) {
    if (i > 0)
      g_assert_cmpint (g_mkdir (self->path[i], 0777), ==, 0);
    g_assert_cmpint (g_chmod (self->path[i], 0777), ==, 0);
  }
  self->user = geteuid () == 0 ? NOBODY : geteuid ();
}

static void
fixture_clear (Fixture *self, gconstpointer data)
{
  (void) data;
  for (guint i = 0; i < G_N_ELEMENTS (self->path); i++)
    g_assert_cmpint (g_chmod (self->path[i], 0777), ==, 0);
  for (guint i = G_N_ELEMENTS (self->path); i-- > 0;) {
    g_assert_cmpint (g_rmdir (self->path[i]), ==, 0);
    g_free (self->path[i]);
  }
}

static char *
name_of (uid_t user)
{
  const struct passwd *entry = getpwuid (user);

  return entry != NULL ? g_strdup (entry->pw_name)
                       : g_strdup_printf ("%u", (guint) user);
}

/* Writes the report for the user to the pipe. */
static void
tell (const Fixture *self, const char *folder, int pipe_end)
{
  g_autofree char *problem = NULL;

  if (geteuid () == 0
      && (setgroups (0, NULL) != 0 || setgid (NOBODY) != 0
          || setuid (NOBODY) != 0))
    _exit (1);
  if (geteuid () != self->user)
    _exit (1);
  problem = amphisto_cl_cache_problem (folder);
  if (problem != NULL
      && write (pipe_end, problem, strlen (problem))
          != (ssize_t) strlen (problem))
    _exit (1);
  _exit (0);
}

/* Returns: (transfer full): the report for the user; "": none. */
static char *
problem_for_user (const Fixture *self, const char *folder)
{
  char *text = g_malloc0 (4096);
  int ends[2], status;
  pid_t child;

  g_assert_cmpint (pipe (ends), ==, 0);
  child = fork ();
  g_assert_cmpint (child, !=, -1);
  if (child == 0)
    tell (self, folder, ends[1]);
  close (ends[1]);
  g_assert_cmpint (read (ends[0], text, 4095), >=, 0);
  close (ends[0]);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  return text;
}

/* The cache, or a folder in it, belongs to another user. */
static void
test_unwritable (Fixture *self, gconstpointer data)
{
  g_autofree char *owner = name_of (geteuid ());
  g_autofree char *user = name_of (self->user);

  (void) data;
  for (guint i = 0; i < G_N_ELEMENTS (self->path); i++) {
    g_autofree char *expected =
        g_strdup_printf ("PoCL's cache folder %s belongs to user %s and cannot "
                         "be written by user %s",
            self->path[i], owner, user);
    g_autofree char *before = problem_for_user (self, self->path[0]);
    g_autofree char *problem = NULL;

    g_assert_cmpstr (before, ==, "");
    g_assert_cmpint (g_chmod (self->path[i], 0555), ==, 0);
    problem = problem_for_user (self, self->path[0]);
    g_assert_cmpstr (problem, ==, expected);
    g_assert_cmpint (g_chmod (self->path[i], 0777), ==, 0);
  }
}

/* The cache does not exist. */
static void
test_missing (Fixture *self, gconstpointer data)
{
  g_autofree char *folder =
      g_build_filename (self->path[2], "pocl", "kcache", NULL);
  g_autofree char *owner = name_of (geteuid ());
  g_autofree char *user = name_of (self->user);
  g_autofree char *expected =
      g_strdup_printf ("PoCL's cache folder %s cannot be made by user %s, "
                       "because %s belongs to user %s",
          folder, user, self->path[2], owner);
  g_autofree char *before = problem_for_user (self, folder);
  g_autofree char *problem = NULL;

  (void) data;
  g_assert_cmpstr (before, ==, "");
  g_assert_cmpint (g_chmod (self->path[2], 0555), ==, 0);
  problem = problem_for_user (self, folder);
  g_assert_cmpstr (problem, ==, expected);
}

/* --- other reasons --- */

static const char *read_only; /* the folder on such a file system, or NULL */

/* libc's, beside such a file system. */
int
faccessat (int folder, const char *path, int mode, int flags)
{
  if (g_strcmp0 (path, read_only) == 0 && (mode & W_OK) != 0) {
    errno = EROFS;
    return -1;
  }
  return ((__typeof__ (&faccessat)) dlsym (RTLD_NEXT, "faccessat")) (
      folder, path, mode, flags);
}

/* The cache (0), or the folder to make it in (1), is on a read-only file
 * system; or a file is in its place (2). */
static void
test_reason (Fixture *self, gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);
  g_autofree char *user = name_of (geteuid ());
  g_autofree char *folder =
      g_build_filename (self->path[2], i == 0 ? NULL : "kcache", NULL);
  g_autofree char *expected = i == 1
      ? g_strdup_printf ("PoCL's cache folder %s cannot be made by user %s, "
                         "because %s is on a read-only file system",
          folder, user, self->path[2])
      : g_strdup_printf (
          "PoCL's cache folder %s %s and cannot be written by user %s", folder,
          i == 0 ? "is on a read-only file system" : "is no folder", user);
  g_autofree char *problem = NULL;

  read_only = i < 2 ? self->path[2] : NULL;
  if (i == 2)
    g_assert_true (g_file_set_contents (folder, "", 0, NULL));
  problem = amphisto_cl_cache_problem (folder);
  g_assert_cmpstr (problem, ==, expected);
  read_only = NULL;
  if (i == 2)
    g_assert_no_errno (g_unlink (folder));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/cache/unwritable", Fixture, NULL, fixture_init, test_unwritable,
      fixture_clear);
  g_test_add ("/cache/missing", Fixture, NULL, fixture_init, test_missing,
      fixture_clear);
  g_test_add ("/cache/read-only", Fixture, GUINT_TO_POINTER (0), fixture_init,
      test_reason, fixture_clear);
  g_test_add ("/cache/read-only-parent", Fixture, GUINT_TO_POINTER (1),
      fixture_init, test_reason, fixture_clear);
  g_test_add ("/cache/file", Fixture, GUINT_TO_POINTER (2), fixture_init,
      test_reason, fixture_clear);
  /* changes the environment */
  g_test_add_func ("/cache/folder", test_folder);
  return g_test_run ();
}
