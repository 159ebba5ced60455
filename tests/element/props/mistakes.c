/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Mistakes in GstAmphisto:expect, text that is refused and conditions that the
 * format can never have, are errors or warnings. Other settings that are
 * refused, or have no effect, are warnings.
 */

#include "expectations.h"
#include "unlocked.h"

/* There is exactly one error, of a mistake, whose text contains `part`. */
static void
assert_mistake (gpointer element, const gchar *part)
{
  g_autoptr (GError) error = bus_pop_error (element, NULL);

  assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, part);
}

static void
assert_no_mistake (gpointer element)
{
  GstMessage *message =
      bus_pop (element, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);

  fail_unless (message == NULL, "%" GST_PTR_FORMAT, (gpointer) message);
}

/* An element whose text was refused does not start, until the text is
 * corrected. */
TEST (test_mistake_at_start)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);

  g_object_set (element, "expect", "luma.meen > 3", NULL);
  element_set_state (element, GST_STATE_READY);
  assert_not_warned (element);
  for (guint i = 0; i < 2; i++) {
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
        GST_STATE_CHANGE_FAILURE);
    assert_mistake (element, "\"luma.meen\" stands where luma.FIELD");
    element_set_state (element, i > 0 ? GST_STATE_NULL : GST_STATE_READY);
  }
  g_object_set (element, "expect", "luma.mean > 3", NULL);
  element_set_state (element, GST_STATE_PAUSED);
  assert_no_mistake (element);
}

/* Without expect-error, which may be set later than the text, the mistake is a
 * warning at each start. */
TEST (test_warning_at_start)
{
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  g_autofree gchar *got = NULL;

  g_object_set (element, "expect", USUAL, NULL);
  g_object_set (element, "expect", "luma.mean >", "expect-error", FALSE, NULL);
  for (guint i = 0; i < 2; i++) {
    assert_not_warned (element);
    element_set_state (element, GST_STATE_PAUSED);
    assert_refused (element,
        "the end stands where a number is allowed. The conditions stay as they "
        "were.");
    element_set_state (element, GST_STATE_READY);
  }
  g_object_get (element, "expect", &got, NULL);
  fail_unless_equals_string (got, USUAL);
  g_object_set (element, "expect-error", TRUE, NULL);
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  assert_mistake (element, "the end stands where a number is allowed.");
}

/* An element whose settings are set before it has a bus, as in a launch line
 * (0), in NULL (1), or in READY (2). `bus` is its bus, perhaps later. */
static GstElement *
element_new_early (gint i, GstBus *bus)
{
  GstElement *element =
      gst_object_ref_sink (gst_element_factory_make ("amphisto", NULL));

  if (i > 0)
    gst_element_set_bus (element, bus);
  if (i == 2)
    element_set_state (element, GST_STATE_READY);
  return element;
}

/* Refused settings that are corrected before the start leave no trace. */
TEST (test_corrected)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (TestElement) element = element_new_early (__i__, bus);
  g_autoptr (GBytes) nothing = g_bytes_new (NULL, 0);

  g_object_set (element, "expect", "luma", NULL);
  g_object_set (element, "reference", nothing, "reference", NULL, NULL);
  g_object_set (element, "expect", USUAL, NULL);
  gst_element_set_bus (element, bus);
  element_set_state (element, GST_STATE_PAUSED);
  assert_no_mistake (element);
}

/* While playing, the next frame is refused, and all others until the mistake is
 * corrected (0), or is no error any more (1). */
