# SPDX-License-Identifier: Apache-2.0
"""Runs `regimen detect` over a cohort and finds thresholds for budgets."""
import json
import os
import subprocess
from pathlib import Path
from typing import Callable

from scorer import Score, score
from simulator import Patient

METHODS = ["boundary", "dynamic", "model"]
BUDGETS = [1.0, 0.5, 0.25]


def program() -> str:
    default = Path(__file__).resolve().parents[2] / ".build/release/regimen"
    return os.environ.get("REGIMEN_BINARY") or str(default)


def detect(method: str, file: Path, *arguments: str) -> list[list[bool]]:
    """Returns the alerts by patient and day."""
    output = subprocess.run(
        [program(), "detect", "--method", method, *arguments, str(file)], capture_output=True, check=True, text=True).stdout
    people: dict[int, list[bool]] = {}
    for line in output.splitlines():
        answer = json.loads(line)
        people.setdefault(answer["p"], []).append(answer["alert"])
    return list(people.values())


def judged(method: str, people: list[Patient], file: Path, *arguments: str) -> Score:
    return score([person.missed for person in people], detect(method, file, *arguments))


def limit(budget: float, span: tuple[float, float], run: Callable[[float], Score], steps: int = 10) -> float:
    """Returns the lowest threshold within the budget, by bisection."""
    low, high = span
    for _ in range(steps):
        middle = (low + high) / 2
        if run(middle).false_days > budget:
            low = middle
        else:
            high = middle
    return high
