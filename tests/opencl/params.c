/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The parameter structs have the same layout on host and device.
 */

#include "cl/clahe_params.h"
#include "opencl/program.h"
#include "cltest.h"
#include "cl/clipping_params.h"
#include "cl/drawing_params.h"
#include "cl/frame_params.h"
#include "cl/overlay_params.h"
#include "cl/vectorscope_params.h"
#include "cl/waveform_params.h"

/* Every member, including those of the last element of arrays of structs. */
#define FRAME_MEMBERS(MEMBER)                                                  \
  MEMBER (source)                                                              \
  MEMBER (source[3].offset)                                                    \
  MEMBER (source[3].stride)                                                    \
  MEMBER (target)                                                              \
  MEMBER (target[3].offset)                                                    \
  MEMBER (target[3].stride)                                                    \
  MEMBER (measured)                                                            \
  MEMBER (measured[6].plane)                                                   \
  MEMBER (measured[6].offset)                                                  \
  MEMBER (measured[6].pixel_stride)                                            \
  MEMBER (measured[6].width)                                                   \
  MEMBER (measured[6].height)                                                  \
  MEMBER (n_slots)                                                             \
  MEMBER (counts_pairs)                                                        \
  MEMBER (counts_pairs[6])                                                     \
  MEMBER (pass)                                                                \
  MEMBER (pass[6].first_slot)                                                  \
  MEMBER (pass[6].n_slots)                                                     \
  MEMBER (pass[6].end_group)                                                   \
  MEMBER (n_passes)                                                            \
  MEMBER (n_replicas)                                                          \
  MEMBER (lo)                                                                  \
  MEMBER (hi)                                                                  \
  MEMBER (strength)                                                            \
  MEMBER (renewal)                                                             \
  MEMBER (resets_mean)                                                         \
  MEMBER (luma)                                                                \
  MEMBER (luma.height)                                                         \
  MEMBER (row_bytes)                                                           \
  MEMBER (rgb)                                                                 \
  MEMBER (rgb[2].height)                                                       \
  MEMBER (weights)                                                             \
  MEMBER (weights[2])                                                          \
  MEMBER (chroma)                                                              \
  MEMBER (chroma[1].height)                                                    \
  MEMBER (chroma[1].x_shift)                                                   \
  MEMBER (chroma[1].y_shift)                                                   \
  MEMBER (chroma[1].x_phase)                                                   \
  MEMBER (chroma[1].y_phase)                                                   \
  MEMBER (chroma[1].is_interlaced)                                             \
  MEMBER (chroma[1].row_offset)                                                \
  MEMBER (matrix)                                                              \
  MEMBER (matrix[2])                                                           \
  MEMBER (matrix[2][3])

#define CLAHE_MEMBERS(MEMBER)                                                  \
  MEMBER (tiles_x)                                                             \
  MEMBER (tiles_y)                                                             \
  MEMBER (tile_width)                                                          \
  MEMBER (tile_height)                                                         \
  MEMBER (limit)                                                               \
  MEMBER (scale)                                                               \
  MEMBER (per_x)                                                               \
  MEMBER (per_y)                                                               \
  MEMBER (n_parts)

#define DRAWING_MEMBERS(MEMBER)                                                \
  MEMBER (source)                                                              \
  MEMBER (source[3].offset)                                                    \
  MEMBER (source[3].stride)                                                    \
  MEMBER (target)                                                              \
  MEMBER (target[3].offset)                                                    \
  MEMBER (target[3].stride)                                                    \
  MEMBER (drawn)                                                               \
  MEMBER (drawn[2].samples)                                                    \
  MEMBER (drawn[2].samples.plane)                                              \
  MEMBER (drawn[2].samples.offset)                                             \
  MEMBER (drawn[2].samples.pixel_stride)                                       \
  MEMBER (drawn[2].samples.width)                                              \
  MEMBER (drawn[2].samples.height)                                             \
  MEMBER (drawn[2].samples.x_shift)                                            \
  MEMBER (drawn[2].samples.y_shift)                                            \
  MEMBER (drawn[2].samples.x_phase)                                            \
  MEMBER (drawn[2].samples.y_phase)                                            \
  MEMBER (drawn[2].samples.is_interlaced)                                      \
  MEMBER (drawn[2].samples.row_offset)                                         \
  MEMBER (drawn[2].weights)                                                    \
  MEMBER (drawn[2].weights[2])                                                 \
  MEMBER (drawn[2].offset)                                                     \
  MEMBER (n_drawn)                                                             \
  MEMBER (n_whole)

