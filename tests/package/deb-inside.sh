#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Inside a bare system: the package is installed with what it depends on and no more, the window
# comes up from the menu entry, a run goes through, and after removal nothing is left. Run by try.sh.
set -eu
id=io.github.fathom.Fathom

fail() {
    echo "FAILED: $*"
    exit 1
}

# What is on the disk, but for what dpkg, apt and logging keep for themselves.
list_files() {
    find / -xdev \( -path /trial -o -path /proc -o -path /var/lib/dpkg -o -path /var/lib/apt \
        -o -path /var/cache -o -path /var/log -o -path /tmp -o -path /root -o -path /run \
        -o -path /home \) -prune -o -print | sort
}

useradd -m reviewer
apt-get -qq update
apt-get -qq install -y --no-install-recommends /trial/fathom_*.deb desktop-file-utils >/dev/null
dpkg --purge fathom >/dev/null
list_files >/tmp/before
dpkg -i /trial/fathom_*.deb >/dev/null

# The menu, the type of our files and their icon, as the desktop knows them after installing.
entry=/usr/share/applications/$id.desktop
grep -q "application/x-fathom-run=$id.desktop" /usr/share/applications/mimeinfo.cache ||
    fail "the desktop does not know who opens a run"
grep -q application/x-fathom-run /usr/share/mime/types || fail "the type of runs is not known"

as_user() { su reviewer -s /bin/sh -c "cd; $*"; }
mkdir /trial/target
chown reviewer /trial/target
as_user "fathom-cli run quick sim:tlc --output sim.fathom" >/tmp/sim
as_user "fathom-cli run c-sync-file /trial/target --set size=64MiB"

# What a click in the menu does, with a file, as a double click would.
command=$(sed -n 's/^Exec=//p' "$entry" | sed 's/%[fFuU]/sim.fathom/')
runtime=$(mktemp -d)
chown reviewer "$runtime"
su reviewer -s /bin/sh -c "cd; DISPLAY=$DISPLAY XDG_RUNTIME_DIR=$runtime GDK_BACKEND=x11 \
    GSK_RENDERER=cairo exec $command" >/tmp/window.log 2>&1 &
window=$!
for _ in $(seq 150); do
    sleep 0.2
    kill -0 "$window" 2>/dev/null || {
        cat /tmp/window.log
        fail "the window ended"
    }
    [ ! -e /trial/seen ] || break
done
[ -e /trial/seen ] || fail "no window came up"
cat /tmp/window.log
kill "$window"
wait "$window" || true

dpkg --purge fathom
list_files >/tmp/after
diff /tmp/before /tmp/after || fail "something was left behind"
grep -r fathom /usr/share/applications/mimeinfo.cache /usr/share/mime/types &&
    fail "the desktop still knows it"
exit 0
