# SPDX-License-Identifier: Apache-2.0
"""A near-bound: the detection of missed doses by someone who knows every parameter of every person.

It knows level, drift, effect, kinetics, noise, offsets and how often each person misses and falls ill, as
drawn by the simulator. Missed doses, illness and alcohol stay hidden and are inferred day by day, as by
any detector. Illness is modelled in four steps.
"""
import math

import numpy as np

from simulator import DAYS, DOSE_HOURS, HOLIDAYS, PAIRS, SINGLES, Assumptions, Medicine, Patient

# The states: 0 to 7 or more missed days in a row, then days back after one, two, and more, then the second
# day back.
STATES = [[], [1], [1] * 2, [1] * 3, [1] * 4, [1] * 5, [1] * 6, [1] * 9, [0, 1], [0, 1, 1], [0, 1, 1, 1, 1], [0, 0, 1, 1, 1]]
MISSING = np.array([state[:1] == [1] for state in STATES], float)
JUST_BACK = np.array([state[:2] == [0, 1] for state in STATES], float)
ILLNESS = np.array([0.0, 3.0, 6.0, 9.0])
ALCOHOL, ALCOHOL_VARIANCE = 4.0, 16 / 12


def transitions(own: float) -> np.ndarray:
    onset = min(0.9, (SINGLES + PAIRS + HOLIDAYS) * own)
    chances = np.zeros((12, 12))
    chances[0, 0], chances[0, 1] = 1 - onset, onset
    goes_on = [0, (PAIRS + HOLIDAYS) / (SINGLES + PAIRS + HOLIDAYS), HOLIDAYS / (PAIRS + HOLIDAYS)] + [math.exp(-1 / 3)] * 5
    for length in range(1, 8):
        chances[length, min(length + 1, 7)] += goes_on[length]
        chances[length, 7 + min(length, 3)] += 1 - goes_on[length]
    chances[8, 0] = chances[11, 0] = 1
    chances[9, 11] = chances[10, 11] = 1
    return chances


def illness_steps(onset: float) -> np.ndarray:
    chances = np.zeros((4, 4))
    chances[0] = [1 - onset, onset * 0.4, onset * 0.35, onset * 0.25]
    chances[1] = [0.22, 0.73, 0.05, 0]
    chances[2] = [0.02, 0.16, 0.74, 0.08]
    chances[3] = [0, 0.03, 0.2, 0.77]
    return chances


def kinetics(person: Patient) -> tuple[np.ndarray, np.ndarray]:
    """Returns concentration and rebound by state and hour, at dose 1."""
    medicine = Medicine(person.agent, person.slot, person.half_life, person.rebound)
    concentration, over = np.zeros((12, 25)), np.zeros((12, 25))
    for number, state in enumerate(STATES):
        shown = [0, *state] if person.slot == "evening" else state
        taken = [1.0] * 40
        for back, gone in enumerate(shown):
            taken[30 - back] = 0.0 if gone else 1.0
        for hour in range(25):
            concentration[number, hour] = medicine.concentration(taken, 30, hour)
            over[number, hour] = medicine.over(taken, 30, hour)
    return concentration, over


def day_likelihoods(person: Patient, assumptions: Assumptions) -> np.ndarray:
    """Returns logarithms by day, state and step of illness; alcohol is summed out."""
    concentration, over = kinetics(person)
    result = np.zeros((DAYS, 12, 4))
    drinks = assumptions.alcohol * 0.9
    for day, line in enumerate(person.lines):
        if line["steps"]:
            expected = math.log(person.usual_steps) + np.minimum(ILLNESS, 10) * math.log(0.92)
            result[day] -= (math.log(max(line["steps"], 1)) - expected) ** 2 / (2 * 0.35 ** 2)
        if not line["readings"]:
            continue
        hours = np.array([reading[0] for reading in line["readings"]])
        low = hours.astype(int)
        share = hours - low
        level = concentration[:, low] * (1 - share) + concentration[:, low + 1] * share
        level = level * person.doses[day]
        lowering = 1.35 * level / (level + 0.35) - over[:, low]
        values = np.array([
            reading[1] - person.offsets[reading[2]] - person.circadian(reading[0]) for reading in line["readings"]])
        errors = values - person.level[day] - person.effect * (1 - lowering)
        count, reading_variance = len(hours), person.reading_noise ** 2 + 1 / 12
        total, squares = errors.sum(axis=1)[:, None], (errors ** 2).sum(axis=1)[:, None]
        options = []
        for chance, mean, more in ((1 - drinks, 0.0, 0.0), (drinks, ALCOHOL, ALCOHOL_VARIANCE)):
            added = ILLNESS + mean
            variance = person.day_noise ** 2 + more + np.where(ILLNESS > 0, 1.5, 0.0)
            both = reading_variance + count * variance
            part = squares - 2 * added * total + count * added ** 2
            whole = total - count * added
            fit = -0.5 * (part / reading_variance - variance / reading_variance * whole ** 2 / both)
            options.append(fit - 0.5 * np.log(both) + math.log(max(chance, 1e-12)))
        result[day] += np.logaddexp(*options)
    return result


class Oracle:
    """One cohort; `alerts` can be called for any threshold."""

    def __init__(self, people: list[Patient], assumptions: Assumptions):
        self.fits = np.stack([day_likelihoods(person, assumptions) for person in people])
        self.fits -= self.fits.max(axis=(2, 3), keepdims=True)
        self.moves = np.stack([transitions(person.miss_rate) for person in people])
        self.illness = illness_steps(assumptions.illness)
        evening = np.array([person.slot == "evening" for person in people])
        self.window = np.where(evening[:, None], MISSING, MISSING + JUST_BACK)
        asked = {"taken": (0.88, 0.15), "missed": (0.02, 0.70), "none": (0.10, 0.15)}
        about_next = evening & assumptions.answers_about_today
        missing = np.where(about_next[:, None], self.moves @ MISSING, MISSING)
        said = [[line["answer"] for line in person.lines] for person in people]
        self.heard = np.ones((len(people), DAYS, 12))
        for answer, (taken, missed) in asked.items():
            rows, days = np.nonzero(np.array(said) == answer)
            self.heard[rows, days] = taken + (missed - taken) * missing[rows]
        self.measured = np.array([
            [any(reading[2] == "watch" for reading in line["readings"]) for line in person.lines] for person in people])

    def alerts(self, threshold: float) -> list[list[bool]]:
        count = len(self.fits)
        belief = np.zeros((count, 12, 4))
        belief[:, 0, 0] = 1
        said = np.zeros((count, DAYS), bool)
        for day in range(DAYS):
            belief = np.einsum("psi,pst,ij->ptj", belief, self.moves, self.illness, optimize=True)
            belief *= np.exp(self.fits[:, day])
            belief /= belief.sum(axis=(1, 2), keepdims=True)
            score = (belief.sum(axis=2) * self.window).sum(axis=1)
            told = (score >= threshold) & self.measured[:, day] & (day >= 14)
            said[:, day] = told
            heard = np.where(told[:, None], self.heard[:, day], 1.0)
            belief *= heard[:, :, None]
            belief /= belief.sum(axis=(1, 2), keepdims=True)
        return said.tolist()
