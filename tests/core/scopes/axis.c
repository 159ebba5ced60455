/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The axis of values that the panels and traces of a scope share.
 */

#include "core/scopes/axis.h"
#include "suite.h"

#define BIT(c) AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_##c)
#define CHROMA (BIT (U) | BIT (V))
#define ALL (BIT (LUMA) | CHROMA | COLOURS | BIT (ALPHA))
#define COLOURS (BIT (RED) | BIT (GREEN) | BIT (BLUE))

static const AmphistoLayout full = { .lo = 0, .hi = 255 };
static const AmphistoLayout limited = { .lo = 16, .hi = 235 };
static const AmphistoLayout limited_rgb = {
  .is_rgb = true, .lo = 16, .hi = 235
};

/* The code, not rounded, that the axis shows at a position. */
static double
code_at (const AmphistoLayout *layout, AmphistoChannelMask channels,
    AmphistoChannel channel, double position)
{
  const AmphistoAxisSpan span = amphisto_axis_span (layout, channels, channel);

  return 255 * (position - span.first) / (span.last - span.first);
}

/* Channels of one range fill the axis with their codes. */
static void
test_one_range (void)
{
  const struct
  {
    const AmphistoLayout *layout;
    AmphistoChannelMask channels;
  } cases[] = { { &limited, BIT (LUMA) }, { &limited, CHROMA },
    { &full, CHROMA }, { &full, BIT (LUMA) | COLOURS | BIT (ALPHA) },
    { &limited_rgb, BIT (LUMA) | COLOURS }, { &limited_rgb, BIT (ALPHA) } };

  for (guint i = 0; IS_ROW (cases, i); i++)
    for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++)
      if (cases[i].channels & AMPHISTO_CHANNEL_BIT (c)) {
        const AmphistoAxisSpan span =
            amphisto_axis_span (cases[i].layout, cases[i].channels, c);

        g_assert_cmpuint (span.first, ==, 0);
        g_assert_cmpuint (span.last, ==, 65536);
      }
}

/* The codes of channels at 0 and 100 % where ranges differ. */
static void
test_mixed (void)
{
  static const struct
  {
    const AmphistoLayout *layout;
    AmphistoChannelMask channels;
    AmphistoChannel channel;
    double zero, hundred;
  } cases[] = {
    { &limited, ALL, AMPHISTO_CHANNEL_LUMA, 16, 235 },
    { &limited, ALL, AMPHISTO_CHANNEL_U, 16, 240 },
    { &limited, ALL, AMPHISTO_CHANNEL_V, 16, 240 },
    { &limited, ALL, AMPHISTO_CHANNEL_RED, 0, 255 },
    { &limited, ALL, AMPHISTO_CHANNEL_ALPHA, 0, 255 },
    { &limited, COLOURS, AMPHISTO_CHANNEL_RED, 0, 255 },
    { &limited, BIT (GREEN), AMPHISTO_CHANNEL_GREEN, 0, 255 },
    { &limited, BIT (BLUE) | BIT (ALPHA), AMPHISTO_CHANNEL_ALPHA, 0, 255 },
    { &limited, BIT (LUMA) | COLOURS, AMPHISTO_CHANNEL_LUMA, 16, 235 },
    { &limited, BIT (LUMA) | CHROMA, AMPHISTO_CHANNEL_LUMA, 16, 235 },
    { &limited, CHROMA | COLOURS, AMPHISTO_CHANNEL_V, 16, 240 },
    { &limited, CHROMA | COLOURS, AMPHISTO_CHANNEL_BLUE, 0, 255 },
    { &full, BIT (LUMA) | CHROMA, AMPHISTO_CHANNEL_LUMA, 0, 255 },
    { &full, BIT (LUMA) | CHROMA, AMPHISTO_CHANNEL_U, 1, 255 },
    { &limited_rgb, COLOURS | BIT (ALPHA), AMPHISTO_CHANNEL_GREEN, 16, 235 },
    { &limited_rgb, COLOURS | BIT (ALPHA), AMPHISTO_CHANNEL_ALPHA, 0, 255 },
  };

  for (guint i = 0; IS_ROW (cases, i); i++) {
    const double zero = cases[i].zero, hundred = cases[i].hundred;

    for (guint percent = 0; percent <= 100; percent += 50)
      g_assert_cmpfloat_with_epsilon (
          code_at (cases[i].layout, cases[i].channels, cases[i].channel,
              amphisto_axis_percent (
                  cases[i].layout, cases[i].channels, percent)),
          zero + percent / 100.0 * (hundred - zero), 0.01);
  }
}

/* Luma's codes of limited range fill the axis of luma, and of red, green or
 * blue alone, beside any other channels. */
static void
test_luma (void)
{
  static const AmphistoChannelMask cases[] = { ALL, BIT (LUMA) | BIT (ALPHA),
    COLOURS, BIT (RED), BIT (GREEN) | CHROMA, BIT (BLUE) | BIT (ALPHA) };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const AmphistoAxisSpan luma =
        amphisto_axis_span (&limited, cases[i], AMPHISTO_CHANNEL_LUMA);

    g_assert_cmpuint (luma.first, ==, 0);
    g_assert_cmpuint (luma.last, ==, 65536);
  }
}

/* Only red, green and blue of YUV of limited range are unclamped. */
static void
test_unclamped (void)
{
  const AmphistoLayout *const layouts[] = { &limited, &full, &limited_rgb };

  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++)
      g_assert_cmpint (amphisto_axis_is_unclamped (layouts[i], c), ==,
          i == 0 && (AMPHISTO_CHANNEL_BIT (c) & COLOURS) != 0);
}

/* RGB of limited range has 16 and 235 at 0 and 100 %, as its luma. */
static void
test_limited_rgb (void)
{
  for (guint c = AMPHISTO_CHANNEL_RED; c <= AMPHISTO_CHANNEL_BLUE; c++)
    for (guint percent = 0; percent <= 100; percent += 25)
      g_assert_cmpfloat_with_epsilon (
          code_at (&limited_rgb, COLOURS, c,
              amphisto_axis_percent (&limited_rgb, COLOURS, percent)),
          16 + 2.19 * percent, 0.01);
}

/* Figures are per cent if any channel has limited range. */
static void
test_units (void)
{
  g_assert_true (amphisto_axis_is_percent (&limited, BIT (LUMA)));
  g_assert_true (amphisto_axis_is_percent (&limited, COLOURS));
  g_assert_true (amphisto_axis_is_percent (&limited_rgb, ALL));
  g_assert_false (amphisto_axis_is_percent (&limited_rgb, BIT (ALPHA)));
  g_assert_false (amphisto_axis_is_percent (&full, ALL));
}

const CoreTest core_tests[] = {
  { "/units", test_units },
  { "/one-range", test_one_range },
  { "/mixed", test_mixed },
  { "/luma", test_luma },
  { "/unclamped", test_unclamped },
  { "/limited-rgb", test_limited_rgb },
  { 0 },
};
