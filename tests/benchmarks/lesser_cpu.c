/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * PoCL asks LLVM for the CPU's features. The executable defines a function of
 * the same name, which the loader finds first: it calls LLVM's function and
 * clears features in the result. This depends on the layout of LLVM's
 * StringMap, and on the function's name, which changed in LLVM 19.
 */

#define _GNU_SOURCE /* dladdr */

#include "lesser_cpu.h"
#include "bench.h"

#include <dlfcn.h>
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

/* llvm::StringMapEntry<bool> */
typedef struct
{
  size_t name_length;
  bool is_there;
  alignas (size_t) char name[];
} Feature;

/* llvm::StringMap<bool>: a hash table without deleted entries. Free places are
 * NULL. */
typedef struct
{
  Feature **places;
  unsigned int n_places;
  unsigned int n_features;
  unsigned int n_deleted;
  unsigned int feature_size;
} Features;

/* bool llvm::sys::getHostCPUFeatures (StringMap<bool> &) */
#define GET_FEATURES                                                           \
  "_ZN4llvm3sys18getHostCPUFeaturesERNS_9StringMapIbNS_15MallocAllocatorEEE"
bool get_features (Features *features) __asm__(GET_FEATURES);

typedef struct
{
  const gchar *name;
  const gchar *lacks;  /* prefix of the missing features' names */
  const gchar *device; /* part of the device's name */
} LesserCpu;

static const LesserCpu cpus[] = { { "avx2", "avx512", "haswell" },
  { "sse4.1", "avx", "penryn" } };

static const LesserCpu *chosen;

/* Calls the function of the LLVM that the caller is linked with. */
static bool
get_real_features (const void *caller, Features *features)
{
  bool (*get) (Features *) = NULL;
  void *library = NULL;
  Dl_info info;

  if (dladdr (caller, &info) != 0)
    library = dlopen (info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library != NULL)
    get = (bool (*) (Features *)) dlsym (library, GET_FEATURES);
  if (get == NULL)
    bench_fail ("LLVM's getHostCPUFeatures() is missing.");
  return get (features);
}

bool
get_features (Features *features)
{
  const bool ok = get_real_features (__builtin_return_address (0), features);

  for (guint i = 0; chosen != NULL && i < features->n_places; i++) {
    Feature *feature = features->places[i];

    if (feature != NULL && g_str_has_prefix (feature->name, chosen->lacks))
      feature->is_there = false;
  }
  return ok;
}

/* A cache per CPU, so that kernels for different CPUs are never mixed up. */
static void
use_own_cache (const gchar *cpu)
{
  const gchar *usual = g_getenv ("POCL_CACHE_DIR");
  g_autofree gchar *cache = usual != NULL
      ? g_strdup_printf ("%s-%s", usual, cpu)
      : g_build_filename (g_get_user_cache_dir (), "pocl", cpu, NULL);

  g_setenv ("POCL_CACHE_DIR", cache, TRUE);
}

void
lesser_cpu_pretend (const gchar *cpu)
{
  for (guint i = 0; i < G_N_ELEMENTS (cpus); i++)
    if (g_str_equal (cpus[i].name, cpu))
      chosen = &cpus[i];
  if (chosen == NULL)
    bench_fail ("Unknown CPU \"%s\"; use " LESSER_CPUS ".", cpu);
  use_own_cache (cpu);
}

void
lesser_cpu_check (const gchar *device)
{
  if (chosen != NULL && strstr (device, chosen->device) == NULL)
    bench_fail ("\"%s\" does not compile kernels for %s. This needs a CPU with "
                "%s, and PoCL with LLVM 15 to 18.",
        device, chosen->name, chosen->name);
}
