#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# kernels.sh SOURCE-DIR: clang reports nothing, in any shape, about each file of
# kernels with its includes; about the programs, joined as in kernels.c, where
# no include may be left; and about the tests' kernels. Exit status 77: clang is
# not installed.

if ! command -v clang >/dev/null; then
  echo "clang is not installed" >&2
  exit 77
fi

# The CPU shape depends on the length of vectors and on permutations. On ARM,
# compilers without NEON's tables use loads. Mesa's compiler targets SPIR.
# __OPENCL_VERSION__, which drivers define, keeps the C library's headers out.
shapes='--target=x86_64-linux-gnu -DAMPHISTO_GPU
--target=x86_64-linux-gnu
--target=x86_64-linux-gnu -mssse3
--target=x86_64-linux-gnu -mavx2
--target=x86_64-linux-gnu -mavx512bw
--target=aarch64-linux-gnu
--target=aarch64-linux-gnu -DLUT_FORM=0
--target=spir64'

source=$1

# check WHAT INCLUDE FILE...: the files put together, in all shapes; files of
# the other shape are skipped. INCLUDE: the folder to include files from, or ''
check () {
  what=$1 include=$2
  shift 2
  printf '%s\n' "$shapes" | while read -r shape; do
    case $shape in
      *AMPHISTO_GPU*) other=_cpu.cl ;;
      *) other=_gpu.cl ;;
    esac
    # $shape is split into its options
    for file; do
      case $file in
        *$other) ;;
        *) cat "$file" ;;
      esac
    done | clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header \
      -D__OPENCL_VERSION__=120 -fsyntax-only -Wall -Wextra -Werror \
      -Wno-unused-function $shape ${include:+-I "$include"} - \
      || { echo "in $what, $shape" >&2; exit 1; }
  done || exit 1
}

# programs: prints a line for each, with its files in kernels.c
programs () {
  sed -n '/^const char \*const amphisto_cl_program_files/,/^};/p' \
    "$source/plugin/opencl/kernels.c" \
    | tr -d '\n' | grep -o '\] = *"[^,]*",' | sed 's/" *"//g; s/.*= *"//; s/",$//'
}

for file in "$source"/cl/*.cl; do
  check "$file" "$source/cl" "$file" || exit 1
  # a missing or incomplete list would check nothing
  if ! programs | tr ' ' '\n' | grep -qx "$(basename "$file")"; then
    echo "$file is in no program of kernels.c" >&2
    exit 1
  fi
done

programs | while read -r names; do
  set --
  for name in $names; do
    set -- "$@" "$source/cl/$name"
  done
  check "the program of $names" '' "$@" || exit 1
done || exit 1

cl=$source/cl
tests=$source/tests/opencl
check "$tests/packed_uchar_kernels.cl" '' "$tests/access_params.h" \
  "$cl/packed_uchar.cl" "$cl/slices.cl" "$tests/packed_uchar_kernels.cl" \
  || exit 1
check "$tests/forms_kernels.cl" '' "$cl/frame_params.h" "$cl/packed_uchar.cl" \
  "$cl/pixels_cpu.cl" "$cl/pixels_gpu.cl" "$cl/pixels.cl" \
  "$cl/components.cl" "$cl/rgb.cl" "$cl/luma.cl" "$cl/lut.cl" \
  "$tests/forms_kernels.cl"
