/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The graticule of the vectorscope. The positions of lines and boxes are
 * derived from the standards alone, since the device draws the same graticule
 * as the reference.
 */

#include "core/scopes/vectorscope.h"
#include "layouts.h"
#include "lights.h"
#include "placed.h"
#include "size.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>

#define WIDTH 640

/* --- lines and boxes --- */

/* A graticule, and the position of chroma in it: `range` 224 or 255 around 128.
 */
typedef struct
{
  uint32_t matrix;
  double range;
  int left, top, size; /* the plot */
  int first, n_values; /* of the values shown */
  uint32_t text;       /* its height */
  AmphistoGraticule graticule;
} Scope;

/* All matrices, limited and full range, in frames with these numbers of rows.
 */
static const uint32_t scope_rows[] = { 480, 1080, 2160 };
#define N_SCOPES (N_MATRICES * 2 * G_N_ELEMENTS (scope_rows))

static void
scope_clear (Scope *self)
{
  amphisto_graticule_clear (&self->graticule);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scope, scope_clear)

static Scope
nth_scope (guint i, guint zoom_shift)
{
  const guint matrix = i / 2 % N_MATRICES;
  AmphistoLayout layout =
      yuv_layout (WIDTH, scope_rows[i / 2 / N_MATRICES], 1, 1);

  set_matrix (&layout, matrix, !(i & 1));

  const vectorscope_params params = placed_vectorscope (&layout, zoom_shift);
  const Scope self = { .matrix = matrix,
    .range = i & 1 ? 255 : 224,
    .left = (int) params.scope.plot_left,
    .top = (int) params.scope.plot_top,
    .size = (int) params.scope.plot_width,
    .first = 128 - (128 >> zoom_shift),
    .n_values = 256 >> zoom_shift,
    .text = params.scope.text_height,
    .graticule = graticule_of (&amphisto_vectorscope, &params.scope) };

  g_assert_cmpint (2 * self.left + self.size, ==, self.graticule.width);
  g_assert_cmpint (2 * self.top + self.size, ==, self.graticule.height);
  return self;
}

/* The pixel with the middle of the value. */
static int
scope_x (const Scope *self, double u)
{
  return self->left
      + (int) floor ((u - self->first + 0.5) * self->size / self->n_values);
}

static int
scope_y (const Scope *self, double v)
{
  return self->top + self->size - 1
      - (int) floor ((v - self->first + 0.5) * self->size / self->n_values);
}

/* The pixel with the middle of the value in a plot that is not zoomed, where
 * boxes are. */
static int
whole_x (const Scope *self, double u)
{
  return self->left + (int) floor ((u + 0.5) * self->size / 256);
}

static int
whole_y (const Scope *self, double v)
{
  return self->top + self->size - 1
      - (int) floor ((v + 0.5) * self->size / 256);
}

/* The radius of the circle around all chroma of the range, or of the ring that
 * zoomed plots have. */
static double
radius_of (const Scope *self)
{
  return self->range / 2 * self->size / 256;
}

#define SKIN ((90 + 33) * G_PI / 180)

static bool
is_orange (uint32_t light)
{
  return (light & 0xff) >= (light >> 16 & 0xff) + 60;
}

/* Stores Y, U and V of a colour bar. colour: bits of red, green and blue. */
static void
bar_of (const Scope *self, guint colour, double brightness, double yuv[3])
{
  const double most = 255 * brightness;

  yuv_of (self->matrix, self->range < 255,
      (double[3]){
          colour & 1 ? most : 0, colour & 2 ? most : 0, colour & 4 ? most : 0 },
      yuv);
}

/* Brightest light around (x, y), relative to the middle; 255 under text. */
static guint
light_near (const Scope *self, double x, double y)
{
  guint most = 0;

  for (int i = 0; i < 9; i++) {
    const uint32_t light = light_at (&self->graticule,
        scope_x (self, 128) + (int) rint (x) + i % 3 - 1,
        scope_y (self, 128) + (int) rint (y) + i / 3 - 1);

    most = MAX (most, light >> 24 ? 255 : light & 0xff);
  }
  return most;
}