TEST (test_mistake_while_playing)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h =
      harness_new_for (picture, "frames-in-flight", 1, "expect", USUAL, NULL);

  pass_flat (h, picture, BRIGHT, 0);
  g_object_set (h->element, "expect", "luna.mean > 3", NULL);
  assert_no_mistake (h->element);
  for (guint n = 1; n < 4; n++) {
    fail_unless_equals_int (
        push_flat (h, picture, BRIGHT, n * 40), GST_FLOW_ERROR);
    if (n == 1)
      assert_mistake (h->element, "\"luna.mean\" stands where CHANNEL.FIELD");
    assert_no_mistake (h->element);
    g_object_set (h->element, "verify", n & 1, NULL);
  }
  fail_unless_equals_int (gst_harness_buffers_received (h), 1);
  if (__i__ == 0)
    g_object_set (h->element, "expect", "luma.mean < 20", NULL);
  else
    g_object_set (h->element, "expect-error", FALSE, NULL);
  pass_flat (h, picture, __i__ == 0 ? DARK : BRIGHT, 160);
  assert_no_mistake (h->element);
  pass_flat (h, picture, DARK, 200);
  fail_unless_equals_int (
      gst_bus_have_pending (GST_ELEMENT_BUS (h->element)), __i__ == 1);
}

/* It is still a mistake at EOS, and when it becomes an error. */
TEST (test_mistake_stays)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h =
      harness_new_for (picture, "expect", USUAL, "expect-error", FALSE, NULL);

  pass_flat (h, picture, BRIGHT, 0);
  g_object_set (h->element, "expect", "luma", NULL);
  assert_refused (h->element, "\"luma\" stands where luma.FIELD");
  pass_flat (h, picture, BRIGHT, 40);
  assert_no_mistake (h->element);
  g_object_set (h->element, "expect-error", TRUE, NULL);
  if (__i__ == 0)
    fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  else
    fail_unless_equals_int (push_flat (h, picture, BRIGHT, 80), GST_FLOW_ERROR);
  assert_mistake (h->element, "\"luma\" stands where luma.FIELD");
}

/* Conditions on channels that a format never has. */
static const struct
{
  const gchar *format, *expect, *part;
} impossible[] = {
  { "I420", "alpha.max < 3",
      "expect=\"alpha.max < 3\": conditions on alpha are not tested. I420 has "
      "luma, u, v, red, green, blue, saturation." },
  { "GRAY8", "luma.mean > 3, red.min < 3, v.mean < 3",
      "conditions on v, red are not tested. GRAY8 has luma." },
  { "RGBA", "u.mean < 3",
      "conditions on u are not tested. RGBA has luma, red, green, blue, "
      "alpha, saturation." },
};

/* They are an error with the caps. */
TEST (test_impossible)
{
  g_autoptr (Picture) picture = picture_small (impossible[__i__].format);
  g_autoptr (Harness) h = harness_new (
      "expect", impossible[__i__].expect, "frames-in-flight", 1, NULL);

  harness_set_caps (h, picture);
  for (guint n = 0; n < 2; n++)
    fail_unless_equals_int (
        gst_harness_push (h, picture_wrap (picture)), GST_FLOW_NOT_NEGOTIATED);
  assert_mistake (h->element, impossible[__i__].part);
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  assert_no_mistake (h->element);
}

/* With another frame if they are set while playing: an error (0), or a warning,
 * and the old conditions stay (1). */
TEST (test_impossible_while_playing)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, "frames-in-flight", 1,
      "expect", USUAL, "expect-error", __i__ == 0, NULL);
  g_autofree gchar *got = NULL;

  pass_flat (h, picture, BRIGHT, 0);
  g_object_set (h->element, "expect", "luma.max > 3, u.mean < 3", NULL);
  assert_no_mistake (h->element);
  if (__i__ == 0) {
    fail_unless_equals_int (push_flat (h, picture, DARK, 40), GST_FLOW_ERROR);
    assert_mistake (h->element, "conditions on u are not tested");
  } else {
    pass_flat (h, picture, DARK, 40);
    assert_refused_first (h->element,
        "conditions on u are not tested. GRAY8 has luma. The conditions stay "
        "as "
        "they were.");
    assert_failed (h, 40);
    g_object_get (h->element, "expect", &got, NULL);
    fail_unless_equals_string (got, USUAL);
  }
}

/* Without expect-error, conditions that new caps do not have are warned of, and
 * the others are tested. */
