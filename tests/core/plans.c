/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "plans.h"

const AmphistoDivision cpu = { .n_groups = 2, .n_slices = 16 };
const AmphistoDivision gpu = { .is_gpu_shape = true,
  .n_groups = 256,
  .n_slices = 256,
  .local_memory = 48 * 1024,
  .max_local_memory = 48 * 1024 };

void
assert_planes (const AmphistoPlan *plan, guint read, guint written,
    guint copied, guint needs_separate_target)
{
  g_assert_cmphex (plan->read, ==, read);
  g_assert_cmphex (plan->written, ==, written);
  g_assert_cmphex (plan->copied, ==, copied);
  g_assert_cmphex (plan->needs_separate_target, ==, needs_separate_target);
}
