/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "opencl/graticule.h"

gboolean
amphisto_cl_graticule_upload (AmphistoClQueue *queue, AmphistoClParams *buffer,
    AmphistoClArg arg, AmphistoGraticule *graticule, GError **error)
{
  const gboolean ok = amphisto_cl_queue_upload (queue, buffer, arg,
      graticule->light,
      (gsize) graticule->width * graticule->height * sizeof *graticule->light,
      error);

  amphisto_graticule_clear (graticule);
  return ok;
}

gboolean
amphisto_cl_graticule_set_no_memory (GError **error)
{
  g_set_error_literal (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_CALL,
      "there is no memory for the graticule");
  return FALSE;
}
