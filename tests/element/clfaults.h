/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * OpenCL calls that fail on demand. The plugin calls these instead of OpenCL's
 * if the executable has and exports them; they call OpenCL's.
 */

#ifndef CLFAULTS_H
#define CLFAULTS_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <glib.h>

/* From now on the n-th call fails, counted from 1, and no other; 0: none does.
 * name: count only the calls of that function; NULL: all. */
void clfaults_set (const gchar *name, guint n);

/* The status of calls that fail, unless it was set. */
#define CLFAULTS_STATUS CL_OUT_OF_RESOURCES
void clfaults_set_status (cl_int status);
cl_int clfaults_status (void);

/* What clCreateBuffer() is called by where the buffer is to be host memory. If
 * it fails, the memory is copied. */
#define CLFAULTS_IMPORT "clCreateBuffer of host memory"

/* The name of the call that failed since clfaults_set(), or NULL. */
const gchar *clfaults_failed (void);

/* How often the function of that name was called since clfaults_count(). */
void clfaults_count (const gchar *name);
guint clfaults_n_calls (void);

/* The kernels that were made, and those that were launched, since
 * clfaults_forget_kernels(): their names in order, each once and with a blank
 * behind it. Returns: (transfer full). */
void clfaults_forget_kernels (void);
gchar *clfaults_made_kernels (void);
gchar *clfaults_launched_kernels (void);

/* Contexts, queues, programs, kernels, buffers and events, created or retained
 * and not released. */
gint clfaults_n_alive (void);

/* Whether sources of programs are replaced by one that does not build, since it
 * uses `no_such_type`. */
void clfaults_break_sources (gboolean is_broken);

/* Whether host memory that OpenCL is to allocate, so that it is pinned, is
 * refused every time. */
void clfaults_refuse_pinned (gboolean is_refused);

/* Making a program takes so many microseconds longer from now on. */
void clfaults_delay_programs (gulong us);

/* The same of calls of that function; NULL: of none. */
void clfaults_delay (const gchar *name, gulong us);

/* What is wrong in results from now on: the first bin, or the first byte of a
 * plane. */
typedef enum
{
  CLFAULTS_NOTHING,
  CLFAULTS_BINS,
  CLFAULTS_PIXELS
} ClFaultsCorrupted;

void clfaults_corrupt (ClFaultsCorrupted corrupted);

/* For cldevices.c: whether this call, of that name, fails; and OpenCL's. */
gboolean clfaults_fails (const gchar *name);
gpointer clfaults_real (const gchar *name);

#endif
