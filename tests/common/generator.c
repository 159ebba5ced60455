/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "generator.h"

#include <gst/gst.h>

#include "core/pixels/channels.h"
#include "xorshift.h"

/* clang-format off */
#define FIELD(member)                                                          \
  offsetof (AmphistoSettings, member),                                         \
      _Generic (((AmphistoSettings *) NULL)->member,                           \
          bool: TEST_BOOLEAN,                                                  \
          float: TEST_FLOAT,                                                   \
          double: TEST_DOUBLE,                                                 \
          uint32_t *: TEST_BINS,                                               \
          AmphistoReferenceLines: TEST_LINES,                                  \
          default: TEST_UINT)
/* clang-format on */
#define POWER(member) offsetof (AmphistoSettings, member), TEST_POWER
#define GROUPS(member) offsetof (AmphistoSettings, member), TEST_GROUPS

/* The values: each number below n; n numbers from `first` on; these, of which
 * one that stands there twice is drawn twice as often. */
#define BELOW(n) (n), NULL, 0, 1
#define RANGE(first, step, n) (n), NULL, (first), (step)
#define VALUES(...)                                                            \
  sizeof ((const double[]){ __VA_ARGS__ }) / sizeof (double),                  \
      (const double[]){ __VA_ARGS__ }, 0, 0
#define EITHER BELOW (2)
#define MOSTLY VALUES (0, 1, 1, 1)
#define ANY 1, NULL, 0, 0

const TestSetting test_settings[] = {
  { TEST_EQUALIZATION, "equalization", FIELD (equalization),
      BELOW (AMPHISTO_N_EQUALIZATIONS) },
  { TEST_EQUALIZATION, "strength", FIELD (strength),
      VALUES (1, 0, 0.5, 0.3f, 0.999f) },
  { TEST_EQUALIZATION, "keep-colors", FIELD (keeps_colors), MOSTLY },
  { TEST_EQUALIZATION, "clip-limit", FIELD (clahe.clip_limit),
      VALUES (0, 0.5, 1, 2.5, 4, 40) },
  { TEST_EQUALIZATION, "tiles-x", FIELD (clahe.tiles_x),
      VALUES (1, 2, 3, 8, 8, 17, 64) },
  { TEST_EQUALIZATION, "tiles-y", FIELD (clahe.tiles_y),
      VALUES (1, 2, 3, 8, 8, 17, 64) },
  { TEST_EQUALIZATION, "reference", FIELD (match_bins), ANY },
  { TEST_EQUALIZATION, "stretch-low", FIELD (stretch_low),
      VALUES (0.5, 0, 0.1, 5, 33.3, 50) },
  { TEST_EQUALIZATION, "stretch-high", FIELD (stretch_high),
      VALUES (0.5, 0, 0.1, 5, 33.3, 50) },
  { TEST_EQUALIZATION, "smoothing", FIELD (smoothing),
      VALUES (0, 0, 0, 0, 0.5, 0.9f, 1, 0.01f) },

  { TEST_SCOPES, "scopes", FIELD (scopes.enabled),
      BELOW (AMPHISTO_ALL_SCOPES + 1) },
  { TEST_SCOPES, "scope-display", FIELD (scopes.display),
      BELOW (AMPHISTO_N_DISPLAYS) },
  { TEST_SCOPES, "scope-position", FIELD (scopes.position),
      BELOW (AMPHISTO_N_SCOPE_POSITIONS) },
  { TEST_SCOPES, "scope-width", FIELD (scopes.width),
      VALUES (0, 0.2, 0.33, 0.5, 1) },
  { TEST_SCOPES, "scope-height", FIELD (scopes.height),
      VALUES (0, 0.33, 0.6, 1) },
  { TEST_SCOPES, "scope-opacity", FIELD (scopes.opacity), RANGE (0, 0.1, 11) },
  { TEST_SCOPES, "scope-intensity", FIELD (scopes.intensity),
      VALUES (0.25, 0.7, 1, 1, 1.5, 4) },
  { TEST_SCOPES, "scope-scale", FIELD (scopes.scale),
      BELOW (AMPHISTO_N_SCOPE_SCALES) },
  { TEST_SCOPES, "waveform-colors", FIELD (scopes.waveform_colors),
      BELOW (AMPHISTO_N_WAVEFORM_COLORS) },
  { TEST_SCOPES, "vectorscope-zoom", POWER (scopes.zoom_shift),
      BELOW (AMPHISTO_MAX_ZOOM_SHIFT + 1) },
  { TEST_SCOPES, "graticule", FIELD (scopes.graticule), MOSTLY },
  { TEST_SCOPES, "clipping-bars", FIELD (scopes.clipping_bars), EITHER },
  { TEST_SCOPES, "percentile-marks", FIELD (scopes.percentile_marks), EITHER },
  { TEST_SCOPES, "reference-lines", FIELD (scopes.reference_lines),
      VALUES (0, 5.5, 50, 70, 100, -7, 109, -10, 110) },

  { TEST_EXPOSURE, "exposure", FIELD (exposure.enabled),
      BELOW (AMPHISTO_ALL_EXPOSURES + 1) },
  { TEST_EXPOSURE, "zebra-low", FIELD (exposure.zebra_low),
      RANGE (-10, 1, 50) },
  { TEST_EXPOSURE, "zebra-high", FIELD (exposure.zebra_high),
      RANGE (110, -1, 50) },
  { TEST_EXPOSURE, "false-color-scale", FIELD (exposure.scale),
      BELOW (AMPHISTO_N_FALSE_COLOR_SCALES) },
  { TEST_EXPOSURE, "peaking-threshold", FIELD (exposure.peaking_threshold),
      VALUES (12, 0, 1, 5, 12.5, 33.3, 70, 100) },

  { TEST_QUALITY, "compare-frames", FIELD (compares_luma), EITHER },
  { TEST_QUALITY, "compare-frames", FIELD (compares_picture), EITHER },
  { TEST_QUALITY, "check-gamut", FIELD (checks_gamut), EITHER },
  { TEST_QUALITY, "find-letterbox", FIELD (finds_letterbox), EITHER },
  { TEST_QUALITY, "measure-sharpness", FIELD (measures_sharpness), EITHER },

  { TEST_CHANNELS, "channels", GROUPS (channels),
      BELOW (1 << AMPHISTO_N_CHANNEL_GROUPS) },
};

