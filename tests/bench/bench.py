#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`./dev bench`: what the harness itself costs, measured on the machine it runs on.

Instructions are exact.  Times are not, on a machine that does other things too, so they are
taken in alternating pairs with fio on one CPU, on a target that completes inline, and shown
as the median of the per-pair ratios with their interquartile range.  Nothing here is a gate.

Usage: bench.py [--build FOLDER] [--instructions] [--pairs N]
"""
import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys

import instructions

BLOCK = 512
SHAPES = [("QD128 batch 32", 128, 32, 2_000_000), ("QD1", 1, 1, 400_000)]


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def spread(values, unit="", digits=1):
    low, high = quartiles(values)
    return f"{statistics.median(values):.{digits}f}{unit} (IQR {low:.{digits}f}–{high:.{digits}f})"


def last_cpu():
    """The CPU both sides are pinned to; CPU 0 gets most of the interrupts."""
    return str(max(os.sched_getaffinity(0)))


def pinned(command):
    result = subprocess.run(["taskset", "-c", last_cpu(), *command], capture_output=True,
                            text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def our_ns(program, n_ios, depth, batch, *more):
    output = pinned(instructions.loop_command(program, n_ios, depth, batch, *more))
    return float(json.loads(output.splitlines()[-1])["ns_per_io"])


def fio_ns(n_ios, depth, batch):
    """fio at its best: one thread, registered file and buffers, the same batches."""
    output = pinned([
        "fio", "--name=pair", "--filename=/dev/zero", "--size=1g", f"--bs={BLOCK}",
        "--rw=randread", "--ioengine=io_uring", f"--iodepth={depth}",
        f"--iodepth_batch_submit={batch}", "--iodepth_batch_complete_min=1",
        f"--iodepth_batch_complete_max={batch}", "--fixedbufs", "--registerfiles",
        "--norandommap", "--thread", "--disk_util=0", "--invalidate=0",
        f"--number_ios={n_ios}", "--output-format=json"])
    read = json.loads(output[output.index("{"):])["jobs"][0]["read"]
    return read["runtime"] * 1e6 / read["total_ios"]


def print_pairs(program, n_pairs):
    for label, depth, batch, n_ios in SHAPES:
        ours, theirs = [], []
        for _ in range(n_pairs):
            ours.append(our_ns(program, n_ios, depth, batch))
            theirs.append(fio_ns(n_ios, depth, batch))
        ratios = [a / b for a, b in zip(ours, theirs)]
        print(f"Wall time per I/O, {label}, 512 B reads of /dev/zero, {n_pairs} pairs")
        print(f"  Fathom            {spread(ours, ' ns', 0)}")
        print(f"  fio               {spread(theirs, ' ns', 0)}")
        print(f"  Fathom / fio      {spread(ratios, '', 2)}", flush=True)


def print_harness(program):
    """The null backend does nothing, so what is left is ours."""
    for label, depth, batch, n_ios in SHAPES:
        values = [our_ns(program, 5 * n_ios, depth, batch, "--backend", "null") for _ in range(5)]
        print(f"Harness cost per I/O, {label}, null backend: {spread(values, ' ns')}", flush=True)


def print_program(path):
    """Small C programs that print their own line."""
    if os.path.exists(path):
        print(pinned([path]).strip(), flush=True)


def print_machine():
    model = "unknown CPU"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    load = os.getloadavg()[0]
    print(f"{model}, {os.cpu_count()} CPUs, Linux {platform.release()}, load {load:.1f}")


def main():
    parser = argparse.ArgumentParser(description="What the harness itself costs.")
    parser.add_argument("--build", default="build")
    parser.add_argument("--instructions", action="store_true", help="only the callgrind part")
    parser.add_argument("--pairs", type=int, default=9, help="alternating pairs with fio")
    options = parser.parse_args()
    folder = os.path.join(options.build, "tests", "bench")
    program = os.path.join(folder, "bench-loop")

    if options.instructions:
        return subprocess.call([sys.executable, instructions.__file__, program])
    print_machine()
    for title, more in (("random reads", []), ("half writes", ["--read-share", "50"]),
                        ("null backend, through the vtable", ["--backend", "null"])):
        print(f"Instructions per I/O, {title}")
        for label, value, _ in instructions.measure(program, *more):
            print(f"  {label:<17} {value:.0f}", flush=True)
    if shutil.which("fio") is not None:
        print_pairs(program, options.pairs)
    print_harness(program)
    print_program(os.path.join(folder, "bench-ticks"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