#define OVERLAY_MEMBERS(MEMBER)                                                \
  MEMBER (x)                                                                   \
  MEMBER (y)                                                                   \
  MEMBER (panel_width)                                                         \
  MEMBER (panel_height)                                                        \
  MEMBER (panels_x)                                                            \
  MEMBER (panels_y)                                                            \
  MEMBER (panel_curves)                                                        \
  MEMBER (curve)                                                               \
  MEMBER (curve[6].slot)                                                       \
  MEMBER (curve[6].black)                                                      \
  MEMBER (curve[6].white)                                                      \
  MEMBER (curve[6].line)                                                       \
  MEMBER (curve[6].line[2])                                                    \
  MEMBER (curve[6].fill)                                                       \
  MEMBER (curve[6].fill[2])                                                    \
  MEMBER (n_curves)                                                            \
  MEMBER (plot_left)                                                           \
  MEMBER (plot_width)                                                          \
  MEMBER (plot_bottom)                                                         \
  MEMBER (plot_height)                                                         \
  MEMBER (arrow_bottom)                                                        \
  MEMBER (caption_top)                                                         \
  MEMBER (bar_width)                                                           \
  MEMBER (bins_per_column)                                                     \
  MEMBER (line_width)                                                          \
  MEMBER (gridline_width)                                                      \
  MEMBER (background)                                                          \
  MEMBER (is_log)                                                              \
  MEMBER (has_graticule)                                                       \
  MEMBER (has_marks)                                                           \
  MEMBER (reset)

#define CLIPPING_MEMBERS(MEMBER)                                               \
  MEMBER (weights)                                                             \
  MEMBER (weights[2])                                                          \
  MEMBER (n_luma)                                                              \
  MEMBER (has_bands)                                                           \
  MEMBER (band)                                                                \
  MEMBER (band[5].first)                                                       \
  MEMBER (band[5].size)                                                        \
  MEMBER (band[5].samples)                                                     \
  MEMBER (band[5].samples[2])                                                  \
  MEMBER (has_zebra)                                                           \
  MEMBER (dark)                                                                \
  MEMBER (bright)                                                              \
  MEMBER (stripe)                                                              \
  MEMBER (phase)                                                               \
  MEMBER (black)                                                               \
  MEMBER (white)                                                               \
  MEMBER (dark_least)                                                          \
  MEMBER (bright_most)

#define WAVEFORM_MEMBERS(MEMBER)                                               \
  MEMBER (x)                                                                   \
  MEMBER (y)                                                                   \
  MEMBER (panel_width)                                                         \
  MEMBER (panel_height)                                                        \
  MEMBER (panels_x)                                                            \
  MEMBER (panels_y)                                                            \
  MEMBER (panel_traces)                                                        \
  MEMBER (trace)                                                               \
  MEMBER (trace[6].samples)                                                    \
  MEMBER (trace[6].columns)                                                    \
  MEMBER (trace[6].colour)                                                     \
  MEMBER (trace[6].colour[2])                                                  \
  MEMBER (trace[6].channel)                                                    \
  MEMBER (trace[6].lo)                                                         \
  MEMBER (trace[6].hi)                                                         \
  MEMBER (trace[6].brightness)                                                 \
  MEMBER (trace[6].brightness[3])                                              \
  MEMBER (trace[6].brightness[3][63])                                          \
  MEMBER (n_traces)                                                            \
  MEMBER (plot_left)                                                           \
  MEMBER (plot_width)                                                          \
  MEMBER (plot_top)                                                            \
  MEMBER (plot_height)                                                         \
  MEMBER (gridline_width)                                                      \
  MEMBER (rows)                                                                \
  MEMBER (strip)                                                               \
  MEMBER (n_strips)                                                            \
  MEMBER (background)                                                          \
  MEMBER (has_graticule)                                                       \
  MEMBER (legend_width)

