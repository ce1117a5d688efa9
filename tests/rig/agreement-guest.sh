#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs in the guest of rig.sh: makes a drive of known service time, runs fio and ours by
# turns on one file on it, writes a line of JSON per run to $RESULTS/runs. See agreement.sh.
#
#   agreement-guest.sh SERVICE_NS SECONDS PAIRS DEPTH...
set -eu
service_ns=$1 seconds=$2 pairs=$3
shift 3
size=$((64 * 1024 * 1024))
file=/mnt/test

# null_blk completes every request by its own timer, so any number in flight takes the
# service time, and nothing else. Its memory holds a file system, since a raw device is no
# target for us.
make_drive() {
  modprobe null_blk nr_devices=0
  grep -q configfs /proc/mounts || mount -t configfs none /sys/kernel/config
  local drive=/sys/kernel/config/nullb/known
  mkdir "$drive"
  echo 256 > $drive/size
  echo 1 > $drive/memory_backed
  echo 2 > $drive/irqmode
  echo "$service_ns" > $drive/completion_nsec
  echo 128 > $drive/hw_queue_depth
  echo 1 > $drive/power
  mkfs.ext4 -q -O ^has_journal -E lazy_itable_init=0 -m 0 /dev/known
  mount -o noatime /dev/known /mnt
  head -c $size /dev/urandom > $file
  sync
}

run_fio() { # depth
  fio --name=agree --thread --eta=never --filename=$file --size=$size --rw=randread --bs=4k --direct=1 \
    --ioengine=io_uring --iodepth="$1" --norandommap --time_based --ramp_time=100ms --runtime="$seconds" \
    --lat_percentiles=1 --percentile_list=50 --output-format=json > /tmp/fio.json
  # One job, so the first of each name is the job's; busybox has no JSON tool.
  local iops p50
  iops=$(sed -n '/"read"/,/"write"/s/.*"iops" : \([0-9.]*\).*/\1/p' /tmp/fio.json | head -1)
  p50=$(sed -n '/"read"/,/"write"/{/"lat_ns"/,/}/s/.*"50.000000" : \([0-9]*\).*/\1/p;}' /tmp/fio.json | head -1)
  echo "{\"who\": \"fio\", \"depth\": $1, \"iops\": $iops, \"p50_ns\": $p50}"
}

run_ours() { # depth
  local ios=$((seconds * 1000000000 / service_ns * $1)) line
  line=$(bench-loop --target $file --size $size --direct --block 4096 --depth "$1" --ios "$ios")
  echo "$line" | sed -n "s/.*\"ns_per_io\":\([0-9.]*\),\"p50_ns\":\([0-9]*\).*/\1 \2/p" |
    awk -v depth="$1" '{ printf "{\"who\": \"ours\", \"depth\": %d, \"iops\": %.3f, \"p50_ns\": %d}\n",
      depth, 1e9 / $1, $2 }'
}

make_drive
for depth in "$@"; do
  for pair in $(seq "$pairs"); do
    # The order changes, so that a drift of the machine hits both alike.
    if [ $((pair % 2)) = 1 ]; then
      run_fio "$depth"; run_ours "$depth"
    else
      run_ours "$depth"; run_fio "$depth"
    fi
  done
done > "$RESULTS/runs"
