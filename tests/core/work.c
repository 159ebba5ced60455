/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The part of a frame that work in a region is done in.
 */

#include "channels.h"
#include "core/work.h"

#include <glib.h>

#define WIDTH 23
#define HEIGHT 13

static AmphistoLayout
i420_layout (void)
{
  const uint32_t width = (WIDTH + 1) / 2, height = (HEIGHT + 1) / 2;

  return (AmphistoLayout){ .n_planes = 3,
    .plane = { { WIDTH, HEIGHT }, { width, height }, { width, height } },
    .channels = LUMA | CHROMA,
    .component = { [AMPHISTO_CHANNEL_LUMA] = { 0, 0, 1, WIDTH, HEIGHT },
        [AMPHISTO_CHANNEL_U] = { 1, 0, 1, width, height, 1, 1 },
        [AMPHISTO_CHANNEL_V] = { 2, 0, 1, width, height, 1, 1 } },
    .hi = 255 };
}

/* No chroma sample of the part that is drawn into belongs to a pixel outside
 * the region as well; at the frame's edges there is none outside. */
static void
test_drawn (void)
{
  const AmphistoLayout layout = i420_layout ();
  AmphistoWork work = { .region = { 3, 5, 0, 0 } };
  AmphistoLayout part, drawn;

  amphisto_work_crop (&work, &layout, &part, &drawn);
  g_assert_cmpuint (part.component[0].width, ==, WIDTH - 3);
  g_assert_cmpuint (part.component[0].height, ==, HEIGHT - 5);
  g_assert_cmpuint (drawn.plane[0].first_byte, ==, 4);
  g_assert_cmpuint (drawn.plane[0].first_row, ==, 6);
  g_assert_cmpuint (drawn.component[0].width, ==, WIDTH - 4);
  g_assert_cmpuint (drawn.component[0].height, ==, HEIGHT - 6);
  g_assert_cmpuint (drawn.component[1].x_phase, ==, 0);

  work.region = (AmphistoRegion){ 3, 5, 8, 6 };
  amphisto_work_crop (&work, &layout, &part, &drawn);
  g_assert_cmpuint (drawn.component[0].width, ==, 6);
  g_assert_cmpuint (drawn.component[0].height, ==, 4);

  work.region = (AmphistoRegion){ 3, 5, 1, 6 };
  amphisto_work_crop (&work, &layout, &part, &drawn);
  g_assert_cmpuint (part.component[0].width, ==, 1);
  g_assert_cmpuint (drawn.component[0].width, ==, 0);
  g_assert_false (amphisto_work_is_on_all (&work, &layout));

  work.region = (AmphistoRegion){ 0, 0, 0, HEIGHT };
  g_assert_true (amphisto_work_is_on_all (&work, &layout));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/region/drawn", test_drawn);
  return g_test_run ();
}