TEST (test_impossible_caps)
{
  g_autoptr (Picture) yuv = picture_small ("I420");
  g_autoptr (Picture) grey = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (yuv, "frames-in-flight", 1, "expect",
      "u.mean < 3, " USUAL, "expect-error", FALSE, NULL);

  picture_fill (yuv, "u", 2);
  pass_flat (h, yuv, BRIGHT, 0);
  assert_not_warned (h->element);
  harness_set_caps (h, grey);
  pass_flat (h, grey, DARK, 40);
  assert_refused_first (h->element, "conditions on u are not tested");
  assert_failed (h, 40);
}

/* A mistake that another thread makes while a frame is processed. */
typedef struct
{
  const gchar *expect;
  gboolean is_error;
  const gchar *part;
  GstElement *element;
} Mistake;

static const Mistake mistakes[] = {
  { "luma", TRUE, "\"luma\" stands where luma.FIELD", NULL },
  { "luma", FALSE, "\"luma\" stands where luma.FIELD", NULL },
  { "u.mean < 3", TRUE, "conditions on u are not tested", NULL },
  { "u.mean < 3", FALSE, "conditions on u are not tested", NULL },
};

static void
make_mistake (gpointer data)
{
  const Mistake *mistake = data;

  g_object_set (mistake->element, "expect", mistake->expect, NULL);
}

/* Pushes a frame, and makes the mistake when the element unlocks its properties
 * for the nth time.
 *
 * Returns: FALSE if it unlocks them less often. */
static gboolean
push_mistake (GstHarness *h, Picture *picture, Mistake *mistake, guint n)
{
  unlocked_call (
      GST_OBJECT_GET_LOCK (mistake->element), n, make_mistake, mistake);
  push_flat (h, picture, BRIGHT, 40);
  return unlocked_end ();
}

/* The next frame finds it, unless this one has, and it is reported once. */
TEST (test_mistake_at_any_moment)
{
  Mistake mistake = mistakes[__i__];
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, "frames-in-flight", 1,
      "expect", USUAL, "expect-error", mistake.is_error, NULL);
  guint n;

  mistake.element = h->element;
  pass_flat (h, picture, BRIGHT, 0);
  for (n = 0; push_mistake (h, picture, &mistake, n); n++) {
    for (guint i = 0; i < 2; i++)
      fail_unless_equals_int (push_flat (h, picture, BRIGHT, 80),
          mistake.is_error ? GST_FLOW_ERROR : GST_FLOW_OK);
    if (mistake.is_error)
      assert_mistake (h->element, mistake.part);
    else
      assert_refused (h->element, mistake.part);
    g_object_set (h->element, "expect", USUAL, NULL);
    fail_unless_equals_int (push_flat (h, picture, BRIGHT, 120), GST_FLOW_OK);
    assert_no_mistake (h->element);
  }
  fail_unless (n > 2);
}

/* --- settings that are refused, or have no effect --- */

/* Properties that are arrays of up to `most` numbers. */
typedef struct
{
  const gchar *property;
  gint min, max;
  guint most;
} Numbers;

static const Numbers arrays[] = { { "percentiles", 0, 100, 64 },
  { "reference-lines", -10, 110, 16 } };

/* Sets the property to n numbers of a type: `from`, `from` + 1, ... */
static void
set_numbers (
    gpointer element, const gchar *property, GType type, guint n, gint from)
{
  GValue array = G_VALUE_INIT;

  gst_value_array_init (&array, n);
  for (guint i = 0; i < n; i++) {
    GValue number = G_VALUE_INIT, element_of = G_VALUE_INIT;

    g_value_init (&number, G_TYPE_INT);
    g_value_set_int (&number, from + (gint) i);
    g_value_init (&element_of, type);
    fail_unless (g_value_transform (&number, &element_of));
    gst_value_array_append_and_take_value (&array, &element_of);
  }
  g_object_set_property (element, property, &array);
  g_value_unset (&array);
}

