/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Contrast limited adaptive histogram equalization: count the tiles, make a LUT
 * of each, and map each pixel by those of the four tiles around it.
 *
 * The LUTs of four tiles that meet are kept in one table: a word for each
 * value, with what the upper left one makes of it in the first character, then
 * the upper right, lower left and lower right. So a pixel takes one look-up.
 * There are tables for all corners of tiles, (tiles_x + 1) * (tiles_y + 1), in
 * rows; at the picture's edges, tiles stand in for those that would be beyond.
 *
 * Floats: as in equalize.cl, every operation is rounded on its own.
 */

/* --- counting --- */

/* Where pixel i beyond n is mirrored to: back, and forth again. */
INLINE uint
mirror (uint i, uint n)
{
  const uint period = n > 1 ? 2 * (n - 1) : 1;

  i %= period;
  return i < n ? i : period - i;
}

INLINE uint
read_luma (constant frame_params *params, uchar_planes planes, uint x, uint y)
{
  constant component_params *luma = &params->luma;

  if (luma->plane == AMPHISTO_RGB_LUMA) {
    const uint4 p = read_rgb (frame_rgb_row (planes, params->rgb, y), x);

    return LUMA (params->weights, p.x, p.y, p.z);
  }
  return read_sample (frame_component_row (planes, luma, y), x);
}

/* Counts luma of n pixels of row y, from pixel x on. */
INLINE void
count_luma (counters c, constant frame_params *params, uchar_planes planes,
    uint x, uint y, uint n)
{
  constant component_params *luma = &params->luma;

  if (luma->plane == AMPHISTO_RGB_LUMA)
    count_rgb_luma (c, rgb_row_from (frame_rgb_row (planes, params->rgb, y), x),
        n, params->weights);
  else
    count_component (
        c, component_row_from (frame_component_row (planes, luma, y), x), n);
}

#ifdef AMPHISTO_GPU
/* Work-items of a group that count one row of a tile side by side, and the rows
 * that are counted at once. */
#define TILE_COLUMNS 32
#define TILE_ROW (uint) (get_local_id (0) / TILE_COLUMNS)
#define TILE_ROWS (uint) (get_local_size (0) / TILE_COLUMNS)
#else
#define TILE_ROW 0
#define TILE_ROWS 1
#endif

/* Counts one of the parts of all tiles. */
INLINE void
count_part (counters c, uint part, constant frame_params *params,
    constant clahe_params *clahe, uchar_planes planes)
{
  const uint width = params->luma.width;
  const uint tile = part / clahe->n_parts;
  const row_run run =
      share_rows (clahe->tile_height, part % clahe->n_parts, clahe->n_parts);
  const uint top = tile / clahe->tiles_x * clahe->tile_height;
  const uint x = tile % clahe->tiles_x * clahe->tile_width;
  const uint n = x < width ? min (clahe->tile_width, width - x) : 0;

  for (uint row = run.first + TILE_ROW; row < run.end; row += TILE_ROWS) {
    const uint y = mirror (top + row, params->luma.height);

    count_luma (c, params, planes, x, y, n);
    FOR_COUNTED (i, clahe->tile_width - n, c)
      count (c, read_luma (params, planes, mirror (x + n + i, width), y));
  }
}

/* Counts luma in the tiles. bins: AMPHISTO_BINS for each part of each tile in
 * turn. */
kernel void
count_tiles (global uint *plane0, global uint *plane1, global uint *plane2,
    constant frame_params *params, constant clahe_params *clahe,
    global uint *bins)
{
  const uchar_planes planes =
      source_planes (plane0, plane1, plane2, plane0, params);
  const uint n_parts = clahe->tiles_x * clahe->tiles_y * clahe->n_parts;
  OWN uint own[N_COPIES * AMPHISTO_BINS];
#ifdef AMPHISTO_GPU
  const uint item = get_local_id (0);
  const counters c = { own, N_COPIES, item % N_COPIES, item % TILE_COLUMNS,
    TILE_COLUMNS };
#else
  const counters c = { own, 0, false };
#endif

  FOR_ROWS (part, n_parts) {
    clear_counts (own);
    GROUP_BARRIER ();
    count_part (c, part, params, clahe, planes);
    GROUP_BARRIER ();
    FOR_COLUMNS (v, AMPHISTO_BINS)
      bins[part * AMPHISTO_BINS + v] = sum_copies (own, v);
    GROUP_BARRIER ();
  }
}

