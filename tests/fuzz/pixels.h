/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Checks of a frame's pixels: outside the region they stay, some inside are
 * predictable, and scopes stand where the settings put them. All checks end
 * with fuzz_fail().
 */

#pragma once

#include "checks.h"

/* Copies the samples of `out` to `result`, a copy of the frame as it arrived.
 * Checks the input memory, `input`: only samples that are also the output's may
 * have changed, and none if `is_shared`. */
void fuzz_take_output (const FuzzFrame *self, GstBuffer *out, Picture *input,
    gboolean is_shared, Picture *result);

/* Checks the output's samples. composes: scopes are not drawn, but sent along.
 */
void fuzz_check_pixels (
    const FuzzFrame *self, const Picture *result, gboolean composes);

/* Checks the places of the scopes that are sent along, NULL: none. */
void fuzz_check_scopes (
    const FuzzFrame *self, GstVideoOverlayComposition *scopes);

/* Compares two compositions of scopes, NULL if there are none: places and
 * pixels. */
void fuzz_compare_scopes (
    GstVideoOverlayComposition *expected, GstVideoOverlayComposition *actual);

/* Checks the output of scopes alone, a frame of `info`: it is opaque, has
 * nothing of the picture, and `input` is unchanged.
 *
 * Returns: (transfer full): its pixels, as BGRA. */
Picture *fuzz_take_scopes_only (const FuzzFrame *self, GstBuffer *out,
    const GstVideoInfo *info, const Picture *input);

/* Compares all bytes of two copies of one picture. */
void fuzz_compare (const Picture *expected, const Picture *actual);
