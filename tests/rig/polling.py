#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the runs of polling.sh: mode, interrupts per I/O, and what is said about both.

Usage: polling.py RESULTS_DIR, with folders 2 and 0 (poll queues) of exported runs.
"""
import json
import os
import sys

# (poll queues, run): backend, mode, least and most interrupts per I/O. A kernel may find several
# completions with one interrupt, so an interrupt-driven run may stay below one each.
EXPECTED = {
    ("2", "best"): ("uring-polled", "polled", 0, 0.1),
    ("2", "interrupt"): ("uring", "interrupt", 0.2, 1.2),
    ("2", "sqpoll"): ("uring-sqpoll", "sqpoll+polled", 0, 0.1),
    ("0", "best"): ("uring", "interrupt", 0.2, 1.2),
    ("0", "interrupt"): ("uring", "interrupt", 0.2, 1.2),
    ("0", "sqpoll"): ("uring-sqpoll", "sqpoll", 0.2, 1.2),
}
ADVICE = "nvme.poll_queues"


def check(folder, queues, name):
    """Yields what is wrong with one run."""
    with open(os.path.join(folder, queues, "files", f"{name}.json"), encoding="utf-8") as file:
        run = json.load(file)
    backend, mode, least, most = EXPECTED[queues, name]
    step = run["steps"][0]
    interrupts = step["end"].get("interrupts-per-io")
    print(f"# {queues} poll queues, {name}: {step['backend']}, {step['mode']}, "
          f"{interrupts} interrupts per I/O")
    if run["outcome"] != "complete":
        yield f"ended {run['outcome']}: {run['reason']}"
    if (step["backend"], step["mode"]) != (backend, mode):
        yield f"ran as {step['backend']}, {step['mode']}; expected {backend}, {mode}"
    if interrupts is None or not least <= interrupts <= most:
        yield f"{interrupts} interrupts per I/O; expected {least} to {most}"
    yield from check_unpollable(run, name)
    if queues == "0" and name == "best" and ADVICE not in json.dumps(run["notes"]):
        yield "it is not said how polling would become possible"


def check_unpollable(run, name):
    """Blocks that the drive has to split, and flushes, are never polled, and that is told."""
    for step in run["steps"][1:]:
        print(f"#   {step['path']}: {step['backend']}, {step['mode']}, {step['outcome']}")
        # Asked for by name, polling that is not possible would be an error; SQPOLL goes without.
        if step["outcome"] != "complete" or "polled" in step["mode"]:
            yield f"{step['path']}: {step['outcome']}, {step['mode']}: {step['reason']}"
    if name == "best" and run["steps"][0]["mode"] == "polled":
        if "goes through" not in json.dumps(run["notes"]):
            yield "it is not told that large blocks are not polled"


def check_conformance(folder, queues):
    """Yields the cases of the conformance suite that failed; prints how many ran."""
    files = os.path.join(folder, queues, "files")
    lines = []
    for name in sorted(os.listdir(files)):
        if name.endswith(".tap"):
            with open(os.path.join(files, name), encoding="utf-8", errors="replace") as file:
                lines += [f"{name}: {line.rstrip()}" for line in file]
    ran = [line for line in lines if ": ok " in line and "# SKIP" not in line]
    skipped = [line for line in lines if "# SKIP" in line]
    print(f"# conformance with {queues} poll queues: {len(ran)} passed, {len(skipped)} skipped")
    if not ran:
        yield "no case ran"
    yield from (line for line in lines if ": not ok" in line or "Bail out" in line)


def main():
    failed = False
    print(f"1..{len(EXPECTED) + 2}")
    for number, (queues, name) in enumerate(EXPECTED, 1):
        problems = list(check(sys.argv[1], queues, name))
        for problem in problems:
            print(f"# {problem}")
        failed = failed or bool(problems)
        print(f"{'not ok' if problems else 'ok'} {number} - {name} with {queues} poll queues")
    for number, queues in ((len(EXPECTED) + 1, "2"), (len(EXPECTED) + 2, "0")):
        problems = list(check_conformance(sys.argv[1], queues))
        for problem in problems:
            print(f"# {problem}")
        failed = failed or bool(problems)
        print(f"{'not ok' if problems else 'ok'} {number} - conformance with {queues} poll queues")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