static bool
may_be_box (const Scope *self, int x, int y)
{
  for (guint i = 0; i < 12; i++) {
    const double half = MAX (self->size / (i < 6 ? 36.0 : 72.0), 2.5) + 2;
    double yuv[3];

    bar_of (self, 1 + i % 6, i < 6 ? 0.75 : 1, yuv);
    if (abs (x - whole_x (self, yuv[1])) <= half
        && abs (y - whole_y (self, yuv[2])) <= half)
      return true;
  }
  return false;
}

/* The axes cross at neutral chroma, and end at a circle around all chroma of
 * the range. Skin tones are on the axis I of NTSC's YIQ, 33 degrees
 * counterclockwise from the axis of V in BT.601, where U and V are not scaled.
 * Their line, the only orange one, goes from the middle to the circle. */
static void
check_lines (const Scope *self)
{
  const AmphistoGraticule *graticule = &self->graticule;
  const int x0 = scope_x (self, 128), y0 = scope_y (self, 128);
  const double radius = radius_of (self);
  double farthest = 0;
  guint n = 0;

  for (guint angle = 0; angle < 360; angle += 5)
    g_assert_cmpuint (light_near (self, cos (angle * G_PI / 180) * radius,
                          sin (angle * G_PI / 180) * radius),
        >=, 80);
  for (int y = 0; y < (int) graticule->height; y++)
    for (int x = 0; x < (int) graticule->width; x++) {
      const uint32_t light = light_at (graticule, x, y);
      const double along = (x - x0) * cos (SKIN) + (y0 - y) * sin (SKIN);
      const double across = (y0 - y) * cos (SKIN) - (x - x0) * sin (SKIN);
      const double distance = hypot (x - x0, y - y0);

      if (light >> 24)
        continue;
      if ((x == x0 || y == y0) && distance < radius - 1)
        g_assert_true (is_light (light, AMPHISTO_SCOPE_QUARTER));
      if (distance > radius + 4)
        g_assert_true (light == 0 || may_be_box (self, x, y));
      if (is_orange (light)) {
        g_assert_cmpfloat (along, >=, -3);
        g_assert_cmpfloat (fabs (across), <=, 2.5);
        farthest = MAX (farthest, along);
        n++;
      }
    }
  g_assert_cmpfloat (fabs (farthest - radius), <=, 3);
  g_assert_cmpuint (n, >=, 0.7 * radius);
}

/* Whether there is a box around chroma whose sides are at least `least` from
 * its middle, rounded either way. */
static bool
has_box (const Scope *self, const double yuv[3], int least, uint32_t light)
{
  for (int half = least; half < 40; half++)
    for (int i = 0; i < 9; i++)
      if (has_square (&self->graticule, whole_x (self, yuv[1]) + i % 3 - 1,
              whole_y (self, yuv[2]) + i / 3 - 1, half, light))
        return true;
  return false;
}

/* The bars of 75 % and 100 % have boxes. */
static void
check_boxes (const Scope *self)
{
  for (guint colour = 1; colour < 7; colour++) {
    double yuv[3];

    bar_of (self, colour, 1.0, yuv);
    g_assert_true (has_box (self, yuv, 1, AMPHISTO_SCOPE_QUARTER));
    bar_of (self, colour, 0.75, yuv);
    g_assert_true (has_box (self, yuv, 2, AMPHISTO_SCOPE_BOX));
  }
}

static void
test_whole (void)
{
  for (guint i = 0; i < N_SCOPES; i++) {
    g_auto (Scope) scope = nth_scope (i, 0);

    check_lines (&scope);
    check_boxes (&scope);
  }
}

/* At zoom 2, boxes are in the same pixels. */
static void
test_boxes (void)
{
  for (guint i = 0; i < N_SCOPES; i++) {
    g_auto (Scope) whole = nth_scope (i, 0);
    g_auto (Scope) inner = nth_scope (i, 1);
    const AmphistoGraticule *graticule = &whole.graticule;
    guint n = 0;

    check_boxes (&inner);
    for (int y = 0; y < (int) graticule->height; y++)
      for (int x = 0; x < (int) graticule->width; x++)
        if (light_at (graticule, x, y) == AMPHISTO_SCOPE_BOX) {
          g_assert_true (
              is_light (light_at (&inner.graticule, x, y), AMPHISTO_SCOPE_BOX));
          n++;
        }
    g_assert_cmpuint (n, >, 6 * 16);
  }
}

