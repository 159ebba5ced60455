/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The OpenCL programs of the tests. In the quick size, and in all sizes if
 * AMPHISTO_TEST_VARIANTS is 0, they have the code for all plans, so that the
 * compiler sees each kernel once, not in up to sixteen variants. In the quick
 * size, the dearest programs of the GPU shape are not optimized, see
 * ../README.md. In the quick and in the full size, a source is built once with
 * the same options, even if cases open the device anew.
 *
 * For that, a released context is kept: the next clCreateContext() for its
 * device returns it again. Contexts that are open at the same time are still
 * different ones. Buffers, queues and kernels are not kept. It is an error to
 * use a released context or program. The small size keeps nothing: valgrind,
 * ThreadSanitizer and drivers that delay can see early releases.
 */

#pragma once

/* Returns: the function that replaces OpenCL's function of that name, to keep
 * contexts or programs; or NULL. */
void *test_builds_find (const char *name);

/* Returns: OpenCL's function of that name. Under oclgrind, which is loaded
 * before OpenCL's library, it is oclgrind's. */
void *test_builds_next (const char *name);
