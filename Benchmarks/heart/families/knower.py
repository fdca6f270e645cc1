# SPDX-License-Identifier: Apache-2.0
"""A near-bound: someone who knows every parameter of every person.

It knows the slow level (with drift, season, weekdays, cycle and heat), offsets of devices, hours, kinetics,
effect, noise and how often each person misses, falls ill and drinks. Hidden to it, as to any detector: the
missed doses, illness, alcohol, journeys, late doses and the noise itself, which it follows from day to day.
Days with an elevated heart rate are one chain of five steps, whatever their cause.
"""
import warnings

import numpy as np

from families.cohort import Cohort
from families.family import DAYS
from families.kinetics import hourly
from families.people import DOSE_HOURS

# 0 to 7 or more missed days in a row, then days back after one, two, and more, then the second day back.
STATES = [[], [1], [1] * 2, [1] * 3, [1] * 4, [1] * 5, [1] * 6, [1] * 9, [0, 1], [0, 1, 1], [0, 1, 1, 1, 1], [0, 0, 1, 1, 1]]
MISSING = np.array([state[:1] == [1] for state in STATES], float)
JUST_BACK = np.array([state[:2] == [0, 1] for state in STATES], float)
RAISED = np.array([0.0, 2.5, 5.0, 8.0, 11.0])
HISTORY = 10


def transitions(cohort: Cohort) -> np.ndarray:
    family, rate = cohort.family, cohort.rate
    long = family.pairs + family.holidays
    onset = np.minimum(0.9, (family.singles + long) * rate)
    goes_on = [0, long / (family.singles + long), family.holidays / long] + [np.exp(-1 / family.holiday_more)] * 5
    chances = np.zeros((len(rate), 12, 12))
    chances[:, 0, 0], chances[:, 0, 1] = 1 - onset, onset
    for length in range(1, 8):
        chances[:, length, min(length + 1, 7)] += goes_on[length]
        chances[:, length, 7 + min(length, 3)] += 1 - goes_on[length]
    chances[:, 8, 0] = chances[:, 11, 0] = 1
    chances[:, 9, 11] = chances[:, 10, 11] = 1
    return chances


def raised_steps(cohort: Cohort) -> np.ndarray:
    family = cohort.family
    onset = family.illness + family.altitude + family.travel + family.stress
    chances = np.zeros((5, 5))
    chances[0] = [1 - onset, onset * 0.4, onset * 0.3, onset * 0.2, onset * 0.1]
    chances[1] = [0.2, 0.68, 0.12, 0, 0]
    chances[2] = [0.04, 0.16, 0.66, 0.14, 0]
    chances[3] = [0, 0.05, 0.18, 0.64, 0.13]
    chances[4] = [0, 0, 0.05, 0.25, 0.7]
    return chances


def loss_tables(cohort: Cohort) -> tuple[np.ndarray, dict[float, int]]:
    """Returns the rise in bpm by dose, person, state and hour."""
    doses = sorted(set(np.unique(cohort.doses).tolist()))
    people = len(cohort.slots)
    tables = np.zeros((len(doses), people, 12, 24))
    for number, state in enumerate(STATES):
        taken = np.ones((people, HISTORY + 1))
        for back, gone in enumerate(state):
            if gone:
                taken[:, HISTORY - back] = 0
        evening = np.array([slot == "evening" for slot in cohort.slots])
        # An evening dose that shows today was due yesterday.
        taken[evening] = np.concatenate([taken[evening, 1:], np.ones((int(evening.sum()), 1))], axis=1)
        for place, dose in enumerate(doses):
            amounts = hourly(taken * dose, [DOSE_HOURS[slot] for slot in cohort.slots])
            tables[place, :, number] = cohort.kinetics.raised(amounts)[:, -24:]
    return tables, {dose: place for place, dose in enumerate(doses)}