/* To look for texts takes long: in the smaller tiers in few scopes, of all
 * matrices and ranges. */
static guint
step (void)
{
  return test_size () < TEST_FULL ? 7 : 1;
}

/* --- zoom --- */

static const char *const names[] = { "R", "G", "Yl", "B", "Mg", "Cy" };

/* A colour's direction in the plot, and the distance of the plot's side from
 * the middle there, in pixels. */
static double
spoke_of (const Scope *self, guint colour, double to[2])
{
  double yuv[3], length;

  bar_of (self, colour, 1.0, yuv);
  length = hypot (yuv[1] - 128, yuv[2] - 128);
  to[0] = (yuv[1] - 128) / length;
  to[1] = (128 - yuv[2]) / length;
  return self->size / 2.0 / MAX (fabs (to[0]), fabs (to[1]));
}

/* Whether a line may be at (x, y), relative to the middle: a spoke, the ring,
 * or one of its ticks, which are a tenth of its radius long. */
static gboolean
may_be_lit (const Scope *self, double x, double y)
{
  const double radius = radius_of (self);
  const double distance = hypot (x, y);
  const double degrees = atan2 (y, x) * 18 / G_PI;
  const double off = fabs (degrees - rint (degrees)) * G_PI / 18 * distance;

  if (fabs (distance - radius) <= 3)
    return TRUE;
  if (off <= 2.5 && distance >= radius * 0.9 - 3 && distance <= radius)
    return TRUE;
  for (guint colour = 1; colour < 7; colour++) {
    double to[2];
    const double length = spoke_of (self, colour, to);
    const double along = x * to[0] + y * to[1];

    if (fabs (x * to[1] - y * to[0]) <= 3 && along > length / 3
        && along < length * 1.04)
      return TRUE;
  }
  return FALSE;
}

/* The plot has a frame, and axes and the line of skin tones up to it. Nothing
 * else is lit but spokes, the ring and text, which may interrupt axes. */
static void
check_zoomed (const Scope *scope)
{
  const int x0 = scope_x (scope, 128), y0 = scope_y (scope, 128);
  const int end_x = scope->left + scope->size, end_y = scope->top + scope->size;
  int farthest = y0, n_dark = 0;

  for (int y = 0; y < (int) scope->graticule.height; y++)
    for (int x = 0; x < (int) scope->graticule.width; x++) {
      const uint32_t light = light_at (&scope->graticule, x, y);
      const bool is_in_x = x >= scope->left && x < end_x;
      const bool is_in_y = y >= scope->top && y < end_y;
      const bool is_side = x == scope->left - 1 || x == end_x;
      const bool is_end = y == scope->top - 1 || y == end_y;
      const double across =
          fabs ((y0 - y) * cos (SKIN) - (x - x0) * sin (SKIN));

      if (light >> 24)
        continue;
      if ((is_in_x && is_end) || (is_in_y && is_side) || (is_end && is_side)) {
        g_assert_true (is_light (light, AMPHISTO_SCOPE_BORDER));
      } else if (is_in_x && is_in_y && (x == x0 || y == y0)) {
        n_dark += (light & 0xff) < SCOPE_GRIDLINE_LIGHT;
      } else if (is_in_x && is_in_y && ABS (x - x0) > 5 && ABS (y - y0) > 5
          && light != 0) {
        g_assert_true (across <= 3
            || (!is_orange (light)
                && (may_be_lit (scope, x - x0, y - y0)
                    || (scope->n_values == 128 && may_be_box (scope, x, y)))));
        if (is_orange (light))
          farthest = MIN (farthest, y);
      }
    }
  g_assert_cmpint (farthest, <=, scope->top + 1);
  g_assert_cmpint (n_dark, <=, scope->size / 4);
}

/* Whether the text is around (x, y), relative to the middle, to `reach` pixels.
 */
static bool
has_text_near (const Scope *self, double x, double y, int reach,
    uint32_t height, const char *text)
{
  const int left = scope_x (self, 128) + (int) x;
  const int top = scope_y (self, 128) + (int) y;

  return has_text (&self->graticule, left - reach, top - reach, left + reach,
      top + reach, height, text, AMPHISTO_SCOPE_TEXT);
}

