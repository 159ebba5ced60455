/*
 * amphisto
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * amphisto in a GstHarness, pictures as its buffers, and what is asserted of
 * the buffers, metadata and messages that come out.
 */

#ifndef HARNESSES_H
#define HARNESSES_H

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "picture.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Picture, picture_free)

#define META_NAME "AmphistoHistogramMeta"
#define N_CHANNELS 7
extern const gchar *const channel_names[N_CHANNELS];

/* All of them, as assert_histograms() takes them. */
#define ALL_NAMES "luma u v red green blue alpha"

/* Values of the properties `channels` and `equalization`. */
enum
{
  CHANNELS_LUMA = 1,
  CHANNELS_CHROMA = 2,
  CHANNELS_RGB = 4,
  CHANNELS_ALPHA = 8,
  CHANNELS_ALL = 15
};

enum
{
  EQUALIZATION_NONE,
  EQUALIZATION_GLOBAL,
  EQUALIZATION_CLAHE,
  EQUALIZATION_MATCH
};

/* Runs the suite, or skips it where there is no OpenCL device. Looks for one in
 * a process of its own: every test is a fork, which OpenCL's threads do not
 * survive. */
gint run_suite (
    gint argc, gchar **argv, const gchar *name, Suite *(*suite) (void) );

/* --- elements --- */

/* An amphisto in NULL, with a bus. Properties as for g_object_new(). Free with
 * element_free(). */
GstElement *element_new (
    const gchar *first_property, ...) G_GNUC_NULL_TERMINATED;
void element_free (GstElement *element);

/* Changes the state, which must succeed at once. */
void element_set_state (gpointer element, GstState state);

/* Returns: (transfer full): "device-name". */
gchar *element_device_name (gpointer element);

/* Moves a property from `first` to `last` between stream time 0 and 320 ms, the
 * time of frame 8. Of enums and booleans these are fractions, 0 to 1, of the
 * way from the first value to the last. */
void element_control (
    gpointer element, const gchar *property, gdouble first, gdouble last);

/* The next message of the type on the element's bus, or NULL. */
GstMessage *bus_pop (gpointer element, GstMessageType type);

/* Returns: (transfer full): the error on the element's bus; fails unless there
 * is exactly one. `debug`: (transfer full): its debug text, or NULL. */
GError *bus_pop_error (gpointer element, gchar **debug);

/* The error has this domain and code, and its message contains `part`. */
void assert_error (
    const GError *error, GQuark domain, gint code, const gchar *part);

/* The first warning on the element's bus is about a setting, and contains
 * `part`. Others may follow. */
void assert_refused_first (gpointer element, const gchar *part);

/* There is one warning on the element's bus, about a setting, and it contains
 * `part`. */
void assert_refused (gpointer element, const gchar *part);

/* Drops warnings from the element's bus, all of which contain `part`. */
void drop_refused (gpointer element, const gchar *part);

/* There is no warning on the element's bus. */
void assert_not_warned (gpointer element);

/* --- harnesses --- */

/* A harness around an amphisto that has a bus and plays. Free with
 * harness_free(). */
GstHarness *harness_new (
    const gchar *first_property, ...) G_GNUC_NULL_TERMINATED;

/* The same, with the caps of the picture set. */
GstHarness *harness_new_for (const Picture *picture,
    const gchar *first_property, ...) G_GNUC_NULL_TERMINATED;

/* Fails if an error or a warning is left on the bus. */
void harness_free (GstHarness *h);

/* Raw video caps, 25 frames a second; colorimetry: NULL for none. */
GstCaps *video_caps (
    const gchar *format, guint width, guint height, const gchar *colorimetry);

/* Sets the caps of the picture, without or with colorimetry. */
void harness_set_caps (GstHarness *h, const Picture *picture);
void harness_set_colorimetry (
    GstHarness *h, const Picture *picture, const gchar *colorimetry);

/* Flushes, and pushes a new segment. */
void harness_flush (GstHarness *h);

/* Plays again after the element was in READY or NULL, with the caps of the
 * picture. */
void harness_restart (GstHarness *h, const Picture *picture);

/* Asks for the frames in flight. */
void harness_drain (GstHarness *h);

/* Returns: (transfer full): the pool that the element proposes to upstream,
 * active, or NULL if it proposes none. */
GstBufferPool *harness_propose_pool (GstHarness *h);

/* Pushes the buffer and returns the one that comes out, at once or when the
 * element is drained; fails if none does. */
GstBuffer *harness_run (GstHarness *h, GstBuffer *buffer);

/* Runs frame `n` of a stream, in the picture's memory, and sets the picture's
 * samples to those that come out, wherever they are. */
void harness_change (GstHarness *h, Picture *picture, guint n);

/* Whether the harness's element pins memory for its device, which is no CPU and
 * has memory of its own: pixels in foreign memory are changed in a new buffer.
 */
gboolean harness_pins_memory (GstHarness *h);

/* Pushes the buffer, and drops the one that comes out. */
void harness_pass (GstHarness *h, GstBuffer *buffer);

/* --- buffers --- */

/* A buffer around the picture's memory, with a GstVideoMeta, timestamp 0 and
 * duration 40 ms. The picture must outlive it. */
GstBuffer *picture_wrap (Picture *picture);

/* The same, each plane in a GstMemory of its own, with `flags`. */
GstBuffer *picture_wrap_planes (Picture *picture, GstMemoryFlags flags);

/* The same as picture_wrap(), with the timestamp of frame `n`. */
GstBuffer *picture_wrap_nth (Picture *picture, guint n);

/* A buffer of the memory that the harness's element proposes, with the picture
 * in it, timestamp 0 and duration 40 ms. */
GstBuffer *picture_fill_proposed (const Picture *picture, GstHarness *h);

/* Sets the samples of the frame in the buffer to the picture's. */
void picture_write (const Picture *picture, GstBuffer *buffer);

/* Sets the picture's samples to those of the frame in the buffer, which may be
 * in the picture's memory. */
void picture_read (Picture *picture, GstBuffer *buffer);

/* A random picture of 16x8, which equalization changes. */
Picture *picture_small (const gchar *format);

/* The structure in the buffer's metadata; fails if it has none. */
const GstStructure *buffer_structure (GstBuffer *buffer);

/* The channel's structure in the buffer's metadata, or NULL. */
const GstStructure *buffer_histogram (GstBuffer *buffer, const gchar *channel);
guint buffer_n_metas (GstBuffer *buffer);

/* The metadata has the picture's histograms of those channels in `names`
 * (separated by blanks) that the format has, and no others. */
void assert_histograms (
    GstBuffer *buffer, const Picture *picture, const gchar *names);

/* The same of the structure of a frame or a region. */
void assert_channels (
    const GstStructure *structure, const Picture *picture, const gchar *names);

/* The frame in the buffer, mapped as its GstVideoMeta says or laid out by
 * default, has the picture's samples. */
void assert_pixels (GstBuffer *buffer, const Picture *picture);

#endif
