/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A virtual screen for OpenGL.
 */

#pragma once

#include <glib.h>

/* Starts Xvfb, which ends with this process, sets DISPLAY, and initializes the
 * tests and GStreamer. Skips all tests without Xvfb. */
void screen_init (int *argc, char ***argv);
