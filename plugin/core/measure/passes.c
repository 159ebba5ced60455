/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "core/measure/passes.h"
#include "core/pixels/arithmetic.h"

#define SLOT_SIZE (AMPHISTO_N_BINS * sizeof (uint32_t))

/* GPU shape: local memory for the replicas of bins. Less than the device has:
 * drivers (NVIDIA 580) reserve some of it. */
#define REPLICAS_SIZE (32 * 1024)
/* Cost of counting a computed sample, relative to a stored one. */
#define COMPUTED_WEIGHT 2
/* Minimum number of samples per additional group. */
#define MIN_GROUP_SAMPLES 16384

/* The component whose items a slot's samples are read from: red for luma of
 * packed RGB, otherwise the slot's own. */
static const component_params *
items_of_slot (const frame_params *params, uint32_t slot)
{
  const component_params *samples = &params->measured[slot];

  return samples->plane == AMPHISTO_RGB_LUMA && params->rgb[0].pixel_stride > 1
      ? &params->rgb[0]
      : samples;
}

/* Whether the slots' samples can be read together: they are in the same items,
 * or computed from the same items. */
static bool
share_pass (const frame_params *params, uint32_t a, uint32_t b)
{
  const component_params *c = items_of_slot (params, a);
  const component_params *d = items_of_slot (params, b);

  if (c->plane >= AMPHISTO_YUV_RED && d->plane >= AMPHISTO_YUV_RED)
    return true;
  return c->plane < AMPHISTO_N_PLANES && c->plane == d->plane
      && c->pixel_stride == d->pixel_stride
      && c->offset / c->pixel_stride == d->offset / d->pixel_stride
      && params->measured[a].width == params->measured[b].width
      && params->measured[a].height == params->measured[b].height;
}

/* The cost of counting slots, in stored samples. */
static uint64_t
weigh_slots (const frame_params *params, uint32_t first, uint32_t end)
{
  uint64_t weight = 0;

  for (uint32_t s = first; s < end; s++) {
    const component_params *samples = &params->measured[s];
    const uint64_t n_samples = (uint64_t) samples->width * samples->height;

    weight +=
        n_samples * (samples->plane < AMPHISTO_N_PLANES ? 1 : COMPUTED_WEIGHT);
  }
  return weight;
}

static uint32_t
local_slots (const AmphistoDivision *division, uint32_t n_replicas)
{
  return MIN (division->local_memory, REPLICAS_SIZE) / (n_replicas * SLOT_SIZE);
}

/* Divides the slots into passes. Merges adjacent slots that read the same
 * samples, up to `most`. */
static void
make_passes (frame_params *params, uint32_t most)
{
  for (uint32_t s = 0; s < params->n_slots; s++) {
    pass_params *last = &params->pass[MAX (params->n_passes, 1) - 1];

    if (s > 0 && last->n_slots < most
        && share_pass (params, last->first_slot, s))
      last->n_slots++;
    else
      params->pass[params->n_passes++] =
          (pass_params){ .first_slot = s, .n_slots = 1 };
  }
}

/* Gives each pass with samples one group, and more of them in proportion to its
 * cost, up to one per MIN_GROUP_SAMPLES. */
static void
divide_groups (frame_params *params, const AmphistoDivision *division)
{
  const uint64_t total = weigh_slots (params, 0, params->n_slots);
  const uint32_t spare = division->n_groups - params->n_passes;
  uint32_t end = 0;

  for (uint32_t p = 0; p < params->n_passes; p++) {
    pass_params *pass = &params->pass[p];
    const uint64_t weight = weigh_slots (
        params, pass->first_slot, pass->first_slot + pass->n_slots);

    if (weight > 0)
      end += 1
          + (uint32_t) MIN (weight / MIN_GROUP_SAMPLES, spare * weight / total);
    pass->end_group = end;
  }
}

/* The slots of the largest pass. */
static uint32_t
max_pass_slots (const frame_params *params)
{
  uint32_t n_slots = 1;

  for (uint32_t p = 0; p < params->n_passes; p++)
    n_slots = MAX (n_slots, params->pass[p].n_slots);
  return n_slots;
}

/* GPU shape: the maximum number of replicas of each bin for which all passes
 * fit into local memory. Returns: bytes of local memory. */
static size_t
fill_replicas (frame_params *params, const AmphistoDivision *division)
{
  const uint32_t n_slots = max_pass_slots (params);
  uint32_t n = AMPHISTO_MAX_REPLICAS;

  while (n > AMPHISTO_MIN_REPLICAS && n_slots > local_slots (division, n))
    n /= 2;
  params->n_replicas = n;
  return n_slots * n * SLOT_SIZE;
}

/* CPU shape. Returns: bytes of the pairs; 0 if no slot counts them. */
static size_t
pairs_size (const frame_params *params, const AmphistoDivision *division)
{
  for (uint32_t s = 0; s < params->n_slots; s++)
    if (params->counts_pairs[s])
      return (size_t) division->n_groups * max_pass_slots (params)
          * AMPHISTO_N_PAIRS * sizeof (uint32_t);
  return 0;
}

size_t
amphisto_passes_fill_params (
    frame_params *params, const AmphistoDivision *division)
{
  const bool is_gpu_shape = division->is_gpu_shape;

  make_passes (params,
      is_gpu_shape ? local_slots (division, AMPHISTO_MIN_REPLICAS)
                   : AMPHISTO_MAX_SLOTS);
  if (!is_gpu_shape)
    return pairs_size (params, division);
  divide_groups (params, division);
  return fill_replicas (params, division);
}
