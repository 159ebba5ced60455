/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random settings, for kernels and for the element. Each property that plans
 * depend on has a row in generator.c, with the values to draw from. A new
 * property needs nothing else to be drawn by all tests of random frames.
 */

#pragma once

#include <glib-object.h>

#include "core/plan.h"

/* What settings are about. */
typedef enum
{
  TEST_EQUALIZATION = 1 << 0,
  TEST_SCOPES = 1 << 1,
  TEST_EXPOSURE = 1 << 2,
  TEST_QUALITY = 1 << 3, /* measurements for quality control */
  TEST_CHANNELS = 1 << 4,
  TEST_ALL_SUBJECTS = (1 << 5) - 1
} TestSubjects;

typedef enum
{
  TEST_BOOLEAN,
  TEST_UINT, /* also an enum, or flags */
  TEST_FLOAT,
  TEST_DOUBLE,
  TEST_POWER,  /* an unsigned integer n, for the value 2^n of the property */
  TEST_GROUPS, /* a mask of channels, for their groups */
  TEST_BINS,
  TEST_LINES /* AmphistoReferenceLines: up to 3 of the values */
} TestType;

/* A property, the member of AmphistoSettings at `offset` that it sets, and the
 * n_values values to draw from: `values`, or if NULL, those from `first` on,
 * `step` apart. Bins are any. */
typedef struct
{
  TestSubjects subject;
  const char *property;
  size_t offset;
  TestType type;
  guint n_values;
  const double *values;
  double first;
  double step;
} TestSetting;

extern const TestSetting test_settings[];
extern const guint test_n_settings;

/* Draws all settings of the subjects, and leaves the others. */
void test_settings_draw (
    AmphistoSettings *self, TestSubjects subjects, guint32 *random);

/* Sets the property of an element. */
void test_setting_apply (const TestSetting *self,
    const AmphistoSettings *settings, GObject *element);

/* Sets all properties of the subjects. */
void test_settings_apply (
    const AmphistoSettings *self, TestSubjects subjects, GObject *element);

/* Returns: (transfer container): the properties of the object's own class that
 * can be set, of type GParamSpec. */
GPtrArray *test_own_properties (GObject *object);
