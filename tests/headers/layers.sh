#!/bin/sh
# amphisto
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# layers.sh SOURCE-DIR: sources of each layer include only what is below it:
# GStreamer is for gst* and plugin.c alone, OpenCL for cl* alone, and the core
# has nothing but itself and the C library; clahe.[ch], by name only a cl*, is of
# the core.

cd "$1/plugin" || exit 1
status=0

# fail FILE WHAT
fail () {
  echo "$1 includes $2" >&2
  status=1
}

is_core () {
  case $1 in
    clahe.[ch]) ;;
    gst* | cl* | plugin.c) return 1 ;;
  esac
}

check () {
  for header in $(sed -n 's/^ *# *include *[<"]\([^>"]*\)[>"].*/\1/p' "$1"); do
    case $header in
      gst/*)
        case $1 in gst* | plugin.c) ;; *) fail "$1" "$header" ;; esac
        ;;
      CL/*)
        case $1 in
          clahe.[ch]) fail "$1" "$header" ;;
          cl*) ;;
          *) fail "$1" "$header" ;;
        esac
        ;;
      gst*.h)
        case $1 in gst* | plugin.c) ;; *) fail "$1" "$header" ;; esac
        ;;
      cl*.h)
        is_core "$1" && ! is_core "$header" && fail "$1" "$header"
        ;;
      assert.h | float.h | limits.h | math.h | std*.h | string.h) ;;
      *)
        # the core: only its own headers are left
        if is_core "$1" && ! { test -e "$header" && is_core "$header"; }; then
          fail "$1" "$header"
        fi
        ;;
    esac
  done
}

for file in *.[ch]; do
  check "$file"
done
exit $status
