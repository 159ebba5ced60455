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

# is_built PATH
is_built () {
  [ -f "${1%.h}.c" ] && grep -qx '#pragma once' "$1" \
    && [ "$(grep -m 1 '^#include' "${1%.h}.c")" = "#include \"${1#plugin/}\"" ]
}

for path in $(find plugin -name '*.h') cl/*.h; do
  is_built "$path" && continue
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
