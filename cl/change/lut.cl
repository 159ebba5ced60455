/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Looks up values in a LUT of 256 bytes.
 *
 * CPUs that can permute the bytes or words of a vector look up many values at
 * once, much faster than with a load for each. The form is chosen by the
 * compiler's macros for the CPU. Build options can override LUT_FORM, as tests
 * do.
 */

#pragma once

#include "pixels/pixels.cl"

/* LOADS: a load for each value.
 * TABLES: 16 values at once, in tables of 64 (ARM).
 * SHUFFLES_16, SHUFFLES_32: 16 or 32 values at once, in tables of 16 (x86).
 * PERMUTES: 64 values at once, in tables of 128 (AVX-512).
 * CPUs with a later x86 form support the earlier ones, too. PoCL (3.1 to 7.1)
 * does not report NEON to the compiler; all aarch64 CPUs that run Linux have
 * it. */
#define LUT_LOADS 0
#define LUT_TABLES 1
#define LUT_SHUFFLES_16 2
#define LUT_SHUFFLES_32 3
#define LUT_PERMUTES 4

#ifndef LUT_FORM
#if defined AMPHISTO_GPU
#define LUT_FORM LUT_LOADS
#elif defined __AVX512BW__ && __has_builtin(__builtin_ia32_vpermi2varhi512)
#define LUT_FORM LUT_PERMUTES
#elif defined __AVX2__ && __has_builtin(__builtin_ia32_pshufb256)
#define LUT_FORM LUT_SHUFFLES_32
#elif defined __SSSE3__ && __has_builtin(__builtin_ia32_pshufb128)
#define LUT_FORM LUT_SHUFFLES_16
#elif defined __aarch64__ && __has_builtin(__builtin_neon_vqtbl4q_v)
#define LUT_FORM LUT_TABLES
#else
#define LUT_FORM LUT_LOADS
#endif
#endif

/* The LUT's address space. GPUs' constant memory is fast only if all work-items
 * read the same address. */
#ifdef AMPHISTO_GPU
#define LUT const global
#else
#define LUT constant
#endif

#if LUT_FORM == LUT_PERMUTES
typedef short short32 __attribute__ ((ext_vector_type (32)));
#endif

/* The LUT, ready for look-ups. pairs: of their 128 elements, the i-th has value
 * i in its lower byte and value i + 128 in its upper one. */
typedef struct
{
  LUT uchar *values;
#if LUT_FORM == LUT_PERMUTES
  short32 pairs[4];
#endif
} lut_view;

INLINE lut_view
view_lut (LUT uchar *values)
{
  lut_view lut;

  lut.values = values;
#if LUT_FORM == LUT_PERMUTES
  for (uint i = 0; i < 8; i++) {
    const uchar16 low = as_uchar16 (((LUT bytes16 *) values)[i]);
    const uchar16 high = as_uchar16 (((LUT bytes16 *) values)[i + 8]);

    ((ushort16 *) lut.pairs)[i] = upsample (high, low);
  }
#endif
  return lut;
}

/* The word with each of its bytes mapped: bytes 0 and 2 by the LUT `even`. */
INLINE uint
map_word (lut_view even, lut_view odd, uint word)
{
  return even.values[word & 0xff] | (uint) odd.values[word >> 8 & 0xff] << 8
      | (uint) even.values[word >> 16 & 0xff] << 16
      | (uint) odd.values[word >> 24] << 24;
}

INLINE uint4
map_4_words (lut_view even, lut_view odd, uint4 words)
{
  return (uint4) (map_word (even, odd, words.x), map_word (even, odd, words.y),
      map_word (even, odd, words.z), map_word (even, odd, words.w));
}

/* Each form defines, in the CPU shape:
 *
 *   lut_words                    words that are mapped at once, N_LUT_WORDS
 *   REPEAT_THREE (v)             the first three elements of v, over and over
 *   map_lut_words (lut, words)   the words, each of their bytes mapped */
