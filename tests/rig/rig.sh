#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# rig.sh - run a program inside a small emulated PC that has a real Linux NVMe driver
# talking to QEMU's NVMe controller (software emulation, no KVM needed).
#
#   rig.sh prepare                      build the cached parts (kernel, base image), nothing else
#   rig.sh run [options] -o DIR -- CMD [ARG...]
#
# CMD that names an existing host file is copied into the guest together with the shared
# libraries it needs; anything else is run as a guest command by bash. Example:
#   rig.sh run -o res -- ./mytest --dev /dev/nvme0n1
#   rig.sh run -o res -f ./mytest -- 'mytest /dev/nvme0n1 && nvme smart-log /dev/nvme0'
#
# DIR gets: stdout stderr rc dmesg console.log qemu.log times, and files/ (what CMD put in $RESULTS).
# Exit status: that of CMD; 124 if CMD ran past the limit; 125 if the rig itself failed
# (guest crashed, did not boot, or gave no result) - see console.log and qemu.log.
#
# The kernel and tools are Debian packages, fetched once through apt; what is built of them
# is kept in $RIG_CACHE (default ~/.cache/fathom/rig, about 300 MB) until this file changes.
# Missing host packages are installed, which needs root. Nothing but the cache, DIR and a
# work folder inside the cache is written; no device of the host is touched.
#
# options
#   -o DIR            results folder (needed; made if absent)
#   -t SEC            limit for CMD inside the guest (default 120); the whole guest is killed 60 s after that
#   -n SIZE:LBS[:X]   one namespace, repeatable (default two: 256M:512 and 256M:4096). X: more nvme-ns
#                     properties, for example 64M:4096:zoned=true,zoned.zone_size=16M
#   -e N:RULES        errors on namespace N through blkdebug, e.g. 1:event=none,iotype=read,sector=2048,errno=5
#                     (repeatable: several rules)
#   -T N:LIMITS       throttle namespace N, e.g. 2:x-bps-write=4194304,x-bps-write-max=25165824,x-bps-write-max-length=3
#   -p N              nvme.poll_queues (default 2; 0 turns polled queues off)
#   -a "ARGS"         more kernel arguments, e.g. nvme_core.io_timeout=5
#   -f FILE           also copy FILE (with its libraries) to /payload; repeatable
#   -l LAYER          add an optional layer: fio | fs (xfs/btrfs tools); repeatable
#   -m MB -s CPUS     guest memory (1024) and CPUs (2)
#   -c "PROPS"        more properties of the nvme controller, e.g. mdts=5,max_ioqpairs=4
#   -i SHIFT          virtual time: an instruction takes 2^SHIFT ns, idling takes none, however busy the host is
#   -q "ARGS"         more QEMU arguments (split at blanks)
#   -F                let FLUSH reach the host disk (default: ignored by the host, quicker)
#   -v                show the guest's console while it runs
# In the guest: $RESULTS, $PATH starts with /payload; `mon CMD` runs a QEMU monitor command
# (device_del nvme0, device_add ..., qom-set ..., info block), `qmp JSON` sends raw QMP.
# QEMU ids: controller nvme0 on root port rp0 (spare port rp1); namespace N: device nsN, file node fileN,
# blkdebug node errN, throttle node thrN, throttle group tgN. Guest nodes: /dev/nvme0nN and /dev/ng0nN.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd); self=$here/$(basename "${BASH_SOURCE[0]}")
CACHE=${RIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fathom/rig}; KCONF=${RIG_KERNEL_PKG:-linux-image-cloud-amd64}
say() { echo "rig: $*" >&2; }
die() { say "$*"; exit 125; }

