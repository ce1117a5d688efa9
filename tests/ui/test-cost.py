#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window costs beyond an empty GTK window on the same machine in the same minute: until it
is painted, in memory, and in a quiet second.  Numbers are printed; gates are loose, since a busy
machine is not a bug, and on processor time rather than on the clock."""
import json
import os
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from driver import Cases
from fathom import BUILD, WINDOW, Target, open_and_run, stop_run

FIRST_FRAME = os.path.join(BUILD, "tests/ui/first-frame")
EMPTY = os.path.join(BUILD, "tests/ui/empty-window")
N_PAIRS = 5
MORE_CPU_MS = 200 # until painted and settled
MORE_MEMORY_KB = 50 * 1024
IDLE_SHARE = 0.01 # of one processor
WATCH_PERCENT = 5 # of one processor; 1 is what we are after, and what is printed tells

cases = Cases("cost")


def measure(desk, program, seconds=1):
    result = subprocess.run([FIRST_FRAME, str(seconds), program], env=desk.environment,
                            capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{program}: {result.stderr}"
    return json.loads(result.stdout)


def difference(pairs, key):
    """Median of the differences within pairs: what both suffer from drops out."""
    return statistics.median(ours[key] - empty[key] for empty, ours in pairs)


@cases.add("starts-nearly-as-soon-as-an-empty-window")
def start(desk):
    measure(desk, WINDOW) # files into the page cache
    pairs = [(measure(desk, EMPTY), measure(desk, WINDOW)) for _ in range(N_PAIRS)]
    painted, cpu, memory = (difference(pairs, key) for key in ("painted_ms", "cpu_ms", "pss_kb"))
    print(f"# beyond an empty window: painted {painted:+.0f} ms, processor {cpu:+.0f} ms, "
          f"memory {memory / 1024:+.1f} MiB")
    assert cpu <= MORE_CPU_MS, f"{cpu:.0f} ms of processor time more than an empty window"
    assert memory <= MORE_MEMORY_KB, f"{memory / 1024:.1f} MiB more than an empty window"


@cases.add("does-nothing-when-nothing-happens")
def idle(desk):
    seconds = 5
    spent = measure(desk, WINDOW, seconds)["idle_cpu_ms"]
    print(f"# {spent:.0f} ms of processor time in {seconds} quiet seconds after the start")
    # What is left to do after the first frame is not idleness yet.
    assert spent <= seconds * 1000 * IDLE_SHARE + 60, f"{spent:.0f} ms"


def spent_ms(pid):
    """User and system time of a process."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) * 1000 / os.sysconf("SC_CLK_TCK")


def moved_bytes(pid):
    """What a process had read from and written to disks."""
    with open(f"/proc/{pid}/io", encoding="ascii") as file:
        values = dict(line.split(": ") for line in file.read().splitlines())
    return int(values["read_bytes"]) + int(values["write_bytes"])


@cases.add("watches-a-run-without-getting-in-its-way")
def watch(desk):
    seconds = 8
    with Target() as target:
        app = open_and_run(desk, target, "3s")
        pid = app.process.pid
        time.sleep(2)
        before, moved = spent_ms(pid), moved_bytes(pid)
        time.sleep(seconds)
        spent, moved = spent_ms(pid) - before, moved_bytes(pid) - moved
        opened = [os.readlink(entry.path) for entry in os.scandir(f"/proc/{pid}/fd")]
        stop_run(app)
    share = spent / seconds / 10
    print(f"# watching a run: {share:.1f} % of a processor, {moved} bytes to and from disks")
    assert share <= WATCH_PERCENT, f"{share:.1f} % of a processor"
    assert not [path for path in opened if path.startswith(target)], "it has files of the target open"
    assert moved <= 1 << 20, f"{moved} bytes to and from disks"


sys.exit(cases.main())
