/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/device/log.h"

static const AmphistoClLog *current;

void
amphisto_cl_log_set (const AmphistoClLog *log)
{
  current = log;
}

gboolean
amphisto_cl_log_is_enabled (AmphistoClLogLevel level)
{
  return current != NULL && current->is_enabled (level);
}

void
amphisto_cl_log (AmphistoClLogLevel level, const char *file,
    const char *function, int line, const char *format, ...)
{
  va_list args;

  if (current == NULL)
    return;
  va_start (args, format);
  current->write (level, file, function, line, format, args);
  va_end (args);
}
