# SPDX-License-Identifier: Apache-2.0
"""Nights with a clock change, wrong clocks, and outages: what rings, and when."""
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone

import pytest

from harness.api import parse
from harness.push_receiver import Device, Push, Reply
from harness.ringing import NO_MAIL, Person, Ring, eventually
from harness.server import PASSWORD
from harness.session import Session

HOUR, MINUTE = 3600, 60
BERLIN = {"TZ": "Europe/Berlin"}


def last_sunday(month: int) -> date:
    """Returns the next such day that is far enough ahead."""
    today = datetime.now(timezone.utc).date()
    for year in (today.year, today.year + 1):
        day = date(year, month, 31)
        day -= timedelta(days=(day.weekday() + 1) % 7)
        if day > today + timedelta(days=3):
            return day
    raise AssertionError("no such Sunday")


def offset_at(day: date, hour: int, minute: int = 0, second: int = 0) -> int:
    moment = datetime(day.year, day.month, day.day, hour, minute, second, tzinfo=timezone.utc)
    return int((moment - datetime.now(timezone.utc)).total_seconds())


def stand_at(ring: Ring, day: date, hour: int, minute: int, second: int) -> None:
    ring.server.stop()
    ring.server.clock_offset = offset_at(day, hour, minute, second)
    ring.server.start()


def pushes_due(device: Device, text: str) -> list[Push]:
    return [push for push in device.accepted if push.payload.get("due") == text]


def at_night(own_ring: Callable[..., Ring], day: date) -> Ring:
    """Starts a server in Berlin, at noon before that night."""
    ring = own_ring(environment=BERLIN, clock_offset=offset_at(day - timedelta(days=1), 11))
    return ring


def test_a_time_that_a_night_leaves_out_rings_at_its_end(own_ring: Callable[..., Ring]) -> None:
    night = last_sunday(3)
    ring = at_night(own_ring, night)
    person = ring.person()
    device = person.subscribe()
    plans = [
        person.api.add_plan({"repeat": {"timeOfDay": [time]}})["id"]
        for time in ("01:30:00", "02:30:00")
    ]
    stand_at(ring, night, 0, 29, 57)  # 01:29:57, an hour and a half before the gap
    before = f"{night}T01:30:00+01:00"
    (push,) = eventually(lambda: pushes_due(device, before), before)
    assert push.payload["plans"] == plans[:1]
    assert person.api.answer(push.payload["dose"], "taken", confirm=True).status_code == 200

    stand_at(ring, night, 0, 59, 57)
    after = f"{night}T03:00:00+02:00"
    (push,) = eventually(lambda: pushes_due(device, after), after)
    assert push.payload["plans"] == plans[1:]
    assert "03:00" in push.payload["title"] + push.payload["body"]
    assert person.api.answer(push.payload["dose"], "taken", confirm=True).status_code == 200

    # 02:30 exists again the next night; nothing rang in between.
    next_night = night + timedelta(days=1)
    assert len(device.accepted) == 2
    stand_at(ring, next_night, 0, 29, 57)
    again = f"{next_night}T02:30:00+02:00"
    (push,) = eventually(lambda: pushes_due(device, again), again)
    assert push.payload["plans"] == plans[1:]


def test_a_time_that_comes_twice_rings_at_the_first(own_ring: Callable[..., Ring]) -> None:
    night = last_sunday(10)
    ring = at_night(own_ring, night)
    person = ring.person()
    device = person.subscribe()
    person.api.add_plan({"repeat": {"timeOfDay": ["02:30:00"]}})
    # Instants are unambiguous: both of the same local time.
    twice = [f"{night}T02:45:00+02:00", f"{night}T02:45:00+01:00"]
    events = person.api.add_plan({"event": twice})["id"]
    stand_at(ring, night, 0, 29, 57)
    first = f"{night}T02:30:00+02:00"
    (push,) = eventually(lambda: pushes_due(device, first), first)
    # The first of the two instants is due within 15 minutes: one push names both.
    group = [d for d in person.api.doses(plan=events) if d["due"] == twice[0]]
    assert push.payload["doses"] == [push.payload["dose"], group[0]["id"]]
    for dose in push.payload["doses"]:
        assert person.api.answer(dose, "taken", confirm=True).status_code == 200

    stand_at(ring, night, 1, 29, 57)
    ring.marker()
    assert len(device.accepted) == 1, "the second half past two rang"
    stand_at(ring, night, 1, 44, 57)
    (push,) = eventually(lambda: pushes_due(device, twice[1]), twice[1])
    assert push.payload["plans"] == [events]
    assert push.payload["dose"] != group[0]["id"]


