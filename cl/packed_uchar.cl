/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Characters packed four to an int.
 *
 * Memory is seen as 32-bit words, since those are what the atomics of OpenCL
 * 1.2 work on; character idx is byte idx & 3 of word idx >> 2, the least
 * significant first. Each function comes for global and for local words, and
 * is called with
 *
 *   (words, idx)              the character's index
 *   (words, row, column, step)  its row and column; step: a row's bytes
 *   (row, x)                  a row's view, from frame_row(); global only
 *
 * All of them may be called by any number of work-items at once on
 * *neighbouring* characters, of one word too. On the *same* character
 *
 *   increment_uchar, addto_uchar, addto_uchar_sat, write_uchar_atomic
 *     are atomic;
 *   write_uchar is not: it must be the character's only writer;
 *   read_uchar sees some value the character had.
 *
 * After: "Supporting char in C++ AMP", "Projections in C++ AMP". There,
 * increment and add are one atomic add, which carries into the neighbour when
 * the sum passes 255. Here they wrap modulo 256 and leave the neighbours
 * alone; the one-add form stands beside them under a name that says what it
 * needs.
 */

/* One name for each address space and way to index. An attribute of the
 * compiler that all OpenCL drivers known to us are built on. */
#define OVERLOAD __attribute__ ((overloadable))

/* Functions are a way to write kernels, not to be called: views, and vectors of
 * pixels, stay in registers. (Where a compiler can't, it is told another way.)
 */
#ifndef INLINE
#define INLINE static inline __attribute__ ((always_inline))
#endif

INLINE uint
uchar_shift (size_t idx)
{
  return (uint) (idx & 3) << 3;
}

/* The word with the character at bit `shift` replaced by `val`. */
INLINE uint
word_with_uchar (uint word, uint shift, uint val)
{
  return (word & ~(0xffu << shift)) | ((val & 0xffu) << shift);
}

/* Replaces the character by NEW, an expression of its value `old`, in one
 * atomic step: repeated until no other work-item changed the word in between.
 */
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
  /* Adds val, 0 to 255; what passes 255 is 255. */                            \
  INLINE void OVERLOAD addto_uchar_sat (                                       \
      volatile SPACE uint *words, size_t idx, uint val)                        \
  {                                                                            \
    UPDATE_UCHAR (words, idx, min (old + (val & 0xffu), 255u));                \
  }                                                                            \
                                                                               \
  /* Adds val by one atomic add. All that is added to the character must       \
   * never come to more than 255, or the neighbour above gets the carry. */    \
  INLINE void OVERLOAD addto_uchar_no_carry (                                  \
      volatile SPACE uint *words, size_t idx, uint val)                        \
  {                                                                            \
    atomic_add (&words[idx >> 2], (val & 0xffu) << uchar_shift (idx));         \
  }                                                                            \
                                                                               \
  /* Writes val & 255: one xor clears the character, the next sets it. */      \
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
  }                                                                            \
                                                                               \
  INLINE void OVERLOAD addto_uchar (volatile SPACE uint *words, size_t row,    \
      size_t column, size_t step, uint val)                                    \
  {                                                                            \
    addto_uchar (words, row *step + column, val);                              \
  }                                                                            \
                                                                               \
  INLINE void OVERLOAD addto_uchar_sat (volatile SPACE uint *words,            \
      size_t row, size_t column, size_t step, uint val)                        \
  {                                                                            \
    addto_uchar_sat (words, row *step + column, val);                          \
  }                                                                            \
                                                                               \
  INLINE void OVERLOAD addto_uchar_no_carry (volatile SPACE uint *words,       \
      size_t row, size_t column, size_t step, uint val)                        \
  {                                                                            \
    addto_uchar_no_carry (words, row *step + column, val);                     \
  }                                                                            \
                                                                               \
  INLINE void OVERLOAD write_uchar (volatile SPACE uint *words, size_t row,    \
      size_t column, size_t step, uint val)                                    \
  {                                                                            \
    write_uchar (words, row *step + column, val);                              \
  }                                                                            \
                                                                               \
  INLINE void OVERLOAD write_uchar_atomic (volatile SPACE uint *words,         \
      size_t row, size_t column, size_t step, uint val)                        \
  {                                                                            \
    write_uchar_atomic (words, row *step + column, val);                       \
  }

