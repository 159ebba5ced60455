/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The common part of all scopes: settings, the work, and what a kind of scope
 * does. A scope is placed (see places.h), measured (samples become a trace) and
 * drawn (trace and graticule become light in pixels).
 */

#pragma once

#include "core/change/exposure.h"
#include "core/measure/division.h"
#include "core/scopes/blend.h"
#include "core/scopes/graticule.h"
#include "cl/histogram_scope_params.h"
#include "cl/vectorscope_params.h"
#include "cl/waveform_params.h"

/* --- settings --- */

typedef enum
{
  AMPHISTO_DISPLAY_OVERLAY, /* all channels in one panel */
  AMPHISTO_DISPLAY_STACK,   /* one below another */
  AMPHISTO_DISPLAY_PARADE,  /* side by side */
  AMPHISTO_N_DISPLAYS
} AmphistoDisplay;

/* A corner: bit 0 is set on the right, bit 1 at the bottom. */
typedef enum
{
  AMPHISTO_SCOPE_TOP_LEFT,
  AMPHISTO_SCOPE_TOP_RIGHT,
  AMPHISTO_SCOPE_BOTTOM_LEFT,
  AMPHISTO_SCOPE_BOTTOM_RIGHT,
  AMPHISTO_N_SCOPE_POSITIONS
} AmphistoScopePosition;

typedef enum
{
  AMPHISTO_SCOPE_LINEAR,
  AMPHISTO_SCOPE_LOG,
  AMPHISTO_N_SCOPE_SCALES
} AmphistoScopeScale;

/* The colours of a waveform's traces. */
typedef enum
{
  AMPHISTO_WAVEFORM_CHANNELS,
  AMPHISTO_WAVEFORM_PICTURE, /* of luma's trace: those of its pixels */
  AMPHISTO_N_WAVEFORM_COLORS
} AmphistoWaveformColors;

/* Flags, in the order of the scopes from the corner on. */
typedef enum
{
  AMPHISTO_SCOPE_NONE = 0,
  AMPHISTO_SCOPE_HISTOGRAM = 1 << 0,
  AMPHISTO_SCOPE_WAVEFORM = 1 << 1,
  AMPHISTO_SCOPE_VECTORSCOPE = 1 << 2,
  AMPHISTO_ALL_SCOPES = 2 * AMPHISTO_SCOPE_VECTORSCOPE - 1 /* the last flag */
} AmphistoScopes;

#define AMPHISTO_N_SCOPES 3
_Static_assert(AMPHISTO_ALL_SCOPES == (1 << AMPHISTO_N_SCOPES) - 1,
    "AMPHISTO_N_SCOPES is the number of flags");

#define AMPHISTO_MAX_ZOOM_SHIFT 2

/* Lines across the waveform, in per cent, -10 to 110. Has no padding. */
typedef struct
{
  uint64_t n;
  double percent[WAVEFORM_MAX_REFERENCE_LINES]; /* 0 from the `n`th on */
} AmphistoReferenceLines;

typedef struct
{
  AmphistoScopes enabled;
  AmphistoDisplay display; /* layout of the channels within a scope */
  AmphistoScopePosition position;
  double width;   /* fraction of the frame's width, 0 to 1 */
  double height;  /* fraction of the frame's height, 0 to 1 */
  double opacity; /* of the scope background, 0 to 1 */
  AmphistoScopeScale scale;
  bool graticule;
  bool clipping_bars; /* beside the histogram */
  bool percentile_marks;
  uint32_t zoom_shift; /* 0 to AMPHISTO_MAX_ZOOM_SHIFT: the vectorscope shows
                        * the inner 1/2^n of the values of U and V */
  double intensity;    /* of faint traces of waveform and vectorscope, 0.25 to
                        * 4 */
  AmphistoWaveformColors waveform_colors;
  AmphistoReferenceLines reference_lines;
} AmphistoScopeSettings;

/* --- kinds of scopes --- */

