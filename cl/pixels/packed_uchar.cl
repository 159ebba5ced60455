/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Uchars packed four to a word.
 *
 * Memory is accessed as 32-bit words, because the atomics of OpenCL 1.2 need
 * them; uchar idx is byte idx & 3 of word idx >> 2, the least significant
 * first. Each function exists for global and for local words, with the
 * arguments
 *
 *   (words, idx)              the uchar's index
 *   (words, row, column, step)  its row and column; step: bytes from row to row
 *   (row, x)                  a view of a row, from frame_row(); global only
 *
 * Any number of work-items may call all of them at once on *neighbouring*
 * uchars, even in one word. On the *same* uchar
 *
 *   increment_uchar, addto_uchar, addto_uchar_sat, write_uchar_atomic
 *     are atomic;
 *   write_uchar is not: no other work-item may write that uchar;
 *   read_uchar sees some value the uchar had.
 *
 * After: "Supporting char in C++ AMP", "Projections in C++ AMP". There,
 * increment and add are one atomic add, which carries into the neighbour when
 * the sum passes 255. Here they wrap modulo 256 and leave the neighbours alone;
 * the name of the form with one atomic add, addto_uchar_no_carry, says what it
 * requires.
 */

#pragma once

/* Gives functions one name for all address spaces and ways of indexing. An
 * attribute of clang; all known OpenCL drivers are built on clang. */
#define OVERLOAD __attribute__ ((overloadable))

/* Inlined functions keep views and vectors of pixels in registers. Build
 * options may redefine INLINE for a compiler that cannot inline. */
#ifndef INLINE
#define INLINE static inline __attribute__ ((always_inline))
#endif

INLINE uint
uchar_shift (size_t idx)
{
  return (uint) (idx & 3) << 3;
}

/* The word with the uchar at bit `shift` replaced by `val`. */
INLINE uint
word_with_uchar (uint word, uint shift, uint val)
{
  return (word & ~(0xffu << shift)) | ((val & 0xffu) << shift);
}

/* Replaces the uchar by NEW, an expression of its value `old`, in one atomic
 * step: tries again until no other work-item changed the word in between. */
#define UPDATE_UCHAR(words, idx, NEW)                                          \
  do {                                                                         \
    const uint shift = uchar_shift (idx);                                      \
    uint seen = words[idx >> 2];                                               \
    uint expected;                                                             \
    do {                                                                       \
      expected = seen;                                                         \
      const uint old = (expected >> shift) & 0xffu;                            \
      (void) old;                                                              \
      seen = atomic_cmpxchg (                                                  \
          &words[idx >> 2], expected, word_with_uchar (expected, shift, NEW)); \
    } while (seen != expected);                                                \
  } while (0)

#define DEFINE_PACKED_UCHAR(SPACE)                                             \
                                                                               \
  INLINE uint OVERLOAD read_uchar (const SPACE uint *words, size_t idx)        \
  {                                                                            \
    return (words[idx >> 2] >> uchar_shift (idx)) & 0xffu;                     \
  }                                                                            \
                                                                               \
  /* Adds 1 modulo 256. */                                                     \
  INLINE void OVERLOAD increment_uchar (                                       \
      volatile SPACE uint *words, size_t idx)                                  \
  {                                                                            \
    UPDATE_UCHAR (words, idx, old + 1);                                        \
  }                                                                            \
                                                                               \
  /* Adds val modulo 256. */                                                   \
  INLINE void OVERLOAD addto_uchar (                                           \
      volatile SPACE uint *words, size_t idx, uint val)                        \
  {                                                                            \
    UPDATE_UCHAR (words, idx, old + val);                                      \
  }                                                                            \
                                                                               \
  /* Adds val, 0 to 255, and saturates at 255. */                              \
  INLINE void OVERLOAD addto_uchar_sat (                                       \
      volatile SPACE uint *words, size_t idx, uint val)                        \
  {                                                                            \
    UPDATE_UCHAR (words, idx, min (old + (val & 0xffu), 255u));                \
  }                                                                            \
                                                                               \
  /* Adds val by one atomic add. The sum must not pass 255: the neighbour      \
   * above would get the carry. */                                             \
  INLINE void OVERLOAD addto_uchar_no_carry (                                  \
      volatile SPACE uint *words, size_t idx, uint val)                        \
  {                                                                            \
    atomic_add (&words[idx >> 2], (val & 0xffu) << uchar_shift (idx));         \
  }                                                                            \
                                                                               \
  /* Writes val & 255: one xor clears the uchar, the next sets it. */          \
  INLINE void OVERLOAD write_uchar (                                           \
      volatile SPACE uint *words, size_t idx, uint val)                        \
  {                                                                            \
    const uint shift = uchar_shift (idx);                                      \
    atomic_xor (&words[idx >> 2], words[idx >> 2] & (0xffu << shift));         \
    atomic_xor (&words[idx >> 2], (val & 0xffu) << shift);                     \
  }                                                                            \
                                                                               \
  INLINE void OVERLOAD write_uchar_atomic (                                    \
      volatile SPACE uint *words, size_t idx, uint val)                        \
  {                                                                            \
    UPDATE_UCHAR (words, idx, val);                                            \
  }                                                                            \
                                                                               \
  INLINE uint OVERLOAD read_uchar (                                            \
      const SPACE uint *words, size_t row, size_t column, size_t step)         \
  {                                                                            \
    return read_uchar (words, row * step + column);                            \
  }                                                                            \
                                                                               \
  INLINE void OVERLOAD increment_uchar (                                       \
      volatile SPACE uint *words, size_t row, size_t column, size_t step)      \
  {                                                                            \
    increment_uchar (words, row *step + column);                               \
  }