#if LUT_FORM == LUT_PERMUTES

#define N_LUT_WORDS 16
typedef uint16 lut_words;
#define REPEAT_THREE(v) ((v).s0120120120120120)

typedef char char64 __attribute__ ((ext_vector_type (64)));
typedef ushort ushort32 __attribute__ ((ext_vector_type (32)));
#define AS_CHARS(v) __builtin_astype (v, char64)
#define AS_SHORTS(v) __builtin_astype (v, short32)
#define AS_USHORTS(v) __builtin_astype (v, ushort32)

/* Looks up a pair by bits 0 to 6 of each element. The permutations use only
 * bits 0 to 5. */
INLINE ushort32
look_up_pairs (lut_view lut, ushort32 v)
{
  const short32 i = AS_SHORTS (v);
  const short32 low =
      __builtin_ia32_vpermi2varhi512 (lut.pairs[0], i, lut.pairs[1]);
  const short32 high =
      __builtin_ia32_vpermi2varhi512 (lut.pairs[2], i, lut.pairs[3]);

  return AS_USHORTS ((i & (short) 64) != (short) 0 ? high : low);
}

/* Bit 7 of each byte chooses the byte of its pair. */
INLINE lut_words
map_lut_words (lut_view lut, lut_words words)
{
  const ushort32 v = AS_USHORTS (words);
  const ushort32 even = look_up_pairs (lut, v);
  const ushort32 odd = look_up_pairs (lut, v >> (ushort) 8);
  const ushort32 low = (even & (ushort) 0xff) | odd << (ushort) 8;
  const ushort32 high = even >> (ushort) 8 | (odd & (ushort) 0xff00);

  return as_uint16 (
      AS_CHARS (words) < (char) 0 ? AS_CHARS (high) : AS_CHARS (low));
}

#elif LUT_FORM == LUT_SHUFFLES_16 || LUT_FORM == LUT_SHUFFLES_32

#if LUT_FORM == LUT_SHUFFLES_32
#define N_LUT_WORDS 8
typedef uint8 lut_words;
typedef uchar lut_bytes __attribute__ ((ext_vector_type (32)));
typedef char lut_chars __attribute__ ((ext_vector_type (32)));
#define REPEAT_THREE(v) ((v).s01201201)
#define SHUFFLE(table, i)                                                      \
  __builtin_ia32_pshufb256 (AS_CHARS ((lut_bytes) (table, table)), AS_CHARS (i))
#else
#define N_LUT_WORDS 4
typedef uint4 lut_words;
typedef uchar16 lut_bytes;
typedef char16 lut_chars;
#define REPEAT_THREE(v) ((v).s0120)
#define SHUFFLE(table, i)                                                      \
  __builtin_ia32_pshufb128 (AS_CHARS (table), AS_CHARS (i))
#endif
#define AS_WORDS(v) __builtin_astype (v, lut_words)
#define AS_BYTES(v) __builtin_astype (v, lut_bytes)
#define AS_CHARS(v) __builtin_astype (v, lut_chars)

/* Looks up each byte of i in the k-th 16 values, by its lowest four bits; 0 if
 * its bit 7 is set. The values are read for each look-up, because there are too
 * few registers to keep them. */
INLINE lut_bytes
shuffle_values (lut_view lut, uint k, lut_bytes i)
{
  const uchar16 table = as_uchar16 (((LUT bytes16 *) lut.values)[k]);

  return AS_BYTES (SHUFFLE (table, i));
}

/* Looks up each byte of v in the k-th 16 values of the lower or, if its bit 7
 * is set, the upper 128 values. */
INLINE lut_bytes
shuffle_pair (lut_view lut, uint k, lut_bytes v)
{
  return shuffle_values (lut, k, v)
      | shuffle_values (lut, k + 8, v ^ (uchar) 128);
}

