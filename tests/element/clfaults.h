/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * OpenCL calls that fail on demand. If the executable exports these functions,
 * the plugin calls them instead of the library's, to which they forward.
 */

#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include "size.h"
#include <CL/cl.h>
#include <glib.h>

/* Makes only the n-th call fail, counted from 1; 0: none. name: count only
 * calls of this function; NULL: all. */
void clfaults_set (const gchar *name, guint n);

/* Makes the first call fail that has not failed before in the same way: from
 * the same place in the code, called by the same functions, and as often in
 * this run. Of many times, the first, second, fourth and so on count. */
void clfaults_set_next_way (void);

/* In the full tier, clfaults_set_next_way(). */
static inline void
clfaults_set_in_turn (guint n)
{
  if (test_size () == TEST_FULL)
    clfaults_set_next_way ();
  else
    clfaults_set (NULL, n);
}

/* Makes all calls of this function fail, or of all functions if NULL, with a
 * chance of 1 in `one_in`; 0: none. */
void clfaults_set_chance (const gchar *name, guint one_in);

/* The default status of failing calls. */
#define CLFAULTS_STATUS CL_OUT_OF_RESOURCES
void clfaults_set_status (cl_int status);
cl_int clfaults_status (void);

/* Whether clWaitForEvents() does not return: frames stay in flight. */
void clfaults_hold_frames (gboolean holds);

/* The name of clCreateBuffer() if the buffer is host memory. If it fails, the
 * memory is copied. */
#define CLFAULTS_IMPORT "clCreateBuffer of host memory"

/* Returns: the memory of the last such buffer. */
gconstpointer clfaults_imported (void);

/* Returns: the name of the call that failed since clfaults_set(), or NULL. */
const gchar *clfaults_failed (void);

/* Returns: the number of calls of this function since clfaults_count(). */
void clfaults_count (const gchar *name);
guint clfaults_n_calls (void);

/* Returns: (transfer full): the kernels that were created, or launched, since
 * clfaults_forget_kernels(): their names in order, each once, with a blank
 * after it. */
void clfaults_forget_kernels (void);
gchar *clfaults_made_kernels (void);
gchar *clfaults_launched_kernels (void);

/* Returns: the number of contexts, queues, programs, kernels, buffers and
 * events that were created or retained, and not released. */
gint clfaults_n_alive (void);

/* Whether programs get a source that does not build, because it uses
 * `no_such_type`. */
void clfaults_break_sources (gboolean is_broken);

/* Whether OpenCL refuses to allocate host memory, which would be pinned. */
void clfaults_refuse_pinned (gboolean is_refused);

/* Makes calls of this function take this many microseconds longer; NULL: of
 * none.
 */
void clfaults_delay (const gchar *name, gulong us);

/* Has calls of this function wait that other threads make, until this is called
 * for NULL, or for 5 seconds. Returns: whether one waits now. */
void clfaults_block (const gchar *name);
gboolean clfaults_is_blocking (void);

/* Delays the device: each clEnqueueWriteBuffer(), and the commands behind it in
 * its queue, begin `us` microseconds later. 0 ends the delay; writes that are
 * held begin at once. */
void clfaults_hold_writes (gulong us);

/* Returns: the number of writes that are held. */
guint clfaults_n_held (void);

/* The results that are corrupted from now on: the first bin, or the first byte
 * of a plane. */
typedef enum
{
  CLFAULTS_NOTHING,
  CLFAULTS_BINS,
  CLFAULTS_PIXELS
} ClFaultsCorrupted;

void clfaults_corrupt (ClFaultsCorrupted corrupted);

/* For clfaults.c: notes a kernel. Return: what they get. */
const gchar *clfaults_note_made (const gchar *name);
cl_kernel clfaults_note_launched (cl_kernel kernel);

/* For cldevices.c: whether this call of this name fails; and OpenCL's function.
 */
gboolean clfaults_fails (const gchar *name);
gpointer clfaults_real (const gchar *name);
#define CLFAULTS_REAL(name) ((__typeof__ (&name)) clfaults_real (#name))
