/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of the test kernels for packed uchars, for host and device.
 */

#pragma once

#ifdef __OPENCL_VERSION__
typedef uint access_uint;
#else
#include <stdint.h>
typedef uint32_t access_uint;
#endif

/* Work-item i accesses uchar n = i % n_uchars, `rounds` times: column n % width
 * of row n / width. The first row begins at byte `offset` of the words, and the
 * next ones follow every `step` bytes. */
typedef struct
{
  access_uint n_uchars;
  access_uint width;
  access_uint step;
  access_uint offset;
  access_uint rounds;
  /* only work-items whose uchar is this byte of its word access it; LANES: all
   */
  access_uint lane;
  /* whether consecutive i are in different work-groups */
  access_uint is_spread;
  /* local memory: number of words per work-group */
  access_uint group_words;
  /* number of times that a work-item checks whether another one has come */
  access_uint patience;
} access_params;

#define LANES 4

/* The value that work-item i writes or adds in a round: more than 8 bits, up to
 * 8 bits, and so small that sums do not carry. */
#define ACCESS_VALUE(i, round) ((i) *37 + (round) *101 + 11)
#define ACCESS_VALUE_8BIT(i, round) (((i) *5 + (round) *3) & 31)
#define ACCESS_VALUE_SMALL(i, round) ((i) &1)
