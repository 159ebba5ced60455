/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Scopes as overlay compositions with sinks and elements that show them, on a
 * virtual screen with Mesa's software renderer.
 */

#include "pipeline.h"
#include "screen.h"

#include <gst/video/video.h>
#include <string.h>

#define COMPOSITION GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION
#define SCOPES                                                                 \
  "channels=luma+chroma+rgb scopes=histogram+waveform+vectorscope qos=false "
#define N_FRAMES 3

static gboolean
has_compositions (GstPad *pad)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);

  return caps != NULL
      && gst_caps_features_contains (
          gst_caps_get_features (caps, 0), COMPOSITION);
}

/* --- equal to drawn scopes --- */

/* How frames get to amphisto and on to OpenGL, and its other work. */
static const struct
{
  const gchar *name;
  const gchar *before, *after, *work;
} paths[] = {
  { "/scopes/system-memory", "", "glupload ! glcolorconvert ! ", "" },
  { "/scopes/gl-memory", "glupload ! glcolorconvert ! ", "", "" },
  { "/scopes/gl-memory-equalized", "glupload ! glcolorconvert ! ", "",
      "equalization=global" },
};

/* The frame in OpenGL's memory is up to date there, unless it is changed: it
 * need not be uploaded again. */
static GstPadProbeReturn
check_memory (GstPad *pad, GstPadProbeInfo *info, gpointer is_changed)
{
  /* GST_GL_BASE_MEMORY_TRANSFER_NEED_UPLOAD */
  static const guint needs_upload = GST_MEMORY_FLAG_LAST << 1;
  GstMemory *memory = gst_buffer_peek_memory (info->data, 0);

  g_assert_true (has_compositions (pad));
  g_assert_nonnull (gst_buffer_get_video_overlay_composition_meta (info->data));
  if (gst_memory_is_type (memory, "GLMemory"))
    g_assert_true (GST_MEMORY_FLAG_IS_SET (memory, needs_upload)
        == GPOINTER_TO_INT (is_changed));
  return GST_PAD_PROBE_OK;
}

/* OpenGL shows compositions like scopes that are drawn into the frame. */
static void
test_path (gconstpointer data)
{
  const gchar *const elements[] = { "gloverlaycompositor", NULL };
  const guint p = GPOINTER_TO_UINT (data);
  g_autofree gchar *description = g_strdup_printf (
      "videotestsrc num-buffers=%d pattern=ball background-color=0xff305070 ! "
      "video/x-raw,format=RGBA,width=640,height=480 ! tee name=source ! "
      "queue ! amphisto " SCOPES "%s ! appsink name=a sync=false "
      "source. ! queue ! %s amphisto name=composed " SCOPES "%s ! "
      "%s gloverlaycompositor ! gldownload ! video/x-raw,format=RGBA ! "
      "appsink name=b sync=false",
      N_FRAMES, paths[p].work, paths[p].before, paths[p].work, paths[p].after);
  g_autoptr (GstElement) pipeline = NULL;

  if (!pipeline_can_run (NULL, elements))
    return;
  pipeline = pipeline_new (description);
  pipeline_add_probe (pipeline, "composed", "src", check_memory,
      GINT_TO_POINTER (paths[p].work[0] != '\0'));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint n = 0; n < N_FRAMES; n++)
    g_assert_cmpint (pipeline_pull_difference (pipeline, "a", "b"), <=, 2);
  pipeline_finish (pipeline);
}

/* --- sinks --- */

/* The ways that the scopes of frames of one colour have gone. */
typedef struct
{
  gint n_frames; /* atomic */
  guint n_drawn;
  guint n_composed;
  const gchar *mistake; /* of any frame, or NULL */
} Ways;

static gboolean
is_flat (GstBuffer *buffer)
{
  GstMapInfo map;
  gboolean is_flat = TRUE;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  is_flat = memcmp (map.data, map.data + 1, map.size - 1) == 0;
  gst_buffer_unmap (buffer, &map);
  return is_flat;
}

