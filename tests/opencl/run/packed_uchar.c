/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The functions of packed_uchar.cl on a device: every function, called in every
 * form, by many work-items at once.
 */

#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "access_params.h"
#include "cltest.h"
#include "frames.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef enum
{
  READ,
  INCREMENT,
  ADDTO,
  ADDTO_SAT,
  ADDTO_NO_CARRY,
  WRITE,
  WRITE_ATOMIC,
  MIXED,
  N_OPERATIONS
} Operation;

static const char *const operation_names[N_OPERATIONS] = { "read", "increment",
  "addto", "addto_sat", "addto_no_carry", "write", "write_atomic", "mixed" };

/* MIXED: the operation of work-item i, by i % 6. */
static const Operation mixed_operations[] = { INCREMENT, ADDTO, ADDTO_SAT,
  WRITE, WRITE_ATOMIC, READ };

typedef struct
{
  const char *name;
  gboolean is_local;
} Form;

static const Form forms[] = { { "1d", FALSE }, { "2d", FALSE },
  { "row", FALSE }, { "local_1d", TRUE }, { "local_2d", TRUE } };

/* --- the device --- */

/* One group per core, so that they run at once. */
static gsize
n_groups (const TestCl *cl)
{
  const gsize n = CLAMP (cl->device->compute_units, 2, 16);

  return test_by_size (2, n, n);
}

static gsize
group_size (void)
{
  return test_by_size (16, 64, 64);
}

static gsize
n_items (const TestCl *cl)
{
  return n_groups (cl) * group_size ();
}

static void
build (TestCl *cl)
{
  g_autofree char *params = test_read_file (CL_TEST_DIR "/access_params.h");
  g_autofree char *kernels =
      test_read_file (CL_TEST_DIR "/packed_uchar_kernels.cl");
  g_autofree char *source = g_strconcat (params, kernels, NULL);

  test_cl_build (cl, source, "");
}

/* Runs a kernel that changes `words` and `seen`. local_size: bytes of local
 * memory, or 0. */
static void
run_on_buffer (TestCl *cl, const char *name, const access_params *access,
    cl_mem words, guint32 *seen, gsize n_seen, gsize local_size, gsize items,
    gsize group_items)
{
  cl_mem seen_buffer = test_cl_buffer (cl, seen, n_seen * sizeof *seen);
  cl_kernel kernel = test_cl_kernel (cl, name, words,
      test_cl_buffer (cl, access, sizeof *access), seen_buffer, NULL);

  if (local_size > 0)
    assert_cl (clSetKernelArg (kernel, 3, local_size, NULL));
  test_cl_run (cl, kernel, items, group_items);
  test_cl_read (cl, seen_buffer, seen, n_seen * sizeof *seen);
}

/* The same, on `bytes`; releases all buffers. */
static void
run (TestCl *cl, const char *name, const access_params *access, guint8 *bytes,
    gsize size, guint32 *seen, gsize n_seen, gsize local_size, gsize items,
    gsize group_items)
{
  cl_mem words = test_cl_buffer (cl, bytes, size);

  run_on_buffer (
      cl, name, access, words, seen, n_seen, local_size, items, group_items);
  test_cl_read (cl, words, bytes, size);
  test_cl_release (cl);
}

/* --- expected results --- */

static guint8
changed (Operation operation, guint8 old, guint i, guint round)
{
  switch (operation) {
    case INCREMENT:
      return old + 1;
    case ADDTO:
      return old + ACCESS_VALUE (i, round);
    case ADDTO_SAT:
      return MIN (old + ACCESS_VALUE_8BIT (i, round), 255);
    case ADDTO_NO_CARRY:
      g_assert_cmpuint (old + ACCESS_VALUE_SMALL (i, round), <=, 255);
      return old + ACCESS_VALUE_SMALL (i, round);
    case WRITE:
    case WRITE_ATOMIC:
      return ACCESS_VALUE (i, round);
    default:
      return old;
  }
}

static Operation
operation_of_item (Operation operation, guint i)
{
  return operation == MIXED ? mixed_operations[i % 6] : operation;
}

static gsize
position (const access_params *access, guint i)
{
  const guint c = i % access->n_uchars;

  return access->offset + c / access->width * access->step + c % access->width;
}

static gboolean
takes_part (const access_params *access, guint i)
{
  return access->lane == LANES || (position (access, i) & 3) == access->lane;
}

/* The values that `n` work-items write to and read from one block of memory. */
static void
expect_block (Operation operation, const access_params *access, guint8 *bytes,
    guint32 *seen, guint n)
{
  for (guint i = 0; i < n; i++) {
    const Operation own = operation_of_item (operation, i);
    guint8 *uchar = bytes + position (access, i);

    if (!takes_part (access, i))
      continue;
    if (own == READ)
      seen[i] = *uchar;
    for (guint round = 0; round < access->rounds; round++)
      *uchar = changed (own, *uchar, i, round);
  }
}

