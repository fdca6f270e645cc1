# SPDX-License-Identifier: Apache-2.0
"""All methods of `regimen detect` on invented cohorts, compared with a detector that knows every
parameter, and their speed compared with json.

REGIMEN_BENCH_HEART names the seeds (101,102,103). The thresholds of the methods come from other seeds
(thresholds.py), those of the near-bound are set on seed 99. The model also limits each person's false questions, so
it is shown as set and, to compare it at the same burden, with the threshold that spends the budget on the cohort. The
near-bound needs numpy and is left out without it. Cohorts are evaluated in parallel on all processors; the speed is measured afterwards, alone.
"""
import json
import os
import subprocess
import time
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Callable

from detector import BUDGETS, METHODS, judged, limit, program
from scorer import HEADER, Score, score
from simulator import BASE, DAYS, VARIANTS, Assumptions, Patient, cohort, write

SEEDS = [int(seed) for seed in os.environ.get("REGIMEN_BENCH_HEART", "101,102,103").split(",")]
BOUND = "near-bound"
SPENT = "model, spent"
BOUND_SEED = 99
VARIANT_PEOPLE = 100


def near_bounds() -> dict[float, float] | None:
    """Returns the near-bound's thresholds by budget, from a separate seed."""
    try:
        import oracle
    except ImportError:
        return None
    people = cohort(BOUND_SEED)
    knower = oracle.Oracle(people, BASE)
    missed = [person.missed for person in people]
    return {
        budget: limit(budget, (0.01, 0.999), lambda at: score(missed, knower.alerts(at)), steps=9)
        for budget in BUDGETS}


def of_seed(seed: int, folder: Path, bounds: dict[float, float] | None) -> dict[tuple[str, float], Score]:
    people = cohort(seed)
    file = folder / f"heart-{seed}.ndjson"
    write(people, file)
    scores = {
        (method, budget): judged(method, people, file, "--budget", str(budget))
        for method in METHODS for budget in BUDGETS}
    for budget in BUDGETS:
        at = limit(budget, (0.01, 0.999), lambda at: judged("model", people, file, "--threshold", f"{at:.4f}"), steps=8)
        scores[(SPENT, budget)] = judged("model", people, file, "--threshold", f"{at:.4f}")
    if bounds:
        import oracle
        knower = oracle.Oracle(people, BASE)
        missed = [person.missed for person in people]
        for budget, at in bounds.items():
            scores[(BOUND, budget)] = score(missed, knower.alerts(at))
    return scores


def closed(mean: Callable[[str, float, str], float], budget: float) -> str:
    """Returns the share of the way from the dynamic boundary to the near-bound that the model reaches."""
    shares = []
    for name, words in [("holidays", "3+ days"), ("gaps", "2+ days"), ("singles", "1 day")]:
        low, high = mean("dynamic", budget, name), mean(BOUND, budget, name)
        share = (mean(SPENT, budget, name) - low) / (high - low) if high > low else float("nan")
        shares.append(f"{words} {share:.0%}")
    return f"  of the gap from dynamic to near-bound closed at {budget}: " + ", ".join(shares) + " (aim 75 %)"


def table(bounds: dict[float, float] | None, by_seed: dict[int, dict[tuple[str, float], Score]]) -> list[str]:
    methods = METHODS + [SPENT] + ([BOUND] if bounds else [])
    lines = [f"missed doses found in invented cohorts of {BASE.patients} people, {DAYS} days; shares of gaps by length, "
             "median delay in days,", "  false alert days a patient-month; no claim about people:",
             f"  {'budget':>6} {'seed':>5} {'method':12}{HEADER}"]
    for budget in BUDGETS:
        for seed, scores in by_seed.items():
            lines += [f"  {budget:6} {seed:5} {method:12}{scores[(method, budget)].row()}" for method in methods]

    def mean(method: str, budget: float, name: str) -> float:
        return sum(getattr(scores[(method, budget)], name) for scores in by_seed.values()) / len(by_seed)

    if bounds:
        lines += [closed(mean, budget) for budget in BUDGETS]
    return lines


def of_variant(variant: Assumptions, folder: Path) -> list[str]:
    """Tests the same thresholds under other assumptions."""
    people = cohort(SEEDS[0], replace(variant, patients=VARIANT_PEOPLE))
    file = folder / f"heart-{variant.name.replace(' ', '-')}.ndjson"
    write(people, file)
    return [f"  {variant.name:20}{method:10}{judged(method, people, file, '--budget', '0.5').row()}"
            for method in ("dynamic", "model")]


def year_lines(people: list[Patient], patients: int, days: int) -> list[str]:
    """Combines a few days of history with years of it."""
    found = []
    for number in range(patients):
        for day in range(days):
            person = people[(number + day // DAYS) % len(people)]
            line = person.lines[day % DAYS] | {"p": number, "d": day}
            found.append(json.dumps(line, separators=(",", ":")))
    return found


def speed(folder: Path) -> list[str]:
    lines = year_lines(cohort(SEEDS[0], replace(BASE, patients=100)), 1000, 365)
    file = folder / "heart-year.ndjson"
    file.write_text("\n".join(lines) + "\n")
    seconds = {}
    for method in METHODS:
        begin = time.perf_counter()
        subprocess.run([program(), "detect", "--method", method, str(file)], stdout=subprocess.DEVNULL, check=True)
        seconds[method] = time.perf_counter() - begin
    begin = time.perf_counter()
    with file.open() as text:
        for line in text:
            json.loads(line)
    parsing = time.perf_counter() - begin
    ours = ", ".join(f"{method} {taken:.2f} s" for method, taken in seconds.items())
    return [f"1,000 patients x 365 days, {len(lines)} lines: {ours} (aim 2 s); Python's json on the same lines alone "
            f"{parsing:.2f} s, ratio {parsing / seconds['model']:.1f}"]


def measure(folder: Path) -> list[str]:
    begin = time.perf_counter()
    with ProcessPoolExecutor() as pool:
        bounding = pool.submit(near_bounds)
        varying: list[Future[list[str]]] = [pool.submit(of_variant, variant, folder) for variant in VARIANTS[1:]]
        bounds = bounding.result()
        judging = {seed: pool.submit(of_seed, seed, folder, bounds) for seed in SEEDS}
        lines = table(bounds, {seed: future.result() for seed, future in judging.items()})
        lines += [f"the same at a budget of 0.5 under other assumptions, {VARIANT_PEOPLE} people, seed {SEEDS[0]}:",
                  f"  {'assumptions':20}{'method':10}{HEADER}"]
        for future in varying:
            lines += future.result()
    lines += speed(folder)
    try:
        from families.measure import measure_families
    except ImportError:
        lines.append("families of simulators: left out, they need numpy")
    else:
        lines += measure_families(folder)
    return lines + [f"  all of this took {time.perf_counter() - begin:.0f} s"]


if __name__ == "__main__":
    import tempfile
    with tempfile.TemporaryDirectory() as own_folder:
        print("\n".join(measure(Path(own_folder))))
