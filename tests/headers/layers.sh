#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# layers.sh SOURCE-DIR: a folder of plugin/ is a layer, and its folders are
# rooms. Files include only headers of their own room, of lower rooms, of lower
# layers, and of these layers' libraries. Kernels include their own and lower
# rooms of cl/.

cd "$1" || exit 1
status=0

# allowed FOLDER: patterns of headers that its files may include, one per line
allowed () {
  case $1 in
    # kernels, with names from cl/ on
    cl/pixels) printf '%s\n' 'pixels/*' '*_params.h' ;;
    cl/measure) allowed cl/pixels; echo 'measure/*' ;;
    cl/change) allowed cl/measure; echo 'change/*' ;;
    cl/scopes) allowed cl/measure; echo 'scopes/*' ;;
    cl) printf '%s\n' '*_params.h' stdint.h ;;

    plugin/core/pixels)
      printf '%s\n' 'core/pixels/*' 'cl/*_params.h' \
        assert.h float.h limits.h math.h 'std*.h' string.h
      ;;
    plugin/core/measure) allowed plugin/core/pixels; echo 'core/measure/*' ;;
    plugin/core/change) allowed plugin/core/measure; echo 'core/change/*' ;;
    plugin/core/scopes) allowed plugin/core/change; echo 'core/scopes/*' ;;
    plugin/core) allowed plugin/core/scopes; echo 'core/*' ;;

    plugin/opencl/device)
      allowed plugin/core
      printf '%s\n' 'opencl/device/*' 'CL/*' glib.h 'gio/*' \
        dlfcn.h errno.h fcntl.h pwd.h sys/stat.h unistd.h
      ;;
    plugin/opencl/run)
      allowed plugin/opencl/device
      printf '%s\n' 'opencl/run/*' cl/clresources.h
      ;;
    plugin/opencl/frame) allowed plugin/opencl/run; echo 'opencl/frame/*' ;;

    plugin/element/props)
      # other headers of gst/video/ do not compile alone in GStreamer 1.28
      allowed plugin/opencl/frame | grep -v '^\(cl\|CL\)/'
      printf '%s\n' 'element/props/*' gst/gst.h 'gst/base/*' \
        gst/video/video.h gst/video/gstvideofilter.h
      ;;
    plugin/element/memory)
      allowed plugin/element/props
      echo 'element/memory/*'
      ;;
    plugin/element/report)
      allowed plugin/element/memory
      echo 'element/report/*'
      ;;
    # the type's declaration is for all who need it
    plugin/element/flow)
      allowed plugin/element/report
      printf '%s\n' 'element/flow/*' element/amphisto.h
      ;;
    plugin/element) allowed plugin/element/flow; echo 'element/*' ;;
    plugin) printf '%s\n' element/amphisto.h element/report/meta.h gst/gst.h ;;
    *) echo "$1 is no room" >&2; exit 1 ;;
  esac
}

# is_allowed HEADER PATTERNS: * matches no part of a path beyond a slash
is_allowed () {
  for pattern in $2; do
    case $1 in
      $pattern)
        case ${1#${pattern%\**}} in
          */*) case $pattern in CL/*|gio/*) return 0 ;; esac ;;
          *) return 0 ;;
        esac
        ;;
    esac
  done
  return 1
}

set -f   # the patterns are for `case`
for folder in $(find plugin cl -type d); do
  includes=$(find "$folder" -maxdepth 1 \( -name '*.[ch]' -o -name '*.cl' \) \
    -exec grep -H '^ *# *include' {} + \
    | sed 's/: *# *include *[<"]\([^>"]*\)[>"].*/:\1/')
  [ -z "$includes" ] || patterns=$(allowed "$folder") || exit 1
  for include in $includes; do
    is_allowed "${include#*:}" "$patterns" || {
      echo "${include%%:*} includes ${include#*:}" >&2
      status=1
    }
  done
done
exit $status