/* Adds up what was counted in parts. */
kernel void
merge_tiles (
    constant clahe_params *clahe, global const uint *parts, global uint *bins)
{
  FOR_ROWS (tile, clahe->tiles_x * clahe->tiles_y)
    FOR_COLUMNS (v, AMPHISTO_BINS) {
      uint sum = 0;

      for (uint part = 0; part < clahe->n_parts; part++)
        sum += parts[(tile * clahe->n_parts + part) * AMPHISTO_BINS + v];
      bins[tile * AMPHISTO_BINS + v] = sum;
    }
}

/* Adds the tiles' bins to those of luma: where tiles have all pixels once,
 * these are not counted again. bins: as calculate_histogram leaves them. */
kernel void
sum_tiles (constant frame_params *params, constant clahe_params *clahe,
    global const uint *tiles, volatile global uint *bins)
{
  FOR_COLUMNS (v, AMPHISTO_BINS) {
    uint sum = 0;

    FOR_ROWS (tile, clahe->tiles_x * clahe->tiles_y)
      sum += tiles[tile * AMPHISTO_BINS + v];
    if (sum > 0)
      atomic_add (&bins[params->luma_slot * AMPHISTO_BINS + v], sum);
  }
}

/* --- tables --- */

/* How samples that were cut off are shared out: `each` to every bin, and one
 * more to `rest` bins that are `step` apart. */
typedef struct
{
  uint each;
  uint rest;
  uint step;
} clip_share;

INLINE clip_share
share_out (uint excess)
{
  const uint rest = excess % AMPHISTO_BINS;
  const clip_share share = { excess / AMPHISTO_BINS, rest,
    rest > 0 ? AMPHISTO_BINS / rest : 1 };

  return share;
}

INLINE uint
lut_value (
    uint cdf, constant frame_params *params, constant clahe_params *clahe)
{
  const float share = (float) cdf * clahe->scale;

  return min (params->lo + (uint) rint (share), params->hi);
}

#ifdef AMPHISTO_GPU

/* Makes the tile's LUT: a group of AMPHISTO_BINS, each a value. counts:
 * AMPHISTO_BINS; sums: AMPHISTO_BINS / 16. */
INLINE void
make_lut (constant frame_params *params, constant clahe_params *clahe,
    global const uint *bins, local uint *counts, local uint *sums,
    local uint *lut)
{
  const uint i = get_local_id (0);
  const uint count = min (bins[i], clahe->limit);
  const clip_share share =
      share_out (cumulate (counts, sums, bins[i] - count).total);
  const bool gets_one = i % share.step == 0 && i < share.rest * share.step;

  barrier (CLK_LOCAL_MEM_FENCE);
  lut[i] = lut_value (
      cumulate (counts, sums, count + share.each + (gets_one ? 1 : 0))
          .up_to_here,
      params, clahe);
}

#else

/* Makes the tile's LUT. */
INLINE void
make_lut (constant frame_params *params, constant clahe_params *clahe,
    global const uint *bins, uint *lut)
{
  uint excess = 0, cdf = 0;

  for (uint i = 0; i < AMPHISTO_BINS; i++)
    excess += bins[i] - min (bins[i], clahe->limit);

  const clip_share share = share_out (excess);

  for (uint i = 0; i < AMPHISTO_BINS; i++)
    lut[i] = min (bins[i], clahe->limit) + share.each;
  for (uint i = 0; i < share.rest; i++)
    lut[i * share.step]++;
  for (uint i = 0; i < AMPHISTO_BINS; i++)
    lut[i] = cdf += lut[i];
  for (uint i = 0; i < AMPHISTO_BINS; i++)
    lut[i] = lut_value (lut[i], params, clahe);
}

#endif

/* Makes the tables. bins: AMPHISTO_BINS for each tile. GPU shape: in groups of
 * AMPHISTO_BINS. */