/* If several work-items write one uchar atomically, any of them may be the
 * last. Expects the present value if one of them has written it. */
static void
accept_last_writes (
    const access_params *access, const guint8 *bytes, guint8 *expected, guint n)
{
  for (guint i = 0; i < n; i++) {
    const gsize at = position (access, i);

    if (bytes[at] == changed (WRITE_ATOMIC, 0, i, access->rounds - 1))
      expected[at] = bytes[at];
  }
}

/* --- cases --- */

/* Many values are 255, which overflows at once; where sums must not carry, they
 * are 0. */
static void
fill_words (Operation operation, guint8 *bytes, gsize size, guint32 seed)
{
  guint32 state = seed;

  for (gsize i = 0; i < size; i++) {
    const guint32 r = test_random (&state);

    bytes[i] = operation == ADDTO_NO_CARRY ? 0 : r & 0x300 ? r : 255;
  }
}

static gsize
block_words (const access_params *access)
{
  const guint rows = (access->n_uchars + access->width - 1) / access->width;

  /* and a word that must not change */
  return (access->offset + rows * access->step) / 4 + 2;
}

static void
check_case (
    TestCl *cl, Operation operation, const Form *form, access_params access)
{
  const gsize n_blocks = form->is_local ? n_groups (cl) : 1;
  const gsize block_items = n_items (cl) / n_blocks;
  const gsize seen_size = n_items (cl) * sizeof (guint32);
  g_autofree guint32 *seen = g_malloc0 (seen_size);
  g_autofree guint32 *expected_seen = g_malloc0 (seen_size);
  g_autofree char *name =
      g_strdup_printf ("%s_%s", operation_names[operation], form->name);

  if (access.n_uchars == 0)
    access.n_uchars = block_items;
  access.group_words = block_words (&access);

  const gsize block_size = access.group_words * 4;
  const gsize size = block_size * n_blocks;
  g_autofree guint8 *bytes = g_malloc (size);

  fill_words (operation, bytes, size, 1 + access.offset);

  g_autofree guint8 *expected = g_memdup2 (bytes, size);

  run (cl, name, &access, bytes, size, seen, n_items (cl),
      form->is_local ? block_size : 0, n_items (cl), group_size ());
  for (gsize b = 0; b < n_blocks; b++) {
    expect_block (operation, &access, expected + b * block_size,
        expected_seen + b * block_items, block_items);
    if (operation == WRITE_ATOMIC)
      accept_last_writes (&access, bytes + b * block_size,
          expected + b * block_size, block_items);
  }
  g_test_message ("%s: n_uchars %u, offset %u, lane %u, spread %u", name,
      access.n_uchars, access.offset, access.lane, access.is_spread);
  g_assert_cmpmem (bytes, size, expected, size);
  g_assert_cmpmem (seen, seen_size, expected_seen, seen_size);
}

/* Enough rounds for work-items to collide; `room` if sums must not carry. */
static guint
many_rounds (Operation operation, guint room)
{
  const guint n = test_by_size (2, 1000, 5000);

  return operation == ADDTO_NO_CARRY ? MIN (n, room) : n;
}

/* One work-item per uchar: all of them at once, and then only one byte of each
 * word, whose neighbours must not change. */
static void
check_neighbours (TestCl *cl, Operation operation, const Form *form)
{
  for (guint is_spread = 0; is_spread < 2; is_spread++)
    check_case (cl, operation, form,
        (access_params){ .width = 37,
            .step = 41,
            .offset = 3 - is_spread,
            .rounds = many_rounds (operation, 255),
            .lane = LANES,
            .is_spread = is_spread });
  for (guint lane = 0; lane < LANES; lane++)
    check_case (cl, operation, form,
        (access_params){ .width = 5,
            .step = 7,
            .offset = lane,
            .rounds = 3,
            .lane = lane,
            .is_spread = 1 });
}

/* Many work-items for each of a few uchars. */
static void
check_same (TestCl *cl, Operation operation, const Form *form)
{
  const access_params access = { .n_uchars = 70,
    .width = 4,
    .step = 5,
    .offset = 1,
    .rounds = 3,
    .lane = LANES,
    .is_spread = 1 };
  access_params often = access;

  check_case (cl, operation, form, access);
  often.n_uchars = 7;
  often.rounds = many_rounds (operation, 1);
  check_case (cl, operation, form, often);
}

