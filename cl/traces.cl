/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Counts the traces of a waveform: two-dimensional histograms of column and
 * value.
 *
 * A work-group counts a strip of columns at a time, in all rows, in its own
 * memory. So there are no partial counts to add up, and the group turns its
 * counts into light at once.
 *
 * For both shapes:
 *
 *   strip_memory              a work-group's memory. columns: of each sample of
 *                             a run, or NO_COLUMN
 *   strip_counter             the counts of a strip: N_COUNTS numbers
 *   make_counter (own, strip)
 *   RUN_BEGIN (x)             the beginning of a run, x or shortly before
 *   count_run (counter, planes, params, trace, x, n, rows)    counts samples x
 *                             to x + n - 1 of the trace's rows
 *   cut_off (counts)          clamps the counts to 255
 *   ready_light (waveform, trace, strip, own)    prepares write_light()
 *   write_light (counter, waveform, trace, strip, light)    stores the light of
 *                             the strip. light: of the whole trace
 */

#ifndef AMPHISTO_TRACES_CL
#define AMPHISTO_TRACES_CL

#ifndef AMPHISTO_TRACES_SHAPE
#ifdef AMPHISTO_GPU
#include "traces_gpu.cl"
#else
#include "traces_cpu.cl"
#endif
#endif

/* The maximum number of samples that a row of a run adds to a count. */
INLINE uint
most_in_row (constant trace_params *trace)
{
  return min (trace->samples.width / trace->columns + 1, (uint) RUN_SAMPLES);
}

/* The number of rows to count before cut_off(), without overflow of 16 bits. */
#define ROWS_BETWEEN_CUTS(trace) ((65535 - 255) / most_in_row (trace))

/* Counts all samples of the strip. */
INLINE void
count_strip (strip_counter c, uchar_planes planes,
    constant frame_params *params, constant trace_params *trace,
    column_strip strip, OWN strip_memory *own)
{
  const uint height = trace->samples.height;
  const uint end = end_sample (trace, strip);

  for (uint x = RUN_BEGIN (begin_sample (trace, strip)); x < end;
       x += RUN_SAMPLES) {
    const uint n = min (end - x, (uint) RUN_SAMPLES);
    const uint n_rows = ROWS_BETWEEN_CUTS (trace);

    FOR_COLUMNS (i, n + N_PIXELS)
      own->columns[i] = i >= n
          ? NO_COLUMN
          : (ulong) (x + i) * trace->columns / trace->samples.width
              - strip.first_counted;
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    for (uint y = 0; y < height; y += min (n_rows, height - y)) {
      const row_range rows = { y, y + min (n_rows, height - y), 1 };

      count_run (c, planes, params, trace, x, n, rows);
      cut_off (own->counts);
    }
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  }
}

OUTLINE void
measure_strips (uchar_planes planes, constant frame_params *params,
    constant waveform_params *waveform, OWN strip_memory *own,
    global uint *light, row_range strips)
{
  const uint n_strips = waveform->n_strips;
  const uint trace_words = waveform->rows * waveform->scope.panel_width / 4;

  FOR_ROWS (s, strips) {
    constant trace_params *trace = &waveform->trace[s / n_strips];
    const column_strip strip =
        strip_of (waveform, trace, s % n_strips * waveform->strip);
    const strip_counter c = make_counter (own, strip);

    FOR_COLUMNS (i, N_COUNTS)
      own->counts[i] = 0;
    ready_light (waveform, trace, strip, own);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
    count_strip (c, planes, params, trace, strip, own);
    write_light (c, waveform, trace, strip, light + s / n_strips * trace_words);
    GROUP_BARRIER (CLK_LOCAL_MEM_FENCE);
  }
}

/* Counts the traces, and stores their light. */
kernel COUNTING_GROUP void
measure_waveform (global uint *plane0, global uint *plane1, global uint *plane2,
    global uint *plane3, constant frame_params *params,
    constant waveform_params *waveform, global uint *light)
{
  OWN strip_memory own;

  measure_strips (planes_at (plane0, plane1, plane2, plane3, params->source),
      params, waveform, &own, light,
      own_rows (waveform->n_traces * waveform->n_strips));
}

#endif
