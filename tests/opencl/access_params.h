/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the test kernels of packed characters do, for host and device.
 */

#ifndef ACCESS_PARAMS_H
#define ACCESS_PARAMS_H

#ifdef __OPENCL_VERSION__
typedef uint access_uint;
#else
#include <stdint.h>
typedef uint32_t access_uint;
#endif

/* Work-item i works on character i % n_chars, `rounds` times: on column
 * i % n_chars % width of row i % n_chars / width. The first row begins at byte
 * `offset` of the words, the next `step` bytes on. */
typedef struct
{
  access_uint n_chars;
  access_uint width;
  access_uint step;
  access_uint offset;
  access_uint rounds;
  /* only work-items whose character is this byte of its word work; LANES: all
   */
  access_uint lane;
  /* not 0: neighbouring i are in different work-groups, else they are
   * neighbours in one */
  access_uint is_spread;
  /* local memory: words that are a work-group's */
  access_uint group_words;
} access_params;

#define LANES 4

/* What work-item i writes or adds in a round: of more than a character's eight
 * bits; within them; and little enough for sums not to carry. */
#define ACCESS_VALUE(i, round) ((i) *37 + (round) *101 + 11)
#define ACCESS_VALUE_8BIT(i, round) (((i) *5 + (round) *3) & 31)
#define ACCESS_VALUE_SMALL(i, round) ((i) &1)

#endif