static void
test_operation (TestCl *cl)
{
  const Operation operation = GPOINTER_TO_UINT (cl->data);

  build (cl);
  for (gsize f = 0; IS_ROW (forms, f); f++) {
    check_neighbours (cl, operation, &forms[f]);
    /* WRITE allows only one work-item per uchar */
    if (operation != WRITE && operation != MIXED)
      check_same (cl, operation, &forms[f]);
  }
}

static void
test_write_race (TestCl *cl)
{
  const access_params access = { .offset = 2,
    .rounds = test_by_size (2, 20000, 20000) };
  const gsize n = n_items (cl);
  g_autofree guint32 *n_wrong = g_new0 (guint32, n);
  guint8 bytes[4] = { 1, 2, 3, 4 };

  build (cl);
  run (cl, "write_race", &access, bytes, sizeof bytes, n_wrong, n, 0, n,
      group_size ());
  for (gsize i = 0; i < n; i++)
    g_assert_cmpuint (n_wrong[i], ==, 0);
  g_assert_true (bytes[2] == 0x0f || bytes[2] == 0xf0);
  bytes[2] = 3;
  g_assert_cmpmem (bytes, 4, ((guint8[]){ 1, 2, 3, 4 }), 4);
}

/* Returns: the number of rounds in which work-items wrote at the same time. */
static guint
check_write_once (TestCl *cl, guint seed)
{
  const guint n = n_groups (cl);
  const access_params access = {
    .n_uchars = n, .rounds = test_by_size (4, 20000, 20000), .patience = 2000
  };
  const gsize size = (n * access.rounds + 3) / 4 * 4;
  const gsize n_seen = access.rounds + n;
  g_autofree guint8 *bytes = g_malloc (size);
  g_autofree guint8 *expected = NULL;
  g_autofree guint32 *seen = g_new0 (guint32, n_seen);
  guint n_waited = 0;

  fill_words (WRITE, bytes, size, seed);
  expected = g_memdup2 (bytes, size);
  for (guint round = 0; round < access.rounds; round++)
    for (guint i = 0; i < n; i++)
      expected[n * round + i] = ACCESS_VALUE (i, round);
  run (cl, "write_once", &access, bytes, size, seen, n_seen, 0, n, 1);
  g_assert_cmpmem (bytes, size, expected, size);
  for (guint i = 0; i < n; i++)
    n_waited = MAX (n_waited, seen[access.rounds + i]);
  return n_waited;
}

/* Work-items of different groups write neighbours at the same time, each uchar
 * once. Without an atomic write_uchar(), one round in several hundred would
 * lose a write. If work-items do not run at once, for example because a core is
 * busy, the kernel is launched again, up to a limit. */
static void
test_write_once (TestCl *cl)
{
  const guint enough = test_by_size (200000, 20000, 200000);
  const guint max_launches = test_by_size (1, 20, 500);
  guint n_rounds = 0;

  build (cl);
  for (guint n = 0; n_rounds < enough && n < max_launches; n++)
    n_rounds += check_write_once (cl, 1 + n);
  g_test_message ("%u rounds at the same time", n_rounds);
}

/* 255 + 1 is 0, without a carry, or 255 if the addition saturates. */
static void
test_wrap (TestCl *cl)
{
  static const struct
  {
    const char *kernel;
    guint8 expected;
  } cases[] = { { "increment_1d", 0 }, { "addto_1d", 255 + 11 - 256 },
    { "addto_sat_1d", 255 } };

  build (cl);
  for (gsize c = 0; IS_ROW (cases, c); c++)
    for (guint at = 0; at < 8; at++) {
      const access_params access = { .n_uchars = 1,
        .width = 1,
        .step = 1,
        .offset = at,
        .rounds = 1,
        .lane = LANES };
      guint8 bytes[12], expected[12];
      guint32 seen = 0;

      memset (bytes, 255, sizeof bytes);
      memset (expected, 255, sizeof expected);
      expected[at] = cases[c].expected;
      run (
          cl, cases[c].kernel, &access, bytes, sizeof bytes, &seen, 1, 0, 1, 1);
      g_assert_cmpmem (bytes, sizeof bytes, expected, sizeof expected);
    }
}

/* --- words of a row --- */

/* oclgrind (21.10) takes the host's memory for uninitialized. It finds reads
 * past the end of a copy, too. */
