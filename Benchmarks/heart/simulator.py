# SPDX-License-Identifier: Apache-2.0
"""An invented cohort of people on beta-blockers, day by day, as input lines for `regimen detect`.

It is based on published figures, each with its source; assumptions without a source are marked as a
choice. It is a yardstick to compare detectors, and says nothing about their performance for real people.
"""
import json
import math
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator

DAYS = 180


@dataclass(frozen=True)
class Agent:
    """Half-lives: PMC2291309 table 1; metoprolol as prolonged release over about 20 hours."""
    name: str
    half_life: float
    absorption: float
    effect: float
    rebound: float
    slots: tuple[str, ...]


# Rebound: 15 % over pre-treatment after metoprolol (Rangno 1982); the order of the others is a choice.
AGENTS = [
    Agent("bisoprolol", 10.5, 1.0, 10.0, 0.25, ("morning", "morning", "evening")),
    Agent("metoprolol", 5.0, 0.12, 10.5, 0.4, ("morning", "evening", "twice")),
    Agent("carvedilol", 8.0, 1.2, 9.0, 0.15, ("twice", "twice", "morning")),
    Agent("nebivolol", 18.0, 0.8, 8.5, 0.1, ("morning", "evening")),
    Agent("atenolol", 7.5, 0.6, 10.5, 0.35, ("morning", "evening", "twice")),
]
# Onsets per day of gaps by length; a holiday continues for three more days on average.
SINGLES, PAIRS, HOLIDAYS = 0.034, 0.007, 0.007
DOSE_HOURS = {"morning": (8.0,), "evening": (20.0,), "twice": (8.0, 20.0)}


@dataclass(frozen=True)
class Assumptions:
    """The parameters of one cohort. The variants change those that are least certain."""
    name: str = "base"
    patients: int = 600
    day_noise: tuple[float, float] = (1.4, 2.8)  # SD in bpm; between-day CV 6 % in Digital Health 2025
    reading_noise: tuple[float, float] = (2.0, 3.4)  # SD 3 to 5 for single values at rest, medRxiv 19008771
    drift: float = 0.12  # SD in bpm per day, a choice
    season: float = 1.5  # bpm; high in January, low in July, Quer 2020
    effect: float = 1.0  # times the agent's mean lowering, 8 to 12 bpm
    half_life: float = 1.0
    readings: float = 5.0  # a worn day's mean
    unworn: float = 0.118  # SafeHeart: 88.2 % of days valid
    illness: float = 1 / 150  # onsets per day
    alcohol: float = 0.05  # share of days, for those who drink
    answers: bool = True
    steps: bool = True
    answers_about_today: bool = False  # an evening's miss is asked about on the next day, unless so
    misses: float = 1.0  # Vrijens 2008: a tenth of doses, 42 % of them single, 43 % in gaps of 3 or more


BASE = Assumptions()
VARIANTS = [
    BASE,
    Assumptions("noisy", day_noise=(2.2, 3.8), reading_noise=(3.0, 4.8)),
    Assumptions("quiet", day_noise=(1.0, 2.0), reading_noise=(1.5, 2.5)),
    Assumptions("weak effects", effect=0.75, half_life=1.4),
    Assumptions("strong effects", effect=1.25, half_life=0.8),
    Assumptions("no answers", answers=False),
    Assumptions("no steps", steps=False),
    Assumptions("answers about today", answers_about_today=True),
    Assumptions("few readings", readings=1.2, unworn=0.25),
    Assumptions("often ill", illness=1 / 60, alcohol=0.12, drift=0.25),
    Assumptions("rare misses", misses=0.4),
]


@dataclass
class Patient:
    """The truth about one person; detectors only see `lines`."""
    number: int
    agent: Agent
    slot: str
    effect: float
    half_life: float
    rebound: float
    miss_rate: float = 1.0  # times the cohort's
    level: list[float] = field(default_factory=list)  # on the medicine, without illness or alcohol
    day_noise: float = 0.0
    reading_noise: float = 0.0
    swing: float = 0.0  # highest at midday
    doses: list[float] = field(default_factory=list)
    missed: list[bool] = field(default_factory=list)
    offsets: dict[str, float] = field(default_factory=dict)
    usual_steps: float = 0.0
    lines: list[dict] = field(default_factory=list)

    def circadian(self, hour: float) -> float:
        return self.swing * math.cos((hour - 14) / 24 * 2 * math.pi)