/* The property is n numbers: `from`, `from` + 1, ... */
static void
assert_numbers (gpointer element, const gchar *property, guint n, gint from)
{
  GValue array = G_VALUE_INIT;

  g_value_init (&array, GST_TYPE_ARRAY);
  g_object_get_property (element, property, &array);
  fail_unless_equals_int (gst_value_array_get_size (&array), n);
  for (guint i = 0; i < n; i++)
    fail_unless_equals_float (
        g_value_get_double (gst_value_array_get_value (&array, i)),
        from + (gdouble) i);
  g_value_unset (&array);
}

/* Numbers of any type are accepted, also in the syntax of gst-launch-1.0. */
TEST (test_numbers)
{
  const Numbers *self = &arrays[__i__];
  g_autoptr (TestElement) element = element_new (NULL, NULL);
  const GType types[] = { G_TYPE_DOUBLE, G_TYPE_INT, G_TYPE_UINT64,
    G_TYPE_FLOAT };

  assert_numbers (element, "reference-lines", 0, 0);
  for (guint i = 0; IS_ROW (types, i); i++) {
    set_numbers (element, self->property, types[i], 3, 10 * i);
    assert_not_warned (element);
    assert_numbers (element, self->property, 3, 10 * i);
  }
  gst_util_set_object_arg (G_OBJECT (element), self->property, "<50,51>");
  assert_numbers (element, self->property, 2, 50);
  set_numbers (element, self->property, G_TYPE_INT, 2, self->min);
  assert_numbers (element, self->property, 2, self->min);
  set_numbers (element, self->property, G_TYPE_INT, 2, self->max - 1);
  assert_numbers (element, self->property, 2, self->max - 1);
  assert_not_warned (element);
  set_numbers (element, self->property, G_TYPE_INT, 0, 0);
  assert_numbers (element, self->property, 0, 0);
}

/* The numbers are refused, and the warning names the bad one. */
static void
assert_refused_numbers (GstElement *element, const Numbers *self, GType type,
    gint from, const gchar *bad)
{
  g_autofree gchar *part = g_strdup_printf ("%s are numbers from %d to %d, "
                                            "not %s",
      self->property, self->min, self->max, bad);

  set_numbers (element, self->property, type, 2, from);
  assert_refused (element, part);
}

/* Other values are refused, as are numbers out of range, and one number too
 * many. Each is reported on the bus. */
TEST (test_refused_numbers)
{
  const Numbers *self = &arrays[__i__];
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, NULL, NULL);
  g_autofree gchar *above = g_strdup_printf ("%d", self->max + 1);
  g_autofree gchar *below = g_strdup_printf ("%d.0", self->min - 1);
  g_autofree gchar *many =
      g_strdup_printf ("%u %s are too many", self->most + 1, self->property);

  set_numbers (h->element, self->property, G_TYPE_INT, 2, 40);
  assert_refused_numbers (h->element, self, G_TYPE_INT, self->max, above);
  assert_refused_numbers (
      h->element, self, G_TYPE_DOUBLE, self->min - 1, below);
  assert_refused_numbers (h->element, self, G_TYPE_STRING, 1, "\"1\"");
  assert_numbers (h->element, self->property, 2, 40);

  set_numbers (h->element, self->property, G_TYPE_INT, self->most, 1);
  assert_not_warned (h->element);
  set_numbers (h->element, self->property, G_TYPE_INT, self->most + 1, 2);
  assert_refused (h->element, many);
  assert_numbers (h->element, self->property, self->most, 2);
  harness_pass (h, picture_wrap (picture));
}

/* The warnings of settings that were set early come at the start, once. */
TEST (test_refused_before)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (TestElement) element = element_new_early (__i__, bus);
  g_autoptr (GBytes) empty = g_bytes_new (NULL, 0);

  set_numbers (element, "percentiles", G_TYPE_INT, 2, 100);
  g_object_set (element, "reference", empty, NULL);
  gst_element_set_bus (element, bus);
  element_set_state (element, GST_STATE_READY);
  assert_not_warned (element);
  element_set_state (element, GST_STATE_PAUSED);
  assert_refused_first (element, "from 0 to 100, not 101");
  assert_refused (element, "the reference has 0 bytes");
  element_set_state (element, GST_STATE_NULL);
  element_set_state (element, GST_STATE_PAUSED);
  assert_not_warned (element);
}

