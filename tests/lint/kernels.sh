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

# programs: a line for each, the files that program.c makes it of
programs () {
  sed -n '/^static const char \*const program_files/,/^};/p' \
    "$1/plugin/opencl/program.c" \
    | tr -d '\n' | grep -o '\] = *"[^,]*",' | sed 's/" *"//g; s/.*= *"//; s/",$//'
}

# a list that can't be found, or is not all of them, checks nothing
for file in "$1"/cl/*.cl; do
  if ! programs "$1" | tr ' ' '\n' | grep -qx "$(basename "$file")"; then
    echo "$file is in no program of program.c" >&2
    exit 1
  fi
done

# the CPU shape differs for those that permute vectors
programs "$1" | while read -r names; do
  for shape in -DAMPHISTO_CPU -D__AVX512BW__ -DAMPHISTO_GPU; do
    (cd "$1/cl" && cat $names) | check $shape \
      || { echo "in the program of $names" >&2; exit 1; }
  done
done || exit 1
for shape in -DAMPHISTO_CPU -DAMPHISTO_GPU; do
  cat "$1/tests/opencl/access_params.h" "$1/cl/packed_uchar.cl" \
    "$1/tests/opencl/packed_uchar_kernels.cl" | check $shape || exit 1
done
