/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parameters of the test kernels of packed uchars, for host and device.
 */

#ifndef ACCESS_PARAMS_H
#define ACCESS_PARAMS_H

#ifdef __OPENCL_VERSION__
typedef uint access_uint;
#else
#include <stdint.h>
typedef uint32_t access_uint;
#endif

/* Work-item i accesses uchar n = i % n_uchars, `rounds` times, which is column
 * n % width of row n / width. The first row begins at byte `offset` of the
 * words, the next ones `step` bytes apart. */
typedef struct
{
  access_uint n_uchars;
  access_uint width;
  access_uint step;
  access_uint offset;
  access_uint rounds;
  /* only work-items whose uchar is this byte of its word do so; LANES: all */
  access_uint lane;
  /* whether consecutive i are in different work-groups */
  access_uint is_spread;
  /* local memory: the number of words of a work-group */
  access_uint group_words;
  /* how often a work-item looks whether another one is there */
  access_uint patience;
} access_params;

#define LANES 4

/* What work-item i writes or adds in a round: a number of more than 8 bits, of
 * up to 8 bits, and so little that sums do not carry. */
#define ACCESS_VALUE(i, round) ((i) *37 + (round) *101 + 11)
#define ACCESS_VALUE_8BIT(i, round) (((i) *5 + (round) *3) & 31)
#define ACCESS_VALUE_SMALL(i, round) ((i) &1)

#endif
