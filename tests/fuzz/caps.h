/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random caps.
 */

#pragma once

#include <gst/gst.h>

/* Returns: (transfer full): caps of any format and rate, mostly of small
 * frames; is_large: of frames with room for scopes. */
GstCaps *fuzz_caps_random (GRand *random, gboolean is_large);

/* Stores the weights of R, G and B in luma, in 1/65536. */
void fuzz_caps_weights (const GstCaps *caps, guint weights[3]);
