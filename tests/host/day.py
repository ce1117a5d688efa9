#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run of 24 hours on a model drive in virtual time: the memory of host and worker stays flat
and nothing is missing in the file.

Usage: day.py FATHOM-CLI
"""
import json
import os
import subprocess
import sys
import tempfile
import time

HOURS = 24
# A slow drive: what is counted is the time that passes, not the I/Os.
MODEL = {"name": "slow", "summary": "One server, 10 ms", "capacity": 1 << 34, "servers": 1,
         "read": {"base_us": 10000}, "write": {"base_us": 10000}, "trim": {"base_us": 10000},
         "flush": {"base_us": 10000}}
PLAN = {"fathom-plan": 1, "id": "day", "name": "A day", "summary": "A day of reads.",
        "file-size": "64MiB",
        "phases": [{"kind": "measure", "id": "day", "label": "A day",
                    "streams": [{"read": "100%", "pattern": "random", "block": "4KiB",
                                 "in-flight": 1}],
                    "stop": {"time": f"{HOURS}h"}}]}
# A process may buffer, but not keep: the 864,000 rows of the day alone are 69 MB.
MAX_RESIDENT_KIB = 24 * 1024


def ours(home):
    """Yields (pid, name) of host and worker of the run whose state is below @home."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            name = os.path.basename(os.readlink(f"/proc/{pid}/exe"))
            with open(f"/proc/{pid}/environ", "rb") as file:
                environment = file.read()
        except OSError:
            continue
        if home.encode() in environment and name in ("fathom-cli", "fathom-worker"):
            yield pid, name


def resident_kib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    return 0


def watch(home):
    """Samples the memory of host and worker until both are gone: {(pid, name): [KiB, ...]}."""
    samples = {}
    while processes := list(ours(home)):
        for pid, name in processes:
            try:
                samples.setdefault((pid, name), []).append(resident_kib(pid))
            except OSError:
                pass
        time.sleep(0.1)
    return samples


def check_growth(samples):
    """Returns what is wrong, after printing what each process took."""
    problems = []
    for (pid, name), values in sorted(samples.items()):
        if len(values) < 8:
            problems.append(f"{name} was seen only {len(values)} times")
            continue
        half = len(values) // 2
        print(f"# {name} ({pid}): at most {max(values[:half])} KiB in the first half, "
              f"{max(values[half:])} KiB in the second")
        if max(values) > MAX_RESIDENT_KIB:
            problems.append(f"{name} took {max(values)} KiB")
    return problems


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="fathom-day-") as home:
        plan, model = os.path.join(home, "day.json"), os.path.join(home, "slow.json")
        for path, content in ((plan, PLAN), (model, MODEL)):
            with open(path, "w", encoding="utf-8") as file:
                json.dump(content, file)
        environment = dict(os.environ, HOME=home, XDG_DATA_HOME=home, XDG_STATE_HOME=home)
        output = os.path.join(home, "day.fathom")
        begin = time.monotonic()
        started = subprocess.run([program, "run", plan, f"sim:{model}", "--output", output,
                                  "--detach"], env=environment, capture_output=True, text=True,
                                 check=False)
        samples = watch(home)
        took = time.monotonic() - begin
        problems = check_growth(samples)
        if started.returncode != 0:
            problems.append(f"the start ended with {started.returncode}: {started.stderr}")
        size = os.path.getsize(output) if os.path.exists(output) else 0
        text = subprocess.run([program, "export", output, "--format", "json"], env=environment,
                              capture_output=True, text=True, check=False).stdout
        step = json.loads(text)["steps"][0] if text else {}
        print(f"# {HOURS} h in {took:.1f} s, {size / 1e6:.1f} MB")
        if int(step.get("measured-ns", 0)) != HOURS * 3600 * 10**9:
            problems.append(f"measured {step.get('measured-ns')} ns")
    print("1..1")
    for problem in problems:
        print(f"# {problem}")
    print("not ok 1 - a day in virtual time" if problems else "ok 1 - a day in virtual time")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