/* b where bit 7 of `choice` is set, otherwise a. */
INLINE lut_bytes
choose (lut_bytes a, lut_bytes b, lut_bytes choice)
{
  return AS_CHARS (choice) < (char) 0 ? b : a;
}

/* Selects between shuffle_pair() k and k + 1. */
INLINE lut_bytes
choose_pair (lut_view lut, uint k, lut_bytes v, lut_bytes choice)
{
  return choose (
      shuffle_pair (lut, k, v), shuffle_pair (lut, k + 1, v), choice);
}

INLINE lut_words
map_lut_words (lut_view lut, lut_words words)
{
  const lut_bytes v = AS_BYTES (words);
  /* bits 4 to 6 of each byte in bit 7 */
  const lut_bytes bit4 = AS_BYTES (words << 3);
  const lut_bytes bit5 = AS_BYTES (words << 2);
  const lut_bytes bit6 = AS_BYTES (words << 1);
  const lut_bytes low = choose (
      choose_pair (lut, 0, v, bit4), choose_pair (lut, 2, v, bit4), bit5);
  const lut_bytes high = choose (
      choose_pair (lut, 4, v, bit4), choose_pair (lut, 6, v, bit4), bit5);

  return AS_WORDS (choose (low, high, bit6));
}

#elif LUT_FORM == LUT_TABLES

#define N_LUT_WORDS 4
typedef uint4 lut_words;
#define REPEAT_THREE(v) ((v).s0120)

typedef signed char neon_chars __attribute__ ((vector_size (16)));
#define NEON_UINT8X16 48 /* the builtin's number for the type of its result */

/* The k-th 16 values. */
INLINE neon_chars
read_table (lut_view lut, uint k)
{
  return __builtin_astype (((LUT bytes16 *) lut.values)[k], neon_chars);
}

/* Looks up each byte of v in the k-th 64 values; 0 if the byte is outside their
 * range. */
INLINE uint4
look_up_64 (lut_view lut, uint k, uchar16 v)
{
  return __builtin_astype (
      __builtin_neon_vqtbl4q_v (read_table (lut, 4 * k),
          read_table (lut, 4 * k + 1), read_table (lut, 4 * k + 2),
          read_table (lut, 4 * k + 3),
          __builtin_astype (v - (uchar) (64 * k), neon_chars), NEON_UINT8X16),
      uint4);
}

INLINE lut_words
map_lut_words (lut_view lut, lut_words words)
{
  const uchar16 v = as_uchar16 (words);

  return look_up_64 (lut, 0, v) | look_up_64 (lut, 1, v)
      | look_up_64 (lut, 2, v) | look_up_64 (lut, 3, v);
}

#elif !defined AMPHISTO_GPU

#define N_LUT_WORDS 4
typedef uint4 lut_words;
#define REPEAT_THREE(v) ((v).s0120)
#define map_lut_words(lut, words) map_4_words (lut, lut, words)

#endif

#ifdef AMPHISTO_GPU

/* The LUT's values at v, whose elements are 0 to 255. */
INLINE pixels
look_up (lut_view lut, pixels v)
{
  return (uint4) (lut.values[v.x], lut.values[v.y], lut.values[v.z],
      lut.values[v.w]);
}

#else

/* For reading and writing at any byte. */
typedef lut_words lut_words_at_byte __attribute__ ((aligned (1)));

/* The number of chunks per look-up. */
#define N_LUT_CHUNKS (N_LUT_WORDS / 4)

/* Looks up N_LUT_CHUNKS chunks of values of 0 to 255. */
INLINE void
look_up_chunks (lut_view lut, const pixels *chunks, pixels *values)
{
  const lut_words *from = (const lut_words *) chunks;
  lut_words *to = (lut_words *) values;
  const lut_words words = map_lut_words (
      lut, from[0] | from[1] << 8 | from[2] << 16 | from[3] << 24);

  to[0] = words & 255;
  to[1] = words >> 8 & 255;
  to[2] = words >> 16 & 255;
  to[3] = words >> 24;
}

#endif