# --- building the cached parts -------------------------------------------------------------
pkgs() { # install what the host lacks
  local m=() b p
  while read -r b p; do command -v "$b" >/dev/null || m+=("$p"); done <<'L'
qemu-system-x86_64 qemu-system-x86
busybox busybox-static
cpio cpio
lz4 lz4
nvme nvme-cli
dmsetup dmsetup
strace strace
L
  [ ${#m[@]} = 0 ] && return 0
  say "installing ${m[*]}"
  apt-get -qq update && nice apt-get -qq -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "${m[@]}" >/dev/null || die "cannot install ${m[*]}"
}
debget() { # package folder: fetch (once) and unpack a Debian package without installing it
  local d=$CACHE/deb; mkdir -p "$d" "$2"
  ls "$d/$1"_*.deb >/dev/null 2>&1 || (cd "$d" && apt-get -o APT::Sandbox::User=root -qq download "$1") || die "cannot download $1"
  dpkg -x "$d/$1"_*.deb "$2"
}
addbin() { # root dest file...: copy with shared libraries
  local r=$1 dst=$2 b l; shift 2; mkdir -p "$r/$dst" "$r/lib64" "$r/lib/x86_64-linux-gnu"
  for b in "$@"; do
    cp -L "$b" "$r/$dst/" || return 1
    ldd "$b" 2>/dev/null | grep -oE '/[^ )]+' | while read -r l; do
      case $l in /lib64/*) cp -nL "$l" "$r/lib64/";; *) cp -nL "$l" "$r/lib/x86_64-linux-gnu/";; esac; done
  done; return 0
}
pack() { (cd "$1" && find . -mindepth 1 | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0) > "$2.tmp" && mv "$2.tmp" "$2"; }
unzimage() { # bzImage -> ELF vmlinux, so that the guest need not unpack it (needs CONFIG_PVH)
  local f=$1 o=$2 ss po pl; u() { od -An -j "$2" -N "$3" -t u"$3" "$1" | tr -d ' '; }
  ss=$(u "$f" 497 1); po=$(u "$f" 584 4); pl=$(u "$f" 588 4)
  tail -c +$(( (ss + 1) * 512 + po + 1 )) "$f" | head -c $((pl - 4)) > "$o.z"
  case $(od -An -N4 -t x1 "$o.z" | tr -d ' ') in
    02214c18) lz4 -qdc "$o.z" > "$o";; fd377a58) xz -qdc "$o.z" > "$o";; 1f8b*) gzip -qdc "$o.z" > "$o";; 28b52ffd) zstd -qdc "$o.z" > "$o";; *) false;;
  esac; local rc=$?; rm -f "$o.z"; [ $rc = 0 ] && [ "$(head -c4 "$o" | tail -c3)" = ELF ]
}
build() {
  local w=$CACHE/build k kv md r n
  pkgs; mkdir -p "$w"; rm -rf "$w"/root.*
  k=$(apt-cache depends "$KCONF" | awk '/Depends: linux-image-[0-9]/{print $2; exit}')
  [ -n "$k" ] || { apt-get -qq update; k=$(apt-cache depends "$KCONF" | awk '/Depends: linux-image-[0-9]/{print $2; exit}'); }
  [ -n "$k" ] || die "no kernel behind $KCONF"
  [ -d "$w/$k/lib/modules" ] || { say "fetching $k"; rm -rf "$w/$k"; debget "$k" "$w/$k"; }
  kv=$(ls "$w/$k/lib/modules"); md=$w/$k/lib/modules/$kv
  unzimage "$w/$k/boot/vmlinuz-$kv" "$CACHE/kernel" || cp "$w/$k/boot/vmlinuz-$kv" "$CACHE/kernel"
  # base: busybox, modules, init
  r=$w/root.base; mkdir -p "$r"/{bin,sbin,dev,proc,sys,tmp,run,etc,mnt,results,payload,usr/bin,usr/sbin}
  need() { local n=${1//-/_} f o d
    f=$(find "$md" -name '*.ko' | awk -F/ -v n="$n" '{b=$NF; sub(/\.ko$/,"",b); gsub(/-/,"_",b); if (b==n) {print; exit}}')
    [ -n "$f" ] || return 0                      # built in
    o=$r/lib/modules/$kv/${f#"$md"/}; [ -e "$o" ] && return 0
    mkdir -p "$(dirname "$o")"; cp "$f" "$o"
    for d in $(grep -aoP '(?<=\0)depends=\K[^\0]*' "$f" | tr , ' '); do need "$d"; done; }
  for n in virtio_pci virtio_console virtio_blk nvme ext4 xfs btrfs vfat null_blk loop brd zram dm_mod dm_delay dm_flakey dm_zero scsi_debug sd_mod; do need $n; done
  cp "$md"/modules.{order,builtin,builtin.modinfo} "$r/lib/modules/$kv/"; busybox depmod -b "$r" "$kv"
  cp -L "$(command -v busybox)" "$r/bin/busybox"
  sed -n '/^#INIT-BEGIN/,/^#INIT-END/p' "$self" | sed 's/^#> \?//; /^#INIT/d' > "$r/init"; chmod 755 "$r/init"
  sed -n '/^#MON-BEGIN/,/^#MON-END/p' "$self" | sed 's/^#> \?//; /^#MON/d' > "$r/usr/bin/mon"; chmod 755 "$r/usr/bin/mon"; ln -s mon "$r/usr/bin/qmp"
  addbin "$r" usr/bin /bin/bash
  # the tools a storage test wants; those absent on the host come from unpacked packages
  local x=$w/extra; mkdir -p "$x"
  for n in fdisk lvm2 libdevmapper-event1.02.1 libaio1; do debget $n "$x"; done
  export LD_LIBRARY_PATH=$x/lib/x86_64-linux-gnu:$x/usr/lib/x86_64-linux-gnu
  addbin "$r" usr/bin $(for n in nvme blkid mkfs.ext4 blkdiscard wipefs dmsetup losetup lsblk findmnt mkswap swapon swapoff strace timeout flock; do command -v $n; done) "$x/sbin/sfdisk" "$x/sbin/lvm" || die "tools"
  pack "$r" "$CACHE/base.cpio"; unset LD_LIBRARY_PATH
  rm -rf "$w/root.base"; echo "$k" > "$CACHE/kernel.name"
}
layer() { # optional layers, built when first asked for
  local w=$CACHE/build r=$CACHE/build/root.$1 x=$CACHE/build/extra n; [ -s "$CACHE/layer.$1.cpio" ] && return 0
  rm -rf "$r"; mkdir -p "$r"
  case $1 in
    fio) command -v fio >/dev/null || nice apt-get -qq -o DPkg::Lock::Timeout=600 install -y --no-install-recommends fio >/dev/null; addbin "$r" usr/bin "$(command -v fio)" || die "no fio";;
    fs) for n in xfsprogs btrfs-progs libinih1 liburcu8; do debget $n "$x"; done
        export LD_LIBRARY_PATH=$x/lib/x86_64-linux-gnu:$x/usr/lib/x86_64-linux-gnu
        addbin "$r" usr/bin "$x/sbin/mkfs.xfs" "$x"/sbin/mkfs.btrfs; unset LD_LIBRARY_PATH;;
    *) die "no layer $1";;
  esac
  pack "$r" "$CACHE/layer.$1.cpio"; rm -rf "$r"
}
prepare() {
  mkdir -p "$CACHE"; exec 9>"$CACHE/lock"; flock 9
  local stamp; stamp=$(sha256sum < "$self")
  if [ "$(cat "$CACHE/stamp" 2>/dev/null)" != "$stamp" ]; then say "building cached parts in $CACHE"; rm -f "$CACHE"/layer.*.cpio; build; echo "$stamp" > "$CACHE/stamp"; fi
  local l; for l in "$@"; do layer "$l"; done
  exec 9>&-
}

# --- one run -------------------------------------------------------------------------------
run() {
  local out= lim=120 pq=2 app= mem=1024 cpus=2 ctl= qx= accel=thread=multi icount= flush=on verbose= ns=() err=() thr=() files=() layers=() o OPTIND=1
  while getopts o:t:n:e:T:p:a:f:l:m:s:c:i:q:Fv o; do case $o in
    o) out=$OPTARG;; t) lim=$OPTARG;; n) ns+=("$OPTARG");; e) err+=("$OPTARG");; T) thr+=("$OPTARG");; p) pq=$OPTARG;; a) app=$OPTARG;;
    f) files+=("$OPTARG");; l) layers+=("$OPTARG");; m) mem=$OPTARG;; s) cpus=$OPTARG;; c) ctl=,$OPTARG;; i) accel=thread=single icount="-icount shift=$OPTARG,sleep=off";; q) qx=$OPTARG;; F) flush=off;; v) verbose=1;; *) die "bad option";; esac; done
  shift $((OPTIND - 1)); [ -n "$out" ] || die "-o DIR is needed"; [ $# -gt 0 ] || die "no command"
  [ ${#ns[@]} -gt 0 ] || ns=(256M:512 256M:4096)
  prepare ${layers[@]+"${layers[@]}"}
  mkdir -p "$out" "$CACHE/run"; out=$(cd "$out" && pwd); rm -rf "$out"/{stdout,stderr,rc,dmesg,console.log,qemu.log,times,files}
  local w; w=$(mktemp -d "${RIG_TMP:-$CACHE/run}/r.XXXXXX") || die "no work folder"
  RIG_W=$w; RIG_Q=; trap '[ -n "$RIG_Q" ] && kill "$RIG_Q" 2>/dev/null; rm -rf "$RIG_W"' EXIT; trap 'exit 125' INT TERM
  # payload: the command, its files and their libraries, as one more cpio behind the base
  local p=$w/p f; mkdir -p "$p/payload"
  if [ -f "$1" ]; then files+=("$1"); f=/payload/$(basename "$1"); shift; { printf '%q ' "$f" "$@"; echo; } > "$p/payload/.cmd"
  elif [ $# = 1 ]; then printf '%s\n' "$1" > "$p/payload/.cmd"; else { printf '%q ' "$@"; echo; } > "$p/payload/.cmd"; fi
  for f in ${files[@]+"${files[@]}"}; do [ -f "$f" ] || die "no file $f"; addbin "$p" payload "$f" || die "cannot copy $f"; done
  echo "$lim" > "$p/payload/.limit"; echo ${#ns[@]} > "$p/payload/.ns"
  pack "$p" "$w/payload.cpio"
  { cat "$CACHE/base.cpio"; for f in ${layers[@]+"${layers[@]}"}; do cat "$CACHE/layer.$f.cpio"; done; cat "$w/payload.cpio"; } > "$w/initrd"
  # namespaces
  local q=() i=0 s size lbs more node e k
  q+=(-device pcie-root-port,id=rp0,chassis=1,slot=1 -device pcie-root-port,id=rp1,chassis=2,slot=2 -device "nvme,id=nvme0,bus=rp0,serial=RIG0$ctl")
  for s in "${ns[@]}"; do
    i=$((i + 1)); IFS=: read -r size lbs more <<< "$s"; truncate -s "$size" "$w/ns$i.raw" || die "namespace $s"
    q+=(-blockdev "driver=file,filename=$w/ns$i.raw,node-name=file$i,discard=unmap,cache.no-flush=$flush"); node=file$i; k=0; e=
    for f in ${err[@]+"${err[@]}"}; do [ "${f%%:*}" = $i ] || continue; e+=$(tr , '\n' <<< "${f#*:}" | sed "s/^/,inject-error.$k./" | tr -d '\n'); k=$((k + 1)); done
    [ -n "$e" ] && { q+=(-blockdev "driver=blkdebug,image=$node,node-name=err$i$e"); node=err$i; }
    for f in ${thr[@]+"${thr[@]}"}; do [ "${f%%:*}" = $i ] || continue; q+=(-object "throttle-group,id=tg$i,${f#*:}" -blockdev "driver=throttle,throttle-group=tg$i,file=$node,node-name=thr$i"); node=thr$i; done
    q+=(-device "nvme-ns,id=ns$i,bus=nvme0,nsid=$i,drive=$node,logical_block_size=$lbs,physical_block_size=$lbs${more:+,$more}")
  done
  # two crossed pipes join a guest serial port to the monitor: no helper process on the host
  mkfifo "$w/to" "$w/from"; ln -s to "$w/g.out"; ln -s from "$w/g.in"; ln -s to "$w/m.in"; ln -s from "$w/m.out"
  local t0 t1 qrc; t0=$(date +%s%N); : > "$out/console.log"
  # shellcheck disable=SC2086
  nice -n 5 timeout -k 5 $((lim + 60)) qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot \
    -machine q35 -accel "tcg,$accel" $icount -cpu max -smp "$cpus" -m "$mem" -bios qboot.rom \
    -kernel "$CACHE/kernel" -initrd "$w/initrd" \
    -append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr audit=0 no_timer_check tsc=reliable rcupdate.rcu_expedited=1 cryptomgr.notests raid=noautodetect nvme.poll_queues=$pq $app" \
    -serial "file:$out/console.log" -device virtio-serial-pci \
    -chardev "file,id=res,path=$w/res.tar" -device virtserialport,chardev=res,name=results \
    -chardev "pipe,id=g,path=$w/g" -device virtserialport,chardev=g,name=monitor -chardev "pipe,id=m,path=$w/m" -mon chardev=m,mode=control \
    "${q[@]}" $qx > "$out/qemu.log" 2>&1 < /dev/null &
  RIG_Q=$!; [ -n "$verbose" ] && tail -n +1 -f --pid=$RIG_Q "$out/console.log" >&2 &
  wait "$RIG_Q"; qrc=$?; RIG_Q=; t1=$(date +%s%N)
  [ -s "$w/res.tar" ] && tar xf "$w/res.tar" -C "$out" --no-same-owner 2>/dev/null
  echo "total_ms=$(( (t1 - t0) / 1000000 )) qemu_rc=$qrc kernel=$(cat "$CACHE/kernel.name")" >> "$out/times"
  [ -s "$out/rc" ] || { say "no result from the guest (qemu status $qrc)"; tail -n 5 "$out/console.log" "$out/qemu.log" >&2; exit 125; }
  exit "$(cat "$out/rc")"
}
case ${1:-} in prepare) shift; prepare "$@";; run) shift; run "$@";; *) sed -n '2,/^set -u/p' "$self" | sed '$d; s/^# \?//'; exit 2;; esac
exit

# Below: files of the guest, each line behind '#> '.
#INIT-BEGIN
#> #!/bin/busybox sh
#> /bin/busybox mount -t proc proc /proc; read up0 x < /proc/uptime
#> /bin/busybox --install -s /bin; export PATH=/payload:/usr/bin:/usr/sbin:/bin:/sbin HOME=/tmp TERM=dumb LC_ALL=C RESULTS=/results/files
#> mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mkdir -p /dev/shm /dev/pts /results/files
#> mount -t tmpfs tmpfs /dev/shm; mount -t tmpfs tmpfs /tmp; mount -t tmpfs tmpfs /run; mount -t devpts devpts /dev/pts; mount -t debugfs none /sys/kernel/debug
#> ln -sf /proc/self/fd /dev/fd; ln -sf /proc/mounts /etc/mtab; ulimit -l unlimited; ulimit -c 0; hostname rig
#> modprobe -a virtio_pci virtio_console nvme 2>/dev/null
#> i=0; while [ $i -lt 200 ] && { [ ! -e /dev/vport0p2 ] && [ ! -e /dev/vport1p2 ] || [ ! -e /dev/nvme0 ]; }; do usleep 20000; i=$((i + 1)); done
#> read up1 x < /proc/uptime; echo "rig: ready at $up1 s"
#> # the driver scans namespaces in the background
#> i=0; while [ $i -lt 200 ] && [ "$(ls -d /sys/class/nvme/nvme0/nvme0n* 2>/dev/null | wc -l)" -lt "$(cat /payload/.ns)" ]; do usleep 20000; i=$((i + 1)); done
#> cd /payload; /usr/bin/timeout -k 5 "$(cat .limit)" /usr/bin/bash ./.cmd > /results/stdout 2> /results/stderr < /dev/null; rc=$?
#> echo $rc > /results/rc; read up2 x < /proc/uptime; echo "init_s=$up0 ready_s=$up1 end_s=$up2" > /results/times
#> dmesg > /results/dmesg; cat /results/stdout /results/stderr | tail -50
#> for p in /sys/class/virtio-ports/*; do [ "$(cat $p/name)" = results ] && tar cf "/dev/$(basename $p)" -C /results .; done
#> echo "rig: command status $rc at $up2 s"; poweroff -f
#INIT-END
#MON-BEGIN
#> #!/usr/bin/bash
#> # mon CMD...: run a QEMU monitor command and print its answer.  qmp JSON: raw QMP.
#> for p in /sys/class/virtio-ports/*; do [ "$(cat $p/name)" = monitor ] && d=/dev/${p##*/}; done
#> exec 8>/run/mon.lock; flock 8; exec 7<>"$d" || exit 1
#> ask() { echo "$1" >&7; while IFS= read -r -t 10 l <&7; do case $l in '{"return"'*|'{"error"'*) echo "$l"; return;; '{"timestamp"'*) echo "$l" >> /run/mon.events;; esac; done; echo '{"error": "no answer"}'; }
#> ask '{"execute":"qmp_capabilities"}' > /dev/null
#> case ${0##*/} in qmp) r=$(ask "$*"); echo "$r";; *) c=${*//\\/\\\\}; c=${c//\"/\\\"}; r=$(ask '{"execute":"human-monitor-command","arguments":{"command-line":"'"$c"'"}}'); t=${r#*: \"}; t=${t%\"\}*}; printf '%b' "$t";; esac
#> case $r in '{"error"'*|*rror:*|*'"unknown command'*) exit 1;; esac
#MON-END
