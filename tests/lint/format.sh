#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# format.sh SOURCE-DIR: no source is longer than 600 lines, and clang-format
# changes nothing in them. Versions of clang-format differ; Debian 12's counts.
# Exit status 77: not installed.

VERSION=14
MAX_LINES=600

sources () {
  find "$1/plugin" "$1/cl" "$1/tests" \
    \( -name '*.[ch]' -o -name '*.cl' \) -print0
}

if sources "$1" \
  | xargs -0 awk -v max=$MAX_LINES 'FNR == max + 1 { print FILENAME }' \
  | grep .; then
  echo "longer than $MAX_LINES lines" >&2
  exit 1
fi

for clang_format in clang-format-$VERSION clang-format; do
  if "$clang_format" --version 2>/dev/null | grep -q "version $VERSION\\."; then
    sources "$1" | xargs -0 "$clang_format" --dry-run -Werror
    exit
  fi
done
echo "clang-format $VERSION is not installed" >&2
exit 77
