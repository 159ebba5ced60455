/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The functions behind verify=true accept right results and detect wrong ones.
 */

#include "channels.h"
#include "core/change/equalize.h"
#include "core/verify.h"
#include "layouts.h"
#include "plans.h"
#include "suite.h"

#include <string.h>

/* xRGB, 2 x 2, in rows of 11 bytes */
#define PADDING 3
#define STRIDE (8 + PADDING)
#define SIZE (STRIDE + 8)

/* A job, and what a device made of it. Samples have different values. */
typedef struct
{
  AmphistoLayout layout;
  uint8_t before[SIZE], after[SIZE];
  AmphistoPlan plan;
  AmphistoJob job; /* the target is the source */
  AmphistoHistograms histograms;
  AmphistoReferenceState state;
  char text[100];
} Subject;

static void
subject_init (Subject *self, const AmphistoSettings *settings)
{
  memset (self, 0, sizeof *self);
  self->layout = packed_layout ("xRGB", 2, 2);
  for (unsigned i = 0; i < SIZE; i++)
    self->before[i] = i * 11;
  amphisto_plan_init (&self->plan, &self->layout, settings, &cpu);
  self->job.plan = &self->plan;
  self->job.source = frame_in (&self->layout, self->before, PADDING);
  self->job.target = self->job.source;
}

/* Counts the channels of the frame. */
static void
count (Subject *self, AmphistoChannelMask channels)
{
  self->histograms.channels = channels;
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (channels & AMPHISTO_CHANNEL_BIT (c))
      amphisto_histogram_count (&self->job.source, c, self->histograms.bins[c]);
}

/* Whether the job is right. If it is not, the text must begin like this, unless
 * it is NULL. */
static bool
verify (Subject *self, const char *text)
{
  const AmphistoVerifyResult result =
      amphisto_verify_job (&self->job, &self->job.source, &self->histograms,
          &self->state, self->text, sizeof self->text);

  g_assert_true (
      result == AMPHISTO_VERIFY_EQUAL || result == AMPHISTO_VERIFY_DIFFERENT);
  if (text != NULL)
    g_assert_true (result == AMPHISTO_VERIFY_DIFFERENT
        && g_str_has_prefix (self->text, text));
  return result == AMPHISTO_VERIFY_EQUAL;
}

static void
test_copy (void)
{
  Subject subject;
  AmphistoVerifyCopy copy;

  subject_init (&subject, &(AmphistoSettings){ 0 });
  copy = amphisto_verify_copy_new (&subject.job.source);
  g_assert_nonnull (copy.memory);
  memset (subject.before, 0, sizeof subject.before);
  for (unsigned y = 0; y < 2; y++)
    for (unsigned x = 0; x < 8; x++)
      g_assert_cmpuint (amphisto_frame_row (&copy.frame, 0, y)[x], ==,
          (y * STRIDE + x) * 11 % 256);
  amphisto_verify_copy_clear (&copy);
  g_assert_null (copy.memory);
}

static bool
verify_region (Subject *self, AmphistoChannelMask channels)
{
  const AmphistoRegion all = { 0, 0, 2, 2 };

  return amphisto_verify_region (&self->job.source, &all, channels,
      &self->histograms, self->text, sizeof self->text);
}

static void
test_region (void)
{
  Subject subject;

  subject_init (&subject, &(AmphistoSettings){ 0 });
  count (&subject, LUMA | RGB);
  g_assert_true (verify_region (&subject, LUMA | RGB));
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    for (unsigned v = 0; v < AMPHISTO_N_BINS; v++) {
      subject.histograms.bins[c][v]++;
      /* channels that are not measured are not compared */
      g_assert_true (verify_region (&subject, LUMA | RGB)
          == !((LUMA | RGB) & AMPHISTO_CHANNEL_BIT (c)));
      subject.histograms.bins[c][v]--;
    }
  subject.histograms.bins[AMPHISTO_CHANNEL_GREEN][22] += 5;
  g_assert_false (verify_region (&subject, LUMA | RGB));
  g_assert_cmpstr (
      subject.text, ==, "green, bin 22: 6 on the device, 1 on the CPU");
  g_assert_false (verify_region (&subject, LUMA));
  g_assert_cmpstr (subject.text, ==, "red is only on the device");
}

