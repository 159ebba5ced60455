/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Programs of test programs. In the quick size they have the code for all
 * plans, so that the device's compiler sees each kernel once, not in up to
 * sixteen variants.
 */

#pragma once

/* Returns: (transfer none): the options to build a program with. */
const char *test_build_options (const char *options);
