/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * amphisto in a GstHarness, pictures as its buffers, and assertions about the
 * output buffers, metadata and messages.
 */

#pragma once

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "core/pixels/channels.h"
#include "core/plan.h"
#include "downstream.h"
#include "picture.h"
#include "size.h"
#include "suite.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Picture, picture_free)

#define META_NAME "AmphistoHistogramMeta"

/* All channels, for assert_histograms(). */
#define ALL_NAMES "luma u v red green blue alpha saturation"

/* Values of the property `channels`. */
enum
{
  CHANNELS_LUMA = 1,
  CHANNELS_CHROMA = 2,
  CHANNELS_RGB = 4,
  CHANNELS_ALPHA = 8,
  CHANNELS_SATURATION = 16,
  CHANNELS_ALL = (1 << AMPHISTO_N_CHANNEL_GROUPS) - 1
};

/* --- elements --- */

/* An amphisto in NULL, with a bus. Properties as for g_object_new(). Free with
 * element_free(). */
GstElement *element_new (
    const gchar *first_property, ...) G_GNUC_NULL_TERMINATED;
void element_free (GstElement *element);

/* An element that g_autoptr frees like this. */
typedef GstElement TestElement;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestElement, element_free)

/* Sets properties as in a launch line: "name=value", separated by blanks. Other
 * words are skipped. */
void element_set_properties (gpointer element, const gchar *text);

/* Changes the state, which must succeed immediately. */
void element_set_state (gpointer element, GstState state);

/* Plays the pipeline to its end, which must come within a minute. */
void pipeline_run (GstElement *pipeline);

/* Returns: (transfer full): "device-name". */
gchar *element_device_name (gpointer element);

/* Moves a property from `first` to `last` between stream time 0 and 320 ms, the
 * time of frame 8. For enums and booleans, these are fractions, 0 to 1, of the
 * way from the first value to the last. */
void element_control (
    gpointer element, const gchar *property, gdouble first, gdouble last);

/* Returns: the next message of this type on the element's bus, or NULL. */
GstMessage *bus_pop (gpointer element, GstMessageType type);

/* Fails with the text of an error or a warning. */
void fail_for_message (GstMessage *message);

/* Fails with the error on the element's bus, if there is one. */
void fail_for_error (gpointer element);

/* Returns: (transfer full): the error on the element's bus; fails unless there
 * is exactly one. `debug`: (transfer full): its debug text, or NULL. */
GError *bus_pop_error (gpointer element, gchar **debug);

/* The error has this domain and code, and its message contains `part`. */
void assert_error (
    const GError *error, GQuark domain, gint code, const gchar *part);

/* The first warning on the element's bus has this domain and code, and contains
 * `part`. Others may follow. */
void assert_warned (
    gpointer element, GQuark domain, gint code, const gchar *part);

/* The first warning on the element's bus is about a setting, and contains
 * `part`. Others may follow. */
void assert_refused_first (gpointer element, const gchar *part);

/* The only warning on the element's bus is about a setting, and contains
 * `part`. */
void assert_refused (gpointer element, const gchar *part);

/* Drops warnings from the element's bus; all must contain `part`. */
void drop_refused (gpointer element, const gchar *part);

/* There is no warning on the element's bus. */
void assert_not_warned (gpointer element);

/* --- harnesses --- */

/* A harness with a playing amphisto that has a bus. Free with harness_free().
 */
GstHarness *harness_new (
    const gchar *first_property, ...) G_GNUC_NULL_TERMINATED;

/* The same, with the picture's caps. */
GstHarness *harness_new_for (const Picture *picture,
    const gchar *first_property, ...) G_GNUC_NULL_TERMINATED;

/* Fails if an error or a warning is left on the bus. */
void harness_free (GstHarness *h);

/* A harness that g_autoptr frees like this. */
typedef GstHarness Harness;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Harness, harness_free)

/* Raw video caps with 25 frames a second. colorimetry: may be NULL. */
GstCaps *video_caps (
    const gchar *format, guint width, guint height, const gchar *colorimetry);

/* Sets the caps of the picture, without or with colorimetry. */
void harness_set_caps (GstHarness *h, const Picture *picture);
void harness_set_colorimetry (
    GstHarness *h, const Picture *picture, const gchar *colorimetry);

/* The same with more fields: "interlace-mode=mixed". */
void harness_set_fields (
    GstHarness *h, const Picture *picture, const gchar *fields);

/* Pushes a new segment in time; or one with these rates, its start, base and
 * time in ns, and an end at 100 s. */
void harness_begin_segment (GstHarness *h);
void harness_push_segment (GstHarness *h, gdouble rate, gdouble applied_rate,
    GstClockTime start, GstClockTime base, GstClockTime time);

/* Flushes, and pushes a new segment. */
void harness_flush (GstHarness *h);

/* Plays again after the element was in READY or NULL, with the picture's caps.
 */
void harness_restart (GstHarness *h, const Picture *picture);

