/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/run/kernels.h"

#include <stdlib.h>
#include <string.h>

/* The lists of programs and of arguments have a row each, and are expanded
 * twice: to an enum, and to the table. */

/* clang-format off */

/* --- programs --- */

#define INCLUDE(file) "#include \"" file "\"\n"
#define NEEDS(name) AMPHISTO_NEEDS_##name

#define PROGRAMS                                                               \
  PROGRAM (HISTOGRAM, INCLUDE ("measure/histogram.cl"),                        \
    NEEDS (RGB) | NEEDS (COLOURS) | NEEDS (MULTI_SLOT) | NEEDS (SATURATION))   \
  PROGRAM (DIFFERENCE, INCLUDE ("measure/difference.cl"), NEEDS (RGB))         \
  PROGRAM (LETTERBOX, INCLUDE ("measure/letterbox.cl"), NEEDS (RGB))           \
  PROGRAM (SHARPNESS, INCLUDE ("measure/sharpness.cl"), NEEDS (RGB))           \
  PROGRAM (GAMUT, INCLUDE ("measure/gamut.cl"), 0)                             \
  PROGRAM (GAMUT_RGB, INCLUDE ("measure/gamut_rgb.cl"), 0)                     \
  PROGRAM (REGIONS, INCLUDE ("measure/regions.cl"),                            \
    NEEDS (RGB) | NEEDS (COLOURS) | NEEDS (SATURATION))                        \
  PROGRAM (SMOOTH, INCLUDE ("change/smooth.cl"), 0)                            \
  PROGRAM (EQUALIZE,                                                           \
    INCLUDE ("change/equalize.cl") INCLUDE ("change/apply.cl"),                \
    NEEDS (RGB))                                                               \
  PROGRAM (CLAHE,                                                              \
    INCLUDE ("change/clahe_tables.cl") INCLUDE ("change/clahe_apply.cl")       \
    INCLUDE ("change/clahe_gain.cl"),                                          \
    NEEDS (RGB))                                                               \
  PROGRAM (CHROMA, INCLUDE ("change/chroma.cl"), NEEDS (RGB))                  \
  PROGRAM (EXPOSURE, INCLUDE ("change/exposure.cl"), NEEDS (RGB))              \
  PROGRAM (PEAKING, INCLUDE ("change/peaking.cl"), NEEDS (RGB))                \
  PROGRAM (GAMUT_STRIPES, INCLUDE ("change/gamut_stripes.cl"), 0)              \
  PROGRAM (GAMUT_STRIPES_RGB, INCLUDE ("change/gamut_stripes_rgb.cl"), 0)      \
  PROGRAM (OUTLINE, INCLUDE ("scopes/outline.cl"), 0)                          \
  PROGRAM (HISTOGRAM_SCOPE,                                                    \
    INCLUDE ("scopes/curves.cl") INCLUDE ("scopes/histogram_scope.cl"),        \
    NEEDS (RGB))                                                               \
  PROGRAM (WAVEFORM,                                                           \
    INCLUDE ("scopes/traces.cl") INCLUDE ("scopes/waveform.cl"),               \
    NEEDS (RGB) | NEEDS (COLOURS))                                             \
  PROGRAM (WAVEFORM_COLOURS, INCLUDE ("scopes/waveform_colours.cl"),           \
    NEEDS (RGB))                                                               \
  PROGRAM (VECTORSCOPE,                                                        \
    INCLUDE ("scopes/vectors.cl") INCLUDE ("scopes/vectorscope.cl"),           \
    NEEDS (RGB))

#define PROGRAM(NAME, source, needs) PROGRAM_##NAME,
enum { PROGRAMS };

#undef PROGRAM
#define PROGRAM(NAME, source, needs) [PROGRAM_##NAME] = { source, needs },
const AmphistoClProgramInfo amphisto_cl_program_infos[] = { PROGRAMS };

/* --- arguments --- */

#define ITEM(ARG, KIND, size)                                                  \
  ROW (ARG, KIND, SCRATCH, size, AMPHISTO_CL_ONE_ITEM, NULL, NULL)
#define OUTPUT(ARG, KIND, size)                                                \
  ROW (ARG, KIND, OUTPUT, size, AMPHISTO_CL_ONE_ITEM, NULL, NULL)
#define ITEMS(ARG, KIND, size, member)                                         \
  ROW (ARG, KIND, SCRATCH, size, offsetof (AmphistoSizes, member), NULL, NULL)
