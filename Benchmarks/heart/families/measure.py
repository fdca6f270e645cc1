# SPDX-License-Identifier: Apache-2.0
"""The methods of `regimen detect` on each family, next to the near-bound.

Every method is compared at the threshold that allows 0.5 false alert days in thirty days on the family itself, so
that shares of lapses found are at the same burden; the columns `set` have the false alert days and the shares as the
program is set, for the model with its limit on each person's false questions. Intervals are of 95 % over people. The
near-bound needs numpy, as the families do.
"""
import os
import subprocess
from pathlib import Path

from detector import program
from families.catalogue import FAMILIES
from families.cohort import Cohort, cohort
from families.family import Family
from families.knower import Knower
from scorer import Score, score

BUDGET = 0.5
PEOPLE = int(os.environ.get("REGIMEN_BENCH_HEART_PEOPLE", "150"))
SEED = int(os.environ.get("REGIMEN_BENCH_HEART_SEED", "1"))
COLUMNS = "p,d,agent,slot,dose,hour,bpm,source,steps,answer,missed"
WIDTH = 22


def table(people: Cohort, file: Path) -> None:
    """Writes a cohort as the table that `regimen detect --evaluate` reads."""
    with file.open("w") as output:
        output.write(COLUMNS + "\n")
        for person, days in enumerate(people.lines):
            for day, line in enumerate(days):
                begin = f"{person},{day},{line['agent']},{line['slot']},{line['dose']}"
                end = f"{line['steps'] or ''},{line['answer'] or ''},{int(people.missed[person, day])}"
                for hour, bpm, source in line["readings"] or [("", "", "")]:
                    output.write(f"{begin},{hour},{bpm},{source},{end}\n")


def near_bound(people: Cohort) -> Score:
    knower, missed = Knower(people), people.missed.tolist()
    low, high, best = 0.02, 0.98, None
    for _ in range(7):
        middle = (low + high) / 2
        found = score(missed, knower.scores(middle)[0].tolist())
        if found.false_days > BUDGET:
            low = middle
        else:
            high, best = middle, found
    return best or found


def rows(report: str) -> tuple[dict[str, list[str]], dict[str, list[str]], str]:
    """Returns the cells by method, matched and as set, and the calibration error."""
    matched: dict[str, list[str]] = {}
    shipped: dict[str, list[str]] = {}
    error = ""
    for line in report.splitlines():
        words = line.split()
        if words and words[0] in ("boundary", "dynamic", "model"):
            (shipped if words[0] in matched else matched)[words[0]] = words[1:]
        if line.startswith("calibration"):
            error = words[-1]
    return matched, shipped, error


def of_family(family: Family, folder: Path) -> tuple[list[str], dict[str, list[float]]]:
    people = cohort(family, SEED, PEOPLE)
    file = folder / f"{family.name.replace(' ', '-')}.csv"
    table(people, file)
    report = subprocess.run(
        [program(), "detect", "--evaluate", "--budget", str(BUDGET), str(file)], capture_output=True, check=True, text=True)
    matched, shipped, error = rows(report.stdout)
    bound = near_bound(people)
    lines = []
    values: dict[str, list[float]] = {"near-bound": [bound.gaps, bound.singles]}
    for method, cells in matched.items():
        # Cells come as value and interval: 1 day, 2 days, 3+ days, 2+ days, false days.
        values[method] = [float(cells[6]), float(cells[0])]
        calibration = error if method == "model" else ""
        lines.append(
            f"  {family.name:17}{method:11}{' '.join(cells[6:8]):{WIDTH}}{' '.join(cells[0:2]):{WIDTH}}"
            f"{' '.join(cells[4:6]):{WIDTH}}{' '.join(shipped[method][8:10]):{WIDTH}}{shipped[method][6]:8}"
            f"{shipped[method][0]:8}{calibration}")
        values[f"{method} as set"] = [float(shipped[method][place]) for place in (6, 0, 8)]
    lines.append(f"  {family.name:17}{'near-bound':11}{bound.gaps:<{WIDTH}.3f}{bound.singles:<{WIDTH}.3f}{bound.holidays:.3f}")
    return lines, values


def closed(values: list[dict[str, list[float]]], place: int) -> float:
    """Returns the share of the way from the dynamic boundary to the near-bound that the model reaches."""
    low, reached, high = (sum(each[name][place] for each in values) for name in ("dynamic", "model", "near-bound"))
    return (reached - low) / (high - low)


def measure_families(folder: Path) -> list[str]:
    lines = [f"families of simulators, {PEOPLE} people each, seed {SEED}, at {BUDGET} false alert days in 30 days:",
             f"  {'family':17}{'method':11}{'2+ days':{WIDTH}}{'1 day':{WIDTH}}{'3+ days':{WIDTH}}{'set: false days':{WIDTH}}"
             f"{'2+':8}{'1':8}calibration error"]
    for held_out, title in ((False, "used for tuning"), (True, "held out")):
        values = []
        for family in FAMILIES:
            if family.held_out == held_out:
                own, figures = of_family(family, folder)
                lines += own
                values.append(figures)
                shares = f"2+ days {closed([figures], 0):.0%}, 1 day {closed([figures], 1):.0%}"
                lines.append(f"    gap closed in {family.name}: {shares}")
        lines.append(f"  gap closed on the families {title}: 2+ days {closed(values, 0):.0%} (aim 75 %), "
                     f"1 day {closed(values, 1):.0%}")
        most = max(each["model as set"][2] for each in values)
        found = [sum(each["model as set"][place] for each in values) / len(values) for place in (0, 1)]
        lines.append(f"  the model as set: at most {most:.3f} false days (aim {BUDGET}), 2+ days {found[0]:.3f}, "
                     f"1 day {found[1]:.3f}")
    return lines


if __name__ == "__main__":
    import tempfile
    with tempfile.TemporaryDirectory() as own_folder:
        print("\n".join(measure_families(Path(own_folder))))
