#!/bin/sh
# amphisto
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# kernels.sh SOURCE-DIR: clang has nothing to say about the kernels, read as
# program.c puts them together, nor about those of the tests, in all shapes.
# Exit status 77: it is not installed.

if ! command -v clang >/dev/null; then
  echo "clang is not installed" >&2
  exit 77
fi

# check OPTION...: the source on the standard input
check () {
  clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fsyntax-only \
    -Wall -Wextra -Werror -Wno-unused-function "$@" -
}

names=$(sed -n '/^shared_program/,/^}/p' "$1/plugin/opencl/program.c" \
  | grep -o 'amphisto_cl_source ("[^"]*")' | cut -d '"' -f 2)
# a list that can't be found, or is not all of them, checks nothing
for file in "$1"/cl/*.cl; do
  if ! echo "$names" | grep -qx "$(basename "$file")"; then
    echo "$file is not in program.c's list" >&2
    exit 1
  fi
done

# the CPU shape differs for those that permute vectors
(cd "$1/cl" && cat $names) | check -D__AVX512BW__ || exit 1
for shape in -DAMPHISTO_CPU -DAMPHISTO_GPU; do
  (cd "$1/cl" && cat $names) | check $shape || exit 1
  cat "$1/tests/opencl/access_params.h" "$1/cl/packed_uchar.cl" \
    "$1/tests/opencl/packed_uchar_kernels.cl" | check $shape || exit 1
done
