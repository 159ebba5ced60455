/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "opencl/device/search.h"

/* Opens the first device that `choice` allows.
 *
 * Returns: (transfer full): the device, or NULL with an error as in
 * amphisto_cl_search_next() or amphisto_cl_search_new(). */
static inline AmphistoClDevice *
test_open_device (const char *choice, GError **error)
{
  AmphistoClSearch *search = amphisto_cl_search_new (choice, error);
  AmphistoClDevice *device = NULL;

  if (search == NULL)
    return NULL;
  device = amphisto_cl_search_next (search, error);
  amphisto_cl_search_free (search);
  return device;
}
