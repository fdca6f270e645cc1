# SPDX-License-Identifier: Apache-2.0
"""Repeated SIGKILL while reminders are due: none is lost, none is doubled on a device.

Every second, or a little more, another person's dose is due, and one person has so many that they make
several groups. A reminder in progress when the process died may be delivered twice; a device treats both
as one, since delivery id, tag and Topic are the same.
"""
import os
import random
import time
from collections import defaultdict
from collections.abc import Callable

import pytest

from harness.push_receiver import Device
from harness.ringing import Person, Ring, eventually

KILLS = int(os.environ.get("REGIMEN_KILL_ROUNDS", "20"))
SEED = int(os.environ.get("REGIMEN_KILL_SEED", "20260301"))
DEVICES = 2
GROUPED = 40


def kill_until(ring: Ring, done: Callable[[], bool], choice: random.Random, kills: int) -> int:
    """Kills after the next pushes, somewhere between their arrival and their commit."""
    service = ring.services[0]

    def arrived() -> int:
        return sum(len(device.pushes) for device in list(service.devices.values()))

    count, seen = 0, arrived()
    deadline = time.monotonic() + 60 + kills * 5
    while not done():
        assert time.monotonic() < deadline, "the reminders never came"
        if count < kills and arrived() >= seen + choice.choice([1, 1, 2, 3]):
            time.sleep(choice.choice([0, 0, 0.001, 0.005, 0.02, 0.1]))
            ring.server.kill()
            ring.server.start()
            count, seen = count + 1, arrived()
        time.sleep(0.002)
    return count


def seconds_of_restart(ring: Ring) -> float:
    started = time.monotonic()
    ring.server.kill()
    ring.server.start()
    return time.monotonic() - started


def named(device: Device) -> set[str]:
    return {dose for push in device.accepted for dose in push.payload["doses"]}


def check(person: Person, devices: list[Device], doses: list[str]) -> int:
    """Checks that every dose reached every device, one delivery per step; returns the number of repeats."""
    steps = {d["id"]: d["rung"] for d in person.deliveries()}
    repeated = 0
    for device in devices:
        assert named(device) == set(doses), "a dose was never named"
        by_delivery, by_step = defaultdict(list), defaultdict(set)
        for push in device.accepted:
            payload = push.payload
            by_delivery[payload["delivery"]].append(push)
            for dose in payload["doses"]:
                by_step[dose, steps[payload["delivery"]]].add(payload["delivery"])
        for key, deliveries in by_step.items():
            assert len(deliveries) == 1, f"{key} was rung under {deliveries}"
        for pushes in by_delivery.values():
            repeated += len(pushes) - 1
            assert len({push.topic for push in pushes}) == 1
            assert len({push.payload["tag"] for push in pushes}) == 1
            assert len({tuple(push.payload["doses"]) for push in pushes}) == 1
        # A dose belongs to one subject: it never rings twice in parallel.
        tags = defaultdict(set)
        for push in device.accepted:
            for dose in push.payload["doses"]:
                tags[dose].add(push.payload["tag"])
        assert all(len(found) == 1 for found in tags.values())
    return repeated


@pytest.mark.long
@pytest.mark.parametrize("kills", [KILLS])
def test_kill_while_reminders_fall_due(own_ring: Callable[..., Ring], kills: int) -> None:
    choice = random.Random(SEED)
    ring = own_ring()
    people = [ring.person() for _ in range(kills + 1)]
    devices = {p.email: [p.subscribe() for _ in range(DEVICES)] for p in people}
    doses: dict[str, list[str]] = {}
    grouped, *others = people
    # On a slow machine the doses are further apart, so that as many kills fall between them.
    seconds_apart = max(1, 1.5 * seconds_of_restart(ring))
    started = time.monotonic()
    spare = len(others) * 0.1 + 2
    for number, person in enumerate(others):
        ahead = spare + number * seconds_apart - (time.monotonic() - started)
        doses[person.email] = [person.dose_in(max(ahead, 0))]
    ahead = max(spare - (time.monotonic() - started), 0)
    apart = len(others) * seconds_apart / GROUPED
    doses[grouped.email] = [
        dose for plan in range(4)
        for dose in grouped.plan_in(*[ahead + (4 * n + plan) * apart for n in range(GROUPED // 4)])
    ]

    def all_named() -> bool:
        return all(
            named(device) >= set(doses[p.email]) for p in people for device in devices[p.email]
        )

    count = kill_until(ring, all_named, choice, kills)
    for person in people:
        eventually(
            lambda: {d["outcome"] for d in person.deliveries() if d["rung"] == 0} == {"handedOver"},
            f"the completion of all deliveries of {person.email}", 60,
        )
    repeated = sum(check(p, devices[p.email], doses[p.email]) for p in people)
    print(f"{count} kills, {len(doses) + GROUPED - 1} doses, {repeated} pushes repeated")
    assert count >= kills * 0.6, "too few kills fell into the reminders to show anything"
    tags = {push.payload["tag"] for push in devices[grouped.email][0].accepted}
    assert len(tags) >= 3, "40 doses of one person make several groups"


def test_an_answer_and_a_kill_together_leave_no_ghost(own_ring: Callable[..., Ring]) -> None:
    """Doses answered just before the process died do not ring afterwards."""
    ring = own_ring()
    people = [ring.person() for _ in range(6)]
    devices = [person.subscribe() for person in people]
    # Each one is answered before the next is created: on a slow machine the first would ring meanwhile.
    for person in people:
        assert person.api.answer(person.dose_in(3), "taken").status_code == 200
    ring.server.kill()
    ring.server.start()
    late = people[0].dose_in(3)
    eventually(lambda: devices[0].rung(late))
    ring.marker()
    assert [len(device.pushes) for device in devices] == [1, 0, 0, 0, 0, 0]
