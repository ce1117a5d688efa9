#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# polling.sh - is a polled run polled, and does an unpolled one say so?
#
#   polling.sh BUILD_DIR [RESULTS_DIR]
#
# Two boots of the emulated machine of rig.sh, with poll queues and without. The proof is the
# count of the drive's interrupts. 77 = the guest could not be prepared.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${1:?the build folder is needed}
if [ $# -gt 1 ]; then
  out=$2
else
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
fi

programs=()
for name in data completion waiting stuck; do
  programs+=(-f "$build/tests/conformance/test-$name")
done

"$here/rig.sh" prepare || exit 77
for queues in 2 0; do
  "$here/rig.sh" run -o "$out/$queues" -t 900 -n 192M:512 -p $queues -f "$build/fathom-cli" \
    -f "$build/fathom-worker" -f "$here/polling-guest.sh" "${programs[@]}" -- 'bash polling-guest.sh' || {
    echo "the guest with $queues poll queues ended with $?" >&2
    cat "$out/$queues/stderr" >&2 || true
    exit 1
  }
done
python3 "$here/polling.py" "$out"