#define VECTORSCOPE_MEMBERS(MEMBER)                                            \
  MEMBER (x)                                                                   \
  MEMBER (y)                                                                   \
  MEMBER (width)                                                               \
  MEMBER (height)                                                              \
  MEMBER (plot_left)                                                           \
  MEMBER (plot_top)                                                            \
  MEMBER (plot_size)                                                           \
  MEMBER (gridline_width)                                                      \
  MEMBER (chroma_per_column)                                                   \
  MEMBER (size)                                                                \
  MEMBER (stride)                                                              \
  MEMBER (n_slices)                                                            \
  MEMBER (part_shift)                                                          \
  MEMBER (is_rgb)                                                              \
  MEMBER (weights)                                                             \
  MEMBER (weights[1])                                                          \
  MEMBER (weights[1][3])                                                       \
  MEMBER (colours)                                                             \
  MEMBER (colours[2])                                                          \
  MEMBER (colours[2][2])                                                       \
  MEMBER (brightness)                                                          \
  MEMBER (brightness[2])                                                       \
  MEMBER (brightness[2][63])                                                   \
  MEMBER (background)                                                          \
  MEMBER (has_graticule)                                                       \
  MEMBER (luma_weights)                                                        \
  MEMBER (luma_weights[2])                                                     \
  MEMBER (range)

typedef struct
{
  const char *name;
  guint32 offset;
  guint32 size;
} Member;

