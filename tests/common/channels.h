/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Sets of channels.
 */

#pragma once

#include "core/pixels/frame.h"

#define LUMA AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_LUMA)
#define CHROMA                                                                 \
  (AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_U)                                   \
      | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_V))
#define RGB                                                                    \
  (AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_RED)                                 \
      | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_GREEN)                          \
      | AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_BLUE))
#define ALPHA AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_ALPHA)
#define SATURATION AMPHISTO_CHANNEL_BIT (AMPHISTO_CHANNEL_SATURATION)
#define ALL_CHANNELS (LUMA | CHROMA | RGB | ALPHA | SATURATION)
