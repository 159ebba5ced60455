/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts the traces of a waveform: two-dimensional histograms of column and
 * value.
 *
 * A work-group counts a strip of columns at a time, in all rows, in its own
 * memory. So there are no partial counts to add up, and the group turns its
 * counts into the brightness of cells at once.
 *
 * For both shapes:
 *
 *   strip_memory              a work-group's memory. columns: of each sample of
 *                             a run, or NO_COLUMN
 *   strip_counter             the counts of a strip: N_COUNTS numbers
 *   make_counter (own, strip)
 *   counter_of_trace (counter, i)   the counts of trace i of a pass
 *   count_strip (counter, planes, params, traces, n_traces, strip, own)
 *                             counts all samples of the strip, in the traces of
 *                             a pass
 *   add_to_bins (counter, waveform, trace, strip, bins)    adds the strip's
 *                             counts to the trace's bins; GPU shape: nothing
 *   write_brightness (counter, waveform, trace, strip, cells)    stores the
 *                             brightness of the strip's cells. cells: of the
 *                             whole trace
 */

#pragma once

#ifdef AMPHISTO_GPU
#include "scopes/traces_gpu.cl"
#else
#include "scopes/traces_cpu.cl"
#endif

NOINLINE void
measure_strips (uchar_planes planes, constant frame_params *params,
    constant waveform_params *waveform, OWN strip_memory *own,
    volatile global uint *bins, global uint *traces, row_range strips)
{
  const uint n_strips = waveform->n_strips;
  const uint trace_words =
      waveform->most_rows * waveform->scope.panel_width / 4;

  FOR_ROWS (s, strips) {
    constant uint *pass = waveform->first_trace + s / n_strips;
    const uint first = pass[0];
    const uint n_traces = pass[1] - first;
    constant trace_params *trace = &waveform->trace[first];
    const column_strip strip = strip_of (
        waveform, trace, s % n_strips * waveform->strip, waveform->strip);
    const strip_counter c = make_counter (own, strip);

    FOR_COLUMNS (i, N_COUNTS)
      own->counts[i] = 0;
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    count_strip (c, planes, params, trace, n_traces, strip, own);
    for (uint i = 0; i < n_traces; i++) {
      const strip_counter traced = counter_of_trace (c, i);

      add_to_bins (traced, waveform, &trace[i], strip,
          bins + trace[i].slot * AMPHISTO_N_BINS);
      write_brightness (traced, waveform, &trace[i], strip,
          traces + (first + i) * trace_words);
    }
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  }
}

/* Counts the traces, and stores their cells. CPU shape: adds their histograms
 * to bins, of all slots, as calculate_histogram would. */
kernel COUNTING_GROUP void
measure_waveform (global uint *plane0, global uint *plane1, global uint *plane2,
    global uint *plane3, constant frame_params *params,
    constant waveform_params *waveform, volatile global uint *bins,
    global uint *traces)
{
  OWN strip_memory own;

  measure_strips (planes_at (plane0, plane1, plane2, plane3, params->source),
      params, waveform, &own, bins, traces,
      own_rows (waveform->n_passes * waveform->n_strips));
}