kernel void
equalize_tiles (constant frame_params *params, constant clahe_params *clahe,
    global const uint *bins, global uchar *tables)
{
  const uint tiles_x = clahe->tiles_x, tiles_y = clahe->tiles_y;
#ifdef AMPHISTO_GPU
  local uint counts[AMPHISTO_BINS];
  local uint sums[AMPHISTO_BINS / 16];
  local uint lut[AMPHISTO_BINS];
#else
  uint lut[AMPHISTO_BINS];
#endif

  FOR_ROWS (tile, tiles_x * tiles_y) {
    const uint x = tile % tiles_x, y = tile / tiles_x;

#ifdef AMPHISTO_GPU
    make_lut (params, clahe, bins + tile * AMPHISTO_BINS, counts, sums, lut);
#else
    make_lut (params, clahe, bins + tile * AMPHISTO_BINS, lut);
#endif
    GROUP_BARRIER ();
    /* in the tables of its four corners, wherever the tile is one of theirs */
    for (uint k = 0; k < 16; k++) {
      const uint column = x + (k & 1), row = y + (k >> 1 & 1);
      const uint place = k >> 2;
      const uint tile_x =
          place & 1 ? min (column, tiles_x - 1) : max (column, 1u) - 1;
      const uint tile_y =
          place & 2 ? min (row, tiles_y - 1) : max (row, 1u) - 1;
      global uchar *table =
          tables + (row * (tiles_x + 1) + column) * AMPHISTO_BINS * 4 + place;

      if (tile_x == x && tile_y == y)
        FOR_COLUMNS (i, AMPHISTO_BINS)
          table[i * 4] = lut[i];
    }
    GROUP_BARRIER ();
  }
}

/* --- application --- */

/* A row of the picture among the tables: the first of those it lies between the
 * centres of, and how much the lower tiles count. */
typedef struct
{
  global const uint *tables;
  float tiles_a_pixel;
  float lower;
  float strength;
} tile_row;

INLINE tile_row
find_tile_row (constant frame_params *params, constant clahe_params *clahe,
    global const uint *tables, uint y)
{
  const float at = (float) y * clahe->per_y - 0.5f;
  const int before = (int) floor (at);
  const tile_row row = { tables
        + (size_t) (before + 1) * (clahe->tiles_x + 1) * AMPHISTO_BINS,
    clahe->per_x, at - (float) before, params->strength };

  return row;
}

INLINE uint OVERLOAD
read_table (global const uint *tables, uint i)
{
  return tables[i];
}

INLINE pixels OVERLOAD
read_table (global const uint *tables, pixels i)
{
#ifdef AMPHISTO_GPU
  return (uint4) (tables[i.x], tables[i.y], tables[i.z], tables[i.w]);
#else
  return (uint16) (tables[i.s0], tables[i.s1], tables[i.s2], tables[i.s3],
      tables[i.s4], tables[i.s5], tables[i.s6], tables[i.s7], tables[i.s8],
      tables[i.s9], tables[i.sa], tables[i.sb], tables[i.sc], tables[i.sd],
      tables[i.se], tables[i.sf]);
#endif
}

/* v, 0 to 255, rounded half to even: added to it, 2^23 leaves no fraction, and
 * the integer in the lowest bits. */
#define ROUND_TO_UINTN(uintN, v) (as_##uintN ((v) + 0x1p23f) & 255)

/* For one pixel, and N_PIXELS of them:
 *
 *   find_place (row, x)         where pixel x is among the tiles: n is at the
 *                               centre of tile n
 *   find_before (place)         the tile before that, or -1
 *   mix (row, word, right, v)   what becomes of luma v, for which the tables
 *                               have the word, with the share `right` of the
 *                               right tiles
 *   equalize (row, x, v)        what becomes of luma v of pixel x
 */
