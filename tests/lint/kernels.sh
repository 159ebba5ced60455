#!/bin/sh
# amphisto
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# kernels.sh SOURCE-DIR: clang has nothing to say, in any shape, about the files
# of kernels, each alone with what it includes; nor about the programs, read as
# program.c puts them together, where nothing may be left to be included; nor
# about the tests' kernels. Exit status 77: it is not installed.

if ! command -v clang >/dev/null; then
  echo "clang is not installed" >&2
  exit 77
fi

# The CPU shape differs for CPUs that have longer vectors, or permute them. On
# ARM, compilers that do not offer NEON's tables take the form without them.
# SPIR is what Mesa's compiler makes.
# __OPENCL_VERSION__, which drivers define, keeps the C library's headers out.
shapes='--target=x86_64-linux-gnu -DAMPHISTO_GPU
--target=x86_64-linux-gnu
--target=x86_64-linux-gnu -mssse3
--target=x86_64-linux-gnu -mavx2
--target=x86_64-linux-gnu -mavx512bw
--target=aarch64-linux-gnu
--target=aarch64-linux-gnu -DLUT_FORM=0
--target=spir64'

# check WHAT OPTION...: the source on the standard input, in all shapes
check () {
  what=$1
  shift
  source=$(cat)
  printf '%s\n' "$shapes" | while read -r shape; do
    # $shape is split into its options
    printf '%s\n' "$source" \
      | clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header \
      -D__OPENCL_VERSION__=120 -fsyntax-only -Wall -Wextra -Werror \
      -Wno-unused-function $shape "$@" - \
      || { echo "in $what, $shape" >&2; exit 1; }
  done || exit 1
}

# programs: a line for each, the files that program.c makes it of
programs () {
  sed -n '/^static const char \*const program_files/,/^};/p' \
    "$1/plugin/opencl/program.c" \
    | tr -d '\n' | grep -o '\] = *"[^,]*",' | sed 's/" *"//g; s/.*= *"//; s/",$//'
}

for file in "$1"/cl/*.cl; do
  check "$file" -I "$1/cl" <"$file" || exit 1
  # a list that can't be found, or is not all of them, checks nothing
  if ! programs "$1" | tr ' ' '\n' | grep -qx "$(basename "$file")"; then
    echo "$file is in no program of program.c" >&2
    exit 1
  fi
done

programs "$1" | while read -r names; do
  (cd "$1/cl" && cat $names) | check "the program of $names" || exit 1
done || exit 1

tests=$1/tests/opencl
cat "$tests/access_params.h" "$1/cl/packed_uchar.cl" "$1/cl/slices.cl" \
  "$tests/packed_uchar_kernels.cl" | check "$tests/packed_uchar_kernels.cl" \
  || exit 1
cat "$1/cl/frame_params.h" "$1/cl/packed_uchar.cl" "$1/cl/pixels.cl" \
  "$1/cl/rgb.cl" "$1/cl/luma.cl" "$1/cl/lut.cl" "$tests/forms_kernels.cl" \
  | check "$tests/forms_kernels.cl"
