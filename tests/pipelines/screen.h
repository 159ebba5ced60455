/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A virtual screen for OpenGL.
 */

#pragma once

#include <glib.h>

/* Starts Xvfb, which ends with this process, and sets DISPLAY. Returns: whether
 * there is one. */
gboolean screen_start (void);
