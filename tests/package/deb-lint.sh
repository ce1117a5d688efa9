#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What lintian would look at first, without installing it: owners and modes, folders that a
# package may use, licence and changelog, checksums, no build paths and no run paths in programs.
#
# Usage: deb-lint.sh DEB
set -eu
deb=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dpkg-deb -x "$deb" "$work/root"
dpkg-deb -e "$deb" "$work/control"

status=0
complain() {
    echo "# $*"
    status=1
}

dpkg-deb -c "$deb" | awk '$2 != "root/root" { print; found = 1 } END { exit found }' ||
    complain "a file does not belong to root"
dpkg-deb -c "$deb" | awk '$1 !~ /^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--)$/ { print; found = 1 } END { exit found }' ||
    complain "a file has an unusual mode"
find "$work/root" -type f | sed "s|$work/root||" |
    grep -v -E '^/usr/(bin|libexec/fathom|share/(applications|doc/fathom|fathom|icons/hicolor|locale|metainfo|mime/packages))/' &&
    complain "a file lies where none belongs"
for file in copyright changelog.gz; do
    [ -s "$work/root/usr/share/doc/fathom/$file" ] || complain "no $file"
done
(cd "$work/root" && md5sum --quiet -c "$work/control/md5sums") || complain "the checksums are wrong"
[ "$(wc -l <"$work/control/md5sums")" = "$(find "$work/root" -type f | wc -l)" ] ||
    complain "the checksums are not of all files"
for field in Package Version Architecture Maintainer Depends Section Priority Description Homepage; do
    grep -q "^$field: ." "$work/control/control" || complain "no $field"
done
grep -q '@' "$work/control/control" && grep '@[A-Z]*@' "$work/control/control" && complain "a blank was not filled in"
for program in "$work/root/usr/bin/"* "$work/root/usr/libexec/fathom/"*; do
    readelf -d "$program" | grep -E 'R(UN)?PATH' && complain "$program has a run path"
    readelf -S "$program" | grep -q '\.debug_info' && complain "$program is not stripped"
done
exit $status
