#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the runs of agreement.sh: a line of JSON a run, fio and ours by turns.

Prints IOPS and P50 of both, and the ratio of the pairs as median and interquartile range.
Exits 0 when all medians are within the limit, 1 when one is not, 77 when a spread is too
large to say.
"""
import json
import statistics
import sys

LIMIT = 0.02
SPREAD = 0.03


def pairs_of(runs):
    """Neighbours by turns are a pair, whichever came first."""
    for first, second in zip(runs[::2], runs[1::2]):
        if {first["who"], second["who"]} != {"fio", "ours"}:
            sys.exit("the runs are not by turns")
        yield (first, second) if first["who"] == "fio" else (second, first)


def judge(depth, key, pairs):
    """Returns "ok", "off" or "unclear"."""
    ratios = [ours[key] / fio[key] for fio, ours in pairs]
    low, median, high = statistics.quantiles(ratios, n=4, method="inclusive")
    fio = statistics.median(pair[0][key] for pair in pairs)
    ours = statistics.median(pair[1][key] for pair in pairs)
    spread = high - low
    result = "unclear" if spread > SPREAD else "ok" if abs(median - 1) <= LIMIT else "off"
    print(f"{depth:5}  {key:7} {fio:13.1f} {ours:13.1f} {median:8.4f} {100 * spread:7.2f} %"
          f"  {result}")
    return result


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        runs = [json.loads(line) for line in file]
    results = []
    print("depth  what              fio          ours    ratio       IQR")
    for depth in sorted({run["depth"] for run in runs}):
        pairs = list(pairs_of([run for run in runs if run["depth"] == depth]))
        results += [judge(depth, key, pairs) for key in ("iops", "p50_ns")]
    if not results:
        sys.exit("there are no runs")
    if "off" in results:
        sys.exit(1)
    if "unclear" in results:
        print("the machine is too busy: the pairs scatter too much to be shown")
        sys.exit(77)


if __name__ == "__main__":
    main()
