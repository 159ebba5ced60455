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
tests=tests/opencl/run
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/programs" "$folder/alone"

# compile SHAPE FILE...: compiles the files, each by itself, with the command for
# one file that clang prints. Starting clang takes longer than reading a file.
compile () {
  command=$(clang '-###' -x cl -cl-std=CL1.2 -Xclang -finclude-default-header \
    -D__OPENCL_VERSION__=120 -Wall -Wextra -Werror -Wno-unused-function \
    -I cl -I . $1 -fsyntax-only - 2>&1 | tail -n 1)
  shift
  eval "${command% \"-\"}" '"$@"'
}

# files SHAPE FOLDER: prints their names, except those for the other shape
files () {
  case $1 in
    *AMPHISTO_GPU*) find "$2" -type f ! -name '*_cpu.cl' ;;
    *) find "$2" -type f ! -name '*_gpu.cl' ;;
  esac
}

# check FOLDER SHAPES: compiles the folder's files in these shapes
check () {
  printf '%s\n' "$2" | while read -r shape; do
    compile "$shape" $(files "$shape" "$1") \
      || { echo "in $shape" >&2; exit 1; }
  done
}

# includes NAME...: prints lines that include the names
includes () {
  for name; do
    printf '#include "%s"\n' "$name"
  done
}

# The programs have the names of their files, with + between them.
sed -n '/^#define PROGRAMS/,/[^\\]$/p' plugin/opencl/run/kernels.c \
  | tr -d '\n\\' | grep -o 'PROGRAM ([A-Z_]*, *INCLUDE[^,]*,' \
  | sed 's/^[^,]*, *//; s/INCLUDE ("\([^"]*\)")/\1/g; s/,$//' \
  | while read -r names; do
    includes $names >"$folder/programs/$(echo $names | tr '/ ' '.+')"
  done
used=$(for shape in -DAMPHISTO_GPU -DAMPHISTO_CPU; do
  compile "$shape -H" $(files $shape "$folder/programs") 2>&1
done | sed 's/^\.* //')
includes $tests/access_params.h $tests/packed_uchar_kernels.cl \
  >"$folder/programs/packed_uchar_kernels.cl"
includes $tests/forms_kernels.cl >"$folder/programs/forms_kernels.cl"
check "$folder/programs" "$shapes" || exit 1

for file in $(cd cl && find . -name '*.cl'); do
  file=${file#./}
  # comes last in the files that include it
  [ "$file" = scopes/draw_scope.cl ] \
    || includes "$file" >"$folder/alone/$(echo "$file" | tr / .)"
  printf '%s\n' "$used" | grep -qx "cl/$file" || {
    echo "$file is in no program of kernels.c" >&2
    exit 1
  }
done
check "$folder/alone" "$basic_shapes"