def response(relative: float) -> float:
    """Flat: exercise heart rate loses half of its maximum at the lower edge of therapeutic levels."""
    return 1.35 * relative / (relative + 0.35)


class Medicine:
    """Returns the effect of the doses taken on the heart rate at any hour, relative to the full effect at
    dose 1."""

    def __init__(self, agent: Agent, slot: str, half_life: float, rebound: float):
        self.hours = DOSE_HOURS[slot]
        self.elimination = math.log(2) / half_life
        self.absorption = agent.absorption * (1.01 if agent.absorption == self.elimination else 1)
        self.rebound = rebound
        between = self.absorption - self.elimination
        self.height = 24 * self.absorption * self.elimination / between / len(self.hours)

    def concentration(self, taken: list[float], day: int, hour: float) -> float:
        """Uses the doses of the last eight days; days before day 0 count like day 0."""
        total = 0.0
        for back in range(9):
            amount = taken[max(0, day - back)]
            if amount == 0:
                continue
            for due in self.hours:
                since = hour + 24 * back - due
                if since > 0:
                    total += amount * (math.exp(-self.elimination * since) - math.exp(-self.absorption * since))
        return total * self.height

    def lowering(self, taken: list[float], day: int, hour: float) -> float:
        """Between 0 and 1.35; below 0 in a rebound."""
        return response(self.concentration(taken, day, hour)) - self.over(taken, day, hour)

    def over(self, taken: list[float], day: int, hour: float) -> float:
        """Returns the rebound as a share of the effect: it grows from the second day and fades from the
        eighth."""
        empty = 0
        while empty <= day and taken[day - empty] == 0 and empty < 20:
            empty += 1
        if hour < self.hours[0]:
            empty -= 1
        if empty < 1 or day < empty:
            return 0.0
        return self.rebound * (1 - math.exp(-(empty - 0.5) / 1.5)) * min(1.0, math.exp((8 - empty) / 8))


def miss_days(chance: random.Random, own: float) -> list[bool]:
    missed = [False] * DAYS
    day = 0
    while day < DAYS:
        kind = chance.random()
        if kind < SINGLES * own:
            length = 1
        elif kind < (SINGLES + PAIRS) * own:
            length = 2
        elif kind < (SINGLES + PAIRS + HOLIDAYS) * own:
            length = 3 + int(chance.expovariate(1 / 3.0))
        else:
            day += 1
            continue
        missed[day:day + length] = [True] * len(missed[day:day + length])
        day += length + 1
    return missed


def dose_steps(chance: random.Random) -> list[float]:
    doses = [1.0] * DAYS
    if chance.random() < 0.3:
        for _ in range(chance.choice((1, 1, 2))):
            day = chance.randrange(20, DAYS)
            doses[day:] = [chance.choice((0.5, 1.5, 2.0) if doses[day] == 1 else (1.0,))] * (DAYS - day)
    return doses


def illness_days(chance: random.Random, assumptions: Assumptions) -> list[float]:
    """Bpm above the level. COVID's mean is 2 to 3 % with a long tail (Natarajan 2022); individual people
    reach far more."""
    added = [0.0] * DAYS
    for day in range(DAYS):
        if chance.random() < assumptions.illness:
            peak, length = chance.uniform(3, 12), chance.randint(2, 7)
            for later in range(day, min(DAYS, day + length + 10)):
                age = later - day
                rise = min(1.0, (age + 1) / 2)
                fall = 1.0 if age < length else math.exp(-(age - length + 1) / 2.5)
                added[later] += peak * rise * fall
    return added


def worn_days(chance: random.Random, assumptions: Assumptions) -> list[bool]:
    worn = []
    on = True
    leaving = assumptions.unworn / (1 - assumptions.unworn) / 2.2
    for _ in range(DAYS):
        on = chance.random() >= leaving if on else chance.random() < 1 / 2.2
        worn.append(on)
    return worn


