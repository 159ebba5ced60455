#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# clang.sh SOURCE-DIR: clang compiles everything without a warning and builds
# the plugin, in folders with a blank in their names. The lints that read all
# sources pass there, and the quick tests of core, with chars that are unsigned,
# as ARM's are. An index out of bounds ends these tests: what lies beyond may do
# no harm on this machine. Other tests do not run here, so clang makes no code of
# them. Exit status 77: clang is not installed.

if ! command -v clang >/dev/null; then
  echo "clang is not installed" >&2
  exit 77
fi

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
ln -s "$1" "$folder/the source"
build="$folder/the build"

# run COMMAND...: prints its output only if it fails
run () {
  "$@" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
}

# The compiler. GStreamer's headers take clang longer than most sources, so they
# are precompiled; except for sources that ask for more of the C library before
# they include anything. Precompiled headers go with one visibility of symbols
# and one kind of position-independent code.
export CC="$folder/compiler"
cat >"$CC" <<EOT
#!/bin/sh
for source; do :; done
case "\$*" in
  *gstreamer-1.0*' -c '*)
    grep -q '^#define _[A-Z]*_SOURCE' "\$source" \\
      || set -- "\$@" -include-pch "$folder/gst.pch" -fvisibility=default -fPIC
    ;;
esac
case "\$*" in
  *' -o tests/core/'*|*' -o tests/common/'*) ;;
  *' -o tests/'*' -c '*)
    : >"\$(expr "\$*" : '.* -o \\([^ ]*\\)')"
    set -- -fsyntax-only "\$@"
    ;;
esac
exec clang "\$@"
EOT
chmod +x "$CC"

arguments='-funsigned-char -fsanitize=bounds -fsanitize-trap=bounds'
run meson setup --werror --buildtype=plain -Doptimization=1 \
  -Dc_args="$arguments" "$build" "$folder/the source"
cd "$build" || exit 1
printf '#include <gst/%s.h>\n' gst video/video video/gstvideofilter \
  >"$folder/gst.h"
run clang -x c-header -std=c11 -O1 -fPIC -pthread -ffp-contract=off $arguments \
  -D_FILE_OFFSET_BITS=64 -DG_LOG_DOMAIN='"amphisto"' \
  $(pkg-config --cflags gstreamer-video-1.0) \
  "$folder/gst.h" -o "$folder/gst.pch"

# other tests run beside this one
run ninja -j 2 plugin/libgstamphisto.so \
  $(ninja -t targets rule c_COMPILER)
run meson test --print-errorlogs --suite core
run meson test --no-rebuild --print-errorlogs layers format