#define HOST_MEMBER(type, m)                                                   \
  { #m, offsetof (type, m), sizeof (((type *) NULL)->m) },
#define FRAME_MEMBER(m) HOST_MEMBER (frame_params, m)
#define CLAHE_MEMBER(m) HOST_MEMBER (clahe_params, m)
#define DRAWING_MEMBER(m) HOST_MEMBER (drawing_params, m)
#define CLIPPING_MEMBER(m) HOST_MEMBER (clipping_params, m)
#define OVERLAY_MEMBER(m) HOST_MEMBER (overlay_params, m)
#define WAVEFORM_MEMBER(m) HOST_MEMBER (waveform_params, m)
#define VECTORSCOPE_MEMBER(m) HOST_MEMBER (vectorscope_params, m)

static const Member frame_members[] = { FRAME_MEMBERS (FRAME_MEMBER) };
static const Member clahe_members[] = { CLAHE_MEMBERS (CLAHE_MEMBER) };
static const Member drawing_members[] = { DRAWING_MEMBERS (DRAWING_MEMBER) };
static const Member clipping_members[] = { CLIPPING_MEMBERS (CLIPPING_MEMBER) };
static const Member overlay_members[] = { OVERLAY_MEMBERS (OVERLAY_MEMBER) };
static const Member waveform_members[] = { WAVEFORM_MEMBERS (WAVEFORM_MEMBER) };
static const Member vectorscope_members[] = { VECTORSCOPE_MEMBERS (
    VECTORSCOPE_MEMBER) };

#define DEVICE_MEMBER(m)                                                       \
  "*places++ = (uint) ((constant char *) &params->" #m                         \
  " - (constant char *) params);\n"                                            \
  "*places++ = sizeof (params->" #m ");\n"

/* Writes the offset and size of each member, and the size of the struct. */
#define KERNEL_TEXT(type, MEMBERS)                                             \
  "kernel void write_layout (constant " #type " *params,\n"                    \
  "    global uint *places)\n"                                                 \
  "{\n" MEMBERS (DEVICE_MEMBER) "*places = sizeof (" #type ");\n"              \
                                "}\n"

typedef struct
{
  const char *name;
  guint32 size;
  const Member *members;
  gsize n_members;
  const char *kernel_text;
} Struct;

static const Struct structs[] = {
  { "frame", sizeof (frame_params), frame_members, G_N_ELEMENTS (frame_members),
      KERNEL_TEXT (frame_params, FRAME_MEMBERS) },
  { "clahe", sizeof (clahe_params), clahe_members, G_N_ELEMENTS (clahe_members),
      KERNEL_TEXT (clahe_params, CLAHE_MEMBERS) },
  { "drawing", sizeof (drawing_params), drawing_members,
      G_N_ELEMENTS (drawing_members),
      KERNEL_TEXT (drawing_params, DRAWING_MEMBERS) },
  { "clipping", sizeof (clipping_params), clipping_members,
      G_N_ELEMENTS (clipping_members),
      KERNEL_TEXT (clipping_params, CLIPPING_MEMBERS) },
  { "overlay", sizeof (overlay_params), overlay_members,
      G_N_ELEMENTS (overlay_members),
      KERNEL_TEXT (overlay_params, OVERLAY_MEMBERS) },
  { "waveform", sizeof (waveform_params), waveform_members,
      G_N_ELEMENTS (waveform_members),
      KERNEL_TEXT (waveform_params, WAVEFORM_MEMBERS) },
  { "vectorscope", sizeof (vectorscope_params), vectorscope_members,
      G_N_ELEMENTS (vectorscope_members),
      KERNEL_TEXT (vectorscope_params, VECTORSCOPE_MEMBERS) },
};

/* Returns: (transfer full): the output of the kernel. */
static guint32 *
read_layout (AmphistoClDevice *device, const Struct *self)
{
  const char *sources[] = { amphisto_cl_source ("frame_params.h"),
    amphisto_cl_source ("clahe_params.h"),
    amphisto_cl_source ("drawing_params.h"),
    amphisto_cl_source ("clipping_params.h"),
    amphisto_cl_source ("overlay_params.h"),
    amphisto_cl_source ("waveform_params.h"),
    amphisto_cl_source ("vectorscope_params.h"), self->kernel_text, NULL };
  const gsize size = (2 * self->n_members + 1) * sizeof (guint32);
  const gsize one = 1;
  guint32 *places = g_malloc0 (size);
  g_autoptr (GError) error = NULL;
  cl_command_queue queue = test_queue_new (device);
  cl_mem params = test_buffer_new (device, self->size);
  cl_mem buffer = test_buffer_new (device, size);
  cl_program program =
      amphisto_cl_program_build (device, sources, "-cl-std=CL1.2", &error);
  cl_kernel kernel;
  cl_int status;

  g_assert_no_error (error);
  kernel = clCreateKernel (program, "write_layout", &status);
  assert_cl (status);
  assert_cl (clSetKernelArg (kernel, 0, sizeof params, &params));
  assert_cl (clSetKernelArg (kernel, 1, sizeof buffer, &buffer));
  assert_cl (clEnqueueNDRangeKernel (
      queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
  test_buffer_read (queue, buffer, places, size);
  assert_cl (clReleaseKernel (kernel));
  assert_cl (clReleaseProgram (program));
  assert_cl (clReleaseMemObject (buffer));
  assert_cl (clReleaseMemObject (params));
  assert_cl (clReleaseCommandQueue (queue));
  return places;
}

static void
test_layout (gconstpointer data)
{
  const Struct *self = data;
  g_autoptr (AmphistoClDevice) device =
      test_device_get (AMPHISTO_CL_SHAPE_CPU, TRUE);
  g_autofree guint32 *places = NULL;

  if (device == NULL)
    return;
  places = read_layout (device, self);
  for (gsize i = 0; i < self->n_members; i++) {
    const Member *member = &self->members[i];

    if (places[2 * i] != member->offset || places[2 * i + 1] != member->size)
      g_error ("%s: %u bytes at %u on the device, %u bytes at %u on the host",
          member->name, places[2 * i + 1], places[2 * i], member->size,
          member->offset);
  }
  g_assert_cmpuint (places[2 * self->n_members], ==, self->size);
}

/* The lists above are complete: there are no gaps between members. */
static void
test_no_gap (gconstpointer data)
{
  const Struct *self = data;
  guint32 end = 0;

  for (gsize i = 0; i < self->n_members; i++) {
    g_assert_cmpuint (self->members[i].offset, <=, end);
    end = MAX (end, self->members[i].offset + self->members[i].size);
  }
  g_assert_cmpuint (end, ==, self->size);
}

static void
add_test (const char *name, const Struct *self, GTestDataFunc test)
{
  g_autofree char *path = g_strdup_printf ("/layout/%s/%s", self->name, name);

  g_test_add_data_func (path, self, test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (structs); i++) {
    add_test ("device", &structs[i], test_layout);
    add_test ("no-gap", &structs[i], test_no_gap);
  }
  return g_test_run ();
}