#define DEFINE_EQUALIZE(uintN, intN, floatN)                                   \
  INLINE floatN OVERLOAD find_place (tile_row row, uintN x)                    \
  {                                                                            \
    return convert_##floatN (as_##intN (x)) * row.tiles_a_pixel - 0.5f;        \
  }                                                                            \
                                                                               \
  INLINE intN OVERLOAD find_before (floatN place)                              \
  {                                                                            \
    /* conversion is towards 0; -1/2 is the least */                           \
    return convert_##intN (place) - (place < 0 ? (intN) (1) : 0);              \
  }                                                                            \
                                                                               \
  INLINE floatN OVERLOAD character (uintN word, uint i)                        \
  {                                                                            \
    return convert_##floatN (as_##intN (word >> (8 * i) & 255));               \
  }                                                                            \
                                                                               \
  INLINE uintN OVERLOAD mix (tile_row row, uintN word, floatN right, uintN v)  \
  {                                                                            \
    const floatN left = 1.0f - right;                                          \
    const floatN upper =                                                       \
        character (word, 0) * left + character (word, 1) * right;              \
    const floatN lower =                                                       \
        character (word, 2) * left + character (word, 3) * right;              \
    const floatN sum = upper * (1.0f - row.lower) + lower * row.lower;         \
    const uintN equalized = ROUND_TO_UINTN (uintN, sum);                       \
                                                                               \
    if (row.strength == 1.0f)                                                  \
      return equalized;                                                        \
                                                                               \
    const floatN move =                                                        \
        convert_##floatN (as_##intN (equalized - v)) * row.strength;           \
    return ROUND_TO_UINTN (uintN, convert_##floatN (as_##intN (v)) + move);    \
  }                                                                            \
                                                                               \
  INLINE uintN OVERLOAD equalize (tile_row row, uintN x, uintN v)              \
  {                                                                            \
    const floatN place = find_place (row, x);                                  \
    const intN before = find_before (place);                                   \
                                                                               \
    return mix (row,                                                           \
        read_table (row.tables, as_##uintN (before + 1) * AMPHISTO_BINS + v),  \
        place - convert_##floatN (before), v);                                 \
  }

DEFINE_EQUALIZE (uint, int, float)
#ifdef AMPHISTO_GPU
DEFINE_EQUALIZE (uint4, int4, float4)
#define FIRST_PIXELS (uint4) (0, 1, 2, 3)
#else
DEFINE_EQUALIZE (uint16, int16, float16)
#define FIRST_PIXELS                                                           \
  (uint16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#endif

#ifdef AMPHISTO_GPU

INLINE pixels
equalize_samples (tile_row row, uint x, uchar_row source, uint i)
{
  return equalize (row, x + FIRST_PIXELS, read_pixels (source, i, 1));
}

#else

/* Step i of a row of samples side by side, of pixels x and on. Where one table
 * is right for all of them, a core is faster with samples that it loads as
 * characters to look them up than with elements of vectors. */
INLINE pixels
equalize_samples (tile_row row, uint x, uchar_row source, uint i)
{
  const pixels v = read_pixels (source, i, 1);
  const int before = find_before (find_place (row, x));

  if (before != find_before (find_place (row, x + N_PIXELS - 1)))
    return equalize (row, x + FIRST_PIXELS, v);

  global const uint *t = row.tables + (before + 1) * AMPHISTO_BINS;
  global const uchar *c =
      (global const uchar *) source.words + source.first + i * N_PIXELS;
  const pixels words = (uint16) (t[c[0]], t[c[1]], t[c[2]], t[c[3]], t[c[4]],
      t[c[5]], t[c[6]], t[c[7]], t[c[8]], t[c[9]], t[c[10]], t[c[11]], t[c[12]],
      t[c[13]], t[c[14]], t[c[15]]);

  return mix (
      row, words, find_place (row, x + FIRST_PIXELS) - (float) before, v);
}

#endif

/* Pixel x, character by character. */
INLINE void
equalize_pixel (tile_row tiles, uchar_row source, uchar_row target, uint x,
    uint pixel_stride, uint offset)
{
  for (uint i = 0; i < pixel_stride; i++) {
    const size_t at = (size_t) x * pixel_stride + i;
    const uint value = read_uchar (source, at);

    write_uchar (target, at, i == offset ? equalize (tiles, x, value) : value);
  }
}

/* n steps of a row, from word to word, the first with pixel x and those behind
 * it; where there is luma only, and where there are other samples between.
 */
INLINE void
equalize_planar (
    tile_row tiles, uchar_row source, uchar_row target, uint x, uint n)
{
  FOR_COLUMNS (i, n)
    write_pixels (
        target, i, 1, equalize_samples (tiles, x + i * N_PIXELS, source, i));
}

INLINE void
equalize_packed (tile_row tiles, uchar_row source, uchar_row target, uint x,
    uint n, uint pixel_stride, uint offset)
{
  const uint shift = offset * 8;

  FOR_COLUMNS (i, n) {
    const pixels p = read_pixels (source, i, pixel_stride);
    const pixels luma =
        equalize (tiles, x + i * N_PIXELS + FIRST_PIXELS, p >> shift & 255);

    write_pixels (
        target, i, pixel_stride, (p & ~(255u << shift)) | luma << shift);
  }
}

/* Rows: from the first pixel with luma on; n_bytes: what of them is written. */
INLINE void
equalize_row (tile_row tiles, uchar_row source, uchar_row target,
    constant component_params *luma, uint n_bytes)
{
  const uint pixel_stride = luma->pixel_stride;
  const uint offset = luma->offset % pixel_stride;
  const uint width = luma->width;
  const uint head = head_pixels (target, pixel_stride, width);
  const uint n = (width - head) / N_PIXELS;
  const uchar_row from = row_from (source, head * pixel_stride);
  const uchar_row to = row_from (target, head * pixel_stride);

  if (pixel_stride == 1)
    equalize_planar (tiles, from, to, head, n);
  else
    equalize_packed (tiles, from, to, head, n, pixel_stride, offset);
  FOR_COLUMNS (i, width - n * N_PIXELS)
    equalize_pixel (tiles, source, target, i < head ? i : i + n * N_PIXELS,
        pixel_stride, offset);
  /* behind the last pixel with luma, other samples */
  FOR_COLUMNS (i, n_bytes - width * pixel_stride)
    write_uchar (target, width * pixel_stride + i,
        read_uchar (source, width * pixel_stride + i));
}

/* Grey and YUV. source, target: Y's plane, one buffer or two; of the target,
 * row_bytes of each row are written, but what is before the first pixel with
 * luma. */
kernel void
apply_tiles (global uint *source, global uint *target,
    constant frame_params *params, constant clahe_params *clahe,
    global const uint *tables)
{
  constant component_params *luma = &params->luma;
  const uchar_plane from = source_plane (source, params, luma->plane);
  const uchar_plane to = target_plane (target, params, luma->plane);
  const uint first = luma->offset - luma->offset % luma->pixel_stride;

  FOR_ROWS (y, luma->height)
    equalize_row (find_tile_row (params, clahe, tables, y),
        row_from (frame_row (from, y), first),
        row_from (frame_row (to, y), first), luma, params->row_bytes - first);
}

INLINE void
equalize_rgb_row (tile_row tiles, rgb_row source, rgb_row target, uint width,
    constant uint *weights)
{
  const uint head = rgb_head_pixels (target, width);
  const uint n = (width - head) / N_PIXELS;
  const rgb_row from = rgb_row_from (source, head);
  const rgb_row to = rgb_row_from (target, head);

  FOR_COLUMNS (i, n) {
    const rgb_pixels p = read_rgb_pixels (from, i);
    const pixels luma = LUMA (weights, p.r, p.g, p.b);

    write_rgb_pixels (to, i,
        move_pixels (p, luma,
            equalize (tiles, head + i * N_PIXELS + FIRST_PIXELS, luma)));
  }
  FOR_COLUMNS (i, width - n * N_PIXELS) {
    const uint x = i < head ? i : i + n * N_PIXELS;
    const uint4 pixel = read_rgb (source, x);
    const uint luma = LUMA (weights, pixel.x, pixel.y, pixel.z);

    move_pixel (source, target, x, pixel, luma, equalize (tiles, x, luma));
  }
}

/* RGB: R, G and B move by what luma does. Planes as for apply_luma_delta. */
kernel void
apply_tiles_delta (global uint *source0, global uint *source1,
    global uint *source2, global uint *target0, global uint *target1,
    global uint *target2, constant frame_params *params,
    constant clahe_params *clahe, global const uint *tables)
{
  const uchar_planes from =
      source_planes (source0, source1, source2, source0, params);
  const uchar_planes to = target_planes (target0, target1, target2, params);

  FOR_ROWS (y, params->rgb[0].height)
    equalize_rgb_row (find_tile_row (params, clahe, tables, y),
        frame_rgb_row (from, params->rgb, y),
        frame_rgb_row (to, params->rgb, y), params->rgb[0].width,
        params->weights);
}
