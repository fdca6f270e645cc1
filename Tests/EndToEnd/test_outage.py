# SPDX-License-Identifier: Apache-2.0
"""An outage of an installation with hundreds of people: what was due meanwhile rings as the rule says, once.

Doses at most an hour late ring as usual, all earlier ones are named in one summary for each person. Reminders begin as
soon as every plan has the doses of the next hour, although later ones are still being planned.
"""
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from harness.api import parse
from harness.exposition import parse as read_metrics
from harness.push_receiver import Device
from harness.ringing import Person, Ring, eventually

# The server plans a hundred plans at a time.
PEOPLE = 240
HOUR = 3_600
# The hours of the outages; further ones in `make soak`.
HOURS = [int(hours) for hours in os.environ.get("REGIMEN_OUTAGE_HOURS", "24").split()]
EARLY = "reminders begin while later doses are being planned"


def daily(person: Person, *hours: float) -> dict[str, Any]:
    """Returns the timing of doses each day, at times of the day some hours from now."""
    now = person.api.now()
    times = [(now + timedelta(hours=ahead)).strftime("%H:%M:00") for ahead in hours]
    return {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d", "timeOfDay": times}}


@pytest.mark.long
@pytest.mark.parametrize("hours", HOURS)
def test_hundreds_of_people_after_an_outage(own_ring: Callable[..., Ring], hours: int) -> None:
    ring = own_ring()
    people = [ring.person() for _ in range(PEOPLE)]
    # Two hours and half an hour before the end of the outage, and long after it.
    ahead = [hours - 2, hours - 0.5, hours + 5]

    def prepare(person: Person) -> Device:
        device = person.subscribe()
        person.api.add_plan(daily(person, *ahead))
        return device

    with ThreadPoolExecutor(4) as pool:
        devices = dict(zip([p.email for p in people], pool.map(prepare, people), strict=True))
    began = people[0].api.now()
    ring.restart(hours * HOUR)
    ended = people[0].api.now()

    def due(person: Person) -> tuple[list[str], list[str]]:
        """Returns the doses that fell into the outage: those that can no longer ring, and those that can."""
        doses = person.api.doses(began, ended)
        split = ended - timedelta(hours=1)
        missed = [dose["id"] for dose in doses if parse(dose["due"]) < split]
        return missed, [dose["id"] for dose in doses if dose["id"] not in missed]

    def arrived() -> int:
        return sum(len(device.accepted) >= 2 for device in devices.values())

    eventually(lambda: arrived() == PEOPLE, "a summary and a reminder for everyone", 180)
    ring.marker()
    missed_doses = 0
    for person in people:
        missed, fresh = due(person)
        assert missed and len(fresh) == 1, (missed, fresh)
        missed_doses += len(missed)
        payloads = [push.payload for push in devices[person.email].accepted]
        rung = sorted((payload["kind"], payload["doses"]) for payload in payloads)
        assert rung == [("doses", fresh), ("summary", missed)], "a dose is missing, or came twice"
    metrics = read_metrics(ring.server.command("metrics"))
    assert metrics["regimen_reminders_missed_total"].value() == missed_doses
    # A summary counts too, and one more dose is the marker's.
    assert metrics["regimen_reminders_rung_total"].value() == missed_doses + PEOPLE + 1
    if hours < 48:
        # The next hour was planned before the outage, so the first hundred plans are enough to begin.
        assert [line for line in ring.server.log if EARLY in line]
