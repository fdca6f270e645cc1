# SPDX-License-Identifier: Apache-2.0
"""The parameters of one family. Each person draws their own from these ranges.

Ranges without a source are a choice. References: Quer 2020 doi 10.1371/journal.pone.0227709; Speed 2023 doi
10.1371/journal.pdig.0000236; Vrijens 2008 BMJ 336:1114; Natarajan 2022 doi 10.3389/fphys.2022.898251; Strueven 2025 doi
10.3390/nu17091470; Pietila 2018 doi 10.2196/mental.9519; Shilaih 2017; McAlister 2009 doi
10.7326/0003-4819-150-11-200906020-00006; Rangno 1982 doi 10.1038/clpt.1982.2.
"""
from dataclasses import dataclass

Range = tuple[float, float]
DAYS = 240


@dataclass(frozen=True)
class Agent:
    """A medicine: half-life in hours, share absorbed in an hour, mean lowering in bpm, rebound."""
    name: str
    half_life: Range
    absorption: float
    effect: float
    rebound: float


# Half-lives: PMC2291309 table 1. Metoprolol releases over about 20 h. Lowering of 8 to 12 bpm: McAlister
# 2009. Rebound of 15 % over pre-treatment after metoprolol: Rangno 1982; the order of the others is a choice.
AGENTS = {
    "bisoprolol": Agent("bisoprolol", (9, 12), 0.9, 9.5, 0.25),
    "metoprolol": Agent("metoprolol", (3, 7), 0.12, 10, 0.4),
    "carvedilol": Agent("carvedilol", (6, 10), 1.2, 8.5, 0.15),
    "nebivolol": Agent("nebivolol", (10, 30), 0.7, 8, 0.1),
    "atenolol": Agent("atenolol", (6, 9), 0.5, 10, 0.35),
    "propranolol": Agent("propranolol", (3, 6), 1.0, 10, 0.35),  # not known to the model by its name
}


@dataclass(frozen=True)
class Family:
    name: str
    held_out: bool
    agents: tuple[str, ...] = ("bisoprolol", "metoprolol", "carvedilol", "nebivolol", "atenolol")
    slots: tuple[str, ...] = ("morning", "morning", "evening", "twice")
    # Medicine
    curve: str = "hyperbola"
    half: Range = (0.2, 0.6)
    delay: Range = (0.5, 3.0)
    effect: float = 1.0  # times the agent's
    effect_spread: float = 0.28  # SD of its logarithm
    half_life: float = 1.0
    half_life_spread: float = 0.2
    slow: float = 0.0  # share whose elimination takes 2.5 times as long (CYP2D6: 7 % of Europeans; kidneys)
    fast: float = 0.0  # share of ultrarapid metabolisers: 0.6 times
    rebound: float = 1.0
    rebound_days: float = 1.5
    unmoved: float = 0.0  # share of people whose heart barely reacts
    late: float = 0.0  # share of doses taken 2 to 8 hours late
    titrated: float = 0.25  # share with a change of the recorded dose
    # Lapses: onsets per day of single days, pairs and longer. Vrijens 2008: a tenth of doses, 42 % single
    singles: float = 0.03
    pairs: float = 0.008
    holidays: float = 0.008
    holiday_more: float = 3.0  # days beyond three, mean
    miss_spread: float = 0.7
    weekend_misses: float = 1.0  # times as many on two days of the week
    # The heart on the medicine
    level: Range = (55, 78)  # SD between people 7.7: Quer 2020
    walk: Range = (0.05, 0.2)  # SD in bpm per day
    season: Range = (0.5, 2.5)  # high in January, low in July: Quer 2020
    week: Range = (0, 1.0)  # SD of weekdays
    trend: Range = (-1.0, 1.0)  # bpm a month for three months: training, or the loss of it
    swing: Range = (0, 4)  # midday over night: Speed 2023, 4 bpm
    second_swing: Range = (0, 1)
    day_noise: Range = (1.2, 2.6)  # between-day CV 5 to 6 %: Digital Health 2025
    persistence: Range = (0.0, 0.3)  # autocorrelation of that noise from one day to the next
    tails: Range = (0.0, 0.05)  # share of days with three times that noise
    # Events: onsets per day, bpm
    illness: float = 1 / 120
    illness_peak: Range = (3, 12)  # fever: 8 to 10 bpm per degree; COVID 2 to 3 % in the mean: Natarajan 2022
    illness_days: Range = (2, 8)
    illness_steps: float = 0.92  # steps for each beat
    alcohol: float = 0.05
    alcohol_rise: Range = (2, 6)  # 40 to 60 g: +3 bpm (Strueven 2025); dose-related: Pietila 2018
    alcohol_weekend: float = 2.5
    cycle: float = 0.2  # share with a menstrual cycle: luteal +3.8 over menses, Shilaih 2017
    heat: float = 0.0  # bpm for each degree above 24 in heat waves
    sleep_debt: Range = (0, 0.5)  # late nights raise it the next day
    caffeine: float = 0.1  # share of people who give it up or start, 1 to 3 bpm
    altitude: float = 0.0  # onsets of stays in the mountains
    altitude_rise: Range = (4, 12)
    travel: float = 0.0  # onsets of journeys across zones: hours shift, +1 to 4 bpm for days
    stress: float = 0.0  # onsets of one to three weeks, +2 to 5 bpm
    exercise: float = 0.1  # share of days with training before a reading
    # Devices
    mode: str = "awake"  # awake, daily, nights, dense or mixed
    readings: float = 4.0
    reading_noise: Range = (1.8, 3.6)  # SD 3 to 5 for single values at rest: medRxiv 19008771
    reading_tails: float = 0.02  # share of readings with four times that noise
    unworn: Range = (0.04, 0.25)  # SafeHeart: 88.2 % of days valid, IQR 74.6 to 96.5
    weekend_unworn: float = 1.0
    long_pause: float = 0.1  # share of people with a pause of two to six weeks
    second: float = 0.2  # share with a second source
    changed: float = 0.1  # share who change their watch
    offset: float = 3.0  # SD of a source
    firmware: float = 0.0  # share with a jump of the same watch
    steps: float = 0.9  # share whose steps are counted
    # Answers: missed and taken after a missed dose, missed and taken after a taken one
    answers: tuple[float, float, float, float] = (0.70, 0.15, 0.02, 0.88)
    answering: float = 0.9  # share of people who ever answer
    about_today: bool = False  # an evening's miss is asked about on the next day, unless so
