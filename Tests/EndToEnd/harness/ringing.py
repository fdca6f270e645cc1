# SPDX-License-Identifier: Apache-2.0
"""A server whose reminders go to stand-ins: push services on loopback and a mailbox."""
import itertools
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, TypeVar

from harness.api import Api, instant
from harness.mailbox import Mailbox
from harness.push_receiver import Device, PushReceiver
from harness.server import Server

SENDER = "reminders@example.org"
NO_MAIL = {"REGIMEN_SENDMAIL": None, "REGIMEN_MAIL_FROM": None}
PATIENCE = 60.0
# The seconds that a plan may take to reach the server.
WAYS = (0.7, 4.0, 15.0)
Found = TypeVar("Found")


def eventually(
    look: Callable[[], Found], what: str = "it", seconds: float = PATIENCE
) -> Found:
    """Polls until there is a result; names what is missing on a timeout."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"{what} did not come in {seconds:.0f} s"
        time.sleep(0.02)
    return found


class Person:
    """Returns an existing account with a token that has its own rights and outlives restarts."""

    def __init__(self, ring: "Ring", email: str) -> None:
        self.ring, self.email = ring, email
        self.token = ring.server.ask("token create", email=email, scope="user/*.cruds")
        self._api: Api | None = None

    @property
    def api(self) -> Api:
        server = self.ring.server
        if self._api is None or (self._api.base, self._api.offset) != (
            server.base, server.clock_offset
        ):
            patient = self._api._patient if self._api else None
            self._api = server.api(self.token)
            self._api._patient = patient
        return self._api

    def subscribe(self, service: PushReceiver | None = None) -> Device:
        """Adds a new device, by default at the first service."""
        device = (service or self.ring.services[0]).device()
        self.subscribe_again(device)
        return device

    def subscribe_again(self, device: Device) -> int:
        response = self.api.post("/api/v1/push-subscriptions", device.json)
        assert response.status_code in (200, 201), f"{response.status_code} {response.text}"
        device.subscription = response.json()["id"]
        device.server_key = self.api.ok("/api/v1/push-subscriptions")["vapidPublicKey"]
        return response.status_code

    def subscriptions(self) -> list[str]:
        listing = self.api.ok("/api/v1/push-subscriptions")
        return [one["id"] for one in listing["subscriptions"]]

    def plan_in(self, *seconds: float, **more: Any) -> list[str]:
        """Creates a plan of instants, in seconds and a bit from now; returns its doses in order."""
        # Asked before the time is chosen, since each request takes some of it.
        assert self.api.patient
        for way in WAYS:
            now = self.api.now()
            # Extra time for the request: an instant that is in the past on arrival never becomes a dose.
            exact = datetime.now(timezone.utc) + timedelta(seconds=self.api.offset + way)
            exact = exact.replace(microsecond=exact.microsecond // 1000 * 1000)
            moments = [exact + timedelta(seconds=s) for s in seconds]
            plan = self.api.add_plan({"event": [instant(m) for m in moments]}, **more)
            self.last_plan = plan
            doses = self.api.doses(now, max(moments) + timedelta(seconds=1), plan=plan["id"])
            if len(doses) == len(seconds):
                return [dose["id"] for dose in doses]
            # The request took too long: retry with more time, for a slow machine.
            self.api.withdraw(plan)
        raise AssertionError(f"{len(doses)} doses of {len(seconds)} instants")

    def dose_in(self, seconds: float, **more: Any) -> str:
        return self.plan_in(seconds, **more)[0]

    def deliveries(self, dose: str | None = None, hours: int = 72) -> list[dict[str, Any]]:
        """Returns the deliveries by step; of one dose if it is given."""
        now = self.api.now()
        listing = self.api.ok(
            "/api/v1/deliveries", patient=self.api.patient,
            **{
                "from": instant(now - timedelta(hours=hours)),
                "to": instant(now + timedelta(hours=hours)),
            },
        )
        found = [d for d in listing["deliveries"] if dose is None or dose in d["doses"]]
        return sorted(found, key=lambda d: (d["rung"], d["planned"]))

    def delivery(self, dose: str, outcome: str, rung: int | None = None) -> dict[str, Any]:
        """Waits until a delivery of this dose has this outcome."""

        def look() -> list[dict[str, Any]]:
            return [
                d for d in self.deliveries(dose)
                if d["outcome"] == outcome and rung in (None, d["rung"])
            ]

        try:
            return eventually(look, outcome)[0]
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.deliveries(dose)}") from None

    def mails(self) -> list:
        return self.ring.mailbox.mails(self.email)


class Ring:
    def __init__(self, folder: Path, services: int = 1, **options: Any) -> None:
        self.mailbox = Mailbox(folder / "mail")
        self.services = [PushReceiver(lambda: self.server.clock_offset) for _ in range(services)]
        self._unused = iter(self.services[1:])
        self._numbers = itertools.count(1)
        self._marker: tuple[Person, Device] | None = None
        environment = {
            "REGIMEN_PUSH_HOSTS": ",".join(service.host for service in self.services),
            "REGIMEN_VAPID_SUBJECT": "mailto:operator@example.org",
            "REGIMEN_SENDMAIL": str(self.mailbox.program), "REGIMEN_MAIL_FROM": SENDER,
        }
        environment |= options.pop("environment", {})
        given = {name: value for name, value in environment.items() if value is not None}
        self.server = Server(folder / "data", environment=given, **options)

    def person(self, name: str = "person") -> Person:
        email = f"{name}{next(self._numbers)}@example.org"
        self.server.ask("account create", email=email, password=None, administrator=False)
        return Person(self, email)

    def service(self) -> PushReceiver:
        """A push service for one test only, so that its failures affect no other test."""
        return next(self._unused)

    def restart(self, later: float = 0) -> None:
        self.server.restart(later=int(later))

    def marker(self) -> None:
        """Sends someone else a reminder and waits for it: everything due before has then been handled."""
        if self._marker is None:
            person = self.person("marker")
            self._marker = (person, person.subscribe())
        person, device = self._marker
        dose = person.dose_in(0)
        eventually(lambda: device.rung(dose), "the marker")
        # Prevents another reminder when the server's clock is later.
        assert person.api.answer(dose, "taken", confirm=True).status_code == 200

    def verify(self) -> None:
        for service in self.services:
            service.verify()

    def close(self) -> None:
        self.server.kill()
        for service in self.services:
            service.close()
