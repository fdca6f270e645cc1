# SPDX-License-Identifier: Apache-2.0
"""One cohort of a family: the input lines of `regimen detect`, the truth, and everything a knower may know."""
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from families import devices, events, people
from families.family import DAYS, Family
from families.kinetics import Kinetics, hourly
from families.people import DOSE_HOURS, Draw

MOST = 16


@dataclass
class Cohort:
    """Arrays are people x days, readings people x days x 16."""
    family: Family
    agents: list[str]
    slots: list[str]
    kinetics: Kinetics
    unmoved: np.ndarray
    missed: np.ndarray
    rate: np.ndarray
    doses: np.ndarray
    level: np.ndarray
    swing: np.ndarray  # people x 24
    noise: dict[str, np.ndarray]
    drinks: np.ndarray
    reading_noise: np.ndarray
    hour: np.ndarray
    bpm: np.ndarray
    off: np.ndarray
    main: np.ndarray
    usual_steps: np.ndarray
    steps: np.ndarray
    answers: np.ndarray
    causes: dict[str, np.ndarray]  # bpm of illness, stays and alcohol
    lines: list[list[dict]]

    def write(self, file: Path) -> None:
        with file.open("w") as output:
            for days in self.lines:
                for line in days:
                    output.write(json.dumps(line, separators=(",", ":")) + "\n")


def answers(draw: Draw, family: Family, missed: np.ndarray, slots: list[str]) -> np.ndarray:
    """Returns 0 for no answer known, 1 taken, 2 missed, 3 none."""
    about = missed.copy()
    if not family.about_today:
        evening = np.array([slot == "evening" for slot in slots])
        about[evening, 1:] = missed[evening, :-1]
    missed_missed, missed_taken, taken_missed, taken_taken = family.answers
    chance = draw.days()
    if_missed = np.where(chance < missed_missed, 2, np.where(chance < missed_missed + missed_taken, 1, 3))
    if_taken = np.where(chance < taken_taken, 1, np.where(chance < taken_taken + taken_missed, 2, 3))
    return np.where(draw.share(family.answering)[:, None], np.where(about, if_missed, if_taken), 0)


def cohort(family: Family, seed: int, count: int = 150) -> Cohort:
    draw = Draw(family, seed, count)
    agents, slots, kinetics, unmoved = people.medicines(draw, family)
    missed, rate = people.lapses(draw, family)
    dose = people.doses(draw, family)
    level = people.levels(draw, family)
    late = np.where(draw.days() < family.late, draw.random.integers(2, 9, (count, DAYS)), 0)
    taken = np.where(missed, 0, dose)
    raised = kinetics.raised(hourly(taken, [DOSE_HOURS[slot] for slot in slots], late)).reshape(count, DAYS, 24)
    ill = events.illness(draw, family)
    away, shift = events.stays(draw, family)
    drunk, drinks = events.alcohol(draw, family)
    residual, noise = events.residuals(draw, family)
    clock = np.arange(24)
    swing = draw.between(family.swing)[:, None] / 2 * np.cos((clock - draw.random.normal(14, 1, count)[:, None]) / 24 * 2 * np.pi)
    swing += draw.between(family.second_swing)[:, None] * np.cos((clock - draw.between((0, 12))[:, None]) / 12 * 2 * np.pi)
    on = devices.worn(draw, family)
    main, offset, second, second_offset = devices.sources(draw, family)
    reading_noise = draw.between(family.reading_noise)
    trains = draw.days() < family.exercise * draw.random.choice((0, 1, 2), count)[:, None]
    usual = np.exp(draw.random.normal(np.log(5200), 0.45, count))
    steps = usual[:, None] * np.exp(draw.random.normal(0, 0.35, (count, DAYS))) * family.illness_steps ** np.minimum(ill, 12)
    steps = np.where(on & draw.share(family.steps)[:, None], steps * np.where(trains, 1.5, 1), 0)
    said = answers(draw, family, missed, slots)
    common = level + residual + ill + away + drunk
    hour, bpm, off = np.zeros((count, DAYS, MOST)), np.full((count, DAYS, MOST), np.nan), np.zeros((count, DAYS, MOST))
    is_main = np.zeros((count, DAYS, MOST), bool)
    lines: list[list[dict]] = []
    for person in range(count):
        days = []
        for day in range(DAYS):
            found: list[list] = []
            times = devices.hours(draw, family, person) if on[person, day] else np.zeros(0)
            wears_second = second[person] is not None and draw.random.random() < 0.6
            extra = draw.random.uniform(8, 21, 1) if wears_second else np.zeros(0)
            trained = draw.random.uniform(8, 20) if trains[person, day] else 99
            spot = 0
            for index, at in enumerate([*np.sort(times), *extra][:MOST]):
                own = index < len(times)
                place = offset[person, day] if own else second_offset[person]
                real = int((at - shift[person, day]) % 24)
                back = day - (1 if at < shift[person, day] else 0)
                tail = 4.0 if draw.random.random() < family.reading_tails else 1.0
                value = common[person, day] + raised[person, max(0, back), real] + swing[person, int(at)] + place
                value += draw.random.normal(0, reading_noise[person] * tail)
                if 0 < at - trained < 2.5:
                    value += 10 * np.exp(-(at - trained))
                value = float(np.clip(round(value), 31, 215))
                name = main[person][day] if own else second[person]
                found.append([round(min(float(at), 23.99), 2), int(value), name])
                hour[person, day, spot], bpm[person, day, spot], off[person, day, spot] = at, value, place
                is_main[person, day, spot] = own
                spot += 1
            days.append({
                "p": person, "d": day, "agent": agents[person], "slot": slots[person], "dose": float(dose[person, day]),
                "readings": sorted(found, key=lambda reading: reading[0]),
                "steps": int(steps[person, day]) or None,
                "answer": (None, "taken", "missed", "none")[said[person, day]]})
        lines.append(days)
    return Cohort(
        family, agents, slots, kinetics, unmoved, missed, rate, dose, level, swing, noise, drinks, reading_noise, hour, bpm,
        off, is_main, usual, steps, said, {"illness": ill, "stay": away, "alcohol": drunk}, lines)
