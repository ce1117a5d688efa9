#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Inside a bare system: the archive is unpacked into a folder with a blank, and a run, its
# figures and both languages work with nothing else installed. Run by try.sh.
set -eu

apt-get -qq update
apt-get -qq install -y --no-install-recommends xz-utils >/dev/null
mkdir -p "/opt/some where"
tar -C "/opt/some where" -xf /trial/fathom-*.tar.xz
cd "/opt/some where"/fathom-*/
cli=$PWD/bin/fathom-cli

fail() {
    echo "FAILED: $*"
    exit 1
}

for file in bin/fathom-cli libexec/fathom/fathom-worker; do
    ldd "$file" | grep 'not found' && fail "$file lacks a library"
done

# As an ordinary user with a home of its own, where nothing can be written beside the program.
useradd -m reviewer
mkdir /trial/target
chown reviewer /trial/target
as_user() { su reviewer -s /bin/sh -c "cd; $*"; }

as_user "'$cli' --version"
as_user "'$cli' plans >/dev/null"
as_user "'$cli' run quick sim:tlc --output sim.fathom" >/tmp/sim
as_user "'$cli' run c-sync-file /trial/target --set size=64MiB --output real.fathom"
as_user "'$cli' figures sim.fathom" >/tmp/figures
cat /tmp/figures
id=$(awk 'NR > 1 && $1 ~ /^[A-Z][0-9]/ { print $1; exit }' /tmp/figures)
[ -n "$id" ] || fail "no figure is offered"
for format in png svg pdf csv; do
    as_user "'$cli' figure sim.fathom --id '$id' -o 'figure.$format'"
    [ "$(stat -c %s "/home/reviewer/figure.$format")" -gt 300 ] || fail "figure.$format is empty"
done
as_user "'$cli' figure sim.fathom --id '$id' --language ko -o korean.svg" 2>/tmp/complaints
[ ! -s /tmp/complaints ] || fail "it complains: $(cat /tmp/complaints)"
cmp -s /home/reviewer/figure.svg /home/reviewer/korean.svg && fail "Korean figures are English"
as_user "'$cli' drives"
