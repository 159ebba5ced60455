/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "random.h"

#include "channels.h"
#include "generator.h"
#include "size.h"

#include <string.h>

/* Places every plane at the beginning of a word, and pads its rows up to the
 * end of a word: if a word is uploaded partially, oclgrind takes the rest for
 * uninitialized. Returns: whether this is possible. */
static gboolean
pad_to_words (Case *c)
{
  c->source.alignment = MAX (c->source.alignment, 4);
  memset (c->source.misalignment, 0, sizeof c->source.misalignment);
  for (guint tries = 0; tries < 4; tries++, c->source.padding++) {
    g_autoptr (TestFrame) frame =
        test_frame_new (c->format, c->width, c->height, c->range, &c->source);
    gboolean is_whole = TRUE;

    for (guint p = 0; p < frame->layout.n_planes; p++)
      is_whole &=
          amphisto_plane_span (&frame->layout, p, frame->frame.plane[p].stride)
              % 4
          == 0;
    if (is_whole)
      return TRUE;
  }
  return FALSE;
}

static AmphistoRegion
random_region (const Case *c, guint32 *random)
{
  const guint32 r = test_random (random), q = test_random (random);

  return (AmphistoRegion){ r % c->width, (r >> 16) % c->height,
    q % (c->width + 2), (q >> 16) % (c->height + 2) };
}

void
case_add_regions (Case *c, guint n, guint32 *random)
{
  AmphistoLayout layout = { 0 };

  layout.component[AMPHISTO_CHANNEL_LUMA].width = c->width;
  layout.component[AMPHISTO_CHANNEL_LUMA].height = c->height;
  c->n_regions = n;
  for (guint i = 0; i < n; i++) {
    const AmphistoRegion region = random_region (c, random);

    c->regions[i] = amphisto_region_clip (&region, &layout);
  }
}

/* One frame in three has its own region; one region in 16 is outside the
 * frame. Half of all frames have regions of interest, few for simulators. */
static void
random_regions (Case *c, guint32 *random)
{
  const guint32 r = test_random (random);
  const guint n = test_size () == TEST_SMALL ? 3 : 10;

  if (r % 3 == 0)
    c->settings.region = random_region (c, random);
  if (r % 3 == 0 && (r >> 8) % 16 == 0)
    c->settings.region.x = c->width;
  case_add_regions (c, r >> 4 & 1 ? (r >> 16) % n : 0, random);
}

static gboolean
has_mean (const AmphistoReferenceState *state)
{
  for (guint v = 0; v < AMPHISTO_N_BINS; v++)
    if (state->smoothed_luma.mean[v] > 0)
      return TRUE;
  return FALSE;
}

/* The first frame restarts the mean, and so does a frame with more tiles than
 * the mean has. */
static void
random_restarts (Case *c, const AmphistoReferenceState *state, guint32 *random)
{
  const guint32 r = test_random (random);

  c->resets_mean = !has_mean (state) || r % 8 == 0
      || (gsize) c->settings.clahe.tiles_x * c->settings.clahe.tiles_y
              * sizeof (float[AMPHISTO_N_BINS])
          > state->tile_means.size;
  c->resets_budget = (r >> 12) % 8 == 0;
  c->resets_scale = state->peaks[0] == 0 || (r >> 8) % 4 == 0;
  c->phase = r >> 21;
}

void
case_draw_settings (
    Case *c, const AmphistoReferenceState *state, guint32 *random)
{
  const gboolean is_small = test_size () == TEST_SMALL;
  const gboolean draws = test_random (random) % 3 == 0 && !is_small;

  test_settings_draw (&c->settings,
      draws ? TEST_ALL_SUBJECTS : TEST_EQUALIZATION | TEST_QUALITY, random);
  if (is_small) {
    c->settings.smoothing *= test_random (random) % 3 == 0;
    c->settings.clahe.tiles_x = 1 + c->settings.clahe.tiles_x % 3;
    c->settings.clahe.tiles_y = 1 + c->settings.clahe.tiles_y % 3;
  }
  random_restarts (c, state, random);
}

/* Measures something, or changes pixels. */
static void
random_channels (Case *c, guint32 *random)
{
  const guint32 r = test_random (random);

  c->settings.channels = r % 3 == 0 ? r >> 8 & ALL_CHANNELS : ALL_CHANNELS;
  if (c->settings.equalization == AMPHISTO_EQUALIZATION_NONE)
    c->settings.channels |= LUMA;
}

void
case_check_size (CaseRunner *self, GstVideoFormat format, guint width,
    guint height, guint n_patterns)
{
  guint32 random = 1 + format * 7919 + width * 31 + height;
  const guint first = n_patterns < N_FRAME_PATTERNS ? random : 0;
  const gboolean is_small = test_size () == TEST_SMALL;

  for (guint i = is_small ? random % 2 : 0; i < n_patterns * 2;
       i += is_small ? 2 : 1) {
    const guint32 r = test_random (&random);
    Case c = { .format = format,
      .width = width,
      .height = height,
      .range =
          i & 1 ? GST_VIDEO_COLOR_RANGE_16_235 : GST_VIDEO_COLOR_RANGE_0_255,
      .has_fields = (r >> 24 & 3) > 1,
      .is_interlaced = (r >> 24 & 3) > 2,
      .has_all_rows = r >> 26 & 1,
      .pattern = (first + i / 2) % N_FRAME_PATTERNS,
      .seed = r,
      .in_place = i & 1,
      .source = test_random_placement (&random),
      .target = test_random_placement (&random),
      .resets_comparison = TRUE };

    case_draw_settings (&c, &self->state, &random);
    c.settings.equalization = (first + i) % AMPHISTO_N_EQUALIZATIONS;
    random_channels (&c, &random);
    random_regions (&c, &random);
    if (!is_small || pad_to_words (&c))
      case_check_in_turn (self, &c);
  }
}
