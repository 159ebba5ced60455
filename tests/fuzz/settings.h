/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random settings of an element: properties and controllers.
 */

#pragma once

#include <gst/gst.h>

#include "generator.h"

/* A random element of the array. */
#define FUZZ_PICK(random, array)                                               \
  (array)[g_rand_int_range (random, 0, G_N_ELEMENTS (array))]

#define FUZZ_MAX_PERCENTILES 64
#define FUZZ_MAX_LINES 16
#define FUZZ_MAX_CONTROLS 3

/* A bit of `channels`. */
#define FUZZ_CHANNELS_LUMA 1

/* A channel, its bit of `channels`, and the ends of its range: in full range,
 * in YUV or grey of limited range, and in RGB of limited range. */
typedef struct
{
  const gchar *name;
  guint bit;
  guint full[2], limited[2], limited_rgb[2];
} FuzzChannel;

#define FUZZ_N_CHANNELS 8
G_STATIC_ASSERT (FUZZ_N_CHANNELS == AMPHISTO_N_CHANNELS);
extern const FuzzChannel fuzz_channels[FUZZ_N_CHANNELS];

/* Whether the text has a condition of the channel. */
gboolean fuzz_channel_is_named (const FuzzChannel *self, const gchar *expect);

/* The properties that the checks use; `channels`, `compare_…` for
 * `compare-frames`, `check_gamut`, `find_letterbox` and `measure_sharpness`
 * also for conditions. */
typedef struct
{
  guint channels; /* bits: luma, chroma, rgb, alpha, saturation */
  gboolean attach_meta, post_messages, roi_meta;
  gboolean compare_luma, compare_picture;
  gboolean check_gamut, find_letterbox, measure_sharpness;
  guint64 interval, expect_duration;
  gdouble percentiles[FUZZ_MAX_PERCENTILES];
  guint n_percentiles;
  guint roi_x, roi_y, roi_width, roi_height;
  gint equalization; /* none if there is no reference to match */
  gdouble strength, smoothing;
  gboolean keep_colors;
  guint tiles_x, tiles_y;
  guint scopes, exposure;
  gboolean scopes_only;
  gint display, scale, position;
  gchar expect[1024]; /* "": none */
} FuzzSettings;

void fuzz_settings_read (FuzzSettings *self, GstElement *element);

/* Whether the scope's scale must restart. Conditions name channels, too, but
 * may turn out to be none with the next frame. */
gboolean fuzz_settings_forget_scale (
    const FuzzSettings *last, const FuzzSettings *now);

/* A property that moves from `first` at 0 s to `last` at 1 s. */
typedef struct
{
  const gchar *property;
  gdouble first, last;
} FuzzControl;

/* Sets a few properties of `element` to random values; mostly those of the
 * subjects, and `favourites`, which ends with NULL. */
void fuzz_set_some (GRand *random, GstElement *element, TestSubjects subjects,
    const gchar *const *favourites);

/* Sets all properties of `element` to their defaults. */
void fuzz_set_defaults (GstElement *element);

/* Sets the properties of `element` except `verify`, and those in `left`, which
 * ends with NULL, to those of `model`. */
void fuzz_set_like (
    GstElement *element, GstElement *model, const gchar *const *left);

/* A random control for `element`. */
FuzzControl fuzz_control_random (GRand *random, GstElement *element);
void fuzz_control_add (const FuzzControl *self, GstElement *element);
void fuzz_control_remove (const FuzzControl *self, GstElement *element);

/* Returns: (transfer full): the properties that differ from their defaults, in
 * the syntax of gst-launch-1.0. */
gchar *fuzz_describe_settings (GstElement *element);
