/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "random.h"

#include "channels.h"
#include "size.h"

#include <string.h>

static gboolean
equalizes (const Case *c)
{
  return c->settings.equalization != AMPHISTO_EQUALIZATION_NONE;
}

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

void
case_add_overlay (Case *c, const AmphistoReferenceState *state, guint32 *random)
{
  static const double fractions[] = { 0.33, 0.33, 0.5, 1.0 };
  const guint32 r = test_random (random);
  const guint32 q = test_random (random);

  if (r % 3 > 0)
    return;
  c->settings.scopes = (AmphistoScopeSettings){ .enabled = r >> 5 & 7,
    .display = (r >> 2 & 3) % 3,
    .position = r >> 4 & 3,
    .width = fractions[r >> 6 & 3],
    .height = fractions[r >> 8 & 3],
    .opacity = (r >> 10) % 11 / 10.0,
    .scale = r >> 14 & 1,
    .graticule = r >> 15 & 1,
    .clipping_bars = q & 1,
    .percentile_marks = r >> 18 & 1 };
  c->settings.exposure = (AmphistoExposureSettings){ .enabled = q >> 1 & 7,
    .zebra_low = (q >> 3) % 50 - 10.0,
    .zebra_high = 110.0 - (q >> 9) % 50 };
  c->resets_scale = state->peaks[0] == 0 || (r >> 19 & 3) == 0;
  c->phase = r >> 21;
  if ((equalizes (c) && c->settings.exposure.enabled)
      || c->settings.exposure.enabled > AMPHISTO_EXPOSURE_GAMUT)
    c->in_place = FALSE;
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
 * frame. Half of all frames have regions of interest. */
static void
random_regions (Case *c, guint32 *random)
{
  const guint32 r = test_random (random);

  if (r % 3 == 0)
    c->settings.region = random_region (c, random);
  if (r % 3 == 0 && (r >> 8) % 16 == 0)
    c->settings.region.x = c->width;
  case_add_regions (c, r >> 4 & 1 ? (r >> 16) % 10 : 0, random);
}

static gboolean
has_mean (const AmphistoReferenceState *state)
{
  for (guint v = 0; v < AMPHISTO_N_BINS; v++)
    if (state->mean[v] > 0)
      return TRUE;
  return FALSE;
}

/* Every other frame is equalized by the temporal mean. The first frame restarts
 * the mean, and so does a frame with more tiles than the mean has. */
static void
random_smoothing (Case *c, const AmphistoReferenceState *state, guint32 *random)
{
  static const float smoothings[] = { 0.5f, 0.9f, 1.0f, 0.01f };
  const guint32 r = test_random (random);

  if (r & 1)
    c->settings.smoothing = smoothings[r >> 1 & 3];
  c->resets_mean = !has_mean (state) || (r >> 3 & 7) == 0
      || (gsize) c->settings.clahe.tiles_x * c->settings.clahe.tiles_y
              * sizeof (float[AMPHISTO_N_BINS])
          > state->tile_means.size;
}

static void
random_clahe (Case *c, guint32 *random)
{
  static const guint tiles[] = { 1, 2, 3, 8, 8, 17, 64 };
  const guint n_tiles = test_size () == TEST_SMALL ? 3 : G_N_ELEMENTS (tiles);
  static const double limits[] = { 0, 0.5, 1, 2.5, 4, 40 };
  const guint32 r = test_random (random);

  if (c->settings.equalization)
    c->settings.equalization = AMPHISTO_EQUALIZATION_CLAHE;
  c->settings.clahe = (AmphistoClahe){ tiles[r % n_tiles],
    tiles[(r >> 8) % n_tiles], limits[(r >> 16) % G_N_ELEMENTS (limits)] };
}

static void
random_match (Case *c, guint32 *random)
{
  for (guint v = 0; v < AMPHISTO_N_BINS; v++)
    c->settings.match_bins[v] = test_random (random) % 1000;
  if (equalizes (c))
    c->settings.equalization = AMPHISTO_EQUALIZATION_MATCH;
}

static void
random_stretch (Case *c, guint32 *random)
{
  static const double percents[] = { 0.5, 0, 0.1, 5, 33.3, 50 };
  const guint32 r = test_random (random);

  if (equalizes (c))
    c->settings.equalization = AMPHISTO_EQUALIZATION_STRETCH;
  c->settings.stretch_low = percents[r % G_N_ELEMENTS (percents)];
  c->settings.stretch_high = percents[(r >> 8) % G_N_ELEMENTS (percents)];
}

static void
random_equalization (Case *c, guint i, guint32 *random)
{
  switch (i % 4) {
    case 0:
      random_match (c, random);
      break;
    case 1:
      random_clahe (c, random);
      break;
    case 2:
      random_stretch (c, random);
      break;
    default: /* global */
      break;
  }
  if (!equalizes (c))
    c->settings.channels |= LUMA;
}

void
case_check_size (CaseRunner *self, GstVideoFormat format, guint width,
    guint height, guint n_patterns)
{
  static const float strengths[] = { 1.0f, 0.0f, 0.5f, 0.3f, 0.999f };
  guint32 random = 1 + format * 7919 + width * 31 + height;
  const guint first = n_patterns < N_FRAME_PATTERNS ? random : 0;

  for (guint i = 0; i < n_patterns * 2; i++) {
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
      .settings = {
          .channels = r % 3 == 0 ? (r >> 8) % (ALL_CHANNELS + 1) : ALL_CHANNELS,
          .equalization = (r >> 16) % 5 > 0,
          .strength = strengths[(r >> 20) % G_N_ELEMENTS (strengths)] } };

    random_equalization (&c, first + i, &random);
    c.source = test_random_placement (&random);
    c.target = test_random_placement (&random);
    random_regions (&c, &random);
    if (test_size () > TEST_SMALL)
      case_add_overlay (&c, &self->state, &random);
    random_smoothing (&c, &self->state, &random);
    c.settings.compares = (r >> 27 & 1) != 0;
    c.settings.keeps_colors = (r >> 28 & 3) != 0;
    c.resets_comparison = TRUE;
    if (test_size () > TEST_SMALL || pad_to_words (&c))
      case_check (self, &c);
  }
}
