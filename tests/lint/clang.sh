#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# clang.sh SOURCE-DIR: clang builds everything without a warning, in folders
# with a blank in their names. The quick tests of core, headers and lint pass
# there, with chars that are unsigned, as ARM's are. An index out of bounds ends
# them: what lies beyond may do no harm on this machine. Exit status 77: clang
# is not installed.

if ! command -v clang >/dev/null; then
  echo "clang is not installed" >&2
  exit 77
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
ln -s "$1" "$folder/the source"
build="$folder/the build"

# run COMMAND...: prints its output only if it fails
run () {
  "$@" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
}

export CC=clang
run meson setup --werror --buildtype=plain -Doptimization=1 \
  -Dc_args='-funsigned-char -fsanitize=bounds -fsanitize-trap=bounds' \
  "$build" "$folder/the source"
# other tests run beside this one
run ninja -C "$build" -j 2 all meson-test-prereq meson-benchmark-prereq
run meson test -C "$build" --no-rebuild --print-errorlogs \
  --suite core --suite headers --suite lint --no-suite full
