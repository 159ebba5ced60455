/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * OpenCL, with faults: the calls of the plugin come here first, if this is
 * linked into the executable and exported by it, and go on to the real OpenCL.
 */

#ifndef CLFAULTS_H
#define CLFAULTS_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <glib.h>

/* The n-th call from now on (from 1) fails, and no other; 0: none does. Of
 * calls named `name` only, or of all if NULL. */
void clfaults_set (const gchar *name, guint n);

/* The code that the call fails with, CL_OUT_OF_RESOURCES. */
#define CLFAULTS_STATUS CL_OUT_OF_RESOURCES

/* The name of the call that failed, or NULL while none did. */
const gchar *clfaults_failed (void);

/* Contexts, queues, programs, kernels, buffers and events, created or retained
 * and not released. */
gint clfaults_n_alive (void);

/* The sources of programs to come do not build, for want of `no_such_type`. */
void clfaults_break_sources (gboolean is_broken);

/* Making a program takes so many microseconds longer from now on. */
void clfaults_delay_programs (gulong us);

/* What the device gets wrong from now on: the first bin that is read, or the
 * first byte of what is mapped or read for its pixels. */
typedef enum
{
  CLFAULTS_NOTHING,
  CLFAULTS_BINS,
  CLFAULTS_PIXELS
} ClFaultsCorrupted;

void clfaults_corrupt (ClFaultsCorrupted corrupted);

#endif
