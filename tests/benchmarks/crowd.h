/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Contenders that run at once.
 */

#ifndef CROWD_H
#define CROWD_H

#include "bench.h"

/* A contender that runs each of the `n` members (transfer full), 16 at most, in
 * a thread of its own. Its number of frames is that of each member.
 *
 * Returns: (transfer full): the contender. */
Contender *crowd_new (Contender *const *members, guint n);

#endif
