/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What downstream of a harness answers to ALLOCATION queries, and what upstream
 * gets.
 */

#pragma once

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

/* What downstream proposes; all 0: nothing. */
typedef struct
{
  GstBufferPool *pool;
  guint size; /* of the pool's buffers; 0: of the frame */
  guint min, max;
  GstAllocator *allocator;
  GstAllocationParams params;
} Proposal;

/* The proposal must stay valid until the harness is freed. */
void harness_propose (GstHarness *h, Proposal *proposal);

/* Calls the probe for queries that downstream has answered. */
void harness_probe_queries (
    GstHarness *h, GstPadProbeCallback probe, gpointer user_data);

/* Returns: (transfer full): the element's answer, for its caps. */
GstQuery *harness_query_allocation (GstHarness *h, gboolean needs_pool);

/* Returns: (transfer full): pool `i` of the answer, or NULL. */
GstBufferPool *query_pool (GstQuery *query, guint i);

/* Returns: (transfer full): the allocator that is proposed first, or NULL. */
GstAllocator *query_allocator (GstQuery *query);

/* Configures the pool for buffers with GstVideoMeta, at least `min` and at most
 * `max` (0: any number), and activates it. allocator: may be NULL. */
void pool_activate (GstBufferPool *pool, GstCaps *caps, guint size, guint min,
    guint max, GstAllocator *allocator);

/* Returns: (transfer full): a buffer of the pool, which must have one now. */
GstBuffer *pool_acquire (GstBufferPool *pool);

/* Returns: (transfer full): the active pool that the element proposes to
 * upstream, or NULL without a proposal. */
GstBufferPool *harness_propose_pool (GstHarness *h);