const guint test_n_settings = G_N_ELEMENTS (test_settings);

static AmphistoChannelMask
channels_of (guint groups)
{
  AmphistoChannelMask channels = 0;

  for (guint i = 0; i < AMPHISTO_N_CHANNEL_GROUPS; i++)
    if (groups & 1u << i)
      channels |= amphisto_channel_groups[i].channels;
  return channels;
}

static guint
groups_of (AmphistoChannelMask channels)
{
  guint groups = 0;

  for (guint i = 0; i < AMPHISTO_N_CHANNEL_GROUPS; i++)
    if (channels & amphisto_channel_groups[i].channels)
      groups |= 1u << i;
  return groups;
}

static double
draw_value (const TestSetting *self, guint32 *random)
{
  const guint i = test_random (random) % self->n_values;

  return self->values != NULL ? self->values[i] : self->first + i * self->step;
}

static void
draw_lines (
    const TestSetting *self, AmphistoReferenceLines *lines, guint32 *random)
{
  *lines = (AmphistoReferenceLines){ .n = test_random (random) % 4 };
  for (guint i = 0; i < lines->n; i++)
    lines->percent[i] = draw_value (self, random);
}

static void
draw (const TestSetting *self, gpointer member, guint32 *random)
{
  const double value = draw_value (self, random);

  switch (self->type) {
    case TEST_BOOLEAN:
      *(bool *) member = value != 0;
      break;
    case TEST_UINT:
    case TEST_POWER:
      *(uint32_t *) member = (uint32_t) value;
      break;
    case TEST_GROUPS:
      *(AmphistoChannelMask *) member = channels_of ((guint) value);
      break;
    case TEST_FLOAT:
      *(float *) member = (float) value;
      break;
    case TEST_DOUBLE:
      *(double *) member = value;
      break;
    case TEST_BINS:
      for (guint v = 0; v < AMPHISTO_N_BINS; v++)
        ((uint32_t *) member)[v] = test_random (random) % 1000;
      break;
    case TEST_LINES:
      draw_lines (self, member, random);
      break;
  }
}

void
test_settings_draw (
    AmphistoSettings *self, TestSubjects subjects, guint32 *random)
{
  for (guint i = 0; i < test_n_settings; i++)
    if (test_settings[i].subject & subjects)
      draw (
          &test_settings[i], (guint8 *) self + test_settings[i].offset, random);
}

static void
apply_lines (const TestSetting *self, const AmphistoReferenceLines *lines,
    GObject *element)
{
  g_auto (GValue) array = G_VALUE_INIT;

  gst_value_array_init (&array, lines->n);
  for (guint i = 0; i < lines->n; i++) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, G_TYPE_DOUBLE);
    g_value_set_double (&value, lines->percent[i]);
    gst_value_array_append_and_take_value (&array, &value);
  }
  g_object_set_property (element, self->property, &array);
}

void
test_setting_apply (
    const TestSetting *self, const AmphistoSettings *settings, GObject *element)
{
  const guint8 *member = (const guint8 *) settings + self->offset;

  switch (self->type) {
    case TEST_BOOLEAN:
      g_object_set (element, self->property, *(const bool *) member, NULL);
      break;
    case TEST_UINT:
      g_object_set (element, self->property, *(const uint32_t *) member, NULL);
      break;
    case TEST_POWER:
      g_object_set (
          element, self->property, 1 << *(const uint32_t *) member, NULL);
      break;
    case TEST_GROUPS:
      g_object_set (element, self->property,
          groups_of (*(const AmphistoChannelMask *) member), NULL);
      break;
    case TEST_FLOAT:
      g_object_set (
          element, self->property, (double) *(const float *) member, NULL);
      break;
    case TEST_DOUBLE:
      g_object_set (element, self->property, *(const double *) member, NULL);
      break;
    case TEST_BINS: {
      g_autoptr (GBytes) bins =
          g_bytes_new (member, sizeof (uint32_t[AMPHISTO_N_BINS]));

      g_object_set (element, self->property, bins, NULL);
      break;
    }
    case TEST_LINES:
      apply_lines (self,
          (const AmphistoReferenceLines *) (gconstpointer) member, element);
      break;
  }
}

void
test_settings_apply (
    const AmphistoSettings *self, TestSubjects subjects, GObject *element)
{
  for (guint i = 0; i < test_n_settings; i++)
    if (test_settings[i].subject & subjects)
      test_setting_apply (&test_settings[i], self, element);
}

GPtrArray *
test_own_properties (GObject *object)
{
  GPtrArray *own = g_ptr_array_new ();
  guint n;
  g_autofree GParamSpec **all =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);

  for (guint i = 0; i < n; i++)
    if (all[i]->owner_type == G_OBJECT_TYPE (object)
        && all[i]->flags & G_PARAM_WRITABLE)
      g_ptr_array_add (own, all[i]);
  return own;
}
