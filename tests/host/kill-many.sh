#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Kills a run host, its worker or both with SIGKILL at random instants of real runs on a
# small real file, N times.  Each time: the other side is gone within a second or two, the
# run file is readable, and after the next look no test file and no entry is left.
#
# Usage: kill-many.sh FOLDER-OF-THE-PROGRAMS [N [SEED]]
set -euo pipefail

programs=$1
n=${2:-10}
RANDOM=${3:-$((SECONDS + $$))}
cli=$programs/fathom-cli
scratch=$(mktemp -d "$PWD/kill-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
export XDG_STATE_HOME=$scratch/state XDG_DATA_HOME=$scratch/data XDG_CONFIG_HOME=$scratch/config
mkdir "$scratch/target"

fail() {
    printf 'not ok: round %s, %s killed after %s ms: %s\n' "$round" "$victim" "$delay_ms" "$*"
    exit 1
}

# The process that @1 has started, if any.
child_of() {
    local stat
    for stat in /proc/[0-9]*/stat; do
        read -r -a fields 2>/dev/null <"$stat" || continue
        if [ "${fields[3]:-}" = "$1" ] && [ "${fields[2]:-}" != Z ]; then
            printf '%s\n' "${fields[0]}"
        fi
    done
}

# A thread in the kernel may outlive the first one of its process.
is_alive() {
    local threads
    threads=$([ -z "$1" ] || cat "/proc/$1/task/"*/stat 2>/dev/null || true)
    [ -n "$threads" ] && grep -qv ') Z ' <<<"$threads"
}

# Waits until process @1 is gone, at most 2 s.
wait_gone() {
    local i
    for ((i = 0; i < 100; i++)); do
        is_alive "$1" || return 0
        sleep 0.02
    done
    return 1
}

passed=()
for ((round = 1; round <= n; round++)); do
    victims=(host worker both)
    victim=${victims[RANDOM % 3]}
    delay_ms=$((RANDOM % 1500))
    run=$scratch/run.fathom
    rm -f "$run"
    "$cli" run cdm-demo "$scratch/target" --yes-cached --keep-free 0 --output "$run" --detach \
        --json --set size=16MiB --set measure=1s --set interval=0s \
        >"$scratch/out" 2>"$scratch/errors" || fail "no start: $(cat "$scratch/errors")"
    host=$("$cli" status --json | sed -n 's/.*"pid": \([0-9]*\).*/\1/p')
    [ -n "$host" ] || fail "no host"
    worker=$(child_of "$host")
    sleep "$(printf "%d.%03d" $((delay_ms / 1000)) $((delay_ms % 1000)))"

    began_ms=$(($(date +%s%N) / 1000000))
    case $victim in
    host) kill -9 "$host" ;;
    worker) kill -9 ${worker:+"$worker"} 2>/dev/null || true ;;
    both) kill -9 "$host" ${worker:+"$worker"} 2>/dev/null || true ;;
    esac
    wait_gone "$worker" || fail "the worker $worker is still there"
    wait_gone "$host" || fail "the host $host is still there"
    passed+=($(($(date +%s%N) / 1000000 - began_ms)))

    "$cli" status >"$scratch/status"
    grep -q cdm-demo "$scratch/status" && fail "the run is still listed"
    [ -z "$(ls -A "$scratch/target")" ] ||
        fail "left behind: $(ls -sA "$scratch/target"; cat "$scratch"/state/fathom/files/*)"
    [ -z "$(ls -A "$scratch/state/fathom/runs")" ] || fail "left: $(ls "$scratch/state/fathom/runs")"
    if [ -e "$run" ]; then
        "$cli" export "$run" --format json >/dev/null || fail "the run is not readable"
    fi
done
mapfile -t passed < <(printf '%s\n' "${passed[@]}" | sort -n)
printf 'ok: %d rounds, everything gone after %d ms (median), %d ms at most\n' "$n" \
    "${passed[n / 2]}" "${passed[n - 1]}"
