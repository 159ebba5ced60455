/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/memory/caps.h"

#define DMABUF "memory:DMABuf"
#define COMPOSITION GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION

/* --- formats of DMABufs --- */

#if GST_CHECK_VERSION(1, 24, 0)

#define LINEAR 0 /* modifier */

static void
append_drm_name (GValue *names, const GValue *format)
{
  const guint32 fourcc = gst_video_dma_drm_fourcc_from_format (
      gst_video_format_from_string (g_value_get_string (format)));
  GValue name = G_VALUE_INIT;

  if (fourcc == 0)
    return;
  g_value_init (&name, G_TYPE_STRING);
  g_value_take_string (
      &name, gst_video_dma_drm_fourcc_to_string (fourcc, LINEAR));
  gst_value_list_append_and_take_value (names, &name);
}

void
gst_amphisto_caps_append_drm_formats (GstCaps *caps)
{
  GstStructure *structure =
      gst_structure_copy (gst_caps_get_structure (caps, 0));
  const GValue *formats = gst_structure_get_value (structure, "format");
  GValue names = G_VALUE_INIT;

  gst_value_list_init (&names, gst_value_list_get_size (formats));
  for (guint i = 0; i < gst_value_list_get_size (formats); i++)
    append_drm_name (&names, gst_value_list_get_value (formats, i));
  gst_structure_set (structure, "format", G_TYPE_STRING, "DMA_DRM", NULL);
  gst_structure_take_value (structure, "drm-format", &names);
  gst_caps_append_structure_full (caps, gst_structure_copy (structure),
      gst_caps_features_new (DMABUF, NULL));
  gst_caps_append_structure_full (
      caps, structure, gst_caps_features_new (DMABUF, COMPOSITION, NULL));
}

gboolean
gst_amphisto_caps_parse (const GstCaps *caps, GstVideoInfo *info)
{
  GstVideoInfoDmaDrm drm;

  if (gst_video_info_dma_drm_from_caps (&drm, caps))
    *info = drm.vinfo;
  else if (!gst_video_info_from_caps (info, caps))
    return FALSE;
  return GST_VIDEO_INFO_FORMAT (info) != GST_VIDEO_FORMAT_DMA_DRM;
}

#else

void
gst_amphisto_caps_append_drm_formats (GstCaps *caps)
{
  (void) caps;
}

gboolean
gst_amphisto_caps_parse (const GstCaps *caps, GstVideoInfo *info)
{
  return gst_video_info_from_caps (info, caps);
}

#endif

/* --- memory --- */

/* Returns: the feature that names other memory than the system's, or NULL. */
static const gchar *
find_memory (const GstCapsFeatures *features)
{
  const guint n = gst_caps_features_get_size (features);

  for (guint i = 0; i < n; i++) {
    const gchar *feature = gst_caps_features_get_nth (features, i);

    if (g_str_has_prefix (feature, "memory:")
        && !g_str_equal (feature, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY))
      return feature;
  }
  return NULL;
}

const gchar *
gst_amphisto_caps_memory (const GstCaps *caps)
{
  return find_memory (gst_caps_get_features (caps, 0));
}

/* Appends the structures in system memory, or all others, to `to`. */
static void
append_some (GstCaps *to, const GstCaps *caps, gboolean in_system_memory)
{
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    const GstCapsFeatures *features = gst_caps_get_features (caps, i);
    const gboolean is_in_system_memory =
        !gst_caps_features_is_any (features) && find_memory (features) == NULL;

    if (is_in_system_memory == in_system_memory)
      gst_caps_append (to, gst_caps_copy_nth (caps, i));
  }
}

void
gst_amphisto_caps_prefer_system_memory (GstQuery *query)
{
  g_autoptr (GstCaps) sorted = gst_caps_new_empty ();
  GstCaps *caps;

  gst_query_parse_caps_result (query, &caps);
  if (gst_caps_is_any (caps))
    return;
  append_some (sorted, caps, TRUE);
  append_some (sorted, caps, FALSE);
  gst_query_set_caps_result (query, sorted);
}

/* Returns: the name of the element that downloads frames from `memory`, or
 * words for it. */
