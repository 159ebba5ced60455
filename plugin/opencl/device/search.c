/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/device/search.h"
#include "opencl/device/cache.h"
#include "opencl/device/drivers.h"
#include "opencl/device/log.h"
#include "opencl/device/vendors.h"

#include <string.h>

/* The platform's name. */
#define POCL "Portable Computing Language"

/* A device, or a platform that offers none or failed. */
typedef struct
{
  guint platform_index;
  guint device_index;
  AmphistoClDeviceId which; /* id is NULL: it is a platform; its name is owned,
                             * NULL if unknown */
  cl_device_type type;      /* 0 if unknown */
  char *platform_name;      /* NULL if unknown */
  GError *why;              /* why it can't be used, or NULL */
} Candidate;

struct _AmphistoClSearch
{
  char *choice;          /* NULL: any device */
  GPtrArray *candidates; /* in the order of `clinfo -l` */
  GPtrArray *matches;    /* candidates to try, in this order; not owned */
  guint n_tried;
};

static void
candidate_free (Candidate *candidate)
{
  g_free ((gpointer) candidate->which.name);
  g_free (candidate->platform_name);
  g_clear_error (&candidate->why);
  g_free (candidate);
}

/* Appends the candidate's number, its known names, and the first line of its
 * error. */
static void
describe (GString *text, const Candidate *candidate)
{
  if (candidate->which.id == NULL)
    g_string_append_printf (text, "platform %u", candidate->platform_index);
  else
    g_string_append_printf (
        text, "%u.%u", candidate->platform_index, candidate->device_index);
  if (candidate->which.name != NULL)
    g_string_append_printf (text, " \"%s\"", candidate->which.name);
  if (candidate->platform_name != NULL)
    g_string_append_printf (text, " (%s)", candidate->platform_name);
  if (candidate->why != NULL) {
    g_auto (GStrv) lines = g_strsplit (candidate->why->message, "\n", 2);

    if (g_str_has_suffix (lines[0], "."))
      lines[0][strlen (lines[0]) - 1] = '\0';
    g_string_append_printf (text, ": %s", lines[0]);
  }
}

/* broken: the drivers that can't be loaded, or NULL. */
static char *
describe_all (const GPtrArray *candidates, const char *broken)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < candidates->len; i++) {
    if (i > 0)
      g_string_append (text, "; ");
    describe (text, g_ptr_array_index (candidates, i));
  }
  if (broken != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", broken);
  return g_string_free (text, FALSE);
}

static void
log_skipped (const Candidate *candidate)
{
  g_autoptr (GString) text = g_string_new (NULL);

  describe (text, candidate);
  AMPHISTO_CL_LOG (WARNING, "skipped: %s", text->str);
}

/* --- the list --- */

/* Names may be any bytes. They are made valid UTF-8, since they are compared
 * without case, and become part of messages and a property. */

static char *
device_name (cl_device_id id, GError **error)
{
  gsize size = 0;
  cl_int status = clGetDeviceInfo (id, CL_DEVICE_NAME, 0, NULL, &size);
  g_autofree char *value = g_malloc0 (size + 1);

  if (status == CL_SUCCESS)
    status = clGetDeviceInfo (id, CL_DEVICE_NAME, size, value, NULL);
  if (!amphisto_cl_check (status, "clGetDeviceInfo", error))
    return NULL;
  return g_utf8_make_valid (g_strstrip (value), -1);
}

static char *
platform_name (cl_platform_id id, GError **error)
{
  gsize size = 0;
  cl_int status = clGetPlatformInfo (id, CL_PLATFORM_NAME, 0, NULL, &size);
  g_autofree char *value = g_malloc0 (size + 1);

  if (status == CL_SUCCESS)
    status = clGetPlatformInfo (id, CL_PLATFORM_NAME, size, value, NULL);
  if (!amphisto_cl_check (status, "clGetPlatformInfo", error))
    return NULL;
  return g_utf8_make_valid (g_strstrip (value), -1);
}

