# SPDX-License-Identifier: Apache-2.0
"""The calendar as read by iCalendar readers."""
import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events
import requests

from harness.ringing import Person, Ring
from harness.session import Session

NAME = "Test; with, commas \\ and a very long name that must be folded, ก่อนนอน, ä" * 2


def test_calendars_read_the_feed(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring()
    session = Session.by_invitation(ring.server, "calendar@example.org")
    person = Person(ring, "calendar@example.org")
    api = person.api
    zone = ZoneInfo("Europe/Oslo")
    session.submit("/me/routine", "zone", zone=zone.key)
    api.add_plan({"repeat": {
        "frequency": 2, "period": 1, "periodUnit": "d", "timeOfDay": ["08:00:00", "20:00:00"],
    }}, name=NAME)
    session.submit("/calendar", action="/calendar", do="make")
    address = re.search(r"https?://[^\s<]+\.ics", session.get("/calendar").text).group()  # type: ignore[union-attr]
    feed = requests.get(address, timeout=20)
    assert feed.headers["Content-Type"] == "text/calendar; charset=utf-8"
    for line in feed.content.split(b"\r\n"):
        assert len(line) <= 75 and b"\n" not in line
    assert "Test" not in feed.text.replace("\r\n ", "")
    calendar = icalendar.Calendar.from_ical(feed.content)
    events = list(calendar.walk("VEVENT"))
    now = datetime.now(timezone.utc) + timedelta(seconds=ring.server.clock_offset)
    doses = api.doses(now, now + timedelta(days=89))
    wanted = sorted(datetime.fromisoformat(dose["due"]) for dose in doses)
    found = sorted(event["DTSTART"].dt for event in events)
    assert set(wanted) <= set(found) and len(found) - len(wanted) <= 4
    assert {moment.astimezone(zone).strftime("%H:%M") for moment in found} == {"08:00", "20:00"}
    assert len({str(event["UID"]) for event in events}) == len(events)
    assert all(len(event.walk("VALARM")) == 1 for event in events)
    assert [str(one["TZID"]) for one in calendar.walk("VTIMEZONE")] == [zone.key]
    # Uses the feed's time zone data, not the reader's.
    own = calendar.walk("VTIMEZONE")[0].to_tz()
    for moment in found:
        wall = moment.astimezone(zone).replace(tzinfo=None)
        assert own.utcoffset(wall) == moment.astimezone(zone).utcoffset()
    day = wanted[10].astimezone(zone).date()
    assert len(recurring_ical_events.of(calendar).at(day)) == 2
    again = requests.get(address, headers={"If-None-Match": feed.headers["ETag"]}, timeout=20)
    assert again.status_code == 304
    secret = address.rsplit("/", 1)[1].removesuffix(".ics").encode()
    for file in ring.server.data.iterdir():
        if file.is_file():
            assert secret not in file.read_bytes(), file.name
    # Tasks as a file, with the name if chosen, and with its commas escaped.
    file = session.get("/calendar.ics?as=tasks&names=yes")
    tasks = icalendar.Calendar.from_ical(file.content).walk("VTODO")
    assert len(tasks) == len(events) and NAME in str(tasks[0]["SUMMARY"])
    assert all(task["DUE"].dt and task.walk("VALARM") for task in tasks)
    session.submit("/calendar", action="/calendar", do="end")
    assert requests.get(address, timeout=20).status_code == 404
