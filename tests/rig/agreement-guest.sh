#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs in the guest of rig.sh: makes drives of known service time, runs fio and fathom-cli by
# turns on a file on each, and leaves their JSON in $RESULTS. See agreement.sh.
#
#   agreement-guest.sh MS PAIRS SERVICE_NS:DEPTH[,DEPTH...]...
set -eu
ms=$1 pairs=$2
shift 2
size=$((16 * 1024 * 1024))
export HOME=/tmp/home XDG_DATA_HOME=/tmp/home XDG_STATE_HOME=/tmp/home
mkdir -p $HOME

modprobe null_blk nr_devices=0
grep -q configfs /proc/mounts || mount -t configfs none /sys/kernel/config

# null_blk completes every request by its own timer, so any number in flight takes the
# service time, and nothing else. Its memory holds a file system, since a raw device is no
# target for us.
make_drive() { # service_ns
  local name=known$1
  local drive=/sys/kernel/config/nullb/$name
  mkdir "$drive" "/mnt/$1"
  echo 64 > "$drive/size"
  echo 1 > "$drive/memory_backed"
  echo 2 > "$drive/irqmode"
  echo "$1" > "$drive/completion_nsec"
  echo 128 > "$drive/hw_queue_depth"
  # A polled request would not wait for the timer.
  echo 0 > "$drive/poll_queues"
  echo 1 > "$drive/power"
  mkfs.ext4 -q -O ^has_journal -E lazy_itable_init=0 -m 0 "/dev/$name"
  mount -o noatime "/dev/$name" "/mnt/$1"
  head -c $size /dev/urandom > "/mnt/$1/fio"
  sync
}

# Both do the same: random reads of 4 KiB past the cache, a ramp of 100 ms, then the time, for
# one depth after the other.
write_plan() { # depths, separated by commas
  cat <<PLAN
{"fathom-plan": 1, "id": "agreement", "name": "Agreement", "summary": "Random reads.",
 "file-size": "${size}B",
 "phases": [{"kind": "sweep", "id": "reads", "axes": [{"vary": "in-flight", "values": [$1]}],
             "phases": [{"kind": "measure", "label": "Reads", "ramp": "100ms",
                         "streams": [{"read": "100%", "pattern": "random", "block": "4KiB",
                                      "in-flight": 1}],
                         "stop": {"time": "${ms}ms"}}]}]}
PLAN
}

run_fio() { # service_ns depths pair
  local jobs=() depth
  for depth in ${2//,/ }; do
    jobs+=(--name="$depth" --stonewall --iodepth="$depth" --filename="/mnt/$1/fio" --size=$size
      --rw=randread --bs=4k --direct=1 --ioengine=io_uring --norandommap --thread --time_based
      --ramp_time=100ms --runtime="${ms}ms")
  done
  fio --eta=never --lat_percentiles=1 --percentile_list=50 --output-format=json \
    --output="$RESULTS/$1-$3-fio.json" "${jobs[@]}"
}

run_ours() { # service_ns depths pair
  write_plan "$2" > /tmp/plan.json
  fathom-cli run /tmp/plan.json "/mnt/$1" --keep-free 0 --json --output /tmp/run.fathom \
    > "$RESULTS/$1-$3-ours.json" 2> /tmp/errors || { cat /tmp/errors >&2; exit 1; }
  rm /tmp/run.fathom
}

for what in "$@"; do
  service_ns=${what%%:*} depths=${what#*:}
  make_drive "$service_ns"
  for pair in $(seq "$pairs"); do
    # The order changes, so that a drift of the machine hits both alike.
    if [ $((pair % 2)) = 1 ]; then
      run_fio "$service_ns" "$depths" "$pair"
      run_ours "$service_ns" "$depths" "$pair"
    else
      run_ours "$service_ns" "$depths" "$pair"
      run_fio "$service_ns" "$depths" "$pair"
    fi
  done
done
