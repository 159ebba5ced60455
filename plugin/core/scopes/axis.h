/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The axis of values that all panels and traces of a scope share. It is
 * measured in per cent of each channel's range: black is 0 %, white 100 %. For
 * U and V, the extremes are 0 and 100 %, and neutral is in the middle. The axis
 * is long enough for all codes of all channels, so codes beyond a range are on
 * it, too. With channels of one range, it covers the codes 0 to 255. Red, green
 * and blue of YUV of limited range have luma's axis.
 */

#pragma once

#include "core/pixels/frame.h"

/* Where a channel's codes are on the axis: the positions of code 0 and of code
 * 255, in 1/65536 of the axis' length. The other codes are evenly spaced. */
typedef struct
{
  uint32_t first;
  uint32_t last;
} AmphistoAxisSpan;

/* Whether a waveform counts the channel before it is clamped, in luma's codes:
 * red, green and blue of YUV of limited range. The histogram's bins are
 * clamped.
 */
bool amphisto_axis_is_unclamped (
    const AmphistoLayout *layout, AmphistoChannel channel);

/* channels: all channels of the scope, with `channel` among them or, for luma,
 * one that is unclamped. */
AmphistoAxisSpan amphisto_axis_span (const AmphistoLayout *layout,
    AmphistoChannelMask channels, AmphistoChannel channel);

/* Whether the figures of all scopes are per cent, not codes: some channel has
 * limited range. Alpha never has. */
bool amphisto_axis_is_percent (
    const AmphistoLayout *layout, AmphistoChannelMask channels);

/* Whether `percent` % is on the axis. channels: not empty. */
bool amphisto_axis_reaches (
    const AmphistoLayout *layout, AmphistoChannelMask channels, double percent);

/* The position of `percent` % on the axis, in 1/65536 of its length. channels:
 * not empty. percent: on the axis. */
uint32_t amphisto_axis_percent (
    const AmphistoLayout *layout, AmphistoChannelMask channels, double percent);
