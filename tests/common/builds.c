/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define _GNU_SOURCE /* RTLD_NEXT */

#include "builds.h"
#include "size.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__ (&name)) test_builds_next (#name))

/* The tests of elements do not link OpenCL's library. */
void *
test_builds_next (const char *name)
{
  static void *library = NULL;
  void *next;

  if (library == NULL)
    library = dlsym (RTLD_NEXT, "clGetPlatformIDs") != NULL
        ? RTLD_NEXT
        : dlopen ("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  next = library != NULL ? dlsym (library, name) : NULL;
  if (next == NULL)
    g_error ("libOpenCL.so.1 has no %s", name);
  return next;
}

typedef struct
{
  cl_context context;
  cl_device_id device;
  gboolean is_released;
} Context;

/* Contexts and built programs are never freed. */
static struct
{
  GMutex lock;
  pid_t process; /* which made them */
  GArray *contexts;
  GHashTable *sources; /* cl_program in use → context and source; owned */
  GHashTable *built;   /* context, source and options → cl_program; owned */
  GHashTable *same;    /* cl_program → cl_program that was built before */
} kept;

/* Returns: (transfer full): the lock; or NULL if nothing is kept. Drivers don't
 * survive a fork(). */
static GMutexLocker *
lock_kept (void)
{
  GMutexLocker *locker;

  if (test_size () == TEST_SMALL)
    return NULL;
  locker = g_mutex_locker_new (&kept.lock);
  if (kept.process == getpid ())
    return locker;
  kept.process = getpid ();
  kept.contexts = g_array_new (FALSE, FALSE, sizeof (Context));
  kept.sources = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  kept.built = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  kept.same = g_hash_table_new (NULL, NULL);
  return locker;
}

static void
set_status (cl_int *status, cl_int value)
{
  if (status != NULL)
    *status = value;
}

/* --- contexts --- */

/* Returns: a released context of the device, or NULL. */
static cl_context
reopen_context (cl_device_id device)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = lock_kept ();

  for (guint i = 0; locker != NULL && i < kept.contexts->len; i++) {
    Context *context = &g_array_index (kept.contexts, Context, i);

    if (context->is_released && context->device == device) {
      context->is_released = FALSE;
      return context->context;
    }
  }
  return NULL;
}

static cl_context
create_context (const cl_context_properties *properties, cl_uint n,
    const cl_device_id *devices,
    void (CL_CALLBACK *notify) (const char *, const void *, size_t, void *),
    void *data, cl_int *status)
{
  Context made = { reopen_context (*devices), *devices, FALSE };
  g_autoptr (GMutexLocker) locker = NULL;

  set_status (status, CL_SUCCESS);
  if (made.context != NULL)
    return made.context;
  made.context =
      NEXT (clCreateContext) (properties, n, devices, notify, data, status);
  locker = lock_kept ();
  if (locker != NULL && made.context != NULL)
    g_array_append_val (kept.contexts, made);
  return made.context;
}

/* Returns: the context if it is kept, or NULL. Call with the lock. */
static Context *
find_context (cl_context context)
{
  for (guint i = 0; i < kept.contexts->len; i++) {
    Context *made = &g_array_index (kept.contexts, Context, i);

    if (made->context == context)
      return made;
  }
  return NULL;
}

/* Call with the lock. */
static gboolean
is_released (cl_context context)
{
  const Context *made = find_context (context);

  return made != NULL && made->is_released;
}

static cl_int
release_context (cl_context context)
{
  g_autoptr (GMutexLocker) locker = lock_kept ();
  Context *made = locker != NULL ? find_context (context) : NULL;

  if (made == NULL)
    return NEXT (clReleaseContext) (context);
  if (made->is_released)
    return CL_INVALID_CONTEXT;
  made->is_released = TRUE;
  return CL_SUCCESS;
}

/* --- programs --- */

/* Notes a program; `source` is NULL if it is in parts, and then shared with no
 * other. Call with the lock. */
