/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/verify.h"
#include "core/pixels/channels.h"

#include <stdio.h>
#include <stdlib.h>

AmphistoVerifyCopy
amphisto_verify_copy_new (const AmphistoFrame *frame)
{
  const AmphistoLayout *layout = frame->layout;
  AmphistoVerifyCopy copy = { .memory = NULL };

  copy.memory = malloc (amphisto_packed_size (layout, layout->n_planes));
  if (copy.memory == NULL)
    return copy;
  copy.frame = amphisto_packed_frame (layout, copy.memory);
  for (uint32_t p = 0; p < layout->n_planes; p++)
    amphisto_frame_copy_plane (frame, &copy.frame, p);
  return copy;
}

void
amphisto_verify_copy_clear (AmphistoVerifyCopy *copy)
{
  free (copy->memory);
  copy->memory = NULL;
}

/* Whether a result is on both sides, or on neither. whose: with "'s ", or "".
 */
static bool
verify_presence (const char *whose, const char *name, bool is_expected,
    bool is_there, char *text, size_t size)
{
  if (is_there == is_expected)
    return true;
  snprintf (text, size, "%s%s is only on the %s", whose, name,
      is_expected ? "CPU" : "device");
  return false;
}

/* Whether the device has these channels and no others. */
static bool
verify_channels (AmphistoChannelMask expected,
    const AmphistoHistograms *histograms, char *text, size_t size)
{
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++)
    if (!verify_presence ("", amphisto_channel_name (c),
            (expected & AMPHISTO_CHANNEL_BIT (c)) != 0,
            (histograms->channels & AMPHISTO_CHANNEL_BIT (c)) != 0, text, size))
      return false;
  return true;
}

static bool
verify_bins (AmphistoChannel channel, const uint32_t expected[AMPHISTO_N_BINS],
    const AmphistoHistograms *histograms, char *text, size_t size)
{
  const uint32_t *bins = histograms->bins[channel];

  if (!(histograms->channels & AMPHISTO_CHANNEL_BIT (channel)))
    return true;
  for (unsigned v = 0; v < AMPHISTO_N_BINS; v++)
    if (bins[v] != expected[v]) {
      snprintf (text, size, "%s, bin %u: %lu on the device, %lu on the CPU",
          amphisto_channel_name (channel), v, (unsigned long) bins[v],
          (unsigned long) expected[v]);
      return false;
    }
  return true;
}

bool
amphisto_verify_region (const AmphistoFrame *before,
    const AmphistoRegion *region, AmphistoChannelMask channels,
    const AmphistoHistograms *histograms, char *text, size_t size)
{
  AmphistoLayout layout;
  AmphistoFrame part;
  uint32_t bins[AMPHISTO_N_BINS];

  if (!verify_channels (channels, histograms, text, size))
    return false;
  amphisto_layout_crop (before->layout, region, &layout);
  part = amphisto_frame_crop (before, &layout);
  for (unsigned c = 0; c < AMPHISTO_N_CHANNELS; c++) {
    if (!(channels & AMPHISTO_CHANNEL_BIT (c)))
      continue;
    amphisto_histogram_count (&part, c, bins);
    if (!verify_bins (c, bins, histograms, text, size))
      return false;
  }
  return true;
}

/* Compares the histograms with those of the reference's last job. */
static bool
verify_slots (const AmphistoReferenceState *expected, const AmphistoPlan *plan,
    const AmphistoHistograms *histograms, char *text, size_t size)
{
  if (!verify_channels (plan->reported, histograms, text, size))
    return false;
  for (unsigned s = 0; s < plan->params.frame.n_slots; s++)
    if (!verify_bins (
            plan->slot_channel[s], expected->bins[s], histograms, text, size))
      return false;
  return true;
}

/* Whether the planes' rows are equal, without padding. name: whose plane it is,
 * for the text. */
