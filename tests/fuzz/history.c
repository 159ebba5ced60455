/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "history.h"

#include <math.h>
#include <string.h>

#define N_BINS 256
#define CUT_DISTANCE 32

void
fuzz_history_clear (FuzzHistory *self)
{
  g_free (self->luma);
  g_clear_pointer (&self->picture, picture_free);
  *self = (FuzzHistory){ 0 };
}

/* The area between the cumulative histograms. */
static guint64
area (const guint32 a[N_BINS], const guint32 b[N_BINS])
{
  guint64 sum = 0;
  gint64 distance = 0;

  for (guint v = 0; v < N_BINS; v++) {
    distance += (gint64) a[v] - b[v];
    sum += (guint64) ABS (distance);
  }
  return sum;
}

/* --- the previous frame --- */

static gboolean
has_part (const FuzzHistory *self, const Picture *picture)
{
  return self->has_previous && self->x == picture->part_x
      && self->y == picture->part_y && self->width == picture->part_width
      && self->height == picture->part_height;
}

/* Replaces luma of the previous frame.
 *
 * Returns: the sum of the differences. */
static guint64
exchange_luma (FuzzHistory *self, const FuzzFrame *frame)
{
  const Picture *picture = frame->before;
  guint8 *last = self->luma;
  guint64 sum = 0;

  for (guint y = 0; y < picture->part_height; y++)
    for (guint x = 0; x < picture->part_width; x++) {
      const guint8 luma = picture_luma (
          picture, frame->weights, picture->part_x + x, picture->part_y + y);

      sum += (guint64) ABS (luma - *last);
      *last++ = luma;
    }
  return sum;
}

/* Stores the difference and distance of luma. */
static void
compare_luma (FuzzHistory *self, const FuzzFrame *frame,
    const guint32 bins[N_BINS], FuzzComparison *comparison)
{
  const Picture *picture = frame->before;
  const gdouble n = (gdouble) picture->part_width * picture->part_height;
  const gboolean begins = !has_part (self, picture);
  guint64 sum;

  self->has_previous = frame->settings.compare_luma
      && frame->settings.channels & FUZZ_CHANNELS_LUMA && n > 0;
  if (!self->has_previous)
    return;
  self->x = picture->part_x;
  self->y = picture->part_y;
  self->width = picture->part_width;
  self->height = picture->part_height;
  if (begins)
    self->luma = g_realloc (self->luma, (gsize) n);
  sum = exchange_luma (self, frame);
  if (!begins) {
    comparison->difference = (gdouble) sum / n;
    comparison->distance = (gdouble) area (bins, self->bins) / n;
  }
  memcpy (self->bins, bins, sizeof self->bins);
}

/* Whether the parts have the same samples. */
static gboolean
have_same_part (const Picture *a, const Picture *b)
{
  for (guint i = 0; i < PICTURE_MAX_CHANNELS; i++) {
    const PictureComponent *c = &a->format->component[i];
    guint first[2], end[2];

    picture_part_rows (a, c->y_shift, &first[0], &end[0]);
    picture_part_rows (b, c->y_shift, &first[1], &end[1]);
    if (first[0] != first[1] || end[0] != end[1])
      return FALSE;
  }
  return a->part_x == b->part_x && a->part_y == b->part_y
      && a->part_width == b->part_width && a->part_height == b->part_height;
}

/* Stores the difference of the picture, after that of luma. */
static void
compare_picture (
    FuzzHistory *self, const FuzzFrame *frame, FuzzComparison *comparison)
{
  const FuzzSettings *settings = &frame->settings;
  const Picture *picture = frame->before;
  const gboolean luma_begins =
      self->has_previous && comparison->difference == -1;
  g_autoptr (Picture) last = g_steal_pointer (&self->picture);
  guint64 sum, n;

  if (!settings->compare_picture || picture->part_width == 0)
    return;
  self->picture = fuzz_picture_copy (picture);
  if (luma_begins || last == NULL || !have_same_part (picture, last))
    return;
  sum = picture_compare (picture, last, &n);
  comparison->of_picture = (gdouble) sum / (gdouble) n;
}

/* --- the mean --- */

