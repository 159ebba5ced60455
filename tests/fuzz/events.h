/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Events, queries, hostile buffers and failures between frames.
 */

#pragma once

#include "sequence.h"

/* Sends one of them to the tried element and checks what comes of it, or does
 * nothing. */
void fuzz_send_something (FuzzSequence *sequence);
