# SPDX-License-Identifier: Apache-2.0
"""The families. Seven to tune on, six that nothing was tuned on; they differ in form, not only in numbers."""
from families.family import Family

TRAINING = [
    Family("clinic", False),
    Family(
        "runners", False, curve="sigmoid", half=(0.35, 0.8), trend=(-2.5, 1.5), exercise=0.4, persistence=(0.2, 0.6),
        heat=0.4, level=(46, 66), day_noise=(1.0, 2.2), swing=(1, 6), altitude=1 / 150),
    Family(
        "one value", False, mode="daily", persistence=(0.3, 0.7), day_noise=(1.2, 2.4), reading_noise=(0.6, 1.2),
        tails=(0.02, 0.1), firmware=0.3, curve="logarithm", half=(0.1, 0.4), about_today=True, second=0.05),
    Family(
        "frail", False, slots=("morning", "morning", "twice"), slow=0.35, effect=0.8, unmoved=0.15, illness=1 / 70,
        illness_steps=0.95, illness_days=(3, 14), singles=0.02, pairs=0.006, holidays=0.01, holiday_more=5,
        readings=2.0, unworn=(0.1, 0.35), steps=0.7, exercise=0.02, alcohol=0.01, answers=(0.55, 0.25, 0.04, 0.80)),
    Family(
        "shift workers", False, week=(0.8, 2.5), alcohol=0.12, sleep_debt=(0.5, 1.6), caffeine=0.3, stress=1 / 80,
        weekend_misses=2.5, late=0.15, second_swing=(0.5, 2.5), tails=(0.03, 0.12), answers=(0.60, 0.20, 0.03, 0.72)),
    Family(
        "cycles", False, cycle=0.8, slots=("evening", "morning"), agents=("propranolol", "metoprolol", "bisoprolol"),
        persistence=(0.1, 0.5), rebound=1.4, level=(60, 82), stress=1 / 120, mode="mixed", unworn=(0.05, 0.3)),
    Family(
        "gadgets", False, mode="dense", changed=0.5, second=0.5, offset=4.0, firmware=0.3, reading_noise=(2.5, 5.0),
        reading_tails=0.06, long_pause=0.3, curve="line", delay=(0.15, 0.6), answering=0.7),
]

HELD_OUT = [
    Family(
        "northern winter", True, season=(2, 5), illness=1 / 55, illness_peak=(2, 9), illness_steps=0.88, stress=1 / 100,
        persistence=(0.3, 0.75), day_noise=(1.3, 2.6), curve="hyperbola", half=(0.4, 0.9), walk=(0.1, 0.3), travel=1 / 150),
    Family(
        "hot city", True, heat=0.8, persistence=(0.1, 0.5), tails=(0.06, 0.15), reading_tails=0.08,
        reading_noise=(2.2, 4.2), exercise=0.15, curve="logarithm", half=(0.15, 0.5), mode="awake", readings=3.0,
        alcohol=0.03, caffeine=0.3, firmware=0.2),
    Family(
        "sleepers", True, mode="nights", swing=(3, 8), second_swing=(0.5, 2), day_noise=(1.0, 2.0), sleep_debt=(0.3, 1.5),
        alcohol=0.09, alcohol_rise=(2, 8), persistence=(0.2, 0.6), delay=(0.2, 0.8), curve="sigmoid", half=(0.3, 0.7),
        slots=("evening", "evening", "morning")),
    Family(
        "metabolisers", True, agents=("metoprolol", "carvedilol", "nebivolol", "propranolol"), slow=0.25, fast=0.1,
        half_life_spread=0.35, effect_spread=0.45, unmoved=0.2, rebound=1.8, rebound_days=2.5, late=0.1, curve="line",
        delay=(0.1, 0.4), singles=0.045, pairs=0.012, holidays=0.006, miss_spread=1.0),
    Family(
        "new watches", True, changed=0.8, second=0.4, firmware=0.5, offset=5.0, unworn=(0.15, 0.45), weekend_unworn=2.0,
        long_pause=0.5, mode="mixed", readings=2.0, reading_tails=0.05, steps=0.6, answering=0.6,
        answers=(0.50, 0.20, 0.05, 0.65)),
    Family(
        "travellers", True, travel=1 / 35, altitude=1 / 90, late=0.2, stress=1 / 90, weekend_misses=2.0, singles=0.04,
        pairs=0.01, holidays=0.012, holiday_more=1.5, mode="daily", reading_noise=(0.8, 1.6), persistence=(0.2, 0.6),
        trend=(-2, 2), exercise=0.3, about_today=True, alcohol=0.09),
]

FAMILIES = TRAINING + HELD_OUT
