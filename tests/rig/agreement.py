#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the runs of agreement.sh: for each service time and pair the JSON of fio and ours.

Prints IOPS and P50 of both, and the ratio of the pairs as median and interquartile range.
Exits 0 when all medians are within the limit, 1 when one is not, 77 when a spread is too
large to say.
"""
import collections
import json
import pathlib
import statistics
import sys

LIMIT = 0.02
SPREAD = 0.03


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def results_of_fio(path):
    """Yields depth, IOPS and P50 in ns."""
    for job in read(path)["jobs"]:
        yield int(job["jobname"]), job["read"]["iops"], job["read"]["lat_ns"]["percentile"]["50.000000"]


def results_of_ours(path):
    run = read(path)
    if run["outcome"] != "complete":
        sys.exit(f"{path}: {run['outcome']}: {run['reason']}")
    for step in run["steps"]:
        read_result = step["results"]["read"]
        median = [one["ns"] for one in read_result["latency"]["percentiles"] if one["percent"] == 50]
        yield step["in-flight"], read_result["iops"], float(median[0])


def collect(folder):
    """(service time, depth, what) -> list of (fio, ours), a pair each."""
    pairs = collections.defaultdict(list)
    for fio_path in sorted(folder.glob("*-fio.json")):
        service = int(fio_path.name.split("-")[0])
        ours_path = fio_path.with_name(fio_path.name.replace("-fio", "-ours"))
        fio = list(results_of_fio(fio_path))
        ours = list(results_of_ours(ours_path))
        if [one[0] for one in fio] != [one[0] for one in ours]:
            sys.exit(f"{ours_path}: not the depths that fio ran")
        for (depth, *left), (_, *right) in zip(fio, ours):
            for what, a, b in zip(("iops", "p50_ns"), left, right):
                pairs[service, depth, what].append((a, b))
    return pairs


def judge(key, pairs):
    """Returns "ok", "off" or "unclear"."""
    low, median, high = statistics.quantiles([b / a for a, b in pairs], n=4, method="inclusive")
    fio = statistics.median(a for a, _ in pairs)
    ours = statistics.median(b for _, b in pairs)
    spread = high - low
    result = "unclear" if spread > SPREAD else "ok" if abs(median - 1) <= LIMIT else "off"
    service, depth, what = key
    print(f"{service / 1000:10.0f} {depth:6}  {what:7} {fio:13.1f} {ours:13.1f} {median:8.4f}"
          f" {100 * spread:7.2f} %  {len(pairs):5}  {result}")
    return result


def main():
    pairs = collect(pathlib.Path(sys.argv[1]))
    if not pairs:
        sys.exit("there are no runs")
    print("service us  depth  what              fio          ours    ratio       IQR  pairs")
    results = [judge(key, pairs[key]) for key in sorted(pairs)]
    if "off" in results:
        sys.exit(1)
    if "unclear" in results:
        print("the machine is too busy: the pairs scatter too much to be shown")
        sys.exit(77)


if __name__ == "__main__":
    main()