static const gchar *
find_downloader (const gchar *memory)
{
  static const gchar *const downloaders[][2] = {
    { "memory:GLMemory", "gldownload" },
    { "memory:CUDAMemory", "cudadownload" },
    { "memory:VAMemory", "vapostproc" },
    { "memory:VASurface", "vaapipostproc" },
    { DMABUF, "vapostproc" },
    { "memory:VulkanImage", "vulkandownload" },
    { "memory:D3D11Memory", "d3d11download" },
    { "memory:D3D12Memory", "d3d12download" },
    { "memory:NVMM", "nvvidconv" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (downloaders); i++)
    if (g_str_equal (downloaders[i][0], memory))
      return downloaders[i][1];
  return "an element that downloads it";
}

void
gst_amphisto_caps_advise (const gchar *memory, GError *error)
{
  gchar *advised;

  if (memory == NULL)
    return;
  advised = g_strdup_printf ("%s It is in %s; \"%s ! video/x-raw\" before "
                             "amphisto brings it to system memory.",
      error->message, memory, find_downloader (memory));
  g_free (error->message);
  error->message = advised;
}

/* --- overlay compositions --- */

static gboolean
nth_has_composition (const GstCaps *caps, guint i)
{
  const GstCapsFeatures *features = gst_caps_get_features (caps, i);

  return !gst_caps_features_is_any (features)
      && gst_caps_features_contains (features, COMPOSITION);
}

gboolean
gst_amphisto_caps_have_composition (const GstCaps *caps)
{
  for (guint i = 0; i < gst_caps_get_size (caps); i++)
    if (nth_has_composition (caps, i))
      return TRUE;
  return FALSE;
}

GstCaps *
gst_amphisto_caps_transform (GstPadDirection direction, const GstCaps *caps)
{
  const gboolean adds = direction == GST_PAD_SINK;
  GstCaps *all = gst_caps_copy (caps);

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstCapsFeatures *features = gst_caps_get_features (caps, i);

    if (gst_caps_features_is_any (features)
        || nth_has_composition (caps, i) == adds)
      continue;
    features = gst_caps_features_copy (features);
    if (adds)
      gst_caps_features_add (features, COMPOSITION);
    else
      gst_caps_features_remove (features, COMPOSITION);
    gst_caps_append_structure_full (
        all, gst_structure_copy (gst_caps_get_structure (caps, i)), features);
  }
  return all;
}

GstCaps *
gst_amphisto_caps_choose (GstCaps *caps, gboolean has_composition)
{
  GstCaps *chosen;
  guint i = 0;

  while (i < gst_caps_get_size (caps)
      && nth_has_composition (caps, i) != has_composition)
    i++;
  chosen = gst_caps_copy_nth (caps, i < gst_caps_get_size (caps) ? i : 0);
  gst_caps_unref (caps);
  return chosen;
}

/* --- scopes alone --- */

/* The greatest size is videoscale's; the bytes of such a frame fit into 32
 * bits.
 */
#define SIZE_RANGE "(int) [ 1, 32767 ]"
#define SCOPES_CAPS                                                            \
  "video/x-raw, format = { BGRA, BGRx }, width = " SIZE_RANGE                  \
  ", height = " SIZE_RANGE ", framerate = " GST_VIDEO_FPS_RANGE                \
  ", interlace-mode = progressive, pixel-aspect-ratio = 1/1"

/* Returns: (transfer full): `caps` with the frame rates of the structure. */
static GstCaps *
with_rates_of (const GstCaps *caps, const GstStructure *structure)
{
  static const gchar *const fields[] = { "framerate", "max-framerate" };
  GstCaps *all = gst_caps_copy (caps);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (gst_structure_has_field (structure, fields[i]))
      gst_caps_set_value (
          all, fields[i], gst_structure_get_value (structure, fields[i]));
  return all;
}

GstCaps *
gst_amphisto_caps_transform_scopes_only (
    GstPadDirection direction, const GstCaps *caps, const GstCaps *sink)
{
  g_autoptr (GstCaps) scopes = gst_caps_from_string (SCOPES_CAPS);
  g_autoptr (GstCaps) shown = direction == GST_PAD_SRC
      ? gst_caps_intersect ((GstCaps *) caps, scopes)
      : gst_caps_copy (caps);
  GstCaps *all = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (shown); i++)
    all = gst_caps_merge (all,
        with_rates_of (direction == GST_PAD_SRC ? sink : scopes,
            gst_caps_get_structure (shown, i)));
  return all;
}

GstCaps *
gst_amphisto_caps_fixate_scopes_only (GstCaps *caps, gint width, gint height)
{
  GstCaps *first = gst_caps_make_writable (gst_caps_truncate (caps));
  GstStructure *structure = gst_caps_get_structure (first, 0);

  gst_structure_fixate_field_nearest_int (structure, "width", width);
  gst_structure_fixate_field_nearest_int (structure, "height", height);
  return gst_caps_fixate (first);
}
