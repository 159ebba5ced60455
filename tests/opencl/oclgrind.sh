#!/bin/sh
# amphisto
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# oclgrind.sh PROGRAM [ARGUMENT...]: runs the program in oclgrind, which sees
# every access to memory, and fails if it has anything to say. Exit status 77:
# it is not installed.
#
# Not optimized, and nothing inlined: there are instructions that oclgrind 21.10
# does not know.
#
# It calls it a race when a work-item reads a word while another changes a
# character in it by an atomic operation. That is what packed_uchar.cl allows
# for, and all that OpenCL 1.2 has no better means for; these reports are left
# out. Races in which something is written that is not atomic are not.
#
# Where it watches what is not initialized, it crashes on shuffled vectors, which
# the overlay is drawn with: its test goes without.

if ! command -v oclgrind >/dev/null; then
  echo "oclgrind is not installed" >&2
  exit 77
fi

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

# the simulator's own device, whatever the environment names
unset AMPHISTO_DEVICE
export AMPHISTO_TEST_SIZE=small
case $1 in
  */overlay) uninitialized= ;;
  *) uninitialized=--uninitialized ;;
esac
oclgrind --build-options '-cl-opt-disable -DINLINE=static' --compute-units 3 \
  --data-races $uninitialized --check-api --max-errors 1000000 \
  --log "$log" "$@"
status=$?

# a report is a paragraph
awk -v RS= '
  /^Read-write data race/ && / load (volatile )?i32, / && /@_Z[0-9]+atomic_/ { next }
  { print $0 "\n"; bad = 1 }
  END { exit bad }
' "$log" >&2 || exit 1
exit $status
