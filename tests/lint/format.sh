#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# format.sh SOURCE-DIR: clang-format changes nothing in the sources. Versions
# of clang-format differ; Debian 12's counts. Exit status 77: not installed.

VERSION=14

for clang_format in clang-format-$VERSION clang-format; do
  if "$clang_format" --version 2>/dev/null | grep -q "version $VERSION\\."; then
    find "$1/plugin" "$1/cl" "$1/tests" -name '*.[ch]' -o -name '*.cl' \
      | xargs "$clang_format" --dry-run -Werror
    exit
  fi
done
echo "clang-format $VERSION is not installed" >&2
exit 77
