/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The enum and flags types of the properties.
 */

#pragma once

#include <gst/gst.h>

GType gst_amphisto_channels_get_type (void);
GType gst_amphisto_equalization_get_type (void);
GType gst_amphisto_exposure_get_type (void);
GType gst_amphisto_false_color_scale_get_type (void);
GType gst_amphisto_scope_display_get_type (void);
GType gst_amphisto_scope_position_get_type (void);
GType gst_amphisto_scope_scale_get_type (void);
GType gst_amphisto_scopes_get_type (void);
GType gst_amphisto_vectorscope_zoom_get_type (void);
GType gst_amphisto_waveform_colors_get_type (void);