static void
pass_frame (GstHarness *h, const Picture *picture)
{
  g_autoptr (Picture) copy = picture_copy (picture);

  harness_pass (h, picture_wrap (copy));
}

/* A setting without effect is reported once, and again after it had an effect
 * (`good`), and with new caps. */
static const struct
{
  const gchar *format;
  const gchar *bad, *good; /* separated by blanks */
  const gchar *warning;
} nothings[] = {
  { "GRAY8", "equalization=match", "equalization=global",
      "match has no reference" },
  { "GRAY8", "attach-meta=false equalization=match", "equalization=none",
      "match has no reference" },
  { "GRAY8", "channels=chroma+alpha", "channels=chroma+luma",
      "GRAY8 has none of the channels" },
  { "GRAY8", "attach-meta=false scopes=histogram channels=alpha", "scopes=none",
      "GRAY8 has none of the channels" },
  { "I420", "scopes=histogram channels=saturation", "channels=luma",
      "channels has nothing to show in the histogram; add luma" },
  { "GRAY8", "roi-y=40", "roi-y=39",
      "from (0, 40) on is outside the frame of 50x40" },
  { "GRAY8", "scopes=vectorscope", "scopes=histogram",
      "GRAY8 has no colours, and no vectorscope" },
  { "GRAY8", "scopes=waveform waveform-colors=picture",
      "waveform-colors=channels",
      "GRAY8 has no colours; waveform-colors=picture has no effect." },
  { "I420", "scopes=waveform channels=chroma waveform-colors=picture",
      "channels=luma",
      "channels lacks luma; waveform-colors=picture has no effect." },
  { "GRAY8", "scopes=histogram+waveform", "scopes=waveform",
      "The frame of 50x40 has no room for the waveform; all scopes asked for "
      "fit from 68x40 on." },
  { "GRAY8", "exposure=false-color", "exposure=none",
      "GRAY8 has no colours; exposure=false-color changes nothing. Put "
      "\"videoconvert ! video/x-raw,format=I420\" before amphisto." },
  { "GRAY8", "exposure=zebra zebra-low=80 zebra-high=70.5", "zebra-low=70",
      "zebra-low, 80 %, is not below zebra-high, 70.5 %" },
  { "GRAY8", "exposure=zebra zebra-low=70 zebra-high=70", "zebra-low=69.9",
      "zebra-low, 70 %, is not below zebra-high, 70 %" },
};

TEST (test_nothing)
{
  g_autoptr (Picture) picture =
      picture_new (nothings[__i__].format, 50, 40, PICTURE_TIGHT, 0, 255, 1);
  g_autoptr (Harness) h = harness_new_for (picture, NULL, NULL);

  pass_frame (h, picture);
  assert_not_warned (h->element);
  for (guint i = 0; i < 2; i++) {
    element_set_properties (h->element, nothings[__i__].bad);
    for (guint n = 0; n < 3; n++) {
      pass_frame (h, picture);
      if (n == 0)
        assert_refused (h->element, nothings[__i__].warning);
      g_object_set (h->element, "strength", n / 2.0, NULL);
    }
    assert_not_warned (h->element);
    harness_set_colorimetry (h, picture, i == 0 ? "1:4:0:0" : "bt709");
    pass_frame (h, picture);
    assert_refused (h->element, nothings[__i__].warning);
    element_set_properties (h->element, nothings[__i__].good);
    pass_frame (h, picture);
    assert_not_warned (h->element);
  }
}

