# SPDX-License-Identifier: Apache-2.0
"""Draws the people of a family: their medicine, lapses and the slow changes of their heart rate."""
import zlib

import numpy as np

from families.family import AGENTS, DAYS, Family, Range
from families.kinetics import Kinetics

DOSE_HOURS = {"morning": (8,), "evening": (20,), "twice": (8, 20)}


class Draw:
    """Random numbers of one family and seed."""

    def __init__(self, family: Family, seed: int, people: int):
        self.random = np.random.default_rng([seed, zlib.crc32(family.name.encode())])
        self.people = people

    def between(self, span: Range) -> np.ndarray:
        return self.random.uniform(*span, self.people)

    def share(self, chance: float) -> np.ndarray:
        return self.random.random(self.people) < chance

    def spread(self, deviation: float) -> np.ndarray:
        return np.exp(self.random.normal(-deviation ** 2 / 2, deviation, self.people))

    def days(self) -> np.ndarray:
        return self.random.random((self.people, DAYS))


def medicines(draw: Draw, family: Family) -> tuple[list[str], list[str], Kinetics, np.ndarray]:
    """Returns agent and slot of each person, their kinetics, and who barely reacts."""
    agents = [AGENTS[name] for name in draw.random.choice(family.agents, draw.people)]
    slots = [str(slot) for slot in draw.random.choice(family.slots, draw.people)]
    low = np.array([agent.half_life[0] for agent in agents])
    high = np.array([agent.half_life[1] for agent in agents])
    half_life = (low + (high - low) * draw.random.random(draw.people)) * family.half_life
    half_life *= draw.spread(family.half_life_spread)
    kind = draw.random.random(draw.people)
    half_life *= np.where(kind < family.slow, 2.5, np.where(kind < family.slow + family.fast, 0.6, 1.0))
    effect = np.array([agent.effect for agent in agents]) * family.effect * draw.spread(family.effect_spread)
    unmoved = draw.share(family.unmoved)
    effect = np.where(unmoved, draw.between((0, 1.5)), np.maximum(effect, 2.5))
    rebound = np.array([agent.rebound for agent in agents]) * family.rebound * draw.between((0, 2))
    kinetics = Kinetics(
        np.array([agent.absorption for agent in agents]) * draw.spread(0.2), np.log(2) / half_life, draw.between(family.delay),
        draw.between(family.half), effect, rebound, family.curve, family.rebound_days)
    return [agent.name for agent in agents], slots, kinetics, unmoved


def lapses(draw: Draw, family: Family) -> tuple[np.ndarray, np.ndarray]:
    """Returns the missed days, and each person's rate relative to the family's."""
    rate = draw.spread(family.miss_spread)
    missed = np.zeros((draw.people, DAYS), bool)
    chances = np.cumsum([family.singles, family.pairs, family.holidays])
    for person in range(draw.people):
        day = int(draw.random.integers(0, 7))
        phase = draw.random.integers(0, 7)
        while day < DAYS:
            busy = family.weekend_misses if (day + phase) % 7 in (5, 6) else 1.0
            kind = draw.random.random() / (rate[person] * busy)
            if kind >= chances[2]:
                day += 1
                continue
            length = 1 if kind < chances[0] else 2 if kind < chances[1] else 3 + int(
                draw.random.exponential(family.holiday_more))
            missed[person, day:day + length] = True
            day += length + 1
    return missed, rate


def doses(draw: Draw, family: Family) -> np.ndarray:
    found = np.ones((draw.people, DAYS))
    for person in np.nonzero(draw.share(family.titrated))[0]:
        found[person, draw.random.integers(20, DAYS):] = draw.random.choice((0.5, 1.5, 2.0))
    return found


def levels(draw: Draw, family: Family) -> np.ndarray:
    """Returns the slow part of the heart rate on the medicine, by person and day."""
    day = np.arange(DAYS)[None, :]
    phase = draw.random.integers(0, 365)
    level = np.zeros((draw.people, DAYS)) + draw.between(family.level)[:, None]
    level += np.cumsum(draw.random.normal(size=(draw.people, DAYS)) * draw.between(family.walk)[:, None], axis=1)
    level += draw.between(family.season)[:, None] * np.cos((day + phase) / 365 * 2 * np.pi)
    week = draw.random.normal(size=(draw.people, 7)) * draw.between(family.week)[:, None]
    level += (week - week.mean(axis=1, keepdims=True))[:, np.arange(DAYS) % 7]
    begin = draw.random.integers(0, DAYS, draw.people)[:, None]
    level += draw.between(family.trend)[:, None] * np.clip(day - begin, 0, 90) / 30
    has_cycle = draw.share(family.cycle)[:, None]
    length, since = draw.between((26, 32))[:, None], draw.between((0, 30))[:, None]
    # High in the second half, lowest around the first days.
    wave = np.tanh(2.5 * np.sin(((day + since) / length) * 2 * np.pi))
    level += has_cycle * draw.between((1, 2.5))[:, None] * wave
    if family.heat:
        weather, warmth = 0.0, np.zeros(DAYS)
        for number in range(DAYS):
            weather = 0.85 * weather + draw.random.normal(0, 2.2)
            warmth[number] = 21 + 5 * np.cos((number - 90) / 365 * 2 * np.pi) + weather
        level += draw.between((0.3, 1.7))[:, None] * family.heat * np.maximum(0, warmth - 24)[None, :]
    coffee = draw.share(family.caffeine)
    for person in np.nonzero(coffee)[0]:
        level[person, draw.random.integers(0, DAYS):] += draw.random.choice((-1, 1)) * draw.random.uniform(1, 3)
    return np.maximum(level, 42)
