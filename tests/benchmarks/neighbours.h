/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Other work on the machine: a process on each core that is busy all the time.
 */

#ifndef NEIGHBOURS_H
#define NEIGHBOURS_H

/* Starts them; they end with this process at the latest. Call it from the main
 * thread, once until they are stopped. */
void neighbours_start (void);

void neighbours_stop (void);

#endif
