#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Analyses the export of a study with two arms: means by arm, their difference and its 95 % interval, and how
many missed doses the questions about the heart rate found.

    python3 Benchmarks/trial/analyse.py FOLDER [--expect ID=DIFFERENCE ...]

With --expect, exits with 1 unless each interval contains the difference that a simulation put in.
Uses only the standard library; see docs/analyse-a-study.md.
"""
import argparse
import csv
import math
import statistics
import sys
from collections import defaultdict
from pathlib import Path

REFERENCE = "basic"
# Until then no one is asked about the heart rate, unless a provider has set a limit.
FIRST_QUESTION = 14


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    """Returns the rows of a table by column."""
    with (folder / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def values_by_arm(folder: Path, outcome: str) -> dict[str, list[float]]:
    """Returns the values of an outcome, one for each participant who has one."""
    found: dict[str, list[float]] = defaultdict(list)
    for row in rows(folder, "outcomes.csv"):
        if not row["arm"]:
            sys.exit("The study is open: arms are exported only after it was closed.")
        if row[outcome]:
            found[row["arm"]].append(float(row[outcome]))
    return found


def difference(one: list[float], other: list[float]) -> tuple[float, float]:
    """Returns the difference of two means and half of its 95 % interval (normal approximation)."""
    error = statistics.variance(one) / len(one) + statistics.variance(other) / len(other)
    return statistics.fmean(one) - statistics.fmean(other), 1.96 * math.sqrt(error)


def outcomes(folder: Path) -> list[str]:
    """Returns the ids of the study's outcomes, in the order of the file."""
    return [
        row["column"] for row in rows(folder, "dictionary.csv")
        if row["file"] == "outcomes.csv" and row["column"] not in ("participant", "arm")
    ]


def check(folder: Path) -> None:
    """Computes the share of covered days from the single doses, and compares it with the export's figure."""
    covered: dict[str, dict[str, bool]] = defaultdict(dict)
    for row in rows(folder, "doses.csv"):
        days = covered[row["participant"]]
        days[row["day"]] = days.get(row["day"], True) and row["state"] == "taken"
    columns = {row["meaning"]: row["column"] for row in rows(folder, "dictionary.csv")}
    name = next((columns[text] for text in columns if text.startswith("share of days")), None)
    if name is None:
        return
    for row in rows(folder, "outcomes.csv"):
        days = covered.get(row["participant"], {})
        if days and abs(sum(days.values()) / len(days) - float(row[name])) > 0.0001:
            sys.exit(f"{row['participant']}: the doses do not give the exported share of covered days.")
    print(f"{name}: recomputed from doses.csv for {len(covered)} participants")


def questions(folder: Path) -> None:
    """Prints how many days with a missed dose led to a question about the heart rate, on that day or the next, and
    how many days on which every dose was taken.

    The doses are the labels. Counted are the arms in which questions were asked, from the first day on which they
    can be."""
    if not (folder / "heart-rate-questions.csv").exists():
        return
    asked = {(row["participant"], int(row["day"])) for row in rows(folder, "heart-rate-questions.csv")}
    arms = {row["participant"]: row["arm"] for row in rows(folder, "participants.csv")}
    with_questions = {arms[name] for name, _ in asked}
    missed: dict[tuple[str, int], bool] = defaultdict(bool)
    for row in rows(folder, "doses.csv"):
        if arms[row["participant"]] in with_questions and int(row["day"]) >= FIRST_QUESTION:
            missed[row["participant"], int(row["day"])] |= row["state"] != "taken"
    gone = [place for place, is_missed in missed.items() if is_missed]
    found = sum(not asked.isdisjoint({(name, day), (name, day + 1)}) for name, day in gone)
    calm = [
        (name, day) for (name, day), is_missed in missed.items()
        if not is_missed and not missed.get((name, day - 1), False)
    ]
    false = sum(place in asked for place in calm)
    if gone and calm:
        print(f"questions: {found} of {len(gone)} days with a missed dose found (sensitivity {found / len(gone):.2f})")
        print(f"questions: {false} of {len(calm)} other days ({30 * false / len(calm):.2f} in thirty days)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--expect", action="append", default=[], metavar="ID=DIFFERENCE")
    options = parser.parse_args()
    expected = {name: float(value) for name, value in (one.split("=") for one in options.expect)}
    status = 0
    check(options.folder)
    questions(options.folder)
    for outcome in outcomes(options.folder):
        arms = values_by_arm(options.folder, outcome)
        for arm, values in sorted(arms.items()):
            print(f"{outcome} {arm}: mean {statistics.fmean(values):.3f}, n {len(values)}")
        reference = arms.get(REFERENCE, [])
        for arm, values in sorted(arms.items()):
            if arm == REFERENCE or len(values) < 2 or len(reference) < 2:
                continue
            middle, half = difference(values, reference)
            print(
                f"{outcome} {arm} - {REFERENCE}: {middle:+.3f}"
                f" (95 % interval {middle - half:+.3f} to {middle + half:+.3f})")
            if outcome in expected and abs(middle - expected[outcome]) > half:
                print(f"{outcome}: the interval does not contain {expected[outcome]:+.3f}", file=sys.stderr)
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
