#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instructions our own code spends on one I/O, with full latency accounting and ticks on.

callgrind counts every instruction of the process in user space.  A run of N and one of 3N
I/Os differ only in 2N I/Os, so the slope between them is free of start-up, and it is the
same on a busy machine as on an idle one: that is why this is a gate and time is not.

Usage: instructions.py [--gate] BENCH-LOOP
"""
import json
import re
import shutil
import subprocess
import sys

N_IOS = 100_000
SKIPPED = 77
# (label, depth, batch, gate): what io_uring's own t/io_uring needs without our accounting.
CASES = [("QD128 batch 32", 128, 32, 150), ("QD1", 1, 1, 280)]


def loop_command(program, n_ios, depth, batch, *more):
    return [program, "--ios", str(n_ios), "--depth", str(depth), "--batch", str(batch), *more]


def count(command):
    """Returns (instructions, I/Os done) of one run under callgrind."""
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
        capture_output=True, text=True, check=False)
    if result.returncode == SKIPPED:
        print(f"{(result.stdout or result.stderr).strip()}")
        sys.exit(SKIPPED)
    collected = re.search(r"Collected : (\d+)", result.stderr)
    if result.returncode != 0 or collected is None:
        sys.exit(f"{' '.join(command)} ended with {result.returncode}:\n{result.stderr}")
    return int(collected.group(1)), json.loads(result.stdout.splitlines()[-1])["ios"]


def slope(program, depth, batch, *more):
    few, few_ios = count(loop_command(program, N_IOS, depth, batch, *more))
    many, many_ios = count(loop_command(program, 3 * N_IOS, depth, batch, *more))
    return (many - few) / (many_ios - few_ios)


def measure(program, *more):
    """Yields (label, instructions per I/O, gate)."""
    for label, depth, batch, gate in CASES:
        yield label, slope(program, depth, batch, *more), gate


def main():
    arguments = sys.argv[1:]
    gated = arguments[:1] == ["--gate"]
    program = arguments[-1]
    if shutil.which("valgrind") is None:
        print("valgrind is not installed")
        return SKIPPED
    too_many = False
    for label, instructions, gate in measure(program):
        print(f"{label}: {instructions:.0f}", flush=True)
        if gated and instructions > gate:
            print(f"  the limit is {gate}")
            too_many = True
    return 1 if too_many else 0


if __name__ == "__main__":
    sys.exit(main())
