#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# layers.sh SOURCE-DIR: a folder is a layer. Its files include only headers of
# their own layer, of lower layers, and of these layers' libraries.

cd "$1/plugin" || exit 1
status=0

# allowed FOLDER: patterns of headers that its files may include, one per line
allowed () {
  case $1 in
    core)
      printf '%s\n' 'core/*' 'cl/*_params.h' \
        assert.h float.h limits.h math.h 'std*.h' string.h
      ;;
    opencl)
      allowed core
      printf '%s\n' 'opencl/*' cl/clresources.h 'CL/*' glib.h 'gio/*' \
        fcntl.h pwd.h sys/stat.h unistd.h
      ;;
    element)
      allowed opencl | grep -v '^\(cl\|CL\)/'
      printf '%s\n' 'element/*' 'gst/*'
      ;;
    .) printf '%s\n' 'element/*' 'gst/*' ;;
    *) echo "plugin/$1 is no layer" >&2; exit 1 ;;
  esac
}

# is_allowed HEADER PATTERNS
is_allowed () {
  for pattern in $2; do
    case $1 in $pattern) return 0 ;; esac
  done
  return 1
}

set -f   # the patterns are for `case`
for file in $(find . -name '*.[ch]'); do
  folder=$(dirname "${file#./}")
  patterns=$(allowed "$folder") || exit 1
  for header in $(sed -n 's/^ *# *include *[<"]\([^>"]*\)[>"].*/\1/p' "$file")
  do
    is_allowed "$header" "$patterns" || {
      echo "$file includes $header" >&2
      status=1
    }
  done
done
exit $status
