/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define _GNU_SOURCE /* sched_setaffinity */

#include "neighbours.h"
#include "bench.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t neighbours[CPU_SETSIZE];
static guint n_neighbours;

G_NORETURN static void
be_busy (guint core)
{
  cpu_set_t cores;

  CPU_ZERO (&cores);
  CPU_SET (core, &cores);
  if (sched_setaffinity (0, sizeof cores, &cores) != 0
      || prctl (PR_SET_PDEATHSIG, SIGKILL) != 0)
    _exit (EXIT_FAILURE);
  for (volatile guint i = 0;; i++)
    ;
}

void
neighbours_start (void)
{
  cpu_set_t cores;

  if (sched_getaffinity (0, sizeof cores, &cores) != 0)
    bench_fail ("It is unknown which cores there are.");
  for (guint core = 0; core < CPU_SETSIZE; core++) {
    pid_t pid;

    if (!CPU_ISSET (core, &cores))
      continue;
    pid = fork ();
    if (pid < 0)
      bench_fail ("A busy process can't be started.");
    if (pid == 0)
      be_busy (core);
    neighbours[n_neighbours++] = pid;
  }
}

void
neighbours_stop (void)
{
  while (n_neighbours > 0) {
    const pid_t pid = neighbours[--n_neighbours];

    kill (pid, SIGKILL);
    waitpid (pid, NULL, 0);
  }
}
