#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2317 # what claim() calls is not seen to be called
# Tries the packages where nobody has prepared anything: the .deb in a bare Debian 12, where its
# window must come up from the menu entry and nothing may stay behind; the archive in a bare
# Debian 12 and 13, where a run must go through and a figure come out.
#
# Usage: try.sh BUILD DEB ARCHIVE      as root; prints TAP
#
# The systems are made with debootstrap once and kept in BUILD/systems. Each trial sees one of
# them through an overlay in a mount namespace of its own, so that nothing is left mounted.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
build=$(readlink -f "$1")
deb=$(readlink -f "$2")
archive=$(readlink -f "$3")
mirror=${FATHOM_TEST_MIRROR:-http://deb.debian.org/debian}

skip() {
    echo "1..0 # SKIP $*"
    exit 77
}

[ "$EUID" = 0 ] || skip "debootstrap needs root"
for tool in debootstrap unshare Xvfb xdotool; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
done

work=$(mktemp -d "$build/trial-XXXXXX")
screen=
cleanup() {
    [ -z "$screen" ] || kill "$screen" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap cleanup EXIT

# make_system SUITE: a bare system, complete or not there at all.
make_system() {
    local system=$build/systems/$1
    [ ! -d "$system" ] || return 0
    mkdir -p "$build/systems"
    rm -rf --one-file-system "$system.new"
    debootstrap --variant=minbase "$1" "$system.new" "$mirror" >"$build/systems/$1.log" 2>&1 || {
        tail -n 5 "$build/systems/$1.log" | sed 's/^/# /'
        return 1
    }
    mv "$system.new" "$system"
}

start_screen() {
    Xvfb -displayfd 5 -screen 0 1280x800x24 -nolisten tcp 5>"$work/display" >/dev/null 2>&1 &
    screen=$!
    for _ in $(seq 100); do
        [ ! -s "$work/display" ] || break
        sleep 0.1
    done
    DISPLAY=:$(cat "$work/display")
    export DISPLAY
}

# Tells the trial when a window of ours is on the screen, and keeps a picture of it.
watch_screen() {
    local trial=$1
    for _ in $(seq 600); do
        sleep 0.5
        xdotool search --onlyvisible --name Fathom >/dev/null 2>&1 || continue
        sleep 2
        import -window root "$build/package-window.png" 2>/dev/null || true
        touch "$trial/trial/seen"
        return
    done
}

# inside SUITE SCRIPT FILE…: runs SCRIPT in the system, with FILEs in /trial.
inside() {
    local suite=$1 script=$2 trial
    shift 2
    make_system "$suite" || return 1
    trial=$(mktemp -d "$work/$suite-XXXXXX")
    mkdir "$trial/upper" "$trial/work" "$trial/root" "$trial/trial"
    cp "$here/$script" "$@" "$trial/trial/"
    watch_screen "$trial" &
    watcher=$!
    # shellcheck disable=SC2016 # expanded inside
    unshare --mount --pid --fork --kill-child bash -euc '
        mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
        mkdir -p "$2/root/trial"
        mount --bind "$2/trial" "$2/root/trial"
        mount -t proc proc "$2/root/proc"
        mount --rbind /dev "$2/root/dev"
        mkdir -p "$2/root/tmp/.X11-unix"
        mount --bind /tmp/.X11-unix "$2/root/tmp/.X11-unix"
        cp /etc/resolv.conf "$2/root/etc/resolv.conf"
        exec chroot "$2/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
            DEBIAN_FRONTEND=noninteractive DISPLAY="${DISPLAY:-}" ${http_proxy:+http_proxy="$http_proxy"} \
            sh -eu "/trial/$3"
    ' trial "$build/systems/$suite" "$trial" "$script" >"$trial/log" 2>&1 && failed_inside= || failed_inside=yes
    kill "$watcher" 2>/dev/null || true
    [ -n "$failed_inside" ] || return 0
    sed 's/^/# /' "$trial/log" | tail -n 40
    return 1
}

n=0
failed=0
claim() { # NAME COMMAND…
    local name=$1
    shift
    n=$((n + 1))
    if "$@"; then
        echo "ok $n /package/$name"
    else
        echo "not ok $n /package/$name"
        failed=1
    fi
}

echo 1..4
start_screen
claim deb-is-sound "$here/deb-lint.sh" "$deb"
claim deb-installs-starts-and-leaves-nothing inside bookworm deb-inside.sh "$deb"
claim archive-runs-on-debian-12 inside bookworm archive-inside.sh "$archive"
claim archive-runs-on-debian-13 inside trixie archive-inside.sh "$archive"
exit $failed
