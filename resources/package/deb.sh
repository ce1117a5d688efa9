#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a Debian package of a build whose prefix is /usr.
#
# Usage: deb.sh BUILD FOLDER      the package lands in FOLDER; its path is printed
#
# Staged with `meson install` and packed with dpkg-deb. There are no maintainer scripts: the
# caches of menu, MIME types and icons are brought up to date by the triggers of their owners.
# Run by the same files and date, it makes the same bytes.
set -eu

here=$(dirname "$(readlink -f "$0")")
root=$(readlink -f "$here/../..")
build=$(readlink -f "$1")
mkdir -p "$2"
out=$(readlink -f "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/fathom

version=$(meson introspect --projectinfo "$build" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["version"])')
architecture=$(dpkg --print-architecture)
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
    SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)
fi
export SOURCE_DATE_EPOCH
maintainer=$(git -C "$root" log -1 --format='%an <%ae>' 2>/dev/null || echo 'root <root@localhost>')

meson install -C "$build" --no-rebuild --quiet --strip --destdir "$stage"
if [ ! -d "$stage/usr" ]; then
    echo "deb.sh: $build was not set up with --prefix=/usr" >&2
    exit 1
fi

# The licences: ours, and that of the face, which stands beside it.
documents=$stage/usr/share/doc/fathom
mkdir -p "$documents"
cp "$here/copyright" "$documents/copyright"
printf 'fathom (%s) unstable; urgency=medium\n\n  * See README.md and the history of the sources.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date -uR -d "@$SOURCE_DATE_EPOCH")" |
    gzip -9n >"$documents/changelog.gz"

# What the programs link is found out; what they only use is named in `control`.
mkdir -p "$work/debian" "$stage/DEBIAN"
printf 'Source: fathom\n\nPackage: fathom\nArchitecture: any\n' >"$work/debian/control"
programs=$(find "$stage/usr" -type f -perm -u+x)
# shellcheck disable=SC2086 # several programs
depends=$(cd "$work" && dpkg-shlibdeps -O $programs 2>"$work/shlibdeps.log" |
    sed -n 's/^shlibs:Depends=//p') || { cat "$work/shlibdeps.log" >&2; exit 1; }
size=$(du -k -s --apparent-size --exclude=DEBIAN "$stage" | cut -f1)
sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$size/" \
    -e "s/@MAINTAINER@/$maintainer/" -e "s/@DEPENDS@/$depends/" \
    "$here/control.in" >"$stage/DEBIAN/control"
(cd "$stage" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)

find "$stage" -type d -exec chmod 755 {} +
find "$stage" -type f -perm -u+x -exec chmod 755 {} +
find "$stage" -type f ! -perm -u+x -exec chmod 644 {} +
find "$stage" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
package=$out/fathom_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$stage" "$package" >/dev/null
echo "$package"
