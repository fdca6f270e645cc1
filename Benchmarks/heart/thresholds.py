#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds the thresholds in `DetectorThresholds.swift`, on seed 1 of every variant of the cohort, pooled.

REGIMEN_BINARY=... python3 Benchmarks/heart/thresholds.py

The table of `Benchmarks/run heart` uses other seeds.
"""
import tempfile
from dataclasses import replace
from pathlib import Path

from detector import METHODS, judged, limit
from simulator import VARIANTS, Patient, cohort, write

SEED = 1
BUDGETS = [4.0, 2.0, 1.0, 0.5, 0.25, 0.125]
EACH = 20
# The search range for the largest budget's threshold, and the step from one budget to the next.
FIRST = {"boundary": 2.0, "dynamic": 2.0, "model": 0.02}
STEP = {"boundary": 3.0, "dynamic": 3.0, "model": 0.2}


def pooled() -> list[Patient]:
    """Returns a number of people of each variant, numbered consecutively."""
    people = [person for variant in VARIANTS for person in cohort(SEED, replace(variant, patients=EACH))]
    for number, person in enumerate(people):
        person.number = number
        for line in person.lines:
            line["p"] = number
    return people


def main() -> None:
    people = pooled()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pooled.ndjson"
        write(people, file)
        for method in reversed(METHODS):
            found = FIRST[method]
            for budget in BUDGETS:
                span = (found, found + STEP[method])
                found = limit(budget, span, lambda at: judged(method, people, file, "--threshold", f"{at:.5f}"), steps=6)
                print(f"{method}: ({budget}, {found:.4g})", flush=True)


if __name__ == "__main__":
    main()
