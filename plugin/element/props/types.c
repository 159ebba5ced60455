/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/props/types.h"

#include "element/props/settings.h"
#include "core/pixels/channels.h"

/* n: the number of values, which is checked. */
#define DEFINE_ENUM(Name, name, n, ...)                                        \
  G_STATIC_ASSERT (G_N_ELEMENTS (((GEnumValue[]){ __VA_ARGS__ })) == (n));     \
  G_DEFINE_ENUM_TYPE (Name, name, __VA_ARGS__)
#define DEFINE_FLAGS(Name, name, n, ...)                                       \
  G_STATIC_ASSERT (G_N_ELEMENTS (((GFlagsValue[]){ __VA_ARGS__ })) == (n));    \
  G_DEFINE_FLAGS_TYPE (Name, name, __VA_ARGS__)

/* Flags of n things, of which `thing` i has a name and a description. */
#define DEFINE_NAMED_FLAGS(function, type_name, none, n, thing)                \
  GType function (void)                                                        \
  {                                                                            \
    static GType type = 0;                                                     \
    static GFlagsValue values[1 + (n) + 1] = { { 0, none, "none" } };          \
                                                                               \
    if (g_once_init_enter (&type)) {                                           \
      for (guint i = 0; i < (n); i++)                                          \
        values[1 + i] =                                                        \
            (GFlagsValue){ 1u << i, thing->description, thing->name };         \
      g_once_init_leave (&type, g_flags_register_static (type_name, values));  \
    }                                                                          \
    return type;                                                               \
  }

DEFINE_NAMED_FLAGS (gst_amphisto_channels_get_type, "GstAmphistoChannels",
    "No channel", AMPHISTO_N_CHANNEL_GROUPS, (&amphisto_channel_groups[i]))

DEFINE_NAMED_FLAGS (gst_amphisto_scopes_get_type, "GstAmphistoScopes",
    "No scope", AMPHISTO_N_SCOPES, amphisto_scopes[i])

DEFINE_ENUM (GstAmphistoEqualization, gst_amphisto_equalization,
    AMPHISTO_N_EQUALIZATIONS,
    { AMPHISTO_EQUALIZATION_NONE, "No equalization", "none" },
    { AMPHISTO_EQUALIZATION_GLOBAL, "Histogram equalization of the whole frame",
        "global" },
    { AMPHISTO_EQUALIZATION_CLAHE,
        "Contrast limited adaptive histogram equalization", "clahe" },
    { AMPHISTO_EQUALIZATION_MATCH,
        "Histogram matching to the reference (no equalization without one)",
        "match" },
    { AMPHISTO_EQUALIZATION_STRETCH,
        "Linear levels: spreads luma over its range, all but the samples of "
        "stretch-low and stretch-high",
        "stretch" })

DEFINE_ENUM (GstAmphistoScopeDisplay, gst_amphisto_scope_display,
    AMPHISTO_N_DISPLAYS,
    { AMPHISTO_DISPLAY_OVERLAY, "All channels in one panel", "overlay" },
    { AMPHISTO_DISPLAY_STACK, "A panel per channel, one below the other",
        "stack" },
    { AMPHISTO_DISPLAY_PARADE, "A panel per channel, side by side", "parade" })

DEFINE_ENUM (GstAmphistoScopePosition, gst_amphisto_scope_position,
    AMPHISTO_N_SCOPE_POSITIONS,
    { AMPHISTO_SCOPE_TOP_LEFT, "Top left", "top-left" },
    { AMPHISTO_SCOPE_TOP_RIGHT, "Top right", "top-right" },
    { AMPHISTO_SCOPE_BOTTOM_LEFT, "Bottom left", "bottom-left" },
    { AMPHISTO_SCOPE_BOTTOM_RIGHT, "Bottom right", "bottom-right" })

DEFINE_ENUM (GstAmphistoScopeScale, gst_amphisto_scope_scale,
    AMPHISTO_N_SCOPE_SCALES, { AMPHISTO_SCOPE_LINEAR, "Linear", "linear" },
    { AMPHISTO_SCOPE_LOG,
        "Logarithmic; the graticule marks 1, 10, 100, ... samples", "log" })

DEFINE_ENUM (GstAmphistoVectorscopeZoom, gst_amphisto_vectorscope_zoom,
    1 + AMPHISTO_MAX_ZOOM_SHIFT, { 1, "All values of U and V", "1" },
    { 2, "The inner half of U and V, twice as large", "2" },
    { 4, "The inner quarter of U and V, four times as large", "4" })

DEFINE_ENUM (GstAmphistoWaveformColors, gst_amphisto_waveform_colors,
    AMPHISTO_N_WAVEFORM_COLORS,
    { AMPHISTO_WAVEFORM_CHANNELS, "A colour for each channel", "channels" },
    { AMPHISTO_WAVEFORM_PICTURE,
        "Luma's trace in the colours of the picture (not for GRAY8, which has "
        "no colours)",
        "picture" })

DEFINE_FLAGS (GstAmphistoExposure, gst_amphisto_exposure,
    1 + AMPHISTO_N_EXPOSURES,
    { AMPHISTO_EXPOSURE_NONE, "No exposure aid", "none" },
    { AMPHISTO_EXPOSURE_ZEBRA,
        "Moving stripes on pixels at and below zebra-low (black), and at and "
        "above zebra-high (white)",
        "zebra" },
    { AMPHISTO_EXPOSURE_FALSE_COLOR,
        "Luma as bands of colour in place of the picture, as in "
        "false-color-scale (not for GRAY8, which has no colours)",
        "false-color" },
    { AMPHISTO_EXPOSURE_GAMUT,
        "Moving upright stripes on pixels that are out of gamut (EBU R103); "
        "RGB formats and GRAY8 of full range have none",
        "gamut" },
    { AMPHISTO_EXPOSURE_PEAKING,
        "Orange on sharp edges, with the contrast of peaking-threshold or more "
        "(white in GRAY8)",
        "peaking" })

DEFINE_ENUM (GstAmphistoFalseColorScale, gst_amphisto_false_color_scale,
    AMPHISTO_N_FALSE_COLOR_SCALES,
    { AMPHISTO_FALSE_COLOR_VIDEO,
        "18 % grey and light skin as in BT.709: purple below 2.5 %, blue to "
        "4 %, green 41 to 48 %, pink 61 to 70 %, yellow 97 to 99 %, red from "
        "there on, else grey",
        "video" },
    { AMPHISTO_FALSE_COLOR_LOG,
        "As in a log curve: purple below 2.5 %, blue to 4 %, green 38 to "
        "42 %, pink 52 to 56 %, yellow 97 to 99 %, red from there on, else "
        "grey",
        "log" },
    { AMPHISTO_FALSE_COLOR_LIMITS,
        "Only the ends: purple below 2.5 %, red from 99 % on, else grey",
        "limits" })