/* A wrong bin of a frame that is only measured is found. */
static void
test_measured (void)
{
  static const char *const texts[AMPHISTO_N_CHANNELS] = {
    "luma, bin 255: ", [AMPHISTO_CHANNEL_RED] = "red, bin 255: ",
    [AMPHISTO_CHANNEL_GREEN] = "green, bin 255: ",
    [AMPHISTO_CHANNEL_BLUE] = "blue, bin 255: "
  };
  Subject subject;

  subject_init (&subject, &(AmphistoSettings){ .channels = LUMA | RGB });
  count (&subject, LUMA | RGB);
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (texts[c] != NULL) {
      subject.histograms.bins[c][255]++;
      g_assert_false (verify (&subject, texts[c]));
      subject.histograms.bins[c][255]--;
    }
  g_assert_true (verify (&subject, NULL));
}

/* Verifies an equalized frame with a wrong byte at `at` (SIZE: no wrong byte).
 */
static bool
verify_changed (unsigned at, float strength, const char *text)
{
  uint32_t bins[AMPHISTO_N_BINS];
  uint8_t lut[AMPHISTO_N_BINS];
  Subject subject;

  subject_init (&subject,
      &(AmphistoSettings){ .equalization = GLOBAL, .strength = strength });
  subject.job.target = frame_in (&subject.layout, subject.after, PADDING);
  amphisto_histogram_count (&subject.job.source, AMPHISTO_CHANNEL_LUMA, bins);
  amphisto_equalize_lut (bins, 0, 255, strength, lut);
  amphisto_equalize_apply (
      &subject.job.source, &subject.job.target, lut, AMPHISTO_UNIT_GAIN);
  if (at < SIZE)
    subject.after[at] ^= 1;
  return verify (&subject, text);
}

static void
test_equalized (void)
{
  g_assert_true (verify_changed (SIZE, 1, NULL));
  g_assert_true (verify_changed (SIZE, 0.3f, NULL));
  for (unsigned i = 0; i < SIZE; i++)
    /* padding between the rows is not compared */
    g_assert_true (verify_changed (i, 1, NULL) == (i >= 8 && i < STRIDE));
  verify_changed (STRIDE + 4, 0,
      "plane 0, row 1, byte 4: 164 on the device, 165 on the CPU");
}

/* Verifies the next frame, with all samples, and so its bins, 11 above the
 * previous frame's. */
static bool
verify_brighter (Subject *subject, const char *text)
{
  bool is_equal;

  for (unsigned i = 0; i < SIZE; i++)
    subject->before[i] += 11;
  count (subject, subject->plan.reported);
  is_equal = verify (subject, text);
  amphisto_reference_state_clear (&subject->state);
  return is_equal;
}

/* Initializes a subject, and verifies a first frame. */
static void
verify_first (Subject *subject)
{
  subject_init (
      subject, &(AmphistoSettings){ .channels = LUMA, .compares_luma = true });
  count (subject, LUMA);
  subject->job.resets_comparison = true;
  g_assert_true (verify (subject, NULL));
}

/* Without a previous frame, no number is compared. */
static bool
verify_compared (
    bool is_first, double difference, double distance, const char *text)
{
  Subject subject;

  verify_first (&subject);
  subject.histograms.comparison =
      (AmphistoComparison){ !is_first, difference, distance };
  subject.job.resets_comparison = is_first;
  return verify_brighter (&subject, text);
}

static void
test_compared (void)
{
  g_assert_true (verify_compared (false, 11, 11, NULL));
  g_assert_true (verify_compared (true, 5, 6, NULL));
  verify_compared (false, 11.25, 11,
      "luma's difference: 11.25 on the device, 11 on the CPU");
  verify_compared (
      false, 11, 0, "luma's distance: 0 on the device, 11 on the CPU");
}