def test_every_eight_hours_stays_eight_hours_apart(own_ring: Callable[..., Ring]) -> None:
    night = last_sunday(3)
    ring = at_night(own_ring, night)
    person = ring.person()
    device = person.subscribe()
    plan = person.api.add_plan({"repeat": {"frequency": 1, "period": 8, "periodUnit": "h"}})["id"]
    now = person.api.now()
    doses = person.api.doses(now + timedelta(hours=1), now + timedelta(hours=30), plan=plan)[:3]
    dues = [parse(dose["due"]) for dose in doses]
    assert [b - a for a, b in zip(dues, dues[1:])] == [timedelta(hours=8)] * 2
    for dose, due in zip(doses, dues):
        utc = due.astimezone(timezone.utc) - timedelta(seconds=3)
        stand_at(ring, utc.date(), utc.hour, utc.minute, utc.second)
        push = eventually(lambda: device.rung(dose["id"]), dose["due"])[0]
        assert push.payload["due"] == dose["due"]
        assert person.api.answer(dose["id"], "taken", confirm=True).status_code == 200


def test_a_clock_that_went_back_holds_and_says_so(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring()
    administrator = Session.by_invitation(ring.server, "operator@example.org", is_administrator=True)
    person = ring.person()
    device = person.subscribe()
    rung = person.dose_in(0)
    eventually(lambda: device.rung(rung))
    assert 'action="/status/clock"' not in administrator.get("/status").text

    ring.restart(-HOUR)
    held = person.dose_in(0)
    page = eventually(
        lambda: [t for t in [administrator.get("/status").text] if 'action="/status/clock"' in t],
        "the hold on the status page",
    )[0]
    eventually(lambda: person.api.now() > parse(person.api.dose(held)["due"]) + timedelta(seconds=2))
    assert device.rung(held) == [], "it rang by a clock that is not to be trusted"
    assert person.email not in page
    # A person who is not an administrator cannot lift it.
    other = Session.by_invitation(ring.server, "somebody@example.org")
    assert 'action="/status/clock"' not in other.get("/status").text
    form = administrator.form("/status", action="/status/clock")
    own_token = other.form("/me", action="/sign-out").fields
    refused = other.request("POST", "/status/clock", data=form.fields | own_token)
    assert refused.status_code in (403, 404)
    assert device.rung(held) == []

    # The administrator's proof of identity is long ago by this clock, or in the future.
    administrator.submit("/account/security/prove?next=/status", "password", password=PASSWORD)
    administrator.submit("/status", action="/status/clock")
    push = eventually(lambda: device.rung(held), "the reminder that was held")[0]
    assert push.payload["due"] == person.api.dose(held)["due"]
    assert 'action="/status/clock"' not in administrator.get("/status").text
    assert len(device.rung(rung)) == 1, "what had rung rang again"


def test_a_clock_that_was_set_right_again_needs_nobody(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring()
    person = ring.person()
    device = person.subscribe()
    first = person.dose_in(0)
    eventually(lambda: device.rung(first))
    assert person.api.answer(first, "taken").status_code == 200
    ring.restart(-30 * MINUTE)
    held = person.dose_in(0)
    ring.restart(30 * MINUTE)
    push = eventually(lambda: device.rung(held), "the reminder that was held")[0]
    assert push.payload["due"] == person.api.dose(held)["due"]
    assert len(device.rung(first)) == 1


def test_a_small_step_back_changes_nothing(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring()
    person = ring.person()
    device = person.subscribe()
    device.reply(Reply(503), Reply())
    first = person.dose_in(0)
    eventually(lambda: device.pushes)
    ring.restart(-2 * MINUTE)
    # The second attempt was scheduled by the old clock, but does not wait two minutes.
    eventually(lambda: device.rung(first), "the second try")
    second = person.dose_in(0)
    eventually(lambda: device.rung(second), "a reminder after the step")
    ring.marker()
    assert len(device.rung(first)) == 1


def test_a_step_forward_is_an_outage(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring()
    people = [ring.person() for _ in range(2)]
    devices = [person.subscribe() for person in people]
    doses = [person.dose_in(30 * MINUTE) for person in people]
    ring.restart(HOUR)
    for person, device, dose in zip(people, devices, doses):
        # Half an hour late still rings, with the true time.
        push = eventually(lambda: device.rung(dose))[0]
        assert push.payload["kind"] == "doses"
        due = parse(push.payload["due"])
        assert due == parse(person.api.dose(dose)["due"])
        assert due.strftime("%H:%M") in push.payload["title"] + push.payload["body"]


@pytest.mark.parametrize("hours", [3])
def test_a_long_outage_ends_in_one_summary(own_ring: Callable[..., Ring], hours: int) -> None:
    ring = own_ring()
    ann, bob = ring.person("ann"), ring.person("bob")
    hers, his = ann.subscribe(), bob.subscribe()
    missed = ann.plan_in(10 * MINUTE, 60 * MINUTE, 90 * MINUTE)
    fresh = ann.dose_in(175 * MINUTE)
    other = bob.dose_in(20 * MINUTE)
    ring.restart(hours * HOUR)
    eventually(lambda: hers.rung(fresh) and hers.rung(missed[0]) and his.rung(other))
    ring.marker()
    (summary,) = hers.rung(missed[0])
    assert summary.payload["kind"] == "summary"
    assert summary.payload["doses"] == missed
    assert summary.payload["due"] == ann.api.dose(missed[0])["due"]
    text = summary.payload["title"] + " " + summary.payload["body"]
    assert "now" not in text.lower(), text
    assert parse(summary.payload["due"]).strftime("%H:%M") in text
    (rings,) = hers.rung(fresh)
    assert rings.payload["kind"] == "doses" and rings.payload["doses"] == [fresh]
    assert rings.payload["tag"] != summary.payload["tag"]
    (theirs,) = his.rung(other)
    assert theirs.payload["kind"] == "summary" and theirs.payload["doses"] == [other]
    # A summary is sent once; newer doses ring as usual.
    ring.restart(6 * MINUTE)
    eventually(lambda: len(hers.rung(fresh)) == 2, "the next step of the fresh one")
    ring.marker()
    assert len(hers.rung(missed[0])) == len(his.accepted) == 1


def test_what_was_never_handed_over_goes_stale_and_is_said(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring(environment=NO_MAIL)
    session = Session.by_invitation(ring.server, "ann@example.org")
    ann = Person(ring, "ann@example.org")
    device = ann.subscribe()
    device.reply(Reply(503))
    dose = ann.dose_in(0)
    eventually(lambda: device.pushes)
    before = session.get("/status").text
    ring.restart(13 * HOUR)
    told = ann.delivery(dose, "stale")
    assert "handedOver" not in told and told["attempts"] >= 1

    def tries() -> int:
        # The summary of missed doses is retried on its own.
        return sum(push.payload["kind"] == "doses" for push in device.pushes)

    before_marker = tries()
    ring.marker()
    assert tries() == before_marker, "a stale reminder was tried again"
    assert session.get("/status").text != before, "missed by us, and no word about it"