static void
check_read_words (TestCl *cl, guint8 *bytes, guint offset, guint width)
{
  const cl_mem_flags memory =
      test_size () == TEST_SMALL ? CL_MEM_COPY_HOST_PTR : CL_MEM_USE_HOST_PTR;
  const gsize size = (offset + width + 3) / 4 * 4;
  const access_params access = {
    .width = width, .step = width, .offset = offset
  };
  guint32 seen[16] = { 0 };
  cl_int status;
  cl_mem words = clCreateBuffer (
      cl->device->context, CL_MEM_READ_ONLY | memory, size, bytes, &status);

  assert_cl (status);
  run_on_buffer (cl, "read_words", &access, words, seen, G_N_ELEMENTS (seen), 0,
      G_N_ELEMENTS (seen), G_N_ELEMENTS (seen));
  for (guint i = 0; i + 4 <= width; i++)
    g_assert_cmpmem (&seen[i], 4, bytes + offset + i, 4);
  assert_cl (clReleaseMemObject (words));
}

/* The memory after the row is not readable: on devices that use the host's
 * memory, reading too far is a fault. */
static void
test_read_word (TestCl *cl)
{
  const gsize page = sysconf (_SC_PAGESIZE);
  guint8 *pages = mmap (NULL, 2 * page, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  g_assert_true (pages != MAP_FAILED);
  g_assert_no_errno (mprotect (pages + page, page, PROT_NONE));
  build (cl);
  for (guint offset = 0; offset < 4; offset++)
    for (guint width = 4; width < 16; width++) {
      guint8 *bytes = pages + page - (offset + width + 3) / 4 * 4;

      fill_words (READ, bytes, pages + page - bytes, 1 + width);
      check_read_words (cl, bytes, offset, width);
    }
  g_assert_no_errno (munmap (pages, 2 * page));
}

static void
test_write_word (TestCl *cl)
{
  const guint n_rows = 16;

  build (cl);
  for (guint width = 1; width < 14; width++) {
    const access_params access = {
      .width = width, .step = width + 2, .offset = 1
    };
    const gsize size = (1 + n_rows * access.step) / 4 * 4 + 4;
    g_autofree guint8 *bytes = g_malloc (size);
    guint32 heads[16] = { 0 };

    fill_words (WRITE, bytes, size, width);

    g_autofree guint8 *expected = g_memdup2 (bytes, size);

    run (cl, "write_words", &access, bytes, size, heads, n_rows, 0, n_rows,
        n_rows);
    for (guint y = 0; y < n_rows; y++) {
      const guint begin = 1 + y * access.step;
      const guint head = (begin + 3) / 4 * 4 - begin;

      g_assert_cmpuint (heads[y], ==, head);
      for (guint x = head; x + 4 <= width; x += 4) {
        const guint32 word = GUINT32_TO_LE (ACCESS_VALUE (y, x));

        memcpy (expected + begin + x, &word, sizeof word);
      }
    }
    g_assert_cmpmem (bytes, size, expected, size);
  }
}

/* FOR_ROWS and FOR_COLUMNS give every place to one work-item, and every row to
 * one work-group. */
static void
check_division (TestCl *cl, guint rows, guint width)
{
  const gsize group_items =
      cl->device->shape == AMPHISTO_CL_SHAPE_GPU ? group_size () : 1;
  const access_params access = { .n_uchars = rows, .width = width };
  g_autofree guint32 *places = g_new0 (guint32, rows * width);
  g_autofree guint32 *seen = g_new0 (guint32, rows);

  run (cl, "divide_rows", &access, (guint8 *) places,
      rows * width * sizeof *places, seen, rows, 0, 5 * group_items,
      group_items);
  for (guint i = 0; i < rows * width; i++)
    g_assert_cmpuint (places[i], ==, 1);
  for (guint y = 0; y < rows; y++)
    g_assert_cmpuint (seen[y], ==, 1);
}

static void
test_division (TestCl *cl)
{
  static const guint sizes[][2] = { { 1, 1 }, { 2, 100 }, { 4, 3 }, { 5, 64 },
    { 6, 65 }, { 23, 17 } };

  build (cl);
  for (gsize s = 0; IS_ROW (sizes, s); s++)
    check_division (cl, sizes[s][0], sizes[s][1]);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    TestClFunc test;
  } tests[] = { { "/packed/write-race", test_write_race },
    { "/packed/write-once", test_write_once }, { "/packed/wrap", test_wrap },
    { "/packed/read_word", test_read_word },
    { "/packed/write_word", test_write_word } };

  g_test_init (&argc, &argv, NULL);
  for (guint o = 0; o < N_OPERATIONS; o++) {
    g_autofree char *path = g_strconcat ("/packed/", operation_names[o], NULL);

    test_cl_add (
        path, AMPHISTO_CL_SHAPE_GPU, test_operation, GUINT_TO_POINTER (o));
  }
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    test_cl_add (tests[i].path, AMPHISTO_CL_SHAPE_GPU, tests[i].test, NULL);
  test_cl_add_for_shapes ("/packed/division", test_division);
  return g_test_run ();
}