def answer(chance: random.Random, missed: bool, assumptions: Assumptions) -> str | None:
    draw = chance.random()
    if not assumptions.answers:
        return None
    if missed:
        return "missed" if draw < 0.70 else "taken" if draw < 0.85 else "none"
    return "taken" if draw < 0.88 else "missed" if draw < 0.90 else "none"


def patient(number: int, seed: int, assumptions: Assumptions) -> Patient:
    chance = random.Random(f"{seed}/{assumptions.name}/{number}")
    agent = chance.choice(AGENTS)
    slot = chance.choice(agent.slots)
    person = Patient(
        number, agent, slot, effect=agent.effect * assumptions.effect * chance.lognormvariate(-0.04, 0.28),
        half_life=agent.half_life * assumptions.half_life * chance.lognormvariate(0, 0.18),
        rebound=agent.rebound * chance.uniform(0, 2))
    person.day_noise = chance.uniform(*assumptions.day_noise)
    person.reading_noise = chance.uniform(*assumptions.reading_noise)
    person.swing = chance.uniform(0, 3)
    person.usual_steps = chance.lognormvariate(math.log(5500), 0.4)
    person.miss_rate = chance.lognormvariate(-0.3, 0.75) * assumptions.misses
    person.missed = miss_days(chance, person.miss_rate)
    person.doses = dose_steps(chance)
    person.offsets = {"watch": 0.0}
    if chance.random() < 0.25:
        person.offsets[chance.choice(("ring", "phone"))] = chance.gauss(0, 3)
    ill, worn = illness_days(chance, assumptions), worn_days(chance, assumptions)
    drinks = assumptions.alcohol * chance.choice((0, 0.5, 1, 2))
    cycle = chance.uniform(1, 3) / 2 if chance.random() < 0.2 else 0.0  # luteal +3.8 over menses, Shilaih 2017
    phase, walk, level = chance.randrange(365), 0.0, max(48.0, chance.gauss(65, 7.7))
    medicine = Medicine(agent, slot, person.half_life, person.rebound)
    taken = [0.0 if gone else dose for gone, dose in zip(person.missed, person.doses)]
    for day in range(DAYS):
        walk += chance.gauss(0, assumptions.drift)
        season = assumptions.season * math.cos((day + phase) / 365 * 2 * math.pi)
        monthly = cycle * math.sin((day + phase) / 28 * 2 * math.pi)
        person.level.append(level + walk + season + monthly)
        drink = chance.random() < drinks * (2.5 if (day + phase) % 7 in (5, 6) else 0.7)
        noise = chance.gauss(0, person.day_noise) + (chance.uniform(2, 6) if drink else 0) + ill[day]
        readings: list[list] = []
        for source, offset in person.offsets.items():
            mean = assumptions.readings if source == "watch" else 1.0
            wears = worn[day] if source == "watch" else chance.random() < 0.6
            count = 1 + int(chance.expovariate(1 / max(mean - 0.5, 0.1))) if wears else 0
            for _ in range(min(count, 12)):
                hour = chance.uniform(7.5, 22)
                value = (person.level[day] + person.circadian(hour) + noise + offset
                         + person.effect * (1 - medicine.lowering(taken, day, hour))
                         + chance.gauss(0, person.reading_noise))
                readings.append([round(hour, 2), round(value), source])
        steps = person.usual_steps * chance.lognormvariate(0, 0.35) * (0.92 ** min(ill[day], 10))
        about = day if slot != "evening" or assumptions.answers_about_today else max(0, day - 1)
        person.lines.append({
            "p": number, "d": day, "agent": agent.name, "slot": slot, "dose": person.doses[day],
            "readings": sorted(readings, key=lambda reading: reading[0]),
            "steps": int(steps) if worn[day] and assumptions.steps else None,
            "answer": answer(chance, person.missed[about], assumptions)})
    return person


def cohort(seed: int, assumptions: Assumptions = BASE) -> list[Patient]:
    return [patient(number, seed, assumptions) for number in range(assumptions.patients)]


def write(people: list[Patient], file: Path) -> None:
    with file.open("w") as output:
        for line in lines(people):
            output.write(json.dumps(line, separators=(",", ":")) + "\n")


def lines(people: list[Patient]) -> Iterator[dict]:
    for person in people:
        yield from person.lines
