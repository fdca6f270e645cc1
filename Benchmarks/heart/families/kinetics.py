# SPDX-License-Identifier: Apache-2.0
"""Doses to heart rate, hour by hour, for many people at once.

Families differ in their form: how concentration becomes effect (four curves), how late it follows, and
how the heart rebounds.
"""
from dataclasses import dataclass

import numpy as np

CURVES = ("hyperbola", "sigmoid", "logarithm", "line")


@dataclass
class Kinetics:
    """One entry for each person (rows of the arrays)."""
    absorption: np.ndarray  # share in an hour
    elimination: np.ndarray  # share in an hour
    delay: np.ndarray  # the share by which the effect approaches the concentration in an hour
    half: np.ndarray  # concentration of half the effect, relative to the usual mean
    effect: np.ndarray  # bpm
    rebound: np.ndarray  # share of the effect
    curve: str
    rebound_days: float = 1.5

    def rows(self, index: np.ndarray) -> "Kinetics":
        return Kinetics(
            self.absorption[index], self.elimination[index], self.delay[index], self.half[index],
            self.effect[index], self.rebound[index], self.curve, self.rebound_days)

    def lowering(self, concentration: np.ndarray) -> np.ndarray:
        """Returns the effect at a concentration; 1 at the usual mean."""
        at, half = np.maximum(concentration, 0), self.half
        if self.curve == "hyperbola":
            return (1 + half) * at / (at + half)
        if self.curve == "sigmoid":
            return (1 + half ** 2) * at ** 2 / (at ** 2 + half ** 2)
        if self.curve == "logarithm":
            return np.log1p(at / half) / np.log1p(1 / half)
        return np.minimum(at, 1.4)

    def raised(self, amounts: np.ndarray) -> np.ndarray:
        """Returns the bpm above the fully treated heart rate by hour, for doses by hour (people x hours).

        The first two weeks are repeated in front, so that the first day is in a steady state.
        """
        ramp = amounts[:, :24]
        amounts = np.concatenate([np.tile(ramp, (1, 14)), amounts], axis=1)
        people, hours = amounts.shape
        stay, gone = np.exp(-self.elimination), np.exp(-self.absorption)
        between = np.where(np.abs(self.absorption - self.elimination) < 1e-3, 1e-3, self.absorption - self.elimination)
        flow = self.absorption / between * (stay - gone) * 24 * self.elimination
        follow = 1 - np.exp(-self.delay)
        fast, slow = 1 - np.exp(-1 / 24 / self.rebound_days), 1 - np.exp(-1 / 24 / 6.0)
        gut, blood, site = np.zeros(people), np.zeros(people), np.zeros(people)
        near, far = np.zeros(people), np.zeros(people)
        result = np.zeros((people, hours))
        for hour in range(hours):
            gut = gut + amounts[:, hour]
            blood = blood * stay + gut * flow
            gut = gut * gone
            site = site + follow * (blood - site)
            loss = 1 - self.lowering(site)
            near = near + fast * (np.clip(loss, 0, 1) - near)
            far = far + slow * (near - far)
            result[:, hour] = self.effect * (loss + self.rebound * 2 * np.maximum(0, near - far))
        return result[:, 14 * 24:]


def hourly(taken: np.ndarray, dose_hours: list[tuple[int, ...]], late: np.ndarray | None = None) -> np.ndarray:
    """Returns the doses by hour; `taken` is people x days, `late` the delay of each day's doses in hours."""
    people, days = taken.shape
    amounts = np.zeros((people, days * 24))
    for person, hours in enumerate(dose_hours):
        for hour in hours:
            delay = late[person] if late is not None else np.zeros(days, int)
            at = np.clip(np.arange(days) * 24 + hour + delay, 0, days * 24 - 1)
            np.add.at(amounts[person], at, taken[person] / len(hours))
    return amounts
