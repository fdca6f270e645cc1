# SPDX-License-Identifier: Apache-2.0
"""Fewer times a day: 20 medicines rescheduled, with the doses of 14 days under the proposal.

`regimen plan-times --measure` looks names up, finds the hours between 190 pairs and to meals, plans, and
expands the doses, repeated on one processor. The comparison is Python's own loop over the same 20
medicines: all times that occur, tried for one medicine after the other, without hours, meals, or doses.
"""
import json
import subprocess
import time
from pathlib import Path

from household import binary

MEDICINES = {
    "Warfarin": ["18:00"], "Bisoprolol": ["08:00"], "Ramipril": ["09:00"], "Spironolactone": ["08:30"],
    "Ibuprofen": ["08:00", "14:00", "20:00"], "Paracetamol": ["07:30", "13:00", "19:30"], "Simvastatin": ["22:00"],
    "Digoxin": ["10:00"], "Amiodarone": ["12:00"], "Furosemide": ["07:45", "13:30"], "Omeprazole": ["07:00"],
    "Clopidogrel": ["12:30"], "Levothyroxine": ["06:30"], "Ferrous sulfate": ["08:15"],
    "Metformin": ["07:30", "18:30"], "Citalopram": ["09:30"], "Calcium carbonate": ["11:30", "17:30"],
    "Ciprofloxacin": ["08:45", "20:45"], "Salbutamol": ["08:00", "21:00"], "Prednisolone": ["07:15"],
}


def _yardstick() -> float:
    """Returns the milliseconds that Python takes for each medicine at every time that occurs."""
    times = sorted({time for own in MEDICINES.values() for time in own})
    begin, rounds = time.process_time(), 50
    for _ in range(rounds):
        taken = {name: list(own) for name, own in MEDICINES.items()}
        for name, own in taken.items():
            for place in range(len(own)):
                others = {each for other, all in taken.items() if other != name for each in all}
                own[place] = min(times, key=lambda each: (each not in others, abs(int(each[:2]) - int(own[place][:2]))))
    return (time.process_time() - begin) / rounds * 1000


def measure_planning(folder: Path) -> list[str]:
    line = folder / "planning.ndjson"
    line.write_text(json.dumps({
        "id": 1, "medicines": [{"name": name, "times": times} for name, times in MEDICINES.items()]}) + "\n")
    output = subprocess.run(
        [binary(), "plan-times", "--measure", str(line)], capture_output=True, check=True).stdout
    result = json.loads(output)
    each = float(result["seconds"]) / result["plans"] * 1000
    return [
        f"replanning {len(MEDICINES)} medicines with the {result['doses']} doses of 14 days, {result['before']} times a day "
        f"become {result['after']} (Python's walk over the times takes {_yardstick():.1f} ms):",
        f"  {each:8.2f} ms  (aim under 20 ms){'' if result['exhaustive'] else ', not all combinations looked at'}",
    ]
