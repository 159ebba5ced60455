#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# oclgrind.sh PROGRAM [ARGUMENT...]: runs the program in oclgrind, which checks
# every memory access, and fails if oclgrind reports anything. Exit status 77:
# oclgrind is not installed.
#
# Kernels are neither optimized nor inlined, and nothing is prefetched, since
# oclgrind 21.10 lacks some of the instructions.
#
# Work-groups have at most 256 work-items, as on some GPUs. Frames are counted
# by groups of 1024 elsewhere, most of which have nothing to do for small frames,
# but are simulated.
#
# oclgrind reports a race if one work-item reads a word while another one
# changes a uchar in it atomically. packed_uchar.cl relies on that, because
# OpenCL 1.2 has no atomic load; these reports are dropped. Reports of writes
# that are not atomic count.
#
# oclgrind crashes on shuffled vectors when it checks for uninitialized memory.
# The scopes' kernels use them, so their tests run without this check.
#
# oclgrind takes memory for uninitialized that the host writes at an offset, so
# whole planes are uploaded.
#
# The reports come with the program's complaints: oclgrind empties a file given
# with --log for each OpenCL context, and most tests make one of their own.

if ! command -v oclgrind >/dev/null; then
  echo "oclgrind is not installed" >&2
  exit 77
fi

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

# oclgrind's own device
unset AMPHISTO_DEVICE
export AMPHISTO_TEST_SIZE=small AMPHISTO_TEST_WHOLE_ROWS=1
case $1 in
  */scopes) uninitialized= ;;
  *) uninitialized=--uninitialized ;;
esac
oclgrind --build-options '-cl-opt-disable -DINLINE=static' \
  --compute-units 3 --max-wgsize 256 \
  --data-races $uninitialized --check-api --max-errors 1000000 \
  "$@" 2>"$log"
status=$?

# a report is a paragraph
awk -v RS= '
  /^Read-write data race/ && / load (volatile )?i32, / && /@_Z[0-9]+atomic_/ { next }
  { print $0 "\n"; bad = 1 }
  END { exit bad }
' "$log" >&2 || exit 1
exit $status
