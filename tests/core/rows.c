/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The rows that a plan's kernels use and change, of I420 with 400 x 400 pixels.
 */

#include "channels.h"
#include "layouts.h"
#include "plans.h"
#include "suite.h"

#define SIZE 400
#define NONE                                                                   \
  {                                                                            \
    0, 0                                                                       \
  }

typedef AmphistoRows Rows[3];

/* A scope of a quarter's height; graticules have an outline. */
#define SCOPE(graticule_)                                                      \
  {                                                                            \
    .enabled = AMPHISTO_SCOPE_WAVEFORM, .width = 1, .height = 0.25,            \
    .position = AMPHISTO_SCOPE_TOP_LEFT, .graticule = graticule_               \
  }

/* Rows 0 to 99 of the frame, or 10 to 109 below the margin. */
#define IS_SCOPE_ROWS(rows, n)                                                 \
  ((rows).end - (rows).first == (n) && (rows).first <= 12)

static void
assert_rows (const AmphistoRows actual[AMPHISTO_N_PLANES], const Rows expected)
{
  for (guint p = 0; p < 3; p++) {
    g_assert_cmpuint (actual[p].first, ==, expected[p].first);
    g_assert_cmpuint (actual[p].end, ==, expected[p].end);
  }
}

static AmphistoPlan
plan_of (const AmphistoSettings *settings, bool has_fields)
{
  AmphistoLayout layout = yuv_layout (SIZE, SIZE, 1, 1);
  AmphistoPlan plan;

  layout.has_fields = has_fields;
  amphisto_layout_set_interlaced (&layout, has_fields, true);
  amphisto_plan_init (&plan, &layout, settings, &cpu);
  return plan;
}

/* Without scopes: the rows of the region, of the planes concerned. */
static void
test_region (void)
{
  static const struct
  {
    AmphistoSettings settings;
    Rows used;
    Rows changed;
  } cases[] = {
    { { .channels = LUMA }, { { 0, SIZE } }, { NONE } },
    { { .channels = LUMA, .region = { 0, 100, 0, 50 } }, { { 100, 150 } },
        { NONE } },
    { { .channels = CHROMA, .region = { 0, 101, 0, 50 } },
        { NONE, { 50, 76 }, { 50, 76 } }, { NONE } },
    { { .channels = LUMA,
          .region = { 0, 100, 0, 50 },
          .measures_regions = true },
        { { 0, SIZE } }, { NONE } },
    { { .channels = LUMA,
          .region = { 0, 100, 0, 50 },
          .equalization = GLOBAL,
          .strength = 1 },
        { { 100, 150 } }, { { 100, 150 } } },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    const AmphistoPlan plan = plan_of (&cases[i].settings, false);

    assert_rows (plan.used_rows, cases[i].used);
    assert_rows (plan.changed_rows, cases[i].changed);
  }
}

/* A scope uses the rows that are measured, and changes those where it is.
 * Scopes of interlaced frames have whole chroma rows of both fields. */
static void
test_scope (void)
{
  const AmphistoSettings settings = { .channels = LUMA,
    .scopes = SCOPE (false) };

  for (guint has_fields = 0; has_fields < 2; has_fields++) {
    const AmphistoPlan plan = plan_of (&settings, has_fields);
    const AmphistoRows *changed = plan.changed_rows;

    g_assert_true (IS_SCOPE_ROWS (changed[0], 100));
    g_assert_true (IS_SCOPE_ROWS (changed[1], 50));
    g_assert_cmpuint (changed[1].first, ==, changed[0].first / 2);
    g_assert_cmpuint (changed[2].first, ==, changed[1].first);
    g_assert_cmpuint (changed[2].end, ==, changed[1].end);
    assert_rows (plan.used_rows,
        (const Rows){ { 0, SIZE }, { changed[1].first, changed[1].end },
            { changed[2].first, changed[2].end } });
  }
}

/* The outline of a region is a change of all of its rows. A canvas changes
 * none. */
static void
test_outline (void)
{
  AmphistoSettings settings = {
    .channels = LUMA, .region = { 0, 200, 0, 100 }, .scopes = SCOPE (true)
  };
  AmphistoPlan plan = plan_of (&settings, false);

  g_assert_cmpuint (plan.changed_rows[0].first, <=, 12);
  g_assert_cmpuint (plan.changed_rows[0].end, ==, 300);
  g_assert_cmpuint (plan.used_rows[0].end, ==, 300);
  g_assert_cmpuint (plan.used_rows[1].end, ==, 150);

  settings.uses_canvas = true;
  plan = plan_of (&settings, false);
  assert_rows (plan.changed_rows, (const Rows){ NONE });
  assert_rows (plan.used_rows, (const Rows){ { 200, 300 } });
}

const CoreTest core_tests[] = {
  { "/region", test_region },
  { "/scope", test_scope },
  { "/outline", test_outline },
  { 0 },
};
