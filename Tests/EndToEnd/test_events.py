# SPDX-License-Identifier: Apache-2.0
"""Server-sent events: open pages learn of answers and deliveries, and catch up after a gap."""
import http.client
import json
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
import requests

from harness.ringing import Person, Ring, eventually
from harness.session import Session
from test_doses import is_problem

PATH = "/api/v1/events"
WAIT = 20


@dataclass(frozen=True)
class Event:
    kind: str
    id: str
    data: dict[str, Any]


class Stream:
    """Reads an event stream in a thread, and notices its end."""

    def __init__(self, base: str, headers: dict[str, str]) -> None:
        self.connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=60)
        self.connection.request("GET", PATH, headers=headers)
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.read()
        kind = self.response.headers["Content-Type"]
        assert kind.split(";")[0] == "text/event-stream", kind
        self.events: "queue.Queue[Event]" = queue.Queue()
        self.ended = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        kind, identifier, data = "message", "", []
        try:
            while raw := self.response.readline():
                name, _, value = raw.decode().rstrip("\n").partition(":")
                value = value.removeprefix(" ")
                if not name and not value:
                    if data:
                        self.events.put(Event(kind, identifier, json.loads("\n".join(data))))
                    kind, data = "message", []
                elif name == "event":
                    kind = value
                elif name == "id":
                    identifier = value
                elif name == "data":
                    data.append(value)
        except (http.client.HTTPException, OSError, ValueError):
            pass
        self.ended.set()

    def until(self, wanted: Callable[[Event], bool]) -> Event:
        """Returns the next event of this kind; others are skipped."""
        deadline = time.monotonic() + WAIT
        passed = []
        while (left := deadline - time.monotonic()) > 0:
            try:
                event = self.events.get(timeout=left)
            except queue.Empty:
                break
            if wanted(event):
                return event
            passed.append(event)
        raise AssertionError(f"the event did not come; these did: {passed}")

    def dose(self, dose: str, state: str) -> Event:
        return self.until(
            lambda e: e.kind == "dose" and e.data["id"] == dose and e.data["state"] == state
        )

    def close(self) -> None:
        # The reader is waiting for a line: only closing the connection stops it.
        if self.connection.sock:
            with suppress(OSError):  # the server closed first
                self.connection.sock.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def listen() -> Iterator[Callable[..., Stream]]:
    opened: list[Stream] = []

    def make(person: Person, last: str | None = None) -> Stream:
        headers = {"Authorization": f"Bearer {person.token}", "Accept": "text/event-stream"}
        if last is not None:
            headers["Last-Event-ID"] = last
        opened.append(Stream(person.ring.server.base, headers))
        return opened[-1]

    yield make
    for stream in opened:
        stream.close()


def test_an_answer_of_one_client_reaches_the_others(ring: Ring, listen: Callable) -> None:
    person, other = ring.person(), ring.person()
    dose = person.dose_in(600)
    here, there, elsewhere = listen(person), listen(person), listen(other)
    assert person.api.answer(dose, "taken").status_code == 200
    for stream in (here, there):
        event = stream.dose(dose, "taken")
        assert event.data == person.api.dose(dose) and event.id
    undone = person.api.dose(dose)
    assert person.api.answer(dose, "undo", corrects=undone["version"]).status_code == 200
    here.dose(dose, "scheduled")
    # No one else receives the event: the first one they receive is their own.
    own = other.dose_in(600)
    assert elsewhere.until(lambda e: e.kind == "dose").data["id"] == own


def test_a_delivery_is_told_as_it_goes(ring: Ring, listen: Callable) -> None:
    person = ring.person()
    device = person.subscribe()
    stream = listen(person)
    dose = person.dose_in(0)
    event = stream.until(lambda e: e.kind == "delivery" and e.data["outcome"] == "handedOver")
    assert event.data["doses"] == [dose]
    push = eventually(lambda: device.rung(dose))[0]
    assert event.data["id"] == push.payload["delivery"]
    assert person.api.post(f"/api/v1/deliveries/{event.data['id']}/shown", {}).status_code == 204
    stream.until(lambda e: e.kind == "delivery" and "shown" in e.data)