#define FROM_PARAMS(ARG, KIND, EMPTY, member, scope)                           \
  ROW (ARG, KIND, EMPTY, G_SIZEOF_MEMBER (AmphistoParams, member),             \
    offsetof (AmphistoParams, member), scope, NULL)
#define PARAMS(ARG, member, EMPTY)                                             \
  FROM_PARAMS (ARG, PARAMS, EMPTY, member, NULL)
#define TRACE(ARG, member, scope)                                              \
  FROM_PARAMS (ARG, TRACE, SCRATCH, member, &scope)
#define CONTENTS(ARG, member, scope, make)                                     \
  ROW (ARG, CONTENTS, SCRATCH, G_SIZEOF_MEMBER (AmphistoPlan, member),         \
    offsetof (AmphistoPlan, member), scope, make)
#define GRATICULE(ARG, member, scope)                                          \
  CONTENTS (ARG, params.member, &scope, draw_graticule)

#define ARGUMENTS                                                              \
  /* the parameters of cl/NAME_params.h: `drawing` is of the whole frame, */   \
  /* `exposure_drawing` of the region */                                       \
  PARAMS (PARAMS, frame, FRAME)                                                \
  PARAMS (CLAHE_PARAMS, clahe, PARAMS)                                         \
  PARAMS (DRAWING_PARAMS, drawing, DRAWING)                                    \
  PARAMS (EXPOSURE_DRAWING_PARAMS, exposure_drawing, DRAWING)                  \
  PARAMS (EXPOSURE_PARAMS, exposure, PARAMS)                                   \
  PARAMS (LEGEND_DRAWING_PARAMS, legend_drawing, DRAWING)                      \
  PARAMS (LEGEND_EXPOSURE_PARAMS, legend_exposure, PARAMS)                     \
  PARAMS (OUTLINE_PARAMS, outline, PARAMS)                                     \
  PARAMS (HISTOGRAM_SCOPE_PARAMS, scopes.histogram, PARAMS)                    \
  PARAMS (WAVEFORM_PARAMS, scopes.waveform, PARAMS)                            \
  PARAMS (VECTORSCOPE_PARAMS, scopes.vectorscope, PARAMS)                      \
  /* the memory to count in: local memory, or pairs in the CPU shape */        \
  ITEMS (COUNTS, LOCAL, 1, counts)                                             \
  /* luma, and bytes of other channels, of the previous frame */               \
  ITEMS (PREVIOUS_LUMA, BUFFER, 1, previous_luma)                              \
  ITEMS (PREVIOUS_BYTES, BUFFER, 1, previous_bytes)                            \
  /* luma's sums of rows and columns */                                        \
  ITEMS (LUMA_SUMS, ZEROED, sizeof (guint32), luma_sums)                       \
  /* the mean of luma's bins over time, luma's bins of the previous */         \
  /* frame, and how the frame updates means */                                 \
  ITEM (LUMA_MEAN, ZEROED, AMPHISTO_CL_BINS_SIZE)                              \
  ITEM (PREVIOUS_BINS, ZEROED, AMPHISTO_CL_BINS_SIZE)                          \
  OUTPUT (MEAN_UPDATE, BUFFER, 2 * sizeof (guint32))                           \
  ITEM (N_BINS, NUMBER, AMPHISTO_N_BINS)                                       \
  /* the LUT, and the histogram to match */                                    \
  OUTPUT (LUT, BUFFER, AMPHISTO_N_BINS)                                        \
  CONTENTS (MATCH_BINS, settings.match_bins, NULL, copy_bins)                  \
  /* CLAHE */                                                                  \
  ITEMS (PARTIAL_TILES, BUFFER, AMPHISTO_CL_BINS_SIZE, partial_tiles)          \
  ITEMS (TILE_BINS, BUFFER, AMPHISTO_CL_BINS_SIZE, tiles)                      \
  ITEMS (TILE_MEANS, BUFFER, AMPHISTO_CL_BINS_SIZE, tiles)                     \
  ITEMS (N_TILE_BINS, NUMBER, AMPHISTO_N_BINS, tiles)                          \
  ITEMS (TABLES, BUFFER, AMPHISTO_CL_BINS_SIZE, tables)                        \
  ITEM (TILE_SUMS, ZEROED, 2 * AMPHISTO_CL_BINS_SIZE)                          \
  /* the limits of probes, the mean of the gamut budget over time, the gain */ \
  /* of colours, and the LUT of U and V */                                     \
  OUTPUT (LIMITS, BUFFER, AMPHISTO_N_PROBES * sizeof (guint16))                \
  ITEM (BUDGET_MEAN, ZEROED, sizeof (float))                                   \
  OUTPUT (GAIN, BUFFER, sizeof (guint32))                                      \
  OUTPUT (CHROMA_LUT, BUFFER, AMPHISTO_N_BINS)                                 \
  /* the frame of the legend of false colour */                                \
  CONTENTS (LEGEND, params.legend, NULL, draw_legend)                          \
  /* the histogram's scope */                                                  \
  ITEM (PEAKS, ZEROED, sizeof (guint32[AMPHISTO_MAX_SLOTS]))                   \
  ITEMS (COLUMNS, BUFFER, sizeof (guint16), columns)                           \
  GRATICULE (HISTOGRAM_GRATICULE, scopes.histogram, amphisto_histogram_scope)  \
  /* the waveform */                                                           \
  TRACE (WAVEFORM_TRACE, scopes.waveform, amphisto_waveform)                   \
  GRATICULE (WAVEFORM_GRATICULE, scopes.waveform, amphisto_waveform)           \
  /* the vectorscope; GPU shape: SUB_PLANE is local memory */                  \
  ITEMS (SUB_PLANE, LOCAL, 1, sub_plane)                                       \
  ITEMS (VECTOR_COUNTS, BUFFER, 1, vector_counts)                              \
  ITEMS (VECTOR_PROBES, BUFFER, 1, vector_probes)                              \
  TRACE (VECTORSCOPE_TRACE, scopes.vectorscope, amphisto_vectorscope)          \
  GRATICULE (VECTORSCOPE_GRATICULE, scopes.vectorscope, amphisto_vectorscope)

