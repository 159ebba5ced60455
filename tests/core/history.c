/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Restarts of the smoothed mean, of the scope's scale and of the comparison
 * with the previous frame. No device is needed.
 */

#include "channels.h"
#include "core/history.h"
#include "layouts.h"
#include "placed.h"
#include "plans.h"
#include "suite.h"

#define WIDTH 640
#define HEIGHT 480

/* A stream of RGB whose luma is equalized with smoothing, and shown as a
 * histogram. */
static const AmphistoSettings usual = { .channels = LUMA,
  .equalization = GLOBAL,
  .strength = 1,
  .smoothing = 0.5f,
  .clahe = { 8, 8, 3 },
  .scopes = {
      .display = OVERLAY, .enabled = HISTOGRAM, .width = 0.3, .height = 0.3 } };

static AmphistoPlan
plan_of (const AmphistoSettings *settings)
{
  const AmphistoLayout layout = rgb_layout (WIDTH, HEIGHT);
  AmphistoPlan plan;

  amphisto_plan_init (&plan, &layout, settings, &cpu);
  return plan;
}

/* Carries out a frame, which may fail. Returns: its job, without the plan. */
static AmphistoJob
run (AmphistoHistory *history, const AmphistoSettings *settings, bool succeeds)
{
  const AmphistoPlan plan = plan_of (settings);
  AmphistoJob job = { .plan = &plan };

  amphisto_history_set_plan (history, &plan);
  amphisto_history_begin_job (history, &job);
  if (succeeds)
    amphisto_history_end_job (history, &job);
  else
    amphisto_history_clear (history);
  job.plan = NULL;
  return job;
}

static void
assert_restarts (AmphistoHistory *history, const AmphistoSettings *settings,
    bool mean, bool scale)
{
  const AmphistoJob job = run (history, settings, true);

  g_assert_cmpint (job.resets_mean, ==, mean);
  g_assert_cmpint (job.resets_scale, ==, scale);
}

static AmphistoHistory
history_after_frame (void)
{
  AmphistoHistory history = { 0 };

  assert_restarts (&history, &usual, true, true);
  assert_restarts (&history, &usual, false, false);
  return history;
}

/* --- tests --- */

/* A failed frame restarts nothing, and loses the state. */
static void
test_failed (void)
{
  AmphistoHistory history = history_after_frame ();

  g_assert_false (run (&history, &usual, false).resets_mean);

  const AmphistoJob next = run (&history, &usual, false);

  g_assert_true (next.resets_mean && next.resets_scale);
  assert_restarts (&history, &usual, true, true);
  assert_restarts (&history, &usual, false, false);
}

/* A new plan, with other settings for the same mean and scale. */
static void
test_same (void)
{
  AmphistoHistory history = history_after_frame ();
  AmphistoSettings settings = usual;

  settings.strength = 0.5f;
  settings.smoothing = 0.9f;
  settings.clahe.tiles_x = 3;
  settings.scopes.width = 0.5;
  settings.scopes.position = TOP_LEFT;
  settings.region = (AmphistoRegion){ 0, 0, WIDTH, 9999 };
  assert_restarts (&history, &settings, false, false);
}

/* Other settings, the restarts that follow, and those on the way back. */
static const struct
{
  const char *name;
  AmphistoEqualization equalization;
  float smoothing;
  AmphistoRegion region;
  AmphistoChannelMask channels;
  AmphistoScopes scopes;
  AmphistoDisplay display;
  bool mean, scale;
} changes[] = {
  { "equalization", MATCH, 0.5f, { 0 }, LUMA, HISTOGRAM, OVERLAY, true, false },
  { "none", AMPHISTO_EQUALIZATION_NONE, 0.5f, { 0 }, LUMA, HISTOGRAM, OVERLAY,
      true, false },
  { "smoothing", GLOBAL, 0, { 0 }, LUMA, HISTOGRAM, OVERLAY, true, false },
  { "region", GLOBAL, 0.5f, { 1, 0, 0, 0 }, LUMA, HISTOGRAM, OVERLAY, true,
      false },
  { "outside", GLOBAL, 0.5f, { WIDTH, 0, 0, 0 }, LUMA, HISTOGRAM, OVERLAY, true,
      true },
  { "channels", GLOBAL, 0.5f, { 0 }, LUMA | RGB, HISTOGRAM, OVERLAY, false,
      true },
  { "no channels", GLOBAL, 0.5f, { 0 }, CHROMA, HISTOGRAM, OVERLAY, false,
      true },
  { "display", GLOBAL, 0.5f, { 0 }, LUMA, HISTOGRAM, STACK, false, true },
  { "no scope", GLOBAL, 0.5f, { 0 }, LUMA, AMPHISTO_SCOPE_NONE, OVERLAY, false,
      true },
};