/* A parade that can't be read is reported, and overlaid. */
TEST (test_parade)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 320, 240, PICTURE_TIGHT, 0, 255, 1);
  g_autoptr (Harness) h = harness_new_for (picture, NULL, NULL);

  element_set_properties (
      h->element, "scopes=waveform scope-display=parade channels=rgb");
  for (guint n = 0; n < 2; n++) {
    pass_frame (h, picture);
    assert_refused (h->element,
        "The frame of 320x240 has no room for a parade that can be read, so "
        "the channels are overlaid; a parade fits from 432x240 on.");
    pass_frame (h, picture);
    assert_not_warned (h->element);
    element_set_properties (
        h->element, n > 0 ? "scope-width=1" : "channels=luma");
    pass_frame (h, picture);
    assert_not_warned (h->element);
    element_set_properties (h->element, "channels=rgb");
  }
  pass_frame (h, picture);
  assert_not_warned (h->element);
}

/* Other scopes without room are reported, too. The vectorscope has no parade
 * that could be overlaid. */
TEST (test_left_out)
{
  g_autoptr (Picture) picture =
      picture_new ("I420", 50, 30, PICTURE_TIGHT, 0, 255, 1);
  g_autoptr (Harness) h = harness_new_for (picture, NULL, NULL);

  element_set_properties (h->element, "scopes=histogram+waveform");
  pass_frame (h, picture);
  assert_refused (h->element, "no room for the waveform; all");
  element_set_properties (h->element, "scopes=histogram+waveform+vectorscope");
  pass_frame (h, picture);
  assert_refused (h->element, "no room for the waveform and the vectorscope; ");
  element_set_properties (
      h->element, "scope-display=stack channels=luma+chroma");
  pass_frame (h, picture);
  assert_refused (h->element,
      "for the histogram, the waveform and the vectorscope; all scopes asked "
      "for fit from 112x48 on");
  element_set_properties (
      h->element, "scopes=vectorscope scope-display=parade");
  pass_frame (h, picture);
  assert_refused (h->element, "no room for the vectorscope; all");
  pass_frame (h, picture);
  assert_not_warned (h->element);
}

/* Other channels that the format lacks are reported, too. */
TEST (test_lacking)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (picture, NULL, NULL);

  for (guint n = 0; n < 2; n++) {
    g_object_set (h->element, "channels",
        n == 0 ? CHANNELS_CHROMA : CHANNELS_ALPHA, NULL);
    pass_frame (h, picture);
    assert_refused (h->element, "GRAY8 has none of the channels");
    pass_frame (h, picture);
    assert_not_warned (h->element);
  }
}

/* Unused settings may have no effect. */
TEST (test_unused)
{
  g_autoptr (Picture) picture = picture_small ("GRAY8");
  g_autoptr (Harness) h = harness_new_for (
      picture, "attach-meta", FALSE, "channels", CHANNELS_CHROMA, NULL);

  pass_frame (h, picture);
  g_object_set (h->element, "roi-x", 16, NULL);
  pass_frame (h, picture);
  g_object_set (h->element, "roi-x", 0, "channels", 0, "attach-meta", TRUE,
      "equalization", AMPHISTO_EQUALIZATION_GLOBAL, NULL);
  pass_frame (h, picture);
  g_object_set (
      h->element, "channels", CHANNELS_CHROMA, "attach-meta", FALSE, NULL);
  pass_frame (h, picture);
  assert_not_warned (h->element);
}

const ElementTest element_tests[] = { ONCE (test_mistake_at_start),
  ONCE (test_warning_at_start), TIMES (test_corrected, 3),
  TIMES (test_mistake_while_playing, 2), TIMES (test_mistake_stays, 2),
  EACH (test_impossible, impossible), TIMES (test_impossible_while_playing, 2),
  ONCE (test_impossible_caps), EACH (test_mistake_at_any_moment, mistakes),
  EACH (test_numbers, arrays), EACH (test_refused_numbers, arrays),
  TIMES (test_refused_before, 3), EACH (test_nothing, nothings),
  ONCE (test_left_out), ONCE (test_lacking), ONCE (test_parade),
  ONCE (test_unused), { 0 } };