/* Returns: (transfer full): advice on how to make PoCL offer devices. */
static char *
pocl_cure (void)
{
  const char *drivers = amphisto_cl_drivers_chosen ();
  g_autofree char *shown =
      drivers != NULL ? g_utf8_make_valid (drivers, -1) : NULL;
  g_autofree char *folder = amphisto_cl_cache_folder ();
  g_autofree char *problem = amphisto_cl_cache_problem (folder);

  if (problem != NULL)
    return g_strdup_printf (
        "; %s: set POCL_CACHE_DIR to another folder", problem);
  if (shown != NULL)
    return g_strdup_printf (
        "; POCL_DEVICES limits PoCL to \"%s\": unset the variable", shown);
  return g_strdup ("; PoCL needs a folder that it can write to: set "
                   "POCL_CACHE_DIR to one");
}

/* Returns: the platform's devices, or NULL with CALL, or with NOT_FOUND if it
 * has none. */
static cl_device_id *
platform_devices (
    cl_platform_id platform, const char *name, cl_uint *n, GError **error)
{
  g_autofree cl_device_id *ids = NULL;
  cl_int status = clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, 0, NULL, n);

  if (status == CL_DEVICE_NOT_FOUND || (status == CL_SUCCESS && *n == 0)) {
    g_autofree char *cure =
        strcmp (name, POCL) == 0 ? pocl_cure () : g_strdup ("");

    g_set_error (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND,
        "it offers no device%s", cure);
    return NULL;
  }
  ids = g_new0 (cl_device_id, MAX (*n, 1));
  if (status == CL_SUCCESS)
    status = clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, *n, ids, NULL);
  return amphisto_cl_check (status, "clGetDeviceIDs", error)
      ? g_steal_pointer (&ids)
      : NULL;
}

static Candidate *
add_candidate (AmphistoClSearch *self, cl_platform_id platform, guint index,
    const char *name)
{
  Candidate *candidate = g_new0 (Candidate, 1);

  candidate->which.platform = platform;
  candidate->platform_index = index;
  candidate->platform_name = g_strdup (name);
  g_ptr_array_add (self->candidates, candidate);
  return candidate;
}

static void
add_device (Candidate *candidate, cl_device_id id, guint index)
{
  candidate->which.id = id;
  candidate->device_index = index;
  if (amphisto_cl_check (clGetDeviceInfo (id, CL_DEVICE_TYPE,
                             sizeof candidate->type, &candidate->type, NULL),
          "clGetDeviceInfo", &candidate->why))
    candidate->which.name = device_name (id, &candidate->why);
}

static void
list_platform (AmphistoClSearch *self, cl_platform_id platform, guint index)
{
  g_autoptr (GError) why = NULL;
  g_autofree char *name = platform_name (platform, &why);
  g_autofree cl_device_id *ids = NULL;
  cl_device_id inline_id = NULL;
  cl_uint n = 0, first = 0;

  if (name != NULL)
    ids = platform_devices (platform, name, &n, &why);
  if (ids == NULL) {
    add_candidate (self, platform, index, name)->why = g_steal_pointer (&why);
    return;
  }
  if (amphisto_cl_drivers_has_inline (ids, n)) /* users see that CPU once */
    inline_id = ids[first++];
  for (cl_uint i = first; i < n; i++) {
    Candidate *candidate = add_candidate (self, platform, index, name);

    add_device (candidate, ids[i], i - first);
    candidate->which.inline_id = g_steal_pointer (&inline_id);
  }
}

static gboolean
list_platforms (AmphistoClSearch *self, GError **error)
{
  cl_uint n = 0;
  g_autofree cl_platform_id *platforms = NULL;
  cl_int status = clGetPlatformIDs (0, NULL, &n);

  if (status == CL_PLATFORM_NOT_FOUND_KHR || (status == CL_SUCCESS && n == 0))
    return TRUE;
  platforms = g_new0 (cl_platform_id, MAX (n, 1));
  if (status == CL_SUCCESS)
    status = clGetPlatformIDs (n, platforms, NULL);
  if (!amphisto_cl_check (status, "clGetPlatformIDs", error))
    return FALSE;
  for (cl_uint i = 0; i < n; i++)
    list_platform (self, platforms[i], i);
  return TRUE;
}

