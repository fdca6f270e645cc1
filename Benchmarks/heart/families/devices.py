# SPDX-License-Identifier: Apache-2.0
"""Watches and rings: who wears which, when they measure, and by how much they are off."""
import numpy as np

from families.family import DAYS, Family
from families.people import Draw


def worn(draw: Draw, family: Family) -> np.ndarray:
    off = draw.between(family.unworn)
    found = np.zeros((draw.people, DAYS), bool)
    on = np.ones(draw.people, bool)
    for day in range(DAYS):
        busy = family.weekend_unworn if day % 7 >= 5 else 1.0
        chance = draw.random.random(draw.people)
        on = np.where(on, chance >= np.minimum(0.9, busy * off / (1 - off) / 2.2), chance < 1 / 2.2)
        found[:, day] = on
    for person in np.nonzero(draw.share(family.long_pause))[0]:
        first = draw.random.integers(20, DAYS)
        found[person, first:first + draw.random.integers(14, 43)] = False
    return found


def sources(draw: Draw, family: Family) -> tuple[list[list[str]], np.ndarray, list[str | None], np.ndarray]:
    """Returns the main source by day with its offset, the second source and its offset."""
    main = [["watch"] * DAYS for _ in range(draw.people)]
    offset = np.zeros((draw.people, DAYS))
    for person in np.nonzero(draw.share(family.changed))[0]:
        day = int(draw.random.integers(30, DAYS - 20))
        main[person][day:] = ["watch 2"] * (DAYS - day)
        offset[person, day:] += draw.random.normal(0, family.offset)
    for person in np.nonzero(draw.share(family.firmware))[0]:
        day = int(draw.random.integers(20, DAYS))
        offset[person, day:] += draw.random.choice((-1, 1)) * draw.random.uniform(1.5, 5)
    has_second = draw.share(family.second)
    second = [("ring" if has else None) for has in has_second]
    return main, offset, second, draw.random.normal(0, family.offset, draw.people)


def hours(draw: Draw, family: Family, person: int) -> np.ndarray:
    """Returns the hours at which a worn day is measured."""
    random = draw.random
    mode = family.mode
    if mode == "mixed":
        mode = ("awake", "daily", "nights")[person % 3]
    if mode == "daily":
        return np.clip(random.normal(17, 1.5, 1), 12, 21.5)
    if mode == "nights":
        return np.concatenate([random.uniform(1, 5.5, 1 + random.integers(0, 3)), random.uniform(9, 21, random.integers(1, 4))])
    if mode == "dense":
        return random.uniform(6.5, 22.5, random.integers(6, 13))
    return random.uniform(7.5, 22, min(12, 1 + int(random.exponential(max(0.1, family.readings - 0.5)))))