/* The input for the parameters of scopes. */
typedef struct
{
  const AmphistoScopeSettings *settings;
  bool has_legend; /* false colour is drawn */
  AmphistoFalseColorScale legend_scale;
  const AmphistoLayout *layout; /* to draw into */
  const AmphistoLayout *part;   /* measured */
  const AmphistoDivision *division;
  AmphistoChannelMask counted; /* these have histograms, in slots */
  AmphistoChannelMask shown;   /* some of the counted channels */
  /* They fill the layout, without the picture. Otherwise they stand in a corner
   * of the frame. */
  bool is_scopes_only;
} AmphistoScopeWork;

/* The slot of a counted channel's histogram. */
uint32_t amphisto_scope_slot (
    const AmphistoScopeWork *work, AmphistoChannel channel);

/* The input for the reference of a scope. */
typedef struct
{
  const AmphistoFrame *frame;              /* of the layout `part` */
  const uint32_t (*bins)[AMPHISTO_N_BINS]; /* one histogram per slot */
  uint32_t *peaks;                         /* see amphisto_histogram_scope */
} AmphistoScopeInput;

/* A kind of scope. Its parameters begin with scope_params, through which its
 * functions get them. */
typedef struct
{
  const char *name;
  const char *description; /* a noun phrase for users */
  size_t params;  /* the offset of its parameters in AmphistoScopeParams */
  bool is_square; /* one panel of chroma; otherwise a graph of channels,
                   * in one or more panels */

  /* Stores the rest of the parameters of a scope that is placed. */
  void (*fill_params) (const AmphistoScopeWork *work, scope_params *scope);

  /* Draws the graticule of a panel, which begins at its (left, top). */
  void (*draw_graticule) (
      const scope_params *scope, uint32_t panel, AmphistoGraticule *graticule);

  /* Bytes of the trace that `measure` stores. */
  size_t (*trace_size) (const scope_params *scope);

  void (*measure) (
      const scope_params *scope, const AmphistoScopeInput *input, void *trace);

  /* Draws the trace over the graticule's light, `light`, in pixel (x, y) of a
   * panel; see amphisto_light_draw_over(). */
  void (*draw_pixel) (const scope_params *scope, const void *trace,
      uint32_t panel, uint32_t x, uint32_t y, AmphistoPixelLight *light);

  /* Draws the text that depends on the frame; NULL: there is none. */
  void (*draw_text) (const scope_params *scope, const AmphistoScopeInput *input,
      AmphistoGraticule *graticule);
} AmphistoScope;

/* Its `measure` updates the decaying scales, which are kept from frame to
 * frame: the number of samples at the top of the plot. Only bins between black
 * and white count for it, or all bins if those are empty. The top for a curve
 * is, on a linear scale, the tallest bin, but no more than CURVES_RANK_FACTOR
 * and CURVES_TENTH_FACTOR allow (cl/histogram_scope_params.h); on a
 * logarithmic scale, the tallest bin. On a linear scale, U and V share the
 * greater of their tops, and all other channels the greatest of theirs; on a
 * logarithmic scale, each panel has the greatest top of its curves. If no
 * curve has six filled bins, the top is the tallest bin. The scale rises to
 * that top at once, and decays to it by a sixteenth of the difference each
 * frame. Taller bins are cut off. */
extern const AmphistoScope amphisto_histogram_scope;

extern const AmphistoScope amphisto_waveform;
extern const AmphistoScope amphisto_vectorscope;

/* All scopes, in the order of their flags. */
extern const AmphistoScope *const amphisto_scopes[AMPHISTO_N_SCOPES];

/* The parameters of all scopes. */
typedef struct
{
  histogram_scope_params histogram;
  waveform_params waveform;
  vectorscope_params vectorscope;
} AmphistoScopeParams;

/* Draws the graticules of all panels. Free it with amphisto_graticule_clear().
 *
 * Returns: false if memory runs out. */
bool amphisto_scope_init_graticule (const AmphistoScope *self,
    const scope_params *scope, AmphistoGraticule *graticule);

/* Copies `width` columns of the glyphs below the scope, from column `left` on,
 * to column x and row y of the graticule, in a colour: red, green and blue. */
