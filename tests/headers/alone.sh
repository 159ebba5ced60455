#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# alone.sh COMPILER SOURCE-DIR: each header compiles alone, and included twice,
# with the libraries of its layer and no others. The build has done that for a
# header that is guarded, and that the source file of its name includes first.

compiler=$1
cd "$2" || exit 1
status=0

# package_flags PACKAGE...
package_flags () {
  pkg-config --cflags "$@" || { echo "$*: not found" >&2; exit 1; }
}

opencl_flags=$(package_flags glib-2.0 OpenCL)
element_flags=$(package_flags glib-2.0 OpenCL gstreamer-base-1.0 \
  gstreamer-video-1.0)

# guarded headers that the source file of their name includes first
built=$(find plugin -name '*.c' -exec awk '
  /^#include/ && !seen[FILENAME]++ {
    header = FILENAME
    sub("c$", "h", header)
    if ("\"" header "\"" == "\"plugin/" substr($2, 2))
      print header
  }' {} + | xargs grep -lx '#pragma once' | tr '\n' ' ')

for path in $(find plugin -name '*.h') cl/*.h; do
  case " $built " in *" $path "*) continue ;; esac
  header=${path#plugin/}
  case $header in
    element/*) flags=$element_flags ;;
    opencl/*) flags=$opencl_flags ;;
    *) flags= ;;
  esac
  printf '#include "%s"\n#include "%s"\nextern int in_use;\n' \
    "$header" "$header" \
    | $compiler -std=c11 -Wall -Wextra -Werror -fsyntax-only \
      -Iplugin -I. $flags -x c - \
    || { echo "in $header" >&2; status=1; }
done
exit $status
