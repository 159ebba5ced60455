#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# format.sh SOURCE-DIR: no source is longer than 600 lines, and clang-format
# changes nothing in them. Versions of clang-format differ; Debian 12's counts.
# Users' documents have lines of up to 120 characters, except tables, blocks of
# code, and URLs, which cannot be broken; the readme has up to 300 lines. Exit
# status 77: clang-format is not installed.

VERSION=14
MAX_LINES=600
MAX_README_LINES=300
MAX_CHARACTERS=120

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

# long_lines FILE: prints their numbers
long_lines () {
  LC_ALL=C.UTF-8 sed -n -e '/^```/,/^```$/d' -e '/^|/d' \
    -e 's,https*://[^] )>]*,,g' -e "/^.\\{$MAX_CHARACTERS\\}./=" "$1"
}

if [ "$(wc -l <"$1/README.md")" -gt $MAX_README_LINES ]; then
  echo "README.md: longer than $MAX_README_LINES lines" >&2
  exit 1
fi

for document in README.md plugin/reference.md; do
  long_lines "$1/$document" \
    | sed "s,.*,$1/$document:&: longer than $MAX_CHARACTERS characters,"
done | grep . >&2 && exit 1

for clang_format in clang-format-$VERSION clang-format; do
  if "$clang_format" --version 2>/dev/null | grep -q "version $VERSION\\."; then
    sources "$1" | xargs -0 "$clang_format" --dry-run -Werror
    exit
  fi
done
echo "clang-format $VERSION is not installed" >&2
exit 77