gboolean
fuzz_history_continues_mean (const FuzzHistory *self, const FuzzFrame *frame)
{
  const FuzzSettings *settings = &frame->settings;

  fuzz_frame_select_region (frame);
  return self->has_mean && settings->smoothing > 0
      && self->equalization == settings->equalization
      && self->mean_width == frame->before->part_width
      && self->mean_height == frame->before->part_height
      && (settings->equalization != AMPHISTO_EQUALIZATION_CLAHE
          || (self->tiles_x == settings->tiles_x
              && self->tiles_y == settings->tiles_y));
}

/* The weight that a frame with these bins of n samples has in the mean, with
 * the weight `least` for a frame like the mean. */
static gfloat
weigh (const gfloat mean[N_BINS], const guint32 bins[N_BINS], guint64 n,
    gfloat least)
{
  guint32 rounded[N_BINS];
  gfloat lag;

  for (guint v = 0; v < N_BINS; v++)
    rounded[v] = (guint32) rintf (mean[v]);
  lag = (gfloat) area (bins, rounded) / (gfloat) n;
  if (least == 0 || lag <= 16)
    return least;
  lag = MIN ((lag - 16) / 64, 1);
  lag *= 1 - least;
  return least + lag;
}

/* How a frame moves the means, unless it replaces them. */
typedef struct
{
  gfloat weight;
  gboolean replaces;
} Move;

static guint32
move_mean (Move move, gfloat *mean, guint32 value)
{
  const gfloat way = move.weight * ((gfloat) value - *mean);

  *mean = move.replaces ? (gfloat) value : *mean + way;
  return (guint32) rintf (*mean);
}

static Move
move_bins (FuzzHistory *self, guint32 bins[N_BINS], guint64 n, gfloat least,
    gboolean continues)
{
  const gboolean is_cut =
      least > 0 && area (bins, self->last_bins) > CUT_DISTANCE * n;
  const Move move = { weigh (self->mean, bins, n, least),
    is_cut || !continues };

  memcpy (self->last_bins, bins, sizeof self->last_bins);
  for (guint v = 0; v < N_BINS; v++)
    bins[v] = move_mean (move, &self->mean[v], bins[v]);
  return move;
}

/* Returns: how means move. */
static Move
smooth (FuzzHistory *self, const FuzzFrame *frame, guint32 bins[N_BINS])
{
  const FuzzSettings *settings = &frame->settings;
  const Picture *picture = frame->before;
  const guint64 n = (guint64) picture->part_width * picture->part_height;
  const gboolean continues = fuzz_history_continues_mean (self, frame);

  self->has_mean = settings->equalization != AMPHISTO_EQUALIZATION_NONE
      && settings->smoothing > 0 && n > 0;
  if (!self->has_mean)
    return (Move){ 1, TRUE };
  self->equalization = settings->equalization;
  self->mean_width = picture->part_width;
  self->mean_height = picture->part_height;
  self->tiles_x = settings->tiles_x;
  self->tiles_y = settings->tiles_y;
  return move_bins (
      self, bins, n, 1.0f - (gfloat) settings->smoothing, continues);
}

/* Returns: the gamut budget, or 0. */
static gint
smooth_budget (FuzzHistory *self, const FuzzFrame *frame, Move move,
    const guint32 smoothed[N_BINS])
{
  const FuzzSettings *settings = &frame->settings;
  const Picture *picture = frame->before;
  const gboolean has_colours =
      picture->format->is_rgb || picture_component (picture, "u") != NULL;

  move.replaces |= !self->has_budget;
  self->has_budget = self->has_mean && settings->keep_colors && has_colours;
  if (!settings->keep_colors || !has_colours
      || settings->equalization != AMPHISTO_EQUALIZATION_GLOBAL
      || picture->part_width == 0 || picture->part_height == 0)
    return 0;
  return (gint) move_mean (move, &self->budget,
      (guint32) picture_find_own_budget (
          picture, frame->weights, smoothed, (gfloat) settings->strength));
}

void
fuzz_history_add_frame (FuzzHistory *self, const FuzzFrame *frame,
    FuzzComparison *comparison, guint32 smoothed[N_BINS], gint *budget)
{
  fuzz_frame_select_region (frame);
  fuzz_frame_count (frame, "luma", smoothed);
  *comparison = (FuzzComparison){ -1, -1, -1 };
  compare_luma (self, frame, smoothed, comparison);
  compare_picture (self, frame, comparison);
  *budget =
      smooth_budget (self, frame, smooth (self, frame, smoothed), smoothed);
}
