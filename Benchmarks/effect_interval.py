#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares intervals for the difference of two means of autocorrelated days, among simulated people without an effect.

`ours` is the interval of Sources/Diary/Effect/EffectEstimate.swift, `newey-west` that of Newey and West with three
neighbours, `independent` the usual one. Prints the share of people whose interval contains 0, which should be 0.95.
"""
import math
import random

PEOPLE, DAYS, BETWEEN = 4_000, 28, 8
NORMAL = 1.959963984540054


def days(correlation: float, draw: random.Random) -> list[float]:
    noise, value, found = math.sqrt(1 - correlation**2), draw.gauss(0, 1), []
    for _ in range(2 * DAYS + BETWEEN):
        found.append(value)
        value = correlation * value + noise * draw.gauss(0, 1)
    return found


def quantile(freedom: float) -> float:
    z = NORMAL
    return (z + (z**3 + z) / 4 / freedom + (5 * z**5 + 16 * z**3 + 3 * z) / 96 / freedom**2
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / freedom**3)


def distances(values: list[float]) -> list[float]:
    mean = sum(values) / len(values)
    return [value - mean for value in values]


def products(values: list[float], apart: int) -> float:
    return sum(left * right for left, right in zip(values, values[apart:]))


def share(count: int, correlation: float) -> float:
    return (1 + 2 * sum((1 - k / count) * correlation**k for k in range(1, count))) / count


def ours(before: list[float], after: list[float]) -> float:
    first, second = len(before), len(after)
    squares = products(before, 0) + products(after, 0)
    raw = (products(before, 1) + products(after, 1)) / (first + second - 2) * (first + second) / squares
    correlation = min(0.9, max(0.0, raw + (1 + 3 * max(raw, 0)) / ((first + second) / 2)))
    own, other = share(first, correlation), share(second, correlation)
    variance = squares / (first * (1 - own) + second * (1 - other))
    return quantile(max(2, 1 / own + 1 / other - 2)) * math.sqrt(variance * (own + other))


def newey_west(before: list[float], after: list[float], neighbours: int = 3) -> float:
    variance = 0.0
    for side in (before, after):
        sums = products(side, 0) + 2 * sum(
            (1 - k / (neighbours + 1)) * products(side, k) for k in range(1, neighbours + 1))
        variance += sums / len(side) / (len(side) - 1)
    return quantile(len(before) + len(after) - 2) * math.sqrt(variance)


def independent(before: list[float], after: list[float]) -> float:
    return newey_west(before, after, 0)


def main() -> None:
    methods = {"ours": ours, "newey-west": newey_west, "independent": independent}
    print("correlation  missing  " + "".join(f"{name:>12}" for name in methods))
    for missing in (0.0, 0.4):
        for correlation in (0.0, 0.3, 0.6, 0.8):
            draw, hits = random.Random(34), dict.fromkeys(methods, 0)
            for _ in range(PEOPLE):
                values = days(correlation, draw)
                sides = [
                    [value for value in side if draw.random() >= missing]
                    for side in (values[:DAYS], values[-DAYS:])
                ]
                difference = sum(sides[1]) / len(sides[1]) - sum(sides[0]) / len(sides[0])
                before, after = distances(sides[0]), distances(sides[1])
                for name, method in methods.items():
                    hits[name] += abs(difference) <= method(before, after)
            line = "".join(f"{hits[name] / PEOPLE:12.3f}" for name in methods)
            print(f"{correlation:11.1f}  {missing:7.1f}  {line}")


if __name__ == "__main__":
    main()
