/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Ends the program with a description of the failure, and the command that
 * repeats it.
 */

#pragma once

#include "sequence.h"

/* Critical messages, warnings and signals are failures, too. */
void fuzz_report_catch (void);

/* Failures are the sequence's, at its current frame; NULL: of none. */
void fuzz_report_begin_frame (FuzzSequence *sequence);

/* Puts a name, a literal, before the texts of failures from now on; NULL: none.
 */
void fuzz_report_begin_check (const gchar *what);

void fuzz_fail (const gchar *format, ...) G_GNUC_PRINTF (1, 2) G_GNUC_NORETURN;