void amphisto_scope_copy_glyphs (const scope_params *scope, uint32_t left,
    uint32_t width, const uint32_t colour[3], uint32_t x, uint32_t y,
    AmphistoGraticule *graticule);

/* Draws the scope into the frame. trace: from `measure`. */
void amphisto_scope_draw (const AmphistoScope *self,
    const drawing_params *drawing, const scope_params *scope,
    const AmphistoGraticule *graticule, const void *trace,
    const AmphistoFrame *frame);

/* --- colours, brightness and sizes --- */

/* The light of graticules: the border of a plot, the lines at quarters and at
 * black and white of limited range, reference lines, text, boxes. */
#define AMPHISTO_SCOPE_BORDER AMPHISTO_LIGHT (136, 136, 136)
#define AMPHISTO_SCOPE_QUARTER                                                 \
  AMPHISTO_LIGHT (                                                             \
      SCOPE_GRIDLINE_LIGHT, SCOPE_GRIDLINE_LIGHT, SCOPE_GRIDLINE_LIGHT)
#define AMPHISTO_SCOPE_LIMIT AMPHISTO_LIGHT (168, 112, 16)
#define AMPHISTO_SCOPE_REFERENCE AMPHISTO_LIGHT (0, 136, 168)
#define AMPHISTO_SCOPE_TEXT AMPHISTO_LIGHT (224, 224, 224)
#define AMPHISTO_SCOPE_BOX AMPHISTO_LIGHT (160, 160, 160)

/* How a channel is drawn: its letter, and the colours, red, green and blue, 0
 * to 255, of lines and of the area below them. Red, green and blue channels add
 * up to a neutral grey; the greatest of their lines is white. Green is light
 * and has much blue, so that it differs from red without a sense of red and
 * green.
 */
typedef struct
{
  const char *letter;
  uint32_t line[3];
  uint32_t fill[3];
} AmphistoChannelStyle;

extern const AmphistoChannelStyle amphisto_channel_styles[AMPHISTO_N_CHANNELS];

/* The channels, of `channels`, that scopes draw: those with a style. */
AmphistoChannelMask amphisto_scope_channels (AmphistoChannelMask channels);

/* The size of a plot of 256 values, at most `most` pixels. It is a multiple of
 * 256 if little is lost by that, so that all values are equally wide. */
uint32_t amphisto_scope_plot_size (uint32_t most);

/* Draws gridlines around the plot of a panel. */
void amphisto_scope_draw_border (
    const scope_params *scope, AmphistoGraticule *graticule);

/* Columns that are as wide on the display as `rows` rows are high. */
uint32_t amphisto_scope_columns (const scope_params *scope, uint32_t rows);

/* Rows between plots, or the text outside them, and the panel's sides: half a
 * letter, less without text. */
uint32_t amphisto_scope_margin (const scope_params *scope);

/* The same in columns. */
uint32_t amphisto_scope_side_margin (const scope_params *scope);

/* Rows between text and plot. */
uint32_t amphisto_scope_text_gap (const scope_params *scope);

/* The width of the scope's text, in pixels. */
uint32_t amphisto_scope_text_width (
    const scope_params *scope, const char *text);

/* The backing of the scope's text whose capitals begin at (0, 0). */
AmphistoArea amphisto_scope_text_area (
    const scope_params *scope, const char *text);

/* Stores the brightness, 0 to 255, of cells with n = 0 to 255 samples, a byte
 * each in words from the lowest byte on: 0 for none, otherwise
 *
 *   36 + 219 v / 255, v = n (255 + half / 256) / (n + half / 256) * intensity,
 *
 * rounded, with SCOPE_TRACE_LIGHT for 36, so that every sample shows. v is 255
 * at most. Each further sample adds less. With intensity 1, about half / 256
 * samples have half of v's maximum. */
void amphisto_scope_fill_brightness (
    uint64_t half, double intensity, uint32_t brightness[AMPHISTO_N_BINS / 4]);
