#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the test cases in one of Meson's testlog.json files.

Prints "PASSED FAILED SKIPPED" on stdout for `./dev test`, and on stderr every failure with
its output and every skipped case with its reason, so that nothing is skipped in silence.
A TAP program counts by its cases, any other program as one.
"""
import json
import re
import sys

CASE = re.compile(r"^(not ok|ok)\b\s*\d*\s*-?\s*([^#]*?)\s*(?:#\s*(skip|todo)\b\s*(.*))?$", re.I)


def count_cases(stdout):
    """Returns (passed, failed, [(name, reason)]) of a TAP stream; all empty if it is none."""
    passed, failed, skipped = 0, 0, []
    for line in stdout.splitlines():
        match = CASE.match(line)
        if match is None:
            continue
        verdict, name, directive, reason = match.groups()
        if directive and directive.lower() == "skip":
            skipped.append((name, reason))
        elif verdict.lower() == "ok":
            passed += 1
        else:
            failed += 1
    return passed, failed, skipped


def count_program(entry):
    """Returns (passed, failed, [(name, reason)]) of one test program."""
    result, stdout = entry["result"], entry.get("stdout") or ""
    passed, failed, skipped = count_cases(stdout)
    if result in ("OK", "EXPECTEDFAIL"):
        return (passed, 0, skipped) if passed or skipped else (1, 0, [])
    if result == "SKIP":
        lines = stdout.strip().splitlines()
        return (0, 0, skipped or [("", lines[-1] if lines else "no reason given")])
    return (passed, max(failed, 1), skipped)


def show_failure(entry):
    print(f"\nFAILED {entry['name']} ({entry['result']}, {entry['duration']:.1f} s)", file=sys.stderr)
    stdout = (entry.get("stdout") or "").splitlines()
    wrong = [line for line in stdout[:-30] if line.startswith(("not ok", "Bail out"))]
    for line in wrong + stdout[-30:] + (entry.get("stderr") or "").splitlines()[-40:]:
        print(f"  | {line}", file=sys.stderr)


def main():
    total = [0, 0, 0]
    with open(sys.argv[1], encoding="utf-8") as log:
        for line in log:
            entry = json.loads(line)
            passed, failed, skipped = count_program(entry)
            total = [total[0] + passed, total[1] + failed, total[2] + len(skipped)]
            if failed:
                show_failure(entry)
            for name, reason in skipped:
                print(f"  skipped {entry['name']} {name}: {reason}", file=sys.stderr)
    print(*total)


if __name__ == "__main__":
    main()