static void
add_source (cl_program program, cl_context context, const char *source)
{
  g_hash_table_insert (kept.sources, program,
      source != NULL ? g_strdup_printf ("%p\n%s", (void *) context, source)
                     : g_strdup_printf ("%p", (void *) program));
}

static cl_program
create_program (cl_context context, cl_uint n, const char **strings,
    const size_t *lengths, cl_int *status)
{
  g_autoptr (GMutexLocker) locker = lock_kept ();
  cl_program program;

  if (locker != NULL && is_released (context)) {
    set_status (status, CL_INVALID_CONTEXT);
    return NULL;
  }
  program =
      NEXT (clCreateProgramWithSource) (context, n, strings, lengths, status);
  if (locker != NULL && program != NULL)
    add_source (
        program, context, n == 1 && lengths == NULL ? strings[0] : NULL);
  return program;
}

/* Returns: (transfer full): what the program is built from, or NULL. */
static char *
describe (cl_program program, const char *options)
{
  g_autoptr (GMutexLocker) locker = lock_kept ();
  const char *source =
      locker != NULL ? g_hash_table_lookup (kept.sources, program) : NULL;

  return source != NULL ? g_strconcat (options, "\n", source, NULL) : NULL;
}

/* Whether the same has been built before. */
static gboolean
share_built (cl_program program, const char *description)
{
  g_autoptr (GMutexLocker) locker = lock_kept ();
  cl_program built =
      locker != NULL ? g_hash_table_lookup (kept.built, description) : NULL;

  if (built == NULL)
    return FALSE;
  g_hash_table_insert (kept.same, program, built);
  return TRUE;
}

static void
keep_built (cl_program program, char *description)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = lock_kept ();

  if (NEXT (clRetainProgram) (program) == CL_SUCCESS)
    g_hash_table_insert (kept.built, description, program);
}

/* Returns: (transfer none): the options, with the code for all plans unless
 * variants are wanted. */
static const char *
common_options (const char *options)
{
  const gboolean has_variants = test_size () != TEST_QUICK
      && g_strcmp0 (g_getenv ("AMPHISTO_TEST_VARIANTS"), "0") != 0;
  g_autofree char *text = NULL;

  if (has_variants || options == NULL)
    return options;
  text = g_strdup (options);
  for (char *at = text; (at = strstr (at, "-DHAS_")) != NULL;) {
    at = strchr (at, '=') + 1;
    *at = '1';
  }
  return g_intern_string (text);
}

/* --- programs that are not optimized --- */

/* PoCL takes longer to optimize the GPU shape of these kernels than they take
 * to run without in the quick tier: one kernel of each program. */
static const char *const dear_kernels[] = { "calculate_curves",
  "colour_waveform", "draw_exposure", "draw_gamut", "draw_peaking",
  "draw_rgb_gamut", "draw_vectorscope", "measure_waveform", "write_race" };

static gboolean
has_dear_kernel (cl_program program)
{
  g_autofree char *source = describe (program, "");

  for (guint i = 0; source != NULL && i < G_N_ELEMENTS (dear_kernels); i++) {
    g_autofree char *definition = g_strdup_printf ("\n%s (", dear_kernels[i]);

    if (strstr (source, definition) != NULL)
      return TRUE;
  }
  return FALSE;
}

/* A GPU's driver is left to itself, also PoCL's. */
static gboolean
is_pocl_cpu (cl_device_id device)
{
  cl_device_type type = 0;
  char version[256] = "";

  return NEXT (clGetDeviceInfo) (
             device, CL_DEVICE_TYPE, sizeof type, &type, NULL)
      == CL_SUCCESS
      && type == CL_DEVICE_TYPE_CPU
      && NEXT (clGetDeviceInfo) (
             device, CL_DEVICE_VERSION, sizeof version - 1, version, NULL)
      == CL_SUCCESS
      && strstr (version, "PoCL") != NULL;
}

/* Returns: (transfer none): the options for the program. PoCL's compiler
 * crashes with -cl-opt-disable, but not with attributes of kernels. */