DEFINE_PACKED_UCHAR (global)
DEFINE_PACKED_UCHAR (local)

/* A plane of a frame: its first row begins at byte `offset` of words; rows are
 * `stride` bytes apart. */
typedef struct
{
  global uint *words;
  uint offset;
  uint stride;
} uchar_plane;

/* The planes of a frame. Not an array, because drivers (rusticl 22.3) lose
 * pointers in arrays. */
typedef struct
{
  uchar_plane plane0, plane1, plane2, plane3;
} uchar_planes;

INLINE uchar_plane
frame_plane (uchar_planes planes, uint p)
{
  return p == 0 ? planes.plane0
      : p == 1  ? planes.plane1
      : p == 2  ? planes.plane2
                : planes.plane3;
}

/* A row of a plane. Indices are relative to the row: its uchar 0 is uchar
 * `first` (0 to 3) of words. */
typedef struct
{
  global uint *words;
  uint first;
} uchar_row;

/* Projects the plane to its row y: a view, nothing is copied. */
INLINE uchar_row
frame_row (uchar_plane plane, uint y)
{
  const size_t at = plane.offset + (size_t) y * plane.stride;

  return (uchar_row){ plane.words + (at >> 2), (uint) (at & 3) };
}

/* The row from its uchar x on. */
INLINE uchar_row
row_from (uchar_row row, size_t x)
{
  const size_t at = row.first + x;

  return (uchar_row){ row.words + (at >> 2), (uint) (at & 3) };
}

/* CPU shape: leaves alone the rest of the word, which others may write;
 * volatile, as PoCL (3.1) otherwise compiles rows with single bytes at their
 * ends to slower code. */
INLINE uint OVERLOAD
read_uchar (uchar_row row, size_t x)
{
#ifdef AMPHISTO_GPU
  return read_uchar ((const global uint *) row.words, row.first + x);
#else
  return ((const volatile global uchar *) row.words)[row.first + x];
#endif
}

INLINE void OVERLOAD
increment_uchar (uchar_row row, size_t x)
{
  increment_uchar ((volatile global uint *) row.words, row.first + x);
}

/* The functions with a value, by row and column, and for a view of a row. */

#define DEFINE_BY_COLUMN(SPACE, NAME)                                          \
  INLINE void OVERLOAD NAME (volatile SPACE uint *words, size_t row,           \
      size_t column, size_t step, uint val)                                    \
  {                                                                            \
    NAME (words, row *step + column, val);                                     \
  }

#define DEFINE_FORMS(NAME)                                                     \
  DEFINE_BY_COLUMN (global, NAME)                                              \
  DEFINE_BY_COLUMN (local, NAME)                                               \
                                                                               \
  INLINE void OVERLOAD NAME (uchar_row row, size_t x, uint val)                \
  {                                                                            \
    NAME ((volatile global uint *) row.words, row.first + x, val);             \
  }

DEFINE_FORMS (addto_uchar)
DEFINE_FORMS (addto_uchar_sat)
DEFINE_FORMS (addto_uchar_no_carry)
DEFINE_FORMS (write_uchar)
DEFINE_FORMS (write_uchar_atomic)

/* The row's uchars x to x + 3 as a word, at any alignment. Never reads a word
 * without any of these uchars. */
INLINE uint
read_word (uchar_row row, size_t x)
{
  const size_t at = row.first + x;
  const uint shift = uchar_shift (at);
  const uint low = row.words[at >> 2];

  return shift == 0
      ? low
      : (low >> shift) | (row.words[(at >> 2) + 1] << (32 - shift));
}

/* Uchars 4 i to 4 i + 3 of the plane's row y, with fewer instructions. */
INLINE uint
read_plane_word (uchar_plane plane, uint i, uint y)
{
  plane.offset += i * 4;
  return read_word (frame_row (plane, y), 0);
}

/* The number of uchars, 0 to 3, before the row's first whole word. */
INLINE uint
row_head (uchar_row row)
{
  return (4 - row.first) & 3;
}

/* Writes the row's uchars x to x + 3, which must be a whole word (x is
 * row_head() plus a multiple of 4) that no other work-item writes. */
INLINE void
write_word (uchar_row row, size_t x, uint word)
{
  row.words[(row.first + x) >> 2] = word;
}
