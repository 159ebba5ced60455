/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How work is divided on a device.
 */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct
{
  bool is_gpu_shape;
  uint32_t n_groups; /* work-groups that count a frame */
  uint32_t n_slices; /* slices of rows for changing pixels */
  /* GPU shape: bytes of local memory per counting group, if several run on a
   * compute unit at once; and if one group has all of it */
  size_t local_memory;
  size_t max_local_memory;
} AmphistoDivision;
