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
# load of the host changes nothing. Ours is the product: fathom-cli runs a plan on the file
# system of the device, with a file it made itself, and its JSON is read. fio does the same
# work on a file beside it. They run by turns, at least seven pairs.
#
# Each I/O costs fio 3 us more of that one CPU than us (25 and 22 us, mostly the kernel's):
# 1.4 % of 200 us at depth 1, and 0.2 % of 2 ms. With 200 us a depth of 8
# is not shown, since there the CPU is the limit and not the drive (fio 29k, we 34k IOPS), and
# no faster one can be had: less than 1 ns an instruction is not to be set.
#
# Exit status: 0 the median ratio of IOPS and of P50 is within 2 %; 1 it is not; 77 the
# ratios of the pairs scatter by more than 3 % (interquartile range), so nothing is shown, or
# the guest could not be prepared; 124 and 125 as rig.sh has them.
#
# AGREEMENT_MS, AGREEMENT_PAIRS and AGREEMENT_DRIVES (SERVICE_NS:DEPTH[,DEPTH...] and so on)
# change what is run.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${1:?the build folder is needed}
if [ $# -gt 1 ]; then
  out=$2
else
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
fi
ms=${AGREEMENT_MS:-500}
pairs=${AGREEMENT_PAIRS:-7}
drives=${AGREEMENT_DRIVES:-200000:1 2000000:1,4,8}
# Of the guest's own clock and of the host's, where a guest on virtual time is much slower.
limit=900

"$here/rig.sh" prepare fio || exit 77
status=0
"$here/rig.sh" run -o "$out" -t "$limit" -n 64M:512 -p 0 -i 0 -s 1 -l fio -f "$build/fathom-cli" \
  -f "$build/fathom-worker" -f "$here/agreement-guest.sh" -- \
  "bash agreement-guest.sh $ms $pairs $drives" || status=$?
if [ $status != 0 ]; then
  echo "the guest ended with $status" >&2
  cat "$out/stderr" >&2 || true
  exit $status
fi
python3 "$here/agreement.py" "$out/files"
