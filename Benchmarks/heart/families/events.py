# SPDX-License-Identifier: Apache-2.0
"""Events that raise the heart rate for days, hidden from every detector: illness, alcohol, journeys and noise."""
import numpy as np

from families.family import DAYS, Family
from families.people import Draw


def episodes(draw: Draw, rate: float) -> list[tuple[int, int]]:
    """Returns the person and first day of each event."""
    people, days = np.nonzero(draw.days() < rate)
    return list(zip(people.tolist(), days.tolist()))


def illness(draw: Draw, family: Family) -> np.ndarray:
    added = np.zeros((draw.people, DAYS))
    for person, first in episodes(draw, family.illness):
        peak = draw.random.uniform(*family.illness_peak)
        length = int(draw.random.uniform(*family.illness_days)) + 1
        age = np.arange(min(DAYS - first, length + 10))
        shape = np.minimum(1, (age + 1) / 2) * np.where(age < length, 1, np.exp(-(age - length + 1) / 2.5))
        added[person, first:first + len(age)] += peak * shape
    return added


def stays(draw: Draw, family: Family) -> tuple[np.ndarray, np.ndarray]:
    """Returns the bpm of mountains, journeys and stress, and the shift of the hours by person and day."""
    added, shift = np.zeros((draw.people, DAYS)), np.zeros((draw.people, DAYS))
    for person, first in episodes(draw, family.altitude):
        age = np.arange(min(DAYS - first, draw.random.integers(2, 11)))
        added[person, first:first + len(age)] += draw.random.uniform(*family.altitude_rise) * np.exp(-age / 6)
    for person, first in episodes(draw, family.travel):
        age = np.arange(min(DAYS - first, draw.random.integers(3, 10)))
        added[person, first:first + len(age)] += draw.random.uniform(1, 4) * np.exp(-age / 3)
        shift[person, first:first + len(age)] = draw.random.choice((-8, -6, -3, 3, 6, 8))
    for person, first in episodes(draw, family.stress):
        length = min(DAYS - first, draw.random.integers(7, 22))
        added[person, first:first + length] += draw.random.uniform(2, 5) * np.minimum(1, (np.arange(length) + 1) / 3)
    return added, shift


def alcohol(draw: Draw, family: Family) -> tuple[np.ndarray, np.ndarray]:
    """Returns the bpm by day, and each person's share of such days."""
    share = family.alcohol * draw.random.choice((0, 0.5, 1, 2), draw.people)
    phase = draw.random.integers(0, 7, draw.people)[:, None]
    weekend = (np.arange(DAYS)[None, :] + phase) % 7 >= 5
    weight = np.where(weekend, family.alcohol_weekend, (7 - 2 * family.alcohol_weekend) / 5)
    drinks = draw.days() < share[:, None] * np.maximum(weight, 0)
    return drinks * draw.random.uniform(*family.alcohol_rise, (draw.people, DAYS)), share


def residuals(draw: Draw, family: Family) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Returns noise that lasts from day to day with heavy tails, and its parameters by person."""
    noise, keep, tails = draw.between(family.day_noise), draw.between(family.persistence), draw.between(family.tails)
    innovation = noise * np.sqrt(1 - keep ** 2)
    found, state = np.zeros((draw.people, DAYS)), np.zeros(draw.people)
    for day in range(DAYS):
        size = np.where(draw.share(1.0) & (draw.random.random(draw.people) < tails), 3.0, 1.0)
        state = keep * state + innovation * size * draw.random.normal(size=draw.people)
        found[:, day] = state
    debt = draw.between(family.sleep_debt)[:, None] * draw.random.exponential(1, (draw.people, DAYS))
    return found + debt - debt.mean(axis=1, keepdims=True), {"innovation": innovation, "keep": keep, "tails": tails}
