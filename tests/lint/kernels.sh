#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# kernels.sh SOURCE-DIR: clang reports nothing, in any shape, about each file of
# kernels with its includes, about the programs of kernels.c, and about the
# tests' kernels. Exit status 77: clang is not installed.

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

# Of these, the ones in which files are compiled alone. Their programs have shown
# that they are right in the others.
basic_shapes='--target=x86_64-linux-gnu -DAMPHISTO_GPU
--target=x86_64-linux-gnu
--target=aarch64-linux-gnu'

cd "$1" || exit 1
cl=cl
tests=tests/opencl/run

# compile SHAPE OPTION...: compiles standard input; SHAPE is split into its
# options
compile () {
  shape=$1
  shift
  clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header \
    -D__OPENCL_VERSION__=120 -Wall -Wextra -Werror -Wno-unused-function \
    -I "$cl" $shape "$@" -
}

# check WHAT SHAPES: compiles standard input in these shapes, except a file for
# one shape in the other
check () {
  text=$(cat)
  printf '%s\n' "$2" | while read -r shape; do
    case $1,$shape in
      *_cpu.cl,*AMPHISTO_GPU*) continue ;;
      *_gpu.cl,*AMPHISTO_GPU*) ;;
      *_gpu.cl,*) continue ;;
    esac
    printf '%s\n' "$text" | compile "$shape" -fsyntax-only \
      || { echo "in $1, $shape" >&2; exit 1; }
  done
}

# programs: prints a line for each, with its files in kernels.c
programs () {
  sed -n '/^#define PROGRAMS/,/[^\\]$/p' plugin/opencl/run/kernels.c \
    | tr -d '\n\\' | grep -o 'PROGRAM ([A-Z_]*, *INCLUDE[^,]*,' \
    | sed 's/^[^,]*, *//; s/INCLUDE ("\([^"]*\)")/\1/g; s/,$//'
}

# includes: prints lines that include the names
includes () {
  for name; do
    printf '#include "%s"\n' "$name"
  done
}

# The files that some program includes, in either shape.
programs | while read -r names; do
  includes $names | check "the program of $names" "$shapes" || exit 1
done || exit 1
used=$(programs | while read -r names; do
  for shape in -DAMPHISTO_GPU -DAMPHISTO_CPU; do
    includes $names | compile "$shape" -MM
  done
done | tr ' ' '\n')

for file in $(cd "$cl" && find . -name '*.cl'); do
  file=${file#./}
  # comes last in the files that include it
  [ "$file" = scopes/draw_scope.cl ] \
    || includes "$file" | check "$file" "$basic_shapes" || exit 1
  printf '%s\n' "$used" | grep -qx "$cl/$file" || {
    echo "$file is in no program of kernels.c" >&2
    exit 1
  }
done

check "$tests/packed_uchar_kernels.cl" "$shapes" <<EOT || exit 1
#include "$tests/access_params.h"
#include "$tests/packed_uchar_kernels.cl"
EOT
check "$tests/forms_kernels.cl" "$shapes" <<EOT
#include "$tests/forms_kernels.cl"
EOT
