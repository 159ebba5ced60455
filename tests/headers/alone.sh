#!/bin/sh
# amphisto
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# alone.sh COMPILER SOURCE-DIR: each header compiles by itself, and a second time
# behind itself, with what its layer may see and nothing else.

compiler=$1
root=$2
status=0

# package_flags PACKAGE...
package_flags () {
  pkg-config --cflags "$@" || { echo "$*: not found" >&2; exit 1; }
}

opencl_flags=$(package_flags glib-2.0 OpenCL)
gstreamer_flags=$(package_flags gstreamer-base-1.0 gstreamer-video-1.0)

for path in "$root"/plugin/*.h; do
  header=$(basename "$path")
  case $header in
    gst*) flags=$gstreamer_flags ;;
    cl*) flags="$opencl_flags -I$root/cl" ;;
    *) flags= ;;
  esac
  printf '#include "%s"\n#include "%s"\nextern int in_use;\n' \
    "$header" "$header" \
    | $compiler -std=c11 -Wall -Wextra -Werror -fsyntax-only \
      -I"$root/plugin" $flags -x c - || { echo "in $header" >&2; status=1; }
done
exit $status