static void
test_changes (void)
{
  for (guint i = 0; IS_ROW (changes, i); i++) {
    AmphistoHistory history = history_after_frame ();
    AmphistoSettings settings = usual;

    g_test_message ("%s", changes[i].name);
    settings.equalization = changes[i].equalization;
    settings.smoothing = changes[i].smoothing;
    settings.region = changes[i].region;
    settings.channels = changes[i].channels;
    settings.scopes.enabled = changes[i].scopes;
    settings.scopes.display = changes[i].display;
    assert_restarts (&history, &settings, changes[i].mean, changes[i].scale);
    assert_restarts (&history, &usual, changes[i].mean, changes[i].scale);
    assert_restarts (&history, &usual, false, false);
  }
}

/* On a logarithmic scale, each panel has a scale of its own; on a linear one,
 * panels share one. */
static void
test_scale (void)
{
  AmphistoHistory history = { 0 };
  AmphistoSettings settings = usual;

  settings.scopes.display = STACK;
  settings.channels = RGB;
  for (guint i = 0; i < 4; i++) {
    settings.scopes.scale = i % 2 ? LINEAR : LOG;
    assert_restarts (&history, &settings, i == 0, true);
    assert_restarts (&history, &settings, false, false);
  }
}

/* Beside other scopes there is no room for a parade: the same channels are
 * overlaid. */
static void
test_parade (void)
{
  AmphistoHistory history = { 0 };
  AmphistoSettings settings = usual;

  settings.channels = RGB;
  settings.scopes.display = PARADE;
  assert_restarts (&history, &settings, true, true);
  settings.scopes.enabled = ALL_SCOPES;
  g_assert_cmpint (plan_of (&settings).display, ==, OVERLAY);
  assert_restarts (&history, &settings, false, true);
  assert_restarts (&history, &settings, false, false);
  settings.scopes.enabled = HISTOGRAM;
  assert_restarts (&history, &settings, false, true);
}

/* Settings end the state even if no frame was processed with them. */
static void
test_without_frame (void)
{
  AmphistoHistory history = history_after_frame ();
  const AmphistoSettings none = { .channels = LUMA };
  const AmphistoPlan plan = plan_of (&none);

  amphisto_history_set_plan (&history, &plan);
  assert_restarts (&history, &usual, true, true);
}

/* A restart stays due until a frame succeeds with it. */
static void
test_left (void)
{
  AmphistoHistory history = history_after_frame ();
  AmphistoSettings outside = usual;

  outside.region.y = HEIGHT;
  amphisto_history_clear (&history);
  for (guint n = 0; n < 3; n++)
    assert_restarts (&history, &outside, true, true);
  assert_restarts (&history, &usual, true, true);
  assert_restarts (&history, &usual, false, false);
}

static void
test_tiles (void)
{
  AmphistoHistory history = { 0 };
  AmphistoSettings settings = usual;

  settings.equalization = CLAHE;
  assert_restarts (&history, &settings, true, true);
  settings.clahe.clip_limit = 2;
  assert_restarts (&history, &settings, false, false);
  settings.clahe.tiles_x = 4;
  assert_restarts (&history, &settings, true, false);
  settings.clahe.tiles_y = 16;
  assert_restarts (&history, &settings, true, false);
  settings.region.height = HEIGHT - 1;
  assert_restarts (&history, &settings, true, false);
  assert_restarts (&history, &settings, false, false);
}

/* --- the gamut budget --- */

/* Whether the next frame restarts the mean of the budget, and that of bins. The
 * budget's alone restarts after frames that do not keep colours. */
static void
assert_budget (AmphistoHistory *history, const AmphistoSettings *settings,
    bool restarts, bool mean)
{
  const AmphistoJob job = run (history, settings, true);

  g_assert_cmpint (job.resets_budget, ==, restarts);
  g_assert_cmpint (job.resets_mean, ==, mean);
}

static void
test_budget (void)
{
  AmphistoHistory history = { 0 };
  AmphistoSettings keeping = usual, sharp;

  keeping.keeps_colors = true;
  sharp = keeping;
  sharp.smoothing = 0;
  assert_budget (&history, &usual, true, true);
  assert_budget (&history, &keeping, true, false);
  assert_budget (&history, &keeping, false, false);
  assert_budget (&history, &usual, true, false);
  assert_budget (&history, &keeping, true, false);
  assert_budget (&history, &keeping, false, false);
  assert_budget (&history, &sharp, true, true);
  assert_budget (&history, &keeping, true, true);
  assert_budget (&history, &keeping, false, false);
  amphisto_history_clear (&history);
  assert_budget (&history, &keeping, true, true);
}

/* --- comparison --- */