class Knower:
    """One cohort; `alerts` can be called for any threshold."""

    def __init__(self, cohort: Cohort):
        self.cohort = cohort
        tables, place = loss_tables(cohort)
        people = np.arange(len(cohort.slots))
        dose = np.vectorize(place.get)(cohort.doses)
        clock = np.clip(cohort.hour.astype(int), 0, 23)
        swing = cohort.swing[people[:, None, None], clock]
        known = cohort.bpm - cohort.level[:, :, None] - cohort.off - swing
        # people x days x states x readings
        rise = tables[dose[:, :, None], people[:, None, None], :, clock].transpose(0, 1, 3, 2)
        error = known[:, :, None, :] - rise
        with warnings.catch_warnings():
            # Days without readings have no median.
            warnings.simplefilter("ignore", RuntimeWarning)
            middle = np.nanmedian(error, axis=3, keepdims=True)
        width = 2.5 * np.sqrt(cohort.reading_noise ** 2 + 0.3)[:, None, None, None]
        error = middle + np.clip(error - middle, -width, width)
        self.count = (~np.isnan(cohort.bpm)).sum(axis=2).astype(float)
        several = np.maximum(self.count, 1)[:, :, None]
        self.mean = np.nan_to_num(np.nansum(error, axis=3) / several)
        squares = np.nansum((error - self.mean[..., None]) ** 2, axis=3)
        self.noise = (cohort.reading_noise ** 2 + 1 / 12)[:, None, None]
        self.within = -squares / (2 * self.noise)
        ratio = np.log(np.maximum(cohort.steps, 1) / cohort.usual_steps[:, None])[:, :, None]
        fit = -(ratio - RAISED * np.log(cohort.family.illness_steps)) ** 2 / (2 * 0.4 ** 2)
        self.steps = np.where(cohort.steps[:, :, None] > 0, fit - fit[:, :, :1], 0.0)
        self.moves, self.raised = transitions(cohort), raised_steps(cohort)
        evening = np.array([slot == "evening" for slot in cohort.slots])
        self.window = np.where(evening[:, None], MISSING, MISSING + JUST_BACK)
        about_next = evening & cohort.family.about_today
        missing = np.where(about_next[:, None], self.moves @ MISSING, MISSING)[:, None, :]
        chances = cohort.family.answers
        missed = {1: chances[1], 2: chances[0], 3: 1 - chances[0] - chances[1]}
        taken = {1: chances[3], 2: chances[2], 3: 1 - chances[2] - chances[3]}
        self.heard = np.ones((len(people), DAYS, 12))
        for said in (1, 2, 3):
            rows, days = np.nonzero(cohort.answers == said)
            self.heard[rows, days] = taken[said] + (missed[said] - taken[said]) * missing[rows, 0]
        self.measured = cohort.main.any(axis=2)

    def branches(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Returns chance, mean and variance of a day's own contribution: usual, wild, and after alcohol."""
        noise, drinks = self.cohort.noise, np.clip(self.cohort.drinks, 1e-4, 0.5)
        low, high = self.cohort.family.alcohol_rise
        wild, plain = noise["tails"], noise["innovation"] ** 2 + np.mean(self.cohort.family.sleep_debt) ** 2
        zero = np.zeros_like(plain)
        return [((1 - drinks) * (1 - wild), zero, plain), ((1 - drinks) * wild + 1e-6, zero, 9 * plain),
                (drinks, zero + (low + high) / 2, plain + (high - low) ** 2 / 12)]

    def scores(self, threshold: float) -> tuple[np.ndarray, np.ndarray]:
        """Returns the alerts and the probability of a lapse, by person and day.

        It asks if the chance that this would be the first question about a lapse exceeds a share of itself and
        the chance that there is none.
        """
        people = len(self.moves)
        told = np.zeros((people, 12))  # the chance that a state's lapse was asked about
        belief = np.zeros((people, 12, 5))
        belief[:, 0, 0] = 1
        at, spread = np.zeros((people, 12, 5)), np.full((people, 12, 5), 4.0)
        keep = self.cohort.noise["keep"][:, None, None]
        alerts, chance = np.zeros((people, DAYS), bool), np.zeros((people, DAYS))
        branches = self.branches()
        doubt = np.where(RAISED > 0, 2.0, 0.0)[None, None, :]
        for day in range(DAYS):
            before = belief.sum(axis=2)
            told = np.einsum("ps,pst->pt", before * told, self.moves) / (np.einsum("ps,pst->pt", before, self.moves) + 1e-300)
            told[:, :2] = 0
            moved = np.einsum("psi,pst,ij->ptj", belief, self.moves, self.raised, optimize=True)
            first = np.einsum("psi,pst,ij->ptj", belief * at, self.moves, self.raised, optimize=True)
            second = np.einsum("psi,pst,ij->ptj", belief * (spread + at ** 2), self.moves, self.raised, optimize=True)
            at = first / (moved + 1e-300)
            spread = np.maximum(1e-3, second / (moved + 1e-300) - at ** 2)
            count = self.count[:, day][:, None, None]
            value = self.mean[:, day][:, :, None]
            parts = []
            for share, mean, variance in branches:
                before_at = keep * at
                ahead = keep ** 2 * spread + variance[:, None, None]
                total = ahead + doubt + self.noise / np.maximum(count, 1)
                away = value - before_at - mean[:, None, None] - RAISED
                seen = (count > 0)
                fit = np.where(seen, -0.5 * away ** 2 / total - 0.5 * np.log(total), 0.0) + np.log(share)[:, None, None]
                gain = np.where(seen, ahead / total, 0.0)
                parts.append((fit, before_at + gain * away, ahead * (1 - gain)))
            fits = np.stack([part[0] for part in parts])
            high = fits.max(axis=0)
            weights = np.exp(fits - high)
            sums = weights.sum(axis=0)
            weights /= sums
            at = sum(weight * part[1] for weight, part in zip(weights, parts))
            spread = sum(weight * (part[2] + (part[1] - at) ** 2) for weight, part in zip(weights, parts))
            log = np.log(moved + 1e-300) + high + np.log(sums) + self.within[:, day][:, :, None] + self.steps[:, day][:, None, :]
            log -= log.max(axis=(1, 2), keepdims=True)
            belief = np.exp(log)
            belief /= belief.sum(axis=(1, 2), keepdims=True)
            missing = belief.sum(axis=2) * self.window
            chance[:, day] = missing.sum(axis=1)
            fresh = (missing * (1 - told)).sum(axis=1)
            asks = (fresh >= threshold * (fresh + 1 - chance[:, day])) & self.measured[:, day] & (day >= 14)
            alerts[:, day] = asks
            told = np.where(asks[:, None], np.maximum(told, self.window), told)
            belief *= np.where(asks[:, None], self.heard[:, day], 1.0)[:, :, None]
            belief /= belief.sum(axis=(1, 2), keepdims=True)
        return alerts, chance
