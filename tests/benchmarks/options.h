/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Options of benchmarks.
 */

#pragma once

#include <glib.h>

/* The options that choose rows: --work and so on. */
typedef enum
{
  CHOICE_WORK,
  CHOICE_PICTURE,
  CHOICE_SIZE,
  CHOICE_FORMAT,
  N_CHOICES
} Choice;

/* Parses --cpu, --threads, GStreamer's options and the first `n_choices`
 * choices, and initializes GStreamer. Ends the program on wrong options. */
void parse_options (int *argc, char ***argv, guint n_choices);

/* Returns: the option's value, or NULL: all. */
const gchar *chosen (Choice choice);

/* Whether the option's value is `name`, or missing. */
gboolean is_chosen (Choice choice, const gchar *name);
