# SPDX-License-Identifier: Apache-2.0
"""The match of alerts and missed days: detected gaps by length, delay, and false alert days per
patient-month.

An alert detects a gap from its first missed day to the day after its last; anywhere else it is false. The
first fourteen days, in which no alert is allowed, are not counted.
"""
from dataclasses import dataclass
from statistics import median

FIRST_DAY = 14


@dataclass
class Score:
    holidays: float
    two_days: float
    singles: float
    delay: float
    false_days: float

    @property
    def gaps(self) -> float:
        """Returns gaps of two days or more, by their shares in the cohort."""
        return self.found_long / max(1, self.all_long)

    found_long: int = 0
    all_long: int = 0

    def row(self) -> str:
        return (f"{self.holidays:6.3f}{self.gaps:8.3f}{self.two_days:8.3f}{self.singles:8.3f}"
                f"{self.delay:7.1f}{self.false_days:8.3f}")


HEADER = f"{'3+ days':>6}{'2+ days':>8}{'2 days':>8}{'1 day':>8}{'delay':>7}{'false':>8}"


def gaps(missed: list[bool]) -> list[tuple[int, int]]:
    """Returns the first and last day of each gap."""
    found, begin = [], None
    for day, gone in enumerate([*missed, False]):
        if gone and begin is None:
            begin = day
        elif not gone and begin is not None:
            found.append((begin, day - 1))
            begin = None
    return found


def score(missed: list[list[bool]], alerts: list[list[bool]]) -> Score:
    found: dict[int, list[bool]] = {1: [], 2: [], 3: []}
    delays, false_days, days = [], 0, 0
    for truth, said in zip(missed, alerts):
        inside = [False] * len(truth)
        for first, last in gaps(truth):
            end = min(last + 1, len(truth) - 1)
            inside[first:end + 1] = [True] * (end + 1 - first)
            if first < FIRST_DAY:
                continue
            hits = [day for day in range(first, end + 1) if said[day]]
            found[min(3, last - first + 1)].append(bool(hits))
            if hits:
                delays.append(hits[0] - first)
        days += len(truth) - FIRST_DAY
        false_days += sum(told and not within for told, within in zip(said[FIRST_DAY:], inside[FIRST_DAY:]))
    share = {length: sum(hits) / max(1, len(hits)) for length, hits in found.items()}
    return Score(
        share[3], share[2], share[1], float(median(delays)) if delays else float("nan"), false_days * 30 / days,
        found_long=sum(found[2]) + sum(found[3]), all_long=len(found[2]) + len(found[3]))