/* Lists all devices of all platforms, in the loader's order. */
static gboolean
list_candidates (AmphistoClSearch *self, GError **error)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker =
      g_mutex_locker_new (&amphisto_cl_drivers_lock);
  gboolean ok;

  amphisto_cl_drivers_begin_listing ();
  ok = list_platforms (self, error);
  amphisto_cl_drivers_end_listing ();
  return ok;
}

/* --- the choice --- */

static gboolean
contains (const char *name, const char *part)
{
  g_autofree char *folded = name != NULL ? g_utf8_casefold (name, -1) : NULL;

  return folded != NULL && strstr (folded, part) != NULL;
}

static gboolean
matches (const Candidate *candidate, const char *choice)
{
  g_autofree char *part = g_utf8_casefold (choice, -1);
  g_autofree char *index = g_strdup_printf (
      "%u.%u", candidate->platform_index, candidate->device_index);

  if (g_ascii_strcasecmp (choice, "cpu") == 0)
    return (candidate->type & CL_DEVICE_TYPE_CPU) != 0;
  if (g_ascii_strcasecmp (choice, "gpu") == 0)
    return (candidate->type & CL_DEVICE_TYPE_GPU) != 0;
  if (g_ascii_strcasecmp (choice, "accelerator") == 0)
    return (candidate->type & CL_DEVICE_TYPE_ACCELERATOR) != 0;
  if (g_regex_match_simple ("^[0-9]+\\.[0-9]+$", choice, 0, 0))
    return strcmp (index, choice) == 0;
  return contains (candidate->which.name, part)
      || contains (candidate->platform_name, part);
}

/* Finds the first device that matches the choice. */
static void
find_chosen (AmphistoClSearch *self)
{
  for (guint i = 0; i < self->candidates->len; i++) {
    Candidate *candidate = g_ptr_array_index (self->candidates, i);

    if (candidate->which.id != NULL && matches (candidate, self->choice)) {
      g_ptr_array_add (self->matches, candidate);
      return;
    }
  }
}

static void
find_of_type (AmphistoClSearch *self, cl_device_type type)
{
  for (guint i = 0; i < self->candidates->len; i++) {
    Candidate *candidate = g_ptr_array_index (self->candidates, i);

    if (candidate->why == NULL && (candidate->type & type) != 0)
      g_ptr_array_add (self->matches, candidate);
  }
}

/* Logs the candidates, and what failed while they were listed. The loader says
 * nothing about drivers that it can't load. A platform without devices has not
 * failed. */
static void
log_candidates (const AmphistoClSearch *self)
{
  g_autofree char *list = NULL;
  g_autofree char *broken = NULL;

  if (!amphisto_cl_log_is_enabled (AMPHISTO_CL_LOG_WARNING))
    return;
  list = describe_all (self->candidates, NULL);
  broken = amphisto_cl_vendors_problem ();
  AMPHISTO_CL_LOG (INFO, "devices: %s", list);
  if (broken != NULL)
    AMPHISTO_CL_LOG (WARNING, "%s", broken);
  for (guint i = 0; i < self->candidates->len; i++) {
    const Candidate *candidate = g_ptr_array_index (self->candidates, i);

    if (candidate->why != NULL
        && candidate->why->code != AMPHISTO_CL_ERROR_NOT_FOUND)
      log_skipped (candidate);
  }
}

AmphistoClSearch *
amphisto_cl_search_new (const char *choice, GError **error)
{
  AmphistoClSearch *self = g_new0 (AmphistoClSearch, 1);

  if (choice == NULL || *choice == '\0')
    choice = g_getenv ("AMPHISTO_DEVICE");
  if (choice != NULL && *choice != '\0')
    self->choice = g_utf8_make_valid (choice, -1);
  self->candidates =
      g_ptr_array_new_with_free_func ((GDestroyNotify) candidate_free);
  self->matches = g_ptr_array_new ();
  if (!list_candidates (self, error)) {
    amphisto_cl_search_free (self);
    return NULL;
  }
  log_candidates (self);
  if (self->choice != NULL) {
    find_chosen (self);
  } else {
    find_of_type (self, CL_DEVICE_TYPE_GPU);
    find_of_type (self, CL_DEVICE_TYPE_ACCELERATOR);
    find_of_type (self, CL_DEVICE_TYPE_CPU);
  }
  return self;
}

