/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The axis of values that the panels and traces of a scope share.
 */

#include "core/scopes/axis.h"
#include "suite.h"

#define BIT(c) AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_##c)
#define CHROMA (BIT (U) | BIT (V))
#define COLOURS (BIT (RED) | BIT (GREEN) | BIT (BLUE))

static const AmphistoLayout full = { .lo = 0, .hi = 255 };
static const AmphistoLayout limited = { .lo = 16, .hi = 235 };

/* The code, not rounded, that the axis shows at a position. */
static double
code_at (const AmphistoLayout *layout, AmphistoChannelMask channels,
    AmphistoChannel channel, double position)
{
  const AmphistoAxisSpan span = amphisto_axis_span (layout, channels, channel);

  return 255 * (position - span.first) / (span.last - span.first);
}

static void
assert_codes (const AmphistoLayout *layout, AmphistoChannelMask channels,
    AmphistoChannel channel, double zero, double hundred)
{
  const double middle = amphisto_axis_percent (layout, channels, 50);

  g_assert_cmpfloat_with_epsilon (
      code_at (layout, channels, channel,
          amphisto_axis_percent (layout, channels, 0)),
      zero, 0.01);
  g_assert_cmpfloat_with_epsilon (
      code_at (layout, channels, channel, middle), (zero + hundred) / 2, 0.01);
  g_assert_cmpfloat_with_epsilon (
      code_at (layout, channels, channel,
          amphisto_axis_percent (layout, channels, 100)),
      hundred, 0.01);
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
    { &limited, COLOURS }, { &limited, COLOURS | BIT (ALPHA) },
    { &full, CHROMA }, { &full, BIT (LUMA) | COLOURS | BIT (ALPHA) } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint c = 0; c < AMPHISTO_N_CHANNELS; c++)
      if (cases[i].channels & AMPHISTO_CHANNEL_BIT (c)) {
        const AmphistoAxisSpan span =
            amphisto_axis_span (cases[i].layout, cases[i].channels, c);

        g_assert_cmpuint (span.first, ==, 0);
        g_assert_cmpuint (span.last, ==, 65536);
        g_assert_false (
            amphisto_axis_is_mixed (cases[i].layout, cases[i].channels));
      }
}

static void
test_limited (void)
{
  const AmphistoChannelMask all = BIT (LUMA) | CHROMA | COLOURS | BIT (ALPHA);

  g_assert_true (amphisto_axis_is_mixed (&limited, all));
  g_assert_true (amphisto_axis_is_mixed (&limited, BIT (LUMA) | COLOURS));
  g_assert_true (amphisto_axis_is_mixed (&limited, BIT (LUMA) | CHROMA));
  assert_codes (&limited, all, AMPHISTO_CHANNEL_LUMA, 16, 235);
  assert_codes (&limited, all, AMPHISTO_CHANNEL_U, 16, 240);
  assert_codes (&limited, all, AMPHISTO_CHANNEL_V, 16, 240);
  assert_codes (&limited, all, AMPHISTO_CHANNEL_RED, 0, 255);
  assert_codes (&limited, all, AMPHISTO_CHANNEL_ALPHA, 0, 255);
  assert_codes (&limited, CHROMA | COLOURS, AMPHISTO_CHANNEL_V, 16, 240);
  assert_codes (&limited, CHROMA | COLOURS, AMPHISTO_CHANNEL_BLUE, 0, 255);
}

/* Luma of limited range fills the axis, beside any other channels. */
static void
test_luma (void)
{
  const AmphistoAxisSpan luma = amphisto_axis_span (
      &limited, BIT (LUMA) | CHROMA | COLOURS, AMPHISTO_CHANNEL_LUMA);

  g_assert_cmpuint (luma.first, ==, 0);
  g_assert_cmpuint (luma.last, ==, 65536);
}

static void
test_full (void)
{
  const AmphistoChannelMask all = BIT (LUMA) | CHROMA;

  g_assert_true (amphisto_axis_is_mixed (&full, all));
  assert_codes (&full, all, AMPHISTO_CHANNEL_LUMA, 0, 255);
  assert_codes (&full, all, AMPHISTO_CHANNEL_U, 1, 255);
}

const CoreTest core_tests[] = {
  { "/one-range", test_one_range },
  { "/limited", test_limited },
  { "/luma", test_luma },
  { "/full", test_full },
  { NULL },
};