static GstPadProbeReturn
note_way (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstVideoOverlayCompositionMeta *meta =
      gst_buffer_get_video_overlay_composition_meta (info->data);
  const gboolean is_drawn = !is_flat (info->data);
  Ways *self = user_data;

  self->n_drawn += is_drawn;
  self->n_composed += meta != NULL;
  if (is_drawn == (meta != NULL))
    self->mistake =
        is_drawn ? "drawn and composed" : "neither drawn nor composed";
  else if ((meta != NULL) != has_compositions (pad))
    self->mistake = meta != NULL ? "composed without the feature in the caps"
                                 : "drawn with the feature in the caps";
  g_atomic_int_inc (&self->n_frames);
  return GST_PAD_PROBE_OK;
}

#define N_SINK_FRAMES 10
#define FLAT_SOURCE                                                            \
  "videotestsrc num-buffers=%d pattern=solid-color "                           \
  "foreground-color=0xff808080 ! video/x-raw,format=GRAY8,width=640,"          \
  "height=480 ! "

static const struct
{
  const gchar *name;
  const gchar *element; /* that must exist */
  const gchar *sink;
  gboolean is_composed;
} sinks[] = {
  { "/sinks/glimagesink", "glimagesink", "glimagesink sync=false", TRUE },
  { "/sinks/fakevideosink", "fakevideosink", "fakevideosink sync=false", TRUE },
  { "/sinks/fakesink", "fakesink", "fakesink", FALSE },
  { "/sinks/ximagesink", "ximagesink", "videoconvert ! ximagesink sync=false",
      FALSE },
  { "/sinks/tee", "tee", "tee ! fakesink", FALSE },
  { "/sinks/tee-of-two", "fakevideosink",
      "tee name=t ! queue ! fakevideosink sync=false t. ! queue ! fakesink",
      FALSE },
  { "/sinks/tee-of-renderers", "fakevideosink",
      "tee name=t ! queue ! fakevideosink sync=false t. ! queue ! "
      "fakevideosink sync=false",
      TRUE },
  { "/sinks/queue", "glimagesink", "queue ! glimagesink sync=false", TRUE },
  { "/sinks/gloverlaycompositor", "gloverlaycompositor",
      "queue ! glupload ! glcolorconvert ! gloverlaycompositor ! "
      "gldownload ! video/x-raw ! fakesink",
      TRUE },
  { "/sinks/capsfilter", "fakevideosink",
      "video/x-raw(ANY) ! identity ! fakevideosink sync=false", TRUE },
  { "/sinks/capsfilter-without", "fakevideosink",
      "video/x-raw ! fakevideosink sync=false", FALSE },
  /* these fail if they get caps with compositions */
  { "/sinks/videocrop", "videocrop", "videocrop right=100 ! fakesink", FALSE },
  { "/sinks/videocrop-appsink", "videocrop",
      "videocrop right=100 ! videoconvert ! appsink sync=false "
      "wait-on-eos=false",
      FALSE },
  { "/sinks/videocrop-queue", "videocrop",
      "queue ! videocrop right=100 ! fakesink", FALSE },
  { "/sinks/aspectratiocrop", "aspectratiocrop",
      "aspectratiocrop aspect-ratio=1/1 ! fakesink", FALSE },
  { "/sinks/videocrop-capsfilter", "videocrop",
      "video/x-raw ! videocrop right=100 ! glimagesink sync=false", FALSE },
  { "/sinks/videocrop-of-nothing", "videocrop",
      "videocrop ! glimagesink sync=false", TRUE },
};