void
amphisto_cl_search_free (AmphistoClSearch *self)
{
  g_ptr_array_unref (self->matches);
  g_ptr_array_unref (self->candidates);
  g_free (self->choice);
  g_free (self);
}

/* --- errors --- */

/* Whether every platform works, but reports no device. */
static gboolean
has_no_device (const AmphistoClSearch *self)
{
  for (guint i = 0; i < self->candidates->len; i++) {
    const Candidate *candidate = g_ptr_array_index (self->candidates, i);

    if (!g_error_matches (
            candidate->why, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND)
        || candidate->which.id != NULL)
      return FALSE;
  }
  return TRUE;
}

/* Returns: (transfer full): the error, in one line. */
static char *
describe_error (const AmphistoClSearch *self)
{
  g_autofree char *broken = amphisto_cl_vendors_problem ();
  g_autofree char *list = describe_all (self->candidates, broken);
  g_autofree char *chosen = describe_all (self->matches, NULL);

  if (self->candidates->len == 0 && broken == NULL)
    return g_strdup (
        "There is no OpenCL device on this machine. Install a "
        "driver: the package pocl-opencl-icd has one for the CPU.");
  if (has_no_device (self))
    return g_strdup_printf ("There is no OpenCL device on this machine: %s.%s",
        list,
        strstr (list, POCL) != NULL
            ? ""
            : " The package pocl-opencl-icd has a driver for the "
              "CPU.");
  if (self->choice == NULL)
    return g_strdup_printf (
        "No OpenCL GPU, accelerator or CPU can be used: %s.", list);
  if (self->matches->len == 0)
    return g_strdup_printf (
        "No OpenCL device matches \"%s\". There are: %s.", self->choice, list);
  return g_strdup_printf ("The OpenCL device can't be used: %s.", chosen);
}

/* Every match has failed. */
static void
set_error (const AmphistoClSearch *self, GError **error)
{
  const GPtrArray *tried =
      self->choice == NULL ? self->candidates : self->matches;
  g_autofree char *line = describe_error (self);
  g_autoptr (GString) logs = g_string_new (NULL);
  AmphistoClError code = AMPHISTO_CL_ERROR_NOT_FOUND;

  for (guint i = 0; i < tried->len; i++) {
    const GError *why = ((Candidate *) g_ptr_array_index (tried, i))->why;

    if (why == NULL)
      continue;
    if (code == AMPHISTO_CL_ERROR_NOT_FOUND)
      code = why->code;
    g_string_append (logs, why->message + strcspn (why->message, "\n"));
  }
  g_set_error (error, AMPHISTO_CL_ERROR, code, "%s%s", line, logs->str);
}

/* --- the search --- */

AmphistoClDevice *
amphisto_cl_search_next (AmphistoClSearch *self, GError **error)
{
  while (self->n_tried < self->matches->len) {
    const Candidate *next = g_ptr_array_index (self->matches, self->n_tried++);
    g_autoptr (GError) why = NULL;
    AmphistoClDevice *device;

    if (next->why != NULL)
      continue;
    device = amphisto_cl_device_open (&next->which, &why);
    if (device != NULL)
      return device;
    amphisto_cl_search_reject (self, why);
  }
  set_error (self, error);
  return NULL;
}

void
amphisto_cl_search_reject (AmphistoClSearch *self, const GError *why)
{
  Candidate *candidate = g_ptr_array_index (self->matches, self->n_tried - 1);

  candidate->why = g_error_copy (why);
  if (self->choice == NULL)
    log_skipped (candidate);
}
