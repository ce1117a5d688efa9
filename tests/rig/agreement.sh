#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# agreement.sh - do we and fio see the same drive?
#
#   agreement.sh BUILD_DIR [RESULTS_DIR]
#
# Two programs can only be held against each other where the drive's service time is known
# and much longer than either needs for an I/O: a null_blk device in the emulated guest of
# rig.sh that completes each request after a fixed time. On a loop device a fast engine
# must differ from fio. The guest runs on virtual time, 1 ns an instruction, so that the
# load of the host changes nothing. The service time is 2 ms because with 200 us the one
# CPU already showed at depth 8: fio 29.4k, we 34.3k IOPS (at 2 ns an instruction).
# Both run by turns, at least seven pairs for each depth. Ours is the hot loop with its
# histogram, as bench-loop drives it.
#
# Exit status: 0 the median ratio of IOPS and of P50 is within 2 %; 1 it is not; 77 the
# ratios of the pairs scatter by more than 3 % (interquartile range), so nothing is shown, or
# the guest could not be prepared; 124 and 125 as rig.sh has them.
#
# AGREEMENT_SERVICE_NS, _SECONDS, _PAIRS and _DEPTHS change what is run.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${1:?the build folder is needed}
if [ $# -gt 1 ]; then
  out=$2
else
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
fi
service_ns=${AGREEMENT_SERVICE_NS:-2000000}
seconds=${AGREEMENT_SECONDS:-1}
pairs=${AGREEMENT_PAIRS:-7}
depths=${AGREEMENT_DEPTHS:-1 4 8}
# Also the limit of the host, where a guest on virtual time is much slower than its clock.
limit=$((pairs * 2 * $(wc -w <<< "$depths") * (seconds + 20) + 120))

"$here/rig.sh" prepare fio || exit 77
status=0
"$here/rig.sh" run -o "$out" -t "$limit" -n 64M:512 -p 0 -i 0 -s 1 -l fio \
  -f "$build/tests/bench/bench-loop" -f "$here/agreement-guest.sh" -- \
  "bash agreement-guest.sh $service_ns $seconds $pairs $depths" || status=$?
if [ $status != 0 ]; then
  cat "$out/stderr" >&2 || true
  exit $status
fi
python3 "$here/agreement.py" "$out/files/runs"