/* Drains the frames in flight. */
void harness_drain (GstHarness *h);

/* Downstream drops the buffers that come, and answers EOS, until the sink pad
 * gets its chain function back. */
void harness_end_stream (GstHarness *h);

/* Pushes the buffer, which is accepted. */
void harness_push (GstHarness *h, GstBuffer *buffer);

/* Pushes the buffer and returns the output buffer, which comes immediately or
 * when the element is drained. Fails without one. */
GstBuffer *harness_run (GstHarness *h, GstBuffer *buffer);

/* Runs the buffer. The output has the picture's histograms of the channels in
 * `names`, and the samples of `expected`; NULL: whichever. */
void harness_check (GstHarness *h, GstBuffer *buffer, const Picture *picture,
    const gchar *names, const Picture *expected);

/* Pushes the buffer, which is a GST_RESOURCE_ERROR with this code and `part` in
 * its text. */
void harness_fail (
    GstHarness *h, GstBuffer *buffer, gint code, const gchar *part);

/* Runs frame `n` of a stream, in the picture's memory, and copies the output
 * samples, wherever they are, to the picture. */
void harness_change (GstHarness *h, Picture *picture, guint n);

/* Whether the element pins memory for its device (no CPU, with memory of its
 * own): pixels in foreign memory are changed in a new buffer. */
gboolean harness_pins_memory (GstHarness *h);

/* Pushes the buffer, and drops the output buffer. */
void harness_pass (GstHarness *h, GstBuffer *buffer);

/* --- buffers --- */

/* A buffer with the picture's memory, a GstVideoMeta, timestamp 0 and duration
 * 40 ms. The picture must outlive it. */
GstBuffer *picture_wrap (Picture *picture);

/* The same, with each plane in its own GstMemory, with `flags`. */
GstBuffer *picture_wrap_planes (Picture *picture, GstMemoryFlags flags);

/* The same as picture_wrap(), with the timestamp of frame `n`. */
GstBuffer *picture_wrap_nth (Picture *picture, guint n);

/* The same as picture_wrap(), with `n` regions of interest of one pixel in 16
 * by 8, with their numbers as `id`. */
GstBuffer *picture_wrap_regions (Picture *picture, guint n);

/* A gap without a frame. */
GstBuffer *gap_new (void);

/* A buffer with the memory that the element proposes and the picture's samples,
 * timestamp 0 and duration 40 ms. */
GstBuffer *picture_fill_proposed (const Picture *picture, GstHarness *h);

/* A buffer of the pool, which must have one now, with the picture's samples and
 * the timestamp of frame `n`. */
GstBuffer *picture_fill_pooled (
    const Picture *picture, GstBufferPool *pool, guint n);

/* Copies the picture's samples to the frame in the buffer. */
void picture_write (const Picture *picture, GstBuffer *buffer);

/* Copies the samples of the frame in the buffer, which may be in the picture's
 * memory, to the picture. */
void picture_read (Picture *picture, GstBuffer *buffer);

/* A random picture of 16x8, which equalization changes. */
Picture *picture_small (const gchar *format);

/* Adds metadata of other elements: a region of interest "face", 3 by 4 at
 * (1, 2), a time code, a caption, AFD and a reference timestamp. */
void buffer_add_metas (GstBuffer *buffer);

/* The buffer has the time code, the caption and the reference timestamp. */
void assert_metas (GstBuffer *buffer);

/* The structure in a field, or NULL without the field. */
const GstStructure *structure_field (
    const GstStructure *structure, const gchar *field);

/* The number in a field, of any type. Fails without it. */
gdouble structure_number (const GstStructure *structure, const gchar *field);

/* The structure in the buffer's metadata; fails if it has none. */
const GstStructure *buffer_structure (GstBuffer *buffer);

/* The channel's structure in the buffer's metadata, or NULL. */
const GstStructure *buffer_histogram (GstBuffer *buffer, const gchar *channel);
guint buffer_n_metas (GstBuffer *buffer);

/* The structure of region of interest `i` in the buffer's metadata. */
const GstStructure *buffer_region (GstBuffer *buffer, guint i);

/* Copies the bins of a histogram. In metadata, there are two words behind them;
 * in messages, these are 0. */
void structure_bins (const GstStructure *histogram, guint32 bins[258]);

/* The same of a channel in the buffer's metadata. */
void buffer_bins (GstBuffer *buffer, const gchar *channel, guint32 bins[258]);

/* The metadata has the picture's histograms of the channels in `names`
 * (separated by blanks) that the format has, and no others. */
void assert_histograms (
    GstBuffer *buffer, const Picture *picture, const gchar *names);

/* The same for the structure of a frame, a region or a message. */
void assert_channels (
    const GstStructure *structure, const Picture *picture, const gchar *names);

/* The frame in the buffer, mapped with its GstVideoMeta or the default layout,
 * has the picture's samples. */
void assert_pixels (GstBuffer *buffer, const Picture *picture);