def test_a_new_plan_and_a_stop_are_told(ring: Ring, listen: Callable) -> None:
    person = ring.person()
    stream = listen(person)
    dose = person.dose_in(600)
    assert stream.dose(dose, "scheduled").data == person.api.dose(dose)
    plan = person.last_plan
    stopped = plan | {"status": "stopped"}
    assert person.api.fhir("PUT", f"MedicationRequest/{plan['id']}", stopped).status_code == 200
    stream.dose(dose, "cancelled")


def test_what_was_missed_comes_after_the_last_event(ring: Ring, listen: Callable) -> None:
    person = ring.person()
    one, two, three = person.plan_in(600, 700, 800)
    stream = listen(person)
    assert person.api.answer(one, "taken", confirm=True).status_code == 200
    last = stream.dose(one, "taken").id
    stream.close()
    assert person.api.answer(two, "skipped").status_code == 200
    again = listen(person, last)
    assert again.until(lambda e: e.kind == "dose").data["id"] == two
    assert person.api.answer(three, "refused").status_code == 200
    again.dose(three, "refused")


def test_it_resumes_over_a_restart(own_ring: Callable[..., Ring], listen: Callable) -> None:
    ring = own_ring()
    person = ring.person()
    one, two = person.plan_in(600, 700)
    stream = listen(person)
    assert person.api.answer(one, "taken", confirm=True).status_code == 200
    last = stream.dose(one, "taken").id
    assert person.api.answer(two, "skipped").status_code == 200
    ring.server.kill()
    assert stream.ended.wait(WAIT), "the stream outlived the server"
    ring.server.start()
    listen(person, last).dose(two, "skipped")


@pytest.mark.parametrize("last", ["nonsense", "-1", "9" * 40, "0", "\u00e4", "a" * 3000])
def test_a_strange_last_event_is_no_harm(ring: Ring, listen: Callable, last: str) -> None:
    person = ring.person()
    dose = person.dose_in(600)
    headers = {"Authorization": f"Bearer {person.token}", "Last-Event-ID": last.encode()}
    response = requests.get(ring.server.base + PATH, headers=headers, stream=True, timeout=WAIT)
    status = response.status_code
    response.close()
    assert status in (200, 400, 422), status
    stream = listen(person)
    assert person.api.answer(dose, "taken").status_code == 200
    stream.dose(dose, "taken")


def test_nobody_listens_without_sign_in(ring: Ring) -> None:
    is_problem(ring.server.api().get(PATH), 401)
    is_problem(ring.server.api("nonsense").get(PATH), 401)


def test_the_stream_of_a_session_ends_with_it(ring: Ring) -> None:
    email = "listener@example.org"
    session = Session.by_invitation(ring.server, email)
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in session.own.cookies)
    stream = Stream(ring.server.base, {"Cookie": cookies, "Sec-Fetch-Site": "same-origin"})
    api = ring.server.api(ring.server.create_token(email))
    plan = api.add_plan(api.events(30))
    dose = api.doses(plan=plan["id"])[0]["id"]
    assert api.answer(dose, "taken").status_code == 200
    stream.dose(dose, "taken")
    session.submit("/me", action="/sign-out")
    assert stream.ended.wait(40), "the stream outlived its session"


def test_one_account_has_a_few_streams_and_no_more(ring: Ring, listen: Callable) -> None:
    person, other = ring.person(), ring.person()
    streams = [listen(person) for _ in range(6)]
    response = requests.get(
        ring.server.base + PATH, headers={"Authorization": f"Bearer {person.token}"},
        stream=True, timeout=WAIT,
    )
    assert response.status_code == 503, response.status_code
    response.close()
    listen(other)
    streams[0].close()
    # A slot is released as soon as the server notices that a client has left.
    dose = person.dose_in(600)
    assert person.api.answer(dose, "taken").status_code == 200

    def free() -> bool:
        again = requests.get(
            ring.server.base + PATH, headers={"Authorization": f"Bearer {person.token}"},
            stream=True, timeout=WAIT,
        )
        again.close()
        return again.status_code == 200

    eventually(free, "a free place", 40)