static bool
verify_plane (const char *name, const AmphistoFrame *expected,
    const AmphistoFrame *after, uint32_t p, char *text, size_t size)
{
  const AmphistoPlaneLayout *plane = &after->layout->plane[p];

  for (uint32_t y = 0; y < plane->rows; y++) {
    const uint8_t *e = amphisto_frame_row (expected, p, y);
    const uint8_t *a = amphisto_frame_row (after, p, y);

    for (uint32_t x = 0; x < plane->row_bytes; x++)
      if (e[x] != a[x]) {
        snprintf (text, size,
            "%splane %u, row %u, byte %u: %u on the device, %u on the CPU",
            name, (unsigned) p, (unsigned) y, (unsigned) x, a[x], e[x]);
        return false;
      }
  }
  return true;
}

/* whose, name: of the number, as for verify_presence(). */
static bool
verify_number (const char *whose, const char *name, double expected,
    double number, char *text, size_t size)
{
  if (number == expected)
    return true;
  snprintf (text, size, "%s%s: %.17g on the device, %.17g on the CPU", whose,
      name, number, expected);
  return false;
}

static bool
verify_comparison (const AmphistoComparison *expected, const AmphistoJob *job,
    const AmphistoComparison *comparison, char *text, size_t size)
{
  const bool is_compared =
      amphisto_plan_compares_luma (job->plan) && !job->resets_comparison;

  return verify_presence ("luma's ", "difference", is_compared,
             comparison->has_previous, text, size)
      && (!is_compared
          || (verify_number ("luma's ", "difference", expected->difference,
                  comparison->difference, text, size)
              && verify_number ("luma's ", "distance", expected->distance,
                  comparison->distance, text, size)));
}

static bool
verify_picture (const AmphistoPicture *expected, const AmphistoPicture *picture,
    char *text, size_t size)
{
  for (unsigned f = 0; f < AMPHISTO_N_PICTURE_FIELDS; f++) {
    const char *name = amphisto_picture_field_name (f);
    double e, value;
    const bool has_expected = amphisto_picture_get (expected, f, &e);
    const bool has_value = amphisto_picture_get (picture, f, &value);

    if (!verify_presence (
            "the picture's ", name, has_expected, has_value, text, size)
        || (has_expected
            && !verify_number ("the picture's ", name, e, value, text, size)))
      return false;
  }
  return true;
}

/* Compares the target, if it is written, and the canvas, if there is one. */
static bool
verify_frames (const AmphistoJob *expected, const AmphistoJob *job, char *text,
    size_t size)
{
  const AmphistoPlan *plan = job->plan;
  const uint32_t n_planes = plan->written != 0 ? plan->layout.n_planes : 0;

  for (uint32_t p = 0; p < n_planes; p++)
    if (!verify_plane ("", &expected->target, &job->target, p, text, size))
      return false;
  return !amphisto_plan_has_canvas (plan)
      || verify_plane (
          "the canvas's ", &expected->canvas, &job->canvas, 0, text, size);
}

AmphistoVerifyResult
amphisto_verify_job (const AmphistoJob *job, const AmphistoFrame *before,
    const AmphistoHistograms *histograms, AmphistoReferenceState *state,
    char *text, size_t size)
{
  const bool is_written = job->plan->written != 0;
  const bool has_canvas = amphisto_plan_has_canvas (job->plan);
  AmphistoVerifyCopy target = { .frame = *before };
  AmphistoVerifyCopy canvas = { .memory = NULL };
  AmphistoJob again = *job;
  AmphistoVerifyResult result = AMPHISTO_VERIFY_EQUAL;

  if (is_written)
    target = amphisto_verify_copy_new (before);
  if (has_canvas)
    canvas = amphisto_verify_copy_new (&job->canvas);
  again.source = *before;
  again.target = target.frame;
  again.canvas = canvas.frame;
  if ((is_written && target.memory == NULL)
      || (has_canvas && canvas.memory == NULL)
      || !amphisto_reference_run (&again, state))
    result = AMPHISTO_VERIFY_NO_MEMORY;
  else if (!verify_slots (state, job->plan, histograms, text, size)
      || !verify_comparison (
          &state->comparison, job, &histograms->comparison, text, size)
      || !verify_picture (&state->picture, &histograms->picture, text, size)
      || !verify_frames (&again, job, text, size))
    result = AMPHISTO_VERIFY_DIFFERENT;
  amphisto_verify_copy_clear (&target);
  amphisto_verify_copy_clear (&canvas);
  return result;
}