static const AmphistoSettings comparing = { .channels = LUMA,
  .compares_luma = true };

/* Whether the next frame begins the comparison anew. */
static bool
begins (AmphistoHistory *history, const AmphistoSettings *settings)
{
  return run (history, settings, true).resets_comparison;
}

static void
test_comparison (void)
{
  AmphistoHistory history = { 0 };
  AmphistoSettings other = comparing;

  g_assert_true (begins (&history, &comparing));
  g_assert_false (begins (&history, &comparing));
  /* settings that leave luma as it is */
  other.channels = LUMA | CHROMA;
  other.equalization = CLAHE;
  other.clahe = (AmphistoClahe){ 8, 8, 3 };
  other.measures_regions = true;
  other.region = (AmphistoRegion){ 0, 0, WIDTH, 9999 };
  g_assert_false (begins (&history, &other));
  amphisto_history_clear (&history);
  g_assert_true (begins (&history, &other));
}

/* After each of these, the next frame begins the comparison: the region has
 * moved, or frames were not compared. */
static void
test_comparison_ends (void)
{
  const AmphistoSettings all[] = {
    { .channels = LUMA },
    { .channels = CHROMA, .compares_luma = true },
    { .channels = LUMA, .compares_picture = true },
    { .channels = LUMA, .compares_luma = true, .region = { 1, 0, 0, 0 } },
    { .channels = LUMA, .compares_luma = true, .region = { 0, 1, 0, 0 } },
    { .channels = LUMA, .compares_luma = true, .region = { 0, 0, 9, 0 } },
    { .channels = LUMA, .compares_luma = true, .region = { 0, 0, 0, 9 } },
    { .channels = LUMA, .compares_luma = true, .region = { WIDTH, 0, 0, 0 } },
  };

  for (guint i = 0; IS_ROW (all, i); i++) {
    AmphistoHistory history = { 0 };

    g_test_message ("%u", i);
    begins (&history, &comparing);
    g_assert_true (begins (&history, &all[i]));
    g_assert_true (begins (&history, &comparing));
    g_assert_false (begins (&history, &comparing));
  }
}

/* The region moves by its own width: its size stays. */
static void
test_comparison_moves (void)
{
  AmphistoHistory history = { 0 };
  AmphistoSettings settings = comparing;

  settings.region = (AmphistoRegion){ 0, 0, 8, 8 };
  g_assert_true (begins (&history, &settings));
  settings.region.x = 8;
  g_assert_true (begins (&history, &settings));
  g_assert_false (begins (&history, &settings));
}

/* The picture begins when luma does, and where luma goes on, if other chroma
 * rows are compared. */
static void
test_comparison_of_picture (void)
{
  const AmphistoSettings luma = comparing;
  const AmphistoSettings picture = { .channels = CHROMA,
    .compares_picture = true };
  const AmphistoSettings both = {
    .channels = LUMA, .compares_luma = true, .compares_picture = true
  };
  const struct
  {
    const AmphistoSettings *settings;
    bool is_interlaced, begins_luma, begins_picture;
  } frames[] = {
    { &picture, false, true, true },
    { &picture, false, true, false },
    { &both, false, true, true },
    { &both, false, false, false },
    { &luma, false, false, true },
    { &both, false, false, true },
    { &both, true, false, true },
    { &both, true, false, false },
    { &both, false, false, true },
    { &picture, false, true, false },
  };
  AmphistoHistory history = { 0 };

  for (guint i = 0; IS_ROW (frames, i); i++) {
    AmphistoLayout layout = yuv_layout (8, 6, 1, 1);
    AmphistoPlan plan;
    AmphistoJob job = { .plan = &plan };

    layout.has_fields = true;
    amphisto_layout_set_interlaced (&layout, frames[i].is_interlaced, true);
    amphisto_plan_init (&plan, &layout, frames[i].settings, &cpu);
    amphisto_history_set_plan (&history, &plan);
    amphisto_history_begin_job (&history, &job);
    amphisto_history_end_job (&history, &job);
    g_assert_true (job.resets_comparison == frames[i].begins_luma);
    g_assert_true (job.resets_picture == frames[i].begins_picture);
  }
}

const CoreTest core_tests[] = {
  { "/failed", test_failed },
  { "/same", test_same },
  { "/changes", test_changes },
  { "/scale", test_scale },
  { "/parade", test_parade },
  { "/without-frame", test_without_frame },
  { "/left", test_left },
  { "/tiles", test_tiles },
  { "/budget", test_budget },
  { "/comparison/same", test_comparison },
  { "/comparison/ends", test_comparison_ends },
  { "/comparison/moves", test_comparison_moves },
  { "/comparison/picture", test_comparison_of_picture },
  { 0 },
};
