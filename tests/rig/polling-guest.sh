#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs in the guest of rig.sh: the same small plan on an NVMe file system through each way of
# io_uring, then the conformance suite on the ways that poll; all into $RESULTS. See polling.sh.
set -eu
export HOME=/tmp/home XDG_DATA_HOME=/tmp/home XDG_STATE_HOME=/tmp/home LC_ALL=C.UTF-8
mkdir -p $HOME
mkfs.ext4 -q -O ^has_journal -E lazy_itable_init=0 -m 0 /dev/nvme0n1
mount /dev/nvme0n1 /mnt

cat > /tmp/plan.json <<'PLAN'
{"fathom-plan": 1, "id": "polling", "name": "Polling", "summary": "Reads and writes.",
 "file-size": "32MiB",
 "phases": [{"kind": "measure", "id": "mix", "label": "Mix",
             "streams": [{"read": "70%", "write": "30%", "pattern": "random", "block": "4KiB",
                          "in-flight": 4}],
             "stop": {"time": "2s"}},
            {"kind": "measure", "id": "large", "label": "Large",
             "streams": [{"read": "100%", "pattern": "sequential", "block": "1MiB",
                          "in-flight": 8}],
             "stop": {"time": "1s"}},
            {"kind": "measure", "id": "flushed", "label": "Flushed",
             "streams": [{"write": "100%", "pattern": "random", "block": "4KiB", "in-flight": 4,
                          "flush-every": 8}],
             "stop": {"time": "1s"}}]}
PLAN

run() { # name, options
  local name=$1
  shift
  fathom-cli run /tmp/plan.json /mnt --keep-free 0 --yes-cached --output "/tmp/$name.fathom" "$@" > "$RESULTS/$name.txt" 2>&1 ||
    echo "exit $?" >> "$RESULTS/$name.txt"
  fathom-cli export "/tmp/$name.fathom" --format json > "$RESULTS/$name.json"
}

run best
run interrupt --backend uring
run sqpoll --backend uring-sqpoll

# What every backend must keep, on the two that need a polled device. The files lie where we stand.
cd /mnt
for program in test-data test-completion test-waiting test-stuck; do
  for backend in uring-polled uring-sqpoll; do
    # A program may have no case for a backend: then it runs none.
    timeout 100 $program -p /conformance/${program#test-}/$backend > "$RESULTS/$program-$backend.tap" 2>&1 ||
      echo "not ok - ended with $?" >> "$RESULTS/$program-$backend.tap"
  done
done