static const char *
choose_options (cl_program program, cl_device_id device, const char *options)
{
  const char *common = common_options (options);
  g_autofree char *text = NULL;

  if (test_size () != TEST_QUICK || common == NULL
      || strstr (common, "-DAMPHISTO_GPU") == NULL || !is_pocl_cpu (device)
      || !has_dear_kernel (program))
    return common;
  text = g_strconcat (
      common, " -Dkernel=__attribute__((optnone,noinline))__kernel", NULL);
  return g_intern_string (text);
}

static cl_int
build_program (cl_program program, cl_uint n, const cl_device_id *devices,
    const char *options, void (CL_CALLBACK *notify) (cl_program, void *),
    void *data)
{
  const char *chosen = choose_options (program, *devices, options);
  g_autofree char *description =
      chosen != NULL ? describe (program, chosen) : NULL;
  cl_int status;

  if (description != NULL && share_built (program, description))
    return CL_SUCCESS;
  status = NEXT (clBuildProgram) (program, n, devices, chosen, notify, data);
  if (description != NULL && status == CL_SUCCESS)
    keep_built (program, g_steal_pointer (&description));
  return status;
}

/* Returns: the program with the kernels; NULL: the program was released. */
static cl_program
find_built (cl_program program)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = lock_kept ();
  cl_program built;

  if (locker == NULL)
    return program;
  if (!g_hash_table_contains (kept.sources, program))
    return NULL;
  built = g_hash_table_lookup (kept.same, program);
  return built != NULL ? built : program;
}

static cl_kernel
create_kernel (cl_program program, const char *name, cl_int *status)
{
  const cl_program built = find_built (program);

  if (built != NULL)
    return NEXT (clCreateKernel) (built, name, status);
  set_status (status, CL_INVALID_PROGRAM);
  return NULL;
}

static cl_int
release_program (cl_program program)
{
  g_autoptr (GMutexLocker) locker = lock_kept ();

  if (locker != NULL && !g_hash_table_remove (kept.sources, program))
    return CL_INVALID_PROGRAM;
  if (locker != NULL)
    g_hash_table_remove (kept.same, program);
  return NEXT (clReleaseProgram) (program);
}

/* --- the calls --- */

void *
test_builds_find (const char *name)
{
  static const struct
  {
    const char *name;
    void *function;
  } calls[] = {
    { "clCreateContext", create_context },
    { "clReleaseContext", release_context },
    { "clCreateProgramWithSource", create_program },
    { "clBuildProgram", build_program },
    { "clCreateKernel", create_kernel },
    { "clReleaseProgram", release_program },
  };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    if (strcmp (calls[i].name, name) == 0)
      return calls[i].function;
  return NULL;
}

/* The plugin calls these before the library's. Weak: clfaults.c has its own. */
#define CALL(type, name, parameters, function, arguments)                      \
  __attribute__ ((weak)) type name parameters                                  \
  {                                                                            \
    return function arguments;                                                 \
  }

/* clang-format off */
CALL (cl_context, clCreateContext,
    (const cl_context_properties *properties, cl_uint n,
        const cl_device_id *devices,
        void (CL_CALLBACK *notify) (
            const char *, const void *, size_t, void *),
        void *data, cl_int *status),
    create_context, (properties, n, devices, notify, data, status))
CALL (cl_int, clReleaseContext, (cl_context context),
    release_context, (context))
CALL (cl_program, clCreateProgramWithSource,
    (cl_context context, cl_uint n, const char **strings,
        const size_t *lengths, cl_int *status),
    create_program, (context, n, strings, lengths, status))
CALL (cl_int, clBuildProgram,
    (cl_program program, cl_uint n, const cl_device_id *devices,
        const char *options, void (CL_CALLBACK *notify) (cl_program, void *),
        void *data),
    build_program, (program, n, devices, options, notify, data))
CALL (cl_kernel, clCreateKernel,
    (cl_program program, const char *name, cl_int *status),
    create_kernel, (program, name, status))
CALL (cl_int, clReleaseProgram, (cl_program program),
    release_program, (program))
/* clang-format on */