/* A picture with one field. */
static AmphistoPicture
picture_with (AmphistoPictureField field, double value)
{
  AmphistoPicture picture = { .fields = 1u << field };

  picture.value[field] = value;
  return picture;
}

/* The same with the picture's difference. */
static bool
verify_picture_compared (bool is_first, double difference, const char *text)
{
  Subject subject;

  subject_init (&subject, &(AmphistoSettings){ .compares_picture = true });
  subject.job.resets_picture = true;
  g_assert_true (verify (&subject, NULL));
  subject.job.resets_picture = is_first;
  if (!is_first)
    subject.histograms.picture =
        picture_with (AMPHISTO_PICTURE_DIFFERENCE, difference);
  return verify_brighter (&subject, text);
}

static void
test_picture_compared (void)
{
  g_assert_true (verify_picture_compared (false, 11, NULL));
  g_assert_true (verify_picture_compared (true, 0, NULL));
  verify_picture_compared (false, 11.25,
      "the picture's difference: 11.25 on the device, 11 on the CPU");
}

/* The active picture of a frame without black bars. */
static void
test_active (void)
{
  static const AmphistoRegion whole = { 0, 0, 2, 2 };
  Subject subject;
  AmphistoPicture *picture = &subject.histograms.picture;

  subject_init (&subject, &(AmphistoSettings){ .finds_letterbox = true });
  memset (subject.before, 255, sizeof subject.before);
  amphisto_picture_set_active (
      picture, &whole, (const uint32_t[]){ 2, 2, 2, 2 });
  g_assert_true (verify (&subject, NULL));
  picture->value[AMPHISTO_PICTURE_ACTIVE_X] = 1;
  verify (&subject, "the picture's active-x: 1 on the device, 0 on the CPU");
}

/* A frame of one value is not sharp. */
static void
test_sharpness (void)
{
  Subject subject;

  subject_init (&subject, &(AmphistoSettings){ .measures_sharpness = true });
  memset (subject.before, 9, sizeof subject.before);
  subject.histograms.picture = picture_with (AMPHISTO_PICTURE_SHARPNESS, 0);
  g_assert_true (verify (&subject, NULL));
  subject.histograms.picture = picture_with (AMPHISTO_PICTURE_SHARPNESS, 0.5);
  verify (&subject, "the picture's sharpness: 0.5 on the device, 0 on the CPU");
}

/* A channel, a comparison or a field that only one of them has found. */
static void
test_missing_field (void)
{
  Subject subject;

  subject_init (&subject, &(AmphistoSettings){ .channels = LUMA | RGB });
  count (&subject, RGB);
  verify (&subject, "luma is only on the CPU");
  verify_first (&subject);
  subject.histograms.comparison.has_previous = true;
  verify (&subject, "luma's difference is only on the device");
  subject.histograms.comparison.has_previous = false;
  subject.job.resets_comparison = false;
  verify_brighter (&subject, "luma's difference is only on the CPU");

  subject_init (&subject, &(AmphistoSettings){ .measures_sharpness = true });
  verify (&subject, "the picture's sharpness is only on the CPU");
  subject_init (&subject, &(AmphistoSettings){ 0 });
  subject.histograms.picture = picture_with (AMPHISTO_PICTURE_OUT_OF_GAMUT, 0);
  verify (&subject, "the picture's out-of-gamut is only on the device");
}

const CoreTest core_tests[] = {
  { "/verify/copy", test_copy },
  { "/verify/region", test_region },
  { "/verify/measured", test_measured },
  { "/verify/equalized", test_equalized },
  { "/verify/compared", test_compared },
  { "/verify/picture-compared", test_picture_compared },
  { "/verify/active", test_active },
  { "/verify/sharpness", test_sharpness },
  { "/verify/missing-field", test_missing_field },
  { 0 },
};