/* Each spoke is a line to the side, with the colour's name on it. The middle is
 * free. */
static void
check_spokes (const Scope *self, uint32_t height)
{
  for (guint i = 0; i < 6; i++) {
    double to[2];
    const double length = spoke_of (self, i + 1, to);
    const AmphistoArea text = amphisto_graticule_text_area (
        0, 0, height, names[i], self->graticule.pixel_aspect);
    bool is_named = false;
    guint n_dark = 0;

    for (double d = 0.4; d < 0.97; d += 0.01) {
      const double x = to[0] * d * length, y = to[1] * d * length;

      n_dark += light_near (self, x, y) < 40;
      is_named = is_named
          || has_text_near (self, x - text.right / 2.0, y - (int) height / 2,
              (int) height, height, names[i]);
    }
    g_assert_true (is_named);
    g_assert_cmpuint (n_dark, <=, 20);
  }
}

/* The ring of 50 or 25 %, with ticks at each 10 degrees, longer at each 30, and
 * its figure. Names of colours may interrupt it. */
static void
check_ring (const Scope *self, guint zoom_shift, uint32_t height)
{
  const double radius = radius_of (self);
  guint n_dark = 0;

  for (guint angle = 0; angle < 360; angle += 5) {
    const double to_x = cos (angle * G_PI / 180) * radius;
    const double to_y = -sin (angle * G_PI / 180) * radius;

    n_dark += light_near (self, to_x, to_y) < 80
        || (angle % 10 == 0 && light_near (self, to_x * 0.96, to_y * 0.96) < 50)
        || (angle % 30 == 0
            && light_near (self, to_x * 0.92, to_y * 0.92) < 50);
  }
  g_assert_cmpuint (n_dark, <=, 12);
  if (self->size >= 150)
    g_assert_true (has_text_near (self, cos (40 * G_PI / 180) * radius,
        sin (40 * G_PI / 180) * radius, (int) height * 2, height,
        zoom_shift == 1 ? "50" : "25"));
}

/* The zoom is in the plot's lower right corner. */
static void
test_zoom (void)
{
  for (guint i = 0; i < 2 * N_SCOPES; i += step ()) {
    const guint zoom_shift = 1 + i % 2;
    const char *text = zoom_shift == 1 ? "x2" : "x4";
    g_auto (Scope) scope = nth_scope (i / 2, zoom_shift);
    const int end_x = scope.left + scope.size, end_y = scope.top + scope.size;
    const uint32_t height = scope.text;

    g_assert_true (has_text (&scope.graticule, end_x - scope.size / 4,
        end_y - scope.size / 4, end_x - 1, end_y - 1, height, text,
        AMPHISTO_SCOPE_TEXT));
    check_zoomed (&scope);
    check_spokes (&scope, height);
    check_ring (&scope, zoom_shift, height);
  }
}

/* --- names --- */

/* In scopes that are high enough, all names are there: on the rays of their
 * colours, outside the ring if there is room, and never in a box. */
static void
test_names (void)
{
  for (guint i = 0; i < N_SCOPES; i += step ()) {
    g_auto (Scope) scope = nth_scope (i, 0);
    const uint32_t text = scope.text;
    const double radius = radius_of (&scope);

    for (guint colour = 1; colour < 7; colour++) {
      bool is_there = false;

      for (double part = 0.35; part < 2 && !is_there; part += 0.05) {
        double yuv[3], distance;

        bar_of (&scope, colour, part, yuv);
        distance = hypot (yuv[1] - 128, yuv[2] - 128) * scope.size / 256;
        is_there = has_text_near (&scope,
            (yuv[1] - 128) * scope.size / 256 - text / 2.0,
            (128 - yuv[2]) * scope.size / 256 - text / 2.0, (int) (2 * text),
            text, names[colour - 1]);
        g_assert_true (!is_there || distance < 2 * radius);
      }
      if (!is_there)
        g_error ("scope %u: %s is missing", i, names[colour - 1]);
    }
  }
}

const CoreTest core_tests[] = {
  { "/graticule/whole", test_whole },
  { "/graticule/boxes", test_boxes },
  { "/graticule/zoom", test_zoom },
  { "/graticule/names", test_names },
  { 0 },
};
