#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds the thresholds in `DetectorThresholds.swift`, on seed 1 of every variant of the cohort, pooled; for the
model, on seed 2 of the training families too.

REGIMEN_BINARY=... python3 Benchmarks/heart/thresholds.py

The table of `Benchmarks/run heart` uses other seeds.
"""
import tempfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

from detector import METHODS, judged, limit
from families.catalogue import TRAINING
from families.cohort import cohort as family_cohort
from simulator import VARIANTS, Patient, cohort, write

SEED = 1
FAMILY_SEED, FAMILY_PEOPLE = 2, 60
BUDGETS = [4.0, 2.0, 1.0, 0.5, 0.25, 0.125]
EACH = 20
# The search range for the largest budget's threshold, and the step from one budget to the next.
FIRST = {"boundary": 2.0, "dynamic": 2.0, "model": 0.005}
STEP = {"boundary": 3.0, "dynamic": 3.0, "model": 0.25}


def pooled() -> list[Patient]:
    """Returns a number of people of each variant, numbered consecutively."""
    people = [person for variant in VARIANTS for person in cohort(SEED, replace(variant, patients=EACH))]
    for number, person in enumerate(people):
        person.number = number
        for line in person.lines:
            line["p"] = number
    return people


def with_families(people: list[Patient]) -> list[Patient]:
    """Returns the people and those of the training families, numbered consecutively."""
    found = list(people)
    for family in TRAINING:
        drawn = family_cohort(family, FAMILY_SEED, FAMILY_PEOPLE)
        for missed, lines in zip(drawn.missed.tolist(), drawn.lines):
            for line in lines:
                line["p"] = len(found)
            found.append(SimpleNamespace(missed=missed, lines=lines))
    return found


def main() -> None:
    first = pooled()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pooled.ndjson"
        for method in reversed(METHODS):
            people = with_families(first) if method == "model" else first
            write(people, file)
            found = FIRST[method]
            for budget in BUDGETS:
                span = (found, found + STEP[method])
                found = limit(budget, span, lambda at: judged(method, people, file, "--threshold", f"{at:.5f}"), steps=6)
                print(f"{method}: ({budget}, {found:.4g})", flush=True)


if __name__ == "__main__":
    main()
