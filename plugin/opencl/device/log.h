/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The log of this layer, for reports of mistakes and slowness: the devices and
 * their limits, the builds and launches of each plan, and why memory is copied.
 * Frames log nothing, except the first one that meets an obstacle.
 */

#pragma once

#include <glib.h>
#include <stdarg.h>

/* Numbered like GStreamer's levels. */
typedef enum
{
  AMPHISTO_CL_LOG_WARNING = 2, /* devices and drivers that fail */
  AMPHISTO_CL_LOG_INFO = 4,    /* devices, builds, obstacles */
  AMPHISTO_CL_LOG_DEBUG = 5    /* plans, queues, memory */
} AmphistoClLogLevel;

/* Where the log goes. Any thread calls these. */
typedef struct
{
  gboolean (*is_enabled) (AmphistoClLogLevel level);
  /* writes the message, unless its level is disabled */
  void (*write) (AmphistoClLogLevel level, const char *file,
      const char *function, int line, const char *format, va_list args)
      G_GNUC_PRINTF (5, 0);
} AmphistoClLog;

/* Sets where the log goes; NULL, as initially: nowhere. Call this before the
 * layer is used; `log` must live as long as the process. */
void amphisto_cl_log_set (const AmphistoClLog *log);

/* Whether to find out something for the log alone. */
gboolean amphisto_cl_log_is_enabled (AmphistoClLogLevel level);

void amphisto_cl_log (AmphistoClLogLevel level, const char *file,
    const char *function, int line, const char *format, ...)
    G_GNUC_PRINTF (5, 6);

#define AMPHISTO_CL_LOG(LEVEL, ...)                                            \
  amphisto_cl_log (                                                            \
      AMPHISTO_CL_LOG_##LEVEL, __FILE__, G_STRFUNC, __LINE__, __VA_ARGS__)