static void
test_sink (gconstpointer data)
{
  const guint s = GPOINTER_TO_UINT (data);
  const gchar *const elements[] = { sinks[s].element, NULL };
  g_autofree gchar *description = g_strdup_printf (FLAT_SOURCE
      "amphisto name=composed scopes=waveform ! %s",
      N_SINK_FRAMES, sinks[s].sink);
  g_autoptr (GstElement) pipeline = NULL;
  Ways ways = { 0 };

  if (!pipeline_can_run (NULL, elements))
    return;
  pipeline = pipeline_new (description);
  pipeline_add_probe (pipeline, "composed", "src", note_way, &ways);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  pipeline_finish (pipeline);
  g_assert_cmpint (ways.n_frames, ==, N_SINK_FRAMES);
  g_assert_cmpuint (
      ways.n_composed, ==, sinks[s].is_composed ? N_SINK_FRAMES : 0);
  g_assert_cmpstr (ways.mistake, ==, NULL);
}

/* --- a switch of sinks --- */

#define N_SWITCHED_FRAMES 60
#define SWITCH_FRAMES 10

/* The two sinks of an element, one of which is linked. */
typedef struct
{
  GstElement *element;
  GstElement *sinks[2];
  guint linked;
} Switch;

static void
switch_init (Switch *self, GstElement *pipeline)
{
  self->element = gst_bin_get_by_name (GST_BIN (pipeline), "composed");
  self->sinks[0] = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  self->sinks[1] = gst_bin_get_by_name (GST_BIN (pipeline), "b");
  self->linked = 0;
}

static void
switch_clear (Switch *self)
{
  gst_object_unref (self->element);
  gst_object_unref (self->sinks[0]);
  gst_object_unref (self->sinks[1]);
}

/* Links the other sink before every tenth frame. */
static GstPadProbeReturn
switch_sinks (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  const guint n = GST_BUFFER_OFFSET (info->data);
  Switch *self = user_data;

  (void) pad;
  if (n == 0 || n % SWITCH_FRAMES > 0)
    return GST_PAD_PROBE_OK;
  gst_element_unlink (self->element, self->sinks[self->linked]);
  /* else glimagesink remembers what it was given before */
  gst_element_set_state (self->sinks[self->linked], GST_STATE_READY);
  self->linked = !self->linked;
  g_assert_true (gst_element_link (self->element, self->sinks[self->linked]));
  g_assert_true (
      gst_element_sync_state_with_parent (self->sinks[self->linked]));
  return GST_PAD_PROBE_OK;
}

/* From a sink that shows compositions to one that does not, and back, while
 * playing: no frame and no scope is lost. */
static void
test_switch (void)
{
  const gchar *const elements[] = { "glimagesink", NULL };
  g_autoptr (GstElement) pipeline = NULL;
  g_autofree gchar *description =
      g_strdup_printf (FLAT_SOURCE "amphisto name=composed scopes=waveform ! "
                                   "glimagesink name=a sync=false async=false "
                                   "fakesink name=b async=false",
          N_SWITCHED_FRAMES);
  Switch both;
  Ways ways = { 0 };

  if (!pipeline_can_run (NULL, elements))
    return;
  pipeline = pipeline_new (description);
  switch_init (&both, pipeline);
  pipeline_add_probe (pipeline, "composed", "src", note_way, &ways);
  pipeline_add_probe (pipeline, "composed", "sink", switch_sinks, &both);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (g_atomic_int_get (&ways.n_frames) < N_SWITCHED_FRAMES)
    g_usleep (10000);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_assert_cmpstr (ways.mistake, ==, NULL);
  g_assert_cmpuint (ways.n_composed, ==, N_SWITCHED_FRAMES / 2);
  g_assert_cmpuint (ways.n_drawn, ==, N_SWITCHED_FRAMES / 2);
  switch_clear (&both);
}

int
main (int argc, char **argv)
{
  screen_init (&argc, &argv);
  for (guint p = 0; p < G_N_ELEMENTS (paths); p++)
    g_test_add_data_func (paths[p].name, GUINT_TO_POINTER (p), test_path);
  for (guint s = 0; s < G_N_ELEMENTS (sinks); s++)
    g_test_add_data_func (sinks[s].name, GUINT_TO_POINTER (s), test_sink);
  g_test_add_func ("/sinks/switch", test_switch);
  return g_test_run ();
}