DEFINE_PACKED_UCHAR (global)
DEFINE_PACKED_UCHAR (local)

/* A plane of a frame: character `offset` of words is its first, `stride`
 * characters on begins its next row. */
typedef struct
{
  global uint *words;
  uint offset;
  uint stride;
} uchar_plane;

/* The planes of a frame. By name, because drivers (rusticl 22.3) lose pointers
 * that are put into arrays. */
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

/* One row of a plane, indexed as if it were an array of its own: its character
 * 0 is character `first` (0 to 3) of words. */
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
  uchar_row row;

  row.words = plane.words + (at >> 2);
  row.first = (uint) (at & 3);
  return row;
}

/* The row from its character x on. */
INLINE uchar_row
row_from (uchar_row row, size_t x)
{
  const size_t at = row.first + x;

  row.words += at >> 2;
  row.first = (uint) (at & 3);
  return row;
}

INLINE uint OVERLOAD
read_uchar (uchar_row row, size_t x)
{
  return read_uchar ((const global uint *) row.words, row.first + x);
}

INLINE void OVERLOAD
increment_uchar (uchar_row row, size_t x)
{
  increment_uchar ((volatile global uint *) row.words, row.first + x);
}

INLINE void OVERLOAD
addto_uchar (uchar_row row, size_t x, uint val)
{
  addto_uchar ((volatile global uint *) row.words, row.first + x, val);
}

INLINE void OVERLOAD
addto_uchar_sat (uchar_row row, size_t x, uint val)
{
  addto_uchar_sat ((volatile global uint *) row.words, row.first + x, val);
}

INLINE void OVERLOAD
addto_uchar_no_carry (uchar_row row, size_t x, uint val)
{
  addto_uchar_no_carry ((volatile global uint *) row.words, row.first + x, val);
}

INLINE void OVERLOAD
write_uchar (uchar_row row, size_t x, uint val)
{
  write_uchar ((volatile global uint *) row.words, row.first + x, val);
}

INLINE void OVERLOAD
write_uchar_atomic (uchar_row row, size_t x, uint val)
{
  write_uchar_atomic ((volatile global uint *) row.words, row.first + x, val);
}

/* The row's characters x to x + 3 as a word, however they lie in memory. The
 * word behind the last of them is not touched. */
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

/* How many characters, 0 to 3, stand before the row's first whole word. */
INLINE uint
row_head (uchar_row row)
{
  return (4 - row.first) & 3;
}

/* Writes the row's characters x to x + 3, which must be a whole word (x is
 * row_head() and a multiple of 4) with no other writer. */
INLINE void
write_word (uchar_row row, size_t x, uint word)
{
  row.words[(row.first + x) >> 2] = word;
}

/* Where the share of n things begins, of n_shares of about one size. */
INLINE uint
share_start (uint n, size_t share, size_t n_shares)
{
  return (uint) ((ulong) n * share / n_shares);
}

/* How a kernel's work-items share out rows, and columns of a row. GPU shape:
 * the work-groups take rows in turn, their work-items neighbouring columns.
 * CPU shape: one work-item, and core, has a contiguous run of rows. */
#ifdef AMPHISTO_GPU
#define FOR_ROWS(y, n)                                                         \
  for (uint y = get_group_id (0); y < (n); y += get_num_groups (0))
#define FOR_COLUMNS(x, n)                                                      \
  for (uint x = get_local_id (0); x < (n); x += get_local_size (0))
#else
#define FOR_ROWS(y, n)                                                         \
  for (uint y = share_start ((n), get_global_id (0), get_global_size (0)),     \
            end_of_run =                                                       \
                share_start ((n), get_global_id (0) + 1, get_global_size (0)); \
       y < end_of_run; y++)
#define FOR_COLUMNS(x, n) for (uint x = 0; x < (n); x++)
#endif