#define ROW(ARG, ...) AMPHISTO_CL_ARG_##ARG,
enum { LAST_BOUND_ARG = AMPHISTO_CL_N_BOUND_ARGS - 1, ARGUMENTS N_ARGS };

/* clang-format on */

G_STATIC_ASSERT (N_ARGS <= AMPHISTO_CL_N_ARGS);

static void *
copy_bins (const AmphistoClArgInfo *info, gconstpointer bins, gsize *size)
{
  void *copy = malloc (info->size);

  *size = info->size;
  return copy != NULL ? memcpy (copy, bins, info->size) : NULL;
}

static void *
draw_legend (const AmphistoClArgInfo *info, gconstpointer legend, gsize *size)
{
  (void) info;
  return amphisto_legend_draw (legend, size);
}

static void *
draw_graticule (
    const AmphistoClArgInfo *info, gconstpointer params, gsize *size)
{
  AmphistoGraticule graticule;

  if (!amphisto_scope_init_graticule (info->scope, params, &graticule))
    return NULL;
  *size = (gsize) graticule.width * graticule.height * sizeof *graticule.light;
  return graticule.light;
}

/* clang-format off */

#undef ROW
#define ROW(ARG, KIND, EMPTY, size, ...)                                       \
  [AMPHISTO_CL_ARG_##ARG] = { AMPHISTO_CL_KIND_##KIND,                         \
    AMPHISTO_CL_EMPTY_##EMPTY, size, __VA_ARGS__ },

const AmphistoClArgInfo amphisto_cl_arg_infos[AMPHISTO_CL_N_ARGS] = {
  ROW (NEXT_BINS, BOUND, OUTPUT, 0, 0, NULL, NULL)
  ROW (REGIONS, BOUND, FRAME, 0, 0, NULL, NULL)
  ITEM (SMOOTHED, BUFFER, AMPHISTO_CL_BINS_SIZE)
  ARGUMENTS
};

/* --- kernels --- */

#define ARG(name) AMPHISTO_CL_ARG_##name
#define SOURCES ARG (SOURCE0), ARG (SOURCE1), ARG (SOURCE2)
#define TARGETS ARG (TARGET0), ARG (TARGET1), ARG (TARGET2)
#define ALL_TARGETS TARGETS, ARG (TARGET3)
#define KERNEL(name, PROGRAM, LAUNCH, STAGE, task, cost, ...)                  \
  { name, PROGRAM_##PROGRAM, AMPHISTO_CL_LAUNCH_##LAUNCH,                      \
    AMPHISTO_STAGE_##STAGE, task, cost, { __VA_ARGS__ } },
#define ALWAYS 0
#define TASK(name) (1u << AMPHISTO_TASK_##name)
#define EQUALIZATION(name)                                                     \
  (1u << (AMPHISTO_TASK_EQUALIZATION + AMPHISTO_EQUALIZATION_##name))
#define SCOPE(name) ((guint32) AMPHISTO_SCOPE_##name << AMPHISTO_TASK_SCOPE)

const AmphistoClKernelInfo amphisto_cl_kernel_infos[] = {
  KERNEL ("calculate_histogram", HISTOGRAM, GROUPS,
    HISTOGRAM, ALWAYS, 200,
    SOURCES, ARG (SOURCE3), ARG (PARAMS), ARG (COUNTS), ARG (BINS),
    ARG (NEXT_BINS))

  KERNEL ("calculate_difference", DIFFERENCE, SLICES,
    COMPARE, ALWAYS, 90,
    SOURCES, ARG (PARAMS), ARG (PREVIOUS_LUMA), ARG (PREVIOUS_BYTES),
    ARG (BINS))

  KERNEL ("add_up_luma", LETTERBOX, SLICES,
    LETTERBOX, ALWAYS, 100,
    SOURCES, ARG (PARAMS), ARG (LUMA_SUMS))
  KERNEL ("find_letterbox", LETTERBOX, SLICES,
    LETTERBOX, ALWAYS, 0,
    ARG (PARAMS), ARG (LUMA_SUMS), ARG (BINS))

  KERNEL ("count_outside", GAMUT, SLICES,
    GAMUT, TASK (TEST_YUV), 150,
    SOURCES, ARG (PARAMS), ARG (BINS))
  KERNEL ("count_rgb_outside", GAMUT_RGB, SLICES,
    GAMUT, TASK (TEST_RGB), 150,
    SOURCES, ARG (PARAMS), ARG (BINS))

  KERNEL ("calculate_sharpness", SHARPNESS, SLICES,
    SHARPNESS, ALWAYS, 150,
    SOURCES, ARG (PARAMS), ARG (BINS))

  KERNEL ("calculate_regions", REGIONS, SLICES,
    REGIONS, ALWAYS, 350,
    SOURCES, ARG (SOURCE3), ARG (REGIONS), ARG (FIRST_REGION), ARG (N_REGIONS),
    ARG (REGION_BINS))

  KERNEL ("find_update", SMOOTH, BINS,
    SMOOTH, ALWAYS, 0,
    ARG (PARAMS), ARG (BINS), ARG (LUMA_MEAN), ARG (PREVIOUS_BINS),
    ARG (MEAN_UPDATE))
  KERNEL ("smooth_bins", SMOOTH, SLICES,
    SMOOTH, ALWAYS, 0,
    ARG (MEAN_UPDATE), ARG (N_BINS), ARG (BINS), ARG (LUMA_MEAN),
    ARG (SMOOTHED))

  KERNEL ("equalize_lut", EQUALIZE, ONE_GROUP,
    EQUALIZE, EQUALIZATION (GLOBAL), 0,
    ARG (PARAMS), ARG (LUT_BINS), ARG (LUT))
  KERNEL ("match_lut", EQUALIZE, BINS,
    EQUALIZE, EQUALIZATION (MATCH), 0,
    ARG (PARAMS), ARG (LUT_BINS), ARG (LUT), ARG (MATCH_BINS))
  KERNEL ("stretch_lut", EQUALIZE, BINS,
    EQUALIZE, EQUALIZATION (STRETCH), 0,
    ARG (PARAMS), ARG (LUT_BINS), ARG (LUT))
  KERNEL ("find_gain_of_lut", CHROMA, BINS,
    EQUALIZE, TASK (KEEP_COLORS), 0,
    SOURCES, ARG (PARAMS), ARG (LUT_BINS), ARG (LUT), ARG (LIMITS),
    ARG (MEAN_UPDATE), ARG (BUDGET_MEAN), ARG (GAIN), ARG (CHROMA_LUT))
  KERNEL ("apply_lut", EQUALIZE, SLICES,
    EQUALIZE, TASK (CHANGE_LUMA), 60,
    ARG (SOURCE_LUMA), ARG (TARGET_LUMA), ARG (PARAMS), ARG (LUT))
  KERNEL ("apply_luts", EQUALIZE, SLICES,
    EQUALIZE, TASK (CHANGE_YUV), 90,
    SOURCES, TARGETS, ARG (PARAMS), ARG (EXPOSURE_DRAWING_PARAMS), ARG (LUT),
    ARG (CHROMA_LUT))
  KERNEL ("apply_luma_delta", EQUALIZE, SLICES,
    EQUALIZE, TASK (CHANGE_RGB), 300,
    SOURCES, TARGETS, ARG (PARAMS), ARG (LUT), ARG (GAIN))
  KERNEL ("scale_chroma", CHROMA, SLICES,
    EQUALIZE, TASK (KEEP_COLORS) | TASK (CHANGE_LUMA), 60,
    SOURCES, TARGETS, ARG (EXPOSURE_DRAWING_PARAMS), ARG (CHROMA_LUT))

  KERNEL ("count_tiles", CLAHE, SLICES,
    CLAHE, TASK (WHOLE_TILES), 300,
    SOURCES, ARG (PARAMS), ARG (CLAHE_PARAMS), ARG (TILE_BINS))
  KERNEL ("count_tiles", CLAHE, SLICES,
    CLAHE, TASK (PARTIAL_TILES), 300,
    SOURCES, ARG (PARAMS), ARG (CLAHE_PARAMS), ARG (PARTIAL_TILES))
  KERNEL ("merge_tiles", CLAHE, SLICES,
    CLAHE, TASK (PARTIAL_TILES), 0,
    ARG (CLAHE_PARAMS), ARG (PARTIAL_TILES), ARG (TILE_BINS))
  KERNEL ("smooth_bins", SMOOTH, SLICES,
    CLAHE, TASK (SMOOTH_TILES), 0,
    ARG (MEAN_UPDATE), ARG (N_TILE_BINS), ARG (TILE_BINS), ARG (TILE_MEANS),
    ARG (TILE_BINS))
  KERNEL ("sum_tiles", CLAHE, SLICES,
    CLAHE, TASK (SUM_TILES), 0,
    ARG (CLAHE_PARAMS), ARG (TILE_BINS), ARG (BINS))
  KERNEL ("make_tile_tables", CLAHE, SLICES,
    CLAHE, ALWAYS, 0,
    ARG (PARAMS), ARG (CLAHE_PARAMS), ARG (TILE_BINS), ARG (TABLES),
    ARG (TILE_SUMS))
  KERNEL ("find_gain_of_tiles", CLAHE, BINS,
    CLAHE, TASK (KEEP_COLORS), 0,
    SOURCES, ARG (PARAMS), ARG (CLAHE_PARAMS), ARG (TABLES), ARG (TILE_SUMS),
    ARG (LIMITS), ARG (MEAN_UPDATE), ARG (BUDGET_MEAN), ARG (GAIN),
    ARG (CHROMA_LUT))
  KERNEL ("apply_tiles", CLAHE, SLICES,
    CLAHE, TASK (CHANGE_LUMA), 350,
    ARG (SOURCE_LUMA), ARG (TARGET_LUMA), ARG (PARAMS), ARG (CLAHE_PARAMS),
    ARG (TABLES))
  KERNEL ("apply_tiles_delta", CLAHE, SLICES,
    CLAHE, TASK (CHANGE_RGB), 500,
    SOURCES, TARGETS, ARG (PARAMS), ARG (CLAHE_PARAMS), ARG (TABLES),
    ARG (GAIN))
  KERNEL ("scale_chroma", CHROMA, SLICES,
    CLAHE, TASK (KEEP_COLORS) | TASK (CHANGE_LUMA), 60,
    SOURCES, TARGETS, ARG (EXPOSURE_DRAWING_PARAMS), ARG (CHROMA_LUT))

  KERNEL ("draw_exposure", EXPOSURE, SLICES,
    EXPOSURE, TASK (DRAW_TONES), 100,
    SOURCES, TARGETS, ARG (EXPOSURE_DRAWING_PARAMS), ARG (EXPOSURE_PARAMS))
  KERNEL ("draw_peaking", PEAKING, SLICES,
    EXPOSURE, TASK (DRAW_PEAKING), 600,
    SOURCES, TARGETS, ARG (PARAMS), ARG (EXPOSURE_DRAWING_PARAMS),
    ARG (EXPOSURE_PARAMS))
  KERNEL ("draw_gamut", GAMUT_STRIPES, SLICES,
    EXPOSURE, TASK (DRAW_GAMUT) | TASK (TEST_YUV), 200,
    SOURCES, TARGETS, ARG (PARAMS), ARG (EXPOSURE_PARAMS))
  KERNEL ("draw_rgb_gamut", GAMUT_STRIPES_RGB, SLICES,
    EXPOSURE, TASK (DRAW_GAMUT) | TASK (TEST_RGB), 200,
    SOURCES, TARGETS, ARG (PARAMS), ARG (EXPOSURE_PARAMS))
  KERNEL ("draw_exposure", EXPOSURE, SLICES,
    EXPOSURE, TASK (DRAW_LEGEND), 0,
    ARG (LEGEND), ARG (LEGEND), ARG (LEGEND), TARGETS,
    ARG (LEGEND_DRAWING_PARAMS), ARG (LEGEND_EXPOSURE_PARAMS))

  KERNEL ("draw_outline", OUTLINE, SLICES,
    DRAW_SCOPES, TASK (DRAW_OUTLINE), 0,
    ALL_TARGETS, ARG (DRAWING_PARAMS), ARG (OUTLINE_PARAMS))

  KERNEL ("calculate_curves", HISTOGRAM_SCOPE, ONE_GROUP,
    DRAW_SCOPES, SCOPE (HISTOGRAM), 0,
    ARG (HISTOGRAM_SCOPE_PARAMS), ARG (BINS), ARG (PEAKS), ARG (COLUMNS),
    ARG (HISTOGRAM_GRATICULE))
  KERNEL ("draw_histogram", HISTOGRAM_SCOPE, SLICES,
    DRAW_SCOPES, SCOPE (HISTOGRAM), 60,
    ALL_TARGETS, ARG (DRAWING_PARAMS), ARG (HISTOGRAM_SCOPE_PARAMS),
    ARG (COLUMNS), ARG (HISTOGRAM_GRATICULE))

  KERNEL ("measure_waveform", WAVEFORM, STRIPS,
    MEASURE_SCOPES, SCOPE (WAVEFORM), 250,
    SOURCES, ARG (SOURCE3), ARG (PARAMS), ARG (WAVEFORM_PARAMS), ARG (BINS),
    ARG (WAVEFORM_TRACE))
  KERNEL ("colour_waveform", WAVEFORM_COLOURS, STRIPS,
    MEASURE_SCOPES, TASK (COLOUR_WAVEFORM), 900,
    SOURCES, ARG (PARAMS), ARG (WAVEFORM_PARAMS), ARG (BINS),
    ARG (WAVEFORM_TRACE))
  KERNEL ("write_waveform_numbers", WAVEFORM, ONE_GROUP,
    DRAW_SCOPES, SCOPE (WAVEFORM) | TASK (WRITE_NUMBERS), 0,
    ARG (WAVEFORM_PARAMS), ARG (BINS), ARG (WAVEFORM_GRATICULE))
  KERNEL ("draw_waveform", WAVEFORM, SLICES,
    DRAW_SCOPES, SCOPE (WAVEFORM), 60,
    ALL_TARGETS, ARG (DRAWING_PARAMS), ARG (WAVEFORM_PARAMS),
    ARG (WAVEFORM_TRACE), ARG (WAVEFORM_GRATICULE))

  KERNEL ("count_vectors", VECTORSCOPE, GROUPS,
    MEASURE_SCOPES, SCOPE (VECTORSCOPE), 200,
    SOURCES, ARG (PARAMS), ARG (VECTORSCOPE_PARAMS), ARG (SUB_PLANE),
    ARG (VECTOR_COUNTS), ARG (VECTOR_PROBES), ARG (VECTORSCOPE_TRACE),
    ARG (BINS))
  KERNEL ("merge_vectors", VECTORSCOPE, SLICES,
    MEASURE_SCOPES, SCOPE (VECTORSCOPE), 0,
    ARG (VECTORSCOPE_PARAMS), ARG (VECTOR_COUNTS), ARG (VECTOR_PROBES),
    ARG (VECTORSCOPE_TRACE))
  KERNEL ("draw_vectorscope", VECTORSCOPE, SLICES,
    DRAW_SCOPES, SCOPE (VECTORSCOPE), 40,
    ALL_TARGETS, ARG (DRAWING_PARAMS), ARG (VECTORSCOPE_PARAMS),
    ARG (VECTORSCOPE_TRACE), ARG (VECTORSCOPE_GRATICULE))
};

/* clang-format on */

const guint amphisto_cl_n_kernels = G_N_ELEMENTS (amphisto_cl_kernel_infos);
G_STATIC_ASSERT (
    G_N_ELEMENTS (amphisto_cl_kernel_infos) <= AMPHISTO_CL_MAX_KERNELS);

AmphistoClKernel
amphisto_cl_kernel_find (const char *name)
{
  AmphistoClKernel kernel = 0;

  while (strcmp (amphisto_cl_kernel_infos[kernel].name, name) != 0)
    kernel++;
  return kernel;
}
