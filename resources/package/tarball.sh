#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the archive for bare servers: command line and worker with every library they need but
# the C library, so that it is unpacked anywhere and runs.
#
# Usage: tarball.sh BUILD FOLDER      the archive lands in FOLDER; its path is printed
#
# BUILD has no window and carries DT_RPATH to ../lib and ../../lib, which, unlike DT_RUNPATH,
# also holds for what the libraries themselves need. Fonts are ours; fontconfig is used without
# the files of a system. The floor is the C library of the machine this is made on.
set -eu

here=$(dirname "$(readlink -f "$0")")
root=$(readlink -f "$here/../..")
build=$(readlink -f "$1")
mkdir -p "$2"
out=$(readlink -f "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

version=$(meson introspect --projectinfo "$build" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["version"])')
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
    SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)
fi
name=fathom-$version-linux-$(uname -m)
top=$work/$name

meson install -C "$build" --no-rebuild --quiet --strip --destdir "$work/stage"
mkdir -p "$top"
cp -r "$work/stage/usr/." "$top/"
cp "$root/LICENSE" "$here/README" "$top/"

# A library comes with the licence that its package states.
mkdir -p "$top/lib" "$top/share/doc"
# shellcheck disable=SC2016 # $ORIGIN is for the loader
for program in "$top/bin/fathom-cli" "$top/libexec/fathom/fathom-worker"; do
    readelf -d "$program" | grep -q 'RPATH.*\$ORIGIN' || {
        echo "tarball.sh: $program has no DT_RPATH" >&2
        exit 1
    }
    ldd "$build/$(basename "$program")"
done | sed -n 's/^.* => \(\/[^ ]*\) .*/\1/p' | sort -u | while read -r library; do
    file=$(basename "$library")
    case "$file" in
    libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | libresolv.so.*) continue ;;
    esac
    cp -L "$library" "$top/lib/$file"
    owner=$(dpkg -S "$library" "$(readlink -f "$library")" 2>/dev/null | head -n 1 | cut -d: -f1)
    [ -z "$owner" ] || cp -n "/usr/share/doc/$owner/copyright" "$top/share/doc/$owner"
done

find "$top" -type d -exec chmod 755 {} +
chmod -R u+w,go-w "$top"
archive=$out/$name.tar.xz
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
    -cJf "$archive" "$name"
echo "$archive"
