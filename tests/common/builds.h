/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Programs of test programs. In the quick size they have the code for all
 * plans, so that the device's compiler sees each kernel once, not in up to
 * sixteen variants; and the device builds a source with the same options once,
 * not for each case that opens the device anew.
 *
 * Contexts that are released are kept for that, and come back when the next one
 * is made; so those that are open at a time are as different as OpenCL's. Their
 * buffers, queues and kernels are made anew. Whoever uses a context or program
 * that is released, gets an error. The other sizes do without.
 */

#pragma once

/* Returns: the function that keeps contexts or programs for OpenCL's function
 * of that name; or NULL. */
void *test_builds_find (const char *name);

/* Returns: the function of that name that follows the test program's: OpenCL's,
 * or that of a library that is loaded before it (oclgrind). clfaults.c has its
 * own. */
void *test_builds_next (const char *name);
